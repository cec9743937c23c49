# SPDX-License-Identifier: Apache-2.0
"""ballast diff, of stores of sweeps: which points give other results than before. doc/use/sweep.md

  diff.py BALLAST A.sqlite B.sqlite [--study NAME] [--csv FILE]
  diff.py BALLAST STORE.sqlite ...                                what the same commands gave with an earlier program, or with other files

sim/cli/cmd_diff.c starts it where it is given stores. Exit status: 0 nothing has changed, 1 something has, 2 wrong usage, 3 a store is missing or damaged.
"""
from __future__ import annotations

import os
import shlex
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
from store import reading  # noqa: E402
from table import put_csv, text_of  # noqa: E402
from tools import Failure, Options, program, whole  # noqa: E402

EARLIER = "(SELECT max(old.id) FROM point old WHERE old.command = p.command AND old.id <> p.id AND old.status = 'done')"
Point = tuple[str, dict[tuple[int, str], object]]  # its status; what it gave, by line and column
Change = tuple[str, str, object, object]           # kind, what, before, after


def name_of(study: str, command: str, axes: str | None, seen: set[str]) -> str:
    """The same on all machines: paths are not in it. Points of several grids may have the same axes."""
    words = shlex.split(command)
    base = name = " ".join([f"{study}:", Path(words[1] if len(words) > 1 else words[0]).name, *([axes] if axes else [])])
    number = 1
    while name in seen:
        number += 1
        name = f"{base} ({number})"
    seen.add(name)
    return name


class State:
    """The points of a store's studies, as they are, or as they were with the program or the files before."""

    def __init__(self, path: Path, study: str | None, earlier: bool = False):
        with reading(path) as db:
            self._read(db, study, EARLIER if earlier else "p.id")
        if study is not None and not self.points:
            raise Failure(f"{path} has no study '{study}'")

    def _read(self, db: sqlite3.Connection, study: str | None, which: str) -> None:
        seen: set[str] = set()
        members = db.execute(f"SELECT m.study, p.command, {which}, (SELECT group_concat(name || '=' || value, ' ') FROM axis a WHERE a.study = m.study AND a.point = m.point) "
                             "FROM member m JOIN point p ON p.id = m.point WHERE :study IS NULL OR m.study = :study ORDER BY m.study, m.number", {"study": study}).fetchall()
        self.points: dict[str, Point] = {}
        self.finished, self.programs = "", set()
        for study_name, command, at, axes in members:
            name = name_of(study_name, command, axes, seen)
            if at is not None:
                status, of, finished = db.execute("SELECT coalesce(status, 'missing'), program, coalesce(finished, '') FROM point WHERE id = ?", [at]).fetchone()
                values = db.execute("SELECT line, name, value FROM value WHERE point = ?", [at])
                self.points[name] = status, {(line, column): value for line, column, value in values}
                self.finished = max(self.finished, finished)
                self.programs.add(of)

    def __str__(self) -> str:
        return f"{len(self.points)} points, the last finished {self.finished or 'never'}, program {', '.join(sorted(self.programs)) or '-'}"


def changes(before: State, after: State, one_store: bool) -> list[Change]:
    found: list[Change] = []
    for name in dict.fromkeys([*before.points, *after.points]):
        (was, old), (now, new) = before.points.get(name, ("-", {})), after.points.get(name, ("-", {}))
        if "-" in (was, now) and one_store:
            continue  # it was never run before
        if was != now:
            found.append(("point", name, was, now))
        elif old != new:
            lines = len({line for line, _ in old} | {line for line, _ in new}) > 1
            found += [("value", f"{name}{f' line {line}' if lines else ''}: {column}", old.get((line, column), "-"), new.get((line, column), "-"))
                      for line, column in sorted(old.keys() | new.keys()) if old.get((line, column)) != new.get((line, column))]
    return found


def exact(value: object) -> str:
    """Two numbers that differ look different."""
    return repr(value) if isinstance(value, float) else text_of(value)


def main() -> int:
    parser = Options(prog="ballast diff")
    parser.add_argument("ballast", type=os.path.realpath)
    parser.add_argument("store", type=Path, nargs="+")
    parser.add_argument("--study")
    parser.add_argument("-c", "--csv", type=Path)
    given = parser.parse_args()
    one = len(given.store) == 1
    before, after = State(given.store[0], given.study, earlier=one), State(given.store[-1], given.study)
    found = changes(before, after, one)
    if given.csv:
        with whole(given.csv) as file:
            put_csv(file, (["kind", "what", "before", "after"], found))
    print(f"before: {given.store[0]}, {before}", f"after:  {given.store[-1]}, {after}", sep="\n")
    for kind in ("point", "value"):
        rows = [row for row in found if row[0] == kind]
        if rows:
            print(f"\n{kind}", *(f"  {what}  {exact(was)} -> {exact(now)}" for _, what, was, now in rows), sep="\n")
    both = before.points.keys() & after.points.keys()
    print(f"\ncompared: points {len(both)}, values {sum(len(after.points[name][1]) for name in both)}")
    print(f"{len(found)} change{'s' * (len(found) != 1)}")
    return int(bool(found))


if __name__ == "__main__":
    sys.argv[0] = "ballast diff"
    program(main)
