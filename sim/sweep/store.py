# SPDX-License-Identifier: Apache-2.0
"""The store: what points gave, in one SQLite file, and what is asked of it: ballast query, diff and trend. doc/use/sweep.md has the schema.

A result is one transaction in a write-ahead log: it is there as a whole or not at all, whatever ends the program.
"""
from __future__ import annotations

import argparse
import csv
import shlex
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from study import BAD, USAGE, Point, want
from tools import Failure, run, whole

MAGIC, VERSION = 0x42537770, 1  # application_id and user_version of the file
SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE point (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, command TEXT NOT NULL, program TEXT NOT NULL,
                    status TEXT, tries INTEGER, seconds REAL, finished TEXT, host TEXT, said TEXT);
CREATE TABLE value (point INTEGER NOT NULL, line INTEGER NOT NULL, name TEXT NOT NULL, value,
                    PRIMARY KEY (point, line, name)) WITHOUT ROWID;
CREATE TABLE member (study TEXT NOT NULL, point INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (study, point)) WITHOUT ROWID;
CREATE TABLE axis (study TEXT NOT NULL, point INTEGER NOT NULL, name TEXT NOT NULL, value, PRIMARY KEY (study, point, name)) WITHOUT ROWID;
PRAGMA application_id = {MAGIC};
PRAGMA user_version = {VERSION};
COMMIT;
"""
ASKED = "CREATE TEMP VIEW asked AS SELECT study, number, point.* FROM member JOIN point ON id = point"  # the points of each study
FAILED = "SELECT command, said, tries, finished, host FROM asked WHERE study = :study AND status = 'failed' ORDER BY number"
PICTURE = Path("build/sweep.svg")  # beside it a table, where the report looks for it
OWN = {"point", "line", "run_seconds", "run_tries"}  # columns that each table `line` has
Rows = list[tuple[object, ...]]  # of a table, beside the names of its columns


class Result(NamedTuple):
    key: str
    status: str  # "done" or "failed"
    tries: int
    seconds: float
    finished: str
    host: str
    said: str  # why it failed
    lines: list[dict[str, object]]  # of its table: column to number or text


@contextmanager
def opened(path: Path, write: bool = False) -> Iterator[sqlite3.Connection]:
    """`with db` is a transaction. What SQLite says is one line; of a query it is about the user's SQL, if it is not about the file."""
    want(write or path.is_file(), f"{path}: there is no store; 'ballast sweep STUDY.toml' makes one")
    try:
        uri = f"{path.resolve().as_uri()}?mode={'rwc' if write else 'ro'}"
        with closing(sqlite3.connect(uri, uri=True, isolation_level="IMMEDIATE", timeout=60)) as db:
            magic, version, tables = (db.execute(text).fetchone()[0] for text in (
                "PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master"))
            if not tables and write:
                db.execute("PRAGMA journal_mode = WAL")
                db.executescript(SCHEMA)
            want((magic, version) == (MAGIC, VERSION) or not tables and write,
                 f"{path}: {'a store of another version' if magic == MAGIC else 'no store of sweeps'}; give another file with --store")
            if write and db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise sqlite3.DatabaseError("its pages do not fit together")
            db.execute("PRAGMA synchronous = NORMAL")  # after a loss of power the last results may be missing
            db.execute(ASKED)
            yield db
    except (sqlite3.Error, sqlite3.Warning) as error:
        users = not write and getattr(error, "sqlite_errorname", "SQLITE_ERROR") in ("SQLITE_ERROR", "SQLITE_READONLY")
        sound = "the same command goes on with what was stored before; else " * isinstance(error, sqlite3.OperationalError)
        raise Failure(f"{path}: {error}{f'; {sound}give another file with --store' * write}", USAGE if users else BAD) from None


def enter(db: sqlite3.Connection, study: str, points: Iterable[Point], program: str) -> None:
    """The study has these points, and no others. Those that failed are to be tried again."""
    with db:
        for table in ("member", "axis"):
            db.execute(f"DELETE FROM {table} WHERE study = ?", [study])
        db.executemany("INSERT OR IGNORE INTO point (key, command, program) VALUES (?, ?, ?)",
                       ((point.key, str(point), program) for point in points))
        db.executemany("INSERT INTO member SELECT ?, id, ? FROM point WHERE key = ?",
                       ((study, number, point.key) for number, point in enumerate(points)))
        db.executemany("INSERT INTO axis SELECT ?, id, ?, ? FROM point WHERE key = ?",
                       ((study, name, label, point.key) for point in points for name, label in point.labels.items()))
        db.execute("UPDATE point SET status = NULL WHERE status = 'failed' AND id IN (SELECT id FROM asked WHERE study = ?)", [study])


def finished(db: sqlite3.Connection) -> dict[str, str]:
    """The status of each point that has one."""
    return dict(db.execute("SELECT key, status FROM point WHERE status IS NOT NULL"))


def count(db: sqlite3.Connection, study: str) -> tuple[int, int, int]:
    """Of its points: done, failed, and those that are left."""
    text = "SELECT sum(status IS 'done'), sum(status IS 'failed'), sum(status IS NULL) FROM asked WHERE study = ?"
    return db.execute(text, [study]).fetchone()


def put(db: sqlite3.Connection, results: Iterable[Result]) -> None:
    """What is done stays as it is: the same result may come again from a shard. A point that failed may be done by a later one."""
    with db:
        for one in results:
            found = db.execute("UPDATE point SET status = ?, tries = ?, seconds = ?, finished = ?, host = ?, said = ? "
                               "WHERE key = ? AND status IS NOT 'done' RETURNING id", [*one[1:-1], one.key]).fetchall()
            cells = [(at, *cell) for at, line in enumerate(one.lines, 1) for cell in line.items()]
            db.executemany("INSERT INTO value VALUES (?, ?, ?, ?)", ((point, *cell) for point, in found for cell in cells))


def print_text(names: list[str], rows: Rows) -> None:
    """Numbers to the right."""
    cells = [[*names], *(["" if one is None else f"{one:.6g}" if isinstance(one, float) else str(one) for one in row] for row in rows)]
    for at, values in enumerate(zip(*rows, strict=True)):
        side = ">" if all(isinstance(value, int | float | None) for value in values) else "<"
        width = max(len(row[at]) for row in cells)
        for row in cells:
            row[at] = f"{row[at]:{side}{width}}"
    print(*("  ".join(row).rstrip() for row in cells), sep="\n")


def put_csv(file: IO, names: list[str], rows: Rows) -> None:
    csv.writer(file, lineterminator="\n").writerows([names, *rows])


def put_parquet(file: IO, names: list[str], rows: Rows) -> None:
    try:
        import pyarrow  # type: ignore[import-not-found]
        import pyarrow.parquet  # type: ignore[import-not-found]
    except ImportError:
        raise Failure("Parquet needs the Python package pyarrow, which is not installed; name a file .csv") from None

    def array(values: list[object]) -> pyarrow.Array:
        """Of one type, as Parquet wants it: numbers that no type holds together are text, as are numbers beside words."""
        try:
            return pyarrow.array(values)
        except pyarrow.ArrowException:
            return pyarrow.array([None if value is None else str(value) for value in values])
    pyarrow.parquet.write_table(pyarrow.table([array([row[at] for row in rows]) for at in range(len(names))], names=names), file)


def write(path: Path, names: list[str], rows: Rows, form: str = ".csv") -> None:
    want(form in (".csv", ".parquet"), f"--out {path}: its name is to end with .csv or .parquet", USAGE)
    want(len(set(names)) == len(names), f"two columns have one name: {', '.join(names)}; name them with AS", USAGE)
    with whole(path, binary=form == ".parquet") as file:
        (put_csv if form == ".csv" else put_parquet)(file, names, rows)


# {rows}, {columns} and {value} are names of columns, {where} what the user wants of lines.
CELLS = """
WITH cell AS (SELECT {rows} AS "row", {columns} AS "column", avg({value}) AS cost, count({value}) AS lines,
                     row_number() OVER (ORDER BY min(point), min(line)) AS place
              FROM line {where} GROUP BY 1, 2 HAVING count({value}) > 0)"""
QUESTIONS = {
    "studies": """SELECT study, count(*) AS points, sum(status IS 'done') AS done, sum(status IS 'failed') AS failed,
                         sum(status IS NULL) AS missing, round(sum(seconds), 1) AS seconds FROM asked GROUP BY study ORDER BY study""",
    "failed": FAILED,
    "missing": "SELECT command FROM asked WHERE study = :study AND status IS NULL ORDER BY number",
    "table": "SELECT * FROM line {where}",
    "summary": """SELECT {rows}, count({value}) AS lines, avg({value}) AS mean, min({value}) AS least, max({value}) AS most
                  FROM line {where} GROUP BY {rows} HAVING count({value}) > 0 ORDER BY mean""",
    "cross": f"""{CELLS} SELECT "row", "column", cost, lines FROM cell ORDER BY place""",
    # Of each column the row with the least mean, and the one that comes next.
    "best": f"""{CELLS}, ranked AS (SELECT *, min(place) OVER (PARTITION BY "column") AS first, row_number() OVER costs AS rank,
                                           lead("row") OVER costs AS next, lead(cost) OVER costs AS next_value
                                    FROM cell WINDOW costs AS (PARTITION BY "column" ORDER BY cost, place))
                SELECT "column" AS {{columns}}, "row" AS {{rows}}, cost AS {{value}}, next, next_value
                FROM ranked WHERE rank = 1 ORDER BY first""",
    "picture": f"""{CELLS} SELECT "row", "column", cost,
                   :value || ': mean of ' || (SELECT sum(lines) FROM cell) || ' lines of ' || :study AS what FROM cell ORDER BY place""",
    "sql": ""}


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def make_lines(db: sqlite3.Connection, study: str) -> list[str]:
    """The table `line`: a row for each line of results of the study, a column for each axis and each name. The names of these."""
    axes, values = ([name for name, in db.execute(f"SELECT DISTINCT name FROM {text} ORDER BY name", [study])] for text in (
        "axis WHERE study = ?", "value WHERE point IN (SELECT id FROM asked WHERE study = ?)"))
    taken = {axis.lower() for axis in axes} | OWN
    names = [*axes, *(name for name in values if name.lower() not in taken)]
    columns = []
    for at, name in enumerate(names):
        of_point = f"(SELECT value FROM axis WHERE study = :study AND point = p.id AND name = :{at})" if name in axes else "NULL"
        in_line = f"max(CASE WHEN v.name = :{at} COLLATE NOCASE THEN v.value END)"
        columns.append(f"coalesce({of_point}, {in_line}) AS {quoted(name)}, ")  # an axis counts where the point is on it
    db.execute(f"""CREATE TEMP TABLE line AS
                   SELECT p.id AS point, v.line AS line, {"".join(columns)} seconds AS run_seconds, tries AS run_tries
                   FROM asked p LEFT JOIN value v ON v.point = p.id WHERE study = :study AND status = 'done'
                   GROUP BY p.id, v.line ORDER BY number, v.line""", {"study": study} | {str(at): name for at, name in enumerate(names)})
    return names


def answer(db: sqlite3.Connection, given: argparse.Namespace) -> tuple[list[str], Rows]:
    text, names = QUESTIONS[given.question] or given.text, {"rows": given.rows, "columns": given.columns, "value": given.value}
    there = [study for study, in db.execute("SELECT DISTINCT study FROM member ORDER BY study")]
    given.study = given.study or (there[0] if len(there) == 1 else None)
    want(given.study in there or not given.study and given.question in ("studies", "sql"),
         f"{given.store}: --study takes one of: {', '.join(there) or '(none)'}", USAGE)
    known = make_lines(db, given.study) if given.study and given.question not in ("studies", "failed", "missing") else []
    if given.question != "sql":
        for name in (name for place, name in names.items() if f"{{{place}}}" in text):
            want(name in known, f"{given.store} has no axis or column '{name}'; there are: {', '.join(known)}", USAGE)
        text = text.format(where=f"WHERE ({given.where})" if given.where else "", **{place: quoted(name) for place, name in names.items()})
    found = db.execute(text, {"study": given.study, "value": given.value})
    return [column[0] for column in found.description or ()], found.fetchall()


def picture(given: argparse.Namespace, names: list[str], cells: Rows) -> None:
    want(cells, f"{given.store}: nothing to draw: no line has {given.value}")
    out = given.out or PICTURE
    want(out.suffix == ".svg", f"--out {out}: a picture's name is to end with .svg", USAGE)
    write(out.with_suffix(".csv"), names, cells)
    run([given.ballast, "figure", "--table", out.with_suffix(".csv"), "--out", out])
    print(out)


def query(given: argparse.Namespace) -> None:
    want((given.text is not None) == (given.question == "sql"), "sql, and nothing else, wants a SELECT behind it", USAGE)
    with opened(given.store) as db:
        table = answer(db, given)
    if given.question == "picture":
        picture(given, *table)
    elif given.out:
        write(given.out, *table, given.out.suffix)
    elif given.csv:
        put_csv(sys.stdout, *table)
    else:
        print_text(*table)


# A point has the same name on all machines: paths are not in it. Points of several grids may have the same axes.
# {which}: the run of its command that counts. A point's status is a cell of line 0.
CELLS_OF = """
WITH mine AS (SELECT study, number, {which} AS id, study || ': ' || begin_of(command) || coalesce(' ' ||
                     (SELECT group_concat(name || '=' || value, ' ') FROM axis a WHERE a.study = p.study AND a.point = p.id), '') AS base
              FROM asked p WHERE :study IS NULL OR study = :study),
     named AS (SELECT *, row_number() OVER (PARTITION BY base ORDER BY number) AS twin FROM mine),
     cell AS (SELECT id AS point, 0 AS line, '' AS name, coalesce(status, 'missing') AS value FROM point UNION ALL SELECT * FROM value)
SELECT base || CASE twin WHEN 1 THEN '' ELSE ' (' || twin || ')' END, line, name, value
FROM named JOIN cell ON point = id ORDER BY study, number, line, name
"""
NOW, EARLIER = "p.id", "(SELECT max(old.id) FROM point old WHERE old.command = p.command AND old.id <> p.id AND old.status = 'done')"

# The points of a study that a program ran: commands that the study has now. Of one that was run with several files the last.
TREND = """
WITH ran AS (SELECT now.study, p.*, (SELECT value FROM axis a WHERE a.study = now.study AND point = now.id AND name = :rows) AS of
             FROM asked now JOIN point p ON p.command = now.command WHERE (:study IS NULL OR now.study = :study)
             AND p.id IN (SELECT max(id) FROM point WHERE status IS NOT NULL GROUP BY program, command)),
     run AS (SELECT study, program, max(finished) AS finished, sum(status = 'done') AS done, sum(status = 'failed') AS failed,
                    round(sum(seconds), 1) AS seconds FROM ran GROUP BY study, program),
     means AS (SELECT study, program, coalesce(of, r.value, '') AS of, avg(v.value) AS mean, count(*) AS lines FROM ran
               JOIN value v ON v.point = id AND v.name = :value AND typeof(v.value) IN ('integer', 'real')
               LEFT JOIN value r ON r.point = v.point AND r.line = v.line AND r.name = :rows GROUP BY 1, 2, 3)
SELECT :store AS store, run.*, of AS {rows}, mean AS {value}, lines FROM run LEFT JOIN means USING (study, program)
"""


def cells_of(path: Path, which: str, study: str | None) -> dict[tuple[str, int, str], object]:
    """The points of a store's studies, as they are, or as they were with the program or the files before."""
    with opened(path) as db:
        db.create_function("begin_of", 1, lambda command: Path(shlex.split(command)[:2][-1]).name)
        return {(point, line, name): value for point, line, name, value in db.execute(CELLS_OF.format(which=which), {"study": study})}


def tell(given: argparse.Namespace, names: list[str], rows: Rows) -> None:
    if given.csv:
        write(given.csv, names, rows)
    print_text(names, rows)


def diff(given: argparse.Namespace) -> int:
    one_store, found = len(given.store) == 1, []
    before, after = cells_of(given.store[0], EARLIER if one_store else NOW, given.study), cells_of(given.store[-1], NOW, given.study)
    want(after, f"{given.store[-1]}: no point of {given.study or 'any study'}")
    for point, line, name in before | after:
        [(was, status), (now, becomes)] = ((of.get((point, line, name), "-"), of.get((point, 0, ""), "-")) for of in (before, after))
        if was != now and (status == becomes or not line) and not (one_store and status == "-"):  # a point that was never run before
            found.append(("value", f"{point} line {line}: {name}", str(was), str(now)) if line else ("point", point, was, now))
    tell(given, ["kind", "what", "before", "after"], sorted(found, key=lambda row: row[0]))
    print(f"points in both: {len({key for key in before if not key[1]} & set(after))}; changes: {len(found)}")
    return int(bool(found))


def trend(given: argparse.Namespace) -> None:
    rows = []
    for path in given.store:
        with opened(path) as db:
            found = db.execute(TREND.format(rows=quoted(given.rows), value=quoted(f"mean {given.value}")),
                               {"store": str(path), "study": given.study, "rows": given.rows, "value": given.value})
            names = [column[0] for column in found.description]
            rows += (of_store := found.fetchall())
            want(of_store, f"{path}: no point of {given.study or 'any study'} has been run")
    tell(given, names, sorted(rows, key=lambda row: (row[1], row[3], str(row[7]))))
