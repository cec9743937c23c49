/* SPDX-License-Identifier: Apache-2.0
 *
 * Sethia and Mahlke, "Equalizer", section V-B: performance mode (Fig. 7) and energy mode (Fig. 8) beside
 * levels fixed at +15 % and -15 %, and the time spent at each level (Fig. 9). Baseline: Nmax, normal levels.
 */
#include <math.h>

#include "studies/experiment_papers.h"

enum { SM_HIGH, MEM_HIGH, PERFORMANCE, SM_LOW, MEM_LOW, ENERGY, SETTINGS };

static const experiment_setting settings[] = {
    [SM_HIGH] = {"SM +15 %", BALLAST_POLICY_STATIC, 0, BALLAST_VF_HIGH, BALLAST_VF_NORMAL},
    [MEM_HIGH] = {"memory +15 %", BALLAST_POLICY_STATIC, 0, BALLAST_VF_NORMAL, BALLAST_VF_HIGH},
    [PERFORMANCE] = {"Equalizer, performance", BALLAST_POLICY_EQUALIZER, BALLAST_VF_PERFORMANCE, -1, -1},
    [SM_LOW] = {"SM -15 %", BALLAST_POLICY_STATIC, 0, BALLAST_VF_LOW, BALLAST_VF_NORMAL},
    [MEM_LOW] = {"memory -15 %", BALLAST_POLICY_STATIC, 0, BALLAST_VF_NORMAL, BALLAST_VF_LOW},
    [ENERGY] = {"Equalizer, energy", BALLAST_POLICY_EQUALIZER, BALLAST_VF_ENERGY, -1, -1},
    [SETTINGS] = {0}};

/* Fig. 8, "static best": of SM low and memory low the one that saves more, if it costs 5 % of speed at
 * most; otherwise nothing is saved. */
static double static_best(const experiment *e, const experiment_study *s, unsigned setting)
{
    double best = 1;

    (void)setting;
    for (unsigned i = SM_LOW; i <= MEM_LOW; i++)
        if (speedup_value(e, s, i) >= 0.95)
            best = fmin(best, energy_value(e, s, i));
    return best;
}

/* ---- kernels ---------------------------------------------------------------------- */

/* CTAs, then speed and energy under three settings; `sign` is that of the fixed levels. */
#define MODE_COLUMNS(sign, sm, mem, eq)                                                                       \
    {"Nmax", nmax_value, 0, SHOW_COUNT}, {"opt", found_optimum_value, 0, SHOW_COUNT},                         \
    {"CTAs", mean_limit_value, eq, SHOW_TENTHS}, {"speed SM" sign, speedup_value, sm, SHOW_CHANGE},           \
    {"speed mem" sign, speedup_value, mem, SHOW_CHANGE}, {"speed Eq", speedup_value, eq, SHOW_CHANGE},        \
    {"energy SM" sign, energy_value, sm, SHOW_CHANGE}, {"energy mem" sign, energy_value, mem, SHOW_CHANGE},   \
    {"energy Eq", energy_value, eq, SHOW_CHANGE}

static const experiment_column performance_columns[] = {MODE_COLUMNS("+", SM_HIGH, MEM_HIGH, PERFORMANCE), {0}};
static const experiment_column energy_columns[] = {
    MODE_COLUMNS("-", SM_LOW, MEM_LOW, ENERGY), {"static best", static_best, 0, SHOW_CHANGE}, {0}};

static void share_cells(experiment_grid *g, const uint64_t ticks[3], uint64_t all)
{
    for (unsigned level = 0; level < 3; level++)
        grid_cell(g, "%.0f", 100.0 * (double)ticks[level] / (double)all);
}

static void residency_table(const experiment *e, experiment_report *report)
{
    experiment_grid *g = report_grid(report, "Equalizer: share of time at each level, % (Fig. 9)",
                                     "kernel|type|mode|SM low|SM normal|SM high|memory low|memory normal|memory high");

    for (unsigned i = 0; i < e->num; i++)
        for (unsigned mode = 0; mode < 2; mode++) {
            const experiment_study *s = &e->studies[i];
            const sim_counts *c = &result_at(e, s, mode ? ENERGY : PERFORMANCE)->counts;

            grid_row(g);
            grid_cell(g, "%s", s->workload.name);
            grid_cell(g, "%s", type_of(s));
            grid_cell(g, "%s", mode ? "E" : "P");
            share_cells(g, c->sm_ticks, c->ticks);
            share_cells(g, c->mem_ticks, c->ticks);
        }
}

/* ---- the paper's numbers ---------------------------------------------------------- */

enum { COMPUTE = OF_TYPE(TYPE_COMPUTE), MEMORY = OF_TYPE(TYPE_MEMORY), CACHE = OF_TYPE(TYPE_CACHE),
       UNSATURATED = OF_TYPE(TYPE_UNSATURATED) };

static const experiment_row performance_rows[] = {
    {"speed, all", "+22 %", OF_ALL, PERFORMANCE, speedup_value, OF_CHANGES},
    {"speed, compute", "+13.8 %", COMPUTE, PERFORMANCE, speedup_value, OF_CHANGES},
    {"speed, memory", "+12.4 %", MEMORY, PERFORMANCE, speedup_value, OF_CHANGES},
    {"speed, cache", "+54 %", CACHE, PERFORMANCE, speedup_value, OF_CHANGES},
    {"speed, unsaturated", "-", UNSATURATED, PERFORMANCE, speedup_value, OF_CHANGES},
    {"energy, all", "+6 %", OF_ALL, PERFORMANCE, energy_value, OF_CHANGES},
    {"energy, compute", "+15 %", COMPUTE, PERFORMANCE, energy_value, OF_CHANGES},
    {"energy, memory", "+11 %", MEMORY, PERFORMANCE, energy_value, OF_CHANGES},
    {"energy, cache", "-11 %", CACHE, PERFORMANCE, energy_value, OF_CHANGES},
    {"energy, unsaturated", "-", UNSATURATED, PERFORMANCE, energy_value, OF_CHANGES},
    {"SM always high: speed, all", "+7 %", OF_ALL, SM_HIGH, speedup_value, OF_CHANGES},
    {"SM always high: energy, all", "+12 %", OF_ALL, SM_HIGH, energy_value, OF_CHANGES},
    {"memory always high: speed, all", "+6 %", OF_ALL, MEM_HIGH, speedup_value, OF_CHANGES},
    {"memory always high: energy, all", "+7 %", OF_ALL, MEM_HIGH, energy_value, OF_CHANGES},
    {"memory always high: speed, cache", "+17 %", CACHE, MEM_HIGH, speedup_value, OF_CHANGES},
    {"memory always high: energy, compute", "+5 %", COMPUTE, MEM_HIGH, energy_value, OF_CHANGES},
    {"speed, most (the paper's is kmn)", "2.84 x", OF_ALL, PERFORMANCE, speedup_value, MOST_TIMES},
    {"energy, least (the paper's is kmn)", "-67 %", OF_ALL, PERFORMANCE, energy_value, LEAST_CHANGE},
    {0}};

static const experiment_row energy_rows[] = {
    {"energy, all", "-15 %", OF_ALL, ENERGY, energy_value, OF_CHANGES},
    {"energy, compute", "-5 %", COMPUTE, ENERGY, energy_value, OF_CHANGES},
    {"energy, memory", "-11 %", MEMORY, ENERGY, energy_value, OF_CHANGES},
    {"energy, cache", "-36 %", CACHE, ENERGY, energy_value, OF_CHANGES},
    {"energy, unsaturated", "-6.4 %", UNSATURATED, ENERGY, energy_value, OF_CHANGES},
    {"speed, all", "+5 %", OF_ALL, ENERGY, speedup_value, OF_CHANGES},
    {"speed, compute", "-0.1 %", COMPUTE, ENERGY, speedup_value, OF_CHANGES},
    {"speed, memory", "-2.5 %", MEMORY, ENERGY, speedup_value, OF_CHANGES},
    {"speed, cache", "+30 %", CACHE, ENERGY, speedup_value, OF_CHANGES},
    {"speed, unsaturated", "-1.3 %", UNSATURATED, ENERGY, speedup_value, OF_CHANGES},
    {"SM always low: speed, all", "-9 %", OF_ALL, SM_LOW, speedup_value, OF_CHANGES},
    {"memory always low: speed, all", "-7 %", OF_ALL, MEM_LOW, speedup_value, OF_CHANGES},
    {"static best: energy, all", "-8 %", OF_ALL, 0, static_best, OF_CHANGES},
    {"memory always low: energy, compute", "-5 %", COMPUTE, MEM_LOW, energy_value, OF_CHANGES},
    {0}};

static const experiment_table tables[] = {
    {"Equalizer, performance mode, on %s: change against Nmax, %", performance_columns, NULL},
    {"Equalizer, performance mode: the paper's numbers", NULL, performance_rows},
    {"Equalizer, energy mode, on %s: change against Nmax, %", energy_columns, NULL},
    {"Equalizer, energy mode: the paper's numbers", NULL, energy_rows},
    {0}};

/* ---- picture ---------------------------------------------------------------------- */

/* Bars of a value at both fixed levels and under Equalizer. */
#define MODE_BARS(value, sign, sm, mem, eq) \
    {{"SM " sign "15 %", value, sm}, {"memory " sign "15 %", value, mem}, {"Equalizer", value, eq}}

static const experiment_panel panels[] = {
    {"Performance mode: speed over Nmax", "", 1, MODE_BARS(speedup_value, "+", SM_HIGH, MEM_HIGH, PERFORMANCE)},
    {"Performance mode: energy over Nmax", "", 1, MODE_BARS(energy_value, "+", SM_HIGH, MEM_HIGH, PERFORMANCE)},
    {"Energy mode: speed over Nmax", "", 1, MODE_BARS(speedup_value, "-", SM_LOW, MEM_LOW, ENERGY)},
    {"Energy mode: energy over Nmax", "", 1, {{"static best", static_best, 0}, {"Equalizer", energy_value, ENERGY}}},
    {0}};

static void residency_data(const experiment *e, FILE *plot)
{
    fprintf(plot, "$data << EOD\n");
    for (unsigned i = 0; i < e->num; i++)
        for (unsigned mode = 0; mode < 2; mode++) {
            const sim_counts *c = &result_at(e, &e->studies[i], mode ? ENERGY : PERFORMANCE)->counts;

            fprintf(plot, "\"%s %s\"", e->studies[i].workload.name, mode ? "E" : "P");
            for (unsigned level = 0; level < 3; level++)
                fprintf(plot, " %.4f", (double)c->sm_ticks[level] / (double)c->ticks);
            for (unsigned level = 0; level < 3; level++)
                fprintf(plot, " %.4f", (double)c->mem_ticks[level] / (double)c->ticks);
            fputc('\n', plot);
        }
    fprintf(plot, "EOD\n");
}

static void draw_residency(const experiment *e, FILE *plot, const char *domain, unsigned column)
{
    residency_data(e, plot);
    fprintf(plot, "set style data histogram\nset style histogram rowstacked\nset title 'Time at each level, %s domain (P: "
                  "performance mode, E: energy mode)' offset graph -0.2,0\nset ylabel ''\nset yrange [0:1]\nset xtics font ',7'\n", domain);
    fprintf(plot, "plot $data using %u:xtic(1) linecolor rgb '#20639b' title 'low', '' using %u linecolor rgb '#cccccc' title "
                  "'normal', '' using %u linecolor rgb '#d1495b' title 'high'\nset xtics font ',9'\n",
            column, column + 1, column + 2);
}

static void draw_residencies(const experiment *e, FILE *plot)
{
    draw_residency(e, plot, "SM", 2);
    draw_residency(e, plot, "memory", 5);
}

const experiment_paper equalizer_paper = {
    "equalizer", "Equalizer", "equalizer", "fermi", 5, {0, 5e5, 8e5, 1.5e5}, settings, .tables = tables, .panels = panels,
    .report = residency_table, .more_panels = 2, .draw = draw_residencies};
