/* SPDX-License-Identifier: Apache-2.0
 *
 * How ballast_regs hangs on the observation buses: it sees the recorder's kernels, CTAs and refusals. A recording has nobody
 * on the APB bus, no VF domain and no kernel that is too big (BLOCK_SETTINGS), and no policy that is done. Which cycles decide.
 */
#ifndef BALLAST_BALLAST_REGS_BIND_H
#define BALLAST_BALLAST_REGS_BIND_H

#include <stdbool.h>

#include "blocks/sm_governor/bind.h"
#include "blocks/vf_domain/bind.h"
#include "chip/ballast_regs.h"
#include "bus/sm_obs.h"

static inline void ballast_regs_bind(ballast_regs_in *in, const ballast_regs_cfg *cfg, const sm_obs *const *obs, const void *const *needs)
{
    (void)needs;
    in->start_valid = in->start_kernel = 0;
    in->idle = 1;
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        in->sm[i].limit = obs[i]->setup->kernel.nmax;
        in->sm[i].denied = obs[i]->cta_denied;
        in->sm[i].cta_start = obs[i]->cta_start;
        in->sm[i].cta_active = obs[i]->cta_active;
        in->sm[i].cta_done = obs[i]->cta_done;
        in->start_valid |= obs[i]->cta_start != 0;
        in->idle &= obs[i]->cta_active == 0;
    }
    in->idle |= (uint8_t)((1u << cfg->num_kernels) - 2); /* the recorded kernel is kernel 0 */
    in->exhausted = in->idle;
}

static inline bool ballast_regs_writes(const ballast_regs_in *in, const ballast_regs_out *out)
{
    return in->psel && in->penable && in->pwrite && !out->pslverr;
}

static inline bool ballast_regs_irq(const ballast_regs_state *s)
{
    return (s->pending & s->enable) != 0;
}

static inline bool ballast_regs_decides(const ballast_regs_cfg *cfg, const ballast_regs_state *before, const ballast_regs_in *in,
                                        const ballast_regs_out *out, const ballast_regs_state *after)
{
    (void)cfg;
    return out->pslverr || ballast_regs_writes(in, out) || (after->pending & ~before->pending) ||
           ballast_regs_irq(before) != ballast_regs_irq(after);
}

#endif
