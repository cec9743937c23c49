/* SPDX-License-Identifier: Apache-2.0
 *
 * All inputs of a chip for random runs: a master of the bus that knows what to do, and anything on the SMs.
 */
#ifndef BALLAST_BALLAST_CHIP_DRAW_SMS_H
#define BALLAST_BALLAST_CHIP_DRAW_SMS_H

#include "blocks/ballast_chip/draw.h"
#include "engine/random.h"

/* A set of warps, each with one chance in two to the power of `seldom`. */
static inline uint64_t ballast_chip_draw_warps(uint64_t *seed, const ballast_chip_cfg *cfg, unsigned seldom)
{
    const unsigned warps = cfg->governor.sm.num_warps;
    uint64_t set = warps < 64 ? (UINT64_C(1) << warps) - 1 : UINT64_MAX;

    while (seldom--)
        set &= random_next(seed);
    return set;
}

/* Any warps, CTAs that finish now and then, and a master that knows what to do. */
static inline void ballast_chip_draw_all(void *inputs, const void *config_, uint64_t *seed, unsigned n)
{
    const ballast_chip_cfg *cfg = config_;
    ballast_chip_in *in = inputs;

    ballast_chip_draw(in, cfg, seed);
    for (unsigned i = 0; i < cfg->governor.num_sms; i++) {
        ballast_chip_sm_in *sm = &in->sm[i];

        if (n % 8 == i) {
            sm->ws0 = ballast_chip_draw_warps(seed, cfg, 1);
            sm->ws1 = ballast_chip_draw_warps(seed, cfg, 1);
            sm->ws2 = ballast_chip_draw_warps(seed, cfg, 2);
            sm->ws3 = ballast_chip_draw_warps(seed, cfg, 3);
            sm->paused = ballast_chip_draw_warps(seed, cfg, 2);
        }
        sm->issue_valid = (uint8_t)random_set(seed, cfg->governor.sm.issue_width, 2);
        sm->issue_slot = 0;
        for (unsigned lane = 0, width = 1; lane < cfg->governor.sm.issue_width; lane++) {
            while ((cfg->gwde.sm.num_slots - 1) >> width)
                width++;
            sm->issue_slot |= (uint64_t)random_below(seed, cfg->gwde.sm.num_slots) << lane * width;
        }
        sm->cta_done = random_set(seed, cfg->gwde.sm.num_slots, 30);
    }
}

#endif
