/* SPDX-License-Identifier: Apache-2.0
 *
 * Clock domains for random runs: values drawn one by one would hardly ever be where the block wants them for a whole window. This one
 * has both mostly where some search wants them, and for long.
 */
#ifndef BALLAST_VF_SCOUT_DRAW_H
#define BALLAST_VF_SCOUT_DRAW_H

#include "chip/vf_scout.h"
#include "engine/random.h"

static inline uint8_t vf_scout_draw_level(const vf_scout_in *in, uint64_t *seed)
{
    switch (random_below(seed, 16)) {
    case 0: return (uint8_t)random_below(seed, 4);
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6: return in->mode ? BALLAST_VF_HIGH : BALLAST_VF_LOW;
    default: return BALLAST_VF_NORMAL;
    }
}

static inline void vf_scout_draw(vf_scout_in *in, const vf_scout_cfg *cfg, uint64_t *seed)
{
    (void)cfg;
    in->enable = !random_one_in(seed, 64);
    in->sm_busy = random_one_in(seed, 700);
    in->mem_busy = random_one_in(seed, 700);
    in->look = random_one_in(seed, 400);
    if (random_one_in(seed, 500))
        in->ready = (uint8_t)random_below(seed, 2);
    if (random_one_in(seed, 2500))
        in->mode = (uint8_t)random_below(seed, 2);
    if (random_one_in(seed, 20))
        in->sm_level = vf_scout_draw_level(in, seed);
    if (random_one_in(seed, 20))
        in->mem_level = vf_scout_draw_level(in, seed);
}

#endif
