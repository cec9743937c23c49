/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/run_watch.h"
#include "replay/interrupt.h"

enum { LOOK = 4096 }; /* cycles between two looks at Ctrl-C */

run_request run_default(const machine *m, const workload *w)
{
    return (run_request){.machine = *m, .workload = *w, .seed = 1, .mode = VF_PERFORMANCE, .sm_level = -1, .mem_level = -1};
}

void run_one(const run_request *request, run_result *result)
{
    const sm_obs *const *obs;
    chip_sim *sim;
    governed *g;
    run_watch watch;

    memset(result, 0, sizeof *result);
    sim = sim_open(&request->machine, &request->workload, request->seed, result->err, RUN_ERR);
    g = sim ? malloc(sizeof *g) : NULL;
    if (!g) {
        if (sim)
            snprintf(result->err, RUN_ERR, "out of memory for the governors");
        sim_close(sim);
        return;
    }
    run_watch_begin(&watch, &request->machine);
    governed_open(g, sim);
    g->in.policy = request->policy;
    g->in.static_limit = request->static_limit;
    g->in.mode = request->mode;
    for (uint64_t cycle = 0; !request->max_cycles || cycle < request->max_cycles; cycle++) {
        if (cycle % LOOK == 0 && interrupted)
            break;
        run_hold_levels(request, &g->control);
        obs = governed_step(g);
        if (!obs) {
            result->finished = true;
            break;
        }
        run_watch_cycle(&watch, obs, &g->out);
    }
    run_watch_conclude(&watch, sim, result);
    free(g);
    sim_close(sim);
}
