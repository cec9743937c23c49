# SPDX-License-Identifier: Apache-2.0
"""The table of a campaign in a page (pages.py), under the name 'common-mode'."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pages

NAME = "common-mode"
HEAD = ("block", "mutants", "equivalent", "killed by tests", "killed by rules", "survived", "score",
        "tests that judge", "rules that judge")


def check(path: Path) -> str:
    """The text of a page that has a place for the table."""
    return pages.check(path, NAME)


def _row(row: dict[str, Any]) -> list[str]:
    numbers = [row[name] for name in ("mutants", "equivalent", "by_tests", "by_rules", "survived")]
    return [f"`{row['block']}`", *map(str, numbers), f"{row['score']:.1f} %", str(row["rule_tests"]),
            "not asked" if row["rules"] is None else str(row["rules"])]


def update(path: Path, status: dict[str, Any]) -> None:
    rows = [list(HEAD), ["---"] * len(HEAD), *(_row(row) for row in status["blocks"])]
    table = ["| " + " | ".join(row) + " |" for row in rows]
    pages.write(path, [f"In `{status['config']}` ({status['tool']}, seed {status['seed']}):", "", *table],
                "make mutate-common-update", NAME)
