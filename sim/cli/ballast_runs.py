# SPDX-License-Identifier: Apache-2.0
"""Runs of the ballast command for its tests: a command line is one text, in which {out}, {sound} and the like are files."""
from __future__ import annotations

import glob
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
import chips  # noqa: E402
from planted import Planted, expect  # noqa: E402
from tools import Failure  # noqa: E402

# What these write goes to --out.
WRITE = ("run", "report", "lockstep", "family", "chip", "random", "sim")


def timeless(path: Path) -> bytes:
    """What is in a file of results, but for the minute of the run."""
    return re.sub(rb",[-0-9]+ [0-9:]+ UTC,", b",,", path.read_bytes()) if path.name == "evidence.csv" else path.read_bytes()


class Ballast:
    """The command, and what it said last in `out`, `err` and `status`."""

    def __init__(self, test: Planted, program: str):
        if not os.access(program, os.X_OK) or not Path("vectors/MANIFEST.csv").is_file():
            raise Failure(f"{program} is no program, or vectors/MANIFEST.csv is not here; 'make build', and run it from the repository root")
        self.test, self.program, self.work = test, program, test.work
        self.folder = test.out
        blocks = subprocess.run([program, "blocks"], text=True, capture_output=True, check=True).stdout
        self.parameters = {}
        for name, value in re.findall(r" (\w+)=(\d+)", blocks):
            self.parameters.setdefault(name, int(value))
        sms = re.search(r"^chip_governor: NumSms=(\d+)", blocks, re.M)
        self.names = {"out": self.folder, "work": self.work, "manifest": "vectors/MANIFEST.csv",
                      "machine": next((name for name in chips.configurations()
                                       if sms and chips.configuration(name)["NumSms"] == int(sms[1])), "fermi")}

    def words(self, line: str) -> list[str]:
        words = [word for text in shlex.split(line.format(**self.names)) for word in sorted(glob.glob(text)) or [text]]
        if words[0] in WRITE and "--out" not in words:
            words[1:1] = ["--out", str(self.folder)]
        return [self.program, *words]

    def ended(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err
        self.test.said = out + err

    def run(self, line: str, seconds: float = 60) -> None:
        """Into an empty folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        try:
            ended = subprocess.run(self.words(line), stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                                   timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"no end in {seconds:g} s: {line}") from None
        self.ended(ended.returncode, ended.stdout, ended.stderr)

    def passes(self, line: str) -> None:
        self.run(line)
        expect(self.status == 0 and not self.err, f"exit status {self.status}: {line}")

    def interrupt(self, line: str, files: str) -> None:
        """Ctrl-C at a moment that does not depend on the machine's speed: as soon as the first file of the work under way is there."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with subprocess.Popen(self.words(line), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
            while not glob.glob(files.format(**self.names)) and program.poll() is None:
                pass
            program.send_signal(signal.SIGINT)
            out, err = program.communicate(timeout=60)
        self.ended(program.returncode, out, err)

    def says(self, status: int, word: str) -> None:
        """The last run ended so, with one line on stderr that has this word, and left no half-written file."""
        expect(self.status == status, f"exit status {self.status}, not {status}")
        # GNU argp adds "Try ... --help" to its own complaints, in one line or two.
        lines = self.err.split("\nTry `")[0].splitlines()
        expect(len(lines) == 1, f"{len(lines)} lines on stderr")
        expect(word.format(**self.names) in lines[0], f"'{word}' is not in its line")
        left = [path for folder in (self.folder, self.work / "import") for path in folder.rglob("*") if path.is_file()
                and (".tmp" in path.name or path.suffix == ".hier" or (path.suffix == ".fst" and path.stat().st_size <= 512))]
        expect(not left, f"left behind: {left}")

    def prints(self, *patterns: str) -> None:
        for pattern in patterns:
            expect(re.search(pattern, self.out, re.M), f"prints nothing like '{pattern}'")

    def prints_csv(self, lines: int) -> None:
        """None of the fields is quoted."""
        rows = self.out.splitlines()
        expect(len(rows) == lines, f"{len(rows)} lines of CSV, not {lines}")
        expect(len({row.count(",") for row in rows}) == 1, "rows of different length")
