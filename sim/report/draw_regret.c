/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "plot/gnuplot.h"
#include "replay/pace.h"
#include "report/draw.h"
#include "report/sections.h"

enum { WIDTH = 960, HEIGHT = 450, POINTS_MOST = 24 /* of a line that has marks at its points */ };

/* A part of the picture, from 0 to 1. */
typedef struct place {
    double left, right, bottom, top;
} place;

static const place first = {0.09, 0.54, 0.46, 0.93}, all = {0.64, 0.97, 0.46, 0.93}, limits = {0.09, 0.54, 0.12, 0.31},
                   key = {0.64, 0.97, 0.04, 0.32};

static void begin(FILE *plot, const place *p, const char *title)
{
    fprintf(plot, "set lmargin at screen %g\nset rmargin at screen %g\nset bmargin at screen %g\nset tmargin at screen %g\n"
                  "set title '%s' offset 0,-0.6\n", p->left, p->right, p->bottom, p->top, title);
}

/* Where the runs have ended, or their first launches: these have as many points as there are segments, or fewer. */
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

/* A line for each policy, of `most` points at most; where they lie upon each other, the dashes show both. */
static void plot_losses(FILE *plot, const data_kernel *k, unsigned most)
{
    const char *between = "plot ";

    for (unsigned p = 0; p < DATA_POLICIES; p++) {
        if (!k->runs[p].num_losses)
            continue;
        fprintf(plot, "%s$loss%u every ::::%u using 1:2 with %s pointtype 7 pointsize 0.3 linewidth 2.2 dashtype %s linecolor rgb '%s' notitle", between,
                p, most, most <= POINTS_MOST ? "linespoints" : "lines", draw_styles[p].dashes, draw_styles[p].color);
        between = ", ";
    }
    fprintf(plot, "\n");
}

static void put_losses_panel(FILE *plot, const data_kernel *k, const place *p, const char *title, unsigned most)
{
    const uint64_t last = end_of(k, most);

    begin(plot, p, title);
    draw_xtics(plot, last, true);
    fprintf(plot, "set xrange [0:%" PRIu64 "]\nset yrange [*<0:1<*]\nset ytics auto\nset format y '%%.1s%%c'\n", last);
    plot_losses(plot, k, most);
}

static void put_limits(FILE *plot, const data_kernel *k)
{
    const uint64_t last = end_of(k, PACE_SEGMENTS);

    begin(plot, &limits, "the oracle’s limit, over its own cycles of that launch");
    draw_track(plot, &k->oracle, "oracle", last);
    draw_xtics(plot, last, true);
    fprintf(plot, "set xrange [0:%" PRIu64 "]\nset yrange [0:%g]\nset format y '%%g'\nset ytics (1, %" PRIu64 ")\nset xlabel 'cycle' offset 0,0.4\n"
                  "plot %" PRIu64 " with lines dashtype 3 linewidth 1 linecolor rgb 'black' notitle, "
                  "$oracle using 1:2 with steps linewidth 2.5 linecolor rgb 'black' notitle\n",
            last, (double)k->nmax * 1.15, k->nmax, k->best);
}

/* A plot that shows nothing but the names. */
static void put_key(FILE *plot, const data_kernel *k)
{
    begin(plot, &key, "");
    fprintf(plot, "unset border\nunset tics\nunset grid\nunset xlabel\nset xrange [0:1]\nset yrange [0:1]\nset key left center Left reverse "
                  "spacing 1.25 samplen 4\n");
    for (unsigned p = 0; p < DATA_POLICIES; p++)
        fprintf(plot, "%s 2 with lines linewidth 2.5 dashtype %s linecolor rgb '%s' title '%s%s'", p ? "," : "plot", draw_styles[p].dashes,
                draw_styles[p].color, data_names[p].title, k->runs[p].num_losses ? "" : ": not known");
    fprintf(plot, "\n");
}

bool draw_regret(const data_kernel *k, const char *path)
{
    FILE *plot = end_of(k, PACE_SEGMENTS) > 1 ? gnuplot_start(path) : NULL;

    if (!plot)
        return false;
    gnuplot_svg(plot, path, WIDTH, HEIGHT);
    fprintf(plot, "set encoding utf8\nset multiplot\nset samples 2\nset grid xtics ytics\nunset key\n");
    put_losses(plot, k);
    put_losses_panel(plot, k, &first, "cycles lost against the oracle: the first launch", PACE_SEGMENTS);
    put_losses_panel(plot, k, &all, "launch after launch", UINT32_MAX);
    put_limits(plot, k);
    put_key(plot, k);
    fprintf(plot, "unset multiplot\n");
    return gnuplot_end(plot);
}
