# SPDX-License-Identifier: Apache-2.0
"""Runs of the library: in a process of their own, or, under a policy in Python, in this one."""
from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import threading
from typing import Any, Iterator, List, Optional

from ._library import CHIP, DESCRIBE, START, STEP, Error
from .policy import PythonPolicy

_one_at_a_time = threading.RLock()  # of those in this process: the flag that ends one is the library's


def _wait(pid: int) -> int:
    """The child's exit code; negative: a signal. It does not outlive an exception here, such as Ctrl-C."""
    try:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise


@contextlib.contextmanager
def _signals_kept(policy: PythonPolicy) -> Iterator[None]:
    """What Ctrl-C raises while C calls, and not yet the policy, would be lost in the call: it is kept for the caller instead."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return

    def on_signal(number: int, frame: Any) -> None:
        if policy.inside:
            before(number, frame)
            return
        try:
            before(number, frame)
        except BaseException as error:
            policy.error = error

    signal.signal(signal.SIGINT, on_signal)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _here(function: Any, request: Any, fd: int, policy: PythonPolicy) -> int:
    with _one_at_a_time, _signals_kept(policy):
        request.start, request.step = START(policy.on_start), STEP(policy.on_step)
        if policy.has("describe"):
            request.describe = DESCRIBE(policy.on_describe)
        if policy.has("chip"):
            request.chip = CHIP(policy.on_chip)
        code = function(ctypes.byref(request), fd, False)
        if policy.error is not None:
            raise policy.error
        return int(code)


def _apart(function: Any, request: Any, fd: int) -> int:
    pid = function(ctypes.byref(request), fd, True)
    if pid < 0:
        raise Error("the run's process could not be started")
    return _wait(pid)


def run(function: Any, request: Any, policy: Optional[PythonPolicy]) -> List[str]:
    """The lines of its answer."""
    fd = os.memfd_create("ballast")
    try:
        code = _here(function, request, fd, policy) if policy else _apart(function, request, fd)
        with os.fdopen(os.dup(fd), "rb") as file:
            file.seek(0)
            lines = file.read().decode(errors="replace").splitlines()
    finally:
        os.close(fd)
    if code < 0:
        raise Error(f"the run's process died of signal {-code} ({signal.strsignal(-code)})")
    if code:
        raise Error(lines[0] if lines else f"the run's process ended with {code} and without a word")
    return lines
