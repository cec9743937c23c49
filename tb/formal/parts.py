# SPDX-License-Identifier: Apache-2.0
"""What is proved apart from a block: the blocks inside it that its line `formal TARGET apart=BLOCK,BLOCK` of tb/blocks/X/targets
names. The elaborated design says which instances there are, and with which parameters.
"""
from __future__ import annotations

import graphlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import netlist
import tools
from blocks import Block, Target, block as block_named, configuration, parameters, targets, variants
from netlist import Json

# Of a line in `targets`.
OPTIONS = ("apart", "cases", "free", "sums", "variant")


@dataclass(frozen=True)
class Kind:
    """A block inside another one. `module`: its name in the design; `fields`: its instances, "lcs" or "sm[0]", "sm[1]"."""

    block: Block
    module: str
    params: dict[str, int] = field(hash=False)
    fields: tuple[str, ...] = ()


def apart(target: Target, option: str = "apart") -> list[str]:
    """The names of the blocks that are proved apart, or what another option lists."""
    return [name for name in target.options.get(option, "").split(",") if name]


def _name(module: str) -> str:
    """lcs of $paramod$0123\\lcs or of $paramod\\lcs\\NumSlots=8."""
    words = module.split("\\")
    return words[1] if len(words) > 1 else module


def _field(instance: str) -> str | None:
    match = re.fullmatch(r"u_(\w+)|gen_(\w+)(\[\d+\])\.u_(\w+)", instance)
    if match is None or match[2] != match[4]:
        return None
    return match[1] or match[2] + match[3]


def _parameters(of: Block, module: Json, config: str) -> dict[str, int]:
    """What a module has been elaborated with, but for defaults."""
    values = module.get("parameter_default_values", {})
    found = {}
    for name, default in of.parameters.items():
        if not re.fullmatch("[01]{1,32}", str(values.get(name, ""))):
            raise netlist.NetlistError(f"the design does not say what {name} of {of.name} is")
        found[name] = int(values[name], 2)
    kept = configuration(config)
    return {name: value for name, value in found.items() if name in kept or value != of.parameters[name]}


def _kind(target: Target, modules: dict[str, Json], name: str, config: str) -> Kind:
    cells = {cell: of["type"] for cell, of in modules[target.block.name]["cells"].items() if _name(of["type"]) == name}
    found = sorted(set(cells.values()))
    where = f"{target.block.room}/targets: apart={name}"
    if len(found) != 1:
        what = "such blocks with different parameters" if found else "no such block"
        raise tools.Failure(f"{where}: {target.name} has {what}")
    fields = [_field(cell) for cell in cells]
    if None in fields:
        raise tools.Failure(f"{where}: an instance has not a name as CONTRIBUTING.md wants it")
    of = block_named(name)
    order = sorted(fields, key=lambda one: [int(word) if word.isdigit() else word for word in re.split(r"(\d+)", one)])
    return Kind(of, found[0], _parameters(of, modules[found[0]], config), tuple(order))


def find(target: Target, design: Path, config: str) -> list[Kind]:
    """All that is proved apart from a target, of its elaborated design."""
    modules = netlist.read(design)
    if target.block.name not in modules:
        raise netlist.NetlistError(f"{design}: has no module {target.block.name}")
    return [_kind(target, modules, name, config) for name in apart(target)]


def modules_of(design: Path, names: list[str], target: Target) -> list[str]:
    """The modules of a design that are these, with whatever parameters."""
    found = {name: [module for module in netlist.read(design) if _name(module) == name] for name in names}
    for name in (name for name, modules in found.items() if not modules):
        raise tools.Failure(f"{target.block.room}/targets: free={name}: {target.name} has no such module")
    return [module for modules in found.values() for module in modules]


def _complete(of: Block, params: dict[str, int]) -> dict[str, int]:
    return of.parameters | params


def same(target: Target, kind: Kind) -> bool:
    """Whether a target is the block that stands inside another one."""
    return target.block == kind.block and _complete(kind.block, target.params) == _complete(kind.block, kind.params)


# ---- what hangs on what -------------------------------------------------------------------------

_LABEL = re.compile(r"(?:i\d+\.)?(.+)\.(takes|gives)\.(.+)\[\d+\]")
EDGE = " after the edge"  # of a part: its registers next


def _given(label: str) -> str | None:
    """Whose outputs or, another thing, next registers an input of the circuit is."""
    match = _LABEL.fullmatch(label)
    if match is None or match[2] != "gives":
        return None
    return match[1] + (EDGE if match[3].endswith(".next") else "")


def _taken(label: str) -> tuple[str, str] | None:
    """The part that takes an output of the circuit, and its input or register."""
    match = _LABEL.fullmatch(label)
    return (match[1], match[3]) if match and match[2] == "takes" else None


class _Aiger:
    """An ASCII AIGER file: literals of inputs and outputs by label, and the ANDs in order."""

    def __init__(self, path: Path):
        lines = path.read_text().splitlines()
        head = lines[0].split() if lines else []
        if len(head) != 6 or head[0] != "aag" or head[3] != "0":
            raise netlist.NetlistError(f"{path}: no combinational ASCII AIGER file")
        inputs, outputs, ands = int(head[2]), int(head[4]), int(head[5])
        body = lines[1:]
        names = {words[0]: words[1] for line in body[inputs + outputs + ands:] if len(words := line.split()) == 2}
        self.inputs = {int(body[n]): names.get(f"i{n}", "") for n in range(inputs)}
        self.outputs = [(names.get(f"o{n}", ""), int(body[inputs + n])) for n in range(outputs)]
        self.ands = [tuple(map(int, line.split())) for line in body[inputs + outputs:inputs + outputs + ands]]


class _Reach:
    """Of each literal what it hangs on, of inputs that `named` names. In reset rst_ni is 0."""

    def __init__(self, aig: _Aiger, in_reset: bool = False, named: Callable[[str], str | None] = _given):
        self.names = sorted({name for label in aig.inputs.values() if (name := named(label))})
        numbers = {name: number for number, name in enumerate(self.names)}
        self.masks = {literal >> 1: 1 << numbers[name] if (name := named(label)) else 0 for literal, label in aig.inputs.items()}
        self.masks[0] = 0
        self.constant = {0: 0}  # variables that are 0 or 1
        if in_reset:
            self.constant |= {literal >> 1: 0 for literal, label in aig.inputs.items() if label.endswith(".rst_ni[0]")}
        for target, one, other in aig.ands:
            self._and(target, one, other)

    def value(self, literal: int) -> int | None:
        known = self.constant.get(literal >> 1)
        return None if known is None else known ^ (literal & 1)

    def _and(self, target: int, one: int, other: int) -> None:
        values = (self.value(one), self.value(other))
        self.masks[target >> 1] = 0 if 0 in values else self.masks[one >> 1] | self.masks[other >> 1]
        if 0 in values or values == (1, 1):
            self.constant[target >> 1] = int(0 not in values)

    def __call__(self, literal: int) -> set[str]:
        mask = self.masks[literal >> 1]
        return {name for number, name in enumerate(self.names) if mask >> number & 1}


def late_inputs(circuit: Path) -> set[str]:
    """Of a part's own step: the inputs on which no output hangs, "take_i"."""
    def named(label: str) -> str | None:
        match = re.fullmatch(r"i\d+\.(\w+_i)\[\d+\]", label)
        return match[1] if match else None

    aig = _Aiger(circuit)
    reach = _Reach(aig, named=named)
    early = {name for label, literal in aig.outputs if re.fullmatch(r"\w+_o\[\d+\]", label) for name in reach(literal)}
    return set(reach.names) - early


def check_order(circuit: Path, late: dict[str, set[str]]) -> None:
    """A NetlistError if what parts give is not determined by what they are: they must have an order in which each hangs on what
    comes before it alone. `late`: by part, inputs on which its outputs do not hang; only its next registers do. And if a register
    of the block itself hangs on a part in reset, for what parts give is shown to be equal in states that come about after reset
    only."""
    aig = _Aiger(circuit)
    reach, in_reset = _Reach(aig), _Reach(aig, True)
    instances = {name.removesuffix(EDGE) for name in reach.names}
    before: dict[str, set[str]] = {}
    for label, literal in aig.outputs:
        taken = _taken(label)
        if taken:
            part, signal = taken
            for name in {part + EDGE} if signal in late.get(part, ()) else {part, part + EDGE}:
                before.setdefault(name, set()).update(reach(literal))
        elif re.search(r"\.next\[\d+\]$", label) and label.partition(".")[0] not in instances and in_reset(literal):
            raise netlist.NetlistError(f"{label} hangs on {' '.join(sorted(in_reset(literal)))} in reset")
    try:
        graphlib.TopologicalSorter(before).prepare()
    except graphlib.CycleError as error:
        raise netlist.NetlistError(f"what these parts give hangs on each other in a circle: {' '.join(error.args[1])}") from None


# ---- targets ------------------------------------------------------------------------------------


def chosen_targets(of: Block, config: str, with_variants: bool) -> list[Target]:
    """What is proved of a block: its lines in `targets`, or itself; and all its variants, those lines of `targets` that say so, too."""
    found = [target for target in targets("formal", of, config, OPTIONS) if with_variants or "variant" not in target.options]
    if not found:
        raise tools.Failure(f"{of.room}/targets: each line 'formal' is a variant; what is proved without VARIANTS=1?")
    if with_variants:
        names = {target.name for target in found}
        for name, own in variants(of).items():
            if name not in names:
                found.append(Target(name, of, parameters(of, config, own), found[0].options))
    return found


def target_of(kind: Kind, inside: Target, config: str) -> Target:
    """The block or its variant that stands inside another one; if there is none with these parameters, one of its own,
    "sm_governor_fast.lcs"."""
    known = chosen_targets(kind.block, config, True)
    own = Target(f"{inside.name}.{kind.fields[0].partition('[')[0]}", kind.block, kind.params, known[0].options)
    return next((target for target in known if same(target, kind)), own)
