#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_consistency.py [CHECK...]: what stands in several places is the same in all of them. Without a CHECK all of CHECKS below.

In: the repository, from its root. Out: findings on standard error, one line each; what is allowed to name a block, with counts.
Exit 0 nothing found, 1 findings, 2 usage.
"""
from __future__ import annotations

import sys
from pathlib import Path

TB = Path(__file__).resolve().parents[2] / "tb"
sys.path[:0] = [str(Path(__file__).resolve().parent), str(TB / "flow"), str(TB / "formal")]

from consistency import names, parameters, proofs, ranges, registers, rooms, text  # noqa: E402
from consistency.tree import Tree  # noqa: E402
from tools import program  # noqa: E402

ME = "check_consistency.py"
CHECKS = {
    "missing": names.missing,  # files that a block needs
    "unwritten": names.unwritten,  # what the skeleton of a new block leaves to its author
    "orphans": names.orphans,  # files of a block that is not there
    "unplayable": names.unplayable,  # replays of flows that the recordings' geometry forbids
    "names": names.differing,  # ports, registers, parameters, parts: RTL, port list, page
    "parameters": parameters.different,  # defaults, ranges and the way down to a part: RTL, model, port list, page
    "widths": parameters.widths,  # of ports and registers: RTL, port list
    "ranges": ranges.differing,  # of inputs: port list, page
    "links": text.broken_links,  # in pages
    "paths": text.lost_paths,  # in pages and comments
    "tables": text.changed_tables,  # that commands write into pages
    "proofs": proofs.differing,  # what is proved: list that proofs are measured by, page
    "registers": registers.stale,  # what is made from the lists of registers
    "rooms": rooms.crossing,  # includes that go against the arrows
    "blocks": rooms.lists_of_blocks,  # files outside the blocks that name one
    "licences": text.unlicensed,
    "programs": text.programs,  # what has an interpreter's line can be run by its name
    "verilated": text.verilated,  # models of Verilator are made with the same arguments
}


def main(chosen: list[str]) -> int:
    root = Path(".")
    if not (root / "rtl").is_dir() or not (root / "cmodel").is_dir():
        print(f"{ME}: no rtl and cmodel here; run it from the repository root", file=sys.stderr)
        return 2
    for name in chosen:
        if name not in CHECKS:
            print(f"{ME}: no check '{name}'; there are: {' '.join(CHECKS)}", file=sys.stderr)
            return 2
    tree = Tree(root)
    findings = [finding for name, check in CHECKS.items() if not chosen or name in chosen for finding in check(tree)]
    for finding in findings:
        print(f"{ME}: {finding}", file=sys.stderr)
    if findings:
        return 1
    print(f"consistency: {len(tree.blocks)} blocks complete; outside the blocks, these may name one:")
    print("\n".join(rooms.allowed(tree)))
    return 0


if __name__ == "__main__":
    program(lambda: main(sys.argv[1:]))
