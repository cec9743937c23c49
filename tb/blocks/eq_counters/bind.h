/* SPDX-License-Identifier: Apache-2.0
 *
 * How eq_counters hangs on the observation bus, and which cycles take a decision.
 */
#ifndef BALLAST_EQ_COUNTERS_BIND_H
#define BALLAST_EQ_COUNTERS_BIND_H

#include <stdbool.h>

#include "bus/sm_obs.h"
#include "sm/eq_counters.h"

/* A variant may have fewer warp slots than the bus. */
static inline void eq_counters_bind(eq_counters_in *in, const eq_counters_cfg *cfg, const sm_obs *const *obs,
                                    const void *const *needs)
{
    const uint64_t present = cfg->num_warps < 64 ? (UINT64_C(1) << cfg->num_warps) - 1 : ~UINT64_C(0);
    const sm_obs *sm = obs[0];

    (void)needs;
    in->ws0 = sm->ws[0] & present;
    in->ws1 = sm->ws[1] & present;
    in->ws2 = sm->ws[2] & present;
    in->ws3 = sm->ws[3] & present;
    in->paused = sm->paused & present;
    in->kernel_start = sm->kernel_start;
}

static inline bool eq_counters_decides(const eq_counters_cfg *cfg, const eq_counters_state *before,
                                       const eq_counters_in *in, const eq_counters_out *out,
                                       const eq_counters_state *after)
{
    (void)cfg, (void)before, (void)in, (void)after;
    return out->epoch_end;
}

#endif
