/* SPDX-License-Identifier: Apache-2.0
 *
 * What is proved of scout's RTL in every run (tb/formal/properties.c, doc/verification/proofs.md).
 */
#define SCOUT_RUNS (in->enable && !in->kernel_start)
#define SCOUT_SAME(what) (before->what == after->what)

static inline unsigned scout_log2(uint32_t power)
{
    unsigned log = 0;

    while (log < 16 && power >> (log + 1))
        log++;
    return log;
}

static inline int32_t scout_acc_of(const scout_state *s, const scout_cfg *cfg)
{
    const uint32_t sign = UINT32_C(1) << scout_count_width(cfg);

    return (int32_t)((s->acc ^ sign) - sign);
}

/* The window is whole: this slice is its last. */
static inline bool scout_whole(const scout_state *s, const scout_cfg *cfg)
{
    return s->settle == 0 && s->index + 1u == cfg->window << 2 * s->stage;
}

/* What StepOff and StepRest take off a look's count. */
static inline uint32_t scout_share(const scout_state *s, const scout_cfg *cfg)
{
    const unsigned shift = scout_log2(cfg->window) + 2u * s->stage;

    if (s->step == SCOUT_OFF)
        return s->base >> shift;
    return scout_whole(s, cfg) ? s->base & ((UINT32_C(1) << shift) - 1) : 0;
}

static inline uint32_t scout_capped(int64_t credit)
{
    return credit < 0 ? 0 : credit < SCOUT_CREDIT_MAX ? (uint32_t)credit : SCOUT_CREDIT_MAX;
}

static inline int32_t scout_moved_by(const scout_state *before, const scout_state *after, const scout_cfg *cfg)
{
    return scout_acc_of(after, cfg) - scout_acc_of(before, cfg);
}

/* SCT-7: after a window at the best limit. */
static inline bool scout_earned(const scout_state *before, const scout_state *after)
{
    return after->credit == scout_capped((int64_t)before->credit + (before->base >> 3)) ||
           after->credit == scout_capped((int64_t)before->credit + (before->base >> 7));
}

/* SCT-7: the credit has what three slices issue at the rate of the base. More than it can have is put aside for the sum. */
static inline bool scout_lasts(const scout_state *s, const scout_cfg *cfg)
{
    return s->credit >= 3 * (s->base / (cfg->window << 2 * s->stage));
}

/* SCT-4: the base's count where the look's half or window ends, its margin, and the doubt. */
static inline int32_t scout_reference(const scout_state *s, const scout_cfg *cfg)
{
    return (int32_t)(scout_whole(s, cfg) ? s->base : s->base >> 1);
}

static inline int32_t scout_margin(const scout_state *s, const scout_cfg *cfg)
{
    return scout_reference(s, cfg) >> cfg->margin;
}

static inline int32_t scout_doubt(const scout_state *s, const scout_cfg *cfg)
{
    const unsigned by_stage = 4u + s->stage;

    return s->stage == 3 ? 0 : scout_reference(s, cfg) >> (cfg->doubt && s->quiet < by_stage ? s->quiet : by_stage);
}

/* How much a difference d is better than the margin and the doubt want, and worse than they allow. */
static inline bool scout_better(const scout_state *s, const scout_cfg *cfg, int32_t d)
{
    const int32_t m = scout_margin(s, cfg), e = scout_doubt(s, cfg);

    return s->cand < s->best ? d + m >= e : d - m > e;
}

static inline bool scout_worse(const scout_state *s, const scout_cfg *cfg, int32_t d)
{
    const int32_t m = scout_margin(s, cfg), e = scout_doubt(s, cfg);

    return !scout_better(s, cfg, d) && (s->cand < s->best ? d + m < -e : d - m <= -e);
}

/* The difference of a look in StepAbove and StepRestore, where the margin is in acc. */
static inline int32_t scout_difference(const scout_state *s, const scout_cfg *cfg)
{
    const int32_t acc = scout_acc_of(s, cfg), m = scout_margin(s, cfg);

    return s->cand < s->best ? acc - m : acc + m + 1;
}

/* In StepRestore arg has the margin that is in acc, of any slice: it takes that off, or adds it and one more. */
static inline int32_t scout_difference_then(const scout_state *s, const scout_cfg *cfg)
{
    const int32_t acc = scout_acc_of(s, cfg);

    return acc + (s->cand < s->best ? -(int32_t)(~s->arg & ((UINT32_C(1) << scout_count_width(cfg)) - 1)) : (int32_t)s->arg + 1);
}

static inline uint8_t scout_class(const scout_state *s, const scout_cfg *cfg)
{
    const int32_t d = scout_difference(s, cfg);

    return scout_better(s, cfg, d) ? SCOUT_BETTER : scout_worse(s, cfg, d) ? SCOUT_WORSE : SCOUT_UNCLEAR;
}

/* What a look that has come to its end, and has not been given up, is worth. */
static inline uint8_t scout_worth(const scout_state *s, const scout_cfg *cfg)
{
    const uint8_t class = scout_class(s, cfg);

    if (s->stage == 3)
        return class == SCOUT_BETTER ? SCOUT_TAKE : SCOUT_REJECT;
    if (cfg->doubt && class != s->half)
        return SCOUT_OPEN;
    return class == SCOUT_BETTER ? SCOUT_TAKE : class == SCOUT_WORSE ? SCOUT_REJECT : SCOUT_OPEN;
}

/* SCT-5: the same after going back, in StepAbove: acc has the old limit's count less the look's, less a margin and 1. */
static inline uint8_t scout_back_worth(const scout_state *s, const scout_cfg *cfg)
{
    const int32_t d = -(scout_acc_of(s, cfg) + scout_margin(s, cfg) + 1);

    return scout_better(s, cfg, d) ? SCOUT_TAKE : SCOUT_OPEN;
}

/* SCT-8, in StepRestore: acc is the window's count less the base's. */
static inline bool scout_far_apart(const scout_state *s, const scout_cfg *cfg)
{
    const int32_t acc = scout_acc_of(s, cfg);

    return (acc < 0 ? -acc : acc) > (int32_t)(s->base >> 2);
}

#define SCOUT_AT(what) (SCOUT_RUNS && before->step == SCOUT_##what)
#define SCOUT_LOOK_AT(what) (SCOUT_AT(what) && before->state == SCOUT_ST_LOOK)
#define SCOUT_BACK_AT(what) (SCOUT_AT(what) && before->state == SCOUT_ST_BACK)
#define SCOUT_DONE_AT(what) (SCOUT_AT(what) && before->state == SCOUT_ST_DONE)
#define SCOUT_OVERDRAWN (scout_acc_of(before, cfg) + (int32_t)before->credit < 0)
#define SCOUT_LOST_AN_EIGHTH (-scout_acc_of(before, cfg) > (int32_t)(before->base >> (3 + 2 * before->stage)))
/* The shortest windows, and the coarse search's look back at the limit before a win. */
#define SCOUT_SHORT (before->settle == 0 && (before->stage == 0 || !before->refine))
#define SCOUT_EARNS (SCOUT_AT(BRACKET) && before->state == SCOUT_ST_BASE && scout_whole(before, cfg))
#define SCOUT_PAYS (SCOUT_LOOK_AT(ACT) && before->verdict != SCOUT_NONE && before->verdict != SCOUT_HALF)
/* A limit has been decided on, and another one is next. */
#define SCOUT_NEXT_LIMIT                                                                                                 \
    (SCOUT_AT(ACT) && before->verdict >= SCOUT_TAKE && after->state == SCOUT_ST_BASE &&                                  \
     !(before->state != SCOUT_ST_DONE && before->verdict == SCOUT_OPEN && before->refine))
#define SCOUT_UPWARD (after->cand > after->best)
#define SCOUT_ALL_HOLD                                                                                                   \
    (SCOUT_SAME(acc) && SCOUT_SAME(arg) && SCOUT_SAME(one) && SCOUT_SAME(shift) && SCOUT_SAME(minus) && SCOUT_SAME(fewer) && SCOUT_SAME(above) && SCOUT_SAME(below) && SCOUT_SAME(base) && SCOUT_SAME(timer) && SCOUT_SAME(index) &&            \
     SCOUT_SAME(credit) && SCOUT_SAME(state) && SCOUT_SAME(step) && SCOUT_SAME(verdict) &&       \
     SCOUT_SAME(nmax) && SCOUT_SAME(best) && SCOUT_SAME(cand) && SCOUT_SAME(low) &&              \
     SCOUT_SAME(top) && SCOUT_SAME(refine) && SCOUT_SAME(first) &&                              \
     SCOUT_SAME(known) && SCOUT_SAME(odd) && SCOUT_SAME(stage) && SCOUT_SAME(settle) &&          \
     SCOUT_SAME(quiet) && SCOUT_SAME(half))

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "SCT-6", "low < best <= top <= Nmax, or all are 0, before a look ends",                                     \
      after->step >= SCOUT_ROOM ||                                                                                       \
          (after->nmax ? after->low < after->best && after->best <= after->top && after->top <= after->nmax              \
                       : after->low == 0 && after->best == 0 && after->top == 0))                                        \
    P(STATE, "SCT-7", "while a look counts, what it has lost is in the credit",                                          \
      after->state != SCOUT_ST_LOOK || after->step > SCOUT_OFF || -scout_acc_of(after, cfg) <= (int32_t)after->credit)   \
    P(STEP, "SCT-2", "what a cycle of a slice issues is counted in the next one, and nothing else",                      \
      !(SCOUT_AT(COUNT) || SCOUT_AT(LAST)) || before->state == SCOUT_ST_IDLE ||                                          \
          (scout_acc_of(after, cfg) - scout_acc_of(before, cfg) == (int32_t)before->arg &&                               \
           (before->step == SCOUT_LAST || after->arg == (uint32_t)__builtin_popcount(in->issue_valid))))                 \
    P(STEP, "SCT-2", "of a look's count each slice takes a slice of the base, and the last one the rest",                \
      !(SCOUT_LOOK_AT(OFF) || SCOUT_LOOK_AT(REST)) ||                                                                    \
          scout_acc_of(before, cfg) - scout_acc_of(after, cfg) == (int32_t)scout_share(before, cfg))                     \
    P(STEP, "SCT-7", "a look that has lost more than the credit ends in that slice",                                     \
      !SCOUT_LOOK_AT(ROWS) || !SCOUT_OVERDRAWN || after->verdict == SCOUT_REJECT)                                       \
    P(STEP, "SCT-3", "what loses more than an eighth of a shortest window is given up in that slice",                    \
      !SCOUT_LOOK_AT(PAUSE) || SCOUT_OVERDRAWN ||                                                                        \
          (after->verdict == SCOUT_REJECT) == (SCOUT_SHORT && SCOUT_LOST_AN_EIGHTH))                                     \
    P(STEP, "SCT-3", "the eighth is that of what a shortest window counts at the best limit",                            \
      !SCOUT_LOOK_AT(SPENT) || after->arg == before->base >> (3 + 2 * before->stage))                                    \
    P(STEP, "SCT-7", "a look that is given up or spent is ruled out, whatever the steps after it find",                  \
      !SCOUT_RUNS || before->state != SCOUT_ST_LOOK || before->verdict != SCOUT_REJECT || before->step == SCOUT_ACT ||   \
          after->verdict == SCOUT_REJECT)                                                                                \
    P(STEP, "SCT-4", "fewer CTAs win if they are as good within the margin, more if they are better by more than it",    \
      !SCOUT_LOOK_AT(RESTORE) || !scout_whole(before, cfg) || before->verdict == SCOUT_REJECT ||                           \
          after->verdict == scout_worth(before, cfg))                                                                    \
    P(STEP, "SCT-4", "a look that is worse is rejected as soon as that is known",                                        \
      !SCOUT_LOOK_AT(ABOVE) || !scout_whole(before, cfg) || before->verdict != SCOUT_NONE ||                             \
          (after->verdict == SCOUT_REJECT) == (scout_worth(before, cfg) == SCOUT_REJECT))                                \
    P(STEP, "SCT-4", "the first half of a look is better, worse or open by half of the base",                            \
      !SCOUT_LOOK_AT(RESTORE) || before->verdict != SCOUT_HALF || after->half == scout_class(before, cfg))                 \
    P(STEP, "SCT-4", "before the comparison a look of fewer CTAs is given the margin, one of more loses it and 1",       \
      !SCOUT_LOOK_AT(MARGIN) || !(scout_whole(before, cfg) || before->verdict == SCOUT_HALF) ||                          \
          scout_moved_by(before, after, cfg) ==                                                                          \
              (before->cand < before->best ? scout_margin(before, cfg) : -scout_margin(before, cfg) - 1))                \
    P(STEP, "SCT-4", "the doubt is the part of the base that its noise says, and no more than its stage allows",         \
      !SCOUT_LOOK_AT(MARGIN) || !(scout_whole(before, cfg) || before->verdict == SCOUT_HALF) ||                          \
          (int32_t)after->arg == scout_doubt(before, cfg))                                                               \
    P(STEP, "SCT-5", "after going back the look's count is taken off, and the margin and 1",                             \
      !(SCOUT_BACK_AT(OFF) || SCOUT_BACK_AT(MARGIN)) || !scout_whole(before, cfg) ||                                     \
          scout_moved_by(before, after, cfg) ==                                                                          \
              (before->step == SCOUT_OFF ? -(int32_t)before->base : -scout_margin(before, cfg) - 1))                     \
    P(STEP, "SCT-5", "margin and doubt are parts of the count at the old limit then",                                    \
      !SCOUT_BACK_AT(OFF) || !scout_whole(before, cfg) || (int32_t)after->base == scout_acc_of(before, cfg))             \
    P(STEP, "SCT-8", "the rate of the decision is taken off what a window counts, and no margin",                        \
      !(SCOUT_DONE_AT(OFF) || SCOUT_DONE_AT(MARGIN)) || !scout_whole(before, cfg) || !before->known ||                   \
          scout_moved_by(before, after, cfg) == (before->step == SCOUT_OFF ? -(int32_t)before->base : 0))                \
    P(STEP, "SCT-4", "the count of a look is what it was when it has been compared",                                     \
      !SCOUT_LOOK_AT(RESTORE) || scout_acc_of(after, cfg) == scout_difference_then(before, cfg))                         \
    P(STEP, "SCT-5", "in a short window fewer CTAs win only against the old limit before and after",                     \
      !SCOUT_RUNS || !cfg->back || after->best >= before->best || before->stage >= 2 || before->state == SCOUT_ST_BACK)  \
    P(STEP, "SCT-5", "after going back the look's count is compared with the one at the old limit",                      \
      !SCOUT_AT(ABOVE) || before->state != SCOUT_ST_BACK || !scout_whole(before, cfg) ||                                 \
          after->verdict == scout_back_worth(before, cfg))                                                               \
    P(STEP, "SCT-6", "the best limit is one that was looked at, until a kernel starts",                                  \
      in->kernel_start || after->best == before->best || (after->best == before->cand && before->step == SCOUT_ACT))     \
    P(STEP, "SCT-7", "the credit grows by an eighth, and after the first CTA by a 128th, of a whole window at the best limit", \
      !SCOUT_EARNS || scout_earned(before, after))                                                                       \
    P(STEP, "SCT-7", "it is an eighth until the first CTA has finished",                                                 \
      !SCOUT_AT(ABOVE) || before->state != SCOUT_ST_BASE || after->shift == (after->first ? 3 : 7))     \
    P(STEP, "SCT-7", "a look pays what it has lost, and earns what it has won; else the credit is what it was",          \
      !SCOUT_RUNS || SCOUT_EARNS ||                                                                                      \
          after->credit == (SCOUT_PAYS ? scout_capped(scout_acc_of(before, cfg)) : before->credit)) \
    P(STEP, "SCT-7", "to what a look has lost or won the credit is added where it is settled",                           \
      !SCOUT_LOOK_AT(ROOM) || before->verdict == SCOUT_NONE || before->verdict == SCOUT_HALF ||                          \
          scout_moved_by(before, after, cfg) == (int32_t)before->credit)                                                 \
    P(STEP, "SCT-7", "it is a part of the whole window's count",                                                         \
      !SCOUT_AT(RESTORE) || before->state != SCOUT_ST_BASE || after->arg == before->base >> before->shift)               \
    P(STEP, "SCT-7", "a look begins where the credit has what three slices issue, and only there",                       \
      !SCOUT_AT(ACT) || before->state != SCOUT_ST_BASE ||                                                                \
          (after->state == SCOUT_ST_LOOK ? scout_whole(before, cfg) && (scout_lasts(before, cfg) || before->credit == SCOUT_CREDIT_MAX) \
                                         : !scout_whole(before, cfg) || !scout_lasts(before, cfg)))                      \
    P(STEP, "SCT-6", "a limit that a look has found worse is ruled out",                                                 \
      !SCOUT_LOOK_AT(BRACKET) || before->verdict != SCOUT_REJECT ||                                                      \
          (before->cand < before->best ? after->low >= before->cand : after->top < before->cand))                        \
    P(STEP, "SCT-11", "refining, a look upward after a decision in stage 2 or 3 begins in stage 1, any other in stage 0", \
      !SCOUT_NEXT_LIMIT || !after->refine || after->stage == (SCOUT_UPWARD && before->stage >= 2))                       \
    P(STEP, "SCT-6", "the coarse search looks down in stage 0, and at the limit before a win in stage 1",                \
      !SCOUT_NEXT_LIMIT || after->refine || after->stage == SCOUT_UPWARD)                                                \
    P(STEP, "SCT-8", "a window is unlike the rate if it differs by more than a quarter",                                 \
      !SCOUT_AT(RESTORE) || before->state != SCOUT_ST_DONE || !scout_whole(before, cfg) || !before->known ||               \
          after->verdict == (scout_far_apart(before, cfg) ? SCOUT_REJECT : SCOUT_TAKE))                                  \
    P(STEP, "SCT-8", "a new search begins with the second such window in a row, from the limit that holds",              \
      !SCOUT_RUNS || before->state != SCOUT_ST_DONE || after->state == SCOUT_ST_DONE ||                                  \
          (before->odd && before->verdict == SCOUT_REJECT && after->best == before->best && after->low == 0 &&           \
           after->top == after->nmax))                                                                                   \
    P(EVERY, "contract", "without enable every register holds", in->enable || SCOUT_ALL_HOLD)
