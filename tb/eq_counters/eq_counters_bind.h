/* SPDX-License-Identifier: Apache-2.0
 *
 * How eq_counters hangs on the observation bus, and how the end of an epoch reads in words.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "sm/eq_counters.h"

/* A variant may have fewer warp slots than the bus. */
static inline void eq_counters_bind(eq_counters_in *in, const eq_counters_cfg *cfg, const sm_obs *const *obs,
                                    const void *const *needs)
{
    const uint64_t present = cfg->num_warps < 64 ? (UINT64_C(1) << cfg->num_warps) - 1 : ~UINT64_C(0);
    const sm_obs *sm = obs[0];

    (void)needs;
    in->ws0 = sm->ws[0] & present;
    in->ws1 = sm->ws[1] & present;
    in->ws2 = sm->ws[2] & present;
    in->ws3 = sm->ws[3] & present;
    in->paused = sm->paused & present;
    in->kernel_start = sm->kernel_start;
}

static inline bool eq_counters_decides(const eq_counters_state *before, const eq_counters_in *in,
                                       const eq_counters_out *out, const eq_counters_state *after)
{
    (void)before, (void)in, (void)after;
    return out->epoch_end;
}

/* A sum over 32 samples, the paper's number, as an average with one decimal, rounded down. */
static inline const char *eq_counters_by_32(char *text, size_t size, uint32_t sum)
{
    snprintf(text, size, "%" PRIu32 ".%" PRIu32, sum / 32, sum % 32 * 10 / 32);
    return text;
}

/* How many samples there were is not known here, so the sums stand first. */
static inline bool eq_counters_describe(char *text, size_t size, unsigned *count, const eq_counters_state *before,
                                        const eq_counters_in *in, const eq_counters_out *out,
                                        const eq_counters_state *after)
{
    char average[4][16];

    (void)before, (void)in, (void)after;
    ++*count;
    snprintf(text, size,
             "epoch %u: active %" PRIu32 ", waiting %" PRIu32 ", X_alu %" PRIu32 ", X_mem %" PRIu32
             " (/32: %s, %s, %s, %s warps)",
             *count, out->active, out->waiting, out->xalu, out->xmem,
             eq_counters_by_32(average[0], sizeof average[0], out->active),
             eq_counters_by_32(average[1], sizeof average[1], out->waiting),
             eq_counters_by_32(average[2], sizeof average[2], out->xalu),
             eq_counters_by_32(average[3], sizeof average[3], out->xmem));
    return true;
}
