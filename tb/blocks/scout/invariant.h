/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of scout's registers in every run: the proof that model and RTL agree
 * (doc/verification/proofs.md) starts from here and shows that it stays so.
 */
#ifndef BALLAST_SCOUT_INVARIANT_H
#define BALLAST_SCOUT_INVARIANT_H

#include <stdbool.h>

#include "sm/scout.h"

/* What acc and arg hold. */
static inline int32_t scout_signed(uint32_t bits, const scout_cfg *cfg)
{
    const uint32_t sign = UINT32_C(1) << scout_count_width(cfg);

    return (int32_t)(((bits & (2 * sign - 1)) ^ sign) - sign);
}

static inline int32_t scout_signed_acc(const scout_state *s, const scout_cfg *cfg)
{
    return scout_signed(s->acc, cfg);
}

/* What arg is where the step adds x, and where it takes x off: its bits inverted, and one more. */
static inline uint32_t scout_inverted(uint32_t x, const scout_cfg *cfg)
{
    return ~x & ((UINT32_C(2) << scout_count_width(cfg)) - 1);
}

static inline bool scout_adds(const scout_state *s, uint32_t x, bool one)
{
    return s->arg == x && s->one == one;
}

static inline bool scout_takes(const scout_state *s, const scout_cfg *cfg, uint32_t x, bool one)
{
    return s->arg == scout_inverted(x, cfg) && s->one == one;
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

static inline bool scout_ends(const scout_state *s, const scout_cfg *cfg)
{
    return s->settle == 0 && s->index + 1u == scout_window_slices(s, cfg);
}

static inline bool scout_ends_half(const scout_state *s, const scout_cfg *cfg)
{
    return s->settle == 0 && s->index + 1u == scout_window_slices(s, cfg) / 2;
}

/* What reset leaves. */
static inline bool scout_idle_holds(const scout_state *s)
{
    return s->acc == 0 && s->arg == 0 && !s->one && s->shift == 0 && !s->minus && !s->fewer && !s->above && !s->below && s->base == 0 && s->timer == 0 && s->index == 0 && s->credit == 0 &&
           s->step == SCOUT_COUNT && s->verdict == SCOUT_NONE && s->nmax == 0 && s->best == 0 && s->cand == 0 && s->low == 0 &&
           s->top == 0 && !s->refine && !s->first && !s->known && !s->odd && s->stage == 0 && s->settle == 0 && s->quiet == 0 &&
           s->half == SCOUT_UNCLEAR;
}

/* ---- what the verdict leads to -------------------------------------------------------------- */

static inline bool scout_goes_back(const scout_state *s, const scout_cfg *cfg)
{
    return cfg->back && s->state == SCOUT_ST_LOOK && s->verdict == SCOUT_TAKE && s->cand < s->best && s->stage < 2;
}

/* StepBracket has changed the sides, and StepAct is still to change the limit between them and to plan another look. */
static inline bool scout_plans(const scout_state *s, const scout_cfg *cfg)
{
    return s->step >= SCOUT_ROOM && (s->state == SCOUT_ST_LOOK || s->state == SCOUT_ST_BACK) && s->verdict >= SCOUT_TAKE &&
           !scout_goes_back(s, cfg) && !(s->verdict == SCOUT_OPEN && s->refine);
}

/* ---- SCT-6 ------------------------------------------------------------------------------------ */

/* low < best <= top <= nmax. */
static inline bool scout_bracket_holds(const scout_state *s, const scout_cfg *cfg)
{
    const uint8_t best = scout_plans(s, cfg) && s->verdict == SCOUT_TAKE ? s->cand : s->best;

    if (s->nmax < 2)
        return s->state == SCOUT_ST_DONE && s->best == s->nmax && s->top == s->nmax && s->low == 0 && s->cand == 0;
    return s->low < best && best <= s->top && s->top <= s->nmax && s->cand >= 1 && s->cand <= s->nmax && s->best >= 1 &&
           s->best <= s->nmax;
}

/* Which limit is looked at, in windows of which stage. The coarse search goes below `low`, too. */
static inline bool scout_candidate_holds(const scout_state *s, const scout_cfg *cfg)
{
    const bool fewer = s->cand < s->best, more = s->cand > s->best, changed = scout_plans(s, cfg);

    if (s->state == SCOUT_ST_DONE && s->step >= SCOUT_ROOM && s->odd && s->verdict == SCOUT_REJECT && !(s->low == 0 && s->top == s->nmax))
        return false; /* SCT-8: all limits are open again */
    if (s->state == SCOUT_ST_DONE) /* nothing is left to look at, or nothing was looked at (SCT-10) */
        return ((s->top == s->best && s->low + 1u >= s->best) || (s->top == s->nmax && s->low == 0)) && s->stage == 1 &&
               (s->refine || s->nmax < 2);
    if (s->state == SCOUT_ST_BACK && !(fewer && s->stage < 2 && cfg->back))
        return false;
    if (!s->refine)
        return s->stage == 0 ? fewer : s->stage == 1 && more && (changed || s->cand == s->top);
    return changed ? fewer || more : (more && s->cand <= s->top) || (fewer && s->cand > s->low);
}

/* ---- SCT-2 ------------------------------------------------------------------------------------ */

/* Where the slice is. */
static inline bool scout_slice_holds(const scout_state *s, const scout_cfg *cfg)
{
    const uint32_t most = cfg->settle > cfg->warmup ? cfg->settle : cfg->warmup;

    return s->step <= SCOUT_ACT && s->timer < cfg->slice && (s->step == SCOUT_COUNT || s->timer == 0) && s->settle <= most &&
           s->index < scout_window_slices(s, cfg) && (s->settle == 0 || s->index == 0);
}

/* SCT-4: the first half of a look has been judged only where it is over, and while the window after it has not begun. */
static inline bool scout_half_holds(const scout_state *s, const scout_cfg *cfg)
{
    const bool judged = s->index >= scout_window_slices(s, cfg) / 2 ||
                        (s->step > SCOUT_ABOVE && scout_ends_half(s, cfg) && s->verdict == SCOUT_HALF);

    if (s->quiet > SCOUT_QUIET_MAX)
        return false;
    if (s->half == SCOUT_UNCLEAR)
        return true;
    return s->half <= SCOUT_BETTER &&
           ((s->state == SCOUT_ST_LOOK && s->settle == 0 && judged) || (s->state == SCOUT_ST_BACK && s->settle != 0));
}

static inline bool scout_watch_holds(const scout_state *s)
{
    return s->state == SCOUT_ST_DONE ? s->known || !s->odd : !s->known && !s->odd;
}

/* The table of rows: which verdicts there are, where and from which step on. */
static inline bool scout_verdict_holds(const scout_state *s, const scout_cfg *cfg)
{
    const bool look = s->state == SCOUT_ST_LOOK, base = s->state == SCOUT_ST_BASE, halves = look || base;
    const bool whole = scout_ends(s, cfg), watches = s->state == SCOUT_ST_DONE && s->known;
    const bool classed = whole && (look || s->state == SCOUT_ST_BACK || watches);

    if (s->step <= SCOUT_ROWS)
        return s->verdict == SCOUT_NONE;
    if (s->step == SCOUT_PAUSE)
        return s->verdict == (look && scout_signed_acc(s, cfg) + s->credit < 0 ? SCOUT_REJECT : SCOUT_NONE);
    switch (s->verdict) {
    case SCOUT_NONE:
        return s->settle > 1 || (s->settle == 0 && !(halves && scout_ends_half(s, cfg)) &&
                                 (!whole || (classed && s->step <= SCOUT_ABOVE)));
    case SCOUT_SETTLED: return s->settle == 1;
    case SCOUT_HALF: return halves && scout_ends_half(s, cfg);
    case SCOUT_FULL: return whole && (base || (s->state == SCOUT_ST_DONE && !s->known));
    case SCOUT_TAKE: return classed && s->step > (look ? SCOUT_RESTORE : SCOUT_ABOVE);
    case SCOUT_REJECT: return look || (whole && watches && s->step > SCOUT_ABOVE);
    case SCOUT_OPEN: return whole && (look || s->state == SCOUT_ST_BACK) && s->step > SCOUT_ABOVE;
    default: return false;
    }
}

/* ---- what the steps have made of the count ------------------------------------------------------ */

static inline uint32_t scout_base_so_far(const scout_state *s, const scout_cfg *cfg)
{
    return s->base >> (s->index < scout_window_slices(s, cfg) / 2);
}

static inline uint32_t scout_margin_then(const scout_state *s, const scout_cfg *cfg)
{
    return scout_base_so_far(s, cfg) >> cfg->margin;
}

static inline unsigned scout_doubt_shift(const scout_state *s, const scout_cfg *cfg)
{
    const unsigned by_stage = 4u + s->stage;

    if (s->state == SCOUT_ST_DONE)
        return 2;
    return cfg->doubt && s->quiet < by_stage ? s->quiet : by_stage;
}

static inline uint32_t scout_doubt_then(const scout_state *s, const scout_cfg *cfg)
{
    return s->stage == 3 ? 0 : scout_base_so_far(s, cfg) >> scout_doubt_shift(s, cfg);
}

/* A look that StepAct is to settle the account of. */
static inline bool scout_pays(const scout_state *s)
{
    return s->state == SCOUT_ST_LOOK && (s->verdict >= SCOUT_TAKE || s->verdict == SCOUT_SETTLED);
}

/* In a look: the count less the base's, without what StepMargin has added to it for two steps, StepMix for one, and StepRoom for the
 * account. */
static inline int32_t scout_gain(const scout_state *s, const scout_cfg *cfg)
{
    const int32_t acc = scout_signed_acc(s, cfg), margin = (int32_t)scout_margin_then(s, cfg);

    if (s->state != SCOUT_ST_LOOK || s->step <= SCOUT_MARGIN)
        return acc;
    if (s->step == SCOUT_BRACKET)
        return scout_signed(s->acc - s->base, cfg);
    if (s->step > SCOUT_RESTORE)
        return s->step == SCOUT_ACT && scout_pays(s) ? acc - s->credit : acc;
    return s->cand < s->best ? acc - margin : acc + margin + 1;
}

/* arg and one, in all states but StBase. */
static inline bool scout_other_arg_holds(const scout_state *s, const scout_cfg *cfg)
{
    const uint32_t slices = scout_window_slices(s, cfg), margin = scout_margin_then(s, cfg), doubt = scout_doubt_then(s, cfg);
    const bool look = s->state == SCOUT_ST_LOOK, fewer = s->cand < s->best;

    switch (s->step) {
    case SCOUT_OFF: return scout_takes(s, cfg, look ? s->base / slices : s->base, true);
    case SCOUT_REST: return s->one && (!look || scout_takes(s, cfg, scout_ends(s, cfg) ? s->base % slices : 0, true));
    case SCOUT_SPENT: return scout_adds(s, s->credit, false);
    case SCOUT_ROWS:
    case SCOUT_PAUSE: return scout_adds(s, s->base >> (3 + 2 * s->stage), false);
    case SCOUT_MARGIN:
        return s->state == SCOUT_ST_BACK || (look && !fewer) ? scout_takes(s, cfg, margin, false) : scout_adds(s, margin, false);
    case SCOUT_BELOW: return scout_adds(s, doubt, false);
    case SCOUT_ABOVE: return scout_takes(s, cfg, doubt, s->state != SCOUT_ST_DONE);
    case SCOUT_RESTORE: return fewer ? scout_takes(s, cfg, margin, true) : scout_adds(s, margin, true);
    case SCOUT_MIX: return scout_adds(s, s->base, false);
    case SCOUT_BRACKET: return scout_takes(s, cfg, s->base, true);
    case SCOUT_ROOM: return scout_adds(s, s->credit, false);
    default: return scout_adds(s, 0, false);
    }
}

/* SCT-7: the sum of credit and gain; the credit is not more than it can be. */
static inline bool scout_credit_reaches(const scout_state *s, int32_t sum)
{
    return sum == s->credit || (sum > s->credit && s->credit == SCOUT_CREDIT_MAX);
}

/* Where the halves are compared: a part of the whole, taken off where the second half is not less than the first. */
static inline bool scout_halves_hold(const scout_state *s, const scout_cfg *cfg, bool whole)
{
    const uint32_t part = s->base >> (s->step - SCOUT_SPENT + 1);
    const bool adds = scout_adds(s, part, false), takes = scout_takes(s, cfg, part, false);

    if (!whole)
        return adds || takes;
    return s->quiet <= s->step - SCOUT_SPENT && (scout_signed_acc(s, cfg) >= 0 ? takes : adds);
}

/* The same in StBase; acc is by how much the whole is more than twice its first half while halves are compared. */
static inline bool scout_base_arg_holds(const scout_state *s, const scout_cfg *cfg)
{
    const bool whole = scout_ends(s, cfg);
    const int32_t acc = scout_signed_acc(s, cfg), base = (int32_t)s->base, slice = base / (int32_t)scout_window_slices(s, cfg);
    const uint32_t most = (UINT32_C(1) << scout_count_width(cfg)) - 1;

    switch (s->step) {
    case SCOUT_OFF: return scout_takes(s, cfg, 2 * s->base & most, true);
    case SCOUT_REST: return s->one && (!whole || (acc <= base && acc >= -base));
    case SCOUT_RESTORE: return scout_adds(s, s->credit, false) && (!whole || acc == 0);
    case SCOUT_MIX: return (s->arg == s->base >> 3 || s->arg == s->base >> 7) && !s->one && (!whole || acc == s->credit);
    case SCOUT_BRACKET:
        return scout_takes(s, cfg, 2 * (uint32_t)slice, true) && (!whole || acc == s->credit + (base >> 3) || acc == s->credit + (base >> 7));
    case SCOUT_ROOM: return scout_takes(s, cfg, (uint32_t)slice, true) && (!whole || scout_credit_reaches(s, acc + 2 * slice));
    case SCOUT_ACT: return scout_adds(s, 0, false) && (!whole || scout_credit_reaches(s, acc + 3 * slice));
    default: return scout_halves_hold(s, cfg, whole);
    }
}

static inline bool scout_arg_holds(const scout_state *s, const scout_cfg *cfg)
{
    if (s->one > 1)
        return false;
    if (s->step <= SCOUT_LAST)
        return s->arg <= cfg->issue_width && !s->one && (s->step != SCOUT_COUNT || s->timer || !s->arg);
    return s->state == SCOUT_ST_BASE ? scout_base_arg_holds(s, cfg) : scout_other_arg_holds(s, cfg);
}

/* By how much the base is shifted for the choice in a step, where one looks at it. */
static inline bool scout_shift_holds(const scout_state *s, const scout_cfg *cfg)
{
    const bool base = s->state == SCOUT_ST_BASE;
    const unsigned first_half = s->index < scout_window_slices(s, cfg) / 2;

    if (s->shift > 7)
        return false;
    switch (s->step) {
    case SCOUT_LAST: return s->shift == (s->state == SCOUT_ST_LOOK ? 2 * s->stage : 0);
    case SCOUT_REST: return s->shift == 1;
    case SCOUT_SPENT:
    case SCOUT_MIX: return s->shift == 2 * s->stage;
    case SCOUT_PAUSE:
    case SCOUT_ABOVE: return s->shift == first_half;
    case SCOUT_MARGIN: return base || s->shift == (scout_doubt_shift(s, cfg) + first_half) % 8; /* 8 in stage 3, where nothing is in doubt */
    case SCOUT_RESTORE: return base ? s->shift == 3 || s->shift == 7 : s->shift == 0;
    default: return true;
    }
}

/* The sign of the last sum, where a verdict is made of it. */
static inline bool scout_minus_holds(const scout_state *s, const scout_cfg *cfg)
{
    const int32_t acc = scout_signed_acc(s, cfg);

    if (s->minus > 1)
        return false;
    if (s->state == SCOUT_ST_BASE)
        return true;
    switch (s->step) {
    case SCOUT_ROWS: return s->minus == (acc + s->credit < 0);
    case SCOUT_PAUSE: return s->minus == (acc + (int32_t)(s->base >> (3 + 2 * s->stage)) < 0);
    case SCOUT_ABOVE: return s->minus == (acc + (int32_t)scout_doubt_then(s, cfg) < 0);
    case SCOUT_RESTORE: return s->minus == (acc - (int32_t)scout_doubt_then(s, cfg) - (s->state == SCOUT_ST_DONE) < 0);
    default: return true;
    }
}

/* What was found out early is so where it is read. */
static inline bool scout_found_holds(const scout_state *s)
{
    const bool searches = s->state == SCOUT_ST_LOOK || s->state == SCOUT_ST_BACK;
    const uint8_t best = searches && s->verdict == SCOUT_TAKE ? s->cand : s->best;

    if (s->fewer > 1 || s->above > 1 || s->below > 1 || (s->step > SCOUT_LAST && s->fewer != (s->cand < s->best)))
        return false;
    return s->step != SCOUT_ACT || (s->above == (s->top != best) && s->below == (s->nmax && s->low + 1u != best));
}

/* SCT-4: what StepAbove has left: verdict and half without regard to whether the look is better. */
static inline bool scout_below_holds(const scout_state *s, const scout_cfg *cfg)
{
    const bool below = scout_signed_acc(s, cfg) + (int32_t)scout_doubt_then(s, cfg) < 0, last = s->stage == 3;

    if (s->state == SCOUT_ST_DONE && s->step == SCOUT_RESTORE && s->known && scout_ends(s, cfg))
        return s->verdict == (below ? SCOUT_REJECT : SCOUT_TAKE);
    if (s->state != SCOUT_ST_LOOK)
        return true;
    if (s->step == SCOUT_RESTORE && s->verdict == SCOUT_HALF)
        return s->half == (below ? SCOUT_WORSE : SCOUT_UNCLEAR);
    if (s->step == SCOUT_RESTORE && s->verdict == SCOUT_OPEN)
        return !(below && (!cfg->doubt || last || s->half == SCOUT_WORSE));
    return !(s->step > SCOUT_RESTORE && s->verdict == SCOUT_OPEN && last); /* in the last stage a look is better or worse */
}

/* ---- how much there can be ---------------------------------------------------------------------- */

/* SCT-7: what a look has lost is in the credit, up to the slice that StepSpent and StepRows are still to see. */
static inline bool scout_credit_holds(const scout_state *s, const scout_cfg *cfg)
{
    const int32_t lost = -scout_gain(s, cfg);
    const int32_t slice = (int32_t)(cfg->slice * cfg->issue_width + scout_window_slices(s, cfg));

    if (s->credit > SCOUT_CREDIT_MAX)
        return false;
    if (s->state != SCOUT_ST_LOOK)
        return true;
    if (s->step == SCOUT_REST) /* what the division left over is still to come */
        return lost <= s->credit + (int32_t)(cfg->slice * cfg->issue_width);
    if (s->step == SCOUT_SPENT || s->step == SCOUT_ROWS || s->verdict == SCOUT_REJECT)
        return lost <= s->credit + slice;
    return lost <= s->credit;
}

/* From StepRest on of a window of StBack or StDone that ends. acc is its count, less what it is compared with; after going back
 * base is the count of this window, and from StepBelow on acc lacks the margin. */
static inline bool scout_watched_holds(const scout_state *s, const scout_cfg *cfg, int32_t most)
{
    const int32_t acc = scout_signed_acc(s, cfg), base = (int32_t)s->base;
    const int32_t more = acc + (s->step > SCOUT_MARGIN ? (int32_t)scout_margin_then(s, cfg) + 1 : 0);

    if (s->state == SCOUT_ST_BACK)
        return base <= most && more <= base && more >= base - 2 * scout_window_most(s, cfg);
    return s->known ? acc + base >= 0 && acc + base <= most : acc >= 0 && acc <= most;
}

/* SCT-2: no more is counted than can be issued in the slices since the count began; no more is taken off than that. */
static inline bool scout_count_holds(const scout_state *s, const scout_cfg *cfg)
{
    const uint32_t most = cfg->settle > cfg->warmup ? cfg->settle : cfg->warmup;
    const uint32_t before = s->settle ? most - s->settle : s->index;
    const uint32_t cycles = before * cfg->slice + (s->step == SCOUT_COUNT ? s->timer : cfg->slice);
    const bool pending = s->step <= SCOUT_LAST, off = s->step > SCOUT_OFF, last = scout_ends(s, cfg) && s->step > SCOUT_REST;
    const int32_t acc = scout_gain(s, cfg);
    const int32_t taken = (int32_t)((before + off) * cfg->slice * cfg->issue_width);

    if (s->state != SCOUT_ST_LOOK && scout_ends(s, cfg) && s->step > SCOUT_OFF)
        return s->state == SCOUT_ST_BASE || scout_watched_holds(s, cfg, (int32_t)(cycles * cfg->issue_width));
    if (acc + (pending ? (int32_t)s->arg : 0) > (int32_t)(cycles * cfg->issue_width))
        return false;
    if (s->state != SCOUT_ST_LOOK)
        return acc >= 0;
    return -acc <= taken + (last ? (int32_t)scout_window_slices(s, cfg) : 0);
}

/* The base is the count of a whole window of this stage where something is compared with it, and otherwise one of any stage. A look
 * that wins has lost no more than a part of it; twice a window is more than it can have counted then. */
static inline bool scout_base_holds(const scout_state *s, const scout_cfg *cfg)
{
    const int32_t base = (int32_t)s->base, acc = scout_gain(s, cfg), most = scout_window_most(s, cfg);
    const bool counted = s->step > SCOUT_OFF;

    if (s->base > cfg->slice * cfg->issue_width * cfg->window * 64)
        return false;
    switch (s->state) {
    case SCOUT_ST_BASE:
        if (counted && scout_ends(s, cfg))
            return base <= most;
        if (s->settle != 0 || (s->index < scout_window_slices(s, cfg) / 2 && !(counted && scout_ends_half(s, cfg))))
            return true;
        return base <= acc;
    case SCOUT_ST_LOOK:
        if (scout_goes_back(s, cfg) && s->step > SCOUT_BRACKET)
            return base <= 2 * most;
        return base <= most && (s->verdict != SCOUT_TAKE || acc >= -base);
    case SCOUT_ST_BACK: return base <= 2 * most;
    default: return !(s->known || (counted && scout_ends(s, cfg))) || base <= most;
    }
}

/* A bit for each that does not hold. */
static inline uint64_t scout_violated(const scout_state *s, const scout_cfg *cfg)
{
    if (s->state == SCOUT_ST_IDLE)
        return !scout_idle_holds(s);
    if (s->state > SCOUT_ST_DONE || s->nmax > cfg->num_slots)
        return 2;
    return (uint64_t)!scout_bracket_holds(s, cfg) << 2 | (uint64_t)!scout_candidate_holds(s, cfg) << 3 |
           (uint64_t)!scout_slice_holds(s, cfg) << 4 | (uint64_t)!scout_half_holds(s, cfg) << 5 |
           (uint64_t)!scout_watch_holds(s) << 6 | (uint64_t)!scout_verdict_holds(s, cfg) << 7 |
           (uint64_t)!scout_credit_holds(s, cfg) << 8 | (uint64_t)!scout_count_holds(s, cfg) << 9 |
           (uint64_t)!scout_base_holds(s, cfg) << 10 | (uint64_t)!scout_arg_holds(s, cfg) << 11 |
           (uint64_t)!scout_below_holds(s, cfg) << 12 | (uint64_t)!scout_shift_holds(s, cfg) << 13 |
           (uint64_t)!scout_minus_holds(s, cfg) << 14 | (uint64_t)!scout_found_holds(s) << 15;
}

#endif
