/* SPDX-License-Identifier: Apache-2.0 */
#include "studies/experiment_pool.h"

#include <stdlib.h>
#include <string.h>

void pool_open(experiment_pool *pool)
{
    memset(pool, 0, sizeof *pool);
}

void pool_close(experiment_pool *pool)
{
    free(pool->requests);
    free(pool->results);
    pool_open(pool);
}

/* Byte by byte: what differs in padding only is run twice, nothing worse. */
static bool find(const experiment_pool *pool, const run_request *request, unsigned *number)
{
    for (unsigned i = 0; i < pool->num; i++)
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): see above
        if (!memcmp(&pool->requests[i], request, sizeof *request)) {
            *number = i;
            return true;
        }
    return false;
}

static bool grow(experiment_pool *pool)
{
    const unsigned size = pool->size ? 2 * pool->size : 64;
    run_request *requests = realloc(pool->requests, size * sizeof *requests);
    run_result *results;

    if (!requests)
        return false;
    pool->requests = requests;
    results = realloc(pool->results, size * sizeof *results);
    if (!results)
        return false;
    pool->results = results;
    pool->size = size;
    return true;
}

bool pool_add(experiment_pool *pool, const run_request *request, unsigned *number)
{
    if (find(pool, request, number))
        return true;
    if (pool->num == pool->size && !grow(pool))
        return false;
    memcpy(&pool->requests[pool->num], request, sizeof *request);
    *number = pool->num++;
    return true;
}

/* The runs of one call. */
typedef struct pool_runs {
    experiment_pool *pool;
    unsigned *number; /* of those that are not finished yet */
    run_request *requests;
    run_result *results;
    unsigned num, finished;
    run_progress progress;
    void *user;
} pool_runs;

static void take_result(void *user, unsigned index, const run_result *result)
{
    const pool_runs *r = user;

    if (result->ok && r->pool->finished)
        finished_runs_add(r->pool->finished, &r->requests[index], result);
}

static void tell(void *user, unsigned ended, unsigned num)
{
    const pool_runs *r = user;

    if (r->progress)
        r->progress(r->user, ended + r->finished, num + r->finished);
}

/* What has been finished before is there, the others are to be run. */
static void divide(pool_runs *r)
{
    experiment_pool *pool = r->pool;

    for (unsigned i = pool->ran; i < pool->num; i++) {
        const run_result *known = pool->finished ? finished_runs_find(pool->finished, &pool->requests[i]) : NULL;

        if (known) {
            memcpy(&pool->results[i], known, sizeof *known);
            r->finished++;
            continue;
        }
        memcpy(&r->requests[r->num], &pool->requests[i], sizeof *r->requests);
        r->number[r->num++] = i;
    }
}

static bool run_rest(pool_runs *r, unsigned jobs)
{
    const run_ends ends = {tell, take_result, r};
    bool ok;

    divide(r);
    ok = run_many_as_they_end(r->requests, r->results, r->num, jobs, &ends);
    for (unsigned i = 0; ok && i < r->num; i++)
        memcpy(&r->pool->results[r->number[i]], &r->results[i], sizeof *r->results);
    return ok;
}

bool pool_run(experiment_pool *pool, unsigned jobs, run_progress progress, void *user)
{
    const unsigned num = pool->num - pool->ran;
    pool_runs r = {.pool = pool, .progress = progress, .user = user};
    bool ok;

    if (!num)
        return true;
    r.number = calloc(num, sizeof *r.number);
    r.requests = calloc(num, sizeof *r.requests);
    r.results = calloc(num, sizeof *r.results);
    ok = r.number && r.requests && r.results && run_rest(&r, jobs);
    if (ok)
        pool->ran = pool->num;
    free(r.number);
    free(r.requests);
    free(r.results);
    return ok;
}
