# SPDX-License-Identifier: Apache-2.0
"""The LLVM that the proofs use: sim/env/llvm.sh says which one, and LLVM=16 in the environment asks for another."""
from __future__ import annotations

import functools
from pathlib import Path

import tools

SCRIPT = "sim/env/llvm.sh"


@functools.cache
def folder() -> Path:
    """Where the version stands whose clang, llvm-link, opt and library are taken."""
    try:
        return Path(tools.run([SCRIPT]).stdout.strip())
    except tools.ToolFailed as failure:
        said = failure.output.strip().splitlines()
        raise tools.Missing(said[-1] if said else f"{SCRIPT} says nothing") from None


def version() -> str:
    """Its number: "16"."""
    return folder().name.rpartition("-")[2]


def tool(name: str) -> Path:
    return folder() / "bin" / name
