/* SPDX-License-Identifier: Apache-2.0
 *
 * Perf-Sat's rules, each on the model and on the RTL. A test feeds stalled-cycle counts, one
 * per sample, and looks at the limit, as the worked examples PS-E1..PS-E8 do.
 */
#include "sm/perfsat.h"

#define BENCH_BLOCK perfsat
#define BENCH_PREPARE
#define BENCH_KERNELS
#include "blocks/perfsat/bind.h"
#include "blocks/perfsat/invariant.h"
#include "engine/bench.h"
#include "engine/step_fixture.h"

enum { ONE_TB = 40 }; /* cycles; long enough for every stall count the tests use */

static void prepare(bench *b)
{
    b->in.ps_class = BALLAST_PS_ACTIVE;
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
        b->in.ps_class = length >= period - stalls ? (length & 1 ? BALLAST_PS_SCOREBOARD : BALLAST_PS_PIPELINE)
                                                   : (length & 1 ? BALLAST_PS_ACTIVE : BALLAST_PS_IDLE);
        cycle(b);
        length++;
    } while (!b->out.sample_end && length < 2 * period);
    b->in.ps_class = BALLAST_PS_ACTIVE;
    assert_true(b->out.sample_end);
    return length;
}

/* "33,32": a sample for each of the counts. */
static void samples(bench *b, const char *stalls)
{
    for (char *next = NULL; *stalls; stalls = *next ? next + 1 : next)
        sample(b, (uint32_t)strtoul(stalls, &next, 10));
}

/* Stalls for so many cycles of the sample, and none in the rest of it. */
static void stall_first(bench *b, unsigned n)
{
    cycles(b, n);
    b->in.ps_class = BALLAST_PS_ACTIVE;
    do
        cycle(b);
    while (!b->out.sample_end && state(b)->state != PERFSAT_DONE);
}

static void assert_done(bench *b, unsigned nopt)
{
    expect(b, "state_q=StDone limit_q=%u", nopt);
    cycle(b);
    expect(b, "done_o=1 limit_o=%u", nopt);
}

static const bench_word words[] = {
    {"launch", launch_cta, NULL},     {"finish", finish_cta, NULL}, {"measure", start_and_measure, NULL},
    {"samples", NULL, samples},       {"done", assert_done, NULL},  {"stall_first", stall_first, NULL},
    {NULL, NULL, NULL},
};

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
    for (; state(b)->state != PERFSAT_DONE && n < 100; n++)
        sample(b, unimodal(state(b)->limit, best));
    assert_done(b, best);
    return n;
}

/* ---- phase 1: measuring ---------------------------------------------------------- */

static void ps5_initial_limit(bench *b)
{
    for (unsigned nmax = 1; nmax <= 32; nmax++)
        play(b, "kernel=%u limit_q=%u cycle limit_o=%u", nmax, (nmax + 1) / 2, (nmax + 1) / 2);
}

/* Before the first block is dispatched nothing counts (PS-A13). */
static void ps6_period(bench *b)
{
    for (unsigned one_tb = 1; one_tb < 70; one_tb += 17) {
        play(b, "kernel=6 cycle=5 launch=3 cycle=%u finish=3 period_q=%u", one_tb - 1, one_tb * 6);
        assert_int_equal(sample(b, 0), one_tb * 6);
        assert_int_equal(sample(b, 0), one_tb * 6);
    }
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

/* PS-E7: stalls fall until 10 CTAs and stay flat from there, or are flat altogether; the limit by Tie. */
static void ps_e7(bench *b)
{
    static const unsigned falling[] = {10, 15, 10}, flat[] = {1, 15, 9};
    const unsigned tie = config(b)->tie;

    for (unsigned falls = 0; falls < 2; falls++) {
        start_and_measure(b, 15);
        for (unsigned i = 0; i < 60 && state(b)->state != PERFSAT_DONE; i++)
            sample(b, falls && state(b)->limit < 10 ? 100u - state(b)->limit : 90);
        assert_done(b, falls ? falling[tie] : flat[tie]);
    }
}

static void ps_e8(bench *b)
{
    static const struct { unsigned nmax, best, samples; } cases[] = {
        {15, 12, 8}, {8, 8, 6}, {8, 1, 6}, {16, 16, 10}, {16, 1, 10},
        {2, 1, 3},   {2, 2, 3}, {3, 1, 4}, {3, 3, 3},   {4, 4, 4},
        {4, 3, 5}}; /* PS-E2: C-strong; PS-E3: C-weak and MEM with two CTAs' memory requests */

    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (cases[i].nmax <= config(b)->num_slots)
            assert_int_equal(converge_on(b, cases[i].nmax, cases[i].best), cases[i].samples);
}

/* All 528 pairs of Nmax <= 32 and optimum reach the optimum, in 19 samples at most. */
static void ps_fsm_all_unimodal(bench *b)
{
    for (unsigned nmax = 1; nmax <= 32; nmax++)
        for (unsigned best = 1; best <= nmax; best++)
            assert_in_range(converge_on(b, nmax, best), 0, 19);
}

/* The clock-enable: whatever comes in, nothing moves, and the levels stay to be read. */
static void disabled_block_holds_still(bench *b)
{
    perfsat_state before;

    start_and_measure(b, 8);
    cycles(b, 50); /* amid a sample */
    before = *state(b);
    b->in.enable = 0;
    b->in.ps_class = BALLAST_PS_PIPELINE;
    for (unsigned i = 0; i < 2 * 8 * ONE_TB; i++) {
        b->in.kernel_start = i % 7 == 0;
        b->in.nmax = (uint8_t)(i % 9);
        b->in.cta_start = b->in.cta_done = i % 256;
        cycle(b);
        assert_memory_equal(state(b), &before, sizeof before);
        expect(b, "sample_end_o=0 limit_o=%u", before.limit);
    }
}

/* ---- counts at full width ------------------------------------------------------------ */

/* A bit of the stalled cycles comes by a carry, one of the timer goes with a borrow. No more stalled cycles than cycles: half
 * of the range is for either. */
static void sample_counts_carry(bench *b)
{
    for (unsigned bit = 8; bit < 31; bit++) {
        const uint32_t at = UINT32_C(1) << bit;

        play(b, "reset state_q:=StFirst limit_q:=4 nmax_q:=8 period_q:=0xffffffff timer_q:=%u stalled_q:=%u cycle timer_q=%u",
             at + 2, at - 2, at + 1);
        play(b, "ps_class_i=SCOREBOARD cycle=2 stalled_q=%u timer_q=%u cycle ps_class_i=ACTIVE", at, at - 1);
    }
}

static void period_carries(bench *b)
{
    for (unsigned bit = 8; bit < 32; bit++)
        play(b, "reset state_q:=StMeasure limit_q:=4 nmax_q:=8 period_q:=%u cycle cycle period_q=%u cycle", (1u << bit) - 16,
             1u << bit);
    play(b, "kernel=8 period_q=0 cycle "
            "reset state_q:=StMeasure limit_q:=4 nmax_q:=8 period_q:=%u " /* to the last value, and no further */
            "cycle=9 period_q=0xffffffff kernel=8 cycle", UINT32_MAX - 40);
}

/* ---- the log ------------------------------------------------------------------------- */

static void log_of_a_start(bench *b)
{
    static const bench_log rows[] = {
        {"kernel_start_i=1 nmax_i=6", "kernel start: Nmax 6, limit 3, StWait",
         {"perfsat PS-5 kernel_start: nmax=6 | limit=0 state=StWait | limit=3 state=StWait"}},
        {"kernel_start_i=0 launch=0 cycle=39 cta_done_i=1", "first CTA done: One_TB 40, sample period 240 cycles, StFirst",
         {"perfsat PS-6 first_cta: one_tb=40 nmax=6 | limit=3 state=StMeasure | limit=3 state=StFirst period=240"}},
        {"cta_done_i=0 cycle=239 ps_class_i=PIPELINE", "sample 1: stalled 1, limit 3 -> 4, StWeakInc", /* the last cycle counts */
         {"perfsat PS-8 sample: sample=1 stalled=1 row=0 | limit=3 state=StFirst history=0 direction=0 toggles=0"
          " | limit=4 state=StWeakInc history=0 direction=0 toggles=0"}},
    };

    b->told = 9; /* begins anew with the kernel */
    expect_log(b, rows);
}

/* The last cycle of a sample: what was before it, and what the table of doc/blocks/perfsat.md makes of it. Nmax is 8. */
typedef struct row_case {
    const char *variant;
    perfsat_state before;
    uint32_t stalled; /* against 50 */
    const char *rule, *row, *after;
} row_case;

#define FROM(state_, limit_, h, d, t) \
    {.state = PERFSAT_##state_, .limit = (limit_), .history = (h), .direction = (d), .toggles = (t), \
     .prev = 50, .nmax = 8, .period = 99, .timer = 1}
#define SHOWN(state, limit, h, d, t) "limit=" #limit " state=" #state " history=" #h " direction=" #d " toggles=" #t

static const row_case rows[] = {
    {"perfsat", FROM(WEAK_INC, 5, 0, 0, 0), 49, "PS-9", "1", SHOWN(StWeakInc, 5, 1, 0, 0)},
    {"perfsat", FROM(WEAK_INC, 5, 0, 0, 0), 50, "PS-10", "2", SHOWN(StWeakDec, 4, 0, 0, 1)},
    {"perfsat", FROM(WEAK_INC, 5, 0, 0, 3), 51, "PS-12", "2", SHOWN(StDone, 5, 0, 0, 3)},
    {"perfsat", FROM(WEAK_INC, 5, 1, 0, 1), 49, "PS-11", "3", SHOWN(StStrongInc, 6, 0, 1, 0)},
    {"perfsat", FROM(WEAK_INC, 8, 1, 0, 1), 49, "PS-17", "3", SHOWN(StDone, 8, 0, 1, 0)},
    {"perfsat", FROM(WEAK_INC, 5, 1, 0, 1), 51, "PS-11", "4", SHOWN(StWeakInc, 5, 0, 0, 1)},
    {"perfsat_revert", FROM(WEAK_INC, 5, 1, 0, 3), 51, "PS-12", "4", SHOWN(StDone, 5, 1, 0, 3)},
    {"perfsat", FROM(WEAK_DEC, 4, 0, 0, 1), 49, "PS-11", "5", SHOWN(StStrongDec, 3, 0, 1, 0)},
    {"perfsat", FROM(WEAK_DEC, 1, 0, 0, 1), 49, "PS-17", "5", SHOWN(StDone, 1, 0, 1, 0)},
    {"perfsat_wd2", FROM(WEAK_DEC, 4, 0, 0, 1), 49, "PS-11", "5a", SHOWN(StWeakDec, 4, 1, 0, 1)},
    {"perfsat_wd2", FROM(WEAK_DEC, 4, 1, 0, 1), 49, "PS-11", "5", SHOWN(StStrongDec, 3, 0, 1, 0)},
    {"perfsat", FROM(WEAK_DEC, 4, 0, 0, 1), 51, "PS-12", "6", SHOWN(StWeakInc, 5, 0, 0, 2)},
    {"perfsat_wd2", FROM(WEAK_DEC, 4, 1, 0, 1), 51, "PS-11", "6a", SHOWN(StWeakDec, 4, 0, 0, 1)},
    {"perfsat_limit1", FROM(WEAK_DEC, 4, 1, 0, 0), 51, "PS-11", "6a", SHOWN(StWeakInc, 5, 0, 0, 1)},
    {"perfsat", FROM(STRONG_INC, 6, 0, 1, 0), 49, "PS-13", "8", SHOWN(StStrongInc, 7, 0, 1, 0)},
    {"perfsat", FROM(STRONG_INC, 8, 0, 1, 0), 49, "PS-17", "8", SHOWN(StDone, 8, 0, 1, 0)},
    {"perfsat", FROM(STRONG_INC, 6, 0, 1, 0), 51, "PS-14", "9", SHOWN(StWeakInc, 6, 0, 1, 1)},
    {"perfsat", FROM(STRONG_INC, 6, 0, 1, 3), 51, "PS-16", "9", SHOWN(StDone, 5, 0, 1, 3)},
    {"perfsat", FROM(WEAK_INC, 6, 0, 1, 1), 51, "PS-15", "10", SHOWN(StDone, 5, 0, 1, 1)},
    {"perfsat", FROM(WEAK_INC, 6, 0, 1, 1), 49, "PS-16", "11", SHOWN(StStrongInc, 6, 0, 1, 2)},
    {"perfsat", FROM(WEAK_INC, 6, 0, 1, 3), 49, "PS-16", "11", SHOWN(StDone, 5, 0, 1, 3)},
    {"perfsat_inc", FROM(WEAK_INC, 6, 0, 1, 1), 49, "PS-16", "11a", SHOWN(StStrongInc, 7, 0, 1, 2)},
    {"perfsat_inc", FROM(WEAK_INC, 8, 0, 1, 1), 49, "PS-17", "11a", SHOWN(StDone, 8, 0, 1, 2)},
    {"perfsat_inc", FROM(WEAK_INC, 8, 0, 1, 3), 49, "PS-16", "11a", SHOWN(StDone, 7, 0, 1, 3)},
    {"perfsat", FROM(STRONG_DEC, 3, 0, 1, 0), 49, "PS-13", "13", SHOWN(StStrongDec, 2, 0, 1, 0)},
    {"perfsat", FROM(STRONG_DEC, 3, 0, 1, 0), 51, "PS-14", "14", SHOWN(StWeakDec, 3, 0, 1, 1)},
    {"perfsat", FROM(WEAK_DEC, 3, 0, 1, 1), 51, "PS-15", "15", SHOWN(StDone, 4, 0, 1, 1)},
    {"perfsat", FROM(WEAK_DEC, 3, 0, 1, 1), 49, "PS-16", "16", SHOWN(StStrongDec, 3, 0, 1, 2)},
    {"perfsat_inc", FROM(WEAK_DEC, 3, 0, 1, 1), 49, "PS-16", "16a", SHOWN(StStrongDec, 2, 0, 1, 2)},
    {"perfsat_inc", FROM(WEAK_DEC, 1, 0, 1, 1), 49, "PS-17", "16a", SHOWN(StDone, 1, 0, 1, 2)},
    /* Equal samples are better or worse by Tie (PS-A2). */
    {"perfsat_tie0", FROM(WEAK_INC, 6, 0, 1, 1), 50, "PS-15", "10", SHOWN(StDone, 5, 0, 1, 1)},
    {"perfsat_tie0", FROM(WEAK_DEC, 3, 0, 1, 3), 50, "PS-16", "16", SHOWN(StDone, 4, 0, 1, 3)},
    {"perfsat_tie1", FROM(WEAK_INC, 6, 0, 1, 3), 50, "PS-16", "11", SHOWN(StDone, 5, 0, 1, 3)},
    {"perfsat_tie1", FROM(WEAK_DEC, 3, 0, 1, 1), 50, "PS-16", "16", SHOWN(StStrongDec, 3, 0, 1, 2)},
    {"perfsat", FROM(WEAK_DEC, 3, 0, 1, 3), 50, "PS-15", "15", SHOWN(StDone, 4, 0, 1, 3)},
};

static void log_of_every_row(bench *b)
{
    for (const row_case *c = rows; c < rows + sizeof rows / sizeof rows[0]; c++) {
        perfsat_state before = c->before;
        char record[512], beginning[128];

        before.stalled = c->stalled;
        reopen_bench(b, c->variant);
        load(b, &before);
        b->in.ps_class = BALLAST_PS_IDLE;
        b->told = 4;
        cycle(b);
        tell(b);
        snprintf(record, sizeof record, "perfsat %s sample: sample=5 stalled=%u previous=50 row=%s | limit=%u state=%s history=%u"
                 " direction=%u toggles=%u | %s", c->rule, c->stalled, c->row, before.limit, perfsat_state_names[before.state],
                 before.history, before.direction, before.toggles, c->after);
        assert_string_equal(told_record(0), record);
        snprintf(beginning, sizeof beginning, "sample 5: stalled %u %c 50, limit %u -> %u, ", c->stalled,
                 c->stalled < 50 ? '<' : c->stalled > 50 ? '>' : '=', before.limit, state(b)->limit);
        assert_memory_equal(told_words(), beginning, strlen(beginning));
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

static const char *const bases[] = {"perfsat", "perfsat_slots16", NULL};
static const char *const ties[] = {"perfsat_slots16", "perfsat_tie0", "perfsat_tie1", NULL};

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("disabled block holds still", "perfsat", disabled_block_holds_still),
        /* One_TB goes on with the enable, without the cycles in between. */
        SCRIPT("disabled block misses the CTA that finishes", "perfsat",
               "kernel=4 launch=0 cycle=10 enable_i=0 finish=0 cycle=20 state_q=StMeasure period_q=40 "
               "enable_i=1 finish=1 state_q=StFirst period_q=44"),
        SCRIPT("reset: registers zero, no limit, not done", "perfsat",
               "state_q=StWait limit_q=0 nmax_q=0 history_q=0 direction_q=0 toggles_q=0 period_q=0 timer_q=0 stalled_q=0 "
               "prev_q=0 settled_q=0 cycle limit_o=0 done_o=0"),
        SCRIPT("PS-4: N+1 is better iff it stalls less, strictly", "perfsat",
               "measure=6 samples=50,48 state_q=StWeakInc "
               "measure=6 samples=50,49 state_q=StWeakInc "
               "measure=6 samples=50,50 state_q=StWeakDec "
               "measure=6 samples=50,51 state_q=StWeakDec "
               "measure=6 samples=50,52 state_q=StWeakDec"),
        /* Pipeline(N+1) - Pipeline(N) < Scoreboard(N) - Scoreboard(N+1): only the sum counts. */
        SCRIPT("PS-4: pipeline stalls weigh as scoreboard stalls do", "perfsat",
               "measure=6 ps_class_i=SCOREBOARD stall_first=60 ps_class_i=PIPELINE stall_first=59 "
               "state_q=StWeakInc limit_q=4 history_q=1 direction_q=0"),
        BOTH_SIDES("PS-5: N0 is half of Nmax, rounded up, for every Nmax", "perfsat_slots32", ps5_initial_limit),
        BOTH_SIDES("PS-6: the period is One_TB x Nmax", "perfsat", ps6_period),
        SCRIPT("PS-6: the first CTA to finish sets One_TB", "perfsat",
               "kernel=4 launch=0 launch=1 cycle=8 finish=1 period_q=40 " /* any CTA will do */
               "cycle=3 finish=0 period_q=40"),                           /* and only the first one counts */
        SCRIPT("PS-6: a CTA launched with the kernel start counts", "perfsat",
               "cta_start_i=1 kernel=4 cta_start_i=0 cycle=9 finish=0 period_q=40"),
        SCRIPT("PS-6: CTAs of the previous kernel do not count", "perfsat",
               "kernel=4 finish=2 state_q=StWait "
               "cta_done_i=1 kernel=4 state_q=StWait period_q=0"), /* nor one that finishes as the kernel starts */
        SCRIPT("PS-6: the period saturates", "perfsat_narrow",
               "kernel=8 launch=0 cycle=31 period_q=248 cycle period_q=255 " /* not 256 - 256 */
               "cycle=100 finish=0 period_q=255 samples=255 prev_q=255"),
        SCRIPT("PS-13: the limit rises to all slots and falls with a kernel", "perfsat",
               "state_q:=StStrongInc limit_q:=7 nmax_q:=8 direction_q:=1 period_q:=99 timer_q:=2 prev_q:=50 cycle=2 limit_q=8 "
               "cycle kernel=4 limit_q=2 cycle"),
        BOTH_SIDES("PS-6: the period carries through all bits", "perfsat", period_carries),
        BOTH_SIDES("PS-3: stalled cycles and timer carry through all bits", "perfsat", sample_counts_carry),
        /* Bit 31, and all bits at once: a sample that is as long as counts allow. */
        SCRIPT("PS-3: the longest sample, stalled throughout", "perfsat",
               "state_q:=StFirst limit_q:=4 nmax_q:=8 period_q:=0xffffffff timer_q:=0x80000001 stalled_q:=0x7ffffffd cycle "
               "ps_class_i=PIPELINE cycle=2 timer_q=0x7ffffffe "
               "timer_q:=3 stalled_q:=0x7ffffffe cycle=2 stalled_q=0x80000000 "
               "cycle state_q=StWeakInc prev_q=0x80000001 timer_q=0xffffffff cycle "
               "state_q:=StFirst limit_q:=4 timer_q:=3 stalled_q:=0xfffffffc cycle=3 prev_q=0xffffffff cycle "
               /* One worse than nothing: the search turns and takes the sample. */
               "reset state_q:=StWeakInc limit_q:=5 nmax_q:=8 history_q:=1 period_q:=0xffffffff timer_q:=2 "
               "prev_q:=0xfffffffe stalled_q:=0xfffffffd cycle ps_class_i=ACTIVE cycle=2 "
               /* A sample without a stall takes the place of one that had nothing else. */
               "reset state_q:=StStrongInc limit_q:=5 nmax_q:=8 direction_q:=1 period_q:=0xffffffff timer_q:=2 "
               "prev_q:=0xffffffff cycle=2 prev_q=0 cycle"),
        SCRIPT("PS-3: pipeline and scoreboard stalls count, idle does not", "perfsat",
               "measure=4 stalled_q=0 ps_class_i=IDLE cycle stalled_q=0 ps_class_i=SCOREBOARD cycle stalled_q=1 "
               "ps_class_i=PIPELINE cycle stalled_q=2 ps_class_i=ACTIVE cycle stalled_q=2"),
        SCRIPT("PS-7: a sample is every cycle of the period", "perfsat", /* first and last cycle of the sample count */
               "measure=4 ps_class_i=SCOREBOARD cycle=160 sample_end_o=1 prev_q=160 stalled_q=0"),
        SCRIPT("PS-A12: Settle 1 waits for active <= N", "perfsat_settle1", /* N = 2 */
               "measure=4 ps_class_i=SCOREBOARD cta_active_i=0x7 cycle=20 timer_q=160 stalled_q=0 "
               "cta_active_i=0x5 cycle timer_q=159 "              /* settled: this very cycle runs */
               "cta_active_i=0xf cycle timer_q=158 stalled_q=2"), /* and it stays so until the sample ends */
        SCRIPT("PS-A12: Settle 2 waits for active = N", "perfsat_settle2",
               "measure=4 cta_active_i=0x1 cycle=20 timer_q=160 cta_active_i=0xa cycle timer_q=159"),
        SCRIPT("PS-8: the first sample leads to N0+1, weak increase", "perfsat",
               "measure=6 samples=33 state_q=StWeakInc limit_q=4 history_q=0 direction_q=0 prev_q=33"),
        SCRIPT("PS-9: better at N0+1 stays and sets H", "perfsat",
               "measure=6 samples=33,32 state_q=StWeakInc limit_q=4 history_q=1 direction_q=0 prev_q=33"),
        SCRIPT("PS-10: worse at N0+1 turns to weak decrease", "perfsat",
               "measure=6 samples=33,34 state_q=StWeakDec limit_q=3 history_q=0 direction_q=0 prev_q=34 toggles_q=1"),
        SCRIPT("PS-11: two coherent decisions set D", "perfsat",
               "measure=8 samples=33,32,31 state_q=StStrongInc limit_q=6 history_q=0 direction_q=1 "
               "measure=8 samples=33,34,31 state_q=StStrongDec limit_q=3 history_q=0 direction_q=1"),
        SCRIPT("PS-11: an incoherent sample resets H", "perfsat",
               "measure=6 samples=33,32,34 state_q=StWeakInc limit_q=4 history_q=0 direction_q=0 prev_q=33 toggles_q=0"),
        SCRIPT("PS-A5, PS-A6: WeakRevert turns, ToggleHist keeps the vote", "perfsat_revert",
               "measure=6 samples=33,32,34 state_q=StWeakDec limit_q=3 history_q=0 direction_q=0 prev_q=34 "
               "samples=40 state_q=StWeakInc limit_q=4 history_q=1 direction_q=0"), /* PS-A6: the turn back is a vote, too */
        SCRIPT("PS-A4: WdConfirm 2 needs two coherent samples", "perfsat_wd2",
               "measure=8 samples=33,34,31 state_q=StWeakDec limit_q=4 history_q=1 direction_q=0 prev_q=34 "
               "samples=35 state_q=StWeakDec limit_q=4 history_q=0 direction_q=0 " /* incoherent: only H falls */
               "samples=30,29 state_q=StStrongDec limit_q=3 history_q=0 direction_q=1"),
        SCRIPT("PS-12, PS-E5: the fourth turn ends the search at N0+1", "perfsat_slots16",
               "measure=15 samples=110,120,130,140 state_q=StWeakDec limit_q=8 history_q=0 direction_q=0 toggles_q=3 "
               "samples=150 done=9"),
        /* With an even limit the search ends on a turn forth, not on a turn back. */
        SCRIPT("PS-12, PS-16: an even ToggleLimit ends on the turn forth", "perfsat_limit2",
               "measure=15 samples=110,120,130 state_q=StWeakInc limit_q=9 history_q=0 direction_q=0 samples=140 done=9 "
               "measure=15 samples=100,90,90,80,70,60,65,55 state_q=StStrongInc limit_q=13 history_q=0 direction_q=1 "
               "samples=65 done=12 " /* and the mirror: down to 6, where the turns use up the limit */
               "measure=15 samples=100,105,90,80,85,75 state_q=StStrongDec limit_q=6 history_q=0 direction_q=1 "
               "samples=85 done=7"),
        SCRIPT("PS-A7: TogglePairs counts round trips", "perfsat_pairs",
               "measure=15 samples=110,120,130,140,150,160,170 toggles_q=3 samples=180 state_q=StWeakDec samples=190 done=9"),
        SCRIPT("PS-13: walks on while better", "perfsat_slots16",
               "measure=16 samples=100,95,90,80,70 state_q=StStrongInc limit_q=12 history_q=0 direction_q=1 prev_q=70 "
               "measure=16 samples=100,105,90,80,70 state_q=StStrongDec limit_q=5 history_q=0 direction_q=1"),
        SCRIPT("PS-14: a worse sample is discarded, N holds", "perfsat_slots16",
               "measure=16 samples=100,95,90,80,85 state_q=StWeakInc limit_q=11 history_q=0 direction_q=1 prev_q=80"),
        SCRIPT("PS-15: worse again ends at the limit before", "perfsat_slots16",
               "measure=16 samples=100,95,90,80,85,81 done=10 "
               "measure=16 samples=100,105,90,80,85,81 done=7"), /* mirror: 8, 9, 8, 7, 6 and back to 7 */
        SCRIPT("PS-16, PS-E6: the fourth turn ends at the limit before", "perfsat_slots16",
               "measure=15 samples=100,90,90,80,70,60 state_q=StStrongInc limit_q=13 history_q=0 direction_q=1 "
               "samples=65,55,65 state_q=StWeakInc limit_q=13 history_q=0 direction_q=1 samples=55 done=12"),
        SCRIPT("PS-A9: RecoverN 1 moves on at once", "perfsat_inc", /* PS-E6 drifts to 13 */
               "measure=15 samples=100,90,90,80,70,60,65,55 state_q=StStrongInc limit_q=14 history_q=0 direction_q=1 "
               "samples=65,54 done=13"),
        SCRIPT("PS-17: one CTA is all there can be", "perfsat_slots16", "kernel=1 done=1"),
        SCRIPT("PS-18: a new kernel restarts the search, nothing else does", "perfsat_slots16",
               "measure=15 samples=110,120,130,140,150 done=9 cycle=1000 done=9 " /* no re-detection on its own */
               "kernel=6 state_q=StWait limit_q=3 history_q=0 direction_q=0 period_q=0 "
               "measure=9 samples=20,19 kernel=4 " /* in the middle of a search, too */
               "state_q=StWait limit_q=2 history_q=0 direction_q=0 toggles_q=0"),
        SCRIPT("PS-18: a kernel start hides a sample's end", "perfsat",
               "measure=4 cycle=159 kernel=4 sample_end_o=0 state_q=StWait limit_q=2 history_q=0 direction_q=0"),
        BOTH_SIDES("PS-E1: Nmax 15, optimum 12: 8 9 9 10 11 12 13 13", "perfsat_slots16", ps_e1),
        EACH_VARIANT("PS-E7: plateau and flat kernel, by Tie", ties, ps_e7),
        EACH_VARIANT("PS-17, PS-E2, PS-E3, PS-E8: samples to converge", bases, ps_e8),
        BOTH_SIDES("PS-FSM: all 528 unimodal kernels reach their optimum", "perfsat_slots32", ps_fsm_all_unimodal),
        BOTH_SIDES("log: the start of a kernel, its first CTA, its first sample", "perfsat", log_of_a_start),
        BOTH_SIDES("log: every row of the table, by its rule", "perfsat", log_of_every_row),
        TWIN_STEPS("twins: one step from 200 000 states of the search", "perfsat", 0x95a7, 200000, draw_step),
    };
    return cmocka_run_group_tests_name("perfsat", tests, NULL, NULL);
}
