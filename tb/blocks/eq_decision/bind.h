/* SPDX-License-Identifier: Apache-2.0
 *
 * How eq_decision hangs on the observation bus: on the counters before it, and on the kernel.
 */
#ifndef BALLAST_EQ_DECISION_BIND_H
#define BALLAST_EQ_DECISION_BIND_H

#include <stdbool.h>
#include <stddef.h>

#include "bus/sm_obs.h"
#include "sm/eq_counters.h"
#include "sm/eq_decision.h"

static const char *const eq_branch_names[] = {"None",     "DefinitelyMem", "DefinitelyComp", "LikelyMem",
                                              "WaitComp", "WaitMem",       "Idle"};

/* All ones in as many bits as `most` needs: what a port for it can carry. */
static inline uint32_t eq_decision_mask(uint32_t most)
{
    uint32_t mask = 0;

    while (mask < most)
        mask = mask << 1 | 1;
    return mask;
}

/* A variant may be narrower than the counters before it, or than the kernel's CTAs. */
static inline void eq_decision_bind(eq_decision_in *in, const eq_decision_cfg *cfg, const sm_obs *const *obs,
                                    const void *const *needs)
{
    const eq_counters_out *sums = (const eq_counters_out *)needs[0];
    const uint32_t sum_mask = eq_decision_mask(cfg->num_warps * cfg->samples);

    in->active = sums->active & sum_mask;
    in->waiting = sums->waiting & sum_mask;
    in->xalu = sums->xalu & sum_mask;
    in->xmem = sums->xmem & sum_mask;
    in->wcta = (uint8_t)(obs[0]->setup->kernel.warps_per_cta & eq_decision_mask(cfg->num_warps));
}

/* Without the end of an epoch there is no decision: the blocks that act on it log it. */
static inline bool eq_decision_decides(const eq_decision_cfg *cfg, const eq_decision_state *before,
                                       const eq_decision_in *in, const eq_decision_out *out,
                                       const eq_decision_state *after)
{
    (void)cfg, (void)before, (void)in, (void)out, (void)after;
    return false;
}

#endif
