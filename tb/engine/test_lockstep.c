/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine itself: twins agree on random input in every variant, and a single flipped bit in
 * any register or output, on either side, is found at its cycle and by its name.
 */
#include <stdio.h>
#include <string.h>

#include "engine/lockstep.h"
#include "engine/random_sms.h"
#include "engine/suite_fixture.h"

enum { WARPS = 48, SLOTS = 8, FAULT_CYCLES = 2000 };

typedef struct block_set {
    const block *list[LOCKSTEP_MAX_BLOCKS + 1];
    unsigned num;
} block_set;

/* After what it needs. */
static void add_block(block_set *set, const block *blk)
{
    for (const char *const *need = blk->model->needs; *need; need++) {
        const block *needed = block_find(*need);
        bool there = false;

        assert_non_null(needed);
        for (unsigned i = 0; i < set->num; i++)
            there |= set->list[i] == needed;
        if (!there)
            add_block(set, needed);
    }
    assert_in_range(set->num, 0, LOCKSTEP_MAX_BLOCKS - 1);
    set->list[set->num++] = blk;
    set->list[set->num] = NULL;
}

static void open_block(lockstep *ls, const block *blk)
{
    char err[BLOCK_TEXT] = "";
    block_set set = {.num = 0};

    add_block(&set, blk);
    assert_true(lockstep_open(ls, set.list, 0, 7, err, sizeof err));
    assert_string_equal(err, "");
}

static bool is_base(const block *blk)
{
    return !strcmp(blk->name, blk->model->block_name);
}

/* ---- random input --------------------------------------------------------------------- */

/* Buses and settings change; the same again every time. */
static void random_start(random_sms *r, lockstep *ls, uint64_t seed, uint64_t cycles)
{
    ls->stir_seed = seed;
    random_sms_start(r, seed, ls->num_sms, lockstep_param(ls, "NumWarps", WARPS), lockstep_param(ls, "NumSlots", SLOTS), cycles);
}

static bool random_cycle(lockstep *ls, random_sms *r)
{
    const sm_obs *const *obs = random_sms_next(r);

    assert_non_null(obs);
    return lockstep_cycle_all(ls, obs, ls->index);
}

static bool run(lockstep *ls, random_sms *r)
{
    random_sms_rewind(r);
    if (!lockstep_reset(ls))
        return false;
    while (ls->index < r->cycles)
        if (!random_cycle(ls, r))
            return false;
    return true;
}

static uint64_t was(const lockstep_mismatch *m, enum lockstep_side side)
{
    return m->port && m->port->kind == PORT_REG ? block_port_get(m->port, m->instance->view[side].before) : 0;
}

static void fail_with(const lockstep *ls, const block *blk)
{
    const lockstep_mismatch *m = &ls->mismatch;

    fail_msg("%s: cycle %llu %s: model %llx, RTL %llx (before: %llx, %llx) %s", blk->name, (unsigned long long)m->index,
             m->port ? m->port->name : "?", (unsigned long long)m->expected, (unsigned long long)m->actual,
             (unsigned long long)was(m, SIDE_MODEL), (unsigned long long)was(m, SIDE_RTL), m->text);
}

/* A fast cycle does not say what differs: then the same again, closely. */
static void expect_agreement(lockstep *ls, random_sms *r, const block *blk)
{
    if (run(ls, r))
        return;
    ls->careful = true;
    run(ls, r);
    fail_with(ls, blk);
}

/* Each variant for a while, carefully, so that a failure has a name. */
TEST(twins_agree_on_random_input)
{
    for (const block *const *b = block_registry; *b; b++) {
        static random_sms r;
        static lockstep ls;
        uint64_t cycles;

        open_block(&ls, *b);
        ls.careful = ls.num_sms == 1;
        cycles = ls.num_sms == 1 ? 60000 : 300000 / ls.num_sms;
        random_start(&r, &ls, 0x5eed, cycles);
        expect_agreement(&ls, &r, *b);
        assert_int_equal(ls.index, cycles);
        lockstep_close(&ls);
    }
}

static void expect_register_seen(const lockstep_instance *inst, const block_port *port, unsigned bit)
{
    const uint64_t value = block_port_get(port, inst->state);

    block_port_set(port, inst->state, value ^ UINT64_C(1) << bit);
    if (inst->block->rtl->registers_equal(inst->rtl, inst->state))
        fail_msg("%s: a difference in bit %u of %s is not seen", inst->block->name, bit, port->name);
    block_port_set(port, inst->state, value);
}

/* The fast comparison sees every register that the careful one sees. */
TEST(fast_way_sees_every_register)
{
    for (const block *const *b = block_registry; *b; b++) {
        static random_sms r;
        static lockstep ls;
        const lockstep_instance *inst;

        open_block(&ls, *b);
        random_start(&r, &ls, 0xfa57, 1000);
        expect_agreement(&ls, &r, *b);
        inst = &ls.instances[ls.num_instances - 1];
        assert_true(inst->block->rtl->registers_equal(inst->rtl, inst->state));
        for (unsigned p = 0; p < inst->ports.num; p++) {
            const block_port *port = &inst->ports.ports[p];

            if (port->kind != PORT_REG)
                continue;
            expect_register_seen(inst, port, 0);
            expect_register_seen(inst, port, port->width - 1);
        }
        lockstep_close(&ls);
    }
}

/* A model that has gone astray unseen (no fault is due) is found in the next fast cycle. */
TEST(fast_way_finds_a_difference)
{
    static random_sms r;
    static lockstep ls;
    const lockstep_instance *inst;

    open_block(&ls, block_find("perfsat"));
    random_start(&r, &ls, 0xfa57, 3000);
    assert_true(run(&ls, &r));
    inst = &ls.instances[ls.num_instances - 1];
    expect_register_seen(inst, port_find(&inst->ports, "nmax_q"), 1);
    block_port_set(port_find(&inst->ports, "nmax_q"), inst->state, 0x55);
    r.cycles++;
    assert_false(random_cycle(&ls, &r));
    assert_true(ls.mismatch.found);
    assert_null(ls.mismatch.port);
    lockstep_close(&ls);
}

static void expect_found(lockstep *ls, random_sms *r, const lockstep_instance *inst,
                         const block_port *port, unsigned bit, uint64_t index, bool in_rtl)
{
    fault f = {.in_rtl = in_rtl, .bit = bit, .index = index};
    char err[BLOCK_TEXT] = "", text[BLOCK_TEXT];

    snprintf(f.block, sizeof f.block, "%s", inst->block->name);
    port_full_name(port, f.port, sizeof f.port);
    fault_print(&f, text, sizeof text);
    ls->num_faults = 0;
    assert_true(lockstep_add_fault(ls, &f, err, sizeof err));
    if (run(ls, r))
        fail_msg("%s was not found", text);
    if (!ls->mismatch.found || ls->mismatch.index != index || ls->mismatch.instance != inst ||
        ls->mismatch.port != port)
        fail_msg("%s was found at cycle %llu in %s", text, (unsigned long long)ls->mismatch.index,
                 ls->mismatch.port ? ls->mismatch.port->name : "an assertion or nothing");
    assert_int_equal(ls->mismatch.expected ^ ls->mismatch.actual, UINT64_C(1) << bit);
}

/* Every bit of every register and output, once on each side, at cycles spread over the run. */
TEST(every_single_bit_fault_is_found)
{
    unsigned injected = 0;

    for (const block *const *b = block_registry; *b; b++) {
        static random_sms r;
        static lockstep ls;
        const lockstep_instance *inst;

        if (!is_base(*b) || (*b)->model->limit_stride)
            continue; /* a chip's SMs are governors, which have their own turn */
        open_block(&ls, *b);
        random_start(&r, &ls, 0xfa17, FAULT_CYCLES);
        inst = &ls.instances[ls.num_instances - 1];
        for (unsigned p = 0; p < inst->ports.num; p++) {
            if (inst->ports.ports[p].kind == PORT_IN)
                continue;
            for (unsigned bit = 0; bit < inst->ports.ports[p].width; bit++) {
                for (int in_rtl = 0; in_rtl < 2; in_rtl++)
                    expect_found(&ls, &r, inst, &inst->ports.ports[p], bit, (injected * 37) % FAULT_CYCLES, in_rtl);
                injected++;
            }
        }
        lockstep_close(&ls);
    }
    print_message("%u bits flipped on each side\n", injected);
    assert_true(injected > 150);
}

TEST(wrong_faults_are_refused)
{
    static const char *const garbage[] = {"", "rtl", "rtl:perfsat.limit_q[0]", "rtl:perfsat.limit_q@3",
                                          "c:perfsat.limit_q[0]@3", "rtl:perfsat.limit[0]@3",
                                          "rtl:perfsat.limit_q[0]@3x", "rtl:perfsat.limit_i[0]@3"};
    static const char *const unknown[] = {"rtl:nothing.limit_q[0]@3", "rtl:perfsat.limits_q[0]@3",
                                          "model:perfsat.limit_q[60]@3"};
    static lockstep ls;
    char err[BLOCK_TEXT];
    fault f;

    for (unsigned i = 0; i < sizeof garbage / sizeof garbage[0]; i++)
        assert_false(fault_parse(&f, garbage[i]));
    open_block(&ls, block_find("perfsat"));
    for (unsigned i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        assert_true(fault_parse(&f, unknown[i]));
        assert_false(lockstep_add_fault(&ls, &f, err, sizeof err));
        assert_null(strchr(err, '\n'));
    }
    lockstep_close(&ls);
}

/* What software may set is set by name or number, before a run. */
TEST(settings_are_checked)
{
    static const char *const wrong[] = {"",          "perfsat.enable",     "perfsat.enable=2", "perfsat.enable=-1",
                                        "perfsat=1", "perfsat.enable=yes", "perfsat.nmax=3",   "nothing.enable=1"};
    static lockstep ls;
    char err[BLOCK_TEXT];

    open_block(&ls, block_find("perfsat"));
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(lockstep_set(&ls, wrong[i], err, sizeof err));
        assert_null(strchr(err, '\n'));
    }
    assert_true(lockstep_set(&ls, "perfsat.enable=0", err, sizeof err));
    assert_true(lockstep_reset(&ls));
    assert_int_equal(block_port_get(port_find(&ls.instances[1].ports, "enable_i"), ls.instances[1].in), 0);
    lockstep_close(&ls);
}

/* Both sides restored from a snapshot go on as if nothing had happened. */
TEST(snapshot_restores_both_sides)
{
    for (const block *const *b = block_registry; *b; b++) {
        static lockstep ls, copy;
        static random_sms r, same;

        if (!is_base(*b))
            continue;
        open_block(&ls, *b);
        open_block(&copy, *b);
        random_start(&r, &ls, 0x5a9, 3000);
        random_start(&same, &copy, 0x5a9, 3000);
        ls.careful = copy.careful = ls.num_sms == 1;
        assert_true(lockstep_reset(&ls));
        assert_true(lockstep_reset(&copy));
        while (ls.index < 3000) {
            if (ls.index % 7 == 0)
                for (unsigned i = 0; i < ls.num_instances; i++)
                    lockstep_load(&copy.instances[i], ls.instances[i].state);
            assert_true(random_cycle(&ls, &r));
            if (!random_cycle(&copy, &same))
                fail_with(&copy, copy.mismatch.instance->block);
        }
        lockstep_close(&ls);
        lockstep_close(&copy);
    }
}
