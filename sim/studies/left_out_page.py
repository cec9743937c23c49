# SPDX-License-Identifier: Apache-2.0
"""What experiments lose by the CTAs that they leave out (sim/gpu/steady.h): `make left-out-update`.

  left_out_page.py BALLAST

Kernels of each paper run with all CTAs, too. How far the runs that go to the end differ, run by run, goes into doc/papers/experiments.md. Run from the repository root.
"""
from __future__ import annotations

import csv
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb" / "flow"))
import pages
from tools import Failure, program, run

PAGE = Path("doc/papers/experiments.md")
COMMAND, NAME = "make left-out-update", "left-out"
# Of each paper kernels whose CTAs are short and long, and whose policies settle and go on.
KERNELS = [("perfsat", "fermi", "perfsat/Hot"), ("perfsat", "kepler", "perfsat/CFD"), ("lcs,lcs-bcs,dyncta", "lcs", "lcs/BP"),
           ("lcs,lcs-bcs,dyncta", "lcs", "lcs/KMN"), ("equalizer,dyncta", "fermi", "equalizer/cutcp-1"), ("equalizer,dyncta", "fermi", "equalizer/sad-1")]
POLICIES = ("static", "Perf-Sat", "LCS", "Equalizer", "DYNCTA")
HEAD = f"{'kernel':10} {'machine':8} {'runs':>4} {'simulated':>9} {'mean':>7} {'largest':>8}  {'which':10} {'cycles of all':>13} {'with less':>10}"
Run = dict[str, str]


def runs_of(ballast: str, papers: str, machine: str, kernel: str, folder: Path, *options: str) -> list[Run]:
    """In the order in which they were asked for."""
    path = folder / f"runs{len(options)}.csv"
    run([ballast, "experiment", papers, "--jobs", "1", "--machine", machine, "--runs", path, *options, f"sim/kernels/{kernel}.kernel"])
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def row(kernel: str, machine: str, whole: list[Run], less: list[Run]) -> str:
    if [one["policy"] for one in whole] != [one["policy"] for one in less] or any(int(one["left_out"]) for one in whole):
        raise Failure(f"{kernel}: these are not the same runs", 1)
    pairs = [(one, other) for one, other in zip(whole, less, strict=True) if one["finished"] == "1"]
    if wrong := [one["policy"] for one, other in pairs if (one["instructions"], one["ctas"]) != (other["instructions"], other["ctas"])]:
        raise Failure(f"{kernel}, policy {wrong[0]}: a run with less has other instructions or CTAs", 1)
    cycles = [(int(one["cycles"]), int(other["cycles"]), int(other["left_out"]), int(one["policy"])) for one, other in pairs]
    simulated = sum(now - left for _, now, left, _ in cycles) / sum(was for was, *_ in cycles)
    mean = sum(abs(now / was - 1) for was, now, *_ in cycles) / len(cycles)
    was, now, _, policy = max(cycles, key=lambda one: abs(one[1] / one[0] - 1))
    return f"{kernel.split('/')[1]:10} {machine:8} {len(cycles):4} {100 * simulated:7.0f} % {100 * mean:5.2f} % {100 * (now / was - 1):+6.2f} %  {POLICIES[policy]:10} {was:13} {now:10}"


def main() -> int:
    pages.check(PAGE, NAME)
    rows = [HEAD]
    with tempfile.TemporaryDirectory() as name:
        for at, (papers, machine, kernel) in enumerate(KERNELS):
            folder = Path(name) / str(at)
            folder.mkdir()
            less = runs_of(sys.argv[1], papers, machine, kernel, folder)
            rows.append(row(kernel, machine, runs_of(sys.argv[1], papers, machine, kernel, folder, "--whole"), less))
            print(rows[-1], flush=True)
    pages.write(PAGE, [f"    {line}".rstrip() for line in rows], COMMAND, NAME)
    return 0


if __name__ == "__main__":
    program(main)
