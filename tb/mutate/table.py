# SPDX-License-Identifier: Apache-2.0
"""The table of a campaign in a page, between the lines '<!-- common mode -->' and '<!-- end of common mode -->'."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tools import Failure, whole

BEGIN, END = "<!-- common mode -->", "<!-- end of common mode -->"
MARKS = re.compile(rf"^{BEGIN}\n.*^{END}$", re.M | re.S)
HEAD = ("block", "mutants", "equivalent", "killed by tests", "killed by rules", "survived", "score",
        "tests that judge", "rules that judge")


def check(path: Path) -> str:
    """The text of a page that has the marks."""
    if not path.is_file():
        raise Failure(f"no page {path}")
    text = path.read_text()
    if not MARKS.search(text):
        raise Failure(f"{path} has no lines '{BEGIN}' and '{END}'")
    return text


def _row(row: dict[str, Any]) -> list[str]:
    numbers = [row[name] for name in ("mutants", "equivalent", "by_tests", "by_rules", "survived")]
    return [f"`{row['block']}`", *map(str, numbers), f"{row['score']:.1f} %", str(row["rule_tests"]),
            "not asked" if row["rules"] is None else str(row["rules"])]


def update(path: Path, status: dict[str, Any]) -> None:
    text = check(path)
    rows = [list(HEAD), ["---"] * len(HEAD), *(_row(row) for row in status["blocks"])]
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    new = f"{BEGIN}\nIn `{status['config']}` ({status['tool']}, seed {status['seed']}):\n\n{table}\n{END}"
    with whole(path) as file:
        file.write(MARKS.sub(lambda _: new, text))
