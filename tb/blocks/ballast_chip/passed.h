/* SPDX-License-Identifier: Apache-2.0
 *
 * What ballast_chip passes to its parts in every cycle, from its own inputs, from registers, and from what the parts give. A rule says
 * that a part's registers after the edge, and the chip's outputs, are what the part's model makes of that. That these models are
 * those of the RTL's blocks is the business of the blocks' own proofs.
 */
#ifndef BALLAST_BALLAST_CHIP_PASSED_H
#define BALLAST_BALLAST_CHIP_PASSED_H

#include "blocks/chip_governor/passed.h"

/* What the rules see (rules/rules.h). */
typedef struct ballast_chip_cycle {
    const ballast_chip_state *before, *after;
    const ballast_chip_in *in;
    const ballast_chip_out *out;
    const ballast_chip_cfg *cfg;
} ballast_chip_cycle;

/* ---- the dispatcher, whichever it is, from its registers ----------------------------------------- */

static inline uint32_t ballast_chip_active(const ballast_chip_cycle *c, unsigned i)
{
    const sm_resources_state *one = &c->before->gwde.sm[i];
    const cke_resources_state *several = &c->before->mcke.sm[i];

    return c->cfg->num_kernels == 1 ? one->held & ~one->returning : several->held & ~several->returning;
}

/* No CTA of kernel k is left, and none holds a slot. */
static inline bool ballast_chip_idle(const ballast_chip_state *s, const ballast_chip_cfg *cfg, unsigned k)
{
    const bool launched = s->mcke.start_valid && s->mcke.start_kernel == k; /* not counted yet */
    bool idle = cfg->num_kernels == 1 ? s->gwde.left == 0 : s->mcke.left[k] == 0 && !launched;

    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        idle &= cfg->num_kernels == 1 ? s->gwde.sm[i].count == 0 : s->mcke.sm[i].ctas[k] == 0;
    return idle;
}

static inline uint8_t ballast_chip_all_idle(const ballast_chip_cycle *c)
{
    uint8_t idle = 0;

    for (unsigned k = 0; k < c->cfg->num_kernels; k++)
        idle |= (uint8_t)(ballast_chip_idle(c->before, c->cfg, k) << k);
    return idle;
}

static inline uint8_t ballast_chip_exhausted(const ballast_chip_cycle *c)
{
    uint8_t exhausted = 0;

    if (c->cfg->num_kernels == 1)
        return c->before->gwde.left == 0;
    for (unsigned k = 0; k < c->cfg->num_kernels; k++)
        exhausted |= (uint8_t)((c->before->mcke.left[k] == 0) << k);
    return exhausted;
}

static inline bool ballast_chip_launched(const ballast_chip_cycle *c)
{
    return c->cfg->num_kernels == 1 ? c->before->gwde.start_valid : c->before->mcke.start_valid;
}

/* ---- governors ---------------------------------------------------------------------------------- */

static inline chip_governor_out ballast_chip_governed(const ballast_chip_cycle *c, chip_governor_state *s)
{
    const ballast_regs_state *r = &c->before->regs;
    const unsigned sms = c->cfg->governor.num_sms;
    chip_governor_in in;
    chip_governor_out out;

    in.policy = r->policy;
    in.static_limit = r->static_limit;
    in.t_idle = r->t_idle;
    in.t_mem_l = r->t_mem_l;
    in.t_mem_h = r->t_mem_h;
    in.mode = r->mode;
    in.kernel_id = r->kernel_id;
    for (unsigned i = 0; i < sms; i++) {
        const ballast_chip_sm_in *sm = &c->in->sm[i];

        memset(&in.sm[i], 0, sizeof in.sm[i]);
        in.sm[i].ws0 = sm->ws0;
        in.sm[i].ws1 = sm->ws1;
        in.sm[i].ws2 = sm->ws2;
        in.sm[i].ws3 = sm->ws3;
        in.sm[i].paused = sm->paused;
        in.sm[i].issue_valid = sm->issue_valid;
        in.sm[i].issue_slot = sm->issue_slot;
        in.sm[i].cta_done = sm->cta_done;
        in.sm[i].cta_start = c->out->sm[i].cta_start;
        in.sm[i].cta_active = ballast_chip_active(c, i);
        in.sm[i].cta_denied = c->before->denied[i];
        in.sm[i].kernel_start = r->start;
        in.sm[i].nmax = r->nmax;
        in.sm[i].wcta = r->wcta;
    }
    memcpy(s, &c->before->governor, offsetof(chip_governor_state, sm) + sms * sizeof s->sm[0]);
    chip_governor_step(s, &c->cfg->governor, &in, &out);
    return out;
}

static inline bool ballast_chip_same_domain(const vf_domain_state *a, const vf_domain_state *b)
{
    return a->level == b->level && a->next == b->next && a->timer == b->timer;
}

static inline bool ballast_chip_governors_are(const ballast_chip_cycle *c)
{
    const chip_governor_state *now = &c->after->governor;
    chip_governor_state s;
    const chip_governor_out given = ballast_chip_governed(c, &s);
    bool same = ballast_chip_same_domain(&now->sm_domain, &s.sm_domain) && ballast_chip_same_domain(&now->mem_domain, &s.mem_domain) &&
                chip_governor_same_vote(&now->vote, &s.vote, &c->cfg->governor.vote) &&
                now->search == s.search && chip_governor_same_scout(&now->scout, &s.scout) &&
                chip_governor_same_table(&now->table, &s.table, &c->cfg->governor.table) &&
                chip_governor_same_levels(&now->levels, &s.levels) &&
                c->out->sm_level == given.sm_level && c->out->mem_level == given.mem_level && c->out->sm_busy == given.sm_busy &&
                c->out->mem_busy == given.mem_busy && c->out->sm_stall == given.sm_stall && c->out->mem_stall == given.mem_stall;

    for (unsigned i = 0; i < c->cfg->governor.num_sms; i++) {
        const ballast_chip_sm_out *sm = &c->out->sm[i];

        same &= chip_governor_same_sm(&now->sm[i], &s.sm[i], &c->cfg->governor.sm) && sm->limit == given.sm[i].limit &&
                sm->cta_paused == given.sm[i].cta_paused && sm->pause_soft == given.sm[i].pause_soft;
    }
    return same;
}

/* ---- dispatchers -------------------------------------------------------------------------------- */

static inline bool ballast_chip_same_pairs(const bcs_state *a, const bcs_state *b)
{
    return a->row == b->row && a->width == b->width && a->on == b->on && a->odd == b->odd && a->split == b->split;
}

static inline bool ballast_chip_same_room(const sm_resources_state *a, const sm_resources_state *b)
{
    return a->held == b->held && a->returning == b->returning && a->count == b->count && a->slot == b->slot && a->ready == b->ready &&
           a->whole == b->whole && a->second == b->second && a->pair == b->pair;
}

static inline bool ballast_chip_gwde_is(const ballast_chip_cycle *c)
{
    const ballast_regs_state *r = &c->before->regs;
    const gwde_state *now = &c->after->gwde;
    chip_governor_state governors;
    const chip_governor_out asked = ballast_chip_governed(c, &governors);
    gwde_state s = c->before->gwde;
    gwde_in in = {.start = r->start, .grid = r->grid, .width = r->width, .two_d = r->two_d, .warps = r->warps, .regs = r->regs,
                  .smem = r->smem, .bcs = r->bcs};
    gwde_out out;
    bool same;

    for (unsigned i = 0; i < c->cfg->gwde.num_sms; i++)
        in.sm[i] = (gwde_sm_in){.cta_done = c->in->sm[i].cta_done, .limit = c->out->sm[i].limit, .req = asked.sm[i].req};
    gwde_step(&s, &c->cfg->gwde, &in, &out);
    same = now->left == s.left && now->cta == s.cta && now->warps == s.warps && now->regs == s.regs && now->smem == s.smem &&
           now->most == s.most && now->sum_warps == s.sum_warps && now->sum_regs == s.sum_regs && now->sum_smem == s.sum_smem && now->too_big == s.too_big && now->ptr == s.ptr && now->still == s.still && now->start_valid == s.start_valid && now->start_sm == s.start_sm &&
           now->start_slot == s.start_slot && ballast_chip_same_pairs(&now->bcs, &s.bcs) && c->out->start_cta == out.start_cta && c->out->start_kernel == 0;
    for (unsigned i = 0; i < c->cfg->gwde.num_sms; i++)
        same &= ballast_chip_same_room(&now->sm[i], &s.sm[i]) && c->out->sm[i].cta_start == out.sm[i].cta_start && c->after->denied[i] == out.sm[i].denied;
    return same;
}

static inline bool ballast_chip_same_account(const cke_resources_state *a, const cke_resources_state *b, const cke_resources_cfg *cfg)
{
    bool same = a->owner == b->owner && a->held == b->held && a->returning == b->returning && a->regs == b->regs && a->smem == b->smem &&
                a->warps == b->warps && a->ready == b->ready && a->move == b->move && a->taken == b->taken;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        same &= a->ctas[k] == b->ctas[k];
    return same;
}

static inline bool ballast_chip_mcke_is(const ballast_chip_cycle *c)
{
    const ballast_regs_state *r = &c->before->regs;
    const mcke_state *now = &c->after->mcke;
    chip_governor_state governors;
    const chip_governor_out asked = ballast_chip_governed(c, &governors);
    mcke_state s = c->before->mcke;
    mcke_in in = {.start = r->start, .kernel = r->kernel, .grid = r->grid, .warps = r->warps, .regs = r->regs, .smem = r->smem,
                  .mode = r->dispatch};
    mcke_out out;
    bool same;

    for (unsigned i = 0; i < c->cfg->mcke.num_sms; i++) {
        in.sm[i] = (mcke_sm_in){.cta_done = c->in->sm[i].cta_done, .limit = c->out->sm[i].limit, .req = asked.sm[i].req};
        for (unsigned k = 0; k < c->cfg->num_kernels; k++)
            in.sm[i].quota = (uint32_t)ballast_cke_with_field(in.sm[i].quota, k, c->cfg->mcke.sm.num_slots, r->quota[k]);
    }
    mcke_step(&s, &c->cfg->mcke, &in, &out);
    same = now->too_big == s.too_big && now->turn == s.turn && now->start_valid == s.start_valid && now->start_kernel == s.start_kernel &&
           now->kernel == s.kernel && now->start_slot == s.start_slot && c->out->start_cta == out.start_cta &&
           c->out->start_kernel == out.start_kernel;
    for (unsigned k = 0; k < c->cfg->num_kernels; k++)
        same &= now->left[k] == s.left[k] && now->cta[k] == s.cta[k] && now->warps[k] == s.warps[k] && now->regs[k] == s.regs[k] &&
                now->smem[k] == s.smem[k];
    for (unsigned i = 0; i < c->cfg->mcke.num_sms; i++) {
        bool denied = true; /* no kernel can serve it */

        for (unsigned k = 0; k < c->cfg->num_kernels; k++)
            denied &= out.sm[i].denied >> k & 1;
        same &= now->row[i] == s.row[i] && now->who[i] == s.who[i] && now->after[i] == s.after[i] && ballast_chip_same_account(&now->sm[i], &s.sm[i], &c->cfg->mcke.sm) &&
                c->out->sm[i].cta_start == out.sm[i].cta_start && c->after->denied[i] == denied;
    }
    return same;
}

static inline bool ballast_chip_dispatcher_is(const ballast_chip_cycle *c)
{
    return c->cfg->num_kernels == 1 ? ballast_chip_gwde_is(c) : ballast_chip_mcke_is(c);
}

/* ---- registers ---------------------------------------------------------------------------------- */

static inline ballast_regs_in ballast_chip_to_regs(const ballast_chip_cycle *c)
{
    chip_governor_state governors;
    const chip_governor_out given = ballast_chip_governed(c, &governors);
    ballast_regs_in in = {
        .psel = c->in->psel, .penable = c->in->penable, .pwrite = c->in->pwrite, .pprot = c->in->pprot, .paddr = c->in->paddr,
        .pwdata = c->in->pwdata, .pstrb = c->in->pstrb, .sm_level = c->out->sm_level, .mem_level = c->out->mem_level,
        .sm_busy = c->out->sm_busy, .mem_busy = c->out->mem_busy, .sm_stall = c->out->sm_stall, .mem_stall = c->out->mem_stall,
        .idle = ballast_chip_all_idle(c), .exhausted = ballast_chip_exhausted(c),
        .too_big = c->cfg->num_kernels == 1 ? c->before->gwde.too_big : c->before->mcke.too_big,
        .start_valid = ballast_chip_launched(c), .start_kernel = c->out->start_kernel};

    for (unsigned i = 0; i < c->cfg->regs.num_sms; i++)
        in.sm[i] = (ballast_regs_sm_in){.limit = c->out->sm[i].limit, .done = given.sm[i].done, .denied = c->after->denied[i],
                                        .cta_start = c->out->sm[i].cta_start, .cta_active = ballast_chip_active(c, i),
                                        .cta_done = c->in->sm[i].cta_done};
    return in;
}

static inline bool ballast_chip_same_settings(const ballast_regs_state *a, const ballast_regs_state *b, const ballast_regs_cfg *cfg)
{
    bool same = a->t_idle == b->t_idle && a->t_mem_l == b->t_mem_l && a->t_mem_h == b->t_mem_h && a->policy == b->policy &&
                a->static_limit == b->static_limit && a->mode == b->mode && a->bcs == b->bcs && a->dispatch == b->dispatch &&
                a->grid == b->grid && a->width == b->width && a->two_d == b->two_d && a->warps == b->warps && a->regs == b->regs &&
                a->smem == b->smem && a->nmax == b->nmax && a->kernel_id == b->kernel_id && a->wcta == b->wcta && a->enable == b->enable;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        same &= a->quota[k] == b->quota[k];
    return same;
}

static inline bool ballast_chip_same_events(const ballast_regs_state *a, const ballast_regs_state *b, const ballast_regs_cfg *cfg)
{
    bool same = a->start == b->start && a->kernel == b->kernel && a->pending == b->pending && a->setup == b->setup &&
                a->sm_busy == b->sm_busy && a->mem_busy == b->mem_busy && a->started == b->started && a->running == b->running &&
                a->sm_changes == b->sm_changes && a->mem_changes == b->mem_changes && a->limit_changes == b->limit_changes &&
                a->denials == b->denials && a->kernels == b->kernels && a->clear == b->clear && a->launches_clear == b->launches_clear &&
                a->num_changes == b->num_changes && a->num_denials == b->num_denials;

    for (unsigned k = 0; k < cfg->num_kernels; k++)
        same &= a->launches[k] == b->launches[k];
    for (unsigned g = 0; g * BALLAST_REGS_GROUP < cfg->num_sms; g++)
        same &= a->changes_of[g] == b->changes_of[g] && a->denials_of[g] == b->denials_of[g];
    for (unsigned i = 0; i < cfg->num_sms; i++)
        same &= a->last_limit[i] == b->last_limit[i] && a->held[i] == b->held[i];
    return same;
}

static inline bool ballast_chip_registers_are(const ballast_chip_cycle *c)
{
    const ballast_regs_in in = ballast_chip_to_regs(c);
    ballast_regs_state s = c->before->regs;
    const ballast_chip_out *given = c->out;
    ballast_regs_out out;

    ballast_regs_step(&s, &c->cfg->regs, &in, &out);
    return ballast_chip_same_settings(&c->after->regs, &s, &c->cfg->regs) && ballast_chip_same_events(&c->after->regs, &s, &c->cfg->regs) &&
           given->prdata == out.prdata && given->pready == out.pready && given->pslverr == out.pslverr &&
           given->irq == out.irq && given->kernel_start == out.start && given->kernel == out.kernel && given->grid == out.grid &&
           given->width == out.width && given->two_d == out.two_d && given->warps == out.warps && given->regs == out.regs &&
           given->smem == out.smem;
}

#endif
