# SPDX-License-Identifier: Apache-2.0
"""The rules of tb/blocks/X/properties.h on a mutant's circuit, as `make formal` asks them of the RTL
(doc/verification/proofs.md). A rule judges if it is proved of the block itself. It kills a mutant of which it is refuted; what
the solver leaves open kills nothing."""
from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "formal"))

import cut
import mutants
import prove
import tools
from blocks import Target
from prover import FAILED, OPEN, PROVED
from runs import Campaign, newer
from survivors import setup_of


@dataclass(frozen=True)
class Verdict:
    """Rules by their texts."""

    proved: tuple[str, ...]
    broken: tuple[str, ...]
    open: tuple[str, ...]


def _file(campaign: Campaign, target: Target, mutant: int) -> Path:
    return campaign.folder(target) / "rules" / str(mutant)


def read(campaign: Campaign, target: Target, mutant: int) -> Verdict:
    """What was found; without a file, or with anything else in it, nothing was."""
    file = _file(campaign, target, mutant)
    lines = [line.split("\t") for line in (file.read_text().splitlines() if file.is_file() else [])]
    if any(len(words) != 2 or words[0] not in (PROVED, FAILED, OPEN) for words in lines):
        lines = []
    return Verdict(*(tuple(words[1] for words in lines if words[0] == status) for status in (PROVED, FAILED, OPEN)))


def judging(campaign: Campaign, target: Target) -> int | None:
    """How many rules judge; None: nothing was left to ask them."""
    return len(read(campaign, target, 0).proved) if _file(campaign, target, 0).is_file() else None


def kill(campaign: Campaign, target: Target, mutant: int) -> str:
    """The first rule that is broken by the mutant and proved of the block; "" if there is none."""
    proved = set(read(campaign, target, 0).proved)
    return next((rule for rule in read(campaign, target, mutant).broken if rule in proved), "")


def _ask(campaign: Campaign, target: Target, mutant: int, work: Path) -> list[str]:
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(campaign.folder(target) / "model", work)
    mutants.write_step(campaign.folder(target) / "core.aag", cut.read_bits(work / "bits"), mutant, work / "rtl.aag")
    rules = prove.prove_rules(setup_of(campaign), target.block, work)
    return [f"{rule.status}\t{rule.rule}: {rule.text}\n" for rule in rules]


def ask(campaign: Campaign, target: Target, mutant: int) -> bool:
    """Mutant 0 is the block. Whether there was something to do."""
    file, folder = _file(campaign, target, mutant), campaign.folder(target)
    if not target.block.has("properties.h"):
        return False
    if newer(file, [folder / "core.aag", folder / "model/step.ll"]):
        return False
    file.unlink(missing_ok=True)
    work = Path(f"{file}.work")
    try:
        lines = _ask(campaign, target, mutant, work)
    except tools.ToolFailed as failure:
        print(f"{target.name}: mutant {mutant}: {failure}", file=sys.stderr)
        return True  # the next campaign asks again
    with tools.whole(file) as text:
        text.writelines(lines)
    broken = read(campaign, target, 0).broken
    if mutant == 0 and broken:
        file.rename(f"{file}.wrong")
        raise tools.Failure(f"{target.name}: the block without a mutant breaks the rule '{broken[0]}', see {work}")
    shutil.rmtree(work)
    return True
