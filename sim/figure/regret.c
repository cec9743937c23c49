/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "figure/figure.h"
#include "replay/pace.h"
#include "report/pen.h"

/* So many points are of the first launch. */
static unsigned num_of(const data_run *run)
{
    return run->num_losses < PACE_SEGMENTS ? run->num_losses : PACE_SEGMENTS;
}

static void put_losses(const chart *c, const chart_area *a, const data_run *run, const chart_pen *pen)
{
    chart_point points[PACE_SEGMENTS + 1] = {{0, 0}};
    const unsigned num = num_of(run);

    for (unsigned i = 0; i < num; i++)
        points[i + 1] = (chart_point){(double)run->losses[i].cycle, run->losses[i].cycles};
    if (num)
        chart_line(c, a, points, num + 1, pen);
}

void figure_regret(FILE *f, const chart_size *size, const report_data *d, const data_kernel *k)
{
    const double font = size->font, left = 5.4 * font, key = 4.6 * font;
    const chart c = {.f = f, .size = size, .height = chart_height(size, 0.62 * size->width + key)};
    chart_area a = {left, 1.8 * font, size->width - left - 2 * font, c.height - key - 4.8 * font, .x1 = 1, .y1 = 1};
    char title[2 * DATA_TEXT];
    const char *names[DATA_POLICIES];
    chart_pen pens[DATA_POLICIES];
    unsigned num = 0;

    (void)d;
    for (unsigned r = 0; r < DATA_POLICIES; r++)
        for (unsigned i = 0; i < num_of(&k->runs[r]); i++) {
            a.x1 = fmax(a.x1, (double)k->runs[r].losses[i].cycle);
            a.y0 = fmin(a.y0, 1.05 * k->runs[r].losses[i].cycles);
            a.y1 = fmax(a.y1, 1.05 * k->runs[r].losses[i].cycles);
        }
    snprintf(title, sizeof title, "%s: cycles that each policy loses against the oracle in the first launch", k->name);
    chart_begin(&c, title);
    chart_text(&c, left, 1.2 * font, "start", font, NULL, k->name);
    chart_x_axis(&c, &a, true, "cycle of the first launch");
    chart_y_axis(&c, &a, "cycles lost");
    for (unsigned r = 0; r < DATA_POLICIES; r++) {
        chart_pen pen = pen_of_run(r);

        if (!num_of(&k->runs[r]))
            continue;
        pen.width = 2.1 - 0.25 * r; /* where they lie upon each other, the first is the widest */
        put_losses(&c, &a, &k->runs[r], &pen);
        names[num] = data_names[r].title;
        pens[num++] = pen;
    }
    chart_frame(&c, &a);
    chart_key(&c, left, c.height - key + 0.6 * font, pens, names, num);
    chart_end(&c);
}
