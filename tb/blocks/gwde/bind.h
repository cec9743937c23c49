/* SPDX-License-Identifier: Apache-2.0
 *
 * How gwde hangs on the observation buses: the kernels and the CTAs that finish are the recorder's; the limit of an
 * SM is what fits, and every SM asks, but where the recorder refuses. Which cycles decide.
 */
#ifndef BALLAST_GWDE_BIND_H
#define BALLAST_GWDE_BIND_H

#include <stdbool.h>

#include "chip/gwde.h"
#include "common/cta_needs.h"
#include "bus/sm_obs.h"

static inline void gwde_bind(gwde_in *in, const gwde_cfg *cfg, const sm_obs *const *obs, const void *const *needs)
{
    const ballast_kernel_desc *kernel = &obs[0]->setup->kernel;
    const ballast_cta_needs need = ballast_cta_needs_raw(kernel);

    (void)needs;
    in->start = obs[0]->kernel_start;
    in->grid = kernel->grid_ctas;
    in->warps = (uint8_t)ballast_cta_need_of_port(need.warps, cfg->num_warps);
    in->regs = (uint16_t)ballast_cta_need_of_port(need.regs, cfg->reg_units);
    in->smem = (uint16_t)ballast_cta_need_of_port(need.smem, cfg->smem_units);
    in->two_d = kernel->is_2d;
    in->width = kernel->grid_x;
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        in->sm[i].limit = obs[i]->setup->kernel.nmax;
        in->sm[i].req = !obs[i]->cta_denied;
        in->sm[i].cta_done = obs[i]->cta_done;
    }
}

static inline bool gwde_decides(const gwde_cfg *cfg, const gwde_state *before, const gwde_in *in, const gwde_out *out,
                                const gwde_state *after)
{
    (void)cfg, (void)before, (void)after;
    return out->start_valid || (in->start && out->idle);
}

#endif
