# SPDX-License-Identifier: Apache-2.0
"""What is asked again of a target: each output of the circuits that formal.py left, and of the two front ends' readings.

  front end   the step as the proofs' Yosys reads it, and as the second one does
  step        the RTL's step, and the model's
  undefined   nothing hangs on what is undefined
  rules       the RTL breaks none of its rules
"""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cut
import parts
import tools
from blocks import Target
from circuit import FALSE, Circuit, clauses, read_aiger, read_blif
from circuits import Setup, model_sources
from frontend import FrontEnd


@dataclass(frozen=True)
class Question:
    """Whether two functions of a circuit are equal. `instead`: a weaker question that does as well."""

    kind: str
    output: str
    circuit: Circuit
    a: int
    b: int
    instead: Question | None = None

    @property
    def name(self) -> str:
        return f"{self.kind} {self.output}"

    def clauses(self) -> tuple[str, dict[str, int]]:
        return clauses(self.circuit, self.a, self.b)

    def differ(self, inputs: dict[str, bool]) -> bool:
        return self.circuit.value(self.a, inputs) != self.circuit.value(self.b, inputs)


def _pairs(kind: str, circuit: Circuit, one: dict[str, int], other: dict[str, int], where: Path,
           instead: dict[str, Question] | None = None) -> list[Question]:
    if one.keys() != other.keys() or not one:
        raise tools.Failure(f"{where}: the two circuits of '{kind}' have not the same outputs")
    return [Question(kind, label, circuit, one[label], other[label], (instead or {}).get(label)) for label in sorted(one)]


def _blifs(kind: str, folder: Path, one: str, other: str, instead: dict[str, Question] | None = None) -> list[Question]:
    circuit = Circuit()
    return _pairs(kind, circuit, read_blif(circuit, folder / f"{one}.blif"), read_blif(circuit, folder / f"{other}.blif"), folder,
                  instead)


def _rules_folder(target: Target, folder: Path) -> Path:
    if not parts.apart(target):
        return folder
    return folder / ("rules" if parts.apart(target, "free") else "flat")


def _rules(setup: Setup, folder: Path) -> list[Question]:
    """Of the RTL: each is a function that must be 0."""
    listed = tools.run([setup.tool("stepir"), "properties", folder]).stdout.splitlines()
    circuit = Circuit()
    broken = read_blif(circuit, folder / "broken.blif")
    texts = {f"property[{number}]": f"{rule}: {text}" for number, _, rule, text in (line.split("\t") for line in listed)}
    if broken.keys() != texts.keys():
        raise tools.Failure(f"{folder}: not all rules are in the circuit")
    found = [Question("rules", texts[label], circuit, broken[label], FALSE) for label in broken]
    clocked = any(kind == "next" for kind, _ in cut.read_bits(folder / "bits"))
    return found if clocked else found[1:]  # the first is about reset


def of_target(setup: Setup, target: Target, proofs: Path, front_end: FrontEnd, folder: Path) -> list[Question]:
    proof, circuit = proofs / target.name, Circuit()
    asked = []
    if not parts.apart(target):  # what the parts of others are made of is read in their own proofs
        first, second = front_end.read(setup, target, proof, folder)
        asked += _pairs("front end", circuit, read_aiger(circuit, first), read_aiger(circuit, second), folder)
    asked += _blifs("step", proof, "gold", "gate")
    weaker = {question.output: question for question in _blifs("undefined", proof, "zero", "anything")}
    asked += _blifs("undefined", proof, "no_flags", "flags", weaker)
    asked += _rules(setup, _rules_folder(target, proof))
    return asked


def check_fresh(target: Target, folder: Path) -> None:
    """The circuits are those of the files as they are."""
    left = folder / "gold.blif"
    sources = [*target.block.sources, *model_sources(Setup("", Path(), Path()), target.block), *target.block.room.glob("*.h"),
               *Path("rtl/common").glob("*.sv"), *Path("tb/formal").glob("*.[ch]")]
    if not left.is_file():
        raise tools.Failure(f"no {left}; 'make formal' leaves it")
    newer = [source for source in sources if source.stat().st_mtime > left.stat().st_mtime]
    if newer:
        raise tools.Failure(f"{newer[0]} is newer than {left}; 'make formal' makes it anew")
