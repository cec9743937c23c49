/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows are the oracle and the policies, columns the kernels, then mean and worst. 16:9, readable on paper and in grey.
 */
#include <math.h>

#include "files/placed_file.h"
#include "report/sections.h"

enum { WIDTH = 960, HEIGHT = 540, LEFT = 118, TOP = 172, BOTTOM = 86, RIGHT = 16, GAP = 10, ROWS = DATA_POLICIES + 1, SHADES = 5, KEY = 5,
       NARROW = 40 /* pixels: a cell has room for whole percents alone */ };

/* The colour map cividis, from light to dark: it is the same for all who see colours, and in grey. */
static const unsigned char shades[SHADES][3] = {{254, 232, 56}, {199, 181, 103}, {125, 124, 120}, {65, 77, 107}, {0, 34, 78}};

typedef struct sheet {
    FILE *f;
    const report_data *d;
    double width, height; /* of a cell */
} sheet;

/* 0: costs nothing; 1: 100 % or more. The steps are finer where costs are small. */
static double darkness(double cost)
{
    return cost <= 0 ? 0 : fmin(1, log1p(cost / 2) / log1p(50));
}

static void shade_of(double cost, unsigned char *rgb)
{
    const double at = darkness(cost) * (SHADES - 1);
    const unsigned from = at < SHADES - 1 ? (unsigned)at : SHADES - 2;

    for (unsigned i = 0; i < 3; i++)
        rgb[i] = (unsigned char)lround(shades[from][i] + (at - from) * (shades[from + 1][i] - shades[from][i]));
}

static double cost_of(const data_kernel *k, unsigned row)
{
    return row ? k->runs[row - 1].cost : k->oracle_cost;
}

/* Over the kernels of which it is known. */
static void sum_up(const report_data *d, unsigned row, double *mean, double *worst)
{
    double sum = 0;
    unsigned num = 0;

    *worst = NAN;
    for (unsigned k = 0; k < d->num_kernels; k++) {
        const double cost = cost_of(&d->kernels[k], row);

        if (isnan(cost))
            continue;
        sum += cost;
        num++;
        *worst = fmax(*worst, cost);
    }
    *mean = num ? sum / num : NAN;
}

static double x_of(const sheet *s, unsigned column)
{
    return LEFT + column * s->width + (column >= s->d->num_kernels ? GAP : 0);
}

static void put_cell(const sheet *s, double x, double y, double width, double height, double cost, const char *text)
{
    unsigned char rgb[3] = {235, 235, 235};

    if (!isnan(cost))
        shade_of(cost, rgb);
    fprintf(s->f, "<path fill=\"#%02X%02X%02X\" d=\"M%.1f %.1fh%.1fv%.1fh-%.1fz\"/>", rgb[0], rgb[1], rgb[2], x, y, width - 2, height - 2, width - 2);
    fprintf(s->f, "<g fill=\"rgb(%s)\"><text x=\"%.1f\" y=\"%.1f\">%s</text></g>\n", darkness(cost) > 0.45 ? "255,255,255" : "0,0,0",
            x + width / 2 - 1, y + height / 2 + 5, text);
}

static void put_cost(const sheet *s, unsigned row, unsigned column, double cost)
{
    char text[32] = "–";

    if (!isnan(cost))
        snprintf(text, sizeof text, "%.*f", s->width < NARROW || fabs(cost) >= 99.95 ? 0 : 1, fabs(cost) < 0.05 ? 0 : cost);
    put_cell(s, x_of(s, column), TOP + row * s->height, s->width, s->height, cost, text);
}

static void put_row(const sheet *s, unsigned row)
{
    double mean, worst;

    fprintf(s->f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" font-size=\"16\">%s</text>\n", LEFT - 10, TOP + (row + 0.5) * s->height + 5,
            row ? data_names[row - 1].title : "Oracle");
    for (unsigned k = 0; k < s->d->num_kernels; k++)
        put_cost(s, row, k, cost_of(&s->d->kernels[k], row));
    sum_up(s->d, row, &mean, &worst);
    put_cost(s, row, s->d->num_kernels, mean);
    put_cost(s, row, s->d->num_kernels + 1, worst);
}

static void put_head(const sheet *s, unsigned column, const char *name)
{
    fprintf(s->f, "<text transform=\"translate(%.1f %d) rotate(-40)\" text-anchor=\"start\">", x_of(s, column) + s->width / 2, TOP - 8);
    html_text(s->f, name);
    fputs("</text>\n", s->f);
}

static void put_key(const sheet *s)
{
    static const double costs[KEY] = {0, 5, 20, 50, 100};

    fprintf(s->f, "<g font-size=\"13\"><text x=\"%d\" y=\"%d\" text-anchor=\"start\">percent: first launch, cycles over those of the best fixed "
                  "limit</text>\n", LEFT + 336, HEIGHT - 42);
    for (unsigned i = 0; i < KEY; i++) {
        char text[32];

        snprintf(text, sizeof text, i + 1 < KEY ? "%.0f" : "%.0f or more", costs[i]);
        put_cell(s, LEFT + 54 * i, HEIGHT - 60, i + 1 < KEY ? 54 : 104, 28, costs[i], text);
    }
    fputs("</g>\n", s->f);
}

static void put_sheet(const sheet *s)
{
    const report_data *d = s->d;

    fprintf(s->f, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n<rect x=\"0\" y=\"0\" width=\"%d\" height=\"%d\" "
                  "fill=\"white\"/>\n<g font-family=\"sans-serif\" font-size=\"%d\" text-anchor=\"middle\">\n"
                  "<text x=\"%d\" y=\"44\" font-size=\"24\" text-anchor=\"start\">What each policy costs</text>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, s->width < NARROW ? 10 : 15, LEFT);
    for (unsigned k = 0; k < d->num_kernels; k++)
        put_head(s, k, d->kernels[k].name);
    put_head(s, d->num_kernels, "mean");
    put_head(s, d->num_kernels + 1, "worst");
    for (unsigned row = 0; row < ROWS; row++)
        put_row(s, row);
    put_key(s);
    fputs("</g>\n</svg>\n", s->f);
}

bool draw_costs(const report_data *d, const char *path)
{
    sheet s = {.d = d, .height = (double)(HEIGHT - TOP - BOTTOM) / ROWS};
    placed_file place;

    s.width = fmin(110, (double)(WIDTH - LEFT - RIGHT - GAP) / (d->num_kernels + 2));
    if (!placed_open(&place, path))
        return false;
    s.f = place.file;
    put_sheet(&s);
    return placed_close(&place, true);
}
