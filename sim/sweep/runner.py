# SPDX-License-Identifier: Apache-2.0
"""Runs points, so many at a time, each in a folder of its own and with a limit of time, and hands over what each gave."""
from __future__ import annotations

import contextlib
import csv
import ctypes
import itertools
import math
import os
import re
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from store import Result
from study import BAD, OUT, ROOT, Files, Point
from tools import Failure

MOST_OUTPUT = 64 << 20  # bytes that a point may print, and that its tables may have
MOST_VALUES = 1 << 20   # of a point
LOOK = 0.1  # seconds between looks at what runs
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


# ---- what a point has left -----------------------------------------------------------------------------

class NoTable(Exception):
    """Why what it printed is no table."""


def want(true: object, why: str) -> None:
    if not true:
        raise NoTable(why)


def number(text: str) -> object:
    """A number where the text is one; None where there is nothing."""
    if re.fullmatch(r"[+-]?\d{1,18}", text):
        return int(text)
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text) and math.isfinite(float(text)):
        return float(text)
    return text if text not in ("", "-") else None


def read_tables(path: Path) -> list[list[list[str]]]:
    """The rows of a CSV file: those of another table stand after an empty line."""
    want(path.stat().st_size <= MOST_OUTPUT, f"more than {MOST_OUTPUT >> 20} MB")
    try:
        text = path.read_bytes().decode()
        rows = list(csv.reader((line for line in text.splitlines() if not line.startswith("#")), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise NoTable(f"no CSV: {error}") from None
    want(text[-1:] in ("", "\n"), "no CSV: its last line is cut off")
    found = [list(group) for filled, group in itertools.groupby(rows, bool) if filled]
    want(any(len(rows) > 1 for rows in found), "no CSV: no line of values")
    return found


def lines_of(names: list[str], rows: list[list[str]]) -> list[dict[str, object]]:
    names = [name.strip() for name in names]
    head = [name if name not in names[:n] else f"{name} {names[:n].count(name) + 1}" for n, name in enumerate(names)]
    want(all(re.fullmatch(r"[A-Za-z_][^\x00-\x1f]{0,63}", name) for name in head), f"no CSV: its first line has no names: {','.join(head):.60}")
    for row in rows:
        want(len(row) == len(head), f"no CSV: a line has {len(row)} values, not {len(head)}: {','.join(row):.60}")
    return [{name: value for name, value in zip(head, map(number, row), strict=True) if value is not None} for row in rows]


def results(point: Point, folder: Path, printed: Path) -> tuple[dict[str, object], ...]:
    """The lines of its table. Where there are several tables all have a column `table`."""
    paths = [printed] if point.table == "-" else sorted(folder.glob(point.table)) if point.table else []
    want(paths or not point.table, f"it has left no {point.table}")
    lines = []
    for tables in map(read_tables, paths):
        for at, (names, *rows) in enumerate(tables, 1):
            lines += [({"table": at} if len(tables) > 1 else {}) | line for line in lines_of(names, rows)]
    want(sum(map(len, lines)) <= MOST_VALUES, f"more than {MOST_VALUES} values")
    return tuple(lines)


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


@dataclass(eq=False)
class Run:
    point: Point
    tries: int
    folder: Path
    process: subprocess.Popen
    pidfd: int
    start: float
    ended: str = ""  # why this program has ended it

    def end(self, why: str) -> None:
        self.ended = self.ended or why
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def look(self) -> None:
        if time.monotonic() - self.start > self.point.seconds:
            self.end(f"no end in {self.point.seconds:g} s")
        elif any(os.stat(self.folder / name).st_size > MOST_OUTPUT for name in ("stdout", "stderr")):
            self.end(f"prints more than {MOST_OUTPUT >> 20} MB")

    def judge(self) -> tuple[str, tuple[dict[str, object], ...]]:
        """Why it failed ("" if it did not), its table."""
        status = self.process.returncode
        if self.ended:
            return self.ended, ()
        if status:
            how = f"signal {-status}" if status < 0 else f"exit status {status}"
            return f"{how}: {last_line(self.folder / 'stderr') or last_line(self.folder / 'stdout')}".rstrip(": "), ()
        try:
            return "", results(self.point, self.folder / OUT, self.folder / "stdout")
        except NoTable as why:
            return str(why), ()


class Progress:
    """'sweep: 120 of 2400 done, 1 failed, 2 running, 4:10 left': one line on a terminal, else one every ten seconds."""

    def __init__(self, points: list[Point], there: dict[str, str]):
        self.points, self.total = points, len(points)
        self.count(there)
        self.before = self.left
        self.start = self.last = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def count(self, there: dict[str, str]) -> None:
        self.done, self.failed = (sum(there.get(point.key) == status for point in self.points) for status in ("done", "failed"))

    @property
    def left(self) -> int:
        return self.total - self.done - self.failed

    def add(self, status: str) -> None:
        self.done += status == "done"
        self.failed += status == "failed"

    def show(self, running: int, at_once: bool = False) -> None:
        now = time.monotonic()
        if now - self.last < (0.2 if self.terminal else 10) and not at_once:
            return
        self.last = now
        ended = self.before - self.left
        seconds = int((now - self.start) / ended * self.left) if ended else 0
        words = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02} left" if ended else "time left not known yet"
        text = f"sweep: {self.done} of {self.total} done, {self.failed} failed, {running} running, {words}"
        print(f"\r\033[K{text}" if self.terminal else text, end="\n" if at_once or not self.terminal else "", file=sys.stderr, flush=True)


class Runner:
    """`put` gets every result, one after the other, in this program's only thread; `show` the number of points that run, now and then."""

    def __init__(self, work: Path, jobs: int, retries: int, files: Files, put: Callable[[Result], None], show: Callable[[int], None]):
        self.work, self.jobs, self.retries, self.files, self.put, self.show = work, jobs, retries, files, put, show
        self.runs: list[Run] = []
        self.folders = map(str, itertools.count(1))
        self.selector = selectors.DefaultSelector()

    def start(self, point: Point, tries: int = 1) -> None:
        self.unchanged(point)
        folder = self.work / next(self.folders)
        command = [word.replace(f"{{{OUT}}}", str(folder / OUT)) for word in point.words]
        try:
            (folder / OUT).mkdir(parents=True)
            with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
                process = subprocess.Popen(command, cwd=ROOT if command[0] == "python3" else folder / OUT, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                           start_new_session=True, preexec_fn=dies_with(os.getpid()))
        except OSError as error:
            raise Failure(f"{error.filename or folder}: cannot start a point: {error.strerror}; the same command goes on", BAD) from None
        run = Run(point, tries, folder, process, os.pidfd_open(process.pid), time.monotonic())
        self.runs.append(run)
        self.selector.register(run.pidfd, selectors.EVENT_READ, run)

    def unchanged(self, point: Point) -> None:
        if path := self.files.changed(point.files):
            raise Failure(f"{path}: has changed while the sweep ran; what was done before is stored, the same command goes on with what it is now", BAD)

    def finish(self, run: Run) -> None:
        self.selector.unregister(run.pidfd)
        os.close(run.pidfd)
        self.runs.remove(run)
        run.end("")  # what it has started; its number is nobody else's until it is waited for
        run.process.wait()
        seconds = time.monotonic() - run.start
        why, lines = run.judge()
        shutil.rmtree(run.folder, ignore_errors=True)
        self.unchanged(run.point)
        if why and run.tries <= self.retries:
            self.start(run.point, run.tries + 1)
            return
        finished = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
        self.put(Result(run.point.key, "failed" if why else "done", run.tries, round(seconds, 3), finished, socket.gethostname(), why, lines))

    def run(self, points: list[Point]) -> None:
        waiting = deque(points)
        try:
            while waiting or self.runs:
                while waiting and len(self.runs) < self.jobs:
                    self.start(waiting.popleft())
                soonest = min(run.start + run.point.seconds for run in self.runs) - time.monotonic()
                for key, _ in self.selector.select(max(0.0, min(LOOK, soonest) + 0.001)):
                    self.finish(key.data)
                for run in self.runs:
                    run.look()
                self.show(len(self.runs))
        finally:
            for run in self.runs:  # some only where it is stopped
                run.end("stopped")
                run.process.wait()
            shutil.rmtree(self.work, ignore_errors=True)
