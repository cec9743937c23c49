/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/curves.h"

#include "plot/gnuplot.h"

enum { COLUMNS = 4, WIDTH = 300, HEIGHT = 240, COLORS = 5 };

static const char *const line_colors[CURVES_SERIES] = {"#20639b", "#e67e22", "#2e8b57", "#d1495b"};
static const char *const mark_colors[COLORS] = {"#888888", "#d1495b", "#8e44ad", "#2e8b57", "#b8860b"};

/* "WHAT with linespoints ..., WHAT with points ..." for every curve and mark; `what` may hold the data
 * or a constant outside the picture, for the key. */
static void put_styles(FILE *plot, const curves *how, const char *what)
{
    for (unsigned s = 0; s < how->num_series; s++)
        fprintf(plot, "%s%s with linespoints pointtype %u linewidth 2 linecolor rgb '%s' title '%s'", s ? ", " : "plot ", what,
                7 - s, line_colors[s], how->series[s]);
    for (unsigned m = 0; m < how->num_marks; m++)
        fprintf(plot, ", %s with points pointtype 9 pointsize 1.1 linecolor rgb '%s' title '%s'", what,
                mark_colors[m % COLORS], how->marks[m]);
    fprintf(plot, "\n");
}

static double highest(const curves *how, const curves_panel *panel)
{
    double most = 0;

    for (unsigned s = 0; s < how->num_series; s++)
        for (unsigned x = 1; x <= panel->points; x++)
            most = panel->y[s][x] > most ? panel->y[s][x] : most;
    return most;
}

static void put_series(FILE *plot, const curves_panel *panel, unsigned series)
{
    for (unsigned x = 1; x <= panel->points; x++)
        if (panel->y[series][x] >= 0)
            fprintf(plot, "%u %g\n", x, panel->y[series][x]);
    fprintf(plot, "e\n");
}

/* Marks stand above each other so that none hides another. */
static void put_mark(FILE *plot, const curves_panel *panel, unsigned mark, double top)
{
    if (panel->mark[mark])
        fprintf(plot, "%u %g\n", panel->mark[mark], top * (0.04 + 0.07 * mark));
    else
        fprintf(plot, "NaN NaN\n");
    fprintf(plot, "e\n");
}

/* In gnuplot's quotes. */
static void put_title(FILE *plot, const char *title)
{
    fputs("set title '", plot);
    for (; *title; title++)
        putc(*title == '\'' || (unsigned char)*title < ' ' ? '_' : *title, plot);
    fputs("' noenhanced\n", plot);
}

static void put_panel(FILE *plot, const curves *how, const curves_panel *panel)
{
    const double top = highest(how, panel);

    put_title(plot, panel->title);
    fprintf(plot, "set xrange [0.5:%u.5]\n", panel->points);
    put_styles(plot, how, "'-' using 1:2");
    for (unsigned s = 0; s < how->num_series; s++)
        put_series(plot, panel, s);
    for (unsigned m = 0; m < how->num_marks; m++)
        put_mark(plot, panel, m, top);
}

/* The key has a place of its own: a plot that shows nothing. */
static void put_key(FILE *plot, const curves *how)
{
    fprintf(plot, "set key center center\nunset border\nunset tics\nunset grid\nunset title\nunset xlabel\nunset ylabel\n"
                  "set yrange [0:1]\nset xrange [0:1]\n");
    put_styles(plot, how, "2");
}

bool curves_draw(const curves *how, const curves_panel *panels, unsigned num, const char *path)
{
    const unsigned rows = (num + COLUMNS) / COLUMNS; /* one place more, for the key */
    FILE *plot = num ? gnuplot_start(path) : NULL;

    if (!plot)
        return false;
    gnuplot_svg(plot, path, COLUMNS * WIDTH, rows * HEIGHT);
    fprintf(plot, "set multiplot layout %u,%d\nset grid\nset xtics 1\nset yrange [0:*]\nset xlabel '%s'\nset ylabel '%s'\nunset key\n",
            rows, COLUMNS, how->x, how->y);
    for (unsigned i = 0; i < num; i++)
        put_panel(plot, how, &panels[i]);
    put_key(plot, how);
    fprintf(plot, "unset multiplot\n");
    return gnuplot_end(plot);
}
