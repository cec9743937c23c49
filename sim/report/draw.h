/* SPDX-License-Identifier: Apache-2.0
 *
 * The report's pictures, drawn by gnuplot into SVG files. All return false without gnuplot.
 */
#ifndef BALLAST_REPORT_DRAW_H
#define BALLAST_REPORT_DRAW_H

#include "report/data.h"

/* A lane per policy and per mode of the chip, one time axis up to cycle `last`; decisions that moved something are
 * numbered. */
bool draw_limits(const data_kernel *k, uint64_t last, const char *path);
/* Shares of the cycles at every recorded limit. */
bool draw_stalls(const data_kernel *k, const char *path);
/* Recorded and predicted instructions per cycle, all kernels. */
bool draw_models(const report_data *d, const char *path);

#endif
