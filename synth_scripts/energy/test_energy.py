#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_energy.py [BUILD_DIR]: is what energy.py counts right? A netlist under a recording in Icarus, which counts its nets' changes, too; loads in OpenSTA; sums by
hand; netlists, waveforms and answers of tools with faults. Run from the repository root. Last line "N passed, N failed".
"""
from __future__ import annotations

import copy
import dataclasses
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))

import account  # noqa: E402
import cells  # noqa: E402
import charge  # noqa: E402
import energy  # noqa: E402
import function  # noqa: E402
import internal  # noqa: E402
import liberty  # noqa: E402
import logical_effort  # noqa: E402
import netlist  # noqa: E402
import recorded  # noqa: E402
import saving  # noqa: E402
import table  # noqa: E402
import technology  # noqa: E402
import tools  # noqa: E402
import waveform  # noqa: E402
import yosys  # noqa: E402
from blocks import block, targets  # noqa: E402
from circuit import Activity, Circuit, wave_name  # noqa: E402
from planted import Planted, expect, refused  # noqa: E402

BLOCK, RECORDING, CYCLES = "dyncta", Path("vectors/fma.n6.blt"), 2500


def near(have: float, want: float, part: float = 1e-9) -> None:
    expect(abs(have - want) <= part * abs(want), f"{have}, not {want}")


# ---- the same netlist, counted otherwise ---------------------------------------------------------

@dataclasses.dataclass
class Sample:
    """A block under a recording."""

    work: Path
    library: cells.Library
    circuit: Circuit
    run: recorded.Run
    activity: Activity


def sample(test: Planted) -> Sample:
    work = test.work / "sample"
    work.mkdir()
    library = cells.library([cells.BUILT_IN], work)
    setup = energy.Setup("fermi", test.build / "ballast", work, library, technology.of(library), 700, CYCLES, 0)
    (target,) = targets("energy", block(BLOCK), "fermi")
    energy.made(target, setup)
    # Verilog and back: the names are those of the simulator then.
    yosys.run([f"read_json {work}/{BLOCK}.json", f"write_verilog -noattr {work}/netlist.v", "design -reset", f"read_verilog {work}/netlist.v",
               f"write_json {work}/back.json", "design -reset", f"read_liberty -ignore_miss_func {library.whole}",
               f"write_verilog -noattr {work}/cells.v"], work / "back.ys")
    of = netlist.module(work / "back.json", BLOCK)
    circuit = Circuit(of, charge.charges(library, {cell["type"] for cell in of["cells"].values()}))
    run = recorded.replay(setup.ballast, target, "", RECORDING, 0, CYCLES, work / "replay")
    return Sample(work, library, circuit, run, circuit.activity(run.streams, run.cycles))


BENCH = """module bench;
  reg clk = 0, rst = 0;
  reg [{top}:0] all [0:{last}], now;
  integer cycle = 0;
  {name} u (.clk_i(clk), .rst_ni(rst), {pins});
  // Registers and inputs move in one step: there is no state between.
  always @(posedge clk) if (rst) begin cycle <= cycle + 1; now <= all[cycle + 1]; end
  initial begin
    $readmemh("{vectors}", all);
    now = all[0];
    #1 clk = 1; #1 clk = 0; rst = 1;
    #1 $dumpfile("{dump}"); $dumpvars(1, u);
    repeat ({last}) begin #1 clk = 1; #1 clk = 0; end
    #1 $finish;
  end
endmodule
"""


def icarus(of: Sample) -> Counter[str]:
    """Changes of each bit by the name of its net, NET[BIT]."""
    ports = {name: len(port["bits"]) for name, port in of.circuit.of["ports"].items() if port["direction"] == "input" and name not in ("clk_i", "rst_ni")}
    words, pins, place = [0] * CYCLES, [], 0
    for name, width in ports.items():
        pins.append(f".{name}(now[{place + width - 1}:{place}])")
        for bit in range(width):
            for cycle in range(CYCLES):
                words[cycle] |= (of.run.streams[f"in.{name}"][bit] >> cycle & 1) << place + bit
        place += width
    vectors, dump = of.work / "vectors.hex", of.work / "icarus.vcd"
    vectors.write_text("".join(f"{word:x}\n" for word in words))
    (of.work / "bench.v").write_text(BENCH.format(top=place - 1, last=CYCLES - 1, name=BLOCK, pins=", ".join(pins), vectors=vectors, dump=dump))
    tools.run(["iverilog", "-g2012", "-o", of.work / "bench", of.work / "bench.v", of.work / "netlist.v", of.work / "cells.v"], seconds=60)
    tools.run(["vvp", of.work / "bench"], seconds=120, leaves=[dump])
    head, body = dump.read_text().split("$enddefinitions $end\n")
    names = {short: (name, int(width)) for width, short, name in re.findall(r"\$var \w+ (\d+) (\S+) (\S+)(?: \S+)? \$end", head)}
    texts: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for vector, scalar, short in re.findall(r"^(?:b([01xz]+) |([01xz]))(\S+)$", body, re.M):
        value = vector or scalar
        name, width = names[short]
        text = value.rjust(width, "0" if value[0] in "01" else value[0])[::-1]
        expect("x" not in text, f"{name} is undefined")
        counts.update(f"{name}[{bit}]" for bit, (old, new) in enumerate(zip(texts.get(name, text), text)) if old != new)
        texts[name] = text
    return counts


def counted(test: Planted, of: Sample) -> None:
    with test.case("each net changes as often as in Icarus, where the netlist runs from reset by itself"):
        theirs, seen = icarus(of), 0
        for name, net in of.circuit.of["netnames"].items():
            for bit, number in enumerate(net["bits"]):
                if isinstance(number, int) and name not in ("clk_i", "rst_ni"):
                    seen += 1
                    have, want = of.activity.nets[number], theirs[f"{name}[{bit}]"]
                    expect(have == want, f"{name}[{bit}] changes {have} times, in Icarus {want}")
        expect(seen > 500 and sum(theirs.values()) > 10 * CYCLES, f"{seen} nets, {sum(theirs.values())} changes: too little to see anything")
    with test.case("in windows of any length: the same counts"):
        for window in (2, 97, CYCLES - 1, CYCLES):
            found = of.circuit.activity(of.run.streams, CYCLES, window)
            expect((found.nets, found.nodes, found.moving) == (of.activity.nets, of.activity.nodes, of.activity.moving), f"others in windows of {window}")
    with test.case("a part is moving when one of its registers is, by their values in the waveform"):
        bits = [bit for name, bits in of.run.streams.items() if name.startswith("rtl.") and name.endswith("_q") for bit in bits]
        states = [tuple(bit >> cycle & 1 for bit in bits) for cycle in range(CYCLES)]
        expect(of.activity.moving == {"": sum(old != new for old, new in zip(states, states[1:]))}, str(of.activity.moving))


def loads(test: Planted, of: Sample) -> None:
    """OpenSTA, told that every pin changes half a time per cycle, gives the power of all loads that cells drive."""
    with test.case("loads: the switching power that OpenSTA gives"):
        # It takes no nominal voltage for an operating condition.
        conditions = "operating_conditions (typical) { process : 1; temperature : 25; voltage : 1; }\n  default_operating_conditions : typical;\n  "
        whole = of.library.whole.read_text()
        (of.work / "sta.lib").write_text(whole.replace("lu_table_template", conditions + "lu_table_template", 1))
        script = of.work / "power.tcl"
        script.write_text(f"read_liberty {of.work}/sta.lib\nread_verilog {of.work}/netlist.v\nlink_design {BLOCK}\n"
                          "create_clock -period 1 -name clk [get_ports clk_i]\nset_input_delay 0 -clock clk [all_inputs]\n"
                          "set_power_activity -global -activity 0.5 -duty 0.5\nreport_power -digits 9\n")
        said = tools.run(["sta", "-no_splash", "-exit", script], seconds=60).stdout
        (switching,) = re.findall(r"^Total +\S+ +(\S+)", said, re.M)
        inputs = {net for port in of.circuit.of["ports"].values() if port["direction"] == "input" for net in port["bits"]}
        own = sum(load for net, load in of.circuit.loads().items() if net not in inputs and isinstance(net, int))
        near(float(switching), own * 1e-15 / 2 * 0.5 / 1e-9, 1e-5)


# ---- cells ---------------------------------------------------------------------------------------

def _every(charge_of: charge.Charge) -> list[tuple[dict[str, int], int]]:
    pins = sorted(charge_of.load)
    return [(dict(zip(pins, values)), values) for values in product((0, 1), repeat=len(pins))]


def library_cells(test: Planted) -> None:
    work = test.work / "cells"
    work.mkdir()
    library = cells.library([cells.BUILT_IN], work)
    top = liberty.parsed(library.whole, liberty.text(library.whole))
    built_in = charge.built_in()
    with test.case("every cell of the built-in library: stages have its function, and its inputs' loads are the Liberty file's"):
        expect({name for name in library.cells} == built_in.keys(), "other cells")
        for group in top.of("cell"):
            pins = {pin.names[0]: pin for pin in group.of("pin")}
            own = built_in[group.names[0]]
            for name, load in own.load.items():
                near(load, pins[name].number("capacitance") or 0, 1e-5)
            if own.flop:
                continue
            names, values = function.table(pins["Y"].value("function"))
            for inputs, _ in _every(own):
                inside = dict(inputs)
                for node in own.nodes:
                    inside[node.signal] = node.term(inside, 1)
                want = values[int("".join(str(inputs[name]) for name in names), 2)]
                expect(inside["Y"] == want, f"{group.names[0]}{inputs}: {inside['Y']}")
    with test.case("what nodes charge, by hand: inverter, NAND2, NOR2, AND2, buffer, exclusive or, flip-flop"):
        own = {name: [internal.at(node.own, 5) for node in one.nodes] for name, one in built_in.items()}
        # NAND2: two pMOS of 2 side by side and an nMOS of 2 touch the output, 6 of 3 widths. AND2: its own 2 and an inverter; BUFX4: 1 and 4; then 4.
        for name, want in {"INVX1": [1], "INVX4": [4], "NAND2X1": [2], "NAND2X2": [4], "NOR2X1": [2], "AND2X1": [2 + 1, 1], "AND2X2": [2 + 2, 2],
                           "BUFX4": [1 + 4, 4]}.items():
            expect(own[name] == want, f"{name}: {own[name]}")
        expect(len(own["XOR2X1"]) == 3 and own["XOR2X1"][:2] == [1 + 2, 1 + 2], f"XOR2X1: {own['XOR2X1']}")
        flop = built_in["DFFPOSX1"]
        expect((flop.load["CLK"], flop.flop.at_clock, flop.flop.at_d, internal.at(flop.flop.at_q, 0)) == (3, 3, 6, 6), str(flop))
    with test.case("terms: any table of three pins, in all cycles at once"):
        streams = {pin: sum(values[place] << cycle for cycle, values in enumerate(product((0, 1), repeat=3))) for place, pin in enumerate("ABC")}
        for number in range(256):
            values = [number >> place & 1 for place in range(8)]
            expect(charge.term(list("ABC"), values)(streams, 255) == number, f"table {number}")


LIBRARY = """library (t) { nom_voltage : 2; capacitive_load_unit (1, ff); leakage_power_unit : "10pW";
 power_lut_template (two) { variable_1 : input_transition_time; variable_2 : total_output_net_capacitance; index_1 ("1,2"); index_2 ("0,10"); }
 power_lut_template (turned) { variable_1 : total_output_net_capacitance; variable_2 : input_transition_time; index_1 ("0,10"); index_2 ("1,2"); }
 power_lut_template (one) { variable_1 : input_transition_time; index_1 ("1,2"); }
 cell (G) { pin (P) { internal_power () { rise_power (two) { values ("4, 8", "100, 100"); } fall_power (turned) { values ("2, 100", "4, 100"); } } }
            pin (I) { internal_power () { rise_power (one) { values ("6, 100"); } fall_power (scalar) { values ("2"); } } }
            pin (N) { } pin (B) { internal_power () { rise_power (two) { values ("1, 2, 3"); } } } } }"""


def tables(test: Planted) -> None:
    top = liberty.parsed(Path("t.lib"), LIBRARY)
    power = internal.Power(top)
    pins = {pin.names[0]: pin for pin in next(top.of("cell")).of("pin")}
    with test.case("internal power: at the quickest edge, over the load, mean of both ways, 2 E / V^2"):
        for load, want in ((0, 3), (5, 4.5), (10, 6), (99, 6), (-1, 3)):
            near(internal.at(power.curve(pins["P"]), load), 2 * want / 4)
        near(internal.at(power.curve(pins["I"]), 7), 2 * 4 / 4)
        expect(power.curve(pins["N"]) == internal.NOTHING, "something of nothing")
    with test.case("a table with too few values, and a library without voltage: no energy of them"):
        for broken in (lambda: power.curve(pins["B"]), lambda: internal.Power(liberty.parsed(Path("t"), LIBRARY.replace("nom_voltage : 2;", ""))).curve(pins["P"])):
            try:
                came = broken()
            except ValueError:
                continue
            raise AssertionError(f"{came} is taken")
    with test.case("joules: an inverter's input, the voltage, leakage, of a file and of the built-in library's technology"):
        work = test.work / "tech"
        work.mkdir()
        near(technology.Technology("x", 2, 3, 50).picojoules(10), 10 * 2 * 9 / 1000)
        near(technology.Technology("x", 2, 3, 50).leakage(4, 500), 4 * 50e-9 / 500e6 * 1e12)
        own = cells.library([cells.BUILT_IN], work)
        expect(technology.of(own) == technology.NANGATE45, "another technology")
        text = logical_effort.text().replace("nom_voltage : 1;", "nom_voltage : 1.5;").replace("capacitive_load_unit (1, ff)", "capacitive_load_unit (0.002, pf)")
        text = text.replace("cell (NAND2X1) {", "cell (NAND2X1) {\n cell_leakage_power : 3;").replace('leakage_power_unit : "1nW"', 'leakage_power_unit : "1uW"')
        (work / "mine.lib").write_text(text)
        expect(technology.of(cells.library([str(work / "mine.lib")], work)) == technology.Technology("mine", 2, 1.5, 3000), "other numbers")
        (work / "mine.lib").write_text(text.replace("nom_voltage : 1.5;", ""))
        refused(lambda: technology.of(cells.library([str(work / "mine.lib")], work)), "no nom_voltage")
    with test.case("the built-in library as a Liberty file of another name: the same loads and changes, nothing inside"):
        (work / "other.lib").write_text(logical_effort.text())
        other = charge.charges(cells.library([str(work / "other.lib")], work), {"NAND2X1", "DFFPOSX1"})
        near(other["NAND2X1"].load["A"], 4 / 3, 1e-5)
        expect(other["NAND2X1"].nodes[0].own == internal.NOTHING, str(other))
        expect(other["DFFPOSX1"].flop == charge.Flop("CLK", "D", "Q"), str(other))
        refused(lambda: charge.charges(cells.library([str(work / "other.lib")], work), {"NOCELL"}), "cell NOCELL is not in the library")
        refused(lambda: charge.charges(own, {"NOCELL"}), "cell NOCELL is not in the library")
        (work / "other.lib").write_text(logical_effort.text().replace("capacitance : 1.33333;", ""))
        refused(lambda: charge.charges(cells.library([str(work / "other.lib")], work), {"NAND2X1"}), "no capacitance of an input")


# ---- sums by hand --------------------------------------------------------------------------------

# d_i and en_i into a NAND2, the NAND2 into an inverter, that into a flip-flop, y_o: three cycles.
SMALL = {"ports": {"clk_i": {"direction": "input", "bits": [2]}, "d_i": {"direction": "input", "bits": [3]}, "en_i": {"direction": "input", "bits": [4]},
                   "y_o": {"direction": "output", "bits": [7]}},
         "netnames": {"u_p.y_q": {"bits": [7]}, "other_q": {"bits": [9, 10]}},
         "cells": {"nand": {"type": "NAND2X1", "connections": {"A": [3], "B": [4], "Y": [5]}},
                   "inv": {"type": "INVX2", "connections": {"A": [5], "Y": [6]}},
                   "flop": {"type": "DFFPOSX1", "connections": {"CLK": [2], "D": [6], "Q": [7]}},
                   "still": {"type": "DFFPOSX1", "connections": {"CLK": [2], "D": [9], "Q": [9]}},
                   "still too": {"type": "DFFPOSX1", "connections": {"CLK": [2], "D": [10], "Q": [10]}}}}
# In cycles 0 to 3: d 1101, en 1111, so D 1101 and Q 0110, and what is at y_q.
HELD = {"in.d_i": [0b1011], "in.en_i": [0b1111], "rtl.p.y_q": [0b0110], "rtl.other_q": [0b1111, 0], "rtl.y_o": [0b0110]}


def small(**changed: list[int]) -> Activity:
    return Circuit(SMALL, charge.built_in()).activity(HELD | {name.replace("_DOT_", "."): value for name, value in changed.items()}, 4)


def sums(test: Planted) -> None:
    circuit = Circuit(SMALL, charge.built_in())
    activity = circuit.activity(HELD, 4)
    with test.case("changes of a small netlist, by hand"):
        expect([activity.nets[net] for net in (3, 4, 5, 6, 7, 9)] == [2, 0, 2, 2, 2, 0], str(activity.nets))
        expect(activity.moving == {"u_p": 2, "": 0}, str(activity.moving))
    with test.case("its energy, by hand: clock, registers, logic, inputs, what is still and what rests"):
        found = account.account(circuit, activity, 1)
        near(found.clock, 3 * (3 + 3))
        near(found.registers, (2 * 6 + 2 * (6 + 0)) / 2 / 4)  # D inside, Q inside, nobody reads Q
        near(found.logic, (2 * (2 + 2) + 2 * (2 + 2)) / 2 / 4)  # NAND2's own 2 and the inverter's 2; the inverter's own 2 and D's 2
        near(found.inputs, 2 * 4 / 3 / 2 / 4)
        near(found.total, found.clock + found.registers + found.logic + found.inputs)
        expect((found.flip_flops, found.still_flip_flops) == (3, 2), str(found))
        near(found.still, 12)
        near(found.resting, 12 + 6 * (1 - 2 / 4))
        near(account.account(circuit, activity, 2).total, found.total / 2)
    with test.case("a row: pJ per cycle, without gated clocks, per decision"):
        by, of = technology.Technology("x", 2, 3, 50), account.account(circuit, activity, 1)
        row = table.row("fermi", "b", "p", "r", 2, 4.4, of, by, 500)
        leakage = 4.4 * 50 / 500 / 1000
        for key, units in (("pj_per_cycle", of.total), ("pj_per_cycle_gated", of.total - 12), ("pj_per_cycle_resting", of.total - 15)):
            near(row[key], units * 18 / 1000 + leakage, 1e-5)
        near(row["pj_per_decision"], (of.total * 18 / 1000 + leakage) * 4 / 2, 0.1)
        expect(table.row("f", "b", "", "r", 0, 4, of, by, 500)["pj_per_decision"] is None, "energy of no decision")


FLOP = """library (t) { nom_voltage : 1; power_lut_template (one) { variable_1 : input_transition_time; index_1 ("1,2"); }
 cell (F) { area : 1; ff (IQ, IQN) { next_state : "D"; clocked_on : "C"; }
   pin (C) { direction : input; capacitance : 3; internal_power () { power (one) { values ("2, 9"); } } }
   pin (D) { direction : input; capacitance : 5; internal_power () { power (one) { values ("4, 9"); } } }
   pin (N) { direction : output; function : "IQN"; internal_power () { power (one) { values ("8, 9"); } } }
   pin (Q) { direction : output; function : "IQ"; internal_power () { power (one) { values ("6, 9"); } } } } }"""


def inverse(test: Planted) -> None:
    """A flip-flop of a Liberty file whose inverse output goes to a NAND2."""
    top = liberty.parsed(Path("t.lib"), FLOP)
    cell = cells.Cell("F", 1, "", ("C", "D"), ("N", "Q"), flip_flop=True)
    flop = charge._of_group(cell, next(top.of("cell")), internal.Power(top))
    of = {"ports": {"clk_i": {"direction": "input", "bits": [2]}, "d_i": {"direction": "input", "bits": [3]}, "y_o": {"direction": "output", "bits": [6]}},
          "netnames": {"y_q": {"bits": [4]}},
          "cells": {"flop": {"type": "F", "connections": {"C": [2], "D": [3], "Q": [4], "N": [5]}},
                    "nand": {"type": "NAND2X1", "connections": {"A": [5], "B": ["1"], "Y": [6]}}}}
    held = {"in.d_i": [0b0101], "rtl.y_q": [0b1010], "rtl.y_o": [0b1010]}
    with test.case("a flip-flop with an inverse output: its value, what its pins charge inside"):
        own = flop.flop
        expect((own.clk, own.d, own.q, own.qn, own.at_clock, own.at_d) == ("C", "D", "Q", "N", 4, 8), str(own))
        circuit = Circuit(of, {"F": flop, "NAND2X1": charge.built_in()["NAND2X1"]})
        found = account.account(circuit, circuit.activity(held, 4), 1)
        near(found.clock, 3 + 4)
        near(found.registers, 3 * (8 + 12 + 16 + 4 / 3) / 2 / 4)  # D, Q, the inverse, and the NAND2 that reads it


def units(test: Planted) -> None:
    library = mock.Mock(cells={"NAND2X1": mock.Mock(area=6), "INVX2": mock.Mock(area=3), "DFFPOSX1": mock.Mock(area=9)}, nand2=mock.Mock(area=6),
                        inverter=mock.Mock(load=2))
    library.name = cells.BUILT_IN
    by = technology.Technology("x", 2, 3, 0)
    setup = energy.Setup("fermi", Path("x"), test.work, library, by, 500, 4, 0)
    (target,) = targets("energy", block(BLOCK), "fermi")
    with test.case("a library's units: GE by its NAND2, capacitance by its inverter"):
        with mock.patch.object(yosys, "run"), mock.patch.object(yosys, "mapped", return_value=[]), mock.patch.object(netlist, "module", return_value=SMALL), \
                mock.patch.object(energy.charge, "charges", return_value=charge.built_in()):
            made = energy.made(target, setup)
        near(made.ge, (6 + 3 + 3 * 9) / 6)
        with mock.patch.object(recorded, "replay", return_value=recorded.Run(4, 2, HELD)):
            row = energy.row(target, made, "policy=p", Path("r.n1.blt"), setup)
        want = account.account(made.circuit, made.circuit.activity(HELD, 4), 1).total / 2
        near(row["total"], want, 1e-6)
        near(row["pj_per_decision"], want * 18 / 1000 * 4 / 2, 0.1)
        expect((row["policy"], row["recording"], row["cycles"], row["decisions"]) == ("p", "r.n1", 4, 2), str(row))
    with test.case("the page has the numbers of the technology that it names"):
        text, of = energy.PAGE.read_text(), technology.NANGATE45
        for words in (f"INV_X1 has {of.femtofarads:.2f} fF", f"its voltage is {of.volts:g} V", f"NAND2_X1 leaks {of.nanowatts:.1f} nW"):
            expect(words in " ".join(text.split()), f"does not say '{words}'")
    with test.case("the tables of the page are of these columns"):
        text = energy.PAGE.read_text()
        for head in (table.HEAD, saving.HEAD):
            expect(" | ".join(head) in text, f"another head than {head}: make energy-update")


# ---- faults --------------------------------------------------------------------------------------

NETLISTS: dict[str, tuple[Callable[[dict], object], str]] = {  # a fault, what is said
    "another gate": (lambda of: of["cells"]["nand"].update(type="NOR2X1"), "flip-flop flop, u_p.y_q[0], takes another value than in the RTL"),
    "a flip-flop that takes a constant": (lambda of: of["cells"]["flop"]["connections"].update(D=["1"]), "takes another value"),
    "an output from elsewhere": (lambda of: of["ports"]["y_o"].update(bits=[6]), "output y_o is another than in the RTL"),
    "another clock": (lambda of: of["cells"]["flop"]["connections"].update(CLK=[3]), "is not clocked by clk_i"),
    "a flip-flop that is no register": (lambda of: of["netnames"].pop("other_q"), "flip-flop still is no register of the RTL"),
    "a loop": (lambda of: of["cells"]["inv"]["connections"].update(A=[6]), "the netlist has a loop"),
    "a net without a driver": (lambda of: of["cells"]["inv"]["connections"].update(A=[99]), "cell inv: nothing drives net 99"),
    "a register that is constant and was not": (lambda of: of["netnames"].update({"u_p.z_q": {"bits": ["0"]}}), "no register u_p.z_q"),
}
WAVES: dict[str, tuple[dict[str, list[int]], str]] = {
    "an input that is missing": ({"in_DOT_d_i": []}, "has no input d_i of 1 bits"),
    "a register that is missing": ({"rtl_DOT_p_DOT_y_q": []}, "has no register u_p.y_q of 1 bits"),
    "an input that is another": ({"in_DOT_d_i": [0b1001]}, "takes another value"),
    "an output that is another": ({"rtl_DOT_y_o": [0b0111]}, "output y_o is another"),
    "a register that is another in one cycle": ({"rtl_DOT_p_DOT_y_q": [0b0010]}, "takes another value"),
}


def faults(test: Planted) -> None:
    for name, (fault, said) in NETLISTS.items():
        with test.case(f"a netlist with {name}: refused"):
            broken = copy.deepcopy(SMALL)
            fault(broken)
            refused(lambda broken=broken: Circuit(broken, charge.built_in()).activity(HELD, 4), said)
    for name, (changed, said) in WAVES.items():
        with test.case(f"a waveform with {name}: refused"):
            refused(lambda changed=changed: small(**changed), said)
    with test.case("a constant in place of a register that changes: refused"):
        broken = copy.deepcopy(SMALL)
        broken["netnames"]["z_q"] = {"bits": ["0"]}
        refused(lambda: Circuit(broken, charge.built_in()).activity(HELD | {"rtl.z_q": [0b100]}, 4), "register z_q[0] is another than in the RTL")
    with test.case("a register's name in a waveform"):
        expect([wave_name(name) for name in ("a_q", "u_lcs.inst_q[3]")] == ["a_q", "lcs.inst_q_3"], "another name")


VCD = """$scope module SM0 $end
$scope module b $end
$scope module in $end
$var wire 2 ! x_i $end
$upscope $end
$scope module rtl $end
$var reg 1 " a_q $end
$scope module p $end
$var reg 1 # a_q $end
$upscope $end
$upscope $end
$scope module model $end
$var reg 1 $ a_q $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
b10 !
1"
swords\\040and #
#1
b1 !
1#
1$
#3
0"
#4
"""


def waves(test: Planted) -> None:
    path = test.work / "w.vcd"

    def read(text: str, top: str = "b", cycles: int = 4) -> waveform.Streams:
        path.write_text(text)
        return waveform.parsed(path, top, cycles)
    with test.case("a waveform: bits over time, of inputs and of the RTL's side, with parts"):
        expect(read(VCD) == {"in.x_i": [0b1110, 0b0001], "rtl.a_q": [0b0111], "rtl.p.a_q": [0b1110]}, str(read(VCD)))
    with test.case("a waveform that ends early, has undefined bits, no such block, no end of its head: refused"):
        for text, top, cycles, said in ((VCD, "b", 5, "has 4 cycles, the run 5"), (VCD[:-3], "b", 4, "has 3 cycles"), (VCD, "c", 4, "the waveform of c has 4"),
                                        (VCD.replace("b1 !", "bx !"), "b", 4, "undefined bits"), (VCD.replace("1#", "x#"), "b", 4, "undefined bits"),
                                        (VCD.replace("b1 !", "b111 !"), "b", 4, "undefined bits"), (VCD[:VCD.index("$enddef")], "b", 4, "no waveform"),
                                        ("", "b", 4, "no waveform"), (VCD.replace("#1\n", "#one\n"), "b", 4, "undefined bits")):
            refused(lambda text=text, top=top, cycles=cycles: read(text, top, cycles), said)
    with test.case("streams of any length: as a loop makes them"):
        for cycles in (1, 2, 7, 8, 9, 64, 1000):
            changes = [place for place in range(cycles) if (place * 7 + cycles) % 5 == 0] + [cycles]
            value, want = 0, 0
            for cycle in range(cycles):
                value ^= changes.count(cycle) & 1
                want |= value << cycle
            expect(waveform.stream(changes, cycles) == want, f"{cycles} cycles")


LOG = [{"cycle": 1, "event": "kernel_start"}, {"cycle": 7, "event": "sample"}, {"cycle": 7, "event": "limit"}, {"cycle": 9, "event": "limit"}]


def answers(test: Planted) -> None:
    log = test.work / "d.jsonl"
    with test.case("decisions: cycles with one, but for a kernel's start"):
        log.write_text("".join(json.dumps(record) + "\n" for record in LOG))
        expect(recorded.decisions(log) == 2, str(recorded.decisions(log)))
    with test.case("a damaged log: refused"):
        for text in ('{"cycle": 1', "[]\n", "7\n", '{"event": "x"}\n'):
            log.write_text(text)
            refused(lambda: recorded.decisions(log), "no decision log")
    target = mock.Mock()
    target.name = "b"
    head = "recording mode\n"
    good = "r                        open     0 b          1000         8000 pass      0 (open)          0.0\n"
    for name, said, word in (("mismatch", "MISMATCH in b on SM0, cycle 7\n a\n b\n c\n" + good.replace("pass", "MISMATCH"), "MISMATCH in b"),
                             ("failure", good.replace("pass", "FAIL"), "the run says FAIL"), ("nothing", "", "the run says nothing"),
                             ("a recording without this SM", "ballast: r.blt: no SM 3\n", "no SM 3")):
        with test.case(f"a replay that says {name}: refused"):
            ended = mock.Mock(stdout=head + said if not said.startswith("ballast") else said)
            with mock.patch.object(tools, "run", return_value=ended):
                refused(lambda: recorded.replay(Path("x"), target, "", Path("r.blt"), 0, 9, test.work / "replay"), word)
    sim = "policy,sms,finished,cycles,joules\nstatic,4,1,100,0.5\n"
    with test.case("the simulator's energy and cycles of all SMs; what is damaged is refused"):
        with mock.patch.object(tools, "run", return_value=mock.Mock(stdout=sim)):
            expect(saving.joules(Path("x"), Path("k"), "static", "fermi") == (400, 0.5), "others")
            refused(lambda: saving.joules(Path("x"), Path("k"), "other", "fermi"), "no energy under other")
        for text in ("", sim[:-10], sim.replace("0.5", "nan?"), sim.replace(",1,100", ",0,100"), sim.replace("0.5", "-1"), sim + sim.splitlines()[1] + "\n"):
            with mock.patch.object(tools, "run", return_value=mock.Mock(stdout=text)):
                refused(lambda: saving.joules(Path("x"), Path("k"), "static", "fermi"), "no energy under static")


def savings(test: Planted) -> None:
    measured = [{"policy": "static", "recording": "a.n1", "pj_per_cycle": 9.0, "pj_per_cycle_resting": 9.0},
                {"policy": "p", "recording": "a.n1", "pj_per_cycle": 2.0, "pj_per_cycle_resting": 1.0},
                {"policy": "p", "recording": "b.n2", "pj_per_cycle": 4.0, "pj_per_cycle_resting": 3.0}]
    energies = {("a", "static"): (1000, 1e-6), ("a", "p"): (1100, 0.9e-6), ("c", "static"): (1000, 1e-6), ("c", "p"): (1000, 0.99e-6)}
    kernels = [test.work / "g/a.kernel", test.work / "g/c.kernel"]
    kernels[0].parent.mkdir()
    for kernel in kernels:
        kernel.write_text(kernel.stem)
    asked, (program, kept) = [], (test.work / "program", test.work / "kept.json")
    program.write_text("1")

    def joules(_: Path, kernel: Path, policy: str, __: str) -> tuple[int, float]:
        asked.append((kernel.stem, policy))
        if (kernel.stem, policy) == stop:
            raise tools.Stopped("ballast")
        return energies[kernel.stem, policy]

    def simulated() -> list[saving.Row]:
        asked.clear()
        with mock.patch.object(saving, "joules", side_effect=joules), mock.patch.object(tools, "Progress"), mock.patch.object(tools, "stop_all"), \
                mock.patch.dict(os.environ, JOBS="1"):
            return saving.rows(measured, kernels, saving.Simulated(program, "fermi", kept))
    with test.case("stopped, and run again: only what is missing is simulated; another program or a damaged file: all"):
        stop = ("c", "p")
        refused(simulated, "stopped")
        stop = ("", "")
        found = simulated()
        expect(asked == [("c", "p")], str(asked))
        again = simulated()
        expect(not asked and again == found, str(asked))
        for change in (lambda: program.write_text("2"), lambda: kept.write_text(kept.read_text()[:-9]), lambda: kept.write_text('{"a": 7}')):
            change()
            simulated()
            expect(sorted(asked) == sorted(energies), str(asked))
        kernels[1].write_text("another")
        simulated()
        expect(asked == [("c", "static"), ("c", "p")], str(asked))
    with test.case("a kernel's saving, and the cost: by its own recording, else by the dearest"):
        expect([(row["kernel"], row["policy"], row["recording"]) for row in found] == [("a", "p", "a.n1"), ("c", "p", "b.n2")], str(found))
        for row, want in zip(found, ((1e-7, 2e-12 * 1100, 1e-12 * 1100), (1e-8, 4e-12 * 1000, 3e-12 * 1000))):
            for key, value in zip(("saved", "cost", "cost_resting"), want):
                near(row[key], value, 1e-6)
            near(row["cost_percent"], 100 * want[1] / want[0], 1e-6)
    with test.case("sums over kernels, and the verdict at the bar"):
        sums_of = saving.total(found)
        near(sums_of["cost_percent"], 100 * (2.2e-9 + 4e-9) / 1.1e-7, 1e-6)
        near(sums_of["resting_percent"], 100 * (1.1e-9 + 3e-9) / 1.1e-7, 1e-6)
        for scale, verdict in ((1, "no"), (0.02, "with gating"), (0.01, "yes")):
            words = saving.page([row | {"cost": row["cost"] * scale, "cost_resting": row["cost_resting"] * scale} for row in found])[-1]
            expect(words.endswith(f"| {verdict} |"), words)
        worse = saving.page([row | {"saved": -row["saved"]} for row in found])[-1]
        expect(worse.endswith("| - | - | nothing saved |"), worse)


REFUSED: dict[str, tuple[list[object], str]] = {
    "an unknown block": (["nosuch"], "no block 'nosuch'; there are: "),
    "an unknown configuration": (["--config", "nosuch"], "no configuration 'nosuch'"),
    "an unknown option": (["--nosuch"], "unrecognized arguments: --nosuch"),
    "a block of the chip": (["vf_vote"], "vf_vote is fed from all SMs"),
    "a missing recording": (["--recording", "/none.blt", BLOCK], "/none.blt: no recording: No such file"),
    "a recording that is none": (["--recording", "Makefile", BLOCK], f"{BLOCK}: .*Makefile"),
    "an SM that was not recorded": (["--sm", "9", "--recording", RECORDING, BLOCK], f"{BLOCK}: .*SM ?9"),
    "no cycles": (["--cycles", "0", BLOCK], "--cycles wants a number from 1 on"),
    "a missing library": (["--library", "/none.lib", BLOCK], "/none.lib: cannot be read"),
    "a technology without numbers": (["--technology", "1,2", BLOCK], "--technology wants fF,V,nW"),
    "a technology without voltage": (["--technology", "1,0,2", BLOCK], "--technology wants fF,V,nW"),
    "kernels that are not there": (["--saving", "nosuch", BLOCK], "sim/kernels/nosuch: no kernels"),
    "no build": (["--build", "/nowhere", BLOCK], "/nowhere/ballast: no ballast command; 'make build' makes it"),
}


def program(test: Planted) -> None:
    test.refuse(REFUSED)
    arguments = ["--recording", RECORDING, "--cycles", "2000", BLOCK]
    with test.case("a run: its row, and the same in the file"):
        test.run(0, *arguments)
        test.says(rf"^{BLOCK} +[0-9]+ +43 ")
        header, row = (line.split(",") for line in (test.out / "energy.csv").read_text().splitlines())
        expect(header == table.COLUMNS and float(row[header.index("pj_per_cycle")]) > 0.1 and row[header.index("cycles")] == "2000", str(row))
    with test.case("a place that cannot be written: one line, and what was there stays"):
        (test.out / "energy.csv").unlink()
        (test.out / "energy.csv").mkdir()
        test.run(2, *arguments)
        test.says("energy.py: .*energy.csv: cannot be written: no regular file")
        (test.out / "energy.csv").rmdir()
    for name, text, said in (("says nothing", "exit 0", f"{BLOCK}: fst2vcd: left no"), ("is killed", "kill -9 $$", f"{BLOCK}: fst2vcd: signal 9"),
                             ("stops in the middle", 'fst2vcd=$(which -a fst2vcd | sed -n 2p); "$fst2vcd" "$@"; file="$4"; head -c 20000 "$file" >"$file.x"; mv "$file.x" "$file"',
                              f"{BLOCK}: .*waveform of {BLOCK}")):
        with test.case(f"a converter that {name}: one line"):
            test.run(2, *arguments, env=test.instead(fst2vcd=text))
            test.says(f"^energy.py: {said}")
            expect(not (test.out / "energy.csv").exists(), "a file of it")


def main(test: Planted) -> None:
    try:
        of = sample(test)
    except tools.Failure as failure:
        with test.case("the sample"):
            raise failure
    counted(test, of)
    loads(test, of)


if __name__ == "__main__":
    Planted.main("synth_scripts/energy/energy.py", main, library_cells, tables, sums, inverse, units, faults, waves, answers, savings, program)
