#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesizes the blocks (default: all) onto the library that make area takes, runs the netlists through the lockstep engine against the C models
on a recording, and proves each netlist equal to its RTL. Prints a table. Run from the repository root.
doc/verification/gates.md

A line 'gates TARGET Param=Value ...' in tb/blocks/X/targets says what is made instead of block X itself; netlist=NAME is what
the netlist is called, quick that make test has it. GATES_LIBERTY is another library (osu018, a Liberty file), JOBS how many netlists are worked on
at once.

Status: 0 all pass, 1 a netlist differs or is not proved, 2 usage, or a tool or file is missing.
"""
from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))

import cells  # noqa: E402
import engine  # noqa: E402
import netlist  # noqa: E402
import pages  # noqa: E402
import prover  # noqa: E402
import tools  # noqa: E402
import yosys  # noqa: E402
from blocks import Target, choose_to_list, configuration  # noqa: E402
from cut import Cut  # noqa: E402
from netlist import NetlistError  # noqa: E402
from tools import Failure  # noqa: E402
from wrap import wrap  # noqa: E402

COLUMNS = "netlist,cells,flip_flops,register_bits,constant_bits,recording,cycles,lockstep,proof,proof_seconds"
HEAD = ["netlist", "cells", "flip-flops", "registers", "constant", "recording", "cycles", "lockstep", "proof", "seconds"]
WIDTHS = (-18, 7, 10, 9, 9, -12, 8, -9, -8, 7)


@dataclass
class Run:
    """What all netlists share."""

    config: str
    out: Path
    build: Path
    recording: Path
    library: cells.Library
    given: Path | None      # a netlist that is checked instead of one that is made
    types: dict[str, netlist.Pins]
    models: set[str]        # cells that have a model


@dataclass
class Result:
    """One netlist: what it is, and what the checks said ("" where nothing is wrong)."""

    name: str
    counts: tuple[int, ...] = ()
    refused: str = ""
    cycles: int = 0
    lockstep: str = ""
    proof: str = ""
    status: str = "not asked"
    seconds: int = 0

    def row(self, recording: Path) -> list[str]:
        if self.refused:
            return [self.name, *"-----", "0", "refused", "refused", "0"]
        return [self.name, *map(str, self.counts), recording.stem, str(self.cycles), "MISMATCH" if self.lockstep else "pass",
                {prover.PROVED: "proved", prover.FAILED: "FAIL"}.get(self.status, self.status), str(self.seconds)]


def models(library: cells.Library, out: Path) -> tuple[dict[str, netlist.Pins], set[str]]:
    """The cells' models, from the library; which are flip-flops, and which have a model. Yosys drops the enable of a three-
    state cell: such a cell has none."""
    commands = [f"read_liberty -ignore_miss_func {library.whole}", f"write_json {out}/cells.json",
                f"write_verilog -noattr {out}/cells.v"]
    yosys.run(commands, out / "cells.ys", engine.SECONDS)
    found = netlist.read(out / "cells.json")
    return netlist.flop_types(found), set(found) - {name for name, cell in library.cells.items() if cell.three_state}


def _yosys(folder: Path, name: str, commands: list[str]) -> None:
    yosys.run(commands, folder / f"{name}.ys", engine.SECONDS)


def make(target: Target, folder: Path, library: cells.Library) -> None:
    """netlist.v. The names of nets that have two stay: purging them last would take the registers whose output is a port."""
    # What nobody reads is kept, too: sm_governor does not look at all of its classifier's.
    mapped = [command.replace("opt_clean -purge", "opt_clean") for command in yosys.mapped(target.block.name, library)]
    _yosys(folder, "synth", yosys.read(target.block, target.params) + [yosys.KEEP_REGISTERS, *mapped] + [f"write_verilog -noattr {folder}/netlist.v"])


def take_apart(target: Target, folder: Path, run: Run) -> Cut:
    """What Verilator compiles and what the proof compares. Every flip-flop is a register of the RTL, every register bit a flip-
    flop or a constant, every cell has a model; else a NetlistError."""
    top = target.block.name
    _yosys(folder, "rtl", yosys.read(target.block, target.params)
           + [yosys.KEEP_REGISTERS, "proc", "flatten", "opt_clean", f"write_json {folder}/rtl.json"])
    _yosys(folder, "net", [f"read_liberty -lib -ignore_miss_func {run.library.whole}", f"read_verilog {folder}/netlist.v",
                           f"hierarchy -check -top {top}", "check -assert", f"write_json {folder}/net.json",
                           f"rename {top} {top}_netlist", f"write_verilog -noattr -selected {folder}/core.v"])
    rtl, mapped = netlist.module(folder / "rtl.json", top), netlist.module(folder / "net.json", top)
    cut = Cut(rtl, mapped, run.types)
    account = cut.account()
    with tools.whole(folder / "account.json") as file:
        json.dump(account, file, indent=2)
    if account["strangers"]:
        raise NetlistError(f"flip-flop {account['strangers'][0]} is no register of the RTL")
    if account["unnamed"]:
        raise NetlistError(f"{account['unnamed']} flip-flops of the RTL have no name that ends in _q")
    for cell in account["types"]:
        if cell not in run.models:
            raise NetlistError(f"there is no model of cell {cell}")
    for side, circuit in (("gold", cut.gold()), ("gate", cut.gate())):
        netlist.write(folder / f"{side}.json", circuit)
    with tools.whole(folder / "wrap.v") as file:
        file.write(wrap(top, rtl, mapped))
    return cut


def build(target: Target, run: Run) -> tuple[Result, Cut | None]:
    name = engine.name_of(target)
    folder = run.out / name
    folder.mkdir(parents=True, exist_ok=True)
    result = Result(name)
    try:
        if run.given:
            (folder / "netlist.v").write_text(run.given.read_text())
        else:
            make(target, folder, run.library)
        cut = take_apart(target, folder, run)
        account = cut.account()
        result.counts = (account["cells"], account["flip_flops"], account["register_bits"], len(account["constant"]))
        engine.compile_netlist(target, folder, run.out / "cells.v")
        return result, cut
    except NetlistError as error:
        print(f"gates.py: {name}: {error}", file=sys.stderr)
        result.refused = str(error)
        return result, None
    except Failure as failure:
        raise type(failure)(f"{name}: {failure}") from None


def reset_known(cut: Cut, folder: Path) -> bool:
    """With rst_ni at 0 every next state of the RTL is a constant, whatever it holds: so both sides are equal after an edge in
    reset, where the induction begins."""
    if not cut.bits:
        return True
    netlist.write(folder / "reset.json", cut.reset())
    _yosys(folder, "reset", [f"read_json {folder}/reset.json", "opt -full", f"write_json {folder}/reset_out.json"])
    ports = netlist.module(folder / "reset_out.json", "reset")["ports"]
    following = [net for name, port in ports.items() if name.endswith(".next") for net in port["bits"]]
    return len(following) > 0 and all(net in ("0", "1") for net in following)


def prove(cut: Cut, folder: Path, run: Run) -> prover.Answer:
    _yosys(folder, "gold", [f"read_json {folder}/gold.json", *yosys.to_gates(), "opt_clean", f"write_blif {folder}/gold.blif"])
    _yosys(folder, "gate", [f"read_liberty -ignore_miss_func {run.library.whole}", f"read_json {folder}/gate.json",
                            "hierarchy -check -top gate", "flatten", "opt_clean", "aigmap", "opt_clean",
                            f"write_blif {folder}/gate.blif"])
    answer = prover.equal(folder / "gold.blif", folder / "gate.blif", folder / "prove")
    if answer.status != prover.FAILED and not reset_known(cut, folder):
        return prover.Answer(prover.FAILED, "reset leaves a register unknown")
    return answer


def check(target: Target, result: Result, cut: Cut, run: Run) -> None:
    folder = run.out / result.name
    start = time.monotonic()
    try:
        answer = prove(cut, folder, run)
        result.seconds = int(time.monotonic() - start)
        result.status = answer.status
        result.proof = "" if answer.status == prover.PROVED else f"{answer.text}; {result.seconds} s"
        result.cycles, result.lockstep = engine.replay(target, run.config, run.recording, run.out)
    except Failure as failure:
        raise type(failure)(f"{result.name}: {failure}") from None


def print_table(results: list[Result], run: Run) -> None:
    for row in [HEAD] + [result.row(run.recording) for result in results]:
        print(" ".join(f"{word:<{-width}}" if width < 0 else f"{word:>{width}}" for word, width in zip(row, WIDTHS)))
    for result in results:
        if result.lockstep:
            print(f"{result.name}: lockstep: {result.lockstep} ({run.out}/{result.name}/run)")
        if result.proof:
            print(f"{result.name}: proof: {result.proof}")
    sys.stdout.flush()


@dataclass
class Page:
    """The table of a page that the rows go into."""

    path: Path
    config: str
    title: str
    everything: list[str]  # the names of all rows, in the table's order

    def check(self, names: list[str]) -> None:
        pages.fits(self.path, self.config, self.title, names, self.everything)

    def write(self, rows: list[list[str]]) -> None:
        pages.update(self.path, self.config, self.title, HEAD, rows, self.everything, "make gates-update")

    def write_one(self, row: list[str]) -> None:
        """As soon as a netlist is checked, which may take an hour. A table of another library stays as it is until all rows are there."""
        with pages.held(self.path):
            if pages.lines(self.path, self.config)[:1] == [self.title]:
                self.write([row])


def check_all(chosen: list[Target], run: Run, page: Page | None = None) -> list[Result]:
    """The results in the order of the targets. Those that are finished when a tool fails or the user stops are shown, and are in the page."""
    progress = tools.Progress("gates", 2 * len(chosen))
    finished: list[Result] = []

    def built(target: Target, _: object) -> None:
        progress.step(f"{engine.name_of(target)} made")

    def checked(item: tuple[Target, Result, Cut | None], _: object) -> None:
        finished.append(item[1])
        if page:
            page.write_one(item[1].row(run.recording))
        progress.step(f"{item[1].name} checked")

    try:
        made = tools.in_parallel(lambda target: build(target, run), chosen, done=built)
        items = [(target, result, cut) for target, (result, cut) in zip(chosen, made, strict=True)]
        if any(cut for _, _, cut in items):
            engine.link([target for target, _, cut in items if cut], run.config, run.build, run.out)
        tools.in_parallel(lambda item: item[2] and check(item[0], item[1], item[2], run), items, done=checked)
    except BaseException:
        if finished:
            print_table(finished, run)
            print(f"{len(finished)} of {len(chosen)} netlists checked", flush=True)
        raise
    return [result for _, result, _ in items]


def judge(results: list[Result]) -> int:
    """0: all of them, and there are some, were replayed and are proved."""
    good = [not result.refused and not result.lockstep and result.cycles > 0 and result.status == prover.PROVED for result in results]
    return int(not good or not all(good))


def arguments() -> tools.Options:
    parser = tools.Options(description="Netlists of the blocks in lockstep with the C models, and proved equal to the RTL.")
    parser.add_argument("--config", default="fermi", help="geometry, one of rtl/configs (default fermi)")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="the table as CSV, too")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the rows into the table of this page, too")
    parser.add_argument("--netlist", type=Path, metavar="FILE",
                        help="check this netlist of library cells instead of making one (one BLOCK)")
    parser.add_argument("--recording", type=Path, metavar="FILE", default=Path("vectors/fma.n6.blt"),
                        help="replay this recording (default vectors/fma.n6.blt)")
    parser.add_argument("--build", type=Path, metavar="DIR", help="where the ballast command is built (default build/CONFIG)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to work (default build/gates/CONFIG)")
    parser.add_argument("block", nargs="*")
    return parser


def readable(path: Path, what: str, cure: str = "") -> Path:
    try:
        path.open("rb").close()
    except OSError:
        raise Failure(f"no {what} {path}{cure}") from None
    return path


def main() -> int:
    start = time.monotonic()
    given = arguments().parse_args()
    configuration(given.config)
    tools.need("yosys", "verilator", "g++", "make")
    prover.abc()
    readable(given.recording, "recording")
    chosen = [target for one in choose_to_list(given.block) for target in engine.netlists(one, given.config)]
    out = given.out or Path("build/gates") / given.config
    tools.hold(out)
    library = cells.library([os.environ.get("GATES_LIBERTY") or cells.BUILT_IN], out)
    title = f"In `{given.config}` (Yosys {yosys.version()}, {library.name}):"
    everything = [engine.name_of(target) for one in choose_to_list([]) for target in engine.netlists(one, given.config)]
    if given.page and given.netlist:
        raise Failure("--page is of netlists that are made here; leave out --netlist")
    page = Page(given.page, given.config, title, everything) if given.page else None
    if page:
        page.check([engine.name_of(target) for target in chosen])
    if given.netlist:
        if len(set(given.block)) != 1:
            raise Failure("--netlist is of one block; name that block and no other")
        readable(given.netlist, "netlist")
        del chosen[1:]
    built = given.build or Path("build") / given.config
    run = Run(given.config, out, built, given.recording, library, given.netlist, *models(library, out))
    results = check_all(chosen, run, page)
    text = "\n".join([COLUMNS, *(",".join(result.row(run.recording)) for result in results), ""])
    for path in [out / "gates.csv", given.csv]:
        if path:
            with tools.whole(path) as file:
                file.write(text)
    print_table(results, run)
    print(f"{len(results)} netlists, {time.monotonic() - start:.0f} s, on {library.name}")
    if page:
        page.write([result.row(run.recording) for result in results])
    return judge(results)


if __name__ == "__main__":
    tools.program(main)
