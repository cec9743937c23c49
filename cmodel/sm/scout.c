/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/scout.h"

scout_cfg scout_cfg_default(void)
{
    return (scout_cfg){.num_slots = 8, .issue_width = 2, .slice = 1024, .window = 8, .settle = 2, .warmup = 4, .margin = 6,
                       .back = 1, .verify = 1, .doubt = 1};
}

scout_in scout_in_default(void)
{
    return (scout_in){.enable = 1};
}

void scout_reset(scout_state *state, const scout_cfg *cfg)
{
    (void)cfg;
    *state = (scout_state){.half = SCOUT_UNCLEAR};
}

/* Bits that count to `most` - 1. */
static unsigned bits_for(uint32_t most)
{
    unsigned bits = 0;

    while (bits < 32 && (UINT64_C(1) << bits) < most)
        bits++;
    return bits;
}

unsigned scout_count_width(const scout_cfg *cfg)
{
    return bits_for(cfg->slice * cfg->window * 64 * cfg->issue_width + SCOUT_CREDIT_MAX + 1);
}

static uint32_t slices_of_window(const scout_state *s, const scout_cfg *cfg)
{
    return cfg->window << 2 * s->stage;
}

/* acc_q holds the lowest bits of a number that may be negative. */
static int32_t acc_of(const scout_state *s, const scout_cfg *cfg)
{
    const uint32_t sign = UINT32_C(1) << scout_count_width(cfg);

    return (int32_t)((s->acc ^ sign) - sign);
}

static void set_acc(scout_state *s, const scout_cfg *cfg, int32_t acc)
{
    s->acc = (uint32_t)acc & ((UINT32_C(2) << scout_count_width(cfg)) - 1);
}

static uint32_t count_mask(const scout_cfg *cfg)
{
    return (UINT32_C(1) << scout_count_width(cfg)) - 1;
}

/* arg_q is as wide as acc_q. */
static int32_t arg_of(const scout_state *s, const scout_cfg *cfg)
{
    const uint32_t sign = UINT32_C(1) << scout_count_width(cfg);

    return (int32_t)((s->arg ^ sign) - sign);
}

static void set_arg(scout_state *s, const scout_cfg *cfg, int32_t arg, bool one)
{
    s->arg = (uint32_t)arg & (count_mask(cfg) << 1 | 1);
    s->one = one;
}

/* The next step adds x, x and one, takes x off, or x and one. */
static void next_adds(scout_state *s, const scout_cfg *cfg, uint32_t x)
{
    set_arg(s, cfg, (int32_t)x, false);
}

static void next_adds_more(scout_state *s, const scout_cfg *cfg, uint32_t x)
{
    set_arg(s, cfg, (int32_t)x, true);
}

static void next_takes(scout_state *s, const scout_cfg *cfg, uint32_t x)
{
    set_arg(s, cfg, -(int32_t)x - 1, true);
}

static void next_takes_more(scout_state *s, const scout_cfg *cfg, uint32_t x)
{
    set_arg(s, cfg, -(int32_t)x - 1, false);
}

static int32_t sum_of(const scout_state *s, const scout_cfg *cfg)
{
    return acc_of(s, cfg) + arg_of(s, cfg) + s->one;
}

static void keep_sum(scout_state *s, const scout_cfg *cfg)
{
    set_acc(s, cfg, sum_of(s, cfg));
}

/* ---- where in its window the slice is ------------------------------------------------------ */

static bool ends_window(const scout_state *s, const scout_cfg *cfg)
{
    return s->settle == 0 && s->index + 1u == slices_of_window(s, cfg);
}

static bool ends_half(const scout_state *s, const scout_cfg *cfg)
{
    return s->settle == 0 && s->index + 1u == slices_of_window(s, cfg) / 2;
}

/* What the base has issued until there, if the half or the window ends. */
static uint32_t base_until_now(const scout_state *s, const scout_cfg *cfg)
{
    return s->index < slices_of_window(s, cfg) / 2 ? s->base / 2 : s->base;
}

/* ---- comparison (SCT-4) ---------------------------------------------------------------- */

static uint32_t margin_of(const scout_state *s, const scout_cfg *cfg)
{
    return base_until_now(s, cfg) >> cfg->margin;
}

static unsigned doubt_shift(const scout_state *s, const scout_cfg *cfg)
{
    const unsigned by_stage = 4u + s->stage;

    if (s->state == SCOUT_ST_DONE)
        return 2; /* SCT-8: a quarter */
    return cfg->doubt && s->quiet < by_stage ? s->quiet : by_stage;
}

static uint32_t doubt_of(const scout_state *s, const scout_cfg *cfg)
{
    return s->stage == SCOUT_STAGES - 1 ? 0 : base_until_now(s, cfg) >> doubt_shift(s, cfg);
}

/* The first half of a look has said so, too, or need not. */
static bool half_agrees(const scout_state *s, const scout_cfg *cfg, enum scout_class class)
{
    return !cfg->doubt || s->stage == SCOUT_STAGES - 1 || s->half == class;
}

/* Below the doubt: for a look that is worse, for the count at the old limit that the look was better. */
static void judge_below(scout_state *s, const scout_cfg *cfg)
{
    const bool below = s->minus;

    if (s->state == SCOUT_ST_LOOK && s->verdict == SCOUT_HALF)
        s->half = below ? SCOUT_WORSE : SCOUT_UNCLEAR;
    if (s->verdict != SCOUT_NONE || !ends_window(s, cfg))
        return;
    switch (s->state) {
    case SCOUT_ST_LOOK: s->verdict = below && half_agrees(s, cfg, SCOUT_WORSE) ? SCOUT_REJECT : SCOUT_OPEN; break;
    case SCOUT_ST_BACK: s->verdict = below ? SCOUT_TAKE : SCOUT_OPEN; break;
    case SCOUT_ST_DONE: s->verdict = below ? SCOUT_REJECT : SCOUT_TAKE; break;
    default: break;
    }
}

static void judge_above(scout_state *s, const scout_cfg *cfg)
{
    if (s->minus)
        return;
    if (s->state == SCOUT_ST_DONE && s->verdict == SCOUT_TAKE)
        s->verdict = SCOUT_REJECT;
    if (s->state != SCOUT_ST_LOOK)
        return;
    if (s->verdict == SCOUT_HALF)
        s->half = SCOUT_BETTER;
    else if (s->verdict == SCOUT_OPEN && half_agrees(s, cfg, SCOUT_BETTER))
        s->verdict = SCOUT_TAKE;
}

/* Rows 2 to 8 of the page. */
static uint8_t judge_rows(const scout_state *s, const scout_cfg *cfg)
{
    const bool look = s->state == SCOUT_ST_LOOK, base = s->state == SCOUT_ST_BASE;

    if (s->settle)
        return s->settle == 1 ? SCOUT_SETTLED : SCOUT_NONE;
    if (look && s->minus && (s->stage == 0 || !s->refine)) /* SCT-3; coarse in stage 1: the limit before a win */
        return SCOUT_REJECT;
    if (ends_half(s, cfg) && (look || base))
        return SCOUT_HALF;
    if (ends_window(s, cfg) && (base || (s->state == SCOUT_ST_DONE && !s->known)))
        return SCOUT_FULL;
    return SCOUT_NONE;
}

/* ---- what follows (SCT-6) ---------------------------------------------------------------- */

static void begin_window(scout_state *s)
{
    s->acc = 0;
    s->index = 0;
}

static void new_base(scout_state *s, const scout_cfg *cfg, uint8_t state)
{
    s->state = state;
    s->settle = (uint8_t)cfg->settle;
    s->half = SCOUT_UNCLEAR;
    begin_window(s);
}

/* SCT-7 */
static void set_credit(scout_state *s, int32_t credit)
{
    s->credit = (uint16_t)(credit < 0 ? 0 : credit > SCOUT_CREDIT_MAX ? SCOUT_CREDIT_MAX : credit);
}

/* SCT-7: a look pays what it lost, and earns what it won. It does so where it has been compared, and where it has settled. */
static bool pays(const scout_state *s)
{
    return s->state == SCOUT_ST_LOOK && (s->verdict >= SCOUT_TAKE || s->verdict == SCOUT_SETTLED);
}

/* StepRoom has added the credit to the count. */
static void settle_account(scout_state *s, const scout_cfg *cfg)
{
    if (pays(s))
        set_credit(s, acc_of(s, cfg));
}

/* A win in a short window is measured there and back (SCT-5). */
static bool goes_back(const scout_state *s, const scout_cfg *cfg)
{
    return s->state == SCOUT_ST_LOOK && s->verdict == SCOUT_TAKE && cfg->back && s->cand < s->best && s->stage < 2;
}

/* The same limit is looked at in longer windows (SCT-3). */
static bool looks_longer(const scout_state *s)
{
    return s->verdict == SCOUT_OPEN && s->refine;
}

/* The candidate has won: what its limit rules out. */
static void bound_taken(scout_state *s)
{
    if (s->cand > s->best) {
        s->low = s->best;
    } else if (!s->refine) {
        s->top = s->best;
        s->low = 0;
    } else if (s->stage == SCOUT_STAGES - 1) {
        s->top = (uint8_t)(s->best - 1);
    }
}

static void reject(scout_state *s)
{
    if (s->cand > s->best)
        s->top = (uint8_t)(s->cand - 1);
    else if (s->cand > s->low)
        s->low = s->cand;
}

/* Where the coarse search goes on from. */
static unsigned coarse_from(const scout_state *s, unsigned cand)
{
    if (cand < s->best)
        return cand;
    return s->low ? s->low : s->best;
}

/* A decision in long windows is not questioned by one of the shortest (SCT-11). */
static uint8_t stage_upward(const scout_state *s)
{
    return s->stage < 2 ? 0 : 1;
}

static void look_at(scout_state *s, unsigned cand, uint8_t stage, bool refine)
{
    s->cand = (uint8_t)cand;
    s->stage = stage;
    s->refine = refine;
}

/* The next limit to look at; false: there is none, and the search is over. StepRoom has seen whether there are limits above the best
 * one that are not ruled out, and limits below it. */
static bool plan(scout_state *s, bool win, unsigned cand)
{
    if (win && s->above) {
        look_at(s, s->top, 1, false);
        return true;
    }
    if (!s->refine && coarse_from(s, cand) >= 2) {
        look_at(s, coarse_from(s, cand) / 2, 0, false);
        return true;
    }
    if (s->above) {
        look_at(s, (s->best + s->top + 1u) / 2, stage_upward(s), true);
        return true;
    }
    if (s->below) {
        look_at(s, (s->low + s->best) / 2u, 0, true);
        return true;
    }
    look_at(s, s->cand, 1, true);
    s->known = s->odd = 0;
    return false;
}

static void go_on(scout_state *s, const scout_cfg *cfg, bool win, unsigned cand)
{
    new_base(s, cfg, plan(s, win, cand) ? SCOUT_ST_BASE : SCOUT_ST_DONE);
}

static bool has_changed(const scout_state *s)
{
    return s->state == SCOUT_ST_DONE && s->verdict == SCOUT_REJECT && s->odd;
}

/* What will be the best limit has others above and below it; where no CTA fits there are none. */
static void find_room(scout_state *s)
{
    const bool searches = s->state == SCOUT_ST_LOOK || s->state == SCOUT_ST_BACK;
    const unsigned best = searches && s->verdict == SCOUT_TAKE ? s->cand : s->best;

    s->above = s->top != best;
    s->below = s->nmax != 0 && s->low + 1u != best;
}

/* SCT-6, SCT-8 */
static void change_bracket(scout_state *s, const scout_cfg *cfg)
{
    if (has_changed(s)) {
        s->low = 0;
        s->top = s->nmax;
    }
    if ((s->state != SCOUT_ST_LOOK && s->state != SCOUT_ST_BACK) || goes_back(s, cfg) || looks_longer(s))
        return;
    if (s->verdict == SCOUT_TAKE)
        bound_taken(s);
    else if (s->verdict == SCOUT_REJECT)
        reject(s);
}

static void act_watch(scout_state *s, const scout_cfg *cfg, uint8_t verdict)
{
    if (has_changed(s)) {
        s->refine = s->known = s->odd = 0;
        go_on(s, cfg, true, s->best);
        return;
    }
    if (verdict == SCOUT_FULL)
        s->known = 1;
    else
        s->odd = verdict == SCOUT_REJECT;
    begin_window(s);
}

/* acc is what is left of the credit after three slices. */
static void act_base(scout_state *s, const scout_cfg *cfg)
{
    if (acc_of(s, cfg) >= 0) {
        s->state = SCOUT_ST_LOOK;
        s->settle = (uint8_t)cfg->settle;
    }
    begin_window(s);
}

static void act_compared(scout_state *s, const scout_cfg *cfg, uint8_t verdict)
{
    const uint8_t old = s->best;

    settle_account(s, cfg);
    if (looks_longer(s)) {
        s->stage++;
        new_base(s, cfg, SCOUT_ST_BASE);
        return;
    }
    if (goes_back(s, cfg)) {
        s->state = SCOUT_ST_BACK;
        s->settle = (uint8_t)cfg->settle;
        begin_window(s);
        return;
    }
    if (verdict == SCOUT_TAKE)
        s->best = s->cand;
    go_on(s, cfg, verdict == SCOUT_TAKE && s->cand < old && !s->refine && cfg->verify, s->cand);
}

static void act_settled(scout_state *s, const scout_cfg *cfg)
{
    settle_account(s, cfg);
    s->settle = 0;
    s->half = SCOUT_UNCLEAR;
    begin_window(s);
}

static void act(scout_state *s, const scout_cfg *cfg)
{
    const uint8_t verdict = s->verdict;

    switch (verdict) {
    case SCOUT_NONE:
        if (s->settle)
            s->settle--;
        else
            s->index++;
        break;
    case SCOUT_SETTLED: act_settled(s, cfg); break;
    case SCOUT_HALF: s->index++; break;
    default:
        if (s->state == SCOUT_ST_DONE)
            act_watch(s, cfg, verdict);
        else if (s->state == SCOUT_ST_BASE)
            act_base(s, cfg);
        else
            act_compared(s, cfg, verdict);
    }
    s->verdict = SCOUT_NONE;
    s->shift = 0;
    next_adds(s, cfg, 0);
}

/* ---- cycles ------------------------------------------------------------------------------ */

/* SCT-10: from the limit that is known as if a search had ended there. */
static void start_known(scout_state *s, uint8_t limit)
{
    s->best = limit;
    s->state = SCOUT_ST_DONE;
    s->stage = 1;
    s->refine = 1;
}

static void start_kernel(scout_state *s, const scout_cfg *cfg, uint8_t nmax, uint8_t hint)
{
    const bool choice = nmax > 1;

    *s = (scout_state){
        .state = choice ? SCOUT_ST_BASE : SCOUT_ST_DONE,
        .stage = !choice,
        .nmax = nmax,
        .best = nmax,
        .top = nmax,
        .cand = nmax / 2,
        .first = 1,
        .settle = (uint8_t)cfg->warmup,
        .half = SCOUT_UNCLEAR,
    };
    if (hint >= 1 && hint <= nmax)
        start_known(s, hint);
}

static void count(scout_state *s, const scout_cfg *cfg, const scout_in *in)
{
    keep_sum(s, cfg);
    next_adds(s, cfg, (uint32_t)__builtin_popcount(in->issue_valid));
    s->shift = s->state == SCOUT_ST_LOOK ? (uint8_t)(2 * s->stage) : 0;
    if (++s->timer == cfg->slice) {
        s->timer = 0;
        s->step = SCOUT_LAST;
    }
}

/* The rate of a window of this stage that the base stands for: instructions of a slice. */
static uint32_t slice_of_base(const scout_state *s, const scout_cfg *cfg)
{
    return s->base / slices_of_window(s, cfg);
}

/* ---- the end of a slice at the best limit: what a whole window says of itself -------------- */

/* The halves agree by one part in 2^(quiet + 1), too: acc is by how much the whole is more than twice the first half, and arg that
 * part, taken off where acc is not negative. */
static void compare_halves(scout_state *s, const scout_cfg *cfg)
{
    const int32_t more = acc_of(s, cfg), arg = arg_of(s, cfg), part = arg < 0 ? -arg - 1 : arg;

    if (arg < 0 ? more <= part : more >= -part)
        s->quiet++;
}

static void whole_base_step(scout_state *s, const scout_cfg *cfg)
{
    switch (s->step) {
    case SCOUT_REST: s->quiet = 0; break;
    case SCOUT_BRACKET: /* credit and what was earned */
        set_credit(s, acc_of(s, cfg));
        keep_sum(s, cfg);
        break;
    case SCOUT_OFF:
    case SCOUT_RESTORE:
    case SCOUT_MIX:
    case SCOUT_ROOM: keep_sum(s, cfg); break;
    default: /* StepSpent to StepAbove */
        compare_halves(s, cfg);
        if (s->step == SCOUT_ABOVE)
            set_acc(s, cfg, 0);
    }
}

/* An eighth, or one part in 128. */
static uint8_t earns_shift(const scout_state *s, const scout_in *in)
{
    return s->first && !in->cta_done ? 3 : 7;
}

static void base_arg(scout_state *s, const scout_cfg *cfg, bool negative)
{
    const int32_t half = arg_of(s, cfg) < 0 ? -((1 - arg_of(s, cfg)) / 2) : arg_of(s, cfg) / 2; /* rounded down */

    switch (s->step) {
    case SCOUT_LAST: next_takes(s, cfg, 2 * s->base & count_mask(cfg)); break;
    case SCOUT_OFF: next_takes(s, cfg, ends_window(s, cfg) ? s->base % slices_of_window(s, cfg) : 0); break;
    case SCOUT_REST:
        if (negative)
            next_adds(s, cfg, s->base / 2);
        else
            next_takes_more(s, cfg, s->base / 2);
        break;
    case SCOUT_ABOVE: next_adds(s, cfg, s->credit); break;
    case SCOUT_RESTORE: next_adds(s, cfg, s->base >> s->shift); break;
    case SCOUT_MIX: next_takes(s, cfg, 2 * slice_of_base(s, cfg)); break;
    case SCOUT_BRACKET: set_arg(s, cfg, half, true); break; /* once more */
    case SCOUT_ROOM: next_adds(s, cfg, 0); break;
    default: set_arg(s, cfg, half, false); /* StepSpent to StepBelow */
    }
}

static void base_step(scout_state *s, const scout_cfg *cfg)
{
    const bool negative = acc_of(s, cfg) < 0;
    const uint32_t counted = s->acc; /* nothing is taken off in this state */
    const bool whole = ends_window(s, cfg);

    if (s->step == SCOUT_LAST)
        keep_sum(s, cfg);
    else if (whole)
        whole_base_step(s, cfg);
    base_arg(s, cfg, negative);
    if (s->step == SCOUT_OFF && (whole || ends_half(s, cfg)))
        s->base = counted;
}

/* ---- the end of a slice in the other states ------------------------------------------------ */

/* A window of StBack or StDone ends that is to be compared: with the look's count, or with the rate of the decision. */
static bool compares(const scout_state *s, const scout_cfg *cfg)
{
    return (s->state == SCOUT_ST_BACK || (s->state == SCOUT_ST_DONE && s->known)) && ends_window(s, cfg);
}

/* SCT-5, SCT-8: after going back what the old limit counts is what margin and doubt are parts of; and the first window of StDone
 * is what the others are compared with. */
static bool makes_base(const scout_state *s, const scout_cfg *cfg)
{
    return (s->state == SCOUT_ST_BACK || (s->state == SCOUT_ST_DONE && !s->known)) && ends_window(s, cfg);
}

/* Which sums become the count. The others are asked for their sign alone. */
static bool keeps_sum(const scout_state *s, const scout_cfg *cfg)
{
    const bool look = s->state == SCOUT_ST_LOOK;

    switch (s->step) {
    case SCOUT_LAST: return true;
    case SCOUT_OFF: return look || compares(s, cfg);
    case SCOUT_MARGIN: return look || (s->state == SCOUT_ST_BACK && ends_window(s, cfg));
    case SCOUT_REST:
    case SCOUT_RESTORE:
    case SCOUT_MIX:
    case SCOUT_BRACKET: return look;
    case SCOUT_ROOM: return pays(s);
    default: return false;
    }
}

/* StepMargin keeps one more away from a limit of more CTAs, and from the old limit's count, where "not more" is to become "less". */
static void next_margin(scout_state *s, const scout_cfg *cfg)
{
    const bool more = s->state == SCOUT_ST_BACK || (s->state == SCOUT_ST_LOOK && !s->fewer);

    if (more)
        next_takes_more(s, cfg, margin_of(s, cfg));
    else
        next_adds(s, cfg, margin_of(s, cfg));
}

/* The doubt was added, and is to be taken off; in StDone more than it is what counts. */
static void next_doubt_above(scout_state *s, const scout_cfg *cfg)
{
    if (s->state == SCOUT_ST_DONE)
        next_takes_more(s, cfg, doubt_of(s, cfg));
    else
        next_takes(s, cfg, doubt_of(s, cfg));
}

/* Takes away what StepMargin has added. */
static void next_restores(scout_state *s, const scout_cfg *cfg)
{
    if (s->fewer)
        next_takes(s, cfg, margin_of(s, cfg));
    else
        next_adds_more(s, cfg, margin_of(s, cfg));
}

static void other_arg(scout_state *s, const scout_cfg *cfg)
{
    const bool look = s->state == SCOUT_ST_LOOK;

    switch (s->step) {
    case SCOUT_LAST: next_takes(s, cfg, look ? slice_of_base(s, cfg) : s->base); break;
    case SCOUT_OFF: next_takes(s, cfg, ends_window(s, cfg) ? s->base % slices_of_window(s, cfg) : 0); break;
    case SCOUT_REST:
    case SCOUT_BRACKET: next_adds(s, cfg, s->credit); break;
    case SCOUT_SPENT: next_adds(s, cfg, s->base >> (3 + 2 * s->stage)); break;
    case SCOUT_ROWS: s->one = 0; break;
    case SCOUT_PAUSE: next_margin(s, cfg); break;
    case SCOUT_MARGIN: next_adds(s, cfg, doubt_of(s, cfg)); break;
    case SCOUT_BELOW: next_doubt_above(s, cfg); break;
    case SCOUT_ABOVE: next_restores(s, cfg); break;
    case SCOUT_RESTORE: next_adds(s, cfg, s->base); break;
    case SCOUT_MIX: next_takes(s, cfg, s->base); break;
    default: next_adds(s, cfg, 0);
    }
}

static void other_step(scout_state *s, const scout_cfg *cfg)
{
    const uint32_t counted = s->acc;
    const uint32_t sum = (uint32_t)sum_of(s, cfg);
    const bool keeps = keeps_sum(s, cfg);

    other_arg(s, cfg);
    if (keeps)
        set_acc(s, cfg, (int32_t)sum);
    if (s->step == SCOUT_OFF && makes_base(s, cfg))
        s->base = counted;
    if (s->step == SCOUT_BRACKET && goes_back(s, cfg)) /* SCT-5: what was counted at the candidate is the base of the comparison */
        s->base = counted & count_mask(cfg);
}

/* ---- the end of a slice in all states -------------------------------------------------------- */

/* How far the base is shifted in the step after this one. */
static uint8_t next_shift(scout_state *s, const scout_cfg *cfg, const scout_in *in)
{
    const uint8_t by_stage = (uint8_t)(2 * s->stage), first_half = s->index < slices_of_window(s, cfg) / 2;

    switch (s->step) {
    case SCOUT_OFF: return 1;
    case SCOUT_REST:
    case SCOUT_RESTORE: return by_stage;
    case SCOUT_ROWS:
    case SCOUT_BELOW: return first_half;
    case SCOUT_PAUSE: return (doubt_shift(s, cfg) + first_half) % 8; /* 8 in stage 3, which doubts nothing */
    case SCOUT_ABOVE: return s->state == SCOUT_ST_BASE ? earns_shift(s, in) : 0;
    default: return s->shift;
    }
}

/* What the sums of the steps before have said. */
static void judge_step(scout_state *s, const scout_cfg *cfg)
{
    switch (s->step) {
    case SCOUT_ROWS:
        if (s->state == SCOUT_ST_LOOK && s->minus)
            s->verdict = SCOUT_REJECT;
        break;
    case SCOUT_PAUSE:
        if (s->verdict == SCOUT_NONE)
            s->verdict = judge_rows(s, cfg);
        break;
    case SCOUT_ABOVE: judge_below(s, cfg); break;
    case SCOUT_RESTORE: judge_above(s, cfg); break;
    case SCOUT_BRACKET: change_bracket(s, cfg); break;
    case SCOUT_ROOM: find_room(s); break;
    default: break;
    }
}

/* ---- a cycle -------------------------------------------------------------------------------- */

static void end_step(scout_state *s, const scout_cfg *cfg, const scout_in *in)
{
    const uint8_t shift = next_shift(s, cfg, in);

    judge_step(s, cfg);
    if (s->step == SCOUT_LAST)
        s->fewer = s->cand < s->best;
    if (s->state == SCOUT_ST_BASE)
        base_step(s, cfg);
    else
        other_step(s, cfg);
    s->shift = shift;
    s->step++;
}

static void slice(scout_state *s, const scout_cfg *cfg, const scout_in *in)
{
    const bool minus = sum_of(s, cfg) < 0;

    if (s->step == SCOUT_COUNT) {
        count(s, cfg, in);
    } else if (s->step == SCOUT_ACT) {
        act(s, cfg);
        s->step = SCOUT_COUNT;
    } else {
        end_step(s, cfg, in);
    }
    s->minus = minus;
}

static void show(const scout_state *s, scout_out *out)
{
    out->look = s->state == SCOUT_ST_LOOK;
    out->limit = out->look ? s->cand : s->best;
    out->done = s->state == SCOUT_ST_DONE;
}

void scout_look(const scout_state *state, const scout_cfg *cfg, const scout_in *in, scout_out *out)
{
    (void)cfg, (void)in;
    show(state, out);
}

void scout_step(scout_state *state, const scout_cfg *cfg, const scout_in *in, scout_out *out)
{
    show(state, out);
    if (!in->enable)
        return;
    if (in->kernel_start) {
        start_kernel(state, cfg, in->nmax, in->hint);
        return;
    }
    if (state->state == SCOUT_ST_IDLE)
        return;
    slice(state, cfg, in);
    if (in->cta_done)
        state->first = 0;
}
