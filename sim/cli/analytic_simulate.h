/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast analytic simulate: kernels of the activity simulator, predicted by the analytic models,
 * simulated at every CTA limit, and under every policy with the C models in the loop.
 */
#ifndef BALLAST_MODEL_SIMULATE_H
#define BALLAST_MODEL_SIMULATE_H

#include "gpu/machine.h"
#include "analytic/predict.h"

typedef struct model_simulate {
    const machine *machine; /* a slice will do, see machine_slice */
    char **files;           /* workload files                     */
    int num_files;
    predict_options options;
    unsigned jobs;
    bool csv;
    const char *plot;       /* an SVG file, or NULL               */
} model_simulate;

/* Prints to stdout; an exit status. */
int model_simulate_run(const model_simulate *how);

#endif
