#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the blocks of an SM (default: all) take of energy in a recording: their netlists in every cycle of it, a change times what it charges. And what a policy
saves in the activity simulator, beside what the block that has it costs. Run from the repository root. doc/use/energy.md

A line 'energy TARGET SETTING=A,B' in tb/blocks/X/targets measures block X once with each value of the setting.

Status: 0; 2 if it could not be measured.
"""
from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))

import account  # noqa: E402
import cells  # noqa: E402
import charge  # noqa: E402
import chips  # noqa: E402
import netlist  # noqa: E402
import pages  # noqa: E402
import recorded  # noqa: E402
import replays  # noqa: E402
import saving  # noqa: E402
import table  # noqa: E402
import technology  # noqa: E402
import tools  # noqa: E402
import yosys  # noqa: E402
from blocks import Target, choose_to_list, configuration, targets  # noqa: E402
from circuit import Circuit  # noqa: E402
from tools import Failure  # noqa: E402

PAGE = Path("doc/use/energy.md")
SECONDS = 3600


@dataclass
class Setup:
    """What all rows share."""

    config: str
    ballast: Path
    work: Path
    library: cells.Library
    technology: technology.Technology
    mhz: float
    cycles: int
    sm: int


@dataclass
class Netlist:
    """The netlist of a block, with its area."""

    circuit: Circuit
    ge: float


def made(target: Target, setup: Setup) -> Netlist:
    """By the recipe that make area measures, with the names of registers."""
    top, file = target.block.name, setup.work / f"{target.name}.json"
    mapped = [command.replace("opt_clean -purge", "opt_clean") for command in yosys.mapped(top, setup.library)]
    yosys.run([*yosys.read(target.block, target.params), *mapped, f"write_json {file}"], setup.work / f"{target.name}.ys", SECONDS,
              env={"TMPDIR": str(setup.work)})
    of = netlist.module(file, top)
    types = [cell["type"] for cell in of["cells"].values()]
    circuit = Circuit(of, charge.charges(setup.library, set(types)))
    return Netlist(circuit, sum(setup.library.cells[name].area for name in types) / setup.library.nand2.area)


def row(target: Target, one: Netlist, setting: str, recording: Path, setup: Setup) -> table.Row:
    run = recorded.replay(setup.ballast, target, setting, recording, setup.sm, setup.cycles, setup.work / "replay")
    activity = one.circuit.activity(run.streams, run.cycles)
    found = account.account(one.circuit, activity, setup.library.inverter.load)
    return table.row(setup.config, target.name, setting.partition("=")[2], recording.stem, run.decisions, one.ge, found, setup.technology, setup.mhz)


def measured(one: list[Target], recordings: list[Path], setup: Setup) -> list[table.Row]:
    """All that is asked for, in order: every block on the first recording, those with policies on all. What is finished when a tool fails or
    the user stops is shown."""
    jobs = [(target, setting, recording) for target in one for setting in replays.settings(target)
            for recording in (recordings if setting else recordings[:1])]
    progress = tools.Progress("energy", len(jobs))
    rows: list[table.Row] = []
    known: dict[str, Netlist] = {}
    try:
        for target, setting, recording in jobs:
            try:
                if target.name not in known:
                    known = {target.name: made(target, setup)}
                rows.append(row(target, known[target.name], setting, recording, setup))
            except Failure as failure:
                raise type(failure)(f"{target.name}: {failure}") from None
            progress.step(" ".join([target.name, *([setting] if setting else []), recording.stem]))
    except BaseException:
        if rows:
            print("\n".join(table.lines(rows)))
            print(f"{len(rows)} of {len(jobs)} measured", flush=True)
        raise
    return rows


def chosen(names: list[str], config: str) -> list[Target]:
    """The targets of these blocks, or of all that an SM has."""
    found = []
    for block in choose_to_list(names):
        if block.per_chip and names:
            raise Failure(f"{block.name} is fed from all SMs; the recording of one shows nothing to it")
        if not block.per_chip:
            found += targets("energy", block, config)
    return found


def arguments() -> tools.Options:
    parser = tools.Options(description="Energy of the blocks' netlists under a recording, beside what their policies save. doc/use/energy.md")
    parser.add_argument("--config", default="fermi", help="geometry, one of rtl/configs (default fermi)")
    parser.add_argument("--library", default=cells.BUILT_IN, metavar="NAME", help="effort (default), osu018, osu035 or a Liberty FILE")
    parser.add_argument("--recording", type=Path, action="append", metavar="FILE", 
                        help="replay this one (default vectors/pathlong.n3.blt); may be repeated: blocks with policies are measured on all, others on the first")
    parser.add_argument("--cycles", type=tools.number, default=131072, metavar="N", help="the first N cycles of it (default 131072)")
    parser.add_argument("--sm", type=tools.number, default=0, metavar="N", help="the SM of the recording (default 0)")
    parser.add_argument("--technology", metavar="FF,V,NW", help="an inverter's input in fF, the voltage, a NAND2's leakage in nW (default those of the "
                        "Liberty file; of effort those of Nangate45)")
    parser.add_argument("--saving", action="append", metavar="FOLDER", default=[], help="also what the policies save on the kernels of sim/kernels/FOLDER")
    parser.add_argument("--out", type=Path, metavar="DIR", help="also DIR/energy.csv and DIR/saving.csv")
    parser.add_argument("--page", action="store_true", help=f"write the tables of {PAGE}, too")
    parser.add_argument("--build", type=Path, metavar="DIR", help="where the ballast command is (default build/CONFIG)")
    parser.add_argument("block", nargs="*")
    return parser


def own_technology(text: str) -> technology.Technology:
    try:
        femtofarads, volts, nanowatts = map(float, text.split(","))
        if femtofarads > 0 and volts > 0 and nanowatts >= 0:
            return technology.Technology("own", femtofarads, volts, nanowatts)
    except ValueError:
        pass
    raise Failure(f"--technology wants fF,V,nW such as 1.7,1.1,17.4, not '{text}'")


def readable(path: Path, what: str) -> Path:
    try:
        path.open("rb").close()
    except OSError as error:
        raise Failure(f"{path}: no {what}: {error.strerror}") from None
    return path


def write_page(rows: list[table.Row], savings: list[saving.Row], setup: Setup) -> None:
    for name, text in (("blocks", table.page(rows, setup.technology)), ("recordings", table.page_of_recordings(rows)), ("saving", saving.page(savings))):
        pages.write(PAGE, text, "make energy-update", name)
    print(f"written: the tables of {PAGE}")


def main() -> int:
    start = time.monotonic()
    given = arguments().parse_args()
    configuration(given.config)
    tools.need("yosys", "fst2vcd")
    ballast = readable((given.build or Path("build") / given.config) / "ballast", "ballast command; 'make build' makes it")
    recordings = [readable(path, "recording") for path in given.recording or [Path("vectors/pathlong.n3.blt")]]
    if not given.cycles:
        raise Failure("--cycles wants a number from 1 on")
    own = own_technology(given.technology) if given.technology else None
    one = chosen(given.block, given.config)
    kernels = [kernel for folder in given.saving for kernel in saving.kernels(folder)]
    if given.page:
        for name in ("blocks", "recordings", "saving"):
            pages.check(PAGE, name)
    mhz = float(chips.machine(given.config)["sm_mhz"])
    with tools.scratch() as work:
        library = cells.library([given.library], work)
        setup = Setup(given.config, ballast, work, library, own or technology.of(library), mhz, given.cycles, given.sm)
        rows = measured(one, recordings, setup)
        print("\n".join([*table.lines(rows), *table.legend(setup.technology, library, mhz)]), flush=True)
        savings = saving.rows(rows, kernels, saving.Simulated(ballast, given.config, given.out and given.out / "simulated.json"))
        print("\n".join(saving.lines(savings)), flush=True)
    if given.out:
        table.write(given.out / "energy.csv", rows)
        saving.write(given.out / "saving.csv", savings)
    if given.page:
        write_page(rows, savings, setup)
    print(f"{len(rows)} rows, {time.monotonic() - start:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    tools.program(main)
