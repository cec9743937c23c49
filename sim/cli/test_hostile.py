# SPDX-License-Identifier: Apache-2.0
"""What every command does where the world is against it: a full disk, a closed pipe, no permission, two at once, a kill.

  python3 sim/cli/test_hostile.py BALLAST            all conditions
  python3 sim/cli/test_hostile.py BALLAST --table    and the table of doc/verification/hostile.md

A command says one line and ends with exit status 3, or ends without a word where nobody reads it. What was there before is there
afterwards, whole, or the new result is, whole. Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import contextlib
import csv
import fcntl
import hashlib
import os
import random
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ballast_runs import Ballast, Planted, expect
from refusals import BAD, make_files

# Of every command a short piece of work. {out} is where it writes; those without it only print. What grid changes there is put there
# before (Hostile.fresh).
WORK = {
    "run": "run --max-cycles 1000 --out {out} {small}",
    "report": "report --out {out}",
    "lockstep": "lockstep --sm 0 --max-cycles 1000 --wave --out {out} {sound}",
    "family": "family --max-cycles 1000 --out {out} {family}",
    "chip": "chip --max-cycles 200 --out {out} {sound}",
    "random": "random --block lcs --max-cycles 500 --wave --out {out}",
    "waves": "waves --max-cycles 1000 --out {out} lcs {sound}",
    "import": "import --dir {work}/raw --out {out}/x.blt",
    "export": "export --to vcd --out {out}/x.vcd {sound}",
    "sim": "sim --machine {machine} --max-cycles 2000 --record {out}/x.blt {workload}",
    "experiment": "experiment dyncta --machine fermi --sms 5 --length 0.01 --out {out} {workload}",
    "bench": "bench --write-raw {out}/x.raw {sound}",
    "analytic": "analytic predict {profile}",
    "agree": "agree {sound}",
    "blocks": "blocks",
    "info": "info {sound}",
    "diff": "diff --csv {out}/x.csv {one} {one}",
    "figure": "figure --run {one} --out {out}/x.svg costs",
    "trend": "trend --csv {out}/x.csv {one}",
    "dispatch": "dispatch --csv {ctas}",
    "ctas": "ctas --picture {out}/x.svg {ctas}",
    "grid": "grid --grid-x 32 --manifest {out}/MANIFEST.csv {out}/hotspot.n1.blt",
}
SILENT = ("import", "export", "bench", "grid")
REPLAYS = ("lockstep", "family", "chip", "random", "waves")
INTO = {"import": "x.blt", "export": "x.vcd", "sim": "x.blt", "bench": "x.raw", "ctas": "x.svg", "diff": "x.csv", "figure": "x.svg", "trend": "x.csv"}  # one file instead of a folder
MANY = ("run", "experiment")  # files of which each may fail
LOCKED = {"waves": "lcs"}  # the folder in {out} that it has alone
SLOW = ("experiment",)  # not where only the end counts
READS = {"lockstep": "lockstep --out {{out}} {file}", "family": "family --out {{out}} {file}", "chip": "chip --out {{out}} {file}",
         "waves": "waves --out {{out}} lcs {file}", "agree": "agree {file}", "info": "info {file}", "bench": "bench {file}",
         "run": "run --out {{out}} {file}", "analytic": "analytic extract {file}", "sim": "sim {file}",
         "import": "import {file} --map doc/use/exported.map --ker {{work}}/raw/ker.csv --out {{out}}/x.blt",
         "export": "export --to vcd --out {{out}}/x.vcd {file}", "dispatch": "dispatch {file}", "ctas": "ctas {file}", "grid": "grid --grid-x 16 {file}"}
NOBODY = 65534
FILE_LIMIT = 20  # bytes: less than any result


def writes(command: str) -> bool:
    return "{out}" in WORK[command]


class Hostile:
    """One command under one condition, and what came of it for the table."""

    def __init__(self, test: Planted, ballast: Ballast):
        self.test, self.ballast, self.out = test, ballast, test.out
        self.table: dict[tuple[str, str], str] = {}

    def words(self, line: str) -> list[str]:
        return self.ballast.words(line)

    def run(self, line: str, stdout: object = subprocess.PIPE, before: Callable[[], None] | None = None, seconds: float = 120) -> None:
        with subprocess.Popen(self.words(line), stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, text=True, errors="replace",
                              preexec_fn=before) as program:  # noqa: PLW1509
            out, err = program.communicate(timeout=seconds)
        self.ballast.ended(program.returncode, out or "", err)

    def says(self, word: str) -> None:
        """Exit status 3 and one line."""
        lines = self.ballast.err.splitlines()
        expect(self.ballast.status == BAD, f"exit status {self.ballast.status}")
        expect(len(lines) == 1 and word.format(**self.ballast.names) in lines[0], f"stderr: {lines}")

    def nothing_half(self) -> None:
        left = [path for path in self.out.rglob("*") if ".tmp" in path.name or path.suffix == ".hier"] if self.out.is_dir() else []
        expect(not left, f"left behind: {left}")

    def fresh(self, command: str = "") -> None:
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()
        if command == "grid":
            self.recordings("hotspot.n1.blt", "hotspot.n8.blt")

    def recordings(self, *names: str) -> None:
        """With a manifest that has their digests."""
        with open("vectors/MANIFEST.csv", encoding="utf-8", newline="") as file:
            rows = [line for line in file if line.startswith(("file,", *(f"{name}," for name in names)))]
        (self.out / "MANIFEST.csv").write_text("".join(rows))
        for name in names:
            shutil.copy(f"vectors/{name}", self.out)

    def behind(self) -> list[str]:
        """Recordings whose digest in the manifest is another."""
        with open(self.out / "MANIFEST.csv", encoding="utf-8", newline="") as file:
            return [row["file"] for row in csv.DictReader(file) if hashlib.sha256((self.out / row["file"]).read_bytes()).hexdigest() != row["sha256"]]

    def case(self, command: str, condition: str, what: str, check: Callable[[], None]) -> None:
        with self.test.case(f"{command}: {condition}"):
            check()
            self.table[condition, command] = what

    def result(self, line: str) -> dict[str, bytes]:
        """What a command leaves, of the files that do not say when and how fast."""
        self.run(line)
        expect(self.ballast.status == 0, f"exit status {self.ballast.status}")
        return self.files()

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.out.iterdir()
                if path.is_file() and ".tmp" not in path.name and path.name not in ("table.txt", "report.html", "run.json") and path.suffix not in (".svg", ".fst")}


# ---- standard output ----------------------------------------------------------------------------------

def standard_output(on: Hostile) -> None:
    for command, line in WORK.items():
        if command in SLOW:
            continue
        prints = command not in SILENT

        def full(command: str = command, line: str = line, prints: bool = prints) -> None:
            on.fresh(command)
            if command == "report":
                on.result(WORK["run"])
            with open("/dev/full", "w") as out:
                on.run(line, out)
            if prints:
                on.says("standard output: cannot write (No space left on device)")
            else:
                expect(on.ballast.status == 0, f"exit status {on.ballast.status}")

        def closed(command: str = command, line: str = line, prints: bool = prints) -> None:
            if command == "report":
                on.result(WORK["run"])
            reader, writer = os.pipe()
            os.close(reader)
            on.run(line, writer, lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
            os.close(writer)
            expect(on.ballast.status == (-signal.SIGPIPE if prints else 0), f"exit status {on.ballast.status}")
            expect(not on.ballast.err, "it complains")
            on.nothing_half()

        def none(command: str = command, line: str = line, prints: bool = prints) -> None:
            on.fresh(command)
            if command == "report":
                on.result(WORK["run"])
            on.run(line, None, lambda: os.close(1))
            if prints:
                on.says("standard output: cannot write (Bad file descriptor)")
            expect(prints or on.ballast.status == 0, f"exit status {on.ballast.status}")

        said = "one line, 3" if prints else "prints nothing"
        on.case(command, "standard output on a full disk", said, full)
        on.case(command, "standard output nobody reads", "ends quietly" if prints else said, closed)
        on.case(command, "standard output closed", said, none)


# ---- where results go ---------------------------------------------------------------------------------

def full_disk() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_LIMIT, FILE_LIMIT))


def no_space(on: Hostile) -> None:
    """A limit of the size of files is a full disk for everybody, without root."""
    for command, line in WORK.items():
        if not writes(command):
            continue

        def check(command: str = command, line: str = line) -> None:
            on.fresh(command)
            before = on.result(WORK["run"]) if command in ("run", "report") else on.files()
            page = on.out / "report.html"
            old = page.read_bytes() if page.exists() else b""
            on.run(line, before=full_disk)
            expect(on.ballast.status == BAD, f"exit status {on.ballast.status}")
            lines = on.ballast.err.splitlines()
            expect(lines and all(str(on.out) in one for one in lines), f"stderr: {lines}")
            expect(len(lines) == 1 or command in MANY, f"{len(lines)} lines")
            expect(on.files() == before or not before, "the old result is not as it was")
            expect(not old or page.read_bytes() == old, "another page")
            on.nothing_half()

        what = "one line" if command not in MANY else "a line for each file"
        stays = "; the old result stays" if command in ("run", "report") else "; the old files stay" if command == "grid" else ""
        on.case(command, "full disk", f"{what}, 3{stays}", check)


def small_disk(on: Hostile) -> None:
    """A real one, where root can mount it: what is mapped into memory has no limit of a file's size."""
    disk = on.test.work / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", str(disk)], capture_output=True, check=False).returncode:
        return
    try:
        with on.test.case("lockstep, waves: a waveform on a full file system"):
            for line in ("lockstep --sm 0 --wave --out {work}/disk {sound}", "waves --out {work}/disk lcs {sound}"):
                on.run(line)
                on.says("cannot write the waveform (No space left on device)")
                expect(not list(disk.rglob("*.fst*")) and not list(disk.rglob("*.hier")), "half a waveform")
    finally:
        subprocess.run(["umount", str(disk)], check=False)


def no_place(on: Hostile) -> None:
    for command, line in WORK.items():
        if not writes(command) or command == "report":
            continue

        def in_the_way(line: str = line) -> None:
            shutil.rmtree(on.out, ignore_errors=True)
            on.out.write_text("in the way\n")
            on.run(line)
            on.says("{out}")
            expect(on.out.read_text() == "in the way\n", "the file has changed")
            on.out.unlink()

        on.case(command, "a file for a folder", "one line, 3", in_the_way)
        if command in INTO:
            continue

        def taken(command: str = command, line: str = line) -> None:
            on.fresh(command)
            folder = on.out / LOCKED.get(command, ".")
            folder.mkdir(exist_ok=True)
            before = on.files()
            fd = os.open(folder, os.O_RDONLY)
            fcntl.flock(fd, fcntl.LOCK_EX)
            on.run(line)
            os.close(fd)
            on.says(f"{folder}: another command writes there now")
            expect(on.files() == before and len(list(folder.iterdir())) == len(before), "it has written")

        on.case(command, "two at once", "the second: one line, 3", taken)
    given_back(on)
    for command, name in INTO.items():
        for kind, make in (("a directory for a file", os.mkdir), ("a FIFO for a file", os.mkfifo)):

            def check(command: str = command, name: str = name, make: Callable[[Path], None] = make) -> None:
                on.fresh()
                make(on.out / name)
                mode = stat.S_IFMT((on.out / name).stat().st_mode)
                on.run(WORK[command])
                on.says("{out}/" + name)
                expect(stat.S_IFMT((on.out / name).stat().st_mode) == mode, "it has been replaced")
                on.nothing_half()

            on.case(command, kind, "one line, 3; it stays", check)


def given_back(on: Hostile) -> None:
    """What a killed command has is free as soon as the last of its processes is gone: a lock that is held for a moment only is waited for."""
    def check(command: str, held: Path) -> None:
        file = os.open(held, os.O_RDONLY if held.is_dir() else os.O_RDWR | os.O_CREAT)
        fcntl.flock(file, fcntl.LOCK_EX)
        later = threading.Timer(0.3, os.close, [file])
        later.start()
        on.result(WORK[command])
        later.join()
        on.nothing_half()

    for command, place in (("lockstep", "."), ("grid", "MANIFEST.csv.tmp")):
        on.fresh(command)
        with on.test.case(f"{command}: what another one has for a moment only is waited for"):
            check(command, on.out / place)


@contextlib.contextmanager
def taken_file(path: Path) -> Iterator[None]:
    """Another command is writing this file."""
    with open(f"{path}.tmp", "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("of another command\n")
        file.flush()
        yield
        expect(Path(f"{path}.tmp").read_text() == "of another command\n", "its file is not as it was")
    os.unlink(f"{path}.tmp")


def one_file(on: Hostile) -> None:
    """Two commands that write one file, at a moment of the test's choice, and at any moment."""
    for command, name in INTO.items():

        def own(command: str = command, name: str = name) -> None:
            on.fresh()
            alone = on.result(WORK[command])
            on.fresh()
            with taken_file(on.out / name):
                expect(on.result(WORK[command]) == alone, "another file")
            for _ in range(4):
                both = [subprocess.Popen(on.words(WORK[command]), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                        for _ in range(2)]
                said = [one.communicate(timeout=120)[1] for one in both]
                expect(not any(one.returncode for one in both) and not any(said), f"{said}")
                expect(on.files() == alone, "another file")
            on.nothing_half()

        on.case(command, "two write one file", "each writes it whole; the last one counts", own)

    def alone() -> None:
        for name in ("hotspot.n1.blt", "MANIFEST.csv"):
            on.fresh("grid")
            before = on.files()
            with taken_file(on.out / name):
                on.run(WORK["grid"])
                on.says("{out}/" + f"{name}: ")
                expect("another command writes it now" in on.ballast.err, "another reason")
            expect(on.files() == before, "it has written")
            on.nothing_half()

    on.case("grid", "two write one file", "the second: one line, 3", alone)
    with on.test.case("grid: what is refused leaves nothing beside the manifest and the recording"):
        on.fresh("grid")
        shutil.copy("vectors/hotspot.n2.blt", on.out)
        before = on.files()
        on.run("grid --grid-x 32 --manifest {out}/MANIFEST.csv {out}/hotspot.n2.blt")
        on.says("{out}/MANIFEST.csv: does not list {out}/hotspot.n2.blt")
        expect(on.files() == before, "it has written")
        on.nothing_half()

    def family() -> None:
        on.fresh()
        with taken_file(on.out / "f.n1.blt.family"):
            on.run("sim --machine {machine} --max-cycles 2000 --record-family {out}/f {workload}")
            on.says("{out}/f.n1.blt: another command writes this family now")
            expect(not on.files(), "it has written")

    with on.test.case("sim: two write one family"):
        family()


def no_permission(on: Hostile) -> None:
    """As nobody, if this is root."""
    def nobody() -> None:
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)

    os.chmod(on.test.work, 0o755)
    on.run("blocks", before=nobody)
    if on.ballast.status != 0:
        return  # nobody cannot run this build where it stands
    for command, line in WORK.items():
        if not writes(command) or command == "report":
            continue

        def check(command: str = command, line: str = line) -> None:
            on.fresh(command)
            before = on.files()
            os.chmod(on.out, 0o555)
            on.run(line, before=nobody)
            on.says("{out}")
            expect("Permission denied" in on.ballast.err, "another reason")
            expect(on.files() == before and len(list(on.out.iterdir())) == len(before), "it has written")
            os.chmod(on.out, 0o755)

        on.case(command, "a read-only folder", "one line, 3", check)
    for command, line in READS.items():

        def unread(line: str = line) -> None:
            on.fresh()
            os.chmod(on.out, 0o777)
            on.run(line.format(file="{work}/secret"), before=nobody)
            on.says("{work}/secret")

        (on.test.work / "secret").write_bytes(b"x")
        os.chmod(on.test.work / "secret", 0)
        on.case(command, "a file without permission to read", "one line, 3", unread)


# ---- what is read -------------------------------------------------------------------------------------

def inputs(on: Hostile) -> None:
    (on.test.work / "folder.blt").mkdir()
    os.mkfifo(on.test.work / "fifo.blt")
    for command, line in READS.items():
        for kind, file in (("a directory to read", "folder.blt"), ("a FIFO to read", "fifo.blt")):
            if file == "fifo.blt" and command == "sim":
                continue  # a kernel may come from a FIFO; without somebody who writes it, it waits

            def check(line: str = line, file: str = file) -> None:
                on.fresh()
                on.run(line.format(file=f"{{work}}/{file}"), seconds=20)
                on.says(f"{{work}}/{file}")
                on.nothing_half()

            on.case(command, kind, "one line, 3", check)
    for command in ("dispatch", "import"):
        for table in ("ker.csv", "cta.csv", *(["cyc.bin"] if command == "import" else [])):
            with on.test.case(f"{command}: a FIFO for {table}"):
                folder = on.test.work / f"{command}.{table}"
                shutil.copytree(on.test.work / "raw", folder)
                (folder / table).unlink()
                os.mkfifo(folder / table)
                on.fresh()
                on.run(f"dispatch {folder}" if command == "dispatch" else f"import --dir {folder} --out {{out}}/x.blt", seconds=20)
                on.says(f"{folder}/{table}: cannot open it")
                on.nothing_half()


# ---- kills --------------------------------------------------------------------------------------------

def kills(on: Hostile) -> None:
    """Of a folder of results with all files of the old or of the new one, at any moment."""
    chance = random.Random(1)
    for command, times in (("run", 6), ("lockstep", 4), ("import", 2), ("sim", 2)):
        other = WORK[command].replace("--max-cycles 1000", "--max-cycles 1700").replace("--max-cycles 2000", "--max-cycles 3000")

        def check(command: str = command, other: str = other, times: int = times) -> None:
            on.fresh()
            start = time.monotonic()
            new = on.result(other)
            long = time.monotonic() - start
            on.fresh()
            old = on.result(WORK[command])
            killed = 0
            for _ in range(times):
                with subprocess.Popen(on.words(other), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
                    time.sleep(chance.uniform(0, long))
                    program.kill()
                    killed += program.wait() == -signal.SIGKILL
                counts = (on.out / "unfinished/.files").exists()  # from here on the new result counts, and the next command completes it
                if counts:
                    on.run(WORK["report"])
                there = on.files()
                if command == "run":
                    expect(there == new if counts else there in (old, new), f"half a result: {sorted(there)}, new files {counts}")
                else:
                    expect(all(data in (old.get(name), new.get(name)) for name, data in there.items()), "half a file")
            expect(killed or command != "run", "no run was killed")
            on.result(other)
            on.nothing_half()

        on.case(command, "killed at random moments", "the old or the new " + ("result" if command == "run" else "file"), check)

    def digests() -> None:
        names = [f"hotspot.n{n}.blt" for n in (1, 2, 8)]
        line = "grid --grid-x {} --manifest {{out}}/MANIFEST.csv {{out}}/hotspot.n*.blt"
        on.fresh()
        on.recordings(*names)
        versions = {16: on.files()}
        start = time.monotonic()
        versions[32] = on.result(line.format(32))
        long = time.monotonic() - start
        killed = behind = 0
        for i in range(24):
            width = (16, 32)[i % 2]
            with subprocess.Popen(on.words(line.format(width)), stdin=subprocess.DEVNULL) as program:
                time.sleep(chance.uniform(0, long))
                program.kill()
                ended = program.wait() != -signal.SIGKILL
            killed += not ended
            long *= 0.8 if ended else 1  # the machine is less busy than it was
            there = on.files()
            expect(all(there[name] in (versions[16][name], versions[32][name]) for name in names), "half a file")
            behind += bool(on.behind())
            if i % 4 == 3:
                expect(on.result(line.format(width)) == versions[width], "the same command again has not healed it")
                on.nothing_half()
        expect(killed > 8, f"{killed} were killed")
        expect(behind <= 2, f"digests are behind after {behind} of {killed} kills")

    on.case("grid", "killed at random moments", "each file the old or the new one; the same command again goes on", digests)

    def moving() -> None:
        on.fresh()
        new = on.result(WORK["run"].replace("1000", "1700"))
        shutil.copytree(on.out, on.test.work / "new")
        on.fresh()
        on.result(WORK["run"])
        inside = on.out / "unfinished"
        shutil.copytree(on.test.work / "new", inside)
        for path in sorted(inside.iterdir())[10:30]:
            path.rename(on.out / path.name)
        on.run(WORK["report"])
        expect(on.ballast.status == 0 and on.files() == new, "it is not the new result")
        expect(not inside.exists(), "unfinished")

    on.case("report", "killed while the new result was moved up", "the next command completes it", moving)


def stopped(on: Hostile) -> None:
    with on.test.case("run: Ctrl-C leaves the result as it was"):
        on.fresh()
        old = on.result(WORK["run"])
        with subprocess.Popen(on.words("run --out {out} {manifest}"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as program:
            while not (on.out / "unfinished/table.txt").exists() and program.poll() is None:
                time.sleep(0.01)
            program.send_signal(signal.SIGINT)
            out, _ = program.communicate(timeout=60)
        expect(program.returncode == 130 and "stays as it was" in out, f"exit status {program.returncode}")
        expect(on.files() == old, "another result")
    with on.test.case("grid: Ctrl-C ends it between two recordings, the same command goes on"):
        names = sorted(path.name for path in Path("vectors").glob("*.n*.blt"))
        on.fresh()
        on.recordings(*names)
        line = "grid --grid-x 1 --manifest {out}/MANIFEST.csv {out}/*.blt"
        first = (on.out / names[0]).stat().st_ino
        with subprocess.Popen(on.words(line), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
            while (on.out / names[0]).stat().st_ino == first and program.poll() is None:
                pass
            program.send_signal(signal.SIGINT)
            _, err = program.communicate(timeout=60)
        done = re.fullmatch(rf"ballast: interrupted, ([1-9]\d*) of {len(names)} recordings are done; the same command goes on\n", err)
        expect(program.returncode == 130 and done, f"exit status {program.returncode}: {err}")
        expect(int(done[1]) < len(names) - 1, "it goes on to the end")
        changed = [name for name in names if (on.out / name).read_bytes() != Path(f"vectors/{name}").read_bytes()]
        expect(changed == names[:int(done[1])], f"{changed} are done")
        expect(not on.behind(), f"digests are behind: {on.behind()}")
        on.nothing_half()
        on.run(line)
        expect(on.ballast.status == 0 and not on.behind(), "it does not go on")
    with on.test.case("experiment: an interrupt keeps finished runs, the same command goes on with them"):
        on.fresh()
        plain = on.result(WORK["experiment"])
        on.fresh()
        kept = on.out / "unfinished.runs"
        with subprocess.Popen(on.words(WORK["experiment"]), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as program:
            while (not kept.exists() or not kept.stat().st_size) and program.poll() is None:
                time.sleep(0.005)
            program.send_signal(signal.SIGINT)
            _, err = program.communicate(timeout=60)
        expect(program.returncode == 130 and re.search(r"[1-9]\d* finished runs are kept", err), f"{program.returncode}: {err}")
        with open(kept, "ab") as file:
            file.write(b"cut off")
        on.run(WORK["experiment"])
        expect(on.ballast.status == 0 and re.search(r"goes on with [1-9]\d* finished runs", on.ballast.err), "it begins anew")
        expect({name: data for name, data in on.files().items()} == plain, "other results")
    with on.test.case("experiment all: every experiment there is, up to the first finished run"):
        on.fresh()
        with subprocess.Popen(on.words("experiment all --length 0.01 --out {out}"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as program:
            while (not kept.exists() or not kept.stat().st_size) and program.poll() is None:
                time.sleep(0.005)
            program.send_signal(signal.SIGINT)
            _, err = program.communicate(timeout=60)
        expect(program.returncode == 130 and re.search(r"[1-9]\d* finished runs are kept", err), f"{program.returncode}: {err}")


def table(on: Hostile) -> None:
    conditions = list(dict.fromkeys(condition for condition, _ in on.table))
    for condition in conditions:
        did: dict[str, list[str]] = {}
        for (of, command), what in on.table.items():
            if of == condition:
                did.setdefault(what, []).append(f"`{command}`")
        for what, commands in did.items():
            print(f"| {condition} | {' '.join(commands)} | {what} |")


def main() -> int:
    with Planted("", sys.argv[1]) as test:
        ballast = Ballast(test, sys.argv[1])
        ballast.names |= make_files(test.work)
        small = test.work / "small.csv"
        small.write_text("file,kernel,program\n" + "".join(f"hotspot.n{n}.blt,hotspot,h\n" for n in (1, 2, 8)))
        for n in (1, 2, 8):
            shutil.copy(f"vectors/hotspot.n{n}.blt", test.work)
        ballast.names["small"] = small
        ballast.names["one"] = test.work / "one"
        ballast.passes("run --max-cycles 1000 --out {one} {small}")
        on = Hostile(test, ballast)
        for part in (standard_output, no_space, small_disk, no_place, one_file, inputs, kills, stopped, no_permission):
            part(on)
        if "--table" in sys.argv:
            table(on)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
