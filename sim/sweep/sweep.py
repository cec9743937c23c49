# SPDX-License-Identifier: Apache-2.0
"""ballast sweep, which runs the points of a study that are not in the store yet, and the commands that ask stores: query, diff and trend. doc/use/sweep.md

  sweep.py COMMAND BALLAST WORD...

sim/cli/script.c starts it; sim/cli/cmd_*.c have the options' descriptions. Exit status: 0 all points are done, 1 some have failed (diff: something has changed),
2 wrong usage, 3 a file is not what it should be or cannot be written, 130 interrupted.
"""
from __future__ import annotations

import argparse
import os
import shutil
import sys
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
from compare import diff, trend  # noqa: E402
from query import QUESTIONS, query  # noqa: E402
from runner import Progress, Runner  # noqa: E402
from slurm import on_cluster  # noqa: E402
from store import FAILED, Result, Store, alone  # noqa: E402
from study import Point, Reader  # noqa: E402
from tools import Options, number, processors, program  # noqa: E402


def dry_run(there: dict[str, str], points: list[Point]) -> int:
    for point in points:
        print(f"{there.get(point.key, 'to do'):7} {point}")
    progress = Progress(points, there)
    print(f"{len(points)} points: {progress.done} done, {progress.failed} failed, {progress.left} to do")
    return 0


def here(given: argparse.Namespace, reader: Reader, store: Store, todo: list[Point], progress: Progress) -> None:
    work = given.store.with_name(f"{given.store.name}.work").resolve()
    shutil.rmtree(work, ignore_errors=True)  # of a sweep that was killed

    def put(result: Result) -> None:
        store.put([result])
        progress.add(result.status)
    Runner(work, given.jobs or processors(), reader.retries, reader.files, put, progress.show).run(todo)


def run_all(given: argparse.Namespace, reader: Reader, points: list[Point], store: Store) -> int:
    name = reader.name
    store.enter(name, points, reader.files.of(given.ballast)[:16])
    there = store.finished()
    todo = [point for point in points if point.key not in there]
    progress = Progress(points, there)
    print(f"{name}: {len(points)} points, {progress.done} done before", flush=True)
    (on_cluster if given.slurm else here)(given, reader, store, todo, progress)
    if todo:
        progress.show(0, at_once=True)
    if progress.failed:
        print(f"failed: {progress.failed}")
        print(*(f"  {command}\n    {said}" for command, said, *_ in store.ask(FAILED, study=name)), sep="\n")
    left = f", {progress.left} not finished: call it again" if progress.left else ""
    print(f"{name}: {progress.done} of {len(points)} points done, {progress.failed} failed{left}; {given.store}")
    return int(progress.done < len(points))


def sweep(given: argparse.Namespace) -> int:
    reader = Reader(given.study, given.ballast)
    points = reader.points()
    if given.dry_run:
        there = {}
        if given.store.exists():
            with closing(Store(given.store, write=False)) as store:
                there = store.finished()
        return dry_run(there, points)
    with alone(given.store), closing(Store(given.store, write=True)) as store:
        return run_all(given, reader, points, store)


# ---- the commands ----------------------------------------------------------------------------------------

def options() -> Options:
    parser = Options()
    commands = parser.add_subparsers(dest="command", required=True)

    def command(of: object) -> Options:
        one = commands.add_parser(of.__name__)
        one.set_defaults(function=of)
        one.add_argument("ballast", type=os.path.realpath)
        return one
    run, ask, *compared = map(command, (sweep, query, diff, trend))
    for one in (run, ask):
        one.add_argument("-s", "--store", type=Path, default=Path("build/sweep.sqlite"))
    run.add_argument("study", type=Path)
    run.add_argument("-j", "--jobs", type=number)
    run.add_argument("-n", "--dry-run", action="store_true")
    run.add_argument("--slurm", action="store_true")
    run.add_argument("--chunk", type=number, default=0)
    run.add_argument("--sbatch", action="append", default=[])
    ask.add_argument("question", choices=QUESTIONS)
    ask.add_argument("text", nargs="?")
    ask.add_argument("-c", "--columns", default="kernel")
    ask.add_argument("-w", "--where")
    ask.add_argument("--csv", action="store_true")
    ask.add_argument("-o", "--out")
    for one in compared:
        one.add_argument("store", type=Path, nargs="+")
        one.add_argument("-c", "--csv", type=Path)
    for one in (ask, *compared):
        one.add_argument("--study")
        one.add_argument("-r", "--rows")
        one.add_argument("-v", "--value", default="cost_percent")
    return parser


def main() -> int:
    given = options().parse_args()
    return given.function(given)


if __name__ == "__main__":
    sys.argv[0] = " ".join(["ballast", *sys.argv[1:2]])
    program(main)
