# SPDX-License-Identifier: Apache-2.0
"""test_sweep.py BALLAST: what a study means, what runs, what a kill or a damaged store leaves. LONG=1 kills more often.
Run from the repository root."""
from __future__ import annotations

import contextlib
import hashlib
import json
import random
import re
import shlex
import shutil
import signal
import sqlite3
import time
from pathlib import Path
from unittest import mock

from sweep_fixture import BALLAST, HERE, LONG, Sweeps, expect, good, grid, refused, same, sleeping, wait_for

from store import Result, opened, put
from study import Files, Point, Study
from sweep import read_shard, run_points

AXIS = {  # of the axis n
    "[]": "axis 'n': wants values", "[1, 2, 1]": "each of them once", "[[1], 2]": "single words", "[true]": "True is no text or number",
    "{from = 3, to = 1}": "are no values", "{from = 1, to = 3, step = 0}": "are no values",
    "{from = 'a', to = 'c'}": "{from, to, step} with numbers", "{files = 'data/*', n = 1}": "{files = PATTERN}",
    "{files = '**/?.txt'}": "each of them once", "[1]\naxes.m = [1]": "the command has no {m}",
    "[1]\naxes.out = [1]": "the command has no {out} that could be an axis", "[1]\nseconds = 0": "grid 1: seconds: wants a number",
    "[1]\naxis = 1": "grid 1: no key 'axis' is known", "[1, 2]\nonly = [{n = 3}]": "grid 1: a filter: axis 'n' has no value 3",
    "[1, 2]\nonly = [1]": "wants tables", "[1, 2]\nexcept = [{m = 1}]": "axis 'm' has no value 1",
    "[1, 2]\nexcept = [{n = [1, 2]}]": "the filters leave no point", f"[1]\n{good([1])}": "grid 2: this command is there twice"}
STUDIES = {  # beside its name
    "": "grid is missing", "colour = 1\n": "no key 'colour' is known", "name = 't'": "no TOML", "grid = [1]\n": "grid 1: wants a table",
    "[[grid]]\ncommand = []": "command is missing or empty", f"seconds = 'long'\n{good([1])}": "seconds wants int|float, not 'long'",
    f"retries = -1\n{good([1])}": "retries: wants a number", grid("good", "data/*.no"): "there is no file data/*.no",
    grid("good", "{n}"): "there is no axis 'n'", f"axes.m = [1]\n{good([1])}": "axis 'm': no command has it",
    grid("x={n}", more="axes.n = {a = [1, 2], b = 1}"): "is not one word",
    grid("{n}{m}", more="axes.n = {from = 1, to = 3000}\naxes.m = {from = 1, to = 3000}"): "more than 1000000 points"}
BAD = {  # what a point prints, and why that is no table
    "": "no CSV: no line of values", "a,b\\n": "no CSV: no line of values", "a,b\\n1\\n": "no CSV: a line has 1 values, not 2: 1",
    "1,2\\n3,4\\n": "no CSV: its first line has no names", "a,a\\n3,4\\n": "or one twice: a,a", "a\\n1": "no CSV: its last line is cut off",
    "a\\n\\377\\376\\n": "no CSV: 'utf-8' codec can't decode"}
FAILS = {"stays": "no end in 0.5 s", "parts": "no end in 0.5 s", "dies": "signal 11: help", "none": "it has left no *.no",
         "floods": "signal 25", "fails 2": "exit status 7: it is number 2"}


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
        wanted = [f"to do   {test.ballast.resolve()} say {n} --x={x}{more} {here}/{f}.txt" for n, x in ((1, 0.1), (1, 0.3), (2, 0.3))
                  for more in ("", " -p 5") for f in "ab" if not (f == "b" and more)]
        same(test.said.splitlines(), [*wanted, f"{len(wanted)} points: 0 done, 0 failed, {len(wanted)} to do"])
        expect(not test.log.exists() and not test.store.exists(), "something ran, or was written")
        same({point.seconds for point in Study(test.file, str(test.ballast)).points.values()}, {7.0})
    for text, line in ({f"{grid('good', '{n}')}axes.n = {of}\n": line for of, line in AXIS.items()} | STUDIES).items():
        with test.case(f"a study: {line}: one line"):
            test.study(text)
            refused(lambda: Study(test.file, str(test.ballast)), line)
    for path, what in ((HERE / "sweep.py", "no TOML"), (test.work / "none.toml", "No such file")):
        test.refused("sweep", 3, {str(path): f"^ballast sweep: {re.escape(str(path))}: {what}"}, "--store", test.store)
    expect(not test.store.exists(), "a store of nothing")


def results(test: Sweeps) -> None:
    test.fresh()
    with test.case("results: numbers as numbers, words as words; nothing runs twice"):
        test.sweep(0, good("{from = 1, to = 6}"), grid("leaves", "{n}", "{out}", more='table = "*.csv"\naxes.n = [7]'),
                   grid("none", more='table = ""'), by=("--jobs", 3), says="^sweep: 8 of 8 done, 0 failed, 0 running, 0:00:00 left$")
        expect(not test.store.with_name("x.sqlite.work").exists(), "folders of points are left")
        rows = [(row["n"], row["square"], row["word"]) for row in test.query("table")]
        same(rows, [*((str(n), str(n * n), f"w{n}") for n in range(1, 7)), ("7", "", ""), ("7", "", "100.0"), ("", "", "")])
        same(test.sql("SELECT DISTINCT typeof(value) FROM value WHERE name = 'square'"), [("integer",)])
        same(len(test.logged("start")), 8)
        test.sweep(0, says="^t: 8 points, 8 done before$")
        same(test.logged("start"), [])
        total = hashlib.sha256(test.ballast.read_bytes()).hexdigest()
        same(test.sql("SELECT DISTINCT program, length(key) FROM point"), [(total[:16], 32)])
    with test.case("another program that writes the store is waited for"), contextlib.closing(sqlite3.connect(test.store)) as other:
        other.execute("BEGIN IMMEDIATE")
        one = test.begun()
        time.sleep(2)
        expect(one.poll() is None, "it does not wait")
        other.rollback()
        expect(one.wait(60) == 0, one.stderr.read())
    with test.case("so many at a time as are asked for"):
        for jobs, order in ((3, "start start start end end end"), (1, "start end start end start end")):
            test.sweep(0, grid("slow", "{n}", f"{jobs / 3:.2f}", more="axes.n = [1, 2, 3]"), by=("--jobs", jobs))
            same([line.split()[0] for line in test.log.read_text().splitlines()], order.split())
    with test.case("progress on a terminal is one line, written over"):
        test.study(good([11]))
        test.command(0, "script", "-qec", shlex.join(map(str, test.words("sweep", test.file))), "/dev/null")
        test.says("\033.Ksweep: 1 of 1 done, 0 failed, 0 running, 0:00:00 left$")
    with test.case("more points than wait for a core at once"), mock.patch("sweep.AT_ONCE", 2):
        ended: list[str] = []
        points = [Point(key, ["true"], {}, "", 9.0, []) for key in "abcde"]
        run_points(points, test.work / "points", 2, 0, Files(), lambda point, _: ended.append(point.key))
        same(sorted(ended), list("abcde"))
    with test.case("a study that grows: only what is new runs; what is no more in it is not asked for; another program: other points"):
        test.sweep(0, good([2, 3]))
        for change, ended, squares in (("* $2", ["good 9"], ["4", "81"]), ("+ $2", ["good 2", "good 9"], ["4", "18"])):
            test.program(change)
            test.sweep(0, good([2, 9]))
            same(sorted(test.logged("end")), ended)
            same([row["square"] for row in test.query("table")], squares)
    with test.case("another file in a command or what it depends on, another table: other points; the same files elsewhere: the same"):
        test.study('depends = ["[d]/dd.txt"]\n', grid("good", "{n}", "--f=data/a.txt:x", more='depends = ["./doc"]\naxes.n = [3]'))
        study = test.file.read_text()
        for runs, file, change in ((1, "data/a.txt", "x"), (1, "data/a.txt", "y"), (0, "data/a.txt", "y"), (1, "[d]/dd.txt", "y"),
                                   (1, "doc/in/a.txt", "y"), (1, "t.toml", f'{study}table = ""'),
                                   (1, "t.toml", study.replace("--f", "--g"))):
            (test.work / file).write_text(change)
            test.sweep(0)
            same(len(test.logged("end")), runs)
        (test.work / "moved").mkdir()
        test.command(0, "cp", "-rt", test.work / "moved", *(test.work / path for path in ("data", "doc", "[d]", "t.toml")))
        test.command(0, *test.words("sweep", test.work / "moved/t.toml"))
        same(len(test.logged("end")), 1)


def failures(test: Sweeps) -> None:
    test.fresh()
    with test.case("a point that fails, hangs, dies, floods or prints garbage: the others go on, each is listed with its command"):
        test.sweep(1, grid("{how}", more='seconds = 0.5\naxes.how = ["stays", "dies", "parts"]'), grid("floods", more="seconds = 60"),
                   grid("fails", "{n}", more="axes.n = [1, 2, 3]"), grid("none", more='table = "*.no"'),
                   grid("prints", "{p}", more=f"axes.p = {json.dumps(list(BAD))}"), by=("--jobs", 2))
        test.says("^t: 2 of 15 points done, 13 failed; ")
        for words, line in ({f"prints {shlex.quote(text)}": line for text, line in BAD.items()} | FAILS).items():
            test.says(re.escape(f"fake {words}\n    ") + ".*" + re.escape(line))
        expect(not sleeping(), "what a point had started goes on")
        same(test.sql("SELECT command FROM point WHERE said LIKE 'no end%' AND seconds > 15"), [])
    with test.case("the next call tries what failed again, and nothing else"):
        test.file.write_text(test.file.read_text().replace("seconds = 0.5", "seconds = 0.4"))
        test.sweep(1)
        expect(len(test.logged("start")) == 13 and not {"fails 1", "fails 3"} & set(test.logged("start")), "other points ran")
        failed = test.query("failed")
        expect(len(failed) == 13 and failed[0]["command"].endswith("stays") and not test.query("missing"), f"{failed}")
        test.sweep(0, by=("--dry-run",), says="^15 points: 2 done, 13 failed, 0 to do$")
    with test.case("a shard that grows: each result once, when its line is whole; one that comes again, late or cut off changes nothing"):
        path, at, before = test.work / "shard", 0, test.sql("SELECT * FROM point ORDER BY id")
        late = [Result(row[1], "failed", 9, 0.0, "", "", "late", [{"n": 1, "w": "x"}]) for row in before if row[4] == "done"]
        first, second = map(json.dumps, late)
        for part, wanted in ((first[:20], []), (f"{first[20:]}\nno line\n[1]\n", late[:1]), (f"{second}\n", late[1:])):
            with path.open("a") as file, opened(test.store, write=True) as db:
                print(part, end="", file=file, flush=True)
                found, at = read_shard(path, at)
                same(found, wanted)
                put(db, found)
        grows = mock.MagicMock()  # a line of which the rest comes between two reads
        grows.open.return_value.__enter__.return_value.__iter__.return_value = [first[:20].encode(), f"{first[20:]}\n".encode()]
        same(read_shard(grows), ([], 0))
        retried = late[0]._replace(key=next(row[1] for row in before if row[4] == "failed"), status="done")
        with contextlib.suppress(IndexError), opened(test.store, write=True) as db:
            put(db, (one[0] for one in ([retried], [])))
        same(test.sql("SELECT * FROM point ORDER BY id"), before)
        same(test.sql("SELECT 1 FROM value WHERE name = 'w'"), [])
        with opened(test.store, write=True) as db:
            put(db, [retried])
        same(test.sql("SELECT key, tries FROM point JOIN value ON point = id WHERE status = 'done' AND name = 'w'"), [(retried.key, 9)])
    with test.case("retries: a point that fails once is done at its second try; what is no more in the study is not tried again"):
        test.sweep(0, "retries = 2\n", grid("twice", "{n}", more="axes.n = [1, 2]"), good([1]))
        same(test.sql("SELECT tries FROM point JOIN member ON point = id ORDER BY number"), [(2,), (2,), (1,)])
        same(test.sql("SELECT count(*) FROM point WHERE status = 'failed'"), [(12,)])
    with test.case("a program that changes while it is swept: one line, and its results do not count"):
        test.sweep(3, grid("changes", more='table = ""'), by=("--jobs", 1), says="^ballast sweep: .*/fake: has changed while the sweep ran")
        same(test.sql("SELECT status FROM point JOIN member ON point = id"), [(None,)])


def kills(test: Sweeps) -> None:
    points, times, draw, done = 600 if LONG else 150, 60 if LONG else 10, random.Random(1), set()
    test.fresh(grid("slow", "{n}", "0.02", more=f"axes.n = {{from = 1, to = {points}}}"))
    with test.case("kill -9 at any time, again and again: the store is whole, what was done is not run again, and nothing is lost"):
        for at in range(times + 1):
            one = test.begun("--jobs", 3)
            if at < times:
                time.sleep(draw.uniform(0.1, 0.5))
                one.kill()
            one.communicate(timeout=60)
            expect(one.returncode in (0, -signal.SIGKILL), f"exit status {one.returncode}")
            expect(not done & set(test.logged("start")), "points that were done ran again")
            if test.store.exists():
                expect(test.sql("PRAGMA integrity_check") in ([("ok",)], []), "the store is damaged")
                expect(test.sql("PRAGMA journal_mode") in ([("wal",)], []), "another mode of the store")
                ended = test.sql("SELECT value FROM axis WHERE point IN (SELECT id FROM point WHERE status = 'done')")
                same(test.sql("SELECT count(DISTINCT point) FROM value") or [(0,)], [(len(ended),)])  # no half a result, or no tables yet
                done = {f"slow {n} 0.02" for n, in ended}
        same([row["n"] for row in test.query("table")], [str(n) for n in range(1, points + 1)])
        same(one.returncode, 0)
    for number, last in ((signal.SIGINT, "stubborn"), (signal.SIGTERM, "stubborn"), (signal.SIGKILL, "stays")):
        with test.case(f"{number.name} in a long point: progress; another sweep is refused, queries are not; what was done stays"):
            test.fresh("seconds = 40\n", good("{from = 1, to = 8}"), grid(last, more='table = ""'))
            one = test.begun("--jobs", 2)
            test.said = next((line for line in one.stderr if line.startswith("sweep: 8") and "0:00:00" not in line), "no progress")
            test.says(r"^sweep: 8 of 9 done, 0 failed, 1 running, 0:00:(0[1-9]|1\d) left$")
            test.sweep(2)
            test.one_line("x.sqlite.work: another run works there; .* with --store")
            one.send_signal(number)
            said = one.communicate(timeout=60)[1].splitlines()[-1:]
            same((one.returncode, said), (-9, []) if number == signal.SIGKILL else (130, ["ballast sweep: interrupted"]))
            same([(row["done"], row["missing"]) for row in test.query("studies")], [("8", "1")])
            wait_for("what it ran ends", lambda: not sleeping())
    with test.case("a store with a damaged page, cut off, none, of another version: one line, and it stays as it is; put back it goes on"):
        test.fresh()
        test.sweep(0, good("{from = 1, to = 40}"))
        sound = test.store.read_bytes()
        pages = [sound[:at] + bytes(range(256)) * 16 + sound[at + 4096:] for at in range(0, len(sound), 4096)]
        for data, line in (*((page, "") for page in pages), (sound[:len(sound) // 2], "malformed"),
                           (b"no database" * 999, "not a database"), (sound[:63] + b"\7" + sound[64:], "of another version")):
            test.store.write_bytes(data)
            test.sweep(3)
            test.one_line(f"^ballast sweep: .*/x.sqlite: .*{line}.*; give another file")
            expect(test.store.read_bytes() == data, "it was changed")
        test.store.write_bytes(sound)
        test.sweep(0, good("{from = 1, to = 41}"))
        expect(len(test.query("table")) == 41 and len(test.logged("start")) == 1, "something is lost")


def shipped(test: Sweeps) -> None:
    test.real = BALLAST
    test.fresh()
    text, runs = (HERE / "experiments.toml").read_text(), test.work / "e.csv"
    kernels = {"lcs": "VADD", "equalizer": "kmn-1", "perfsat": "LUD"}
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
        grids = (f"[[grid]]{one}" for one in short.split("[[grid]]")[1:] if "{kernel}" in one)
        test.sweep(0, *grids, says="^t: 4 of 4 points done")
        test.query("table", "--out", runs)
        before = runs.read_bytes()
        for names, folder in (("lcs,lcs-bcs", "lcs"), ("equalizer", "equalizer"), ("perfsat", "perfsat")):
            words = [test.real, "experiment", names, "--length", 0.02, f"sim/kernels/{folder}/{kernels[folder]}.kernel"]
            test.command(0, *words)
            alone = test.said
            test.command(0, *words, "--runs", runs)
            said, _, tables = test.said.partition("\n")
            same(tables, alone)
            expect("the paper's numbers" in alone and re.search(r"e.csv: goes on with \d+ finished runs$", said), said)
        expect(runs.read_bytes() == before and before.count(b"\n") > 50, "something was run")
    with test.case("area and proofs: a part of the study that is shipped, with the numbers of the tools"):
        text = (HERE / "hardware.toml").read_text().replace('"vf_vote", "bcs"', '"bcs"').replace('"fermi", "kepler"', '"fermi"')
        test.file.write_text(text)
        test.sweep(0, says="^hardware: 2 of 2 points done, 0 failed")
        [area, proof] = test.query("table", "--study", "hardware")
        rows = json.loads(Path("synth_scripts/area/area_baseline.json").read_text())["rows"]
        [known] = [row for row in rows if (row["config"], row["block"]) == ("fermi", "bcs")]
        same((area["block"], area["config"], proof["block"], proof["ge"]), ("bcs", "fermi", "bcs", ""))
        same(int(area["flip_flops"]), known["flip_flops"])
        expect(area["verdict"] != "same" or float(area["ge"]) == known["ge"], f"{area} {known}")  # other tools may say other sizes


if __name__ == "__main__":
    Sweeps.main("", studies, results, failures, kills, shipped)
