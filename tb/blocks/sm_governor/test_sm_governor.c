/* SPDX-License-Identifier: Apache-2.0
 *
 * The five policies from the bus to the limit, the paused CTAs, the request and the votes; each
 * rule on the model and on the RTL. The policies' own rules have tests of their own; here it is
 * that each gets its signals, and at the right time.
 */
#include "blocks/sm_governor/bench.h"

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

static void reset_state(bench *b)
{
    sm_governor_out nothing;

    start_kernel(b, POLICY_PERFSAT, 5);
    launch_all(b, "012");
    start_kernel(b, POLICY_STATIC, 5);
    dut_reset(&b->dut);
    expect(b, "policy_q=%u fixed_q=0 perfsat.limit_q=0 throttle.nmax_q=0 counters.cycle_q=1", POLICY_STATIC);
    memset(&nothing, 0, sizeof nothing);
    cycle(b);
    assert_memory_equal(&b->out, &nothing, sizeof nothing);
}

/* ---- static ------------------------------------------------------------------------- */

/* 0 and what is too big mean Nmax; the limit shows in the cycle after the kernel start. */
static void static_limit(bench *b)
{
    for (unsigned nmax = 0; nmax <= 8; nmax++) {
        for (unsigned limit = 0; limit <= 15; limit++) {
            const unsigned expected = limit == 0 || limit > nmax ? nmax : limit;

            b->in.static_limit = (uint8_t)limit;
            start_kernel(b, POLICY_STATIC, nmax);
            b->in.static_limit ^= 3; /* of no effect until the next kernel */
            b->in.nmax ^= 5;
            cycles(b, 2);
            expect(b, "limit_o=%u done_o=%u req_o=%u pause_soft_o=0", expected, expected != 0, expected != 0);
        }
    }
}

/* It asks for CTAs up to the limit, and what is too many drains: nobody is paused. */
static void static_drains(bench *b)
{
    b->in.static_limit = 5;
    start_kernel(b, POLICY_STATIC, 6);
    assert_int_equal(b->out.req, 0);
    launch_all(b, "0123");
    assert_int_equal(b->out.req, 1);
    launch(b, 4);
    assert_int_equal(b->out.req, 0); /* the cycle of the launch already knows */
    b->in.static_limit = 2;
    start_kernel(b, POLICY_STATIC, 6);
    assert_int_equal(b->out.limit, 5);
    for (unsigned slot = 0; slot < 3; slot++) {
        finish(b, slot);
        cycles(b, 10);
        expect(b, "limit_o=2 req_o=0 cta_paused_o=0");
    }
    finish(b, 3);
    assert_int_equal(b->out.req, 1);
    b->in.cta_denied = 1; /* an empty place goes on asking */
    cycle(b);
    assert_int_equal(b->out.req, 1);
    launch(b, 0);
    assert_int_equal(b->out.req, 0);
}

/* ---- which policy -------------------------------------------------------------------- */

static void unknown_codes_are_static(bench *b)
{
    for (unsigned code = 5; code <= 7; code++) {
        reopen_bench(b, "sm_governor_fast");
        start_kernel(b, POLICY_DYNCTA, 6);
        b->in.static_limit = 4;
        start_kernel(b, code, 6);
        assert_int_equal(state(b)->policy, POLICY_STATIC);
        show(&b->in, WORK_MEM);
        for (unsigned i = 0; i < 600; i++) {
            cycle(b);
            expect(b, "limit_o=4 done_o=1 pause_soft_o=0 epoch_o=0");
        }
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

enum { ONE_TB = 40 };

/* Stalled cycles per sample, least with 5 CTAs. */
static unsigned stalls_with(unsigned limit)
{
    return 30 + 20 * (limit > 5 ? limit - 5 : 5 - limit);
}

static void measure_first_cta(bench *b, unsigned nmax)
{
    show(&b->in, WORK_NONE);
    start_kernel(b, POLICY_PERFSAT, nmax);
    launch_all(b, "0");
    launch_all(b, "123");
    cycles(b, ONE_TB - 4);
    finish(b, 0);
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

    for (unsigned v = 0; v < 2; v++) { /* the third variant samples later: its own test */
        reopen_bench(b, variants[v]);
        measure_first_cta(b, 8);
        expect(b, "limit_o=4 perfsat.period_q=%u", ONE_TB * 8);
        for (unsigned i = 0; i < sizeof limits; i++)
            perfsat_sample(b, 8, limits[i]);
        for (unsigned i = 0; i < 1000; i++) {
            cycle(b);
            expect(b, "limit_o=5 done_o=1");
        }
    }
}

/* PsSettle = 1: a sample does not start while more CTAs than the limit are active. */
static void perfsat_sees_active_ctas(bench *b)
{
    measure_first_cta(b, 4);
    assert_int_equal(b->out.limit, 2);
    cycles(b, 20); /* 1, 2 and 3 are still there */
    assert_int_equal(state(b)->perfsat.timer, ONE_TB * 4);
    finish(b, 1); /* in use in this cycle */
    assert_int_equal(state(b)->perfsat.timer, ONE_TB * 4);
    cycle(b);
    assert_int_equal(state(b)->perfsat.timer, ONE_TB * 4 - 1);
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
        cycles(b, 10);
        assert_int_equal(state(b)->perfsat.stalled, 10 * cases[c].stalled);
        b->in.paused = UINT64_C(1) << 7;
        cycles(b, 10);
        assert_int_equal(state(b)->perfsat.stalled, 10 * cases[c].stalled);
    }
}

/* Not a kernel that it does not control. */
static void perfsat_misses_other_policies_kernels(bench *b)
{
    start_kernel(b, POLICY_PERFSAT, 8);
    start_kernel(b, POLICY_LCS, 3);
    expect(b, "perfsat.nmax_q=8 lcs.nmax_q=3");
    start_kernel(b, POLICY_DYNCTA, 5);
    expect(b, "lcs.nmax_q=3 dyncta.nmax_q=5");
    b->in.static_limit = 2;
    start_kernel(b, POLICY_STATIC, 6);
    expect(b, "dyncta.nmax_q=5 fixed_q=2");
    start_kernel(b, POLICY_EQUALIZER, 7);
    expect(b, "perfsat.nmax_q=8 lcs.nmax_q=3 dyncta.nmax_q=5 fixed_q=2 throttle.nmax_q=7");
}

/* ---- LCS ----------------------------------------------------------------------------- */

/* One instruction in the slot of each lane; NO_LANE: none. */
enum { NO_LANE = 8 };

static void issue(bench *b, unsigned lane0, unsigned lane1)
{
    b->in.issue_valid = (uint8_t)((lane0 != NO_LANE) | (lane1 != NO_LANE) << 1);
    b->in.issue_slot = (lane0 & 7) | (uint64_t)(lane1 & 7) << 3;
    cycle(b);
}

static void issue_many(bench *b, unsigned n, unsigned lane0, unsigned lane1)
{
    while (n--)
        issue(b, lane0, lane1);
}

/* Four CTAs, slot 1's the oldest, that issue 40, 20, 10 and 11 instructions: 81 / 40. */
static void lcs_monitor(bench *b)
{
    start_kernel(b, POLICY_LCS, 4);
    launch_all(b, "1032");
    expect(b, "limit_o=4 done_o=0");
    issue_many(b, 10, 0, 1);
    issue_many(b, 10, 1, 2);
    issue_many(b, 15, 0, 0);
    issue_many(b, 11, NO_LANE, 3);
}

/* T_max cycles to gather, T_new + 1 to divide, then T_new, for one cycle. */
static void expect_t_new(bench *b, unsigned t_max, unsigned rounds, unsigned t_new)
{
    for (unsigned i = 0; i < t_max + rounds; i++) {
        cycle(b);
        expect(b, "t_new_valid_o=0 t_new_o=0");
    }
    cycle(b);
    expect(b, "t_new_valid_o=1 t_new_o=%u limit_o=%u done_o=0", t_new, t_max);
    cycle(b);
    expect(b, "t_new_valid_o=0 t_new_o=0 limit_o=%u done_o=1", t_new);
}

/* LcsThrottle = 0: the CTAs above the limit run to their end (LCS-A6). */
static void lcs_drains(bench *b)
{
    lcs_monitor(b);
    finish(b, 0);
    assert_int_equal(b->out.req, 1);
    expect_t_new(b, 4, 2, 2);
    assert_int_equal(b->out.req, 0);
    cycles(b, 20);
    expect(b, "cta_paused_o=0 lcs.state_q=StThrottle");
    finish(b, 1); /* still active in this cycle */
    expect(b, "lcs.state_q=StThrottle req_o=0");
    cycle(b);
    assert_int_equal(state(b)->lcs.state, LCS_ST_LAZY);
    finish(b, 2);
    assert_int_equal(b->out.req, 1);
    issue_many(b, 20, 3, 3); /* no second thoughts (LCS-8) */
    assert_int_equal(b->out.limit, 2);
}

/* RoundMode = 1: 81 / 40 is 3. */
static void lcs_rounds_up(bench *b)
{
    lcs_monitor(b);
    finish(b, 3);
    expect_t_new(b, 4, 2, 3);
    assert_int_equal(b->out.cta_paused, 0);
}

/* LcsThrottle = 1: the youngest are paused, one per cycle, and do not count as running any more
 * (LCS-4); they come back, the oldest first, before anyone is asked for. */
static void lcs_pauses(bench *b)
{
    lcs_monitor(b);
    b->in.cta_start = 1u << 3; /* the place of the one that finishes is taken at once */
    finish(b, 3);
    expect_t_new(b, 4, 2, 2);
    assert_int_equal(b->out.cta_paused, 0);
    cycle(b);
    expect(b, "cta_paused_o=%u lcs.state_q=StThrottle", 1u << 3);
    cycle(b);
    expect(b, "cta_paused_o=%u lcs.state_q=StLazy", 1u << 3 | 1u << 2);
    finish(b, 1);
    assert_int_equal(b->out.req, 0);
    cycle(b);
    assert_int_equal(b->out.cta_paused, 1u << 3);
    finish(b, 0);
    finish(b, 2);
    expect(b, "req_o=1 cta_paused_o=0");
}

/* Nobody is paused before T_new is known, however many run. */
static void lcs_does_not_pause_early(bench *b)
{
    lcs_monitor(b);
    launch_all(b, "4567"); /* more than Nmax */
    cycles(b, 10);
    assert_int_equal(b->out.cta_paused, 0);
}

static void broadcast(bench *b, unsigned limit)
{
    b->in.lcs_bcast_valid = 1;
    b->in.lcs_bcast_limit = (uint8_t)limit;
    cycle(b);
}

/* LCS-6: who listens neither counts nor decides. */
static void lcs_listens(bench *b)
{
    b->in.lcs_listen = 1;
    lcs_monitor(b);
    assert_int_equal(state(b)->lcs.inst[0], 0);
    finish(b, 0);
    for (unsigned i = 0; i < 30; i++) {
        cycle(b);
        expect(b, "t_new_valid_o=0 limit_o=4");
    }
    broadcast(b, 3);
    expect(b, "limit_o=4 t_new_valid_o=0");
    cycle(b);
    expect(b, "limit_o=3 done_o=1");
    broadcast(b, 1); /* one per kernel */
    cycle(b);
    assert_int_equal(b->out.limit, 3);
}

static void lcs_broadcast_is_clamped(bench *b)
{
    static const uint8_t cases[][2] = {{0, 1}, {1, 1}, {6, 6}, {7, 6}, {15, 6}};

    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        reopen_bench(b, "sm_governor");
        b->in.lcs_listen = 1;
        start_kernel(b, POLICY_LCS, 6);
        broadcast(b, cases[c][0]);
        cycle(b);
        assert_int_equal(b->out.limit, cases[c][1]);
    }
}

/* Without lcs_listen, with the kernel start, and under another policy. */
static void lcs_broadcast_is_ignored(bench *b)
{
    start_kernel(b, POLICY_LCS, 6);
    broadcast(b, 2);
    cycle(b);
    assert_int_equal(b->out.limit, 6);
    b->in.lcs_listen = 1;
    prepare_kernel(b, POLICY_LCS, 5);
    broadcast(b, 2);
    cycle(b);
    assert_int_equal(b->out.limit, 5);
    start_kernel(b, POLICY_EQUALIZER, 7);
    broadcast(b, 2);
    cycle(b);
    expect(b, "limit_o=7 lcs.limit_q=5");
}

/* ---- Equalizer: CTAs ----------------------------------------------------------------- */

/* A kernel of six CTAs, slot 2's the oldest, slot 3's the youngest, from the end of an epoch on. */
static void equalizer_kernel(bench *b)
{
    align(b);
    start_kernel(b, POLICY_EQUALIZER, 6);
    assert_int_equal(b->out.limit, 0);
    cycle(b);
    expect(b, "limit_o=6 req_o=1");
    launch_all(b, "201543");
    expect(b, "req_o=0 done_o=0");
}

/* Three epochs: the third shows in the limit in the next cycle, in the CTAs one later (EQ-10).
 * The quiet one before them takes the sample that SamplePhase = 0 puts into the last cycle of an
 * epoch: none of the three has one of the old work. */
static void three_epochs(bench *b, enum work work, unsigned from, unsigned to, uint32_t paused)
{
    const uint32_t were = b->out.cta_paused;

    epochs_of(b, 1, WORK_NONE);
    epochs_of(b, 3, work);
    expect(b, "limit_o=%u cta_paused_o=%u", from, were);
    cycle(b);
    expect(b, "limit_o=%u cta_paused_o=%u", to, were);
    cycle(b);
    expect(b, "limit_o=%u cta_paused_o=%u", to, paused);
}

/* EQ-10, EQ-11, PAUSE-1, PAUSE-3: the youngest go first, the oldest of them come back first. */
static void eq10_pauses_and_resumes(bench *b)
{
    equalizer_kernel(b);
    three_epochs(b, WORK_MEM, 6, 5, 1u << 3);
    three_epochs(b, WORK_MEM, 5, 4, 1u << 3 | 1u << 4);
    expect(b, "pause_soft_o=0 req_o=0");
    three_epochs(b, WORK_WAIT_MEM, 4, 5, 1u << 3);
    three_epochs(b, WORK_WAIT_COMP, 5, 6, 0);
    three_epochs(b, WORK_WAIT_COMP, 6, 6, 0); /* Nmax */
    assert_int_equal(b->out.req, 0);
}

/* EQ-10: an epoch that wants to stay starts the count anew. */
static void eq10_hysteresis(bench *b)
{
    equalizer_kernel(b);
    epochs_of(b, 2, WORK_MEM);
    epochs_of(b, 1, WORK_SOME_MEM);
    epochs_of(b, 2, WORK_MEM);
    epochs_of(b, 1, WORK_COMP);
    epochs_of(b, 2, WORK_MEM);
    epochs_of(b, 1, WORK_NONE);
    epochs_of(b, 2, WORK_MEM);
    epochs_of(b, 1, WORK_IDLE);
    cycles(b, 3);
    assert_int_equal(b->out.limit, 6);
    epochs_of(b, 1, WORK_WAIT_MEM);
    epochs_of(b, 2, WORK_MEM); /* HystSameDir = 0: that is three */
    cycle(b);
    assert_int_equal(b->out.limit, config(b)->throttle.hyst_same_dir ? 6 : 5);
}

/* One place less, and the paused CTA finishes: nobody is left to resume. */
static void one_fewer_and_nobody_paused(bench *b)
{
    equalizer_kernel(b);
    three_epochs(b, WORK_MEM, 6, 5, 1u << 3);
    finish(b, 3);
    cycle(b);
    expect(b, "cta_paused_o=0 req_o=0");
}

/* EQ-11, EQ-A12: an increase asks the dispatcher, and counts when the CTA has come. */
static void eq11_increase_asks_for_a_cta(bench *b)
{
    for (unsigned v = 0; v < 2; v++) {
        reopen_bench(b, variants[v]);
        one_fewer_and_nobody_paused(b);
        three_epochs(b, WORK_WAIT_MEM, 5, 6, 0);
        expect(b, "req_o=1 throttle.num_blocks_q=5");
        b->in.cta_denied = 1;
        cycle(b);
        assert_int_equal(b->out.req, 1);
        cycle(b);
        expect(b, "req_o=0 limit_o=5");
        epochs_of(b, 1, WORK_NONE);
        three_epochs(b, WORK_WAIT_COMP, 5, 6, 0);
        launch(b, 7);
        assert_int_equal(state(b)->throttle.num_blocks, 6);
        cycles(b, 5);
        expect(b, "req_o=0 limit_o=6 cta_paused_o=0");
    }
}

/* GrantFeedback = 0: it counts at once, a denial changes nothing. */
static void eq11_increase_without_feedback(bench *b)
{
    one_fewer_and_nobody_paused(b);
    three_epochs(b, WORK_WAIT_MEM, 5, 6, 0);
    assert_int_equal(state(b)->throttle.num_blocks, 6);
    b->in.cta_denied = 1;
    cycles(b, 2);
    expect(b, "req_o=1 limit_o=6");
    launch(b, 7);
    assert_int_equal(b->out.req, 0);
}

/* One fewer and one gone in the same cycle: nobody has to wait. */
static void cta_finishes_with_a_decrease(bench *b)
{
    equalizer_kernel(b);
    epochs_of(b, 2, WORK_MEM);
    go_to_epoch_end(b);
    finish(b, 0);
    expect(b, "epoch_o=1 req_o=1"); /* the limit is still the old one */
    cycle(b);
    expect(b, "limit_o=5 req_o=0");
    cycles(b, 5);
    assert_int_equal(b->out.cta_paused, 0);
}

/* One more and one gone in the same cycle: the paused CTA takes the place of the one that is
 * gone, and the increase asks for another. */
static void cta_finishes_with_an_increase(bench *b)
{
    equalizer_kernel(b);
    three_epochs(b, WORK_MEM, 6, 5, 1u << 3);
    epochs_of(b, 2, WORK_WAIT_MEM);
    go_to_epoch_end(b);
    finish(b, 0);
    expect(b, "epoch_o=1 cta_paused_o=%u req_o=0", 1u << 3);
    cycle(b);
    expect(b, "cta_paused_o=0 throttle.num_blocks_q=5 limit_o=6 req_o=1");
}

/* ---- Equalizer: epochs and votes ------------------------------------------------------- */

/* EQ-4: from reset on every Epoch cycles, kernel or not. */
static void epochs_are_regular(bench *b)
{
    unsigned length;

    length = config(b)->counters.epoch;
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
    equalizer_kernel(b);
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

/* EQ-16, EQ-A20: an SM without a kernel, or with one of another policy, votes like any other; its
 * limit is none of Equalizer's business. */
static void eq16_votes_without_a_kernel(bench *b)
{
    for (unsigned with_kernel = 0; with_kernel < 2; with_kernel++) {
        reopen_bench(b, b->dut.block->name);
        b->in.static_limit = 3;
        if (with_kernel)
            start_kernel(b, POLICY_STATIC, 6);
        b->in.policy = POLICY_EQUALIZER;
        epoch(b);
        assert_int_equal(b->out.comp, 1); /* idle */
        assert_int_equal(b->out.mem, 0);
        epochs_of(b, 4, WORK_MEM);
        expect(b, "mem_o=1 limit_o=%u req_o=%u throttle.run_q=0 throttle.num_blocks_q=%u", with_kernel ? 3 : 0,
               with_kernel, with_kernel ? 6 : 0);
    }
}

/* The warps of a kernel that has come to its end: CompAction. */
static void eq16_idle_after_a_kernel(bench *b)
{
    equalizer_kernel(b);
    epochs_of(b, 2, WORK_MEM);
    b->in.cta_done = b->held;
    show(&b->in, WORK_IDLE);
    epochs(b, 2);
    expect(b, "comp_o=1 mem_o=0");
}

/* Epochs stop with policy_i and go on where they stopped, also at their very end. */
static void counters_follow_policy_i(bench *b)
{
    eq_counters_state held;

    equalizer_kernel(b);
    show(&b->in, WORK_MEM);
    cycles(b, config(b)->counters.sample_interval + 3);
    held = state(b)->counters;
    assert_true(held.active > 0);
    for (unsigned i = 0; i < 50; i++) {
        b->in.policy = (uint8_t)(i % 8 == POLICY_EQUALIZER ? 0 : i % 8);
        cycle(b);
        assert_memory_equal(&held, &state(b)->counters, sizeof held);
    }
    b->in.policy = POLICY_EQUALIZER;
    cycle(b);
    assert_int_equal(state(b)->counters.cycle, held.cycle + 1);
    go_to_epoch_end(b);
    b->in.policy = POLICY_LCS;
    for (unsigned i = 0; i < 10; i++) {
        cycle(b);
        expect(b, "epoch_o=0 mem_o=0");
    }
    b->in.policy = POLICY_EQUALIZER;
    cycle(b);
    expect(b, "epoch_o=1 mem_o=1 policy_q=%u", POLICY_EQUALIZER);
}

/* Without epochs the limit and the paused CTAs stay until the kernel ends. */
static void limit_holds_without_epochs(bench *b)
{
    equalizer_kernel(b);
    three_epochs(b, WORK_MEM, 6, 5, 1u << 3);
    epochs_of(b, 2, WORK_MEM);
    b->in.policy = POLICY_DYNCTA;
    cycles(b, 2000);
    expect(b, "limit_o=5 cta_paused_o=%u pause_soft_o=0", 1u << 3);
    b->in.policy = POLICY_EQUALIZER;
    epoch(b); /* the third */
    cycle(b);
    assert_int_equal(b->out.limit, 4);
}

/* EQ-A20: a kernel start in the middle of an epoch does not move the epoch; the samples before it
 * are the old kernel's. */
static void kernel_starts_in_an_epoch(bench *b)
{
    unsigned half;

    half = config(b)->counters.epoch / 2;
    equalizer_kernel(b);
    epochs_of(b, 1, WORK_MEM);
    cycles(b, half - 1);
    show(&b->in, WORK_COMP);
    start_kernel(b, POLICY_EQUALIZER, 4);
    assert_int_equal(b->out.epoch, 0);
    for (unsigned i = half + 1; i < 2 * half; i++) {
        cycle(b);
        expect(b, "epoch_o=0 limit_o=4");
    }
    cycle(b);
    expect(b, "epoch_o=1 comp_o=1 mem_o=0");
    assert_int_equal(b->before.counters.xmem, 0);
}

/* The vote is the old kernel's, its decision comes too late: the new kernel begins at Nmax with
 * nobody paused and no epochs counted (EQ-A11, EQ-A14). */
static void kernel_starts_with_the_end_of_an_epoch(bench *b)
{
    equalizer_kernel(b);
    three_epochs(b, WORK_MEM, 6, 5, 1u << 3);
    epochs_of(b, 2, WORK_MEM);
    go_to_epoch_end(b);
    start_kernel(b, POLICY_EQUALIZER, 7);
    expect(b, "epoch_o=1 mem_o=1 limit_o=5 cta_paused_o=%u req_o=0", 1u << 3);
    cycle(b);
    expect(b, "limit_o=7 cta_paused_o=0 req_o=1");
    epochs_of(b, 2, WORK_MEM);
    cycle(b);
    assert_int_equal(b->out.limit, 7);
    epoch(b);
    cycle(b);
    assert_int_equal(b->out.limit, 6);
}

/* PAUSE-2: paused warps are in no sum. */
static void paused_warps_do_not_count(bench *b)
{
    equalizer_kernel(b);
    epochs_of(b, 1, WORK_MEM);
    b->in.paused = (UINT64_C(1) << ALL_WARPS) - 1;
    epoch(b);
    assert_int_equal(b->before.counters.active, 0);
    assert_int_equal(b->out.comp, 1);
    b->in.paused &= ~UINT64_C(0xf); /* four of them: some memory */
    epoch(b);
    expect(b, "mem_o=1 throttle.run_q=0");
}

/* Lines 7 and 10 compare with the warps of a CTA. */
static void thresholds_are_wcta(bench *b)
{
    static const uint8_t cases[][2] = {{1, 47}, {11, 12}, {12, 11}, {47, 1}, {48, 48}};

    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        reopen_bench(b, "sm_governor_fast");
        equalizer_kernel(b);
        epochs_of(b, 1, WORK_NONE);
        set_warps(&b->in, 0, cases[c][1], WARP_ALU_BLOCKED);
        b->in.wcta = cases[c][0];
        epoch(b);
        assert_int_equal(b->out.comp, cases[c][1] > cases[c][0]);
    }
}

/* ---- DYNCTA -------------------------------------------------------------------------- */

/* Cycles of a period that is over idle, waiting for memory, and busy in this order. */
static void dyncta_period(bench *b, unsigned idle, unsigned mem)
{
    const unsigned period = config(b)->dyncta.period;

    for (unsigned i = 0; i < period; i++) {
        set_warps(&b->in, 0, ALL_WARPS, i < idle ? WARP_BARRIER : i < idle + mem ? WARP_WAIT_MEM : WARP_WAIT_ALU);
        cycle(b);
    }
}

/* DYN-1 to DYN-3, PAUSE-4: from half of Nmax, one CTA per period; the youngest come last, and what
 * comes last is called paused. */
static void dyncta_moves(bench *b)
{
    start_kernel(b, POLICY_DYNCTA, 7);
    b->in.cta_start = 1u << 5 | 1u << 1; /* 1 is the older of the two */
    dyncta_period(b, 0, 200);
    expect(b, "limit_o=3 req_o=1 pause_soft_o=1");
    dyncta_period(b, 0, 385);
    assert_int_equal(b->out.limit, 3);
    cycle(b);
    expect(b, "limit_o=2 req_o=0");
    cycle(b);
    assert_int_equal(b->out.cta_paused, 0);
}

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

static void dyncta_pauses_and_resumes(bench *b)
{
    start_kernel(b, POLICY_DYNCTA, 4);
    b->in.cta_start = 1u << 5 | 1u << 1; /* 1 is the older of the two */
    dyncta_period(b, 0, 385);
    assert_int_equal(b->out.limit, 2);
    dyncta_period(b, 0, 384); /* the limit rests */
    expect(b, "limit_o=1 cta_paused_o=%u pause_soft_o=1", 1u << 5);
    dyncta_period(b, 17, 300);
    assert_int_equal(b->out.limit, 1);
    cycle(b);
    expect(b, "limit_o=2 cta_paused_o=%u", 1u << 5);
    cycle(b);
    expect(b, "cta_paused_o=0 done_o=0");
}

/* Each threshold, at its edge. */
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
        b->in.t_idle = cases[c].t_idle;
        b->in.t_mem_l = cases[c].t_mem_l;
        b->in.t_mem_h = cases[c].t_mem_h;
        set_warps(&b->in, 0, ALL_WARPS, WARP_WAIT_ALU); /* the start's own class belongs to the period */
        start_kernel(b, POLICY_DYNCTA, 6);
        dyncta_period(b, cases[c].idle, cases[c].mem);
        assert_int_equal(b->out.limit, 3);
        cycle(b);
        assert_int_equal(b->out.limit, cases[c].limit);
    }
}

/* ---- whoever sets the limit ------------------------------------------------------------ */

/* Nothing to run. */
static void no_kernel_no_request(bench *b)
{
    for (unsigned policy = 0; policy < 8; policy++) {
        reopen_bench(b, "sm_governor_fast");
        start_kernel(b, policy, 0);
        for (unsigned i = 0; i < 600; i++) {
            cycle(b);
            expect(b, "limit_o=0 req_o=0 done_o=0 cta_paused_o=0");
        }
    }
}

/* One CTA at most: Perf-Sat and LCS have nothing to look for. */
static void one_cta_at_most(bench *b)
{
    for (unsigned policy = 0; policy < POLICIES; policy++) {
        reopen_bench(b, "sm_governor_fast");
        start_kernel(b, policy, 1);
        cycle(b);
        expect(b, "limit_o=1 req_o=1 done_o=%u", policy <= POLICY_LCS);
        launch(b, 0);
        assert_int_equal(b->out.req, 0);
    }
}

/* Ages are kept under every policy: a CTA of a static kernel that lives on is older. */
static void ages_outlive_policies(bench *b)
{
    start_kernel(b, POLICY_STATIC, 6);
    launch_all(b, "41");
    start_kernel(b, POLICY_PERFSAT, 6);
    launch_all(b, "2");
    align(b);
    start_kernel(b, POLICY_EQUALIZER, 3);
    three_epochs(b, WORK_MEM, 3, 2, 1u << 2);
    three_epochs(b, WORK_MEM, 2, 1, 1u << 2 | 1u << 1);
    three_epochs(b, WORK_MEM, 1, 1, 1u << 2 | 1u << 1); /* PAUSE-5 */
}

/* Paused by Equalizer, and a kernel of a policy that drains: all run again in its first cycle. */
static void next_kernel_pauses_nobody(bench *b)
{
    static const uint8_t next[] = {POLICY_STATIC, POLICY_PERFSAT, POLICY_LCS, 6};

    for (unsigned n = 0; n < sizeof next; n++) {
        reopen_bench(b, "sm_governor_fast");
        equalizer_kernel(b);
        three_epochs(b, WORK_MEM, 6, 5, 1u << 3);
        b->in.static_limit = 1;
        start_kernel(b, next[n], 2);
        assert_int_equal(b->out.cta_paused, 1u << 3);
        for (unsigned i = 0; i < 20; i++) {
            cycle(b);
            expect(b, "cta_paused_o=0 req_o=0");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(derive),
        EACH_VARIANT("reset state", variants, reset_state),
        EACH_VARIANT("static limit", variants, static_limit),
        EACH_VARIANT("static drains", variants, static_drains),
        BOTH_SIDES("unknown codes are static", "sm_governor_fast", unknown_codes_are_static),
        BOTH_SIDES("a policy waits for the next kernel", "sm_governor_fast", policy_waits_for_the_next_kernel),
        BOTH_SIDES("a search goes on whatever policy_i says", "sm_governor_fast", search_goes_on_whatever_policy_i_says),
        BOTH_SIDES("Perf-Sat finds its limit", "sm_governor_fast", perfsat_finds_its_limit),
        BOTH_SIDES("Perf-Sat sees active CTAs", "sm_governor_other", perfsat_sees_active_ctas),
        BOTH_SIDES("Perf-Sat sees classes", "sm_governor_fast", perfsat_sees_classes),
        BOTH_SIDES("policies miss each other's kernels", "sm_governor", perfsat_misses_other_policies_kernels),
        BOTH_SIDES("LCS drains", "sm_governor", lcs_drains),
        BOTH_SIDES("LCS rounds up", "sm_governor_other", lcs_rounds_up),
        BOTH_SIDES("LCS pauses", "sm_governor_fast", lcs_pauses),
        BOTH_SIDES("LCS does not pause early", "sm_governor_fast", lcs_does_not_pause_early),
        EACH_VARIANT("LCS-6 listens", variants, lcs_listens),
        BOTH_SIDES("LCS-6 broadcast is clamped", "sm_governor_fast", lcs_broadcast_is_clamped),
        BOTH_SIDES("LCS-6 broadcast is ignored", "sm_governor", lcs_broadcast_is_ignored),
        EACH_VARIANT("EQ-10 pauses and resumes", variants, eq10_pauses_and_resumes),
        EACH_VARIANT("EQ-10 hysteresis", variants, eq10_hysteresis),
        BOTH_SIDES("EQ-11 an increase asks for a CTA", "sm_governor_fast", eq11_increase_asks_for_a_cta),
        BOTH_SIDES("EQ-11 an increase without feedback", "sm_governor_other", eq11_increase_without_feedback),
        EACH_VARIANT("a CTA finishes with a decrease", variants, cta_finishes_with_a_decrease),
        BOTH_SIDES("a CTA finishes with an increase", "sm_governor_fast", cta_finishes_with_an_increase),
        EACH_VARIANT("EQ-4 epochs are regular", variants, epochs_are_regular),
        EACH_VARIANT("EQ-7 votes", variants, eq7_votes),
        EACH_VARIANT("EQ-16 votes without a kernel", variants, eq16_votes_without_a_kernel),
        BOTH_SIDES("EQ-16 idle after a kernel", "sm_governor_fast", eq16_idle_after_a_kernel),
        EACH_VARIANT("EQ-A20 counters follow policy_i", variants, counters_follow_policy_i),
        BOTH_SIDES("the limit holds without epochs", "sm_governor_fast", limit_holds_without_epochs),
        EACH_VARIANT("a kernel starts in an epoch", variants, kernel_starts_in_an_epoch),
        EACH_VARIANT("a kernel starts with the end of an epoch", variants, kernel_starts_with_the_end_of_an_epoch),
        BOTH_SIDES("PAUSE-2 paused warps do not count", "sm_governor_fast", paused_warps_do_not_count),
        BOTH_SIDES("thresholds are Wcta", "sm_governor_fast", thresholds_are_wcta),
        EACH_VARIANT("DYNCTA moves", variants, dyncta_moves),
        BOTH_SIDES("DYNCTA's class comes a cycle late", "sm_governor_fast", dyncta_class_comes_late),
        EACH_VARIANT("DYNCTA pauses and resumes", variants, dyncta_pauses_and_resumes),
        BOTH_SIDES("DYNCTA thresholds", "sm_governor_fast", dyncta_thresholds),
        BOTH_SIDES("no kernel, no request", "sm_governor_fast", no_kernel_no_request),
        BOTH_SIDES("one CTA at most", "sm_governor_fast", one_cta_at_most),
        BOTH_SIDES("ages outlive policies", "sm_governor_fast", ages_outlive_policies),
        BOTH_SIDES("the next kernel pauses nobody", "sm_governor_fast", next_kernel_pauses_nobody),
    };
    return cmocka_run_group_tests_name("sm_governor", tests, NULL, NULL);
}
