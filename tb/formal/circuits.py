# SPDX-License-Identifier: Apache-2.0
"""One step of a block as circuits: the model's from C by way of LLVM IR (step.ll), the RTL's by Yosys (rtl.aag), both under
the labels of `bits`. Everything goes into a folder per block; a tool that fails is a tools.ToolFailed.
"""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cut
import llvm
import netlist
import parts
import tools
import yosys
from blocks import Block, Target, block as block_named, blocks, words_of
from kept import Kept
from parts import Kind


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
    kept: Kept = Kept()
    cases: tuple[str, ...] = ()  # inputs that make cases (prover.equal)

    def tool(self, name: str) -> Path:
        """What formal.mk builds; what is linked with LLVM has a folder per version."""
        folder = self.build / "formal"
        return (folder / f"llvm-{llvm.version()}" if name in LINKED else folder) / name


# ---- the model -------------------------------------------------------------------------------

def model_of(block: Block) -> str:
    """The model of rtl/sm/lcs.sv is sm/lcs."""
    return f"{block.rtl.parent.name}/{block.name}"


def model_sources(setup: Setup, block: Block, without: Sequence[Block] = ()) -> list[Path]:
    """What has the model's step: the file of the block, and of all whose headers it includes; `without` blocks and what only
    those include."""
    sources, waiting, seen = [], [model_of(block)], {model_of(one) for one in without}
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


# Variables become values, and a value of a loop leaves it in one place. Nothing else is done by the optimizer: calls, loops and constants
# are the translation's.
PASSES = "function(sroa,loop-simplify,lcssa)"


def link(files: list[Path], folder: Path) -> None:
    """step.ll: all that the step and the rules call."""
    whole, linked = folder / "all", folder / "linked"
    keep = "-internalize-public-api-list=step_words,property_words"
    tools.run([llvm.tool("llvm-link"), *files, "-o", whole], log=folder / "link.log", leaves=[whole])
    tools.run([llvm.tool("opt"), "-passes=internalize,globaldce", keep, whole, "-o", linked], log=folder / "globaldce.log", leaves=[linked])
    tools.run([llvm.tool("opt"), "-S", f"-passes={PASSES}", linked, "-o", folder / "step.ll"], log=folder / "opt.log",
              leaves=[folder / "step.ll"])


def gcc(folder: Path, *arguments: str | Path) -> None:
    """What it makes is the last argument."""
    tools.run(["gcc", "-ftrivial-auto-var-init=pattern", *arguments], log=folder / "gcc.log", leaves=[Path(arguments[-1])])


def compile_model(setup: Setup, block: Block, folder: Path) -> None:
    """step.ll: the step and the rules; step.so: the same, compiled as usual."""
    sources = [Path("tb/formal/step.c"), Path("tb/formal/properties.c"), *model_sources(setup, block)]
    with_flags = flags(setup, block, folder)
    link([bitcode(setup, source, folder, with_flags) for source in sources], folder)
    gcc(folder, *with_flags, "-O1", "-fPIC", "-shared", *sources, "-o", folder / "step.so")


def part_folder(folder: Path, kind: Kind) -> Path:
    return folder / f"part_{kind.block.name}"


def words_around(setup: Setup, target: Target, kinds: list[Kind], folder: Path) -> None:
    """The same of a block around its parts, and of each kind of parts alone."""
    for kind in kinds:
        words(setup, kind.block, kind.params, part_folder(folder, kind))
    words(setup, target.block, target.params, folder, *(
        word for kind in kinds for word in (kind.block.name, words_of(kind.params), ",".join(kind.fields))))


def _no_invariants(of: list[Block], folder: Path) -> Path:
    """A folder for the compiler with invariants of these blocks that say nothing."""
    for block in of:
        path = folder / "none/blocks" / block.name / "invariant.h"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#ifndef NO_INVARIANT_{block.name}\n#define NO_INVARIANT_{block.name}\n"
                        f"#include \"{model_of(block)}.h\"\n"
                        f"static inline uint64_t {block.name}_violated(const {block.name}_state *s, const {block.name}_cfg *c)\n"
                        "{ (void)s, (void)c; return 0; }\n#endif\n")
    return folder / "none"


def compile_rules(setup: Setup, block: Block, free: list[Block], folder: Path) -> None:
    """The same of the rules alone, of a design in which nothing is known of the blocks `free`: nor what their invariants say. The
    step says only what is assumed of inputs and registers."""
    sources = [Path("tb/formal/step.c"), Path("tb/formal/properties.c"), *model_sources(setup, block)]
    with_flags = [f"-I{_no_invariants(free, folder)}", *flags(setup, block, folder)]
    link([bitcode(setup, source, folder, [*with_flags, "-DSTEP_NONE"]) for source in sources], folder)
    gcc(folder, *with_flags, "-O1", "-fPIC", "-shared", *sources, "-o", folder / "step.so")


def compile_around(setup: Setup, block: Block, kinds: list[Kind], folder: Path) -> None:
    """The same with free parts (tb/formal/part.c): the step only."""
    apart = [kind.block for kind in kinds]
    sources = [Path("tb/formal/step.c"), *model_sources(setup, block, without=apart)]
    with_flags = [f"-I{_no_invariants(apart, folder)}", *flags(setup, block, folder), "-DSTEP_PART"]
    part_source = Path("tb/formal/part.c")
    files, objects = [bitcode(setup, source, folder, with_flags) for source in sources], []
    for kind in kinds:
        own = part_folder(folder, kind)
        part_flags = [*flags(setup, kind.block, own), f"-I{folder}"]
        files.append(bitcode(setup, part_source, own, part_flags))
        objects.append(own / "part.o")
        gcc(own, *part_flags, "-O1", "-fPIC", "-c", part_source, "-o", objects[-1])
    link(files, folder)
    gcc(folder, *with_flags, "-O1", "-fPIC", "-shared", *sources, *objects, "-o", folder / "step.so")


# ---- the RTL -----------------------------------------------------------------------------------
# warp_sum.sv has its sums twice, as a sum and as the tree of adders that synthesis gets. Taken is the sum, which simulators take;
# sums.py shows that the tree is equal to it.

def _read(setup: Setup, block: Block, params: dict[str, int]) -> list[str]:
    return [*yosys.read(block, params, setup.rtl, "-formal"), yosys.KEEP_REGISTERS, "proc", "opt_clean"]


def _write_trees(setup: Setup, block: Block, params: dict[str, int], folder: Path) -> None:
    yosys.run([*yosys.read(block, params, setup.rtl), "proc", "opt_clean", f"write_json {folder}/tree.json"], folder / "tree.ys")


def elaborate(setup: Setup, block: Block, params: dict[str, int], folder: Path) -> None:
    """rtl.aag: the RTL's step; sum.json and tree.json: the design with either kind of sums, its modules apart."""
    yosys.run([*_read(setup, block, params), f"write_json {folder}/sum.json", "flatten", "opt_clean",
               f"write_json {folder}/rtl.json"], folder / "rtl.ys")
    _write_trees(setup, block, params, folder)
    cut.write_step(folder / "rtl.json", block.name, folder / "bits", folder / "rtl.aag")


def find_parts(setup: Setup, target: Target, folder: Path) -> list[Kind]:
    """What is proved apart from a target; sum.json, as above."""
    folder.mkdir(parents=True, exist_ok=True)
    if not parts.apart(target):
        return []
    yosys.run([*_read(setup, target.block, target.params), f"write_json {folder}/sum.json"], folder / "hierarchy.ys")
    return parts.find(target, folder / "sum.json", setup.config)


def elaborate_around(setup: Setup, target: Target, kinds: list[Kind], folder: Path) -> None:
    """The same as `elaborate` with parts that are boxes without contents; of each kind inside.json: as it is
    instantiated here; alone.json: as it is proved."""
    top = target.block.name
    boxes = [f"blackbox {kind.module}" for kind in kinds]
    yosys.run([f"read_json {folder}/sum.json", f"hierarchy -top {top}", *boxes, "flatten", "opt_clean",
               f"write_json {folder}/rtl.json"], folder / "rtl.ys")
    _write_trees(setup, target.block, target.params, folder)
    cut.write_step(folder / "rtl.json", top, folder / "bits", folder / "rtl.aag")
    late: dict[str, set[str]] = {}
    for kind in kinds:
        _elaborate_part(setup, kind, folder / "sum.json", part_folder(folder, kind))
        late |= dict.fromkeys(kind.fields, _late(kind, part_folder(folder, kind)))
    parts.check_order(folder / "rtl.aag", late)


def _elaborate_part(setup: Setup, kind: Kind, design: Path, folder: Path) -> None:
    yosys.run([*_read(setup, kind.block, kind.params), "flatten", "opt_clean", f"write_json {folder}/alone.json"],
              folder / "alone.ys")
    yosys.run([f"read_json {design}", f"hierarchy -top {kind.module}", "flatten", "opt_clean",
               f"write_json {folder}/inside.json"], folder / "inside.ys")


def _late(kind: Kind, folder: Path) -> set[str]:
    """Inputs on which no output of the part in the RTL hangs, if the model can look at a part before its step, too."""
    if not any(label.startswith("look_differs") for _, label in cut.read_bits(folder / "bits")):
        return set()
    cut.write_step(folder / "alone.json", kind.block.name, folder / "bits", folder / "alone.aag")
    return parts.late_inputs(folder / "alone.aag")


def same_inside(kind: Kind, folder: Path) -> bool:
    """Whether the part that is instantiated is cell for cell the one that has a proof of its own."""
    bits = cut.read_bits(folder / "bits")
    try:
        inside = cut.step_circuit(netlist.module(folder / "inside.json", kind.module), bits)
    except netlist.NetlistError:  # it has other registers
        return False
    return netlist.same(cut.step_circuit(netlist.module(folder / "alone.json", kind.block.name), bits), inside)


def prepare_rules(setup: Setup, target: Target, names: list[str], folder: Path) -> None:
    """The rules of a target in which nothing is known of these modules."""
    top = target.block.name
    words(setup, target.block, target.params, folder)
    compile_rules(setup, target.block, [block_named(name) for name in names if name in blocks()], folder)
    yosys.run([*_read(setup, target.block, target.params), f"write_json {folder}/sum.json"], folder / "hierarchy.ys")
    found = parts.modules_of(folder / "sum.json", names, target)
    yosys.run([f"read_json {folder}/sum.json", f"hierarchy -top {top}", *(f"blackbox {name}" for name in found), "flatten",
               "opt_clean", f"write_json {folder}/rtl.json"], folder / "rtl.ys")
    cut.write_step(folder / "rtl.json", top, folder / "bits", folder / "rtl.aag", free=True)


def prepare_around(setup: Setup, target: Target, kinds: list[Kind], folder: Path) -> None:
    words_around(setup, target, kinds, folder)
    compile_around(setup, target.block, kinds, folder)
    elaborate_around(setup, target, kinds, folder)


def prepare(setup: Setup, block: Block, params: dict[str, int], folder: Path) -> None:
    words(setup, block, params, folder)
    compile_model(setup, block, folder)
    elaborate(setup, block, params, folder)
