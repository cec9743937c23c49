# SPDX-License-Identifier: Apache-2.0
"""ballast sweep, which runs the points of a study that are not in the store yet, and the commands that ask stores: query, diff and trend. doc/use/sweep.md

  sweep.py COMMAND BALLAST WORD...

sim/cli/script.c starts it; sim/cli/cmd_*.c have the options' descriptions. Exit status: 0 all points are done, 1 some have failed (diff: something has changed),
2 wrong usage, 3 a file is not what it should be or cannot be written, 130 interrupted.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
from query import QUESTIONS, diff, query, trend  # noqa: E402
from runner import on_cluster, run_points  # noqa: E402
from store import FAILED, alone, count, enter, finished, opened, put  # noqa: E402
from study import Point, Study  # noqa: E402
from tools import Options, number, processors, program  # noqa: E402


class Progress:
    """'sweep: 120 of 2400 done, 1 failed, 2 running, 0:04:10 left', as the store has it: one line on a terminal, else one every ten seconds."""

    def __init__(self, db: sqlite3.Connection, study: str):
        self.db, self.study, self.start, self.terminal = db, study, time.monotonic(), sys.stderr.isatty()
        *_, self.before = count(db, study)
        self.next = self.start if self.terminal else self.start + 10

    def show(self, running: int, last: bool = False) -> None:
        if (now := time.monotonic()) < self.next and not last:
            return
        done, failed, left = count(self.db, self.study)
        self.next = time.monotonic() + max(0.2 if self.terminal else 10, 20 * (time.monotonic() - now))  # counting a million takes time
        ended = self.before - left
        seconds = int((now - self.start) / ended * left) if ended else 0
        words = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02} left" if ended else "time left not known yet"
        text = f"sweep: {done} of {done + failed + left} done, {failed} failed, {running} running, {words}"
        print(f"\r\033[K{text}" if self.terminal else text, end="\n" if last or not self.terminal else "", file=sys.stderr, flush=True)


def dry_run(given: argparse.Namespace, points: list[Point]) -> None:
    there = {}
    if given.store.exists():
        with opened(given.store) as db:
            there = finished(db)
    states = [there.get(point.key, "to do") for point in points]
    for state, point in zip(states, points, strict=True):
        print(f"{state:7} {point}")
    print(f"{len(points)} points: {', '.join(f'{states.count(state)} {state}' for state in ('done', 'failed', 'to do'))}")


def run_here(db: sqlite3.Connection, given: argparse.Namespace, study: Study, todo: list[Point], show: Callable[[int], None]) -> None:
    work = given.store.with_name(f"{given.store.name}.work").resolve()
    shutil.rmtree(work, ignore_errors=True)  # of a sweep that was killed
    try:
        asyncio.run(run_points(todo, work, given.jobs or processors(), study.retries, study.files, lambda result: put(db, [result]), show))
    finally:
        shutil.rmtree(work, ignore_errors=True)


def sweep(given: argparse.Namespace) -> int | None:
    study = Study(given.study, given.ballast)
    name, points = study.name, list(study.points.values())
    if given.dry_run:
        return dry_run(given, points)
    with alone(given.store), opened(given.store, write=True) as db:
        enter(db, name, points, study.files.of(given.ballast)[:16])
        there = finished(db)
        todo = [point for point in points if point.key not in there]
        progress = Progress(db, name)
        print(f"{name}: {len(points)} points, {len(points) - len(todo)} done before", flush=True)
        (on_cluster if given.slurm else run_here)(db, given, study, todo, progress.show)
        if todo:
            progress.show(0, last=True)
        done, failed, left = count(db, name)
        if failed:
            print(f"failed: {failed}", *(f"  {command}\n    {said}" for command, said, *_ in db.execute(FAILED, {"study": name})), sep="\n")
    print(f"{name}: {done} of {len(points)} points done, {failed} failed{f', {left} not finished: call it again' if left else ''}; {given.store}")
    return int(done < len(points))


# ---- the commands ----------------------------------------------------------------------------------------

FLAG = {"action": "store_true"}
STORE = {"-s --store": {"type": Path, "default": Path("build/sweep.sqlite")}}
ASKED = {"--study": {}, "-r --rows": {}, "-v --value": {"default": "cost_percent"}}
COMPARED = {"store": {"type": Path, "nargs": "+"}, "-c --csv": {"type": Path}} | ASKED
COMMANDS = {
    sweep: {"study": {"type": Path}, "-j --jobs": {"type": number}, "-n --dry-run": FLAG, "--slurm": FLAG, "--chunk": {"type": number, "default": 0},
            "--sbatch": {"action": "append", "default": []}} | STORE,
    query: {"question": {"choices": QUESTIONS}, "text": {"nargs": "?"}, "-c --columns": {"default": "kernel"}, "-w --where": {}, "--csv": FLAG, "-o --out": {}} | STORE | ASKED,
    diff: COMPARED,
    trend: COMPARED}


def main() -> int | None:
    parser = Options()
    commands = parser.add_subparsers(required=True)
    for function, options in COMMANDS.items():
        one = commands.add_parser(function.__name__)
        one.set_defaults(function=function)
        one.add_argument("ballast", type=os.path.realpath)
        for names, of in options.items():
            one.add_argument(*names.split(), **of)
    given = parser.parse_args()
    return given.function(given)


if __name__ == "__main__":
    sys.argv[0] = " ".join(["ballast", *sys.argv[1:2]])
    program(main)
