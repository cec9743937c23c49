# SPDX-License-Identifier: Apache-2.0
"""What coverage comes out as: the table and the holes on standard output, and in a folder cover.csv (figures), holes.csv (every
hole by either suite, excluded ones with their reason), status.json (figures) and index.html (page.py)."""
from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import IO

from counts import KINDS, SUITE_NAMES, SUITES, WHOLE, Covered
from page import page
from tools import Failure, whole


def _figure(block: Covered, kind: str, suite: int) -> str:
    one = block.figure(kind, suite)
    if kind == "functional":
        return f"{f'{one.hit}/{one.total}' if one.total else '-':>9}"
    return f"{f'{one.percent:.1f}' if one.total else '-':>6}"


def table(blocks: list[Covered]) -> None:
    print(f"{'':18} {'line %':>15} {'toggle %':>15} {'functional':>20} {'':>9}")
    print(f"{'block':18} {'rec.':>7} {'whole':>7} {'rec.':>7} {'whole':>7} {'rec.':>10} {'whole':>9} {'excluded':>9}")
    for block in blocks:
        excluded = sum(block.figure(kind, WHOLE).excluded for kind in ("line", "functional"))
        figures = "".join(f"  {_figure(block, kind, suite)}" for kind in KINDS for suite in SUITES)
        print(f"{block.name:18}{figures} {excluded:8}")
    print("rec.: the recordings alone; whole: recordings and tests; excluded: points and lines, with reasons")


def notes(blocks: list[Covered]) -> None:
    """What is not there to be counted."""
    for block in blocks:
        if block.rtl.path.parent.name != "common" and not block.cover.text:
            print(f"no functional points of {block.name}: it has no {block.cover.path}")


def holes(blocks: list[Covered]) -> int:
    """Names them with their places; how many there are."""
    found = [(block, point) for kind in ("functional", "line") for block in blocks
             for point in block.holes() if point.kind == kind]
    for block, point in found:
        name = f"{point.name}:" if point.kind == "functional" else f"{point.name} of:"
        print(f"hole: {block.file_of(point)}:{point.line}: {name} {block.what(point)}")
    return len(found)


def _write_figures(file: IO[str], blocks: list[Covered]) -> None:
    file.write("block,kind,suite,hit,total,excluded,percent\n")
    for block in blocks:
        for kind in KINDS:
            for suite in SUITES:
                one = block.figure(kind, suite)
                percent = f"{one.percent:.1f}" if one.total else ""
                file.write(f"{block.name},{kind},{SUITE_NAMES[suite]},{one.hit},{one.total},{one.excluded},{percent}\n")


def _write_holes(file: IO[str], blocks: list[Covered]) -> None:
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["block", "kind", "suite", "name", "file", "line", "what", "state", "reason"])
    for block in blocks:
        for suite in SUITES:
            for point in block.points.values():
                if not point.hits[suite]:
                    state = ["excluded", point.excluded.reason] if point.excluded else ["hole", ""]
                    rows.writerow([block.name, point.kind, SUITE_NAMES[suite], point.name, block.file_of(point), point.line,
                                   block.what(point), *state])
            for signal in block.signals.values():
                if bits := signal.holes(suite):
                    rows.writerow([block.name, "toggle", SUITE_NAMES[suite], f"{signal.name} bits {bits}", block.rtl.path,
                                   signal.line, "", "hole", ""])


def _status(block: Covered) -> dict:
    def one(kind: str, suite: int) -> dict:
        figure = block.figure(kind, suite)
        percent = {"percent": figure.percent} if figure.total else {}
        return {"hit": figure.hit, "total": figure.total, "excluded": figure.excluded} | percent

    return {"block": block.name} | {kind: {SUITE_NAMES[suite]: one(kind, suite) for suite in SUITES} for kind in KINDS}


def write(out: Path, blocks: list[Covered], of: dict[str, object]) -> None:
    with whole(out / "cover.csv") as file:
        _write_figures(file, blocks)
    with whole(out / "holes.csv") as file:
        _write_holes(file, blocks)
    with whole(out / "status.json") as file:
        json.dump({"tool": "Verilator 5.006, cover properties and line coverage; toggles by the harness", **of,
                   "blocks": [_status(block) for block in blocks]}, file, indent=1)
    with whole(out / "index.html") as file:
        file.write(page(blocks))


def tell(out: Path, blocks: list[Covered], of: dict[str, object]) -> None:
    """Everything; holes are a Failure. `of`: what else status.json says."""
    write(out, blocks, of)
    table(blocks)
    notes(blocks)
    missed = holes(blocks)
    print(f"report: {out}/index.html", flush=True)
    if missed:
        raise Failure(f"{missed} lines or points are not reached; write the test, or say why not in "
                      "tb/blocks/<block>/cover.exclude", 1)
