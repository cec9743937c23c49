# SPDX-License-Identifier: Apache-2.0
"""A table of answers, as text, CSV or Parquet."""
from __future__ import annotations

import csv
import io
from pathlib import Path

from tools import Failure, whole

Table = tuple[list[str], list[tuple[object, ...]]]  # names of its columns, rows


def text_of(value: object) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def put_csv(file: io.TextIOBase, table: Table) -> None:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(table[0])
    out.writerows(table[1])


def write_csv(path: Path, table: Table) -> None:
    with whole(path) as file:
        put_csv(file, table)


def write_parquet(path: Path, table: Table) -> None:
    try:
        import pyarrow  # type: ignore[import-not-found]
        import pyarrow.parquet  # type: ignore[import-not-found]
    except ImportError:
        raise Failure(f"{path}: Parquet needs the Python package pyarrow, which is not installed; name a file .csv") from None
    names, rows = table
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Failure(f"{path}: two columns are called '{twice}'; name one of them with AS")

    def column(values: list[object]) -> pyarrow.Array:
        """Of one type, as Parquet wants it: numbers that no type holds together are text, as are numbers beside words."""
        try:
            return pyarrow.array(values)
        except pyarrow.ArrowException:
            return pyarrow.array([None if value is None else str(value) for value in values])

    of = pyarrow.table([column([row[at] for row in rows]) for at in range(len(names))], names=names)
    with whole(path, binary=True) as file:
        pyarrow.parquet.write_table(of, file)


def write(path: Path, table: Table) -> None:
    forms = {".csv": write_csv, ".parquet": write_parquet}
    if path.suffix not in forms:
        raise Failure(f"--out {path}: its name is to end with .csv or .parquet")
    forms[path.suffix](path, table)


def print_text(table: Table) -> None:
    cells = [table[0], *([text_of(value) for value in row] for row in table[1])]
    right = [all(isinstance(row[at], int | float | None) for row in table[1]) for at in range(len(table[0]))]
    widths = [max(len(row[at]) for row in cells) for at in range(len(table[0]))]
    for row in cells:
        print("  ".join(f"{text:>{width}}" if number else f"{text:{width}}" for text, width, number in zip(row, widths, right, strict=True)).rstrip())
