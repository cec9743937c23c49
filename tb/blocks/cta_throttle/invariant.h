/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of cta_throttle's registers in every run: the proof that model and RTL agree
 * (doc/verification/proofs.md) starts from here and shows that it stays so.
 */
#ifndef BALLAST_CTA_THROTTLE_INVARIANT_H
#define BALLAST_CTA_THROTTLE_INVARIANT_H

#include <stdbool.h>

#include "sm/cta_throttle.h"

static inline bool cta_throttle_older(const cta_throttle_state *s, unsigned a, unsigned b)
{
    return a < b ? s->older[a] >> b & 1 : !(s->older[b] >> a & 1);
}

/* The ages are an order: only pairs i < j are kept, and of three slots none is older than one that is older than the third, but
 * not older than the third itself. A bit per slot that is the oldest of three, for a solver takes them one by one. */
static inline uint64_t cta_throttle_disorder(const cta_throttle_state *s, unsigned slots)
{
    uint32_t younger[sizeof s->older / sizeof *s->older] = {0}; /* than the slot */
    uint64_t violated = 0;

    for (unsigned a = 0; a < slots; a++) {
        violated |= (uint64_t)((s->older[a] & ((UINT64_C(2) << a) - 1)) != 0) << a;
        for (unsigned b = 0; b < slots; b++)
            younger[a] |= (uint32_t)(a != b && cta_throttle_older(s, a, b)) << b;
    }
    for (unsigned a = 0; a < slots; a++)
        for (unsigned b = 0; b < slots; b++)
            violated |= (uint64_t)((younger[a] >> b & 1) && (younger[b] & ~younger[a] & ~(UINT32_C(1) << a)) != 0) << a;
    return violated;
}

/* Bits 0 to 31 and 41. */
static inline uint64_t cta_throttle_violated(const cta_throttle_state *s, const cta_throttle_cfg *cfg)
{
    const bool in_range = (s->num_blocks != 0 || s->nmax == 0) && s->num_blocks + s->request <= s->nmax && /* EQ-A12 */
                          s->nmax <= cfg->num_slots && s->run < cfg->hyst_epochs && (s->nmax || !s->run) &&
                          (cfg->grant_feedback || !s->request);

    return (uint64_t)!in_range << 41 | cta_throttle_disorder(s, cfg->num_slots);
}

#endif
