/* SPDX-License-Identifier: Apache-2.0
 *
 * What gnuplot's pictures of policies share.
 */
#ifndef BALLAST_DRAW_H
#define BALLAST_DRAW_H

#include "report/data.h"

/* Of every run its colour, and a dash type for who sees no colours. */
typedef struct draw_style {
    const char *color, *dashes;
} draw_style;

extern const draw_style draw_styles[DATA_RUNS];

/* The track up to cycle `last`, as gnuplot's data block of that name. */
void draw_track(FILE *plot, const data_track *track, const char *name, uint64_t last);
/* Some six round steps up to cycle `last`, all in the same unit. */
void draw_xtics(FILE *plot, uint64_t last, bool labels);

#endif
