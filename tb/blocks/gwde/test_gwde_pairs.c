/* SPDX-License-Identifier: Apache-2.0
 *
 * Block CTA scheduling: the rules of pairs, each on the model and on the RTL.
 */
#include "blocks/gwde/bench.h"

static void only_sm_0(bench *b)
{
    ask(b, 0);
    b->in.sm[0].req = 1;
}

/* ---- BCS-1, BCS-2 -------------------------------------------------------------------------- */

RULE(bcs1_in_turn, "BCS-1: two consecutive CTAs to each SM, in turn, in the slots 2k and 2k+1", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    start_2d(b, 100, 50);
    cycles(b, 3); /* two have room; the SMs are ready; one is chosen */
    expect(b, "bcs.on_q=1 bcs.odd_q=1 ptr_q=1 start_valid_o=0");
    for (unsigned cta = 0; cta < 100; cta += 2) {
        cycle(b);
        expect_launch(b, cta, cta / 2 % 14, cta / 28 * 2);
        cycle(b);
        expect_launch(b, cta + 1, cta / 2 % 14, cta / 28 * 2 + 1);
        cycle(b); /* then the next pair is chosen */
        expect(b, "start_valid_o=0");
    }
    cycle(b);
    expect(b, "start_valid_o=0 exhausted_o=1");
}

RULE(bcs1_second_follows, "BCS-1: the second CTA follows, whatever limit and request say", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    start_2d(b, 100, 50);
    ask(b, 0);
    cycle(b);
    b->in.sm[5].req = 1;
    cycle(b); /* ready */
    limit(b, 0);
    ask(b, 1);
    b->in.sm[5].req = 0;
    cycles(b, 2);
    expect_launch(b, 0, 5, 0);
    expect(b, "ptr_q=6 sm[4].denied_o=0 sm[5].denied_o=0");
    cycle(b);
    expect_launch(b, 1, 5, 1);
    expect(b, "ptr_q=6 sm[5].held_q=3");
    cycles(b, 5);
    expect(b, "start_valid_o=0 left_q=98");
}

RULE(bcs1_turn_every_cycle, "BCS-1, GWDE-A1: the turn moves once per pair, also if it moves in every cycle", "gwde_every")
{
    needs(b, 1, 1, 1);
    start_2d(b, 100, 50);
    cycles(b, 2);
    expect(b, "ptr_q=2");
    for (unsigned n = 0; n < 10; n++) {
        cycle(b);
        expect(b, "ptr_q=%u", (n + 3) % 5);
        cycle(b);
        expect_launch(b, 2 * n, (n + 2) % 5, n / 5 * 2);
        expect(b, "ptr_q=%u", (n + 3) % 5);
        cycle(b);
        expect_launch(b, 2 * n + 1, (n + 2) % 5, n / 5 * 2 + 1);
        expect(b, "ptr_q=%u", (n + 3) % 5);
    }
}

RULE(bcs2_one_dimension, "BCS-2, COMB-4: a 1-D kernel, or one without the setting, goes CTA by CTA", "gwde_sms14")
{
    for (unsigned set = 0; set < 3; set++) {
        dut_reset(&b->dut);
        needs(b, 1, 1, 1);
        b->in.bcs = set & 1;
        b->in.two_d = set >> 1;
        start(b, 20);
        b->in.bcs = b->in.two_d = 1; /* read at a start alone */
        expect(b, "bcs.on_q=0");
        cycle(b);
        expect_sms(b, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 0 1");
        expect(b, "start_slot_o=1");
    }
}

RULE(bcs2_each_kernel, "BCS-2: the next kernel has its own answer", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    start_2d(b, 2, 2);
    cycles(b, 5);
    expect_launch(b, 1, 0, 1);
    finish(b, 0, 3);
    cycle(b);
    expect(b, "idle_o=0 bcs.on_q=1");
    start(b, 2);
    expect(b, "idle_o=1 bcs.on_q=0");
    cycle(b);
    expect_sms(b, "0 1");
}

/* ---- BCS-3, BCS-6: delayed assignment ------------------------------------------------------ */

RULE(bcs6_half_occupied, "BCS-3, BCS-6: of two pairs one CTA each has gone, and nothing comes", "gwde_sms14")
{
    needs(b, 12, 1, 1); /* four fit, as of MMUL */
    only_sm_0(b);
    start_2d(b, 100, 50);
    cycles(b, 8);
    expect_launch(b, 3, 0, 3);
    finish(b, 0, 2);
    expect(b, "sm[0].denied_o=1");
    finish(b, 0, 4);
    cycles(b, 20);
    expect(b, "start_valid_o=0 sm[0].cta_active_o=9 sm[0].denied_o=1 sm[0].count_q=4 idle_o=0");
    finish(b, 0, 1); /* the first pair has gone */
    expect(b, "sm[0].denied_o=0 start_valid_o=0");
    cycle(b);
    expect(b, "sm[0].held_q=12 sm[0].denied_o=0");
    cycles(b, 3);
    expect_launch(b, 4, 0, 0);
    cycle(b);
    expect_launch(b, 5, 0, 1);
    cycle(b);
    expect(b, "sm[0].denied_o=1");
}

/* The limit alone would have room for a pair beside half of another. */
RULE(bcs3_places, "BCS-3, BCS-A2: the limit counts both CTAs of a pair until both have gone", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    only_sm_0(b);
    limit(b, 4);
    start_2d(b, 100, 50);
    cycles(b, 9);
    expect(b, "sm[0].count_q=4");
    finish(b, 0, 5);
    cycles(b, 9);
    expect(b, "sm[0].count_q=4 sm[0].cta_active_o=10 start_valid_o=0 sm[0].denied_o=0");
    finish(b, 0, 2);
    cycles(b, 3);
    expect(b, "sm[0].count_q=3 start_valid_o=0 sm[0].held_q=13");
    cycle(b);
    expect_launch(b, 4, 0, 0);
}

RULE(first_ends_at_once, "BCS-3: the first CTA ends in the cycle of its launch, before the second one has come", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    only_sm_0(b);
    limit(b, 2);
    start_2d(b, 100, 50);
    cycles(b, 3);
    finish(b, 0, 1);
    expect_launch(b, 0, 0, 0);
    finish(b, 0, 2);
    expect_launch(b, 1, 0, 1);
    cycles(b, 4);
    expect_launch(b, 2, 0, 0);
}

/* ---- BCS-A1, BCS-A4: CTAs without a neighbour ---------------------------------------------- */

RULE(bcs_a4_odd_grid, "BCS-A4: the last CTA of an odd grid goes alone", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    start_2d(b, 5, 5);
    cycle(b);
    expect_sms(b, "0 0 1 1 2");
    expect(b, "start_slot_o=0 exhausted_o=1");
    cycle(b);
    expect(b, "start_valid_o=0 sm[2].held_q=1");
    finish(b, 2, 1);
    expect(b, "sm[2].held_q=0");
    start_2d(b, 1, 1); /* not idle: SM 0 and SM 1 hold their pairs */
    finish(b, 0, 3);
    finish(b, 1, 3);
    cycles(b, 2);
    start_2d(b, 1, 1);
    cycles(b, 3);
    expect_launch(b, 0, 0, 0);
}

RULE(bcs_a1_linear, "BCS-A1: over the whole grid, rows of odd width share pairs", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    start_2d(b, 9, 3);
    cycle(b);
    expect_sms(b, "0 0 1 1 2 2 3 3 4");
}

RULE(bcs_a1_per_row, "BCS-A1: in each row anew, the last CTA of an odd row goes alone, into an even slot", "gwde_df")
{
    static const unsigned slots[] = {0, 1, 2, 4, 5, 6};

    needs(b, 1, 1, 1);
    start_2d(b, 100, 3);
    cycle(b);
    for (unsigned cta = 0; cta < 9; cta++)
        await_launch(b, cta, cta / 6, slots[cta % 6]);
}

/* ---- BCS-A2: odd limits, and one ----------------------------------------------------------- */

static const char *const of_each_limit[] = {"gwde_sms14", "gwde_every", "gwde_df", NULL};

RULE_EACH(bcs_a2_each_limit, "BCS-A2: what each limit lets in, in each reading of an odd one", of_each_limit)
{
    for (unsigned n = 0; n <= 8; n++) {
        dut_reset(&b->dut);
        needs(b, 1, 1, 1);
        limit(b, n);
        only_sm_0(b);
        start_2d(b, 100, 100);
        cycles(b, 30);
        expect(b, "sm[0].count_q=%u", places_of(config(b)->odd_limit, n));
    }
}

RULE(bcs_a2_limit_of_one, "BCS-A2: ALLOW_SINGLE with a limit of 1 is single CTAs", "gwde_df")
{
    needs(b, 1, 1, 1);
    limit(b, 1);
    start_2d(b, 100, 100);
    cycle(b);
    expect_sms(b, "0 1 2 3");
    cycles(b, 3);
    finish(b, 2, 1);
    cycles(b, 3);
    expect_launch(b, 4, 2, 0);
}

RULE(bcs_a2_pairs_again, "BCS-A2: after two neighbours went alone, pairs begin at an even place", "gwde_df")
{
    needs(b, 1, 1, 1);
    limit(b, 3);
    start_2d(b, 100, 100);
    cycle(b);
    expect_sms(b, "0 0 0 1"); /* 0 and 1, 2 alone; 3, its neighbour, alone on the next SM */
    expect(b, "start_slot_o=0");
    expect_sms(b, "1 1 2 2 2 3 3 3");
    expect(b, "start_cta_o=11 start_slot_o=3");
}

/* Of a pair that returns, one slot is free before the other. */
RULE(bcs_a2_return_is_no_place, "BCS-A2: half of a pair that returns is no place for a CTA alone", "gwde_df")
{
    needs(b, 1, 1, 1);
    limit(b, 2);
    only_sm_0(b);
    start_2d(b, 100, 100);
    cycles(b, 6);
    finish(b, 0, 3);
    cycles(b, 4);
    expect_launch(b, 2, 0, 0);
    cycle(b);
    expect_launch(b, 3, 0, 1);
}

RULE(bcs_a2_no_room_for_two, "BCS-A2: a CTA that takes more than half of an SM goes alone", "gwde_sms14")
{
    static const unsigned much[][3] = {{25, 1, 1}, {1, 513, 1}, {1, 1, 193}, {24, 512, 192}};

    for (unsigned n = 0; n < 4; n++) {
        dut_reset(&b->dut);
        needs(b, much[n][0], much[n][1], much[n][2]);
        start_2d(b, 100, 100);
        expect(b, "bcs.on_q=%u", n == 3);
        cycle(b);
        expect_sms(b, n == 3 ? "0 0 1 1" : "0 1 2 3");
    }
}

RULE(one_slot, "BCS-A2: an SM with one slot gets CTAs one by one", "gwde_sms1")
{
    needs(b, 1, 1, 1);
    start_2d(b, 100, 100);
    expect(b, "bcs.on_q=0");
    cycles(b, 3);
    expect_launch(b, 0, 0, 0);
}

/* ---- COMB-3: LCS and BCS ------------------------------------------------------------------- */

RULE(comb3_limit_falls, "COMB-3: LCS monitors with pairs, then T_new lets them drain", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    only_sm_0(b);
    start_2d(b, 100, 100);
    cycles(b, 15);
    expect(b, "sm[0].count_q=8");
    finish(b, 0, 4); /* the first CTA ends: T_new is known */
    limit(b, 5);
    finish(b, 0, 8);
    cycles(b, 9);
    expect(b, "sm[0].held_q=243 start_valid_o=0 left_q=92");
    finish(b, 0, 3);
    cycles(b, 9);
    expect(b, "sm[0].held_q=240 start_valid_o=0 left_q=92 sm[0].denied_o=0"); /* four, and a place for one */
    finish(b, 0, 48);
    cycles(b, 4);
    expect_launch(b, 8, 0, 0);
    cycles(b, 9);
    expect(b, "sm[0].held_q=195 start_valid_o=0");
}

/* ---- the log ------------------------------------------------------------------------------- */

RULE(log_of_pairs, "log: kernels in pairs, and pairs", "gwde_sms14")
{
    needs(b, 8, 280, 24);
    b->in.start = b->in.bcs = b->in.two_d = 1;
    b->in.grid = 4;
    b->in.width = 2;
    cycle(b);
    tell(b);
    assert_int_equal(told(), 2);
    assert_string_equal(told_record(0), "gwde GWDE-2 kernel_start: grid=4 warps=8 regs=280 smem=24 | | fits=yes");
    assert_string_equal(told_record(1), "gwde BCS-2 pairs: two_d=1 width=2 | | pairs=yes");
    b->in.start = b->in.bcs = b->in.two_d = 0;
    cycles(b, 3);
    expect_decision(b, "gwde GWDE-1 launch: cta=0 sm=0 slot=0 resident=1 | |", "CTA 0 to SM 0, slot 0: 1 resident");
    cycle(b);
    tell(b);
    assert_int_equal(told(), 2);
    assert_string_equal(told_record(0), "gwde GWDE-1 launch: cta=1 sm=0 slot=1 resident=2 | |");
    assert_string_equal(told_record(1), "gwde BCS-1 second: cta=1 sm=0 slot=1 | |");
}
