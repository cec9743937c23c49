/* SPDX-License-Identifier: Apache-2.0
 *
 * An experiment with made-up kernels, made-up probes and made-up results, for tests of what it plans and what it makes of them.
 */
#ifndef BALLAST_LAB_FIXTURE_H
#define BALLAST_LAB_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "engine/suite_fixture.h"
#include "studies/experiment_papers.h"

/* 256 threads: 6 CTAs on fermi, 8 on kepler. */
static inline workload kernel_named(const char *name)
{
    workload w = {.ctas = 1500, .threads_per_cta = 256, .regs_per_thread = 12, .launches = 1, .insts = 100, .loads = 0.05,
                  .alu_distance = 3, .load_distance = 8, .lines = 1, .code = 1};

    snprintf(w.name, sizeof w.name, "%s", name);
    return w;
}

static inline workload_target target_of(enum published_type type, uint32_t opt)
{
    workload_target t = {.t_new = 2};

    for (unsigned i = 0; i < TARGET_MACHINES; i++)
        t.on[i] = (published){type, 6, opt};
    return t;
}

/* An experiment; it holds until it is opened again. */
typedef struct lab {
    experiment e;
    experiment_pool pool;
    experiment_report report;
} lab;

static lab l;

static inline void lab_open(lab *on, const experiment_paper *paper)
{
    char err[256];

    experiment_free_report(&on->report);
    pool_close(&on->pool);
    if (!experiment_open(&on->e, paper, 0, err, sizeof err))
        fail_msg("%s", err);
}

static inline void add(lab *on, const char *name, enum published_type type)
{
    const workload w = kernel_named(name);
    const workload_target t = target_of(type, 5);
    char err[256];

    if (!experiment_add(&on->e, &w, &t, err, sizeof err))
        fail_msg("%s", err);
}

static inline void plan_probes(lab *on)
{
    assert_true(experiment_plan_probes(&on->e, &on->pool));
}

/* A probe's answer: each SM issues `ipc` warp instructions per cycle. */
static inline void answer_probes(experiment_pool *pool, double ipc)
{
    for (unsigned i = pool->ran; i < pool->num; i++) {
        assert_int_equal(pool->requests[i].max_cycles, 60000);
        pool->results[i] = (run_result){.ok = true, .ipc = ipc};
    }
    pool->ran = pool->num;
}

/* ---- made-up results ---------------------------------------------------------------------- */

static const double rising[7] = {0, 1, 2, 3, 4, 5, 6}, falling[7] = {0, 1, 2, 3, 2, 2, 2};

static inline run_result *baseline(lab *on, unsigned kernel)
{
    return &on->pool.results[on->e.studies[kernel].baseline];
}

static inline run_result *result(lab *on, unsigned kernel, unsigned setting)
{
    return &on->pool.results[on->e.studies[kernel].run[setting]];
}

/* A run of a hundred seconds; all in SM 0's limit, nothing but constant power. */
static inline run_result plain_result(double seconds, unsigned limit)
{
    run_result r = {.ok = true, .finished = true, .seconds = seconds, .ipc = 1, .mean_limit = limit, .mean_resident = limit};

    r.counts.ticks = (uint64_t)(seconds * 700e6 * SIM_TICKS_NORMAL);
    r.counts.sm_ticks[BALLAST_VF_NORMAL] = r.counts.mem_ticks[BALLAST_VF_NORMAL] = r.counts.ticks;
    memset(r.limits, (int)limit, sizeof r.limits);
    memset(r.decided, 1, sizeof r.decided);
    return r;
}

/* Kernels of these types, all as fast under every setting as at Nmax, with these rates by limit. */
static inline void lab_begin(lab *on, const experiment_paper *paper, const enum published_type *types, unsigned num, const double *rates)
{
    char name[16];

    lab_open(on, paper);
    for (unsigned i = 0; i < num; i++) {
        snprintf(name, sizeof name, "kernel%u", i);
        add(on, name, types[i]);
    }
    plan_probes(on);
    answer_probes(&on->pool, 1);
    assert_true(experiment_plan_runs(&on->e, &on->pool, 1));
    for (unsigned i = on->pool.ran; i < on->pool.num; i++)
        on->pool.results[i] = plain_result(100, 6);
    for (unsigned i = 0; i < num; i++)
        for (unsigned limit = 1; limit <= 6; limit++)
            on->pool.results[on->e.studies[i].limit_run[limit]].ipc = rates[limit];
}

#define BEGIN(on, paper, rates, ...)                                       \
    lab_begin(on, paper, (const enum published_type[]){__VA_ARGS__},       \
              sizeof(const enum published_type[]){__VA_ARGS__} / sizeof(enum published_type), rates)

static inline void lab_report(lab *on)
{
    char err[256];

    if (!experiment_judge(&on->e, err, sizeof err))
        fail_msg("%s", err);
    experiment_make_report(&on->e, &on->report);
}

/* Cell `column` of the first row in any of the grids that begins with `what`; of `grid` alone if 0 or more. */
static inline const char *cell(const lab *on, int grid, const char *what, unsigned column)
{
    for (unsigned g = 0; g < on->report.num; g++)
        for (unsigned row = 1; row < on->report.grids[g].rows; row++)
            if ((grid < 0 || g == (unsigned)grid) && !strcmp(on->report.grids[g].cells[row][0], what))
                return on->report.grids[g].cells[row][column];
    fail_msg("no row %s", what);
    return "";
}

static inline void expect(const lab *on, int grid, const char *what, const char *measured)
{
    assert_string_equal(cell(on, grid, what, 2), measured);
}

#endif
