/* SPDX-License-Identifier: Apache-2.0
 *
 * Algorithm 1 of Equalizer, each rule on the model and on the RTL.
 */

#include "sm/eq_decision.h"

#define BENCH_BLOCK eq_decision
#include "engine/bench.h"
#include "engine/random.h"
#include "sm/eq_counters.h"

static const char *const modes[] = {"eq_decision", "eq_decision_trunc", NULL};
static const char *const modes_and_widths[] = {"eq_decision", "eq_decision_trunc", "eq_decision_raw", "eq_decision_small",
                                               "eq_decision_smalltrunc", NULL};

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

/* What a port can carry. */
static uint32_t most_of(const bench *b, const char *port)
{
    return UINT32_MAX >> (32 - port_find(&b->dut.ports, port)->width);
}

/* Sums are compared in steps of as much: averages are cut. */
static uint32_t step_of(const bench *b)
{
    return config(b)->avg_mode == BALLAST_EQ_AVG_TRUNC ? config(b)->samples : 1;
}

/* The last sum that is not more than so many warps. */
static uint32_t last_of(const bench *b, unsigned warps)
{
    return config(b)->samples * warps + step_of(b) - 1;
}

/* ---- the discriminating vectors ------------------------------------------------------------ */

static const struct vector {
    uint32_t active, waiting, xalu, xmem;
    unsigned exact, trunc;
} vectors[] = {
    {1536, 0, 0, 256, BALLAST_EQ_LIKELY_MEM, BALLAST_EQ_LIKELY_MEM},
    {1536, 0, 0, 257, BALLAST_EQ_DEFINITELY_MEM, BALLAST_EQ_LIKELY_MEM},
    {1536, 0, 0, 287, BALLAST_EQ_DEFINITELY_MEM, BALLAST_EQ_LIKELY_MEM},
    {1536, 0, 0, 288, BALLAST_EQ_DEFINITELY_MEM, BALLAST_EQ_DEFINITELY_MEM},
    {1536, 0, 257, 0, BALLAST_EQ_DEFINITELY_COMP, BALLAST_EQ_NONE},
    {1536, 0, 0, 65, BALLAST_EQ_LIKELY_MEM, BALLAST_EQ_NONE},
    {1536, 0, 0, 96, BALLAST_EQ_LIKELY_MEM, BALLAST_EQ_LIKELY_MEM},
    {33, 17, 0, 0, BALLAST_EQ_WAIT_MEM, BALLAST_EQ_NONE},
    {32, 16, 5, 5, BALLAST_EQ_NONE, BALLAST_EQ_NONE},
    {640, 321, 10, 10, BALLAST_EQ_WAIT_MEM, BALLAST_EQ_NONE},
    {0, 0, 0, 0, BALLAST_EQ_IDLE, BALLAST_EQ_IDLE},
    {31, 0, 0, 0, BALLAST_EQ_NONE, BALLAST_EQ_IDLE},
};
enum { NUM_VECTORS = sizeof vectors / sizeof vectors[0] };

RULE_EACH(eq_a2_vectors, "EQ-A2: the discriminating vectors, EXACT_SUM and TRUNC_AVG", modes)
{
    for (const struct vector *v = vectors; v < vectors + NUM_VECTORS; v++)
        assert_int_equal(decide(b, v->active, v->waiting, v->xalu, v->xmem, 8), step_of(b) > 1 ? v->trunc : v->exact);
}

RULE(eq_a2_raw, "EQ-A2: sums against warps, RAW", "eq_decision_raw")
{
    assert_int_equal(decide(b, 1536, 0, 0, 9, 8), BALLAST_EQ_DEFINITELY_MEM);
    assert_int_equal(decide(b, 1536, 0, 0, 8, 8), BALLAST_EQ_LIKELY_MEM);
    assert_int_equal(decide(b, 1536, 0, 9, 3, 8), BALLAST_EQ_DEFINITELY_COMP);
    assert_int_equal(decide(b, 1536, 0, 8, 3, 8), BALLAST_EQ_LIKELY_MEM);
    assert_int_equal(decide(b, 1536, 0, 8, 2, 8), BALLAST_EQ_NONE);
    assert_int_equal(decide(b, 33, 17, 2, 1, 8), BALLAST_EQ_WAIT_COMP);
    assert_int_equal(decide(b, 33, 17, 1, 1, 8), BALLAST_EQ_WAIT_MEM);
    assert_int_equal(decide(b, 34, 17, 2, 1, 8), BALLAST_EQ_NONE);
    assert_int_equal(decide(b, 1, 0, 0, 0, 8), BALLAST_EQ_NONE);
    assert_int_equal(decide(b, 0, 0, 0, 0, 8), BALLAST_EQ_IDLE);
}

/* ---- line by line ---------------------------------------------------------------------------- */

/* nMem > Wcta, nAlu > Wcta for every CTA size: the last sum that is not more, and the first that is. */
RULE_EACH(line7_and_line10_edges, "EQ-A1, lines 7 and 10: X_mem and X_alu above Wcta, for every Wcta", modes)
{
    const uint32_t busy = 32 * config(b)->num_warps, most = most_of(b, "xmem_i");
    const unsigned widest = most_of(b, "wcta_i");

    for (unsigned wcta = 0; wcta < config(b)->num_warps; wcta++)
        for (unsigned more = 0; more < 2; more++) {
            assert_int_equal(decide(b, busy, busy, busy, last_of(b, wcta) + more, wcta) == BALLAST_EQ_DEFINITELY_MEM, more);
            assert_int_equal(decide(b, busy, busy, last_of(b, wcta) + more, 0, wcta) == BALLAST_EQ_DEFINITELY_COMP, more);
        }
    assert_int_equal(decide(b, 0, 0, 0, most, widest), most > last_of(b, widest) ? BALLAST_EQ_DEFINITELY_MEM : BALLAST_EQ_LIKELY_MEM);
}

RULE_EACH(eq8_line12_edges, "EQ-8, line 12: two warps in X_mem saturate", modes)
{
    for (unsigned wcta = 4; wcta < config(b)->num_warps; wcta++) {
        assert_int_equal(decide(b, 1536, 0, 0, last_of(b, 2), wcta), BALLAST_EQ_NONE);
        assert_int_equal(decide(b, 1536, 0, 0, last_of(b, 2) + 1, wcta), BALLAST_EQ_LIKELY_MEM);
        assert_int_equal(decide(b, 1536, 1536, 0, last_of(b, 2) + 1, wcta), BALLAST_EQ_LIKELY_MEM); /* before line 14 */
    }
}

/* nWaiting > nActive / 2, for an odd nActive, too (EQ-A3). */
RULE_EACH(eq_a3_line14_edges, "EQ-A3, line 14: half of the active warps wait, for every nActive", modes)
{
    const uint32_t step = step_of(b), most = most_of(b, "active_i");

    for (uint32_t active = 1; active <= 32 * config(b)->num_warps / step; active++) {
        assert_int_equal(decide(b, step * active + step - 1, step * (active / 2) + step - 1, 0, 0, 8), BALLAST_EQ_NONE);
        assert_int_equal(decide(b, step * active, step * (active / 2 + 1), 0, 0, 8), BALLAST_EQ_WAIT_MEM);
    }
    assert_int_equal(decide(b, most, most, 0, 0, 8), BALLAST_EQ_WAIT_MEM);
}

RULE_EACH(line16_alu_against_mem, "line 16: X_alu against X_mem, a tie is the memory's", modes)
{
    for (uint32_t mem = 0; mem <= 64; mem++) {
        const uint32_t tie = mem - mem % step_of(b) + step_of(b) - 1; /* the last that is */

        assert_int_equal(decide(b, 640, 640, mem, mem, 8), BALLAST_EQ_WAIT_MEM);
        assert_int_equal(decide(b, 640, 640, tie, mem, 8), BALLAST_EQ_WAIT_MEM);
        assert_int_equal(decide(b, 640, 640, tie + 1, mem, 8), BALLAST_EQ_WAIT_COMP);
        if (mem)
            assert_int_equal(decide(b, 640, 640, mem - 1, mem, 8), BALLAST_EQ_WAIT_MEM);
    }
}

RULE_EACH(eq16_idle, "EQ-16, EQ-A19, line 21: an idle SM asks for CompAction", modes)
{
    const uint32_t none = last_of(b, 0), one = none + 1;

    for (unsigned wcta = 0; wcta <= config(b)->num_warps; wcta++) {
        assert_int_equal(decide(b, none, none, none, none, wcta), BALLAST_EQ_IDLE);
        assert_int_equal(decide(b, one, one / 2, none, none, wcta), BALLAST_EQ_NONE);
    }
}

/* The first line that holds wins: a cycle in which all of them hold, then one less at a time. */
RULE(order_of_lines, "EQ-7: the first line that holds wins", "eq_decision")
{
    assert_int_equal(decide(b, 900, 800, 400, 300, 8), BALLAST_EQ_DEFINITELY_MEM);
    assert_int_equal(decide(b, 900, 800, 400, 200, 8), BALLAST_EQ_DEFINITELY_COMP);
    assert_int_equal(decide(b, 900, 800, 250, 200, 8), BALLAST_EQ_LIKELY_MEM);
    assert_int_equal(decide(b, 900, 800, 250, 60, 8), BALLAST_EQ_WAIT_COMP);
    assert_int_equal(decide(b, 900, 800, 50, 60, 8), BALLAST_EQ_WAIT_MEM);
    assert_int_equal(decide(b, 900, 400, 50, 60, 8), BALLAST_EQ_NONE);
    /* Wcta of 1 or 2: line 12 is never reached, line 7 takes its cases. */
    assert_int_equal(decide(b, 900, 800, 0, 65, 2), BALLAST_EQ_DEFINITELY_MEM);
    assert_int_equal(decide(b, 900, 800, 0, 33, 1), BALLAST_EQ_DEFINITELY_MEM);
}

RULE(no_kernel, "no kernel: Wcta 0", "eq_decision")
{
    assert_int_equal(decide(b, 10, 0, 0, 1, 0), BALLAST_EQ_DEFINITELY_MEM);
    assert_int_equal(decide(b, 10, 0, 1, 0, 0), BALLAST_EQ_DEFINITELY_COMP);
    assert_int_equal(decide(b, 10, 6, 0, 0, 0), BALLAST_EQ_WAIT_MEM);
    assert_int_equal(decide(b, 10, 0, 0, 0, 0), BALLAST_EQ_NONE);
}

/* ---- a third statement: the conditions on fractions, each on its own --------------------------- */

/* Warps as the mode sees them, in fractions of 1 / samples. */
static uint64_t warps_of(const eq_decision_cfg *c, uint32_t sum)
{
    if (c->avg_mode == BALLAST_EQ_AVG_TRUNC)
        return sum - sum % c->samples;
    return c->avg_mode == BALLAST_EQ_AVG_RAW ? (uint64_t)sum * c->samples : sum;
}

static unsigned by_fractions(const bench *b)
{
    const uint64_t one = config(b)->samples, wcta = b->in.wcta * one;
    const uint64_t active = warps_of(config(b), b->in.active), waiting = warps_of(config(b), b->in.waiting);
    const uint64_t alu = warps_of(config(b), b->in.xalu), mem = warps_of(config(b), b->in.xmem);
    const bool holds[] = {[BALLAST_EQ_DEFINITELY_MEM] = mem > wcta,
                          [BALLAST_EQ_DEFINITELY_COMP] = alu > wcta,
                          [BALLAST_EQ_LIKELY_MEM] = mem > 2 * one,
                          [BALLAST_EQ_WAIT_COMP] = waiting + waiting > active && alu > mem,
                          [BALLAST_EQ_WAIT_MEM] = waiting + waiting > active && alu <= mem,
                          [BALLAST_EQ_IDLE] = active == 0};

    for (unsigned line = BALLAST_EQ_DEFINITELY_MEM; line <= BALLAST_EQ_IDLE; line++)
        if (holds[line])
            return line;
    return BALLAST_EQ_NONE;
}

/* All there is: 2^(4 x SumW) sums for every Wcta. 2 x Samples does not fit in a sum here. */
RULE(exhaustive_tiny, "EQ-7, EQ-9: one warp, two samples, exhaustively", "eq_decision_tiny")
{
    unsigned seen = 0;
    const uint32_t ones = most_of(b, "active_i");
    assert_int_equal(ones, 3);
    for (uint32_t sums = 0; sums < 256; sums++) {
        for (unsigned wcta = 0; wcta <= most_of(b, "wcta_i"); wcta++) {
            const unsigned branch = decide(b, sums & ones, sums >> 2 & ones, sums >> 4 & ones, sums >> 6 & ones, wcta);

            assert_int_equal(branch, by_fractions(b));
            seen |= 1u << branch;
        }
    }
    /* With Wcta 1 at most, what would be line 12 is line 7; the rest occurs. */
    assert_int_equal(seen, 0x7f & ~(1u << BALLAST_EQ_LIKELY_MEM));
}

/* Anywhere, or within two of something that is compared with something. */
static uint32_t random_sum(const bench *b, uint64_t *seed, uint32_t other)
{
    const uint32_t ones = most_of(b, "active_i"), near = (uint32_t)(random_next(seed) % 5) - 2;
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

RULE_EACH(random_sums, "EQ-7, EQ-9, EQ-A4: random sums against fractions, in each mode and width", modes_and_widths)
{
    uint64_t seed = 14;
    unsigned seen = 0;
    for (unsigned i = 0; i < 40000; i++) {
        b->in.wcta = (uint8_t)(random_next(&seed) % (i % 4 ? 12 : 256) & most_of(b, "wcta_i"));
        const uint32_t active = random_sum(b, &seed, 0), waiting = random_sum(b, &seed, active);
        const uint32_t mem = random_sum(b, &seed, active), alu = random_sum(b, &seed, mem);
        const unsigned branch = decide(b, active, waiting, alu, mem, b->in.wcta);

        assert_int_equal(branch, by_fractions(b));
        seen |= 1u << branch;
    }
    assert_int_equal(seen, 0x7f); /* every line was taken */
}

/* ---- the bus -------------------------------------------------------------------------------------- */

RULE(bind_sums_and_kernel, "bus: sums from the counters, Wcta from the kernel, cut to the ports", "eq_decision")
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

TEST(defaults)
{
    const eq_decision_cfg cfg = eq_decision_cfg_default();

    assert_int_equal(cfg.num_warps, 48);
    assert_int_equal(cfg.samples, 32);
    assert_int_equal(cfg.avg_mode, BALLAST_EQ_AVG_EXACT_SUM);
}
