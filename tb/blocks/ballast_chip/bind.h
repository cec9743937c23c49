/* SPDX-License-Identifier: Apache-2.0
 *
 * How ballast_chip hangs on the observation buses: it sees the warps of the recorder's SMs, and their CTAs finish. A recording has nobody
 * on the APB bus (BLOCK_SETTINGS), so no kernel starts. Which cycles decide.
 */
#ifndef BALLAST_BALLAST_CHIP_BIND_H
#define BALLAST_BALLAST_CHIP_BIND_H

#include <stdbool.h>

#include "bus/sm_obs.h"
#include "blocks/ballast_regs/bind.h"
#include "blocks/chip_governor/bind.h"
#include "blocks/gwde/bind.h"
#include "blocks/mcke/bind.h"
#include "chip/ballast_chip.h"

static inline void ballast_chip_bind(ballast_chip_in *in, const ballast_chip_cfg *cfg, const sm_obs *const *obs, const void *const *needs)
{
    (void)needs;
    for (unsigned i = 0; i < cfg->governor.num_sms; i++) {
        sm_governor_in bus;

        sm_governor_observe(&bus, &cfg->governor.sm, obs[i]);
        in->sm[i] = (ballast_chip_sm_in){bus.ws0, bus.ws1, bus.ws2, bus.ws3, bus.paused, bus.issue_slot, bus.cta_done, bus.issue_valid};
    }
}

static inline bool ballast_chip_launches(const ballast_chip_cfg *cfg, const ballast_chip_state *s)
{
    return cfg->num_kernels == 1 ? s->gwde.start_valid : s->mcke.start_valid;
}

static inline bool ballast_chip_decides(const ballast_chip_cfg *cfg, const ballast_chip_state *before, const ballast_chip_in *in,
                                        const ballast_chip_out *out, const ballast_chip_state *after)
{
    return out->pslverr || (in->psel && in->penable && in->pwrite) || (after->regs.pending & ~before->regs.pending) ||
           ballast_regs_irq(&before->regs) != ballast_regs_irq(&after->regs) || out->kernel_start || ballast_chip_launches(cfg, before) ||
           chip_governor_moves(&cfg->governor, &before->governor, out->kernel_start, &after->governor);
}

#endif
