/* SPDX-License-Identifier: Apache-2.0
 *
 * A workload and a machine of the activity simulator as the analytic models see them, so that both
 * can be asked about the same kernel.
 */
#ifndef BALLAST_FROM_ACTIVITY_H
#define BALLAST_FROM_ACTIVITY_H

#include "gpu/machine.h"
#include "gpu/workload.h"
#include "analytic/gpus.h"

/* Instructions per warp, accesses by their lines, barriers. What the models have no word for is
 * dropped: reuse, spread, distances between arithmetic instructions. Arithmetic counts half as INT,
 * half as FP: a workload does not say. */
void from_workload(analytic_kernel *kernel, const workload *w);

/* Latencies and bandwidth of the machine's parts put in a row, in SM cycles; the power of `fermi`. */
void from_machine(analytic_gpu *gpu, const machine *m);

#endif
