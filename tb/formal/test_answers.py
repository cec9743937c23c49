#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_answers.py [BUILD_DIR]: does anything that a tool says or leaves wrongly, or does not say, become a proof? Each call
of each tool of a proof fails in each way (tb/flow/failing.py): killed, silent, a file cut short, another word, the files of the
run before. Solvers are asked about circuits that differ. Ends with "N passed, N failed". Without LONG each call fails in
some of the ways.
"""
from __future__ import annotations

import itertools
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), str(HERE.parent / "flow")]

import cadical
import formal
import llvm
import parts
import prove
import prover
import sums
import tools
import yosys
from blocks import block
from circuits import Setup
from failing import WAYS, Call, Failing, combinations, real
from planted import LONG, Planted, expect
from prover import FAILED, OPEN, PROVED
from remembered import Remembered

BLOCK, TARGET = "vf_vote", "vf_vote_sms1"  # one SM: all is proved in a second
SECONDS = 600  # for an answer: a busy machine must not make one open
prove.PATTERNS, prove.PROPERTY_PATTERNS = 20000, 2000  # a tenth: whether the translation is right is asked by test_translation.py
OWN = ("stepir", "words", "unknowns")       # tools of the build
OF_LLVM = ("clang", "llvm-link", "opt")
COMPILERS = ("yosys", *OF_LLVM, "gcc")


class Test(Planted):
    def stand_ins(self, folder: Path, names: tuple[str, ...]) -> Failing:
        found = {name: self.place(name) for name in names}
        return Failing(self.work / "failing", folder, found)

    def place(self, name: str) -> str:
        if name in OWN:
            return str(Setup("fermi", self.build, self.out, SECONDS).tool(name).resolve())
        return str(llvm.tool(name)) if name in OF_LLVM else real(name)

    def setup(self, failing: Failing) -> Setup:
        """A build in which the project's own tools can fail, too."""
        build = self.work / "build"
        shutil.rmtree(build, ignore_errors=True)
        build.mkdir()
        (build / "formal").symlink_to(failing.home / "bin")
        if not (failing.home / "bin" / llvm.folder().name).exists():
            (failing.home / "bin" / llvm.folder().name).symlink_to(".")
        (build / "verilator").symlink_to((self.build / "verilator").resolve())
        return Setup("fermi", build, self.out, SECONDS)

    def each(self, failing: Failing, job: Callable[[], str], wrong: Callable[[str], bool], ways: tuple[str, ...] = WAYS,
             without: Callable[[Call], AbstractContextManager[object]] = lambda call: nullcontext()) -> None:
        """Each call of a job in each way: what comes of it, or a tools.Failure; nothing else may come. `without`: what need not run again
        when this call fails."""
        with failing.plan(None):
            job()
        for call, way in combinations(failing.calls(), LONG, ways):
            with failing.plan(call, way), without(call):
                traceback = False
                try:
                    came = job()
                except tools.Failure as failure:
                    came = f"refused: {failure}"
                except Exception as error:  # a traceback for a user
                    came = f"{type(error).__name__}: {error}"
                    traceback = True
            if not failing.failed:
                continue  # there was nothing to spoil
            self.said = came
            with self.case(f"{call}: {way}"):
                expect(not traceback and not wrong(came), f"'{came}'")
                expect("\n" not in came, "more than one line")


def proof_of(setup: Setup) -> str:
    """proved: all of it."""
    (target,) = (one for one in parts.chosen_targets(block(BLOCK), setup.config, True) if one.name == TARGET)
    found = prove.prove(setup, target)
    states = {found.status, *(rule.status for rule in found.rules)}
    return PROVED if states == {PROVED} and len(found.rules) > 3 else f"not proved: {found.status} {sorted(states)}"


def circuits(test: Test) -> None:
    """What makes circuits, and what tests the translation: nothing is proved with one of them failing."""
    failing = test.stand_ins(test.out, OWN + COMPILERS)
    setup, remembered = test.setup(failing), Remembered()

    def without_yosys(call: Call) -> AbstractContextManager[object]:
        return nullcontext() if call.tool == "yosys" else mock.patch.object(yosys, "run", remembered)
    with mock.patch.object(llvm, "tool", lambda name: failing.home / "bin" / name):
        with test.case("as it is: proved"), failing.plan(None):
            expect(proof_of(setup) == PROVED, "not proved")
        test.each(failing, lambda: proof_of(setup), lambda came: came == PROVED, without=without_yosys)


@contextmanager
def impatient() -> Iterator[None]:
    """A solver that gives up soon, so that every way of asking has its turn."""
    with mock.patch.multiple(prover, CONFLICTS=(1,), ONE_BY_ONE=1, LOOK=SECONDS, NODES=200):
        yield


# Two ways to multiply numbers of four bits, and one with a wrong gate: more than a solver sees in one conflict.
def multiplier(path: Path, rows_first: bool, wrong: bool = False, free: bool = False) -> Path:
    bits = 4
    names = [f"i{number:05}.{name}[{number // 2}]" for number, name in enumerate(["a", "b"] * bits)]
    a, b = names[::2], names[1::2]
    lines, sums_at, count = [], {}, 0
    terms = [(x + y, x, y) for x in range(bits) for y in range(bits)]
    for column, x, y in terms if rows_first else sorted(terms, key=lambda term: (-term[1], term[2])):
        lines.append(f".names {a[x]} {b[y]} p{x}_{y}\n11 1")
        carry = f"p{x}_{y}"
        while column in sums_at:
            lines += [f".names {sums_at[column]} {carry} s{count}\n01 1\n10 1", f".names {sums_at[column]} {carry} c{count}\n11 1"]
            sums_at[column], carry = f"s{count}", f"c{count}"
            column, count = column + 1, count + 1
        sums_at[column] = carry
    outputs = [f"o[{column}]" for column in range(2 * bits)]
    for column, label in enumerate(outputs):
        at = sums_at.get(column)
        text = f".names {label}" if at is None else f".names {at} {label}\n1 1"
        if wrong and column == 5:
            text = f".names {at} {' '.join(a)} {b[0]} {label}\n1----- 1\n011111 1"
        lines.append(text)
    path.write_text("\n".join([".model m", f".inputs {' '.join(names)}", f".outputs {' '.join(outputs)}", *lines, ".end", ""]))
    return path


def solver(test: Test) -> None:
    """Circuits that differ are never equal, those that do not never differ."""
    folder = test.work / "solver"
    folder.mkdir()
    gold, gate = multiplier(folder / "gold.blif", True), multiplier(folder / "gate.blif", False)
    wrong = multiplier(folder / "wrong.blif", False, wrong=True)
    failing = test.stand_ins(folder, (prover.abc(), cadical.SOLVER))

    def compared(other: Path, without: tuple[str, ...]) -> str:
        """`without` the ways of asking that know everything."""
        with impatient(), ExitStack() as stack:
            for way in without:
                stack.enter_context(mock.patch.object(prover._Comparison, way, return_value=False))
            return prover.equal(gold, other, folder / "work", SECONDS, free=(gold, other)).status
    for (other, right, lie), without in itertools.product(((wrong, FAILED, PROVED), (gate, PROVED, FAILED)),
                                                          ((), ("by_cadical",), ("by_cadical", "look"), ("by_cadical", "look", "parted", "by_pieces"))):
        with test.case(f"{other.stem}, without {' '.join(without) or 'nothing'}: {right}"), failing.plan(None):
            expect(compared(other, without) == right, compared(other, without))
            test.said = str(len(failing.calls()))
        if not LONG and "by_cadical" in without and "parted" not in without:
            continue  # the others have all of its questions, and test_prover.py those about parts
        test.each(failing, lambda other=other, without=without: compared(other, without), lambda came, lie=lie: came == lie)
    for other, right in ((wrong, FAILED), (gate, PROVED)):
        with test.case(f"{other.stem}, where sweeping finds no end: {right}"), failing.plan(None), \
                mock.patch.object(prover._Comparison, "sweep", side_effect=prover._Undecided("no end")):
            expect(compared(other, ("look",)) == right, compared(other, ("look",)))
    with test.case("every way of asking had its turn"):
        logs = {path.stem for path in (folder / "work").glob("*.log")}
        expect(logs >= {"first", "cheap", "clauses", "swept", "free", "alone", "group", "parted", "pieces", "differs", "cex"}, str(logs))


def witness(test: Test) -> None:
    """An output that can never be 1 has no witness."""
    circuit = test.work / "witness.blif"
    circuit.write_text(".model m\n.inputs a b\n.outputs x y\n.names a b x\n11 1\n.names a n\n0 1\n.names a n y\n11 1\n.end\n")
    failing = test.stand_ins(test.work, (prover.abc(),))
    with test.case("y is never 1"), failing.plan(None):
        answer = prover.possible(circuit, test.work / "witness", SECONDS)
        expect((answer.status, answer.text) == (FAILED, "y"), str(answer))
    test.each(failing, lambda: prover.possible(circuit, test.work / "witness", SECONDS).status, lambda came: came == PROVED)
    with test.case("what failed outranks what is open"), failing.plan(failing.calls()[0], "silent"):
        expect(prover.possible(circuit, test.work / "witness", SECONDS).status == FAILED, "open")
    with test.case("a solver that never ends leaves it open"), failing.plan(failing.calls()[1], "hangs"):
        expect(prover.possible(circuit, test.work / "witness", 1).status == OPEN, "not open")


SUM = ".model sum\n.inputs i0.ones_i[0] i1.ones_i[1] i2.on_i[0]\n.outputs sum_o[0] sum_o[1]\n{0}\n.end\n"
XOR = ".names i0.ones_i[0] i1.ones_i[1] i2.on_i[0] sum_o[0]\n011 1\n101 1\n"
TREES = {"sum": XOR + ".names i0.ones_i[0] i1.ones_i[1] i2.on_i[0] sum_o[1]\n111 1", "tree": XOR + ".names sum_o[1]"}


def sum_trees(test: Test) -> None:
    """A tree of adders that has lost its carry is never its sum."""
    folder = test.work / "trees"
    folder.mkdir()
    for name, text in TREES.items():
        (folder / f"{name}.blif").write_text(SUM.format(text))
    failing = test.stand_ins(folder, (prover.abc(),))

    def answer(tree: str = "tree") -> str:
        return sums.prove_one(folder / f"{tree}.blif", folder / "sum.blif", folder / "work", SECONDS).status
    with test.case("a tree without a carry: failed; a sum and itself: proved"), failing.plan(None):
        expect(answer() == FAILED and answer("sum") == PROVED, f"{answer()} {answer('sum')}")
    test.each(failing, answer, lambda came: came == PROVED)
    with failing.plan(None):
        answer()
    with test.case("what failed outranks what is open"), failing.plan(failing.calls()[0], "silent"):
        expect(answer() == FAILED, "open")
    test.each(failing, lambda: answer("sum"), lambda came: came in (PROVED, FAILED))


def missing(test: Test) -> None:
    names = [*formal.TOOLS, "berkeley-abc"]
    for name in names:
        with test.case(f"without {name}: one line"):
            test.run(2, BLOCK, env=test.only("sh", "cat", *(other for other in names if other != name)))
            test.one_line(f"^formal.py: {re.escape(name)} is not installed")


if __name__ == "__main__":
    Test.main("tb/formal/formal.py", circuits, solver, witness, sum_trees, missing)
