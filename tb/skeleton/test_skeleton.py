# SPDX-License-Identifier: Apache-2.0
"""A new block from the skeleton, in a copy of the tree: what it costs is its own files, and nothing else.

  python3 tb/skeleton/test_skeleton.py BUILD_DIR

The copy shares BUILD_DIR's objects. `ballast new-block` writes the block; lockstep, random stimulus, its waveform and its own test run;
proof, area and Icarus take it by its name; the consistency check and the test fail only where they say "write me".
Ends with 'N passed, N failed'.
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "flow"))
from planted import Planted, expect
from tools import program

NAME = "idle_counter"


class Copy:
    """A copy of the tree in which commands run."""

    def __init__(self, test: Planted):
        self.test = test
        self.tree = test.work / "tree"
        shutil.copytree(".", self.tree, ignore=shutil.ignore_patterns("build", ".git*"))
        (self.tree / test.build).mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-a", "build/chips", str(self.tree / "build")], check=True)
        for made in ("opt", "san", "rtl", "verilator", "plain", "formal", "ballast", "blocks.mk", "registry.c", "fstapi.o", "fst_lz4.o",
                     "fst_fastlz.o"):
            if (test.build / made).exists():
                subprocess.run(["cp", "-a", str(test.build / made), str(self.tree / test.build)], check=True)
        self.ballast = str(test.build / "ballast")

    def run(self, status: int, *command: object) -> str:
        ended = subprocess.run([str(word) for word in command], cwd=self.tree, text=True, errors="replace", stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.test.said = ended.stdout
        expect(ended.returncode == status, f"{command[0]}: exit status {ended.returncode}, not {status}")
        return ended.stdout

    def make(self, *goals: object) -> None:
        self.run(0, "make", f"-j{os.cpu_count()}", *goals)

    def text(self, path: str) -> str:
        return (self.tree / path).read_text()


def makes_a_block(test: Planted, copy: Copy) -> None:
    with test.case("new-block writes its files, once"):
        files = copy.run(0, copy.ballast, "new-block", NAME).splitlines()[:-1]
        expect(len(files) == 13 and all((copy.tree / file).is_file() for file in files), "other files than it says")
        copy.run(3, copy.ballast, "new-block", NAME)
        test.one_line("is there already")
    with test.case("a name that is none is refused, and nothing is left"):
        for name in ("9x", "Counter", "x", "a-b", "skeleton", "a" * 33):
            copy.run(2, copy.ballast, "new-block", name)
            test.one_line("no name for a block")
    with test.case("half a block is taken back"):
        (copy.tree / "cmodel/sm/halved.c").write_text("in the way\n")
        copy.run(3, copy.ballast, "new-block", "halved")
        left = [str(path) for path in copy.tree.rglob("*halved*") if path.name != "halved.c"]
        expect(not left and copy.text("cmodel/sm/halved.c") == "in the way\n", f"left behind: {left}")
        (copy.tree / "cmodel/sm/halved.c").unlink()


def plays(test: Planted, copy: Copy) -> None:
    with test.case("it builds and passes lockstep"):
        copy.make(copy.ballast, test.build / f"test/test_{NAME}")
        copy.run(0, copy.ballast, "lockstep", "--block", NAME, "--log", "vectors/hotspot.n2.blt")
        test.says(rf"^hotspot\.n2 +open +0 {NAME} +\d+ +[1-9]\d+ pass")
    with test.case("a fault in it is found"):
        copy.run(1, copy.ballast, "lockstep", "--block", NAME, "--sm", "0", "--inject", f"rtl:{NAME}.idle_q[2]@100", "vectors/hotspot.n2.blt")
        test.says(f"^MISMATCH in {NAME} on SM0, cycle 101 ")
    with test.case("random stimulus, its variant and its view"):
        copy.run(0, copy.ballast, "random", "--max-cycles", "3000", "--block", f"{NAME},{NAME}_narrow")
        copy.run(0, copy.ballast, "waves", "--max-cycles", "5000", NAME, "vectors/hotspot.n2.blt")


def says_write_me(test: Planted, copy: Copy) -> None:
    with test.case("its test fails only where it says 'write me'"):
        copy.run(1, test.build / f"test/test_{NAME}")
        failed = set(re.findall(r"^\[  FAILED  \] (\D.*)$", test.said, flags=re.M))
        expect(failed == {"write me [model]", "write me [rtl]"}, f"these failed: {failed}")
    with test.case("the consistency check says only 'write me'"):
        copy.run(1, "python3", "synth_scripts/lint/check_consistency.py")
        other = [line for line in test.said.splitlines() if "write me" not in line]
        expect(not other and "write me" in test.said, f"it says: {other[:3]}")


def flows_take_it(test: Planted, copy: Copy) -> None:
    with test.case("it is proved, rules and all"):
        copy.run(0, "python3", "tb/formal/formal.py", "--config", "fermi", NAME)
        test.says(rf"^{NAME} .*proved")
    with test.case("its area is measured"):
        copy.run(1, "python3", "synth_scripts/area/area.py", "--block", NAME, "fermi")
        test.says(rf"^{NAME} +16 .* new ")


def main() -> int:
    with Planted("", sys.argv[1]) as test:
        copy = Copy(test)
        for cases in (makes_a_block, plays, says_write_me, flows_take_it):
            cases(test, copy)
    return test.status


if __name__ == "__main__":
    program(main)
