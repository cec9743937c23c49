/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of the simulator that a command has finished, kept in a file until the whole command has: the same command goes on with them
 * after an interrupt. A run is found by all that it depends on: its request, and the program that ran it.
 */
#ifndef BALLAST_FINISHED_RUNS_H
#define BALLAST_FINISHED_RUNS_H

#include <stdio.h>

#include "gpu/run.h"

typedef struct finished_run {
    uint64_t key[2], check; /* of request and program; of the result */
    run_result result;
} finished_run;

typedef struct finished_runs {
    FILE *file; /* NULL: none are kept */
    char path[4096 + 32];
    uint64_t program[2];
    finished_run *runs;
    unsigned num, size;
    bool lost; /* one could not be written */
} finished_runs;

/* Reads what an interrupted command has left at `path`; what is damaged at its end, or of another program, counts for nothing.
 * False with errno if the file cannot be written. */
bool finished_runs_open(finished_runs *f, const char *path);
/* NULL: not run yet. */
const run_result *finished_runs_find(const finished_runs *f, const run_request *request);
void finished_runs_add(finished_runs *f, const run_request *request, const run_result *result);
/* `done`: they are not needed any more. Otherwise the file stays if there is a run in it. */
void finished_runs_close(finished_runs *f, bool done);

#endif
