/* SPDX-License-Identifier: Apache-2.0
 *
 * SCT-7: what scout's looks may cost. The test keeps books of its own in each cycle, of limit_o, look_o and issue_valid_i, and compares.
 */
#include <stdint.h>

typedef struct books {
    uint32_t place;        /* cycle of the slice and of its end           */
    uint32_t settle;       /* slices until the window begins              */
    uint32_t slices;       /* of this window                              */
    uint32_t count;        /* instructions since then                     */
    uint32_t window;       /* slices of the last whole window at the best limit, */
    uint32_t base;         /* and instructions in it                      */
    uint32_t lost, won;    /* by this look                                */
    uint64_t earned, paid; /* since the kernel's start                    */
    uint64_t over;         /* what looks may have lost beyond the credit: one slice each */
    uint32_t credit;
    uint8_t looked;        /* the cycle before was a look's */
    uint8_t first;         /* no CTA of the kernel has finished, as far as slices judged before know */
    uint8_t runs;
} books;

#define SCOUT_BENCH_MORE \
    uint8_t accounted;   \
    books k;
#define SCOUT_AFTER_CYCLE(b) keep_books(b)
struct bench;
static void keep_books(struct bench *b);
#include "blocks/scout/bench.h"

/* A slice is over, and this is the first cycle after its last step: what it means for the books. */
static void slice_is_over(bench *b, uint8_t was, uint8_t is)
{
    books *k = &b->k;
    const uint32_t of_window = scout_window_slices(&b->before, config(b));

    if (was == SCOUT_ST_LOOK) {
        const bool begins = k->settle == 1, pays = is != SCOUT_ST_LOOK || begins;

        if (pays) {
            k->paid += k->lost;
            k->over += k->lost > k->credit ? k->lost - k->credit : 0;
            k->credit = k->lost > k->credit ? 0 : k->credit - k->lost;
            k->credit = k->credit + k->won < SCOUT_CREDIT_MAX ? k->credit + k->won : SCOUT_CREDIT_MAX;
            k->earned += k->won;
            k->lost = k->won = 0;
        }
    } else if (was == SCOUT_ST_BASE && k->settle == 0 && k->slices + 1 == of_window) {
        const uint32_t pay = k->count >> (k->first ? 3 : 7);

        k->earned += pay;
        k->credit = k->credit + pay < SCOUT_CREDIT_MAX ? k->credit + pay : SCOUT_CREDIT_MAX;
        k->base = k->count;
        k->window = of_window;
        assert_int_equal(is == SCOUT_ST_LOOK, k->credit >= 3 * (k->base / k->window));
    }
    k->slices = k->settle ? 0 : k->slices + 1;
    if (k->settle == 1 || (k->settle == 0 && k->slices == of_window))
        k->slices = k->count = 0;
    k->settle -= k->settle != 0;
    if (was != is) {
        k->settle = config(b)->settle;
        k->slices = k->count = 0;
    }
    assert_int_equal(state(b)->credit, k->credit);
}

static void account(bench *b)
{
    books *k = &b->k;
    const uint32_t slice = config(b)->slice, window = k->window ? k->window : 1; /* before the first one there is none */

    if (k->place < slice) {
        k->count += (uint32_t)__builtin_popcount(b->in.issue_valid);
    } else if (k->place == slice && b->out.look) {
        const uint32_t done = (k->settle ? config(b)->settle - k->settle : k->slices) + 1;
        const uint32_t would = k->base / window * done +
                               (k->settle == 0 && k->slices + 1 == window ? k->base % window : 0);

        k->lost = would > k->count ? would - k->count : 0;
        k->won = k->count > would ? k->count - would : 0;
    }
    if (++k->place == slice + SCOUT_ACT) {
        k->place = 0;
        slice_is_over(b, b->before.state, state(b)->state);
    }
    /* What looks have lost so far: never more than was put aside, and one slice for each look that was ended for it. */
    assert_true(k->paid + k->lost <= k->earned + k->over + (k->lost > k->credit ? k->base / window + k->window : 0));
    assert_true(k->lost <= k->credit + k->base / window + k->window);
}

static void keep_books(bench *b)
{
    books *k = &b->k;

    if (!b->accounted || !b->in.enable)
        return;
    if (b->in.kernel_start) {
        *k = (books){.settle = config(b)->warmup, .first = 1, .runs = b->in.nmax > 1};
        return;
    }
    if (!k->runs)
        return;
    if (k->place == config(b)->slice + SCOUT_RESTORE - 1)
        k->first = b->before.first;
    account(b);
}

/* Kernels without sense: their speed changes at any time, and not with the limit alone. */
static void sct7_budget(bench *b)
{
    uint64_t seed = 0x5c07;
    unsigned looks = 0;
    const uint32_t most = config(b)->slice * config(b)->issue_width;

    b->accounted = 1;
    for (unsigned kernel = 0; kernel < 12; kernel++) {
        start_kernel(b, 2 + random_below(&seed, config(b)->num_slots - 1));
        for (unsigned n = 0; n < 400; n++) {
            for (unsigned limit = 1; random_below(&seed, 8) == 0 && limit <= 32; limit++)
                b->speed[limit] = random_below(&seed, 3) ? most - random_below(&seed, most / 4 + 1) : random_below(&seed, most + 1);
            b->in.cta_done = kernel % 3 && n == 200;
            slices(b, 1 + random_below(&seed, 40));
            b->in.cta_done = 0;
            looks += b->num_looks;
            b->num_looks = 0;
            b->in.enable = 0;
            cycles(b, random_below(&seed, 3));
            b->in.enable = 1;
        }
        assert_true(b->k.earned > 0);
    }
    assert_true(looks > 50);
}

/* The worst of all kernels: each look stands still. After n slices no more is lost than an eighth, and a slice for each look. */
static void sct7_worst_case(bench *b)
{
    b->accounted = 1;
    play(b, "speed=0,0,0,0,0,0,0,16 kernel=8 slices=3000");
    assert_true(b->num_looks > 3);
    assert_true(b->k.paid <= b->k.earned + b->k.over);
    play(b, "done best_q=8");
}

/* Whatever limit is how fast, the search comes to an end: with a CTA that finishes at once, too, if a window earns anything then. */
static void sct7_ends(bench *b)
{
    uint64_t seed = 0x5c0e;
    const uint32_t most = config(b)->slice * config(b)->issue_width;

    for (unsigned kernel = 0; kernel < 60; kernel++) {
        const bool first = config(b)->window * most < 1024 || kernel % 2; /* no CTA finishes */
        const uint32_t scale = most >> random_below(&seed, 2);            /* few instructions earn little */

        for (unsigned limit = 1; limit <= 32; limit++)
            b->speed[limit] = random_below(&seed, 3) ? random_below(&seed, scale + 1) : 0;
        b->speed[config(b)->num_slots] = scale / 2 + random_below(&seed, scale / 2 + 1);
        start_kernel(b, config(b)->num_slots);
        if (!first)
            finish_cta(b, 0);
        play(b, "done");
        b->num_looks = 0;
    }
}

static const char *const searches[] = {"scout_short", "scout_wide", NULL};

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRIPT("SCT-7: a limit that uses up the credit is ruled out with one look", "scout",
               "speed=0,0,0,0,0,0,0,2048 kernel=8 done best_q=8 looked_at=4,2,1,6,7 "
               "speed=0,0,0,0,0,0,0,256 kernel=8 finish=0 done best_q=8 looked_at=4,2,1,6,7"),
        EACH_VARIANT("SCT-7: the search ends, whatever limit is how fast", searches, sct7_ends),
        EACH_VARIANT("SCT-7: the looks cost no more than the credit, in every cycle", searches, sct7_budget),
        BOTH_SIDES("SCT-7: looks that stand still", "scout_short", sct7_worst_case),
    };
    return cmocka_run_group_tests_name("scout_credit", tests, NULL, NULL);
}
