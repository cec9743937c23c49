# SPDX-License-Identifier: Apache-2.0
"""The tables of the campaigns in a page (pages.py): of the RTL's mutants, and of those that both sides have."""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pages

MUTANTS, COMMON = "mutants", "common-mode"
Row = dict[str, Any]


def score(row: Row) -> float:
    """Of those that are not equivalent."""
    counted = row["killed"] + row["survived"]
    return 100 * row["killed"] / counted if counted else 100


def _mutants(row: Row) -> list[str]:
    numbers = [row[name] for name in ("mutants", "killed", "equivalent", "survived")]
    return [row["block"], *map(str, numbers), f"{score(row):.1f} %", str(row["seconds"])]


def _common(row: Row) -> list[str]:
    numbers = [row[name] for name in ("mutants", "equivalent", "by_tests", "by_rules", "survived")]
    return [row["block"], *map(str, numbers), f"{row['score']:.1f} %", str(row["rule_tests"]),
            "not asked" if row["rules"] is None else str(row["rules"])]


# Name: the command, the columns, a row.
TABLES = {
    MUTANTS: ("make mutate-update", ("block", "mutants", "killed", "equivalent", "survived", "score", "seconds"), _mutants),
    COMMON: ("make mutate-common-update", ("block", "mutants", "equivalent", "killed by tests", "killed by rules", "survived", "score",
                                           "tests that judge", "rules that judge"), _common),
}


def title(config: str, tool: str, seed: int) -> str:
    return f"In `{config}` ({tool}, seed {seed}):"


def update(path: Path, name: str, status: Row, order: Sequence[str]) -> None:
    """`order`: all that can have a row."""
    command, head, row_of = TABLES[name]
    pages.update(path, name, title(status['config'], status['tool'], status['seed']), head,
                 [row_of(row) for row in status["blocks"]], order, command)
