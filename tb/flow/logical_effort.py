#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A library of cells that is of no technology, from the theory of logical effort (Sutherland, Sproull, Harris: Logical Effort, 1999; Weste,
Harris: CMOS VLSI Design): a stage of strength s that drives the load C, in inputs of the smallest inverter, takes p + C / s. The unit is tau, a fifth of
FO4. Every transistor is as wide as it takes for the worst path of its network to conduct as well as the smallest inverter does.

As a program: writes the library to standard output, as Liberty. doc/use/area.md#the-library
"""
from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

TAU_NS = 0.02  # a name for the unit, near that of 0.18 um: FO4 is 0.1 ns
PULL_UP = 2    # a pMOS is twice as wide as an nMOS that conducts as well
UNIT = 1 + PULL_UP  # transistor widths of the smallest inverter, whose input is the unit of loads and whose parasitic delay is 1
COLUMN = 3     # a column of the layout holds an nMOS and a pMOS of three times the smallest inverter's width; a wider one takes more columns
GE = 3         # columns of a NAND2: two, and one between cells
EFFORT = 4     # of the first stage of a buffer, at most


@dataclass(frozen=True)
class Net:
    """Transistors in series or side by side: `parts` are nets, or names of signals."""

    series: bool
    parts: tuple[Net | str, ...]

    def dual(self) -> Net:
        return Net(not self.series, tuple(part if isinstance(part, str) else part.dual() for part in self.parts))

    def depth(self) -> int:
        """Transistors in series."""
        depths = [1 if isinstance(part, str) else part.depth() for part in self.parts]
        return sum(depths) if self.series else max(depths)

    def widths(self, beside: int = 0) -> Iterator[tuple[str, int]]:
        """Signals and widths; `beside`: transistors that are in series with all of this."""
        for part in self.parts:
            others = beside + (self.depth() - (1 if isinstance(part, str) else part.depth()) if self.series else 0)
            if isinstance(part, str):
                yield part, others + 1
            else:
                yield from part.widths(others)

    def at_output(self, beside: int = 0) -> int:
        """Widths of the transistors that touch the output. Of those in series that is the part with the least."""
        found = []
        for part in self.parts:
            others = beside + (self.depth() - (1 if isinstance(part, str) else part.depth()) if self.series else 0)
            found.append(others + 1 if isinstance(part, str) else part.at_output(others))
        return min(found) if self.series else sum(found)

    def value(self, values: dict[str, int]) -> int:
        return (all if self.series else any)(values[part] if isinstance(part, str) else part.value(values) for part in self.parts)

    def text(self) -> str:
        return (" & " if self.series else " | ").join(part if isinstance(part, str) else f"({part.text()})" for part in self.parts)


def both(*parts: Net | str) -> Net:
    return Net(True, parts)


def either(*parts: Net | str) -> Net:
    return Net(False, parts)


@dataclass(frozen=True)
class Stage:
    """One gate: its output is low where `down` conducts."""

    output: str
    down: Net
    strength: int = 1

    def efforts(self) -> dict[str, float]:
        """g of every input."""
        found: dict[str, float] = {}
        for net, unit in ((self.down, 1), (self.down.dual(), PULL_UP)):
            for signal, width in net.widths():
                found[signal] = found.get(signal, 0) + width * unit / UNIT
        return found

    def parasitic(self) -> float:
        return (self.down.at_output() + PULL_UP * self.down.dual().at_output()) / UNIT

    def columns(self) -> int:
        pairs = zip(sorted(self.down.widths()), sorted(self.down.dual().widths()))
        return sum(max(math.ceil(width * self.strength / COLUMN) for _, width in pair) for pair in pairs)

    def loads(self) -> dict[str, float]:
        return {signal: effort * self.strength for signal, effort in self.efforts().items()}


@dataclass(frozen=True)
class Cell:
    """Stages in the order of signals; the last one drives Y."""

    name: str
    stages: tuple[Stage, ...]

    def inputs(self) -> list[str]:
        return sorted({signal for stage in self.stages for signal in stage.efforts()} - {stage.output for stage in self.stages})

    def load(self, signal: str) -> float:
        return sum(stage.loads().get(signal, 0) for stage in self.stages)

    def area(self) -> float:
        return (sum(stage.columns() for stage in self.stages) + 1) / GE

    def strength(self) -> int:
        return self.stages[-1].strength

    def delay(self, signal: str) -> float:
        """From an input to Y without a load, the longest way, in tau."""
        late = {signal: 0.0}
        for stage in self.stages:
            arrivals = [late[one] for one in stage.efforts() if one in late]
            if arrivals:
                late[stage.output] = max(arrivals) + stage.parasitic() + self.load(stage.output) / stage.strength
        return late["Y"]

    def value(self, values: dict[str, int]) -> int:
        known = dict(values)
        for stage in self.stages:
            known[stage.output] = 1 - stage.down.value(known)
        return known["Y"]

    def function(self) -> str:
        texts: dict[str, str] = {}
        for stage in self.stages:
            text = f"!({stage.down.text()})"
            for signal, inner in texts.items():
                text = text.replace(signal, inner)
            texts[stage.output] = text
        return texts["Y"]

    def sense(self, signal: str) -> str:
        others = [one for one in self.inputs() if one != signal]
        steps = {self.value(dict(zip(others, rest)) | {signal: 1}) - self.value(dict(zip(others, rest)) | {signal: 0})
                 for rest in product((0, 1), repeat=len(others))}
        return {1: "positive_unate", -1: "negative_unate", 0: "non_unate"}[sum(steps)]


def _gate(name: str, down: Net, strengths: tuple[int, ...]) -> list[Cell]:
    return [Cell(f"{name}X{strength}", (Stage("Y", down, strength),)) for strength in strengths]


def _inverted(name: str, down: Net, strengths: tuple[int, ...], first: Callable[[int], int] = lambda strength: 1) -> list[Cell]:
    """With an inverter behind it."""
    return [Cell(f"{name}X{strength}", (Stage("n", down, first(strength)), Stage("Y", either("n"), strength))) for strength in strengths]


def _selected(name: str, one: Net, other: Net, signals: str) -> list[Cell]:
    """AND-OR with inverters for these signals."""
    return [Cell(f"{name}X1", (*(Stage(f"{signal.lower()}n", either(signal)) for signal in signals), Stage("Y", either(one, other))))]


def cells() -> list[Cell]:
    ab, cd = both("A", "B"), both("C", "D")
    return [
        *_gate("INV", either("A"), (1, 2, 4, 8)),
        *_inverted("BUF", either("A"), (2, 4, 8), lambda strength: max(1, strength // EFFORT)),
        *_gate("NAND2", ab, (1, 2, 4)), *_gate("NAND3", both("A", "B", "C"), (1, 2)),
        *_gate("NOR2", either("A", "B"), (1, 2, 4)), *_gate("NOR3", either("A", "B", "C"), (1, 2)),
        *_gate("AOI21", either(ab, "C"), (1, 2)), *_gate("AOI22", either(ab, cd), (1, 2)),
        *_gate("OAI21", both(either("A", "B"), "C"), (1, 2)), *_gate("OAI22", both(either("A", "B"), either("C", "D")), (1, 2)),
        *_inverted("AND2", ab, (1, 2)), *_inverted("OR2", either("A", "B"), (1, 2)),
        *_selected("XOR2", ab, both("an", "bn"), "AB"), *_selected("XNOR2", both("A", "bn"), both("an", "B"), "AB"),
        *_selected("MUX2", both("S", "A"), both("sn", "B"), "S")]


@dataclass(frozen=True)
class FlipFlop:
    """Two clocked inverters, each with an inverter and a clocked inverter that holds; the latter, as small as can be, load nothing. The
    clock's inverter drives a half of both clocked inverters. Numbers in tau and in the smallest inverter's inputs."""

    name: str = "DFFPOSX1"
    strength: int = 2  # of Q's inverter: a column holds it
    area: float = (1 + 2 * (2 + 1 + 2) + 1) / GE
    clocked: float = 2  # g of a clocked inverter's input, and its p
    clock: float = 1 + clocked
    setup: float = clocked + 1 + 1 + clocked  # through the first clocked inverter and the inverter that drives the second one

    def delay(self) -> float:
        """From the clock to Q without a load: the clock's inverter, the clocked inverter, Q's inverter."""
        return (1 + self.clocked) + (self.clocked + self.strength) + 1


EDGES, LOADS = (0.01, 0.1, 1), (1, 8, 64)  # of the tables; abc wants three


def _number(value: float) -> str:
    return f"{value:.6g}"


def _table(kind: str, delay: float, strength: int) -> str:
    """Straight in the load, and the same for every edge at the input."""
    values = ", ".join(_number(TAU_NS * (delay + load / strength)) for load in LOADS)
    rows = ", ".join([f'"{values}"'] * len(EDGES))
    return f'        {kind} (straight) {{ values ({rows}); }}'


def _timing(related: str, sense: str, delay: float, last: float, strength: int, kind: str = "") -> list[str]:
    return ["      timing () {", f'        related_pin : "{related}";', f"        timing_sense : {sense};", *([f"        timing_type : {kind};"] if kind else []),
            *(_table(f"cell_{edge}", delay, strength) for edge in ("rise", "fall")),
            *(_table(f"{edge}_transition", last, strength) for edge in ("rise", "fall")), "      }"]


def _pin(name: str, direction: str, load: float, more: list[str]) -> list[str]:
    return [f"    pin ({name}) {{", f"      direction : {direction};", f"      capacitance : {_number(load)};", *more, "    }"]


def _liberty(cell: Cell) -> list[str]:
    last = cell.stages[-1]
    ways = [_timing(one, cell.sense(one), cell.delay(one), last.parasitic(), last.strength) for one in cell.inputs()]
    return [f"  cell ({cell.name}) {{", f"    area : {_number(cell.area())};",
            *(line for one in cell.inputs() for line in _pin(one, "input", cell.load(one), [])),
            *_pin("Y", "output", 0, [f'      function : "{cell.function()}";', *(line for way in ways for line in way)]), "  }"]


def _constraint(kind: str, tau: float) -> list[str]:
    edges = [f'        {edge}_constraint (scalar) {{ values ("{_number(TAU_NS * tau)}"); }}' for edge in ("rise", "fall")]
    return ["      timing () {", '        related_pin : "CLK";', f"        timing_type : {kind}_rising;", *edges, "      }"]


def _flip_flop(cell: FlipFlop) -> list[str]:
    way = _timing("CLK", "non_unate", cell.delay(), 1, cell.strength, "rising_edge")
    return [f"  cell ({cell.name}) {{", f"    area : {_number(cell.area)};", "    ff (IQ, IQN) {", '      next_state : "D";', '      clocked_on : "CLK";', "    }",
            *_pin("CLK", "input", cell.clock, ["      clock : true;"]),
            *_pin("D", "input", cell.clocked, [*_constraint("setup", cell.setup), *_constraint("hold", 0)]),
            *_pin("Q", "output", 0, ['      function : "IQ";', *way]), "  }"]


HEAD = """library (effort) {
  comment : "SPDX-License-Identifier: Apache-2.0";
  delay_model : table_lookup;
  time_unit : "1ns";
  voltage_unit : "1V";
  current_unit : "1uA";
  pulling_resistance_unit : "1kohm";
  leakage_power_unit : "1nW";
  capacitive_load_unit (1, ff);
  slew_lower_threshold_pct_rise : 20;
  slew_upper_threshold_pct_rise : 80;
  slew_lower_threshold_pct_fall : 20;
  slew_upper_threshold_pct_fall : 80;
  input_threshold_pct_rise : 50;
  input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50;
  output_threshold_pct_fall : 50;
  nom_process : 1;
  nom_voltage : 1;
  nom_temperature : 25;
  lu_table_template (straight) {
    variable_1 : input_net_transition;
    variable_2 : total_output_net_capacitance;
    index_1 ("%s");
    index_2 ("%s");
  }""" % tuple(", ".join(map(str, axis)) for axis in (EDGES, LOADS))


def text() -> str:
    return "\n".join([HEAD, *(line for cell in cells() for line in _liberty(cell)), *_flip_flop(FlipFlop()), "}", ""])


if __name__ == "__main__":
    sys.stdout.write(text())
