/* SPDX-License-Identifier: Apache-2.0
 *
 * How perfsat hangs on the observation bus, and how its decisions read in words.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

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
    in->nmax = obs->kernel.nmax;
    in->ps_class = cycle->ps_class;
    in->cta_start = obs->cta_start;
    in->cta_done = obs->cta_done;
    in->cta_active = obs->cta_active;
}

static inline bool perfsat_decides(const perfsat_state *before, const perfsat_in *in,
                                   const perfsat_out *out, const perfsat_state *after)
{
    return out->sample_end || (in->enable && in->kernel_start) ||
           (before->state == PERFSAT_MEASURE && after->state != PERFSAT_MEASURE);
}

static inline uint32_t perfsat_sample_value(const perfsat_state *before, const perfsat_in *in)
{
    return before->stalled + (in->ps_class == PS_SCOREBOARD || in->ps_class == PS_PIPELINE);
}

static inline bool perfsat_describe(char *text, size_t size, unsigned *count,
                                    const perfsat_state *before, const perfsat_in *in,
                                    const perfsat_out *out, const perfsat_state *after)
{
    const char *to = perfsat_state_names[after->state & 7];

    if (in->kernel_start) {
        *count = 0;
        snprintf(text, size, "kernel start: Nmax %u, limit %u, %s", after->nmax, after->limit, to);
    } else if (out->sample_end) {
        const uint32_t cur = perfsat_sample_value(before, in);
        char against[32] = "";

        ++*count;
        if (before->state != PERFSAT_FIRST)
            snprintf(against, sizeof against, " %s %" PRIu32,
                     cur < before->prev ? "<" : cur == before->prev ? "=" : ">", before->prev);
        snprintf(text, size, "sample %u: stalled %" PRIu32 "%s, limit %u -> %u, %s", *count, cur,
                 against, before->limit, after->limit, to);
    } else {
        snprintf(text, size, "first CTA done: One_TB %" PRIu32 ", sample period %" PRIu32 " cycles, %s",
                 after->nmax ? after->period / after->nmax : 0, after->period, to);
    }
    return true;
}
