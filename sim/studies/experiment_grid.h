/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of an experiment, as text and as CSV.
 */
#ifndef BALLAST_EXPERIMENT_GRID_H
#define BALLAST_EXPERIMENT_GRID_H

#include <stdbool.h>
#include <stdio.h>

enum { GRID_COLUMNS = 16, GRID_CELL = 64, GRID_ROWS = 256 };

typedef struct experiment_grid {
    char title[160];
    unsigned columns, rows, column; /* rows: with the headings; column: the next cell's */
    char (*cells)[GRID_COLUMNS][GRID_CELL];
} experiment_grid;

/* Headings: names with a '|' between them. A grid without memory stays empty. */
void grid_begin(experiment_grid *g, const char *title, const char *headings);
void grid_free(experiment_grid *g);
/* A new row; its next cell. */
void grid_row(experiment_grid *g);
void grid_cell(experiment_grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The first column to the left, all others to the right, as wide as they must be. */
void grid_text(FILE *f, const experiment_grid *g);
/* Headings and rows; a cell with a comma or quote is quoted. */
void grid_csv(FILE *f, const experiment_grid *g);

#endif
