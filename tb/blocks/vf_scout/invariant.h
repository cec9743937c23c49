/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of vf_scout's registers in every run: the proof that model and RTL agree
 * (doc/verification/proofs.md) starts from here and shows that it stays so.
 */
#ifndef BALLAST_VF_SCOUT_INVARIANT_H
#define BALLAST_VF_SCOUT_INVARIANT_H

#include <stdbool.h>

#include "chip/vf_scout.h"

static inline uint32_t vf_scout_window_cycles(const vf_scout_state *s, const vf_scout_cfg *cfg)
{
    return s->stage || s->state == VF_SCOUT_ST_REST ? 4 * cfg->window : cfg->window;
}

static inline bool vf_scout_moved(const vf_scout_state *s)
{
    return s->domain ? s->mem_moved : s->sm_moved;
}

/* What reset leaves, and what a kernel start leaves but for the wait. */
static inline bool vf_scout_empty(const vf_scout_state *s)
{
    return s->acc == 0 && s->base == 0 && s->step == VF_SCOUT_SETTLE && !s->mode && !s->domain && !s->stage && !s->sm_moved &&
           !s->mem_moved && !s->better && !s->known && !s->odd;
}

/* VFS-2: which domain is moved, and where. */
static inline bool vf_scout_levels_hold(const vf_scout_state *s)
{
    if (s->state == VF_SCOUT_ST_REST)
        return s->domain && !s->stage;
    return (s->domain || !s->mem_moved) && vf_scout_moved(s) == (s->state == VF_SCOUT_ST_LOOK) && (s->known || !s->odd);
}

/* VFS-5: how far a wait or a window is. A count that has been weighed may be half as much again. */
static inline bool vf_scout_counts_hold(const vf_scout_state *s, const vf_scout_cfg *cfg)
{
    const uint32_t window = vf_scout_window_cycles(s, cfg), most = 4 * cfg->window * cfg->issue_width;
    const uint32_t whole = window * cfg->issue_width, weighed = whole + whole / 2;

    if (s->base > most + most / 2)
        return false;
    switch (s->step) {
    case VF_SCOUT_SETTLE: return s->timer < cfg->settle && s->acc == 0;
    case VF_SCOUT_COUNT: return s->timer < window && s->acc <= s->timer * cfg->issue_width;
    case VF_SCOUT_WEIGH: return s->timer == 0 && s->acc <= whole;
    default: return s->timer == 0 && s->acc <= (s->state == VF_SCOUT_ST_REST ? most + most / 2 : weighed);
    }
}

/* A bit for each that does not hold. */
static inline uint64_t vf_scout_violated(const vf_scout_state *s, const vf_scout_cfg *cfg)
{
    if (s->state == VF_SCOUT_ST_IDLE)
        return !(vf_scout_empty(s) && s->timer == 0 && !s->first && !s->ready);
    if (s->state == VF_SCOUT_ST_WAIT)
        return (uint64_t)!vf_scout_empty(s) << 1 | (uint64_t)(s->timer > cfg->warmup) << 2;
    if (s->state > VF_SCOUT_ST_REST)
        return 8;
    return (uint64_t)(s->odd && !s->known) << 4 | (uint64_t)!vf_scout_levels_hold(s) << 5 | (uint64_t)!vf_scout_counts_hold(s, cfg) << 6;
}

#endif
