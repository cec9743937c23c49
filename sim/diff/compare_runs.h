/* SPDX-License-Identifier: Apache-2.0
 *
 * Two runs, as 'ballast run' left them in their folders, and what area, proofs and netlists left beside them. doc/use/diff.md
 */
#ifndef BALLAST_DIFF_COMPARE_RUNS_H
#define BALLAST_DIFF_COMPARE_RUNS_H

#include <cjson/cJSON.h>

#include "diff/changes.h"
#include "recording/trace.h"

typedef struct stored_run {
    const char *run, *build; /* folders; build NULL: not compared */
    char finished[64], commit[64]; /* found in run.json; commit "": it is not known */
} stored_run;

/* run.json of a run that is whole; NULL with one line. */
cJSON *stored_run_read(stored_run *run, trace_err *err);

/* False with one line in err if something is missing or damaged. */
bool compare_runs(stored_run *before, stored_run *after, changes *c, trace_err *err);

#endif
