/* SPDX-License-Identifier: Apache-2.0
 *
 * Lee et al., Fig. 3: the SMs that the first 84 CTAs of VADD went to on a Tesla M2050 with 14 SMs, beside those of the simulator.
 */
#ifndef BALLAST_EXPERIMENT_FILL_H
#define BALLAST_EXPERIMENT_FILL_H

#include "studies/experiment.h"

/* Adds a table, if VADD is among the kernels. */
void report_fill(const experiment *e, experiment_report *report);

#endif
