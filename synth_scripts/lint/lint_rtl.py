#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint_rtl.py [--quick]: reads every block with every tool that has to read it, with its default parameters and as each of its variants.
Run from the repository root. Verilator (-Wall --assert), Yosys (check -assert) and Icarus (-Wall) must have nothing to say. --quick, for
'make test', leaves out what Verilator has read when the tests were built, with the same options.

Exit 0 nothing found, 1 findings, 2 a tool or the sources are missing.
"""
from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))

from blocks import Block, blocks, variants  # noqa: E402
from tools import Failure, in_parallel, need, program, run, scratch  # noqa: E402

# Yosys 0.23 reads ~W'(x) as (~W)'(x), without a word; ~(W'(x)) is what everybody reads alike.
WIDTH = r"(?:\w+|\([^()]*\))"
CAST = re.compile(rf"[~!] *{WIDTH}'\(|[=(,?:] *- *{WIDTH}'\(")
# Icarus 11 counts bits beyond the width of an expression in an always block (issue 1411 of its repository); a signal it counts
# right, and in an assign all is right.
COUNT = re.compile(r"\$(countones|countbits|onehot0?)\([^()]*[^A-Za-z0-9_()]")


def lines_against(file: Path) -> list[str]:
    """What only Verilator reads comes last in a file, and may count as it likes."""
    text = file.read_text()
    hardware = text.partition("\n`ifdef VERILATOR")[0].count("\n") + 1
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        code = line.strip()
        if not code.startswith("//") and CAST.search(line):
            found.append(f"{file}:{number}: an operator stands before a cast; put the cast in parentheses: {code}")
        if number <= hardware and not code.startswith("assign ") and COUNT.search(line):
            found.append(f"{file}:{number}: counts the bits of an expression; count those of a signal: {code}")
    return found


def told(said: str) -> str:
    """Without the report of a newer Verilator (5.018 on), which counts lines and seconds."""
    return "".join(line for line in said.splitlines(True) if not line.startswith(("- V e r i l a t i o n ", "- Verilator: ")))


def with_cover(of: Block, folders: list[str], sources: list[Path]) -> list[str | Path]:
    """Functional points name signals of the block: read as 'make cover' reads them (tb/cover/cover.mk)."""
    return ["verilator", "--lint-only", "--assert", "--coverage-user", "-Itb/cover", "-Wno-WIDTH", "-Wno-CMPCONST", "-Wno-DECLFILENAME", *folders,
            "--top-module", of.name, "tb/shim/public.vlt", *(path for path in sources if path.stem.endswith("_pkg")), of.rtl, of.room / "cover.sv"]


def said_of(of: Block, variant: str, params: dict[str, int], sources: list[Path], work: Path, quick: bool) -> list[str]:
    chparam = "".join(f" -chparam {name} {value}" for name, value in params.items())
    own = [path for path in sources if path in of.sources or path.parent.name == "common"]  # to read the others takes longer than all else
    defer = "" if variant == of.name else "-defer "  # each module with its default parameters is read once, as the block itself
    folders = [word for room in ("common", "sm", "chip") for word in ("-y", f"rtl/{room}")]
    built = ["verilator", "--lint-only", "-Wall", "--assert", *folders, *(f"-G{name}={value}" for name, value in params.items()),
             "--top-module", of.name, *(path for path in sources if path.stem.endswith("_pkg")), of.rtl]
    commands = [
        *([] if quick else [built]),
        ["yosys", "-q", "-p", f"read_verilog {defer}-sv {' '.join(map(str, own))}; hierarchy -check -top {of.name}{chparam}; "
         "proc; check -assert"],
        ["iverilog", "-g2012", "-Wall", "-o", work / variant, "-s", of.name,
         *(f"-P{of.name}.{name}={value}" for name, value in params.items()), *sources]]
    if variant == of.name and of.has("cover.sv"):
        commands.append(with_cover(of, folders, sources))
    ended = [run(command, accept=tuple(range(256))) for command in commands]
    return [f"{one.args[0]} {variant}: status {one.returncode}\n{told(one.stdout)}" for one in ended if one.returncode or told(one.stdout)]


def main() -> int:
    need("verilator", "yosys", "iverilog")
    quick = sys.argv[1:] == ["--quick"]
    if sys.argv[1:] and not quick:
        raise Failure("takes --quick, or nothing")
    jobs = [(of, name, own) for of in blocks().values() for name, own in variants(of).items()]
    if not jobs:
        raise Failure("no blocks in rtl/sm and rtl/chip")
    sources = sorted(Path("rtl").glob("*/*.sv"), key=lambda path: (not path.stem.endswith("_pkg"), path))
    with scratch() as work:
        said = in_parallel(lambda job: said_of(*job, sources, work, quick), jobs)
    found = [line for lines in [*map(lines_against, sources), *said] for line in lines]
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    if not found:
        print(f"rtl lint: {len(blocks())} blocks, {len(jobs) - len(blocks())} variants clean")
    return int(bool(found))


if __name__ == "__main__":
    program(main)
