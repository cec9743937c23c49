# SPDX-License-Identifier: Apache-2.0
"""Replays recordings in the SystemC bench and with 'ballast', the same block under the same setting, and compares verdict,
table row and decision logs byte for byte. Prints a table.

The blocks are those with a SystemC module (tb/blocks/X/sc.h); lines 'sysc VARIANT key=value ...' of tb/blocks/X/targets say
what is replayed (tb/flow/replays.py has the keys). Run from the repository root. doc/use/systemc.md

Exit status 0 all is equal and passes, 1 something differs, 2 usage or a program is missing, 130 interrupted.
"""
from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "flow"))
from blocks import blocks, configurations, targets  # noqa: E402
from replays import Replay, replays, result  # noqa: E402
from tools import Failure, Options, Progress, ToolFailed, hold, number, program, run  # noqa: E402

ROW = "%-18s %-10s %-9s %-14s %9s %9s %-9s %s"
SHOWN = {"chip-family": "chip-f"}


@dataclass(frozen=True)
class Bench:
    """The two programs, and where both write."""

    sides: dict[str, Path]  # sysc, c
    out: Path

    def replay(self, side: str, words: list[str]) -> tuple[int, str]:
        """Into OUT/SIDE; the exit status and what was said."""
        shutil.rmtree(self.out / side, ignore_errors=True)
        try:
            ended = run([self.sides[side], *words, "--out", self.out / side], log=self.out / f"{side}.said", accept=(0, 1))
        except ToolFailed as failure:
            raise Failure(f"{failure}") from None
        return ended.returncode, ended.stdout

    def plain(self, said: str) -> str:
        """The table's rows and what else was said, without the speed, the folder and the program's name."""
        lines = [re.sub(" +[0-9.]+$", "", line) for line in said.splitlines() if not re.match("recording +mode", line)]
        text = re.sub(rf"{re.escape(str(self.out))}/(sysc|c)\b", "OUT", "\n".join(lines))
        return re.sub("|".join(re.escape(f"{path} ") for path in self.sides.values()), "ballast ", text)

    def logs(self, side: str) -> dict[str, bytes]:
        folder = self.out / side
        return {file.name: file.read_bytes() for file in sorted(folder.glob("*")) if file.suffix in (".log", ".jsonl")}

    def compare(self, said: dict[str, str]) -> str:
        """"equal", or the first that is not."""
        if self.plain(said["sysc"]) != self.plain(said["c"]):
            return "verdict differs"
        ours, theirs = self.logs("sysc"), self.logs("c")
        for name, text in theirs.items():
            if ours.get(name) != text:
                return f"{name} differs"
        if ours.keys() != theirs.keys():
            return "other logs"
        return "equal" if ours else "no logs"


def row(bench: Bench, one: Replay, more: list[str]) -> tuple[str, bool]:
    """The table's row, and whether it is as it must be. `more`: options of the bench alone."""
    status, said = {}, {}
    for side, words in (("sysc", [*more, *one.words()]), ("c", one.words())):
        status[side], said[side] = bench.replay(side, words)
    logs = bench.compare(said)
    if status["sysc"] != status["c"]:
        logs = f"exit status {status['sysc']}, with ballast {status['c']}"
    cycles, verdict = result(said["sysc"])
    decisions = sum(text.count(b"\n") for name, text in bench.logs("sysc").items() if name.endswith(".model.log"))
    text = ROW % (one.variant, one.value, SHOWN.get(one.mode, one.mode), one.recording, cycles, decisions, verdict, logs)
    return text, logs == "equal" and verdict == "pass" and cycles > 0 and status["sysc"] == 0


def main() -> int:
    parser = Options(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default="build/fermi", metavar="DIR",
                        help="where ballast and sysc/ballast-sc are built (default %(default)s)")
    parser.add_argument("--bench", type=Path, metavar="FILE", help="the bench's program (default DIR/sysc/ballast-sc)")
    parser.add_argument("--out", type=Path, default="build/sysc", metavar="DIR", help="of logs and VCD (default %(default)s)")
    parser.add_argument("--cycles", type=number, default=0, metavar="N", help="the first N of each recording (default: all)")
    options = parser.parse_args()
    bench = Bench({"sysc": options.bench or options.build / "sysc/ballast-sc", "c": options.build / "test/ballast"}, options.out)
    for path in bench.sides.values():
        if not os.access(path, os.X_OK) or path.is_dir():
            raise Failure(f"{path} is no program; 'make sysc' builds it")
    with_module = [block for block in blocks().values() if block.has("sc.h")]
    cases = [one for block in with_module for target in targets("sysc", block, configurations()[0]) for one in replays(target)]
    if not cases:
        raise Failure("no block has a SystemC module, or no line in targets says what is replayed")
    hold(bench.out)
    vcd = bench.out / f"{cases[0].variant}.vcd"
    vcd.unlink(missing_ok=True)
    progress = Progress("sysc", len(cases), quiet=True)
    print(ROW % ("block", "policy", "replay", "recording", "cycles", "decisions", "verdict", "logs"))
    good = True
    for at, one in enumerate(cases):
        words = ["--vcd", str(vcd), "--to", "2000"] if at == 0 else []
        text, equal = row(bench, replace(one, cycles=options.cycles or one.cycles), words)
        print(text, flush=True)
        progress.step(one.variant)
        good = good and equal
    if not vcd.is_file() or not vcd.stat().st_size:
        raise Failure(f"no VCD {vcd}")
    print(f"{len(cases)} replays in SystemC and with ballast: {'equal' if good else 'NOT equal'}; VCD: {vcd}")
    return 0 if good else 1


if __name__ == "__main__":
    program(main)
