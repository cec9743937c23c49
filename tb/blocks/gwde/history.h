/* SPDX-License-Identifier: Apache-2.0
 *
 * What gwde's rules remember of a run, from its inputs and outputs alone (rules/rules.h): which slots hold something, how far the
 * grid is, whose turn it is, and which launch the last cycle has led to.
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

/* GWDE-2, of an SM that holds `count` CTAs. */
static inline bool gwde_room(const gwde_history *h, const gwde_cfg *cfg, unsigned count)
{
    bool room = false;

    for (unsigned n = 0; n < cfg->sm.num_slots; n++)
        if (count == n)
            room = h->warps_of[n + 1] <= cfg->sm.num_warps && h->regs_of[n + 1] <= cfg->sm.reg_units &&
                   h->smem_of[n + 1] <= cfg->sm.smem_units;
    return room;
}

static inline uint32_t gwde_due(const gwde_history *h, const gwde_in *in, unsigned i)
{
    return h->held[i] & (h->finished[i] | in->sm[i].cta_done);
}

/* GWDE-1 to GWDE-4. */
static inline bool gwde_takes_part(const gwde_history *h, const gwde_cfg *cfg, const gwde_in *in, unsigned i)
{
    const unsigned count = popcount64(h->held[i]);

    return in->sm[i].req && count < in->sm[i].limit && gwde_room(h, cfg, count) && h->grid != gwde_chosen(h);
}

static inline bool gwde_refuses(const gwde_history *h, const gwde_cfg *cfg, const gwde_in *in, unsigned i)
{
    const bool full = !gwde_room(h, cfg, popcount64(h->held[i])) && gwde_due(h, in, i) == 0;

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
    h->too_big = in->warps > cfg->sm.num_warps || in->regs > cfg->sm.reg_units || in->smem > cfg->sm.smem_units;
    h->grid = h->too_big ? 0 : in->grid;
    h->next = 0;
    h->turn = 0;
}

/* The SM that is nearest to the turn, of those that take part. */
static inline void gwde_remember_choice(gwde_history *h, const gwde_cfg *cfg, const gwde_in *in)
{
    unsigned best = cfg->num_sms, sm = h->sm;

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const bool nearer = gwde_takes_part(h, cfg, in, i) && gwde_distance(h, cfg, i) < best;

        best = nearer ? gwde_distance(h, cfg, i) : best;
        sm = nearer ? i : sm;
    }
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const bool waits = gwde_takes_part(h, cfg, in, i) && best != cfg->num_sms && i != sm;

        h->passed[i] = (uint16_t)(waits ? h->passed[i] + 1 : 0);
    }
    h->next = gwde_chosen(h);
    h->launch = best != cfg->num_sms;
    h->sm = (uint8_t)sm;
}

/* GWDE-A1, GWDE-A3. */
static inline void gwde_remember_turn(gwde_history *h, const gwde_cfg *cfg)
{
    const unsigned from = cfg->rr_advance == GWDE_EVERY_CYCLE ? h->turn : h->sm;

    if (cfg->fill == GWDE_FILL_DF)
        return;
    if (cfg->rr_advance == GWDE_EVERY_CYCLE || h->launch)
        h->turn = (uint8_t)(from == cfg->num_sms - 1 ? 0 : from + 1);
}

static inline void gwde_remember_slots(gwde_history *h, const gwde_cfg *cfg, const gwde_in *in, unsigned i)
{
    const uint32_t due = gwde_due(h, in, i);
    const uint32_t free = ~h->held[i];
    const bool chosen = h->launch && h->sm == i;

    h->finished[i] = due;
    for (unsigned n = 0; n < cfg->sm.num_slots; n++) {
        const uint32_t slot = UINT32_C(1) << n;

        if (gwde_first(due, n)) {
            h->held[i] &= ~slot;
            h->finished[i] &= ~slot;
        }
        if (chosen && gwde_first(free, n)) {
            h->held[i] |= slot;
            h->slot = (uint8_t)n;
        }
    }
}

static inline void gwde_remember(gwde_history *h, const gwde_cfg *cfg, const gwde_in *in, const gwde_out *out)
{
    const bool starts = in->start && gwde_is_idle(h, cfg);

    (void)out;
    gwde_remember_choice(h, cfg, in);
    gwde_remember_turn(h, cfg);
    for (unsigned i = 0; i < cfg->num_sms; i++)
        gwde_remember_slots(h, cfg, in, i);
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

/* GWDE-2: no SM's CTAs hold more than it has. */
static inline bool gwde_within(const gwde_history *h, const gwde_cfg *cfg)
{
    bool within = true;

    for (unsigned i = 0; i < cfg->num_sms; i++)
        for (unsigned n = 0; n <= cfg->sm.num_slots; n++)
            within &= popcount64(h->held[i]) != n ||
                      (h->warps_of[n] <= cfg->sm.num_warps && h->regs_of[n] <= cfg->sm.reg_units && h->smem_of[n] <= cfg->sm.smem_units);
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
    H(TEST, "GWDE-A1", "it goes to the first SM from the turn on that took part", !was->launch || out->start_sm == was->sm) \
    H(TEST, "GWDE-2", "into the lowest slot that held nothing", !was->launch || out->start_slot == was->slot)             \
    H(TEST, "GWDE-1", "the CTAs of the grid are launched in order, each once, and no other",                              \
      !was->launch || (out->start_cta == was->next && was->next < was->grid))                                            \
    H(TEST, "GWDE-1", "the SM sees its launch, and no other SM one", gwde_launches_as_said(was, cfg, out))                \
    H(TEST, "GWDE-1", "a slot is active from the launch of its CTA until it has finished", gwde_active_as_said(was, cfg, out)) \
    H(TEST, "GWDE-2", "what the CTAs of an SM hold is never more than it has", gwde_within(was, cfg))                     \
    H(TEST, "GWDE-1", "denied: no CTA is left, or none fits and none is on its way back", gwde_denied_as_said(was, cfg, in, out)) \
    H(TEST, "GWDE-1", "exhausted: every CTA of the grid has been chosen", out->exhausted == (gwde_chosen(was) == was->grid)) \
    H(TEST, "GWDE-1", "idle: exhausted, and nothing is held", out->idle == gwde_is_idle(was, cfg))                        \
    H(TEST, "GWDE-2", "a kernel of which no CTA fits an empty SM is reported", out->too_big == was->too_big)              \
    H(TEST, "GWDE-A1", "an SM that takes part is passed over by fewer launches than there are SMs", gwde_fair(was, cfg))

#endif
