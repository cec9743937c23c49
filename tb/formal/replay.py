# SPDX-License-Identifier: Apache-2.0
"""A counterexample of a proof in lockstep: the block's model and its Verilated RTL, with the engine's shim, for one cycle."""
from __future__ import annotations

from pathlib import Path

import tools
from blocks import Block, Target, block
from circuits import Setup, model_sources
from verilated import OBJECTS, compile_c, compile_registry, compile_shim


def _with_parts(of: Block) -> set[str]:
    return {of.name}.union(*(_with_parts(block(part.block)) for part in of.parts))


def _link(setup: Setup, target: Target, folder: Path) -> None:
    """folder/replay."""
    of, build, rtl, flags = target.block, setup.build, setup.rtl, ("-O0", f"-I{setup.models}")  # it runs one cycle
    shim = compile_shim(of, target.name, target.params, [
        *(f"-G{name}={value}" for name, value in target.params.items()), "-y", rtl / "common", "-y", rtl / "sm",
        "-y", rtl / "chip", "tb/shim/public.vlt", *sorted((rtl / "common").glob("*_pkg.sv")), rtl / of.rtl.relative_to("rtl")],
        folder, flags=flags)
    objects = [compile_c(source, folder / f"replay_{source.stem}.o", *flags)
               for source in [*model_sources(setup, of), Path("tb/formal/replay.c")]]
    objects.append(compile_registry([target.name], folder))
    glue = [OBJECTS / f"glue_{name}.o" for name in _with_parts(of)]
    engine = [OBJECTS / f"tb/engine/{name}.o" for name in ("decision", "dut", "port")]
    verilator = [build / f"verilator/{name}.o" for name in ("runtime", "parts", "verilated", "verilated_threads")]
    tools.run(["g++", "-o", folder / "replay", *objects, shim, *glue, *engine, *verilator],
              log=folder / "link_replay.log", leaves=[folder / "replay"])


def play(setup: Setup, target: Target, folder: Path, counterexample: Path) -> str:
    """What lockstep says, one line; why it says nothing where it does not."""
    try:
        _link(setup, target, folder)
        said = tools.run([folder / "replay", counterexample], accept=(0, 1)).stdout.splitlines()
    except tools.ToolFailed as failure:
        return f"not played: {failure}"
    return said[0] if said else "not played: it says nothing"
