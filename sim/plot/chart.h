/* SPDX-License-Identifier: Apache-2.0
 *
 * Charts for a paper or a slide, laid out for their size: SVG that needs nothing but itself. All lengths are points (1/72 inch), as those of
 * fonts are, so that text is as large as it is asked to be.
 */
#ifndef BALLAST_CHART_H
#define BALLAST_CHART_H

#include <stdbool.h>
#include <stdio.h>

typedef struct chart_size {
    double width, most; /* points; the greatest height */
    double font, small; /* of text, and of the least   */
    double line;        /* the width of a curve        */
} chart_size;

/* A paper's column of 85 mm, and a slide of 16:9. */
extern const chart_size chart_column, chart_slide;

enum { CHART_LEAST = 6 }; /* points: smaller text is not legible in print */
/* Of a picture that needs so much: a slide is always whole. */
double chart_height(const chart_size *size, double needed);

typedef struct chart {
    FILE *f;
    const chart_size *size;
    double height;
} chart;

/* A rectangle of the chart, and what its edges mean. */
typedef struct chart_area {
    double left, top, width, height;
    double x0, x1, y0, y1;
} chart_area;

/* How a curve looks: colour, dashes ("" none), width as a share of the usual one. */
typedef struct chart_pen {
    const char *color, *dashes;
    double width;
} chart_pen;

typedef struct chart_point {
    double x, y;
} chart_point;

/* The head, a white ground and a title for who cannot see it; the end. */
void chart_begin(const chart *c, const char *title);
void chart_end(const chart *c);

/* anchor: start, middle or end. */
void chart_text(const chart *c, double x, double y, const char *anchor, double font, const char *color, const char *text);
/* About as wide as this text. */
double chart_width(double font, const char *text);

void chart_frame(const chart *c, const chart_area *a);
/* Lines at some round whole numbers of x, whose names are beneath if `named`; what they are. */
void chart_x_axis(const chart *c, const chart_area *a, bool named, const char *label);
/* At some round numbers of y, or at these alone. */
void chart_y_axis(const chart *c, const chart_area *a, const char *label);
void chart_y_ticks(const chart *c, const chart_area *a, const double *at, const char *const *names, unsigned num);

/* Straight from point to point, or in steps. What lies outside is cut off. */
void chart_line(const chart *c, const chart_area *a, const chart_point *points, unsigned num, const chart_pen *pen);
void chart_steps(const chart *c, const chart_area *a, const chart_point *points, unsigned num, const chart_pen *pen);
void chart_box(const chart *c, const chart_area *a, double x0, double x1, double y0, double y1, const char *color, double opacity);
void chart_dot(const chart *c, const chart_area *a, double x, double y, const char *color);

/* Names beside pieces of their pens, or boxes (dashes NULL), in lines that are full when the chart is. The height that they take. */
double chart_key(const chart *c, double left, double top, const chart_pen *pens, const char *const *names, unsigned num);

#endif
