# SPDX-License-Identifier: Apache-2.0
"""test_cover.py BUILD_DIR: coverage of two blocks in a copy of the tree with a planted point that nothing reaches.

It is named as a hole; an exclusion with a reason settles it; a stale one is refused; without a test's counts there is less
covered; damaged counts are refused; the page shows what the files say."""
from __future__ import annotations

import csv
import json
import re
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "flow"))
from planted import Planted, expect  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))
from cover import Run, counted  # noqa: E402

BLOCKS = ("dyncta", "stall_classifier")
POINT = "  // a point that nothing reaches\n  `P(Planted, dyncta.sample_end_o && !dyncta.enable_i)\n\n"
RULE = "functional Planted -- a sample does not end without the enable: EnableEvents"


class Tree(Planted):
    """With a copy to plant things in; what is built already is used as it is."""

    def __enter__(self) -> Tree:
        super().__enter__()
        self.path = self.work / "tree"
        self.out = self.path / "build/cover/part"
        self.room = self.path / "tb/blocks/dyncta"
        self.path.mkdir()
        for folder in ("rtl", "tb", "cmodel", "sim", "synth_scripts"):
            shutil.copytree(folder, self.path / folder)
        shutil.copy2("Makefile", self.path)
        (self.path / "vectors").symlink_to(Path("vectors").resolve())
        (self.path / "build").mkdir()
        (self.path / "build" / self.build.name).symlink_to(self.build.resolve())
        return self

    def cover(self, status: int, *words: object, **more) -> None:
        command = [sys.executable, "tb/cover/cover.py", "--config", self.build.name, *words]
        self.command(status, *command, cwd=self.path, **more)

    def again(self, status: int, counted: Path | None = None) -> None:
        """The report once more from the counts that are there."""
        self.cover(status, "--counts", counted or self.out, *BLOCKS)

    def counts(self, name: str, files: list[Path]) -> Path:
        """A folder of counts with these of the tests."""
        folder = self.work / name
        shutil.copytree(self.out / "recordings", folder / "recordings")
        (folder / "tests").mkdir()
        for file in files:
            shutil.copy(file, folder / "tests")
        return folder

    def functional(self, suite: str) -> int:
        status = json.loads((self.out / "status.json").read_text())
        return next(block["functional"][suite]["hit"] for block in status["blocks"] if block["block"] == "dyncta")


def the_hole(test: Tree) -> None:
    cover_sv = test.room / "cover.sv"
    cover_sv.write_text(cover_sv.read_text().replace("endmodule", POINT + "endmodule"))
    line = 1 + next(at for at, text in enumerate(cover_sv.read_text().splitlines()) if "P(Planted" in text)
    with test.case("a point that nothing reaches is a hole, by name and place"):
        test.cover(1, "--recordings", "vectors/hotspot.n2.blt", *BLOCKS, env={"JOBS": "2"})
        test.says(f"^hole: tb/blocks/dyncta/cover.sv:{line}: Planted: a point that nothing reaches$")
    with test.case("no other hole"):
        expect(test.said.count("\nhole:") == 1, "other holes")
    with test.case("recordings alone reach less than recordings and tests"):
        expect(5 < test.functional("recordings") < test.functional("whole"), "they do not")
    with test.case("the page names the hole and carries the source"):
        page = (test.out / "index.html").read_text()
        for text in ('class="verdict bad"', '<th scope="row">Planted</th>', 'id="dyncta-100"', ":root{color-scheme"):
            expect(text in page, f"no {text}")
        fetched = re.search(r"""(src|srcset|data)=["'][^#]|url\(|@import|<(script|link|iframe|img|base)\b""", page, re.I)
        expect(not fetched, "it fetches something")
    with test.case("CSV and JSON agree"):
        rows = list(csv.DictReader((test.out / "cover.csv").read_text().splitlines()))
        hit = [row["hit"] for row in rows if (row["block"], row["kind"], row["suite"]) == ("dyncta", "functional", "whole")]
        expect(hit == [str(test.functional("whole"))], "they differ")


def silent(test: Tree) -> None:
    """A replay of which no process left counts is no coverage of 0 %."""
    one, folder = Run("recordings", "hotspot", []), test.work / "recordings"
    folder.mkdir()
    for title, files, counts in (
            ("of the program alone, and it ran nothing", {"hotspot.1": "end\n"}, False),
            ("of a process that replayed", {"hotspot.1": "end\n", "hotspot.2": "toggle lcs lcs state_q 2 01 00\nend\n"}, True),
            ("of bits that never rose", {"hotspot.1": "toggle lcs lcs state_q 2 00 01\nend\n"}, False),
            ("of another run", {"hotspot2.1": "toggle lcs lcs state_q 2 11 01\nend\n"}, False)):
        with test.case(f"counts {title}: {'enough' if counts else 'none'}"):
            for name, text in files.items():
                (folder / f"{name}.toggles").write_text(text)
            expect(counted(SimpleNamespace(out=test.work), one) == counts, "not so")
            for file in folder.iterdir():
                file.unlink()


def exclusions(test: Tree) -> None:
    excluded = test.room / "cover.exclude"
    old = excluded.read_text() if excluded.is_file() else ""
    for name, status, rule, words in [
            ("an exclusion with a reason settles it", 0, RULE, "^report:"),
            ("an exclusion of what is hit is refused", 3, "functional DYN_3_down -- never", "'functional DYN_3_down' is hit"),
            ("an exclusion of what does not exist is refused", 3, "functional Nowhere -- never", "'functional Nowhere' does not"),
            ("the same for a line", 3, "line else nothing like this -- never", "does not exist"),
            ("the same for bits", 3, "toggle nothing_q[3:1] -- never", "does not exist"),
            ("an exclusion without a reason is refused", 3, "functional Planted", "no reason"),
            ("an unknown kind of exclusion is refused", 3, "colour red -- never", "'colour red' is none of")]:
        with test.case(name):
            excluded.write_text(f"{old}{rule}\n")
            test.again(status)
            test.says(words)
            if status:
                test.one_line("cover.py: ")
            else:
                expect("EnableEvents" in (test.out / "index.html").read_text(), "the page does not give the reason")
    excluded.write_text(old)


def counts(test: Tree) -> None:
    files = sorted((test.out / "tests").iterdir())
    before = test.functional("whole")
    with test.case("without a test's counts less is covered, and the holes are named"):
        test.again(1, test.counts("fewer", [file for file in files if file.name.startswith("test_stall")]))
        test.says("hole: tb/blocks/dyncta/cover.sv")
        test.says("hole: rtl/sm/dyncta.sv")
        expect(test.functional("whole") < before, "as much as before")
    for file in (file for file in files if file.name.startswith("test_dyncta.")):
        whole = file.read_bytes()
        for name, text in [("ends early", whole[:len(whole) // 2]), ("is empty", b""),
                           ("goes on behind its end", whole + b"more\n"), ("has an unknown word", b"unknown word\n" + whole)]:
            with test.case(f"a file of counts that {name} is refused: {file.suffix}"):
                folder = test.counts(f"damaged{file.suffix}{name}", files)
                (folder / "tests" / file.name).write_bytes(text)
                test.again(3, folder)
                test.one_line("damaged")
    with test.case("no counts at all are refused"):
        for folder in ("recordings", "tests"):
            (test.work / "empty" / folder).mkdir(parents=True)
        test.cover(3, "--counts", test.work / "empty")
        test.one_line("no counts at all")


def refusals(test: Tree) -> None:
    with test.case("an unknown block is refused"):
        test.cover(2, "nonsense")
        test.one_line("no block 'nonsense'")
    with test.case("an unknown option is refused"):
        test.cover(2, "--nonsense")
        test.one_line("--nonsense")
    with test.case("a build that fails is told apart"):
        test.cover(1, "--out", test.work / "other", *BLOCKS, env=test.instead(make="echo 'error: no'; exit 2"))
        test.says("^error: no\ncover.py: the build failed; all of it: ")
    with test.case("a run that is killed fails, and is named"):
        killed = test.work / "killed"
        (killed / test.build.name).mkdir(parents=True)
        program = killed / test.build.name / "ballast"
        program.write_text("#!/bin/sh\nkill -9 $$\n")
        program.chmod(0o755)
        (killed / test.build.name / "test").symlink_to((test.out / test.build.name / "test").resolve())
        test.cover(1, "--out", killed, *BLOCKS, env=test.instead(make="exit 0"))
        test.says("cover.py: all failed; all of it: ")
    with test.case("a block without a cover file: lines and bits, and it is said"):
        (test.room / "cover.sv").unlink()
        test.cover(1, "--counts", test.out, "dyncta")
        test.says("^no functional points of dyncta: it has no tb/blocks/dyncta/cover.sv$")


if __name__ == "__main__":
    Tree.main("tb/cover/cover.py", the_hole, silent, exclusions, counts, refusals)
