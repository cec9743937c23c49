/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator's dispatcher is the model of gwde in every cycle, though it steps only where something happens.
 */
#include <string.h>

#include "engine/random.h"
#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/dispatcher.h"

enum { SMS = 3, CYCLES = 20000 };

/* The same, stepped in every cycle. */
typedef struct twin {
    gwde_cfg cfg;
    gwde_state state;
    gwde_in in;
    gwde_out out;
} twin;

static void expect_same(const dispatcher *d, const twin *t)
{
    assert_int_equal(d->state.left, t->state.left);
    assert_int_equal(d->state.cta, t->state.cta);
    assert_int_equal(d->state.ptr, t->state.ptr);
    assert_int_equal(d->state.start_valid, t->state.start_valid);
    assert_int_equal(d->out.start_valid, t->out.start_valid);
    assert_int_equal(d->out.idle, t->out.idle);
    for (unsigned i = 0; i < SMS; i++) {
        assert_int_equal(d->state.sm[i].held, t->state.sm[i].held);
        assert_int_equal(d->state.sm[i].ready, t->state.sm[i].ready);
        assert_int_equal(d->state.sm[i].slot, t->state.sm[i].slot);
        assert_int_equal(d->state.sm[i].returning, t->state.sm[i].returning);
        assert_int_equal(d->out.sm[i].denied, t->out.sm[i].denied);
        assert_int_equal(d->out.sm[i].cta_active, t->out.sm[i].cta_active);
    }
}

/* CTAs end and SMs ask at random, now often, now seldom; kernels of random sizes follow one another. */
TEST(steps_that_are_left_out_change_nothing)
{
    machine m = fixture_machine();
    dispatcher d;
    twin t;
    uint64_t seed = 1;
    unsigned kernels = 0, pairs = 0, quiet = 0;

    m.sms = SMS;
    dispatcher_open(&d, &m);
    t = (twin){.cfg = d.cfg, .state = d.state, .in = d.in};
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        const unsigned rate = cycle / 500 % 2 ? 3 : 60;

        if (dispatcher_idle(&d)) {
            const bool two_d = random_one_in(&seed, 2);
            const ballast_kernel_desc kernel = {.is_2d = two_d, .grid_x = two_d ? 5 : 0, .grid_ctas = (uint32_t)(random_next(&seed) % 40), .warps_per_cta = (uint8_t)(1 + random_next(&seed) % 3),
                                                .regs_per_thread = 20, .threads_per_cta = 64, .smem_per_cta = (uint32_t)(random_next(&seed) % 600)};

            dispatcher_pair(&d, random_one_in(&seed, 2));
            dispatcher_start(&d, &kernel);
            pairs += d.in.bcs && two_d;
            kernels++;
        }
        for (unsigned i = 0; i < SMS; i++) {
            const bool asks = random_next(&seed) % rate ? d.in.sm[i].req : random_next(&seed) % 2;
            const uint32_t running = d.state.sm[i].held & ~d.state.sm[i].returning;

            dispatcher_ask(&d, i, asks, random_next(&seed) % rate ? d.in.sm[i].limit : (uint8_t)(random_next(&seed) % 5));
            dispatcher_done(&d, i, random_next(&seed) % rate ? 0 : running & (uint32_t)random_next(&seed));
        }
        t.in = d.in;
        quiet += !d.busy;
        dispatcher_clock(&d);
        gwde_step(&t.state, &t.cfg, &t.in, &t.out);
        expect_same(&d, &t);
    }
    assert_true(kernels > 20 && pairs > 5 && quiet > CYCLES / 10 && quiet < CYCLES * 9 / 10);
}

/* What is not said is as many as there are slots. */
TEST(limits_go_to_the_dispatcher)
{
    machine m = fixture_machine();
    dispatcher d;

    dispatcher_open(&d, &m);
    dispatcher_ask(&d, 0, true, 3);
    assert_int_equal(d.in.sm[0].limit, 3);
    dispatcher_ask(&d, 0, true, 0);
    assert_int_equal(d.in.sm[0].limit, m.slots);
}

TEST(an_sm_has_what_its_machine_has)
{
    const gwde_cfg cfg = dispatcher_gwde(machine_find("fermi"));

    assert_int_equal(cfg.sm.num_slots, 8);
    assert_int_equal(cfg.num_warps, 48);
    assert_int_equal(cfg.reg_units, 1024);
    assert_int_equal(cfg.smem_units, 384);
}
