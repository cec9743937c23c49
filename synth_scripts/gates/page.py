# SPDX-License-Identifier: Apache-2.0
"""The tables of netlists in a page (tb/flow/pages.py), one for each configuration, under its name. Rows of netlists that were not made
now stay; those of netlists that the blocks do not have any more go."""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pages
from tools import Failure

COMMAND = "make gates-update"


def _line(row: Sequence[str]) -> str:
    return f"| `{row[0]}` | {' | '.join(row[1:])} |"


def check(path: Path, config: str) -> None:
    pages.check(path, config)


def update(path: Path, config: str, tool: str, head: Sequence[str], rows: Sequence[Sequence[str]], order: Sequence[str]) -> None:
    """`order`: the names of all netlists."""
    lines = {line.split("`")[1]: line for line in pages.lines(path, config) if line.startswith("| `")} | {row[0]: _line(row) for row in rows}
    strange = [row[0] for row in rows if row[0] not in order]
    if strange:
        raise Failure(f"{path}: no block has a netlist {strange[0]}")
    kept = [lines[name] for name in order if name in lines]
    missing = [f"`{name}`" for name in order if name not in lines]
    pages.write(path, [f"`make gates CONFIG={config}`, {tool}:", "", f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *kept,
                       *(["", f"Not made: {', '.join(missing)}."] if missing else [])], COMMAND, config)
