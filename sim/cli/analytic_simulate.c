/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmd_analytic.h"

#include <stdlib.h>
#include <string.h>

#include "analytic/from_activity.h"
#include "cli/commands.h"
#include "cli/policies.h"
#include "cli/say.h"
#include "gpu/run.h"
#include "kernels/kernel_file.h"
#include "replay/interrupt.h"
#include "replay/progress.h"

typedef struct simulation {
    const analytic_command *how;
    machine machine;
    analytic_gpu gpu;
    oracle *oracles; /* one per kernel that could be read and predicted */
    const oracle **all; /* the same */
    workload *workloads;
    unsigned num;
} simulation;

static int take(void *user, const char *path)
{
    simulation *s = user;
    workload *w = &s->workloads[s->num];
    oracle *o = &s->oracles[s->num];
    char text[KERNEL_FILE_ERR];
    analytic_kernel kernel;
    analytic_err err;

    if (!kernel_file_workload(w, NULL, path, text))
        return complain("%s", text);
    if (!workload_check(w, &s->machine, text, sizeof text))
        return complain("%s: %s", path, text);
    from_workload(&kernel, w);
    snprintf(o->name, sizeof o->name, "%s", w->name);
    if (!analytic_predict(&s->gpu, &kernel, &s->how->switches.predict, &o->prediction, &err))
        return complain("%s: %s", path, err.text);
    s->all[s->num++] = o;
    return EXIT_PASS;
}

/* All limits, then all policies but the static one. */
static unsigned requests_of(const simulation *s, unsigned kernel, run_request *requests)
{
    const unsigned nmax = workload_nmax(&s->workloads[kernel], &s->machine);
    unsigned num = 0;

    for (unsigned n = 1; n <= nmax; n++) {
        requests[num] = run_default(&s->machine, &s->workloads[kernel]);
        requests[num++].static_limit = (uint8_t)n;
    }
    for (unsigned p = BALLAST_POLICY_STATIC + 1; p < BALLAST_POLICIES; p++) {
        requests[num] = run_default(&s->machine, &s->workloads[kernel]);
        /* The limit is the question here: the clocks stay. */
        requests[num].sm_level = requests[num].mem_level = BALLAST_VF_NORMAL;
        requests[num++].policy = (uint8_t)p;
    }
    return num;
}

static void results_of(oracle *o, const run_result *results)
{
    o->measured.nmax = results[0].nmax;
    for (unsigned n = 1; n <= o->measured.nmax; n++)
        o->measured.ipc[n] = results[n - 1].ipc;
    o->measured.optimum = sweep_optimum(&o->measured);
    o->simulated = true;
    for (unsigned p = BALLAST_POLICY_STATIC + 1; p < BALLAST_POLICIES; p++) {
        const run_result *r = &results[o->measured.nmax + p - 1];

        o->chooser[o->num_choices] = policies_names[p];
        o->choice[o->num_choices++] = r->done ? r->limit : (unsigned)(r->mean_limit + 0.5);
    }
}

static bool simulate(simulation *s)
{
    const size_t most = (size_t)s->num * (BALLAST_MAX_SLOTS + BALLAST_POLICIES) + 1;
    run_request *requests = malloc(most * sizeof *requests);
    run_result *results = malloc(most * sizeof *results);
    unsigned num = 0;
    bool ok = requests && results;

    for (unsigned k = 0; ok && k < s->num; k++)
        num += requests_of(s, k, requests + num);
    ok = ok && run_many(requests, results, num, s->how->jobs, progress_of_runs, NULL);
    for (unsigned k = 0, at = 0; ok && k < s->num; k++) {
        results_of(&s->oracles[k], results + at);
        at += s->oracles[k].measured.nmax + BALLAST_POLICIES - 1;
    }
    free(requests);
    free(results);
    return ok;
}

static int do_all(simulation *s)
{
    int status;

    from_machine(&s->gpu, &s->machine);
    interrupt_install();
    status = each_file(&s->how->files, take, s);
    if (!s->num)
        return status;
    return simulate(s) ? worse(status, analytic_print(s->how, s->all, s->num)) : complain_runs();
}

int analytic_simulate(analytic_command *command)
{
    simulation s = {.how = command, .machine = *command->machine};
    char err[256];
    int status;

    if (command->sms && !machine_slice(command->machine, command->sms, &s.machine, err, sizeof err))
        return complain("%s", err);
    s.oracles = calloc(command->files.num, sizeof *s.oracles);
    s.workloads = calloc(command->files.num, sizeof *s.workloads);
    s.all = calloc(command->files.num, sizeof(const oracle *));
    status = s.oracles && s.workloads && s.all ? do_all(&s) : complain("out of memory");
    free(s.all);
    free(s.oracles);
    free(s.workloads);
    return status;
}
