# SPDX-License-Identifier: Apache-2.0
"""What every command does where the world is against it: a full disk, a closed pipe, no permission, two at once, a kill (hostile_stops.py).

  python3 sim/cli/test_hostile.py BALLAST            all conditions
  python3 sim/cli/test_hostile.py BALLAST --table    and the table of doc/verification/hostile.md

A command says one line and ends with exit status 3, or ends without a word where nobody reads it. What was there before is there
afterwards, whole, or the new result is, whole. Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import contextlib
import fcntl
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ballast_runs import Ballast, Planted, expect
from hostile import WORK, Hostile, writes
from hostile_stops import kills, stopped
from refusals import BAD, make_files

SILENT = ("import", "export", "bench", "grid")
INTO = {"import": "x.blt", "export": "x.vcd", "sim": "x.blt", "bench": "x.raw", "ctas": "x.svg", "diff": "x.csv", "figure": "x.svg", "trend": "x.csv"}  # one file instead of a folder
STORES = ("sweep",)  # a file that grows: two at once are in test_sweep.py
MANY = ("run", "experiment")  # files of which each may fail
LOCKED = {"waves": "lcs"}  # the folder in {out} that it has alone
SLOW = ("experiment",)  # not where only the end counts
READS = {"lockstep": "lockstep --out {{out}} {file}", "family": "family --out {{out}} {file}", "chip": "chip --out {{out}} {file}",
         "waves": "waves --out {{out}} lcs {file}", "agree": "agree {file}", "info": "info {file}", "bench": "bench {file}",
         "run": "run --out {{out}} {file}", "analytic": "analytic extract {file}", "sim": "sim {file}",
         "import": "import {file} --map doc/use/exported.map --ker {{work}}/raw/ker.csv --out {{out}}/x.blt",
         "export": "export --to vcd --out {{out}}/x.vcd {file}", "dispatch": "dispatch {file}", "ctas": "ctas {file}", "grid": "grid --grid-x 16 {file}"}
LEFT_OUT = {"new-block", "bench-sim"}  # writes into the current folder (tb/extern/test_extern.py); prints as bench-chip does, after 20 seconds
NOBODY = 65534
FILE_LIMIT = 20  # bytes: less than any result


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
        if command in (*INTO, *STORES):
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


def table(on: Hostile) -> None:
    conditions = list(dict.fromkeys(condition for condition, _ in on.table))
    for condition in conditions:
        did: dict[str, list[str]] = {}
        for (of, command), what in on.table.items():
            if of == condition:
                did.setdefault(what, []).append(f"`{command}`")
        for what, commands in did.items():
            print(f"| {condition} | {' '.join(commands)} | {what} |")


def every_command(on: Hostile) -> None:
    with on.test.case("every command is here, or it is said why not"):
        on.run("--help")
        there = {*re.findall(r"^  ([a-z]\S+) ", on.ballast.out, re.M)}
        expect(there == {*WORK, *LEFT_OUT}, f"{sorted(there ^ {*WORK, *LEFT_OUT})}")


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
        ballast.names["raws"] = test.work / "raws"
        shutil.copytree(test.work / "raw", test.work / "raws/k.n1")
        ballast.names["study"] = test.work / "study.toml"
        ballast.names["study"].write_text('name = "s"\n[[grid]]\ncommand = ["sim", "--csv", "--max-cycles", 2000, "--machine", "fermi", "sim/kernels/perfsat/NN.kernel"]\n')
        ballast.names["store"] = test.work / "store.sqlite"
        on = Hostile(test, ballast)
        on.run("sweep --store {store} {study}")
        for part in (every_command, standard_output, no_space, small_disk, no_place, one_file, inputs, kills, stopped, no_permission):
            part(on)
        if "--table" in sys.argv:
            table(on)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
