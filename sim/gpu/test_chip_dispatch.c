/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole machine: which CTA goes to which SM, alone and in pairs.
 */
#include <string.h>

#include "gpu/chip_fixture.h"

/* ---- dispatch --------------------------------------------------------------------- */

CHIP_TEST(gwde_1_ctas_go_round_the_sms)
{
    m.sms = 3;
    w.ctas = 10;
    open_sim(1);
    step();
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(obs[i]->kernel_start, 1); /* no request of this kernel yet */
        assert_int_equal(obs[i]->cta_start, 0);
    }
    for (unsigned cycle = 0; cycle < 2; cycle++) { /* they are known to the dispatcher, and the SMs are ready */
        step();
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(obs[i]->cta_start | obs[i]->cta_active | obs[i]->kernel_start, 0);
    }
    for (unsigned c = 0; c < 10; c++) { /* one per cycle */
        step();
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(obs[i]->cta_start, i == c % 3 ? 1 << c / 3 : 0);
    }
    step();
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(obs[i]->cta_start, 0);
}

/* Where the last one stopped the next one goes on, whoever asks in between. */
CHIP_TEST(gwde_1_the_turn_goes_on_after_the_last_that_got_one)
{
    m.sms = 4;
    w.ctas = 3;
    open_sim(1);
    step();
    step();
    for (unsigned i = 0; i < 4; i++)
        control.sm[i].req = i == 1;
    step();
    for (unsigned i = 0; i < 4; i++)
        control.sm[i].req = 1;
    step(); /* what they ask is for the CTA after */
    assert_int_equal(obs[1]->cta_start, 1);
    for (unsigned next = 2; next < 4; next++) { /* two are left: SMs 2 and 3 */
        step();
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(obs[i]->cta_start, i == next);
    }
}

CHIP_TEST(gwde_4_only_who_asks_gets_one)
{
    w = lively();
    open_sim(1);
    control.sm[0].req = 0;
    for (unsigned c = 0; c < 500; c++) {
        step();
        assert_int_equal(obs[0]->cta_active | obs[0]->cta_denied, 0);
    }
    assert_true(obs[1]->cta_active != 0);
}

CHIP_TEST(gwde_3_an_sm_holds_what_its_governor_lets_in)
{
    unsigned most = 0;

    w = lively();
    open_sim(1);
    while (step())
        for (unsigned i = 0; i < 2; i++) {
            const unsigned held = (unsigned)__builtin_popcount(obs[i]->cta_active & ~obs[i]->cta_done);

            most = held > most ? held : most;
            control.sm[i].req = held < 2;
        }
    assert_int_equal(most, 2);
}

/* A cycle late. Who only waits for its turn is not denied. */
CHIP_TEST(denied_is_who_asks_and_gets_none)
{
    bool last = false;

    w.ctas = 9; /* four slots each, one CTA over */
    w.insts = 1000;
    open_sim(1);
    for (unsigned cycle = 0; cycle < 3; cycle++)
        step();
    for (unsigned c = 0; c < 8; c++) {
        step();
        assert_int_equal(obs[c % 2]->cta_start, 1 << c / 2);
        assert_int_equal(obs[0]->cta_denied, c == 7);
        assert_int_equal(obs[1]->cta_denied, 0);
    }
    step(); /* full */
    assert_int_equal(obs[0]->cta_denied & obs[1]->cta_denied, 1);
    control.sm[0].req = 0;
    step();
    assert_int_equal(obs[0]->cta_denied, 0);
    assert_int_equal(obs[1]->cta_denied, 1);
    control.sm[0].req = 1;
    step();
    while (step()) {
        if (last) /* the grid is exhausted */
            assert_int_equal(obs[0]->cta_denied & obs[1]->cta_denied, 1);
        last = last || obs[0]->cta_start || obs[1]->cta_start;
    }
    assert_true(last);
}

/* ---- pairs ------------------------------------------------------------------------ */

enum { PAIRED = 61 };

static unsigned sm_of[PAIRED], slot_of[PAIRED];

/* CTAs are launched in the order of their numbers. */
static void run_paired(bool pairs, bool two_d)
{
    unsigned launched = 0;

    m = several(3);
    m.slots = 8;
    m.warps = 12;
    w.is_2d = two_d;
    w.grid_x = two_d ? 10 : 0;
    w.ctas = PAIRED;
    w.threads_per_cta = 64; /* six CTAs fit; the slots are two more */
    w.spread = 1;
    control.sm[2].limit = 3;
    open_sim(5);
    sim_pair_ctas(sim, pairs);
    for (unsigned cycle = 0; (obs = sim_step(sim, &control)) != NULL; cycle++) {
        assert_true(cycle < 200000);
        for (unsigned sm = 0; sm < 3; sm++)
            if (obs[sm]->cta_start) {
                assert_true(launched < PAIRED);
                sm_of[launched] = sm;
                slot_of[launched++] = (unsigned)__builtin_ctz(obs[sm]->cta_start);
            }
        assert_true(__builtin_popcount(obs[2]->cta_active) <= (pairs && two_d ? 2 : 3)); /* 3 is rounded down (BCS-A2) */
    }
    assert_int_equal(launched, PAIRED);
}

/* BCS-1: neighbours on the same SM, in two slots side by side; the last one of an odd grid goes alone. */
CHIP_TEST(neighbours_go_to_the_same_sm)
{
    run_paired(true, true);
    for (unsigned cta = 0; cta + 1 < PAIRED; cta += 2) {
        assert_int_equal(sm_of[cta], sm_of[cta + 1]);
        assert_int_equal(slot_of[cta] % 2, 0);
        assert_int_equal(slot_of[cta] + 1, slot_of[cta + 1]);
    }
}

/* BCS-2 */
CHIP_TEST(a_1d_kernel_does_not_go_in_pairs)
{
    unsigned alone[PAIRED];

    run_paired(false, false);
    memcpy(alone, sm_of, sizeof alone);
    run_paired(true, false);
    assert_memory_equal(alone, sm_of, sizeof alone);
    assert_int_equal(sm_of[0], 0);
    assert_int_equal(sm_of[1], 1);
}
