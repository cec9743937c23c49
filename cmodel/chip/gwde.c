/* SPDX-License-Identifier: Apache-2.0
 *
 * A cycle asks what the next CTA is, looks at every SM once, chooses one of those that the cycle before found
 * ready, shows the launch that was chosen before, finds out which SMs are ready next, and moves on.
 */
#include "chip/gwde.h"

#include <stdbool.h>

enum { NOBODY = GWDE_MAX_SMS };

gwde_cfg gwde_cfg_default(void)
{
    return (gwde_cfg){.num_sms = 15, .num_warps = 48, .reg_units = 1024, .smem_units = 384, .bcs = bcs_cfg_default(), .sm = sm_resources_cfg_default()};
}

void gwde_reset(gwde_state *state, const gwde_cfg *cfg)
{
    state->left = state->cta = 0;
    state->regs = state->smem = state->warps = 0;
    state->most = 0;
    state->sum_warps = 0;
    state->sum_regs = state->sum_smem = 0;
    state->too_big = state->ptr = state->still = 0;
    state->start_valid = state->start_sm = state->start_slot = 0;
    for (unsigned i = 0; i < cfg->num_sms; i++)
        sm_resources_reset(&state->sm[i], &cfg->sm);
    bcs_reset(&state->bcs, &cfg->bcs);
}

static bcs_out next_cta(const gwde_state *s, const gwde_cfg *cfg)
{
    const bcs_in asked = {.last = s->left == 1};
    bcs_out next;

    bcs_look(&s->bcs, &cfg->bcs, &asked, &next);
    return next;
}

/* BCS-A2: how many CTAs an SM may hold. */
static unsigned places(const gwde_cfg *cfg, const bcs_out *next, unsigned limit)
{
    const bool even = limit % 2 == 0;

    if (!next->on || even || cfg->odd_limit == GWDE_ALLOW_SINGLE)
        return limit;
    return limit == 1 || cfg->odd_limit == GWDE_ROUND_UP ? limit + 1 : limit - 1;
}

/* The next CTA may open a pair, but there is one place only: it would go alone. */
static bool one_place(const gwde_state *s, const gwde_cfg *cfg, const gwde_in *in, const bcs_out *next, unsigned i)
{
    return cfg->odd_limit == GWDE_ALLOW_SINGLE && next->first && s->sm[i].count + 1u == in->sm[i].limit;
}

static sm_resources_in account_of(const gwde_state *s, const gwde_cfg *cfg, const gwde_in *in, const bcs_out *next, unsigned i)
{
    return (sm_resources_in){
        .cta_done = in->sm[i].cta_done,
        .most = s->most,
        .pair = next->on,
        .whole = next->first && !one_place(s, cfg, in, next, i),
    };
}

/* GWDE-1, GWDE-3, GWDE-4, BCS-A2: it asks, and its limit lets the next CTA in. Whether that fits, the account says. */
static bool may_get(const gwde_state *s, const gwde_cfg *cfg, const gwde_in *in, const bcs_out *next,
                    const sm_resources_out *sm, unsigned i)
{
    const unsigned most = places(cfg, next, in->sm[i].limit);

    if (!in->sm[i].req || s->left == 0)
        return false;
    if (one_place(s, cfg, in, next, i))
        return !sm->due;
    return sm->count + (next->first ? 2u : 1u) <= most;
}

/* GWDE-2: an empty SM has room for one CTA more than has been counted. */
static bool one_more(const gwde_state *s, const gwde_cfg *cfg)
{
    return s->most < cfg->sm.num_slots && s->sum_warps <= cfg->num_warps && s->sum_regs <= cfg->reg_units && s->sum_smem <= cfg->smem_units;
}

/* What the cycle finds, before anything changes. */
typedef struct view {
    bcs_out cta; /* what the next CTA is                    */
    bool empty;  /* no SM holds anything                    */
    struct {
        bool takes;   /* it may get the next CTA            */
        bool whole;   /* as the first one of a pair         */
        bool may;     /* it may be ready in the next cycle  */
        uint8_t slot; /* where that would go                */
    } sm[GWDE_MAX_SMS];
} view;

static void look_at(const gwde_state *s, const gwde_cfg *cfg, const gwde_in *in, gwde_out *out, view *v)
{
    v->cta = next_cta(s, cfg);
    v->empty = true;
    for (unsigned i = 0; i < cfg->num_sms; i++) {
        const sm_resources_in asked = account_of(s, cfg, in, &v->cta, i);
        sm_resources_out sm;

        sm_resources_look(&s->sm[i], &cfg->sm, &asked, &sm);
        out->sm[i].cta_active = sm.active;
        out->sm[i].denied = in->sm[i].req && (s->left == 0 || (!sm.fits && !sm.due && !v->cta.second && !one_more(s, cfg)));
        v->empty = v->empty && sm.count == 0;
        v->sm[i].takes = sm.ready;
        v->sm[i].whole = sm.whole;
        v->sm[i].may = may_get(s, cfg, in, &v->cta, &sm, i);
        v->sm[i].slot = sm.slot;
    }
}

typedef struct choice {
    unsigned sm; /* NOBODY if no SM takes part */
    uint8_t slot;
} choice;

/* The lowest SM from `least` on. */
static choice lowest(const gwde_cfg *cfg, const view *v, unsigned least)
{
    choice found = {.sm = NOBODY};

    for (unsigned i = cfg->num_sms; i-- > 0;)
        if (v->sm[i].takes && i >= least)
            found = (choice){i, v->sm[i].slot};
    return found;
}

/* GWDE-1: from the turn on, then from SM 0 on. */
static choice choose(const gwde_state *s, const gwde_cfg *cfg, const view *v)
{
    const choice in_turn = lowest(cfg, v, s->ptr);

    return in_turn.sm == NOBODY ? lowest(cfg, v, 0) : in_turn;
}

static void show_launch(const gwde_state *s, const gwde_cfg *cfg, gwde_out *out)
{
    const uint32_t launched = s->start_slot < cfg->sm.num_slots ? UINT32_C(1) << s->start_slot : 0;

    out->start_valid = s->start_valid;
    out->start_sm = s->start_sm;
    out->start_slot = s->start_slot;
    out->start_cta = s->cta;
    for (unsigned i = 0; i < cfg->num_sms; i++)
        out->sm[i].cta_start = s->start_valid && s->start_sm == i ? launched : 0;
}

/* Of a kernel that starts. */
static bool in_pairs(const gwde_cfg *cfg, const gwde_in *in)
{
    const bool fit = 2u * in->warps <= cfg->num_warps && 2u * in->regs <= cfg->reg_units &&
                     2u * in->smem <= cfg->smem_units && cfg->sm.num_slots > 1;

    return in->bcs && in->two_d && fit;
}

static bool exceeds(const gwde_cfg *cfg, const gwde_in *in)
{
    return in->warps > cfg->num_warps || in->regs > cfg->reg_units || in->smem > cfg->smem_units;
}

static void start_kernel(gwde_state *s, const gwde_cfg *cfg, const gwde_in *in)
{
    s->too_big = exceeds(cfg, in);
    s->left = s->too_big ? 0 : in->grid;
    s->cta = 0;
    s->ptr = 0;
    s->most = !s->too_big;
    s->sum_warps = (uint16_t)(2 * in->warps);
    s->sum_regs = 2u * in->regs;
    s->sum_smem = 2u * in->smem;
    s->warps = in->warps;
    s->regs = in->regs;
    s->smem = in->smem;
}

static void count_most(gwde_state *s, const gwde_cfg *cfg)
{
    if (!one_more(s, cfg))
        return;
    s->most++;
    s->sum_warps = (uint16_t)(s->sum_warps + s->warps);
    s->sum_regs += s->regs;
    s->sum_smem += s->smem;
}

static unsigned after(const gwde_cfg *cfg, unsigned sm)
{
    return sm + 1 < cfg->num_sms ? sm + 1 : 0;
}

static void move_turn(gwde_state *s, const gwde_cfg *cfg, unsigned chosen)
{
    if (cfg->fill == GWDE_FILL_DF)
        s->ptr = 0;
    else if (cfg->rr_advance == GWDE_EVERY_CYCLE)
        s->ptr = (uint8_t)(s->still ? s->ptr : after(cfg, s->ptr));
    else if (chosen != NOBODY)
        s->ptr = (uint8_t)after(cfg, chosen);
}

static void move_grid(gwde_state *s, const gwde_cfg *cfg, const gwde_in *in, bool start, bool take, bool alone)
{
    const bcs_in grid = {.width = in->width, .start = start, .pairs = in_pairs(cfg, in), .last = s->left == 1,
                         .take = take, .alone = alone};
    bcs_out ignored;

    bcs_step(&s->bcs, &cfg->bcs, &grid, &ignored);
}

void gwde_step(gwde_state *state, const gwde_cfg *cfg, const gwde_in *in, gwde_out *out)
{
    view v;

    look_at(state, cfg, in, out, &v);
    show_launch(state, cfg, out);
    out->exhausted = state->left == 0;
    out->idle = v.empty && state->left == 0;
    out->too_big = state->too_big;

    const choice chosen = choose(state, cfg, &v);
    const bool grant = chosen.sm != NOBODY, launch = grant || v.cta.second, start = in->start && out->idle;
    /* The next CTA is the same kind only without pairs, and depth first it goes to the same SM. */
    const bool clear = launch && (v.cta.on || cfg->fill == GWDE_FILL_DF || state->left == 1);

    for (unsigned i = 0; i < cfg->num_sms; i++) {
        sm_resources_in account = account_of(state, cfg, in, &v.cta, i);
        sm_resources_out ignored;

        account.may = v.sm[i].may;
        account.clear = clear;
        account.take = i == chosen.sm;
        sm_resources_step(&state->sm[i], &cfg->sm, &account, &ignored);
    }
    move_grid(state, cfg, in, start, launch, !grant || !v.sm[chosen.sm].whole);
    count_most(state, cfg);
    state->cta += state->start_valid;
    state->start_valid = launch;
    state->left -= launch;
    if (grant) {
        state->start_sm = (uint8_t)chosen.sm;
        state->start_slot = chosen.slot;
    } else if (v.cta.second) {
        state->start_slot |= 1;
    }
    move_turn(state, cfg, chosen.sm);
    state->still = clear;
    if (start)
        start_kernel(state, cfg, in);
}
