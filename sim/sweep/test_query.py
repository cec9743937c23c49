# SPDX-License-Identifier: Apache-2.0
"""What is asked of stores: ballast query, diff and trend. Numbers by other means; what was planted in a store, and nothing else, has changed.

  python3 sim/sweep/test_query.py BALLAST

Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import csv
import os
import re
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
from planted import expect  # noqa: E402
from test_sweep import Sweeps, good, grid, up_to  # noqa: E402

BALLAST = str(Path(sys.argv[1]).resolve())
TWO = grid("two")


class Stores(Sweeps):
    def refused(self, command: str, cases: dict[str, tuple[list[object], int, str]], *words: object) -> None:
        """By name: more words, exit status, and the one line that it says."""
        for name, (more, status, line) in cases.items():
            with self.case(f"{command}: {name}: one line"):
                self.command(status, BALLAST, command, *words, *more)
                self.one_line(line)

    def changed(self, change: str = "", path: Path | None = None) -> Path:
        """A copy of the store that is not what it was."""
        path = path or self.work / "copy.sqlite"
        if path != self.store:
            shutil.copy(self.store, path)
        with closing(sqlite3.connect(path)) as db:
            db.executescript(change)
            db.commit()
        return path

    def table(self, status: int, *words: object) -> list[dict[str, str]]:
        """What diff and trend write."""
        self.command(status, BALLAST, *words, "--csv", self.work / "d.csv")
        with (self.work / "d.csv").open() as file:
            return list(csv.DictReader(file))

    def diff(self, wanted: list[tuple[str, ...]], *stores: Path) -> None:
        found = [tuple(row.values()) for row in self.table(bool(wanted), "diff", *stores)]
        expect(found == wanted and all(re.search(" +".join(map(re.escape, row)), self.said) for row in wanted), f"{found}")
        self.says(f"; changes: {len(wanted)}$")


# ---- query -----------------------------------------------------------------------------------------------

def questions(test: Stores) -> None:
    test.real = BALLAST
    families = {name: sorted(Path("vectors").resolve().glob(f"{name}.n*.blt")) for name in ("fma", "hotspot")}
    policies, costs = ("static", "lcs"), {}
    with test.case("ballast sweep: the numbers are those of the command"):
        test.sweep(0, grid("family", "--csv", "--policy", "{policy}", "{kernel}", more="axes.policy = ['static', 'lcs']"),
                   "axes.kernel = {fma = 'vectors/fma.n*.blt', hotspot = 'vectors/hotspot.n*.blt'}", by=("--jobs", 1))
        for kernel, paths in families.items():
            for policy in policies:
                test.command(0, BALLAST, "family", "--csv", "--policy", policy, "--out", test.work / "f", *paths)
                costs[policy, kernel] = float(test.rows()[0]["cost_percent"])
        test.query("table", "--out", test.work / "t.csv")
        rows = list(csv.DictReader((test.work / "t.csv").open()))
        expect({(row["policy"], row["kernel"]): float(row["cost_percent"]) for row in rows} == costs and len(rows) == 4, f"{rows} {costs}")
    with test.case("best, summary, cross, where, SQL by other means"):
        best = {row["kernel"]: (row["policy"], float(row["cost_percent"]), row["next"], float(row["next_value"])) for row in test.query("best")}
        ranked = {kernel: sorted((costs[policy, kernel], at, policy) for at, policy in enumerate(policies)) for kernel in families}
        expect(best == {kernel: (first[2], first[0], second[2], second[0]) for kernel, (first, second) in ranked.items()}, f"{best}")
        found = {row["policy"]: float(row["most"]) for row in test.query("summary", "--where", "kernel = 'fma'")}
        expect(found == {policy: costs[policy, "fma"] for policy in policies}, f"{found}")
        cells = test.query("cross", "--rows", "kernel", "--columns", "policy")
        expect({(row["column"], row["row"]): float(row["cost"]) for row in cells} == costs, "other cells")
        expect(abs(float(test.query("sql", "SELECT sum(cost_percent) AS s FROM line")[0]["s"]) - sum(costs.values())) < 1e-9, "another sum")
    with test.case("the picture has each cost; of the same table the report has one"):
        test.query("picture", "--out", test.work / "p.svg")
        picture = (test.work / "p.svg").read_text()
        expect(all(f">{cost:.1f}</text>" in picture for cost in costs.values()) and all(f">{name}</text>" in picture for name in families), "not all are there")
        (test.work / "build").mkdir()
        shutil.copy(test.work / "p.csv", test.work / "build/sweep.csv")
        (test.work / "small.csv").write_text("file,kernel,program\n" + "".join(f"{os.path.relpath(path, test.work)},hotspot,\n" for path in families["hotspot"]))
        test.command(0, BALLAST, "run", "--max-cycles", 1000, "--out", "run", "small.csv", cwd=test.work)
        page = (test.work / "run/report.html").read_text().partition('<section id="sweep">')[2].partition("</section>")[0]
        expect(all(f">{cost:.1f}</text>" in page for cost in costs.values()), "the report has not all")
        with (test.work / "p.csv").open("a") as file:
            print("lcs,fma,many,x", file=file)
        test.command(3, BALLAST, "figure", "--table", test.work / "p.csv", "--out", test.work / "q.svg")
        test.one_line("p.csv: line 6: a cost that is no number")
        expect(not (test.work / "q.svg").exists(), "a picture of half a table")
    with test.case("Parquet without pyarrow: one line says what is missing"):
        (test.work / "pyarrow.py").write_text("raise ImportError")
        test.command(2, *test.words("query", "table", "--out", test.work / "t.parquet"), env={"PYTHONPATH": str(test.work)})
        test.one_line("Parquet needs the Python package pyarrow")
    (test.work / "folder.svg").mkdir()
    test.refused("query", {
        "writing SQL": (["sql", "DELETE FROM point"], 2, "readonly"), "wrong SQL": (["sql", "SELEKT"], 2, "syntax error"), "no SQL": (["sql"], 2, "wants a SELECT"),
        "two of them": (["sql", "SELECT 1; SELECT 2"], 2, "one statement at a time"), "too much": (["best", "of all"], 2, "sql, and nothing else, wants a SELECT"),
        "no such column": (["best", "--value", "speed"], 2, "no axis or column 'speed'"),
        "a wrong where": (["table", "--where", "x ="], 2, "incomplete input|syntax error"),
        "no such study": (["table", "--study", "u"], 2, "--study takes one of: t"), "no such question": (["why"], 2, "invalid choice"),
        "another form": (["table", "--out", "x.xls"], 2, "to end with .csv or .parquet"),
        "a picture of another form": (["picture", "--out", "x.png"], 2, "to end with .svg"), "a picture of nothing": (["picture", "--where", "0"], 3, "nothing to draw"),
        "a picture that cannot be drawn": (["picture", "--out", test.work / "folder.svg"], 3, "folder.svg"),
        "a place that cannot be written": (["table", "--out", test.file / "x.csv"], 3, "t.toml.*(Not a directory|File exists)"),
    }, "--store", test.store)
    test.real = ""
    with test.case("an axis that is a column of others, a name of it in other letters, a point that failed"):
        test.fresh()
        test.sweep(1, grid("good", "{n}", more="axes.n = {many = 9}"), TWO, grid("fails", "{X}", more="axes.X = [3, 2]"))
        rows = test.query("table")
        expect([(row["n"], row["X"]) for row in rows] == [("many", ""), ("1", "2"), ("3", ""), ("5", ""), ("3", "3")], test.said)
        expect([name for name in rows[0] if name[0] in "xX"] == ["X"], f"{list(rows[0])}")


# ---- diff ------------------------------------------------------------------------------------------------

PLANTED = {
    "nothing": ("", []),
    "a number": ("UPDATE value SET value = 10 WHERE point = 3 AND name = 'square'", [("value", "t: good n=3 line 1: square", "9", "10")]),
    "the last digit": ("UPDATE value SET value = 4.500000000000001 WHERE value = 4.5", [("value", "t: two m=7 n=1 line 2: y", "4.5", "4.500000000000001")]),
    "a column more": ("INSERT INTO value VALUES (1, 1, 'more', 'x')", [("value", "t: good n=1 line 1: more", "-", "x")]),
    "a line less": ("DELETE FROM value WHERE point = 6 AND line = 3",
                    [("value", f"t: two m=7 n=1 line 3: {name}", was, "-") for name, was in (("n", "5"), ("table", "2"), ("y", "6 %"))]),
    "a point that fails, and one of two with the same axes": (
        "UPDATE point SET status = 'failed' WHERE id = 2; UPDATE value SET value = 1 WHERE point = 7 AND name = 'square'",
        [("point", "t: good n=2", "done", "failed"), ("value", "t: good n=3 (2) line 1: square", "9", "1")]),
    "a point that is gone": ("DELETE FROM member WHERE point = 1", [("point", "t: good n=1", "done", "-")]),
    "another study": ("UPDATE member SET study = 'u' WHERE point = 4; UPDATE axis SET study = 'u' WHERE point = 4",
                      [("point", "t: fails n=1", "done", "-"), ("point", "u: fails n=1", "-", "done")]),
    "seconds, host and path": ("UPDATE point SET seconds = 99, host = 'x', command = '/else/where/' || substr(command, instr(command, 'fake'))", []),
}


def squares(*changes: tuple[int, int, int]) -> list[tuple[str, ...]]:
    return [("value", f"t: good n={n} line 1: square", str(was), str(now)) for n, was, now in changes]


def diffs(test: Stores) -> None:
    test.fresh()
    test.sweep(1, good(up_to(3)), grid("fails", "{n}", more=f"axes.n = {up_to(2)}"), grid("two", "{m}", "{n}", more="axes.m = [7]\naxes.n = [1]"), good([3], "again"))
    for name, (change, wanted) in PLANTED.items():
        with test.case(f"diff: {name}"):
            test.diff(wanted, test.store, test.changed(change))
    with test.case("diff: one store: what the same commands gave with an earlier program, of those that it ran"):
        test.diff([], test.store)  # it was never run before
        test.program("+ $2")
        test.sweep(0, good(up_to(4)))
        test.diff(squares((1, 1, 2), (3, 9, 6)), test.store)
        test.says("^points in both: 3; ")
        test.program("* 7")
        test.sweep(0)
        test.diff(squares((1, 2, 7), (2, 4, 14), (3, 6, 21), (4, 8, 28)), test.store)
        test.changed("UPDATE point SET status = 'failed' WHERE id IN (SELECT point FROM value WHERE name = 'square' AND value = 6)", test.store)  # the program in between
        test.diff(squares((1, 2, 7), (2, 4, 14), (3, 9, 21), (4, 8, 28)), test.store)
    sound = test.store.read_bytes()
    (test.work / "bad.sqlite").write_bytes(sound[:4096] + bytes(range(256)) * 64 + sound[20480:])
    test.refused("diff", {
        "a study that is not there": (["--study", "u"], 2, "has no point of u"), "a folder beside it": ([test.work], 3, "there is no store"),
        "a third one": ([test.store] * 2, 2, "two runs are compared, not 3"), "a build": (["--build-a", "a", "--build-b", "b"], 2, "--build-a: only of folders of runs"),
        "a store that is damaged": ([test.work / "bad.sqlite"], 3, "bad.sqlite: .*malformed")}, test.store)
    test.refused("diff", {"folders and an option of stores": (["--study", "t", test.work], 2, "only of stores of sweeps")}, test.work)


# ---- trend -----------------------------------------------------------------------------------------------

def trends(test: Stores) -> None:
    test.fresh()
    test.sweep(1, good([1, 2, 3, 5]), grid("fails", "{m}", more="axes.m = [2, 4]"), TWO)
    test.changed("UPDATE point SET finished = '2000-01-01 00:00:00'", test.store)
    before = test.changed(path=test.work / "before.sqlite")
    test.program("+ $2")
    test.sweep(0, good([2, 3, 5]))
    again = test.changed("INSERT INTO point SELECT 99, 'k', command, program, 'done', 1, 1.0, finished, host, '' FROM point WHERE id = 2;"
                         "INSERT INTO value VALUES (99, 1, 'square', 1000)")
    was, now = (program[:16] for program, in test.sql("SELECT DISTINCT program FROM point ORDER BY id"))
    for name, rows, value, store, wanted in (  # program, done, failed, row, mean, lines
            ("each program by its date, with the means of what the study has now", "word", "square", test.store, [
                *((was, "3", "0", f"w{n}", str(float(n * n)), "1") for n in (2, 3, 5)), *((now, "3", "0", f"w{n}", str(float(n + n)), "1") for n in (2, 3, 5))]),
            ("the mean of all lines", "", "square", test.store, [(was, "3", "0", "", repr((4 + 9 + 25) / 3), "3"), (now, "3", "0", "", repr((4 + 6 + 10) / 3), "3")]),
            ("rows by an axis that is no column, with other rows", "m", "n", before, [(was, "6", "1", "", repr(20 / 7), "7"), (was, "6", "1", "4", "4.0", "1")]),
            ("a program that ran a command with several files: the last counts", "n", "square", again, [
                (was, "3", "0", "2", "1000.0", "1"), (was, "3", "0", "3", "9.0", "1"), (was, "3", "0", "5", "25.0", "1"), *((now, "3", "0", str(n), str(float(n + n)), "1") for n in (2, 3, 5))]),
            ("words have no mean", "n", "word", before, [(was, "6", "1", "", "", "")])):
        with test.case(f"trend: {name}"):
            runs = test.table(0, "trend", *(["--rows", rows] if rows else []), "--value", value, store)
            head = ["program", "done", "failed", rows or "policy", f"mean {value}", "lines"]
            expect([tuple(run[column] for column in head) for run in runs] == wanted, f"{runs}")
            test.says("^store +study +program +finished +done")
    with test.case("trend: several stores, by date"):
        expect([run["store"] for run in test.table(0, "trend", "--value", "square", test.store, before)] == [*map(str, (test.store, before, test.store))], test.said)
    test.refused("trend", {
        "no such study": (["--study", "u"], 3, "no point of u has been run"), "a page": (["--html", test.work / "x.html"], 2, "--html: only of folders of runs"),
        "a folder beside it": ([test.work], 3, "there is no store")}, test.store)
    test.refused("trend", {"a folder and an option of stores": (["--rows", "n"], 2, "only of stores of sweeps")}, test.work)


if __name__ == "__main__":
    Stores.main("", questions, diffs, trends)
