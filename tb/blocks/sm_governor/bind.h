/* SPDX-License-Identifier: Apache-2.0
 *
 * How sm_governor hangs on the observation bus, and which cycles may take a decision.
 */
#ifndef BALLAST_SM_GOVERNOR_BIND_H
#define BALLAST_SM_GOVERNOR_BIND_H

#include <stdbool.h>

#include "bus/sm_obs.h"
#include "blocks/cta_throttle/bind.h"
#include "blocks/dyncta/bind.h"
#include "blocks/eq_counters/bind.h"
#include "blocks/eq_decision/bind.h"
#include "blocks/lcs/bind.h"
#include "blocks/perfsat/bind.h"
#include "sm/sm_governor.h"

static const char *const policy_names[] = {"static", "perfsat", "lcs", "equalizer", "dyncta", "scout"};

static inline void sm_governor_observe(sm_governor_in *in, const sm_governor_cfg *cfg, const sm_obs *obs)
{
    lcs_in lanes;

    lcs_bind_lanes(&lanes, &cfg->lcs, obs);
    in->issue_valid = lanes.issue_valid;
    in->issue_slot = lanes.issue_slot;
    in->kernel_start = obs->kernel_start;
    in->nmax = obs->setup->kernel.nmax;
    in->wcta = obs->setup->kernel.warps_per_cta;
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
    case BALLAST_POLICY_PERFSAT: return before->perfsat.state != after->perfsat.state || before->perfsat.timer < after->perfsat.timer;
    case BALLAST_POLICY_LCS: return before->lcs.state != after->lcs.state;
    case BALLAST_POLICY_DYNCTA: return after->dyncta.timer < before->dyncta.timer;
    default: return false;
    }
}

/* What the SM may hold, by the registers and the search outside: limit_o. */
static inline unsigned sm_governor_limit(const sm_governor_state *sm, unsigned scout_limit)
{
    switch (sm->policy) {
    case BALLAST_POLICY_PERFSAT: return sm->perfsat.limit;
    case BALLAST_POLICY_LCS: return sm->lcs.limit;
    case BALLAST_POLICY_EQUALIZER: return sm->throttle.num_blocks + sm->throttle.request;
    case BALLAST_POLICY_DYNCTA: return sm->dyncta.limit;
    case BALLAST_POLICY_SCOUT: return scout_limit >= 1 && scout_limit <= sm->fixed ? scout_limit : sm->fixed;
    default: return sm->fixed;
    }
}

#endif
