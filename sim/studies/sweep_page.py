# SPDX-License-Identifier: Apache-2.0
"""sweep_page.py STORE: what a point costs here beside its own time, measured with points that are like the first one of the store, and
from it what 10^8 points on 10 000 nodes take: a table of doc/use/sweep.md. Part of `make sweep-update`, run from the repository root."""
from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from timeit import timeit

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / folder) for folder in ("sim/sweep", "tb/flow")]
from store import Result, enter, opened, put  # noqa: E402
from study import MOST_POINTS, Files, Point  # noqa: E402
from sweep import read_shard, run_points  # noqa: E402
from tools import program, run, scratch  # noqa: E402

NODES, CORES, POINTS = 10_000, 2, 10 ** 8  # cores: of this machine
LIKE = 20_000  # points that what one costs is measured with
START = "import sys; sys.path[:0] = ['sim/sweep', 'tb/flow']; import sweep"


def plan() -> None:
    with opened(Path(sys.argv[1])) as db:
        [(mean, point)] = db.execute("SELECT avg(seconds), min(id) FROM point WHERE status = 'done'")
        values = dict(db.execute("SELECT name, value FROM value WHERE line = 1 AND point = ?", [point]))
    labels = {"policy": "one", "kernel": "chase"}
    points = [Point(f"{n:032x}", ["/bin/true", "x" * 120], labels | {"seed": n}, "", 60.0, []) for n in range(LIKE)]
    with scratch() as work:
        results = (Result(one.key, "done", 1, 0.1, "2026-01-01 00:00:00", "node1234", "", [values]) for one in points)
        (work / "shard").write_text("".join(f"{json.dumps(one)}\n" for one in results))
        with opened(work / "x", write=True) as db:
            entered = timeit(lambda: enter(db, "t", points, "0"), number=1) / LIKE
            merged = timeit(lambda: put(db, read_shard(work / "shard")[0]), number=1) / LIKE
        in_shard, in_store = ((work / name).stat().st_size / LIKE for name in ("shard", "x"))
        start = timeit(lambda: run_points(points[:400], work / "w", 1, 0, Files(), lambda point, result: None), number=1) / 400
    task = timeit(lambda: run([sys.executable, "-c", START]), number=5) / 5
    chunk, busy = math.ceil(600 / mean), NODES * CORES / (mean + start)  # points of ten minutes; points per second
    tasks, both = math.ceil(POINTS / chunk), entered + merged
    print("| measured here, of one point | |", "|---|---|",
          f"| its own time, mean of the study below | {mean:.2f} s |",
          f"| its process, folder and limit of time | {1000 * start:.1f} ms |",
          f"| to start a task: Python and its modules | {task:.2f} s |",
          f"| a result of {len(values)} values: in a shard, in the store | {in_shard:.0f} bytes, {in_store:.0f} bytes |",
          f"| to enter it into the store, to merge its result | {1e6 * entered:.0f} us, {1e6 * merged:.0f} us |", "",
          f"| so 10^8 points on {NODES} nodes of {CORES} cores | |", "|---|---|",
          f"| all cores busy | {POINTS / busy / 60:.0f} min |",
          f"| tasks of ten minutes, {chunk} points each; arrays of 1001, Slurm's default | {tasks}; {math.ceil(tasks / 1001)} |",
          f"| what the starts of tasks and points cost | {100 * (task / chunk + start) / mean:.1f} % |",
          f"| shards, all nodes together | {POINTS * in_shard / 1e9:.0f} GB, {busy * in_shard / 1e6:.0f} MB/s |",
          f"| one store of all: its size, to enter and merge it | {POINTS * in_store / 1e9:.0f} GB, {POINTS * both / 3600:.1f} h |",
          f"| {POINTS // MOST_POINTS} studies of {MOST_POINTS} points: the store of one, to enter and merge it | "
          f"{MOST_POINTS * in_store / 1e9:.1f} GB, {MOST_POINTS * both / 60:.1f} min |", sep="\n")


if __name__ == "__main__":
    program(plan)
