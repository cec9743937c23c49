# SPDX-License-Identifier: Apache-2.0
"""Tools that fail, one call at a time: what does a flow make of it? Used by the tests of the flows.

A first run goes as it should and shows which tools are called, how often: these are the places where an answer is read. Then each
call fails in each way, in runs of their own, in the same folder, so that files of the run before lie about. After each run the
test says whether the flow took the failure for an answer.

  killed   does nothing and is killed          late     does its work and is killed then
  error    does nothing, exit status 3         silent   does nothing, exit status 0
  empty    its files and its words are empty   half     they are cut off in the middle
  word     says something else: a word that nobody knows in the place of the one that counts
  hangs    never ends

`missing`, a tool that is not there, is a way of its own: for all calls at once.
"""
from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

WAYS = ("killed", "late", "error", "silent", "empty", "half", "word")
WORDS = {"UNSATISFIABLE": "UNSATISFIED", "are equivalent": "are equal", " patterns": " samples", " pass ": " passes "}

# What stands in a tool's place. It notes each call. A shell, since nearly all calls only go on to the tool: Python takes thirty times as long
# to start.
STAND_IN = '''#!/bin/sh
echo {tool} >>'{home}/calls'
number=0
while read -r called; do
    [ "$called" != {tool} ] || number=$((number + 1))
done <'{home}/calls'
read -r failing <'{home}/fails'
[ "$failing" = "{tool} $number" ] || exec '{real}' "$@"
exec '{python}' '{home}/fail.py' '{real}' "$@"
'''

# The call that is to fail: it leaves a file `failed` when that changed anything.
FAIL = '''import json, os, pathlib, subprocess, sys, time
home = pathlib.Path(__file__).parent
plan = json.loads((home / "plan").read_text())
command = sys.argv[1:]
way, start = plan["way"], time.time_ns()
if way in ("killed", "error", "silent", "hangs"):
    (home / "failed").touch()
    if way == "hangs":
        time.sleep(3600)
    if way == "killed":
        os.kill(os.getpid(), 9)
    sys.exit(3 if way == "error" else 0)
time.sleep(0.02)  # so that its files are newer
ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
said = ended.stdout
files = [path for path in pathlib.Path(plan["folder"]).rglob("*") if path.is_file() and path.stat().st_mtime_ns > start
         and path.suffix != ".log"]
if way in ("empty", "half"):
    for path in files:
        whole = path.read_bytes()
        os.chmod(path, 0o755)
        path.write_bytes(whole[:len(whole) // 2] if way == "half" else b"")
    said = said[:len(said) // 2] if way == "half" else ""
if way == "word":
    for word, other in plan["words"].items():
        said = said.replace(word, other)
if way == "late" or said != ended.stdout or (files and way in ("empty", "half")):
    (home / "failed").touch()
sys.stdout.write(said)
sys.stdout.flush()
if way == "late":
    os.kill(os.getpid(), 9)
sys.exit(ended.returncode)
'''


@dataclass(frozen=True)
class Call:
    """The n-th call of a tool."""

    tool: str
    number: int

    def __str__(self) -> str:
        return f"{self.tool}, call {self.number}"


def real(tool: str) -> str:
    """Where a tool is; not ccache, which would look for the tool on PATH again and find the stand-in."""
    folders = [folder for folder in os.environ["PATH"].split(":") if "ccache" not in folder]
    return shutil.which(tool, path=":".join(folders)) or ""


class Failing:
    """Stand-ins for `tools` (names, and where they are) in `home`; `folder` is where the flow writes."""

    def __init__(self, home: Path, folder: Path, tools: dict[str, str]):
        self.home, self.folder = home, folder
        shutil.rmtree(home, ignore_errors=True)
        (home / "bin").mkdir(parents=True)
        for name, real in tools.items():
            path = home / "bin" / name
            path.write_text(STAND_IN.format(python=sys.executable, home=home.resolve(), tool=name, real=real))
            path.chmod(0o755)
        (home / "fail.py").write_text(FAIL)

    @contextmanager
    def plan(self, call: Call | None, way: str = "") -> Iterator[None]:
        """PATH has the stand-ins; the call fails this way, or none does."""
        (self.home / "plan").write_text(json.dumps({"way": way, "words": WORDS, "folder": str(self.folder)}))
        (self.home / "fails").write_text(f"{call.tool} {call.number}\n" if call else "none\n")
        for old in ("calls", "failed"):
            (self.home / old).unlink(missing_ok=True)
        before = os.environ["PATH"]
        os.environ["PATH"] = f"{self.home / 'bin'}:{before}"
        try:
            yield
        finally:
            os.environ["PATH"] = before

    @property
    def failed(self) -> bool:
        """Whether the call came, and what it did was not what it should."""
        return (self.home / "failed").is_file()

    def calls(self) -> list[Call]:
        """Of the run before."""
        file = self.home / "calls"
        seen = file.read_text().splitlines() if file.is_file() else []
        return [Call(tool, seen[:at + 1].count(tool)) for at, tool in enumerate(seen)]


def combinations(calls: list[Call], every: bool, ways: tuple[str, ...] = WAYS) -> Iterator[tuple[Call, str]]:
    """Each call with each way; not `every`: with one way per call, in turn, and each tool's first call with each way."""
    for at, call in enumerate(calls):
        for number, way in enumerate(ways):
            if every or call.number == 1 or at % len(ways) == number:
                yield call, way
