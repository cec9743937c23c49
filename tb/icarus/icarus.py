# SPDX-License-Identifier: Apache-2.0
"""Runs blocks (default: all) in lockstep with their C models in Icarus Verilog, which has X: on recordings and on random
stimulus.

Prints a table. Run from the repository root. What runs follows from the block; 'icarus VARIANT key=value ...' in
tb/blocks/X/targets says otherwise: tb/flow/replays.py has the keys, and random=N how long the random runs are.
doc/verification/icarus.md

Exit status 0 all pass, 1 a block differs or is X, 2 usage or a tool or file is missing, 130 interrupted.
"""
from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "flow"))
from blocks import Target, blocks, configuration, parameters, targets, variant  # noqa: E402
from replays import Replay, explanation, mode_of, random_replays, replays, result, settings  # noqa: E402
from tools import Failure, Options, Progress, ToolFailed, hold, in_parallel, need, number, program, run  # noqa: E402

RANDOM_CYCLES = {"lockstep": 50000, "chip": 20000, "random": 100000}  # by what a block is; a few seconds each
ROW = "%-18s %-10s %-14s %9s %-9s %10s"


@dataclass(frozen=True)
class Setup:
    """What all runs share."""

    config: str
    module: Path  # ballast.vpi, which vvp loads
    replaced: Path | None

    def sources(self) -> list[Path]:
        """The RTL, packages first."""
        files = sorted(Path("rtl").glob("*/*.sv"), key=lambda path: (not path.stem.endswith("_pkg"), path))
        return [self.replaced if self.replaced and self.replaced.name == file.name else file for file in files]


def setup_of(options: argparse.Namespace) -> Setup:
    """Fails when something is missing that every run needs."""
    configuration(options.config)
    need("iverilog", "vvp")
    module = (options.build or Path("build") / options.config) / "icarus/ballast.vpi"
    if not module.is_file():
        raise Failure(f"no {module}; 'make icarus' builds it")
    if options.replaced and not options.replaced.is_file():
        raise Failure(f"no file {options.replaced}")
    return Setup(options.config, module, options.replaced)


def compile_design(setup: Setup, name: str, out: Path) -> str:
    """Compiles a variant, and the blocks whose outputs it reads, into a program with the commands of `ballast`. Returns the names
    for its --block."""
    block, own = variant(name)
    roots = [(blocks()[need], {}) for need in block.needs] + [(block, own)]
    words = ["iverilog", "-g2012", "-L", setup.module.parent.resolve(), "-m", "ballast", "-o", out]
    for root, params in roots:
        words += ["-s", root.name]
        words += [f"-P{root.name}.{key}={value}" for key, value in parameters(root, setup.config, params).items()]
    try:
        run([*words, *setup.sources()], leaves=[out])
    except ToolFailed as failure:
        said = failure.output.strip().splitlines()
        raise Failure(f"Icarus does not take {name}: {said[0] if said else failure}") from None
    return ",".join([*block.needs, name])


# ---- what runs -------------------------------------------------------------------------------

def lines_of(name: str, config: str) -> list[Target]:
    """The lines for a variant; one without any runs like its block, or like the block's first."""
    block, _ = variant(name)
    lines = targets("icarus", block, config)
    mine = [line for line in lines if line.name == name] or [line for line in lines if line.name == block.name] or lines[:1]
    return [replace(line, name=name) for line in mine]


def all_variants(config: str) -> list[str]:
    return list(dict.fromkeys(line.name for block in blocks().values() for line in targets("icarus", block, config)))


def on_one_sm(one: Replay) -> Replay:
    return replace(one, arguments=("--sm", "0", *one.arguments)) if one.mode == "lockstep" else one


def chosen(name: str, config: str) -> list[Replay]:
    """What makes the block decide, then random stimulus."""
    lines = lines_of(name, config)
    length = next((line.options["random"] for line in lines if "random" in line.options), RANDOM_CYCLES[mode_of(lines[0].block)])
    recorded = [on_one_sm(one) for line in lines for one in replays(line, ("random",))]
    return recorded + random_replays(name, lines[0].block, int(length))


def given(name: str, config: str, recording: Path) -> list[Replay]:
    """A recording as it is, on an SM under every policy."""
    line = lines_of(name, config)[0]
    mode = mode_of(line.block)
    if mode == "random":
        return random_replays(name, line.block, RANDOM_CYCLES[mode])
    values = settings(line) if mode == "lockstep" else [""]
    return [on_one_sm(Replay(name, line.block, mode, recording.stem, value, 0, (str(recording),))) for value in values]


def runs_of(options: argparse.Namespace) -> list[Replay]:
    found: list[Replay] = []
    for name in options.block or all_variants(options.config):
        if options.random:
            found += random_replays(name, variant(name)[0], options.random)
        elif options.recording:
            found += given(name, options.config, options.recording)
        else:
            found += chosen(name, options.config)
    if options.cycles is None:
        return found
    return [replace(one, cycles=min(one.cycles or options.cycles, options.cycles)) for one in found]


# ---- the table -------------------------------------------------------------------------------

@dataclass(frozen=True)
class Row:
    replay: Replay
    cycles: int
    seconds: float
    why: str  # what differs; "" when nothing does

    def text(self) -> str:
        verdict = "MISMATCH" if self.why else "pass"
        row = ROW % (self.replay.variant, self.replay.value, self.replay.recording, self.cycles, verdict,
                     f"{self.cycles / self.seconds:.0f}")
        return f"{row}\n  {self.why}" if self.why else row


def run_one(setup: Setup, folder: Path, one: Replay) -> Row:
    folder.mkdir(parents=True)
    design = folder / "design"
    names = compile_design(setup, one.variant, design)
    start = time.monotonic()
    try:
        ended = run([design, *one.words(names), "--out", folder], log=folder / "said", accept=(0, 1))
    except ToolFailed as failure:
        raise Failure(f"{one.variant}: {failure}") from None
    cycles, verdict = result(ended.stdout)
    if ended.returncode == 0 and cycles == 0:
        raise Failure(f"{one.variant}: {one.recording}: not a single cycle; {folder}/said")
    if (ended.returncode == 0) != (verdict == "pass"):
        raise Failure(f"{one.variant}: {one.recording}: exit status {ended.returncode}, but it says {verdict}; {folder}/said")
    if one.mode == "random" and verdict == "pass" and cycles != one.cycles:
        raise Failure(f"{one.variant}: {one.recording}: {cycles} cycles of {one.cycles}; {folder}/said")
    return Row(one, cycles, time.monotonic() - start, explanation(ended.stdout) if ended.returncode else "")


def table(setup: Setup, options: argparse.Namespace) -> int:
    out = options.out or setup.module.parent / "run"
    jobs = list(enumerate(runs_of(options), 1))
    hold(out)
    for old in out.glob("[0-9]*.*"):
        shutil.rmtree(old)
    start = time.monotonic()
    progress = Progress("icarus", len(jobs), quiet=True)
    rows = in_parallel(lambda job: run_one(setup, out / f"{job[0]}.{job[1].variant}", job[1]), jobs,
                       done=lambda job, _: progress.step(job[1].variant))
    print(ROW % ("block", "policy", "stimulus", "cycles", "verdict", "cycles/s"))
    for row in rows:
        print(row.text())
    failed = not rows or any(row.why for row in rows)
    print(f"{len(rows)} runs in Icarus, {time.monotonic() - start:.0f} s: {'NOT all pass' if failed else 'all pass'}; "
          f"what they said: {out}")
    return 1 if failed else 0


def design(setup: Setup, options: argparse.Namespace) -> int:
    if len(options.block) != 1:
        raise Failure("--design: name one block")
    print(compile_design(setup, options.block[0], options.design))
    return 0


def main() -> int:
    parser = Options(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="fermi", help="geometry, one of rtl/configs (default %(default)s)")
    parser.add_argument("--recording", type=Path, metavar="FILE", help="replay SM 0 of this recording, whole, instead")
    parser.add_argument("--cycles", type=number, metavar="N", help="the first N cycles of every run")
    parser.add_argument("--random", type=number, metavar="N", help="random runs of N cycles instead (seeds 1 and 2)")
    parser.add_argument("--build", type=Path, metavar="DIR", help="where ballast.vpi is built (default build/CONFIG)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to work (default DIR/icarus/run)")
    parser.add_argument("--with", type=Path, metavar="FILE", dest="replaced", help="this file instead of that name's in rtl/")
    parser.add_argument("--design", type=Path, metavar="PROGRAM", help="only compile the one BLOCK into a program with the "
                        "commands of ballast, and print what its --block wants")
    parser.add_argument("block", nargs="*", help="a block or a variant")
    options = parser.parse_args()
    if options.recording and not os.access(options.recording, os.R_OK):
        raise Failure(f"no recording {options.recording}")
    setup = setup_of(options)
    return design(setup, options) if options.design else table(setup, options)


if __name__ == "__main__":
    program(main)
