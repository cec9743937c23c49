/* SPDX-License-Identifier: Apache-2.0
 *
 * How the chip hangs on the observation buses of its SMs, and which cycles take a decision.
 */
#ifndef BALLAST_BALLAST_BIND_H
#define BALLAST_BALLAST_BIND_H

#include <stdbool.h>

#include "chip/ballast.h"
#include "sm_governor/sm_governor_bind.h"
#include "vf_domain/vf_domain_bind.h"
#include "vf_vote/vf_vote_bind.h"

static inline void ballast_bind(ballast_in *in, const ballast_cfg *cfg, const sm_obs *const *obs,
                                const void *const *needs)
{
    (void)needs;
    for (unsigned i = 0; i < cfg->num_sms; i++)
        sm_governor_observe(&in->sm[i], &cfg->sm, obs[i]);
}

static inline bool ballast_limits_differ(unsigned num_sms, const ballast_state *before, const ballast_state *after)
{
    for (unsigned i = 0; i < num_sms; i++)
        if (sm_governor_limit(&before->sm[i]) != sm_governor_limit(&after->sm[i]))
            return true;
    return false;
}

static inline bool ballast_decides(const ballast_cfg *cfg, const ballast_state *before, const ballast_in *in,
                                   const ballast_out *out, const ballast_state *after)
{
    (void)out, (void)in;
    return before->vote.valid || before->sm_domain.timer == 1 || before->mem_domain.timer == 1 ||
           ballast_limits_differ(cfg->num_sms, before, after);
}

#endif
