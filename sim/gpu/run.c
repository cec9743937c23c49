/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/run.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "gpu/loop_run.h"
#include "gpu/parallel.h"
#include "replay/interrupt.h"

run_request run_default(const machine *m, const workload *w)
{
    return (run_request){.machine = *m, .workload = *w, .seed = 1, .mode = BALLAST_VF_PERFORMANCE, .sm_level = -1, .mem_level = -1};
}

void run_one(const run_request *request, run_result *result)
{
    const loop_job job = {.request = *request};
    char err[LOOP_ERR];

    memset(result, 0, sizeof *result);
    result->ok = loop_run_models(&job, NULL, result, err);
    if (!result->ok)
        snprintf(result->err, RUN_ERR, "%.*s", RUN_ERR - 1, err);
}

/* ---- many, each in a process of its own that writes its result into shared memory -- */

typedef struct many {
    const run_request *requests;
    run_result *shared;
    const run_ends *ends;
} many;

static bool job(void *user, unsigned index)
{
    const many *m = user;

    run_one(&m->requests[index], &m->shared[index]);
    return !interrupted;
}

/* A process that died says nothing of itself; the others go on. */
static bool ended(void *user, const parallel_end *end)
{
    const many *m = user;
    run_result *result = &m->shared[end->index];
    const bool killed = WIFSIGNALED(end->status);

    if (end->status != 0) {
        memset(result, 0, sizeof *result);
        snprintf(result->err, RUN_ERR, "the process of this run came to an end of its own (%s %d)",
                 killed ? "signal" : "exit status", killed ? WTERMSIG(end->status) : WEXITSTATUS(end->status));
    } else if (m->ends->result) {
        m->ends->result(m->ends->user, end->index, result);
    }
    if (m->ends->progress)
        m->ends->progress(m->ends->user, end->ended, end->num);
    return true;
}

bool run_many(const run_request *requests, run_result *results, unsigned num, unsigned jobs, run_progress progress,
              void *user)
{
    return run_many_as_they_end(requests, results, num, jobs, &(run_ends){.progress = progress, .user = user});
}

bool run_many_as_they_end(const run_request *requests, run_result *results, unsigned num, unsigned jobs, const run_ends *ends)
{
    const size_t size = num * sizeof *results;
    many m = {.requests = requests, .ends = ends};
    bool ok;

    if (num == 0)
        return true;
    memset(results, 0, size);
    m.shared = parallel_shared(size);
    if (!m.shared)
        return false;
    ok = parallel(num, jobs, job, ended, &m);
    memcpy(results, m.shared, size);
    for (unsigned i = 0; !ok && i < num; i++)
        results[i].ok = false;
    parallel_unshare(m.shared, size);
    return ok;
}
