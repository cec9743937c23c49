/* SPDX-License-Identifier: Apache-2.0
 *
 * Quintanilla Cruz, MSc thesis 2017, Tables 6.3 and 6.5: how much longer the second of two kernels takes in what the first one leaves over
 * (GWDE-5, QC-10, QC-11). Each pair runs under the dispatcher `mcke`; beside the result stand what the thesis estimated and measured, and
 * what the slowdown model says (cmodel/analytic/slowdown.h).
 *
 * k1 holds what QC-16 says that it holds while k2 runs, and outlives k2 (QC-14). k2's time is from its first CTA to its end. The pairs of
 * Table 6.5 run with k1 depth first, too: that is how the thesis estimated them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analytic/pairs.h"
#include "studies/experiment_papers.h"

enum {
    PATIENCE = 3000000, /* cycles: a pair that takes longer comes to no end */
    ENDLESS = 1 << 24,  /* instructions of a warp of k1                    */
    STEADY = 100000     /* cycles of a piece of a run (gpu/steady.h)       */
};

/* k2 alone, and in what k1 leaves over, whose CTAs went to the SMs in turn or filled one after the other. By room or by order
 * (MCKE_QUEUE) is the same here: k1 has no CTA that waits. */
enum { ALONE, IN_TURN, DEPTH_FIRST, WAYS };
_Static_assert((int)PAIRS_MAX <= (int)EXPERIMENT_MIXES && (int)PAIRS_MAX <= (int)EXPERIMENT_KERNELS, "there is room for them");

/* ---- the two tables --------------------------------------------------------------- */

static bool is_rodinia(const experiment *e)
{
    return e->paper == &leftover_rodinia;
}

static const pairs_table *table_of(const experiment *e)
{
    return is_rodinia(e) ? &pairs_6_5 : &pairs_6_3;
}

static unsigned ways_of(const experiment *e)
{
    return is_rodinia(e) ? WAYS : DEPTH_FIRST;
}

static const pairs_printed *printed_of(const experiment *e, const experiment_study *s)
{
    return &table_of(e)->row[s - e->studies];
}

static bool model_of(const pairs_printed *printed, unsigned way, pairs_row *row)
{
    slowdown_options options = slowdown_options_default();
    analytic_err err;

    options.fill = way == DEPTH_FIRST ? SLOWDOWN_FILL_DF : SLOWDOWN_FILL_RR;
    return pairs_row_compute(printed, &options, row, &err);
}

/* ---- kernels ---------------------------------------------------------------------- */

/* Registers of a thread as the GPU charges them to a warp. The simulator has a finer unit, with which one more CTA of HS3 would fit. */
static uint32_t charged_regs(const occupancy_kernel *k)
{
    const occupancy_gpu *gpu = occupancy_gpu_find("cc3.5");
    const uint32_t unit = gpu->reg_unit / gpu->warp_size;

    return (k->regs_per_thread + unit - 1) / unit * unit;
}

/* "Few dummy arithmetic operations on registers, and a loop to consume clock cycles": the thesis says no more of its synthetic kernels,
 * and of those of Rodinia it lists the resources alone. Here all of them are a chain of instructions that each wait for the one before, of
 * pipes, L1 and L2 alike, so that no unit of a full SM is in use for more than 70 % of the time, and a CTA takes about as long in company as alone. */
static workload stand_in(const char *name, const occupancy_kernel *k)
{
    workload w = {
        .ctas = k->blocks, .threads_per_cta = k->threads_per_block, .regs_per_thread = charged_regs(k), .shared_per_cta = k->shared_per_block,
        .launches = 1, .insts = 400, .loads = 0.25, .sfu = 0.125, .alu_distance = 1, .load_distance = 1, .lines = 1,
        .cta_reuse = 0.67, .cta_set = 4, .random = 0.33, .footprint = 3000,
    };

    snprintf(w.name, sizeof w.name, "%s", name);
    return w;
}

/* The pair's k2 is the kernel of its study. */
static bool add_pairs(experiment *e, char *err, unsigned size)
{
    const pairs_table *table = table_of(e);
    const workload_target nothing = {0};

    if (e->machine.sms != e->whole_sms) {
        snprintf(err, size, "the pairs were measured on all %u SMs; leave --sms out", (unsigned)e->whole_sms);
        return false;
    }
    for (unsigned i = 0; i < table->num; i++) {
        const workload k2 = stand_in(table->row[i].name, &table->row[i].k2);

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

/* ---- plans ------------------------------------------------------------------------ */

/* No kernel has a quota; depth first k1 is kept to the SMs that it fills. */
static void set_quotas(const experiment *e, const slowdown_result *model, unsigned way, kernel_mix *mix)
{
    unsigned sm = 0;

    for (unsigned k = 0; k < 2; k++)
        kernel_mix_set_quota(mix, k, e->machine.slots);
    if (way != DEPTH_FIRST)
        return;
    for (unsigned g = 0; g < model->num_groups; g++)
        for (unsigned i = 0; i < model->group[g].sms; i++)
            mix->quota[0][sm++] = (uint8_t)model->group[g].k1_blocks;
}

static uint32_t piece(const experiment *e)
{
    return e->whole ? 0 : STEADY;
}

static bool plan_leftover(experiment *e, const experiment_study *s, experiment_pool *pool, unsigned way)
{
    const pairs_printed *printed = printed_of(e, s);
    run_request r = experiment_request(e, s);
    pairs_row model;

    if (!model_of(printed, way, &model))
        return false;
    r.workload = stand_in(printed->name, &printed->k1);
    r.workload.ctas = (uint32_t)model.ours.resident_k1;
    r.workload.insts = ENDLESS;
    r.max_cycles = PATIENCE;
    r.steady = piece(e);
    r.mix.num_others = 1;
    r.mix.background = 1;
    r.mix.mode = MCKE_LEFTOVER;
    r.mix.others[0] = s->workload;
    set_quotas(e, &model.ours, way, &r.mix);
    return pool_add(pool, &r, &e->mix_run[s - e->studies][way]);
}

static bool plan_pair(experiment *e, const experiment_study *s, experiment_pool *pool)
{
    run_request alone = experiment_request(e, s);
    bool ok;

    alone.steady = piece(e);
    ok = pool_add(pool, &alone, &e->mix_run[s - e->studies][ALONE]);

    for (unsigned way = IN_TURN; ok && way < ways_of(e); way++)
        ok = plan_leftover(e, s, pool, way);
    return ok;
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
        for (unsigned way = ALONE; ok && way < ways_of(e); way++)
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

    return model_of(printed_of(e, s), setting, &row) ? row.ours.slowdown : NAN;
}

/* ---- report ----------------------------------------------------------------------- */

static void value_cell(const experiment *e, const experiment_study *s, experiment_grid *g, experiment_value *value, unsigned way)
{
    grid_cell(g, "%.*f", is_rodinia(e) ? 3 : 2, value(e, s, way)); /* as many digits as the thesis prints */
}

static void pair_rows(const experiment *e, experiment_grid *g)
{
    for (const experiment_study *s = e->studies; s < e->studies + e->num; s++) {
        grid_row(g);
        grid_cell(g, "%s", s->workload.name);
        value_cell(e, s, g, estimated, 0);
        value_cell(e, s, g, measured, 0);
        for (unsigned way = IN_TURN; way < ways_of(e); way++)
            value_cell(e, s, g, modelled, way);
        for (unsigned way = IN_TURN; way < ways_of(e); way++)
            value_cell(e, s, g, simulated, way);
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
    n = compare(e, modelled, IN_TURN, measured);
    compare_row(e, g, "model against the measured slowdown", "3.49 %", &n);
    n = compare(e, simulated, IN_TURN, measured);
    compare_row(e, g, "simulated against the measured", "-", &n);
    n = compare(e, simulated, IN_TURN, modelled);
    compare_row(e, g, "simulated against the model", "-", &n);
}

static void report_rodinia(const experiment *e, experiment_report *report)
{
    static const struct {
        const char *what, *paper;
        experiment_value *value, *of;
        unsigned way;
    } rows[] = {
        {"model, in turn, against the measured slowdown", "-", modelled, measured, IN_TURN},
        {"model, depth first, against the measured", "10.65 %", modelled, measured, DEPTH_FIRST},
        {"simulated, in turn, against the measured", "-", simulated, measured, IN_TURN},
        {"simulated, depth first, against the measured", "-", simulated, measured, DEPTH_FIRST},
        {"simulated against the model, in turn", "-", simulated, modelled, IN_TURN},
        {"simulated against the model, depth first", "-", simulated, modelled, DEPTH_FIRST},
    };
    experiment_grid *g = report_grid(report, "Leftover pairs of Rodinia, slowdown of k2: the paper's numbers",
                                     "pair|estimated|measured|model, in turn|depth first|simulated, in turn|depth first");

    pair_rows(e, g);
    g = report_grid(report, "Leftover pairs of Rodinia: the paper's numbers", "mean error|paper|here|within 3 %|worst");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const nearness n = compare(e, rows[i].value, rows[i].way, rows[i].of);

        compare_row(e, g, rows[i].what, rows[i].paper, &n);
    }
}

static const experiment_steps steps = {add_pairs, no_probes, plan_runs, judge};
static const experiment_table tables[] = {{0}};
static const experiment_setting settings[] = {{0}};
static const experiment_panel panels[] = {
    {"Leftover pairs: slowdown of k2", "", 1,
     {{"measured", measured, 0}, {"model", modelled, IN_TURN}, {"simulated", simulated, IN_TURN}}},
    {0}};
static const experiment_panel rodinia_panels[] = {
    {"Leftover pairs of Rodinia: slowdown of k2", "", 1,
     {{"measured", measured, 0}, {"model, in turn", modelled, IN_TURN}, {"model, depth first", modelled, DEPTH_FIRST},
      {"simulated, in turn", simulated, IN_TURN}, {"simulated, depth first", simulated, DEPTH_FIRST}}},
    {0}};

const experiment_paper leftover_pairs = {
    "leftover", "Leftover pairs", NULL, "k40c", 15, {0, 0, 0, 0}, settings, .tables = tables, .panels = panels, .report = report, .steps = &steps};
const experiment_paper leftover_rodinia = {
    "leftover", "Leftover pairs of Rodinia", NULL, "k40c", 15, {0, 0, 0, 0}, settings, .tables = tables, .panels = rodinia_panels,
    .report = report_rodinia, .steps = &steps};
