/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of costs in percent as a picture for a slide: the darker a cell, the more it costs. SVG that needs nothing but itself.
 */
#ifndef BALLAST_HEAT_MAP_H
#define BALLAST_HEAT_MAP_H

#include <stdbool.h>

typedef struct heat_map {
    const char *title, *unit; /* above; beside the key */
    unsigned rows, columns;   /* two more columns have mean and worst of a row */
    const char *const *row, *const *column;
    const double *cost;       /* row by row; NAN: not known */
} heat_map;

/* Of a cell: "#FEE838", and whether text on it is to be white. */
enum { HEAT_COLOR = 8 };
void heat_color(double cost, char color[HEAT_COLOR]);
bool heat_is_dark(double cost);

/* Into a file, which is there as a whole or not at all. False with errno. */
bool heat_map_draw(const heat_map *m, const char *path);

#endif
