/* SPDX-License-Identifier: Apache-2.0
 *
 * vf_vote sees nothing of the observation bus: its inputs are set from outside until a larger
 * block holds it. How a vote reads in words.
 */
#include <stdbool.h>
#include <stdio.h>

#include "chip/vf_vote.h"
#include "common/sm_obs.h"

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

static inline bool vf_vote_describe(char *text, size_t size, unsigned *count, const vf_vote_cfg *cfg,
                                    const vf_vote_state *before, const vf_vote_in *in,
                                    const vf_vote_out *out, const vf_vote_state *after)
{
    const bool sm = out->sm_up || out->sm_down, mem = out->mem_up || out->mem_down;

    (void)count, (void)in, (void)after;
    snprintf(text, size, "epoch votes: %u CompAction, %u MemAction of %u: %s%s%s%s%s", before->comp_count,
             before->mem_count, cfg->num_sms, sm ? "SM domain " : "",
             sm ? (out->sm_up ? "up" : "down") : "", sm && mem ? ", " : "",
             mem ? "memory domain " : sm ? "" : "no change", mem ? (out->mem_up ? "up" : "down") : "");
    return true;
}
