/* SPDX-License-Identifier: Apache-2.0
 *
 * Awatramani, Zambreno, Rover, "Perf-Sat", section V: accuracy (Fig. 7), speed (Fig. 8) and
 * resources (Fig. 9) on two machines.
 */
#include <math.h>
#include <string.h>

#include "studies/experiment_papers.h"

enum { PERFSAT };

static const experiment_setting settings[] = {
    [PERFSAT] = {"Perf-Sat", POLICY_PERFSAT, 0, VF_NORMAL, VF_NORMAL},
    {0}};

/* Accuracy of the count that it settles on, mean over SMs, against the simulator's own optimum: the
 * paper gives no formula; this is 1 less the relative error. */
static double accuracy(const experiment *e, const experiment_study *s, unsigned setting)
{
    const double found = limit_of(e, result_at(e, s, setting));

    return fmax(0, 1 - fabs(found - s->sweep.optimum) / s->sweep.optimum);
}

static double hits(const experiment *e, const experiment_study *s, unsigned setting)
{
    return hit_share(e, result_at(e, s, setting), s->sweep.optimum);
}

static double decided(const experiment *e, const experiment_study *s, unsigned setting)
{
    return decided_share(e, result_at(e, s, setting));
}

/* Fig. 9: all limits are by registers or threads, so CTAs are resources. Over the whole run, searching
 * included. */
static double saved(const experiment *e, const experiment_study *s, unsigned setting)
{
    return 1 - result_at(e, s, setting)->mean_resident / baseline_of(e, s)->mean_resident;
}

/* The same, but for the count that it settled on. */
static double saved_in_the_end(const experiment *e, const experiment_study *s, unsigned setting)
{
    return 1 - limit_of(e, result_at(e, s, setting)) / s->nmax;
}

/* Speed at the count that it settled on, as if there were no search: what a very long kernel has. */
static double found_value(const experiment *e, const experiment_study *s, unsigned setting)
{
    const unsigned found = (unsigned)lround(limit_of(e, result_at(e, s, setting)));

    return s->sweep.ipc[found] / s->sweep.ipc[s->nmax];
}

/* ---- tables ----------------------------------------------------------------------- */

static void kernel_table(const experiment *e, experiment_report *report)
{
    char title[160];
    experiment_grid *g;

    snprintf(title, sizeof title, "Perf-Sat on %s (%u of %u SMs): kernels", e->paper->machine, (unsigned)e->machine.sms,
             (unsigned)e->whole_sms);
    g = report_grid(report, title, "kernel|type|CTAs/SM|Nmax|opt paper|opt|found|accuracy %|hits %|decided %|"
                                   "speed at opt %|speed %|saved %");
    for (unsigned i = 0; i < e->num; i++) {
        const experiment_study *s = &e->studies[i];

        grid_row(g);
        grid_cell(g, "%s", s->workload.name);
        grid_cell(g, "%s", type_of(s));
        grid_cell(g, "%u", (unsigned)(s->workload.ctas / e->machine.sms));
        grid_cell(g, "%u", s->nmax);
        grid_cell(g, "%u", (unsigned)s->published.opt);
        grid_cell(g, "%u", s->sweep.optimum);
        grid_cell(g, "%.1f", limit_of(e, result_at(e, s, PERFSAT)));
        grid_cell(g, "%.1f", 100 * accuracy(e, s, PERFSAT));
        grid_cell(g, "%.0f", 100 * hits(e, s, PERFSAT));
        grid_cell(g, "%.0f", 100 * decided(e, s, PERFSAT));
        grid_cell(g, "%+.1f", percent(optimum_value(e, s, PERFSAT)));
        grid_cell(g, "%+.1f", percent(speedup_value(e, s, PERFSAT)));
        grid_cell(g, "%.1f", 100 * saved(e, s, PERFSAT));
    }
}

/* What the paper prints, by machine. */
typedef struct printed {
    const char *accuracy, *loss, *strong, *weak, *mem, *all;
} printed;

static const printed on_fermi = {"94.25 %", "-0.51 %", "0.97 % (both)", "14.32 %", "25.31 %", "10.45 %"};
static const printed on_kepler = {"85.12 %", "-0.88 %", "0.97 % (both)", "35.35 %", "31.48 %", "25.51 %"};

static void share_row(experiment_grid *g, const char *what, const char *paper, const experiment *e, int types,
                      experiment_value value)
{
    const experiment_mean mean = mean_over(e, types, value, PERFSAT);

    summary_row(g, what, paper, mean.num, "%.1f %%", 100 * mean.arithmetic);
}

static void summary_table(const experiment *e, experiment_report *report)
{
    const int strong = of_type(TYPE_C_STRONG), weak = of_type(TYPE_C_WEAK), mem = of_type(TYPE_MEM);
    const printed *paper = strcmp(e->paper->machine, "fermi") ? &on_kepler : &on_fermi;
    const experiment_mean loss = mean_over(e, strong | weak, speedup_value, PERFSAT);
    const experiment_mean gain = mean_over(e, mem, speedup_value, PERFSAT);
    const experiment_mean settled = mean_over(e, strong | weak, found_value, PERFSAT);
    const experiment_mean settled_mem = mean_over(e, mem, found_value, PERFSAT);
    const experiment_mean all = mean_over(e, OF_ALL, speedup_value, PERFSAT);
    const experiment_mean best = mean_over(e, OF_ALL, optimum_value, PERFSAT);
    char title[160];
    experiment_grid *g;

    snprintf(title, sizeof title, "Perf-Sat on %s: the paper's numbers", e->paper->machine);
    g = summary_grid(report, title);
    share_row(g, "accuracy: 1 - |found - opt| / opt", paper->accuracy, e, OF_ALL, accuracy);
    share_row(g, "SMs that found exactly opt", "-", e, OF_ALL, hits);
    share_row(g, "SMs that came to a decision", "-", e, OF_ALL, decided);
    summary_percent(g, "speed, C-strong and C-weak", paper->loss, &loss);
    summary_percent(g, "the same at the count found, without the search", "-", &settled);
    summary_percent(g, "speed, MEM", "+4.95 % (both)", &gain);
    summary_percent(g, "the same at the count found, without the search", "-", &settled_mem);
    summary_percent(g, "speed, all", "-", &all);
    summary_percent(g, "speed at opt from the start, all", "-", &best);
    share_row(g, "resources saved, C-strong", paper->strong, e, strong, saved);
    share_row(g, "resources saved, C-weak", paper->weak, e, weak, saved);
    share_row(g, "resources saved, MEM", paper->mem, e, mem, saved);
    share_row(g, "resources saved, all", paper->all, e, OF_ALL, saved);
    share_row(g, "the same with the count found, all", "-", e, OF_ALL, saved_in_the_end);
}

static void make_report(const experiment *e, experiment_report *report)
{
    kernel_table(e, report);
    summary_table(e, report);
}

static double mean_of_machines(const experiment *const *all, unsigned num, int types, experiment_value value, bool geometric)
{
    double sum = 0;

    for (unsigned i = 0; i < num; i++) {
        const experiment_mean mean = mean_over(all[i], types, value, PERFSAT);

        sum += geometric ? percent(mean.geometric) : 100 * mean.arithmetic;
    }
    return sum / num;
}

static void joint_report(const experiment *const *all, unsigned num, experiment_report *report)
{
    const int strong = of_type(TYPE_C_STRONG), weak = of_type(TYPE_C_WEAK), mem = of_type(TYPE_MEM);
    experiment_grid *g = summary_grid(report, "Perf-Sat, mean of both machines: the paper's numbers");
    unsigned kernels = 0;

    for (unsigned i = 0; i < num; i++)
        kernels += all[i]->num;
    summary_row(g, "resources saved, all", "18.32 %", kernels, "%.1f %%", mean_of_machines(all, num, OF_ALL, saved, false));
    summary_row(g, "resources saved, C-strong", "0.97 %", kernels, "%.1f %%",
                mean_of_machines(all, num, strong, saved, false));
    summary_row(g, "speed, C-strong and C-weak", "above -1 %", kernels, "%+.1f %%",
                mean_of_machines(all, num, strong | weak, speedup_value, true));
    summary_row(g, "speed, MEM", "+4.95 %", kernels, "%+.1f %%", mean_of_machines(all, num, mem, speedup_value, true));
}

/* ---- picture ---------------------------------------------------------------------- */

static double count_bar(const experiment *e, const experiment_study *s, unsigned bar)
{
    return bar == 0 ? s->nmax : bar == 1 ? s->sweep.optimum : limit_of(e, result_at(e, s, PERFSAT));
}

static double speed_bar(const experiment *e, const experiment_study *s, unsigned bar)
{
    return bar == 0 ? optimum_value(e, s, PERFSAT) : speedup_value(e, s, PERFSAT);
}

static void draw(const experiment *e, FILE *plot)
{
    char title[80];
    experiment_bars bars = {title, "CTAs", "Nmax|optimum|Perf-Sat", -1, count_bar};

    snprintf(title, sizeof title, "%s: CTAs per SM", e->paper->machine);
    draw_bars(e, plot, &bars);
    snprintf(title, sizeof title, "%s: speed over Nmax", e->paper->machine);
    bars = (experiment_bars){title, "", "optimum from the start|Perf-Sat", 1, speed_bar};
    draw_bars(e, plot, &bars);
}

const experiment_paper perfsat_on_fermi = {
    "perfsat", "Perf-Sat", "perfsat", "fermi", 5, {48, 0, 4e6, 5e5}, settings, make_report, joint_report, 2, draw};
const experiment_paper perfsat_on_kepler = {
    "perfsat", "Perf-Sat", "perfsat", "kepler", 7, {48, 0, 4e6, 5e5}, settings, make_report, joint_report, 2, draw};
