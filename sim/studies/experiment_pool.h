/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs that experiments ask for, each of them run once.
 */
#ifndef BALLAST_EXPERIMENT_POOL_H
#define BALLAST_EXPERIMENT_POOL_H

#include "studies/finished_runs.h"

typedef struct experiment_pool {
    run_request *requests;
    run_result *results;
    unsigned num, size;
    unsigned ran; /* the first so many have been run */
    finished_runs *finished; /* those of an interrupted command, and where this one keeps its own; NULL: nowhere */
} experiment_pool;

void pool_open(experiment_pool *pool);
void pool_close(experiment_pool *pool);
/* A run's number; the same for the same request. False without memory. */
bool pool_add(experiment_pool *pool, const run_request *request, unsigned *number);
/* Runs what has not been run yet. False if it was interrupted. */
bool pool_run(experiment_pool *pool, unsigned jobs, run_progress progress, void *user);
static inline const run_result *pool_result(const experiment_pool *pool, unsigned number)
{
    return &pool->results[number];
}

#endif
