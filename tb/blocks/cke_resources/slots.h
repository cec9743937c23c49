/* SPDX-License-Identifier: Apache-2.0
 *
 * An SM's slots as cke_resources' state has them: for what is proved of it and of the blocks around it.
 */
#ifndef BALLAST_CKE_RESOURCES_SLOTS_H
#define BALLAST_CKE_RESOURCES_SLOTS_H

#include <stdint.h>

#include "sm/cke_resources.h"

/* Every slot of the SM. */
static inline uint32_t cke_all(const cke_resources_cfg *cfg)
{
    return (uint32_t)((UINT64_C(1) << cfg->num_slots) - 1);
}

/* Slots of a set whose CTAs are of kernel k. */
static inline uint32_t cke_slots_of(const cke_resources_state *s, const cke_resources_cfg *cfg, uint32_t set, unsigned k)
{
    uint32_t own = 0;

    for (unsigned i = 0; i < cfg->num_slots; i++)
        own |= (uint32_t)(ballast_cke_field(s->owner, i, cfg->num_kernels - 1) == k) << i;
    return set & own;
}

#endif
