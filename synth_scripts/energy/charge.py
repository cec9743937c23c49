# SPDX-License-Identifier: Apache-2.0
"""What a library's cells charge: the load of every input, the function of every node in a cell, and the capacitance that a node charges inside.

Of the built-in library the nodes are its stages, and their own capacitance follows from logical effort: a stage of strength s and parasitic
delay p has p x s at its output, in inputs of the smallest inverter. Of a Liberty file the nodes are the outputs, and what is inside comes
from the tables of internal power (internal.py), as the capacitance that takes that energy.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import function
import internal
import liberty
import logical_effort
from cells import BUILT_IN, Cell, Library
from internal import Curve
from liberty import Group
from tools import Failure

# The value of a node in all cycles at once: of the cell's signals, and of all cycles 1.
Term = Callable[[dict[str, int], int], int]


@dataclass(frozen=True)
class Node:
    """`own`: what it charges besides the pins that read it, over their capacitance."""

    signal: str
    term: Term
    own: Curve = internal.NOTHING


@dataclass(frozen=True)
class Flop:
    """What a transition of the clock, of D, of Q and of its inverse QN, if there is one, charges inside."""

    clk: str
    d: str
    q: str
    at_clock: float = 0
    at_d: float = 0
    at_q: Curve = internal.NOTHING
    qn: str = ""
    at_qn: Curve = internal.NOTHING


@dataclass(frozen=True)
class Charge:
    """Of a cell type: `load` of every input, its nodes in the order of signals, or its flip-flop."""

    load: dict[str, float]
    outputs: tuple[str, ...]
    nodes: tuple[Node, ...] = ()
    flop: Flop | None = None


def term(pins: list[str], values: list[int]) -> Term:
    """A table of values (function.table) as one expression over all cycles."""
    if not any(values):
        return lambda v, ones: 0
    if all(values):
        return lambda v, ones: ones
    pin, rest, half = pins[0], pins[1:], len(values) // 2
    if values[:half] == values[half:]:
        return term(rest, values[:half])
    low, high = term(rest, values[:half]), term(rest, values[half:])
    if not any(values[:half]):
        return lambda v, ones: v[pin] & high(v, ones)
    if not any(values[half:]):
        return lambda v, ones: (v[pin] ^ ones) & low(v, ones)
    return lambda v, ones: v[pin] & high(v, ones) | (v[pin] ^ ones) & low(v, ones)


# ---- the built-in library ---------------------------------------------------------------------

def _stages(cell: logical_effort.Cell) -> Charge:
    nodes = []
    for stage in cell.stages:
        inside = sum(other.loads().get(stage.output, 0) for other in cell.stages)
        nodes.append(Node(stage.output, term(*function.table(f"!({stage.down.text()})")),
                          internal.constant(stage.parasitic() * stage.strength + inside)))
    return Charge({one: cell.load(one) for one in cell.inputs()}, (cell.stages[-1].output,), tuple(nodes))


def _register(flop: logical_effort.FlipFlop) -> Charge:
    """The clock's inverter, its own 1, drives a half of both clocked inverters. A new D charges the clocked inverter's output with the inverter
    behind it, and that one's with the next clocked inverter: at strength 1 the same number as the set-up time. A new Q charges that one's
    output with Q's inverter, and this one's own output."""
    at_q = internal.constant(flop.clocked + flop.strength + flop.strength)
    return Charge({"CLK": flop.clock, "D": flop.clocked}, ("Q",), flop=Flop("CLK", "D", "Q", 1 + flop.clocked, flop.setup, at_q))


def built_in() -> dict[str, Charge]:
    flop = logical_effort.FlipFlop()
    return {cell.name: _stages(cell) for cell in logical_effort.cells()} | {flop.name: _register(flop)}


# ---- a Liberty file ---------------------------------------------------------------------------

def _load(pin: Group) -> float:
    both = [pin.number(kind) for kind in ("rise_capacitance", "fall_capacitance")]
    found = pin.number("capacitance") or max((one for one in both if one), default=None)
    if found is None:
        raise ValueError
    return found


def _of_group(cell: Cell, group: Group, power: internal.Power) -> Charge:
    pins = {name: pin for pin in group.of("pin") for name in pin.names}
    load = {name: _load(pins[name]) for name in cell.inputs}
    if not cell.flip_flop:
        return Charge(load, cell.outputs, tuple(
            Node(one, term(*function.table(pins[one].value("function"))), power.curve(pins[one])) for one in cell.outputs))
    state = next(group.of("ff"))
    (clk,), (d,) = (function.table(state.value(name))[0] for name in ("clocked_on", "next_state"))
    outputs = {pins[name].value("function"): name for name in cell.outputs}
    q, qn = outputs[state.names[0]], outputs.get(state.names[1], "")
    at_clock, at_d = (internal.at(power.curve(pins[one]), 0) for one in (clk, d))
    at_q, at_qn = (power.curve(pins[one]) if one else internal.NOTHING for one in (q, qn))
    return Charge(load, cell.outputs, flop=Flop(clk, d, q, at_clock, at_d, at_q, qn, at_qn))


def charges(library: Library, names: set[str]) -> dict[str, Charge]:
    """Of these cell types."""
    known = built_in() if library.name == BUILT_IN else {}
    power = internal.Power(liberty.parsed(library.path, liberty.text(library.path)))
    for name in sorted(names - known.keys()):
        cell = library.cells.get(name)
        if cell is None or cell.group is None or library.name == BUILT_IN:
            raise Failure(f"cell {name} is not in the library: {library.name}")
        try:
            known[name] = _of_group(cell, cell.group, power)
        except (ValueError, LookupError, StopIteration, function.NoFunction):
            raise Failure(f"cell {name} of {library.name}: no function, no capacitance of an input, or a table that is damaged") from None
    return {name: known[name] for name in sorted(names)}
