#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_translation.py [BUILD_DIR]: is C translated as it is compiled, however it is written? One comparison of a model, e->n_mem >
e->two, is written in another way: proved if it says the same, refuted if it says something else. Ends with "N passed, N failed"."""
from __future__ import annotations

import os
import sys
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
os.chdir(HERE.parents[1])
sys.path[:0] = [str(HERE), str(HERE.parent / "flow")]

import replay
import yosys
from planted import expect
from remembered import Remembered
from test_formal import Test

MODEL = "sm/eq_decision.c"
PLACE = "static enum ballast_eq_branch algorithm_1("
CONDITION = "if (e->n_mem > e->two)"
CALL = "if (over(e))"

# Name: a function over(e), and what in it is written so that it is wrong.
WAYS = {
    "a loop that is left early": (
        "static bool over(const epoch *e)\n{\n    uint32_t i;\n    for (i = 32; i-- > 0;)\n"
        "        if ((e->n_mem >> i & 1) != (e->two >> i & 1))\n            break;\n"
        "    return i < 32 && (e->n_mem >> i & 1);\n}\n", ("i < 32 &&", "i < 2 &&")),
    "a loop in a loop, gone on with and left for good": (
        "static bool over(const epoch *e)\n{\n    for (uint32_t i = 4; i-- > 0;)\n        for (uint32_t k = 8; k-- > 0;) {\n"
        "            if ((e->n_mem >> (8 * i + k) & 1) == (e->two >> (8 * i + k) & 1))\n                continue;\n"
        "            return e->n_mem >> (8 * i + k) & 1;\n        }\n    return false;\n}\n", ("k = 8;", "k = 7;")),
    "what is set behind a loop that is left early": (
        "static bool over(const epoch *e)\n{\n    uint32_t t[3] = {0}, at = 0;\n    for (uint32_t i = 0; i < 9; i++)\n        if (e->n_alu == i)\n"
        "            break;\n        else\n            t[2] += i == 3;\n    t[at++] = e->n_mem;\n    t[at++] = e->two;\n"
        "    return t[at - 2] > t[at - 1] && t[2] == (e->n_alu > 3);\n}\n", ("i == 3", "i == 4")),
    "turns that hang on data": (
        "static bool over(const epoch *e)\n{\n    uint32_t n = 0, m = 0;\n    while (n < 31 && e->n_mem >> n > 1)\n        n++;\n"
        "    do {\n        if (e->two >> m <= 1)\n            break;\n    } while (++m < 31);\n"
        "    return n != m ? n > m : e->n_mem > e->two;\n}\n", ("n > m", "n >= m + 2")),
    "a jump out of two loops and one back": (
        "static bool over(const epoch *e)\n{\n    uint32_t turns = 0;\nagain:\n    for (uint32_t i = 0; i < 3; i++)\n        for (uint32_t k = 0; k < 3; k++)\n"
        "            if (i + k == (e->n_alu & 3))\n                goto out;\nout:\n    if (++turns < 5)\n        goto again;\n"
        "    return turns == 5 && e->n_mem > e->two;\n}\n", ("turns == 5", "turns == 4")),
    "a switch that falls through, in a loop": (
        "static bool over(const epoch *e)\n{\n    uint32_t sum = 0;\n    for (uint32_t i = 0; i < 3; i++)\n        switch (e->n_alu + i & 3) {\n"
        "        case 0: sum += 1; /* fall through */\n        case 1: sum += 2; break;\n        case 2: continue;\n        default: sum += 5;\n        }\n"
        "    return e->n_mem > e->two && sum == (e->n_alu % 4 == 0 ? 5 : e->n_alu % 4 == 1 ? 7 : e->n_alu % 4 == 2 ? 8 : 10);\n}\n",
        ("sum += 5", "sum += 4")),
    "a pointer that hangs on data": (
        "static bool over(const epoch *e)\n{\n    const uint32_t *a = e->n_alu & 1 ? &e->two : &e->n_mem, *b = &e->two;\n"
        "    if (e->n_alu & 1) {\n        b = a;\n        a = &e->n_mem;\n    }\n    return *a > *b;\n}\n", ("b = a;", "b = a - 1;")),
    "pointers in memory": (
        "typedef struct two_of {\n    const uint32_t *of[2];\n    uint32_t own;\n} two_of;\n\n"
        "static bool over(const epoch *e)\n{\n    two_of a = {{&e->n_mem, &e->two}, 0}, b = a;\n    if (e->n_alu & 1)\n        a.of[0] = &a.own;\n"
        "    if (e->n_alu & 1)\n        a.own = *b.of[0];\n    memcpy(&b, &a, sizeof b);\n    return *b.of[e->n_alu >> 5 & 0] > *a.of[1];\n}\n",
        ("a.own = *b.of[0]", "a.own = *b.of[1]")),
    "a struct that is passed by value and changed": (
        "static bool changed(epoch f)\n{\n    f.n_mem--;\n    return f.n_mem >= f.two;\n}\n\n"
        "static bool over(const epoch *e)\n{\n    epoch f = *e;\n    const bool is = f.n_mem && changed(f);\n    return is && f.n_mem == e->n_mem;\n}\n",
        ("f.n_mem >= f.two", "f.n_mem > f.two")),
    "a struct that is given back in two registers": (
        "typedef struct pair {\n    uint64_t a;\n    uint32_t b;\n} pair;\n\nstatic pair made(uint32_t a, uint32_t b)\n{\n"
        "    return a > 9 ? (pair){a, b} : (pair){.a = a, .b = b};\n}\n\nstatic bool over(const epoch *e)\n{\n"
        "    const pair p = made(e->n_mem, e->two);\n    return p.a > p.b;\n}\n", ("(pair){a, b}", "(pair){b, a}")),
    "divisions with a sign": (
        "static bool over(const epoch *e)\n{\n    const int a = (int)(e->n_mem & 63) - 32, b = (int)(e->two & 7) - 9, q = a / b, r = a % b;\n"
        "    return e->n_mem > e->two && q * b + r == a && (r == 0 || (r < 0) == (a < 0)) && (r < 0 ? -r : r) < (b < 0 ? -b : b);\n}\n",
        ("(r < 0) == (a < 0)", "(r < 0) == (b < 0)")),
    "a call on one of two ways that changes something": (
        "static void count(uint32_t *n)\n{\n    ++*n;\n}\n\nstatic bool over(const epoch *e)\n{\n    uint32_t n = e->two;\n"
        "    if (e->n_alu & 1)\n        count(&n);\n    return e->n_mem + (e->n_alu & 1) > n;\n}\n", ("++*n", "*n += 2")),
    "calls within calls": (
        "static uint32_t bit(uint32_t a, uint32_t i)\n{\n    return a >> i & 1;\n}\n\n"
        "static bool less(uint32_t a, uint32_t b, uint32_t bits)\n{\n    bool is = false;\n    for (uint32_t i = 0; i < bits; i++)\n"
        "        is = bit(a, i) == bit(b, i) ? is : bit(b, i);\n    return is;\n}\n\n"
        "static bool over(const epoch *e)\n{\n    return less(e->two, e->n_mem, 32) && !less(e->n_mem, e->two, 32);\n}\n",
        ("is : bit(b, i)", "is : bit(a, i)")),
}

# What has no translation: name, the condition, the line.
REFUSED = {
    "a loop without a bound": ("uint32_t i = 0; while (i != e->n_mem) i += 2; if (i > e->two)", "a loop has no constant bound"),
    "a function that calls itself": ("if (e->n_mem > e->two && (e->n_alu != 3 || algorithm_1(&(epoch){0})))", "a function that calls itself"),
    "a call through a pointer": (
        "enum ballast_eq_branch (*f[2])(const epoch *) = {algorithm_1, algorithm_1}; if (e->n_mem > e->two && f[e->n_alu & 1](e))",
        "a call through a pointer|not known to the translation: algorithm_1"),
}
# What C does not define, and only the translation's own memory sees.
NOWHERE = {
    "a pointer without a value": "const uint32_t *p; if (e->n_alu < 9) p = &e->two; if (e->n_mem > *p)",
    "a pointer in memory without a value": (
        "struct { const uint32_t *of[2]; } t; t.of[e->n_alu & 1] = &e->two; if (e->n_mem > *t.of[e->n_mem & 1])"),
    "a pointer that a number was written over": (
        "struct { const uint32_t *of[2]; } t = {{&e->two, &e->two}}; memset(&t.of[e->n_alu & 1], 1, 8); if (e->n_mem > *t.of[0])"),
    "the bytes of a pointer": (
        "struct { const uint32_t *of[2]; } t = {{&e->two, &e->two}}; uint64_t n[2]; memcpy(n, &t, 16); if (e->n_mem > e->two + (n[e->n_alu & 1] & 1))"),
}


def planted(test: Test, condition: str, function: str = "static enum ballast_eq_branch algorithm_1(const epoch *e);") -> Path:
    """The models, with this condition in place of the comparison, and this function before it."""
    text = Path("cmodel", MODEL).read_text()
    assert text.count(PLACE) == text.count(CONDITION) == 1
    changed = text.replace(PLACE, f"{function}\n{PLACE}").replace(CONDITION, condition)
    return test.plant("cmodel", MODEL, text, f"#include <stdbool.h>\n#include <string.h>\n{changed}")


def ways(test: Test) -> None:
    for name, (function, (old, new)) in WAYS.items():
        with test.case(f"{name}: the same, and not the same"):
            assert function.count(old) == 1, name
            expect(test.step("eq_decision", models=planted(test, CALL, function)).status == "proved", "not proved")
            test.says(r"^\d+ outputs")
            expect(test.step("eq_decision", models=planted(test, CALL, function.replace(old, new))).status == "failed", "not refuted")
            test.says(r"model \d+, RTL \d+")


def refused(test: Test) -> None:
    for name, (condition, line) in REFUSED.items():
        with test.case(f"{name}: one line"):
            test.run(2, "--models", planted(test, condition), "eq_decision")
            test.one_line(line)
    for name, condition in NOWHERE.items():
        with test.case(f"{name} proves nothing"):
            expect(test.step("eq_decision", models=planted(test, condition)).status == "failed", "not refuted")
            test.says("^undefined: |; it hangs on something undefined$")


if __name__ == "__main__":
    # The RTL stays as it is; that a counterexample is one in lockstep is asked by test_formal.py.
    with mock.patch.object(yosys, "run", Remembered()), mock.patch.object(replay, "play", lambda *_: "not asked"):
        Test.main("tb/formal/formal.py", ways, refused)
