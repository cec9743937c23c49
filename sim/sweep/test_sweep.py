# SPDX-License-Identifier: Apache-2.0
"""Sweeps: what a study means, what comes into the store, and what a kill, a full disk or a damaged store leave.

  python3 sim/sweep/test_sweep.py BALLAST

Most studies run a shell script in place of BALLAST, which writes down when it starts and ends. LONG=1 kills more often. Run from the repository root; ends with
'N passed, N failed'.
"""
from __future__ import annotations

import contextlib
import csv
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
from planted import LONG, Planted, expect  # noqa: E402
from slurm import Shard, line_of  # noqa: E402
from store import Result, Store  # noqa: E402

HERE = Path("sim/sweep").resolve()
FOREVER = f"99999.{os.getpid()}"  # seconds, and whose it is
SCRIPT = """#!/bin/sh
echo "start $*" >> {log}
case $1 in
good) printf 'n,square,word\\n%s,%s,w%s\\n' $2 $(($2 * $2)) $2;;
slow) sleep $3; printf 'n\\n%s\\n' $2;;
fails) echo "it is number $2" >&2; [ $2 != 2 ] || exit 7; printf 'n\\n%s\\n' $2;;
hangs) sleep {forever} & wait;;
stays) exec sleep {forever};;
stubborn) trap '' TERM; exec sleep {forever};;
dies) kill -SEGV $$;;
prints) printf "$2";;
floods) yes 1234567890 | head -c 300000000; sleep 30;; # no more, or a runner that does not notice fills the disk
twice) [ -e {log}.$2 ] || { touch {log}.$2; exit 1; }; printf 'n\\n%s\\n' $2;;
two) printf 'n, x,n\n1,2,7\n\nn,y\n3,+4.5\n5,6 %%\n';;
leaves) printf 'n\\n%s\\n' $2 > $3/r.csv; echo nothing;;
changes) touch "$0";;
esac
echo "end $*" >> {log}
"""
GRID = '[[grid]]\ncommand = {}\n'


class Sweeps(Planted):
    def __enter__(self) -> Sweeps:
        super().__enter__()
        self.ballast, self.log, self.store = self.work / "fake", self.work / "log", self.work / "s/x.sqlite"
        self.fresh()
        return self

    def fresh(self) -> None:
        """Nothing has run."""
        shutil.rmtree(self.store.parent, ignore_errors=True)
        for path in self.work.glob("log*"):
            path.unlink()
        self.ballast.write_text(SCRIPT.replace("{log}", str(self.log)).replace("{forever}", FOREVER))
        self.ballast.chmod(0o755)

    def study(self, text: str, head: str = 'name = "t"\n') -> Path:
        path = self.work / "t.toml"
        path.write_text(head + text)
        return path

    def words(self, *options: object, script: str = "sweep.py") -> list[object]:
        return [sys.executable, HERE / script, self.ballast, "--store", self.store, *options]

    def sweep(self, status: int, *options: object) -> None:
        self.command(status, *self.words(self.work / "t.toml", *options), seconds=60)

    def query(self, status: int, *words: object) -> list[dict[str, str]]:
        """As CSV."""
        self.command(status, *self.words(*words, "--csv", script="query.py"))
        return list(csv.DictReader(self.said.splitlines())) if not status else []

    def logged(self, word: str) -> list[str]:
        return [line.removeprefix(f"{word} ") for line in self.log.read_text(errors="replace").splitlines() if line.startswith(f"{word} ")] if self.log.exists() else []

    def sql(self, text: str) -> list[tuple[object, ...]]:
        """Nothing of a store that has only begun."""
        db = sqlite3.connect(self.store, timeout=60)
        with contextlib.closing(db):
            if not db.execute("SELECT 1 FROM sqlite_master").fetchall():
                return []
            found = db.execute(text).fetchall()
            db.commit()
        return found


def numbers(count: int) -> str:
    return f"axes.n = {{from = 1, to = {count}}}\n"


# ---- what a study means ------------------------------------------------------------------------------------

def studies(test: Sweeps) -> None:
    (test.work / "data").mkdir()
    for name in ("a.txt", "b.txt"):
        (test.work / "data" / name).write_text(name)
    with test.case("axes: lists, ranges, files, names with no word and several; filters; the order is that of the file"):
        test.study(GRID.format('["say", "{n}", "--x={x}", "{more}", "{f}"]') + """axes.n = [1, 2]
            axes.x = {from = 0.1, to = 0.3, step = 0.1}
            axes.more = {none = [], two = ["-p", 5]}
            axes.f = {files = "data/*.txt"}
            except = [{n = 2, x = [0.1, 0.2]}, {f = "b", more = "two"}]
            only = [{x = [0.1, 0.3]}]
            """)
        test.sweep(0, "--dry-run")
        here = f"{test.work.resolve()}/data"
        wanted = [f"{test.ballast.resolve()} say {n} --x={x}{more} {here}/{f}.txt" for n in (1, 2) for x in (0.1, 0.3) for more in ("", " -p 5") for f in "ab"
                  if not (n == 2 and x == 0.1) and not (f == "b" and more)]
        expect(test.said.splitlines() == [*(f"to do   {one}" for one in wanted), f"{len(wanted)} points: 0 done, 0 failed, {len(wanted)} to do"], "other points")
        expect(not test.log.exists() and not test.store.exists(), "something ran, or was written")
    sound = GRID.format('["good", "{n}"]')
    for name, (text, line) in {
        "unknown key": ("colour = 1\n", "no key 'colour' is known"), "unknown key of a grid": (sound + numbers(2) + "axis = 1\n", "grid 1: no key 'axis' is known"),
        "wrong type": ("seconds = 'long'\n" + sound, "seconds wants int|float, not 'long'"), "no name": ("name = 5\n", "name wants str"),
        "no grid": ("", "grid is missing"), "empty command": (GRID.format("[]"), "command is missing or empty"),
        "empty axis": (sound + "axes.n = []\n", "axis 'n': has no value"), "one value twice": (sound + "axes.n = [1, 2, 1]\n", "axis 'n': has the value 1 twice"),
        "the same axis twice": (sound + "axes.n = [1]\naxes.n = [2]\n", "no TOML: Cannot overwrite a value"), "an axis for nothing": (sound + numbers(1) + "axes.m = [1]\n", "the command has no {m}"),
        "no such axis": (sound, "there is no axis 'n'"), "an axis of all for nothing": ("axes.m = [1]\n" + sound + numbers(2), "axis 'm': no command has {m}"), "an axis out": (sound + numbers(1) + "axes.out = [1]\n", "axis 'out'"), "a range backwards": (sound + "axes.n = {from = 3, to = 1}\n", "are no values"),
        "a step of nothing": (sound + "axes.n = {from = 1, to = 3, step = 0}\n", "are no values"), "a range of words": (sound + "axes.n = {from = 'a', to = 'c'}\n", "a range has the numbers"),
        "a value that is true": (sound + "axes.n = [true]\n", "True is no text or number"), "filter of no axis": (sound + numbers(2) + "except = [{m = 1}]\n", "except: there is no axis 'm'"),
        "filter of no value": (sound + numbers(2) + "only = [{n = 3}]\n", "only: axis 'n' has no value 3"), "nothing is left": (sound + numbers(2) + "except = [{n = [1, 2]}]\n", "the filters leave no point"),
        "the same point twice": (sound + numbers(2) + sound + numbers(2), "grid 2: this command is there twice"), "no such file": (GRID.format('["good", "data/*.no"]'), "there is no file data/*.no"),
        "several words in one": (GRID.format('["x={n}"]') + "axes.n = {a = [1, 2]}\n", "is not one word"), "no time": ("seconds = 0\n" + sound + numbers(1), "seconds: wants a number"),
        "too many": (sound.replace("}", "}{m}") + "axes.n = {from = 1, to = 3000}\naxes.m = {from = 1, to = 3000}\n", "more than 1000000 points"),
    }.items():
        with test.case(f"study: {name}: one line"):
            test.study(text, "" if name in ("no name", "unknown key") else 'name = "t"\n')
            test.sweep(3)
            test.one_line(rf"^ballast sweep: {re.escape(str(test.work))}/t.toml: .*{re.escape(line)}")
            expect(not test.store.exists(), "a store of nothing")
    for name, text, line in (("no file", None, "No such file"), ("no text", b"\xff\xfe", "no TOML")):
        with test.case(f"study: {name}: one line"):
            (test.work / "t.toml").unlink(missing_ok=True)
            if text:
                (test.work / "t.toml").write_bytes(text)
            test.sweep(3)
            test.one_line(line)


# ---- what comes into the store -----------------------------------------------------------------------------

def results(test: Sweeps) -> None:
    test.fresh()
    with test.case("results: numbers as numbers, words as words; nothing runs twice"):
        test.study(numbers(6) + GRID.format('["good", "{n}"]') + GRID.format('["leaves", "{n}", "{out}"]') + 'table = "*.csv"\naxes.n = [7]\n' + GRID.format('["none"]') + 'table = ""\n')
        test.sweep(0, "--jobs", 3)
        rows = test.query(0, "table")
        expect([(row["n"], row["square"], row["word"]) for row in rows] == [*((str(n), str(n * n), f"w{n}") for n in range(1, 7)), ("7", "", ""), ("", "", "")], f"{rows}")
        expect(test.sql("SELECT DISTINCT typeof(value) FROM value WHERE name = 'square'") == [("integer",)], "no numbers")
        before = test.log.read_text()
        test.sweep(0)
        test.says("^t: 8 points, 8 done before$")
        expect(test.log.read_text() == before and len(test.logged("end")) == 8, "a point ran twice")
        expect(not test.store.with_name("x.sqlite.work").exists(), "folders of points are left")
    with test.case("so many at a time as are asked for"):
        test.study(GRID.format('["slow", "{n}", 1]') + numbers(3))
        begun = len(test.log.read_text().splitlines())
        test.sweep(0, "--jobs", 3)
        expect([line.split()[0] for line in test.log.read_text().splitlines()[begun:]] == ["start"] * 3 + ["end"] * 3, "one after the other")
        test.log.write_text("\n".join(test.log.read_text().splitlines()[:begun]) + "\n")
    with test.case("two tables: each has its names, and a number; what ran without a table runs again for it"):
        for more in ('table = ""\n', ""):
            test.study(GRID.format('["two"]') + more)
            test.sweep(0)
        expect([(row["table"], row["n"], row["n 2"], row["x"], row["y"]) for row in test.query(0, "table")] == [("1", "1", "7", "2", ""), ("2", "3", "", "", "4.5"), ("2", "5", "", "", "6 %")], test.said)
        test.log.write_text(test.log.read_text().replace("end two\n", ""))
    with test.case("a study that grows: only what is new runs; what is no more in it is not asked for"):
        test.study(GRID.format('["good", "{n}"]') + "axes.n = [2, 9]\n")
        test.sweep(0)
        expect(len(test.logged("end")) == 9 and [row["n"] for row in test.query(0, "table")] == ["2", "9"], "other points")
    with test.case("another program: all points are others"):
        test.ballast.write_text(test.ballast.read_text().replace("$2 * $2", "$2 + $2"))
        test.sweep(0)
        expect([row["square"] for row in test.query(0, "table")] == ["4", "18"] and len(test.logged("end")) == 11, test.said)
    with test.case("another file of the same name: its points are others; the same file elsewhere: they are not"):
        test.study(GRID.format('["good", "{n}", "data/a.txt"]') + "axes.n = [3]\n")
        for runs, change in ((12, "a.txt"), (13, "other"), (13, "other")):
            (test.work / "data/a.txt").write_text(change)
            test.sweep(0)
            expect(len(test.logged("end")) == runs, f"{runs} runs are wanted")
        shutil.copytree(test.work / "data", test.work / "moved/data")
        shutil.copy(test.work / "t.toml", test.work / "moved/t.toml")
        test.command(0, *test.words(test.work / "moved/t.toml"))
        expect(len(test.logged("end")) == 13, "it ran again")


def failures(test: Sweeps) -> None:
    bad = {"nothing": "", "only names": "a,b\\n", "a row too short": "a,b\\n1\\n", "no names": "1,2\\n3,4\\n", "bytes": "a\\n\\377\\376\\n", "cut off": "a\\n1"}
    test.fresh()
    with test.case("a point that fails, hangs, dies, floods or prints garbage: the others go on, each is listed with its command"):
        test.study(GRID.format('["{how}"]') + 'seconds = 0.5\naxes.how = ["hangs", "dies"]\n' + GRID.format('["floods"]') + "seconds = 60\n" + GRID.format('["fails", "{n}"]') + numbers(3)
                   + GRID.format('["prints", "{p}"]') + "axes.p = {" + ", ".join(f"'{name}' = '{text}'" for name, text in bad.items()) + "}\n")
        test.sweep(1, "--jobs", 2)
        test.says("^t: 2 of 12 points done, 10 failed; ")
        for line in ("fake hangs\n    no end in 0.5 s$", "fake dies\n    signal 11", "fake floods\n    prints more than 64 MB$", "fake fails 2\n    exit status 7: it is number 2$",
                     "fake prints ''\n    no CSV", "prints 'a,b.n1.n'\n    no CSV: a line has 1 values, not 2: 1$", "no CSV: its first line has no names", "no CSV: its last line is cut off", "can't decode"):
            test.says(line)
        expect({row["status"] for row in test.query(0, "sql", "SELECT DISTINCT status FROM point")} == {"done", "failed"}, "another status")
        expect(not sleeping(), "what a hanging point had started goes on")
    with test.case("the next call tries what failed again, and nothing else"):
        done = test.logged("end").count("fails 1")
        test.ballast.touch()
        (test.work / "t.toml").write_text((test.work / "t.toml").read_text().replace("seconds = 0.5", "seconds = 0.4"))
        test.sweep(1)
        expect(test.logged("end").count("fails 1") == done and test.logged("start").count("fails 2") == 2, "other points ran")
        expect(len(test.query(0, "failed")) == 10 and not test.query(0, "missing"), "other failures")
    with test.case("a result that comes late, of a point that is done, changes nothing"):
        before, store = test.sql("SELECT * FROM point ORDER BY id"), Store(test.store, write=True)
        store.put([Result(row[1], "failed", 9, 0.0, "", "", "late", ()) for row in before if row[4] == "done"])
        store.close()
        expect(test.sql("SELECT * FROM point ORDER BY id") == before and any(row[4] == "done" for row in before), "it does")
    with test.case("a shard of a task that grows: each result once, when its line is whole"):
        shard, results = Shard(test.work / "shard"), [Result(name, "done", 1, 0.5, "", "", "", ({"n": 1, "w": "x"},)) for name in "abc"]
        with shard.path.open("wb", buffering=0) as file:
            for result in results:
                line = line_of(result)
                file.write(line[:20])
                expect(list(shard.more()) == [], "half a line is a result, or one comes twice")
                file.write(line[20:])
                expect(list(shard.more()) == [result], "another result")
    with test.case("retries: a point that fails once is done at its second try"):
        test.study("retries = 1\n" + GRID.format('["twice", "{n}"]') + numbers(2))
        test.sweep(0)
        expect(test.sql("SELECT tries FROM point JOIN member ON point = id") == [(2,), (2,)], "another number of tries")
    with test.case("a program that changes while it is swept: one line, and its results do not count"):
        test.study(GRID.format('["changes"]') + 'table = ""\n')
        test.sweep(3, "--jobs", 1)
        test.says("^ballast sweep: .*/fake: has changed while the sweep ran")
        expect(test.sql("SELECT status FROM point JOIN member ON point = id") == [(None,)], "its result counts")


# ---- against it --------------------------------------------------------------------------------------------

def running(test: Sweeps, *options: object) -> subprocess.Popen:
    return subprocess.Popen([str(word) for word in test.words(test.work / "t.toml", *options)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def processes(file: str) -> Iterator[tuple[int, str]]:
    """What stands in this file of each process, its words with spaces between them."""
    for path in Path("/proc").glob(f"[0-9]*/{file}"):
        with contextlib.suppress(OSError):  # it has ended
            yield int(path.parent.name), path.read_bytes().replace(b"\0", b" ").decode(errors="replace")


def sleeping() -> bool:
    return any(words.startswith(f"sleep {FOREVER}") for _, words in processes("cmdline"))


def wait_for(what: str, true: object) -> None:
    end = time.monotonic() + 30
    while not true():
        expect(time.monotonic() < end, f"never: {what}")
        time.sleep(0.01)


def kills(test: Sweeps) -> None:
    points, draw = 600 if LONG else 150, random.Random(1)
    test.fresh()
    test.study(GRID.format('["slow", "{n}", 0.02]') + numbers(points))
    with test.case("kill -9 at any time, again and again: the store is whole, what was done is not run again, and nothing is lost"):
        done: set[object] = set()
        for at in range(61 if LONG else 11):
            kept = len(test.logged("start"))
            one = running(test, "--jobs", 3)
            if at < (60 if LONG else 10):
                time.sleep(draw.uniform(0.1, 0.5))
                one.kill()
            one.communicate(timeout=60)
            expect(one.returncode in (0, -signal.SIGKILL), f"exit status {one.returncode}")
            again = [n for n in done if f"slow {n} 0.02" in test.logged("start")[kept:]]
            expect(not again, f"points that were done ran again: {again}")
            if test.store.exists():
                expect(test.sql("PRAGMA integrity_check") in ([("ok",)], []), "the store is damaged")
                done = {n for n, in test.sql("SELECT axis.value FROM point JOIN axis ON axis.point = id WHERE status = 'done' AND name = 'n'")}
                expect(test.sql("SELECT count(*) FROM point WHERE status = 'done'") == test.sql("SELECT count(DISTINCT point) FROM value"), "half a result")
        expect(one.returncode == 0 and [row["n"] for row in test.query(0, "table")] == [str(n) for n in range(1, points + 1)], "not all are there")
    for number in (signal.SIGINT, signal.SIGTERM):
        with test.case(f"{number.name}: exit status 130, the points end, and the same command goes on"):
            test.fresh()
            test.study(GRID.format('["slow", "{n}", 0.01]') + numbers(4) + GRID.format('["stubborn"]') + 'table = ""\n')
            one = running(test, "--jobs", 2)
            wait_for("all but the last", lambda: len(test.logged("end")) == 4)
            time.sleep(0.1)
            one.send_signal(number)
            expect(one.communicate(timeout=60)[1].endswith("ballast sweep: interrupted\n") and one.returncode == 130, "it says something else")
            expect(test.sql("SELECT count(*) FROM point WHERE status = 'done'") == [(4,)], "what was done is lost")
            expect(not sleeping(), "a point goes on")
    test.study(GRID.format('["slow", "{n}", 0.01]') + numbers(4) + GRID.format('["stays"]') + 'table = ""\n')
    with test.case("two sweeps on one store: the second is refused, queries are not"):
        one = running(test)
        wait_for("it runs", lambda: len(test.logged("start")) > 5)
        test.sweep(2)
        test.one_line("x.sqlite: another sweep writes into it")
        expect(test.query(0, "studies")[0]["missing"] == "1", "another answer")
        one.kill()
        one.communicate(timeout=60)
        wait_for("what it ran ends, after a kill", lambda: not sleeping())
    with test.case("output on a full disk: one line"):
        test.command(3, "sh", "-c", " ".join(map(str, test.words(test.work / "t.toml", "--dry-run"))) + " >/dev/full")
        test.one_line("^ballast sweep: standard output: cannot write .No space left on device.$")
    with test.case("output that nobody reads: no word"):
        test.command(0, "sh", "-c", " ".join(map(str, test.words(test.work / "t.toml", "--dry-run"))) + " | head -1; exit 0")
        expect("Traceback" not in test.said and "Broken" not in test.said, "it complains")


@contextlib.contextmanager
def disk(test: Sweeps, size: str) -> Iterator[Path | None]:
    """A small one, where root can mount it."""
    place = test.work / "disk"
    place.mkdir(exist_ok=True)
    there = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], capture_output=True, check=False).returncode == 0
    try:
        yield place if there else None
    finally:
        if there:
            subprocess.run(["umount", "-l", str(place)], check=False)


def disks(test: Sweeps) -> None:
    test.fresh()
    kept, head = test.store, GRID.format('["good", "{n}"]')
    with disk(test, "1m") as place:
        if place is not None:
            with test.case("a full disk: one line, what was stored is there; with room again it goes on"):
                test.store = place / "x.sqlite"
                test.study(head + numbers(5))
                test.sweep(0)
                test.study(head + numbers(40))
                with contextlib.suppress(OSError), (place / "fill").open("wb", buffering=0) as file:
                    while file.write(bytes(4096)):
                        pass
                test.sweep(3)
                test.says("^ballast sweep: .*(the disk is full|cannot start a point: No space left|cannot be written).*")
                expect("Traceback" not in test.said, "it complains")
                (place / "fill").unlink()
                expect(len(test.query(0, "sql", "SELECT 1 FROM point WHERE status = 'done'")) >= 5, "something is lost")
                test.sweep(0)
                expect(len(test.query(0, "table")) == 40 and len(set(test.logged("end"))) == 40, "not all are there")
            with test.case("a store that cannot be written: one line; it can be read"):
                test.sweep(0)  # whose end takes the log away that a query has left
                subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
                test.study(head + numbers(41))
                test.sweep(3)
                test.one_line("x.sqlite")
                expect(len(test.query(0, "table")) == 40, "it cannot be read")
    test.store = kept
    with test.case("damaged in any page, cut off, no store, of another version: one line, and it stays as it is"):
        test.study(head + numbers(40))
        test.sweep(0)
        sound = kept.read_bytes()
        db = sqlite3.connect(test.work / "other")
        db.execute("CREATE TABLE t (x)")
        db.close()
        pages = range(0, len(sound), 4096)
        cases = [(sound[:at] + bytes(range(256)) * 16 + sound[at + 4096:], "damaged|no store of sweeps") for at in pages] + [(sound[:len(sound) // 2], "damaged"), (b"no database" * 999, "damaged"),
                 ((test.work / "other").read_bytes(), "no store of sweeps"), (sound[:63] + b"\7" + sound[64:], "of another version")]
        for data, line in cases:
            kept.write_bytes(data)
            test.study(head + numbers(41))
            test.sweep(3)
            test.one_line(rf"x.sqlite: .*({line})")
            expect(kept.read_bytes() == data, "it was changed")
    with test.case("a query of no store, and of one that is damaged: one line"):
        test.query(3, "table")
        test.one_line("of another version")
        kept.unlink()
        test.query(3, "table")
        test.one_line("there is no store")


# ---- the papers' experiments -------------------------------------------------------------------------------

def experiments(test: Sweeps, ballast: str) -> None:
    text, store, runs = (HERE / "experiments.toml").read_text(), test.work / "e.sqlite", test.work / "e.csv"
    with test.case("the study of the experiments has all of them"):
        test.command(0, ballast, "experiment", "--help")
        known = set(re.search(r"(\S+)\[,...\]\|all", test.said)[1].split("|"))
        swept = {name for grid in tomllib.loads(text)["grid"] for names in grid["axes"]["paper"] for name in names.split(",")}
        expect(swept == known and len(known) == 7, f"{swept} {known}")
    with test.case("tables made of what a store has are those of the command alone, and nothing is run for them"):
        grids = [one for one in text.split("[[grid]]")[1:] if "{kernel}" in one]
        test.study("[[grid]]".join(["", *grids]).replace('"--jobs", 1', '"--jobs", 1, "--length", 0.02').replace("/lcs/*", "/lcs/VADD").replace("/equalizer/*", "/equalizer/kmn-1")
                   .replace("/perfsat/*", "/perfsat/LUD"))
        test.command(0, ballast, "sweep", "--store", store, test.work / "t.toml")
        test.says("^t: 4 of 4 points done")
        test.command(0, ballast, "query", "--store", store, "table", "--out", runs)
        before = runs.read_bytes()
        for names, kernel in (("lcs,lcs-bcs", "lcs/VADD"), ("equalizer", "equalizer/kmn-1"), ("perfsat", "perfsat/LUD")):
            words = [ballast, "experiment", names, "--length", 0.02, f"sim/kernels/{kernel}.kernel"]
            test.command(0, *words)
            alone = test.said
            test.command(0, *words, "--runs", runs)
            said, _, tables = test.said.partition("\n")
            expect(tables == alone and "the paper's numbers" in alone and re.search(r"e.csv: goes on with \d+ finished runs$", said), f"other tables of {names}")
        expect(runs.read_bytes() == before and before.count(b"\n") > 50, "something was run")


# ---- questions, and the real command -----------------------------------------------------------------------

def real(test: Sweeps, ballast: str) -> None:
    test.fresh()
    families = {"fma": sorted(Path("vectors").resolve().glob("fma.n*.blt")), "hotspot": sorted(Path("vectors").resolve().glob("hotspot.n*.blt"))}
    test.study(GRID.format('["family", "--csv", "--policy", "{policy}", "{kernel}"]') + 'axes.policy = ["static", "lcs"]\n'
               'axes.kernel = {fma = "vectors/fma.n*.blt", hotspot = "vectors/hotspot.n*.blt"}\n')
    words, costs = [ballast, "query", "--store", test.store], {}
    with test.case("ballast sweep: the numbers are those of the command"):
        test.command(0, ballast, "sweep", "--store", test.store, "--jobs", 1, test.work / "t.toml")
        for kernel, paths in families.items():
            for policy in ("static", "lcs"):
                test.command(0, ballast, "family", "--csv", "--policy", policy, "--out", test.work / "f", *paths)
                [row] = csv.DictReader(test.said.splitlines())
                costs[policy, kernel] = float(row["cost_percent"])
        test.command(0, *words, "table", "--csv", "--out", test.work / "t.csv")
        rows = list(csv.DictReader((test.work / "t.csv").open()))
        expect({(row["policy"], row["kernel"]): float(row["cost_percent"]) for row in rows} == costs and len(rows) == 4, f"{rows} {costs}")
    with test.case("best, summary, cross, where, SQL by other means"):
        test.command(0, *words, "best", "--csv")
        best = {row["kernel"]: row["policy"] for row in csv.DictReader(test.said.splitlines())}
        expect(best == {kernel: min(("static", "lcs"), key=lambda policy: costs[policy, kernel]) for kernel in families}, f"{best}")
        test.command(0, *words, "summary", "--csv", "--where", "kernel = 'fma'")
        found = {row["policy"]: float(row["most"]) for row in csv.DictReader(test.said.splitlines())}
        expect(found == {policy: costs[policy, "fma"] for policy in ("static", "lcs")}, f"{found}")
        test.command(0, *words, "cross", "--rows", "kernel", "--columns", "policy", "--csv")
        expect({(row["column"], row["row"]): float(row["cost"]) for row in csv.DictReader(test.said.splitlines())} == costs, "other cells")
        test.command(0, *words, "sql", "SELECT sum(cost_percent) AS s FROM line", "--csv")
        expect(abs(float(test.said.splitlines()[1]) - sum(costs.values())) < 1e-9, "another sum")
    with test.case("the picture has each cost; of the same table the report has one"):
        test.command(0, *words, "picture", "--out", test.work / "p.svg")
        picture = (test.work / "p.svg").read_text()
        expect(all(f">{cost:.1f}</text>" in picture for cost in costs.values()) and all(f">{name}</text>" in picture for name in families), "not all are there")
        (test.work / "build").mkdir()
        shutil.copy(test.work / "p.csv", test.work / "build/sweep.csv")
        manifest = test.work / "small.csv"
        manifest.write_text("file,kernel,program\n" + "".join(f"{os.path.relpath(path, test.work)},hotspot,\n" for path in families["hotspot"]))
        test.command(0, ballast, "run", "--max-cycles", 1000, "--out", "run", manifest, cwd=test.work)
        page = (test.work / "run/report.html").read_text().partition('<section id="sweep">')[2].partition("</section>")[0]
        expect(all(f">{cost:.1f}</text>" in page for cost in costs.values()), "the report has not all")
        with (test.work / "p.csv").open("a") as file:
            print("lcs,fma,many,x", file=file)
        test.command(3, ballast, "figure", "--table", test.work / "p.csv", "--out", test.work / "q.svg")
        test.one_line("p.csv: line 6: a cost that is no number")
        expect(not (test.work / "q.svg").exists(), "a picture of half a table")
    for name, arguments, status, line in (
            ("writing SQL", ["sql", "DELETE FROM point"], 2, "readonly"), ("wrong SQL", ["sql", "SELEKT"], 2, "syntax error"), ("no SQL", ["sql"], 2, "wants a SELECT"),
            ("no such column", ["best", "--value", "speed"], 2, "no axis or column 'speed'"), ("a wrong where", ["table", "--where", "x ="], 2, "incomplete input|syntax error"),
            ("no such study", ["table", "--study", "u"], 2, "no study 'u'; --study takes one of: t"), ("no such question", ["why"], 2, "invalid choice"),
            ("another form", ["table", "--out", "x.xls"], 2, "to end with .csv or .parquet"), ("a full disk", ["table", "--out", test.work / "t.toml/x.csv"], 3, "t.toml.*(Not a directory|File exists)")):
        with test.case(f"query: {name}: one line"):
            test.command(status, *words, *arguments)
            test.one_line(line)
    with test.case("Parquet without pyarrow: one line says what is missing"):
        (test.work / "pyarrow.py").write_text("raise ImportError")
        test.command(2, *words, "table", "--out", test.work / "t.parquet", env={"PYTHONPATH": str(test.work)})
        test.one_line("Parquet needs the Python package pyarrow")
    experiments(test, ballast)
    with test.case("area and proofs: a part of the study that is shipped, with the numbers of the tools"):
        text = (HERE / "hardware.toml").read_text()
        for was, now in (('"vf_vote", "bcs"', '"bcs"'), ('"fermi", "kepler"', '"fermi"')):
            expect(was in text, f"{was} is not in the study")
            text = text.replace(was, now)
        (test.work / "hardware.toml").write_text(text)
        test.command(0, ballast, "sweep", "--store", test.work / "h.sqlite", test.work / "hardware.toml")
        test.says("^hardware: 2 of 2 points done, 0 failed")
        test.command(0, ballast, "query", "--store", test.work / "h.sqlite", "table", "--csv")
        [area, proof] = csv.DictReader(test.said.splitlines())
        [known] = [row for row in json.loads(Path("synth_scripts/area/area_baseline.json").read_text())["rows"] if (row["config"], row["block"]) == ("fermi", "bcs")]
        expect((area["block"], area["config"], proof["block"], proof["ge"]) == ("bcs", "fermi", "bcs", "") and int(area["flip_flops"]) == known["flip_flops"], f"{area}")
        expect(area["verdict"] != "same" or float(area["ge"]) == known["ge"], f"{area} {known}")  # other tools may say other sizes
    with test.case("the studies that are shipped have points, and this command knows their options"):
        for path in sorted(HERE.glob("*.toml")):
            test.command(0, ballast, "sweep", "--store", test.work / "none.sqlite", "--dry-run", path)
            test.says(r"^[1-9]\d* points: 0 done, 0 failed, ")


def main() -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background of a script ignores it; this test sends it
    with Sweeps("", "") as test:
        for part in (studies, results, failures, kills, disks):
            part(test)
        real(test, str(Path(sys.argv[1]).resolve()))
    return test.status


if __name__ == "__main__":
    sys.exit(main())
