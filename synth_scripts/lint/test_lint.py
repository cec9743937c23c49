#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_lint.py: do lint_c.sh and lint_rtl.py find what each of their tools is there to find? Faults planted into C and into the RTL of a
tree with one block, and tools that end without a word. Ends with "N passed, N failed"."""
from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path.insert(0, "tb/flow")

from planted import Planted, expect
from tools import offered

LINT_C = "synth_scripts/lint/lint_c.sh"
CLEAN = "int {0}(int a);\nint {0}(int a)\n{{\n    return a + 1;\n}}\n"
# What only one of the tools sees: clang-tidy, cppcheck.
SEMICOLON = "int {0}(int a);\nint {0}(int a)\n{{\n    if (a > 1);\n    return a;\n}}\n"
NULL = "int {0}(void);\nint {0}(void)\n{{\n    int *p = 0;\n    return *p;\n}}\n"
WAIVED = SEMICOLON.replace("    if", "    /* NOLINTNEXTLINE(bugprone-suspicious-semicolon): a test */\n    if")

BLOCK = "bcs"
NEEDED = ("rtl/common", f"rtl/chip/{BLOCK}.sv", f"tb/blocks/{BLOCK}", "tb/flow", "tb/shim", "tb/cover", "synth_scripts/lint")
DECLARED = "  logic on_q, on_d;\n"
# What only one of the tools sees where Verilator is left out, or what none of them does.
RTL = [
    ("Yosys: a loop", "  logic [1:0] loop;\n  assign loop = {loop[0] & start_i, loop[1] & take_i};\n", ("--quick",), r"^yosys "),
    ("Icarus: a select out of the range", "  logic [1:0] two;\n  logic beyond;\n  assign two = '0;\n  assign beyond = two[4];\n", ("--quick",), r"^iverilog "),
    ("Verilator: a signal that nobody reads", "  logic spare;\n  assign spare = start_i;\n", (), r"^verilator .*\n(.*\n)*.*spare"),
    ("an operator before a cast", "  logic [1:0] cast;\n  assign cast = ~2'(start_i);\n", ("--quick",), r"^rtl/chip/bcs.sv:\d+: an operator stands before a cast"),
]


class Test(Planted):
    def c(self, status: int, *texts: str, env: dict[str, str] | None = None) -> None:
        """Files named a.c, b.c ... with these texts."""
        files = []
        for name, text in zip("abcdefgh", texts):
            files.append(self.work / f"{name}.c")
            files[-1].write_text(text.format(f"lint_{name}"))
        self.command(status, LINT_C, "--quick", *files, env=env)

    def rtl(self, status: int, *options: str, env: dict[str, str] | None = None) -> None:
        tree = self.work / "tree"
        self.command(status, sys.executable, tree / "synth_scripts/lint/lint_rtl.py", *options, env=env, cwd=tree)


def c_files(test: Test) -> None:
    with test.case("C: nothing to say of clean files, nor of a waiver"):
        test.c(0, CLEAN, WAIVED)
        test.says("^c lint: 2 files clean$")
    for name, text, word in (("clang-tidy", SEMICOLON, "bugprone-suspicious-semicolon"), ("cppcheck", NULL, "nullPointer")):
        with test.case(f"C: what {name} sees in two of three files, twice: nothing is remembered of them"):
            for _ in range(2):
                test.c(1, text, CLEAN, text)
                expect({"a.c", "c.c"} <= set(re.findall(rf"([abc]\.c):\d.*{word}", test.said)), "not in both files")
                test.says("^lint_c.sh: the findings are above; ")
        with test.case(f"C: a {name} that fails without a word"):
            test.c(1, CLEAN, env=test.instead(**{name: 'case "$*" in *version*) ;; *) exit 3 ;; esac'}))
    with test.case("C: not in the repository: one line"):
        test.command(2, Path(LINT_C).resolve(), "--quick", cwd=test.work)
        test.one_line("no .clang-tidy here; run it from the repository root")
    with test.case("C: a file that is not there: one line"):
        test.command(2, LINT_C, "--quick", test.work / "none.c")
        test.one_line("none.c: cannot be read")


def rtl_tree(test: Test) -> None:
    tree = test.work / "tree"
    for path in NEEDED:
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if Path(path).is_dir() else shutil.copyfile)(path, tree / path)
    (tree / "rtl/sm").mkdir()
    block = tree / f"rtl/chip/{BLOCK}.sv"
    text = block.read_text()
    expect(DECLARED in text, f"the faults do not fit {BLOCK}.sv")
    for options in ((), ("--quick",)):
        with test.case(f"RTL: nothing to say of a clean block {' '.join(options)}"):
            test.rtl(0, *options)
            test.says("^rtl lint: 1 blocks, [1-9] variants clean$")
    for name, planted, options, said in RTL:
        with test.case(f"RTL: {name} {' '.join(options)}"):
            block.write_text(text.replace(DECLARED, DECLARED + planted))
            test.rtl(1, *options)
            test.says(said)
    block.write_text(text)
    for tool in ("yosys", "iverilog", "verilator"):
        with test.case(f"RTL: a {tool} that fails without a word"):
            test.rtl(1, env=test.instead(**{tool: "exit 3"}))
            test.says(f"^{tool} {BLOCK}: status 3")
    with test.case("RTL: no blocks, or another option: one line"):
        test.rtl(2, "--quik")
        test.one_line("takes --quick, or nothing")
        block.unlink()
        shutil.rmtree(tree / f"tb/blocks/{BLOCK}")
        test.rtl(2)
        test.one_line("no blocks in rtl/sm and rtl/chip")


def build(test: Test) -> None:
    with test.case("what --quick leaves out is what a build reads, with all warnings"):
        reads = re.findall(r"^@verilator \$\(1\) (.*?) ", Path("Makefile").read_text(), re.M)
        expect(reads == ["-Wall"], f"a build has {reads}")
        off = [line for line in Path("tb/shim/verilator.args").read_text().splitlines() if "-Wno" in line]
        expect(not off, f"a build leaves out {off}")


if __name__ == "__main__":
    jobs: list[Callable[[Test], None]] = [rtl_tree, build]
    Test.main(LINT_C, *([c_files] if offered("clang-tidy-14") else []), *jobs)
