/* SPDX-License-Identifier: Apache-2.0
 *
 * Algorithm 1 of Equalizer, each rule on the model and on the RTL.
 */

#include "sm/eq_decision.h"

#define BENCH_BLOCK eq_decision
#include "engine/bench.h"
#include "engine/random.h"
#include "sm/eq_counters.h"

/* EQ-7: what goes with each line of Algorithm 1, and never two of a kind. */
static void assert_actions(const eq_decision_out *out)
{
    static const struct { unsigned inc, dec, comp, mem; } lines[] = {
        {0, 0, 0, 0}, {0, 1, 0, 1}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 1, 0}, {1, 0, 0, 1}, {0, 0, 1, 0}};

    assert_in_range(out->branch, 0, 6);
    assert_int_equal(out->inc, lines[out->branch].inc);
    assert_int_equal(out->dec, lines[out->branch].dec);
    assert_int_equal(out->comp, lines[out->branch].comp);
    assert_int_equal(out->mem, lines[out->branch].mem);
}

static unsigned decide(bench *b, uint32_t active, uint32_t waiting, uint32_t xalu, uint32_t xmem, unsigned wcta)
{
    b->in = (eq_decision_in){active, waiting, xalu, xmem, (uint8_t)wcta};
    cycle(b);
    assert_actions(&b->out);
    return b->out.branch;
}

/* The largest number that as many bits as `most` needs can carry. */
static uint32_t all_ones(uint32_t most)
{
    uint32_t ones = 1;

    while (ones < most)
        ones = 2 * ones + 1;
    return ones;
}

static uint32_t sum_limit(const bench *b)
{
    return all_ones(config(b)->num_warps * config(b)->samples);
}

static uint32_t wcta_limit(const bench *b)
{
    return all_ones(config(b)->num_warps);
}

/* ---- the discriminating vectors ------------------------------------------------------------ */

static const struct vector {
    uint32_t active, waiting, xalu, xmem;
    unsigned exact, trunc;
} vectors[] = {
    {1536, 0, 0, 256, EQ_LIKELY_MEM, EQ_LIKELY_MEM},
    {1536, 0, 0, 257, EQ_DEFINITELY_MEM, EQ_LIKELY_MEM},
    {1536, 0, 0, 287, EQ_DEFINITELY_MEM, EQ_LIKELY_MEM},
    {1536, 0, 0, 288, EQ_DEFINITELY_MEM, EQ_DEFINITELY_MEM},
    {1536, 0, 257, 0, EQ_DEFINITELY_COMP, EQ_NONE},
    {1536, 0, 0, 65, EQ_LIKELY_MEM, EQ_NONE},
    {1536, 0, 0, 96, EQ_LIKELY_MEM, EQ_LIKELY_MEM},
    {33, 17, 0, 0, EQ_WAIT_MEM, EQ_NONE},
    {32, 16, 5, 5, EQ_NONE, EQ_NONE},
    {640, 321, 10, 10, EQ_WAIT_MEM, EQ_NONE},
    {0, 0, 0, 0, EQ_IDLE, EQ_IDLE},
    {31, 0, 0, 0, EQ_NONE, EQ_IDLE},
};
enum { NUM_VECTORS = sizeof vectors / sizeof vectors[0] };

static void eq_a2_exact(bench *b)
{
    for (const struct vector *v = vectors; v < vectors + NUM_VECTORS; v++)
        assert_int_equal(decide(b, v->active, v->waiting, v->xalu, v->xmem, 8), v->exact);
}

static void eq_a2_trunc(bench *b)
{
    for (const struct vector *v = vectors; v < vectors + NUM_VECTORS; v++)
        assert_int_equal(decide(b, v->active, v->waiting, v->xalu, v->xmem, 8), v->trunc);
}

static void eq_a2_raw(bench *b)
{
    assert_int_equal(decide(b, 1536, 0, 0, 9, 8), EQ_DEFINITELY_MEM);
    assert_int_equal(decide(b, 1536, 0, 0, 8, 8), EQ_LIKELY_MEM);
    assert_int_equal(decide(b, 1536, 0, 9, 3, 8), EQ_DEFINITELY_COMP);
    assert_int_equal(decide(b, 1536, 0, 8, 3, 8), EQ_LIKELY_MEM);
    assert_int_equal(decide(b, 1536, 0, 8, 2, 8), EQ_NONE);
    assert_int_equal(decide(b, 33, 17, 2, 1, 8), EQ_WAIT_COMP);
    assert_int_equal(decide(b, 33, 17, 1, 1, 8), EQ_WAIT_MEM);
    assert_int_equal(decide(b, 34, 17, 2, 1, 8), EQ_NONE);
    assert_int_equal(decide(b, 1, 0, 0, 0, 8), EQ_NONE);
    assert_int_equal(decide(b, 0, 0, 0, 0, 8), EQ_IDLE);
}

/* ---- line by line ---------------------------------------------------------------------------- */

/* nMem > Wcta for every CTA size: the last sum that is not more, and the first that is. */
static void line7_edges(bench *exact)
{
    bench trunc;

    open_bench(&trunc, "eq_decision_trunc", exact->dut.side);
    const uint32_t busy = 32 * config(exact)->num_warps;
    for (unsigned wcta = 0; wcta < config(exact)->num_warps; wcta++) {
        assert_int_not_equal(decide(exact, busy, busy, busy, 32 * wcta, wcta), EQ_DEFINITELY_MEM);
        assert_int_equal(decide(exact, busy, busy, busy, 32 * wcta + 1, wcta), EQ_DEFINITELY_MEM);
        assert_int_not_equal(decide(&trunc, busy, busy, busy, 32 * wcta + 31, wcta), EQ_DEFINITELY_MEM);
        assert_int_equal(decide(&trunc, busy, busy, busy, 32 * wcta + 32, wcta), EQ_DEFINITELY_MEM);
    }
    assert_int_equal(decide(exact, 0, 0, 0, sum_limit(exact), wcta_limit(exact)), EQ_DEFINITELY_MEM);
    assert_int_equal(decide(&trunc, 0, 0, 0, sum_limit(&trunc), wcta_limit(&trunc)), EQ_LIKELY_MEM);
    close_bench(&trunc);
}

static void line10_edges(bench *exact)
{
    bench trunc;

    open_bench(&trunc, "eq_decision_trunc", exact->dut.side);
    const uint32_t busy = 32 * config(exact)->num_warps;
    for (unsigned wcta = 0; wcta < config(exact)->num_warps; wcta++) {
        assert_int_not_equal(decide(exact, busy, busy, 32 * wcta, 0, wcta), EQ_DEFINITELY_COMP);
        assert_int_equal(decide(exact, busy, busy, 32 * wcta + 1, 0, wcta), EQ_DEFINITELY_COMP);
        assert_int_not_equal(decide(&trunc, busy, busy, 32 * wcta + 31, 0, wcta), EQ_DEFINITELY_COMP);
        assert_int_equal(decide(&trunc, busy, busy, 32 * wcta + 32, 0, wcta), EQ_DEFINITELY_COMP);
    }
    close_bench(&trunc);
}

static void eq8_line12_edges(bench *exact)
{
    bench trunc;

    open_bench(&trunc, "eq_decision_trunc", exact->dut.side);
    for (unsigned wcta = 4; wcta < config(exact)->num_warps; wcta++) {
        assert_int_equal(decide(exact, 1536, 0, 0, 64, wcta), EQ_NONE);
        assert_int_equal(decide(exact, 1536, 0, 0, 65, wcta), EQ_LIKELY_MEM);
        assert_int_equal(decide(exact, 1536, 1536, 0, 65, wcta), EQ_LIKELY_MEM); /* before line 14 */
        assert_int_equal(decide(&trunc, 1536, 0, 0, 95, wcta), EQ_NONE);
        assert_int_equal(decide(&trunc, 1536, 0, 0, 96, wcta), EQ_LIKELY_MEM);
    }
    close_bench(&trunc);
}

/* nWaiting > nActive / 2, for an odd nActive, too (EQ-A3). */
static void eq_a3_line14_edges(bench *exact)
{
    bench trunc;

    open_bench(&trunc, "eq_decision_trunc", exact->dut.side);
    for (uint32_t active = 1; active <= 32 * config(exact)->num_warps; active++) {
        assert_int_equal(decide(exact, active, active / 2, 0, 0, 8), EQ_NONE);
        assert_int_equal(decide(exact, active, active / 2 + 1, 0, 0, 8), EQ_WAIT_MEM);
    }
    for (uint32_t active = 1; active <= config(&trunc)->num_warps; active++) { /* averages */
        assert_int_equal(decide(&trunc, 32 * active + 31, 32 * (active / 2) + 31, 0, 0, 8), EQ_NONE);
        assert_int_equal(decide(&trunc, 32 * active, 32 * (active / 2 + 1), 0, 0, 8), EQ_WAIT_MEM);
    }
    assert_int_equal(decide(exact, sum_limit(exact), sum_limit(exact), 0, 0, 8), EQ_WAIT_MEM);
    close_bench(&trunc);
}

static void line16_alu_against_mem(bench *exact)
{
    bench trunc;

    open_bench(&trunc, "eq_decision_trunc", exact->dut.side);
    for (uint32_t mem = 0; mem <= 64; mem++) {
        assert_int_equal(decide(exact, 640, 640, mem, mem, 8), EQ_WAIT_MEM);
        assert_int_equal(decide(exact, 640, 640, mem + 1, mem, 8), EQ_WAIT_COMP);
        if (mem)
            assert_int_equal(decide(exact, 640, 640, mem - 1, mem, 8), EQ_WAIT_MEM);
        /* averages: the next multiple of 32 is the first that is more */
        assert_int_equal(decide(&trunc, 640, 640, mem / 32 * 32 + 31, mem, 8), EQ_WAIT_MEM);
        assert_int_equal(decide(&trunc, 640, 640, mem / 32 * 32 + 32, mem, 8), EQ_WAIT_COMP);
    }
    close_bench(&trunc);
}

static void eq16_idle(bench *exact)
{
    bench trunc;

    open_bench(&trunc, "eq_decision_trunc", exact->dut.side);
    for (unsigned wcta = 0; wcta <= config(exact)->num_warps; wcta++) {
        assert_int_equal(decide(exact, 0, 0, 0, 0, wcta), EQ_IDLE);
        assert_int_equal(decide(exact, 1, 0, 0, 0, wcta), EQ_NONE);
        assert_int_equal(decide(&trunc, 31, 31, 31, 31, wcta), EQ_IDLE);
        assert_int_equal(decide(&trunc, 32, 16, 31, 31, wcta), EQ_NONE);
    }
    close_bench(&trunc);
}

/* The first line that holds wins: a cycle in which all of them hold, then one less at a time. */
static void order_of_lines(bench *b)
{
    assert_int_equal(decide(b, 900, 800, 400, 300, 8), EQ_DEFINITELY_MEM);
    assert_int_equal(decide(b, 900, 800, 400, 200, 8), EQ_DEFINITELY_COMP);
    assert_int_equal(decide(b, 900, 800, 250, 200, 8), EQ_LIKELY_MEM);
    assert_int_equal(decide(b, 900, 800, 250, 60, 8), EQ_WAIT_COMP);
    assert_int_equal(decide(b, 900, 800, 50, 60, 8), EQ_WAIT_MEM);
    assert_int_equal(decide(b, 900, 400, 50, 60, 8), EQ_NONE);
    /* Wcta of 1 or 2: line 12 is never reached, line 7 takes its cases. */
    assert_int_equal(decide(b, 900, 800, 0, 65, 2), EQ_DEFINITELY_MEM);
    assert_int_equal(decide(b, 900, 800, 0, 33, 1), EQ_DEFINITELY_MEM);
}

static void no_kernel(bench *b)
{
    assert_int_equal(decide(b, 10, 0, 0, 1, 0), EQ_DEFINITELY_MEM);
    assert_int_equal(decide(b, 10, 0, 1, 0, 0), EQ_DEFINITELY_COMP);
    assert_int_equal(decide(b, 10, 6, 0, 0, 0), EQ_WAIT_MEM);
    assert_int_equal(decide(b, 10, 0, 0, 0, 0), EQ_NONE);
}

/* ---- a third statement: the conditions on fractions, each on its own --------------------------- */

/* Warps as the mode sees them, in fractions of 1 / samples. */
static uint64_t warps_of(const eq_decision_cfg *c, uint32_t sum)
{
    if (c->avg_mode == EQ_AVG_TRUNC)
        return sum - sum % c->samples;
    return c->avg_mode == EQ_AVG_RAW ? (uint64_t)sum * c->samples : sum;
}

static unsigned by_fractions(const bench *b)
{
    const uint64_t one = config(b)->samples, wcta = b->in.wcta * one;
    const uint64_t active = warps_of(config(b), b->in.active), waiting = warps_of(config(b), b->in.waiting);
    const uint64_t alu = warps_of(config(b), b->in.xalu), mem = warps_of(config(b), b->in.xmem);
    const bool holds[] = {[EQ_DEFINITELY_MEM] = mem > wcta,
                          [EQ_DEFINITELY_COMP] = alu > wcta,
                          [EQ_LIKELY_MEM] = mem > 2 * one,
                          [EQ_WAIT_COMP] = waiting + waiting > active && alu > mem,
                          [EQ_WAIT_MEM] = waiting + waiting > active && alu <= mem,
                          [EQ_IDLE] = active == 0};

    for (unsigned line = EQ_DEFINITELY_MEM; line <= EQ_IDLE; line++)
        if (holds[line])
            return line;
    return EQ_NONE;
}

/* All there is: 2^(4 x SumW) sums for every Wcta. 2 x Samples does not fit in a sum here. */
static void exhaustive_tiny(bench *b)
{
    unsigned seen = 0;
    const uint32_t ones = sum_limit(b);
    assert_int_equal(ones, 3);
    for (uint32_t sums = 0; sums < 256; sums++) {
        for (unsigned wcta = 0; wcta <= wcta_limit(b); wcta++) {
            const unsigned branch = decide(b, sums & ones, sums >> 2 & ones, sums >> 4 & ones, sums >> 6 & ones, wcta);

            assert_int_equal(branch, by_fractions(b));
            seen |= 1u << branch;
        }
    }
    /* With Wcta 1 at most, what would be line 12 is line 7; the rest occurs. */
    assert_int_equal(seen, 0x7f & ~(1u << EQ_LIKELY_MEM));
}

/* Anywhere, or within two of something that is compared with something. */
static uint32_t random_sum(const bench *b, uint64_t *seed, uint32_t other)
{
    const uint32_t ones = sum_limit(b), near = (uint32_t)(random_next(seed) % 5) - 2;
    uint32_t sum = (uint32_t)random_next(seed);

    switch (random_next(seed) % 8) {
    case 0: sum = b->in.wcta * config(b)->samples + near; break;
    case 1: sum = 2 * config(b)->samples + near; break;
    case 2: sum = (b->in.wcta + 1) * config(b)->samples + near; break;
    case 3: sum = other / 2 + near; break;
    case 4: sum = other + near; break;
    case 5: sum = near; break;
    case 6: sum %= 4 * config(b)->samples; break;
    default: break;
    }
    return sum & ones;
}

static void random_sums(bench *b)
{
    uint64_t seed = 14;
    unsigned seen = 0;
    for (unsigned i = 0; i < 40000; i++) {
        b->in.wcta = (uint8_t)(random_next(&seed) % (i % 4 ? 12 : 256) & wcta_limit(b));
        const uint32_t active = random_sum(b, &seed, 0), waiting = random_sum(b, &seed, active);
        const uint32_t mem = random_sum(b, &seed, active), alu = random_sum(b, &seed, mem);
        const unsigned branch = decide(b, active, waiting, alu, mem, b->in.wcta);

        assert_int_equal(branch, by_fractions(b));
        seen |= 1u << branch;
    }
    assert_int_equal(seen, 0x7f); /* every line was taken */
}

/* ---- the bus -------------------------------------------------------------------------------------- */

static void bind_sums_and_kernel(bench *b)
{
    const eq_counters_out sums = {.active = 1535, .waiting = 77, .xalu = 31, .xmem = 257};
    const void *const needs[] = {&sums};
    sm_setup setup = {.kernel = {.warps_per_cta = 8}};
    const sm_obs obs = {.setup = &setup};
    const sm_obs *const bus[] = {&obs};
    lockstep_values in = {{0}};
    const eq_decision_in *const fields = (const eq_decision_in *)(const void *)&in;
    b->dut.block->model->bind(&in, &b->dut.cfg, bus, needs);
    assert_int_equal(fields->active, 1535);
    assert_int_equal(fields->waiting, 77);
    assert_int_equal(fields->xalu, 31);
    assert_int_equal(fields->xmem, 257);
    assert_int_equal(fields->wcta, 8);
    reopen_bench(b, "eq_decision_small"); /* narrower than the counters: 5 bits, and 3 for Wcta */
    setup.kernel.warps_per_cta = 13;
    b->dut.block->model->bind(&in, &b->dut.cfg, bus, needs);
    assert_int_equal(fields->active, 1535 % 32);
    assert_int_equal(fields->xmem, 257 % 32);
    assert_int_equal(fields->wcta, 13 % 8);
}

static void defaults(bench *b)
{
    lockstep_values config;
    const eq_decision_cfg *const c = (const eq_decision_cfg *)(const void *)&config;
    char bad[64];
    b->dut.block->model->configure(&config, "", bad, sizeof bad);
    assert_int_equal(c->num_warps, 48);
    assert_int_equal(c->samples, 32);
    assert_int_equal(c->avg_mode, EQ_AVG_EXACT_SUM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("EQ-A2: the discriminating vectors, EXACT_SUM", "eq_decision", eq_a2_exact),
        BOTH_SIDES("EQ-A2: the discriminating vectors, TRUNC_AVG", "eq_decision_trunc", eq_a2_trunc),
        BOTH_SIDES("EQ-A2: sums against warps, RAW", "eq_decision_raw", eq_a2_raw),
        BOTH_SIDES("EQ-A1, line 7: X_mem above Wcta, for every Wcta", "eq_decision", line7_edges),
        BOTH_SIDES("EQ-A1, line 10: X_alu above Wcta, for every Wcta", "eq_decision", line10_edges),
        BOTH_SIDES("EQ-8, line 12: two warps in X_mem saturate", "eq_decision", eq8_line12_edges),
        BOTH_SIDES("EQ-A3, line 14: half of the active warps wait, for every nActive", "eq_decision", eq_a3_line14_edges),
        BOTH_SIDES("line 16: X_alu against X_mem, a tie is the memory's", "eq_decision", line16_alu_against_mem),
        BOTH_SIDES("EQ-16, EQ-A19, line 21: an idle SM asks for CompAction", "eq_decision", eq16_idle),
        BOTH_SIDES("EQ-7: the first line that holds wins", "eq_decision", order_of_lines),
        BOTH_SIDES("no kernel: Wcta 0", "eq_decision", no_kernel),
        BOTH_SIDES("EQ-7, EQ-9: one warp, two samples, exhaustively", "eq_decision_tiny", exhaustive_tiny),
        BOTH_SIDES("EQ-7, EQ-9: 40 000 random sums against fractions, EXACT_SUM", "eq_decision", random_sums),
        BOTH_SIDES("EQ-7, EQ-9: 40 000 random sums against fractions, TRUNC_AVG", "eq_decision_trunc", random_sums),
        BOTH_SIDES("EQ-7, EQ-9: 40 000 random sums against fractions, RAW", "eq_decision_raw", random_sums),
        BOTH_SIDES("EQ-A4: random sums against fractions, 5 warps and 4 samples, EXACT_SUM", "eq_decision_small", random_sums),
        BOTH_SIDES("EQ-A4: random sums against fractions, 5 warps and 4 samples, TRUNC_AVG", "eq_decision_smalltrunc", random_sums),
        BOTH_SIDES("defaults: 48 warps, 32 samples, EXACT_SUM", "eq_decision", defaults),
        BOTH_SIDES("bus: sums from the counters, Wcta from the kernel, cut to the ports", "eq_decision", bind_sums_and_kernel),
    };
    return cmocka_run_group_tests_name("eq_decision", tests, NULL, NULL);
}
