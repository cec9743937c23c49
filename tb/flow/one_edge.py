# SPDX-License-Identifier: Apache-2.0
"""A module around a block in which a cycle is one evaluation of Verilator's.

Verilator evaluates what follows from the inputs whenever it is called, and a clock that falls and rises wants two calls. In the module
BLOCK_edge the block's clock rises at every change of edge_i. In the same call the new inputs settle first, then comes the edge. So the
outputs from before the edge are kept, as x_was_o beside x_o. Parameters and other ports are the block's own. A block without a clock
is just wrapped, so that all have the same hierarchy: BLOCK_edge.BLOCK.

  python3 tb/flow/one_edge.py BLOCK.sv BLOCK_edge.sv

Errors are tools.Failure: one line, exit status 2.
"""
from __future__ import annotations

import argparse
import re
from pathlib import Path

from tools import Failure, program, whole

PORT = re.compile(r"^ +(input +wire|output +logic) +((?:\[.*\])?) *(\w+) *,? *(?://.*)?$")


def header(rtl: Path) -> tuple[str, list[str], list[tuple[bool, str, str]]]:
    """The module's parameter list as it is written, the parameters' names, and its ports: is it an output, range, name."""
    try:
        text = rtl.read_text()
    except OSError as error:
        raise Failure(f"{rtl}: cannot be read: {error.strerror}") from error
    found = re.search(rf"^module {rtl.stem}\b(?: #\(\n(.*?)\n\))? \(\n(.*?)\n\);", text, re.S | re.M)
    if not found:
        raise Failure(f"{rtl}: no module {rtl.stem} with a list of ports")
    ports = []
    for line in found[2].splitlines():
        port = PORT.match(line)
        if port:
            ports.append((port[1].startswith("output"), port[2], port[3]))
        elif line.strip() and not line.strip().startswith("//"):
            raise Failure(f"{rtl}: '{line.strip()}' is no port 'input wire [...] name' or 'output logic [...] name'")
    listed = found[1] or ""
    return listed, re.findall(r"^ +parameter +int +(\w+)", listed, re.M), ports


def wrapped(rtl: Path, values: dict[str, int] | None = None, netlist: bool = False) -> str:
    """The text of the module. `values`: of parameters, instead of the defaults; a netlist has none of its own."""
    block = rtl.stem
    listed, parameters, ports = header(rtl)
    for name, value in (values or {}).items():
        listed = re.sub(rf"(parameter +int +{name} *= *)[^,\n/]*[^,\n/ ]", rf"\g<1>{value}", listed)
    clocked = any(name == "clk_i" for _, _, name in ports)
    outputs = [(width, name) for is_output, width, name in ports if is_output and clocked]
    declared = [f"  input  wire {width} {'edge_i' if name == 'clk_i' else name}" if not is_output else f"  output logic {width} {name}"
                for is_output, width, name in ports]
    declared += [f"  output logic {width} {name.removesuffix('_o')}_was_o" for width, name in outputs]
    lines = [f"// made from {rtl} by tb/flow/one_edge.py", "// verilator coverage_off", "`default_nettype none",
             f"module {block}_edge" + (f" #(\n{listed}\n)" if parameters else "") + " (", ",\n".join(declared), ");"]
    if clocked:
        lines += ["  logic follows;", "  wire  clk = edge_i ^ follows;", "  initial follows = 1'b0;",
                  "  always_ff @(posedge clk) begin", "    follows <= edge_i;",
                  *(f"    {name.removesuffix('_o')}_was_o <= {name};" for _, name in outputs), "  end"]
    given = f" #({', '.join(f'.{name}({name})' for name in parameters)})" if parameters and not netlist else ""
    joined = ", ".join(f".{name}({'clk' if name == 'clk_i' else name})" for _, _, name in ports)
    return "\n".join([*lines, f"  {block}{given} {block} ({joined});", "endmodule", "`default_nettype wire", ""])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rtl", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    text = wrapped(args.rtl)
    with whole(args.out) as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    program(main)
