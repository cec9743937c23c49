#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A netlist has the registers of its RTL, by name and width: what lockstep compares and what a waveform shows. And each recipe that the chosen one
is set beside maps a block. Run from the repository root. Last line "N passed, N failed"."""
from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))

import area_recipes  # noqa: E402
import cells  # noqa: E402
import yosys  # noqa: E402
from blocks import block, parameters  # noqa: E402
from planted import Planted, expect  # noqa: E402


def widths(name: str, commands: list[str], work: Path) -> dict[str, int]:
    """Registers by name, as these commands leave them."""
    of = block(name)
    yosys.run([*yosys.read(of, parameters(of, "fermi")), *commands, f"write_json {work}/{name}.json"], work / f"{name}.ys", 300)
    modules = json.loads((work / f"{name}.json").read_text())["modules"]
    (nets,) = [module["netnames"] for label, module in modules.items() if name in label]
    return {net: len(wire["bits"]) for net, wire in nets.items() if "register" in wire["attributes"] and not net.startswith("$")}


def registers(test: Planted) -> None:
    """A tool that gives a state machine another code would leave a register that no waveform has."""
    library = cells.library([cells.BUILT_IN], test.work)
    for name in ("sm_governor", "scout", "vf_scout", "mcke"):
        with test.case(f"{name}: mapped, it has the registers of its RTL"):
            rtl = widths(name, ["proc", "flatten", "opt_clean"], test.work)
            mapped = widths(name, yosys.mapped(name, library)[:1], test.work)
            expect(rtl and mapped == rtl, f"{sorted(set(rtl.items()) ^ set(mapped.items()))}")


def recipes(test: Planted) -> None:
    with test.case("the recipe that others are set beside is the one that is measured"):
        library = cells.library([cells.BUILT_IN], test.work)
        (chosen,) = [row for row in area_recipes.RECIPES if row[0] == "chosen"]
        beside = area_recipes.mapping(*chosen[2:])("lcs", library)
        expect([set(line.split()) for line in beside] == [set(line.split()) for line in yosys.mapped("lcs", library)], str(beside))
    with test.case("every recipe maps a block, and those that change a script change it"):
        test.command(0, sys.executable, "synth_scripts/area/area_recipes.py", "eq_decision")
        names = [row[0] for row in area_recipes.RECIPES if row[0] != "adders"]  # which the library has not
        expect([line.split()[0] for line in test.said.splitlines()[-len(names):]] == names, "a recipe has no row")
        scripts = {row[2:] for row in area_recipes.RECIPES}
        expect(len(scripts) == len(area_recipes.RECIPES), "two recipes are the same one")
    for words in ((), ("--library", "osu018"), ("--config", "kepler")):
        with test.case(f"a page of {' '.join(words) or 'one block'}: refused in one line"):
            test.command(2, sys.executable, "synth_scripts/area/area_recipes.py", "--page", *(words or ["eq_decision"]))
            test.one_line("--page writes the table of all its blocks")


if __name__ == "__main__":
    Planted.main("", registers, recipes)
