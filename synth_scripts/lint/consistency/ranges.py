# SPDX-License-Identifier: Apache-2.0
"""What is assumed of inputs is what the page asks for: the ranges of a block's port list (BLOCK_RANGES) are those of its page's
table of ports.

In: a Tree. Out: findings, one line each.
"""
from __future__ import annotations

import re

from .sources import Page, Ports, range_of
from .tree import Tree


def _rows(page: Page) -> dict[str, str]:
    """The meaning of each input that a row of a table names."""
    return {name: meaning for names, meaning in re.findall(r"^\|((?: *`\w+_i`,?(?: \.\.)?)+) *\|[^|]*\|(.*)\|$", page.text, flags=re.M)
            for name in re.findall(r"`(\w+)`", names)}


def _differing(ports: Ports, page: Page) -> list[str]:
    found, rows = [], _rows(page)
    ranges = {f"{name}_i": (most, when) for name, most, when in ports.ranges()}
    params = {f"cfg->{field}": name for name, field in ports.fields().items()}
    for name, (most, when) in ranges.items():
        wanted, row = f"0..{params.get(most, most)}", rows.get(name, "")
        if range_of(row) != wanted.lower():
            found.append(f"{page.path}: the range of {name} is {range_of(row)}, in {ports.path} {wanted}")
        said = set(re.findall(r"`(\w+)`", row.partition("read only with")[2].partition(".")[0]))
        read = {f"{word}_i" for word in re.findall(r"\bin->(\w+)", when)}
        if said != read:
            found.append(f"{page.path}: {name} is read with {' '.join(sorted(said)) or 'anything'}, "
                         f"in {ports.path} with {' '.join(sorted(read)) or 'anything'}")
    return found + [f"{ports.path}: lacks the range {range_of(row)} of {name} that {page.path} names" for name, row in rows.items()
                    if range_of(row) and name not in ranges]


def differing(tree: Tree) -> list[str]:
    """Ranges of inputs that are not the same in the port list and on the page."""
    return [finding for block in tree.blocks if tree.has(f"tb/blocks/{block}/ports.h")
            for finding in _differing(Ports(tree, block), Page(tree, block))]
