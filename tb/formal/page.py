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


def _tables(config: str, tool: str, rows: list[dict[str, Any]]) -> list[str]:
    steps = [f"| `{row['block']}` | {row['params']} | {row['bound']} | {row['states']} | {row['status']} | {row['seconds']} | {row['text']} |"
             for row in rows if row["proof"] == "step"]
    rules = [f"| `{row['block']}` | {row['proof']} | {row['bound']} | {row['states']} | {row['status']} |"
             for row in rows if row["proof"] != "step"]
    return [f"In `{config}` ({tool}):", "",
            "| block | parameters | size | from | step | seconds | |", "|---|---|---|---|---|---|---|", *steps, "",
            "| block | rule of the RTL | size | from | |", "|---|---|---|---|---|", *rules]


def update(path: Path, config: str, tool: str, rows: list[dict[str, Any]]) -> None:
    text = check(path)
    new = "\n".join(["<!-- results -->", *_tables(config, tool, rows), "<!-- end of results -->"])
    with whole(path) as file:
        file.write(MARKS.sub(lambda _: new, text))
