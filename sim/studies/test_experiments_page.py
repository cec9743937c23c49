# SPDX-License-Identifier: Apache-2.0
"""Which tables of an experiment go into its page, and which stay there."""
from __future__ import annotations

import unittest

from experiments_page import merged, shown, tables

WRITTEN = """A on fermi: kernels

  kernel  Nmax
  one        6

A: the paper's numbers

  what   paper
  speed  +1 %

B: the paper's numbers

  what   paper
  speed  +2 %

"""


class Page(unittest.TestCase):
    def test_only_the_papers_numbers(self) -> None:
        found = tables(WRITTEN.splitlines())
        self.assertEqual(list(found), ["A: the paper's numbers", "B: the paper's numbers"])
        self.assertEqual(found["B: the paper's numbers"], ["  what   paper", "  speed  +2 %"])

    def test_written_tables_are_read_back(self) -> None:
        found = {title: [f"    {row}" for row in rows] for title, rows in tables(WRITTEN.splitlines()).items()}
        self.assertEqual(tables(shown(found)), found)

    def test_the_others_stay_in_their_places(self) -> None:
        old = {"A": ["1"], "B": ["2"]}
        self.assertEqual(list(merged(old, {"C": ["3"], "A": ["4"]}).items()), [("A", ["4"]), ("B", ["2"]), ("C", ["3"])])


if __name__ == "__main__":
    unittest.main()
