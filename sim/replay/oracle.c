/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/oracle.h"

#include <string.h>

static bool play_launch(pace *p, trace_reader *r, unsigned sm, unsigned launch, trace_err *err)
{
    const sm_obs *obs;

    if (!trace_select_sm(r, sm, err) || !trace_seek_launch(r, launch, err))
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

/* Of two recordings with the same limit the first one counts. */
static bool measure_file(replay_oracle *o, const char *path, unsigned sm, unsigned launch, trace_err *err)
{
    static pace p;
    trace_reader *r = trace_open(path, NULL, err);
    const unsigned limit = r ? trace_get_meta(r)->launches[launch].limit : 0;
    bool ok = r != NULL;

    if (ok && !o->reached[limit]) {
        pace_start(&p, o->instructions);
        ok = play_launch(&p, r, sm, launch, err);
        keep(o, limit, &p);
    }
    trace_close(r);
    return ok;
}

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

static void choose(replay_oracle *o)
{
    for (unsigned segment = 1; segment <= o->reached[o->nmax]; segment++) {
        o->limit[segment] = fastest(o, segment);
        o->dynamic[segment] = o->dynamic[segment - 1] + cycles_of(o, o->limit[segment], segment);
        o->phases += o->limit[segment] != o->limit[segment - 1];
    }
}

bool replay_oracle_measure(replay_oracle *o, const breakdown *b, const char *const *paths, unsigned num_paths, unsigned sm, unsigned launch,
                           trace_err *err)
{
    bool ok = true;

    *o = (replay_oracle){.nmax = b->nmax, .instructions = b->at[b->nmax].instructions};
    err->text[0] = '\0';
    for (unsigned i = 0; i < num_paths && ok; i++)
        ok = measure_file(o, paths[i], sm, launch, err);
    if (ok)
        choose(o);
    return ok;
}

/* ---- of what is decoded ----------------------------------------------------------------- */

/* Cycles with a CTA up to this one. */
static uint64_t held_until(const unrolled *u, uint64_t cycle)
{
    uint64_t held = 0;

    for (const unrolled_event *e = unrolled_events(u); e->cycle <= cycle && e->cycle < u->cycles; e++)
        held += !e->active ? 0 : (e[1].cycle <= cycle ? e[1].cycle : cycle + 1) - e->cycle;
    return held;
}

void replay_oracle_of(replay_oracle *o, const breakdown *b, const unrolled *const *members)
{
    static pace p;

    *o = (replay_oracle){.nmax = b->nmax, .instructions = b->at[b->nmax].instructions};
    for (unsigned limit = 1; limit <= o->nmax; limit++) {
        const unrolled *u = members[limit];

        if (!u)
            continue;
        pace_start(&p, o->instructions);
        while (p.segment <= PACE_SEGMENTS && u->instructions >= p.end) {
            pace_wait(&p, held_until(u, unrolled_find_issued(u, p.end)) - p.spent);
            pace_end_segment(&p, 0);
        }
        keep(o, limit, &p);
    }
    choose(o);
}

double replay_oracle_cost(const replay_oracle *o, unsigned fixed)
{
    const unsigned last = o->reached[fixed];

    return last ? 100 * ((double)o->dynamic[last] / (double)o->cycles[fixed][last] - 1) : 0;
}
