/* SPDX-License-Identifier: Apache-2.0
 *
 * warp_scheduler's decisions as records: what changes the order of the CTAs.
 */
#ifndef BALLAST_WARP_SCHEDULER_DECISIONS_H
#define BALLAST_WARP_SCHEDULER_DECISIONS_H

#include "blocks/warp_scheduler/bind.h"
#include "engine/decision.h"

/* How many CTAs are older than that of the slot. */
static inline unsigned warp_scheduler_rank(const warp_scheduler_state *s, const warp_scheduler_cfg *cfg, unsigned slot)
{
    unsigned rank = 0;

    for (unsigned other = 0; other < cfg->num_slots; other++) {
        if (other < slot)
            rank += s->older[other] >> slot & 1;
        else if (other > slot)
            rank += !(s->older[slot] >> other & 1);
    }
    return rank;
}

/* The slot of the CTA with this rank. */
static inline unsigned warp_scheduler_ranked(const warp_scheduler_state *s, const warp_scheduler_cfg *cfg, unsigned rank)
{
    unsigned slot = 0;

    while (slot + 1 < cfg->num_slots && warp_scheduler_rank(s, cfg, slot) != rank)
        slot++;
    return slot;
}

static inline void warp_scheduler_describe(decisions *list, unsigned *count, const warp_scheduler_cfg *cfg,
                                           const warp_scheduler_state *before, const warp_scheduler_in *in,
                                           const warp_scheduler_out *out, const warp_scheduler_state *after)
{
    decision *d = decision_new(list, "warp_scheduler", "GTO-1", "launch");

    (void)count, (void)out;
    decision_input(d, "started", in->cta_start);
    decision_change(d, "oldest", warp_scheduler_ranked(before, cfg, 0), warp_scheduler_ranked(after, cfg, 0));
    decision_change(d, "youngest", warp_scheduler_ranked(before, cfg, cfg->num_slots - 1),
                    warp_scheduler_ranked(after, cfg, cfg->num_slots - 1));
    decision_words(d, "launch: slots, the oldest first:");
    for (unsigned rank = 0; rank < cfg->num_slots; rank++)
        decision_words(d, " %u", warp_scheduler_ranked(after, cfg, rank));
}

#endif
