# SPDX-License-Identifier: Apache-2.0
"""Does checkers.py find what it is there to find? A small checker with a good test and with a weak one, mutants that are named, bad
input. Ends with 'N passed, N failed'. Run from the repository root.

  python3 tb/mutate/test_checkers.py
"""
from __future__ import annotations

import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), str(HERE.parent / "flow")]

import checkers
import operators
from planted import Planted, expect

SOURCE = 'def worse(a, b):\n    """Of two."""\n    if a > b and a != 7:\n        return a\n    return b\n'
GOOD = ("import sys; sys.path.insert(0, 'tb'); from checker import worse as w\n"
        "sys.exit(not (w(2, 1) == 2 and w(1, 2) == 2 and w(7, 1) == 1 and w(1, 7) == 7 and w(7, 9) == 9))\n")
C_SOURCE = "/* if (a == b) */\n#define X 0\nint f(int a)\n{\n    int b = 1;\n\n    if (a == b && !g(\"x == 1\"))\n        b |= a;\n    return b;\n}\n"


def operations(test: Planted) -> None:
    with test.case("Python: what is mutated, and what is not"):
        found = [(one.what, one.line) for one in operators.of_python(SOURCE)]
        want = [("swap comparison", 3), ("swap comparison", 3), ("swap and/or", 3), ("negate", 3), ("constant", 3), ("return", 4), ("return", 5)]
        expect(sorted(found) == sorted(want), str(sorted(found)))
        expect(all(one.text != SOURCE and one.line_text in SOURCE for one in operators.of_python(SOURCE)), "nothing changed")
    with test.case("a status is each other one"):
        what = {one.what for one in operators.of_python("def f(x):\n    return prover.PROVED if x else FAILED\n")}
        expect(what >= {"status PROVED for OPEN", "status FAILED for OPEN", "status FAILED for PROVED"}, str(what))
    with test.case("C: operators and statements, not comments, texts and the preprocessor"):
        found = [(one.what, one.line) for one in operators.of_c(C_SOURCE)]
        want = [("swap 1 for 0", 5), ("swap == for !=", 7), ("swap && for ||", 7), ("swap ! for nothing", 7), ("swap |= for =", 8), ("drop", 8)]
        expect(sorted(found) == sorted(want), str(sorted(found)))


def tree(test: Planted, check: str, listed: str = "tb/checker.py: python3 tb/check.py\n") -> None:
    """A tree with a checker."""
    home = test.work / "home"
    (home / "tb/mutate").mkdir(parents=True, exist_ok=True)
    (home / "synth_scripts").mkdir(exist_ok=True)
    (home / "tb/checker.py").write_text(SOURCE)
    (home / "tb/check.py").write_text(check)
    (home / "tb/mutate/checkers.list").write_text(listed)
    (home / "page.md").write_text("before\n<!-- checkers -->\n<!-- end of checkers -->\nafter\n")


def run(test: Planted, status: int, *arguments: object) -> None:
    test.command(status, sys.executable, HERE / "checkers.py", "--out", "out", *arguments, cwd=test.work / "home")


def campaigns(test: Planted) -> None:
    home = test.work / "home"
    with test.case("a good test kills all but what is equivalent"):
        tree(test, GOOD)
        run(test, 1)
        test.says("^tb/checker.py: 7 mutants, 6 killed, 0 equivalent, 1 survived, 86 %$")
        test.says(r"^  tb/checker.py:3: swap comparison: if a > b and a != 7:$")
    with test.case("which is named, with a reason"):
        (home / "tb/mutate/checkers.equivalent").write_text(
            "# why\ntb/checker.py\tswap comparison\tif a > b and a != 7:\tequal numbers are the same\n")
        run(test, 0, "--page", "page.md")
        test.says("^tb/checker.py: 7 mutants, 6 killed, 1 equivalent, 0 survived, 100 %$")
        expect(json.loads((home / "out/checkers.json").read_text())[0]["equivalent"] == 1, "another number")
        text = (home / "page.md").read_text()
        expect(text.startswith("before\n") and text.endswith("after\n") and "| `tb/checker.py` | all | 7 | 6 | 1 | 0 | 100 % |\n" in text, text)
    with test.case("a second test kills what the first one does not; with --quick it is not asked"):
        weak = GOOD.replace("w(7, 1) == 1 and ", "")
        tree(test, weak, "tb/checker.py: python3 tb/check.py; python3 tb/more.py\n")
        (home / "tb/more.py").write_text(GOOD)
        run(test, 0)
        run(test, 1, "--quick")
    with test.case("a weak test leaves survivors"):
        tree(test, weak)
        run(test, 1)
        test.says("[1-6] survived")
    with test.case("a test that looks at nothing kills nothing"):
        tree(test, "pass\n")
        run(test, 1)
        test.says("0 killed")
    with test.case("the sources stay as they are"):
        expect((home / "tb/checker.py").read_text() == SOURCE, "changed")
    with test.case("so many by chance, the same again"):
        tree(test, GOOD)
        (home / "tb/mutate/checkers.equivalent").unlink()
        said = []
        for _ in range(2):
            run(test, 1, "--mutants", 6)
            said.append(test.said.splitlines()[-2:])
        expect(said[0] == said[1] and "6 mutants" in test.said, str(said))


def bad_input(test: Planted) -> None:
    home = test.work / "home"
    cases = {
        "a test that fails without a mutant": ("import sys; sys.exit(1)\n", None, [], "fails without a mutant"),
        "an unknown checker": (GOOD, None, ["tb/none.py"], "no checker tb/none.py; there are: tb/checker.py"),
        "a list with a missing file": (GOOD, "tb/none.py: true\n", [], "checkers.list:1: no file tb/none.py"),
        "a list without a test": (GOOD, "tb/checker.py:\n", [], "checkers.list:1: is not 'FILE: COMMAND"),
        "a page without marks": (GOOD, None, ["--mutants", 1, "--page", "tb/check.py"], "has no lines '<!-- checkers -->'"),
    }
    for name, (check, listed, arguments, said) in cases.items():
        with test.case(f"{name}: refused"):
            tree(test, check, *([listed] if listed else []))
            run(test, 2, *arguments)
            test.says(f"^checkers.py: .*{said}")
    with test.case("an equivalent without a reason: refused"):
        tree(test, GOOD)
        (home / "tb/mutate/checkers.equivalent").write_text("tb/checker.py\tnegate\tif x:\n")
        run(test, 2)
        test.one_line("checkers.equivalent:1: is not FILE, WHAT, SOURCE LINE and REASON")


def itself(test: Planted) -> None:
    with test.case("every listed checker is there, with something to mutate"):
        for checker in checkers.checkers():
            expect(len(operators.mutants(checker.file)) > 10, f"{checker.file}: few mutants")
    with test.case("every mutant that is named is one"):
        have = {(str(checker.file), one.what, one.line_text) for checker in checkers.checkers() for one in operators.mutants(checker.file)}
        for key in checkers.named():
            expect(key in have, f"{key} is not there")


if __name__ == "__main__":
    Planted.main("", operations, campaigns, bad_input, itself)
