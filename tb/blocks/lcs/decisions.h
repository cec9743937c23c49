/* SPDX-License-Identifier: Apache-2.0
 *
 * lcs' decisions as records.
 */
#ifndef BALLAST_LCS_DECISIONS_H
#define BALLAST_LCS_DECISIONS_H

#include <inttypes.h>

#include "engine/decision.h"
#include "blocks/lcs/bind.h"

static inline const char *lcs_state_name(const lcs_state *state)
{
    return state->state <= LCS_ST_LAZY ? lcs_state_names[state->state] : "?";
}

static inline decision *lcs_record(decisions *list, const char *rule, const char *event, const lcs_state *before,
                                   const lcs_state *after)
{
    decision *d = decision_new(list, "lcs", rule, event);

    decision_change(d, "limit", before->limit, after->limit);
    decision_change_state(d, "state", lcs_state_name(before), lcs_state_name(after));
    return d;
}

static inline void lcs_record_counts(decisions *list, const lcs_state *before, const lcs_state *after)
{
    decision *d = lcs_record(list, "LCS-1", "first_cta", before, after);
    uint64_t sum = 0;
    uint32_t max = 0;

    for (unsigned slot = 0; slot < after->nmax && slot < BALLAST_MAX_SLOTS; slot++) {
        sum += after->inst[slot];
        if (after->inst[slot] > max)
            max = after->inst[slot];
    }
    decision_input(d, "sum", sum);
    decision_input(d, "max", max);
    decision_words(d, "first CTA done: counting ends with %" PRIu64 " instructions, at most %" PRIu32 " of one CTA", sum,
                   max);
}

/* The sum is what StDivide has taken off, plus what is left. */
static inline void lcs_record_quotient(decisions *list, const lcs_state *before, const lcs_state *after)
{
    const uint64_t sum = (uint64_t)before->index * before->max + before->sum;
    const bool up = after->limit > before->index;
    const char *rounded = before->sum == 0 ? "" : up ? " rounded up" : " rounded down";
    decision *d = lcs_record(list, before->max == 0 ? "LCS-7" : up ? "LCS-3" : "LCS-2", "t_new", before, after);

    decision_input(d, "sum", sum);
    decision_input(d, "max", before->max);
    decision_input(d, "t_new", after->limit);
    if (before->max == 0)
        decision_words(d, "T_new %u, nothing was issued", after->limit);
    else
        decision_words(d, "T_new %u = %" PRIu64 "/%" PRIu32 "%s", after->limit, sum, before->max, rounded);
    decision_words(d, ": limit %u -> %u", before->limit, after->limit);
}

static inline void lcs_describe(decisions *list, unsigned *count, const lcs_cfg *cfg, const lcs_state *before,
                                const lcs_in *in, const lcs_out *out, const lcs_state *after)
{
    decision *d;

    (void)count, (void)out;
    if (in->kernel_start) {
        d = lcs_record(list, "LCS-5", "kernel_start", before, after);
        decision_input(d, "nmax", in->nmax);
        decision_words(d, "kernel start: T_max %u, limit %u, %s", after->nmax, after->limit, lcs_state_name(after));
    } else if (before->state == LCS_ST_DIVIDE) {
        lcs_record_quotient(list, before, after);
    } else if (before->state == LCS_ST_THROTTLE) {
        d = lcs_record(list, "LCS-4", "throttled", before, after);
        decision_input(d, "active", lcs_active(before, cfg));
        decision_words(d, "throttled: %u CTAs active, limit %u", lcs_active(before, cfg), after->limit);
    } else if (after->state == LCS_ST_THROTTLE) {
        d = lcs_record(list, "LCS-6", "broadcast", before, after);
        decision_input(d, "t_new", in->bcast_limit);
        decision_words(d, "broadcast T_new %u: limit %u -> %u", in->bcast_limit, before->limit, after->limit);
    } else {
        lcs_record_counts(list, before, after);
    }
}

#endif
