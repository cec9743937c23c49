#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Area and longest path of every block that has parameter NAME, for each value, the other parameters as in rtl/configs. Without
NAME=...: warps, CTA slots, width of the counts, issue width and SMs. A chip is left out: it is SMs and a vote. Three values or more of a parameter
have a curve through them (fits.py). With --out also DIR/scaling.csv, DIR/fits.csv and DIR/scaling.svg. Run from the repository root. doc/use/area.md
"""
from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))

import cells  # noqa: E402
import fits  # noqa: E402
import fo4  # noqa: E402
import measure  # noqa: E402
import output  # noqa: E402
import pages  # noqa: E402
import tools  # noqa: E402
from blocks import Block, blocks, choose_to_list, configuration, parameters, words_of  # noqa: E402
from measure import Row  # noqa: E402
from output import fixed  # noqa: E402
from tools import Failure  # noqa: E402

PAGE = Path("doc/use/area.md")
AXES = ["NumWarps=16,32,48,64", "NumSlots=4,8,16,32", "CountW=16,24,32", "IssueWidth=2,4", "NumSms=8,15,28,64,132"]
COLUMNS = ["name", "value", "block", "parameters", "flip_flops", "cells", "ge", "area", "depth", "ns", "fo4", "kind",
           "start", "end"]


def parse(axis: str) -> tuple[str, list[int]]:
    if not re.fullmatch(r"[A-Za-z]+=\d+(,\d+)*", axis):
        raise Failure(f"'{axis}' is not NAME=VALUE,VALUE..., such as NumWarps=32,48,64")
    name, _, values = axis.partition("=")
    return name, [int(value) for value in values.split(",")]


def blocks_with(name: str) -> list[Block]:
    chips = {block.name for block in blocks().values() if any(part.array for part in block.parts)}
    found = [block for block in choose_to_list([]) if name in block.parameters and block.name not in chips]
    if not found:
        raise Failure(f"no block has a parameter {name}")
    return found


def points(axes: list[tuple[str, list[int]]], config: str) -> list[tuple[str, int, measure.Job]]:
    """(name, value, job); a point that lies on several axes is one job, measured once."""
    found = []
    jobs: dict[tuple, measure.Job] = {}
    for name, values in axes:
        chosen = blocks_with(name)
        for value in values:
            for block in chosen:
                params = dict(sorted(parameters(block, config, {name: value}).items()))
                key = (block.name, *params.items())
                label = words_of(params).replace(" ", "_").replace("=", "-")
                job = measure.Job(label, block.name, block, params, False)
                found.append((name, value, jobs.setdefault(key, job)))
    return found


def table(rows: list[Row]) -> list[str]:
    lines = []
    for name in dict.fromkeys(row["name"] for row in rows):
        lines += ["", f"{name:<11} {'block':<17} {'FF':>6} {'cells':>6} {'GE':>7} {'depth':>6} {'ns':>7} {'FO4':>6}  "
                  "longest path"]
        lines += [f"{row['value']:>10}  {row['block']:<17} {row['flip_flops']:>6} {row['cells']:>6} {row['ge']:>7} "
                  f"{row['depth']:>6} {fixed(row['ns'], 2):>7} {fixed(row['fo4'], 1):>6}  "
                  f"{row['kind']} {row['start']} -> {row['end']}"
                  for row in sorted(rows, key=lambda row: (row["block"], row["value"])) if row["name"] == name]
    return lines


def write_files(out: Path, rows: list[Row], curves_of: list[Row], work: Path) -> None:
    output.csv(out / "scaling.csv", COLUMNS, rows)
    output.csv(out / "fits.csv", fits.COLUMNS, curves_of)
    # A data set per curve, its name "NAME:BLOCK"; gnuplot finds it by that.
    curves = sorted({(row["name"], row["block"]) for row in rows})
    data = ""
    for name, block in curves:
        curve = sorted((row for row in rows if (row["name"], row["block"]) == (name, block)), key=lambda row: row["value"])
        data += f"# {name}:{block}\n" + "".join(f"{row['value']} {row['ge']} {row['fo4']}\n" for row in curve) + "\n\n"
    names = sorted({block for _, block in curves}, key=lambda name: (not blocks()[name].parts, name))
    output.draw("area_scaling.gp", out / "scaling.svg", work, data, names=" ".join(dict.fromkeys(row["name"] for row in rows)),
                curves=" ".join(f"{name}:{block}" for name, block in curves), blocks=" ".join(names))
    print(f"\nwritten: {out}/scaling.csv, {out}/fits.csv, {out}/scaling.svg")


def main() -> None:
    parser = tools.Options(description="Area and longest path over the blocks' parameters. doc/use/area.md")
    parser.add_argument("--config", default="fermi", help="the other parameters (default fermi)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="also DIR/scaling.csv, DIR/fits.csv and DIR/scaling.svg")
    parser.add_argument("--page", action="store_true", help=f"write the table of {PAGE}, too, and its picture")
    parser.add_argument("--library", default=cells.BUILT_IN, metavar="NAME", help="effort (default), osu018, osu035 or a Liberty FILE")
    parser.add_argument("axes", nargs="*", metavar="NAME=VALUE,VALUE...")
    given = parser.parse_args()
    geometry = words_of(configuration(given.config))
    if given.page:
        pages.check(PAGE, "scaling")
    found = points([parse(axis) for axis in given.axes or AXES], given.config)
    measure.need()

    def placed(measured: list[Row]) -> list[Row]:
        by_job = {(row["config"], row["block"]): row for row in measured}
        return [{"name": name, "value": value} | by_job[job.label, job.name]
                for name, value, job in found if (job.label, job.name) in by_job]

    with tools.scratch() as work:
        library = cells.library([given.library], work)
        rows = placed(measure.rows(list(dict.fromkeys(job for _, _, job in found)), library, fo4.ns(library, work),
                                   work, lambda finished: print("\n".join(table(placed(finished))))))
        curves = fits.fits(fits.with_policies(rows, given.config))
        said = [f"{given.config}: {geometry}; one parameter at a time, in {library.name}", *table(rows), *fits.lines(curves)]
        print("\n".join(said))
        if given.out:
            write_files(given.out, rows, curves, work)
        if given.page:
            pages.write(PAGE, [f"    {line}".rstrip() for line in said], "make area-scaling-update", "scaling")


if __name__ == "__main__":
    tools.program(main)
