# SPDX-License-Identifier: Apache-2.0
"""The rows of energy.csv, as text and as a page's table."""
from __future__ import annotations

from csv import DictWriter
from pathlib import Path
from typing import Any

import tools
from account import Account
from cells import Library
from technology import Technology

Row = dict[str, Any]
# Energies without a unit are of a cycle, in inputs of the smallest inverter at voltage squared; pj_ and leakage_pj in pJ.
COLUMNS = ["config", "block", "policy", "recording", "cycles", "decisions", "ge", "flip_flops", "still_flip_flops", "clock", "registers", "logic", "inputs",
           "total", "still", "resting", "leakage_pj", "pj_per_cycle", "pj_per_cycle_gated", "pj_per_cycle_resting", "pj_per_decision", "technology"]
DIGITS = 6


def row(config: str, block: str, policy: str, recording: str, decisions: int, ge: float, of: Account, by: Technology, mhz: float) -> Row:
    """`gated`: no clock for flip-flops that never change. `resting`: none for a part in the cycles in which it rests."""
    leakage = by.leakage(ge, mhz)
    whole, gated, resting = (by.picojoules(of.total - less) + leakage for less in (0, of.still, of.resting))
    energies = {name: round(getattr(of, name), DIGITS) for name in ("clock", "registers", "logic", "inputs", "total", "still", "resting")}
    return {"config": config, "block": block, "policy": policy, "recording": recording, "cycles": of.cycles, "decisions": decisions, "ge": round(ge),
            "flip_flops": of.flip_flops, "still_flip_flops": of.still_flip_flops, **energies, "leakage_pj": round(leakage, DIGITS),
            "pj_per_cycle": round(whole, DIGITS), "pj_per_cycle_gated": round(gated, DIGITS), "pj_per_cycle_resting": round(resting, DIGITS),
            "pj_per_decision": round(whole * of.cycles / decisions, 1) if decisions else None, "technology": by.name}


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def _words(row: Row) -> list[str]:
    per_decision = "-" if row["pj_per_decision"] is None else f"{row['pj_per_decision'] / 1000:.1f}"
    return [str(row["decisions"]), str(row["flip_flops"]), str(row["still_flip_flops"]), f"{row['total']:.0f}", percent(row["clock"], row["total"]),
            f"{row['pj_per_cycle']:.2f}", f"{row['pj_per_cycle_gated']:.2f}", f"{row['pj_per_cycle_resting']:.2f}", per_decision]


HEAD = ["decisions", "FF", "still", "C_inv V^2", "clock", "pJ/cycle", "gated", "resting", "nJ/decision"]
WIDTHS = (9, 5, 6, 9, 6, 9, 8, 8, 11)


def lines(rows: list[Row]) -> list[str]:
    found = []
    for recording, cycles in dict.fromkeys((row["recording"], row["cycles"]) for row in rows):
        found += [f"{rows[0]['config']}, {recording}, {cycles} cycles:",
                  " ".join([f"{'block':<16} {'policy':<10}", *(f"{word:>{width}}" for word, width in zip(HEAD, WIDTHS))])]
        found += [" ".join([f"{row['block']:<16} {row['policy']:<10}", *(f"{word:>{width}}" for word, width in zip(_words(row), WIDTHS))])
                  for row in rows if (row["recording"], row["cycles"]) == (recording, cycles)]
        found.append("")
    return found


def legend(by: Technology, library: Library, mhz: float) -> list[str]:
    return [f"library {library.name}; {by.name}: inverter {by.femtofarads:g} fF, {by.volts:g} V, leakage {by.nanowatts:g} nW per GE at {mhz:g} MHz; "
            "no wires, no glitches, no clock tree"]


def page(rows: list[Row], by: Technology) -> list[str]:
    """Of the first recording."""
    first = rows[0]
    return [f"In `{first['config']}`, {first['cycles']} cycles of `{first['recording']}`, {by.name}:", "",
            f"| block | policy | {' | '.join(HEAD)} |", "|---" * (len(HEAD) + 2) + "|",
            *(f"| `{row['block']}` | {row['policy'] or '-'} | {' | '.join(_words(row))} |" for row in rows if row["recording"] == first["recording"])]


def page_of_recordings(rows: list[Row]) -> list[str]:
    """The blocks with policies: a row per recording, a column per policy."""
    own = [row for row in rows if row["policy"]]
    policies = list(dict.fromkeys(row["policy"] for row in own))
    cells = {(row["recording"], row["policy"]): f"{row['pj_per_cycle']:.2f}, {row['pj_per_cycle_resting']:.2f}" for row in own}
    cycles = {row["recording"]: row["cycles"] for row in own}
    return [f"| recording | cycles | {' | '.join(policies)} |", "|---" * (len(policies) + 2) + "|",
            *(f"| `{name}` | {cycles[name]} | {' | '.join(cells[name, policy] for policy in policies)} |" for name in cycles)]


def write(path: Path, rows: list[Row], columns: list[str] | None = None) -> None:
    with tools.whole(path) as file:
        writer = DictWriter(file, columns or COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"written: {path}")
