# SPDX-License-Identifier: Apache-2.0
"""A study: a file in TOML that says which runs there are, and the points that these are. doc/use/sweep.md

A point is one command line. It is known by a key: the sum of its words, of every file among them, and of the program. So a file that has moved is the same,
and a file or a program that has changed makes other points.
"""
from __future__ import annotations

import glob
import hashlib
import itertools
import json
import math
import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

if sys.version_info < (3, 11):
    sys.exit("ballast: sweeps need Python 3.11 or later, which reads TOML")
import tomllib  # noqa: E402

from tools import Failure  # noqa: E402

BAD = 3  # exit status: a file is not what it should be
HOLE = re.compile(r"\{(\w+)\}")
OUT = "out"  # {out}: the folder of a point, which is empty when it begins
MOST_POINTS = 1_000_000  # of a study: more are several studies (doc/use/sweep.md)
ROOT = Path(__file__).resolve().parents[2]  # of the source tree, or PREFIX/share/ballast

OF_BOTH = {"seconds": (int, float), "depends": (list,), "axes": (dict,)}  # keys, and the types of their values
OF_STUDY = {"name": (str,), "retries": (int,), "grid": (list,)} | OF_BOTH
OF_GRID = {"command": (list,), "except": (list,), "only": (list,), "table": (str,)} | OF_BOTH
Axes = dict[str, list[tuple[object, list[str]]]]  # of an axis its values: what it is called, and the words that it puts into the command


class Point(NamedTuple):
    key: str
    words: list[str]  # {out} is left in them
    labels: dict[str, object]
    table: str  # "-": what it prints; a pattern of files in {out}; "" it has none
    seconds: float
    files: list[str]  # what the key is the sum of, besides the words

    def __str__(self) -> str:
        return shlex.join(self.words)


class Files:
    """Their sums, each read once; and whether one has changed since."""

    def __init__(self) -> None:
        self.sums: dict[str, str] = {}
        self.seen: dict[str, tuple[int, ...]] = {}

    def mark(self, path: str) -> tuple[int, ...]:
        """What differs when the file has changed."""
        found = os.stat(path)
        return found.st_mtime_ns, found.st_size, found.st_ino

    def of(self, path: str) -> str:
        if path not in self.sums:
            try:
                self.seen[path] = self.mark(path)
                with open(path, "rb") as file:
                    self.sums[path] = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError as error:
                raise Failure(f"{path}: {error.strerror}", BAD) from None
        return self.sums[path]

    def unchanged(self, paths: list[str]) -> None:
        if path := next((path for path in paths if not os.path.exists(path) or self.mark(path) != self.seen[path]), ""):
            raise Failure(f"{path}: has changed while the sweep ran; what was done before is stored, the same command goes on with what it is now", BAD)


def is_a(value: object, kinds: tuple[type, ...]) -> bool:
    """True is no number."""
    return isinstance(value, kinds) and not isinstance(value, bool)


def below(path: str) -> list[str]:
    """The file, or all files of a folder."""
    return sorted(str(one) for one in Path(path).rglob("*") if one.is_file()) if os.path.isdir(path) else [path]


class Study:
    """One study file. Every mistake in it is a Failure that names the file and the place."""

    def __init__(self, path: Path, ballast: str):
        self.path, self.ballast, self.files = path, ballast, Files()
        self.resolved: dict[str, list[tuple[str, str, str]]] = {}
        try:
            self.text = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise Failure(f"{path}: {error.strerror}", BAD) from None
        except ValueError as error:
            raise Failure(f"{path}: no TOML: {error}", BAD) from None
        self.check(self.text, OF_STUDY, "", ("name", "grid"))
        self.name, self.retries = self.text["name"], self.text.get("retries", 0)
        self.want(re.fullmatch(r"[\w.-]{1,64}", self.name), f"name '{self.name}': wants letters, digits, '.', '_' and '-'")
        self.want(0 <= self.retries <= 100, "retries: wants a number from 0 to 100")
        self.unused = set(self.text.get("axes", {}))
        self.points: dict[str, Point] = {}
        for number, grid in enumerate(self.text["grid"], 1):
            for point in self.grid(grid, f"grid {number}: "):
                self.want(point.key not in self.points, f"grid {number}: this command is there twice: {point}")
                self.points[point.key] = point
        self.want(not self.unused, f"axis '{min(self.unused, default='')}': no command has {{{min(self.unused, default='')}}}")
        self.want(self.points, "the filters leave no point")

    def want(self, true: object, text: str) -> None:
        if not true:
            raise Failure(f"{self.path}: {text}", BAD)

    def check(self, table: object, known: dict[str, tuple[type, ...]], where: str, needed: tuple[str, ...]) -> None:
        self.want(isinstance(table, dict), f"{where}wants a table")
        for name, value in table.items():
            self.want(name in known, f"{where}no key '{name}' is known; there are {', '.join(known)}")
            self.want(is_a(value, known[name]), f"{where}{name} wants {'|'.join(kind.__name__ for kind in known[name])}, not {value!r:.60}")
        for name in needed:
            self.want(table.get(name), f"{where}{name} is missing or empty")

    # ---- axes ----------------------------------------------------------------------------

    def words(self, value: object, where: str) -> list[str]:
        """A scalar is one word; a list is several, or none."""
        if is_a(value, (list,)) and not any(is_a(one, (list,)) for one in value):
            return [word for one in value for word in self.words(one, where)]
        self.want(is_a(value, (str, int, float)), f"{where}: {value!r:.60} is no text or number")
        return [f"{value:.12g}" if isinstance(value, float) else str(value)]

    def steps(self, of: dict[str, object], where: str) -> list[object]:
        self.want({"from", "to"} <= set(of) <= {"from", "to", "step"} and all(is_a(value, (int, float)) for value in of.values()),
                  f"{where}: a range has the numbers from, to and perhaps step")
        first, last, step = of["from"], of["to"], of.get("step", 1)
        count = int((last - first) / step + 1 + 1e-9) if step > 0 else 0
        self.want(1 <= count <= MOST_POINTS, f"{where}: from {first} to {last} in steps of {step} are no values, or too many")
        return [float(f"{first + i * step:.12g}") if isinstance(first + step, float) else first + i * step for i in range(count)]

    def files_of(self, of: dict[str, object], where: str) -> dict[str, str]:
        """By their names without folder and ending."""
        self.want(set(of) == {"files"} and is_a(of["files"], (str,)), f"{where}: 'files' is one pattern, and stands alone")
        paths = [text for _, text, _ in self.parts(of["files"], where)]
        named = {Path(path).stem: path for path in paths}
        self.want(len(named) == len(paths), f"{where}: two of the files have the same name")
        return named

    def axis(self, of: object, where: str) -> list[tuple[object, list[str]]]:
        if is_a(of, (dict,)) and {"from", "to", "step"} & set(of):
            of = self.steps(of, where)
        elif is_a(of, (dict,)) and "files" in of:
            of = self.files_of(of, where)
        single = is_a(of, (list,)) and not any(is_a(value, (list,)) for value in of)
        self.want(single or is_a(of, (dict,)), f"{where}: wants a list of single words, a range, or a table of names")
        values = [(name, self.words(value, where)) for name, value in (zip(of, of, strict=True) if single else of.items())]
        self.want(values, f"{where}: has no value")
        [(name, count)] = Counter(str(name) for name, _ in values).most_common(1)
        self.want(count == 1, f"{where}: has the value {name} twice")
        return values

    def axes(self, grid: dict[str, object], command: list[str], where: str) -> Axes:
        """Those that the command names: its own, and those of the study that it has no other of."""
        holes = {hole for word in command for hole in HOLE.findall(word)}
        shared = {name: of for name, of in self.text.get("axes", {}).items() if name in holes}
        self.unused -= set(shared)
        axes = {name: self.axis(of, f"{where}axis '{name}'") for name, of in (shared | grid.get("axes", {})).items()}
        self.want(OUT not in axes, f"{where}axis '{OUT}': {{{OUT}}} is the folder of a point; give it another name")
        for name in sorted((holes - {OUT}) ^ set(axes)):
            self.want(False, f"{where}{f'the command has no {{{name}}}' if name in axes else f'there is no axis {name!r}'}")
        for word, hole in ((word, hole) for word in command for hole in HOLE.findall(word) if hole != OUT and word != f"{{{hole}}}"):
            self.want(all(len(words) == 1 for _, words in axes[hole]),
                      f"{where}'{word}': a value of axis '{hole}' is not one word, so the word has to be {{{hole}}} alone")
        self.want(math.prod(map(len, axes.values())) <= MOST_POINTS, f"{where}more than {MOST_POINTS} points, which are several studies")
        return axes

    def filters(self, rules: list[object], axes: Axes, where: str) -> list[dict[str, set[str]]]:
        """Of each rule the values of its axes, as text."""
        found = []
        for rule in rules:
            self.want(rule and is_a(rule, (dict,)), f"{where}: wants tables such as {{axis = value}}")
            found.append({name: {str(value) for value in (values if is_a(values, (list,)) else [values])} for name, values in rule.items()})
            for name, values in found[-1].items():
                self.want(name in axes, f"{where}: there is no axis '{name}'")
                unknown = sorted(values - {str(label) for label, _ in axes[name]})
                self.want(not unknown, f"{where}: axis '{name}' has no value {', '.join(unknown)}")
        return found

    # ---- points --------------------------------------------------------------------------

    def parts(self, word: str, where: str) -> list[tuple[str, str, str]]:
        """What the word stands for: of a file what is before it in the word ('--x='), its path, what is after it (':OPTIONS'); else ("", word, "")."""
        if word not in self.resolved:
            before, path, after = re.fullmatch(r"(--[\w-]+=)?([^:]*)(.*)", word, re.S).groups()
            found, may_be = [], re.search(r"[/.*]", path) and "{" not in path
            for folder in (self.path.resolve().parent, ROOT) if may_be else ():
                found = found or sorted(glob.glob(os.path.join(glob.escape(str(folder)), path.replace("[", "[[]")), recursive=True))
            self.want(found or not may_be or not re.search(r"[*?]|[^/]/[^/]*\.\w+$", path), f"{where}: there is no file {path}, neither beside the study nor in {ROOT}")
            self.resolved[word] = [(before or "", os.path.realpath(one), after) for one in found] or [("", word, "")]
        return self.resolved[word]

    def point(self, words: list[str], labels: dict[str, object], seconds: float, table: str, depends: list[str], where: str) -> Point:
        """The words with files found, and the key of all that the result hangs on."""
        found, known, files = [], [], [self.ballast, *depends]
        for before, text, after in (part for word in words for part in self.parts(word, where)):
            found.append(f"{before}{text}{after}")
            if os.path.isabs(text) and os.path.exists(text):
                files += (inside := below(text))
                known.append([before, after, *([os.path.relpath(one, os.path.dirname(text)), self.files.of(one)] for one in inside)])
            else:
                known.append(found[-1])
        sums = json.dumps([known, table, [self.files.of(path) for path in (self.ballast, *depends)]])
        program = "python3" if found and found[0].endswith(".py") else self.ballast
        return Point(hashlib.sha256(sums.encode()).hexdigest()[:32], [program, *found], labels, table, seconds, list(dict.fromkeys(files)))

    def grid(self, grid: dict[str, object], where: str) -> Iterator[Point]:
        self.check(grid, OF_GRID, where, ("command",))
        command = self.words(grid["command"], f"{where}command")
        axes = self.axes(grid, command, where)
        leave, keep = (self.filters(grid.get(key, []), axes, f"{where}{key}") for key in ("except", "only"))
        seconds = float(grid.get("seconds", self.text.get("seconds", 600)))
        self.want(0 < seconds < 1e7, f"{where}seconds: wants a number from 0 to 10000000")
        named = self.words([*self.text.get("depends", []), *grid.get("depends", [])], f"{where}depends")
        depends = [file for word in named for _, path, _ in self.parts(word, f"{where}depends") for file in below(path)]
        for values in itertools.product(*axes.values()):
            labels = {name: label for name, (label, _) in zip(axes, values, strict=True)}
            left, kept = (any(all(str(labels[name]) in some for name, some in rule.items()) for rule in rules) for rules in (leave, keep))
            if left or keep and not kept:
                continue
            of = {f"{{{name}}}": words for name, (_, words) in zip(axes, values, strict=True)}
            filled = [one for word in command for one in (of[word] if word in of else [HOLE.sub(lambda hole: of.get(hole[0], [hole[0]])[0], word)])]
            yield self.point(filled, labels, seconds, grid.get("table", "-"), depends, f"{where}command")
