/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of warp_scheduler: one side of it, and an SM whose CTA slots have their warps one after the other.
 */
#ifndef BALLAST_WARP_SCHEDULER_BENCH_H
#define BALLAST_WARP_SCHEDULER_BENCH_H

#include "sm/warp_scheduler.h"

#define BENCH_BLOCK warp_scheduler
#define BENCH_CYCLE
#define BENCH_PREPARE
#include "engine/bench.h"

static const char *const variants[] = {"warp_scheduler",       "warp_scheduler_both",   "warp_scheduler_next",  "warp_scheduler_odd",
                                       "warp_scheduler_pairs", "warp_scheduler_slots1", "warp_scheduler_large", NULL};

#define WARP(n) (UINT64_C(1) << (n))

static inline uint64_t every_warp(const bench *b)
{
    return ~UINT64_C(0) >> (64 - config(b)->num_warps);
}

static inline void put_warp(warp_scheduler_in *in, unsigned warp, unsigned slot)
{
    uint64_t *const planes[] = {&in->slot0, &in->slot1, &in->slot2, &in->slot3, &in->slot4};

    for (unsigned b = 0; b < 5; b++)
        *planes[b] = (*planes[b] & ~WARP(warp)) | (uint64_t)(slot >> b & 1) << warp;
}

/* So many warps in each CTA; what is left over belongs to no slot, if there is such a number. */
static inline void map_warps(bench *b, unsigned per_cta)
{
    const unsigned slots = config(b)->num_slots;

    b->in.warps_per_cta = (uint8_t)per_cta;
    for (unsigned w = 0; w < config(b)->num_warps; w++)
        put_warp(&b->in, w, w / per_cta < slots ? w / per_cta : slots & 31);
}

static void prepare(bench *b)
{
    const unsigned slots = config(b)->num_slots;

    b->in.present = every_warp(b);
    map_warps(b, (config(b)->num_warps + slots - 1) / slots);
}

/* Launches last one cycle, all else stays. */
static void cycle(bench *b)
{
    take_cycle(b);
    b->in.cta_start = 0;
}

#endif
