# SPDX-License-Identifier: Apache-2.0
"""A library of cells for synthesis: which of a Liberty file's cells may be used, and which of them are the inverter, the NAND2, the
buffer that drives inputs, and the flip-flop. They are found by what they do, not by their names.

`library` writes what synthesis reads: the file without the cells that are not for it, and abc's constraints. Yosys 0.23 has no option
for that. Errors: tools.Failure of one line.
"""
from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import function
import liberty
import logical_effort
from liberty import Group
from tools import Failure

BUILT_IN = "effort"
NAMED = {"osu018": Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib"), "osu035": Path("/usr/share/qflow/tech/osu035/osu035_stdcells.lib")}
# Cells with a job that synthesis does not know of. Scan: a description for tests, or pins for them.
MARKS = ("dont_use", "is_isolation_cell", "is_level_shifter", "is_macro_cell", "pad_cell", "retention_cell", "switch_cell_type",
         "clock_gating_integrated_cell", "always_on")
SCAN = ("scan_in", "scan_enable", "test_scan_in", "test_scan_enable")
DRIVER = 4  # inputs are driven by a buffer that is so many times as strong as the smallest inverter


@dataclass(frozen=True)
class Cell:
    """`strength`: picoseconds more for a femtofarad more, inverted. `unused`: why synthesis does not get it."""

    name: str
    area: float
    unused: str = ""
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    values: tuple[int, ...] = ()
    flip_flop: bool = False
    rising: bool = False  # a flip-flop at the rising edge that takes what is at one pin
    latch: bool = False
    three_state: bool = False
    load: float = 0  # of the first input
    strength: float = 0
    group: Group | None = field(default=None, compare=False, repr=False)

    def does(self, *values: int) -> bool:
        return not self.unused and not self.flip_flop and not self.three_state and len(self.outputs) == 1 and self.values == values


@dataclass(frozen=True)
class Library:
    name: str
    whole: Path  # all cells
    path: Path   # those for synthesis
    constraints: Path
    cells: dict[str, Cell]
    inverter: Cell
    nand2: Cell
    buffer: Cell
    flip_flop: Cell
    load: float  # of four inverters, in the unit of the library
    sum: str


def _unused(cell: Group, never: Sequence[str]) -> str:
    for mark in MARKS:
        if cell.value(mark).lower() not in ("", "false", "0"):
            return mark
    if list(cell.of("test_cell")) or any(pin.value(kind) in SCAN for pin in cell.of("pin") for kind in ("nextstate_type", "signal_type")):
        return "scan"
    if list(cell.of("statetable")):
        return "statetable"
    return "left out" if any(fnmatch.fnmatchcase(cell.names[0], pattern) for pattern in never) else ""


def _slope(table: Group, templates: dict[str, Group]) -> float | None:
    """How much a delay grows with the load, at the quickest edge."""
    template = templates.get(table.names[0]) if table.names else None

    def of(name: str) -> list[str]:
        return table.attributes.get(name) or (template.attributes.get(name, []) if template else [])
    axes = [of("variable_1")[:1] == ["total_output_net_capacitance"], of("variable_2")[:1] == ["total_output_net_capacitance"]]
    try:
        loads = [float(word) for word in " ".join(of(f"index_{axes.index(True) + 1}")).replace(",", " ").split()]
        rows = [[float(word) for word in row.replace(",", " ").split()] for row in table.attributes["values"]]
        flat = [value for row in rows for value in row]
        last = flat[len(flat) // len(loads) * (len(loads) - 1)] if axes[0] else flat[len(loads) - 1]
        return (last - flat[0]) / (loads[-1] - loads[0])
    except (ValueError, KeyError, IndexError, ZeroDivisionError):
        return None


def _strength(pin: Group, templates: dict[str, Group]) -> float:
    tables = (table for timing in pin.of("timing") for table in timing.of("cell_rise", "cell_fall"))
    slopes = [slope for table in tables if (slope := _slope(table, templates)) is not None]
    return len(slopes) / sum(slopes) if slopes and sum(slopes) > 0 else 0


def _load(pin: Group) -> float:
    both = [pin.number(kind) for kind in ("rise_capacitance", "fall_capacitance")]
    return pin.number("capacitance") or max((one for one in both if one), default=0)


def _rising(state: Group, pins: Sequence[str]) -> bool:
    """With a scan path, an enable or a synchronous reset the next state is that of several pins."""
    try:
        (clock, edge), (data, _) = (function.table(state.value(name)) for name in ("clocked_on", "next_state"))
    except function.NoFunction:
        return False
    return edge == [0, 1] and len(data) == 1 and {*clock, *data} <= {*pins}


def _cell(group: Group, templates: dict[str, Group], never: Sequence[str]) -> Cell:
    pins = {name: pin for pin in group.of("pin") for name in pin.names}
    inputs = [name for name, pin in pins.items() if pin.value("direction") == "input"]
    outputs = [name for name, pin in pins.items() if pin.value("direction") in ("output", "inout")]
    states = list(group.of("ff", "ff_bank"))
    values: tuple[int, ...] = ()
    if len(outputs) == 1:
        try:
            read, found = function.table(pins[outputs[0]].value("function"))
            values = tuple(found) if sorted(inputs) == read else ()
        except function.NoFunction:
            pass
    return Cell(group.names[0], group.number("area") or 0, _unused(group, never), tuple(inputs), tuple(outputs), values, bool(states),
                bool(states) and states[0].kind == "ff" and _rising(states[0], inputs), bool(list(group.of("latch", "latch_bank"))),
                any(pin.value("three_state") for pin in group.of("pin")),
                _load(pins[inputs[0]]) if inputs else 0, _strength(pins[outputs[0]], templates) if outputs else 0, group)


def _femtofarads(library: Group, path: Path) -> float:
    """The unit of loads."""
    count, unit, *_ = [*library.attributes.get("capacitive_load_unit", ()), "", ""]
    try:
        return float(count) * {"pf": 1000, "ff": 1}[unit.lower()]
    except (ValueError, KeyError):
        raise Failure(f"{path}: no capacitive_load_unit (NUMBER, pf) or (NUMBER, ff)") from None


def _smallest(path: Path, what: str, found: list[Cell]) -> Cell:
    """By area, then by input. What the file names first, if that is equal, too."""
    if not found:
        raise Failure(f"{path}: no {what} for synthesis in it")
    return min(found, key=lambda cell: (cell.area, cell.load))


def _choose(path: Path, cells: list[Cell]) -> tuple[Cell, Cell, Cell, Cell]:
    inverter = _smallest(path, "inverter with an area, an input's load and delays",
                         [cell for cell in cells if cell.does(1, 0) and cell.area and cell.load and cell.strength])
    nand2 = _smallest(path, "NAND of two inputs with an area", [cell for cell in cells if cell.does(1, 1, 1, 0) and cell.area])
    buffers = [cell for cell in cells if cell.does(0, 1) and cell.strength]
    flip_flop = _smallest(path, "flip-flop with an area, a rising edge and one data pin",
                          [cell for cell in cells if cell.rising and cell.area and not cell.unused])
    if not buffers:
        raise Failure(f"{path}: no buffer for synthesis in it")

    def off(cell: Cell) -> float:
        ratio = cell.strength / inverter.strength / DRIVER
        return max(ratio, 1 / ratio)
    best = min(map(off, buffers))  # clock buffers may come nearest, and cost more
    return inverter, nand2, min((cell for cell in buffers if off(cell) <= 1.2 * best), key=lambda cell: cell.area), flip_flop


def _without(text: str, groups: list[Group]) -> str:
    kept, place = [], 0
    for group in groups:
        kept.append(text[place:group.start])
        place = group.end
    return "".join([*kept, text[place:]])


def _text(paths: Sequence[Path], work: Path) -> tuple[str, Path]:
    """Of a library that is several files the first one, with the cells and tables of the others."""
    first, *others = [liberty.text(path) for path in paths]
    if not others:
        return first, paths[0]
    top = liberty.parsed(paths[0], first)
    parts = [first[:top.end - 1]]
    known = {group.names[0] for group in top.groups if group.names}
    for path, text in zip(paths[1:], others):
        for group in liberty.parsed(path, text).groups:
            if group.names and group.names[0] not in known and (group.kind == "cell" or "template" in group.kind):
                parts.append(f"\n{text[group.start:group.end]}\n")
    whole = "".join([*parts, "}\n"])
    merged = work / "merged.lib"
    merged.write_text(whole, encoding="latin-1")
    return whole, merged


def library(names: Sequence[str], work: Path, never: Sequence[str] = ()) -> Library:
    """`names`: effort, osu018, osu035, or a file, or several that are one library. `never`: patterns of cells to leave out."""
    if list(names) == [BUILT_IN]:
        text, path = logical_effort.text(), Path(f"{BUILT_IN}.lib")
    else:
        for name in names:
            if name in NAMED and not NAMED[name].is_file():
                raise Failure(f"{NAMED[name]}: no such library; Debian 12 has it as qflow-tech-{name}")
        text, path = _text([NAMED.get(name, Path(name)) for name in names], work)
    top = liberty.parsed(path, text)
    templates = {group.names[0]: group for group in top.of("lu_table_template") if group.names}
    cells = [_cell(group, templates, never) for group in top.of("cell") if group.names]
    inverter, nand2, buffer, flip_flop = _choose(path, cells)
    load = 4 * inverter.load
    whole, kept, constraints = work / "library.lib", work / "cells.lib", work / "cells.constr"
    # latin-1: a byte is a letter, so that what is not looked at stays what it is.
    whole.write_text(text, encoding="latin-1")
    kept.write_text(_without(text, [cell.group for cell in cells if (cell.unused or cell.three_state) and cell.group]), encoding="latin-1")
    constraints.write_text(f"set_driving_cell {buffer.name}\nset_load {load * _femtofarads(top, path):.6g}\n")
    digest = hashlib.sha256(kept.read_bytes()).hexdigest()[:16]
    return Library(path.name.removesuffix(".lib"), whole, kept, constraints, {cell.name: cell for cell in cells}, inverter, nand2, buffer, flip_flop,
                   load, f"{path.name} {digest}")
