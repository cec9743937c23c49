# SPDX-License-Identifier: Apache-2.0
"""What pages show under "    $ build/fermi/ballast ..." is what the command prints.

  python3 sim/cli/test_examples.py BALLAST

An example ends at the first line that is not indented. Its lines are the whole output, in this order; "..." stands for any. A replay may be faster or
slower. An example that reads what "make run" has left is test_run.py's. The record of doc/use/decision_log.md is one of its log. Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import json
import re
import sys
from itertools import takewhile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ballast_runs import Ballast, Planted, expect

PROMPT = "    $ build/fermi/ballast "
SPEED = re.compile(r"(pass .*) \d+\.\d$")
SECONDS = 300


def examples(page: Path) -> list[tuple[str, list[str]]]:
    """Commands, and what the page shows below each."""
    lines = page.read_text().splitlines()
    commands = {at: line.removeprefix(PROMPT) for at, line in enumerate(lines) if line.startswith(PROMPT)}
    return [(command, list(takewhile(lambda line: line.startswith("    "), lines[at + 1:])))
            for at, command in commands.items() if "build/" not in command]


def words(line: str) -> list[str]:
    return SPEED.sub(r"\1", line.rstrip()).split()


def differs(shown: list[str], said: list[str]) -> str:
    """The first line that is only on one side, or nothing."""
    at, anything = 0, False
    for line in shown:
        if line.strip() == "...":
            anything = True
            continue
        while anything and at < len(said) and words(said[at]) != words(line):
            at += 1
        if at == len(said) or words(said[at]) != words(line):
            return f"only on the page: {line}"
        at, anything = at + 1, False
    return "" if anything or at == len(said) else f"not on the page: {said[at]}"


def noticed(shown: list[str], said: list[str]) -> None:
    """Another number in the last line, a line more and a line less."""
    last = max(at for at, line in enumerate(shown) if line.strip() != "...")
    other = re.sub(r"\d(?=\D*$)", lambda digit: str((int(digit[0]) + 1) % 10), shown[last])
    for lines in ([*shown[:last], other, *shown[last + 1:]], [*shown[:last], *shown[last:last + 1] * 2, *shown[last + 1:]], shown[1:]):
        expect(differs(lines, said), f"not noticed: {lines[-1]}")


def pages(test: Planted) -> None:
    ballast, found = Ballast(test, test.script), 0
    for page in [Path("README.md"), *sorted(Path("doc").rglob("*.md"))]:
        for command, shown in examples(page):
            found += 1
            with test.case(f"{page}: ballast {command}"):
                ballast.run(command, SECONDS)
                said = ballast.out.splitlines()
                expect(ballast.status == 0 and shown and said, f"exit status {ballast.status}")
                expect(not differs(shown, said), differs(shown, said))
                noticed(shown, said)
    with test.case("there are examples"):
        expect(found >= 4, f"{found} found")


def record(test: Planted) -> None:
    ballast, page = Ballast(test, test.script), Path("doc/use/decision_log.md")
    with test.case(f"{page}: the record is one of the log"):
        shown = re.search(r"^    \{.*?\}$", page.read_text(), re.M | re.S)
        expect(shown, "no record")
        ballast.passes("family vectors/pathlong.n*.blt")
        log = (ballast.folder / "pathlong.sm0.model.jsonl").read_text().splitlines()
        expect(json.loads(shown[0]) in [json.loads(line) for line in log], "no such record in the log")


if __name__ == "__main__":
    Planted.main(sys.argv[1] if len(sys.argv) > 1 else "build/fermi/ballast", pages, record)
