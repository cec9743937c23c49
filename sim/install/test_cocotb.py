# SPDX-License-Identifier: Apache-2.0
"""The page's example for cocotb (doc/use/dpi.md) on an install, in Icarus; then with faults in the RTL, and with a scoreboard that does
not look. cocotb is that of build/pypi (tb/flow/pypi.py), which is filled from PyPI.

  python3 sim/install/test_cocotb.py BUILD_DIR

Ends with 'N passed, N failed'. Run from the repository root.
"""
from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
import pypi
import tools
from planted import expect
from test_benches import Benches, block_of

# What is planted, in which file, text, what is there instead, what the test says.
FAULTS = [
    ("a register of the RTL that goes wrong", "rtl/sm/lcs.sv", "inst_q[s] <= count_next;", "inst_q[s] <= count_next ^ CountW'(s == 5);",
     r"AssertionError: ballast lcs, cycle \d+: inst_q\[5\] is \d+ in the model, \d+ in the RTL"),
    ("an output of the RTL that goes wrong", "rtl/sm/lcs.sv", "assign pause_o = Throttle != 0 && done_o;", "assign pause_o = done_o;",
     r"AssertionError: ballast lcs, cycle \d+: pause_o is 0 in the model, 1 in the RTL"),
    ("a register that is X", "rtl/sm/lcs.sv", "limit_q   <= '0;", "", r"AssertionError: ballast lcs, cycle 0: limit_q is 0 in the model, 4'bx+ in the RTL"),
    ("a scoreboard that forgets an output", "python/ballast_reference.py", "for pin in self.model.pins():\n            handle",
     "for pin in set(self.model.pins()) - {'limit_o'}:\n            handle", r"Refused: ballast lcs: limit_o is not connected"),
    ("a scoreboard that steps twice", "python/ballast_reference.py", "        if self.model.cycle(rst_n):", "        self.model.cycle(rst_n)\n        if self.model.cycle(rst_n):",
     r"Refused: ballast lcs: \w+ was put 0 times"),
    ("a scoreboard that never samples", "python/ballast_reference.py", "            self.sample()", "            pass", r"assert scoreboard.cycles > 900"),
]


def example(test: Benches, venv: Path, status: int) -> None:
    folder = test.work / "cocotb"
    folder.mkdir(exist_ok=True)
    (folder / "test_lcs.py").write_text(block_of(test.page, "python", 0))
    (folder / "run.py").write_text(block_of(test.page, "python", 1))
    path = {"PYTHONDONTWRITEBYTECODE": "1", "COCOTB_ANSI_OUTPUT": "0"}
    test.command(status, venv / "bin/python", "run.py", cwd=folder, env=test.here | path)


def plain(venv: Path, test: Benches) -> None:
    with test.case("cocotb: the page's example passes"):
        example(test, venv, 0)
        test.says("TESTS=1 PASS=1 FAIL=0")


def planted(venv: Path, test: Benches) -> None:
    for name, file, text, instead, words in FAULTS:
        path = test.share / file
        before = path.read_text()
        with test.case(f"cocotb: {name}"):
            expect(text in before, "the fault does not fit")
            path.write_text(before.replace(text, instead))
            example(test, venv, 1)
            test.says("TESTS=1 PASS=0 FAIL=1")
            test.says(words)
        path.write_text(before)


def main() -> int:
    tools.need("iverilog", "vvp")
    venv = pypi.environment(pypi.COCOTB).resolve()
    with Benches("", sys.argv[1] if len(sys.argv) > 1 else "build/fermi") as test:
        plain(venv, test)
        planted(venv, test)
    return test.status


if __name__ == "__main__":
    tools.program(main)
