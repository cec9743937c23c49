/* SPDX-License-Identifier: Apache-2.0
 *
 * What vf_vote's rules remember of a run, from its inputs alone (rules/rules.h): the votes of the two cycles before.
 */
#ifndef BALLAST_VF_VOTE_HISTORY_H
#define BALLAST_VF_VOTE_HISTORY_H

#include <string.h>

typedef struct vf_vote_history {
    uint8_t comp_of[VF_VOTE_MAX_GROUPS]; /* by group: SMs with this action alone in the epoch of the cycle before */
    uint8_t mem_of[VF_VOTE_MAX_GROUPS];
    uint8_t ended;      /* it ended in the cycle before                                    */
    uint16_t comp, mem; /* SMs with this action alone in the last epoch before that        */
    uint8_t summed;     /* it ended two cycles before                                      */
} vf_vote_history;

static inline void vf_vote_history_reset(vf_vote_history *h, const vf_vote_cfg *cfg)
{
    (void)cfg;
    memset(h, 0, sizeof *h);
}

static inline void vf_vote_remember(vf_vote_history *h, const vf_vote_cfg *cfg, const vf_vote_in *in, const vf_vote_out *out)
{
    (void)out;
    h->summed = h->ended;
    if (h->ended) {
        h->comp = h->mem = 0;
        for (unsigned g = 0; g < vf_vote_groups(cfg); g++) {
            h->comp = (uint16_t)(h->comp + h->comp_of[g]);
            h->mem = (uint16_t)(h->mem + h->mem_of[g]);
        }
    }
    h->ended = in->tick;
    memset(h->comp_of, 0, sizeof h->comp_of);
    memset(h->mem_of, 0, sizeof h->mem_of);
    for (unsigned i = 0; i < cfg->num_sms && in->tick; i++) {
        const bool comp = in->comp[i / 64] >> i % 64 & 1, mem = in->mem[i / 64] >> i % 64 & 1;
        const unsigned g = i / VF_VOTE_GROUP;

        h->comp_of[g] = (uint8_t)(h->comp_of[g] + (comp && !mem));
        h->mem_of[g] = (uint8_t)(h->mem_of[g] + (mem && !comp));
    }
}

/* No group has more votes than SMs, and none has a vote without an epoch. */
static inline bool vf_vote_groups_legal(const vf_vote_state *s, const vf_vote_cfg *cfg)
{
    for (unsigned g = 0; g < vf_vote_groups(cfg); g++) {
        const unsigned left = cfg->num_sms - g * VF_VOTE_GROUP, here = left < VF_VOTE_GROUP ? left : VF_VOTE_GROUP;

        if ((unsigned)s->comp_of[g] + s->mem_of[g] > (s->counted ? here : 0))
            return false;
    }
    return true;
}

static inline bool vf_vote_coupled(const vf_vote_history *h, const vf_vote_state *s, const vf_vote_cfg *cfg)
{
    for (unsigned g = 0; g < vf_vote_groups(cfg); g++)
        if (s->comp_of[g] != h->comp_of[g] || s->mem_of[g] != h->mem_of[g])
            return false;
    return s->counted == h->ended && s->valid == h->summed && s->comp_count == h->comp && s->mem_count == h->mem;
}

/* EQ-12, EQ-A18: how many SMs ask for this; an answer with both directions is none. */
#define VF_VOTE_ASK(domain, this, other)                                                  \
    ((in->domain##_comp_##this && !in->domain##_comp_##other ? (unsigned)was->comp : 0) + \
     (in->domain##_mem_##this && !in->domain##_mem_##other ? (unsigned)was->mem : 0))
#define VF_VOTE_UP(domain) VF_VOTE_ASK(domain, up, down)
#define VF_VOTE_DOWN(domain) VF_VOTE_ASK(domain, down, up)
/* EQ-A17: so many SMs ask for this, so many for the opposite, the rest for neither. */
#define VF_VOTE_WINS(these, others)                                                                        \
    (cfg->majority == BALLAST_VF_MAJORITY_VOTERS      ? (these) > (others)                                 \
     : cfg->majority == BALLAST_VF_MAJORITY_PLURALITY ? (these) > (others) && 2 * (these) + (others) > cfg->num_sms \
                                              : 2 * (these) > cfg->num_sms)
#define VF_VOTE_IS(output, these, others) (!was->summed || (output) == VF_VOTE_WINS(these, others))

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "EQ-12", "a vote is two cycles after an epoch has ended, and no other", out->valid == was->summed)              \
    H(RUN, "EQ-12", "without a vote nothing is asked of a domain",                                                       \
      was->summed || !(out->sm_up || out->sm_down || out->mem_up || out->mem_down))                                       \
    H(RUN, "EQ-12", "the SMs faster: the majority, and no tie", VF_VOTE_IS(out->sm_up, VF_VOTE_UP(sm), VF_VOTE_DOWN(sm))) \
    H(RUN, "EQ-12", "the SMs slower: the majority, and no tie", VF_VOTE_IS(out->sm_down, VF_VOTE_DOWN(sm), VF_VOTE_UP(sm))) \
    H(RUN, "EQ-12", "the memory faster: the majority, and no tie",                                                       \
      VF_VOTE_IS(out->mem_up, VF_VOTE_UP(mem), VF_VOTE_DOWN(mem)))                                                       \
    H(RUN, "EQ-12", "the memory slower: the majority, and no tie",                                                       \
      VF_VOTE_IS(out->mem_down, VF_VOTE_DOWN(mem), VF_VOTE_UP(mem)))

#endif
