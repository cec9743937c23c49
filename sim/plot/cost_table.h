/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of costs that was put into a file as lines `row,column,cost`, as a picture; `ballast query picture` writes such files.
 */
#ifndef BALLAST_COST_TABLE_H
#define BALLAST_COST_TABLE_H

#include "recording/trace.h"

enum { COST_TABLE_NAMES = 64 }; /* rows and columns: more are not legible */

/* From the CSV file into an SVG file, which is there as a whole or not at all. An optional column `what` says what the costs are. Rows and
 * columns are in the order in which they come first. False with one line in err. */
bool cost_table_draw(const char *csv, const char *svg, trace_err *err);

#endif
