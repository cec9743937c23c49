#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Would the same fault in RTL and reference model be noticed? Puts each mutant of the blocks (default: all) on both sides, so
that their agreement proves nothing: only rules judge. First the tests that enter no function of the block's reference model,
in all variants; then the rules of tb/blocks/BLOCK/properties.h. What neither kills is proved equivalent, or named. Run from the
repository root. It goes on where it was interrupted. doc/verification/mutate.md.

Options of a target (tb/blocks/BLOCK/targets): those of mutate.py.

Exit 0 at least 95 % of what is not equivalent is killed in every block, 1 not so, 2 usage or a tool or file is missing, 130
interrupted.
"""
from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "flow"))

import mutants
import rule_proofs
import rule_tests
import survivors
import table
import tools
import variants
from blocks import Target, words_of
from runs import Campaign
from steps import all_targets, build, campaign_of, chosen, each, numbers, parser, seconds, tool, write_csv

BAR = 95  # percent
STEPS = ("circuit", "link", "judge", "equal", "rule")


@dataclass(frozen=True)
class Result:
    """Of a target: what killed which mutant, which are equivalent, which are left."""

    target: Target
    mutants: int
    tests: dict[int, str]
    rules: dict[int, str]
    equivalent: dict[int, str]
    survived: dict[int, str]
    judging: dict[str, str]  # the tests: rule, twins, idle
    rules_asked: int | None  # rules that judge

    @property
    def killed(self) -> int:
        return len(self.tests) + len(self.rules)

    @property
    def counted(self) -> int:
        return self.mutants - len(self.equivalent)

    def meets(self, bar: int) -> bool:
        """A block of which nothing counts shows nothing."""
        return self.counted > 0 and self.killed * 100 >= self.counted * bar


# ---- steps ---------------------------------------------------------------------------------------

def make_one(campaign: Campaign, target: Target) -> bool:
    folder = campaign.folder(target)
    folder.mkdir(parents=True, exist_ok=True)
    return mutants.make(target, folder, campaign.mutants, campaign.seed)


def judge_all(campaign: Campaign, targets: list[Target]) -> None:
    each(campaign, "make", [(target, "mutants") for target in targets], lambda target, _: make_one(campaign, target))
    if campaign.skip == rule_tests.ALL:
        return
    each(campaign, "circuit", [(target, name) for target in targets for name in variants.names(target)],
         lambda target, name: variants.make(campaign, target, name))
    each(campaign, "link", [(target, "tests") for target in targets], lambda target, _: rule_tests.link(campaign, target))
    each(campaign, "judge", [(target, "tests") for target in targets], lambda target, _: rule_tests.judge(campaign, target))


def _left(campaign: Campaign, target: Target, more: Callable[[int], bool]) -> list[tuple[Target, int]]:
    killed = rule_tests.read(campaign, target).kills
    return [(target, mutant) for mutant in numbers(campaign, target) if mutant not in killed and more(mutant)]


def ask_block(campaign: Campaign, target: Target) -> bool:
    """What the model's side has to say, and the block's own rules."""
    survivors.make_model(campaign, target)
    return rule_proofs.ask(campaign, target, 0)


def prove_all(campaign: Campaign, targets: list[Target]) -> None:
    left = [item for target in targets for item in _left(campaign, target, lambda _: True)]
    each(campaign, "rule", [(target, 0) for target in dict.fromkeys(target for target, _ in left)],
         lambda target, _: ask_block(campaign, target))
    each(campaign, "equal", left, lambda target, mutant: survivors.prove(campaign, target, mutant))
    each(campaign, "rule", [item for target in targets for item in _left(
        campaign, target, lambda mutant, target=target: not survivors.read(campaign, target, mutant).equivalent)],
         lambda target, mutant: rule_proofs.ask(campaign, target, mutant))


# ---- what came of it ---------------------------------------------------------------------------------

def result_of(campaign: Campaign, target: Target) -> Result:
    said = rule_tests.read(campaign, target)
    rules, equivalent, survived = {}, {}, {}
    for _, mutant in _left(campaign, target, lambda _: True):
        verdict, rule = survivors.read(campaign, target, mutant), rule_proofs.kill(campaign, target, mutant)
        if verdict.equivalent:
            equivalent[mutant] = verdict.text
        elif rule:
            rules[mutant] = rule
        else:
            survived[mutant] = f"no verdict of {said.unclear[mutant]}" if mutant in said.unclear else verdict.text
    return Result(target, len(numbers(campaign, target)), said.kills, rules, equivalent, survived, said.tests,
                  rule_proofs.judging(campaign, target))


def row_of(campaign: Campaign, result: Result) -> dict[str, Any]:
    """A row of common.json."""
    return {"block": result.target.name, "mutants": result.mutants, "equivalent": len(result.equivalent),
            "by_tests": len(result.tests), "by_rules": len(result.rules), "survived": len(result.survived),
            "score": round(100 * result.killed / result.counted, 1) if result.counted else 0.0,
            "rule_tests": sum(how == "rule" for how in result.judging.values()), "rules": result.rules_asked,
            "seconds": seconds(campaign, result.target, *STEPS), "params": words_of(result.target.params)}


def lines_of(campaign: Campaign, result: Result) -> list[list[str]]:
    """Of each mutant what became of it, for a table."""
    where = mutants.names(campaign.folder(result.target))
    kinds = {"test": result.tests, "rule": result.rules, "equivalent": result.equivalent, "survived": result.survived}
    found = sorted((mutant, kind, text) for kind, of in kinds.items() for mutant, text in of.items())
    return [[result.target.name, str(mutant), kind, where[mutant - 1].replace(",", ";"), text.replace(",", ";")]
            for mutant, kind, text in found]


def print_table(rows: list[dict[str, Any]]) -> None:
    print(f"{'block':<18} {'mutants':>8} {'equivalent':>10} {'by tests':>8} {'by rules':>8} {'survived':>8} {'score':>7} "
          f"{'tests':>6} {'rules':>6} {'seconds':>8}")
    for row in rows:
        print(f"{row['block']:<18} {row['mutants']:>8} {row['equivalent']:>10} {row['by_tests']:>8} {row['by_rules']:>8} "
              f"{row['survived']:>8} {row['score']:>6.1f}% {row['rule_tests']:>6} "
              f"{'-' if row['rules'] is None else row['rules']:>6} {row['seconds']:>8}")


def report(campaign: Campaign, results: list[Result], given: argparse.Namespace, start: float) -> int:
    rows = [row_of(campaign, result) for result in results]
    status = {"tool": tool(), "config": campaign.config, "seed": campaign.seed, "bar": BAR,
              "blocks": rows}
    with tools.whole(campaign.out / "common.json") as file:
        json.dump(status, file, indent=2)
        file.write("\n")
    lines = [line for result in results for line in lines_of(campaign, result)]
    write_csv(campaign.out / "common.csv", "block,mutant,verdict,where,by", lines)
    write_csv(campaign.out / "judges.csv", "block,test,kind",
              [[result.target.name, title.replace(",", ";"), how] for result in results for title, how in result.judging.items()])
    if given.page:
        table.update(given.page, table.COMMON, status, all_targets(given))
    print_table(rows)
    for block, mutant, verdict, where, why in lines:
        if verdict == "survived":
            print(f"{block}: survived: mutant {mutant}: {where} ({why})")
    print(f"{time.monotonic() - start:.0f} s; {campaign.out}/common.json, common.csv, judges.csv")
    return int(not results or not all(result.meets(BAR) for result in results))


# ---- the program -------------------------------------------------------------------------------

def main() -> int:
    found = parser("common_mode.py", "Runs mutants of the blocks on both sides at once: only rules judge.")
    found.add_argument("--no-tests", action="store_true", help="leave out the tests, to see what the proved rules are worth")
    given = found.parse_args()
    campaign, targets = replace(campaign_of(given, table.COMMON, "--no-tests" if given.no_tests else ""), skip=rule_tests.ALL if given.no_tests else ""), chosen(given)
    start = time.monotonic()
    tools.hold(campaign.out)
    try:
        campaign = build(campaign)
        judge_all(campaign, targets)
        prove_all(campaign, targets)
    except KeyboardInterrupt:
        tools.stop_all()
        raise tools.Failure("interrupted; the same command goes on from here", 130) from None
    return report(campaign, [result_of(campaign, target) for target in targets], given, start)


if __name__ == "__main__":
    tools.program(main)
