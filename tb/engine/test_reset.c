/* SPDX-License-Identifier: Apache-2.0
 *
 * Reset from anywhere: RTL begins with random registers, and one rising edge in reset brings it to the model's reset state,
 * whatever the inputs say meanwhile. From there on the twins agree, from every start.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lockstep.h"
#include "engine/random_sms.h"
#include "engine/suite_fixture.h"

/* Starts that are looked at alone: a block may have ten thousand bits, and each has to be seen as 0 and as 1. */
enum { STARTS = 48, SEEDS = 24, BIG_SEEDS = 12, CYCLES = 300, BIG_STATE = 16384 };

static void open_with_seed(lockstep *ls, const block *blk, uint32_t seed)
{
    const block *list[BLOCK_MAX_NEEDS + 3] = {NULL};
    char err[BLOCK_TEXT] = "";
    unsigned num = 0;

    /* cta_throttle reads eq_decision, which reads eq_counters: what comes first is in front. */
    for (const char *const *need = blk->model->needs; *need; need++)
        list[num++] = block_find(*need);
    list[num] = blk;
    assert_true(lockstep_open(ls, list, 0, seed, err, sizeof err));
    assert_string_equal(err, "");
}

/* ---- the start ------------------------------------------------------------------------- */

static void note_bits(const lockstep_instance *inst, unsigned char *ones, unsigned char *zeros)
{
    unsigned char *start = calloc(1, inst->sizes.state + 1);

    assert_non_null(start);
    inst->block->rtl->registers(inst->rtl, start);
    for (size_t i = 0; i < inst->sizes.state; i++) {
        ones[i] |= start[i];
        zeros[i] |= (unsigned char)~start[i];
    }
    free(start);
}

static void expect_both(const lockstep_instance *inst, const unsigned char *ones, const unsigned char *zeros)
{
    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];
        const uint64_t mask = port->width < 64 ? (UINT64_C(1) << port->width) - 1 : UINT64_MAX;

        if (port->kind == PORT_REG &&
            ((block_port_get(port, ones) & block_port_get(port, zeros) & mask) != mask))
            fail_msg("%s: %s does not begin with random bits: seen as 1: %llx, as 0: %llx", inst->block->name, port->name,
                     (unsigned long long)block_port_get(port, ones), (unsigned long long)(block_port_get(port, zeros) & mask));
    }
}

/* Without this, the next test would prove nothing: each bit of each register starts as 0 and as 1. */
TEST(registers_begin_random)
{
    for (const block *const *b = block_registry; *b; b++) {
        static lockstep ls;
        static unsigned char ones[1 << 20], zeros[1 << 20];
        const lockstep_instance *inst = NULL;

        memset(ones, 0, sizeof ones);
        memset(zeros, 0, sizeof zeros);
        for (uint32_t seed = 1; seed <= STARTS; seed++) {
            open_with_seed(&ls, *b, seed * 7919);
            inst = &ls.instances[ls.num_instances - 1];
            assert_true(inst->sizes.state <= sizeof ones);
            note_bits(inst, ones, zeros);
            if (seed == STARTS)
                expect_both(inst, ones, zeros);
            lockstep_close(&ls);
        }
    }
}

/* ---- reset and what follows -------------------------------------------------------------- */

static bool random_cycles(lockstep *ls, uint64_t seed)
{
    static random_sms sms;
    bool ok = true;

    random_sms_start(&sms, seed, ls->num_sms, lockstep_param(ls, "NumWarps", 48), lockstep_param(ls, "NumSlots", 8), CYCLES);
    for (unsigned cycle = 0; ok && cycle < CYCLES; cycle++)
        ok = lockstep_cycle_all(ls, random_sms_next(&sms), cycle);
    return ok;
}

static void fail_with(const lockstep *ls, const block *blk, uint32_t seed, const char *when)
{
    const lockstep_mismatch *m = &ls->mismatch;

    fail_msg("%s, seed %u, %s: cycle %llu: %s: model %llx, RTL %llx %s", blk->name, seed, when, (unsigned long long)m->index,
             m->port ? m->port->name : "an assertion", (unsigned long long)m->expected, (unsigned long long)m->actual, m->text);
}

TEST(one_edge_in_reset_is_enough)
{
    for (const block *const *b = block_registry; *b; b++) {
        static lockstep ls;
        unsigned seeds = SEEDS;

        for (uint32_t seed = 1; seed <= seeds; seed++) {
            open_with_seed(&ls, *b, seed);
            if (ls.instances[0].sizes.state > BIG_STATE)
                seeds = BIG_SEEDS;
            ls.careful = true;
            if (!lockstep_reset(&ls))
                fail_with(&ls, *b, seed, "after reset");
            if (!random_cycles(&ls, seed))
                fail_with(&ls, *b, seed, "in the run");
            if (!lockstep_reset(&ls)) /* from registers in use */
                fail_with(&ls, *b, seed, "after the second reset");
            lockstep_close(&ls);
        }
    }
}
