/* SPDX-License-Identifier: Apache-2.0
 *
 * What one run says, means over kernels, and how they are shown.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "studies/experiment_papers.h"

/* ---- one kernel ------------------------------------------------------------------- */

const run_result *result_at(const experiment *e, const experiment_study *s, unsigned setting)
{
    return pool_result(e->pool, s->run[setting]);
}

const run_result *baseline_of(const experiment *e, const experiment_study *s)
{
    return pool_result(e->pool, s->baseline);
}

double limit_of(const experiment *e, const run_result *r)
{
    double sum = 0;

    for (unsigned i = 0; i < e->machine.sms; i++)
        sum += r->limits[i];
    return sum / e->machine.sms;
}

double decided_share(const experiment *e, const run_result *r)
{
    unsigned decided = 0;

    for (unsigned i = 0; i < e->machine.sms; i++)
        decided += r->decided[i];
    return (double)decided / e->machine.sms;
}

double hit_share(const experiment *e, const run_result *r, unsigned limit)
{
    unsigned hits = 0;

    for (unsigned i = 0; i < e->machine.sms; i++)
        hits += r->limits[i] == limit;
    return (double)hits / e->machine.sms;
}

const char *type_of(const experiment_study *s)
{
    const char *name = published_type_name(s->published.type);

    return *name ? name : "-";
}

static double joules(const experiment *e, const run_result *r)
{
    const energy_model model = energy_model_default();

    return energy_of(&model, &e->machine, &r->counts).total;
}

EXPERIMENT_VALUE(speedup_value, baseline_of(e, s)->seconds / result_at(e, s, setting)->seconds)
EXPERIMENT_VALUE(energy_value, joules(e, result_at(e, s, setting)) / joules(e, baseline_of(e, s)))
EXPERIMENT_VALUE(limit_value, limit_of(e, result_at(e, s, setting)))
EXPERIMENT_VALUE(mean_limit_value, result_at(e, s, setting)->mean_limit)
EXPERIMENT_VALUE(optimum_value, s->sweep.ipc[s->sweep.optimum] / s->sweep.ipc[s->nmax])
EXPERIMENT_VALUE(grid_value, floor((double)s->workload.ctas / e->machine.sms))
EXPERIMENT_VALUE(nmax_value, s->nmax)
EXPERIMENT_VALUE(found_optimum_value, s->sweep.optimum)
EXPERIMENT_VALUE(published_optimum_value, s->published.opt)

/* ---- all kernels ------------------------------------------------------------------ */

static int kinds_of(const experiment_study *s)
{
    return OF_TYPE(s->published.type) | (s->workload.is_2d ? OF_2D : OF_1D);
}

experiment_mean mean_over(const experiment *e, int types, experiment_value *value, unsigned setting)
{
    experiment_mean mean = {.least = INFINITY, .most = -INFINITY, .least_of = "", .most_of = ""};
    double sum = 0, logs = 0;

    for (unsigned i = 0; i < e->num; i++) {
        const experiment_study *s = &e->studies[i];
        double v;

        if (!(types & kinds_of(s)))
            continue;
        v = value(e, s, setting);
        mean.num++;
        sum += v;
        logs += log(v);
        if (v < mean.least)
            mean.least_of = s->workload.name;
        if (v > mean.most)
            mean.most_of = s->workload.name;
        mean.least = fmin(mean.least, v);
        mean.most = fmax(mean.most, v);
    }
    if (mean.num) {
        mean.arithmetic = sum / mean.num;
        mean.geometric = exp(logs / mean.num);
    }
    return mean;
}

/* ---- tables ----------------------------------------------------------------------- */

experiment_grid *report_grid(experiment_report *report, const char *title, const char *headings)
{
    experiment_grid *g = &report->grids[report->num < EXPERIMENT_GRIDS - 1 ? report->num : EXPERIMENT_GRIDS - 1];

    grid_begin(g, title, headings);
    report->num++;
    return g;
}

static void show(experiment_grid *g, enum shown shown, double value)
{
    switch (shown) {
    case SHOW_TENTHS: grid_cell(g, "%.1f", value); break;
    case SHOW_SHARE: grid_cell(g, "%.1f", 100 * value); break;
    case SHOW_WHOLE: grid_cell(g, "%.0f", 100 * value); break;
    case SHOW_CHANGE: grid_cell(g, "%+.1f", percent(value)); break;
    case SHOW_PRINTED:
        if (value <= 0) {
            grid_cell(g, "-");
            break;
        }
        /* fall through */
    default: grid_cell(g, "%.0f", value); break;
    }
}

/* The title with what its %s stands for. */
static const char *titled(char *text, size_t size, const char *title, const char *name)
{
    const char *at = strstr(title, "%s");

    if (!at)
        return title;
    snprintf(text, size, "%.*s%s%s", (int)(at - title), title, name, at + 2);
    return text;
}

static void kernel_table(const experiment *e, experiment_report *report, const experiment_table *table)
{
    char where[64], title[200], headings[400] = "kernel|type";
    experiment_grid *g;

    snprintf(where, sizeof where, "%s (%u of %u SMs)", e->paper->machine, (unsigned)e->machine.sms, (unsigned)e->whole_sms);
    for (const experiment_column *c = table->columns; c->heading; c++)
        snprintf(headings + strlen(headings), sizeof headings - strlen(headings), "|%s", c->heading);
    g = report_grid(report, titled(title, sizeof title, table->title, where), headings);
    for (const experiment_study *s = e->studies; s < e->studies + e->num; s++) {
        grid_row(g);
        grid_cell(g, "%s", s->workload.name);
        grid_cell(g, "%s", type_of(s));
        for (const experiment_column *c = table->columns; c->heading; c++)
            show(g, c->shown, c->value(e, s, c->setting));
    }
}

experiment_grid *summary_grid(experiment_report *report, const char *title)
{
    return report_grid(report, title, "what|paper|measured|kernels");
}

void summary_row(experiment_grid *g, const experiment_row *row, unsigned kernels, const char *measured)
{
    grid_row(g);
    grid_cell(g, "%s", row->what);
    grid_cell(g, "%s", row->paper);
    grid_cell(g, "%s", kernels ? measured : "-");
    grid_cell(g, "%u", kernels);
}

double percent(double ratio)
{
    return 100 * (ratio - 1);
}

void named_rows(const experiment *e, experiment_grid *g, const experiment_named_row *rows)
{
    for (const experiment_named_row *r = rows; r->what; r++)
        for (const experiment_study *s = e->studies; s < e->studies + e->num; s++) {
            if (strcmp(s->workload.name, r->kernel) != 0)
                continue;
            grid_row(g);
            grid_cell(g, "%s, %s", r->what, r->kernel);
            grid_cell(g, "%s", r->paper);
            grid_cell(g, "%+.1f %%", percent(r->value(e, s, r->setting)));
            grid_cell(g, "1");
        }
}

static void summary_table(const experiment *e, experiment_report *report, const experiment_table *table)
{
    char title[200], measured[GRID_CELL];
    experiment_grid *g = summary_grid(report, titled(title, sizeof title, table->title, e->paper->machine));

    for (const experiment_row *r = table->rows; r->what; r++) {
        const experiment_mean mean = mean_over(e, r->types, r->value, r->setting);

        switch (r->summary) {
        case OF_SHARES: snprintf(measured, sizeof measured, "%.1f %%", 100 * mean.arithmetic); break;
        case OF_COUNTS: snprintf(measured, sizeof measured, "%.2f", mean.arithmetic); break;
        case LEAST_CHANGE: snprintf(measured, sizeof measured, "%+.1f %% (%s)", percent(mean.least), mean.least_of); break;
        case MOST_CHANGE: snprintf(measured, sizeof measured, "%+.1f %% (%s)", percent(mean.most), mean.most_of); break;
        case MOST_TIMES: snprintf(measured, sizeof measured, "%.2f x (%s)", mean.most, mean.most_of); break;
        default: snprintf(measured, sizeof measured, "%+.1f %%", percent(mean.geometric)); break;
        }
        summary_row(g, r, mean.num, measured);
    }
}

void report_tables(const experiment *e, experiment_report *report)
{
    for (const experiment_table *t = e->paper->tables; t->title; t++)
        (t->columns ? kernel_table : summary_table)(e, report, t);
}

/* ---- bars ------------------------------------------------------------------------- */

static unsigned count_bars(const experiment_panel *panel)
{
    unsigned num = 0;

    while (num < BARS && panel->bars[num].name)
        num++;
    return num;
}

static void bar_data(const experiment *e, FILE *plot, const experiment_panel *panel)
{
    fprintf(plot, "$data << EOD\n");
    for (const experiment_study *s = e->studies; s < e->studies + e->num; s++) {
        fprintf(plot, "\"%s (%s)\"", s->workload.name, type_of(s));
        for (unsigned bar = 0; bar < count_bars(panel); bar++)
            fprintf(plot, " %.4f", panel->bars[bar].value(e, s, panel->bars[bar].setting));
        fputc('\n', plot);
    }
    fprintf(plot, "EOD\n");
}

static void draw_panel(const experiment *e, FILE *plot, const experiment_panel *panel)
{
    static const char *const colors[BARS] = {"#888888", "#20639b", "#d1495b", "#2e8b57", "#b8860b", "#6a4c93"};
    char title[80];

    bar_data(e, plot, panel);
    fprintf(plot, "set style data histogram\nset style histogram clustered gap 1\nset title '%s' noenhanced offset graph -0.3,0\nset ylabel '%s'\n"
                  "set yrange [0:*]\nset ytics autofreq\nplot ",
            titled(title, sizeof title, panel->title, e->paper->machine), panel->ylabel);
    for (unsigned bar = 0; bar < count_bars(panel); bar++)
        fprintf(plot, "%s$data using %u:xtic(1) linecolor rgb '%s' title '%s'", bar ? ", " : "", bar + 2, colors[bar],
                panel->bars[bar].name);
    if (panel->line >= 0)
        fprintf(plot, ", %g with lines dashtype 3 linecolor rgb '#000000' notitle", panel->line);
    fprintf(plot, "\n");
}

unsigned count_panels(const experiment_paper *paper)
{
    unsigned num = 0;

    while (paper->panels[num].title)
        num++;
    return num;
}

void draw_panels(const experiment *e, FILE *plot)
{
    for (const experiment_panel *panel = e->paper->panels; panel->title; panel++)
        draw_panel(e, plot, panel);
}
