/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>

#include "figure/figure.h"
#include "report/pen.h"

static void put_track(const chart *c, const chart_area *a, const data_track *track, double up, const chart_pen *pen)
{
    chart_point *points = malloc((track->num + 1) * sizeof *points);

    for (unsigned i = 0; points && i < track->num; i++)
        points[i] = (chart_point){(double)track->points[i].cycle, track->points[i].value + up};
    if (points)
        chart_steps(c, a, points, track->num, pen);
    free(points);
}

static void put_limit(const chart *c, chart_area *a, const data_kernel *k, unsigned r)
{
    const data_run *run = &k->runs[r];
    const chart_pen pen = pen_of_run(r), thin = {pen.color, "", 0.4}, dotted = {"#1c2126", "0.8 1.6", 0.6};
    const double ends[] = {1, (double)k->nmax};
    char most[24];
    const char *const names[] = {"1", most};

    snprintf(most, sizeof most, "%" PRIu64, k->nmax);
    a->y0 = 0;
    a->y1 = 1.25 * (double)k->nmax;
    chart_y_ticks(c, a, ends, names, k->nmax > 1 ? 2 : 1);
    chart_line(c, a, (chart_point[]){{a->x0, (double)k->best}, {a->x1, (double)k->best}}, 2, &dotted);
    put_track(c, a, &run->track[0], 0, &pen);
    if (run->converged && (double)run->cycles < a->x1) /* what was decided stays */
        chart_line(c, a, (chart_point[]){{(double)run->cycles, (double)run->last_limit}, {a->x1, (double)run->last_limit}}, 2, &thin);
}

static void put_levels(const chart *c, chart_area *a, const data_run *run)
{
    static const double at[] = {0, 2};
    static const char *const names[] = {"low", "high"};
    const chart_pen sm = {"#0072B2", "", 1}, memory = {"#D55E00", "4 1.6", 1};

    a->y0 = -0.5;
    a->y1 = 2.7;
    chart_y_ticks(c, a, at, names, 2);
    put_track(c, a, &run->track[0], 0, &sm);
    put_track(c, a, &run->track[1], 0.2, &memory);
}

void figure_limits(FILE *f, const chart_size *size, const report_data *d, const data_kernel *k)
{
    static const char *const of_chip[] = {"VF, perf.", "VF, energy"}, *const key[] = {"best recorded limit", "VF level: SMs", "VF level: memory"};
    static const chart_pen pens[] = {{"#1c2126", "0.8 1.6", 0.6}, {"#0072B2", "", 1}, {"#D55E00", "4 1.6", 1}};
    const double font = size->font, lane = (size->most - 7.2 * font) / DATA_RUNS * (size == &chart_column ? 0.72 : 1), left = 8.8 * font;
    const chart c = {.f = f, .size = size, .height = chart_height(size, lane * DATA_RUNS + 7.2 * font)};
    char title[2 * DATA_TEXT];

    (void)d;
    snprintf(title, sizeof title, "%s: CTA limit of every policy and VF levels over time", k->name);
    chart_begin(&c, title);
    chart_text(&c, left, 1.2 * font, "start", font, NULL, k->name);
    for (unsigned r = 0; r < DATA_RUNS; r++) {
        chart_area a = {left, 1.8 * font + r * lane, size->width - left - 1.6 * font, lane - 0.5 * font, .x1 = (double)data_last_cycle(k)};

        chart_x_axis(&c, &a, r + 1 == DATA_RUNS, r + 1 == DATA_RUNS ? "cycle of the run" : NULL);
        if (k->runs[r].there && data_names[r].chip)
            put_levels(&c, &a, &k->runs[r]);
        else if (k->runs[r].there)
            put_limit(&c, &a, k, r);
        chart_frame(&c, &a);
        chart_text(&c, 0.3 * font, a.top + a.height / 2 + 0.35 * font, "start", font, NULL,
                   r >= DATA_POLICIES ? of_chip[r - DATA_POLICIES] : data_names[r].title);
    }
    chart_key(&c, 0.3 * font, c.height - 2.0 * font, pens, key, 3);
    chart_end(&c);
}
