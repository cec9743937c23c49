/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "plot/gnuplot.h"
#include "replay/pace.h"
#include "report/sections.h"

enum { WIDTH = 960, HEIGHT = 450 };

/* Cycles up to here: the end of all runs, or of their first launches, which have as many points as there are segments, or fewer. */
static uint64_t end_of(const data_kernel *k, unsigned most)
{
    uint64_t last = 1;

    for (unsigned p = 0; p < DATA_POLICIES; p++) {
        const unsigned num = k->runs[p].num_losses < most ? k->runs[p].num_losses : most;

        if (num && k->runs[p].losses[num - 1].cycle > last)
            last = k->runs[p].losses[num - 1].cycle;
    }
    return last;
}

static void put_losses(FILE *plot, const data_kernel *k)
{
    for (unsigned p = 0; p < DATA_POLICIES; p++) {
        fprintf(plot, "$loss%u << END\n0 0\n", p);
        for (unsigned i = 0; i < k->runs[p].num_losses; i++)
            fprintf(plot, "%" PRIu64 " %.0f\n", k->runs[p].losses[i].cycle, k->runs[p].losses[i].cycles);
        fprintf(plot, "END\n");
    }
}

/* A part of the picture, which begins at `left` and `bottom` of 1. */
static void begin(FILE *plot, double left, double bottom, double width, double height, const char *title)
{
    fprintf(plot, "set lmargin at screen %g\nset rmargin at screen %g\nset bmargin at screen %g\nset tmargin at screen %g\n"
                  "set title '%s' offset 0,-0.6\n", left, left + width, bottom, bottom + height, title);
}

/* A line for each policy, of so many points at most; where they lie upon each other, the first is the widest. */
static void plot_losses(FILE *plot, const data_kernel *k, unsigned most)
{
    const uint64_t last = end_of(k, most);

    draw_xtics(plot, last, true);
    fprintf(plot, "set xrange [0:%" PRIu64 "]\nset yrange [*<0:1<*]\nset ytics auto\nset format y '%%.1s%%c'\nplot ", last);
    for (unsigned p = 0; p < DATA_POLICIES; p++)
        fprintf(plot, "%s$loss%u every ::::%u using 1:2 with lines linewidth %g dashtype %s linecolor rgb '%s' title '%s%s'", p ? ", " : "", p, most,
                4.6 - 0.6 * p, draw_styles[p].dashes, draw_styles[p].color, data_names[p].title, k->runs[p].num_losses ? "" : ": not known");
    fprintf(plot, "\n");
}

static void plot_limits(FILE *plot, const data_kernel *k)
{
    const uint64_t last = end_of(k, PACE_SEGMENTS);

    draw_track(plot, &k->oracle, "oracle", last);
    draw_xtics(plot, last, true);
    fprintf(plot, "set xrange [0:%" PRIu64 "]\nset yrange [0:%g]\nset format y '%%g'\nset ytics (1, %" PRIu64 ")\nset xlabel 'cycle' offset 0,0.4\n"
                  "plot %" PRIu64 " with lines dashtype 3 linewidth 1 linecolor rgb 'black' notitle, "
                  "$oracle using 1:2 with steps linewidth 2.5 linecolor rgb 'black' notitle\n", last, (double)k->nmax * 1.15, k->nmax, k->best);
}

bool draw_regret(const data_kernel *k, const char *path)
{
    FILE *plot = gnuplot_start(path);

    if (!plot)
        return false;
    gnuplot_svg(plot, path, WIDTH, HEIGHT);
    fprintf(plot, "set encoding utf8\nset multiplot\nset samples 2\nset grid xtics ytics\nunset key\n");
    put_losses(plot, k);
    begin(plot, 0.09, 0.46, 0.45, 0.47, "cycles lost against the oracle: the first launch");
    plot_losses(plot, k, PACE_SEGMENTS);
    fprintf(plot, "set key at screen 0.64, screen 0.3 left top Left reverse spacing 1.3 samplen 4\n");
    begin(plot, 0.64, 0.46, 0.33, 0.47, "launch after launch");
    plot_losses(plot, k, UINT32_MAX);
    begin(plot, 0.09, 0.12, 0.45, 0.19, "the oracle’s limit, over its own cycles of that launch");
    plot_limits(plot, k);
    fprintf(plot, "unset multiplot\n");
    return gnuplot_end(plot);
}
