# SPDX-License-Identifier: Apache-2.0
"""A counterexample of a proof in lockstep: the block's model and its Verilated RTL, with the engine's shim, for one cycle."""
from __future__ import annotations

from pathlib import Path

import tools
from blocks import Block, Target, block, words_of
from circuits import Setup, model_sources

VERILATED = ["-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0", "-DVM_TRACE_FST=0", "-DVM_TRACE_VCD=0", "-DVL_USER_STOP",
             "-DVL_PRINTF=rtl_printf", "-include", "tb/shim/rtl_printf.h"]


def _verilate(setup: Setup, target: Target, folder: Path) -> None:
    rtl = setup.rtl
    tools.run(["verilator", "--cc", "-Wno-fatal", "-Wno-lint", "--x-assign", "unique", "--x-initial", "unique", "--top-module",
               target.block.name, "--prefix", f"V{target.name}", "--Mdir", folder / "cpp",
               *(f"-G{name}={value}" for name, value in target.params.items()), "-y", rtl / "common", "-y", rtl / "sm",
               "-y", rtl / "chip", "tb/shim/public.vlt", *sorted((rtl / "common").glob("*_pkg.sv")),
               rtl / target.block.rtl.relative_to("rtl")],
              log=folder / "verilator.log")
    files = sorted((folder / "cpp").glob("V*.cpp"))
    (folder / "cpp/verilated_all.inc").write_text("".join(f'#include "{file.name}"\n' for file in files))


def _with_parts(of: Block) -> set[str]:
    return {of.name}.union(*(_with_parts(block(part.block)) for part in of.parts))


def _link(setup: Setup, target: Target, folder: Path) -> None:
    """folder/replay."""
    of, build = target.block, setup.build
    root = Path(tools.run(["verilator", "--getenv", "VERILATOR_ROOT"]).stdout.strip()) / "include"
    flags = ["-D_GNU_SOURCE", "-D_FILE_OFFSET_BITS=64", f"-I{setup.models}", "-Icmodel", "-Itb", "-Isim", "-O1", "-w"]
    tools.run(["g++", "-std=gnu++17", *flags, f"-I{folder}/cpp", f"-I{root}", f"-I{root}/vltstd", *VERILATED,
               f'-DBLOCK_PORTS="blocks/{of.name}/ports.h"', f"-DVARIANT={target.name}",
               f'-DVARIANT_PARAMS="{words_of(target.params)}"', "-c", "tb/shim/rtl_shim.cpp", "-o", folder / "shim.o"],
              log=folder / "shim.log")
    objects = []
    for source in [*model_sources(setup, of), Path("tb/formal/replay.c")]:
        objects.append(folder / f"replay_{source.stem}.o")
        tools.run(["gcc", "-std=c11", *flags, f"-DVARIANT={target.name}", "-c", source, "-o", objects[-1]],
                  log=folder / "gcc.log")
    glue = [build / f"opt/glue_{name}.o" for name in _with_parts(of)]
    engine = [build / f"opt/tb/engine/{name}.o" for name in ("decision", "dut", "port")]
    verilator = [build / f"verilator/{name}.o" for name in ("runtime", "parts", "verilated", "verilated_threads")]
    tools.run(["g++", "-flto=auto", "-o", folder / "replay", *objects, folder / "shim.o", *glue, *engine, *verilator],
              log=folder / "link_replay.log")


def play(setup: Setup, target: Target, folder: Path, counterexample: Path) -> str:
    """What lockstep says, one line; why it says nothing where it does not."""
    try:
        _verilate(setup, target, folder)
        _link(setup, target, folder)
        said = tools.run([folder / "replay", counterexample], accept=(0, 1)).stdout.splitlines()
    except tools.ToolFailed as failure:
        return f"not played: {failure}"
    return said[0] if said else "it says nothing"
