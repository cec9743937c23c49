# SPDX-License-Identifier: Apache-2.0
"""What a policy costs alone: the blocks of an SM that it takes. A line 'area TARGET policies=POLICY:BLOCK+BLOCK,...' in tb/blocks/X/targets says which."""
from __future__ import annotations

from typing import Any

from blocks import Block, blocks, targets
from measure import Row
from output import fixed
from tools import Failure

COLUMNS = ["config", "policy", "blocks", "flip_flops", "ge", "fo4", "slowest"]


def parsed(text: str, where: object) -> dict[str, list[str]]:
    """POLICY:BLOCK+BLOCK,..."""
    found = {}
    for one in text.split(","):
        policy, colon, names = one.partition(":")
        if not policy or not colon or any(name not in blocks() for name in names.split("+")):
            raise Failure(f"{where}/targets: policies is not POLICY:BLOCK+BLOCK,...: '{one}'")
        found[policy] = names.split("+")
    return found


def _of(one: Block, config: str) -> dict[str, list[str]]:
    return {policy: names for target in targets("area", one, config) if "policies" in target.options
            for policy, names in parsed(target.options["policies"], one.room).items()}


def all_of(config: str) -> dict[str, list[str]]:
    return {policy: names for one in blocks().values() for policy, names in _of(one, config).items()}


def together(names: list[str], rows: dict[str, Row]) -> dict[str, Any] | None:
    """Blocks side by side: sums, and the longest path of any. None if one was not measured."""
    if any(name not in rows for name in names):
        return None
    slowest = max(names, key=lambda name: rows[name]["fo4"])
    return {"blocks": " ".join(names), "flip_flops": sum(rows[name]["flip_flops"] for name in names), "ge": sum(rows[name]["ge"] for name in names),
            "fo4": rows[slowest]["fo4"], "slowest": slowest}


def costs(rows: list[Row]) -> list[Row]:
    """A row per configuration and policy whose blocks were all measured."""
    found = []
    for config in dict.fromkeys(row["config"] for row in rows):
        by_block = {row["block"]: row for row in rows if row["config"] == config}
        for policy, names in all_of(config).items():
            if one := together(names, by_block):
                found.append({"config": config, "policy": policy} | one)
    return found


def lines(found: list[Row]) -> list[str]:
    head = ["", "A policy alone, per SM:"] if found else []
    return head + [f"  {row['config']:<7} {row['policy']:<10} {row['flip_flops']:>5} flip-flops, {row['ge']:>6} GE, {fixed(row['fo4'], 1):>5} FO4 "
                   f"({row['slowest']})  {row['blocks']}" for row in found]


def page(found: list[Row]) -> list[str]:
    """Flip-flops, GE, FO4 of each configuration, a row per policy."""
    configs = list(dict.fromkeys(row["config"] for row in found))
    cells = {(row["policy"], row["config"]): f"{row['flip_flops']}, {row['ge']}, {fixed(row['fo4'], 1)}" for row in found}
    return [f"| policy | blocks | {' | '.join(configs)} |", "|---" * (len(configs) + 2) + "|",
            *(f"| {policy} | {', '.join(f'`{name}`' for name in names.split())} | {' | '.join(cells.get((policy, config), '-') for config in configs)} |"
              for policy, names in dict.fromkeys((row["policy"], row["blocks"]) for row in found))]
