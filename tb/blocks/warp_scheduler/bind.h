/* SPDX-License-Identifier: Apache-2.0
 *
 * How warp_scheduler hangs on the observation bus, and which cycles change the order of the warps.
 */
#ifndef BALLAST_WARP_SCHEDULER_BIND_H
#define BALLAST_WARP_SCHEDULER_BIND_H

#include <stdbool.h>

#include "bus/sm_obs.h"
#include "sm/warp_scheduler.h"

static const char *const warp_scheduler_policy_names[] = {"lrr", "gto", "tlv", "sca"};

/* Warps that could have been picked: those that issued, and those that lost the arbitration. A pipe that is full holds a warp
 * back before the arbitration. */
static inline uint64_t warp_scheduler_ready(const sm_obs *obs)
{
    const uint64_t lost = ~obs->ws[3] & obs->ws[2] & obs->ws[0]; /* 5, 7 */

    return lost | sm_obs_issued(obs);
}

/* All states but EMPTY and the reserved codes. */
static inline uint64_t warp_scheduler_present(const sm_obs *obs)
{
    const uint64_t low = ~obs->ws[3] & (obs->ws[2] | obs->ws[1] | obs->ws[0]); /* 1 .. 7  */
    const uint64_t high = obs->ws[3] & ~obs->ws[2] & ~(obs->ws[1] & obs->ws[0]); /* 8 .. 10 */

    return low | high;
}

/* Bit b of eight warps' slot numbers, from a word of eight bytes: the multiplication gathers the lowest bits of all bytes. */
static inline uint64_t warp_scheduler_gather(uint64_t bytes, unsigned b)
{
    return (bytes >> b & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
}

static inline void warp_scheduler_bind_slots(warp_scheduler_in *in, const sm_setup *setup, unsigned warps)
{
    uint64_t planes[5] = {0}, bytes;

    for (unsigned w = 0; w < warps; w += 8) {
        memcpy(&bytes, setup->warp_slot + w, sizeof bytes);
        for (unsigned b = 0; b < 5; b++)
            planes[b] |= warp_scheduler_gather(bytes, b) << w;
    }
    in->slot0 = planes[0];
    in->slot1 = planes[1];
    in->slot2 = planes[2];
    in->slot3 = planes[3];
    in->slot4 = planes[4];
}

static inline void warp_scheduler_bind(warp_scheduler_in *in, const warp_scheduler_cfg *cfg, const sm_obs *const *obs,
                                       const void *const *needs)
{
    const uint64_t all = ~UINT64_C(0) >> (64 - cfg->num_warps);
    const sm_setup *setup = obs[0]->setup;

    (void)needs;
    in->ready = warp_scheduler_ready(obs[0]) & all;
    in->present = warp_scheduler_present(obs[0]) & all;
    in->paused = obs[0]->paused & all;
    warp_scheduler_bind_slots(in, setup, cfg->num_warps);
    in->slot0 &= all, in->slot1 &= all, in->slot2 &= all, in->slot3 &= all, in->slot4 &= all;
    in->warps_per_cta = setup->kernel.warps_per_cta;
    in->cta_start = obs[0]->cta_start;
}

/* A pick per cycle is no line of a log; a launch changes the order. */
static inline bool warp_scheduler_decides(const warp_scheduler_cfg *cfg, const warp_scheduler_state *before,
                                          const warp_scheduler_in *in, const warp_scheduler_out *out,
                                          const warp_scheduler_state *after)
{
    (void)cfg, (void)before, (void)out, (void)after;
    return in->enable && in->cta_start;
}

#endif
