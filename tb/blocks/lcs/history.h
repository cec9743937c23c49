/* SPDX-License-Identifier: Apache-2.0
 *
 * What lcs' rules remember of a run, from its inputs and its limit alone (rules/rules.h): the instructions of each CTA slot until
 * the first CTA finishes, Eq. 1 of them, and what the last cycle decided.
 */
#ifndef BALLAST_LCS_HISTORY_H
#define BALLAST_LCS_HISTORY_H

enum lcs_phase { LCS_NO_KERNEL, LCS_COUNTS, LCS_ADDS, LCS_DIVIDES, LCS_KNOWS };
enum lcs_cause { LCS_NOTHING, LCS_STARTS, LCS_BROADCAST };

typedef struct lcs_history {
    uint64_t total;                   /* instructions of the slots added so far */
    uint32_t inst[BALLAST_MAX_SLOTS]; /* instructions of a slot                 */
    uint32_t max;                     /* the most of one slot                   */
    uint8_t phase;                    /* enum lcs_phase                         */
    uint8_t cause;                    /* enum lcs_cause, of the cycle before    */
    uint8_t nmax;                     /* T_max                                  */
    uint8_t added;                    /* cycles since the first finish          */
    uint8_t quotient;                 /* how often the most goes into the total */
    uint8_t left;                     /* cycles until T_new is known            */
    uint8_t limit;                    /* what the limit was in the cycle before; or, where it was heard, what it was fixed at */
    uint8_t half;                     /* a count was half full before the cycle before */
    uint8_t spare[4];                 /* no padding: rules/rules.h              */
} lcs_history;

static inline void lcs_history_reset(lcs_history *h, const lcs_cfg *cfg)
{
    (void)cfg;
    *h = (lcs_history){.phase = LCS_NO_KERNEL};
}

/* ---- LCS-1: counting ---------------------------------------------------------------------- */

/* A count that is half full ends all counting. It is so from the second cycle on after the one that has filled it. */
static inline bool lcs_half(const lcs_history *h, const lcs_cfg *cfg)
{
    bool half = false;

    for (unsigned slot = 0; slot < cfg->num_slots; slot++)
        half |= h->inst[slot] >= UINT64_C(1) << cfg->count_w >> 1;
    return half;
}

static inline void lcs_count(lcs_history *h, const lcs_cfg *cfg, const lcs_in *in)
{
    unsigned width = 1;

    while (cfg->num_slots > 1u << width)
        width++;
    for (unsigned slot = 0; slot < cfg->num_slots; slot++)
        for (unsigned lane = 0; lane < cfg->issue_width; lane++) {
            const bool issues = in->issue_valid >> lane & 1;

            h->inst[slot] += issues && (in->issue_slot >> lane * width & ((1u << width) - 1)) == slot;
        }
}

/* ---- LCS-2, LCS-3: Eq. 1 ------------------------------------------------------------------- */

static inline uint64_t lcs_times(const lcs_history *h, const lcs_cfg *cfg, unsigned times)
{
    uint64_t product = 0;

    for (unsigned n = 1; n <= cfg->num_slots + 1; n++)
        product = times == n ? (uint64_t)h->max * n : product;
    return product;
}

static inline unsigned lcs_quotient_of(const lcs_history *h, const lcs_cfg *cfg)
{
    unsigned quotient = 0;

    for (unsigned n = 1; n <= cfg->num_slots; n++)
        quotient += h->max != 0 && n <= h->nmax && (uint64_t)h->max * n <= h->total;
    return quotient;
}

/* A slot in each cycle, 0 to T_max - 1; the last count is in two cycles later. */
static inline void lcs_add(lcs_history *h, const lcs_cfg *cfg)
{
    const uint32_t count = h->added < h->nmax ? h->inst[h->added % BALLAST_MAX_SLOTS] : 0;

    h->total += count;
    h->max = count > h->max ? count : h->max;
    h->added++;
    if (h->added == h->nmax + 2) {
        h->phase = LCS_DIVIDES;
        h->quotient = (uint8_t)lcs_quotient_of(h, cfg);
        h->left = (uint8_t)(h->quotient + 1u);
    }
}

/* ---- a cycle -------------------------------------------------------------------------------- */

static inline unsigned lcs_clamped(unsigned limit, unsigned nmax)
{
    return limit < 1 ? 1 : limit > nmax ? nmax : limit;
}

/* The instructions of the cycle in which a CTA finishes count. */
static inline void lcs_measures(lcs_history *h, const lcs_cfg *cfg, const lcs_in *in)
{
    const bool half = lcs_half(h, cfg);

    if (!h->half && !in->listen)
        lcs_count(h, cfg, in);
    h->half = half;
    h->phase = in->cta_done && !in->listen ? LCS_ADDS : LCS_COUNTS;
}

static inline void lcs_hears(lcs_history *h, unsigned limit)
{
    h->cause = LCS_BROADCAST;
    h->limit = (uint8_t)lcs_clamped(limit, h->nmax);
    h->phase = LCS_KNOWS;
}

static inline void lcs_remember(lcs_history *h, const lcs_cfg *cfg, const lcs_in *in, const lcs_out *out)
{
    h->cause = LCS_NOTHING;
    h->limit = out->limit;
    if (!in->enable)
        return;
    if (in->kernel_start) { /* LCS-5 */
        *h = (lcs_history){.nmax = in->nmax, .limit = in->nmax, .cause = LCS_STARTS};
        h->phase = in->nmax > 1 ? LCS_COUNTS : in->nmax ? LCS_KNOWS : LCS_NO_KERNEL;
    } else if (h->phase == LCS_COUNTS && in->listen && in->bcast_valid) { /* LCS-6 */
        lcs_hears(h, in->bcast_limit);
    } else if (h->phase == LCS_COUNTS) {
        lcs_measures(h, cfg, in);
    } else if (h->phase == LCS_ADDS) {
        lcs_add(h, cfg);
    } else if (h->phase == LCS_DIVIDES && !out->done) {
        h->left--;
    } else if (h->phase == LCS_DIVIDES) { /* has been told to the other SMs */
        h->phase = LCS_KNOWS;
    }
}

/* ---- the registers that go with it ---------------------------------------------------------- */

static inline uint8_t lcs_phase_of(const lcs_state *s)
{
    switch (s->state) {
    case LCS_ST_IDLE: return LCS_NO_KERNEL;
    case LCS_ST_MONITOR: return s->finish ? LCS_ADDS : LCS_COUNTS;
    case LCS_ST_GATHER: return LCS_ADDS;
    case LCS_ST_DIVIDE: return LCS_DIVIDES;
    default: return s->decided ? LCS_DIVIDES : LCS_KNOWS; /* until it has been told */
    }
}

/* What the counts are is not told: no solver shows Eq. 1 in a few minutes. The rules about it are tested. */
#define BLOCK_RECALLS
static inline void lcs_recall(lcs_history *h, const lcs_state *s, const lcs_cfg *cfg)
{
    (void)cfg;
    h->phase = lcs_phase_of(s);
    h->nmax = s->nmax;
    if (h->phase == LCS_COUNTS)
        h->added = 0;
    if (h->phase == LCS_ADDS)
        h->added = s->state == LCS_ST_GATHER ? s->index + 1u : 0;
}

static inline bool lcs_coupled(const lcs_history *h, const lcs_state *s, const lcs_cfg *cfg)
{
    (void)cfg;
    return (s->limit == h->limit || (s->decided && h->cause == LCS_NOTHING)) && h->cause <= LCS_BROADCAST && s->state <= LCS_ST_LAZY &&
           (h->cause != LCS_STARTS || h->limit == h->nmax);
}

/* ---- the rules ------------------------------------------------------------------------------ */

/* In the cycle after the one that has fixed T_new, until it has been told. */
#define LCS_FIXED (was->phase == LCS_DIVIDES && out->done)
#define LCS_ROUNDS(mode) (LCS_FIXED && was->max != 0 && cfg->round_mode == (mode))
#define LCS_REST (was->total - lcs_times(was, cfg, was->quotient))

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "LCS-5", "a kernel starts with T_max", was->cause != LCS_STARTS || out->limit == was->nmax)                   \
    H(TEST, "LCS-2", "T_new is known T_max + quotient + 4 cycles after the first CTA has finished",                       \
      was->phase != LCS_DIVIDES || out->done == (was->left == 0))                                                        \
    H(TEST, "LCS-2", "floor: T_new maxima are in the sum of slots 0 to T_max - 1, T_new + 1 are not",                     \
      !LCS_ROUNDS(LCS_ROUND_FLOOR) || out->limit == was->quotient)                                                       \
    H(TEST, "LCS-3", "ceil: one more if anything is left", !LCS_ROUNDS(LCS_ROUND_CEIL) || out->limit == was->quotient + (LCS_REST != 0)) \
    H(TEST, "LCS-3", "nearest: one more if half a maximum is left, or more",                                              \
      !LCS_ROUNDS(LCS_ROUND_NEAREST) || out->limit == was->quotient + (2 * LCS_REST >= was->max))                        \
    H(TEST, "LCS-7", "nothing was issued: T_new is T_max", !(LCS_FIXED && was->max == 0) || out->limit == was->nmax)      \
    H(RUN, "LCS-6", "T_new is told once, with the first enabled cycle in which it is the limit",                          \
      out->t_new_valid == (in->enable && LCS_FIXED) && out->t_new == (out->t_new_valid ? out->limit : 0))                 \
    H(RUN, "LCS-6", "a broadcast is the limit from the next cycle on, but 1 at least and T_max at most",                 \
      was->cause != LCS_BROADCAST || out->limit == was->limit)                                                           \
    H(RUN, "LCS-4", "nothing else moves the limit", was->cause != LCS_NOTHING || LCS_FIXED || out->limit == was->limit)   \
    H(RUN, "LCS-8", "T_new is known once it is fixed, heard, or T_max is 1",                                              \
      was->phase == LCS_DIVIDES || out->done == (was->phase == LCS_KNOWS))                                                \
    H(RUN, "LCS-4", "CTAs above T_new are paused, if they are not drained", out->pause == (cfg->throttle && out->done))

#endif
