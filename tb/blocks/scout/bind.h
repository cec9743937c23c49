/* SPDX-License-Identifier: Apache-2.0
 *
 * How scout hangs on the observation bus, and which cycles take a decision.
 */
#ifndef BALLAST_SCOUT_BIND_H
#define BALLAST_SCOUT_BIND_H

#include <stdbool.h>

#include "bus/sm_obs.h"
#include "sm/scout.h"

static const char *const scout_state_names[] = {"StIdle", "StBase", "StLook", "StBack", "StDone"};
static const char *const scout_step_names[] = {
    "StepCount", "StepLast", "StepOff", "StepRest", "StepSpent", "StepRows", "StepPause", "StepMargin", "StepBelow", "StepAbove",
    "StepRestore", "StepMix", "StepBracket", "StepRoom", "StepAct"};
static const char *const scout_verdict_names[] = {"None", "Settled", "Half", "Full", "Take", "Reject", "Open"};

/* A lane for each warp that issued; a cycle with more of them than lanes is none that the SM can have. */
static inline uint8_t scout_lanes(const scout_cfg *cfg, const sm_obs *obs)
{
    const unsigned issued = (unsigned)__builtin_popcountll(sm_obs_issued(obs));
    const unsigned lanes = issued < cfg->issue_width ? issued : cfg->issue_width;

    return (uint8_t)((1U << lanes) - 1);
}

static inline void scout_bind(scout_in *in, const scout_cfg *cfg, const sm_obs *const *obs, const void *const *needs)
{
    (void)needs;
    in->kernel_start = obs[0]->kernel_start;
    in->nmax = obs[0]->setup->kernel.nmax;
    in->issue_valid = scout_lanes(cfg, obs[0]);
    in->cta_done = obs[0]->cta_done;
}

/* A look begins or ends, a new search begins: the state changes. */
static inline bool scout_decides(const scout_cfg *cfg, const scout_state *before, const scout_in *in, const scout_out *out,
                                 const scout_state *after)
{
    (void)cfg, (void)out;
    if (!in->enable)
        return false;
    if (in->kernel_start)
        return true;
    return before->step == SCOUT_ACT && after->step != SCOUT_ACT && before->state != after->state;
}

#endif
