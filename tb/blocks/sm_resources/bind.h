/* SPDX-License-Identifier: Apache-2.0
 *
 * How sm_resources hangs on the observation bus: every launch of the recorder is one here, if the SM is ready, and none
 * is that of a pair. Which cycles decide.
 */
#ifndef BALLAST_SM_RESOURCES_BIND_H
#define BALLAST_SM_RESOURCES_BIND_H

#include <stdbool.h>

#include "bus/sm_obs.h"
#include "sm/sm_resources.h"

static inline void sm_resources_bind(sm_resources_in *in, const sm_resources_cfg *cfg, const sm_obs *const *obs,
                                     const void *const *needs)
{
    const unsigned most = obs[0]->setup->kernel.nmax;

    (void)needs;
    in->most = (uint8_t)(most < cfg->num_slots ? most : cfg->num_slots);
    in->may = 1;
    in->take = obs[0]->cta_start != 0;
    in->cta_done = obs[0]->cta_done;
    in->clear = in->pair = in->whole = 0;
}

static inline bool sm_resources_decides(const sm_resources_cfg *cfg, const sm_resources_state *before,
                                        const sm_resources_in *in, const sm_resources_out *out,
                                        const sm_resources_state *after)
{
    (void)cfg, (void)before, (void)after;
    return (in->take && out->ready) || out->second;
}

#endif
