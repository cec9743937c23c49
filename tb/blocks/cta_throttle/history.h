/* SPDX-License-Identifier: Apache-2.0
 *
 * What cta_throttle's rules remember of a run, from its inputs and outputs alone (rules/rules.h): the decisions since the last
 * action, numBlocks and the CTA that it waits for, in which order the CTAs came, and what the last cycle means for the mask.
 */
#ifndef BALLAST_CTA_THROTTLE_HISTORY_H
#define BALLAST_CTA_THROTTLE_HISTORY_H

#include "blocks/cta_throttle/invariant.h"
#include "common/popcount.h"

enum { CTA_THROTTLE_MOST_EPOCHS = 7 };
enum { CTA_THROTTLE_STAY, CTA_THROTTLE_DOWN, CTA_THROTTLE_UP };

typedef struct cta_throttle_history {
    uint8_t order[BALLAST_MAX_SLOTS];  /* slots by the launches that have been entered, the last one first       */
    uint32_t fresh;                    /* launched, and not on the way into it                                   */
    uint8_t enters, entering;          /* a slot is, and which                                                   */
    uint32_t kept, running;            /* of the cycle before: paused CTAs that stay, CTAs that run              */
    uint32_t resident;                 /* and all that there were after it                                       */
    uint8_t begun;                     /* there was one                                                          */
    uint8_t steady, many, few;         /* nobody came or went in it, and what the count before it says           */
    uint8_t more, fewer;               /* a CTA more could be paused at its edge, or a CTA resumed               */
    uint8_t agrees, agreed, trusted;   /* CTAs came and went as they were said to: in it, in it and the one before,
                                          since the last launch                                                  */
    uint8_t last[CTA_THROTTLE_MOST_EPOCHS]; /* decisions since an action, the newest first */
    uint8_t nmax, blocks, waits;       /* of the kernel, numBlocks, an increase waits for its CTA */
} cta_throttle_history;

static inline void cta_throttle_history_reset(cta_throttle_history *h, const cta_throttle_cfg *cfg)
{
    *h = (cta_throttle_history){.begun = 0};
    for (unsigned i = 0; i < cfg->num_slots; i++) /* the last slot counts as the oldest */
        h->order[i] = (uint8_t)i;
}

/* ---- this cycle ------------------------------------------------------------------------ */

/* Paused CTAs that are still there. A slot that is filled anew holds another CTA. */
static inline uint32_t cta_throttle_kept(const cta_throttle_in *in, const cta_throttle_out *out)
{
    return in->pause_en && !in->kernel_start ? out->paused & in->cta_active & ~in->cta_done & ~in->cta_start : 0;
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

/* How many ran in the cycle before; and whether they do still, but for those who came or went in this cycle. */
static inline unsigned cta_throttle_n(const cta_throttle_history *h)
{
    return ballast_popcount64(h->running);
}

static inline bool cta_throttle_known(const cta_throttle_history *h, uint32_t paused)
{
    return h->begun && paused == h->kept;
}

static inline bool cta_throttle_still(const cta_throttle_in *in)
{
    return !in->cta_start && !in->cta_done;
}

/* ---- what is remembered ------------------------------------------------------------------ */

/* Whoever enters becomes the first; who stood before it stands one place further back. */
static inline void cta_throttle_enter(cta_throttle_history *h, unsigned slots)
{
    bool behind = false;
    uint8_t before = h->entering;

    for (unsigned place = 0; place < slots; place++) {
        const uint8_t was = h->order[place];

        h->order[place] = behind ? was : before;
        behind |= was == h->entering;
        before = was;
    }
}

/* Of those that wait, the lowest slot goes first. */
static inline void cta_throttle_remember_launches(cta_throttle_history *h, const cta_throttle_cfg *cfg, uint32_t start)
{
    if (h->enters)
        cta_throttle_enter(h, cfg->num_slots);
    h->enters = h->fresh != 0;
    h->entering = 0;
    for (unsigned i = cfg->num_slots; i-- > 0;)
        if (h->fresh >> i & 1)
            h->entering = (uint8_t)i;
    h->fresh = (h->fresh & (h->fresh - 1)) | start;
}

/* Whether somebody may be paused or resumed at this edge (PAUSE-1, PAUSE-3), and what the next cycle shall go by. */
static inline void cta_throttle_remember_counts(cta_throttle_history *h, const cta_throttle_in *in, const cta_throttle_out *out)
{
    const unsigned n = cta_throttle_n(h), goal = cta_throttle_goal(h, in);
    const bool known = cta_throttle_known(h, out->paused), still = cta_throttle_still(in);

    const bool free = h->steady && known && still && !in->tick && !in->kernel_start && in->pause_en && h->nmax;
    const bool agrees = in->cta_active == h->resident;

    h->more = free && h->many && !h->waits;
    h->fewer = free && h->few;
    h->steady = known && still && !in->kernel_start;
    h->many = n > goal && n != 1 && !h->waits;
    h->few = n < goal || n == 0;
    h->trusted = h->fresh != 0 || (h->trusted && agrees);
    h->agreed = h->agrees && agrees;
    h->agrees = agrees;
    h->begun = 1;
    h->resident = (in->cta_active & ~in->cta_done) | in->cta_start;
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
/* The page's table, line by line; `running`: as far as it is known; `stays`: a CTA stays paused. */
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
        h->waits = !in->denied || in->cta_start;
    else if (action == CTA_THROTTLE_DOWN) /* d */
        h->blocks = (uint8_t)(h->blocks > 1 ? h->blocks - 1u : h->blocks);
    else if (action == CTA_THROTTLE_UP && !full && (!cfg->grant_feedback || (cfg->inc_unpause_first && stays))) /* e */
        h->blocks++;
    else if (action == CTA_THROTTLE_UP && !full) /* f */
        h->waits = 1;
}
/* NOLINTEND(bugprone-branch-clone) */

static inline void cta_throttle_remember(cta_throttle_history *h, const cta_throttle_cfg *cfg, const cta_throttle_in *in,
                                         const cta_throttle_out *out)
{
    const unsigned action = cta_throttle_action(h, cfg, in);
    const unsigned n = cta_throttle_known(h, out->paused) ? cta_throttle_n(h) : 0;

    if (!in->enable)
        return;
    cta_throttle_remember_counts(h, in, out);
    cta_throttle_remember_launches(h, cfg, in->cta_start);
    h->kept = cta_throttle_kept(in, out);
    h->running = h->resident & ~h->kept;
    if (in->kernel_start) { /* EQ-A11, EQ-A14 */
        h->nmax = h->blocks = in->nmax;
        h->waits = 0;
        memset(h->last, CTA_THROTTLE_STAY, sizeof h->last);
        return;
    }
    cta_throttle_remember_decision(h, in, action);
    cta_throttle_remember_blocks(h, cfg, in, action, n, h->kept != 0);
}

/* ---- what follows from it ---------------------------------------------------------------- */

static inline bool cta_throttle_at_most_one(uint32_t set)
{
    return (set & (set - 1)) == 0;
}

/* Slots of the order before those of `set` (`youngest`), or behind them. */
static inline uint32_t cta_throttle_beyond(const cta_throttle_history *h, unsigned slots, uint32_t set, bool youngest)
{
    uint32_t beyond = 0;
    bool met = false;

    for (unsigned i = 0; i < slots; i++) {
        const uint32_t one = UINT32_C(1) << (h->order[youngest ? i : slots - 1 - i] & 31);

        met |= (set & one) != 0;
        beyond |= met ? 0 : one;
    }
    return beyond;
}

/* Who was paused or resumed with the last edge: one that ran, or one that was paused, and only when there was a reason. */
static inline bool cta_throttle_pauses(const cta_throttle_history *h, uint32_t paused)
{
    const uint32_t more = paused & ~h->kept;

    return more == 0 || (h->more && cta_throttle_at_most_one(more) && (more & ~h->running) == 0 && (h->kept & ~paused) == 0);
}

static inline bool cta_throttle_resumes(const cta_throttle_history *h, uint32_t paused)
{
    const uint32_t fewer = h->kept & ~paused;

    return fewer == 0 || (h->fewer && cta_throttle_at_most_one(fewer) && (paused & ~h->kept) == 0);
}

static inline bool cta_throttle_youngest(const cta_throttle_history *h, const cta_throttle_cfg *cfg, uint32_t paused)
{
    const uint32_t more = paused & ~h->kept;

    return more == 0 || !h->trusted || (cta_throttle_beyond(h, cfg->num_slots, more, true) & h->running) == 0;
}

static inline bool cta_throttle_oldest(const cta_throttle_history *h, const cta_throttle_cfg *cfg, uint32_t paused)
{
    const uint32_t fewer = h->kept & ~paused;

    return fewer == 0 || (cta_throttle_beyond(h, cfg->num_slots, fewer, false) & h->kept) == 0;
}

/* PAUSE-5: where CTAs come and go as they are said to, another one runs. */
static inline bool cta_throttle_leaves_one(const cta_throttle_history *h, uint32_t paused)
{
    const uint32_t more = paused & ~h->kept;

    return more == 0 || !h->agreed || (h->running & ~more) != 0;
}

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
    bool same = h->fresh == s->fresh && h->enters == s->moves && (!h->enters || h->entering == s->slot);

    for (unsigned i = 0; i < cfg->num_slots; i++)
        same &= h->order[i] == s->order[i];
    return same;
}

static inline bool cta_throttle_same_counts(const cta_throttle_history *h, const cta_throttle_state *s, const cta_throttle_cfg *cfg)
{
    const unsigned size = ballast_part_slots(cfg->num_slots);
    bool same = s->known == cta_throttle_known(h, s->paused) && s->judged == (h->steady && s->paused == h->kept) && h->steady <= h->begun &&
                s->many == h->many && s->few == h->few;

    for (unsigned part = 0; part < ballast_slot_parts(cfg->num_slots); part++)
        same &= s->count[part] == ballast_popcount64(h->running >> (part * size) & ((UINT32_C(1) << size) - 1));
    return same && (!h->steady || !h->agrees || !h->many || ballast_popcount64(h->running) > 1);
}

/* Of the slots that the search for a CTA to pause has left behind, none runs. It is over in the cycle after a launch. */
static inline bool cta_throttle_search_trusted(const cta_throttle_history *h, const cta_throttle_state *s, const cta_throttle_cfg *cfg)
{
    if (!s->tests || s->fresh)
        return !s->tests || !h->steady;
    return !h->trusted || s->up || cta_throttle_left_behind(s, cfg->num_slots, h->resident & ~s->paused) == 0;
}

static inline bool cta_throttle_coupled(const cta_throttle_history *h, const cta_throttle_state *s, const cta_throttle_cfg *cfg)
{
    const bool mask = cta_throttle_pauses(h, s->paused) && cta_throttle_resumes(h, s->paused) &&
                      cta_throttle_youngest(h, cfg, s->paused) && cta_throttle_oldest(h, cfg, s->paused) &&
                      cta_throttle_leaves_one(h, s->paused);
    bool decisions = s->run == cta_throttle_run_of(h, cfg) && (!h->last[0] || s->run_up == (h->last[0] == CTA_THROTTLE_UP));

    for (unsigned e = 0; e < CTA_THROTTLE_MOST_EPOCHS; e++)
        decisions &= h->last[e] <= CTA_THROTTLE_UP;
    return mask && decisions && s->nmax == h->nmax && s->num_blocks == h->blocks && s->request == h->waits && h->waits <= 1 &&
           h->running == (h->resident & ~h->kept) && (uint64_t)h->resident >> cfg->num_slots == 0 && cta_throttle_same_order(h, s, cfg) && cta_throttle_same_counts(h, s, cfg) &&
           cta_throttle_search_trusted(h, s, cfg);
}

/* ---- the rules --------------------------------------------------------------------------- */

#define CTA_THROTTLE_ASKS                                                                                                \
    (in->enable && !in->kernel_start && was->nmax != 0 && cta_throttle_known(was, out->paused) && !in->cta_start &&      \
     ((cta_throttle_n(was) < cta_throttle_goal(was, in) && !out->paused) ||                                              \
      (was->waits && !in->follow && cta_throttle_n(was) <= was->blocks)))

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "EQ-10", "an action is the last of HystEpochs decisions in a row since the last action, in one direction",    \
      out->acted == (cta_throttle_action(was, cfg, in) != CTA_THROTTLE_STAY))                                            \
    H(RUN, "EQ-10", "numBlocks begins with Nmax and moves by one where an action fires or the CTA that it waits for comes", \
      in->follow || out->limit == was->blocks + was->waits)                                                              \
    H(RUN, "EQ-10", "another policy's limit is taken as it is", !in->follow || out->limit == in->target)                 \
    H(RUN, "EQ-11", "a CTA is asked for where a place is free and none is paused, or for an increase, until it comes",   \
      out->req == CTA_THROTTLE_ASKS)                                                                                     \
    H(RUN, "PAUSE-1", "who is paused ran, with more than the goal, in a cycle in which nothing else happened",           \
      cta_throttle_pauses(was, out->paused))                                                                             \
    H(RUN, "PAUSE-1", "who is paused was launched last of those that run", cta_throttle_youngest(was, cfg, out->paused)) \
    H(RUN, "PAUSE-3", "who is resumed was paused, and fewer than the goal ran; the others stay paused until they have gone", \
      cta_throttle_resumes(was, out->paused))                                                                            \
    H(RUN, "PAUSE-3", "who is resumed was launched first of those that are paused", cta_throttle_oldest(was, cfg, out->paused)) \
    H(RUN, "PAUSE-5", "when a CTA is paused, another one runs", cta_throttle_leaves_one(was, out->paused))

#endif
