/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of perfsat's registers in every run: the proof that model and RTL agree
 * (doc/verification/proofs.md) starts from here and shows that it stays so.
 */
#ifndef BALLAST_PERFSAT_INVARIANT_H
#define BALLAST_PERFSAT_INVARIANT_H

#include <stdbool.h>

#include "sm/perfsat.h"

/* PS-3, PS-6: a sample has something left of at most one period, and no more stalled cycles than cycles. */
static inline bool perfsat_counts_hold(const perfsat_state *s)
{
    return s->timer != 0 && s->timer <= s->period && s->stalled <= s->period - s->timer;
}

/* PS-8, PS-10: undecided, N0 and N0 + 1 are compared; decided, the last improvement is one step back, within 1..Nmax. */
static inline bool perfsat_search_holds(const perfsat_state *s)
{
    const unsigned first = (s->nmax + 1u) / 2;
    const bool up = s->state == PERFSAT_WEAK_INC || s->state == PERFSAT_STRONG_INC;

    if (!s->direction)
        return s->limit == first + up && (s->state == PERFSAT_WEAK_INC || s->state == PERFSAT_WEAK_DEC);
    return !s->history && (up ? s->limit > 1 : s->limit < s->nmax);
}

static inline uint64_t perfsat_violated(const perfsat_state *s, const perfsat_cfg *cfg)
{
    const bool in_range = s->nmax ? s->limit >= 1 && s->limit <= s->nmax : s->limit == 0;
    const unsigned first = (s->nmax + 1u) / 2;

    if (!in_range || s->nmax > cfg->num_slots || s->toggles > cfg->toggle_limit)
        return 1;
    switch (s->state) {
    case PERFSAT_WAIT:
        return !(s->nmax != 1 && s->limit == first && !s->direction && !s->history);
    case PERFSAT_MEASURE:
        return !(s->nmax > 1 && s->limit == first && !s->direction && !s->history);
    case PERFSAT_FIRST:
        return !(s->nmax > 1 && s->limit == first && !s->direction && !s->history && perfsat_counts_hold(s));
    case PERFSAT_DONE:
        return !(s->nmax != 0);
    default:
        return !(s->nmax > 1 && perfsat_counts_hold(s) && s->prev <= s->period && perfsat_search_holds(s));
    }
}

#endif
