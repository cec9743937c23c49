# SPDX-License-Identifier: Apache-2.0
"""What a block saw and held in every cycle of a run, from the waveform that the lockstep engine leaves (doc/use/waveforms.md).

A bit over time is a stream: an integer whose bit t is the value in cycle t. So one operation of Python works on all cycles. Errors:
tools.Failure.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import tools
from tools import Failure

Streams = dict[str, list[int]]  # the bits of a signal, lowest first


@dataclass
class _Signal:
    name: str
    value: int = 0
    changes: list[list[int]] = field(default_factory=list)  # of each bit the cycles in which it is another than before; it begins at 0

    def set(self, value: int, cycle: int) -> None:
        moved = value ^ self.value
        self.value = value
        while moved:
            lowest = moved & -moved
            self.changes[lowest.bit_length() - 1].append(cycle)
            moved ^= lowest


def stream(changes: Iterable[int], cycles: int) -> int:
    """A bit that is 0 before cycle 0 and changes in these cycles."""
    marks = bytearray(cycles // 8 + 1)
    for cycle in changes:
        if cycle < cycles:
            marks[cycle >> 3] ^= 1 << (cycle & 7)
    found, shift = int.from_bytes(marks, "little"), 1
    while shift < cycles:
        found ^= found << shift
        shift *= 2
    return found & ((1 << cycles) - 1)


def _declared(lines: Iterable[str], top: str) -> dict[str, _Signal]:
    """The signals of block `top` by their short names: in.NAME, rtl.NAME, rtl.PART.NAME."""
    scopes: list[str] = []
    found = {}
    for line in lines:
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"] and words[1] in ("wire", "reg") and scopes[1:2] == [top] and scopes[2:3] in (["in"], ["rtl"]):
            found[words[3]] = _Signal(".".join([*scopes[2:], words[4]]), 0, [[] for _ in range(int(words[2]))])
        elif words[:1] == ["$enddefinitions"]:
            return found
    raise ValueError


def _follow(lines: Iterable[str], signals: dict[str, _Signal]) -> int:
    """All values; returns the time at which the dump ends."""
    cycle = 0
    for line in lines:
        if line[0] == "#":
            cycle = int(line[1:])
        elif line[0] == "b":
            value, name = line[1:].split()
            if name in signals:
                signals[name].set(int(value, 2), cycle)
        elif line[0] not in "$s" and line[1:].strip() in signals:
            signals[line[1:].strip()].set(int(line[0], 2), cycle)
    return cycle


def parsed(path: Path, top: str, cycles: int) -> Streams:
    """Of a VCD. It has to hold all cycles, and every bit has to be 0 or 1."""
    try:
        with open(path, encoding="utf-8") as file:
            signals = _declared(file, top)
            end = _follow(file, signals)
    except (ValueError, IndexError):
        raise Failure(f"{path}: no waveform of {top}, or one with undefined bits") from None
    if not signals or end != cycles:
        raise Failure(f"{path}: the waveform of {top} has {end} cycles, the run {cycles}")
    return {one.name: [stream(changes, cycles) for changes in one.changes] for one in signals.values()}


def read(fst: Path, top: str, cycles: int) -> Streams:
    vcd = fst.with_suffix(".vcd")
    try:
        tools.run(["fst2vcd", "-f", fst, "-o", vcd], seconds=600, leaves=[vcd])
        return parsed(vcd, top, cycles)
    finally:
        vcd.unlink(missing_ok=True)
