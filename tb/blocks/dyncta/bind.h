/* SPDX-License-Identifier: Apache-2.0
 *
 * How dyncta hangs on the observation bus, and which cycles take a decision.
 */
#ifndef BALLAST_DYNCTA_BIND_H
#define BALLAST_DYNCTA_BIND_H

#include <stdbool.h>

#include "bus/sm_obs.h"
#include "common/class_names.h"
#include "sm/dyncta.h"
#include "sm/stall_classifier.h"

static inline void dyncta_bind(dyncta_in *in, const dyncta_cfg *cfg, const sm_obs *const *obs,
                               const void *const *needs)
{
    const stall_classifier_out *cycle = (const stall_classifier_out *)needs[0];

    (void)cfg;
    in->kernel_start = obs[0]->kernel_start;
    in->nmax = obs[0]->setup->kernel.nmax;
    in->lcs_class = cycle->lcs_class;
}

static inline bool dyncta_decides(const dyncta_cfg *cfg, const dyncta_state *before, const dyncta_in *in,
                                  const dyncta_out *out, const dyncta_state *after)
{
    (void)cfg, (void)before, (void)after;
    return out->sample_end || (in->enable && in->kernel_start);
}

#endif
