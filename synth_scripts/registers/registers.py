#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""registers.py [--check]: what is made from the register lists, rtl/registers/BLOCK.csv, one for each block with registers for software.

  rtl/common/BLOCK_pkg.sv         addresses, field positions and reset values for the RTL
  rtl/registers/BLOCK_map.h       the same for drivers, and for tests that access the bus
  rtl/registers/BLOCK.rdl         SystemRDL 2.0
  doc/blocks/BLOCK.md             the table of registers, between its marks

Without --check it writes them; with it, it names those that are not what it would write. Run from the repository root. Exit 0 done, or
all as it should be; 1 with --check, some are not; 2 the list cannot be read.

A line of a list is a register or a field of the register above it. Columns: kind, name, offset, count (empty: one; NAME or NAME/32,
rounded up: a window of as many words), access, bits (HIGH:LOW), reset (a number, a parameter, or empty: what an input says), range
(LOW..HIGH of what may be written: numbers, parameters, one more or less than a parameter, or other registers), description. Access: ro; rw; w1c, a 1 clears the bit; w0, a 0
clears all. A reset value above its range is the end of the range.
"""
from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))

import pages  # noqa: E402
from tools import Failure, program, whole  # noqa: E402

LISTS = "rtl/registers/*.csv"
COMMAND, TABLE = "make registers", "registers"
COLUMNS = "kind name offset count access bits reset range description".split()
ACCESS = {"ro": ("r", "read only"), "rw": ("rw", "read, write"), "w1c": ("rw", "read, 1 clears"), "w0": ("rw", "read, 0 clears")}
ADDRESS_BITS = 12
NAME = re.compile(r"[A-Z][A-Z0-9_]*")
PARAMETER = re.compile(r"[A-Z][a-zA-Z]*[a-z][a-zA-Z]*")
BESIDE = re.compile(rf"{PARAMETER.pattern}(?:[+-]1)?")
MOST = {"NumSms": 256, "NumSms/32": 8, "NumKernels": 4}  # words of a window


@dataclass
class Field:
    name: str
    high: int
    low: int
    description: str


@dataclass
class Register:
    name: str
    offset: int
    count: str  # "" is one
    access: str
    width: int
    reset: str
    least: str
    most: str
    description: str
    fields: list[Field] = field(default_factory=list)


@dataclass
class Registers:
    block: str
    path: str
    all: list[Register]

    def get(self, name: str) -> Register:
        return next(one for one in self.all if one.name == name)

    def parameters(self) -> list[str]:
        """In the order in which the list names them."""
        words = [word for one in self.all for text in (one.count, one.reset, one.least, one.most) for word in PARAMETER.findall(text)]
        return list(dict.fromkeys(words))

    def most_of_all(self, one: Register) -> str:
        """The end of a range when other registers do not narrow it."""
        while NAME.fullmatch(one.most):
            one = self.get(one.most)
        return one.most


# ---- the list ----------------------------------------------------------------------------------------

def _bits(text: str, where: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+):(\d+)", text)
    if not match or not 31 >= int(match[1]) >= int(match[2]):
        raise Failure(f"{where}: bits are HIGH:LOW, not '{text}'")
    return int(match[1]), int(match[2])


def _register(row: dict[str, str], where: str) -> Register:
    high, low = _bits(row["bits"], where)
    least, dots, most = row["range"].partition("..")
    known = row["access"] in ACCESS and re.fullmatch(r"0x[0-9A-F]{3}", row["offset"]) and low == 0
    if not known or bool(dots) == (row["access"] == "ro"):
        raise Failure(f"{where}: {row['name']}: a register has an offset 0x000, an access of {', '.join(ACCESS)}, bits HIGH:0, and a range "
                      "LOW..HIGH if it can be written")
    return Register(row["name"], int(row["offset"], 16), row["count"], row["access"], high + 1, row["reset"], least, most,
                    row["description"])


def _check(found: Registers) -> None:
    """No two at one address, none at an odd one, and only words that mean something."""
    names = {one.name for one in found.all}
    if len(names) != len(found.all):
        raise Failure(f"{found.path}: two registers have one name")
    ends = 0
    for one in found.all:
        words = MOST.get(one.count, 0) if one.count else 1
        if not words:
            raise Failure(f"{found.path}: {one.name}: '{one.count}' is no number of words; there are: {', '.join(MOST)}")
        if one.offset % 4 or one.offset < ends or one.offset + 4 * words > 1 << ADDRESS_BITS:
            raise Failure(f"{found.path}: {one.name} has no words of its own at 0x{one.offset:03X}; the list is in the order of addresses")
        ends = one.offset + 4 * words
        for word in (one.reset, one.least, one.most):
            if not (re.fullmatch(r"|\d+|0x[0-9A-F]+", word) or BESIDE.fullmatch(word) or word in names):
                raise Failure(f"{found.path}: {one.name}: '{word}' is no number, parameter or register")
        taken = [bit for part in one.fields for bit in range(part.low, part.high + 1)]
        if len(set(taken)) != len(taken) or any(bit >= one.width for bit in taken):
            raise Failure(f"{found.path}: the fields of {one.name} do not lie in it side by side")


def read(path: str, text: str) -> Registers:
    rows = list(csv.DictReader(io.StringIO(text), restval=""))
    found = Registers(Path(path).stem, path, [])
    if not rows or list(rows[0]) != COLUMNS:
        raise Failure(f"{path}: its columns are not {','.join(COLUMNS)}")
    for number, row in enumerate(rows, 2):
        where = f"{path}:{number}"
        if not NAME.fullmatch(row["name"]) or not row["description"]:
            raise Failure(f"{where}: no name of capitals, or no description")
        if row["kind"] == "register":
            found.all.append(_register(row, where))
        elif row["kind"] == "field" and found.all:
            found.all[-1].fields.append(Field(row["name"], *_bits(row["bits"], where), row["description"]))
        else:
            raise Failure(f"{where}: '{row['kind']}' is no register, and no field of one")
    _check(found)
    return found


# ---- what is made of it ------------------------------------------------------------------------------

def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _fixed(one: Register) -> int | None:
    """A reset value that is a number."""
    return int(one.reset, 0) if one.reset[:1].isdigit() else None


def _constants(kind: str, rows: list[tuple[str, str, str]]) -> list[str]:
    """Lines of name, value, comment."""
    width = max(len(name) for name, _, _ in rows)
    return [f"  localparam {kind} {name:<{width}} = {value};{comment and f'  // {comment}'}" for name, value, comment in rows]


def package(found: Registers) -> str:
    rows = _constants(f"logic [{ADDRESS_BITS - 1}:0]", [
        (f"Addr{camel(one.name)}", f"{ADDRESS_BITS}'h{one.offset:03X}", f"{one.access}{', a window' if one.count else ''}") for one in found.all])
    resets = _constants("logic [31:0]", [(f"Reset{camel(one.name)}", f"32'h{_fixed(one):08X}", "") for one in found.all if _fixed(one)])
    fields = _constants("int", [(f"{camel(one.name)}{camel(part.name)}", str(part.low), "") for one in found.all for part in one.fields])
    return "\n".join([
        "// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1", "//",
        f"// {found.block}_pkg: the registers of {found.block} for the RTL. Made by '{COMMAND}' from", f"// {found.path}; change that.", "",
        "`default_nettype none", "", "// Who reads some of them need not read all.", "// verilator lint_off UNUSEDPARAM", f"package {found.block}_pkg;", "",
        "  // Byte addresses", *rows, "",
        "  // Reset values that are not 0, of registers that have a constant one", *resets, "",
        "  // The lowest bit of each field", *fields, "", "endpackage", "// verilator lint_on UNUSEDPARAM", "", "`default_nettype wire", ""])


def header(found: Registers) -> str:
    prefix, guard = found.block.upper(), f"{found.block.upper()}_MAP_H"
    lines = []
    for one in found.all:
        lines.append(f"/* {one.description}; {ACCESS[one.access][1]} */")
        if one.count:
            lines.append(f"#define {prefix}_{one.name}(n) (0x{one.offset:03X}u + 4u * (n))")
        else:
            lines.append(f"#define {prefix}_{one.name} 0x{one.offset:03X}u")
        if _fixed(one):
            lines.append(f"#define {prefix}_{one.name}_RESET 0x{_fixed(one):X}u")
        for part in one.fields:
            mask = (1 << part.high - part.low + 1) - 1
            lines.append(f"#define {prefix}_{one.name}_{part.name} 0x{mask << part.low:X}u /* {part.description} */")
            if part.low:
                lines.append(f"#define {prefix}_{one.name}_{part.name}_SHIFT {part.low}")
        lines.append("")
    return "\n".join([
        "/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1", " *",
        f" * The registers of {found.block} for drivers: byte offsets, and masks of fields. Made by '{COMMAND}' from", f" * {found.path};"
        " change that.", " */", f"#ifndef {guard}", f"#define {guard}", "", *lines, "#endif", ""])


def _rdl_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _rdl_reset(found: Registers, one: Register) -> str | None:
    if not one.reset:
        return None
    most = found.most_of_all(one)
    return f"({most} < {one.reset}) ? {most} : {one.reset}" if _fixed(one) and PARAMETER.fullmatch(most) else one.reset


def _rdl_behaviour(access: str) -> list[str]:
    return {"ro": ["sw = r;", "hw = w;"], "rw": ["sw = rw;", "hw = r;"], "w1c": ["sw = rw;", "onwrite = woclr;", "hw = rw;", "hwset;"],
            "w0": ["sw = rw;", "onwrite = wclr;", "hw = rw;", "counter;"]}[access]


def _rdl_fields(found: Registers, one: Register) -> list[str]:
    lines, reset = [], _rdl_reset(found, one)
    constant = one.access == "ro" and reset is not None
    behaviour = ["sw = r;", "hw = na;"] if constant else _rdl_behaviour(one.access)
    for part in one.fields or [Field("VALUE", one.width - 1, 0, "")]:
        words = [f'desc = "{_rdl_text(part.description)}";'] if part.description else []
        lines.append(f"        field {{ {' '.join(words + behaviour)} }} {part.name}[{part.high}:{part.low}]"
                     f"{f' = {reset}' if reset is not None else ''};")
    return lines


def _rdl_range(one: Register) -> str:
    return f" Only {one.least}..{one.most} is taken; every other value is refused." if one.access == "rw" else \
           " Only 0 is taken; every other value is refused." if one.access == "w0" else ""


def rdl(found: Registers, defaults: Callable[[str], int]) -> str:
    lines = ["// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1", "//",
             f"// The registers of {found.block} in SystemRDL 2.0. Made by '{COMMAND}' from {found.path}; change that.",
             "// The language has no words for a write that is refused: the descriptions say which are.", "",
             f"addrmap {found.block} #(" + ", ".join(f"longint unsigned {name} = {defaults(name)}" for name in found.parameters()) + ") {",
             f'    name = "{found.block}";', "    default regwidth = 32;", "    default accesswidth = 32;", "    addressing = regalign;", ""]
    for one in found.all:
        size = f"({one.count.split('/')[0]} + 31) / 32" if "/" in one.count else one.count
        lines += ["    reg {", f'        desc = "{_rdl_text(one.description)}.{_rdl_range(one)}";', *_rdl_fields(found, one),
                  f"    }} {one.name}{f'[{size}]' if one.count else ''} @ 0x{one.offset:03X}{' += 4' if one.count else ''};", ""]
    return "\n".join([*lines[:-1], "};", ""])


def _where(one: Register) -> str:
    if not one.count:
        return f"0x{one.offset:03X}"
    last = "NumSms / 32, rounded up, words" if "/" in one.count else f"{one.count} words"
    return f"0x{one.offset:03X} + 4 n, {last}"


def table(found: Registers) -> list[str]:
    rows = ["| address | register | access | reset | range of a write | meaning |", "|---|---|---|---|---|---|"]
    for one in found.all:
        fields = "; ".join(f"{part.low if part.low == part.high else f'{part.high}:{part.low}'} {part.name}: {part.description}"
                           for part in one.fields)
        bounds = "" if not one.least else one.least if one.least == one.most else f"{one.least}..{one.most}"
        rows.append(f"| {_where(one)} | {one.name} | {ACCESS[one.access][1]} | {one.reset or 'live'} | {bounds} | "
                    f"{one.description}{f'. Bits: {fields}' if fields else ''} |")
    return rows


def made(found: Registers, defaults: Callable[[str], int]) -> dict[str, str]:
    """Texts by path, but for the page."""
    folder = str(Path(found.path).parent)
    return {f"rtl/common/{found.block}_pkg.sv": package(found), f"{folder}/{found.block}_map.h": header(found),
            f"{folder}/{found.block}.rdl": rdl(found, defaults)}


def page_of(found: Registers) -> str:
    return f"doc/blocks/{found.block}.md"


def default_of(module: str, path: str) -> Callable[[str], int]:
    """Of the parameters of a module's text."""
    def default(name: str) -> int:
        match = re.search(rf"\bparameter +int +{name} *= *(\d+)", module)
        if not match:
            raise Failure(f"{path}: has no 'parameter int {name} = NUMBER', which the list of its registers names")
        return int(match[1])
    return default


# ---- the tree ----------------------------------------------------------------------------------------

def differing(paths: list[str], text: Callable[[str], str]) -> list[str]:
    """What is not what the lists say, a line for each. `text`: of a file, '' where there is none."""
    found = []
    for path in paths:
        try:
            one = read(path, text(path))
            module = f"rtl/chip/{one.block}.sv"
            files = made(one, default_of(text(module), module))
        except Failure as failure:
            found.append(str(failure))
            continue
        found += [f"{file}: is not what '{COMMAND}' makes of {path}" for file, wanted in files.items() if text(file) != wanted]
        rows = [match["text"].splitlines() for match in pages.TABLE.finditer(text(page_of(one))) if match["name"] == TABLE]
        if rows != [table(one)]:
            found.append(f"{page_of(one)}: its table of registers is not what '{COMMAND}' makes of {path}")
    return found


def _text(path: str) -> str:
    return Path(path).read_text() if Path(path).is_file() else ""


def _write(path: str) -> None:
    one = read(path, _text(path))
    module = f"rtl/chip/{one.block}.sv"
    for file, wanted in made(one, default_of(_text(module), module)).items():
        if _text(file) != wanted:
            with whole(Path(file)) as out:
                out.write(wanted)
            print(file)
    pages.write(Path(page_of(one)), table(one), COMMAND, TABLE)


def main(options: list[str]) -> int:
    if options not in ([], ["--check"]):
        raise Failure("usage: registers.py [--check]")
    paths = sorted(map(str, Path().glob(LISTS)))
    if not paths:
        raise Failure(f"no list {LISTS} here; run it from the repository root")
    if not options:
        for path in paths:
            _write(path)
        return 0
    findings = differing(paths, _text)
    print("\n".join(findings), end="\n" if findings else "", file=sys.stderr)
    return int(bool(findings))


if __name__ == "__main__":
    program(lambda: main(sys.argv[1:]))
