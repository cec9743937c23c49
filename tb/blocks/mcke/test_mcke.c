/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of the dispatcher of several kernels, each on the model and on the RTL: starts, who takes part, launches and denials.
 */
#include "blocks/mcke/bench.h"

TEST(defaults)
{
    const mcke_cfg cfg = mcke_cfg_default();

    assert_int_equal(cfg.num_sms, 15);
    assert_int_equal(cfg.sm.num_kernels, 2);
}

RULE_EACH(reset_state, "reset: all idle, nothing is launched without a kernel", variants)
{
    const unsigned all = (1u << kernels(b)) - 1;

    for (unsigned n = 0; n < 2; n++) { /* the second time with kernels that run */
        expect(b, "turn_q=0 too_big_q=0 kernel_q=0 start_valid_q=0 start_kernel_q=0 start_slot_q=0");
        for (unsigned i = 0; i < sms(b); i++)
            expect(b, "row_q[%u]=0 who_q[%u]=0 after_q[%u]=0", i, i, i);
        for (unsigned k = 0; k < kernels(b); k++)
            expect(b, "left_q[%u]=0 cta_q[%u]=0 warps_q[%u]=0 regs_q[%u]=0 smem_q[%u]=0", k, k, k, k, k);
        for (unsigned i = 0; i < 20; i++) {
            cycle(b);
            expect(b, "idle_o=%u exhausted_o=%u too_big_o=0 start_valid_o=0 sm[0].denied_o=%u sm[0].cta_start_o=0 sm[0].cta_active_o=0",
                   all, all, all);
        }
        needs(b, 1, 1, 1);
        start(b, 1, 9);
        start(b, 0, 9);
        cycles(b, sms(b) > 1 ? 4 : 3);
        dut_reset(&b->dut);
    }
}

/* ---- kernels --------------------------------------------------------------------------- */

RULE(timing, "GWDE-1: the first launch of a kernel is four cycles after its start", "mcke")
{
    needs(b, 8, 280, 24);
    start(b, 1, 2);
    expect(b, "idle_o=3 left_q[1]=2 warps_q[1]=8 regs_q[1]=280 smem_q[1]=24 left_q[0]=0 warps_q[0]=0");
    cycle(b); /* every SM takes part */
    expect(b, "start_valid_o=0 idle_o=1 sm[0].ready_q=2 sm[14].ready_q=2 row_q[0]=0");
    cycle(b);
    expect(b, "kernel_q=1 row_q[0]=1 who_q[0]=1 row_q[14]=1 turn_q=0 sm[0].held_q=0");
    cycle(b);
    expect(b, "start_valid_o=0 idle_o=1 exhausted_o=1 left_q[1]=1 turn_q=0 sm[0].held_q=1 sm[0].ready_q=0 sm[1].ready_q=2 sm[0].cta_active_o=0");
    cycle(b);
    expect_launch(b, 1, 0, 0, 0);
    expect(b, "sm[0].cta_start_o=1 sm[0].cta_active_o=1 sm[0].cta_kernel_o=1 sm[1].cta_start_o=0 exhausted_o=1 left_q[1]=0 sm[0].ctas_o=0");
    cycle(b);
    expect_launch(b, 1, 1, 1, 0);
    expect(b, "sm[0].cta_start_o=0 sm[0].cta_active_o=1 sm[1].cta_start_o=1 exhausted_o=3 idle_o=1 cta_q[1]=2 cta_q[0]=0 sm[0].ctas_o=16");
    expect_no_launch(b, 3);
}

RULE(every_fourth_cycle, "GWDE-1: an SM gets a CTA in every fourth cycle, and the other SMs those between", "mcke_two")
{
    needs(b, 1, 1, 1);
    start(b, 0, 9);
    cycles(b, 3);
    expect_order(b, "0:0 0:1");
    expect_no_launch(b, 2);
    expect_order(b, "0:0 0:1");
    expect_no_launch(b, 2);
    b->in.sm[0].req = 0; /* both are ready already: too late */
    expect_order(b, "0:0 0:1");
    expect_no_launch(b, 5);
}

RULE(as_many_as_cycles, "GWDE-1: with four SMs a CTA is launched in every cycle", "mcke_three")
{
    needs(b, 1, 1, 1);
    start(b, 2, 99);
    cycles(b, 3);
    expect_order(b, "2:0 2:1 2:2 2:3 2:0 2:1 2:2 2:3 2:0 2:1 2:2 2:3");
}

/* What an SM was ready for holds on for two cycles, whatever it asks then. */
RULE(found_and_kept, "GWDE-3, GWDE-4, CKE-1: what is asked, limits and quotas are read three cycles before the launch", "mcke_two")
{
    needs(b, 1, 1, 1);
    ask(b, 0);
    start(b, 1, 9);
    b->in.sm[1].req = 1;
    cycle(b);
    ask(b, 0);
    limit(b, 0);
    quota(b, 1, 0);
    b->in.mode = MCKE_APART;
    expect_no_launch(b, 2);
    expect_order(b, "1:1");
    expect_no_launch(b, 5);
}

RULE(last_cta_only_once, "GWDE-1: SMs that were ready for a grid's last CTA get none when it has gone", "mcke_three")
{
    needs(b, 1, 1, 1);
    start(b, 0, 1);
    cycles(b, 3);
    expect(b, "left_q[0]=0 row_q[1]=1 kernel_q=0");
    expect_order(b, "0:0");
    expect(b, "row_q[1]=1");
    expect_no_launch(b, 6);
    expect(b, "sm[0].held_q=1 sm[1].held_q=0 sm[2].held_q=0 left_q[0]=0");
}

RULE(start_only_where_idle, "GWDE-2: a number starts only where its kernel has nothing left and holds nothing", "mcke_two")
{
    needs(b, 1, 1, 1);
    start(b, 0, 1);
    needs(b, 2, 2, 2);
    for (unsigned n = 0; n < 3; n++) { /* one is left */
        start(b, 0, 9);
        expect(b, "idle_o=2 warps_q[0]=1 left_q[0]=%u", n < 2);
    }
    start(b, 0, 9); /* it is launched, and not counted */
    expect(b, "idle_o=2 start_valid_o=1 warps_q[0]=1 left_q[0]=0 sm[0].ctas_o=0");
    start(b, 1, 1); /* another number */
    expect(b, "idle_o=2 warps_q[1]=2 left_q[1]=1 warps_q[0]=1");
    start(b, 0, 9); /* it runs */
    expect(b, "idle_o=0 warps_q[0]=1 left_q[0]=0");
    b->in.start = 1;
    b->in.grid = 9;
    finish(b, 0, 1); /* it finishes */
    expect(b, "idle_o=0 warps_q[0]=1 left_q[0]=0");
    cycle(b); /* it is counted still */
    expect(b, "idle_o=0 warps_q[0]=1 left_q[0]=0 sm[0].cta_active_o=0");
    b->in.start = 0;
    cycle(b);
    expect(b, "idle_o=1 left_q[1]=0");
    start(b, 0, 9); /* kernel 1 runs on */
    expect(b, "warps_q[0]=2 left_q[0]=9 cta_q[0]=0 warps_q[1]=2 cta_q[1]=1");
}

/* It finishes in the cycle of its launch: the shortest life. */
RULE(start_anew_at_once, "GWDE-2: a kernel that starts anew as soon as it may gets nothing that was found for the one before", "mcke_three")
{
    needs(b, 1, 1, 1);
    start(b, 0, 1);
    cycles(b, 3);
    finish(b, 0, 1);
    expect_launch(b, 0, 0, 0, 0);
    needs(b, 48, 1, 1);
    start(b, 0, 9);
    expect(b, "idle_o=6 left_q[0]=0");
    start(b, 0, 9);
    expect(b, "idle_o=7 left_q[0]=9 row_q[0]=0 row_q[1]=0 row_q[2]=0 row_q[3]=0 sm[0].warps_q=48");
    expect_no_launch(b, 3);
    expect_order(b, "0:0 0:1 0:2 0:3");
    expect_no_launch(b, 6);
}

RULE(start_of_no_kernel, "CKE-1: a number that is no kernel starts nothing", "mcke_three")
{
    needs(b, 1, 1, 1);
    start(b, 3, 9);
    expect(b, "left_q[0]=0 left_q[1]=0 left_q[2]=0 idle_o=7");
    expect_no_launch(b, 5);
    start(b, 2, 9);
    expect(b, "left_q[0]=0 left_q[1]=0 left_q[2]=9");
}

RULE(gwde2_too_big, "GWDE-2: a CTA that no SM can hold is never launched, and that is reported of its kernel", "mcke_two")
{
    static const uint8_t much[][3] = {{8, 1, 1}, {1, 21, 1}, {1, 1, 7}};

    for (unsigned i = 0; i < 3; i++) {
        needs(b, much[i][0], much[i][1], much[i][2]);
        start(b, 1, 5);
        needs(b, 7, 20, 6); /* all of an SM */
        start(b, 0, 1);
        cycles(b, 4);
        expect_launch(b, 0, 0, 0, 0);
        expect(b, "too_big_o=2 idle_o=2 left_q[1]=0");
        finish(b, 0, 1);
        cycles(b, 2);
        needs(b, 1, 1, 1);
        start(b, 0, 0); /* of nothing: over at once, and says nothing of kernel 1 */
        cycle(b);
        expect(b, "too_big_o=2 idle_o=3 exhausted_o=3");
        start(b, 1, 1);
        cycle(b);
        expect(b, "too_big_o=0");
        cycles(b, 3);
        expect_launch(b, 1, 0, 0, 0);
        finish(b, 0, 1);
        cycles(b, 2);
    }
}

RULE_EACH(gwde2_all_of_an_sm, "GWDE-2: all that an SM has is not too much, one unit more of any resource is", variants)
{
    const cke_resources_cfg *sm = &config(b)->sm;

    for (unsigned more = 0; more < 8; more++)
        for (unsigned k = 0; k < kernels(b); k++) {
            dut_reset(&b->dut);
            needs(b, sm->num_warps + (more & 1), sm->reg_units + (more >> 1 & 1), sm->smem_units + (more >> 2 & 1));
            start(b, k, 5);
            expect(b, "too_big_q=%u left_q[%u]=%u", more ? 1u << k : 0, k, more ? 0 : 5);
        }
}

RULE(largest_grid, "GWDE-1: 32 bits of CTAs", "mcke_two")
{
    needs(b, 1, 1, 1);
    start(b, 1, UINT32_MAX);
    expect(b, "left_q[1]=4294967295");
    play_script(b, common_words, __FILE__, __LINE__,
                "left_q[1]:=1 cta_q[1]:=4294967294 cycle cycle cycle cycle start_cta_o=4294967294 exhausted_o=3 cta_q[0]=0");
    expect_no_launch(b, 3);
    expect(b, "cta_q[1]=4294967295 cta_q[0]=0");
}

/* Every bit of what a kernel brings along counts, whatever the others are. */
RULE_EACH(any_kernel, "GWDE-2: a kernel of any size and need is taken as it is", variants)
{
    const cke_resources_cfg *sm = &config(b)->sm;
    uint64_t seed = 0x51e;

    for (unsigned n = 0; n < 100 * kernels(b); n++) {
        const unsigned k = n / 100, warps = random_below(&seed, sm->num_warps + 1),
                       regs = random_below(&seed, sm->reg_units + 1), smem = random_below(&seed, sm->smem_units + 1);
        const uint32_t grid = (uint32_t)random_next(&seed);

        dut_reset(&b->dut);
        ask(b, 0);
        needs(b, warps, regs, smem);
        start(b, k, grid);
        for (unsigned other = 0; other < kernels(b); other++) {
            const bool is = other == k;

            expect(b, "left_q[%u]=%u warps_q[%u]=%u regs_q[%u]=%u smem_q[%u]=%u too_big_q=0", other, is ? grid : 0, other, is ? warps : 0,
                   other, is ? regs : 0, other, is ? smem : 0);
        }
    }
}

/* ---- who takes part ---------------------------------------------------------------------- */

RULE(cke1_quota, "CKE-1: each kernel up to its quota on each SM, and the quota drains", "mcke_two")
{
    needs(b, 1, 1, 1);
    quota(b, 0, 1);
    quota_on(b, 1, 0, 2);
    quota(b, 1, 1);
    start(b, 0, 20);
    start(b, 1, 20);
    cycles(b, 30);
    expect_no_launch(b, 3);
    expect(b, "sm[0].ctas_o=5 sm[1].ctas_o=6 sm[0].denied_o=0 sm[1].denied_o=3");
    quota_on(b, 1, 0, 1); /* one CTA is above it, and stays */
    expect_no_launch(b, 6);
    finish(b, 1, 1u << ctas_slot(b, 1, 0));
    expect_no_launch(b, 6);
    expect(b, "sm[1].ctas_o=5");
    finish(b, 1, 1u << ctas_slot(b, 1, 0)); /* now it is below it */
    expect_no_launch(b, 4);
    cycle(b);
    expect(b, "start_valid_o=1 start_kernel_o=0 start_sm_o=1");
    expect_no_launch(b, 4);
    quota_on(b, 1, 1, 0);
    finish(b, 1, 1u << ctas_slot(b, 1, 1));
    expect_no_launch(b, 6);
    expect(b, "sm[1].ctas_o=1 sm[1].denied_o=0");
}

RULE(gwde3_limit, "GWDE-3, LCS-A6: the limit is for all kernels of an SM together, and drains", "mcke_two")
{
    needs(b, 1, 1, 1);
    limit(b, 2);
    quota(b, 0, 1);
    start(b, 0, 20);
    start(b, 1, 20);
    cycles(b, 30);
    expect_no_launch(b, 3);
    expect(b, "sm[0].ctas_o=5 sm[1].ctas_o=5 sm[0].denied_o=0");
    limit(b, 1);
    finish(b, 0, 1u << ctas_slot(b, 0, 0));
    expect_no_launch(b, 6);
    expect(b, "sm[0].ctas_o=4");
    finish(b, 0, 1u << ctas_slot(b, 0, 1));
    expect_no_launch(b, 4);
    cycle(b);
    expect(b, "start_valid_o=1 start_sm_o=0");
    expect_no_launch(b, 5);
    limit(b, 0);
    finish(b, 0, b->out.sm[0].cta_active);
    expect_no_launch(b, 6);
    expect(b, "sm[0].ctas_o=0");
}

RULE(gwde4_on_request, "GWDE-4: only who asks gets a CTA", "mcke_two")
{
    needs(b, 1, 1, 1);
    ask(b, 0);
    start(b, 0, 20);
    start(b, 1, 20);
    expect_no_launch(b, 9);
    expect(b, "left_q[0]=20 left_q[1]=20 sm[0].denied_o=0");
    b->in.sm[1].req = 1;
    cycle(b);
    b->in.sm[1].req = 0;
    expect_no_launch(b, 2);
    expect_order(b, "0:1");
    expect_no_launch(b, 5);
}

RULE(cke_a1_shared_totals, "CKE-A1, GWDE-2: what one kernel holds keeps the other out, by each resource", "mcke_two")
{
    static const unsigned first[][3] = {{6, 1, 1}, {1, 19, 1}, {1, 1, 5}}, second[3] = {2, 2, 2}; /* of 7, 20, 6 */

    for (unsigned n = 0; n < 3; n++) {
        dut_reset(&b->dut);
        needs(b, first[n][0], first[n][1], first[n][2]);
        quota(b, 0, 1);
        start(b, 0, 2);
        needs(b, second[0], second[1], second[2]);
        cycles(b, 7);
        start(b, 1, 1);
        expect_no_launch(b, 6);
        expect(b, "sm[0].denied_o=3 sm[1].denied_o=3 left_q[1]=1");
        finish(b, 1, 1);
        expect(b, "sm[1].denied_o=1 sm[0].denied_o=3"); /* it is on its way back */
        expect_no_launch(b, 1);
        expect(b, "sm[1].denied_o=1");
        expect_no_launch(b, 3);
        expect_order(b, "1:1");
    }
}

/* ---- denied -------------------------------------------------------------------------------- */

RULE(denied_of_each_kernel, "GWDE-1: each kernel says for itself whether it can serve an SM", "mcke_two")
{
    needs(b, 1, 1, 1);
    ask(b, 0);
    start(b, 1, 3);
    cycle(b);
    expect(b, "sm[0].denied_o=0");
    b->in.sm[1].req = 1;
    cycle(b);
    expect(b, "sm[0].denied_o=0 sm[1].denied_o=1"); /* kernel 0 has nothing */
    cycles(b, 11);
    expect(b, "sm[1].denied_o=3");
    ask(b, 0);
    cycle(b);
    expect(b, "sm[1].denied_o=0");
}

RULE(done_and_next, "GWDE-1: a finished CTA's slot is launched into five cycles later, by another kernel, too", "mcke_sms1")
{
    needs(b, 8, 63, 7);
    start(b, 0, 3);
    start(b, 1, 3);
    cycles(b, 3);
    expect_launch(b, 0, 0, 0, 0);
    expect(b, "sm[0].denied_o=3");
    b->in.sm[0].cta_done = 1;
    cycle(b);
    expect(b, "sm[0].denied_o=0 start_valid_o=0 sm[0].cta_active_o=1");
    b->in.sm[0].cta_done = 0;
    expect_no_launch(b, 1);
    expect(b, "sm[0].denied_o=0 sm[0].cta_active_o=0");
    expect_no_launch(b, 3);
    b->in.sm[0].cta_done = 1; /* in the cycle of its launch */
    cycle(b);
    expect_launch(b, 1, 0, 0, 0);
    expect(b, "sm[0].cta_active_o=1 sm[0].cta_kernel_o=1");
    b->in.sm[0].cta_done = 0;
    expect_no_launch(b, 4);
    cycle(b);
    expect_launch(b, 0, 1, 0, 0);
}

/* ---- the log ------------------------------------------------------------------------------- */

RULE(log_of_kernels, "log: kernels and launches", "mcke")
{
    needs(b, 8, 280, 24);
    b->in.start = b->in.kernel = 1;
    b->in.grid = 1;
    expect_decision(b, "mcke GWDE-2 kernel_start: kernel=1 grid=1 warps=8 regs=280 smem=24 | | fits=yes",
                    "kernel 1 starts: 1 CTAs of 8 warps, 280 register units, 24 shared memory units");
    b->in.start = 0;
    cycles(b, 3);
    expect_decision(b, "mcke CKE-1 launch: kernel=1 cta=0 sm=0 slot=0 resident=1 | |", "CTA 0 of kernel 1 to SM 0, slot 0: it has 1 there");
    finish(b, 0, 1);
    cycle(b);
    needs(b, 8, 1025, 24);
    b->in.start = 1;
    expect_decision(b, "mcke GWDE-2 kernel_start: kernel=1 grid=1 warps=8 regs=1025 smem=24 | | fits=no",
                    "kernel 1 starts: 1 CTAs of 8 warps, 1025 register units, 24 shared memory units: more than an SM has");
}
