# SPDX-License-Identifier: Apache-2.0
"""The proofs of one target: that a step of its model is a step of its RTL, and that the rules of properties.h hold of the
RTL.

What a solver does not answer, or not with as many outputs, sums and rules as there are, is open or failed. Other tools that
fail end the proof with a tools.Failure.
"""
from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import blif
import circuits
import cut
import parts
import prover
import replay
import sums
import tools
from blocks import Block, Target, block as block_named
from circuits import Setup
from netlist import NetlistError
from parts import Kind
from prover import FAILED, OPEN, PROVED, Answer

SIDES = ("RTL", "C model")
PATTERNS = 200000
PROPERTY_PATTERNS = 20000
ALL_AT_ONCE = 60  # seconds for a question about several rules together, which is brief: what is hard about one of them is asked of it alone
GROUP = 5         # rules that are asked together where one of all is broken: most of them are not


@dataclass(frozen=True)
class Rule:
    """A rule of the RTL: `of` says of what it is one (tb/rules/rules.h)."""

    of: str
    rule: str
    text: str
    status: str = OPEN
    seconds: int = 0
    bound: str = "full size"


@dataclass
class Proof:
    status: str
    text: str
    seconds: int = 0
    rules: list[Rule] = field(default_factory=list)
    bound: str = "full size"


def _solve(gold: Path, gate: Path, work: Path, setup: Setup, sides: tuple[str, str], outputs: int,
           free: tuple[Path, Path] | None = None, brief: bool = False) -> Answer:
    """An answer about circuits with so many outputs. `brief`: what is hard about them is left open."""
    try:
        if len(blif.labels(gold, ".outputs")) != outputs:
            return Answer(OPEN, f"{gold} has not the {outputs} outputs that there are")
        return setup.kept.answer((gold, gate, *(free or ())),
                                 lambda: prover.equal(gold, gate, work, setup.seconds, sides, free, brief, setup.cases))
    except tools.ToolFailed as failure:
        return Answer(OPEN, str(failure))


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
    names = ("gold", "gate", "free_gold", "free_gate", "flags", "no_flags", "anything", "zero", "witness")
    tools.run([setup.tool("stepir"), "blif", folder], log=folder / "blif.log", leaves=[folder / f"{name}.blif" for name in names])


def _write_rules(setup: Setup, folder: Path, *which: int) -> str:
    """The circuits of all rules, or of some; the list of what is there."""
    return tools.run([setup.tool("stepir"), "properties", folder, *map(str, which)],
                     leaves=[folder / "none.blif", folder / "broken.blif"]).stdout


def _assumed(setup: Setup, folder: Path) -> Answer:
    """Whether what the proof assumes of registers and inputs is not too much: there is a step, and one that reads each input with a
    range."""
    circuit = folder / "witness.blif"
    ranges = [label for kind, label in cut.read_bits(folder / "bits") if kind == "read"]
    if blif.labels(circuit, ".outputs") != ["a_step", *ranges]:
        return Answer(OPEN, f"{circuit} has not the {len(ranges) + 1} outputs that there are")
    answer = prover.possible(circuit, folder / "witness", setup.seconds)
    if answer.status == PROVED:
        return answer
    return replace(answer, text=f"vacuous: no inputs and registers that are allowed give {answer.text}")


def _step(setup: Setup, folder: Path) -> Answer:
    """What failed outranks what is open: each is asked until one fails."""
    _write_sides(setup, folder)
    assumed = _assumed(setup, folder)
    if assumed.status == FAILED:
        return assumed
    compared = [kind for kind, _ in cut.read_bits(folder / "bits") if kind in ("out", "next", "zero")]
    outputs = len(compared) + 1  # one: what C does not define
    defined = _solve(folder / "no_flags.blif", folder / "flags.blif", folder / "flags", setup, ("step", "flags"), 2 * outputs)
    if defined.status != PROVED:
        defined = _solve(folder / "zero.blif", folder / "anything.blif", folder / "undefined", setup,
                         ("step with 0 for what is undefined", "step"), 2 * outputs)
    if defined.status != PROVED:
        defined = replace(defined, text=f"undefined: {defined.text}")
    if defined.status == FAILED:
        return defined
    return prover.worst([assumed, defined, _solve(folder / "gold.blif", folder / "gate.blif", folder / "prove", setup, SIDES,
                                                  outputs, (folder / "free_gold.blif", folder / "free_gate.blif"))])


def _step_and_sums(setup: Setup, target: Target, folder: Path, kinds: Sequence[Kind] = ()) -> Answer:
    """The step of a target, around its parts if there are any, and the sums of what is not in them. With some parameters RTL has none
    of the sums in its text: `sums=none` in `targets` says so."""
    answer = _translated(setup, folder)
    if answer.status == PROVED:
        answer = _step(setup, folder)
    if answer.status == FAILED:
        return answer
    wanted = target.options.get("sums") != "none" and sums.in_text(target.block, setup.rtl, [kind.block.name for kind in kinds])
    of_sums = sums.prove(folder, setup.seconds, target.block.name, wanted, [kind.module for kind in kinds], setup.kept)
    if answer.status == of_sums.status == PROVED:
        return replace(answer, text=answer.text + of_sums.text, earlier=answer.earlier + of_sums.earlier)
    return prover.worst([answer, of_sums])


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
    return Proof(answer.status, text or answer.text, int(time.monotonic() - start) + answer.earlier)


# ---- the rules ---------------------------------------------------------------------------------

def _broken(setup: Setup, folder: Path, name: str, rules: int) -> Answer:
    setup = replace(setup, seconds=min(setup.seconds, ALL_AT_ONCE)) if rules > 1 else setup
    return _solve(folder / "none.blif", folder / "broken.blif", folder / name, setup, ("rules", "RTL"), rules, brief=rules > 1)


def _list_rules(setup: Setup, block: Block, folder: Path) -> list[Rule]:
    """All rules, those of the file and the one about reset."""
    said = _write_rules(setup, folder)
    (folder / "properties").write_text(said)
    found = [line.split("\t") for line in said.splitlines()]
    if any(len(words) != 4 for words in found):
        raise tools.ToolFailed(f"{setup.tool('stepir')} properties {folder}: says something that is no rule")
    room = setup.rooms / "blocks" / block.name
    history = (room / "history.h").read_text() if (room / "history.h").is_file() else ""
    if "#define BLOCK_HISTORY_TESTED" in history:  # there is none for the prover (rules/rules.h)
        history = ""
    written = [file.read_text() for file in (room / "properties.h",) if file.is_file()] + [history]
    in_files = [rule for text in written for rule in re.findall(r"\b[PH]\((?:EVERY|STATE|STEP|RUN|TEST),", text)]
    others = 1 + bool(history)  # reset, and that a history stays coupled
    if len(found) != len(in_files) + others:
        raise tools.ToolFailed(f"{folder}: {len(found) - others} rules of the {len(in_files)} in {room}")
    rules = [Rule(*words[1:]) for words in found]
    twice = [rule.text for rule in rules if [one.rule + one.text for one in rules].count(rule.rule + rule.text) > 1]
    if twice:  # a list of what was proved could not tell them apart
        raise tools.ToolFailed(f"{room}: two rules say '{twice[0]}'")
    return rules


def _show_broken(setup: Setup, folder: Path, rule: Rule, answer: Answer) -> None:
    """The state and the inputs with which a rule is broken, as a file for folder/replay."""
    if answer.inputs is not None:
        said = tools.run([setup.tool("stepir"), "show", folder, answer.inputs], accept=(0, 1))
        values = [line for line in said.stdout.splitlines() if not line.startswith("#")]  # of the RTL: the model is not asked
        (folder / f"broken_{rule.rule}").write_text("\n".join(values) + "\n")


def _prove_rule(setup: Setup, folder: Path, number: int, rule: Rule) -> Rule:
    start = time.monotonic()
    _write_rules(setup, folder, number)
    answer = _broken(setup, folder, f"property{number}", 1)
    if answer.status == FAILED:
        _show_broken(setup, folder, rule, answer)
    return replace(rule, status=answer.status, seconds=int(time.monotonic() - start) + answer.earlier)


def _on_ground(rules: list[Rule]) -> list[Rule]:
    """What is shown by induction is open where something that the induction stands on is not proved. Only rules of runs stand on
    the coupling of a history."""
    lost = {rule.rule for rule in rules if rule.of == "STATE" and rule.status != PROVED}
    fallen = ("STATE", "STEP", "RUN") if lost - {"history"} else ("RUN",) if lost else ()
    return [replace(rule, status=OPEN) if rule.of in fallen and rule.status == PROVED else rule for rule in rules]


def _proved_of(answer: Answer, numbers: Iterable[int]) -> set[int]:
    """Those rules that an answer about all of these has proved: all, or where it names what is left of them, the others."""
    labels = {f"property[{number}]": number for number in numbers}
    if answer.status == OPEN and answer.left and labels.keys() >= {*answer.left}:
        return {number for label, number in labels.items() if label not in answer.left}
    return {*labels.values()} if answer.status == PROVED else set()


def _ask_rules(setup: Setup, folder: Path, rules: dict[int, Rule]) -> dict[int, Rule]:
    """Those of these numbers, for which the circuits are there: together, where one is broken in groups, and what is not proved then one
    by one."""
    together = _broken(setup, folder, "broken", len(rules))
    proved = _proved_of(together, rules)
    if together.status == FAILED and len(rules) > GROUP:
        for group in ([*rules][at:at + GROUP] for at in range(0, len(rules), GROUP)):
            _write_rules(setup, folder, *group)
            proved |= _proved_of(_broken(setup, folder, "broken", len(group)), group)
    return {number: replace(rule, status=PROVED) if number in proved else _prove_rule(setup, folder, number, rule)
            for number, rule in rules.items()}


def prove_rules(setup: Setup, block: Block, folder: Path, step: str = "") -> list[Rule]:
    """The rules of the block, of its RTL alone; without registers that of reset is none. Those that are only tested are left out.
    `step`: what is known of the step by parts, in which all registers after a cycle of reset are compared, those of the parts in their
    own proofs. Where the parts are free, nothing else says what reset does to them."""
    said = _test(setup, folder, "test_properties", PROPERTY_PATTERNS)
    if said != f"{PROPERTY_PATTERNS} patterns":
        raise tools.Failure(f"{folder}: the translation is not what the compiler makes: {said}")
    found = dict(enumerate(_list_rules(setup, block, folder)))
    asked = {number: rule for number, rule in found.items() if not (step and rule.rule == "reset")}
    if len(asked) < len(found):
        found = {number: replace(rule, status=step) for number, rule in found.items()}
        _write_rules(setup, folder, *asked)
    rules = _on_ground([*(found | (_ask_rules(setup, folder, asked) if asked else {})).values()])
    clocked = any(kind == "next" for kind, _ in cut.read_bits(folder / "bits"))
    return [rule for rule in rules if rule.of != "TEST" and (clocked or rule.rule != "reset")]


# ---- a target ------------------------------------------------------------------------------------

def _prove_whole(setup: Setup, target: Target, folder: Path) -> Proof:
    circuits.prepare(setup, target.block, target.params, folder)
    start = time.monotonic()
    answer = _step_and_sums(setup, target, folder)
    proof = _proof(start, answer, _counterexample(setup, target, folder, answer) if answer.status == FAILED else "")
    proof.rules = prove_rules(setup, target.block, folder)
    return proof


def _prove_around(setup: Setup, target: Target, kinds: list[Kind], folder: Path) -> Proof:
    """The step of the block around free parts, and that they are the blocks that have proofs of their own. Whether those are
    proved is looked at in the end."""
    start = time.monotonic()
    try:
        circuits.prepare_around(setup, target, kinds, folder)
    except NetlistError as error:  # other ports or registers, or parts that hang on each other in a circle
        return _proof(start, Answer(FAILED, f"by parts: {error}"))
    for kind in kinds:
        if not circuits.same_inside(kind, circuits.part_folder(folder, kind)):
            return _proof(start, Answer(FAILED, f"{kind.block.name} in {target.name} is another circuit than {kind.block.name} "
                                                "alone: do they have the same parameters?"))
    answer = _step_and_sums(setup, target, folder, kinds)
    if answer.status != PROVED:
        return _proof(start, answer, f"by parts: {answer.text}")
    of_parts = ", ".join(f"{len(kind.fields)} {kind.block.name}" for kind in kinds)
    return _proof(start, answer, f"{answer.text}, by parts: {of_parts}")


def _two(target: Target) -> Target:
    """The same with two parts of each array: what differs between them shows with two."""
    counts = _counts(target.block) & target.block.parameters.keys()
    return replace(target, params=target.params | {count: min(2, _value(target, count)) for count in counts})


def _counts(of: Block) -> set[str]:
    """The parameters that say how many parts there are, in parts of parts, too."""
    own = {part.count for part in of.parts if part.count}
    return own.union(*(_counts(block_named(part.block)) for part in of.parts))


def _value(target: Target, name: str) -> int:
    return (target.block.parameters | target.params)[name]


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


def _without_parts(setup: Setup, target: Target, folder: Path) -> Proof | None:
    """The proof of a whole block that needs what only a part knows."""
    whole = _prove_whole(setup, target, folder)
    return replace(whole, text=f"{whole.text}, not by parts") if whole.status == PROVED else None


def _rules(setup: Setup, target: Target, folder: Path, step: str) -> list[Rule]:
    """The rules, which look inside of parts. First at full size, with nothing known of what they can do without; a rule that is
    broken then may be so for that reason alone. What is left of a whole block with two of each array."""
    names, two = parts.apart(target, "free"), _two(target)
    found: list[Rule] = []
    if names or two.params != target.params:
        circuits.prepare_rules(setup, target, names, folder / "rules")
        found = prove_rules(setup, target.block, folder / "rules", step)
        if all(rule.status == PROVED for rule in found):
            return found
    circuits.prepare_rules(setup, two, [], folder / "flat")
    bound = "full size" if two.params == target.params else "two of each array"
    whole = [replace(rule, bound=bound) for rule in prove_rules(setup, target.block, folder / "flat")]
    return [rule if rule.status == PROVED else other for rule, other in zip(found or whole, whole, strict=True)]


def _prove_by_parts(setup: Setup, target: Target, kinds: list[Kind], folder: Path) -> Proof:
    """The step at full size by parts, and the rules; or a counterexample of a whole block with two of each array."""
    proof = _prove_around(setup, target, kinds, folder)
    if proof.status == FAILED:
        return _look_whole(setup, _two(target), folder / "flat") or _without_parts(setup, target, folder / "whole") or proof
    proof.rules, proof.bound = _rules(setup, target, folder, proof.status), "full size, by parts"
    return proof


def prove(setup: Setup, target: Target) -> Proof:
    setup = replace(setup, cases=tuple(f"{name}_i" for name in parts.apart(target, "cases")))
    folder = setup.out / target.name
    folder.mkdir(parents=True, exist_ok=True)
    for old in [folder / "counterexample", *folder.glob("broken_*")]:
        old.unlink(missing_ok=True)
    kinds = circuits.find_parts(setup, target, folder)
    return _prove_by_parts(setup, target, kinds, folder) if kinds else _prove_whole(setup, target, folder)
