/* SPDX-License-Identifier: Apache-2.0
 *
 * The branch of Algorithm 1 as a record. Alone, eq_decision does not know when an epoch ends and takes
 * no decision: the governor writes its record.
 */
#ifndef BALLAST_EQ_DECISION_DECISIONS_H
#define BALLAST_EQ_DECISION_DECISIONS_H

#include "engine/decision.h"
#include "blocks/eq_decision/bind.h"

/* Where the branch stands in Algorithm 1; 0: nowhere, none was taken. */
static inline unsigned eq_decision_line(unsigned branch)
{
    static const uint8_t lines[BALLAST_EQ_BRANCHES] = {
        [BALLAST_EQ_DEFINITELY_MEM] = 7, [BALLAST_EQ_DEFINITELY_COMP] = 10, [BALLAST_EQ_LIKELY_MEM] = 12,
        [BALLAST_EQ_WAIT_COMP] = 14,     [BALLAST_EQ_WAIT_MEM] = 14,        [BALLAST_EQ_IDLE] = 21,
    };

    return lines[branch % BALLAST_EQ_BRANCHES];
}

static inline void eq_decision_record(decisions *list, const eq_decision_cfg *cfg, const eq_decision_in *in,
                                      const eq_decision_out *out)
{
    const char *rule = out->branch == BALLAST_EQ_LIKELY_MEM ? "EQ-8" : out->branch == BALLAST_EQ_IDLE ? "EQ-16" : "EQ-7";
    const char *name = eq_branch_names[out->branch % BALLAST_EQ_BRANCHES];
    decision *d = decision_new(list, "eq_decision", rule, "algorithm_1");

    decision_input(d, "active", in->active);
    decision_input(d, "waiting", in->waiting);
    decision_input(d, "xalu", in->xalu);
    decision_input(d, "xmem", in->xmem);
    decision_input(d, "wcta", in->wcta);
    decision_input(d, "samples", cfg->samples);
    decision_input_state(d, "branch", name);
    if (eq_decision_line(out->branch))
        decision_input(d, "line", eq_decision_line(out->branch));
    decision_after_state(d, "blocks", out->inc ? "increase" : out->dec ? "decrease" : "stay");
    decision_after_state(d, "action", out->comp ? "CompAction" : out->mem ? "MemAction" : "none");
    decision_words(d, "%s%s", name, out->comp ? ": CompAction" : out->mem ? ": MemAction" : "");
}

static inline void eq_decision_describe(decisions *list, unsigned *count, const eq_decision_cfg *cfg,
                                        const eq_decision_state *before, const eq_decision_in *in,
                                        const eq_decision_out *out, const eq_decision_state *after)
{
    (void)list, (void)count, (void)cfg, (void)before, (void)in, (void)out, (void)after;
}

#endif
