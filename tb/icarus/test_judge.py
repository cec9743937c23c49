# SPDX-License-Identifier: Apache-2.0
"""How icarus.py and the SystemC flow read what a run says: words, exit status, cycles and files have to agree. Nothing is simulated.

  python3 tb/icarus/test_judge.py

Ends with 'N passed, N failed'. Run from the repository root.
"""
from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), str(HERE.parent / "systemc"), str(HERE.parent / "flow")]

import icarus
import sysc
import tools
from blocks import block
from planted import Planted, expect
from replays import Replay

ROW = "{name}  {mode}  0 vf_vote  {cycles}  8000 {verdict}  0 (open)  0.0\n"


def row(verdict: str = "pass", cycles: object = 1000, mode: str = "random") -> str:
    return ROW.format(name="r1", mode=mode, cycles=cycles, verdict=verdict)


RUNS = {  # what is said, exit status: what comes of it, "" a pass
    "a pass": (row(), 0, ""),
    "a difference": (row("MISMATCH") + "MISMATCH in vf_vote on SM0, cycle 3\n a\n b\n c\n", 1, "MISMATCH in vf_vote"),
    "a difference and status 0": (row("MISMATCH"), 0, "refused: .*exit status 0, but it says MISMATCH"),
    "a pass and status 1": (row(), 1, "refused: .*exit status 1, but it says pass"),
    "nothing": ("", 0, "refused: .*not a single cycle"),
    "nothing and status 1": ("", 1, "model and RTL differ"),
    "no cycles": (row(cycles=0), 0, "refused: .*not a single cycle"),
    "fewer cycles": (row(cycles=999), 0, "refused: .*999 cycles of 1000"),
    "another word": (row("passes"), 0, "refused: .*but it says passes"),
    "a row cut short": (row()[:-4], 0, "refused: .*but it says damaged"),
    "no number": (row(cycles="x"), 0, "refused: .*not a single cycle"),
}


def icarus_runs(test: Planted) -> None:
    one = Replay("vf_vote", block("vf_vote"), "random", "random.1", "", 1000)
    setup = icarus.Setup("fermi", test.work / "ballast.vpi", None)

    def came(said: str, status: int) -> str:
        shutil.rmtree(test.work / "run", ignore_errors=True)
        with mock.patch.object(icarus, "compile_design", return_value="vf_vote"), \
                mock.patch.object(icarus, "run", return_value=subprocess.CompletedProcess([], status, said)) as run:
            try:
                why = icarus.run_one(setup, test.work / "run", one).why
            except tools.Failure as failure:
                why = f"refused: {failure}"
        expect(run.call_args.kwargs["accept"] == (0, 1), "other statuses are taken")
        return why
    for name, (said, status, want) in RUNS.items():
        with test.case(f"Icarus says {name}"):
            test.said = came(said, status)
            test.says(f"^{want}") if want else expect(test.said == "", "not a pass")
    with test.case("Icarus is killed: refused"):
        with mock.patch.object(icarus, "compile_design", return_value="vf_vote"), \
                mock.patch.object(icarus, "run", side_effect=tools.ToolFailed("design: signal 9", -9)):
            shutil.rmtree(test.work / "run", ignore_errors=True)
            try:
                icarus.run_one(setup, test.work / "run", one)
                expect(False, "taken")
            except tools.Failure as failure:
                expect(str(failure) == "vf_vote: design: signal 9", str(failure))
    with test.case("a design that is not written is none"):
        with mock.patch.object(icarus, "run") as run:
            icarus.compile_design(setup, "vf_vote", test.work / "design")
        expect(run.call_args.kwargs["leaves"] == [test.work / "design"], "an old one is taken")


def icarus_tables(test: Planted) -> None:
    """The exit status is that of the worst run, and each run has its row."""
    one = Replay("vf_vote", block("vf_vote"), "random", "random.1", "", 1000)
    setup = icarus.Setup("fermi", test.work / "ballast.vpi", None)
    for whys in ((), ("",), ("", ""), ("differs", ""), ("", "differs")):
        with test.case(f"runs that say {whys}"), mock.patch.object(icarus, "runs_of", return_value=[one] * len(whys)), \
                mock.patch.object(icarus, "run_one", side_effect=[icarus.Row(one, 1000, 1.0, why) for why in whys]), \
                mock.patch.dict(os.environ, JOBS="1"), mock.patch("builtins.print") as said, mock.patch("sys.stderr"):
            status = icarus.table(setup, argparse.Namespace(out=test.work / "table"))
            text = "\n".join(str(call.args[0]) for call in said.call_args_list)
            good = bool(whys) and not any(whys)
            expect(status == int(not good) and text.count(" pass ") == whys.count("") and ("NOT all pass" in text) != good, f"{status}: {text}")
            expect(("  differs" in text) == ("differs" in whys), "does not say why")


LOG = b"cycle 1 SM0: x\n"
SYSTEMC = {  # what both say, exit statuses, logs of both: what the table says, whether it is good
    "the same": ((row(mode="open"),) * 2, (0, 0), ({"a.model.log": LOG},) * 2, "equal", True),
    "another row": ((row(mode="open"), row(mode="open", cycles=7)), (0, 0), ({"a.model.log": LOG},) * 2, "verdict differs", False),
    "other logs": ((row(mode="open"),) * 2, (0, 0), ({"a.model.log": LOG}, {"a.model.log": LOG * 2}), "a.model.log differs", False),
    "a log less": ((row(mode="open"),) * 2, (0, 0), ({"a.model.log": LOG}, {"a.model.log": LOG, "b.jsonl": LOG}), "b.jsonl differs", False),
    "a log more": ((row(mode="open"),) * 2, (0, 0), ({"a.model.log": LOG, "b.jsonl": LOG}, {"a.model.log": LOG}), "other logs", False),
    "no logs": ((row(mode="open"),) * 2, (0, 0), ({}, {}), "no logs", False),
    "another status": ((row(mode="open"),) * 2, (1, 0), ({"a.model.log": LOG},) * 2, "exit status 1, with ballast 0", False),
    "both a difference": ((row("MISMATCH", mode="open"),) * 2, (1, 1), ({"a.model.log": LOG},) * 2, "equal", False),
    "both a pass and status 1": ((row(mode="open"),) * 2, (1, 1), ({"a.model.log": LOG},) * 2, "equal", False),
    "both nothing": (("", ""), (0, 0), ({"a.model.log": LOG},) * 2, "equal", False),
    "both no cycles": ((row(mode="open", cycles=0),) * 2, (0, 0), ({"a.model.log": LOG},) * 2, "equal", False),
    "both cut short": ((row(mode="open")[:-4],) * 2, (0, 0), ({"a.model.log": LOG},) * 2, "equal", False),
}


def systemc_rows(test: Planted) -> None:
    bench = sysc.Bench({"sysc": Path("/a/ballast-sc"), "c": Path("/a/ballast")}, test.work / "sysc")
    one = Replay("dyncta", block("dyncta"), "lockstep", "fma.n6")
    for name, (said, statuses, logs, words, good) in SYSTEMC.items():
        with test.case(f"SystemC and ballast: {name}"):
            def run(command: list[str | Path], said=said, statuses=statuses, logs=logs, **_: object) -> subprocess.CompletedProcess:
                side = int(command[0] == Path("/a/ballast"))
                folder = Path(command[-1])
                expect(not folder.exists(), "what is left of the run before is taken")
                folder.mkdir(parents=True)
                for file, text in logs[side].items():
                    (folder / file).write_bytes(text)
                return subprocess.CompletedProcess([], statuses[side], said[side])
            with mock.patch.object(sysc, "run", run):
                text, equal = sysc.row(bench, one, [])
            expect(equal == good and text.rstrip().endswith(words), text)
    with test.case("SystemC is killed: refused"), mock.patch.object(sysc, "run", side_effect=tools.ToolFailed("ballast-sc: signal 9", -9)):
        try:
            sysc.row(bench, one, [])
            expect(False, "taken")
        except tools.Failure as failure:
            expect(str(failure) == "ballast-sc: signal 9", str(failure))


if __name__ == "__main__":
    Planted.main("", icarus_runs, icarus_tables, systemc_rows)
