/* SPDX-License-Identifier: Apache-2.0
 *
 * Lee et al., "Improving GPGPU Resource Utilization Through Alternative Thread Block Scheduling",
 * section 5.1: speed of LCS over as many CTAs as fit (Fig. 12), T_new against the optimum (Fig. 13),
 * energy (Fig. 14). The paper power-gates registers and shared memory that no CTA holds (CKE-4), in the baseline as well; without the
 * gating, and with the most that it can save, the energy here lies below and above what such a machine would take.
 */
#include <math.h>

#include "gpu/energy.h"
#include "studies/experiment_papers.h"

enum { LCS };

static const experiment_setting settings[] = {
    [LCS] = {"LCS", BALLAST_POLICY_LCS, 0, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL},
    {0}};

static EXPERIMENT_VALUE(distance, fabs(limit_value(e, s, setting) - s->sweep.optimum))
static EXPERIMENT_VALUE(t_new_value, s->t_new)

/* Part of registers and shared memory that no CTA holds. */
static double unused_of(const experiment *e, const experiment_study *s, const run_result *r)
{
    return 1 - r->mean_resident * workload_storage(&s->workload, &e->machine);
}

static double gated_joules(const experiment *e, const experiment_study *s, const run_result *r)
{
    const energy_model model = energy_model_default();
    const energy whole = energy_of(&model, &e->machine, &r->counts);

    return energy_power_gated(&whole, unused_of(e, s, r));
}

static EXPERIMENT_VALUE(unused_at_nmax_value, unused_of(e, s, baseline_of(e, s)))
static EXPERIMENT_VALUE(unused_value, unused_of(e, s, result_at(e, s, setting)))
static EXPERIMENT_VALUE(gated_energy_value, gated_joules(e, s, result_at(e, s, setting)) / gated_joules(e, s, baseline_of(e, s)))

static const experiment_column columns[] = {
    {"CTAs/SM", grid_value, 0, SHOW_COUNT}, {"Nmax", nmax_value, 0, SHOW_COUNT},
    {"opt paper", published_optimum_value, 0, SHOW_PRINTED}, {"opt", found_optimum_value, 0, SHOW_COUNT},
    {"T_new paper", t_new_value, 0, SHOW_PRINTED}, {"T_new", limit_value, LCS, SHOW_TENTHS},
    {"speed at opt %", optimum_value, LCS, SHOW_CHANGE}, {"speed %", speedup_value, LCS, SHOW_CHANGE},
    {"energy %", energy_value, LCS, SHOW_CHANGE}, {"unused at Nmax %", unused_at_nmax_value, 0, SHOW_WHOLE},
    {"unused %", unused_value, LCS, SHOW_WHOLE}, {"energy gated %", gated_energy_value, LCS, SHOW_CHANGE}, {0}};

enum { THREE_FOUR = OF_TYPE(TYPE_III) | OF_TYPE(TYPE_IV) };

static const experiment_row rows[] = {
    {"speed, all", "+7 % (8 %)", OF_ALL, LCS, speedup_value, OF_CHANGES},
    {"speed, types III and IV", "+23 %", THREE_FOUR, LCS, speedup_value, OF_CHANGES},
    {"speed, type I", "a little less", OF_TYPE(TYPE_I), LCS, speedup_value, OF_CHANGES},
    {"speed, type II", "about 0", OF_TYPE(TYPE_II), LCS, speedup_value, OF_CHANGES},
    {"speed, type III", "-", OF_TYPE(TYPE_III), LCS, speedup_value, OF_CHANGES},
    {"speed, type IV", "-", OF_TYPE(TYPE_IV), LCS, speedup_value, OF_CHANGES},
    {"speed at opt from the start, types III and IV", "-", THREE_FOUR, LCS, optimum_value, OF_CHANGES},
    {"|T_new - opt|, CTAs", "near", OF_ALL, LCS, distance, OF_COUNTS},
    {"energy, all, nothing power-gated", "-", OF_ALL, LCS, energy_value, OF_CHANGES},
    {"energy, all, unused resources power-gated (at most)", "-11 %", OF_ALL, LCS, gated_energy_value, OF_CHANGES},
    {"energy, least, nothing power-gated", "-", OF_ALL, LCS, energy_value, LEAST_CHANGE},
    {"energy, least, unused resources power-gated (at most)", "-37 %", OF_ALL, LCS, gated_energy_value, LEAST_CHANGE},
    {0}};

static const experiment_table tables[] = {
    {"LCS on %s: kernels", columns, NULL}, {"LCS: the paper's numbers", NULL, rows}, {0}};

static const experiment_panel panels[] = {
    {"LCS: CTAs per SM", "CTAs", -1,
     {{"Nmax", nmax_value, 0}, {"optimum", found_optimum_value, 0}, {"T_new", limit_value, LCS}}},
    {"LCS: speed over Nmax", "", 1, {{"optimum from the start", optimum_value, 0}, {"LCS", speedup_value, LCS}}},
    {0}};

/* The published grids, as far as they are affordable: that few CTAs make LCS useless is part of the
 * paper's result (LCS-8). */
const experiment_paper lcs_paper = {
    "lcs", "LCS", "lcs", "lcs", 7, {0, 0, 1e7, 2e5}, settings, .tables = tables, .panels = panels};
