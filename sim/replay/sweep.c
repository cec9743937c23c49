/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/sweep.h"

static const double worthwhile = 1.02; /* PS-E4 */

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

/* Of the next lower limit that was recorded; 0: there is none. */
static double speed_in_place(const sweep *s, unsigned limit)
{
    double speed = 0;

    for (unsigned n = 1; n <= limit; n++)
        if (s->ipc[n] > 0)
            speed = s->ipc[n];
    return speed;
}

double sweep_speed(const sweep *s, unsigned limit)
{
    double best = 0;

    for (unsigned n = 1; n <= s->nmax; n++)
        best = s->ipc[n] > best ? s->ipc[n] : best;
    return best > 0 && limit <= s->nmax ? 100 * speed_in_place(s, limit) / best : 0;
}

sweep sweep_of(const breakdown *b)
{
    sweep s = {.nmax = b->nmax};

    for (unsigned limit = 1; limit <= b->nmax; limit++)
        if (b->at[limit].cycles)
            s.ipc[limit] = (double)b->at[limit].instructions / (double)b->at[limit].cycles;
    s.optimum = sweep_optimum(&s);
    return s;
}

bool sweep_measure(sweep *s, const char *const *paths, unsigned num_paths, unsigned sm, unsigned launch,
                   trace_err *err)
{
    breakdown b;
    const bool ok = breakdown_measure(&b, paths, num_paths, sm, launch, err);

    *s = sweep_of(&b);
    return ok;
}
