/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of the account: CTAs that come and finish.
 */
#ifndef BALLAST_SM_RESOURCES_BENCH_H
#define BALLAST_SM_RESOURCES_BENCH_H

#include "sm/sm_resources.h"

#define BENCH_BLOCK sm_resources
#include "engine/bench.h"
#include "engine/random.h"

/* `small` has 3 slots. */
static const char *const variants[] = {"sm_resources",     "sm_resources_slots1", "sm_resources_slots32",
                                       "sm_resources_odd", "sm_resources_small",  NULL};

/* So many CTAs fit an empty SM. */
static inline void room(bench *b, unsigned n)
{
    b->in.most = (uint8_t)n;
}

/* One CTA after the other: a cycle that finds its place, and one in which it comes. */
static inline void take(bench *b, unsigned n)
{
    while (n--) {
        b->in.may = 1;
        cycle(b);
        b->in.may = 0;
        b->in.take = 1;
        cycle(b);
        b->in.take = 0;
    }
}

static inline void done(bench *b, unsigned slots)
{
    b->in.cta_done = slots;
    cycle(b);
    b->in.cta_done = 0;
}

/* ---- random inputs ------------------------------------------------------------------------- */

/* Of 150 cycles the last 30 launch nothing, and what runs comes to an end. */
static inline bool launching(unsigned n)
{
    return n % 150 < 120;
}

/* In cycle `n`; the busier, the longer CTAs run. */
static inline void draw_finishes(bench *b, uint64_t *seed, unsigned n, unsigned busy)
{
    b->in.cta_done = random_set(seed, config(b)->num_slots, launching(n) ? 1 + busy * busy : 3);
}

#endif
