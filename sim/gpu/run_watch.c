/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/run_watch.h"

#include <math.h>
#include <string.h>

void run_watch_begin(run_watch *w, const machine *m)
{
    memset(w, 0, sizeof *w);
    w->sms = m->sms;
    w->classifier = stall_classifier_cfg_default();
    w->classifier.num_warps = m->warps;
    w->warps = m->warps < 64 ? (UINT64_C(1) << m->warps) - 1 : UINT64_MAX;
    for (unsigned i = 0; i < m->sms; i++)
        w->seen_class[i] = BALLAST_PS_IDLE; /* of a bus that is empty */
}

/* A cycle in which a warp that counts issues is active, whatever the others do. Of the others most are like the one before. */
static unsigned class_of(run_watch *w, unsigned sm, const sm_obs *obs)
{
    const stall_classifier_in in = {obs->ws[0], obs->ws[1], obs->ws[2], obs->ws[3], obs->paused};
    stall_classifier_in *seen = &w->seen[sm];

    if (sm_obs_issued(obs) & ~obs->paused & w->warps)
        return BALLAST_PS_ACTIVE;
    if (((in.ws0 ^ seen->ws0) | (in.ws1 ^ seen->ws1) | (in.ws2 ^ seen->ws2) | (in.ws3 ^ seen->ws3) | (in.paused ^ seen->paused)) == 0)
        return w->seen_class[sm];
    *seen = in;
    w->seen_class[sm] = stall_classifier_of(&w->classifier, &in).ps_class;
    return w->seen_class[sm];
}

static void note_held(run_watch *w, unsigned sm, uint32_t held)
{
    if (held == w->held[sm])
        return;
    w->all_resident += (unsigned)__builtin_popcount(held) - (unsigned)__builtin_popcount(w->held[sm]);
    w->held[sm] = held;
}

static bool note_limit(run_watch *w, unsigned sm, uint8_t limit)
{
    if (limit == w->limits[sm])
        return false;
    w->all_limits += (unsigned)limit - w->limits[sm];
    w->limits[sm] = limit;
    return true;
}

void run_watch_cycle(run_watch *w, const sm_obs *const *obs, const chip_governor_out *out)
{
    bool all = true, changed = false;

    for (unsigned i = 0; i < w->sms; i++) {
        w->classes[class_of(w, i, obs[i])]++;
        note_held(w, i, obs[i]->cta_active & ~out->sm[i].cta_paused);
        changed |= note_limit(w, i, out->sm[i].limit);
        all &= out->sm[i].done;
        w->decided[i] = out->sm[i].done;
    }
    w->limit += w->all_limits;
    w->resident += w->all_resident;
    if (changed || all != w->all_decided)
        w->settled = w->cycles;
    w->all_decided = all;
    w->cycles++;
}

void run_watch_leap(run_watch *w, const run_watch *before, double times)
{
    w->limit += (w->limit - before->limit) * times;
    w->resident += (w->resident - before->resident) * times;
    for (unsigned c = 0; c < 4; c++)
        w->classes[c] += (uint64_t)llround((double)(w->classes[c] - before->classes[c]) * times);
    w->cycles += (uint64_t)llround((double)(w->cycles - before->cycles) * times);
}

void run_watch_conclude(const run_watch *w, const chip_sim *sim, run_result *result)
{
    const machine *m = sim_machine(sim);
    double sm_cycles;

    sim_get_counts(sim, &result->counts);
    sm_cycles = result->counts.cycles ? (double)result->counts.cycles * m->sms : 1;
    result->ok = true;
    result->left_out = sim_left_out(sim);
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
