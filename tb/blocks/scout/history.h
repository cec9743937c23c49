/* SPDX-License-Identifier: Apache-2.0
 *
 * What scout's rules remember of a run, from its inputs and outputs alone (rules/rules.h): where the slice is, since when the
 * limit is what it is, which limit was the best one before a look, and which limit was looked at last.
 */
#ifndef BALLAST_SCOUT_HISTORY_H
#define BALLAST_SCOUT_HISTORY_H

typedef struct scout_history {
    uint16_t place;  /* cycles of this slice, and of its end                                             */
    uint16_t since;  /* slices since a kernel has started or what follows was another one; at most SCOUT_LONG */
    uint8_t settle;  /* of these do not count                                                            */
    uint8_t nmax;    /* of the kernel                                                                    */
    uint8_t begin;   /* the limit that it starts at                                                      */
    uint8_t hinted;  /* that was known (SCT-10)                                                          */
    uint8_t runs;    /* there is one                                                                     */
    uint8_t limit, look, done; /* outputs of the search when they were seen last                         */
    uint8_t fresh;   /* what the slice that is over has changed has not been seen                        */
    uint8_t started; /* the same of a kernel start                                                       */
    uint8_t home;    /* the limit that was no look, seen last                                            */
    uint8_t looked;  /* the limit that was looked at last; 0: none of this kernel                        */
    uint8_t lengthy; /* the look that is over was longer than one in windows of stage 1 can be           */
} scout_history;

#define SCOUT_LONG (cfg->window * 64 + 8)
#define SCOUT_LENGTHY(h) ((h)->since > cfg->settle + cfg->window * 4) /* of a look: it was in stage 2 or 3 (SCT-11) */

static inline void scout_history_reset(scout_history *h, const scout_cfg *cfg)
{
    (void)cfg;
    *h = (scout_history){.runs = 0};
}

static inline void scout_begins(scout_history *h, uint32_t settle)
{
    h->since = 0;
    h->settle = (uint8_t)settle;
}

/* What the outputs say. */
static inline void scout_sees(scout_history *h, const scout_cfg *cfg, const scout_out *out)
{
    if (out->look)
        h->lengthy = 0;
    else if (h->look)
        h->lengthy = SCOUT_LENGTHY(h);
    if (h->runs && !h->started && (out->look != h->look || out->done != h->done))
        scout_begins(h, cfg->settle);
    h->limit = out->limit;
    h->look = out->look;
    h->done = out->done;
    if (out->look)
        h->looked = out->limit;
    else
        h->home = out->limit;
    h->fresh = h->started = 0;
}

static inline void scout_remember(scout_history *h, const scout_cfg *cfg, const scout_in *in, const scout_out *out)
{
    scout_sees(h, cfg, out);
    if (!in->enable)
        return;
    if (in->kernel_start) {
        const bool hinted = in->hint >= 1 && in->hint <= in->nmax;
        const uint8_t begin = hinted ? in->hint : in->nmax;

        *h = (scout_history){.nmax = in->nmax, .begin = begin, .hinted = hinted, .runs = 1, .started = 1, .limit = begin,
                             .home = begin, .done = in->nmax < 2 || hinted, .settle = (uint8_t)cfg->warmup};
    } else if (h->runs) {
        h->place++;
        if (h->place == cfg->slice + SCOUT_ACT) {
            h->place = 0;
            h->fresh = 1;
            if (h->since < SCOUT_LONG)
                h->since++;
        }
    }
}

/* ---- the registers that go with it -------------------------------------------------------- */

static inline uint32_t scout_place_of(const scout_state *s, const scout_cfg *cfg)
{
    return s->step == SCOUT_COUNT ? s->timer : cfg->slice - 1 + s->step;
}

/* Slices since the window began, or will begin, as the registers have it. */
static inline bool scout_at(const scout_state *s, uint32_t since, uint32_t settle)
{
    return since < settle ? s->settle == settle - since : s->settle == 0 && s->index == since - settle;
}

/* SCT-2, SCT-8: how far the first windows are, after so many slices. What the last one has changed is in the registers. */
static inline bool scout_windows_coupled(const scout_history *h, const scout_state *s, const scout_cfg *cfg)
{
    const uint32_t window = cfg->window << 2 * s->stage, watch = cfg->window * 4;
    const uint32_t settle = h->settle, since = h->since;

    if (since > SCOUT_LONG)
        return false;
    if (s->state == SCOUT_ST_LOOK)
        return since < settle + window && settle == cfg->settle && scout_at(s, since, settle);
    if (s->state != SCOUT_ST_DONE)
        return since >= settle + cfg->window || scout_at(s, since, settle); /* the shortest is what a rule asks for */
    if (since < settle + watch)
        return !s->known && scout_at(s, since, settle);
    if (since < settle + 2 * watch)
        return s->known && !s->odd && scout_at(s, since - watch, settle);
    return since >= settle + 3 * watch || (s->known && scout_at(s, since - 2 * watch, settle));
}

/* SCT-11: no look goes up in the shortest windows after a lengthy one, and where the longer ones begin. */
static inline bool scout_upward_coupled(const scout_history *h, const scout_state *s, const scout_cfg *cfg)
{
    const bool ended = h->look && s->state != SCOUT_ST_LOOK; /* and nobody has seen that yet */

    if (h->lengthy > 1 || (h->lengthy && (!h->runs || h->started || h->look)))
        return false;
    if (!(ended ? SCOUT_LENGTHY(h) : h->lengthy))
        return true;
    if (s->state == SCOUT_ST_BASE && s->cand > s->best && s->stage == 0)
        return false;
    if (s->state == SCOUT_ST_LOOK)
        return s->cand < s->best || h->since >= h->settle + cfg->window * 4;
    if (s->state == SCOUT_ST_BASE && s->stage != 0 && !ended && !h->done)
        return h->since >= h->settle + cfg->window * 4 || scout_at(s, h->since, h->settle);
    return s->state != SCOUT_ST_BACK;
}

/* A slice that is over has moved the search, and nobody has seen that yet. */
static inline bool scout_moved(const scout_state *s, const scout_cfg *cfg)
{
    return s->settle == cfg->settle && s->index == 0;
}

static inline bool scout_coupled(const scout_history *h, const scout_state *s, const scout_cfg *cfg)
{
    const bool look = s->state == SCOUT_ST_LOOK, done = s->state == SCOUT_ST_DONE;
    const bool same = h->look == look && h->done == done;

    if (!scout_upward_coupled(h, s, cfg))
        return false;
    if (h->runs != (s->state != SCOUT_ST_IDLE) || h->nmax != s->nmax || h->place != scout_place_of(s, cfg) || h->runs > 1)
        return false;
    if (h->hinted ? h->hinted > 1 || h->begin < 1 || h->begin > h->nmax : h->begin != h->nmax)
        return false;
    if (!h->runs)
        return !h->hinted && !h->limit && !h->look && !h->done && !h->home && !h->looked && !h->fresh && !h->started && !h->since && !h->settle;
    if ((h->fresh || h->started) && h->place != 0)
        return false;
    if (h->fresh > 1 || h->started > 1 || h->look > 1 || h->done > 1 || (h->look && h->done))
        return false;
    if (h->settle != cfg->settle && h->settle != cfg->warmup)
        return false;
    if (h->look ? h->looked != h->limit : h->home != h->limit)
        return false;
    if (!h->looked && (s->best != h->begin || h->home != h->begin)) /* only what was looked at is another one */
        return false;
    if ((look || h->done) && s->best != h->home)
        return false;
    if (h->started)
        return !h->looked && s->state == (s->nmax < 2 || h->hinted ? SCOUT_ST_DONE : SCOUT_ST_BASE) && !h->fresh && same &&
               h->limit == s->best && h->home == s->best && s->best == h->begin && h->since == 0 &&
               h->settle == cfg->warmup && s->settle == cfg->warmup && s->index == 0 && !s->known && !s->odd;
    if (!h->fresh && (!same || h->limit != (look ? s->cand : s->best)))
        return false;
    if (!same)
        return scout_moved(s, cfg) && !s->known && (!h->done || h->since >= h->settle + 12 * cfg->window) &&
               (!look || h->since >= h->settle + cfg->window) &&
               (s->best == h->home || (s->best == h->looked && h->looked)) && (s->state != SCOUT_ST_BACK || s->cand == h->looked) &&
               !(h->done && look);
    if ((look || s->state == SCOUT_ST_BACK) && s->cand != h->looked)
        return false;
    return scout_windows_coupled(h, s, cfg) && (s->best == h->home || (h->fresh && s->best == h->looked && h->looked));
}

#define SCOUT_BEGINS_TO_LOOK (was->runs && out->look && !was->look)

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "SCT-1", "no kernel, no limit", was->runs || (!out->limit && !out->done && !out->look))                       \
    H(RUN, "SCT-1", "a kernel starts at Nmax; 0 and 1 leave nothing to decide",                                          \
      !was->started || was->hinted || (out->limit == was->nmax && !out->look && out->done == (was->nmax < 2)))           \
    H(RUN, "SCT-1", "Nmax holds until the first look",                                                                   \
      !was->runs || was->hinted || was->looked || out->look || out->limit == was->nmax)                                  \
    H(RUN, "SCT-1", "the limit is in 1..Nmax",                                                                           \
      !was->runs || (was->nmax ? out->limit >= 1 && out->limit <= was->nmax : out->limit == 0))                          \
    H(RUN, "SCT-2", "limit and search move only where a slice is over, fourteen cycles after its last one",              \
      !was->runs || was->fresh || was->started || (out->limit == was->limit && out->look == was->look && out->done == was->done)) \
    H(RUN, "SCT-2", "a look begins when the SM has settled and a shortest window is over, not before",                   \
      !SCOUT_BEGINS_TO_LOOK || was->since >= was->settle + cfg->window)                                                  \
    H(RUN, "SCT-3", "a look is over after four stages' longest window",                                                  \
      !was->runs || !out->look || !was->look || was->since < cfg->settle + cfg->window * 64)                            \
    H(RUN, "SCT-6", "a look is at another limit than the best one", !SCOUT_BEGINS_TO_LOOK || out->limit != was->home)    \
    H(RUN, "SCT-6", "what is kept is the limit before, or the one that was looked at last",                              \
      !was->runs || out->look || out->limit == was->home || (was->looked && out->limit == was->looked))                 \
    H(RUN, "SCT-8", "what is decided holds for a window to compare with and two that are unlike it",                     \
      !was->runs || !was->done || out->done || was->started || was->since >= was->settle + 12 * cfg->window)            \
    H(RUN, "SCT-8", "a new search begins at the limit that holds",                                                       \
      !was->runs || !was->done || out->done || was->started || (out->limit == was->limit && !out->look))                 \
    H(RUN, "SCT-10", "a kernel whose answer is known starts at it, decided",                                             \
      !was->started || !was->hinted || (out->limit == was->begin && out->done && !out->look))                            \
    H(RUN, "SCT-10", "a limit that is known holds until the first look",                                                 \
      !was->hinted || was->looked || out->look || out->limit == was->begin)                                              \
    H(RUN, "SCT-11", "a look upward after a lengthy one begins when a window of four shortest ones is over, not before", \
      !SCOUT_BEGINS_TO_LOOK || !was->lengthy || out->limit < was->home || was->since >= was->settle + cfg->window * 4)

#endif
