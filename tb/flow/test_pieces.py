# SPDX-License-Identifier: Apache-2.0
"""Tests a question that is asked piece by piece (prover.equal): that the pieces together are the whole, that each is asked, and what its answer does.

  python3 tb/flow/test_pieces.py

Ends with 'N passed, N failed'.
"""
from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
import aiger
import blif
import cadical
import prover
import tools
from planted import Planted, expect
from prover import FAILED, OPEN, PROVED
from test_aiger import evaluate, nodes_of, some_circuit

ROOMS = 20  # of each of which a rule speaks
NONE, SOLUTION, OPENED = cadical.NONE, cadical.SOLUTION, cadical.OPEN


def rule(path: Path, wrong: int | None = None, rooms: int = ROOMS) -> Path:
    """`broken` is 1 where it is so in some room: where, with `go`, three bits there have other ANDs in two orders. In the room that is `wrong` one of the orders
    leaves a bit out. `other` is one of nothing."""
    lines = [".model m", f".inputs go {' '.join(f'a{n} b{n} c{n}' for n in range(rooms))}", ".outputs broken other"]
    for n in range(rooms):
        lines += [f".names a{n} b{n} ab{n}", "11 1", f".names ab{n} c{n} left{n}", "11 1", f".names b{n} c{n} bc{n}", "11 1",
                  f".names {'b' if n == wrong else 'a'}{n} bc{n} right{n}", "11 1", f".names left{n} right{n} fine{n}", "11 1", "00 1"]
    fine = " ".join(f"fine{n}" for n in range(rooms))
    lines += [f".names {fine} all", f"{'1' * rooms} 1", ".names all go broken", "01 1", ".names go a0 other", "11 1", ".end", ""]
    path.write_text("\n".join(lines))
    return path


def zeros(path: Path) -> Path:
    return blif.zeros(rule(path.with_suffix(".like")), path)


def comparison(test: Planted, wrong: int | None = None, rooms: int = ROOMS) -> prover._Comparison:
    work = test.work / "work"
    prover._prepare(work)
    rule(work / "cheap.blif", wrong, rooms)
    found = prover._Comparison(zeros(test.work / "gold.blif"), rule(test.work / "gate.blif", wrong, rooms), work, 5, ("rules", "RTL"), None)
    found.left = [0, 1]
    return found


def circuits(test: Planted) -> None:
    """What an output is one of."""
    to, several = test.work / "piece.blif", 0
    with test.case("all pieces together are the output, for all inputs"):
        for seed in range(200):
            whole = some_circuit(seed)
            for output in whole.outputs:
                ones, others = whole.one_of(output)
                several += len(others) > 1
                nodes = len(whole.ands)
                pieces = [(whole.piece(ones, [other], to), to.read_text())[1] for other in others] if ones else []
                expect(len(whole.ands) == nodes, "the circuit has grown")
                for bits in itertools.product((False, True), repeat=4) if pieces else ():
                    values = dict(zip(whole.inputs, bits, strict=True))
                    found = False
                    for text in pieces:
                        to.write_text(text)
                        found |= evaluate(to, values)["piece"]
                    expect(found == (nodes_of(whole, values)[output >> 1] != bool(output & 1)), f"{seed} {output}")
        expect(several > 200, f"{several} of 800 are one of several things")
    with test.case("what is no AND of ANDs is one of nothing; the opposite of an input is one of one"):
        whole = aiger.Circuit(["a", "b"], [], [(4, 2)])
        expect([whole.one_of(output)[1] for output in (0, 2, 6)] == [[], [], []], "one of something")
        expect([sorted(whole.one_of(output)[1]) for output in (1, 3, 7)] == [[0], [2], [2, 4]], "others")


def pieces(test: Planted) -> None:
    """Which are asked, and what their answers do."""
    for limit in (1, 3, 7, ROOMS, 128):
        with test.case(f"at most {limit} pieces: each room is in one, and all of them are asked"), mock.patch.object(prover, "PIECES", limit):
            asked: list[set[str]] = []

            def one(_: object, path: Path, asked: list[set[str]] = asked) -> str:
                asked.append({*blif.labels(path, ".inputs")})
                return NONE
            with mock.patch.object(prover._Comparison, "piece", one):
                about = comparison(test)
                expect(not about.by_pieces("cheap") and about.left == [1], str(about.left))
            rooms = [name for inputs in asked for name in inputs if name.startswith("a")]
            expect(sorted(rooms) == sorted(f"a{n}" for n in range(ROOMS)) and len(asked) <= limit, str(asked))
            expect(all("go" in inputs for inputs in asked), "without what else has to hold")
    for at, answer in itertools.product((0, 7, ROOMS - 1), (OPENED, SOLUTION)):
        with test.case(f"piece {at} is {answer}: nothing is proved, and nobody is asked after it"):
            said = [NONE] * at + [answer]
            about = comparison(test)
            with mock.patch.object(prover._Comparison, "piece", side_effect=said) as asked:
                expect(about.by_pieces("cheap") == (answer == SOLUTION) and about.left == [0, 1] and asked.call_count == at + 1, f"{about.left} {asked.call_count}")
    with test.case("one of few things stays together"), mock.patch.object(prover._Comparison, "piece", side_effect=AssertionError("asked")):
        few = comparison(test, rooms=prover.FEW - 1)
        expect(not few.by_pieces("cheap") and few.left == [0, 1], str(few.left))
    for why, lines in (("other outputs", ".model m\n.inputs a\n.outputs x\n.names a x\n1 1\n.end\n"), ("nothing, beside what an earlier question left", "")):
        with test.case(f"a file of {why}: nothing is asked"), mock.patch.object(prover._Comparison, "piece", side_effect=AssertionError("asked")):
            about = comparison(test)
            expect((about.work / "cheap.pieces.aig").is_file(), "no old file")
            (about.work / "cheap.blif").write_text(lines)
            expect(not about.by_pieces("cheap") and about.left == [0, 1], str(about.left))


def answers(test: Planted) -> None:
    """What ABC and CaDiCaL say of a piece."""
    for wrong in (None, 0, ROOMS - 1):
        with test.case("no room is wrong: proved" if wrong is None else f"room {wrong} is wrong: a difference"):
            about = comparison(test, wrong)
            expect(about.by_pieces("cheap") == (wrong is not None) and about.left == ([1] if wrong is None else [0, 1]), str(about.left))
    run = tools.run

    def spoilt(way: str) -> Callable[..., object]:
        def other(command: list[str], **given: object) -> object:
            if "write_cnf" not in command[-1]:
                return run(command, **given)
            if way == "unwritten":
                return run([*command[:-1], command[-1].partition("; write_cnf")[0]], **given)
            done = run(command, **given)
            done.stdout = "" if way == "silent" else done.stdout.replace("/    1 ", "/    2 ")
            return done
        return other
    for way in ("unwritten", "silent", "other outputs"):
        with test.case(f"clauses of a piece: {way}, with those of an earlier one there: open"), mock.patch.object(tools, "run", spoilt(way)), \
                mock.patch.object(cadical, "ask", side_effect=AssertionError("asked")):
            about = comparison(test)
            (about.work / "cheap.0.piece.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
            expect(not about.by_pieces("cheap") and about.left == [0, 1], str(about.left))
    with test.case("without CaDiCaL nothing is asked"), mock.patch.object(prover.shutil, "which", return_value=None):
        about = comparison(test)
        expect(not about.by_pieces("cheap") and about.left == [0, 1], str(about.left))
    for wrong, brief, status in ((None, True, OPEN), (None, False, PROVED), (3, False, FAILED)):
        with test.case(f"where nothing else answers: brief {brief}, {'equal' if wrong is None else 'wrong in a room'}: {status}"), \
                mock.patch.object(prover._Comparison, "swept_cheaply", lambda one: one.left.extend(range(len(one.names))) or "same_left"), \
                mock.patch.object(prover._Comparison, "by_cadical", return_value=False), mock.patch.object(prover._Comparison, "parted", return_value=False), \
                mock.patch.object(prover._Comparison, "diagrams", return_value=False), mock.patch.object(prover._Comparison, "swept_hard", side_effect=AssertionError), \
                mock.patch.object(prover._Comparison, "alone", return_value=False), mock.patch.object(prover._Comparison, "look", return_value=False):
            rule(test.work / "like.blif", wrong)
            gate = blif.only(test.work / "like.blif", ["broken"], test.work / "one.blif")
            found = prover.equal(blif.zeros(gate, test.work / "none.blif"), gate, test.work / "work", 5, ("rules", "RTL"), brief=brief)
            expect(found.status == status, str(found))


if __name__ == "__main__":
    Planted.main("", circuits, pieces, answers)
