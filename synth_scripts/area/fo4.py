# SPDX-License-Identifier: Apache-2.0
"""The unit FO4 of a library: the delay of its smallest inverter that drives four of its like, measured with OpenSTA.

Errors: tools.Failure where OpenSTA does not say the number.
"""
from __future__ import annotations

import re
from pathlib import Path

import tools
from cells import Library
from tools import Failure

SCRIPT = Path("synth_scripts/area/area_fo4.tcl")


def chain(library: Library) -> str:
    """A chain of inverters, three more at every output, so that each drives four (area_fo4.tcl)."""
    inverter, (a,), (y,) = library.inverter.name, library.inverter.inputs, library.inverter.outputs
    lines = ["module fo4 (a, y);", "  input a;", "  output y;"]
    nets = ["a"] + [f"n{i}" for i in range(7)] + ["y"]
    lines += [f"  wire {net};" for net in nets[1:-1]]
    for i, (source, to) in enumerate(zip(nets, nets[1:])):
        lines.append(f"  {inverter} s{i} (.{a}({source}), .{y}({to}));")
        lines += [f"  {inverter} l{i}_{load} (.{a}({to}), .{y}());" for load in (1, 2, 3)]
    return "\n".join(lines + [f"  {inverter} l7_4 (.{a}(y), .{y}());", "endmodule", ""])


def ns(library: Library, work: Path) -> float:
    (work / "fo4.v").write_text(chain(library))
    script = work / "fo4.tcl"
    script.write_text(f"set library {library.path}\nset netlist {work}/fo4.v\nset output {library.inverter.outputs[0]}\nsource {SCRIPT}\n")
    try:
        said = tools.run(["sta", "-no_splash", "-exit", script], seconds=600).stdout
    except tools.ToolFailed as error:
        raise Failure(f"{library.name}: FO4 of {library.inverter.name} cannot be measured: {error}") from None
    number = re.search(r"^fo4 ([0-9.]+)$", said, re.M)
    if not number or not float(number[1]):
        why = re.search(r"^.*rror.*$", said, re.M)
        raise Failure(f"{library.name}: FO4 of {library.inverter.name} cannot be measured: {why[0] if why else 'sta said nothing'}")
    return float(number[1])
