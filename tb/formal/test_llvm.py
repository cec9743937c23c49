#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_llvm.py [BUILD_DIR]: does the translation do with every LLVM that is installed what it does with one, and does
sim/env/llvm.sh take no version that is not whole? Ends with "N passed, N failed"."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), str(HERE.parent / "flow")]

import llvm
from planted import expect
from test_formal import Test
from test_undefined import JUMPS_C, UNDEFINED_C, undefined_c

PARTS = ("bin/clang", "bin/clang++", "bin/llvm-link", "bin/opt", "include/llvm-c/Core.h", "lib/libLLVM-{}.so")

# A struct of five bytes is an i40 when it is passed: eight bytes in an array of them, five when it is read.
BY_VALUE = ("*out = actions[algorithm_1(&e)];\n}",
            "eq_decision_out same(eq_decision_out o);\n    *out = same(actions[algorithm_1(&e)]);\n}\n\n"
            "eq_decision_out same(eq_decision_out o)\n{\n    return o;\n}")


def installed() -> list[str]:
    """The versions, newest first."""
    said = subprocess.run([llvm.SCRIPT, "--all"], env=os.environ | {"LLVM": ""}, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [line.rpartition("-")[2] for line in said.split()]


def pretend(test: Test, **versions: tuple[str, ...]) -> dict[str, str]:
    """Folders of versions (v14=...) with these parts of PARTS."""
    folder = test.work / "llvms"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for version, parts in versions.items():
        for part in parts:
            path = folder / f"llvm-{version[1:]}" / part.format(version[1:])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    return {"LLVM_IN": str(folder), "LLVM": ""}


def choice(test: Test) -> None:
    with test.case("the newest version is taken, and what LLVM= asks for"):
        env = pretend(test, v14=PARTS, v16=PARTS, v20=PARTS)
        test.command(0, llvm.SCRIPT, env=env)
        expect(test.said.endswith("/llvm-16\n"), test.said)
        test.command(0, llvm.SCRIPT, env=env | {"LLVM": "14"})
        expect(test.said.endswith("/llvm-14\n"), test.said)
    for lacking in PARTS:
        with test.case(f"a version without {lacking.format('N')} is not taken"):
            env = pretend(test, v14=PARTS, v16=tuple(part for part in PARTS if part != lacking))
            test.command(0, llvm.SCRIPT, env=env)
            expect(test.said.endswith("/llvm-14\n"), test.said)
            test.command(2, llvm.SCRIPT, env=env | {"LLVM": "16"})
            test.one_line(f"LLVM 16 is not there as a whole: no .*/llvm-16/{lacking.format('16').replace('+', '.')}")
    with test.case("libFuzzer is wanted only by who asks for it"):
        test.command(2, llvm.SCRIPT, "--fuzz", env=pretend(test, v14=PARTS))
    for wrong in ("13", "20", "many"):
        with test.case(f"LLVM={wrong}: one line of the flow"):
            test.run(2, "vf_vote", env={"LLVM": wrong})
            test.one_line(f"LLVM={wrong} is no version from 14 to 19")


def without_option(test: Test) -> dict[str, str]:
    """A clang that does not know -ftrivial-auto-var-init, among what is installed of that version."""
    whole = llvm.folder()
    folder = test.work / "old" / whole.name
    (folder / "bin").mkdir(parents=True)
    for part in ("include", "lib", "bin/clang++", "bin/llvm-link", "bin/opt"):
        (folder / part).symlink_to(whole / part)
    clang = folder / "bin/clang"
    clang.write_text('#!/bin/bash\nfor word; do shift; [[ $word == -ftrivial-auto-var-init* ]] || set -- "$@" "$word"; done\n'
                     f'exec {whole}/bin/clang "$@"\n')
    clang.chmod(0o755)
    return {"LLVM_IN": str(folder.parent), "LLVM": llvm.version()}


def versions(test: Test) -> None:
    with test.case("a clang that leaves variables without a value alone is seen"):
        models = test.plant("cmodel", "sm/eq_decision.c", *UNDEFINED_C["a variable without a value"])
        test.run(2, "--models", models, "eq_decision", env=without_option(test))
        test.one_line(r"variable \S+ may be read without a value, and clang does not mark it")
    for version in installed():
        with test.case(f"LLVM {version}: proved, and the result says with what"):
            test.run(0, "vf_vote", "eq_decision", env={"LLVM": version})
            expect(f'"tool": "clang {version} IR' in (test.out / "status.json").read_text(), "another version")
        with test.case(f"LLVM {version}: five bytes that it reads at once, the last ones of a table"):
            models = test.plant("cmodel", "sm/eq_decision.c", *BY_VALUE)
            test.run(0, "--models", models, "eq_decision", env={"LLVM": version})
            expect("load i40" in (test.out / "eq_decision/step.ll").read_text(), "no access of five bytes")
        if version != llvm.version():  # test_undefined.py does it with that
            print(f"        LLVM {version}:", flush=True)
            undefined_c(test, (4, len(JUMPS_C)), LLVM=version)


if __name__ == "__main__":
    Test.main("tb/formal/formal.py", choice, versions)
