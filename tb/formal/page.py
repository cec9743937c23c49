# SPDX-License-Identifier: Apache-2.0
"""The tables of proofs in a page (tb/flow/pages.py), one for each configuration, under its name."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pages
from prover import PROVED

COMMAND = "make formal-update"
FULL = "fermi"  # the configuration whose rules are written out
Row = dict[str, Any]


def check(path: Path, config: str) -> None:
    pages.check(path, config)


def _line(row: Row, *columns: str) -> str:
    return " | ".join([f"| `{row['block']}`", *(str(row[column]) for column in columns)]) + " |"


def _steps(rows: list[Row], *last: str) -> list[str]:
    return [_line(row, "params", "bound", "states", "status", *last) for row in rows if row["proof"] == "step"]


def _rules(config: str, rows: list[Row]) -> tuple[list[str], list[str]]:
    """Those that are written out, and for every other target how many are proved, and which are not."""
    whole, counted = [], []
    for name in dict.fromkeys(row["block"] for row in rows):
        own = [row for row in rows if row["block"] == name and row["proof"] != "step"]
        if config == FULL and all(row["base"] for row in own):
            whole += [_line(row, "proof", "bound", "states", "status") for row in own]
        elif own:
            missing = [f"{row['proof']}: {row['status']}" for row in own if row["status"] != PROVED]
            counted.append(f"| `{name}` | {len(own) - len(missing)} of {len(own)} | {'; '.join(missing)} |")
    return whole, counted


def _tables(config: str, tool: str, rows: list[Row]) -> list[str]:
    whole, counted = _rules(config, rows)
    found = [f"In `{config}` ({tool}), {sum(row['status'] == PROVED for row in rows)} of {len(rows)} proved:", "",
             "| block | parameters | size | from | step | seconds | |", "|---|---|---|---|---|---|---|", *_steps(rows, "seconds", "text")]
    if whole:
        found += ["", "| block | rule of the RTL | size | from | |", "|---|---|---|---|---|", *whole]
    if counted:
        found += ["", "| block | rules of the RTL that are proved | |", "|---|---|---|", *counted]
    return found


def update(path: Path, config: str, tool: str, rows: list[Row]) -> None:
    pages.write(path, _tables(config, tool, rows), COMMAND, config)


def stale(path: Path, config: str, rows: list[Row], all_blocks: bool) -> list[str]:
    """What the page says otherwise, if it has this configuration: times, counts and versions of tools may differ. It has to have all
    blocks only if `all_blocks` were proved: a new one is proved before it is told of."""
    if not pages.has(path, config):
        return []
    written = pages.lines(path, config)
    if not all_blocks:
        rows = [row for row in rows if any(line.startswith(_line(row)) for line in written)]
    whole, counted = _rules(config, rows)
    return [" ".join(line.split(" | ")[:2]).strip("| ").replace("`", "") for line in (*_steps(rows), *whole, *counted)
            if not any(one.startswith(line) for one in written)]
