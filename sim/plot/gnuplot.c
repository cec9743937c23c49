/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/gnuplot.h"

#include <stdlib.h>
#include <string.h>

FILE *gnuplot_start(const char *path)
{
    if (strchr(path, '\'') || system("command -v gnuplot >/dev/null 2>&1") != 0)
        return NULL;
    return popen("gnuplot >/dev/null 2>&1", "w");
}

void gnuplot_svg(FILE *plot, const char *path, unsigned width, unsigned height)
{
    fprintf(plot, "set terminal svg size %u,%u font 'sans,12' background rgb 'white'\nset output '%s'\n", width, height,
            path);
}

bool gnuplot_end(FILE *plot)
{
    return pclose(plot) == 0;
}

void gnuplot_complain(const char *path)
{
    fprintf(stderr, "ballast: %s: not drawn; is gnuplot there ('make doctor'), and can the file be written?\n", path);
}
