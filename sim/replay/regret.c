/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/regret.h"

static unsigned first_pass(const pace *p)
{
    unsigned num = 0;

    while (num < p->num && p->point[num].segment == num + 1)
        num++;
    return num;
}

static double over(uint64_t cycles, uint64_t least)
{
    return least ? 100 * ((double)cycles / (double)least - 1) : 0;
}

static void hold_first_pass(regret *r, const replay_oracle *o, const pace *p, unsigned best)
{
    const unsigned both = r->segments < o->reached[best] ? r->segments : o->reached[best];

    if (r->segments)
        r->percent = over(p->point[r->segments - 1].spent, o->dynamic[r->segments]);
    if (both)
        r->cost = over(p->point[both - 1].spent, o->cycles[best][both]);
}

void regret_of(regret *r, const replay_oracle *o, const pace *p, unsigned best)
{
    const unsigned first = o->instructions ? first_pass(p) : 0, later = p->num - first;
    const unsigned step = 1 + later / (REGRET_POINTS - PACE_SEGMENTS);
    uint64_t oracle = 0;

    *r = (regret){.segments = first};
    hold_first_pass(r, o, p, best);
    for (unsigned i = 0; i < p->num && first; i++) {
        const pace_point *at = &p->point[i];

        oracle += o->dynamic[at->segment] - o->dynamic[at->segment - 1];
        if (i < first || (p->num - 1 - i) % step == 0)
            r->point[r->num++] = (regret_point){at->cycle, (int64_t)at->spent - (int64_t)oracle};
    }
}
