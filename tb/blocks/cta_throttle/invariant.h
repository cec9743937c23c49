/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of cta_throttle's registers in every run: the proof that model and RTL agree
 * (doc/verification/proofs.md) starts from here and shows that it stays so.
 */
#ifndef BALLAST_CTA_THROTTLE_INVARIANT_H
#define BALLAST_CTA_THROTTLE_INVARIANT_H

#include <stdbool.h>

#include "sm/cta_throttle.h"

/* The place of the order that the search has come to. */
static inline unsigned cta_throttle_place(const cta_throttle_state *s, unsigned slots)
{
    const unsigned steps = s->next ? s->next - 1u : slots - 1;

    return s->up ? slots - 1 - steps : steps;
}

/* Slots that are nowhere in the order. */
static inline uint64_t cta_throttle_missing(const cta_throttle_state *s, unsigned slots)
{
    uint64_t missing = (UINT64_C(1) << slots) - 1;

    for (unsigned place = 0; place < slots; place++)
        missing &= ~(UINT64_C(1) << (s->order[place] & 31));
    return missing;
}

/* Slots of `set` that the search has left behind. */
static inline uint32_t cta_throttle_left_behind(const cta_throttle_state *s, unsigned slots, uint32_t set)
{
    const unsigned at = cta_throttle_place(s, slots);
    uint32_t left = 0;

    for (unsigned place = 0; place < slots; place++)
        left |= (uint32_t)(s->up ? place > at : place < at) << (s->order[place] & 31);
    return left & set;
}

/* A search begins at one end. While a slot is tested, it is the one of the search's place, and no paused one is older than it. */
static inline bool cta_throttle_search_holds(const cta_throttle_state *s, unsigned slots)
{
    if (!s->tests)
        return s->next == 0;
    return !s->moves && s->slot == s->order[cta_throttle_place(s, slots) & 31] &&
           (!s->up || !cta_throttle_left_behind(s, slots, s->paused));
}

/* Bits 0 to 31: the slots that the order has not; 41, and 44 to 46. */
static inline uint64_t cta_throttle_violated(const cta_throttle_state *s, const cta_throttle_cfg *cfg)
{
    const bool in_range = (s->num_blocks != 0 || s->nmax == 0) && s->num_blocks + s->request <= s->nmax && /* EQ-A12 */
                          s->nmax <= cfg->num_slots && s->run < cfg->hyst_epochs && (s->nmax || !s->run) &&
                          (cfg->grant_feedback || !s->request);
    const bool nobody_waits = (s->nmax || !s->paused) && (!cfg->inc_unpause_first || !s->request || !s->paused); /* PAUSE-A3 */
    const bool places = s->next < cfg->num_slots && s->slot < cfg->num_slots;

    return (uint64_t)!in_range << 41 | (uint64_t)!nobody_waits << 45 | (uint64_t)!places << 46 |
           (uint64_t)!cta_throttle_search_holds(s, cfg->num_slots) << 44 | cta_throttle_missing(s, cfg->num_slots);
}

#endif
