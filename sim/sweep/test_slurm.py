# SPDX-License-Identifier: Apache-2.0
"""test_slurm.py BALLAST: sweeps on a munged, slurmctld and slurmd (Debian's slurm-wlm and munge) with ports and folders of their own.
Run from the repository root."""
from __future__ import annotations

import contextlib
import getpass
import os
import re
import signal
import socket
import subprocess
from pathlib import Path

from sweep import read_shard
from sweep_fixture import Sweeps, expect, good, grid, same, wait_for

HOST = socket.gethostname().partition(".")[0]
# Slurm waits cred_expire seconds before it starts a task again. Tasks that do not ask for it are not started again.
CONF = """ClusterName=ballast
SlurmctldHost={host}(127.0.0.1)
AuthInfo=socket={work}/socket,cred_expire=6
JobRequeue=0
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
MaxArraySize=2
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
        self.daemons: dict[str, subprocess.Popen] = {}
        self.lot = self.store.with_name("x.sqlite.slurm")
        files = (f"--{name}={self.work}/{name}" for name in ("key-file", "socket", "pid-file", "log-file", "seed-file"))
        self.start("munged", "--force", "--foreground", *files)
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
        for path in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):  # it has ended
                if f"SLURM_CONF={self.work}/".encode() in path.read_bytes() and int(path.parent.name) not in others:
                    os.kill(int(path.parent.name), signal.SIGKILL)
        for name in names:
            self.daemons[name].wait()

    def start(self, name: str, *words: str) -> None:
        nothing = subprocess.DEVNULL
        self.daemons[name] = subprocess.Popen([name, *words], stdin=nothing, stdout=nothing, stderr=nothing)

    def node(self) -> None:
        self.start("slurmd", "-D")
        words = ["sinfo", "--noheader", "--format=%T"]
        wait_for("an idle node", lambda: "idle" in subprocess.run(words, capture_output=True, text=True, check=False).stdout)

    def done(self) -> list[int]:
        return [n for n, in self.sql("SELECT value FROM value WHERE name = 'n' ORDER BY value")]

    def starts(self) -> list[int]:
        return [int(line.split()[1]) for line in self.logged("start")]


def arrays(test: Cluster) -> None:
    with test.case("more tasks than an array may have: three arrays, each point once; new points alone, in tasks as large as needed"):
        test.sweep(0, good("{from = 1, to = 9}"), by=("--slurm", "--chunk", 2), says="^9 points in 5 tasks: jobs [0-9]+ [0-9]+ [0-9]+$")
        expect(test.done() == sorted(test.starts()) == list(range(1, 10)) and not test.lot.exists(), "a point ran twice, or a lot is left")
        test.sweep(0, good("{from = 1, to = 44}"), by=("--slurm",), says="^35 points in 2 tasks: jobs [0-9]+$")
        same(sorted(test.starts()), list(range(10, 45)))
    with test.case("a failure on a node is listed; an option that Slurm does not take: one line"):
        test.sweep(1, "retries = 1\n", grid("fails", "{n}", more="axes.n = [1, 2, 3]"), grid("twice", "1"), by=("--slurm",),
                   says="fake fails 2\n    exit status 7: it is number 2\nt: 3 of 4 points done, 1 failed; ")
        test.sweep(2, by=("--slurm", "--sbatch=--partition=none"), says="^ballast sweep: sbatch: exit status 1: .*partition")
    with test.case("a program that changes: its task ends, and one that begins with another program runs nothing"):
        test.fresh(grid("changes", "{n}", more="axes.n = [1, 2]"))
        test.sweep(1, by=("--slurm", "--chunk", 1, "--sbatch=--cpus-per-task=2"), says="^what the tasks said: .*slurm/log$")
        test.says("^t: 0 of 2 points done, 0 failed, 2 not finished: call it again; ")
        said = sorted(path.read_text() for path in test.lot.glob("log/*"))
        expect(test.starts() == [1] and "fake: has changed while" in said[0] and "fake: is not the same on " in said[1], f"{said}")


def dead(test: Cluster) -> None:
    for cut, by, then in ((None, ["--sbatch=--no-requeue"], "the next call runs the rest"),
                          (-5, [], "Slurm puts its tasks back, and the next call waits")):
        with test.case(f"a node dies, and the sweep is killed: {then}; what was done does not run again, but for a result that is cut off"):
            test.fresh(grid("slow", "{n}", "1.5", more="axes.n = {from = 1, to = 8}"))
            one = test.begun("--slurm", "--chunk", 4, *by)
            wait_for("results", lambda: len(test.done()) > 1)
            one.kill()
            one.communicate(timeout=60)
            test.kill("slurmd")
            test.command(0, "scontrol", "update", f"NodeName={HOST}", "State=DOWN", "Reason=dead")
            shards = list(test.lot.glob("shards/*"))
            shards[0].write_bytes(shards[0].read_bytes()[:cut])
            kept = {result.lines[0]["n"] for path in shards for result in read_shard(path)[0]}
            test.node()
            test.sweep(0, by=("--slurm", "--chunk", 4))
            expect(("tasks: jobs" in test.said) == bool(by), "it submits again, or not")
            same(test.done(), list(range(1, 9)))
            expect(0 < len(kept) < 8, f"{kept} were done")
            same(sorted(test.starts()), sorted(set(range(1, 9)) - kept))
    with test.case("a call while tasks are queued waits for them; a shard that is damaged costs only its own lines; points side by side"):
        test.fresh(grid("slow", "{n}", "0.7", more="axes.n = {from = 1, to = 6}"))
        one = test.begun("--slurm", "--chunk", 3, "--sbatch=--cpus-per-task=2")
        wait_for("a shard", lambda: list(test.lot.glob("shards/*.jsonl")))
        one.send_signal(signal.SIGINT)
        said = one.communicate(timeout=60)[1]
        expect(re.search("the tasks go on.*--name=ballast-[0-9a-f]{12}'", said) and one.returncode == 130, said)
        (test.lot / "shards/9.x.jsonl").write_text('{"key": "x"}\nnothing\n[1]\n["cut o')
        test.command(0, *test.words("sweep", test.file, "--slurm"))
        expect("tasks: jobs" not in test.said, "it submits again")
        expect(test.done() == sorted(test.starts()) == list(range(1, 7)), f"{test.starts()}")
        expect(test.log.read_text().startswith("start", test.log.read_text().find("\n") + 1), "one point at a time")


if __name__ == "__main__":
    Cluster.main("", arrays, dead)
