# SPDX-License-Identifier: Apache-2.0
"""Sweeps: what a study means, what comes into the store, and what a kill or a damaged store leave.

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
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
from planted import LONG, Planted, expect, refused  # noqa: E402
from store import Result, opened, put  # noqa: E402
from study import Study  # noqa: E402
from sweep import read_shard  # noqa: E402

HERE = Path("sim/sweep").resolve()
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
dies) kill -SEGV $$;;
prints) printf "$2";;
floods) exec head -c 200000000 /dev/zero;;
twice) [ -e {log}.$2 ] || { touch {log}.$2; exit 1; }; printf 'n\\n%s\\n' $2;;
leaves) printf 'n\\n%s\\n' $2 > $3/r.csv; echo nothing;;
changes) touch "$0";;
esac
echo "end $*" >> {log}
"""


def grid(*words: str, more: str = "") -> str:
    return f"[[grid]]\ncommand = {json.dumps(words)}\n{more}\n"


def good(numbers: object, *words: str) -> str:
    """The script says what the squares of these numbers are."""
    return grid("good", "{n}", *words, more=f"axes.n = {numbers}")


def up_to(count: int) -> str:
    return f"{{from = 1, to = {count}}}"


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

    def query(self, *words: object, status: int = 0) -> list[dict[str, str]]:
        self.command(status, *self.words("query", *words, "--csv"))
        return list(csv.DictReader(self.said.splitlines()))

    def logged(self, word: str) -> list[str]:
        return [line.removeprefix(f"{word} ") for line in self.log.read_text(errors="replace").splitlines() if line.startswith(f"{word} ")] if self.log.exists() else []

    def sql(self, text: str) -> list[tuple[object, ...]]:
        """Nothing of a store that has only begun."""
        with contextlib.closing(sqlite3.connect(self.store, timeout=60)) as db:
            return db.execute(text if db.execute("SELECT 1 FROM sqlite_master").fetchall() else "SELECT 1 WHERE 0").fetchall()


def processes(file: str) -> Iterator[tuple[int, str]]:
    """What stands in this file of each process, its words with spaces between them."""
    for path in Path("/proc").glob(f"[0-9]*/{file}"):
        with contextlib.suppress(OSError):  # it has ended
            yield int(path.parent.name), path.read_bytes().replace(b"\0", b" ").decode(errors="replace")


def sleeping() -> bool:
    return any(words.startswith(f"sleep {FOREVER}") for _, words in processes("cmdline"))


def wait_for(what: str, true: Callable[[], object]) -> None:
    end = time.monotonic() + 30
    while not true():
        expect(time.monotonic() < end, f"never: {what}")
        time.sleep(0.01)


# ---- what a study means ------------------------------------------------------------------------------------

AXIS = {  # of the axis n
    "[]": "axis 'n': wants values", "[1, 2, 1]": "each of them once", "[[1], 2]": "single words", "[true]": "True is no text or number",
    "{from = 3, to = 1}": "are no values", "{from = 1, to = 3, step = 0}": "are no values", "{from = 'a', to = 'c'}": "{from, to, step} with numbers",
    "{files = 'data/*', n = 1}": "{files = PATTERN}", "{files = '*/?.txt'}": "each of them once", "[1]\naxes.m = [1]": "the command has no {m}",
    "[1]\naxes.out = [1]": "axis 'out'", "[1]\nseconds = 0": "grid 1: seconds: wants a number", "[1]\naxis = 1": "grid 1: no key 'axis' is known",
    "[1, 2]\nonly = [{n = 3}]": "grid 1: a filter: axis 'n' has no value 3", "[1, 2]\nonly = [1]": "wants tables", "[1, 2]\nexcept = [{m = 1}]": "axis 'm' has no value 1",
    "[1, 2]\nexcept = [{n = [1, 2]}]": "the filters leave no point", f"[1]\n{good([1])}": "grid 2: this command is there twice"}
STUDIES = {  # beside its name
    "": "grid is missing", "colour = 1\n": "no key 'colour' is known", "grid = [1]\n": "grid 1: wants a table", "[[grid]]\ncommand = []": "command is missing or empty",
    f"seconds = 'long'\n{good([1])}": "seconds wants int|float, not 'long'", f"retries = -1\n{good([1])}": "retries: wants a number", "name = 't'": "no TOML",
    grid("good", "{n}"): "there is no axis 'n'", f"axes.m = [1]\n{good([1])}": "axis 'm': no command has it", grid("good", "data/*.no"): "there is no file data/*.no",
    grid("x={n}", more="axes.n = {a = [1, 2], b = 1}"): "is not one word",
    grid("{n}{m}", more="axes.n = {from = 1, to = 3000}\naxes.m = {from = 1, to = 3000}"): "more than 1000000 points"}


def studies(test: Sweeps) -> None:
    for name in ("data/a.txt", "data/b.txt", "more/a.txt"):
        (test.work / name).parent.mkdir(exist_ok=True)
        (test.work / name).write_text(name)
    with test.case("axes: lists, ranges, files, names with no word and several; filters; the order is that of the file"):
        test.sweep(0, grid("say", "{n}", "--x={x}", "{more}", "{f}", more="""axes.n = [1, 2]
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
    for text, line in ({f"{grid('good', '{n}')}axes.n = {of}\n": line for of, line in AXIS.items()} | STUDIES).items():
        with test.case(f"a study: {line}: one line"):
            test.study(text)
            refused(lambda: Study(test.file, str(test.ballast)), line)
    for what, path in {"no TOML": HERE / "sweep.py", "No such file": test.work / "none.toml"}.items():
        with test.case(f"a study: {what}: the command says it in one line, and no store is made"):
            test.command(3, *test.words("sweep", path))
            test.one_line(f"^ballast sweep: {re.escape(str(path))}: {what}")
            expect(not test.store.exists(), "a store of nothing")


# ---- what comes into the store -----------------------------------------------------------------------------

def results(test: Sweeps) -> None:
    test.fresh()
    with test.case("results: numbers as numbers, words as words; nothing runs twice"):
        test.sweep(0, good(up_to(6)), grid("leaves", "{n}", "{out}", more='table = "*.csv"\naxes.n = [7]'), grid("none", more='table = ""'), by=("--jobs", 3))
        test.says("^sweep: 8 of 8 done, 0 failed, 0 running, 0:00:00 left$")
        expect(not test.store.with_name("x.sqlite.work").exists(), "folders of points are left")
        rows = test.query("table")
        expect([(row["n"], row["square"], row["word"]) for row in rows] == [*((str(n), str(n * n), f"w{n}") for n in range(1, 7)), ("7", "", ""), ("", "", "")], f"{rows}")
        expect(test.sql("SELECT DISTINCT typeof(value) FROM value WHERE name = 'square'") == [("integer",)], "no numbers")
        test.sweep(0)
        test.says("^t: 8 points, 8 done before$")
        expect(len(test.logged("start")) == 8, "a point ran twice")
    with test.case("so many at a time as are asked for"):
        for jobs, order in ((3, "start start start end end end"), (1, "start end start end start end")):
            test.log.unlink()
            test.sweep(0, grid("slow", "{n}", f"{jobs / 3:.2f}", more="axes.n = [1, 2, 3]"), by=("--jobs", jobs))
            expect([line.split()[0] for line in test.log.read_text().splitlines()] == order.split(), f"others than {jobs}")
    with test.case("a study that grows: only what is new runs; what is no more in it is not asked for; another program: all points are others"):
        test.sweep(0, good([2, 3]))
        for change, ended, squares in (("* $2", ["good 9"], ["4", "81"]), ("+ $2", ["good 2", "good 9"], ["4", "18"])):
            test.log.unlink()
            test.program(change)
            test.sweep(0, good([2, 9]))
            expect(sorted(test.logged("end")) == ended and [row["square"] for row in test.query("table")] == squares, "other points")
    with test.case("another file of the same name, in a command or what it depends on, or another table: other points; the same files elsewhere: the same"):
        test.log.unlink()
        test.study('depends = ["data/b.txt"]\n', grid("good", "{n}", "--f=data/a.txt", more='depends = ["./more"]\naxes.n = [3]'))
        for runs, file, change in ((1, "data/a.txt", "x"), (2, "data/a.txt", "y"), (2, "data/a.txt", "y"), (3, "data/b.txt", "y"), (4, "more/a.txt", "y"),
                                   (5, "t.toml", f'{test.file.read_text()}table = ""')):
            (test.work / file).write_text(change)
            test.sweep(0)
            expect(len(test.logged("end")) == runs, f"{runs} runs are wanted")
        (test.work / "moved").mkdir()
        test.command(0, "cp", "-rt", test.work / "moved", *(test.work / path for path in ("data", "more", "t.toml")))
        test.command(0, *test.words("sweep", test.work / "moved/t.toml"))
        expect(len(test.logged("end")) == 5, "it ran again")


def failures(test: Sweeps) -> None:
    bad = {"": "no CSV: no line of values", "a,b\\n": "no CSV: no line of values", "a,b\\n1\\n": "no CSV: a line has 1 values, not 2: 1",
           "1,2\\n3,4\\n": "no CSV: its first line has no names", "a,a\\n3,4\\n": "or one twice: a,a", "a\\n\\377\\376\\n": "no CSV: 'utf-8' codec can't decode",
           "a\\n1": "no CSV: its last line is cut off"}
    test.fresh()
    with test.case("a point that fails, hangs, dies, floods or prints garbage: the others go on, each is listed with its command"):
        test.sweep(1, grid("{how}", more='seconds = 0.5\naxes.how = ["stays", "dies"]'), grid("floods", more="seconds = 60"), grid("fails", "{n}", more="axes.n = [1, 2, 3]"),
                   grid("parts", more="seconds = 0.5"), grid("prints", "{p}", more=f"axes.p = {json.dumps(list(bad))}"), by=("--jobs", 2))
        test.says("^t: 2 of 14 points done, 12 failed; ")
        for words, line in {"stays": "no end in 0.5 s", "parts": "no end in 0.5 s", "dies": "signal 11", "floods": "signal 25", "fails 2": "exit status 7: it is number 2",
                            **{f"prints {shlex.quote(text)}": line for text, line in bad.items()}}.items():
            test.says(re.escape(f"fake {words}\n    ") + ".*" + re.escape(line))
        expect(not sleeping(), "what a point had started goes on")
    with test.case("the next call tries what failed again, and nothing else"):
        test.log.unlink()
        test.file.write_text(test.file.read_text().replace("seconds = 0.5", "seconds = 0.4"))
        test.sweep(1)
        expect(len(test.logged("start")) == 12 and not {"fails 1", "fails 3"} & set(test.logged("start")), "other points ran")
        expect(len(test.query("failed")) == 12 and not test.query("missing"), "other failures")
        test.sweep(0, by=("--dry-run",))
        test.says("^14 points: 2 done, 12 failed, 0 to do$")
    with test.case("a shard of a task that grows: each result once, when its line is whole; one that comes again or late changes nothing"):
        path, at, before = test.work / "shard", 0, test.sql("SELECT * FROM point ORDER BY id")
        for key in (row[1] for row in before if row[4] == "done"):
            result = Result(key, "failed", 9, 0.0, "", "", "late", [{"n": 1, "w": "x"}])
            line = json.dumps(result)
            for part, wanted in ((line[:20], []), (f"{line[20:]}\nno line\n[1]\n", [result])):
                with path.open("a") as file:
                    file.write(part)
                found, at = read_shard(path, at)
                expect(found == wanted, "half a line is a result, or one comes twice, or another")
                with opened(test.store, write=True) as db:
                    put(db, found)
        expect(at and test.sql("SELECT * FROM point ORDER BY id") == before and not test.sql("SELECT 1 FROM value WHERE name = 'w'"), "it does")
    with test.case("retries: a point that fails once is done at its second try"):
        test.sweep(0, "retries = 1\n", grid("twice", "{n}", more="axes.n = [1, 2]"))
        expect(test.sql("SELECT tries FROM point JOIN member ON point = id") == [(2,), (2,)], "another number of tries")
    with test.case("a program that changes while it is swept: one line, and its results do not count"):
        test.sweep(3, grid("changes", more='table = ""'), by=("--jobs", 1))
        test.says("^ballast sweep: .*/fake: has changed while the sweep ran")
        expect(test.sql("SELECT status FROM point JOIN member ON point = id") == [(None,)], "its result counts")


# ---- against it --------------------------------------------------------------------------------------------

def kills(test: Sweeps) -> None:
    points, times, draw, done = 600 if LONG else 150, 60 if LONG else 10, random.Random(1), set()
    test.fresh()
    test.study(grid("slow", "{n}", "0.02", more=f"axes.n = {up_to(points)}"))
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
            wait_for("all but the last", lambda: len(test.logged("end")) == 4 and len(test.logged("start")) == 5)
            time.sleep(0.1)
            one.send_signal(number)
            expect(one.communicate(timeout=60)[1] == "ballast sweep: interrupted\n" and one.returncode == 130, "it says something else")
            expect(test.sql("SELECT count(*) FROM point WHERE status = 'done'") == [(4,)] and not sleeping(), "what was done is lost, or a point goes on")
    with test.case("two sweeps on one store: the second is refused, queries are not; after a kill what ran ends"):
        test.study(grid("stays", more='table = ""'))
        one = test.begun()
        wait_for("it runs", sleeping)
        test.sweep(2)
        test.one_line("x.sqlite: another sweep writes into it")
        expect(test.query("studies")[0]["missing"] == "1", "another answer")
        one.kill()
        one.communicate(timeout=60)
        wait_for("what it ran ends, after a kill", lambda: not sleeping())
    with test.case("a store that is damaged, none, or of another version: one line, and it stays as it is"):
        test.fresh()
        test.sweep(0, good(up_to(40)))
        sound = test.store.read_bytes()
        test.study(good(up_to(41)))
        for data, line in ((sound[:8192] + bytes(range(256)) * 32 + sound[16384:], "malformed|fit together"), (b"no database" * 999, "not a database"),
                           (sound[:63] + b"\7" + sound[64:], "of another version")):
            test.store.write_bytes(data)
            test.sweep(3)
            test.one_line(rf"x.sqlite: .*({line})")
            expect(test.store.read_bytes() == data, "it was changed")
        test.store.unlink()
        test.query("table", status=3)
        test.one_line("there is no store")


# ---- studies that are shipped, with the command ------------------------------------------------------------

def shipped(test: Sweeps) -> None:
    test.real = str(Path(sys.argv[1]).resolve())
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
        text = (HERE / "hardware.toml").read_text()
        for was, now in (('"vf_vote", "bcs"', '"bcs"'), ('"fermi", "kepler"', '"fermi"'), ('name = "hardware"', 'name = "part"')):
            expect(was in text, f"{was} is not in the study")
            text = text.replace(was, now)
        test.file.write_text(text)
        test.sweep(0)
        test.says("^part: 2 of 2 points done, 0 failed")
        [area, proof] = test.query("table", "--study", "part")
        [known] = [row for row in json.loads(Path("synth_scripts/area/area_baseline.json").read_text())["rows"] if (row["config"], row["block"]) == ("fermi", "bcs")]
        expect((area["block"], area["config"], proof["block"], proof["ge"]) == ("bcs", "fermi", "bcs", "") and int(area["flip_flops"]) == known["flip_flops"], f"{area}")
        expect(area["verdict"] != "same" or float(area["ge"]) == known["ge"], f"{area} {known}")  # other tools may say other sizes


if __name__ == "__main__":
    Sweeps.main("", studies, results, failures, kills, shipped)
