/* SPDX-License-Identifier: Apache-2.0
 *
 * Lazy CTA scheduling with random inputs: against the rules as bookkeeping over a kernel, and twin against twin, in runs and from
 * single states.
 */
#include "blocks/lcs/bench.h"
#include "blocks/lcs/invariant.h"
#include "engine/random.h"
#include "engine/step_fixture.h"

static void random_inputs(lcs_in *in, const lcs_cfg *cfg, uint64_t *seed, unsigned finish_every)
{
    const uint32_t slots = UINT32_MAX >> (32 - cfg->num_slots);
    const uint64_t lanes = (UINT64_C(1) << slot_bits(cfg) * cfg->issue_width) - 1;
    const uint32_t half = (uint32_t)random_next(seed), other_half = (uint32_t)random_next(seed);

    in->enable = !random_one_in(seed, 20);
    in->kernel_start = random_one_in(seed, 150);
    in->nmax = (uint8_t)random_next(seed);
    in->issue_valid = (uint8_t)(random_next(seed) & ((1U << cfg->issue_width) - 1));
    in->issue_slot = random_next(seed) & lanes;
    if (random_one_in(seed, 2)) /* most of the time the first slots issue more than the others */
        in->issue_slot &= random_next(seed);
    in->cta_done = random_one_in(seed, finish_every) ? (uint32_t)random_next(seed) & slots : 0;
    in->cta_active = half & other_half & slots;
    in->bcast_valid = random_one_in(seed, 30);
    in->bcast_limit = (uint8_t)(random_next(seed) & (cfg->num_slots >= 32 ? 63 : cfg->num_slots >= 8 ? 15 : 7));
}

/* The rules once more as bookkeeping over a kernel: what was issued before the first finish,
 * and the cycle in which T_new must come. */
typedef struct books {
    uint32_t counts[32];
    unsigned nmax, limit;
    bool monitoring, known;
    bool half, was_half;      /* a count is so full; was it in the cycle before */
    bool tells;               /* T_new is known and not yet told */
    unsigned cycles_to_t_new; /* 0: none expected */
} books;

static void book_issues(books *k, const bench *b)
{
    for (unsigned lane = 0; lane < config(b)->issue_width; lane++) {
        const unsigned slot = b->in.issue_slot >> lane * slot_bits(config(b)) & ((1U << slot_bits(config(b))) - 1);

        if (b->in.issue_valid >> lane & 1)
            k->counts[slot]++;
    }
    memset(k->counts + config(b)->num_slots, 0, sizeof k->counts - config(b)->num_slots * sizeof *k->counts);
    for (unsigned slot = 0; slot < config(b)->num_slots; slot++)
        k->half |= 2 * (uint64_t)k->counts[slot] >= UINT64_C(1) << config(b)->count_w;
}

static void book_finish(books *k)
{
    uint64_t sum, max;

    sum_and_max(k->nmax, k->counts, &sum, &max);
    k->monitoring = false;
    k->cycles_to_t_new = k->nmax + 3 + (unsigned)(max ? sum / max : 0);
}

/* Says what the outputs of this cycle are, and goes on to the next. */
static lcs_out book_cycle(books *k, const bench *b)
{
    lcs_out expected = {.limit = (uint8_t)k->limit, .done = k->known, .pause = k->known && config(b)->throttle};

    if (!b->in.enable)
        return expected;
    expected.t_new_valid = k->tells;
    expected.t_new = k->tells ? (uint8_t)k->limit : 0;
    k->tells = false;
    if (b->in.kernel_start) {
        *k = (books){.nmax = b->in.nmax, .limit = b->in.nmax, .monitoring = b->in.nmax > 1, .known = b->in.nmax == 1};
        return expected;
    }
    const bool frozen = k->was_half;

    k->was_half = k->half;
    if (k->monitoring && b->in.listen) {
        if (b->in.bcast_valid) {
            k->limit = b->in.bcast_limit == 0 ? 1 : b->in.bcast_limit < k->nmax ? b->in.bcast_limit : k->nmax;
            k->known = true;
            k->monitoring = false;
        }
    } else if (k->monitoring) {
        if (!frozen)
            book_issues(k, b);
        if (b->in.cta_done)
            book_finish(k);
    } else if (k->cycles_to_t_new && --k->cycles_to_t_new == 0) {
        k->limit = eq1(b, k->nmax, k->counts);
        k->known = k->tells = true;
    }
    return expected;
}

static void random_against_books(bench *b)
{
    uint64_t seed = 0x1c5;
    unsigned decided = 0;
    books k = {.nmax = 0};
    for (unsigned i = 0; i < 60000; i++) {
        lcs_out expected;

        random_inputs(&b->in, config(b), &seed, i / 3000 % 2 ? 8 : 60);
        keep_ranges(b);
        b->in.listen = i / 1000 % 5 == 0;
        expected = book_cycle(&k, b);
        cycle(b);
        assert_memory_equal(&b->out, &expected, sizeof expected);
        if (b->out.t_new_valid)
            decided++;
        assert_true(state(b)->index <= state(b)->nmax);
    }
    assert_true(decided > 100); /* else the test has seen nothing */
}

static void draw_inputs(void *inputs, const void *cfg, uint64_t *seed, unsigned n)
{
    lcs_in *in = inputs;

    random_inputs(in, cfg, seed, n / 3000 % 2 ? 8 : 60);
    in->listen = random_one_in(seed, 3);
}

/* Sum and maximum as they can be after so many counts, near the ends of their ranges. */
static void draw_sums(step_fixture *f, lcs_state *s)
{
    const unsigned gathered = s->index ? s->index - 1u : 0;
    const unsigned left = s->index > s->nmax ? 0 : (unsigned)s->nmax - s->index;
    const unsigned maxima = s->state == LCS_ST_GATHER ? gathered : left;
    const uint64_t most = (uint64_t)maxima * s->max;
    const uint64_t least = s->state == LCS_ST_GATHER || s->index == 0 ? s->max : 0;

    if (s->state != LCS_ST_GATHER && s->state != LCS_ST_DIVIDE)
        s->sum = s->state == LCS_ST_MONITOR ? 0 : step_value(f, UINT64_C(0xffffffffff) >> 17);
    else if (most >= least && step_random(f, 2))
        s->sum = least + step_value(f, most - least);
    else
        s->sum = step_near(f, s->max, most);
}

/* What is under way while it counts; counts around the half. */
static void draw_counts(step_fixture *f, lcs_state *s, const lcs_cfg *cfg)
{
    const uint32_t half = UINT32_C(1) << (cfg->count_w - 1);

    for (unsigned slot = 0; slot < cfg->num_slots; slot++) {
        const uint32_t near = half - cfg->issue_width + step_random(f, UINT64_C(2) * cfg->issue_width);

        s->step[slot] = (uint8_t)(s->state == LCS_ST_MONITOR && step_random(f, 2) ? step_random(f, cfg->issue_width + 1) : 0);
        s->inst[slot] = step_random(f, 16) ? s->inst[slot] % (half - cfg->issue_width) : near;
    }
    if (s->state != LCS_ST_MONITOR)
        s->finish = 0;
    s->decided &= s->state == LCS_ST_THROTTLE;
}

/* Every state of a measurement that can be, with counts beside the maximum and the sum. */
static bool draw_step(step_fixture *f, void *registers, void *inputs)
{
    const lcs_cfg *cfg = step_config(f);
    lcs_state *s = registers;
    lcs_in *in = inputs;

    step_draw(f, PORT_REG, s);
    step_draw(f, PORT_IN, in);
    in->enable = step_random(f, 8) != 0;
    in->kernel_start = step_random(f, 8) == 0;
    if (step_random(f, 2))
        in->listen = 0;
    s->state = (uint8_t)step_random(f, 6);
    s->nmax = (uint8_t)(s->state == LCS_ST_IDLE ? 0 : 1 + step_random(f, 8));
    s->limit = (uint8_t)(step_random(f, 2) || s->nmax == 0 ? s->nmax : 1 + step_random(f, s->nmax));
    s->index = (uint8_t)(s->state == LCS_ST_MONITOR ? 0 : step_random(f, s->nmax + 1u));
    draw_counts(f, s, cfg);
    if (s->state == LCS_ST_MONITOR || (s->state == LCS_ST_GATHER && s->index == 0))
        s->max = s->picked = 0;
    draw_sums(f, s);
    if (s->state == LCS_ST_GATHER && s->index && step_random(f, 2))
        s->picked = (uint32_t)step_near(f, s->max, (1u << cfg->count_w) - 1);
    if (s->state == LCS_ST_DIVIDE)
        s->picked = ~s->max & ((1u << cfg->count_w) - 1);
    return !lcs_violated(s, cfg);
}

static const char *const twins[] = {"lcs", "lcs_ceil", "lcs_nearest", "lcs_narrow", NULL};

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_SIDES("random: 60 000 cycles against bookkeeping, floor", "lcs", random_against_books),
        BOTH_SIDES("random: 60 000 cycles against bookkeeping, ceil", "lcs_ceil", random_against_books),
        BOTH_SIDES("random: 60 000 cycles against bookkeeping, nearest", "lcs_nearest", random_against_books),
        BOTH_SIDES("random: 60 000 cycles against bookkeeping, 5-bit counts", "lcs_narrow", random_against_books),
        TWIN_CYCLES("twins: 100 000 random cycles per variant, every output and register", twins, 0x7715, 100000, draw_inputs),
        TWIN_STEPS("twins: one step from 200 000 states of a measurement", "lcs", 0x1c5, 200000, draw_step),
    };
    return cmocka_run_group_tests_name("lcs random", tests, NULL, NULL);
}
