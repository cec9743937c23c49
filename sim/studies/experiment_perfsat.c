/* SPDX-License-Identifier: Apache-2.0
 *
 * Awatramani, Zambreno, Rover, "Perf-Sat", section V: accuracy (Fig. 7), speed (Fig. 8) and
 * resources (Fig. 9) on two machines.
 */
#include <math.h>

#include "studies/experiment_papers.h"

enum { PERFSAT };

static const experiment_setting settings[] = {
    [PERFSAT] = {"Perf-Sat", BALLAST_POLICY_PERFSAT, 0, BALLAST_VF_NORMAL, BALLAST_VF_NORMAL},
    {0}};

/* Accuracy of the count that it settles on, mean over SMs, against the simulator's own optimum: the
 * paper gives no formula; this is 1 less the relative error. */
static EXPERIMENT_VALUE(accuracy, fmax(0, 1 - fabs(limit_value(e, s, setting) - s->sweep.optimum) / s->sweep.optimum))
static EXPERIMENT_VALUE(hits, hit_share(e, result_at(e, s, setting), s->sweep.optimum))
static EXPERIMENT_VALUE(decided, decided_share(e, result_at(e, s, setting)))
/* Fig. 9: all limits are by registers or threads, so CTAs are resources. Over the whole run, searching
 * included. */
static EXPERIMENT_VALUE(saved, 1 - result_at(e, s, setting)->mean_resident / baseline_of(e, s)->mean_resident)
/* The same, but for the count that it settled on. */
static EXPERIMENT_VALUE(saved_in_the_end, 1 - limit_value(e, s, setting) / s->nmax)
/* Speed at the count that it settled on, as if there were no search: what a very long kernel has. */
static EXPERIMENT_VALUE(found_value, s->sweep.ipc[lround(limit_value(e, s, setting))] / s->sweep.ipc[s->nmax])

/* ---- tables ----------------------------------------------------------------------- */

static const experiment_column columns[] = {
    {"CTAs/SM", grid_value, 0, SHOW_COUNT}, {"Nmax", nmax_value, 0, SHOW_COUNT},
    {"opt paper", published_optimum_value, 0, SHOW_COUNT}, {"opt", found_optimum_value, 0, SHOW_COUNT},
    {"found", limit_value, PERFSAT, SHOW_TENTHS}, {"accuracy %", accuracy, PERFSAT, SHOW_SHARE},
    {"hits %", hits, PERFSAT, SHOW_WHOLE}, {"decided %", decided, PERFSAT, SHOW_WHOLE},
    {"speed at opt %", optimum_value, PERFSAT, SHOW_CHANGE}, {"speed %", speedup_value, PERFSAT, SHOW_CHANGE},
    {"saved %", saved, PERFSAT, SHOW_SHARE}, {0}};

enum { STRONG = OF_TYPE(TYPE_C_STRONG), WEAK = OF_TYPE(TYPE_C_WEAK), MEM = OF_TYPE(TYPE_MEM) };

/* The paper's numbers are those of the machine. */
#define ALONE "the same at the count found, without the search"
#define ROWS(paper_accuracy, paper_loss, paper_strong, paper_weak, paper_mem, paper_all)                       \
    {"accuracy: 1 - |found - opt| / opt", paper_accuracy, OF_ALL, PERFSAT, accuracy, OF_SHARES},               \
    {"SMs that found exactly opt", "-", OF_ALL, PERFSAT, hits, OF_SHARES},                                     \
    {"SMs that came to a decision", "-", OF_ALL, PERFSAT, decided, OF_SHARES},                                 \
    {"speed, C-strong and C-weak", paper_loss, STRONG | WEAK, PERFSAT, speedup_value, OF_CHANGES},             \
    {ALONE, "-", STRONG | WEAK, PERFSAT, found_value, OF_CHANGES},                                             \
    {"speed, MEM", "+4.95 % (both)", MEM, PERFSAT, speedup_value, OF_CHANGES},                                 \
    {ALONE, "-", MEM, PERFSAT, found_value, OF_CHANGES},                                                       \
    {"speed, all", "-", OF_ALL, PERFSAT, speedup_value, OF_CHANGES},                                           \
    {"speed at opt from the start, all", "-", OF_ALL, PERFSAT, optimum_value, OF_CHANGES},                     \
    {"resources saved, C-strong", paper_strong, STRONG, PERFSAT, saved, OF_SHARES},                            \
    {"resources saved, C-weak", paper_weak, WEAK, PERFSAT, saved, OF_SHARES},                                  \
    {"resources saved, MEM", paper_mem, MEM, PERFSAT, saved, OF_SHARES},                                       \
    {"resources saved, all", paper_all, OF_ALL, PERFSAT, saved, OF_SHARES},                                    \
    {"the same with the count found, all", "-", OF_ALL, PERFSAT, saved_in_the_end, OF_SHARES}, {0}

static const experiment_row
    fermi_rows[] = {ROWS("94.25 %", "-0.51 %", "0.97 % (both)", "14.32 %", "25.31 %", "10.45 %")},
    kepler_rows[] = {ROWS("85.12 %", "-0.88 %", "0.97 % (both)", "35.35 %", "31.48 %", "25.51 %")};

#define TABLES(rows) {"Perf-Sat on %s: kernels", columns, NULL}, {"Perf-Sat on %s: the paper's numbers", NULL, rows}, {0}

static const experiment_table fermi_tables[] = {TABLES(fermi_rows)}, kepler_tables[] = {TABLES(kepler_rows)};

static void joint_report(const experiment *const *all, unsigned num, experiment_report *report)
{
    static const experiment_row rows[] = {
        {"resources saved, all", "18.32 %", OF_ALL, PERFSAT, saved, OF_SHARES},
        {"resources saved, C-strong", "0.97 %", STRONG, PERFSAT, saved, OF_SHARES},
        {"speed, C-strong and C-weak", "above -1 %", STRONG | WEAK, PERFSAT, speedup_value, OF_CHANGES},
        {"speed, MEM", "+4.95 %", MEM, PERFSAT, speedup_value, OF_CHANGES},
    };
    experiment_grid *g = summary_grid(report, "Perf-Sat, mean of both machines: the paper's numbers");

    for (const experiment_row *r = rows; r < rows + sizeof rows / sizeof rows[0]; r++) {
        const bool share = r->summary == OF_SHARES;
        char measured[GRID_CELL];
        unsigned kernels = 0;
        double sum = 0;

        for (unsigned i = 0; i < num; i++) {
            const experiment_mean mean = mean_over(all[i], r->types, r->value, r->setting);

            kernels += all[i]->num;
            sum += share ? 100 * mean.arithmetic : percent(mean.geometric);
        }
        snprintf(measured, sizeof measured, share ? "%.1f %%" : "%+.1f %%", sum / num);
        summary_row(g, r, kernels, measured);
    }
}

/* ---- picture ---------------------------------------------------------------------- */

static const experiment_panel panels[] = {
    {"%s: CTAs per SM", "CTAs", -1,
     {{"Nmax", nmax_value, 0}, {"optimum", found_optimum_value, 0}, {"Perf-Sat", limit_value, PERFSAT}}},
    {"%s: speed over Nmax", "", 1, {{"optimum from the start", optimum_value, 0}, {"Perf-Sat", speedup_value, PERFSAT}}},
    {0}};

const experiment_paper perfsat_on_fermi = {
    "perfsat", "Perf-Sat", "perfsat", "fermi", 5, {48, 0, 4e6, 2e5}, settings,
    .tables = fermi_tables, .panels = panels, .joint = joint_report};
const experiment_paper perfsat_on_kepler = {
    "perfsat", "Perf-Sat", "perfsat", "kepler", 7, {48, 0, 4e6, 2e5}, settings,
    .tables = kepler_tables, .panels = panels, .joint = joint_report};
