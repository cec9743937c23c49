/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast an SM gets through a launch: the launch is cut into segments of as many instructions each, and this holds the cycle in
 * which each of them ended. Of a recording, and of a family replay, which may play the launch again and again.
 */
#ifndef BALLAST_PACE_H
#define BALLAST_PACE_H

#include "recording/trace.h"

/* Instructions come in bursts, which lie elsewhere in each recording. The shorter the segments, the more a comparison of recordings in
 * each of them is one of bursts and waits: with 64 instead of 16 the oracle of a kernel that waits for its loads goes from burst to burst. */
enum { PACE_SEGMENTS = 16,
       PACE_POINTS = 128 * PACE_SEGMENTS /* segments beyond are not kept */ };

/* The end of a segment, from 1. It is smaller than that of the point before: another pass. */
typedef struct pace_point {
    uint64_t cycle; /* of the replay */
    uint64_t spent; /* so many cycles with a CTA, in all segments so far */
    unsigned segment;
} pace_point;

typedef struct pace {
    uint64_t instructions; /* of the launch; 0: it has no segments */
    unsigned next;         /* the segment that is not over; above PACE_SEGMENTS: the pass has no more */
    uint64_t end;          /* of this one, in instructions         */
    uint64_t spent, since; /* cycles with a CTA: in segments that are over, in this one */
    unsigned num;
    pace_point point[PACE_POINTS];
} pace;

void pace_start(pace *p, uint64_t instructions);
/* The launch begins again. What came after the last segment's end is in no segment. */
void pace_pass(pace *p);
void pace_end_segment(pace *p, uint64_t cycle);

/* A cycle of the replay, by whose end the SM has issued so many instructions of the launch. */
static inline void pace_cycle(pace *p, uint64_t cycle, bool held, uint64_t issued)
{
    p->since += held;
    while (p->next <= PACE_SEGMENTS && issued >= p->end)
        pace_end_segment(p, cycle);
}

/* The instructions of the launch in this recording of it. The reader is somewhere else afterwards. */
bool pace_of_launch(trace_reader *r, unsigned launch, uint64_t *instructions, trace_err *err);

#endif
