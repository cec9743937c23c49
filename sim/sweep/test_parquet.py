# SPDX-License-Identifier: Apache-2.0
"""Tables of ballast query as Parquet, read by pyarrow: types, and what no type holds.

  python3 sim/sweep/test_parquet.py BALLAST

pyarrow is that of build/pypi (tb/flow/pypi.py), which is filled from PyPI. Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import json
import os
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
import pypi  # noqa: E402
from planted import expect  # noqa: E402
from test_query import BALLAST, TWO, Stores, good, up_to  # noqa: E402

READ = "import json, sys, pyarrow.parquet as p; t = p.read_table(sys.argv[1]); print(json.dumps([[str(t.schema.field(n).type), t[n].to_pylist()] for n in t.column_names]))"
COLUMNS = {
    "numbers, words, and what a line does not have": (
        "SELECT n, square, word FROM line ORDER BY point, line",
        [["int64", [1, 2, 3, 1, 3, 5]], ["int64", [1, 4, 9, None, None, None]], ["string", ["w1", "w2", "w3", None, None, None]]]),
    "numbers beside words are words": ("SELECT y FROM line WHERE y IS NOT NULL", [["string", ["4.5", "6 %"]]]),
    "whole numbers beside others": ("SELECT 1 AS a UNION ALL SELECT 0.1", [["double", [1.0, 0.1]]]),
    "numbers that no type holds together": ("SELECT 9223372036854775807 AS a UNION ALL SELECT 0.1", [["string", ["9223372036854775807", "0.1"]]]),
    "bytes beside numbers": ("SELECT 1 AS a UNION ALL SELECT x'00ff'", [["string", ["1", "b'\\x00\\xff'"]]]),
    "nothing": ("SELECT NULL AS a, 1 AS b WHERE 0", [["null", []], ["null", []]]),
}


def parquet(test: Stores) -> None:
    venv, out = pypi.environment(pypi.PYARROW).resolve(), test.work / "t.parquet"
    os.environ["PATH"] = f"{venv / 'bin'}:{os.environ['PATH']}"
    test.sweep(0, good(up_to(3)), TWO)
    test.real = BALLAST
    for name, (sql, wanted) in COLUMNS.items():
        with test.case(f"Parquet: {name}"):
            test.query("sql", sql, "--out", out)
            test.command(0, venv / "bin/python", "-c", READ, out)
            expect(json.loads(test.said) == wanted, test.said)
    before = out.read_bytes()
    test.refused("query", {
        "two columns of one name": (["sql", "SELECT 1 AS a, 2 AS a", "--out", out], 2, "two columns are called 'a'"),
        "a place for Parquet that cannot be written": (["table", "--out", test.file / "x.parquet"], 3, "Not a directory|File exists")}, "--store", test.store)
    with test.case("Parquet: the file of before stays"):
        expect(out.read_bytes() == before, "it does not")


if __name__ == "__main__":
    Stores.main("", parquet)
