/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/mix_dispatcher.h"

#include <string.h>

#include "common/cta_needs.h"
#include "gpu/dispatcher.h"

enum { LEAST_KERNELS = 2 }; /* that the block is made for */

mcke_cfg mix_dispatcher_mcke(const gwde_cfg *alone, unsigned kernels)
{
    return (mcke_cfg){
        .num_sms = alone->num_sms,
        .sm = {
            .num_kernels = kernels < LEAST_KERNELS ? LEAST_KERNELS : kernels,
            .num_slots = alone->sm.num_slots,
            .num_warps = alone->num_warps,
            .reg_units = alone->reg_units,
            .smem_units = alone->smem_units,
        },
    };
}

void mix_dispatcher_open(mix_dispatcher *d, const machine *m, const kernel_mix *mix)
{
    const gwde_cfg alone = dispatcher_gwde(m);

    memset(d, 0, sizeof *d);
    d->cfg = mix_dispatcher_mcke(&alone, mix->num_others + 1);
    mcke_reset(&d->state, &d->cfg);
    d->busy = true; /* what it shows after reset comes with its first cycle */
    d->in.mode = mix->mode;
    for (unsigned i = 0; i < m->sms; i++)
        for (unsigned k = 0; k <= mix->num_others; k++) {
            const unsigned quota = mix->quota[k][i] < m->slots ? mix->quota[k][i] : m->slots;

            d->in.sm[i].quota = (uint32_t)ballast_cke_with_field(d->in.sm[i].quota, k, m->slots, quota);
        }
}

void mix_dispatcher_start(mix_dispatcher *d, unsigned kernel, const ballast_kernel_desc *desc)
{
    const ballast_cta_needs needs = ballast_cta_needs_of(desc, BALLAST_CTA_REG_UNIT, 1); /* whole warps get registers, as in workload.c */

    d->busy = true;
    d->in.start = 1;
    d->in.kernel = (uint8_t)kernel;
    d->in.grid = desc->grid_ctas;
    d->in.warps = (uint8_t)ballast_cta_need_of_port(needs.warps, d->cfg.sm.num_warps);
    d->in.regs = (uint16_t)ballast_cta_need_of_port(needs.regs, d->cfg.sm.reg_units);
    d->in.smem = (uint16_t)ballast_cta_need_of_port(needs.smem, d->cfg.sm.smem_units);
}

void mix_dispatcher_done(mix_dispatcher *d, unsigned sm, uint32_t slots)
{
    d->busy = d->busy || slots;
    d->in.sm[sm].cta_done = slots;
}

void mix_dispatcher_ask(mix_dispatcher *d, unsigned sm, bool asks, uint8_t limit)
{
    mcke_sm_in *in = &d->in.sm[sm];

    limit = limit ? limit : (uint8_t)d->cfg.sm.num_slots;
    d->busy = d->busy || in->req != asks || in->limit != limit;
    in->req = asks;
    in->limit = limit;
}

/* Something comes in, is on its way to a launch, comes back, or is to be counted: in this cycle, if asked before its step, and in the
 * next one after it. */
static bool changes(const mix_dispatcher *d)
{
    bool busy = d->in.start || d->state.start_valid;

    for (unsigned i = 0; i < d->cfg.num_sms; i++) {
        const cke_resources_state *sm = &d->state.sm[i];

        busy = busy || d->in.sm[i].cta_done || d->state.row[i] || sm->returning || sm->ready || sm->move;
    }
    return busy;
}

static void step_watched(mix_dispatcher *d)
{
    const mcke_state before = d->state;

    mcke_step(&d->state, &d->cfg, &d->in, &d->out);
    d->watch->stepped(d->watch->self, &before, &d->in, &d->out, &d->state);
}

/* In most cycles nothing happens: a step that changed nothing changes nothing again. */
void mix_dispatcher_clock(mix_dispatcher *d)
{
    bool changed;

    if (!d->busy && !d->watch)
        return;
    changed = changes(d);
    if (d->watch)
        step_watched(d);
    else
        mcke_step(&d->state, &d->cfg, &d->in, &d->out);
    d->busy = changed || changes(d);
    d->in.start = 0;
    for (unsigned i = 0; i < d->cfg.num_sms; i++)
        d->in.sm[i].cta_done = 0;
}

uint32_t mix_dispatcher_leap(mix_dispatcher *d, unsigned kernel, uint32_t stay, uint32_t *first)
{
    const uint32_t left = d->state.left[kernel], ctas = left > stay ? left - stay : 0;

    *first = d->state.cta[kernel];
    d->state.left[kernel] -= ctas;
    d->state.cta[kernel] += ctas;
    d->busy = true;
    return ctas;
}

bool mix_dispatcher_idle(const mix_dispatcher *d, unsigned kernel)
{
    const bool launched = d->state.start_valid && d->state.start_kernel == kernel; /* no SM counts it yet */
    bool empty = d->state.left[kernel] == 0 && !launched && !(d->in.start && d->in.kernel == kernel);

    for (unsigned i = 0; i < d->cfg.num_sms; i++)
        empty = empty && d->state.sm[i].ctas[kernel] == 0;
    return empty;
}

unsigned mix_dispatcher_start_sm(const mix_dispatcher *d)
{
    unsigned sm = 0;

    for (unsigned i = 0; i < d->cfg.num_sms; i++)
        sm = d->state.sm[i].taken ? i : sm;
    return sm;
}

bool mix_dispatcher_denied(const mix_dispatcher *d, unsigned sm)
{
    return d->out.sm[sm].denied == (1u << d->cfg.sm.num_kernels) - 1;
}
