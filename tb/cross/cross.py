#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Second opinions on proofs that formal.py has left in --proofs: the RTL is read by a second front end, and both readings are proved
equal; every output's question is put again to CaDiCaL, which has nothing in common with ABC, from a CNF that no solver has seen
before. CaDiCaL's proofs are checked by rup.c. Run from the repository root. doc/verification/cross.md.

Answers are kept (--out), with a sum of the question: a run goes on where the last one ended.

Exit 0 all is proved (with --allow-open: or open), 1 something differs, is unchecked or is open, 2 usage, or a tool or a file is missing,
130 interrupted.
"""
from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "formal"), str(HERE.parent / "flow")]

import answers
import cadical
import pages
import questions
import tools
from answers import Answers
from blocks import Target, choose_to_list, configuration, targets
from circuits import Setup
from frontend import FrontEnd
from netlist import NetlistError
from questions import Question


def options() -> argparse.Namespace:
    parser = tools.Options(prog="cross.py", description="Asks an unrelated solver and a second front end what formal.py has proved.")
    parser.add_argument("--config", default="fermi", help="geometry, one of rtl/configs (default fermi)")
    parser.add_argument("--rtl", type=Path, default=Path("rtl"), help="what the second front end reads, a tree as rtl")
    parser.add_argument("--seconds", type=tools.number, default=60, help="of processor time for one output (default 60)")
    parser.add_argument("--jobs", type=tools.number, default=0, help="so many at a time (default all processors)")
    parser.add_argument("--allow-open", action="store_true", help="exit 0 when what is not proved is open")
    parser.add_argument("--page", type=Path, help="write the results into this page, between its marks")
    parser.add_argument("--build", type=Path, help="where the tools are built (default build/CONFIG)")
    parser.add_argument("--proofs", type=Path, default=Path("build/formal"), help="what formal.py left (default build/formal)")
    parser.add_argument("--out", type=Path, default=Path("build/cross"), help="where to work (default build/cross)")
    parser.add_argument("block", nargs="*", help="(default all)")
    given = parser.parse_args()
    configuration(given.config)
    if given.seconds == 0:
        raise tools.Failure("--seconds wants a number above 0")
    tools.need("gcc", "yosys", cadical.SOLVER)
    if given.page:
        pages.check(given.page)
    return given


def build_checker(out: Path) -> Path:
    out.mkdir(parents=True, exist_ok=True)
    rup = out / "rup"
    tools.run(["gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-o", rup, HERE / "rup.c"])
    return rup


def prepare(setup: Setup, target: Target, proofs: Path, front_end: FrontEnd, folder: Path) -> list[Question]:
    try:
        return questions.of_target(setup, target, proofs, front_end, folder)
    except NetlistError as error:
        raise tools.Failure(f"{target.name}: {error}") from None


def main() -> int:
    given = options()
    start = time.monotonic()
    tools.hold(given.out)
    tools.hold(given.proofs)
    setup = Setup(given.config, given.build or Path("build") / given.config, given.proofs, rtl=given.rtl)
    wanted = [target for one in choose_to_list(given.block) for target in targets("formal", one, given.config, ())]
    abc = answers.of_abc(given.proofs / "status.json", given.config)
    for target in wanted:
        questions.check_fresh(target, given.proofs / target.name)
    rup, front_end = build_checker(given.out), FrontEnd(given.out)
    rows = []
    for target in wanted:
        folder = given.out / given.config / target.name
        asked = prepare(setup, target, given.proofs, front_end, folder)
        kept = Answers(folder, rup, given.seconds)
        progress = tools.Progress(f"cross: {target.name}", len(asked))
        found = tools.in_parallel(kept.answer, asked, given.jobs or None,
                                  done=lambda question, answer: progress.step(f"{question.name} {answer.status}"))
        rows += answers.rows_of(target, asked, found, abc)
    return answers.report(rows, given, f"CaDiCaL {cadical.version()}, Yosys {front_end.version()}, {given.seconds} s per output",
                          time.monotonic() - start)


if __name__ == "__main__":
    tools.program(main)
