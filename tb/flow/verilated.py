# SPDX-License-Identifier: Apache-2.0
"""RTL that the build has not, such as a netlist or a block with a fault, behind the engine's shim."""
from __future__ import annotations

import shutil
from pathlib import Path

import one_edge
import tools
from blocks import Block, words_of

C_FLAGS = ["-D_GNU_SOURCE", "-D_FILE_OFFSET_BITS=64", "-Icmodel", "-Itb", "-Isim", "-w"]
CXX_FLAGS = ["-std=gnu++17", *(f"-DVM_{name}=0" for name in ("COVERAGE", "SC", "TRACE", "TRACE_FST", "TRACE_VCD")),
             "-DVL_USER_STOP", "-DVL_PRINTF=rtl_printf", "-include", "tb/shim/rtl_printf.h"]
OBJECTS = Path("build/opt")  # C as it is, which make has compiled for all configurations
SECONDS = 3600  # no tool may hang


def compile_shim(of: Block, variant: str, params: dict[str, int], rtl: list[str | Path], folder: Path,
                 source: str = "tb/shim/rtl_shim.cpp", flags: tuple[str, ...] = (), netlist: bool = False) -> Path:
    """FOLDER/shim.o, the block `variant`. `rtl`: what Verilator is told besides, the files to read; `netlist`: they have no parameters.
    `flags` of the compiler, before which there is -O1."""
    cpp, shim, edge = folder / "cpp", folder / "shim.o", folder / f"{of.name}_edge.sv"
    shutil.rmtree(cpp, ignore_errors=True)
    with tools.whole(edge) as file:
        file.write(one_edge.wrapped(of.rtl, {**of.parameters, **params}, netlist))
    tools.run(["verilator", "--cc", "-Wno-fatal", "-Wno-lint", "-f", "tb/shim/verilator.args",
               "--top-module", edge.stem, "--prefix", f"V{variant}", "--Mdir", cpp, *rtl, edge],
              seconds=SECONDS, log=folder / "verilator.log", leaves=[cpp / f"V{variant}.h"])
    (cpp / "verilated_all.inc").write_text("".join(f'#include "{file.name}"\n' for file in sorted(cpp.glob("V*.cpp"))))
    include = Path(tools.run(["verilator", "--getenv", "VERILATOR_ROOT"], seconds=60).stdout.strip()) / "include"
    tools.run(["g++", "-O1", *flags, *C_FLAGS, *CXX_FLAGS, f"-I{cpp}", f"-I{include}", f"-I{include}/vltstd",
               f'-DBLOCK_PORTS="blocks/{of.name}/ports.h"', f"-DVARIANT={variant}", f'-DVARIANT_PARAMS="{words_of(params)}"',
               "-c", source, "-o", shim], seconds=SECONDS, log=folder / "shim.log", leaves=[shim])
    return shim


def compile_c(source: str | Path, to: Path, *flags: str) -> Path:
    tools.run(["gcc", "-std=c11", "-O1", *flags, *C_FLAGS, "-c", source, "-o", to], seconds=SECONDS, log=to.with_suffix(".log"),
              leaves=[to])
    return to


def compile_registry(names: list[str], folder: Path) -> Path:
    """FOLDER/registry.o: these are the blocks of the program, each after those that it needs."""
    source = folder / "registry.c"
    declared = "".join(f"extern const block {name}_block;\n" for name in names)
    listed = "".join(f"    &{name}_block,\n" for name in names)
    source.write_text(f'#include "engine/block.h"\n{declared}const block *const block_registry[] = {{\n{listed}    NULL}};\n')
    return compile_c(source, folder / "registry.o")
