# SPDX-License-Identifier: Apache-2.0
"""Circuits of AND gates read from BLIF and ASCII AIGER, and the question "can these two outputs differ?" as clauses.

Literals are 2 * node + 1 where inverted; node 0 is the constant 0. A gate that is there already is not made again: that is all the
simplification there is, and no solver has a part in it.
"""
from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tools import ToolFailed

FALSE, TRUE = 0, 1


class Circuit:
    """Gates over inputs that are known by label. Two circuits that are compared share one Circuit, so they share the inputs."""

    def __init__(self) -> None:
        self.fans: list[tuple[int, int] | None] = [None]  # None: an input, or the constant
        self.inputs: dict[str, int] = {}
        self.gates: dict[tuple[int, int], int] = {}

    def input(self, label: str) -> int:
        if label not in self.inputs:
            self.inputs[label] = 2 * len(self.fans)
            self.fans.append(None)
        return self.inputs[label]

    def both(self, a: int, b: int) -> int:
        a, b = min(a, b), max(a, b)
        if a == FALSE or a == b ^ 1:
            return FALSE
        if a in (TRUE, b):
            return b
        if (a, b) not in self.gates:
            self.gates[a, b] = 2 * len(self.fans)
            self.fans.append((a, b))
        return self.gates[a, b]

    def cone(self, roots: Iterable[int]) -> list[int]:
        """The nodes on which literals hang, in ascending order, the constant left out."""
        seen, waiting = set(), [root >> 1 for root in roots]
        while waiting:
            node = waiting.pop()
            if node and node not in seen:
                seen.add(node)
                waiting += [fan >> 1 for fan in self.fans[node] or ()]
        return sorted(seen)

    def value(self, root: int, inputs: dict[str, bool]) -> bool:
        """Of a literal, for values of the inputs by label; an input that is not named is 0."""
        values = {0: False} | {literal >> 1: inputs.get(label, False) for label, literal in self.inputs.items()}
        for node in self.cone([root]):
            fans = self.fans[node]
            if fans is not None:
                values[node] = all(values[fan >> 1] != bool(fan & 1) for fan in fans)
        return values[root >> 1] != bool(root & 1)


# ---- files --------------------------------------------------------------------------------------

def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        raise ToolFailed(f"{path}: no circuit here") from None


def read_blif(into: Circuit, path: Path) -> dict[str, int]:
    """The outputs of a BLIF file by label."""
    lines = "\n".join(_lines(path)).replace("\\\n", " ").splitlines()
    if not lines or lines[-1] != ".end":
        raise ToolFailed(f"{path}: no BLIF, or one that is cut short")
    inputs, outputs, covers = [], [], {}
    for line in lines:
        words = line.split()
        if words[:1] == [".inputs"]:
            inputs += words[1:]
        elif words[:1] == [".outputs"]:
            outputs += words[1:]
        elif words[:1] == [".names"]:
            rows = covers.setdefault(words[-1], (words[1:-1], []))[1]
        elif words and not words[0].startswith("."):
            rows.append(words)
        elif words[:1] not in ([".model"], [".end"], []):
            raise ToolFailed(f"{path}: {words[0]} is not known here")
    found = {label: into.input(label) for label in inputs}

    def of(net: str) -> int:
        """Written in an order in which each gate comes after what it reads."""
        if net not in found:
            raise ToolFailed(f"{path}: {net} is read before it is computed")
        return found[net]

    for net, (fans, rows) in covers.items():
        if any(row[-1] != "1" for row in rows):
            raise ToolFailed(f"{path}: {net} is given by its zeros, which is not known here")
        none = TRUE  # of the rows
        for row in rows:
            one = TRUE
            for fan, bit in zip(fans, row[0] if fans else "", strict=True):
                if bit != "-":
                    one = into.both(one, of(fan) ^ (bit == "0"))
            none = into.both(none, one ^ 1)
        found[net] = none ^ 1
    if not outputs:
        raise ToolFailed(f"{path} has no outputs")
    return {label: of(label) for label in outputs}


def read_aiger(into: Circuit, path: Path) -> dict[str, int]:
    """The outputs of an ASCII AIGER file by label."""
    lines = _lines(path)
    try:
        kind, _, num_inputs, latches, num_outputs, num_ands = lines[0].split()
        inputs, outputs = int(num_inputs), int(num_outputs)
        body = lines[1:1 + inputs + outputs + int(num_ands)]
        names = dict(line.split(" ", 1) for line in lines[1 + len(body):lines.index("c") if "c" in lines else None])
        if kind != "aag" or latches != "0" or len(body) != inputs + outputs + int(num_ands):
            raise ValueError
        known = {0: FALSE} | {int(line) >> 1: into.input(names[f"i{number}"]) for number, line in enumerate(body[:inputs])}
        for line in body[inputs + outputs:]:
            node, a, b = (int(word) for word in line.split())
            known[node >> 1] = into.both(known[a >> 1] ^ (a & 1), known[b >> 1] ^ (b & 1))
        return {names[f"o{number}"]: known[int(line) >> 1] ^ (int(line) & 1)
                for number, line in enumerate(body[inputs:inputs + outputs])}
    except (ValueError, KeyError, IndexError):
        raise ToolFailed(f"{path}: no combinational ASCII AIGER file with names, or a damaged one") from None


# ---- the question ----------------------------------------------------------------------------------

def clauses(of: Circuit, a: int, b: int) -> tuple[str, dict[str, int]]:
    """A CNF (DIMACS) that can be satisfied where the literals differ, and its variables of the inputs by label. Variable 1 is the
    constant 0; each gate is three clauses (Tseitin)."""
    nodes = of.cone([a, b])
    variables = {0: 1} | {node: number for number, node in enumerate(nodes, 2)}

    def literal(x: int) -> int:
        return -variables[x >> 1] if x & 1 else variables[x >> 1]

    lines = ["-1 0"]
    for node in nodes:
        fans = of.fans[node]
        if fans is not None:
            out, x, y = variables[node], literal(fans[0]), literal(fans[1])
            lines += [f"-{out} {x} 0", f"-{out} {y} 0", f"{out} {-x} {-y} 0"]
    lines += [f"{literal(a)} {literal(b)} 0", f"{-literal(a)} {-literal(b)} 0"]
    inputs = {label: variables[x >> 1] for label, x in of.inputs.items() if x >> 1 in variables}
    return f"p cnf {len(variables)} {len(lines)}\n" + "\n".join(lines) + "\n", inputs
