# SPDX-License-Identifier: Apache-2.0
"""What a flow replays of a block with a command of `ballast`, and how its table of results is read.

A line 'FLOW VARIANT key=value ...' of a block's file 'targets' may say:

  replay=lockstep|family|chip|chip-family   how; without it what follows from the block
  recording=NAME                            vectors/NAME.blt, of a family all of vectors/NAME.n?.blt
  cycles=N                                  the first N cycles, 0: all
  laps=N                                    how often a family's player may begin anew
  SETTING=A,B                               one replay with each of the values

Errors are tools.Failure.
"""
from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from blocks import Block, Target
from tools import Failure

RECORDING = "bfs.n4"  # where a line names none
MODES = {"lockstep": [], "family": [], "chip": [], "chip-family": ["--family"], "random": []}


@dataclass(frozen=True)
class Replay:
    variant: str
    block: Block
    mode: str                   # of MODES
    recording: str              # what it is called in a table
    setting: str = ""           # "policy=lcs"
    cycles: int = 0
    arguments: tuple[str, ...] = ()

    @property
    def value(self) -> str:
        """Of the setting."""
        return self.setting.partition("=")[2] or "-"

    def words(self, blocks: str = "") -> list[str]:
        """The words behind `ballast`; `blocks` when it is to load others before this one."""
        setting = ["--set", f"{self.variant}.{self.setting}"] if self.setting else []
        return [self.mode.partition("-")[0], "--block", blocks or self.variant, *setting, *(["--max-cycles", str(self.cycles)] if self.cycles else []),
                *MODES[self.mode], *self.arguments]


def mode_of(block: Block) -> str:
    """How a block is replayed when no line says it: one of the chip without SMs in it sees nothing but its settings."""
    return "lockstep" if not block.per_chip else "chip" if block.parts else "random"


def random_replays(variant: str, block: Block, cycles: int) -> list[Replay]:
    return [Replay(variant, block, "random", f"random.{seed}", "", cycles, ("--seed", str(seed))) for seed in (1, 2)]


def settings(target: Target) -> list[str]:
    """'policy=lcs' ... of a target's line; [""] when it sets nothing."""
    return [f"{key}={value}" for key, values in target.options.items() if key in target.block.settings
            for value in values.split(",")] or [""]


def _files(mode: str, recording: str) -> list[Path]:
    pattern = f"{recording}.n?.blt" if mode.endswith("family") else f"{recording}.blt"
    files = sorted(Path("vectors").glob(pattern))
    if not files:
        raise Failure(f"no recording vectors/{pattern}; run it from the repository root")
    return files


def _number(target: Target, key: str) -> int:
    value = target.options.get(key, "0")
    if not value.isdigit():
        raise Failure(f"{target.block.room}/targets: {target.name}: '{key}={value}' is no number")
    return int(value)


def replays(target: Target, own: tuple[str, ...] = ()) -> list[Replay]:
    """What a target's line asks for, one per setting. `own`: keys that are the flow's. Nothing for a block without a bus."""
    options = target.options
    for key in options:
        if key not in {"replay", "recording", "cycles", "laps", *own, *target.block.settings}:
            raise Failure(f"{target.block.room}/targets: {target.name}: '{key}' is no key of a replay and no setting")
    mode = options.get("replay", mode_of(target.block))
    if mode not in MODES:
        raise Failure(f"{target.block.room}/targets: {target.name}: 'replay={mode}' is none of {', '.join(MODES)}")
    if mode == "random":
        return []
    recording = options.get("recording", RECORDING)
    laps = ["--max-laps", options["laps"]] if _number(target, "laps") else []
    arguments = (*laps, *(str(file) for file in _files(mode, recording)))
    return [Replay(target.name, target.block, mode, recording, setting, _number(target, "cycles"), arguments)
            for setting in settings(target)]


def result(said: str) -> tuple[int, str]:
    """Of a printed table of `ballast`: the cycles of all rows, and 'pass' or the first verdict that is not; without rows, or with
    one that is damaged, none passes."""
    cycles, verdicts = 0, [] if said.endswith("\n") else ["damaged"]
    for line in said.splitlines():
        words = line.split()
        if len(words) < 7 or words[1] not in ("open", "family", "chip", "random"):
            continue
        end = len(words) - (words[-2] == "(open)")
        whole = words[end - 5].isdigit()
        cycles += int(words[end - 5]) if whole else 0
        verdicts.append(words[end - 3] if whole else "damaged")
    return cycles, next((verdict for verdict in verdicts if verdict != "pass"), "pass" if verdicts else "nothing")


def explanation(said: str) -> str:
    """What differs, in one line: 'MISMATCH in lcs on SM0, cycle 286: output ..., expected (model) 8, actual (RTL) 0'."""
    lines = said.splitlines()
    for at, line in enumerate(lines):
        if line.startswith("MISMATCH in"):
            head = re.sub(r" \(cycle.*", "", line)
            return f"{head}: " + ", ".join(" ".join(more.split()) for more in lines[at + 1:at + 4])
        if re.match("ballast: .* (after reset|does not settle)", line):
            return line.removeprefix("ballast: ").rstrip()
    return "model and RTL differ"
