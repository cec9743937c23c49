/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of DYNCTA as the papers tell them, each on the model and on the RTL. A test says how
 * many cycles of a sampling period are idle or wait for memory and looks at the limit.
 */

#include <stdio.h>

#include "sm/dyncta.h"

#define BENCH_BLOCK dyncta
#define BENCH_PREPARE
#define BENCH_KERNELS
#include "blocks/dyncta/invariant.h"
#include "engine/bench.h"
#include "engine/random.h"
#include "engine/step_fixture.h"
#include "sm/stall_classifier.h"

static void prepare(bench *b)
{
    b->in.lcs_class = BALLAST_LCS_ACTIVE;
}

/* What the n-th cycle of a period is: first idle, then memory, then work and core stalls. */
static uint8_t class_of(uint32_t n, uint32_t idle, uint32_t mem)
{
    return n < idle ? BALLAST_LCS_IDLE : n < idle + mem ? BALLAST_LCS_MEM_STALL : n & 1 ? BALLAST_LCS_ACTIVE : BALLAST_LCS_CORE_STALL;
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
    b->in.lcs_class = BALLAST_LCS_ACTIVE;
    expect(b, "timer_q=0 idle_q=0 mem_q=0");
    return state(b)->limit;
}

/* "17,300": of which so many cycles are idle, and so many wait for memory. */
static void sample_of(bench *b, const char *text)
{
    unsigned idle, mem;

    assert_int_equal(sscanf(text, "%u,%u", &idle, &mem), 2);
    sample(b, idle, mem);
}

/* "17,300,+1": by so much such a sample changes the limit, from the middle. */
static void step(bench *b, const char *text)
{
    unsigned idle, mem;
    int change;

    assert_int_equal(sscanf(text, "%u,%u,%d", &idle, &mem, &change), 3);
    play_script(b, common_words, __FILE__, __LINE__, "limit_q:=5");
    sample(b, idle, mem);
    expect(b, "limit_q=%d", 5 + change);
}

/* A sample but for its last cycle. */
static void almost_sample(bench *b, const char *text)
{
    unsigned idle, mem;

    assert_int_equal(sscanf(text, "%u,%u", &idle, &mem), 2);
    for (uint32_t n = 0; n < config(b)->period - 1; n++) {
        b->in.lcs_class = class_of(n, idle, mem);
        cycle(b);
    }
}

static const bench_word words[] = {
    {"sample", NULL, sample_of}, {"step", NULL, step}, {"almost", NULL, almost_sample}, {NULL, NULL, NULL}};

static void reset_state(bench *b)
{
    b->in.lcs_class = BALLAST_LCS_IDLE;
    for (unsigned i = 0; i < 5000; i++) /* no kernel: nothing counts, no sample ends */
        play(b, "timer_q=0 idle_q=0 mem_q=0 limit_q=0 nmax_q=0 cycle limit_o=0 sample_end_o=0");
}

static void dyn1_initial_limit(bench *b)
{
    for (unsigned nmax = 0; nmax <= 32; nmax++) {
        const unsigned half = nmax / 2 > 0 ? nmax / 2 : nmax;

        play(b, "kernel=%u limit_q=%u nmax_q=%u cycle limit_o=%u", nmax, half, nmax, half);
    }
}

static void dyn2_period(bench *b)
{
    start_kernel(b, config(b)->num_slots);
    for (unsigned i = 0; i < 3; i++)
        sample(b, 5, 7); /* looks at every cycle */
}

/* Only the last cycle of a period reads them. */
static void dyn2_thresholds_at_run_time(bench *b)
{
    play(b, "kernel=8 limit_q:=5");
    for (uint32_t n = 0; n < config(b)->period; n++) {
        const bool last = n == config(b)->period - 1;

        b->in.lcs_class = class_of(n, 200, 100);
        play(b, "t_idle_i=%u t_mem_l_i=%u t_mem_h_i=%u cycle limit_q=%u", last ? 200 : 0, last ? 50 : 400, last ? 99 : 400,
             last ? 4 : 5);
    }
}

/* The last cycle of a period belongs to it, whatever its class. */
static void dyn2_last_cycle_counts(bench *b)
{
    start_kernel(b, 8);
    for (unsigned last = BALLAST_LCS_IDLE; last <= BALLAST_LCS_ACTIVE; last++)
        play(b, "limit_q:=5 t_mem_h_i=284 almost=16,284 timer_q=%u idle_q=16 mem_q=284 "
                "lcs_class_i=%u cycle sample_end_o=1 limit_q=%u timer_q=0 idle_q=0 mem_q=0", config(b)->period - 1, last,
             last == BALLAST_LCS_IDLE ? 6 : last == BALLAST_LCS_MEM_STALL ? 4 : 5);
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
    play(b, "kernel=1 sample=100,0 limit_q=1 sample=0,500 limit_q=1 kernel=0");
    for (unsigned i = 0; i < 2000; i++)
        play(b, "lcs_class_i=%u cycle sample_end_o=0 limit_o=0 timer_q=0 idle_q=0 mem_q=0", i & 3);
}

/* From the warps, through stall_classifier: waiting for memory is told from idling and from
 * waiting for the SM's own pipelines. */
static void dyn4_classes_from_the_bus(bench *b)
{
    static const struct { enum ballast_warp_state warps; unsigned idle, mem; } cases[] = {
        {BALLAST_WARP_BARRIER, 1, 0}, {BALLAST_WARP_NO_INST, 1, 0}, {BALLAST_WARP_WAIT_MEM, 0, 1}, {BALLAST_WARP_WAIT_ALU, 0, 0},
        {BALLAST_WARP_MEM_BLOCKED, 0, 0}, {BALLAST_WARP_ISSUED_MEM, 0, 0}};
    const stall_classifier_cfg classifier = stall_classifier_cfg_default();
    stall_classifier_out classes = {.lcs_class = BALLAST_LCS_ACTIVE};
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
        stall_classifier_in warps;

        for (unsigned warp = 0; warp < 48; warp++)
            sm_obs_set_warp_state(&obs, warp, cases[i].warps);
        warps = (stall_classifier_in){obs.ws[0], obs.ws[1], obs.ws[2], obs.ws[3], 0};
        classes = stall_classifier_of(&classifier, &warps);
        b->dut.block->model->bind(&b->in, &b->dut.cfg, buses, needs);
        cycle(b);
        expect(b, "idle_q=%u mem_q=%u", before.idle + cases[i].idle, before.mem + cases[i].mem);
        assert_int_equal(b->in.t_mem_h, 384); /* settings stay as they were */
    }
}

static void kernel_start_wins(bench *b)
{
    /* Also in the last cycle of a period. */
    for (uint32_t when = 0; when <= config(b)->period - 1; when += when < 3 || when >= 395 ? 1 : 49)
        play(b, "kernel=20 lcs_class_i=IDLE cycle=%u timer_q=%u idle_q=%u mem_q=0 "
                "kernel=9 sample_end_o=0 limit_o=10 timer_q=0 idle_q=0 mem_q=0 limit_q=4 nmax_q=9", when, when, when);
    play(b, "sample=0,0 limit_q=5 "                    /* a whole period from then on */
            "kernel=7 kernel=12 sample=0,0 limit_q=7"); /* one after the other */
}

static void enable_holds(bench *b)
{
    play(b, "enable_i=0 kernel=8 nmax_q=0 limit_q=0 enable_i=1 kernel=8"); /* ignored, too */
    for (uint32_t n = 0; n < config(b)->period; n++) {
        const dyncta_state before = *state(b);

        for (unsigned i = 0; i < (n % 7 == 0 || n == config(b)->period - 1 ? 8 : 0); i++)
            play(b, "enable_i=0 kernel_start_i=%u nmax_i=5 lcs_class_i=%u cycle sample_end_o=0 limit_o=%u "
                    "timer_q=%u idle_q=%u mem_q=%u limit_q=%u nmax_q=%u", i & 1, i >> 1, before.limit,
                 before.timer, before.idle, before.mem, before.limit, before.nmax);
        b->in.lcs_class = class_of(n, 17, 30);
        play(b, "enable_i=1 kernel_start_i=0 nmax_i=0 cycle sample_end_o=%u", n == config(b)->period - 1);
    }
    assert_int_equal(state(b)->limit, 5);
}

static void log_of_decisions(bench *b)
{
    static const bench_log rows[] = {
        {"kernel_start_i=1 nmax_i=8", "kernel start: Nmax 8, limit 4", {"dyncta DYN-1 kernel_start: nmax=8 | limit=0 | limit=4"}},
        {"kernel_start_i=0 almost=3,499 lcs_class_i=MEM_STALL", "sample 1: idle 3, memory 500 > 384: limit 4 -> 3",
         {"dyncta DYN-2 sample: sample=1 idle=3 mem=500 t_idle=16 t_mem_l=128 t_mem_h=384 row=3 | limit=4 | limit=3"}},
        {"almost=16,40 lcs_class_i=IDLE", "sample 2: idle 17 > 16, memory 40: limit 3 -> 4",
         {"dyncta DYN-2 sample: sample=2 idle=17 mem=40 t_idle=16 t_mem_l=128 t_mem_h=384 row=1 | limit=3 | limit=4"}},
        {"almost=3,5", "sample 3: idle 3, memory 5 < 128: limit 4 -> 5",
         {"dyncta DYN-2 sample: sample=3 idle=3 mem=5 t_idle=16 t_mem_l=128 t_mem_h=384 row=2 | limit=4 | limit=5"}},
        {"almost=3,200 lcs_class_i=CORE_STALL", "sample 4: idle 3, memory 200: limit 5 -> 5",
         {"dyncta DYN-2 sample: sample=4 idle=3 mem=200 t_idle=16 t_mem_l=128 t_mem_h=384 row=4 | limit=5 | limit=5"}},
    };

    expect_log(b, rows);
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
    in->nmax = (uint8_t)random_next(seed);
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
    const bool more = k->of_class[BALLAST_LCS_IDLE] > b->in.t_idle || k->of_class[BALLAST_LCS_MEM_STALL] < b->in.t_mem_l;
    const bool less = !more && k->of_class[BALLAST_LCS_MEM_STALL] > b->in.t_mem_h;

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
        keep_ranges(b);
        expected = book_cycle(&k, b);
        cycle(b);
        assert_memory_equal(&b->out, &expected, sizeof expected);
        expect(b, "limit_q=%u nmax_q=%u", k.limit, k.nmax);
        assert_int_equal(state(b)->timer, k.seen);
        assert_int_equal(state(b)->idle, k.of_class[BALLAST_LCS_IDLE]);
        assert_int_equal(state(b)->mem, k.of_class[BALLAST_LCS_MEM_STALL]);
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
        EACH_VARIANT("DYN-2: a sample is Period cycles", twins, dyn2_period),
        SCRIPT("DYN-2: idle and waiting cycles count, the kernel's first one does not", "dyncta",
               "lcs_class_i=IDLE kernel=8 timer_q=0 idle_q=0 mem_q=0 "
               "lcs_class_i=MEM_STALL cycle lcs_class_i=IDLE cycle lcs_class_i=CORE_STALL cycle lcs_class_i=ACTIVE cycle "
               "lcs_class_i=IDLE cycle timer_q=5 idle_q=2 mem_q=1"),
        SCRIPT("DYN-2: more idle cycles than t_idle mean more CTAs, before all else", "dyncta",
               "kernel=8 step=16,200,0 " /* at the threshold is not above it */
               "step=17,200,+1 step=16,385,-1 step=17,385,+1 step=2048,0,+1"),
        SCRIPT("DYN-2: waiting cycles below, between and above the thresholds", "dyncta",
               "kernel=8 step=0,0,+1 step=0,127,+1 step=0,128,0 step=0,129,0 step=0,383,0 step=0,384,0 step=0,385,-1 "
               "step=0,2048,-1"),
        SCRIPT("DYN-2: one threshold t2", "dyncta_short", /* Perf-Sat's description */
               "kernel=8 t_mem_l_i=100 t_mem_h_i=100 step=0,99,+1 step=0,100,0 step=0,101,-1"),
        SCRIPT("DYN-2: thresholds at their ends, and crossed", "dyncta_short",
               "kernel=8 t_idle_i=0 t_mem_l_i=0 t_mem_h_i=0 step=1,0,+1 step=0,0,0 step=0,1,-1 "
               "t_idle_i=400 t_mem_l_i=400 t_mem_h_i=400 "
               "step=400,0,+1 step=0,400,0 "                               /* few memory cycles, not many idle ones */
               "t_idle_i=511 t_mem_l_i=511 t_mem_h_i=511 step=0,400,+1 "   /* all that the port holds */
               "t_mem_l_i=300 t_mem_h_i=100 step=0,200,+1 step=0,300,-1"), /* crossed: few comes before many */
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
