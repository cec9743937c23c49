# SPDX-License-Identifier: Apache-2.0
"""Proves with ABC (Debian: berkeley-abc, Yosys' own companion) that two combinational circuits with the same inputs and
outputs are equal. Circuits are BLIF files. Only what ABC says in so many words is proved; what it does not answer, or not in
time, is open. A tools.ToolFailed says that there was nothing to compare, or that ABC ended with an error.

What is one node in both circuits is equal: of a whole chip nearly everything. It goes, with the inputs that nothing else reads. SAT
sweeping merges what is equal inside of the rest, cheaply first. Where there are cases, each is a question of its own then: the sides of a block that does one of
four things may be alike in each, and nowhere else. CaDiCaL takes what is left, all outputs at once, then output by output as long as it is quick: it gets through the
order of the CTAs' ages where ABC does not. Between its first two tries binary decision diagrams have a quick one, which is enough for counts, and one from where
the two sides part, or from deeper, where no two values that both share hang on one input: a count of what 132 SMs do is a small diagram when what an SM does, the same on
both sides, is an input of it. Then ABC's own `cec`. Where an output is 1 if one of many things is, these are asked some at a time: what a rule says of 132 SMs takes no longer then than 132 times what it says of
one. What is left of that is asked in three ways: by sweeping in rounds, since what is merged cheaply makes the rest easier, by SAT
again, and by diagrams, both without hurry. Only diagrams get through two counts of 48 bits built too differently: where nothing but
counts is in the way, a count is a small diagram when a warp's inputs stand together (the labels of the inputs see to their order: ABC
sorts by name; then ABC looks for another order).
"""
from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TypeVar

import aiger
import blif
import cadical
import tools

CONFLICTS = (50, 1000, 5000)  # of the solver per pair of nodes, by round
ONE_BY_ONE = 30000            # conflicts, when an output is taken alone
HARD = 60, 5                  # seconds for CaDiCaL, at least, or this part of the time for a question
NODES = 20000000              # of a diagram
GROUP = 16                    # outputs that share a diagram
SHORT = 10                    # seconds for what may be easy
COUNT = 5                     # seconds for a diagram of a count of 64, which takes one or two
PARTED = 15                   # seconds for one of a count of 256 from where its sides part, which takes ten
BRIEF = 2                     # seconds for CaDiCaL, an output: a difference is found in less, and diagrams may be small where it finds no end
EASY = 25                     # seconds for CaDiCaL, an output: what comes after it takes minutes
TOGETHER = 3                  # times as many seconds for all outputs at once, which share most of what is hard about them
CASES = 5                     # bits that make cases
PIECES = 128                  # at most, of an output that is asked piece by piece
FEW = 16                      # things that an output is one of: so few stay together
LOOK = 30                     # seconds of random patterns and SAT: a difference is found fast where there is one

T = TypeVar("T")
PROVED, FAILED, OPEN = "proved", "failed", "open"


@dataclass(frozen=True)
class Answer:
    """`status` PROVED, FAILED or OPEN, one line of text, a file "LABEL=VALUE ..." of inputs for which the circuits differ, the seconds
    that an earlier run took for what it has proved, and the outputs that are open where all others are proved."""

    status: str
    text: str
    inputs: Path | None = None
    earlier: int = 0
    left: tuple[str, ...] = ()


def worst(answers: Iterable[Answer]) -> Answer:
    """Of several questions that all want a proof: the first that failed, else the first that is open, else the last."""
    found = list(answers)
    last = next((one for status in (FAILED, OPEN) for one in found if one.status == status), found[-1])
    return replace(last, earlier=sum(one.earlier for one in found))


def abc() -> str:
    for name in ("berkeley-abc", "yosys-abc"):
        if shutil.which(name):
            return name
    raise tools.Missing("berkeley-abc is not installed; 'make setup' installs it with yosys")


def ask(commands: str, seconds: float, log: Path) -> str:
    """What ABC says in so many seconds of processor time; its exit status says nothing. Killed by a signal, it is a ToolFailed."""
    try:
        return _plain(tools.run([abc(), "-c", commands], cpu=seconds, accept=tuple(range(256))).stdout, log)
    except tools.ToolFailed as failure:
        failure.output = _plain(failure.output, log)
        raise


def cec_says(said: str) -> str:
    """What is said of two circuits by `cec`: PROVED equal, FAILED or OPEN."""
    if re.search(r"^Networks are NOT EQUIVALENT", said, re.M):
        return FAILED
    return PROVED if re.search(r"^Networks are equivalent( after structural hashing)?\. +Time =", said, re.M) else OPEN


def has_outputs(said: str, outputs: int) -> bool:
    """Whether `print_stats` tells of so many."""
    return re.search(rf"i/o = *\d+/ *{outputs} ", said) is not None  # ABC leaves no space where there are 10 000


def sat_says(said: str, outputs: int) -> str:
    """What `print_stats; sat` says of so many outputs: PROVED that none can be 1, FAILED or OPEN. ABC may have taken others
    than it was told to."""
    if not has_outputs(said, outputs):
        return OPEN
    found = re.findall(r"^((?:UN)?SATISFIABLE) +Time =", said, re.M)
    if len(found) != 1:
        return OPEN
    return PROVED if found[0] == "UNSATISFIABLE" else FAILED


def _plain(said: str, log: Path) -> str:
    said = re.sub(r"\x1b[^m]*m", "", said)
    log.write_text(said)
    return said


def _labels_of(path: Path, cases: Iterable[str]) -> list[str]:
    """The labels of all bits of these inputs. A ToolFailed names one that is not there, and says if they are too many."""
    found = []
    for name in cases:
        own = [label for label in blif.labels(path, ".inputs") if re.fullmatch(rf"(\w+\.)?{re.escape(name)}\[\d+\]", label)]
        if not own:
            raise tools.ToolFailed(f"{path}: has no input {name} to make cases of")
        found += own
    if len(found) > CASES:
        raise tools.ToolFailed(f"{path}: {len(found)} bits of {' '.join(cases)} make too many cases; {CASES} are enough")
    return found


class _Differ(Exception):
    """The circuits differ, or may: `_Comparison.differs` looks where."""


class _Undecided(Exception):
    """How far it came, and the outputs that are left where all others are proved."""

    def __init__(self, text: str, left: Sequence[str] = ()):
        super().__init__(text)
        self.left = tuple(left)


class _Comparison:
    def __init__(self, gold: Path, gate: Path, work: Path, seconds: float, sides: tuple[str, str],
                 free: tuple[Path, Path] | None, cases: Sequence[str] = ()):
        self.gold, self.gate, self.work, self.seconds = gold, gate, work, seconds
        self.whole = gold, gate
        self.sides, self.free = sides, free
        self.cases = _labels_of(gold, cases)
        self.in_case: dict[tuple[str, ...], set[str]] = {}  # outputs that are proved with these values
        self.names = sorted(blif.labels(gold, ".outputs"))  # as ABC sorts them
        self.total, self.by_diagrams = len(self.names), 0
        self.left: list[int] = []  # outputs that are not proved, by number
        self.said = ""             # by `look`

    def ask(self, name: str, commands: str) -> str:
        return ask(commands, self.seconds, self.work / f"{name}.log")

    def attempt(self, name: str, commands: str, seconds: float | None = None) -> str:
        """The same of a question that may stay open: what ABC said until it was ended."""
        try:
            return ask(commands, min(self.seconds, seconds or self.seconds), self.work / f"{name}.log")
        except tools.ToolFailed as failure:
            return failure.output

    def look(self) -> bool:
        self.said = self.attempt("differs", f"cec -T {LOOK} {self.gold} {self.gate}", LOOK + 1)  # `cec` does not always keep to -T
        return cec_says(self.said) == FAILED

    def differs(self) -> Answer:
        bits, inputs = self.work / "cex.bits", self.work / "cex"
        if (self.gold, self.gate) != self.whole:
            (self.gold, self.gate), self.said = self.whole, ""
        self.attempt("cex", f"miter {self.gold} {self.gate}; strash; sat; write_cex -n {bits}")
        if bits.is_file():
            bits.rename(inputs)
        if not self.said:  # which value is whose
            self.look()
        text = "the circuits differ"
        output = re.search(r"^Output +(\S+?):? .*?= *(\d).*?= *(\d)", self.said, re.M)
        if output:
            text = f"{output[1]} is {output[2]} in the {self.sides[0]} and {output[3]} in the {self.sides[1]}"
        count = re.search(r"^Verification failed for at least (\d+)", self.said, re.M)
        if count and int(count[1]) > 1:
            text += f"; {count[1]} outputs or next states differ at least"
        return Answer(FAILED, text, inputs if inputs.is_file() else None)

    def free_first(self) -> None:
        """What is equal under fewer conditions is out of the question: most outputs hang on no invariant, and a large one keeps
        sweeping from seeing what is equal inside. Counts are small diagrams then."""
        try:
            names, free = self.without_same("first_same", *self.free)
            self.gold, self.gate = self.keep(names, self.gold, self.gate)
            self.free = free
            values = self.sweep("first", *self.free, CONFLICTS[:1]) if self.names else []
        except _Undecided:
            return
        self.left = [number for number, value in enumerate(values) if value != "0"]
        self.by_cadical("first", BRIEF)
        self.diagrams("first", quick=True)
        names = [self.names[number] for number in self.left]
        self.gold, self.gate, *free = self.keep(names, self.gold, self.gate, *self.free)
        self.free = (free[0], free[1])

    def keep(self, names: list[str], *circuits: Path) -> list[Path]:
        """These outputs are left to be asked about: the circuits with no others."""
        self.names = names
        return [blif.only(path, names, self.work / f"left_{path.name}") for path in circuits] if names else [*circuits]

    def without_same(self, name: str, gold: Path, gate: Path) -> tuple[list[str], tuple[Path, Path]]:
        """The outputs that are left when what is one node in both is gone, and two circuits of them that are equal where these are:
        zeros, and the differences."""
        found = self.differences(name, gold, gate, " write_aiger -s", self.work / f"{name}.aig", aiger.read)
        self.all_of_them(name, gold, len(found.outputs))
        different = {output: literal for output, literal in zip(self.names, found.outputs, strict=True) if literal}
        left = found.cone(different, self.work / f"{name}_left.blif")
        return [*different], (blif.zeros(left, self.work / f"{name}_zeros.blif"), left)

    def sweep(self, name: str, gold: Path, gate: Path, conflicts: Sequence[int] = CONFLICTS) -> list[str]:
        """The differences of two circuits after sweeping as NAME.blif, and for each output "0" or "1" where it became that
        constant, else "?". Read from the netlist: in ABC's own report of cones and supports a difference that is just an
        input looks like a constant."""
        rounds = "".join(f" &fraig -x -C {limit};" for limit in conflicts)
        outputs, values, constant = [], {}, ""
        for words in self.differences(name, gold, gate, f" &get -n;{rounds} &put; write_blif", self.work / f"{name}.blif", blif.lines):
            if words[0] == ".outputs":
                outputs += words[1:]
            if words[0].startswith("."):
                constant = words[1] if words[0] == ".names" and len(words) == 2 else ""
                if constant:
                    values[constant] = "0"
            elif constant and words == ["1"]:
                values[constant] = "1"
        self.all_of_them(name, gold, len(outputs))
        return [values.get(output, "?") for output in outputs]

    def differences(self, name: str, gold: Path, gate: Path, commands: str, file: Path, read: Callable[[Path], T]) -> T:
        """Those of two circuits, worked on, written and read."""
        file.unlink(missing_ok=True)
        try:
            self.ask(name, f"miter -m {gold} {gate}; strash;{commands} {file}")
        except tools.Timeout:
            if self.look():
                raise _Differ from None
            raise _Undecided(f"undecided: SAT sweeping did not end within {self.seconds:g} s") from None
        try:
            return read(file)
        except tools.ToolFailed:
            raise tools.ToolFailed(f"ABC cannot compare {gold} and {gate}, see {self.work / name}.log") from None

    def all_of_them(self, name: str, gold: Path, outputs: int) -> None:
        if outputs != len(self.names):
            raise tools.ToolFailed(f"ABC sees other outputs than {gold} has, see {self.work / name}.log")

    def proved(self, numbers: set[int], by_diagrams: bool = False) -> None:
        self.left = [number for number in self.left if number not in numbers]
        self.by_diagrams += len(numbers) if by_diagrams else 0

    def each(self, script: str, name: str, commands: Callable[[int], str]) -> dict[int, str]:
        """What ABC says of each output of NAME.blif that is left, taken alone, all in one run: commands for an output by number."""
        aig, path = self.work / f"{name}.aig", self.work / f"{script}.abc"
        aig.unlink(missing_ok=True)
        path.write_text(f"read_blif {self.work / name}.blif; strash; write_aiger {aig}\n" + "".join(
            f'echo "=== {number}"\n&r {aig}\n&cone -O {number} -R 1\n&put\nprint_stats\n{commands(number)}\n' for number in self.left))
        said = self.attempt(script, f"source {path}")
        return {int(number): text for number, text in re.findall(r"^=== (\d+) *$(.*?)(?=^===|\Z)", said, re.M | re.S)}

    def alone(self, name: str) -> bool:
        """SAT for what is left, each output alone for a bounded time. Whether one can be 1."""
        if not self.left:
            return False
        texts = self.each("alone", name, lambda number: f"sat -C {ONE_BY_ONE}")
        answers = {number: sat_says(text, 1) for number, text in texts.items()}
        self.proved({number for number, answer in answers.items() if answer == PROVED})
        return FAILED in answers.values()

    def clauses(self, name: str) -> dict[int, Path]:
        """What is left of NAME.blif as clauses, output by output: that it can be 1."""
        files = {number: self.work / f"{name}.{number}.cnf" for number in self.left}
        for file in files.values():
            file.unlink(missing_ok=True)
        texts = self.each("clauses", name, lambda number: f"write_cnf {files[number]}")
        return {number: file for number, file in files.items() if has_outputs(texts.get(number, ""), 1) and file.is_file()}

    def clauses_of_all(self, name: str) -> Path | None:
        """All outputs of NAME.blif as clauses: that one of them can be 1. Those that are proved cannot."""
        file = self.work / f"{name}.all.cnf"
        file.unlink(missing_ok=True)
        said = self.attempt("together", f"read_blif {self.work / name}.blif; strash; print_stats; orpos; print_stats; write_cnf {file}")
        return file if has_outputs(said, len(self.names)) and has_outputs(said, 1) and file.is_file() else None

    def together(self, name: str, seconds: float) -> bool:
        """CaDiCaL for what is left at once, for so many seconds an output. Whether one can be 1."""
        file = self.clauses_of_all(name) if len(self.left) > 1 else None
        status, _ = cadical.ask(file, min(self.seconds, TOGETHER * seconds), hard=seconds > EASY) if file else ("", None)
        if status == cadical.NONE:
            self.proved({*self.left})
        return status == cadical.SOLUTION

    def by_cadical(self, name: str, seconds: float) -> bool:
        """CaDiCaL for what is left, together, then one by one until an output takes longer. Whether one can be 1."""
        if not self.left or not shutil.which(cadical.SOLVER):
            return False
        found = self.together(name, seconds)
        if found or not self.left:
            return found
        for number, file in self.clauses(name).items():
            status, _ = cadical.ask(file, min(self.seconds, seconds), hard=seconds > EASY)
            if status != cadical.NONE:
                return status == cadical.SOLUTION
            self.proved({number})
        return False

    def groups(self) -> list[list[int]]:
        """What is left, neighbours together: the bits of a register share much."""
        groups: list[list[int]] = []
        for number in self.left:
            if groups and number == groups[-1][-1] + 1 and len(groups[-1]) < GROUP:
                groups[-1].append(number)
            else:
                groups.append([number])
        return groups

    def diagram(self, name: str, group: list[int], seconds: float, quick: bool = False) -> str:
        """Two orders: one that ABC looks for, which is a second for a count of 48 bits, and that of the inputs, if it may not be `quick`. Either may
        take minutes where the other takes a second."""
        answer = OPEN
        for order in ("-r",) if quick else ("-r", ""):
            if answer == OPEN:
                answer = self.collapsed(f"{name}.blif", f"; &get; &cone -O {group[0]} -R {len(group)}; &put", len(group), order, seconds)
        return answer

    def collapsed(self, file: str, cone: str, outputs: int, order: str, seconds: float) -> str:
        said = self.attempt("group", f"read_blif {self.work / file}; strash{cone}; print_stats; orpos; strash; collapse {order} -B {NODES}; strash; sat", seconds)
        return sat_says(said, outputs)

    def nodes(self, name: str, what: str) -> aiger.Circuit | None:
        """NAME.blif, node by node; None if ABC does not write it, or not with as many outputs as there are."""
        file = self.work / f"{name}.{what}.aig"
        file.unlink(missing_ok=True)
        self.attempt(what, f"read_blif {self.work / name}.blif; strash; write_aiger -s {file}")
        try:
            circuit = aiger.read(file)
        except tools.ToolFailed:
            return None
        return circuit if len(circuit.outputs) == len(self.names) else None

    def parted(self, name: str) -> bool:
        """Diagrams for what is left from where its two sides part, one by one until that takes too long: a count of much is small then. False: that
        one can be 1 there says nothing."""
        circuit = self.nodes(name, "parted") if self.left else None
        for number in self.left if circuit else ():
            answer = self.from_there(circuit, circuit.outputs[number], self.work / f"{name}.{number}.parted.blif")
            if answer == OPEN:
                break
            if answer == PROVED:
                self.proved({number}, by_diagrams=True)
        return False

    def from_there(self, circuit: aiger.Circuit, output: int, to: Path) -> str:
        """Diagrams from where no two values that both sides share hang on one input, in two orders. Then from where the sides part: a diagram is smaller there, but
        the sides may differ for values that never come together."""
        answers = {FAILED}
        for apart, order in ((True, "-r"), (True, "-r -o"), (False, "-r")):  # -o: the order of the inputs from the last to the first
            part = circuit.between(output, to, apart)
            answer = self.collapsed(part.name, "", 1, order, PARTED) if part else FAILED
            if answer == PROVED:
                return PROVED
            answers.add(answer)
        return OPEN if OPEN in answers else FAILED

    def reading_cases(self, name: str) -> set[int]:
        """What is left of NAME.blif and hangs on the inputs that make cases."""
        circuit = self.nodes(name, "cases")
        reading = circuit.reading({*self.cases}) if circuit else [False] * len(self.names)
        return {number for number in self.left if reading[number]}

    def case(self, values: dict[str, str], names: list[str], brief: bool) -> Answer:
        """These outputs with these inputs set."""
        folder = self.work / f"case{''.join(values.values())}"
        folder.mkdir(exist_ok=True)
        gold, gate, *free = (blif.with_values(blif.only(path, names, folder / f"whole_{number}.blif"), values, folder / f"{number}.blif")
                             for number, path in enumerate((self.gold, self.gate, *(self.free or ()))))
        return equal(gold, gate, folder, self.seconds, self.sides, (free[0], free[1]) if free else None, brief)

    def by_cases(self, name: str, brief: bool = True) -> bool:
        """For each of what is left, every case, as far as it is quick or in earnest: proved is what is proved in all of them. Whether one can be 1."""
        numbers = self.reading_cases(name) if self.left and self.cases else set()
        for values in product("01", repeat=len(self.cases)) if numbers else ():
            proved = self.in_case.setdefault(values, set())
            names = sorted({self.names[number] for number in numbers} - proved)
            answer = self.case(dict(zip(self.cases, values, strict=True)), names, brief) if names else Answer(PROVED, "")
            if answer.status == FAILED:
                return True
            if answer.status == PROVED or answer.left:
                proved |= {*names} - {*answer.left}
            numbers = {number for number in numbers if self.names[number] in proved}
            if not numbers:
                return False
        self.proved(numbers)
        return False

    def by_pieces(self, name: str) -> bool:
        """CaDiCaL for what is left and is 1 where one of many things is, as a rule about every SM is broken where it is broken on one: some of
        these things at a time, until an answer is open. Whether one can be 1."""
        circuit = self.nodes(name, "pieces") if self.left and shutil.which(cadical.SOLVER) else None
        for number in self.left if circuit else ():
            answer = self.pieces(circuit, circuit.outputs[number], f"{name}.{number}.piece")
            if answer == cadical.SOLUTION:
                return True
            if answer == cadical.NONE:
                self.proved({number})
        return False

    def pieces(self, circuit: aiger.Circuit, output: int, name: str) -> str:
        """Whether an output can be 1, or OPEN if it is one of few things."""
        ones, zeros = circuit.one_of(output)
        if len(zeros) < FEW:
            return cadical.OPEN
        size = -(-len(zeros) // PIECES)
        for at in range(0, len(zeros), size):
            answer = self.piece(circuit.piece(ones, zeros[at:at + size], self.work / f"{name}.blif"))
            if answer != cadical.NONE:
                return answer
        return cadical.NONE

    def piece(self, path: Path) -> str:
        """Whether the one output of a circuit can be 1."""
        file = path.with_suffix(".cnf")
        file.unlink(missing_ok=True)
        said = self.attempt("piece", f"read_blif {path}; strash; print_stats; write_cnf {file}")
        there = has_outputs(said, 1) and file.is_file()
        return cadical.ask(file, self.hard(), hard=True)[0] if there else cadical.OPEN

    def hard(self) -> float:
        """Seconds for CaDiCaL where nothing quick has helped."""
        return min(self.seconds, max(HARD[0], self.seconds / HARD[1]))

    def diagrams(self, name: str, quick: bool = False) -> bool:
        """Decision diagrams for what is left: together, then alone, then alone without hurry; with `quick` only together, until that
        takes too long. Whether one can be 1."""
        answers = set()
        for group in self.groups():
            answer = self.diagram(name, group, COUNT if quick else SHORT, quick)
            if answer == PROVED:
                self.proved(set(group), by_diagrams=True)
            elif quick:
                break
            answers.add(answer)
        for seconds in () if quick else (SHORT, self.seconds):
            for number in self.left:
                answer = self.diagram(name, [number], seconds)
                if answer == PROVED:
                    self.proved({number}, by_diagrams=True)
                answers.add(answer)
        return FAILED in answers

    def counted(self) -> Answer:
        return Answer(PROVED, f"{self.total} outputs, {self.total - self.by_diagrams} by SAT, {self.by_diagrams} by BDD")

    def swept_cheaply(self) -> str:
        """The name of what is left to ask about: after a cheap sweep, or what there was before where that finds no end."""
        self.left = [*range(len(self.names))]
        try:
            values = self.sweep("cheap", self.gold, self.gate, CONFLICTS[:1])
        except _Undecided:
            return "same_left"
        if "1" in values:
            raise _Differ
        self.proved({number for number, value in enumerate(values) if value == "0"})
        return "cheap"

    def swept_hard(self) -> str:
        """The name of what is left to ask about: after the whole sweep, or after the cheap one where that finds no end."""
        try:
            values = self.sweep("swept", self.gold, self.gate)
        except _Undecided:
            return "cheap"
        if "1" in values:
            raise _Differ
        self.proved({number for number, value in enumerate(values) if value == "0"})
        return "swept"

    def freely(self) -> None:
        """What is left, under fewer conditions, the hard way."""
        try:
            values = self.sweep("free", *self.free)
        except _Undecided:
            return
        self.proved({number for number, value in enumerate(values) if value == "0"})
        self.alone("free")
        self.diagrams("free")  # a difference may lie where the conditions do not hold

    def undecided(self) -> _Undecided:
        names = [self.names[number] for number in self.left]
        return _Undecided(f"{len(names)} of {self.total} outputs undecided: {' '.join(names)}", names)

    def compare(self, brief: bool) -> Answer:
        if self.free:
            self.free_first()
        if not self.names:
            return self.counted()
        names, (self.gold, self.gate) = self.without_same("same", self.gold, self.gate)
        free = self.keep(names, *(self.free or ()))
        self.free = (free[0], free[1]) if free else None
        if not self.names:
            return self.counted()
        name = self.swept_cheaply()
        if (self.by_cases(name) or self.by_cadical(name, BRIEF) or self.diagrams(name, quick=True) or self.parted(name) or
                self.by_cadical(name, SHORT) or self.by_cadical(name, EASY)):
            raise _Differ
        if not self.left:
            return self.counted()
        if self.look():  # ABC's own way takes a second for most, or finds no end
            raise _Differ
        if cec_says(self.said) == PROVED:
            return self.counted()
        if brief:
            raise self.undecided()
        if self.by_cases(name, brief=False) or self.by_pieces(name):
            raise _Differ
        if not self.left:
            return self.counted()
        if name == "cheap":
            name = self.swept_hard()
        if self.alone(name) or self.by_cadical(name, self.hard()):
            raise _Differ
        if self.left and self.free:
            self.freely()
        if self.diagrams(name):
            raise _Differ
        if self.left:
            if self.look():  # a difference may make a diagram too large
                raise _Differ
            if cec_says(self.said) == PROVED:
                return Answer(PROVED, f"{self.total} outputs, {len(self.left)} by cec, the others by SAT or BDD")
            raise self.undecided()
        return self.counted()


def possible(circuit: Path, work: Path, seconds: float) -> Answer:
    """Whether each output of a circuit can be 1: PROVED; FAILED names one that cannot."""
    _prepare(work)
    opposite = {PROVED: FAILED, FAILED: PROVED, OPEN: OPEN}
    answers = []
    for number, name in enumerate(blif.labels(circuit, ".outputs")):
        try:
            said = ask(f"read_blif {circuit}; strash; &get; &cone -O {number} -R 1; &put; print_stats; sat", seconds,
                       work / "possible.log")
        except tools.ToolFailed:
            said = ""
        answers.append(Answer(opposite[sat_says(said, 1)], name))
    if not answers:
        raise tools.ToolFailed(f"{circuit}: has no outputs, so there is nothing to ask")
    return worst(answers)


def _prepare(work: Path) -> None:
    work.mkdir(parents=True, exist_ok=True)
    for name in ("cex", "cex.bits"):
        (work / name).unlink(missing_ok=True)


def equal(gold: Path, gate: Path, work: Path, seconds: float = 600, sides: tuple[str, str] = ("RTL", "netlist"),
          free: tuple[Path, Path] | None = None, brief: bool = False, cases: Sequence[str] = ()) -> Answer:
    """Compares two circuits, which the answer calls by `sides`, at most `seconds` of processor time per question. The circuits `free` have the same
    outputs under fewer conditions: where those are equal, so are the others. `brief`: what takes minutes is left open. `cases`: inputs; what is hard is asked
    with each of their values alone."""
    _prepare(work)
    comparison = _Comparison(gold, gate, work, seconds, sides, free, cases)
    if not comparison.names:
        raise tools.ToolFailed(f"{gold}: has no outputs, so there is nothing to prove")
    if comparison.names != sorted(blif.labels(gate, ".outputs")):
        raise tools.ToolFailed(f"{gate}: has other outputs than {gold}")
    try:
        return comparison.compare(brief)
    except _Differ:
        return comparison.differs()
    except _Undecided as how:
        return Answer(OPEN, str(how), left=how.left)


def difference(gold: Path, gate: Path, work: Path, seconds: float, sides: tuple[str, str]) -> Answer:
    """Only looks for a difference, where one is expected: FAILED or OPEN."""
    _prepare(work)
    comparison = _Comparison(gold, gate, work, seconds, sides, None)
    return comparison.differs() if comparison.look() else Answer(OPEN, f"no difference found in {LOOK} s")
