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

static inline int32_t scout_lost(const scout_state *s, const scout_cfg *cfg)
{
    return scout_acc_of(s, cfg) < 0 ? -scout_acc_of(s, cfg) : 0;
}

/* The window is whole: this judgement is its last. */
static inline bool scout_whole(const scout_state *s, const scout_cfg *cfg)
{
    return s->step == SCOUT_JUDGE && s->settle == 0 && s->index + 1u == cfg->window << 2 * s->stage;
}

static inline uint32_t scout_credit_after(const scout_state *s)
{
    const uint32_t credit = s->credit + (s->acc >> (s->first ? 3 : 7));

    return credit < SCOUT_CREDIT_MAX ? credit : SCOUT_CREDIT_MAX;
}

/* SCT-7: after a look. */
static inline uint32_t scout_credit_left(const scout_state *s, const scout_cfg *cfg)
{
    const int32_t credit = s->credit + scout_acc_of(s, cfg);

    return credit < 0 ? 0 : credit < SCOUT_CREDIT_MAX ? (uint32_t)credit : SCOUT_CREDIT_MAX;
}

/* SCT-7: what three slices issue at the best limit, as StepAct has it. */
static inline uint32_t scout_three_slices(const scout_state *s, const scout_cfg *cfg)
{
    return 3 * s->acc >> (scout_log2(cfg->window) + 2 * s->stage);
}

/* SCT-4: how much better than the margin a difference is, with fewer CTAs and with more; e is the doubt. */
static inline int32_t scout_doubt(const scout_state *s, const scout_cfg *cfg, uint32_t b)
{
    const unsigned by_stage = 4u + s->stage;

    return (int32_t)(s->stage == 3 ? 0 : b >> (cfg->doubt && s->quiet < by_stage ? s->quiet : by_stage));
}

static inline bool scout_better(const scout_state *s, const scout_cfg *cfg, int32_t d, uint32_t b)
{
    const int32_t m = (int32_t)(b >> cfg->margin), e = scout_doubt(s, cfg, b);

    return s->cand < s->best ? d + m >= e : d - m > e;
}

static inline bool scout_worse(const scout_state *s, const scout_cfg *cfg, int32_t d, uint32_t b)
{
    const int32_t m = (int32_t)(b >> cfg->margin), e = scout_doubt(s, cfg, b);

    return !scout_better(s, cfg, d, b) && (s->cand < s->best ? d + m < -e : d - m <= -e);
}

static inline uint8_t scout_class(const scout_state *s, const scout_cfg *cfg, int32_t d, uint32_t b)
{
    return scout_better(s, cfg, d, b) ? SCOUT_BETTER : scout_worse(s, cfg, d, b) ? SCOUT_WORSE : SCOUT_UNCLEAR;
}

/* What a look that has come to its end is worth. */
static inline uint8_t scout_worth(const scout_state *s, const scout_cfg *cfg)
{
    const uint8_t class = scout_class(s, cfg, scout_acc_of(s, cfg), s->base);

    if (s->stage == 3)
        return class == SCOUT_BETTER ? SCOUT_TAKE : SCOUT_REJECT;
    if (cfg->doubt && class != s->half)
        return SCOUT_OPEN;
    return class == SCOUT_BETTER ? SCOUT_TAKE : class == SCOUT_WORSE ? SCOUT_REJECT : SCOUT_OPEN;
}

/* SCT-5: the same after going back; the base has the look's count. */
static inline uint8_t scout_back_worth(const scout_state *s, const scout_cfg *cfg)
{
    return scout_better(s, cfg, (int32_t)(s->base - s->acc), s->acc) ? SCOUT_TAKE : SCOUT_OPEN;
}

static inline bool scout_gave_up(const scout_state *s, const scout_cfg *cfg)
{
    return s->settle == 0 && (s->stage == 0 || s->verify) && scout_lost(s, cfg) > (int32_t)(s->base >> (3 + 2 * s->stage));
}

static inline bool scout_far_apart(const scout_state *s)
{
    return (s->acc > s->base ? s->acc - s->base : s->base - s->acc) > s->base >> 2;
}

#define SCOUT_LOOK_JUDGED (SCOUT_RUNS && before->state == SCOUT_ST_LOOK && before->step == SCOUT_JUDGE)
#define SCOUT_IN_CREDIT (scout_lost(before, cfg) <= (int32_t)before->credit)
#define SCOUT_WATCHED (SCOUT_RUNS && before->state == SCOUT_ST_DONE && scout_whole(before, cfg) && before->known)
#define SCOUT_PAYS                                                                                                       \
    (before->state == SCOUT_ST_LOOK && before->step == SCOUT_ACT && before->verdict != SCOUT_NONE && before->verdict != SCOUT_HALF)
#define SCOUT_ALL_HOLD                                                                                                   \
    (SCOUT_SAME(acc) && SCOUT_SAME(base) && SCOUT_SAME(timer) && SCOUT_SAME(index) &&            \
     SCOUT_SAME(credit) && SCOUT_SAME(state) && SCOUT_SAME(step) && SCOUT_SAME(verdict) &&       \
     SCOUT_SAME(nmax) && SCOUT_SAME(best) && SCOUT_SAME(cand) && SCOUT_SAME(low) &&              \
     SCOUT_SAME(top) && SCOUT_SAME(refine) && SCOUT_SAME(verify) && SCOUT_SAME(first) &&         \
     SCOUT_SAME(known) && SCOUT_SAME(odd) && SCOUT_SAME(stage) && SCOUT_SAME(settle) &&          \
     SCOUT_SAME(quiet) && SCOUT_SAME(half))

#define BLOCK_PROPERTIES(P)                                                                                              \
    P(STATE, "SCT-6", "low < best <= top <= Nmax, or all are 0",                                                         \
      after->nmax ? after->low < after->best && after->best <= after->top && after->top <= after->nmax                   \
                  : after->low == 0 && after->best == 0 && after->top == 0)                                              \
    P(STATE, "SCT-7", "while a look counts, what it has lost is in the credit",                                          \
      after->state != SCOUT_ST_LOOK || after->step > SCOUT_OFF || scout_lost(after, cfg) <= (int32_t)after->credit)      \
    P(STEP, "SCT-3", "what loses more than an eighth of a shortest window is given up in that slice",                    \
      !SCOUT_LOOK_JUDGED || !SCOUT_IN_CREDIT ||                                                                          \
          (scout_gave_up(before, cfg) ? after->verdict == SCOUT_REJECT                                                   \
                                      : after->verdict != SCOUT_REJECT || scout_whole(before, cfg)))                     \
    P(STEP, "SCT-4", "fewer CTAs win if they are as good within the margin, more if they are better by more than it",    \
      !SCOUT_LOOK_JUDGED || !SCOUT_IN_CREDIT || scout_gave_up(before, cfg) || !scout_whole(before, cfg) ||               \
          after->verdict == scout_worth(before, cfg))                                                                    \
    P(STEP, "SCT-5", "in a short window fewer CTAs win only against the old limit before and after",                     \
      !SCOUT_RUNS || !cfg->back || after->best >= before->best || before->stage >= 2 || before->state == SCOUT_ST_BACK)  \
    P(STEP, "SCT-5", "after going back the look's count is compared with the one at the old limit",                      \
      !SCOUT_RUNS || before->state != SCOUT_ST_BACK || !scout_whole(before, cfg) ||                                      \
          after->verdict == scout_back_worth(before, cfg))                                                               \
    P(STEP, "SCT-6", "the best limit is one that was looked at, until a kernel starts",                                  \
      in->kernel_start || after->best == before->best || (after->best == before->cand && before->step == SCOUT_ACT))     \
    P(STEP, "SCT-7", "the credit grows by an eighth, and after the first CTA by a 128th, of a whole window at the best limit", \
      !SCOUT_RUNS || before->state != SCOUT_ST_BASE || !scout_whole(before, cfg) || after->credit == scout_credit_after(before)) \
    P(STEP, "SCT-7", "a look pays what it has lost, and earns what it has won; else the credit is what it was",          \
      !SCOUT_RUNS || (before->state == SCOUT_ST_BASE && scout_whole(before, cfg)) ||                                     \
          after->credit == (SCOUT_PAYS ? scout_credit_left(before, cfg) : before->credit))                               \
    P(STEP, "SCT-7", "a look begins where the credit has what three slices issue, and only there",                       \
      !SCOUT_RUNS || before->state != SCOUT_ST_BASE || before->step != SCOUT_ACT || before->verdict != SCOUT_FULL ||     \
          (after->state == SCOUT_ST_LOOK) == (before->credit >= scout_three_slices(before, cfg)))                        \
    P(STEP, "SCT-7", "a look that has lost more than the credit ends in that slice",                                     \
      !SCOUT_LOOK_JUDGED || SCOUT_IN_CREDIT || after->verdict == SCOUT_REJECT)                                           \
    P(STEP, "SCT-6", "a limit that a look has found worse is ruled out",                                                 \
      !SCOUT_RUNS || before->state != SCOUT_ST_LOOK || before->step != SCOUT_ACT || before->verdict != SCOUT_REJECT ||   \
          (before->cand < before->best ? after->low >= before->cand : after->top < before->cand))                        \
    P(STEP, "SCT-8", "a window is unlike the rate if it differs by more than a quarter",                                 \
      !SCOUT_WATCHED || after->verdict == (scout_far_apart(before) ? SCOUT_REJECT : SCOUT_TAKE))                         \
    P(STEP, "SCT-8", "a new search begins with the second such window in a row, from the limit that holds",              \
      !SCOUT_RUNS || before->state != SCOUT_ST_DONE || after->state == SCOUT_ST_DONE ||                                  \
          (before->odd && before->verdict == SCOUT_REJECT && after->best == before->best && after->low == 0 &&           \
           after->top == after->nmax))                                                                                   \
    P(EVERY, "contract", "without enable every register holds", in->enable || SCOUT_ALL_HOLD)
