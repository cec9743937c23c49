# SPDX-License-Identifier: Apache-2.0
"""CaDiCaL, a SAT solver that has nothing to do with ABC: whether clauses, a DIMACS file, have a solution. Only an answer in so many
words that its exit status says, too, is one."""
from __future__ import annotations

import re
from pathlib import Path

import tools

SOLVER = "cadical"
NONE, SOLUTION, OPEN = "none", "solution", "open"
_STATUS = {10: SOLUTION, 20: NONE}
_WORD = {SOLUTION: "SATISFIABLE", NONE: "UNSATISFIABLE"}


def version() -> str:
    return tools.run([SOLVER, "--version"]).stdout.strip()


def ask(cnf: Path, seconds: float, *trace: str | Path, hard: bool = False) -> tuple[str, str]:
    """NONE, SOLUTION or OPEN in so many seconds of processor time, and what it said: with a solution in lines "v 1 -2 3 ... 0", or
    why the question is open. `trace`: options and a file for its proof. `hard`: it does what helps where there is no solution."""
    try:
        run = tools.run([SOLVER, "-q", *(["--unsat"] if hard else []), *trace[:-1], cnf, *trace[-1:]], cpu=seconds, accept=(0, *_STATUS))
    except tools.ToolFailed as failure:
        return OPEN, str(failure)
    words = re.findall(r"^s (.*)$", run.stdout, re.M)
    status = _STATUS.get(run.returncode, OPEN)
    if status != OPEN and words == [_WORD[status]]:
        return status, run.stdout
    if run.returncode == 0 and words in ([], ["UNKNOWN"]):
        return OPEN, f"no answer in {seconds:g} s"
    return OPEN, f"{SOLVER}: exit status {run.returncode}, but it says {words}"
