#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_mutate.py [BUILD_DIR]: does mutate.py find what it is there to find? A small campaign meets the bar; a test that is
switched off, a mutant that is none, a netlist that is not the block, solvers that do not answer, an interrupted campaign, bad
input. Ends with "N passed, N failed"."""
from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), str(HERE.parent / "flow")]

import mutants
import tools
import worth
from planted import Planted, expect, wait_for
from worth import Kill

RECORDING = "vectors/fma.n6.blt"
SMALL = ("--mutants", 40, "--recording", RECORDING)


class Test(Planted):
    def row(self, block: str, out: Path | None = None) -> dict[str, Any]:
        status = json.loads(((out or self.out) / "status.json").read_text())
        rows = [row for row in status["blocks"] if row["block"] == block]
        expect(len(rows) == 1, f"{len(rows)} rows of {block}")
        return rows[0]

    def lines(self, name: str) -> list[str]:
        return (self.out / name).read_text().splitlines()

    def has_line(self, name: str, pattern: str) -> None:
        expect(any(re.search(pattern, line) for line in self.lines(name)), f"{name} has no line '{pattern}'")


def campaign(test: Test) -> None:
    with test.case("a small campaign meets the bar"):
        test.run(0, *SMALL, "eq_decision")
        test.says("^eq_decision .* 100.0%")
    with test.case("status.json has the same"):
        row = test.row("eq_decision")
        expect(row["mutants"] == 40 and row["killed"] + row["equivalent"] == 40 and row["survived"] == 0, str(row))
        expect(row["killed"] > 20, str(row))
    with test.case("a mutant that is none is proved equivalent"):
        expect(test.row("eq_decision")["equivalent"] > 0, "no equivalent mutant")
        test.has_line("survivors.csv", "^eq_decision,[0-9]*,equivalent,.*in every state")
    with test.case("the matrix says which vector kills which mutant, a recording in which cycle"):
        expect(test.lines("kills.csv")[0] == "block,vector,kind,mutant,cycle", "another head")
        test.has_line("kills.csv", "^eq_decision,fma.n6,recording,[0-9]*,[0-9]*$")
    # The screening says that a recording kills a mutant in a cycle; the same replay as that mutant must differ there.
    with test.case("a replay as that mutant differs in that cycle"):
        words = [line.split(",") for line in test.lines("kills.csv")[1:]]
        found = [line for line in words if line[0] == "eq_decision" and line[2] == "recording" and line[4] != "0"]
        mutant, cycle = found[0][3], int(found[0][4])
        folder = test.out / "eq_decision"
        run = tools.run([folder / "ballast", "lockstep", "--out", test.work / "run", "--block", "eq_counters,eq_decision",
                         RECORDING], accept=(1,), env={"MUTATE_NETLIST": str(folder / "core.aag"), "MUTATE_SELECT": mutant})
        test.said = run.stdout
        test.says(f"MISMATCH in eq_decision on SM0, cycle ({cycle}|{cycle + 1}) ")


def done_in(out: Path) -> dict[Path, int]:
    """The results of vectors and proofs, and when they came."""
    files = [file for folder in ("kills", "proofs") for file in out.glob(f"*/{folder}/[a-z0-9]*") if file.is_file()]
    return {file: file.stat().st_mtime_ns for file in files if file.suffix not in (".raw", ".log")}


def again(test: Test) -> None:
    with test.case("what is done is not done again"):
        before = test.lines("kills.csv")
        done = done_in(test.out)
        test.run(0, *SMALL, "eq_decision")
        expect(before == test.lines("kills.csv"), "another matrix")
        expect(done and done == done_in(test.out), "something was done again")
    with test.case("a campaign that is interrupted goes on from there"):
        out = test.work / "again"
        command = [sys.executable, test.script, "--build", str(test.build), "--out", str(out), *map(str, SMALL), "eq_decision"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        wait_for("a mutant that is done", lambda: done_in(out) or process.poll() is not None, 300)
        process.send_signal(signal.SIGINT)
        test.said, _ = process.communicate(timeout=60)
        expect(process.returncode == 130, f"exit status {process.returncode}")
        test.one_line("^mutate.py: interrupted; the same command goes on from here$")
        expect(not (out / "status.json").exists(), "there is a result already")
        done = done_in(out)
        test.run(0, *SMALL, "--out", out, "eq_decision")
        expect(done and done.items() <= done_in(out).items(), "something was done again")
        resumed = test.row("eq_decision", out)
        expect(resumed | {"seconds": 0} == test.row("eq_decision") | {"seconds": 0}, f"another result: {resumed}")


def weak(test: Test) -> None:
    with test.case("tests switched off: mutants survive, named by cell, port, bit and line"):
        test.run(1, "--mutants", 40, "--recording", "none", "--skip", "t", "vf_domain")
        test.row("vf_domain_mem")
        test.says("^vf_domain: survived: mutant [0-9]+: cell [^;]*; port [^;]*; bit [0-9]+ [^;]*; rtl/chip/vf_domain.sv:[0-9]+")
    for name, script in (("is killed", "kill -9 $$"), ("says nothing", "exit 0"), ("says something else", "echo UNSATISFIED"),
                         ("never ends", "sleep 60")):
        with test.case(f"with a solver that {name} nothing is equivalent"):
            shutil.rmtree(test.out / "eq_decision/proofs")
            test.run(1, *SMALL, "--seconds", 1, "eq_decision", env=test.instead(berkeley_abc=script, yosys_abc=script), wait=0.3)
            row = test.row("eq_decision")
            proofs = [line.split(",") for line in test.lines("survivors.csv")[1:]]
            expect(row["survived"] > 0, str(row))
            expect(all(line[2] == "open" or line[4] == "nothing reads it" for line in proofs), str(proofs))
    with test.case("an answer that is no word or empty is none"):
        shutil.rmtree(test.out / "eq_decision/proofs")
        test.run(0, *SMALL, "eq_decision")
        file = next(file for file in (test.out / "eq_decision/proofs").iterdir() if "in every state" in file.read_text())
        for text in ("", "equivalent", "equivalently so\n", "proved\n"):
            file.write_text(text)
            test.run(1, *SMALL, "eq_decision")
            test.says(f"^eq_decision: survived: mutant {file.name}: ")
    # An inverted output.
    with test.case("a netlist that is not the block is refused"):
        core = test.out / "vf_domain/core.aag"
        lines = core.read_text().splitlines()
        first_output = 1 + int(lines[0].split()[2])
        lines[first_output] = str(int(lines[first_output]) ^ 1)
        core.write_text("\n".join(lines) + "\n")
        test.run(2, "--mutants", 40, "--recording", "none", "vf_domain")
        test.says("fails without a mutant")


def parts(test: Test) -> None:
    with test.case("what a vector is worth"):
        kills = [Kill("a", "r1", "recording", 1, "7"), Kill("b", "r1", "recording", 1, "7"), Kill("a", "t1", "test", 1, "-"),
                 Kill("a", "t1", "test", 2, "-"), Kill("a", "t1", "test", 2, "-"), Kill("a", "t2", "test", 2, "-")]
        found = {one.name: (one.block, len(one.kills), one.alone, one.needed) for one in worth.vectors(kills)}
        expect(found == {"r1": ("all", 2, 1, True), "t1": ("a", 2, 0, True), "t2": ("a", 1, 0, False)}, str(found))
    with test.case("a netlist file that is none is refused"):
        path = test.work / "none.aag"
        for text in ("", "aag 1 1 0 1", "aag 3 1 1 1 0\n2\n2\n2\ni0 a\no0 b\n", "hello\n"):
            path.write_text(text)
            try:
                mutants.read_aiger(path)
                expect(False, f"'{text}' is taken for a netlist")
            except tools.ToolFailed:
                pass


def bad_input(test: Test) -> None:
    test.refuse({
        "an unknown block": (["nosuchblock"], "no block 'nosuchblock'; there are: "),
        "an unknown configuration": (["--config", "nosuchconfig"], "no configuration 'nosuchconfig'; there are: "),
        "no number": (["--mutants", "many", "lcs"], "wants a number, not 'many'"),
        "a page without marks": (["--page", "README.md", "lcs"], "has no lines '<!-- mutants -->'"),
        "a weaker campaign for the page": (["--page", "doc/verification/mutate.md", "--skip", "x", "lcs"], "leave out --skip"),
        "one without recordings": (["--page", "doc/verification/mutate.md", "--recording", "none", "lcs"], "leave out --recording"),
        "other rows than those of the page": (["--page", "doc/verification/mutate.md", "--seed", "7", "lcs"], "begins 'In `fermi`"),
        "a missing recording": (["--recording", test.work / "none.blt", "lcs"], "no recording"),
    })
    test.refuse({"a missing tool": (["lcs"], "yosys is not installed; 'make setup' installs")}, test.only("sh", "cat"))


if __name__ == "__main__":
    Test.main("tb/mutate/mutate.py", campaign, again, weak, parts, bad_input)
