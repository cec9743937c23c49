# SPDX-License-Identifier: Apache-2.0
"""How mutate.py reads what programs and the prover say: nothing that is missing, damaged or of an earlier run is a kill or an
equivalence. No mutant runs here.

  python3 tb/mutate/test_judge.py

Ends with 'N passed, N failed'. Run from the repository root.
"""
from __future__ import annotations

import os
import sys
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), str(HERE.parent / "flow"), str(HERE.parent / "formal")]

import llvm
import mutants
import mutate
import prover
import runs
import steps
import survivors
import tools
from blocks import block, targets
from planted import Planted, expect, refused
from prover import Answer

CORE = "aag 4 3 0 1 1\n2\n4\n6\n8\n8 2 4\ni0 a[0]\ni1 mut_1\ni2 mut_2\no0 x[0]\n"
MUTANTS = "mutate -mode inv -cell one -port A -portbit 0 -src f.sv:1\nmutate -mode inv -cell two -port A -portbit 0 -src f.sv:2\n"


class Campaign:
    """A folder with two mutants of a block."""

    def __init__(self, work: Path, name: str = "vf_vote"):
        (self.target,) = targets("mutate", block(name), "fermi", steps.OPTIONS)
        self.run = runs.Campaign("fermi", work, work / "out", 0, 1, 5, "", (), True)
        self.folder = self.run.folder(self.target)
        for folder in ("kills", "proofs", "took", "model"):
            (self.folder / folder).mkdir(parents=True, exist_ok=True)
        (self.folder / "core.aag").write_text(CORE)
        (self.folder / "mutants").write_text(MUTANTS)
        (self.folder / "model/step.ll").write_text("")
        self.proof = self.folder / "proofs/1"


def judged(test: Planted) -> None:
    rows = [  # killed, survived, equivalent, exit status
        (200, 0, 0, 0), (99, 1, 0, 0), (98, 2, 0, 1), (989, 11, 0, 1), (990, 10, 0, 0), (0, 0, 200, 1), (0, 0, 0, 1), (0, 5, 0, 1), (1, 0, 5, 0)]
    for killed, survived, equivalent, status in rows:
        with test.case(f"{killed} killed, {survived} survived, {equivalent} equivalent: {status}"):
            good = {"killed": 5, "survived": 0}
            row = {"killed": killed, "survived": survived, "equivalent": equivalent}
            expect(mutate.judge([row]) == status and mutate.judge([good, row]) == status == mutate.judge([row, good]), "another status")
    with test.case("no rows: 1"):
        expect(mutate.judge([]) == 1, "0")


def counted(test: Planted) -> None:
    campaign = Campaign(test.work / "counted")
    with test.case("what is not killed and not proved survives"):
        row = mutate.count(campaign.run, campaign.target, [1, 2])
        expect((row["mutants"], row["killed"], row["survived"], row["equivalent"]) == (2, 0, 2, 0), str(row))
        campaign.proof.write_text("equivalent in every state: all\n")
        row = mutate.count(campaign.run, campaign.target, [1])
        expect((row["mutants"], row["killed"], row["survived"], row["equivalent"]) == (2, 1, 0, 1), str(row))
    with test.case("who is killed is not left"):
        kills = [runs.Kill("vf_vote", "v", "test", 2, "-"), runs.Kill("vf_vote", "v", "test", 2, "-")]
        expect(mutate.unkilled(campaign.run, campaign.target, kills) == [1], "others")
        expect(mutate.unkilled(campaign.run, campaign.target, []) == [1, 2], "others")
    for name, text in (("empty", ""), ("cut short", MUTANTS.splitlines()[0] + "\n"), ("of another netlist", MUTANTS * 2)):
        with test.case(f"a list of mutants that is {name}: refused"):
            (campaign.folder / "mutants").write_text(text)
            refused(lambda: mutate.count(campaign.run, campaign.target, []), "are in the netlist")


def raw_results(test: Planted) -> None:
    """What a program leaves: lines, then "end"."""
    campaign = Campaign(test.work / "raw")
    result = campaign.folder / "kills/vector"
    vectors = {"test": runs.Vector("test", "test_vf_vote"), "replay": runs.Vector("recording", "vectors/fma.n6.blt")}
    texts = {"test": "1,a rule\n12,another\nend\n", "replay": "1,0\n12,7\nend\n"}
    want = {"test": ["1,-,test_vf_vote: a rule", "12,-,test_vf_vote: another"], "replay": ["1,0,fma.n6", "12,7,fma.n6"]}

    def read(kind: str, text: str | None) -> list[str]:
        def run(command: list[str | Path], *, leaves: list[Path] = (), env: dict[str, str], **__: object) -> None:
            expect(list(leaves) == [Path(f"{result}.raw")], "what is left of an earlier run is taken")
            expect(env["MUTATE_NETLIST"] == str(campaign.folder / "core.aag") and str(leaves[0]) in env.values(), f"another netlist: {env}")
            compared = "twins_agree_on_random_input" if Path(command[0]).name == "test_lockstep" else ""
            expect(env.get("MUTATE_COMPARED", "") == compared, "another test's differences count as kills")
            if text is not None:
                leaves[0].write_text(text)
        with mock.patch.object(tools, "run", run):
            return (runs._test if kind == "test" else runs._replay)(campaign.run, campaign.target, vectors[kind], result)
    for kind, text in texts.items():
        with test.case(f"{kind}: what was found"):
            expect(read(kind, text) == want[kind], str(read(kind, text)))
            expect(read(kind, "end\n") == [], "more than nothing")
        for end in range(len(text)):
            with test.case(f"{kind}: cut short after {end}"):
                refused(lambda end=end: read(kind, text[:end]), "cut short or damaged")
        for damaged in ("one,7\nend\n", "1\nend\n", "end\nend\n", "1,7\n\nend\n", ",7\nend\n", "hello\n"):
            with test.case(f"{kind}: {damaged!r} is refused"):
                refused(lambda damaged=damaged: read(kind, damaged), "cut short or damaged")
    with test.case("differences of the engine's random run count, of no other test of it"):
        vectors["test"] = runs.Vector("test", "test_lockstep")
        expect(read("test", "end\n") == [], "more than nothing")
    with test.case("a vector without a result: refused"):
        refused(lambda: runs.kills_of(campaign.run, campaign.target), "no result of test")
    with test.case("what vectors kill, from all of them"):
        vectors_of = runs.vectors_of(campaign.run, campaign.target)
        expect({vector.name for vector in vectors_of} == {"test_vf_vote", "test_lockstep"}, str(vectors_of))
        for number, vector in enumerate(vectors_of):
            (campaign.folder / "kills" / vector.file).write_text(f"{number},-,{vector.name}: a, b\n")
        kills = runs.kills_of(campaign.run, campaign.target)
        expect([(kill.mutant, kill.vector, kill.cycle) for kill in kills]
               == [(number, f"{vector.name}: a, b", "-") for number, vector in enumerate(vectors_of)], str(kills))


def vectors_run(test: Planted) -> None:
    """A result is whole, newer than what it is about, and says nothing of the block itself."""
    campaign = Campaign(test.work / "vectors")
    vector = runs.Vector("test", "test_vf_vote")
    program, result = campaign.folder / "test_vf_vote", campaign.folder / "kills/test.test_vf_vote"
    program.write_text("")

    def run(lines: list[str]) -> bool:
        with mock.patch.object(runs, "_test", return_value=lines):
            return runs.run(campaign.run, campaign.target, vector)
    with test.case("run once, and again when the netlist or the program is new"):
        expect(run(["1,-,t"]) and not run(["2,-,t"]) and result.read_text() == "1,-,t\n", "again")
        for file in (program, campaign.folder / "core.aag"):
            later = result.stat().st_mtime_ns + 10**9
            os.utime(file, ns=(later, later))
            expect(run([f"2,-,{file.name}"]) and result.read_text() == f"2,-,{file.name}\n", "not again")
            os.utime(file, ns=(0, 0))
    with test.case("a kill of mutant 0 ends the campaign, and is no result"):
        result.unlink()
        refused(lambda: run(["3,-,t", "0,-,t"]), "without a mutant is not the model")
        expect(not result.is_file(), "it is a result")


def proofs(test: Planted) -> None:
    campaign = Campaign(test.work / "proofs")

    def prove(answer: Answer | tools.ToolFailed, read: bool = True) -> survivors.Verdict:
        with mock.patch.object(prover, "equal", side_effect=[answer] * 2), mock.patch.object(mutants, "write_sides", return_value=read), \
                mock.patch.object(survivors, "_in_runs", return_value=Answer(prover.OPEN, "in runs")), mock.patch("sys.stderr"):
            survivors.prove(campaign.run, campaign.target, 1)
        return survivors.read(campaign.run, campaign.target, 1)
    for status, equivalent in ((prover.PROVED, True), (prover.OPEN, False), (prover.FAILED, False)):
        with test.case(f"{status}: {'equivalent' if equivalent else 'survives'}"):
            campaign.proof.unlink(missing_ok=True)
            expect(prove(Answer(status, "said")).equivalent == equivalent, "not so")
    with test.case("what nothing reads is equivalent"):
        campaign.proof.unlink(missing_ok=True)
        expect(prove(Answer(prover.FAILED, "said"), read=False) == survivors.Verdict(True, "nothing reads it"), "it is not")
    later = campaign.proof.stat().st_mtime_ns + 10**9
    with test.case("an answer is given once"):
        expect(prove(Answer(prover.OPEN, "said")).equivalent, "it was asked again")
        with mock.patch.object(survivors, "_ask", side_effect=AssertionError("asked again")):
            expect(survivors.prove(campaign.run, campaign.target, 1) is False, "there was something to do")
    for name, answer in (("another answer", Answer(prover.OPEN, "said")), ("a tool that failed", tools.ToolFailed("abc: signal 9", -9)),
                         ("no answer in time", tools.Timeout("abc: no answer"))):
        with test.case(f"an answer about another netlist is none: {name}"):
            campaign.proof.write_text("equivalent in every state: of an earlier run\n")
            os.utime(campaign.folder / "core.aag", ns=(later, later))
            os.utime(campaign.proof, ns=(0, 0))
            expect(not prove(answer).equivalent, "it is taken")
            os.utime(campaign.folder / "core.aag", ns=(0, 0))
    for text, want in (("equivalent in every state: 5\n", True), ("", False), ("equivalent", False), ("equivalent \n", False),
                       ("equivalently so\n", False), ("open equivalent\n", False), ("proved in every state\n", False)):
        with test.case(f"{text!r}: {'equivalent' if want else 'survives'}"):
            campaign.proof.write_text(text)
            expect(survivors.read(campaign.run, campaign.target, 1).equivalent == want, "not so")
    with test.case("no answer: survives"):
        campaign.proof.unlink()
        expect(survivors.read(campaign.run, campaign.target, 1) == survivors.Verdict(False, "no answer"), "not so")
    with test.case("an invariant that has changed makes an answer void"):
        with_invariant = Campaign(test.work / "invariant", "dyncta")
        expect(with_invariant.folder / "model/step.ll" in survivors.depends_on(with_invariant.run, with_invariant.target), "it does not")
        model = with_invariant.folder / "model/step.ll"
        with_invariant.proof.write_text("equivalent in every run: of another invariant\n")
        os.utime(model, ns=(later + 10**10, later + 10**10))
        with mock.patch.object(survivors, "_ask", return_value=survivors.Verdict(False, "said")):
            expect(survivors.prove(with_invariant.run, with_invariant.target, 1), "not asked")
        expect(not survivors.read(with_invariant.run, with_invariant.target, 1).equivalent, "it is taken")
    with test.case("in runs: the block and the mutant beside each other, with what the model says"):
        of = Campaign(test.work / "in_runs", "dyncta")
        (of.folder / "model/bits").write_text("in 0 1 a_i[0]\n")
        done = []

        def stepir(command: list[str | Path], *, leaves: list[Path], **_: object) -> None:
            side = Path(command[2])
            done.append(side.name)
            expect(command[1] == "blif" and leaves == [side / "gold.blif"] and (side / "bits").is_file() and (side / "step.ll").is_file(),
                   f"{command} {leaves}")
        llvm.folder()  # asks a tool once
        with mock.patch.object(tools, "run", stepir), mock.patch.object(mutants, "write_step") as write, \
                mock.patch.object(prover, "equal", return_value="said") as equal:
            expect(survivors._in_runs(of.run, of.target, 7, test.work / "work") == "said", "another answer")
        expect(done == ["0", "7"] and [call.args[2] for call in write.call_args_list] == [0, 7], f"{done}")
        expect([call.args[3] for call in write.call_args_list] == [test.work / "work" / name / "rtl.aag" for name in ("0", "7")], "elsewhere")
        expect(equal.call_args.args[:2] == (test.work / "work/0/gold.blif", test.work / "work/7/gold.blif"), "others are compared")
    with test.case("the model is made anew when an invariant, a port list or a model has changed"):
        of = Campaign(test.work / "model", "dyncta")
        ll = of.folder / "model/step.ll"
        (of.folder / "key").write_text("")
        for old in (True, False):
            ll.parent.mkdir(exist_ok=True)
            ll.write_text("")
            os.utime(ll, (0, 0) if old else None)
            os.utime(of.folder / "key", (0, 0))
            with mock.patch.object(survivors.circuits, "words") as laid_out, mock.patch.object(survivors.circuits, "compile_model") as made:
                survivors.make_model(of.run, of.target)
            expect(made.called == laid_out.called == old and ll.is_file() != old, f"old {old}: made {made.called}")
    with test.case("in every run: only where the block has an invariant"):
        for name, want in (("dyncta", "in every run: said"), ("vf_vote", "")):
            of = Campaign(test.work / f"runs_{name}", name)
            with mock.patch.object(prover, "equal", return_value=Answer(prover.OPEN, "open")), \
                    mock.patch.object(mutants, "write_sides", return_value=True), \
                    mock.patch.object(survivors, "_in_runs", return_value=Answer(prover.PROVED, "said")):
                verdict = survivors._ask(of.run, of.target, 1, test.work)
            expect(verdict.equivalent == bool(want) and (not want or verdict.text == want), str(verdict))


def netlists(test: Planted) -> None:
    path = test.work / "core.aag"
    with test.case("a netlist, its mutants counted"):
        path.write_text(CORE)
        expect(mutants.count(path) == 2, "another count")
    lines = CORE.splitlines()
    for at in range(len(lines)):
        with test.case(f"a netlist cut short after {at} lines: refused"):
            path.write_text("\n".join(lines[:at]) + "\n")
            refused(lambda: mutants.read_aiger(path), "no AIGER file")
    with test.case("a mutant beside its block"):
        gold, gate = test.work / "gold.blif", test.work / "gate.blif"
        path.write_text(CORE)
        expect(mutants.write_sides(path, 1, gold, gate) and not mutants.write_sides(path, 2, test.work / "a", test.work / "b"),
               "mutant 1 changes x, mutant 2 nothing")
        expect("\n.names n2\n.names n3\n" in gold.read_text() and "\n.names n2\n1\n.names n3\n" in gate.read_text(), "not switched on")
        expect(gold.read_text().replace("n2\n.names n3", "") == gate.read_text().replace("n2\n1\n.names n3", ""), "something else differs")


if __name__ == "__main__":
    Planted.main("", judged, counted, raw_results, vectors_run, proofs, netlists)
