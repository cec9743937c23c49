#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What every block costs, in the named configurations of rtl/configs (default: all, but one for each SM): flip-flops, cells, area, LUTs, longest path.
Prints a table and compares with synth_scripts/area/area_baseline.json. Run from the repository root. doc/use/area.md

A line 'area TARGET Param=Value ...' in tb/blocks/X/targets says what is measured instead of block X itself, and as options
  claim=CONFIG:FLIP_FLOPS:RULE:WORDS   what a paper says it has, with _ for blanks; 56+12: and 12 more that the paper does not have
  recipes                              area_recipes.py takes this block
  policies=POLICY:BLOCK+BLOCK,...      the blocks of an SM that a policy takes

Status: 0, also if the baseline is stale (other tools or parameters than recorded); 1 if a block is worse or not in the
baseline, or a claim does not hold; 2 if it could not be measured.
"""
from __future__ import annotations

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))

import baseline  # noqa: E402
import cells  # noqa: E402
import fo4  # noqa: E402
import latency  # noqa: E402
import measure  # noqa: E402
import origin  # noqa: E402
import output  # noqa: E402
import pages  # noqa: E402
import policies  # noqa: E402
import sm  # noqa: E402
import tools  # noqa: E402
from blocks import Block, Target, choose_to_list, configuration, configurations, targets, words_of  # noqa: E402
from measure import Row  # noqa: E402
from output import fixed  # noqa: E402
from tools import Failure  # noqa: E402

PAGE = Path("doc/use/area.md")
TABLES = ("results", "policies", "chips", "latency", "beside")
COLUMNS = ["config", "block", "parameters", "flip_flops", "cells", "ge", "area", "lut4", "ice40_flip_flops",
           "ice40_carries", "depth", "ns", "fo4", "kind", "start", "end", "verdict", "why", "library"]


def measured(one: Block, config: str) -> list[Target]:
    return targets("area", one, config, ("claim", "recipes", "policies"))


def table(rows: list[Row]) -> list[str]:
    lines = []
    for config in dict.fromkeys(row["config"] for row in rows):
        lines += [f"{config}: {words_of(configuration(config))}",
                  f"{'block':<17} {'FF':>5} {'cells':>6} {'GE':>6} {'area':>9} {'LUT4':>6} {'iceFF':>5} {'depth':>5} "
                  f"{'ns':>6} {'FO4':>5}  {'baseline':<8}  longest path"]
        lines += [_line(row) for row in rows if row["config"] == config] + [""]
    return lines


def _line(row: Row) -> str:
    luts, flip_flops = ("-" if row[key] is None else row[key] for key in ("lut4", "ice40_flip_flops"))
    verdict = row.get("verdict", "none").replace("none", "-")
    return (f"{row['block']:<17} {row['flip_flops']:>5} {row['cells']:>6} {row['ge']:>6} {fixed(row['area'], 1):>9} {luts:>6} "
            f"{flip_flops:>5} {row['depth']:>5} {fixed(row['ns'], 2):>6} {fixed(row['fo4'], 1):>5}"
            f"{'!' if row['fo4'] > 30 else ' '} {verdict:<8}  {row['kind']} {row['start']} -> {row['end']}")


def claims(rows: list[Row], chosen: dict[tuple[str, str], Target]) -> tuple[list[str], list[str]]:
    """What papers say, and where it does not hold."""
    said, broken = [], []
    for row in rows:
        config, name, have = row["config"], row["block"], row["flip_flops"]
        target = chosen[config, name]
        claim = re.fullmatch(r"(\w+):(\d+)(\+\d+)?:([^:]+):([^:]+)", target.options.get("claim", "none:0:-:-"))
        if not claim:
            raise Failure(f"{target.block.room}/targets: {name}: claim is not CONFIG:FLIP_FLOPS:RULE:WORDS")
        if claim[1] != config:
            continue
        count, more, rule, words = claim[2], int(claim[3] or 0), claim[4], claim[5].replace("_", " ")
        own = f", and {more} of its own" if more else ""
        said.append(f"  {rule}: {name} ({config}) has {count} flip-flops, {words}{own}: {have} here")
        if have != int(count) + more:
            broken.append(f"{name} ({config}) has {have} flip-flops, {rule} says {count} ({words}){own}")
    return (["", "What papers say:", *said] if said else []), broken


def write_files(out: Path, rows: list[Row], library: cells.Library, fo4_ns: float, used: dict[str, str], work: Path) -> None:
    """OUT/area.csv, .json and .svg, OUT/policies.csv, OUT/chips.csv."""
    facts = {"name": library.name, "fo4_ns": fo4_ns, "nand2": library.nand2.area, "flip_flop": library.flip_flop.area}
    with tools.whole(out / "area.json") as file:
        json.dump({**origin.now(), "tools": used, "library": facts, "rows": rows}, file, indent=2)
        file.write("\n")
    output.csv(out / "area.csv", COLUMNS, rows)
    output.csv(out / "policies.csv", policies.COLUMNS, policies.costs(rows))
    output.csv(out / "chips.csv", sm.COLUMNS, sm.chips(rows))
    picture(out / "area.svg", rows, work)
    print(f"\nwritten: {out}/area.csv, {out}/area.json, {out}/area.svg, {out}/policies.csv, {out}/chips.csv")


def picture(file: Path, rows: list[Row], work: Path) -> None:
    configs = sorted({row["config"] for row in rows})
    by_place = {(row["block"], row["config"]): row for row in rows}
    lines = [["block", *configs, *configs]]
    for name in dict.fromkeys(row["block"] for row in rows):
        lines.append([name, *(str(by_place.get((name, config), {}).get(key, "-")) for key in ("ge", "fo4") for config in configs)])
    output.draw("area_plot.gp", file, work, "".join(" ".join(line) + "\n" for line in lines), n=len(configs))


def places() -> list[tuple[str, str]]:
    """All that can be measured: configuration, block."""
    return [(config, target.name) for config in configurations() for one in choose_to_list([]) for target in measured(one, config)]


def compared(judged: list[Row], base: baseline.Baseline) -> list[str]:
    """Says how the run is beside the baseline; returns what fails."""
    print(f"\nbaseline: {baseline.summary(judged)}", flush=True)
    for line in baseline.stale(judged):
        print(f"area.py: stale, not compared, {line}; 'make area-update' records this run's", file=sys.stderr)
    return baseline.complaints(judged, base, set(places()))


def record(used: dict[str, str], rows: list[Row], library: cells.Library, work: Path) -> None:
    picture(PAGE.with_suffix(".svg"), rows, work)  # first, as gnuplot may fail
    baseline.write(used, rows)
    of = {"results": baseline.page_table(rows), "policies": policies.page(policies.costs(rows)), "chips": sm.page(sm.chips(rows)),
          "latency": latency.page(rows, pages.lines(PAGE, "latency")), "beside": [f"    {line}" for line in sm.beside_sm(rows, library)[1:]]}
    for name in TABLES:
        pages.write(PAGE, of[name], "make area-update", name)
    print(f"\nwritten: {baseline.FILE}, and the tables and the picture of {PAGE}")


def arguments() -> tools.Options:
    parser = tools.Options(description="What every block costs: flip-flops, cells, area, LUTs, longest path. doc/use/area.md")
    parser.add_argument("--block", action="append", default=[], help="only this block; may be repeated")
    parser.add_argument("--out", type=Path, metavar="DIR", help="also DIR/area.csv, DIR/area.json and DIR/area.svg")
    parser.add_argument("--library", action="append", metavar="NAME", help="effort (default), osu018, osu035 or a Liberty FILE, or several FILEs that are "
                        "one library: with another than effort nothing is compared")
    parser.add_argument("--leave-out", action="append", default=[], metavar="PATTERN", help="cells of the library that are not used, such as '*clkinv*'")
    parser.add_argument("--update", action="store_true", help="rewrites the baseline, in all configurations; with --block the rows of these blocks")
    parser.add_argument("--changed", action="store_true",
                        help="only what the baseline does not have of this RTL, these parameters and these tools, and the smallest block of the rest")
    parser.add_argument("config", nargs="*")
    return parser


def main() -> int:
    known = configurations()
    given = arguments().parse_args()
    names = given.library or [cells.BUILT_IN]
    own = names == [cells.BUILT_IN] and not given.leave_out
    measure.need()
    if given.update and (not own or given.config or given.changed):
        raise Failure("--update records all blocks in all configurations; name none, no library, and not --changed")
    if given.changed and not own:
        raise Failure(f"--changed compares with the baseline, which is of {cells.BUILT_IN}; leave out --library")
    chosen_blocks = choose_to_list(given.block)
    configs = list(dict.fromkeys(given.config)) or known
    chosen = {(config, target.name): target for config in configs for one in chosen_blocks for target in measured(one, config)}
    for name in TABLES if given.update else ():
        pages.check(PAGE, name)
    base = baseline.read() if own and (given.block or not given.update) else None
    jobs = [measure.Job(config, name, target.block, target.params) for (config, name), target in chosen.items()]
    with tools.scratch() as work:
        library = cells.library(names, work, given.leave_out)
        fo4_ns = fo4.ns(library, work)
        used = baseline.used_tools(library)
        if base and given.update:
            baseline.check_tools(base, used)
        if base and given.changed:
            of, jobs = len(jobs), baseline.changed(base, jobs, used)
            print(f"measured: {len(jobs)} of {of}; of the others the baseline has this RTL with these parameters and tools", flush=True)
        rows = measure.rows(jobs, library, fo4_ns, work, lambda finished: print("\n".join(table(finished))))
        judged = baseline.judge(rows, None if given.update else base, used)
        said, broken = claims(judged, chosen)
        print("\n".join([
            *table(judged),
            f"library {library.name}: FO4 {fixed(fo4_ns * 1000, 1)} ps ({library.inverter.name} driving four), GE {library.nand2.area:g} "
            f"({library.nand2.name}), inputs by {library.buffer.name}, flip-flop {library.flip_flop.name} of {library.flip_flop.area:g}; "
            "ns and FO4 are the period of the longest path, without wires; ! above 30 FO4",
            *sm.beside_sm(judged, library), *sm.whole_chip(judged), *policies.lines(policies.costs(judged)), *said]), flush=True)
        if given.out:
            write_files(given.out, judged, library, fo4_ns, used, work)
        if given.update:
            record(used, baseline.together(base, rows, places()) if base else rows, library, work)
    broken += sm.too_large(judged, library)
    worse = compared(judged, base) if base and not given.update else []
    if base and given.changed and (others := baseline.of_other_rtl(judged, base)):
        print(f"area.py: recorded of other RTL: {others}; 'make area-update BLOCKS=...' records it", file=sys.stderr)
    for line in broken + worse:
        print(f"area.py: {line}", file=sys.stderr)
    if worse:
        print("area.py: if that is meant, record it: make area-update", file=sys.stderr)
    return 1 if broken or worse else 0


if __name__ == "__main__":
    tools.program(main)
