/* SPDX-License-Identifier: Apache-2.0
 *
 * DYNCTA on the kernels of the two papers that compare with it: Equalizer (Fig. 10, cache-sensitive
 * kernels) and the LCS paper (Fig. 19). Nothing but the number of CTAs changes here: Equalizer's levels
 * are held, as in its Fig. 11a. Baseline: Nmax.
 *
 * DYNCTA's own paper is not among Ballast's sources; its thresholds here are doc/blocks/dyncta.md's.
 */
#include "studies/experiment_papers.h"

enum { DYNCTA, EQUALIZER, LCS };

static const experiment_setting settings[] = {
    [DYNCTA] = {"DYNCTA", POLICY_DYNCTA, 0, VF_NORMAL, VF_NORMAL},
    [EQUALIZER] = {"Equalizer, levels held", POLICY_EQUALIZER, VF_PERFORMANCE, VF_NORMAL, VF_NORMAL},
    [LCS] = {"LCS", POLICY_LCS, 0, VF_NORMAL, VF_NORMAL},
    {0}};

static void kernel_table(const experiment *e, experiment_report *report)
{
    char title[160];
    experiment_grid *g;

    snprintf(title, sizeof title, "DYNCTA beside others on %s (%u of %u SMs): mean CTA limit, speed against Nmax, %%",
             e->paper->machine, (unsigned)e->machine.sms, (unsigned)e->whole_sms);
    g = report_grid(report, title, "kernel|type|Nmax|opt|DYNCTA CTAs|Equalizer CTAs|LCS CTAs|opt %|DYNCTA %|Equalizer %|LCS %");
    for (unsigned i = 0; i < e->num; i++) {
        const experiment_study *s = &e->studies[i];

        grid_row(g);
        grid_cell(g, "%s", s->workload.name);
        grid_cell(g, "%s", type_of(s));
        grid_cell(g, "%u", s->nmax);
        grid_cell(g, "%u", s->sweep.optimum);
        for (unsigned setting = DYNCTA; setting <= LCS; setting++)
            grid_cell(g, "%.1f", result_at(e, s, setting)->mean_limit);
        grid_cell(g, "%+.1f", percent(optimum_value(e, s, 0)));
        for (unsigned setting = DYNCTA; setting <= LCS; setting++)
            grid_cell(g, "%+.1f", percent(speedup_value(e, s, setting)));
    }
}

static void row(const experiment *e, experiment_grid *g, const char *what, const char *paper, int types, unsigned setting)
{
    const experiment_mean mean = mean_over(e, types, speedup_value, setting);

    summary_percent(g, what, paper, &mean);
}

static void report_fermi(const experiment *e, experiment_report *report)
{
    const int sensitive = of_type(TYPE_CACHE);
    const experiment_mean dyncta = mean_over(e, sensitive, speedup_value, DYNCTA);
    experiment_grid *g;

    kernel_table(e, report);
    g = summary_grid(report, "DYNCTA on Equalizer's kernels: the paper's numbers");
    summary_row(g, "DYNCTA: speed, cache, most", "+22 %", dyncta.num, "%+.1f %%", percent(dyncta.most));
    row(e, g, "DYNCTA: speed, cache", "below Equalizer", sensitive, DYNCTA);
    row(e, g, "Equalizer, CTAs only: speed, cache", "-", sensitive, EQUALIZER);
    row(e, g, "LCS: speed, cache", "-", sensitive, LCS);
    row(e, g, "DYNCTA: speed, all", "-", OF_ALL, DYNCTA);
    row(e, g, "Equalizer, CTAs only: speed, all", "-", OF_ALL, EQUALIZER);
    row(e, g, "LCS: speed, all", "-", OF_ALL, LCS);
}

static void report_lcs(const experiment *e, experiment_report *report)
{
    const int three_four = of_type(TYPE_III) | of_type(TYPE_IV);
    experiment_grid *g;

    kernel_table(e, report);
    g = summary_grid(report, "DYNCTA on the kernels of LCS: the paper's numbers");
    row(e, g, "DYNCTA: speed, all", "not significant", OF_ALL, DYNCTA);
    row(e, g, "LCS: speed, all", "+8 %", OF_ALL, LCS);
    row(e, g, "DYNCTA: speed, types III and IV", "-", three_four, DYNCTA);
    row(e, g, "LCS: speed, types III and IV", "+23 %", three_four, LCS);
    row(e, g, "Equalizer, CTAs only: speed, all", "-", OF_ALL, EQUALIZER);
}

static double bar_value(const experiment *e, const experiment_study *s, unsigned bar)
{
    return bar == 0 ? optimum_value(e, s, 0) : speedup_value(e, s, bar - 1);
}

static void draw(const experiment *e, FILE *plot)
{
    char title[80];
    const experiment_bars bars = {title, "", "optimum from the start|DYNCTA|Equalizer, CTAs only|LCS", 1, bar_value};

    snprintf(title, sizeof title, "%s: speed over Nmax", e->paper->machine);
    draw_bars(e, plot, &bars);
}

const experiment_paper dyncta_on_fermi = {
    "dyncta", "DYNCTA", "equalizer", "fermi", 5, {0, 5e5, 8e5, 3e5}, settings, report_fermi, NULL, 1, draw};
const experiment_paper dyncta_on_lcs = {
    "dyncta", "DYNCTA", "lcs", "lcs", 7, {0, 0, 1e7, 5e5}, settings, report_lcs, NULL, 1, draw};
