/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds an SM back at every recorded CTA limit: the cycles of a launch by the class that
 * stall_classifier gives them, as in Fig. 5 of the Perf-Sat paper.
 */
#ifndef BALLAST_BREAKDOWN_H
#define BALLAST_BREAKDOWN_H

#include "replay/unrolled.h"

enum breakdown_part {
    BREAKDOWN_ACTIVE,
    BREAKDOWN_PIPELINE_ALU,
    BREAKDOWN_PIPELINE_MEM,
    BREAKDOWN_SCOREBOARD_ALU,
    BREAKDOWN_SCOREBOARD_MEM,
    BREAKDOWN_IDLE,
    BREAKDOWN_PARTS
};

typedef struct breakdown {
    unsigned nmax;
    struct {
        uint64_t cycles; /* the sum of all parts; 0: not recorded */
        uint64_t instructions;
        uint64_t part[BREAKDOWN_PARTS];
        uint64_t held[BREAKDOWN_PARTS]; /* of part: cycles in which the SM held a CTA */
    } at[BALLAST_MAX_SLOTS + 1]; /* by limit */
} breakdown;

extern const char *const breakdown_names[BREAKDOWN_PARTS]; /* "active", "pipeline_alu" ... */

/* From the launch's start to the last cycle in which the SM held a CTA. */
bool breakdown_measure(breakdown *b, const char *const *paths, unsigned num_paths, unsigned sm, unsigned launch,
                       trace_err *err);
/* The same of what is decoded: by limit, up to Nmax, NULL where nothing is recorded. */
void breakdown_of(breakdown *b, const unrolled *const *members, unsigned nmax);

#endif
