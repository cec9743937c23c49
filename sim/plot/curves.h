/* SPDX-License-Identifier: Apache-2.0
 *
 * Small pictures side by side in one SVG file: for each kernel a few curves over the CTA limit, and
 * marks at limits that somebody chose.
 */
#ifndef BALLAST_CURVES_H
#define BALLAST_CURVES_H

#include <stdbool.h>

enum { CURVES_POINTS = 33, CURVES_SERIES = 4, CURVES_MARKS = 8, CURVES_TITLE = 128 };

typedef struct curves {
    const char *x, *y;                     /* labels of the axes                        */
    unsigned num_series, num_marks;
    const char *series[CURVES_SERIES];     /* names for the key                         */
    const char *marks[CURVES_MARKS];
} curves;

typedef struct curves_panel {
    char title[CURVES_TITLE];
    unsigned points;                             /* x runs from 1 to this                     */
    double y[CURVES_SERIES][CURVES_POINTS];      /* [1..points]; below 0: no such point       */
    unsigned mark[CURVES_MARKS];                 /* x of each mark, 0: none                   */
} curves_panel;

/* False without gnuplot, without panels, or if it cannot write. */
bool curves_draw(const curves *how, const curves_panel *panels, unsigned num, const char *path);

#endif
