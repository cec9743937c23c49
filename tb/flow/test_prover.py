# SPDX-License-Identifier: Apache-2.0
"""How the prover reads what ABC says: a stand-in for ABC that knows the truth answers each kind of question, well or in one of the
ways in which a tool fails. Circuits that differ are never proved, equal ones never refuted, and what is not said is open.

  python3 tb/flow/test_prover.py

Ends with 'N passed, N failed'. Run from the repository root. That ABC uses these words is tested with ABC itself
(tb/formal/test_answers.py).
"""
from __future__ import annotations

import itertools
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
import blif
import cadical
import prover
import tools
from planted import Planted, expect
from prover import FAILED, OPEN, PROVED, Answer
from test_aiger import PAIRS

WAYS = ("killed", "late", "never ends", "too late", "error", "silent", "empty", "half", "word", "other outputs", "twice")
OUTPUTS = ("x", "y[0]", "y[1]")
STAGES = ("same", "sweep", "alone", "together", "clauses", "cadical", "group", "parted", "part", "look", "cex")
ASKED = tuple(stage for stage in STAGES if stage not in ("together", "clauses", "parted", "cex"))  # these only write files
# The difference of s & a and s & ~b, where s = a & b is shared.
PARTED = "\x02\x02\x02\x04\x04\x01\x02\x02\x03\x02\x01\x02i0 a\ni1 b\nc\nby ABC\n"


@dataclass
class Abc:
    """`differ`: outputs of which the circuits are not equal. `knows`: the stages that find that out; at the others outputs stay
    undecided. The stage `at` fails in a `way`."""

    differ: frozenset[str]
    knows: frozenset[str]
    at: str = ""
    way: str = ""
    asked: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=lambda: sorted(OUTPUTS))  # of what was swept last
    times: set[tuple[str, float]] = field(default_factory=set)  # stages, with the seconds that each was given
    one_node: frozenset[str] = frozenset()       # outputs that are one node in both
    free_one_node: frozenset[str] = frozenset()  # the same of the free ones
    parts: bool = True                           # a difference has two sides that share something

    def stage(self, command: list[str]) -> str:
        if command[0] == cadical.SOLVER:
            return "cadical"
        commands = command[2]
        for stage, pattern in (("cex", "write_cex"), ("together", r"orpos; print_stats; write_cnf \S+all\.cnf$"), ("clauses", r"^source .*clauses\.abc$"), ("sweep", "^miter -m .*fraig"), ("same", "^miter -m"), ("look", "^cec "), ("alone", "^source "),
                               ("group", "&cone"), ("parted", r"^read_blif \S+; strash; write_aiger -s \S+$"),
                               ("part", r"^read_blif \S+\.parted\.blif; strash; print_stats; orpos; strash; collapse ")):
            if re.search(pattern, commands):
                return stage
        raise AssertionError(f"no question: {commands}")

    def sat(self, stage: str, names: list[str], count: int) -> str:
        answer = "UNDECIDED     " if stage not in self.knows else "SATISFIABLE   " if self.differ & set(names) else "UNSATISFIABLE "
        return f"m    : i/o =    2/ {count:4d}  lat =    0  and =     5  lev =  2\n{answer} Time =     0.00 sec\n"

    def answer(self, stage: str, commands: str) -> tuple[str, Path | None, str]:
        """What is said, and a file. Of clauses there are several: in place of their clauses the name of the output."""
        if stage == "cadical":
            return self.cadical(Path(commands)), None, ""
        if stage in ("same", "sweep"):
            self.names = sorted(blif.labels(Path(commands.split()[2]), ".outputs"))
        names = self.names
        if stage == "same":  # what is 0 there is proved
            one_node = self.free_one_node if "free" in commands else self.one_node
            zeros = [(stage in self.knows or name in one_node) and name not in self.differ for name in names]
            text = "".join(f"{line}\n" for line in (f"aig 2 2 0 {len(names)} 0", *(0 if zero else 2 for zero in zeros), "i0 a", "i1 b", "c", "by ABC"))
            return "", Path(commands.split()[-1]), text
        if stage == "sweep":
            values = {name: "1" if name in self.differ else "" for name in names if "sweep" in self.knows}
            gates = [f".names {name}" + ("\n1" if values[name] else "") if name in values else f".names a {name}\n1 1" for name in names]
            text = "\n".join([".model m", ".inputs a b", f".outputs {' '.join(names)}", *gates, ".end", ""])
            return "", Path(commands.split()[-1]), text
        if stage == "alone":
            numbers = re.findall(r'^echo "=== (\d+)"$', Path(commands.split()[-1]).read_text(), re.M)
            return "".join(f"=== {number} \n" + self.sat(stage, [names[int(number)]], 1) for number in numbers), None, ""
        if stage == "together":  # that one of these can be 1
            counts = "".join(f"m    : i/o =    2/ {count:4d}  lat =    0  and =     5  lev =  2\n" for count in (len(names), 1))
            asked = "no_output_that_differs" if (self.at, self.way) == (stage, "other outputs") else ",".join(names)
            return counts, Path(commands.split()[-1]), f"p cnf {asked} end"
        if stage == "clauses":
            script = re.findall(r'^echo "=== (\d+)"\n&r .*\n&cone -O \1 -R 1\n&put\nprint_stats\nwrite_cnf (\S+)$',
                                Path(commands.split()[-1]).read_text(), re.M)
            for number, file in script:
                if self.at != stage or self.way not in ("killed", "error", "silent", "never ends", "unwritten"):
                    Path(file).write_text(self.spoil("", f"p cnf {names[int(number)]} end")[1] if self.at == stage else f"p cnf {names[int(number)]} end")
                if self.at == stage and self.way == "other outputs":
                    Path(file).write_text("p cnf no_output_that_differs end")
            return "".join(f"=== {number} \n" + self.sat(stage, [names[int(number)]], 1) for number, _ in script), None, ""
        if stage == "group":
            first, count = map(int, re.search(r"&cone -O (\d+) -R (\d+)", commands).groups())
            return self.sat(stage, names[first:first + count], count), None, ""
        if stage == "parted":
            return "", Path(commands.split()[-1]), "".join([f"aig 8 2 0 {len(names)} 6\n", *("16\n" if self.parts else "2\n" for _ in names), PARTED])
        if stage == "part":
            part = Path(commands.split()[1].rstrip(";"))
            expect(blif.labels(part, ".inputs") == ["a", "b", "node.3"], part.read_text())
            return self.sat(stage, [names[int(part.name.split(".")[1])]], 1), None, ""
        if stage == "look":
            if "look" not in self.knows:
                return "Networks are UNDECIDED.  Time =     1.00 sec\n", None, ""
            if not self.differ:
                return "Networks are equivalent.  Time =     0.00 sec\n", None, ""
            lines = "".join(f"Output {name}: Value in Network1 = 0. Value in Network2 = 1.\n" for name in sorted(self.differ))
            return (f"Networks are NOT EQUIVALENT.  Time =     0.00 sec\nVerification failed for at least {len(self.differ)} outputs:  "
                    f"y\n{lines}"), None, ""
        return "", Path(commands.split()[-1]), "a=0 b=1\n"

    def cadical(self, file: Path) -> str:
        words = file.read_text().split()
        if len(words) != 4 or words[3] != "end":
            return "cadical: error: parse error"
        if "cadical" not in self.knows:
            return "s UNKNOWN\n"
        return "s SATISFIABLE\nv 1 0\n" if self.differ & {*words[2].split(",")} else "s UNSATISFIABLE\n"

    def spoil(self, said: str, text: str) -> tuple[str, str]:
        if self.way in ("silent", "empty", "error", "killed", "never ends"):
            return "", ""
        if self.way in ("half", "too late"):
            return said[:len(said) // 2], text[:len(text) // 2]
        if self.way == "word":
            for word, other in (("SATISFIABLE ", "SATISFIED "), ("SATISFIABLE\n", "SATISFIED\n"), ("are equivalent", "are equal"), ("NOT EQUIVALENT", "NOT EQUAL")):
                said = said.replace(word, other)
        if self.way == "other outputs":
            said = re.sub(r"(i/o = +\d+/) +(\d+)", lambda match: f"{match[1]} {int(match[2]) + 1}", said)
            text = re.sub(r"^\.outputs \S+", ".outputs", text, flags=re.M)
            text = re.sub(r"^(aig \d 2 0 )(\d+)( \d)\n", lambda match: f"{match[1]}{int(match[2]) + 1}{match[3]}\n0\n", text)
        if self.way == "twice":
            said = re.sub(r"^(s (?:UN)?SATISFIABLE\n)", r"\1\1", said, flags=re.M)
            said = re.sub(r"^(?!s ).*SATISFIABLE.*$", "SATISFIABLE    Time = 0\nUNSATISFIABLE  Time = 0", said, flags=re.M)
        return said, text

    def run(self, command: list[str], *, cpu: float, accept: tuple[int, ...], **_: object) -> subprocess.CompletedProcess:
        """In the place of tools.run."""
        expect(cpu > 0 and 0 in accept and -9 not in accept, "a solver may not be waited for for ever, nor be killed")
        command = list(map(str, command))
        stage = self.stage(command)
        self.asked.append(stage)
        self.times.add((stage, cpu))
        said, path, text = self.answer(stage, command[-1])
        if stage == self.at:
            said, text = self.spoil(said, text)
        if path and not (stage == self.at and self.way in ("killed", "error", "silent", "never ends", "unwritten")):
            path.write_text(text)
        if stage == self.at and self.way in ("killed", "late"):
            raise tools.ToolFailed("berkeley-abc: signal 9", -9, said)
        if stage == self.at and self.way in ("never ends", "too late"):
            raise tools.Timeout("berkeley-abc: no answer", output=said)
        if stage == "cadical":
            status = {"s SATISFIABLE": 10, "s UNSATISFIABLE": 20}.get(said.partition("\n")[0], 0 if said.startswith("s ") else 1)
            if status not in accept:
                raise tools.ToolFailed("cadical: exit status 1", 1, said)
            return subprocess.CompletedProcess(command, status, said)
        return subprocess.CompletedProcess(command, 0, f"\033[1;37mABC\033[0m command line\n{said}")


def circuit(path: Path, outputs: tuple[str, ...] = OUTPUTS) -> Path:
    gates = [f".names a b {name}\n11 1" for name in outputs]
    path.write_text("\n".join([".model m", ".inputs a b", f".outputs {' '.join(outputs)}", *gates, ".end", ""]))
    return path


def equal(test: Planted, abc: Abc, free: bool = False, with_cadical: bool = True, seconds: float = 5, brief: bool = False) -> Answer:
    gold, gate = circuit(test.work / "gold.blif"), circuit(test.work / "gate.blif")
    sides = (circuit(test.work / "free_gold.blif"), circuit(test.work / "free_gate.blif")) if free else None
    with mock.patch.object(tools, "run", abc.run), mock.patch.object(prover, "abc", return_value="berkeley-abc"), \
            mock.patch.object(prover.shutil, "which", return_value="/usr/bin/cadical" if with_cadical else None):
        return prover.equal(gold, gate, test.work / "work", seconds, ("left", "right"), sides, brief)


def what_came(job: Callable[[], Answer]) -> str:
    """Its status; a tools.ToolFailed, which is one line for the user, is none."""
    try:
        return job().status
    except tools.ToolFailed as failure:
        expect("\n" not in str(failure), "more than one line")
        return "refused"


# Stages that know, outputs that differ: status, text.
KNOWN = [
    ({"same"}, (), PROVED, "3 outputs, 3 by SAT, 0 by BDD"),
    ({"sweep"}, (), PROVED, "3 outputs, 3 by SAT, 0 by BDD"),
    ({"alone"}, (), PROVED, "3 outputs, 3 by SAT, 0 by BDD"),
    ({"cadical"}, (), PROVED, "3 outputs, 3 by SAT, 0 by BDD"),
    ({"group"}, (), PROVED, "3 outputs, 0 by SAT, 3 by BDD"),
    ({"part"}, (), PROVED, "3 outputs, 0 by SAT, 3 by BDD"),
    ({"part"}, ("y[0]",), OPEN, r"1 of 3 outputs undecided: y\[0\]"),
    ({"look"}, (), PROVED, "3 outputs, 3 by SAT, 0 by BDD"),
    ((), (), OPEN, r"3 of 3 outputs undecided: x y\[0\] y\[1\]"),
    ({"same"}, ("y[0]",), OPEN, "1 of 3 outputs undecided"),
    ({"sweep"}, ("y[0]",), FAILED, "the circuits differ"),
    ({"alone"}, ("y[0]",), FAILED, "the circuits differ"),
    ({"group"}, ("y[1]",), FAILED, "the circuits differ"),
    ({"cadical"}, ("x",), FAILED, "the circuits differ"),
    ({"look"}, ("y[0]",), FAILED, r"y\[0\] is 0 in the left and 1 in the right"),
    ({"look", "sweep"}, ("x", "y[1]"), FAILED, "x is 0 in the left and 1 in the right; 2 outputs or next states differ at least"),
    ((), ("y[0]",), OPEN, "3 of 3 outputs undecided"),
]


def answers(test: Planted) -> None:
    """Without failures."""
    for knows, differ, status, text in KNOWN:
        for free in (False, True):
            with test.case(f"{' '.join(sorted(knows)) or 'nobody'} knows of {' '.join(differ) or 'no difference'}, free {free}"):
                answer = equal(test, Abc(frozenset(differ), frozenset(knows)), free)
                expect(answer.status == status and re.search(text, answer.text), str(answer))
                expect((answer.inputs is not None) == (status == FAILED), str(answer))
                expect(answer.inputs is None or answer.inputs.read_text() == "a=0 b=1\n", "other inputs")
                left = answer.text.rpartition(" outputs undecided: ")[2].split() if status == OPEN else []
                expect(answer.left == tuple(left), f"{answer.left} is said to be left")
    with test.case("each way of asking has its turn, each on its own outputs"):
        abc = Abc(frozenset(), frozenset())
        equal(test, abc, True)
        by_cadical = ["together", "cadical", "clauses", "cadical"]
        expect(abc.asked == ["same", "sweep", *by_cadical, "group", "same", "sweep", *by_cadical, "group", "parted", "part", *by_cadical, *by_cadical, "look", "parted", "sweep",
                             "alone", *by_cadical, "sweep", "alone", *["group"] * 28, "look"], str(abc.asked))
    for knows, differ, want in ((set(), (), Answer(OPEN, "3 of 3 outputs undecided: x y[0] y[1]", left=OUTPUTS)),
                                ({"alone"}, (), Answer(OPEN, "3 of 3 outputs undecided: x y[0] y[1]", left=OUTPUTS)),
                                ({"part"}, ("y[0]",), Answer(OPEN, "1 of 3 outputs undecided: y[0]", left=("y[0]",))),
                                ({"look"}, (), Answer(PROVED, "3 outputs, 3 by SAT, 0 by BDD"))):
        with test.case(f"a brief question, {' '.join(knows) or 'nobody'} knows of {' '.join(differ) or 'no difference'}: nothing that takes minutes"):
            abc = Abc(frozenset(differ), frozenset(knows))
            expect(equal(test, abc, brief=True) == want and abc.asked[-1] == "look" and abc.asked.count("sweep") == 1, str(abc.asked))
    with test.case("a brief question finds a difference"):
        expect(equal(test, Abc(frozenset({"x"}), frozenset({"look"})), brief=True).status == FAILED, "not found")
    with test.case("where sweeping has no end, nobody knows what is left"), \
            mock.patch.object(prover._Comparison, "without_same", side_effect=prover._Undecided("no end")):
        expect(equal(test, Abc(frozenset(), frozenset()), brief=True) == Answer(OPEN, "no end"), "others")
    with test.case("without CaDiCaL the others are asked"):
        abc = Abc(frozenset(), frozenset({"group"}))
        expect(equal(test, abc, with_cadical=False).status == PROVED and "clauses" not in abc.asked, str(abc.asked))
    with test.case("CaDiCaL is asked about all outputs"):
        for differ, status in (((), PROVED), (("y[1]",), FAILED)):
            abc = Abc(frozenset(differ), frozenset({"cadical"}))
            expect(equal(test, abc).status == status and abc.asked[:4] == ["same", "sweep", "together", "cadical"], str(abc.asked))
            expect(abc.asked.count("cadical") == 1 and "clauses" not in abc.asked, str(abc.asked))
    with test.case("CaDiCaL is asked until an output is open"), mock.patch.object(prover._Comparison, "together", return_value=False):
        abc = Abc(frozenset({"y[1]"}), frozenset({"cadical"}))
        expect(equal(test, abc).status == FAILED and abc.asked.count("cadical") == 3, str(abc.asked))
    with test.case("what is equal under fewer conditions is not asked again"):
        abc = Abc(frozenset({"y[0]"}), frozenset({"sweep"}))
        answer = equal(test, abc, True)
        expect(answer.status == FAILED and abc.asked[:7] == ["same", "sweep", "clauses", "cadical", "group", "same", "sweep"] and abc.names == ["y[0]"], f"{abc.asked} {abc.names}")
        abc = Abc(frozenset(), frozenset({"sweep"}))
        expect(equal(test, abc, True) == Answer(PROVED, "3 outputs, 3 by SAT, 0 by BDD") and abc.asked == ["same", "sweep"], str(abc.asked))
    with test.case("what is free is a difference only where the conditions hold"):
        abc = Abc(frozenset(), frozenset({"alone"}))
        with mock.patch.object(prover._Comparison, "alone", side_effect=[False, True]), \
                mock.patch.object(prover._Comparison, "by_cadical", side_effect=[True, False, False, False, False]), \
                mock.patch.object(prover._Comparison, "diagrams", side_effect=[True, False, True, False]):
            expect(equal(test, abc, True).status == OPEN, "not open")
    with test.case("an output without parts is not proved by them"):
        abc = Abc(frozenset(), frozenset({"part"}), parts=False)
        expect(equal(test, abc).status == OPEN and "parted" in abc.asked and "part" not in abc.asked, str(abc.asked))
    with test.case("parts of other outputs, or of an earlier question, are not asked about"):
        abc = Abc(frozenset(), frozenset({"part"}))
        expect(equal(test, abc).status == PROVED and (test.work / "work/cheap.parted.aig").is_file(), str(abc.asked))
        for way in ("unwritten", "other outputs"):
            abc = Abc(frozenset(), frozenset({"part"}), "parted", way)
            expect(equal(test, abc).status == OPEN and "part" not in abc.asked, f"{way}: {abc.asked}")
    with test.case("inputs of an earlier difference are gone"):
        (test.work / "work/cex").write_text("old\n")
        (test.work / "work/cex.bits").write_text("old\n")
        found = equal(test, Abc(frozenset("x"), frozenset({"sweep"}), "cex", "silent"))
        expect(found.status == FAILED and found.inputs is None, str(found))


def dropped(test: Planted) -> None:
    """Whatever some stage drops, and wherever: the ones behind it are asked about the rest."""
    some = [frozenset(names) for count in range(4) for names in itertools.combinations(OUTPUTS, count)]
    for stage in ("sweep", "alone", "cadical", "group", "part", "look"):
        for status, differ in ((PROVED, frozenset()), (OPEN if stage == "part" else FAILED, frozenset({"y[0]"}))):
            with test.case(f"{stage} knows what is not one node in both: {status}"):
                for one_node, free_one_node in itertools.product(some, repeat=2):
                    answer = equal(test, Abc(differ, frozenset({stage}), one_node=one_node, free_one_node=free_one_node), True)
                    expect(answer.status == status, f"{answer}: {sorted(one_node)} {sorted(free_one_node)}")
    for lost in ("first_same", "first", "free", "cheap", "swept"):
        with test.case(f"without the answer of '{lost}' the others are asked"):
            differences = prover._Comparison.differences

            def undecided(comparison: prover._Comparison, name: str, *rest: object, lost: str = lost) -> object:
                if name == lost:
                    raise prover._Undecided("no end")
                return differences(comparison, name, *rest)
            for one_node, free_one_node in itertools.product(some, repeat=2):
                with mock.patch.object(prover._Comparison, "differences", undecided):
                    answer = equal(test, Abc(frozenset(), frozenset({"group"}), one_node=one_node, free_one_node=free_one_node), True)
                expect(answer.status == PROVED, f"{answer}: {sorted(one_node)} {sorted(free_one_node)}")


def failures(test: Planted) -> None:
    """Each stage fails in each way, with each choice of stages that know."""
    choices = [frozenset(some) for some in ((), *((stage,) for stage in ASKED), ("alone", "look"), STAGES)]
    for way, at in itertools.product(WAYS, STAGES):
        with test.case(f"{at}: {way}"):
            for knows, free, differ in itertools.product(choices, (False, True), (frozenset(), frozenset({"y[0]"}))):
                came = what_came(lambda: equal(test, Abc(differ, knows, at, way), free))
                expect(came != (PROVED if differ else FAILED), f"{came}: {sorted(differ)} {sorted(knows)} free {free}")
                knowing = knows - {at}
                if not knowing and (way in ("killed", "never ends", "error", "silent", "empty") or (way in ("word", "twice") and at == "cadical") or (way, at) == ("word", "alone")):
                    expect(came in (OPEN, "refused"), f"{came} though nobody knows")
                if not differ and "look" in knowing and at not in ("same", "sweep", "look"):
                    expect(came == PROVED, f"{came} though it was said in the end")


def words(test: Planted) -> None:
    stats = "m : i/o =    2/    3  lat =    0\n"
    sat = {f"{stats}UNSATISFIABLE  Time = 0.00 sec": PROVED, f"{stats}SATISFIABLE    Time = 0.00 sec": FAILED, stats: OPEN, "": OPEN,
           "UNSATISFIABLE  Time = 0.00 sec": OPEN, f"{stats}UNSATISFIABLE": OPEN, f"{stats}UNDECIDED      Time = 1": OPEN,
           f"{stats}NOT UNSATISFIABLE  Time = 1": OPEN, f"{stats}UNSATISFIABLE  Time = 1\nUNSATISFIABLE  Time = 1": OPEN,
           "m : i/o =    2/   30  lat =    0\nUNSATISFIABLE  Time = 0.00 sec": OPEN,
           "m : i/o =    3/    2  lat =    0\nUNSATISFIABLE  Time = 0.00 sec": OPEN,
           "m : i/o =14213/    3  lat =    0\nUNSATISFIABLE  Time = 0.00 sec": PROVED,
           "m : i/o =14213/   13  lat =    0\nUNSATISFIABLE  Time = 0.00 sec": OPEN,
           "m : i/o =14213/14213  lat =    0\nUNSATISFIABLE  Time = 0.00 sec": OPEN}
    for said, want in sat.items():
        with test.case(f"sat of three outputs: {' '.join(said.split())}: {want}"):
            expect(prover.sat_says(said, 3) == want, prover.sat_says(said, 3))
    for inputs in (9, 9999, 10000, 123456):
        with test.case(f"what ABC itself says of {inputs} inputs is understood"):
            names, wide = [f"x{number}" for number in range(inputs)], test.work / "wide.blif"
            wide.write_text(f".model wide\n.inputs {' '.join(names)}\n.outputs y z\n.names {' '.join(names)} all\n{'1' * inputs} 1\n"
                            ".names all x0 y\n10 1\n.names all x1 z\n10 1\n.end\n")
            said = prover.ask(f"read_blif {wide}; strash; print_stats; sat", 60, test.work / "wide.log")
            expect(prover.sat_says(said, 2) == PROVED, said)
    cec = {"Networks are equivalent.  Time = 0": PROVED, "Networks are equivalent after structural hashing.  Time = 0": PROVED,
           "Networks are NOT EQUIVALENT.  Time = 0": FAILED, "Networks are NOT EQUIVALENT after simulation.  Time = 0": FAILED,
           "Networks are UNDECIDED.  Time = 0": OPEN, "Networks are equal.  Time = 0": OPEN, "Networks are equi": OPEN, "": OPEN,
           "Networks are equivalent": OPEN, "The Networks are equivalent.  Time = 0": OPEN,
           "Networks are equivalent.  Time = 0\nNetworks are NOT EQUIVALENT.  Time = 0": FAILED}
    for said, want in cec.items():
        with test.case(f"cec: {said!r}: {want}"):
            expect(prover.cec_says(said) == want, prover.cec_says(said))


def from_there(test: Planted) -> None:
    """Where a question begins whose two sides part."""
    to = test.work / "part.blif"
    with test.case("of a part that is no difference with all values, one that is apart is asked about, both ways around"):
        comparison = prover._Comparison(circuit(test.work / "gold.blif"), test.work / "gate.blif", test.work, 5, ("RTL", "netlist"), None)
        for says, want, asked in (([PROVED], PROVED, 1), ([OPEN, PROVED], PROVED, 2), ([FAILED, FAILED, PROVED], PROVED, 3), ([OPEN, OPEN, OPEN], OPEN, 3),
                                  ([OPEN, FAILED, FAILED], OPEN, 3), ([FAILED, OPEN, FAILED], OPEN, 3), ([FAILED, FAILED, OPEN], OPEN, 3), ([FAILED] * 3, FAILED, 3)):
            with mock.patch.object(comparison, "collapsed", side_effect=says) as collapsed:
                expect(comparison.from_there(PAIRS, 25, to) == want and collapsed.call_count == asked, f"{says} is not {want}")
            expect([call.args[3] for call in collapsed.call_args_list] == ["-r", "-r -o", "-r"][:asked], str(collapsed.call_args_list))


def solver_says(test: Planted) -> None:
    """What CaDiCaL says counts where its exit status says it, too."""
    said = {"s UNSATISFIABLE": 20, "s SATISFIABLE": 10}
    for status, (word, means) in itertools.product((0, 10, 20), (*said.items(), ("s UNKNOWN", 0), ("", 0), ("UNSATISFIABLE", 0), ("s UNSATISFIABLE\ns SATISFIABLE", 0))):
        with test.case(f"exit status {status}, {word!r}"), mock.patch.object(tools, "run", return_value=subprocess.CompletedProcess([], status, f"{word}\n")):
            want = {10: cadical.SOLUTION, 20: cadical.NONE}.get(status, cadical.OPEN) if status == means else cadical.OPEN
            expect(cadical.ask(test.work / "x.cnf", 1)[0] == want, f"not {want}")
    with test.case("clauses that an earlier question has left are none of this one's"):
        abc = Abc(frozenset({"y[0]"}), frozenset({"cadical"}), "clauses", "unwritten")
        for number in range(len(OUTPUTS)):
            (test.work / "work").mkdir(exist_ok=True)
            (test.work / f"work/cheap.{number}.cnf").write_text("p cnf no_output_that_differs end")
        with mock.patch.object(prover._Comparison, "together", return_value=False):
            expect(equal(test, abc).status == OPEN and "cadical" not in abc.asked, str(abc.asked))
        abc = Abc(frozenset({"y[0]"}), frozenset({"cadical"}), "together", "unwritten")
        (test.work / "work/cheap.all.cnf").write_text("p cnf no_output_that_differs end")
        expect(equal(test, abc).status == FAILED and abc.asked[2:4] == ["together", "clauses"], str(abc.asked))


def witnesses(test: Planted) -> None:
    """Whether each output can be 1: here differ is what can."""
    path = test.work / "witness.blif"

    def possible(abc: Abc, outputs: tuple[str, ...] = OUTPUTS) -> Answer:
        circuit(path, outputs)
        with mock.patch.object(tools, "run", abc.run), mock.patch.object(prover, "abc", return_value="berkeley-abc"):
            return prover.possible(path, test.work / "work", 5)
    for can, want, text in ((OUTPUTS, PROVED, ""), (("x", "y[1]"), FAILED, "y[0]"), ((), FAILED, "x")):
        with test.case(f"{' '.join(can) or 'none'} can be 1: {want}"):
            answer = possible(Abc(frozenset(can), frozenset({"group"})))
            expect(answer.status == want and (want == PROVED or answer.text == text), str(answer))
    for way in WAYS:
        for can in (OUTPUTS, ("x",)):
            with test.case(f"{' '.join(can)} can be 1, and ABC: {way}"):
                came = what_came(lambda: possible(Abc(frozenset(can), frozenset({"group"}), "group", way)))
                expect(came in (OPEN, "refused"), came)
    with test.case("no outputs: refused"):
        expect(what_came(lambda: possible(Abc(frozenset(), frozenset({"group"})), ())) == "refused", "taken")


def circuits(test: Planted) -> None:
    """Files that are no circuits, and circuits of other outputs."""
    good = circuit(test.work / "good.blif")
    text = good.read_text()
    bad = {"missing": None, "empty": "", "cut short": text[:len(text) // 2], "without its end": text.replace(".end\n", ""),
           "of another output": text.replace("y[1]", "y[2]"), "of one output less": text.replace(" y[1]", ""),
           "of no outputs": re.sub(r"^\.outputs.*", ".outputs", text, flags=re.M)}
    for name, content in bad.items():
        with test.case(f"a circuit that is {name}: refused, on each side"):
            path = test.work / "bad.blif"
            path.unlink(missing_ok=True)
            if content is not None:
                path.write_text(content)
            for gold, gate in ((path, good), (good, path), (path, path)):
                if gold == gate and "other" in name or gold == gate and "less" in name:
                    continue  # two equal files
                abc = Abc(frozenset(), frozenset(STAGES))
                with mock.patch.object(tools, "run", abc.run), mock.patch.object(prover, "abc", return_value="berkeley-abc"):
                    expect(what_came(lambda: prover.equal(gold, gate, test.work / "work", 5)) == "refused", f"{gold} {gate} taken")
    with test.case("continued lines are one"):
        good.write_text(text.replace(" y[0]", " \\\n y[0]", 1))
        expect(blif.labels(good, ".outputs") == list(OUTPUTS), "not one")
        expect(blif.labels(good, ".inputs") == ["a", "b"], "no inputs")


def texts(test: Planted) -> None:
    """What is done to a file without looking at its gates."""
    path, to = test.work / "text.blif", test.work / "to.blif"
    gates = [[".names", "a", "x"], ["1", "1"], [".names", "a", "x", ".outputsy"], ["11", "1"]]
    heads = {"in one line": ".outputs x y z\n", "in continued lines": ".outputs \\\nx \\\n y z\n", "in several": ".outputs x\n  .outputs y \\\n z\n",
             "broken off behind the word": ".outputs\\\n x y z\n", "one of them without any": ".outputs\n.outputs x y z\n"}
    for how, head in heads.items():
        with test.case(f"outputs {how}: read, and some left"):
            path.write_text(f".model m\n.inputs a\n{head}" + "".join(f"{' '.join(words)}\n" for words in gates) + ".end\n")
            expect(blif.labels(path, ".outputs") == ["x", "y", "z"] and blif.labels(path, ".inputs") == ["a"], str(blif.labels(path, ".outputs")))
            found = blif.lines(blif.only(path, ["y"], to))
            expect(found == [[".model", "m"], [".inputs", "a"], [".outputs", "y"], *gates, [".end"]], str(found))
    with test.case("a last line that goes on where the end should be: refused"):
        path.write_text(".model m\n.inputs a\n.outputs x\n.names a x\\\n.end\n")
        for job in (blif.lines, lambda path: blif.labels(path, ".outputs"), lambda path: blif.only(path, ["x"], to)):
            expect(what_came(lambda job=job: job(path)) == "refused", "taken")


def differences(test: Planted) -> None:
    """Only a difference is looked for."""
    gold = circuit(test.work / "gold.blif")
    for differ, knows, want in ((("x",), ("look",), FAILED), ((), ("look",), OPEN), (("x",), (), OPEN)):
        with test.case(f"a look at {' '.join(differ) or 'no difference'}: {want}"):
            abc = Abc(frozenset(differ), frozenset(knows))
            with mock.patch.object(tools, "run", abc.run), mock.patch.object(prover, "abc", return_value="berkeley-abc"):
                answer = prover.difference(gold, gold, test.work / "work", 5, ("left", "right"))
            expect(answer.status == want, str(answer))


def worst(test: Planted) -> None:
    with test.case("failed outranks open, open outranks proved; the first of its kind speaks"):
        good, bad, none = ([Answer(status, f"{status} {number}") for number in (1, 2)] for status in (PROVED, FAILED, OPEN))
        for found, want in (([good[0], none[0], bad[0], bad[1]], bad[0]), ([bad[1], none[0]], bad[1]), ([none[1], good[0], none[0]], none[1]),
                            ([good[0], good[1]], good[1])):
            expect(prover.worst(found) == want, str(found))


def times(test: Planted) -> None:
    """A limit that is too short only makes an answer open, which nobody would see."""
    brief = (prover.BRIEF, prover.SHORT, prover.EASY)
    quick = {("same", 0), ("sweep", 0), ("together", 0), ("clauses", 0), ("alone", 0), ("group", 0), ("look", prover.LOOK + 1), ("group", prover.SHORT), ("group", prover.COUNT), ("parted", 0), ("part", prover.PARTED),
             *(("cadical", most * times) for most in brief for times in (1, prover.TOGETHER))}
    for seconds, hard in ((5, 5), (100, 60), (300, 60), (900, 180)):
        with test.case(f"of {seconds} seconds each way of asking has its share"):
            abc = Abc(frozenset(), frozenset())
            equal(test, abc, True, seconds=seconds)
            want = {(stage, min(seconds, limit or seconds)) for stage, limit in quick} | {("cadical", hard), ("cadical", min(seconds, prover.TOGETHER * hard))}
            expect(abc.times == want, str(sorted(abc.times ^ want)))


def solver_missing(test: Planted) -> None:
    with test.case("without ABC: one line; yosys-abc will do"):
        for there, want in ((("berkeley-abc", "yosys-abc"), "berkeley-abc"), (("yosys-abc",), "yosys-abc"), ((), "")):
            with mock.patch.object(prover.shutil, "which", side_effect=lambda name, there=there: name if name in there else None):
                try:
                    expect(prover.abc() == want, "another one")
                except tools.Missing as failure:
                    expect(not want and "berkeley-abc is not installed" in str(failure), str(failure))


if __name__ == "__main__":
    Planted.main("", answers, dropped, failures, words, from_there, solver_says, witnesses, circuits, texts, differences, worst, times, solver_missing)
