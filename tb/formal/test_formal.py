#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_formal.py [BUILD_DIR]: does formal.py find what it is there to find? Faults planted into the RTL, into a model, into
an invariant and into the translation, solvers that do not answer, and bad input. Ends with "N passed, N failed". Small blocks
only."""
from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), str(HERE.parent / "flow")]

import circuits
import cut
import formal
import netlist
import pages
import prove
import sums
import tools
import yosys
from blocks import block, blocks, targets
from circuits import Setup
from planted import Planted, expect
from prover import Answer


class Test(Planted):
    def rows(self, target: str, proof: str = "") -> list[dict[str, Any]]:
        """Of the result: the step of a target, or its rules whose text begins so."""
        rows = json.loads((self.out / "status.json").read_text())["blocks"]
        return [row for row in rows if row["block"] == target
                and (row["proof"].startswith(proof) and row["proof"] != "step" if proof else row["proof"] == "step")]

    def told(self, target: str, status: str, text: str = "", proof: str = "") -> str:
        rows = self.rows(target, proof)
        expect(rows, f"no row {target} {proof}")
        for row in rows:
            expect(row["status"] == status and re.search(text, row["text"]), f"not {status} '{text}': {row}")
        return rows[0]["text"]

    def step(self, name: str, **changes: Any) -> Answer:
        """The proof of a target's step without its rules; says the outputs, or what the counterexample shows."""
        setup = self.setup(**changes)
        target = next(one for of in blocks().values() for one in targets("formal", of, setup.config) if one.name == name)
        folder = setup.out / name
        circuits.prepare(setup, target.block, target.params, folder)
        answer = prove._step_and_sums(setup, target, folder)
        self.said = prove._counterexample(setup, target, folder, answer)
        return answer

    def refuted(self, signal: str) -> None:
        """The counterexample makes the same difference in lockstep."""
        self.says(rf"^{signal}: model \d+, RTL \d+ .*in lockstep: .*expected .model. ")
        values = re.search(r"model (\d+), RTL (\d+) .*model. (\d+), actual .RTL. (\d+)", self.said)
        expect(values and values[1] == values[3] and values[2] == values[4], "not the same in lockstep")

    def setup(self, **changes: Any) -> Setup:
        return Setup(**{"config": self.small_chip(), "build": self.build, "out": self.out, "seconds": 300} | changes)


# Name, tree, file, text, what is planted there, the block (its target), the signal that differs in lockstep, too.
FAULTS = [
    ("in the RTL", "rtl", "chip/vf_domain.sv", "timer_d = timer_q - TimerW'(1);", "timer_d = timer_q - TimerW'(2);", "vf_domain",
     "timer_q.next"),
    ("in the model", "cmodel", "chip/vf_domain.c", "bottleneck ? BALLAST_VF_HIGH", "bottleneck ? BALLAST_VF_NORMAL", "vf_domain",
     "(comp|mem)_(up|down)_o"),
    ("in a comparison, off by one", "cmodel", "sm/eq_decision.c", "e->n_mem > e->two", "e->n_mem >= e->two", "eq_decision", ""),
    # It shows in states within the invariant only: a proof that the invariant made empty would not see it.
    ("behind an invariant", "cmodel", "sm/dyncta.c", "s->mem > in->t_mem_h ? -1", "s->mem >= in->t_mem_h ? -1", "dyncta", "limit_q.next"),
    ("that shows where an input is out of its range and not read", "rtl", "sm/cta_throttle.sv", "    nmax_d       = nmax_q;",
     "    nmax_d       = 32'(nmax_i) > NumSlots ? '0 : nmax_q;", "cta_throttle", "nmax_q.next"),
    ("in a reset value", "rtl", "sm/dyncta.sv", "      timer_q <= '0;", "      timer_q <= TimerW'(1);", "dyncta", "timer_q.next"),
]
# What no inputs and registers give, then.
VACUOUS = [
    ("nmax_is_read", "ports.h", "in->enable && in->kernel_start)", "in->enable && in->kernel_start > 1)"),
    ("nmax_is_read", "ports.h", "R(nmax, cfg->num_slots,", "R(nmax, -1,"),
    ("a_step", "invariant.h", "return !(in_range && ", "return !(in_range && s->limit > s->nmax && "),
]
SETUP = {"rtl": "rtl", "cmodel": "models"}
SMALL = "vf_vote_sms1"  # a target of which all is proved in a second


def steps(test: Test) -> None:
    with test.case("model and RTL as they are, and the rules of the RTL: proved"):
        test.run(0, "eq_decision", "vf_domain")
        for target in ("eq_decision", "vf_domain", "vf_domain_mem"):
            test.told(target, "proved", r"^\d+ outputs")
            test.told(target, "proved", proof="EQ-")
        expect(len(test.rows("vf_domain", "EQ-")) + len(test.rows("eq_decision", "EQ-")) > 10, "few rules")
    for name, tree, file, old, new, target, signal in FAULTS:
        with test.case(f"a fault {name} is refuted; the counterexample fails in lockstep"):
            expect(test.step(target, **{SETUP[tree]: test.plant(tree, file, old, new)}).status == "failed", "not refuted")
            if signal:
                test.refuted(signal)
    with test.case("what is refuted is told in the result, and by the exit status"):
        test.run(1, "--models", test.plant("cmodel", "sm/eq_decision.c", "e->n_mem > e->two", "e->n_mem >= e->two"), "eq_decision")
        test.told("eq_decision", "failed", r": model \d+, RTL \d+ .*in lockstep: ")
        test.told("eq_decision", "proved", proof="EQ-")  # of the RTL, which is right
    with test.case("an invariant that does not stay is refuted"):  # a sample never has idle cycles
        rooms = test.plant("tb", "blocks/dyncta/invariant.h", "s->timer < cfg->period", "s->timer < cfg->period - 1")
        expect(test.step("dyncta", rooms=rooms).status == "failed", "not refuted")
        test.says("invariant_broken")
    with test.case("an assumption that leaves nothing to prove is refuted"):
        for what, path, old, new in VACUOUS:
            rooms = test.plant("tb", f"blocks/dyncta/{path}", old, new)
            expect(test.step("dyncta", rooms=rooms).status == "failed", "not refuted")
            test.says(f"^vacuous: .* {what}$")


def rules(test: Test) -> None:
    # A transition that is cut short by the next request; a code that is no state and stays.
    with test.case("a rule that the RTL breaks is named, with a state in which it does"):
        rtl = test.plant("rtl", "chip/vf_domain.sv", "    if (busy_o) begin", "    if (busy_o && !valid_i) begin")
        test.run(1, "--rtl", rtl, "vf_domain_hold")
        test.told("vf_domain_hold", "failed", proof="EQ-14: during a transition no other begins")
        test.told("vf_domain_hold", "proved", proof="EQ-9: never up and down")
        expect("\ntimer_q = " in (test.out / "vf_domain_hold/broken_EQ-14").read_text(), "no state that breaks the rule")
    with test.case("a register that reset leaves alone is found"):
        rtl = test.plant("rtl", "chip/vf_domain.sv", "      level_q <= ballast_pkg::VfNormal;", "      level_q <= level_d;")
        test.run(1, "--rtl", rtl, "vf_domain_hold")
        test.told("vf_domain_hold", "failed", proof="reset: ")


def sum_circuit(test: Test, name: str, option: str, rtl: Path) -> Path:
    """The tree of adders or its sum, for six warps."""
    design, blif = test.work / f"{name}.design.json", test.work / f"{name}.blif"
    yosys.run([f"read_verilog -sv {option} {rtl}/common/warp_sum.sv", "chparam -set NumWarps 6 -set SumW 4 -set Twos 1 warp_sum",
               "hierarchy -top warp_sum", "proc", "opt_clean", f"write_json {design}"], test.work / f"{name}.design.ys")
    sums.write_blif(sums.netlist.module(design, "warp_sum"), blif)
    return blif


def trees(test: Test) -> None:
    total = test.work / "sum.blif"
    with test.case("a tree of adders is its sum"):
        tree, total = sum_circuit(test, "tree", "-DSYNTHESIS", Path("rtl")), sum_circuit(test, "sum", "-formal", Path("rtl"))
        answer = sums.prove_one(tree, total, test.work / "sums", 60)
        expect(answer.status == "proved" and answer.text.startswith("12 bits, by induction"), str(answer))
    with test.case("a tree with a wrong carry is not"):
        rtl = test.plant("rtl", "common/warp_sum.sv", "assign n[At+Rest+Sums+k] = (n[X] & n[X+1])",
                         "assign n[At+Rest+Sums+k] = (n[X] & !n[X+1])")
        answer = sums.prove_one(sum_circuit(test, "tree", "-DSYNTHESIS", rtl), total, test.work / "sums", 60)
        expect(answer.status == "failed" and answer.text.endswith(": not so"), str(answer))
    with test.case("a sum is found in the text however it is written"):
        for text in ("  warp_sum u_sum (", "  warp_sum #(.Twos(1)) u_sum (", "  warp_sum#(.Twos(1)) u_sum (", "\twarp_sum\n  u_sum (",
                     "  if (Wide) begin : gen_wide warp_sum sum (", "/* none */ warp_sum u_sum ("):
            expect(sums.names_sum(f"module m;\n{text}.on_i(on));\nendmodule\n"), f"not found: {text}")
        for text in ("// warp_sum u_sum (", "/* warp_sum\n warp_sum */", "my_warp_sum u_sum (", "warp_sums u_sum ("):
            expect(not sums.names_sum(f"module m;\n  {text});\nendmodule\n"), f"found: {text}")
    with test.case("a sum without parameters is found in the netlist, too"):
        rtl, design = test.work / "plain.sv", test.work / "plain.json"
        rtl.write_text("module plain (input logic [47:0] a_i, output logic [5:0] sum_o);\n"
                       "  warp_sum u_sum (.on_i(1'b1), .ones_i(a_i), .twos_i('0), .sum_o);\nendmodule\n")
        yosys.run([f"read_verilog -sv -formal rtl/common/warp_sum.sv {rtl}", "hierarchy -top plain", "proc", f"write_json {design}"],
                  test.work / "plain.ys")
        expect(sums.names(netlist.read(design), "plain") == {"warp_sum"} and sums.names_sum(rtl.read_text()), "not found")
    with test.case("sums that are not found in the netlist are an error"):
        for side in ("tree", "sum"):
            netlist.write(test.work / f"none/{side}.json", {"top": {"cells": {}, "ports": {}}})
        try:
            sums.prove(test.work / "none", 60, "top", sums.in_text(block("eq_counters"), Path("rtl")))
            expect(False, "no error")
        except netlist.NetlistError as error:
            expect("0 sums in the netlist" in str(error), str(error))
    with test.case("a sum about which the solver says nothing is open"):
        os.environ["PATH"] = test.instead(berkeley_abc="exit 0")["PATH"]
        answer = sums.prove_one(test.work / "tree.blif", total, test.work / "sums", 60)
        expect(answer.status == "open", str(answer))
    os.environ["PATH"] = os.environ["PATH"].partition(":")[2]


def translation(test: Test) -> None:
    """The translation beside other code: what the compiler made of a model with a fault."""
    with test.case("a translation that is not what the compiler makes is seen"):
        test.step("dyncta")
        folder = test.out / "dyncta"
        models = test.plant("cmodel", "sm/dyncta.c", "s->mem > in->t_mem_h ? -1", "s->mem >= in->t_mem_h ? -1")
        setup = test.setup(models=models)
        of = block("dyncta")
        circuits.gcc(folder, *circuits.flags(setup, of, folder), "-O1", "-fPIC", "-shared", "tb/formal/step.c",
                     "tb/formal/properties.c", *circuits.model_sources(setup, of), "-o", folder / "step.so")
        run = tools.run([setup.tool("stepir"), "test", folder, "200000", "1"], accept=(1,))
        test.said = run.stdout
        test.says("is [01] in the translation and not in the compiled step")
        answer = prove._translated(setup, folder)
        expect(answer.status == "failed" and "not what the compiler makes: " in answer.text, str(answer))


# The file that ABC is asked for, if it is asked for one.
ASKED = "file=${2##* }; case $file in */*) ;; *) exit 0 ;; esac"
# What ABC would write of circuits that are equal, but for the end.
CUT_SHORT = ASKED + """
set -- $2
names=$(sed -n 's/^\\.outputs//p' "$3")
echo ".outputs $names" >"$file"
for name in $names; do echo ".names $name" >>"$file"; done"""


def solvers(test: Test) -> None:
    """A solver that gives no answer never proves anything."""
    for name, script in (("is killed", "kill -9 $$"), ("says nothing", "exit 0"), ("never ends", "sleep 60"),
                         ("says something else", 'echo "Networks are equal"'),
                         ("leaves an empty file", f'{ASKED}; touch "$file"'),
                         ("leaves a file that is cut short", CUT_SHORT)):
        with test.case(f"a solver that {name} leaves everything open"):
            test.run(1, "--seconds", 1, SMALL, env=test.instead(berkeley_abc=script), wait=0.3)
            test.says(f"^regression: {SMALL} step was proved")
            test.told(SMALL, "open")
            test.told(SMALL, "open", proof="EQ-")
            test.told(SMALL, "open", proof="reset")


def regressions(test: Test) -> None:
    """What is open is not well by itself, and what was proved is not forgotten."""
    silent = test.instead(berkeley_abc="exit 0")
    rooms = test.plant("tb", "formal/proved/fermi", f"{SMALL}\tstep\n", f"{SMALL}\tstep\n{SMALL}\tEQ-12: a rule that went\n")
    with test.case("a rule that was proved and is not there any more is a regression"):
        test.run(1, "--rooms", rooms, SMALL)
        test.says(f"^regression: {SMALL} EQ-12: a rule that went was proved")
    (rooms / "formal/proved/fermi").unlink()
    with test.case("open is no success"):
        test.run(1, "--rooms", rooms, "--seconds", 2, SMALL, env=silent)
    with test.case("open is one for who asks for it, where nothing was proved before"):
        test.run(0, "--rooms", rooms, "--seconds", 2, "--allow-open", SMALL, env=silent)
    with test.case("what is proved is recorded"):
        test.run(0, "--rooms", rooms, "--record", SMALL)
        kept = (rooms / "formal/proved/fermi").read_text().splitlines()
        want = [line for line in Path("tb/formal/proved/fermi").read_text().splitlines() if line.startswith(f"{SMALL}\t")]
        expect(kept == want, f"recorded {kept}")


def missing(test: Test) -> None:
    setup, of = test.setup(), block("vf_vote")
    folder = test.out / SMALL
    gold, gate = folder / "gold.blif", folder / "gate.blif"

    def status(outputs: int) -> str:
        return prove._solve(gold, gate, folder / "prove", setup, ("a", "b"), outputs).status

    with test.case("fewer outputs than there are, or an empty file: open"):
        kept = cut.read_bits(folder / "bits")
        prove._write_sides(setup, folder)
        outputs = len([kind for kind, _ in kept if kind in ("out", "next", "zero")]) + 1
        expect(status(outputs) == "proved", "not proved as it is")
        expect(status(outputs + 1) == "open", "one is missing")
        for empty in (gold, gate):
            text = empty.read_text()
            empty.write_text("")
            expect(status(outputs) == "open", f"{empty} is empty")
            empty.write_text(text)
    with test.case("fewer rules than the file has: an error"):
        stepir = test.setup(build=test.work / "build").tool("stepir")
        stepir.parent.mkdir(parents=True)
        stepir.write_text(f'#!/bin/sh\n{Path(setup.tool("stepir")).resolve()} "$@" | sed 2d\n')
        stepir.chmod(0o755)
        try:
            prove._list_rules(test.setup(build=test.work / "build"), of, folder)
            expect(False, "no error")
        except tools.ToolFailed as failure:
            expect(" rules of the 10 in tb/blocks/vf_vote" in str(failure), str(failure))
    with test.case("a translation test that says nothing is no test"):
        stepir.write_text("#!/bin/sh\nexit 0\n")
        expect(prove._translated(test.setup(build=test.work / "build"), folder).status == "failed", "it passes")


def bad_input(test: Test) -> None:
    page = test.work / "page.md"
    page.write_text("# no marks\n")
    test.refuse({
        "an unknown block": (["nosuchblock"], "no block 'nosuchblock', and no variant; there are: "),
        "an unknown configuration": (["--config", "nosuchconfig"], "no configuration 'nosuchconfig'; there are: "),
        **{f"parts as proved, of other {what}": (["--proved-parts", f"--{what}", Path(tree).resolve(), "lcs"], "the page tells of no others")
           for what, tree in (("rtl", "rtl"), ("models", "cmodel"), ("rooms", "tb"))},
        "a missing RTL": (["--rtl", test.work / "none", "lcs"], f"no RTL in {test.work}/none"),
        "no number": (["--seconds", "many", "lcs"], "wants a number, not 'many'"),
        "an unknown option": (["--nosuch", "lcs"], "--nosuch"),
        "a page without marks": (["--page", page, "lcs"], "has no lines '<!-- fermi -->'"),
    })
    test.refuse({"a missing tool": (["lcs"], "yosys is not installed; 'make setup' installs")}, test.only("sh", "cat"))
    with test.case("RTL that Yosys does not read: one line"):
        rtl = test.plant("rtl", "chip/vf_vote.sv", "endmodule", "endmodul")
        test.run(2, "--rtl", rtl, SMALL)
        test.says(rf"^formal.py: yosys: exit status 1: .*ERROR.*; all of it in .*{SMALL}/rtl.log$")
    with test.case("only --resume takes what the run before has proved"):
        test.run(0, SMALL)
        earlier = test.out / "kept/earlier"
        earlier.write_text("proved: of an earlier run\n")
        test.run(0, "--resume", SMALL)
        expect(earlier.exists(), "--resume has nothing to go on with")
        test.run(0, SMALL)
        expect(not earlier.exists() and any(earlier.parent.iterdir()), "an earlier run's proofs are still there, or nothing was kept")
    with test.case("a part of a page is replaced, the rest stays"):
        page.write_text("before\n<!-- fermi -->\nold\n<!-- end of fermi -->\nafter\n")
        test.run(0, "--page", page, "eq_decision")
        text = page.read_text()
        pattern = r"before\n<!-- fermi: make formal-update, sum \w{16} -->\nIn `fermi` .*, 13 of 13 proved:\n.*\n\| `eq_decision` \| EQ-7.*\n<!-- end of fermi -->\nafter\n"
        expect(re.fullmatch(pattern, text, re.S) and "\nold\n" not in text, text)
        expect(not pages.wrong(page, text), f"not as written: {text}")
    with test.case("a result that is not the page's is told"):
        rows = json.loads((test.out / "status.json").read_text())["blocks"]
        expect(not formal.page.stale(page, "fermi", rows, True), "told though it is")
        expect(formal.page.stale(page, "fermi", [rows[0] | {"status": "open"}], False) == ["eq_decision NumWarps=48"], "a step")
        expect(formal.page.stale(page, "fermi", [rows[-1] | {"proof": "EQ-7: another rule"}], False) == ["eq_decision EQ-7: another rule"], "a rule")
        expect(not formal.page.stale(page, "kepler", rows, True), "the page does not have that one")
        new = [row | {"block": "new_block"} for row in rows]
        expect(not formal.page.stale(page, "fermi", new, False) and formal.page.stale(page, "fermi", new, True), "a new block")


if __name__ == "__main__":
    Test.main("tb/formal/formal.py", steps, rules, trees, translation, solvers,
              regressions, missing, bad_input)
