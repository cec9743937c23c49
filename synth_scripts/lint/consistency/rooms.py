# SPDX-License-Identifier: Apache-2.0
"""Who may know whom: which room may include which, and which files outside a block's own may name a block.

In: a Tree. Out: findings, one line each; `naming` also gives the files that name blocks, with counts.
"""
from __future__ import annotations

import graphlib
import posixpath
import re
from pathlib import Path

from .text import code
from .tree import Tree

ME = "synth_scripts/lint/consistency/rooms.py"
# Room: the rooms that its files may include besides its own. A room is the first two folders of a file. Arrows go one way.
MODELS = "cmodel/common cmodel/sm cmodel/chip"
ROOMS = {
    "cmodel": f"{MODELS} cmodel/ballast cmodel/analytic",  # ballast.h, for users of libballast
    "cmodel/common": "",
    "cmodel/sm": "cmodel/common",
    "cmodel/chip": "cmodel/common cmodel/sm",
    "cmodel/ballast": MODELS,
    "cmodel/analytic": "",
    "tb": "tb/engine",  # the program that a room's tests are linked as
    "tb/bus": "cmodel/common",
    "tb/engine": "tb/bus cmodel/common",
    "tb/shim": "tb/bus tb/engine cmodel/common",
    "tb/blocks": f"tb/bus tb/engine tb/shim {MODELS}",
    "tb/analytic": "cmodel/analytic sim/analytic tb/engine",
    "tb/rules": "tb/engine tb/shim",
    "tb/formal": "tb/engine tb/shim tb/rules",
    "tb/mutate": "tb/engine",
    "tb/fuzz": "tb/engine sim/dump sim/recording sim/replay sim/kernels sim/analytic sim/cli",
    "tb/icarus": "tb/engine sim/cli",
    "tb/dpi": "tb/engine",
    "tb/systemc": "tb/engine tb/shim sim/cli",
    "synth_scripts/gates": "tb/shim sim/replay",
    "sim/files": "",
    "sim/recording": "sim/files tb/bus cmodel/common",
    "sim/wave": "sim/files tb/engine",
    "sim/plot": "sim/files sim/recording",
    "sim/replay": "sim/files sim/recording sim/wave tb/bus tb/engine cmodel/sm cmodel/common",
    "sim/report": "sim/files sim/plot sim/recording sim/replay",
    "sim/diff": "sim/files sim/recording",
    "sim/figure": "sim/plot sim/replay sim/report",
    "sim/trend": "sim/diff sim/plot sim/recording sim/report",
    "sim/policy": f"sim/recording sim/replay tb/bus tb/engine tb/blocks cmodel/ballast {MODELS}",
    "sim/gpu": f"sim/policy sim/recording sim/replay tb/bus tb/engine tb/blocks cmodel cmodel/analytic {MODELS}",
    "sim/adapters": "cmodel/ballast sim/gpu sim/recording tb/bus cmodel/common",
    "sim/kernels": "sim/files sim/gpu cmodel/analytic",
    "sim/dump": "sim/recording sim/kernels tb/bus cmodel/common",
    "sim/analytic": "sim/kernels sim/gpu sim/plot sim/recording sim/replay cmodel/analytic",
    "sim/studies": "sim/kernels sim/analytic sim/gpu sim/plot sim/recording sim/replay cmodel/common",
    "sim/python": "sim/cli sim/gpu sim/kernels sim/policy sim/recording sim/replay tb/bus tb/dpi tb/engine cmodel/ballast",
    "sim/cli": "sim/diff sim/dump sim/figure sim/files sim/kernels sim/analytic sim/gpu sim/plot sim/policy sim/recording sim/replay sim/report sim/studies sim/trend "
               f"sim/wave tb/bus tb/engine cmodel/analytic {MODELS}",
}
# What only the tests, fixtures, SystemC wrappers, policies and examples of a room include besides. Every test may use the engine.
TESTS = {
    "sim/adapters": "sim/replay tb/blocks cmodel/chip cmodel/sm",
    "sim/gpu": "sim/analytic",
    "sim/kernels": "sim/analytic",
    "tb/blocks": "tb/systemc rtl/registers cmodel/ballast",
    "tb/engine": "tb/shim cmodel/sm",
    "tb/rules": "sim/recording",
    "tb/systemc": "tb/blocks",
}
TEST = re.compile(r"test_.*|.*_fixture\..*|bench\.h|sc\.h|policy\.c|(sc_)?example\..*")
INCLUDE_PATH = ("cmodel", "tb", "sim")  # of the Makefile
CODE = (".c", ".h", ".cpp", ".sv", ".svh")


def room_of(path: str) -> str:
    folders = path.split("/")[:-1]
    return "/".join(folders[:2])


def _included(tree: Tree, path: str, name: str) -> str | None:
    """The file that an #include means; None when it is no file of the repository."""
    for folder in (posixpath.dirname(path), *INCLUDE_PATH):
        file = posixpath.normpath(posixpath.join(folder, name))
        if tree.has(file):
            return file
    return None


def _cycle() -> list[str]:
    """A way round through the table."""
    try:
        tuple(graphlib.TopologicalSorter({room: others.split() for room, others in ROOMS.items()}).static_order())
    except graphlib.CycleError as error:
        return [f"{ME}: the rooms {' '.join(error.args[1])} know each other in a circle"]
    return []


def _may_know(path: str, room: str) -> list[str]:
    extra = TESTS.get(room, "") + " tb/engine" if TEST.fullmatch(Path(path).name) else ""
    return f"{ROOMS[room]} {extra}".split()


def crossing(tree: Tree) -> list[str]:
    """Includes that go against the arrows."""
    found = _cycle()
    for path in tree.matching("cmodel/*", "tb/*", "sim/*", "synth_scripts/*"):
        if not path.endswith(CODE):
            continue
        room = room_of(path)
        for name in re.findall(r'^\s*[#`]\s*include\s+"([^"]+)"', tree.text(path), flags=re.M):
            file = _included(tree, path, name)
            if file is None or room_of(file) == room:
                continue
            if room not in ROOMS:
                found.append(f"{path}: the room {room} may include nothing yet; {ME} says which may")
            elif room_of(file) not in _may_know(path, room):
                found.append(f"{path}: includes {name}; {room} must not know {room_of(file)}")
    return found


# Files outside the blocks that may name one, and why. `*` stands for any text.
MAY_NAME = {
    "sim/studies/*": "a study names the policies that it compares",
    "sim/cli/*": "the words of a command line name policies; some commands show one block",
    "sim/policy/*": "a policy of somebody else is throttled as the built-in ones are",
    "sim/python/*": "policies by their names, and the block that holds them",
    "sim/gpu/*": "the simulated chip is governed by the block of the chip",
    "sim/replay/unrolled.*": "what is kept of a cycle is its class, which one block gives",
    "sim/replay/breakdown.*": "cycles are broken down by their class, which one block gives",
    "sim/diff/compare_runs.c": "columns of the policies, which are compared in one file only",
    "sim/report/data.c": "names of the policies, and the blocks that show them",
    "sim/report/driven.py": "a part of a test, which has to take some policy",
    "sim/wave/waves.sh": "the block that is shown when none is named",
    "sim/kernels/kernel_file.c": "a machine has the name of its paper's policy",
    "synth_scripts/area/area_baseline.json": "results, one row for each block",
    "tb/fuzz/block_main.c": "what a macro is without the flow, for lint",
    "tb/icarus/bench_tb.sv": "a bench of two chained blocks compares the speed of simulators",
}
# Where a block may be named: its own files, pages, recordings, and tests, which have to take some block.
ANYWHERE = ("rtl/*", "cmodel/*", "tb/blocks/*", "doc/*", "vectors/*", "*.md", "*/test_*", "*_fixture.*",
            "*/corpus/*")
NAMING = ("*.c", "*.h", "*.cpp", "*.sv", "*.svh", "*.sh", "*.py", "*.mk", "*.jq", "*.awk", "*.tcl", "*.gp", "*.csv", "*.json",
          "*Makefile", "*/targets", "*/variants")


def _fits(path: str, patterns: tuple[str, ...]) -> bool:
    return any(re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), path) for pattern in patterns)


def named(tree: Tree) -> dict[str, int]:
    """How often each file outside the blocks names one; an example in a comment does not count."""
    word = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, tree.blocks)) or '(?!)'})(?!\w)")
    files = [path for path in tree.matching(*NAMING) if not _fits(path, ANYWHERE)]
    counts = {path: len(word.findall(code(path, tree.text(path)))) for path in files}
    return {path: count for path, count in counts.items() if count}


def lists_of_blocks(tree: Tree) -> list[str]:
    """Files outside the blocks that name one and may not."""
    return [f"{path}: names a block {count} times; a flow learns of blocks from tb/blocks alone"
            for path, count in named(tree).items() if not _fits(path, tuple(MAY_NAME))]


def allowed(tree: Tree) -> list[str]:
    """The files that may name blocks, with counts and reasons, for a reader."""
    counts = named(tree)
    lines = []
    for pattern, why in MAY_NAME.items():
        numbers = [count for path, count in counts.items() if _fits(path, (pattern,))]
        said = why if numbers else "names none, take it off the list"
        lines.append(f"  {pattern}: {sum(numbers)} in {len(numbers)} files: {said}")
    return lines
