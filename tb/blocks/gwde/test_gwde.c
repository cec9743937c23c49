/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of the CTA dispatcher, each on the model and on the RTL.
 */
#include "blocks/gwde/bench.h"
#include "common/cta_needs.h"

TEST(defaults)
{
    const gwde_cfg cfg = gwde_cfg_default();

    assert_int_equal(cfg.num_sms, 15);
    assert_int_equal(cfg.fill, GWDE_FILL_RR);
    assert_int_equal(cfg.rr_advance, GWDE_AFTER_GRANT);
}

RULE_EACH(reset_state, "reset: idle, nothing is launched without a kernel", variants)
{
    expect(b, "left_q=0 cta_q=0 warps_q=0 regs_q=0 smem_q=0 too_big_q=0 most_q=0 ptr_q=0 still_q=0 start_valid_q=0 start_sm_q=0 start_slot_q=0");
    for (unsigned i = 0; i < 20; i++) {
        cycle(b);
        expect(b, "idle_o=1 exhausted_o=1 start_valid_o=0 sm[0].denied_o=1 sm[0].cta_start_o=0 sm[0].cta_active_o=0");
    }
}

/* ---- kernels --------------------------------------------------------------------------- */

RULE(timing, "GWDE-1: the first launch is three cycles after the start, and one follows in each cycle", "gwde")
{
    needs(b, 8, 280, 24);
    start(b, 2);
    expect(b, "idle_o=1 left_q=2 warps_q=8 regs_q=280 smem_q=24");
    cycle(b);
    expect(b, "start_valid_o=0 idle_o=0 exhausted_o=0 left_q=2 sm[0].ready_q=1 sm[0].held_q=0 most_q=2");
    cycle(b);
    expect(b, "start_valid_o=0 idle_o=0 exhausted_o=0 left_q=1 sm[0].held_q=1 sm[0].ready_q=0 sm[0].cta_active_o=0");
    cycle(b);
    expect_launch(b, 0, 0, 0);
    expect(b, "sm[0].cta_start_o=1 sm[0].cta_active_o=1 sm[1].cta_start_o=0 exhausted_o=0 left_q=0");
    cycle(b);
    expect_launch(b, 1, 1, 0);
    expect(b, "sm[0].cta_start_o=0 sm[0].cta_active_o=1 sm[1].cta_start_o=1 exhausted_o=1 idle_o=0 cta_q=2");
    cycle(b);
    expect(b, "start_valid_o=0");
}

RULE(start_only_where_idle, "GWDE-2: a start is taken only where nothing is left and nothing is held", "gwde_two")
{
    needs(b, 1, 1, 1);
    start(b, 1);
    needs(b, 2, 2, 2);
    start(b, 9); /* one is left */
    expect(b, "idle_o=0 warps_q=1 left_q=1");
    start(b, 9); /* it is chosen */
    expect(b, "idle_o=0 warps_q=1 left_q=0");
    start(b, 9); /* it is being launched */
    expect(b, "start_valid_o=1 idle_o=0 warps_q=1 left_q=0");
    start(b, 9); /* it runs */
    expect(b, "idle_o=0 warps_q=1 left_q=0");
    b->in.start = 1;
    b->in.grid = 9;
    finish(b, 0, 1); /* it finishes */
    expect(b, "idle_o=0 warps_q=1 left_q=0 sm[0].count_q=0");
    cycle(b);
    expect(b, "idle_o=1 warps_q=2 regs_q=2 smem_q=2 left_q=9 cta_q=0");
}

RULE(grid_of_nothing, "GWDE-1: a grid without a CTA is over at once", "gwde_two")
{
    start(b, 0);
    cycles(b, 5);
    expect(b, "idle_o=1 exhausted_o=1 too_big_o=0 start_valid_o=0");
}

RULE(gwde2_too_big, "GWDE-2: a CTA that no SM can hold is never launched, and that is reported", "gwde_two")
{
    static const uint8_t much[][3] = {{8, 1, 1}, {1, 21, 1}, {1, 1, 7}};

    for (unsigned i = 0; i < 3; i++) {
        needs(b, much[i][0], much[i][1], much[i][2]);
        start(b, 5);
        cycles(b, 9);
        expect(b, "too_big_o=1 idle_o=1 start_valid_o=0 left_q=0 sm[0].denied_o=1");
        needs(b, 7, 20, 6); /* all of an SM */
        start(b, 1);
        cycles(b, 3);
        expect_launch(b, 0, 0, 0);
        expect(b, "too_big_o=0");
        finish(b, 0, 1);
        cycle(b);
    }
}

RULE_EACH(gwde2_all_of_an_sm, "GWDE-2: all that an SM has is not too much, one unit more of any resource is", variants)
{
    const gwde_cfg *cfg = config(b);

    for (unsigned more = 0; more < 8; more++) {
        dut_reset(&b->dut);
        needs(b, cfg->num_warps + (more & 1), cfg->reg_units + (more >> 1 & 1), cfg->smem_units + (more >> 2 & 1));
        start(b, 5);
        expect(b, "too_big_q=%u left_q=%u", more != 0, more ? 0 : 5);
    }
}

/* The last CTA of the largest grid. */
RULE(largest_grid, "GWDE-1: 32 bits of CTAs", "gwde_two")
{
    needs(b, 1, 1, 1);
    start(b, UINT32_MAX);
    expect(b, "left_q=4294967295");
    play_script(b, common_words, __FILE__, __LINE__, "left_q:=1 cta_q:=4294967294 cycle cycle cycle start_cta_o=4294967294 exhausted_o=1");
    cycles(b, 3);
    expect(b, "start_valid_o=0 cta_q=4294967295");
}

/* Every bit of what a kernel brings along counts, whatever the others are. */
RULE(any_kernel, "GWDE-2: a kernel of any size and need is taken as it is", "gwde")
{
    uint64_t seed = 0x51e;

    for (unsigned n = 0; n < 300; n++) {
        const uint32_t grid = (uint32_t)random_next(&seed);
        const unsigned warps = random_below(&seed, 49), regs = random_below(&seed, 1025), smem = random_below(&seed, 385);

        dut_reset(&b->dut);
        ask(b, 0);
        needs(b, warps, regs, smem);
        start(b, grid);
        expect(b, "left_q=%u warps_q=%u regs_q=%u smem_q=%u too_big_q=0", grid, warps, regs, smem);
    }
}

/* ---- in turn ----------------------------------------------------------------------------- */

RULE(gwde1_in_turn, "GWDE-1: in turn, until no SM has room; then as CTAs finish", "gwde_two")
{
    needs(b, 3, 1, 1); /* two fit */
    start(b, 7);
    cycle(b);
    expect_sms(b, "0 1 0 1");
    cycle(b);
    expect(b, "start_valid_o=0 left_q=3 sm[0].denied_o=1 sm[1].denied_o=1");
    finish(b, 1, 2); /* ready after the next cycle, chosen in the one after */
    expect(b, "sm[1].denied_o=0 sm[0].denied_o=1");
    cycle(b);
    expect(b, "start_valid_o=0 sm[1].denied_o=0 sm[1].ready_q=1");
    cycle(b);
    expect(b, "start_valid_o=0 left_q=2");
    cycle(b);
    expect_launch(b, 4, 1, 1);
    finish(b, 0, 1);
    cycles(b, 3);
    expect_launch(b, 5, 0, 0);
    expect(b, "exhausted_o=0 left_q=1");
    finish(b, 0, 3);
    cycles(b, 3);
    expect_launch(b, 6, 0, 0);
    expect(b, "exhausted_o=1 sm[0].denied_o=1");
}

RULE(gwde_a1_after_grant, "GWDE-A1: the turn moves behind a launch, and only then", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    start(b, 100);
    ask(b, 0);
    cycles(b, 7);
    expect(b, "ptr_q=0");
    b->in.sm[5].req = 1;
    cycle(b);
    b->in.sm[5].req = 0;
    cycle(b);
    expect(b, "ptr_q=6");
    cycles(b, 9);
    expect(b, "ptr_q=6");
    b->in.sm[4].req = b->in.sm[12].req = b->in.sm[13].req = 1;
    cycle(b);
    expect_sms(b, "12 13 4 12 13 4");
}

RULE(gwde_a1_every_cycle, "GWDE-A1: the turn moves in every cycle", "gwde_every")
{
    needs(b, 1, 1, 1);
    start(b, 100);
    expect(b, "ptr_q=0");
    ask(b, 0);
    for (unsigned i = 1; i < 12; i++) {
        cycle(b);
        expect(b, "ptr_q=%u start_valid_o=0", i % 5);
    }
    b->in.sm[0].req = b->in.sm[2].req = b->in.sm[3].req = 1; /* the turn is 1, and then 2, 3, 4, 0, 1; nobody gets two in a row */
    cycle(b);
    expect_sms(b, "2 3 0 2 3 2");
}

RULE(gwde_a3_depth_first, "GWDE-A3: depth first the lowest SM is filled before the next", "gwde_df")
{
    needs(b, 10, 1, 1); /* four fit */
    start(b, 14);
    cycle(b);
    expect_sms(b, "0 0 0 0 1 1 1 1 2 2");
    finish(b, 0, 5); /* two return, one after the other; the next CTA is chosen */
    expect_sms(b, "2 0 0 2");
    expect(b, "exhausted_o=1 ptr_q=0");
}

/* No SM is passed over more often than there are others, whoever comes and goes. */
RULE_EACH(gwde1_fair, "GWDE-1: who takes part all the time waits for each other SM once at most", variants)
{
    uint64_t seed = 77;
    unsigned passed[16] = {0};

    if (config(b)->fill == GWDE_FILL_DF)
        return;
    start(b, 1000000); /* needs nothing but slots */
    for (unsigned n = 0; n < 20000; n++) {
        const bool some = random_one_in(&seed, 2);

        for (unsigned i = 0; i < sms(b); i++) {
            b->in.sm[i].req = i % 3 == 0 || (some && random_one_in(&seed, 2));
            b->in.sm[i].cta_done = random_one_in(&seed, 8) ? 1 : 0;
        }
        cycle(b);
        for (unsigned i = 0; i < sms(b); i++) {
            const bool part = b->before.sm[i].ready;

            passed[i] = part && state(b)->start_valid && state(b)->start_sm != i ? passed[i] + 1 : 0;
            assert_in_range(passed[i], 0, sms(b) - 1);
        }
    }
}

RULE(every_kernel_begins_with_sm_0, "GWDE-A1: every kernel begins with SM 0", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    start(b, 3);
    cycle(b);
    expect_sms(b, "0 1 2");
    for (unsigned i = 0; i < 3; i++)
        finish(b, i, 1);
    expect(b, "ptr_q=3");
    start(b, 2);
    expect(b, "ptr_q=0");
    cycle(b);
    expect_sms(b, "0 1");
}

/* ---- who takes part ---------------------------------------------------------------------- */

RULE(gwde3_limit_drains, "GWDE-3, LCS-A6: a limit lets CTAs go, and none come", "gwde_two")
{
    needs(b, 1, 1, 1);
    start(b, 20);
    cycles(b, 9);
    expect(b, "sm[0].count_q=3 sm[1].count_q=3 start_valid_o=0");
    b->in.sm[0].limit = 1;
    cycles(b, 5);
    expect(b, "sm[0].count_q=3 sm[0].cta_active_o=7 sm[0].denied_o=1");
    finish(b, 0, 1);
    cycles(b, 3);
    expect(b, "sm[0].count_q=2 start_valid_o=0 sm[0].denied_o=0"); /* at its limit, and not denied */
    finish(b, 0, 2);
    cycles(b, 3);
    expect(b, "sm[0].count_q=1 start_valid_o=0 sm[0].denied_o=0");
    finish(b, 0, 4);
    cycles(b, 3);
    expect_launch(b, 6, 0, 0);
    b->in.sm[0].limit = 0;
    finish(b, 0, 1);
    cycles(b, 5);
    expect(b, "sm[0].count_q=0 start_valid_o=0");
}

RULE(gwde4_on_request, "GWDE-4: only who asks gets a CTA", "gwde_two")
{
    needs(b, 1, 1, 1);
    ask(b, 0);
    start(b, 20);
    cycles(b, 9);
    expect(b, "start_valid_o=0 left_q=20 sm[0].denied_o=0");
    b->in.sm[1].req = 1;
    cycle(b);
    b->in.sm[1].req = 0;
    cycles(b, 2);
    expect_launch(b, 0, 1, 0);
    cycles(b, 5);
    expect(b, "start_valid_o=0 left_q=19");
}

RULE(denied_only_for_a_reason, "GWDE-1: who waits for its turn is not denied", "gwde_sms14")
{
    needs(b, 1, 1, 1);
    start(b, 13);
    cycles(b, 2);
    for (unsigned n = 0; n < 13; n++) {
        for (unsigned i = 0; i < 14; i++)
            assert_int_equal(b->out.sm[i].denied, 0);
        cycle(b);
    }
    for (unsigned i = 0; i < 14; i++) /* the last CTA has been chosen */
        assert_int_equal(b->out.sm[i].denied, 1);
    ask(b, 0);
    cycle(b);
    for (unsigned i = 0; i < 14; i++)
        assert_int_equal(b->out.sm[i].denied, 0);
}

/* A slot whose CTA has finished is on its way back: not denied, and launched into three cycles after. */
RULE(done_and_next, "GWDE-1: a finished CTA's slot is launched into three cycles later", "gwde_sms1")
{
    needs(b, 8, 63, 7);
    start(b, 3);
    cycles(b, 3);
    expect_launch(b, 0, 0, 0);
    expect(b, "sm[0].denied_o=1");
    b->in.sm[0].cta_done = 1;
    cycle(b);
    expect(b, "sm[0].denied_o=0 start_valid_o=0 sm[0].cta_active_o=1");
    b->in.sm[0].cta_done = 0;
    cycle(b);
    expect(b, "sm[0].denied_o=0 start_valid_o=0 sm[0].cta_active_o=0");
    cycle(b);
    expect(b, "sm[0].denied_o=0 start_valid_o=0 sm[0].cta_active_o=0 sm[0].held_q=1");
    b->in.sm[0].cta_done = 1; /* in the cycle of its launch */
    cycle(b);
    expect_launch(b, 1, 0, 0);
    expect(b, "sm[0].cta_active_o=1");
    b->in.sm[0].cta_done = 0;
    cycles(b, 3);
    expect_launch(b, 2, 0, 0);
}

/* ---- LCS Fig. 3 -------------------------------------------------------------------------- */

/* 14 SMs, 6 CTAs each, as on the M2050 of the figure. Its order is round robin only approximately (its first row ends at SM 7);
 * what it shows of every dispatcher is that each SM has 6 of the CTAs 0 to 83. */
RULE(gwde6_fig3, "GWDE-6, LCS Fig. 3: 14 SMs get 6 each of the CTAs 0 to 83", "gwde_sms14")
{
    unsigned seen[84] = {0}, rows[14] = {0};

    needs(b, 8, 1, 1); /* 256 threads: 6 fit by threads */
    start(b, 8182);
    cycles(b, 2);
    for (unsigned n = 0; n < 84; n++) {
        cycle(b);
        expect(b, "start_valid_o=1");
        assert_int_equal(b->out.start_cta / 14, rows[b->out.start_sm]++); /* a row of the figure is a turn of all SMs */
        seen[b->out.start_cta]++;
    }
    cycle(b);
    expect(b, "start_valid_o=0 left_q=8098");
    for (unsigned i = 0; i < 84; i++)
        assert_int_equal(seen[i], 1);
    for (unsigned i = 0; i < 14; i++)
        assert_int_equal(state(b)->sm[i].count, 6);
}

/* ---- needs ------------------------------------------------------------------------------- */

/* CTAs that the dispatcher puts on SM 0. */
static unsigned placed(bench *b, const ballast_kernel_desc *kernel, uint32_t reg_gran, uint32_t warp_gran)
{
    const ballast_cta_needs need = ballast_cta_needs_of(kernel, reg_gran, warp_gran);
    const gwde_cfg *cfg = config(b);

    dut_reset(&b->dut);
    needs(b, ballast_cta_need_of_port(need.warps, cfg->num_warps), ballast_cta_need_of_port(need.regs, cfg->reg_units),
          ballast_cta_need_of_port(need.smem, cfg->smem_units));
    ask(b, 0);
    b->in.sm[0].req = 1;
    start(b, 1000);
    cycles(b, 2 * cfg->sm.num_slots + 4);
    return state(b)->sm[0].count;
}

/* How many fit by division. */
static unsigned times(uint32_t capacity, uint32_t need)
{
    return need ? capacity / need : UINT32_MAX;
}

/* The dispatcher adds up what CTAs hold; sim/gpu/test_cta_needs.c compares the quotients with the equations of the occupancy model. */
RULE(gwde2_as_many_as_fit, "GWDE-2, GWDE-A2: as many CTAs as each resource holds, raw and by granularity", "gwde_sms14")
{
    const gwde_cfg *cfg = config(b);
    uint64_t seed = 0x0cc;
    unsigned fitted = 0;

    for (unsigned n = 0; n < 400; n++) {
        const unsigned warps = 1 + random_below(&seed, 32), reg_gran = n % 2 * 256, warp_gran = n % 2 ? 4 : 1;
        const ballast_kernel_desc kernel = {.threads_per_cta = (uint16_t)(warps * 32 - random_below(&seed, 32)), .warps_per_cta = (uint8_t)warps,
                                            .regs_per_thread = (uint16_t)random_below(&seed, 64), .smem_per_cta = random_below(&seed, 50000)};
        const ballast_cta_needs need = ballast_cta_needs_of(&kernel, reg_gran, warp_gran);
        const unsigned quotients[] = {cfg->sm.num_slots, times(cfg->num_warps, need.warps), times(cfg->reg_units, need.regs),
                                      times(cfg->smem_units, need.smem)};
        unsigned least = quotients[0];

        for (unsigned i = 1; i < 4; i++)
            least = quotients[i] < least ? quotients[i] : least;
        assert_int_equal(placed(b, &kernel, reg_gran, warp_gran), least);
        expect(b, "too_big_o=%u", least == 0);
        fitted += least > 0;
    }
    assert_in_range(fitted, 100, 399);
}

TEST(gwde_a2_needs)
{
    const ballast_kernel_desc kernel = {.threads_per_cta = 100, .warps_per_cta = 4, .regs_per_thread = 13, .smem_per_cta = 129};
    const ballast_cta_needs raw = ballast_cta_needs_raw(&kernel), kepler = ballast_cta_needs_of(&kernel, 256, 4), five = ballast_cta_needs_of(&kernel, 64, 3);
    const ballast_kernel_desc most = {.threads_per_cta = UINT16_MAX, .warps_per_cta = UINT8_MAX, .regs_per_thread = UINT16_MAX,
                                      .smem_per_cta = UINT32_MAX};

    assert_int_equal(raw.warps, 4);
    assert_int_equal(raw.regs, 41); /* 1300 registers: 40.6 units */
    assert_int_equal(raw.smem, 2);
    assert_int_equal(kepler.regs, 4 * 512 / 32); /* 416 registers of a warp become 512 */
    assert_int_equal(five.regs, 6 * 448 / 32);   /* 4 warps become 6 */
    assert_int_equal(ballast_cta_needs_raw(&most).regs, 134213633);
    assert_int_equal(ballast_cta_needs_raw(&most).smem, 33554432);
    assert_int_equal(ballast_cta_need_of_port(1024, 1024), 1024);
    assert_int_equal(ballast_cta_need_of_port(134213633, 1024), 1025);
    assert_int_equal(ballast_cta_needs_raw(&(ballast_kernel_desc){.warps_per_cta = 1}).regs, 0);
}

/* ---- the log ------------------------------------------------------------------------------- */

RULE(log_of_kernels, "log: kernels and launches", "gwde")
{
    needs(b, 8, 280, 24);
    b->in.start = 1;
    b->in.grid = 1;
    expect_decision(b, "gwde GWDE-2 kernel_start: grid=1 warps=8 regs=280 smem=24 | | fits=yes",
                    "kernel start: 1 CTAs of 8 warps, 280 register units, 24 shared memory units");
    b->in.start = 0;
    cycles(b, 2);
    expect_decision(b, "gwde GWDE-1 launch: cta=0 sm=0 slot=0 resident=1 | |", "CTA 0 to SM 0, slot 0: 1 resident");
    finish(b, 0, 1);
    needs(b, 8, 1025, 24);
    b->in.start = 1;
    expect_decision(b, "gwde GWDE-2 kernel_start: grid=1 warps=8 regs=1025 smem=24 | | fits=no",
                    "kernel start: 1 CTAs of 8 warps, 1025 register units, 24 shared memory units: more than an SM has");
}
