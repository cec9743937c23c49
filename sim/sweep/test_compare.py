# SPDX-License-Identifier: Apache-2.0
"""ballast diff and ballast trend of stores of sweeps: what was planted in a store, and nothing else, has changed; means by other means.

  python3 sim/sweep/test_compare.py BALLAST

Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import csv
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
from planted import expect  # noqa: E402
from test_sweep import GRID, Sweeps, numbers  # noqa: E402

Rows = list[dict[str, str]]


class Compared(Sweeps):
    """Two stores: one as it was, and a copy of it."""

    def copied(self, change: str = "") -> Path:
        path = self.work / "copy.sqlite"
        shutil.copy(self.store, path)
        with closing(sqlite3.connect(path)) as db:
            db.executescript(change)
            db.commit()
        return path

    def diff(self, status: int, *words: object) -> Rows:
        self.command(status, self.real, "diff", "--csv", self.work / "d.csv", *words)
        with (self.work / "d.csv").open() as file:
            return list(csv.DictReader(file))

    def trend(self, *words: object) -> Rows:
        self.command(0, self.real, "trend", "--csv", self.work / "t.csv", *words)
        with (self.work / "t.csv").open() as file:
            return list(csv.DictReader(file))


def diffs(test: Compared) -> None:
    test.study(GRID.format('["good", "{n}"]') + numbers(3) + GRID.format('["fails", "{n}"]') + numbers(2) + GRID.format('["two", "{m}", "{n}"]') + "axes.m = [7]\naxes.n = [1]\n"
               + GRID.format('["good", "{n}", "again"]') + "axes.n = [3]\n")
    test.sweep(1)
    with test.case("diff: a store and its copy: nothing; the order of points does not matter"):
        expect(test.diff(0, test.store, test.copied("UPDATE member SET number = 100 - number WHERE point NOT IN (SELECT id FROM point WHERE status = 'failed')")) == [], test.said)
        test.says("^compared: points 7, values 23$")
        test.says("^0 changes$")
        test.says(f"^before: .*, the last finished {test.sql('SELECT max(finished) FROM point')[0][0]}, program {test.sql('SELECT program FROM point')[0][0]}$")
    with test.case("diff: points of several grids with the same axes; they stand in the study's order"):
        copy = test.copied("UPDATE value SET value = 99 WHERE name = 'square' AND point IN (1, 7); UPDATE member SET number = 100 - number")
        expect([tuple(row.values()) for row in test.diff(1, copy, test.store)] == [("value", "t: good n=3: square", "99", "9"), ("value", "t: good n=1: square", "99", "1")], test.said)
    planted = {
        "a number": ("UPDATE value SET value = 10 WHERE point = 3 AND name = 'square'", [("value", "t: good n=3: square", "9", "10")]),
        "the last digit": ("UPDATE value SET value = 4.500000000000001 WHERE value = 4.5", [("value", "t: two m=7 n=1 line 2: y", "4.5", "4.500000000000001")]),
        "a column more": ("INSERT INTO value VALUES (1, 1, 'more', 'x')", [("value", "t: good n=1: more", "-", "x")]),
        "a line less": ("DELETE FROM value WHERE point = 6 AND line = 3",
                        [("value", f"t: two m=7 n=1 line 3: {name}", was, "-") for name, was in (("n", "5"), ("table", "2"), ("y", "6 %"))]),
        "a point that fails": ("UPDATE point SET status = 'failed' WHERE id = 2", [("point", "t: good n=2", "done", "failed")]),
        "a point that is done": ("UPDATE point SET status = 'done' WHERE id = 5", [("point", "t: fails n=2", "failed", "done")]),
        "a point that is gone": ("DELETE FROM member WHERE point = 1", [("point", "t: good n=1", "done", "-")]),
        "another study": ("UPDATE member SET study = 'u' WHERE point = 4; UPDATE axis SET study = 'u' WHERE point = 4", [("point", "t: fails n=1", "done", "-"), ("point", "u: fails n=1", "-", "done")]),
        "seconds, host and path": ("UPDATE point SET seconds = 99, host = 'x', command = '/else/where/' || substr(command, instr(command, 'fake'))", []),
    }
    for name, (change, wanted) in planted.items():
        with test.case(f"diff: {name}"):
            found = test.diff(bool(wanted), test.store, test.copied(change))
            expect([tuple(row.values()) for row in found] == wanted and all(f"  {what}  {was} -> {now}\n" in test.said for _, what, was, now in wanted), f"{found}")
            test.says(f"^{len(wanted)} change{'s' * (len(wanted) != 1)}$")
    with test.case("diff: one store: what the same commands gave with an earlier program, of those that it ran"):
        expect(test.diff(0, test.store) == [], "it was never run before")
        test.ballast.write_text(test.ballast.read_text().replace("$2 * $2", "$2 + $2"))
        test.study(GRID.format('["good", "{n}"]') + numbers(4))
        test.sweep(0)
        expect([tuple(row.values()) for row in test.diff(1, test.store)] == [("value", "t: good n=1: square", "1", "2"), ("value", "t: good n=3: square", "9", "6")], test.said)
        test.says("^compared: points 3, ")
        test.ballast.write_text(test.ballast.read_text().replace("$2 + $2", "$2 * 7"))
        test.sweep(0)
        with closing(sqlite3.connect(test.store)) as db:  # the program in between could not do one of them
            db.execute("UPDATE point SET status = 'failed' WHERE id IN (SELECT point FROM value WHERE name = 'square' AND value = 6)")
            db.commit()
        expect([(row["what"], row["before"], row["after"]) for row in test.diff(1, test.store)]
               == [("t: good n=1: square", "2", "7"), ("t: good n=2: square", "4", "14"), ("t: good n=3: square", "9", "21"), ("t: good n=4: square", "8", "28")], test.said)
    for name, words, status, line in (
            ("a study that is not there", ["--study", "u"], 2, "has no study 'u'"), ("a folder beside it", [test.work], 3, "there is no store"),
            ("no such file", [test.work / "no.sqlite"], 3, "no.sqlite: there is no store"), ("a third one", [test.store, test.store], 2, "two runs are compared, not 3"),
            ("a build", ["--build-a", "a", "--build-b", "b"], 2, "--build-a: only of folders of runs")):
        with test.case(f"diff: {name}: one line"):
            test.command(status, test.real, "diff", test.store, *words)
            test.one_line(line)
    with test.case("diff: a damaged store, and a database of somebody else: one line"):
        sound = test.store.read_bytes()
        for data, line in ((sound[:4096] + bytes(range(256)) * 64 + sound[20480:], "damaged"), (sound[:63] + b"\7" + sound[64:], "of another version")):
            (test.work / "bad.sqlite").write_bytes(data)
            test.command(3, test.real, "diff", test.store, test.work / "bad.sqlite")
            test.one_line(line)


def trends(test: Compared) -> None:
    test.fresh()
    test.study(GRID.format('["good", "{n}"]') + "axes.n = [1, 2, 3, 5]\n" + GRID.format('["fails", "{m}"]') + "axes.m = [2, 4]\n" + GRID.format('["two"]'))
    test.sweep(1)
    before = test.copied()
    test.ballast.write_text(test.ballast.read_text().replace("$2 * $2", "$2 + $2"))
    test.study(GRID.format('["good", "{n}"]') + "axes.n = [2, 3, 5]\n")
    test.sweep(0)
    with test.case("trend: each program by its date, with the means of what the study has now"):
        runs = test.trend("--rows", "word", "--value", "square", test.store)
        expect([(run["done"], run["failed"], run["w2 mean"], run["w3 mean"], run["w5 mean"], run["w5 lines"]) for run in runs]
               == [("3", "0", "4.0", "9.0", "25.0", "1"), ("3", "0", "4.0", "6.0", "10.0", "1")], f"{runs}")
        expect(runs[0]["program"] != runs[1]["program"] and runs[0]["finished"] <= runs[1]["finished"], "another order")
        runs = test.trend("--value", "square", test.store)
        expect([float(run["mean"]) for run in runs] == [(4 + 9 + 25) / 3, (4 + 6 + 10) / 3], f"{runs}")
    with test.case("trend: several stores, whose points may be others; what one does not have is '-'"):
        runs = test.trend("--rows", "n", "--value", "square", test.store, before)
        expect([(Path(run["store"]).name, run["done"], run["failed"], run["1 mean"]) for run in runs if run["program"] == runs[0]["program"]]
               == [("x.sqlite", "3", "0", ""), ("copy.sqlite", "6", "1", "1.0")], f"{runs}")
        test.says(r"^\S+x.sqlite .* - ")
    with test.case("trend: rows by an axis that is no column, and line by line; words have no mean"):
        [run] = test.trend("--rows", "m", "--value", "n", before)
        expect((run["4 mean"], run["4 lines"]) == ("4.0", "1"), f"{run}")
        [run] = test.trend("--rows", "table", "--value", "n", before)
        expect((run["1 mean"], run["1 lines"], run["2 mean"], run["2 lines"]) == ("1.0", "1", "4.0", "2"), f"{run}")
        [run] = test.trend("--value", "word", before)
        expect(list(run)[-1] == "seconds", f"{run}")
    with test.case("trend: a program that ran a command with several files: the last counts"):
        copy = test.copied("INSERT INTO point SELECT 99, 'k', command, program, 'done', 1, 1.0, finished, host, '' FROM point WHERE id = 2; INSERT INTO value VALUES (99, 1, 'square', 1000)")
        expect(test.trend("--rows", "n", "--value", "square", copy)[0]["2 mean"] == "1000.0", test.said)
    for name, words, status, line in (
            ("no such axis", ["--rows", "nosuch", "--value", "square"], 2, "no point has an axis or a column 'nosuch'"), ("no such study", ["--study", "u"], 3, "no point of study 'u' has been run"),
            ("a page", ["--html", test.work / "x.html"], 2, "--html: only of folders of runs"), ("a folder beside it", [test.work], 3, "there is no store")):
        with test.case(f"trend: {name}: one line"):
            test.command(status, test.real, "trend", test.store, *words)
            test.one_line(line)
    with test.case("options of stores, of folders: one line"):
        test.command(2, test.real, "trend", "--rows", "n", test.work)
        test.one_line("only of stores of sweeps")
        test.command(2, test.real, "diff", "--study", "t", test.work, test.work)
        test.one_line("only of stores of sweeps")


def main() -> int:
    with Compared("", "") as test:
        test.real = str(Path(sys.argv[1]).resolve())
        diffs(test)
        trends(test)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
