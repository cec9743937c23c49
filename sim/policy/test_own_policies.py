# SPDX-License-Identifier: Apache-2.0
"""Policies in shared objects, as somebody else would write them: those that do what a built-in policy does give the same run, cycle by cycle;
the page's examples say what the page says; and whatever is wrong with one is a line, a status and no result.

  python3 sim/policy/test_own_policies.py BALLAST

Ends with 'N passed, N failed'. Run from the repository root.
"""
from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tb/flow"))
from planted import Planted, expect

PAGE = Path("doc/use/own_policy.md")
KERNEL = "sim/kernels/recorded/hotspot.kernel"
INCLUDE = ["-Icmodel", "-Icmodel/ballast", "-I."]
BAD = 3

# What a policy is around the functions under test. A macro is what a test changes.
FRAME = """#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <ballast/policy.h>
#ifndef STATE
#define STATE 16
#endif
#ifndef HEAD
#define HEAD BALLAST_POLICY_INTERFACE
#endif
#ifndef MORE
#define MORE .reset = reset, .step = step
#endif
#ifndef STEP
#define STEP out->limit = in->nmax;
#endif
#ifndef NAME
#define NAME "mine"
#endif
#ifndef ENTRY
#define ENTRY ballast_policy_entry
#endif
volatile int zero;
static int deep(volatile int n) { volatile char room[4096]; room[0] = (char)n; return n < 0 ? 0 : deep(n + 1) + room[0]; }
static void reset(void *state, const void *cfg) { (void)cfg; memset(state, 0, STATE); (void)deep; }
static void step(void *state, const void *cfg, const ballast_policy_in *in, ballast_policy_out *out)
{ unsigned *cycle = state; (void)cfg; ++*cycle; STEP }
OTHER
BALLAST_POLICY_EXPORT const ballast_policy_functions ENTRY = {HEAD, .name = NAME, .state_size = STATE, MORE};
"""

# Blocks of the library in place of the built-in policies: type of the state, and what reset and step do.
TWINS = {
    "perfsat": ("struct { perfsat_state p; uint8_t was; }", "perfsat_reset(state, &k);", """perfsat_out o;
        perfsat_step(&s->p, &k, &(perfsat_in){.enable = 1, .kernel_start = in->kernel_start, .nmax = in->nmax, .ps_class = s->was,
                     .cta_start = in->cta_start, .cta_done = in->cta_done, .cta_active = in->cta_active}, &o);
        s->was = in->ps_class;
        out->limit = o.limit; out->done = o.done;"""),
    "lcs": ("lcs_state", "lcs_reset(state, &k);", """lcs_out o; uint64_t lanes = 0;
        for (unsigned l = 0; l < in->issued; l++) lanes |= (uint64_t)in->issue_slot[l] << 3 * l;
        lcs_step(s, &k, &(lcs_in){.enable = 1, .kernel_start = in->kernel_start, .nmax = in->nmax, .issue_valid = (uint8_t)((1U << in->issued) - 1),
                 .issue_slot = lanes, .cta_done = in->cta_done, .cta_active = in->cta_active & ~in->cta_paused}, &o);
        out->limit = o.limit; out->done = o.done; out->pause = o.pause;"""),
    "dyncta": ("struct { dyncta_state d; uint8_t was, earlier; }", "dyncta_reset(state, &k);", """dyncta_out o; dyncta_in i = dyncta_in_default();
        i.enable = 1; i.kernel_start = in->kernel_start; i.nmax = in->nmax; i.lcs_class = s->earlier; s->earlier = s->was; s->was = in->lcs_class;
        dyncta_step(&s->d, &k, &i, &o); out->limit = o.limit; out->pause = out->pause_soft = 1;"""),
}
TWIN = """#include <ballast/policy.h>
#include "ballast.h"
typedef {state} mine;
static void reset(void *state, const void *cfg) {{ const {block}_cfg k = {block}_cfg_default(); (void)cfg; {reset} }}
static void step(void *state, const void *cfg, const ballast_policy_in *in, ballast_policy_out *out)
{{ const {block}_cfg k = {block}_cfg_default(); mine *s = state; (void)cfg; {step} }}
BALLAST_POLICY_EXPORT const ballast_policy_functions ballast_policy_entry = {{BALLAST_POLICY_INTERFACE, .name = "{block}", .state_size = sizeof(mine),
    .reset = reset, .step = step}};
"""


class Policies(Planted):
    def compiled(self, name: str, source: str, *flags: object) -> Path:
        path, text = self.work / f"{name}.so", self.work / f"{name}.c"
        text.write_text(source)
        self.command(0, "cc", "-std=c11", "-O1", "-w", "-shared", "-fPIC", *INCLUDE, *flags, "-o", path, text)
        return path

    def mine(self, name: str, other: str = "", **macros: str) -> Path:
        return self.compiled(name, FRAME.replace("OTHER", other), *(f"-D{key}={' '.join(value.split())}" for key, value in macros.items()))

    def ballast(self, status: int, *words: object) -> str:
        """What it prints; `said` has what it says beside, too."""
        self.before = {path.name for path in self.work.rglob("*")}
        out = ["--out", self.out] if words[0] in ("sim", "family") else []
        process = subprocess.run([self.script, str(words[0]), *map(str, [*out, *words[1:]])], stdin=subprocess.DEVNULL, capture_output=True,
                                 text=True, errors="replace", timeout=300, check=False)
        self.printed, self.complained = process.stdout, process.stderr
        self.said = process.stdout + process.stderr
        expect(process.returncode == status, f"exit status {process.returncode}, not {status}")
        return process.stdout

    def nothing_but(self, pattern: str) -> None:
        """One line of complaint, nothing printed, nothing written."""
        expect(re.search(pattern, self.complained), f"does not say '{pattern}'")
        expect(self.complained.count("\n") == 1 and self.complained.startswith("ballast: "), "says more than one line")
        expect(not self.printed, "prints something")
        left = {path.name for path in self.work.rglob("*")} - self.before - {"out"}
        expect(not left, f"leaves {left}")


def family(kernel: str) -> list[str]:
    return sorted(path.as_posix() for path in Path("vectors").glob(f"{kernel}.n*.blt"))


# ---- what a policy does ------------------------------------------------------------------------------

def twins(test: Policies) -> None:
    """A run under a policy in a file is that under the built-in one with the same decisions."""
    launches = test.work / "launches.kernel"
    launches.write_text(re.sub(r"\bblocks = \d+;", "blocks = 60; launches = 3;", Path(KERNEL).read_text()))
    models = sorted(Path("cmodel/sm").glob("*.c"))
    for block, (state, reset, step) in TWINS.items():
        path = test.compiled(block, TWIN.format(block=block, state=state, reset=reset, step=step), *models)
        for name, line in (("sim", ["sim", "--csv", KERNEL]), ("sim, several launches", ["sim", "--csv", launches])):
            with test.case(f"{name}: {block} in a file is {block}, in every number"):
                built_in = test.ballast(0, *line, "--policy", block)
                expect(test.ballast(0, *line, "--policy", path) == built_in and f",{block}," in built_in, "another run")
        with test.case(f"sim: {block} in a file is recorded as {block} is"):
            recordings = [test.work / f"{block}.{number}.rec" for number in range(2)]
            for policy, recording in zip((block, path), recordings, strict=True):
                test.ballast(0, "sim", "--max-cycles", 30000, "--record-sms", "0,3", "--record", recording, "--policy", policy, launches)
            said = [re.sub(r"\S*\.rec", "", test.ballast(0, "info", recording)) for recording in recordings]
            test.ballast(0, "info", "--verify", *recordings)
            expect(said[0] == said[1] and recordings[0].read_bytes() == recordings[1].read_bytes(), "other recordings")
        with test.case(f"family: {block} in a file takes the same way through the recordings"):
            test.ballast(0, "family", "--policy", block, "--policy", path, "--max-cycles", 150000, *family("pathlong"))
            rows = [re.sub(r" +", " ", line).split(" ") for line in test.printed.splitlines()[-2:]]
            expect(rows[0] == rows[1] and rows[0][0] == block and rows[0][-1] == "%", f"{rows}")
        with test.case(f"family: {block} in a file loses against the oracle what the built-in one loses"):
            curve = (test.out / "pathlong.regret.csv").read_text().splitlines()[1:]
            half = len(curve) // 2
            expect(half > 4 and curve[:half] == curve[half:], f"{curve}")


def examples(test: Policies) -> None:
    page = PAGE.read_text()
    for name, source in zip(("descend", "together"), re.findall(r"^```c\n(.*?)^```$", page, re.M | re.S), strict=True):
        with test.case(f"page: {name}.c is at most 60 lines, and compiles without a warning"):
            expect(source.count("\n") <= 60, f"{source.count(chr(10))} lines")
            test.compiled(name, source, "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wno-error=unused-function")
    descend, together = test.work / "descend.so", test.work / "together.so"
    shown = [re.sub(r"^    ", "", block, flags=re.M).splitlines() for block in re.findall(r"prints:\n\n((?:    .*\n)+)", page)]
    with test.case("page: what the family prints"):
        expect(test.ballast(0, "family", "--log", "--policy", descend, *family("pathlong")).splitlines() == shown[0], test.printed)
        log = [json.loads(line) for line in (test.out / "pathlong.sm0.model.jsonl").read_text().splitlines()]
        expect([(entry["block"], entry["event"], entry["before"]["limit"], entry["after"]["limit"]) for entry in log] ==
               [("descend", "limit", 0, 6), ("descend", "described", 6, 5), ("descend", "described", 5, 4), ("descend", "described", 4, 5)], f"{log}")
    with test.case("page: the table of all policies"):
        test.ballast(0, "sim", "--policy", "all", "--policy", descend, "--policy", together, "sim/kernels/recorded/pathlong.kernel")
        lines = test.printed.splitlines()
        expect(not set(shown[1]) - set(lines) and len(lines) >= 8, f"{sorted(set(shown[1]) - set(lines))} is not there")
    with test.case("the table as data has the same numbers, and those of each policy alone"):
        test.ballast(0, "sim", "--csv", "--policy", "all", "--policy", f"{descend}:window=4096", KERNEL)
        rows = [line.split(",") for line in test.printed.splitlines()]
        expect(rows[0][4] == "policy" and rows[-1][4] == "descend:window=4096" and rows[1][4] == "static", test.printed)
        one = test.ballast(0, "sim", "--csv", "--policy", f"{descend}:window=4096", KERNEL).splitlines()
        cycles = dict(zip(one[0].split(","), one[1].split(","), strict=True))["cycles"]
        expect(cycles == rows[-1][6], f"{cycles} cycles alone, {rows[-1][6]} in the table")
        least = min(int(test.ballast(0, "sim", "--csv", "--limit", limit, KERNEL).splitlines()[1].split(",")[9]) for limit in range(1, int(rows[1][13]) + 1))
        expect(rows[1][16] == str(least), f"{least} cycles are the fewest, the table says {rows[1][16]}")
        expect(all(abs(float(row[7]) - 100 * (int(row[6]) / least - 1)) < 0.01 for row in rows[1:]), "costs that do not follow from the cycles")
    with test.case("the table of recordings: limits and the cost that the recordings give them"):
        test.ballast(0, "family", "--policy", "all", "--policy", descend, *family("pathlong"))
        table = test.printed.splitlines()
        rates = [float(word) for word in re.search(r": ((?:[\d.]+ )+[\d.]+);", "\n".join(shown[0]))[1].split()]
        for row in table[3:]:
            limit, cost = int(row[24:].split()[0]), float(row[24:].split()[1])
            expect(abs(cost - 100 * (max(rates) / rates[limit - 1] - 1)) < 0.2, row)
        expect(table[-1].split()[0] == "descend" and table[3].split()[0] == "static", "other rows")


def sees(test: Policies) -> None:
    """What a policy is told."""
    with test.case("each SM is told its number, how many there are, and the options"):
        path = test.mine("place", other="""static bool cfg(void *memory, const ballast_policy_place *p, char *why, uint32_t size)
            { (void)memory; if (p->sm < 2) return true; snprintf(why, size, "%u of %u, %u %u %u, %s", p->sm, p->sms, p->warps, p->slots, p->issue_width, p->options);
              return false; }""", MORE=".cfg = cfg, .reset = reset, .step = step")
        test.ballast(BAD, "sim", "--sms", 5, "--policy", f"{path}:a=1,b:c", KERNEL)
        test.nothing_but(r"/place\.so: 2 of 5, 48 8 2, a=1,b:c\n")
    with test.case("the cycle: instructions and CTAs add up to what the run says of them"):
        path = test.mine("sums", other="""typedef struct sums { unsigned cycle, issued, ready, ctas, wrong; } sums;
            static bool describe(const void *b, const void *a, const void *c, const ballast_policy_in *in, const ballast_policy_out *o, char *line, uint32_t size)
            { const sums *s = a; (void)b; (void)c; (void)o; if (!in->cta_done) return false;
              snprintf(line, size, "%u issued, %u CTAs, %u wrong", s->issued, s->ctas, s->wrong); return true; }""",
                         MORE=".reset = reset, .step = step, .describe = describe", STATE="32",
                         STEP="""unsigned *s = state; s[1] += in->issued; s[3] += __builtin_popcount(in->cta_done);
            for (unsigned l = 0; l < in->issued; l++) s[4] += !(in->cta_active >> in->issue_slot[l] & 1);
            for (unsigned w = 0; w < 48; w++) { unsigned code = 0; for (unsigned b = 0; b < 4; b++) code |= (in->ws[b] >> w & 1) << b;
              s[4] += code != 0 && !(in->cta_active >> in->warp_slot[w] & 1); }
            s[4] += (in->ps_class == BALLAST_PS_ACTIVE) != (in->issued > 0); out->limit = in->nmax;""")
        said = test.ballast(0, "sim", "--sms", 5, "--log", "--policy", path, KERNEL)
        work = re.search(r"^work +(\d+) warp instructions, (\d+) CTAs", said, re.M)
        log = [(json.loads(line)["sm"], re.search(r"(\d+) issued, (\d+) CTAs, (\d+) wrong", line))
               for line in (test.out / "hotspot.chip.model.jsonl").read_text().splitlines()]
        last = {sm: [int(word) for word in found.groups()] for sm, found in log if found}
        expect([sum(column) for column in zip(*last.values(), strict=True)] == [int(work[1]), int(work[2]), 0], f"{last}, and the run says {work[0]}")
    with test.case("SMs hear in the next cycle what the chip made of what they said"):
        path = test.mine("hears", other="""static void chip(void *m, const uint32_t *said, uint32_t *heard, uint32_t sms)
            { (void)m; for (uint32_t i = 0; i < sms; i++) heard[i] = said[(i + 1) % sms] + 1; }
            static bool cfg(void *memory, const ballast_policy_place *p, char *why, uint32_t size) { (void)why; (void)size; *(uint32_t *)memory = p->sm; return true; }""",
                         MORE=".cfg_size = 4, .cfg = cfg, .reset = reset, .step = step, .chip = chip",
                         STEP="""const uint32_t me = *(const uint32_t *)cfg; out->share = 1000 * *cycle + me; out->limit = in->nmax;
            if (in->heard != (*cycle == 1 ? 0 : 1000 * (*cycle - 1) + (me + 1) % 5 + 1)) abort();""")
        test.ballast(0, "sim", "--sms", 5, "--policy", path, KERNEL)
    with test.case("a pause is carried out, and without one CTAs run to their end"):
        means = []
        for pause in (0, 1):
            path = test.mine(f"pause{pause}", STEP=f"""out->limit = *cycle < 3000 ? in->nmax : 1; out->pause = {pause};
                if (*cycle > 3010 && *cycle < 3020 && !in->cta_paused == {pause}) abort();""")
            said = test.ballast(0, "sim", "--sms", 5, "--max-cycles", 6000, "--policy", path, KERNEL)
            means.append(float(re.search(r"average, ([\d.]+) CTAs at work", said)[1]))
        expect(means[1] < means[0] - 0.3, f"{means} CTAs at work")


def levels(test: Policies) -> None:
    """Clock domains: what is asked for, what is seen, and what the run then says of them."""
    shares = ("sm_low", "sm_normal", "sm_high", "memory_low", "memory_normal", "memory_high")

    def times(name: str, step: str, *words: object, **macros: str) -> list[float]:
        path = test.mine(name, STEP="out->limit = in->nmax; " + step, **macros)
        head, row = (line.split(",") for line in test.ballast(0, "sim", "--csv", "--sms", 5, "--max-cycles", 20000, *words, "--policy", path, KERNEL).splitlines())
        return [float(dict(zip(head, row, strict=True))[share]) for share in shares]

    with test.case("levels: nobody asks, and both stay normal"):
        expect(times("still", ";") == [0, 1, 0, 0, 1, 0], test.printed)
    with test.case("levels: a step begins in the cycle that asks, and ends 512 cycles later"):
        got = times("up", """if (*cycle == 1000) out->sm_ask = BALLAST_ASK_UP;
            if (in->sm_busy != (*cycle > 1000 && *cycle <= 1512) || in->mem_busy) abort();
            if (in->sm_level != (*cycle > 1512 ? BALLAST_VF_HIGH : BALLAST_VF_NORMAL) || in->mem_level != BALLAST_VF_NORMAL) abort();""")
        expect(got[2] > 0.9 and got[:2] == [0, round(1 - got[2], 6)] and got[3:] == [0, 1, 0], f"{got}")
    with test.case("levels: the memory's is asked for apart from the SMs'"):
        got = times("down", "out->mem_ask = BALLAST_ASK_DOWN;")
        expect(got[:3] == [0, 1, 0] and got[3] > 0.9 and got[5] == 0, f"{got}")
    with test.case("levels: what is asked for in a transition is lost, and HIGH is the highest"):
        got = times("lost", """out->mem_ask = *cycle > 100 && *cycle <= 612 ? BALLAST_ASK_UP : *cycle > 5000 ? BALLAST_ASK_UP : BALLAST_ASK_NOTHING;
            if (in->mem_level != (*cycle > 613 ? BALLAST_VF_HIGH : BALLAST_VF_NORMAL)) abort(); if (*cycle > 613 && in->mem_busy) abort();""")
        expect(got[5] > 0.9, f"{got}")
    for most, moved in ((2, False), (3, True)):
        with test.case(f"levels: {most} of 5 SMs ask, and the chip {'does it' if moved else 'stays'}"):
            got = times(f"most{most}", f"if (*(const uint32_t *)cfg < {most}) out->sm_ask = BALLAST_ASK_DOWN;", other="""static bool cfg(void *memory,
                const ballast_policy_place *p, char *why, uint32_t size) { (void)why; (void)size; *(uint32_t *)memory = p->sm; return true; }""",
                        MORE=".cfg_size = 4, .cfg = cfg, .reset = reset, .step = step")
            expect((got[0] > 0.9) == moved and (got[1] == 1) != moved, f"{got}")
    with test.case("levels: a table of several policies holds both at normal, and policies see that"):
        path = test.mine("held", STEP="out->limit = in->nmax; out->sm_ask = BALLAST_ASK_UP; if (in->sm_busy || in->sm_level != BALLAST_VF_NORMAL) abort();")
        test.ballast(0, "sim", "--sms", 5, "--max-cycles", 3000, "--policy", "static", "--policy", path, KERNEL)
        rows = [line.split() for line in test.printed.splitlines()[-2:]]
        expect(rows[0][1:3] == rows[1][1:3], test.printed)
    with test.case("levels: recordings have been made at the normal ones, whatever is asked for"):
        test.ballast(0, "family", "--policy", path, "--max-cycles", 5000, *family("hotspot"))
    with test.case("levels: the mode is the command's"):
        for mode, code in (("energy", 0), ("performance", 1)):
            times(f"mode{code}", f"if (in->mode != {code}) abort();", "--mode", mode)
    with test.case("levels: the log has each step"):
        said = test.ballast(0, "sim", "--sms", 5, "--max-cycles", 3000, "--log", "--policy", test.work / "up.so", KERNEL)
        expect(re.findall(r"^cycle (\d+) chip (\w+ domain .*)$", said, re.M) == [("999", "SM domain normal -> high in 512 cycles")], said)


def kernels(test: Policies) -> None:
    """kernel_id: one number for all launches of a kernel, and others for others."""
    seen = """typedef struct ids { unsigned cycle, id; } ids;
        static bool describe(const void *b, const void *a, const void *c, const ballast_policy_in *in, const ballast_policy_out *o, char *line, uint32_t size)
        { (void)b; (void)c; (void)o; if (!in->kernel_start) return false; snprintf(line, size, "kernel %u", in->kernel_id); return true; }
        """
    path = test.mine("ids", other="#include <stdio.h>\n" + seen, MORE=".reset = reset, .step = step, .describe = describe",
                     STEP="unsigned *s = state; if (in->kernel_start) s[1] = in->kernel_id; else if (s[1] && s[1] != in->kernel_id) abort(); out->limit = in->nmax;")

    def ids(*line: object) -> list[int]:
        return [int(word) for word in re.findall(r"SM ?0:? kernel (\d+)", test.ballast(0, *line, "--log", "--policy", path), re.M)]

    launches = test.work / "launches.kernel"
    launches.write_text(re.sub(r"\bblocks = \d+;", "blocks = 60; launches = 3;", Path(KERNEL).read_text()))
    other = test.work / "other.kernel"
    other.write_text(launches.read_text().replace('name = "', 'name = "another-'))
    with test.case("kernel_id: the launches of a kernel have one, and another kernel another"):
        mine, theirs = ids("sim", "--sms", 5, launches), ids("sim", "--sms", 5, other)
        expect(len(mine) == 3 and len(set(mine)) == 1 and 0 not in mine and len(set(theirs)) == 1 and not set(mine) & set(theirs), f"{mine}, {theirs}")
    with test.case("kernel_id: of recordings, by the kernel's name"):
        first, second = (ids("family", "--launch", launch, *family("srad")) for launch in (1, 2))
        expect(first and second and len(set(first)) == 1 and len(set(second)) == 1 and first[0] != second[0] and 0 not in first + second, f"{first}, {second}")


# ---- what is wrong with one ---------------------------------------------------------------------------

def unfit(test: Policies) -> list[tuple[str, Path, str]]:
    """Name, file, what the line says."""
    work = test.work
    good = test.mine("good").read_bytes()
    (work / "garbage.so").write_bytes(b"no shared object at all\n" * 40)
    (work / "empty.so").write_bytes(b"")
    (work / "folder.so").mkdir()
    for size in (64, 500, 5000, len(good) // 2):
        (work / f"cut{size}.so").write_bytes(good[:size])
    reordered = ".version = BALLAST_POLICY_VERSION, .size = sizeof(ballast_policy_functions)"
    return [
        ("no such file", work / "none.so", r"cannot open \(No such file or directory\)"),
        ("a folder", work / "folder.so", "is no file"),
        ("garbage", work / "garbage.so", "cannot be loaded .*build it with cc -shared"),
        ("empty", work / "empty.so", r"cannot be loaded \(file too short\)"),
        *((f"cut off after {size} bytes", work / f"cut{size}.so", "(cannot be loaded|while it was loaded)") for size in (64, 500, 5000, len(good) // 2)),
        ("an unresolved symbol", test.mine("unresolved", STEP="extern void nowhere(void); nowhere();"), r"cannot be loaded \(.*nowhere"),
        ("no entry", test.mine("unnamed", ENTRY="another_name"), "has no symbol ballast_policy_entry"),
        ("an entry that is a function", test.compiled("function", "void ballast_policy_entry(void) {}"), "is of version \\d+ of the interface, this program of 2"),
        ("the next version", test.mine("next", HEAD=".version = BALLAST_POLICY_VERSION + 1, .size = sizeof(ballast_policy_functions)"),
         "is of version 3 of the interface, this program of 2"),
        ("the version before", test.mine("before", HEAD=".version = 1, .size = sizeof(ballast_policy_functions)"),
         "is of version 1 of the interface, this program of 2; compile it with this version's ballast/policy.h"),
        ("no version", test.mine("zero", HEAD=".size = 1"), "is of version 0"),
        ("no size of its structs", test.mine("sizes", HEAD=reordered), r"has structs of \d+, 0 and 0 bytes"),
        ("a table that is too short", test.mine("short", HEAD=".version = BALLAST_POLICY_VERSION, .size = sizeof(ballast_policy_functions) - 8, "
                                                ".in_size = sizeof(ballast_policy_in), .out_size = sizeof(ballast_policy_out)"), "has structs of"),
        ("a struct too large", test.mine("large", HEAD=f"{reordered}, .in_size = sizeof(ballast_policy_in) + 8, .out_size = sizeof(ballast_policy_out)"),
         r"has structs of .*BALLAST_POLICY_INTERFACE"),
        ("no step", test.mine("nostep", MORE=".reset = reset"), "has no function step"),
        ("no reset", test.mine("noreset", MORE=".step = step"), "has no function reset"),
        ("no name", test.mine("noname", NAME='""'), "its name has no letter"),
        ("a name with a comma", test.mine("comma", NAME='"a,b"'), "its name must be of"),
        ("a huge state", test.mine("huge", STATE="0xfffffff0"), "more than 16777216 bytes"),
        ("cfg_size without cfg", test.mine("nocfg", MORE=".cfg_size = 4, .reset = reset, .step = step"), "cfg_size 4, but no function cfg"),
        ("chip_size without chip", test.mine("nochip", MORE=".chip_size = 4, .reset = reset, .step = step"), "chip_size 4, but no function chip"),
        ("a fault while it is loaded", test.mine("early", other="__attribute__((constructor)) static void early(void) { *(volatile int *)(long)zero = 1; }"),
         r"died \(Segmentation fault\) while it was loaded"),
        ("cfg refuses without a word", test.mine("refuses", other="static bool cfg(void *c, const ballast_policy_place *p, char *w, uint32_t n) { return false; }",
                                                 MORE=".cfg = cfg, .reset = reset, .step = step"), "does not say why"),
    ]


def misbehaving(test: Policies) -> list[tuple[str, Path, str]]:
    late = "*cycle == 900"
    functions = {
        "cfg": "static bool cfg(void *c, const ballast_policy_place *p, char *w, uint32_t n) { abort(); }",
        "chip": "static void chip(void *c, const uint32_t *s, uint32_t *h, uint32_t n) { *(volatile int *)8 = 1; }",
    }
    return [
        *((f"limit {limit} in step", test.mine(f"limit{limit}", STEP=f"out->limit = {late} ? {limit} : 1;"),
           rf"limit {limit} in step, SM 0, cycle 899 of the run, where 1 to \d") for limit in (0, 9, 255)),
        *((f"{domain}_ask {ask} in step", test.mine(f"{domain}ask{ask}", STEP=f"out->limit = 1; if ({late}) out->{domain}_ask = {ask};"),
           rf"{domain}_ask {ask} in step, SM 0, cycle 899 of the run, where 0 to 2 are allowed") for domain, ask in (("sm", 3), ("mem", 255))),
        ("no limit at all", test.mine("nolimit", STEP=";"), r"limit 0 in step, SM 0, cycle 1 of the run"),
        *((f"{name} in step", test.mine(f"step{number}", STEP=f"out->limit = 1; if ({late}) {code}"), rf"{word} in step, SM 0, cycle 899 of the run, which gives no result")
          for number, (name, code, word) in enumerate([
              ("a fault", "*(volatile int *)0 = 1;", r"died \(Segmentation fault\)"),
              ("an abort", "abort();", r"died \(Aborted\)"),
              ("a division by zero", "out->limit = 7 / zero + 7 % zero;", r"died \(Floating point exception\)"),
              ("a full stack", "deep(1);", r"died \(Segmentation fault\)"),
              ("a jump to nowhere", "((void (*)(void))zero)();", r"died \(Segmentation fault\)"),
              ("a trap", "__builtin_trap();", r"died \(Illegal instruction\)")])),
        ("a write behind its state", test.mine("beyond", STEP=f"out->limit = 1; if ({late}) memset(state, 7, STATE + 4);"), "SM 0, cycle 899 of the run: wrote beyond the end"),
        ("a fault in reset", test.mine("reset", other="static void bad(void *s, const void *c) { *(volatile int *)0 = 1; }", MORE=".reset = bad, .step = step"),
         r"died \(Segmentation fault\) in reset, SM 0, cycle 0"),
        ("an abort in cfg", test.mine("cfg", other=functions["cfg"], MORE=".cfg = cfg, .reset = reset, .step = step"), r"died \(Aborted\) in cfg, SM 0"),
        ("a fault in chip", test.mine("chip", other=functions["chip"], MORE=".reset = reset, .step = step, .chip = chip"), r"died \(Segmentation fault\) in chip"),
        ("exit in step", test.mine("exits", STEP=f"out->limit = 1; if ({late}) exit(0);"), r"called exit, which only the host may do, in step, SM 0, cycle 899"),
    ]


def refusals(test: Policies) -> None:
    for name, path, words in [*unfit(test), *misbehaving(test)]:
        named = rf"^ballast: {re.escape(str(path))}: .*{words}" if "cfg refuses" not in name else words
        for command, line in (("sim", ["sim", "--record", test.work / "x.blt", KERNEL]), ("family", ["family", "--log", *family("hotspot")])):
            with test.case(f"{command}: {name}: one line, no result"):
                test.ballast(BAD, *line, "--policy", path)
                test.nothing_but(named)
    broken = test.work / "step0.so"
    with test.case("sim: a fault among several policies: one line, no table"):
        test.ballast(BAD, "sim", "--policy", "all", "--policy", test.work / "good.so", "--policy", broken, KERNEL)
        test.nothing_but(r"step0.so: died \(Segmentation fault\) in step, SM 0, cycle 899")
    with test.case("sim: a fault, and the list of CTAs stays what it was"):
        (test.work / "ctas.list").write_text("before")
        test.ballast(BAD, "sim", "--ctas", test.work / "ctas.list", "--policy", broken, KERNEL)
        test.nothing_but("died")
        expect((test.work / "ctas.list").read_text() == "before", "another list")
    with test.case("family: a fault among several policies: one line, no table"):
        test.ballast(BAD, "family", "--policy", "static", "--policy", broken, *family("hotspot"))
        expect(test.complained.count("\n") == 1 and "died (Segmentation fault)" in test.complained and not test.printed, "not one line")
    with test.case("describe: a fault, with the log that wants it; a text that is too long is cut, and stays in its line"):
        path = test.mine("describe", other="static bool describe(const void *b, const void *a, const void *c, const ballast_policy_in *i, const ballast_policy_out *o, char *l, uint32_t n)"
                         "{ if (i->kernel_start) return memset(l, 'x', n), l[7] = '\\n', true; *(volatile int *)0 = 1; return false; }",
                         MORE=".reset = reset, .step = step, .describe = describe")
        test.ballast(BAD, "sim", "--log", "--policy", path, KERNEL)
        expect(re.search(r"died \(Segmentation fault\) in describe, SM 0, cycle 1 ", test.complained) and not test.printed, "not one line")
        test.ballast(0, "sim", "--sms", 5, "--max-cycles", 1, "--log", "--policy", path, KERNEL)
        expect(test.printed.startswith("cycle 0 chip SM 0: xxxxxxx xxxx") and len(test.printed.splitlines()[0]) < 1300, "another line")
    for name, words, line in (
            ("an unknown name", r"--policy: no 'fast'; there are static, perfsat, .*all, and files", ["sim", "--policy", "fast", KERNEL]),
            ("a name twice", "--policy names lcs twice", ["sim", "--policy", "lcs", "--policy", "all", KERNEL]),
            ("RTL of a file", "the one in a file has no RTL", ["sim", "--side", "rtl", "--policy", test.work / "good.so", KERNEL]),
            ("a limit beside a file", "--limit", ["sim", "--limit", 2, "--policy", test.work / "good.so", KERNEL]),
            ("a mix under a file", "--with: only with", ["sim", "--with", KERNEL, "--policy", test.work / "good.so", KERNEL]),
            ("a table and a recording", "a table of several", ["sim", "--record", "x.blt", "--policy", "all", KERNEL]),
            ("a policy and a block", "--policy and --block", ["family", "--block", "lcs", "--policy", "lcs", *family("hotspot")]),
            ("a waveform of a file", "which has RTL", ["family", "--wave", "--policy", test.work / "good.so", *family("hotspot")]),
            ("a log of a table", "--log: with one policy", ["family", "--log", "--policy", "all", *family("hotspot")])):
        with test.case(f"{line[0]}: {name}: one line"):
            test.ballast(2, *line)
            expect(re.search(words, test.complained) and test.complained.count("\n") == 1 and not test.printed, "not one line")


def endless(test: Policies) -> None:
    with test.case("the seconds of a call are counted for that call alone"):
        test.ballast(0, "sim", "--max-cycles", 100, "--policy", test.mine("ticks", STEP="raise(SIGALRM); out->limit = 1;"), KERNEL)
    path = test.mine("endless", STEP="out->limit = 1; while (*cycle == 900) zero = 0;")
    with test.case("a step without an end is ended, and named"):
        test.ballast(BAD, "sim", "--policy", path, KERNEL)
        test.nothing_but(r"endless\.so: did not come back in 10 seconds in step, SM 0, cycle 899")
    for name, line in (("sim", ["sim", KERNEL]), ("family", ["family", *family("hotspot")])):
        with test.case(f"{name}: Ctrl-C reaches a step without an end"):
            process = subprocess.Popen([test.script, *line, "--out", str(test.out), "--policy", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(1.5)
            process.send_signal(signal.SIGINT)
            start = time.monotonic()
            out, err = process.communicate(timeout=60)
            expect(process.returncode == 130 and not out and time.monotonic() - start < 8, f"status {process.returncode}, {err}")


if __name__ == "__main__":
    Policies.main(sys.argv[1] if len(sys.argv) > 1 else "build/fermi/test/ballast", twins, examples, sees, levels, kernels, refusals, endless)
