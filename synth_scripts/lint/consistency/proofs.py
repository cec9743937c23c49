# SPDX-License-Identifier: Apache-2.0
"""What is proved stands twice: in tb/formal/proved, which a proof is measured by, and in the page's table, which people read. Below the
table stands what has no row, and which rows are of sources that have changed since.
"""
from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePath

import page
import proved
from pages import TABLE

from .tree import Tree

PAGE, LISTS = "doc/verification/proofs.md", "tb/formal/proved/"
TITLE = re.compile(r"In `\w+` \(.*\), (\d+) of (\d+) proved:$")
COUNT = re.compile(r"\| `([^`]+)` \| (\d+) of (\d+) \|")
ROW = re.compile(r"\| `([^`]+)` \|")
PROVED = re.compile(r"\| proved \|")


def _told(lines: list[str]) -> tuple[Counter[str], int]:
    """How many proofs a table has of each target, and how many with those that are not proved."""
    found: Counter[str] = Counter()
    everything = 0
    for line in lines:
        if count := COUNT.match(line):
            found[count[1]] += int(count[2])
            everything += int(count[3])
        elif row := ROW.match(line):
            found[row[1]] += bool(PROVED.search(line))
            everything += 1
    return +found, everything


def _of_table(config: str, lines: list[str], listed: list[proved.Line]) -> list[str]:
    """What is wrong with the table."""
    count, (told, everything) = Counter(target for target, _ in proved.proofs(listed)), _told(lines)
    findings = [f"tells of {told[one]} proofs of {one}, {LISTS}{config} of {count[one]}"
                for one in sorted({*count, *told}) if told[one] != count[one]]
    title = TITLE.match(lines[0] if lines else "")
    if not title or (int(title[1]), int(title[2])) != (told.total(), everything):
        findings.append(f"begins otherwise than 'In `{config}` (...), {told.total()} of {everything} proved:'")
    return findings


def _below(config: str, lines: list[str], listed: list[proved.Line]) -> list[str]:
    rows = {row[1] for line in lines if (row := ROW.match(line))}
    want = page.below(config, rows, proved.changed(listed))
    return [] if [line for line in lines if line.startswith((page.MISSING, page.CHANGED))] == want else [
        f"does not end with '{' '.join(want) or 'rows'}'; 'make formal-changed' writes that"]


def differing(tree: Tree) -> list[str]:
    tables = {table["name"]: table["text"].splitlines() for table in TABLE.finditer(tree.text(PAGE))}
    findings = []
    for path in tree.files:
        if path.startswith(LISTS):
            config = PurePath(path).name
            lines, listed = tables.get(config, []), proved.lines(tree.text(path), path)
            findings += [f"{PAGE}: the table '{config}' {found}"
                         for found in (*_of_table(config, lines, listed), *_below(config, lines, listed))]
    return findings
