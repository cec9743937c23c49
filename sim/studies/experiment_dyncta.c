/* SPDX-License-Identifier: Apache-2.0
 *
 * DYNCTA and CCWS on the kernels of the two papers that compare with them: Equalizer (Fig. 10, cache-sensitive
 * kernels) and the LCS paper (Fig. 19). Equalizer's levels are held, as in its Fig. 11a, but for one setting that is Fig. 10's.
 * Baseline: Nmax.
 *
 * DYNCTA's own paper is not among Ballast's sources; its thresholds here are doc/blocks/dyncta.md's.
 */
#include "studies/experiment_papers.h"

enum { DYNCTA, EQUALIZER, LCS, CCWS, WHOLE };

static const experiment_setting settings[] = {
    [DYNCTA] = {"DYNCTA", BALLAST_POLICY_DYNCTA, 0, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL},
    [EQUALIZER] = {"Equalizer, levels held", BALLAST_POLICY_EQUALIZER, BALLAST_VF_PERFORMANCE, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL},
    [LCS] = {"LCS", BALLAST_POLICY_LCS, 0, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL},
    [CCWS] = {"CCWS", BALLAST_POLICY_STATIC, 0, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL},
    [WHOLE] = {"Equalizer, performance", BALLAST_POLICY_EQUALIZER, BALLAST_VF_PERFORMANCE, -1, -1},
    {0}};
static const experiment_schedule schedules[] = {[CCWS] = {.other = true, .scheduler = SCHEDULE_CCWS}, [WHOLE] = {.bcs = false}};

static const experiment_column columns[] = {
    {"Nmax", nmax_value, 0, SHOW_COUNT}, {"opt", found_optimum_value, 0, SHOW_COUNT},
    {"DYNCTA CTAs", mean_limit_value, DYNCTA, SHOW_TENTHS}, {"Equalizer CTAs", mean_limit_value, EQUALIZER, SHOW_TENTHS},
    {"LCS CTAs", mean_limit_value, LCS, SHOW_TENTHS}, {"opt %", optimum_value, 0, SHOW_CHANGE},
    {"DYNCTA %", speedup_value, DYNCTA, SHOW_CHANGE}, {"Equalizer %", speedup_value, EQUALIZER, SHOW_CHANGE},
    {"LCS %", speedup_value, LCS, SHOW_CHANGE}, {"CCWS %", speedup_value, CCWS, SHOW_CHANGE}, {0}};

/* Equalizer with its levels beside another one. */
static EXPERIMENT_VALUE(over_value, result_at(e, s, setting)->seconds / result_at(e, s, WHOLE)->seconds)

enum { SENSITIVE = OF_TYPE(TYPE_CACHE), THREE_FOUR = OF_TYPE(TYPE_III) | OF_TYPE(TYPE_IV) };

static const experiment_row fermi_rows[] = {
    {"DYNCTA: speed, cache, most", "+22 %", SENSITIVE, DYNCTA, speedup_value, MOST_CHANGE},
    {"DYNCTA: speed, cache", "below Equalizer", SENSITIVE, DYNCTA, speedup_value, OF_CHANGES},
    {"Equalizer, CTAs only: speed, cache", "-", SENSITIVE, EQUALIZER, speedup_value, OF_CHANGES},
    {"LCS: speed, cache", "-", SENSITIVE, LCS, speedup_value, OF_CHANGES},
    {"CCWS: speed, cache, most", "+38 %", SENSITIVE, CCWS, speedup_value, MOST_CHANGE},
    {"CCWS: speed, cache", "-", SENSITIVE, CCWS, speedup_value, OF_CHANGES},
    {"Equalizer beside CCWS: speed, cache", "+16 %", SENSITIVE, CCWS, over_value, OF_CHANGES},
    {"DYNCTA: speed, all", "-", OF_ALL, DYNCTA, speedup_value, OF_CHANGES},
    {"Equalizer, CTAs only: speed, all", "-", OF_ALL, EQUALIZER, speedup_value, OF_CHANGES},
    {"LCS: speed, all", "-", OF_ALL, LCS, speedup_value, OF_CHANGES},
    {0}};

static const experiment_row lcs_rows[] = {
    {"DYNCTA: speed, all", "not significant", OF_ALL, DYNCTA, speedup_value, OF_CHANGES},
    {"LCS: speed, all", "+8 %", OF_ALL, LCS, speedup_value, OF_CHANGES},
    {"DYNCTA: speed, types III and IV", "-", THREE_FOUR, DYNCTA, speedup_value, OF_CHANGES},
    {"LCS: speed, types III and IV", "+23 %", THREE_FOUR, LCS, speedup_value, OF_CHANGES},
    {"Equalizer, CTAs only: speed, all", "-", OF_ALL, EQUALIZER, speedup_value, OF_CHANGES},
    {"CCWS: speed, types III and IV", "-", THREE_FOUR, CCWS, speedup_value, OF_CHANGES},
    {0}};

static const char kernels[] = "DYNCTA beside others on %s: mean CTA limit, speed against Nmax, %";

static const experiment_table
    fermi_tables[] = {{kernels, columns, NULL}, {"DYNCTA on Equalizer's kernels: the paper's numbers", NULL, fermi_rows}, {0}},
    lcs_tables[] = {{kernels, columns, NULL}, {"DYNCTA on the kernels of LCS: the paper's numbers", NULL, lcs_rows}, {0}};

static const experiment_panel panels[] = {
    {"%s: speed over Nmax", "", 1,
     {{"optimum from the start", optimum_value, 0}, {"DYNCTA", speedup_value, DYNCTA},
      {"Equalizer, CTAs only", speedup_value, EQUALIZER}, {"LCS", speedup_value, LCS}, {"CCWS", speedup_value, CCWS}}},
    {0}};

const experiment_paper dyncta_on_fermi = {
    "dyncta", "DYNCTA", "equalizer", "fermi", 5, {0, 5e5, 8e5, 1.5e5}, settings, .tables = fermi_tables, .panels = panels,
    .schedules = schedules};
const experiment_paper dyncta_on_lcs = {
    "dyncta", "DYNCTA", "lcs", "lcs", 7, {0, 0, 1e7, 2e5}, settings, .tables = lcs_tables, .panels = panels,
    .schedules = schedules};
