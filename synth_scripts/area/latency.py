# SPDX-License-Identifier: Apache-2.0
"""The table of what a cycle of latency gives: what blocks cost before they had registers on their longest paths, and now. The figures of then are in
the page only: no RTL that is here has them."""
from __future__ import annotations

from measure import Row
from output import fixed

CONFIGS = ("fermi", "kepler", "hopper")
BAR = 25  # FO4


def _now(row: Row) -> str:
    return f"{row['flip_flops']}, {row['ge']}, {fixed(row['fo4'], 1)}"


def _line(shown: str, of: dict[tuple[str, str], Row]) -> str:
    """Of a block that was not measured in a configuration, what stands there."""
    cells = [cell.strip() for cell in shown.strip("|").split("|")]
    for at, config in enumerate(CONFIGS):
        if (config, cells[0]) in of:
            cells[2 + 2 * at] = _now(of[config, cells[0]])
    return f"| {' | '.join(cells)} |"


def _above(rows: list[Row]) -> str:
    fo4: dict[str, list[float]] = {}
    for row in rows:
        fo4.setdefault(row["block"], []).append(row["fo4"])
    said = [f"`{name}` ({fixed(min(many), 1)} to {fixed(max(many), 1)})" for name, many in sorted(fo4.items()) if max(many) > BAR]
    return f"Above {BAR} FO4 in some configuration: {', '.join(said) or 'none'}."


def page(rows: list[Row], shown: list[str]) -> list[str]:
    """The table anew, with the figures of before that it shows."""
    of = {(row["config"], row["block"]): row for row in rows}
    table = [line for line in shown if line.startswith("|")]
    return [*table[:2], *(_line(line, of) for line in table[2:]), "", _above(rows)]
