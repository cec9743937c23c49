# SPDX-License-Identifier: Apache-2.0
"""One question to CaDiCaL, and what its answer is worth. That a question has no solution counts only with a proof that rup.c has
checked; a solution counts only when both circuits, computed with it, do differ.
"""
from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cadical
import tools

PROVED, DIFFERS, UNCHECKED, OPEN = "proved", "differs", "unchecked", "open"


@dataclass(frozen=True)
class Answer:
    status: str
    text: str = ""
    inputs: tuple[str, ...] = ()  # that are 1 where the circuits differ


def _checked(cnf: Path, trace: Path, rup: Path, seconds: float) -> Answer:
    if not trace.is_file():
        return Answer(UNCHECKED, f"{cadical.SOLVER} left no proof")
    try:
        said = tools.run([rup, cnf, trace], seconds=seconds, accept=(0, 1))
    except tools.ToolFailed as failure:
        return Answer(UNCHECKED, str(failure))
    if said.returncode == 0 and said.stdout == "verified\n":
        return Answer(PROVED)
    return Answer(UNCHECKED, said.stdout.strip() or "the checker says nothing")


def _differs(said: str, inputs: dict[str, int], differ: Callable[[dict[str, bool]], bool]) -> Answer:
    """From the solver's lines "v 1 -2 3 ... 0"."""
    values = {int(word) for line in re.findall(r"^v (.*)$", said, re.M) for word in line.split()}
    chosen = {label: variable in values for label, variable in inputs.items()}
    if not values or not differ(chosen):
        return Answer(UNCHECKED, f"{cadical.SOLVER} says that the circuits differ, and they do not where it says")
    return Answer(DIFFERS, f"{cadical.SOLVER} found inputs", tuple(label for label, value in chosen.items() if value))


def ask(text: str, inputs: dict[str, int], differ: Callable[[dict[str, bool]], bool], work: Path, rup: Path, seconds: float) -> Answer:
    """Whether the clauses have a solution. `differ`: whether the circuits differ for values of the inputs."""
    work.mkdir(parents=True, exist_ok=True)
    cnf, trace = work / "question.cnf", work / "proof.drat"
    cnf.write_text(text)
    trace.unlink(missing_ok=True)
    status, said = cadical.ask(cnf, seconds, "--no-binary", trace)
    if status == cadical.NONE:
        return _checked(cnf, trace, rup, 20 * seconds + 60)
    return _differs(said, inputs, differ) if status == cadical.SOLUTION else Answer(OPEN, said)
