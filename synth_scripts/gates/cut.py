# SPDX-License-Identifier: Apache-2.0
"""A block cut at its flip-flops, for a proof of one step: the states become inputs, the next states outputs.

  gate   the netlist: an input per flip-flop, outputs "REGISTER.next", one per register of the RTL
  gold   the RTL with the same ports. A register bit reads the net that bears its name in the netlist: a flip-flop's state, or a
         constant where synthesis found one. So the proof's hypothesis is that the two agree on every register bit, and its
         claim that they still do after the edge.
  reset  the RTL alone, in reset, with a state of its own for every register bit: for the beginning of the induction

What cannot be cut so is a netlist.NetlistError.
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import netlist
from netlist import Json, Net, NetlistError

STATES = 4000000  # nets of the RTL's states, above all that Yosys numbers
WORD = 32         # inputs at least as wide have a bit per warp


@dataclass(frozen=True)
class Bit:
    """A bit of a register: its net in the netlist. A bit without a flip-flop is taken for 0: synthesis removes what nothing
    reads, and it has to be 0 to pass."""

    name: str
    net: Net
    gone: bool


def _without(cells: dict[str, Json], types: Iterable[str]) -> dict[str, Json]:
    return {name: cell for name, cell in cells.items() if cell["type"] not in types}


def _renamed(cells: dict[str, Json], rename: Callable[[list[Net]], list[Net]]) -> dict[str, Json]:
    return {name: cell | {"connections": {pin: rename(bits) for pin, bits in cell["connections"].items()}}
            for name, cell in cells.items()}


class Cut:
    def __init__(self, rtl: Json, mapped: Json, types: dict[str, netlist.Pins]):
        self.rtl, self.mapped, self.types = rtl, mapped, types
        self.registers = netlist.registers(rtl)
        self.next = netlist.rtl_flops(rtl)
        self.flops = netlist.mapped_flops(mapped, types)
        self.state = {flop.q: number for number, flop in enumerate(self.flops)}
        self.bits = {rtl_net: bit for name, nets in self.registers.items()
                     for rtl_net, bit in zip(nets, self._bits(name, len(nets)))}
        self.outputs = {name: port for name, port in rtl["ports"].items() if port["direction"] == "output"}

    def _bits(self, register: str, width: int) -> list[Bit]:
        nets = self.mapped["netnames"].get(register, {"bits": [None] * width})["bits"]
        if len(nets) != width:
            raise NetlistError(f"register {register} has {width} bits in the RTL and {len(nets)} in the netlist")
        known = [isinstance(net, str) or net in self.state for net in nets]
        return [Bit(f"{register}[{index}]", net if there else "0", not there)
                for index, (net, there) in enumerate(zip(nets, known))]

    def account(self) -> Json:
        """What the flip-flops of the netlist are."""
        bits = list(self.bits.values())
        nets = {bit.net for bit in bits}
        shared = {net: sorted(bit.name for bit in bits if bit.net == net) for net in nets if not isinstance(net, str)}
        cells = self.mapped["cells"]
        return {
            "flip_flops": len(self.flops), "register_bits": len(bits), "cells": len(cells),
            "constant": sorted(bit.name for bit in bits if isinstance(bit.net, str)),
            "gone": sorted(bit.name for bit in bits if bit.gone),
            "shared": [names for names in shared.values() if len(names) > 1],
            "strangers": [flop.cell for flop in self.flops if flop.q not in nets],
            "unnamed": len([q for q in self.next if isinstance(q, int) and q not in self.bits]),
            "types": dict(sorted(Counter(cell["type"] for cell in cells.values()).items()))}

    def _inputs(self, of: Json, state: Callable[[int], Net]) -> dict[str, Json]:
        """BDDs want what is added or compared bit by bit next to each other, a warp's bits together; ABC sorts by name. The
        widest inputs (a bit per warp) come first, then the rest and the states, lowest bits first."""
        ports = {name: port["bits"] for name, port in self.rtl["ports"].items() if port["direction"] == "input"}
        widest = max([WORD, *map(len, ports.values())])
        found = [(len(nets) != widest, bit, f"{name}[{bit}]", of["ports"][name]["bits"][bit])
                 for name, nets in ports.items() if name != "clk_i" for bit in range(len(nets))]
        names = {bit.net: bit.name for bit in self.bits.values()}
        for number, flop in enumerate(self.flops):
            place = re.search(r"\[(\d+)\]$", names[flop.q])
            found.append((True, int(place[1]), names[flop.q], state(number)))
        found.sort(key=lambda one: one[:3])
        return {f"i{index:05d}.{name}": netlist.port("input", [net]) for index, (_, _, name, net) in enumerate(found)}

    def _next_of(self, register: str) -> list[Net]:
        if missing := [net for net in self.registers[register] if net not in self.next]:
            raise NetlistError(f"{self.bits[missing[0]].name} in the RTL is no flip-flop")
        return [self.next[net] for net in self.registers[register]]

    def gate(self) -> dict[str, Json]:
        def following(bit: Bit) -> Net:
            return bit.net if isinstance(bit.net, str) else self.flops[self.state[bit.net]].d
        ports = self._inputs(self.mapped, lambda number: self.flops[number].q)
        ports |= {name: self.mapped["ports"][name] for name in self.outputs}
        ports |= {f"{name}.next": netlist.port("output", [following(self.bits[net]) for net in nets])
                  for name, nets in self.registers.items()}
        return {"gate": netlist.circuit(ports, _without(self.mapped["cells"], self.types))}

    def gold(self) -> dict[str, Json]:
        names = {net: bit.net if isinstance(bit.net, str) else self.state[bit.net] + STATES for net, bit in self.bits.items()}

        def rename(nets: list[Net]) -> list[Net]:
            return [names.get(net, net) if isinstance(net, int) else net for net in nets]
        ports = self._inputs(self.rtl, lambda number: number + STATES)
        ports |= {name: netlist.port("output", rename(port["bits"])) for name, port in self.outputs.items()}
        ports |= {f"{name}.next": netlist.port("output", rename(self._next_of(name))) for name in self.registers}
        return {"gold": netlist.circuit(ports, _renamed(_without(self.rtl["cells"], ["$dff"]), rename))}

    def reset(self) -> dict[str, Json]:
        ports = dict(self.rtl["ports"])
        if "rst_ni" not in ports:
            raise NetlistError("has registers and no rst_ni")
        (active,) = ports.pop("rst_ni")["bits"]

        def rename(nets: list[Net]) -> list[Net]:
            return ["0" if net == active else net for net in nets]
        ports["state"] = netlist.port("input", self.next)
        ports |= {f"{name}.next": netlist.port("output", rename(self._next_of(name))) for name in self.registers}
        return {"reset": netlist.circuit(ports, _renamed(_without(self.rtl["cells"], ["$dff"]), rename))}
