/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of lcs' registers in every run, and what the surroundings promise: the proof that model and RTL agree
 * (doc/proofs.md) starts from here and shows that it stays so.
 */
#ifndef BALLAST_LCS_INVARIANT_H
#define BALLAST_LCS_INVARIANT_H

#include <stdbool.h>

#include "sm/lcs.h"

/* A kernel does not hold more CTAs than there are slots. */
static inline bool lcs_inputs(const lcs_in *in, const lcs_cfg *cfg)
{
    return in->nmax <= cfg->num_slots;
}

/* LCS-2: `sum` is at most so many maxima. */
static inline bool lcs_sum_within(const lcs_state *s, unsigned maxima)
{
    uint64_t most = 0;

    for (unsigned bit = 0; bit < 6; bit++)
        most += maxima >> bit & 1 ? (uint64_t)s->max << bit : 0;
    return s->sum <= most;
}

static inline bool lcs_invariant(const lcs_state *s, const lcs_cfg *cfg)
{
    const bool in_range = s->nmax ? s->limit >= 1 && s->limit <= s->nmax : s->limit == 0;

    if (!in_range || s->nmax > cfg->num_slots || (s->state == LCS_ST_IDLE) != (s->nmax == 0))
        return false;
    switch (s->state) {
    case LCS_ST_MONITOR:
        return s->nmax > 1 && s->limit == s->nmax && s->sum == 0 && s->max == 0 && s->index == 0;
    case LCS_ST_GATHER:
        return s->limit == s->nmax && s->index < s->nmax && s->sum >= s->max && lcs_sum_within(s, s->index);
    case LCS_ST_DIVIDE:
        return s->limit == s->nmax && s->index <= s->nmax && (s->index != 0 || s->sum >= s->max) &&
               lcs_sum_within(s, (unsigned)s->nmax - s->index);
    default:
        return s->state <= LCS_ST_LAZY;
    }
}

#endif
