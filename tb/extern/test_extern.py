# SPDX-License-Identifier: Apache-2.0
"""A block in a folder outside of the repository: it is made, built, and goes through the flows; the repository stays as it is.

  python3 tb/extern/test_extern.py BUILD_DIR

Ends with 'N passed, N failed'. Run from the repository root.
"""
from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1] / "flow")]
import tree
from planted import Planted, expect

NAME = "idle_counter"


class Outside(Planted):
    """`mine` is the folder; commands of it run in it."""

    def __enter__(self) -> Outside:
        super().__enter__()
        self.mine = self.work / "mine"
        self.mine.mkdir()
        self.ballast = self.build.resolve() / "ballast"
        return self

    def make(self, status: int, *words: object, folder: object = None) -> None:
        config = self.build.name
        self.command(status, "make", "--no-print-directory", f"EXTERN={folder or self.mine}", f"CONFIG={config}", *words)

    def own(self, status: int, *words: object) -> None:
        """The command with the block."""
        self.command(status, f"build/{self.build.name}/ballast", *words, cwd=self.mine)

    def change(self, file: str, old: str, new: str) -> None:
        path = self.mine / file
        text = path.read_text()
        expect(re.search(old, text), f"{file} has no '{old}'")
        path.write_text(re.sub(old, new, text, count=1))


def repository() -> dict[str, tuple[int, int]]:
    """All its files, but for what is built."""
    return {name: (path.stat().st_size, path.stat().st_mtime_ns) for name, path in tree.files_below(Path(), tree.NOT_OURS).items()}


def made(test: Outside) -> None:
    with test.case("new-block in an empty folder writes its files, once, and says how to go on"):
        test.command(0, test.ballast, "new-block", NAME, cwd=test.mine)
        lines = test.said.splitlines()
        expect(len(lines) == 14 and all((test.mine / file).is_file() for file in lines[:-1]), "other files than it says")
        expect(f"make EXTERN={test.mine.resolve()} build" in lines[-1], lines[-1])
        test.command(3, test.ballast, "new-block", NAME, cwd=test.mine)
        test.one_line("is there already")
    with test.case("half a block is taken back, with its folders"):
        other = test.work / "other"
        (other / "cmodel/sm").mkdir(parents=True)
        (other / "cmodel/sm/halved.c").write_text("in the way\n")
        test.command(3, test.ballast, "new-block", "halved", cwd=other)
        test.one_line("halved.c: is there already")
        expect({path.relative_to(other).as_posix() for path in other.rglob("*")} == {"cmodel", "cmodel/sm", "cmodel/sm/halved.c"}, "something is left")
    with test.case("new-block in a room of the repository is refused"):
        test.command(3, test.ballast, "new-block", "lost", cwd=Path("rtl"))
        test.one_line("this is a folder inside of ")
        expect(not list(Path("rtl").rglob("*lost*")), "written all the same")


def refused(test: Outside) -> None:
    spaced, taken, inside = test.work / "my blocks", test.work / "taken", Path("build/extern.test")
    for folder in (spaced, taken):
        shutil.copytree(test.mine, folder)
    (taken / "rtl/sm/perfsat.sv").write_text("")
    (test.work / "bare").mkdir()
    inside.mkdir(parents=True, exist_ok=True)
    for name, folder, words in (("no folder", test.work / "none", "there is no such folder"), ("a file", test.mine / f"rtl/sm/{NAME}.sv", "there is no such folder"),
                                ("no block", test.work / "bare", "there is no block in it"), ("the repository", Path.cwd(), "must be outside"),
                                ("in the repository", inside.resolve(), "must be outside"), ("around the repository", Path.cwd().parent, "must be outside"),
                                ("a space", spaced, "no path with a space"), ("a name that is taken", taken, "rtl/sm/perfsat.sv is a file of Ballast, too")):
        with test.case(f"{name}: refused in a line"):
            test.make(2, "build", folder=folder)
            expect(test.said.startswith("tree.py: EXTERN=") and words in test.said.splitlines()[0], test.said)
            # Below another make, as in `make test`, it is make[1] that says that it stops.
            expect(not [line for line in test.said.splitlines()[1:] if not re.match(r"make(\[\d+\])?: \*\*\*", line)], "more than one line")
            expect(not (folder / "build/tree").exists(), "a tree is there")
    inside.rmdir()
    with test.case("a configuration that is none: refused in a line"):
        test.command(2, "make", f"EXTERN={test.mine}", "CONFIG=none", "build")
        expect(test.said.startswith("tree.py: there is no configuration 'none'; rtl/configs has ") and not (test.mine / "build").exists(), test.said)


def plays(test: Outside) -> None:
    recording = Path("vectors/hotspot.n2.blt").resolve()
    with test.case("it builds, and passes lockstep in its own folder"):
        test.make(0, "build")
        test.own(0, "lockstep", "--block", NAME, "--log", recording)
        test.says(rf"^hotspot\.n2 +open +0 {NAME} +\d+ +[1-9]\d+ pass")
    with test.case("a fault in its RTL is found, once its file has changed"):
        test.change(f"rtl/sm/{NAME}.sv", "idle_q <= '0;", "idle_q <= '1;")
        try:
            test.make(0, "build")
            test.own(1, "lockstep", "--block", NAME, "--sm", 0, recording)
            test.says(f"{NAME} differs after reset")
        finally:
            test.change(f"rtl/sm/{NAME}.sv", "idle_q <= '1;", "idle_q <= '0;")
    with test.case("its test fails only where it says 'write me'; without that it passes, and only it is run"):
        test.make(2, "test", f"BLOCK={NAME}")
        expect(set(re.findall(r"^ *\[  FAILED  \] (\D.*)$", test.said, re.M)) <= {"write me [model]", "write me [rtl]"}, test.said)
        test.change(f"tb/blocks/{NAME}/test_{NAME}.c", r"(?ms)^static void rules\(bench.*?^}\n", "")
        test.change(f"tb/blocks/{NAME}/test_{NAME}.c", r'.*"write me".*\n', "")
        test.make(0, "test", f"BLOCK={NAME}")
        test.says(r"^\d+ passed, 0 failed")
    with test.case("its waveform"):
        test.make(0, "waves", f"BLOCK={NAME}", "TRACE=vectors/hotspot.n2.blt", "FROM=0", "TO=900", f"PNG={test.work}/view.png")
        expect((test.work / "view.png").stat().st_size > 1000, "no picture")


def flows(test: Outside) -> None:
    with test.case("it is proved, rules and all"):
        test.make(0, "formal", f"BLOCKS={NAME}")
        test.says(rf"^{NAME} .*proved")
    with test.case("mutants of it are killed"):
        test.make(2, "mutate", f"BLOCKS={NAME}", "N=6")  # one of them survives the skeleton's tests
        test.says(rf"^{NAME} +6 +5 ")
    with test.case("its area is measured"):
        test.make(2, "area", f"BLOCKS={NAME}", "CONFIG_AREA=fermi")
        test.says(rf"^{NAME} +16 .* new ")


def follows(test: Outside) -> None:
    grown = test.mine / "build/tree"
    with test.case("what is gone on either side is gone in the tree, and the rest is not written again"):
        test.command(0, test.ballast, "new-block", "second", cwd=test.mine)
        (grown / "sim/cli/stray.c").write_text("#error stray\n")
        test.make(0, f"build/{test.build.name}/blocks.mk")
        times = {path: path.stat().st_ino for path in (grown / "rtl").rglob("*.sv")}
        expect(any(path.stem == "second" for path in times) and not (grown / "sim/cli/stray.c").exists(), "not as both sides say")
        for path in list(test.mine.rglob("*second*")):
            if "build" not in path.relative_to(test.mine).parts:
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        test.make(0, f"build/{test.build.name}/blocks.mk")
        after = {path: path.stat().st_ino for path in (grown / "rtl").rglob("*.sv")}
        expect(after == {path: node for path, node in times.items() if path.stem != "second"}, "others have changed")
    with test.case("a folder that cannot be written: one line"):
        shutil.copytree(test.mine, test.work / "file", ignore=shutil.ignore_patterns("build"))
        (test.work / "file/build").write_text("")
        test.make(2, "build", folder=test.work / "file")
        expect(re.match(r"tree\.py: .*: (Not a directory|File exists)\n", test.said), test.said)


if __name__ == "__main__":
    with Outside("", sys.argv[1] if len(sys.argv) > 1 else "build/fermi") as outside:
        before = repository()
        for part in (made, refused, plays, flows, follows):
            part(outside)
        with outside.case("the repository is as it was"):
            expect(repository() == before, f"{sorted(repository().items() ^ before.items())[:5]}")
    sys.exit(outside.status)
