/* SPDX-License-Identifier: Apache-2.0
 *
 * What gwde's rules remember of a run, from its inputs and outputs alone (rules/rules.h): which slots hold something, how far the
 * grid is, whose turn it is, and which launch the last cycle has led to. Where CTAs go in pairs, what the next one is follows from
 * its number by division.
 */
#ifndef BALLAST_GWDE_HISTORY_H
#define BALLAST_GWDE_HISTORY_H

#include "common/popcount.h"

enum { GWDE_MOST_SLOTS = 32 };

typedef struct gwde_history {
    uint32_t held[GWDE_MAX_SMS], finished[GWDE_MAX_SMS]; /* slots that hold something; of these, CTAs that have finished    */
    uint32_t regs_of[GWDE_MOST_SLOTS + 1], smem_of[GWDE_MOST_SLOTS + 1]; /* what n CTAs of the kernel need                  */
    uint32_t grid, next;                                 /* its CTAs, and which is the next one to be launched              */
    uint16_t warps_of[GWDE_MOST_SLOTS + 1];
    uint16_t regs, smem;                                 /* what one CTA needs                                              */
    uint16_t passed[GWDE_MAX_SMS];                       /* launches elsewhere since an SM began to take part               */
    uint8_t warps, too_big;
    uint8_t turn;                                        /* who is asked first                                              */
    uint8_t launch, sm, slot;                            /* what the cycle before chose, where                              */
    uint32_t width;                                      /* CTAs of a row of the grid                                       */
    uint8_t pairs;                                       /* CTAs go in pairs                                                */
    uint8_t kind;                                        /* what the cycle before chose: GWDE_*                             */
    uint8_t first_sm, first_slot;                        /* where the launch before it went                                 */
    uint8_t places[GWDE_MAX_SMS];                        /* what the limit of an SM left where it was found ready           */
    struct {
        uint8_t is, kind, slot, places; /* found in the cycle before: it may get a CTA of this kind, there                      */
    } ready[GWDE_MAX_SMS];
    uint8_t counted; /* CTAs of which it is known that an empty SM has room for them                                           */
    uint8_t still;   /* after a launch: the turn waits                                                                         */
} gwde_history;

static inline void gwde_history_reset(gwde_history *h, const gwde_cfg *cfg)
{
    (void)cfg;
    *h = (gwde_history){.grid = 0};
}

/* ---- this cycle ------------------------------------------------------------------------ */

/* CTAs that have been chosen: those launched before this cycle, and the one of this cycle. */
static inline uint32_t gwde_chosen(const gwde_history *h)
{
    return h->next + h->launch;
}

enum { GWDE_SINGLE, GWDE_FIRST, GWDE_SECOND };

/* BCS-A1: where a CTA is in its row, or in the grid. */
static inline uint32_t gwde_place(const gwde_history *h, const gwde_cfg *cfg, uint32_t cta)
{
    return cfg->bcs.pair_row_wrap == BCS_PER_ROW && h->width ? cta % h->width : cta;
}

/* BCS-1, BCS-A4: the CTA at an even place and the next one, if that is in the same row of the same grid. */
static inline bool gwde_has_neighbour(const gwde_history *h, const gwde_cfg *cfg, uint32_t cta)
{
    return gwde_place(h, cfg, cta) % 2 == 0 && cta + 1 != h->grid && gwde_place(h, cfg, cta + 1) == gwde_place(h, cfg, cta) + 1;
}

/* What the next CTA is, if there is room for it. */
static inline unsigned gwde_kind(const gwde_history *h, const gwde_cfg *cfg)
{
    if (!h->pairs || h->grid == gwde_chosen(h))
        return GWDE_SINGLE;
    if (h->kind == GWDE_FIRST)
        return GWDE_SECOND;
    return gwde_has_neighbour(h, cfg, gwde_chosen(h)) ? GWDE_FIRST : GWDE_SINGLE;
}

/* GWDE-2, of an SM that holds `count` CTAs. */
static inline bool gwde_room(const gwde_history *h, const gwde_cfg *cfg, unsigned count)
{
    bool room = false;

    for (unsigned n = 0; n < cfg->sm.num_slots; n++)
        if (count == n)
            room = h->warps_of[n + 1] <= cfg->num_warps && h->regs_of[n + 1] <= cfg->reg_units &&
                   h->smem_of[n + 1] <= cfg->smem_units;
    return room;
}

/* Slots 2k and 2k+1 of a set; does the SM have both. */
static inline uint32_t gwde_two(uint32_t set, unsigned k)
{
    return set >> 2 * k & 3;
}

static inline bool gwde_both(const gwde_cfg *cfg, unsigned k)
{
    return 2 * k + 1 < cfg->sm.num_slots;
}

/* CTAs that have finished and return. BCS-3: of a pair none, while one of its CTAs runs or is still to come. */
static inline uint32_t gwde_due(const gwde_history *h, const gwde_cfg *cfg, const gwde_in *in, unsigned i)
{
    const uint32_t finished = h->held[i] & (h->finished[i] | in->sm[i].cta_done), runs = h->held[i] & ~finished;
    uint32_t due = finished;

    for (unsigned k = 0; h->pairs && 2 * k < cfg->sm.num_slots; k++)
        if (gwde_two(runs, k) || (gwde_kind(h, cfg) == GWDE_SECOND && h->sm == i && h->slot / 2 == k))
            due &= ~(UINT32_C(3) << 2 * k);
    return due;
}

/* The lowest slot for a CTA; num_slots if there is none. */
static inline unsigned gwde_slot(const gwde_history *h, const gwde_cfg *cfg, unsigned i, unsigned kind)
{
    unsigned slot = cfg->sm.num_slots;

    if (kind == GWDE_SECOND)
        return h->slot + 1u;
    for (unsigned n = cfg->sm.num_slots; n-- > 0;) {
        const bool alone = n % 2 == 0 && gwde_two(h->held[i], n / 2) == 0;

        if (!h->pairs ? !(h->held[i] >> n & 1) : alone && (kind == GWDE_SINGLE || gwde_both(cfg, n / 2)))
            slot = n;
    }
    return slot;
}

/* An entire CTA fits, or two of them. */
static inline bool gwde_fits(const gwde_history *h, const gwde_cfg *cfg, unsigned i, unsigned kind)
{
    const unsigned more = kind == GWDE_FIRST ? 1 : 0;

    return gwde_slot(h, cfg, i, kind) < cfg->sm.num_slots && ballast_popcount64(h->held[i]) + more < h->counted;
}

/* BCS-A2: what the limit leaves, in CTAs. */
static inline int gwde_left_by_limit(const gwde_history *h, const gwde_cfg *cfg, const gwde_in *in, unsigned i)
{
    const int limit = in->sm[i].limit, held = (int)ballast_popcount64(h->held[i]);

    if (!h->pairs || cfg->odd_limit == GWDE_ALLOW_SINGLE)
        return limit - held;
    if (cfg->odd_limit == GWDE_ROUND_UP)
        return (limit + 1) / 2 * 2 - held;
    return (limit == 1 ? 2 : limit / 2 * 2) - held;
}

/* What SM i would get. */
static inline unsigned gwde_kind_for(const gwde_history *h, const gwde_cfg *cfg, const gwde_in *in, unsigned i)
{
    const unsigned kind = gwde_kind(h, cfg);
    const bool one_place = cfg->odd_limit == GWDE_ALLOW_SINGLE && gwde_left_by_limit(h, cfg, in, i) == 1;

    return kind == GWDE_FIRST && one_place ? GWDE_SINGLE : kind;
}

/* GWDE-1 to GWDE-4, BCS-1. */
static inline bool gwde_takes_part(const gwde_history *h, const gwde_cfg *cfg, const gwde_in *in, unsigned i)
{
    const unsigned asked = gwde_kind(h, cfg), kind = gwde_kind_for(h, cfg, in, i);
    const int left = gwde_left_by_limit(h, cfg, in, i);
    const bool waits = asked != kind && gwde_due(h, cfg, in, i) != 0;

    return in->sm[i].req && h->grid != gwde_chosen(h) && asked != GWDE_SECOND && left > (kind == GWDE_FIRST) && !waits &&
           gwde_fits(h, cfg, i, kind);
}

static inline bool gwde_refuses(const gwde_history *h, const gwde_cfg *cfg, const gwde_in *in, unsigned i)
{
    const bool full = gwde_kind(h, cfg) != GWDE_SECOND && !gwde_fits(h, cfg, i, gwde_kind_for(h, cfg, in, i)) &&
                      gwde_due(h, cfg, in, i) == 0 && !gwde_room(h, cfg, h->counted);

    return in->sm[i].req && (h->grid == gwde_chosen(h) || full);
}

/* How many SMs are asked before SM i. */
static inline unsigned gwde_distance(const gwde_history *h, const gwde_cfg *cfg, unsigned i)
{
    return i >= h->turn ? i - h->turn : i + cfg->num_sms - h->turn;
}

static inline bool gwde_all_empty(const gwde_history *h, const gwde_cfg *cfg)
{
    uint32_t held = 0;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        held |= h->held[i];
    return held == 0;
}

static inline bool gwde_is_idle(const gwde_history *h, const gwde_cfg *cfg)
{
    return h->grid == gwde_chosen(h) && gwde_all_empty(h, cfg);
}

static inline bool gwde_first(uint32_t set, unsigned i)
{
    return (set >> i & 1) && (set & ((UINT32_C(1) << i) - 1)) == 0;
}

/* ---- what is remembered ------------------------------------------------------------------ */

static inline void gwde_remember_kernel(gwde_history *h, const gwde_cfg *cfg, const gwde_in *in)
{
    h->warps = in->warps;
    h->regs = in->regs;
    h->smem = in->smem;
    for (unsigned n = 0; n < cfg->sm.num_slots; n++) {
        h->warps_of[n + 1] = (uint16_t)(h->warps_of[n] + in->warps);
        h->regs_of[n + 1] = h->regs_of[n] + in->regs;
        h->smem_of[n + 1] = h->smem_of[n] + in->smem;
    }
    h->too_big = in->warps > cfg->num_warps || in->regs > cfg->reg_units || in->smem > cfg->smem_units;
    h->grid = h->too_big ? 0 : in->grid;
    h->pairs = in->bcs && in->two_d && cfg->sm.num_slots > 1 && h->warps_of[2] <= cfg->num_warps && h->regs_of[2] <= cfg->reg_units &&
               h->smem_of[2] <= cfg->smem_units;
    h->width = in->width;
    h->next = 0;
    h->turn = 0;
    h->counted = !h->too_big;
}

/* The SM that is nearest to the turn, of those that were found ready. */
static inline void gwde_remember_choice(gwde_history *h, const gwde_cfg *cfg, const gwde_in *in)
{
    const bool second = gwde_kind(h, cfg) == GWDE_SECOND;
    unsigned best = cfg->num_sms, sm = h->sm, kind = GWDE_SECOND, slot = second ? h->slot + 1u : h->slot;

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const bool nearer = h->ready[i].is && gwde_distance(h, cfg, i) < best;

        best = nearer ? gwde_distance(h, cfg, i) : best;
        sm = nearer ? i : sm;
        kind = nearer ? h->ready[i].kind : kind;
        slot = nearer ? h->ready[i].slot : slot;
    }
    for (unsigned i = 0; i < cfg->num_sms && !second; i++) {
        const bool waits = h->ready[i].is && best != cfg->num_sms && i != sm;
        const bool goes_on = gwde_takes_part(h, cfg, in, i) && !(best != cfg->num_sms && i == sm);

        h->passed[i] = (uint16_t)(goes_on ? h->passed[i] + waits : 0);
    }
    h->first_sm = h->sm;
    h->first_slot = h->slot;
    h->slot = (uint8_t)slot;
    h->next = gwde_chosen(h);
    h->launch = best != cfg->num_sms || second;
    h->kind = (uint8_t)(h->launch ? kind : GWDE_SINGLE);
    h->sm = (uint8_t)sm;
}

/* GWDE-A1, GWDE-A3. */
static inline void gwde_remember_turn(gwde_history *h, const gwde_cfg *cfg)
{
    const unsigned from = cfg->rr_advance == GWDE_EVERY_CYCLE ? h->turn : h->sm;

    if (cfg->fill == GWDE_FILL_DF || (cfg->rr_advance == GWDE_AFTER_GRANT && h->kind == GWDE_SECOND))
        return;
    if (cfg->rr_advance == GWDE_EVERY_CYCLE ? !h->still : h->launch)
        h->turn = (uint8_t)(from == cfg->num_sms - 1 ? 0 : from + 1);
}

/* `due` return, one by one, the lowest first. */
static inline void gwde_remember_slots(gwde_history *h, const gwde_cfg *cfg, const gwde_in *in, unsigned i, uint32_t due)
{
    h->finished[i] = h->held[i] & (h->finished[i] | in->sm[i].cta_done);
    for (unsigned n = 0; n < cfg->sm.num_slots; n++) {
        const uint32_t slot = UINT32_C(1) << n;

        if (gwde_first(due, n)) {
            h->held[i] &= ~slot;
            h->finished[i] &= ~slot;
        }
    }
    if (h->launch && h->sm == i)
        h->held[i] |= UINT32_C(1) << (h->slot & 31);
}

/* Who may get a CTA in the next cycle, by what this one finds. */
typedef struct gwde_found {
    bool takes_part;
    uint8_t kind, slot, places;
} gwde_found;

static inline gwde_found gwde_find(const gwde_history *h, const gwde_cfg *cfg, const gwde_in *in, unsigned i)
{
    const unsigned kind = gwde_kind_for(h, cfg, in, i);
    const int left = gwde_left_by_limit(h, cfg, in, i);

    return (gwde_found){gwde_takes_part(h, cfg, in, i), (uint8_t)kind, (uint8_t)gwde_slot(h, cfg, i, kind), (uint8_t)(left > 0 ? left : 0)};
}

/* None of it holds on for the SM that gets a CTA, nor for any where the next CTA may be of another kind, is none, or has to go to the
 * SM that gets this one. */
static inline void gwde_remember_ready(gwde_history *h, const gwde_cfg *cfg, const gwde_found *found)
{
    const bool all = h->launch && (h->pairs || cfg->fill == GWDE_FILL_DF || h->next + 1 == h->grid);

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        h->ready[i].is = found[i].takes_part && !all && !(h->launch && h->sm == i);
        h->ready[i].kind = found[i].kind;
        h->ready[i].slot = found[i].slot;
        h->ready[i].places = found[i].places;
    }
    h->still = all;
}

static inline void gwde_remember(gwde_history *h, const gwde_cfg *cfg, const gwde_in *in, const gwde_out *out)
{
    const bool starts = in->start && gwde_is_idle(h, cfg);
    uint32_t due[GWDE_MAX_SMS];
    gwde_found found[GWDE_MAX_SMS];

    (void)out;
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        due[i] = gwde_due(h, cfg, in, i);
        found[i] = gwde_find(h, cfg, in, i);
        h->places[i] = h->ready[i].places;
    }
    gwde_remember_choice(h, cfg, in);
    gwde_remember_turn(h, cfg);
    gwde_remember_ready(h, cfg, found);
    h->counted = (uint8_t)(h->counted + gwde_room(h, cfg, h->counted));
    for (unsigned i = 0; i < cfg->num_sms; i++)
        gwde_remember_slots(h, cfg, in, i, due[i]);
    if (starts)
        gwde_remember_kernel(h, cfg, in);
}

/* ---- what follows from it ---------------------------------------------------------------- */

static inline bool gwde_launches_as_said(const gwde_history *h, const gwde_cfg *cfg, const gwde_out *out)
{
    bool same = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        same &= out->sm[i].cta_start == (h->launch && h->sm == i ? UINT32_C(1) << (h->slot % 32) : 0);
    return same;
}

static inline bool gwde_active_as_said(const gwde_history *h, const gwde_cfg *cfg, const gwde_out *out)
{
    bool same = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        same &= out->sm[i].cta_active == (h->held[i] & ~h->finished[i]);
    return same;
}

static inline bool gwde_denied_as_said(const gwde_history *h, const gwde_cfg *cfg, const gwde_in *in, const gwde_out *out)
{
    bool same = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        same &= out->sm[i].denied == gwde_refuses(h, cfg, in, i);
    return same;
}

/* The SM of the launch had places for it, or for two. */
static inline bool gwde_has_places(const gwde_history *h, const gwde_cfg *cfg, const gwde_out *out)
{
    bool has = false;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        has |= out->start_sm == i && h->places[i] > (h->kind == GWDE_FIRST);
    return has;
}

/* The CTA that shares the pair of slots with the launch of this cycle, if there is one. */
static inline bool gwde_beside(const gwde_history *h, const gwde_cfg *cfg, const gwde_out *out)
{
    bool beside = false;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        beside |= out->start_sm == i && gwde_two(h->held[i], out->start_slot / 2) == 3;
    return beside;
}

/* GWDE-2: no SM's CTAs hold more than it has. */
static inline bool gwde_within(const gwde_history *h, const gwde_cfg *cfg)
{
    bool within = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        for (unsigned n = 0; n <= cfg->sm.num_slots; n++)
            within &= ballast_popcount64(h->held[i]) != n ||
                      (h->warps_of[n] <= cfg->num_warps && h->regs_of[n] <= cfg->reg_units && h->smem_of[n] <= cfg->smem_units);
    return within;
}

static inline bool gwde_fair(const gwde_history *h, const gwde_cfg *cfg)
{
    bool fair = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        fair &= h->passed[i] < cfg->num_sms;
    return fair || cfg->fill == GWDE_FILL_DF;
}

/* The account of every SM is proved in sm_resources. Here it is followed for all SMs at once, in tests. */
#define BLOCK_HISTORY_TESTED

#define BLOCK_HISTORY_RULES(H)                                                                                           \
    H(TEST, "GWDE-1", "a CTA is launched the cycle after an SM has taken part, and in no other", out->start_valid == was->launch) \
    H(TEST, "GWDE-A1", "it goes to the first SM from the turn on that was ready", !was->launch || out->start_sm == was->sm) \
    H(TEST, "GWDE-2", "into the slot that was the lowest that held nothing", !was->launch || out->start_slot == was->slot)             \
    H(TEST, "GWDE-1", "the CTAs of the grid are launched in order, each once, and no other",                              \
      !was->launch || (out->start_cta == was->next && was->next < was->grid))                                            \
    H(TEST, "BCS-1", "the second CTA of a pair comes in the next cycle, to the same SM, in the slot above",               \
      !was->launch || was->kind != GWDE_SECOND ||                                                                        \
          (out->start_valid && out->start_sm == was->first_sm && out->start_slot == was->first_slot + 1u))               \
    H(TEST, "BCS-A1", "a pair is two neighbours: an even place of the row or grid, and the next one",                     \
      !was->launch || was->kind != GWDE_SECOND || gwde_place(was, cfg, out->start_cta) % 2 == 1)                         \
    H(TEST, "BCS-3", "a CTA is beside another one only as the second one of its pair",                                    \
      !was->pairs || !out->start_valid || gwde_beside(was, cfg, out) == (was->kind == GWDE_SECOND))                      \
    H(TEST, "BCS-A4", "in pairs, what is no second CTA is in an even slot",                                               \
      !was->pairs || !out->start_valid || out->start_slot % 2 == (was->kind == GWDE_SECOND))                             \
    H(TEST, "BCS-A2", "no CTA comes that the limit has no place for, nor a pair", \
      !out->start_valid || was->kind == GWDE_SECOND || gwde_has_places(was, cfg, out))                                   \
    H(TEST, "GWDE-1", "the SM sees its launch, and no other SM one", gwde_launches_as_said(was, cfg, out))                \
    H(TEST, "GWDE-1", "a slot is active from the launch of its CTA until it has finished", gwde_active_as_said(was, cfg, out)) \
    H(TEST, "GWDE-2", "what the CTAs of an SM hold is never more than it has", gwde_within(was, cfg))                     \
    H(TEST, "GWDE-1", "denied: no CTA is left, or none fits and none is on its way back", gwde_denied_as_said(was, cfg, in, out)) \
    H(TEST, "GWDE-1", "exhausted: every CTA of the grid has been chosen", out->exhausted == (gwde_chosen(was) == was->grid)) \
    H(TEST, "GWDE-1", "idle: exhausted, and nothing is held", out->idle == gwde_is_idle(was, cfg))                        \
    H(TEST, "GWDE-2", "a kernel of which no CTA fits an empty SM is reported", out->too_big == was->too_big)              \
    H(TEST, "GWDE-A1", "an SM that takes part is passed over by fewer launches than there are SMs", gwde_fair(was, cfg))

#endif
