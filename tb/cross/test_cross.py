#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_cross.py [BUILD_DIR]: does cross.py believe only what is checked? Faults in circuits, solvers that lie, proofs that are none.
The second front end is the installed Yosys here: nothing is taken from PyPI. Ends with "N passed, N failed"."""
from __future__ import annotations

import itertools
import json
import os
import shutil
import sys
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), str(HERE.parent / "formal"), str(HERE.parent / "flow")]

import circuit
import cadical
import solver
import tools
from planted import Planted, expect

FORMAL = "tb/formal/formal.py"
REAL = shutil.which("cadical") or "cadical"
# What a solver is told last is where the proof goes; it is asked for its version, too.
LIAR = f'case "$*" in *--version*) exec {REAL} --version;; esac; for last; do :; done\n'


class Test(Planted):
    def cross(self, status: int, *arguments: object, proofs: str = "formal", env: dict[str, str] | None = None, fresh: bool = True) -> None:
        """`fresh`: nothing is kept of an earlier run."""
        if fresh:
            shutil.rmtree(self.out, ignore_errors=True)
        (self.out / "bin").mkdir(parents=True, exist_ok=True)
        yosys = self.out / "bin/yosys"
        if not yosys.exists():
            yosys.symlink_to(shutil.which("yosys") or "yosys")
        self.run(status, "--proofs", self.work / proofs, "--seconds", 20, "--jobs", 1, *arguments, env=env)

    def statuses(self, kind: str = "") -> set[str]:
        rows = json.loads((self.out / "status.json").read_text())["outputs"]
        return {row["status"] for row in rows if not kind or row["kind"] == kind}

    def formal(self, status: int, folder: str, *arguments: object) -> None:
        self.command(status, sys.executable, FORMAL, "--build", self.build, "--out", self.work / folder, *arguments)


def opinions(test: Test) -> None:
    test.formal(0, "formal", "eq_decision")
    with test.case("a block as it is: all is proved, by both"):
        test.cross(0, "eq_decision")
        expect(test.statuses() == {"proved"}, f"{test.statuses()}")
        test.says(r"^\| `eq_decision` \| step \| (\d+) \| \1 \| \1 \| 0 \| 0 \| 0 \| 0 \|$")
    with test.case("a run goes on where the last one ended"):
        with (test.out / "fermi/eq_decision/answers").open("a") as file:
            file.write('{"sum": "cut sho')
        test.cross(0, "eq_decision", env=test.instead(cadical=LIAR + "exit 1"), fresh=False)
    with test.case("a fault in the model differs for both"):
        models = test.plant("cmodel", "sm/eq_decision.c", "e->n_mem > e->two", "e->n_mem >= e->two")
        test.formal(1, "faulty", "--models", models, "eq_decision")
        test.says("eq_decision .*failed")
        test.cross(1, "eq_decision", proofs="faulty")
        expect("differs" in test.statuses("step") and test.statuses("front end") == {"proved"}, f"{test.statuses('step')}")
    with test.case("a front end that reads the RTL in another way differs"):
        rtl = test.plant("rtl", "sm/eq_decision.sv", "    inc_o    = 1'b0;", "    inc_o    = 1'b1;")
        test.cross(1, "--rtl", rtl, "eq_decision")
        expect("differs" in test.statuses("front end") and test.statuses("step") == {"proved"}, f"{test.statuses()}")


UNSAT, SAT = 'echo "s UNSATISFIABLE"; exit 20', 'echo "s SATISFIABLE"'
LIARS = {
    "says unsatisfiable and leaves no proof": (UNSAT, "unchecked"),
    "says unsatisfiable and leaves an empty proof": (f'>"$last"; {UNSAT}', "unchecked"),
    "says unsatisfiable and proves something else": (f'echo "2 0" >"$last"; echo "-2 0" >>"$last"; echo 0 >>"$last"; {UNSAT}', "unchecked"),
    "cuts its proof short": (f'{REAL} "$@"; status=$?; head -c 9 "$last" >"$last.cut"; mv "$last.cut" "$last"; exit $status', "unchecked"),
    "says satisfiable and not where": (f"{SAT}; exit 10", "unchecked"),
    "says satisfiable where the circuits do not differ": (f'{SAT}; echo "v -1 2 3 0"; exit 10', "unchecked"),
    "is killed": ("kill -9 $$", "open"),
    "says nothing": ("exit 0", "open"),
    "says one thing and means another": ('echo "s UNSATISFIABLE"; exit 10', "open"),
    "never ends": ("sleep 60", "open"),
}


def solvers(test: Test) -> None:
    for name, (script, status) in LIARS.items():
        with test.case(f"a solver that {name}: {status}"):
            if name == "never ends":
                ask_one(test, script)
                continue
            test.cross(1, "eq_decision", proofs="faulty", env=test.instead(cadical=LIAR + script))
            cut = {"proved", "differs"} if name == "cuts its proof short" else set()  # the real solver's
            expect(status in test.statuses() and test.statuses() <= {status, "proved"} | cut, f"{test.statuses()}")
            expect(cut or status in test.statuses("step"), f"{test.statuses('step')}")
    with test.case("open is one for who asks for it"):
        silent = test.instead(cadical=LIAR + "exit 0")
        test.cross(1, "eq_decision", env=silent)
        test.cross(0, "--allow-open", "eq_decision", env=silent)


def ask_one(test: Test, script: str) -> None:
    """Of one question: all would take their time."""
    path = os.environ["PATH"]
    os.environ["PATH"] = test.instead(cadical=script)["PATH"]
    with mock.patch.object(tools, "WAIT", 1):
        answer = solver.ask("p cnf 1 2\n1 0\n-1 0\n", {}, lambda values: True, test.work / "one", test.out / "rup", 1)
    os.environ["PATH"] = path
    expect(answer.status == "open" and "no answer" in answer.text, str(answer))


def pigeons(holes: int) -> str:
    """One pigeon more than there are holes."""
    rows = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    clauses = rows + [[-a[hole], -b[hole]] for hole in range(holes) for a, b in itertools.combinations(rows, 2)]
    return f"p cnf {holes * (holes + 1)} {len(clauses)}\n" + "".join(" ".join(map(str, clause)) + " 0\n" for clause in clauses)


def checker(test: Test) -> None:
    rup, cnf, trace, bad = test.out / "rup", test.work / "q.cnf", test.work / "q.drat", test.work / "bad.drat"
    cnf.write_text(pigeons(5))
    tools.run([REAL, "-q", "--no-binary", cnf, trace], accept=(20,))
    lines = trace.read_text().splitlines(keepends=True)
    with test.case("rup: a proof of CaDiCaL's is one"):
        test.command(0, rup, cnf, trace)
        expect(test.said == "verified\n" and any(line.startswith("d ") for line in lines), test.said)
    for name, text in {"that is empty": "", "that is cut short in a line": "".join(lines)[:len("".join(lines)) // 2] + "1 2",
                       "without its end": "".join(lines[:5]), "with a step that does not follow": "1 0\n" + "".join(lines),
                       "that only says so": "0\n", "with a variable that is not there": "99 0\n"}.items():
        with test.case(f"rup: a proof {name} is none"):
            bad.write_text(text)
            test.command(1, rup, cnf, bad)
            test.says("^rup: ")
    with test.case("rup: a proof of another question is none"):
        cnf.write_text(pigeons(5).replace(" 0\n-1 -6 0\n", " 0\n-1 6 0\n"))
        test.command(1, rup, cnf, trace)
    with test.case("rup: a CNF that has a solution has no proof"):
        cnf.write_text("p cnf 2 2\n1 2 0\n-1 2 0\n")
        bad.write_text("2 0\n0\n")
        test.command(1, rup, cnf, bad)
    with test.case("rup: what is deleted is not used"):
        cnf.write_text("p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n")
        bad.write_text("d 2 1 0\n2 0\n0\n")
        test.command(1, rup, cnf, bad)
        bad.write_text("2 0\nd 2 1 0\n0\n")
        test.command(0, rup, cnf, bad)
    with test.case("rup: a CNF with fewer clauses than it says is refused"):
        cnf.write_text("p cnf 2 3\n1 2 0\n")
        test.command(2, rup, cnf, bad)


def readers(test: Test) -> None:
    gold = (test.work / "formal/eq_decision/gold.blif").read_text()
    path = test.work / "c"
    for name, read, text in (("a BLIF that is cut short", circuit.read_blif, gold[:len(gold) // 2]),
                             ("an empty BLIF", circuit.read_blif, ""),
                             ("a BLIF that is given by its zeros", circuit.read_blif, gold.replace(" 1\n", " 0\n")),
                             ("an AIGER file with a latch", circuit.read_aiger, "aag 1 0 1 0 0\n2 2\n"),
                             ("an AIGER file that is cut short", circuit.read_aiger, "aag 3 2 0 1 1\n2\n4\n6\n"),
                             ("an AIGER file without names", circuit.read_aiger, "aag 1 1 0 1 0\n2\n2\n")):
        with test.case(f"{name} is refused"):
            path.write_text(text)
            try:
                read(circuit.Circuit(), path)
                expect(False, "it is read")
            except tools.ToolFailed:
                pass
    with test.case("clauses of a XOR and its negation: they differ; of the same function twice: they do not"):
        of = circuit.Circuit()
        a, b = of.input("a"), of.input("b")
        one = of.both(of.both(a, b) ^ 1, of.both(a ^ 1, b ^ 1) ^ 1)
        other = of.both(of.both(a, b ^ 1) ^ 1, of.both(a ^ 1, b) ^ 1) ^ 1
        for x, status in ((other, 20), (other ^ 1, 10)):
            path.write_text(circuit.clauses(of, one, x)[0])
            tools.run([REAL, "-q", path], accept=(status,))
        expect(of.value(one, {"a": True}) and not of.value(one, {"a": True, "b": True}), "another value")


def bad_input(test: Test) -> None:
    page = test.work / "page.md"
    page.write_text("# no marks\n")
    test.refuse({
        "an unknown block": (["nosuchblock"], "no block 'nosuchblock'; there are: "),
        "an unknown configuration": (["--config", "nosuchconfig"], "no configuration 'nosuchconfig'; there are: "),
        "no time": (["--seconds", "0"], "wants a number above 0"),
        "a page without marks": (["--page", page], "has no lines '<!-- results -->'"),
        "no proofs": (["--proofs", test.work / "none", "eq_decision"], "no results of proofs in .*; 'make formal' leaves them"),
        "a block that was not proved": (["--proofs", test.work / "formal", "vf_vote"], "no .*gold.blif; 'make formal' leaves it"),
        "proofs of another configuration": (["--config", "kepler", "--proofs", test.work / "formal", "eq_decision"],
                                            "is of fermi, not of kepler"),
    })
    with test.case("circuits that are older than the RTL: one line"):
        os.utime(test.work / "formal/eq_decision/gold.blif", (1, 1))
        test.cross(2, "eq_decision", fresh=False)
        test.one_line("is newer than .*gold.blif; 'make formal' makes it anew")


if __name__ == "__main__":
    Test.main("tb/cross/cross.py", opinions, solvers, checker, readers, bad_input)
