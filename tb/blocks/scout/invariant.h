/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of scout's registers in every run: the proof that model and RTL agree
 * (doc/verification/proofs.md) starts from here and shows that it stays so.
 */
#ifndef BALLAST_SCOUT_INVARIANT_H
#define BALLAST_SCOUT_INVARIANT_H

#include <stdbool.h>

#include "sm/scout.h"

static inline int32_t scout_signed_acc(const scout_state *s, const scout_cfg *cfg)
{
    const uint32_t sign = UINT32_C(1) << scout_count_width(cfg);

    return (int32_t)((s->acc ^ sign) - sign);
}

static inline uint32_t scout_window_slices(const scout_state *s, const scout_cfg *cfg)
{
    return cfg->window << 2 * s->stage;
}

/* Instructions that a window of this stage can issue at most. */
static inline int32_t scout_window_most(const scout_state *s, const scout_cfg *cfg)
{
    return (int32_t)((cfg->slice * cfg->issue_width * cfg->window) << 2 * s->stage);
}

/* What reset leaves. */
static inline bool scout_idle_holds(const scout_state *s)
{
    return s->acc == 0 && s->base == 0 && s->timer == 0 && s->index == 0 && s->credit == 0 && s->step == SCOUT_COUNT &&
           s->verdict == SCOUT_NONE && s->nmax == 0 && s->best == 0 && s->cand == 0 && s->low == 0 && s->top == 0 &&
           !s->refine && !s->verify && !s->first && !s->known && !s->odd && s->stage == 0 && s->settle == 0 && s->quiet == 0 &&
           s->half == SCOUT_UNCLEAR;
}

/* SCT-6: low < best <= top <= nmax. A kernel that is not searched leaves nothing else than best below top (SCT-10). */
static inline bool scout_bracket_holds(const scout_state *s)
{
    if (s->nmax < 2)
        return s->state == SCOUT_ST_DONE && s->best == s->nmax && s->top == s->nmax && s->low == 0 && s->cand == 0;
    return s->low < s->best && s->best <= s->top && s->top <= s->nmax && s->cand >= 1 && s->cand <= s->nmax;
}

/* SCT-6: which limit is looked at, in windows of which stage. The coarse search goes below `low`, too. */
static inline bool scout_candidate_holds(const scout_state *s, const scout_cfg *cfg)
{
    const bool fewer = s->cand < s->best, more = s->cand > s->best && s->cand <= s->top;

    if (s->state == SCOUT_ST_DONE) /* nothing is left to look at, or nothing was looked at (SCT-10) */
        return ((s->top == s->best && s->low + 1u >= s->best) || (s->top == s->nmax && s->low == 0)) && s->stage == 1 &&
               !s->verify && (s->refine || s->nmax < 2);
    if (s->state == SCOUT_ST_BACK && !(fewer && s->stage < 2 && cfg->back))
        return false;
    if (s->verify)
        return !s->refine && s->stage == 1 && more && s->cand == s->top;
    if (!s->refine)
        return s->stage == 0 && fewer;
    return more || (fewer && s->cand > s->low);
}

/* SCT-2: where the slice is. */
static inline bool scout_slice_holds(const scout_state *s, const scout_cfg *cfg)
{
    const uint32_t most = cfg->settle > cfg->warmup ? cfg->settle : cfg->warmup;

    return s->timer < cfg->slice && (s->step == SCOUT_COUNT || s->timer == 0) && s->settle <= most &&
           s->index < scout_window_slices(s, cfg) && (s->settle == 0 || s->index == 0);
}

/* SCT-4: the first half of a look has been judged only where it is over, and while the window after it has not begun. */
static inline bool scout_half_holds(const scout_state *s, const scout_cfg *cfg)
{
    const uint32_t slices = scout_window_slices(s, cfg);
    const bool judged = s->index >= slices / 2 || (s->step == SCOUT_ACT && s->index + 1u == slices / 2);

    if (s->half == SCOUT_UNCLEAR)
        return true;
    return s->half <= SCOUT_BETTER &&
           ((s->state == SCOUT_ST_LOOK && s->settle == 0 && judged) || (s->state == SCOUT_ST_BACK && s->settle != 0));
}

static inline bool scout_watch_holds(const scout_state *s)
{
    return s->state == SCOUT_ST_DONE ? s->known || !s->odd : !s->known && !s->odd;
}

/* The table of StepJudge: which verdicts there are, and where. */
static inline bool scout_verdict_holds(const scout_state *s, const scout_cfg *cfg)
{
    const uint32_t slices = scout_window_slices(s, cfg), ended = s->index + 1u;
    const bool look = s->state == SCOUT_ST_LOOK, halves = look || s->state == SCOUT_ST_BASE;
    const bool counted = s->settle == 0, whole = counted && ended == slices;

    if (s->step != SCOUT_ACT)
        return s->verdict == SCOUT_NONE;
    switch (s->verdict) {
    case SCOUT_NONE: return s->settle > 1 || (counted && ended < slices && !(halves && ended == slices / 2));
    case SCOUT_SETTLED: return s->settle == 1;
    case SCOUT_HALF: return halves && counted && ended == slices / 2;
    case SCOUT_FULL: return whole && (s->state == SCOUT_ST_BASE || (s->state == SCOUT_ST_DONE && !s->known));
    case SCOUT_TAKE: return whole && (look || s->state == SCOUT_ST_BACK || (s->state == SCOUT_ST_DONE && s->known));
    case SCOUT_REJECT: return look ? counted || -scout_signed_acc(s, cfg) > s->credit : whole && s->state == SCOUT_ST_DONE && s->known;
    case SCOUT_OPEN: return whole && ((look && s->stage < 3) || s->state == SCOUT_ST_BACK);
    default: return false;
    }
}

/* SCT-7: what a look has lost is in the credit, up to the slice that StepJudge is still to see. */
static inline bool scout_credit_holds(const scout_state *s, const scout_cfg *cfg)
{
    const int32_t lost = -scout_signed_acc(s, cfg);
    const int32_t slice = (int32_t)(cfg->slice * cfg->issue_width + scout_window_slices(s, cfg));

    if (s->credit > SCOUT_CREDIT_MAX)
        return false;
    if (s->state != SCOUT_ST_LOOK)
        return true;
    if (s->step == SCOUT_JUDGE || (s->step == SCOUT_ACT && s->verdict == SCOUT_REJECT))
        return lost <= s->credit + slice;
    return lost <= s->credit;
}

/* SCT-2: no more is counted than can be issued in the slices since the count began; no more is taken off than that. */
static inline bool scout_count_holds(const scout_state *s, const scout_cfg *cfg)
{
    const uint32_t most = cfg->settle > cfg->warmup ? cfg->settle : cfg->warmup;
    const uint32_t before = s->settle ? most - s->settle : s->index;
    const uint32_t cycles = before * cfg->slice + (s->step == SCOUT_COUNT ? s->timer : cfg->slice);
    const bool off = s->step >= SCOUT_JUDGE, last = s->settle == 0 && s->index + 1u == scout_window_slices(s, cfg);
    const int32_t acc = scout_signed_acc(s, cfg);
    const int32_t taken = (int32_t)((before + off) * cfg->slice * cfg->issue_width);

    if (acc > (int32_t)(cycles * cfg->issue_width))
        return false;
    if (s->state != SCOUT_ST_LOOK)
        return acc >= 0;
    return -acc <= taken + (off && last ? (int32_t)scout_window_slices(s, cfg) : 0);
}

/* The base is the count of a whole window of this stage where something is compared with it, and otherwise one of any stage. A look
 * that wins has lost no more than a part of it; twice a window is more than it can have counted then. */
static inline bool scout_base_holds(const scout_state *s, const scout_cfg *cfg)
{
    const int32_t base = (int32_t)s->base, acc = scout_signed_acc(s, cfg), most = scout_window_most(s, cfg);

    if (s->base > cfg->slice * cfg->issue_width * cfg->window * 64)
        return false;
    switch (s->state) {
    case SCOUT_ST_BASE: return s->settle != 0 || s->index < scout_window_slices(s, cfg) / 2 || base <= acc;
    case SCOUT_ST_LOOK: return base <= most && (s->step != SCOUT_ACT || s->verdict != SCOUT_TAKE || acc >= -base);
    case SCOUT_ST_BACK: return base <= 2 * most;
    default: return !s->known || base <= most;
    }
}

/* A bit for each that does not hold. */
static inline uint64_t scout_violated(const scout_state *s, const scout_cfg *cfg)
{
    if (s->state == SCOUT_ST_IDLE)
        return !scout_idle_holds(s);
    if (s->state > SCOUT_ST_DONE || s->nmax > cfg->num_slots)
        return 2;
    return (uint64_t)!scout_bracket_holds(s) << 2 | (uint64_t)!scout_candidate_holds(s, cfg) << 3 |
           (uint64_t)!scout_slice_holds(s, cfg) << 4 | (uint64_t)!scout_half_holds(s, cfg) << 5 |
           (uint64_t)!scout_watch_holds(s) << 6 | (uint64_t)!scout_verdict_holds(s, cfg) << 7 |
           (uint64_t)!scout_credit_holds(s, cfg) << 8 | (uint64_t)!scout_count_holds(s, cfg) << 9 |
           (uint64_t)!scout_base_holds(s, cfg) << 10;
}

#endif
