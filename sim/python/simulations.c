/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/cmd_sim.h"
#include "cli/policies.h"
#include "kernels/kernel_file.h"
#include "python/runs.h"

/* By enum machine_scheduler. */
static const char *const schedulers[SCHEDULES + 1] = {"gto", "lrr", "two-level", "sca", "ccws"};

static bool no_machine(const char *name, char *err)
{
    snprintf(err, KIT_ERR, "machine: no '%.60s'; there are %s", name, machine_names);
    return false;
}

static bool take_machine(const kit_simulation *k, run_request *request, char *err)
{
    const machine *whole = machine_find(k->machine);
    unsigned scheduler;

    if (!whole)
        return no_machine(k->machine, err);
    request->machine = *whole;
    if (k->sms && !machine_slice(whole, k->sms, &request->machine, err, KIT_ERR))
        return false;
    if (!strcmp(k->scheduler, "own"))
        return true;
    if (!kit_choose(schedulers, k->scheduler, "scheduler", &scheduler, err))
        return false;
    request->machine.scheduler = (enum machine_scheduler)scheduler;
    return true;
}

static bool prepare(const kit_simulation *k, const kit_governor *g, run_request *request, char *err)
{
    unsigned mode;

    if (!take_machine(k, request, err) || !kit_choose(policies_modes, k->mode, "mode", &mode, err) ||
        !kernel_file_workload(&request->workload, NULL, k->kernel, err) ||
        !workload_check(&request->workload, &request->machine, err, KIT_ERR))
        return false;
    request->mode = (uint8_t)mode;
    request->policy = g->policy;
    request->own = g->own;
    request->static_limit = (uint8_t)k->limit;
    request->bcs = k->bcs;
    if (!k->limit || (!g->own && g->policy == BALLAST_POLICY_STATIC && k->limit <= BALLAST_MAX_SLOTS))
        return true;
    snprintf(err, KIT_ERR, "limit: up to %d, and only under the policy static", BALLAST_MAX_SLOTS);
    return false;
}

static bool run(const loop_job *job, bool logs, FILE *out, char *err)
{
    decision_log log = {.lines = 0};
    run_result result;
    bool ok;

    if (logs && !decision_log_open(&log, job->request.machine.sms, 0))
        snprintf(err, KIT_ERR, "no memory");
    ok = (!logs || !err[0]) && loop_run_models(job, logs ? &log : NULL, &result, err);
    if (ok) {
        sim_report_csv_header(out);
        sim_report_csv(out, &job->request, &result, "model");
        decision_log_write_data(&log, SIDE_MODEL, out);
    }
    decision_log_close(&log);
    return ok;
}

static bool simulate(const void *user, FILE *out, char *err)
{
    const kit_simulation *k = user;
    loop_job job = {.request = {.seed = k->seed, .max_cycles = k->max_cycles, .sm_level = -1, .mem_level = -1}};
    kit_governor g;
    bool ok;

    if (!kit_governor_open(&g, k->policy, &KIT_CALLS_OF(k), err))
        return false;
    ok = prepare(k, &g, &job.request, err);
    if (ok)
        err[0] = '\0';
    ok = ok && run(&job, k->log, out, err);
    kit_governor_close(&g);
    return ok;
}

int kit_simulate(const kit_simulation *request, int fd, bool apart)
{
    return kit_run(simulate, request, fd, apart);
}
