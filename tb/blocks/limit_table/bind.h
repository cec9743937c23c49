/* SPDX-License-Identifier: Apache-2.0
 *
 * How limit_table hangs on the observation bus. A recording has neither ids of kernels nor a search. The registers of a thread stand
 * for the id, modulo 4: so some kernels share one, and some have none. A search is over in each cycle in which a CTA finishes, and
 * its limit is how many CTAs the SM holds. Which cycles decide.
 */
#ifndef BALLAST_LIMIT_TABLE_BIND_H
#define BALLAST_LIMIT_TABLE_BIND_H

#include <stdbool.h>

#include "bus/sm_obs.h"
#include "chip/limit_table.h"
#include "common/popcount.h"

static inline void limit_table_bind(limit_table_in *in, const limit_table_cfg *cfg, const sm_obs *const *obs, const void *const *needs)
{
    const ballast_kernel_desc *kernel = &obs[0]->setup->kernel;

    (void)needs;
    in->kernel_start = obs[0]->kernel_start;
    in->kernel_id = kernel->regs_per_thread % 4 & ((1u << cfg->id_w) - 1);
    in->nmax = kernel->nmax;
    in->limit = (uint8_t)ballast_popcount64(obs[0]->cta_active);
    in->done = obs[0]->cta_done != 0;
}

/* A search is over at a limit that the kernel can have. */
static inline bool limit_table_stores(const limit_table_state *before, const limit_table_in *in)
{
    return in->enable && !in->kernel_start && before->id && in->done && !before->done_was && in->limit && in->limit <= before->nmax;
}

/* What the running kernel's entry holds; 0: it has none. */
static inline unsigned limit_table_own_limit(const limit_table_state *s)
{
    unsigned limit = 0;

    for (unsigned e = 0; e < LIMIT_TABLE_MAX_ENTRIES; e++)
        limit |= s->own >> e & 1 ? s->entry_limit[e] : 0u;
    return limit;
}

static inline bool limit_table_decides(const limit_table_cfg *cfg, const limit_table_state *before, const limit_table_in *in,
                                       const limit_table_out *out, const limit_table_state *after)
{
    (void)cfg, (void)after;
    return out->hint || (limit_table_stores(before, in) && in->limit != limit_table_own_limit(before));
}

#endif
