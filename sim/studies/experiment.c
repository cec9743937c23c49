/* SPDX-License-Identifier: Apache-2.0 */
#include "studies/experiment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "studies/experiment_papers.h"
#include "plot/gnuplot.h"

enum {
    PROBE_CYCLES = 60000, /* enough for a few CTAs of most kernels                          */
    PATIENCE = 50,        /* a run of so many times the most cycles comes to no end         */
    STEADY = 60000        /* cycles of a piece of a run (gpu/steady.h)                      */
};

const experiment_paper *experiment_at(unsigned index)
{
    static const experiment_paper *const all[] = {&perfsat_on_fermi, &perfsat_on_kepler, &lcs_paper,
                                                  &bcs_paper,        &equalizer_paper,   &dyncta_on_fermi, &dyncta_on_lcs,
                                                  &mcke_mixes,       &leftover_pairs, &leftover_rodinia};

    return index < sizeof all / sizeof all[0] ? all[index] : NULL;
}

/* ---- kernels ---------------------------------------------------------------------- */

bool experiment_open(experiment *e, const experiment_paper *paper, uint32_t sms, char *err, unsigned size)
{
    const machine *whole = machine_find(paper->machine);

    memset(e, 0, sizeof *e);
    e->paper = paper;
    e->whole_sms = whole->sms;
    return machine_slice(whole, sms ? sms : paper->sms, &e->machine, err, size);
}

bool experiment_add_own(experiment *e, char *err, unsigned size)
{
    return e->paper->steps->kernels(e, err, size);
}

static const published *published_on(const workload_target *target, const char *name)
{
    static const published nothing;

    for (unsigned i = 0; i < TARGET_MACHINES; i++)
        if (!strcmp(target_machines[i], name))
            return &target->on[i];
    return &nothing;
}

bool experiment_add(experiment *e, const workload *w, const workload_target *target, char *err, unsigned size)
{
    experiment_study *s = &e->studies[e->num];

    if (e->num == EXPERIMENT_KERNELS) {
        snprintf(err, size, "more than %d kernels; give fewer", EXPERIMENT_KERNELS);
        return false;
    }
    if (!workload_check(w, &e->machine, err, size))
        return false;
    memset(s, 0, sizeof *s);
    s->workload = *w;
    s->published = *published_on(target, e->paper->machine);
    s->t_new = target->t_new;
    s->nmax = workload_nmax(w, &e->machine);
    e->num++;
    return true;
}

void experiment_sort(experiment *e)
{
    for (unsigned i = 1; i < e->num; i++) {
        const experiment_study s = e->studies[i];
        unsigned at = i;

        for (; at && e->studies[at - 1].published.type > s.published.type; at--)
            e->studies[at] = e->studies[at - 1];
        e->studies[at] = s;
    }
}

/* ---- how long --------------------------------------------------------------------- */

/* A number of CTAs of one launch that machine_slice's part of the chip can have. */
static uint32_t whole_ctas(const experiment *e, double ctas)
{
    const double most = 1u << 24, least = e->machine.sms;

    return (uint32_t)(ctas < least ? least : ctas > most ? most : ctas);
}

/* The kernel's own grid, within what the paper's experiment needs and what is affordable. */
static uint32_t grid_of(const experiment *e, const experiment_study *s, const run_result *probe, double length)
{
    const experiment_length *l = &e->paper->length;
    const double insts = (double)s->workload.insts * workload_warps(&s->workload);
    const double ctas_per_cycle = probe->ipc * e->machine.sms / insts / s->workload.launches;
    const double needed = l->ctas_per_square * s->nmax * s->nmax * e->machine.sms;
    const double least = fmax(needed, l->least_cycles * ctas_per_cycle);
    const double most = l->most_cycles * ctas_per_cycle;
    const double own = (double)s->workload.ctas * e->machine.sms / e->whole_sms;

    return whole_ctas(e, length * fmin(fmax(own, least), most));
}

/* ---- plans ------------------------------------------------------------------------ */

run_request experiment_request(const experiment *e, const experiment_study *s)
{
    run_request r;
    const run_request given = run_default(&e->machine, &s->workload);

    memset(&r, 0, sizeof r); /* padding, too: the pool compares bytes */
    r.machine = given.machine;
    r.workload = given.workload;
    r.seed = given.seed;
    r.policy = BALLAST_POLICY_STATIC;
    r.sm_level = r.mem_level = BALLAST_VF_NORMAL;
    return r;
}

bool experiment_plan_probes(experiment *e, experiment_pool *pool)
{
    e->pool = pool;
    if (e->paper->steps)
        return e->paper->steps->plan_probes(e, pool);
    for (unsigned i = 0; i < e->num; i++) {
        run_request r = experiment_request(e, &e->studies[i]);

        r.workload.ctas = 1u << 24; /* never at its end */
        r.max_cycles = PROBE_CYCLES;
        if (!pool_add(pool, &r, &e->studies[i].probe))
            return false;
    }
    return true;
}

/* BCS is for 2-D kernels, with their scheduler (COMB-2, COMB-3). */
static void schedule(run_request *r, const experiment_schedule *as)
{
    if (as->bcs && !r->workload.is_2d)
        return;
    r->bcs = as->bcs;
    if (as->other)
        r->machine.scheduler = as->scheduler;
}

static void set_up(run_request *r, const experiment_paper *paper, unsigned number)
{
    const experiment_setting *setting = &paper->settings[number];

    r->policy = setting->policy;
    r->mode = setting->mode;
    r->sm_level = setting->sm_level;
    r->mem_level = setting->mem_level;
    if (paper->schedules)
        schedule(r, &paper->schedules[number]);
}

static bool plan_study(experiment *e, experiment_study *s, experiment_pool *pool, double length)
{
    const experiment_length *l = &e->paper->length;
    run_request r;
    bool ok = true;

    s->workload.ctas = grid_of(e, s, pool_result(pool, s->probe), length);
    r = experiment_request(e, s);
    for (unsigned limit = 1; limit <= s->nmax && !e->paper->no_sweep; limit++) {
        r.static_limit = (uint8_t)limit;
        r.max_cycles = (uint64_t)(length * l->sweep_cycles);
        ok &= pool_add(pool, &r, &s->limit_run[limit]);
    }
    r.static_limit = 0;
    r.max_cycles = (uint64_t)(PATIENCE * length * l->most_cycles);
    r.steady = e->whole ? 0 : (uint32_t)(STEADY * length);
    ok &= pool_add(pool, &r, &s->baseline);
    for (unsigned i = 0; e->paper->settings[i].name; i++) {
        run_request own;

        memcpy(&own, &r, sizeof own); /* padding, too */
        set_up(&own, e->paper, i);
        ok &= pool_add(pool, &own, &s->run[i]);
    }
    return ok;
}

bool experiment_plan_runs(experiment *e, experiment_pool *pool, double length)
{
    if (e->paper->steps)
        return e->paper->steps->plan_runs(e, pool, length);
    for (unsigned i = 0; i < e->num; i++)
        if (!plan_study(e, &e->studies[i], pool, length))
            return false;
    return true;
}

/* ---- results ---------------------------------------------------------------------- */

bool experiment_run_fine(const char *name, const run_result *r, bool to_end, const char *what, char *err, unsigned size)
{
    if (r->ok && (r->finished || !to_end))
        return true;
    snprintf(err, size, "%s, %s: %s", name, what,
             r->err[0] ? r->err : r->ok ? "comes to no end; it needs too many cycles" : "the run broke off");
    return false;
}

static bool judge_sweep(const experiment *e, experiment_study *s, char *err, unsigned size)
{
    s->sweep.nmax = s->nmax;
    for (unsigned limit = 1; limit <= s->nmax; limit++) {
        const run_result *r = pool_result(e->pool, s->limit_run[limit]);

        if (!experiment_run_fine(s->workload.name, r, false, "static limit", err, size))
            return false;
        s->sweep.ipc[limit] = r->ipc;
    }
    s->sweep.optimum = sweep_optimum(&s->sweep);
    return true;
}

static bool judge_study(const experiment *e, experiment_study *s, char *err, unsigned size)
{
    if (!e->paper->no_sweep && !judge_sweep(e, s, err, size))
        return false;
    if (!experiment_run_fine(s->workload.name, pool_result(e->pool, s->baseline), true, "Nmax", err, size))
        return false;
    for (unsigned i = 0; e->paper->settings[i].name; i++)
        if (!experiment_run_fine(s->workload.name, pool_result(e->pool, s->run[i]), true, e->paper->settings[i].name, err, size))
            return false;
    return true;
}

bool experiment_judge(experiment *e, char *err, unsigned size)
{
    if (e->paper->steps)
        return e->paper->steps->judge(e, err, size);
    for (unsigned i = 0; i < e->num; i++)
        if (!judge_study(e, &e->studies[i], err, size))
            return false;
    return true;
}

/* ---- output ----------------------------------------------------------------------- */

void experiment_make_report(const experiment *e, experiment_report *report)
{
    report->num = 0;
    report_tables(e, report);
    if (e->paper->report)
        e->paper->report(e, report);
}

void experiment_make_joint_report(const experiment *const *all, unsigned num, experiment_report *report)
{
    report->num = 0;
    if (num > 1 && all[0]->paper->joint)
        all[0]->paper->joint(all, num, report);
}

void experiment_free_report(experiment_report *report)
{
    for (unsigned i = 0; i < report->num; i++)
        grid_free(&report->grids[i]);
    report->num = 0;
}

void experiment_print(FILE *f, const experiment_report *report, bool csv)
{
    for (unsigned i = 0; i < report->num; i++) {
        if (csv && i)
            fputc('\n', f);
        if (csv)
            grid_csv(f, &report->grids[i]);
        else
            grid_text(f, &report->grids[i]);
    }
}

bool experiment_draw(const experiment *const *all, unsigned num, const char *path)
{
    enum { WIDTH = 1100, HEIGHT = 270 };
    FILE *plot = gnuplot_start(path);
    unsigned panels = 0;

    if (!plot)
        return false;
    for (unsigned i = 0; i < num; i++)
        panels += count_panels(all[i]->paper) + all[i]->paper->more_panels;
    gnuplot_svg(plot, path, WIDTH, HEIGHT * panels);
    fprintf(plot, "set multiplot layout %u,1\nset style fill solid 0.85 noborder\nset grid ytics\nset tmargin 3\nset bmargin 4\n"
                  "set key at graph 1,1.05 right bottom horizontal noenhanced\nset xtics rotate by 40 right noenhanced font ',9'\n", panels);
    for (unsigned i = 0; i < num; i++) {
        draw_panels(all[i], plot);
        if (all[i]->paper->draw)
            all[i]->paper->draw(all[i], plot);
    }
    fprintf(plot, "unset multiplot\n");
    return gnuplot_end(plot);
}
