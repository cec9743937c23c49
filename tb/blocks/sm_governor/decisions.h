/* SPDX-License-Identifier: Apache-2.0
 *
 * sm_governor's decisions as records: those of the blocks inside that took them, and the start of a
 * kernel, when the policy comes into force.
 */
#ifndef BALLAST_SM_GOVERNOR_DECISIONS_H
#define BALLAST_SM_GOVERNOR_DECISIONS_H

#include "blocks/cta_throttle/decisions.h"
#include "blocks/dyncta/decisions.h"
#include "engine/decision.h"
#include "blocks/eq_counters/decisions.h"
#include "blocks/eq_decision/decisions.h"
#include "blocks/lcs/decisions.h"
#include "blocks/perfsat/decisions.h"
#include "blocks/sm_governor/bind.h"

/* By which rule a policy's limit begins, and by which it moves later. */
static inline const char *sm_governor_rule(unsigned policy, bool kernel_start)
{
    static const char *const rules[BALLAST_POLICIES][2] = {
        [BALLAST_POLICY_STATIC] = {"PS-1", "PS-1"},      [BALLAST_POLICY_PERFSAT] = {"PS-7", "PS-5"},
        [BALLAST_POLICY_LCS] = {"LCS-2", "LCS-5"},       [BALLAST_POLICY_EQUALIZER] = {"EQ-10", "EQ-A11"},
        [BALLAST_POLICY_DYNCTA] = {"DYN-2", "DYN-1"},    [BALLAST_POLICY_SCOUT] = {"SCT-9", "SCT-9"},
    };

    return rules[policy % BALLAST_POLICIES][kernel_start];
}

static inline void sm_governor_record_start(decisions *list, const sm_governor_state *before, const sm_governor_in *in,
                                            const sm_governor_state *after)
{
    decision *d = decision_new(list, "sm_governor", sm_governor_rule(after->policy, true), "kernel_start");

    decision_input(d, "nmax", in->nmax);
    if (after->policy == BALLAST_POLICY_STATIC)
        decision_input(d, "static_limit", in->static_limit);
    decision_change(d, "limit", sm_governor_limit(before, in->scout_limit), sm_governor_limit(after, in->scout_limit));
    decision_change_state(d, "policy", policy_names[before->policy % BALLAST_POLICIES], policy_names[after->policy % BALLAST_POLICIES]);
    decision_words(d, "kernel start: %s, Nmax %u", policy_names[after->policy % BALLAST_POLICIES], after->throttle.nmax);
}

static inline void sm_governor_record_epoch(decisions *list, unsigned *count, const sm_governor_cfg *cfg,
                                            const sm_governor_inner *x, const sm_governor_state *before,
                                            const sm_governor_in *in, const sm_governor_state *after)
{
    const eq_counters_out *sums = &x->counters.out;
    const eq_decision_in measured = {sums->active, sums->waiting, sums->xalu, sums->xmem, in->wcta};

    eq_counters_describe(list, count, &cfg->counters, &before->counters, &x->counters.in, sums, &after->counters);
    eq_decision_record(list, &cfg->decision, &measured, &x->decision);
}

static inline void sm_governor_record_policy(decisions *list, unsigned *count, const sm_governor_cfg *cfg,
                                             const sm_governor_inner *x, const sm_governor_state *before,
                                             const sm_governor_in *in, const sm_governor_state *after)
{
    switch (before->policy) {
    case BALLAST_POLICY_PERFSAT:
        if (perfsat_decides(&cfg->perfsat, &before->perfsat, &x->perfsat.in, &x->perfsat.out, &after->perfsat))
            perfsat_describe(list, count, &cfg->perfsat, &before->perfsat, &x->perfsat.in, &x->perfsat.out, &after->perfsat);
        break;
    case BALLAST_POLICY_LCS:
        if (lcs_decides(&cfg->lcs, &before->lcs, &x->lcs.in, &x->lcs.out, &after->lcs))
            lcs_describe(list, count, &cfg->lcs, &before->lcs, &x->lcs.in, &x->lcs.out, &after->lcs);
        break;
    case BALLAST_POLICY_EQUALIZER:
        if (x->counters.out.epoch_end)
            sm_governor_record_epoch(list, count, cfg, x, before, in, after);
        break;
    case BALLAST_POLICY_DYNCTA:
        if (dyncta_decides(&cfg->dyncta, &before->dyncta, &x->dyncta.in, &x->dyncta.out, &after->dyncta))
            dyncta_describe(list, count, &cfg->dyncta, &before->dyncta, &x->dyncta.in, &x->dyncta.out, &after->dyncta);
        break;
    default: break;
    }
}

/* The side's own registers, stepped once more by the model, show what went on between the blocks. */
static inline void sm_governor_describe(decisions *list, unsigned *count, const sm_governor_cfg *cfg,
                                        const sm_governor_state *before, const sm_governor_in *in,
                                        const sm_governor_out *out, const sm_governor_state *after)
{
    sm_governor_state copy = *before;
    sm_governor_inner x;
    sm_governor_out again;

    (void)out;
    if (in->kernel_start) {
        *count = 0;
        sm_governor_record_start(list, before, in, after);
        return;
    }
    sm_governor_step_inner(&copy, cfg, in, &again, &x);
    sm_governor_record_policy(list, count, cfg, &x, before, in, after);
    if (cta_throttle_decides(&cfg->throttle, &before->throttle, &x.throttle.in, &x.throttle.out, &after->throttle))
        cta_throttle_describe(list, count, &cfg->throttle, &before->throttle, &x.throttle.in, &x.throttle.out,
                              &after->throttle);
}

#endif
