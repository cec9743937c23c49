/* SPDX-License-Identifier: Apache-2.0
 *
 * The fastest recorded limit in each segment of a launch. A change of the limit costs nothing, so this is a lower bound, and no policy.
 */
#ifndef BALLAST_REPLAY_ORACLE_H
#define BALLAST_REPLAY_ORACLE_H

#include "replay/breakdown.h"
#include "replay/pace.h"

typedef struct replay_oracle {
    uint64_t instructions; /* of the launch at Nmax, which has all segments; 0: there is nothing to say */
    unsigned nmax, phases; /* runs of segments with the same limit                                      */
    unsigned reached[BALLAST_MAX_SLOTS + 1];                   /* by limit: so many segments are recorded */
    uint64_t cycles[BALLAST_MAX_SLOTS + 1][PACE_SEGMENTS + 1]; /* up to the end of a segment              */
    unsigned limit[PACE_SEGMENTS + 1];                         /* the fastest in each segment, from 1     */
    uint64_t dynamic[PACE_SEGMENTS + 1];                       /* up to its end, with these               */
} replay_oracle;

/* Of the recordings whose breakdown is `b`. Of limits that are equally fast it is the one before, else the fewest CTAs. */
bool replay_oracle_measure(replay_oracle *o, const breakdown *b, const char *const *paths, unsigned num_paths, unsigned sm, unsigned launch,
                           trace_err *err);
/* The same of what is decoded: by limit, NULL where nothing is recorded. */
void replay_oracle_of(replay_oracle *o, const breakdown *b, const unrolled *const *members);
/* Cycles over those of a fixed limit in percent, so at most 0, over the segments that are recorded at it; 0 without any. */
double replay_oracle_cost(const replay_oracle *o, unsigned fixed);

#endif
