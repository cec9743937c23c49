#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How strong are the tests of the checkers? Mutates the sources of what judges - comparison, prover, flows - and runs their own tests
on each mutant, in a copy of the tree. Run from the repository root. doc/verification/mutate.md

tb/mutate/checkers.list says which file is tested by what; tb/mutate/checkers.equivalent names mutants that are none, with a
reason.

Exit 0 each mutant is killed or named, 1 not so, 2 usage or a tool or file is missing, 130 interrupted.
"""
from __future__ import annotations

import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "flow"))

import operators
import pages
import tools
from operators import Mutant
from tools import Failure
from verilated import OBJECTS

LIST, EQUIVALENT = Path("tb/mutate/checkers.list"), Path("tb/mutate/checkers.equivalent")
COPIED = ("tb", "synth_scripts")  # checkers stand here; everything else is a link
NAME = "checkers"
SLOW = 20        # times what the tests take without a mutant: it does not end
AT_LEAST = 120   # seconds, on a machine that has other things to do


@dataclass(frozen=True)
class Checker:
    file: Path
    tests: tuple[str, ...]  # commands


@dataclass
class Row:
    file: str
    mutants: int
    killed: int
    equivalent: int
    survived: list[str]

    @property
    def score(self) -> float:
        counted = self.killed + len(self.survived)
        return 100 * self.killed / counted if counted else 0


def checkers(path: Path = LIST) -> list[Checker]:
    """Lines 'FILE: COMMAND; COMMAND', a quick one first."""
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        file, colon, commands = line.partition(":")
        tests = tuple(command.strip() for command in commands.split(";") if command.strip())
        if not colon or not tests:
            raise Failure(f"{path}:{number}: is not 'FILE: COMMAND; COMMAND'")
        if not Path(file).is_file():
            raise Failure(f"{path}:{number}: no file {file}")
        found.append(Checker(Path(file), tests))
    return found


def named(path: Path = EQUIVALENT) -> dict[tuple[str, str, str], str]:
    """Lines 'FILE<tab>WHAT<tab>SOURCE LINE<tab>REASON'."""
    found = {}
    for number, line in enumerate(path.read_text().splitlines() if path.is_file() else [], 1):
        if not line or line.startswith("#"):
            continue
        words = line.split("\t")
        if len(words) != 4 or not all(words):
            raise Failure(f"{path}:{number}: is not FILE, WHAT, SOURCE LINE and REASON with tabs between")
        found[words[0], words[1], words[2]] = words[3]
    return found


# ---- runs ------------------------------------------------------------------------------------------

def copy_tree(scratch: Path) -> None:
    """The sources of the checkers as they are; links to the rest."""
    for entry in Path.cwd().iterdir():
        if entry.name in COPIED:
            shutil.copytree(entry, scratch / entry.name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        elif entry.name not in (".git", "build"):
            (scratch / entry.name).symlink_to(entry)


def copy_build(scratch: Path, build: Path) -> None:
    """Objects with their times, those of all configurations, too, so that make compiles only what a mutant changes."""
    for made in (build, OBJECTS):
        if made.is_dir() and not (scratch / made).exists():
            shutil.copytree(made, scratch / made, symlinks=True)


def passes(scratch: Path, command: str, seconds: float) -> bool:
    """Whether a test passes; one that does not end, or is killed, does not."""
    env = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(shlex.split(command), cwd=scratch, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        if process.poll() is None:
            os.killpg(process.pid, 9)
            process.wait()


def killed(scratch: Path, checker: Checker, mutant: Mutant, seconds: list[float]) -> bool:
    path = scratch / checker.file
    text = path.read_text()
    path.write_text(mutant.text)
    try:
        return not all(passes(scratch, test, limit) for test, limit in zip(checker.tests, seconds, strict=True))
    finally:
        path.write_text(text)


def baseline(scratch: Path, checker: Checker) -> list[float]:
    """How long each test may take: without a mutant all pass."""
    limits = []
    for test in checker.tests:
        start = time.monotonic()
        if not passes(scratch, test, 3600):
            raise Failure(f"{checker.file}: '{test}' fails without a mutant")
        limits.append(max(AT_LEAST, SLOW * (time.monotonic() - start)))
    return limits


def measure(scratch: Path, checker: Checker, most: int, seed: int) -> Row:
    mutants = operators.mutants(checker.file)
    if not mutants:
        raise Failure(f"{checker.file}: nothing to mutate")
    if most and most < len(mutants):
        mutants = random.Random(f"{seed} {checker.file}").sample(mutants, most)
    limits = baseline(scratch, checker)
    known = named()
    row = Row(str(checker.file), len(mutants), 0, 0, [])
    progress = tools.Progress(str(checker.file), len(mutants))
    for mutant in mutants:
        if killed(scratch, checker, mutant, limits):
            row.killed += 1
        elif (str(checker.file), mutant.what, mutant.line_text) in known:
            row.equivalent += 1
        else:
            row.survived.append(f"{checker.file}:{mutant.line}: {mutant.what}: {mutant.line_text}")
        progress.step("survives" if row.survived and f":{mutant.line}: {mutant.what}: " in row.survived[-1] else "")
    return row


# ---- what came of it --------------------------------------------------------------------------------

def update(page: Path, rows: list[Row], quick: bool) -> None:
    """What is not measured now stays."""
    told = [[row.file, "quick" if quick else "all", *map(str, (row.mutants, row.killed, row.equivalent, len(row.survived))), f"{row.score:.0f} %"]
            for row in rows]
    pages.update(page, NAME, "Mutants of the checkers:", ("checker", "tests", "mutants", "killed", "equivalent", "survived", "score"), told,
                 sorted(str(one.file) for one in checkers()), "make mutate-checkers-update")


def main() -> int:
    parser = tools.Options(prog="checkers.py", description="Mutates the checkers and runs their own tests.")
    parser.add_argument("--mutants", type=tools.number, default=0, help="so many per file, chosen by chance (default all)")
    parser.add_argument("--quick", action="store_true", help="the first test of each file only")
    parser.add_argument("--seed", type=tools.number, default=1, help="others (default 1)")
    parser.add_argument("--build", type=Path, default=Path("build/fermi"), help="what C is compiled in, a copy of it")
    parser.add_argument("--out", type=Path, default=Path("build/mutate"), help="where checkers.json goes (default build/mutate)")
    parser.add_argument("--page", type=Path, help="write the table into this page, between its marks")
    parser.add_argument("file", nargs="*", help="checkers (default all)")
    given = parser.parse_args()
    if given.page:
        pages.check(given.page, NAME)
    known = {str(checker.file): checker for checker in checkers()}
    named()
    for file in given.file:
        if file not in known:
            raise Failure(f"no checker {file}; there are: {' '.join(known)}")
    rows = []
    with tools.scratch() as scratch:
        copy_tree(scratch)
        for checker in (known[file] for file in given.file or known):
            if given.quick:
                checker = Checker(checker.file, checker.tests[:1])
            if not given.quick or "make" in checker.tests[0]:
                copy_build(scratch, given.build)
            rows.append(measure(scratch, checker, given.mutants, given.seed))
            print(f"{rows[-1].file}: {rows[-1].mutants} mutants, {rows[-1].killed} killed, {rows[-1].equivalent} equivalent, "
                  f"{len(rows[-1].survived)} survived, {rows[-1].score:.0f} %", *rows[-1].survived, sep="\n  ", flush=True)
    with tools.whole(given.out / "checkers.json") as file:
        json.dump([asdict(row) for row in rows], file, indent=2)
    if given.page:
        update(given.page, rows, given.quick)
    return int(not rows or any(row.survived or not row.killed for row in rows))


if __name__ == "__main__":
    tools.program(main)
