# SPDX-License-Identifier: Apache-2.0
"""Proves that each tree of adders of rtl/common/warp_sum.sv in a design is the sum that simulators take.

A solver does not see that two differently built sums of a hundred bits are equal. It does see, in less than a second, that
one bit more in a set makes a circuit's result larger by the bit's weight, for little changes. So by induction over the bits, in
one order: with none set the two are equal; where all bits after the n-th are 0, whatever those before it are, each result grows
by the same with the n-th; hence they are always equal. And with on_i 0 they are equal whatever is set.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import blif
import netlist
import prover
import tools
import yosys
from blocks import Block
from kept import Kept
from netlist import Json, NetlistError
from prover import FAILED, OPEN, PROVED, Answer

SUM = "warp_sum"
SHRINK = 300  # seconds


def names(modules: dict[str, Json], top: str, without: Iterable[str] = ()) -> set[str]:
    """The sums that a design instantiates; `without` modules and what is in them alone."""
    found, seen = [top], {top, *without}
    for name in found:
        inside = {cell["type"] for cell in modules.get(name, {"cells": {}})["cells"].values()}
        found += sorted(inside - seen)
        seen |= inside
    return {name for name in found if SUM in name}


def circuit(module: Json) -> Json:
    """One sum, ports bit by bit, labelled so that a warp's bits stand together."""
    bits = [(name not in ("ones_i", "twos_i"), number, name, port["direction"], net)
            for name, port in module["ports"].items() for number, net in enumerate(port["bits"])]
    ports = {}
    for place, (_, number, name, direction, net) in enumerate(sorted(bits, key=lambda bit: bit[:3])):
        label = f"{f'i{place:05}.' if direction == 'input' else ''}{name}[{number}]"
        ports[label] = netlist.port(direction, [net])
    return netlist.circuit(ports, module["cells"])


def write_blif(module: Json, path: Path) -> None:
    """A sum as a circuit. Yosys leaves twenty times the gates that there are when constants and what stands twice are gone, and
    each question reads them all."""
    cut, all_gates = path.with_suffix(".json"), path.with_suffix(".all.blif")
    netlist.write(cut, {"sum": circuit(module)})
    for old in (path, all_gates):
        old.unlink(missing_ok=True)
    yosys.run([f"read_json {cut}", *yosys.to_gates(), "opt_clean", f"write_blif {all_gates}"], path.with_suffix(".ys"))
    prover.ask(f"read_blif {all_gates}; strash; write_blif {path}", SHRINK, path.with_suffix(".log"))
    for keyword in (".inputs", ".outputs"):
        if not path.is_file() or blif.labels(path, keyword) != blif.labels(all_gates, keyword):
            raise tools.ToolFailed(f"ABC does not write {path}")


@dataclass
class _Induction:
    tree: Path
    sum: Path
    work: Path
    seconds: float

    def __post_init__(self) -> None:
        self.answers: list[Answer] = []
        self.inputs = blif.labels(self.tree, ".inputs")
        self.outputs = sorted(blif.labels(self.tree, ".outputs"), key=lambda label: int(label.rpartition("[")[2][:-1]))
        if not self.inputs or not self.outputs:
            raise tools.ToolFailed(f"{self.tree} has no inputs or no outputs")

    def write(self, name: str, side: Path, fixed: Callable[[str], str | None], weight: int = 0) -> Path:
        """A side with the inputs for which `fixed` gives "0" or "1" set to that, and a power of two added to its sum."""
        wires = [f"{label}=r{number}" for number, label in enumerate(self.outputs)]
        for label in self.inputs:
            value = fixed(label.partition(".")[2])
            wires.append(f"{label}=const{value}" if value else f"{label}={label}")
        lines = [".model top", f".inputs {' '.join(self.inputs)}", f".outputs {' '.join(self.outputs)}", ".names const0",
                 ".names const1", "1", f".subckt side {' '.join(wires)}"]
        carry = ""  # a ripple of half adders from the bit of the weight upwards
        for number, label in enumerate(self.outputs):
            if weight == 1 << number:
                carry = "const1"
            if carry:
                lines += [f".names r{number} {carry} {label}", "01 1", "10 1", f".names r{number} {carry} c{number}", "11 1"]
                carry = f"c{number}"
            else:
                lines += [f".names r{number} {label}", "1 1"]
        path = self.work / f"{name}.blif"
        inside = re.sub(r"^\.model .*", ".model side", side.read_text(), flags=re.M)
        path.write_text("\n".join(lines) + "\n.end\n" + inside)
        return path

    def equal(self, gold: Path, gate: Path, what: str) -> None:
        """A step of the induction. Where one is open, nothing is proved any more: the others get less time."""
        seconds = min(self.seconds, prover.LOOK) if any(answer.status == OPEN for answer in self.answers) else self.seconds
        why = ""
        try:
            status = prover.cec_says(prover.ask(f"cec -T {seconds:g} {gold} {gate}", seconds, self.work / "cec.log"))
        except tools.ToolFailed as failure:
            status, why = OPEN, f" ({failure})"
        self.answers.append(Answer(status, f"{what}: not so" if status == FAILED else f"undecided: {what}{why}"))

    def both(self, what: str, fixed: Callable[[str], str | None]) -> None:
        self.equal(self.write("gold", self.sum, fixed), self.write("gate", self.tree, fixed), f"{what} tree and sum are equal")

    def bit(self, name: str, weight: int, after: Sequence[str]) -> None:
        fixed = {"on_i[0]": "1", **dict.fromkeys(after, "0")}
        for side in (self.tree, self.sum):
            gold = self.write("gold", side, {**fixed, name: "1"}.get)
            gate = self.write("gate", side, {**fixed, name: "0"}.get, weight)
            self.equal(gold, gate, f"{name} adds {weight} to the {side.stem}")

    def run(self) -> Answer:
        self.both("with on_i 0", {"on_i[0]": "0"}.get)
        self.both("with no bit set", lambda label: "0" if label.startswith(("ones_i[", "twos_i[")) else "")
        # Twos = 0: the second set is not looked at.
        gates = [words for words in blif.lines(self.sum) if words[0] == ".names"]
        reads_twos = any(".twos_i[" in label for words in gates for label in words)
        weights = {"ones_i": 1, "twos_i": 2 if reads_twos else 0}
        bits = [label.partition(".")[2] for label in reversed(self.inputs)]  # a sum of Yosys begins with the highest
        bits = sorted((bit for bit in bits if bit.partition("[")[0] in weights), key=lambda bit: bit.partition("[")[0], reverse=True)
        if not bits:
            raise tools.ToolFailed(f"{self.tree} has no sets")
        for number, bit in enumerate(bits, 1):
            if any(answer.status == FAILED for answer in self.answers):
                break
            self.bit(bit, weights[bit.partition("[")[0]], bits[number:])
        answer = prover.worst(self.answers)
        return answer if answer.status != PROVED else Answer(PROVED, f"{len(bits)} bits, by induction over those that are set")


def prove_one(tree: Path, total: Path, work: Path, seconds: float) -> Answer:
    """That the circuit `tree` is the circuit `total`: BLIF files out of write_blif."""
    work.mkdir(parents=True, exist_ok=True)
    return _Induction(tree, total, work, seconds).run()


def names_sum(text: str) -> bool:
    """Whether the name stands anywhere but in a comment: with parameters or without, on whatever line."""
    return re.search(rf"\b{SUM}\b", re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)) is not None


def in_text(of: Block, rtl: Path, without: Iterable[str] = ()) -> bool:
    """Whether the RTL of a block, or of one inside it, instantiates a sum; `without` blocks and what is in them alone."""
    return any(names_sum((rtl / source.relative_to("rtl")).read_text()) for source in of.sources_without(without))


def prove(folder: Path, seconds: float, top: str, wanted: bool, without: Iterable[str] = (), kept: Kept = Kept()) -> Answer:
    """All sums of folder/tree.json and folder/sum.json, `without` those inside of these modules. What is proved of them reads on
    behind a step's answer. `wanted`: there are some."""
    modules = {side: netlist.read(folder / f"{side}.json") for side in ("tree", "sum")}
    found = sorted(names(modules["tree"], top, without))
    if found != sorted(names(modules["sum"], top, without)):
        raise NetlistError(f"{folder}: tree.json and sum.json have other sums")
    if bool(found) != wanted:
        raise NetlistError(f"{folder}: {len(found)} sums in the netlist, but the RTL's text has {'some' if wanted else 'none'}")
    answers = [Answer(PROVED, "")]
    for number, name in enumerate(found, 1):
        work = folder / f"sum{number}"
        work.mkdir(parents=True, exist_ok=True)
        for side, of in modules.items():
            write_blif(of[name], work / f"{side}.blif")
        tree, total = work / "tree.blif", work / "sum.blif"
        answer = kept.answer((tree, total), lambda tree=tree, total=total, work=work: prove_one(tree, total, work, seconds))
        answers.append(replace(answer, text=f"tree of adders {number}: {answer.text}"))
    answer = prover.worst(answers)
    if answer.status != PROVED:
        return answer
    trees = {0: "", 1: ", and a tree of adders equal to its sum"}
    return replace(answer, text=trees.get(len(found), f", and {len(found)} trees of adders equal to their sums"))
