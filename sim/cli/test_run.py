# SPDX-License-Identifier: Apache-2.0
"""The main job: all shipped recordings through all blocks, and pages that show its tables as it prints them.

  python3 sim/cli/test_run.py BALLAST

Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ballast_runs import Ballast, Planted, expect

SECONDS = 600
# The title above the table, and the page that has it.
TABLES = (("CTA limit that each policy chose", Path("doc/use/policies.md")), ("What the analytic models predict", Path("doc/use/analytic.md")))


# What is cheap to say again of the recordings of another SM.
VOLTA = ((Path("doc/use/agreement.md"), "agree vectors/volta/*.blt"),
         (Path("doc/use/dispatch.md"), "dispatch --by-kernel --machine {recorder} vectors/volta/ctas/*.n*"))


def table_below(title: str, said: str) -> list[str]:
    """Its lines, up to where the data lie."""
    found = re.search(rf"^{title}.*?:\n(.*?)^as data", said, re.M | re.S)
    expect(found, f"no table '{title}'")
    return [line.rstrip() for line in found[1].splitlines()]


def missing(table: list[str], text: str) -> list[str]:
    """The lines that a page does not show."""
    shown = {line.strip() for line in text.splitlines()}
    return [line for line in table if line not in shown]


def recordings(test: Planted) -> None:
    with test.case("all recordings in lockstep"):
        ballast = Ballast(test, test.script)
        ballast.run("run {manifest}", SECONDS)
        expect(ballast.status == 0 and re.search(r"^(\d+) replays, \1 passed, 0 failed", ballast.out, re.M), f"exit status {ballast.status}")
    for title, page in TABLES:
        with test.case(f"{page} shows the table as it is"):
            table, text = table_below(title, ballast.out), page.read_text()
            expect(len(table) > 2 and not missing(table, text), f"{page} has other lines:\n" + "\n".join(missing(table, text)))
        with test.case(f"{page}: another number is noticed"):
            line = table[-1]
            expect(missing(table, text.replace(line, re.sub(r"\d", "x", line))) == [line], "not noticed")


def other_recordings(test: Planted) -> None:
    ballast = Ballast(test, test.script)
    ballast.names["recorder"] = Path("vectors/volta/machine").read_text().strip()
    for page, line in VOLTA:
        with test.case(f"{page} shows the table of vectors/volta as it is"):
            ballast.passes(line)
            table = [line.rstrip() for line in ballast.out.splitlines()]
            shown = [line.removeprefix("    ") for line in page.read_text().splitlines()]
            expect(len(table) > 2 and all(line in shown for line in table), f"{page} has other lines:\n" + "\n".join(table))


def all_recordings(test: Planted) -> None:
    recordings(test)
    other_recordings(test)


if __name__ == "__main__":
    Planted.main(sys.argv[1] if len(sys.argv) > 1 else "build/fermi/test/ballast", all_recordings)
