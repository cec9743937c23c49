/* SPDX-License-Identifier: Apache-2.0
 *
 * What perfsat's rules remember of a run, from its inputs and its limit alone (rules/rules.h): One_TB, the sample under way, the
 * sample that it is compared with, what the samples before said of the direction, and what the last cycle decided.
 */
#ifndef BALLAST_PERFSAT_HISTORY_H
#define BALLAST_PERFSAT_HISTORY_H

#include "common/popcount.h"

enum perfsat_phase { PERFSAT_NO_CTA, PERFSAT_ONE_TB, PERFSAT_SEARCH, PERFSAT_CONVERGED };

/* What was decided in the cycle before. */
enum perfsat_cause {
    PERFSAT_NOTHING,
    PERFSAT_STARTS,      /* PS-5  */
    PERFSAT_COMPARES,    /* PS-8  */
    PERFSAT_AGREES,      /* PS-9  */
    PERFSAT_TURNS_DOWN,  /* PS-10 */
    PERFSAT_DISAGREES,   /* PS-11 */
    PERFSAT_TURNS_UP,    /* PS-12 */
    PERFSAT_UNDECIDED,   /* PS-12: too many turns */
    PERFSAT_WALKS_UP,    /* PS-13 */
    PERFSAT_WALKS_DOWN,
    PERFSAT_DOUBTS,      /* PS-14 */
    PERFSAT_RECOVERS,    /* PS-16 */
    PERFSAT_BACK_DOWN,   /* PS-15, PS-16: the limit before was the best, */
    PERFSAT_BACK_UP,     /* on the way up, on the way down               */
    PERFSAT_AT_MOST,     /* PS-17 */
    PERFSAT_AT_LEAST,
    PERFSAT_CAUSES
};

typedef struct perfsat_history {
    uint32_t one_tb;       /* cycles from the first launch to the first CTA that finishes */
    uint32_t length;       /* cycles of a sample                                        */
    uint32_t cycles, stalled; /* of this sample so far                                  */
    uint32_t prev;         /* stalled cycles of the sample to compare with              */
    uint8_t phase;         /* enum perfsat_phase                                        */
    uint8_t cause;         /* enum perfsat_cause                                        */
    uint8_t nmax, limit;   /* the limit in the cycle before                             */
    uint8_t settled;       /* this sample has begun                                     */
    uint8_t first;         /* there is no sample to compare with yet                    */
    uint8_t up;            /* more CTAs are considered, not fewer                       */
    uint8_t decided;       /* D: that way is the right one                              */
    uint8_t strong;        /* the last sample was better                                */
    uint8_t agreed;        /* H: one sample agreed                                      */
    uint8_t turns;         /* PS-12, PS-16                                              */
    uint8_t spare;         /* no padding: rules/rules.h                                 */
} perfsat_history;

static inline void perfsat_history_reset(perfsat_history *h, const perfsat_cfg *cfg)
{
    (void)cfg;
    *h = (perfsat_history){.phase = PERFSAT_NO_CTA};
}

static inline uint32_t perfsat_most(const perfsat_cfg *cfg)
{
    return (uint32_t)((UINT64_C(1) << cfg->count_w) - 1);
}

/* PS-6: One_TB x Nmax, as far as it can be counted. No solver multiplies: what is remembered adds Nmax in each cycle of One_TB. */
static inline uint32_t perfsat_length_of(const perfsat_history *h, const perfsat_cfg *cfg)
{
    uint64_t product = 0;

    for (unsigned n = 1; n <= cfg->num_slots; n++)
        product = h->nmax == n ? (uint64_t)h->one_tb * n : product;
    return product < perfsat_most(cfg) ? (uint32_t)product : perfsat_most(cfg);
}

/* PS-4, PS-A2. */
static inline bool perfsat_improves(const perfsat_history *h, const perfsat_cfg *cfg)
{
    return h->stalled < h->prev || (h->stalled == h->prev && (cfg->tie == 1 || (cfg->tie == 0 && !h->up)));
}

/* ---- decisions --------------------------------------------------------------------------- */

static inline void perfsat_ends(perfsat_history *h, enum perfsat_cause cause)
{
    h->cause = (uint8_t)cause;
    h->phase = PERFSAT_CONVERGED;
}

/* PS-12, PS-16: one turn more; false when that is one too many. PS-A7: `back` makes a pair. */
static inline bool perfsat_turns(perfsat_history *h, const perfsat_cfg *cfg, bool back)
{
    const bool counts = !cfg->toggle_pairs || back;

    if (counts && h->turns >= cfg->toggle_limit)
        return false;
    h->turns = (uint8_t)(h->turns + counts);
    return true;
}

static inline void perfsat_walks(perfsat_history *h)
{
    const bool bound = h->limit == (h->up ? h->nmax : 1);

    h->prev = h->stalled;
    h->strong = 1;
    h->agreed = 0;
    if (bound)
        perfsat_ends(h, h->up ? PERFSAT_AT_MOST : PERFSAT_AT_LEAST);
    else
        h->cause = h->up ? PERFSAT_WALKS_UP : PERFSAT_WALKS_DOWN;
}

/* PS-9 to PS-12: the direction is open. */
static inline void perfsat_looks_for_a_way(perfsat_history *h, const perfsat_cfg *cfg)
{
    const bool agrees_again = h->agreed || (!h->up && cfg->wd_confirm == 1);

    if (perfsat_improves(h, cfg)) {
        if (agrees_again) {
            h->decided = 1;
            h->turns = 0; /* PS-A8 */
            perfsat_walks(h);
        } else {
            h->agreed = 1;
            h->cause = PERFSAT_AGREES;
        }
    } else if (h->agreed && !cfg->weak_revert) {
        h->agreed = 0;
        h->cause = PERFSAT_DISAGREES;
    } else if (!perfsat_turns(h, cfg, !h->up)) {
        perfsat_ends(h, PERFSAT_UNDECIDED);
    } else {
        h->cause = h->up ? PERFSAT_TURNS_DOWN : PERFSAT_TURNS_UP;
        h->agreed = (uint8_t)(h->up ? 0 : cfg->toggle_hist);
        h->up = !h->up;
        h->prev = h->stalled;
    }
}

/* PS-13 to PS-17: the way is decided. */
static inline void perfsat_goes_its_way(perfsat_history *h, const perfsat_cfg *cfg)
{
    const enum perfsat_cause back = h->up ? PERFSAT_BACK_DOWN : PERFSAT_BACK_UP;
    const bool better = perfsat_improves(h, cfg);

    /* NOLINTNEXTLINE(bugprone-branch-clone): a rule each */
    if (h->strong && better) {
        perfsat_walks(h);
        /* NOLINTNEXTLINE(bugprone-branch-clone): PS-15 and PS-16 */
    } else if (!h->strong && !better) {
        perfsat_ends(h, back);
    } else if (!perfsat_turns(h, cfg, !h->strong)) {
        perfsat_ends(h, back);
    } else if (better && cfg->recover_n) {
        perfsat_walks(h);
    } else { /* the sample that it is compared with stays */
        h->strong = better;
        h->cause = better ? PERFSAT_RECOVERS : PERFSAT_DOUBTS;
    }
}

static inline void perfsat_judges(perfsat_history *h, const perfsat_cfg *cfg)
{
    if (h->first) {
        h->first = 0;
        h->prev = h->stalled;
        h->cause = PERFSAT_COMPARES;
    } else if (h->decided) {
        perfsat_goes_its_way(h, cfg);
    } else {
        perfsat_looks_for_a_way(h, cfg);
    }
    h->cycles = h->stalled = h->settled = 0;
}

/* ---- a cycle ------------------------------------------------------------------------------ */

/* PS-A12. */
static inline bool perfsat_sample_runs(const perfsat_history *h, const perfsat_cfg *cfg, const perfsat_in *in, unsigned limit)
{
    const unsigned active = ballast_popcount64(in->cta_active);

    return cfg->settle == 0 || h->settled || (cfg->settle == 1 ? active <= limit : active == limit);
}

static inline void perfsat_takes_kernel(perfsat_history *h, const perfsat_in *in)
{
    *h = (perfsat_history){.nmax = in->nmax, .limit = h->limit, .cause = PERFSAT_STARTS, .first = 1, .up = 1};
    h->phase = in->nmax == 1 ? PERFSAT_CONVERGED : in->nmax && in->cta_start ? PERFSAT_ONE_TB : PERFSAT_NO_CTA;
}

static inline void perfsat_remember(perfsat_history *h, const perfsat_cfg *cfg, const perfsat_in *in, const perfsat_out *out)
{
    h->cause = PERFSAT_NOTHING;
    h->limit = out->limit;
    if (!in->enable)
        return;
    if (in->kernel_start) {
        perfsat_takes_kernel(h, in);
    } else if (h->phase == PERFSAT_NO_CTA && in->cta_start && h->nmax) {
        h->phase = PERFSAT_ONE_TB;
    } else if (h->phase == PERFSAT_ONE_TB) {
        h->one_tb += h->one_tb < perfsat_most(cfg);
        h->length = (uint64_t)h->length + h->nmax > perfsat_most(cfg) ? perfsat_most(cfg) : h->length + h->nmax;
        h->phase = in->cta_done ? PERFSAT_SEARCH : PERFSAT_ONE_TB;
    } else if (h->phase == PERFSAT_SEARCH && perfsat_sample_runs(h, cfg, in, out->limit)) {
        h->cycles++;
        h->stalled += in->ps_class == BALLAST_PS_SCOREBOARD || in->ps_class == BALLAST_PS_PIPELINE; /* PS-3 */
        h->settled = cfg->settle != 0;
        if (h->cycles == h->length)
            perfsat_judges(h, cfg);
    }
}

/* ---- what follows from it ----------------------------------------------------------------- */

static inline unsigned perfsat_n0(const perfsat_history *h)
{
    return (h->nmax + 1u) / 2;
}

static inline unsigned perfsat_limit_now(const perfsat_history *h)
{
    switch (h->cause) {
    case PERFSAT_STARTS: return perfsat_n0(h);
    case PERFSAT_UNDECIDED: return perfsat_n0(h) + 1;
    case PERFSAT_COMPARES:
    case PERFSAT_TURNS_UP:
    case PERFSAT_WALKS_UP:
    case PERFSAT_BACK_UP: return h->limit + 1u;
    case PERFSAT_TURNS_DOWN:
    case PERFSAT_WALKS_DOWN:
    case PERFSAT_BACK_DOWN: return h->limit - 1u;
    case PERFSAT_AT_MOST: return h->nmax;
    case PERFSAT_AT_LEAST: return 1;
    default: return h->limit;
    }
}

/* ---- the registers that go with it -------------------------------------------------------- */

static inline uint8_t perfsat_phase_of(const perfsat_state *s)
{
    switch (s->state) {
    case PERFSAT_WAIT: return PERFSAT_NO_CTA;
    case PERFSAT_MEASURE: return PERFSAT_ONE_TB;
    case PERFSAT_DONE: return PERFSAT_CONVERGED;
    default: return PERFSAT_SEARCH;
    }
}

static inline void perfsat_recall_sample(perfsat_history *h, const perfsat_state *s)
{
    h->cycles = s->period - s->timer;
    h->stalled = s->stalled;
    h->settled = s->settled;
    h->first = s->state == PERFSAT_FIRST;
    h->up = h->first || s->state == PERFSAT_WEAK_INC || s->state == PERFSAT_STRONG_INC;
    h->strong = s->state == PERFSAT_STRONG_INC || s->state == PERFSAT_STRONG_DEC;
    h->prev = h->first ? 0 : s->prev;
}

#define BLOCK_RECALLS
static inline void perfsat_recall(perfsat_history *h, const perfsat_state *s, const perfsat_cfg *cfg)
{
    (void)cfg;
    h->phase = perfsat_phase_of(s);
    h->nmax = s->nmax;
    if (h->phase == PERFSAT_CONVERGED)
        return;
    h->length = s->period;
    h->turns = s->toggles;
    h->decided = s->direction;
    h->agreed = s->history;
    if (h->phase == PERFSAT_SEARCH)
        perfsat_recall_sample(h, s);
}

/* Nothing is known of the kernel's samples yet. */
static inline bool perfsat_begins(const perfsat_history *h)
{
    return h->first == 1 && h->up == 1 && !h->strong && !h->decided && !h->agreed && !h->turns && !h->prev;
}

static inline bool perfsat_coupled(const perfsat_history *h, const perfsat_state *s, const perfsat_cfg *cfg)
{
    const bool limit = s->limit == perfsat_limit_now(h) && h->cause < PERFSAT_CAUSES;

    (void)cfg;
    switch (h->phase) {
    case PERFSAT_CONVERGED: return limit;
    case PERFSAT_SEARCH:
        return limit && h->cycles < h->length && h->stalled <= h->cycles && h->strong <= h->decided &&
               (!h->first || perfsat_begins(h));
    default: break;
    }
    return limit && (h->phase == PERFSAT_ONE_TB || h->length == 0) && !h->cycles && !h->stalled && !h->settled && !s->settled &&
           (perfsat_begins(h) || h->nmax == 0);
}

/* ---- the rules ---------------------------------------------------------------------------- */

#define PERFSAT_AFTER(cause_, limit_) (was->cause != (cause_) || out->limit == (limit_))
#define PERFSAT_SAMPLES_NOW                                                                      \
    (in->enable && !in->kernel_start && was->phase == PERFSAT_SEARCH && perfsat_sample_runs(was, cfg, in, out->limit))

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "PS-5", "a kernel starts with half of Nmax, rounded up", PERFSAT_AFTER(PERFSAT_STARTS, perfsat_n0(was)))      \
    H(RUN, "PS-6", "a sample ends where One_TB x Nmax of its cycles are over, the last one included",                    \
      out->sample_end == (PERFSAT_SAMPLES_NOW && was->cycles + 1 == was->length))                                        \
    H(TEST, "PS-6", "this length is One_TB x Nmax, or as much as can be counted",                                        \
      was->phase != PERFSAT_SEARCH || was->length == perfsat_length_of(was, cfg))                                        \
    H(RUN, "PS-7", "nothing moves where no sample has ended and no kernel has started",                                  \
      PERFSAT_AFTER(PERFSAT_NOTHING, was->limit))                                                                        \
    H(RUN, "PS-8", "the first sample: one CTA more, to compare with", PERFSAT_AFTER(PERFSAT_COMPARES, was->limit + 1u))  \
    H(RUN, "PS-9", "the first sample that agrees moves nothing", PERFSAT_AFTER(PERFSAT_AGREES, was->limit))              \
    H(RUN, "PS-10", "undecided, a sample that is not better turns the walk down: one CTA fewer",                         \
      PERFSAT_AFTER(PERFSAT_TURNS_DOWN, was->limit - 1u))                                                                \
    H(RUN, "PS-11", "a sample that does not agree with the one before moves nothing", PERFSAT_AFTER(PERFSAT_DISAGREES, was->limit)) \
    H(RUN, "PS-12", "undecided, on the way down, a sample that is not better turns the walk up: one CTA more",           \
      PERFSAT_AFTER(PERFSAT_TURNS_UP, was->limit + 1u))                                                                  \
    H(RUN, "PS-12", "more turns than ToggleLimit, undecided: the search ends at N0 + 1",                                 \
      PERFSAT_AFTER(PERFSAT_UNDECIDED, perfsat_n0(was) + 1))                                                             \
    H(RUN, "PS-13", "decided, on the way up: a better sample, one CTA more", PERFSAT_AFTER(PERFSAT_WALKS_UP, was->limit + 1u)) \
    H(RUN, "PS-13", "decided, on the way down: a better sample, one CTA fewer", PERFSAT_AFTER(PERFSAT_WALKS_DOWN, was->limit - 1u)) \
    H(RUN, "PS-14", "decided, a sample that is not better is looked at again", PERFSAT_AFTER(PERFSAT_DOUBTS, was->limit)) \
    H(RUN, "PS-16", "decided, a better sample after a doubt goes on", PERFSAT_AFTER(PERFSAT_RECOVERS, was->limit))       \
    H(RUN, "PS-15", "no better sample twice, or too many turns, on the way up: the limit before was the best",           \
      PERFSAT_AFTER(PERFSAT_BACK_DOWN, was->limit - 1u))                                                                 \
    H(RUN, "PS-15", "no better sample twice, or too many turns, on the way down: the limit before was the best",         \
      PERFSAT_AFTER(PERFSAT_BACK_UP, was->limit + 1u))                                                                   \
    H(RUN, "PS-17", "a walk up ends at Nmax", PERFSAT_AFTER(PERFSAT_AT_MOST, was->nmax))                                 \
    H(RUN, "PS-17", "a walk down ends at one CTA", PERFSAT_AFTER(PERFSAT_AT_LEAST, 1))                                   \
    H(RUN, "PS-17", "the search is over where one of these ended it, or with Nmax 1 at once, until the next kernel",     \
      out->done == (was->phase == PERFSAT_CONVERGED))

#endif
