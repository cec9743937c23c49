#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_common_mode.py [BUILD_DIR]: does common_mode.py count as killed only what a rule kills? Judges that always, never or by
chance say killed, tests that compare with the model, tests that crash or never end, a netlist that is not the block, results
that are cut short, solvers that do not answer, no mutants. Ends with "N passed, N failed"."""
from __future__ import annotations

import csv
import itertools
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), str(HERE.parent / "flow")]

import rule_tests
import steps
import table
import tools
import variants
from blocks import Target, block, targets
from planted import Planted, expect
from runs import Campaign

BLOCK = "eq_decision"
COUNT = 8
SMALL = ("--mutants", COUNT, BLOCK)
ASKED = range(1, 5)  # of these again, where a solver does not answer


class Test(Planted):
    def row(self) -> dict[str, Any]:
        rows = json.loads((self.out / "common.json").read_text())["blocks"]
        expect([row["block"] for row in rows] == [BLOCK], str(rows))
        return rows[0]

    def lines(self) -> list[dict[str, str]]:
        with (self.out / "common.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    @property
    def folder(self) -> Path:
        return self.out / BLOCK

    def campaign(self) -> tuple[Campaign, Target]:
        given = steps.parser("test", "").parse_args(["--build", str(self.build), "--out", str(self.out), *map(str, SMALL)])
        return steps.build(steps.campaign_of(given, table.COMMON)), targets("mutate", block(BLOCK), "fermi")[0]


def results_of(out: Path) -> dict[Path, int]:
    files = [file for folder in ("judged", "proofs", "rules", "circuits") for file in out.glob(f"*/{folder}/*") if file.is_file()]
    return {file: file.stat().st_mtime_ns for file in files}


def whole_campaign(test: Test) -> None:
    with test.case("a small campaign meets the bar"):
        test.run(0, *SMALL)
        test.says(f"^{BLOCK} .* 100.0%")
    with test.case("every mutant has one verdict, and the table adds them up"):
        row, lines = test.row(), test.lines()
        expect([int(line["mutant"]) for line in lines] == list(range(1, COUNT + 1)), "not every mutant once")
        for kind, column in (("test", "by_tests"), ("rule", "by_rules"), ("equivalent", "equivalent"), ("survived", "survived")):
            expect(sum(line["verdict"] == kind for line in lines) == row[column], f"{kind}: {row}")
        expect(row["by_tests"] > COUNT // 2 and row["equivalent"] > 0 and row["survived"] == 0, str(row))
    with test.case("what is done is not done again"):
        done, lines = results_of(test.out), test.lines()
        test.run(0, *SMALL)
        expect(done and done == results_of(test.out) and lines == test.lines(), "something was done again")


# ---- judges ----------------------------------------------------------------------------------------

def judge(test: Test, how: str, status: int = 0, **env: str) -> rule_tests.Said | None:
    """What the judge says of a program with this planted test."""
    raw, memory = test.work / "raw", test.work / "memory"
    for old in (raw, memory):
        old.unlink(missing_ok=True)
    test.command(status, test.work / "planted.run", env={
        "MUTATE_NETLIST": str(test.folder / "core.aag"), "MUTATE_CIRCUITS": str(test.folder / "circuits"),
        "MUTATE_RESULT": str(raw), "PLANTED": how, "PLANTED_BLOCK": BLOCK, "PLANTED_FILE": str(memory)} | env)
    return rule_tests.read_file(raw, "planted") if status == 0 else None


def judges(test: Test) -> None:
    campaign, target = test.campaign()
    tools.run([*campaign.made["compile"].split(), "-c", "tb/mutate/planted.c", "-o", test.work / "planted.o"])
    own = [test.folder / "judged/blocks.o", test.folder / "judged/model.o"]
    rule_tests.link_one(campaign, target, own, test.work / "planted.o", test.work / "planted.run")
    for how in ("always fails", "fails again", "is killed again"):
        with test.case(f"a test that {how}: it fails without a mutant, and nothing is killed"):
            judge(test, how, 2)
            test.one_line("^mutate: test 'test' fails without a mutant$")
    with test.case("a test that says nothing kills nothing"):
        said = judge(test, "says nothing")
        expect(said and not said.kills and said.tests == {"planted: test": "rule"}, str(said))
    with test.case("a test that compares with the model is none that judges"):
        said = judge(test, "compares with the model")
        expect(said and not said.kills and said.tests == {"planted: test": "twins"}, str(said))
    with test.case("a test that finds mutants kills them"):
        said = judge(test, "finds")
        expect(said and len(said.kills) > COUNT // 3 and not said.unclear, str(said))
    found = set(said.kills) if said else set()
    for how in ("is killed by mutants", "leaves with mutants"):
        with test.case(f"a test that {how} says nothing of them"):
            said = judge(test, how)
            expect(said and not said.kills and set(said.unclear) == found, str(said))
    with test.case("mutants that are killed already are left alone"):
        known = test.work / "known"
        known.write_text("".join(f"{mutant}\n" for mutant in sorted(found)[1:]))
        said = judge(test, "finds", MUTATE_KILLED=str(known))
        expect(said and set(said.kills) == {min(found)}, str(said))
        for text in ("4711\n", "1\nall\n"):
            known.write_text(text)
            judge(test, "finds", 2, MUTATE_KILLED=str(known))
            test.one_line("no numbers of mutants")
        judge(test, "finds", 2, MUTATE_KILLED=str(test.work / "nosuchfile"))
    with test.case("a test that never ends with a mutant kills it"):
        said = judge(test, "never ends with mutants")
        expect(said and set(said.kills) == found, str(said))


def bad_results(test: Test) -> None:
    file = next(file for file in test.folder.glob("judged/test_*") if not file.suffix)
    good = file.read_text()
    kill = next(line for line in good.splitlines() if line.startswith("kill"))
    cases = {"is empty": "", "is cut short": good[:-1], "has words of its own": f"{good}killed\t1\n",
             "kills by a test that does not judge": f"test\tx\ttwins\n{kill}\n",
             "kills a mutant that is not there": f"{good}{kill.replace(kill.split(chr(9))[1], '4711', 1)}\n"}
    for name, text in cases.items():
        with test.case(f"a judge's result that {name} is none"):
            file.write_text(text)
            test.run(2, *SMALL)
    with test.case("no test that judges: nothing is killed by tests"):
        file.write_text("test\tx\ttwins\n")
        test.run(0, *SMALL)  # the rules find them
        expect(test.row()["by_tests"] == 0 and test.row()["rule_tests"] == 0, str(test.row()))
    file.write_text(good)
    with test.case("a variant's netlist that is not the block is refused"):
        circuit = test.folder / f"circuits/{BLOCK}.aag"
        before = circuit.read_text()
        lines = before.splitlines()
        output = 1 + int(lines[0].split()[2])
        lines[output] = str(int(lines[output]) ^ 1)
        circuit.write_text("\n".join(lines) + "\n")
        test.run(2, *SMALL)
        test.says("fails without a mutant")
        circuit.write_text(before)


# ---- rules -----------------------------------------------------------------------------------------

def rules(test: Test) -> None:
    with test.case("the rules alone meet the bar"):
        test.run(0, "--no-tests", *SMALL)
        row = test.row()
        expect(row["by_tests"] == 0 and row["by_rules"] > COUNT // 2 and row["survived"] == 0, str(row))
    broken = next(int(line["mutant"]) for line in test.lines() if line["verdict"] == "rule")
    file, own = test.folder / f"rules/{broken}", test.folder / "rules/0"
    good, proved = file.read_text(), own.read_text()
    for name, text in (("is empty", ""), ("says another word", good.replace("failed", "broken")),
                       ("has a line too short", good + "failed\n"), ("is open", good.replace("failed", "open"))):
        with test.case(f"an answer on rules that {name} kills nothing"):
            file.write_text(text)
            test.run(1, "--no-tests", *SMALL)
            expect(test.lines()[broken - 1]["verdict"] == "survived", str(test.lines()[broken - 1]))
            test.says(rf"^{BLOCK}: survived: mutant {broken}: cell [^;]*; port [^;]*; bit [0-9]+ [^;]*; rtl/sm/{BLOCK}.sv:[0-9]+")
    file.write_text(good)
    with test.case("a rule that is not proved of the block kills nothing"):
        own.write_text(proved.replace("proved", "open"))
        test.run(1, "--no-tests", *SMALL)
        expect(test.row()["by_rules"] == 0 and test.row()["rules"] == 0, str(test.row()))
    own.write_text(proved)
    for name, script, wait in (("is killed", "kill -9 $$", None), ("says nothing", "exit 0", None), ("never ends", "sleep 60", 0.05)):
        with test.case(f"with a solver that {name} no rule kills and nothing is equivalent"):
            for folder, mutant in itertools.product(("rules", "proofs"), (0, *ASKED)):
                (test.folder / folder / str(mutant)).unlink(missing_ok=True)
            test.run(1, "--seconds", 1, "--no-tests", *SMALL, env=test.instead(berkeley_abc=script, yosys_abc=script), wait=wait)
            expect(test.row()["by_rules"] == 0 and test.row()["rules"] == 0, str(test.row()))
            said = [line["by"] for line in test.lines() if line["verdict"] == "equivalent" and int(line["mutant"]) in ASKED]
            expect(set(said) <= {"nothing reads it"}, str(said))
    with test.case("a block that breaks its own rules is refused"):
        core = test.folder / "core.aag"
        before = core.read_text()
        lines = before.splitlines()
        first = 1 + int(lines[0].split()[2])
        for output in range(first, first + int(lines[0].split()[4])):
            lines[output] = "1"
        core.write_text("\n".join(lines) + "\n")
        shutil.rmtree(test.folder / "rules", ignore_errors=True)
        test.run(2, "--no-tests", *SMALL)
        test.says("the block without a mutant breaks the rule ")
        core.write_text(before)


# ---- parts -----------------------------------------------------------------------------------------

def cell(type_of: str, line: int, pins: int = 4) -> dict[str, Any]:
    return {"type": type_of, "attributes": {"src": f"a.sv:{line}"}, "connections": {"A": list(range(pins))}}


def parts(test: Test) -> None:
    one = {"$add$a.sv:1$7": cell("$add", 1), "$procmux$10": cell("$mux", 2), "$procmux$11": cell("$mux", 2),
           "u_x": cell("$paramod\\x", 3)}
    with test.case("cells of another variant: by place, in order; not where one has more of them"):
        other = {"$add$a.sv:1$9": cell("$add", 1), "$procmux$20": cell("$mux", 2), "$procmux$8": cell("$mux", 2),
                 "u_x": cell("$paramod$1\\x", 3)}
        expect(variants.same_cells(one, other) == {"$add$a.sv:1$7": "$add$a.sv:1$9", "$procmux$10": "$procmux$8",
                                                   "$procmux$11": "$procmux$20", "u_x": "u_x"}, "other cells")
        other["$procmux$21"] = cell("$mux", 2)
        expect(variants.same_cells(one, other).keys() == {"$add$a.sv:1$7", "u_x"}, "cells of which there are more")
    with test.case("a mutant of a bit that another variant lacks is not in it"):
        line = "mutate -mode cnot0 -module m -cell $procmux$10 -port A -portbit 3 -ctrlbit 1 -wire w -wirebit 3 -src a.sv:2"
        expect(variants.translate(line, {"$procmux$10": "$procmux$8"}, {"$procmux$8": cell("$mux", 2)}) ==
               "mutate -mode cnot0 -module m -cell $procmux$8 -port A -portbit 3 -ctrlbit 1", "another mutant")
        expect(variants.translate(line, {"$procmux$10": "$procmux$8"}, {"$procmux$8": cell("$mux", 2, 3)}) == "", "a bit too many")
        expect(variants.translate(line, {}, {}) == "", "a cell that is not there")


def no_list(test: Test) -> None:
    with test.case("no mutants: an error"):
        shutil.rmtree(test.out)
        test.run(2, *SMALL, env=test.instead(yosys=f'for last; do :; done; {shutil.which("yosys")} "$@"; '
                                                   'case "$last" in *list.ys) : > "${last%.ys}";; esac'))
        test.one_line(r"yosys: left no \S+/list")


def pages(test: Test) -> None:
    path = test.work / "page.md"
    status = {"config": "c", "tool": "t", "seed": 1, "blocks": [{"block": "b", "mutants": 4, "equivalent": 1, "by_tests": 2, "by_rules": 0,
                                                                "survived": 1, "score": 66.7, "rule_tests": 3, "rules": 5}]}
    with test.case("the table of a page is written anew, and nothing else"):
        path.write_text("before\n<!-- common-mode -->\nold\n<!-- end of common-mode -->\nafter\n")
        table.update(path, table.COMMON, status, ["b"])
        text = path.read_text()
        expect(text.startswith("before\n") and text.endswith("\nafter\n") and "old" not in text, text)
        expect("| `b` | 4 | 1 | 2 | 0 | 1 | 66.7 % | 3 | 5 |" in text, text)


def bad_input(test: Test) -> None:
    (test.work / "plain.md").write_text("no marks\n")
    test.refuse({
        "an unknown block": (["nosuchblock"], "no block 'nosuchblock'; there are: "),
        "an unknown configuration": (["--config", "nosuchconfig"], "no configuration 'nosuchconfig'; there are: "),
        "no number": (["--mutants", "many", "lcs"], "wants a number, not 'many'"),
        "a page without marks": (["--page", test.work / "plain.md", "lcs"], "has no lines '<!-- common-mode -->'"),
        "a weaker campaign for the page": (["--page", "doc/verification/mutate.md", "--no-tests", "lcs"], "leave out --no-tests"),
        "no page": (["--page", test.work / "none.md", "lcs"], "no page "),
    })
    test.refuse({"a missing tool": (["lcs"], "yosys is not installed; 'make setup' installs")}, test.only("sh", "cat"))


if __name__ == "__main__":
    Test.main("tb/mutate/common_mode.py", whole_campaign, judges, bad_results, rules, parts, no_list, pages, bad_input)
