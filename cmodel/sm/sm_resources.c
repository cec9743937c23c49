/* SPDX-License-Identifier: Apache-2.0
 *
 * An SM is a row of slots. The cycle looks for the one to fill and the one to empty; then each of them
 * moves what a CTA needs, out of what is free or back into it. In pair mode it looks at a slot and its
 * partner.
 */
#include "sm/sm_resources.h"

enum { NO_SLOT = 32 };

sm_resources_cfg sm_resources_cfg_default(void)
{
    return (sm_resources_cfg){.num_slots = 8, .num_warps = 48, .reg_units = 1024, .smem_units = 384};
}

void sm_resources_reset(sm_resources_state *state, const sm_resources_cfg *cfg)
{
    *state = (sm_resources_state){
        .warps = (uint8_t)cfg->num_warps,
        .regs = (uint16_t)cfg->reg_units,
        .smem = (uint16_t)cfg->smem_units,
    };
}

/* A register that can hold `most` wraps at the next power of two. */
static uint32_t wrapped(uint32_t value, uint32_t most)
{
    uint32_t ones = 1;

    while (ones < most)
        ones = ones << 1 | 1;
    return value & ones;
}

/* The lowest slot of a set, or NO_SLOT. */
static unsigned lowest(const sm_resources_cfg *cfg, uint32_t set)
{
    unsigned found = NO_SLOT;

    for (unsigned slot = cfg->num_slots; slot-- > 0;)
        if (set >> slot & 1)
            found = slot;
    return found;
}

/* Slots whose CTA has finished, now or before, and which are still held. */
static uint32_t finished(const sm_resources_state *s, const sm_resources_in *in)
{
    return (s->returning | in->cta_done) & s->held;
}

static bool in_set(uint32_t set, unsigned slot)
{
    return slot < 32 && (set >> slot & 1);
}

/* The other slot of a pair of slots; of the last one, if their number is odd, one that is not there. */
static unsigned partner(unsigned slot)
{
    return slot % 2 ? slot - 1 : slot + 1;
}

/* Where the second CTA of a pair goes, in a cycle that has one; else NO_SLOT. */
static unsigned second_slot(const sm_resources_cfg *cfg, const sm_resources_in *in)
{
    const unsigned slot = in->first % 2 ? in->first : partner(in->first);

    return in->pair && in->second && slot < cfg->num_slots ? slot : NO_SLOT;
}

/* The CTA in the partner's slot runs, or is launched there in this cycle. */
static bool partner_runs(const sm_resources_state *s, const sm_resources_cfg *cfg, const sm_resources_in *in, unsigned slot)
{
    const uint32_t runs = s->held & ~finished(s, in);
    const unsigned other = partner(slot);

    return other < cfg->num_slots && (in_set(runs, other) || other == second_slot(cfg, in));
}

/* BCS-3, BCS-A3: in pair mode a slot returns only with its partner. */
static uint32_t returns(const sm_resources_state *s, const sm_resources_cfg *cfg, const sm_resources_in *in)
{
    uint32_t set = finished(s, in);

    for (unsigned slot = 0; in->pair && slot < cfg->num_slots; slot++)
        if (partner_runs(s, cfg, in, slot))
            set &= ~(UINT32_C(1) << slot);
    return set;
}

/* In pair mode, for a pair or for one CTA: is this its slot, when it is the lowest one. */
static bool opens(const sm_resources_state *s, const sm_resources_cfg *cfg, const sm_resources_in *in, unsigned slot)
{
    const bool has_partner = partner(slot) < cfg->num_slots;

    if (slot % 2 || in_set(s->held, slot))
        return false;
    return has_partner ? !in_set(s->held, partner(slot)) : !in->whole;
}

static unsigned slot_for(const sm_resources_state *s, const sm_resources_cfg *cfg, const sm_resources_in *in)
{
    if (!in->pair)
        return lowest(cfg, ~s->held);
    if (in->second) {
        const unsigned slot = second_slot(cfg, in);

        return in_set(s->held, slot) ? NO_SLOT : slot;
    }
    for (unsigned slot = 0; slot < cfg->num_slots; slot++)
        if (opens(s, cfg, in, slot))
            return slot;
    return NO_SLOT;
}

/* GWDE-2, of the resources: what is free suffices for so many CTAs. */
static bool suffices(const sm_resources_state *s, const sm_resources_in *in)
{
    const uint32_t ctas = in->pair && in->whole && !in->second ? 2 : 1;

    return ctas * in->warps <= s->warps && ctas * in->regs <= s->regs && ctas * in->smem <= s->smem;
}

void sm_resources_look(const sm_resources_state *state, const sm_resources_cfg *cfg, const sm_resources_in *in,
                       sm_resources_out *out)
{
    const unsigned slot = slot_for(state, cfg, in);

    *out = (sm_resources_out){
        .active = state->held & ~state->returning,
        .fits = slot != NO_SLOT && suffices(state, in),
        .slot = (uint8_t)(slot == NO_SLOT ? 0 : slot),
        .count = state->count,
        .due = lowest(cfg, returns(state, cfg, in)) != NO_SLOT,
    };
}

static void launch(sm_resources_state *s, const sm_resources_cfg *cfg, const sm_resources_in *in, unsigned slot)
{
    s->held |= UINT32_C(1) << slot;
    s->count = (uint8_t)wrapped(s->count + 1u, cfg->num_slots);
    s->warps = (uint8_t)wrapped((uint32_t)s->warps - in->warps, cfg->num_warps + 1);
    s->regs = (uint16_t)wrapped((uint32_t)s->regs - in->regs, cfg->reg_units + 1);
    s->smem = (uint16_t)wrapped((uint32_t)s->smem - in->smem, cfg->smem_units + 1);
}

static void give_back(sm_resources_state *s, const sm_resources_cfg *cfg, const sm_resources_in *in, unsigned slot)
{
    s->held &= ~(UINT32_C(1) << slot);
    s->returning &= ~(UINT32_C(1) << slot);
    s->count = (uint8_t)wrapped(s->count - 1u, cfg->num_slots);
    s->warps = (uint8_t)wrapped((uint32_t)s->warps + in->warps, cfg->num_warps + 1);
    s->regs = (uint16_t)wrapped((uint32_t)s->regs + in->regs, cfg->reg_units + 1);
    s->smem = (uint16_t)wrapped((uint32_t)s->smem + in->smem, cfg->smem_units + 1);
}

void sm_resources_step(sm_resources_state *state, const sm_resources_cfg *cfg, const sm_resources_in *in,
                       sm_resources_out *out)
{
    const uint32_t done = finished(state, in);
    const unsigned back = lowest(cfg, returns(state, cfg, in));

    sm_resources_look(state, cfg, in, out);
    state->returning = done;
    if (back != NO_SLOT)
        give_back(state, cfg, in, back);
    if (in->take && out->fits)
        launch(state, cfg, in, out->slot);
}
