/* SPDX-License-Identifier: Apache-2.0
 *
 * What sm_resources' rules remember of a run, from its inputs alone (rules/rules.h): which slots hold something, which of them have
 * finished, and what the last cycle has found for this one. Pair mode sees two bits of a set at a time.
 */
#ifndef BALLAST_SM_RESOURCES_HISTORY_H
#define BALLAST_SM_RESOURCES_HISTORY_H

typedef struct sm_resources_history {
    uint32_t held, finished; /* slots that hold something; of these, CTAs that have finished */
    uint8_t count;           /* launches without returns                                     */
    uint8_t pair;            /* pair mode where a CTA could come last                        */
    uint8_t ready, whole;    /* the cycle before found a place for a CTA, or for two,        */
    uint8_t slot;            /* in this slot                                                 */
    uint8_t half;            /* it was that of a first CTA, so the second one comes          */
} sm_resources_history;

static inline void sm_resources_history_reset(sm_resources_history *h, const sm_resources_cfg *cfg)
{
    (void)cfg;
    *h = (sm_resources_history){.held = 0};
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

    for (unsigned k = 0; h->pair && 2 * k < cfg->num_slots; k++) {
        if (sm_resources_two(running, k))
            due &= ~(UINT32_C(3) << 2 * k);
        if (h->half && h->slot / 2 == k)
            due &= ~(UINT32_C(1) << 2 * k);
    }
    return due;
}

/* BCS-1, BCS-A4: two slots that are free together; for one CTA alone also the last one without a partner. */
static inline bool sm_resources_two_free(const sm_resources_history *h, const sm_resources_cfg *cfg, const sm_resources_in *in, unsigned k)
{
    return sm_resources_two(h->held, k) == 0 && (sm_resources_both(cfg, k) || !in->whole);
}

/* The lowest slot for the next CTA, or for a pair; num_slots if there is none. */
static inline unsigned sm_resources_place(const sm_resources_history *h, const sm_resources_cfg *cfg, const sm_resources_in *in)
{
    unsigned place = cfg->num_slots;

    for (unsigned slot = cfg->num_slots; slot-- > 0;) {
        const bool free = in->pair ? slot % 2 == 0 && sm_resources_two_free(h, cfg, in, slot / 2) : !(h->held >> slot & 1);

        place = free ? slot : place;
    }
    return place;
}

/* GWDE-2: an entire CTA has room, or two of them. */
static inline bool sm_resources_room(const sm_resources_history *h, const sm_resources_cfg *cfg, const sm_resources_in *in)
{
    return sm_resources_place(h, cfg, in) < cfg->num_slots && h->count + (in->pair && in->whole ? 1u : 0u) < in->most;
}

/* A CTA comes: the first one of a pair or one alone, or the second one. */
static inline bool sm_resources_comes(const sm_resources_history *h, const sm_resources_in *in)
{
    return h->ready && in->take;
}

static inline void sm_resources_remember_next(sm_resources_history *h, const sm_resources_cfg *cfg, const sm_resources_in *in, unsigned place,
                                              bool room)
{
    const bool comes = sm_resources_comes(h, in);

    h->pair = h->ready ? in->pair : h->pair;
    h->ready = in->may && room && !in->take && !in->clear && !h->half;
    h->half = comes && h->whole;
    h->whole = in->pair && in->whole;
    if (!comes)
        h->slot = (uint8_t)(place < cfg->num_slots ? place : 0);
}

static inline void sm_resources_remember(sm_resources_history *h, const sm_resources_cfg *cfg, const sm_resources_in *in,
                                         const sm_resources_out *out)
{
    const uint32_t due = sm_resources_due(h, cfg, in);
    const bool comes = sm_resources_comes(h, in) || h->half, room = sm_resources_room(h, cfg, in);
    const unsigned place = sm_resources_place(h, cfg, in), into = h->half ? h->slot + 1u : h->slot;

    (void)out;
    h->finished = h->held & (h->finished | in->cta_done);
    for (unsigned i = 0; i < cfg->num_slots; i++) {
        const uint32_t slot = UINT32_C(1) << i;

        if (sm_resources_first(due, i)) { /* one per cycle, the lowest */
            h->held &= ~slot;
            h->finished &= ~slot;
        }
        if (comes && into == i)
            h->held |= slot;
    }
    h->count = (uint8_t)(h->count + comes - (due != 0));
    sm_resources_remember_next(h, cfg, in, place, room);
}

/* A history that is only tested. */
#define BLOCK_HISTORY_TESTED

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(TEST, "GWDE-2", "a CTA fits where a slot is free, and an empty SM has room for more than are held",                 \
      out->fits == sm_resources_room(was, cfg, in))                                                                      \
    H(TEST, "GWDE-2", "a CTA may come where the cycle before found room and a reason, and nothing came or was cleared",   \
      out->ready == was->ready)                                                                                          \
    H(TEST, "GWDE-2", "it goes into the lowest slot that held nothing then", out->slot == was->slot)                      \
    H(TEST, "BCS-1", "what comes is the first CTA of a pair where room for two was found", out->whole == was->whole)      \
    H(TEST, "BCS-1", "the second CTA of a pair comes in the cycle after the first one", out->second == was->half)         \
    H(TEST, "GWDE-2", "the slots that are held are counted: one more per launch, one fewer per return",                   \
      out->count == was->count)                                                                                          \
    H(TEST, "GWDE-2", "a slot is active until its CTA has finished", out->active == (was->held & ~was->finished))         \
    H(TEST, "GWDE-2", "a CTA that has finished is due until it has returned, in its turn",                                \
      out->due == (sm_resources_due(was, cfg, in) != 0))

#endif
