/* SPDX-License-Identifier: Apache-2.0
 *
 * An SM is a row of slots. The cycle fills the slot that the cycle before has found, empties one whose CTA has
 * finished, and looks for the next one to fill. In pair mode it looks at a slot and its partner.
 */
#include "sm/sm_resources.h"

enum { NO_SLOT = 32 };

sm_resources_cfg sm_resources_cfg_default(void)
{
    return (sm_resources_cfg){.num_slots = 8};
}

void sm_resources_reset(sm_resources_state *state, const sm_resources_cfg *cfg)
{
    (void)cfg;
    *state = (sm_resources_state){.held = 0};
}

/* A count of slots wraps at the next power of two. */
static uint8_t wrapped(unsigned count, const sm_resources_cfg *cfg)
{
    unsigned ones = 1;

    while (ones < cfg->num_slots)
        ones = ones << 1 | 1;
    return (uint8_t)(count & ones);
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

/* The slot of the CTA that comes in this cycle, if one does; NO_SLOT where the SM has none of that number. */
static unsigned slot_of_launch(const sm_resources_state *s, const sm_resources_cfg *cfg)
{
    const unsigned slot = s->second && s->slot % 2 == 0 ? s->slot + 1u : s->slot;

    return slot < cfg->num_slots ? slot : NO_SLOT;
}

/* The CTA in the partner's slot runs, or is launched there in this cycle. */
static bool partner_runs(const sm_resources_state *s, const sm_resources_cfg *cfg, const sm_resources_in *in, unsigned slot)
{
    const uint32_t runs = s->held & ~finished(s, in);
    const unsigned other = partner(slot);
    const bool comes = s->second && other == slot_of_launch(s, cfg);

    return other < cfg->num_slots && (in_set(runs, other) || comes);
}

/* BCS-3, BCS-A3: in pair mode a slot returns only with its partner. */
static uint32_t returns(const sm_resources_state *s, const sm_resources_cfg *cfg, const sm_resources_in *in)
{
    uint32_t set = finished(s, in);

    for (unsigned slot = 0; s->pair && slot < cfg->num_slots; slot++)
        if (partner_runs(s, cfg, in, slot))
            set &= ~(UINT32_C(1) << slot);
    return set;
}

/* In pair mode: has a pair, or a CTA that goes alone, room in this slot and its partner. */
static bool opens(const sm_resources_state *s, const sm_resources_cfg *cfg, const sm_resources_in *in, unsigned slot)
{
    const bool has_partner = partner(slot) < cfg->num_slots;

    if (slot % 2 || in_set(s->held, slot))
        return false;
    return has_partner ? !in_set(s->held, partner(slot)) : !in->whole;
}

static unsigned next_slot(const sm_resources_state *s, const sm_resources_cfg *cfg, const sm_resources_in *in)
{
    if (!in->pair)
        return lowest(cfg, ~s->held);
    for (unsigned slot = 0; slot < cfg->num_slots; slot++)
        if (opens(s, cfg, in, slot))
            return slot;
    return NO_SLOT;
}

/* GWDE-2. */
static bool fits(const sm_resources_state *s, const sm_resources_cfg *cfg, const sm_resources_in *in)
{
    const unsigned ctas = in->pair && in->whole ? 2 : 1;

    return s->count + ctas <= in->most && next_slot(s, cfg, in) != NO_SLOT;
}

void sm_resources_look(const sm_resources_state *state, const sm_resources_cfg *cfg, const sm_resources_in *in,
                       sm_resources_out *out)
{
    *out = (sm_resources_out){
        .active = state->held & ~state->returning,
        .fits = fits(state, cfg, in),
        .ready = state->ready,
        .whole = state->whole,
        .second = state->second,
        .slot = state->slot,
        .count = state->count,
        .due = returns(state, cfg, in) != 0,
    };
}

/* What the next cycle may do. A CTA that comes leaves `slot`: its partner may follow. */
static void prepare(sm_resources_state *next, const sm_resources_state *s, const sm_resources_cfg *cfg, const sm_resources_in *in)
{
    const bool comes = in->take && s->ready;
    const unsigned slot = next_slot(s, cfg, in);

    next->pair = s->ready ? in->pair : s->pair;
    next->whole = in->pair && in->whole;
    next->second = comes && s->whole;
    next->ready = in->may && fits(s, cfg, in) && !(in->take || in->clear || s->second);
    if (!comes)
        next->slot = (uint8_t)(slot == NO_SLOT ? 0 : slot);
}

void sm_resources_step(sm_resources_state *state, const sm_resources_cfg *cfg, const sm_resources_in *in,
                       sm_resources_out *out)
{
    const sm_resources_state s = *state;
    const unsigned back = lowest(cfg, returns(&s, cfg, in)), slot = slot_of_launch(&s, cfg);
    const bool launch = s.second || (in->take && s.ready);

    sm_resources_look(&s, cfg, in, out);
    prepare(state, &s, cfg, in);
    state->returning = finished(&s, in);
    if (back != NO_SLOT) {
        state->held &= ~(UINT32_C(1) << back);
        state->returning &= ~(UINT32_C(1) << back);
    }
    if (launch && slot != NO_SLOT)
        state->held |= UINT32_C(1) << slot;
    state->count = wrapped(s.count + (launch ? 1u : 0u) - (back != NO_SLOT ? 1u : 0u), cfg);
}
