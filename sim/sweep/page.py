# SPDX-License-Identifier: Apache-2.0
"""What doc/use/sweep.md says of sweeps that were run: `make sweep-update`.

  page.py BALLAST     of a store that has all of sim/sweep/policies.toml its tables and its picture. What a point costs here beside its own time, and from it what
                      10^8 points on 10 000 nodes take

Run from the repository root.
"""
from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
import pages  # noqa: E402
from store import Result, enter, opened, put  # noqa: E402
from study import MOST_POINTS, Files, Point, want  # noqa: E402
from sweep import read_shard, run_points  # noqa: E402
from tools import program, run, scratch  # noqa: E402

PAGE, STORE = Path("doc/use/sweep.md"), Path("build/sweep.sqlite")
FIRST = "fixed IS NULL AND t_idle IS NULL"  # the policies as they are
NODES, CORES, POINTS = 10_000, 2, 10 ** 8  # cores: of this machine
LIKE = 20_000  # points that what one costs is measured with


def asked(text: str) -> list[tuple[object, ...]]:
    with opened(STORE) as db:
        return db.execute(text).fetchall()


def write(name: str, lines: list[str], indent: str = "") -> None:
    pages.write(PAGE, [f"{indent}{line}".rstrip() for line in lines], "make sweep-update", name)


def swept(ballast: str) -> None:
    [(points, done, total, longest)] = asked("SELECT count(*), sum(status IS 'done'), sum(seconds), max(seconds) FROM member JOIN point ON id = point WHERE study = 'policies'")
    want(points == done, "not all points are done; 'ballast query' says which")
    write("sweep", [f"{points} points, {total:.0f} s of points, the longest {longest:.1f} s"], "    ")
    write("policies", "\n".join(run([ballast, "query", question, "--study", "policies", "--where", FIRST]).stdout for question in ("summary", "best")).splitlines(), "    ")
    run([ballast, "query", "picture", "--study", "policies", "--where", FIRST, "--out", PAGE.with_suffix(".svg")])
    PAGE.with_suffix(".csv").unlink()


def seconds(job: Callable[[], object], times: int) -> float:
    start = time.monotonic()
    job()
    return (time.monotonic() - start) / times


def plan() -> None:
    """What a point costs is measured with points that are like the first one of the study."""
    [(mean, point)] = asked("SELECT avg(seconds), min(id) FROM point WHERE status = 'done'")
    values = dict(asked(f"SELECT name, value FROM value WHERE point = {point} AND line = 1"))
    points = [Point(f"{n:032x}", ["/bin/true", "x" * 120], {"policy": "one", "kernel": "chase", "seed": n}, "", 60.0, []) for n in range(LIKE)]
    with scratch() as work:
        results = (Result(one.key, "done", 1, 0.1, "2026-01-01 00:00:00", "node1234", "", [values]) for one in points)
        (work / "shard").write_text("".join(f"{json.dumps(one)}\n" for one in results))
        with opened(work / "x", write=True) as db:
            entered = seconds(lambda: enter(db, "t", points, "0"), LIKE)
            merged = seconds(lambda: put(db, read_shard(work / "shard")[0]), LIKE)
        in_shard, in_store = ((work / name).stat().st_size / LIKE for name in ("shard", "x"))
        start = seconds(lambda: run_points(points[:400], work / "w", 1, 0, Files(), lambda point, result: None), 400)
    task = seconds(lambda: [run([sys.executable, "-c", "import sys; sys.path[:0] = ['sim/sweep', 'tb/flow']; import sweep"]) for _ in range(5)], 5)
    chunk, busy = math.ceil(600 / mean), NODES * CORES / (mean + start)  # points of ten minutes; points per second
    write("plan", [
        "| measured here, of one point | |", "|---|---|",
        f"| its own time, mean of the study below | {mean:.2f} s |",
        f"| its process, folder and limit of time | {1000 * start:.1f} ms |",
        f"| to start a task: Python and its modules | {task:.2f} s |",
        f"| a result of {len(values)} values: in a shard, in the store | {in_shard:.0f} bytes, {in_store:.0f} bytes |",
        f"| to enter it into the store, to merge its result | {1e6 * entered:.0f} us, {1e6 * merged:.0f} us |", "",
        f"| so 10^8 points on {NODES} nodes of {CORES} cores | |", "|---|---|",
        f"| all cores busy | {POINTS / busy / 60:.0f} min |",
        f"| tasks of ten minutes, {chunk} points each; arrays of 1001, Slurm's default | {math.ceil(POINTS / chunk)}; {math.ceil(POINTS / chunk / 1001)} |",
        f"| what the starts of tasks and points cost | {100 * (task / chunk + start) / mean:.1f} % |",
        f"| shards, all nodes together | {POINTS * in_shard / 1e9:.0f} GB, {busy * in_shard / 1e6:.0f} MB/s |",
        f"| one store of all: its size, to enter and merge it | {POINTS * in_store / 1e9:.0f} GB, {POINTS * (entered + merged) / 3600:.1f} h |",
        f"| {POINTS // MOST_POINTS} studies of {MOST_POINTS} points: the store of one, to enter and merge it | {MOST_POINTS * in_store / 1e9:.1f} GB, "
        f"{MOST_POINTS * (entered + merged) / 60:.1f} min |"])


if __name__ == "__main__":
    program(lambda: (swept(sys.argv[1]), plan())[0])
