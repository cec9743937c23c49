# SPDX-License-Identifier: Apache-2.0
"""What is made from the lists of registers is what they say: RTL package, header for drivers, SystemRDL, the table of the page.

In: a Tree. Out: findings, one line each.
"""
from __future__ import annotations

import sys
from pathlib import Path

from .tree import Tree

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "registers"))

import registers  # noqa: E402


def stale(tree: Tree) -> list[str]:
    """Files that a list would make otherwise, or that no list makes."""
    lists = tree.matching(registers.LISTS)
    blocks = {Path(path).stem for path in lists}
    made = {path: path.rpartition("/")[2].removesuffix(end) for end in ("_map.h", ".rdl") for path in tree.matching(f"rtl/registers/*{end}")}
    return registers.differing(lists, tree.text) + [f"{path}: there is no rtl/registers/{block}.csv" for path, block in made.items()
                                                    if block not in blocks]
