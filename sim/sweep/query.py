# SPDX-License-Identifier: Apache-2.0
"""ballast query: answers questions about a store of sweeps. It only reads. doc/use/sweep.md

  query.py BALLAST QUESTION [TEXT] [--store FILE] [--study NAME] [--rows NAME] [--columns NAME] [--value NAME] [--where SQL] [--csv] [--out FILE]
"""
from __future__ import annotations

import argparse
import os
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
from store import Store  # noqa: E402
from study import BAD  # noqa: E402
from table import Table, print_text, put_csv, write  # noqa: E402
from tools import Failure, Options, program, run  # noqa: E402

MOST_NAMES = 1500  # columns of a table in SQLite: it has 2000 at most
PICTURE = Path("build/sweep.csv")  # where the report looks for it
OWN = {"point", "line", "run_seconds", "run_tries"}  # columns that each table `line` has


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class Query:
    def __init__(self, store: Store, given: argparse.Namespace):
        self.store, self.db, self.given = store, store.db, given
        self.names: list[str] = []

    def rows(self, text: str, *values: object) -> Table:
        found = self.db.execute(text, values)
        return [column[0] for column in found.description or ()], found.fetchall()

    def study(self) -> str:
        there = [name for name, in self.db.execute("SELECT DISTINCT study FROM member ORDER BY study")]
        wanted = self.given.study
        if wanted is not None and wanted not in there or len(there) != 1 and wanted is None:
            raise Failure(f"{self.store.path} has {f'no study {wanted!r}' if wanted else 'several studies or none'}; --study takes one of: {', '.join(there) or '(none)'}")
        return wanted or there[0]

    def lines(self) -> None:
        """The table `line`: a row for each line of results of the study, a column for each axis and each name."""
        study = self.study()
        axes, values = ([name for name, in self.db.execute(text, [study])] for text in (
            "SELECT DISTINCT name FROM axis WHERE study = ? ORDER BY name",
            "SELECT DISTINCT name FROM value WHERE point IN (SELECT point FROM member WHERE study = ?) ORDER BY name"))
        both = [name for name in axes if name in values]  # the axis, where the point is on it
        values = [name for name in values if name.lower() not in {axis.lower() for axis in axes} | OWN]
        if len(axes) + len(values) > MOST_NAMES:
            raise Failure(f"{self.store.path}: study '{study}' has more than {MOST_NAMES} columns; ask with 'sql', over the tables axis and value", BAD)
        self.names = [*axes, *values]
        axis = "".join(f", coalesce((SELECT value FROM axis WHERE study = :study AND axis.point = m.point AND name = :a{at}), "
                       f"{f'max(CASE WHEN v.name = :a{at} THEN v.value END)' if name in both else 'NULL'}) AS {quoted(name)}" for at, name in enumerate(axes))
        value = "".join(f", max(CASE WHEN v.name = :v{at} THEN v.value END) AS {quoted(name)}" for at, name in enumerate(values))
        self.db.execute("PRAGMA temp_store = MEMORY")
        self.db.execute(f"CREATE TEMP TABLE line AS SELECT m.point AS point, v.line AS line{axis}{value}, p.seconds AS run_seconds, p.tries AS run_tries FROM member m "
                        "JOIN point p ON p.id = m.point AND p.status = 'done' LEFT JOIN value v ON v.point = m.point WHERE m.study = :study "
                        "GROUP BY m.point, v.line ORDER BY m.number, v.line",
                        {"study": study} | {f"a{at}": name for at, name in enumerate(axes)} | {f"v{at}": name for at, name in enumerate(values)})

    def known(self, *names: str) -> list[str]:
        for name in names:
            if name not in self.names:
                raise Failure(f"{self.store.path} has no axis or column '{name}'; there are: {', '.join(self.names)}")
        return [quoted(name) for name in names]

    def where(self) -> str:
        return f" WHERE ({self.given.where})" if self.given.where else ""

    # ---- the questions -------------------------------------------------------------------

    def studies(self) -> Table:
        return self.rows("SELECT study, count(*) AS points, sum(status IS 'done') AS done, sum(status IS 'failed') AS failed, sum(status IS NULL) AS missing, "
                         "round(sum(seconds), 1) AS seconds FROM member JOIN point ON id = point GROUP BY study ORDER BY study")

    def failed(self) -> Table:
        return self.rows("SELECT command, said, tries, finished, host FROM member JOIN point ON id = point WHERE study = ? AND status = 'failed' ORDER BY number", self.study())

    def missing(self) -> Table:
        return self.rows("SELECT command FROM member JOIN point ON id = point WHERE study = ? AND status IS NULL ORDER BY number", self.study())

    def table(self) -> Table:
        self.lines()
        return self.rows(f"SELECT * FROM line{self.where()}")

    def summary(self) -> Table:
        self.lines()
        row, value = self.known(self.given.rows, self.given.value)
        return self.rows(f"SELECT {row}, count({value}) AS lines, avg({value}) AS mean, min({value}) AS least, max({value}) AS most FROM line{self.where()} "
                         f"GROUP BY {row} HAVING count({value}) > 0 ORDER BY mean")

    def cross(self) -> Table:
        self.lines()
        row, column, value = self.known(self.given.rows, self.given.columns, self.given.value)
        return self.rows(f"SELECT {row} AS \"row\", {column} AS \"column\", avg({value}) AS cost, count({value}) AS lines FROM line{self.where()} "
                         f"GROUP BY {row}, {column} HAVING count({value}) > 0 ORDER BY min(point), min(line)")

    def best(self) -> Table:
        """Of each column the row with the least mean, and by how much the next one has more."""
        _, cells = self.cross()
        found: dict[object, list[tuple[float, object]]] = {}
        for row, column, cost, _ in cells:
            found.setdefault(column, []).append((cost, row))
        ranked = {column: sorted(costs, key=lambda one: one[0]) for column, costs in found.items()}
        return ([self.given.columns, self.given.rows, self.given.value, "next", "next_value"],
                [(column, costs[0][1], costs[0][0], *(costs[1][::-1] if len(costs) > 1 else (None, None))) for column, costs in ranked.items()])

    def sql(self) -> Table:
        if not self.given.text:
            raise Failure("sql: wants a SELECT")
        if self.given.study is not None or self.db.execute("SELECT count(DISTINCT study) FROM member").fetchone()[0] == 1:
            self.lines()
        return self.rows(self.given.text)

    def picture(self) -> Table:
        name, cells = self.cross()
        if not cells:
            raise Failure(f"{self.store.path}: nothing to draw: no line has {self.given.value}", BAD)
        out = Path(self.given.out or PICTURE.with_suffix(".svg"))
        if out.suffix != ".svg":
            raise Failure(f"--out {out}: a picture's name is to end with .svg")
        write(out.with_suffix(".csv"), ([*name[:3], "what"], [(*cell[:3], f"{self.given.value}: mean of {sum(one[3] for one in cells)} lines of {self.study()}") for cell in cells]))
        said = run([self.given.ballast, "figure", "--table", out.with_suffix(".csv"), "--out", out], accept=(0, 2, 3))
        if said.returncode:
            raise Failure(said.stdout.strip().removeprefix("ballast: "), said.returncode)
        return ["picture"], [(str(out),)]


# ---- the command ---------------------------------------------------------------------------

def show(given: argparse.Namespace, table: Table) -> None:
    if given.out and given.question != "picture":
        write(Path(given.out), table)
    elif given.csv:
        put_csv(sys.stdout, table)
    else:
        print_text(table)


QUESTIONS = ("studies", "failed", "missing", "table", "summary", "best", "cross", "picture", "sql")


def main() -> int:
    parser = Options(prog="ballast query")
    parser.add_argument("ballast", type=os.path.realpath)
    parser.add_argument("question", choices=QUESTIONS)
    parser.add_argument("text", nargs="?")
    parser.add_argument("-s", "--store", type=Path, default=Path("build/sweep.sqlite"))
    parser.add_argument("--study")
    parser.add_argument("-r", "--rows", default="policy")
    parser.add_argument("-c", "--columns", default="kernel")
    parser.add_argument("-v", "--value", default="cost_percent")
    parser.add_argument("-w", "--where")
    parser.add_argument("--csv", action="store_true")
    parser.add_argument("-o", "--out")
    given = parser.parse_args()
    if given.text and given.question != "sql":
        raise Failure(f"{given.question} takes nothing more; '{given.text}' is too much")
    store = Store(given.store, write=False)
    try:
        table = getattr(Query(store, given), given.question)()
    except (sqlite3.OperationalError, sqlite3.Warning, sqlite3.ProgrammingError) as error:
        if (given.where or given.text) and getattr(error, "sqlite_errorname", "SQLITE_ERROR") in ("SQLITE_ERROR", "SQLITE_READONLY"):
            raise Failure(f"'{given.text or given.where}': {error}") from None
        with store.told():
            raise
    except sqlite3.Error:
        with store.told():
            raise
    show(given, table)
    return 0


if __name__ == "__main__":
    sys.argv[0] = "ballast query"
    program(main)
