#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves for every block (default: all) that one step of the C model and one step of the RTL give equal outputs and equal
registers, from every state under every input, and that the rules of tb/blocks/BLOCK/properties.h hold of the RTL. Prints a
table and writes OUT/status.json. Run from the repository root. doc/verification/proofs.md.

What was proved once stands in tb/formal/proved/CONFIG; what is there and not proved now is a regression. A result that is not the one
in the page is told, too. With --record and --page a proof is written down as soon as it is there with those of its parts, so that an
interrupt loses what goes on alone. With --proved-parts a part that nobody asked for is not proved again where the page tells that all of it is, with
these parameters and tools, and none of its sources has changed since.

Exit 0 everything is proved (with --allow-open: or open), 1 a proof failed or is open, a regression, or a stale page, 2 usage or a tool or file is
missing, 130 interrupted.
"""
from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "flow"))

import circuits
import llvm
import origin
import page
import parts
import proved
import prove
import prover
import subject
import tools
import yosys
from blocks import Target, blocks, choose_to_list, configuration, words_of
from circuits import Setup
from kept import Kept
from prover import FAILED, OPEN, PROVED
from prove import Proof

TOOLS = ("yosys", "make", "gcc", "g++", "verilator")

PAGE = Path("doc/verification/proofs.md")
BEFORE = "proved before"  # the text of a proof that is taken from the page
Row = dict[str, Any]


def choose(names: list[str], config: str, with_variants: bool) -> list[Target]:
    """What is proved of these blocks, or of all; a name may be that of a variant or of another target, too: that one alone."""
    known = blocks()
    chosen = {name: choose_to_list([name]) for name in names if name in known} if names else {"": choose_to_list([])}
    found = [target for some in chosen.values() for one in some for target in parts.chosen_targets(one, config, with_variants)]
    every = {target.name: target for one in known.values() for target in parts.chosen_targets(one, config, True)}
    for name in names:
        if name not in chosen and name not in every:
            raise tools.Failure(f"no block '{name}', and no variant; there are: {' '.join(sorted(known))}")
    return list({target.name: target for target in [*found, *(every[name] for name in names if name not in chosen)]}.values())


def with_parts(setup: Setup, chosen: list[Target]) -> dict[Target, list[Target]]:
    """What is chosen, and what has to be proved for that: each with what is proved apart from it."""
    found: dict[Target, list[Target]] = {}
    waiting = list(chosen)
    for target in waiting:
        found[target] = []
        for kind in circuits.find_parts(setup, target, setup.out / target.name):
            known = [one for one in waiting if parts.same(one, kind)]
            found[target].append(known[0] if known else parts.target_of(kind, target, setup.config))
            waiting += [] if known else found[target][-1:]
    return found


def proved_before(path: Path, setup: Setup, chosen: list[Target], parts_of: dict[Target, list[Target]]) -> dict[str, Proof]:
    """Parts that nobody asked for and that are told to be proved, as they are now."""
    config = Path(setup.config).name
    page.beside(path, config, tool())
    listed = proved.read(setup.rooms / "formal/proved" / config)
    whole, same = page.proved_whole(path, config), {name for name, proof in listed if proof == "step"} - {*proved.changed(listed)}
    return {part.name: Proof(PROVED, BEFORE) for part in parts_of
            if part not in chosen and whole.get(part.name) == words_of(part.params) and part.name in same}


def tool() -> str:
    return f"clang {llvm.version()} IR, Yosys {yosys.version()}, ABC"


# ---- what came of it --------------------------------------------------------------------------

def verdict(target: Target, parts_of: dict[Target, list[Target]], proofs: dict[str, Proof]) -> Proof:
    """A proof by parts is one only with those of its parts."""
    proof = proofs.get(target.name, Proof(OPEN, "no answer"))
    for part in parts_of[target]:
        if proof.status == PROVED and verdict(part, parts_of, proofs).status != PROVED:
            return replace(proof, status=OPEN, text=f"{proof.text}, but {part.name} is not proved")
    taken = [part.name for part in parts_of[target] if proof.status == PROVED and proofs[part.name].text == BEFORE]
    return replace(proof, text=f"{proof.text}, {BEFORE}: {' '.join(taken)}") if taken else proof


def came_of(proof: Proof) -> str:
    """In a few words: "proved" is said of the step and all rules together."""
    missing = [rule.status for rule in proof.rules if rule.status != PROVED]
    if proof.status != PROVED or not missing:
        return proof.status
    return f"{FAILED if FAILED in missing else OPEN}: {len(missing)} of {len(proof.rules)} rules"


def rows_of(target: Target, proof: Proof) -> list[Row]:
    """What status.json says of a target: its step, then its rules."""
    common = {"block": target.name, "of": target.block.name, "params": words_of(target.params), "base": target.name == target.block.name}
    rows = [common | {"proof": "step", "status": proof.status,
                      "bound": proof.bound, "states": "invariant" if target.block.has("invariant.h") else "any state", "seconds": proof.seconds,
                      "text": proof.text}]
    for rule in proof.rules:
        rows.append(common | {"proof": f"{rule.rule}: {rule.text}", "status": rule.status, "bound": rule.bound,
                              "states": "any state" if rule.of == "EVERY" else "reset", "seconds": rule.seconds, "text": ""})
    return rows


def print_table(rows: list[Row], config: str, seconds: float) -> None:
    print(f"{'block':<18} {'from':<10} {'status':<8} {'seconds':>8}  proof")
    for row in rows:
        text = (f"{row['proof']}: {row['text']}" if row["text"] else row["proof"])[:160]
        print(f"{row['block']:<18} {row['states']:<10} {row['status']:<8} {row['seconds']:>8}  {text}")
    print(f"{sum(row['status'] == PROVED for row in rows)} of {len(rows)} proved in {config}, {seconds:.0f} s")


# ---- what is written down -----------------------------------------------------------------------

class Recorder:
    """Writes down what was proved: each target when it has ended and all that it is proved by, and in the end all."""

    def __init__(self, setup: Setup, given: argparse.Namespace, parts_of: dict[Target, list[Target]], taken: dict[str, Proof] | None = None):
        self.setup, self.given, self.parts_of = setup, given, parts_of
        self.tool = tool()
        self.listed = setup.rooms / "formal/proved" / Path(setup.config).name
        self.before = proved.read(self.listed)
        self.everything = not given.block and given.variants
        if given.page and not self.everything:
            page.beside(given.page, self.listed.name, self.tool)
        self.taken = taken or {}
        self.ended = dict(self.taken)
        self.written = {*self.taken}

    def rows(self, targets: list[Target]) -> list[Row]:
        return [row for target in targets for row in rows_of(target, verdict(target, self.parts_of, self.ended))]

    def complete(self, target: Target) -> bool:
        return target.name in self.ended and all(self.complete(part) for part in self.parts_of[target])

    def write(self, rows: list[Row], everything: bool) -> None:
        if self.given.record:
            proved.record(self.listed, rows, self.setup.rooms)
        if self.given.page:
            page.update(self.given.page, self.listed.name, self.tool, rows, everything, proved.changed(proved.read(self.listed)))

    def end(self, target: Target, proof: Proof) -> None:
        """A table that other tools made stays as it is until all is proved anew."""
        self.ended[target.name] = proof
        if self.given.page and not page.made_by(self.given.page, self.listed.name, self.tool):
            return
        now = [one for one in self.parts_of if one.name not in self.written and self.complete(one)]
        self.written |= {one.name for one in now}
        if now:
            self.write(self.rows(now), False)

    def all(self) -> list[Row]:
        rows = self.rows([target for target in self.parts_of if target.name not in self.taken])
        self.write(rows, self.everything)
        return rows


def about(setup: Setup, chosen: list[Target]) -> dict[str, str]:
    """The sources of the blocks as they are now."""
    return {target.block.name: subject.digest.__wrapped__(target.block, setup.rooms) for target in chosen}


# ---- the program -------------------------------------------------------------------------------

def options() -> tuple[Setup, list[Target], argparse.Namespace]:
    parser = tools.Options(prog="formal.py", description="Proves that a step of each C model is a step of the RTL.")
    parser.add_argument("--config", default="fermi", help="geometry, one of rtl/configs (default fermi)")
    parser.add_argument("--rtl", type=Path, default=Path("rtl"), help="take the RTL from here, a tree as rtl")
    parser.add_argument("--models", type=Path, default=Path("cmodel"), help="take the C models from here instead of cmodel")
    parser.add_argument("--rooms", type=Path, default=Path("tb"), help="take invariants and rules from here, a tree as tb")
    parser.add_argument("--seconds", type=tools.number, default=300, help="of processor time for one question to the prover (default 300)")
    parser.add_argument("--variants", action="store_true", help="all variants of tb/blocks/*/variants, too")
    parser.add_argument("--allow-open", action="store_true", help="exit 0 when what is not proved is open, and never was proved")
    parser.add_argument("--resume", action="store_true", help="take what the run before, which was interrupted, has proved of the same circuits")
    parser.add_argument("--proved-parts", action="store_true", help="take the proofs of parts that the page tells of, if no source has changed since")
    parser.add_argument("--record", action="store_true", help="write what is proved into tb/formal/proved")
    parser.add_argument("--page", type=Path, help="write the results into this page, between its marks")
    parser.add_argument("--build", type=Path, help="where the tools are built (default build/CONFIG)")
    parser.add_argument("--out", type=Path, default=Path("build/formal"), help="where to work (default build/formal)")
    parser.add_argument("block", nargs="*", help="or a variant (default all)")
    given = parser.parse_args()
    configuration(given.config)
    if given.seconds == 0:
        raise tools.Failure("--seconds wants a number above 0")
    tools.need(*TOOLS)
    prover.abc()
    llvm.folder()
    if not (given.rtl / "common").is_dir():
        raise tools.Failure(f"no RTL in {given.rtl}")
    if not (given.models / "sm").is_dir():
        raise tools.Failure(f"no models in {given.models}")
    if given.record and (given.rtl, given.models) != (Path("rtl"), Path("cmodel")):
        raise tools.Failure("--record is for the RTL and the models that are here, not for --rtl or --models")
    if given.proved_parts and (given.rtl, given.models, given.rooms) != (Path("rtl"), Path("cmodel"), Path("tb")):
        raise tools.Failure("--proved-parts is for the RTL, the models and the rules that are here: the page tells of no others")
    if given.page:
        page.check(given.page, Path(given.config).name)
    setup = Setup(given.config, given.build or Path("build") / given.config, given.out, given.seconds, given.rtl, given.models,
                  given.rooms, Kept(given.out / "kept"))
    return setup, choose(given.block, given.config, given.variants), given


def build_tools(setup: Setup) -> None:
    setup.out.mkdir(parents=True, exist_ok=True)
    try:
        tools.run(["make", "--no-print-directory", f"CONFIG={setup.config}", f"B={setup.build}", setup.build / "formal.tools"],
                  log=setup.out / "make.log")
    except tools.ToolFailed as failure:
        raise tools.Failure(f"the tools do not build: {failure}") from None


def main() -> int:
    setup, chosen, given = options()
    start = time.monotonic()
    tools.hold(setup.out)
    if not given.resume and setup.kept.folder and setup.kept.folder.exists():
        shutil.rmtree(setup.kept.folder)
    build_tools(setup)
    parts_of = with_parts(setup, chosen)
    taken = proved_before(PAGE, setup, chosen, parts_of) if given.proved_parts else {}
    recorder = Recorder(setup, given, parts_of, taken)
    sources = about(setup, list(parts_of))
    known = page.seconds(PAGE, Path(setup.config).name)
    asked = [target for target in parts_of if target.name not in taken]
    wanted = sorted(asked, key=lambda target: known.get(target.name, 0), reverse=True)  # so that no long one is left to run alone
    progress = tools.Progress("proofs", len(wanted))

    def done(target: Target, proof: Proof) -> None:
        progress.step(f"{target.name} {came_of(proof)}")
        recorder.end(target, proof)
    tools.in_parallel(lambda target: prove.prove(setup, target), wanted, done=done)
    rows = recorder.all()
    with tools.whole(setup.out / "status.json") as file:
        json.dump({"tool": recorder.tool, "config": setup.config, **origin.now(), "sources": origin.same(sources, about(setup, list(parts_of))) if own(setup) else {},
                   "blocks": rows}, file, indent=2, ensure_ascii=False)
        file.write("\n")
    print_table(rows, setup.config, time.monotonic() - start)
    return judge(setup, rows, proved.lost(recorder.before, rows), given)


def own(setup: Setup) -> bool:
    """Whether what is proved is what the page tells of."""
    return (setup.rtl, setup.models, setup.rooms) == (Path("rtl"), Path("cmodel"), Path("tb"))


def judge(setup: Setup, rows: list[Row], lost: list[str], given: argparse.Namespace) -> int:
    """The exit status; says what was proved once and is not now (`lost`)."""
    for line in lost:
        print(f"regression: {line} was proved ({setup.rooms / 'formal/proved' / Path(setup.config).name})")
    stale = [] if given.page or not own(setup) else page.stale(PAGE, Path(setup.config).name, rows, not given.block)
    for line in stale:
        print(f"stale: {PAGE} says something else of {line}; '{page.COMMAND}' writes it anew")
    states = {row["status"] for row in rows}
    wanted = {PROVED, OPEN} if given.allow_open else {PROVED}
    return int(not rows or bool(stale) or bool(lost and not given.record) or not states <= wanted)


if __name__ == "__main__":
    tools.program(main)
