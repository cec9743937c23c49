/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/chart.h"

#include <math.h>
#include <string.h>

#include "plot/svg_text.h"

#define MM (72 / 25.4)

const chart_size chart_column = {.width = 85 * MM, .most = 120 * MM, .font = 7, .small = 6.2, .line = 1};
const chart_size chart_slide = {.width = 960, .most = 540, .font = 20, .small = 17, .line = 3};

double chart_height(const chart_size *size, double needed)
{
    return size == &chart_slide ? size->most : needed;
}

static const char grey[] = "#c4c9ce", ink[] = "#1c2126";

void chart_begin(const chart *c, const char *title)
{
    fprintf(c->f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.2fmm\" height=\"%.2fmm\" viewBox=\"0 0 %.2f %.2f\" role=\"img\">\n<title>",
            c->size->width / MM, c->height / MM, c->size->width, c->height);
    svg_text(c->f, title);
    fprintf(c->f, "</title>\n<rect width=\"%.2f\" height=\"%.2f\" fill=\"white\"/>\n"
                  "<g font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n", c->size->width, c->height);
}

void chart_end(const chart *c)
{
    fputs("</g>\n</svg>\n", c->f);
}

void chart_text(const chart *c, double x, double y, const char *anchor, double font, const char *color, const char *text)
{
    fprintf(c->f, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" font-size=\"%.2f\" fill=\"%s\">", x, y, anchor, font, color ? color : ink);
    svg_text(c->f, text);
    fputs("</text>\n", c->f);
}

double chart_width(double font, const char *text)
{
    double letters = 0;

    for (; *text; text++)
        letters += ((unsigned char)*text & 0xc0) != 0x80; /* of UTF-8 */
    return 0.58 * font * letters;
}

/* ---- axes ---------------------------------------------------------------------------- */

static double at_x(const chart_area *a, double x)
{
    return a->left + a->width * (x - a->x0) / (a->x1 - a->x0);
}

static double at_y(const chart_area *a, double y)
{
    return a->top + a->height * (1 - (y - a->y0) / (a->y1 - a->y0));
}

/* The least round step with which at most so many fit. */
static double round_step(double span, double most)
{
    static const double steps[] = {1, 2, 5, 10};
    const double least = span / fmax(most, 1), power = pow(10, floor(log10(least)));
    unsigned i = 0;

    while (i < 3 && steps[i] * power < least * 0.999)
        i++;
    return steps[i] * power;
}

static void say_number(char *text, size_t size, double value, double most)
{
    if (most >= 1e6)
        snprintf(text, size, "%g%s", value / 1e6, value > 0 ? "M" : "");
    else if (most >= 1e4)
        snprintf(text, size, "%g%s", value / 1e3, value > 0 || value < 0 ? "k" : "");
    else
        snprintf(text, size, "%g", value);
}

static void put_rule(const chart *c, double x0, double y0, double x1, double y1, const char *color, double width)
{
    fprintf(c->f, "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"%s\" stroke-width=\"%.2f\" fill=\"none\"/>\n", x0, y0, x1, y1, color, width);
}

void chart_frame(const chart *c, const chart_area *a)
{
    fprintf(c->f, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\"/>\n", a->left, a->top,
            a->width, a->height, ink, 0.5 * c->size->line);
}

void chart_x_axis(const chart *c, const chart_area *a, bool named, const char *label)
{
    const double font = c->size->small, step = fmax(1, round_step(a->x1 - a->x0, a->width / (5 * font)));
    char text[32];

    for (long n = lround(ceil(a->x0 / step)); (double)n * step <= a->x1 + step / 1e6; n++) {
        const double x = (double)n * step;

        put_rule(c, at_x(a, x), a->top, at_x(a, x), a->top + a->height, grey, 0.3 * c->size->line);
        say_number(text, sizeof text, x, a->x1);
        if (named)
            chart_text(c, at_x(a, x), a->top + a->height + 1.3 * font, "middle", font, NULL, text);
    }
    if (label)
        chart_text(c, a->left + a->width / 2, a->top + a->height + 2.7 * font, "middle", c->size->font, NULL, label);
}

static void put_tick(const chart *c, const chart_area *a, double y, const char *name)
{
    put_rule(c, a->left, at_y(a, y), a->left + a->width, at_y(a, y), grey, 0.3 * c->size->line);
    chart_text(c, a->left - 0.4 * c->size->small, at_y(a, y) + 0.35 * c->size->small, "end", c->size->small, NULL, name);
}

void chart_y_axis(const chart *c, const chart_area *a, const char *label)
{
    const double font = c->size->font, step = round_step(a->y1 - a->y0, a->height / (2.2 * c->size->small));
    char text[32];

    for (long n = lround(ceil(a->y0 / step)); (double)n * step <= a->y1 + step / 1e6; n++) {
        const double y = (double)n * step;

        say_number(text, sizeof text, fabs(y) < step / 2 ? 0 : y, fmax(fabs(a->y0), fabs(a->y1)));
        put_tick(c, a, y, text);
    }
    if (label)
        fprintf(c->f, "<text transform=\"translate(%.2f %.2f) rotate(-90)\" text-anchor=\"middle\" font-size=\"%.2f\" fill=\"%s\">%s</text>\n",
                1.1 * font, a->top + a->height / 2, font, ink, label);
}

void chart_y_ticks(const chart *c, const chart_area *a, const double *at, const char *const *names, unsigned num)
{
    for (unsigned i = 0; i < num; i++)
        put_tick(c, a, at[i], names[i]);
}

/* ---- what is in it --------------------------------------------------------------------- */

static double held(double value, double from, double to)
{
    return fmin(fmax(value, fmin(from, to)), fmax(from, to));
}

static void put_pen(const chart *c, const chart_pen *pen)
{
    fprintf(c->f, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\" stroke-linejoin=\"round\"", pen->color, pen->width * c->size->line);
    if (pen->dashes && *pen->dashes) {
        double dash, more = 0;
        const char *p = pen->dashes;
        int read;

        fputs(" stroke-dasharray=\"", c->f);
        for (; sscanf(p, "%lf%n", &dash, &read) == 1; p += read, more++)
            fprintf(c->f, "%s%.2f", more > 0 ? " " : "", dash * c->size->line);
        putc('"', c->f);
    }
    fputs("/>\n", c->f);
}

void chart_line(const chart *c, const chart_area *a, const chart_point *points, unsigned num, const chart_pen *pen)
{
    if (!num)
        return;
    fputs("<path d=\"", c->f);
    for (unsigned i = 0; i < num; i++)
        fprintf(c->f, "%c%.2f %.2f", i ? 'L' : 'M', at_x(a, held(points[i].x, a->x0, a->x1)), at_y(a, held(points[i].y, a->y0, a->y1)));
    put_pen(c, pen);
}

void chart_steps(const chart *c, const chart_area *a, const chart_point *points, unsigned num, const chart_pen *pen)
{
    if (!num)
        return;
    fputs("<path d=\"", c->f);
    for (unsigned i = 0; i < num && (!i || points[i - 1].x <= a->x1); i++) {
        const double x = at_x(a, held(points[i].x, a->x0, a->x1)), y = at_y(a, held(points[i].y, a->y0, a->y1));

        if (!i)
            fprintf(c->f, "M%.2f %.2f", x, y);
        else if (points[i].x <= a->x1)
            fprintf(c->f, "H%.2fV%.2f", x, y);
        else
            fprintf(c->f, "H%.2f", x);
    }
    put_pen(c, pen);
}

void chart_box(const chart *c, const chart_area *a, double x0, double x1, double y0, double y1, const char *color, double opacity)
{
    fprintf(c->f, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\" fill-opacity=\"%.2f\"/>\n", at_x(a, x0), at_y(a, y1),
            at_x(a, x1) - at_x(a, x0), at_y(a, y0) - at_y(a, y1), color, opacity);
}

void chart_dot(const chart *c, const chart_area *a, double x, double y, const char *color)
{
    fprintf(c->f, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"%s\"/>\n", at_x(a, x), at_y(a, y), 1.5 * c->size->line, color);
}

double chart_key(const chart *c, double left, double top, const chart_pen *pens, const char *const *names, unsigned num)
{
    const double font = c->size->small, piece = 2 * font, line = 1.5 * font;
    double x = left, y = top + font;

    for (unsigned i = 0; i < num; i++) {
        const double width = piece + 0.5 * font + chart_width(font, names[i]) + font;

        if (x > left && x + width > c->size->width) {
            x = left;
            y += line;
        }
        if (pens[i].dashes) {
            fprintf(c->f, "<path d=\"M%.2f %.2fh%.2f", x, y - 0.35 * font, piece);
            put_pen(c, &pens[i]);
        } else {
            fprintf(c->f, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\" fill-opacity=\"%.2f\"/>\n", x, y - 0.8 * font, piece,
                    0.9 * font, pens[i].color, pens[i].width);
        }
        chart_text(c, x + piece + 0.5 * font, y, "start", font, NULL, names[i]);
        x += width;
    }
    return y - top + 0.6 * font;
}
