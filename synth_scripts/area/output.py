# SPDX-License-Identifier: Apache-2.0
"""How the programs here write numbers, CSV and pictures. A file is the old one or the complete new one."""
from __future__ import annotations

import math
import os
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
    """A picture by one of the gnuplot scripts here."""
    (work / "plot.dat").write_text(data)
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    words = {"data": work / "plot.dat", "output": beside} | variables
    text = "; ".join(f"{name}={value}" if isinstance(value, int) else f"{name}='{value}'" for name, value in words.items())
    try:
        tools.run(["gnuplot", "-e", text, Path("synth_scripts/area") / script], seconds=60)
        beside.replace(target)
    except (tools.ToolFailed, OSError) as error:
        raise Failure(f"the picture cannot be drawn: {error}") from None
    finally:
        beside.unlink(missing_ok=True)
