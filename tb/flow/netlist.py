# SPDX-License-Identifier: Apache-2.0
"""Netlists as Yosys writes them in JSON: registers, flip-flops, and how a port list's labels are called in them.

A net is a number, a constant "0", "1" or "x". Names of registers end in _q (CONTRIBUTING.md), an array's elements are numbered.
What is not as the flows need it is a NetlistError.
"""
from __future__ import annotations

import graphlib
import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools import Failure, ToolFailed, whole

Net = int | str
Json = dict[str, Any]


class NetlistError(Failure):
    """A netlist that is not what it must be."""


def read(path: Path) -> dict[str, Json]:
    """The modules of a file by name. One that is missing or cut short is a ToolFailed."""
    try:
        return json.loads(path.read_text())["modules"]
    except (OSError, ValueError, KeyError, TypeError):
        raise ToolFailed(f"{path}: no netlist in Yosys' JSON") from None


def write(path: Path, modules: dict[str, Json]) -> None:
    with whole(path) as file:
        file.write(json.dumps({"creator": "tb/flow/netlist.py", "modules": modules}))  # json.dump is not done in C


def module(path: Path, top: str) -> Json:
    modules = read(path)
    if top not in modules:
        raise NetlistError(f"{path}: has no module {top}")
    return modules[top]


def port(direction: str, bits: Iterable[Net]) -> Json:
    return {"direction": direction, "bits": list(bits)}


def circuit(ports: dict[str, Json], cells: dict[str, Json]) -> Json:
    return {"ports": ports, "cells": cells, "netnames": {}}


# ---- comparison -----------------------------------------------------------------------------

def _digest(*what: object) -> str:
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


def _outward(cell: Json) -> list[str]:
    return sorted(name for name, way in cell["port_directions"].items() if way == "output")


def digests(of: Json) -> dict[str, list[str]]:
    """What each port of a circuit without registers is, down to the inputs, whatever its cells and nets are called. A net that
    nothing drives, or a loop, is a NetlistError."""
    drivers = {net: name for name, cell in of["cells"].items() for port in _outward(cell) for net in cell["connections"][port]}
    known: dict[Net, str] = {bit: bit for bit in ("0", "1", "x", "z")}
    for name, one in of["ports"].items():
        if one["direction"] == "input":
            known |= {net: _digest(name, number) for number, net in enumerate(one["bits"])}
    read = {name: {net for port, nets in cell["connections"].items() if port not in _outward(cell) for net in nets}
            for name, cell in of["cells"].items()}
    try:
        before = {name: {drivers[net] for net in nets if net not in known} for name, nets in read.items()}
        cells = list(graphlib.TopologicalSorter(before).static_order())
    except graphlib.CycleError:
        raise NetlistError("the netlist has a loop") from None
    except KeyError as net:
        raise NetlistError(f"nothing drives the net {net}") from None
    for name in cells:
        cell = of["cells"][name]
        inward = {port: [known[net] for net in nets] for port, nets in cell["connections"].items() if port not in _outward(cell)}
        this = _digest(cell["type"], cell["parameters"], inward)
        for port in _outward(cell):
            known |= {net: f"{this} {port} {number}" for number, net in enumerate(cell["connections"][port])}
    if any(net not in known for one in of["ports"].values() for net in one["bits"]):
        raise NetlistError("nothing drives a net that goes out")
    return {name: [one["direction"], *(known[net] for net in one["bits"])] for name, one in of["ports"].items()}


def same(one: Json, other: Json) -> bool:
    """Whether two circuits are the same cells between the same ports."""
    return digests(one) == digests(other)


# ---- registers and flip-flops ---------------------------------------------------------------

def registers(of: Json) -> dict[str, list[Net]]:
    """The registers of a flattened module of the RTL: bits by name."""
    return {name: net["bits"] for name, net in of["netnames"].items() if re.search(r"_q(\[\d+\])?$", name)}


def is_flop(cell: Json) -> bool:
    # The name of a module with parameters ends in hexadecimal digits, which may be "dff".
    return not cell["type"].startswith("$paramod") and re.search(r"dff|dlatch|[$]sr$|[$]mem", cell["type"]) is not None


def boxes(of: Json) -> list[str]:
    """The cells of a flattened module that are other modules, without contents here."""
    return [name for name, cell in of["cells"].items() if not re.match(r"[$](?!paramod)", cell["type"])]


def clock(of: Json) -> list[Net]:
    return of["ports"]["clk_i"]["bits"] if "clk_i" in of["ports"] else []


def rtl_flops(of: Json) -> dict[Net, Net]:
    """The flip-flops of a module of the RTL after `proc`, a bit each: what comes next (D) by what is there (Q)."""
    flops = {}
    for name, cell in of["cells"].items():
        if not is_flop(cell):
            continue
        pins = cell["connections"]
        if cell["type"] != "$dff" or pins["CLK"] != clock(of) or not str(cell["parameters"]["CLK_POLARITY"]).endswith("1"):
            raise NetlistError(f"the RTL's register {name} is a {cell['type']}, not a flip-flop at the rising edge of clk_i")
        flops.update(zip(pins["Q"], pins["D"], strict=True))
    return flops


@dataclass(frozen=True)
class Pins:
    clk: str
    d: str
    q: str


def flop_types(library: dict[str, Json]) -> dict[str, Pins]:
    """The library's cells that are a flip-flop at the rising edge and nothing else."""
    types = {}
    for name, cell in library.items():
        flops = [inner for inner in cell["cells"].values() if inner["type"] == "$_DFF_P_"]
        if len(flops) != 1 or len(cell["cells"]) > 2:
            continue
        pin = {ports["bits"][0]: label for label, ports in cell["ports"].items()}
        pins = [pin.get(flops[0]["connections"][inside][0]) for inside in "CDQ"]
        if all(pins):
            types[name] = Pins(*pins)
    return types


@dataclass(frozen=True)
class Flop:
    cell: str
    q: Net
    d: Net


def mapped_flops(of: Json, types: dict[str, Pins]) -> list[Flop]:
    """The flip-flops of a netlist of library cells."""
    flops = []
    for name, cell in of["cells"].items():
        pins = types.get(cell["type"])
        if pins is None:
            continue
        nets = cell["connections"]
        if nets[pins.clk] != clock(of):
            raise NetlistError(f"flip-flop {name} is not clocked by clk_i")
        flops.append(Flop(name, nets[pins.q][0], nets[pins.d][0]))
    return flops


# ---- labels of a port list --------------------------------------------------------------------

def instance(field: str) -> str:
    """The RTL's name of a part: "perfsat" is u_perfsat, "sm[3]" is gen_sm[3].u_sm."""
    return f"gen_{field}.u_{field.partition('[')[0]}" if field.endswith("]") else f"u_{field}"


def rtl_name(signal: str) -> str:
    """The RTL's name of a register: "sm[3].perfsat.state_q" is gen_sm[3].u_sm.u_perfsat.state_q."""
    *parts, name = signal.split(".")
    return ".".join([*map(instance, parts), name])


@dataclass(frozen=True)
class Label:
    """One bit of a signal as tb/formal/words.c writes it: "i00012.inst_q[3][7]", "inst_q[3].next[7]"."""

    text: str
    signal: str
    bit: int
    next: bool

    @staticmethod
    def parse(text: str) -> Label:
        match = re.fullmatch(r"(?:i\d+\.)?(.*?)(\.next)?\[(\d+)\]", text)
        if not match:
            raise NetlistError(f"'{text}' is no label of a bit")
        return Label(text, match[1], int(match[3]), match[2] is not None)

    @property
    def lane(self) -> tuple[int, str] | None:
        """Of "sm[1].limit_o" 1 and limit_o: a vector with bits per SM comes in as many pieces."""
        match = re.fullmatch(r"\w+\[(\d+)\]\.(\w+_[io])", self.signal)
        return (int(match[1]), match[2]) if match else None


def lanes_of(labels: Iterable[Label]) -> int:
    """How many pieces the vectors of a block are cut into."""
    return 1 + max((label.lane[0] for label in labels if label.lane), default=0)


def place_of(label: Label, widths: dict[str, int], lanes: int) -> tuple[str, int]:
    """Where a bit of a port or register is: the RTL's name and the bit. `widths`: of the RTL's ports. Words of 64 bits make up a
    wider port: comp_i[1], bit 3 is bit 67 of comp_i."""
    if label.lane:
        lane, name = label.lane
        if name not in widths:
            raise NetlistError(f"the RTL has no {label.text}")
        return name, lane * widths[name] // lanes + label.bit
    word = re.fullmatch(r"(\w+_[io])\[(\d+)\]", label.signal)
    if word:
        return word[1], 64 * int(word[2]) + label.bit
    return rtl_name(label.signal), label.bit
