# SPDX-License-Identifier: Apache-2.0
"""What the tests of the flows share: does a flow find the fault that was planted? Used as

  def bad_input(test: Planted) -> None:
      with test.case("an unknown block: one line"):
          test.run(2, "nosuchblock")
          test.one_line("no block 'nosuchblock'")
  Planted.main("tb/formal/formal.py", bad_input)

Every case prints a line, "ok" or "FAIL" with what was wrong; the end is "N passed, N failed". Run from the repository root.
"""
from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from tools import Failure

Case = TypeVar("Case")

# A chip of which everything is proved in seconds.
SMALL_CHIP = 'rtl = "NumWarps=4 NumSlots=2 NumSms=2 IssueWidth=1 CountW=8 LcsCountW=8 Epoch=16 SampleInterval=4 SamplePhase=3 SampleCycles=4 DynPeriod=8 RegUnits=20 SmemUnits=6";\n'
LONG = os.environ.get("LONG", "") not in ("", "0")  # 'make test LONG=1': all that is planted, not a part of it


# A script with another tools.WAIT.
IMPATIENT = """import os, runpy, sys
sys.path[:0] = ["tb/flow", os.path.dirname(sys.argv[2])]
import tools
tools.WAIT = float(sys.argv[1])
sys.argv[:2] = []
runpy.run_path(sys.argv[0], run_name="__main__")"""


def expect(true: object, what: str) -> None:
    if not true:
        raise AssertionError(what)


def some(cases: Sequence[Case], short: int) -> list[Case]:
    """All with LONG; else so many of them, from the first to the last in even steps."""
    if LONG or short >= len(cases):
        return list(cases)
    return [cases[at * (len(cases) - 1) // (short - 1)] for at in range(short)]


def wait_for(what: str, true: Callable[[], object], seconds: float = 40) -> None:
    end = time.monotonic() + seconds
    while not true():
        expect(time.monotonic() < end, f"never: {what}")
        time.sleep(0.02)


def refused(job: Callable[[], object], word: str) -> None:
    """The job ends with a Failure of one line that has the word."""
    try:
        came = job()
    except Failure as failure:
        expect(word in str(failure) and "\n" not in str(failure), f"does not say '{word}': {failure}")
    else:
        raise AssertionError(f"'{came}' is taken")


class Planted:
    """The flow's output goes to `work`/out; `said` is what it said last."""

    def __init__(self, script: str, build: str | Path):
        self.script, self.build = script, Path(build)
        self.said, self.passed, self.failed = "", 0, 0
        self.status = 1

    def small_chip(self) -> str:
        """SMALL_CHIP as a configuration: its name."""
        path = self.work / "small"
        path.write_text(SMALL_CHIP)
        return os.path.relpath(path, "rtl/configs")

    def __enter__(self) -> Planted:
        self.work = Path(tempfile.mkdtemp())
        self.out = self.work / "out"
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        """What goes wrong outside the cases, such as a build before them, is a failure, too."""
        shutil.rmtree(self.work, ignore_errors=True)
        known = isinstance(error, AssertionError | Failure)
        if kind is not None:
            self._failed("the test itself", error)
        print(f"{self.passed} passed, {self.failed} failed")
        self.status = int(self.failed > 0 or self.passed == 0)
        return known

    @classmethod
    def main(cls, script: str, *parts: Callable[[Any], None]) -> NoReturn:
        """A whole program; its argument is the build."""
        with cls(script, sys.argv[1] if len(sys.argv) > 1 else "build/fermi") as test:
            for part in parts:
                part(test)
        sys.exit(test.status)

    def _failed(self, name: str, error: object) -> None:
        self.failed += 1
        lines = [f"{type(error).__name__}: {error}", *self.said.splitlines()]
        print(f"FAIL  {name}", *(f"        {line}" for line in lines[:20]), sep="\n", flush=True)

    @contextlib.contextmanager
    def case(self, name: str) -> Iterator[None]:
        try:
            yield
        except (AssertionError, Failure, OSError, LookupError, ValueError) as error:
            self._failed(name, error)
        else:
            self.passed += 1
            print(f"ok    {name}", flush=True)

    def run(self, status: int, *arguments: object, env: dict[str, str] | None = None, wait: float | None = None) -> None:
        """Runs the flow and wants that exit status. `wait` is its tools.WAIT, for a tool that never ends and uses no processor time."""
        script = [self.script] if wait is None else ["-c", IMPATIENT, wait, self.script]
        self.command(status, sys.executable, *script, "--build", self.build, "--out", self.out, *arguments, env=env)

    def command(self, status: int, *command: object, env: dict[str, str] | None = None, cwd: Path | None = None,
                seconds: float = 1800) -> None:
        """The same of any command."""
        try:
            process = subprocess.run([str(word) for word in command], env=os.environ | (env or {}), cwd=cwd, timeout=seconds,
                                     text=True, errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, check=False)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"no end in {seconds:g} s") from None
        self.said = process.stdout
        expect(process.returncode == status, f"exit status {process.returncode}, not {status}")

    def says(self, pattern: str) -> None:
        expect(re.search(pattern, self.said, re.M), f"does not say '{pattern}'")

    def refuse(self, cases: dict[str, tuple[list[object], str]], env: dict[str, str] | None = None) -> None:
        """Cases of bad input by name: arguments, and the one line that the flow says to them."""
        for name, (arguments, pattern) in cases.items():
            with self.case(f"{name}: one line"):
                self.run(2, *arguments, env=env)
                self.one_line(pattern)

    def one_line(self, pattern: str) -> None:
        self.says(pattern)
        expect(self.said.count("\n") == 1, "says more than one line")

    def plant(self, tree: str, file: str, *texts: str) -> Path:
        """A copy of a tree (rtl, cmodel, tb) with texts of a file replaced: old, new, old, new."""
        copy = self.work / tree
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(tree, copy)
        text = (copy / file).read_text()
        for old, new in zip(texts[::2], texts[1::2], strict=True):
            expect(old in text, f"the fault does not fit {tree}/{file}: {old}")
            text = text.replace(old, new)
        (copy / file).write_text(text)
        return copy

    def only(self, *tools: str) -> dict[str, str]:
        """An environment with these tools and no others."""
        folder = self.work / "only"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for tool in tools:
            (folder / tool).symlink_to(shutil.which(tool) or "/nonexistent")
        return {"PATH": str(folder)}

    def instead(self, **tools: str) -> dict[str, str]:
        """An environment in which these tools are shell scripts with this text; "_" in a name stands for "-"."""
        folder = self.work / "instead"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for tool, text in tools.items():
            path = folder / tool.replace("_", "-")
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)
        return {"PATH": f"{folder}:{os.environ['PATH']}"}
