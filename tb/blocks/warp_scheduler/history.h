/* SPDX-License-Identifier: Apache-2.0
 *
 * What warp_scheduler's rules remember of a run, from its inputs and outputs alone (rules/rules.h): which warp issued last, in which
 * order the CTAs came, and how long each warp has waited. The rules speak of single warps and of pairs of warps.
 */
#ifndef BALLAST_WARP_SCHEDULER_HISTORY_H
#define BALLAST_WARP_SCHEDULER_HISTORY_H

typedef struct warp_scheduler_history {
    uint32_t later[BALLAST_MAX_SLOTS];    /* bit j of row i: the CTA of slot i was launched after that of slot j */
    uint8_t waited[BALLAST_MAX_WARPS];    /* LRR: cycles in a row that the warp could have issued, and did not   */
    uint8_t in_group[BALLAST_MAX_WARPS];  /* TLV: the same while its group was the active one                    */
    uint16_t last, held;                  /* the last pick; there was one in the last enabled cycle              */
} warp_scheduler_history;

static inline void warp_scheduler_history_reset(warp_scheduler_history *h, const warp_scheduler_cfg *cfg)
{
    *h = (warp_scheduler_history){.last = (uint16_t)(cfg->num_warps - 1)};
    for (unsigned i = 0; i < cfg->num_slots; i++) /* the last slot counts as the oldest */
        h->later[i] = (uint32_t)((UINT64_C(1) << cfg->num_slots) - 1) & ~(uint32_t)((UINT64_C(2) << i) - 1);
}

/* ---- warps and slots in this cycle ------------------------------------------------------ */

/* The warps of a slot; none of a slot that the SM does not have. */
static inline uint64_t warp_scheduler_of_slot(const warp_scheduler_cfg *cfg, const warp_scheduler_in *in, unsigned slot)
{
    const uint64_t wrong = (in->slot0 ^ (0 - (uint64_t)(slot & 1))) | (in->slot1 ^ (0 - (uint64_t)(slot >> 1 & 1))) |
                           (in->slot2 ^ (0 - (uint64_t)(slot >> 2 & 1))) | (in->slot3 ^ (0 - (uint64_t)(slot >> 3 & 1))) |
                           (in->slot4 ^ (0 - (uint64_t)(slot >> 4 & 1)));

    return slot < cfg->num_slots ? ~wrong & (~UINT64_C(0) >> (64 - cfg->num_warps)) : 0;
}

/* The warps that exist; of them the paused or the others. */
static inline uint64_t warp_scheduler_exist(const warp_scheduler_cfg *cfg, const warp_scheduler_in *in, bool paused)
{
    uint64_t set = 0;

    for (unsigned slot = 0; slot < cfg->num_slots; slot++)
        set |= warp_scheduler_of_slot(cfg, in, slot);
    return set & in->present & (paused ? in->paused : ~in->paused);
}

/* PAUSE-2; PAUSE-4: paused warps count only where no other can issue. */
static inline uint64_t warp_scheduler_there(const warp_scheduler_cfg *cfg, const warp_scheduler_in *in)
{
    const uint64_t others = warp_scheduler_exist(cfg, in, false);

    return in->pause_soft && !(in->ready & others) ? others | warp_scheduler_exist(cfg, in, true) : others;
}

static inline uint64_t warp_scheduler_can(const warp_scheduler_cfg *cfg, const warp_scheduler_in *in)
{
    return in->enable ? in->ready & warp_scheduler_there(cfg, in) : 0;
}

/* How many warps come before `w` in the order that begins after `from`. */
static inline unsigned warp_scheduler_ahead(const warp_scheduler_cfg *cfg, unsigned from, unsigned w)
{
    return w > from ? w - from - 1 : w + cfg->num_warps - from - 1;
}

static inline uint64_t warp_scheduler_below(unsigned w)
{
    return (UINT64_C(1) << (w & 63)) - 1;
}

/* No warp of `set` comes before `w` in that order: they are after `from` and below `w`, or if `w` is not above `from`, either. */
static inline bool warp_scheduler_first(uint64_t set, unsigned from, unsigned w)
{
    const uint64_t after = set & ~(warp_scheduler_below(from) | UINT64_C(1) << (from & 63)), below = set & warp_scheduler_below(w);

    return w > from ? (after & below) == 0 : (after | below) == 0;
}

/* No warp of `set` is older: of a CTA that came earlier, or of the same CTA in a lower place. */
static inline bool warp_scheduler_is_oldest(const warp_scheduler_history *h, const warp_scheduler_cfg *cfg,
                                            const warp_scheduler_in *in, uint64_t set, unsigned warp)
{
    uint32_t busy = 0;
    bool oldest = true;

    for (unsigned i = 0; i < cfg->num_slots; i++)
        busy |= (uint32_t)((set & warp_scheduler_of_slot(cfg, in, i)) != 0) << i;
    for (unsigned i = 0; i < cfg->num_slots; i++) {
        const uint64_t cta = warp_scheduler_of_slot(cfg, in, i);
        const bool mine = cta >> (warp & 63) & 1;

        oldest &= !mine || ((busy & h->later[i]) == 0 && (set & cta & warp_scheduler_below(warp)) == 0);
    }
    return oldest;
}

/* TLV: the warps of the fetch group of `warp`. */
static inline uint64_t warp_scheduler_fetch_group(const warp_scheduler_cfg *cfg, unsigned warp)
{
    uint64_t group = 0;
    unsigned first = 0;

    for (unsigned w = 0; w < cfg->num_warps; w += cfg->group_size)
        if (w <= warp)
            first = w;
    for (unsigned w = 0; w < cfg->num_warps; w++)
        group |= (uint64_t)(w >= first && w - first < cfg->group_size) << w;
    return group;
}

/* ---- pairs of CTAs ------------------------------------------------------------------------ */

/* The pair of slots of the last pick: which warps are in the even slot and which in the odd one. */
typedef struct warp_scheduler_pair {
    uint64_t even, odd;
} warp_scheduler_pair;

static inline warp_scheduler_pair warp_scheduler_pair_of(const warp_scheduler_cfg *cfg, const warp_scheduler_in *in, unsigned warp)
{
    warp_scheduler_pair p = {0, 0};

    for (unsigned slot = 0; slot < cfg->num_slots; slot += 2) {
        const uint64_t even = warp_scheduler_of_slot(cfg, in, slot), odd = warp_scheduler_of_slot(cfg, in, slot + 1);
        const bool mine = (even | odd) >> (warp & 63) & 1;

        p.even |= mine ? even : 0;
        p.odd |= mine ? odd : 0;
    }
    return p;
}

/* SCA-A1: the partner of `warp` as a set, of one warp or none. */
static inline uint64_t warp_scheduler_partner(const warp_scheduler_pair *p, const warp_scheduler_in *in, unsigned warp)
{
    const unsigned distance = in->warps_per_cta, at = warp & 63; /* a proof takes every last pick */

    if (p->even >> at & 1)
        return at + distance < 64 ? p->odd & UINT64_C(1) << (at + distance) : 0;
    if (p->odd >> at & 1)
        return at >= distance ? p->even & UINT64_C(1) << (at - distance) : 0;
    return 0;
}

/* What SCA-1 to SCA-4 speak of. */
typedef struct warp_scheduler_groups {
    uint64_t group;  /* the last pick and its partner                                             */
    uint64_t places; /* of the groups of its pair with a warp that can issue: that in the even slot */
    unsigned here;   /* the place of its group, or itself                                           */
} warp_scheduler_groups;

/* The warp in the even slot of the group of `warp`, or itself. */
static inline unsigned warp_scheduler_place(const warp_scheduler_pair *p, const warp_scheduler_in *in, unsigned warp)
{
    return warp_scheduler_partner(p, in, warp) & p->even ? warp - in->warps_per_cta : warp;
}

static inline warp_scheduler_groups warp_scheduler_groups_of(const warp_scheduler_pair *p, const warp_scheduler_in *in, unsigned last,
                                                             uint64_t can)
{
    const uint64_t moved = in->warps_per_cta < 64 ? (p->odd & can) >> in->warps_per_cta : 0;

    return (warp_scheduler_groups){.group = UINT64_C(1) << (last & 63) | warp_scheduler_partner(p, in, last),
                                   .places = p->even & (can | moved),
                                   .here = warp_scheduler_place(p, in, last)};
}

/* SCA-2: the group goes on. */
static inline bool warp_scheduler_goes_on(const warp_scheduler_history *h, const warp_scheduler_cfg *cfg, uint64_t group,
                                          uint64_t there, uint64_t can)
{
    const bool one_can = group & can, one_stalls = group & there & ~can;

    return h->held && one_can && (cfg->sca_both_stall || !one_stalls);
}

/* Two warps that can both issue take turns; one alone goes on. */
static inline bool warp_scheduler_alternates(unsigned last, uint64_t group, uint64_t can, unsigned warp)
{
    const uint64_t other = group & can & ~(UINT64_C(1) << (last & 63));

    return (group >> warp & 1) && (warp != last || other == 0);
}

/* SCA-3, SCA-A3: `warp` is of the group that comes next, and its warp in the even slot if that one can issue. */
static inline bool warp_scheduler_is_next(const warp_scheduler_cfg *cfg, const warp_scheduler_in *in, const warp_scheduler_pair *p,
                                          const warp_scheduler_groups *g, uint64_t can, unsigned warp)
{
    const unsigned place = warp_scheduler_place(p, in, warp);
    const uint64_t own = UINT64_C(1) << (g->here & 63), lower = g->places & warp_scheduler_below(place);
    const bool oldest = place == g->here ? g->places == own : (lower & ~own) == 0;

    return (g->places >> (place & 63) & 1) && (place == warp || !(can >> (place & 63) & 1)) &&
           (cfg->sca_next ? oldest : warp_scheduler_first(g->places, g->here, place));
}

/* ---- what is remembered -------------------------------------------------------------------- */

static inline void warp_scheduler_remember_launches(warp_scheduler_history *h, const warp_scheduler_cfg *cfg, uint32_t start)
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

static inline void warp_scheduler_remember_waits(warp_scheduler_history *h, const warp_scheduler_cfg *cfg,
                                                 const warp_scheduler_in *in, const warp_scheduler_out *out)
{
    const uint64_t can = warp_scheduler_can(cfg, in), active = warp_scheduler_fetch_group(cfg, h->last);

    for (unsigned w = 0; w < cfg->num_warps; w++) {
        const bool waits = (can >> w & 1) && out->warp != w;

        h->waited[w] = waits && in->policy == WARP_SCHEDULER_LRR ? (uint8_t)(h->waited[w] + 1) : 0;
        h->in_group[w] = waits && in->policy == WARP_SCHEDULER_TLV && (active >> w & 1) ? (uint8_t)(h->in_group[w] + 1) : 0;
    }
}

static inline void warp_scheduler_remember(warp_scheduler_history *h, const warp_scheduler_cfg *cfg, const warp_scheduler_in *in,
                                           const warp_scheduler_out *out)
{
    if (!in->enable)
        return;
    warp_scheduler_remember_waits(h, cfg, in, out);
    warp_scheduler_remember_launches(h, cfg, in->cta_start);
    h->held = out->pick;
    if (out->pick)
        h->last = out->warp;
}

/* ---- what follows from it ------------------------------------------------------------------ */

/* LRR: who has waited for n picks has n warps fewer ahead. */
static inline bool warp_scheduler_waits_bounded(const warp_scheduler_history *h, const warp_scheduler_cfg *cfg)
{
    bool bounded = true;

    for (unsigned w = 0; w < cfg->num_warps; w++)
        bounded &= h->waited[w] + warp_scheduler_ahead(cfg, h->last, w) < cfg->num_warps;
    return bounded;
}

/* Only what the waits are is not told. Rows of slots that the SM does not have are 0. */
#define BLOCK_RECALLS
static inline void warp_scheduler_recall(warp_scheduler_history *h, const warp_scheduler_state *s, const warp_scheduler_cfg *cfg)
{
    h->last = s->last;
    h->held = s->hold;
    memset(h->later, 0, sizeof h->later);
    for (unsigned i = 0; i < cfg->num_slots; i++)
        for (unsigned j = i + 1; j < cfg->num_slots; j++) {
            const uint32_t older = s->older[i] >> j & 1;

            h->later[i] |= (older ^ 1) << j;
            h->later[j] |= older << i;
        }
}

static inline bool warp_scheduler_coupled(const warp_scheduler_history *h, const warp_scheduler_state *s,
                                          const warp_scheduler_cfg *cfg)
{
    (void)s;
    return h->last < cfg->num_warps && warp_scheduler_waits_bounded(h, cfg);
}

/* LRR, TLV: everybody who waits in this cycle may do so. */
static inline bool warp_scheduler_fair(const warp_scheduler_cfg *cfg, const uint8_t *waited, uint64_t can, uint64_t of, unsigned most,
                                       unsigned warp)
{
    bool fair = true;

    for (unsigned w = 0; w < cfg->num_warps; w++)
        fair &= !(can & of) || !(can & of & UINT64_C(1) << w) || w == warp || waited[w] < most;
    return fair;
}

/* ---- the rules ------------------------------------------------------------------------------ */

#define WARP_SCHEDULER_CAN warp_scheduler_can(cfg, in)
#define WARP_SCHEDULER_IS(name) (out->pick && in->policy == WARP_SCHEDULER_##name)
#define WARP_SCHEDULER_ACTIVE (WARP_SCHEDULER_CAN & warp_scheduler_fetch_group(cfg, was->last))
#define WARP_SCHEDULER_GREEDY (was->held && (WARP_SCHEDULER_CAN >> (was->last & 63) & 1))

#define WARP_SCHEDULER_OLDEST(set_) warp_scheduler_is_oldest(was, cfg, in, set_, out->warp)

static inline bool warp_scheduler_sca(const warp_scheduler_history *was, const warp_scheduler_cfg *cfg, const warp_scheduler_in *in,
                                      const warp_scheduler_out *out, unsigned rule)
{
    const uint64_t can = WARP_SCHEDULER_CAN, there = warp_scheduler_there(cfg, in);
    const warp_scheduler_pair p = warp_scheduler_pair_of(cfg, in, was->last);
    const warp_scheduler_groups g = warp_scheduler_groups_of(&p, in, was->last, can);
    const bool goes_on = warp_scheduler_goes_on(was, cfg, g.group, there, can), moves = !goes_on && was->held && g.places;

    if (rule == 2)
        return !goes_on || warp_scheduler_alternates(was->last, g.group, can, out->warp);
    if (rule == 3)
        return !moves || warp_scheduler_is_next(cfg, in, &p, &g, can, out->warp);
    return goes_on || moves || WARP_SCHEDULER_OLDEST(can);
}

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "PAUSE-2", "a warp is picked wherever one can be: ready, present, and not paused, or all others are",         \
      out->pick == (WARP_SCHEDULER_CAN != 0))                                                                            \
    H(RUN, "PAUSE-4", "what is picked is such a warp: a paused one only with soft pausing, and if no other is ready",    \
      out->pick ? WARP_SCHEDULER_CAN >> (out->warp & 63) & 1 : out->warp == 0)                                           \
    H(RUN, "LRR", "the first one after the last pick, around",                                                           \
      !WARP_SCHEDULER_IS(LRR) || warp_scheduler_first(WARP_SCHEDULER_CAN, was->last, out->warp))                    \
    H(RUN, "LRR", "nobody waits for NumWarps picks of others",                                                           \
      !WARP_SCHEDULER_IS(LRR) ||                                                                                         \
          warp_scheduler_fair(cfg, was->waited, WARP_SCHEDULER_CAN, ~UINT64_C(0), cfg->num_warps - 1, out->warp))        \
    H(RUN, "GTO-1", "the last warp goes on until it stalls",                                                             \
      !WARP_SCHEDULER_IS(GTO) || !WARP_SCHEDULER_GREEDY || out->warp == was->last)                                       \
    H(RUN, "GTO-1", "else the oldest one: of the CTA that was launched first, there the lowest",                         \
      !WARP_SCHEDULER_IS(GTO) || WARP_SCHEDULER_GREEDY || WARP_SCHEDULER_OLDEST(WARP_SCHEDULER_CAN))                     \
    H(RUN, "TLV", "round robin in the active group while one of it can be picked",                                       \
      !WARP_SCHEDULER_IS(TLV) || !WARP_SCHEDULER_ACTIVE ||                                                               \
          ((WARP_SCHEDULER_ACTIVE >> (out->warp & 63) & 1) &&                                                            \
           warp_scheduler_first(WARP_SCHEDULER_ACTIVE, was->last, out->warp)))                                      \
    H(RUN, "TLV", "else the next group, with its lowest",                                                                \
      !WARP_SCHEDULER_IS(TLV) || WARP_SCHEDULER_ACTIVE ||                                                                \
          warp_scheduler_first(WARP_SCHEDULER_CAN, was->last, out->warp))                                           \
    H(TEST, "TLV", "in the active group nobody waits for GroupSize picks of others",                                     \
      !WARP_SCHEDULER_IS(TLV) ||                                                                                         \
          warp_scheduler_fair(cfg, was->in_group, WARP_SCHEDULER_CAN, warp_scheduler_fetch_group(cfg, was->last),        \
                              cfg->group_size - 1, out->warp))                                                           \
    H(RUN, "SCA-2", "the group of the last pick goes on until one of it stalls (ScaBothStall 1: both); two take turns",  \
      !WARP_SCHEDULER_IS(SCA) || warp_scheduler_sca(was, cfg, in, out, 2))                                               \
    H(RUN, "SCA-3", "then the next group of the pair (ScaNext 1: the oldest), its own last",                             \
      !WARP_SCHEDULER_IS(SCA) || warp_scheduler_sca(was, cfg, in, out, 3))                                               \
    H(RUN, "SCA-4", "all groups of the pair stall: the oldest warp of all",                                              \
      !WARP_SCHEDULER_IS(SCA) || warp_scheduler_sca(was, cfg, in, out, 4))

#endif
