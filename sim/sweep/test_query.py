# SPDX-License-Identifier: Apache-2.0
"""test_query.py BALLAST: what ballast query, diff and trend say of stores: nothing but what was planted has changed. Run from the
repository root."""
from __future__ import annotations

import contextlib
import csv
import re
import shutil
import sqlite3
from pathlib import Path

from sweep_fixture import BALLAST, Sweeps, expect, good, grid, same


def changed(test: Sweeps, change: str, path: Path | None = None) -> Path:
    """A store that is not what it was: a copy, or this one."""
    path = path or shutil.copy(test.store, test.work / "copy.sqlite")
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(change)
    return path


def table(test: Sweeps, status: int, *words: object) -> list[tuple[str, ...]]:
    """What diff and trend write; they say it, too."""
    test.command(status, BALLAST, *words, "--csv", test.work / "d.csv")
    rows = [tuple(row) for row in csv.reader((test.work / "d.csv").open())]
    expect(all(re.search(" +".join(map(re.escape, row[:3])), test.said) for row in rows), f"says something else than {rows}")
    return rows[1:]


def questions(test: Sweeps) -> None:
    test.sweep(0, grid("good", "({kernel}-{policy})", more="axes.policy = {near = 2, far = 5}\naxes.kernel = {b = 6, a = 1, c = 3}"))
    test.real, value = BALLAST, ("--value", "square")
    costs = {(policy, kernel): (n - m) ** 2 for policy, m in (("near", 2), ("far", 5)) for kernel, n in (("b", 6), ("a", 1), ("c", 3))}
    with test.case("best, summary, cross, table, where, SQL by other means, in the study's order"):
        best = [" ".join(row.values()) for row in test.query("best", *value)]
        same(best, ["b far 1.0 near 16.0", "a near 1.0 far 16.0", "c near 1.0 far 4.0"])
        summary = [" ".join(row.values()) for row in test.query("summary", *value, "--where", "kernel <> 'b'")]
        same(summary, ["near 2 1.0 1 1", "far 2 10.0 4 16"])
        cells = test.query("cross", *value, "--rows", "kernel", "--columns", "policy")
        same([((row["column"], row["row"]), float(row["cost"])) for row in cells], list(costs.items()))
        test.command(0, *test.words("query", "sql", "SELECT sum(square) AS s, min(run_tries) AS tries, word FROM line"))
        same(test.said, f" s  tries  word\n{sum(costs.values())}      1  w(6-2)\n")
    with test.case("the picture has each cost; of the same table the report has one"):
        test.query("picture", *value, "--out", test.work / "p.svg")
        (test.work / "build").mkdir()
        shutil.copy(test.work / "p.csv", test.work / "build/sweep.csv")
        runs = (f"{Path('vectors').resolve()}/hotspot.n{n}.blt,hotspot,\n" for n in (1, 2, 8))
        (test.work / "small.csv").write_text("file,kernel,program\n" + "".join(runs))
        test.command(0, BALLAST, "run", "--max-cycles", 1000, "--out", "run", "small.csv", cwd=test.work)
        page = (test.work / "run/report.html").read_text().partition('<section id="sweep">')[2].partition("</section>")[0]
        for picture in ((test.work / "p.svg").read_text(), page):
            expect(all(f">{text}</text>" in picture for text in ("1.0", "4.0", "16.0", "near", "far", "a", "b", "c")), "not all are there")
    with test.case("Parquet without pyarrow: one line says what is missing"):
        (test.work / "pyarrow.py").write_text("raise ImportError")
        test.command(2, *test.words("query", "table", "--out", test.work / "t.parquet"), env={"PYTHONPATH": str(test.work)})
        test.one_line("Parquet needs the Python package pyarrow")
    test.refused("query", 2, {
        "sql 'DELETE FROM point'": "readonly", "sql SELEKT": "syntax error", "sql": "wants a SELECT",
        "best": "no axis or column 'cost_percent'", "table --where 'x ='": "incomplete input|syntax error",
        "table --study u": "--study takes one of: t", "table --out x.xls": "to end with .csv or .parquet",
        "picture --value square --out x.png": "end with .svg"}, "--store", test.store)
    test.refused("query", 3, {"picture --value square --where 0": "nothing to draw",
                              f"table --store {test.file}": "t.toml: file is not a database"}, "--store", test.store)
    test.real = ""
    with test.case("an axis that is a column of others, a name of it in other letters, a point that failed"):
        test.fresh()
        test.sweep(1, grid("good", "{n}", more="axes.n = {many = 9}"), grid("two"), grid("fails", "{x}", more="axes.x = [3, 2]"))
        rows = test.query("table")
        same([(row["n"], row["x"]) for row in rows], [("many", ""), ("3", "2"), ("5", ""), ("3", "3")])
        expect("X" not in rows[0] and len(test.query("summary", "--rows", "n", *value)) == 1, test.said)


PLANTED = {
    "nothing": ("", []),
    "a number": ("UPDATE value SET value = 10 WHERE point = 3 AND name = 'square'", [("value", "t: good n=3 line 1: square", "9", "10")]),
    "the last digit": ("UPDATE value SET value = 4.500000000000001 WHERE value = 4.5",
                       [("value", "t: two line 1: y", "4.5", "4.500000000000001")]),
    "a column more": ("INSERT INTO value VALUES (1, 1, 'more', 'x')", [("value", "t: good n=1 line 1: more", "-", "x")]),
    "a line less": ("DELETE FROM value WHERE point = 6 AND line = 2",
                    [("value", "t: two line 2: n", "5", "-"), ("value", "t: two line 2: y", "6 %", "-")]),
    "a point that fails, and one of two with the same axes": (
        "UPDATE point SET status = 'failed' WHERE id = 2; UPDATE value SET value = 1 WHERE point = 7 AND name = 'square'",
        [("point", "t: good n=2", "done", "failed"), ("value", "t: good n=3 (2) line 1: square", "9", "1")]),
    "a point that is gone": ("DELETE FROM member WHERE point = 1", [("point", "t: good n=1", "done", "-")]),
    "another study": ("UPDATE member SET study = 'u' WHERE point = 4; UPDATE axis SET study = 'u' WHERE point = 4",
                      [("point", "t: fails n=1", "done", "-"), ("point", "u: fails n=1", "-", "done")]),
    "seconds, host and path": (
        "UPDATE point SET seconds = 99, host = 'x', command = '/else/where/' || substr(command, instr(command, 'fake'))", [])}


def diffs(test: Sweeps) -> None:
    def diff(wanted: list[tuple[str, ...]], *stores: Path) -> None:
        same(table(test, bool(wanted), "diff", *stores), wanted)
        test.says(f"; changes: {len(wanted)}$")
    test.fresh()
    test.sweep(1, good("{from = 1, to = 3}"), grid("fails", "{n}", more="axes.n = {from = 1, to = 2}"), grid("two"), good([3], "again"))
    for name, (change, wanted) in PLANTED.items():
        with test.case(f"diff: {name}"):
            diff(wanted, test.store, changed(test, change))
    with test.case("diff: one store: what the same commands gave with an earlier program, of those that it ran"):
        def squares(*changes: tuple[int, int, int]) -> None:
            diff([("value", f"t: good n={n} line 1: square", str(was), str(now)) for n, was, now in changes], test.store)
        squares()  # it was never run before
        test.program("+ $2")
        test.sweep(0, good("{from = 1, to = 4}"))
        squares((1, 1, 2), (3, 9, 6))
        test.says("^points in both: 3; ")
        test.program("* 7")
        test.sweep(0)
        squares((1, 2, 7), (2, 4, 14), (3, 6, 21), (4, 8, 28))
        six = "SELECT point FROM value WHERE name = 'square' AND value = 6"  # of the program in between
        changed(test, f"UPDATE point SET status = 'failed' WHERE id IN ({six})", test.store)
        squares((1, 2, 7), (2, 4, 14), (3, 9, 21), (4, 8, 28))
    test.refused("diff", 3, {"--study u": "no point of u", str(test.work): "there is no store"}, test.store)
    test.refused("diff", 2, {f"{test.store} {test.store}": "two runs are compared, not 3",
                             "--build-a a --build-b b": "--build-a: only of folders of runs"}, test.store)
    test.refused("diff", 2, {f"--study t {test.work}": "only of stores of sweeps"}, test.work)


def trends(test: Sweeps) -> None:
    test.fresh()
    test.sweep(1, good([1, 2, 3, 5]), grid("fails", "{m}", more="axes.m = [2, 4]"))
    changed(test, "UPDATE point SET finished = '2000-01-01 00:00:00'", test.store)
    before = shutil.copy(test.store, test.work / "before.sqlite")
    test.program("+ $2")
    test.sweep(0, good([2, 3, 5]))
    again = changed(test, "INSERT INTO point SELECT 99, 'k', command, program, 'done', 1, 1.0, finished, host, '' FROM point WHERE id = 2;"
                          "INSERT INTO value VALUES (99, 1, 'square', 1000)")
    (was, _), (now, date) = test.sql("SELECT DISTINCT program, max(finished) FROM point GROUP BY program ORDER BY id")
    earlier, later, alone = (was, "2000-01-01 00:00:00", "3", "0"), (now, date, "3", "0"), (was, "2000-01-01 00:00:00", "5", "1")
    means = [*((*earlier, f"w{n}", f"{n * n}.0", "1") for n in (2, 3, 5)), *((*later, f"w{n}", f"{n + n}.0", "1") for n in (2, 3, 5))]
    of_all = [(*earlier, "", str(1034 / 3), "3"), (*alone, "", "9.75", "4"), (*later, "", str(20 / 3), "3")]
    for name, rows, value, stores, wanted in (
            ("each program by its date, with the means of what the study has now", "word", "square", [test.store], means),
            ("all lines, of several stores; of a command run with several files the last", "policy", "square", [again, before], of_all),
            ("rows by an axis that is no column", "m", "n", [before], [(*alone, "", "2.75", "4"), (*alone, "4", "4.0", "1")]),
            ("words have no mean", "n", "word", [before], [(*alone, "", "", "")])):
        with test.case(f"trend: {name}"):
            found = table(test, 0, "trend", "--rows", rows, "--value", value, *stores)
            same([(*row[2:6], *row[7:]) for row in found], wanted)
            same({row[0] for row in found}, set(map(str, stores)))
    test.refused("trend", 3, {"--study u": "no point of u has been run"}, test.store)
    test.refused("trend", 2, {"--html x.html": "--html: only of folders of runs"}, test.store)


if __name__ == "__main__":
    Sweeps.main("", questions, diffs, trends)
