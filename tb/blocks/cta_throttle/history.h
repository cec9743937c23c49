/* SPDX-License-Identifier: Apache-2.0
 *
 * What cta_throttle's rules remember of a run, from its inputs and outputs alone (rules/rules.h): the decisions since the last
 * action, numBlocks and the CTA that it waits for, in which order the CTAs came, and what the last cycle means for the mask.
 */
#ifndef BALLAST_CTA_THROTTLE_HISTORY_H
#define BALLAST_CTA_THROTTLE_HISTORY_H

#include "common/popcount.h"

enum { CTA_THROTTLE_MOST_EPOCHS = 7 };
enum { CTA_THROTTLE_STAY, CTA_THROTTLE_DOWN, CTA_THROTTLE_UP };
/* What becomes of the mask: nobody is paused, all stay as they are, one more is paused, one is resumed. */
enum { CTA_THROTTLE_NONE, CTA_THROTTLE_KEEP, CTA_THROTTLE_PAUSE, CTA_THROTTLE_RESUME };

typedef struct cta_throttle_history {
    uint32_t later[BALLAST_MAX_SLOTS]; /* bit j of row i: the CTA of slot i was launched after that of slot j */
    uint32_t kept, running;            /* of the cycle before: paused CTAs that stay, CTAs that run            */
    uint8_t mask;                      /* what that cycle means for the mask                                   */
    uint8_t last[CTA_THROTTLE_MOST_EPOCHS]; /* decisions since an action, the newest first */
    uint8_t nmax, blocks, waits;       /* of the kernel, numBlocks, an increase waits for its CTA */
} cta_throttle_history;

static inline void cta_throttle_history_reset(cta_throttle_history *h, const cta_throttle_cfg *cfg)
{
    *h = (cta_throttle_history){.mask = CTA_THROTTLE_NONE};
    for (unsigned i = 0; i < cfg->num_slots; i++) /* the last slot counts as the oldest */
        h->later[i] = (uint32_t)((UINT64_C(1) << cfg->num_slots) - 1) & ~(uint32_t)((UINT64_C(2) << i) - 1);
}

/* ---- this cycle ------------------------------------------------------------------------ */

static inline bool cta_throttle_may_pause(const cta_throttle_history *h, const cta_throttle_in *in)
{
    return in->pause_en && h->nmax != 0;
}

/* Paused CTAs that are still there. A slot that is filled anew holds another CTA. */
static inline uint32_t cta_throttle_kept(const cta_throttle_history *h, const cta_throttle_in *in, const cta_throttle_out *out)
{
    return cta_throttle_may_pause(h, in) ? out->paused & in->cta_active & ~in->cta_done & ~in->cta_start : 0;
}

static inline uint32_t cta_throttle_running(const cta_throttle_history *h, const cta_throttle_in *in, const cta_throttle_out *out)
{
    return ((in->cta_active & ~in->cta_done) | in->cta_start) & ~cta_throttle_kept(h, in, out);
}

static inline unsigned cta_throttle_goal(const cta_throttle_history *h, const cta_throttle_in *in)
{
    return in->follow ? in->target : h->blocks;
}

static inline unsigned cta_throttle_direction(const cta_throttle_in *in)
{
    if (!in->inc == !in->dec)
        return CTA_THROTTLE_STAY;
    return in->inc ? CTA_THROTTLE_UP : CTA_THROTTLE_DOWN;
}

/* A decision that counts. */
static inline bool cta_throttle_decides_now(const cta_throttle_history *h, const cta_throttle_in *in)
{
    return in->enable && !in->kernel_start && in->tick && !in->follow && h->nmax != 0;
}

/* EQ-10, EQ-A13: this decision and the HystEpochs - 1 before it are in a row. */
static inline bool cta_throttle_in_a_row(const cta_throttle_history *h, const cta_throttle_cfg *cfg, unsigned direction)
{
    bool agree = direction != CTA_THROTTLE_STAY;

    for (unsigned e = 0; e + 1 < cfg->hyst_epochs; e++)
        agree &= cfg->hyst_same_dir ? h->last[e] == direction : h->last[e] != CTA_THROTTLE_STAY;
    return agree;
}

static inline unsigned cta_throttle_action(const cta_throttle_history *h, const cta_throttle_cfg *cfg, const cta_throttle_in *in)
{
    const unsigned direction = cta_throttle_direction(in);

    return cta_throttle_decides_now(h, in) && cta_throttle_in_a_row(h, cfg, direction) ? direction : CTA_THROTTLE_STAY;
}

/* PAUSE-1, PAUSE-3, PAUSE-5. */
static inline uint8_t cta_throttle_mask_of(const cta_throttle_history *h, const cta_throttle_in *in, const cta_throttle_out *out)
{
    const unsigned n = ballast_popcount64(cta_throttle_running(h, in, out));

    if (!cta_throttle_may_pause(h, in))
        return CTA_THROTTLE_NONE;
    if (n > out->limit && n > 1)
        return CTA_THROTTLE_PAUSE;
    if (cta_throttle_kept(h, in, out) && (n < cta_throttle_goal(h, in) || n == 0))
        return CTA_THROTTLE_RESUME;
    return CTA_THROTTLE_KEEP;
}

/* ---- what is remembered ------------------------------------------------------------------ */

static inline void cta_throttle_remember_launches(cta_throttle_history *h, const cta_throttle_cfg *cfg, uint32_t start)
{
    for (unsigned i = 0; i < cfg->num_slots; i++)
        for (unsigned j = 0; j < cfg->num_slots; j++) {
            const bool i_comes = start >> i & 1, j_comes = start >> j & 1;

            if (i == j || (!i_comes && !j_comes))
                continue;
            h->later[i] &= ~(UINT32_C(1) << j);
            h->later[i] |= (uint32_t)(i_comes && (!j_comes || i > j)) << j;
        }
}

static inline void cta_throttle_remember_decision(cta_throttle_history *h, const cta_throttle_in *in, unsigned action)
{
    if (in->follow || action != CTA_THROTTLE_STAY) {
        memset(h->last, CTA_THROTTLE_STAY, sizeof h->last);
        return;
    }
    if (!cta_throttle_decides_now(h, in))
        return;
    for (unsigned e = CTA_THROTTLE_MOST_EPOCHS - 1; e > 0; e--)
        h->last[e] = h->last[e - 1];
    h->last[0] = (uint8_t)cta_throttle_direction(in);
}

/* NOLINTBEGIN(bugprone-branch-clone): a line of the page's table each. */
/* The page's table, line by line; `stays`: a CTA stays paused. */
static inline void cta_throttle_remember_blocks(cta_throttle_history *h, const cta_throttle_cfg *cfg, const cta_throttle_in *in,
                                                unsigned action, unsigned running, bool stays)
{
    const bool full = h->blocks >= h->nmax;

    if (in->follow)
        h->waits = 0;
    else if (h->nmax == 0)
        return;
    else if (h->waits && action == CTA_THROTTLE_DOWN) /* a */
        h->waits = 0;
    else if (h->waits && running > h->blocks) /* b */
        h->blocks++, h->waits = 0;
    else if (h->waits) /* c */
        h->waits = !in->denied;
    else if (action == CTA_THROTTLE_DOWN) /* d */
        h->blocks = (uint8_t)(h->blocks > 1 ? h->blocks - 1u : h->blocks);
    else if (action == CTA_THROTTLE_UP && !full && (!cfg->grant_feedback || (cfg->inc_unpause_first && stays))) /* e */
        h->blocks++;
    else if (action == CTA_THROTTLE_UP && !full) /* f */
        h->waits = 1;
}
/* NOLINTEND(bugprone-branch-clone) */

static inline bool cta_throttle_stays_paused(unsigned mask, uint32_t kept)
{
    return mask == CTA_THROTTLE_PAUSE || (mask == CTA_THROTTLE_KEEP && kept) || (mask == CTA_THROTTLE_RESUME && (kept & (kept - 1)));
}

static inline void cta_throttle_remember(cta_throttle_history *h, const cta_throttle_cfg *cfg, const cta_throttle_in *in,
                                         const cta_throttle_out *out)
{
    const unsigned action = cta_throttle_action(h, cfg, in), mask = cta_throttle_mask_of(h, in, out);
    const uint32_t kept = cta_throttle_kept(h, in, out), running = cta_throttle_running(h, in, out);

    h->kept = in->enable ? kept : out->paused;
    h->running = running;
    h->mask = CTA_THROTTLE_KEEP;
    if (!in->enable)
        return;
    cta_throttle_remember_launches(h, cfg, in->cta_start);
    if (in->kernel_start) { /* EQ-A11, EQ-A14 */
        h->nmax = h->blocks = in->nmax;
        h->waits = 0;
        h->mask = CTA_THROTTLE_NONE;
        memset(h->last, CTA_THROTTLE_STAY, sizeof h->last);
        return;
    }
    h->mask = (uint8_t)mask;
    cta_throttle_remember_decision(h, in, action);
    cta_throttle_remember_blocks(h, cfg, in, action, ballast_popcount64(running), cta_throttle_stays_paused(mask, kept));
}

/* ---- what follows from it ---------------------------------------------------------------- */

/* Slot i of `set` came after every other one of it (`after`), or before every other. */
static inline bool cta_throttle_extreme(const cta_throttle_history *h, const cta_throttle_cfg *cfg, unsigned i, uint32_t set, bool after)
{
    bool extreme = set >> i & 1;

    for (unsigned j = 0; j < cfg->num_slots; j++)
        extreme &= j == i || !(set >> j & 1) || (after ? h->later[i] >> j & 1 : h->later[j] >> i & 1);
    return extreme;
}

/* `mask` is `kept` and the slot of `set` that came last, or without the one that came first; and nothing else. */
static inline bool cta_throttle_moves_one(const cta_throttle_history *h, const cta_throttle_cfg *cfg, uint32_t mask, uint32_t set,
                                          bool after)
{
    uint32_t one = 0;

    for (unsigned i = 0; i < cfg->num_slots; i++)
        one |= (uint32_t)cta_throttle_extreme(h, cfg, i, set, after) << i;
    return one != 0 && (one & (one - 1)) == 0 && mask == (h->kept ^ one);
}

#define CTA_THROTTLE_PAUSES(mask_) \
    (was->mask != CTA_THROTTLE_PAUSE || cta_throttle_moves_one(was, cfg, mask_, was->running, true))
#define CTA_THROTTLE_RESUMES(mask_) \
    (was->mask != CTA_THROTTLE_RESUME || cta_throttle_moves_one(was, cfg, mask_, was->kept, false))
#define CTA_THROTTLE_KEEPS(mask_) (was->mask != CTA_THROTTLE_KEEP || (mask_) == was->kept)
#define CTA_THROTTLE_RELEASES(mask_) (was->mask != CTA_THROTTLE_NONE || (mask_) == 0)

/* Decisions in a row so far. */
static inline unsigned cta_throttle_run_of(const cta_throttle_history *h, const cta_throttle_cfg *cfg)
{
    unsigned run = 0;

    for (unsigned e = 0; e < CTA_THROTTLE_MOST_EPOCHS; e++)
        if (run == e && h->last[e] != CTA_THROTTLE_STAY && (!cfg->hyst_same_dir || h->last[e] == h->last[0]))
            run++;
    return run;
}

static inline bool cta_throttle_same_order(const cta_throttle_history *h, const cta_throttle_state *s, const cta_throttle_cfg *cfg)
{
    bool same = true;

    for (unsigned i = 0; i < cfg->num_slots; i++)
        for (unsigned j = i + 1; j < cfg->num_slots; j++)
            same &= (h->later[j] >> i & 1) == (s->older[i] >> j & 1) && (h->later[i] >> j & 1) != (s->older[i] >> j & 1);
    return same;
}

static inline bool cta_throttle_coupled(const cta_throttle_history *h, const cta_throttle_state *s, const cta_throttle_cfg *cfg)
{
    const cta_throttle_history *was = h;
    const bool mask = h->mask <= CTA_THROTTLE_RESUME && CTA_THROTTLE_PAUSES(s->paused) && CTA_THROTTLE_RESUMES(s->paused) &&
                      CTA_THROTTLE_KEEPS(s->paused) && CTA_THROTTLE_RELEASES(s->paused);
    bool decisions = s->run == cta_throttle_run_of(h, cfg) && (!h->last[0] || s->run_up == (h->last[0] == CTA_THROTTLE_UP));

    for (unsigned e = 0; e < CTA_THROTTLE_MOST_EPOCHS; e++)
        decisions &= h->last[e] <= CTA_THROTTLE_UP;
    return mask && decisions && s->nmax == h->nmax && s->num_blocks == h->blocks && s->request == h->waits && h->waits <= 1 &&
           cta_throttle_same_order(h, s, cfg);
}

/* ---- the rules --------------------------------------------------------------------------- */

#define CTA_THROTTLE_N ballast_popcount64(cta_throttle_running(was, in, out))
#define CTA_THROTTLE_ASKS                                                                                                \
    (in->enable && !in->kernel_start && was->nmax != 0 &&                                                                \
     ((CTA_THROTTLE_N < cta_throttle_goal(was, in) && !cta_throttle_kept(was, in, out)) ||                               \
      (was->waits && !in->follow && CTA_THROTTLE_N <= was->blocks)))

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "EQ-10", "an action is the last of HystEpochs decisions in a row since the last action, in one direction",    \
      out->acted == (cta_throttle_action(was, cfg, in) != CTA_THROTTLE_STAY))                                            \
    H(RUN, "EQ-10", "numBlocks begins with Nmax and moves by one where an action fires or the CTA that it waits for comes", \
      in->follow || out->limit == was->blocks + was->waits)                                                              \
    H(RUN, "EQ-10", "another policy's limit is taken as it is", !in->follow || out->limit == in->target)                 \
    H(RUN, "EQ-11", "a CTA is asked for where a place is free and none is paused, or for an increase, until it comes",   \
      out->req == CTA_THROTTLE_ASKS)                                                                                     \
    H(RUN, "PAUSE-1", "more than the limit run: the one that was launched last is paused", CTA_THROTTLE_PAUSES(out->paused)) \
    H(RUN, "PAUSE-3", "fewer than the goal run: the paused one that was launched first is resumed",                      \
      CTA_THROTTLE_RESUMES(out->paused))                                                                                 \
    H(RUN, "PAUSE-1", "else the paused CTAs stay paused, but those that have gone", CTA_THROTTLE_KEEPS(out->paused))     \
    H(RUN, "PAUSE-4", "with draining, without a kernel and after its start none is paused", CTA_THROTTLE_RELEASES(out->paused))

#endif
