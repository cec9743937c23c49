/* SPDX-License-Identifier: Apache-2.0
 *
 * How vf_scout hangs on the observation bus of SM 0, and which cycles take a decision. Levels and the search of the limit are settings.
 */
#ifndef BALLAST_VF_SCOUT_BIND_H
#define BALLAST_VF_SCOUT_BIND_H

#include <stdbool.h>

#include "bus/sm_obs.h"
#include "chip/vf_scout.h"

static const char *const vf_scout_state_names[] = {"StIdle", "StWait", "StBase", "StLook", "StBack", "StRest"};
static const char *const vf_scout_step_names[] = {"StepSettle", "StepCount", "StepWeigh", "StepJudge"};
static const char *const vf_scout_level_names[] = {"LOW", "NORMAL", "HIGH", "illegal"};
static const char *const vf_scout_mode_names[] = {"ENERGY", "PERFORMANCE"};
static const char *const vf_scout_domain_names[] = {"SM", "memory"};

static inline void vf_scout_bind(vf_scout_in *in, const vf_scout_cfg *cfg, const sm_obs *const *obs, const void *const *needs)
{
    const unsigned issued = (unsigned)__builtin_popcountll(sm_obs_issued(obs[0]));
    const unsigned lanes = issued < cfg->issue_width ? issued : cfg->issue_width;

    (void)needs;
    in->kernel_start = obs[0]->kernel_start;
    in->issue_valid = (uint8_t)((1U << lanes) - 1);
    in->cta_done = obs[0]->cta_done != 0;
}

/* A search or a look begins, or a look has been compared. */
static inline bool vf_scout_decides(const vf_scout_cfg *cfg, const vf_scout_state *before, const vf_scout_in *in, const vf_scout_out *out,
                                    const vf_scout_state *after)
{
    (void)cfg, (void)out;
    return in->enable && (in->kernel_start || (before->state != after->state && after->state != VF_SCOUT_ST_BACK));
}

#endif
