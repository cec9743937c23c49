/* SPDX-License-Identifier: Apache-2.0
 *
 * What one run says, means over kernels, and how they are shown.
 */
#include <math.h>
#include <stdarg.h>
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

double optimum_value(const experiment *e, const experiment_study *s, unsigned setting)
{
    (void)e;
    (void)setting;
    return s->sweep.ipc[s->sweep.optimum] / s->sweep.ipc[s->nmax];
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

/* ---- all kernels ------------------------------------------------------------------ */

experiment_mean mean_over(const experiment *e, int types, experiment_value value, unsigned setting)
{
    experiment_mean mean = {.least = INFINITY, .most = -INFINITY};
    double sum = 0, logs = 0;

    for (unsigned i = 0; i < e->num; i++) {
        const experiment_study *s = &e->studies[i];
        double v;

        if (!(types & OF_TYPE(s->published.type)))
            continue;
        v = value(e, s, setting);
        mean.num++;
        sum += v;
        logs += log(v);
        mean.least = fmin(mean.least, v);
        mean.most = fmax(mean.most, v);
    }
    if (mean.num) {
        mean.arithmetic = sum / mean.num;
        mean.geometric = exp(logs / mean.num);
    }
    return mean;
}

double speedup_value(const experiment *e, const experiment_study *s, unsigned setting)
{
    return baseline_of(e, s)->seconds / result_at(e, s, setting)->seconds;
}

static double joules(const experiment *e, const run_result *r)
{
    const energy_model model = energy_model_default();

    return energy_of(&model, &e->machine, &r->counts).total;
}

double energy_value(const experiment *e, const experiment_study *s, unsigned setting)
{
    return joules(e, result_at(e, s, setting)) / joules(e, baseline_of(e, s));
}

double limit_value(const experiment *e, const experiment_study *s, unsigned setting)
{
    return limit_of(e, result_at(e, s, setting));
}

double mean_limit_value(const experiment *e, const experiment_study *s, unsigned setting)
{
    return result_at(e, s, setting)->mean_limit;
}

double nmax_value(const experiment *e, const experiment_study *s, unsigned setting)
{
    (void)e;
    (void)setting;
    return s->nmax;
}

double found_optimum_value(const experiment *e, const experiment_study *s, unsigned setting)
{
    (void)e;
    (void)setting;
    return s->sweep.optimum;
}

double published_optimum_value(const experiment *e, const experiment_study *s, unsigned setting)
{
    (void)e;
    (void)setting;
    return s->published.opt;
}

double grid_value(const experiment *e, const experiment_study *s, unsigned setting)
{
    const uint32_t whole = s->workload.ctas / e->machine.sms;

    (void)setting;
    return whole;
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

void kernel_grid(const experiment *e, experiment_report *report, const char *title, const experiment_column *columns)
{
    char where[64], whole[200], headings[400] = "kernel|type";
    const char *at = strstr(title, "%s");
    experiment_grid *g;

    snprintf(where, sizeof where, "%s (%u of %u SMs)", e->paper->machine, (unsigned)e->machine.sms, (unsigned)e->whole_sms);
    snprintf(whole, sizeof whole, "%.*s%s%s", (int)(at - title), title, where, at + 2);
    for (const experiment_column *c = columns; c->heading; c++)
        snprintf(headings + strlen(headings), sizeof headings - strlen(headings), "|%s", c->heading);
    g = report_grid(report, whole, headings);
    for (unsigned i = 0; i < e->num; i++) {
        const experiment_study *s = &e->studies[i];

        grid_row(g);
        grid_cell(g, "%s", s->workload.name);
        grid_cell(g, "%s", type_of(s));
        for (const experiment_column *c = columns; c->heading; c++)
            show(g, c->shown, c->value(e, s, c->setting));
    }
}

experiment_grid *summary_grid(experiment_report *report, const char *title)
{
    return report_grid(report, title, "what|paper|measured|kernels");
}

void summary_row(experiment_grid *g, const char *what, const char *paper, unsigned kernels, const char *format, ...)
{
    char measured[GRID_CELL];
    va_list args;

    va_start(args, format);
    vsnprintf(measured, sizeof measured, format, args);
    va_end(args);
    grid_row(g);
    grid_cell(g, "%s", what);
    grid_cell(g, "%s", paper);
    grid_cell(g, "%s", kernels ? measured : "-");
    grid_cell(g, "%u", kernels);
}

double percent(double ratio)
{
    return 100 * (ratio - 1);
}

void summary_rows(const experiment *e, experiment_grid *g, const experiment_row *rows, unsigned num)
{
    for (const experiment_row *r = rows; r < rows + num; r++) {
        const experiment_mean mean = mean_over(e, r->types, r->value, r->setting);

        switch (r->summary) {
        case OF_SHARES: summary_row(g, r->what, r->paper, mean.num, "%.1f %%", 100 * mean.arithmetic); break;
        case OF_COUNTS: summary_row(g, r->what, r->paper, mean.num, "%.2f", mean.arithmetic); break;
        case LEAST_CHANGE: summary_row(g, r->what, r->paper, mean.num, "%+.1f %%", percent(mean.least)); break;
        case MOST_CHANGE: summary_row(g, r->what, r->paper, mean.num, "%+.1f %%", percent(mean.most)); break;
        case MOST_TIMES: summary_row(g, r->what, r->paper, mean.num, "%.2f x", mean.most); break;
        default: summary_row(g, r->what, r->paper, mean.num, "%+.1f %%", percent(mean.geometric)); break;
        }
    }
}

/* ---- bars ------------------------------------------------------------------------- */

static unsigned count_names(const char *names)
{
    unsigned num = 1;

    for (; *names; names++)
        num += *names == '|';
    return num;
}

static void bar_data(const experiment *e, FILE *plot, const experiment_bars *bars, unsigned num)
{
    fprintf(plot, "$data << EOD\n");
    for (unsigned i = 0; i < e->num; i++) {
        fprintf(plot, "\"%s (%s)\"", e->studies[i].workload.name, type_of(&e->studies[i]));
        for (unsigned bar = 0; bar < num; bar++)
            fprintf(plot, " %.4f", bars->value(e, &e->studies[i], bar));
        fputc('\n', plot);
    }
    fprintf(plot, "EOD\n");
}

void draw_bars(const experiment *e, FILE *plot, const experiment_bars *bars)
{
    static const char *const colors[] = {"#888888", "#20639b", "#d1495b", "#2e8b57", "#b8860b", "#6a4c93"};
    enum { COLORS = sizeof colors / sizeof colors[0] };
    const unsigned num = count_names(bars->names);
    const char *name = bars->names;

    bar_data(e, plot, bars, num);
    fprintf(plot, "set style data histogram\nset style histogram clustered gap 1\nset title '%s' noenhanced offset graph -0.3,0\nset ylabel '%s'\n"
                  "set yrange [0:*]\nset ytics autofreq\nplot ", bars->title, bars->ylabel);
    for (unsigned bar = 0; bar < num; bar++) {
        const int length = (int)strcspn(name, "|");

        fprintf(plot, "%s$data using %u:xtic(1) linecolor rgb '%s' title '%.*s'", bar ? ", " : "", bar + 2,
                colors[bar % COLORS], length, name);
        name += length + (name[length] == '|');
    }
    if (bars->line >= 0)
        fprintf(plot, ", %g with lines dashtype 3 linecolor rgb '#000000' notitle", bars->line);
    fprintf(plot, "\n");
}
