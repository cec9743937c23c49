/* SPDX-License-Identifier: Apache-2.0
 *
 * A policy's colour and dashes, for pictures that are not gnuplot's.
 */
#ifndef BALLAST_PEN_H
#define BALLAST_PEN_H

#include "plot/chart.h"

/* Of run `run` of data_names. */
chart_pen pen_of_run(unsigned run);

#endif
