# SPDX-License-Identifier: Apache-2.0
"""ballast query: answers questions about a store of sweeps. It only reads. doc/use/sweep.md"""
from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path

from store import FAILED, Store
from study import BAD
from table import Table, print_text, put_csv, write
from tools import Failure, run

MOST_NAMES = 1500  # columns of a table in SQLite: it has 2000 at most
PICTURE = Path("build/sweep.svg")  # beside it a table, where the report looks for it
OWN = {"point", "line", "run_seconds", "run_tries"}  # columns that each table `line` has

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


def study_of(store: Store, wanted: str | None) -> str:
    there = [name for name, in store.db.execute("SELECT DISTINCT study FROM member ORDER BY study")]
    if wanted is not None and wanted not in there or len(there) != 1 and wanted is None:
        raise Failure(f"{store.path} has {f'no study {wanted!r}' if wanted else 'several studies or none'}; --study takes one of: {', '.join(there) or '(none)'}")
    return wanted or there[0]


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
    store.db.execute("PRAGMA temp_store = MEMORY")
    store.db.execute(f"CREATE TEMP TABLE line AS SELECT m.point AS point, v.line AS line, {''.join(columns)} p.seconds AS run_seconds, p.tries AS run_tries FROM member m "
                     "JOIN point p ON p.id = m.point AND p.status = 'done' LEFT JOIN value v ON v.point = m.point WHERE m.study = :study "
                     "GROUP BY m.point, v.line ORDER BY m.number, v.line", {"study": study} | {f"name{at}": name for at, name in enumerate(names)})
    return names


def answer(store: Store, given: argparse.Namespace) -> Table:
    text, names = QUESTIONS[given.question] or given.text, {"rows": given.rows or "policy", "columns": given.columns, "value": given.value}
    if not text:
        raise Failure("sql: wants a SELECT")
    [several] = store.db.execute("SELECT count(DISTINCT study) <> 1 FROM member").fetchone()
    if given.question != "studies" and not (given.question == "sql" and given.study is None and several):
        given.study = study_of(store, given.study)
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


def query(given: argparse.Namespace) -> int:
    if given.text and given.question != "sql":
        raise Failure(f"{given.question} takes nothing more; '{given.text}' is too much")
    with closing(Store(given.store, write=False)) as store, store.told(given.text or given.where):
        table = answer(store, given)
    if given.question == "picture":
        picture(given, table)
    elif given.out:
        write(Path(given.out), table)
    elif given.csv:
        put_csv(sys.stdout, table)
    else:
        print_text(table)
    return 0
