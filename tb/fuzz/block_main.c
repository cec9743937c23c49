/* SPDX-License-Identifier: Apache-2.0
 *
 * The libFuzzer program of one block variant (-DFUZZ_VARIANT). Its own options, before libFuzzer's:
 *
 *   --findings=PREFIX   where a finding's recording goes (PREFIX.blt, PREFIX.state)
 *   --program=PATH      the command that replays it
 *   --inject=FAULT      plants a fault (engine/fault.h; the cycle counts from the last reset)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/finding.h"

#ifndef FUZZ_VARIANT /* the makefile's */
#define FUZZ_VARIANT "perfsat"
#endif

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static fuzz_block *fuzzed;
static const char *findings, *program = "ballast";

/* ---- feedback beyond the coverage of code: which values the registers have taken ----------
 *
 * Verilated RTL computes most of a block in straight lines, so that a counter that is full or two counts that are equal run
 * through no line of their own. */

enum { PER_PORT = 128, MARKS = 1 << 16 };

/* libFuzzer looks for a section of this name and takes every byte that is not 0 as something seen. It clears them before
 * each input. */
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t seen[MARKS];

static unsigned log2_of(uint64_t value)
{
    return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

/* A named value is a mark of its own, and so is every step from one to another; a number's marks are its magnitude, being
 * full, one below it, and how it moved. */
static unsigned mark_of(const block_port *port, uint64_t before, uint64_t after)
{
    const uint64_t most = port->width < 64 ? (UINT64_C(1) << port->width) - 1 : UINT64_MAX;

    if (port->num_names)
        return (unsigned)(after % 8 * 8 + before % 8);
    if (after == most || after == most - 1)
        return 70 + (after == most) + 2 * (before == after);
    return log2_of(after);
}

static void mark(unsigned at)
{
    seen[at % MARKS] = 1;
}

/* Two counts of the same width that are equal and not 0: ties. */
static void mark_equal(const lockstep_instance *inst, unsigned p, unsigned at)
{
    const block_port *port = &inst->ports.ports[p], *next = port + 1;
    const uint64_t value = block_port_get(port, inst->state);

    if (p + 1 < inst->ports.num && next->kind == PORT_REG && next->width == port->width && port->width > 1 && value &&
        value == block_port_get(next, inst->state))
        mark(at + 80 + (unsigned)(value < 47 ? value : 47));
}

static void watch_marks(const lockstep_instance *inst)
{
    const void *before = inst->registers[inst->state == inst->registers[0]];
    unsigned at = 0;

    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];

        if (port->kind == PORT_OUT)
            mark(at + mark_of(port, 0, block_port_get(port, inst->out)));
        if (port->kind == PORT_REG) {
            mark(at + mark_of(port, block_port_get(port, before), block_port_get(port, inst->state)));
            mark_equal(inst, p, at);
        }
        at += port->kind == PORT_IN ? 0 : PER_PORT;
    }
}

/* ---- the program -------------------------------------------------------------------------- */

__attribute__((noreturn)) static void die(const char *what)
{
    fprintf(stderr, "fuzz %s: %s\n", FUZZ_VARIANT, what);
    exit(2);
}

static void inject(const char *text)
{
    char err[BLOCK_TEXT];
    fault f;

    if (!fault_parse(&f, text))
        die("--inject takes a fault such as rtl:perfsat.limit_q[2]@1234");
    if (!lockstep_add_fault(&fuzzed->ls, &f, err, sizeof err))
        die(err);
}

static bool own_option(const char *arg)
{
    if (!strncmp(arg, "--findings=", 11))
        findings = arg + 11;
    else if (!strncmp(arg, "--program=", 10))
        program = arg + 10;
    else if (!strncmp(arg, "--inject=", 9))
        inject(arg + 9);
    else
        return false;
    return true;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    char err[BLOCK_TEXT];
    int kept = 1;

    fuzzed = fuzz_block_open(FUZZ_VARIANT, err, sizeof err);
    if (!fuzzed)
        die(err);
    fuzzed->watch = watch_marks;
    for (int i = 1; i < *argc; i++)
        if (!own_option((*argv)[i]))
            (*argv)[kept++] = (*argv)[i];
    *argc = kept;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (fuzz_block_run(fuzzed, data, size))
        return 0;
    fuzz_explain(fuzzed, data, size, findings, program, stderr);
    abort();
}
