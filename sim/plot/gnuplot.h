/* SPDX-License-Identifier: Apache-2.0
 *
 * gnuplot, if it is there: pictures are an extra that no command depends on.
 */
#ifndef BALLAST_GNUPLOT_H
#define BALLAST_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

/* Where commands go that draw into files under `path`; NULL without gnuplot, or if the path
 * cannot stand in gnuplot's quotes. */
FILE *gnuplot_start(const char *path);
/* Sets the SVG terminal to `width` x `height` and the output to `path`. */
void gnuplot_svg(FILE *plot, const char *path, unsigned width, unsigned height);
/* True if gnuplot had nothing to complain about. */
bool gnuplot_end(FILE *plot);
/* Says on stderr that the picture was not drawn, and what may be the reason. */
void gnuplot_complain(const char *path);

#endif
