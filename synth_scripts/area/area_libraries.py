#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far the built-in library is from another one: all blocks of each configuration in both, area and longest path. Of the built-in one
the baseline's rows. Writes the table of doc/use/area.md, and that of the built-in library's cells. Run from the repository root.
"""
from __future__ import annotations

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))

import baseline  # noqa: E402
import cells  # noqa: E402
import fo4  # noqa: E402
import logical_effort  # noqa: E402
import measure  # noqa: E402
import pages  # noqa: E402
import tools  # noqa: E402
from blocks import choose_to_list, configuration, configurations, targets, words_of  # noqa: E402
from measure import Row  # noqa: E402
from output import fixed  # noqa: E402
from tools import Failure  # noqa: E402

PAGE, COMMAND = Path("doc/use/area.md"), "make libraries"
Place = tuple[str, str]  # configuration, block


def jobs(configs: list[str]) -> list[measure.Job]:
    return [measure.Job(config, target.name, one, target.params, False) for config in configs
            for one in choose_to_list([]) for target in targets("area", one, config, ("claim", "recipes", "policies"))]


def recorded(chosen: list[measure.Job], work: Path) -> dict[Place, Row]:
    """The baseline's rows; refused if one is of other RTL or was made otherwise."""
    base = baseline.read()
    baseline.check_tools(base, baseline.used_tools(cells.library([cells.BUILT_IN], work)))
    rows = {(row["config"], row["block"], row["parameters"], row["sources"]): row for row in base["rows"]}
    found = {(job.label, job.name): rows.get((job.label, job.name, words_of(job.params), job.sources)) for job in chosen}
    if missing := [f"{name} ({config})" for (config, name), row in found.items() if row is None]:
        raise Failure(f"the baseline does not have {', '.join(missing)} of this RTL; 'make area-update' first")
    return {place: row for place, row in found.items() if row is not None}


def beside(own: dict[Place, Row], others: list[Row], name: str) -> list[str]:
    """A table for each configuration."""
    lines = []
    for config in dict.fromkeys(other["config"] for other in others):
        lines += [f"In `{config}`:", "", *_table(own, [other for other in others if other["config"] == config], name), ""]
    return lines[:-1]


def _table(own: dict[Place, Row], others: list[Row], name: str) -> list[str]:
    lines = [f"| block | GE | {name} | ratio | FO4 | {name} | ratio |", "|---|---|---|---|---|---|---|"]
    ratios: dict[str, list[float]] = {"ge": [], "fo4": []}
    for other in others:
        row = own[other["config"], other["block"]]
        ratio = {what: row[what] / other[what] for what in ratios}
        for what, value in ratio.items():
            ratios[what].append(value)
        lines.append(f"| `{other['block']}` | {row['ge']} | {other['ge']} | {fixed(ratio['ge'], 2)} | {fixed(row['fo4'], 1)} | {fixed(other['fo4'], 1)} | "
                     f"{fixed(ratio['fo4'], 2)} |")
    mean, low, high = ([fixed(of(ratios[what]), 2) for what in ("ge", "fo4")] for of in (statistics.geometric_mean, min, max))
    return [*lines, f"| mean | | | {mean[0]} | | | {mean[1]} |", f"| least, most | | | {low[0]}, {high[0]} | | | {low[1]}, {high[1]} |"]


def of_cells() -> list[str]:
    """What the built-in library is made of."""
    lines = ["| cell | strengths | load of an input | delay without a load | GE |", "|---|---|---|---|---|"]
    kinds: dict[str, list[logical_effort.Cell]] = {}
    for cell in logical_effort.cells():
        kinds.setdefault(cell.name.rpartition("X")[0], []).append(cell)
    for kind, some in kinds.items():
        # Of strength 1, or of the least.
        loads, delays = ([fixed(what(one), 2) for one in some[0].inputs()] for what in (some[0].load, some[0].delay))
        lines.append(f"| `{kind}` | {', '.join(str(cell.strength()) for cell in some)} | {', '.join(dict.fromkeys(loads))} | {', '.join(dict.fromkeys(delays))} | "
                     f"{', '.join(fixed(cell.area(), 2) for cell in some)} |")
    flop = logical_effort.FlipFlop()
    return [*lines, f"| `{flop.name}` | {flop.strength} | D {flop.clocked}, CLK {flop.clock} | clock to Q {fixed(flop.delay(), 0)}, set-up {flop.setup} | "
                    f"{fixed(flop.area, 2)} |"]


def main() -> None:
    parser = tools.Options(description="The built-in library beside another one. doc/use/area.md")
    parser.add_argument("--library", default="osu018", metavar="NAME", help="osu018 (default), osu035 or a Liberty FILE")
    parser.add_argument("--page", action="store_true", help="writes the tables of doc/use/area.md")
    parser.add_argument("config", nargs="*", help="default all")
    given = parser.parse_args()
    for config in given.config:
        configuration(config)
    if given.page and given.config:
        raise Failure("--page writes the tables of all configurations; name none")
    measure.need()
    if given.page:
        for name in ("libraries", "cells"):
            pages.check(PAGE, name)
    with tools.scratch() as work:
        chosen = jobs(list(dict.fromkeys(given.config)) or configurations())
        own = recorded(chosen, work)
        library = cells.library([given.library], work)
        rows = measure.rows(chosen, library, fo4.ns(library, work), work, lambda finished: print("\n".join(beside(own, finished, given.library))))
    table = beside(own, rows, given.library)
    print("\n".join(table))
    if given.page:
        pages.write(PAGE, table, COMMAND, "libraries")
        pages.write(PAGE, of_cells(), COMMAND, "cells")


if __name__ == "__main__":
    tools.program(main)
