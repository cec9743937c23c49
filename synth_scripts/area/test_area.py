#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does area.py say what it has to say? Works on a copy of RTL and scripts, with a baseline of that copy, plants faults there
and reads the answers. Run from the repository root. Last line "N passed, N failed".
"""
from __future__ import annotations

import copy
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))

import cells  # noqa: E402
import disguised  # noqa: E402
import prover  # noqa: E402
from planted import Planted, expect, some  # noqa: E402

AREA, SCALING = Path("synth_scripts/area/area.py"), Path("synth_scripts/area/area_scaling.py")
BASE = Path("synth_scripts/area/area_baseline.json")
DOMAIN, COUNTERS = Path("rtl/chip/vf_domain.sv"), Path("rtl/sm/eq_counters.sv")
SMALL = 'rtl = "NumWarps=4 NumSlots=2 NumSms=2 IssueWidth=1 CountW=8";\n'  # the copy's configuration "atom"
BUSY = "assign busy_o  = timer_q != '0;"
PLANTED = "logic planted_q;\n  always_ff @(posedge clk_i) planted_q <= {0};\n  "
STRANGE = {"tools": {"yosys": "none"}, "rows": [
    {"config": "x", "block": "x", "parameters": "", "sources": "", "flip_flops": 1, "ge": 1, "fo4": 1, "lut4": 1}]}
QUICK = {"AREA_ICE40": ""}  # without LUTs, which most cases do not need

BASELINES = [  # name, what is in it ("" no file), what is said
    ("no baseline", "", f"no {BASE} .*make area-update"),
    ("baseline cut off", '{"tools": {"yosys": "Yo', f"{BASE} is damaged"),
    ("baseline without numbers", json.dumps({"tools": {"yosys": "x"}, "rows": [
        {"config": "fermi", "block": "vf_domain", "flip_flops": "many"}]}), f"{BASE} is damaged"),
    ("baseline without rows", '{"tools": {"yosys": "x"}, "rows": []}', f"{BASE} is damaged"),
    ("baseline that is a list", "[]", f"{BASE} is damaged"),
]
REFUSED = [  # name, arguments, what is said
    ("unknown configuration", ["--block", "vf_domain", "volta"], "no configuration 'volta'; there are: atom fermi"),
    ("unknown block", ["--block", "nosuch", "fermi"], "no block 'nosuch'; there are: .*vf_vote"),
    ("unknown option", ["--nosuch"], "unrecognized arguments: --nosuch"),
    ("liberty missing", ["--library", "/nowhere.lib", "--block", "vf_domain", "fermi"], "/nowhere.lib: cannot be read: No such file"),
    ("what changed, in another library", ["--changed", "--library", "x.lib", "fermi"], "--changed compares with the baseline"),
    ("update in another library", ["--update", "--library", "x.lib"], "--update records all blocks in all configurations"),
    ("update without some cells", ["--update", "--leave-out", "INVX1"], "--update records all blocks"),
    ("all inverters left out", ["--leave-out", "INV*", "--block", "vf_domain", "fermi"], "effort.lib: no inverter"),
    ("update of a part", ["--update", "fermi"], "--update records all blocks in all configurations"),
]
TOOLS = [  # name, tool, the script in its place, what is said
    ("a tool that was killed", "yosys", '[ "$1" != -V ] || exec {yosys} -V; kill -9 $$', r"vf_domain \(fermi\): yosys: signal 9"),
    ("Yosys does nothing", "yosys", "exit 0", r"vf_domain \(fermi\): yosys: left no .*cells.json"),
    ("statistics cut off", "yosys", '{yosys} "$@"; [ "$1" = -V ] || echo "{{" | tee $TMPDIR/cells.json',
     r"vf_domain \(fermi\): yosys wrote no statistics"),
    ("OpenSTA says nothing", "sta", "exit 0", "FO4 of INVX1 cannot be measured: sta said nothing"),
    ("OpenSTA reports no path", "sta", 'case "$3" in *timing.tcl) ;; *) exec {sta} "$@" ;; esac',
     r"vf_domain \(fermi\): sta found no path: it said nothing"),
    ("OpenSTA reports no number", "sta", 'case "$3" in *timing.tcl) echo path reg-reg INF 3 a b ;; *) exec {sta} "$@" ;; esac',
     r"vf_domain \(fermi\): sta found no path: path reg-reg INF"),
]


def row(base: Any, name: str) -> Any:
    return next(one for one in base["rows"] if one["block"] == name)


def scaled(name: str, **factors: float) -> Callable[[Any], None]:
    return lambda base: row(base, name).update({key: row(base, name)[key] * factor for key, factor in factors.items()})


def _fewer(base: Any) -> None:
    row(base, "vf_domain")["flip_flops"] += 2
    row(base, "vf_domain")["lut4"] *= 2


EDITED = [  # name, the change of the baseline, block, status, what is said
    ("other tool version: stale", lambda base: base["tools"].update(yosys="Yosys 0.1"), "vf_domain", 0,
     "area.py: stale, not compared.*yosys: Yosys 0.1 there, Yosys .* here.*make area-update"),
    ("other recipe: stale", lambda base: base["tools"].update(recipe="0"), "vf_domain", 0,
     "stale, not compared.*recipe: 0 there"),
    ("other parameters: stale", lambda base: row(base, "vf_vote").update(parameters="NumSms=32"), "vf_vote", 0,
     "stale, not compared, 1 of them: recorded with NumSms=32, now NumSms=15"),
    ("block without a row: new", lambda base: base["rows"].remove(row(base, "vf_domain")), "vf_domain", 1,
     r"new: vf_domain \(fermi\): not in the baseline"),
    ("row without a block: gone", lambda base: base["rows"].append(row(base, "vf_domain") | {"block": "perfdog"}), "vf_domain", 1,
     r"gone: perfdog \(fermi\)"),
    ("more area: worse", scaled("vf_domain", ge=0.9), "vf_domain", 1, r"worse: vf_domain \(fermi\): .* GE"),
    ("longer path: worse", scaled("vf_domain", fo4=0.9), "vf_domain", 1, r"worse: vf_domain \(fermi\): .* FO4"),
    ("within 5 %: same", scaled("vf_domain", fo4=1.03, ge=0.97), "vf_domain", 0, "^baseline: 1 same$"),
]
RTL = [  # name, file, text, its replacement, status, what is said
    ("planted register: worse, by name", DOMAIN, BUSY, PLANTED.format("mode_i") + BUSY.replace(";", " && !planted_q;"), 1,
     r"worse: vf_domain \(fermi\): 14 -> 15 flip-flops"),
    ("a latch", DOMAIN, BUSY, f"logic planted;\n  always_latch if (mode_i) planted = timer_q != '0;\n  {BUSY[:17]}planted;", 2,
     r"vf_domain \(fermi\): [1-9] latches"),
    *((f"a multiplier or divider: {slow}", DOMAIN, BUSY, f"assign busy_o = (timer_q {slow} level_o) != '0;", 2,
       r"vf_domain \(fermi\): a multiplier or divider: vf_domain/") for slow in "*/%"),
    ("RTL that Yosys cannot read", DOMAIN, "assign stall_o = busy_o", "assign stall_o = busy_o &&& ", 2,
     r"vf_domain \(fermi\): yosys: exit status 1: .*syntax error"),
]
IDLE_COUNTER = """module idle_counter (input logic clk_i, input logic rst_ni, input logic idle_i, output logic [7:0] count_o);
  logic [7:0] count_q;
  always_ff @(posedge clk_i) count_q <= !rst_ni ? '0 : count_q + 8'(idle_i);
  assign count_o = count_q;
endmodule
"""


class AreaTest(Planted):
    """In a copy of the tree; `base` is the copy's own baseline."""

    base: Any = None

    def __enter__(self) -> AreaTest:
        super().__enter__()
        tree = self.work / "tree"
        for folder in ("rtl", "synth_scripts", "tb/flow", "tb/blocks"):
            shutil.copytree(folder, tree / folder)
        (tree / "doc/use").mkdir(parents=True)
        shutil.copy("doc/use/area.md", tree / "doc/use")
        for config in (tree / "rtl/configs").iterdir():
            if config.name != "fermi":
                config.unlink()
        (tree / "rtl/configs/atom").write_text(SMALL)
        shutil.copytree(tree / "rtl", self.work / "rtl")
        (self.work / "tmp").mkdir()
        os.environ["TMPDIR"] = str(self.work / "tmp")
        os.chdir(tree)
        return self

    def area(self, status: int, *arguments: object, env: dict[str, str] | None = None) -> None:
        self.command(status, sys.executable, AREA, *arguments, env=env)

    def row_of(self, status: int, block: str, said: str, env: dict[str, str] | None = None, config: str = "fermi") -> None:
        """One block; status 2 is one line."""
        self.area(status, "--block", block, config, env=QUICK | (env or {}))
        (self.one_line if status == 2 else self.says)(said)

    def edit(self, change: Callable[[Any], None]) -> None:
        base = copy.deepcopy(self.base)
        change(base)
        BASE.write_text(json.dumps(base))

    def fault(self, file: Path, old: str, new: str) -> None:
        text = (self.work / "rtl" / file.relative_to("rtl")).read_text()
        expect(old in text, f"{file} has no '{old}' any more; choose another place for the fault")
        file.write_text(text.replace(old, new))

    def restore(self) -> None:
        shutil.rmtree("rtl")
        shutil.copytree(self.work / "rtl", "rtl")
        if self.base:
            BASE.write_text(json.dumps(self.base))


def refusals(test: AreaTest) -> None:
    for name, text, said in BASELINES:
        with test.case(name):
            BASE.unlink(missing_ok=True)
            if text:
                BASE.write_text(text)
            test.row_of(2, "vf_domain", said)
    BASE.write_text(json.dumps(STRANGE))
    for name, arguments, said in REFUSED:
        with test.case(name):
            test.area(2, *arguments)
            test.one_line(said)
    with test.case("liberty without cells"):
        (test.work / "empty.lib").write_text("library(empty) { }\n")
        test.area(2, "--library", test.work / "empty.lib", "--block", "vf_domain", "fermi")
        test.one_line(f"{test.work}/empty.lib: no inverter")
    with test.case("not in the repository"):
        test.command(2, "sh", "-c", f"cd / && exec {sys.executable} '{AREA.resolve()}'")
        test.one_line("no rtl/configs here")
    for tool in ("yosys", "sta"):
        with test.case(f"{tool} missing"):
            others = {"yosys", prover.abc(), "sta", "gnuplot"} - {tool}
            test.row_of(2, "vf_domain", f"{tool} is not installed; 'make setup' installs", test.only(*others))


def first_run(test: AreaTest) -> None:
    """The copy's own baseline, from a run's JSON; a run needs a baseline, and this one knows nothing of it."""
    out = test.work / "first"
    with test.case("CSV, JSON, picture"):
        test.area(1, "--block", "vf_domain", "--block", "vf_vote", "--out", out, "fermi")
        test.base = json.loads((out / "area.json").read_text())
        rows = list(csv.DictReader((out / "area.csv").open()))
        expect(len(rows) == len(test.base["rows"]) == 2, "two rows in CSV and JSON")
        expect([one["flip_flops"] for one in rows if one["block"] == "vf_domain"] == ["14"], "14 flip-flops in the CSV")
        expect("</svg>" in (out / "area.svg").read_text(), "a picture")
    before = (out / "area.svg").read_text()
    part = """echo "<svg>" >"$(echo "$2" | sed "s/.*output='//; s/'.*//")\""""
    for what, script in (("a part of a picture", part), ("no picture", "exit 0")):
        with test.case(f"a gnuplot that leaves {what}, as on a full disk: one line, and the old one stays"):
            test.area(2, "--block", "vf_domain", "--out", out, "fermi", env=test.instead(gnuplot=script))
            test.says("area.svg: the picture cannot be drawn: ")
            expect((out / "area.svg").read_text() == before, "another picture")
    test.restore()
    with test.case("nothing changed: same"):
        test.area(0, "--block", "vf_domain", "--block", "vf_vote", "fermi")
        test.says("^baseline: 2 same$")
    with test.case("fewer: better"):
        test.edit(_fewer)
        test.area(0, "--block", "vf_domain", "fermi")
        test.says("^baseline: 1 better$")


def verdicts(test: AreaTest) -> None:
    for name, change, block, status, said in some(EDITED, 4):
        with test.case(name):
            test.edit(change)
            test.row_of(status, block, said)
    test.restore()
    for name, file, old, new, status, said in some(RTL, 3):
        with test.case(name):
            test.fault(file, old, new)
            test.row_of(status, file.stem, said)
        test.restore()
    with test.case("planted register: EQ-5 does not hold, also while the baseline is stale"):
        test.fault(COUNTERS, "assign epoch_end_o =", PLANTED.format("kernel_start_i") + "assign epoch_end_o = !planted_q &&")
        test.edit(lambda base: base["tools"].update(yosys="Yosys 0.1"))
        test.row_of(1, "eq_counters", r"eq_counters \(fermi\) has 69 flip-flops, EQ-5 says 56 \(4 counters of 11 bits and one of 12\), and 12 of its own")
    test.restore()
    with test.case("a governor too large for its SM"):
        storage = Path("synth_scripts/area/sm.py")
        text = storage.read_text()
        storage.write_text(text.replace('"fermi": (32768, 64)', '"atom": (64, 0)'))
        test.row_of(1, "sm_governor", r"sm_governor \(atom\) is [0-9.]+ % of its SM.s storage", config="atom")
        storage.write_text(text)
    with test.case("a new block of which only its own files know"):
        Path("rtl/sm/idle_counter.sv").write_text(IDLE_COUNTER)
        room = Path("tb/blocks/idle_counter")
        room.mkdir()
        (room / "ports.h").write_text("#define BLOCK_NAME idle_counter\n#define BLOCK_CLOCKED 1\n#define BLOCK_NEEDS(N)\n")
        test.row_of(1, "idle_counter", r"new: idle_counter \(fermi\): not in the baseline")
        test.says("^idle_counter +8 ")
        shutil.rmtree(room)
    test.restore()


def libraries(test: AreaTest) -> None:
    """Another library is one of other cells, not of other names."""
    def measured(*arguments: object) -> list[dict[str, str]]:
        out = test.work / "library"
        test.area(0, "--block", "vf_domain", "--out", out, *arguments, "fermi", env=QUICK)
        with (out / "area.csv").open() as file:
            return [{name: value for name, value in one.items() if name not in ("library", "verdict", "why")} for one in csv.DictReader(file)]
    other = test.work / "other.lib"
    with test.case("other names, pins and units, scan flops, clock gates, cells not to be used: the same to the last digit"):
        other.write_text(disguised.library())
        usual, rows = measured(), measured("--library", other)
        expect(usual == rows, f"{usual} {rows}")
        test.says(r"^library other: FO4 100\.0 ps \(INV_X1 driving four\), GE 1 \(NAND2_X1\), inputs by BUF_X4, flip-flop SDFF_X1 of 4; ")
    with test.case("another unit of capacitance: as many cells, and the path to a tenth of an FO4"):
        # Not the same sizes: where two are as good, abc's rounding of its own femtofarads decides.
        same = ("flip_flops", "cells", "depth", "fo4")
        other.write_text(disguised.picofarads(disguised.library()))
        (row,) = measured("--library", other)
        expect({name: row[name] for name in same} == {name: usual[0][name] for name in same}, f"{usual} {row}")
        test.says(r"^library other: FO4 100\.0 ps \(INV_X1 driving four\), GE 1 \(NAND2_X1\), inputs by BUF_X4, flip-flop SDFF_X1 of 4; ")
    with test.case("a larger and slower flip-flop: its area and its set-up are in the numbers"):
        other.write_text(disguised.library().replace("area : 4;", "area : 5;").replace('("120")', '("620")'))
        (usual,), (row,) = measured(), measured("--library", other)
        expect(float(row["area"]) == float(usual["area"]) + 14 and abs(float(row["ns"]) - float(usual["ns"]) - 0.5) < 0.001, f"{usual} {row}")
    if cells.NAMED["osu018"].is_file():
        with test.case("osu018"):
            measured("--library", "osu018")
            test.says(r"^library osu018_stdcells: FO4 99\.2 ps \(INVX1 driving four\), GE 24 \(NAND2X1\), inputs by BUFX4, flip-flop DFFPOSX1 of 96; ")


def changed(test: AreaTest) -> None:
    """What `make test` measures: what the baseline does not know, and the smallest of the rest."""
    two = ("--block", "vf_domain", "--block", "vf_vote", "--changed", "fermi")

    def measured(status: int, said: str, *blocks: str) -> None:
        test.area(status, *two, env=QUICK)
        test.says(f"^measured: {len(blocks)} of 2;")
        test.says(said)
        expect(re.findall(r"^(vf_\w+) +\d+ ", test.said, re.M) == [*blocks], "other blocks")
    with test.case("nothing changed: the smallest alone"):
        measured(0, "^baseline: 1 same$", "vf_domain")
    with test.case("the smallest is worse than recorded"):
        test.edit(scaled("vf_domain", ge=0.9))
        measured(1, r"worse: vf_domain \(fermi\)", "vf_domain")
    test.restore()
    with test.case("another comment is no change"):
        test.fault(DOMAIN, BUSY, f"// busy\n  {BUSY}")
        measured(0, "^baseline: 1 same$", "vf_domain")
    test.restore()
    with test.case("RTL that has changed"):
        test.fault(DOMAIN, BUSY, PLANTED.format("mode_i") + BUSY.replace(";", " && !planted_q;"))
        measured(1, r"worse: vf_domain \(fermi\): 14 -> 15 flip-flops", "vf_domain", "vf_vote")
    test.restore()
    with test.case("a package that has changed"):
        package = Path("rtl/common/ballast_pkg.sv")
        package.write_text(package.read_text() + "`define OTHER 1\n")
        measured(0, "^baseline: 2 same$", "vf_domain", "vf_vote")
        test.says(r"^area.py: recorded of other RTL: vf_domain \(fermi\); 'make area-update ")
    test.restore()
    for name, change in (("other parameters", lambda base: row(base, "vf_domain").update(parameters="Domain=7")),
                         ("other tools", lambda base: base["tools"].update(yosys="Yosys 0.1"))):
        with test.case(f"{name}: measured"):
            test.edit(change)
            measured(0, "stale, not compared", "vf_domain", "vf_vote")
    with test.case("a row without the sum of its sources: damaged"):
        test.edit(lambda base: row(base, "vf_vote").pop("sources"))
        test.area(2, *two, env=QUICK)
        test.one_line(f"{BASE} is damaged")
    test.restore()


def tools(test: AreaTest) -> None:
    real = {tool: shutil.which(tool) for tool in ("yosys", "sta")}
    for name, tool, script, said in some(TOOLS, 4):
        with test.case(name):
            test.row_of(2, "vf_domain", said, test.instead(**{tool: script.format(**real)}))
    with test.case("a tool that hangs"):
        test.row_of(2, "eq_counters", r"eq_counters \(fermi\): yosys: no answer in 0.1 s", {"AREA_LIMIT": "0.1"})


def stopped(test: AreaTest, until: str, *arguments: str) -> None:
    """Ctrl-C once the progress says so."""
    process = subprocess.Popen([sys.executable, AREA, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=os.environ | QUICK | {"JOBS": "2"})
    for line in process.stderr:
        if until in line:
            break
    process.send_signal(signal.SIGINT)
    said, complaints = process.communicate()
    test.said = said + complaints
    expect(process.returncode == 130, f"exit status {process.returncode}, not 130")
    left = [*Path("synth_scripts").rglob(".area*"), *(test.work / "tmp").iterdir()]
    expect(not left, f"left behind: {left}")


def interrupted(test: AreaTest) -> None:
    with test.case("stopped: the finished rows are shown, nothing is left"):
        stopped(test, "1 of 2", "--block", "sm_governor", "--block", "vf_domain", "fermi")
        test.says("^vf_domain +14 ")
        test.says("^1 of 2 measured$")
    with test.case("update stopped: the baseline is as it was"):
        stopped(test, "1 of", "--update")
        expect(json.loads(BASE.read_text()) == test.base, "the baseline has changed")


def update_of_a_block(test: AreaTest) -> None:
    def found() -> dict[tuple[str, str], int]:
        return {(one["config"], one["block"]): one["flip_flops"] for one in json.loads(BASE.read_text())["rows"]}
    with test.case("update of a block: its rows, the others as they were"):
        test.edit(lambda base: [one.update(flip_flops=1) for one in base["rows"]] +
                  [base["rows"].append(row(base, "vf_vote") | {"block": name}) for name in ("eq_counters", "cta_throttle")])
        test.area(0, "--update", "--block", "vf_vote")
        wanted = {("atom", "vf_vote"): 10, ("fermi", "cta_throttle"): 1, ("fermi", "eq_counters"): 1, ("fermi", "vf_domain"): 1, ("fermi", "vf_vote"): 18}
        expect(list(found().items()) == list(wanted.items()), f"not these, or not in the order of a whole update: {found()}")
        page = Path("doc/use/area.md").read_text()
        expect("| `vf_vote` | 18 | " in page and "| `vf_domain` | 1 | " in page and "`lcs` | 338" not in page, "the page has other rows")
        expect("</svg>" in Path("doc/use/area.svg").read_text(), "no picture beside the page")
    with test.case("update of a block, the picture cannot be drawn: baseline and page are as they were"):
        test.edit(lambda base: [one.update(flip_flops=2) for one in base["rows"]])
        before = BASE.read_text(), page
        test.area(2, "--update", "--block", "vf_vote", env=test.instead(gnuplot="exit 1"))
        test.says("doc/use/area.svg: the picture cannot be drawn: ")
        expect((BASE.read_text(), Path("doc/use/area.md").read_text()) == before, "one of them has changed")
    with test.case("update of a block, the others are of other tools: refused"):
        test.edit(lambda base: base["tools"].update(yosys="Yosys 0.1"))
        before = BASE.read_text()
        test.area(2, "--update", "--block", "vf_vote")
        test.one_line("area_baseline.json is of other tools: record all blocks anew, with 'make area-update'")
        expect(BASE.read_text() == before, "the baseline has changed")
    test.restore()


def scaling(test: AreaTest) -> None:
    for name, argument, said in (("not a list", "NumSms", "'NumSms' is not NAME=VALUE"),
                                 ("unknown parameter", "NumDogs=1,2", "no block has a parameter NumDogs")):
        with test.case(f"scaling: {name}"):
            test.command(2, sys.executable, SCALING, argument)
            test.one_line(said)
    with test.case("scaling: more SMs, more area; the CSV says so, too"):
        out = test.work / "scaling"
        test.command(0, sys.executable, SCALING, "--out", out, "NumSms=1,2")
        test.says("written: .*scaling.csv")
        rows = list(csv.DictReader((out / "scaling.csv").open()))
        for block in ("ballast_regs", "vf_vote"):
            small, large = (int(one["ge"]) for one in rows if one["block"] == block)
            expect(0 < small < large, f"{block}: {small} and {large} GE")


if __name__ == "__main__":
    AreaTest.main(str(AREA), refusals, first_run, verdicts, libraries, changed, tools, interrupted, update_of_a_block, scaling)
