# SPDX-License-Identifier: Apache-2.0
"""What one block costs, by Yosys and OpenSTA, and many blocks side by side.

A row is a dictionary of the columns of area.csv, `paths_ns` besides. AREA_LIMIT is how many seconds a tool may take, an empty
AREA_ICE40 leaves out the LUTs, JOBS is how many blocks are measured at once. Errors: tools.Failure "BLOCK (CONFIG): what".
"""
from __future__ import annotations

import dataclasses
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import prover
import sources
import tools
import yosys
from blocks import Block, words_of
from cells import Library
from output import rounded
from tools import Failure

Row = dict[str, Any]
TIMING_SCRIPT = Path("synth_scripts/area/area_timing.tcl")
TOOLS = ("yosys", "sta", "gnuplot")
# A throttle divides and multiplies by counting (T_new, majority, Algorithm 1).
OPERATORS = "t:$mul t:$div t:$divfloor t:$mod t:$modfloor t:$pow"


@dataclass(frozen=True)
class Job:
    """One row: `label` is its configuration, or the recipe; `mapping` gives the commands that map a block onto a library."""

    label: str
    name: str
    block: Block
    params: dict[str, int] = field(hash=False)
    ice40: bool = True
    mapping: Callable[[str, Library], list[str]] = yosys.mapped

    def __str__(self) -> str:
        return f"{self.name} ({self.label})"

    @property
    def sources(self) -> str:
        """A sum over the RTL."""
        return sources.digest({str(file): file for file in {*self.block.sources, *sources.packages(self.block.sources)}})


def need() -> None:
    tools.need(*TOOLS)
    prover.abc()


def ice40(top: str) -> str:
    """For the iCE40; no place and route: the ports of most blocks are more than a package has pins."""
    return f"synth_ice40 -flatten -dff -top {top}"


def _limit() -> float:
    limit = os.environ.get("AREA_LIMIT") or "900"
    if not re.fullmatch(r"\d+(\.\d+)?", limit):
        raise Failure(f"AREA_LIMIT wants seconds, not '{limit}'")
    return float(limit)


def _yosys(work: Path, name: str, commands: list[str]) -> None:
    yosys.run(commands, work / f"{name}.ys", _limit(), env={"TMPDIR": str(work)})  # abc's files, too


def _counts(path: Path) -> dict[str, int]:
    """Cells by type, of `stat -json`."""
    try:
        modules = json.loads(path.read_text())["modules"]
        (counts,) = [module["num_cells_by_type"] for module in modules.values()]
        return {name: int(count) for name, count in counts.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise Failure("yosys wrote no statistics of one module") from None


def _map(job: Job, library: Library, work: Path) -> dict[str, int]:
    """Writes netlist.v; cells by type."""
    counts = work / "cells.json"
    _yosys(work, "map", yosys.read(job.block, job.params) + job.mapping(job.block.name, library)
           + [f"tee -q -o {counts} stat -json", f"write_verilog -noattr -noexpr -nohex -simple-lhs {work}/netlist.v"])
    return _counts(counts)


def _no_operators(job: Job, work: Path) -> None:
    """What the parameters alone give is no operator."""
    found = work / "operators"
    _yosys(work, "operators", yosys.read(job.block, job.params)
           + ["proc", "flatten", "opt_expr", "opt_clean", f"tee -q -o {found} select -count {OPERATORS}",
              f"tee -q -a {found} select -list {OPERATORS}"])
    count, *operators = found.read_text().splitlines()
    if count != "0 objects." or operators:
        raise Failure(f"a multiplier or divider: {operators[0] if operators else count}")


def _luts(job: Job, work: Path) -> Row:
    if not job.ice40 or not os.environ.get("AREA_ICE40", "yes"):
        return {"lut4": None, "ice40_flip_flops": None, "ice40_carries": None}
    counts = work / "ice40.json"
    _yosys(work, "ice40", yosys.read(job.block, job.params) + [ice40(job.block.name), f"tee -q -o {counts} stat -json"])
    cells = _counts(counts)
    return {"lut4": cells.get("SB_LUT4", 0),
            "ice40_flip_flops": sum(count for name, count in cells.items() if name.startswith("SB_DFF")),
            "ice40_carries": cells.get("SB_CARRY", 0)}


def _timing(job: Job, library: Library, fo4_ns: float, work: Path) -> Row:
    """OpenSTA goes on after an error, and ends with status 0."""
    script = work / "timing.tcl"
    script.write_text(f"set library {library.path}\nset netlist {work}/netlist.v\nset top {job.block.name}\n"
                      f"set load {library.load:.6g}\nset driver {library.buffer.name}\nsource {TIMING_SCRIPT}\n")
    said = tools.run(["sta", "-no_splash", "-exit", script], seconds=_limit()).stdout
    lines = [line for line in said.splitlines() if line.startswith("path ")]
    paths = [re.fullmatch(r"path (\S+) (\d+\.\d+) (\d+) (\S+) (\S+)", line) for line in lines]
    wrong = re.search(r"^Error.*$", said, re.M) or not paths and re.search(r"^Warning.*$", said, re.M)
    if wrong or not paths or not all(paths):
        raise Failure(f"sta found no path: {wrong[0] if wrong else lines[0] if lines else 'it said nothing'}")
    if not said.endswith("\nend of paths\n"):
        raise Failure("sta did not come to the end of its paths")
    ns = {path[1]: rounded(float(path[2]), 4) for path in paths}
    kind, _, depth, start, end = sorted(paths, key=lambda path: float(path[2]))[-1].groups()
    return {"depth": int(depth), "ns": ns[kind], "fo4": rounded(ns[kind] / fo4_ns, 1),
            "kind": kind, "start": start, "end": end, "paths_ns": ns}


def _area(counts: dict[str, int], library: Library) -> Row:
    latches = sum(count for name, count in counts.items()
                  if "LATCH" in name or name in library.cells and library.cells[name].latch)
    if latches:
        raise Failure(f"{latches} latches; the RTL must not have any")
    for name in counts:
        if name not in library.cells:
            raise Failure(f"cell {name} is not in the library: {library.name}")
    area = sum(count * library.cells[name].area for name, count in counts.items())
    return {"flip_flops": sum(count for name, count in counts.items() if library.cells[name].flip_flop),
            "cells": sum(counts.values()), "ge": rounded(area / library.nand2.area), "area": rounded(area, 6)}


def row(job: Job, library: Library, fo4_ns: float, work: Path) -> Row:
    """One block, measured in a folder of its own."""
    work.mkdir()
    try:
        area = _area(_map(job, library, work), library)
        _no_operators(job, work)
        timing = _timing(job, library, fo4_ns, work)
        return {"library": library.name, "config": job.label, "block": job.name, "parameters": words_of(job.params), "sources": job.sources, **area, **_luts(job, work), **timing}
    except Failure as failure:
        raise Failure(f"{job}: {failure}") from None
    finally:
        (work / "netlist.v").unlink(missing_ok=True)


def rows(jobs: list[Job], library: Library, fo4_ns: float, work: Path, show: Callable[[list[Row]], None]) -> list[Row]:
    """All rows in the order of the jobs. The large ones, which have parts, come first, so that the last to end is a short one. A block that has
    the same parameters in several configurations is measured once. What is finished when a job fails or the user stops is shown."""
    finished: dict[Job, Row] = {}
    same: dict[Job, list[Job]] = {}
    for job in jobs:
        same.setdefault(dataclasses.replace(job, label=""), []).append(job)
    progress = tools.Progress("area", len(same))

    def done(job: Job, result: Row) -> None:
        finished.update({other: result | {"config": other.label} for other in same[dataclasses.replace(job, label="")]})
        progress.step(str(job))

    folders = {job: work / f"row{number}" for number, (job, *_) in enumerate(same.values())}
    try:
        large_first = sorted(folders, key=lambda job: not job.block.parts)
        tools.in_parallel(lambda job: row(job, library, fo4_ns, folders[job]), large_first, done=done)
    except BaseException:
        if finished:
            show([finished[job] for job in jobs if job in finished])
            print(f"{len(finished)} of {len(jobs)} measured", flush=True)
        raise
    return [finished[job] for job in jobs]
