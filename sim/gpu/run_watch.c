/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/run_watch.h"

#include <string.h>

void run_watch_begin(run_watch *w, const machine *m)
{
    memset(w, 0, sizeof *w);
    w->sms = m->sms;
    w->classifier = stall_classifier_cfg_default();
    w->classifier.num_warps = m->warps;
}

void run_watch_cycle(run_watch *w, const sm_obs *const *obs, const chip_governor_out *out)
{
    bool all = true, changed = false;

    for (unsigned i = 0; i < w->sms; i++) {
        const stall_classifier_in in = {obs[i]->ws[0], obs[i]->ws[1], obs[i]->ws[2], obs[i]->ws[3], obs[i]->paused};
        stall_classifier_state none = {0};
        stall_classifier_out classes;

        stall_classifier_step(&none, &w->classifier, &in, &classes);
        w->classes[classes.ps_class]++;
        w->limit += out->sm[i].limit;
        w->resident += __builtin_popcount(obs[i]->cta_active & ~out->sm[i].cta_paused);
        changed |= w->limits[i] != out->sm[i].limit;
        all &= out->sm[i].done;
        w->limits[i] = out->sm[i].limit;
        w->decided[i] = out->sm[i].done;
    }
    if (changed || all != w->all_decided)
        w->settled = w->cycles;
    w->all_decided = all;
    w->cycles++;
}

void run_watch_conclude(const run_watch *w, const chip_sim *sim, run_result *result)
{
    const machine *m = sim_machine(sim);
    double sm_cycles;

    sim_get_counts(sim, &result->counts);
    sm_cycles = result->counts.cycles ? (double)result->counts.cycles * m->sms : 1;
    result->ok = true;
    result->nmax = sim_kernels(sim) > 1 ? m->slots : workload_nmax(sim_workload(sim), m);
    result->seconds = (double)result->counts.ticks / SIM_TICKS_NORMAL / (m->sm_mhz * 1e6);
    result->ipc = (double)result->counts.instructions / sm_cycles;
    result->limit = w->limits[0];
    result->done = w->decided[0];
    result->settled = w->settled;
    memcpy(result->limits, w->limits, sizeof result->limits);
    memcpy(result->decided, w->decided, sizeof result->decided);
    result->mean_limit = w->limit / sm_cycles;
    result->mean_resident = w->resident / sm_cycles;
    for (unsigned k = 0; k < sim_kernels(sim); k++)
        sim_get_kernel_counts(sim, k, &result->kernels[k]);
    for (unsigned c = 0; c < 4; c++)
        result->classes[c] = (double)w->classes[c] / sm_cycles;
}
