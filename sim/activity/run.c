/* SPDX-License-Identifier: Apache-2.0 */
#include "activity/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/interrupt.h"

enum { LOOK = 4096 }; /* cycles between two looks at Ctrl-C */

run_request run_default(const machine *m, const workload *w)
{
    return (run_request){.machine = *m, .workload = *w, .seed = 1, .sm_level = -1, .mem_level = -1};
}

/* Sums over cycles and SMs. */
typedef struct sums {
    double limit, resident;
    uint64_t classes[4];
} sums;

static void watch(sums *sum, const governed *g, const sm_obs *const *obs)
{
    for (unsigned i = 0; i < g->cfg.num_sms; i++) {
        const stall_classifier_in in = {obs[i]->ws[0], obs[i]->ws[1], obs[i]->ws[2], obs[i]->ws[3], obs[i]->paused};
        stall_classifier_state none = {0};
        stall_classifier_out out;

        stall_classifier_step(&none, &g->cfg.sm.classifier, &in, &out);
        sum->classes[out.ps_class]++;
        sum->limit += g->out.sm[i].limit;
        sum->resident += __builtin_popcount(obs[i]->cta_active & ~g->control.sm[i].paused);
    }
}

static void hold_levels(const run_request *request, sim_control *control)
{
    if (request->sm_level >= 0)
        control->sm_level = (uint8_t)request->sm_level;
    if (request->mem_level >= 0)
        control->mem_level = (uint8_t)request->mem_level;
}

static void conclude(const run_request *request, const governed *g, const sums *sum, run_result *result)
{
    const double sm_cycles = (double)result->counts.cycles * request->machine.sms;

    result->ok = true;
    result->seconds = (double)result->counts.ticks / SIM_TICKS_NORMAL / (request->machine.sm_mhz * 1e6);
    if (sm_cycles == 0) /* interrupted before the first cycle */
        return;
    result->ipc = (double)result->counts.instructions / sm_cycles;
    result->limit = g->out.sm[0].limit;
    result->done = g->out.sm[0].done;
    for (unsigned i = 0; i < request->machine.sms; i++) {
        result->limits[i] = g->out.sm[i].limit;
        result->decided[i] = g->out.sm[i].done;
    }
    result->mean_limit = sum->limit / sm_cycles;
    result->mean_resident = sum->resident / sm_cycles;
    for (unsigned c = 0; c < 4; c++)
        result->classes[c] = (double)sum->classes[c] / sm_cycles;
}

void run_one(const run_request *request, run_result *result)
{
    const sm_obs *const *obs;
    chip_sim *sim;
    governed *g;
    sums sum;

    memset(result, 0, sizeof *result);
    sim = sim_open(&request->machine, &request->workload, request->seed, result->err, RUN_ERR);
    g = sim ? malloc(sizeof *g) : NULL;
    if (!g) {
        if (sim)
            snprintf(result->err, RUN_ERR, "out of memory for the governors");
        sim_close(sim);
        return;
    }
    memset(&sum, 0, sizeof sum);
    governed_open(g, sim);
    g->in.policy = request->policy;
    g->in.static_limit = request->static_limit;
    g->in.mode = request->mode;
    result->nmax = workload_nmax(&request->workload, &request->machine);
    for (uint64_t cycle = 0; !request->max_cycles || cycle < request->max_cycles; cycle++) {
        if (cycle % LOOK == 0 && interrupted)
            break;
        hold_levels(request, &g->control);
        obs = governed_step(g);
        if (!obs) {
            result->finished = true;
            break;
        }
        watch(&sum, g, obs);
    }
    sim_get_counts(sim, &result->counts);
    conclude(request, g, &sum, result);
    free(g);
    sim_close(sim);
}
