/* SPDX-License-Identifier: Apache-2.0
 *
 * What vf_domain's rules remember of a run, from its inputs alone (rules/rules.h): the level, and the transition under way.
 */
#ifndef BALLAST_VF_DOMAIN_HISTORY_H
#define BALLAST_VF_DOMAIN_HISTORY_H

typedef struct vf_domain_history {
    uint32_t cycles; /* of the transition so far, this one included; 0: none is under way */
    uint8_t level, to;
} vf_domain_history;

static inline void vf_domain_history_reset(vf_domain_history *h, const vf_domain_cfg *cfg)
{
    (void)cfg;
    *h = (vf_domain_history){.level = BALLAST_VF_NORMAL, .to = BALLAST_VF_NORMAL}; /* EQ-A23 */
}

static inline void vf_domain_remember(vf_domain_history *h, const vf_domain_cfg *cfg, const vf_domain_in *in,
                                      const vf_domain_out *out)
{
    const bool up = in->valid && in->up && !in->down && h->level != BALLAST_VF_HIGH;
    const bool down = in->valid && in->down && !in->up && h->level != BALLAST_VF_LOW;

    (void)out;
    if (h->cycles == cfg->transition) { /* EQ-14: so many, and not one more */
        h->level = h->to;
        h->cycles = 0;
    } else if (h->cycles != 0) { /* EQ-A22: requests are lost */
        h->cycles++;
    } else if (up || down) { /* EQ-9, EQ-13 */
        h->to = (uint8_t)(up ? h->level + 1u : h->level - 1u);
        h->cycles = 1;
    }
}

static inline bool vf_domain_coupled(const vf_domain_history *h, const vf_domain_state *s, const vf_domain_cfg *cfg)
{
    return h->level <= BALLAST_VF_HIGH && h->to <= BALLAST_VF_HIGH && h->cycles <= cfg->transition && s->level == h->level &&
           s->next == (h->cycles ? h->to : h->level) && s->timer == (h->cycles ? cfg->transition + 1 - h->cycles : 0);
}

/* Table I, a row of the paper after another: what an action asks for, as the level that it wants. */
#define VF_DOMAIN_ANSWERS(up, down, wanted) ((up) == (was->level < (wanted)) && (down) == (was->level > (wanted)))
#define VF_DOMAIN_MAINTAINED (cfg->maintain ? was->level : BALLAST_VF_NORMAL)
#define VF_DOMAIN_COMP(mode_, domain_, wanted) \
    (in->mode != (mode_) || cfg->domain != (domain_) || VF_DOMAIN_ANSWERS(out->comp_up, out->comp_down, wanted))
#define VF_DOMAIN_MEM_(mode_, domain_, wanted) \
    (in->mode != (mode_) || cfg->domain != (domain_) || VF_DOMAIN_ANSWERS(out->mem_up, out->mem_down, wanted))

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "EQ-13", "the level is a step up or down of the last, as was asked for", out->level == was->level)           \
    H(RUN, "EQ-14", "the level changes after Transition cycles, in which the domain is busy", out->busy == (was->cycles != 0)) \
    H(RUN, "EQ-A21", "a domain stands still in a transition, or never", out->stall == (cfg->vrm_stall && was->cycles != 0)) \
    H(RUN, "EQ-12", "performance, compute: the SMs faster", VF_DOMAIN_COMP(BALLAST_VF_PERFORMANCE, VF_DOMAIN_SM, BALLAST_VF_HIGH)) \
    H(RUN, "EQ-12", "performance, compute: the memory as it is",                                                         \
      VF_DOMAIN_COMP(BALLAST_VF_PERFORMANCE, VF_DOMAIN_MEM, VF_DOMAIN_MAINTAINED))                                       \
    H(RUN, "EQ-12", "performance, memory: the SMs as they are",                                                          \
      VF_DOMAIN_MEM_(BALLAST_VF_PERFORMANCE, VF_DOMAIN_SM, VF_DOMAIN_MAINTAINED))                                        \
    H(RUN, "EQ-12", "performance, memory: the memory faster", VF_DOMAIN_MEM_(BALLAST_VF_PERFORMANCE, VF_DOMAIN_MEM, BALLAST_VF_HIGH)) \
    H(RUN, "EQ-12", "energy, compute: the SMs as they are",                                                              \
      VF_DOMAIN_COMP(BALLAST_VF_ENERGY, VF_DOMAIN_SM, VF_DOMAIN_MAINTAINED))                                             \
    H(RUN, "EQ-12", "energy, compute: the memory slower", VF_DOMAIN_COMP(BALLAST_VF_ENERGY, VF_DOMAIN_MEM, BALLAST_VF_LOW)) \
    H(RUN, "EQ-12", "energy, memory: the SMs slower", VF_DOMAIN_MEM_(BALLAST_VF_ENERGY, VF_DOMAIN_SM, BALLAST_VF_LOW))   \
    H(RUN, "EQ-A16", "energy, memory: the memory as it is, or slower, as Table I prints it",                             \
      VF_DOMAIN_MEM_(BALLAST_VF_ENERGY, VF_DOMAIN_MEM, cfg->table1_literal ? BALLAST_VF_LOW : VF_DOMAIN_MAINTAINED))

#endif
