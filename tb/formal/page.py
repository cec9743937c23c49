# SPDX-License-Identifier: Apache-2.0
"""The tables of proofs in a page, between the lines '<!-- results -->' and '<!-- end of results -->'."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tools import Failure, whole

MARKS = re.compile(r"^<!-- results -->\n.*^<!-- end of results -->$", re.M | re.S)


def check(path: Path) -> str:
    """The text of a page that has the marks."""
    if not path.is_file():
        raise Failure(f"no page {path}")
    text = path.read_text()
    if not MARKS.search(text):
        raise Failure(f"{path} has no lines '<!-- results -->' and '<!-- end of results -->'")
    return text


def _line(row: dict[str, Any], *columns: str) -> str:
    return " | ".join([f"| `{row['block']}`", *(str(row[column]) for column in columns)]) + " |"


def _tables(config: str, tool: str, rows: list[dict[str, Any]]) -> list[str]:
    steps = [_line(row, "params", "bound", "states", "status", "seconds", "text") for row in rows if row["proof"] == "step"]
    rules = [_line(row, "proof", "bound", "states", "status") for row in rows if row["proof"] != "step"]
    return [f"In `{config}` ({tool}):", "",
            "| block | parameters | size | from | step | seconds | |", "|---|---|---|---|---|---|---|", *steps, "",
            "| block | rule of the RTL | size | from | |", "|---|---|---|---|---|", *rules]


def update(path: Path, config: str, tool: str, rows: list[dict[str, Any]]) -> None:
    text = check(path)
    new = "\n".join(["<!-- results -->", *_tables(config, tool, rows), "<!-- end of results -->"])
    with whole(path) as file:
        file.write(MARKS.sub(lambda _: new, text))
