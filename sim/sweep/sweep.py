# SPDX-License-Identifier: Apache-2.0
"""ballast sweep: runs the points of a study that are not in the store yet. doc/use/sweep.md

  sweep.py BALLAST STUDY.toml [--store FILE] [--jobs N] [--dry-run] [--slurm ...]

sim/cli/cmd_sweep.c starts it and has the options' descriptions. Exit status: 0 all points are done, 1 some have failed, 2 wrong usage, 3 a file is not what it
should be or cannot be written, 130 interrupted.
"""
from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
from runner import Progress, Runner, shown  # noqa: E402
from store import Store, alone  # noqa: E402
from study import Point, Reader  # noqa: E402
from tools import Options, number, processors, program  # noqa: E402

STORE = Path("build/sweep.sqlite")


def told_failures(store: Store, study: str) -> int:
    """Lists them; how many."""
    with store.told():
        rows = store.db.execute("SELECT command, said FROM point JOIN member ON member.point = id WHERE study = ? AND status = 'failed' ORDER BY number", [study]).fetchall()
    if rows:
        print(f"failed: {len(rows)}")
        print(*(f"  {text}\n    {said}" for text, said in rows), sep="\n")
    return len(rows)


def dry_run(store: Store | None, points: list[Point]) -> int:
    there = store.finished() if store else {}
    for point in points:
        print(f"{there.get(point.key, 'to do'):7} {shown(point)}")
    counts = [sum(there.get(point.key) == status for point in points) for status in ("done", "failed")]
    print(f"{len(points)} points: {counts[0]} done, {counts[1]} failed, {len(points) - sum(counts)} to do")
    return 0


def local(given: argparse.Namespace, reader: Reader, store: Store, todo: list[Point], progress: Progress) -> None:
    work = given.store.with_name(f"{given.store.name}.work").resolve()
    shutil.rmtree(work, ignore_errors=True)  # of a sweep that was killed
    Runner(work, given.jobs or processors(), reader.retries, reader.files, lambda result: store.put([result]), progress).run(todo)


def sweep(given: argparse.Namespace, reader: Reader, points: list[Point]) -> int:
    store = Store(given.store, write=True)
    try:
        store.enter(reader.name, points, map(shown, points), reader.files.of(given.ballast)[:16])
        there = store.finished()
        todo = [point for point in points if point.key not in there]
        progress = Progress(points, there)
        print(f"{reader.name}: {len(points)} points, {progress.done} done before", flush=True)
        if given.slurm:
            import slurm
            slurm.sweep(given, reader, store, todo, progress)
        else:
            local(given, reader, store, todo, progress)
        if todo:
            progress.show(0, at_once=True)
        failed = told_failures(store, reader.name)
        there = store.finished()
        left = sum(point.key not in there for point in points)
        print(f"{reader.name}: {len(points) - failed - left} of {len(points)} points done, {failed} failed{f', {left} not finished: call it again' if left else ''}; {given.store}")
        return int(failed > 0 or left > 0)
    finally:
        store.close()


def main() -> int:
    parser = Options(prog="ballast sweep")
    parser.add_argument("ballast", type=os.path.realpath)
    parser.add_argument("study", type=Path)
    parser.add_argument("-s", "--store", type=Path, default=STORE)
    parser.add_argument("-j", "--jobs", type=number)
    parser.add_argument("-n", "--dry-run", action="store_true")
    parser.add_argument("--slurm", action="store_true")
    parser.add_argument("--chunk", type=number, default=0)
    parser.add_argument("--sbatch", action="append", default=[])
    given = parser.parse_args()
    reader = Reader(given.study, given.ballast)
    points = reader.points()
    if given.dry_run:
        return dry_run(Store(given.store, write=False) if given.store.exists() else None, points)
    with alone(given.store):
        return sweep(given, reader, points)


if __name__ == "__main__":
    sys.argv[0] = "ballast sweep"
    program(main)
