/* SPDX-License-Identifier: Apache-2.0
 *
 * How mcke hangs on the observation buses. A recording has one kernel. It starts as kernel 0, and again, as another one that needs
 * less, wherever the recorder launches a CTA and that number is idle. CTAs finish as recorded. The limit of an SM is what fits, kernel 0
 * may have all of that and the others a part of it, and every SM asks, but where the recorder refuses. Which cycles decide.
 */
#ifndef BALLAST_MCKE_BIND_H
#define BALLAST_MCKE_BIND_H

#include <stdbool.h>

#include "chip/mcke.h"
#include "common/cta_needs.h"
#include "bus/sm_obs.h"

/* The number of the lowest slot that is launched into says which kernel starts; 0 where the recorded one does. */
static inline unsigned mcke_kernel_of(const sm_obs *obs, unsigned num_kernels)
{
    unsigned slot = 0;

    while (slot < 31 && !(obs->cta_start >> slot & 1))
        slot++;
    return obs->kernel_start ? 0 : slot % num_kernels;
}

static inline uint32_t mcke_quotas(const mcke_cfg *cfg, unsigned nmax)
{
    uint32_t quotas = 0;

    for (unsigned k = 0; k < cfg->sm.num_kernels; k++)
        quotas = (uint32_t)ballast_cke_with_field(quotas, k, cfg->sm.num_slots, (nmax + k) / (k + 1));
    return quotas;
}

static inline void mcke_bind(mcke_in *in, const mcke_cfg *cfg, const sm_obs *const *obs, const void *const *needs)
{
    const ballast_kernel_desc *kernel = &obs[0]->setup->kernel;
    const ballast_cta_needs need = ballast_cta_needs_raw(kernel);
    const unsigned k = mcke_kernel_of(obs[0], cfg->sm.num_kernels);

    (void)needs;
    in->start = obs[0]->kernel_start || obs[0]->cta_start;
    in->kernel = (uint8_t)k;
    in->grid = kernel->grid_ctas >> k;
    in->warps = (uint8_t)(ballast_cta_need_of_port(need.warps, cfg->sm.num_warps) >> k);
    in->regs = (uint16_t)(ballast_cta_need_of_port(need.regs, cfg->sm.reg_units) >> k);
    in->smem = (uint16_t)(ballast_cta_need_of_port(need.smem, cfg->sm.smem_units) >> k);
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        in->sm[i].limit = obs[i]->setup->kernel.nmax;
        in->sm[i].quota = mcke_quotas(cfg, obs[i]->setup->kernel.nmax);
        in->sm[i].req = !obs[i]->cta_denied;
        in->sm[i].cta_done = obs[i]->cta_done;
    }
}

static inline bool mcke_takes_start(const mcke_cfg *cfg, const mcke_in *in, const mcke_out *out)
{
    return in->start && in->kernel < cfg->sm.num_kernels && (out->idle >> in->kernel & 1);
}

static inline bool mcke_decides(const mcke_cfg *cfg, const mcke_state *before, const mcke_in *in, const mcke_out *out,
                                const mcke_state *after)
{
    (void)before, (void)after;
    return out->start_valid || mcke_takes_start(cfg, in, out);
}

#endif
