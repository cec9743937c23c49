/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/family.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct family {
    family_options options;
    trace_reader *members[BALLAST_MAX_SLOTS + 1]; /* by limit; [0] unused; NULL: not recorded */
    unsigned plays[BALLAST_MAX_SLOTS + 1];        /* by limit up to Nmax: the limit whose member plays */
    unsigned nmax;
    unsigned current; /* limit of the recording that plays */
    unsigned laps;
    uint64_t moves;
    uint64_t cycles;      /* returned so far */
    bool at_lap_start;    /* the next cycle is the first of a lap */
    sm_obs edited;        /* a cycle whose kernel start is not to be seen */
    const sm_obs *now;
    trace_err err;
};

/* ---- opening --------------------------------------------------------------------- */

static bool fail(trace_err *err, const char *format, const char *path, unsigned number)
{
    err->offset = UINT64_MAX;
    snprintf(err->text, sizeof err->text, format, path, number);
    return false;
}

static const trace_launch *launch_of(const trace_reader *r, unsigned launch)
{
    return &trace_get_meta(r)->launches[launch];
}

static bool same_kernel(const trace_reader *a, const trace_reader *b, unsigned launch)
{
    const trace_meta *ma = trace_get_meta(a), *mb = trace_get_meta(b);

    return ma->geometry.warps == mb->geometry.warps && ma->geometry.slots == mb->geometry.slots &&
           ma->num_launches == mb->num_launches &&
           !strcmp(launch_of(a, launch)->name, launch_of(b, launch)->name) &&
           launch_of(a, launch)->desc.nmax == launch_of(b, launch)->desc.nmax;
}

static trace_reader *any_member(const family *f)
{
    for (unsigned limit = 1; limit <= BALLAST_MAX_SLOTS; limit++)
        if (f->members[limit])
            return f->members[limit];
    return NULL;
}

/* Takes the recording in, under the limit that was in force in the chosen launch. Several
 * recordings may have the same one there (a configured limit above Nmax): the first stays. */
static bool add_member(family *f, const char *path, trace_err *err)
{
    trace_reader *r = trace_open(path, NULL, err);
    const trace_reader *other = any_member(f);
    bool ok = r != NULL;

    if (ok && f->options.launch >= trace_get_meta(r)->num_launches)
        ok = fail(err, "%s: has no launch number %u; see 'ballast info'", path, f->options.launch + 1);
    else if (ok && other && !same_kernel(other, r, f->options.launch))
        ok = fail(err, "%s: launch %u is not the kernel of the other recordings; name one family only", path,
                  f->options.launch + 1);
    if (ok && !f->members[launch_of(r, f->options.launch)->limit])
        f->members[launch_of(r, f->options.launch)->limit] = r;
    else
        trace_close(r);
    return ok;
}

/* With both ends, every limit has a member: its own, or the next lower one, which holds no more CTAs than allowed. */
static bool check_complete(family *f, const char *path, trace_err *err)
{
    f->nmax = launch_of(any_member(f), f->options.launch)->desc.nmax;
    if (!f->members[1] || !f->members[f->nmax])
        return fail(err, "family of %s: no recording at CTA limit %u; record it or leave the family out", path,
                    f->members[1] ? f->nmax : 1);
    for (unsigned limit = 1; limit <= f->nmax; limit++)
        f->plays[limit] = f->members[limit] ? limit : f->plays[limit - 1];
    return true;
}

/* The launch is as long as it is in the recording that plays first. */
static bool start_pace(family *f)
{
    trace_reader *r = f->members[f->nmax];

    if (f->options.pace && !trace_seek_instructions(r, f->options.launch, UINT64_MAX, &f->err))
        return false;
    if (f->options.pace)
        pace_start(f->options.pace, trace_launch_instructions(r));
    return true;
}

static int rewind_to_start(void *self)
{
    family *f = self;

    f->err.text[0] = '\0';
    f->current = f->nmax;
    f->laps = 1;
    f->moves = 0;
    f->cycles = 0;
    f->at_lap_start = true;
    for (unsigned limit = 1; limit <= f->nmax; limit++)
        if (f->members[limit] && !trace_select_sm(f->members[limit], f->options.sm, &f->err))
            return 0;
    return start_pace(f) && trace_seek_launch(f->members[f->current], f->options.launch, &f->err);
}

family *family_open(const char *const *paths, unsigned num_paths, const family_options *options,
                    trace_err *err)
{
    family *f = calloc(1, sizeof *f);
    bool ok = f != NULL && num_paths > 0;

    if (!ok)
        fail(err, "%s: no recordings (%u given)", "family", num_paths);
    else
        f->options = *options;
    for (unsigned i = 0; ok && i < num_paths; i++)
        ok = add_member(f, paths[i], err);
    ok = ok && check_complete(f, paths[0], err);
    if (ok && !rewind_to_start(f)) {
        *err = f->err;
        ok = false;
    }
    if (!ok) {
        family_close(f);
        return NULL;
    }
    return f;
}

void family_close(family *f)
{
    if (!f)
        return;
    for (unsigned limit = 1; limit <= BALLAST_MAX_SLOTS; limit++)
        trace_close(f->members[limit]);
    free(f);
}

/* ---- playing --------------------------------------------------------------------- */

static const trace_sm_info *sm_of(const trace_reader *r, unsigned sm)
{
    for (unsigned i = 0; i < trace_num_sms(r); i++)
        if (trace_get_sm(r, i)->sm == sm)
            return trace_get_sm(r, i);
    return NULL;
}

/* The cycle after the SM's last one of the launch. */
static uint64_t end_of_launch(const trace_reader *r, const trace_sm_info *sm, unsigned launch)
{
    const trace_meta *meta = trace_get_meta(r);
    const uint64_t end = sm->first_cycle + sm->cycles;

    if (launch + 1u < meta->num_launches && meta->launches[launch + 1].start_cycle < end)
        return meta->launches[launch + 1].start_cycle;
    return end;
}

/* As many cycles after the start of the launch, or at its end. */
static bool seek_distance(const family *f, trace_reader *to, uint64_t cycles, trace_err *err)
{
    const uint64_t target = launch_of(to, f->options.launch)->start_cycle + cycles;
    const uint64_t end = end_of_launch(to, sm_of(to, f->options.sm), f->options.launch);

    return trace_seek_cycle(to, target < end ? target : end - 1, err);
}

/* To the recording of `limit`, where the kernel has got equally far. */
static bool move_to(family *f, unsigned limit)
{
    trace_reader *from = f->members[f->current], *to = f->members[limit];
    const unsigned launch = f->options.launch;
    const uint64_t instructions = trace_launch_instructions(from);
    bool ok;

    if (instructions == 0) {
        /* Nothing issued yet: progress says nothing, so keep the distance from the start. */
        const uint64_t since = trace_cycle(from) - launch_of(from, launch)->start_cycle;

        ok = seek_distance(f, to, since + 1, &f->err);
    } else if (f->options.progress == FAMILY_CTAS) {
        ok = trace_seek_ctas(to, launch, trace_launch_ctas(from), &f->err);
    } else {
        ok = trace_seek_instructions(to, launch, instructions, &f->err);
    }
    f->current = limit;
    f->moves++;
    return ok;
}

static bool start_lap(family *f)
{
    f->laps++;
    f->at_lap_start = true;
    if (f->options.pace)
        pace_again(f->options.pace, f->cycles);
    return trace_seek_launch(f->members[f->current], f->options.launch, &f->err);
}

/* The next recorded cycle of the launch; NULL where the launch ends. */
static const sm_obs *next_of_launch(family *f)
{
    trace_reader *r = f->members[f->current];
    const sm_obs *obs = trace_next(r, &f->err);

    return obs && trace_launch_index(r) == f->options.launch ? obs : NULL;
}

static bool continues(const family *f)
{
    return f->options.restart == FAMILY_CONTINUE;
}

/* The kernel starts once: when the first lap starts, or with every lap as a new launch. */
static bool starts(const family *f, const sm_obs *obs)
{
    return obs->kernel_start && f->at_lap_start && (f->laps == 1 || !continues(f));
}

static const sm_obs *edit(family *f, const sm_obs *obs)
{
    const bool as_recorded = !obs->kernel_start || starts(f, obs);

    f->at_lap_start = false;
    if (as_recorded)
        return obs;
    f->edited = *obs;
    f->edited.kernel_start = 0;
    return &f->edited;
}

static const sm_obs *next_cycle(family *f, unsigned limit, bool converged)
{
    const sm_obs *obs;

    limit = f->plays[limit < f->nmax ? limit : f->nmax];
    if (f->cycles > 0 && limit > 0 && limit != f->current && !move_to(f, limit))
        return NULL;
    for (;;) {
        obs = next_of_launch(f);
        if (f->err.text[0])
            return NULL;
        if (!obs) {
            /* One more lap after convergence would show nothing new. */
            if (converged || f->laps >= f->options.max_laps || !start_lap(f))
                return NULL;
        } else if (obs->cta_active || starts(f, obs) || !continues(f)) {
            f->cycles++;
            if (f->options.pace)
                pace_cycle(f->options.pace, f->cycles, obs->cta_active != 0, trace_launch_instructions(f->members[f->current]));
            return edit(f, obs);
        }
    }
}

static const sm_obs *const *next(void *self, const feedback *last)
{
    family *f = self;

    f->now = next_cycle(f, feedback_limit(last, 0), last->converged);
    return f->now ? &f->now : NULL;
}

static uint64_t cycle(void *self)
{
    return ((family *)self)->cycles;
}

static const char *error(void *self)
{
    return ((family *)self)->err.text;
}

stimulus family_stimulus(family *f)
{
    return (stimulus){f, next, cycle, rewind_to_start, error};
}

const family_options *family_how(const family *f)
{
    return &f->options;
}

trace_reader *family_member(const family *f, unsigned limit)
{
    return f->members[limit];
}

unsigned family_plays(const family *f, unsigned limit)
{
    return f->plays[limit];
}

const trace_launch *family_launch(const family *f)
{
    return launch_of(f->members[f->nmax], f->options.launch);
}

const trace_meta *family_meta(const family *f)
{
    return trace_get_meta(f->members[f->nmax]);
}

unsigned family_laps(const family *f)
{
    return f->laps;
}

uint64_t family_moves(const family *f)
{
    return f->moves;
}

unsigned family_longest_launch(const trace_reader *r, const char *kernel_name)
{
    const trace_meta *meta = trace_get_meta(r);
    unsigned best = 0;
    uint64_t best_cycles = 0;

    for (unsigned i = 0; i < meta->num_launches; i++) {
        const uint64_t start = meta->launches[i].start_cycle;
        const uint64_t end = end_of_launch(r, trace_get_sm(r, 0), i);

        if (kernel_name && strcmp(kernel_name, meta->launches[i].name) != 0)
            continue;
        if (end > start && end - start > best_cycles) {
            best_cycles = end - start;
            best = i;
        }
    }
    return best;
}
