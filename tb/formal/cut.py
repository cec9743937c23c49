# SPDX-License-Identifier: Apache-2.0
"""One step of a block's RTL as a circuit without registers: their present values are inputs, the next ones outputs, bit by
bit under the labels of the file `bits` (tb/formal/words.c).

Where that list has parts ("sm[3].takes.nmax_i[0]"), they are boxes without contents in the RTL: what goes into one is an
output, what comes out an input, and so are the registers inside. Or nothing is known of boxes: their registers have other labels,
and what comes out of them is undefined. Whatever of the RTL the list lacks, or the other way round,
is a NetlistError.
"""
from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import netlist
import yosys
from netlist import Json, Label, Net, NetlistError

# Kinds of bits that the RTL has, too; the others are the model's.
KINDS = ("in", "out", "next")


@dataclass(frozen=True)
class Bit:
    """A line of `bits`. Of a part `signal` is without it: "nmax_i", and `way` is takes or gives."""

    kind: str
    label: Label
    part: str = ""
    way: str = ""
    signal: str = ""

    @property
    def port(self) -> bool:
        return self.signal.endswith(("_i", "_o")) or self.signal == "rst_ni"


def read_bits(path: Path) -> list[tuple[str, str]]:
    """Kind and label of all bits."""
    lines = [line.split() for line in path.read_text().splitlines() if line.strip()]
    if not lines or any(len(words) != 4 for words in lines):
        raise NetlistError(f"{path}: no list of bits")
    return [(words[0], words[3]) for words in lines]


def _bit(kind: str, text: str) -> Bit:
    label = Label.parse(text)
    match = re.fullmatch(r"(.*)\.(takes|gives)\.(.*)", label.signal)
    return Bit(kind, label, *match.groups()) if match else Bit(kind, label, signal=label.signal)


class _Cut:
    def __init__(self, block: Json, bits: list[Bit], free: bool):
        self.block, self.bits = block, bits
        self.free = {*netlist.boxes(block)} if free else set()
        self.registers = netlist.registers(block)
        self.next = netlist.rtl_flops(block)
        self.widths = {name: len(port["bits"]) for name, port in block["ports"].items()}
        self.lanes = netlist.lanes_of(bit.label for bit in bits if not bit.part)
        self.parts = {part: self.box(part) for part in {bit.part for bit in bits if bit.part}}
        self.part_lanes = {part: netlist.lanes_of(replace(bit.label, signal=bit.signal) for bit in bits if bit.part == part)
                           for part in self.parts}
        self.wires = self.new_wires()

    def box(self, part: str) -> Json:
        cell = self.block["cells"].get(netlist.instance(part))
        if cell is None:
            raise NetlistError(f"the RTL has no part {part}")
        return cell

    def inside(self, bit: Bit) -> bool:
        """A register inside of a part is nowhere in the RTL that is left."""
        return not bit.part and not bit.port and bit.signal.partition(".")[0] in self.parts

    def unknown(self, bit: Bit) -> bool:
        """A register in a box of which nothing is known."""
        within = netlist.rtl_name(bit.label.signal).split(".")[:-1]
        return any(".".join(within[:depth]) in self.free for depth in range(1, len(within) + 1))

    def first_new(self) -> int:
        nets = [net for port in (*self.block["ports"].values(), *self.block["netnames"].values()) for net in port["bits"]]
        return 1 + max(net for net in nets if isinstance(net, int))

    def new_wires(self) -> dict[tuple[str, int, bool], Net]:
        """Nets for what the registers of the parts hold, by signal, bit, and whether it is what they hold next."""
        first = self.first_new()
        free = [bit for bit in self.bits if self.unknown(bit) or
                (bit.kind == "in" and (self.inside(bit) or (bit.part and bit.label.next)))]
        return {(bit.label.signal, bit.label.bit, bit.label.next): first + number for number, bit in enumerate(free)}

    def own_net(self, bit: Bit) -> Net | None:
        """The net of a port or a register of the block itself."""
        name, number = netlist.place_of(bit.label, self.widths, self.lanes)
        if name in self.block["ports"]:
            nets = self.block["ports"][name]["bits"]
        else:
            nets = self.registers.get(name, [])
        return nets[number] if number < len(nets) else None

    def part_net(self, bit: Bit) -> Net | None:
        """What a part takes or gives."""
        if bit.way == "gives" and bit.label.next:
            return self.wires.get((bit.label.signal, bit.label.bit, True))
        if bit.port:
            connections = self.parts[bit.part]["connections"]
            name, number = netlist.place_of(replace(bit.label, signal=bit.signal), {name: len(nets) for name, nets in connections.items()},
                                            self.part_lanes[bit.part])
            nets = connections.get(name, [])
            return nets[number] if number < len(nets) else None
        return self.wires.get((f"{bit.part}.{bit.signal}", bit.label.bit, False))

    def net(self, bit: Bit) -> Net | None:
        if bit.part:
            return self.part_net(bit)
        if self.inside(bit):
            part, _, name = bit.signal.partition(".")
            signal = f"{part}.gives.{name}" if bit.label.next else bit.signal
            return self.wires.get((signal, bit.label.bit, bit.label.next))
        if bit.kind != "next":
            return self.own_net(bit)
        net = self.own_net(bit)
        if net is not None and net not in self.next:
            raise NetlistError(f"{bit.label.text} is no register")
        return self.next.get(net)

    def check_block(self, nets: list[tuple[Bit, Net]]) -> None:
        """Every input, every output and every register of the RTL is in the list."""
        listed = {net for bit, net in nets if bit.kind == "in"}
        ports = [port for name, port in self.block["ports"].items() if port["direction"] == "input" and name != "clk_i"]
        given = {netlist.place_of(bit.label, self.widths, self.lanes) for bit, _ in nets if bit.kind == "out" and not bit.part}
        if any((name, number) not in given for name, port in self.block["ports"].items() if port["direction"] == "output"
               for number in range(len(port["bits"]))):
            raise NetlistError("the RTL has outputs that are not in the port list")
        kept = {self.own_net(bit) for bit, _ in nets if bit.kind == "next" and not bit.part and not self.inside(bit)} & listed
        if any(net not in listed for port in ports for net in port["bits"]) or any(net not in kept for net in self.next):
            raise NetlistError("the RTL has inputs or registers that are not in the port list")

    def check_parts(self, nets: list[tuple[Bit, Net]]) -> None:
        listed = {(bit.way, net) for bit, net in nets if bit.part}
        for box in self.parts.values():
            for name, bits in box["connections"].items():
                way = "gives" if box["port_directions"][name] == "output" else "takes"
                if name != "clk_i" and any((way, net) not in listed for net in bits):
                    raise NetlistError("a part in the RTL has ports that are not in its port list")
        clocked = {bit.part for bit in self.bits if bit.part and not bit.port}
        for part, box in self.parts.items():
            if box["connections"].get("clk_i", []) != (netlist.clock(self.block) if part in clocked else []):
                raise NetlistError(f"the part {part} in the RTL has another clock")

    def circuit(self) -> Json:
        nets = []
        for bit in self.bits:
            if bit.signal == "rst_ni" and not bit.part and "rst_ni" not in self.block["ports"]:
                continue
            if self.unknown(bit) and bit.kind == "in":
                continue
            net = self.wires[bit.label.signal, bit.label.bit, True] if self.unknown(bit) else self.net(bit)
            if net is None:
                raise NetlistError(f"the RTL has no {bit.label.text}")
            nets.append((bit, net))
        self.check_block(nets)
        self.check_parts(nets)
        boxes = {*self.free, *(netlist.instance(part) for part in self.parts)}
        return netlist.circuit(
            {bit.label.text: netlist.port("input" if bit.kind == "in" else "output", [net]) for bit, net in nets},
            {name: cell for name, cell in self.block["cells"].items() if not netlist.is_flop(cell) and name not in boxes})


def step_circuit(block: Json, bits: Iterable[tuple[str, str]], free: bool = False) -> Json:
    """The step of a flattened module under the labels of `bits`. `free`: what comes out of a box, and what is in it after the
    edge, is undefined."""
    return _Cut(block, [_bit(kind, text) for kind, text in bits if kind in KINDS], free).circuit()


def write_step(design: Path, top: str, bits: Path, aig: Path, free: bool = False, undefined: str = "anyseq") -> None:
    """AIG of a flattened design's step, under the labels of `bits`. What is undefined is an input without a name, or with "zero" 0."""
    cut = Path(f"{aig}.json")
    netlist.write(cut, {"step": step_circuit(netlist.module(design, top), read_bits(bits), free)})
    yosys.run([f"read_json {cut}", *yosys.to_gates(undefined), f"write_aiger -ascii -symbols {aig}"], Path(f"{aig}.ys"))
