/* SPDX-License-Identifier: Apache-2.0
 *
 * Cache-conscious wavefront scheduling: lost lines, scores, who may load, and what becomes of a kernel whose warps push each other's
 * lines out of L1.
 */
#include <string.h>

#include "engine/suite_fixture.h"
#include "gpu/activity_fixture.h"
#include "gpu/ccws.h"
#include "gpu/run.h"

enum { WARPS = 4, CUTOFF = WARPS * CCWS_BASE, LINES = CCWS_SETS * (CCWS_WAYS + 1) };

static ccws lost;
static const uint8_t by_age[WARPS] = {2, 0, 3, 1};

static uint64_t bits(unsigned a, unsigned b)
{
    return UINT64_C(1) << a | UINT64_C(1) << b;
}

/* The warp loses a line and misses it in cycle 1000, after so many instructions. */
static void lose(unsigned warp, uint64_t issued)
{
    ccws_throw_out(&lost, warp, 77);
    ccws_miss(&lost, warp, 77, 1000, issued, WARPS);
}

static uint64_t may_load(uint64_t cycle)
{
    return ccws_may_load(&lost, by_age, WARPS, cycle);
}

TEST(without_losses_all_load)
{
    ccws_clear(&lost);
    ccws_miss(&lost, 1, 5, 10, 100, WARPS); /* never had it */
    ccws_throw_out(&lost, 1, 5);
    ccws_miss(&lost, 2, 5, 10, 100, WARPS); /* another one had it */
    ccws_miss(&lost, 1, 6, 10, 100, WARPS); /* it had another line */
    assert_int_equal(lost.losses, 0);
    assert_int_equal(may_load(10), UINT64_MAX);
    assert_int_equal(ccws_score(&lost, 1, 10), CCWS_BASE);
}

/* 8 x 1 loss x 400 / 16 instructions = 200: for ten cycles 200 to 191. */
TEST(a_loss_raises_the_score_which_falls_by_one_per_cycle)
{
    ccws_clear(&lost);
    lose(1, 16);
    assert_int_equal(lost.losses, 1);
    for (unsigned after = 0; after < 200; after++)
        assert_int_equal(ccws_score(&lost, 1, 1000 + after), after < 100 ? 200 - after : CCWS_BASE);
    assert_int_equal(ccws_score(&lost, 0, 1000), CCWS_BASE);
}

TEST(a_lower_score_does_not_take_the_place_of_a_higher_one)
{
    ccws_clear(&lost);
    lose(1, 16);
    ccws_throw_out(&lost, 1, 78);
    ccws_miss(&lost, 1, 78, 1000, 64, WARPS); /* 8 x 2 x 400 / 64 = 100 */
    assert_int_equal(ccws_score(&lost, 1, 1000), 200);
    ccws_throw_out(&lost, 1, 79);
    ccws_miss(&lost, 1, 79, 1000, 32, WARPS); /* 8 x 3 x 400 / 32 = 300 */
    assert_int_equal(ccws_score(&lost, 1, 1000), 300);
}

/* Warp 1 takes 200 of 400: two of the others are left, the oldest. A cycle later 199: still two. */
TEST(the_youngest_wait_for_those_that_lost_lines)
{
    ccws_clear(&lost);
    lose(1, 16);
    assert_int_equal(may_load(1000), bits(1, 2) | bits(0, 0));
    assert_int_equal(may_load(1099), bits(1, 2) | bits(0, 0)); /* 101 */
    assert_int_equal(may_load(1100), UINT64_MAX);
}

TEST(of_equal_scores_the_oldest_goes_first)
{
    ccws_clear(&lost);
    lose(1, 16);
    lose(3, 32); /* 8 x 2 x 400 / 32 = 200, too */
    assert_int_equal(may_load(1000), bits(1, 3));
    lose(0, 32); /* 300: then 200 of warp 3, the older one, are too many */
    assert_int_equal(may_load(1000), bits(0, 0));
    assert_int_equal(may_load(1070), bits(0, 3)); /* 230 and 130; warp 1 has 130, but 40 are left */
}

TEST(one_warp_can_always_load)
{
    ccws_clear(&lost);
    lose(3, 1); /* 3200 without a bound */
    assert_int_equal(ccws_score(&lost, 3, 1000), CUTOFF);
    assert_int_equal(may_load(1000), bits(3, 3));
    ccws_clear(&lost);
    lose(3, 0);
    assert_int_equal(ccws_score(&lost, 3, 1000), CUTOFF);
    assert_int_equal(ccws_may_load(&lost, (const uint8_t[]){0, 3}, 2, 1000), bits(3, 3)); /* two have left since */
}

TEST(a_warp_keeps_its_latest_lines)
{
    ccws_clear(&lost);
    for (uint64_t line = 0; line < LINES; line++)
        ccws_throw_out(&lost, 1, line);
    for (uint64_t line = 0; line < LINES; line++)
        ccws_miss(&lost, 1, line, 1000, 1000, WARPS);
    assert_int_equal(lost.losses, CCWS_SETS * CCWS_WAYS); /* without the first of each set */
    for (uint64_t line = 0; line < LINES; line++)
        ccws_miss(&lost, 1, line, 1000, 1000, WARPS);
    assert_int_equal(lost.losses, CCWS_SETS * CCWS_WAYS); /* each was on its way back */
}

TEST(another_warp_in_the_slot_has_lost_nothing)
{
    ccws_clear(&lost);
    lose(1, 16);
    ccws_throw_out(&lost, 1, 80);
    ccws_begin(&lost, 1);
    assert_int_equal(ccws_score(&lost, 1, 1000), CCWS_BASE);
    ccws_miss(&lost, 1, 80, 1000, 100, WARPS);
    assert_int_equal(lost.losses, 1);
}

/* ---- on an SM --------------------------------------------------------------------- */

/* Only loads wait: warp 0 lost a line, warp 1 is the younger one. */
TEST(loads_are_held_back_and_nothing_else)
{
    static const struct {
        const char *body, *younger;
    } rows[] = {{"l", "yyyyy"}, {"w", "L"}, {"m", "L"}, {"a", "I"}};

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine m = fixture_machine();
        sm_lab *lab;

        m.scheduler = SCHEDULE_CCWS;
        m.schedulers = m.alu_width = 2;
        m.lsu_queue = 8;
        lab = lab_begin(&m, 1, 2, rows[i].body);
        lab_run(lab, 1);
        lab->sm.ccws.base_from[0] = lab->sm.ccws.latest = 10; /* of 110 points and more none are left for warp 1 */
        lab_expect(lab, 1, rows[i].younger);
    }
}

static sm_lab *with_ccws(unsigned ctas)
{
    machine m = fixture_machine();

    m.scheduler = SCHEDULE_CCWS;
    return lab_begin(&m, 1, ctas, "l");
}

TEST(it_is_greedy_then_oldest)
{
    machine m = fixture_machine();

    m.scheduler = SCHEDULE_CCWS;
    lab_expect_order(lab_begin(&m, 3, 1, "aaaa"), "000011112222");
}

/* Of this kernel a few instructions, of the one before a million. */
TEST(instructions_count_from_the_kernels_start)
{
    sm_lab *lab = with_ccws(4);
    uint64_t lines[PROGRAM_LINES];

    lab->sm.counts.instructions = 1000000;
    sm_start_kernel(&lab->sm, &lab->p, &lab->desc);
    assert_true(program_lines(&lab->p, 0, 0, 0, lines) > 0);
    ccws_throw_out(&lab->sm.ccws, 0, lines[0]);
    while (!lab->sm.ccws.losses)
        lab_run(lab, 1);
    assert_true(ccws_score(&lab->sm.ccws, 0, lab->sm.cycle) > CCWS_BASE);
}

TEST(a_kernel_begins_without_losses)
{
    static const ccws none;
    sm_lab *lab = with_ccws(1);

    lab->sm.ccws = (ccws){.losses = 3, .latest = 9, .base_from = {9}};
    sm_start_kernel(&lab->sm, &lab->p, &lab->desc);
    assert_memory_equal(&lab->sm.ccws, &none, sizeof none);
}

TEST(a_cta_begins_without_losses)
{
    sm_lab *lab = with_ccws(1);

    lab_run_out(lab);
    lab->sm.ccws.base_from[0] = lab->sm.ccws.latest = 1000000;
    lab_launch(lab, 1);
    assert_int_equal(ccws_score(&lab->sm.ccws, 0, lab->sm.cycle), CCWS_BASE);
}

/* Each warp goes around its own lines; all of them do not fit. */
static run_result thrash(enum machine_scheduler scheduler)
{
    static run_request request;
    static run_result result;
    machine m = *machine_find("fermi");
    const workload w = {.name = "thrash", .ctas = 12, .threads_per_cta = 384, .regs_per_thread = 16, .launches = 1, .insts = 512,
                        .spread = 0.1, .alu_distance = 2, .load_distance = 2, .loads = 0.25, .lines = 2,
                        .warp_reuse = 1, .warp_set = 20};

    m.sms = m.l2_banks = m.dram_channels = 1;
    m.dram_interval = 10;
    m.l2_interval = 3;
    m.mshrs = 128;
    m.scheduler = scheduler;
    request = run_default(&m, &w);
    request.max_cycles = 10000000;
    assert_true(run_many(&request, &result, 1, 0, NULL, NULL));
    assert_true(result.ok && result.finished);
    return result;
}

TEST(a_kernel_that_thrashes_l1_misses_less_and_ends_earlier)
{
    const run_result gto = thrash(SCHEDULE_GTO), conscious = thrash(SCHEDULE_CCWS);

    assert_int_equal(gto.counts.instructions, conscious.counts.instructions);
    if (conscious.counts.l1_misses * 10 > gto.counts.l1_misses * 9 || conscious.counts.cycles * 10 > gto.counts.cycles * 9)
        fail_msg("misses %llu of %llu, cycles %llu of %llu", (unsigned long long)conscious.counts.l1_misses,
                 (unsigned long long)gto.counts.l1_misses, (unsigned long long)conscious.counts.cycles,
                 (unsigned long long)gto.counts.cycles);
}
