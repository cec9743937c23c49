/* SPDX-License-Identifier: Apache-2.0
 *
 * How lcs hangs on the observation bus, and how its decisions read in words.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "sm/lcs.h"

static const char *const lcs_state_names[] = {"StIdle",   "StMonitor",  "StGather",
                                              "StDivide", "StThrottle", "StLazy"};

/* The warps that issued, lowest first, one per lane; a cycle with more of them than lanes is
 * none that the SM can have. */
static inline void lcs_bind_lanes(lcs_in *in, const lcs_cfg *cfg, const sm_obs *obs)
{
    unsigned slot_width = 1, lane = 0;

    while ((cfg->num_slots - 1) >> slot_width)
        slot_width++;
    in->issue_valid = 0;
    in->issue_slot = 0;
    for (uint64_t issued = sm_obs_issued(obs); issued && lane < cfg->issue_width; issued &= issued - 1) {
        const unsigned slot = obs->warp_slot[__builtin_ctzll(issued)];

        if (slot >= cfg->num_slots) /* of no CTA slot that this SM has */
            continue;
        in->issue_valid |= (uint8_t)(1U << lane);
        in->issue_slot |= (uint64_t)slot << lane * slot_width;
        lane++;
    }
}

static inline void lcs_bind(lcs_in *in, const lcs_cfg *cfg, const sm_obs *const *obs, const void *const *needs)
{
    (void)needs;
    in->kernel_start = obs[0]->kernel_start;
    in->nmax = obs[0]->kernel.nmax;
    in->cta_done = obs[0]->cta_done;
    in->cta_active = obs[0]->cta_active;
    lcs_bind_lanes(in, cfg, obs[0]);
}

static inline bool lcs_decides(const lcs_state *before, const lcs_in *in, const lcs_out *out,
                               const lcs_state *after)
{
    if (!in->enable)
        return false;
    return in->kernel_start || out->t_new_valid ||
           (before->state == LCS_ST_MONITOR && after->state != LCS_ST_MONITOR) ||
           (before->state == LCS_ST_THROTTLE && after->state != LCS_ST_THROTTLE);
}

static inline void lcs_describe_counts(char *text, size_t size, const lcs_state *after)
{
    uint64_t sum = 0;
    uint32_t max = 0;

    for (unsigned slot = 0; slot < after->nmax && slot < BALLAST_MAX_SLOTS; slot++) {
        sum += after->inst[slot];
        if (after->inst[slot] > max)
            max = after->inst[slot];
    }
    snprintf(text, size,
             "first CTA done: counting ends with %" PRIu64 " instructions, at most %" PRIu32 " of one CTA", sum, max);
}

/* The sum is what StDivide has taken off, plus what is left. */
static inline void lcs_describe_quotient(char *text, size_t size, const lcs_state *before, const lcs_out *out,
                                         const lcs_state *after)
{
    const uint64_t sum = (uint64_t)before->index * before->max + before->sum;
    const char *rounded = before->sum == 0 ? "" : out->t_new > before->index ? " rounded up" : " rounded down";

    if (before->max == 0)
        snprintf(text, size, "T_new %u, nothing was issued: limit %u -> %u", out->t_new, before->limit, after->limit);
    else
        snprintf(text, size, "T_new %u = %" PRIu64 "/%" PRIu32 "%s: limit %u -> %u", out->t_new, sum, before->max,
                 rounded, before->limit, after->limit);
}

static inline bool lcs_describe(char *text, size_t size, unsigned *count, const lcs_state *before, const lcs_in *in,
                                const lcs_out *out, const lcs_state *after)
{
    (void)count;
    if (in->kernel_start)
        snprintf(text, size, "kernel start: T_max %u, limit %u, %s", after->nmax, after->limit,
                 after->state <= LCS_ST_LAZY ? lcs_state_names[after->state] : "?");
    else if (out->t_new_valid)
        lcs_describe_quotient(text, size, before, out, after);
    else if (before->state == LCS_ST_THROTTLE)
        snprintf(text, size, "throttled: %d CTAs active, limit %u", __builtin_popcount(in->cta_active), after->limit);
    else if (after->state == LCS_ST_THROTTLE)
        snprintf(text, size, "broadcast T_new %u: limit %u -> %u", in->bcast_limit, before->limit, after->limit);
    else
        lcs_describe_counts(text, size, after);
    return true;
}
