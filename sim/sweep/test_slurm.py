# SPDX-License-Identifier: Apache-2.0
"""Sweeps on a cluster: a real munged, slurmctld and slurmd on this machine, with ports and folders of their own.

  python3 sim/sweep/test_slurm.py BALLAST

Needs Debian's slurm-wlm and munge. Run from the repository root; ends with 'N passed, N failed'.
"""
from __future__ import annotations

import getpass
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tb/flow")]
from planted import Planted, expect  # noqa: E402

CONF = """ClusterName=ballast
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={work}/munge.sock
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={port0}
SlurmdPort={port1}
StateSaveLocation={work}/state
SlurmdSpoolDir={work}/spool
SlurmctldPidFile={work}/slurmctld.pid
SlurmdPidFile={work}/slurmd.pid
SlurmctldLogFile={work}/slurmctld.log
SlurmdLogFile={work}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=1,sched_interval=2
MaxArraySize=5
SlurmdTimeout=10
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""
PROGRAM = "#!/bin/sh\necho start $1 >> {log}\nsleep $2\nprintf 'n,square\\n%s,%s\\n' $1 $(($1 * $1))\n"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster(Planted):
    def __enter__(self) -> Cluster:
        super().__enter__()
        self.path = {"PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin", "SLURM_CONF": str(self.work / "slurm.conf")}
        self.ballast, self.log, self.store = self.work / "fake", self.work / "starts", self.work / "x.sqlite"
        self.ballast.write_text(PROGRAM.format(log=self.log))
        self.ballast.chmod(0o755)
        self.daemons: dict[str, subprocess.Popen] = {}
        (self.work / "state").mkdir()
        (self.work / "key").write_bytes(os.urandom(1024))
        (self.work / "key").chmod(0o400)
        (self.work / "slurm.conf").write_text(CONF.format(work=self.work, host=socket.gethostname().partition(".")[0], user=getpass.getuser(), port0=free_port(), port1=free_port()))
        self.start("munged", "--force", "--foreground", f"--key-file={self.work}/key", f"--socket={self.work}/munge.sock", f"--pid-file={self.work}/munge.pid",
                   f"--log-file={self.work}/munge.log", f"--seed-file={self.work}/seed")
        self.until("munged", lambda: (self.work / "munge.sock").exists())
        self.start("slurmctld", "-D")
        self.start("slurmd", "-D")
        self.until("an idle node", lambda: "idle" in self.said_by("sinfo", "--noheader", "--format=%T"))
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        for process in self.daemons.values():
            process.kill()
            process.wait()
        return super().__exit__(kind, error, trace)

    def start(self, name: str, *words: str) -> None:
        with (self.work / f"{name}.out").open("w") as out:
            self.daemons[name] = subprocess.Popen([name, *words], env=os.environ | self.path, stdin=subprocess.DEVNULL, stdout=out, stderr=out)

    def until(self, what: str, true: object, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while not true():
            expect(time.monotonic() < end, f"never: {what}; {[(name, process.poll()) for name, process in self.daemons.items()]}")
            time.sleep(0.2)

    def said_by(self, *words: str) -> str:
        return subprocess.run(words, env=os.environ | self.path, capture_output=True, text=True, check=False).stdout

    def words(self, *options: object) -> list[str]:
        return [str(word) for word in (sys.executable, "sim/sweep/sweep.py", self.ballast, self.work / "t.toml", "--store", self.store, *options)]

    def sweep(self, status: int, *options: object) -> None:
        self.command(status, *self.words(*options), env=self.path, seconds=300)

    def fresh(self) -> None:
        """Nothing has run."""
        self.ballast.write_text(PROGRAM.format(log=self.log))
        self.log.unlink(missing_ok=True)
        self.store.unlink(missing_ok=True)

    def study(self, count: int, seconds: float) -> None:
        (self.work / "t.toml").write_text(f'name = "t"\n[[grid]]\ncommand = ["{{n}}", "{seconds}"]\naxes.n = {{from = 1, to = {count}}}\n')

    def done(self) -> list[int]:
        db = sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)
        try:
            return [n for n, in db.execute("SELECT value FROM value JOIN point ON point.id = point WHERE name = 'square' ORDER BY value")]
        except sqlite3.OperationalError:
            return []
        finally:
            db.close()

    def starts(self) -> list[int]:
        return [int(line.split()[1]) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def all_there(self, count: int) -> None:
        expect(self.done() == [n * n for n in range(1, count + 1)], f"other results: {self.done()}")


def arrays(test: Cluster) -> None:
    with test.case("23 points in 12 tasks, more than an array may have: three arrays, each point once; a second call runs nothing"):
        test.study(23, 0)
        test.sweep(0, "--slurm", "--chunk", 2)
        test.says("^23 points in 12 tasks: jobs [0-9]+ [0-9]+ [0-9]+$")
        test.says("^t: 23 of 23 points done, 0 failed; ")
        test.all_there(23)
        expect(sorted(test.starts()) == list(range(1, 24)) and not list(test.store.with_name("x.sqlite.slurm").iterdir()), "a point ran twice, or a lot is left")
        test.sweep(0, "--slurm")
        expect(len(test.starts()) == 23, "a point ran again")
    with test.case("a failure on a node is listed"):
        test.ballast.write_text(test.ballast.read_text().replace("sleep", "[ $1 != 3 ] || { echo lost >&2; exit 4; }; sleep"))
        test.study(4, 0)
        test.sweep(1, "--slurm")
        test.says("fake 3 0\n    exit status 4: lost$")
    with test.case("an option that Slurm does not take: one line; so where there is no Slurm"):
        test.sweep(2, "--slurm", "--sbatch=--partition=none")
        test.says("^ballast sweep: sbatch: exit status 1: .*partition")
        test.command(2, *test.words("--slurm"), env=test.only("python3", "bash"))
        test.says("^ballast sweep: --slurm: there is no sbatch here")


def dead(test: Cluster) -> None:
    """The node goes down with what it runs, and the side that submitted, too."""
    test.fresh()
    test.study(8, 1.5)
    with test.case("a node dies, and the sweep is killed: what was done is kept, the next call runs the rest, no point that was done runs again"):
        one = subprocess.Popen(test.words("--slurm", "--chunk", 4, "--sbatch=--no-requeue"), env=os.environ | test.path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        test.until("a result", lambda: test.store.exists() and test.done())
        one.kill()
        one.wait()
        test.daemons["slurmd"].kill()
        test.daemons["slurmd"].wait()
        for pid in subprocess.run(["pgrep", "-f", f"{test.work}"], capture_output=True, text=True, check=False).stdout.split():
            if int(pid) not in [os.getpid(), *(process.pid for process in test.daemons.values())]:  # the tasks, with what they run
                os.kill(int(pid), signal.SIGKILL)
        before, kept = test.starts(), test.done()
        expect(0 < len(kept) < 8, f"it was too late: {kept}")
        test.said_by("scontrol", "update", f"NodeName={socket.gethostname().partition('.')[0]}", "State=DOWN", "Reason=dead")
        test.start("slurmd", "-D")
        test.until("an idle node", lambda: "idle" in test.said_by("sinfo", "--noheader", "--format=%T"))
        test.sweep(0, "--slurm", "--chunk", 4)
        test.all_there(8)
        expect(not {round(square ** 0.5) for square in kept} & set(test.starts()[len(before):]), "a point that was done ran again")


def attached(test: Cluster) -> None:
    test.fresh()
    test.study(6, 1.0)
    with test.case("a call while tasks are in the queue waits for them; a shard that is cut off or damaged costs only its own lines"):
        one = subprocess.Popen(test.words("--slurm", "--chunk", 3), env=os.environ | test.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        test.until("a shard", lambda: list(test.work.glob("x.sqlite.slurm/*/shards/*.jsonl")))
        one.send_signal(signal.SIGINT)
        expect("the tasks go on" in one.communicate()[1] and one.returncode == 130, "it says something else")
        shards = next(test.work.glob("x.sqlite.slurm/*/shards"))
        (shards / "9.x.jsonl").write_text('0badc0de {"key": "x"}\nnothing\n12345678 {"cut o')
        test.sweep(0, "--slurm")
        expect("tasks: jobs" not in test.said, "it submits again")
        test.all_there(6)
        expect(sorted(test.starts()) == [1, 2, 3, 4, 5, 6], f"points ran twice: {test.starts()}")


def requeued(test: Cluster) -> None:
    """What Slurm does after it has lost a node: the same task again."""
    test.fresh()
    with test.case("a task that is run again leaves out what its shard has"):
        lot = test.work / "lot"
        for name in ("tasks", "shards"):
            (lot / name).mkdir(parents=True)
        points = ",".join(f'{{"key": "{n}", "words": ["{test.ballast}", "{n}", "0"], "labels": {{}}, "table": "-", "seconds": 9, "files": []}}' for n in (1, 2, 3))
        (lot / "tasks/7.json").write_text(f"[{points}]")
        (lot / "lot.json").write_text('{"retries": 0, "sums": {}}')
        for _ in range(2):
            test.command(0, sys.executable, "sim/sweep/slurm.py", lot, 5, env={"SLURM_ARRAY_TASK_ID": "2"})
        expect(test.starts() == [1, 2, 3], f"{test.starts()}")
        [shard, _] = sorted((lot / "shards").iterdir(), key=lambda path: -path.stat().st_size)
        shard.write_bytes(shard.read_bytes()[:-5])
        test.command(0, sys.executable, "sim/sweep/slurm.py", lot, 5, env={"SLURM_ARRAY_TASK_ID": "2"})
        expect(test.starts() == [1, 2, 3, 3], f"{test.starts()}")
    with test.case("a program that is another one on the node: it runs nothing"):
        (lot / "lot.json").write_text(f'{{"retries": 0, "sums": {{"{test.ballast}": "x"}}}}')
        (lot / "tasks/0.json").write_text(f"[{points}]".replace('"files": []', f'"files": ["{test.ballast}"]'))
        test.command(3, sys.executable, "sim/sweep/slurm.py", lot, 0, env={"SLURM_ARRAY_TASK_ID": "0"})
        test.one_line("fake: is not the same on ")
        expect(len(test.starts()) == 4, "it ran something")


def main() -> int:
    with Cluster("", "") as test:
        for part in (arrays, dead, attached, requeued):
            part(test)
    return test.status


if __name__ == "__main__":
    sys.exit(main())
