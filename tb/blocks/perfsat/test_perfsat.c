/* SPDX-License-Identifier: Apache-2.0
 *
 * Perf-Sat's rules, each on the model and on the RTL. A test feeds stalled-cycle counts, one
 * per sample, and looks at the limit, as the worked examples PS-E1..PS-E8 do.
 */
#include "sm/perfsat.h"

#define BENCH_BLOCK perfsat
#define BENCH_PREPARE
#define BENCH_KERNELS
#include "blocks/perfsat/invariant.h"
#include "engine/bench.h"
#include "engine/step_fixture.h"

enum { ONE_TB = 40 }; /* cycles; long enough for every stall count the tests use */

static void prepare(bench *b)
{
    b->in.ps_class = PS_ACTIVE;
}

static void launch_cta(bench *b, unsigned slot)
{
    b->in.cta_start = UINT32_C(1) << slot;
    cycle(b);
    b->in.cta_start = 0;
}

static void finish_cta(bench *b, unsigned slot)
{
    b->in.cta_done = UINT32_C(1) << slot;
    cycle(b);
    b->in.cta_done = 0;
}

/* A kernel whose first CTA takes ONE_TB cycles. */
static void start_and_measure(bench *b, unsigned nmax)
{
    start_kernel(b, nmax);
    launch_cta(b, 0);
    cycles(b, ONE_TB - 1);
    finish_cta(b, 0);
}

/* One sample with exactly `stalls` stalled cycles, at its end; scoreboard and pipeline stalls
 * in turn. Returns the length of the sample in cycles. */
static unsigned sample(bench *b, uint32_t stalls)
{
    const uint32_t period = state(b)->period;
    unsigned length = 0;

    assert_true(stalls <= period);
    do {
        b->in.ps_class = length >= period - stalls ? (length & 1 ? PS_SCOREBOARD : PS_PIPELINE)
                                                   : (length & 1 ? PS_ACTIVE : PS_IDLE);
        cycle(b);
        length++;
    } while (!b->out.sample_end && length < 2 * period);
    b->in.ps_class = PS_ACTIVE;
    assert_true(b->out.sample_end);
    return length;
}

static void samples(bench *b, unsigned n, const uint32_t *stalls)
{
    for (unsigned i = 0; i < n; i++)
        sample(b, stalls[i]);
}

#define SAMPLES(b, ...)                                                                    \
    samples(b, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

/* A kernel whose stalled cycles have their only minimum at `best` CTAs. */
static uint32_t unimodal(unsigned limit, unsigned best)
{
    return 10 + 3 * (limit > best ? limit - best : best - limit) + (limit > best);
}

/* Runs it to convergence; returns the number of samples. */
static unsigned converge_on(bench *b, unsigned nmax, unsigned best)
{
    unsigned n = 0;

    start_and_measure(b, nmax);
    while (state(b)->state != PERFSAT_DONE && n < 100) {
        sample(b, unimodal(state(b)->limit, best));
        n++;
    }
    return n;
}

/* Active cycles to the end of the sample. */
static void sample_rest(bench *b)
{
    b->in.ps_class = PS_ACTIVE;
    do
        cycle(b);
    while (!b->out.sample_end && state(b)->state != PERFSAT_DONE);
}

#define assert_search(b, fsm, lim, h, d) \
    expect(b, "state_q=%u limit_q=%u history_q=%u direction_q=%u", (unsigned)(fsm), (unsigned)(lim), h, d)

static void assert_done(bench *b, unsigned nopt)
{
    expect(b, "state_q=StDone limit_q=%u", nopt);
    cycle(b);
    expect(b, "done_o=1 limit_o=%u", nopt);
}

/* ---- phase 1: measuring ---------------------------------------------------------- */

static void reset_state(bench *b)
{
    const perfsat_state zero = {0};
    assert_memory_equal(state(b), &zero, sizeof zero);
    cycle(b);
    expect(b, "limit_o=0 done_o=0");
}

static void ps4_strict_improvement(bench *b)
{
    for (int more = -2; more <= 2; more++) {
        start_and_measure(b, 6);
        SAMPLES(b, 50, (uint32_t)(50 + more)); /* N0, then N0+1 */
        assert_int_equal(state(b)->state, more < 0 ? PERFSAT_WEAK_INC : PERFSAT_WEAK_DEC);
    }
}

/* Pipeline(N+1) - Pipeline(N) < Scoreboard(N) - Scoreboard(N+1): only the sum counts. */
static void ps4_pipeline_against_scoreboard(bench *b)
{
    start_and_measure(b, 6);
    b->in.ps_class = PS_SCOREBOARD; /* 60 scoreboard stalls at N0 ... */
    cycles(b, 60);
    sample_rest(b);
    b->in.ps_class = PS_PIPELINE; /* ... against 59 pipeline stalls at N0+1 */
    cycles(b, 59);
    sample_rest(b);
    assert_search(b, PERFSAT_WEAK_INC, 4, 1, 0);
}

static void ps5_initial_limit(bench *b)
{
    for (unsigned nmax = 1; nmax <= 32; nmax++) {
        start_kernel(b, nmax);
        assert_int_equal(state(b)->limit, (nmax + 1) / 2);
        cycle(b);
        assert_int_equal(b->out.limit, (nmax + 1) / 2);
    }
}

static void ps6_period(bench *b)
{
    for (unsigned one_tb = 1; one_tb < 70; one_tb += 17) {
        start_kernel(b, 6);
        cycles(b, 5); /* before the first block is dispatched nothing counts (PS-A13) */
        launch_cta(b, 3);
        cycles(b, one_tb - 1);
        finish_cta(b, 3);
        assert_int_equal(state(b)->period, one_tb * 6);
        assert_int_equal(sample(b, 0), one_tb * 6);
        assert_int_equal(sample(b, 0), one_tb * 6);
    }
}

static void ps6_first_of_several(bench *b)
{
    start_kernel(b, 4);
    launch_cta(b, 0);
    launch_cta(b, 1);
    cycles(b, 8);
    finish_cta(b, 1); /* any CTA will do */
    assert_int_equal(state(b)->period, 10 * 4);
    cycles(b, 3);
    finish_cta(b, 0); /* and only the first one counts */
    assert_int_equal(state(b)->period, 10 * 4);
}

static void ps6_launch_with_start(bench *b)
{
    b->in.cta_start = 1;
    start_kernel(b, 4);
    b->in.cta_start = 0;
    cycles(b, 9);
    finish_cta(b, 0);
    assert_int_equal(state(b)->period, 10 * 4);
}

static void ps6_stale_cta(bench *b)
{
    start_kernel(b, 4);
    finish_cta(b, 2); /* the previous kernel's */
    assert_int_equal(state(b)->state, PERFSAT_WAIT);
    b->in.cta_done = 1;
    start_kernel(b, 4); /* so is one that finishes as the kernel starts */
    b->in.cta_done = 0;
    expect(b, "state_q=StWait period_q=0");
}

static void ps6_saturates(bench *b)
{
    start_kernel(b, 8);
    launch_cta(b, 0);
    cycles(b, 31);
    assert_int_equal(state(b)->period, 31 * 8);
    cycles(b, 1);
    assert_int_equal(state(b)->period, 255); /* not 256 - 256 */
    cycles(b, 100);
    finish_cta(b, 0);
    assert_int_equal(state(b)->period, 255);
    assert_int_equal(sample(b, 255), 255);
    assert_int_equal(state(b)->prev, 255);
}

/* ---- sampling -------------------------------------------------------------------- */

static void ps3_what_counts(bench *b)
{
    static const struct { uint8_t cls; bool counts; } cases[] = {
        {PS_IDLE, false}, {PS_SCOREBOARD, true}, {PS_PIPELINE, true}, {PS_ACTIVE, false}};
    start_and_measure(b, 4);
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t before = state(b)->stalled;
        b->in.ps_class = cases[i].cls;
        cycle(b);
        assert_int_equal(state(b)->stalled - before, cases[i].counts);
    }
}

static void ps7_every_cycle_of_the_period(bench *b)
{
    start_and_measure(b, 4);
    b->in.ps_class = PS_SCOREBOARD; /* first and last cycle of the sample count */
    cycles(b, ONE_TB * 4);
    expect(b, "sample_end_o=1 prev_q=%u stalled_q=0", ONE_TB * 4);
}

static void ps_a12_settle_at_most(bench *b)
{
    start_and_measure(b, 4); /* N = 2 */
    b->in.ps_class = PS_SCOREBOARD;
    b->in.cta_active = 0x7;
    cycles(b, 20);
    expect(b, "timer_q=%u stalled_q=0", ONE_TB * 4);
    b->in.cta_active = 0x5;
    cycle(b); /* settled: this very cycle runs */
    assert_int_equal(state(b)->timer, ONE_TB * 4 - 1);
    b->in.cta_active = 0xf;
    cycle(b); /* and once settled it stays so until the sample ends */
    expect(b, "timer_q=%u stalled_q=2", ONE_TB * 4 - 2);
}

static void ps_a12_settle_exactly(bench *b)
{
    start_and_measure(b, 4);
    b->in.cta_active = 0x1;
    cycles(b, 20);
    assert_int_equal(state(b)->timer, ONE_TB * 4);
    b->in.cta_active = 0xa;
    cycle(b);
    assert_int_equal(state(b)->timer, ONE_TB * 4 - 1);
}

/* ---- phase 2: direction ---------------------------------------------------------- */

static void ps8_first_sample(bench *b)
{
    start_and_measure(b, 6);
    sample(b, 33);
    assert_search(b, PERFSAT_WEAK_INC, 4, 0, 0);
    assert_int_equal(state(b)->prev, 33);
}

static void ps9_better_sets_history(bench *b)
{
    start_and_measure(b, 6);
    SAMPLES(b, 33, 32);
    assert_search(b, PERFSAT_WEAK_INC, 4, 1, 0);
    assert_int_equal(state(b)->prev, 33);
}

static void ps10_worse_turns(bench *b)
{
    start_and_measure(b, 6);
    SAMPLES(b, 33, 34);
    assert_search(b, PERFSAT_WEAK_DEC, 3, 0, 0);
    expect(b, "prev_q=34 toggles_q=1");
}

static void ps11_two_coherent_decisions(bench *b)
{
    start_and_measure(b, 8);
    SAMPLES(b, 33, 32, 31);
    assert_search(b, PERFSAT_STRONG_INC, 6, 0, 1);
    start_and_measure(b, 8);
    SAMPLES(b, 33, 34, 31);
    assert_search(b, PERFSAT_STRONG_DEC, 3, 0, 1);
}

static void ps11_incoherent_resets_history(bench *b)
{
    start_and_measure(b, 6);
    SAMPLES(b, 33, 32, 34);
    assert_search(b, PERFSAT_WEAK_INC, 4, 0, 0);
    expect(b, "prev_q=33 toggles_q=0");
}

static void ps_a5_weak_revert(bench *b)
{
    start_and_measure(b, 6);
    SAMPLES(b, 33, 32, 34);
    assert_search(b, PERFSAT_WEAK_DEC, 3, 0, 0);
    assert_int_equal(state(b)->prev, 34);
    sample(b, 40); /* PS-A6: the turn back is a vote, too */
    assert_search(b, PERFSAT_WEAK_INC, 4, 1, 0);
}

static void ps_a4_confirm_decrease(bench *b)
{
    start_and_measure(b, 8);
    SAMPLES(b, 33, 34, 31);
    assert_search(b, PERFSAT_WEAK_DEC, 4, 1, 0);
    assert_int_equal(state(b)->prev, 34);
    SAMPLES(b, 35); /* incoherent: only H falls */
    assert_search(b, PERFSAT_WEAK_DEC, 4, 0, 0);
    SAMPLES(b, 30, 29);
    assert_search(b, PERFSAT_STRONG_DEC, 3, 0, 1);
}

static void ps12_too_many_turns(bench *b)
{
    start_and_measure(b, 15);
    SAMPLES(b, 110, 120, 130, 140);
    assert_search(b, PERFSAT_WEAK_DEC, 8, 0, 0);
    assert_int_equal(state(b)->toggles, 3);
    SAMPLES(b, 150);
    assert_done(b, 9);
}

/* With an even limit the search ends on a turn forth, not on a turn back. */
static void toggle_limit_even(bench *b)
{
    start_and_measure(b, 15);
    SAMPLES(b, 110, 120, 130);
    assert_search(b, PERFSAT_WEAK_INC, 9, 0, 0);
    SAMPLES(b, 140);
    assert_done(b, 9);
    start_and_measure(b, 15);
    SAMPLES(b, 100, 90, 90, 80, 70, 60, 65, 55);
    assert_search(b, PERFSAT_STRONG_INC, 13, 0, 1);
    SAMPLES(b, 65);
    assert_done(b, 12);
    start_and_measure(b, 15); /* the mirror: down to 6, where the turns use up the limit */
    SAMPLES(b, 100, 105, 90, 80, 85, 75);
    assert_search(b, PERFSAT_STRONG_DEC, 6, 0, 1);
    SAMPLES(b, 85);
    assert_done(b, 7);
}

static void ps_a7_pairs(bench *b)
{
    start_and_measure(b, 15);
    SAMPLES(b, 110, 120, 130, 140, 150, 160, 170);
    assert_int_equal(state(b)->toggles, 3);
    SAMPLES(b, 180);
    assert_int_equal(state(b)->state, PERFSAT_WEAK_DEC);
    SAMPLES(b, 190);
    assert_done(b, 9);
}

/* ---- phase 3: walking ------------------------------------------------------------ */

static void ps13_walks_while_better(bench *b)
{
    start_and_measure(b, 16);
    SAMPLES(b, 100, 95, 90, 80, 70);
    assert_search(b, PERFSAT_STRONG_INC, 12, 0, 1);
    assert_int_equal(state(b)->prev, 70);
    start_and_measure(b, 16);
    SAMPLES(b, 100, 105, 90, 80, 70);
    assert_search(b, PERFSAT_STRONG_DEC, 5, 0, 1);
}

static void ps14_worse_is_discarded(bench *b)
{
    start_and_measure(b, 16);
    SAMPLES(b, 100, 95, 90, 80, 85);
    assert_search(b, PERFSAT_WEAK_INC, 11, 0, 1);
    assert_int_equal(state(b)->prev, 80);
}

static void ps15_worse_again_ends(bench *b)
{
    start_and_measure(b, 16);
    SAMPLES(b, 100, 95, 90, 80, 85, 81);
    assert_done(b, 10);
    start_and_measure(b, 16);
    SAMPLES(b, 100, 105, 90, 80, 85, 81); /* mirror: 8, 9, 8, 7, 6 and back to 7 */
    assert_done(b, 7);
}

static void ps16_too_many_turns(bench *b) /* PS-E6 */
{
    start_and_measure(b, 15);
    SAMPLES(b, 100, 90, 90, 80, 70, 60);
    assert_search(b, PERFSAT_STRONG_INC, 13, 0, 1);
    SAMPLES(b, 65, 55, 65);
    assert_search(b, PERFSAT_WEAK_INC, 13, 0, 1);
    SAMPLES(b, 55);
    assert_done(b, 12);
}

static void ps_a9_move_on_recovery(bench *b) /* PS-E6 with RecoverN = 1 drifts to 13 */
{
    start_and_measure(b, 15);
    SAMPLES(b, 100, 90, 90, 80, 70, 60, 65, 55);
    assert_search(b, PERFSAT_STRONG_INC, 14, 0, 1);
    SAMPLES(b, 65, 54);
    assert_done(b, 13);
}

static void ps17_bounds(bench *b)
{
    start_kernel(b, 1);
    assert_done(b, 1);
    assert_int_equal(converge_on(b, 16, 16), 10);
    assert_done(b, 16);
    assert_int_equal(converge_on(b, 16, 1), 10);
    assert_done(b, 1);
}

static void ps18_new_kernel_restarts(bench *b)
{
    converge_on(b, 15, 12);
    assert_done(b, 12);
    cycles(b, 1000); /* no re-detection on its own */
    assert_done(b, 12);
    start_kernel(b, 6);
    assert_search(b, PERFSAT_WAIT, 3, 0, 0);
    assert_int_equal(state(b)->period, 0);
    start_and_measure(b, 9);
    SAMPLES(b, 20, 19);
    start_kernel(b, 4); /* in the middle of a search, too */
    assert_search(b, PERFSAT_WAIT, 2, 0, 0);
    assert_int_equal(state(b)->toggles, 0);
}

static void ps18_start_hides_sample_end(bench *b)
{
    start_and_measure(b, 4);
    cycles(b, ONE_TB * 4 - 1);
    start_kernel(b, 4);
    assert_int_equal(b->out.sample_end, 0);
    assert_search(b, PERFSAT_WAIT, 2, 0, 0);
}

/* ---- worked examples ------------------------------------------------------------- */

static void ps_e1(bench *b)
{
    static const unsigned sampled_at[] = {8, 9, 9, 10, 11, 12, 13, 13};
    start_and_measure(b, 15);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_not_equal(state(b)->state, PERFSAT_DONE);
        assert_int_equal(state(b)->limit, sampled_at[i]);
        sample(b, unimodal(sampled_at[i], 12));
    }
    assert_done(b, 12);
}

static void ps_e2(bench *b)
{
    converge_on(b, 4, 4); /* C-strong */
    assert_done(b, 4);
    converge_on(b, 4, 3); /* C-weak and MEM with two CTAs' memory requests */
    assert_done(b, 3);
}

/* PS-E7: stalls fall until 10 CTAs and stay flat from there. */
static uint32_t plateau(unsigned limit)
{
    return limit < 10 ? 100 - limit : 90;
}

static void plateau_case(bench *b, unsigned falling, unsigned flat)
{
    start_and_measure(b, 15);
    for (unsigned i = 0; i < 60 && state(b)->state != PERFSAT_DONE; i++)
        sample(b, plateau(state(b)->limit));
    assert_done(b, falling);
    start_and_measure(b, 15);
    for (unsigned i = 0; i < 60 && state(b)->state != PERFSAT_DONE; i++)
        sample(b, 77);
    assert_done(b, flat);
}

static void ps_e7_tie2(bench *b) { plateau_case(b, 10, 9); }
static void ps_e7_tie0(bench *b) { plateau_case(b, 10, 1); }
static void ps_e7_tie1(bench *b) { plateau_case(b, 15, 15); }

static void ps_e8(bench *b)
{
    static const struct { unsigned nmax, best, samples; } cases[] = {
        {15, 12, 8}, {8, 8, 6}, {8, 1, 6}, {16, 16, 10}, {16, 1, 10},
        {2, 1, 3},   {2, 2, 3}, {3, 1, 4}, {3, 3, 3}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(converge_on(b, cases[i].nmax, cases[i].best), cases[i].samples);
        assert_done(b, cases[i].best);
    }
}

/* All 528 pairs of Nmax <= 32 and optimum reach the optimum, in 19 samples at most. */
static void ps_fsm_all_unimodal(bench *b)
{
    unsigned cases = 0, most = 0;
    for (unsigned nmax = 1; nmax <= 32; nmax++) {
        for (unsigned best = 1; best <= nmax; best++) {
            const unsigned n = converge_on(b, nmax, best);
            assert_done(b, best);
            most = n > most ? n : most;
            cases++;
        }
    }
    assert_int_equal(cases, 528);
    assert_true(most <= 19);
}

/* The clock-enable: whatever comes in, nothing moves, and the levels stay to be read. */
static void disabled_block_holds_still(bench *b)
{
    perfsat_state before;

    start_and_measure(b, 8);
    cycles(b, 50); /* amid a sample */
    before = *state(b);
    b->in.enable = 0;
    b->in.ps_class = PS_PIPELINE;
    for (unsigned i = 0; i < 2 * 8 * ONE_TB; i++) {
        b->in.kernel_start = i % 7 == 0;
        b->in.nmax = (uint8_t)(i % 9);
        b->in.cta_start = b->in.cta_done = i % 256;
        cycle(b);
        assert_memory_equal(state(b), &before, sizeof before);
        expect(b, "sample_end_o=0 limit_o=%u", before.limit);
    }
}

/* A CTA that finishes meanwhile is missed: One_TB goes on with the enable, without the cycles in between. */
static void disabled_block_measures_nothing(bench *b)
{
    start_kernel(b, 4);
    launch_cta(b, 0);
    cycles(b, 10);
    b->in.enable = 0;
    finish_cta(b, 0);
    cycles(b, 20);
    expect(b, "state_q=StMeasure period_q=%u", 10 * 4);
    b->in.enable = 1;
    finish_cta(b, 1);
    expect(b, "state_q=StFirst period_q=%u", 11 * 4);
}

/* ---- counts at full width ------------------------------------------------------------ */

/* What follows is the consequence of what is loaded. */
static void load_before(bench *b, const perfsat_state *s)
{
    load(b, s);
    cycle(b);
}

/* A bit of the stalled cycles comes by a carry, one of the timer goes with a borrow. */
static void sample_counts_carry(bench *b)
{
    for (unsigned bit = 8; bit < 32; bit++) {
        const uint32_t at = UINT32_C(1) << bit;
        const perfsat_state s = {.state = PERFSAT_FIRST, .limit = 4, .nmax = 8, .period = UINT32_MAX, .timer = at + 2, .stalled = at - 2};

        /* No more stalled cycles than cycles: half of the range is for either. */
        if (bit < 31) {
            load_before(b, &s);
            assert_int_equal(state(b)->timer, at + 1);
            b->in.ps_class = PS_SCOREBOARD;
            cycles(b, 2);
            expect(b, "stalled_q=%u timer_q=%u", at, at - 1);
            cycles(b, 1);
            b->in.ps_class = PS_ACTIVE;
        }
    }
}

/* Bit 31, and all bits at once: a sample that is as long as counts allow, stalled throughout. */
static void longest_sample(bench *b)
{
    perfsat_state s = {.state = PERFSAT_FIRST, .limit = 4, .nmax = 8, .period = UINT32_MAX,
                       .timer = UINT32_C(0x80000001), .stalled = UINT32_C(0x7ffffffd)};

    load_before(b, &s);
    b->in.ps_class = PS_PIPELINE;
    cycles(b, 2);
    assert_int_equal(state(b)->timer, UINT32_C(0x7ffffffe));
    s.timer = 3;
    s.stalled = UINT32_C(0x7ffffffe);
    load_before(b, &s); /* its idle cycle stalls */
    cycle(b);
    assert_int_equal(state(b)->stalled, UINT32_C(0x80000000));
    cycle(b);
    expect(b, "state_q=StWeakInc prev_q=%u timer_q=%u", UINT32_C(0x80000001), UINT32_MAX);
    cycle(b);
    s.timer = 3;
    s.stalled = UINT32_MAX - 3;
    load_before(b, &s);
    cycles(b, 2);
    assert_int_equal(state(b)->prev, UINT32_MAX); /* never a cycle that did not stall */
    cycle(b);
    /* One worse than nothing: the search turns and takes the sample. */
    s = (perfsat_state){.state = PERFSAT_WEAK_INC, .limit = 5, .nmax = 8, .period = UINT32_MAX, .timer = 2, .prev = UINT32_MAX - 1,
                        .stalled = UINT32_MAX - 2, .history = 1};
    load_before(b, &s);
    b->in.ps_class = PS_ACTIVE;
    cycle(b);
    cycles(b, 1);
    /* A sample without a stall takes the place of one that had nothing else. */
    s = (perfsat_state){.state = PERFSAT_STRONG_INC, .limit = 5, .nmax = 8, .direction = 1, .period = UINT32_MAX, .timer = 2,
                        .prev = UINT32_MAX};
    load_before(b, &s);
    cycle(b);
    assert_int_equal(state(b)->prev, 0);
    cycle(b);
}

/* To all of eight CTAs, and back with the next kernel. */
static void limit_of_all_slots(bench *b)
{
    load_before(b, &(perfsat_state){.state = PERFSAT_STRONG_INC, .limit = 7, .nmax = 8, .direction = 1, .period = 99, .timer = 2, .prev = 50});
    cycle(b);
    assert_int_equal(state(b)->limit, 8);
    cycles(b, 1);
    start_kernel(b, 4);
    assert_int_equal(state(b)->limit, 2);
    cycles(b, 1);
}

static void period_carries(bench *b)
{
    for (unsigned bit = 8; bit < 32; bit++) {
        const uint32_t at = UINT32_C(1) << bit;
        const perfsat_state s = {.state = PERFSAT_MEASURE, .limit = 4, .nmax = 8, .period = at - 16};

        load_before(b, &s);
        cycle(b);
        assert_int_equal(state(b)->period, at);
        cycles(b, 1);
    }
    start_kernel(b, 8);
    assert_int_equal(state(b)->period, 0);
    cycles(b, 1);
    /* The brim: to the last value, and no further. */
    load_before(b, &(perfsat_state){.state = PERFSAT_MEASURE, .limit = 4, .nmax = 8, .period = UINT32_MAX - 40});
    cycles(b, 8);
    assert_int_equal(state(b)->period, UINT32_MAX);
    start_kernel(b, 8);
    cycles(b, 1);
}

/* ---- the log ------------------------------------------------------------------------- */

static void log_of_a_start(bench *b)
{
    b->told = 9;
    b->in.kernel_start = 1;
    b->in.nmax = 6;
    expect_decision(b, "perfsat PS-5 kernel_start: nmax=6 | limit=0 state=StWait | limit=3 state=StWait",
                    "kernel start: Nmax 6, limit 3, StWait");
    assert_int_equal(b->told, 0);
    b->in.kernel_start = 0;
    launch_cta(b, 0);
    cycles(b, ONE_TB - 1);
    b->in.cta_done = 1;
    expect_decision(b, "perfsat PS-6 first_cta: one_tb=40 nmax=6 | limit=3 state=StMeasure | limit=3 state=StFirst period=240",
                    "first CTA done: One_TB 40, sample period 240 cycles, StFirst");
    b->in.cta_done = 0;
    cycles(b, 239);
    b->in.ps_class = PS_PIPELINE; /* the last cycle counts */
    expect_decision(b, "perfsat PS-8 sample: sample=1 stalled=1 row=0 | limit=3 state=StFirst history=0 direction=0 toggles=0"
                                " | limit=4 state=StWeakInc history=0 direction=0 toggles=0",
                    "sample 1: stalled 1, limit 3 -> 4, StWeakInc");
}

/* The last cycle of a sample: what was before it, and what the table of doc/blocks/perfsat.md makes of it. Nmax is 8. */
typedef struct row_case {
    const char *variant;
    perfsat_state before;
    uint32_t stalled; /* against 50 */
    const char *record; /* behind "previous=50 " */
} row_case;

#define FROM(state_, limit_, h, d, t) \
    {.state = PERFSAT_##state_, .limit = (limit_), .history = (h), .direction = (d), .toggles = (t), \
     .prev = 50, .nmax = 8, .period = 99, .timer = 1}
#define SHOWN(state, limit, h, d, t) "limit=" #limit " state=" #state " history=" #h " direction=" #d " toggles=" #t

static const row_case rows[] = {
    {"perfsat", FROM(WEAK_INC, 5, 0, 0, 0), 49, "PS-9 row=1 | " SHOWN(StWeakInc, 5, 0, 0, 0) " | " SHOWN(StWeakInc, 5, 1, 0, 0)},
    {"perfsat", FROM(WEAK_INC, 5, 0, 0, 0), 50, "PS-10 row=2 | " SHOWN(StWeakInc, 5, 0, 0, 0) " | " SHOWN(StWeakDec, 4, 0, 0, 1)},
    {"perfsat", FROM(WEAK_INC, 5, 0, 0, 3), 51, "PS-12 row=2 | " SHOWN(StWeakInc, 5, 0, 0, 3) " | " SHOWN(StDone, 5, 0, 0, 3)},
    {"perfsat", FROM(WEAK_INC, 5, 1, 0, 1), 49, "PS-11 row=3 | " SHOWN(StWeakInc, 5, 1, 0, 1) " | " SHOWN(StStrongInc, 6, 0, 1, 0)},
    {"perfsat", FROM(WEAK_INC, 8, 1, 0, 1), 49, "PS-17 row=3 | " SHOWN(StWeakInc, 8, 1, 0, 1) " | " SHOWN(StDone, 8, 0, 1, 0)},
    {"perfsat", FROM(WEAK_INC, 5, 1, 0, 1), 51, "PS-11 row=4 | " SHOWN(StWeakInc, 5, 1, 0, 1) " | " SHOWN(StWeakInc, 5, 0, 0, 1)},
    {"perfsat_revert", FROM(WEAK_INC, 5, 1, 0, 3), 51, "PS-12 row=4 | " SHOWN(StWeakInc, 5, 1, 0, 3) " | " SHOWN(StDone, 5, 1, 0, 3)},
    {"perfsat", FROM(WEAK_DEC, 4, 0, 0, 1), 49, "PS-11 row=5 | " SHOWN(StWeakDec, 4, 0, 0, 1) " | " SHOWN(StStrongDec, 3, 0, 1, 0)},
    {"perfsat", FROM(WEAK_DEC, 1, 0, 0, 1), 49, "PS-17 row=5 | " SHOWN(StWeakDec, 1, 0, 0, 1) " | " SHOWN(StDone, 1, 0, 1, 0)},
    {"perfsat_wd2", FROM(WEAK_DEC, 4, 0, 0, 1), 49, "PS-11 row=5a | " SHOWN(StWeakDec, 4, 0, 0, 1) " | " SHOWN(StWeakDec, 4, 1, 0, 1)},
    {"perfsat_wd2", FROM(WEAK_DEC, 4, 1, 0, 1), 49, "PS-11 row=5 | " SHOWN(StWeakDec, 4, 1, 0, 1) " | " SHOWN(StStrongDec, 3, 0, 1, 0)},
    {"perfsat", FROM(WEAK_DEC, 4, 0, 0, 1), 51, "PS-12 row=6 | " SHOWN(StWeakDec, 4, 0, 0, 1) " | " SHOWN(StWeakInc, 5, 0, 0, 2)},
    {"perfsat_wd2", FROM(WEAK_DEC, 4, 1, 0, 1), 51, "PS-11 row=6a | " SHOWN(StWeakDec, 4, 1, 0, 1) " | " SHOWN(StWeakDec, 4, 0, 0, 1)},
    {"perfsat_limit1", FROM(WEAK_DEC, 4, 1, 0, 0), 51, "PS-11 row=6a | " SHOWN(StWeakDec, 4, 1, 0, 0) " | " SHOWN(StWeakInc, 5, 0, 0, 1)},
    {"perfsat", FROM(STRONG_INC, 6, 0, 1, 0), 49, "PS-13 row=8 | " SHOWN(StStrongInc, 6, 0, 1, 0) " | " SHOWN(StStrongInc, 7, 0, 1, 0)},
    {"perfsat", FROM(STRONG_INC, 8, 0, 1, 0), 49, "PS-17 row=8 | " SHOWN(StStrongInc, 8, 0, 1, 0) " | " SHOWN(StDone, 8, 0, 1, 0)},
    {"perfsat", FROM(STRONG_INC, 6, 0, 1, 0), 51, "PS-14 row=9 | " SHOWN(StStrongInc, 6, 0, 1, 0) " | " SHOWN(StWeakInc, 6, 0, 1, 1)},
    {"perfsat", FROM(STRONG_INC, 6, 0, 1, 3), 51, "PS-16 row=9 | " SHOWN(StStrongInc, 6, 0, 1, 3) " | " SHOWN(StDone, 5, 0, 1, 3)},
    {"perfsat", FROM(WEAK_INC, 6, 0, 1, 1), 51, "PS-15 row=10 | " SHOWN(StWeakInc, 6, 0, 1, 1) " | " SHOWN(StDone, 5, 0, 1, 1)},
    {"perfsat", FROM(WEAK_INC, 6, 0, 1, 1), 49, "PS-16 row=11 | " SHOWN(StWeakInc, 6, 0, 1, 1) " | " SHOWN(StStrongInc, 6, 0, 1, 2)},
    {"perfsat", FROM(WEAK_INC, 6, 0, 1, 3), 49, "PS-16 row=11 | " SHOWN(StWeakInc, 6, 0, 1, 3) " | " SHOWN(StDone, 5, 0, 1, 3)},
    {"perfsat_inc", FROM(WEAK_INC, 6, 0, 1, 1), 49, "PS-16 row=11a | " SHOWN(StWeakInc, 6, 0, 1, 1) " | " SHOWN(StStrongInc, 7, 0, 1, 2)},
    {"perfsat_inc", FROM(WEAK_INC, 8, 0, 1, 1), 49, "PS-17 row=11a | " SHOWN(StWeakInc, 8, 0, 1, 1) " | " SHOWN(StDone, 8, 0, 1, 2)},
    {"perfsat_inc", FROM(WEAK_INC, 8, 0, 1, 3), 49, "PS-16 row=11a | " SHOWN(StWeakInc, 8, 0, 1, 3) " | " SHOWN(StDone, 7, 0, 1, 3)},
    {"perfsat", FROM(STRONG_DEC, 3, 0, 1, 0), 49, "PS-13 row=13 | " SHOWN(StStrongDec, 3, 0, 1, 0) " | " SHOWN(StStrongDec, 2, 0, 1, 0)},
    {"perfsat", FROM(STRONG_DEC, 3, 0, 1, 0), 51, "PS-14 row=14 | " SHOWN(StStrongDec, 3, 0, 1, 0) " | " SHOWN(StWeakDec, 3, 0, 1, 1)},
    {"perfsat", FROM(WEAK_DEC, 3, 0, 1, 1), 51, "PS-15 row=15 | " SHOWN(StWeakDec, 3, 0, 1, 1) " | " SHOWN(StDone, 4, 0, 1, 1)},
    {"perfsat", FROM(WEAK_DEC, 3, 0, 1, 1), 49, "PS-16 row=16 | " SHOWN(StWeakDec, 3, 0, 1, 1) " | " SHOWN(StStrongDec, 3, 0, 1, 2)},
    {"perfsat_inc", FROM(WEAK_DEC, 3, 0, 1, 1), 49, "PS-16 row=16a | " SHOWN(StWeakDec, 3, 0, 1, 1) " | " SHOWN(StStrongDec, 2, 0, 1, 2)},
    {"perfsat_inc", FROM(WEAK_DEC, 1, 0, 1, 1), 49, "PS-17 row=16a | " SHOWN(StWeakDec, 1, 0, 1, 1) " | " SHOWN(StDone, 1, 0, 1, 2)},
    /* Equal samples are better or worse by Tie (PS-A2). */
    {"perfsat_tie0", FROM(WEAK_INC, 6, 0, 1, 1), 50, "PS-15 row=10 | " SHOWN(StWeakInc, 6, 0, 1, 1) " | " SHOWN(StDone, 5, 0, 1, 1)},
    {"perfsat_tie0", FROM(WEAK_DEC, 3, 0, 1, 3), 50, "PS-16 row=16 | " SHOWN(StWeakDec, 3, 0, 1, 3) " | " SHOWN(StDone, 4, 0, 1, 3)},
    {"perfsat_tie1", FROM(WEAK_INC, 6, 0, 1, 3), 50, "PS-16 row=11 | " SHOWN(StWeakInc, 6, 0, 1, 3) " | " SHOWN(StDone, 5, 0, 1, 3)},
    {"perfsat", FROM(WEAK_DEC, 3, 0, 1, 3), 50, "PS-15 row=15 | " SHOWN(StWeakDec, 3, 0, 1, 3) " | " SHOWN(StDone, 4, 0, 1, 3)},
};

/* "PS-9 row=1 | ..." to all that a record says. */
static const char *whole_record(const row_case *c, char *text, size_t size)
{
    const int rule = (int)strcspn(c->record, " ");

    snprintf(text, size, "perfsat %.*s sample: sample=5 stalled=%u previous=50%s", rule, c->record, c->stalled, c->record + rule);
    return text;
}

static void log_of_every_row(bench *b)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row_case *c = &rows[i];
        perfsat_state before = c->before;
        char record[512], words[128];

        before.stalled = c->stalled;
        reopen_bench(b, c->variant);
        load(b, &before);
        b->in.ps_class = PS_IDLE;
        b->told = 4;
        cycle(b);
        tell(b);
        assert_string_equal(told_record(0), whole_record(c, record, sizeof record));
        snprintf(words, sizeof words, "sample 5: stalled %u %c 50, limit %u -> %u, ", c->stalled,
                 c->stalled < 50 ? '<' : c->stalled > 50 ? '>' : '=', c->before.limit, state(b)->limit);
        assert_memory_equal(told_words(), words, strlen(words));
    }
}

/* Every state of the search that can be, at the end of a sample as often as not, with stall counts beside each other. */
static bool draw_step(step_fixture *f, void *registers, void *inputs)
{
    const perfsat_cfg *cfg = step_config(f);
    perfsat_state *s = registers;
    perfsat_in *in = inputs;

    s->nmax = (uint8_t)step_random(f, 9);
    s->state = (uint8_t)step_random(f, 8);
    step_draw(f, PORT_IN, in);
    in->enable = step_random(f, 8) != 0;
    in->kernel_start = step_random(f, 8) == 0;
    in->nmax = (uint8_t)step_random(f, 9);
    s->limit = (uint8_t)(s->nmax ? 1 + step_random(f, s->nmax) : 0);
    s->toggles = (uint8_t)step_random(f, cfg->toggle_limit + 1);
    s->history = (uint8_t)step_random(f, 2);
    s->direction = (uint8_t)step_random(f, 2);
    s->settled = (uint8_t)step_random(f, 2);
    /* PS-6: the period saturates; from a little below on. */
    s->period = (uint32_t)(step_random(f, 4) ? step_value(f, UINT32_MAX) : UINT32_MAX - step_random(f, 32));
    s->timer = (uint32_t)(step_random(f, 2) ? 1 : step_value(f, s->period));
    s->stalled = (uint32_t)(s->timer <= s->period ? step_value(f, s->period - s->timer) : 0);
    if (step_random(f, 8) == 0) /* all ones but one */
        s->stalled = UINT32_MAX ^ UINT32_C(1) << step_random(f, 32);
    s->prev = (uint32_t)(step_random(f, 2) ? step_near(f, s->stalled, s->period) : step_value(f, s->period));
    return !perfsat_violated(s, cfg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("disabled block holds still", "perfsat", disabled_block_holds_still),
        BOTH_SIDES("disabled block misses the CTA that finishes", "perfsat", disabled_block_measures_nothing),
        BOTH_SIDES("reset: registers zero, no limit, not done", "perfsat", reset_state),
        BOTH_SIDES("PS-4: N+1 is better iff it stalls less, strictly", "perfsat", ps4_strict_improvement),
        BOTH_SIDES("PS-4: pipeline stalls weigh as scoreboard stalls do", "perfsat", ps4_pipeline_against_scoreboard),
        BOTH_SIDES("PS-5: N0 is half of Nmax, rounded up, for every Nmax", "perfsat_slots32", ps5_initial_limit),
        BOTH_SIDES("PS-6: the period is One_TB x Nmax", "perfsat", ps6_period),
        BOTH_SIDES("PS-6: the first CTA to finish sets One_TB", "perfsat", ps6_first_of_several),
        BOTH_SIDES("PS-6: a CTA launched with the kernel start counts", "perfsat", ps6_launch_with_start),
        BOTH_SIDES("PS-6: CTAs of the previous kernel do not count", "perfsat", ps6_stale_cta),
        BOTH_SIDES("PS-6: the period saturates", "perfsat_narrow", ps6_saturates),
        BOTH_SIDES("PS-13: the limit rises to all slots and falls with a kernel", "perfsat", limit_of_all_slots),
        BOTH_SIDES("PS-6: the period carries through all bits", "perfsat", period_carries),
        BOTH_SIDES("PS-3: stalled cycles and timer carry through all bits", "perfsat", sample_counts_carry),
        BOTH_SIDES("PS-3: the longest sample, stalled throughout", "perfsat", longest_sample),
        BOTH_SIDES("PS-3: pipeline and scoreboard stalls count, idle does not", "perfsat", ps3_what_counts),
        BOTH_SIDES("PS-7: a sample is every cycle of the period", "perfsat", ps7_every_cycle_of_the_period),
        BOTH_SIDES("PS-A12: Settle 1 waits for active <= N", "perfsat_settle1", ps_a12_settle_at_most),
        BOTH_SIDES("PS-A12: Settle 2 waits for active = N", "perfsat_settle2", ps_a12_settle_exactly),
        BOTH_SIDES("PS-8: the first sample leads to N0+1, weak increase", "perfsat", ps8_first_sample),
        BOTH_SIDES("PS-9: better at N0+1 stays and sets H", "perfsat", ps9_better_sets_history),
        BOTH_SIDES("PS-10: worse at N0+1 turns to weak decrease", "perfsat", ps10_worse_turns),
        BOTH_SIDES("PS-11: two coherent decisions set D", "perfsat", ps11_two_coherent_decisions),
        BOTH_SIDES("PS-11: an incoherent sample resets H", "perfsat", ps11_incoherent_resets_history),
        BOTH_SIDES("PS-A5, PS-A6: WeakRevert turns, ToggleHist keeps the vote", "perfsat_revert", ps_a5_weak_revert),
        BOTH_SIDES("PS-A4: WdConfirm 2 needs two coherent samples", "perfsat_wd2", ps_a4_confirm_decrease),
        BOTH_SIDES("PS-12, PS-E5: the fourth turn ends the search at N0+1", "perfsat_slots16", ps12_too_many_turns),
        BOTH_SIDES("PS-12, PS-16: an even ToggleLimit ends on the turn forth", "perfsat_limit2", toggle_limit_even),
        BOTH_SIDES("PS-A7: TogglePairs counts round trips", "perfsat_pairs", ps_a7_pairs),
        BOTH_SIDES("PS-13: walks on while better", "perfsat_slots16", ps13_walks_while_better),
        BOTH_SIDES("PS-14: a worse sample is discarded, N holds", "perfsat_slots16", ps14_worse_is_discarded),
        BOTH_SIDES("PS-15: worse again ends at the limit before", "perfsat_slots16", ps15_worse_again_ends),
        BOTH_SIDES("PS-16, PS-E6: the fourth turn ends at the limit before", "perfsat_slots16", ps16_too_many_turns),
        BOTH_SIDES("PS-A9: RecoverN 1 moves on at once", "perfsat_inc", ps_a9_move_on_recovery),
        BOTH_SIDES("PS-17: 1 <= N <= Nmax", "perfsat_slots16", ps17_bounds),
        BOTH_SIDES("PS-18: a new kernel restarts the search, nothing else does", "perfsat_slots16", ps18_new_kernel_restarts),
        BOTH_SIDES("PS-18: a kernel start hides a sample's end", "perfsat", ps18_start_hides_sample_end),
        BOTH_SIDES("PS-E1: Nmax 15, optimum 12: 8 9 9 10 11 12 13 13", "perfsat_slots16", ps_e1),
        BOTH_SIDES("PS-E2, PS-E3: Nmax 4, optimum 4 and 3", "perfsat", ps_e2),
        BOTH_SIDES("PS-E7: plateau and flat kernel, Tie 2", "perfsat_slots16", ps_e7_tie2),
        BOTH_SIDES("PS-E7: plateau and flat kernel, Tie 0", "perfsat_tie0", ps_e7_tie0),
        BOTH_SIDES("PS-E7: plateau and flat kernel, Tie 1", "perfsat_tie1", ps_e7_tie1),
        BOTH_SIDES("PS-E8: samples to converge", "perfsat_slots16", ps_e8),
        BOTH_SIDES("PS-FSM: all 528 unimodal kernels reach their optimum", "perfsat_slots32", ps_fsm_all_unimodal),
        BOTH_SIDES("log: the start of a kernel, its first CTA, its first sample", "perfsat", log_of_a_start),
        BOTH_SIDES("log: every row of the table, by its rule", "perfsat", log_of_every_row),
        TWIN_STEPS("twins: one step from 200 000 states of the search", "perfsat", 0x95a7, 200000, draw_step),
    };
    return cmocka_run_group_tests_name("perfsat", tests, NULL, NULL);
}
