/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/analytic_simulate.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/run.h"
#include "kernels/kernel_file.h"
#include "cli/commands.h"
#include "cli/complain.h"
#include "cli/policies.h"
#include "analytic/from_activity.h"
#include "analytic/oracle.h"
#include "plot/gnuplot.h"
#include "replay/interrupt.h"
#include "replay/progress.h"

typedef struct simulation {
    const model_simulate *how;
    analytic_gpu gpu;
    oracle *oracles; /* one per kernel that could be read and predicted */
    workload *workloads;
    unsigned num;
    int status;
} simulation;

static void take(simulation *s, const char *path)
{
    workload *w = &s->workloads[s->num];
    oracle *o = &s->oracles[s->num];
    char text[KERNEL_FILE_ERR];
    analytic_kernel kernel;
    analytic_err err;

    if (!kernel_file_workload(w, NULL, path, text)) {
        s->status = complain("%s", text);
        return;
    }
    if (!workload_check(w, s->how->machine, text, sizeof text)) {
        s->status = complain("%s: %s", path, text);
        return;
    }
    from_workload(&kernel, w);
    memset(o, 0, sizeof *o);
    snprintf(o->name, sizeof o->name, "%s", w->name);
    if (predict(&s->gpu, &kernel, &s->how->options, &o->prediction, &err))
        s->num++;
    else
        s->status = complain("%s: %s", path, err.text);
}

/* All limits, then all policies but the static one. */
static unsigned requests_of(const simulation *s, unsigned kernel, run_request *requests)
{
    const unsigned nmax = workload_nmax(&s->workloads[kernel], s->how->machine);
    unsigned num = 0;

    for (unsigned n = 1; n <= nmax; n++) {
        requests[num] = run_default(s->how->machine, &s->workloads[kernel]);
        requests[num++].static_limit = (uint8_t)n;
    }
    for (unsigned p = POLICY_STATIC + 1; p < POLICIES; p++) {
        requests[num] = run_default(s->how->machine, &s->workloads[kernel]);
        /* The limit is the question here: the clocks stay. */
        requests[num].sm_level = requests[num].mem_level = VF_NORMAL;
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
    for (unsigned p = POLICY_STATIC + 1; p < POLICIES; p++) {
        const run_result *r = &results[o->measured.nmax + p - 1];

        o->chooser[o->num_choices] = policies_names[p];
        o->choice[o->num_choices++] = r->done ? r->limit : (unsigned)(r->mean_limit + 0.5);
    }
}

static bool simulate(simulation *s)
{
    const size_t most = (size_t)s->num * (BALLAST_MAX_SLOTS + POLICIES) + 1;
    run_request *requests = malloc(most * sizeof *requests);
    run_result *results = malloc(most * sizeof *results);
    unsigned num = 0;
    bool ok = requests && results;

    for (unsigned k = 0; ok && k < s->num; k++)
        num += requests_of(s, k, requests + num);
    ok = ok && run_many(requests, results, num, s->how->jobs, progress_of_runs, NULL);
    for (unsigned k = 0, at = 0; ok && k < s->num; k++) {
        results_of(&s->oracles[k], results + at);
        at += s->oracles[k].measured.nmax + POLICIES - 1;
    }
    free(requests);
    free(results);
    return ok;
}

static void print_all(simulation *s)
{
    const oracle **all = calloc(s->num ? s->num : 1, sizeof(const oracle *));

    (s->how->csv ? oracle_csv_header : oracle_print_header)(stdout, &s->oracles[0]);
    for (unsigned k = 0; all && k < s->num; k++) {
        all[k] = &s->oracles[k];
        (s->how->csv ? oracle_csv : oracle_print)(stdout, all[k]);
    }
    if (s->how->plot && (!all || !oracle_draw(all, s->num, s->how->plot))) {
        gnuplot_complain(s->how->plot);
        s->status = EXIT_BAD_INPUT;
    }
    free(all);
}

static void do_all(simulation *s)
{
    from_machine(&s->gpu, s->how->machine);
    interrupt_install();
    for (int i = 0; i < s->how->num_files; i++)
        take(s, s->how->files[i]);
    if (s->num && simulate(s))
        print_all(s);
    else if (interrupted)
        s->status = EXIT_STOPPED;
    else if (s->num)
        s->status = complain("the runs could not be started, or there is no memory for them");
}

int model_simulate_run(const model_simulate *how)
{
    simulation s = {.how = how, .status = EXIT_PASS};

    s.oracles = calloc((size_t)how->num_files, sizeof *s.oracles);
    s.workloads = calloc((size_t)how->num_files, sizeof *s.workloads);
    if (s.oracles && s.workloads)
        do_all(&s);
    else
        s.status = complain("out of memory");
    free(s.oracles);
    free(s.workloads);
    return s.status;
}
