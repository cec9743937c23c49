# SPDX-License-Identifier: Apache-2.0
"""Commands that are killed or interrupted at any moment (part of test_hostile.py)."""
from __future__ import annotations

import random
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from ballast_runs import expect
from hostile import WORK, Hostile


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
        kept = on.out / "unfinished.csv"
        with subprocess.Popen(on.words(WORK["experiment"]), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as program:
            while not (kept.exists() and kept.read_bytes().count(b"\n") > 1) and program.poll() is None:
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
            while not (kept.exists() and kept.read_bytes().count(b"\n") > 1) and program.poll() is None:
                time.sleep(0.005)
            program.send_signal(signal.SIGINT)
            _, err = program.communicate(timeout=60)
        expect(program.returncode == 130 and re.search(r"[1-9]\d* finished runs are kept", err), f"{program.returncode}: {err}")
