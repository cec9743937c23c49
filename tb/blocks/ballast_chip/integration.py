#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""integration.py: the example of doc/use/integration.md: a chip with SMs that a bench programs over the bus. Runs it in Icarus and in
Verilator, and prints what the bench said. Run from the repository root. Exit 0 both passed and said the same, 1 not, 2 a tool is missing.
"""
from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "flow"))
from tools import ToolFailed, program, run, scratch  # noqa: E402

EXAMPLE = Path(__file__).resolve().parent / "example"
BENCH, TOP = sorted(EXAMPLE.glob("*.sv")), "example_tb"
FOLDERS = ("common", "sm", "chip")


def said(text: str) -> list[str]:
    """The lines of the bench; a simulator adds some of its own."""
    return [line for line in text.splitlines() if re.match(r"(ok|FAIL) |\d+ passed, \d+ failed$", line)]


def in_icarus(rtl: Path, work: Path) -> list[str]:
    libraries = [word for folder in FOLDERS for word in ("-y", str(rtl / folder))]
    run(["iverilog", "-g2012", "-o", work / "example", "-Y", ".sv", *libraries, "-s", TOP, *sorted((rtl / "common").glob("*_pkg.sv")), *BENCH],
        leaves=[work / "example"])
    return said(run(["vvp", "-n", work / "example"], seconds=600).stdout)


def in_verilator(rtl: Path, work: Path) -> list[str]:
    """With the assertions of the RTL. The code is compiled fast, and runs only a thousand cycles."""
    libraries = [word for folder in FOLDERS for word in ("-y", str(rtl / folder))]
    run(["verilator", "--binary", "--timing", "--assert", "-Wno-fatal", "-Wno-lint", "-f", "tb/shim/verilator.args",
         "--Mdir", work / "verilated", "--top-module", TOP, *libraries, *sorted((rtl / "common").glob("*_pkg.sv")), *BENCH,
         "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"], leaves=[work / "verilated" / f"V{TOP}"])
    return said(run([work / "verilated" / f"V{TOP}"], seconds=600).stdout)


def passes(lines: list[str]) -> bool:
    last = re.fullmatch(r"([1-9]\d*) passed, 0 failed", lines[-1] if lines else "")
    return last is not None and len(lines) == int(last[1]) + 1


def main() -> int:
    with scratch("integration") as work:
        try:
            first, second = in_icarus(Path("rtl"), Path(work)), in_verilator(Path("rtl"), Path(work))
        except ToolFailed as failure:
            print(failure.output or failure)
            return 1
    print("\n".join(first))
    if first != second:
        print("integration: Verilator says otherwise:", *second, sep="\n")
    return int(first != second or not passes(first))


if __name__ == "__main__":
    program(main)
