# SPDX-License-Identifier: Apache-2.0
"""The facts of a liberty: its cells, the delay FO4 and the load of four inverters, both measured with OpenSTA.

Errors: tools.Failure where the file is no OSU liberty or OpenSTA does not say both numbers.
"""
from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

import tools
import yosys
from tools import Failure

NAMED = {"osu018": yosys.OSU018, "osu035": yosys.OSU035}
FO4_SCRIPT = Path("synth_scripts/area/area_fo4.tcl")


@dataclass(frozen=True)
class Cell:
    area: float
    flip_flop: bool
    latch: bool


@dataclass(frozen=True)
class Liberty:
    path: Path
    cells: dict[str, Cell]
    fo4_ns: float
    load_pf: float

    @property
    def nand2(self) -> float:
        """The area that areas are told in."""
        return self.cells["NAND2X1"].area

    @property
    def smallest_flip_flop(self) -> float:
        return min(cell.area for cell in self.cells.values() if cell.flip_flop)

    @property
    def sum(self) -> str:
        return f"{self.path.name} {hashlib.sha256(self.path.read_bytes()).hexdigest()[:16]}"


def find(name: str) -> Path:
    path = NAMED.get(name, Path(name))
    try:
        path.open().close()
    except OSError:
        raise Failure(f"{path}: no such liberty; 'make setup' installs qflow-tech-osu018 and qflow-tech-osu035") from None
    return path


def fo4_chain() -> str:
    """FO4's netlist: a chain of inverters, three more at every output, so that each drives four (area_fo4.tcl)."""
    lines = ["module fo4 (a, y);", "  input a;", "  output y;"]
    nets = ["a"] + [f"n{i}" for i in range(7)] + ["y"]
    lines += [f"  wire {net};" for net in nets[1:-1]]
    for i, (source, to) in enumerate(zip(nets, nets[1:])):
        lines.append(f"  INVX1 s{i} (.A({source}), .Y({to}));")
        lines += [f"  INVX1 l{i}_{load} (.A({to}), .Y());" for load in (1, 2, 3)]
    return "\n".join(lines + ["  INVX1 l7_4 (.A(y), .Y());", "endmodule", ""])


def _cells(text: str) -> dict[str, Cell]:
    cells = {}
    for part in re.split(r"^[ \t]*cell[ \t]*\(", text, flags=re.M)[1:]:
        area = re.search(r"^[ \t]*area[ \t]*:[ \t]*([0-9.]+)", part, re.M)
        cells[part.partition(")")[0].strip(' \t"')] = Cell(float(area[1]) if area else 0, *(
            re.search(rf"^[ \t]*{kind}[ \t]*\(", part, re.M) is not None for kind in ("ff", "latch")))
    return cells


def _fo4(path: Path, work: Path) -> tuple[float, float]:
    """FO4 in ns and the load of four inverters in pF."""
    (work / "fo4.v").write_text(fo4_chain())
    script = work / "fo4.tcl"
    script.write_text(f"set library {path}\nset netlist {work}/fo4.v\nsource {FO4_SCRIPT}\n")
    try:
        said = tools.run(["sta", "-no_splash", "-exit", script], seconds=60).stdout
    except tools.ToolFailed as error:
        raise Failure(f"{path}: FO4 of INVX1 cannot be measured: {error}") from None
    numbers = [re.search(rf"^{name} ([0-9.]+)$", said, re.M) for name in ("fo4", "load")]
    if not all(numbers):
        why = re.search(r"^.*rror.*$", said, re.M)
        raise Failure(f"{path}: FO4 of INVX1 cannot be measured: {why[0] if why else 'sta said nothing'}")
    return float(numbers[0][1]), float(numbers[1][1])


def facts(path: Path, work: Path) -> Liberty:
    liberty = Liberty(path, _cells(path.read_text(errors="replace")), *_fo4(path, work))
    gates = liberty.cells.get("NAND2X1")
    measured = liberty.fo4_ns > 0 and liberty.load_pf > 0
    if not gates or not gates.area or not measured or not any(cell.flip_flop for cell in liberty.cells.values()):
        raise Failure(f"{path}: has no NAND2X1 with an area, or no flip-flops; is it an OSU liberty?")
    return liberty
