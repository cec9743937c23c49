# SPDX-License-Identifier: Apache-2.0
"""What a policy gains or loses on kernels of few CTA generations, in the activity simulator in closed loop:

  short_kernels.py BALLAST [--kernels NAME,...] [--generations N,...]

Prints a table: for each kernel and length the time under each policy, over that of as many CTAs as fit (static). A generation is Nmax CTAs on each
SM. A * says that the policy had decided on all SMs before the end. "best" is a static limit, found by trying all of them at ten
generations: the fewest CTAs that take at most a hundredth longer than the fastest.
"""
from __future__ import annotations

import argparse
import csv
import io
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb" / "flow"))
from tools import Failure, in_parallel, program, run

SMS = 5  # a third of Fermi, with its part of the memory
SWEEP = 10  # generations
GENERATIONS = (1, 2, 4, 10, 30, 100)
POLICIES = ("perfsat", "lcs", "equalizer", "dyncta")
# Kernel files, and the scheduler where it is not the machine's own.
KERNELS = {
    "fma": ("sim/kernels/recorded/fma.kernel", "own"),
    "hotspot": ("sim/kernels/recorded/hotspot.kernel", "own"),
    "pathlong": ("sim/kernels/recorded/pathlong.kernel", "own"),
    "kmn-1": ("sim/kernels/equalizer/kmn-1.kernel", "own"),
    "cliff": ("sim/studies/cliff.kernel", "own"),
    "cliff-lrr": ("sim/studies/cliff.kernel", "lrr"),
}


@dataclass(frozen=True)
class Result:
    seconds: float
    decided: bool
    nmax: int


class Lab:
    """A kernel, made as long as is wanted."""

    def __init__(self, ballast: str, work: Path, name: str):
        path, self.scheduler = KERNELS[name]
        self.ballast, self.work, self.name = ballast, work, name
        once = re.sub(r"\blaunches = \d+;", "", Path(path).read_text())
        self.text, found = re.subn(r"\bblocks = \d+;", "blocks = BLOCKS;", once, count=1)
        if not found:
            raise Failure(f"{path}: no line 'blocks = N;'")
        self.nmax = self.simulate(SMS, "static", "--max-cycles", "10").nmax

    def simulate(self, ctas: int, policy: str, *options: str) -> Result:
        path = self.work / f"{self.name}.{ctas}.kernel"
        path.write_text(self.text.replace("BLOCKS", str(ctas)))
        said = run([self.ballast, "sim", "--sms", str(SMS), "--scheduler", self.scheduler, "--csv", "--policy", policy, *options, path]).stdout
        row = next(csv.DictReader(io.StringIO(said)))
        return Result(float(row["seconds"]), int(row["decided_sms"]) == SMS, int(row["nmax"]))

    def long(self, generations: int, policy: str, *options: str) -> Result:
        return self.simulate(SMS * self.nmax * generations, policy, *options)

    def best(self) -> int:
        """The fewest CTAs of those that take no more than a hundredth longer than the fastest."""
        times = {limit: self.long(SWEEP, "static", "--limit", str(limit)).seconds for limit in range(1, self.nmax + 1)}
        return min(limit for limit, seconds in times.items() if seconds <= 1.01 * min(times.values()))


def rows(lab: Lab, generations: list[int]) -> list[str]:
    best, lines = lab.best(), []
    for length in generations:
        most = lab.long(length, "static").seconds
        cells = [f"{lab.long(length, 'static', '--limit', str(best)).seconds / most:.2f} "]
        for policy in POLICIES:
            one = lab.long(length, policy)
            cells.append(f"{one.seconds / most:.2f}{'*' if one.decided and policy in ('perfsat', 'lcs') else ' '}")
        lines.append(f"{lab.name:10} {lab.nmax:4} {best:4} {length:11}   " + "".join(f"{cell:>10}" for cell in cells).rstrip())
    return lines


def numbers(text: str) -> list[int]:
    return [int(one) for one in text.split(",")]


def names(text: str) -> list[str]:
    for one in text.split(","):
        if one not in KERNELS:
            raise argparse.ArgumentTypeError(f"no kernel '{one}'; there are {', '.join(KERNELS)}")
    return text.split(",")


def _main() -> int:
    parser = argparse.ArgumentParser(description="The policies on short kernels, as times over that of as many CTAs as fit.")
    parser.add_argument("ballast")
    parser.add_argument("--kernels", type=names, default=list(KERNELS))
    parser.add_argument("--generations", type=numbers, default=list(GENERATIONS))
    options = parser.parse_args()
    tables: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as work:
        def one(name: str) -> None:
            tables[name] = rows(Lab(options.ballast, Path(work), name), options.generations)

        in_parallel(one, options.kernels)
    print(f"{'kernel':10} Nmax best generations   " + "".join(f"{title:>9} " for title in ("best", *POLICIES)).rstrip())
    for name in options.kernels:
        print(*tables[name], sep="\n")
    return 0


if __name__ == "__main__":
    program(_main)
