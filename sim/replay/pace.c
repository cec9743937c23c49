/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/pace.h"

/* Ends are rounded up: before the first instruction no segment is over. */
static void begin_segment(pace *p, unsigned segment)
{
    p->since = 0;
    p->segment = segment;
    p->end = (p->instructions * segment + PACE_SEGMENTS - 1) / PACE_SEGMENTS;
}

void pace_start(pace *p, uint64_t instructions)
{
    p->instructions = instructions;
    p->spent = p->num = p->passes = 0;
    pace_again(p, 0);
}

void pace_again(pace *p, uint64_t cycles)
{
    if (p->passes < PACE_PASSES)
        p->began[p->passes] = cycles + 1;
    p->passes++;
    begin_segment(p, p->instructions ? 1 : PACE_SEGMENTS + 1);
}

void pace_end_segment(pace *p, uint64_t cycle)
{
    p->spent += p->since;
    if (p->num < PACE_POINTS) {
        p->point[p->num].cycle = cycle;
        p->point[p->num].spent = p->spent;
        p->point[p->num++].segment = p->segment;
    }
    begin_segment(p, p->segment + 1);
}

unsigned pace_pass(const pace *p, uint64_t cycle)
{
    const unsigned kept = p->passes < PACE_PASSES ? p->passes : PACE_PASSES;
    unsigned pass = 0;

    while (pass < kept && p->began[pass] <= cycle)
        pass++;
    return pass == kept && kept < p->passes ? 0 : pass;
}
