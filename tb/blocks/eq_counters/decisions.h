/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of an epoch as a record.
 */
#ifndef BALLAST_EQ_COUNTERS_DECISIONS_H
#define BALLAST_EQ_COUNTERS_DECISIONS_H

#include <inttypes.h>
#include <stdio.h>

#include "engine/decision.h"
#include "blocks/eq_counters/bind.h"

/* A sum over 32 samples, the paper's number, as an average with one decimal, rounded down. */
static inline const char *eq_counters_by_32(char *text, size_t size, uint32_t sum)
{
    snprintf(text, size, "%" PRIu32 ".%" PRIu32, sum / 32, sum % 32 * 10 / 32);
    return text;
}

/* How many samples there were is not known here, so the sums stand first. */
static inline void eq_counters_describe(decisions *list, unsigned *count, const eq_counters_cfg *cfg,
                                        const eq_counters_state *before, const eq_counters_in *in,
                                        const eq_counters_out *out, const eq_counters_state *after)
{
    decision *d = decision_new(list, "eq_counters", "EQ-4", "epoch");
    char average[4][16];

    (void)cfg, (void)before, (void)in, (void)after;
    decision_input(d, "epoch", ++*count);
    decision_input(d, "active", out->active);
    decision_input(d, "waiting", out->waiting);
    decision_input(d, "xalu", out->xalu);
    decision_input(d, "xmem", out->xmem);
    decision_words(d,
                   "epoch %u: active %" PRIu32 ", waiting %" PRIu32 ", X_alu %" PRIu32 ", X_mem %" PRIu32
                   " (/32: %s, %s, %s, %s warps)",
                   *count, out->active, out->waiting, out->xalu, out->xmem,
                   eq_counters_by_32(average[0], sizeof average[0], out->active),
                   eq_counters_by_32(average[1], sizeof average[1], out->waiting),
                   eq_counters_by_32(average[2], sizeof average[2], out->xalu),
                   eq_counters_by_32(average[3], sizeof average[3], out->xmem));
}

#endif
