/* SPDX-License-Identifier: Apache-2.0
 *
 * Quintanilla Cruz, MSc thesis 2017, Table 6.3: how much longer the second of two kernels takes in what the first one leaves over
 * (GWDE-5, QC-10, QC-11). Each pair runs under the dispatcher `mcke`; beside the result stand what the thesis estimated and measured, and
 * what the slowdown model says (cmodel/analytic/slowdown.h).
 *
 * k1 holds what QC-16 says that it holds while k2 runs, and outlives k2 (QC-14). k2's time is from its first CTA to its end.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analytic/pairs.h"
#include "studies/experiment_papers.h"

enum {
    PATIENCE = 3000000, /* cycles: a pair that takes longer comes to no end */
    ENDLESS = 1 << 24   /* instructions of a warp of k1                    */
};

/* k2 alone, and in what k1 leaves over. By room or by order (MCKE_QUEUE) is the same here: k1 has no CTA that waits. */
enum { ALONE, LEFTOVER, WAYS };
_Static_assert((int)PAIRS_MAX <= (int)EXPERIMENT_MIXES && (int)PAIRS_MAX <= (int)EXPERIMENT_KERNELS, "there is room for them");

/* "Few dummy arithmetic operations on registers, and a loop to consume clock cycles": the thesis says no more of its kernels. Here a
 * chain of instructions that each wait for the one before, of pipes, L1 and L2 alike, so that no unit of a full SM is in use for more than
 * 70 % of the time, and a CTA takes about as long in company as alone. */
static workload synthetic(const char *name, const occupancy_kernel *k)
{
    workload w = {
        .ctas = k->blocks, .threads_per_cta = k->threads_per_block, .regs_per_thread = k->regs_per_thread, .shared_per_cta = k->shared_per_block,
        .launches = 1, .insts = 400, .loads = 0.25, .sfu = 0.125, .alu_distance = 1, .load_distance = 1, .lines = 1,
        .cta_reuse = 0.67, .cta_set = 4, .random = 0.33, .footprint = 3000,
    };

    snprintf(w.name, sizeof w.name, "%s", name);
    return w;
}

static const pairs_printed *printed_of(const experiment *e, const experiment_study *s)
{
    return &pairs_6_3.row[s - e->studies];
}

/* The pair's k2 is the kernel of its study. */
static bool add_pairs(experiment *e, char *err, unsigned size)
{
    const workload_target nothing = {0};

    if (e->machine.sms != e->whole_sms) {
        snprintf(err, size, "the pairs were measured on all %u SMs; leave --sms out", (unsigned)e->whole_sms);
        return false;
    }
    for (unsigned i = 0; i < pairs_6_3.num; i++) {
        const workload k2 = synthetic(pairs_6_3.row[i].name, &pairs_6_3.row[i].k2);

        if (!experiment_add(e, &k2, &nothing, err, size))
            return false;
    }
    return true;
}

static bool no_probes(experiment *e, experiment_pool *pool)
{
    e->pool = pool;
    return true;
}

static bool model_of(const pairs_printed *printed, pairs_row *row)
{
    analytic_err err;

    return pairs_row_compute(printed, NULL, row, &err);
}

static bool plan_pair(experiment *e, const experiment_study *s, experiment_pool *pool)
{
    const pairs_printed *printed = printed_of(e, s);
    unsigned *run = e->mix_run[s - e->studies];
    run_request r = experiment_request(e, s);
    pairs_row model;

    if (!model_of(printed, &model) || !pool_add(pool, &r, &run[ALONE]))
        return false;
    r.workload = synthetic(printed->name, &printed->k1);
    r.workload.ctas = (uint32_t)model.ours.resident_k1;
    r.workload.insts = ENDLESS;
    r.max_cycles = PATIENCE;
    r.mix.num_others = 1;
    r.mix.background = 1;
    r.mix.mode = MCKE_LEFTOVER;
    r.mix.others[0] = s->workload;
    for (unsigned k = 0; k < 2; k++)
        kernel_mix_set_quota(&r.mix, k, e->machine.slots);
    return pool_add(pool, &r, &run[LEFTOVER]);
}

static bool plan_runs(experiment *e, experiment_pool *pool, double length)
{
    bool ok = true;

    for (experiment_study *s = e->studies; s < e->studies + e->num; s++) {
        s->workload.insts = (uint32_t)fmax(1, s->workload.insts * length);
        ok = ok && plan_pair(e, s, pool);
    }
    return ok;
}

static const run_result *run_of(const experiment *e, const experiment_study *s, unsigned way)
{
    return pool_result(e->pool, e->mix_run[s - e->studies][way]);
}

static bool judge(experiment *e, char *err, unsigned size)
{
    bool ok = true;

    for (const experiment_study *s = e->studies; ok && s < e->studies + e->num; s++)
        for (unsigned way = ALONE; ok && way < WAYS; way++)
            ok = experiment_run_fine(s->workload.name, run_of(e, s, way), true, "k2", err, size);
    return ok;
}

/* ---- values ----------------------------------------------------------------------- */

static double cycles_of(const experiment *e, const experiment_study *s, unsigned way)
{
    const sim_kernel_counts *k2 = &run_of(e, s, way)->kernels[way == ALONE ? 0 : 1];

    return (double)(k2->cycles - k2->first);
}

static EXPERIMENT_VALUE(simulated, cycles_of(e, s, setting) / cycles_of(e, s, ALONE))
static EXPERIMENT_VALUE(measured, printed_of(e, s)->actual)
static EXPERIMENT_VALUE(estimated, printed_of(e, s)->estimate)

static double modelled(const experiment *e, const experiment_study *s, unsigned setting)
{
    pairs_row row;

    (void)setting;
    return model_of(printed_of(e, s), &row) ? row.ours.slowdown : NAN;
}

/* ---- report ----------------------------------------------------------------------- */

static void pair_rows(const experiment *e, experiment_grid *g)
{
    for (const experiment_study *s = e->studies; s < e->studies + e->num; s++) {
        grid_row(g);
        grid_cell(g, "%s", s->workload.name);
        grid_cell(g, "%.2f", estimated(e, s, 0));
        grid_cell(g, "%.2f", measured(e, s, 0));
        grid_cell(g, "%.2f", modelled(e, s, 0));
        grid_cell(g, "%.2f", simulated(e, s, LEFTOVER));
    }
}

/* How near one value of all pairs comes to another one. */
typedef struct nearness {
    double mean; /* of |value - of| / of */
    unsigned within_3;
    double worst;
    const char *worst_of;
} nearness;

static nearness compare(const experiment *e, experiment_value *value, unsigned setting, experiment_value *of)
{
    nearness n = {.worst_of = ""};

    for (const experiment_study *s = e->studies; s < e->studies + e->num; s++) {
        const double error = fabs(value(e, s, setting) / of(e, s, setting) - 1);

        n.mean += error / e->num;
        n.within_3 += error <= 0.03;
        if (error >= n.worst) {
            n.worst = error;
            n.worst_of = s->workload.name;
        }
    }
    return n;
}

static void compare_row(const experiment *e, experiment_grid *g, const char *what, const char *paper, const nearness *n)
{
    grid_row(g);
    grid_cell(g, "%s", what);
    grid_cell(g, "%s", paper);
    grid_cell(g, "%.2f %%", 100 * n->mean);
    grid_cell(g, "%u of %u", n->within_3, e->num);
    grid_cell(g, "%.1f %% (%s)", 100 * n->worst, n->worst_of);
}

static void report(const experiment *e, experiment_report *report)
{
    experiment_grid *g = report_grid(report, "Leftover pairs: slowdown of k2", "pair|estimated|measured|model|simulated");
    nearness n;

    pair_rows(e, g);
    g = report_grid(report, "Leftover pairs: the paper's numbers", "mean error|paper|here|within 3 %|worst");
    n = compare(e, modelled, 0, measured);
    compare_row(e, g, "model against the measured slowdown", "3.49 %", &n);
    n = compare(e, simulated, LEFTOVER, measured);
    compare_row(e, g, "simulated against the measured", "-", &n);
    n = compare(e, simulated, LEFTOVER, modelled);
    compare_row(e, g, "simulated against the model", "-", &n);
}

static const experiment_steps steps = {add_pairs, no_probes, plan_runs, judge};
static const experiment_table tables[] = {{0}};
static const experiment_setting settings[] = {{0}};
static const experiment_panel panels[] = {
    {"Leftover pairs: slowdown of k2", "", 1,
     {{"measured", measured, 0}, {"model", modelled, 0}, {"simulated", simulated, LEFTOVER}}},
    {0}};

const experiment_paper leftover_pairs = {
    "leftover", "Leftover pairs", NULL, "k40c", 15, {0, 0, 0, 0}, settings, .tables = tables, .panels = panels, .report = report, .steps = &steps};
