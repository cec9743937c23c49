# SPDX-License-Identifier: Apache-2.0
"""What is asked of stores: ballast query, diff and trend. Numbers by other means; what was planted in a store, and nothing else, has changed.

  python3 sim/sweep/test_query.py BALLAST
  python3 sim/sweep/test_query.py BALLAST parquet     tables as Parquet, read by the pyarrow of build/pypi (tb/flow/pypi.py), which is filled from PyPI

Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import csv
import json
import os
import re
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
import pypi  # noqa: E402
from planted import expect  # noqa: E402
from test_sweep import Sweeps, good, grid, up_to  # noqa: E402

BALLAST = str(Path(sys.argv[1]).resolve())
TWO = grid("prints", "n,y,X\\n3,4.5,2\\n5,6 %%,\\n")


class Stores(Sweeps):
    def refused(self, command: str, cases: dict[str, tuple[list[object], int, str]], *words: object) -> None:
        """By name: more words, exit status, and the one line that it says."""
        for name, (more, status, line) in cases.items():
            with self.case(f"{command}: {name}: one line"):
                self.command(status, BALLAST, command, *words, *more)
                self.one_line(line)

    def changed(self, change: str, path: Path | None = None) -> Path:
        """A store that is not what it was: a copy, or this one."""
        path = path or shutil.copy(self.store, self.work / "copy.sqlite")
        with closing(sqlite3.connect(path)) as db:
            db.executescript(change)
        return path

    def table(self, status: int, *words: object) -> list[tuple[str, ...]]:
        """What diff and trend write; they say it, too."""
        self.command(status, BALLAST, *words, "--csv", self.work / "d.csv")
        head, *rows = [tuple(row) for row in csv.reader((self.work / "d.csv").open())]
        for row in rows:
            self.says(" +".join(map(re.escape, row[:3])))
        return rows


# ---- query -----------------------------------------------------------------------------------------------

def questions(test: Stores) -> None:
    test.sweep(0, grid("good", "({kernel}-{policy})", more="axes.policy = {near = 2, far = 5}\naxes.kernel = {b = 6, a = 1, c = 3}"))
    test.real, value = BALLAST, ("--value", "square")
    costs = {(policy, kernel): (n - m) ** 2 for policy, m in (("near", 2), ("far", 5)) for kernel, n in (("b", 6), ("a", 1), ("c", 3))}
    with test.case("best, summary, cross, table, where, SQL by other means, in the study's order"):
        best = [tuple(row.values()) for row in test.query("best", *value)]
        expect(best == [("b", "far", "1.0", "near", "16.0"), ("a", "near", "1.0", "far", "16.0"), ("c", "near", "1.0", "far", "4.0")], f"{best}")
        found = [tuple(row.values()) for row in test.query("summary", *value, "--where", "kernel <> 'b'")]
        expect(found == [("near", "2", "1.0", "1", "1"), ("far", "2", "10.0", "4", "16")], f"{found}")
        cells = test.query("cross", *value, "--rows", "kernel", "--columns", "policy")
        expect([((row["column"], row["row"]), float(row["cost"])) for row in cells] == list(costs.items()), f"{cells}")
        test.query("table", "--out", test.work / "t.csv")
        expect([(row["policy"], row["kernel"], row["square"]) for row in csv.DictReader((test.work / "t.csv").open())] == [(*key, str(cost)) for key, cost in costs.items()], "table")
        test.command(0, *test.words("query", "sql", "SELECT sum(square) AS s, min(run_tries) AS tries, word FROM line"))
        expect(test.said == f" s  tries  word\n{sum(costs.values())}      1  w(6-2)\n", test.said)
    with test.case("the picture has each cost; of the same table the report has one"):
        test.query("picture", *value, "--out", test.work / "p.svg")
        (test.work / "build").mkdir()
        shutil.copy(test.work / "p.csv", test.work / "build/sweep.csv")
        (test.work / "small.csv").write_text("file,kernel,program\n" + "".join(f"{Path('vectors').resolve()}/hotspot.n{n}.blt,hotspot,\n" for n in (1, 2, 8)))
        test.command(0, BALLAST, "run", "--max-cycles", 1000, "--out", "run", "small.csv", cwd=test.work)
        page = (test.work / "run/report.html").read_text().partition('<section id="sweep">')[2].partition("</section>")[0]
        for picture in ((test.work / "p.svg").read_text(), page):
            expect(all(f">{text}</text>" in picture for text in ("1.0", "4.0", "16.0", "near", "far", "a", "b", "c")), "not all are there")
    with test.case("Parquet without pyarrow: one line says what is missing"):
        (test.work / "pyarrow.py").write_text("raise ImportError")
        test.command(2, *test.words("query", "table", "--out", test.work / "t.parquet"), env={"PYTHONPATH": str(test.work)})
        test.one_line("Parquet needs the Python package pyarrow")
    test.refused("query", {
        "writing SQL": (["sql", "DELETE FROM point"], 2, "readonly"), "wrong SQL": (["sql", "SELEKT"], 2, "syntax error"), "no SQL": (["sql"], 2, "wants a SELECT"),
        "two of them": (["sql", "SELECT 1; SELECT 2"], 2, "one statement at a time"), "too much": (["best", "of all"], 2, "sql, and nothing else, wants a SELECT"),
        "no such column": (["best"], 2, "no axis or column 'cost_percent'"), "a wrong where": (["table", "--where", "x ="], 2, "incomplete input|syntax error"),
        "no such study": (["table", "--study", "u"], 2, "--study takes one of: t"), "no such question": (["why"], 2, "invalid choice"),
        "another form": (["table", "--out", "x.xls"], 2, "to end with .csv or .parquet"), "a picture of nothing": (["picture", *value, "--where", "0"], 3, "nothing to draw"),
        "a picture of another form": (["picture", *value, "--out", "x.png"], 2, "to end with .svg"),
        "a place that cannot be written": (["table", "--out", test.file / "x.csv"], 3, "t.toml.*(Not a directory|File exists)")}, "--store", test.store)
    test.real = ""
    with test.case("an axis that is a column of others, a name of it in other letters, a point that failed"):
        test.fresh()
        test.sweep(1, grid("good", "{n}", more="axes.n = {many = 9}"), TWO, grid("fails", "{x}", more="axes.x = [3, 2]"))
        rows = test.query("table")
        expect([(row["n"], row["x"]) for row in rows] == [("many", ""), ("3", "2"), ("5", ""), ("3", "3")] and "X" not in rows[0], test.said)


# ---- diff and trend --------------------------------------------------------------------------------------

PLANTED = {
    "nothing": ("", []),
    "a number": ("UPDATE value SET value = 10 WHERE point = 3 AND name = 'square'", [("value", "t: good n=3 line 1: square", "9", "10")]),
    "the last digit": ("UPDATE value SET value = 4.500000000000001 WHERE value = 4.5", [("value", "t: prints line 1: y", "4.5", "4.500000000000001")]),
    "a column more": ("INSERT INTO value VALUES (1, 1, 'more', 'x')", [("value", "t: good n=1 line 1: more", "-", "x")]),
    "a line less": ("DELETE FROM value WHERE point = 6 AND line = 2", [("value", f"t: prints line 2: {name}", was, "-") for name, was in (("n", "5"), ("y", "6 %"))]),
    "a point that fails, and one of two with the same axes": (
        "UPDATE point SET status = 'failed' WHERE id = 2; UPDATE value SET value = 1 WHERE point = 7 AND name = 'square'",
        [("point", "t: good n=2", "done", "failed"), ("value", "t: good n=3 (2) line 1: square", "9", "1")]),
    "a point that is gone": ("DELETE FROM member WHERE point = 1", [("point", "t: good n=1", "done", "-")]),
    "another study": ("UPDATE member SET study = 'u' WHERE point = 4; UPDATE axis SET study = 'u' WHERE point = 4",
                      [("point", "t: fails n=1", "done", "-"), ("point", "u: fails n=1", "-", "done")]),
    "seconds, host and path": ("UPDATE point SET seconds = 99, host = 'x', command = '/else/where/' || substr(command, instr(command, 'fake'))", [])}


def squares(*changes: tuple[int, int, int]) -> list[tuple[str, ...]]:
    return [("value", f"t: good n={n} line 1: square", str(was), str(now)) for n, was, now in changes]


def diffs(test: Stores) -> None:
    def diff(wanted: list[tuple[str, ...]], *stores: Path) -> None:
        found = test.table(bool(wanted), "diff", *stores)
        expect(found == wanted, f"{found}")
        test.says(f"; changes: {len(wanted)}$")
    test.fresh()
    test.sweep(1, good(up_to(3)), grid("fails", "{n}", more=f"axes.n = {up_to(2)}"), TWO, good([3], "again"))
    for name, (change, wanted) in PLANTED.items():
        with test.case(f"diff: {name}"):
            diff(wanted, test.store, test.changed(change))
    with test.case("diff: one store: what the same commands gave with an earlier program, of those that it ran"):
        diff([], test.store)  # it was never run before
        test.program("+ $2")
        test.sweep(0, good(up_to(4)))
        diff(squares((1, 1, 2), (3, 9, 6)), test.store)
        test.says("^points in both: 3; ")
        test.program("* 7")
        test.sweep(0)
        diff(squares((1, 2, 7), (2, 4, 14), (3, 6, 21), (4, 8, 28)), test.store)
        test.changed("UPDATE point SET status = 'failed' WHERE id IN (SELECT point FROM value WHERE name = 'square' AND value = 6)", test.store)  # the program in between
        diff(squares((1, 2, 7), (2, 4, 14), (3, 9, 21), (4, 8, 28)), test.store)
    bad = test.work / "bad.sqlite"
    bad.write_bytes((sound := test.store.read_bytes())[:4096] + bytes(range(256)) * 64 + sound[20480:])
    test.refused("diff", {
        "a study that is not there": (["--study", "u"], 2, "has no point of u"), "a third one": ([test.store] * 2, 2, "two runs are compared, not 3"),
        "a build": (["--build-a", "a", "--build-b", "b"], 2, "--build-a: only of folders of runs"), "a folder beside it": ([test.work], 3, "there is no store"),
        "a store that is damaged": ([bad], 3, "bad.sqlite: .*malformed")}, test.store)
    test.refused("diff", {"folders and an option of stores": (["--study", "t", test.work], 2, "only of stores of sweeps")}, test.work)


def trends(test: Stores) -> None:
    test.fresh()
    test.sweep(1, good([1, 2, 3, 5]), grid("fails", "{m}", more="axes.m = [2, 4]"))
    before = shutil.copy(test.changed("UPDATE point SET finished = '2000-01-01 00:00:00'", test.store), test.work / "before.sqlite")
    test.program("+ $2")
    test.sweep(0, good([2, 3, 5]))
    again = test.changed("INSERT INTO point SELECT 99, 'k', command, program, 'done', 1, 1.0, finished, host, '' FROM point WHERE id = 2;"
                         "INSERT INTO value VALUES (99, 1, 'square', 1000)")
    (was, _), (now, date) = test.sql("SELECT DISTINCT program, max(finished) FROM point GROUP BY program ORDER BY id")
    earlier, later = (was, "2000-01-01 00:00:00", "3", "0"), (now, date, "3", "0")
    alone = (was, "2000-01-01 00:00:00", "5", "1")
    for name, rows, value, stores, wanted in (
            ("each program by its date, with the means of what the study has now", "word", "square", [test.store], [
                *((*earlier, f"w{n}", f"{n * n}.0", "1") for n in (2, 3, 5)), *((*later, f"w{n}", f"{n + n}.0", "1") for n in (2, 3, 5))]),
            ("the mean of all lines, of several stores", "", "square", [test.store, before], [
                (*earlier, "", str(38 / 3), "3"), (*alone, "", "9.75", "4"), (*later, "", str(20 / 3), "3")]),
            ("rows by an axis that is no column, with other rows", "m", "n", [before], [(*alone, "", "2.75", "4"), (*alone, "4", "4.0", "1")]),
            ("a program that ran a command with several files: the last counts", "", "square", [again], [(*earlier, "", str(1034 / 3), "3"), (*later, "", str(20 / 3), "3")]),
            ("words have no mean", "n", "word", [before], [(*alone, "", "", "")])):
        with test.case(f"trend: {name}"):
            found = test.table(0, "trend", *(["--rows", rows] if rows else []), "--value", value, *stores)
            expect([(*row[2:6], *row[7:]) for row in found] == wanted and {row[0] for row in found} == set(map(str, stores)), f"{found} {wanted}")
    test.refused("trend", {
        "no such study": (["--study", "u"], 3, "no point of u has been run"), "a page": (["--html", test.work / "x.html"], 2, "--html: only of folders of runs"),
        "a folder beside it": ([test.work], 3, "there is no store")}, test.store)
    test.refused("trend", {"a folder and an option of stores": (["--rows", "n"], 2, "only of stores of sweeps")}, test.work)


# ---- Parquet ---------------------------------------------------------------------------------------------

READ = "import json, sys, pyarrow.parquet as p; t = p.read_table(sys.argv[1]); print(json.dumps([[str(t.schema.field(n).type), t[n].to_pylist()] for n in t.column_names]))"
COLUMNS = {
    "numbers, words, and what a line does not have": ("SELECT n, square, word FROM line ORDER BY point, line",
                                                      [["int64", [1, 2, 3, 5]], ["int64", [1, 4, None, None]], ["string", ["w1", "w2", None, None]]]),
    "numbers beside words are words": ("SELECT y FROM line WHERE y IS NOT NULL", [["string", ["4.5", "6 %"]]]),
    "whole numbers beside others": ("SELECT 1 AS a UNION ALL SELECT 0.1", [["double", [1.0, 0.1]]]),
    "numbers that no type holds together": ("SELECT 9223372036854775807 AS a UNION ALL SELECT 0.1", [["string", ["9223372036854775807", "0.1"]]]),
    "nothing": ("SELECT NULL AS a, 1 AS b WHERE 0", [["null", []], ["null", []]])}


def parquet(test: Stores) -> None:
    venv, out = pypi.environment(pypi.PYARROW).resolve(), test.work / "t.parquet"
    os.environ["PATH"] = f"{venv / 'bin'}:{os.environ['PATH']}"
    test.sweep(0, good(up_to(2)), TWO)
    test.real = BALLAST
    for name, (sql, wanted) in COLUMNS.items():
        with test.case(f"Parquet: {name}"):
            test.query("sql", sql, "--out", out)
            test.command(0, venv / "bin/python", "-c", READ, out)
            expect(json.loads(test.said) == wanted, test.said)
    test.refused("query", {"two columns of one name": (["sql", "SELECT 1 AS a, 2 AS a", "--out", out], 2, "two columns are called 'a'")}, "--store", test.store)


if __name__ == "__main__":
    Stores.main("", *([parquet] if sys.argv[2:] == ["parquet"] else [questions, diffs, trends]))
