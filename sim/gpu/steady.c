/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/steady.h"

#include <math.h>
#include <string.h>

/* Equalizer and DYNCTA never say that they have decided. */
static bool says_when(uint8_t policy)
{
    return policy != BALLAST_POLICY_EQUALIZER && policy != BALLAST_POLICY_DYNCTA;
}

void steady_open(steady *s, chip_sim *sim, run_watch *watch, const run_request *request)
{
    memset(s, 0, sizeof *s);
    s->sim = sim;
    s->watch = watch;
    s->least = request->steady;
    s->decides = says_when(request->policy);
}

static bool is_long(const steady *s, const steady_mark *from, const steady_mark *to)
{
    return to->done.counts.cycles - from->done.counts.cycles >= s->least &&
           to->done.counts.ctas - from->done.counts.ctas >= (uint64_t)STEADY_TURNS * sim_resident(s->sim);
}

/* ---- are two pieces alike? ---------------------------------------------------------- */

enum { MEASURES = 5 };

/* Per cycle. A level that changes shows in the time. */
static void measure(const steady_mark *from, const steady_mark *to, double m[MEASURES])
{
    const double cycles = (double)(to->done.counts.cycles - from->done.counts.cycles);

    m[0] = (double)(to->done.counts.instructions - from->done.counts.instructions) / cycles;
    m[1] = (double)(to->done.counts.sm_ticks[BALLAST_VF_NORMAL] - from->done.counts.sm_ticks[BALLAST_VF_NORMAL]) / cycles;
    m[2] = (double)(to->done.counts.mem_ticks[BALLAST_VF_NORMAL] - from->done.counts.mem_ticks[BALLAST_VF_NORMAL]) / cycles;
    m[3] = (to->watch.limit - from->watch.limit) / cycles;
    m[4] = (to->watch.resident - from->watch.resident) / cycles;
}

static bool alike(const steady_mark *a, const steady_mark *b, const steady_mark *c)
{
    double one[MEASURES], other[MEASURES];

    measure(a, b, one);
    measure(b, c, other);
    for (unsigned i = 0; i < MEASURES; i++)
        if (fabs(one[i] - other[i]) > STEADY_ALIKE * fmax(one[i], other[i]))
            return false;
    return true;
}

/* ---- a look -------------------------------------------------------------------------- */

static void leap(steady *s)
{
    run_watch_leap(s->watch, &s->mark[0].watch, sim_leap(s->sim, &s->mark[0].done));
    s->over = true;
}

static void end_piece(steady *s, const steady_mark *now)
{
    if (s->marks >= 3 && alike(&s->mark[0], &s->mark[1], now)) {
        leap(s);
        return;
    }
    s->mark[0] = s->mark[1];
    s->mark[1] = *now;
    s->marks++;
}

static const char *look(void *self, uint64_t cycle, const sm_obs *const *obs, const chip_governor_out *out)
{
    steady *s = self;
    steady_mark now;

    (void)obs;
    (void)out;
    if (s->over || cycle % STEADY_LOOK || (s->decides && !s->watch->all_decided))
        return NULL;
    sim_mark_now(s->sim, &now.done);
    now.watch = *s->watch;
    if (!s->marks || is_long(s, &s->mark[1], &now))
        end_piece(s, &now);
    return NULL;
}

loop_tap steady_tap(steady *s)
{
    return (loop_tap){s, look};
}
