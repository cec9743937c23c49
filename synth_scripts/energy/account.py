# SPDX-License-Identifier: Apache-2.0
"""What a netlist's activity costs: capacitance x voltage squared / 2 for each change, in units of the smallest inverter's input at V = 1."""
from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import internal
from circuit import Activity, Circuit
from netlist import Net


@dataclass(frozen=True)
class Account:
    """Energy of a cycle: `clock` of the flip-flops' clock pins and what is behind them, `registers` of their inside and what their outputs
    drive, `logic` of all other cells, `inputs` of the pins that the block's inputs drive. Of the clock: `still` is that of flip-flops that never
    change, `resting` that of parts of the netlist in the cycles in which none of their flip-flops changes."""

    cycles: int
    flip_flops: int
    still_flip_flops: int
    clock: float
    registers: float
    logic: float
    inputs: float
    still: float
    resting: float

    @property
    def total(self) -> float:
        return self.clock + self.registers + self.logic + self.inputs


def _clock(circuit: Circuit) -> dict[str, float]:
    """Of each flip-flop, in a cycle: two changes of the clock."""
    return {name: circuit.cells[name][0].load[flop.clk] + flop.at_clock for name, (flop, _) in circuit.flops.items()}


def account(circuit: Circuit, activity: Activity, unit: float) -> Account:
    """`unit`: the smallest inverter's input in the unit of the library."""
    loads, changes, cycles = circuit.loads(), activity.nets, activity.cycles
    clock, parts = _clock(circuit), defaultdict(float)
    registers = logic = 0.0
    for name, energy in clock.items():
        parts[circuit.part(name)] += energy
    for flop, pins in circuit.flops.values():
        registers += changes[pins[flop.d]] * flop.at_d
        for pin, own in ((flop.q, flop.at_q), (flop.qn, flop.at_qn)):
            if pin in pins:
                load = loads.get(pins[pin], 0)
                registers += changes[pins[pin]] * (internal.at(own, load) + load)
    for name in circuit.order:
        charge, pins = circuit.cells[name]
        for node in charge.nodes:
            load = loads.get(pins[node.signal], 0) if node.signal in pins else 0
            logic += activity.nodes[name, node.signal] * (internal.at(node.own, load) + load)
    still = [name for name, (flop, pins) in circuit.flops.items() if not changes[pins[flop.q]]]
    resting = sum(energy * (1 - activity.moving[part] / cycles) for part, energy in parts.items())
    ports = circuit.of["ports"].values()
    driven: set[Net] = {net for port in ports if port["direction"] == "input" for net in port["bits"]}
    inputs = sum(changes[net] * loads.get(net, 0) for net in driven)
    half = 1 / (2 * cycles * unit)
    return Account(cycles, len(circuit.flops), len(still), sum(clock.values()) / unit, registers * half, logic * half, inputs * half,
                   sum(clock[name] for name in still) / unit, resting / unit)
