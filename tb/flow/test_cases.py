# SPDX-License-Identifier: Apache-2.0
"""Tests a question that is asked by cases (prover.equal): what is set, which outputs are asked about, that each case is asked, and what its answer does.

  python3 tb/flow/test_cases.py

Ends with 'N passed, N failed'.
"""
from __future__ import annotations

import itertools
import shutil
import sys
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
import blif
import prover
import tools
from planted import Planted, expect
from prover import FAILED, OPEN, PROVED, Answer
from test_aiger import evaluate, nodes_of, some_circuit

MODE = ("1.mode[0]", "2.mode[1]")  # labels of the inputs that make cases
WRONG = ("0", "1")  # in which the free ones are not equal
MODES = {("0", "0"): lambda a, b: a and b, ("1", "0"): lambda a, b: a or b, ("0", "1"): lambda a, b: a != b, ("1", "1"): lambda a, _: a}


def modes(path: Path, wrong: tuple[str, str] | None = None, says: int = 1) -> Path:
    """x does something else in each mode, and in the one that is `wrong` the opposite. y hangs on no mode. `says`: where x is 0, or where it is 1."""
    rows = [f"{''.join(mode)}{a:d}{b:d} {says}" for mode, means in MODES.items() for a, b in itertools.product((False, True), repeat=2)
            if (means(a, b) != (mode == wrong)) == says]
    path.write_text("\n".join([".model m", f".inputs {' '.join(MODE)} 3.model[0] a b", ".outputs x y", f".names {' '.join(MODE)} a b x", *rows,
                               ".names a b y", "11 1", ".end", ""]))
    return path


def by_cases(test: Planted, said: dict[tuple[str, ...], Answer]) -> tuple[bool, list[str], set[tuple[str, ...]]]:
    """Where each case says this, or else that it is proved: whether there is a difference, what is left, and which cases were asked."""
    asked: set[tuple[str, ...]] = set()

    def one(gold: Path, gate: Path, work: Path, seconds: float, sides: tuple[str, str], free: tuple[Path, Path], brief: bool = False) -> Answer:
        values = tuple("1" if words == ["1"] else "0" for words in _constants(gold))
        asked.add(values)
        expect(brief and (seconds, sides) == (5, ("left", "right")), "another question")
        for a, b in itertools.product((False, True), repeat=2):  # whatever the inputs have that are set
            found = [{evaluate(path, dict.fromkeys((*MODE, "3.model[0]"), other) | {"a": a, "b": b})["x"] for other in (False, True)}
                     for path in (gold, gate, *free)]
            right = bool(MODES[values](a, b))
            expect(found == [{right}, {right}, {right}, {right != (values == WRONG)}], f"{work}: {found}")
        expect(blif.labels(gold, ".outputs") == ["x"], "outputs that hang on no mode are asked about")
        return said.get(values, Answer(PROVED, ""))
    gold, gate = modes(test.work / "gold.blif"), modes(test.work / "gate.blif")
    work = test.work / "work"
    prover._prepare(work)
    free = (modes(test.work / "free_gold.blif"), modes(test.work / "free_gate.blif", WRONG))
    comparison = prover._Comparison(gold, gate, work, 5, ("left", "right"), free, ("mode",))
    comparison.left = [0, 1]
    shutil.copy(gold, work / "cheap.blif")
    with mock.patch.object(prover, "equal", one):
        differs = comparison.by_cases("cheap")
    return differs, [comparison.names[number] for number in comparison.left], asked


def _constants(path: Path) -> list[list[str]]:
    """What stands behind each name of an input that is set."""
    lines = blif.lines(path)
    return [behind for words, behind in itertools.pairwise(lines) if words[0] == ".names" and len(words) == 2 and words[1].endswith(".set")]


def cases(test: Planted) -> None:
    """A question that is asked with each value of some inputs."""
    opened, nothing, bad = Answer(OPEN, "", left=("x",)), Answer(OPEN, ""), Answer(FAILED, "")
    with test.case("what is proved in every case is proved, what hangs on none of the inputs is left"):
        expect(by_cases(test, {}) == (False, ["y"], {*MODES}), str(by_cases(test, {})))
    for mode in MODES:
        for answer in (opened, nothing, bad):
            with test.case(f"the case {''.join(mode)} is {answer.status}, {'and says what is left' if answer.left else 'without a word'}"):
                differs, left, _ = by_cases(test, {mode: answer})
                expect((differs, left) == (answer is bad, ["x", "y"]), f"{differs} {left}")
    gold, gate, work = test.work / "gold.blif", test.work / "gate.blif", test.work / "work"
    for why, lines in (("other outputs", ".model m\n.inputs 1.mode[0]\n.outputs x\n.names 1.mode[0] x\n1 1\n.end\n"), ("nothing, beside what an earlier question left", "")):
        with test.case(f"a file of {why}: nothing is asked"):
            comparison = prover._Comparison(modes(gold), modes(gate), work, 5, ("left", "right"), None, ("mode",))
            comparison.left = [0, 1]
            expect((work / "cheap.cases.aig").is_file(), "no old file")
            (work / "cheap.blif").write_text(lines)
            with mock.patch.object(prover, "equal", side_effect=AssertionError("asked")):
                expect(not comparison.by_cases("cheap") and comparison.left == [0, 1], "proved")
            modes(work / "cheap.blif")
            comparison.reading_cases("cheap")
    swept = prover._Comparison.swept_cheaply

    def leaves_all(one: prover._Comparison) -> str:
        return "same_left" if one.cases and not one.left.extend(range(len(one.names))) else swept(one)
    for wrong in (None, *MODES):
        with test.case(f"where nothing else answers, {'wrong in ' + ''.join(wrong) if wrong else 'equal'}"), \
                mock.patch.object(prover._Comparison, "by_cadical", return_value=False), \
                mock.patch.object(prover._Comparison, "swept_cheaply", leaves_all), \
                mock.patch.object(prover._Comparison, "parted", return_value=False), \
                mock.patch.object(prover._Comparison, "diagrams", return_value=False), \
                mock.patch.object(prover._Comparison, "look", prover._Comparison.look if wrong else lambda _: False):
            modes(gold)
            modes(gate, wrong, says=0)
            answer = prover.equal(gold, gate, work, 5, ("left", "right"), brief=True, cases=("mode",))
            expect(answer.status == (FAILED if wrong else PROVED), str(answer))
    for brief, status in ((True, OPEN), (False, PROVED)):
        with test.case(f"what is quick is asked of each case first, and the rest in earnest; brief {brief}"), \
                mock.patch.object(prover._Comparison, "swept_cheaply", leaves_all), mock.patch.object(prover._Comparison, "by_cadical", return_value=False), \
                mock.patch.object(prover._Comparison, "parted", return_value=False), mock.patch.object(prover._Comparison, "diagrams", return_value=False), \
                mock.patch.object(prover._Comparison, "look", return_value=False), mock.patch.object(prover._Comparison, "swept_hard", side_effect=AssertionError), \
                mock.patch.object(prover._Comparison, "case", lambda *given: opened if given[-1] else Answer(PROVED, "")):
            expect(prover.equal(modes(gold), modes(gate, says=0), work, 5, ("left", "right"), brief=brief, cases=("mode",)).status == status, "another answer")
    for answer, asked_again in ((opened, {"10": ["x"], "11": ["x"]}), (nothing, {"10": ["x", "y"], "11": ["x", "y"]})):
        with test.case(f"in earnest nothing is asked again that a case has proved; it said {'what is left' if answer.left else 'nothing'}"):
            comparison = prover._Comparison(modes(gold), modes(gate), work, 5, ("left", "right"), None, ("mode",))
            comparison.left = [0, 1]
            asked: dict[str, list[str]] = {}

            def one(values: dict[str, str], names: list[str], brief: bool, asked: dict[str, list[str]] = asked, answer: Answer = answer) -> Answer:
                asked["".join(values.values())] = names
                return answer if brief and "".join(values.values()) == "10" else Answer(PROVED, "")
            with mock.patch.object(comparison, "reading_cases", lambda _, comparison=comparison: {*comparison.left}), mock.patch.object(comparison, "case", one):
                expect(not comparison.by_cases("cheap") and comparison.left == ([0] if answer.left else [0, 1]), str(comparison.left))
                asked.clear()
                expect(not comparison.by_cases("cheap", brief=False) and not comparison.left, str(comparison.left))
            expect(asked == asked_again, str(asked))
    for names, why in ((("mod",), "has no input mod "), (("mode", "x"), "has no input x "), (("mode",) * 3, "6 bits of mode mode mode make too many cases")):
        with test.case(f"cases of {' '.join(names)}: refused"):
            try:
                prover.equal(gold, gate, work, 5, ("left", "right"), cases=names)
                expect(False, "taken")
            except tools.ToolFailed as failure:
                expect(why in str(failure), str(failure))
    with test.case("an output that changes with an input hangs on it"):
        for seed in range(100):
            whole = some_circuit(seed)
            for at, name in enumerate(whole.inputs):
                found = whole.reading({name})
                for bits in itertools.product((False, True), repeat=4):
                    other = [bit != (number == at) for number, bit in enumerate(bits)]
                    one, two = (nodes_of(whole, dict(zip(whole.inputs, values, strict=True))) for values in (bits, other))
                    expect(all(reads or one[literal >> 1] == two[literal >> 1] for reads, literal in zip(found, whole.outputs, strict=True)), f"{seed} {name}")
                expect(whole.reading(set()) == [False] * len(whole.outputs), "hangs on nothing")


if __name__ == "__main__":
    Planted.main("", cases)
