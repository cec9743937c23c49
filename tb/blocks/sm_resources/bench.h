/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of the account: CTAs that come and finish, and what random ones need.
 */
#ifndef BALLAST_SM_RESOURCES_BENCH_H
#define BALLAST_SM_RESOURCES_BENCH_H

#include "sm/sm_resources.h"

#define BENCH_BLOCK sm_resources
#include "engine/bench.h"
#include "engine/random.h"

/* `small` has 3 slots, 7 warps, 20 register units, 6 shared memory units. */
static const char *const variants[] = {"sm_resources",     "sm_resources_slots1", "sm_resources_slots32",
                                       "sm_resources_odd", "sm_resources_small",  NULL};

static inline void needs(bench *b, unsigned warps, unsigned regs, unsigned smem)
{
    b->in.warps = (uint8_t)warps;
    b->in.regs = (uint16_t)regs;
    b->in.smem = (uint16_t)smem;
}

/* One CTA in each of so many cycles. */
static inline void take(bench *b, unsigned n)
{
    b->in.take = 1;
    cycles(b, n);
    b->in.take = 0;
}

static inline void done(bench *b, unsigned slots)
{
    b->in.cta_done = slots;
    cycle(b);
    b->in.cta_done = 0;
}

/* ---- random inputs ------------------------------------------------------------------------- */

/* So that several CTAs fit, mostly. */
static inline unsigned draw_small_need(uint64_t *seed, unsigned capacity)
{
    return random_below(seed, capacity / 2 + 2) / (1 + random_below(seed, 6));
}

/* The same, or anything from nothing to all that the SM has, and one more. */
static inline unsigned draw_need(uint64_t *seed, unsigned capacity)
{
    return random_one_in(seed, 6) ? random_below(seed, capacity + 2) : draw_small_need(seed, capacity);
}

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
