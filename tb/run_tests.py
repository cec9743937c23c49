# SPDX-License-Identifier: Apache-2.0
"""Runs every test of the project, or those of a block, and ends with 'N passed, N failed'.

  python3 tb/run_tests.py BUILD_DIR [BLOCK]

A cmocka program, and a check whose last line is 'N passed, N failed', counts as many tests as it has; any other check counts as one. A check
that dies, or says 0 failed and exits with an error, or counts nothing, is a failure. What it said lies in BUILD_DIR/test/log. A check
whose Debian package this system does not have at all, or whose package of PyPI cannot be had, is named as "not run", and counts as nothing.

Two checks run side by side. Those that build tools of their own in BUILD_DIR run one after the other, so that no two build the same
file at once; the others, the long ones first, whenever there is a place. What several of them need is built before ('make tests'). Beside them run those that mostly wait.

A line says how long the check took by the clock, and what it used of the processors: the sum of the latter is what 'make test' costs.

Their temporary files lie in memory where there is enough of it: many are written again and again, and ext4 flushes a file that is cut to nothing
and written anew to the disk when it is closed.
"""
from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "flow"))
import blocks
import pypi
from planted import LONG
from tools import Failure, Missing, ToolFailed, in_parallel, offered, program, run

LINES_SHOWN = 60
MEMORY, ROOM = Path("/dev/shm"), 6 << 30  # bytes that have to be free there, and as memory; the tests need a third of it at most
CHECK_SECONDS = 1800
TIMED = 'TIMEFORMAT="%U %S"; { time "$@" 2>&1; } 2> "$0"'  # bash: runs $@ and leaves in $0 what it and its children used
TIDY = "clang-tidy-14"  # later versions, and the cppcheck beside them, have checks for which the code has no waivers


@dataclass(frozen=True)
class Check:
    name: str
    command: list[str]
    cmocka: bool = False
    package: str = ""  # of Debian, without which it cannot run
    pypi: pypi.Package | None = None  # the same of PyPI
    tool: str = ""  # of a package that nothing installs by itself: the tool, and how to have it

    def lacks(self) -> str:
        """Why it cannot run here; nothing when it can."""
        if self.package and not offered(self.package):
            return f"this system has no package {self.package}"
        if self.tool and not shutil.which(self.tool.split()[0], path=f"{os.environ['PATH']}:/usr/sbin"):
            return f"no {self.tool}"
        if self.pypi and self.pypi.megabytes and not self.pypi.there and not LONG:
            return f"no {self.pypi.name}; LONG=1 has it from PyPI, {self.pypi.megabytes} MB"
        try:
            if self.pypi:
                pypi.environment(self.pypi)
        except Missing as missing:
            return str(missing)
        return ""


def builds_tools(build: str) -> list[Check]:
    quick = [one.name for one in blocks.blocks().values() for target in blocks.targets("gates", one, "fermi") if "quick" in target.options]
    return [
        Check("installation", ["python3", "sim/install/test_install.py", build]),
        Check("Python package", ["python3", "sim/python/test_python.py", build]),
        Check("benches", ["python3", "sim/install/test_benches.py", build]),
        Check("cocotb", ["python3", "sim/install/test_cocotb.py", build], pypi=pypi.COCOTB),
        Check("SystemC", ["python3", "tb/systemc/test_sysc.py", build]),
        Check("Icarus", ["python3", "tb/icarus/test_icarus.py", build]),
        Check("fuzzing", ["python3", "tb/fuzz/test_fuzz.py", build]),
        Check("coverage", ["python3", "tb/cover/test_cover.py", build]),
        Check("gate level", ["python3", "synth_scripts/gates/gates.py", "--build", build, *quick]),
        Check("gate level test", ["python3", "synth_scripts/gates/test_gates.py", build]),
        Check("new block", ["python3", "tb/skeleton/test_skeleton.py", build]),
        Check("own block", ["python3", "tb/extern/test_extern.py", build]),
    ]


def others(build: str) -> list[Check]:
    return [
        *(Check(f"configuration {config}", ["tb/check_config.sh", config])
          for config in blocks.representatives() if Path("build", config) != Path(build)),
        Check("proofs", ["python3", "tb/formal/test_formal.py", build]),
        Check("mutants on both sides", ["python3", "tb/mutate/test_common_mode.py", build]),
        Check("proofs by parts", ["python3", "tb/formal/test_parts.py", build]),
        Check("rules", ["python3", "tb/rules/test_rules.py", build]),
        Check("second opinions", ["python3", "tb/cross/test_cross.py", build]),
        Check("mutants", ["python3", "tb/mutate/test_mutate.py", build]),
        Check("lint C", ["synth_scripts/lint/lint_c.sh", "--quick"], package=TIDY),
        Check("what is undefined", ["python3", "tb/formal/test_undefined.py", build]),
        Check("translation of C", ["python3", "tb/formal/test_translation.py", build]),
        Check("LLVM versions", ["python3", "tb/formal/test_llvm.py", build]),
        Check("area", ["python3", "synth_scripts/area/area.py", "--changed", "fermi"]),
        Check("area test", ["python3", "synth_scripts/area/test_area.py"]),
        Check("what policies cost", ["python3", "synth_scripts/area/test_questions.py"]),
        Check("netlists keep registers", ["python3", "synth_scripts/area/test_mapping.py"]),
        Check("energy", ["python3", "synth_scripts/energy/test_energy.py", build]),
        Check("lint RTL", ["python3", "synth_scripts/lint/lint_rtl.py", "--quick"]),
        *uses_the_build(build),
    ]


def uses_the_build(build: str) -> list[Check]:
    ballast, out = f"{build}/test/ballast", f"{build}/test/run"
    random_start = [Check(f"random start {seed}", [ballast, "lockstep", "--seed", str(seed), "--max-cycles", "6000", "--out", f"{out}{seed}",
                                                   "vectors/pathfinder.n3.blt", "vectors/srad.n3.blt"])
                    for seed in (2, 77)]  # other random registers before reset, other inputs during it
    programs = [Path(build, "test", name) for name in sorted(Path(build, "test/programs").read_text().split())]
    return [
        *(Check(path.name, [str(path)], cmocka=True) for path in programs),
        Check("flow tools", ["python3", "tb/flow/test_flow.py"]),
        Check("proofs by cases", ["python3", "tb/flow/test_cases.py"]),
        Check("circuits of a question", ["python3", "tb/flow/test_aiger.py"]),
        Check("proofs piece by piece", ["python3", "tb/flow/test_pieces.py"]),
        *(Check(path.stem.removeprefix("test_"), ["python3", path.as_posix(), build]) for path in sorted(Path().glob("tb/blocks/*/test_*.py"))),
        Check("chips", ["python3", "tb/flow/test_chips.py"]),
        Check("cells", ["python3", "tb/flow/test_cells.py"]),
        *(Check(path.as_posix(), ["python3", str(path)]) for path in [Path("tb/mutate/test_checkers.py"), Path("tb/formal/test_recorded.py"),
                                                                      *sorted(Path().glob("*/*/test_judge.py"))]),
        Check("page of the experiments", ["python3", "sim/studies/test_experiments_page.py"]),
        Check("page of what is left out", ["python3", "sim/studies/test_left_out_page.py"]),
        Check("page of expectations", ["python3", "sim/studies/test_short_kernels.py", ballast]),
        Check("page of the search", ["python3", "sim/studies/test_search_policies.py", ballast, build]),
        Check("set-up", ["python3", "sim/env/test_setup.py"]),
        *(Check(f"recordings in {path.parent} intact", ["sim/recording/check_vectors.sh", str(path.parent)])
          for path in sorted(Path("vectors").glob("**/MANIFEST.csv"))),
        Check("all recordings in lockstep", ["python3", "sim/cli/test_run.py", ballast]),
        *random_start,
        Check("examples of the pages", ["python3", "sim/cli/test_examples.py", ballast]),
        Check("command line", ["python3", "sim/cli/test_commands.py", ballast]),
        Check("own policies", ["python3", "sim/policy/test_own_policies.py", ballast]),
        Check("exports", ["python3", "sim/cli/test_exports.py", ballast]),
        Check("comparison of runs", ["python3", "sim/cli/test_diff.py", ballast]),
        Check("hostile conditions", ["python3", "sim/cli/test_hostile.py", ballast]),
        Check("trend", ["python3", "sim/trend/test_trend.py", ballast]),
        Check("sweeps", ["python3", "sim/sweep/test_sweep.py", ballast]),
        Check("sweeps asked", ["python3", "sim/sweep/test_query.py", ballast]),
        Check("sweeps as Parquet", ["python3", "sim/sweep/test_parquet.py", ballast], pypi=pypi.PYARROW),
        Check("figures", ["python3", "sim/figure/test_figure.py", ballast]),
        Check("evidence", ["python3", "sim/report/test_evidence.py"]),
        Check("report in a browser", ["python3", "sim/report/test_report.py", build]),
        Check("decision logs", ["python3", "sim/cli/test_decisions.py", ballast]),
        Check("models alone", ["python3", "sim/cli/test_models.py", ballast]),
        Check("waveforms", ["python3", "sim/wave/test_waves.py", build]),
        Check("lint test", ["python3", "synth_scripts/lint/test_lint.py"]),
        Check("consistency", ["python3", "synth_scripts/lint/check_consistency.py"]),
        Check("consistency test", ["python3", "synth_scripts/lint/test_consistency.py"]),
    ]


def waits(build: str) -> list[Check]:
    """What uses little processor time: tools that never end."""
    return [
        Check("sweeps on a cluster", ["python3", "sim/sweep/test_slurm.py", f"{build}/test/ballast"], tool="slurmd (apt-get install slurm-wlm munge, 140 MB)"),
        Check("solvers that fail", ["python3", "tb/flow/test_prover.py"]),
        Check("proofs with tools that fail", ["python3", "tb/formal/test_answers.py", build]),
    ]


def lanes(build: str) -> list[tuple[list[Check], deque[Check]]]:
    """What runs side by side: checks of its own, then those that it shares with others."""
    shared = deque(others(build))
    return [(builds_tools(build), shared), ([], shared), (waits(build), deque())]


def of_block(build: str, name: str) -> list[Check]:
    """What tells quickly whether a block works: its own tests, random cycles, and a recording."""
    one, ballast, out = blocks.block(name), f"{build}/ballast", f"{build}/test/run"
    programs = [Path(build, "test", path.stem) for path in sorted(one.room.glob("test_*.c"))]
    replay = ["chip", "--block", name] if one.per_chip else ["lockstep", "--block", ",".join([*one.needs, name])]
    return [
        *(Check(path.name, [str(path)], cmocka=True) for path in programs),
        Check("random cycles", [ballast, "random", "--block", name, "--out", f"{out}.random", "--max-cycles", "100000"]),
        Check("a recording in lockstep", [ballast, *replay, "--out", out, "--max-cycles", "20000", "vectors/pathfinder.n3.blt"]),
    ]


def counts(check: Check, status: int, said: str) -> tuple[int, int]:
    """How many tests passed and failed, by what the check printed and how it ended."""
    if check.cmocka:
        found = [re.findall(rf"^\[  {word}  \] (\d+) test", said, flags=re.M) for word in ("PASSED", "FAILED")]
        passed, failed = (int(numbers[-1]) if numbers else 0 for numbers in found)
    else:
        last = re.fullmatch(r"(\d+) passed, (\d+) failed", said.strip().splitlines()[-1] if said.strip() else "")
        passed, failed = (int(last[1]), int(last[2])) if last else (int(status == 0), 0)
    if failed == 0 and (status != 0 or passed == 0):
        failed = 1
    return passed, failed


def shown(check: Check, said: str) -> str:
    """What a reader must see of a check that failed."""
    dull = r"\[( RUN  |       OK|=====)" if check.cmocka else r"ok\b"
    return "\n".join([line for line in said.splitlines() if not re.match(dull, line)][:LINES_SHOWN])


def used(times: Path) -> float:
    """Seconds of processor time, by what TIMED left. A check that was killed with its shell has left nothing."""
    numbers = times.read_text().split()[-2:] if times.is_file() else []
    return sum(map(float, numbers)) if len(numbers) == 2 else 0.0


class Tests:
    """Runs checks and prints a line for each."""

    def __init__(self, log: Path):
        self.log, self.lock = log, threading.Lock()
        self.passed = self.failed = 0
        self.used = 0.0  # seconds of processor time
        self.left_out: list[str] = []
        self.complaints: list[str] = []

    def one(self, check: Check) -> None:
        if why := check.lacks():
            self.left_out.append(check.name)
            print(f"{check.name:36} not run: {why}", flush=True)
            return
        path = self.log / f"{re.sub('[ /]', '_', check.name)}.txt"
        times, start = path.with_suffix(".times"), time.monotonic()
        try:
            status, said = 0, run(["bash", "-c", TIMED, times, *check.command], seconds=CHECK_SECONDS).stdout
        except ToolFailed as failure:
            status, said = failure.code, failure.output or str(failure)
        except Missing as failure:
            status, said = 2, str(failure)
        path.write_text(said)
        (passed, failed), seconds = counts(check, status, said), used(times)
        with self.lock:
            self.passed += passed
            self.failed += failed
            self.used += seconds
            print(f"{check.name:36} {passed:4d} passed {failed:4d} failed {time.monotonic() - start:5.0f} s {seconds:6.1f} s of a processor", flush=True)
            if failed:
                text = shown(check, said)
                print(f"{text}\n  (all of it: {path})", flush=True)
                self.complaints.append(f"failed: {check.name}\n{text}")

    def lane(self, own: list[Check], shared: deque[Check]) -> None:
        """Its own checks, then those that no other lane has taken."""
        mine = deque(own)
        while True:
            with self.lock:
                check = mine.popleft() if mine else shared.popleft() if shared else None
            if check is None:
                return
            self.one(check)


def sources() -> set[tuple[str, str]]:
    """Every file that nobody has built, with a sum of what is in it."""
    tops = [top for top in Path().iterdir() if top.name not in ("build", ".git")]
    paths = [path for top in tops for path in (top, *top.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    return {(str(path), hashlib.sha256(path.read_bytes()).hexdigest()) for path in paths}


def left_behind(before: set[tuple[str, str]]) -> int:
    """Whether a check has written where only sources are."""
    files = sorted({path for path, _ in sources() ^ before})
    print(*(f"{path}: changed while the checks ran" for path in files), sep="\n", end="\n" if files else "")
    return int(bool(files))


def available() -> int:
    """Bytes of memory that programs can have."""
    found = re.search(r"^MemAvailable: +(\d+) kB$", Path("/proc/meminfo").read_text(), re.M)
    return int(found[1]) << 10 if found else 0


@contextmanager
def temporary_files() -> Iterator[None]:
    """In memory, if TMPDIR does not say where they are to be."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK) or min(shutil.disk_usage(MEMORY).free, available()) < ROOM:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="ballast-tests.", dir=MEMORY) as folder:
        os.chmod(folder, 0o1777)  # as /tmp: some tests are another user
        os.environ["TMPDIR"] = folder
        yield


def main() -> int:
    build, *names = sys.argv[1:] or [""]
    if len(names) > 1 or not Path(build, "ballast").is_file() or not (names or Path(build, "test/programs").is_file()):
        raise Failure("name the build folder, and perhaps a block; 'make build tests' fills the folder")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background of a script ignores it; tests send it
    log = Path(build, "test/log")
    log.mkdir(parents=True, exist_ok=True)
    tests, before = Tests(log), sources()
    side_by_side = [([], deque(of_block(build, *names)))] * 2 if names else lanes(build)
    with temporary_files():
        in_parallel(lambda lane: tests.lane(*lane), side_by_side, len(side_by_side))
    tests.failed += left_behind(before)
    print("\n".join(tests.complaints), end="\n" if tests.complaints else "")
    if tests.left_out:
        print(f"not run, and not counted: {', '.join(tests.left_out)}")
    print(f"{tests.used:.0f} s of processor time")
    print(f"{tests.passed} passed, {tests.failed} failed")
    return int(tests.failed != 0 or tests.passed == 0)


if __name__ == "__main__":
    program(main)
