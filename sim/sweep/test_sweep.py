# SPDX-License-Identifier: Apache-2.0
"""Sweeps: what a study means, what comes into the store, what a kill or a damaged store leave; what is asked of stores.

  python3 sim/sweep/test_sweep.py BALLAST             studies and what runs
  python3 sim/sweep/test_sweep.py BALLAST query       ballast query, diff and trend: what was planted in a store, and nothing else, has changed
  python3 sim/sweep/test_sweep.py BALLAST slurm       a real munged, slurmctld and slurmd (Debian's slurm-wlm and munge) on this machine, with ports and folders of their own
  python3 sim/sweep/test_sweep.py BALLAST parquet     tables as Parquet, read by the pyarrow of build/pypi (tb/flow/pypi.py), which is filled from PyPI

Most studies run a shell script in place of BALLAST, which writes down when it starts and ends. LONG=1 kills more often. Run from the repository root; ends with
'N passed, N failed'.
"""
from __future__ import annotations

import contextlib
import csv
import getpass
import json
import os
import random
import re
import shlex
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
import pypi  # noqa: E402
from planted import LONG, Planted, expect, refused, wait_for  # noqa: E402
from store import Result, opened, put  # noqa: E402
from study import Files, Point, Study  # noqa: E402
from sweep import read_shard, run_points  # noqa: E402

HERE = Path("sim/sweep").resolve()
BALLAST = str(Path(*sys.argv[1:2]).resolve())
FOREVER = f"99999.{os.getpid()}"  # seconds, and whose it is
SCRIPT = """#!/bin/sh
echo "start $*" >> {log}
case $1 in
good) printf 'n,square,word\\n%s,%s,w%s\\n' $2 $(($2 {square})) $2;;
slow) sleep $3; printf 'n\\n%s\\n' $2;;
fails) echo "it is number $2" >&2; [ $2 != 2 ] || exit 7; printf 'n\\n%s\\n' $2;;
stays) exec sleep {forever};;
parts) sleep {forever} & sleep {forever};;
stubborn) trap '' TERM; exec sleep {forever};;
dies) echo help; kill -SEGV $$;;
prints) printf "$2";;
floods) exec head -c 200000000 /dev/zero;;
twice) [ -e {log}.$2 ] || { touch {log}.$2; exit 1; }; printf 'n\\n%s\\n' $2;;
leaves) echo n > r.csv; echo $2 >> $3/r.csv; printf '# s\\nn,square,word\\n8,-,1e2\\n' > s.csv;;
changes) touch "$0";;
esac
echo "end $*" >> {log}
"""


def grid(*words: str, more: str = "") -> str:
    return f"[[grid]]\ncommand = {json.dumps(words)}\n{more}\n"


def good(numbers: object, *words: str) -> str:
    """The script says what the squares of these numbers are."""
    return grid("good", "{n}", *words, more=f"axes.n = {numbers}")


class Sweeps(Planted):
    real = ""  # the command, where a test is not about the script

    def __enter__(self) -> Sweeps:
        super().__enter__()
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background of a script ignores it; these tests send it
        self.ballast, self.log, self.store, self.file = self.work / "fake", self.work / "log", self.work / "s/x.sqlite", self.work / "t.toml"
        self.fresh()
        return self

    def fresh(self) -> None:
        """Nothing has run."""
        shutil.rmtree(self.store.parent, ignore_errors=True)
        for path in self.work.glob("log*"):
            path.unlink()
        self.program("* $2")

    def program(self, square: str) -> None:
        """What it says a square is makes it another one."""
        self.ballast.write_text(SCRIPT.replace("{log}", str(self.log)).replace("{forever}", FOREVER).replace("{square}", square))
        self.ballast.chmod(0o755)

    def words(self, command: str, *options: object) -> list[object]:
        return [*([self.real, command] if self.real else [sys.executable, HERE / "sweep.py", command, self.ballast]), "--store", self.store, *options]

    def study(self, *texts: str) -> None:
        self.file.write_text('name = "t"\n' + "".join(texts))

    def sweep(self, status: int, *texts: str, by: tuple[object, ...] = ()) -> None:
        """A sweep of these grids, or of those of before."""
        if texts:
            self.study(*texts)
        self.command(status, *self.words("sweep", self.file, *by), seconds=60)

    def begun(self, *options: object) -> subprocess.Popen:
        return subprocess.Popen(list(map(str, self.words("sweep", self.file, *options))), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def query(self, *words: object) -> list[dict[str, str]]:
        self.command(0, *self.words("query", *words, "--csv"))
        return list(csv.DictReader(self.said.splitlines()))

    def logged(self, word: str) -> list[str]:
        return [line.removeprefix(f"{word} ") for line in self.log.read_text(errors="replace").splitlines() if line.startswith(f"{word} ")] if self.log.exists() else []

    def sql(self, text: str) -> list[tuple[object, ...]]:
        """Nothing of a store that is not there, or has only begun."""
        with contextlib.closing(sqlite3.connect(self.store if self.store.exists() else ":memory:", timeout=60)) as db:
            return db.execute(text if db.execute("SELECT 1 FROM sqlite_master").fetchall() else "SELECT 1 WHERE 0").fetchall()

    def refused(self, command: str, cases: dict[str, tuple[list[object], int, str]], *words: object) -> None:
        """By name: more words, exit status, and the one line that it says."""
        for name, (more, status, line) in cases.items():
            with self.case(f"{command}: {name}: one line"):
                self.command(status, BALLAST, command, *words, *more)
                self.one_line(line)

    def changed(self, change: str, path: Path | None = None) -> Path:
        """A store that is not what it was: a copy, or this one."""
        path = path or shutil.copy(self.store, self.work / "copy.sqlite")
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.executescript(change)
        return path

    def table(self, status: int, *words: object) -> list[tuple[str, ...]]:
        """What diff and trend write; they say it, too."""
        self.command(status, BALLAST, *words, "--csv", self.work / "d.csv")
        rows = [tuple(row) for row in csv.reader((self.work / "d.csv").open())]
        expect(all(re.search(" +".join(map(re.escape, row[:3])), self.said) for row in rows), f"says something else than {rows}")
        return rows[1:]


def sleeping() -> bool:
    return subprocess.run(["pgrep", "-f", f"^sleep {FOREVER}"], stdout=subprocess.DEVNULL, check=False).returncode == 0


AXIS = {  # of the axis n
    "[]": "axis 'n': wants values", "[1, 2, 1]": "each of them once", "[[1], 2]": "single words", "[true]": "True is no text or number",
    "{from = 3, to = 1}": "are no values", "{from = 1, to = 3, step = 0}": "are no values", "{from = 'a', to = 'c'}": "{from, to, step} with numbers",
    "{files = 'data/*', n = 1}": "{files = PATTERN}", "{files = '**/?.txt'}": "each of them once", "[1]\naxes.m = [1]": "the command has no {m}",
    "[1]\naxes.out = [1]": "the command has no {out} that could be an axis", "[1]\nseconds = 0": "grid 1: seconds: wants a number", "[1]\naxis = 1": "grid 1: no key 'axis' is known",
    "[1, 2]\nonly = [{n = 3}]": "grid 1: a filter: axis 'n' has no value 3", "[1, 2]\nonly = [1]": "wants tables", "[1, 2]\nexcept = [{m = 1}]": "axis 'm' has no value 1",
    "[1, 2]\nexcept = [{n = [1, 2]}]": "the filters leave no point", f"[1]\n{good([1])}": "grid 2: this command is there twice"}
STUDIES = {  # beside its name
    "": "grid is missing", "colour = 1\n": "no key 'colour' is known", "grid = [1]\n": "grid 1: wants a table", "[[grid]]\ncommand = []": "command is missing or empty",
    f"seconds = 'long'\n{good([1])}": "seconds wants int|float, not 'long'", f"retries = -1\n{good([1])}": "retries: wants a number", "name = 't'": "no TOML",
    grid("good", "{n}"): "there is no axis 'n'", f"axes.m = [1]\n{good([1])}": "axis 'm': no command has it", grid("good", "data/*.no"): "there is no file data/*.no",
    grid("x={n}", more="axes.n = {a = [1, 2], b = 1}"): "is not one word",
    grid("{n}{m}", more="axes.n = {from = 1, to = 3000}\naxes.m = {from = 1, to = 3000}"): "more than 1000000 points"}


def studies(test: Sweeps) -> None:
    for name in ("data/a.txt", "data/b.txt", "doc/in/a.txt", "[d]/dd.txt"):
        (test.work / name).parent.mkdir(parents=True, exist_ok=True)
        (test.work / name).write_text("of one text")
    with test.case("axes: lists, ranges, files, names with no word and several; filters; the order is that of the file"):
        test.sweep(0, "seconds = 7\n", grid("say", "{n}", "--x={x}", "{more}", "{f}", more="""axes.n = [1, 2]
            axes.x = {from = 0.1, to = 0.3, step = 0.1}
            axes.more = {none = [], two = ["-p", 5]}
            axes.f = {files = "data/*.txt"}
            except = [{n = 2, x = [0.1, 0.2]}, {f = "b", more = "two"}]
            only = [{x = [0.1, 0.3]}]"""), by=("--dry-run",))
        here = f"{test.work.resolve()}/data"
        wanted = [f"{test.ballast.resolve()} say {n} --x={x}{more} {here}/{f}.txt" for n in (1, 2) for x in (0.1, 0.3) for more in ("", " -p 5") for f in "ab"
                  if not (n == 2 and x == 0.1) and not (f == "b" and more)]
        expect(test.said.splitlines() == [*(f"to do   {one}" for one in wanted), f"{len(wanted)} points: 0 done, 0 failed, {len(wanted)} to do"], "other points")
        expect(not test.log.exists() and not test.store.exists(), "something ran, or was written")
        expect({point.seconds for point in Study(test.file, str(test.ballast)).points.values()} == {7.0}, "another limit of time")
    for text, line in ({f"{grid('good', '{n}')}axes.n = {of}\n": line for of, line in AXIS.items()} | STUDIES).items():
        with test.case(f"a study: {line}: one line"):
            test.study(text)
            refused(lambda: Study(test.file, str(test.ballast)), line)
    test.refused("sweep", {what: ([path], 3, f"^ballast sweep: {re.escape(str(path))}: {what}")
                           for what, path in (("no TOML", HERE / "sweep.py"), ("No such file", test.work / "none.toml"))}, "--store", test.store)
    expect(not test.store.exists(), "a store of nothing")


def results(test: Sweeps) -> None:
    test.fresh()
    with test.case("results: numbers as numbers, words as words; nothing runs twice"):
        test.sweep(0, good("{from = 1, to = 6}"), grid("leaves", "{n}", "{out}", more='table = "*.csv"\naxes.n = [7]'), grid("none", more='table = ""'), by=("--jobs", 3))
        test.says("^sweep: 8 of 8 done, 0 failed, 0 running, 0:00:00 left$")
        expect(not test.store.with_name("x.sqlite.work").exists(), "folders of points are left")
        rows = [(row["n"], row["square"], row["word"]) for row in test.query("table")]
        expect(rows == [*((str(n), str(n * n), f"w{n}") for n in range(1, 7)), ("7", "", ""), ("7", "", "100.0"), ("", "", "")], f"{rows}")
        expect(test.sql("SELECT DISTINCT typeof(value) FROM value WHERE name = 'square'") == [("integer",)], "no numbers")
        test.sweep(0)
        test.says("^t: 8 points, 8 done before$")
        expect(len(test.logged("start")) == 8, "a point ran twice")
    with test.case("so many at a time as are asked for"):
        for jobs, order in ((3, "start start start end end end"), (1, "start end start end start end")):
            test.log.unlink()
            test.sweep(0, grid("slow", "{n}", f"{jobs / 3:.2f}", more="axes.n = [1, 2, 3]"), by=("--jobs", jobs))
            expect([line.split()[0] for line in test.log.read_text().splitlines()] == order.split(), f"others than {jobs}")
    with test.case("progress on a terminal is one line, written over"):
        test.study(good([11]))
        test.command(0, "script", "-qec", shlex.join(map(str, test.words("sweep", test.file))), "/dev/null")
        test.says("\033.Ksweep: 1 of 1 done, 0 failed, 0 running, 0:00:00 left$")
    with test.case("more points than wait for a core at once"), mock.patch("sweep.AT_ONCE", 2):
        ended: list[str] = []
        run_points([Point(key, ["true"], {}, "", 9.0, []) for key in "abcde"], test.work / "points", 2, 0, Files(), lambda point, _: ended.append(point.key))
        expect(sorted(ended) == list("abcde"), f"{ended}")
    with test.case("a study that grows: only what is new runs; what is no more in it is not asked for; another program: all points are others"):
        test.sweep(0, good([2, 3]))
        for change, ended, squares in (("* $2", ["good 9"], ["4", "81"]), ("+ $2", ["good 2", "good 9"], ["4", "18"])):
            test.log.unlink()
            test.program(change)
            test.sweep(0, good([2, 9]))
            expect(sorted(test.logged("end")) == ended and [row["square"] for row in test.query("table")] == squares, "other points")
    with test.case("another file of the same name, in a command or what it depends on, or another table: other points; the same files elsewhere: the same"):
        test.log.unlink()
        test.study('depends = ["[d]/dd.txt"]\n', grid("good", "{n}", "--f=data/a.txt:x", more='depends = ["./doc"]\naxes.n = [3]'))
        for runs, file, change in ((1, "data/a.txt", "x"), (2, "data/a.txt", "y"), (2, "data/a.txt", "y"), (3, "[d]/dd.txt", "y"), (4, "doc/in/a.txt", "y"),
                                   (5, "t.toml", f'{test.file.read_text()}table = ""'), (6, "t.toml", test.file.read_text().replace("--f=", "--g="))):
            (test.work / file).write_text(change)
            test.sweep(0)
            expect(len(test.logged("end")) == runs, f"{runs} runs are wanted")
        (test.work / "moved").mkdir()
        test.command(0, "cp", "-rt", test.work / "moved", *(test.work / path for path in ("data", "doc", "[d]", "t.toml")))
        test.command(0, *test.words("sweep", test.work / "moved/t.toml"))
        expect(len(test.logged("end")) == 6, "it ran again")


def failures(test: Sweeps) -> None:
    bad = {"": "no CSV: no line of values", "a,b\\n": "no CSV: no line of values", "a,b\\n1\\n": "no CSV: a line has 1 values, not 2: 1",
           "1,2\\n3,4\\n": "no CSV: its first line has no names", "a,a\\n3,4\\n": "or one twice: a,a", "a\\n\\377\\376\\n": "no CSV: 'utf-8' codec can't decode",
           "a\\n1": "no CSV: its last line is cut off"}
    test.fresh()
    with test.case("a point that fails, hangs, dies, floods or prints garbage: the others go on, each is listed with its command"):
        test.sweep(1, grid("{how}", more='seconds = 0.5\naxes.how = ["stays", "dies"]'), grid("floods", more="seconds = 60"), grid("fails", "{n}", more="axes.n = [1, 2, 3]"),
                   grid("parts", more="seconds = 0.5"), grid("none", more='table = "*.no"'), grid("prints", "{p}", more=f"axes.p = {json.dumps(list(bad))}"), by=("--jobs", 2))
        test.says("^t: 2 of 15 points done, 13 failed; ")
        for words, line in {"stays": "no end in 0.5 s", "parts": "no end in 0.5 s", "dies": "signal 11: help", "none": "it has left no *.no",
                            "floods": "signal 25", "fails 2": "exit status 7: it is number 2", **{f"prints {shlex.quote(text)}": line for text, line in bad.items()}}.items():
            test.says(re.escape(f"fake {words}\n    ") + ".*" + re.escape(line))
        expect(not sleeping(), "what a point had started goes on")
    with test.case("the next call tries what failed again, and nothing else"):
        test.log.unlink()
        test.file.write_text(test.file.read_text().replace("seconds = 0.5", "seconds = 0.4"))
        test.sweep(1)
        expect(len(test.logged("start")) == 13 and not {"fails 1", "fails 3"} & set(test.logged("start")), "other points ran")
        expect(len(failed := test.query("failed")) == 13 and failed[0]["command"].endswith("stays") and not test.query("missing"), "other failures")
        test.sweep(0, by=("--dry-run",))
        test.says("^15 points: 2 done, 13 failed, 0 to do$")
    with test.case("a shard of a task that grows: each result once, when its line is whole; one that comes again, late or not to its end changes nothing"):
        path, at, before = test.work / "shard", 0, test.sql("SELECT * FROM point ORDER BY id")
        late = [Result(row[1], "failed", 9, 0.0, "", "", "late", [{"n": 1, "w": "x"}]) for row in before if row[4] == "done"]
        for part, wanted in ((json.dumps(late[0])[:20], []), (f"{json.dumps(late[0])[20:]}\nno line\n[1]\n", late[:1]), (f"{json.dumps(late[1])}\n", late[1:])):
            with path.open("a") as file, opened(test.store, write=True) as db:
                print(part, end="", file=file, flush=True)
                found, at = read_shard(path, at)
                expect(found == wanted, "half a line is a result, or one comes twice, or another")
                put(db, found)
        retried = late[0]._replace(key=next(row[1] for row in before if row[4] == "failed"), status="done")
        with contextlib.suppress(IndexError), opened(test.store, write=True) as db:
            put(db, (one[0] for one in ([retried], [])))
        expect(test.sql("SELECT * FROM point ORDER BY id") == before and not test.sql("SELECT 1 FROM value WHERE name = 'w'"), "it does")
    with test.case("retries: a point that fails once is done at its second try"):
        test.sweep(0, "retries = 2\n", grid("twice", "{n}", more="axes.n = [1, 2]"), good([1]))
        expect(test.sql("SELECT tries FROM point JOIN member ON point = id ORDER BY number") == [(2,), (2,), (1,)], "another number of tries")
        expect(len(test.sql("SELECT 1 FROM point WHERE status = 'failed'")) == 13, "what is no more in the study is tried again")
    with test.case("a program that changes while it is swept: one line, and its results do not count"):
        test.sweep(3, grid("changes", more='table = ""'), by=("--jobs", 1))
        test.says("^ballast sweep: .*/fake: has changed while the sweep ran")
        expect(test.sql("SELECT status FROM point JOIN member ON point = id") == [(None,)], "its result counts")


def kills(test: Sweeps) -> None:
    points, times, draw, done = 600 if LONG else 150, 60 if LONG else 10, random.Random(1), set()
    test.fresh()
    test.study(grid("slow", "{n}", "0.02", more=f"axes.n = {{from = 1, to = {points}}}"))
    with test.case("kill -9 at any time, again and again: the store is whole, what was done is not run again, and nothing is lost"):
        for at in range(times + 1):
            kept = len(test.logged("start"))
            one = test.begun("--jobs", 3)
            if at < times:
                time.sleep(draw.uniform(0.1, 0.5))
                one.kill()
            one.communicate(timeout=60)
            expect(one.returncode in (0, -signal.SIGKILL), f"exit status {one.returncode}")
            expect(not done & set(test.logged("start")[kept:]), "points that were done ran again")
            if test.store.exists():
                expect(test.sql("PRAGMA integrity_check") in ([("ok",)], []) and test.sql("PRAGMA journal_mode") in ([("wal",)], []), "the store is damaged")
                done = {f"slow {n} 0.02" for n, in test.sql("SELECT axis.value FROM point JOIN axis ON axis.point = id WHERE status = 'done' AND name = 'n'")}
                expect(test.sql("SELECT count(*) FROM point WHERE status = 'done'") == test.sql("SELECT count(DISTINCT point) FROM value"), "half a result")
        expect(one.returncode == 0 and [row["n"] for row in test.query("table")] == [str(n) for n in range(1, points + 1)], "not all are there")
    for number in (signal.SIGINT, signal.SIGTERM):
        with test.case(f"{number.name}: exit status 130, the points end, and what was done is there"):
            test.fresh()
            test.study(grid("slow", "{n}", "0.01", more="axes.n = [1, 2, 3, 4]"), grid("stubborn", more='table = ""'))
            one = test.begun("--jobs", 2)
            wait_for("all but the last", lambda: test.sql("SELECT count(*) FROM point WHERE status = 'done'") == [(4,)] and len(test.logged("start")) == 5)
            one.send_signal(number)
            expect(one.communicate(timeout=60)[1].endswith("ballast sweep: interrupted\n") and one.returncode == 130, "it says something else")
            expect(test.sql("SELECT count(*) FROM point WHERE status = 'done'") == [(4,)] and not sleeping(), "what was done is lost, or a point goes on")
    with test.case("a long point: progress meanwhile; another sweep of the store is refused, queries are not; after a kill what ran ends"):
        test.fresh()
        test.study(good("{from = 1, to = 8}"), grid("stays", more='table = ""'))
        one = test.begun("--jobs", 2)
        test.said = next(line for line in one.stderr if line.startswith("sweep: 8"))
        test.says(r"^sweep: 8 of 9 done, 0 failed, 1 running, 0:00:(0[1-9]|1\d) left$")
        test.sweep(2)
        test.one_line("x.sqlite.work: another run works there; .* with --store")
        expect(test.query("studies")[0]["missing"] == "1", "another answer")
        one.kill()
        one.communicate(timeout=60)
        wait_for("what it ran ends, after a kill", lambda: not sleeping())
    with test.case("a store that is damaged in any page, cut off, none, of another version: one line, and it stays as it is; put back it goes on"):
        test.fresh()
        test.sweep(0, good("{from = 1, to = 40}"))
        sound = test.store.read_bytes()
        for data, line in (*((sound[:at] + bytes(range(256)) * 16 + sound[at + 4096:], "") for at in range(0, len(sound), 4096)), (sound[:len(sound) // 2], "malformed"),
                           (b"no database" * 999, "not a database"), (sound[:63] + b"\7" + sound[64:], "of another version"), (sound, "")):
            test.store.write_bytes(data)
            if data != sound:
                test.sweep(3)
                test.one_line(f"^ballast sweep: .*/x.sqlite: .*{line}.*; give another file")
                expect(test.store.read_bytes() == data, "it was changed")
        test.sweep(0, good("{from = 1, to = 41}"))
        expect(len(test.query("table")) == 41 and len(test.logged("start")) == 41, "something is lost")


def shipped(test: Sweeps) -> None:
    test.real = BALLAST
    test.fresh()
    text, runs, kernels = (HERE / "experiments.toml").read_text(), test.work / "e.csv", {"lcs": "VADD", "equalizer": "kmn-1", "perfsat": "LUD"}
    with test.case("the studies that are shipped have points; that of the experiments has all of them"):
        for path in sorted(HERE.glob("*.toml")):
            test.command(0, *test.words("sweep", "--dry-run", path))
            test.says(r"^[1-9]\d* points: 0 done, 0 failed, ")
        swept = {name for names in re.findall(r"^(?:axes\.)?paper = \[\"(.*)\"\]", text, re.M) for name in names.split(",")}
        test.command(0, test.real, "experiment", "--help")
        expect(swept == set(re.search(r"(\S+)\[,...\]\|all", test.said)[1].split("|")) and len(swept) == 7, f"{swept}")
    with test.case("tables made of what a store has are those of the command alone, and nothing is run for them"):
        short = text.replace('"--jobs", 1', '"--jobs", 1, "--length", 0.02')
        for folder, kernel in kernels.items():
            short = short.replace(f"/{folder}/*", f"/{folder}/{kernel}")
        test.sweep(0, *(f"[[grid]]{one}" for one in short.split("[[grid]]")[1:] if "{kernel}" in one))
        test.says("^t: 4 of 4 points done")
        test.query("table", "--out", runs)
        before = runs.read_bytes()
        for names, folder in (("lcs,lcs-bcs", "lcs"), ("equalizer", "equalizer"), ("perfsat", "perfsat")):
            words = [test.real, "experiment", names, "--length", 0.02, f"sim/kernels/{folder}/{kernels[folder]}.kernel"]
            test.command(0, *words)
            alone = test.said
            test.command(0, *words, "--runs", runs)
            said, _, tables = test.said.partition("\n")
            expect(tables == alone and "the paper's numbers" in alone and re.search(r"e.csv: goes on with \d+ finished runs$", said), f"other tables of {names}")
        expect(runs.read_bytes() == before and before.count(b"\n") > 50, "something was run")
    with test.case("area and proofs: a part of the study that is shipped, with the numbers of the tools"):
        text = (HERE / "hardware.toml").read_text().replace('"vf_vote", "bcs"', '"bcs"').replace('"fermi", "kepler"', '"fermi"')
        test.file.write_text(text)
        test.sweep(0)
        test.says("^hardware: 2 of 2 points done, 0 failed")
        [area, proof] = test.query("table", "--study", "hardware")
        [known] = [row for row in json.loads(Path("synth_scripts/area/area_baseline.json").read_text())["rows"] if (row["config"], row["block"]) == ("fermi", "bcs")]
        expect((area["block"], area["config"], proof["block"], proof["ge"]) == ("bcs", "fermi", "bcs", "") and int(area["flip_flops"]) == known["flip_flops"], f"{area}")
        expect(area["verdict"] != "same" or float(area["ge"]) == known["ge"], f"{area} {known}")  # other tools may say other sizes


TWO = grid("prints", "n,y,X\\n3,4.5,2\\n5,6 %%,\\n")


def questions(test: Sweeps) -> None:
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
        "no such column": (["best"], 2, "no axis or column 'cost_percent'"), "a wrong where": (["table", "--where", "x ="], 2, "incomplete input|syntax error"),
        "no such study": (["table", "--study", "u"], 2, "--study takes one of: t"), "another form": (["table", "--out", "x.xls"], 2, "to end with .csv or .parquet"),
        "a picture of nothing": (["picture", *value, "--where", "0"], 3, "nothing to draw"), "another picture": (["picture", *value, "--out", "x.png"], 2, "end with .svg"),
        "no store": (["table", "--store", test.file], 3, "t.toml: file is not a database")}, "--store", test.store)
    test.real = ""
    with test.case("an axis that is a column of others, a name of it in other letters, a point that failed"):
        test.fresh()
        test.sweep(1, grid("good", "{n}", more="axes.n = {many = 9}"), TWO, grid("fails", "{x}", more="axes.x = [3, 2]"))
        rows = test.query("table")
        expect([(row["n"], row["x"]) for row in rows] == [("many", ""), ("3", "2"), ("5", ""), ("3", "3")] and "X" not in rows[0], test.said)
        expect(len(test.query("summary", "--rows", "n", *value)) == 1, test.said)


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


def diffs(test: Sweeps) -> None:
    def diff(wanted: list[tuple[str, ...]], *stores: Path) -> None:
        found = test.table(bool(wanted), "diff", *stores)
        expect(found == wanted, f"{found}")
        test.says(f"; changes: {len(wanted)}$")
    test.fresh()
    test.sweep(1, good("{from = 1, to = 3}"), grid("fails", "{n}", more="axes.n = {from = 1, to = 2}"), TWO, good([3], "again"))
    for name, (change, wanted) in PLANTED.items():
        with test.case(f"diff: {name}"):
            diff(wanted, test.store, test.changed(change))
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
        test.changed("UPDATE point SET status = 'failed' WHERE id IN (SELECT point FROM value WHERE name = 'square' AND value = 6)", test.store)  # the program in between
        squares((1, 2, 7), (2, 4, 14), (3, 9, 21), (4, 8, 28))
    test.refused("diff", {
        "a study that is not there": (["--study", "u"], 3, "no point of u"), "a third one": ([test.store] * 2, 2, "two runs are compared, not 3"),
        "a build": (["--build-a", "a", "--build-b", "b"], 2, "--build-a: only of folders of runs"), "a folder beside it": ([test.work], 3, "there is no store")}, test.store)
    test.refused("diff", {"folders and an option of stores": (["--study", "t", test.work], 2, "only of stores of sweeps")}, test.work)


def trends(test: Sweeps) -> None:
    test.fresh()
    test.sweep(1, good([1, 2, 3, 5]), grid("fails", "{m}", more="axes.m = [2, 4]"))
    before = shutil.copy(test.changed("UPDATE point SET finished = '2000-01-01 00:00:00'", test.store), test.work / "before.sqlite")
    test.program("+ $2")
    test.sweep(0, good([2, 3, 5]))
    again = test.changed("INSERT INTO point SELECT 99, 'k', command, program, 'done', 1, 1.0, finished, host, '' FROM point WHERE id = 2;"
                         "INSERT INTO value VALUES (99, 1, 'square', 1000)")
    (was, _), (now, date) = test.sql("SELECT DISTINCT program, max(finished) FROM point GROUP BY program ORDER BY id")
    earlier, later, alone = (was, "2000-01-01 00:00:00", "3", "0"), (now, date, "3", "0"), (was, "2000-01-01 00:00:00", "5", "1")
    for name, rows, value, stores, wanted in (
            ("each program by its date, with the means of what the study has now", "word", "square", [test.store], [
                *((*earlier, f"w{n}", f"{n * n}.0", "1") for n in (2, 3, 5)), *((*later, f"w{n}", f"{n + n}.0", "1") for n in (2, 3, 5))]),
            ("the mean of all lines, of several stores; of a command that ran with several files the last counts", "policy", "square", [again, before], [
                (*earlier, "", str(1034 / 3), "3"), (*alone, "", "9.75", "4"), (*later, "", str(20 / 3), "3")]),
            ("rows by an axis that is no column, with other rows", "m", "n", [before], [(*alone, "", "2.75", "4"), (*alone, "4", "4.0", "1")]),
            ("words have no mean", "n", "word", [before], [(*alone, "", "", "")])):
        with test.case(f"trend: {name}"):
            found = test.table(0, "trend", "--rows", rows, "--value", value, *stores)
            expect([(*row[2:6], *row[7:]) for row in found] == wanted and {row[0] for row in found} == set(map(str, stores)), f"{found} {wanted}")
    test.refused("trend", {"no such study": (["--study", "u"], 3, "no point of u has been run"), "a page": (["--html", "x.html"], 2, "--html: only of folders of runs")}, test.store)


HOST = socket.gethostname().partition(".")[0]
CONF = """ClusterName=ballast
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={work}/socket
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={work}/state
SlurmdSpoolDir={work}/spool
SlurmctldPidFile={work}/slurmctld.pid
SlurmdPidFile={work}/slurmd.pid
ProctrackType=proctrack/linuxproc
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=1,sched_interval=2
MaxArraySize=5
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Cluster(Sweeps):
    def __enter__(self) -> Cluster:
        super().__enter__()
        os.environ |= {"PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin", "SLURM_CONF": f"{self.work}/slurm.conf"}
        with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
            ports = [of.getsockname()[1] for of in (one, two)]
        (self.work / "slurm.conf").write_text(CONF.format(work=self.work, host=HOST, user=getpass.getuser(), ports=ports))
        (self.work / "state").mkdir()
        (self.work / "key-file").write_bytes(os.urandom(1024))
        self.daemons: dict[str, subprocess.Popen] = {}
        self.lot = self.store.with_name("x.sqlite.slurm")
        self.start("munged", "--force", "--foreground", *(f"--{name}={self.work}/{name}" for name in ("key-file", "socket", "pid-file", "log-file", "seed-file")))
        wait_for("munged", (self.work / "socket").exists)
        self.start("slurmctld", "-D")
        self.node()
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        self.kill(*self.daemons)
        return super().__exit__(kind, error, trace)

    def kill(self, *names: str) -> None:
        """These daemons, with all that they have started."""
        others = {process.pid for name, process in self.daemons.items() if name not in names}
        for path in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):  # it has ended
                if f"SLURM_CONF={self.work}/".encode() in path.read_bytes() and int(path.parent.name) not in others:
                    os.kill(int(path.parent.name), signal.SIGKILL)
        for name in names:
            self.daemons[name].wait()

    def start(self, name: str, *words: str) -> None:
        with (self.work / f"{name}.out").open("w") as out:
            self.daemons[name] = subprocess.Popen([name, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=out)

    def node(self) -> None:
        self.start("slurmd", "-D")
        wait_for("an idle node", lambda: "idle" in subprocess.run(["sinfo", "--noheader", "--format=%T"], capture_output=True, text=True, check=False).stdout)

    def done(self) -> list[int]:
        return [n for n, in self.sql("SELECT value FROM value WHERE name = 'n' ORDER BY value")] if self.store.exists() else []

    def starts(self) -> list[int]:
        return [int(line.split()[1]) for line in self.logged("start")]


def arrays(test: Cluster) -> None:
    with test.case("23 points in 12 tasks, more than an array may have: three arrays, each point once; 81 more, and no other, in tasks so large that one is enough"):
        test.sweep(0, good("{from = 1, to = 23}"), by=("--slurm", "--chunk", 2))
        test.says("^23 points in 12 tasks: jobs [0-9]+ [0-9]+ [0-9]+$")
        expect(test.done() == sorted(test.starts()) == list(range(1, 24)) and not test.lot.exists(), "a point ran twice, or a lot is left")
        test.sweep(0, good("{from = 1, to = 104}"), by=("--slurm",))
        test.says("^81 points in 5 tasks: jobs [0-9]+$")
        expect(len(test.starts()) == 104, "a point ran again")
    with test.case("a failure on a node is listed; an option that Slurm does not take: one line"):
        test.sweep(1, "retries = 1\n", grid("fails", "{n}", more="axes.n = [1, 2, 3]"), grid("twice", "1"), by=("--slurm",))
        test.says("fake fails 2\n    exit status 7: it is number 2\nt: 3 of 4 points done, 1 failed; ")
        test.sweep(2, by=("--slurm", "--sbatch=--partition=none"))
        test.says("^ballast sweep: sbatch: exit status 1: .*partition")


def dead(test: Cluster) -> None:
    test.fresh()
    test.study(grid("slow", "{n}", "1.5", more="axes.n = {from = 1, to = 8}"))
    with test.case("a node dies, and the sweep is killed: what was done is kept, the next call runs the rest, no point that was done runs again"):
        one = test.begun("--slurm", "--chunk", 4, "--sbatch=--no-requeue")
        wait_for("a result", test.done)
        one.kill()
        one.communicate(timeout=60)
        test.kill("slurmd")
        test.command(0, "scontrol", "update", f"NodeName={HOST}", "State=DOWN", "Reason=dead")
        before, kept = len(test.starts()), test.done()
        expect(0 < len(kept) < 8, f"it was too late: {kept}")
        test.node()
        test.sweep(0, by=("--slurm", "--chunk", 4))
        expect(test.done() == list(range(1, 9)) and not set(kept) & set(test.starts()[before:]), "a point is missing, or one that was done ran again")
    test.fresh()
    test.study(grid("slow", "{n}", "1.0", more="axes.n = {from = 1, to = 6}"))
    with test.case("a call while tasks are in the queue waits for them; a shard that is cut off or damaged costs only its own lines"):
        one = test.begun("--slurm", "--chunk", 3)
        wait_for("a shard", lambda: list(test.lot.glob("shards/*.jsonl")))
        one.send_signal(signal.SIGINT)
        expect(re.search("the tasks go on.*--name=ballast-[0-9a-f]{12}'", one.communicate(timeout=60)[1]) and one.returncode == 130, "it says something else")
        (test.lot / "shards/9.x.jsonl").write_text('{"key": "x"}\nnothing\n[1]\n["cut o')
        test.sweep(0, by=("--slurm",))
        expect("tasks: jobs" not in test.said and test.done() == sorted(test.starts()) == [1, 2, 3, 4, 5, 6], f"it submits again, or points ran twice: {test.starts()}")


def tasks(test: Cluster) -> None:
    """What Slurm starts, by hand: task 2 + 5 of a lot."""
    test.fresh()
    for name in ("tasks", "shards"):
        (test.lot / name).mkdir(parents=True)

    def task(status: int, key: str, starts: int, sums: dict[str, str]) -> None:
        points = [Point(f"{key}{n}", [str(test.ballast), "slow", str(n), "0.5"], {}, "-", 9.0, list(sums)) for n in (1, 2, 3)]
        (test.lot / "tasks/7.json").write_text(json.dumps(points))
        (test.lot / "lot.json").write_text(json.dumps({"retries": 0, "sums": sums}))
        test.command(status, sys.executable, "sim/sweep/sweep.py", "task", test.lot, 5, env={"SLURM_ARRAY_TASK_ID": "2", "SLURM_CPUS_PER_TASK": "3"})
        expect(len(test.starts()) == starts and set(test.starts()) == {1, 2, 3} and test.log.read_text().startswith("start", test.log.read_text().find("\n") + 1), test.log.read_text())
    with test.case("a task that is run again leaves out what its shard has; one whose program is another one runs nothing"):
        for _ in range(2):
            task(0, "a", 3, {})
        shard = max((test.lot / "shards").iterdir(), key=lambda path: path.stat().st_size)
        shard.write_bytes(shard.read_bytes()[:-5])
        task(0, "a", 4, {})
        task(3, "b", 4, {str(test.ballast): "x"})
        test.one_line("fake: is not the same on ")


READ = "import json, sys, pyarrow.parquet as p; t = p.read_table(sys.argv[1]); print(json.dumps([[str(t.schema.field(n).type), t[n].to_pylist()] for n in t.column_names]))"
COLUMNS = {
    "numbers, words, and what a line does not have": ("SELECT n, square, word FROM line ORDER BY point, line",
                                                      [["int64", [1, 2, 3, 5]], ["int64", [1, 4, None, None]], ["string", ["w1", "w2", None, None]]]),
    "numbers beside words are words": ("SELECT y FROM line WHERE y IS NOT NULL", [["string", ["4.5", "6 %"]]]),
    "whole numbers beside others": ("SELECT 1 AS a UNION ALL SELECT 0.1", [["double", [1.0, 0.1]]]),
    "numbers that no type holds together": ("SELECT 9223372036854775807 AS a UNION ALL SELECT 0.1", [["string", ["9223372036854775807", "0.1"]]]),
    "nothing": ("SELECT NULL AS a, 1 AS b WHERE 0", [["null", []], ["null", []]])}


def parquet(test: Sweeps) -> None:
    venv, out = pypi.environment(pypi.PYARROW).resolve(), test.work / "t.parquet"
    os.environ["PATH"] = f"{venv / 'bin'}:{os.environ['PATH']}"
    test.sweep(0, good("{from = 1, to = 2}"), TWO)
    test.real = BALLAST
    for name, (sql, wanted) in COLUMNS.items():
        with test.case(f"Parquet: {name}"):
            test.query("sql", sql, "--out", out)
            test.command(0, venv / "bin/python", "-c", READ, out)
            expect(json.loads(test.said) == wanted, test.said)
    test.refused("query", {"two columns of one name": (["sql", "SELECT 1 AS a, 2 AS a", "--out", out], 2, "two columns have one name: a, a")}, "--store", test.store)


PARTS = {"": (Sweeps, studies, results, failures, kills, shipped), "query": (Sweeps, questions, diffs, trends), "slurm": (Cluster, arrays, dead, tasks),
         "parquet": (Sweeps, parquet)}

if __name__ == "__main__":
    fixture, *parts = PARTS["".join(sys.argv[2:])]
    fixture.main("", *parts)
