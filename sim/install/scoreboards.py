# SPDX-License-Identifier: Apache-2.0
"""A scoreboard of each block for benches in SystemVerilog, made from the block's RTL header and its port list:

  BLOCK_scoreboard.sv   module of that name: the block's ports as inputs; compares outputs with the reference model
  BLOCK_bound.sv        the same with the block's registers, bound to every instance of the block

  python3 sim/install/scoreboards.py OUT              write them, and the package, below OUT

doc/use/dpi.md. Run from the repository root.
"""
from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
import blocks
import rtl_lists
import tools

PACKAGE = Path("tb/dpi/ballast_dpi_pkg.sv")
VPI = Path("tb/dpi/ballast_vpi.c")
CLOCK, RESET = "clk_i", "rst_ni"
HEAD = """// SPDX-License-Identifier: Apache-2.0
//
// {about}
// Made from the RTL and the port list of {block} by 'make install'. doc/use/dpi.md

`default_nettype none

"""


@dataclass(frozen=True)
class Pin:
    """A vector to compare, or to feed the model with. `place`: what it is called in the scoreboard."""

    name: str
    place: str
    array: bool = False

    @property
    def word(self) -> str:
        return f"word_{self.name}"

    def connect(self) -> list[str]:
        element = f"{self.place}[0]" if self.array else self.place
        lines = [f'{self.word} = connect(open, "{self.name}", $bits({element}));']
        return lines + ([f'elements_{self.name} = ballast_reference_elements(open, "{self.name}");'] if self.array else [])

    def put(self) -> list[str]:
        if self.array:
            return [f"for (int n = 0; n < elements_{self.name}; n++) put(handle, {self.word} + n, 64'({self.place}[n]));"]
        return [f"for (int w = 0; 64 * w < $bits({self.place}); w++) put(handle, {self.word} + w, 64'(($bits({self.place}) + 63)'({self.place}) >> (64 * w)));"]

    def declared(self) -> list[str]:
        return [f"int {self.word};", *([f"int elements_{self.name};"] if self.array else [])]


def ports_of(module: rtl_lists.Module) -> list[Pin]:
    return [Pin(name, name) for name, _, _ in module.ports if name not in (CLOCK, RESET)]


def registers_of(block: blocks.Block) -> list[Pin]:
    """The block's own: its parts have scoreboards of their own."""
    scope = f"`BALLAST_{block.name.upper()}"
    return [Pin(f"{name}_q", f"{scope}.{name}_q", array) for name, array in block.registers.items()]


def _indented(lines: list[str], depth: int) -> str:
    return "".join(f"{'  ' * depth}{line}\n" for line in lines)


def _inputs(name: str, module: rtl_lists.Module) -> str:
    parameters = ",\n".join(f"  parameter int {name} = {value}" for name, value, _ in module.parameters)
    widths = {CLOCK: "", **{name: width for name, width, _ in module.ports}}
    ports = ",\n".join(f"  input  wire  {width}{' ' if width else ''}{name}" for name, width in widths.items())
    given = f" #(\n{parameters}\n)" if parameters else ""
    return f"module {name}{given} (\n{ports}"


def _module(name: str, module: rtl_lists.Module, pins: list[Pin], counts_out: bool) -> str:
    """`counts_out`: the counts are outputs."""
    values = " ".join(f"{parameter}=%0d" for parameter, _, _ in module.parameters)
    given = ", ".join([f'"{values}"', *(parameter for parameter, _, _ in module.parameters)])
    reset = RESET if any(port == RESET for port, _, _ in module.ports) else "1'b1"
    counts = (",\n  output int   cycles_o,\n  output int   mismatches_o\n);\n" if counts_out else "\n);\n\n  int cycles_o;\n  int mismatches_o;\n")
    return f"""{_inputs(name, module)}{counts}
  import ballast_dpi_pkg::*;

  int handle = open();  // before anything else happens
{_indented([line for pin in pins for line in pin.declared()], 1)}
  function automatic int open();
    open = ballast_reference_open("{module.name}", $sformatf({given}));
    if (open == 0) $fatal(1, "%0s", why(open));
{_indented([line for pin in pins for line in pin.connect()], 2)}  endfunction

  function automatic int connect(input int to, input string pin, input int width);
    connect = ballast_reference_connect(to, pin, width);
    if (connect < 0) $fatal(1, "%0s", why(to));
  endfunction

  initial begin
    cycles_o     = 0;
    mismatches_o = 0;
  end

  always @(posedge {CLOCK}) begin
{_indented([line for pin in pins for line in pin.put()], 2)}    if ({reset}) cycles_o <= cycles_o + 1;
    if (ballast_reference_cycle(handle, int'({reset})) != 0) begin
      mismatches_o <= mismatches_o + 1;
      if (mismatches_o == 0) $error("%0s", why(handle));
    end
  end

endmodule
"""


def scoreboard(block: blocks.Block) -> str:
    """Beside the block, or anywhere else where its pins are to be seen."""
    module = rtl_lists.Module.of(block.rtl.read_text())
    about = (f"{block.name}_scoreboard: compares every output of {block.name} with the reference model, at every rising edge. cycles_o: edges with\n"
             "// rst_ni = 1 so far; mismatches_o: edges at which something differed. The first one is told with $error.")
    return (HEAD.format(block=block.name, about=about) + _module(f"{block.name}_scoreboard", module, ports_of(module), counts_out=True) + "\n`default_nettype wire\n")


def bind(block: blocks.Block) -> str:
    """Inside the block, where its registers are to be seen, too. Without a clock of its own nothing can be bound there."""
    module = rtl_lists.Module.of(block.rtl.read_text())
    name, macro = f"{block.name}_bound", f"BALLAST_{block.name.upper()}"
    about = (f"{name}: as {block.name}_scoreboard, and compares the block's own registers, too. Bound to every instance of\n// {block.name}. "
             f"A simulator without bind gets an instance of it beside the block's, whose name {macro} is: -D{macro}=u_dut.")
    parameters = ", ".join(f".{parameter}({parameter})" for parameter, _, _ in module.parameters)
    ports = ", ".join(f".{port}({port})" for port, _, _ in module.ports)
    return (HEAD.format(block=block.name, about=about) + f"`ifndef {macro}\n`define {macro} {block.name}\n`define {macro}_BIND\n`endif\n\n"
            + _module(name, module, ports_of(module) + registers_of(block), counts_out=False)
            + f"\n`ifdef {macro}_BIND\nbind {block.name} {name}{f' #({parameters})' if parameters else ''} u_ballast_scoreboard (\n"
              f"  {ports});\n`endif\n\n`default_nettype wire\n")


def files() -> dict[str, str]:
    """All of them, by name."""
    vpi = VPI.read_text().replace('"dpi/reference.h"', "<ballast/reference.h>").replace("<iverilog/vpi_user.h>", "<vpi_user.h>")
    found = {PACKAGE.name: PACKAGE.read_text(), VPI.name: vpi}
    for block in blocks.choose_to_list([]):
        found[f"{block.name}_scoreboard.sv"] = scoreboard(block)
        if block.clocked:
            found[f"{block.name}_bound.sv"] = bind(block)
    return found


def main() -> None:
    if len(sys.argv) != 2:
        raise tools.Failure("usage: scoreboards.py OUT")
    for name, text in files().items():
        with tools.whole(Path(sys.argv[1], name)) as file:
            file.write(text)


if __name__ == "__main__":
    tools.program(main)
