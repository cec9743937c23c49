# SPDX-License-Identifier: Apache-2.0
"""What was proved once, a file per configuration: tb/formal/proved. It has a line "TARGET<tab>PROOF" for each proof, and one
"TARGET<tab>of BLOCK SUM" for what was proved together: the sources then (subject.py). A proof that is lost, because it is open now, or
because nobody asks for it any more, shows there, and so does one of sources that have changed since.
"""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import subject
from blocks import blocks
from prover import PROVED
from tools import Failure, whole

OF = re.compile(r"of (\w+) ([0-9a-f]{12})")
Row = dict[str, Any]
Line = tuple[str, str]


def lines(text: str, path: str | Path) -> list[Line]:
    found = [(target, proof) for target, _, proof in (line.partition("\t") for line in text.splitlines())]
    if not found or not text.endswith("\n") or not all(target and proof for target, proof in found):
        raise Failure(f"{path} is damaged: no lines TARGET<tab>PROOF; git has it")
    return found


def read(path: Path) -> list[Line]:
    """Nothing of a configuration of which nothing was proved yet: there is no file."""
    return lines(path.read_text(), path) if path.is_file() else []


def proofs(found: list[Line]) -> list[Line]:
    """Without what they are of."""
    return [line for line in found if not OF.fullmatch(line[1])]


def _proved(rows: list[Row]) -> list[Line]:
    return [(row["block"], row["proof"]) for row in rows if row["status"] == PROVED]


def lost(before: list[Line], rows: list[Row]) -> list[str]:
    """Of the targets in `rows`, what was proved `before`."""
    asked, now = {row["block"] for row in rows}, set(_proved(rows))
    return [f"{target} {proof}" for target, proof in proofs(before) if target in asked and (target, proof) not in now]


def record(path: Path, rows: list[Row], rooms: Path = subject.ROOMS) -> None:
    """The targets in `rows` anew, the others as they were."""
    asked = {row["block"]: row["of"] for row in rows}
    kept = [line for line in read(path) if line[0] not in asked]
    now = _proved(rows)
    of = [(target, f"of {asked[target]} {subject.digest(blocks()[asked[target]], rooms)}") for target in {target for target, _ in now}]
    with whole(path) as file:
        file.writelines(f"{target}\t{proof}\n" for target, proof in sorted({*kept, *now, *of}))


def changed(found: list[Line]) -> list[str]:
    """The targets whose sources are not those that were proved, or of which nothing is known."""
    known = {target: of for target, proof in found if (of := OF.fullmatch(proof))}
    return sorted({target for target, _ in found if target not in known or not _same(known[target])})


def _same(of: re.Match[str]) -> bool:
    return of[1] in blocks() and subject.digest(blocks()[of[1]]) == of[2]
