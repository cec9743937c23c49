/* SPDX-License-Identifier: Apache-2.0
 *
 * How stall_classifier hangs on the observation bus.
 */
#ifndef BALLAST_STALL_CLASSIFIER_BIND_H
#define BALLAST_STALL_CLASSIFIER_BIND_H

#include <stdbool.h>
#include <stddef.h>

#include "bus/sm_obs.h"
#include "common/class_names.h"
#include "sm/stall_classifier.h"

static inline void stall_classifier_bind(stall_classifier_in *in, const stall_classifier_cfg *cfg,
                                         const sm_obs *const *buses, const void *const *needs)
{
    const sm_obs *obs = buses[0];

    (void)cfg, (void)needs;
    in->ws0 = obs->ws[0];
    in->ws1 = obs->ws[1];
    in->ws2 = obs->ws[2];
    in->ws3 = obs->ws[3];
    in->paused = obs->paused;
}

/* A class per cycle is no decision: nothing for the log. */
static inline bool stall_classifier_decides(const stall_classifier_cfg *cfg, const stall_classifier_state *before,
                                            const stall_classifier_in *in, const stall_classifier_out *out,
                                            const stall_classifier_state *after)
{
    (void)cfg, (void)before, (void)in, (void)out, (void)after;
    return false;
}

#endif
