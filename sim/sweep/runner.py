# SPDX-License-Identifier: Apache-2.0
"""Points that run, here or on a cluster. doc/use/sweep.md

`run_points` runs so many at a time, each in a folder of its own and with a limit of time, and hands over what each gave.

`on_cluster` makes job arrays of Slurm of them. It keeps the store to itself, and writes a lot, a folder that all nodes see: STORE.slurm/LOT with the points of each
task. A task runs its points, and appends what they gave to a shard of its own in there, line by line, each with a sum. The submitting side takes lines as they come,
and what it has taken already may come again. The lot goes when its jobs are gone and no point is missing, or when the next one comes.

  runner.py LOT BASE         a task: number $SLURM_ARRAY_TASK_ID + BASE of the lot
"""
from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import ctypes
import itertools
import json
import math
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
from store import Result, Store  # noqa: E402
from study import BAD, OUT, ROOT, Files, Point, Study  # noqa: E402
from tools import Failure, ToolFailed, program, run, whole  # noqa: E402

MOST_OUTPUT = 64 << 20  # bytes that a point may print, and that its tables may have
MOST_VALUES = 1 << 20   # of a point
LOOK = 0.1         # seconds between looks at what runs
LOOK_QUEUE = 2.0   # at the queue of Slurm
SILENT = 30        # looks at a Slurm that does not answer
CHUNK = 16         # points of a task: to start one takes Slurm and Python about a second
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


# ---- what a point has left -----------------------------------------------------------------------------

def want(true: object, why: str) -> None:
    if not true:
        raise Failure(why)


def number(text: str) -> object:
    """A number where the text is one; None where there is nothing."""
    if re.fullmatch(r"[+-]?\d{1,18}", text):
        return int(text)
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text) and math.isfinite(float(text)):
        return float(text)
    return text if text not in ("", "-") else None


def lines_of(path: Path) -> list[dict[str, object]]:
    """Of a CSV file. Another table stands after an empty line; where there are several, all lines have a column `table`."""
    want(path.stat().st_size <= MOST_OUTPUT, f"more than {MOST_OUTPUT >> 20} MB")
    try:
        text = path.read_bytes().decode()
        rows = list(csv.reader((line for line in text.splitlines() if not line.startswith("#")), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise Failure(f"no CSV: {error}") from None
    want(text[-1:] in ("", "\n"), "no CSV: its last line is cut off")
    tables = [list(group) for filled, group in itertools.groupby(rows, bool) if filled]
    want(any(len(rows) > 1 for rows in tables), "no CSV: no line of values")
    found = []
    for at, (names, *rows) in enumerate(tables, 1):
        names = [name.strip() for name in names]
        head = [name if name not in names[:n] else f"{name} {names[:n].count(name) + 1}" for n, name in enumerate(names)]
        want(all(re.fullmatch(r"[A-Za-z_][^\x00-\x1f]{0,63}", name) for name in head), f"no CSV: its first line has no names: {','.join(head):.60}")
        for row in rows:
            want(len(row) == len(head), f"no CSV: a line has {len(row)} values, not {len(head)}: {','.join(row):.60}")
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

def dies_with(parent: int) -> Callable[[], None]:
    """In the child: when this program ends in whatever way, it is asked to end, too."""
    def prepare() -> None:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)
    return prepare


def start(point: Point, folder: Path) -> subprocess.Popen:
    command = [word.replace(f"{{{OUT}}}", str(folder / OUT)) for word in point.words]
    try:
        (folder / OUT).mkdir(parents=True)
        with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
            return subprocess.Popen(command, cwd=ROOT if command[0] == "python3" else folder / OUT, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                    start_new_session=True, preexec_fn=dies_with(os.getpid()))
    except OSError as error:
        raise Failure(f"{error.filename or folder}: cannot start a point: {error.strerror}; the same command goes on", BAD) from None


async def attempt(point: Point, folder: Path, show: Callable[[], None]) -> tuple[str, list[dict[str, object]]]:
    """Why the point failed ("" if it did not), and its table. However this ends, nothing goes on that the point has started."""
    process = start(point, folder)
    loop, ended, end, why = asyncio.get_running_loop(), asyncio.Event(), time.monotonic() + point.seconds, ""
    loop.add_reader(pidfd := os.pidfd_open(process.pid), ended.set)
    try:
        while not ended.is_set() and not why:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), max(0.0, min(LOOK, end - time.monotonic()) + 0.001))
            if not ended.is_set() and time.monotonic() > end:
                why = f"no end in {point.seconds:g} s"
            elif any(os.stat(folder / name).st_size > MOST_OUTPUT for name in ("stdout", "stderr")):
                why = f"prints more than {MOST_OUTPUT >> 20} MB"
            show()
    finally:
        loop.remove_reader(pidfd)
        os.close(pidfd)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # its number is nobody else's until it is waited for
        status = process.wait()
    if not why and status:
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        why = f"{how}: {last_line(folder / 'stderr') or last_line(folder / 'stdout')}".rstrip(": ")
    try:
        return why, [] if why else results(point, folder)
    except Failure as no_table:
        return str(no_table), []


def run_points(points: Iterable[Point], work: Path, jobs: int, retries: int, files: Files, put: Callable[[Result], None], show: Callable[[int], None]) -> None:
    """`put` gets every result, one after the other, in this program's only thread; `show` the number of points that run, now and then."""
    waiting, folders, running = iter(points), map(str, itertools.count(1)), set()

    async def worker() -> None:
        for point in waiting:
            running.add(point.key)
            for tries in range(1, retries + 2):
                files.unchanged(point.files)
                folder, begun = work / next(folders), time.monotonic()
                why, lines = await attempt(point, folder, lambda: show(len(running)))
                seconds = round(time.monotonic() - begun, 3)
                shutil.rmtree(folder, ignore_errors=True)
                files.unchanged(point.files)
                if not why:
                    break
            running.remove(point.key)
            finished = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
            put(Result(point.key, "failed" if why else "done", tries, seconds, finished, socket.gethostname(), why, lines))

    async def workers() -> None:
        await asyncio.gather(*(worker() for _ in range(jobs)))
    try:
        asyncio.run(workers())  # which ends all others when one of them fails
    finally:
        shutil.rmtree(work, ignore_errors=True)


# ---- shards --------------------------------------------------------------------------------------------

def line_of(result: Result) -> bytes:
    text = json.dumps(result).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def read_shard(path: Path, at: int = 0) -> tuple[list[Result], int]:
    """What is written whole behind this place of a file that grows, and the place where the next line begins."""
    found = []
    with path.open("rb") as file:
        file.seek(at)
        for line in file:
            if not line.endswith(b"\n"):
                break
            at += len(line)
            check, _, text = line.rstrip(b"\n").partition(b" ")
            if check == b"%08x" % zlib.crc32(text):
                found.append(Result(*json.loads(text)))
    return found, at


# ---- the side that submits --------------------------------------------------------------------------------

class Lot:
    def __init__(self, store: Store, show: Callable[[int], None]):
        self.store, self.show, self.silent = store, show, 0
        self.folder = store.path.with_name(f"{store.path.name}.slurm").resolve()
        self.read: dict[Path, int] = {}  # how far each shard is

    def take(self) -> None:
        """Into the store what has come into the shards since."""
        for path in sorted(self.folder.glob("*/shards/*.jsonl")):
            found, self.read[path] = read_shard(path, self.read.get(path, 0))
            if found:
                self.store.put(found)

    def jobs(self) -> list[str]:
        return [job for path in self.folder.glob("*/jobs") for job in path.read_text().split()]

    def alive(self) -> Counter[str]:
        """Tasks by their state."""
        if not (jobs := self.jobs()):
            return Counter()
        try:
            said = run(["squeue", "--noheader", "--array", "--format=%T", f"--jobs={','.join(jobs)}"], seconds=120).stdout
        except ToolFailed as failure:
            if "Invalid job id" in failure.output:
                return Counter()
            self.silent += 1
            if self.silent > SILENT:
                raise Failure(f"Slurm does not answer: {failure}; the same command goes on with what it has done", BAD) from None
            return Counter(["UNKNOWN"])
        self.silent = 0
        return Counter(said.split())

    def wait(self, points: list[Point]) -> list[Point]:
        """Until no task is left. Those points that have no result then."""
        while states := self.alive():
            self.take()
            self.show(states["RUNNING"])
            time.sleep(LOOK_QUEUE)
        self.take()
        for path in self.folder.glob("*/jobs"):
            path.unlink()
        there = self.store.finished()
        if not (left := [point for point in points if point.key not in there]):
            shutil.rmtree(self.folder, ignore_errors=True)
        return left

    def submit(self, given: argparse.Namespace, study: Study, todo: list[Point]) -> None:
        most = int(re.search(r"^MaxArraySize\s*=\s*(\d+)", run(["scontrol", "show", "config"]).stdout, re.M)[1])
        chunk = given.chunk or max(CHUNK, math.ceil(len(todo) / most))
        tasks = [todo[at:at + chunk] for at in range(0, len(todo), chunk)]
        shutil.rmtree(self.folder, ignore_errors=True)  # of tasks that are no more
        self.folder.mkdir(exist_ok=True)
        lot = Path(tempfile.mkdtemp(prefix=time.strftime("%Y%m%d-%H%M%S-"), dir=self.folder))
        for name in ("tasks", "shards", "log"):
            (lot / name).mkdir()
        for number, points in enumerate(tasks):
            (lot / "tasks" / f"{number}.json").write_text(json.dumps(points))
        with whole(lot / "lot.json") as file:
            json.dump({"retries": study.retries, "sums": study.files.sums}, file)
        for base in range(0, len(tasks), most):
            words = ["sbatch", "--parsable", f"--array=0-{min(most, len(tasks) - base) - 1}", "--requeue", f"--job-name={study.name}", f"--output={lot}/log/%A_%a.txt",
                     *given.sbatch, f"--wrap=exec python3 {shlex.join([os.path.abspath(__file__), str(lot), str(base)])}"]
            job = run(words).stdout.split()[-1].partition(";")[0]
            with (lot / "jobs").open("a") as file:
                print(job, file=file)
        print(f"{len(todo)} points in {len(tasks)} tasks: jobs {' '.join(self.jobs())}", flush=True)


def on_cluster(given: argparse.Namespace, study: Study, store: Store, todo: list[Point], show: Callable[[int], None]) -> None:
    if not all(map(shutil.which, ("sbatch", "squeue", "scontrol"))):
        raise Failure("--slurm: there is no sbatch here; install slurm-client, or run it without --slurm")
    lot = Lot(store, show)
    try:
        if left := lot.wait(todo):  # for the tasks of an earlier call
            lot.submit(given, study, left)
            left = lot.wait(left)
    except KeyboardInterrupt:
        print(f"the tasks go on; the same command waits for them again, 'scancel {' '.join(lot.jobs())}' ends them", file=sys.stderr)
        raise
    if left:
        print(f"what the tasks said: {next(lot.folder.glob('*/log'))}")


# ---- a task ------------------------------------------------------------------------------------------------

def task(lot: Path, number: int) -> None:
    of, host, files = json.loads((lot / "lot.json").read_text()), socket.gethostname(), Files()
    there = {result.key for path in (lot / "shards").glob(f"{number}.*.jsonl") for result in read_shard(path)[0]}  # before it was put back into the queue
    todo = [point for point in (Point(*one) for one in json.loads((lot / "tasks" / f"{number}.json").read_text())) if point.key not in there]
    for path in {path for point in todo for path in point.files}:
        if files.of(path) != of["sums"][path]:
            raise Failure(f"{path}: is not the same on {host}", BAD)
    shard = lot / "shards" / f"{number}.{host}.{os.getpid()}.{time.time_ns()}.jsonl"
    with tempfile.TemporaryDirectory(prefix="ballast-sweep-") as work, shard.open("xb", buffering=0) as out:
        def put(result: Result) -> None:
            line = line_of(result)
            if out.write(line) != len(line):
                raise Failure(f"{shard}: the disk is full", BAD)
            os.fsync(out.fileno())
        jobs = int(os.environ.get("SLURM_CPUS_PER_TASK", "1"))
        run_points(todo, Path(work, "points"), jobs, of["retries"], files, put, lambda running: None)  # the submitting side says how far it is


if __name__ == "__main__":
    program(lambda: task(Path(sys.argv[1]), int(sys.argv[2]) + int(os.environ["SLURM_ARRAY_TASK_ID"])))
