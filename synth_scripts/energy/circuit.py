# SPDX-License-Identifier: Apache-2.0
"""A netlist in all cycles of a run at once, and how often each of its nodes changes.

Its inputs and registers are known in every cycle, from the waveform of the RTL. All else follows from them. That it is the RTL's netlist is
not taken on trust: what goes into each flip-flop is what the RTL has in the next cycle, and each output is the RTL's, in every cycle,
or it is a Failure. There are no delays, so a node changes once in a cycle at most: glitches are not seen.
"""
from __future__ import annotations

import graphlib
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import netlist
from charge import Charge
from netlist import Json, Net, NetlistError
from waveform import Streams

WINDOW = 1 << 16  # cycles at a time: a netlist of 20000 nodes takes 160 MB


@dataclass
class Activity:
    """Changes of nets and of nodes in cells (by cell and signal), from cycle to cycle; and of the registers, by the part that they are in,
    the cycles before whose end one of them changes."""

    cycles: int
    nets: Counter[Net] = field(default_factory=Counter)
    nodes: Counter[tuple[str, str]] = field(default_factory=Counter)
    moving: Counter[str] = field(default_factory=Counter)


def wave_name(register: str) -> str:
    """What a register of the netlist is called in a waveform: of u_lcs.inst_q[3] lcs.inst_q_3."""
    return ".".join(re.sub(r"\[(\d+)\]", r"_\1", one.removeprefix("u_")) for one in register.split("."))


class Circuit:
    def __init__(self, of: Json, charges: dict[str, Charge]):
        self.of = of
        self.cells: dict[str, tuple[Charge, dict[str, Net]]] = {}
        for name, cell in of["cells"].items():
            self.cells[name] = charges[cell["type"]], {pin: bits[0] for pin, bits in cell["connections"].items() if bits}
        self.flops = {name: (charge.flop, pins) for name, (charge, pins) in self.cells.items() if charge.flop}
        self.registers = netlist.registers(of)
        self.names = {net: f"{name}[{bit}]" for name, nets in self.registers.items() for bit, net in enumerate(nets) if isinstance(net, int)}
        for name, (flop, pins) in self.flops.items():
            if pins[flop.clk] not in netlist.clock(of):
                raise NetlistError(f"flip-flop {name} is not clocked by clk_i")
            if pins[flop.q] not in self.names:
                raise NetlistError(f"flip-flop {name} is no register of the RTL")
        self.order = self._ordered()

    def _ordered(self) -> list[str]:
        """The cells without flip-flops, each after those that it reads."""
        gates = {name: pins for name, (charge, pins) in self.cells.items() if not charge.flop}
        drivers = {pins[out]: name for name, pins in gates.items() for out in self.cells[name][0].outputs if out in pins}
        try:
            return list(graphlib.TopologicalSorter(
                {name: {drivers[net] for pin, net in pins.items() if pin in self.cells[name][0].load and net in drivers}
                 for name, pins in gates.items()}).static_order())
        except graphlib.CycleError:
            raise NetlistError("the netlist has a loop") from None

    def part(self, flop: str) -> str:
        """The instance that a flip-flop's register is in, "" for the block itself."""
        kind, pins = self.flops[flop]
        path = self.names[pins[kind.q]].rpartition(".")[0]
        return path.partition(".")[0]

    def loads(self) -> dict[Net, float]:
        """What each net charges: the pins that read it."""
        found: dict[Net, float] = defaultdict(float)
        for charge, pins in self.cells.values():
            for pin, load in charge.load.items():
                found[pins[pin]] += load
        return found

    # ---- activity ----------------------------------------------------------------------------

    def sources(self, streams: Streams, cycles: int) -> dict[Net, int]:
        """Inputs and registers. What the RTL holds in a register bit that is a constant here, or another bit's flip-flop, is looked at, too."""
        ones = (1 << cycles) - 1
        found: dict[Net, int] = {"0": 0, "1": ones, "x": 0}
        held = {pins[flop.q] for flop, pins in self.flops.values()}
        for name, port in self.of["ports"].items():
            if port["direction"] != "input" or name == "clk_i":
                continue
            bits = [ones] if name == "rst_ni" else streams.get(f"in.{name}", [])
            if len(bits) != len(port["bits"]):
                raise NetlistError(f"the waveform has no input {name} of {len(port['bits'])} bits")
            found.update(zip(port["bits"], bits))
        for name, nets in self.registers.items():
            bits = streams.get(f"rtl.{wave_name(name)}", [])
            if len(bits) != len(nets):
                raise NetlistError(f"the waveform has no register {name} of {len(nets)} bits")
            for place, (net, bit) in enumerate(zip(nets, bits)):
                if net in held or isinstance(net, str):
                    if found.setdefault(net, bit) != bit and net != "x":
                        raise NetlistError(f"register {name}[{place}] is another than in the RTL")
        found.update((pins[flop.qn], found[pins[flop.q]] ^ ones) for flop, pins in self.flops.values() if flop.qn in pins)
        return found

    def evaluate(self, values: dict[Net, int], ones: int) -> dict[tuple[str, str], int]:
        """All nets, added to `values`, and the nodes inside of cells."""
        nodes = {}
        for name in self.order:
            charge, pins = self.cells[name]
            try:
                inside = {pin: values[pins[pin]] for pin in charge.load}
            except KeyError as net:
                raise NetlistError(f"cell {name}: nothing drives net {net}") from None
            for node in charge.nodes:
                inside[node.signal] = nodes[name, node.signal] = node.term(inside, ones)
                if node.signal in pins:
                    values[pins[node.signal]] = inside[node.signal]
        return nodes

    def _check(self, values: dict[Net, int], streams: Streams, ones: int) -> None:
        for name, (flop, pins) in self.flops.items():
            if (values[pins[flop.d]] ^ values[pins[flop.q]] >> 1) & ones >> 1:
                raise NetlistError(f"flip-flop {name}, {self.names[pins[flop.q]]}, takes another value than in the RTL")
        for name, port in self.of["ports"].items():
            if port["direction"] == "output" and [values[net] for net in port["bits"]] != streams.get(f"rtl.{name}"):
                raise NetlistError(f"output {name} is another than in the RTL")

    def _count(self, streams: Streams, cycles: int, activity: Activity) -> None:
        ones = (1 << cycles) - 1
        values = self.sources(streams, cycles)
        nodes = self.evaluate(values, ones)
        self._check(values, streams, ones)

        def changed(value: int) -> int:
            return (value ^ value >> 1) & ones >> 1
        for found, counts in ((values, activity.nets), (nodes, activity.nodes)):
            for key, value in found.items():
                counts[key] += changed(value).bit_count()
        parts: dict[str, int] = defaultdict(int)
        for name, (flop, pins) in self.flops.items():
            parts[self.part(name)] |= changed(values[pins[flop.q]])
        for part, any_of in parts.items():
            activity.moving[part] += any_of.bit_count()

    def activity(self, streams: Streams, cycles: int, window: int = WINDOW) -> Activity:
        """Windows share a cycle, so that no change is between two."""
        found = Activity(cycles)
        for first in range(0, max(1, cycles - 1), window - 1):
            length = min(window, cycles - first)
            ones = (1 << length) - 1
            self._count({name: [bit >> first & ones for bit in bits] for name, bits in streams.items()}, length, found)
        return found
