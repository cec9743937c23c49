# SPDX-License-Identifier: Apache-2.0
"""The activity simulator (doc/use/simulator.md)."""
from __future__ import annotations

import csv
import os
from dataclasses import dataclass
from typing import Any, List, get_type_hints

from . import _library
from ._library import Error, encoded, number, slow
from ._run import run
from .policy import name_of, python_policy
from .recording import Path, path_of
from .replay import Decision, decisions_of

_Request = _library.struct("kit_simulation")


@dataclass(frozen=True)
class Simulation:
    """What was measured: the columns of `ballast sim --csv`, and the decisions if they were asked for. `cycles` are those of the SM clock;
    ipc and the classes (idle to active, shares of the cycles) are per SM; limits are those at the end, means are over time and SMs; rates and
    use are shares; sm_low to memory_high are shares of the time at a level of voltage and frequency."""

    workload: str
    machine: str
    sms: int
    policy: str
    mode: str
    set_limit: int
    seed: int
    side: str
    finished: int
    cycles: int
    seconds: float
    instructions: int
    ctas: int
    ipc: float
    nmax: int
    limit: int
    least_limit: int
    most_limit: int
    decided_sms: int
    mean_limit: float
    mean_ctas: float
    idle: float
    scoreboard: float
    pipeline: float
    active: float
    l1_hit_rate: float
    l2_hit_rate: float
    dram_use: float
    dram_lines: int
    sm_low: float
    sm_normal: float
    sm_high: float
    memory_low: float
    memory_normal: float
    memory_high: float
    joules: float
    decisions: List[Decision]


def simulate(kernel: Path, *, machine: str = "fermi", sms: int = 0, policy: Any = "static", limit: int = 0, mode: str = "performance",
             scheduler: str = "own", bcs: bool = False, seed: int = 1, max_cycles: int = 0, log: bool = False) -> Simulation:
    """Simulates a kernel (a .kernel file, doc/use/workloads.md) with governors in the loop, as `ballast sim` does with the C models.

    `policy`: one that is built in by its name, a shared object ("./mine.so", "./mine.so:OPTIONS"), or a class with start and step. `sms`: so many
    of the machine's SMs with their part of the memory, 0 all. `limit`: CTAs per SM of the policy static, 0 as many as fit. `mode`: performance or
    energy, for Equalizer. `scheduler`: own, gto, lrr, two-level, sca or ccws. `bcs`: CTAs of a 2-D kernel go to the SMs in pairs. max_cycles: 0 to
    the end. With `log` the result has the decisions."""
    mine = python_policy(policy)
    name = name_of(policy) if mine else os.fsdecode(policy)
    request = _Request(kernel=path_of(kernel), machine=encoded(machine, "machine"), policy=encoded(name, "policy"), scheduler=encoded(scheduler, "scheduler"),
                       mode=encoded(mode, "mode"), seed=number(seed, "seed", (1 << 64) - 1), max_cycles=number(max_cycles, "max_cycles", (1 << 64) - 1),
                       sms=number(sms, "sms", 256), limit=number(limit, "limit", 255), bcs=bool(bcs), log=bool(log))
    header, row, *rest = run(slow.kit_simulate, request, mine)
    kinds = get_type_hints(Simulation)
    names, values = csv.reader([header, row])
    if len(names) != len(values):
        raise Error(f"{os.fspath(kernel)}: the workload's name has a comma")
    return Simulation(**{column: kinds[column](value) for column, value in zip(names, values)}, decisions=decisions_of(rest))
