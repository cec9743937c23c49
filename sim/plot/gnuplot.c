/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/gnuplot.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "files/placed_file.h"

/* One picture at a time. */
static placed_file place;
static struct sigaction pipes;

FILE *gnuplot_start(const char *path)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    FILE *plot;

    if (strchr(path, '\'') || system("command -v gnuplot >/dev/null 2>&1") != 0 || !placed_reserve(&place, path))
        return NULL;
    /* A gnuplot that gives up early says so by its exit status, and does not end this program. */
    sigaction(SIGPIPE, &ignore, &pipes);
    plot = popen("gnuplot >/dev/null 2>&1", "w");
    if (!plot) {
        sigaction(SIGPIPE, &pipes, NULL);
        placed_close(&place, false);
    }
    return plot;
}

void gnuplot_svg(FILE *plot, const char *path, unsigned width, unsigned height)
{
    (void)path;
    fprintf(plot, "set terminal svg size %u,%u font 'sans,12' background rgb 'white'\nset output '%s'\n", width, height,
            place.temporary);
}

/* gnuplot does not look whether the disk has taken what it wrote. */
static bool is_whole(const char *path)
{
    static const char last[] = "</svg>";
    char end[32] = "";
    FILE *f = fopen(path, "rb");
    bool whole = f && fseek(f, -(long)(sizeof end - 1), SEEK_END) == 0 && fread(end, 1, sizeof end - 1, f) > 0;

    whole = whole && strstr(end, last);
    if (f)
        fclose(f);
    return whole;
}

bool gnuplot_end(FILE *plot)
{
    const bool drawn = pclose(plot) == 0;

    sigaction(SIGPIPE, &pipes, NULL);
    return placed_close(&place, drawn && is_whole(place.temporary));
}

void gnuplot_complain(const char *path)
{
    fprintf(stderr, "ballast: %s: not drawn; is gnuplot there ('make doctor'), and can the file be written?\n", path);
}
