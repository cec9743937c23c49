/* SPDX-License-Identifier: Apache-2.0
 *
 * Shares of the cycles at each recorded limit, as in Fig. 5 of the Perf-Sat paper.
 */
#include "figure/figure.h"

/* A box has no dashes; its width is how opaque it is. */
static const chart_pen fills[BREAKDOWN_PARTS] = {
    [BREAKDOWN_ACTIVE] = {"#0072B2", NULL, 1},         [BREAKDOWN_PIPELINE_ALU] = {"#E69F00", NULL, 1},
    [BREAKDOWN_PIPELINE_MEM] = {"#E69F00", NULL, 0.4}, [BREAKDOWN_SCOREBOARD_ALU] = {"#B5529C", NULL, 1},
    [BREAKDOWN_SCOREBOARD_MEM] = {"#B5529C", NULL, 0.4}, [BREAKDOWN_IDLE] = {"#999999", NULL, 0.6}};
static const char *const names[BREAKDOWN_PARTS] = {
    [BREAKDOWN_ACTIVE] = "active", [BREAKDOWN_PIPELINE_ALU] = "pipeline, ALU", [BREAKDOWN_PIPELINE_MEM] = "pipeline, memory",
    [BREAKDOWN_SCOREBOARD_ALU] = "scoreboard, ALU", [BREAKDOWN_SCOREBOARD_MEM] = "scoreboard, memory", [BREAKDOWN_IDLE] = "idle"};

static void put_bar(const chart *c, const chart_area *a, const data_kernel *k, unsigned limit)
{
    const double font = c->size->small, middle = a->left + a->width * (limit - a->x0) / (a->x1 - a->x0);
    double below = 0;
    char text[32];

    for (unsigned p = 0; p < BREAKDOWN_PARTS; p++) {
        const double share = 100 * (double)k->stalls.at[limit].part[p] / (double)k->stalls.at[limit].cycles;

        chart_box(c, a, limit - 0.38, limit + 0.38, below, below + share, fills[p].color, fills[p].width);
        below += share;
    }
    snprintf(text, sizeof text, "%u", limit);
    chart_text(c, middle, a->top + a->height + 1.3 * font, "middle", font, NULL, text);
    snprintf(text, sizeof text, "%.0f", data_best_ipc(k) > 0 ? 100 * data_ipc(k, limit) / data_best_ipc(k) : 0);
    chart_text(c, middle, a->top - 0.4 * font, "middle", font, NULL, text);
}

void figure_stalls(FILE *f, const chart_size *size, const report_data *d, const data_kernel *k)
{
    const double font = size->font, left = 4.6 * font, key = size == &chart_column ? 5.2 * font : 4 * font;
    const chart c = {.f = f, .size = size, .height = chart_height(size, 0.7 * size->width + key)};
    const chart_area a = {left, 3.6 * font, size->width - left - font, c.height - key - 6.2 * font, .x0 = 0.4, .x1 = (double)k->nmax + 0.6, .y1 = 100};
    char title[2 * DATA_TEXT], words[DATA_TEXT + 64];

    (void)d;
    snprintf(title, sizeof title, "%s: shares of active, pipeline, scoreboard and idle cycles at every CTA limit", k->name);
    chart_begin(&c, title);
    snprintf(words, sizeof words, "%s; above the bars: speed, %% of the fastest", k->name);
    chart_text(&c, left, 1.2 * font, "start", font, NULL, words);
    chart_y_axis(&c, &a, "share of the cycles, %");
    for (unsigned limit = 1; limit <= k->nmax; limit++)
        if (k->stalls.at[limit].cycles)
            put_bar(&c, &a, k, limit);
    chart_frame(&c, &a);
    chart_text(&c, a.left + a.width / 2, a.top + a.height + 2.6 * size->small, "middle", font, NULL, "CTA limit");
    chart_key(&c, left, c.height - key + 0.8 * font, fills, names, BREAKDOWN_PARTS);
    chart_end(&c);
}
