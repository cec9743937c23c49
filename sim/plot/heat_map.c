/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/heat_map.h"

#include <math.h>

#include "files/placed_file.h"
#include "plot/svg_text.h"

enum { WIDTH = 960, HEIGHT = 540, LEFT = 118, RIGHT = 16, TOP = 172, BOTTOM = 86, GAP = 10, WIDEST = 110,
       NARROW = 40 /* pixels: a cell has room for whole percents alone */, SHADES = 5 };

/* The colour map cividis, from light to dark: nearly the same for all who see colours, and readable in grey. */
static const double shades[SHADES][3] = {{254, 232, 56}, {199, 181, 103}, {125, 124, 120}, {65, 77, 107}, {0, 34, 78}};

typedef struct sheet {
    FILE *f;
    const heat_map *m;
    double width, height; /* of a cell */
} sheet;

/* 0: it costs nothing; 1: 100 % or more. Small costs differ more. */
static double darkness(double cost)
{
    return cost > 0 ? fmin(1, log1p(cost / 2) / log1p(50)) : 0;
}

static void color_of(double cost, unsigned rgb[3])
{
    const double at = darkness(cost) * (SHADES - 1);
    const unsigned from = at < SHADES - 1 ? (unsigned)at : SHADES - 2;

    for (unsigned i = 0; i < 3; i++)
        rgb[i] = isnan(cost) ? 235 : (unsigned)lround(shades[from][i] + (at - from) * (shades[from + 1][i] - shades[from][i]));
}

void heat_color(double cost, char color[HEAT_COLOR])
{
    unsigned rgb[3];

    color_of(cost, rgb);
    snprintf(color, HEAT_COLOR, "#%02X%02X%02X", rgb[0] & 0xff, rgb[1] & 0xff, rgb[2] & 0xff);
}

/* The relative luminance of WCAG 2.1: below this one, white has more contrast than black, and either way it is above 4.5. */
bool heat_is_dark(double cost)
{
    static const double share[3] = {0.2126, 0.7152, 0.0722}, middle = 0.179;
    double luminance = 0;
    unsigned rgb[3];

    color_of(cost, rgb);
    for (unsigned i = 0; i < 3; i++)
        luminance += share[i] * (rgb[i] <= 10 ? rgb[i] / 255.0 / 12.92 : pow((rgb[i] / 255.0 + 0.055) / 1.055, 2.4));
    return luminance < middle;
}

static void put_cell(const sheet *s, double x, double y, double width, double height, double cost, const char *text)
{
    char color[HEAT_COLOR];

    heat_color(cost, color);
    fprintf(s->f, "<path fill=\"%s\" d=\"M%.1f %.1fh%.1fv%.1fh-%.1fz\"/>", color, x, y, width - 2, height - 2, width - 2);
    fprintf(s->f, "<g fill=\"rgb(%s)\"><text x=\"%.1f\" y=\"%.1f\">%s</text></g>\n", heat_is_dark(cost) ? "255,255,255" : "0,0,0",
            x + width / 2 - 1, y + height / 2 + 5, text);
}

static double x_of(const sheet *s, unsigned column)
{
    return LEFT + column * s->width + (column >= s->m->columns ? GAP : 0);
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
    double sum = 0, worst = NAN;
    unsigned known = 0;

    fprintf(s->f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" font-size=\"16\">", LEFT - 10, TOP + (row + 0.5) * s->height + 5);
    svg_text(s->f, s->m->row[row]);
    fputs("</text>\n", s->f);
    for (unsigned column = 0; column < s->m->columns; column++) {
        const double cost = s->m->cost[row * s->m->columns + column];

        put_cost(s, row, column, cost);
        known += !isnan(cost);
        sum += isnan(cost) ? 0 : cost;
        worst = fmax(worst, cost); /* of a number and NAN the number */
    }
    put_cost(s, row, s->m->columns, known ? sum / known : NAN);
    put_cost(s, row, s->m->columns + 1, worst);
}

static void put_head(const sheet *s, unsigned column)
{
    const unsigned more = column - s->m->columns;

    fprintf(s->f, "<text transform=\"translate(%.1f %d) rotate(-40)\" text-anchor=\"start\">", x_of(s, column) + s->width / 2, TOP - 8);
    svg_text(s->f, column < s->m->columns ? s->m->column[column] : more ? "worst" : "mean");
    fputs("</text>\n", s->f);
}

static void put_key(const sheet *s)
{
    static const char *const texts[SHADES] = {"0", "5", "20", "50", "100 or more"};
    static const double costs[SHADES] = {0, 5, 20, 50, 100};

    fputs("<g font-size=\"13\">\n", s->f);
    for (unsigned i = 0; i < SHADES; i++)
        put_cell(s, LEFT + 54 * i, HEIGHT - 60, i + 1 < SHADES ? 54 : 104, 28, costs[i], texts[i]);
    fprintf(s->f, "<text x=\"%d\" y=\"%d\" text-anchor=\"start\">", LEFT + 336, HEIGHT - 42);
    svg_text(s->f, s->m->unit);
    fputs("</text></g>\n", s->f);
}

bool heat_map_draw(const heat_map *m, const char *path)
{
    sheet s = {.m = m, .width = fmin(WIDEST, (double)(WIDTH - LEFT - RIGHT - GAP) / (m->columns + 2)), .height = (double)(HEIGHT - TOP - BOTTOM) / m->rows};
    placed_file place;

    if (!placed_open(&place, path))
        return false;
    s.f = place.file;
    fprintf(s.f, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n<rect x=\"0\" y=\"0\" width=\"%d\" height=\"%d\" fill=\"white\"/>\n"
                 "<g font-family=\"sans-serif\" font-size=\"%d\" text-anchor=\"middle\">\n"
                 "<text x=\"%d\" y=\"44\" font-size=\"24\" text-anchor=\"start\">",
            WIDTH, HEIGHT, WIDTH, HEIGHT, s.width < NARROW ? 10 : 15, LEFT);
    svg_text(s.f, m->title);
    fputs("</text>\n", s.f);
    for (unsigned column = 0; column < m->columns + 2; column++)
        put_head(&s, column);
    for (unsigned row = 0; row < m->rows; row++)
        put_row(&s, row);
    put_key(&s);
    fputs("</g>\n</svg>\n", s.f);
    return placed_close(&place, true);
}
