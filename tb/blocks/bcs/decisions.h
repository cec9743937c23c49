/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels, pairs, and CTAs that go alone, as records (doc/use/decision_log.md).
 */
#ifndef BALLAST_BCS_DECISIONS_H
#define BALLAST_BCS_DECISIONS_H

#include <inttypes.h>

#include "blocks/bcs/bind.h"
#include "engine/decision.h"

static inline void bcs_record_start(decisions *list, const bcs_in *in, const bcs_state *after)
{
    decision *d = decision_new(list, "bcs", "BCS-2", "kernel_start");

    decision_input(d, "width", in->width);
    decision_after_state(d, "pairs", after->on ? "yes" : "no");
    decision_words(d, "kernel start: CTAs %s", after->on ? "in pairs" : "one by one");
}

static inline void bcs_record_alone(decisions *list, const char *rule, const char *why)
{
    decision *d = decision_new(list, "bcs", rule, "alone");

    decision_input_state(d, "why", why);
    decision_words(d, "a CTA alone: %s", why);
}

static inline void bcs_record_cta(decisions *list, const bcs_cfg *cfg, const bcs_state *before, const bcs_in *in,
                                  const bcs_out *out)
{
    if (out->second)
        decision_words(decision_new(list, "bcs", "BCS-1", "pair"), "a pair");
    else if (before->odd)
        bcs_record_alone(list, "BCS-A2", "neighbour");
    else if (in->last)
        bcs_record_alone(list, "BCS-A4", "grid_end");
    else if (cfg->pair_row_wrap == BCS_PER_ROW && before->row == 1)
        bcs_record_alone(list, "BCS-A1", "row_end");
    else
        bcs_record_alone(list, "BCS-A2", "one_place");
}

static inline void bcs_describe(decisions *list, unsigned *count, const bcs_cfg *cfg, const bcs_state *before, const bcs_in *in,
                                const bcs_out *out, const bcs_state *after)
{
    (void)count;
    if (in->start)
        bcs_record_start(list, in, after);
    else
        bcs_record_cta(list, cfg, before, in, out);
}

#endif
