# SPDX-License-Identifier: Apache-2.0
"""Puts the tables with the papers' numbers, of what `ballast experiment` wrote, into doc/papers/experiments.md:

  ballast experiment all | python3 sim/studies/experiments_page.py
  ballast experiment lcs-bcs | python3 sim/studies/experiments_page.py --keep     # tables of other experiments stay

Such a table is a title with MARK at its end, an empty line, rows, and an empty line.
"""
from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb" / "flow"))
import pages
from tools import Failure, program

PAGE = Path("doc/papers/experiments.md")
MARK = ": the paper's numbers"
COMMAND = "make experiments-update"


def tables(lines: Iterable[str]) -> dict[str, list[str]]:
    """The rows of each such table by its title."""
    found: dict[str, list[str]] = {}
    rows: list[str] | None = None
    for line in lines:
        text = line.rstrip()
        if text.endswith(MARK):
            rows = found[text.strip()] = []
        elif rows is not None and text:
            rows.append(text)
        elif rows:
            rows = None
    return found


def merged(old: dict[str, list[str]], new: dict[str, list[str]]) -> dict[str, list[str]]:
    """The old ones in their order, with the new rows; what is new at the end."""
    return {title: new.get(title, rows) for title, rows in old.items()} | new


def shown(found: dict[str, list[str]]) -> list[str]:
    return [line for title, rows in found.items() for line in (f"    {title}", "", *rows, "")]


def _main() -> int:
    parser = argparse.ArgumentParser(description="Put the papers' numbers of experiments into their page.")
    parser.add_argument("--keep", action="store_true", help="tables of experiments that were not run stay as they are")
    keep = parser.parse_args().keep
    new = {title: [f"    {row}" for row in rows] for title, rows in tables(sys.stdin).items()}
    if not new:
        raise Failure(f"no table with {MARK!r} came in; {PAGE} stays")
    with pages.held(PAGE):
        pages.write(PAGE, shown(merged(tables(pages.lines(PAGE)), new) if keep else new), COMMAND)
    return 0


if __name__ == "__main__":
    program(_main)
