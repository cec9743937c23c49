/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of lcs' registers in every run: the proof that model and RTL agree
 * (doc/verification/proofs.md) starts from here and shows that it stays so.
 */
#ifndef BALLAST_LCS_INVARIANT_H
#define BALLAST_LCS_INVARIANT_H

#include <stdbool.h>

#include "sm/lcs.h"

/* LCS-2: so many counts gathered are at most so many maxima; what is left after k maxima is at most T_max - k of them. A bit
 * per number of maxima: each clause is then a comparison with a constant multiple. While it gathers, the count of the slot before is
 * picked and not yet in the sum. */
static inline uint64_t lcs_sum_too_large(const lcs_state *s, const lcs_cfg *cfg)
{
    const unsigned gathered = s->index ? s->index - 1u : 0;
    const unsigned maxima = s->state == LCS_ST_GATHER ? gathered : (unsigned)s->nmax - s->index;
    uint64_t violated = 0;

    for (unsigned k = 0; k <= cfg->num_slots; k++)
        violated |= (uint64_t)(maxima == k && s->sum > (uint64_t)k * s->max) << k;
    return violated;
}

static inline bool lcs_in_range(const lcs_state *s, const lcs_cfg *cfg)
{
    if (s->nmax > cfg->num_slots || (s->state == LCS_ST_IDLE) != (s->nmax == 0))
        return false;
    if (s->state == LCS_ST_MONITOR || s->state == LCS_ST_GATHER || s->state == LCS_ST_DIVIDE)
        return s->limit == s->nmax && s->nmax > 1;
    return s->nmax ? s->limit >= 1 && s->limit <= s->nmax : s->limit == 0;
}

/* LCS-1: a count that is half full takes what two cycles issue, and no more. Counting is over with the cycle after the first finish. */
static inline bool lcs_counts_fit(const lcs_state *s, const lcs_cfg *cfg)
{
    const bool over = s->state != LCS_ST_MONITOR;
    bool fit = !over || !s->finish;

    for (unsigned i = 0; i < cfg->num_slots; i++) {
        fit &= s->step[i] <= (over ? 0 : cfg->issue_width);
        fit &= (uint64_t)s->inst[i] + s->step[i] < (UINT64_C(1) << (cfg->count_w - 1)) + UINT64_C(2) * cfg->issue_width;
    }
    return fit;
}

static inline bool lcs_nothing_gathered(const lcs_state *s)
{
    return s->picked == 0 && s->sum == 0 && s->max == 0 && s->index == 0;
}

static inline uint64_t lcs_violated(const lcs_state *s, const lcs_cfg *cfg)
{
    const uint64_t other = UINT64_C(1) << 63;

    if (!lcs_in_range(s, cfg) || !lcs_counts_fit(s, cfg) || (s->decided && s->state != LCS_ST_THROTTLE))
        return other;
    switch (s->state) {
    case LCS_ST_MONITOR:
        return lcs_nothing_gathered(s) ? 0 : other;
    case LCS_ST_GATHER:
        if (s->index == 0)
            return lcs_nothing_gathered(s) ? 0 : other;
        return s->index <= s->nmax && s->sum >= s->max ? lcs_sum_too_large(s, cfg) : other;
    case LCS_ST_DIVIDE:
        if (s->picked + (uint64_t)s->max + 1 != UINT64_C(1) << cfg->count_w) /* ~max */
            return other;
        return s->index <= s->nmax && (s->index != 0 || s->sum >= s->max) ? lcs_sum_too_large(s, cfg) : other;
    default:
        return s->state <= LCS_ST_LAZY ? 0 : other;
    }
}

#endif
