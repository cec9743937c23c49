# SPDX-License-Identifier: Apache-2.0
"""Mutants that nothing kills: proved equivalent to the block, or open. Where registers are never, both are compared as their
outputs where the block's invariant holds (doc/verification/proofs.md, which shows that it holds in every run)."""
from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "formal"))

import circuits
import cut
import mutants
import prover
import tools
from blocks import Target
from prover import PROVED, Answer
from runs import Campaign, newer

SIDES = ("block", "mutant")


@dataclass(frozen=True)
class Verdict:
    equivalent: bool
    text: str


def setup_of(campaign: Campaign) -> circuits.Setup:
    return circuits.Setup(campaign.config, campaign.build, campaign.out, campaign.seconds)


def make_model(campaign: Campaign, target: Target) -> None:
    """What the proofs read of the model's side: the invariant, the rules."""
    folder = campaign.folder(target)
    model = folder / "model"
    if not any(target.block.has(file) for file in ("invariant.h", "properties.h")):
        return
    read = [*Path("tb/blocks").glob("*/*.h"), *Path("tb/formal").glob("*.[ch]"), *Path("cmodel").glob("*/*.[ch]"), folder / "key"]
    if newer(model / "step.ll", read):
        return
    shutil.rmtree(model, ignore_errors=True)
    circuits.words(setup_of(campaign), target.block, target.params, model)
    circuits.compile_model(setup_of(campaign), target.block, model)


def _in_runs(campaign: Campaign, target: Target, mutant: int, work: Path) -> Answer:
    """The model's side of stepir's circuits is not read."""
    model = campaign.folder(target) / "model"
    sides = []
    for number in (0, mutant):
        side = work / str(number)
        side.mkdir(parents=True, exist_ok=True)
        for file in ("bits", "step.ll"):
            shutil.copy(model / file, side / file)
        mutants.write_step(campaign.folder(target) / "core.aag", cut.read_bits(model / "bits"), number, side / "rtl.aag")
        tools.run([setup_of(campaign).tool("stepir"), "blif", side], log=work / "stepir.log", leaves=[side / "gold.blif"])
        sides.append(side / "gold.blif")
    return prover.equal(sides[0], sides[1], work / "runs", campaign.seconds, SIDES)


def _ask(campaign: Campaign, target: Target, mutant: int, work: Path) -> Verdict:
    gold, gate = work / "gold.blif", work / "gate.blif"
    if not mutants.write_sides(campaign.folder(target) / "core.aag", mutant, gold, gate):
        return Verdict(True, "nothing reads it")
    answer = prover.equal(gold, gate, work, campaign.seconds, SIDES)
    where = "in every state"
    if answer.status != PROVED and target.block.has("invariant.h"):
        answer, where = _in_runs(campaign, target, mutant, work), "in every run"
    return Verdict(True, f"{where}: {answer.text}") if answer.status == PROVED else Verdict(False, answer.text)


def _file(campaign: Campaign, target: Target, mutant: int) -> Path:
    return campaign.folder(target) / "proofs" / str(mutant)


def read(campaign: Campaign, target: Target, mutant: int) -> Verdict:
    """What was found; without it the mutant survives."""
    file = _file(campaign, target, mutant)
    word, _, text = (file.read_text().strip() if file.is_file() else "open no answer").partition(" ")
    return Verdict(word == "equivalent" and text != "", text)


def depends_on(campaign: Campaign, target: Target) -> list[Path]:
    """What an answer was given about: an invariant that has changed makes it void."""
    model = [campaign.folder(target) / "model/step.ll"] if target.block.has("invariant.h") else []
    return [campaign.folder(target) / "core.aag", *model]


def prove(campaign: Campaign, target: Target, mutant: int) -> bool:
    """Leaves "equivalent HOW" or "open WHY" in FOLDER/proofs/MUTANT; whether there was something to do."""
    file = _file(campaign, target, mutant)
    if newer(file, depends_on(campaign, target)):
        return False
    file.unlink(missing_ok=True)  # what was said of another netlist is no answer
    work = Path(f"{file}.work")
    work.mkdir(parents=True, exist_ok=True)
    try:
        verdict = _ask(campaign, target, mutant, work)
    except tools.ToolFailed as failure:
        print(f"mutate.py: {target.name}: mutant {mutant}: {failure}", file=sys.stderr)
        return True  # the next campaign asks again
    with tools.whole(file) as text:
        text.write(f"{'equivalent' if verdict.equivalent else 'open'} {verdict.text}\n")
    shutil.rmtree(work)
    return True
