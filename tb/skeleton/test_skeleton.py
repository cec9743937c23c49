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

NAME = "idle_counter"


class Copy(Planted):
    """Commands run in a copy of the tree."""

    def __enter__(self) -> Copy:
        super().__enter__()
        self.tree = self.work / "tree"
        shutil.copytree(".", self.tree, ignore=shutil.ignore_patterns("build", ".git*"))
        (self.tree / self.build).mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-a", "build/chips", "build/opt", str(self.tree / "build")], check=True)
        for made in ("opt", "san", "rtl", "verilator", "command", "formal", "ballast", "blocks.mk", "registry.c"):
            if (self.build / made).exists():
                subprocess.run(["cp", "-a", str(self.build / made), str(self.tree / self.build)], check=True)
        self.ballast = self.build / "ballast"
        return self

    def run(self, status: int, *command: object) -> str:
        self.command(status, *command, cwd=self.tree)
        return self.said

    def make(self, *goals: object) -> None:
        self.run(0, "make", f"-j{os.cpu_count()}", *goals)

    def text(self, path: str) -> str:
        return (self.tree / path).read_text()


def makes_a_block(test: Copy) -> None:
    with test.case("new-block writes its files, once"):
        files = test.run(0, test.ballast, "new-block", NAME).splitlines()[:-1]
        expect(len(files) == 13 and all((test.tree / file).is_file() for file in files), "other files than it says")
        test.run(3, test.ballast, "new-block", NAME)
        test.one_line("is there already")
    with test.case("a name that is none is refused, and nothing is left"):
        for name in ("9x", "Counter", "x", "a-b", "skeleton", "a" * 33):
            test.run(2, test.ballast, "new-block", name)
            test.one_line("no name for a block")
    with test.case("half a block is taken back"):
        (test.tree / "cmodel/sm/halved.c").write_text("in the way\n")
        test.run(3, test.ballast, "new-block", "halved")
        left = [str(path) for path in test.tree.rglob("*halved*") if path.name != "halved.c"]
        expect(not left and test.text("cmodel/sm/halved.c") == "in the way\n", f"left behind: {left}")
        (test.tree / "cmodel/sm/halved.c").unlink()


def plays(test: Copy) -> None:
    with test.case("it builds and passes lockstep"):
        test.make(test.ballast, test.build / f"test/test_{NAME}")
        test.run(0, test.ballast, "lockstep", "--block", NAME, "--log", "vectors/hotspot.n2.blt")
        test.says(rf"^hotspot\.n2 +open +0 {NAME} +\d+ +[1-9]\d+ pass")
    with test.case("a fault in it is found"):
        test.run(1, test.ballast, "lockstep", "--block", NAME, "--sm", "0", "--inject", f"rtl:{NAME}.idle_q[2]@100", "vectors/hotspot.n2.blt")
        test.says(f"^MISMATCH in {NAME} on SM0, cycle 101 ")
    with test.case("random stimulus, its variant and its view"):
        everything = test.build / "test/ballast"  # the command with all variants
        test.make(everything)
        test.run(0, everything, "random", "--max-cycles", "3000", "--block", f"{NAME},{NAME}_narrow")
        test.run(0, test.ballast, "waves", "--max-cycles", "5000", NAME, "vectors/hotspot.n2.blt")


def says_write_me(test: Copy) -> None:
    with test.case("its test fails only where it says 'write me'"):
        test.run(1, test.build / f"test/test_{NAME}")
        failed = set(re.findall(r"^\[  FAILED  \] (?!.* listed below:$)(\D.*)$", test.said, flags=re.M))  # cmocka 1.1.7 counts them with words
        expect(failed == {"write me [model]", "write me [rtl]"}, f"these failed: {failed}")
    with test.case("the consistency check says only 'write me'"):
        test.run(1, "python3", "synth_scripts/lint/check_consistency.py")
        other = [line for line in test.said.splitlines() if "write me" not in line]
        expect(not other and "write me" in test.said, f"it says: {other[:3]}")


def flows_take_it(test: Copy) -> None:
    with test.case("it is proved, rules and all"):
        test.run(0, "python3", "tb/formal/formal.py", "--config", "fermi", NAME)
        test.says(rf"^{NAME} .*proved")
    with test.case("its area is measured"):
        test.run(1, "python3", "synth_scripts/area/area.py", "--block", NAME, "fermi")
        test.says(rf"^{NAME} +16 .* new ")


if __name__ == "__main__":
    Copy.main("", makes_a_block, plays, says_write_me, flows_take_it)
