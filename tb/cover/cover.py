# SPDX-License-Identifier: Apache-2.0
"""Coverage of the RTL: builds the blocks with counters, replays the recordings and runs the tests on them, and writes the report.

Without a BLOCK all of them, into build/cover; with BLOCKs only those, on the recordings and with their own tests, into
build/cover/part. Runs that recordings need besides are lines 'cover VARIANT key=value ...' in tb/blocks/X/targets
(tb/flow/replays.py). Run from the repository root; 'make cover' does. doc/verification/cover.md

Exit status 1 when something that should be reached is not, or a run fails; 2 usage, 3 bad input, 130 interrupted.
"""
from __future__ import annotations

import argparse
import csv
import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "flow"))
sys.path.append(str(Path(__file__).resolve().parents[1] / "formal"))  # has a page.py, too
import counts  # noqa: E402
import origin  # noqa: E402
import report  # noqa: E402
import subject  # noqa: E402
from blocks import Block, blocks, choose, configuration, targets, variants  # noqa: E402
from replays import replays  # noqa: E402
from tools import Failure, Options, Progress, ToolFailed, hold, in_parallel, processors, program, run  # noqa: E402

MANIFEST = Path("vectors/MANIFEST.csv")
# What drives the RTL besides the blocks' own tests: the engine, and what plays on top of it.
ENGINE_TESTS = ("tb/engine/test_lockstep.c", "sim/replay/test_chip.c", "sim/replay/test_family.c", "sim/replay/test_sweep.c",
                "sim/gpu/test_closed_loop.c", "sim/replay/test_session.c")


@dataclass(frozen=True)
class Run:
    suite: str
    name: str
    command: list[str | Path]


@dataclass(frozen=True)
class Job:
    """What is to be covered, and where."""

    config: str
    out: Path
    blocks: list[Block]  # to be reported; none: all
    tests: list[str]
    recordings: list[str]

    @property
    def build(self) -> Path:
        return self.out / self.config

    def log(self, name: str) -> Path:
        return self.out / "log" / f"{name}.txt"


# ---- build -----------------------------------------------------------------------------------

def own_tests(block: Block) -> list[Path]:
    return sorted(block.room.glob("test_*.c"))


def with_needed(named: list[Block]) -> list[Block]:
    """And what they read from, what they are made of, and what else their tests open."""
    found: dict[str, Block] = {}
    open_ends = list(named)
    while open_ends:
        block = open_ends.pop()
        if block.name in found:
            continue
        found[block.name] = block
        open_ends += [blocks()[name] for name in (*block.needs, *(part.block for part in block.parts))]
        opened = {word for test in own_tests(block) for word in re.findall(r'"([a-z]\w*)"', test.read_text())}
        open_ends += [other for other in blocks().values() if not opened.isdisjoint(variants(other))]
    return [block for name, block in blocks().items() if name in found]


def write_fragment(job: Job) -> None:
    """blocks.mk; one that says the same is as old as it was, so that nothing is built anew."""
    path = job.build / "blocks.mk"
    before = (path.read_text(), path.stat().st_mtime_ns) if path.is_file() else None
    run(["python3", "tb/flow/blocks.py", job.config, job.build, *(block.name for block in with_needed(job.blocks))])
    if before and path.read_text() == before[0]:
        os.utime(path, ns=(before[1], before[1]))


def build(job: Job) -> None:
    job.build.mkdir(parents=True, exist_ok=True)
    write_fragment(job)
    if sys.stderr.isatty():
        print(f"building the blocks with counters; what make says: {job.log('build')}", file=sys.stderr)
    programs = [job.build / "ballast", *(job.build / "test" / name for name in job.tests)]
    try:
        run(["make", f"-j{processors()}", f"CONFIG={job.config}", f"C={job.build}", *programs], log=job.log("build"))
    except ToolFailed as failure:
        wrong = [line for line in failure.output.splitlines() if not re.match("  (verilate|compile|link)", line)]
        print("\n".join(wrong[:20]), file=sys.stderr)
        raise Failure(f"the build failed; all of it: {job.log('build')}", 1) from None


# ---- runs ------------------------------------------------------------------------------------

def manifests(folder: Path) -> list[Path]:
    """The manifest, a file per kernel."""
    here = os.path.relpath(MANIFEST.parent, folder)
    lines = MANIFEST.read_text().splitlines()
    kernels: dict[str, list[str]] = {}
    for line, words in zip(lines[1:], csv.reader(lines[1:]), strict=True):
        kernels.setdefault(words[1], []).append(f"{here}/{line}")
    for kernel, rows in kernels.items():
        (folder / f"{kernel}.csv").write_text("\n".join([lines[0], *rows, ""]))
    return [folder / f"{kernel}.csv" for kernel in sorted(kernels)]


def list_runs(job: Job) -> list[Run]:
    """The long ones first."""
    ballast, folder = job.build / "ballast", job.out / "runs"
    tests = [Run("tests", name, [job.build / "test" / name]) for name in job.tests]
    if job.blocks:
        recordings = job.recordings or sorted(MANIFEST.parent.glob("*.blt"))
        return [Run("recordings", "all", [ballast, "lockstep", "--out", folder / "all", *recordings]), *tests]
    found = [Run("recordings", path.stem, [ballast, "run", "--out", folder / path.stem, path]) for path in manifests(folder)]
    lines = [line for block in blocks().values() for line in targets("cover", block, job.config) if line.options]
    for number, one in enumerate(one for line in lines for one in replays(line)):
        name = f"{one.variant}.{number}"
        found.append(Run("recordings", name, [ballast, *one.words(), "--out", folder / name]))
    return found + tests


def run_one(job: Job, one: Run) -> bool:
    """False: it failed. Of a run that passes nothing is kept but its counts."""
    try:
        run(one.command, env={"BALLAST_COVERAGE": str(job.out / one.suite / one.name)}, log=job.log(one.name))
    except ToolFailed:
        return False
    shutil.rmtree(job.out / "runs" / one.name, ignore_errors=True)
    return True


def counted(job: Job, one: Run) -> bool:
    """Whether a bit of the RTL rose in the run. One that replays in processes of its own has counts of each."""
    files = (job.out / one.suite).glob(f"{one.name}.*.toggles")
    return any(re.search(r"^toggle \S+ \S+ \S+ \d+ [01]*1", file.read_text(), re.M) for file in files)


def run_all(job: Job) -> None:
    for folder in ("recordings", "tests", "runs"):
        shutil.rmtree(job.out / folder, ignore_errors=True)
        (job.out / folder).mkdir()
    runs = list_runs(job)
    progress = Progress("cover", len(runs), quiet=True)
    passed = in_parallel(lambda one: run_one(job, one), runs, done=lambda one, _: progress.step(one.name))
    failed = [one.name for one, good in zip(runs, passed, strict=True) if not good]
    if not failed and (silent := [one.name for one in runs if one.suite == "recordings" and not counted(job, one)]):
        raise Failure(f"{' '.join(silent)}: passed and left no counts of RTL", 1)
    if not failed:
        shutil.rmtree(job.out / "runs")
        return
    said = job.log(failed[0]).read_text().splitlines()
    print("\n".join([line for line in said if re.search("MISMATCH|FAILED|rror", line)][:5] or said[-5:]), file=sys.stderr)
    raise Failure(f"{' '.join(failed)} failed; all of it: {job.log(failed[0])}", 1)


# ---- command line ----------------------------------------------------------------------------

def job_of(options: argparse.Namespace) -> Job:
    if not MANIFEST.is_file():
        raise Failure(f"no {MANIFEST} here; run it from the repository root")
    configuration(options.config)
    named = choose(options.block) if options.block else []
    tests = [Path(path).stem for path in ENGINE_TESTS] if not named else []
    tests = [test.stem for block in named or blocks().values() for test in own_tests(block)] + tests
    out = options.out or Path("build/cover/part" if named else "build/cover")
    return Job(options.config, out, named, options.tests.split() or tests, options.recordings.split())


def about(job: Job) -> dict[str, str]:
    """The sources of the blocks and of their tests as they are now."""
    return {block.name: subject.digest_measured(block) for block in job.blocks or blocks().values()}


def main() -> None:
    parser = Options(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="fermi", metavar="NAME", help="geometry, one of rtl/configs (default %(default)s)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the report goes")
    parser.add_argument("--tests", default="", metavar='"NAME..."', help="these tests only")
    parser.add_argument("--recordings", default="", metavar='"FILE..."', help="with BLOCKs: these recordings only")
    parser.add_argument("--counts", type=Path, metavar="DIR", help="only the report, from what DIR/recordings and DIR/tests have")
    parser.add_argument("block", nargs="*")
    options = parser.parse_args()
    job = job_of(options)
    hold(job.out)
    job.log("").parent.mkdir(parents=True, exist_ok=True)
    sources = about(job) if not options.counts else {}  # counts of an earlier run are of sources that nobody knows
    if not options.counts:
        build(job)
        run_all(job)
    counted = options.counts or job.out
    report.tell(job.out, counts.read(counted / "recordings", counted / "tests", [block.name for block in job.blocks]),
                {**origin.now(), "sources": origin.same(sources, about(job))})


if __name__ == "__main__":
    program(main)
