# SPDX-License-Identifier: Apache-2.0
"""ballast sweep, which runs the points of a study that are not in the store; query, diff and trend, which ask stores. doc/use/sweep.md

  sweep.py COMMAND BALLAST WORD...     sim/cli/script.c starts it; sim/cli/cmd_*.c have the options' descriptions
  sweep.py task LOT BASE               a task of Slurm: number $SLURM_ARRAY_TASK_ID + BASE of the lot

A lot is a folder that all nodes see: STORE.slurm with the points of each task. A task appends what they gave to a shard of its own in
there, line by line. The side that submits takes lines into the store as they come; a line may come again. The lot goes when no point is
missing, or when the next one comes.
"""
from __future__ import annotations

import argparse
import contextlib
import csv
import hashlib
import itertools
import json
import math
import os
import re
import shlex
import shutil
import socket
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
from store import FAILED, QUESTIONS, Result, count, diff, enter, finished, opened, put, query, trend  # noqa: E402
from study import OUT, ROOT, Files, Point, Study, told, want  # noqa: E402
from tools import Failure, Options, Stopped, Timeout, ToolFailed, hold, in_parallel, number, processors, program, run  # noqa: E402

MOST_BYTES = 128 << 20  # of each file that a point writes
LOOK = 2.0  # seconds between looks at the queue of Slurm
AT_ONCE = 10_000  # points that wait for a core
CHUNK = 16  # points of a task: to start one takes Slurm and Python about a second


def value_of(text: str) -> object:
    """A number where the text is one; None where there is nothing."""
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
        return int(text) if re.fullmatch(r"[+-]?\d{1,18}", text) else float(text)
    return text if text not in ("", "-") else None


def lines_of(path: Path) -> list[dict[str, object]]:
    """Of a CSV file."""
    with told("no CSV", UnicodeDecodeError, csv.Error):
        text = path.read_bytes().decode()
        lines = (line for line in text.splitlines() if not line.startswith("#"))
        names, *rows = [row for row in csv.reader(lines, strict=True) if row] or [[]]
        want(text[-1:] in ("", "\n"), "its last line is cut off")
        want(rows, "no line of values")
        want(all(re.fullmatch(r"[A-Za-z_][^\x00-\x1f]{0,63}", name) for name in names) and len(set(names)) == len(names),
             f"its first line has no names, or one twice: {','.join(names):.60}")
        for row in rows:
            want(len(row) == len(names), f"a line has {len(row)} values, not {len(names)}: {','.join(row):.60}")
    return [{name: value for name, text in zip(names, row, strict=True) if (value := value_of(text)) is not None} for row in rows]


def last_line(path: Path) -> str:
    text = path.read_bytes()[-4096:].decode(errors="replace").rstrip()
    return re.sub(r"[^\x20-\x7e]", "?", text.rpartition("\n")[2])[:300]


def attempt(point: Point, folder: Path) -> list[dict[str, object]]:
    """The point's table, or a Failure. It is asked to end when this program ends in whatever way, and does not fill the disk."""
    (folder / OUT).mkdir(parents=True)
    command = [word.replace(f"{{{OUT}}}", str(folder / OUT)) for word in point.words]
    shell = f'ulimit -f {MOST_BYTES // 512}; exec "$@" >"$0/stdout" 2>"$0/stderr"'
    try:
        run(["setpriv", "--pdeathsig", "TERM", "sh", "-c", shell, str(folder), *command], seconds=point.seconds,
            cwd=ROOT if command[0] == "python3" else folder / OUT)
    except Timeout:
        raise Failure(f"no end in {point.seconds:g} s") from None
    except ToolFailed as failed:
        how = f"exit status {failed.code}" if failed.code > 0 else f"signal {-failed.code}"
        raise Failure(f"{how}: {last_line(folder / 'stderr') or last_line(folder / 'stdout')}".rstrip(": ")) from None
    paths = [folder / "stdout"] if point.table == "-" else sorted((folder / OUT).glob(point.table)) if point.table else []
    want(paths or not point.table, f"it has left no {point.table}")
    return [line for path in paths for line in lines_of(path)]


def result_of(point: Point, work: Path, retries: int, files: Files) -> Result:
    for tries in range(1, retries + 2):
        begun, said, lines = time.monotonic(), "", []
        with tempfile.TemporaryDirectory(dir=work, ignore_cleanup_errors=True) as folder:
            try:
                lines = attempt(point, Path(folder))
            except Stopped:
                raise
            except Failure as failure:
                said = str(failure)
            seconds = round(time.monotonic() - begun, 3)
        files.unchanged(point.files)
        if not said:
            break
    ended = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
    return Result(point.key, "failed" if said else "done", tries, seconds, ended, socket.gethostname(), said, lines)


def run_points(points: list[Point], work: Path, jobs: int, retries: int, files: Files,
               done: Callable[[Point, Result], None], idle: Callable[[], None] | None = None) -> None:
    """`done` gets every result, one after the other, in this program's main thread, where `idle` is called while all take long."""
    work.mkdir(parents=True, exist_ok=True)
    for at in range(0, len(points), AT_ONCE):
        in_parallel(lambda point: result_of(point, work, retries, files), points[at:at + AT_ONCE], jobs, done, idle)


def read_shard(path: Path, at: int = 0) -> tuple[list[Result], int]:
    """What is written whole behind this place of a file that grows, and the place where the next line begins."""
    found = []
    with path.open("rb") as file:
        file.seek(at)
        # Up to a line that is being written: its rest may come while this reads, and would count as a line of its own.
        for line in itertools.takewhile(lambda line: line.endswith(b"\n"), file):
            at += len(line)
            with contextlib.suppress(ValueError, TypeError):  # a damaged line
                found.append(Result(*json.loads(line)))
    return found, at


def submit(given: argparse.Namespace, study: Study, todo: list[Point], lot: Path, name: str) -> None:
    most = int(re.search(r"^MaxArraySize\s*=\s*(\d+)", run(["scontrol", "show", "config"]).stdout, re.M)[1])
    chunk = given.chunk or max(CHUNK, math.ceil(len(todo) / most))
    tasks, jobs = [todo[at:at + chunk] for at in range(0, len(todo), chunk)], []
    shutil.rmtree(lot, ignore_errors=True)  # of tasks that are no more
    for folder in ("tasks", "shards", "log"):
        (lot / folder).mkdir(parents=True)
    (lot / "lot.json").write_text(json.dumps({"retries": study.retries, "sums": {path: total for path, (total, _) in study.files.items()}}))
    for at, points in enumerate(tasks):
        (lot / f"tasks/{at}.json").write_text(json.dumps(points))
    for base in range(0, len(tasks), most):
        command = shlex.join(["exec", "python3", os.path.abspath(__file__), "task", str(lot), str(base)])
        said = run(["sbatch", "--parsable", f"--array=0-{min(most, len(tasks) - base) - 1}", "--requeue", f"--job-name={name}",
                    f"--comment={study.name}", f"--output={lot}/log/%A_%a.txt", *given.sbatch, f"--wrap={command}"]).stdout
        jobs.append(said.split()[-1].partition(";")[0])
    print(f"{len(todo)} points in {len(tasks)} tasks: jobs {' '.join(jobs)}", flush=True)


def on_cluster(db: sqlite3.Connection, given: argparse.Namespace, study: Study, todo: list[Point], show: Callable[[int], None]) -> None:
    lot = given.store.with_name(f"{given.store.name}.slurm").resolve()
    name = f"ballast-{hashlib.sha256(str(lot).encode()).hexdigest()[:12]}"  # so Slurm knows the jobs, whatever becomes of this program
    read: dict[Path, int] = {}  # how far each shard is

    def wait(points: list[Point]) -> list[Point]:
        """Until no task is left. Those points that have no result then."""
        while True:
            states = run(["squeue", "--noheader", "--array", "--format=%T", f"--name={name}"], seconds=120).stdout.split()
            for path in sorted(lot.glob("shards/*.jsonl")):
                found, read[path] = read_shard(path, read.get(path, 0))
                put(db, found)
            if not states:
                there = finished(db)
                return [point for point in points if point.key not in there]
            show(states.count("RUNNING"))
            time.sleep(LOOK)
    try:
        if left := wait(todo):  # for the tasks of an earlier call
            submit(given, study, left, lot, name)
            left = wait(left)
    except KeyboardInterrupt:
        print(f"the tasks go on; the same command waits for them again, 'scancel --name={name}' ends them", file=sys.stderr)
        raise
    if left:
        print(f"what the tasks said: {lot}/log")
    else:
        shutil.rmtree(lot, ignore_errors=True)


def task(given: argparse.Namespace) -> None:
    lot, at, host, files = given.lot, given.base + int(os.environ["SLURM_ARRAY_TASK_ID"]), socket.gethostname(), Files()
    of, points = (json.loads((lot / name).read_text()) for name in ("lot.json", f"tasks/{at}.json"))
    there = {result.key for path in (lot / "shards").glob(f"{at}.*.jsonl") for result in read_shard(path)[0]}  # before it was requeued
    todo = [point for point in (Point(*one) for one in points) if point.key not in there]
    for path in {path for point in todo for path in point.files}:
        want(files[path][0] == of["sums"][path], f"{path}: is not the same on {host}")
    shard = lot / f"shards/{at}.{host}.{os.getpid()}.{time.time_ns()}.jsonl"
    with tempfile.TemporaryDirectory(prefix="ballast-sweep-") as work, shard.open("x") as out:
        def done(_: Point, result: Result) -> None:
            print(json.dumps(result), file=out, flush=True)
            os.fsync(out.fileno())
        run_points(todo, Path(work), int(os.environ.get("SLURM_CPUS_PER_TASK", "1")), of["retries"], files, done)


def progress(db: sqlite3.Connection, study: str) -> Callable[..., None]:
    """'sweep: 120 of 2400 done, 1 failed, 2 running, 0:04:10 left': one line on a terminal, else one after a second and every ten."""
    begun, terminal, (*_, before) = time.monotonic(), sys.stderr.isatty(), count(db, study)
    wait = 0.2 if terminal else 10
    then, ended = begun - wait + 1, begun

    def show(running: int, idle: bool = False, last: bool = False) -> None:
        nonlocal then, ended
        now = time.monotonic()
        ended = ended if idle else now
        if now - then >= wait or last:
            done, failed, left = count(db, study)
            then = now + 20 * (time.monotonic() - now)  # counting a million takes time
            seconds = int(max((now - begun) / max(before - left, 1) * left, now - ended))  # what runs may take as long again
            took = f"{timedelta(seconds=seconds)} left" if before > left else "time left not known yet"
            text = f"sweep: {done} of {done + failed + left} done, {failed} failed, {min(running, left)} running, {took}"
            print(f"\r\033[K{text}" if terminal else text, end="\n" if last or not terminal else "", file=sys.stderr, flush=True)
    return show


def dry_run(given: argparse.Namespace, points: list[Point]) -> None:
    with opened(given.store) if given.store.exists() else contextlib.nullcontext() as db:
        there = finished(db) if db else {}
    states = [there.get(point.key, "to do") for point in points]
    for state, point in zip(states, points, strict=True):
        print(f"{state:7} {point}")
    print(f"{len(points)} points: {', '.join(f'{states.count(state)} {state}' for state in ('done', 'failed', 'to do'))}")


def sweep(given: argparse.Namespace) -> int | None:
    study, jobs = Study(given.study, given.ballast), given.jobs or processors()
    name, points, work = study.name, list(study.points.values()), given.store.with_name(f"{given.store.name}.work").resolve()
    if given.dry_run:
        return dry_run(given, points)
    hold(work, "--store")
    with opened(given.store, write=True) as db:
        enter(db, name, points, study.files[given.ballast][0][:16])
        there = finished(db)
        todo, show = [point for point in points if point.key not in there], progress(db, name)
        print(f"{name}: {len(points)} points, {len(points) - len(todo)} done before", flush=True)

        def done(_: Point, result: Result) -> None:
            put(db, [result])
            show(jobs)
        try:
            if given.slurm:
                on_cluster(db, given, study, todo, show)
            else:
                run_points(todo, work, jobs, study.retries, study.files, done, lambda: show(jobs, idle=True))
        finally:
            shutil.rmtree(work, ignore_errors=True)
        if todo:
            show(0, last=True)
        good, failed, left = count(db, name)
        if failed:
            print(f"failed: {failed}", *(f"  {command}\n    {said}" for command, said, *_ in db.execute(FAILED, {"study": name})), sep="\n")
    again = f", {left} not finished: call it again" if left else ""
    print(f"{name}: {good} of {len(points)} points done, {failed} failed{again}; {given.store}")
    return int(good < len(points))


FLAG, PATH = {"action": "store_true"}, {"type": Path}
STORE = {"ballast": {"type": os.path.realpath}, "-s --store": {"type": Path, "default": Path("build/sweep.sqlite")}}
ASKED = {"--study": {}, "-r --rows": {"default": "policy"}, "-v --value": {"default": "cost_percent"}}
COMPARED = {"ballast": {}, "store": {"type": Path, "nargs": "+"}, "-c --csv": PATH} | ASKED
COMMANDS = {
    sweep: STORE | {"study": PATH, "-j --jobs": {"type": number}, "-n --dry-run": FLAG, "--slurm": FLAG,
                    "--chunk": {"type": number, "default": 0}, "--sbatch": {"action": "append", "default": []}},
    query: STORE | {"question": {"choices": QUESTIONS}, "text": {"nargs": "?"}, "-c --columns": {"default": "kernel"}, "-w --where": {},
                    "--csv": FLAG, "-o --out": PATH} | ASKED,
    diff: COMPARED, trend: COMPARED,
    task: {"lot": PATH, "base": {"type": number}}}


def main() -> int | None:
    parser, [function] = Options(), [function for function in COMMANDS if function.__name__ == sys.argv[1]]
    for names, of in COMMANDS[function].items():
        parser.add_argument(*names.split(), **of)
    return function(parser.parse_args(sys.argv[2:]))


if __name__ == "__main__":
    sys.argv[0] = " ".join(["ballast", *sys.argv[1:2]])
    program(main)
