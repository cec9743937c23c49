# SPDX-License-Identifier: Apache-2.0
"""A store as a Parquet file: what pyarrow reads from it is what is in the store, with its types.

  python3 sim/sweep/test_parquet.py BALLAST

pyarrow is that of build/pypi (tb/flow/pypi.py), which is filled from PyPI; without it this test is not run. Run from the repository root; ends with
'N passed, N failed'.
"""
from __future__ import annotations

import json
import os
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
import pypi  # noqa: E402
from planted import expect  # noqa: E402
from test_sweep import GRID, Sweeps, numbers  # noqa: E402

READ = "import json, sys, pyarrow.parquet as p; t = p.read_table(sys.argv[1]); print(json.dumps([[str(t.schema.field(n).type), t[n].to_pylist()] for n in t.column_names]))"


class Parquet(Sweeps):
    def wrote(self, sql: str) -> list[tuple[str, list[object]]]:
        """The columns of the file: type and values."""
        self.command(0, self.real, "query", "--store", self.store, "--out", self.work / "t.parquet", "sql", sql, env=self.env)
        self.command(0, self.venv / "bin/python", "-c", READ, self.work / "t.parquet")
        return [tuple(column) for column in json.loads(self.said)]


def columns(test: Parquet) -> None:
    test.study(GRID.format('["good", "{n}"]') + numbers(3) + GRID.format('["two"]'))
    test.sweep(0)
    cases = {
        "numbers, words, and what a line does not have": ("SELECT n, square, word FROM line ORDER BY point, line",
                                                          [("int64", [1, 2, 3, 1, 3, 5]), ("int64", [1, 4, 9, None, None, None]), ("string", ["w1", "w2", "w3", None, None, None])]),
        "numbers beside words are words": ("SELECT y FROM line WHERE y IS NOT NULL", [("string", ["4.5", "6 %"])]),
        "whole numbers beside others": ("SELECT 1 AS a UNION ALL SELECT 0.1", [("double", [1.0, 0.1])]),
        "numbers that no type holds together": ("SELECT 9223372036854775807 AS a UNION ALL SELECT 0.1", [("string", ["9223372036854775807", "0.1"])]),
        "bytes beside numbers": ("SELECT 1 AS a UNION ALL SELECT x'00ff'", [("string", ["1", "b'\\x00\\xff'"])]),
        "nothing": ("SELECT NULL AS a, 1 AS b WHERE 0", [("null", []), ("null", [])]),
    }
    for name, (sql, wanted) in cases.items():
        with test.case(f"Parquet: {name}"):
            found = test.wrote(sql)
            expect(found == wanted, f"{found}")
    with test.case("Parquet: two columns of one name: one line, and the file of before stays"):
        before = (test.work / "t.parquet").read_bytes()
        test.command(2, test.real, "query", "--store", test.store, "--out", test.work / "t.parquet", "sql", "SELECT 1 AS a, 2 AS a", env=test.env)
        test.one_line("two columns are called 'a'")
        expect((test.work / "t.parquet").read_bytes() == before, "it does not stay")
    with test.case("Parquet: a place that cannot be written: one line"):
        test.command(3, test.real, "query", "--store", test.store, "--out", test.work / "t.toml/x.parquet", "table", env=test.env)
        test.one_line("Not a directory|File exists")


def main() -> int:
    with Parquet("", "") as test:
        test.real, test.venv = str(Path(sys.argv[1]).resolve()), pypi.environment(pypi.PYARROW).resolve()
        test.env = {"PATH": f"{test.venv / 'bin'}:{os.environ['PATH']}"}
        columns(test)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
