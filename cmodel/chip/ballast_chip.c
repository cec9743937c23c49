/* SPDX-License-Identifier: Apache-2.0
 *
 * In a cycle, the registers speak first, then what the dispatcher launches, then the governors, which ask; the dispatcher chooses by that,
 * and the registers see all of it.
 */
#include "chip/ballast_chip.h"

#include <stdbool.h>

/* What the chip knows of the dispatcher in a cycle, whichever it is. */
typedef struct dispatch {
    uint32_t start_cta;
    uint8_t start_valid, start_kernel;
    uint8_t idle, exhausted, too_big; /* a bit per kernel */
    uint32_t cta_start[BALLAST_MAX_SMS], cta_active[BALLAST_MAX_SMS];
    uint8_t denied[BALLAST_MAX_SMS];
} dispatch;

ballast_chip_cfg ballast_chip_cfg_default(void)
{
    ballast_chip_cfg cfg = {
        .num_kernels = 2,
        .governor = chip_governor_cfg_default(),
        .gwde = gwde_cfg_default(),
        .mcke = mcke_cfg_default(),
        .regs = ballast_regs_cfg_default(),
    };

    ballast_chip_cfg_derive(&cfg);
    return cfg;
}

void ballast_chip_cfg_derive(ballast_chip_cfg *cfg)
{
    chip_governor_cfg_derive(&cfg->governor);
    cfg->gwde.num_sms = cfg->mcke.num_sms = cfg->regs.num_sms = cfg->governor.num_sms;
    cfg->gwde.sm.num_slots = cfg->mcke.sm.num_slots = cfg->regs.num_slots = cfg->governor.sm.num_slots;
    cfg->gwde.num_warps = cfg->mcke.sm.num_warps = cfg->regs.num_warps = cfg->governor.sm.num_warps;
    cfg->mcke.sm.reg_units = cfg->regs.reg_units = cfg->gwde.reg_units;
    cfg->mcke.sm.smem_units = cfg->regs.smem_units = cfg->gwde.smem_units;
    cfg->mcke.sm.num_kernels = cfg->regs.num_kernels = cfg->num_kernels;
    cfg->regs.dyn_period = cfg->governor.sm.dyncta.period;
    cfg->regs.watch_slots = 0;
}

static bool is_gwde(const ballast_chip_cfg *cfg)
{
    return cfg->num_kernels == 1;
}

void ballast_chip_reset(ballast_chip_state *state, const ballast_chip_cfg *cfg)
{
    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        state->denied[i] = 0;
    ballast_regs_reset(&state->regs, &cfg->regs);
    if (is_gwde(cfg))
        gwde_reset(&state->gwde, &cfg->gwde);
    else
        mcke_reset(&state->mcke, &cfg->mcke);
    chip_governor_reset(&state->governor, &cfg->governor);
}

/* ---- the dispatcher ------------------------------------------------------------------------- */

static void step_gwde(gwde_state *s, const ballast_chip_cfg *cfg, const ballast_chip_in *in, const ballast_regs_out *set,
                      const chip_governor_sm_out *asked, dispatch *d)
{
    gwde_in given = {.grid = set->grid, .width = set->width, .regs = set->regs, .smem = set->smem, .warps = set->warps,
                     .start = set->start, .two_d = set->two_d, .bcs = set->bcs};
    gwde_out out;

    for (unsigned i = 0; i < cfg->gwde.num_sms; i++)
        given.sm[i] = (gwde_sm_in){in->sm[i].cta_done, asked[i].limit, asked[i].req};
    gwde_step(s, &cfg->gwde, &given, &out);
    d->start_cta = out.start_cta;
    d->start_valid = out.start_valid;
    d->start_kernel = 0;
    d->idle = out.idle;
    d->exhausted = out.exhausted;
    d->too_big = out.too_big;
    for (unsigned i = 0; i < cfg->gwde.num_sms; i++) {
        d->cta_start[i] = out.sm[i].cta_start;
        d->cta_active[i] = out.sm[i].cta_active;
        d->denied[i] = out.sm[i].denied;
    }
}

static void step_mcke(mcke_state *s, const ballast_chip_cfg *cfg, const ballast_chip_in *in, const ballast_regs_out *set,
                      const chip_governor_sm_out *asked, dispatch *d)
{
    const uint8_t all = (uint8_t)((1u << cfg->num_kernels) - 1);
    mcke_in given = {.grid = set->grid, .regs = set->regs, .smem = set->smem, .warps = set->warps, .start = set->start,
                     .kernel = set->kernel, .mode = set->dispatch};
    mcke_out out;

    for (unsigned i = 0; i < cfg->mcke.num_sms; i++)
        given.sm[i] = (mcke_sm_in){in->sm[i].cta_done, set->quota, asked[i].limit, asked[i].req};
    mcke_step(s, &cfg->mcke, &given, &out);
    d->start_cta = out.start_cta;
    d->start_valid = out.start_valid;
    d->start_kernel = out.start_kernel;
    d->idle = out.idle;
    d->exhausted = out.exhausted;
    d->too_big = out.too_big;
    for (unsigned i = 0; i < cfg->mcke.num_sms; i++) {
        d->cta_start[i] = out.sm[i].cta_start;
        d->cta_active[i] = out.sm[i].cta_active;
        d->denied[i] = out.sm[i].denied == all; /* no kernel can serve it */
    }
}

/* What the SMs ask for must be known. */
static void step_dispatcher(ballast_chip_state *s, const ballast_chip_cfg *cfg, const ballast_chip_in *in, const ballast_regs_out *set,
                            const chip_governor_sm_out *asked, dispatch *d)
{
    if (is_gwde(cfg))
        step_gwde(&s->gwde, cfg, in, set, asked, d);
    else
        step_mcke(&s->mcke, cfg, in, set, asked, d);
}

/* What it launches and holds does not depend on what the SMs ask for. */
static void look_at_dispatcher(const ballast_chip_state *s, const ballast_chip_cfg *cfg, const ballast_chip_in *in, dispatch *d)
{
    static const chip_governor_sm_out nobody_asks[BALLAST_MAX_SMS];
    const ballast_regs_out nothing_starts = {.start = 0};

    if (is_gwde(cfg)) {
        gwde_state copy = s->gwde;

        step_gwde(&copy, cfg, in, &nothing_starts, nobody_asks, d);
    } else {
        mcke_state copy = s->mcke;

        step_mcke(&copy, cfg, in, &nothing_starts, nobody_asks, d);
    }
}

/* ---- registers ------------------------------------------------------------------------------ */

/* Settings and starts come from registers, before anything else of the cycle is known. */
static void look_at_registers(const ballast_regs_state *s, const ballast_chip_cfg *cfg, ballast_regs_out *set)
{
    static const ballast_regs_in nothing;
    ballast_regs_state copy = *s;

    ballast_regs_step(&copy, &cfg->regs, &nothing, set);
}

static void step_registers(ballast_regs_state *s, const ballast_chip_cfg *cfg, const ballast_chip_in *in, const chip_governor_out *governors,
                           const dispatch *d, ballast_regs_out *out)
{
    ballast_regs_in seen = {
        .pwdata = in->pwdata, .paddr = in->paddr, .psel = in->psel, .penable = in->penable, .pwrite = in->pwrite, .pstrb = in->pstrb,
        .pprot = in->pprot,
        .sm_level = governors->sm_level, .mem_level = governors->mem_level, .sm_busy = governors->sm_busy,
        .mem_busy = governors->mem_busy, .sm_stall = governors->sm_stall, .mem_stall = governors->mem_stall,
        .idle = d->idle, .exhausted = d->exhausted, .too_big = d->too_big, .start_valid = d->start_valid, .start_kernel = d->start_kernel,
    };

    for (unsigned i = 0; i < cfg->regs.num_sms; i++)
        seen.sm[i] = (ballast_regs_sm_in){d->cta_start[i], d->cta_active[i], in->sm[i].cta_done, governors->sm[i].limit,
                                          governors->sm[i].done, d->denied[i]};
    ballast_regs_step(s, &cfg->regs, &seen, out);
}

/* ---- governors ------------------------------------------------------------------------------ */

/* A kernel starts for all SMs in the cycle in which it does for the dispatcher. */
static sm_governor_in bus_of(const ballast_chip_state *s, const ballast_chip_in *in, const ballast_regs_out *set, const dispatch *d, unsigned i)
{
    const ballast_chip_sm_in *sm = &in->sm[i];

    return (sm_governor_in){
        .ws0 = sm->ws0, .ws1 = sm->ws1, .ws2 = sm->ws2, .ws3 = sm->ws3, .paused = sm->paused, .issue_slot = sm->issue_slot,
        .issue_valid = sm->issue_valid, .cta_done = sm->cta_done, .cta_start = d->cta_start[i], .cta_active = d->cta_active[i],
        .cta_denied = s->denied[i], .kernel_start = set->start, .nmax = set->nmax, .wcta = set->wcta,
    };
}

static void step_governors(ballast_chip_state *s, const ballast_chip_cfg *cfg, const ballast_chip_in *in, const ballast_regs_out *set,
                           const dispatch *d, chip_governor_out *out)
{
    chip_governor_in given;

    given.t_idle = set->t_idle;
    given.t_mem_l = set->t_mem_l;
    given.t_mem_h = set->t_mem_h;
    given.policy = set->policy;
    given.static_limit = set->static_limit;
    given.mode = set->mode;
    given.kernel_id = set->kernel_id;
    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        given.sm[i] = bus_of(s, in, set, d, i);
    chip_governor_step(&s->governor, &cfg->governor, &given, out);
}

/* ---- the chip ------------------------------------------------------------------------------- */

static void show(const ballast_chip_cfg *cfg, const ballast_regs_out *regs, const dispatch *d, const chip_governor_out *governors,
                 ballast_chip_out *out)
{
    out->prdata = regs->prdata;
    out->pready = regs->pready;
    out->pslverr = regs->pslverr;
    out->irq = regs->irq;
    out->kernel_start = regs->start;
    out->kernel = regs->kernel;
    out->grid = regs->grid;
    out->width = regs->width;
    out->two_d = regs->two_d;
    out->warps = regs->warps;
    out->regs = regs->regs;
    out->smem = regs->smem;
    out->start_kernel = d->start_kernel;
    out->start_cta = d->start_cta;
    out->sm_level = governors->sm_level;
    out->mem_level = governors->mem_level;
    out->sm_busy = governors->sm_busy;
    out->mem_busy = governors->mem_busy;
    out->sm_stall = governors->sm_stall;
    out->mem_stall = governors->mem_stall;
    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        out->sm[i] = (ballast_chip_sm_out){d->cta_start[i], governors->sm[i].cta_paused, governors->sm[i].limit,
                                           governors->sm[i].pause_soft};
}

void ballast_chip_step(ballast_chip_state *state, const ballast_chip_cfg *cfg, const ballast_chip_in *in, ballast_chip_out *out)
{
    ballast_regs_out set;
    chip_governor_out governors;
    dispatch d = {.start_valid = 0};

    look_at_registers(&state->regs, cfg, &set);
    look_at_dispatcher(state, cfg, in, &d);
    step_governors(state, cfg, in, &set, &d, &governors);
    step_dispatcher(state, cfg, in, &set, governors.sm, &d);
    step_registers(&state->regs, cfg, in, &governors, &d, &set);
    show(cfg, &set, &d, &governors, out);
    for (unsigned i = 0; i < cfg->governor.num_sms; i++)
        state->denied[i] = d.denied[i];
}
