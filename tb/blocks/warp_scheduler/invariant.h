/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of warp_scheduler's registers in every run: the proof that model and RTL agree (doc/verification/proofs.md) starts
 * from here and shows that it stays so.
 */
#ifndef BALLAST_WARP_SCHEDULER_INVARIANT_H
#define BALLAST_WARP_SCHEDULER_INVARIANT_H

#include <stdbool.h>

#include "sm/warp_scheduler.h"

static inline bool warp_scheduler_older(const warp_scheduler_state *s, unsigned a, unsigned b)
{
    return a < b ? s->older[a] >> b & 1 : !(s->older[b] >> a & 1);
}

/* The ages are an order: only pairs i < j are kept, and who is younger than one that is younger than a slot is younger than the
 * slot. A bit per slot, for a solver takes them one by one. */
static inline uint64_t warp_scheduler_disorder(const warp_scheduler_state *s, unsigned slots)
{
    uint32_t younger[BALLAST_MAX_SLOTS] = {0}; /* than the slot */
    uint64_t violated = 0;

    for (unsigned a = 0; a < slots; a++) {
        violated |= (uint64_t)((s->older[a] & ((UINT64_C(2) << a) - 1)) != 0) << a;
        for (unsigned b = 0; b < slots; b++)
            younger[a] |= (uint32_t)(a != b && warp_scheduler_older(s, a, b)) << b;
    }
    for (unsigned a = 0; a < slots; a++)
        for (unsigned b = 0; b < slots; b++)
            violated |= (uint64_t)((younger[a] >> b & 1) && (younger[b] & ~younger[a] & ~(UINT32_C(1) << a)) != 0) << a;
    return violated;
}

/* Bits 0 to 32. */
static inline uint64_t warp_scheduler_violated(const warp_scheduler_state *s, const warp_scheduler_cfg *cfg)
{
    return warp_scheduler_disorder(s, cfg->num_slots) | (uint64_t)(s->last >= cfg->num_warps) << 32;
}

#endif
