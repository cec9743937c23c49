# SPDX-License-Identifier: Apache-2.0
"""Sweeps on a cluster: a real munged, slurmctld and slurmd on this machine, with ports and folders of their own.

  python3 sim/sweep/test_slurm.py

Needs Debian's slurm-wlm and munge. Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import getpass
import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_sweep import Sweeps, expect, good, grid, processes, up_to, wait_for  # noqa: E402  (which knows where tools are)
from study import Point  # noqa: E402

HOST = socket.gethostname().partition(".")[0]
CONF = """ClusterName=ballast
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={work}/socket
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={work}/state
SlurmdSpoolDir={work}/spool
SlurmctldPidFile={work}/slurmctld.pid
SlurmdPidFile={work}/slurmd.pid
ProctrackType=proctrack/linuxproc
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=1,sched_interval=2
MaxArraySize=5
SlurmdTimeout=10
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Cluster(Sweeps):
    def __enter__(self) -> Cluster:
        super().__enter__()
        os.environ |= {"PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin", "SLURM_CONF": f"{self.work}/slurm.conf"}
        with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
            ports = [of.getsockname()[1] for of in (one, two)]
        (self.work / "slurm.conf").write_text(CONF.format(work=self.work, host=HOST, user=getpass.getuser(), ports=ports))
        (self.work / "state").mkdir()
        (self.work / "key-file").write_bytes(os.urandom(1024))
        (self.work / "key-file").chmod(0o400)
        self.daemons: dict[str, subprocess.Popen] = {}
        self.lot = self.store.with_name("x.sqlite.slurm")
        self.start("munged", "--force", "--foreground", *(f"--{name}={self.work}/{name}" for name in ("key-file", "socket", "pid-file", "log-file", "seed-file")))
        wait_for("munged", (self.work / "socket").exists)
        self.start("slurmctld", "-D")
        self.node()
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        self.kill(*self.daemons)
        return super().__exit__(kind, error, trace)

    def kill(self, *names: str) -> None:
        """These daemons, with all that they have started."""
        others = {process.pid for name, process in self.daemons.items() if name not in names}
        for pid in {pid for pid, words in processes("environ") if f"SLURM_CONF={self.work}/" in words} - others:
            os.kill(pid, signal.SIGKILL)
        for name in names:
            self.daemons[name].wait()

    def start(self, name: str, *words: str) -> None:
        with (self.work / f"{name}.out").open("w") as out:
            self.daemons[name] = subprocess.Popen([name, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=out)

    def node(self) -> None:
        self.start("slurmd", "-D")
        wait_for("an idle node", lambda: "idle" in subprocess.run(["sinfo", "--noheader", "--format=%T"], capture_output=True, text=True, check=False).stdout)

    def done(self) -> list[int]:
        return [n for n, in self.sql("SELECT value FROM value WHERE name = 'n' ORDER BY value")] if self.store.exists() else []

    def starts(self) -> list[int]:
        return [int(line.split()[1]) for line in self.logged("start")]


def arrays(test: Cluster) -> None:
    with test.case("23 points in 12 tasks, more than an array may have: three arrays, each point once; a second call runs nothing"):
        test.sweep(0, good(up_to(23)), by=("--slurm", "--chunk", 2))
        test.says("^23 points in 12 tasks: jobs [0-9]+ [0-9]+ [0-9]+$")
        test.says("^t: 23 of 23 points done, 0 failed; ")
        expect(test.done() == sorted(test.starts()) == list(range(1, 24)) and not test.lot.exists(), "a point ran twice, or a lot is left")
        test.sweep(0, by=("--slurm",))
        expect(len(test.starts()) == 23, "a point ran again")
    with test.case("a failure on a node is listed"):
        test.sweep(1, grid("fails", "{n}", more="axes.n = [1, 2, 3]"), by=("--slurm",))
        test.says("fake fails 2\n    exit status 7: it is number 2$")
    with test.case("an option that Slurm does not take: one line; so where there is no Slurm"):
        test.sweep(2, by=("--slurm", "--sbatch=--partition=none"))
        test.says("^ballast sweep: sbatch: exit status 1: .*partition")
        test.command(2, *test.words("sweep", test.file, "--slurm"), env=test.only("python3", "bash", "squeue"))
        test.says("^ballast sweep: --slurm: there is no sbatch here")


def dead(test: Cluster) -> None:
    test.fresh()
    test.study(grid("slow", "{n}", "1.5", more=f"axes.n = {up_to(8)}"))
    with test.case("a node dies, and the sweep is killed: what was done is kept, the next call runs the rest, no point that was done runs again"):
        one = test.begun("--slurm", "--chunk", 4, "--sbatch=--no-requeue")
        wait_for("a result", test.done)
        one.kill()
        one.communicate(timeout=60)
        test.kill("slurmd")
        test.command(0, "scontrol", "update", f"NodeName={HOST}", "State=DOWN", "Reason=dead")
        before, kept = len(test.starts()), test.done()
        expect(0 < len(kept) < 8, f"it was too late: {kept}")
        test.node()
        test.sweep(0, by=("--slurm", "--chunk", 4))
        expect(test.done() == list(range(1, 9)), f"{test.done()}")
        expect(not set(kept) & set(test.starts()[before:]), "a point that was done ran again")
    test.fresh()
    test.study(grid("slow", "{n}", "1.0", more=f"axes.n = {up_to(6)}"))
    with test.case("a call while tasks are in the queue waits for them; a shard that is cut off or damaged costs only its own lines"):
        one = test.begun("--slurm", "--chunk", 3)
        wait_for("a shard", lambda: list(test.lot.glob("shards/*.jsonl")))
        one.send_signal(signal.SIGINT)
        expect("the tasks go on" in one.communicate(timeout=60)[1] and one.returncode == 130, "it says something else")
        (test.lot / "shards/9.x.jsonl").write_text('{"key": "x"}\nnothing\n[1]\n["cut o')
        test.sweep(0, by=("--slurm",))
        expect("tasks: jobs" not in test.said and test.done() == sorted(test.starts()) == [1, 2, 3, 4, 5, 6], f"it submits again, or points ran twice: {test.starts()}")


def tasks(test: Cluster) -> None:
    """What Slurm starts, by hand: task 2 + 5 of a lot."""
    test.fresh()
    for name in ("tasks", "shards"):
        (test.lot / name).mkdir(parents=True)

    def task(status: int, key: str, starts: list[int], sums: dict[str, str]) -> None:
        points = [Point(f"{key}{n}", [str(test.ballast), "good", str(n)], {}, "-", 9.0, list(sums)) for n in (1, 2, 3)]
        (test.lot / "tasks/7.json").write_text(json.dumps(points))
        (test.lot / "lot.json").write_text(json.dumps({"retries": 0, "sums": sums}))
        test.command(status, sys.executable, "sim/sweep/sweep.py", "task", test.lot, 5, env={"SLURM_ARRAY_TASK_ID": "2"})
        expect(test.starts() == starts, f"{test.starts()}")
    with test.case("a task that is run again leaves out what its shard has; one whose program is another one runs nothing"):
        for _ in range(2):
            task(0, "a", [1, 2, 3], {})
        shard = max((test.lot / "shards").iterdir(), key=lambda path: path.stat().st_size)
        shard.write_bytes(shard.read_bytes()[:-5])
        task(0, "a", [1, 2, 3, 3], {})
        task(3, "b", [1, 2, 3, 3], {str(test.ballast): "x"})
        test.one_line("fake: is not the same on ")


if __name__ == "__main__":
    Cluster.main("", arrays, dead, tasks)
