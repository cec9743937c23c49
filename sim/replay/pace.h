/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast an SM gets through a launch: in which cycle each of its segments ends, which have as many instructions each. Of a recording,
 * and of a family replay, which may play the launch again and again.
 */
#ifndef BALLAST_PACE_H
#define BALLAST_PACE_H

#include "recording/trace.h"

/* Instructions come in bursts, which lie elsewhere in each recording. The shorter the segments, the more a comparison of recordings in
 * each of them is one of bursts and waits: with 64, the oracle of a kernel that waits for its loads goes from burst to burst. */
enum { PACE_SEGMENTS = 16, PACE_POINTS = 128 * PACE_SEGMENTS /* segments beyond are not kept */, PACE_PASSES = 1024 /* nor passes */ };

typedef struct pace {
    uint64_t instructions; /* of the launch; 0: it has no segments */
    unsigned segment;      /* that is not over, from 1; above PACE_SEGMENTS: this pass has no more */
    uint64_t end;          /* of it, in instructions               */
    uint64_t spent, since; /* cycles with a CTA: in segments that are over, in this one */
    unsigned passes;              /* over the launch, that have begun */
    uint64_t began[PACE_PASSES];  /* the first cycle of each          */
    unsigned num;
    struct {
        uint64_t cycle, spent; /* of the replay; with a CTA, in all segments so far         */
        unsigned segment;      /* that ended. One smaller than before is of another pass    */
    } point[PACE_POINTS];
} pace;

/* The launch begins, for the first time or again after so many cycles. What came after the last segment is in none. */
void pace_start(pace *p, uint64_t instructions);
void pace_again(pace *p, uint64_t cycles);
/* In which pass a cycle is, from 1; 0 beyond those that are kept. */
unsigned pace_pass(const pace *p, uint64_t cycle);
void pace_end_segment(pace *p, uint64_t cycle);

/* The `held` cycles before the next one were cycles without an end of a segment. */
static inline void pace_wait(pace *p, uint64_t held)
{
    p->since += held;
}

/* A cycle of the replay, by whose end the SM has issued so many instructions of the launch. */
static inline void pace_cycle(pace *p, uint64_t cycle, bool held, uint64_t issued)
{
    p->since += held;
    while (p->segment <= PACE_SEGMENTS && issued >= p->end)
        pace_end_segment(p, cycle);
}

#endif
