# SPDX-License-Identifier: Apache-2.0
"""What each vector of a campaign is worth: how many mutants it kills, how many of them nothing else kills, and whether a
greedy choice of vectors - always the one that kills most of what is left - does without it. A recording counts over all
blocks."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Kill:
    block: str
    vector: str
    kind: str    # test, recording, family
    mutant: int
    cycle: str   # "-" for tests, where the verdict is the test's


@dataclass
class Vector:
    name: str
    block: str
    kind: str
    kills: set[tuple[str, int]] = field(default_factory=set)
    alone: int = 0
    needed: bool = False


def vectors(kills: list[Kill]) -> list[Vector]:
    found: dict[str, Vector] = {}
    for kill in kills:
        # A test is its block's, a recording plays for all.
        own = kill.kind == "test" and not kill.vector.startswith("test_lockstep:")
        vector = found.setdefault(kill.vector, Vector(kill.vector, kill.block if own else "all", kill.kind))
        vector.kills.add((kill.block, kill.mutant))
    killers = Counter(mutant for vector in found.values() for mutant in vector.kills)
    for vector in found.values():
        vector.alone = sum(killers[mutant] == 1 for mutant in vector.kills)
    _choose(list(found.values()))
    return list(found.values())


def _choose(all_vectors: list[Vector]) -> None:
    left = {mutant for vector in all_vectors for mutant in vector.kills}
    while left:
        best = max(all_vectors, key=lambda vector: len(vector.kills & left))
        best.needed = True
        left -= best.kills


def summary(all_vectors: list[Vector]) -> list[str]:
    """A line per kind."""
    lines = []
    for kind in dict.fromkeys(vector.kind for vector in all_vectors):
        of = [vector for vector in all_vectors if vector.kind == kind]
        lines.append(f"{kind}: {len(of)} kill something, {sum(vector.alone > 0 for vector in of)} kill what nothing else kills, "
                     f"{sum(vector.needed for vector in of)} are enough to kill all that this campaign killed")
    return lines
