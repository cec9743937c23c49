#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Libraries of cells: are files read as Liberty is meant, are cells found by what they do, is the built-in library what the theory says?

  python3 tb/flow/test_cells.py

Ends with 'N passed, N failed'. Run from the repository root. What synthesis makes of libraries is tested in synth_scripts/area/test_area.py.
"""
from __future__ import annotations

import gzip
import re
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import cells
import disguised
import function
import liberty
import logical_effort
from planted import Planted, expect, refused

EFFORT = logical_effort.text()
LINES = '/* library (no) { */\nlibrary ("a b") {\n  // } cell (no) { }\n  time_unit : 1ns\n  area : "3}" ; define (x, y, z);\n' \
        '  comment : a \\\n  b;\n  values ("1, 2", \\\n   "3, 4") ;\n  cell(X){pin(A, B[1]){function:"A \\" {"}}\n  cell (Y) { area : 2.0e-1 /* { */; }; }\n'


def _is(text: str) -> Callable[[], object]:
    return lambda: liberty.parsed(Path("f"), text)


BROKEN = {  # text, what is said
    "cut in a cell": (EFFORT[:EFFORT.index("function")], r"pin \(Y\): the file is cut short"),
    "cut in a value": (EFFORT[:EFFORT.index(", 0.18, ") + 1], "a text without an end"),
    "cut before the last brace": (EFFORT[:EFFORT.rindex("}")], r"library \(effort\): the file is cut short"),
    "a comment without an end": ("library (x) { /* }", "f:1: this is not Liberty: a comment"),
    "Verilog": ("module x (a);\nendmodule\n", "f: this is not Liberty: it does not begin with"),
    "nothing": ("", "f: this is not Liberty"),
    "a library of names": ("library (x) ;", "'{' is missing"),
    "braces that do not fit": ("library (x) {\n cell (a) {\n { } }", r"f:3: cell \(a\): '{' is out of place"),
    "zeros": ("\0" * 100, "f: this is not Liberty"),
}
SAME = [("!A", "A'"), ("(A+B)'", "!A !B"), ("A*B+C", "(A & B) | C"), ("A ^ B", "A*B'+A'*B"), ("!A B", "(!A) & B"), ("A^B C", "(A^B) & C"),
        ("A + B ^ C", "A | (B ^ C)"), ("((A))", "A"), ("A''", "A")]
NO_FUNCTIONS = ("", "(", "A +", "A )", "!", "A $ B", "+ A", "'", "A (B")
PAPER = {  # Weste, Harris, chapter 4: g of the inputs in thirds, p
    "INVX1": ("3", 1), "NAND2X1": ("4 4", 2), "NAND3X1": ("5 5 5", 3), "NOR2X1": ("5 5", 2), "NOR3X1": ("7 7 7", 3),
    "AOI21X1": ("6 6 5", 7 / 3), "AOI22X1": ("6 6 6 6", 4), "OAI21X1": ("6 6 4", 8 / 3), "OAI22X1": ("6 6 6 6", 4)}
AREAS = {"INVX1": 2, "INVX4": 3, "INVX8": 4, "NAND2X1": 3, "NAND3X1": 4, "AOI22X1": 5, "XOR2X1": 7, "MUX2X1": 6, "BUFX4": 4, "AND2X2": 4}  # columns
LATE = {("BUFX2", "A"): 4, ("BUFX4", "A"): 6, ("BUFX8", "A"): 6, ("AND2X2", "B"): 5, ("XOR2X1", "A"): 7, ("MUX2X1", "S"): 7, ("MUX2X1", "B"): 4}
DOES: dict[str, Callable[..., int]] = {
    "INV": lambda a: 1 - a, "NAND2": lambda a, b: 1 - a * b, "NOR3": lambda a, b, c: int(a + b + c == 0), "AND2": lambda a, b: a * b,
    "OR2": lambda a, b: int(a + b > 0), "XOR2": lambda a, b: a ^ b, "XNOR2": lambda a, b: int(a == b), "MUX2": lambda a, b, s: 1 - (a if s else b),
    "AOI21": lambda a, b, c: int(not (a and b or c)), "OAI22": lambda a, b, c, d: int(not ((a or b) and (c or d)))}


def reading(test: Planted) -> None:
    with test.case("comments, lines that go on, texts with braces, values without ';'"):
        top = liberty.parsed(Path("f"), LINES)
        expect(top.names == ["a b"] and top.value("time_unit") == "1ns" and top.value("area") == "3}" and top.value("comment") == "a b", str(top.attributes))
        expect(top.attributes["values"] == ["1, 2", "3, 4"] and [one.names for one in top.of("cell")] == [["X"], ["Y"]], str(top.attributes))
        (pin,) = next(top.of("cell")).groups
        expect(pin.names == ["A", "B[1]"] and top.groups[1].number("area") == 0.2, str(pin))
        expect(LINES[top.groups[1].start:top.groups[1].end] == "cell (Y) { area : 2.0e-1 /* { */; }", "the wrong part of the text")
    with test.case("twenty thousand cells, and groups in each other"):
        top = liberty.parsed(Path("f"), "library (x) {" + 'cell (a) { area : 1; pin (A) { direction : "input"; } }\n' * 20000 + "a () {" * 5000 + "}" * 5001)
        expect(len(list(top.of("cell"))) == 20000, "some are lost")
    for name, (text, said) in BROKEN.items():
        with test.case(f"{name}: one line"):
            try:
                _is(text)()
                raise AssertionError("it is taken")
            except cells.Failure as failure:
                expect(re.search(said, str(failure)) and "\n" not in str(failure), str(failure))
    with test.case("every file that is cut short is refused"):
        for end in range(0, len(EFFORT.rstrip()), 997):
            refused(_is(EFFORT[:end]), "f")
    packed, path = gzip.compress(EFFORT.encode()), test.work / "x.lib.gz"
    with test.case("a packed file, and damaged ones"):
        path.write_bytes(packed)
        expect(liberty.text(path) == EFFORT, "another text")
        for damaged in (packed[:999], packed[:99] + b"xxxx" + packed[103:], packed[:5]):
            path.write_bytes(damaged)
            refused(lambda: liberty.text(path), "damaged")
        refused(lambda: liberty.text(test.work), "cannot be read: Is a directory")


def functions(test: Planted) -> None:
    for one, other in SAME:
        with test.case(f"{one} is {other}"):
            expect(function.table(one) == function.table(other), f"{function.table(one)} {function.table(other)}")
    with test.case("what is no function"):
        for text in NO_FUNCTIONS:
            try:
                raise AssertionError(f"'{text}' is {function.table(text)}")
            except function.NoFunction:
                pass


def taken(test: Planted, text: str, never: tuple[str, ...] = ()) -> cells.Library:
    path = test.work / "mine.lib"
    path.write_text(text)
    return cells.library([str(path)], test.work, never)


def names(library: cells.Library) -> str:
    return " ".join(cell.name for cell in (library.inverter, library.nand2, library.buffer, library.flip_flop))


def without(text: str, *kinds: str) -> str:
    for kind in kinds:
        text = re.sub(rf"  cell \({kind}\) {{\n.*?\n  }}\n", "", text, flags=re.S)
    return text


def choice(test: Planted) -> None:
    usual = "INVX1 NAND2X1 BUFX4 DFFPOSX1"
    with test.case("the built-in library"):
        expect(names(cells.library([cells.BUILT_IN], test.work)) == usual, "others")
    with test.case("other names, pins, signs and units; cells that do not count"):
        mine = taken(test, disguised.picofarads(disguised.library()))
        expect(names(mine) == "INV_X1 NAND2_X1 BUF_X4 SDFF_X1", names(mine))
        expect(not re.search("AA(INV|NAND|TRI|GATE|SCAN)", mine.path.read_text()), "synthesis gets them")
        expect("AAINV" in mine.whole.read_text() and "AALATCH" in mine.path.read_text(), "too much is cut out")
        expect(mine.constraints.read_text() == "set_driving_cell BUF_X4\nset_load 4\n", mine.constraints.read_text())
    with test.case("names that lie: a NOR that is called NAND2X1"):
        lies = EFFORT.replace("NAND2X1", "was").replace("NOR2X1", "NAND2X1").replace("cell (was)", "cell (NOR2X1)")
        expect(names(taken(test, lies)) == "INVX1 NOR2X1 BUFX4 DFFPOSX1", "by the name")
    with test.case("cells that are left out by a pattern"):
        mine = taken(test, EFFORT, ("INVX1", "NAND2*[12]"))
        expect(names(mine) == "INVX2 NAND2X4 BUFX8 DFFPOSX1" and "NAND2X1" not in mine.path.read_text(), names(mine))
    inverters = [re.search(rf"  cell \(INVX{strength}\) {{.*?\n  }}\n", EFFORT, re.S)[0] for strength in (1, 2)]
    with test.case("two inverters of one size: the one with the smaller input, wherever it stands"):
        swapped = EFFORT.replace(inverters[0], "@").replace(inverters[1], inverters[0]).replace("@", inverters[1])
        expect(swapped != EFFORT and names(taken(test, swapped)) == usual, "the first one")
    with test.case("a cell that does not read one of its inputs is no inverter"):
        odd = inverters[0].replace("INVX1", "ODD").replace("area : 0.666667", "area : 0.1")
        expect(names(taken(test, f"{EFFORT[:-2]}{odd}}}\n")) == usual.replace("INVX1", "ODD"), "not even one that does")
        odd = odd.replace("    pin (Y)", "    pin (B) { direction : input; capacitance : 1; }\n    pin (Y)")
        expect(names(taken(test, f"{EFFORT[:-2]}{odd}}}\n")) == usual, "it is taken")
    with test.case("tables at loads of their own, and with the loads first"):
        buffer = re.search(r"  cell \(BUFX4\) {.*?\n  }\n", EFFORT, re.S)[0]
        own = re.sub(r'\(straight\) { values \("([\d.]+), ([\d.]+), [\d.]+".*?\);', r'(straight) { index_2 ("1, 8"); values ("\1, \2", "\1, \2", "\1, \2");', buffer)
        first = re.sub(r'values \("([\d.]+), ([\d.]+), ([\d.]+)".*?\);', r'values ("\1, \1, \1", "\2, \2, \2", "\3, \3, \3");', EFFORT)
        for old, new in (("variable_1 : input_net_transition", "variable_3 : x"), ("variable_2 :", "variable_1 :"), ("variable_3 : x", "variable_2 : input_net_transition"),
                         ("index_1", "index_3"), ("index_2", "index_1"), ("index_3", "index_2")):
            first = first.replace(old, new)
        strengths = {one.name: one.strength for one in cells.library([cells.BUILT_IN], test.work).cells.values()}
        for text in (EFFORT.replace(buffer, own), first):
            expect(text != EFFORT and all(abs(one.strength / strengths[one.name] - 1) < 1e-4 for one in taken(test, text).cells.values()), "other strengths")
    flops = {
        "a falling edge": ('clocked_on : "CLK"', 'clocked_on : "!CLK"'), "a scan path in its function": ('next_state : "D"', 'next_state : "(D CLK)+(D\' CLK\')"'),
        "no next state": ('next_state : "D"', 'next_state : ""'), "no area": ("area : 4;", "area : 0;"), "dont_use": ("area : 4;", "area : 4; dont_use : true;"),
        "scan, by a pin": ("clock : true;", "clock : true; signal_type : test_scan_in;"), "scan, by a test cell": ("area : 4;", "area : 4; test_cell () { }"), "a latch": ("ff (IQ, IQN)", "latch (IQ, IQN)")}
    for name, (old, new) in flops.items():
        with test.case(f"a flip-flop with {name} is none"):
            expect(EFFORT.count(old) == 1, "the fault does not fit")
            refused(lambda: taken(test, EFFORT.replace(old, new)), "no flip-flop")
    for what, kinds in (("inverter", ["INVX."]), ("NAND of two inputs", ["NAND2X."]), ("buffer", ["BUFX."]), ("flip-flop", ["DFF.*?"])):
        with test.case(f"no {what}: one line"):
            refused(lambda: taken(test, without(EFFORT, *kinds)), f"mine.lib: no {what}")
    with test.case("no delays, no unit, no cells: one line"):
        refused(lambda: taken(test, EFFORT.replace("cell_", "other_")), "no inverter with")
        refused(lambda: taken(test, EFFORT.replace("capacitive_load_unit (1, ff);", "")), "no capacitive_load_unit")
        refused(lambda: taken(test, "library (x) { }"), "no inverter")
    with test.case("a library of two files is that of one"):
        at = EFFORT.index("  cell (NOR2X1)")
        one, two = test.work / "one.lib", test.work / "two.lib"
        head = EFFORT[:EFFORT.index("  cell (")]
        one.write_text(EFFORT[:at] + "}\n")
        two.write_text(head + EFFORT[at:])
        both = cells.library([str(one), str(two)], test.work)
        expect(both.whole.read_text().count("lu_table_template") == 1, "tables twice")
        expect(both.cells == cells.library([cells.BUILT_IN], test.work).cells and names(both) == usual, "other cells")


def theory(test: Planted) -> None:
    all_cells = {cell.name: cell for cell in logical_effort.cells()}
    with test.case("efforts and parasitic delays are the textbook's"):
        for name, (thirds, parasitic) in PAPER.items():
            cell = all_cells[name]
            efforts = [cell.load(one) * 3 for one in cell.inputs()]
            expect(all(abs(effort - int(third)) < 1e-9 for effort, third in zip(efforts, thirds.split(), strict=True)), f"{name}: {efforts}")
            expect(all(abs(cell.delay(one) - parasitic) < 1e-9 for one in cell.inputs()), f"{name}: p {cell.delay('A')}")
    with test.case("areas are columns, one more between cells, three a GE"):
        expect({name: round(all_cells[name].area() * 3, 9) for name in AREAS} == AREAS, str({name: all_cells[name].area() * 3 for name in AREAS}))
    with test.case("cells of several stages: the longest way"):
        delays = {(name, one): all_cells[name].delay(one) for name, one in LATE}
        expect(delays == LATE, str(delays))
    with test.case("transistors in series with unequal branches"):
        net = logical_effort.both(logical_effort.either(logical_effort.both("A", "B"), "C"), "D")
        expect(dict(net.widths()) == {"A": 3, "B": 3, "C": 2, "D": 3}, str(dict(net.widths())))
    with test.case("cells do what their names say"):
        for name, does in DOES.items():
            cell = all_cells[f"{name}X1"]
            expect(all(cell.value(dict(zip(cell.inputs(), one))) == does(*one) for one in product((0, 1), repeat=len(cell.inputs()))), name)
    top = liberty.parsed(Path("f"), EFFORT)
    groups = {group.names[0]: group for group in top.of("cell")}
    with test.case("what is written is read back: functions, loads, delays at any load"):
        expect(set(groups) == {*all_cells, "DFFPOSX1"}, f"{set(groups) ^ {*all_cells}}")
        for name, cell in all_cells.items():
            pins = {pin.names[0]: pin for pin in groups[name].of("pin")}
            said, values = function.table(pins["Y"].value("function"))
            expect(said == cell.inputs() and values == [cell.value(dict(zip(said, one))) for one in product((0, 1), repeat=len(said))], f"{name}: function")
            expect(all(abs((pins[one].number("capacitance") or 0) - cell.load(one)) < 1e-5 for one in said), f"{name}: load")
            for timing in pins["Y"].of("timing"):
                for table in timing.of("cell_rise", "cell_fall"):
                    rows = {tuple(float(word) for word in row.split(",")) for row in table.attributes["values"]}
                    wanted = [(cell.delay(timing.value("related_pin")) + load / cell.strength()) * logical_effort.TAU_NS for load in logical_effort.LOADS]
                    expect(len(rows) == 1 and all(abs(a - b) < 1e-5 for a, b in zip(rows.pop(), wanted, strict=True)), f"{name}: delay")
    with test.case("the same signs as the functions"):
        expect([all_cells[name].sense("A") for name in ("INVX1", "BUFX2", "XOR2X1", "AND2X1")] ==
               ["negative_unate", "positive_unate", "non_unate", "positive_unate"], "others")
    with test.case("a flip-flop: set-up 6 tau, 8 tau from clock to Q, and half a tau for each input that it drives"):
        flop = logical_effort.FlipFlop()
        expect((flop.setup, flop.delay(), flop.strength, flop.area, flop.clocked, flop.clock) == (6, 8, 2, 4, 2, 3), str(flop))
        (setup, hold), (q,) = list(groups["DFFPOSX1"].groups[2].of("timing")), groups["DFFPOSX1"].groups[3].of("timing")
        expect(setup.value("timing_type") == "setup_rising" and setup.groups[0].attributes["values"] == ["0.12"] and hold.groups[0].attributes["values"] == ["0"], str(setup))
        expect(q.groups[0].attributes["values"][0] == "0.17, 0.24, 0.8", str(q.groups[0]))
    with test.case("the same bytes each time"):
        test.command(0, sys.executable, "tb/flow/logical_effort.py")
        expect(test.said == EFFORT, "others")


if __name__ == "__main__":
    Planted.main("", reading, functions, choice, theory)
