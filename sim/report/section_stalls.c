/* SPDX-License-Identifier: Apache-2.0
 *
 * The stall breakdown over the CTA limit, as in Fig. 5 of the Perf-Sat paper.
 */
#include "plot/gnuplot.h"
#include "report/sections.h"

static double share(const data_kernel *k, unsigned limit, unsigned part)
{
    return 100 * (double)k->stalls.at[limit].part[part] / (double)k->stalls.at[limit].cycles;
}

static void put_row(FILE *f, const data_kernel *k, unsigned limit)
{
    fprintf(f, "<tr%s>", limit == k->best ? " class=\"best\"" : "");
    html_row_head(f, "%u%s", limit, limit == k->best ? " best" : "");
    html_cell_right(f, "%.3f", data_ipc(k, limit));
    html_cell_right(f, "%.1f", data_best_ipc(k) > 0 ? 100 * data_ipc(k, limit) / data_best_ipc(k) : 0);
    for (unsigned p = 0; p < BREAKDOWN_PARTS; p++)
        html_cell_right(f, "%.1f", share(k, limit, p));
    html_cell_count(f, k->stalls.at[limit].cycles);
    fputs("</tr>\n", f);
}

static void put_table(FILE *f, const data_kernel *k, unsigned index)
{
    static const char *const head[] = {"limit", ">IPC", ">% of fastest", ">active", ">pipeline ALU", ">pipeline mem",
                                       ">scoreb. ALU", ">scoreb. mem", ">idle", ">cycles", NULL};

    html_table_open(f, head, "The exhaustive search: every recorded limit, its instructions per cycle (IPC), and the shares of "
                             "the cycles in percent.", "k%u-stalls", index);
    for (unsigned limit = 1; limit <= k->nmax; limit++)
        if (k->stalls.at[limit].cycles)
            put_row(f, k, limit);
    html_table_close(f);
}

/* ---- the picture ------------------------------------------------------------------------- */

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
        if (!k->stalls.at[limit].cycles)
            continue;
        fprintf(plot, "%u", limit);
        for (unsigned p = 0; p < BREAKDOWN_PARTS; p++)
            fprintf(plot, " %.3f", share(k, limit, p));
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

static bool draw_stalls(const data_kernel *k, const char *path)
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

/* ---- both -------------------------------------------------------------------------------- */

static const char caption[] =
    "Share of the SM's cycles by class, per CTA limit; faint: the memory's part. Active: at least one warp issued. "
    "Pipeline: warps were ready, the units were not. Scoreboard: warps waited for results. Idle: neither. Above each bar its "
    "speed, in percent of the fastest. More CTAs pay as long as scoreboard shrinks by more than pipeline grows.";

void kernel_stalls(FILE *f, const report_data *d, unsigned index)
{
    const data_kernel *k = &d->kernels[index];
    char path[4600], id[32], title[2 * DATA_TEXT];

    snprintf(path, sizeof path, "%s/%s.stalls.svg", d->dir, k->name);
    snprintf(id, sizeof id, "k%u-bars", index);
    snprintf(title, sizeof title, "%s: shares of active, pipeline, scoreboard and idle cycles at every CTA limit", k->name);
    fputs("<div class=\"pair\">\n<div>", f);
    section_picture(f, path, draw_stalls(k, path), id, title, 340, caption);
    fputs("</div>\n<div>", f);
    put_table(f, k, index);
    fputs("</div></div>\n", f);
}
