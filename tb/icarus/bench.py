# SPDX-License-Identifier: Apache-2.0
"""bench.py BALLAST RECORDING...: the whole benchmark.

First the parts that BALLAST measures itself, then Icarus on the same RTL with the same stimulus, chips of 1 to 132 SMs, the
activity simulator, a family with models alone, and the size of the recordings. Icarus is timed as the difference between two runs over the stimulus and
one, so that start-up and reading the file do not count; its outputs must have the checksum of the C models'. Run from the
repository root.

Exit status 1 when Icarus disagrees with the models, 2 usage or a tool fails, 130 interrupted.
"""
from __future__ import annotations

import argparse
import lzma
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "flow"))
from tools import Failure, Options, need, program, run, scratch  # noqa: E402


def said(ballast: Path, *words: str | Path) -> str:
    """Runs a command of BALLAST and passes on what it says."""
    text = run([ballast, *words]).stdout
    print(text, end="", flush=True)
    return text


def icarus_speed(ballast: Path, recording: Path, work: Path) -> float:
    """Cycles per second, in millions."""
    stimulus = work / "stimulus.hex"
    run([ballast, "bench", "--write-hex", stimulus, recording])
    cycles, checksum = re.fullmatch(r"cycles=(\d+) hash=([0-9a-f]+)\s*", Path(f"{stimulus}.hash").read_text()).groups()
    sources = [*sorted(Path("rtl/common").glob("*.sv")), *sorted(Path("rtl/sm").glob("*.sv")), "tb/icarus/bench_tb.sv"]
    run(["iverilog", "-g2012", f"-Pbench_tb.Depth={cycles}", "-o", work / "bench.vvp", "-s", "bench_tb", *sources])

    def seconds(repetitions: int) -> float:
        start = time.monotonic()
        text = run(["vvp", "-N", work / "bench.vvp", f"+stim={stimulus}", f"+cycles={cycles}", f"+rep={repetitions}"]).stdout
        if repetitions == 1 and f"hash={checksum}" not in text:
            raise Failure(f"Icarus computed {text.strip()}, the models {checksum}: the RTL disagrees with the models", 1)
        return time.monotonic() - start

    once = seconds(1)
    return 1e-6 * int(cycles) / (seconds(2) - once)


def sizes(ballast: Path, recordings: list[Path], work: Path) -> None:
    print(f"\n{'recording':<24} {'native':>12} {'xz -1 of raw':>12} {'ratio':>9}")
    for recording in recordings:
        run([ballast, "bench", "--write-raw", work / "raw", recording])
        native = recording.stat().st_size
        packed = len(lzma.compress((work / "raw").read_bytes(), preset=1))
        verdict = "<= 1" if native <= packed else "MISSES 1"
        print(f"{recording.name:<24} {native:12d} {packed:12d} {native / packed:9.2f} {verdict}")


def main() -> None:
    parser = Options(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ballast", type=Path)
    parser.add_argument("recording", type=Path, nargs="+")
    options = parser.parse_args()
    need("iverilog", "vvp")
    with scratch() as work:
        ours = said(options.ballast, "bench", *options.recording)
        lockstep = float(re.search(r"^\(b\) .*? (\d+\.\d+) ", ours, re.M)[1])
        speed = icarus_speed(options.ballast, options.recording[0], work)
        ratio = lockstep / speed
        print(f"(e)  {'Icarus Verilog, the same RTL and stimulus':<48} {speed:12.4f}   (b)/(e) = {ratio:.0f} "
              f"{'>=' if ratio >= 100 else 'MISSES'} 100")
        print("\na whole chip: governors, vote, VF domains", flush=True)
        said(options.ballast, "bench-chip", options.recording[0])
        print("\na family with the C models alone: pathlong", flush=True)
        said(options.ballast, "bench", "--family", *sorted(Path("vectors").glob("pathlong.n*.blt")))
        print("\nthe activity simulator", flush=True)
        said(options.ballast, "bench-sim")
        sizes(options.ballast, options.recording, work)


if __name__ == "__main__":
    program(main)
