#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_rules.py [BUILD_DIR]: twins that agree and are wrong. Each pair of tb/blocks/*/twins plants the same wrong rule in RTL
and model. The rules as a test must see it in the model's runs; the rules as proofs must see it in the RTL: of pairs marked `prove`,
with LONG of every pair. Ends with "N passed, N failed"."""
from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE.parent / "formal"), str(HERE.parent / "flow")]

import circuits
import parts
import prove
import tools
from blocks import Block, blocks, parameters, targets, variants, words_of
from circuits import Setup
from planted import LONG, Planted, expect

CYCLES = {False: 400000, True: 40000}  # of a block per SM, per chip
AS_IT_IS = 10  # such a part of them is enough for a model without a fault: build/CONFIG/test/test_rules runs the same rules
FIRST = 10     # such a part of them, of all variants, shows most faults
SEEDS = (1, 2, 4, 6, 8, 3, 5)
SECONDS = 600  # for a question to a solver


@dataclass
class Pair:
    name: str
    rule: str = ""
    prove: bool = False
    changes: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: {"rtl": [], "model": []})


def read_pairs(path: Path) -> list[Pair]:
    """Lines 'pair NAME', 'rule RULE', 'prove', 'rtl OLD ==> NEW', 'model OLD ==> NEW'."""
    pairs: list[Pair] = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        word, text = line[:6].strip(), line[7:]
        if word == "pair":
            pairs.append(Pair(text))
        elif pairs and word == "rule":
            pairs[-1].rule = text
        elif pairs and line == "prove":
            pairs[-1].prove = True
        elif pairs and word in pairs[-1].changes and " ==> " in text:
            old, new = text.replace("\\n", "\n").split(" ==> ", 1)
            pairs[-1].changes[word].append((old, new))
        else:
            raise tools.Failure(f"{path}:{number}: no line of a pair: {line}")
    for pair in pairs:
        if not pair.rule or not all(pair.changes.values()):
            raise tools.Failure(f"{path}: '{pair.name}' lacks a rule, the RTL's or the model's fault")
    return pairs


class Test(Planted):
    def setup(self, rtl: Path = Path("rtl"), models: Path = Path("cmodel")) -> Setup:
        return Setup(config="fermi", build=self.build, out=self.out, seconds=SECONDS, rtl=rtl, models=models)

    def models(self, of: Block, pair: Pair) -> Path:
        return self.plant("cmodel", f"{circuits.model_of(of)}.c", *chain(*pair.changes["model"]))

    def program(self, of: Block, models: Path) -> Path:
        """model_run with the block's model from there. The models are those of a library but for that one: all calls of it from other files are
        of the program's own."""
        objects, plain, compiler = Path(self.build, "rules.objects.list").read_text().splitlines()
        name = circuits.model_of(of)
        made, built, library = self.work / "model.o", self.work / "model_run", self.work / "others.so"
        if not library.exists():
            tools.run(["gcc", "-shared", "-o", library, *plain.split(), *objects.split(), "-lm"])
        expect(sum(path.endswith(f"/{name}.o") for path in plain.split()) == 1, f"{name} is not one of the models")
        tools.run(["sh", "-c", f"{compiler} -O1 -g0 -fPIC -w -I{models} -c {models}/{name}.c -o {made}"])
        tools.run(["gcc", "-o", built, made, library, f"-Wl,-rpath,{self.work}"])
        return built

    def breaks(self, of: Block, built: Path, own: dict[str, int], cycles: int, seed: int, *rule: str) -> str:
        """What the model breaks in so many cycles, or until it breaks this rule."""
        run = tools.run([built, of.name, words_of(parameters(of, "fermi", own)), str(cycles), str(seed), *rule], accept=(0, 1))
        last = re.search(r"^(\d+) broken in (\d+) cycles\n\Z", run.stdout, re.M)
        expect(last and run.returncode == (int(last[1]) > 0), f"model_run says '{run.stdout}'")
        expect(int(last[2]) == cycles or (rule and run.returncode), f"model_run ended too early: '{run.stdout}'")
        return run.stdout if run.returncode else ""

    def broken(self, of: Block, built: Path, rule: str) -> str:
        """What the model breaks, of all variants until one breaks this rule."""
        said, cycles = "", CYCLES[of.per_chip]
        first = [(own, SEEDS[0], cycles // FIRST) for own in variants(of).values()]
        for own, seed, most in [*first, *((own, seed, cycles) for own in variants(of).values() for seed in SEEDS)]:
            said += self.breaks(of, built, own, most, seed, rule)
            if re.search(rf"^{rule}", said, re.M):
                return said
        return said


def as_they_are(test: Test) -> None:
    tools.run(["make", f"{test.build}/rules.objects"])
    for of in blocks().values():
        with test.case(f"{of.name}: the model as it is keeps its rules"):
            built = test.program(of, Path("cmodel"))
            said = [test.breaks(of, built, own, CYCLES[of.per_chip] // AS_IT_IS, SEEDS[0]) for own in variants(of).values()]
            expect(not any(said), "".join(said))


def plant(test: Test, of: Block, pair: Pair) -> tuple[Path, Path]:
    """Copies of the RTL and of the models with the pair's faults. Both have to fit, also where only one is asked."""
    return test.plant("rtl", str(of.rtl.relative_to("rtl")), *chain(*pair.changes["rtl"])), test.models(of, pair)


def tested(test: Test, of: Block, pair: Pair) -> None:
    with test.case(f"{of.name}: {pair.name}: found by the test"):
        said = test.broken(of, test.program(of, plant(test, of, pair)[1]), pair.rule)
        expect(re.search(rf"^{pair.rule}", said, re.M), f"not {pair.rule}: '{said}'")


def refuted(setup: Setup, of: Block, folder: Path) -> bool:
    """Whether a rule of the RTL is broken. All are asked at once where no answer could be about one that is only tested."""
    if of.clocked:
        rules = prove._list_rules(setup, of, folder)
        if all(rule.of != "TEST" for rule in rules) and prove._broken(setup, folder, "broken", len(rules)).status == "failed":
            return True
    return any(rule.status == "failed" for rule in prove.prove_rules(setup, of, folder))


def proved(test: Test, of: Block, pair: Pair) -> None:
    """The twins still agree, and a rule of the RTL is refuted."""
    with test.case(f"{of.name}: {pair.name}: found by the proof"):
        target = targets("formal", of, "fermi")[0]
        setup = test.setup(*plant(test, of, pair))
        folder = test.out / of.name
        folder.mkdir(parents=True, exist_ok=True)
        circuits.prepare(setup, of, target.params, folder)
        expect(refuted(setup, of, folder), "every rule is proved, or open")
        answer = prove._step(setup, folder)
        expect(answer.status == "proved" or "invariant_broken" in answer.text, f"the twins do not agree: {answer.text}")


def not_refuted(test: Test) -> None:
    """What finds every pair says nothing of a block as it is: of one with few registers, and of one whose proof needs an invariant."""
    for name in ("vf_domain", "dyncta"):
        with test.case(f"{name}: as it is, no rule is refuted by the proof"):
            of, setup = blocks()[name], test.setup()
            folder = test.out / name
            folder.mkdir(parents=True, exist_ok=True)
            circuits.prepare(setup, of, targets("formal", of, "fermi")[0].params, folder)
            expect(not refuted(setup, of, folder), "one is")


def unfitting(test: Test) -> None:
    """A pair whose fault is in one of the twins only has said nothing of them: each text has to be there."""
    of = blocks()["dyncta"]
    for kind in ("rtl", "model"):
        with test.case(f"a pair of which the {kind}'s text is not there is no pair"):
            pair = read_pairs(of.room / "twins")[0]
            pair.changes[kind] = [("no such text", "")]
            try:
                plant(test, of, pair)
            except AssertionError as error:
                expect("the fault does not fit" in str(error), str(error))
            else:
                expect(False, "it is taken")


def twins(test: Test) -> None:
    for of in blocks().values():
        with test.case(f"{of.name}: three pairs at least"):
            expect(of.has("twins") and len(read_pairs(of.room / "twins")) >= 3, f"{of.room}/twins has fewer")
        for pair in read_pairs(of.room / "twins") if of.has("twins") else []:
            tested(test, of, pair)
            if pair.prove or (LONG and not parts.apart(parts.chosen_targets(of, "fermi", False)[0])):
                proved(test, of, pair)


if __name__ == "__main__":
    Test.main("tb/rules/test_rules.py", as_they_are, not_refuted, unfitting, twins)
