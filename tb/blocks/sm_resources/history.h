/* SPDX-License-Identifier: Apache-2.0
 *
 * What sm_resources' rules remember of a run, from its inputs and outputs alone (rules/rules.h): which slots hold something, which
 * of them have finished, and what so many CTAs need, by adding it up. Pair mode sees two bits of a set at a time.
 */
#ifndef BALLAST_SM_RESOURCES_HISTORY_H
#define BALLAST_SM_RESOURCES_HISTORY_H

#include "common/popcount.h"

enum { SM_RESOURCES_MOST_SLOTS = 32 };

typedef struct sm_resources_history {
    uint32_t regs_of[SM_RESOURCES_MOST_SLOTS + 1], smem_of[SM_RESOURCES_MOST_SLOTS + 1]; /* what n CTAs need     */
    uint16_t warps_of[SM_RESOURCES_MOST_SLOTS + 1];
    uint16_t regs, smem;     /* what one CTA needs                                  */
    uint32_t held, finished; /* slots that hold something; of these, CTAs that have finished */
    uint8_t warps;
    uint8_t count;  /* launches without returns                            */
    uint8_t broken; /* the needs changed while a slot was held: not in the contract */
} sm_resources_history;

static inline void sm_resources_history_reset(sm_resources_history *h, const sm_resources_cfg *cfg)
{
    (void)cfg;
    *h = (sm_resources_history){.broken = 0};
}

static inline bool sm_resources_other_needs(const sm_resources_history *h, const sm_resources_in *in)
{
    return h->warps != in->warps || h->regs != in->regs || h->smem != in->smem;
}

/* Up to this cycle the needs stayed while a slot was held. */
static inline bool sm_resources_sound(const sm_resources_history *h, const sm_resources_in *in)
{
    return !h->broken && (h->count == 0 || !sm_resources_other_needs(h, in));
}

static inline void sm_resources_remember_needs(sm_resources_history *h, const sm_resources_in *in)
{
    h->warps = in->warps;
    h->regs = in->regs;
    h->smem = in->smem;
    h->warps_of[0] = 0;
    h->regs_of[0] = h->smem_of[0] = 0;
    for (unsigned n = 0; n < SM_RESOURCES_MOST_SLOTS; n++) {
        h->warps_of[n + 1] = (uint16_t)(h->warps_of[n] + in->warps);
        h->regs_of[n + 1] = h->regs_of[n] + in->regs;
        h->smem_of[n + 1] = h->smem_of[n] + in->smem;
    }
}

static inline uint32_t sm_resources_all(const sm_resources_cfg *cfg)
{
    return (uint32_t)((UINT64_C(1) << cfg->num_slots) - 1);
}

/* Slot i of a set has no lower one beside it. */
static inline bool sm_resources_first(uint32_t set, unsigned i)
{
    return (set >> i & 1) && (set & ((UINT32_C(1) << i) - 1)) == 0;
}

/* The slots 2k and 2k+1 of a set. */
static inline uint32_t sm_resources_two(uint32_t set, unsigned k)
{
    return set >> 2 * k & 3;
}

static inline bool sm_resources_both(const sm_resources_cfg *cfg, unsigned k)
{
    return 2 * k + 1 < cfg->num_slots;
}

/* Those that have finished. BCS-A3: of two slots of which one runs none is due, nor the lower one while the upper is launched into. */
static inline uint32_t sm_resources_due(const sm_resources_history *h, const sm_resources_cfg *cfg, const sm_resources_in *in)
{
    const uint32_t finished = h->held & (h->finished | in->cta_done), running = h->held & ~finished;
    uint32_t due = finished;

    for (unsigned k = 0; 2 * k < cfg->num_slots; k++) {
        const bool launched = in->second && in->first / 2 == k && sm_resources_both(cfg, k);

        if (in->pair && sm_resources_two(running, k))
            due &= ~(UINT32_C(3) << 2 * k);
        if (in->pair && launched)
            due &= ~(UINT32_C(1) << 2 * k);
    }
    return due;
}

static inline bool sm_resources_for_two(const sm_resources_in *in)
{
    return in->pair && in->whole && !in->second;
}

/* BCS-1, BCS-A4: two slots that are free together; for one CTA alone also the last one without a partner. */
static inline bool sm_resources_two_free(const sm_resources_history *h, const sm_resources_cfg *cfg, const sm_resources_in *in, unsigned k)
{
    return sm_resources_two(h->held, k) == 0 && (sm_resources_both(cfg, k) || !in->whole);
}

/* In pair mode a CTA has this slot to go to. */
static inline bool sm_resources_place_is(const sm_resources_history *h, const sm_resources_cfg *cfg, const sm_resources_in *in,
                                         unsigned slot)
{
    bool lower = false;

    if (in->second)
        return slot == (in->first | 1u) && slot < cfg->num_slots && !(h->held >> slot & 1);
    for (unsigned k = 0; 2 * k < slot; k++)
        lower |= sm_resources_two_free(h, cfg, in, k);
    return slot % 2 == 0 && !lower && sm_resources_two_free(h, cfg, in, slot / 2);
}

static inline bool sm_resources_has_place(const sm_resources_history *h, const sm_resources_cfg *cfg, const sm_resources_in *in)
{
    bool has = false;

    for (unsigned slot = 0; slot < cfg->num_slots; slot++)
        has |= sm_resources_place_is(h, cfg, in, slot);
    return in->pair ? has : h->count < cfg->num_slots;
}

static inline void sm_resources_remember(sm_resources_history *h, const sm_resources_cfg *cfg, const sm_resources_in *in,
                                         const sm_resources_out *out)
{
    const uint32_t due = sm_resources_due(h, cfg, in);
    const bool taken = in->take && out->fits;

    h->broken = !sm_resources_sound(h, in);
    if (h->count == 0)
        sm_resources_remember_needs(h, in);
    h->finished = h->held & (h->finished | in->cta_done);
    for (unsigned i = 0; i < cfg->num_slots; i++) {
        const uint32_t slot = UINT32_C(1) << i;

        if (sm_resources_first(due, i)) { /* one per cycle, the lowest */
            h->held &= ~slot;
            h->finished &= ~slot;
        }
        if (taken && out->slot == i)
            h->held |= slot;
    }
    h->count = (uint8_t)(h->count + taken - (due != 0));
}

/* ---- what follows from it ---------------------------------------------------------------- */

/* Of each resource, what `count` CTAs hold. */
typedef struct sm_resources_used {
    uint32_t warps, regs, smem;
} sm_resources_used;

static inline sm_resources_used sm_resources_use(const sm_resources_history *h)
{
    sm_resources_used used = {0, 0, 0};

    for (unsigned n = 0; n <= SM_RESOURCES_MOST_SLOTS; n++) {
        const uint32_t is = h->count == n ? UINT32_MAX : 0;

        used.warps |= h->warps_of[n] & is;
        used.regs |= h->regs_of[n] & is;
        used.smem |= h->smem_of[n] & is;
    }
    return used;
}

/* GWDE-2: all four resources, for an entire CTA. */
static inline bool sm_resources_room(const sm_resources_history *h, const sm_resources_cfg *cfg, const sm_resources_in *in)
{
    const sm_resources_used used = sm_resources_use(h);
    const uint32_t ctas = sm_resources_for_two(in) ? 2 : 1;

    return sm_resources_has_place(h, cfg, in) && used.warps + ctas * in->warps <= cfg->num_warps &&
           used.regs + ctas * in->regs <= cfg->reg_units && used.smem + ctas * in->smem <= cfg->smem_units;
}

static inline bool sm_resources_within(const sm_resources_history *h, const sm_resources_cfg *cfg)
{
    const sm_resources_used used = sm_resources_use(h);

    return used.warps <= cfg->num_warps && used.regs <= cfg->reg_units && used.smem <= cfg->smem_units;
}

static inline bool sm_resources_slot_is(const sm_resources_history *h, const sm_resources_cfg *cfg, const sm_resources_in *in,
                                        unsigned slot)
{
    const uint32_t free = ~h->held & sm_resources_all(cfg);
    bool found = free == 0 && slot == 0;

    if (in->pair)
        return sm_resources_has_place(h, cfg, in) ? sm_resources_place_is(h, cfg, in, slot) : slot == 0;
    for (unsigned i = 0; i < cfg->num_slots; i++)
        found |= slot == i && sm_resources_first(free, i);
    return found;
}

/* A history that is only tested. */
#define BLOCK_HISTORY_TESTED

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(TEST, "GWDE-2", "a CTA fits where a slot is free, and what the CTAs hold leaves warps, registers and shared memory", \
      !sm_resources_sound(was, in) || out->fits == sm_resources_room(was, cfg, in))                                      \
    H(TEST, "GWDE-2", "what the CTAs hold is never more than the SM has", was->broken || sm_resources_within(was, cfg))   \
    H(TEST, "GWDE-2", "never a CTA more than there are slots", !out->fits || was->count < cfg->num_slots)                 \
    H(TEST, "BCS-A3", "a pair's slots are free when both CTAs have finished, not before",                                 \
      !in->pair || !out->fits || in->second || (out->slot % 2 == 0 && sm_resources_two(was->held, out->slot / 2) == 0))   \
    H(TEST, "BCS-1", "the second CTA of a pair goes into the slot above the first one",                                   \
      !in->pair || !in->second || !out->fits || out->slot == (in->first | 1))                                            \
    H(TEST, "GWDE-2", "a CTA goes into the lowest slot that holds nothing", sm_resources_slot_is(was, cfg, in, out->slot)) \
    H(TEST, "GWDE-2", "the slots that are held are counted: one more per launch, one fewer per return",                   \
      out->count == was->count)                                                                                          \
    H(TEST, "GWDE-2", "a slot is active until its CTA has finished", out->active == (was->held & ~was->finished))         \
    H(TEST, "GWDE-2", "a CTA that has finished is due until it has returned, in its turn",                                \
      out->due == (sm_resources_due(was, cfg, in) != 0))

#endif
