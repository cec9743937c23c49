# SPDX-License-Identifier: Apache-2.0
"""Points that run, here or on a cluster. doc/use/sweep.md

`run_points` runs so many at a time, each in a folder of its own and with a limit of time, and hands over what each gave.

`on_cluster` makes job arrays of Slurm of them. It keeps the store to itself, and writes a lot, a folder that all nodes see: STORE.slurm with the points of each task.
A task runs its points, and appends what they gave to a shard of its own in there, line by line. The submitting side takes lines as they come, and what it has taken
already may come again. The lot goes when its jobs are gone and no point is missing, or when the next one comes.

  runner.py LOT BASE         a task: number $SLURM_ARRAY_TASK_ID + BASE of the lot
"""
from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import ctypes
import hashlib
import itertools
import json
import math
import os
import re
import resource
import shlex
import shutil
import signal
import socket
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
from store import Result, finished, put  # noqa: E402
from study import BAD, OUT, ROOT, Files, Point, Study, told, want  # noqa: E402
from tools import Failure, ToolFailed, program, run  # noqa: E402

MOST_BYTES = 128 << 20  # of each file that a point writes
MOST_VALUES = 1 << 20   # of a point
LOOK = 0.1         # seconds between looks at what runs
LOOK_QUEUE = 2.0   # at the queue of Slurm
SILENT = 30        # looks at a Slurm that does not answer
CHUNK = 16         # points of a task: to start one takes Slurm and Python about a second
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


# ---- what a point has left -----------------------------------------------------------------------------

def number(text: str) -> object:
    """A number where the text is one; None where there is nothing."""
    if re.fullmatch(r"[+-]?\d{1,18}", text):
        return int(text)
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
        return float(text)
    return text if text not in ("", "-") else None


def whole_lines(file: TextIO) -> Iterator[str]:
    for line in file:
        want(line.endswith("\n"), "its last line is cut off")
        if not line.startswith("#"):
            yield line


def lines_of(path: Path) -> list[dict[str, object]]:
    """Of a CSV file. Another table stands after an empty line; where there are several, all lines have a column `table`."""
    with told("no CSV"), path.open(encoding="utf-8", newline="") as file:
        try:
            tables = [list(group) for filled, group in itertools.groupby(csv.reader(whole_lines(file), strict=True), bool) if filled]
        except (UnicodeDecodeError, csv.Error) as error:
            raise Failure(str(error)) from None
        want(any(len(rows) > 1 for rows in tables), "no line of values")
        found = []
        for at, (names, *rows) in enumerate(tables, 1):
            names = [name.strip() for name in names]
            head = [name if name not in names[:n] else f"{name} {names[:n].count(name) + 1}" for n, name in enumerate(names)]
            want(all(re.fullmatch(r"[A-Za-z_][^\x00-\x1f]{0,63}", name) for name in head), f"its first line has no names: {','.join(head):.60}")
            for row in rows:
                want(len(row) == len(head), f"a line has {len(row)} values, not {len(head)}: {','.join(row):.60}")
                cells = {name: value for name, value in zip(head, map(number, row), strict=True) if value is not None}
                found.append({"table": at} | cells if len(tables) > 1 else cells)
        return found


def results(point: Point, folder: Path) -> list[dict[str, object]]:
    paths = [folder / "stdout"] if point.table == "-" else sorted((folder / OUT).glob(point.table)) if point.table else []
    want(paths or not point.table, f"it has left no {point.table}")
    lines = [line for path in paths for line in lines_of(path)]
    want(sum(map(len, lines)) <= MOST_VALUES, f"more than {MOST_VALUES} values")
    return lines


def last_line(path: Path) -> str:
    with open(path, "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - 4096))
        lines = [line for line in file.read().decode(errors="replace").splitlines() if line.strip()]
    return re.sub(r"[^\x20-\x7e]", "?", lines[-1])[:300] if lines else ""


# ---- running -------------------------------------------------------------------------------------------

def begin(parent: int) -> None:
    """In the child: when this program ends in whatever way, it is asked to end, too; and it does not fill the disk."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))
    if os.getppid() != parent:
        os._exit(1)


async def attempt(point: Point, folder: Path) -> tuple[str, list[dict[str, object]]]:
    """Why the point failed ("" if it did not), and its table. However this ends, nothing goes on that the point has started."""
    (folder / OUT).mkdir(parents=True)
    command, parent, why = [word.replace(f"{{{OUT}}}", str(folder / OUT)) for word in point.words], os.getpid(), ""
    with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT if command[0] == "python3" else folder / OUT, stdin=asyncio.subprocess.DEVNULL,
                                                       stdout=out, stderr=err, start_new_session=True, preexec_fn=lambda: begin(parent))
    try:
        if status := await asyncio.wait_for(process.wait(), point.seconds):
            how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
            why = f"{how}: {last_line(folder / 'stderr') or last_line(folder / 'stdout')}".rstrip(": ")
    except TimeoutError:
        why = f"no end in {point.seconds:g} s"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
    try:
        return why, [] if why else results(point, folder)
    except Failure as no_table:
        return str(no_table), []


async def run_points(points: Iterable[Point], work: Path, jobs: int, retries: int, files: Files, done: Callable[[Result], None], show: Callable[[int], None]) -> None:
    """`done` gets every result, one after the other, in this program's only thread; `show` the number of points that run, now and then."""
    waiting, folders, running = iter(points), itertools.count(1), set()

    async def worker() -> None:
        for point in waiting:
            running.add(point.key)
            for tries in range(1, retries + 2):
                files.unchanged(point.files)
                folder, begun = work / str(next(folders)), time.monotonic()
                why, lines = await attempt(point, folder)
                seconds = round(time.monotonic() - begun, 3)
                shutil.rmtree(folder, ignore_errors=True)
                files.unchanged(point.files)
                if not why:
                    break
            running.remove(point.key)
            now = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
            done(Result(point.key, "failed" if why else "done", tries, seconds, now, socket.gethostname(), why, lines))
    workers = {asyncio.create_task(worker()) for _ in range(jobs)}
    while workers:
        ended, workers = await asyncio.wait(workers, timeout=LOOK, return_when=asyncio.FIRST_EXCEPTION)
        for error in filter(None, [one.exception() for one in ended]):
            raise error  # which ends all others
        show(len(running))


# ---- the side that submits -----------------------------------------------------------------------------

def read_shard(path: Path, at: int = 0) -> tuple[list[Result], int]:
    """What is written whole behind this place of a file that grows, and the place where the next line begins."""
    found = []
    with path.open("rb") as file:
        file.seek(at)
        for line in itertools.takewhile(lambda line: line.endswith(b"\n"), file):
            at += len(line)
            with contextlib.suppress(ValueError, TypeError):  # a damaged line
                found.append(Result(*json.loads(line)))
    return found, at


class Lot:
    """Its jobs have a name of their own. So Slurm knows them, whatever becomes of this program."""

    def __init__(self, db: sqlite3.Connection, given: argparse.Namespace, show: Callable[[int], None]):
        self.db, self.given, self.show = db, given, show
        self.folder = given.store.with_name(f"{given.store.name}.slurm").resolve()
        self.name = f"ballast-{hashlib.sha256(str(self.folder).encode()).hexdigest()[:12]}"
        self.read: dict[Path, int] = {}  # how far each shard is

    def take(self) -> None:
        """Into the store what has come into the shards since."""
        for path in sorted(self.folder.glob("shards/*.jsonl")):
            found, self.read[path] = read_shard(path, self.read.get(path, 0))
            put(self.db, found)

    def alive(self) -> Counter[str]:
        """Tasks by their state."""
        for at in range(SILENT):
            try:
                return Counter(run(["squeue", "--noheader", "--array", "--format=%T", f"--name={self.name}"], seconds=120).stdout.split())
            except ToolFailed as failure:
                if at == SILENT - 1:
                    raise Failure(f"Slurm does not answer: {failure}; the same command goes on with what it has done", BAD) from None
                time.sleep(LOOK_QUEUE)

    def wait(self, points: list[Point]) -> list[Point]:
        """Until no task is left. Those points that have no result then."""
        while states := self.alive():
            self.take()
            self.show(states["RUNNING"])
            time.sleep(LOOK_QUEUE)
        self.take()
        there = finished(self.db)
        return [point for point in points if point.key not in there]

    def clear(self) -> None:
        """Its tasks are no more."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.read.clear()

    def submit(self, study: Study, todo: list[Point]) -> None:
        most = int(re.search(r"^MaxArraySize\s*=\s*(\d+)", run(["scontrol", "show", "config"]).stdout, re.M)[1])
        chunk = self.given.chunk or max(CHUNK, math.ceil(len(todo) / most))
        tasks, jobs = [todo[at:at + chunk] for at in range(0, len(todo), chunk)], []
        self.clear()
        for name in ("tasks", "shards", "log"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "lot.json").write_text(json.dumps({"retries": study.retries, "sums": study.files.sums}))
        for number, points in enumerate(tasks):
            (self.folder / f"tasks/{number}.json").write_text(json.dumps(points))
        for base in range(0, len(tasks), most):
            words = ["sbatch", "--parsable", f"--array=0-{min(most, len(tasks) - base) - 1}", "--requeue", f"--job-name={self.name}", f"--comment={study.name}",
                     f"--output={self.folder}/log/%A_%a.txt", *self.given.sbatch, f"--wrap=exec python3 {shlex.join([os.path.abspath(__file__), str(self.folder), str(base)])}"]
            jobs.append(run(words).stdout.split()[-1].partition(";")[0])
        print(f"{len(todo)} points in {len(tasks)} tasks: jobs {' '.join(jobs)}", flush=True)


def on_cluster(db: sqlite3.Connection, given: argparse.Namespace, study: Study, todo: list[Point], show: Callable[[int], None]) -> None:
    if not all(map(shutil.which, ("sbatch", "squeue", "scontrol"))):
        raise Failure("--slurm: there is no sbatch here; install slurm-client, or run it without --slurm")
    lot = Lot(db, given, show)
    try:
        if left := lot.wait(todo):  # for the tasks of an earlier call
            lot.submit(study, left)
            left = lot.wait(left)
    except KeyboardInterrupt:
        print(f"the tasks go on; the same command waits for them again, 'scancel --name={lot.name}' ends them", file=sys.stderr)
        raise
    if left:
        print(f"what the tasks said: {lot.folder}/log")
    else:
        lot.clear()


# ---- a task ------------------------------------------------------------------------------------------------

def task(lot: Path, number: int) -> None:
    of, host, files = json.loads((lot / "lot.json").read_text()), socket.gethostname(), Files()
    there = {result.key for path in (lot / "shards").glob(f"{number}.*.jsonl") for result in read_shard(path)[0]}  # before it was put back into the queue
    todo = [point for point in (Point(*one) for one in json.loads((lot / f"tasks/{number}.json").read_text())) if point.key not in there]
    for path in {path for point in todo for path in point.files}:
        want(files.of(path) == of["sums"][path], f"{path}: is not the same on {host}")
    shard = lot / f"shards/{number}.{host}.{os.getpid()}.{time.time_ns()}.jsonl"
    with tempfile.TemporaryDirectory(prefix="ballast-sweep-") as work, shard.open("x") as out:
        def done(result: Result) -> None:
            print(json.dumps(result), file=out, flush=True)
            os.fsync(out.fileno())
        jobs = int(os.environ.get("SLURM_CPUS_PER_TASK", "1"))
        asyncio.run(run_points(todo, Path(work), jobs, of["retries"], files, done, lambda running: None))  # the submitting side says how far it is


if __name__ == "__main__":
    program(lambda: task(Path(sys.argv[1]), int(sys.argv[2]) + int(os.environ["SLURM_ARRAY_TASK_ID"])))
