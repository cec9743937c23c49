# SPDX-License-Identifier: Apache-2.0
"""doc/use/expectations.md: rows of its table measured again, and its other numbers against the pages and rows that they are from.

  test_short_kernels.py BALLAST
"""
from __future__ import annotations

import re
import sys
import tempfile
import unittest
from pathlib import Path

from short_kernels import KERNELS, POLICIES, Lab, rows

import pages

PAGE = Path("doc/use/expectations.md")
OTHER = Path("doc/use/gpgpusim.md")
BALLAST = sys.argv.pop()


def written() -> list[str]:
    return [line.strip() for line in pages.lines(PAGE, "short")]


def other_simulator(row: str) -> list[float]:
    """Times over those without a variable."""
    text = OTHER.read_text()
    cells = {name: [int(cell.replace(" ", "")) for cell in re.search(rf"^\| {re.escape(name)} \|(.*)\|$", text, re.M)[1].split("|")]
             for name in ("without a variable", f"`{row}`")}
    return sorted(a / b for a, b in zip(cells[f"`{row}`"], cells["without a variable"], strict=True))


def times(kernel: str, policy: str) -> list[float]:
    """Of the rows of a kernel, shortest first."""
    column = 4 + ("best", *POLICIES).index(policy)
    return [float(line.split()[column].rstrip("*")) for line in written() if line.split()[0] == kernel]


class Page(unittest.TestCase):
    def test_short_rows_are_measured_again(self) -> None:
        with tempfile.TemporaryDirectory() as work:
            for name in ("hotspot", "fma"):
                again = rows(Lab(BALLAST, Path(work), name), [1, 2])
                self.assertEqual([line for line in written() if line.split()[:1] == [name]][:2], again)

    def test_every_kernel_has_its_rows(self) -> None:
        self.assertEqual(list(dict.fromkeys(line.split()[0] for line in written()[1:])), list(KERNELS))

    def test_numbers_of_the_other_simulator(self) -> None:
        said = re.findall(r"\*\*(\S+)\*\*: ([\d., ]+) times", PAGE.read_text())
        self.assertEqual([name for name, _ in said], ["Perf-Sat", "DYNCTA", "LCS"])
        for name, numbers in said:
            self.assertEqual(numbers.split(", "), [f"{one:.2f}" for one in other_simulator(name.replace("-", "").lower())], name)

    def test_what_the_page_says_of_the_table(self) -> None:
        for kernel, policy, least, most in CLAIMS:
            found = times(kernel, policy)
            self.assertTrue(least <= min(found) and max(found) <= most, f"{kernel}, {policy}: {found}")


# Kernel, policy, and between what all its times are, as the page's words have it.
CLAIMS = [
    ("cliff", "best", 0.3, 0.4), ("cliff-lrr", "best", 0.1, 0.2),
    ("cliff", "perfsat", 0.5, 1.05), ("cliff", "dyncta", 0.95, 1.05), ("cliff-lrr", "dyncta", 0.95, 1.05), ("kmn-1", "dyncta", 0.95, 1.05),
]

if __name__ == "__main__":
    unittest.main()
