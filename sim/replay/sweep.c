/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/sweep.h"

#include <string.h>

static const double worthwhile = 1.02; /* PS-E4 */

static bool measure_launch(trace_reader *r, unsigned sm, unsigned launch, double *ipc, trace_err *err)
{
    uint64_t cycles = 0, busy = 0, instructions = 0;
    const sm_obs *obs;

    if (!trace_select_sm(r, sm, err) || !trace_seek_launch(r, launch, err))
        return false;
    while ((obs = trace_next(r, err)) && trace_launch_index(r) == launch) {
        cycles++;
        if (obs->cta_active)
            busy = cycles;
        instructions = trace_launch_instructions(r);
    }
    *ipc = busy ? (double)instructions / (double)busy : 0;
    return err->text[0] == '\0';
}

static bool measure_file(sweep *s, const char *path, unsigned sm, unsigned launch, trace_err *err)
{
    trace_reader *r = trace_open(path, NULL, err);
    unsigned limit;
    bool ok;

    if (!r)
        return false;
    limit = trace_get_meta(r)->launches[launch].limit;
    s->nmax = trace_get_meta(r)->launches[launch].desc.nmax;
    ok = s->ipc[limit] > 0 || measure_launch(r, sm, launch, &s->ipc[limit], err);
    trace_close(r);
    return ok;
}

static bool enough(const sweep *s, unsigned limit)
{
    for (unsigned more = limit + 1; more <= s->nmax; more++)
        if (s->ipc[more] >= worthwhile * s->ipc[limit])
            return false;
    return true;
}

unsigned sweep_optimum(const sweep *s)
{
    unsigned limit = 1;

    while (limit < s->nmax && !enough(s, limit))
        limit++;
    return limit;
}

double sweep_speed(const sweep *s, unsigned limit)
{
    double best = 0;

    for (unsigned n = 1; n <= s->nmax; n++)
        best = s->ipc[n] > best ? s->ipc[n] : best;
    return best > 0 && limit >= 1 && limit <= s->nmax ? 100 * s->ipc[limit] / best : 0;
}

bool sweep_measure(sweep *s, const char *const *paths, unsigned num_paths, unsigned sm, unsigned launch,
                   trace_err *err)
{
    memset(s, 0, sizeof *s);
    err->text[0] = '\0';
    for (unsigned i = 0; i < num_paths; i++)
        if (!measure_file(s, paths[i], sm, launch, err))
            return false;
    s->optimum = sweep_optimum(s);
    return true;
}
