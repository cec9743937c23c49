# SPDX-License-Identifier: Apache-2.0
"""A study: a file in TOML that says which runs there are, and the points that these are. doc/use/sweep.md

A point is one command line. It is known by a key: the sum of its words, of every file among them, and of the program. So a file that
has moved is the same, and a file or a program that has changed makes other points.
"""
from __future__ import annotations

import glob
import hashlib
import itertools
import json
import math
import operator
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

if sys.version_info < (3, 11):
    sys.exit("ballast: sweeps need Python 3.11 or later, which reads TOML")
import tomllib  # noqa: E402

from tools import Failure  # noqa: E402

USAGE, BAD = 2, 3  # exit statuses: of a wrong command line; of a file that is not what it should be
MARK = operator.attrgetter("st_mtime_ns", "st_size", "st_ino")
HOLE = re.compile(r"\{(\w+)\}")
OUT = "out"  # {out}: the folder of a point, which is empty when it begins
MOST_POINTS = 1_000_000  # of a study: more are several studies (doc/use/sweep.md)
ROOT = Path(__file__).resolve().parents[2]  # of the source tree, or PREFIX/share/ballast

OF_BOTH = {"seconds": (int, float), "depends": (list,), "axes": (dict,)}  # keys, and the types of their values
OF_STUDY = {"name": (str,), "retries": (int,), "grid": (list,)} | OF_BOTH
OF_GRID = {"command": (list,), "except": (list,), "only": (list,), "table": (str,)} | OF_BOTH
Axis = list[tuple[object, list[str]]]  # of each value what it is called, and the words that it puts into the command


class Point(NamedTuple):
    key: str
    words: list[str]  # {out} is left in them
    labels: dict[str, object]
    table: str  # "-": what it prints; a pattern of files in {out}; "" it has none
    seconds: float
    files: list[str]  # what the key is the sum of, besides the words

    def __str__(self) -> str:
        return shlex.join(self.words)


class Files(dict[str, tuple[str, tuple[int, ...]]]):
    """Of each file its sum, read once, and what differs when it has changed since."""

    def __missing__(self, path: str) -> tuple[str, tuple[int, ...]]:
        mark = MARK(os.stat(path))
        with open(path, "rb") as file:
            return self.setdefault(path, (hashlib.file_digest(file, "sha256").hexdigest(), mark))

    def unchanged(self, paths: list[str]) -> None:
        for path in paths:
            want(MARK(os.stat(path)) == self[path][1],
                 f"{path}: has changed while the sweep ran; what was done before is stored, the same command goes on with what it is now")


def want(true: object, why: str, status: int = BAD) -> None:
    if not true:
        raise Failure(why, status)


@contextmanager
def told(where: object, *others: type[Exception]) -> Iterator[None]:
    try:
        yield
    except (Failure, *others) as error:
        raise Failure(f"{where}: {error}", BAD) from None


def is_a(value: object, *kinds: type) -> bool:
    return isinstance(value, kinds) and not isinstance(value, bool)  # True is no number


def check(table: object, known: dict[str, tuple[type, ...]], *needed: str) -> None:
    want(isinstance(table, dict), "wants a table")
    for name, value in table.items():
        want(name in known, f"no key '{name}' is known; there are {', '.join(known)}")
        want(is_a(value, *known[name]), f"{name} wants {'|'.join(kind.__name__ for kind in known[name])}, not {value!r:.60}")
    for name in needed:
        want(table.get(name), f"{name} is missing or empty")


def as_list(value: object) -> list[object]:
    """A scalar is one word; a list is several, or none."""
    return value if isinstance(value, list) else [value]


def words(value: object) -> list[str]:
    want(all(is_a(one, str, int, float) for one in as_list(value)), f"{value!r:.60} is no text or number")
    return [f"{one:.12g}" if isinstance(one, float) else str(one) for one in as_list(value)]


def steps(first: float, last: float, step: float) -> Iterator[tuple[float, float]]:
    count = int((last - first) / step + 1 + 1e-9) if step > 0 else 0
    want(1 <= count <= MOST_POINTS, f"from {first} to {last} in steps of {step} are no values, or too many")
    for value in (first + at * step for at in range(count)):
        yield (float(f"{value:.12g}") if isinstance(value, float) else value,) * 2


def fill(word: str, of: dict[str, list[str]]) -> list[str]:
    """The word with values in its holes. One that is a hole and nothing else may become several words, or none."""
    def single(hole: re.Match[str]) -> str:
        value = of.get(hole[1], [hole[0]])
        want(len(value) == 1, f"'{word}': a value of axis '{hole[1]}' is not one word, so the word has to be {hole[0]} alone")
        return value[0]
    hole = HOLE.fullmatch(word)
    return of[hole[1]] if hole and hole[1] in of else [HOLE.sub(single, word)]


def any_holds(rules: list[dict[str, object]], labels: dict[str, object]) -> bool:
    return any(all(labels[name] in as_list(values) for name, values in rule.items()) for rule in rules)


def below(path: str) -> list[str]:
    """The file, or all files of a folder."""
    return sorted(str(one) for one in Path(path).rglob("*") if one.is_file()) if os.path.isdir(path) else [path]


class Study:
    """One study file. Every mistake in it is a Failure that names the file and the place."""

    def __init__(self, path: Path, ballast: str):
        self.folder, self.ballast, self.files = path.resolve().parent, ballast, Files()
        self.resolved: dict[str, list[tuple[str, str, str]]] = {}
        self.points: dict[str, Point] = {}
        with told(path), path.open("rb") as file:
            with told("no TOML", ValueError):
                text = tomllib.load(file)
            check(text, OF_STUDY, "name", "grid")
            self.name, self.retries = text["name"], text.get("retries", 0)
            want(0 <= self.retries <= 100, "retries: wants a number from 0 to 100")
            for number, grid in enumerate(text["grid"], 1):
                with told(f"grid {number}"):
                    check(grid, OF_GRID, "command")
                    for point in self.grid(grid, text):
                        want(point.key not in self.points, f"this command is there twice: {point}")
                        self.points[point.key] = point
            for name in set(text.get("axes", {})) - set(HOLE.findall(str(text["grid"]))):
                raise Failure(f"axis '{name}': no command has it")
            want(self.points, "the filters leave no point")

    def parts(self, word: str) -> list[tuple[str, str, str]]:
        """What a word stands for: of a file what is before it ('--x='), its path, what is after it (':OPTIONS'); else ("", word, "")."""
        if word not in self.resolved:
            before, path, after = re.fullmatch(r"(--[\w-]+=)?([^:]*)(.*)", word, re.S).groups()
            found, may_be = [], re.search(r"[/.*]", path) and "{" not in path
            for folder in (self.folder, ROOT) if may_be else ():
                found = found or sorted(glob.glob(os.path.join(glob.escape(str(folder)), path.replace("[", "[[]")), recursive=True))
            want(found or not may_be or not re.search(r"[*?]|[^/]/[^/]*\.\w+$", path),
                 f"there is no file {path}, neither beside the study nor in {ROOT}")
            self.resolved[word] = [(before or "", os.path.realpath(one), after) for one in found] or [("", word, "")]
        return self.resolved[word]

    def axis(self, of: object) -> Axis:
        match of:
            case list():
                values = zip(of, of, strict=True)
            case {"files": str(pattern)} if len(of) == 1:
                values = [(Path(path).stem, path) for _, path, _ in self.parts(pattern)]
            case {"from": first, "to": last, **more} if set(more) <= {"step"} and all(is_a(one, int, float) for one in of.values()):
                values = steps(first, last, of.get("step", 1))
            case dict() if not {"files", "from", "to", "step"} & set(of):
                values = of.items()
            case _:
                raise Failure("wants a list of words, {from, to, step} with numbers, {files = PATTERN}, or a table of names")
        axis = [(name, words(value)) for name, value in values]
        names = {name for name, _ in axis if is_a(name, str, int, float)}
        want(axis and len(names) == len(axis), "wants values, each of them once, and single words")
        return axis

    def axes(self, command: list[str], own: dict[str, object], shared: dict[str, object]) -> dict[str, Axis]:
        """Those that the command names: its own, and those of the study that it has no other of."""
        holes = {hole for word in command for hole in HOLE.findall(word)}
        axes = {}
        for name, of in ({name: of for name, of in shared.items() if name in holes} | own).items():
            with told(f"axis '{name}'"):
                axes[name] = self.axis(of)
        for name in sorted((holes - {OUT}) ^ set(axes)):
            raise Failure(f"there is no axis '{name}'" if name in holes - {OUT} else f"the command has no {{{name}}} that could be an axis")
        want(math.prod(map(len, axes.values())) <= MOST_POINTS, f"more than {MOST_POINTS} points, which are several studies")
        return axes

    def grid(self, grid: dict[str, object], study: dict[str, object]) -> Iterator[Point]:
        command = words(grid["command"])
        axes = self.axes(command, grid.get("axes", {}), study.get("axes", {}))
        leave, keep = (grid.get(key, []) for key in ("except", "only"))
        want(all(isinstance(rule, dict) for rule in [*leave, *keep]), "a filter wants tables such as {axis = value}")
        for name, value in ((name, value) for rule in [*leave, *keep] for name, values in rule.items() for value in as_list(values)):
            want(any(value == label for label, _ in axes.get(name, [])), f"a filter: axis '{name}' has no value {value}")
        seconds = float(grid.get("seconds", study.get("seconds", 600)))
        want(seconds > 0, "seconds: wants a number above 0")
        depends = words([*study.get("depends", []), *grid.get("depends", [])])
        depends = [file for word in depends for _, path, _ in self.parts(word) for file in below(path)]
        for values in itertools.product(*axes.values()):
            labels = {name: label for name, (label, _) in zip(axes, values, strict=True)}
            if not any_holds(leave, labels) and (not keep or any_holds(keep, labels)):
                of = {name: inside for name, (_, inside) in zip(axes, values, strict=True)}
                yield self.point([one for word in command for one in fill(word, of)], labels, grid.get("table", "-"), seconds, depends)

    def point(self, filled: list[str], labels: dict[str, object], table: str, seconds: float, depends: list[str]) -> Point:
        """The words with files found, and the key of all that the result hangs on."""
        found, known, files = [], [], [self.ballast, *depends]
        for before, text, after in (part for word in filled for part in self.parts(word)):
            found.append(f"{before}{text}{after}")
            if os.path.isabs(text) and os.path.exists(text):
                files += (inside := below(text))
                known.append([before, after, *([os.path.relpath(one, os.path.dirname(text)), self.files[one][0]] for one in inside)])
            else:
                known.append(found[-1])
        sums = json.dumps([known, table, [self.files[path][0] for path in (self.ballast, *depends)]])
        program = "python3" if found and found[0].endswith(".py") else self.ballast
        return Point(hashlib.sha256(sums.encode()).hexdigest()[:32], [program, *found], labels, table, seconds, list(dict.fromkeys(files)))
