# SPDX-License-Identifier: Apache-2.0
"""A combinational circuit as ABC writes it with `write_aiger -s`: binary AIGER with names (fmv.jku.at/aiger). A literal is twice a
node's number, plus 1 for its opposite. Node 0 is the constant 0, then come the inputs, then the ANDs.
"""
from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import tools


@dataclass
class Circuit:
    inputs: list[str]
    outputs: list[int]           # literals
    ands: list[tuple[int, int]]  # literals

    def cone(self, outputs: dict[str, int], to: Path) -> Path:
        """These outputs, literals by name, with nothing but what they hang on: as BLIF."""
        first = len(self.inputs) + 1
        wanted, waiting = set[int](), [literal >> 1 for literal in outputs.values()]
        while waiting:
            node = waiting.pop()
            if node not in wanted:
                wanted.add(node)
                waiting += [literal >> 1 for literal in self.ands[node - first]] if node >= first else []
        lines = [".model cone", f".inputs {' '.join(self._name(node) for node in sorted(wanted) if 0 < node < first)}",
                 f".outputs {' '.join(outputs)}", f".names {self._name(0)}"]
        for node in sorted(node for node in wanted if node >= first):
            one, other = self.ands[node - first]
            lines += [f".names {self._name(one >> 1)} {self._name(other >> 1)} {self._name(node)}", f"{~one & 1}{~other & 1} 1"]
        for name, literal in outputs.items():
            lines += [f".names {self._name(literal >> 1)} {name}", f"{~literal & 1} 1"]
        to.write_text("".join(f"{line}\n" for line in [*lines, ".end"]))
        return to

    def _name(self, node: int) -> str:
        return self.inputs[node - 1] if 0 < node <= len(self.inputs) else f"node.{node}"


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
