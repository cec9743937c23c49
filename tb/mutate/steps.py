# SPDX-License-Identifier: Apache-2.0
"""What both campaigns share: their options, the build, steps that are timed and done some at a time, tables on disk."""
from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "flow"))

import mutants
import pages
import prover
import table
import tools
import yosys
from blocks import Target, choose_to_list, configuration, targets
from runs import Campaign, Vector

TOOLS = ("yosys", "make", "gcc", "g++")
OPTIONS = ("mutants", "families")


# ---- options -------------------------------------------------------------------------------------

def parser(name: str, what: str) -> argparse.ArgumentParser:
    found = tools.Options(prog=name, description=what)
    found.add_argument("--config", default="fermi", help="geometry, one of rtl/configs (default fermi)")
    found.add_argument("--mutants", type=tools.number, default=0, help=f"so many per block (default {mutants.DEFAULT_MUTANTS})")
    found.add_argument("--seed", type=tools.number, default=1, help="other mutants (default 1)")
    found.add_argument("--seconds", type=tools.number, default=60, help="of processor time for one question to the prover (default 60)")
    found.add_argument("--build", type=Path, help="where the ballast command is built (default build/CONFIG)")
    found.add_argument("--out", type=Path, default=Path("build/mutate"), help="where to work (default build/mutate)")
    found.add_argument("--page", type=Path, help="write the results into this page, between its marks")
    found.add_argument("block", nargs="*", help="(default all)")
    return found


def tool() -> str:
    return f"Yosys {yosys.version()} mutate"


def campaign_of(given: argparse.Namespace, name: str, leaves_out: str = "") -> Campaign:
    """`leaves_out`: an option that makes it weaker than those of the page."""
    configuration(given.config)
    if given.page and leaves_out:
        raise tools.Failure(f"--page is of campaigns that leave out nothing; leave out {leaves_out}")
    if given.page:
        pages.check(given.page, name)
    tools.need(*TOOLS)
    prover.abc()
    if given.page:
        pages.fits(given.page, name, table.title(given.config, tool(), given.seed), [target.name for target in chosen(given)], all_targets(given))
    return Campaign(given.config, given.build or Path("build") / given.config, given.out, given.mutants, given.seed,
                    given.seconds)


def chosen(given: argparse.Namespace) -> list[Target]:
    return _targets(given.block, given.config)


def all_targets(given: argparse.Namespace) -> list[str]:
    return [target.name for target in _targets([], given.config)]


def _targets(names: list[str], config: str) -> list[Target]:
    return [target for block in choose_to_list(names) for target in targets("mutate", block, config, OPTIONS)]


# ---- steps ---------------------------------------------------------------------------------------

def build(campaign: Campaign) -> Campaign:
    """What the mutants run in."""
    campaign.out.mkdir(parents=True, exist_ok=True)
    made = campaign.build / "mutate.objects"
    try:
        tools.run(["make", "--no-print-directory", f"-j{tools.processors()}", f"CONFIG={campaign.config}", f"B={campaign.build}",
                   made, campaign.build / "formal.tools"], log=campaign.out / "make.log")
    except tools.ToolFailed as failure:
        raise tools.Failure(f"what the mutants run in does not build: {failure}") from None
    return replace(campaign, made=dict(line.partition(" ")[::2] for line in made.read_text().splitlines()))


def timed(campaign: Campaign, target: Target, name: str, step: Callable[[], bool]) -> None:
    """How long each step took, for the table; one that had nothing to do leaves the old time."""
    began = time.monotonic()
    worked = step()
    file = campaign.folder(target) / "took" / name
    if worked or not file.is_file():
        with tools.whole(file) as out:
            out.write(f"{time.monotonic() - began:.1f}\n")


def each(campaign: Campaign, what: str, items: list[tuple[Target, Any]], step: Callable[[Target, Any], bool]) -> None:
    """A step of many items, some at a time; what fails ends all."""
    progress = tools.Progress(what, len(items), quiet=True)

    def name(item: tuple[Target, Any]) -> str:
        return item[1].file if isinstance(item[1], Vector) else str(item[1])

    tools.in_parallel(lambda item: timed(campaign, item[0], f"{what}.{name(item)}", lambda: step(*item)), items,
                      done=lambda item, _: progress.step(f"{item[0].name} {name(item)}"))


def seconds(campaign: Campaign, target: Target, *of: str) -> int:
    """What the steps took whose names begin so; all of them without any."""
    files = [file for file in (campaign.folder(target) / "took").iterdir() if not file.name.startswith(".")]
    return int(sum(float(file.read_text()) for file in files if not of or file.name.partition(".")[0] in of))


# ---- results -------------------------------------------------------------------------------------

def numbers(campaign: Campaign, target: Target) -> range:
    """The target's mutants. A campaign without any shows nothing."""
    return range(1, len(mutants.names(campaign.folder(target))) + 1)


def write_csv(path: Path, head: str, lines: list[list[str]]) -> None:
    with tools.whole(path) as file:
        file.writelines(",".join(line) + "\n" for line in [[head], *lines])
