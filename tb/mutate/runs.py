# SPDX-License-Identifier: Apache-2.0
"""Programs in which a netlist with mutants is where the RTL was, and the vectors that are run in them: recordings, families,
tests.

A folder per target gets the programs, and under `kills` a file per vector: lines "MUTANT,CYCLE,VECTOR", for tests
"MUTANT,-,TEST". What a vector says of mutant 0, the block itself, ends the campaign.
"""
from __future__ import annotations

import csv
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import tools
from blocks import Target, parameters, variants, words_of
from tools import Failure
from verilated import OBJECTS
from worth import Kill

MANIFEST = Path("vectors/MANIFEST.csv")


@dataclass(frozen=True)
class Campaign:
    config: str
    build: Path
    out: Path
    mutants: int               # 0: as many as each target wants
    seed: int
    seconds: int               # for one question to the prover
    skip: str = ""             # leave out tests whose name contains it
    recordings: tuple[Path, ...] = ()
    chosen: bool = False       # those of the command line
    kills: str = "kills"       # what a campaign with tests left out finds is kept apart
    made: dict[str, str] = field(default_factory=dict)  # by make: shims, compile, libs

    def folder(self, target: Target) -> Path:
        return self.out / target.name


def newer(file: Path, others: Iterable[Path]) -> bool:
    """The file is there and not older than the others."""
    return file.is_file() and all(other.stat().st_mtime_ns <= file.stat().st_mtime_ns for other in others)


# ---- programs ----------------------------------------------------------------------------------

def tests_of(target: Target) -> list[Path]:
    return [*sorted(target.block.room.glob("test_*.c")), Path("tb/engine/test_lockstep.c")]


def _same_rtl(campaign: Campaign, target: Target) -> dict[str, str]:
    """Variants of the same parameters are the same RTL: their parameters as words, by name."""
    found = {name: parameters(target.block, campaign.config, own) for name, own in variants(target.block).items()}
    return {name: words_of(params) for name, params in found.items() if params == target.params}


def link(campaign: Campaign, target: Target) -> None:
    """FOLDER/ballast and FOLDER/test_*: the netlist where the RTL was."""
    folder, of = campaign.folder(target), target.block
    same = _same_rtl(campaign, target)
    descriptors, own = folder / "blocks.c", folder / "blocks.o"
    descriptors.write_text("\n".join([
        '#include "mutate/mutant_rtl.h"', f"extern const block_model {of.name}_model;",
        *(f'extern const block {name}_block;\nconst block {name}_block = {{"{name}", "{params}", &{of.name}_model, '
          f'&{"mutant_rtl" if of.clocked else "mutant_rtl_unclocked"}}};' for name, params in same.items()), ""]))
    tools.run([*campaign.made["compile"].split(), "-c", descriptors, "-o", own], log=folder / "compile.log", leaves=[own])
    replaced = {campaign.build / f"rtl/{name}/shim.o" for name in same}
    shims = [shim for shim in map(Path, campaign.made["shims"].split()) if shim not in replaced]
    archive = campaign.build / "mutate.a"
    programs = {"ballast": [campaign.build / "opt/main.o", OBJECTS / "tb/mutate/watch_run.o"]}
    for test in tests_of(target):
        programs[test.stem] = [OBJECTS / test.with_suffix(".o"), OBJECTS / "tb/mutate/campaign.o"]
    for name, objects in programs.items():
        program = folder / name
        if newer(program, [*objects, archive, *shims, Path(__file__)]):
            continue
        wrap = [] if name == "ballast" else ["-Wl,--wrap=_cmocka_run_group_tests"]
        beside = Path(f"{program}.tmp")
        tools.run(["g++", "-o", beside, own, *shims, *objects, *wrap, archive, *campaign.made["libs"].split(), "-lcmocka"],
                  log=folder / "link.log", leaves=[beside])
        beside.replace(program)


# ---- vectors -----------------------------------------------------------------------------------

@dataclass(frozen=True)
class Vector:
    kind: str       # test, recording, family
    name: str       # of the test's program, the file, the kernel
    policy: str = ""
    cycles: str = ""

    @property
    def file(self) -> str:
        return re.sub("[ /]", ".", f"{self.kind} {self.name} {self.policy}".strip())


def manifest() -> list[dict[str, str]]:
    with MANIFEST.open(newline="") as file:
        return list(csv.DictReader(file))


def vectors_of(campaign: Campaign, target: Target) -> list[Vector]:
    """A block that is fed from all SMs sees nothing of a recording. Its option families=POLICY[:CYCLES],... has kernels
    replayed under these policies, at most so many cycles where a policy never says that it is done (doc/use/policies.md)."""
    found = [Vector("test", test.stem) for test in tests_of(target)]
    if target.stimulus == "lockstep":
        found += [Vector("recording", str(file)) for file in campaign.recordings]
    policies = target.options.get("families", "")
    if policies and not campaign.chosen:
        for kernel in sorted({row["kernel"] for row in manifest()}):
            found += [Vector("family", kernel, *policy.partition(":")[::2]) for policy in policies.split(",")]
    return found


def _whole(raw: Path, pattern: str) -> list[str]:
    """What a program found, a line each, up to the line that it ends with."""
    *lines, last = raw.read_text().split("\n")[:-1] or [""]
    if last != "end" or not all(re.fullmatch(pattern, line) for line in lines):
        raise Failure(f"{raw} is cut short or damaged")
    return lines


def _replay(campaign: Campaign, target: Target, vector: Vector, result: Path) -> list[str]:
    """A run of the ballast command, watched: lines "MUTANT,CYCLE"."""
    folder, raw, run = campaign.folder(target), Path(f"{result}.raw"), Path(f"{result}.run")
    command = ["lockstep", vector.name]
    if vector.kind == "family":
        limit = ["--max-cycles", vector.cycles] if vector.cycles else []
        command = ["family", *limit, "--set", f"{target.block.name}.policy={vector.policy}",
                   *map(str, sorted(Path("vectors").glob(f"{vector.name}.n*.blt")))]
    blocks = ",".join([*target.block.needs, target.name])
    tools.run([folder / "ballast", command[0], "--out", run, "--block", blocks, *command[1:]], log=Path(f"{result}.log"),
              env={"MUTATE_NETLIST": str(folder / "core.aag"), "MUTATE_WATCH": str(raw)}, leaves=[raw])
    name = Path(vector.name).stem if vector.kind == "recording" else f"{vector.name} as {vector.policy}"
    return [f"{line},{name}" for line in _whole(raw, r"\d+,\d+")]


def _test(campaign: Campaign, target: Target, vector: Vector, result: Path) -> list[str]:
    """A test program: lines "MUTANT,-,TEST"."""
    folder, raw = campaign.folder(target), Path(f"{result}.raw")
    env = {"MUTATE_NETLIST": str(folder / "core.aag"), "MUTATE_RESULT": str(raw), "MUTATE_SKIP": campaign.skip,
           # The random bus is compared in every cycle, as recordings are: who differs is found.
           "MUTATE_COMPARED": "twins_agree_on_random_input" if vector.name == "test_lockstep" else ""}
    tools.run([folder / vector.name], log=Path(f"{result}.log"), env=env, leaves=[raw])
    lines = [line.partition(",") for line in _whole(raw, r"\d+,.+")]
    return [f"{mutant},-,{vector.name}: {name.replace(',', ';')}" for mutant, _, name in lines]


def run(campaign: Campaign, target: Target, vector: Vector) -> bool:
    """Whether there was something to do: else it has been run."""
    folder = campaign.folder(target)
    result = folder / campaign.kills / vector.file
    program = folder / (vector.name if vector.kind == "test" else "ballast")
    if newer(result, [program, folder / "core.aag"]):
        return False
    result.parent.mkdir(parents=True, exist_ok=True)
    lines = (_test if vector.kind == "test" else _replay)(campaign, target, vector, result)
    with tools.whole(result) as file:
        file.writelines(f"{line}\n" for line in lines)
    if any(line.startswith("0,") for line in lines):
        result.rename(f"{result}.wrong")
        raise Failure(f"{target.name}: the netlist without a mutant is not the model on {vector.kind} {vector.name}, "
                      f"see {result}.wrong")
    shutil.rmtree(f"{result}.run", ignore_errors=True)
    for left in ("raw", "log"):
        Path(f"{result}.{left}").unlink(missing_ok=True)
    return True


def kills_of(campaign: Campaign, target: Target) -> list[Kill]:
    """The matrix of a target. A vector without a result ends the campaign."""
    found = []
    for vector in vectors_of(campaign, target):
        file = campaign.folder(target) / campaign.kills / vector.file
        if not file.is_file():
            raise Failure(f"{target.name}: no result of {vector.kind} {vector.name}")
        for line in file.read_text().splitlines():
            mutant, cycle, name = line.split(",", 2)
            found.append(Kill(target.name, name, vector.kind, int(mutant), cycle))
    return found
