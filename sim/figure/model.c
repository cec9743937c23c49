/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded and predicted speed over the CTA limit. What each policy chose is a dot on a line of its own beneath.
 */
#include <math.h>

#include "figure/figure.h"
#include "report/pen.h"

static unsigned points_of(const data_kernel *k, bool model, double best, chart_point *points)
{
    unsigned num = 0;

    for (unsigned n = 1; n <= k->nmax && n < DATA_MODEL_LINES; n++) {
        const double ipc = model ? k->model[n].model_ipc : k->model[n].recorded_ipc;

        if (k->model[n].limit && ipc > 0)
            points[num++] = (chart_point){n, 100 * ipc / best};
    }
    return num;
}

static double highest(const chart_point *points, unsigned num, double most)
{
    for (unsigned i = 0; i < num; i++)
        most = fmax(most, points[i].y);
    return most;
}

static void put_choices(const chart *c, const chart_area *a, const data_kernel *k)
{
    const double step = a->height / DATA_POLICIES;

    for (unsigned r = 0; r < DATA_POLICIES; r++) {
        const chart_area lane = {a->left, a->top + r * step, a->width, step, a->x0, a->x1, 0, 1};
        const chart_pen pen = pen_of_run(r);

        chart_text(c, a->left - 0.5 * c->size->small, lane.top + 0.5 * step + 0.35 * c->size->small, "end", c->size->small, NULL, data_names[r].title);
        if (k->runs[r].limit)
            chart_dot(c, &lane, (double)k->runs[r].limit, 0.5, pen.color);
    }
}

void figure_model(FILE *f, const chart_size *size, const report_data *d, const data_kernel *k)
{
    static const chart_pen pens[] = {{"#0072B2", "", 1}, {"#D55E00", "6 1.6", 1}};
    static const char *const names[] = {"recorded", "model"};
    const double font = size->font, left = 6.4 * font, choices = 1.25 * size->small * DATA_POLICIES;
    const chart c = {.f = f, .size = size, .height = chart_height(size, 0.55 * size->width + choices + 6.8 * font)};
    chart_area a = {left, 3.4 * font, size->width - left - 1.5 * font, c.height - choices - 8.2 * font, 0.6, (double)k->nmax + 0.4, 0, 100};
    chart_area below = {left, a.top + a.height + 0.8 * size->small, a.width, choices, a.x0, a.x1, 0, 1};
    chart_point recorded[DATA_MODEL_LINES], model[DATA_MODEL_LINES];
    double best = 0;
    unsigned num_recorded, num_model;
    char title[2 * DATA_TEXT];

    (void)d;
    for (unsigned n = 1; n <= k->nmax && n < DATA_MODEL_LINES; n++)
        best = fmax(best, k->model[n].recorded_ipc);
    num_recorded = points_of(k, false, best > 0 ? best : 1, recorded);
    num_model = points_of(k, true, best > 0 ? best : 1, model);
    a.y1 = 1.05 * highest(model, num_model, highest(recorded, num_recorded, 100));
    snprintf(title, sizeof title, "%s: recorded and predicted instructions per cycle over the CTA limit", k->name);
    chart_begin(&c, title);
    chart_text(&c, left, 1.2 * font, "start", font, NULL, k->name);
    chart_key(&c, left, 1.5 * font, pens, names, 2);
    chart_y_axis(&c, &a, "IPC, % of the best");
    chart_x_axis(&c, &a, false, NULL);
    chart_x_axis(&c, &below, true, "CTA limit");
    chart_line(&c, &a, recorded, num_recorded, &pens[0]);
    chart_line(&c, &a, model, num_model, &pens[1]);
    for (unsigned i = 0; i < num_recorded; i++)
        chart_dot(&c, &a, recorded[i].x, recorded[i].y, pens[0].color);
    put_choices(&c, &below, k);
    chart_frame(&c, &a);
    chart_frame(&c, &below);
    chart_end(&c);
}
