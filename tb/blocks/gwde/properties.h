/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of gwde's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#include "blocks/gwde/next.h"

/* Nothing is held on any SM. */
static inline bool gwde_empty(const gwde_state *s, const gwde_cfg *cfg)
{
    bool empty = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        empty &= s->sm[i].count == 0;
    return empty;
}

/* At most one slot of one SM is taken: one if a CTA is chosen, else none. */
static inline bool gwde_one_is_taken(const gwde_state *before, const gwde_state *after, const gwde_cfg *cfg)
{
    bool one = true, some = false;

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const uint32_t taken = after->sm[i].held & ~before->sm[i].held;

        one &= (taken & (taken - 1)) == 0 && !(taken && some);
        some |= taken != 0;
    }
    return one && some == after->start_valid;
}

/* What SM i gets of a cycle, and what it held. */
static inline uint32_t gwde_taken(const gwde_state *before, const gwde_state *after, unsigned i)
{
    return after->sm[i].held & ~before->sm[i].held;
}

/* In pairs, a CTA goes beside nobody, into an even slot, or is the second one and goes above the first one's slot. */
static inline bool gwde_in_its_place(const gwde_state *before, const gwde_state *after, const gwde_cfg *cfg, bool second)
{
    bool right = true;

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const uint32_t taken = gwde_taken(before, after, i), first = UINT32_C(1) << before->start_slot;

        right &= taken == 0 || (second ? before->start_sm == i && taken == first << 1
                                       : (taken & UINT32_C(0x55555555)) && (taken << 1 & before->sm[i].held) == 0);
    }
    return right;
}

/* What an SM holds, and what may come, is of the kernel's mode. */
static inline bool gwde_one_mode(const gwde_state *s, const gwde_cfg *cfg)
{
    bool one = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        one &= (s->sm[i].count == 0 && !s->sm[i].second) || s->sm[i].pair == s->bcs.on;
    return one;
}

/* GWDE-2: no SM has more CTAs than an empty one has room for, with what may come. */
static inline bool gwde_within_most(const gwde_state *s, const gwde_cfg *cfg)
{
    bool within = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        within &= s->sm[i].count + (s->sm[i].ready ? 1u + s->sm[i].whole : s->sm[i].second ? 1u : 0u) <= s->most;
    return within;
}

/* In pairs, an SM is ready to take a CTA into an even slot beside nobody. */
static inline bool gwde_ready_beside_nobody(const gwde_state *s, const gwde_cfg *cfg)
{
    bool right = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        right &= !s->bcs.on || !s->sm[i].ready || (s->sm[i].slot % 2 == 0 && (s->sm[i].held >> s->sm[i].slot & 3) == 0);
    return right;
}

/* GWDE-2: so many CTAs, all that an SM may hold, have room. The sums are what one more needs; twice what one needs that is too big. */
static inline bool gwde_most_have_room(const gwde_state *s, const gwde_cfg *cfg)
{
    uint32_t warps = 0, regs = 0, smem = 0; /* of s->most CTAs */

    if (s->too_big)
        return s->most == 0 &&
               (s->sum_warps > cfg->num_warps || s->sum_regs > cfg->reg_units || s->sum_smem > cfg->smem_units);
    for (unsigned n = 0; n < cfg->sm.num_slots; n++)
        if (n < s->most) {
            warps += s->warps;
            regs += s->regs;
            smem += s->smem;
        }
    return s->most <= cfg->sm.num_slots && warps <= cfg->num_warps && regs <= cfg->reg_units && smem <= cfg->smem_units &&
           s->sum_warps == warps + s->warps && s->sum_regs == regs + s->regs && s->sum_smem == smem + s->smem;
}

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "GWDE-A1", "the turn is that of an SM", after->ptr < cfg->num_sms && (cfg->fill == GWDE_FILL_RR || after->ptr == 0)) \
    P(STATE, "GWDE-2", "of each SM, what the rules of its account say", gwde_sms_sound(after, cfg))                      \
    P(STATE, "GWDE-2", "a kernel that is too big has no CTA to launch", !after->too_big || after->left == 0)             \
    P(EVERY, "GWDE-2", "what a CTA needs changes only where none is left and none holds anything",                       \
      (after->warps == before->warps && after->regs == before->regs && after->smem == before->smem &&                    \
       after->too_big == before->too_big) || (in->start && before->left == 0 && gwde_empty(before, cfg)))                \
    P(EVERY, "GWDE-1", "one CTA of the grid less is left with each that is chosen, and with nothing else",               \
      before->left == 0 || after->left == before->left - after->start_valid)                                             \
    P(STATE, "BCS-1", "the second CTA of a pair has a place above the first one, and is left",                           \
      gwde_second_has_place(after, cfg))                                                                                 \
    P(STATE, "GWDE-1", "an SM is ready only for what the next CTA is, and where one is left", gwde_ready_for_it(after, cfg)) \
    P(STATE, "BCS-1", "in pairs, an SM is ready for an even slot beside nobody", gwde_ready_beside_nobody(after, cfg))   \
    P(STATE, "BCS-3", "what an SM holds goes in pairs where the kernel does", gwde_one_mode(after, cfg))                  \
    P(STATE, "GWDE-2", "no SM holds, or may get, more CTAs than an empty one has room for", gwde_within_most(after, cfg)) \
    P(STATE, "GWDE-2", "so many CTAs need no more than an SM has, or the kernel is too big", gwde_most_have_room(after, cfg)) \
    P(STEP, "BCS-1", "the second CTA of a pair is chosen in the cycle after the first one, and no other",                \
      !GWDE_SECOND_NEXT(before) || (after->start_valid && after->start_sm == before->start_sm &&                         \
                                    after->start_slot == before->start_slot + 1u &&                                      \
                                    (cfg->rr_advance == GWDE_AFTER_GRANT || after->ptr == before->ptr)))                 \
    P(STEP, "BCS-3", "in pairs, a CTA goes into an even slot beside nobody, or above the first one",                     \
      !before->bcs.on || gwde_in_its_place(before, after, cfg, GWDE_SECOND_NEXT(before)))                                \
    P(EVERY, "BCS-2", "a kernel begins in pairs only if it is 2-D and that is set, and keeps to it",                     \
      after->bcs.on == before->bcs.on || (in->start && (!after->bcs.on || (in->two_d && in->bcs))))                      \
    P(STEP, "GWDE-1", "one slot of one SM is taken by a CTA that is chosen, and none without",                          \
      gwde_one_is_taken(before, after, cfg))
