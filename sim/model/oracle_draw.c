/* SPDX-License-Identifier: Apache-2.0 */
#include "model/oracle.h"
#include "plot/gnuplot.h"

enum { COLUMNS = 4, WIDTH = 300, HEIGHT = 240, COLORS = 5 };

static const char *const colors[COLORS] = {"#888888", "#d1495b", "#8e44ad", "#2e8b57", "#b8860b"};

/* From recorded IPC to percent of the fastest recording, so that all kernels have one scale. */
static double percent(const oracle *o)
{
    return o->measured.ipc[1] > 0 ? sweep_speed(&o->measured, 1) / o->measured.ipc[1] : 0;
}

static double highest(const oracle *o)
{
    double most = 100;

    for (unsigned n = 1; n <= o->prediction.nmax; n++)
        if (percent(o) * o->prediction.point[n].ipc > most)
            most = percent(o) * o->prediction.point[n].ipc;
    return most;
}

/* Height of a chooser's mark: they stand above each other so that none hides another. */
static double mark(const oracle *o, unsigned chooser)
{
    return highest(o) * (0.04 + 0.07 * chooser);
}

static void plot_one(FILE *plot, const oracle *o)
{
    const unsigned last = o->measured.nmax;

    fprintf(plot, "set title '%s' noenhanced\nset xrange [0.5:%u.5]\nplot '-' using 1:2 with linespoints pointtype 7 "
                  "linewidth 2 linecolor rgb '#20639b' title 'recorded', '-' using 1:2 with linespoints pointtype 6 linewidth 2 "
                  "linecolor rgb '#e67e22' title 'model'", o->name, last);
    for (unsigned c = 0; c < o->num_choices; c++)
        fprintf(plot, ", '-' using 1:2 with points pointtype 9 pointsize 1.1 linecolor rgb '%s' title '%s'", colors[c % COLORS], o->chooser[c]);
    fprintf(plot, "\n");
}

static void put_curves(FILE *plot, const oracle *o)
{
    const double unit = percent(o);

    for (unsigned n = 1; n <= o->measured.nmax; n++)
        if (o->measured.ipc[n] > 0)
            fprintf(plot, "%u %.3f\n", n, unit * o->measured.ipc[n]);
    fprintf(plot, "e\n");
    for (unsigned n = 1; n <= o->prediction.nmax; n++)
        fprintf(plot, "%u %.3f\n", n, unit * o->prediction.point[n].ipc);
    fprintf(plot, "e\n");
}

static void put_choices(FILE *plot, const oracle *o)
{
    for (unsigned c = 0; c < o->num_choices; c++) {
        if (o->choice[c])
            fprintf(plot, "%u %.1f\n", o->choice[c], mark(o, c));
        else
            fprintf(plot, "NaN NaN\n");
        fprintf(plot, "e\n");
    }
}

/* The key has a place of its own: a plot that shows nothing. */
static void plot_key(FILE *plot, const oracle *o)
{
    fprintf(plot, "set key center center\nunset border\nunset tics\nunset grid\nunset title\nunset xlabel\nunset ylabel\n"
                  "set yrange [0:1]\nset xrange [0:1]\n"
                  "plot 2 with linespoints pointtype 7 linewidth 2 linecolor rgb '#20639b' title 'recorded', "
                  "2 with linespoints pointtype 6 linewidth 2 linecolor rgb '#e67e22' title 'model'");
    for (unsigned c = 0; c < o->num_choices; c++)
        fprintf(plot, ", 2 with points pointtype 9 linecolor rgb '%s' title 'chosen by %s'", colors[c % COLORS], o->chooser[c]);
    fprintf(plot, "\n");
}

bool oracle_draw(const oracle *const *all, unsigned num, const char *path)
{
    const unsigned rows = (num + COLUMNS) / COLUMNS; /* one place more, for the key */
    FILE *plot = num ? gnuplot_start(path) : NULL;

    if (!plot)
        return false;
    gnuplot_svg(plot, path, COLUMNS * WIDTH, rows * HEIGHT);
    fprintf(plot, "set multiplot layout %u,%d\nset grid\nset xtics 1\nset yrange [0:*]\nset xlabel 'CTA limit'\n"
                  "set ylabel 'IPC, %% of best recorded'\nunset key\n", rows, COLUMNS);
    for (unsigned i = 0; i < num; i++) {
        plot_one(plot, all[i]);
        put_curves(plot, all[i]);
        put_choices(plot, all[i]);
    }
    plot_key(plot, all[0]);
    fprintf(plot, "unset multiplot\n");
    return gnuplot_end(plot);
}
