# SPDX-License-Identifier: Apache-2.0
"""The mutants of a target in the other variants of its block: a mistake in the source is in all of them.

Yosys lists mutants by cell. A cell of another variant is the same one if it has the same name but for Yosys' number, the same
type and the same place in the source, and is as far down among those that have. Where one variant has more of them than the
other, none is taken. FOLDER/circuits gets NAME.aag for every variant, with a switch for every mutant; that of a mutant that is
not in it is not connected.
"""
from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import mutants
import netlist
import tools
import yosys
from blocks import Target, parameters, variants
from netlist import Json
from runs import Campaign

Kin = tuple[str, str, str]


def names(target: Target) -> list[str]:
    """The variants whose RTL is the block's own source. A block's shim.c puts the block together by hand."""
    by_hand = target.block.has("shim.c")
    return [name for name in variants(target.block) if not (by_hand and name == target.block.name)]


def _kin(name: str, cell: Json) -> Kin:
    type_of = re.sub(r"^\$paramod.*\\", "", cell["type"])
    return re.sub(r"\$\d+$", "", name), type_of, cell.get("attributes", {}).get("src", "")


def _by_kin(cells: dict[str, Json]) -> dict[Kin, list[str]]:
    def number(name: str) -> int:
        found = re.search(r"\$(\d+)$", name)
        return int(found[1]) if found else 0

    found: dict[Kin, list[str]] = defaultdict(list)
    for name in sorted((name for name, cell in cells.items() if cell["type"] != "$dff"), key=number):
        found[_kin(name, cells[name])].append(name)
    return found


def same_cells(of: dict[str, Json], other: dict[str, Json]) -> dict[str, str]:
    """The cells of `of` by name, and what each is in `other`."""
    theirs = _by_kin(other)
    pairs: dict[str, str] = {}
    for kin, own in _by_kin(of).items():
        if len(own) == len(theirs.get(kin, [])):
            pairs.update(zip(own, theirs[kin], strict=True))
    return pairs


def translate(line: str, cells: dict[str, str], other: dict[str, Json]) -> str:
    """A mutant as Yosys lists it, in another circuit; "" if it is not there."""
    words = line.split()
    place = {word[1:]: number + 1 for number, word in enumerate(words) if word in ("-cell", "-port", "-portbit", "-ctrlbit")}
    cell = cells.get(words[place["cell"]].removeprefix("\\"))
    if cell is None:
        return ""
    pins = other[cell]["connections"].get(words[place["port"]].removeprefix("\\"), [])
    if any(int(words[place[bit]]) >= len(pins) for bit in ("portbit", "ctrlbit") if bit in place):
        return ""
    prefix = "\\" if words[place["cell"]].startswith("\\") else ""
    words[place["cell"]] = prefix + cell
    # The wire and its place are for readers; the wire may have another name here.
    return " ".join(words[:max(place.values()) + 1])


def _cells(target: Target, params: dict[str, int], folder: Path) -> dict[str, Json]:
    yosys.run([*mutants.read(target.block, params), f"write_json {folder}/cells.json"], folder / "cells.ys")
    return netlist.module(folder / "cells.json", target.block.name)["cells"]


def make(campaign: Campaign, target: Target, name: str) -> bool:
    """FOLDER/circuits/NAME.aag; whether there was something to do."""
    folder = campaign.folder(target)
    core, done = folder / "core.aag", folder / f"circuits/{name}.aag"
    if done.is_file() and done.stat().st_mtime_ns >= core.stat().st_mtime_ns:
        return False
    work = folder / f"circuits/{name}.work"
    work.mkdir(parents=True, exist_ok=True)
    lines = (folder / "mutants").read_text().splitlines()
    params = parameters(target.block, campaign.config, variants(target.block)[name])
    own, other = _cells(target, target.params, work), _cells(target, params, work)
    pairs = same_cells(own, other)
    translated = [translate(line, pairs, other) for line in lines]
    if params == target.params and not all(translated):
        raise tools.Failure(f"{target.name}: {translated.count('')} mutants are not found again in the same circuit")
    beside = done.with_suffix(".tmp")
    mutants.write_netlist(target.block, params, translated, work, beside)
    with tools.whole(done.with_suffix(".number")) as file:
        file.write(f"{len(lines) - translated.count('')}\n")
    beside.replace(done)
    return True
