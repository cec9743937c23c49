/* SPDX-License-Identifier: Apache-2.0
 *
 * How cke_resources hangs on the observation bus: every launch of the recorder is one here, if it fits, of the kernel that has the
 * number of the lowest slot that is launched into. Kernel 0 needs what the recorded one needs, each other one half of the one before.
 * Which cycles decide.
 */
#ifndef BALLAST_CKE_RESOURCES_BIND_H
#define BALLAST_CKE_RESOURCES_BIND_H

#include <stdbool.h>

#include "common/cta_needs.h"
#include "bus/sm_obs.h"
#include "sm/cke_resources.h"

static inline unsigned cke_resources_lowest(uint64_t set)
{
    unsigned n = 0;

    while (n < 31 && !(set >> n & 1))
        n++;
    return n;
}

static inline void cke_resources_bind(cke_resources_in *in, const cke_resources_cfg *cfg, const sm_obs *const *obs,
                                      const void *const *needs)
{
    const ballast_cta_needs need = ballast_cta_needs_raw(&obs[0]->setup->kernel);
    const unsigned kernels = cfg->num_kernels > 2 ? cfg->num_kernels : 2;

    (void)needs;
    in->warps = 0;
    in->regs = in->smem = 0;
    for (unsigned k = 0; k < cfg->num_kernels; k++) {
        in->warps = (uint32_t)ballast_cke_with_field(in->warps, k, cfg->num_warps + 1, ballast_cta_need_of_port(need.warps, cfg->num_warps) >> k);
        in->regs = ballast_cke_with_field(in->regs, k, cfg->reg_units + 1, ballast_cta_need_of_port(need.regs, cfg->reg_units) >> k);
        in->smem = ballast_cke_with_field(in->smem, k, cfg->smem_units + 1, ballast_cta_need_of_port(need.smem, cfg->smem_units) >> k);
    }
    in->may = (uint8_t)((1u << cfg->num_kernels) - 1);
    in->take = obs[0]->cta_start != 0;
    in->kernel = (uint8_t)(cke_resources_lowest(obs[0]->cta_start) % kernels);
    in->cta_done = obs[0]->cta_done;
}

static inline bool cke_resources_decides(const cke_resources_cfg *cfg, const cke_resources_state *before,
                                         const cke_resources_in *in, const cke_resources_out *out,
                                         const cke_resources_state *after)
{
    (void)cfg, (void)before, (void)in, (void)after;
    return out->taken;
}

#endif
