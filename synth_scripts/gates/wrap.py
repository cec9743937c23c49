# SPDX-License-Identifier: Apache-2.0
"""The face that the RTL shows to the lockstep engine, put on a netlist: a module with the block's name, ports and register
names, in named blocks where the RTL has instances, around the netlist (module NAME_netlist). The engine's shim then compiles as
for RTL.
"""
from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

import netlist
from netlist import Json, NetlistError


@dataclass(frozen=True)
class _Register:
    path: tuple[str, ...]  # instances
    name: str
    element: int | None    # of an array
    width: int
    source: str


def _escaped(name: str) -> str:
    return f"\\{name} " if re.search(r"[^A-Za-z0-9_$]", name) else name


def _range(width: int) -> str:
    return "" if width == 1 else f"[{width - 1}:0] "


def _register(full: str, width: int, mapped: Json) -> _Register:
    match = re.fullmatch(r"(.*\.)?([A-Za-z0-9_]+_q)(?:\[(\d+)\])?", full)
    if not match:
        raise NetlistError(f"register name '{full}' is not understood")
    # A register that synthesis removed reads 0 (cut.py).
    source = f"u_netlist.{_escaped(full)}" if full in mapped["netnames"] else "0"
    path = tuple((match[1] or "").split(".")[:-1])
    return _Register(path, match[2], None if match[3] is None else int(match[3]), width, source)


def _declaration(elements: list[_Register]) -> list[str]:
    first = elements[0]
    readable = f"  wire {_range(first.width)}{first.name}"
    if first.element is None:
        return [f"{readable} /*verilator public_flat_rd*/ = {first.source};"]
    return [f"{readable} [{len(elements)}] /*verilator public_flat_rd*/;",
            *(f"  assign {one.name}[{one.element}] = {one.source};" for one in elements)]


def _scopes(registers: list[_Register], depth: int = 0) -> list[str]:
    """The registers below here."""
    lines = []
    here = sorted((one for one in registers if len(one.path) == depth), key=lambda one: (one.name, one.element or 0))
    for _, elements in groupby(here, key=lambda one: one.name):
        lines += _declaration(list(elements))
    below = sorted((one for one in registers if len(one.path) > depth), key=lambda one: one.path[depth])
    for name, inside in groupby(below, key=lambda one: one.path[depth]):
        lines += [f"  if (1) begin : {_escaped(name)}", *_scopes(list(inside), depth + 1), "  end"]
    return lines


def wrap(top: str, rtl: Json, mapped: Json) -> str:
    registers = [_register(name, len(bits), mapped) for name, bits in netlist.registers(rtl).items()]
    ports = [f"  {port['direction']} wire {_range(len(port['bits']))}{name}" for name, port in mapped["ports"].items()]
    pins = [f"    .{name}({name})" for name in mapped["ports"]]
    return "\n".join([f"// Made by gates.py: the netlist of {top} with the RTL's ports and registers.",
                      f"module {top}(", ",\n".join(ports), ");", f"  {top}_netlist u_netlist (", ",\n".join(pins), "  );",
                      *_scopes(registers), "endmodule", ""])
