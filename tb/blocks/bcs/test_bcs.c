/* SPDX-License-Identifier: Apache-2.0
 *
 * What the next CTA is, each rule on the model and on the RTL. The random test compares it with a grid that is cut into pairs by
 * division before the first CTA is taken.
 */
#include "chip/bcs.h"

#define BENCH_BLOCK bcs
#include "engine/bench.h"
#include "engine/random.h"
#include "engine/step_fixture.h"

static const char *const variants[] = {"bcs", "bcs_row", NULL};

/* A kernel with rows of this width; what `pairs` says is an input. */
static void kernel(bench *b, unsigned width)
{
    b->in.start = 1;
    b->in.width = width;
    cycle(b);
    b->in.start = 0;
    b->in.width = 0xffff;
}

static void take(bench *b, unsigned n)
{
    b->in.take = 1;
    cycles(b, n);
    b->in.take = 0;
}

static const bench_word words[] = {{"kernel", kernel, NULL}, {"take", take, NULL}, {NULL, NULL, NULL}};

/* A letter for each of the CTAs that follow: f first, s second, a alone, - without pairs. */
static void expect_grid(bench *b, const char *kinds)
{
    for (; *kinds; kinds++) {
        take(b, 1);
        expect(b, "first_o=%u second_o=%u alone_o=%u on_o=%u", *kinds == 'f', *kinds == 's', *kinds == 'a', *kinds != '-');
    }
}

TEST(defaults)
{
    assert_int_equal(bcs_cfg_default().pair_row_wrap, BCS_LINEAR);
}

RULE_EACH(reset_state, "reset: no pairs", variants)
{
    for (unsigned i = 0; i < 2; i++) { /* the second time in the middle of a pair */
        play(b, "on_q=0 odd_q=0 split_q=0 row_q=0 width_q=0 cycle on_o=0 first_o=0 second_o=0 alone_o=0");
        play(b, "take=1 on_o=0 odd_q=0 kernel=7 take=1");
        dut_reset(&b->dut);
    }
}

RULE_EACH(bcs1_pairs, "BCS-1: a CTA and the one after it, again and again", variants)
{
    kernel(b, 8);
    expect_grid(b, "fsfsfsfsfsfs");
    play(b, "take=1 first_o=1 cycle second_o=1 cycle=9 second_o=1 take=1 second_o=1 cycle first_o=1 cycle=9 first_o=1");
}

RULE_EACH(bcs2_without_pairs, "BCS-2, COMB-4: a kernel without pairs hears of none", variants)
{
    play(b, "pairs_i=0 kernel=2 on_q=0");
    expect_grid(b, "---");
    play(b, "last_i=1 alone_i=1");
    expect_grid(b, "--");
    play(b, "last_i=0 alone_i=0 pairs_i=1");
    expect_grid(b, "--"); /* read at a start alone */
    kernel(b, 2);
    b->in.pairs = 0;
    expect_grid(b, "fsf");
    kernel(b, 2);
    expect_grid(b, "-");
}

RULE_EACH(start_begins_anew, "BCS-1: a kernel begins with a pair, whatever was before", variants)
{
    kernel(b, 5);
    expect_grid(b, "fsf");
    kernel(b, 5);
    expect_grid(b, "f");
    play(b, "take_i=1 kernel=5 take_i=0 odd_q=0"); /* a CTA in the cycle of a start counts for nothing */
    play(b, "alone_i=1 take=1 split_q=1 alone_i=0 kernel=5 split_q=0");
    expect_grid(b, "fsf");
}

RULE(bcs_a1_linear, "BCS-A1: over the whole grid, a pair may lie in two rows", "bcs")
{
    kernel(b, 3);
    expect_grid(b, "fsfsfsfs");
    play(b, "row_q=0 width_q=0");
}

RULE(bcs_a1_per_row, "BCS-A1: in each row anew, the last CTA of an odd row goes alone", "bcs_row")
{
    kernel(b, 3);
    play(b, "row_q=3 width_q=3");
    expect_grid(b, "fsafsafsa");
    kernel(b, 4);
    expect_grid(b, "fsfsfsfs");
    kernel(b, 1);
    expect_grid(b, "aaaa");
    kernel(b, 2);
    expect_grid(b, "fsfs");
    kernel(b, 5);
    play(b, "take=4 row_q=1 take=1 alone_o=1 row_q=5 odd_q=0");
}

/* Rows that no test walks to the end of. */
RULE(bcs_a1_widths, "BCS-A1: a row of any width, 0 is one that does not end", "bcs_row")
{
    uint64_t seed = 0x3d;

    for (unsigned n = 0; n < 200; n++) {
        const uint32_t width = (uint32_t)random_next(&seed);

        kernel(b, width);
        expect(b, "row_q=%u width_q=%u", width, width);
    }
    kernel(b, 0);
    expect_grid(b, "fsfs");
    play(b, "row_q=4294967292 row_q:=2 odd_q:=0 take=1 first_o=1 take=1 second_o=1 row_q=0"); /* after 4294967294 CTAs */
    kernel(b, UINT32_MAX);
    play(b, "row_q:=1 take=1 alone_o=1 row_q=4294967295");
    for (unsigned bit = 1; bit < 32; bit++)
        play(b, "kernel=2 row_q:=%u cycle first_o=1", (1u << bit) + 1);
}

RULE_EACH(bcs_a4_last, "BCS-A4: the last CTA of an odd grid goes alone", variants)
{
    kernel(b, 9);
    expect_grid(b, "fsfs");
    b->in.last = 1;
    expect_grid(b, "a");
    b->in.last = 0;
    kernel(b, 9);
    expect_grid(b, "fsf");
    b->in.last = 1; /* of an even one it is a second CTA */
    expect_grid(b, "s");
    kernel(b, 9);
    expect_grid(b, "a"); /* a grid of one */
}

RULE_EACH(bcs_a2_alone, "BCS-A2: the neighbour of a CTA that went alone goes alone, and pairs keep their places", variants)
{
    kernel(b, 8);
    b->in.alone = 1;
    expect_grid(b, "fafa");
    b->in.alone = 0;
    expect_grid(b, "fs");
    b->in.alone = 1;
    expect_grid(b, "f");
    b->in.alone = 0;
    expect_grid(b, "afsf");
    b->in.alone = 1; /* of a second CTA it says nothing */
    expect_grid(b, "s");
    expect(b, "split_q=0");
    b->in.alone = 0;
    expect_grid(b, "fs");
    b->in.alone = 1; /* nor without a CTA */
    play(b, "cycle=3 first_o=1");
    b->in.alone = 0;
    expect_grid(b, "fs");
}

RULE(bcs_a2_in_rows, "BCS-A2, BCS-A1: a CTA alone at the end of a row begins no pair in the next", "bcs_row")
{
    kernel(b, 2);
    b->in.alone = 1;
    expect_grid(b, "fa");
    b->in.alone = 0;
    expect_grid(b, "fs");
    kernel(b, 3);
    b->in.alone = 1;
    expect_grid(b, "faa");
    b->in.alone = 0;
    expect_grid(b, "fsa");
}

/* ---- the rules once more: a grid that is cut into pairs beforehand ------------------------- */

enum { MOST_CTAS = 200 };

/* Which CTA each one is with: itself, if it goes alone. */
static void cut_into_pairs(unsigned *with, unsigned grid, unsigned width, bool linear)
{
    for (unsigned i = 0; i < grid; i++) {
        const unsigned x = linear || width == 0 ? i : i % width;
        const unsigned other = x % 2 ? i - 1 : i + 1;
        const bool same_row = linear || width == 0 || i / width == other / width;

        with[i] = other < grid && same_row ? other : i;
    }
}

static void split(unsigned *with, unsigned cta)
{
    with[with[cta]] = with[cta];
    with[cta] = cta;
}

static void check_kernel(bench *b, uint64_t *seed, unsigned grid, unsigned width)
{
    unsigned with[MOST_CTAS];

    cut_into_pairs(with, grid, width, config(b)->pair_row_wrap == BCS_LINEAR);
    b->in.pairs = !random_one_in(seed, 5);
    kernel(b, width);
    for (unsigned next = 0; next < grid;) {
        const bool pairs = b->seen.start ? b->seen.pairs : state(b)->on;

        b->in.last = next == grid - 1;
        b->in.take = !random_one_in(seed, 3);
        b->in.alone = random_one_in(seed, 4);
        b->in.pairs = random_one_in(seed, 2);
        b->in.width = (uint32_t)random_next(seed);
        cycle(b);
        expect(b, "on_o=%u first_o=%u second_o=%u alone_o=%u", pairs, pairs && with[next] > next, pairs && with[next] < next,
               pairs && with[next] == next);
        if (b->seen.take && b->seen.alone && with[next] > next)
            split(with, next);
        next += b->seen.take;
    }
}

RULE_EACH(random_against_a_grid, "BCS-1, BCS-A1, BCS-A2, BCS-A4: random grids against grids that were cut into pairs", variants)
{
    uint64_t seed = 0x6c5;

    for (unsigned n = 0; n < 500; n++) {
        const unsigned width = random_one_in(&seed, 8) ? 0 : 1 + random_below(&seed, 9);

        check_kernel(b, &seed, 1 + random_below(&seed, n % 2 ? 12 : MOST_CTAS), width);
    }
}

/* ---- twins --------------------------------------------------------------------------------- */

/* Anything at all, also CTAs after the last one of a grid. */
static void draw_inputs(void *inputs, const void *cfg, uint64_t *seed, unsigned n)
{
    bcs_in *in = inputs;

    (void)cfg, (void)n;
    in->start = random_one_in(seed, 40);
    in->pairs = !random_one_in(seed, 4);
    in->width = random_one_in(seed, 9) ? (uint32_t)random_next(seed) : random_below(seed, 7);
    in->take = !random_one_in(seed, 3);
    in->alone = random_one_in(seed, 4);
    in->last = random_one_in(seed, 20);
}

SUITE_TESTS(twins, TWIN_CYCLES("twins: any inputs", variants, 0x1b5, 20000, draw_inputs),
            EACH_TWIN_STEPS("twins: one step from 10 000 states", variants, 0x3c4, 10000, step_draw_any))

/* ---- the log ------------------------------------------------------------------------------- */

RULE(log_of_pairs, "log: kernels, pairs, and CTAs alone", "bcs_row")
{
    b->in.start = 1;
    b->in.width = 3;
    expect_decision(b, "bcs BCS-2 kernel_start: width=3 | | pairs=yes", "kernel start: CTAs in pairs");
    b->in.start = 0;
    take(b, 1);
    b->in.take = 1;
    expect_decision(b, "bcs BCS-1 pair: | |", "a pair");
    expect_decision(b, "bcs BCS-A1 alone: why=row_end | |", "a CTA alone: row_end");
    b->in.alone = 1;
    expect_decision(b, "bcs BCS-A2 alone: why=one_place | |", "a CTA alone: one_place");
    b->in.alone = 0;
    expect_decision(b, "bcs BCS-A2 alone: why=neighbour | |", "a CTA alone: neighbour");
    take(b, 1);
    b->in.take = b->in.last = 1;
    expect_decision(b, "bcs BCS-A4 alone: why=grid_end | |", "a CTA alone: grid_end");
    b->in.take = b->in.last = b->in.pairs = 0;
    b->in.start = 1;
    expect_decision(b, "bcs BCS-2 kernel_start: width=3 | | pairs=no", "kernel start: CTAs one by one");
}
