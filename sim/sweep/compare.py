# SPDX-License-Identifier: Apache-2.0
"""ballast diff and ballast trend, of stores of sweeps: which points give other results than before; what each program gave, by date. doc/use/sweep.md"""
from __future__ import annotations

import argparse
import shlex
from contextlib import closing
from pathlib import Path

from store import Store
from study import BAD
from table import print_text, text_of, write_csv
from tools import Failure

POLICY = "policy"  # what is compared where nothing else is said
Change = tuple[str, str, object, object]  # kind, what, before, after

# A point has the same name on all machines: paths are not in it. Points of several grids may have the same axes. {which}: the run of its command that counts.
STATE = """
CREATE TEMP TABLE state AS
WITH mine AS (SELECT m.study, m.number, {which} AS id, m.study || ': ' || begin_of(p.command) || coalesce(' ' ||
                     (SELECT group_concat(name || '=' || value, ' ') FROM axis a WHERE a.study = m.study AND a.point = m.point), '') AS base
              FROM member m JOIN point p ON p.id = m.point WHERE :study IS NULL OR m.study = :study),
     named AS (SELECT *, row_number() OVER (PARTITION BY base ORDER BY number) AS twin FROM mine)
SELECT p.id, base || CASE twin WHEN 1 THEN '' ELSE ' (' || twin || ')' END AS name, coalesce(status, 'missing') AS status, program, finished
FROM named JOIN point p ON p.id = named.id ORDER BY study, number
"""
NOW, EARLIER = "p.id", "(SELECT max(old.id) FROM point old WHERE old.command = p.command AND old.id <> p.id AND old.status = 'done')"

# The points of a study that a program ran: commands that the study has now. Of one that was run with several files the last.
RAN = """
CREATE TEMP TABLE state AS
WITH mine AS (SELECT m.study, p.command, a.value AS of FROM member m JOIN point p ON p.id = m.point
              LEFT JOIN axis a ON a.study = m.study AND a.point = m.point AND a.name = :rows WHERE :study IS NULL OR m.study = :study)
SELECT mine.study, p.program, p.id, mine.of, p.status, p.seconds, p.finished FROM mine JOIN point p ON p.command = mine.command
WHERE p.status IS NOT NULL AND p.id IN (SELECT max(id) FROM point WHERE status IS NOT NULL GROUP BY program, command)
"""
RUNS = "SELECT study, program, max(finished), sum(status = 'done'), sum(status = 'failed'), round(sum(seconds), 1) FROM state GROUP BY study, program ORDER BY min(id)"
MEANS = """
SELECT s.study, s.program, coalesce(s.of, r.value, '') AS of, avg(v.value), count(*) FROM state s
JOIN value v ON v.point = s.id AND v.name = :value AND typeof(v.value) IN ('integer', 'real')
LEFT JOIN value r ON r.point = v.point AND r.line = v.line AND r.name = :rows GROUP BY 1, 2, 3 ORDER BY 3
"""


def asked(path: Path, state: str, given: argparse.Namespace, *texts: str) -> list[list[tuple]]:
    """The answers of a store that is only read, about its table `state`."""
    values = {"study": given.study, "rows": given.rows or POLICY, "value": given.value}
    with closing(Store(path, write=False)) as store:
        store.db.create_function("begin_of", 1, lambda command: Path(shlex.split(command)[:2][-1]).name)
        store.ask("PRAGMA temp_store = MEMORY")
        return [store.ask(text, **values) for text in (state, *texts)][1:]


# ---- diff ------------------------------------------------------------------------------------------------

class State:
    """The points of a store's studies, as they are, or as they were with the program or the files before."""

    def __init__(self, path: Path, given: argparse.Namespace, which: str):
        points, values = asked(path, STATE.format(which=which), given, "SELECT name, status, program, finished FROM state",
                               "SELECT state.name, line, value.name, value FROM state JOIN value ON point = id")
        self.path, self.status = path, {name: status for name, status, *_ in points}
        if given.study is not None and not points and which == NOW:
            raise Failure(f"{path} has no study '{given.study}'")
        self.values: dict[str, dict[tuple[int, str], object]] = {name: {} for name in self.status}
        for name, line, column, value in values:
            self.values[name][line, column] = value
        self.finished = max((finished for *_, finished in points if finished), default="never")
        self.programs = ", ".join(sorted({program for *_, program, _ in points})) or "-"

    def __str__(self) -> str:
        return f"{self.path}, {len(self.status)} points, the last finished {self.finished}, program {self.programs}"


def changes(before: State, after: State, names: list[str]) -> list[Change]:
    found: list[Change] = []
    for name in names:
        old, new = before.values.get(name, {}), after.values.get(name, {})
        cells = sorted(old.keys() | new.keys())
        several = len({line for line, _ in cells}) > 1
        if (was := before.status.get(name, "-")) != (now := after.status.get(name, "-")):
            found.append(("point", name, was, now))
        else:
            found += [("value", f"{name}{f' line {line}' if several else ''}: {column}", old.get((line, column), "-"), new.get((line, column), "-"))
                      for line, column in cells if old.get((line, column)) != new.get((line, column))]
    return found


def exact(value: object) -> str:
    """Two numbers that differ look different."""
    return repr(value) if isinstance(value, float) else text_of(value)


def diff(given: argparse.Namespace) -> int:
    one_store = len(given.store) == 1
    before, after = State(given.store[0], given, EARLIER if one_store else NOW), State(given.store[-1], given, NOW)
    both = [name for name in before.status if name in after.status]
    names = both if one_store else list(before.status | after.status)  # the others were never run before
    found = changes(before, after, names)
    if given.csv:
        write_csv(given.csv, (["kind", "what", "before", "after"], found))
    print(f"before: {before}", f"after:  {after}", sep="\n")
    for kind in ("point", "value"):
        if rows := [row for row in found if row[0] == kind]:
            print(f"\n{kind}", *(f"  {what}  {exact(was)} -> {exact(now)}" for _, what, was, now in rows), sep="\n")
    print(f"\ncompared: points {len(both)}, values {sum(len(after.values[name]) for name in both)}")
    print(f"{len(found)} change{'s' * (len(found) != 1)}")
    return int(bool(found))


# ---- trend -----------------------------------------------------------------------------------------------

def trend(given: argparse.Namespace) -> int:
    runs, means = [], {}
    for path in given.store:
        of_store, of_rows = asked(path, RAN, given, RUNS, MEANS)
        if not of_store:
            raise Failure(f"{path}: no point of {f'study {given.study!r}' if given.study else 'any study'} has been run", BAD)
        runs += [(str(path), *run) for run in of_store]
        means |= {(str(path), study, program, str(row)): mean for study, program, row, *mean in of_rows}
    runs.sort(key=lambda run: (run[1], run[3]))
    rows = list(dict.fromkeys(key[3] for key in sorted(means)))
    if given.rows and not any(rows):
        raise Failure(f"no point has an axis or a column '{given.rows}' beside {given.value}")
    head = ["store", "study", "program", "finished", "done", "failed", "seconds"]
    if given.csv:
        write_csv(given.csv, ([*head, *(f"{row} {what}".strip() for row in rows for what in ("mean", "lines"))],
                              [(*run, *(one for row in rows for one in means.get((*run[:3], row), (None, None)))) for run in runs]))
    print_text(([*head, *(row or given.value for row in rows)],
                [(*run, *("{} ({})".format(*map(text_of, means[(*run[:3], row)])) if (*run[:3], row) in means else "-" for row in rows)) for run in runs]))
    if rows:
        each = f" of each {given.rows or POLICY}" if any(rows) else ""
        print(f"mean {given.value}{each} (of so many lines; two means compare only if they are of as many)")
    return 0
