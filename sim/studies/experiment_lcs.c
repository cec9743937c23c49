/* SPDX-License-Identifier: Apache-2.0
 *
 * Lee et al., "Improving GPGPU Resource Utilization Through Alternative Thread Block Scheduling",
 * section 5.1: speed of LCS over as many CTAs as fit (Fig. 12), T_new against the optimum (Fig. 13),
 * energy (Fig. 14).
 */
#include <math.h>

#include "studies/experiment_papers.h"

enum { LCS };

static const experiment_setting settings[] = {
    [LCS] = {"LCS", POLICY_LCS, 0, VF_NORMAL, VF_NORMAL},
    {0}};

static double distance(const experiment *e, const experiment_study *s, unsigned setting)
{
    return fabs(limit_of(e, result_at(e, s, setting)) - s->sweep.optimum);
}

static void count_cell(experiment_grid *g, unsigned count)
{
    if (count)
        grid_cell(g, "%u", count);
    else
        grid_cell(g, "-");
}

static void kernel_table(const experiment *e, experiment_report *report)
{
    char title[160];
    experiment_grid *g;

    snprintf(title, sizeof title, "LCS on %s (%u of %u SMs): kernels", e->paper->machine, (unsigned)e->machine.sms,
             (unsigned)e->whole_sms);
    g = report_grid(report, title, "kernel|type|CTAs/SM|Nmax|opt paper|opt|T_new paper|T_new|speed at opt %|speed %|energy %");
    for (unsigned i = 0; i < e->num; i++) {
        const experiment_study *s = &e->studies[i];

        grid_row(g);
        grid_cell(g, "%s", s->workload.name);
        grid_cell(g, "%s", type_of(s));
        grid_cell(g, "%u", (unsigned)(s->workload.ctas / e->machine.sms));
        grid_cell(g, "%u", s->nmax);
        count_cell(g, s->published.opt);
        grid_cell(g, "%u", s->sweep.optimum);
        count_cell(g, s->t_new);
        grid_cell(g, "%.1f", limit_of(e, result_at(e, s, LCS)));
        grid_cell(g, "%+.1f", percent(optimum_value(e, s, LCS)));
        grid_cell(g, "%+.1f", percent(speedup_value(e, s, LCS)));
        grid_cell(g, "%+.1f", percent(energy_value(e, s, LCS)));
    }
}

static void speed_row(experiment_grid *g, const experiment *e, const char *what, const char *paper, int types)
{
    const experiment_mean mean = mean_over(e, types, speedup_value, LCS);

    summary_percent(g, what, paper, &mean);
}

static void summary_table(const experiment *e, experiment_report *report)
{
    const int three_four = of_type(TYPE_III) | of_type(TYPE_IV);
    const experiment_mean best = mean_over(e, three_four, optimum_value, LCS);
    const experiment_mean away = mean_over(e, OF_ALL, distance, LCS);
    const experiment_mean joules = mean_over(e, OF_ALL, energy_value, LCS);
    experiment_grid *g = summary_grid(report, "LCS: the paper's numbers");

    speed_row(g, e, "speed, all", "+7 % (8 %)", OF_ALL);
    speed_row(g, e, "speed, types III and IV", "+23 %", three_four);
    speed_row(g, e, "speed, type I", "a little less", of_type(TYPE_I));
    speed_row(g, e, "speed, type II", "about 0", of_type(TYPE_II));
    speed_row(g, e, "speed, type III", "-", of_type(TYPE_III));
    speed_row(g, e, "speed, type IV", "-", of_type(TYPE_IV));
    summary_percent(g, "speed at opt from the start, types III and IV", "-", &best);
    summary_row(g, "|T_new - opt|, CTAs", "near", away.num, "%.2f", away.arithmetic);
    summary_percent(g, "energy, all (paper: unused resources power-gated)", "-11 %", &joules);
    summary_row(g, "energy, least", "-37 %", joules.num, "%+.1f %%", percent(joules.least));
}

static void make_report(const experiment *e, experiment_report *report)
{
    kernel_table(e, report);
    summary_table(e, report);
}

static double count_bar(const experiment *e, const experiment_study *s, unsigned bar)
{
    return bar == 0 ? s->nmax : bar == 1 ? s->sweep.optimum : limit_of(e, result_at(e, s, LCS));
}

static double speed_bar(const experiment *e, const experiment_study *s, unsigned bar)
{
    return bar == 0 ? optimum_value(e, s, LCS) : speedup_value(e, s, LCS);
}

static void draw(const experiment *e, FILE *plot)
{
    const experiment_bars counts = {"LCS: CTAs per SM", "CTAs", "Nmax|optimum|T_new", -1, count_bar};
    const experiment_bars speeds = {"LCS: speed over Nmax", "", "optimum from the start|LCS", 1, speed_bar};

    draw_bars(e, plot, &counts);
    draw_bars(e, plot, &speeds);
}

/* The published grids, as far as they are affordable: that few CTAs make LCS useless is part of the
 * paper's result (LCS-8). */
const experiment_paper lcs_paper = {"lcs", "LCS", "lcs", "lcs", 7, {0, 0, 1e7, 5e5}, settings, make_report, NULL, 2, draw};
