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
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

if sys.version_info < (3, 11):
    sys.exit("ballast: sweeps need Python 3.11 or later, which reads TOML")
import tomllib  # noqa: E402

from tools import Failure  # noqa: E402

BAD = 3  # exit status: a file is not what it should be
HOLE = re.compile(r"\{(\w+)\}")
OUT = "out"  # {out}: the folder of a point, which is empty when it begins
MOST_POINTS = 1_000_000  # of a study: more are several studies (doc/use/sweep.md)
ROOT = Path(__file__).resolve().parents[2]  # of the source tree, or PREFIX/share/ballast

Axes = dict[str, list[tuple[object, list[str]]]]  # of an axis its values: what it is called, and the words that it puts into the command


@dataclass(frozen=True)
class Point:
    key: str
    words: tuple[str, ...]  # {out} is left in them
    labels: dict[str, object]
    table: str  # "-": what it prints; a pattern of files in {out}; "" it has none
    seconds: float
    files: tuple[str, ...] = field(compare=False)  # what the key is the sum of, besides the words


class Files:
    """Their sums, each read once; and whether one has changed since."""

    def __init__(self) -> None:
        self.sums: dict[str, str] = {}
        self.seen: dict[str, tuple[int, int, int]] = {}

    def of(self, path: str) -> str:
        if path not in self.sums:
            try:
                self.seen[path] = self._mark(path)
                with open(path, "rb") as file:
                    self.sums[path] = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError as error:
                raise Failure(f"{path}: {error.strerror}", BAD) from None
        return self.sums[path]

    @staticmethod
    def _mark(path: str) -> tuple[int, int, int]:
        found = os.stat(path)
        return found.st_mtime_ns, found.st_size, found.st_ino

    def changed(self, paths: tuple[str, ...]) -> str:
        """The first that is not what it was; "" if all are."""
        for path in paths:
            try:
                if self._mark(path) != self.seen[path]:
                    return path
            except OSError:
                return path
        return ""


class Reader:
    """One study file. Every mistake in it is a Failure that names the file and the place."""

    def __init__(self, path: Path, ballast: str):
        self.path, self.ballast, self.files = path, ballast, Files()
        self.resolved: dict[str, list[tuple[str, str, str]]] = {}
        try:
            with path.open("rb") as file:
                self.text = tomllib.load(file)
        except OSError as error:
            raise Failure(f"{path}: {error.strerror}", BAD) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise self.wrong(f"no TOML: {error}") from None
        self.check(self.text, {"name": str, "seconds": (int, float), "retries": int, "depends": list, "axes": dict, "grid": list}, "", ("name", "grid"))
        self.name, self.used = self.text["name"], set()
        if not re.fullmatch(r"[\w.-]{1,64}", self.name):
            raise self.wrong(f"name '{self.name}': wants letters, digits, '.', '_' and '-'")
        self.retries = self.text.get("retries", 0)
        if not 0 <= self.retries <= 100:
            raise self.wrong("retries: wants a number from 0 to 100")

    def wrong(self, text: str) -> Failure:
        return Failure(f"{self.path}: {text}", BAD)

    def check(self, table: object, known: dict[str, type | tuple[type, ...]], where: str, needed: tuple[str, ...]) -> None:
        if not isinstance(table, dict):
            raise self.wrong(f"{where}wants a table")
        for name, value in table.items():
            if name not in known:
                raise self.wrong(f"{where}no key '{name}' is known; there are {', '.join(known)}")
            if not isinstance(value, known[name]) or isinstance(value, bool):
                kinds = known[name] if isinstance(known[name], tuple) else (known[name],)
                raise self.wrong(f"{where}{name} wants {'|'.join(kind.__name__ for kind in kinds)}, not {value!r:.60}")
        for name in needed:
            if not table.get(name):
                raise self.wrong(f"{where}{name} is missing or empty")

    # ---- axes ----------------------------------------------------------------------------

    def words(self, value: object, where: str) -> list[str]:
        """A scalar is one word; a list is several, or none."""
        if isinstance(value, list) and not any(isinstance(one, list) for one in value):
            return [word for one in value for word in self.words(one, where)]
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self.wrong(f"{where}: {value!r:.60} is no text or number")
        return [value if isinstance(value, str) else f"{value:.12g}" if isinstance(value, float) else str(value)]

    def steps(self, of: dict[str, object], where: str) -> list[object]:
        if not {"from", "to"} <= set(of) <= {"from", "to", "step"} or any(isinstance(v, bool) or not isinstance(v, int | float) for v in of.values()):
            raise self.wrong(f"{where}: a range has the numbers from, to and perhaps step")
        first, last, step = of["from"], of["to"], of.get("step", 1)
        count = int((last - first) / step + 1 + 1e-9) if step > 0 else 0
        if count < 1 or count > MOST_POINTS:
            raise self.wrong(f"{where}: from {first} to {last} in steps of {step} are no values, or too many")
        return [float(f"{first + i * step:.12g}") if isinstance(first + step, float) else first + i * step for i in range(count)]

    def axis(self, of: object, where: str) -> list[tuple[object, list[str]]]:
        if isinstance(of, dict) and {"from", "to", "step"} & set(of):
            of = self.steps(of, where)
        if isinstance(of, dict) and "files" in of:
            if set(of) != {"files"} or not isinstance(of["files"], str):
                raise self.wrong(f"{where}: 'files' is one pattern, and stands alone")
            paths = [text for _, text, _ in self.parts(of["files"], where)]
            of = {Path(path).name.removesuffix(Path(path).suffix): path for path in paths}
            if len(of) != len(paths):
                raise self.wrong(f"{where}: two of the files have the same name")
        if isinstance(of, dict):
            values = [(name, self.words(value, where)) for name, value in of.items()]
        elif isinstance(of, list) and not any(isinstance(value, list) for value in of):
            values = [(value, self.words(value, where)) for value in of]
        else:
            raise self.wrong(f"{where}: wants a list of single words, a range, or a table of names")
        names = [str(name) for name, _ in values]
        if not values:
            raise self.wrong(f"{where}: has no value")
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise self.wrong(f"{where}: has the value {twice} twice")
        return values

    # ---- words that are files --------------------------------------------------------------

    def parts(self, word: str, where: str) -> list[tuple[str, str, str]]:
        """What the word stands for: of a file what is before it in the word ('--x='), its path, what is after it (':OPTIONS'); else ("", word, "")."""
        if word not in self.resolved:
            before, path, after = re.fullmatch(r"(--[\w-]+=)?([^:]*)(.*)", word, re.S).groups()
            found, may_be = [], re.search(r"[/.*]", path) and "{" not in path
            for folder in (self.path.resolve().parent, ROOT) if may_be else ():
                found = found or sorted(glob.glob(os.path.join(glob.escape(str(folder)), path.replace("[", "[[]")), recursive=True))
            if not found and may_be and (re.search(r"[*?]", path) or re.search(r"[^/]/[^/]*\.\w+$", path)):
                raise self.wrong(f"{where}: there is no file {path}, neither beside the study nor in {ROOT}")
            self.resolved[word] = [(before or "", os.path.realpath(one), after) for one in found] or [("", word, "")]
        return self.resolved[word]

    def below(self, path: str) -> list[str]:
        """The file, or all files of a folder."""
        return sorted(str(one) for one in Path(path).rglob("*") if one.is_file()) if os.path.isdir(path) else [path]

    def settle(self, words: list[str], depends: tuple[str, ...], table: str, where: str) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
        """The words with files found, the key, the files."""
        shown, known, files = [], [], [self.ballast, *depends]
        for word in words:
            for before, text, after in self.parts(word, where):
                shown.append(f"{before}{text}{after}")
                if os.path.isabs(text) and os.path.exists(text):
                    inside = self.below(text)
                    files += inside
                    known.append([before, after, *([os.path.relpath(one, os.path.dirname(text)), self.files.of(one)] for one in inside)])
                else:
                    known.append(shown[-1])
        text = json.dumps([known, table, [self.files.of(path) for path in (self.ballast, *depends)]])
        return tuple(shown), hashlib.sha256(text.encode()).hexdigest()[:32], tuple(dict.fromkeys(files))

    # ---- the points ------------------------------------------------------------------------

    def depends(self, of: list[object], where: str) -> tuple[str, ...]:
        return tuple(file for word in self.words(of, where) for _, path, _ in self.parts(word, where) for file in self.below(path))

    def filters(self, grid: dict[str, object], key: str, axes: Axes, where: str) -> list[dict[str, set[str]]]:
        rules = []
        for rule in grid.get(key, []):
            if not isinstance(rule, dict) or not rule:
                raise self.wrong(f"{where}{key}: wants tables such as {{axis = value}}")
            rules.append({})
            for name, values in rule.items():
                if name not in axes:
                    raise self.wrong(f"{where}{key}: there is no axis '{name}'")
                rules[-1][name] = {str(value) for value in (values if isinstance(values, list) else [values])}
                if unknown := rules[-1][name] - {str(label) for label, _ in axes[name]}:
                    raise self.wrong(f"{where}{key}: axis '{name}' has no value {sorted(unknown)[0]}")
        return rules

    @staticmethod
    def fits(labels: dict[str, object], rules: list[dict[str, set[str]]]) -> bool:
        return any(all(str(labels[name]) in some for name, some in rule.items()) for rule in rules)

    def grid(self, grid: dict[str, object], number: int) -> Iterator[Point]:
        where = f"grid {number}: "
        self.check(grid, {"command": list, "axes": dict, "except": list, "only": list, "table": str, "seconds": (int, float), "depends": list}, where, ("command",))
        command = self.words(grid["command"], f"{where}command")
        holes = {hole for word in command for hole in HOLE.findall(word)}
        shared = {name: of for name, of in self.text.get("axes", {}).items() if name in holes}  # of all grids that name it and have no other
        axes = {name: self.axis(of, f"{where}axis '{name}'") for name, of in (shared | grid.get("axes", {})).items()}
        self.used |= set(shared)
        if OUT in axes:
            raise self.wrong(f"{where}axis '{OUT}': {{{OUT}}} is the folder of a point; give it another name")
        for name in sorted((holes - {OUT}) ^ set(axes)):
            raise self.wrong(f"{where}{f'the command has no {{{name}}}' if name in axes else f'there is no axis {name!r}'}")
        for word in command:
            for hole in HOLE.findall(word):
                if hole != OUT and word != f"{{{hole}}}" and any(len(words) != 1 for _, words in axes[hole]):
                    raise self.wrong(f"{where}'{word}': a value of axis '{hole}' is not one word, so the word has to be {{{hole}}} alone")
        if math.prod(len(values) for values in axes.values()) > MOST_POINTS:
            raise self.wrong(f"{where}more than {MOST_POINTS} points, which are several studies")
        leave, keep = (self.filters(grid, key, axes, where) for key in ("except", "only"))
        seconds = float(grid.get("seconds", self.text.get("seconds", 600)))
        if not 0 < seconds < 1e7:
            raise self.wrong(f"{where}seconds: wants a number from 0 to 10000000")
        depends = self.depends([*self.text.get("depends", []), *grid.get("depends", [])], f"{where}depends")
        table = grid.get("table", "-")
        for values in itertools.product(*axes.values()):
            labels = dict(zip(axes, (label for label, _ in values), strict=True))
            if not self.fits(labels, leave) and (not keep or self.fits(labels, keep)):
                of = dict(zip(axes, (words for _, words in values), strict=True))
                words = [one for word in command for one in (of[word[1:-1]] if word[1:-1] in of and word[:1] == "{" else
                                                             [HOLE.sub(lambda hole: of[hole[1]][0] if hole[1] in of else hole[0], word)])]
                shown, key, files = self.settle(words, depends, table, f"{where}command")
                yield Point(key, self.program(shown), labels, table, seconds, files)

    def program(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """A script in Python, or a command of this one."""
        return ("python3", *words) if words and words[0].endswith(".py") else (self.ballast, *words)

    def points(self) -> list[Point]:
        found: dict[str, Point] = {}
        for number, grid in enumerate(self.text["grid"], 1):
            for point in self.grid(grid, number):
                if point.key in found:
                    raise self.wrong(f"grid {number}: this command is there twice: {' '.join(point.words)}")
                found[point.key] = point
        for name in sorted(set(self.text.get("axes", {})) - self.used):
            raise self.wrong(f"axis '{name}': no command has {{{name}}}")
        if not found:
            raise self.wrong("the filters leave no point")
        return list(found.values())
