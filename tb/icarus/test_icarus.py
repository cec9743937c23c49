# SPDX-License-Identifier: Apache-2.0
"""test_icarus.py BUILD_DIR: every block for a while in Icarus, and RTL with planted faults, each of which has to be found and
named."""
from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "flow"))
from blocks import blocks, targets  # noqa: E402
from planted import Planted, expect  # noqa: E402
from replays import replays  # noqa: E402
from tools import Failure  # noqa: E402

FMA = ("--recording", "vectors/fma.n6.blt", "--cycles", "6000")

# What is planted, words of what is said, where, the text (a regular expression) and what is there instead, the block that runs.
FAULTS = [
    ("a register without a reset is X", "lcs after reset: register max_q bits 19..0 are X",
     "rtl/sm/lcs.sv", r".* max_q +<= '0;\n", "", "lcs"),
    ("a register with a wrong reset value", "lcs differs after reset (--seed 1): nmax_q model 0, RTL 5",
     "rtl/sm/lcs.sv", r" nmax_q +<= '0;", " nmax_q <= 5;", "lcs"),
    ("a part of the governor without a reset", "register perfsat.timer_q bits",
     "rtl/sm/perfsat.sv", r".* timer_q +<= '0;\n", "", "sm_governor"),
    ("a signal that nobody drives reaches an output", "output ps_mem_o bit 0 is X",
     "rtl/sm/stall_classifier.sv", r"(assign ps_mem_o = .*);((?:.*\n)*)endmodule", r"\1 || nobody;\2wire nobody;\nendmodule",
     "stall_classifier"),
    ("a port that nothing is connected to: its X spread", "num_blocks_q bits 3..0 are X",
     "rtl/sm/sm_governor.sv", r"(?m)^( *)\.nmax_i,", r"\1.nmax_i(),", "sm_governor"),
    ("a loop without end", "does not settle",
     "rtl/sm/dyncta.sv", r"endmodule", "reg a = 0;\nalways @(a) a <= ~a;\ninitial #1 a = 1;\nendmodule", "dyncta"),
]

# An iverilog whose design is this script.
DESIGN = 'while [ "$1" != -o ]; do shift; done; printf "#!/bin/sh\\n%s\\n" {} >"$2"; chmod +x "$2"'


def mutant(test: Planted, sv: str, text: str, instead: str) -> Path:
    before = Path(sv).read_text()
    after = re.sub(text, instead, before)
    expect(after != before, f"the fault does not fit {sv}")
    path = test.work / Path(sv).name
    path.write_text(after)
    return path


def headline(said: str) -> list[str]:
    lines = said.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("MISMATCH"))
    return [line.strip() for line in lines[at:at + 4]]


def as_they_are(test: Planted) -> None:
    test.command(0, "make", f"CONFIG={test.build.name}", f"B={test.build}", test.build / "icarus/ballast.vpi")
    with test.case("every block passes, on recordings and on random stimulus"):
        test.run(0, "--cycles", 300)
        rows = [line.split() for line in test.said.splitlines()[1:-1]]
        expect(rows and all(row[4] == "pass" and row[3] == "300" for row in rows), "a row does not pass with 300 cycles")
    with test.case("all blocks of rtl/ are among them"):
        missing = blocks().keys() - {row[0] for row in rows}
        expect(not missing, f"{missing} are missing")


def planted_faults(test: Planted) -> None:
    for name, words, sv, text, instead, block in FAULTS:
        with test.case(name):
            test.run(1, "--with", mutant(test, sv, text, instead), *FMA, block)
            test.says(re.escape(words))
    with test.case("a logic fault: Icarus and Verilator name the same cycle, register and values"):
        sv = mutant(test, "rtl/sm/lcs.sv", r"(?m)^( *)limit_q +<= limit_d;", r"\1limit_q <= limit_d ^ LimitW'(index_q == 3);")
        both = test.build / "icarus/fault/ballast"
        # Verilator's bench of this one block: the C of ballast.vpi, linked without Icarus.
        test.command(0, "make", f"CONFIG={test.build.name}", f"lcs_SV={sv}", "ICARUS_VARIANT=lcs", f"B={test.build}", both)
        test.run(1, "--with", sv, "--recording", "vectors/fma.n6.blt", "lcs")
        test.command(1, both, "lockstep", "--block", "lcs", "--sm", 0, "--out", test.work / "v", "vectors/fma.n6.blt")
        icarus = headline((test.out / "1.lcs/said").read_text())
        expect(headline(test.said) == icarus, f"Icarus says {icarus}")
    shutil.rmtree(test.build / "icarus/fault", ignore_errors=True)


def bad_input(test: Planted) -> None:
    cut = test.work / "cut.blt"
    cut.write_bytes(Path("vectors/fma.n6.blt").read_bytes()[:3000])
    broken = test.work / "lcs.sv"
    broken.write_text("module lcs (\n")
    for name, words, arguments in [
            ("an unknown block", "no block or variant 'nonesuch'", ["nonesuch"]),
            ("an unknown option", "--no-such", ["--no-such"]),
            ("a missing recording", "none.blt", ["--recording", test.work / "none.blt"]),
            ("a damaged recording", "cut.blt", ["--recording", cut, "lcs"]),
            ("no number of cycles", "'x'", ["--cycles", "x"]),
            ("RTL that Icarus does not take", "Icarus does not take lcs", ["--with", broken, "lcs"]),
            ("a folder without the module", "ballast.vpi; 'make icarus' builds it", ["--build", test.work, "lcs"])]:
        with test.case(name):
            test.run(2, *arguments)
            test.one_line(re.escape(words))
    with test.case("an unknown word in a block's targets"):
        for words in ({"recroding": "fma.n6"}, {"replay": "backwards"}, {"recording": "none"}, {"cycles": "many"}):
            line = targets("icarus", blocks()["lcs"], "fermi")[0]
            line.options.update(words)
            try:
                replays(line)
                expect(False, f"{words} is accepted")
            except Failure as failure:
                expect(next(iter(words.values())) in str(failure) or next(iter(words)) in str(failure), f"says {failure}")


def bad_tools(test: Planted) -> None:
    with test.case("a machine without iverilog"):
        test.run(2, "lcs", env=test.only("python3", "bash"))
        test.one_line("iverilog is not installed")
    for name, words, iverilog in [("iverilog is killed", "signal 9", "kill -9 $$"),
                                  ("the simulation is killed", "lcs: .*signal 9", DESIGN.format("'kill -9 $$'")),
                                  ("a simulation that says nothing is no pass", "not a single cycle", DESIGN.format("true"))]:
        with test.case(name):
            test.run(2, "lcs", env=test.instead(iverilog=iverilog))
            test.one_line(words)


if __name__ == "__main__":
    Planted.main("tb/icarus/icarus.py", as_they_are, planted_faults, bad_input, bad_tools)
