# SPDX-License-Identifier: Apache-2.0
"""What is asked of stores of sweeps: ballast query, ballast diff (which points give other results than before), ballast trend (what each program gave, by date).
They only read. doc/use/sweep.md"""
from __future__ import annotations

import argparse
import csv
import io
import shlex
import sys
from pathlib import Path

from store import FAILED, Store
from study import BAD
from tools import Failure, run, whole

MOST_NAMES = 1500  # columns of a table in SQLite: it has 2000 at most
PICTURE = Path("build/sweep.svg")  # beside it a table, where the report looks for it
POLICY = "policy"  # what is compared where nothing else is said
OWN = {"point", "line", "run_seconds", "run_tries"}  # columns that each table `line` has
Table = tuple[list[str], list[tuple[object, ...]]]  # names of its columns, rows


# ---- tables, as text, CSV or Parquet -----------------------------------------------------------------------

def text_of(value: object) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def put_csv(file: io.TextIOBase, table: Table) -> None:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(table[0])
    out.writerows(table[1])


def put_parquet(file: io.BufferedIOBase, table: Table) -> None:
    try:
        import pyarrow  # type: ignore[import-not-found]
        import pyarrow.parquet  # type: ignore[import-not-found]
    except ImportError:
        raise Failure("Parquet needs the Python package pyarrow, which is not installed; name a file .csv") from None
    names, rows = table
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Failure(f"two columns are called '{twice}'; name one of them with AS")

    def column(values: list[object]) -> pyarrow.Array:
        """Of one type, as Parquet wants it: numbers that no type holds together are text, as are numbers beside words."""
        try:
            return pyarrow.array(values)
        except pyarrow.ArrowException:
            return pyarrow.array([None if value is None else str(value) for value in values])
    pyarrow.parquet.write_table(pyarrow.table([column([row[at] for row in rows]) for at in range(len(names))], names=names), file)


FORMS = {".csv": put_csv, ".parquet": put_parquet}


def write(path: Path, table: Table, form: str = ".csv") -> None:
    if form not in FORMS:
        raise Failure(f"--out {path}: its name is to end with {' or '.join(FORMS)}")
    with whole(path, binary=form != ".csv") as file:
        FORMS[form](file, table)


def print_text(table: Table) -> None:
    cells = [table[0], *([text_of(value) for value in row] for row in table[1])]
    right = [all(isinstance(row[at], int | float | None) for row in table[1]) for at in range(len(table[0]))]
    widths = [max(len(row[at]) for row in cells) for at in range(len(table[0]))]
    for row in cells:
        print("  ".join(f"{text:>{width}}" if number else f"{text:{width}}" for text, width, number in zip(row, widths, right, strict=True)).rstrip())


# ---- query -------------------------------------------------------------------------------------------------

# {rows}, {columns} and {value} are names of columns, {where} what the user wants of lines.
CELLS = """
WITH cell AS (SELECT {rows} AS "row", {columns} AS "column", avg({value}) AS cost, count({value}) AS lines, row_number() OVER (ORDER BY min(point), min(line)) AS place
              FROM line {where} GROUP BY 1, 2 HAVING count({value}) > 0)"""
QUESTIONS = {
    "studies": """SELECT study, count(*) AS points, sum(status IS 'done') AS done, sum(status IS 'failed') AS failed, sum(status IS NULL) AS missing,
                         round(sum(seconds), 1) AS seconds FROM member JOIN point ON id = point GROUP BY study ORDER BY study""",
    "failed": FAILED,
    "missing": "SELECT command FROM member JOIN point ON id = point WHERE study = :study AND status IS NULL ORDER BY number",
    "table": "SELECT * FROM line {where}",
    "summary": """SELECT {rows}, count({value}) AS lines, avg({value}) AS mean, min({value}) AS least, max({value}) AS most FROM line {where}
                  GROUP BY {rows} HAVING count({value}) > 0 ORDER BY mean""",
    "cross": f"""{CELLS} SELECT "row", "column", cost, lines FROM cell ORDER BY place""",
    # Of each column the row with the least mean, and the one that comes next.
    "best": f"""{CELLS}, ranked AS (SELECT *, min(place) OVER (PARTITION BY "column") AS first, row_number() OVER costs AS rank, lead("row") OVER costs AS next,
                                           lead(cost) OVER costs AS next_value FROM cell WINDOW costs AS (PARTITION BY "column" ORDER BY cost, place))
                SELECT "column" AS {{columns}}, "row" AS {{rows}}, cost AS {{value}}, next, next_value FROM ranked WHERE rank = 1 ORDER BY first""",
    "sql": "",
}
QUESTIONS["picture"] = QUESTIONS["cross"]


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def make_lines(store: Store, study: str) -> list[str]:
    """The table `line`: a row for each line of results of the study, a column for each axis and each name. The names of these."""
    axes, values = ([name for name, in store.db.execute(text, [study])] for text in (
        "SELECT DISTINCT name FROM axis WHERE study = ? ORDER BY name",
        "SELECT DISTINCT name FROM value WHERE point IN (SELECT point FROM member WHERE study = ?) ORDER BY name"))
    taken = {axis.lower() for axis in axes} | OWN
    names = [*axes, *(name for name in values if name.lower() not in taken)]
    if len(names) > MOST_NAMES:
        raise Failure(f"{store.path}: study '{study}' has more than {MOST_NAMES} columns; ask with 'sql', over the tables axis and value", BAD)
    columns = []
    for at, name in enumerate(names):
        of_line = f"max(CASE WHEN v.name = :name{at} THEN v.value END)" if name in values else "NULL"
        of_point = f"(SELECT value FROM axis WHERE study = :study AND axis.point = m.point AND name = :name{at})" if name in axes else "NULL"
        columns.append(f"coalesce({of_point}, {of_line}) AS {quoted(name)}, ")  # an axis counts where the point is on it
    store.db.execute(f"CREATE TEMP TABLE line AS SELECT m.point AS point, v.line AS line, {''.join(columns)} p.seconds AS run_seconds, p.tries AS run_tries FROM member m "
                     "JOIN point p ON p.id = m.point AND p.status = 'done' LEFT JOIN value v ON v.point = m.point WHERE m.study = :study "
                     "GROUP BY m.point, v.line ORDER BY m.number, v.line", {"study": study} | {f"name{at}": name for at, name in enumerate(names)})
    return names


def answer(store: Store, given: argparse.Namespace) -> Table:
    text, names = QUESTIONS[given.question] or given.text, {"rows": given.rows or POLICY, "columns": given.columns, "value": given.value}
    if not text:
        raise Failure("sql: wants a SELECT")
    there = [name for name, in store.db.execute("SELECT DISTINCT study FROM member ORDER BY study")]
    if given.question != "studies" and not (given.question == "sql" and given.study is None and len(there) != 1):
        if given.study is not None and given.study not in there or len(there) != 1 and given.study is None:
            raise Failure(f"{store.path} has {f'no study {given.study!r}' if given.study else 'several studies or none'}; --study takes one of: {', '.join(there) or '(none)'}")
        given.study = given.study or there[0]
        known = [] if given.question in ("failed", "missing") else make_lines(store, given.study)
    if given.question != "sql":
        if unknown := next((name for place, name in names.items() if f"{{{place}}}" in text and name not in known), None):
            raise Failure(f"{store.path} has no axis or column '{unknown}'; there are: {', '.join(known)}")
        text = text.format(where=f"WHERE ({given.where})" if given.where else "", **{place: quoted(name) for place, name in names.items()})
    found = store.db.execute(text, {"study": given.study})
    return [column[0] for column in found.description or ()], found.fetchall()


def picture(given: argparse.Namespace, table: Table) -> None:
    name, cells = table
    if not cells:
        raise Failure(f"{given.store}: nothing to draw: no line has {given.value}", BAD)
    out = Path(given.out or PICTURE)
    if out.suffix != ".svg":
        raise Failure(f"--out {out}: a picture's name is to end with .svg")
    what = f"{given.value}: mean of {sum(lines for *_, lines in cells)} lines of {given.study}"
    write(out.with_suffix(".csv"), ([*name[:3], "what"], [(*cell[:3], what) for cell in cells]))
    said = run([given.ballast, "figure", "--table", out.with_suffix(".csv"), "--out", out], accept=(0, 2, 3))
    if said.returncode:
        raise Failure(said.stdout.strip().removeprefix("ballast: "), said.returncode)
    print_text((["picture"], [(str(out),)]))


def query(given: argparse.Namespace) -> None:
    if given.text and given.question != "sql":
        raise Failure(f"{given.question} takes nothing more; '{given.text}' is too much")
    with Store(given.store, write=False) as store, store.told(given.text or given.where):
        table = answer(store, given)
    if given.question == "picture":
        picture(given, table)
    elif given.out:
        write(Path(given.out), table, Path(given.out).suffix)
    elif given.csv:
        put_csv(sys.stdout, table)
    else:
        print_text(table)


# ---- diff and trend ------------------------------------------------------------------------------------------

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
    """The answers of a store about its table `state`."""
    values = {"study": given.study, "rows": given.rows or POLICY, "value": given.value}
    with Store(path, write=False) as store:
        store.db.create_function("begin_of", 1, lambda command: Path(shlex.split(command)[:2][-1]).name)
        return [store.ask(text, **values) for text in (state, *texts)][1:]


def state_of(path: Path, which: str, given: argparse.Namespace) -> tuple[str, dict[str, tuple[str, dict[tuple[int, str], object]]]]:
    """The points of a store's studies, as they are, or as they were with the program or the files before: what is said of them, their states and values."""
    [[(count, programs, last)], points, values] = asked(
        path, STATE.format(which=which), given, "SELECT count(*), group_concat(DISTINCT program), max(finished) FROM state",
        "SELECT name, status FROM state", "SELECT state.name, line, value.name, value FROM state JOIN value ON point = id")
    if given.study is not None and not points and which == NOW:
        raise Failure(f"{path} has no study '{given.study}'")
    found = {name: (status, {}) for name, status in points}
    for name, line, column, value in values:
        found[name][1][line, column] = value
    programs = ", ".join(sorted(programs.split(","))) if programs else "-"
    return f"{path}, {count} points, the last finished {last or 'never'}, program {programs}", found


def diff(given: argparse.Namespace) -> int:
    one_store = len(given.store) == 1
    (earlier, before), (now, after) = state_of(given.store[0], EARLIER if one_store else NOW, given), state_of(given.store[-1], NOW, given)
    both = [name for name in before if name in after]
    found = []  # kind, what, before, after
    for name in both if one_store else before | after:  # the others were never run before
        (was, old), (became, new) = before.get(name, ("-", {})), after.get(name, ("-", {}))
        if was != became:
            found.append(("point", name, was, became))
            continue
        cells = sorted(old | new)
        several = len({line for line, _ in cells}) > 1
        found += [("value", f"{name}{f' line {cell[0]}' if several else ''}: {cell[1]}", old.get(cell, "-"), new.get(cell, "-"))
                  for cell in cells if old.get(cell) != new.get(cell)]
    if given.csv:
        write(given.csv, (["kind", "what", "before", "after"], found))
    print(f"before: {earlier}", f"after:  {now}", sep="\n")
    for kind in ("point", "value"):
        if rows := [row for row in found if row[0] == kind]:
            print(f"\n{kind}", *(f"  {what}  {old} -> {new}" for _, what, old, new in rows), sep="\n")
    print(f"\ncompared: points {len(both)}, values {sum(len(after[name][1]) for name in both)}")
    print(f"{len(found)} change{'s' * (len(found) != 1)}")
    return int(bool(found))


def trend(given: argparse.Namespace) -> None:
    runs, means = [], {}
    for path in given.store:
        of_store, of_rows = asked(path, RAN, given, RUNS, MEANS)
        if not of_store:
            raise Failure(f"{path}: no point of {f'study {given.study!r}' if given.study else 'any study'} has been run", BAD)
        runs += [(str(path), *run) for run in of_store]
        means |= {(str(path), study, program, str(row)): mean for study, program, row, *mean in of_rows}
    runs.sort(key=lambda run: (run[1], run[3]))
    rows = sorted({key[3] for key in means})
    if given.rows and not any(rows):
        raise Failure(f"no point has an axis or a column '{given.rows}' beside {given.value}")
    head = ["store", "study", "program", "finished", "done", "failed", "seconds"]
    if given.csv:
        write(given.csv, ([*head, *(f"{row} {what}".strip() for row in rows for what in ("mean", "lines"))],
                          [(*run, *(one for row in rows for one in means.get((*run[:3], row), (None, None)))) for run in runs]))
    print_text(([*head, *(row or given.value for row in rows)],
                [(*run, *("{} ({})".format(*map(text_of, means[(*run[:3], row)])) if (*run[:3], row) in means else "-" for row in rows)) for run in runs]))
    if rows:
        each = f" of each {given.rows or POLICY}" if any(rows) else ""
        print(f"mean {given.value}{each} (of so many lines; two means compare only if they are of as many)")
