# SPDX-License-Identifier: Apache-2.0
"""What a policy saves on simulated kernels, by the energy of the activity simulator (sim/gpu/energy.h: a GTX 580, in joules), beside what the block that has
it costs: so much in a cycle of each SM, as measured on a recording of the kernel, or else the most on any.

The block has a setting `policy`, whose values are the simulator's policies; what is saved is over `static`.
"""
from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import table
import tools
from tools import Failure

Row = dict[str, Any]
BASE = "static"
BAR = 0.1  # percent of what it saves that a governor may cost
COLUMNS = ["group", "kernel", "policy", "sm_cycles", "joules_static", "joules", "saved", "pj_per_cycle", "cost", "cost_resting", "cost_percent", "recording"]


def kernels(folder: str) -> list[Path]:
    found = sorted(Path("sim/kernels").joinpath(folder).glob("*.kernel"))
    if not found:
        raise Failure(f"sim/kernels/{folder}: no kernels")
    return found


def joules(ballast: Path, kernel: Path, policy: str, config: str) -> tuple[int, float]:
    """Cycles of all SMs, and the energy of the chip."""
    said = tools.run([ballast, "sim", "--machine", config, "--policy", policy, "--mode", "energy", "--csv", kernel], seconds=3600).stdout
    try:
        (run,) = csv.DictReader(io.StringIO(said))
        if run["finished"] != "1" or run["policy"] != policy or float(run["joules"]) <= 0:
            raise ValueError
        return int(run["cycles"]) * int(run["sms"]), float(run["joules"])
    except (ValueError, KeyError, TypeError):
        raise Failure(f"{kernel}: the simulator gives no energy under {policy}") from None


class Simulated:
    """Energies that were simulated, kept in a file: a run that was stopped goes on where it was. Another command or kernel is another simulation."""

    def __init__(self, ballast: Path, config: str, path: Path | None):
        self.ballast, self.config, self.path = ballast, config, path
        self.program = hashlib.sha256(ballast.read_bytes()).hexdigest()
        try:
            self.known = {str(key): (int(run[0]), float(run[1])) for key, run in json.loads(path.read_text()).items()} if path else {}
        except (OSError, ValueError, TypeError, LookupError, AttributeError):
            self.known = {}

    def joules(self, kernel: Path, policy: str) -> tuple[int, float]:
        key = hashlib.sha256(f"{self.program} {self.config} {policy}\n".encode() + kernel.read_bytes()).hexdigest()
        if key not in self.known:
            self.known[key] = joules(self.ballast, kernel, policy, self.config)
            if self.path:
                with tools.whole(self.path) as file:
                    json.dump(dict(self.known), file)
        return self.known[key]


def _row(kernel: Path, policy: str, base: tuple[int, float], run: tuple[int, float], measured: list[table.Row]) -> Row:
    """`measured`: the block's rows under this policy."""
    name = kernel.stem.partition(".")[0]
    own = [one for one in measured if one["recording"].partition(".")[0] == name] or measured
    costs = max(own, key=lambda one: one["pj_per_cycle"])
    saved, cycles = base[1] - run[1], run[0]
    cost, resting = (costs[key] * 1e-12 * cycles for key in ("pj_per_cycle", "pj_per_cycle_resting"))
    return {"group": kernel.parent.name, "kernel": kernel.stem, "policy": policy, "sm_cycles": cycles, "joules_static": base[1], "joules": run[1],
            "saved": saved, "pj_per_cycle": costs["pj_per_cycle"], "cost": cost, "cost_resting": resting,
            "cost_percent": 100 * cost / saved if saved > 0 else None, "recording": costs["recording"]}


def rows(measured: list[table.Row], found: list[Path], simulated: Simulated) -> list[Row]:
    """What is finished when the simulator fails or the user stops is shown."""
    policies = [policy for policy in dict.fromkeys(row["policy"] for row in measured) if policy not in ("", BASE)]
    progress = tools.Progress("saving", len(found))
    finished: list[Row] = []

    def of(kernel: Path) -> list[Row]:
        base = simulated.joules(kernel, BASE)
        return [_row(kernel, policy, base, simulated.joules(kernel, policy), [row for row in measured if row["policy"] == policy]) for policy in policies]

    def done(kernel: Path, own: list[Row]) -> None:
        finished.extend(own)
        progress.step(kernel.stem)
    try:
        by_kernel = tools.in_parallel(of, found if policies else [], done=done)
    except BaseException:
        print("\n".join(lines(finished)), flush=True)
        raise
    return [row for own in by_kernel for row in own]


# ---- sums ---------------------------------------------------------------------------------------

HEAD = ["kernels", "policy", "nJ/SM cycle", "saved", "saved pJ/SM cycle", "cost pJ/SM cycle", "cost/all", "cost/saved", "resting/saved", f"under {BAR} %"]


def total(group: list[Row]) -> Row:
    """Of kernels together: the sums, and the cost in percent of what is saved in all (None: nothing is)."""
    sums = {key: sum(row[key] for row in group) for key in ("sm_cycles", "joules_static", "joules", "saved", "cost", "cost_resting")}
    percent = {key: 100 * sums[key] / sums["saved"] if sums["saved"] > 0 else None for key in ("cost", "cost_resting")}
    return sums | {"cost_percent": percent["cost"], "resting_percent": percent["cost_resting"]}


def _words(group: str, policy: str, rows_of: list[Row]) -> list[str]:
    sums = total(rows_of)
    cycles = sums["sm_cycles"]
    share, resting = sums["cost_percent"], sums["resting_percent"]
    return [f"{len(rows_of)} of {group}", policy, f"{sums['joules'] / cycles * 1e9:.1f}", f"{100 * sums['saved'] / sums['joules_static']:.1f} %",
            f"{sums['saved'] / cycles * 1e12:.0f}", f"{sums['cost'] / cycles * 1e12:.1f}",
            f"{100 * sums['cost'] / sums['joules']:.2f} %", *("-" if one is None else f"{one:.2f} %" for one in (share, resting)),
            "nothing saved" if share is None else "yes" if share < BAR else "with gating" if resting < BAR else "no"]


def _groups(found: list[Row]) -> list[list[str]]:
    keys = dict.fromkeys((row["group"], row["policy"]) for row in found)
    return [_words(*key, [row for row in found if (row["group"], row["policy"]) == key]) for key in keys]


def lines(found: list[Row]) -> list[str]:
    if not found:
        return []
    words = [HEAD, *_groups(found)]
    widths = [max(len(row[column]) for row in words) for column in range(len(HEAD))]
    return ["Saved by the policies in the simulator, over static, in energy mode:",
            *("  ".join(f"{word:<{width}}" for word, width in zip(row, widths)).rstrip() for row in words)]


def page(found: list[Row]) -> list[str]:
    return [f"| {' | '.join(HEAD)} |", "|---" * len(HEAD) + "|", *(f"| {' | '.join(row)} |" for row in _groups(found))]


def write(path: Path, found: list[Row]) -> None:
    if found:
        table.write(path, found, COLUMNS)
