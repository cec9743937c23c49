# SPDX-License-Identifier: Apache-2.0
"""A recording of an SM replayed through RTL and reference model in lockstep: the waveform of a block, and how often it decided."""
from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import replays
import tools
import waveform
from blocks import Target
from tools import Failure

SECONDS = 3600
HEAD = {"kernel_start"}  # events that are no decision


@dataclass(frozen=True)
class Run:
    cycles: int
    decisions: int
    streams: waveform.Streams


def decisions(log: Path) -> int:
    """Cycles in which something was decided; what a kernel's start sets is not."""
    try:
        records = [json.loads(line) for line in log.read_text().splitlines()]
        return len({record["cycle"] for record in records if record["event"] not in HEAD})
    except (OSError, ValueError, KeyError, TypeError):
        raise Failure(f"{log}: no decision log") from None


def replay(ballast: Path, target: Target, setting: str, recording: Path, sm: int, cycles: int, out: Path) -> Run:
    """The first `cycles` cycles; `setting`: "policy=lcs", or ""."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    chosen = ["--set", f"{target.name}.{setting}"] if setting else []
    said = tools.run([ballast, "lockstep", "--block", target.name, *chosen, "--sm", str(sm), "--max-cycles", str(cycles), "--wave",
                      "--wave-limit", "100000", "--out", out, recording], seconds=SECONDS, log=out / "replay.log", accept=(0, 1, 3)).stdout
    if said.startswith("ballast: "):
        raise Failure(said.splitlines()[0])
    replayed, verdict = replays.result(said)
    if verdict != "pass" or not replayed:
        raise Failure(f"{recording}: {target.name}: {replays.explanation(said) if 'MISMATCH' in said else f'the run says {verdict}'}")
    prefix = out / f"{recording.stem}.sm{sm}"
    found = Run(replayed, decisions(Path(f"{prefix}.model.jsonl")), waveform.read(Path(f"{prefix}.fst"), target.name, replayed))
    shutil.rmtree(out)
    return found
