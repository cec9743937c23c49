/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of cta_throttle: one side of it, and the CTA slots that it sees.
 */
#ifndef BALLAST_CTA_THROTTLE_BENCH_H
#define BALLAST_CTA_THROTTLE_BENCH_H

#include "sm/cta_throttle.h"

#define BENCH_BLOCK cta_throttle
#define BENCH_MORE uint32_t held; /* slots that hold a CTA */
#define BENCH_CYCLE
#define BENCH_KERNELS
#include "engine/bench.h"

/* One cycle; slots that start or finish in it are in use in it. Levels stay, pulses last one cycle. */
static void cycle(bench *b)
{
    cta_throttle_in *in = &b->in;

    in->cta_active = b->held | in->cta_start;
    take_cycle(b);
    b->held = (in->cta_active & ~in->cta_done) | in->cta_start;
    in->cta_start = in->cta_done = 0;
    in->kernel_start = in->tick = in->inc = in->dec = in->denied = 0;
}

static inline void launch(bench *b, uint32_t slots)
{
    b->in.cta_start = slots;
    cycle(b);
}

static inline void finish(bench *b, uint32_t slots)
{
    b->in.cta_done = slots;
    cycle(b);
}

/* The direction that an epoch decides: '+', '-', '0', or '*' for both directions at once. */
static inline void set_direction(cta_throttle_in *in, char direction)
{
    in->tick = 1;
    in->inc = direction == '+' || direction == '*';
    in->dec = direction == '-' || direction == '*';
}

static inline void set_vote(bench *b, char direction)
{
    set_direction(&b->in, direction);
}

static inline void vote(bench *b, char direction)
{
    set_vote(b, direction);
    cycle(b);
}

/* Epochs with a few cycles between them. */
static inline void votes(bench *b, const char *directions)
{
    for (; *directions; directions++) {
        vote(b, *directions);
        cycles(b, 3);
    }
}

/* All but the last vote of `directions`, and the last one prepared for the next cycle. */
static inline void votes_up_to_last(bench *b, const char *directions)
{
    for (; directions[1]; directions++)
        vote(b, *directions);
    set_vote(b, *directions);
}

/* `order`: slot numbers as digits, one by one. */
static inline void launch_each(bench *b, const char *order)
{
    for (; *order; order++)
        launch(b, UINT32_C(1) << (*order - '0'));
}

#endif
