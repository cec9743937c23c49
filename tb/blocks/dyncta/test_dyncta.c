/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of DYNCTA as the papers tell them, each on the model and on the RTL. A test says how
 * many cycles of a sampling period are idle or wait for memory and looks at the limit.
 */

#include "sm/dyncta.h"

#define BENCH_BLOCK dyncta
#define BENCH_PREPARE
#define BENCH_KERNELS
#include "blocks/dyncta/invariant.h"
#include "engine/bench.h"
#include "engine/random.h"
#include "engine/step_fixture.h"
#include "sm/stall_classifier.h"

enum { T_IDLE = 16, T_MEM_L = 128, T_MEM_H = 384 };

static void prepare(bench *b)
{
    b->in.lcs_class = LCS_ACTIVE;
}

/* What the n-th cycle of a period is: first idle, then memory, then work and core stalls. */
static uint8_t class_of(uint32_t n, uint32_t idle, uint32_t mem)
{
    return n < idle ? LCS_IDLE : n < idle + mem ? LCS_MEM_STALL : n & 1 ? LCS_ACTIVE : LCS_CORE_STALL;
}

/* One sampling period. Returns the limit after it. */
static unsigned sample(bench *b, uint32_t idle, uint32_t mem)
{
    const uint32_t period = config(b)->period;
    const unsigned limit = state(b)->limit;

    assert_true(idle + mem <= period);
    assert_int_equal(state(b)->timer, 0);
    for (uint32_t n = 0; n < period; n++) {
        b->in.lcs_class = class_of(n, idle, mem);
        cycle(b);
        expect(b, "sample_end_o=%u limit_o=%u", n == period - 1, limit);
    }
    b->in.lcs_class = LCS_ACTIVE;
    expect(b, "timer_q=0 idle_q=0 mem_q=0");
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

static void reset_state(bench *b)
{
    b->in.lcs_class = LCS_IDLE;
    for (unsigned i = 0; i < 5000; i++) { /* no kernel: nothing counts, no sample ends */
        assert_counts(b, 0, 0, 0);
        expect(b, "limit_q=0 nmax_q=0");
        cycle(b);
        expect(b, "limit_o=0 sample_end_o=0");
    }
}

static void dyn1_initial_limit(bench *b)
{
    for (unsigned nmax = 0; nmax <= 32; nmax++) {
        const unsigned half = nmax / 2 > 0 ? nmax / 2 : nmax;

        start_kernel(b, nmax);
        expect(b, "limit_q=%u nmax_q=%u", half, nmax);
        cycle(b);
        assert_int_equal(b->out.limit, half);
    }
}

static void dyn2_period(bench *b)
{
    start_kernel(b, config(b)->num_slots);
    for (unsigned i = 0; i < 3; i++)
        sample(b, 5, 7); /* looks at every cycle */
}

static void dyn2_what_counts(bench *b)
{
    static const uint8_t classes[] = {LCS_MEM_STALL, LCS_IDLE, LCS_CORE_STALL, LCS_ACTIVE, LCS_IDLE};
    b->in.lcs_class = LCS_IDLE; /* the cycle of the kernel start is not counted */
    start_kernel(b, 8);
    assert_counts(b, 0, 0, 0);
    for (unsigned i = 0; i < 5; i++) {
        b->in.lcs_class = classes[i];
        cycle(b);
    }
    assert_counts(b, 5, 2, 1);
}

static void dyn2_idle(bench *b)
{
    start_kernel(b, 8);
    assert_int_equal(step(b, T_IDLE, 200), 0); /* at the threshold is not above it */
    assert_int_equal(step(b, T_IDLE + 1, 200), +1);
    assert_int_equal(step(b, T_IDLE, T_MEM_H + 1), -1);
    assert_int_equal(step(b, T_IDLE + 1, T_MEM_H + 1), +1); /* and idle comes first */
    assert_int_equal(step(b, config(b)->period, 0), +1);
}

static void dyn2_memory(bench *b)
{
    start_kernel(b, 8);
    assert_int_equal(step(b, 0, 0), +1);
    assert_int_equal(step(b, 0, T_MEM_L - 1), +1);
    assert_int_equal(step(b, 0, T_MEM_L), 0);
    assert_int_equal(step(b, 0, T_MEM_L + 1), 0);
    assert_int_equal(step(b, 0, T_MEM_H - 1), 0);
    assert_int_equal(step(b, 0, T_MEM_H), 0);
    assert_int_equal(step(b, 0, T_MEM_H + 1), -1);
    assert_int_equal(step(b, 0, config(b)->period), -1);
}

/* Perf-Sat's description: one threshold t2. */
static void dyn2_one_threshold(bench *b)
{
    start_kernel(b, 8);
    b->in.t_mem_l = b->in.t_mem_h = 100;
    assert_int_equal(step(b, 0, 99), +1);
    assert_int_equal(step(b, 0, 100), 0);
    assert_int_equal(step(b, 0, 101), -1);
}

static void dyn2_extreme_thresholds(bench *b)
{
    start_kernel(b, 8);
    b->in.t_idle = b->in.t_mem_l = b->in.t_mem_h = 0;
    assert_int_equal(step(b, 1, 0), +1);
    assert_int_equal(step(b, 0, 0), 0);
    assert_int_equal(step(b, 0, 1), -1);
    b->in.t_idle = b->in.t_mem_l = b->in.t_mem_h = config(b)->period;
    assert_int_equal(step(b, config(b)->period, 0), +1); /* few memory cycles, not many idle ones */
    assert_int_equal(step(b, 0, config(b)->period), 0);
    b->in.t_idle = b->in.t_mem_l = b->in.t_mem_h = 511; /* all that the port holds */
    assert_int_equal(step(b, 0, config(b)->period), +1);
    b->in.t_mem_l = 300; /* crossed: few comes before many */
    b->in.t_mem_h = 100;
    assert_int_equal(step(b, 0, 200), +1);
    assert_int_equal(step(b, 0, 300), -1);
}

/* Only the last cycle of a period reads them. */
static void dyn2_thresholds_at_run_time(bench *b)
{
    start_kernel(b, 8);
    set_limit(b, 5);
    for (uint32_t n = 0; n < config(b)->period; n++) {
        const bool last = n == config(b)->period - 1;

        b->in.t_idle = last ? 200 : 0;
        b->in.t_mem_l = last ? 50 : 400;
        b->in.t_mem_h = last ? 99 : 400;
        b->in.lcs_class = class_of(n, 200, 100);
        cycle(b);
        if (!last)
            assert_int_equal(state(b)->limit, 5);
    }
    assert_int_equal(state(b)->limit, 4);
}

/* The last cycle of a period belongs to it, whatever its class. */
static void dyn2_last_cycle_counts(bench *b)
{
    start_kernel(b, 8);
    for (unsigned last = LCS_IDLE; last <= LCS_ACTIVE; last++) {
        set_limit(b, 5);
        for (uint32_t n = 0; n < config(b)->period - 1; n++) {
            b->in.lcs_class = class_of(n, T_IDLE, T_MEM_H - 100);
            b->in.t_mem_h = T_MEM_H - 100;
            cycle(b);
        }
        assert_counts(b, config(b)->period - 1, T_IDLE, T_MEM_H - 100);
        b->in.lcs_class = (uint8_t)last;
        cycle(b);
        expect(b, "sample_end_o=1 limit_q=%u", last == LCS_IDLE ? 6 : last == LCS_MEM_STALL ? 4 : 5);
        assert_counts(b, 0, 0, 0);
    }
}

static void dyn3_one_per_period(bench *b)
{
    start_kernel(b, 31);
    for (unsigned limit = 16; limit <= 31; limit++)
        assert_int_equal(sample(b, 100, 0), limit);
    assert_int_equal(sample(b, 100, 0), 31); /* not beyond Nmax ... */
    assert_int_equal(sample(b, 0, 0), 31);
    for (unsigned limit = 30; limit >= 1; limit--)
        assert_int_equal(sample(b, 0, 399), limit);
    assert_int_equal(sample(b, 0, 399), 1); /* ... and not below one */
    for (unsigned i = 0; i < 10; i++) { /* to and fro, for ever */
        assert_int_equal(sample(b, 17, 0), 2);
        assert_int_equal(sample(b, 0, 399), 1);
    }
}

static void dyn3_single_cta(bench *b)
{
    start_kernel(b, 1);
    assert_int_equal(sample(b, 100, 0), 1);
    assert_int_equal(sample(b, 0, 500), 1);
    start_kernel(b, 0);
    for (unsigned i = 0; i < 2000; i++) {
        b->in.lcs_class = i & 3;
        cycle(b);
        expect(b, "sample_end_o=0 limit_o=0");
        assert_counts(b, 0, 0, 0);
    }
}

/* From the warps, through stall_classifier: waiting for memory is told from idling and from
 * waiting for the SM's own pipelines. */
static void dyn4_classes_from_the_bus(bench *b)
{
    static const struct { enum warp_state warps; unsigned idle, mem; } cases[] = {
        {WARP_BARRIER, 1, 0}, {WARP_NO_INST, 1, 0}, {WARP_WAIT_MEM, 0, 1}, {WARP_WAIT_ALU, 0, 0},
        {WARP_MEM_BLOCKED, 0, 0}, {WARP_ISSUED_MEM, 0, 0}};
    const stall_classifier_cfg classifier = stall_classifier_cfg_default();
    stall_classifier_out classes = {.lcs_class = LCS_ACTIVE};
    const void *const needs[] = {&classes};
    const sm_setup setup = {.kernel = {.nmax = 6}};
    sm_obs obs = {.setup = &setup, .kernel_start = 1};
    const sm_obs *const buses[] = {&obs};
    b->dut.block->model->bind(&b->in, &b->dut.cfg, buses, needs);
    cycle(b);
    assert_int_equal(state(b)->limit, 3);
    obs.kernel_start = 0;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const dyncta_state before = *state(b);
        stall_classifier_state nothing;
        stall_classifier_in warps;

        for (unsigned warp = 0; warp < 48; warp++)
            sm_obs_set_warp_state(&obs, warp, cases[i].warps);
        warps = (stall_classifier_in){obs.ws[0], obs.ws[1], obs.ws[2], obs.ws[3], 0};
        stall_classifier_reset(&nothing, &classifier);
        stall_classifier_step(&nothing, &classifier, &warps, &classes);
        b->dut.block->model->bind(&b->in, &b->dut.cfg, buses, needs);
        cycle(b);
        expect(b, "idle_q=%u mem_q=%u", before.idle + cases[i].idle, before.mem + cases[i].mem);
        assert_int_equal(b->in.t_mem_h, T_MEM_H); /* settings stay as they were */
    }
}

static void kernel_start_wins(bench *b)
{
    for (uint32_t when = 0; when <= config(b)->period - 1; when += when < 3 || when >= 395 ? 1 : 49) {
        start_kernel(b, 20);
        b->in.lcs_class = LCS_IDLE;
        for (uint32_t n = 0; n < when; n++)
            cycle(b);
        assert_counts(b, when, when, 0);
        start_kernel(b, 9); /* also in the cycle that would close the period */
        expect(b, "sample_end_o=0 limit_o=10");
        assert_counts(b, 0, 0, 0);
        expect(b, "limit_q=4 nmax_q=9");
    }
    assert_int_equal(sample(b, 0, 0), 5); /* a whole period from then on */
    start_kernel(b, 7);
    start_kernel(b, 12); /* one after the other */
    assert_int_equal(sample(b, 0, 0), 7);
}

static void enable_holds(bench *b)
{
    b->in.enable = 0;
    start_kernel(b, 8); /* ignored, too */
    expect(b, "nmax_q=0 limit_q=0");
    b->in.enable = 1;
    start_kernel(b, 8);
    for (uint32_t n = 0; n < config(b)->period; n++) {
        dyncta_state before;

        b->in.lcs_class = class_of(n, 17, 30);
        if (n % 7 == 0 || n == config(b)->period - 1) {
            before = *state(b);
            b->in.enable = 0;
            for (unsigned i = 0; i < 8; i++) {
                b->in.kernel_start = i & 1;
                b->in.nmax = 5;
                b->in.lcs_class = i >> 1;
                cycle(b);
                expect(b, "sample_end_o=0 limit_o=%u", before.limit);
                assert_counts(b, before.timer, before.idle, before.mem);
                expect(b, "limit_q=%u nmax_q=%u", before.limit, before.nmax);
            }
            b->in.enable = 1;
            b->in.kernel_start = 0;
            b->in.nmax = 0;
            b->in.lcs_class = class_of(n, 17, 30);
        }
        cycle(b);
        assert_int_equal(b->out.sample_end, n == config(b)->period - 1);
    }
    assert_int_equal(state(b)->limit, 5);
}

/* A period but for its last cycle. */
static void almost_sample(bench *b, uint32_t idle, uint32_t mem)
{
    for (uint32_t n = 0; n < config(b)->period - 1; n++) {
        b->in.lcs_class = class_of(n, idle, mem);
        cycle(b);
    }
}

static void log_of_decisions(bench *b)
{
    b->in.kernel_start = 1;
    b->in.nmax = 8;
    expect_decision(b, "dyncta DYN-1 kernel_start: nmax=8 | limit=0 | limit=4", "kernel start: Nmax 8, limit 4");
    b->in.kernel_start = 0;
    almost_sample(b, 3, 499);
    b->in.lcs_class = LCS_MEM_STALL;
    expect_decision(b, "dyncta DYN-2 sample: sample=1 idle=3 mem=500 t_idle=16 t_mem_l=128 t_mem_h=384 row=3 | limit=4 | limit=3",
                    "sample 1: idle 3, memory 500 > 384: limit 4 -> 3");
    almost_sample(b, 16, 40);
    b->in.lcs_class = LCS_IDLE;
    expect_decision(b, "dyncta DYN-2 sample: sample=2 idle=17 mem=40 t_idle=16 t_mem_l=128 t_mem_h=384 row=1 | limit=3 | limit=4",
                    "sample 2: idle 17 > 16, memory 40: limit 3 -> 4");
    almost_sample(b, 3, 5);
    expect_decision(b, "dyncta DYN-2 sample: sample=3 idle=3 mem=5 t_idle=16 t_mem_l=128 t_mem_h=384 row=2 | limit=4 | limit=5",
                    "sample 3: idle 3, memory 5 < 128: limit 4 -> 5");
    almost_sample(b, 3, 200);
    b->in.lcs_class = LCS_CORE_STALL;
    expect_decision(b, "dyncta DYN-2 sample: sample=4 idle=3 mem=200 t_idle=16 t_mem_l=128 t_mem_h=384 row=4 | limit=5 | limit=5",
                    "sample 4: idle 3, memory 200: limit 5 -> 5");
}

/* ---- random ------------------------------------------------------------------------ */

/* Any that the port holds, or one near the quarter of the cycles that each class has. */
static uint32_t random_threshold(const dyncta_cfg *cfg, uint64_t *seed)
{
    const uint32_t period = cfg->period;
    const uint32_t most = (UINT32_C(1) << (period >= 2048 ? 12 : period >= 512 ? 10 : 9)) - 1;
    const uint32_t near = period / 4 + (uint32_t)(random_next(seed) % (period / 8)) - period / 16;

    return random_next(seed) % 4 == 0 ? (uint32_t)(random_next(seed) & most) : near;
}

static void random_inputs(dyncta_in *in, const dyncta_cfg *cfg, uint64_t *seed)
{
    in->enable = random_next(seed) % 30 != 0;
    in->kernel_start = random_next(seed) % 20000 == 0;
    in->nmax = (uint8_t)(random_next(seed) % (cfg->num_slots + 1));
    if (random_next(seed) % 2000 == 0) {
        in->t_idle = random_threshold(cfg, seed);
        in->t_mem_l = random_threshold(cfg, seed);
        in->t_mem_h = random_threshold(cfg, seed);
    }
    in->lcs_class = (uint8_t)(random_next(seed) % 4);
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
    if (++k->seen < config(b)->period)
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

static void random_against_books(bench *b)
{
    uint64_t seed = 0xd9c7a;
    unsigned ups = 0, downs = 0;
    books k = {.nmax = 0};
    for (unsigned i = 0; i < 400000; i++) {
        dyncta_out expected;

        random_inputs(&b->in, config(b), &seed);
        expected = book_cycle(&k, b);
        cycle(b);
        assert_memory_equal(&b->out, &expected, sizeof expected);
        expect(b, "limit_q=%u nmax_q=%u", k.limit, k.nmax);
        assert_counts(b, k.seen, k.of_class[LCS_IDLE], k.of_class[LCS_MEM_STALL]);
        ups += b->out.sample_end && state(b)->limit > b->out.limit;
        downs += b->out.sample_end && state(b)->limit < b->out.limit;
    }
    if (config(b)->num_slots > 1)
        assert_true(ups > 5 && downs > 5); /* else the test has seen nothing */
}

static void draw_inputs(void *in, const void *cfg, uint64_t *seed, unsigned n)
{
    (void)n;
    random_inputs(in, cfg, seed);
}

/* The end of a sample with counts and thresholds beside each other, for every number of CTAs that the registers can hold. */
static bool draw_step(step_fixture *f, void *registers, void *inputs)
{
    const dyncta_cfg *cfg = step_config(f);
    dyncta_state *s = registers;
    dyncta_in *in = inputs;
    const uint32_t period = 2048;

    s->nmax = (uint8_t)step_random(f, 16);
    step_draw(f, PORT_IN, in);
    in->enable = step_random(f, 8) != 0;
    in->kernel_start = step_random(f, 8) == 0;
    in->nmax = (uint8_t)step_random(f, 16);
    s->limit = (uint8_t)(s->nmax ? 1 + step_random(f, s->nmax) : 0);
    s->timer = (uint32_t)(s->nmax == 0 ? 0 : step_random(f, 2) ? period - 1 : step_value(f, period - 1));
    s->idle = (uint32_t)(step_random(f, 2) ? step_near(f, in->t_idle, s->timer) : step_value(f, s->timer));
    s->mem = (uint32_t)step_value(f, s->timer - s->idle);
    if (step_random(f, 2))
        in->t_mem_l = (uint32_t)step_near(f, s->mem, period);
    if (step_random(f, 2))
        in->t_mem_h = (uint32_t)step_near(f, s->mem, period);
    assert_false(dyncta_violated(s, cfg));
    return true;
}

static const char *const twins[] = {"dyncta", "dyncta_short", "dyncta_one", NULL};

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("reset: registers zero; without a kernel nothing counts", "dyncta", reset_state),
        BOTH_SIDES("DYN-1: half of Nmax, at least one, for every Nmax", "dyncta_short", dyn1_initial_limit),
        BOTH_SIDES("DYN-2: a sample is Period cycles, 2048", "dyncta", dyn2_period),
        BOTH_SIDES("DYN-2: a sample is Period cycles, 400", "dyncta_short", dyn2_period),
        BOTH_SIDES("DYN-2: a sample is Period cycles, 512, with one slot", "dyncta_one", dyn2_period),
        BOTH_SIDES("DYN-2: idle and waiting cycles count, the kernel's first one does not", "dyncta", dyn2_what_counts),
        BOTH_SIDES("DYN-2: more idle cycles than t_idle mean more CTAs, before all else", "dyncta", dyn2_idle),
        BOTH_SIDES("DYN-2: waiting cycles below, between and above the thresholds", "dyncta", dyn2_memory),
        BOTH_SIDES("DYN-2: one threshold t2", "dyncta_short", dyn2_one_threshold),
        BOTH_SIDES("DYN-2: thresholds at their ends, and crossed", "dyncta_short", dyn2_extreme_thresholds),
        BOTH_SIDES("DYN-2: thresholds count in the last cycle only", "dyncta_short", dyn2_thresholds_at_run_time),
        BOTH_SIDES("DYN-2: the last cycle of a period counts", "dyncta_short", dyn2_last_cycle_counts),
        BOTH_SIDES("DYN-3: one CTA per period, between 1 and Nmax, without end", "dyncta_short", dyn3_one_per_period),
        BOTH_SIDES("DYN-3: Nmax 1 and 0", "dyncta_one", dyn3_single_cta),
        BOTH_SIDES("DYN-4: idle, memory and the SM's own stalls, from the bus", "dyncta", dyn4_classes_from_the_bus),
        BOTH_SIDES("kernel start beats everything, the end of a sample too", "dyncta_short", kernel_start_wins),
        BOTH_SIDES("enable: 0 holds every register, sample_end is 0", "dyncta_short", enable_holds),
        BOTH_SIDES("log: each decision says what it was made from", "dyncta", log_of_decisions),
        BOTH_SIDES("random: 400 000 cycles against bookkeeping", "dyncta", random_against_books),
        BOTH_SIDES("random: 400 000 cycles against bookkeeping, Period 400", "dyncta_short", random_against_books),
        BOTH_SIDES("random: 400 000 cycles against bookkeeping, one slot", "dyncta_one", random_against_books),
        TWIN_CYCLES("twins: 300 000 random cycles per variant, every output and register", twins, 0x7715, 300000, draw_inputs),
        TWIN_STEPS("twins: one step from 200 000 states, counts beside the thresholds", "dyncta", 0xd1, 200000, draw_step),
    };
    return cmocka_run_group_tests_name("dyncta", tests, NULL, NULL);
}
