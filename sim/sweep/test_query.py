# SPDX-License-Identifier: Apache-2.0
"""What is asked of stores: ballast query, diff and trend. Numbers by other means; what was planted in a store, and nothing else, has changed.

  python3 sim/sweep/test_query.py BALLAST

Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import csv
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
from planted import expect  # noqa: E402
from test_sweep import GOOD, Sweeps, grid, numbers  # noqa: E402

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

    def compared(self, status: int, command: str, *words: object) -> list[dict[str, str]]:
        self.command(status, BALLAST, command, "--csv", self.work / "d.csv", *words)
        with (self.work / "d.csv").open() as file:
            return list(csv.DictReader(file))

    def diff(self, *words: object, status: int = 1) -> list[tuple[str, ...]]:
        return [tuple(row.values()) for row in self.compared(status, "diff", *words)]

    def trend(self, *words: object) -> list[dict[str, str]]:
        return self.compared(0, "trend", *words)


# ---- query -----------------------------------------------------------------------------------------------

def questions(test: Stores) -> None:
    test.real = BALLAST
    families = {name: sorted(Path("vectors").resolve().glob(f"{name}.n*.blt")) for name in ("fma", "hotspot")}
    test.study(grid("family", "--csv", "--policy", "{policy}", "{kernel}", more="axes.policy = ['static', 'lcs']"),
               "axes.kernel = {fma = 'vectors/fma.n*.blt', hotspot = 'vectors/hotspot.n*.blt'}")
    costs = {}
    with test.case("ballast sweep: the numbers are those of the command"):
        test.sweep(0, "--jobs", 1)
        for kernel, paths in families.items():
            for policy in ("static", "lcs"):
                test.command(0, BALLAST, "family", "--csv", "--policy", policy, "--out", test.work / "f", *paths)
                costs[policy, kernel] = float(test.rows()[0]["cost_percent"])
        test.query("table", "--out", test.work / "t.csv")
        rows = list(csv.DictReader((test.work / "t.csv").open()))
        expect({(row["policy"], row["kernel"]): float(row["cost_percent"]) for row in rows} == costs and len(rows) == 4, f"{rows} {costs}")
    with test.case("best, summary, cross, where, SQL by other means"):
        best = {row["kernel"]: (row["policy"], float(row["cost_percent"]), row["next"], float(row["next_value"])) for row in test.query("best")}
        ranked = {kernel: sorted((costs[policy, kernel], at, policy) for at, policy in enumerate(("static", "lcs"))) for kernel in families}
        expect(best == {kernel: (first[2], first[0], second[2], second[0]) for kernel, (first, second) in ranked.items()}, f"{best}")
        found = {row["policy"]: float(row["most"]) for row in test.query("summary", "--where", "kernel = 'fma'")}
        expect(found == {policy: costs[policy, "fma"] for policy in ("static", "lcs")}, f"{found}")
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
        "two of them": (["sql", "SELECT 1; SELECT 2"], 2, "one statement at a time"), "too much": (["best", "of all"], 2, "takes nothing more"),
        "no such column": (["best", "--value", "speed"], 2, "no axis or column 'speed'"),
        "a wrong where": (["table", "--where", "x ="], 2, "incomplete input|syntax error"),
        "no such study": (["table", "--study", "u"], 2, "no study 'u'; --study takes one of: t"), "no such question": (["why"], 2, "invalid choice"),
        "another form": (["table", "--out", "x.xls"], 2, "to end with .csv or .parquet"),
        "a picture of another form": (["picture", "--out", "x.png"], 2, "to end with .svg"), "a picture of nothing": (["picture", "--where", "0"], 3, "nothing to draw"),
        "a picture that cannot be drawn": (["picture", "--out", test.work / "folder.svg"], 3, "folder.svg"),
        "a place that cannot be written": (["table", "--out", test.work / "t.toml/x.csv"], 3, "t.toml.*(Not a directory|File exists)"),
    }, "--store", test.store)
    test.real = ""
    with test.case("an axis that is a column of others, a name of it in other letters, a point that failed"):
        test.fresh()
        test.study(grid("good", "{n}", more="axes.n = {many = 9}"), TWO, grid("fails", "{X}", more="axes.X = [3, 2]"))
        test.sweep(1)
        rows = test.query("table")
        expect([(row["n"], row["X"]) for row in rows] == [("many", ""), ("1", ""), ("3", ""), ("5", ""), ("3", "3")], test.said)
        expect([name for name in rows[0] if name[0] in "xX"] == ["X"], f"{list(rows[0])}")


# ---- diff ------------------------------------------------------------------------------------------------

PLANTED = {
    "a number": ("UPDATE value SET value = 10 WHERE point = 3 AND name = 'square'", [("value", "t: good n=3: square", "9", "10")]),
    "the last digit": ("UPDATE value SET value = 4.500000000000001 WHERE value = 4.5", [("value", "t: two m=7 n=1 line 2: y", "4.5", "4.500000000000001")]),
    "a column more": ("INSERT INTO value VALUES (1, 1, 'more', 'x')", [("value", "t: good n=1: more", "-", "x")]),
    "a line less": ("DELETE FROM value WHERE point = 6 AND line = 3",
                    [("value", f"t: two m=7 n=1 line 3: {name}", was, "-") for name, was in (("n", "5"), ("table", "2"), ("y", "6 %"))]),
    "a point that fails": ("UPDATE point SET status = 'failed' WHERE id = 2", [("point", "t: good n=2", "done", "failed")]),
    "a point that is done": ("UPDATE point SET status = 'done' WHERE id = 5", [("point", "t: fails n=2", "failed", "done")]),
    "a point that is gone": ("DELETE FROM member WHERE point = 1", [("point", "t: good n=1", "done", "-")]),
    "another study": ("UPDATE member SET study = 'u' WHERE point = 4; UPDATE axis SET study = 'u' WHERE point = 4",
                      [("point", "t: fails n=1", "done", "-"), ("point", "u: fails n=1", "-", "done")]),
    "seconds, host and path": ("UPDATE point SET seconds = 99, host = 'x', command = '/else/where/' || substr(command, instr(command, 'fake'))", []),
    "the order of points": ("UPDATE member SET number = 100 - number WHERE point NOT IN (SELECT id FROM point WHERE status = 'failed')", []),
}


def diffs(test: Stores) -> None:
    test.fresh()
    test.study(GOOD, numbers(3), grid("fails", "{n}", more=numbers(2)), grid("two", "{m}", "{n}", more="axes.m = [7]\naxes.n = [1]"),
               grid("good", "{n}", "again", more="axes.n = [3]"))
    test.sweep(1)
    for name, (change, wanted) in PLANTED.items():
        with test.case(f"diff: {name}"):
            found = test.diff(test.store, test.changed(change), status=bool(wanted))
            expect(found == wanted and all(f"  {what}  {was} -> {now}\n" in test.said for _, what, was, now in wanted), f"{found}")
            test.says(f"^{len(wanted)} change{'s' * (len(wanted) != 1)}$")
    with test.case("diff: points of several grids with the same axes; they stand in the study's order; what was compared"):
        copy = test.changed("UPDATE value SET value = 99 WHERE name = 'square' AND point IN (1, 7); UPDATE member SET number = 100 - number")
        expect(test.diff(copy, test.store) == [("value", "t: good n=3: square", "99", "9"), ("value", "t: good n=1: square", "99", "1")], test.said)
        test.says("^compared: points 7, values 23$")
        test.says("^before: .*, the last finished {}, program {}$".format(*test.sql("SELECT max(finished), program FROM point")[0]))
    with test.case("diff: one store: what the same commands gave with an earlier program, of those that it ran"):
        expect(test.diff(test.store, status=0) == [], "it was never run before")
        test.program("+ $2")
        test.study(GOOD, numbers(4))
        test.sweep(0)
        expect(test.diff(test.store) == [("value", "t: good n=1: square", "1", "2"), ("value", "t: good n=3: square", "9", "6")], test.said)
        test.says("^compared: points 3, ")
        test.program("* 7")
        test.sweep(0)
        test.changed("UPDATE point SET status = 'failed' WHERE id IN (SELECT point FROM value WHERE name = 'square' AND value = 6)", test.store)  # the program in between
        wanted = ((1, 2, 7), (2, 4, 14), (3, 9, 21), (4, 8, 28))
        expect(test.diff(test.store) == [("value", f"t: good n={n}: square", str(was), str(now)) for n, was, now in wanted], test.said)
    test.refused("diff", {
        "a study that is not there": (["--study", "u"], 2, "has no study 'u'"), "a folder beside it": ([test.work], 3, "there is no store"),
        "no such file": ([test.work / "no.sqlite"], 3, "no.sqlite: there is no store"), "a third one": ([test.store] * 2, 2, "two runs are compared, not 3"),
        "a build": (["--build-a", "a", "--build-b", "b"], 2, "--build-a: only of folders of runs")}, test.store)
    test.refused("diff", {"folders and an option of stores": (["--study", "t", test.work], 2, "only of stores of sweeps")}, test.work)
    sound = test.store.read_bytes()
    for line, data in {"damaged": sound[:4096] + bytes(range(256)) * 64 + sound[20480:], "of another version": sound[:63] + b"\7" + sound[64:]}.items():
        (test.work / "bad.sqlite").write_bytes(data)
        test.refused("diff", {f"a store that is {line}": ([test.work / "bad.sqlite"], 3, line)}, test.store)


# ---- trend -----------------------------------------------------------------------------------------------

def trends(test: Stores) -> None:
    test.fresh()
    test.study(grid("good", "{n}", more="axes.n = [1, 2, 3, 5]"), grid("fails", "{m}", more="axes.m = [2, 4]"), TWO)
    test.sweep(1)
    test.changed("UPDATE point SET finished = '2000-01-01 00:00:00'", test.store)
    before = test.changed(path=test.work / "before.sqlite")
    test.program("+ $2")
    test.study(grid("good", "{n}", more="axes.n = [2, 3, 5]"))
    test.sweep(0)
    with test.case("trend: each program by its date, with the means of what the study has now"):
        runs = test.trend("--rows", "word", "--value", "square", test.store)
        expect([(run["done"], run["failed"], run["w2 mean"], run["w3 mean"], run["w5 mean"], run["w5 lines"]) for run in runs]
               == [("3", "0", "4.0", "9.0", "25.0", "1"), ("3", "0", "4.0", "6.0", "10.0", "1")], f"{runs}")
        expect(runs[0]["program"] != runs[1]["program"] and runs[0]["finished"] < runs[1]["finished"], "another order")
        runs = test.trend("--value", "square", test.store)
        expect([float(run["mean"]) for run in runs] == [(4 + 9 + 25) / 3, (4 + 6 + 10) / 3], f"{runs}")
    with test.case("trend: several stores, whose points may be others; what one does not have is '-'"):
        runs = test.trend("--rows", "n", "--value", "square", test.store, before)
        expect([(Path(run["store"]).name, run["done"], run["failed"], run["1 mean"]) for run in runs if run["program"] == runs[0]["program"]]
               == [("x.sqlite", "3", "0", ""), ("before.sqlite", "6", "1", "1.0")], f"{runs}")
        test.says(r"^\S+x.sqlite .* - ")
    with test.case("trend: rows by an axis that is no column, and line by line; words have no mean"):
        for rows, wanted in (("m", {"4 mean": "4.0", "4 lines": "1"}), ("table", {"1 mean": "1.0", "1 lines": "1", "2 mean": "4.0", "2 lines": "2"})):
            [run] = test.trend("--rows", rows, "--value", "n", before)
            expect(wanted.items() <= run.items(), f"{run}")
        [run] = test.trend("--value", "word", before)
        expect(list(run)[-1] == "seconds", f"{run}")
    with test.case("trend: a program that ran a command with several files: the last counts"):
        copy = test.changed("INSERT INTO point SELECT 99, 'k', command, program, 'done', 1, 1.0, finished, host, '' FROM point WHERE id = 2;"
                            "INSERT INTO value VALUES (99, 1, 'square', 1000)")
        expect(test.trend("--rows", "n", "--value", "square", copy)[0]["2 mean"] == "1000.0", test.said)
    test.refused("trend", {
        "no such axis": (["--rows", "nosuch", "--value", "square"], 2, "no point has an axis or a column 'nosuch'"),
        "no such study": (["--study", "u"], 3, "no point of study 'u' has been run"),
        "a page": (["--html", test.work / "x.html"], 2, "--html: only of folders of runs"), "a folder beside it": ([test.work], 3, "there is no store")}, test.store)
    test.refused("trend", {"a folder and an option of stores": (["--rows", "n"], 2, "only of stores of sweeps")}, test.work)


def main() -> int:
    with Stores("", "") as test:
        for part in (questions, diffs, trends):
            part(test)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
