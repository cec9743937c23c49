# SPDX-License-Identifier: Apache-2.0
"""The tables of proofs in a page (tb/flow/pages.py), one for each configuration, under its name. Below the tables stands what has no row,
and which rows are of sources that have changed since; as a program, this writes those lines anew.

  python3 tb/formal/page.py
"""
from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "flow"))

import blocks
import pages
import parts
import proved
import tools
from prover import PROVED

PAGE, LISTS = Path("doc/verification/proofs.md"), Path("tb/formal/proved")
COMMAND = "make formal-update"
MISSING, CHANGED = "Not proved: ", "Proved of sources that have changed since, or of unknown ones: "
FULL = "fermi"  # the configuration whose rules are written out
STEPS = "| block | parameters | size | from | step | seconds | |"
WHOLE = "| block | rule of the RTL | size | from | |"
COUNTED = "| block | rules of the RTL that are proved | |"
Row = dict[str, Any]
Sections = dict[str, dict[str, list[str]]]


def check(path: Path, config: str) -> None:
    pages.check(path, config)


def _line(row: Row, *columns: str) -> str:
    return " | ".join([f"| `{row['block']}`", *(str(row[column]) for column in columns)]) + " |"


def _steps(rows: list[Row], *last: str) -> list[str]:
    return [_line(row, "params", "bound", "states", "status", *last) for row in rows if row["proof"] == "step"]


def _rules(config: str, rows: list[Row]) -> tuple[list[str], list[str]]:
    """Those that are written out, and for every other target how many are proved, and which are not."""
    whole, counted = [], []
    for name in dict.fromkeys(row["block"] for row in rows):
        own = [row for row in rows if row["block"] == name and row["proof"] != "step"]
        if config == FULL and all(row["base"] for row in own):
            whole += [_line(row, "proof", "bound", "states", "status") for row in own]
        elif own:
            missing = [f"{row['proof']}: {row['status']}" for row in own if row["status"] != PROVED]
            counted.append(f"| `{name}` | {len(own) - len(missing)} of {len(own)} | {'; '.join(missing)} |")
    return whole, counted


def _sections(config: str, rows: list[Row]) -> Sections:
    whole, counted = _rules(config, rows)
    return _read([STEPS, *_steps(rows, "seconds", "text"), WHOLE, *whole, COUNTED, *counted])


def _read(lines: list[str]) -> Sections:
    """The rows of each table, by target."""
    found: Sections = {head: {} for head in (STEPS, WHOLE, COUNTED)}
    head = ""
    for line in lines:
        head = line if line in found else head
        if head and line.startswith("| `"):
            found[head].setdefault(line.split("`")[1], []).append(line)
    return found


def _place(name: str) -> tuple[int, bool, str]:
    """Blocks in their order, each before its variants. What is of no block comes last."""
    known = [one.name for one in blocks.choose_to_list([])]
    of = max((one for one in known if name == one or name.startswith(f"{one}_")), key=len, default="")
    return (known.index(of) if of else len(known), name != of, name)


def _counts(line: str) -> tuple[int, int]:
    """Of a row: how many are proved, of how many."""
    of = re.match(r"\| `[^`]+` \| (\d+) of (\d+) \|", line)
    return (int(of[1]), int(of[2])) if of else (int(f"| {PROVED} |" in line), 1)


def seconds(path: Path, config: str) -> dict[str, int]:
    """How long each step took that the page tells of, by target."""
    if not pages.has(path, config):
        return {}
    rows = _read(pages.lines(path, config))[STEPS]
    return {name: int(found[1]) for name, (line, *_) in rows.items() if (found := re.match(r"(?:\|[^|]*){5}\| (\d+) \|", line))}


def proved_whole(path: Path, config: str) -> dict[str, str]:
    """The parameters of each target whose step and rules are all proved, by name."""
    tables = _read(pages.lines(path, config))
    rules = {name: [*tables[WHOLE].get(name, []), *tables[COUNTED].get(name, [])] for name in tables[STEPS]}
    steps = {name: [word.strip() for word in line.split("|")] for name, (line, *_) in tables[STEPS].items()}
    return {name: words[2] for name, words in steps.items() if words[5] == PROVED and all(good == of for good, of in map(_counts, rules[name]))}


def _known() -> list[blocks.Block]:
    """The blocks of which something was proved once: a new one is proved before it is told of."""
    listed = {target for path in LISTS.iterdir() for target, _ in proved.read(path)}
    return [one for one in blocks.choose_to_list([]) if any(target == one.name or target.startswith(f"{one.name}_") for target in listed)]


def targets(config: str) -> list[str]:
    """What there is to prove in a configuration: all blocks, and in one of them their variants."""
    return [target.name for one in _known() for target in parts.chosen_targets(one, config, config == FULL)]


def below(config: str, rows: set[str], changed: list[str]) -> list[str]:
    """What stands below the tables that have these rows."""
    found = {MISSING: [name for name in targets(config) if name not in rows], CHANGED: [name for name in changed if name in rows]}
    return [f"{text}{', '.join(f'`{name}`' for name in names)}." for text, names in found.items() if names]


def _write(path: Path, config: str, title: str, sections: Sections, changed: list[str]) -> None:
    names = sorted(sections[STEPS], key=_place)
    table: list[str] = []
    counts: list[tuple[int, int]] = []
    for head in (STEPS, WHOLE, COUNTED):
        lines = [line for name in names for line in sections[head].get(name, [])]
        counts += map(_counts, lines)
        table += ["", head, "|---" * (head.count("|") - 1) + "|", *lines] if lines else []
    told = [line for one in below(config, {*names}, changed) for line in ("", one)]
    good, total = map(sum, zip(*counts, strict=True))
    pages.write(path, [f"{title}, {good} of {total} proved:", *table, *told], COMMAND, config)


def _title(config: str, tool: str) -> str:
    return f"In `{config}` ({tool})"


def made_by(path: Path, config: str, tool: str) -> bool:
    """Whether the table's rows are of these tools, or there are none."""
    written = pages.lines(path, config)
    return not any(_read(written).values()) or written[0].startswith(f"{_title(config, tool)}, ")


def beside(path: Path, config: str, tool: str) -> None:
    """Refuses a table that has rows of other tools: new ones cannot stand beside them."""
    if not made_by(path, config, tool):
        raise tools.Failure(f"{path}: the table '{config}' does not begin with '{_title(config, tool)}': use those tools (LLVM=), or prove all "
                            "blocks and variants")


def update(path: Path, config: str, tool: str, rows: list[Row], everything: bool, changed: list[str]) -> None:
    """The rows of what was proved now. With `everything` no others are left; else the others stay, if the same tools made them. `changed`:
    targets whose proofs are of other sources than those that are there."""
    title, new = _title(config, tool), _sections(config, rows)
    with pages.held(path):
        old = _read([] if everything else pages.lines(path, config))
        if not everything:
            beside(path, config, tool)
        asked = {row["block"] for row in rows}
        both = {head: {name: lines for name, lines in old[head].items() if name not in asked} | new[head] for head in new}
        _write(path, config, title, both, changed)


def renew(path: Path, config: str, changed: list[str]) -> None:
    """The same rows, and below them what is true now."""
    with pages.held(path):
        written = pages.lines(path, config)
        _write(path, config, written[0].rpartition(", ")[0], _read(written), changed)


def stale(path: Path, config: str, rows: list[Row], all_blocks: bool) -> list[str]:
    """What the page says otherwise, if it has this configuration: times, counts and versions of tools may differ. It has to have all
    blocks only if `all_blocks` were proved: a new one is proved before it is told of."""
    if not pages.has(path, config):
        return []
    written = pages.lines(path, config)
    if not all_blocks:
        rows = [row for row in rows if any(line.startswith(_line(row)) for line in written)]
    whole, counted = _rules(config, rows)
    return [" ".join(line.split(" | ")[:2]).strip("| ").replace("`", "") for line in (*_steps(rows), *whole, *counted)
            if not any(one.startswith(line) for one in written)]


def _main() -> int:
    for listed in sorted(LISTS.iterdir()):
        if pages.has(PAGE, listed.name):
            renew(PAGE, listed.name, proved.changed(proved.read(listed)))
    return 0


if __name__ == "__main__":
    tools.program(_main)
