# SPDX-License-Identifier: Apache-2.0
"""A short piece of work of every command, to be run where the world is against it: for test_hostile.py and hostile_stops.py."""
from __future__ import annotations

import csv
import hashlib
import shutil
import subprocess
from collections.abc import Callable

from ballast_runs import Ballast, Planted, expect, timeless
from refusals import BAD

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
    "import-folder": "import-folder --out {out} {raws}",
    "calibrate": "calibrate --check --cycles 2000 --machine fermi sim/kernels/perfsat/NN.kernel",
    "validate": "validate {small}",
    "bench-chip": "bench-chip --cycles 132 {sound}",
    "sweep": "sweep --store {out}/x.sqlite {study}",
    "query": "query --store {store} studies",
    "grid": "grid --grid-x 32 --manifest {out}/MANIFEST.csv {out}/hotspot.n1.blt",
}


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
        return {path.name: timeless(path) for path in self.out.iterdir()
                if path.is_file() and ".tmp" not in path.name and path.name not in ("table.txt", "report.html", "run.json") and path.suffix not in (".svg", ".fst")}
