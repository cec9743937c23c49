/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sim_policies.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "recording/csv.h"
#include "replay/progress.h"
#include "replay/sweep.h"

/* The limits 1..Nmax, then the choices. */
typedef struct side_by_side {
    const policy_choices *choices;
    unsigned nmax, num;
    run_request *requests;
    run_result *results;
    sweep sweep;
    unsigned fastest; /* limit */
} side_by_side;

static bool prepare(side_by_side *s, const run_request *request)
{
    s->nmax = workload_nmax(&request->workload, &request->machine);
    s->num = s->nmax + s->choices->num;
    s->requests = calloc(s->num, sizeof *s->requests);
    s->results = calloc(s->num, sizeof *s->results);
    if (!s->requests || !s->results)
        return false;
    for (unsigned i = 0; i < s->num; i++) {
        const policy_choice *choice = i < s->nmax ? NULL : &s->choices->choice[i - s->nmax];
        run_request *r = &s->requests[i];

        *r = *request;
        r->sm_level = r->mem_level = BALLAST_VF_NORMAL;
        r->static_limit = choice ? 0 : (uint8_t)(i + 1);
        r->policy = choice ? choice->policy : BALLAST_POLICY_STATIC;
        r->own = choice && choice->file ? &choice->own : NULL;
    }
    return true;
}

/* Runs that fail say why; the exit status of all. */
static int play(side_by_side *s, unsigned jobs)
{
    const bool ran = run_many(s->requests, s->results, s->num, jobs, progress_of_runs, NULL);
    int status = EXIT_PASS;

    if (!ran)
        return complain_runs();
    for (unsigned i = 0; i < s->num; i++)
        if (!s->results[i].ok)
            status = complain("%s", s->results[i].err);
    return status;
}

static void judge_limits(side_by_side *s)
{
    s->sweep.nmax = s->nmax;
    s->fastest = 1;
    for (unsigned n = 1; n <= s->nmax; n++) {
        s->sweep.ipc[n] = s->results[n - 1].ipc;
        if (s->sweep.ipc[n] > s->sweep.ipc[s->fastest])
            s->fastest = n;
    }
    s->sweep.optimum = sweep_optimum(&s->sweep);
}

/* ---- what is printed --------------------------------------------------------------------- */

/* How much longer, in percent, than with the fastest limit. */
static double cost_of(const side_by_side *s, const run_result *r)
{
    return r->ipc > 0 ? 100 * (s->sweep.ipc[s->fastest] / r->ipc - 1) : 0;
}

typedef struct limits {
    unsigned least, most;
    bool settled; /* all SMs have decided, or no limit changed in the second half */
} limits;

static limits limits_of(const run_request *request, const run_result *r)
{
    limits l = {.least = r->limits[0], .most = r->limits[0], .settled = true};

    for (unsigned i = 0; i < request->machine.sms; i++) {
        l.least = r->limits[i] < l.least ? r->limits[i] : l.least;
        l.most = r->limits[i] > l.most ? r->limits[i] : l.most;
        l.settled &= r->decided[i];
    }
    l.settled |= r->settled <= r->counts.cycles / 2;
    return l;
}

static void print_row(const side_by_side *s, const char *label, const run_request *request, const run_result *r)
{
    const limits l = limits_of(request, r);
    char limit[32], when[32] = "moving";

    snprintf(limit, sizeof limit, l.least == l.most ? "%u" : "%u to %u", l.least, l.most);
    if (l.settled)
        snprintf(when, sizeof when, "@%" PRIu64, r->settled);
    printf("%-24s %11" PRIu64 " %8.1f %% %9s %6.2f %12s%s\n", label, r->counts.cycles, cost_of(s, r), limit, r->mean_limit, when,
           r->finished ? "" : "  cut off");
}

static void print(const side_by_side *s)
{
    const run_request *request = &s->requests[0];
    const run_result *best = &s->results[s->fastest - 1];

    printf("%s on %s, %u SMs, seed %" PRIu64 ", both clocks nominal: limits 1 to %u, the fewest CTAs that no higher limit beats by 2 %%: %u (PS-E4); "
           "fastest %u, %" PRIu64 " cycles%s\n", request->workload.name, request->machine.name, (unsigned)request->machine.sms,
           request->seed, s->nmax, s->sweep.optimum, s->fastest, best->counts.cycles, best->finished ? "" : ", cut off");
    printf("%-24s %11s %10s %9s %6s %12s\n", "policy", "cycles", "cost", "limit", "mean", "settled");
    for (unsigned i = s->nmax; i < s->num; i++)
        print_row(s, s->choices->choice[i - s->nmax].label, &s->requests[i], &s->results[i]);
}

static void print_csv(const side_by_side *s)
{
    printf("workload,machine,sms,seed,policy,finished,cycles,cost_percent,least_limit,most_limit,mean_limit,settled,settled_cycle,nmax,"
           "best_limit,fastest_limit,fastest_cycles\n");
    for (unsigned i = s->nmax; i < s->num; i++) {
        const run_request *request = &s->requests[i];
        const run_result *r = &s->results[i];
        const limits l = limits_of(request, r);

        printf("%s,%s,%u,%" PRIu64 ",", request->workload.name, request->machine.name, (unsigned)request->machine.sms, request->seed);
        csv_put(stdout, s->choices->choice[i - s->nmax].label);
        printf(",%d,%" PRIu64 ",%.4f,%u,%u,%.4f,%d,%" PRIu64 ",%u,%u,%u,%" PRIu64 "\n", r->finished, r->counts.cycles, cost_of(s, r), l.least,
               l.most, r->mean_limit, l.settled, r->settled, s->nmax, s->sweep.optimum, s->fastest,
               s->results[s->fastest - 1].counts.cycles);
    }
}

int sim_policies(const policy_choices *choices, const run_request *request, unsigned jobs, bool as_csv)
{
    side_by_side s = {.choices = choices};
    int status = prepare(&s, request) ? play(&s, jobs) : complain("out of memory");

    if (status == EXIT_PASS) {
        judge_limits(&s);
        (as_csv ? print_csv : print)(&s);
    }
    free(s.requests);
    free(s.results);
    return status;
}
