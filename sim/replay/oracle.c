/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- from recordings ------------------------------------------------------------------ */

static bool play_launch(pace *p, trace_reader *r, unsigned launch, trace_err *err)
{
    const sm_obs *obs;

    if (!trace_seek_launch(r, launch, err))
        return false;
    while ((obs = trace_next(r, err)) && trace_launch_index(r) == launch)
        pace_cycle(p, 0, obs->cta_active != 0, trace_launch_instructions(r));
    return err->text[0] == '\0';
}

static void keep(replay_oracle *o, unsigned limit, const pace *p)
{
    o->reached[limit] = p->num;
    for (unsigned i = 0; i < p->num; i++)
        o->cycles[limit][i + 1] = p->point[i].spent;
}

/* Opens the recording of the launch on this SM; its limit. */
static trace_reader *open_launch(const char *path, unsigned sm, unsigned launch, unsigned *limit, trace_err *err)
{
    trace_reader *r = trace_open(path, NULL, err);

    if (r && !trace_select_sm(r, sm, err)) {
        trace_close(r);
        return NULL;
    }
    *limit = r ? trace_get_meta(r)->launches[launch].limit : 0;
    return r;
}

/* The launch is as long as with Nmax, where a family replay begins. */
static bool find_length(replay_oracle *o, const char *path, unsigned sm, unsigned launch, trace_err *err)
{
    unsigned limit;
    trace_reader *r = open_launch(path, sm, launch, &limit, err);
    bool ok = r != NULL;

    if (ok)
        o->nmax = trace_get_meta(r)->launches[launch].desc.nmax;
    if (ok && limit == o->nmax && !o->instructions)
        ok = pace_of_launch(r, launch, &o->instructions, err);
    trace_close(r);
    return ok;
}

/* Of two recordings with the same limit the first one counts. */
static bool measure_file(replay_oracle *o, pace *p, const char *path, unsigned sm, unsigned launch, trace_err *err)
{
    unsigned limit;
    trace_reader *r = open_launch(path, sm, launch, &limit, err);
    const bool again = r && o->reached[limit];
    bool ok = r != NULL;

    pace_start(p, o->instructions);
    ok = ok && (again || play_launch(p, r, launch, err));
    if (ok && !again)
        keep(o, limit, p);
    trace_close(r);
    return ok;
}

bool replay_oracle_measure(replay_oracle *o, const char *const *paths, unsigned num_paths, unsigned sm, unsigned launch, trace_err *err)
{
    pace *p = malloc(sizeof *p);
    bool ok = p != NULL;

    memset(o, 0, sizeof *o);
    snprintf(err->text, sizeof err->text, "%s", ok ? "" : "out of memory");
    for (unsigned i = 0; ok && i < num_paths; i++)
        ok = find_length(o, paths[i], sm, launch, err);
    for (unsigned i = 0; ok && i < num_paths; i++)
        ok = measure_file(o, p, paths[i], sm, launch, err);
    free(p);
    replay_oracle_schedule(o);
    return ok;
}

/* ---- the schedule --------------------------------------------------------------------- */

/* Of a segment; UINT64_MAX: it is not recorded at this limit. */
static uint64_t cycles_of(const replay_oracle *o, unsigned limit, unsigned segment)
{
    return limit && segment <= o->reached[limit] ? o->cycles[limit][segment] - o->cycles[limit][segment - 1] : UINT64_MAX;
}

static unsigned fastest(const replay_oracle *o, unsigned segment)
{
    unsigned best = o->limit[segment - 1];

    for (unsigned limit = 1; limit <= o->nmax; limit++)
        if (cycles_of(o, limit, segment) < cycles_of(o, best, segment))
            best = limit;
    return best;
}

void replay_oracle_schedule(replay_oracle *o)
{
    o->phases = 0;
    for (unsigned segment = 1; segment <= PACE_SEGMENTS && o->reached[o->nmax] == PACE_SEGMENTS; segment++) {
        o->limit[segment] = fastest(o, segment);
        o->dynamic[segment] = o->dynamic[segment - 1] + cycles_of(o, o->limit[segment], segment);
        o->phases += o->limit[segment] != o->limit[segment - 1];
    }
}

double replay_oracle_cost(const replay_oracle *o, unsigned fixed)
{
    const unsigned last = o->reached[fixed];

    return o->cycles[fixed][last] ? 100 * ((double)o->dynamic[last] / (double)o->cycles[fixed][last] - 1) : 0;
}
