# SPDX-License-Identifier: Apache-2.0
"""How formal.py puts answers together: steps, rules, sums, the exit status. Whatever is missing, open or failed shows in the end. No
tool runs here. What becomes of them then is tested in test_recorded.py.

  python3 tb/formal/test_judge.py

Ends with 'N passed, N failed'. Run from the repository root.
"""
from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), str(HERE.parent / "flow")]

import blif
import cut
import formal
import netlist
import parts
import proved
import prove
import prover
import sums
import tools
from blocks import Target, block
from circuits import Setup
from planted import Planted, expect, refused
from prove import Proof, Rule
from prover import FAILED, OPEN, PROVED, Answer

SETUP = Setup("fermi", Path("build/fermi"), Path("/nowhere"))


def summaries(test: Planted) -> None:
    good, bad, none = (prover.Answer(status, status) for status in (PROVED, FAILED, OPEN))
    with test.case("failed outranks open, open outranks proved"):
        for answers, want in (((good, none, bad), bad), ((bad, none), bad), ((none, good), none), ((good, good), good)):
            expect(prover.worst(answers) == want, f"{answers}")
    for name, first, then, want in (("vacuous", none, bad, FAILED), ("vacuous", none, good, OPEN), ("vacuous", bad, good, FAILED)):
        with test.case(f"a step: witnesses {first.status}, comparison {then.status}: {want}"):
            with mock.patch.object(prove, "_write_sides"), mock.patch.object(prove, "_assumed", return_value=first), \
                    mock.patch.object(prove.cut, "read_bits", return_value=[]), mock.patch.object(prove, "_solve", return_value=then):
                answer = prove._step(SETUP, test.out)
            expect(answer.status == want, f"{name}: {answer}")
    for step, of_sums, want in ((none, bad, FAILED), (good, none, OPEN), (bad, none, FAILED), (good, good, PROVED)):
        with test.case(f"a step that is {step.status} with sums that are {of_sums.status}: {want}"):
            with mock.patch.object(prove, "_translated", return_value=good), mock.patch.object(prove, "_step", return_value=step), \
                    mock.patch.object(sums, "prove", return_value=of_sums):
                answer = prove._step_and_sums(SETUP, Target("vf_vote", block("vf_vote"), {}, {}), test.out)
            expect(answer.status == want, str(answer))
    with test.case("sums are wanted where the RTL's text has some and the target does not say none"):
        for name, options, want in (("stall_classifier", {}, True), ("stall_classifier", {"sums": "none"}, False), ("perfsat", {}, False)):
            with mock.patch.object(prove, "_translated", return_value=good), mock.patch.object(prove, "_step", return_value=good), \
                    mock.patch.object(sums, "prove", return_value=good) as asked:
                prove._step_and_sums(SETUP, Target(name, block(name), {}, options), test.out)
            expect(asked.call_args.args[3] is want, f"{name} {options}: {asked.call_args}")
    with test.case("two trees, the first open, the second wrong: failed"):
        modules = {"top": {"cells": {name: {"type": f"{name}warp_sum"} for name in "ab"}}, "awarp_sum": {"cells": {}},
                   "bwarp_sum": {"cells": {}}}
        with mock.patch.object(sums.netlist, "read", return_value=modules), mock.patch.object(sums, "write_blif"), \
                mock.patch.object(sums, "prove_one", side_effect=[none, bad]):
            answer = sums.prove(test.work, 1, "top", True)
        expect(answer.status == FAILED and answer.text.startswith("tree of adders 2"), str(answer))



# ---- questions ---------------------------------------------------------------------------------------

def solved(test: Planted) -> None:
    """An answer counts for as many outputs as there are."""
    gold = test.work / "gold.blif"
    gold.write_text(".model m\n.inputs a\n.outputs x y\n.end\n")
    for status in (PROVED, FAILED, OPEN):
        for outputs, want in ((2, status), (1, OPEN), (3, OPEN)):
            with test.case(f"{status} of two outputs, {outputs} wanted: {want}"), \
                    mock.patch.object(prover, "equal", return_value=Answer(status, "said")):
                expect(prove._solve(gold, gold, test.work, SETUP, ("a", "b"), outputs).status == want, "not so")
    for failure in (tools.ToolFailed("abc: signal 9", -9), tools.Timeout("abc: no answer"), netlist.ToolFailed("x")):
        with test.case(f"{failure}: open"), mock.patch.object(prover, "equal", side_effect=failure):
            answer = prove._solve(gold, gold, test.work, SETUP, ("a", "b"), 2)
            expect(answer.status == OPEN and str(failure) in answer.text, str(answer))
    with test.case("an empty circuit: open"):
        gold.write_text("")
        expect(prove._solve(gold, gold, test.work, SETUP, ("a", "b"), 0).status == OPEN, "not open")


BITS = "in 0 1 i0.a_i[0]\nout 0 1 b_o[0]\nnext 0 1 c_q.next[0]\nzero 0 1 z[0]\nread 0 1 a_is_read\n"


def step(test: Planted) -> None:
    """Which circuits are compared with which, and with how many outputs: 3 and what C does not define."""
    (test.work / "bits").write_text(BITS)
    good, bad, none = (Answer(status, status) for status in (PROVED, FAILED, OPEN))
    asked = []

    def run(assumed: Answer, **answers: Answer) -> Answer:
        def solve(gold: Path, gate: Path, work: Path, _: Setup, __: object, outputs: int, free: object = None) -> Answer:
            asked.append((gold.stem, gate.stem, work.name, outputs, free is not None))
            return answers[work.name]
        asked.clear()
        with mock.patch.object(prove, "_write_sides"), mock.patch.object(prove, "_assumed", return_value=assumed), \
                mock.patch.object(prove, "_solve", solve):
            return prove._step(SETUP, test.work)
    with test.case("nothing undefined by the flags, and the step"):
        answer = run(good, flags=good, prove=good)
        expect(answer.status == PROVED and asked == [("no_flags", "flags", "flags", 8, False), ("gold", "gate", "prove", 4, True)], str(asked))
    with test.case("what the flags cannot say, the circuits say"):
        answer = run(good, flags=bad, undefined=good, prove=good)
        expect(answer.status == PROVED and asked[1] == ("zero", "anything", "undefined", 8, False), str(asked))
    for flags, undefined, compared in itertools.product((good, bad, none), repeat=3):
        defined = PROVED if flags is good else undefined.status
        want = FAILED if FAILED in (defined, compared.status) else OPEN if OPEN in (defined, compared.status) else PROVED
        with test.case(f"flags {flags.status}, undefined {undefined.status}, step {compared.status}: {want}"):
            answer = run(good, flags=flags, undefined=undefined, prove=compared)
            expect(answer.status == want, str(answer))
            expect(defined != FAILED or answer.text == "undefined: failed", str(answer))
            expect(run(none, flags=flags, undefined=undefined, prove=compared).status == (FAILED if want == FAILED else OPEN), "a witness")
            expect(run(bad, flags=flags, undefined=undefined, prove=compared).status == FAILED, "no witness")


def translated(test: Planted) -> None:
    """The test of the translation: its words and its exit status have to agree."""
    for said, status, want in (("200000 patterns\n", 0, PROVED), ("200000 patterns\n", 1, FAILED), ("", 0, FAILED), ("", 1, FAILED),
                               ("20000 patterns\n", 0, FAILED), ("a is 1 in the translation\n", 1, FAILED), ("200000 patter", 0, FAILED),
                               ("a is 1 in the translation\n", 0, FAILED), ("200000 patterns more\n", 0, FAILED)):
        with test.case(f"the translation's test says {said!r}, status {status}: {want}"), \
                mock.patch.object(tools, "run", return_value=subprocess.CompletedProcess([], status, said)) as run:
            expect(prove._translated(SETUP, test.work).status == want, "not so")
            expect(run.call_args.kwargs["accept"] == (0, 1) and "200000" in run.call_args.args[0], "another test")


def witnesses(test: Planted) -> None:
    """A step, and one that reads each input with a range."""
    (test.work / "bits").write_text(BITS)
    circuit = test.work / "witness.blif"
    for outputs, status, want in ((["a_step", "a_is_read"], PROVED, PROVED), (["a_step", "a_is_read"], FAILED, FAILED), (["a_step"], PROVED, OPEN),
                                  (["a_step", "a_is_read"], OPEN, OPEN), (["a_is_read", "a_step"], PROVED, OPEN), ([], PROVED, OPEN)):
        with test.case(f"witness {' '.join(outputs)}, {status}: {want}"):
            circuit.write_text(f".model m\n.outputs {' '.join(outputs)}\n.end\n")
            with mock.patch.object(prover, "possible", return_value=Answer(status, "a_step")):
                answer = prove._assumed(SETUP, test.work)
            expect(answer.status == want and (want != FAILED or answer.text.startswith("vacuous: ")), str(answer))


# ---- rules -------------------------------------------------------------------------------------------

LISTED = "0\tEVERY\treset\tone cycle\n1\tSTATE\tEQ-12\tno more votes than SMs\n2\tSTEP\tEQ-12\tnever up and down\n3\tEVERY\tEQ-12\tno request\n"


def listed(test: Planted) -> None:
    lines, coupled = LISTED.splitlines(keepends=True), "4\tRUN\tEQ-12\ta vote\n5\tSTATE\thistory\tcoupled\n"
    room = test.work / "tb/blocks/vf_vote"
    room.mkdir(parents=True)
    (room / "properties.h").write_text('P(STATE, "EQ-12"\nP(STEP, "EQ-12"\nP(EVERY, "EQ-12"\n')
    setup = replace(SETUP, rooms=test.work / "tb")
    for name, said in (("one less", "".join(lines[:-1])), ("none", ""), ("one more", LISTED + lines[1]), ("half a line", LISTED[:-30]),
                       ("other words", LISTED.replace("\t", " ")), ("the same twice", "".join([*lines[:-1], lines[-2]]))):
        with test.case(f"rules, {name}: refused"), mock.patch.object(prove, "_write_rules", return_value=said):
            refused(lambda: prove._list_rules(setup, block("vf_vote"), test.work), "rule")
    with test.case("all rules of the file, and that of reset"), mock.patch.object(prove, "_write_rules", return_value=LISTED):
        rules = prove._list_rules(setup, block("vf_vote"), test.work)
        expect([rule.rule for rule in rules] == ["reset", "EQ-12", "EQ-12", "EQ-12"] and rules[1].of == "STATE", str(rules))
        expect({rule.status for rule in rules} == {OPEN}, "proved before it is asked")
    (room / "history.h").write_text('H(RUN, "EQ-12"\n')
    for name, said in (("none of its rules", LISTED), ("not that it stays coupled", LISTED + coupled.splitlines(keepends=True)[0])):
        with test.case(f"a history, {name}: refused"), mock.patch.object(prove, "_write_rules", return_value=said):
            refused(lambda: prove._list_rules(setup, block("vf_vote"), test.work), "rule")
    with test.case("a history: its rules, and that it stays coupled"), mock.patch.object(prove, "_write_rules", return_value=LISTED + coupled):
        expect(len(prove._list_rules(setup, block("vf_vote"), test.work)) == 6, "others")


def ruled(test: Planted) -> None:
    rules = [Rule("EVERY", name, name) for name in ("reset", "A", "B")]

    def run(answers: dict[str, str], bits: str = BITS, said: str = "20000 patterns", step: str = "") -> list[str]:
        (test.work / "bits").write_text(bits)
        asked = [0, 1, 2][bool(step):]  # the step has answered what reset does

        def broken(_: Setup, __: Path, name: str, count: int) -> Answer:
            expect(count == (len(asked) if name == "broken" else 1), f"{name}: {count} rules")
            return Answer(answers[name], name)
        with mock.patch.object(prove, "_test", return_value=said), mock.patch.object(prove, "_list_rules", return_value=list(rules)), \
                mock.patch.object(prove, "_broken", broken), mock.patch.object(prove, "_write_rules") as wrote, \
                mock.patch.object(prove, "_show_broken") as shown:
            found = prove.prove_rules(SETUP, block("vf_vote"), test.work, step)
        together = [tuple(asked)] if step else []  # else those that were listed
        each = [] if answers["broken"] == PROVED else [(n,) for n in asked]
        expect([call.args[2:] for call in wrote.call_args_list] == together + each, f"other rules are asked: {wrote.call_args_list}")
        expect(shown.call_count == sum(answers[f"property{n}"] == FAILED for n, in each), "not shown")
        return [rule.status for rule in found]
    with test.case("all at once"):
        expect(run({"broken": PROVED}) == [PROVED] * 3, "not proved")
    for together in (FAILED, OPEN):
        for each in itertools.product((PROVED, FAILED, OPEN), repeat=3):
            with test.case(f"together {together}, each {' '.join(each)}"):
                came = run({"broken": together, **{f"property{n}": status for n, status in enumerate(each)}})
                expect(came == list(each), str(came))
    with test.case("many, of which one is broken: in groups, those that are not proved one by one"):
        expect(grouped(test, 12, {7: FAILED, 9: OPEN}) == [(0, 1, 2, 3, 4), (5, 6, 7, 8, 9), (10, 11), (5,), (6,), (7,), (8,), (9,)], "others")
    with test.case("many, of which each is asked where the solver is open about all"):
        expect(grouped(test, 7, {3: OPEN}) == [(n,) for n in range(7)], "in groups")
    with test.case("many, of which the solver names those that are left: only they are asked"):
        expect(grouped(test, 7, {3: OPEN, 5: OPEN}, names=True) == [(3,), (5,)], "others")
        expect(grouped(test, 12, {7: FAILED, 1: OPEN}, names=True) == [(0, 1, 2, 3, 4), (5, 6, 7, 8, 9), (10, 11), (1,), (5,), (6,), (7,), (8,), (9,)], "others in groups")
    for left, want in (((), set()), (("property[1]",), {0, 2}), (("property[0]", "property[1]", "property[2]"), set()),
                       (("property[7]",), set()), (("property[1]", "other"), set())):
        with test.case(f"of three rules these are left: {' '.join(left) or 'nobody says'}"):
            expect(prove._proved_of(Answer(OPEN, "", left=left), range(3)) == want, "others are proved")
    for status in (PROVED, FAILED):
        with test.case(f"all three are proved where the answer is {PROVED}, none where it is {FAILED}: {status}"):
            expect(prove._proved_of(Answer(status, "", left=("property[1]",)), range(3)) == ({0, 1, 2} if status == PROVED else set()), "others")
    for step in (PROVED, FAILED, OPEN):
        with test.case(f"the rule of reset where the step by parts is {step}"):
            expect(run({"broken": PROVED}, step=step) == [step, PROVED, PROVED], "reset has another answer")
            expect(run({"broken": OPEN, "property1": FAILED, "property2": PROVED}, step=step) == [step, FAILED, PROVED], "together open")
    for seconds, count, want in ((300, 3, 60), (20, 3, 20), (300, 1, 300), (900, 1, 900)):
        with test.case(f"{count} rules together have {want} of {seconds} seconds"), mock.patch.object(prove, "_solve") as solve:
            prove._broken(replace(SETUP, seconds=seconds), test.work, "broken", count)
            expect(solve.call_args.args[3].seconds == want and solve.call_args.kwargs == {"brief": count > 1}, str(solve.call_args))
    for brief in (False, True):
        with test.case(f"the prover is told that the question is brief: {brief}; and of the cases"), mock.patch.object(prove.prover, "equal") as asked, \
                mock.patch.object(prove.blif, "labels", return_value=["y"]):
            prove._solve(test.work, test.work, test.work, replace(SETUP, cases=("policy_i",)), ("rules", "RTL"), 1, brief=brief)
            expect(asked.call_args.args[-2:] == (brief, ("policy_i",)), str(asked.call_args))
    for options, want in (({}, ()), ({"cases": "policy,enable"}, ("policy_i", "enable_i"))):
        with test.case(f"cases are those of the target's line: {options}"), mock.patch.object(prove.circuits, "find_parts", return_value=[]), \
                mock.patch.object(prove, "_prove_whole") as asked:
            prove.prove(replace(SETUP, out=test.work), Target("lcs", block("lcs"), {}, options))
            expect(asked.call_args.args[0].cases == want, str(asked.call_args))
    with test.case("a block without registers has no rule of reset"):
        expect(run({"broken": PROVED}, "in 0 1 i0.a_i[0]\n") == [PROVED] * 2, "it has")
    with test.case("a test of the rules' translation that fails: refused"):
        refused(lambda: run({"broken": PROVED}, said="a rule is 1"), "not what the compiler makes: a rule is 1")


def grouped(test: Planted, count: int, not_proved: dict[int, str], names: bool = False) -> list[tuple[int, ...]]:
    """Which rules are asked for, after all of them, when these are not proved; each has the status that it should. `names`: what is open is
    named."""
    wrote: list[tuple[int, ...]] = [tuple(range(count))]

    def broken(_: Setup, __: Path, ___: str, asked: int) -> Answer:
        expect(asked == len(wrote[-1]), f"{asked} rules of {wrote[-1]}")
        came = {not_proved.get(number, PROVED) for number in wrote[-1]}
        left = [f"property[{number}]" for number in wrote[-1] if names and not_proved.get(number) == OPEN]
        return Answer(next((status for status in (FAILED, OPEN) if status in came), PROVED), "", left=tuple(left))
    with mock.patch.object(prove, "_broken", broken), mock.patch.object(prove, "_show_broken"), \
            mock.patch.object(prove, "_write_rules", lambda _, __, *numbers: wrote.append(numbers)):
        found = prove._ask_rules(SETUP, test.work, {number: Rule("EVERY", "A", str(number)) for number in range(count)})
    expect([(number, rule.status) for number, rule in found.items()] == [(n, not_proved.get(n, PROVED)) for n in range(count)], str(found))
    return wrote[1:]


def composed(test: Planted) -> None:
    """The rules of a block by parts: of the free parts with the step's answer for reset, of the whole with two of each where that is no proof."""
    target = parts.chosen_targets(block("chip_governor"), "fermi", False)[0]

    def run(step: str, free: str, whole: str) -> tuple[list[tuple[str, str]], list[Rule]]:
        asked = []

        def rules(_: Setup, __: object, folder: Path, reset: str = "") -> list[Rule]:
            asked.append((folder.name, reset))
            return [Rule("EVERY", "reset", "a cycle", reset or whole), Rule("STEP", "A", "a rule", free if folder.name == "rules" else whole)]
        with mock.patch.object(prove, "_prove_around", return_value=Proof(step, "a step")), \
                mock.patch.object(prove.circuits, "prepare_rules"), mock.patch.object(prove, "prove_rules", rules):
            proof = prove._prove_by_parts(SETUP, target, [], test.work)
        expect((proof.status, proof.bound) == (step, "full size, by parts"), str(proof))
        return asked, proof.rules
    for step, free, whole in itertools.product((PROVED, OPEN), (PROVED, OPEN, FAILED), (PROVED, OPEN, FAILED)):
        with test.case(f"by parts: step {step}, rule {free} with free parts, {whole} without"):
            asked, rules = run(step, free, whole)
            again = [("flat", "")] if OPEN in (step, free) or free == FAILED else []
            expect(asked == [("rules", step), *again], str(asked))
            want = [(first, "full size") if first == PROVED else (whole, "two of each array") for first in (step, free)]
            expect([(rule.status, rule.bound) for rule in rules] == want, str(rules))


# ---- sums --------------------------------------------------------------------------------------------

def evaluated(path: Path) -> list[list[str]]:
    """The outputs of a circuit of few inputs for all values of them, by name."""
    models: dict[str, dict[str, list]] = {}
    for words in blif.lines(path):
        if words[0] == ".model":
            model = models.setdefault(words[1], {"inputs": [], "outputs": [], "gates": []})
        elif words[0] in (".inputs", ".outputs"):
            model[words[0][1:]] += words[1:]
        elif words[0] in (".names", ".subckt"):
            model["gates"].append((words, []))
        elif words[0] != ".end":
            model["gates"][-1][1].append(words)

    def value(name: str, given: dict[str, str]) -> dict[str, str]:
        nets = dict(given)
        for words, cover in models[name]["gates"]:
            if words[0] == ".subckt":
                pins = dict(pin.rpartition("=")[::2] for pin in words[2:])
                inside = value(words[1], {pin: nets[net] for pin, net in pins.items() if pin in models[words[1]]["inputs"]})
                nets |= {net: inside[pin] for pin, net in pins.items() if pin in models[words[1]]["outputs"]}
            else:
                read = "".join(nets[net] for net in words[1:-1])
                rows = [row[0] if len(row) == 2 else "" for row in cover]
                nets[words[-1]] = str(int(any(all(a in ("-", b) for a, b in zip(row, read, strict=True)) for row in rows)))
        return nets
    top = models["top"]
    constants_first = sorted(top["gates"], key=lambda gate: not gate[0][-1].startswith("const"))
    top["gates"] = constants_first
    return [[value("top", dict(zip(top["inputs"], bits, strict=True)))[net] for net in top["outputs"]]
            for bits in itertools.product("01", repeat=len(top["inputs"]))]


HEAD = ".model sum\n.inputs i0.ones_i[0] i1.ones_i[1] i2.twos_i[0] i3.on_i[0]\n.outputs sum_o[0] sum_o[1] sum_o[2]\n"
XOR = ".names i0.ones_i[0] i1.ones_i[1] i3.on_i[0] sum_o[0]\n011 1\n101 1\n"
CARRY = ".names i0.ones_i[0] i1.ones_i[1] c\n11 1\n"
SUM = HEAD + XOR + CARRY + ".names c i2.twos_i[0] i3.on_i[0] sum_o[1]\n011 1\n101 1\n.names c i2.twos_i[0] i3.on_i[0] sum_o[2]\n111 1\n.end\n"
WRONG = {  # the text in the sum, what a tree has instead
    "a lost carry": ("sum_o[2]\n111 1", "sum_o[2]"),
    "a carry too much": ("c\n11 1", "c\n1- 1"),
    "not switched off": ("sum_o[1]\n011 1\n101 1", "sum_o[1]\n01- 1\n10- 1"),
    "a second set of another weight": ("sum_o[1]\n011 1\n101 1", "sum_o[1]\n011 1\n1-1 1"),
    "one more with no bit set": ("sum_o[0]\n011 1\n101 1", "sum_o[0]\n001 1\n111 1"),
}


def summed(test: Planted) -> None:
    """The induction, with a solver that tells the truth."""
    truth = {True: "Networks are equivalent.  Time = 0", False: "Networks are NOT EQUIVALENT.  Time = 0"}
    asked = []

    def one(tree: str, total: str = SUM, lies: dict[int, str | Exception] | None = None) -> Answer:
        (test.work / "tree.blif").write_text(tree)
        (test.work / "sum.blif").write_text(total)
        asked.clear()

        def ask(commands: str, seconds: float, _: Path) -> str:
            asked.append(seconds)
            lie = (lies or {}).get(len(asked) - 1)
            if isinstance(lie, Exception):
                raise lie
            gold, gate = map(Path, commands.split()[-2:])
            return truth[evaluated(gold) == evaluated(gate)] if lie is None else lie
        with mock.patch.object(prover, "ask", ask):
            return sums.prove_one(test.work / "tree.blif", test.work / "sum.blif", test.work / "work", 100)
    with test.case("a sum is itself: two bases, two questions for each bit"):
        answer = one(SUM)
        expect(answer == Answer(PROVED, "3 bits, by induction over those that are set") and len(asked) == 8, f"{answer} {asked}")
    for name, (old, new) in WRONG.items():
        with test.case(f"a tree with {name}: failed, and so the other way round"):
            expect(old in SUM, "does not fit")
            expect(one(SUM.replace(old, new)).status == FAILED and one(SUM, SUM.replace(old, new)).status == FAILED, "not failed")
    with test.case("both the same and no sum: failed"):
        wrong = SUM.replace("111 1\n.end", "001 1\n.end")
        expect(one(wrong, wrong).status == FAILED, "not failed")
    lies = ("", "Networks are UNDECIDED.  Time = 9", "Networks are equal.  Time = 0", tools.Timeout("abc: no answer"),
            tools.ToolFailed("abc: signal 9", -9))
    for at in range(8):
        for lie in lies:
            with test.case(f"question {at} without an answer, {lie!r}: open; what fails elsewhere outranks it"):
                answer = one(SUM, lies={at: lie})
                expect(answer.status == OPEN and answer.text.startswith("undecided: ") and asked[at + 1:] == [prover.LOOK] * (7 - at), f"{answer} {asked}")
                expect(at == 7 or one(SUM, lies={at: lie, at + 1: truth[False]}).status == FAILED, "open")
    with test.case("a circuit without inputs, outputs or sets: refused"):
        for text in (SUM.replace(".inputs", ".nothing"), SUM.replace(".outputs", ".nothing")):
            refused(lambda text=text: one(text), "has no inputs or no outputs")
        with mock.patch.object(sums._Induction, "both"):
            refused(lambda: one(SUM.replace("ones_i", "eins_i").replace("twos_i", "zwei_i")), "has no sets")


def found_sums(test: Planted) -> None:
    """As many trees as the design has."""
    def design(*names: str) -> dict:
        return {"top": {"cells": {name: {"type": name} for name in names}}, **{name: {"cells": {}} for name in names}}

    def run(tree: dict, total: dict, wanted: bool, *answers: Answer) -> Answer:
        with mock.patch.object(sums.netlist, "read", side_effect=[tree, total]), mock.patch.object(sums, "write_blif"), \
                mock.patch.object(sums, "prove_one", side_effect=answers):
            return sums.prove(test.work, 1, "top", wanted)
    good = Answer(PROVED, "said")
    one, two = design("a_warp_sum"), design("a_warp_sum", "b_warp_sum")
    with test.case("none, one, two"):
        expect(run(design(), design(), False) == Answer(PROVED, ""), "none")
        expect(run(one, one, True, good) == Answer(PROVED, ", and a tree of adders equal to its sum"), "one")
        expect(run(two, two, True, good, good) == Answer(PROVED, ", and 2 trees of adders equal to their sums"), "two")
    for status in (FAILED, OPEN):
        with test.case(f"one of two {status}"):
            for answers in ((good, Answer(status, "x")), (Answer(status, "x"), good)):
                expect(run(two, two, True, *answers).status == status, "not so")
    with test.case("none where some are wanted, some where none are, others on the other side: refused"):
        refused(lambda: run(design(), design(), True), "0 sums in the netlist")
        refused(lambda: run(one, one, False, good), "1 sums in the netlist")
        refused(lambda: run(one, two, True, good, good), "have other sums")


# ---- the result --------------------------------------------------------------------------------------

def judged(test: Planted) -> None:
    """The exit status."""
    rooms = test.work / "tb"
    path = rooms / "formal/proved/fermi"
    path.parent.mkdir(parents=True)
    setup = Setup("fermi", Path("build/fermi"), test.work, rooms=rooms)
    for states in itertools.chain.from_iterable(itertools.combinations_with_replacement((PROVED, OPEN, FAILED), count) for count in range(3)):
        for allow, regression, record in itertools.product((False, True), repeat=3):
            rows = [{"block": "a", "proof": f"rule {number}", "status": status} for number, status in enumerate(states)]
            path.write_text("a\tanother rule\n" if regression else "b\tstep\n")
            given = argparse.Namespace(allow_open=allow, record=record, page=None, block=[])
            good = bool(rows) and set(states) <= ({PROVED, OPEN} if allow else {PROVED}) and (not regression or record)
            with test.case(f"{' '.join(states) or 'nothing'}, open allowed {allow}, regression {regression}, recorded {record}: {int(not good)}"):
                with mock.patch("builtins.print") as said:
                    expect(formal.judge(setup, rows, proved.lost(proved.read(path), rows), given) == int(not good), "another status")
                expect(bool(said.call_args_list) == (regression and bool(rows)), "a regression is not said")


def verdicts(test: Planted) -> None:
    (target,), (part_of_it,) = (formal.parts.chosen_targets(block(name), "fermi", False) for name in ("chip_governor", "sm_governor"))
    parts_of = {target: [part_of_it], part_of_it: []}
    for own, part in itertools.product((PROVED, OPEN, FAILED), (PROVED, OPEN, FAILED, None)):
        want = own if own != PROVED or part == PROVED else OPEN
        with test.case(f"by parts {own}, its part {part}: {want}"):
            proofs = {target.name: Proof(own, "said", 3, [Rule("EVERY", "r", "t")])} | ({"sm_governor": Proof(part, "")} if part else {})
            found = formal.verdict(target, parts_of, proofs)
            expect(found.status == want and len(found.rules) == 1 and found.seconds == 3, str(found))
    with test.case("no answer: open"):
        expect(formal.verdict(target, parts_of, {}).status == OPEN, "not open")
    with test.case("a row for the step, one for each rule, each with its own status"):
        rows = formal.rows_of(target, Proof(OPEN, "said", 3, [Rule("EVERY", "r", "t", PROVED), Rule("STEP", "s", "u", FAILED)]))
        expect([row["status"] for row in rows] == [OPEN, PROVED, FAILED] and rows[1]["proof"] == "r: t", str(rows))


def progress(test: Planted) -> None:
    """"proved" is said of a target only when its step and all its rules are."""
    for own, of_rules, want in ((PROVED, (), "proved"), (PROVED, (PROVED, PROVED), "proved"), (PROVED, (PROVED, OPEN), "open: 1 of 2 rules"),
                                (PROVED, (OPEN, FAILED), "failed: 2 of 2 rules"), (OPEN, (PROVED,), "open"), (FAILED, (OPEN,), "failed")):
        with test.case(f"{own}, its rules {' '.join(of_rules) or 'none'}: {want}"):
            expect(formal.came_of(Proof(own, "", 1, [Rule("EVERY", "r", "t", one) for one in of_rules])) == want, "another word")


def bits(test: Planted) -> None:
    path = test.work / "list"
    with test.case("a list of bits: kind and label"):
        path.write_text(BITS)
        expect(cut.read_bits(path)[:2] == [("in", "i0.a_i[0]"), ("out", "b_o[0]")] and len(cut.read_bits(path)) == 5, "others")
    for name, text in (("empty", ""), ("cut short", BITS[:-12]), ("no list", "hello\n")):
        with test.case(f"a list of bits that is {name}: refused"):
            path.write_text(text)
            refused(lambda: cut.read_bits(path), "no list of bits")


def port(direction: str, *nets: int) -> dict:
    return {"direction": direction, "bits": list(nets)}


RTL = {"ports": {"clk_i": port("input", 2), "rst_ni": port("input", 3), "a_i": port("input", 4), "b_o": port("output", 5)},
       "cells": {"flop": {"type": "$dff", "parameters": {"CLK_POLARITY": "1"}, "port_directions": {},
                          "connections": {"CLK": [2], "D": [6], "Q": [7]}},
                 "gate": {"type": "$and", "connections": {"A": [4], "B": [3], "Y": [6]}, "port_directions": {}, "parameters": {}}},
       "netnames": {"c_q": {"bits": [7]}}}
STEP = [("in", "i0.rst_ni[0]"), ("in", "i1.a_i[0]"), ("in", "i2.c_q[0]"), ("out", "b_o[0]"), ("next", "c_q.next[0]"), ("zero", "z[0]")]


def cuts(test: Planted) -> None:
    """What the RTL has and the list lacks, or the other way round, is refused."""
    with test.case("a step: inputs, registers, outputs, next registers"):
        ports = cut.step_circuit(RTL, STEP)["ports"]
        expect({name: one["bits"] for name, one in ports.items()} == {"i0.rst_ni[0]": [3], "i1.a_i[0]": [4], "i2.c_q[0]": [7],
               "b_o[0]": [5], "c_q.next[0]": [6]}, str(ports))
        expect([ports[name]["direction"] for name in ports] == ["input"] * 3 + ["output"] * 2, "other directions")
    for number in range(1, 5):
        with test.case(f"without {STEP[number][1]}: refused"):
            refused(lambda number=number: cut.step_circuit(RTL, STEP[:number] + STEP[number + 1:]), "")
    for kind, label in (("in", "i3.d_i[0]"), ("out", "e_o[0]"), ("out", "b_o[1]"), ("in", "i3.f_q[0]"), ("next", "c_q.next[1]")):
        with test.case(f"with {label}: refused"):
            refused(lambda kind=kind, label=label: cut.step_circuit(RTL, [*STEP, (kind, label)]), label)


if __name__ == "__main__":
    Planted.main("", progress, summaries, solved, step, translated, witnesses, listed, ruled, composed, summed, found_sums, judged, verdicts, bits, cuts)
