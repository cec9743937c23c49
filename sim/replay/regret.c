/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/regret.h"

static unsigned first_pass(const pace *p)
{
    unsigned num = 0;

    while (num < p->num && p->point[num].segment == num + 1)
        num++;
    return num;
}

/* By the end of a segment of the first pass; its cycles are some, as an instruction takes one. */
static double over(const pace *p, const uint64_t *cycles, unsigned segment)
{
    return segment ? 100 * ((double)p->point[segment - 1].spent / (double)cycles[segment] - 1) : 0;
}

void regret_of(regret *r, const replay_oracle *o, const pace *p, unsigned best)
{
    const unsigned first = o->instructions ? first_pass(p) : 0;
    const unsigned step = 1 + (p->num - first) / (REGRET_POINTS - PACE_SEGMENTS);
    uint64_t oracle = 0;

    *r = (regret){.segments = first, .percent = over(p, o->dynamic, first)};
    r->cost = over(p, o->cycles[best], first < o->reached[best] ? first : o->reached[best]);
    for (unsigned i = 0; i < p->num && first; i++) {
        oracle += o->dynamic[p->point[i].segment] - o->dynamic[p->point[i].segment - 1];
        if (i >= first && (p->num - 1 - i) % step)
            continue;
        r->point[r->num].cycle = p->point[i].cycle;
        r->point[r->num++].lost = (int64_t)(p->point[i].spent - oracle);
    }
}
