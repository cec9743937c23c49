# SPDX-License-Identifier: Apache-2.0
"""ballast family --side model: what the models alone print is what the replay in lockstep prints, and on which proof it leans.

  python3 sim/cli/test_models.py BALLAST

Run from the repository root; ends with 'N passed, N failed'. LONG=1: every recorded family.
"""
from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "tb/flow"), str(Path(__file__).resolve().parent)]
from planted import LONG  # noqa: E402
from tools import scratch  # noqa: E402

FAMILIES = ("hotspot", "fma", "srad --launch 2", "hotspot --sm 1 --progress ctas --restart launch --max-laps 3 --max-cycles 20000",
            *(("bfs", "chase", "invmap", "pathfinder", "pathlong", "srad", "bfs --launch 12", "bfs --launch 15 --sm 1") if LONG else ()))
REFUSED = {"--wave": "--wave", "--inject rtl:sm_governor.limit_o[0]@5": "--inject", "--side both": "model", "--block lcs --policy lcs": "--block",
           "--set perfsat.enable=1": "no block perfsat"}


def said(ballast: str, words: str, name: str, out: Path) -> subprocess.CompletedProcess[str]:
    files = [str(path) for path in sorted(Path("vectors").glob(f"{name}.n*.blt"))]
    return subprocess.run([ballast, "family", "--out", str(out), *words.split(), *files], capture_output=True, text=True, check=False)


def expect(holds: bool, why: str) -> None:
    if not holds:
        raise AssertionError(why)


def expect_same(alone: str, lockstep: str) -> None:
    pairs = zip(alone.splitlines() + [""], lockstep.splitlines() + [""], strict=False)
    expect(alone == lockstep, next((f"{one!r}, in lockstep {other!r}" for one, other in pairs if one != other), "one is shorter"))


def same_as_lockstep(ballast: str, family: str, out: Path) -> None:
    name, _, options = family.partition(" ")
    lockstep, alone = (said(ballast, f"--csv --policy all {options}{side}", name, out) for side in ("", " --side model"))
    expect(lockstep.returncode == alone.returncode == 0, f"exit status {lockstep.returncode}, {alone.returncode}: {alone.stderr}")
    expect(len(alone.stdout.splitlines()) == 7, f"{len(alone.stdout.splitlines())} lines")
    expect_same(alone.stdout, lockstep.stdout)


def settings_count(ballast: str, out: Path) -> None:
    words = "--csv --policy dyncta --set sm_governor.t_mem_h=900 --set sm_governor.t_idle=2"
    lockstep, alone, without = (said(ballast, line, "chase", out) for line in (words, f"{words} --side model", "--csv --policy dyncta --side model"))
    expect_same(alone.stdout, lockstep.stdout)
    expect(alone.stdout != without.stdout, "the settings change nothing")


def the_proof_is_named(ballast: str, out: Path) -> None:
    found = said(ballast, "--side model --policy lcs --policy scout", "hotspot", out)
    for block in ("sm_governor", "scout"):
        expect(re.search(rf"^{block}: reference model alone, nothing compared; (proved equal to the RTL in every step \(\w+, recorded .+\)|.*not proved.*)",
                         found.stdout, re.M), f"nothing of {block}: {found.stdout}{found.stderr}")
    expect("scout: " not in said(ballast, "--side model --policy lcs", "hotspot", out).stdout, "a block is named that does not play")
    expect("recorded" in said(ballast, "--side model --csv --policy lcs", "hotspot", out).stderr, "nothing beside CSV")


def the_log_is_that_of_lockstep(ballast: str, out: Path) -> None:
    lockstep, alone = (said(ballast, f"--log --policy perfsat{side}", "hotspot", out).stdout for side in ("", " --side model"))
    of_lockstep, of_model = ([line for line in text.splitlines() if line.startswith("cycle ")] for text in (lockstep, alone))
    expect(len(of_lockstep) > 2, "no log")
    expect_same("\n".join(of_model), "\n".join(of_lockstep))


def mistakes_are_refused(ballast: str, out: Path) -> None:
    for words, named in REFUSED.items():
        found = said(ballast, f"--side model {words}", "hotspot", out)
        expect(found.returncode in (2, 3) and named in found.stderr and found.stderr.count("\n") == 1, f"{words}: {found.returncode} {found.stderr}")


def main(ballast: str) -> int:
    with scratch() as out:
        tests: list[tuple[str, Callable[[], None]]] = [(f"as in lockstep: {family}", lambda family=family: same_as_lockstep(ballast, family, out)) for family in FAMILIES]
        tests += [(test.__name__.replace("_", " "), lambda test=test: test(ballast, out))
                  for test in (settings_count, the_proof_is_named, the_log_is_that_of_lockstep, mistakes_are_refused)]
        failed = 0
        for name, test in tests:
            try:
                test()
            except AssertionError as wrong:
                print(f"FAIL {name}: {wrong}")
                failed += 1
    print(f"{len(tests) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
