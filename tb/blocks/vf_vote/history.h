/* SPDX-License-Identifier: Apache-2.0
 *
 * What vf_vote's rules remember of a run, from its inputs alone (rules/rules.h): the votes of the cycle before.
 */
#ifndef BALLAST_VF_VOTE_HISTORY_H
#define BALLAST_VF_VOTE_HISTORY_H

typedef struct vf_vote_history {
    uint16_t comp, mem; /* SMs with this action alone in the last epoch */
    uint8_t ended;      /* it ended in the cycle before                 */
} vf_vote_history;

static inline void vf_vote_history_reset(vf_vote_history *h, const vf_vote_cfg *cfg)
{
    (void)cfg;
    *h = (vf_vote_history){.ended = 0};
}

static inline void vf_vote_remember(vf_vote_history *h, const vf_vote_cfg *cfg, const vf_vote_in *in, const vf_vote_out *out)
{
    (void)out;
    h->ended = in->tick;
    if (!in->tick)
        return;
    h->comp = h->mem = 0;
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const bool comp = in->comp[i / 64] >> i % 64 & 1, mem = in->mem[i / 64] >> i % 64 & 1;

        h->comp = (uint16_t)(h->comp + (comp && !mem));
        h->mem = (uint16_t)(h->mem + (mem && !comp));
    }
}

static inline bool vf_vote_coupled(const vf_vote_history *h, const vf_vote_state *s, const vf_vote_cfg *cfg)
{
    return s->valid == h->ended && s->comp_count == h->comp && s->mem_count == h->mem && h->comp <= cfg->num_sms &&
           h->mem <= cfg->num_sms - h->comp;
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
     : cfg->majority == BALLAST_VF_MAJORITY_PLURALITY ? (these) > (others) && (these) > cfg->num_sms - (these) - (others) \
                                              : (these) > cfg->num_sms - (these))
#define VF_VOTE_IS(output, these, others) (!was->ended || (output) == VF_VOTE_WINS(these, others))

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "EQ-12", "a vote is the cycle after an epoch has ended, and no other", out->valid == was->ended)              \
    H(RUN, "EQ-12", "without a vote nothing is asked of a domain",                                                       \
      was->ended || !(out->sm_up || out->sm_down || out->mem_up || out->mem_down))                                       \
    H(RUN, "EQ-12", "the SMs faster: the majority, and no tie", VF_VOTE_IS(out->sm_up, VF_VOTE_UP(sm), VF_VOTE_DOWN(sm))) \
    H(RUN, "EQ-12", "the SMs slower: the majority, and no tie", VF_VOTE_IS(out->sm_down, VF_VOTE_DOWN(sm), VF_VOTE_UP(sm))) \
    H(RUN, "EQ-12", "the memory faster: the majority, and no tie",                                                       \
      VF_VOTE_IS(out->mem_up, VF_VOTE_UP(mem), VF_VOTE_DOWN(mem)))                                                       \
    H(RUN, "EQ-12", "the memory slower: the majority, and no tie",                                                       \
      VF_VOTE_IS(out->mem_down, VF_VOTE_DOWN(mem), VF_VOTE_UP(mem)))

#endif
