/* SPDX-License-Identifier: Apache-2.0
 *
 * Lee et al., sections 5.2 and 5.4: block CTA scheduling with the greedy warp scheduler and with SCA (Fig. 16), L1's misses (Fig. 17),
 * LCS and BCS combined, and beside CCWS, two-level and DYNCTA (Fig. 19); how VADD's first CTAs spread over 14 SMs (Fig. 3).
 * Baseline: Nmax, CTAs one by one, GTO. 1-D kernels have neither pairs nor SCA (COMB-2).
 */
#include "studies/experiment_fill.h"
#include "studies/experiment_papers.h"

enum { BCS_GTO, BCS_SCA, LCS, LCS_BCS, CCWS, TLV, DYNCTA };

static const experiment_setting settings[] = {
    [BCS_GTO] = {"BCS+GTO", BALLAST_POLICY_STATIC, 0, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL},
    [BCS_SCA] = {"BCS+SCA", BALLAST_POLICY_STATIC, 0, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL},
    [LCS] = {"LCS", BALLAST_POLICY_LCS, 0, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL},
    [LCS_BCS] = {"LCS+BCS", BALLAST_POLICY_LCS, 0, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL},
    [CCWS] = {"CCWS", BALLAST_POLICY_STATIC, 0, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL},
    [TLV] = {"two-level", BALLAST_POLICY_STATIC, 0, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL},
    [DYNCTA] = {"DYNCTA", BALLAST_POLICY_DYNCTA, 0, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL},
    {0}};
static const experiment_schedule schedules[] = {
    [BCS_GTO] = {.bcs = true},
    [BCS_SCA] = {.bcs = true, .other = true, .scheduler = SCHEDULE_SCA},
    [LCS_BCS] = {.bcs = true, .other = true, .scheduler = SCHEDULE_SCA},
    [CCWS] = {.other = true, .scheduler = SCHEDULE_CCWS},
    [TLV] = {.other = true, .scheduler = SCHEDULE_TWO_LEVEL},
    [DYNCTA] = {.bcs = false}};

/* Lines that L1 asks for, of those that warps want; a line on its way is asked for once. */
static double misses(const run_result *r)
{
    const double wanted = (double)(r->counts.l1_hits + r->counts.l1_misses);

    return wanted > 0 ? (double)r->counts.memory.reads / wanted : 0;
}

static EXPERIMENT_VALUE(base_miss_value, misses(baseline_of(e, s)))
/* Against the baseline; a kernel that misses nothing there is no change. */
static EXPERIMENT_VALUE(miss_value, misses(baseline_of(e, s)) > 0 ? misses(result_at(e, s, setting)) / misses(baseline_of(e, s)) : 1)
/* LCS+BCS beside another one; CCWS beside it. */
static EXPERIMENT_VALUE(over_value, result_at(e, s, setting)->seconds / result_at(e, s, LCS_BCS)->seconds)
static EXPERIMENT_VALUE(below_value, result_at(e, s, LCS_BCS)->seconds / result_at(e, s, setting)->seconds)

static const experiment_column columns[] = {
    {"Nmax", nmax_value, 0, SHOW_COUNT}, {"BCS+GTO %", speedup_value, BCS_GTO, SHOW_CHANGE},
    {"BCS+SCA %", speedup_value, BCS_SCA, SHOW_CHANGE}, {"L1 misses", base_miss_value, 0, SHOW_SHARE},
    {"BCS+GTO: L1 misses %", miss_value, BCS_GTO, SHOW_CHANGE}, {"BCS+SCA: L1 misses %", miss_value, BCS_SCA, SHOW_CHANGE},
    {"T_new", limit_value, LCS, SHOW_TENTHS}, {"T_new, BCS", limit_value, LCS_BCS, SHOW_TENTHS},
    {"LCS %", speedup_value, LCS, SHOW_CHANGE}, {"LCS+BCS %", speedup_value, LCS_BCS, SHOW_CHANGE},
    {"CCWS %", speedup_value, CCWS, SHOW_CHANGE}, {"two-level %", speedup_value, TLV, SHOW_CHANGE},
    {"DYNCTA %", speedup_value, DYNCTA, SHOW_CHANGE}, {0}};

static const experiment_row pair_rows[] = {
    {"BCS+GTO: speed, 2-D", "+3 %", OF_2D, BCS_GTO, speedup_value, OF_CHANGES},
    {"BCS+SCA: speed, 2-D", "+15 %", OF_2D, BCS_SCA, speedup_value, OF_CHANGES},
    {"BCS+SCA: speed, most", "up to +70 %", OF_2D, BCS_SCA, speedup_value, MOST_CHANGE},
    {"BCS+GTO: L1 miss rate, 2-D", "-8 %", OF_2D, BCS_GTO, miss_value, OF_CHANGES},
    {"BCS+SCA: L1 miss rate, 2-D", "-24 %", OF_2D, BCS_SCA, miss_value, OF_CHANGES},
    {0}};

static const experiment_row combined_rows[] = {
    {"LCS: speed, all", "+7 % (8 %)", OF_ALL, LCS, speedup_value, OF_CHANGES},
    {"LCS+BCS: speed, all", "+16 % (15 %)", OF_ALL, LCS_BCS, speedup_value, OF_CHANGES},
    {"LCS+BCS: speed, 2-D", "-", OF_2D, LCS_BCS, speedup_value, OF_CHANGES},
    {"LCS: speed, 2-D", "-", OF_2D, LCS, speedup_value, OF_CHANGES},
    {"LCS+BCS beside LCS, 1-D", "no impact", OF_1D, LCS, over_value, OF_CHANGES},
    {"LCS+BCS beside CCWS, all", "+13 %", OF_ALL, CCWS, over_value, OF_CHANGES},
    {"LCS+BCS beside DYNCTA, all", "+14 %", OF_ALL, DYNCTA, over_value, OF_CHANGES},
    {"CCWS: speed, all", "-", OF_ALL, CCWS, speedup_value, OF_CHANGES},
    {"two-level: speed, all", "-", OF_ALL, TLV, speedup_value, OF_CHANGES},
    {"DYNCTA: speed, all", "not significant", OF_ALL, DYNCTA, speedup_value, OF_CHANGES},
    {0}};

static const experiment_named_row named[] = {
    {"BCS+SCA: speed", "about +7 %", "STN", BCS_SCA, speedup_value},
    {"BCS+SCA: speed", "minimal", "MMUL", BCS_SCA, speedup_value},
    {"BCS+SCA: L1 miss rate", "below -30 %", "MMUL", BCS_SCA, miss_value},
    {"BCS+SCA: speed", "a little less", "BP", BCS_SCA, speedup_value},
    {"CCWS beside LCS+BCS", "+13 %", "EIP", CCWS, below_value},
    {0}};

static void report_more(const experiment *e, experiment_report *report)
{
    named_rows(e, summary_grid(report, "BCS, single kernels: the paper's numbers"), named);
    report_fill(e, report);
}

static const experiment_table tables[] = {
    {"BCS on %s: kernels", columns, NULL}, {"BCS: the paper's numbers", NULL, pair_rows},
    {"LCS and BCS combined, and others: the paper's numbers", NULL, combined_rows}, {0}};

static const experiment_panel panels[] = {
    {"BCS: speed over Nmax", "", 1, {{"BCS+GTO", speedup_value, BCS_GTO}, {"BCS+SCA", speedup_value, BCS_SCA}}},
    {"BCS: miss rate of L1 over that without", "", 1, {{"BCS+GTO", miss_value, BCS_GTO}, {"BCS+SCA", miss_value, BCS_SCA}}},
    {"Speed over Nmax with GTO", "", 1,
     {{"LCS", speedup_value, LCS}, {"LCS+BCS", speedup_value, LCS_BCS}, {"CCWS", speedup_value, CCWS},
      {"two-level", speedup_value, TLV}, {"DYNCTA", speedup_value, DYNCTA}}},
    {0}};

const experiment_paper bcs_paper = {
    "lcs-bcs", "BCS", "lcs", "lcs", 7, {0, 0, 1e7, 0}, settings, .tables = tables, .panels = panels, .no_sweep = true,
    .report = report_more, .schedules = schedules};
