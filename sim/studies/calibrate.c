/* SPDX-License-Identifier: Apache-2.0 */
#include "studies/calibrate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/interrupt.h"

/* A curve agrees by the 2 % rule of PS-E4; a search wants it to do so with a margin, so that it holds for
 * other seeds and longer runs as well. All in percent. */
static const double still_rises = 3, has_risen = 1, has_fallen = 2, has_kept = 1;
/* No paper prints how deep a fall is, so that one that is too deep counts less than the rest. */
static const double depth_counts = 0.2;

calibrate_options calibrate_default(void)
{
    return (calibrate_options){.on = {true, true, true}, .cycles = 50000, .tries = 160, .seed = 1};
}

/* ---- a curve ---------------------------------------------------------------------- */

enum curve_shape calibrate_shape(const sweep *s)
{
    const unsigned optimum = sweep_optimum(s);

    if (sweep_speed(s, s->nmax) <= 100 - has_fallen)
        return optimum == 1 ? SHAPE_FALLS : SHAPE_RISES_FALLS;
    return optimum == s->nmax ? SHAPE_RISES : SHAPE_SATURATES;
}

const char *calibrate_shape_name(enum curve_shape shape)
{
    static const char *const names[SHAPES] = {[SHAPE_RISES] = "rises", [SHAPE_SATURATES] = "saturates",
                                              [SHAPE_RISES_FALLS] = "rises-falls", [SHAPE_FALLS] = "falls"};

    return (unsigned)shape < SHAPES ? names[shape] : "";
}

/* What more CTAs than `limit` bring at best, in percent. */
static double gain_above(const sweep *s, unsigned limit)
{
    double best = 0;

    for (unsigned n = limit + 1; n <= s->nmax; n++)
        best = s->ipc[n] > best ? s->ipc[n] : best;
    return s->ipc[limit] > 0 ? 100 * (best / s->ipc[limit] - 1) : 0;
}

/* ---- what is wanted --------------------------------------------------------------- */

/* Where the optimum is if the paper does not print it. */
enum optimum { ANYWHERE, ALL, FEWER, SOME, ONE };

/* Speed at Nmax for the types that fall. The papers' curves are not printed as numbers: from a fall that is no
 * accident to one that the gains in their text leave possible (doc/use/workloads.md). */
#define KEEPS .keeps = true
#define FALLS(least, most) .falls = true, .end_least = (least), .end_most = (most)
/* Equalizer's types say which clock a kernel depends on: by how much 15 % more of it helps. */
#define GAINS(sm_from, sm_to, memory_from, memory_to) \
    .gains = true, .sm_least = (sm_from), .sm_most = (sm_to), .memory_least = (memory_from), .memory_most = (memory_to)

static const struct {
    enum optimum optimum;
    wanted wanted;
} types[] = {
    [TYPE_UNKNOWN] = {ANYWHERE, {.keeps = false}},
    [TYPE_C_STRONG] = {ALL, {KEEPS}},
    [TYPE_C_WEAK] = {FEWER, {KEEPS}},
    [TYPE_MEM] = {FEWER, {FALLS(85, 95)}},
    [TYPE_I] = {ALL, {KEEPS}},
    [TYPE_II] = {SOME, {KEEPS}},
    [TYPE_III] = {ONE, {FALLS(60, 90)}},
    [TYPE_IV] = {SOME, {FALLS(60, 90)}},
    [TYPE_COMPUTE] = {ANYWHERE, {KEEPS, GAINS(10, 100, -100, 2)}},
    [TYPE_MEMORY] = {ANYWHERE, {KEEPS, GAINS(-100, 4, 9, 100)}},
    [TYPE_CACHE] = {FEWER, {FALLS(40, 85), GAINS(-100, 8, 8, 100)}},
    [TYPE_UNSATURATED] = {ANYWHERE, {KEEPS, GAINS(2, 11, 2, 9)}},
};

static void set_optimum(wanted *want, enum optimum optimum, unsigned nmax)
{
    const unsigned fewer = nmax > 1 ? nmax - 1 : 1;

    want->least = optimum == ALL ? nmax : optimum == SOME && nmax >= 3 ? 2 : 1;
    want->most = optimum == ONE ? 1 : optimum == FEWER || optimum == SOME ? fewer : nmax;
}

wanted calibrate_wanted(const published *p, unsigned nmax)
{
    wanted want = types[p->type].wanted;

    if (p->opt)
        want.least = want.most = p->opt == p->max || p->opt > nmax ? nmax : p->opt;
    else
        set_optimum(&want, types[p->type].optimum, nmax);
    /* With as many CTAs as fit there are no more that could be too many. */
    if (want.falls && want.least >= nmax) {
        want.falls = false;
        want.keeps = true;
    }
    if (want.keeps) {
        want.end_least = 100 - has_kept;
        want.end_most = 100;
    }
    return want;
}

/* ---- how far a curve is from it --------------------------------------------------- */

static double lacks(double value, double least)
{
    return value < least ? least - value : 0;
}

/* The optimum is from `least` on if fewer CTAs can still be improved on, up to `most` if that cannot. */
static double optimum_off(const wanted *want, const sweep *s)
{
    double off = 0;

    for (unsigned n = 1; n < s->nmax; n++) {
        if (n < want->least)
            off += lacks(gain_above(s, n), still_rises);
        if (n >= want->most)
            off += lacks(-gain_above(s, n), -has_risen);
    }
    return off;
}

static double gains_off(const wanted *want, const calibration *c)
{
    if (!want->gains)
        return 0;
    return lacks(c->sm_gain, want->sm_least) + lacks(-c->sm_gain, -want->sm_most) + lacks(c->memory_gain, want->memory_least) +
           lacks(-c->memory_gain, -want->memory_most);
}

double calibrate_off(const wanted *want, const calibration *c)
{
    const double end = sweep_speed(&c->sweep, c->sweep.nmax);
    const double off = optimum_off(want, &c->sweep) + gains_off(want, c);

    if (!want->falls && !want->keeps)
        return off;
    return off + (want->falls ? depth_counts : 1) * lacks(end, want->end_least) + lacks(-end, -want->end_most);
}

bool calibrate_agrees(const wanted *want, const calibration *c)
{
    const bool fell = c->shape == SHAPE_FALLS || c->shape == SHAPE_RISES_FALLS;

    return c->sweep.optimum >= want->least && c->sweep.optimum <= want->most && (!want->falls || fell) &&
           (!want->keeps || !fell) && gains_off(want, c) <= 0;
}

/* ---- measuring -------------------------------------------------------------------- */

enum { BOOSTS = 2, MOST_RUNS = TARGET_MACHINES * (BALLAST_MAX_SLOTS + BOOSTS), ENDLESS = 1 << 24 };

bool calibrate_takes(const calibrate_options *how, const workload_target *t, unsigned i)
{
    return how->on[i] && (t->on[i].type != TYPE_UNKNOWN || t->on[i].opt > 0);
}

static bool is_boosted(const published *p)
{
    return p->type >= TYPE_COMPUTE;
}

/* The part of each machine that stands for it: the SMs whose share of banks and channels is whole. */
static bool machine_of(const calibrate_options *how, unsigned i, machine *m, char *err)
{
    static const uint32_t sms[TARGET_MACHINES] = {5, 7, 7};

    *m = *machine_find(target_machines[i]);
    return how->whole || machine_slice(machine_find(target_machines[i]), sms[i], m, err, RUN_ERR);
}

/* The runs of one machine; how many. */
static unsigned request(const calibrate_options *how, const workload *w, const machine *m, bool boosted, run_request *requests)
{
    const unsigned nmax = workload_nmax(w, m);
    run_request one = run_default(m, w);

    one.seed = how->seed;
    if (!how->whole) {
        one.max_cycles = how->cycles;
        one.workload.ctas = ENDLESS; /* no end of the kernel within the run */
    }
    for (unsigned n = 1; n <= nmax; n++) {
        requests[n - 1] = one;
        requests[n - 1].static_limit = (uint8_t)n;
    }
    if (!boosted)
        return nmax;
    requests[nmax] = requests[nmax + 1] = one;
    requests[nmax].sm_level = BALLAST_VF_HIGH;
    requests[nmax + 1].mem_level = BALLAST_VF_HIGH;
    return nmax + BOOSTS;
}

static double speed(const run_result *r)
{
    return (double)r->counts.instructions / (double)r->counts.ticks;
}

static void fill(calibration *c, const published *p, const run_result *results, unsigned nmax)
{
    wanted want = calibrate_wanted(p, nmax);

    memset(c, 0, sizeof *c);
    c->sweep.nmax = nmax;
    for (unsigned n = 1; n <= nmax; n++)
        c->sweep.ipc[n] = results[n - 1].ipc;
    c->sweep.optimum = sweep_optimum(&c->sweep);
    c->shape = calibrate_shape(&c->sweep);
    c->boosted = is_boosted(p);
    if (c->boosted) {
        c->sm_gain = 100 * (speed(&results[nmax]) / speed(&results[nmax - 1]) - 1);
        c->memory_gain = 100 * (speed(&results[nmax + 1]) / speed(&results[nmax - 1]) - 1);
    }
    c->off = calibrate_off(&want, c);
}

static bool run_all(const calibrate_options *how, const run_request *requests, run_result *results, unsigned num, char *err)
{
    if (!run_many(requests, results, num, how->jobs, NULL, NULL) || interrupted) {
        snprintf(err, RUN_ERR, "%s", interrupted ? "" : "the runs could not be started");
        return false;
    }
    for (unsigned i = 0; i < num; i++)
        if (!results[i].ok) {
            snprintf(err, RUN_ERR, "%s", results[i].err[0] ? results[i].err : "a run ended without a result");
            return false;
        }
    return true;
}

static bool measure(const calibrate_options *how, const workload *w, const workload_target *t, run_request *requests,
                    run_result *results, calibration all[TARGET_MACHINES], char *err)
{
    unsigned from[TARGET_MACHINES] = {0}, num = 0;

    for (unsigned i = 0; i < TARGET_MACHINES; i++) {
        machine m;

        if (!calibrate_takes(how, t, i))
            continue;
        if (!machine_of(how, i, &m, err) || !workload_check(w, &m, err, RUN_ERR))
            return false;
        from[i] = num;
        num += request(how, w, &m, is_boosted(&t->on[i]), requests + num);
    }
    if (!run_all(how, requests, results, num, err))
        return false;
    for (unsigned i = 0; i < TARGET_MACHINES; i++)
        if (calibrate_takes(how, t, i))
            fill(&all[i], &t->on[i], results + from[i], results[from[i]].nmax);
    return true;
}

bool calibrate_measure(const calibrate_options *how, const workload *w, const workload_target *t,
                       calibration all[TARGET_MACHINES], char *err)
{
    run_request *requests = calloc(MOST_RUNS, sizeof *requests);
    run_result *results = calloc(MOST_RUNS, sizeof *results);
    bool ok = false;

    snprintf(err, RUN_ERR, "out of memory");
    if (requests && results)
        ok = measure(how, w, t, requests, results, all, err);
    free(requests);
    free(results);
    return ok;
}
