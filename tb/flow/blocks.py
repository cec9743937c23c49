# SPDX-License-Identifier: Apache-2.0
"""The blocks of the tree, read from their own files. The only way in which a flow learns of a block.

A block NAME is rtl/sm/NAME.sv or rtl/chip/NAME.sv with the folder tb/blocks/NAME:

  ports.h    parameters, ports, registers, the blocks it needs and its parts
  variants   lines 'NAME Param=Value ...': the variant BLOCK_NAME on top of a configuration. With NAME '*' the block itself, where it
             must not be as large as the configuration says
  targets    lines 'FLOW TARGET Param=Value ... key=value ...': what a flow takes instead of the block itself. TARGET is a variant
             or a name of its own; a key with a small letter is an option of the flow, whose README lists them

Run from the repository root. As a program it writes what a build is made from, DIR/blocks.mk and DIR/rtl/VARIANT/params:

  python3 tb/flow/blocks.py CONFIG DIR [--base] [BLOCK...]

Errors are tools.Failure: one line, exit status 2.
"""
from __future__ import annotations

import argparse
import functools
import graphlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from chips import configuration, configurations, representatives  # noqa: F401: flows ask for all of them here
from tools import Failure, program, whole

FOLDERS = ("rtl/sm", "rtl/chip")


@dataclass(frozen=True)
class Part:
    """A block inside another one: instance u_<field>, or gen_<field>[i].u_<field> when it is an array. `count`: of an array,
    the RTL parameter that says how many; "" where an expression says whether there is one."""

    field: str
    block: str
    array: bool
    count: str = ""


@dataclass(frozen=True)
class Block:
    name: str
    rtl: Path
    needs: tuple[str, ...]
    parts: tuple[Part, ...]
    per_chip: bool
    clocked: bool
    parameters: dict[str, int] = field(hash=False)  # of the module, with defaults
    settings: tuple[str, ...] = ()
    registers: dict[str, bool] = field(hash=False, default_factory=dict)  # the block's own; whether it is an array of vectors

    @functools.cached_property
    def sources(self) -> tuple[Path, ...]:
        """The RTL of the block and of all blocks inside it. The text tells them: one without registers is not a part."""
        return self.sources_without(())

    def sources_without(self, names: Iterable[str]) -> tuple[Path, ...]:
        """The same without these blocks and what is in them alone."""
        found = [self.rtl]
        for rtl in found:
            words = set(re.findall(r"^ *(\w+) (?:#\(|u_)", rtl.read_text(), flags=re.M)) - set(names)
            found += [other for other in _modules() if other.stem in words and other not in found]
        return tuple(found)

    @property
    def room(self) -> Path:
        """The folder with all that verification knows of the block."""
        return Path("tb/blocks") / self.name

    def has(self, file: str) -> bool:
        return (self.room / file).is_file()


@dataclass(frozen=True)
class Target:
    """What a flow takes of a block: `params` are complete, `options` are the flow's own."""

    name: str
    block: Block
    params: dict[str, int] = field(hash=False)
    options: dict[str, str] = field(hash=False)

    @property
    def stimulus(self) -> str:
        """'chip' when the block is fed from all SMs, else 'lockstep'."""
        return "chip" if self.block.per_chip else "lockstep"

    def number(self, option: str, default: int) -> int:
        value = self.options.get(option, str(default))
        if not re.fullmatch("[1-9][0-9]{0,5}", value):
            raise Failure(f"{self.block.room}/targets: {self.name}: {option} wants a number, not '{value}'")
        return int(value)


def _lists(text: str) -> dict[str, str]:
    """The X-macro lists of a port list by name, continuation lines joined, comments gone."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S).replace("\\\n", " ")
    return {m[1]: m[2].strip() for m in re.finditer(r"^#define BLOCK_(\w+)(?:\(\w*\))?(.*)$", text, flags=re.M)}


def _first_words(entries: str) -> list[list[str]]:
    """X(a, b, c) Y(d) as [[a, b, c], [d]]; only the first arguments, which hold no parentheses, are of use."""
    return [[word.strip() for word in m[1].split(",")] for m in re.finditer(r"\b[A-Z]\(([^()]*)", entries)]


def module_parameters(rtl: Path) -> dict[str, int]:
    """The integer parameters of a module with their defaults."""
    found = re.findall(r"\bparameter +int +(?:unsigned +)?(\w+) *= *(\d+)", rtl.read_text())
    return {name: int(value) for name, value in found}


def _modules() -> list[Path]:
    return [rtl for folder in FOLDERS for rtl in sorted(Path(folder).glob("*.sv"))]


def _read(rtl: Path) -> Block:
    ports = Path("tb/blocks") / rtl.stem / "ports.h"
    if not ports.is_file():
        raise Failure(f"{rtl}: has no {ports}; 'ballast new-block {rtl.stem}' writes one")
    lists = _lists(ports.read_text())
    params = {words[1]: words[0] for words in _first_words(lists.get("PARAMS", "")) if len(words) > 1}
    parts = [Part(words[0], words[1], False) for words in _first_words(lists.get("PARTS", ""))]
    for name, of, count in _first_words(lists.get("PART_ARRAYS", "")):
        known, *condition = count.removeprefix("cfg->").split(maxsplit=1)
        if known not in params:
            raise Failure(f"{ports}: '{count}' of the parts {name} is no field of BLOCK_PARAMS")
        parts.append(Part(name, of, True, "" if condition else params[known]))
    return Block(rtl.stem, rtl, tuple(words[0] for words in _first_words(lists.get("NEEDS", ""))), tuple(parts),
                 lists.get("PER_CHIP") == "1", lists.get("CLOCKED") == "1", module_parameters(rtl),
                 tuple(words[0] for words in _first_words(lists.get("SETTINGS", ""))),
                 {words[0]: array for name, array in (("REGISTERS", False), ("REGISTER_ARRAYS", True)) for words in _first_words(lists.get(name, ""))})


@functools.cache
def blocks() -> dict[str, Block]:
    """All blocks by name. A block comes after those that it needs and after its parts."""
    if not Path("rtl/sm").is_dir():
        raise Failure("no rtl/sm here; run it from the repository root")
    found = {rtl.stem: _read(rtl) for rtl in _modules()}
    before = {name: sorted({*block.needs, *(part.block for part in block.parts)}) for name, block in found.items()}
    for name, others in before.items():
        for other in (other for other in others if other not in found):
            raise Failure(f"{found[name].room}/ports.h: names the block '{other}', which is not in rtl/sm or rtl/chip")
    try:
        return {name: found[name] for name in graphlib.TopologicalSorter(before).static_order()}
    except graphlib.CycleError as error:
        raise Failure(f"tb/blocks: these blocks need each other: {' '.join(error.args[1])}") from None


def block(name: str) -> Block:
    if name not in blocks():
        raise Failure(f"no block '{name}'; there are: {' '.join(blocks())}")
    return blocks()[name]


def choose(names: list[str]) -> list[Block]:
    """The named blocks, or all when none is named."""
    return [block(name) for name in names] if names else list(blocks().values())


def choose_to_list(names: list[str]) -> list[Block]:
    """The same for a table: each once, all of them in the order of their files."""
    found = [block(name) for name in dict.fromkeys(names)]
    return found or sorted(blocks().values(), key=lambda one: (FOLDERS.index(str(one.rtl.parent)), one.name))


def _assignments(words: list[str], where: str) -> dict[str, int]:
    values = {}
    for word in words:
        if not re.fullmatch(r"[A-Za-z_]\w*=\d+", word):
            raise Failure(f"{where}: '{word}' is not Param=Value")
        name, value = word.split("=")
        values[name] = int(value)
    return values


def parameters(of: Block, config: str, own: dict[str, int] | None = None) -> dict[str, int]:
    """What a block is built with: the configuration's parameters that its module has, then its own."""
    own = own or {}
    for name in own:
        if name not in of.parameters:
            raise Failure(f"{of.rtl}: has no parameter '{name}'")
    return {name: value for name, value in configuration(config).items() if name in of.parameters} | own


def _lines(path: Path) -> list[list[str]]:
    if not path.is_file():
        return []
    return [words for line in path.read_text().splitlines() if (words := line.partition("#")[0].split())]


def variants(of: Block) -> dict[str, dict[str, int]]:
    """The block itself and its variants, each with its own parameters."""
    path = of.room / "variants"
    lines = {words[0]: _assignments(words[1:], str(path)) for words in _lines(path)}
    return {of.name: lines.pop("*", {})} | {f"{of.name}_{name}": own for name, own in lines.items()}


def variant(name: str) -> tuple[Block, dict[str, int]]:
    """The block of a variant, and the variant's own parameters."""
    for one in blocks().values():
        if name in variants(one):
            return one, variants(one)[name]
    raise Failure(f"no block or variant '{name}'; the blocks are {' '.join(blocks())}, their variants tb/blocks/*/variants")


def targets(flow: str, of: Block, config: str, known: tuple[str, ...] | None = None) -> list[Target]:
    """What `flow` takes of a block: the lines of its file 'targets', or the block itself. `known`: the flow's options."""
    path = of.room / "targets"
    found = []
    for words in _lines(path):
        if words[0] != flow:
            continue
        if len(words) < 2:
            raise Failure(f"{path}: '{flow}' without a target")
        own = [word for word in words[2:] if word[0].isupper()]
        options = dict(word.partition("=")[::2] for word in words[2:] if not word[0].isupper())
        for option in sorted(options.keys() - set(known)) if known is not None else []:
            raise Failure(f"{path}: '{flow} {words[1]}' has no option '{option}'; there are: {' '.join(known) or 'none'}")
        params = variants(of).get(words[1], {}) | _assignments(own, str(path))
        found.append(Target(words[1], of, parameters(of, config, params), options))
    return found or [Target(of.name, of, parameters(of, config, variants(of)[of.name]), {})]


def words_of(params: dict[str, int]) -> str:
    return " ".join(f"{name}={value}" for name, value in params.items())


def _fragment(config: str, names: list[str]) -> str:
    """The makefile fragment: VARIANTS, COMMAND_VARIANTS (those that the command has), BLOCK_NAMES, SYSC_VARIANTS, of each variant
    _BLOCK, _SV, _SOURCES, _PARAMS, of each block _NEEDS, _PARTS."""
    lines = []
    for one in choose(names):
        for name, own in variants(one).items():
            lines += [f"VARIANTS += {name}", f"{name}_BLOCK := {one.name}", f"{name}_SV := {one.rtl}",
                      f"{name}_SOURCES := {' '.join(map(str, one.sources))}",
                      f"{name}_PARAMS := {words_of(parameters(one, config, own))}"]
        lines += [f"BLOCK_NAMES += {one.name}", f"{one.name}_NEEDS := {' '.join(one.needs)}",
                  f"{one.name}_PARTS := {' '.join(part.block for part in one.parts)}"]
        lines += [f"COMMAND_VARIANTS += {target.name}" for target in targets("command", one, config)]
        if one.has("sc.h"):
            benches = dict.fromkeys(target.name for target in targets("sysc", one, config))
            lines += [f"SYSC_VARIANTS += {name}" for name in benches]
    return "\n".join(lines)


def _write_changed(path: Path, text: str) -> None:
    """Leaves a file alone that says the same already, so that make does not build anew what depends on it."""
    if not path.is_file() or path.read_text() != text:
        with whole(path) as file:
            file.write(text)


def _main() -> None:
    parser = argparse.ArgumentParser(description="Write what a build is made from: DIR/blocks.mk names every block and variant, "
                                     "DIR/rtl/VARIANT/params says what a variant is built from. A file that would not change is left alone.")
    parser.add_argument("config")
    parser.add_argument("dir", type=Path)
    parser.add_argument("block", nargs="*")
    arguments = parser.parse_args()
    for one in choose(arguments.block):
        for name, own in variants(one).items():
            _write_changed(arguments.dir / "rtl" / name / "params", f"{one.name} {words_of(parameters(one, arguments.config, own))}\n")
    with whole(arguments.dir / "blocks.mk") as file:
        file.write(_fragment(arguments.config, arguments.block) + "\n")


if __name__ == "__main__":
    program(_main)
