/* SPDX-License-Identifier: Apache-2.0
 *
 * The search: from the file's values, first scattered tries around them, then one knob at a time in
 * ever smaller steps. Deterministic.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studies/calibrate.h"

enum { NONE = 0xffff, SCATTERED = 12, STEPS = 4, DIGITS = 3 };

/* What may be tuned, and how far. Zero stays zero: a kernel gets no kind of access that its file does not
 * have. A set counts only with its share. */
typedef struct knob {
    const char *key;
    unsigned offset, share;
    double least, most;
    bool whole, added; /* uint32_t; steps are added, not factors */
} knob;

#define OF(member) offsetof(workload, member)

static const knob knobs[] = {
    {"loads", OF(loads), NONE, 0.002, 0.5, false, false},
    {"alu_distance", OF(alu_distance), NONE, 1, 12, false, false},
    {"load_distance", OF(load_distance), NONE, 1, 40, false, false},
    {"lines", OF(lines), NONE, 1, 16, true, false},
    {"sfu", OF(sfu), NONE, 0.002, 0.25, false, false},
    {"shared", OF(shared), NONE, 0.005, 0.4, false, false},
    {"warp_reuse", OF(warp_reuse), NONE, 0.02, 0.96, false, true},
    {"warp_set", OF(warp_set), OF(warp_reuse), 1, 128, true, false},
    {"cta_reuse", OF(cta_reuse), NONE, 0.02, 0.96, false, true},
    {"cta_set", OF(cta_set), OF(cta_reuse), 4, 1024, true, false},
    {"random", OF(random), NONE, 0.02, 0.96, false, true},
    {"footprint", OF(footprint), OF(random), 128, 1 << 20, true, false},
};

enum { KNOBS = sizeof knobs / sizeof knobs[0] };

static double get(const workload *w, const knob *k)
{
    const char *at = (const char *)w + k->offset;

    return k->whole ? *(const uint32_t *)(const void *)at : *(const double *)(const void *)at;
}

/* With as few digits as a file has. */
static double rounded(double value)
{
    char text[32];

    snprintf(text, sizeof text, "%.*g", DIGITS, value);
    return strtod(text, NULL);
}

/* False if that changes nothing. */
static bool set(workload *w, const knob *k, double value)
{
    const double before = get(w, k);
    char *at = (char *)w + k->offset;

    value = value < k->least ? k->least : value > k->most ? k->most : value;
    if (k->whole)
        *(uint32_t *)(void *)at = (uint32_t)floor(rounded(value) + 0.5);
    else
        *(double *)(void *)at = rounded(value);
    return get(w, k) != before;
}

static bool in_use(const workload *w, const knob *k)
{
    if (k->share != NONE && *(const double *)(const void *)((const char *)w + k->share) <= 0)
        return false;
    return get(w, k) > 0;
}

/* `scale` from 1, a large step, to 0. */
static double stepped(const knob *k, double value, double scale, bool up)
{
    if (k->added)
        return value + (up ? 0.2 : -0.2) * scale;
    if (k->whole && value * scale < 1)
        return up ? value + 1 : value - 1;
    return up ? value * (1 + scale) : value / (1 + scale);
}

/* ---- the search ------------------------------------------------------------------- */

typedef struct search {
    const calibrate_options *how;
    const workload_target *target;
    workload best;
    calibration measured[TARGET_MACHINES]; /* of the best */
    double off;
    unsigned tried;
    uint64_t random;
    char *err;
    bool failed;
} search;

static bool over(const search *s)
{
    return s->failed || s->off <= 0 || s->tried >= s->how->tries;
}

static double total(const search *s, const calibration all[TARGET_MACHINES])
{
    double sum = 0;

    for (unsigned i = 0; i < TARGET_MACHINES; i++)
        if (calibrate_takes(s->how, s->target, i))
            sum += all[i].off;
    return sum;
}

static bool possible(const search *s, const workload *w)
{
    char why[RUN_ERR];

    for (unsigned i = 0; i < TARGET_MACHINES; i++)
        if (calibrate_takes(s->how, s->target, i) && !workload_check(w, machine_find(target_machines[i]), why, sizeof why))
            return false;
    return true;
}

/* True if it is the best so far. */
static bool try_it(search *s, const workload *w)
{
    calibration all[TARGET_MACHINES] = {0};
    bool better;
    double off;

    if (s->tried && !possible(s, w))
        return false;
    s->failed = !calibrate_measure(s->how, w, s->target, all, s->err);
    if (s->failed)
        return false;
    s->tried++;
    off = total(s, all);
    better = s->tried == 1 || off < s->off;
    if (better) {
        s->best = *w;
        s->off = off;
        memcpy(s->measured, all, sizeof all);
    }
    if (s->how->progress)
        s->how->progress(s->how->user, s->tried, s->off);
    return better;
}

/* 0 to 1. */
static double draw(search *s)
{
    uint64_t x = s->random += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

/* Tries with about half of the knobs turned, `scale` as in stepped. */
static void scatter(search *s, double scale)
{
    const workload from = s->best;

    for (unsigned i = 0; i < SCATTERED && !over(s); i++) {
        workload w = from;
        bool changed = false;

        for (unsigned k = 0; k < KNOBS; k++) {
            const double which = draw(s), how_far = draw(s);

            if (which < 0.5 && in_use(&w, &knobs[k]))
                changed |= set(&w, &knobs[k], stepped(&knobs[k], get(&w, &knobs[k]), 2 * scale * how_far, which < 0.25));
        }
        if (changed)
            try_it(s, &w);
    }
}

/* One knob as far as it helps, in one direction. */
static bool turn(search *s, const knob *k, double scale, bool up)
{
    bool helped = false;

    while (!over(s)) {
        workload w = s->best;

        if (!set(&w, k, stepped(k, get(&w, k), scale, up)) || !try_it(s, &w))
            return helped;
        helped = true;
    }
    return helped;
}

static bool pass(search *s, double scale)
{
    bool helped = false;

    for (unsigned k = 0; k < KNOBS && !over(s); k++)
        if (in_use(&s->best, &knobs[k]))
            helped |= turn(s, &knobs[k], scale, true) || turn(s, &knobs[k], scale, false);
    return helped;
}

bool calibrate_search(const calibrate_options *how, workload *w, const workload_target *t,
                      calibration all[TARGET_MACHINES], char *err)
{
    search s = {.how = how, .target = t, .off = 0, .random = how->seed, .err = err};

    if (!try_it(&s, w))
        return false;
    for (double range = 1; range > 0.01 && !over(&s); range /= 2) {
        double scale = 1;

        scatter(&s, range);
        for (unsigned i = 0; i < STEPS && !over(&s); i++, scale /= 2)
            while (pass(&s, scale) && !over(&s))
                ;
    }
    if (s.failed)
        return false;
    *w = s.best;
    memcpy(all, s.measured, sizeof s.measured);
    return true;
}

unsigned calibrate_changes(const workload *before, const workload *after, workload_setting *settings, unsigned most)
{
    unsigned num = 0;

    for (unsigned k = 0; k < KNOBS && num < most; k++) {
        const double value = get(after, &knobs[k]);

        if (value == get(before, &knobs[k]))
            continue;
        settings[num].key = knobs[k].key;
        snprintf(settings[num++].value, sizeof settings->value, "%.*g", knobs[k].whole ? 10 : DIGITS, value);
    }
    return num;
}
