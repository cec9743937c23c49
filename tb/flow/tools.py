# SPDX-License-Identifier: Apache-2.0
"""What every flow program needs: other programs run with their failures told apart, files written whole, jobs side by side.

Failures are exceptions. `program` turns one into a line on standard error and the exit status:

  Failure      1 or as given: bad input, or something that does not hold
  Missing      2: a tool is not installed
  Timeout      what a tool was asked was not answered in time; never an answer
  ToolFailed   a tool ended with an error, was killed, or did not leave a file that it has to write
  Stopped      130: a tool was ended because another one failed, or by Ctrl-C; that says nothing of what it was asked
  Ctrl-C       130
"""
from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import fcntl
import io
import math
import os
import queue
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, NoReturn, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

WAIT = 10  # times as long by the clock, for a tool whose processor time is limited: other work may go on beside it


class Failure(Exception):
    """One line that says what, where and what to do; `status` is the program's exit status."""

    def __init__(self, text: str, status: int = 2):
        super().__init__(text)
        self.status = status


class Missing(Failure):
    """A tool that is not installed."""


class ToolFailed(Failure):
    """A tool that ended with an error. `output` is all it said, `code` its status (negative: a signal)."""

    def __init__(self, text: str, code: int = 1, output: str = ""):
        super().__init__(text, 2)
        self.code = code
        self.output = output


class Timeout(ToolFailed):
    """A tool that did not end in time. `output` is what it said until then."""


class Stopped(Failure):
    """A tool that was ended, or not started, because another one failed or the user pressed Ctrl-C."""

    def __init__(self, tool: str):
        super().__init__(f"{tool}: stopped", 130)


def need(*tools: str) -> None:
    """Fails when one of the tools is not installed."""
    for tool in tools:
        if shutil.which(tool) is None:
            raise Missing(f"{tool} is not installed; 'make setup' installs what is missing")


_running: set[subprocess.Popen] = set()
_lock = threading.Lock()
_stopped = threading.Event()


def _end(process: subprocess.Popen) -> None:
    """Ends a process and what it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def stop_all() -> None:
    """Ends every tool that runs; `run` starts no more."""
    _stopped.set()
    with _lock:
        for process in _running:
            _end(process)


def _limit(process: subprocess.Popen, seconds: float) -> None:
    """Of processor time: the kernel ends the tool."""
    soft = max(1, math.ceil(seconds))
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (soft, soft + 5))


def run(command: list[str | Path], *, seconds: float | None = None, cpu: float | None = None, cwd: Path | None = None, stdin: str | None = None,
        env: dict[str, str] | None = None, log: Path | None = None,
        accept: tuple[int, ...] = (0,), leaves: Iterable[Path] = ()) -> subprocess.CompletedProcess:
    """Runs a tool and returns it with both outputs in .stdout. A status that is not in `accept` raises ToolFailed, more than
    `seconds` by the clock Timeout, as do more than `cpu` seconds of its own processor time, or WAIT times that by the clock.
    Everything that it said goes into `log`, too. `leaves`: files that it has to write; those of an earlier
    run go before, and one that is missing or empty afterwards raises ToolFailed."""
    words = [str(word) for word in command]
    leaves = list(leaves)
    for old in leaves:
        old.unlink(missing_ok=True)
    if _stopped.is_set():
        raise Stopped(words[0])
    try:
        process = subprocess.Popen(words, cwd=cwd, env=None if env is None else os.environ | env, text=True, errors="replace",
                                   stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    except FileNotFoundError:
        raise Missing(f"{words[0]} is not installed; 'make setup' installs what is missing") from None
    with _lock:
        _running.add(process)
    if cpu is not None:
        _limit(process, cpu)
        seconds = WAIT * cpu if seconds is None else seconds
    try:
        output, _ = process.communicate(stdin, timeout=seconds)
    except subprocess.TimeoutExpired:
        _end(process)
        output, _ = process.communicate()
        raise Timeout(f"{words[0]}: no answer in {seconds:g} s", output=output) from None
    except BaseException:
        _end(process)
        raise
    finally:
        with _lock:
            _running.discard(process)
    if log is not None:
        log.write_text(output)
    if _stopped.is_set():
        raise Stopped(words[0])
    if cpu is not None and process.returncode == -signal.SIGXCPU:
        raise Timeout(f"{words[0]}: no answer in {cpu:g} s of processor time", output=output)
    if process.returncode not in accept:
        said = output.strip().splitlines()
        worst = next((line for line in said if re.search(r"\b(error|ERROR): ", line)), said[-1] if said else "")
        how = f"signal {-process.returncode}" if process.returncode < 0 else f"exit status {process.returncode}"
        raise ToolFailed(f"{words[0]}: {how}{': ' + worst if worst else ''}{f'; all of it in {log}' if log else ''}",
                         process.returncode, output)
    for path in leaves:
        if not path.is_file() or not path.stat().st_size:
            raise ToolFailed(f"{words[0]}: left no {path}", process.returncode, output)
    return subprocess.CompletedProcess(words, process.returncode, output)


@contextlib.contextmanager
def whole(path: Path, binary: bool = False) -> Iterator[IO]:
    """A file, of text or binary, that is the old one or the complete new one: written beside its place, then renamed. Of two at once, in one program or in
    two, the last one to end counts. What is there and is no regular file stays: a rename would take the place of a device."""
    path = Path(path)
    if path.exists() and not path.is_file():
        raise Failure(f"{path}: cannot be written: no regular file; name another")
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with open(beside, "wb" if binary else "w", encoding=None if binary else "utf-8") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise Failure(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        beside.unlink(missing_ok=True)


def offered(package: str) -> bool:
    """Whether this system has a Debian package, installed or not. One without apt-cache is taken to have it."""
    try:
        said = run(["apt-cache", "policy", package], env={"LC_ALL": "C"}).stdout
    except Missing:
        return True
    return bool(re.search(r"Candidate: [^(]", said))


_held: dict[Path, IO[str]] = {}


def hold(folder: Path, option: str = "--out") -> None:
    """Nobody else works in this folder as long as this program runs: two runs would read each other's files."""
    folder.mkdir(parents=True, exist_ok=True)
    if folder.resolve() in _held:
        return
    file = open(folder / ".lock", "w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Failure(f"{folder}: another run works there; wait for its end, or give another folder with {option}") from None
    _held[folder.resolve()] = file


@contextlib.contextmanager
def scratch(prefix: str = "ballast-") -> Iterator[Path]:
    """A temporary folder."""
    with tempfile.TemporaryDirectory(prefix=prefix) as folder:
        yield Path(folder)


def processors() -> int:
    """So many jobs at a time: $JOBS, or all processors."""
    jobs = os.environ.get("JOBS", "")
    return int(jobs) if re.fullmatch("[1-9][0-9]*", jobs) else os.cpu_count() or 1


def in_parallel(job: Callable[[Item], Result], items: Iterable[Item], workers: int | None = None,
                done: Callable[[Item, Result], None] | None = None, idle: Callable[[], None] | None = None) -> list[Result]:
    """Runs `job` on all items, so many at once (`processors`), and returns the results in the items' order. `done` is called
    for each in the order in which they end, `idle` in every second in which none does. An exception ends the tools of the others."""
    items, ended = list(items), queue.SimpleQueue()
    with concurrent.futures.ThreadPoolExecutor(workers or processors()) as pool:
        futures = {pool.submit(job, item): index for index, item in enumerate(items)}
        try:
            for future in futures:
                future.add_done_callback(ended.put)
            left = len(futures)
            while left:
                try:
                    future = ended.get(timeout=1)
                except queue.Empty:
                    if idle is not None:
                        idle()
                    continue
                left -= 1
                result = future.result()
                if done is not None:
                    done(items[futures[future]], result)
        except BaseException:
            stop_all()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
        return [future.result() for future in futures]


class Options(argparse.ArgumentParser):
    """A command line whose mistakes are one line."""

    def error(self, message: str) -> NoReturn:
        raise Failure(f"{message}; --help says what there is")


def number(text: str) -> int:
    """The type of an option that wants a number."""
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"wants a number, not '{text}'")
    return int(text)


class Progress:
    """Lines of progress on standard error: 'what: 3 of 12 name, 17 s'. On a terminal they overwrite each other; `quiet`:
    elsewhere none."""

    def __init__(self, what: str, total: int, quiet: bool = False):
        self.what, self.total, self.count, self.quiet = what, total, 0, quiet
        self.start = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def step(self, name: str) -> None:
        self.count += 1
        if self.quiet and not self.terminal:
            return
        text = f"{self.what}: {self.count} of {self.total} {name}, {time.monotonic() - self.start:.0f} s"
        end = "\n" if not self.terminal or self.count == self.total else ""
        print(f"\r\033[K{text}" if self.terminal else text, end=end, file=sys.stderr, flush=True)


def _what_is_full(error: OSError) -> str:
    """What an error without a name is about: a file that is open just where it happened, else standard output."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    names = [getattr(value, "name", "") for value in frame.f_locals.values() if isinstance(value, io.IOBase)]
    return next((name for name in names if isinstance(name, str) and name), "standard output")


def program(main: Callable[[], int | None]) -> None:
    """Runs a flow's main function and exits: a failure is one line and its status, Ctrl-C 130. Where nobody reads what it says, SIGPIPE ends it."""
    name = Path(sys.argv[0]).name
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = main() or 0
        sys.stdout.flush()
    except Failure as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        status = failure.status
    except KeyboardInterrupt:
        stop_all()
        print(f"{name}: interrupted", file=sys.stderr)
        status = 130
    except BrokenPipeError:
        stop_all()
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.raise_signal(signal.SIGPIPE)
        status = 3
    except OSError as error:
        print(f"{name}: " + (f"{error.filename}: {error.strerror}" if error.filename else f"{_what_is_full(error)}: cannot write ({error.strerror})"), file=sys.stderr)
        status = 3
    sys.exit(status)
