/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator's dispatcher of several kernels is the model of mcke in every cycle, though it steps only where something happens.
 */
#include <string.h>

#include "engine/random.h"
#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/mix_dispatcher.h"

enum { SMS = 3, KERNELS = 3, CYCLES = 20000 };

/* The same, stepped in every cycle. */
typedef struct twin {
    mcke_cfg cfg;
    mcke_state state;
    mcke_in in;
    mcke_out out;
} twin;

static void expect_same(const mix_dispatcher *d, const twin *t)
{
    assert_memory_equal(d->state.left, t->state.left, sizeof t->state.left);
    assert_memory_equal(d->state.cta, t->state.cta, sizeof t->state.cta);
    assert_int_equal(d->state.kernel, t->state.kernel);
    for (unsigned i = 0; i < SMS; i++) {
        assert_int_equal(d->state.after[i], t->state.after[i]);
        assert_int_equal(d->state.row[i], t->state.row[i]);
        assert_int_equal(d->state.sm[i].ready, t->state.sm[i].ready);
        assert_int_equal(d->state.sm[i].move, t->state.sm[i].move);
    }
    assert_int_equal(d->state.turn, t->state.turn);
    assert_int_equal(d->state.start_valid, t->state.start_valid);
    assert_int_equal(d->out.start_valid, t->out.start_valid);
    assert_int_equal(d->out.idle, t->out.idle);
    for (unsigned i = 0; i < SMS; i++) {
        assert_int_equal(d->state.sm[i].held, t->state.sm[i].held);
        assert_int_equal(d->state.sm[i].regs, t->state.sm[i].regs);
        assert_int_equal(d->state.sm[i].returning, t->state.sm[i].returning);
        assert_int_equal(d->out.sm[i].denied, t->out.sm[i].denied);
        assert_int_equal(d->out.sm[i].cta_active, t->out.sm[i].cta_active);
        assert_int_equal(mix_dispatcher_denied(d, i), t->out.sm[i].denied == (1 << KERNELS) - 1);
    }
    for (unsigned k = 0; k < KERNELS; k++)
        if (!d->in.start) /* one that is about to start is not idle any more */
            assert_true(!mix_dispatcher_idle(d, k) || d->state.left[k] == 0);
}

static machine small_machine(void)
{
    machine m = fixture_machine();

    m.sms = SMS;
    return m;
}

static void run_mode(uint8_t mode)
{
    const machine m = small_machine();
    kernel_mix mix = {.num_others = KERNELS - 1, .mode = mode};
    mix_dispatcher d;
    twin t;
    uint64_t seed = 1 + mode;
    unsigned kernels = 0, quiet = 0;

    for (unsigned k = 0; k < KERNELS; k++)
        kernel_mix_set_quota(&mix, k, 1 + k);
    mix_dispatcher_open(&d, &m, &mix);
    t = (twin){.cfg = d.cfg, .state = d.state, .in = d.in};
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        const unsigned rate = cycle / 500 % 2 ? 3 : 60, k = (unsigned)(random_next(&seed) % KERNELS);

        if (random_next(&seed) % 20 == 0 && mix_dispatcher_idle(&d, k)) {
            const ballast_kernel_desc kernel = {.grid_ctas = (uint32_t)(random_next(&seed) % 40), .warps_per_cta = (uint8_t)(1 + random_next(&seed) % 3),
                                                .regs_per_thread = 20, .threads_per_cta = 64, .smem_per_cta = (uint32_t)(random_next(&seed) % 600)};

            mix_dispatcher_start(&d, k, &kernel);
            kernels++;
        }
        for (unsigned i = 0; i < SMS; i++) {
            const bool asks = random_next(&seed) % rate ? d.in.sm[i].req : random_next(&seed) % 2;
            const uint32_t running = d.state.sm[i].held & ~d.state.sm[i].returning;

            mix_dispatcher_ask(&d, i, asks, random_next(&seed) % rate ? d.in.sm[i].limit : (uint8_t)(1 + random_next(&seed) % m.slots));
            mix_dispatcher_done(&d, i, random_next(&seed) % rate ? 0 : running & (uint32_t)random_next(&seed));
        }
        t.in = d.in;
        quiet += !d.busy;
        mix_dispatcher_clock(&d);
        mcke_step(&t.state, &t.cfg, &t.in, &t.out);
        expect_same(&d, &t);
    }
    if (kernels < 20 || quiet < CYCLES / 20 || quiet > CYCLES * 9 / 10)
        fail_msg("mode %u: %u kernels, %u quiet cycles", mode, kernels, quiet);
}

/* CTAs end and SMs ask at random, now often, now seldom; kernels of random sizes come as numbers get idle. */
TEST(steps_that_are_left_out_change_nothing)
{
    for (unsigned mode = MCKE_QUOTAS; mode <= MCKE_QUEUE; mode++)
        run_mode((uint8_t)mode);
}

/* GWDE-2, CKE-1: what the machine and the mix say is what the block is told. */
TEST(the_block_has_what_machine_and_mix_have)
{
    const machine *m = machine_find("fermi");
    kernel_mix mix = {.num_others = 1, .mode = MCKE_LEFTOVER};
    const ballast_kernel_desc desc = {.grid_ctas = 9, .warps_per_cta = 3, .regs_per_thread = 20, .threads_per_cta = 70, .smem_per_cta = 129};
    mix_dispatcher d;

    kernel_mix_set_quota(&mix, 0, 3);
    kernel_mix_set_quota(&mix, 1, 32); /* more than there are slots: no quota */
    mix.quota[1][14] = 2;
    mix_dispatcher_open(&d, m, &mix);
    assert_int_equal(d.cfg.num_sms, 15);
    assert_int_equal(d.cfg.sm.num_kernels, 2);
    assert_int_equal(d.cfg.sm.num_slots, 8);
    assert_int_equal(d.cfg.sm.num_warps, 48);
    assert_int_equal(d.cfg.sm.reg_units, 1024);
    assert_int_equal(d.cfg.sm.smem_units, 384);
    assert_int_equal(d.in.mode, MCKE_LEFTOVER);
    for (unsigned i = 0; i < 15; i++) {
        assert_int_equal(ballast_cke_field(d.in.sm[i].quota, 0, 8), 3);
        assert_int_equal(ballast_cke_field(d.in.sm[i].quota, 1, 8), i == 14 ? 2 : 8);
    }
    mix_dispatcher_ask(&d, 3, true, 0); /* as many as there are slots */
    mix_dispatcher_ask(&d, 4, true, 2);
    assert_int_equal(d.in.sm[3].limit, 8);
    assert_int_equal(d.in.sm[4].limit, 2);
    mix_dispatcher_start(&d, 1, &desc);
    assert_int_equal(d.in.kernel, 1);
    assert_int_equal(d.in.grid, 9);
    assert_int_equal(d.in.warps, 3);
    assert_int_equal(d.in.regs, 60); /* of three whole warps */
    assert_int_equal(d.in.smem, 2);
    assert_false(mix_dispatcher_idle(&d, 1));
    assert_true(mix_dispatcher_idle(&d, 0));
}
