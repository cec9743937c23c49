# SPDX-License-Identifier: Apache-2.0
"""The one way in which RTL gets into Yosys, and the one recipe that maps it onto cells: what is measured is what is verified.

Functions give Yosys commands, a list; `run` runs them, and what Yosys says against them is a tools.ToolFailed of one line.
"""
from __future__ import annotations

from pathlib import Path

import tools
from blocks import Block

OSU018 = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
OSU035 = Path("/usr/share/qflow/tech/osu035/osu035_stdcells.lib")
CONSTRAINTS = Path("tb/flow/synth.constr")

# How abc maps: for delay, then buffers and sizes. `if -g` balances by depth, `map -B 0.5` counts less of a net's readers in
# than usual (area for delay), `buffer -N 3` splits nets with many readers, upsize and dnsize choose sizes with the library's
# own tables. The file synth.constr says what drives inputs and flip-flops and what outputs drive: without it abc takes a
# register with a hundred readers for free. doc/use/area.md has the recipes that were tried. Yosys wants commas for blanks.
ABC_SCRIPT = ("strash;ifraig;scorr;dc2;strash;if,-g,-K,6;strash;dch;map,-B,0.5;topo;buffer,-c,-N,3;topo;upsize,{D};dnsize,{D}")

# Registers stay under their names, for flows that cut there.
KEEP_REGISTERS = "setattr -set keep 1 w:*_q w:*_q[*] %u"

def to_gates(undefined: str = "zero") -> list[str]:
    """A circuit out of what was read, nothing left but AND gates and inverters, and what nothing reads. 'x is 0, or with "anyseq" a free input that has no
    name."""
    return ["techmap", "aigmap", f"setundef -{undefined}"]


def read(of: Block, params: dict[str, int], rtl: Path = Path("rtl"), options: str = "") -> list[str]:
    """Reads the RTL (with read_verilog's options) and elaborates the block."""
    files = " ".join(str(file) for folder in ("common", "sm", "chip") for file in sorted((rtl / folder).glob("*.sv")))
    commands = [f"read_verilog -sv {options} {files}".replace("  ", " ")]
    # One chparam for all: each makes a module with new names inside, and names move abc's choices by some percent.
    if params:
        commands.append("chparam" + "".join(f" -set {name} {value}" for name, value in params.items()) + f" {of.name}")
    # Registers keep their names and bits.
    return commands + [f"hierarchy -check -top {of.name}", "setattr -set register 1 w:*_q w:*_q[*] %u"]


def mapped(top: str, liberty: Path) -> list[str]:
    """Maps what was read onto the cells of a liberty; names of registers stay. One pass of abc only: a generic one before
    (synth's own) hides structure from it. Delay target 1 ps: as fast as it gets."""
    return [f"synth -flatten -noabc -top {top}", f"dfflibmap -liberty {liberty}",
            f"abc -D 1 -constr {CONSTRAINTS} -liberty {liberty} -script +{ABC_SCRIPT}", "opt_clean -purge"]


def run(commands: list[str], script: Path, seconds: float | None = None, env: dict[str, str] | None = None) -> None:
    """Runs commands; `script` is where they are left, with what Yosys said beside it (.log)."""
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text("\n".join(commands) + "\n")
    tools.run(["yosys", "-q", "-s", script], seconds=seconds, log=script.with_suffix(".log"), env=env)


def version() -> str:
    """The number of Yosys: "0.23"."""
    words = tools.run(["yosys", "-V"]).stdout.split()
    return words[1] if len(words) > 1 else "of unknown version"
