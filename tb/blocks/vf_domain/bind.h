/* SPDX-License-Identifier: Apache-2.0
 *
 * vf_domain sees nothing of the observation bus: its inputs are settings until a larger block
 * holds it. Which cycles change its level.
 */
#ifndef BALLAST_VF_DOMAIN_BIND_H
#define BALLAST_VF_DOMAIN_BIND_H

#include <stdbool.h>

#include "chip/vf_domain.h"
#include "bus/sm_obs.h"

static const char *const vf_level_names[] = {"LOW", "NORMAL", "HIGH", "illegal"};
static const char *const vf_mode_names[] = {"ENERGY", "PERFORMANCE"};

static inline void vf_domain_bind(vf_domain_in *in, const vf_domain_cfg *cfg,
                                  const sm_obs *const *obs, const void *const *needs)
{
    (void)in, (void)cfg, (void)obs, (void)needs;
}

static inline bool vf_domain_decides(const vf_domain_cfg *cfg, const vf_domain_state *before, const vf_domain_in *in,
                                     const vf_domain_out *out, const vf_domain_state *after)
{
    (void)cfg, (void)in;
    return out->busy ? after->level != before->level : after->timer != 0;
}

#endif
