/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/mix_sim.h"

#include <string.h>

void mix_sim_open(mix_sim *x, const machine *m, const workload *first, const kernel_mix *mix, uint64_t seed)
{
    memset(x, 0, sizeof *x);
    x->num = mix->num_others + 1;
    x->mix = *mix;
    for (unsigned k = 0; k < x->num; k++) {
        mix_kernel *kernel = &x->kernels[k];

        kernel->workload = k ? mix->others[k - 1] : *first;
        program_make(&kernel->program, &kernel->workload, seed);
        kernel->program.kernel = k;
        workload_describe(&kernel->workload, m, &kernel->desc);
    }
    mix_sim_rewind(x, m);
}

void mix_sim_rewind(mix_sim *x, const machine *m)
{
    for (unsigned k = 0; k < x->num; k++) {
        x->kernels[k].launch = 0;
        x->kernels[k].running = x->kernels[k].begun = false;
        x->kernels[k].first = x->kernels[k].cycles = 0;
    }
    mix_dispatcher_open(&x->dispatcher, m, &x->mix);
}

void mix_sim_describe(const mix_sim *x, const machine *m, ballast_kernel_desc *desc)
{
    *desc = x->kernels[0].desc;
    for (unsigned k = 1; k < x->num; k++)
        desc->grid_ctas += x->kernels[k].desc.grid_ctas;
    desc->nmax = (uint8_t)m->slots;
}

void mix_sim_launch(mix_sim *x, sim_sm *sms, uint64_t cycles)
{
    const mcke_state *s = &x->dispatcher.state;
    mix_kernel *kernel = &x->kernels[s->start_kernel];

    if (!s->start_valid)
        return;
    if (!kernel->begun)
        kernel->first = cycles;
    kernel->begun = true;
    sm_launch_of(&sms[mix_dispatcher_start_sm(&x->dispatcher)], &kernel->program, s->start_slot, s->cta[s->start_kernel]);
}

int mix_sim_waiting(const mix_sim *x)
{
    int found = -1;

    for (unsigned k = 0; k < x->num; k++) {
        const mix_kernel *kernel = &x->kernels[k];
        const bool over = kernel->launch == kernel->workload.launches;

        if (kernel->workload.launches != 1 || (!over && !kernel->running))
            return -1;
        if (x->dispatcher.state.left[k] && found >= 0)
            return -1;
        found = x->dispatcher.state.left[k] ? (int)k : found;
    }
    return found;
}

bool mix_sim_goes_on(mix_sim *x, uint64_t cycles)
{
    bool any = false;

    for (unsigned k = 0; k < x->num; k++) {
        mix_kernel *kernel = &x->kernels[k];

        if (kernel->running && mix_dispatcher_idle(&x->dispatcher, k)) {
            kernel->running = false;
            kernel->launch++;
            kernel->cycles = cycles;
        }
        any |= kernel->launch < kernel->workload.launches && !(x->mix.background >> k & 1);
    }
    return any;
}

void mix_sim_begin(mix_sim *x)
{
    for (unsigned k = 0; k < x->num; k++) {
        mix_kernel *kernel = &x->kernels[k];

        if (!kernel->running && kernel->launch < kernel->workload.launches) {
            kernel->running = true;
            mix_dispatcher_start(&x->dispatcher, k, &kernel->desc);
            return;
        }
    }
}
