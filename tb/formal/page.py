# SPDX-License-Identifier: Apache-2.0
"""The tables of proofs in a page (tb/flow/pages.py)."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pages

COMMAND = "make formal-update"
Row = dict[str, Any]


def check(path: Path) -> None:
    pages.check(path)


def _line(row: Row, *columns: str) -> str:
    return " | ".join([f"| `{row['block']}`", *(str(row[column]) for column in columns)]) + " |"


def _tables(config: str, tool: str, rows: list[Row]) -> list[str]:
    steps = [_line(row, "params", "bound", "states", "status", "seconds", "text") for row in rows if row["proof"] == "step"]
    rules = [_line(row, "proof", "bound", "states", "status") for row in rows if row["proof"] != "step"]
    return [f"In `{config}` ({tool}):", "",
            "| block | parameters | size | from | step | seconds | |", "|---|---|---|---|---|---|---|", *steps, "",
            "| block | rule of the RTL | size | from | |", "|---|---|---|---|---|", *rules]


def update(path: Path, config: str, tool: str, rows: list[Row]) -> None:
    pages.write(path, _tables(config, tool, rows), COMMAND)


def stale(path: Path, config: str, rows: list[Row], all_blocks: bool) -> list[str]:
    """What the page says otherwise, if it has this configuration: times, counts and versions of tools may differ. It has to have all
    blocks only if `all_blocks` were proved: a new one is proved before it is told of."""
    written = pages.lines(path)
    if not any(line.startswith(f"In `{config}` ") for line in written):
        return []
    if not all_blocks:
        rows = [row for row in rows if any(line.startswith(_line(row)) for line in written)]
    found = []
    for row in rows:
        if row["proof"] == "step":
            line = _line(row, "params", "bound", "states", "status")
        else:
            line = _line(row, "proof", "bound", "states", "status")
        if not any(one.startswith(line) for one in written):
            found.append(f"{row['block']} {row['proof']}")
    return found
