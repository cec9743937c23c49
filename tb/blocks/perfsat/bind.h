/* SPDX-License-Identifier: Apache-2.0
 *
 * How perfsat hangs on the observation bus, and which cycles take a decision.
 */
#ifndef BALLAST_PERFSAT_BIND_H
#define BALLAST_PERFSAT_BIND_H

#include <stdbool.h>

#include "bus/sm_obs.h"
#include "common/class_names.h"
#include "sm/perfsat.h"
#include "sm/stall_classifier.h"

static const char *const perfsat_state_names[] = {"StWait",      "StMeasure", "StFirst",
                                                  "StWeakInc",   "StStrongInc", "StWeakDec",
                                                  "StStrongDec", "StDone"};

static inline void perfsat_bind(perfsat_in *in, const perfsat_cfg *cfg, const sm_obs *const *buses,
                                const void *const *needs)
{
    const sm_obs *obs = buses[0];
    const stall_classifier_out *cycle = (const stall_classifier_out *)needs[0];

    (void)cfg;
    in->kernel_start = obs->kernel_start;
    in->nmax = obs->setup->kernel.nmax;
    in->ps_class = cycle->ps_class;
    in->cta_start = obs->cta_start;
    in->cta_done = obs->cta_done;
    in->cta_active = obs->cta_active;
}

static inline bool perfsat_decides(const perfsat_cfg *cfg, const perfsat_state *before, const perfsat_in *in,
                                   const perfsat_out *out, const perfsat_state *after)
{
    (void)cfg;
    return out->sample_end || (in->enable && in->kernel_start) ||
           (before->state == PERFSAT_MEASURE && after->state != PERFSAT_MEASURE);
}

#endif
