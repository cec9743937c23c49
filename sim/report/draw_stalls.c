/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "plot/gnuplot.h"
#include "report/draw.h"

enum { WIDTH = 470, HEIGHT = 360 };

/* ALU in full colour, memory paler. Patterns would tell them apart as well, but swell a printed page to many times its size. */
static const struct {
    const char *title, *color, *fill;
} styles[BREAKDOWN_PARTS] = {
    [BREAKDOWN_ACTIVE] = {"active", "#0072B2", "solid 1"},
    [BREAKDOWN_PIPELINE_ALU] = {"pipeline, ALU", "#E69F00", "solid 1"},
    [BREAKDOWN_PIPELINE_MEM] = {"pipeline, memory", "#E69F00", "transparent solid 0.35"},
    [BREAKDOWN_SCOREBOARD_ALU] = {"scoreboard, ALU", "#B5529C", "solid 1"},
    [BREAKDOWN_SCOREBOARD_MEM] = {"scoreboard, memory", "#B5529C", "transparent solid 0.35"},
    [BREAKDOWN_IDLE] = {"idle", "#999999", "solid 0.5"},
};

static void put_data(FILE *plot, const data_kernel *k)
{
    const double best = data_best_ipc(k);

    fprintf(plot, "$stalls << END\n");
    for (unsigned limit = 1; limit <= k->nmax; limit++) {
        const double cycles = (double)k->stalls.at[limit].cycles;

        if (cycles <= 0)
            continue;
        fprintf(plot, "%u", limit);
        for (unsigned p = 0; p < BREAKDOWN_PARTS; p++)
            fprintf(plot, " %.3f", 100 * (double)k->stalls.at[limit].part[p] / cycles);
        fprintf(plot, " \"%.0f %%%s\"\n", best > 0 ? 100 * data_ipc(k, limit) / best : 0, limit == k->best ? "\\nbest" : "");
    }
    fprintf(plot, "END\n");
}

/* "$2+$3+": the parts below. */
static void put_sum(FILE *plot, unsigned parts)
{
    for (unsigned p = 0; p < parts; p++)
        fprintf(plot, "$%u+", p + 2);
}

/* A part is a box around its middle: what lies below it, and half of its own. */
static void put_part(FILE *plot, unsigned p)
{
    fprintf(plot, "%s$stalls using 1:(", p ? ", " : "plot ");
    put_sum(plot, p);
    fprintf(plot, "0.5*$%u):(0.38):(0.5*$%u) with boxxyerror linecolor rgb '%s' fillstyle %s border title '%s'", p + 2, p + 2,
            styles[p].color, styles[p].fill, styles[p].title);
}

bool draw_stalls(const data_kernel *k, const char *path)
{
    FILE *plot = gnuplot_start(path);

    if (!plot)
        return false;
    gnuplot_svg(plot, path, WIDTH, HEIGHT);
    put_data(plot, k);
    fprintf(plot,
            "set xrange [0.4:%" PRIu64 ".6]\nset yrange [0:124]\nset xtics 1 scale 0\nset ytics 0,20,100\nset grid ytics\n"
            "set xlabel 'CTA limit'\nset ylabel 'share of the cycles, %%'\nset key outside below maxrows 2 invert width -1\n",
            k->nmax);
    for (unsigned p = 0; p < BREAKDOWN_PARTS; p++)
        put_part(plot, p);
    fprintf(plot, ", $stalls using 1:(113):%d with labels font 'sans,11' notitle\n", BREAKDOWN_PARTS + 2);
    return gnuplot_end(plot);
}
