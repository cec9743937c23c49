/* SPDX-License-Identifier: Apache-2.0
 *
 * How bcs hangs on the observation buses: every cycle in which the recorder launches is one CTA of the grid. Recordings
 * do not say which of its CTAs is the last one. Which cycles decide.
 */
#ifndef BALLAST_BCS_BIND_H
#define BALLAST_BCS_BIND_H

#include <stdbool.h>

#include "chip/bcs.h"
#include "bus/sm_obs.h"

static inline void bcs_bind(bcs_in *in, const bcs_cfg *cfg, const sm_obs *const *obs, const void *const *needs)
{
    (void)cfg, (void)needs;
    in->start = obs[0]->kernel_start;
    in->take = obs[0]->cta_start != 0;
    in->width = obs[0]->setup->kernel.grid_x;
    in->last = in->alone = 0;
}

static inline bool bcs_decides(const bcs_cfg *cfg, const bcs_state *before, const bcs_in *in, const bcs_out *out,
                               const bcs_state *after)
{
    (void)cfg, (void)before, (void)after;
    return in->start || (in->take && (out->second || out->alone || (out->first && in->alone)));
}

#endif
