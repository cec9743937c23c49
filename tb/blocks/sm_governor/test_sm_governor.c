/* SPDX-License-Identifier: Apache-2.0
 *
 * The five policies from the bus to the limit, the paused CTAs, the request and the votes; each
 * rule on the model and on the RTL. The policies' own rules have tests of their own; here it is
 * that each gets its signals, and at the right time.
 */
#include <stdio.h>

#include "blocks/sm_governor/bench.h"

/* ---- words of the scripts --------------------------------------------------------------- */

/* "MEM,6,5,0x8": three epochs of the work take the limit from 6 to 5, and leave these slots paused. The third shows in the
 * limit in the next cycle, in the CTAs one later (EQ-10). The quiet epoch before them takes the sample that SamplePhase = 0
 * puts into the last cycle of an epoch: none of the three has one of the old work. */
static void three_epochs(bench *b, const char *text)
{
    const uint32_t were = b->out.cta_paused;
    char work[12];
    unsigned from, to, paused;

    assert_int_equal(sscanf(text, "%11[^,],%u,%u,%x", work, &from, &to, &paused), 4);
    epochs_of(b, 1, WORK_NONE);
    show_work(b, work);
    epochs(b, 3);
    expect(b, "limit_o=%u cta_paused_o=%u", from, were);
    cycle(b);
    expect(b, "limit_o=%u cta_paused_o=%u", to, were);
    cycle(b);
    expect(b, "limit_o=%u cta_paused_o=%u", to, paused);
}

/* A kernel of six CTAs, slot 2's the oldest, slot 3's the youngest, from the end of an epoch on. */
static void equalizer_kernel(bench *b, const char *nothing)
{
    (void)nothing;
    align(b);
    start_kernel(b, POLICY_EQUALIZER, 6);
    assert_int_equal(b->out.limit, 0);
    cycle(b);
    expect(b, "limit_o=6 req_o=1");
    launch_all(b, "201543");
    expect(b, "req_o=0 done_o=0");
}

enum { ONE_TB = 40 };

static void measure_first_cta(bench *b, unsigned nmax)
{
    show(&b->in, WORK_NONE);
    start_kernel(b, POLICY_PERFSAT, nmax);
    launch_all(b, "0");
    launch_all(b, "123");
    cycles(b, ONE_TB - 4);
    finish(b, 0);
}

/* One instruction in the slot of each lane; NO_LANE: none. */
enum { NO_LANE = 8 };

static void issue_many(bench *b, unsigned n, unsigned lane0, unsigned lane1)
{
    while (n--) {
        b->in.issue_valid = (uint8_t)((lane0 != NO_LANE) | (lane1 != NO_LANE) << 1);
        b->in.issue_slot = (lane0 & 7) | (uint64_t)(lane1 & 7) << 3;
        cycle(b);
    }
}

/* On both lanes, of slot 3. */
static void issue_cycles(bench *b, unsigned n)
{
    issue_many(b, n, 3, 3);
}

/* Four CTAs, slot 1's the oldest, that issue 40, 20, 10 and 11 instructions: 81 / 40. */
static void lcs_monitor(bench *b, const char *nothing)
{
    (void)nothing;
    start_kernel(b, POLICY_LCS, 4);
    launch_all(b, "1032");
    expect(b, "limit_o=4 done_o=0");
    issue_many(b, 10, 0, 1);
    issue_many(b, 10, 1, 2);
    issue_many(b, 15, 0, 0);
    issue_many(b, 11, NO_LANE, 3);
}

/* Of this kernel: four cycles to gather, three to divide, then T_new, for one cycle. */
static void expect_t_new(bench *b, unsigned t_new)
{
    for (unsigned i = 0; i < 4 + 2; i++) {
        cycle(b);
        expect(b, "t_new_valid_o=0 t_new_o=0");
    }
    cycle(b);
    expect(b, "t_new_valid_o=1 t_new_o=%u limit_o=4 done_o=0", t_new);
    cycle(b);
    expect(b, "t_new_valid_o=0 t_new_o=0 limit_o=%u done_o=1", t_new);
}

static void broadcast(bench *b, unsigned limit)
{
    b->in.lcs_bcast_valid = 1;
    b->in.lcs_bcast_limit = (uint8_t)limit;
    cycle(b);
}

/* Cycles of a period that is over idle, waiting for memory, and busy in this order. */
static void dyncta_period(bench *b, unsigned idle, unsigned mem)
{
    const unsigned period = config(b)->dyncta.period;

    for (unsigned i = 0; i < period; i++) {
        set_warps(&b->in, 0, ALL_WARPS, i < idle ? WARP_BARRIER : i < idle + mem ? WARP_WAIT_MEM : WARP_WAIT_ALU);
        cycle(b);
    }
}

/* "17,300": idle and memory. */
static void dyncta_period_of(bench *b, const char *text)
{
    unsigned idle, mem;

    assert_int_equal(sscanf(text, "%u,%u", &idle, &mem), 2);
    dyncta_period(b, idle, mem);
}

static const bench_word words[] = {
    {"kernel", kernel_of_policy, NULL},    {"launch", NULL, launch_all},   {"finish", finish, NULL},
    {"show", NULL, show_work},             {"epochs", epochs, NULL},       {"to_epoch_end", NULL, to_epoch_end},
    {"equalizer", NULL, equalizer_kernel}, {"three_of", NULL, three_epochs}, {"measure", measure_first_cta, NULL},
    {"lcs_monitor", NULL, lcs_monitor},    {"issue", issue_cycles, NULL},  {"t_new", expect_t_new, NULL},
    {"broadcast", broadcast, NULL},        {"period", NULL, dyncta_period_of}, {NULL, NULL, NULL},
};

/* ---- configuration ---------------------------------------------------------------------- */

static void defaults(void **t)
{
    const sm_governor_cfg cfg = sm_governor_cfg_default();

    (void)t;
    assert_int_equal(cfg.num_warps, 48);
    assert_int_equal(cfg.num_slots, 8);
    assert_int_equal(cfg.issue_width, 2);
    assert_int_equal(cfg.count_w, 32);
    assert_int_equal(cfg.counters.epoch, 4096);
    assert_int_equal(cfg.decision.samples, 32);
    assert_int_equal(cfg.dyncta.period, 2048);
}

/* What depends on the geometry follows it. */
static void derive(void **t)
{
    sm_governor_cfg cfg = sm_governor_cfg_default();

    (void)t;
    cfg.num_warps = 32;
    cfg.num_slots = 16;
    cfg.issue_width = 4;
    cfg.count_w = 20;
    cfg.counters.epoch = 1024;
    cfg.counters.sample_interval = 16;
    sm_governor_cfg_derive(&cfg);
    assert_int_equal(cfg.classifier.num_warps, 32);
    assert_int_equal(cfg.counters.num_warps, 32);
    assert_int_equal(cfg.decision.num_warps, 32);
    assert_int_equal(cfg.perfsat.num_slots, 16);
    assert_int_equal(cfg.lcs.num_slots, 16);
    assert_int_equal(cfg.throttle.num_slots, 16);
    assert_int_equal(cfg.dyncta.num_slots, 16);
    assert_int_equal(cfg.lcs.issue_width, 4);
    assert_int_equal(cfg.perfsat.count_w, 20);
    assert_int_equal(cfg.lcs.count_w, 20);
    assert_int_equal(cfg.decision.samples, 64);
}

/* ---- static ------------------------------------------------------------------------- */

/* 0 and what is too big mean Nmax; the limit shows in the cycle after the kernel start, and what changes then is of no effect
 * until the next kernel. */
static void static_limit(bench *b)
{
    for (unsigned nmax = 0; nmax <= 8; nmax++) {
        for (unsigned limit = 0; limit <= 15; limit++) {
            const unsigned expected = limit == 0 || limit > nmax ? nmax : limit;

            play(b, "static_limit_i=%u kernel=%u static_limit_i=%u nmax_i=%u cycle=2 limit_o=%u done_o=%u req_o=%u pause_soft_o=0",
                 limit, nmax, limit ^ 3, nmax ^ 5, expected, expected != 0, expected != 0);
        }
    }
}

/* ---- which policy -------------------------------------------------------------------- */

static void unknown_codes_are_static(bench *b)
{
    for (unsigned code = 5; code <= 7; code++) {
        reopen_bench(b, "sm_governor_fast");
        play(b, "policy_i=dyncta kernel=6 static_limit_i=4 policy_i=%u kernel=6 policy_q=static show=MEM", code);
        for (unsigned i = 0; i < 600; i++)
            play(b, "cycle limit_o=4 done_o=1 pause_soft_o=0 epoch_o=0");
    }
}

/* The limit that a policy shows right after the start of a kernel with Nmax = 7. */
static unsigned first_limit(unsigned code)
{
    static const uint8_t limits[] = {[POLICY_STATIC] = 2, [POLICY_PERFSAT] = 4, [POLICY_LCS] = 7,
                                     [POLICY_EQUALIZER] = 7, [POLICY_DYNCTA] = 3};

    return limits[code < POLICIES ? code : POLICY_STATIC];
}

/* From each policy to each: nothing but Equalizer's epochs moves before the next kernel starts,
 * and the outputs of its first cycle are still the old policy's. */
static void policy_waits_for_the_next_kernel(bench *b)
{
    b->in.static_limit = 2;
    for (unsigned from = 0; from < 8; from++) {
        for (unsigned to = 0; to < 8; to++) {
            const unsigned in_force = from < POLICIES ? from : POLICY_STATIC;

            start_kernel(b, from, 7);
            b->in.policy = (uint8_t)to;
            for (unsigned i = 0; i < 20; i++) {
                cycle(b);
                expect(b, "policy_q=%u limit_o=%u pause_soft_o=%u done_o=%u", in_force, first_limit(from),
                       from == POLICY_DYNCTA, in_force == POLICY_STATIC);
            }
            start_kernel(b, to, 7);
            expect(b, "limit_o=%u pause_soft_o=%u req_o=0", first_limit(from), from == POLICY_DYNCTA);
            cycle(b);
            expect(b, "limit_o=%u pause_soft_o=%u", first_limit(to), to == POLICY_DYNCTA);
        }
    }
}

/* A change of mind and back leaves no trace in the search. */
static void search_goes_on_whatever_policy_i_says(bench *b)
{
    bench same;

    open_bench(&same, "sm_governor_fast", b->dut.side);
    start_kernel(b, POLICY_PERFSAT, 4);
    start_kernel(&same, POLICY_PERFSAT, 4);
    for (unsigned i = 0; i < 2000; i++) {
        b->in.policy = (uint8_t)(i / 7 % 8);
        show(&b->in, i % 100 < i / 20 ? WORK_WAIT_MEM : WORK_NONE);
        show(&same.in, i % 100 < i / 20 ? WORK_WAIT_MEM : WORK_NONE);
        b->in.cta_start = same.in.cta_start = i == 3;
        b->in.cta_done = same.in.cta_done = i == 60;
        cycle(b);
        cycle(&same);
        assert_int_equal(b->out.limit, same.out.limit);
        assert_memory_equal(&state(b)->perfsat, &state(&same)->perfsat, sizeof(perfsat_state));
    }
    assert_true(state(b)->perfsat.state > PERFSAT_FIRST);
    close_bench(&same);
}

/* ---- Perf-Sat ------------------------------------------------------------------------ */

/* Stalled cycles per sample, least with 5 CTAs. */
static unsigned stalls_with(unsigned limit)
{
    return 30 + 20 * (limit > 5 ? limit - 5 : 5 - limit);
}

/* One sample with the stalls that belong to the limit; its limit holds to its last cycle. */
static void perfsat_sample(bench *b, unsigned nmax, unsigned limit)
{
    for (unsigned i = 0; i < ONE_TB * nmax; i++) {
        set_warps(&b->in, 0, ALL_WARPS, i < stalls_with(limit) ? WARP_WAIT_MEM : WARP_ISSUED_ALU);
        cycle(b);
        expect(b, "limit_o=%u done_o=0 cta_paused_o=0", limit);
    }
}

/* N0 = 4; up while it gets better, one too far, and back to 5 (PS-8 to PS-16). Samples of One_TB
 * x Nmax cycles, to the cycle. */
static void perfsat_finds_its_limit(bench *b)
{
    static const uint8_t limits[] = {4, 5, 5, 6, 6};

    play(b, "measure=8 limit_o=4 perfsat.period_q=%u", ONE_TB * 8);
    for (unsigned i = 0; i < sizeof limits; i++)
        perfsat_sample(b, 8, limits[i]);
    for (unsigned i = 0; i < 1000; i++)
        play(b, "cycle limit_o=5 done_o=1");
}

/* What is stalled, by the classifier; paused warps do not count (PAUSE-2). */
static void perfsat_sees_classes(bench *b)
{
    static const struct {
        uint8_t warps, stalled;
    } cases[] = {{WARP_EMPTY, 0}, {WARP_BARRIER, 0},   {WARP_WAIT_ALU, 1},   {WARP_WAIT_MEM, 1},
                 {WARP_ALU_LOST, 1}, {WARP_MEM_BLOCKED, 1}, {WARP_ISSUED_ALU, 0}, {WARP_ISSUED_MEM, 0}};

    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        reopen_bench(b, "sm_governor_fast");
        measure_first_cta(b, 8);
        set_warps(&b->in, 7, 1, cases[c].warps);
        play(b, "cycle=10 perfsat.stalled_q=%d paused_i=0x80 cycle=10 perfsat.stalled_q=%d", 10 * cases[c].stalled,
             10 * cases[c].stalled);
    }
}

/* ---- LCS ----------------------------------------------------------------------------- */

static void lcs_broadcast_is_clamped(bench *b)
{
    static const uint8_t cases[][2] = {{0, 1}, {1, 1}, {6, 6}, {7, 6}, {15, 6}};

    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++)
        play(b, "lcs_listen_i=1 policy_i=lcs kernel=6 broadcast=%u cycle limit_o=%u", cases[c][0], cases[c][1]);
}

/* ---- Equalizer ----------------------------------------------------------------------- */

/* EQ-10: an epoch that wants to stay starts the count anew. */
static void eq10_hysteresis(bench *b)
{
    play(b, "equalizer show=MEM epochs=2 show=SOME_MEM epochs=1 show=MEM epochs=2 show=COMP epochs=1 "
            "show=MEM epochs=2 show=NONE epochs=1 show=MEM epochs=2 show=IDLE epochs=1 cycle=3 limit_o=6 "
            "show=WAIT_MEM epochs=1 show=MEM epochs=2 " /* HystSameDir = 0: that is three */
            "cycle limit_o=%u", config(b)->throttle.hyst_same_dir ? 6 : 5);
}

/* EQ-4: from reset on every Epoch cycles, kernel or not. */
static void epochs_are_regular(bench *b)
{
    const unsigned length = config(b)->counters.epoch;

    b->in.policy = POLICY_EQUALIZER;
    for (unsigned i = 0; i < 4 * length; i++) {
        if (i % 333 == 5)
            prepare_kernel(b, POLICY_EQUALIZER, 1 + i % 8);
        cycle(b);
        assert_int_equal(b->out.epoch, i % length == length - 1);
    }
}

static const struct {
    enum work work;
    uint8_t comp, mem;
} votes[] = {{WORK_NONE, 0, 0}, {WORK_MEM, 0, 1},      {WORK_COMP, 1, 0},    {WORK_SOME_MEM, 0, 1},
             {WORK_IDLE, 1, 0}, {WORK_WAIT_COMP, 1, 0}, {WORK_WAIT_MEM, 0, 1}};
enum { VOTES = sizeof votes / sizeof votes[0] };

/* EQ-7, EQ-8: each line's action, in the cycle that ends the epoch and in no other. */
static void eq7_votes(bench *b)
{
    equalizer_kernel(b, NULL);
    for (unsigned i = 0; i < VOTES; i++) {
        epochs_of(b, 1, votes[i].work); /* with the cycles since the kernel start */
        for (unsigned n = 0; n < config(b)->counters.epoch - 1; n++) {
            cycle(b);
            expect(b, "epoch_o=0 comp_o=0 mem_o=0");
        }
        cycle(b);
        expect(b, "epoch_o=1 comp_o=%u mem_o=%u", votes[i].comp, votes[i].mem);
    }
}

/* EQ-16, EQ-A20: an SM without a kernel, or with one of another policy, votes like any other; it is idle. Its limit is none
 * of Equalizer's business. */
static void eq16_votes_without_a_kernel(bench *b)
{
    for (unsigned with_kernel = 0; with_kernel < 2; with_kernel++) {
        reopen_bench(b, b->dut.block->name);
        b->in.static_limit = 3;
        if (with_kernel)
            start_kernel(b, POLICY_STATIC, 6);
        play(b, "policy_i=equalizer epochs=1 comp_o=1 mem_o=0 show=MEM epochs=4 "
                "mem_o=1 limit_o=%u req_o=%u throttle.run_q=0 throttle.num_blocks_q=%u", with_kernel ? 3 : 0,
             with_kernel, with_kernel ? 6 : 0);
    }
}

/* Epochs stop with policy_i and go on where they stopped, also at their very end. */
static void counters_follow_policy_i(bench *b)
{
    eq_counters_state held;

    play(b, "equalizer show=MEM cycle=%u", config(b)->counters.sample_interval + 3);
    held = state(b)->counters;
    assert_true(held.active > 0);
    for (unsigned i = 0; i < 50; i++) {
        b->in.policy = (uint8_t)(i % 8 == POLICY_EQUALIZER ? 0 : i % 8);
        cycle(b);
        assert_memory_equal(&held, &state(b)->counters, sizeof held);
    }
    play(b, "policy_i=equalizer cycle counters.cycle_q=%u to_epoch_end policy_i=lcs", held.cycle + 1);
    for (unsigned i = 0; i < 10; i++)
        play(b, "cycle epoch_o=0 mem_o=0");
    play(b, "policy_i=equalizer cycle epoch_o=1 mem_o=1 policy_q=equalizer");
}

/* EQ-A20: a kernel start in the middle of an epoch does not move the epoch; the samples before it
 * are the old kernel's. */
static void kernel_starts_in_an_epoch(bench *b)
{
    const unsigned half = config(b)->counters.epoch / 2;

    play(b, "equalizer show=MEM epochs=1 cycle=%u show=COMP kernel=4 epoch_o=0", half - 1);
    for (unsigned i = half + 1; i < 2 * half; i++)
        play(b, "cycle epoch_o=0 limit_o=4");
    play(b, "cycle epoch_o=1 comp_o=1 mem_o=0");
    assert_int_equal(b->before.counters.xmem, 0);
}

/* PAUSE-2: paused warps are in no sum. */
static void paused_warps_do_not_count(bench *b)
{
    play(b, "equalizer show=MEM epochs=1 paused_i=0xffffffffffff epochs=1 comp_o=1");
    assert_int_equal(b->before.counters.active, 0);
    play(b, "paused_i=0xfffffffffff0 epochs=1 mem_o=1 throttle.run_q=0"); /* four of them run: some memory */
}

/* Lines 7 and 10 compare with the warps of a CTA. */
static void thresholds_are_wcta(bench *b)
{
    static const uint8_t cases[][2] = {{1, 47}, {11, 12}, {12, 11}, {47, 1}, {48, 48}};

    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        reopen_bench(b, "sm_governor_fast");
        play(b, "equalizer show=NONE epochs=1 wcta_i=%u", cases[c][0]);
        set_warps(&b->in, 0, cases[c][1], WARP_ALU_BLOCKED);
        play(b, "epochs=1 comp_o=%u", cases[c][1] > cases[c][0]);
    }
}

/* ---- DYNCTA -------------------------------------------------------------------------- */

/* The class goes through a register: the period holds the cycle of the kernel's start, and its own last one is the next's. */
static void dyncta_class_comes_late(bench *b)
{
    enum { AT_START, FIRST, LAST, WHENS };
    static const uint8_t after_first[WHENS] = {2, 2, 3}, after_second[WHENS] = {2, 2, 2};

    for (unsigned when = 0; when < WHENS; when++) {
        reopen_bench(b, "sm_governor_fast");
        b->in.t_idle = config(b)->dyncta.period;
        b->in.t_mem_l = b->in.t_mem_h = 0; /* one cycle of waiting is too many, and none is not too few */
        set_warps(&b->in, 0, ALL_WARPS, when == AT_START ? WARP_WAIT_MEM : WARP_WAIT_ALU);
        start_kernel(b, POLICY_DYNCTA, 6);
        for (unsigned period = 0; period < 2; period++) {
            for (unsigned i = 0; i < config(b)->dyncta.period; i++) {
                const bool waits = period == 0 && i == (when == LAST ? config(b)->dyncta.period - 1u : 0);

                set_warps(&b->in, 0, ALL_WARPS, waits && when != AT_START ? WARP_WAIT_MEM : WARP_WAIT_ALU);
                cycle(b);
            }
            assert_int_equal(state(b)->dyncta.limit, period ? after_second[when] : after_first[when]);
        }
    }
}

/* Each threshold, at its edge. The start's own class belongs to the period. */
static void dyncta_thresholds(bench *b)
{
    static const struct {
        uint16_t t_idle, t_mem_l, t_mem_h, idle, mem;
        uint8_t limit;
    } cases[] = {{16, 128, 384, 16, 128, 3},  {16, 128, 384, 17, 128, 4},  {16, 128, 384, 16, 127, 4},
                 {16, 128, 384, 16, 384, 3},  {16, 128, 384, 16, 385, 2},  {50, 128, 384, 50, 200, 3},
                 {50, 128, 384, 51, 200, 4},  {16, 60, 384, 0, 60, 3},     {16, 60, 384, 0, 59, 4},
                 {16, 128, 450, 0, 450, 3},   {16, 128, 450, 0, 451, 2}};

    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        reopen_bench(b, "sm_governor_fast");
        set_warps(&b->in, 0, ALL_WARPS, WARP_WAIT_ALU);
        play(b, "t_idle_i=%u t_mem_l_i=%u t_mem_h_i=%u policy_i=dyncta kernel=6 period=%u,%u limit_o=3 cycle limit_o=%u",
             cases[c].t_idle, cases[c].t_mem_l, cases[c].t_mem_h, cases[c].idle, cases[c].mem, cases[c].limit);
    }
}

/* ---- whoever sets the limit ------------------------------------------------------------ */

static void no_kernel_no_request(bench *b)
{
    for (unsigned policy = 0; policy < 8; policy++) {
        reopen_bench(b, "sm_governor_fast");
        start_kernel(b, policy, 0);
        for (unsigned i = 0; i < 600; i++)
            play(b, "cycle limit_o=0 req_o=0 done_o=0 cta_paused_o=0");
    }
}

/* One CTA at most: Perf-Sat and LCS have nothing to look for. */
static void one_cta_at_most(bench *b)
{
    for (unsigned policy = 0; policy < POLICIES; policy++) {
        reopen_bench(b, "sm_governor_fast");
        play(b, "policy_i=%u kernel=1 cycle limit_o=1 req_o=1 done_o=%u launch=0 req_o=0", policy, policy <= POLICY_LCS);
    }
}

/* Paused by Equalizer, and a kernel of a policy that drains: all run again in its first cycle. */
static void next_kernel_pauses_nobody(bench *b)
{
    static const uint8_t next[] = {POLICY_STATIC, POLICY_PERFSAT, POLICY_LCS, 6};

    for (unsigned n = 0; n < sizeof next; n++) {
        reopen_bench(b, "sm_governor_fast");
        play(b, "equalizer three_of=MEM,6,5,0x8 static_limit_i=1 policy_i=%u kernel=2 cta_paused_o=0x8", next[n]);
        for (unsigned i = 0; i < 20; i++)
            play(b, "cycle cta_paused_o=0 req_o=0");
    }
}

static const char *const with_feedback[] = {"sm_governor", "sm_governor_fast", NULL}; /* the third samples later, too */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(derive),
        EACH_SCRIPT("reset state", variants,
                    "policy_i=perfsat kernel=5 launch=012 policy_i=static kernel=5 reset "
                    "policy_q=static fixed_q=0 perfsat.limit_q=0 throttle.nmax_q=0 counters.cycle_q=1 "
                    "cycle limit_o=0 cta_paused_o=0 pause_soft_o=0 req_o=0 done_o=0 epoch_o=0 comp_o=0 mem_o=0 "
                    "t_new_valid_o=0 t_new_o=0"),
        EACH_VARIANT("static limit", variants, static_limit),
        /* It asks for CTAs up to the limit, and what is too many drains: nobody is paused. */
        EACH_SCRIPT("static drains", variants,
                    "static_limit_i=5 kernel=6 req_o=0 launch=0123 req_o=1 "
                    "launch=4 req_o=0 " /* the cycle of the launch already knows */
                    "static_limit_i=2 kernel=6 limit_o=5 "
                    "finish=0 cycle=10 limit_o=2 req_o=0 cta_paused_o=0 "
                    "finish=1 cycle=10 limit_o=2 req_o=0 cta_paused_o=0 "
                    "finish=2 cycle=10 limit_o=2 req_o=0 cta_paused_o=0 "
                    "finish=3 req_o=1 cta_denied_i=1 cycle req_o=1 " /* an empty place goes on asking */
                    "launch=0 req_o=0"),
        BOTH_SIDES("unknown codes are static", "sm_governor_fast", unknown_codes_are_static),
        BOTH_SIDES("a policy waits for the next kernel", "sm_governor_fast", policy_waits_for_the_next_kernel),
        BOTH_SIDES("a search goes on whatever policy_i says", "sm_governor_fast", search_goes_on_whatever_policy_i_says),
        EACH_VARIANT("Perf-Sat finds its limit", with_feedback, perfsat_finds_its_limit),
        /* PsSettle = 1: a sample does not start while more CTAs than the limit are active. */
        SCRIPT("Perf-Sat sees active CTAs", "sm_governor_other",
               "measure=4 limit_o=2 cycle=20 perfsat.timer_q=160 " /* 1, 2 and 3 are still there */
               "finish=1 perfsat.timer_q=160 "                     /* in use in this cycle */
               "cycle perfsat.timer_q=159"),
        BOTH_SIDES("Perf-Sat sees classes", "sm_governor_fast", perfsat_sees_classes),
        SCRIPT("policies miss each other's kernels", "sm_governor",
               "policy_i=perfsat kernel=8 policy_i=lcs kernel=3 perfsat.nmax_q=8 lcs.nmax_q=3 "
               "policy_i=dyncta kernel=5 lcs.nmax_q=3 dyncta.nmax_q=5 "
               "static_limit_i=2 policy_i=static kernel=6 dyncta.nmax_q=5 fixed_q=2 "
               "policy_i=equalizer kernel=7 perfsat.nmax_q=8 lcs.nmax_q=3 dyncta.nmax_q=5 fixed_q=2 throttle.nmax_q=7"),
        /* LcsThrottle = 0: the CTAs above the limit run to their end (LCS-A6). */
        SCRIPT("LCS drains", "sm_governor",
               "lcs_monitor finish=0 req_o=1 t_new=2 req_o=0 cycle=20 cta_paused_o=0 lcs.state_q=StThrottle "
               "finish=1 lcs.state_q=StThrottle req_o=0 " /* still active in this cycle */
               "cycle lcs.state_q=StLazy finish=2 req_o=1 issue=20 limit_o=2"), /* no second thoughts (LCS-8) */
        SCRIPT("LCS rounds up", "sm_governor_other", "lcs_monitor finish=3 t_new=3 cta_paused_o=0"), /* RoundMode = 1 */
        /* LcsThrottle = 1: the youngest are paused, one per cycle, and do not count as running any more (LCS-4); they come
         * back, the oldest first, before anyone is asked for. */
        SCRIPT("LCS pauses", "sm_governor_fast",
               "lcs_monitor cta_start_i=0x8 finish=3 t_new=2 cta_paused_o=0 " /* the place of the one that finishes is taken */
               "cycle cta_paused_o=0x8 lcs.state_q=StThrottle cycle cta_paused_o=0xc lcs.state_q=StLazy "
               "finish=1 req_o=0 cycle cta_paused_o=0x8 finish=0 finish=2 req_o=1 cta_paused_o=0"),
        /* Nobody is paused before T_new is known, however many run: here more than Nmax. */
        SCRIPT("LCS does not pause early", "sm_governor_fast", "lcs_monitor launch=4567 cycle=10 cta_paused_o=0"),
        /* Who listens neither counts nor decides. One broadcast per kernel. */
        EACH_SCRIPT("LCS-6 listens", variants,
                    "lcs_listen_i=1 lcs_monitor lcs.inst_q[0]=0 finish=0 "
                    "cycle=30 t_new_valid_o=0 limit_o=4 lcs.state_q=StMonitor "
                    "broadcast=3 limit_o=4 t_new_valid_o=0 cycle limit_o=3 done_o=1 broadcast=1 cycle limit_o=3"),
        BOTH_SIDES("LCS-6 broadcast is clamped", "sm_governor", lcs_broadcast_is_clamped),
        /* Without lcs_listen, with the kernel start, and under another policy. */
        SCRIPT("LCS-6 broadcast is ignored", "sm_governor",
               "policy_i=lcs kernel=6 broadcast=2 cycle limit_o=6 "
               "lcs_listen_i=1 kernel_start_i=1 nmax_i=5 broadcast=2 cycle limit_o=5 "
               "policy_i=equalizer kernel=7 broadcast=2 cycle limit_o=7 lcs.limit_q=5"),
        /* EQ-10, EQ-11, PAUSE-1, PAUSE-3: the youngest go first, the oldest of them come back first. */
        EACH_SCRIPT("EQ-10 pauses and resumes", variants,
                    "equalizer three_of=MEM,6,5,0x8 three_of=MEM,5,4,0x18 pause_soft_o=0 req_o=0 "
                    "three_of=WAIT_MEM,4,5,0x8 three_of=WAIT_COMP,5,6,0 "
                    "three_of=WAIT_COMP,6,6,0 req_o=0"), /* Nmax */
        EACH_VARIANT("EQ-10 hysteresis", variants, eq10_hysteresis),
        /* EQ-11, EQ-A12: one fewer, and the paused CTA finishes: nobody is left to resume. An increase asks the dispatcher, and
         * counts when the CTA has come. */
        EACH_SCRIPT("EQ-11 an increase asks for a CTA", with_feedback,
                    "equalizer three_of=MEM,6,5,0x8 finish=3 cycle cta_paused_o=0 req_o=0 "
                    "three_of=WAIT_MEM,5,6,0 req_o=1 throttle.num_blocks_q=5 "
                    "cta_denied_i=1 cycle req_o=1 cycle req_o=0 limit_o=5 show=NONE epochs=1 "
                    "three_of=WAIT_COMP,5,6,0 launch=7 throttle.num_blocks_q=6 cycle=5 req_o=0 limit_o=6 cta_paused_o=0"),
        /* GrantFeedback = 0: it counts at once, a denial changes nothing. */
        SCRIPT("EQ-11 an increase without feedback", "sm_governor_other",
               "equalizer three_of=MEM,6,5,0x8 finish=3 cycle cta_paused_o=0 req_o=0 "
               "three_of=WAIT_MEM,5,6,0 throttle.num_blocks_q=6 cta_denied_i=1 cycle=2 req_o=1 limit_o=6 launch=7 req_o=0"),
        /* One fewer and one gone in the same cycle: nobody has to wait. The limit is still the old one in it. */
        EACH_SCRIPT("a CTA finishes with a decrease", variants,
                    "equalizer show=MEM epochs=2 to_epoch_end finish=0 epoch_o=1 req_o=1 "
                    "cycle limit_o=5 req_o=0 cycle=5 cta_paused_o=0"),
        /* One more and one gone in the same cycle: the paused CTA takes the place of the one that is gone, and the increase
         * asks for another. */
        SCRIPT("a CTA finishes with an increase", "sm_governor_fast",
               "equalizer three_of=MEM,6,5,0x8 show=WAIT_MEM epochs=2 to_epoch_end finish=0 epoch_o=1 cta_paused_o=0x8 req_o=0 "
               "cycle cta_paused_o=0 throttle.num_blocks_q=5 limit_o=6 req_o=1"),
        EACH_VARIANT("EQ-4 epochs are regular", variants, epochs_are_regular),
        EACH_VARIANT("EQ-7 votes", variants, eq7_votes),
        EACH_VARIANT("EQ-16 votes without a kernel", variants, eq16_votes_without_a_kernel),
        SCRIPT("EQ-16 idle after a kernel", "sm_governor_fast", /* that has come to its end: CompAction */
               "equalizer show=MEM epochs=2 cta_done_i=0x3f show=IDLE epochs=2 comp_o=1 mem_o=0"),
        EACH_VARIANT("EQ-A20 counters follow policy_i", variants, counters_follow_policy_i),
        /* Without epochs the limit and the paused CTAs stay until the kernel ends. */
        SCRIPT("the limit holds without epochs", "sm_governor_fast",
               "equalizer three_of=MEM,6,5,0x8 show=MEM epochs=2 policy_i=dyncta cycle=2000 limit_o=5 cta_paused_o=0x8 "
               "pause_soft_o=0 policy_i=equalizer epochs=1 cycle limit_o=4"), /* the third */
        EACH_VARIANT("a kernel starts in an epoch", variants, kernel_starts_in_an_epoch),
        /* The vote is the old kernel's, its decision comes too late: the new kernel begins at Nmax with nobody paused and no
         * epochs counted (EQ-A11, EQ-A14). */
        EACH_SCRIPT("a kernel starts with the end of an epoch", variants,
                    "equalizer three_of=MEM,6,5,0x8 show=MEM epochs=2 to_epoch_end "
                    "kernel=7 epoch_o=1 mem_o=1 limit_o=5 cta_paused_o=0x8 req_o=0 cycle limit_o=7 cta_paused_o=0 req_o=1 "
                    "epochs=2 cycle limit_o=7 epochs=1 cycle limit_o=6"),
        BOTH_SIDES("PAUSE-2 paused warps do not count", "sm_governor_fast", paused_warps_do_not_count),
        BOTH_SIDES("thresholds are Wcta", "sm_governor_fast", thresholds_are_wcta),
        /* DYN-1 to DYN-3, PAUSE-4: from half of Nmax, one CTA per period; what is called paused comes last, the youngest
         * first. Of the two CTAs slot 1's is the older. */
        EACH_SCRIPT("DYNCTA moves", variants,
                    "policy_i=dyncta kernel=7 cta_start_i=0x22 period=0,200 limit_o=3 req_o=1 pause_soft_o=1 "
                    "period=0,385 limit_o=3 cycle limit_o=2 req_o=0 cycle cta_paused_o=0"),
        BOTH_SIDES("DYNCTA's class comes a cycle late", "sm_governor_fast", dyncta_class_comes_late),
        EACH_SCRIPT("DYNCTA pauses and resumes", variants,
                    "policy_i=dyncta kernel=4 cta_start_i=0x22 period=0,385 limit_o=2 "
                    "period=0,384 limit_o=1 cta_paused_o=0x20 pause_soft_o=1 " /* the limit rests */
                    "period=17,300 limit_o=1 cycle limit_o=2 cta_paused_o=0x20 cycle cta_paused_o=0 done_o=0"),
        BOTH_SIDES("DYNCTA thresholds", "sm_governor_fast", dyncta_thresholds),
        BOTH_SIDES("no kernel, no request", "sm_governor_fast", no_kernel_no_request),
        BOTH_SIDES("one CTA at most", "sm_governor_fast", one_cta_at_most),
        /* Ages are kept under every policy: a CTA of a static kernel that lives on is older. */
        SCRIPT("ages outlive policies", "sm_governor_fast",
               "policy_i=static kernel=6 launch=41 policy_i=perfsat kernel=6 launch=2 policy_i=equalizer epochs=1 kernel=3 "
               "three_of=MEM,3,2,0x4 three_of=MEM,2,1,0x6 "
               "three_of=MEM,1,1,0x6"), /* PAUSE-5 */
        BOTH_SIDES("the next kernel pauses nobody", "sm_governor_fast", next_kernel_pauses_nobody),
    };
    return cmocka_run_group_tests_name("sm_governor", tests, NULL, NULL);
}
