/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "figure/figure.h"
#include "plot/heat_map.h"

/* Rows: the oracle and the policies; columns: the kernels, their mean and the worst. */
static double cost_of(const report_data *d, unsigned row, unsigned column)
{
    double sum = 0, worst = NAN;
    unsigned known = 0;

    if (column < d->num_kernels)
        return row ? d->kernels[column].runs[row - 1].cost : d->kernels[column].oracle_cost;
    for (unsigned k = 0; k < d->num_kernels; k++) {
        const double cost = cost_of(d, row, k);

        known += !isnan(cost);
        sum += isnan(cost) ? 0 : cost;
        worst = fmax(worst, cost);
    }
    return column > d->num_kernels ? worst : known ? sum / known : NAN;
}

static void put_cell(const chart *c, double x, double y, double width, double height, double cost)
{
    const double font = fmax(CHART_LEAST, fmin(c->size->small, width / (0.58 * 3.2))), shown = fabs(cost) < 0.05 ? 0 : cost;
    char text[32] = "–", color[HEAT_COLOR];

    if (!isnan(cost)) {
        snprintf(text, sizeof text, "%.*f", width > chart_width(font, "99.9") && fabs(cost) < 99.95 ? 1 : 0, shown);
        if (!strtod(text, NULL))
            snprintf(text, sizeof text, "0");
    }
    heat_color(cost, color);
    fprintf(c->f, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n", x, y, width - 0.5 * c->size->line, height - 0.5 * c->size->line,
            color);
    chart_text(c, x + width / 2, y + height / 2 + 0.35 * font, "middle", font, heat_is_dark(cost) ? "#ffffff" : "#000000", text);
}

static void put_head(const chart *c, double x, double y, const char *text)
{
    fprintf(c->f, "<g transform=\"translate(%.2f %.2f) rotate(-45)\">", x, y);
    chart_text(c, 0, 0, "start", c->size->small, NULL, text);
    fputs("</g>", c->f);
}

void figure_costs(FILE *f, const chart_size *size, const report_data *d, const data_kernel *k)
{
    const double font = size->font, left = 5.6 * font, row = fmin(2.6 * font, (size->most - 11 * font) / (1 + DATA_POLICIES));
    const double top = 8.5 * font, gap = font / 2, cell = (size->width - left - gap - 4 * font) / (d->num_kernels + 2);
    const chart c = {.f = f, .size = size, .height = chart_height(size, top + row * (1 + DATA_POLICIES) + 2.4 * font)};

    (void)k;
    chart_begin(&c, "What each policy costs: first launch, cycles over those of the best fixed limit, in percent");
    for (unsigned column = 0; column < d->num_kernels + 2; column++) {
        const double x = left + column * cell + (column >= d->num_kernels ? gap : 0);

        put_head(&c, x + cell / 2, top - font / 2, column < d->num_kernels ? d->kernels[column].name : column > d->num_kernels ? "worst" : "mean");
        for (unsigned r = 0; r <= DATA_POLICIES; r++)
            put_cell(&c, x, top + r * row, cell, row, cost_of(d, r, column));
    }
    for (unsigned r = 0; r <= DATA_POLICIES; r++)
        chart_text(&c, left - font / 2, top + (r + 0.5) * row + 0.35 * font, "end", font, NULL, r ? data_names[r - 1].title : "Oracle");
    chart_text(&c, left, c.height - 0.7 * font, "start", size->small, NULL, "percent over the best fixed limit, first launch");
    chart_end(&c);
}
