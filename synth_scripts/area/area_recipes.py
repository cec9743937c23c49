#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The recipe of tb/flow/yosys.py beside others, over some blocks (default: those with 'area BLOCK recipes' in their targets):
area in GE and longest path in FO4 of each, and the means over the blocks, the chosen recipe as 1. The table of
doc/use/area.md that says why the recipe is what it is (--page writes it). A recipe that needs cells which the library lacks is left out. Run from the
repository root.
"""
from __future__ import annotations

import statistics
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))

import cells  # noqa: E402
import fo4  # noqa: E402
import measure  # noqa: E402
import pages  # noqa: E402
import tools  # noqa: E402
import yosys  # noqa: E402
from blocks import choose_to_list, configuration, parameters, targets  # noqa: E402
from cells import Library  # noqa: E402
from measure import Row  # noqa: E402
from output import fixed  # noqa: E402
from tools import Failure  # noqa: E402

PAGE = Path("doc/use/area.md")
ADDERS = """(* techmap_celltype = "$fa" *)
module adder (A, B, C, X, Y);
  parameter WIDTH = 1;
  input [WIDTH-1:0] A, B, C;
  output [WIDTH-1:0] X, Y;
  genvar i;
  generate for (i = 0; i < WIDTH; i = i + 1) begin : bits
    FAX1 cell (.A(A[i]), .B(B[i]), .C(C[i]), .YC(X[i]), .YS(Y[i]));
  end endgenerate
endmodule
"""
CHOSEN = yosys.ABC_SCRIPT
ONCE = CHOSEN.replace(3 * yosys.ROUND, yosys.ROUND)
CONSTR = "-constr {constraints}"
FULL = f"-D 1 {CONSTR}"
# Yosys' own scripts for abc, without `&fraig -x`, which does not end on one of the blocks.
OWN = "strash;scorr;dc2;strash;&get,-n;&dch,-f;&nf;&put"
NF = CHOSEN.replace("map,-B,0.5", "&get,-n;&nf;&put").replace("-N,4", "-N,6")
# name, what it is, option of synth, commands between synth and dfflibmap, options of abc
RECIPES = [
    ("chosen", "tb/flow/yosys.py", "-noabc", "", f"{FULL} -script +{CHOSEN}"),
    ("yosys", "Yosys' own: synth, abc", "", "", f"-script +{OWN}"),
    ("sized", "Yosys' own with constraints: buffers, sizes", "", "", f"{CONSTR} -script +{OWN};buffer;upsize;dnsize"),
    ("no-constr", "chosen without constraints", "-noabc", "", f"-D 1 -script +{CHOSEN}"),
    ("twice", "chosen after synth's own generic abc", "", "", f"{FULL} -script +{CHOSEN}"),
    ("once", "chosen with one round of 'if -g' and dch", "-noabc", "", f"{FULL} -script +{ONCE}"),
    ("once-3", "the same with three readers: what was chosen before", "-noabc", "", f"{FULL} -script +{ONCE.replace('-N,4', '-N,3')}"),
    ("no-balance", "once without 'if -g'", "-noabc", "", f"{FULL} -script +{ONCE.replace(yosys.ROUND, 'dch;')}"),
    ("five", "chosen with five readers", "-noabc", "", f"{FULL} -script +{CHOSEN.replace('-N,4', '-N,5')}"),
    ("wide", "chosen with 'if -g -K 8'", "-noabc", "", f"{FULL} -script +{CHOSEN.replace('-K,6', '-K,8')}"),
    ("fanout-10", "chosen with buffer -c alone (10 readers)", "-noabc", "", f"{FULL} -script +{CHOSEN.replace(',-N,4', '')}"),
    ("amap", "chosen with amap, for area", "-noabc", "", f"{FULL} -script +{CHOSEN.replace('map,-B,0.5', 'amap,-m')}"),
    ("nf", "chosen with &nf, and six readers: between area and delay", "-noabc", "", f"{FULL} -script +{NF}"),
    ("map-less", "chosen with map -B 0.9 and six readers", "-noabc", "",
     f"{FULL} -script +{CHOSEN.replace('0.5', '0.9').replace('-N,4', '-N,6')}"),
    ("adders", "chosen with the library's full adders", "-noabc",
     "extract_fa -fa; techmap -map {work}/adders.v; techmap; opt -fast; splitnets", f"{FULL} -script +{CHOSEN}"),
    ("names", "chosen, wires inside renamed: no change at all", "-noabc",
     "rename -enumerate -pattern w%", f"{FULL} -script +{CHOSEN}"),
]


def mapping(synth: str, between: str, abc: str) -> Callable[[str, Library], list[str]]:
    def commands(top: str, library: Library) -> list[str]:
        options = abc.replace("{constraints}", str(library.constraints))
        return [f"synth -nofsm -flatten {synth} -top {top}", *filter(None, [between]), f"dfflibmap -liberty {library.path}",
                f"abc -liberty {library.path} {options}", "opt_clean -purge"]
    return commands


def table(rows: list[Row]) -> list[str]:
    """Recipes that were measured on all blocks."""
    of = {(row["config"], row["block"]): row for row in rows}
    names = sorted({row["block"] for row in rows})
    lines = [f"GE    FO4   {''.join(f'{name:>18}' for name in names)}    area  path  recipe"]
    for name, words, *_ in RECIPES:
        if not all((recipe, block) in of for recipe in ("chosen", name) for block in names):
            continue
        mine = [of[name, block] for block in names]
        mean = [statistics.geometric_mean(row[key] / of["chosen", row["block"]][key] for row in mine)
                for key in ("ge", "ns")]
        cells = "".join(f"{row['ge']:>11} {fixed(row['fo4'], 1):>6}" for row in mine)
        lines.append(f"{name:<11} {cells}  {fixed(mean[0], 2):>6}{fixed(mean[1], 2):>6}  {words}")
    return lines


def main() -> None:
    parser = tools.Options(description="The recipe of tb/flow/yosys.py beside others. doc/use/area.md")
    parser.add_argument("--config", default="fermi", help="parameters (default fermi)")
    parser.add_argument("--library", default=cells.BUILT_IN, metavar="NAME", help="effort (default), osu018, osu035 or a Liberty FILE")
    parser.add_argument("--page", action="store_true", help=f"writes the table of {PAGE}")
    parser.add_argument("block", nargs="*")
    given = parser.parse_args()
    configuration(given.config)
    if given.page and (given.block or given.config != "fermi" or given.library != cells.BUILT_IN):
        raise Failure("--page writes the table of all its blocks, in fermi and the built-in library; name nothing else")
    if given.page:
        pages.check(PAGE, "recipes")
    chosen = [one for one in choose_to_list(given.block)
              if given.block or any("recipes" in target.options for target in targets("area", one, given.config))]
    measure.need()
    with tools.scratch() as work:
        library = cells.library([given.library], work)
        (work / "adders.v").write_text(ADDERS)
        jobs = [measure.Job(name, one.name, one, parameters(one, given.config), False,
                            mapping(synth, between.format(work=work), abc))
                for name, _, synth, between, abc in RECIPES if name != "adders" or "FAX1" in library.cells for one in chosen]
        rows = measure.rows(jobs, library, fo4.ns(library, work), work, lambda finished: print("\n".join(table(finished))))
    lines = table(rows)
    print("\n".join(lines))
    if given.page:
        pages.write(PAGE, [f"    {line}" for line in lines], "make area-recipes-update", "recipes")


if __name__ == "__main__":
    tools.program(main)
