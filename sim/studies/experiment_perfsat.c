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

static const experiment_column columns[] = {
    {"CTAs/SM", grid_value, 0, SHOW_COUNT}, {"Nmax", nmax_value, 0, SHOW_COUNT},
    {"opt paper", published_optimum_value, 0, SHOW_COUNT}, {"opt", found_optimum_value, 0, SHOW_COUNT},
    {"found", limit_value, PERFSAT, SHOW_TENTHS}, {"accuracy %", accuracy, PERFSAT, SHOW_SHARE},
    {"hits %", hits, PERFSAT, SHOW_WHOLE}, {"decided %", decided, PERFSAT, SHOW_WHOLE},
    {"speed at opt %", optimum_value, PERFSAT, SHOW_CHANGE}, {"speed %", speedup_value, PERFSAT, SHOW_CHANGE},
    {"saved %", saved, PERFSAT, SHOW_SHARE}, {0}};

enum { STRONG = OF_TYPE(TYPE_C_STRONG), WEAK = OF_TYPE(TYPE_C_WEAK), MEM = OF_TYPE(TYPE_MEM) };

/* What the paper prints, by machine. */
typedef struct printed {
    const char *accuracy, *loss, *strong, *weak, *mem, *all;
} printed;

static const printed on_fermi = {"94.25 %", "-0.51 %", "0.97 % (both)", "14.32 %", "25.31 %", "10.45 %"};
static const printed on_kepler = {"85.12 %", "-0.88 %", "0.97 % (both)", "35.35 %", "31.48 %", "25.51 %"};

static void make_report(const experiment *e, experiment_report *report)
{
    static const char alone[] = "the same at the count found, without the search";
    const printed *paper = strcmp(e->paper->machine, "fermi") ? &on_kepler : &on_fermi;
    const experiment_row rows[] = {
        {"accuracy: 1 - |found - opt| / opt", paper->accuracy, OF_ALL, PERFSAT, accuracy, OF_SHARES},
        {"SMs that found exactly opt", "-", OF_ALL, PERFSAT, hits, OF_SHARES},
        {"SMs that came to a decision", "-", OF_ALL, PERFSAT, decided, OF_SHARES},
        {"speed, C-strong and C-weak", paper->loss, STRONG | WEAK, PERFSAT, speedup_value, OF_CHANGES},
        {alone, "-", STRONG | WEAK, PERFSAT, found_value, OF_CHANGES},
        {"speed, MEM", "+4.95 % (both)", MEM, PERFSAT, speedup_value, OF_CHANGES},
        {alone, "-", MEM, PERFSAT, found_value, OF_CHANGES},
        {"speed, all", "-", OF_ALL, PERFSAT, speedup_value, OF_CHANGES},
        {"speed at opt from the start, all", "-", OF_ALL, PERFSAT, optimum_value, OF_CHANGES},
        {"resources saved, C-strong", paper->strong, STRONG, PERFSAT, saved, OF_SHARES},
        {"resources saved, C-weak", paper->weak, WEAK, PERFSAT, saved, OF_SHARES},
        {"resources saved, MEM", paper->mem, MEM, PERFSAT, saved, OF_SHARES},
        {"resources saved, all", paper->all, OF_ALL, PERFSAT, saved, OF_SHARES},
        {"the same with the count found, all", "-", OF_ALL, PERFSAT, saved_in_the_end, OF_SHARES},
    };
    char title[160];

    kernel_grid(e, report, "Perf-Sat on %s: kernels", columns);
    snprintf(title, sizeof title, "Perf-Sat on %s: the paper's numbers", e->paper->machine);
    SUMMARY_ROWS(e, summary_grid(report, title), rows);
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
    experiment_grid *g = summary_grid(report, "Perf-Sat, mean of both machines: the paper's numbers");
    unsigned kernels = 0;

    for (unsigned i = 0; i < num; i++)
        kernels += all[i]->num;
    summary_row(g, "resources saved, all", "18.32 %", kernels, "%.1f %%", mean_of_machines(all, num, OF_ALL, saved, false));
    summary_row(g, "resources saved, C-strong", "0.97 %", kernels, "%.1f %%",
                mean_of_machines(all, num, STRONG, saved, false));
    summary_row(g, "speed, C-strong and C-weak", "above -1 %", kernels, "%+.1f %%",
                mean_of_machines(all, num, STRONG | WEAK, speedup_value, true));
    summary_row(g, "speed, MEM", "+4.95 %", kernels, "%+.1f %%", mean_of_machines(all, num, MEM, speedup_value, true));
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
