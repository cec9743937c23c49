/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of DYNCTA as the papers tell them, each on the model and on the RTL. A test says how
 * many cycles of a sampling period are idle or wait for memory and looks at the limit.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "blocks/dyncta/invariant.h"
#include "engine/decision_fixture.h"
#include "engine/dut.h"
#include "engine/random.h"
#include "engine/sides.h"
#include "engine/step_fixture.h"
#include "sm/dyncta.h"
#include "sm/stall_classifier.h"

enum { T_IDLE = 16, T_MEM_L = 128, T_MEM_H = 384 };

typedef struct bench {
    dut dut;
    dyncta_in in;
    dyncta_out out;
} bench;

static const dyncta_state *state(const bench *b)
{
    return (const dyncta_state *)(const void *)&b->dut.state;
}

static uint32_t period_of(const bench *b)
{
    return ((const dyncta_cfg *)(const void *)&b->dut.cfg)->period;
}

static unsigned slots_of(const bench *b)
{
    return ((const dyncta_cfg *)(const void *)&b->dut.cfg)->num_slots;
}

static void set_defaults(dyncta_in *in)
{
    memset(in, 0, sizeof *in);
    in->enable = 1;
    in->t_idle = T_IDLE;
    in->t_mem_l = T_MEM_L;
    in->t_mem_h = T_MEM_H;
    in->lcs_class = LCS_ACTIVE;
}

static void open_bench(bench *b, const char *name, void **test)
{
    memset(b, 0, sizeof *b);
    assert_true(dut_open(&b->dut, name, side_of(test)));
    set_defaults(&b->in);
}

static void cycle(bench *b)
{
    dut_cycle(&b->dut, &b->in, &b->out);
}

static void start_kernel(bench *b, unsigned nmax)
{
    b->in.kernel_start = 1;
    b->in.nmax = (uint8_t)nmax;
    cycle(b);
    b->in.kernel_start = 0;
    b->in.nmax = 0;
}

/* What the n-th cycle of a period is: first idle, then memory, then work and core stalls. */
static uint8_t class_of(uint32_t n, uint32_t idle, uint32_t mem)
{
    return n < idle ? LCS_IDLE : n < idle + mem ? LCS_MEM_STALL : n & 1 ? LCS_ACTIVE : LCS_CORE_STALL;
}

/* One sampling period. Returns the limit after it. */
static unsigned sample(bench *b, uint32_t idle, uint32_t mem)
{
    const uint32_t period = period_of(b);
    const unsigned limit = state(b)->limit;

    assert_true(idle + mem <= period);
    assert_int_equal(state(b)->timer, 0);
    for (uint32_t n = 0; n < period; n++) {
        b->in.lcs_class = class_of(n, idle, mem);
        cycle(b);
        assert_int_equal(b->out.sample_end, n == period - 1);
        assert_int_equal(b->out.limit, limit);
    }
    b->in.lcs_class = LCS_ACTIVE;
    assert_int_equal(state(b)->timer, 0);
    assert_int_equal(state(b)->idle, 0);
    assert_int_equal(state(b)->mem, 0);
    return state(b)->limit;
}

/* Sets the limit that a test starts from, within a kernel. */
static void set_limit(bench *b, unsigned limit)
{
    dyncta_state s = *state(b);

    s.limit = (uint8_t)limit;
    dut_load(&b->dut, &s);
}

/* The change of the limit after a period, from the middle. */
static int step(bench *b, uint32_t idle, uint32_t mem)
{
    set_limit(b, 5);
    return (int)sample(b, idle, mem) - 5;
}

#define assert_counts(b, t, i, m)                   \
    do {                                            \
        assert_int_equal(state(b)->timer, t);       \
        assert_int_equal(state(b)->idle, i);        \
        assert_int_equal(state(b)->mem, m);         \
    } while (0)

static void reset_state(void **t)
{
    bench b;
    open_bench(&b, "dyncta", t);
    b.in.lcs_class = LCS_IDLE;
    for (unsigned i = 0; i < 5000; i++) { /* no kernel: nothing counts, no sample ends */
        assert_counts(&b, 0, 0, 0);
        assert_int_equal(state(&b)->limit, 0);
        assert_int_equal(state(&b)->nmax, 0);
        cycle(&b);
        assert_int_equal(b.out.limit, 0);
        assert_int_equal(b.out.sample_end, 0);
    }
    dut_close(&b.dut);
}

static void dyn1_initial_limit(void **t)
{
    bench b;
    open_bench(&b, "dyncta_short", t);
    for (unsigned nmax = 0; nmax <= 32; nmax++) {
        const unsigned half = nmax / 2 > 0 ? nmax / 2 : nmax;

        start_kernel(&b, nmax);
        assert_int_equal(state(&b)->limit, half);
        assert_int_equal(state(&b)->nmax, nmax);
        cycle(&b);
        assert_int_equal(b.out.limit, half);
    }
    dut_close(&b.dut);
}

static void dyn2_period(void **t, const char *name)
{
    bench b;
    open_bench(&b, name, t);
    start_kernel(&b, slots_of(&b));
    for (unsigned i = 0; i < 3; i++)
        sample(&b, 5, 7); /* looks at every cycle */
    dut_close(&b.dut);
}

static void dyn2_period_default(void **t) { dyn2_period(t, "dyncta"); }
static void dyn2_period_short(void **t) { dyn2_period(t, "dyncta_short"); }
static void dyn2_period_one(void **t) { dyn2_period(t, "dyncta_one"); }

static void dyn2_what_counts(void **t)
{
    static const uint8_t classes[] = {LCS_MEM_STALL, LCS_IDLE, LCS_CORE_STALL, LCS_ACTIVE, LCS_IDLE};
    bench b;
    open_bench(&b, "dyncta", t);
    b.in.lcs_class = LCS_IDLE; /* the cycle of the kernel start is not counted */
    start_kernel(&b, 8);
    assert_counts(&b, 0, 0, 0);
    for (unsigned i = 0; i < 5; i++) {
        b.in.lcs_class = classes[i];
        cycle(&b);
    }
    assert_counts(&b, 5, 2, 1);
    dut_close(&b.dut);
}

static void dyn2_idle(void **t)
{
    bench b;
    open_bench(&b, "dyncta", t);
    start_kernel(&b, 8);
    assert_int_equal(step(&b, T_IDLE, 200), 0); /* at the threshold is not above it */
    assert_int_equal(step(&b, T_IDLE + 1, 200), +1);
    assert_int_equal(step(&b, T_IDLE, T_MEM_H + 1), -1);
    assert_int_equal(step(&b, T_IDLE + 1, T_MEM_H + 1), +1); /* and idle comes first */
    assert_int_equal(step(&b, period_of(&b), 0), +1);
    dut_close(&b.dut);
}

static void dyn2_memory(void **t)
{
    bench b;
    open_bench(&b, "dyncta", t);
    start_kernel(&b, 8);
    assert_int_equal(step(&b, 0, 0), +1);
    assert_int_equal(step(&b, 0, T_MEM_L - 1), +1);
    assert_int_equal(step(&b, 0, T_MEM_L), 0);
    assert_int_equal(step(&b, 0, T_MEM_L + 1), 0);
    assert_int_equal(step(&b, 0, T_MEM_H - 1), 0);
    assert_int_equal(step(&b, 0, T_MEM_H), 0);
    assert_int_equal(step(&b, 0, T_MEM_H + 1), -1);
    assert_int_equal(step(&b, 0, period_of(&b)), -1);
    dut_close(&b.dut);
}

/* Perf-Sat's description: one threshold t2. */
static void dyn2_one_threshold(void **t)
{
    bench b;
    open_bench(&b, "dyncta_short", t);
    start_kernel(&b, 8);
    b.in.t_mem_l = b.in.t_mem_h = 100;
    assert_int_equal(step(&b, 0, 99), +1);
    assert_int_equal(step(&b, 0, 100), 0);
    assert_int_equal(step(&b, 0, 101), -1);
    dut_close(&b.dut);
}

static void dyn2_extreme_thresholds(void **t)
{
    bench b;
    open_bench(&b, "dyncta_short", t);
    start_kernel(&b, 8);
    b.in.t_idle = b.in.t_mem_l = b.in.t_mem_h = 0;
    assert_int_equal(step(&b, 1, 0), +1);
    assert_int_equal(step(&b, 0, 0), 0);
    assert_int_equal(step(&b, 0, 1), -1);
    b.in.t_idle = b.in.t_mem_l = b.in.t_mem_h = period_of(&b);
    assert_int_equal(step(&b, period_of(&b), 0), +1); /* few memory cycles, not many idle ones */
    assert_int_equal(step(&b, 0, period_of(&b)), 0);
    b.in.t_idle = b.in.t_mem_l = b.in.t_mem_h = 511; /* all that the port holds */
    assert_int_equal(step(&b, 0, period_of(&b)), +1);
    b.in.t_mem_l = 300; /* crossed: few comes before many */
    b.in.t_mem_h = 100;
    assert_int_equal(step(&b, 0, 200), +1);
    assert_int_equal(step(&b, 0, 300), -1);
    dut_close(&b.dut);
}

/* Only the last cycle of a period reads them. */
static void dyn2_thresholds_at_run_time(void **t)
{
    bench b;
    open_bench(&b, "dyncta_short", t);
    start_kernel(&b, 8);
    set_limit(&b, 5);
    for (uint32_t n = 0; n < period_of(&b); n++) {
        const bool last = n == period_of(&b) - 1;

        b.in.t_idle = last ? 200 : 0;
        b.in.t_mem_l = last ? 50 : 400;
        b.in.t_mem_h = last ? 99 : 400;
        b.in.lcs_class = class_of(n, 200, 100);
        cycle(&b);
        if (!last)
            assert_int_equal(state(&b)->limit, 5);
    }
    assert_int_equal(state(&b)->limit, 4);
    dut_close(&b.dut);
}

/* The last cycle of a period belongs to it, whatever its class. */
static void dyn2_last_cycle_counts(void **t)
{
    bench b;
    open_bench(&b, "dyncta_short", t);
    start_kernel(&b, 8);
    for (unsigned last = LCS_IDLE; last <= LCS_ACTIVE; last++) {
        set_limit(&b, 5);
        for (uint32_t n = 0; n < period_of(&b) - 1; n++) {
            b.in.lcs_class = class_of(n, T_IDLE, T_MEM_H - 100);
            b.in.t_mem_h = T_MEM_H - 100;
            cycle(&b);
        }
        assert_counts(&b, period_of(&b) - 1, T_IDLE, T_MEM_H - 100);
        b.in.lcs_class = (uint8_t)last;
        cycle(&b);
        assert_int_equal(b.out.sample_end, 1);
        assert_int_equal(state(&b)->limit, last == LCS_IDLE ? 6 : last == LCS_MEM_STALL ? 4 : 5);
        assert_counts(&b, 0, 0, 0);
    }
    dut_close(&b.dut);
}

static void dyn3_one_per_period(void **t)
{
    bench b;
    open_bench(&b, "dyncta_short", t);
    start_kernel(&b, 31);
    for (unsigned limit = 16; limit <= 31; limit++)
        assert_int_equal(sample(&b, 100, 0), limit);
    assert_int_equal(sample(&b, 100, 0), 31); /* not beyond Nmax ... */
    assert_int_equal(sample(&b, 0, 0), 31);
    for (unsigned limit = 30; limit >= 1; limit--)
        assert_int_equal(sample(&b, 0, 399), limit);
    assert_int_equal(sample(&b, 0, 399), 1); /* ... and not below one */
    for (unsigned i = 0; i < 10; i++) { /* to and fro, for ever */
        assert_int_equal(sample(&b, 17, 0), 2);
        assert_int_equal(sample(&b, 0, 399), 1);
    }
    dut_close(&b.dut);
}

static void dyn3_single_cta(void **t)
{
    bench b;
    open_bench(&b, "dyncta_one", t);
    start_kernel(&b, 1);
    assert_int_equal(sample(&b, 100, 0), 1);
    assert_int_equal(sample(&b, 0, 500), 1);
    start_kernel(&b, 0);
    for (unsigned i = 0; i < 2000; i++) {
        b.in.lcs_class = i & 3;
        cycle(&b);
        assert_int_equal(b.out.sample_end, 0);
        assert_int_equal(b.out.limit, 0);
        assert_counts(&b, 0, 0, 0);
    }
    dut_close(&b.dut);
}

/* From the warps, through stall_classifier: waiting for memory is told from idling and from
 * waiting for the SM's own pipelines. */
static void dyn4_classes_from_the_bus(void **t)
{
    static const struct { enum warp_state warps; unsigned idle, mem; } cases[] = {
        {WARP_BARRIER, 1, 0}, {WARP_NO_INST, 1, 0}, {WARP_WAIT_MEM, 0, 1}, {WARP_WAIT_ALU, 0, 0},
        {WARP_MEM_BLOCKED, 0, 0}, {WARP_ISSUED_MEM, 0, 0}};
    const stall_classifier_cfg classifier = stall_classifier_cfg_default();
    stall_classifier_out classes = {.lcs_class = LCS_ACTIVE};
    const void *const needs[] = {&classes};
    sm_obs obs;
    const sm_obs *const buses[] = {&obs};
    bench b;
    open_bench(&b, "dyncta", t);
    memset(&obs, 0, sizeof obs);
    obs.kernel_start = 1;
    obs.kernel.nmax = 6;
    b.dut.block->model->bind(&b.in, &b.dut.cfg, buses, needs);
    cycle(&b);
    assert_int_equal(state(&b)->limit, 3);
    obs.kernel_start = 0;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const dyncta_state before = *state(&b);
        stall_classifier_state nothing;
        stall_classifier_in warps;

        for (unsigned warp = 0; warp < 48; warp++)
            sm_obs_set_warp_state(&obs, warp, cases[i].warps);
        warps = (stall_classifier_in){obs.ws[0], obs.ws[1], obs.ws[2], obs.ws[3], 0};
        stall_classifier_reset(&nothing, &classifier);
        stall_classifier_step(&nothing, &classifier, &warps, &classes);
        b.dut.block->model->bind(&b.in, &b.dut.cfg, buses, needs);
        cycle(&b);
        assert_int_equal(state(&b)->idle, before.idle + cases[i].idle);
        assert_int_equal(state(&b)->mem, before.mem + cases[i].mem);
        assert_int_equal(b.in.t_mem_h, T_MEM_H); /* settings stay as they were */
    }
    dut_close(&b.dut);
}

static void kernel_start_wins(void **t)
{
    bench b;
    open_bench(&b, "dyncta_short", t);
    for (uint32_t when = 0; when <= period_of(&b) - 1; when += when < 3 || when >= 395 ? 1 : 49) {
        start_kernel(&b, 20);
        b.in.lcs_class = LCS_IDLE;
        for (uint32_t n = 0; n < when; n++)
            cycle(&b);
        assert_counts(&b, when, when, 0);
        start_kernel(&b, 9); /* also in the cycle that would close the period */
        assert_int_equal(b.out.sample_end, 0);
        assert_int_equal(b.out.limit, 10);
        assert_counts(&b, 0, 0, 0);
        assert_int_equal(state(&b)->limit, 4);
        assert_int_equal(state(&b)->nmax, 9);
    }
    assert_int_equal(sample(&b, 0, 0), 5); /* a whole period from then on */
    start_kernel(&b, 7);
    start_kernel(&b, 12); /* one after the other */
    assert_int_equal(sample(&b, 0, 0), 7);
    dut_close(&b.dut);
}

static void enable_holds(void **t)
{
    bench b;
    open_bench(&b, "dyncta_short", t);
    b.in.enable = 0;
    start_kernel(&b, 8); /* ignored, too */
    assert_int_equal(state(&b)->nmax, 0);
    assert_int_equal(state(&b)->limit, 0);
    b.in.enable = 1;
    start_kernel(&b, 8);
    for (uint32_t n = 0; n < period_of(&b); n++) {
        dyncta_state before;

        b.in.lcs_class = class_of(n, 17, 30);
        if (n % 7 == 0 || n == period_of(&b) - 1) {
            before = *state(&b);
            b.in.enable = 0;
            for (unsigned i = 0; i < 8; i++) {
                b.in.kernel_start = i & 1;
                b.in.nmax = 5;
                b.in.lcs_class = i >> 1;
                cycle(&b);
                assert_int_equal(b.out.sample_end, 0);
                assert_int_equal(b.out.limit, before.limit);
                assert_counts(&b, before.timer, before.idle, before.mem);
                assert_int_equal(state(&b)->limit, before.limit);
                assert_int_equal(state(&b)->nmax, before.nmax);
            }
            set_defaults(&b.in);
            b.in.lcs_class = class_of(n, 17, 30);
        }
        cycle(&b);
        assert_int_equal(b.out.sample_end, n == period_of(&b) - 1);
    }
    assert_int_equal(state(&b)->limit, 5);
    dut_close(&b.dut);
}

static void expect_decision(bench *b, const char *record, const char *words)
{
    static unsigned count;
    const dyncta_state before = *state(b);

    cycle(b);
    tell(&b->dut, &count, &before, &b->in, &b->out);
    expect_told(record, words);
}

/* A period but for its last cycle. */
static void almost_sample(bench *b, uint32_t idle, uint32_t mem)
{
    for (uint32_t n = 0; n < period_of(b) - 1; n++) {
        b->in.lcs_class = class_of(n, idle, mem);
        cycle(b);
    }
}

static void log_of_decisions(void **t)
{
    bench b;
    open_bench(&b, "dyncta", t);
    b.in.kernel_start = 1;
    b.in.nmax = 8;
    expect_decision(&b, "dyncta DYN-1 kernel_start: nmax=8 | limit=0 | limit=4", "kernel start: Nmax 8, limit 4");
    b.in.kernel_start = 0;
    almost_sample(&b, 3, 499);
    b.in.lcs_class = LCS_MEM_STALL;
    expect_decision(&b, "dyncta DYN-2 sample: sample=1 idle=3 mem=500 t_idle=16 t_mem_l=128 t_mem_h=384 row=3 | limit=4 | limit=3",
                    "sample 1: idle 3, memory 500 > 384: limit 4 -> 3");
    almost_sample(&b, 16, 40);
    b.in.lcs_class = LCS_IDLE;
    expect_decision(&b, "dyncta DYN-2 sample: sample=2 idle=17 mem=40 t_idle=16 t_mem_l=128 t_mem_h=384 row=1 | limit=3 | limit=4",
                    "sample 2: idle 17 > 16, memory 40: limit 3 -> 4");
    almost_sample(&b, 3, 5);
    expect_decision(&b, "dyncta DYN-2 sample: sample=3 idle=3 mem=5 t_idle=16 t_mem_l=128 t_mem_h=384 row=2 | limit=4 | limit=5",
                    "sample 3: idle 3, memory 5 < 128: limit 4 -> 5");
    almost_sample(&b, 3, 200);
    b.in.lcs_class = LCS_CORE_STALL;
    expect_decision(&b, "dyncta DYN-2 sample: sample=4 idle=3 mem=200 t_idle=16 t_mem_l=128 t_mem_h=384 row=4 | limit=5 | limit=5",
                    "sample 4: idle 3, memory 200: limit 5 -> 5");
    dut_close(&b.dut);
}

/* ---- random ------------------------------------------------------------------------ */

/* Any that the port holds, or one near the quarter of the cycles that each class has. */
static uint32_t random_threshold(const bench *b, uint64_t *seed)
{
    const uint32_t period = period_of(b);
    const uint32_t most = (UINT32_C(1) << (period >= 2048 ? 12 : period >= 512 ? 10 : 9)) - 1;
    const uint32_t near = period / 4 + (uint32_t)(random_next(seed) % (period / 8)) - period / 16;

    return random_next(seed) % 4 == 0 ? (uint32_t)(random_next(seed) & most) : near;
}

static void random_inputs(bench *b, uint64_t *seed)
{
    b->in.enable = random_next(seed) % 30 != 0;
    b->in.kernel_start = random_next(seed) % 20000 == 0;
    b->in.nmax = (uint8_t)(random_next(seed) % (slots_of(b) + 1));
    if (random_next(seed) % 2000 == 0) {
        b->in.t_idle = random_threshold(b, seed);
        b->in.t_mem_l = random_threshold(b, seed);
        b->in.t_mem_h = random_threshold(b, seed);
    }
    b->in.lcs_class = (uint8_t)(random_next(seed) % 4);
}

/* The rules once more, from the classes of a whole period. */
typedef struct books {
    unsigned nmax, limit;
    uint32_t seen, of_class[4];
} books;

static dyncta_out book_cycle(books *k, const bench *b)
{
    dyncta_out expected = {.limit = (uint8_t)k->limit};

    if (!b->in.enable)
        return expected;
    if (b->in.kernel_start) {
        *k = (books){.nmax = b->in.nmax, .limit = b->in.nmax == 1 ? 1 : b->in.nmax / 2};
        return expected;
    }
    if (k->nmax == 0)
        return expected;
    k->of_class[b->in.lcs_class]++;
    if (++k->seen < period_of(b))
        return expected;
    expected.sample_end = 1;
    const bool more = k->of_class[LCS_IDLE] > b->in.t_idle || k->of_class[LCS_MEM_STALL] < b->in.t_mem_l;
    const bool less = !more && k->of_class[LCS_MEM_STALL] > b->in.t_mem_h;

    *k = (books){.nmax = k->nmax, .limit = k->limit};
    if (more && k->limit < k->nmax)
        k->limit++;
    if (less && k->limit > 1)
        k->limit--;
    return expected;
}

static void random_against_books(void **t, const char *name)
{
    uint64_t seed = 0xd9c7a;
    unsigned ups = 0, downs = 0;
    books k = {.nmax = 0};
    bench b;
    open_bench(&b, name, t);
    for (unsigned i = 0; i < 400000; i++) {
        dyncta_out expected;

        random_inputs(&b, &seed);
        expected = book_cycle(&k, &b);
        cycle(&b);
        assert_int_equal(b.out.limit, expected.limit);
        assert_int_equal(b.out.sample_end, expected.sample_end);
        assert_int_equal(state(&b)->limit, k.limit);
        assert_int_equal(state(&b)->nmax, k.nmax);
        assert_counts(&b, k.seen, k.of_class[LCS_IDLE], k.of_class[LCS_MEM_STALL]);
        ups += b.out.sample_end && state(&b)->limit > b.out.limit;
        downs += b.out.sample_end && state(&b)->limit < b.out.limit;
    }
    if (slots_of(&b) > 1)
        assert_true(ups > 5 && downs > 5); /* else the test has seen nothing */
    dut_close(&b.dut);
}

static void random_default(void **t) { random_against_books(t, "dyncta"); }
static void random_short(void **t) { random_against_books(t, "dyncta_short"); }
static void random_one(void **t) { random_against_books(t, "dyncta_one"); }

/* Model and RTL next to each other, every output and every register. */
static void assert_same(const bench *a, const bench *b)
{
    assert_counts(a, state(b)->timer, state(b)->idle, state(b)->mem);
    assert_int_equal(state(a)->limit, state(b)->limit);
    assert_int_equal(state(a)->nmax, state(b)->nmax);
    assert_int_equal(a->out.limit, b->out.limit);
    assert_int_equal(a->out.sample_end, b->out.sample_end);
}

static void twins_in_lockstep(void **t)
{
    static const char *const names[] = {"dyncta", "dyncta_short", "dyncta_one"};
    uint64_t seed = 0x7715;

    (void)t;
    for (unsigned n = 0; n < sizeof names / sizeof names[0]; n++) {
        bench model = {.in = {0}}, rtl = {.in = {0}};

        assert_true(dut_open(&model.dut, names[n], SIDE_MODEL));
        assert_true(dut_open(&rtl.dut, names[n], SIDE_RTL));
        set_defaults(&model.in);
        assert_same(&model, &rtl);
        rtl.dut.block->rtl->assertion(rtl.dut.rtl); /* forget what earlier tests may have left */
        for (unsigned i = 0; i < 300000; i++) {
            random_inputs(&model, &seed);
            rtl.in = model.in;
            cycle(&model);
            cycle(&rtl);
            assert_same(&model, &rtl);
            assert_null(rtl.dut.block->rtl->assertion(rtl.dut.rtl));
        }
        dut_close(&model.dut);
        dut_close(&rtl.dut);
    }
}

/* The end of a sample with counts and thresholds beside each other, for every number of CTAs that the registers can hold. */
static void any_step(void **t)
{
    const uint32_t period = 2048;
    step_fixture f = {0};

    (void)t;
    step_open(&f, "dyncta", 0xd1);
    for (unsigned n = 0; n < 200000; n++) {
        dyncta_state s = {.nmax = (uint8_t)step_random(&f, 16)};
        dyncta_in in;

        step_draw(&f, PORT_IN, &in);
        in.enable = step_random(&f, 8) != 0;
        in.kernel_start = step_random(&f, 8) == 0;
        in.nmax = (uint8_t)step_random(&f, 16);
        s.limit = (uint8_t)(s.nmax ? 1 + step_random(&f, s.nmax) : 0);
        s.timer = (uint32_t)(s.nmax == 0 ? 0 : step_random(&f, 2) ? period - 1 : step_value(&f, period - 1));
        s.idle = (uint32_t)(step_random(&f, 2) ? step_near(&f, in.t_idle, s.timer) : step_value(&f, s.timer));
        s.mem = (uint32_t)step_value(&f, s.timer - s.idle);
        if (step_random(&f, 2))
            in.t_mem_l = (uint32_t)step_near(&f, s.mem, period);
        if (step_random(&f, 2))
            in.t_mem_h = (uint32_t)step_near(&f, s.mem, period);
        assert_false(dyncta_violated(&s, (const dyncta_cfg *)(const void *)&f.side[SIDE_MODEL].cfg));
        step_check(&f, &s, &in);
    }
    step_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("reset: registers zero; without a kernel nothing counts", reset_state),
        BOTH_SIDES("DYN-1: half of Nmax, at least one, for every Nmax", dyn1_initial_limit),
        BOTH_SIDES("DYN-2: a sample is Period cycles, 2048", dyn2_period_default),
        BOTH_SIDES("DYN-2: a sample is Period cycles, 400", dyn2_period_short),
        BOTH_SIDES("DYN-2: a sample is Period cycles, 512, with one slot", dyn2_period_one),
        BOTH_SIDES("DYN-2: idle and waiting cycles count, the kernel's first one does not", dyn2_what_counts),
        BOTH_SIDES("DYN-2: more idle cycles than t_idle mean more CTAs, before all else", dyn2_idle),
        BOTH_SIDES("DYN-2: waiting cycles below, between and above the thresholds", dyn2_memory),
        BOTH_SIDES("DYN-2: one threshold t2", dyn2_one_threshold),
        BOTH_SIDES("DYN-2: thresholds at their ends, and crossed", dyn2_extreme_thresholds),
        BOTH_SIDES("DYN-2: thresholds count in the last cycle only", dyn2_thresholds_at_run_time),
        BOTH_SIDES("DYN-2: the last cycle of a period counts", dyn2_last_cycle_counts),
        BOTH_SIDES("DYN-3: one CTA per period, between 1 and Nmax, without end", dyn3_one_per_period),
        BOTH_SIDES("DYN-3: Nmax 1 and 0", dyn3_single_cta),
        BOTH_SIDES("DYN-4: idle, memory and the SM's own stalls, from the bus", dyn4_classes_from_the_bus),
        BOTH_SIDES("kernel start beats everything, the end of a sample too", kernel_start_wins),
        BOTH_SIDES("enable: 0 holds every register, sample_end is 0", enable_holds),
        BOTH_SIDES("log: each decision says what it was made from", log_of_decisions),
        BOTH_SIDES("random: 400 000 cycles against bookkeeping", random_default),
        BOTH_SIDES("random: 400 000 cycles against bookkeeping, Period 400", random_short),
        BOTH_SIDES("random: 400 000 cycles against bookkeeping, one slot", random_one),
        {"twins: 300 000 random cycles per variant, every output and register", twins_in_lockstep, NULL, NULL, NULL},
        {"twins: one step from 200 000 states, counts beside the thresholds", any_step, NULL, NULL, NULL},
    };
    return cmocka_run_group_tests_name("dyncta", tests, NULL, NULL);
}
