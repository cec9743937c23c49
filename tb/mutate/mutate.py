#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How strong are the tests? Makes mutants of the blocks (default: all), runs each through the recordings and the block's
tests, and proves equivalent what nothing kills, or names it. Run from the repository root. It goes on where it was
interrupted. doc/verification/mutate.md.

Options of a target (tb/blocks/BLOCK/targets): mutants=N, so many; families=POLICY[:CYCLES],... (runs.py).

Exit 0 at least 99 % of what is not equivalent is killed in every block, 1 not so, 2 usage or a tool or file is missing, 130
interrupted.
"""
from __future__ import annotations

import argparse
import json
import sys
import time
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "flow"))
sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "formal"))

import mutants
import origin
import runs
import subject
import survivors
import table
import tools
import worth
from blocks import Target, words_of
from runs import Campaign
from steps import all_targets, build, campaign_of, chosen as chosen_targets, each, numbers, parser, seconds, tool, write_csv

BAR = 99  # percent


# ---- steps ---------------------------------------------------------------------------------------

def make_one(campaign: Campaign, target: Target) -> bool:
    folder = campaign.folder(target)
    folder.mkdir(parents=True, exist_ok=True)
    worked = mutants.make(target, folder, campaign.mutants, campaign.seed)
    survivors.make_model(campaign, target)
    runs.link(campaign, target)
    return worked


# ---- what came of it ---------------------------------------------------------------------------------

def unkilled(campaign: Campaign, target: Target, kills: list[worth.Kill]) -> list[int]:
    killed = {kill.mutant for kill in kills}
    return [number for number in numbers(campaign, target) if number not in killed]


def count(campaign: Campaign, target: Target, left: list[int]) -> dict[str, Any]:
    """A row of status.json."""
    total = len(numbers(campaign, target))
    if total == 0 or total != mutants.count(campaign.folder(target) / "core.aag"):
        raise tools.Failure(f"{target.name}: {total} mutants are listed, others are in the netlist; remove {campaign.folder(target)}")
    equivalent = sum(survivors.read(campaign, target, mutant).equivalent for mutant in left)
    return {"block": target.name, "mutants": total, "killed": total - len(left), "survived": len(left) - equivalent,
            "equivalent": equivalent, "seconds": seconds(campaign, target, "make", "vector", "prove"), "params": words_of(target.params)}


def survivor_lines(campaign: Campaign, target: Target, left: list[int]) -> list[list[str]]:
    where = mutants.names(campaign.folder(target))
    lines = []
    for mutant in left:
        verdict = survivors.read(campaign, target, mutant)
        lines.append([target.name, str(mutant), "equivalent" if verdict.equivalent else "open",
                      where[mutant - 1].replace(",", ";"), verdict.text.replace(",", ";")])
    return lines


def print_table(rows: list[dict[str, Any]]) -> None:
    print(f"{'block':<18} {'mutants':>8} {'killed':>8} {'equivalent':>10} {'survived':>9} {'score':>7} {'seconds':>8}")
    for row in rows:
        print(f"{row['block']:<18} {row['mutants']:>8} {row['killed']:>8} {row['equivalent']:>10} {row['survived']:>9} "
              f"{table.score(row):>6.1f}% {row['seconds']:>8}")


def about(chosen: list[Target]) -> dict[str, str]:
    """The sources of the blocks and of their tests as they are now."""
    return {target.block.name: subject.digest_measured(target.block) for target in chosen}


def report(campaign: Campaign, chosen: list[Target], kills: dict[str, list[worth.Kill]], start: float, given: argparse.Namespace,
           sources: dict[str, str]) -> int:
    left = {target.name: unkilled(campaign, target, kills[target.name]) for target in chosen}
    rows = [count(campaign, target, left[target.name]) for target in chosen]
    status = {"tool": tool(), "config": campaign.config, "seed": campaign.seed, "bar": BAR, **origin.now(),
              "sources": origin.same(sources, about(chosen)), "blocks": rows}
    with tools.whole(campaign.out / "status.json") as file:
        json.dump(status, file, indent=2)
        file.write("\n")
    if given.page:
        table.update(given.page, table.MUTANTS, status, all_targets(given))
    all_kills = [kill for target in chosen for kill in kills[target.name]]
    lines = [line for target in chosen for line in survivor_lines(campaign, target, left[target.name])]
    vectors = worth.vectors(all_kills)
    write_csv(campaign.out / "kills.csv", "block,vector,kind,mutant,cycle",
              [[kill.block, kill.vector, kill.kind, str(kill.mutant), kill.cycle] for kill in all_kills])
    write_csv(campaign.out / "survivors.csv", "block,mutant,verdict,where,why", lines)
    write_csv(campaign.out / "vectors.csv", "vector,block,kind,kills,alone,redundant",
              [[one.name, one.block, one.kind, str(len(one.kills)), str(one.alone), "" if one.needed else "redundant"]
               for one in vectors])
    print_table(rows)
    print(*worth.summary(vectors), sep="\n")
    for block, mutant, verdict, where, why in lines:
        if verdict != "equivalent":
            print(f"{block}: survived: mutant {mutant}: {where} ({why})")
    print(f"{time.monotonic() - start:.0f} s; {campaign.out}/status.json, kills.csv, vectors.csv, survivors.csv")
    return judge(rows)


def judge(rows: list[dict[str, Any]]) -> int:
    """0: there are rows, each kills something, and enough of what is not equivalent."""
    return int(not rows or any(row["killed"] == 0 or row["killed"] * 100 < (row["killed"] + row["survived"]) * BAR for row in rows))


# ---- the program -------------------------------------------------------------------------------

def options() -> tuple[argparse.Namespace, Campaign, list[Target]]:
    found = parser("mutate.py", "Runs mutants of the blocks through recordings and tests.")
    found.add_argument("--recording", action="append", type=Path,
                       help="replay this one only, again for more ('none': none; default: all of the manifest)")
    found.add_argument("--skip", default="", help="leave out the tests whose name contains this, to see what they are worth")
    given = found.parse_args()
    weaker = ("--skip", given.skip), ("--recording", given.recording)
    campaign = campaign_of(given, table.MUTANTS, next((option for option, value in weaker if value), ""))
    recordings = given.recording or [Path("vectors") / row["file"] for row in runs.manifest()]
    recordings = [recording for recording in recordings if str(recording) != "none"]
    for recording in recordings:
        if not recording.is_file():
            raise tools.Failure(f"no recording {recording}")
    kills = f"kills.{zlib.crc32(given.skip.encode())}" if given.skip else "kills"
    return (given, replace(campaign, skip=given.skip, recordings=tuple(recordings), chosen=given.recording is not None, kills=kills),
            chosen_targets(given))


def main() -> int:
    given, campaign, chosen = options()
    start = time.monotonic()
    tools.hold(campaign.out)
    sources = about(chosen)
    try:
        campaign = build(campaign)
        each(campaign, "make", [(target, "mutants") for target in chosen], lambda target, _: make_one(campaign, target))
        each(campaign, "vector", [(target, vector) for target in chosen for vector in runs.vectors_of(campaign, target)],
             lambda target, vector: runs.run(campaign, target, vector))
        kills = {target.name: runs.kills_of(campaign, target) for target in chosen}
        each(campaign, "prove",
             [(target, mutant) for target in chosen for mutant in unkilled(campaign, target, kills[target.name])],
             lambda target, mutant: survivors.prove(campaign, target, mutant))
    except KeyboardInterrupt:
        tools.stop_all()
        raise tools.Failure("interrupted; the same command goes on from here", 130) from None
    return report(campaign, chosen, kills, start, given, sources)


if __name__ == "__main__":
    tools.program(main)
