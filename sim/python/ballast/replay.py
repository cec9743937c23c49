# SPDX-License-Identifier: Apache-2.0
"""Recordings through the blocks' models, and their decision logs (doc/use/decision_log.md, doc/use/replay.md)."""
from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _library
from ._library import Error, encoded, number, slow
from ._run import run
from .model import Model
from .policy import PythonPolicy, name_of, python_policy
from .recording import Path, path_of

_Request = _library.struct("kit_replay")
GOVERNOR = "sm_governor"  # the block that holds the policies that are built in
CHIP_GOVERNOR = "chip_governor"  # that of a chip
_BITS_32, _BITS_64 = (1 << 32) - 1, (1 << 64) - 1


@dataclass(frozen=True)
class Decision:
    """A record of the decision log: what was decided in a cycle by which rule of its paper, from what, and what that changed. Values are
    numbers, or names. `sm` is None for the chip as a whole."""

    cycle: int
    where: str
    sm: Optional[int]
    instance: str
    block: str
    rule: str
    event: str
    inputs: Dict[str, Union[int, str]]
    before: Dict[str, Union[int, str]]
    after: Dict[str, Union[int, str]]
    words: str

    def __str__(self) -> str:
        return f"cycle {self.cycle} {self.where} {self.words}"


@dataclass(frozen=True)
class Family:
    """A family replay: SM cycles, the last limit, whether the controller was done, passes over the kernel, changes of recording. ipc[n] are the
    instructions per cycle of the recording at limit n (0: there is none, and for ipc[0]); best_limit the fewest CTAs that no higher limit
    beats by 2 % (PS-E4)."""

    cycles: int
    limit: int
    done: bool
    passes: int
    changes: int
    best_limit: int
    ipc: Tuple[float, ...]
    decisions: List[Decision]


def decisions_of(lines: Iterable[str]) -> List[Decision]:
    return [Decision(**json.loads(line)) for line in lines]


def _settings(block: str, settings: Optional[Mapping[str, Any]]) -> bytes:
    words = [encoded(f"{block}.{name}={value}", "settings") for name, value in (settings or {}).items()]
    return b"\n".join(words)


def _parameters(block: str, parameters: Mapping[str, int]) -> bytes:
    """Checked by the model itself."""
    if not parameters:
        Model(block)
        return b""
    values, spelt = Model(block, **parameters).parameters, {name.replace("_", "").lower() for name in parameters}
    return " ".join(f"{name}={value}" for name, value in values.items() if name.lower() in spelt).encode()


def _paths(paths: Union[Path, Sequence[Path]]) -> bytes:
    members = [paths] if isinstance(paths, (str, bytes)) or hasattr(paths, "__fspath__") else list(paths)
    return b"\n".join(path_of(one) for one in members)


def _controlled(block: str, settings: Optional[Mapping[str, Any]], parameters: Mapping[str, int], policy: bytes = b"") -> Dict[str, bytes]:
    """The members of a request that say what controls."""
    return {"block": encoded(block, "block"), "parameters": _parameters(block, parameters), "settings": _settings(block, settings), "policy": policy}


def _governed(caller: str, policy: Any, block: str, settings: Optional[Mapping[str, Any]],
              parameters: Mapping[str, int]) -> Tuple[Optional[PythonPolicy], Dict[str, bytes]]:
    """The same under a policy: one that is built in is a setting of the block that holds it."""
    mine = python_policy(policy)
    name = name_of(policy) if mine else os.fsdecode(policy)
    if not mine and "/" not in name and ".so" not in name:
        return None, _controlled(block, {"policy": name, **(settings or {})}, parameters)
    if settings or parameters:
        raise Error(f"{caller}: settings and parameters are those of blocks, and a policy of your own has none")
    return mine, _controlled(block, None, {}, encoded(name, "policy"))


def _how_long(launch: Optional[int], max_passes: int, max_cycles: int) -> Dict[str, int]:
    return {"launch": 0 if launch is None else max(1, number(launch, "launch", 4096)), "max_passes": max(1, number(max_passes, "max_passes", 1000000)),
            "max_cycles": number(max_cycles, "max_cycles", _BITS_64)}


def decisions(recording: Path, block: str, *, sm: int = 0, max_cycles: int = 0, settings: Optional[Mapping[str, Any]] = None,
              **parameters: int) -> List[Decision]:
    """The decision log of one SM of a recording, as recorded, through the model of a block: what `ballast lockstep --log` writes.

    The block is as large as the recorded SM; other parameters as for Model. `settings`: inputs that software sets, by name, such as
    {"policy": "lcs"}. max_cycles: 0 to the end."""
    request = _Request(paths=path_of(recording), block=encoded(block, "block"), parameters=_parameters(block, parameters),
                       settings=_settings(block, settings), policy=b"", sm=number(sm, "sm", _BITS_32), max_passes=1,
                       max_cycles=number(max_cycles, "max_cycles", _BITS_64))
    return decisions_of(run(slow.kit_play, request, None)[:-1])


def family(paths: Union[Path, Sequence[Path]], policy: Any = "perfsat", *, block: Optional[str] = None, sm: int = 0, launch: Optional[int] = None,
           max_passes: int = 64, max_cycles: int = 0, settings: Optional[Mapping[str, Any]] = None, **parameters: int) -> Family:
    """Replays one kernel's recordings at several CTA limits: the limit in force chooses among them (`ballast family`).

    `policy`: one that is built in by its name, a shared object ("./mine.so", "./mine.so:OPTIONS"), or a class with start and step. `block`
    instead plays that block alone, with its settings and parameters. `launch` counts from 1 on; None: the longest. The replay ends when the
    controller is done, after max_passes over the kernel, or after max_cycles (0: no such end)."""
    if block is None:
        mine, governed = _governed("family", policy, GOVERNOR, settings, parameters)
    else:
        mine, governed = None, _controlled(block, settings, parameters)
    request = _Request(paths=_paths(paths), **governed, **_how_long(launch, max_passes, max_cycles), sm=number(sm, "sm", _BITS_32), family=1)
    *rest, last = run(slow.kit_play, request, mine)
    answer = json.loads(last)
    return Family(**{**answer, "ipc": (0.0, *answer["ipc"])}, decisions=decisions_of(rest))


@dataclass(frozen=True)
class Chip:
    """A chip's replay: cycles; SMs; level of voltage and frequency of the SMs and of the memory system at the end, 0 low, 1 normal, 2 high; of each SM its
    last limit, and whether its policy has decided."""

    cycles: int
    sms: int
    sm_level: int
    memory_level: int
    limits: Tuple[int, ...]
    decided: Tuple[bool, ...]
    decisions: List[Decision]


def chip(paths: Union[Path, Sequence[Path]], policy: Any = "perfsat", *, sms: int = 0, skew: int = 13, family: bool = False,
         launch: Optional[int] = None, max_passes: int = 64, max_cycles: int = 0, settings: Optional[Mapping[str, Any]] = None, **parameters: int) -> Chip:
    """Replays recordings on all SMs of a chip, with votes and clock domains: what `ballast chip --log` does with the C models.

    One recording is played as recorded. With `family` the recordings are one kernel at several CTA limits, and the limit of each SM chooses among
    them. `sms`: SMs of the chip, 0 as many as the recorded one has. An SM begins `skew` cycles after the one that plays the same recorded SM before
    it. `policy`: as for family. `settings` and `parameters` are those of chip_governor, where the
    policy is built in; under one of your own the levels stay normal, whatever is asked for. `launch`, `max_passes`: as for family, with `family`.
    max_cycles: 0 to the end."""
    if launch is not None and not family:
        raise Error("chip: a launch is chosen of a family; one recording is played as recorded")
    mine, governed = _governed("chip", policy, CHIP_GOVERNOR, settings, parameters)
    request = _Request(paths=_paths(paths), **governed, **_how_long(launch, max_passes, max_cycles), family=bool(family), of_chip=1,
                       sms=number(sms, "sms", 256), skew=number(skew, "skew", _BITS_32))
    *rest, last = run(slow.kit_play, request, mine)
    answer = json.loads(last)
    return Chip(**{**answer, "limits": tuple(answer["limits"]), "decided": tuple(answer["decided"])}, decisions=decisions_of(rest))
