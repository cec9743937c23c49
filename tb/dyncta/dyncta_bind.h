/* SPDX-License-Identifier: Apache-2.0
 *
 * How dyncta hangs on the observation bus, and how its decisions read in words.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/class_names.h"
#include "sm/dyncta.h"
#include "sm/stall_classifier.h"

static inline void dyncta_bind(dyncta_in *in, const dyncta_cfg *cfg, const sm_obs *const *obs,
                               const void *const *needs)
{
    const stall_classifier_out *cycle = (const stall_classifier_out *)needs[0];

    (void)cfg;
    in->kernel_start = obs[0]->kernel_start;
    in->nmax = obs[0]->kernel.nmax;
    in->lcs_class = cycle->lcs_class;
}

static inline bool dyncta_decides(const dyncta_state *before, const dyncta_in *in, const dyncta_out *out,
                                  const dyncta_state *after)
{
    (void)before, (void)after;
    return out->sample_end || (in->enable && in->kernel_start);
}

/* The counts at the end of the sample, with the threshold that decided. */
static inline void dyncta_describe_counts(char *text, size_t size, const dyncta_state *before, const dyncta_in *in)
{
    const uint32_t idle = before->idle + (in->lcs_class == LCS_IDLE);
    const uint32_t mem = before->mem + (in->lcs_class == LCS_MEM_STALL);

    if (idle > in->t_idle)
        snprintf(text, size, "idle %" PRIu32 " > %" PRIu32 ", memory %" PRIu32, idle, in->t_idle, mem);
    else if (mem < in->t_mem_l)
        snprintf(text, size, "idle %" PRIu32 ", memory %" PRIu32 " < %" PRIu32, idle, mem, in->t_mem_l);
    else if (mem > in->t_mem_h)
        snprintf(text, size, "idle %" PRIu32 ", memory %" PRIu32 " > %" PRIu32, idle, mem, in->t_mem_h);
    else
        snprintf(text, size, "idle %" PRIu32 ", memory %" PRIu32, idle, mem);
}

static inline bool dyncta_describe(char *text, size_t size, unsigned *count, const dyncta_state *before,
                                   const dyncta_in *in, const dyncta_out *out, const dyncta_state *after)
{
    char counts[96];

    (void)out;
    if (in->kernel_start) {
        *count = 0;
        snprintf(text, size, "kernel start: Nmax %u, limit %u", after->nmax, after->limit);
        return true;
    }
    dyncta_describe_counts(counts, sizeof counts, before, in);
    ++*count;
    snprintf(text, size, "sample %u: %s: limit %u -> %u", *count, counts, before->limit, after->limit);
    return true;
}
