/* SPDX-License-Identifier: Apache-2.0
 *
 * Clock domains for random runs: values drawn one by one would hardly ever be where the block wants them for a whole window. This one
 * has both mostly where some search wants them, and for long.
 */
#ifndef BALLAST_VF_SCOUT_DRAW_H
#define BALLAST_VF_SCOUT_DRAW_H

#include "chip/vf_scout.h"
#include "engine/random.h"

static inline void vf_scout_draw(vf_scout_in *in, const vf_scout_cfg *cfg, uint64_t *seed)
{
    (void)cfg;
    in->enable = !random_one_in(seed, 64);
    in->sm_busy = random_one_in(seed, 200);
    in->mem_busy = random_one_in(seed, 200);
    in->look = random_one_in(seed, 100);
    if (random_one_in(seed, 60))
        in->ready = (uint8_t)random_below(seed, 2);
    if (random_one_in(seed, 900))
        in->mode = (uint8_t)random_below(seed, 2);
    if (random_one_in(seed, 30))
        in->sm_level = (uint8_t)random_below(seed, random_one_in(seed, 20) ? 4 : 3);
    if (random_one_in(seed, 30))
        in->mem_level = (uint8_t)random_below(seed, random_one_in(seed, 20) ? 4 : 3);
}

#endif
