# SPDX-License-Identifier: Apache-2.0
"""How gates.py and the flows that replay read what tools say: a table that is missing, cut short or about nothing is no pass. No
netlist is made here.

  python3 synth_scripts/gates/test_judge.py

Ends with 'N passed, N failed'. Run from the repository root.
"""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), "tb/flow"]

import cut as cutting
import engine
import gates
import netlist
import pages
import prover
import tools
import yosys
from blocks import block
from gates import Result
from planted import Planted, expect, refused
from prover import Answer


def result(**changes: object) -> Result:
    return Result(**{"name": "one", "counts": (1, 2, 3, 4), "cycles": 7, "status": prover.PROVED} | changes)


def judged(test: Planted) -> None:
    bad = {"refused": result(refused="why"), "another in lockstep": result(lockstep="MISMATCH"), "failed": result(proof="x", status=prover.FAILED),
           "open": result(proof="x", status=prover.OPEN), "open without a word": result(status=prover.OPEN),
           "never asked": Result("one", (1, 2, 3, 4), cycles=7), "not a cycle": result(cycles=0)}
    with test.case("proved and passed: 0"):
        expect(gates.judge([result(), result()]) == 0, "1")
    for name, one in bad.items():
        with test.case(f"{name}: 1, beside any other"):
            expect(gates.judge([one]) == gates.judge([one, result()]) == gates.judge([result(), one]) == 1, "0")
    with test.case("nothing: 1"):
        expect(gates.judge([]) == 1, "0")
    for one, words in ((result(), ["pass", "proved"]), (bad["failed"], ["pass", "FAIL"]), (bad["open"], ["pass", "open"]),
                       (bad["never asked"], ["pass", "not asked"]), (bad["another in lockstep"], ["MISMATCH", "proved"]),
                       (bad["refused"], ["refused", "refused"])):
        with test.case(f"in the table: {' '.join(words)}"):
            row = one.row(Path("r.blt"))
            expect(row[-3:-1] == words and len(row) == len(gates.WIDTHS), str(row))


def proofs(test: Planted) -> None:
    """An answer, and whether reset is known."""
    run = mock.Mock(**{"library.whole": "lib"})
    for status, known, want in ((prover.PROVED, True, prover.PROVED), (prover.PROVED, False, prover.FAILED), (prover.OPEN, True, prover.OPEN),
                                (prover.OPEN, False, prover.FAILED), (prover.FAILED, True, prover.FAILED), (prover.FAILED, False, prover.FAILED)):
        with test.case(f"{status}, reset {'known' if known else 'unknown'}: {want}"):
            with mock.patch.object(prover, "equal", return_value=Answer(status, "said")), mock.patch.object(gates, "_yosys"), \
                    mock.patch.object(gates, "reset_known", return_value=known):
                expect(gates.prove(mock.Mock(), test.work, run).status == want, "not so")
    ports = {"one": {"a_q.next": ["0", "1"], "b_q.next": ["1"]}, "a register that is not": {"a_q.next": ["0", 7]},
             "undefined": {"a_q.next": ["0", "x"]}, "no registers": {"a_o": ["0"]}}
    for name, bits in ports.items():
        with test.case(f"reset: {name}"):
            module = {"ports": {port: {"direction": "output", "bits": nets} for port, nets in bits.items()}}
            cut = mock.Mock(bits={1: "a_q"})
            cut.reset.return_value = {}
            with mock.patch.object(gates, "_yosys") as ran, mock.patch.object(netlist, "write") as wrote, \
                    mock.patch.object(netlist, "module", return_value=module) as read:
                expect(gates.reset_known(cut, test.work) == (name == "one"), "another answer")
            expect(wrote.call_args.args == (test.work / "reset.json", {}) and read.call_args.args == (test.work / "reset_out.json", "reset"),
                   "another circuit")
            expect(f"write_json {test.work}/reset_out.json" in ran.call_args.args[2], "an old one is read")
    with test.case("a block without registers needs no reset"):
        expect(gates.reset_known(mock.Mock(bits={}), test.work), "it does")


def checked(test: Planted) -> None:
    """Each netlist that is made is checked, and its answer is its own; one that is refused is not."""
    run = mock.Mock(out=test.work, config="fermi", recording=Path("r.blt"))
    for status, lockstep in ((prover.PROVED, ""), (prover.OPEN, ""), (prover.FAILED, ""), (prover.PROVED, "MISMATCH")):
        with test.case(f"{status}, lockstep '{lockstep}': in the result"):
            one = Result("one")
            with mock.patch.object(gates, "prove", return_value=Answer(status, "said")), \
                    mock.patch.object(engine, "replay", return_value=(9, lockstep)):
                gates.check(mock.Mock(), one, mock.Mock(), run)
            expect((one.status, one.cycles, one.lockstep) == (status, 9, lockstep), str(one))
            expect(one.proof == "" if status == prover.PROVED else one.proof.startswith("said; "), one.proof)
            expect(gates.judge([one]) == int(status != prover.PROVED or lockstep != ""), "another status")
    with test.case("a tool that fails: refused, with the netlist's name"):
        for failure in (tools.ToolFailed("abc: signal 9", -9), tools.Timeout("abc: no answer")):
            with mock.patch.object(gates, "prove", side_effect=failure):
                refused(lambda: gates.check(mock.Mock(), Result("one"), mock.Mock(), run), f"one: {failure}")
    with test.case("all that are made, in their order"):
        chosen = [mock.Mock(options={"netlist": name}) for name in ("a", "b", "c")]
        cuts_made = {"a": mock.Mock(), "b": None, "c": mock.Mock()}
        asked = []
        with mock.patch.object(gates, "build", side_effect=lambda target, _: (result(name=target.options["netlist"]), cuts_made[target.options["netlist"]])), \
                mock.patch.object(engine, "link") as link, mock.patch.object(tools, "Progress"), mock.patch.dict(os.environ, JOBS="1"), \
                mock.patch.object(gates, "check", side_effect=lambda target, one, cut, _: asked.append((target, one.name, cut))):
            found = gates.check_all(chosen, run)
        expect([one.name for one in found] == ["a", "b", "c"], str(found))
        expect(asked == [(chosen[0], "a", cuts_made["a"]), (chosen[2], "c", cuts_made["c"])], str(asked))
        expect(link.call_args.args[0] == [chosen[0], chosen[2]], "others are linked")


def written(test: Planted) -> None:
    """The rows of a page: each as soon as its netlist is checked, and nothing of another one's is lost."""
    path = test.work / "page.md"
    run = mock.Mock(out=test.work, config="fermi", recording=Path("r.blt"))
    chosen = [mock.Mock(options={"netlist": name}) for name in ("a", "b")]

    def stopped_behind_a(title: str) -> list[str]:
        """What the page has when b, which comes behind a, is interrupted."""
        path.write_text("<!-- fermi -->\n<!-- end of fermi -->\n")
        gates.Page(path, "fermi", "With this:", ["a", "b", "c"]).write([result(name="c", cycles=5).row(run.recording)])
        with mock.patch.object(gates, "build", side_effect=lambda target, _: (result(name=target.options["netlist"]), mock.Mock())), \
                mock.patch.object(engine, "link"), mock.patch.object(tools, "Progress"), mock.patch.dict(os.environ, JOBS="1"), \
                mock.patch.object(tools, "stop_all"), mock.patch("builtins.print"), \
                mock.patch.object(gates, "check", side_effect=[None, KeyboardInterrupt]):
            try:
                gates.check_all(chosen, run, gates.Page(path, "fermi", title, ["a", "b", "c"]))
                expect(False, "b was not interrupted")
            except KeyboardInterrupt:
                return pages.lines(path, "fermi")
    with test.case("an interrupt leaves the rows of what was checked before it, and those that there were"):
        found = stopped_behind_a("With this:")
        expect([line.split("`")[1] for line in found if line.startswith("| `")] == ["a", "c"] and found[-1] == "Not measured: `b`.", str(found))
        expect("| 7 | pass | proved |" in found[4] and "| 5 | pass | proved |" in found[5], str(found))
    with test.case("a table of another library stays whole until all of its rows are there"):
        found = stopped_behind_a("With that:")
        expect(found[0] == "With this:" and [line.split("`")[1] for line in found if line.startswith("| `")] == ["c"], str(found))
    with test.case("rows of another library are refused before anything is made, where they would leave others alone"):
        refused(lambda: gates.Page(path, "fermi", "With that:", ["a", "b", "c"]).check(["a", "b"]), "measure all its rows that way")


ROW = "fma.n6                   open     0 dyncta          1000         8000 pass      0 (open)          0.0\n"
HEAD = "recording                mode    SM blocks         cycles  comparisons verdict   CTA limit    Mcycles/s\n"
REPLAYS = {  # what is said, exit status: cycles, what differs
    "a pass": (HEAD + ROW, 0, (1000, "")),
    "two passes": (HEAD + ROW + ROW, 0, (2000, "")),
    "another block that does not": (HEAD + ROW + ROW.replace("pass ", "FAIL "), 0, (2000, "the run says FAIL")),
    "the first that does not": (HEAD + ROW.replace("pass ", "FAIL ") + ROW, 0, (2000, "the run says FAIL")),
    "a word that nobody knows": (HEAD + ROW.replace("pass ", "passes "), 0, (1000, "the run says passes")),
    "a head alone": (HEAD, 0, (0, "the run says nothing")),
    "not a word": ("", 0, (0, "the run says damaged")),
    "a row cut short": ((HEAD + ROW)[:-20], 0, (0, "the run says damaged")),
    "no number": (HEAD + ROW.replace("1000 ", "many "), 0, (0, "the run says damaged")),
    "no cycles": (HEAD + ROW.replace("1000 ", "0 "), 0, (0, "the run says pass")),
    "a difference": (HEAD + "MISMATCH in dyncta on SM0, cycle 7 (cycle 9 of it)\n  a\n  b\n  c\n" + ROW.replace("pass ", "MISMATCH "), 1,
                     (1000, "MISMATCH in dyncta on SM0, cycle 7: a, b, c")),
    "status 1 and no word": ("", 1, (0, "model and RTL differ")),
    "status 1 and a pass": (HEAD + ROW, 1, (1000, "model and RTL differ")),
}


def replays(test: Planted) -> None:
    (target,) = engine.netlists(block("dyncta"), "fermi")
    for name, (said, status, want) in REPLAYS.items():
        with test.case(f"a replay that says {name}"):
            ended = subprocess.CompletedProcess([], status, said)
            with mock.patch.object(tools, "run", return_value=ended) as run:
                came = engine.replay(target, "fermi", Path("r.blt"), test.work)
            no_cycles = name == "no cycles"
            expect(came == want and run.call_args.kwargs["accept"] == (0, 1), str(came))
            expect(not no_cycles or gates.judge([result(cycles=came[0], lockstep=came[1])]) == 1, "0 cycles pass")
    with test.case("a replay that is killed: refused"), mock.patch.object(tools, "run", side_effect=tools.ToolFailed("ballast: signal 9", -9)):
        refused(lambda: engine.replay(target, "fermi", Path("r.blt"), test.work), "the replay failed: ballast: signal 9")


# A register of two bits, bit 1 of which synthesis found constant.
RTL = {"ports": {"clk_i": {"direction": "input", "bits": [2]}, "rst_ni": {"direction": "input", "bits": [3]},
                 "d_i": {"direction": "input", "bits": [4]}, "y_o": {"direction": "output", "bits": [5]}},
       "cells": {"flop": {"type": "$dff", "parameters": {"CLK_POLARITY": "1"}, "port_directions": {},
                          "connections": {"CLK": [2], "D": [4, "0"], "Q": [5, 6]}}},
       "netnames": {"a_q": {"bits": [5, 6]}}}
MAPPED = {"ports": RTL["ports"], "netnames": {"a_q": {"bits": [5, "0"]}},
          "cells": {"f0": {"type": "DFF", "connections": {"C": [2], "D": [4], "Q": [5]}}}}
TYPES = {"DFF": netlist.Pins("C", "D", "Q")}


def cuts(test: Planted) -> None:
    """What the proof is about: each register bit of both sides."""
    with test.case("both sides have the same ports, a next state per register bit"):
        cut = cutting.Cut(RTL, MAPPED, TYPES)
        gold, gate = cut.gold()["gold"]["ports"], cut.gate()["gate"]["ports"]
        expect(gold.keys() == gate.keys() and "a_q.next" in gold, f"{sorted(gold)} {sorted(gate)}")
        expect(gate["a_q.next"]["bits"] == [4, "0"] and gold["a_q.next"]["bits"] == [4, "0"], "another next state")
        expect(len(cut.reset()["reset"]["ports"]["a_q.next"]["bits"]) == 2, "reset forgets a bit")
    with test.case("a flip-flop with another clock is refused"):
        other = MAPPED | {"cells": {"f0": {"type": "DFF", "connections": {"C": [3], "D": [4], "Q": [5]}}}}
        refused(lambda: cutting.Cut(RTL, other, TYPES), "is not clocked by clk_i")
    with test.case("a flip-flop that is no register is a stranger"):
        other = MAPPED | {"cells": MAPPED["cells"] | {"f1": {"type": "DFF", "connections": {"C": [2], "D": [4], "Q": [9]}}}}
        expect(cutting.Cut(RTL, other, TYPES).account()["strangers"] == ["f1"], "it is not")
        expect(cutting.Cut(RTL, MAPPED, TYPES).account()["strangers"] == [], "one is")


def files(test: Planted) -> None:
    """What Yosys has to leave."""
    path = test.work / "x.blif"
    commands = ["read_verilog a.v", f"write_blif -opt {path}", f"write_json {test.work}/y.json", f"tee -q -o {test.work}/t stat -json",
                f"mutate -list 3 -seed 1 -o {test.work}/list @own", "mutate -mode inv -cell c", f"tee -q -a {test.work}/t stat"]
    with test.case("the files that commands write"):
        expect([file.name for file in yosys.written(commands)] == ["x.blif", "y.json", "t", "list"], str(yosys.written(commands)))
    whole = {"x.blif": ".model m\n.end\n", "y.json": '{"modules": {}}', "t": "0\n", "list": "one\n"}

    def run(texts: dict[str, str]) -> None:
        def wrote(command: list[str | Path], **_: object) -> str:
            return "; ".join(f"printf '%s' '{text}' >{test.work / name}" for name, text in texts.items()) or "true"
        real = subprocess.Popen
        with mock.patch.object(tools.subprocess, "Popen", lambda words, **more: real(["sh", "-c", wrote(words)], **more)):
            yosys.run(commands, test.work / "x.ys", 60)
    with test.case("all of them, whole: taken"):
        run(whole)
    for name in whole:
        with test.case(f"without {name}, which is there of the run before: refused"):
            refused(lambda name=name: run({key: text for key, text in whole.items() if key != name}), f"left no {test.work / name}")
        with test.case(f"an empty {name}: refused"):
            run(whole)
            refused(lambda name=name: run(whole | {name: ""}), f"left no {test.work / name}")
    with test.case("a file that is cut short: refused"):
        for name, text in (("x.blif", ".model m\n"), ("x.blif", ".model m\n.en"), ("x.aag", "aag 1 1 0 0 0\n2\n"), ("x.v", "module m;\n")):
            (test.work / name).write_text(text)
            refused(lambda name=name: yosys.check_whole(test.work / name), "is cut short")
    with test.case("JSON that is cut short: refused"):
        for text in ("", "{", '{"modules": {"a": ', "[]", "{}", '"modules"'):
            path.write_text(text)
            refused(lambda: netlist.read(path), "no netlist in Yosys' JSON")


if __name__ == "__main__":
    Planted.main("", judged, proofs, checked, written, replays, cuts, files)
