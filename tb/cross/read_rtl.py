# SPDX-License-Identifier: Apache-2.0
"""read_rtl.py CONFIG RTL FOLDER BLOCK [Param=Value...]: reads a block's RTL with the yosys of $PATH, as the proofs do, and leaves its step as
FOLDER/step.aag, with 0 for 'x, under the labels of FOLDER/bits. A program of its own, so that it has a $PATH of its own.
"""
from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "formal"), str(HERE.parent / "flow")]

import circuits
import cut
import tools
from blocks import block
from netlist import NetlistError


def main() -> int:
    config, rtl, out, name, *words = sys.argv[1:]
    folder, of = Path(out), block(name)
    params = {key: int(value) for key, _, value in (word.partition("=") for word in words)}
    try:
        circuits.elaborate(circuits.Setup(config, Path("build") / config, folder.parent, rtl=Path(rtl)), of, params, folder)
        cut.write_step(folder / "rtl.json", of.name, folder / "bits", folder / "step.aag", undefined="zero")
    except NetlistError as error:
        raise tools.Failure(f"{name}: {error}") from None
    return 0


if __name__ == "__main__":
    tools.program(main)
