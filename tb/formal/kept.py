# SPDX-License-Identifier: Apache-2.0
"""Proofs that are kept while a run goes on, so that one that was interrupted can go on: `formal.py --resume`. A proof is found again by a
sum over the circuits that it is about and over what proves, byte by byte: circuits or provers that changed have none. Only what is
proved is kept; what failed or is open is asked again.
"""
from __future__ import annotations

import hashlib
import re
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cadical
import prover
import tools
from prover import PROVED, Answer

_HERE = Path(__file__).resolve().parent
_PROVERS = (_HERE.parent / "flow/prover.py", _HERE.parent / "flow/aiger.py", _HERE.parent / "flow/cadical.py", _HERE / "sums.py")


@lru_cache
def _provers() -> bytes:
    """The sum of all that finds an answer."""
    solvers = [shutil.which(name) for name in (prover.abc(), cadical.SOLVER)]
    return _sum([*_PROVERS, *(Path(name) for name in solvers if name)], b"")


def _sum(files: Iterable[Path], begin: bytes) -> bytes:
    whole = hashlib.sha256(begin)
    for file in files:
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.digest()


@dataclass(frozen=True)
class Kept:
    """`folder` has a file for each proof: a run that does not go on with an earlier one empties it. Without a folder nothing is kept."""

    folder: Path | None = None

    def answer(self, files: Iterable[Path], job: Callable[[], Answer]) -> Answer:
        """What is kept about these circuits, or what the job says."""
        if self.folder is None:
            return job()
        try:
            file = self.folder / _sum(files, _provers()).hex()
        except OSError:  # a circuit that is not there: the job says so
            return job()
        if file.is_file():
            said = re.fullmatch(r"proved in (\d{1,6}) s: ([^\n]*)\n", file.read_text(errors="replace"))
            if said:
                return Answer(PROVED, said[2], earlier=int(said[1]))
        start = time.monotonic()
        answer = job()
        if answer.status == PROVED:
            with tools.whole(file) as text:
                text.write(f"proved in {time.monotonic() - start:.0f} s: {answer.text}\n")
        return answer
