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
    uint8_t last, held;                   /* the last pick; there was one in the last enabled cycle              */
} warp_scheduler_history;

static inline void warp_scheduler_history_reset(warp_scheduler_history *h, const warp_scheduler_cfg *cfg)
{
    *h = (warp_scheduler_history){.last = (uint8_t)(cfg->num_warps - 1)};
    for (unsigned i = 0; i < cfg->num_slots; i++) /* the last slot counts as the oldest */
        h->later[i] = (uint32_t)((UINT64_C(1) << cfg->num_slots) - 1) & ~(uint32_t)((UINT64_C(2) << i) - 1);
}

/* ---- warps and slots in this cycle ------------------------------------------------------ */

static inline unsigned warp_scheduler_slot(const warp_scheduler_in *in, unsigned w)
{
    return (unsigned)((in->slot0 >> w & 1) | (in->slot1 >> w & 1) << 1 | (in->slot2 >> w & 1) << 2 | (in->slot3 >> w & 1) << 3 |
                      (in->slot4 >> w & 1) << 4);
}

/* The warps that exist; of them the paused or the others. */
static inline uint64_t warp_scheduler_exist(const warp_scheduler_cfg *cfg, const warp_scheduler_in *in, bool paused)
{
    uint64_t set = 0;

    for (unsigned w = 0; w < cfg->num_warps; w++)
        set |= (uint64_t)((in->present >> w & 1) && warp_scheduler_slot(in, w) < cfg->num_slots && (in->paused >> w & 1) == paused)
               << w;
    return set;
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

/* No warp of `set` comes before `w` in that order. */
static inline bool warp_scheduler_first(const warp_scheduler_cfg *cfg, uint64_t set, unsigned from, unsigned w)
{
    bool first = true;

    for (unsigned other = 0; other < cfg->num_warps; other++)
        first &= !(set >> other & 1) || warp_scheduler_ahead(cfg, from, other) >= warp_scheduler_ahead(cfg, from, w);
    return first;
}

/* No warp of `set` is older: of a CTA that came earlier, or of the same CTA in a lower place. */
static inline bool warp_scheduler_is_oldest(const warp_scheduler_history *h, const warp_scheduler_cfg *cfg,
                                            const warp_scheduler_in *in, uint64_t set, unsigned warp)
{
    uint32_t busy = 0, mine = 0;
    bool oldest = true;

    for (unsigned w = 0; w < cfg->num_warps; w++)
        for (unsigned i = 0; i < cfg->num_slots; i++) {
            const bool of_slot = warp_scheduler_slot(in, w) == i;

            busy |= (uint32_t)(of_slot && (set >> w & 1)) << i;
            mine |= (uint32_t)(of_slot && w == warp) << i;
        }
    for (unsigned i = 0; i < cfg->num_slots; i++)
        oldest &= !(mine >> i & 1) || (busy & h->later[i]) == 0;
    for (unsigned w = 0; w < cfg->num_warps; w++)
        oldest &= !(set >> w & 1) || w >= warp || !(mine >> warp_scheduler_slot(in, w) & 1);
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
    unsigned slot = cfg->num_slots;

    for (unsigned w = 0; w < cfg->num_warps; w++)
        if (w == warp)
            slot = warp_scheduler_slot(in, w);
    for (unsigned w = 0; w < cfg->num_warps && slot < cfg->num_slots; w++) {
        const unsigned mine = warp_scheduler_slot(in, w);

        p.even |= (uint64_t)(mine == (slot & ~1u)) << w;
        p.odd |= (uint64_t)(mine == (slot | 1u) && mine < cfg->num_slots) << w;
    }
    return p;
}

/* Warp `high` of the odd slot is the partner of warp `low` of the even one (SCA-A1). */
static inline bool warp_scheduler_partners(const warp_scheduler_pair *p, const warp_scheduler_in *in, unsigned low, unsigned high)
{
    return (p->even >> low & 1) && (p->odd >> high & 1) && high - low == in->warps_per_cta;
}

/* What SCA-1 to SCA-4 speak of. */
typedef struct warp_scheduler_groups {
    uint64_t group;  /* the last pick and its partner                                             */
    uint64_t places; /* of the groups of its pair with a warp that can issue: that in the even slot */
    unsigned here;   /* the place of its group, or itself                                           */
} warp_scheduler_groups;

static inline warp_scheduler_groups warp_scheduler_groups_of(const warp_scheduler_cfg *cfg, const warp_scheduler_in *in,
                                                             unsigned last, uint64_t can)
{
    const warp_scheduler_pair p = warp_scheduler_pair_of(cfg, in, last);
    warp_scheduler_groups g = {.group = UINT64_C(1) << (last & 63), .places = p.even & can, .here = last};

    for (unsigned low = 0; low < cfg->num_warps; low++)
        for (unsigned high = low + 1; high < cfg->num_warps; high++) {
            const bool partners = warp_scheduler_partners(&p, in, low, high);

            g.places |= (uint64_t)(partners && (can >> high & 1)) << low;
            if (partners && last == low)
                g.group |= UINT64_C(1) << high;
            if (partners && last == high) {
                g.group |= UINT64_C(1) << low;
                g.here = low;
            }
        }
    return g;
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
static inline bool warp_scheduler_is_next(const warp_scheduler_cfg *cfg, const warp_scheduler_in *in, const warp_scheduler_groups *g,
                                          unsigned last, uint64_t can, unsigned warp)
{
    const warp_scheduler_pair p = warp_scheduler_pair_of(cfg, in, last);
    bool is_next = false;

    for (unsigned place = 0; place < cfg->num_warps; place++) {
        const uint64_t lower = g->places & ((UINT64_C(1) << place) - 1), own = UINT64_C(1) << (g->here & 63);
        const bool first = warp_scheduler_first(cfg, g->places, g->here, place);
        const bool oldest = place == g->here ? g->places == own : (lower & ~own) == 0;
        const bool even = place == warp, odd = !(can >> place & 1) && warp > place && warp_scheduler_partners(&p, in, place, warp);

        is_next |= (g->places >> place & 1) && (even || odd) && (cfg->sca_next ? oldest : first);
    }
    return is_next;
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

static inline bool warp_scheduler_same_order(const warp_scheduler_history *h, const warp_scheduler_state *s,
                                             const warp_scheduler_cfg *cfg)
{
    bool same = true;

    for (unsigned i = 0; i < cfg->num_slots; i++) {
        same &= (h->later[i] >> i & 1) == 0;
        for (unsigned j = i + 1; j < cfg->num_slots; j++)
            same &= (h->later[j] >> i & 1) == (s->older[i] >> j & 1) && (h->later[i] >> j & 1) != (s->older[i] >> j & 1);
    }
    return same;
}

static inline bool warp_scheduler_coupled(const warp_scheduler_history *h, const warp_scheduler_state *s,
                                          const warp_scheduler_cfg *cfg)
{
    return h->last == s->last && h->held == s->hold && h->last < cfg->num_warps && warp_scheduler_same_order(h, s, cfg) &&
           warp_scheduler_waits_bounded(h, cfg);
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
    const warp_scheduler_groups g = warp_scheduler_groups_of(cfg, in, was->last, can);
    const bool goes_on = warp_scheduler_goes_on(was, cfg, g.group, there, can), moves = !goes_on && was->held && g.places;

    if (rule == 2)
        return !goes_on || warp_scheduler_alternates(was->last, g.group, can, out->warp);
    if (rule == 3)
        return !moves || warp_scheduler_is_next(cfg, in, &g, was->last, can, out->warp);
    return goes_on || moves || WARP_SCHEDULER_OLDEST(can);
}

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(RUN, "PAUSE-2", "a warp is picked wherever one can be: ready, present, and not paused, or all others are",         \
      out->pick == (WARP_SCHEDULER_CAN != 0))                                                                            \
    H(RUN, "PAUSE-4", "what is picked is such a warp: a paused one only with soft pausing, and if no other is ready",    \
      out->pick ? WARP_SCHEDULER_CAN >> (out->warp & 63) & 1 : out->warp == 0)                                           \
    H(RUN, "LRR", "the first one after the last pick, around",                                                           \
      !WARP_SCHEDULER_IS(LRR) || warp_scheduler_first(cfg, WARP_SCHEDULER_CAN, was->last, out->warp))                    \
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
           warp_scheduler_first(cfg, WARP_SCHEDULER_ACTIVE, was->last, out->warp)))                                      \
    H(RUN, "TLV", "else the next group, with its lowest",                                                                \
      !WARP_SCHEDULER_IS(TLV) || WARP_SCHEDULER_ACTIVE ||                                                                \
          warp_scheduler_first(cfg, WARP_SCHEDULER_CAN, was->last, out->warp))                                           \
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
