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

bool pool_run(experiment_pool *pool, unsigned jobs, run_progress progress, void *user)
{
    const unsigned first = pool->ran;

    if (first == pool->num)
        return true;
    if (!run_many(pool->requests + first, pool->results + first, pool->num - first, jobs, progress, user))
        return false;
    pool->ran = pool->num;
    return true;
}
