/* SPDX-License-Identifier: Apache-2.0
 *
 * The activity simulator held against recordings of another simulator: the same kernel, described
 * by a workload file, at every CTA limit.
 */
#ifndef BALLAST_VALIDATE_H
#define BALLAST_VALIDATE_H

#include <stdio.h>

#include "gpu/run.h"
#include "replay/sweep.h"

enum { VALIDATE_CLASSES = 4 };

/* One kernel; by CTA limit, 1..nmax. */
typedef struct validation {
    char name[128];
    unsigned nmax;
    double recorded_ipc[BALLAST_MAX_SLOTS + 1], simulated_ipc[BALLAST_MAX_SLOTS + 1]; /* per SM */
    double recorded[BALLAST_MAX_SLOTS + 1][VALIDATE_CLASSES]; /* share of cycles by enum ballast_ps_class */
    double simulated[BALLAST_MAX_SLOTS + 1][VALIDATE_CLASSES];
    unsigned recorded_best, simulated_best; /* PS-E4 */
} validation;

/* What the recordings say of launch `launch` on SM 0. False with err. */
bool validate_recorded(validation *v, const char *name, const char *const *paths, unsigned num_paths, unsigned launch,
                       trace_err *err);
/* The runs that the simulator is asked for: nmax of them. */
void validate_requests(const validation *v, const machine *m, const workload *w, run_request *requests);
void validate_results(validation *v, const run_result *results);

void validate_print(FILE *f, const validation *v);
void validate_csv_header(FILE *f);
void validate_csv(FILE *f, const validation *v);
bool validate_draw(const validation *all, unsigned num, const char *path);

#endif
