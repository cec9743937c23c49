# SPDX-License-Identifier: Apache-2.0
"""How the programs here write numbers, CSV and pictures. A file is the old one or the complete new one."""
from __future__ import annotations

import math
from csv import DictWriter
from pathlib import Path
from typing import Any

import tools
from tools import Failure


def rounded(value: float, digits: int = 0) -> float:
    """Half is up, and what is whole is an int."""
    value = math.floor(value * 10**digits + 0.5) / 10**digits
    return int(value) if value == int(value) else value


def fixed(value: float, digits: int) -> str:
    return f"{rounded(value, digits):.{digits}f}"


def csv(path: Path, columns: list[str], table: list[dict[str, Any]]) -> None:
    with tools.whole(path) as file:
        rows = DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        rows.writeheader()
        rows.writerows(table)


def draw(script: str, target: Path, work: Path, data: str, **variables: Any) -> None:
    """A picture by one of the gnuplot scripts here. gnuplot says nothing of a disk that is full, so what it leaves is looked at."""
    drawn = work / "plot.svg"
    drawn.unlink(missing_ok=True)
    (work / "plot.dat").write_text(data)
    words = {"data": work / "plot.dat", "output": drawn} | variables
    text = "; ".join(f"{name}={value}" if isinstance(value, int) else f"{name}='{value}'" for name, value in words.items())
    try:
        tools.run(["gnuplot", "-e", text, Path("synth_scripts/area") / script], seconds=60)
        picture = drawn.read_text()
    except (tools.ToolFailed, OSError) as error:
        raise Failure(f"{target}: the picture cannot be drawn: {error}") from None
    if not picture.rstrip().endswith("</svg>"):
        raise Failure(f"{target}: the picture cannot be drawn: gnuplot left a part of one; is there room in {work}?")
    with tools.whole(target) as file:
        file.write(picture)
