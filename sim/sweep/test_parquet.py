# SPDX-License-Identifier: Apache-2.0
"""test_parquet.py BALLAST: tables as Parquet, read by the pyarrow of build/pypi, which comes from PyPI. Run from the repository root."""
from __future__ import annotations

import json
import os

from sweep_fixture import BALLAST, Sweeps, good, grid, same

import pypi

READ = """import json, sys, pyarrow.parquet
table = pyarrow.parquet.read_table(sys.argv[1])
print(json.dumps([[str(table.schema.field(name).type), table[name].to_pylist()] for name in table.column_names]))"""
COLUMNS = {  # what is asked, and of each column its type and values
    "SELECT n, square, word FROM line ORDER BY point, line":
        [["int64", [1, 2, 3, 5]], ["int64", [1, 4, None, None]], ["string", ["w1", "w2", None, None]]],
    "SELECT y FROM line WHERE y IS NOT NULL": [["string", ["4.5", "6 %"]]],  # numbers beside words are words
    "SELECT 1 AS a UNION ALL SELECT 0.1": [["double", [1.0, 0.1]]],
    "SELECT 9223372036854775807 AS a UNION ALL SELECT 0.1": [["string", ["9223372036854775807", "0.1"]]],  # no type holds both
    "SELECT NULL AS a, 1 AS b WHERE 0": [["null", []], ["null", []]]}


def parquet(test: Sweeps) -> None:
    venv, out = pypi.environment(pypi.PYARROW).resolve(), test.work / "t.parquet"
    os.environ["PATH"] = f"{venv / 'bin'}:{os.environ['PATH']}"
    test.sweep(0, good("{from = 1, to = 2}"), grid("two"))
    test.real = BALLAST
    for sql, wanted in COLUMNS.items():
        with test.case(f"Parquet: {sql}"):
            test.query("sql", sql, "--out", out)
            test.command(0, venv / "bin/python", "-c", READ, out)
            same(json.loads(test.said), wanted)
    test.refused("query", 2, {f"sql 'SELECT 1 AS a, 2 AS a' --out {out}": "two columns have one name: a, a"}, "--store", test.store)


if __name__ == "__main__":
    Sweeps.main("", parquet)
