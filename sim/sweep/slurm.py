# SPDX-License-Identifier: Apache-2.0
"""Points as job arrays of Slurm. doc/use/sweep.md

The side that submits keeps the store to itself. For each submission it writes a lot, a folder that all nodes see: STORE.slurm/LOT with the points of each task.
A task appends what its points gave to a shard of its own in there, line by line, each with a sum. The submitting side takes lines as they come, and what it has
taken already may come again. A lot goes when its jobs are gone and all its shards are taken.

  slurm.py LOT BASE          a task: number $SLURM_ARRAY_TASK_ID + BASE of the lot
"""
from __future__ import annotations

import argparse
import dataclasses
import json
import math
import os
import re
import shlex
import shutil
import socket
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
from runner import Progress, Runner  # noqa: E402
from store import Result, Store  # noqa: E402
from study import BAD, Files, Point, Reader  # noqa: E402
from tools import Failure, ToolFailed, program, run, whole  # noqa: E402

CHUNK = 16     # points of a task: to start one takes Slurm and Python about a second
LOOK = 2.0     # seconds between looks at the queue
SILENT = 30    # looks at a Slurm that does not answer


# ---- shards --------------------------------------------------------------------------------------------

def line_of(result: Result) -> bytes:
    text = json.dumps(dataclasses.asdict(result)).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


class Shard:
    """A file that grows."""

    def __init__(self, path: Path):
        self.path, self.at = path, 0

    def more(self) -> Iterator[Result]:
        """What is written whole since the last look."""
        with self.path.open("rb") as file:
            file.seek(self.at)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                self.at += len(line)
                check, _, text = line.rstrip(b"\n").partition(b" ")
                if check == b"%08x" % zlib.crc32(text):
                    found = json.loads(text)
                    yield Result(**found | {"lines": tuple(found["lines"])})


# ---- the side that submits --------------------------------------------------------------------------------

class Lots:
    def __init__(self, folder: Path, store: Store, progress: Progress):
        self.folder, self.store, self.progress = folder, store, progress
        self.shards: dict[Path, Shard] = {}
        self.silent = 0

    def take(self) -> dict[str, str]:
        """Into the store what has come into the shards since; the status of all points."""
        for path in sorted(self.folder.glob("*/shards/*.jsonl")):
            if results := list(self.shards.setdefault(path, Shard(path)).more()):
                self.store.put(results)
        there = self.store.finished()
        self.progress.count(there)
        return there

    def jobs(self) -> list[str]:
        return [job for path in sorted(self.folder.glob("*/jobs")) for job in path.read_text().split()]

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

    def wait(self) -> dict[str, str]:
        while states := self.alive():
            self.take()
            self.progress.show(states["RUNNING"])
            time.sleep(LOOK)
        return self.take()

    def submit(self, given: argparse.Namespace, reader: Reader, todo: list[Point]) -> None:
        most = int(re.search(r"^MaxArraySize\s*=\s*(\d+)", run(["scontrol", "show", "config"]).stdout, re.M)[1])
        chunk = given.chunk or max(CHUNK, math.ceil(len(todo) / most))
        tasks = [todo[at:at + chunk] for at in range(0, len(todo), chunk)]
        lot = Path(tempfile.mkdtemp(prefix=time.strftime("%Y%m%d-%H%M%S-"), dir=self.folder))
        for name in ("tasks", "shards", "log"):
            (lot / name).mkdir()
        for number, points in enumerate(tasks):
            (lot / "tasks" / f"{number}.json").write_text(json.dumps([dataclasses.asdict(point) for point in points]))
        with whole(lot / "lot.json") as file:
            json.dump({"retries": reader.retries, "sums": reader.files.sums}, file)
        for base in range(0, len(tasks), most):
            words = ["sbatch", "--parsable", f"--array=0-{min(most, len(tasks) - base) - 1}", "--requeue", f"--job-name={reader.name}", f"--output={lot}/log/%A_%a.txt",
                     *given.sbatch, f"--wrap=exec python3 {shlex.quote(os.path.abspath(__file__))} {shlex.quote(str(lot))} {base}"]
            job = run(words).stdout.split()[-1].partition(";")[0]
            with (lot / "jobs").open("a") as file:
                print(job, file=file)
        print(f"{len(todo)} points in {len(tasks)} tasks: jobs {' '.join(self.jobs())}", flush=True)

    def clear(self, finished: bool) -> None:
        """Lots whose results are all in the store; what a task had to say stays as long as points are missing."""
        for lot in self.folder.glob("*/"):
            if finished:
                shutil.rmtree(lot, ignore_errors=True)
            else:
                (lot / "jobs").unlink(missing_ok=True)


def on_cluster(given: argparse.Namespace, reader: Reader, store: Store, todo: list[Point], progress: Progress) -> None:
    if not all(map(shutil.which, ("sbatch", "squeue", "scontrol"))):
        raise Failure("--slurm: there is no sbatch here; install slurm-client, or run it without --slurm")
    folder = given.store.with_name(f"{given.store.name}.slurm").resolve()
    folder.mkdir(exist_ok=True)
    lots = Lots(folder, store, progress)
    try:
        there = lots.wait()  # for those of an earlier call
        lots.clear(finished=True)
        if left := [point for point in todo if point.key not in there]:
            lots.submit(given, reader, left)
            there = lots.wait()
            lots.clear(finished=all(point.key in there for point in left))
    except KeyboardInterrupt:
        print(f"the tasks go on; the same command waits for them again, 'scancel {' '.join(lots.jobs())}' ends them", file=sys.stderr)
        raise
    if logs := sorted(folder.glob("*/log/*.txt")):
        print(f"what the tasks said: {logs[0].parent}")


# ---- a task ------------------------------------------------------------------------------------------------

def task(lot: Path, number: int) -> int:
    of, host, files = json.loads((lot / "lot.json").read_text()), socket.gethostname(), Files()
    points = [Point(**one | {"words": tuple(one["words"]), "files": tuple(one["files"])}) for one in json.loads((lot / "tasks" / f"{number}.json").read_text())]
    there = {result.key for path in (lot / "shards").glob(f"{number}.*.jsonl") for result in Shard(path).more()}  # before it was put back into the queue
    todo = [point for point in points if point.key not in there]
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
        Runner(Path(work, "points"), jobs, of["retries"], files, put, lambda running: None).run(todo)  # the submitting side says how far it is
    return 0


if __name__ == "__main__":
    program(lambda: task(Path(sys.argv[1]), int(sys.argv[2]) + int(os.environ["SLURM_ARRAY_TASK_ID"])))
