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

static const experiment_column columns[] = {
    {"Nmax", nmax_value, 0, SHOW_COUNT}, {"opt", found_optimum_value, 0, SHOW_COUNT},
    {"DYNCTA CTAs", mean_limit_value, DYNCTA, SHOW_TENTHS}, {"Equalizer CTAs", mean_limit_value, EQUALIZER, SHOW_TENTHS},
    {"LCS CTAs", mean_limit_value, LCS, SHOW_TENTHS}, {"opt %", optimum_value, 0, SHOW_CHANGE},
    {"DYNCTA %", speedup_value, DYNCTA, SHOW_CHANGE}, {"Equalizer %", speedup_value, EQUALIZER, SHOW_CHANGE},
    {"LCS %", speedup_value, LCS, SHOW_CHANGE}, {0}};

static const char title_of_kernels[] = "DYNCTA beside others on %s: mean CTA limit, speed against Nmax, %";

enum { SENSITIVE = OF_TYPE(TYPE_CACHE), THREE_FOUR = OF_TYPE(TYPE_III) | OF_TYPE(TYPE_IV) };

static void report_fermi(const experiment *e, experiment_report *report)
{
    static const experiment_row rows[] = {
        {"DYNCTA: speed, cache, most", "+22 %", SENSITIVE, DYNCTA, speedup_value, MOST_CHANGE},
        {"DYNCTA: speed, cache", "below Equalizer", SENSITIVE, DYNCTA, speedup_value, OF_CHANGES},
        {"Equalizer, CTAs only: speed, cache", "-", SENSITIVE, EQUALIZER, speedup_value, OF_CHANGES},
        {"LCS: speed, cache", "-", SENSITIVE, LCS, speedup_value, OF_CHANGES},
        {"DYNCTA: speed, all", "-", OF_ALL, DYNCTA, speedup_value, OF_CHANGES},
        {"Equalizer, CTAs only: speed, all", "-", OF_ALL, EQUALIZER, speedup_value, OF_CHANGES},
        {"LCS: speed, all", "-", OF_ALL, LCS, speedup_value, OF_CHANGES},
    };

    kernel_grid(e, report, title_of_kernels, columns);
    SUMMARY_ROWS(e, summary_grid(report, "DYNCTA on Equalizer's kernels: the paper's numbers"), rows);
}

static void report_lcs(const experiment *e, experiment_report *report)
{
    static const experiment_row rows[] = {
        {"DYNCTA: speed, all", "not significant", OF_ALL, DYNCTA, speedup_value, OF_CHANGES},
        {"LCS: speed, all", "+8 %", OF_ALL, LCS, speedup_value, OF_CHANGES},
        {"DYNCTA: speed, types III and IV", "-", THREE_FOUR, DYNCTA, speedup_value, OF_CHANGES},
        {"LCS: speed, types III and IV", "+23 %", THREE_FOUR, LCS, speedup_value, OF_CHANGES},
        {"Equalizer, CTAs only: speed, all", "-", OF_ALL, EQUALIZER, speedup_value, OF_CHANGES},
    };

    kernel_grid(e, report, title_of_kernels, columns);
    SUMMARY_ROWS(e, summary_grid(report, "DYNCTA on the kernels of LCS: the paper's numbers"), rows);
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
