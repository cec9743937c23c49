/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/pace.h"

/* Rounded up: before the first instruction no segment is over. */
static void expect_segment(pace *p, unsigned segment)
{
    p->next = segment;
    p->end = (p->instructions * segment + PACE_SEGMENTS - 1) / PACE_SEGMENTS;
}

void pace_start(pace *p, uint64_t instructions)
{
    p->instructions = instructions;
    p->spent = 0;
    p->num = 0;
    pace_pass(p);
}

void pace_pass(pace *p)
{
    p->since = 0;
    expect_segment(p, p->instructions ? 1 : PACE_SEGMENTS + 1);
}

void pace_end_segment(pace *p, uint64_t cycle)
{
    p->spent += p->since;
    p->since = 0;
    if (p->num < PACE_POINTS)
        p->point[p->num++] = (pace_point){cycle, p->spent, p->next};
    expect_segment(p, p->next + 1);
}

bool pace_of_launch(trace_reader *r, unsigned launch, uint64_t *instructions, trace_err *err)
{
    if (!trace_seek_instructions(r, launch, UINT64_MAX, err))
        return false;
    *instructions = trace_launch_instructions(r);
    return true;
}
