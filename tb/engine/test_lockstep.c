/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine itself: twins agree on random input in every variant, and a single flipped bit in
 * any register or output, on either side, is found at its cycle and by its name.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "engine/lockstep.h"
#include "engine/random_bus.h"

enum { WARPS = 48, SLOTS = 8, MAX_VARIANTS = 64 };

/* The base variants, with `special` in place of its own base. */
static const block **blocks_with(const block *special)
{
    static const block *list[LOCKSTEP_MAX_BLOCKS + 1];
    unsigned n = 0;

    for (const block *const *b = block_registry; *b; b++)
        if (!strcmp((*b)->name, (*b)->model->stem))
            list[n++] = special && special->model == (*b)->model ? special : *b;
    list[n] = NULL;
    return list;
}

static void open_blocks(lockstep *ls, const block *special)
{
    char err[BLOCK_TEXT] = "";

    assert_true(lockstep_open(ls, blocks_with(special), 0, 7, err, sizeof err));
    assert_string_equal(err, "");
}

static bool run(lockstep *ls, random_bus *bus)
{
    const stimulus s = random_bus_stimulus(bus);
    const sm_obs *obs;

    s.rewind(s.self);
    if (!lockstep_reset(ls))
        return false;
    while ((obs = s.next(s.self, 0, 0)))
        if (!lockstep_cycle(ls, obs, s.cycle(s.self)))
            return false;
    return true;
}

static void fail_with(const lockstep *ls, const block *blk)
{
    const lockstep_mismatch *m = &ls->mismatch;

    fail_msg("%s: cycle %llu %s: model %llx, RTL %llx %s", blk->name, (unsigned long long)m->index,
             m->port ? m->port->name : "?", (unsigned long long)m->expected,
             (unsigned long long)m->actual, m->text);
}

/* Each variant for a while, carefully, so that a failure has a name. */
static void twins_agree_on_random_input(void **t)
{
    (void)t;
    for (const block *const *b = block_registry; *b; b++) {
        static lockstep ls;
        random_bus bus;

        open_blocks(&ls, *b);
        ls.careful = true;
        random_bus_start(&bus, 0x5eed, lockstep_param(&ls, "NumWarps", WARPS),
                         lockstep_param(&ls, "NumSlots", SLOTS), 60000);
        if (!run(&ls, &bus))
            fail_with(&ls, *b);
        assert_int_equal(ls.index, 60000);
        lockstep_close(&ls);
    }
}

/* The fast comparison sees what the careful one sees. */
static void fast_and_careful_way_agree(void **t)
{
    static lockstep ls;
    random_bus bus;

    (void)t;
    open_blocks(&ls, NULL);
    random_bus_start(&bus, 0xfa57, WARPS, SLOTS, 60000);
    assert_true(run(&ls, &bus));
    assert_int_equal(ls.index, 60000);
    /* A model that has gone astray unseen (no fault is due) must be seen by the fast way. */
    ls.instances[ls.num_instances - 1].state->bytes[0] ^= 1;
    bus.cycles++;
    const stimulus s = random_bus_stimulus(&bus);
    assert_false(lockstep_cycle(&ls, s.next(s.self, 0, 0), 0));
    assert_true(ls.mismatch.found);
    assert_null(ls.mismatch.port);
    lockstep_close(&ls);
}

static void expect_found(lockstep *ls, random_bus *bus, const lockstep_instance *inst,
                         const block_port *port, unsigned bit, uint64_t index, bool in_rtl)
{
    fault f = {.in_rtl = in_rtl, .kind = port->kind, .bit = bit, .index = index};
    char err[BLOCK_TEXT] = "", text[BLOCK_TEXT];

    snprintf(f.block, sizeof f.block, "%s", inst->block->name);
    snprintf(f.port, sizeof f.port, "%s", port->name);
    fault_print(&f, text, sizeof text);
    ls->num_faults = 0;
    assert_true(lockstep_add_fault(ls, &f, err, sizeof err));
    if (run(ls, bus))
        fail_msg("%s was not found", text);
    if (!ls->mismatch.found || ls->mismatch.index != index || ls->mismatch.instance != inst ||
        ls->mismatch.port != port)
        fail_msg("%s was found at cycle %llu in %s", text, (unsigned long long)ls->mismatch.index,
                 ls->mismatch.port ? ls->mismatch.port->name : "an assertion or nothing");
    assert_int_equal(ls->mismatch.expected ^ ls->mismatch.actual, UINT64_C(1) << bit);
}

/* Every bit of every register and output, once on each side, at cycles spread over the run. */
static void every_single_bit_fault_is_found(void **t)
{
    static lockstep ls;
    unsigned injected = 0;
    random_bus bus;

    (void)t;
    open_blocks(&ls, NULL);
    random_bus_start(&bus, 0xfa17, WARPS, SLOTS, 3000);
    for (unsigned i = 0; i < ls.num_instances; i++) {
        const lockstep_instance *inst = &ls.instances[i];

        for (unsigned p = 0; p < inst->num_ports; p++) {
            if (inst->ports[p].kind == PORT_IN)
                continue;
            for (unsigned bit = 0; bit < inst->ports[p].width; bit++) {
                for (int in_rtl = 0; in_rtl < 2; in_rtl++)
                    expect_found(&ls, &bus, inst, &inst->ports[p], bit, (injected * 37) % 3000, in_rtl);
                injected++;
            }
        }
    }
    print_message("%u bits flipped on each side\n", injected);
    assert_true(injected > 150);
    lockstep_close(&ls);
}

static void wrong_faults_are_refused(void **t)
{
    static const char *const garbage[] = {"", "rtl", "rtl:perfsat.limit_q[0]", "rtl:perfsat.limit_q@3",
                                          "c:perfsat.limit_q[0]@3", "rtl:perfsat.limit[0]@3",
                                          "rtl:perfsat.limit_q[0]@3x", "rtl:perfsat.limit_i[0]@3"};
    static const char *const unknown[] = {"rtl:nothing.limit_q[0]@3", "rtl:perfsat.limits_q[0]@3",
                                          "model:perfsat.limit_q[60]@3"};
    static lockstep ls;
    char err[BLOCK_TEXT];
    fault f;

    (void)t;
    for (unsigned i = 0; i < sizeof garbage / sizeof garbage[0]; i++)
        assert_false(fault_parse(&f, garbage[i]));
    open_blocks(&ls, NULL);
    for (unsigned i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        assert_true(fault_parse(&f, unknown[i]));
        assert_false(lockstep_add_fault(&ls, &f, err, sizeof err));
        assert_null(strchr(err, '\n'));
    }
    lockstep_close(&ls);
}

/* Both sides restored from a snapshot go on as if nothing had happened. */
static void snapshot_restores_both_sides(void **t)
{
    static lockstep ls, copy;
    random_bus bus;
    const stimulus s = random_bus_stimulus(&bus);
    const sm_obs *obs;

    (void)t;
    open_blocks(&ls, NULL);
    open_blocks(&copy, NULL);
    random_bus_start(&bus, 0x5a9, WARPS, SLOTS, 5000);
    ls.careful = copy.careful = true;
    assert_true(lockstep_reset(&ls));
    assert_true(lockstep_reset(&copy));
    while ((obs = s.next(s.self, 0, 0))) {
        if (bus.index % 7 == 0)
            for (unsigned i = 0; i < ls.num_instances; i++)
                lockstep_load(&copy.instances[i], ls.instances[i].state);
        assert_true(lockstep_cycle(&ls, obs, bus.index));
        if (!lockstep_cycle(&copy, obs, bus.index))
            fail_with(&copy, copy.mismatch.instance->block);
    }
    lockstep_close(&ls);
    lockstep_close(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_agree_on_random_input),
        cmocka_unit_test(fast_and_careful_way_agree),
        cmocka_unit_test(every_single_bit_fault_is_found),
        cmocka_unit_test(wrong_faults_are_refused),
        cmocka_unit_test(snapshot_restores_both_sides),
    };
    return cmocka_run_group_tests_name("lockstep", tests, NULL, NULL);
}
