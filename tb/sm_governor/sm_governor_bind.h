/* SPDX-License-Identifier: Apache-2.0
 *
 * How sm_governor hangs on the observation bus, and how its decisions read in words: in those of
 * the block that took them.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cta_throttle/cta_throttle_bind.h"
#include "dyncta/dyncta_bind.h"
#include "eq_counters/eq_counters_bind.h"
#include "eq_decision/eq_decision_bind.h"
#include "lcs/lcs_bind.h"
#include "perfsat/perfsat_bind.h"
#include "sm/sm_governor.h"

static const char *const policy_names[] = {"static", "perfsat", "lcs", "equalizer", "dyncta"};

static inline void sm_governor_observe(sm_governor_in *in, const sm_governor_cfg *cfg, const sm_obs *obs)
{
    lcs_in lanes;

    lcs_bind_lanes(&lanes, &cfg->lcs, obs);
    in->issue_valid = lanes.issue_valid;
    in->issue_slot = lanes.issue_slot;
    in->kernel_start = obs->kernel_start;
    in->nmax = obs->kernel.nmax;
    in->wcta = obs->kernel.warps_per_cta;
    in->ws0 = obs->ws[0];
    in->ws1 = obs->ws[1];
    in->ws2 = obs->ws[2];
    in->ws3 = obs->ws[3];
    in->paused = obs->paused;
    in->cta_start = obs->cta_start;
    in->cta_done = obs->cta_done;
    in->cta_active = obs->cta_active;
    in->cta_denied = obs->cta_denied;
}

static inline void sm_governor_bind(sm_governor_in *in, const sm_governor_cfg *cfg, const sm_obs *const *obs,
                                    const void *const *needs)
{
    (void)needs;
    sm_governor_observe(in, cfg, obs[0]);
}

/* Cheap, and sees more than is worth a line: sm_governor_describe has the last word. */
static inline bool sm_governor_decides(const sm_governor_cfg *cfg, const sm_governor_state *before,
                                       const sm_governor_in *in, const sm_governor_out *out,
                                       const sm_governor_state *after)
{
    (void)cfg;
    if (in->kernel_start || out->epoch || before->throttle.paused != after->throttle.paused ||
        before->throttle.request != after->throttle.request)
        return true;
    switch (before->policy) {
    case POLICY_PERFSAT: return before->perfsat.state != after->perfsat.state || before->perfsat.timer < after->perfsat.timer;
    case POLICY_LCS: return before->lcs.state != after->lcs.state;
    case POLICY_DYNCTA: return after->dyncta.timer < before->dyncta.timer;
    default: return false;
    }
}

static inline bool sm_governor_epoch_words(char *text, size_t size, unsigned *count, const sm_governor_inner *x,
                                           const sm_governor_state *before, const sm_governor_state *after)
{
    size_t used;

    eq_counters_describe(text, size, count, &before->counters, &x->counters.in, &x->counters.out, &after->counters);
    used = strlen(text);
    snprintf(text + used, size - used, "; %s%s", eq_branch_names[x->decision.branch % EQ_BRANCHES],
             x->decision.comp ? ": CompAction" : x->decision.mem ? ": MemAction" : "");
    return true;
}

/* In the words of the policy's own block. */
static inline bool sm_governor_policy_words(char *text, size_t size, unsigned *count, const sm_governor_inner *x,
                                            const sm_governor_state *before, const sm_governor_state *after)
{
    switch (before->policy) {
    case POLICY_PERFSAT:
        return perfsat_decides(&before->perfsat, &x->perfsat.in, &x->perfsat.out, &after->perfsat) &&
               perfsat_describe(text, size, count, &before->perfsat, &x->perfsat.in, &x->perfsat.out, &after->perfsat);
    case POLICY_LCS:
        return lcs_decides(&before->lcs, &x->lcs.in, &x->lcs.out, &after->lcs) &&
               lcs_describe(text, size, count, &before->lcs, &x->lcs.in, &x->lcs.out, &after->lcs);
    case POLICY_EQUALIZER:
        return x->counters.out.epoch_end && sm_governor_epoch_words(text, size, count, x, before, after);
    case POLICY_DYNCTA:
        return dyncta_decides(&before->dyncta, &x->dyncta.in, &x->dyncta.out, &after->dyncta) &&
               dyncta_describe(text, size, count, &before->dyncta, &x->dyncta.in, &x->dyncta.out, &after->dyncta);
    default: return false;
    }
}

/* The side's own registers, stepped once more by the model, show what went on between the blocks. */
static inline bool sm_governor_describe(char *text, size_t size, unsigned *count, const sm_governor_cfg *cfg,
                                        const sm_governor_state *before, const sm_governor_in *in,
                                        const sm_governor_out *out, const sm_governor_state *after)
{
    sm_governor_state copy = *before;
    sm_governor_inner inner;
    sm_governor_out again;
    char policy[128] = "", throttle[128] = "";

    (void)out;
    if (in->kernel_start) {
        *count = 0;
        snprintf(text, size, "kernel start: %s, Nmax %u", policy_names[after->policy % POLICIES], after->throttle.nmax);
        return true;
    }
    sm_governor_step_inner(&copy, cfg, in, &again, &inner);
    sm_governor_policy_words(policy, sizeof policy, count, &inner, before, after);
    if (cta_throttle_decides(&before->throttle, &inner.throttle.in, &inner.throttle.out, &after->throttle))
        cta_throttle_describe(throttle, sizeof throttle, count, &before->throttle, &inner.throttle.in,
                              &inner.throttle.out, &after->throttle);
    snprintf(text, size, "%s%s%s", policy, policy[0] && throttle[0] ? "; " : "", throttle);
    return text[0] != '\0';
}
