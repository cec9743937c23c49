# SPDX-License-Identifier: Apache-2.0
"""What a proof is about: a sum over the sources of a block (tb/flow/sources.py). What proves is not in the sum, nor are headers for all
blocks; those are looked at by tests. What was measured of a block with its tests, as mutation and coverage are, is about its whole room; a
replay of all blocks is about the sources of all.
"""
from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import sources as files
from blocks import Block, blocks

MODELS, ROOMS = Path("cmodel"), Path("tb")
HEADERS = ("ports.h", "invariant.h", "properties.h", "passed.h", "history.h")
FED = ("bind.h", "decisions.h")
TESTED = (".c", ".h", ".sv", ".exclude", "")
OF_PARTS = ("ports.h", "invariant.h")  # a part's own rules are not asked of the block around it
INCLUDE = re.compile(r'^#include "([\w/.]+)"', re.M)


def _included(file: Path, rooms: Path) -> list[Path]:
    """Of the models and of blocks."""
    names = INCLUDE.findall(file.read_text())
    found = [MODELS / name for name in names] + [rooms / name for name in names if name.startswith("blocks/")]
    return [path for path in [*found, *(file.parent / name for name in names)] if path.is_file()]


def _with_models(files: Iterable[Path], rooms: Path) -> set[Path]:
    """These files, what they include, and the model of each header."""
    waiting, seen = list(files), set[Path]()
    while waiting:
        file = waiting.pop()
        if file in seen or not file.is_file():
            continue
        seen.add(file)
        waiting += [*_included(file, rooms), *([file.with_suffix(".c")] if file.is_relative_to(MODELS) else [])]
    return seen


def sources(of: Block, rooms: Path = ROOMS) -> list[Path]:
    """RTL, model, and what verification says of the block and of the blocks inside it."""
    headers = [(of.name, name) for name in HEADERS] + [(rtl.stem, name) for rtl in of.sources[1:] for name in OF_PARTS]
    room = _with_models((rooms / "blocks" / one / name for one, name in headers), rooms)
    return sorted({*of.sources, *files.packages(of.sources), *room})


def _sum(found: Iterable[Path], rooms: Path) -> str:
    return files.digest({str(ROOMS / file.relative_to(rooms) if file.is_relative_to(rooms) else file): file for file in found})


def measured(of: Block) -> list[Path]:
    """The sources, and what the block's room has besides: its tests, its points of coverage."""
    return sorted({*sources(of), *(file for file in of.room.iterdir() if file.suffix in TESTED and file.is_file())})


def digest_measured(of: Block) -> str:
    return _sum(measured(of), ROOMS)


def digest_replayed() -> str:
    """Of all blocks: RTL, models, ports, and what they are fed with."""
    fed = (one.room / name for one in blocks().values() for name in FED)
    return _sum({*(file for one in blocks().values() for file in sources(one)), *(file for file in fed if file.is_file())}, ROOMS)


@lru_cache
def digest(of: Block, rooms: Path = ROOMS) -> str:
    return _sum(sources(of, rooms), rooms)
