# SPDX-License-Identifier: Apache-2.0
"""The line of a kernel that ran with all its CTAs and with less."""
from __future__ import annotations

import unittest

from left_out_page import Run, row
from tools import Failure


def run_of(policy: int, cycles: int, left_out: int = 0, finished: int = 1, instructions: int = 800) -> Run:
    return {"policy": str(policy), "cycles": str(cycles), "left_out": str(left_out), "finished": str(finished), "instructions": str(instructions), "ctas": "8"}


class Row(unittest.TestCase):
    def test_the_largest_difference(self) -> None:
        whole = [run_of(0, 500, finished=0), run_of(0, 1000), run_of(2, 2000), run_of(4, 1000)]
        less = [run_of(0, 500, finished=0), run_of(0, 1010, 810), run_of(2, 1900, 1100), run_of(4, 1000)]
        self.assertEqual(row("lcs/BP", "lcs", whole, less).split(), ["BP", "lcs", "3", "50", "%", "2.00", "%", "-5.00", "%", "LCS", "2000", "1900"])

    def test_other_work_is_refused(self) -> None:
        for less in ([run_of(0, 1000, instructions=801)], [run_of(1, 1000)], [run_of(0, 1000), run_of(0, 1000)]):
            with self.assertRaises(Failure):
                row("lcs/BP", "lcs", [run_of(0, 1000)], less)
        with self.assertRaises(Failure):
            row("lcs/BP", "lcs", [run_of(0, 1000, left_out=1)], [run_of(0, 1000)])


if __name__ == "__main__":
    unittest.main()
