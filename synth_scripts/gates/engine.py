# SPDX-License-Identifier: Apache-2.0
"""The ballast command with netlists in the place of the RTL, and a recording replayed with it.

A block that is fed from all SMs sees nothing of a recording by itself. It runs in the chip of full size that
its shim.c puts together; the netlist of a chip itself is such a block, too, and needs nothing around it. Errors:
tools.Failure.
"""
from __future__ import annotations

import os
import shutil
from pathlib import Path

import tools
from blocks import Block, Target, blocks, parameters, targets, words_of
from replays import explanation, result
from tools import Failure
from verilated import SECONDS, compile_c, compile_registry, compile_shim

def name_of(target: Target) -> str:
    return target.options.get("netlist", target.name)


def netlists(of: Block, config: str) -> list[Target]:
    """The option `quick` is for make test."""
    return targets("gates", of, config, ("netlist", "quick"))


def chip_around(target: Target) -> Block | None:
    """The chip in which a target runs: a block that its shim.c puts together of parts, one of which is the target's."""
    if target.stimulus != "chip":
        return None
    chips = [one for one in blocks().values() if one.has("shim.c")]
    return next((chip for chip in chips if any(part.block == target.block.name for part in chip.parts)), None)


def needs(target: Target, config: str) -> list[str]:
    """The blocks that run besides: those whose outputs it reads, or the parts of the chip around it."""
    chip = chip_around(target)
    if chip is None:
        return list(target.block.needs) if target.stimulus == "lockstep" else []
    parts = dict.fromkeys(part.block for part in chip.parts)
    return [name_of(one) for part in parts for one in netlists(blocks()[part], config)]


def compile_netlist(target: Target, folder: Path, cells: Path) -> None:
    """FOLDER/shim.o from wrap.v, core.v and the cells' models."""
    name = name_of(target)
    compile_shim(target.block, f"{name}_netlist", target.params, [folder / "wrap.v", folder / "core.v", cells], folder,
                 "synth_scripts/gates/gate_shim.cpp", (f"-DGATE={name}",), netlist=True)


def link(chosen: list[Target], config: str, build: Path, out: Path) -> None:
    """OUT/ballast with these netlists; what they need besides is RTL."""
    mine = {name_of(target) for target in chosen}
    others = {name for target in chosen for name in needs(target, config)} - mine
    log = out / "make.log"
    try:
        tools.run(["make", "--no-print-directory", f"CONFIG={config}", f"B={build}", f"GATES_RTL={' '.join(sorted(others))}",
                   f"{build}/gates.objects"], seconds=SECONDS, log=log, leaves=[build / "gates.objects"])
        # Blocks come before those that need them.
        order = [name_of(one) for block in blocks().values() for one in netlists(block, config) if name_of(one) in mine | others]
        objects = [out / name_of(target) / "shim.o" for target in chosen]
        for chip in {chip for target in chosen if (chip := chip_around(target))}:
            order.append(chip.name)
            words = f'-DVARIANT_PARAMS="{words_of(parameters(chip, config))}"'
            objects.append(compile_c(chip.room / "shim.c", out / "chip.o", words))
        objects += [compile_registry(order, out), compile_c("synth_scripts/gates/gate_reproduce.c", out / "reproduce.o")]
        rest = (build / "gates.objects").read_text().split()
        beside = out / f".ballast.{os.getpid()}"
        tools.run(["g++", "-o", beside, *objects, *rest], seconds=SECONDS, log=out / "link.log", leaves=[beside])
        beside.replace(out / "ballast")
    except tools.ToolFailed as failure:
        raise Failure(f"the ballast command does not build: {failure}") from None


def replay(target: Target, config: str, recording: Path, out: Path) -> tuple[int, str]:
    """Cycles replayed, and what differs: nothing ("") where the block passes."""
    name = name_of(target)
    chip = chip_around(target)
    run = [chip.name] if chip else [*needs(target, config), name]
    folder = out / name
    log = folder / "replay.log"
    shutil.rmtree(folder / "run", ignore_errors=True)
    try:
        said = tools.run([out / "ballast", target.stimulus, "--out", folder / "run", "--block", ",".join(run),
                          recording], seconds=SECONDS, log=log, accept=(0, 1))
    except tools.ToolFailed as failure:
        raise Failure(f"the replay failed: {failure}") from None
    cycles, verdict = result(said.stdout)
    if said.returncode == 1:
        return cycles, explanation(said.stdout)
    return cycles, "" if cycles and verdict == "pass" else f"the run says {verdict}"
