#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_undefined.py [BUILD_DIR]: what C leaves undefined, and what nobody drives in the RTL, proves nothing: planted into a small
block. Ends with "N passed, N failed"."""
from __future__ import annotations

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), str(HERE.parent / "flow")]

from planted import some
from test_formal import Test

# What C leaves undefined, written so that a compiler may, and mostly does, make of it what the rule says. (`e` is an epoch.)
UNDEFINED_C = {
    "a variable without a value": ("if (e->n_mem > e->two)",
                                   "uint32_t two; if (e->n_alu < 9) two = e->two; if (e->n_mem > two)"),
    "an array without values": ("if (e->n_mem > e->two)",
                                "uint32_t t[4]; t[e->n_alu & 1] = e->two; if (e->n_mem > t[e->n_mem & 1])"),
    "a member without a value": ("if (e->n_mem > e->two)",
                                "epoch f; if (e->n_alu < 9) f.two = e->two; if (e->n_mem > f.two)"),
    "an overflow": ("if (e->n_mem > e->two)", "if ((int)e->n_mem + 0x7fffff00 > (int)e->two + 0x7fffff00)"),
    "a shift that is too long": ("if (e->n_mem > e->two)", "if (e->n_mem > e->two && 1u << (e->n_mem & 63) != 0)"),
    "a shift into the sign": ("if (e->n_mem > e->two)", "if (e->n_mem > e->two && 1 << (e->n_mem & 31) != 0)"),
    "a division by 0": ("if (e->n_mem > e->two)", "if (e->n_mem > e->two && 5 % e->n_alu < 6)"),
    "an index beyond an array in a struct": (
        "if (e->n_mem > e->two)",
        "struct { uint32_t a[2], b[2]; } t = {{e->two, e->two}, {e->two, e->two}}; if (e->n_mem > t.a[e->n_mem & 3])"),
}
UNDEFINED_RTL = {
    "'x on a branch": ("    end else if (n_active == '0) begin", "    end else if (n_active != '0) begin\n      branch_o = 'x;\n    end else begin"),
    "a wire that nobody drives": ("  assign wcta      =", "  logic [SumW-1:0] none;\n  assign wcta      = none |"),
}


# What clang's own patterns for variables without a value do not reach.
JUMPS_C = {
    "a variable over which a switch jumps": (
        "if (e->n_mem > e->two)",
        "switch (e->n_alu) { uint32_t two; case 0: two = e->two; case 1: if (two == 9) return BALLAST_EQ_NONE; } if (e->n_mem > e->two)"),
    "a variable over which a goto jumps": (
        "if (e->n_mem > e->two)",
        "if (e->n_alu) goto in; { uint32_t two; two = e->two; in: if (two == 9) return BALLAST_EQ_NONE; } if (e->n_mem > e->two)"),
}


def undefined_c(test: Test, few: tuple[int, int] = (len(UNDEFINED_C), len(JUMPS_C)), **env: str) -> None:
    """`few`: so many of both, without LONG."""
    for name, (old, new) in some([*UNDEFINED_C.items()], few[0]):
        with test.case(f"{name} in the model proves nothing"):
            models = test.plant("cmodel", "sm/eq_decision.c", old, new)
            test.run(1, "--models", models, "eq_decision", env=env)
            test.told("eq_decision", "failed", "^undefined: |; it hangs on something undefined$")
    for name, (old, new) in some([*JUMPS_C.items()], few[1]):
        with test.case(f"{name} in the model: one line"):
            test.run(2, "--models", test.plant("cmodel", "sm/eq_decision.c", old, new), "eq_decision", env=env)
            test.one_line("variable two may be read without a value")


def undefined(test: Test) -> None:
    undefined_c(test)
    for name, (old, new) in UNDEFINED_RTL.items():
        with test.case(f"{name} in the RTL proves nothing"):
            rtl = test.plant("rtl", "sm/eq_decision.sv", old, new)
            test.run(1, "--rtl", rtl, "eq_decision")
            test.told("eq_decision", "failed", "undefined: .* in the RTL")
    with test.case("a path without return in the model: one line"):
        test.run(2, "--models", test.plant("cmodel", "sm/eq_decision.c", "    return BALLAST_EQ_NONE;\n", ""), "eq_decision")
        test.one_line("control .*reach.* end of non-void function|non-void function does not return a value")
    with test.case("a case that is not complete in the RTL: one line"):
        test.run(2, "--rtl", test.plant("rtl", "sm/eq_decision.sv", "    branch_o = ballast_pkg::EqNone;\n", ""), "eq_decision")
        test.one_line("Latch inferred for signal .*branch_o")


if __name__ == "__main__":
    Test.main("tb/formal/formal.py", undefined)
