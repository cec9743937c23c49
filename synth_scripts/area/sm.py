# SPDX-License-Identifier: Apache-2.0
"""What the blocks are beside the SM and the chip that they sit in.

The storage of the SM of a configuration: the vendor's numbers of a generation, registers of 32 bits and the KiB that L1 and
shared memory divide. Tags, instruction caches, texture caches and queues are not counted.
"""
from __future__ import annotations

from collections import Counter

from blocks import Part, blocks, configuration
from cells import Library
from measure import Row
from output import fixed

STORAGE = {  # configuration: registers, KiB of L1 and shared memory
    "fermi": (32768, 64),    # GF100, compute capability 2.0
    "kepler": (65536, 64),   # GK110, compute capability 3.5
    "volta": (65536, 128),   # GV100, compute capability 7.0
    "hopper": (65536, 256),  # GH100, compute capability 9.0
}
COLUMNS = ["config", "sms", "flip_flops", "ge", "fo4", "block", "kind", "start", "end"]  # of chips.csv
LIMIT = 1  # percent: all policies together are less of the SM's storage bits, each counted as a flip-flop of the same library


def governors() -> Part | None:
    """What a chip has once per SM and is made of parts itself: the account of an SM's resources is not."""
    return next((part for block in blocks().values() for part in block.parts if part.array and blocks()[part.block].parts), None)


def _is_governor(row: Row) -> bool:
    part = governors()
    return part is not None and row["block"] == part.block


def _bits(config: str) -> int:
    registers, kib = STORAGE[config]
    return registers * 32 + kib * 1024 * 8


def percent_of_sm(row: Row, library: Library) -> float:
    return row["ge"] * library.nand2.area / (_bits(row["config"]) * library.flip_flop.area) * 100


def beside_sm(rows: list[Row], library: Library) -> list[str]:
    """The governor beside the register file, L1 and shared memory: a paragraph, if it was measured."""
    lines = []
    for row in rows:
        config = row["config"]
        if not _is_governor(row):
            continue
        if config not in STORAGE:
            lines.append(f"  {config}: synth_scripts/area/sm.py does not know this configuration's SM: no comparison")
            continue
        bits = _bits(config)
        as_sram = row["ge"] / (bits * 1.5) * 100
        lines.append(f"  {config:<7} {row['flip_flops']:>5} of {bits:>8} bits: {fixed(row['flip_flops'] / bits * 100, 3)} %; "
                     f"area {fixed(percent_of_sm(row, library), 3)} % of these bits as flip-flops, "
                     f"{fixed(as_sram, 2)} % as 6T cells")
    head = "The governor beside the register file, L1 and shared memory of its SM (assumptions: doc/use/area.md):"
    return ["", head, *lines] if lines else []


def too_large(rows: list[Row], library: Library) -> list[str]:
    return [f"{row['block']} ({row['config']}) is {percent_of_sm(row, library):.15g} % of its SM's storage as flip-flops, "
            f"the bar is below {LIMIT} %"
            for row in rows if _is_governor(row) and row["config"] in STORAGE and percent_of_sm(row, library) >= LIMIT]


def _count(sms: int) -> Counter[str]:
    """How many of each block make up a chip with so many SMs."""
    array = governors()
    if array is None:
        return Counter()
    chip = next(block for block in blocks().values() if array in block.parts)
    return Counter(part.block for part in chip.parts if not part.array) + Counter({array.block: sms})


def chips(rows: list[Row]) -> list[Row]:
    """A chip put together of its parts, in each configuration in which all of them were measured; the block with the longest path, and that path."""
    array, found = governors(), []
    size = {(row["config"], row["block"]): row for row in rows}
    for config in dict.fromkeys(row["config"] for row in rows) if array else ():
        sms = configuration(config)[array.count]
        count = _count(sms)
        if all((config, block) in size for block in count):
            sums = {what: sum(number * size[config, block][what] for block, number in count.items()) for what in ("flip_flops", "ge")}
            slowest = max((size[config, block] for block in count), key=lambda row: row["fo4"])
            found.append({"config": config, "sms": sms} | sums | {key: slowest.get(key, "") for key in ("fo4", "block", "kind", "start", "end")})
    return found


def whole_chip(rows: list[Row]) -> list[str]:
    """A paragraph, if all parts were measured."""
    array = governors()
    if array is None:
        return []
    words = [f"N x {array.block}"] + [
        (f"{number} x {block}" if number > 1 else block) + (" of N" if array.count in blocks()[block].parameters else "")
        for block, number in _count(0).items() if block != array.block]
    lines = [f"  {chip['config']:<7} {chip['sms']:>4} SMs: {chip['flip_flops']} flip-flops, {chip['ge']} GE; longest path {fixed(chip['fo4'], 1)} FO4, "
             f"in {chip['block']}" for chip in chips(rows)]
    return ["", f"A whole chip ({' + '.join(words)}):", *lines] if lines else []


def page(found: list[Row]) -> list[str]:
    return ["| configuration | SMs | flip-flops | GE | longest path, FO4 | in |", "|---" * 6 + "|",
            *(f"| {row['config']} | {row['sms']} | {row['flip_flops']} | {row['ge']} | {fixed(row['fo4'], 1)} | `{row['block']}` |" for row in found)]
