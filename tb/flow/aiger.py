# SPDX-License-Identifier: Apache-2.0
"""A combinational circuit as ABC writes it with `write_aiger -s`: binary AIGER with names (fmv.jku.at/aiger). A literal is twice a
node's number, plus 1 for its opposite. Node 0 is the constant 0, then come the inputs, then the ANDs.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from pathlib import Path

import tools

APART = 1000   # nodes of which it is looked for how to have them apart,
HANGS = 20000  # and nodes that these hang on


@dataclass
class Circuit:
    inputs: list[str]
    outputs: list[int]           # literals
    ands: list[tuple[int, int]]  # literals

    def cone(self, outputs: dict[str, int], to: Path) -> Path:
        """These outputs, literals by name, with nothing but what they hang on: as BLIF."""
        return self._blif(outputs, self._below([literal >> 1 for literal in outputs.values()]), set(), to)

    def reading(self, names: set[str]) -> list[bool]:
        """Whether each output hangs on one of these inputs."""
        hangs = [False, *(name in names for name in self.inputs)]
        for one, other in self.ands:
            hangs.append(hangs[one >> 1] or hangs[other >> 1])
        return [hangs[literal >> 1] for literal in self.outputs]

    def between(self, output: int, to: Path, apart: bool = False) -> Path | None:
        """An output that is the difference of two sides, from where these part: what both have is an input of its own. So it can be 1
        where that of the whole circuit can, and perhaps where that cannot. `apart`: no two of what is free hang on one input, so each of their values goes
        with every one of the others; where that is too much to look for, None. As BLIF; None if it is no such difference, or the sides share nothing."""
        sides = self._sides(output >> 1)
        if not sides:
            return None
        one, other = (self._below([side >> 1]) for side in sides)
        shared = one & other
        own = self._below([output >> 1]) - shared
        free = {fanin >> 1 for node in own for fanin in self._fanins(node) if fanin >> 1 in shared}
        if apart:
            free = self._apart(free)
        between = self._below([output >> 1], free)
        return self._blif({"differs": output}, between | free, free, to) if any(node > len(self.inputs) for node in free) else None

    def _apart(self, nodes: set[int]) -> set[int]:
        """Nodes that stand for these, of which no two hang on one input: what does so is taken further down, the highest first. None where they or what
        they hang on are too many."""
        below = sorted(self._below(nodes)) if len(nodes) <= APART else []
        if len(below) > HANGS:
            return set()
        inputs = dict[int, int]()  # on which each hangs, a bit for each
        for node in below:
            one, other = self._fanins(node) or (0, 0)
            inputs[node] = inputs[one >> 1] | inputs[other >> 1] if one else 1 << len(inputs) if node else 0
        free = nodes & inputs.keys()
        while common := _in_common([inputs[node] for node in free]):
            highest = max(node for node in free if inputs[node] & common)  # an input is in common with a node above it
            free = free - {highest} | {literal >> 1 for literal in self._fanins(highest)}
        return free

    def one_of(self, output: int) -> tuple[list[int], list[int]]:
        """Literals that are all 1 where an output is, and others of which one at least is 0 there: as many as there are at one place. No others if the
        output is no such thing."""
        every = self._all_of(output)
        many = max(every, key=lambda literal: len(self._all_of(literal ^ 1)) if literal & 1 else 0)
        others = self._all_of(many ^ 1) if many & 1 else []
        return [literal for literal in every if literal != many], others

    def piece(self, ones: list[int], zeros: list[int], to: Path) -> Path:
        """An output that is 1 where all of the first are 1 and one of the others is 0: as BLIF."""
        whole = Circuit(self.inputs, [], [*self.ands])
        return whole.cone({"piece": whole._and([*ones, whole._and(zeros) ^ 1])}, to)

    def _all_of(self, literal: int) -> list[int]:
        """The literals of which one is the AND, as deep as ANDs go; or itself."""
        found, waiting = dict[int, None](), [literal]
        while waiting:
            one = waiting.pop()
            if one & 1 or one >> 1 <= len(self.inputs):
                found[one] = None
            else:
                waiting += self._fanins(one >> 1)
        return [*found]

    def _and(self, literals: list[int]) -> int:
        """A new node, and those that it takes."""
        found = literals[0]
        for literal in literals[1:]:
            self.ands.append((max(found, literal), min(found, literal)))
            found = 2 * (len(self.inputs) + len(self.ands))
        return found

    def _fanins(self, node: int) -> tuple[int, ...]:
        return self.ands[node - len(self.inputs) - 1] if node > len(self.inputs) else ()

    def _below(self, nodes: Iterable[int], ends: Set[int] = frozenset()) -> set[int]:
        """They and all that they hang on, without the ends and what is behind these."""
        found, waiting = set[int](), [*nodes]
        while waiting:
            node = waiting.pop()
            if node not in found and node not in ends:
                found.add(node)
                waiting += [literal >> 1 for literal in self._fanins(node)]
        return found

    def _sides(self, node: int) -> tuple[int, ...]:
        """The literals of which a node is the XOR, if it is one: neither both nor none of them."""
        pairs = [{*self._fanins(literal >> 1)} for literal in self._fanins(node)]
        return tuple(pairs[0]) if len(pairs) == 2 and len(pairs[0]) == 2 and pairs[1] == {literal ^ 1 for literal in pairs[0]} else ()

    def _blif(self, outputs: dict[str, int], nodes: set[int], free: set[int], to: Path) -> Path:
        inputs = free | {node for node in nodes if 0 < node <= len(self.inputs)}
        lines = [".model cone", f".inputs {' '.join(self._name(node) for node in sorted(inputs))}",
                 f".outputs {' '.join(outputs)}", f".names {self._name(0)}"]
        for node in sorted(nodes - inputs - {0}):
            one, other = self._fanins(node)
            lines += [f".names {self._name(one >> 1)} {self._name(other >> 1)} {self._name(node)}", f"{~one & 1}{~other & 1} 1"]
        for name, literal in outputs.items():
            lines += [f".names {self._name(literal >> 1)} {name}", f"{~literal & 1} 1"]
        to.write_text("".join(f"{line}\n" for line in [*lines, ".end"]))
        return to

    def _name(self, node: int) -> str:
        return self.inputs[node - 1] if 0 < node <= len(self.inputs) else f"node.{node}"


def _in_common(sets: list[int]) -> int:
    """What stands in more than one of these sets of bits."""
    once = twice = 0
    for one in sets:
        twice |= once & one
        once |= one
    return twice


def read(path: Path) -> Circuit:
    """A tools.ToolFailed names a file that is missing, cut short or something else."""
    try:
        return _decode(path.read_bytes())
    except OSError:
        raise tools.ToolFailed(f"{path}: no circuit here") from None
    except (ValueError, IndexError):
        raise tools.ToolFailed(f"{path}: the circuit is cut short, or is none") from None


def _decode(whole: bytes) -> Circuit:
    head = re.match(rb"aig (\d+) (\d+) 0 (\d+) (\d+)\n", whole)
    if not head:
        raise ValueError
    nodes, inputs, outputs, count = map(int, head.groups())
    *literals, rest = whole[head.end():].split(b"\n", outputs)
    ands, end = _decode_ands(rest, inputs + 1, count)
    symbols, comment, _ = rest[end:].partition(b"\nc\n")
    names = re.findall(r"^i(\d+) (\S+)$", symbols.decode(), re.M)
    found = Circuit([name for _, name in names], [int(literal) for literal in literals], ands)
    whole_file = comment and len(literals) == outputs and nodes == inputs + count and [int(number) for number, _ in names] == [*range(inputs)]
    if not whole_file or any(literal >> 1 > nodes for literal in found.outputs):
        raise ValueError
    return found


def _decode_ands(code: bytes, first: int, count: int) -> tuple[list[tuple[int, int]], int]:
    """The ANDs, and where they end. Each has the distance to its larger literal, and from that to the other."""
    ands, at = [], 0
    for node in range(first, first + count):
        steps = []
        for _ in range(2):
            step = shift = 0
            while code[at] & 0x80:
                step |= (code[at] & 0x7f) << shift
                at, shift = at + 1, shift + 7
            steps.append(step | code[at] << shift)
            at += 1
        larger = 2 * node - steps[0]
        if not 0 <= larger - steps[1] <= larger < 2 * node:
            raise ValueError
        ands.append((larger, larger - steps[1]))
    return ands, at
