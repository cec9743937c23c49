# SPDX-License-Identifier: Apache-2.0
"""Mutants of a block: one netlist of AND gates with all of them, each switched on by an input of its own, cut at the
flip-flops.

A folder per target gets mutants (a line per mutant, as Yosys lists them), core.aag (the netlist) and key (what they depend
on). In the netlist the registers are inputs of their names, and "REGISTER.next" are outputs.
"""
from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import netlist
import yosys
from blocks import Block, Target, words_of
from netlist import Json, Label, NetlistError
from tools import Failure, ToolFailed, whole

DEFAULT_MUTANTS = 200


def read(of: Block, params: dict[str, int]) -> list[str]:
    """A block that is put together from others: theirs are its mutants, but for its own logic and wiring."""
    commands = [*yosys.read(of, params), yosys.KEEP_REGISTERS, "proc"]
    return [*commands, *([] if of.parts else ["flatten"]), "opt_clean"]


def circuit(block: Json) -> Json:
    """A flattened module without its flip-flops."""
    registers = netlist.registers(block)
    flops = netlist.rtl_flops(block) if "clk_i" in block["ports"] else {}
    named = [net for bits in registers.values() for net in bits]
    if len(set(named)) != len(named):
        raise NetlistError("a flip-flop has two names")
    if flops.keys() - set(named):
        raise NetlistError(f"{len(flops.keys() - set(named))} flip-flops have no name that ends in _q")
    if set(named) - flops.keys():
        raise NetlistError("a register bit is no flip-flop")
    ports = {name: port for name, port in block["ports"].items() if name != "clk_i"}
    for name, bits in registers.items():
        ports[name] = netlist.port("input", bits)
        ports[f"{name}.next"] = netlist.port("output", [flops[net] for net in bits])
    return netlist.circuit(ports, {name: cell for name, cell in block["cells"].items() if cell["type"] != "$dff"})


def write_netlist(of: Block, params: dict[str, int], lines: list[str], folder: Path, path: Path) -> None:
    """The block with these mutants, each as Yosys lists it; "" stands for one that is not in this circuit. All have a switch."""
    switched = [f"{line} -ctrl mut_{number} 1 1" for number, line in enumerate(lines, 1) if line]
    yosys.run([*read(of, params), *switched, "flatten", "opt_clean", f"write_json {folder}/rtl.json"], folder / "rtl.ys")
    cut = circuit(netlist.module(folder / "rtl.json", of.name))
    nets = (net for what in (cut["ports"].values(), cut["cells"].values()) for one in what
            for bits in (one["connections"].values() if "connections" in one else [one["bits"]]) for net in bits)
    unused = 1 + max(net for net in nets if isinstance(net, int))
    for number in (number for number, line in enumerate(lines, 1) if not line):
        cut["ports"][f"mut_{number}"] = netlist.port("input", [unused + number])
    netlist.write(folder / "cut.json", {of.name: cut})
    yosys.run([f"read_json {folder}/cut.json", "opt -full", "techmap", "opt -fast", "aigmap", "opt_clean", "setundef -zero",
               f"write_aiger -ascii -symbols {path}"], folder / "aig.ys")


def _key(target: Target, mutants: int, seed: int) -> str:
    found = hashlib.sha256(f"{words_of(target.params)} {mutants} {seed}".encode())
    for file in [*sorted(Path("rtl").glob("*/*.sv")), Path(__file__), Path(yosys.__file__), Path(netlist.__file__)]:
        found.update(file.read_bytes())
    return found.hexdigest()


def make(target: Target, folder: Path, mutants: int, seed: int) -> bool:
    """Whether there was something to do: else it is there already. What was found with other mutants goes."""
    mutants = mutants or target.number("mutants", DEFAULT_MUTANTS)
    core, key = folder / "core.aag", folder / "key"
    new = _key(target, mutants, seed)
    if key.is_file() and key.read_text() == new and core.is_file() and core.stat().st_size:
        return False
    for old in [core, key]:
        old.unlink(missing_ok=True)
    for old in [*folder.glob("kills*/"), *(folder / name for name in ("proofs", "took", "circuits", "judged", "rules"))]:
        shutil.rmtree(old, ignore_errors=True)
    listed = folder / "list"
    yosys.run([*read(target.block, target.params), f"cd {target.block.name}", "select -set own c:* t:$dff %d", "cd ..",
               f"mutate -list {mutants} -seed {seed} -o {listed} @own"], folder / "list.ys")
    # The clock has no mutants: everything here is cut at the flip-flops.
    lines = [line for line in listed.read_text().splitlines() if "-port clk_i " not in line]
    if not lines:
        raise Failure(f"{target.name}: Yosys finds nothing to mutate")
    beside = folder / "core.new.aag"
    write_netlist(target.block, target.params, lines, folder, beside)
    with whole(folder / "mutants") as file:
        file.writelines(f"{line}\n" for line in lines)
    beside.replace(core)
    with whole(key) as file:
        file.write(new)
    return True


def count(core: Path) -> int:
    """The mutants in a netlist."""
    return sum(name.startswith("mut_") for _, name in read_aiger(core).inputs)


def names(folder: Path) -> list[str]:
    """What each mutant is and where."""
    return [_describe(line.split()) for line in (folder / "mutants").read_text().splitlines()]


def _describe(words: list[str]) -> str:
    pairs = [(words[i][1:], words[i + 1]) for i in range(len(words) - 1) if words[i].startswith("-")]
    value = dict(pairs)
    how = {"inv": "inverted", "const0": "stuck at 0", "const1": "stuck at 1",
           "cnot0": f"inverted while bit {value.get('ctrlbit')} is 0", "cnot1": f"inverted while bit {value.get('ctrlbit')} is 1"}
    wire = f" ({value['wire']}[{value.get('wirebit', '')}])" if value.get("wire") else ""
    source = " ".join(text for name, text in pairs if name == "src")
    return (f"cell {value.get('cell')}, port {value.get('port')}, bit {value.get('portbit')} "
            f"{how.get(value.get('mode', ''), '')}{wire}; {source}")


# ---- one mutant as the proofs have the RTL -------------------------------------------------------

@dataclass
class Aiger:
    """An AIGER file in ASCII without latches."""

    most: int
    inputs: list[tuple[int, str]]   # literal and name
    outputs: list[tuple[int, str]]
    gates: list[list[int]]


def read_aiger(path: Path) -> Aiger:
    lines = [line.split() for line in path.read_text().splitlines()]
    try:
        most, inputs, latches, outputs, gates = (int(word) for word in lines[0][1:])
        first, last = 1 + inputs, 1 + inputs + outputs
        names = {words[0]: words[1] for words in lines[last + gates:] if len(words) == 2 and re.fullmatch(r"[io]\d+", words[0])}
        read = Aiger(most, [(int(words[0]), names[f"i{number}"]) for number, words in enumerate(lines[1:first])],
                     [(int(words[0]), names[f"o{number}"]) for number, words in enumerate(lines[first:last])],
                     [[int(word) for word in words] for words in lines[last:last + gates]])
    except (ValueError, IndexError, KeyError):
        raise ToolFailed(f"{path}: no AIGER file with names") from None
    if latches or len(read.gates) != gates or any(len(gate) != 3 for gate in read.gates):
        raise ToolFailed(f"{path}: no AIGER file of gates alone")
    return read


def _labels(bits: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What core.aag calls "NAME[BIT]" is called what in `bits`."""
    labels = [Label.parse(text) for kind, text in bits if kind in ("in", "out", "next")]
    lanes, widths = netlist.lanes_of(labels), {}
    for label in labels:
        if label.lane:
            widths[label.lane[1]] = max(widths.get(label.lane[1], 0), lanes * (label.bit + 1))
    found = {}
    for label in labels:
        name, bit = netlist.place_of(label, widths, lanes)
        found[f"{name}{'.next' if label.next else ''}[{bit}]"] = label.text
    return found


def write_step(core: Path, bits: Iterable[tuple[str, str]], mutant: int, path: Path) -> None:
    """The netlist as that mutant (0: the block itself), its inputs and outputs under the labels of `bits`."""
    whole_block, labels = read_aiger(core), _labels(bits)

    def label(name: str) -> str:
        found = labels.get(name) or labels.get(f"{name}[0]")
        if found is None:
            raise NetlistError(f"{core}: there is no {name} in the port list")
        return found

    switches = {literal: int(name == f"mut_{mutant}") for literal, name in whole_block.inputs if name.startswith("mut_")}

    def constant(literal: int) -> int:
        return switches[literal & ~1] ^ (literal & 1) if literal & ~1 in switches else literal

    inputs = [(literal, label(name)) for literal, name in whole_block.inputs if literal not in switches]
    outputs = [(constant(literal), label(name)) for literal, name in whole_block.outputs]
    lines = [f"aag {whole_block.most} {len(inputs)} 0 {len(outputs)} {len(whole_block.gates)}"]
    lines += [str(literal) for literal, _ in inputs + outputs]
    lines += [f"{gate[0]} {constant(gate[1])} {constant(gate[2])}" for gate in whole_block.gates]
    lines += [f"i{number} {name}" for number, (_, name) in enumerate(inputs)]
    lines += [f"o{number} {name}" for number, (_, name) in enumerate(outputs)]
    path.write_text("\n".join(lines) + "\n")


# ---- a mutant beside the block ---------------------------------------------------------------------

def _in_order(names: Iterable[str]) -> dict[str, str]:
    """Names that ABC sorts so that a warp's bits stand together, which keeps diagrams of counts small."""
    def place(name: str) -> tuple[int, str]:
        bit = re.search(r"\[(\d+)\]$", name)
        return (int(bit[1]) if bit else 0), name

    return {name: f"i{number:05}.{name}" for number, name in enumerate(sorted(names, key=place))}


def write_sides(core: Path, mutant: int, gold: Path, gate: Path) -> bool:
    """The block and the mutant as BLIF, with the outputs that the mutant can change; whether there are any."""
    both = read_aiger(core)
    switches = {name: literal // 2 for literal, name in both.inputs if name.startswith("mut_")}
    changed = {switches[f"mut_{mutant}"]}
    for to, a, b in both.gates:
        if a // 2 in changed or b // 2 in changed:
            changed.add(to // 2)
    outputs = [(literal, name) for literal, name in both.outputs if literal // 2 in changed]
    needed = {literal // 2 for literal, _ in outputs}
    gates = []
    for to, a, b in reversed(both.gates):
        if to // 2 in needed:
            needed |= {a // 2, b // 2}
            gates.append((to, a, b))
    inputs = [(literal, name) for literal, name in both.inputs if name not in switches]
    ordered = _in_order(name for _, name in inputs)
    inputs = [(literal, ordered[name]) for literal, name in inputs]
    lines = [".model m", " ".join([".inputs", *(name for _, name in inputs)]), " ".join([".outputs", *(name for _, name in outputs)]),
             ".names n0", *(f".names {name} n{literal // 2}\n1 1" for literal, name in inputs)]
    lines += [f".names n{a // 2} n{b // 2} n{to // 2}\n{~a & 1}{~b & 1} 1" for to, a, b in reversed(gates)]
    lines += [f".names n{literal // 2} {name}\n{~literal & 1} 1" for literal, name in outputs]
    for path, on in ((gold, ""), (gate, f"mut_{mutant}")):
        constants = [f".names n{variable}" + ("\n1" if name == on else "") for name, variable in switches.items()]
        path.write_text("\n".join([*lines, *constants, ".end", ""]))
    return bool(outputs)
