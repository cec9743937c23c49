/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/dispatcher.h"

#include <string.h>

#include "common/cta_needs.h"

gwde_cfg dispatcher_gwde(const machine *m)
{
    gwde_cfg cfg = gwde_cfg_default();

    cfg.num_sms = m->sms;
    cfg.num_warps = m->warps;
    cfg.reg_units = m->registers / BALLAST_CTA_REG_UNIT;
    cfg.smem_units = m->shared_bytes / BALLAST_CTA_SMEM_UNIT;
    cfg.sm.num_slots = m->slots;
    return cfg;
}

void dispatcher_open(dispatcher *d, const machine *m)
{
    memset(d, 0, sizeof *d);
    d->cfg = dispatcher_gwde(m);
    gwde_reset(&d->state, &d->cfg);
}

void dispatcher_start(dispatcher *d, const ballast_kernel_desc *kernel)
{
    const ballast_cta_needs needs = ballast_cta_needs_of(kernel, BALLAST_CTA_REG_UNIT, 1); /* whole warps get registers, as in workload.c */

    d->busy = true;
    d->in.start = 1;
    d->in.grid = kernel->grid_ctas;
    d->in.warps = (uint8_t)ballast_cta_need_of_port(needs.warps, d->cfg.num_warps);
    d->in.regs = (uint16_t)ballast_cta_need_of_port(needs.regs, d->cfg.reg_units);
    d->in.smem = (uint16_t)ballast_cta_need_of_port(needs.smem, d->cfg.smem_units);
    d->in.two_d = kernel->is_2d;
    d->in.width = kernel->grid_x;
}

void dispatcher_done(dispatcher *d, unsigned sm, uint32_t slots)
{
    d->busy = d->busy || slots;
    d->in.sm[sm].cta_done = slots;
}

void dispatcher_pair(dispatcher *d, bool pairs)
{
    d->in.bcs = pairs;
}

void dispatcher_ask(dispatcher *d, unsigned sm, bool asks, uint8_t limit)
{
    gwde_sm_in *in = &d->in.sm[sm];

    limit = limit ? limit : (uint8_t)d->cfg.sm.num_slots;
    d->busy = d->busy || in->req != asks || in->limit != limit;
    in->req = asks;
    in->limit = limit;
}

/* Something comes in, is launched, or comes back: in this cycle, if asked before its step, and in the next one after it. */
static bool changes(const dispatcher *d)
{
    bool busy = d->in.start || d->state.start_valid;

    for (unsigned i = 0; i < d->cfg.num_sms; i++)
        busy = busy || d->in.sm[i].cta_done || d->state.sm[i].returning || d->state.sm[i].ready;
    return busy;
}

static bool chooses_second(const dispatcher *d)
{
    const bcs_in in = {.last = d->state.left == 1};
    bcs_out next;

    bcs_look(&d->state.bcs, &d->cfg.bcs, &in, &next);
    return next.second;
}

static void step_watched(dispatcher *d)
{
    const gwde_state before = d->state;

    gwde_step(&d->state, &d->cfg, &d->in, &d->out);
    d->watch->stepped(d->watch->self, &before, &d->in, &d->out, &d->state);
}

/* In most cycles nothing happens: a step that changed nothing changes nothing again. */
void dispatcher_clock(dispatcher *d)
{
    const uint8_t most = d->state.most;
    bool changed;

    if (!d->busy && !d->watch)
        return;
    changed = changes(d);
    d->second = chooses_second(d);
    if (d->watch)
        step_watched(d);
    else
        gwde_step(&d->state, &d->cfg, &d->in, &d->out);
    d->busy = changed || changes(d) || d->state.most != most; /* it counts how many CTAs fit */
    d->in.start = 0;
    for (unsigned i = 0; i < d->cfg.num_sms; i++)
        d->in.sm[i].cta_done = 0;
}

uint32_t dispatcher_leap(dispatcher *d, uint32_t stay, uint32_t *first)
{
    const uint32_t part = d->state.bcs.on ? 2 * (d->in.width ? d->in.width : 1) : 1;
    const uint32_t least = d->state.bcs.on ? 2 : 1; /* SMs may be ready for a CTA, or for a pair */
    const uint32_t keep = stay > least ? stay : least;
    const uint32_t most = d->state.left > keep ? d->state.left - keep : 0, ctas = most - most % part;

    *first = d->state.cta;
    d->state.left -= ctas;
    d->state.cta += ctas;
    d->busy = true;
    return ctas;
}

bool dispatcher_idle(const dispatcher *d)
{
    if (d->state.left || d->in.start)
        return false;
    for (unsigned i = 0; i < d->cfg.num_sms; i++)
        if (d->state.sm[i].count)
            return false;
    return true;
}
