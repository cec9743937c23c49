/* SPDX-License-Identifier: Apache-2.0
 *
 * How sm_resources hangs on the observation bus: every launch of the recorder is one here, if it fits, and none is
 * that of a pair. Which cycles decide.
 */
#ifndef BALLAST_SM_RESOURCES_BIND_H
#define BALLAST_SM_RESOURCES_BIND_H

#include <stdbool.h>

#include "common/cta_needs.h"
#include "bus/sm_obs.h"
#include "sm/sm_resources.h"

static inline void sm_resources_bind(sm_resources_in *in, const sm_resources_cfg *cfg, const sm_obs *const *obs,
                                     const void *const *needs)
{
    const ballast_cta_needs need = ballast_cta_needs_raw(&obs[0]->setup->kernel);

    (void)needs;
    in->warps = (uint8_t)ballast_cta_need_of_port(need.warps, cfg->num_warps);
    in->regs = (uint16_t)ballast_cta_need_of_port(need.regs, cfg->reg_units);
    in->smem = (uint16_t)ballast_cta_need_of_port(need.smem, cfg->smem_units);
    in->take = obs[0]->cta_start != 0;
    in->cta_done = obs[0]->cta_done;
    in->pair = in->whole = in->second = in->first = 0;
}

static inline bool sm_resources_decides(const sm_resources_cfg *cfg, const sm_resources_state *before,
                                        const sm_resources_in *in, const sm_resources_out *out,
                                        const sm_resources_state *after)
{
    (void)cfg, (void)before, (void)after;
    return in->take && out->fits;
}

#endif
