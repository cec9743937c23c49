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

static void add_acc(scout_state *s, const scout_cfg *cfg, int32_t what)
{
    set_acc(s, cfg, acc_of(s, cfg) + what);
}

static void next_arg(scout_state *s, uint32_t arg, bool less)
{
    s->arg = arg;
    s->less = less;
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
    return s->state == SCOUT_ST_DONE ? 0 : base_until_now(s, cfg) >> cfg->margin;
}

static uint32_t doubt_of(const scout_state *s, const scout_cfg *cfg)
{
    unsigned shift = 4u + s->stage;

    if (s->state == SCOUT_ST_DONE)
        return base_until_now(s, cfg) / 4; /* SCT-8 */
    if (s->stage == SCOUT_STAGES - 1)
        return 0;
    if (cfg->doubt && s->quiet < shift)
        shift = s->quiet;
    return base_until_now(s, cfg) >> shift;
}

/* The first half of a look has said so, too, or need not. */
static bool half_agrees(const scout_state *s, const scout_cfg *cfg, enum scout_class class)
{
    return !cfg->doubt || s->stage == SCOUT_STAGES - 1 || s->half == class;
}

/* Below the doubt: for a look that is worse, for the count at the old limit that the look was better. */
static void judge_below(scout_state *s, const scout_cfg *cfg, bool below)
{
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

static void judge_above(scout_state *s, const scout_cfg *cfg, bool above)
{
    if (!above)
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
static uint8_t judge_rows(const scout_state *s, const scout_cfg *cfg, bool lost_an_eighth)
{
    const bool look = s->state == SCOUT_ST_LOOK, base = s->state == SCOUT_ST_BASE;

    if (s->settle)
        return s->settle == 1 ? SCOUT_SETTLED : SCOUT_NONE;
    if (look && lost_an_eighth && (s->stage == 0 || !s->refine)) /* SCT-3; coarse in stage 1: the limit before a win */
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

/* SCT-7: a look pays what it lost, and earns what it won; arg is the credit. */
static void settle_account(scout_state *s, const scout_cfg *cfg)
{
    if (s->state == SCOUT_ST_LOOK)
        set_credit(s, acc_of(s, cfg) + (int32_t)s->arg);
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

/* The next limit to look at; false: there is none, and the search is over. */
static bool plan(scout_state *s, bool win, unsigned cand)
{
    if (win && s->top > s->best) {
        look_at(s, s->top, 1, false);
        return true;
    }
    if (!s->refine && coarse_from(s, cand) >= 2) {
        look_at(s, coarse_from(s, cand) / 2, 0, false);
        return true;
    }
    if (s->top > s->best) {
        look_at(s, (s->best + s->top + 1u) / 2, stage_upward(s), true);
        return true;
    }
    if (s->best - s->low > 1) {
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

/* arg is what a slice issues, and so much is left of the credit after two more. */
static void act_base(scout_state *s, const scout_cfg *cfg)
{
    if (acc_of(s, cfg) >= (int32_t)s->arg) {
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
    next_arg(s, 0, false);
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
    add_acc(s, cfg, (int32_t)s->arg);
    next_arg(s, (uint32_t)__builtin_popcount(in->issue_valid), false);
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

/* The halves agree by one part in 2^(quiet + 1), too: acc is by how much the whole is more than twice the first half. */
static void compare_halves(scout_state *s, const scout_cfg *cfg)
{
    const int32_t more = acc_of(s, cfg);

    if ((uint32_t)(more < 0 ? -more : more) <= s->arg)
        s->quiet++;
}

static void whole_base_step(scout_state *s, const scout_cfg *cfg)
{
    switch (s->step) {
    case SCOUT_OFF:
    case SCOUT_REST:
    case SCOUT_WAIT:
    case SCOUT_BRACKET: add_acc(s, cfg, -(int32_t)s->arg); break;
    case SCOUT_RESTORE: add_acc(s, cfg, (int32_t)s->arg); break;
    case SCOUT_MIX:
        set_credit(s, acc_of(s, cfg) + (int32_t)s->arg);
        add_acc(s, cfg, (int32_t)s->arg);
        break;
    default: /* StepSpent to StepAbove */
        compare_halves(s, cfg);
        if (s->step == SCOUT_ABOVE)
            set_acc(s, cfg, 0);
    }
    if (s->step == SCOUT_REST)
        s->quiet = 0;
}

static void base_arg(scout_state *s, const scout_cfg *cfg, bool reaches)
{
    switch (s->step) {
    case SCOUT_LAST: next_arg(s, s->base, true); break;
    case SCOUT_OFF: next_arg(s, s->arg, true); break;
    case SCOUT_REST: next_arg(s, s->base / 2, reaches); break;
    case SCOUT_ABOVE: next_arg(s, s->credit, false); break;
    case SCOUT_RESTORE: next_arg(s, s->base >> (s->first ? 3 : 7), false); break;
    case SCOUT_MIX: next_arg(s, slice_of_base(s, cfg), true); break;
    case SCOUT_WAIT:
    case SCOUT_BRACKET: break;
    default: s->arg /= 2; /* StepSpent to StepBelow */
    }
}

static void base_step(scout_state *s, const scout_cfg *cfg)
{
    const bool reaches = acc_of(s, cfg) >= (int32_t)s->arg;
    const uint32_t counted = s->acc; /* nothing is taken off in this state */
    const bool whole = ends_window(s, cfg);

    if (s->step == SCOUT_LAST)
        add_acc(s, cfg, (int32_t)s->arg);
    else if (whole)
        whole_base_step(s, cfg);
    base_arg(s, cfg, reaches);
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

/* Returns what the step's sum is beyond acc: StepMargin keeps one more away from a limit of more CTAs, and from the old limit's
 * count, where "not more" is to become "less". */
static int32_t margin_step(const scout_state *s)
{
    const bool fewer = s->state == SCOUT_ST_LOOK ? s->cand < s->best : s->state == SCOUT_ST_DONE;

    return fewer ? (int32_t)s->arg : -(int32_t)s->arg - 1;
}

/* Takes away what StepMargin has added. */
static int32_t restore_step(const scout_state *s)
{
    return s->cand < s->best ? -(int32_t)s->arg : (int32_t)s->arg + 1;
}

static void sum_step(scout_state *s, const scout_cfg *cfg)
{
    const bool look = s->state == SCOUT_ST_LOOK;
    const int32_t acc = acc_of(s, cfg), arg = (int32_t)s->arg;

    switch (s->step) {
    case SCOUT_LAST: add_acc(s, cfg, arg); break;
    case SCOUT_OFF:
        if (look || compares(s, cfg))
            add_acc(s, cfg, -arg);
        break;
    case SCOUT_REST:
        if (look)
            add_acc(s, cfg, -arg);
        break;
    case SCOUT_MARGIN:
        if (look || compares(s, cfg))
            add_acc(s, cfg, margin_step(s));
        break;
    case SCOUT_BELOW: judge_below(s, cfg, acc + arg < 0); break;
    case SCOUT_ABOVE: judge_above(s, cfg, s->state == SCOUT_ST_DONE ? acc > arg : acc >= arg); break;
    case SCOUT_RESTORE:
        if (look)
            add_acc(s, cfg, restore_step(s));
        break;
    case SCOUT_MIX:
        if (goes_back(s, cfg)) /* SCT-5: what was counted at the candidate is the base of the comparison */
            s->base = (uint32_t)(acc + arg) & ((UINT32_C(1) << scout_count_width(cfg)) - 1);
        break;
    default: break;
    }
}

static void row_step(scout_state *s, const scout_cfg *cfg)
{
    const bool negative = acc_of(s, cfg) + (int32_t)s->arg < 0;

    if (s->step == SCOUT_SPENT && s->state == SCOUT_ST_LOOK && negative)
        s->verdict = SCOUT_REJECT;
    if (s->step == SCOUT_ROWS && s->verdict == SCOUT_NONE)
        s->verdict = judge_rows(s, cfg, negative);
}

static void other_arg(scout_state *s, const scout_cfg *cfg)
{
    const bool fewer = s->cand < s->best, look = s->state == SCOUT_ST_LOOK;

    switch (s->step) {
    case SCOUT_LAST: next_arg(s, look ? slice_of_base(s, cfg) : s->base, true); break;
    case SCOUT_OFF:
        if (look)
            next_arg(s, ends_window(s, cfg) ? s->base % slices_of_window(s, cfg) : 0, true);
        break;
    case SCOUT_REST:
    case SCOUT_MIX: next_arg(s, s->credit, false); break;
    case SCOUT_SPENT: next_arg(s, s->base >> (3 + 2 * s->stage), false); break;
    case SCOUT_PAUSE:
        next_arg(s, margin_of(s, cfg), s->state == SCOUT_ST_BACK || (look && !fewer));
        break;
    case SCOUT_MARGIN: next_arg(s, doubt_of(s, cfg), false); break;
    case SCOUT_BELOW: s->less = 1; break;
    case SCOUT_ABOVE: next_arg(s, margin_of(s, cfg), fewer); break;
    case SCOUT_RESTORE: next_arg(s, s->base, false); break;
    default: break;
    }
}

/* ---- a cycle -------------------------------------------------------------------------------- */

static void end_step(scout_state *s, const scout_cfg *cfg)
{
    row_step(s, cfg);
    if (s->step == SCOUT_BRACKET)
        change_bracket(s, cfg);
    if (s->state == SCOUT_ST_BASE) {
        base_step(s, cfg);
    } else {
        const uint32_t counted = s->acc;

        sum_step(s, cfg);
        other_arg(s, cfg);
        if (s->step == SCOUT_OFF && makes_base(s, cfg))
            s->base = counted;
    }
    s->step++;
}

static void slice(scout_state *s, const scout_cfg *cfg, const scout_in *in)
{
    if (s->step == SCOUT_COUNT) {
        count(s, cfg, in);
    } else if (s->step == SCOUT_ACT) {
        act(s, cfg);
        s->step = SCOUT_COUNT;
    } else {
        end_step(s, cfg);
    }
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
