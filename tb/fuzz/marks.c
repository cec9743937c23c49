/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/marks.h"

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

void fuzz_marks_watch(const lockstep_instance *inst)
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
