# SPDX-License-Identifier: Apache-2.0
"""What the tests of sweeps share. Most studies run a shell script in place of BALLAST, which writes down when it starts and ends."""
from __future__ import annotations

import contextlib
import csv
import json
import os
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
from planted import LONG, Planted, expect, refused, wait_for  # noqa: E402, F401

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
two) printf 'n,y,X\\n3,4.5,2\\n5,6 %%,\\n';;
changes) echo >> "$0";;
esac
echo "end $*" >> {log}
"""


def grid(*words: str, more: str = "") -> str:
    return f"[[grid]]\ncommand = {json.dumps(words)}\n{more}\n"


def good(numbers: object, *words: str) -> str:
    """The script says what the squares of these numbers are."""
    return grid("good", "{n}", *words, more=f"axes.n = {numbers}")


def sleeping() -> bool:
    return subprocess.run(["pgrep", "-f", f"^sleep {FOREVER}"], stdout=subprocess.DEVNULL, check=False).returncode == 0


def same(found: object, wanted: object) -> None:
    expect(found == wanted, f"{found}, not {wanted}")


class Sweeps(Planted):
    real = ""  # the command, where a test is not about the script

    def __enter__(self) -> Sweeps:
        super().__enter__()
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background of a script ignores it; these tests send it
        self.ballast, self.log, self.store, self.file = (self.work / name for name in ("fake", "log", "s/x.sqlite", "t.toml"))
        self.fresh()
        return self

    def fresh(self, *texts: str) -> None:
        """Nothing has run. A study of these grids."""
        shutil.rmtree(self.store.parent, ignore_errors=True)
        for path in self.work.glob("log*"):
            path.unlink()
        self.program("* $2")
        self.study(*texts)

    def program(self, square: str) -> None:
        """What it says a square is makes it another one."""
        self.ballast.write_text(SCRIPT.replace("{log}", str(self.log)).replace("{forever}", FOREVER).replace("{square}", square))
        self.ballast.chmod(0o755)

    def words(self, command: str, *options: object) -> list[object]:
        begin = [self.real, command] if self.real else [sys.executable, HERE / "sweep.py", command, self.ballast]
        return [*begin, "--store", self.store, *options]

    def study(self, *texts: str) -> None:
        self.file.write_text('name = "t"\n' + "".join(texts))

    def sweep(self, status: int, *texts: str, by: tuple[object, ...] = (), says: str = "") -> None:
        """A sweep of these grids, or of those of before. The log is of what it runs."""
        self.log.unlink(missing_ok=True)
        if texts:
            self.study(*texts)
        self.command(status, *self.words("sweep", self.file, *by), seconds=60)
        self.says(says)

    def begun(self, *options: object) -> subprocess.Popen:
        self.log.unlink(missing_ok=True)
        words = [str(word) for word in self.words("sweep", self.file, *options)]
        return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def query(self, *words: object) -> list[dict[str, str]]:
        self.command(0, *self.words("query", *words, "--csv"))
        return list(csv.DictReader(self.said.splitlines()))

    def logged(self, word: str) -> list[str]:
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        return [line.removeprefix(f"{word} ") for line in lines if line.startswith(f"{word} ")]

    def sql(self, text: str) -> list[tuple[object, ...]]:
        """Nothing of a store that is not there, or has only begun."""
        with contextlib.closing(sqlite3.connect(self.store if self.store.exists() else ":memory:", timeout=60)) as db:
            return db.execute(text if db.execute("SELECT 1 FROM sqlite_master").fetchall() else "SELECT 1 WHERE 0").fetchall()

    def refused(self, command: str, status: int, cases: dict[str, str], *words: object) -> None:
        """More words, and the one line that it says."""
        for more, line in cases.items():
            with self.case(f"{command} {more}: one line"):
                self.command(status, BALLAST, command, *words, *shlex.split(more))
                self.one_line(line)
