/* SPDX-License-Identifier: Apache-2.0
 *
 * How lcs hangs on the observation bus, and which cycles take a decision.
 */
#ifndef BALLAST_LCS_BIND_H
#define BALLAST_LCS_BIND_H

#include <stdbool.h>

#include "bus/sm_obs.h"
#include "sm/lcs.h"

static const char *const lcs_state_names[] = {"StIdle",   "StMonitor",  "StGather",
                                              "StDivide", "StThrottle", "StLazy"};

/* Bits of a slot's number; one at least. */
static inline unsigned lcs_slot_width(const lcs_cfg *cfg)
{
    return cfg->num_slots > 2 ? 32 - (unsigned)__builtin_clz(cfg->num_slots - 1) : 1;
}

/* The warps that issued, lowest first, one per lane; a cycle with more of them than lanes is
 * none that the SM can have. */
static inline void lcs_bind_lanes(lcs_in *in, const lcs_cfg *cfg, const sm_obs *obs)
{
    const unsigned slot_width = lcs_slot_width(cfg);
    unsigned lane = 0;

    in->issue_valid = 0;
    in->issue_slot = 0;
    for (uint64_t issued = sm_obs_issued(obs); issued && lane < cfg->issue_width; issued &= issued - 1) {
        const unsigned slot = obs->setup->warp_slot[__builtin_ctzll(issued)];

        if (slot >= cfg->num_slots) /* of no CTA slot that this SM has */
            continue;
        in->issue_valid |= (uint8_t)(1U << lane);
        in->issue_slot |= (uint64_t)slot << lane * slot_width;
        lane++;
    }
}

static inline void lcs_bind(lcs_in *in, const lcs_cfg *cfg, const sm_obs *const *obs, const void *const *needs)
{
    (void)needs;
    in->kernel_start = obs[0]->kernel_start;
    in->nmax = obs[0]->setup->kernel.nmax;
    in->cta_done = obs[0]->cta_done;
    in->cta_active = obs[0]->cta_active;
    lcs_bind_lanes(in, cfg, obs[0]);
}

static inline bool lcs_decides(const lcs_cfg *cfg, const lcs_state *before, const lcs_in *in, const lcs_out *out,
                               const lcs_state *after)
{
    (void)cfg, (void)out;
    if (!in->enable)
        return false;
    return in->kernel_start || (before->state == LCS_ST_MONITOR && after->state != LCS_ST_MONITOR) ||
           (before->state == LCS_ST_DIVIDE && after->state != LCS_ST_DIVIDE) ||
           (before->state == LCS_ST_THROTTLE && after->state != LCS_ST_THROTTLE);
}

#endif
