# SPDX-License-Identifier: Apache-2.0
"""The recorded rows, and what a run is beside them.

Verdicts: better, same, worse, stale, new; none where nothing is compared. More flip-flops are always worse; area and LUTs may
be 5 % up, the longest path 10 %: other names of wires alone move abc's choices that far (doc/use/area.md).
"""
from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import fo4
import measure
import prover
import tools
import yosys
from blocks import blocks, words_of
from cells import Library
from measure import Job, Row
from output import fixed
from tools import Failure

FILE = Path("synth_scripts/area/area_baseline.json")
SLACK = {"flip_flops": 0, "ge": 5, "lut4": 5, "fo4": 10}  # percent
WORDS = {"flip_flops": "flip-flops", "ge": "GE", "lut4": "LUT4", "fo4": "FO4"}
RECORDED = ("config", "block", "parameters", "sources", "flip_flops", "cells", "ge", "lut4", "fo4")
Baseline = dict[str, Any]


def _complete(found: Any) -> bool:
    return bool(found["tools"]) and isinstance(found["tools"], dict) and bool(found["rows"]) and all(
        all(isinstance(row[key], str) for key in ("config", "block", "parameters", "sources")) and
        all(isinstance(row[key], (int, float)) for key in SLACK) for row in found["rows"])


def read() -> Baseline:
    if not FILE.is_file():
        raise Failure(f"no {FILE} to compare with; 'make area-update' makes it")
    try:
        found = json.loads(FILE.read_text())
        if _complete(found):
            return found
    except (ValueError, KeyError, TypeError):
        pass
    raise Failure(f"{FILE} is damaged: no tools or rows of numbers in it; restore it, or make it anew with 'make area-update'")


def write(used: dict[str, str], rows: list[Row]) -> None:
    def text(value: Any) -> str:
        return json.dumps(value, separators=(",", ":"))
    lines = ",\n".join(text({key: row[key] for key in RECORDED}) for row in rows)
    with tools.whole(FILE) as file:
        file.write('{\n"licence": "SPDX-License-Identifier: Apache-2.0",\n"made_by": "make area-update",\n'
                   f'"tools": {text(used)},\n"rows": [\n{lines}\n]\n}}\n')


def page_table(rows: list[Row]) -> list[str]:
    """The recorded rows, a table for each configuration."""
    lines = []
    for config in dict.fromkeys(row["config"] for row in rows):
        lines += [f"In `{config}`:", "", "| block | FF | cells | GE | LUT4 | FO4 |", "|---|---|---|---|---|---|"]
        lines += [f"| `{row['block']}` | {row['flip_flops']} | {row['cells']} | {row['ge']} | {row['lut4']} | "
                  f"{fixed(row['fo4'], 1)} |" for row in rows if row["config"] == config] + [""]
    return lines[:-1]


def changed(base: Baseline, jobs: list[Job], used: dict[str, str]) -> list[Job]:
    """What the baseline does not say of these sources, parameters and tools; and the smallest of the rest, to see that a measurement still
    gives what it gave."""
    recorded = {(old["config"], old["block"], old["parameters"], old["sources"]): old for old in base["rows"] if base["tools"] == used}
    known = {job: recorded[place] for job in jobs if (place := (job.label, job.name, words_of(job.params), job.sources)) in recorded}
    smallest = sorted(known, key=lambda job: known[job]["cells"])[:1]
    return [job for job in jobs if job not in known or job in smallest]


def of_other_rtl(rows: list[Row], base: Baseline) -> str:
    """What is not worse than recorded, and not what was recorded."""
    recorded = {(old["config"], old["block"]): old["sources"] for old in base["rows"]}
    return ", ".join(f"{row['block']} ({row['config']})" for row in rows
                     if recorded.get((row["config"], row["block"]), row["sources"]) != row["sources"])


def check_tools(base: Baseline, used: dict[str, str]) -> None:
    """Rows that other tools have made do not go together."""
    if base["tools"] != used:
        raise Failure(f"{FILE} is of other tools: record all blocks anew, with 'make area-update'")


def together(base: Baseline, rows: list[Row], order: list[tuple[str, str]]) -> list[Row]:
    """The baseline's rows with these in their places, or added: (configuration, block) in this order."""
    all_rows = {(row["config"], row["block"]): row for row in [*base["rows"], *rows]}
    return [all_rows[place] for place in order if place in all_rows]


def _recipe(library: Library) -> str:
    """A sum of what is done to any block: commands, constraints, timing set-up."""
    block = dataclasses.replace(next(iter(blocks().values())), name="BLOCK")
    anywhere = dataclasses.replace(library, path=Path("LIBERTY"), constraints=Path("CONSTRAINTS"))
    commands = [*yosys.elaborated(block, {"NAME": 1}), *yosys.mapped("BLOCK", anywhere), measure.ice40("BLOCK")]
    files = [path.read_text() for path in (library.constraints, measure.TIMING_SCRIPT, fo4.SCRIPT)]
    return hashlib.sha256("\n".join(commands + files + [fo4.chain(library)]).encode()).hexdigest()[:16]


def used_tools(library: Library) -> dict[str, str]:
    """What a result depends on besides the RTL."""
    def first(*command: str, pattern: str = ".+") -> str:
        found = re.search(pattern, tools.run(list(command), seconds=60).stdout)
        return found[0] if found else "unknown"
    return {"yosys": first("yosys", "-V"), "abc": first(prover.abc(), "-c", "version", pattern=".*ABC [0-9].*"),
            "opensta": first("sta", "-version"), "library": library.sum, "recipe": _recipe(library)}


def _changes(row: Row, old: Row, sign: int) -> str:
    """What is worse (1) or better (-1) than recorded."""
    return ", ".join(f"{old[key]} -> {row[key]} {WORDS[key]}" for key, slack in SLACK.items()
                     if row[key] is not None and sign * row[key] * 100 > sign * old[key] * (100 + sign * slack))


def _verdict(row: Row, old: Row | None) -> tuple[str, str]:
    if old is None:
        return "new", "not in the baseline"
    if old["parameters"] != row["parameters"]:
        return "stale", f"recorded with {old['parameters']}, now {row['parameters']}"
    if worse := _changes(row, old, 1):
        return "worse", worse
    if better := _changes(row, old, -1):
        return "better", better
    return "same", ""


def judge(rows: list[Row], base: Baseline | None, used: dict[str, str]) -> list[Row]:
    """The rows with a verdict and why."""
    if base is None:
        return [row | {"verdict": "none", "why": ""} for row in rows]
    differ = "; ".join(f"{key}: {base['tools'].get(key, 'unknown')} there, {value} here"
                       for key, value in used.items() if base["tools"].get(key) != value)
    recorded = {(old["config"], old["block"]): old for old in reversed(base["rows"])}
    judged = []
    for row in rows:
        verdict, why = ("stale", differ) if differ else _verdict(row, recorded.get((row["config"], row["block"])))
        judged.append(row | {"verdict": verdict, "why": why})
    return judged


def summary(judged: list[Row]) -> str:
    return ", ".join(f"{count} {verdict}" for verdict, count in sorted(Counter(row["verdict"] for row in judged).items()))


def stale(judged: list[Row]) -> list[str]:
    counts = Counter(row["why"] for row in judged if row["verdict"] == "stale")
    return [f"{count} of them: {why}" for why, count in sorted(counts.items())]


def complaints(judged: list[Row], base: Baseline, known: set[tuple[str, str]]) -> list[str]:
    """What fails: rows that are worse or new, and recorded ones (configuration, block) that are no more."""
    lines = [f"{row['verdict']}: {row['block']} ({row['config']}): {row['why']}"
             for row in judged if row["verdict"] in ("worse", "new")]
    return lines + [f"gone: {old['block']} ({old['config']}): the baseline has it, the repository has not"
                    for old in base["rows"] if (old["config"], old["block"]) not in known]
