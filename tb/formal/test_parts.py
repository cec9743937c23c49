#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_parts.py [BUILD_DIR]: does a proof by parts find what it is there to find? Each hypothesis that it rests on is broken
once: a part with other parameters, one that is not proved, that is stepped twice, not always or with other registers, parts that
hang on each other in a circle, a sum outside of all parts. Ends with "N passed, N failed". A governor and a chip of four warps only."""
from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), str(HERE.parent / "flow")]

import circuits
import cut
import formal
import netlist
import parts
import prove
import sums
import tools
import yosys
from blocks import Target, block
from circuits import Setup
from planted import LONG, Planted, expect, some
from prove import Proof
from remembered import Remembered

prove.PATTERNS = 20000  # a tenth: whether the translation is right is asked by test_translation.py


class Test(Planted):
    def setup(self, **changes: Path) -> Setup:
        return Setup(config=self.small_chip(), build=Path(self.build), out=Path(self.out), **changes)

    def target(self, setup: Setup, name: str) -> Target:
        return parts.chosen_targets(block(name), setup.config, False)[0]

    def around(self, name: str = "sm_governor", **changes: Path) -> Proof:
        """The proof of the block around its parts alone."""
        setup = self.setup(**changes)
        target = self.target(setup, name)
        folder = setup.out / name
        found = prove._prove_around(setup, target, circuits.find_parts(setup, target, folder), folder)
        self.said = f"{found.status} {found.text}\n"
        return found

    def whole(self, name: str, **changes: Path) -> Proof:
        """The proof of a target, its rules too, or a counterexample."""
        setup = self.setup(**changes)
        found = prove.prove(setup, self.target(setup, name))
        self.said = f"{found.status} {found.text}\n"
        return found


# What breaks a hypothesis: name, tree, file, text, what is planted there, what is said.
BROKEN = [
    ("a part with another parameter in the RTL", "rtl", "sm/sm_governor.sv", ".Throttle  (LcsThrottle)",
     ".Throttle  (1 - LcsThrottle)", "lcs in sm_governor is another circuit|takes_wrong"),
    ("a part with another configuration in the model", "cmodel", "sm/sm_governor.c", "lcs_step(&s->lcs, &cfg->lcs,",
     "lcs_cfg own = cfg->lcs; own.throttle ^= 1; lcs_step(&s->lcs, &own,", r"lcs\.takes_wrong"),
    ("a part that is reset with another configuration", "cmodel", "sm/sm_governor.c", "lcs_reset(&state->lcs, &cfg->lcs);",
     "lcs_cfg own = cfg->lcs; own.throttle ^= 1; lcs_reset(&state->lcs, &own);", r"lcs\.takes_wrong"),
    ("a part that is not reset", "cmodel", "sm/sm_governor.c", "lcs_reset(&state->lcs, &cfg->lcs);", "",
     r"lcs\.takes\.rst_ni|outputs"),
    ("a part that makes two steps", "cmodel", "sm/sm_governor.c", "    dyncta_step(&s->dyncta,",
     "    dyncta_step(&s->dyncta, &cfg->dyncta, &x->dyncta.in, &x->dyncta.out); dyncta_step(&s->dyncta,",
     r"dyncta\.takes_wrong|outputs"),
    ("the first part that is not always asked", "cmodel", "sm/sm_governor.c", "    stall_classifier_step(",
     "    *classes = (stall_classifier_out){0}; if (in->ws0 | in->ws1 | in->ws2 | in->ws3) stall_classifier_step(", "."),
    ("a part that makes a step only when somebody looks", "cmodel", "sm/sm_governor.c",
     "    perfsat_step(&s->perfsat, &cfg->perfsat, &x->perfsat.in, &x->perfsat.out);",
     "    x->perfsat.out = (perfsat_out){0}; if (selected == BALLAST_POLICY_PERFSAT) perfsat_step(&s->perfsat, &cfg->perfsat, "
     "&x->perfsat.in, &x->perfsat.out);", "."),
    ("a part that steps a copy of its registers", "cmodel", "sm/sm_governor.c", "    dyncta_step(&s->dyncta,",
     "    dyncta_state own = s->dyncta; dyncta_step(&own,", r"dyncta|outputs"),
    ("a part with a register changed from outside", "cmodel", "sm/sm_governor.c", "    dyncta_step(&s->dyncta,",
     "    s->dyncta.limit |= in->kernel_start; dyncta_step(&s->dyncta,", r"dyncta|outputs"),
    ("a part that gets what is out of its range", "cmodel", "sm/sm_governor.c", "        .nmax = in->nmax,\n        .lcs_class",
     "        .nmax = in->nmax + in->kernel_start,\n        .lcs_class", "."),
    ("a part in the RTL that gets another signal", "rtl", "sm/sm_governor.sv", ".lcs_class_i (lcs_class)",
     ".lcs_class_i (ps_class)", r"dyncta|lcs_class|outputs"),
    ("what a part takes that hangs on what it gives, in the RTL", "rtl", "sm/sm_governor.sv",
     ".bcast_limit_i(lcs_bcast_limit_i),",
     ".bcast_limit_i(lcs_bcast_limit_i ^ (t_new_o & lcs_bcast_limit_i & {LimitW{use_dyncta}})),", "in a circle: lcs"),
    ("a register of the block around that reset sets to what a part gives", "rtl", "sm/sm_governor.sv",
     "policy_q <= ballast_pkg::PolicyStatic;", "policy_q <= {1'b0, lcs_class};", r"policy_q\.next\[0\] hangs on classifier in reset"),
    ("a register of the block around that is wrong", "rtl", "sm/sm_governor.sv", "  assign policy_d = kernel_start_i ? policy : policy_q;",
     "  assign policy_d = kernel_start_i ? policy_i : policy_q;", "."),
]


# The same of a block that looks at its parts before their steps: file, text, what is planted there, what is said.
LOOK = "        sm_resources_look(&s->sm[i], &cfg->sm, &asked, &sm);"
LOOKS = [
    ("a look at another part", "cmodel", "chip/gwde.c", LOOK, LOOK.replace("sm[i]", "sm[0]"), r"sm\[1\]\.takes_wrong"),
    ("a look that knows what comes later", "cmodel", "chip/gwde.c", LOOK,
     "        sm_resources_in known = asked; known.take = i == s->ptr;\n" + LOOK.replace("&asked", "&known"), r"sm\[.\]\.takes_wrong"),
    ("a look with an input that the step has not", "cmodel", "chip/gwde.c", LOOK,
     "        sm_resources_in other = asked; other.most ^= in->start;\n" + LOOK.replace("&asked", "&other"), r"sm\[.\]\.takes_wrong"),
    ("a look with another configuration", "cmodel", "chip/gwde.c", LOOK,
     "        sm_resources_cfg own = cfg->sm; own.num_slots ^= 1;\n" + LOOK.replace("&cfg->sm", "&own"), r"sm\[.\]\.takes_wrong"),
    ("a second look", "cmodel", "chip/gwde.c", LOOK, LOOK + "\n" + LOOK, r"sm\[.\]\.takes_wrong"),
    ("a look after the step", "cmodel", "chip/gwde.c", LOOK + "\n",
     "        sm_resources_state later = s->sm[i]; sm_resources_step(&later, &cfg->sm, &asked, &sm);\n" + LOOK + "\n",
     r"sm\[.\]\.takes_wrong"),
    ("a look that is left out, of one SM", "cmodel", "chip/gwde.c", LOOK,
     "        sm = (sm_resources_out){.active = s->sm[i].held & ~s->sm[i].returning, .count = s->sm[i].count};\n        if (i)\n    " + LOOK, "."),
    ("an output that hangs on a late input, in the RTL", "rtl", "sm/sm_resources.sv", "assign fits_o = ", "assign fits_o = !take_i && ",
     "in a circle: sm"),
    ("a late input that hangs on another part's registers after the edge", "cmodel", "chip/gwde.c", "        account.take = i == chosen.sm;",
     "        account.take = i == chosen.sm && (i == 0 || state->sm[0].count != 0);", r"sm\[1\]\.takes|outputs"),
]


def dispatcher(test: Test) -> None:
    with test.case("a dispatcher by parts, at which it looks before it knows what they take: proved, and its rules"):
        whole = test.whole("gwde")
        test.says(r"^proved [0-9]* outputs, .* by parts: 2 sm_resources$")
        expect(whole.rules and all(rule.status == "proved" for rule in whole.rules), "rules that are not proved")
    with test.case("a fault around the parts is refuted; the counterexample of the whole fails in lockstep"):
        test.whole("gwde", rtl=test.plant("rtl", "chip/gwde.sv", "assign holds[i]    = count != '0;", "assign holds[i]    = count != '0 && i != 1;"))
        test.says(r"^failed .*in lockstep: .*expected .model. ")
    with test.case("what needs something that only a part knows is proved whole"):
        setup = test.setup()
        small = test.target(setup, "gwde")
        found = prove.prove(setup, replace(small, params=small.params | {"OddLimit": 2}))
        expect((found.status, found.bound) == ("proved", "full size") and found.text.endswith(", not by parts"), str(found))
    with test.case("a fault that shows with a third SM only, where two of them are looked at for a counterexample, is refuted"):
        setup = test.setup(rtl=test.plant("rtl", "chip/gwde.sv", "assign holds[i]    = count != '0;", "assign holds[i]    = count != '0 && i != 2;"))
        small = test.target(setup, "gwde")
        found = prove.prove(setup, replace(small, params=small.params | {"NumSms": 3}))
        expect(found.status == "failed" and "by parts" in found.text, str(found))
    for name, tree, file, old, new, said in some(LOOKS, 4):
        with test.case(f"{name} is refuted"):
            test.around("gwde", **{{"rtl": "rtl", "cmodel": "models"}[tree]: test.plant(tree, file, old, new)})
            test.says(f"^failed .*({said})")
    for name, model, rtl in (("hang on a late input", (".fits = ", ".fits = !in->take && "), ("assign fits_o = ", "assign fits_o = !take_i && ")),
                             ("are not those of the step", ("    state->returning = finished(&s, in);", "    out->due &= !in->pair;\n    state->returning = finished(&s, in);"),
                              ("assign due_o    = back;", "assign due_o = !pair_i && back;"))):
        with test.case(f"a part whose outputs by a look {name} fails in its own proof"):
            test.whole("sm_resources", models=test.plant("cmodel", "sm/sm_resources.c", *model),
                       rtl=test.plant("rtl", "sm/sm_resources.sv", *rtl))
            test.says("^failed look_differs")


def governor(test: Test) -> None:
    with test.case("a governor by parts: proved"):
        test.around()
        test.says(r"^proved [0-9]* outputs, .* by parts: 1 stall_classifier, 1 perfsat, 1 lcs, 1 eq_counters, 1 dyncta$")
    for name, tree, file, old, new, said in some(BROKEN, 6):
        with test.case(f"{name} is refuted"):
            test.around(**{{"rtl": "rtl", "cmodel": "models"}[tree]: test.plant(tree, file, old, new)})
            test.says(f"^failed .*({said})")
    with test.case("a part with a register that its port list lacks is an error"):
        rtl = test.plant("rtl", "sm/dyncta.sv", "  always_ff @(posedge clk_i)",
                         "  logic extra_q;\n  always_ff @(posedge clk_i) extra_q <= enable_i;\n  assign limit_o[0] = extra_q;\n"
                         "  always_ff @(posedge clk_i)")
        try:
            found = test.around(rtl=rtl)
            expect(found.status != "proved", found.text)
        except netlist.NetlistError as error:
            expect("not in the port list" in str(error) or "drive" in str(error), str(error))


def verdicts(test: Test) -> None:
    """What is said of a block whose parts are not proved."""
    setup = test.setup()
    chip = test.target(setup, "chip_governor")
    found = formal.with_parts(setup, [chip])
    names = [target.name for target in found]
    with test.case("the parts of parts are proved, too"):
        expect(names == ["chip_governor", "sm_governor", "scout", "limit_table", "vf_scout", "stall_classifier", "perfsat", "lcs", "eq_counters",
                         "sm_governor.dyncta"],
               str(names))
        expect(sorted(len(inside) for inside in found.values()) == [0] * 8 + [4, 5], "not all parts")
    proofs = {name: Proof("proved", "text") for name in names}
    with test.case("a proof by parts is one with those of all its parts, and those of theirs"):
        expect(formal.verdict(chip, found, proofs).status == "proved", "not proved")
        for name in names[1:]:
            for other in (Proof("open", ""), Proof("failed", ""), None):
                left = {key: value for key, value in proofs.items() if key != name} | ({name: other} if other else {})
                expect(formal.verdict(chip, found, left).status == "open", f"proved without {name}")
        expect(formal.verdict(chip, found, {key: value for key, value in proofs.items() if key != chip.name}).status == "open",
               "a target without an answer is not open")


def chip(test: Test) -> None:
    with test.case("the chip by parts: proved"):
        (test.whole if LONG else test.around)("chip_governor")
        test.says(r"^proved [0-9]* outputs, .* by parts: 2 sm_governor, 1 scout, 1 limit_table, 1 vf_scout$")
    with test.case("an SM that gets another's signal is refuted" + LONG * "; the counterexample of a whole chip fails in lockstep"):
        rtl = test.plant("rtl", "chip/chip_governor.sv", "kernel_start_i[i])", "kernel_start_i[0])")
        (test.whole if LONG else test.around)("chip_governor", rtl=rtl)
        test.says(r"^failed .*sm\[1\]" + LONG * r".*in lockstep: .*sm\[1\].*expected .model. ")
    with test.case("parts with another parameter are not those that were proved"):
        test.around("chip_governor", rtl=test.plant("rtl", "chip/chip_governor.sv", "(HystEpochs)", "(HystEpochs + 5)"))
        test.says("^failed .*another circuit than sm_governor alone|^failed .*takes_wrong|^failed by parts: the RTL has no sm")
    with test.case("a model that steps another SM's governor is refuted"):
        test.around("chip_governor", models=test.plant("cmodel", "chip/chip_governor.c", "sm_governor_step(&s->sm[i], ",
                                                      "sm_governor_step(&s->sm[0], "))
        test.says(r"^failed .*sm\[[01]\]")


def circles(test: Test) -> None:
    """parts.check_order of small circuits."""
    circuit = test.work / "circle.aag"

    def order(*takes: int, late: dict[str, set[str]] | None = None) -> str:
        circuit.write_text("aag 3 2 0 2 1\n2\n4\n{}\n{}\n6 2 4\ni0 i00000.a.gives.x_o[0]\ni1 i00001.b.gives.x_o[0]\n"
                           "o0 a.takes.y_i[0]\no1 b.takes.y_i[0]\n".format(*takes))
        try:
            parts.check_order(circuit, late or {})
        except netlist.NetlistError as error:
            return str(error)
        return ""

    with test.case("parts that hang on each other in a circle are found"):
        expect(not order(0, 2) and not order(4, 1), "there is no circle")
        for takes in ((4, 2), (2, 0), (6, 0), (1, 7)):
            expect(re.search("in a circle: ", order(*takes)), f"{takes}: not found")
    with test.case("what comes after the outputs of a part makes no circle, what comes before them does"):
        expect(not order(4, 2, late={"a": {"y_i"}}) and not order(2, 4, late={"a": {"y_i"}, "b": {"y_i"}}), "there is no circle")
        for late in ({"b": {"x_i"}}, {"c": {"y_i"}}):
            expect("in a circle: " in order(4, 2, late=late), f"{late}: not found")
        expect("in a circle: " in order(2, 0, late={"b": {"y_i"}}), "not found")
        after = circuit.read_text().replace("a.gives.x_o[0]", "a.gives.x_q.next[0]")
        circuit.write_text(after)
        try:
            parts.check_order(circuit, {"a": {"y_i"}})
            expect(False, "a late input that hangs on what comes after it is not found")
        except netlist.NetlistError as error:
            expect("in a circle: a after the edge" in str(error), str(error))
    with test.case("late inputs are those on which no output hangs"):
        for gate, late in ((2, {"b_i"}), (4, {"a_i"}), (6, set()), (0, {"a_i", "b_i"}), (8, {"b_i"})):
            circuit.write_text(f"aag 4 3 0 2 1\n2\n4\n8\n{gate}\n2\n6 2 4\ni0 i00000.a_i[0]\ni1 i00001.b_i[0]\ni2 i00002.a_i[1]\n"
                               "o0 y_o[0]\no1 s_q.next[0]\n")
            expect(parts.late_inputs(circuit) == late, f"{gate}: {parts.late_inputs(circuit)}")
    with test.case("a register that hangs on a part in reset is found"):
        for hangs, last in ((True, 2), (True, 6), (False, 0), (False, 8)):
            circuit.write_text("aag 4 3 0 1 1\n2\n4\n6\n{}\n8 2 4\ni0 i00000.a.gives.x_o[0]\ni1 i00001.rst_ni[0]\n"
                               "i2 i00002.b.gives.y_q.next[0]\no0 z_q.next[0]\n".format(last))
            try:
                parts.check_order(circuit, {})
                expect(not hangs, f"{last}: not found")
            except netlist.NetlistError as error:
                expect(hangs and "in reset" in str(error), str(error))


def _and(one: object, other: object, gate: str = "$and", width: int = 1) -> dict[str, object]:
    """y = a & b by a cell, from these nets."""
    return {"cells": {"any": {"type": gate, "parameters": {"WIDTH": width}, "connections": {"A": [one], "B": [other], "Y": [9]},
                              "port_directions": {"A": "input", "B": "input", "Y": "output"}}},
            "ports": {"a": netlist.port("input", [2]), "b": netlist.port("input", [3]), "y": netlist.port("output", [9])}}


def _two(*shown: object) -> dict[str, object]:
    """A cell with two outputs of two bits, 9 10 and 11 12; some of them go out."""
    return {"cells": {"any": {"type": "$fa", "parameters": {}, "connections": {"A": [2, 3], "X": [9, 10], "Y": [11, 12]},
                              "port_directions": {"A": "input", "X": "output", "Y": "output"}}},
            "ports": {"a": netlist.port("input", [2, 3]), "y": netlist.port("output", shown)}}


def netlists(test: Test) -> None:
    with test.case("circuits are the same whatever their nets and cells are called, and not if a cell is another one"):
        renamed = _and(5, 6)
        renamed["ports"] |= {"a": netlist.port("input", [5]), "b": netlist.port("input", [6])}
        expect(netlist.same(_and(2, 3), renamed), "other names are another circuit")
        for other in (_and(3, 2), _and(2, 2), _and(2, "1"), _and("x", 3), _and(2, 3, "$or"), _and(2, 3, width=2)):
            expect(not netlist.same(_and(2, 3), other), f"the same: {other}")
        for broken in (_and(2, 7), _and(2, 9)):
            try:
                netlist.digests(broken)
                expect(False, "no error for a net without a driver, or a loop")
            except netlist.NetlistError:
                pass
    with test.case("circuits are not the same if another port, or another bit, of a cell goes out"):
        expect(netlist.same(_two(9, 12), _two(9, 12)), "the same is another")
        for other in (_two(10, 12), _two(9, 11), _two(11, 12), _two(9, 10), _two(12, 9)):
            expect(not netlist.same(_two(9, 12), other), f"the same: {other}")
    with test.case("a module whose name ends in 'dff' is no flip-flop"):
        cell = {"type": "$paramod$01dff\\lcs"}
        expect(not netlist.is_flop(cell), "it is one")
        expect(netlist.boxes({"cells": {"u_lcs": cell, "b": {"type": "$dff"}}}) == ["u_lcs"], "it is no box")
    with test.case("a line of 'targets' that is a variant is chosen with the variants only"):
        few, many = ([target.name for target in parts.chosen_targets(block("ballast_chip"), "fermi", which)] for which in (False, True))
        expect(few == ["ballast_chip_whole"] and many[:2] == [*few, "ballast_chip_one"], f"{few}, {many}")
    variant = Target("x", block("lcs"), {}, {"variant": ""})
    with test.case("a block whose lines are all variants is refused"), mock.patch.object(parts, "targets", lambda *_: [variant]):
        try:
            parts.chosen_targets(block("lcs"), "fermi", False)
        except tools.Failure as failure:
            expect("each line 'formal' is a variant" in str(failure), str(failure))
        else:
            expect(False, "it is left out")
    with test.case("what is in a box, or in a part of a box, is unknown there; what stands beside it is not"):
        boxes = mock.Mock(free={"u_lcs", "gen_sm[3].u_sm"})
        for signal, unknown in (("lcs.sum_q[0]", True), ("lcs.deep.sum_q", True), ("sm[3].run_q", True), ("sm[3].lcs.sum_q", True), ("sm[3].perfsat.deep.state_q", True),
                                ("run_q", False), ("lcs_q", False), ("sm[2].run_q", False), ("sm[2].lcs.sum_q", False), ("vote.lcs.sum_q", False)):
            expect(cut._Cut.unknown(boxes, cut._bit("in", f"i00012.{signal}[7]")) == unknown, f"{signal} is {'not ' if unknown else ''}unknown")
    with test.case("a sum outside of all parts is asked for, one inside is not"):
        modules = {"top": {"cells": {"a": {"type": "lcs"}, "b": {"type": "warp_sum1"}}},
                   "lcs": {"cells": {"c": {"type": "warp_sum2"}}}}
        expect(sums.names(modules, "top", ["lcs"]) == {"warp_sum1"}, "not that of the block")
        expect(sums.names(modules, "top") == {"warp_sum1", "warp_sum2"}, "not all")
        for without, some in (((), True), (("stall_classifier",), True), (("stall_classifier", "eq_counters"), False)):
            expect(sums.in_text(block("sm_governor"), Path("rtl"), without) == some, f"without {without} not {some}")


if __name__ == "__main__":
    with mock.patch.object(yosys, "run", Remembered()):  # most faults leave the RTL, or most of it, as it is
        Test.main("tb/formal/formal.py", circles, netlists, verdicts, governor, dispatcher, chip)
