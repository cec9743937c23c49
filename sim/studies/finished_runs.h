/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of the simulator that are finished, kept in a CSV file: a line of names, then a line for each run. Who has such a file need not
 * run them again. A run is found by all that it depends on: its request, and the program that ran it.
 *
 * Columns may stand in any order, and there may be others: the file may come from a store of sweeps.
 */
#ifndef BALLAST_FINISHED_RUNS_H
#define BALLAST_FINISHED_RUNS_H

#include "recording/trace.h"
#include "studies/run_cells.h"

enum { FINISHED_COLUMNS = 48 };

typedef struct finished_run {
    uint64_t key[2]; /* of request and program */
    run_result result;
} finished_run;

typedef struct finished_runs {
    FILE *file; /* NULL: none are kept */
    char path[4096 + 32];
    uint64_t program[2];
    finished_run *runs;
    unsigned num, size;
    unsigned columns;
    int column[FINISHED_COLUMNS]; /* which of ours a column of the file is, -1: none */
    bool lost;                   /* one could not be written */
} finished_runs;

/* Reads what is at `path`; a line that is damaged, or of another program, counts for nothing. False with one line in err. */
bool finished_runs_open(finished_runs *f, const char *path, trace_err *err);
/* NULL: not run yet. */
const run_result *finished_runs_find(const finished_runs *f, const run_request *request);
void finished_runs_add(finished_runs *f, const run_request *request, const run_result *result);
/* `drop`: the file is not needed any more. */
void finished_runs_close(finished_runs *f, bool drop);

#endif
