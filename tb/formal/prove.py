# SPDX-License-Identifier: Apache-2.0
"""The proofs of one target: that a step of its model is a step of its RTL, and that the rules of properties.h hold of the
RTL.

What a solver does not answer, or not with as many outputs, sums and rules as there are, is open or failed. Other tools that
fail end the proof with a tools.Failure.
"""
from __future__ import annotations

import re
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import circuits
import cut
import prover
import replay
import sums
import tools
from blocks import Block, Part, Target, block as block_named, parameters
from circuits import Setup
from netlist import NetlistError
from prover import FAILED, OPEN, PROVED, Answer

SIDES = ("RTL", "C model")
PATTERNS = 200000
PROPERTY_PATTERNS = 20000


@dataclass(frozen=True)
class Rule:
    """A rule of the RTL: `of` says of what it is one (tb/rules/rules.h)."""

    of: str
    rule: str
    text: str
    status: str = OPEN
    seconds: int = 0


@dataclass
class Proof:
    status: str
    text: str
    seconds: int = 0
    rules: list[Rule] = field(default_factory=list)


def _solve(gold: Path, gate: Path, work: Path, setup: Setup, sides: tuple[str, str], outputs: int,
           free: tuple[Path, Path] | None = None) -> Answer:
    """An answer about circuits with so many outputs."""
    try:
        if len(prover.blif_labels(gold, ".outputs")) != outputs:
            return Answer(OPEN, f"{gold} has not the {outputs} outputs that there are")
        return prover.equal(gold, gate, work, setup.seconds, sides, free)
    except tools.ToolFailed as failure:
        return Answer(OPEN, str(failure))


def part_of(block: Block) -> Part | None:
    """What is proved apart from the block: that of which it has an array."""
    arrays = [part for part in block.parts if part.array]
    if len(arrays) > 1:
        raise tools.Failure(f"{block.room}/ports.h: more than one array of parts; a proof by parts takes one")
    return arrays[0] if arrays else None


# ---- the step ----------------------------------------------------------------------------------

def _translated(setup: Setup, folder: Path) -> Answer:
    """Whether the translation does what the compiled step does."""
    said = _test(setup, folder, "test", PATTERNS)
    if said == f"{PATTERNS} patterns":
        return Answer(PROVED, "")
    return Answer(FAILED, f"the translation is not what the compiler makes: {said}")


def _test(setup: Setup, folder: Path, what: str, patterns: int) -> str:
    run = tools.run([setup.tool("stepir"), what, folder, str(patterns), "1"], log=folder / "test.log", accept=(0, 1))
    said = run.stdout.strip().splitlines()
    return said[0] if said and (run.returncode == 0) == (said[0] == f"{patterns} patterns") else "the test says nothing"


def _write_sides(setup: Setup, folder: Path) -> None:
    for name in ("gold", "gate", "free_gold", "free_gate", "flags", "no_flags", "anything", "zero", "witness"):
        (folder / f"{name}.blif").unlink(missing_ok=True)
    tools.run([setup.tool("stepir"), "blif", folder], log=folder / "blif.log")


def _assumed(setup: Setup, folder: Path) -> Answer:
    """Whether what the proof assumes of registers and inputs is not too much: there is a step, and one that reads each input with a
    range."""
    circuit = folder / "witness.blif"
    ranges = [label for kind, label in cut.read_bits(folder / "bits") if kind == "read"]
    if prover.blif_labels(circuit, ".outputs") != ["a_step", *ranges]:
        return Answer(OPEN, f"{circuit} has not the {len(ranges) + 1} outputs that there are")
    answer = prover.possible(circuit, folder / "witness", setup.seconds)
    return replace(answer, text=f"vacuous: no inputs and registers that are allowed give {answer.text}")


def _step(setup: Setup, folder: Path) -> Answer:
    _write_sides(setup, folder)
    assumed = _assumed(setup, folder)
    if assumed.status != PROVED:
        return assumed
    compared = [kind for kind, _ in cut.read_bits(folder / "bits") if kind in ("out", "next", "zero")]
    outputs = len(compared) + 1  # one: what C does not define
    defined = _solve(folder / "no_flags.blif", folder / "flags.blif", folder / "flags", setup, ("step", "flags"), 2 * outputs)
    if defined.status != PROVED:
        defined = _solve(folder / "zero.blif", folder / "anything.blif", folder / "undefined", setup,
                         ("step with 0 for what is undefined", "step"), 2 * outputs)
    if defined.status != PROVED:
        return replace(defined, text=f"undefined: {defined.text}")
    return _solve(folder / "gold.blif", folder / "gate.blif", folder / "prove", setup, SIDES, outputs,
                  (folder / "free_gold.blif", folder / "free_gate.blif"))


def _step_and_sums(setup: Setup, block: Block, folder: Path) -> Answer:
    answer = _translated(setup, folder)
    if answer.status == PROVED:
        answer = _step(setup, folder)
    if answer.status != PROVED:
        return answer
    of_sums = sums.prove(folder, setup.seconds, sums.in_text(block, setup.rtl))
    return replace(of_sums, text=(answer.text if of_sums.status == PROVED else "") + of_sums.text)


def _counterexample(setup: Setup, target: Target, folder: Path, answer: Answer) -> str:
    """The values as a file of registers and inputs, and what lockstep says to them; without any what the solver said."""
    if answer.inputs is None:
        return answer.text
    said = tools.run([setup.tool("stepir"), "show", folder, answer.inputs], accept=(0, 1))
    differences = re.findall(r"^# (.*)", said.stdout, re.M)
    if said.returncode or not differences:
        return answer.text
    shown = folder / "counterexample"
    shown.write_text(said.stdout)
    if differences[0].startswith("undefined: "):  # what lockstep does is one of the possible things
        return f"{differences[0]} ({shown})"
    return f"{differences[0]} ({shown}); in lockstep: {replay.play(setup, target, folder, shown)}"


def _proof(start: float, answer: Answer, text: str = "") -> Proof:
    return Proof(answer.status, text or answer.text, int(time.monotonic() - start))


# ---- the rules ---------------------------------------------------------------------------------

def _broken(setup: Setup, folder: Path, name: str, rules: int) -> Answer:
    return _solve(folder / "none.blif", folder / "broken.blif", folder / name, setup, ("rules", "RTL"), rules)


def _list_rules(setup: Setup, block: Block, folder: Path) -> list[Rule]:
    """All rules, those of the file and the one about reset."""
    said = tools.run([setup.tool("stepir"), "properties", folder]).stdout
    (folder / "properties").write_text(said)
    found = [line.split("\t") for line in said.splitlines()]
    if any(len(words) != 4 for words in found):
        raise tools.ToolFailed(f"{setup.tool('stepir')} properties {folder}: says something that is no rule")
    room = setup.rooms / "blocks" / block.name
    written = [file.read_text() for file in (room / "properties.h", room / "history.h") if file.is_file()]
    in_files = [rule for text in written for rule in re.findall(r"\b[PH]\((?:EVERY|STATE|STEP|RUN|TEST),", text)]
    others = 1 + (room / "history.h").is_file()  # reset, and that a history stays coupled
    if len(found) != len(in_files) + others:
        raise tools.ToolFailed(f"{folder}: {len(found) - others} rules of the {len(in_files)} in {room}")
    return [Rule(*words[1:]) for words in found]


def _show_broken(setup: Setup, folder: Path, rule: Rule, answer: Answer) -> None:
    """The state and the inputs with which a rule is broken, as a file for folder/replay."""
    if answer.inputs is not None:
        said = tools.run([setup.tool("stepir"), "show", folder, answer.inputs], accept=(0, 1))
        (folder / f"broken_{rule.rule}").write_text(said.stdout)


def _prove_rule(setup: Setup, folder: Path, number: int, rule: Rule) -> Rule:
    start = time.monotonic()
    tools.run([setup.tool("stepir"), "properties", folder, str(number)])
    answer = _broken(setup, folder, f"property{number}", 1)
    if answer.status == FAILED:
        _show_broken(setup, folder, rule, answer)
    return replace(rule, status=answer.status, seconds=int(time.monotonic() - start))


def _on_ground(rules: list[Rule]) -> list[Rule]:
    """What is shown by induction is open where something that the induction stands on is not proved. Only rules of runs stand on
    the coupling of a history."""
    lost = {rule.rule for rule in rules if rule.of == "STATE" and rule.status != PROVED}
    fallen = ("STATE", "STEP", "RUN") if lost - {"history"} else ("RUN",) if lost else ()
    return [replace(rule, status=OPEN) if rule.of in fallen and rule.status == PROVED else rule for rule in rules]


def prove_rules(setup: Setup, block: Block, folder: Path) -> list[Rule]:
    """The rules of the block, of its RTL alone; without registers that of reset is none. Those that are only tested are left out."""
    said = _test(setup, folder, "test_properties", PROPERTY_PATTERNS)
    if said != f"{PROPERTY_PATTERNS} patterns":
        raise tools.Failure(f"{folder}: the translation is not what the compiler makes: {said}")
    rules = _list_rules(setup, block, folder)
    clocked = any(kind == "next" for kind, _ in cut.read_bits(folder / "bits"))
    if _broken(setup, folder, "broken", len(rules)).status == PROVED:
        rules = [replace(rule, status=PROVED) for rule in rules]
    else:  # which of them?
        rules = _on_ground([_prove_rule(setup, folder, number, rule) for number, rule in enumerate(rules)])
    return [rule for rule in rules if rule.of != "TEST" and (clocked or rule.rule != "reset")]


# ---- a target ------------------------------------------------------------------------------------

def _prove_whole(setup: Setup, target: Target, folder: Path) -> Proof:
    circuits.prepare(setup, target.block, target.params, folder)
    start = time.monotonic()
    answer = _step_and_sums(setup, target.block, folder)
    proof = _proof(start, answer, _counterexample(setup, target, folder, answer) if answer.status == FAILED else "")
    proof.rules = prove_rules(setup, target.block, folder)
    return proof


def _prove_around(setup: Setup, target: Target, part: Part, folder: Path) -> Proof:
    """The step of the block around free parts, and that they are the block that has a proof of its own. Whether that is
    proved is looked at in the end."""
    of, count = block_named(part.block), target.params[part.count]
    params = parameters(of, setup.config)
    circuits.words(setup, of, params, folder / "part")
    circuits.elaborate(setup, of, params, folder / "part")
    circuits.words(setup, target.block, target.params, folder, of.name, circuits.words_of(params), part.field, str(count))
    circuits.compile_around(setup, target.block, of, folder)
    circuits.elaborate_around(setup, target.block, target.params, of, folder)
    if not circuits.same_inside(folder):
        return Proof(FAILED, f"{of.name} in {target.name} is another circuit than {of.name} alone: "
                             "do they have the same parameters?")
    start = time.monotonic()
    answer = _translated(setup, folder)
    if answer.status == FAILED:
        return _proof(start, answer)
    answer = _step(setup, folder)
    if answer.status == PROVED:
        return _proof(start, answer, f"{answer.text}, by parts: {count} {of.name}")
    return _proof(start, answer, f"by parts: {answer.text}")


def _two(target: Target, part: Part) -> Target:
    """The same with two parts: what differs between them shows with two."""
    return replace(target, params=target.params | {part.count: 2})


def _look_whole(setup: Setup, target: Target, folder: Path) -> Proof | None:
    """A counterexample of a whole block, which can be played."""
    start = time.monotonic()
    try:
        circuits.prepare(setup, target.block, target.params, folder)
        if _translated(setup, folder).status == FAILED:
            return None
        _write_sides(setup, folder)
        answer = prover.difference(folder / "gold.blif", folder / "gate.blif", folder / "prove", setup.seconds, SIDES)
    except (tools.ToolFailed, NetlistError):
        return None
    return _proof(start, answer, _counterexample(setup, target, folder, answer)) if answer.status == FAILED else None


def _prove_by_parts(setup: Setup, target: Target, part: Part, folder: Path) -> Proof:
    """The step at full size by parts. The rules, which look inside of the parts, or a counterexample, of a whole block with
    two."""
    proof = _prove_around(setup, target, part, folder)
    flat, two = folder / "flat", _two(target, part)
    if proof.status == FAILED:
        return _look_whole(setup, two, flat) or proof
    circuits.prepare(setup, target.block, two.params, flat)
    proof.rules = prove_rules(setup, target.block, flat)
    return proof


def prove(setup: Setup, target: Target) -> Proof:
    folder = setup.out / target.name
    folder.mkdir(parents=True, exist_ok=True)
    for old in [folder / "counterexample", *folder.glob("broken_*")]:
        old.unlink(missing_ok=True)
    part = part_of(target.block)
    return _prove_by_parts(setup, target, part, folder) if part else _prove_whole(setup, target, folder)
