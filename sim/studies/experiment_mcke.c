/* SPDX-License-Identifier: Apache-2.0
 *
 * Lee et al., section 5.3: mixed concurrent kernel execution. The mixes of Table 3 with the CTAs per SM that LCS chooses for each kernel
 * alone (CKE-1), against different kernels on different SMs with the same counts (CKE-2, the paper's baseline; Fig. 18), and against
 * leftover (GWDE-5). Speed is that of a whole mix: the time until both kernels are over.
 */
#include <stdio.h>
#include <string.h>

#include "plot/gnuplot.h"
#include "studies/experiment_papers.h"

enum {
    PAIR = 2,
    LCS_CYCLES = 1000000, /* the run of a kernel alone is cut off here: LCS has decided, and its rate is known */
    MIX_CYCLES = 600000,  /* that both kernels of a mix take alone, one after the other, at most */
    PATIENCE = 50         /* a mix that takes so many times as long comes to no end */
};

static const struct mix {
    const char *kernel[PAIR];
    uint8_t t_new[PAIR]; /* Table 3 */
    const char *paper;   /* mCKE over CKE */
} mixes[] = {
    {{"CP", "LPS"}, {3, 5}, "+20 %"},       {{"MMUL", "VADD"}, {2, 3}, "-"},          {{"MUM", "BLK"}, {2, 4}, "-"},
    {{"MMUL", "RAY"}, {2, 2}, "-"},         {{"CP", "MADD"}, {3, 4}, "minimal"},      {{"KMN", "SRAD"}, {1, 5}, "+27 %"},
};
enum { MIXES = sizeof mixes / sizeof mixes[0] };

/* How a mix runs. */
enum { APART, MIXED, APART_PAPER, MIXED_PAPER, LEFTOVER, WAYS };

static const struct way {
    uint8_t mode;
    enum { OF_LCS, OF_TABLE_3, NONE } quotas;
} ways[WAYS] = {
    [APART] = {MCKE_APART, OF_LCS},             [MIXED] = {MCKE_QUOTAS, OF_LCS}, [APART_PAPER] = {MCKE_APART, OF_TABLE_3},
    [MIXED_PAPER] = {MCKE_QUOTAS, OF_TABLE_3}, [LEFTOVER] = {MCKE_LEFTOVER, NONE},
};

static const experiment_study *study_of(const experiment *e, const char *name)
{
    for (unsigned i = 0; i < e->num; i++)
        if (!strcmp(e->studies[i].workload.name, name))
            return &e->studies[i];
    return NULL;
}

/* A kernel that no file was given of takes its mixes along. */
static bool is_there(const experiment *e, const struct mix *mix, const experiment_study *s[PAIR])
{
    for (unsigned k = 0; k < PAIR; k++)
        s[k] = study_of(e, mix->kernel[k]);
    return s[0] && s[1];
}

/* ---- plans ------------------------------------------------------------------------ */

/* LCS alone, with the slice's part of the grid. */
static bool plan_alone(experiment *e, experiment_study *s, experiment_pool *pool)
{
    const uint32_t ctas = s->workload.ctas * e->machine.sms / e->whole_sms;
    run_request r;

    s->workload.ctas = ctas < e->machine.sms ? e->machine.sms : ctas;
    r = experiment_request(e, s);
    r.policy = BALLAST_POLICY_LCS;
    r.max_cycles = LCS_CYCLES;
    return pool_add(pool, &r, &s->probe);
}

static bool plan_probes(experiment *e, experiment_pool *pool)
{
    const experiment_study *pair[PAIR];
    bool planned[EXPERIMENT_KERNELS] = {false}, ok = true;

    for (const struct mix *mix = mixes; mix < mixes + MIXES; mix++) {
        if (!is_there(e, mix, pair))
            continue;
        for (unsigned k = 0; k < PAIR; k++) {
            const unsigned n = (unsigned)(pair[k] - e->studies);

            ok &= planned[n] || plan_alone(e, &e->studies[n], pool);
            planned[n] = true;
        }
    }
    return ok;
}

/* Cycles of the whole grid at the rate of the run alone. */
static double cycles_alone(const experiment *e, const experiment_study *s)
{
    const double insts = (double)s->workload.insts * workload_warps(&s->workload) * s->workload.ctas * s->workload.launches;

    return insts / (pool_result(e->pool, s->probe)->ipc * e->machine.sms);
}

/* Both grids are cut by the same part: which of them ends first is the paper's affair. */
static uint32_t cut(const experiment *e, const experiment_study *s, double part)
{
    const double ctas = part * s->workload.ctas;

    return ctas < e->machine.sms ? e->machine.sms : (uint32_t)ctas;
}

static void set_quota(const experiment *e, run_request *r, const struct mix *mix, unsigned k, const struct way *way, const experiment_study *s)
{
    kernel_mix_set_quota(&r->mix, k, way->quotas == OF_TABLE_3 ? mix->t_new[k] : e->machine.slots);
    if (way->quotas == OF_LCS)
        memcpy(r->mix.quota[k], pool_result(e->pool, s->probe)->limits, sizeof r->mix.quota[k]);
}

static bool plan_mix(experiment *e, const struct mix *mix, experiment_pool *pool, double length)
{
    const experiment_study *pair[PAIR];
    double part;
    bool ok = true;

    if (!is_there(e, mix, pair))
        return true;
    part = length * MIX_CYCLES / (cycles_alone(e, pair[0]) + cycles_alone(e, pair[1]));
    if (part > length)
        part = length;
    for (unsigned w = 0; w < WAYS; w++) {
        run_request r = experiment_request(e, pair[0]);

        r.workload.ctas = cut(e, pair[0], part);
        r.max_cycles = (uint64_t)(PATIENCE * length * MIX_CYCLES);
        r.mix.num_others = PAIR - 1;
        r.mix.mode = ways[w].mode;
        r.mix.others[0] = pair[1]->workload;
        r.mix.others[0].ctas = cut(e, pair[1], part);
        for (unsigned k = 0; k < PAIR; k++)
            set_quota(e, &r, mix, k, &ways[w], pair[k]);
        ok &= pool_add(pool, &r, &e->mix_run[mix - mixes][w]);
    }
    return ok;
}

static bool plan_runs(experiment *e, experiment_pool *pool, double length)
{
    bool ok = true;

    for (const struct mix *mix = mixes; mix < mixes + MIXES; mix++)
        ok &= plan_mix(e, mix, pool, length);
    return ok;
}

static const run_result *mix_result(const experiment *e, const struct mix *mix, unsigned way)
{
    return pool_result(e->pool, e->mix_run[mix - mixes][way]);
}

static bool judge(experiment *e, char *err, unsigned size)
{
    const experiment_study *pair[PAIR];
    bool ok = true;

    for (const struct mix *mix = mixes; ok && mix < mixes + MIXES; mix++) {
        if (!is_there(e, mix, pair))
            continue;
        for (unsigned k = 0; ok && k < PAIR; k++)
            ok = experiment_run_fine(mix->kernel[k], pool_result(e->pool, pair[k]->probe), false, "alone", err, size);
        for (unsigned w = 0; ok && w < WAYS; w++)
            ok = experiment_run_fine(mix->kernel[0], mix_result(e, mix, w), true, mix->kernel[1], err, size);
    }
    return ok;
}

/* ---- report ----------------------------------------------------------------------- */

static double speed_over(const experiment *e, const struct mix *mix, unsigned way, unsigned base)
{
    return mix_result(e, mix, base)->seconds / mix_result(e, mix, way)->seconds;
}

/* How long the chip is shared: when the kernel that ends first ends, of the whole time. */
static double together(const experiment *e, const struct mix *mix, unsigned way)
{
    const sim_kernel_counts *k = mix_result(e, mix, way)->kernels;
    const uint64_t first = k[0].cycles < k[1].cycles ? k[0].cycles : k[1].cycles, last = k[0].cycles < k[1].cycles ? k[1].cycles : k[0].cycles;

    return (double)first / (double)last;
}

static void mix_row(const experiment *e, experiment_grid *g, const struct mix *mix, const experiment_study *pair[PAIR])
{
    grid_row(g);
    grid_cell(g, "%s-%s", mix->kernel[0], mix->kernel[1]);
    grid_cell(g, "%u, %u", mix->t_new[0], mix->t_new[1]);
    grid_cell(g, "%.1f, %.1f", limit_of(e, pool_result(e->pool, pair[0]->probe)), limit_of(e, pool_result(e->pool, pair[1]->probe)));
    grid_cell(g, "%s", mix->paper);
    grid_cell(g, "%+.1f %%", percent(speed_over(e, mix, MIXED, APART)));
    grid_cell(g, "%+.1f %%", percent(speed_over(e, mix, MIXED_PAPER, APART_PAPER)));
    grid_cell(g, "%+.1f %%", percent(speed_over(e, mix, MIXED, LEFTOVER)));
    grid_cell(g, "%.0f %%", 100 * together(e, mix, APART));
    grid_cell(g, "%.0f %%", 100 * together(e, mix, MIXED));
}

static void report(const experiment *e, experiment_report *report)
{
    experiment_grid *g = report_grid(report, "mCKE: the paper's numbers",
                                     "mix|T_new paper|T_new|paper|over apart|with the paper's T_new|over leftover|apart: both run|mixed: both run");
    const experiment_study *pair[PAIR];

    for (const struct mix *mix = mixes; mix < mixes + MIXES; mix++)
        if (is_there(e, mix, pair))
            mix_row(e, g, mix, pair);
}

/* ---- picture ---------------------------------------------------------------------- */

static void draw(const experiment *e, FILE *plot)
{
    const experiment_study *pair[PAIR];

    fprintf(plot, "$mixes << EOD\n");
    for (const struct mix *mix = mixes; mix < mixes + MIXES; mix++)
        if (is_there(e, mix, pair))
            fprintf(plot, "\"%s-%s\" %.4f %.4f %.4f\n", mix->kernel[0], mix->kernel[1], speed_over(e, mix, LEFTOVER, APART),
                    speed_over(e, mix, MIXED, APART), speed_over(e, mix, MIXED_PAPER, APART_PAPER));
    fprintf(plot, "EOD\nset style data histogram\nset style histogram clustered gap 1\nset title 'mCKE: speed over each kernel on its own SMs' "
                  "noenhanced offset graph -0.3,0\nset yrange [0:*]\n"
                  "plot $mixes using 2:xtic(1) linecolor rgb '#888888' title 'leftover', '' using 3 linecolor rgb '#20639b' title 'mCKE', "
                  "'' using 4 linecolor rgb '#d1495b' title 'mCKE, T_new of the paper', 1 with lines dashtype 3 linecolor rgb '#000000' notitle\n");
}

static const experiment_steps steps = {NULL, plan_probes, plan_runs, judge};
static const experiment_table tables[] = {{0}};
static const experiment_panel panels[] = {{0}};
static const experiment_setting settings[] = {{0}};

/* 14 SMs, so that a kernel that has SMs of its own has as many as the other one. */
const experiment_paper mcke_mixes = {
    "mcke", "mCKE", "lcs", "lcs", 14, {0, 0, 0, 0}, settings, .tables = tables, .panels = panels, .report = report, .more_panels = 1,
    .draw = draw, .steps = &steps};
