/* SPDX-License-Identifier: Apache-2.0 */
#include "studies/experiment_grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void grid_begin(experiment_grid *g, const char *title, const char *headings)
{
    char one[GRID_CELL];
    size_t length;

    memset(g, 0, sizeof *g);
    snprintf(g->title, sizeof g->title, "%s", title);
    g->cells = calloc(GRID_ROWS, sizeof *g->cells);
    grid_row(g);
    for (const char *from = headings; *from; from += length + (from[length] == '|')) {
        length = strcspn(from, "|");
        snprintf(one, sizeof one, "%.*s", (int)length, from);
        grid_cell(g, "%s", one);
    }
    g->columns = g->column;
}

void grid_free(experiment_grid *g)
{
    free(g->cells);
    g->cells = NULL;
    g->rows = 0;
}

void grid_row(experiment_grid *g)
{
    if (g->cells && g->rows < GRID_ROWS)
        g->rows++;
    g->column = 0;
}

void grid_cell(experiment_grid *g, const char *format, ...)
{
    va_list args;

    if (!g->rows || g->column == GRID_COLUMNS)
        return;
    va_start(args, format);
    vsnprintf(g->cells[g->rows - 1][g->column++], GRID_CELL, format, args);
    va_end(args);
}

static int width_of(const experiment_grid *g, unsigned column)
{
    size_t width = 0;

    for (unsigned row = 0; row < g->rows; row++) {
        const size_t length = strlen(g->cells[row][column]);

        width = length > width ? length : width;
    }
    return (int)width;
}

void grid_text(FILE *f, const experiment_grid *g)
{
    fprintf(f, "%s\n\n", g->title);
    for (unsigned row = 0; row < g->rows; row++) {
        fprintf(f, "  %-*s", width_of(g, 0), g->cells[row][0]);
        for (unsigned column = 1; column < g->columns; column++)
            fprintf(f, "  %*s", width_of(g, column), g->cells[row][column]);
        fputc('\n', f);
    }
    fputc('\n', f);
}

static void csv_cell(FILE *f, const char *cell)
{
    if (!strpbrk(cell, ",\"")) {
        fputs(cell, f);
        return;
    }
    fputc('"', f);
    for (; *cell; cell++) {
        if (*cell == '"')
            fputc('"', f);
        fputc(*cell, f);
    }
    fputc('"', f);
}

void grid_csv(FILE *f, const experiment_grid *g)
{
    for (unsigned row = 0; row < g->rows; row++)
        for (unsigned column = 0; column < g->columns; column++) {
            csv_cell(f, g->cells[row][column]);
            fputc(column + 1 < g->columns ? ',' : '\n', f);
        }
}
