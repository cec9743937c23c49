#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_gates.py [BUILD_DIR]: does gates.py find what it is there to find? Faults planted into a netlist, tools that do not
answer, and bad input. Run from the repository root. Ends with "N passed, N failed"; the netlists are small ones, about a
minute.
"""
from __future__ import annotations

import csv
import os
import re
import shutil
import sys
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))

import cells  # noqa: E402
import gates  # noqa: E402
import logical_effort  # noqa: E402
import prover  # noqa: E402
from blocks import Target, block, parameters  # noqa: E402
from planted import Planted, expect  # noqa: E402

BLOCK = "dyncta"
RECORDING = "vectors/fma.n6.blt"
PAIRS = ("NAND2X1 NOR2X1", "AND2X1 OR2X1", "AND2X2 OR2X2", "XOR2X1 XNOR2X1")
OTHER = {a: b for pair in PAIRS for a, b in (pair.split(), pair.split()[::-1])}
MISMATCH = [f"^{BLOCK} .* MISMATCH +FAIL ", "lockstep: MISMATCH in [a-z_]+ on SM[0-9]+, cycle [0-9]+: (register|output) [a-z_]+"]
DIFFERS = r"proof: [a-z_]+[][0-9a-z_.]* is [01] in the RTL and [01] in the netlist"


def swap_cell(text: str) -> str:
    """The first cell with two inputs that reads a bit of timer_q becomes one of another type."""
    for cell in re.finditer(r"^  (\w+) [^;]*?[(]timer_q\[[^;]*;", text, re.M):
        if cell[1] in OTHER:
            return text[:cell.start(1)] + OTHER[cell[1]] + text[cell.end(1):]
    raise ValueError("no cell to swap")


def _flop_pins(text: str, pin: str) -> list[re.Match[str]]:
    return list(re.finditer(rf"^  DFFPOSX1 [^;]*?\.{pin}\(([^)]*)\)", text, re.M))


def exchange(text: str) -> str:
    """The data inputs of two flip-flops, exchanged."""
    first, *_, last = _flop_pins(text, "D")
    return text[:first.start(1)] + last[1] + text[first.end(1):last.start(1)] + first[1] + text[last.end(1):]


def tied(pin: str, value: str, text: str) -> str:
    first = _flop_pins(text, pin)[0]
    return text[:first.start(1)] + value + text[first.end(1):]


NETLISTS = [  # name, the fault, status, what is said
    ("the same netlist from a file passes", lambda text: text, 0, [f"^{BLOCK} .* pass +proved "]),
    ("a cell of another type is caught by replay and proof", swap_cell, 1, [*MISMATCH, DIFFERS]),
    ("two exchanged nets are caught by replay and proof", exchange, 1, [*MISMATCH, DIFFERS]),
    ("a data input stuck at 1 is caught", lambda text: tied("D", "1'b1", text), 1,
     ["differs after reset|MISMATCH in", "proof: .* in the RTL and 1 in the netlist"]),
    ("a flip-flop with another clock is refused", lambda text: tied("CLK", "rst_ni", text), 1,
     ["not clocked by clk_i", "refused"]),
    ("a cell that the library lacks is named", lambda text: text.replace("DFFPOSX1", "NOCELL", 1), 2, ["NOCELL"]),
    ("a netlist cut short", lambda text: text[:len(text) // 2], 2, [f"{BLOCK}: yosys: exit status 1: .*ERROR"]),
]
REFUSED = [  # name, arguments, environment, what is said
    ("an unknown block", ["nosuchblock"], {}, "no block 'nosuchblock'; there are: "),
    ("an unknown configuration", ["--config", "nosuchconfig"], {}, "no configuration 'nosuchconfig'; there are: "),
    ("an unknown option", ["--nosuch"], {}, "unrecognized arguments: --nosuch"),
    ("a missing library", ["lcs"], {"GATES_LIBERTY": "/none.lib"}, "/none.lib: cannot be read: No such file"),
    ("a missing recording", ["--recording", "/none.blt", "lcs"], {}, "no recording"),
    ("a missing netlist", ["--netlist", "/none.v", "lcs"], {}, "no netlist"),
    ("a netlist of two blocks", ["--netlist", "/none.v", "lcs", "dyncta"], {}, "--netlist is of one block"),
]
SOLVERS = [  # name, the script in ABC's place, exit status, what is said
    ("a solver that is killed", "kill -9 $$", 2, f"{BLOCK}: berkeley-abc: signal 9"),
    ("a solver that says nothing", "exit 0", 2, f"{BLOCK}: ABC cannot compare"),
    ("a solver that does not know at once, and whose circuit is cut short",
     'case "$2" in cec*) exit 0;; esac; {abc} "$@"; file=${{2##* }}; text=$(head -c 200 $file); echo "$text" >$file', 2,
     f"{BLOCK}: ABC cannot compare"),
]
TOOLS = [  # name, tool, the script in its place, what is said
    ("a Yosys that writes nothing", "yosys", "exit 0", r"yosys: left no \S*cells.json"),
    ("JSON cut short", "yosys", '{yosys} "$@"; [ ! -f {out}/cells.json ] || echo "{{" >{out}/cells.json',
     "cells.json: no netlist in Yosys' JSON"),
    ("a Verilator that is killed", "verilator", '[ "$1" != --getenv ] || exec {verilator} "$@"; kill -9 $$',
     f"{BLOCK}: verilator: signal 9"),
]


def as_it_is(test: Planted) -> None:
    with test.case("a netlist as it comes from synthesis passes; the CSV says so, too"):
        table = test.work / "gates.csv"
        test.run(0, "--csv", table, BLOCK)
        test.says(f"^{BLOCK} .* pass +proved ")
        (test.work / "good.v").write_text((test.out / BLOCK / "netlist.v").read_text())
        rows = list(csv.DictReader(table.open()))
        expect([(row["netlist"], row["lockstep"], row["proof"]) for row in rows] == [(BLOCK, "pass", "proved")], rows)


SMALL = {"NumWarps": 4, "NumSlots": 2, "IssueWidth": 1, "CountW": 8, "LcsCountW": 8, "Epoch": 16, "SampleInterval": 4, "SamplePhase": 3, "SampleCycles": 4, "DynPeriod": 8}


def unread(test: Planted) -> None:
    """sm_governor does not read all registers of its classifier. The models have them: a netlist without them is compared with constants."""
    with test.case("a register that nobody reads is a flip-flop of the netlist"):
        governor = block("sm_governor")
        target = Target("sm_governor", governor, parameters(governor, "fermi") | SMALL, {})
        library = cells.library([cells.BUILT_IN], test.work)
        run = gates.Run("fermi", test.work, Path(test.build), Path(RECORDING), library, None, *gates.models(library, test.work))
        gates.make(target, test.work, library)
        account = gates.take_apart(target, test.work, run).account()
        expect(account["constant"] == ["u_perfsat.settled_q[0]"], f"{account['constant']} are none")  # with PsSettle 0 it is 0


def netlists(test: Planted) -> None:
    good = (test.work / "good.v").read_text()
    file = test.work / "planted.v"
    for name, fault, status, said in NETLISTS:
        with test.case(name):
            file.write_text(fault(good))
            test.run(status, "--netlist", file, BLOCK)
            for pattern in said:
                test.says(pattern)
    with test.case("writing a netlist's register is refused"):
        file.write_text(good)
        test.run(0, "--netlist", file, BLOCK)
        test.command(2, test.out / "ballast", "lockstep", "--out", test.work / "inject", "--block", f"stall_classifier,{BLOCK}",
                     "--inject", f"rtl:{BLOCK}.limit_q[0]@100", RECORDING)
        test.says("registers cannot be written")


def solvers(test: Planted) -> None:
    """Only what ABC says in so many words is proved."""
    good = test.work / "good.v"
    with test.case("a difference that is nothing but an input is one"):
        # To ABC's report of cones and supports such a difference is empty, like no difference.
        gold, gate = test.work / "gold.blif", test.work / "gate.blif"
        gold.write_text(".model m\n.inputs a b\n.outputs x y\n.names a b x\n11 1\n.names y\n.end\n")
        gate.write_text(gold.read_text().replace(".names y\n", ".names a y\n1 1\n"))
        answer = prover.equal(gold, gate, test.work / "bare")
        expect(answer.status == prover.FAILED and answer.text == "y is 0 in the RTL and 1 in the netlist", answer)
    with test.case("a solver with another word proves nothing"):
        # Sweeping leaves output y, and what is said of it is none of ABC's words.
        swept = test.work / "swept.blif"
        swept.write_text(".model m\n.inputs a\n.outputs y\n.names a y\n1 1\n.end\n")
        real = shutil.which("berkeley-abc") or "berkeley-abc"
        script = f'case "$2" in miter*write_aiger*) exec {real} "$@" ;; miter*) cp {swept} "${{2##* }}" ;; *) echo UNSATISFIED ;; esac'
        with mock.patch.dict(os.environ, test.instead(berkeley_abc=script)):
            answer = prover.equal(gold, gate, test.work / "bare")
        expect(answer.status == prover.OPEN and answer.text == "1 of 2 outputs undecided: y", answer)
    real = {tool: shutil.which(tool) for tool in ("yosys", "verilator")}
    for name, script, status, said in SOLVERS:
        with test.case(name):
            # The mapping is not asked of this one: the netlist is given.
            tool = test.instead(berkeley_abc=script.format(abc=shutil.which("berkeley-abc")))
            test.run(status, "--netlist", good, BLOCK, env=tool)
            test.says(said)
    for name, tool, script, said in TOOLS:
        with test.case(name):
            shutil.rmtree(test.out, ignore_errors=True)
            test.run(2, "--netlist", good, BLOCK, env=test.instead(**{tool: script.format(out=test.out, **real)}))
            test.one_line(said)


def bad_input(test: Planted) -> None:
    for name, arguments, env, said in REFUSED:
        with test.case(f"{name}: one line"):
            test.run(2, *arguments, env=env)
            test.one_line(said)
    with test.case("a row with another library for the page: one line, at once"):
        (other := test.work / "other.lib").write_text(logical_effort.text())
        test.run(2, "--page", "doc/verification/gates.md", "lcs", env={"GATES_LIBERTY": str(other)})
        test.one_line("the table 'fermi' begins")
    with test.case("a missing tool: one line"):
        test.run(2, "lcs", env=test.only("sh"))
        test.one_line("yosys is not installed")


if __name__ == "__main__":
    Planted.main("synth_scripts/gates/gates.py", as_it_is, unread, netlists, solvers, bad_input)
