# SPDX-License-Identifier: Apache-2.0
"""What doc/use/sweep.md says of sweeps that were run: `make sweep-update`.

  page.py kills BALLAST     sim/sweep/policies.toml from nothing, killed twice, resumed; its tables and its picture
  page.py plan              what a point costs here beside its own time, and from it what 10^8 points on 10 000 nodes take

Run from the repository root.
"""
from __future__ import annotations

import math
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
import pages
from runner import Progress, Runner
from slurm import Shard, line_of
from store import Result, Store
from study import MOST_POINTS, Files, Point, Reader
from tools import Failure, processors, program, run

PAGE, STUDY, STORE = Path("doc/use/sweep.md"), Path("sim/sweep/policies.toml"), Path("build/sweep.sqlite")
FIRST = "fixed IS NULL AND t_idle IS NULL"  # the policies as they are
NODES, CORES, POINTS = 10_000, 2, 10 ** 8  # cores: of this machine


def indented(text: str) -> list[str]:
    return [f"    {line}".rstrip() for line in text.splitlines()]


# ---- killed twice ------------------------------------------------------------------------------------------

def stored(store: Path) -> dict[str, str]:
    """The points that are done, and when."""
    if not store.exists():
        return {}
    db = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    try:
        return dict(db.execute("SELECT key, finished FROM point WHERE status = 'done'"))
    finally:
        db.close()


def one_call(ballast: str, until: int) -> tuple[float, str]:
    """A sweep that is killed once so many points are done (0: never): seconds, how it ended."""
    start, process = time.monotonic(), subprocess.Popen([ballast, "sweep", "--jobs", str(processors()), "--store", STORE, STUDY], stdout=subprocess.DEVNULL)
    while process.poll() is None:
        time.sleep(0.5)
        if until and len(stored(STORE)) >= until:
            process.send_signal(signal.SIGKILL)
            process.wait()
    return time.monotonic() - start, "kill -9" if process.returncode == -signal.SIGKILL else f"exit status {process.returncode}"


def kills(ballast: str) -> None:
    points = len(Reader(STUDY, os.path.realpath(ballast)).points())
    for path in STORE.parent.glob(f"{STORE.name}*"):
        if path.is_file():
            path.unlink()
    lines, before, total = [f"{'call':>4} {'done before':>12} {'done after':>11} {'seconds':>8}  ended by"], {}, 0.0
    for call, until in enumerate((points // 4, points // 2, 0), 1):
        seconds, ended = one_call(ballast, until)
        after = stored(STORE)
        if again := [key for key, when in before.items() if after.get(key) != when]:
            raise Failure(f"{len(again)} points that were done are lost, or ran again", 1)
        lines.append(f"{call:>4} {len(before):>12} {len(after):>11} {seconds:8.0f}  {ended}")
        before, total = after, total + seconds
    if len(before) != points:
        raise Failure(f"{points - len(before)} points have failed; 'ballast query failed' lists them", 1)
    [row] = sqlite3.connect(STORE).execute("SELECT sum(seconds), max(seconds) FROM point")
    lines.append(f"{points} points; {total:.0f} s with {processors()} at a time, {row[0]:.0f} s of points, the longest {row[1]:.1f} s; no point that was done ran again")
    pages.write(PAGE, indented("\n".join(lines)), "make sweep-update", "kills")
    said = [run([ballast, "query", question, "--where", FIRST]).stdout for question in ("summary", "best")]
    pages.write(PAGE, indented("\n".join(said)), "make sweep-update", "policies")
    run([ballast, "query", "picture", "--where", FIRST, "--out", PAGE.with_suffix(".svg")])
    PAGE.with_suffix(".csv").unlink()


# ---- the plan -----------------------------------------------------------------------------------------------

def seconds(job: Callable[[], object]) -> float:
    start = time.monotonic()
    job()
    return time.monotonic() - start


def measure(work: Path, values: dict[str, object]) -> dict[str, float]:
    """Of one point, in seconds and bytes."""
    count = 20_000
    points = [Point(f"{n:032x}", ("/bin/true", "x" * 120), {"policy": "one", "kernel": "chase", "seed": n}, "", 60.0, ()) for n in range(count)]
    results = [Result(point.key, "done", 1, 0.1, "2026-01-01 00:00:00", "node1234", "", (values,)) for point in points]
    store, shard = Store(work / "x.sqlite", write=True), work / "shard"
    shard.write_bytes(b"".join(map(line_of, results)))
    found = {"shard": shard.stat().st_size / count, "enter": seconds(lambda: store.enter("t", points, (" ".join(point.words) for point in points), "0")) / count,
             "merge": seconds(lambda: store.put(Shard(shard).more())) / count}
    store.close()
    runner = Runner(work / "w", 1, 0, Files(), lambda result: None, Progress(points[:400], {}))
    return found | {"store": (work / "x.sqlite").stat().st_size / count, "start": seconds(lambda: runner.run(points[:400])) / 400,
                    "task": min(seconds(lambda: run([sys.executable, "-c", "import sys; sys.path[:0] = ['sim/sweep', 'tb/flow']; import slurm"])) for _ in range(5))}


def plan() -> None:
    db = sqlite3.connect(STORE)
    [[mean, point]] = db.execute("SELECT avg(seconds), min(id) FROM point WHERE status = 'done'")
    values = dict(db.execute("SELECT name, value FROM value WHERE point = ? AND line = 1", [point]))
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), values)
    chunk, busy = math.ceil(600 / mean), NODES * CORES / (mean + found["start"])  # points of ten minutes; points per second
    pages.write(PAGE, [
        "| measured here, of one point | |", "|---|---|",
        f"| its own time, mean of the study below | {mean:.2f} s |",
        f"| its process, folder and limit of time | {1000 * found['start']:.1f} ms |",
        f"| to start a task: Python and its modules | {found['task']:.2f} s |",
        f"| a result of {len(values)} values: in a shard, in the store | {found['shard']:.0f} bytes, {found['store']:.0f} bytes |",
        f"| to enter it into the store, to merge its result | {1e6 * found['enter']:.0f} us, {1e6 * found['merge']:.0f} us |", "",
        f"| so 10^8 points on {NODES} nodes of {CORES} cores | |", "|---|---|",
        f"| all cores busy | {POINTS / busy / 60:.0f} min |",
        f"| tasks of ten minutes, {chunk} points each; arrays of 1001, Slurm's default | {math.ceil(POINTS / chunk)}; {math.ceil(POINTS / chunk / 1001)} |",
        f"| what the starts of tasks and points cost | {100 * (found['task'] / chunk + found['start']) / mean:.1f} % |",
        f"| shards, all nodes together | {POINTS * found['shard'] / 1e9:.0f} GB, {busy * found['shard'] / 1e6:.0f} MB/s |",
        f"| one store of all: its size, to enter and merge it | {POINTS * found['store'] / 1e9:.0f} GB, {POINTS * (found['enter'] + found['merge']) / 3600:.1f} h |",
        f"| {POINTS // MOST_POINTS} studies of {MOST_POINTS} points: the store of one, to enter and merge it | {MOST_POINTS * found['store'] / 1e9:.1f} GB, "
        f"{MOST_POINTS * (found['enter'] + found['merge']) / 60:.1f} min |"], "make sweep-update", "plan")


def main() -> int:
    if sys.argv[1] == "kills":
        kills(sys.argv[2])
    else:
        plan()
    return 0


if __name__ == "__main__":
    program(main)
