# SPDX-License-Identifier: Apache-2.0
"""Runs points, so many at a time, each in a folder of its own and with a limit of time, and hands over what each gave."""
from __future__ import annotations

import csv
import ctypes
import math
import os
import re
import selectors
import shlex
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
from study import OUT, ROOT, Files, Point
from tools import Failure

MOST_OUTPUT = 64 << 20  # bytes that a point may print, and that its tables may have
MOST_VALUES = 1 << 20   # of a point
LOOK = 0.1  # seconds between looks at what runs
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def dies_with(parent: int) -> Callable[[], None]:
    """In the child: when this program ends in whatever way, it is asked to end, too."""
    def prepare() -> None:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)
    return prepare


# ---- what a point has left -----------------------------------------------------------------------------

class NoTable(Exception):
    """Why what it printed is no table."""


def number(text: str) -> object:
    """A number where the text is one; None where there is nothing."""
    if re.fullmatch(r"[+-]?\d{1,18}", text):
        return int(text)
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text) and math.isfinite(float(text)):
        return float(text)
    return text if text not in ("", "-") else None


def read_rows(path: Path) -> list[list[str]]:
    """Of a CSV file: an empty one where a line is empty."""
    if path.stat().st_size > MOST_OUTPUT:
        raise NoTable(f"more than {MOST_OUTPUT >> 20} MB")
    try:
        text = path.read_bytes().decode()
        rows = list(csv.reader((line for line in text.splitlines() if not line.startswith("#")), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise NoTable(f"no CSV: {error}") from None
    if text and text[-1] != "\n":
        raise NoTable("no CSV: its last line is cut off")
    return rows


def read_table(path: Path) -> list[dict[str, object]]:
    """A line of names, then as many values in each line. After an empty line another table begins: then all have a column `table`."""
    found: list[list[list[str]]] = [[]]
    for row in read_rows(path):
        if row:
            found[-1].append(row)
        elif found[-1]:
            found.append([])
    several = [rows for rows in found if rows]
    if not any(len(rows) > 1 for rows in several):
        raise NoTable("no CSV: no line of values")
    lines = []
    for at, (names, *rows) in enumerate(several, 1):
        names = [name.strip() for name in names]
        head = [name if name not in names[:n] else f"{name} {names[:n].count(name) + 1}" for n, name in enumerate(names)]
        if not all(re.fullmatch(r"[A-Za-z_][^\x00-\x1f]{0,63}", name) for name in head):
            raise NoTable(f"no CSV: its first line has no names: {','.join(head):.60}")
        if odd := next((row for row in rows if len(row) != len(head)), None):
            raise NoTable(f"no CSV: a line has {len(odd)} values, not {len(head)}: {','.join(odd):.60}")
        lines += [({"table": at} if len(several) > 1 else {}) | {name: value for name, value in zip(head, map(number, row), strict=True) if value is not None} for row in rows]
    return lines


def tables(point: Point, folder: Path, printed: Path) -> tuple[dict[str, object], ...]:
    if not point.table:
        return ()
    paths = [printed] if point.table == "-" else sorted(folder.glob(point.table))
    if not paths:
        raise NoTable(f"it has left no {point.table}")
    lines = [line for path in paths for line in read_table(path)]
    if sum(map(len, lines)) > MOST_VALUES:
        raise NoTable(f"more than {MOST_VALUES} values")
    return tuple(lines)


def last_line(path: Path) -> str:
    with open(path, "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - 4096))
        lines = [line for line in file.read().decode(errors="replace").splitlines() if line.strip()]
    return re.sub(r"[^\x20-\x7e]", "?", lines[-1])[:300] if lines else ""


# ---- running -------------------------------------------------------------------------------------------

@dataclass
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
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def command(point: Point, out: str = f"{{{OUT}}}") -> list[str]:
    return [word.replace(f"{{{OUT}}}", out) for word in point.words]


def shown(point: Point) -> str:
    return shlex.join(command(point))


class Progress:
    """'sweep: 120 of 2400 done, 1 failed, 2 running, 4:10 left': one line on a terminal, else one every ten seconds."""

    def __init__(self, points: list[Point], there: dict[str, str]):
        self.points, self.total, self.failed = points, len(points), 0
        self.before = self.done = sum(there.get(point.key) == "done" for point in points)
        self.start = self.last = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def count(self, there: dict[str, str]) -> None:
        self.done = sum(there.get(point.key) == "done" for point in self.points)
        self.failed = sum(there.get(point.key) == "failed" for point in self.points)

    def show(self, running: int, at_once: bool = False) -> None:
        now = time.monotonic()
        if now - self.last < (0.2 if self.terminal else 10) and not at_once:
            return
        self.last = now
        ended = self.done - self.before + self.failed
        left = int((now - self.start) / ended * (self.total - self.done - self.failed)) if ended else 0
        words = f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left" if ended else "time left not known yet"
        text = f"sweep: {self.done} of {self.total} done, {self.failed} failed, {running} running, {words}"
        print(f"\r\033[K{text}" if self.terminal else text, end="\n" if at_once or not self.terminal else "", file=sys.stderr, flush=True)


class Runner:
    """`put` gets every result, one after the other, in this program's only thread."""

    def __init__(self, work: Path, jobs: int, retries: int, files: Files, put: Callable[[Result], None], progress: Progress):
        self.work, self.jobs, self.retries, self.files, self.put, self.progress = work, jobs, retries, files, put, progress
        self.runs: dict[int, Run] = {}
        self.count = 0
        self.selector = selectors.DefaultSelector()

    def start(self, point: Point, tries: int) -> None:
        self.unchanged(point)
        self.count += 1
        folder = self.work / str(self.count)
        try:
            (folder / OUT).mkdir(parents=True)
            with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
                process = subprocess.Popen(command(point, str(folder / OUT)), cwd=ROOT if point.words[0] == "python3" else folder / OUT, stdin=subprocess.DEVNULL, stdout=out,
                                           stderr=err, start_new_session=True, preexec_fn=dies_with(os.getpid()))
        except OSError as error:
            raise Failure(f"{error.filename or folder}: cannot start a point: {error.strerror}; the same command goes on", 3) from None
        pidfd = os.pidfd_open(process.pid)
        self.runs[pidfd] = Run(point, tries, folder, process, pidfd, time.monotonic())
        self.selector.register(pidfd, selectors.EVENT_READ)

    def unchanged(self, point: Point) -> None:
        if path := self.files.changed(point.files):
            raise Failure(f"{path}: has changed while the sweep ran; what was done before is stored, the same command goes on with what it is now", 3)

    def judge(self, run: Run) -> tuple[str, tuple[dict[str, object], ...]]:
        """Why it failed ("" if it did not), its table."""
        status = run.process.returncode
        if run.ended:
            return run.ended, ()
        if status:
            how = f"signal {-status}" if status < 0 else f"exit status {status}"
            return f"{how}: {last_line(run.folder / 'stderr') or last_line(run.folder / 'stdout')}".rstrip(": "), ()
        try:
            return "", tables(run.point, run.folder / OUT, run.folder / "stdout")
        except NoTable as why:
            return str(why), ()

    def finish(self, run: Run) -> None:
        self.selector.unregister(run.pidfd)
        os.close(run.pidfd)
        del self.runs[run.pidfd]
        run.end("")  # what it has started; its number is nobody else's until it is waited for
        run.process.wait()
        seconds = time.monotonic() - run.start
        why, lines = self.judge(run)
        shutil.rmtree(run.folder, ignore_errors=True)
        self.unchanged(run.point)
        if why and run.tries <= self.retries:
            self.start(run.point, run.tries + 1)
            return
        self.put(Result(run.point.key, "failed" if why else "done", run.tries, round(seconds, 3), time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime()),
                        socket.gethostname(), why, lines))
        self.progress.failed += bool(why)
        self.progress.done += not why

    def look(self) -> None:
        for run in self.runs.values():
            if time.monotonic() - run.start > run.point.seconds:
                run.end(f"no end in {run.point.seconds:g} s")
            elif any(os.stat(run.folder / name).st_size > MOST_OUTPUT for name in ("stdout", "stderr")):
                run.end(f"prints more than {MOST_OUTPUT >> 20} MB")

    def run(self, points: list[Point]) -> None:
        waiting = deque(points)
        try:
            while waiting or self.runs:
                while waiting and len(self.runs) < self.jobs:
                    self.start(waiting.popleft(), 1)
                soonest = min(run.start + run.point.seconds for run in self.runs.values()) - time.monotonic()
                for key, _ in self.selector.select(max(0.0, min(LOOK, soonest) + 0.001)):
                    self.finish(self.runs[key.fd])
                self.look()
                self.progress.show(len(self.runs))
        except BaseException:
            for run in self.runs.values():
                run.end("stopped")
                run.process.wait()
            raise
        finally:
            shutil.rmtree(self.work, ignore_errors=True)


