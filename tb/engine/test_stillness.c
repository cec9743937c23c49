/* SPDX-License-Identifier: Apache-2.0
 *
 * A block whose inputs repeat and whose registers stand: the shim does not evaluate its RTL any more (tb/shim/rtl_shim.cpp). Whatever
 * then is expected otherwise, changes, or has been changed behind its back is found in that very cycle.
 */
#include <stdio.h>
#include <string.h>

#include "engine/lockstep.h"
#include "engine/random.h"
#include "engine/suite_fixture.h"

enum { REST = 300 };

static lockstep ls;
static lockstep_instance *inst;
static const block *blk;

static bool equal(void)
{
    return blk->rtl->cycle_equal(inst->rtl, inst->in, inst->out, inst->state);
}

static void step(void)
{
    blk->model->step(inst->state, &inst->cfg, inst->in, inst->out);
}

static void honest_cycle(const char *when)
{
    step();
    if (!equal())
        fail_msg("%s: the twins differ %s", blk->name, when);
}

/* All inputs 0 but those that software sets, for so long that nothing moves. False: this block never stands still. */
static bool come_to_rest(void)
{
    unsigned char before[BLOCK_MAX_STRUCT];

    assert_true(lockstep_reset(&ls));
    for (unsigned i = 0; i < REST; i++) {
        if (i + 1 == REST && inst->sizes.state <= sizeof before)
            memcpy(before, inst->state, inst->sizes.state);
        honest_cycle("on the way to rest");
    }
    return inst->sizes.state <= sizeof before && !memcmp(before, inst->state, inst->sizes.state);
}

/* The block alone; false: it reads what others say, or does not rest. */
static bool open_at_rest(const block *b)
{
    const block *const blocks[] = {b, NULL};
    char err[256];

    if (b->model->needs[0] || b->rtl->play)
        return false;
    if (!lockstep_open(&ls, blocks, 0, 1, err, sizeof err))
        fail_msg("%s", err);
    inst = &ls.instances[0];
    blk = b;
    if (come_to_rest())
        return true;
    lockstep_close(&ls);
    return false;
}

/* One bit of each output and register, expected otherwise in one cycle. */
static void expect_lies_are_found(void)
{
    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];
        void *values = port->kind == PORT_OUT ? inst->out : inst->state;
        const uint64_t bit = UINT64_C(1) << p % port->width;

        if (port->kind == PORT_IN)
            continue;
        step();
        block_port_set(port, values, block_port_get(port, values) ^ bit);
        if (equal())
            fail_msg("%s: %s is expected otherwise, and nobody says so", blk->name, port->name);
        block_port_set(port, values, block_port_get(port, values) ^ bit);
        for (unsigned i = 0; i < REST; i++)
            honest_cycle("after a lie");
    }
}

/* A register of the RTL is changed; the model has not been told. */
static void expect_faults_are_found(void)
{
    unsigned char changed[BLOCK_MAX_STRUCT];

    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];
        bool same = true;

        if (port->kind != PORT_REG)
            continue;
        memcpy(changed, inst->state, inst->sizes.state);
        block_port_set(port, changed, block_port_get(port, changed) ^ 1);
        blk->rtl->load(inst->rtl, changed);
        step();
        same = equal();
        blk->rtl->registers(inst->rtl, changed);
        if (same && memcmp(changed, inst->state, inst->sizes.state) != 0)
            fail_msg("%s: %s was changed in the RTL, and nobody says so", blk->name, port->name);
        blk->rtl->assertion(inst->rtl); /* a state that cannot be may say so */
        come_to_rest();
    }
}

/* Time goes on for the RTL, too, when the inputs move again. */
static void expect_it_wakes_up(uint64_t seed)
{
    for (unsigned p = 0; p < inst->ports.num; p++) {
        const block_port *port = &inst->ports.ports[p];

        if (port->kind != PORT_IN || port_find_setting(&inst->ports, port->name))
            continue;
        block_port_set(port, inst->in, random_next(&seed) & 1);
        honest_cycle("after an input has moved");
        block_port_set(port, inst->in, 0);
        for (unsigned i = 0; i < REST; i++)
            honest_cycle("behind an input that has moved");
    }
}

/* An input moves, and a model that has not seen it expects that nothing happens. */
static void expect_moves_are_seen(void)
{
    unsigned char state[BLOCK_MAX_STRUCT], out[BLOCK_MAX_STRUCT];

    for (unsigned p = 0; p < inst->ports.num && inst->sizes.out <= sizeof out; p++) {
        const block_port *port = &inst->ports.ports[p];

        if (port->kind != PORT_IN)
            continue;
        memcpy(state, inst->state, inst->sizes.state);
        memcpy(out, inst->out, inst->sizes.out);
        block_port_set(port, inst->in, block_port_get(port, inst->in) ^ 1);
        step();
        if (memcmp(state, inst->state, inst->sizes.state) != 0 || memcmp(out, inst->out, inst->sizes.out) != 0) {
            if (blk->rtl->cycle_equal(inst->rtl, inst->in, out, state))
                fail_msg("%s: %s has moved, and the RTL was not asked", blk->name, port->name);
        }
        blk->rtl->assertion(inst->rtl);
        block_port_set(port, inst->in, block_port_get(port, inst->in) ^ 1);
        come_to_rest();
    }
}

static void in_all_blocks(void (*expect)(void))
{
    unsigned num = 0;

    for (const block *const *b = block_registry; *b; b++) {
        if (strcmp((*b)->name, (*b)->model->block_name) != 0 || !open_at_rest(*b))
            continue;
        expect();
        num++;
        lockstep_close(&ls);
    }
    assert_true(num >= 8);
}

TEST(what_is_expected_otherwise_of_a_block_at_rest_is_found) { in_all_blocks(expect_lies_are_found); }
TEST(what_changes_in_the_rtl_of_a_block_at_rest_is_found) { in_all_blocks(expect_faults_are_found); }

TEST(an_input_that_moves_is_seen_by_the_rtl) { in_all_blocks(expect_moves_are_seen); }

static void wake_up(void)
{
    expect_it_wakes_up(5);
}

TEST(a_block_at_rest_wakes_up) { in_all_blocks(wake_up); }
