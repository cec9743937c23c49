# SPDX-License-Identifier: Apache-2.0
"""What was proved once, a file per configuration with a line "BLOCK<tab>PROOF" for each: tb/formal/proved. A proof that is lost,
because it is open now, or because nobody asks for it any more, shows there.
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

from prover import PROVED
from tools import Failure, whole

Row = dict[str, Any]


def _read(path: Path) -> list[tuple[str, str]]:
    """Nothing of a configuration of which nothing was proved yet: there is no file."""
    if not path.is_file():
        return []
    text = path.read_text()
    found = [(block, proof) for block, _, proof in (line.partition("\t") for line in text.splitlines())]
    if not found or not text.endswith("\n") or not all(block and proof for block, proof in found):
        raise Failure(f"{path} is damaged: no lines BLOCK<tab>PROOF; git has it")
    return found


def _proved(rows: list[Row]) -> list[tuple[str, str]]:
    return [(row["block"], row["proof"]) for row in rows if row["status"] == PROVED]


def lost(path: Path, rows: list[Row]) -> list[str]:
    """Of the blocks in `rows`."""
    asked, now = {row["block"] for row in rows}, set(_proved(rows))
    return [f"{block} {proof}" for block, proof in _read(path) if block in asked and (block, proof) not in now]


def record(path: Path, rows: list[Row]) -> None:
    """The blocks in `rows` anew, the others as they were."""
    asked = {row["block"] for row in rows}
    kept = [line for line in _read(path) if line[0] not in asked]
    with whole(path) as file:
        file.writelines(f"{block}\t{proof}\n" for block, proof in sorted({*kept, *_proved(rows)}))
