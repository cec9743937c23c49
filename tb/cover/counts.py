# SPDX-License-Identifier: Apache-2.0
"""What has been counted, block by block: every line and branch of the RTL, every bit of its signals, every point of the block's
cover file, each with what the recordings alone and what the whole suite gave.

Inputs: the folders of Verilator's counts (*.dat) and the shim's toggles (*.toggles), the sources, and tb/blocks/X/cover.exclude
(of a cell of rtl/common CELL_cover.exclude in tb/cover), which names what cannot be reached, a line each:

  functional NAME -- reason
  line KIND TEXT -- reason              KIND: if, else, elsif, block, case; TEXT: part of the source line
  toggle SIGNAL -- reason               all its bits
  toggle SIGNAL[HIGH:LOW] -- reason

Damaged counts and an exclusion of something that is hit or does not exist are a Failure, status 3.
"""
from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tools import Failure

KINDS = ("line", "toggle", "functional")
RECORDINGS, WHOLE = SUITES = (0, 1)
SUITE_NAMES = ("recordings", "whole")


def bad(text: str) -> Failure:
    return Failure(text, 3)


@dataclass(frozen=True)
class Figure:
    hit: int
    total: int  # without the excluded ones
    excluded: int

    @property
    def percent(self) -> float:
        """Rounded down to a tenth, so that 100.0 is all."""
        return self.hit * 1000 // self.total / 10


@dataclass
class Exclusion:
    rule: str
    reason: str
    line: int
    points: int = 0  # that it excludes


@dataclass
class Point:
    """A line or branch ('if', 'else', 'block' ...), or a functional point."""

    kind: str
    name: str
    line: int
    column: int
    lines: str = ""  # further lines that are executed with it: "12-14,16"
    hits: list[int] = field(default_factory=lambda: [0, 0])
    excluded: Exclusion | None = None

    def is_hole(self, suite: int = WHOLE) -> bool:
        return self.excluded is None and self.hits[suite] == 0


@dataclass
class Signal:
    """The bits of a signal in all variants of the block in which it is as wide; elsewhere the same number may be another field.
    Sets of bits are numbers."""

    name: str
    width: int
    line: int = 0
    base: bool = False  # the block has it as the configuration sets it, not only in a variant
    risen: list[int] = field(default_factory=lambda: [0, 0])
    fallen: list[int] = field(default_factory=lambda: [0, 0])
    excluded: int = 0

    def hit(self, suite: int) -> int:
        return self.risen[suite] & self.fallen[suite]

    def holes(self, suite: int) -> str:
        """The bits that have not risen and fallen: "0 31:9"."""
        missing = ~(self.hit(suite) | self.excluded)
        text = "".join("1" if missing >> bit & 1 else "0" for bit in range(self.width))
        ranges = [(run.end() - 1, run.start()) for run in re.finditer("1+", text)]
        return " ".join(f"{high}:{low}" if high > low else f"{low}" for high, low in ranges)


class Source:
    """A SystemVerilog file that points stand in."""

    def __init__(self, path: Path):
        self.path = path
        self.text = path.read_text().splitlines() if path.is_file() else []
        self.hardware = set()  # lines that are not for assertions only
        checks = False
        for number, line in enumerate(self.text, 1):
            checks = checks or line.startswith("`ifdef VERILATOR")
            if not checks:
                self.hardware.add(number)
            checks = checks and not line.startswith("`endif")

    def statement(self, line: int) -> str:
        """'if (x) ...' of the line, without indentation and comment."""
        return self.text[line - 1].partition("//")[0].strip(" ") if 0 < line <= len(self.text) else ""

    def declared(self, signal: str) -> int:
        """The first line of the hardware with the name of 'gen_period.high' or 'inst_q[3]'; 0: none."""
        word = re.compile(r"(?<![\w$])" + re.escape(signal.rpartition(".")[2].partition("[")[0]) + r"(?![\w$])")
        found = (line for line in sorted(self.hardware) if word.search(self.text[line - 1].partition("//")[0]))
        return next(found, 0)

    def meaning(self, line: int) -> str:
        """The comment behind the line, or the last one above it that has a line of its own."""
        for number in range(min(line, len(self.text)), 0, -1):
            before, mark, comment = self.text[number - 1].partition("//")
            if mark and (number == line or not before.strip(" ")):
                return comment.lstrip(" ")
        return ""


class Covered:
    """A block, or a cell of rtl/common."""

    def __init__(self, name: str):
        self.name = name
        self.points: dict[tuple, Point] = {}
        self.signals: dict[tuple, Signal] = {}
        self.exclusions: list[Exclusion] = []
        self.excluded_in = Path("tb/blocks") / name / "cover.exclude"

    def point(self, kind: str, name: str, line: int, column: int) -> Point:
        return self.points.setdefault((kind, name, line, column), Point(kind, name, line, column))

    def signal(self, name: str, width: int) -> Signal:
        return self.signals.setdefault((name, width), Signal(name, width))

    def of_kind(self, kind: str) -> list[Point]:
        return [point for point in self.points.values() if point.kind == kind]

    def holes(self) -> list[Point]:
        return [point for point in self.points.values() if point.is_hole()]

    def file_of(self, point: Point | Signal) -> Path:
        return self.cover.path if isinstance(point, Point) and point.kind == "functional" else self.rtl.path

    def what(self, point: Point) -> str:
        return self.cover.meaning(point.line) if point.kind == "functional" else self.rtl.statement(point.line)

    def figure(self, kind: str, suite: int) -> Figure:
        if kind == "toggle":
            excluded = sum(signal.excluded.bit_count() for signal in self.signals.values())
            hit = sum((signal.hit(suite) & ~signal.excluded).bit_count() for signal in self.signals.values())
            return Figure(hit, sum(signal.width for signal in self.signals.values()) - excluded, excluded)
        counted = [point for point in self.of_kind(kind) if point.excluded is None]
        return Figure(sum(point.hits[suite] > 0 for point in counted), len(counted), len(self.of_kind(kind)) - len(counted))

    def finish(self) -> None:
        """After all is read: sources, what is no hardware, the order."""
        rtl = next(iter(sorted(Path("rtl").glob(f"*/{self.name}.sv"))), None)
        if rtl is None:
            raise bad(f"{self.name}: there is no rtl/*/{self.name}.sv; run it from the repository root")
        self.rtl = Source(rtl)
        self.cover = Source(Path("tb/blocks") / self.name / "cover.sv")
        for signal in self.signals.values():
            signal.line = self.rtl.declared(signal.name)
        # A signal that only variants have counts as they have it, another one as the configuration sets it.
        in_base = {signal.line for signal in self.signals.values() if signal.base}
        self.signals = {key: signal for key, signal in sorted(self.signals.items(), key=lambda item: (item[1].line, item[0]))
                        if signal.line and (signal.base or signal.line not in in_base)}
        self.points = {key: point for key, point in sorted(self.points.items(), key=lambda item: (
                           KINDS.index(item[1].kind), item[1].line, item[1].name, item[1].column))
                       if point.kind == "functional" or point.line in self.rtl.hardware}

    # ---- exclusions --------------------------------------------------------------------------

    def exclude(self) -> None:
        if not self.excluded_in.is_file():
            self.excluded_in = Path("tb/cover") / f"{self.name}_cover.exclude"
        if not self.excluded_in.is_file():
            return
        for number, line in enumerate(self.excluded_in.read_text().splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            rule, _, reason = line.partition(" -- ")
            if not reason:
                raise bad(f"{self.excluded_in}:{number}: no reason; it is 'WHAT -- reason'")
            self.exclusions.append(Exclusion(rule, reason, number))
        for one in self.exclusions:
            self._apply(one)

    def _apply(self, one: Exclusion) -> None:
        where = f"{self.excluded_in}:{one.line}: '{one.rule}'"
        if match := re.fullmatch(r"toggle (\S+?)(?:\[(\d+):(\d+)\])? *", one.rule):
            high = int(match[2]) if match[2] else None
            self._exclude_bits(one, match[1], high, int(match[3] or 0), where)
        elif match := re.fullmatch(r"functional (\S+) *|line (\S+) (.+)", one.rule):
            self._exclude_points(one, match[1], match[2], match[3], where)
        else:
            raise bad(f"{where} is none of: functional NAME, line KIND TEXT, toggle SIGNAL[HIGH:LOW]")
        if not one.points:
            raise bad(f"{where} does not exist; take the exclusion out")

    def _exclude_bits(self, one: Exclusion, name: str, high: int | None, low: int, where: str) -> None:
        """'inst_q' is every element of it."""
        for signal in self.signals.values():
            if signal.name != name and not signal.name.startswith(f"{name}["):
                continue
            top = signal.width - 1 if high is None else min(high, signal.width - 1)
            bits = (1 << top + 1) - (1 << low) if top >= low else 0
            if hit := signal.hit(WHOLE) & bits:
                raise bad(f"{where} is hit (bit {(hit & -hit).bit_length() - 1}); take the exclusion out")
            signal.excluded |= bits
            one.points += bits.bit_count()

    def _exclude_points(self, one: Exclusion, functional: str | None, kind: str | None, text: str | None, where: str) -> None:
        for point in self.points.values():
            if functional and (point.kind, point.name) != ("functional", functional):
                continue
            if kind and ((point.kind, point.name) != ("line", kind) or text not in self.rtl.statement(point.line)):
                continue
            if point.hits[WHOLE]:
                raise bad(f"{where} is hit; take the exclusion out")
            point.excluded = one
            one.points += 1


# ---- files of counts ------------------------------------------------------------------------

class Counts:
    """All that runs have counted."""

    def __init__(self) -> None:
        self.blocks: dict[str, Covered] = {}

    def block(self, name: str) -> Covered:
        return self.blocks.setdefault(name, Covered(name))

    def read(self, folder: Path, suite: int) -> None:
        """All counts of a folder; what they count goes to the suite, and to the whole one."""
        if not folder.is_dir():
            raise bad(f"{folder}: is no folder of counts")
        for file in sorted(folder.iterdir()):
            if file.suffix == ".dat":
                self._read_lines(file, suite, "# end", self._count)
            elif file.suffix == ".toggles":
                self._read_lines(file, suite, "end", self._toggle)

    def _read_lines(self, file: Path, suite: int, end: str, take: Callable[[str, int], bool]) -> None:
        ended, number = False, 0
        with open(file, errors="replace", newline="\n") as lines:
            for number, line in enumerate(lines, 1):
                if ended or not (line.endswith("\n") and (line[:-1] == end or take(line[:-1], suite))):
                    raise bad(f"{file}: line {number} is damaged; 'make cover' writes it anew")
                ended = line[:-1] == end
        if not ended:
            raise bad(f"{file}: is damaged: it ends after line {number}; 'make cover' writes it anew")

    def _count(self, line: str, suite: int) -> bool:
        """Verilator's: C '\\1key\\2value\\1key\\2value...' count."""
        if line.startswith("#"):
            return True
        match = re.fullmatch(r"C '(.*)' (\d+)", line)
        values = dict(pair.partition("\2")[::2] for pair in match[1].split("\1")) if match else {}
        if not {"f", "page", "o", "l", "n"} <= values.keys() or not values["l"].isdigit() or not values["n"].isdigit():
            return False
        path = Path(values["f"])
        functional = values["page"].startswith("v_user")
        if functional and path.parts[:2] == ("tb", "blocks"):
            point = self.block(path.parts[2]).point("functional", values["o"], int(values["l"]), 0)
        elif not functional and path.parts[0] == "rtl" and path.suffix == ".sv":
            point = self.block(path.stem).point("line", values["o"], int(values["l"]), int(values["n"]))
        else:
            return True  # the lines of a cover file
        point.lines = values.get("S", "")
        for one in range(suite, WHOLE + 1):
            point.hits[one] += int(match[2])
        return True

    def _toggle(self, line: str, suite: int) -> bool:
        """The shim's: toggle BLOCK VARIANT SIGNAL WIDTH RISEN FALLEN, bit 0 first."""
        match = re.fullmatch(r"toggle (\S+) (\S+) (\S+) (\d+) ([01]+) ([01]+)", line)
        if not match or not int(match[4]) == len(match[5]) == len(match[6]):
            return False
        signal = self.block(match[1]).signal(match[3], int(match[4]))
        signal.base |= match[1] == match[2]
        for one in range(suite, WHOLE + 1):
            signal.risen[one] |= int(match[5][::-1], 2)
            signal.fallen[one] |= int(match[6][::-1], 2)
        return True


def read(recordings: Path, tests: Path, names: list[str]) -> list[Covered]:
    """The blocks, named ones only if any are, by name; what is excluded is marked."""
    counts = Counts()
    counts.read(recordings, RECORDINGS)
    counts.read(tests, WHOLE)
    for name in names:
        if name not in counts.blocks:
            raise bad(f"{name}: nothing has been counted of this block")
    found = [counts.blocks[name] for name in sorted(counts.blocks) if not names or name in names]
    if not found:
        raise bad("no counts at all: no program of a build for coverage has run")
    for block in found:
        block.finish()
        block.exclude()
    return found
