# SPDX-License-Identifier: Apache-2.0
"""Test programs of a block in which every variant is a netlist with mutants, and tests judge that enter no function of the
block's reference model (judge.c).

A folder per target gets the programs, and under `judged` a file per program: what the judge said, complete and in words that
are known.
"""
from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "formal"))

import tools
import variants
from blocks import Target, parameters, variants as variants_of, words_of
from circuits import model_of
from runs import Campaign, newer
from steps import numbers
from verilated import OBJECTS

# The configuration is no behaviour: tests on either side ask for it.
ALL = "all"  # left out
INSTRUMENT = ["-finstrument-functions", "-finstrument-functions-exclude-function-list=_cfg_default,_cfg_derive"]
SAID = {"test": r"test\t[^\t]+\t(rule|twins|idle)", "kill": r"kill\t[1-9]\d*\t(fails|does not end)\t[^\t]+",
        "unclear": r"unclear\t[1-9]\d*\t[^\t]+"}


@dataclass(frozen=True)
class Said:
    tests: dict[str, str]        # rule, twins or idle, by program and title
    kills: dict[int, str]        # the first test that noticed a mutant
    unclear: dict[int, str]


# ---- programs ----------------------------------------------------------------------------------

def programs(target: Target) -> list[str]:
    return [test.stem for test in sorted(target.block.room.glob("test_*.c"))]


def _descriptors(campaign: Campaign, target: Target) -> str:
    of, names = target.block, variants.names(target)
    like = "mutant_rtl" if of.clocked else "mutant_rtl_unclocked"
    lines = ['#include "mutate/mutant_rtl.h"', f"extern const block_model {of.name}_model;",
             f"const char *const mutant_circuits[] = {{{''.join(f'{chr(34)}{name}{chr(34)}, ' for name in names)}0}};",
             "extern const char *const mutant_circuits[];"]
    for name in names:
        params = words_of(parameters(of, campaign.config, variants_of(of)[name]))
        lines += [f"static void *create_{name}(uint32_t seed, const void *cfg, const port_list *ports)",
                  f'{{ (void)cfg; return mutant_create("{name}", seed, ports); }}', f"static block_rtl {name}_rtl;",
                  f"__attribute__((constructor)) static void fill_{name}(void)",
                  f"{{ {name}_rtl = {like}; {name}_rtl.create = create_{name}; }}",
                  f"extern const block {name}_block;",
                  f'const block {name}_block = {{"{name}", "{params}", &{of.name}_model, &{name}_rtl}};']
    return "\n".join([*lines, ""])


def compile_own(campaign: Campaign, target: Target) -> list[Path]:
    """What stands in for the RTL of the variants, and the model that says when it is entered."""
    work = campaign.folder(target) / "judged"
    work.mkdir(parents=True, exist_ok=True)
    (work / "blocks.c").write_text(_descriptors(campaign, target))
    compiler = campaign.made["compile"].split()
    tools.run([*compiler, "-c", work / "blocks.c", "-o", work / "blocks.o"], log=work / "compile.log")
    model = Path("cmodel") / f"{model_of(target.block)}.c"
    tools.run([*compiler, *INSTRUMENT, "-c", model, "-o", work / "model.o"], log=work / "compile.log")
    return [work / "blocks.o", work / "model.o"]


def link_one(campaign: Campaign, target: Target, own: list[Path], test: Path, program: Path) -> None:
    replaced = {campaign.build / f"rtl/{name}/shim.o" for name in variants.names(target)}
    shims = [shim for shim in map(Path, campaign.made["shims"].split()) if shim not in replaced]
    beside = program.with_suffix(".tmp")
    tools.run(["g++", "-o", beside, *own, *shims, test, _judge(campaign), "-Wl,--wrap=_cmocka_run_group_tests",
               campaign.build / "mutate.a", *campaign.made["libs"].split(), "-lcmocka"], log=program.with_suffix(".log"))
    beside.replace(program)


def _judge(campaign: Campaign) -> Path:
    return OBJECTS / "tb/mutate/judge.o"


def link(campaign: Campaign, target: Target) -> bool:
    """FOLDER/judged/TEST; whether there was something to do."""
    work, shims = campaign.folder(target) / "judged", map(Path, campaign.made["shims"].split())
    tests = {name: OBJECTS / target.block.room / f"{name}.o" for name in programs(target)}
    others = [_judge(campaign), campaign.build / "mutate.a", *shims, Path(__file__), Path(variants.__file__)]
    if all(newer(work / f"{name}.run", [test, *others]) for name, test in tests.items()):
        return False
    own = compile_own(campaign, target)
    for name, test in tests.items():
        link_one(campaign, target, own, test, work / f"{name}.run")
    return True


# ---- judging -----------------------------------------------------------------------------------

def judge(campaign: Campaign, target: Target) -> bool:
    """All programs, one after another: what one has killed, the next ones leave alone. Whether there was something to do."""
    folder, killed, worked = campaign.folder(target), set(), False
    before = [folder / "core.aag", *(folder / f"circuits/{variant}.aag" for variant in variants.names(target))]
    for name in programs(target):
        result, program = folder / f"judged/{name}", folder / f"judged/{name}.run"
        if not newer(result, [program, *before]):
            worked = True
            _run(folder, name, killed)
        killed |= read_file(result, name).kills.keys()
        before.append(result)
    return worked


def _run(folder: Path, name: str, killed: set[int]) -> None:
    result = folder / f"judged/{name}"
    raw, known = Path(f"{result}.raw"), Path(f"{result}.killed")
    for old in (result, raw):
        old.unlink(missing_ok=True)
    known.write_text("".join(f"{mutant}\n" for mutant in sorted(killed)))
    tools.run([folder / f"judged/{name}.run"], log=Path(f"{result}.log"), env={
        "MUTATE_NETLIST": str(folder / "core.aag"), "MUTATE_CIRCUITS": str(folder / "circuits"), "MUTATE_RESULT": str(raw),
        "MUTATE_KILLED": str(known)})
    read_file(raw, name)
    raw.replace(result)


def read_file(path: Path, program: str) -> Said:
    """What a judge said; anything else is a ToolFailed."""
    text = path.read_text() if path.is_file() else ""
    said = Said({}, {}, {})
    for line in text.splitlines():
        words = line.split("\t")
        if not re.fullmatch(SAID.get(words[0], "(?!)"), line):
            raise tools.ToolFailed(f"{path}: the judge says '{line}'")
        if words[0] == "test":
            said.tests[f"{program}: {words[1]}"] = words[2]
        elif words[0] == "kill":
            said.kills.setdefault(int(words[1]), f"{program}: {words[3]}")
        else:
            said.unclear.setdefault(int(words[1]), f"{program}: {words[2]}")
    judging = {title for title, how in said.tests.items() if how == "rule"}
    if not text.endswith("\n") or not said.tests or not set(said.kills.values()) <= judging:
        raise tools.ToolFailed(f"{path}: is not all that a judge says")
    return said


def read(campaign: Campaign, target: Target) -> Said:
    """Of all programs of the target. One without a result ends the campaign."""
    whole = Said({}, {}, {})
    if campaign.skip == ALL:
        return whole
    for name in programs(target):
        said = read_file(campaign.folder(target) / f"judged/{name}", name)
        whole.tests.update(said.tests)
        for mutant, title in said.kills.items():
            whole.kills.setdefault(mutant, title)
        for mutant, title in said.unclear.items():
            whole.unclear.setdefault(mutant, title)
    if not {*whole.kills, *whole.unclear} <= set(numbers(campaign, target)):
        raise tools.ToolFailed(f"{target.name}: the judges speak of mutants that are not there")
    return whole


