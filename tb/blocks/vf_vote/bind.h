/* SPDX-License-Identifier: Apache-2.0
 *
 * vf_vote sees nothing of the observation bus: its inputs are set from outside until a larger
 * block holds it. Which cycles decide.
 */
#ifndef BALLAST_VF_VOTE_BIND_H
#define BALLAST_VF_VOTE_BIND_H

#include <stdbool.h>

#include "chip/vf_vote.h"
#include "bus/sm_obs.h"

static inline void vf_vote_bind(vf_vote_in *in, const vf_vote_cfg *cfg, const sm_obs *const *obs,
                                const void *const *needs)
{
    (void)in, (void)cfg, (void)obs, (void)needs;
}

static inline bool vf_vote_decides(const vf_vote_cfg *cfg, const vf_vote_state *before,
                                   const vf_vote_in *in, const vf_vote_out *out,
                                   const vf_vote_state *after)
{
    (void)cfg, (void)before, (void)in, (void)after;
    return out->valid;
}

#endif
