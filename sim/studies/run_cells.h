/* SPDX-License-Identifier: Apache-2.0
 *
 * The result of a run as cells of a table, all of it: what is read back is the same to the last bit.
 */
#ifndef BALLAST_RUN_CELLS_H
#define BALLAST_RUN_CELLS_H

#include <stdio.h>

#include "gpu/run.h"

enum { RUN_CELLS = 29 };

/* NULL from RUN_CELLS on. */
const char *run_cell_name(unsigned cell);
/* Several values have spaces between them; zeros at their end are left out. */
void run_cell_put(FILE *f, const run_result *result, unsigned cell);
/* The others stay as they are. False if the text is none of that cell's. */
bool run_cell_take(run_result *result, unsigned cell, const char *text);

#endif
