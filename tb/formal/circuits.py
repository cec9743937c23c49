# SPDX-License-Identifier: Apache-2.0
"""One step of a block as circuits: the model's from C by way of LLVM IR (step.ll), the RTL's by Yosys (rtl.aag), both under
the labels of `bits`. Everything goes into a folder per block; a tool that fails is a tools.ToolFailed.
"""
from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from pathlib import Path

import cut
import llvm
import netlist
import tools
import yosys
from blocks import Block, words_of


LINKED = ("stepir", "unknowns")  # with LLVM


@dataclass(frozen=True)
class Setup:
    """Where everything is: the RTL, the models and what verification knows of the blocks (`rooms`, a tree as tb), the tools'
    build."""

    config: str
    build: Path
    out: Path
    seconds: int = 300
    rtl: Path = Path("rtl")
    models: Path = Path("cmodel")
    rooms: Path = Path("tb")

    def tool(self, name: str) -> Path:
        """What formal.mk builds; what is linked with LLVM has a folder per version."""
        folder = self.build / "formal"
        return (folder / f"llvm-{llvm.version()}" if name in LINKED else folder) / name


# ---- the model -------------------------------------------------------------------------------

def model_of(block: Block) -> str:
    """The model of rtl/sm/lcs.sv is sm/lcs."""
    return f"{block.rtl.parent.name}/{block.name}"


def model_sources(setup: Setup, block: Block, without: Block | None = None) -> list[Path]:
    """What has the model's step: the file of the block, and of all whose headers it includes; `without` a block and what only
    that one includes."""
    sources, waiting, seen = [], [model_of(block)], {model_of(without)} if without else set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for file in (setup.models / f"{name}.h", setup.models / f"{name}.c"):
            if file.is_file():
                waiting += re.findall(r'^#include "(\w+/\w+)\.h"', file.read_text(), flags=re.M)
                sources += [file] if file.suffix == ".c" else []
    own = setup.models / f"{model_of(block)}.c"
    if own not in sources:
        raise tools.Failure(f"{own}: no such model")
    return sorted(sources)


def flags(setup: Setup, block: Block, folder: Path) -> list[str]:
    """Of the compiler, for tb/formal/*.c with this block."""
    found = ["-D_GNU_SOURCE", f"-I{setup.models}", "-Icmodel", f"-I{setup.rooms}", "-Itb", "-Isim", f"-I{folder}", "-std=c11",
             "-Wno-everything", "-Werror=implicit-function-declaration", "-Werror=return-type", "-fno-strict-aliasing",
             f'-DBLOCK_PORTS="blocks/{block.name}/ports.h"']
    if any(part.array for part in block.parts):
        found.append("-DSTEP_ARRAY")
    if block.has("invariant.h"):
        found.append(f'-DSTEP_INVARIANT="blocks/{block.name}/invariant.h"')
    return found


def words(setup: Setup, block: Block, params: dict[str, int], folder: Path, *part: str) -> None:
    """The block's ports and registers laid out: step_words.h and bits."""
    folder.mkdir(parents=True, exist_ok=True)
    tools.run([setup.tool("words"), block.name, words_of(params), folder, *part], log=folder / "words.log",
              leaves=[folder / "step_words.h", folder / "bits"])


# A trap before each operation that C does not define, a mark where it leaves a variable undefined. What is missing here, pointers,
# the translation itself looks at.
TRAPS = ["-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,array-bounds,bool,enum,unreachable,vla-bound,builtin",
         "-fsanitize-trap=all", "-ftrivial-auto-var-init=pattern", "-fno-discard-value-names"]


def bitcode(setup: Setup, source: Path, folder: Path, with_flags: list[str]) -> Path:
    """As clang reads it, before anything is optimized."""
    plain, target = folder / f"{source.stem}.plain.bc", folder / f"{source.stem}.bc"
    tools.run([llvm.tool("clang"), *with_flags, *TRAPS, "-O2", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", source, "-o", plain],
              log=folder / "clang.log", leaves=[plain])
    tools.run([setup.tool("unknowns"), plain, target], log=folder / "unknowns.log", leaves=[target])
    return target


def straighten(files: list[Path], folder: Path) -> None:
    """step.ll: straight-line code."""
    tools.run([llvm.tool("llvm-link"), *files, "-o", folder / "linked"], log=folder / "link.log", leaves=[folder / "linked"])
    tools.run([llvm.tool("opt"), "-S", "-passes=default<O2>,internalize", "-unroll-threshold=1000000", "-inline-threshold=1000000",
               "-vectorize-loops=false", "-vectorize-slp=false", "-internalize-public-api-list=step_words,property_words",
               folder / "linked", "-o", folder / "step.ll"], log=folder / "opt.log", leaves=[folder / "step.ll"])


def gcc(folder: Path, *arguments: str | Path) -> None:
    """What it makes is the last argument."""
    tools.run(["gcc", "-ftrivial-auto-var-init=pattern", *arguments], log=folder / "gcc.log", leaves=[Path(arguments[-1])])


def compile_model(setup: Setup, block: Block, folder: Path) -> None:
    """step.ll: the step and the rules; step.so: the same, compiled as usual."""
    sources = [Path("tb/formal/step.c"), Path("tb/formal/properties.c"), *model_sources(setup, block)]
    with_flags = flags(setup, block, folder)
    straighten([bitcode(setup, source, folder, with_flags) for source in sources], folder)
    gcc(folder, *with_flags, "-O1", "-fPIC", "-shared", *sources, "-o", folder / "step.so")


def compile_around(setup: Setup, block: Block, part: Block, folder: Path) -> None:
    """The same with free parts (tb/formal/part.c): the step only. The part has folder/part."""
    sources = [Path("tb/formal/step.c"), *model_sources(setup, block, without=part)]
    with_flags = [*flags(setup, block, folder), "-DSTEP_PART"]
    part_flags = [*flags(setup, part, folder / "part"), f"-I{folder}"]
    part_source = Path("tb/formal/part.c")
    files = [bitcode(setup, source, folder, with_flags) for source in sources]
    straighten([*files, bitcode(setup, part_source, folder, part_flags)], folder)
    gcc(folder, *part_flags, "-O1", "-fPIC", "-c", part_source, "-o", folder / "part.o")
    gcc(folder, *with_flags, "-O1", "-fPIC", "-shared", *sources, folder / "part.o", "-o", folder / "step.so")


# ---- the RTL -----------------------------------------------------------------------------------
# warp_sum.sv has its sums twice, as a sum and as the tree of adders that synthesis gets. Taken is the sum, which simulators take;
# sums.py shows that the tree is equal to it.

def _read(setup: Setup, block: Block, params: dict[str, int]) -> list[str]:
    return [*yosys.read(block, params, setup.rtl, "-formal"), yosys.KEEP_REGISTERS, "proc", "opt_clean"]


def elaborate(setup: Setup, block: Block, params: dict[str, int], folder: Path) -> None:
    """rtl.aag: the RTL's step; sum.json and tree.json: the design with either kind of sums, its modules apart."""
    yosys.run([*_read(setup, block, params), f"write_json {folder}/sum.json", "flatten", "opt_clean",
               f"write_json {folder}/rtl.json"], folder / "rtl.ys")
    yosys.run([*yosys.read(block, params, setup.rtl), "proc", "opt_clean", f"write_json {folder}/tree.json"], folder / "tree.ys")
    cut.write_step(folder / "rtl.json", block.name, folder / "bits", folder / "rtl.aag")


def elaborate_around(setup: Setup, block: Block, params: dict[str, int], part: Block, folder: Path) -> None:
    """The same with parts that are boxes without contents; part/inside.aag: the step of one, as it is instantiated here;
    part/alone.aag: as it is proved."""
    yosys.run([*_read(setup, block, params), f"write_json {folder}/sum.json", f"blackbox *{part.name}", "flatten", "opt_clean",
               f"write_json {folder}/rtl.json"], folder / "rtl.ys")
    cut.write_step(folder / "rtl.json", block.name, folder / "bits", folder / "rtl.aag")
    alone, inner = folder / "part/alone.aag", folder / "part/inside.aag"
    for old in (alone, inner):  # of an earlier run
        old.unlink(missing_ok=True)
    cells = netlist.module(folder / "rtl.json", block.name)["cells"].values()
    inside = next(cell["type"] for cell in cells if cell["type"].endswith(part.name))
    yosys.run([f"read_json {folder}/sum.json", f"hierarchy -top {inside}", "flatten", "opt_clean",
               f"write_json {folder}/part/inside.json"], folder / "inside.ys")
    with contextlib.suppress(netlist.NetlistError):  # it has other registers
        # With 0 for 'x: the names of free inputs, and so their order, hang on where the part stands.
        cut.write_step(folder / "part/rtl.json", part.name, folder / "part/bits", alone, "zero")
        cut.write_step(folder / "part/inside.json", inside, folder / "part/bits", inner, "zero")


def same_inside(folder: Path) -> bool:
    """Whether the part that is instantiated is bit for bit the one that has a proof of its own."""
    alone, inside = folder / "part/alone.aag", folder / "part/inside.aag"
    return inside.is_file() and inside.stat().st_size > 0 and inside.read_bytes() == alone.read_bytes()


def prepare(setup: Setup, block: Block, params: dict[str, int], folder: Path) -> None:
    words(setup, block, params, folder)
    compile_model(setup, block, folder)
    elaborate(setup, block, params, folder)
