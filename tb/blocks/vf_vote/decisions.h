/* SPDX-License-Identifier: Apache-2.0
 *
 * The result of a vote as a record.
 */
#ifndef BALLAST_VF_VOTE_DECISIONS_H
#define BALLAST_VF_VOTE_DECISIONS_H

#include "engine/decision.h"
#include "blocks/vf_vote/bind.h"

static inline const char *vf_vote_request(bool up, bool down)
{
    return up ? "up" : down ? "down" : "maintain";
}

/* Without words: alone and on a chip they differ. */
static inline decision *vf_vote_record(decisions *list, const vf_vote_cfg *cfg, const vf_vote_state *before,
                                       const vf_vote_out *out)
{
    decision *d = decision_new(list, "vf_vote", "EQ-12", "vote");

    decision_input(d, "comp", before->comp_count);
    decision_input(d, "mem", before->mem_count);
    decision_input(d, "sms", cfg->num_sms);
    decision_after_state(d, "sm_domain", vf_vote_request(out->sm_up, out->sm_down));
    decision_after_state(d, "mem_domain", vf_vote_request(out->mem_up, out->mem_down));
    return d;
}

static inline void vf_vote_describe(decisions *list, unsigned *count, const vf_vote_cfg *cfg, const vf_vote_state *before,
                                    const vf_vote_in *in, const vf_vote_out *out, const vf_vote_state *after)
{
    const bool sm = out->sm_up || out->sm_down, mem = out->mem_up || out->mem_down;
    decision *d = vf_vote_record(list, cfg, before, out);

    (void)count, (void)in, (void)after;
    decision_words(d, "epoch votes: %u CompAction, %u MemAction of %u: %s%s%s%s%s", before->comp_count,
                   before->mem_count, cfg->num_sms, sm ? "SM domain " : "", sm ? (out->sm_up ? "up" : "down") : "",
                   sm && mem ? ", " : "", mem ? "memory domain " : sm ? "" : "no change",
                   mem ? (out->mem_up ? "up" : "down") : "");
}

#endif
