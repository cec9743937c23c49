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
    return bits_for(cfg->slice * cfg->window * 64) + bits_for(cfg->issue_width) + 1;
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

/* Instructions that the look has lost so far. */
static uint32_t lost_of(const scout_state *s, const scout_cfg *cfg)
{
    const int32_t acc = acc_of(s, cfg);

    return acc < 0 ? (uint32_t)-acc : 0;
}

/* ---- comparison (SCT-4) ---------------------------------------------------------------- */

static int32_t doubt_of(const scout_state *s, const scout_cfg *cfg, uint32_t base)
{
    unsigned shift = 4u + s->stage;

    if (s->stage == SCOUT_STAGES - 1)
        return 0;
    if (cfg->doubt && s->quiet < shift)
        shift = s->quiet;
    return (int32_t)(base >> shift);
}

static enum scout_class classify(const scout_state *s, const scout_cfg *cfg, int32_t difference, uint32_t base)
{
    const int32_t margin = (int32_t)(base >> cfg->margin), doubt = doubt_of(s, cfg, base);

    if (s->cand < s->best) { /* fewer CTAs win where nothing is lost */
        if (difference >= doubt - margin)
            return SCOUT_BETTER;
        return difference < -margin - doubt ? SCOUT_WORSE : SCOUT_UNCLEAR;
    }
    if (difference > margin + doubt)
        return SCOUT_BETTER;
    return difference <= margin - doubt ? SCOUT_WORSE : SCOUT_UNCLEAR;
}

static uint8_t verdict_of(enum scout_class class)
{
    return class == SCOUT_BETTER ? SCOUT_TAKE : class == SCOUT_WORSE ? SCOUT_REJECT : SCOUT_OPEN;
}

/* ---- what a slice says ------------------------------------------------------------------ */

static uint8_t judge_base(scout_state *s, const scout_cfg *cfg)
{
    const uint32_t earned = s->acc >> (s->first ? 3 : 7);
    const uint32_t credit = s->credit + earned;

    (void)cfg;
    s->credit = (uint16_t)(credit > SCOUT_CREDIT_MAX ? SCOUT_CREDIT_MAX : credit);
    return SCOUT_FULL;
}

/* SCT-8: is the kernel what it was when the limit was decided? */
static uint8_t judge_watch(const scout_state *s)
{
    const uint32_t apart = s->acc > s->base ? s->acc - s->base : s->base - s->acc;

    if (!s->known)
        return SCOUT_FULL;
    return apart > s->base / 4 ? SCOUT_REJECT : SCOUT_TAKE;
}

/* SCT-5: base holds the look's count, acc the one at the old limit. */
static uint8_t judge_back(const scout_state *s, const scout_cfg *cfg)
{
    const int32_t difference = (int32_t)s->base - acc_of(s, cfg);

    return classify(s, cfg, difference, s->acc) == SCOUT_BETTER ? SCOUT_TAKE : SCOUT_OPEN;
}

static uint8_t judge_look(const scout_state *s, const scout_cfg *cfg)
{
    const enum scout_class class = classify(s, cfg, acc_of(s, cfg), s->base);

    if (s->stage == SCOUT_STAGES - 1)
        return class == SCOUT_BETTER ? SCOUT_TAKE : SCOUT_REJECT;
    if (cfg->doubt && class != (enum scout_class)s->half)
        return SCOUT_OPEN;
    return verdict_of(class);
}

/* SCT-3 */
static bool gives_up(const scout_state *s, const scout_cfg *cfg)
{
    return (s->stage == 0 || s->verify) && lost_of(s, cfg) > s->base >> (3 + 2 * s->stage);
}

static uint8_t judge(scout_state *s, const scout_cfg *cfg)
{
    const bool look = s->state == SCOUT_ST_LOOK;
    const uint32_t slices = slices_of_window(s, cfg), ended = s->index + 1u;

    if (look && lost_of(s, cfg) > s->credit)
        return SCOUT_REJECT;
    if (s->settle)
        return s->settle == 1 ? SCOUT_SETTLED : SCOUT_NONE;
    if (look && gives_up(s, cfg))
        return SCOUT_REJECT;
    if (ended == slices / 2 && (look || s->state == SCOUT_ST_BASE)) {
        if (look)
            s->half = (uint8_t)classify(s, cfg, acc_of(s, cfg), s->base / 2);
        return SCOUT_HALF;
    }
    if (ended < slices)
        return SCOUT_NONE;
    switch (s->state) {
    case SCOUT_ST_BASE: return judge_base(s, cfg);
    case SCOUT_ST_DONE: return judge_watch(s);
    case SCOUT_ST_BACK: return judge_back(s, cfg);
    default: return judge_look(s, cfg);
    }
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

/* SCT-7: a look pays what it lost, and earns what it won. */
static void settle_account(scout_state *s, const scout_cfg *cfg)
{
    const int32_t credit = s->credit + acc_of(s, cfg);

    s->credit = (uint16_t)(credit < 0 ? 0 : credit > SCOUT_CREDIT_MAX ? SCOUT_CREDIT_MAX : credit);
}

/* The candidate has won. Returns whether it is to be verified. */
static bool take(scout_state *s, const scout_cfg *cfg)
{
    const uint8_t old = s->best;
    bool win = false;

    s->best = s->cand;
    if (s->cand > old) {
        s->low = old;
    } else if (!s->refine) {
        s->top = old;
        s->low = 0;
        win = cfg->verify;
    } else if (s->stage == SCOUT_STAGES - 1) {
        s->top = (uint8_t)(old - 1);
    }
    return win;
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

static void look_at(scout_state *s, unsigned cand, uint8_t stage, bool verify)
{
    s->cand = (uint8_t)cand;
    s->stage = stage;
    s->verify = verify;
}

/* The next limit to look at; false: there is none, and the search is over. */
static bool plan(scout_state *s, bool win, unsigned cand)
{
    if (win && s->top > s->best) {
        look_at(s, s->top, 1, true);
        return true;
    }
    if (!s->refine && coarse_from(s, cand) >= 2) {
        look_at(s, coarse_from(s, cand) / 2, 0, false);
        return true;
    }
    s->refine = 1;
    if (s->top > s->best) {
        look_at(s, (s->best + s->top + 1u) / 2, 0, false);
        return true;
    }
    if (s->best - s->low > 1) {
        look_at(s, (s->low + s->best) / 2u, 0, false);
        return true;
    }
    look_at(s, s->cand, 1, false);
    s->known = s->odd = 0;
    return false;
}

static void go_on(scout_state *s, const scout_cfg *cfg, bool win, unsigned cand)
{
    new_base(s, cfg, plan(s, win, cand) ? SCOUT_ST_BASE : SCOUT_ST_DONE);
}

/* SCT-8 */
static void search_again(scout_state *s, const scout_cfg *cfg)
{
    s->low = 0;
    s->top = s->nmax;
    s->refine = s->known = s->odd = 0;
    go_on(s, cfg, true, s->best);
}

static void act_watch(scout_state *s, const scout_cfg *cfg, uint8_t verdict)
{
    if (verdict == SCOUT_REJECT && s->odd) {
        search_again(s, cfg);
        return;
    }
    if (verdict == SCOUT_FULL) {
        s->base = s->acc;
        s->known = 1;
    } else {
        s->odd = verdict == SCOUT_REJECT;
    }
    begin_window(s);
}

/* How well the halves of a window agree: one part in 2^quiet. */
static uint8_t quiet_of(int64_t whole, int64_t half)
{
    const int64_t difference = whole - 2 * half, apart = difference < 0 ? -difference : difference;
    uint8_t quiet = 0;

    while (quiet < 7 && apart <= whole >> (quiet + 1))
        quiet++;
    return quiet;
}

static void act_base(scout_state *s, const scout_cfg *cfg)
{
    const uint32_t whole = s->acc;

    s->quiet = quiet_of(whole, s->base);
    s->base = whole;
    begin_window(s);
    if (s->credit >= 3 * whole / slices_of_window(s, cfg)) {
        s->state = SCOUT_ST_LOOK;
        s->settle = (uint8_t)cfg->settle;
    }
}

/* SCT-5: back to the old limit; what was counted at the candidate is the base of the comparison. */
static void go_back(scout_state *s, const scout_cfg *cfg)
{
    s->base = (uint32_t)((int32_t)s->base + acc_of(s, cfg));
    s->state = SCOUT_ST_BACK;
    s->settle = (uint8_t)cfg->settle;
    begin_window(s);
}

static void act_compared(scout_state *s, const scout_cfg *cfg, uint8_t verdict)
{
    const bool look = s->state == SCOUT_ST_LOOK;
    bool win = false;

    if (look)
        settle_account(s, cfg);
    if (verdict == SCOUT_OPEN && s->refine) {
        s->stage++;
        new_base(s, cfg, SCOUT_ST_BASE);
        return;
    }
    if (verdict == SCOUT_TAKE && look && cfg->back && s->cand < s->best && s->stage < 2) {
        go_back(s, cfg);
        return;
    }
    if (verdict == SCOUT_TAKE)
        win = take(s, cfg);
    else if (verdict == SCOUT_REJECT)
        reject(s);
    go_on(s, cfg, win, s->cand);
}

static void act_settled(scout_state *s, const scout_cfg *cfg)
{
    if (s->state == SCOUT_ST_LOOK)
        settle_account(s, cfg);
    s->settle = 0;
    s->half = SCOUT_UNCLEAR;
    begin_window(s);
}

static void act(scout_state *s, const scout_cfg *cfg)
{
    const uint8_t verdict = s->verdict;

    s->verdict = SCOUT_NONE;
    switch (verdict) {
    case SCOUT_NONE:
        if (s->settle)
            s->settle--;
        else
            s->index++;
        break;
    case SCOUT_SETTLED: act_settled(s, cfg); break;
    case SCOUT_HALF:
        s->index++;
        if (s->state == SCOUT_ST_BASE)
            s->base = s->acc;
        break;
    default:
        if (s->state == SCOUT_ST_DONE)
            act_watch(s, cfg, verdict);
        else if (s->state == SCOUT_ST_BASE)
            act_base(s, cfg);
        else
            act_compared(s, cfg, verdict);
    }
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
    set_acc(s, cfg, acc_of(s, cfg) + __builtin_popcount(in->issue_valid));
    if (++s->timer == cfg->slice) {
        s->timer = 0;
        s->step = SCOUT_OFF;
    }
}

/* What the base would have issued in a slice; the last one of a window has what the division left over. */
static void take_off(scout_state *s, const scout_cfg *cfg)
{
    const uint32_t slices = slices_of_window(s, cfg);
    uint32_t expected = s->base / slices;

    if (!s->settle && s->index == slices - 1)
        expected += s->base % slices;
    set_acc(s, cfg, acc_of(s, cfg) - (int32_t)expected);
}

static void slice(scout_state *s, const scout_cfg *cfg, const scout_in *in)
{
    switch (s->step) {
    case SCOUT_COUNT: count(s, cfg, in); break;
    case SCOUT_OFF:
        if (s->state == SCOUT_ST_LOOK)
            take_off(s, cfg);
        s->step = SCOUT_JUDGE;
        break;
    case SCOUT_JUDGE:
        s->verdict = judge(s, cfg);
        s->step = SCOUT_ACT;
        break;
    default:
        act(s, cfg);
        s->step = SCOUT_COUNT;
    }
}

static void show(const scout_state *s, scout_out *out)
{
    out->look = s->state == SCOUT_ST_LOOK;
    out->limit = out->look ? s->cand : s->best;
    out->done = s->state == SCOUT_ST_DONE;
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
