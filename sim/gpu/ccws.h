/* SPDX-License-Identifier: Apache-2.0
 *
 * Cache-conscious wavefront scheduling: which warps of an SM may load (T. G. Rogers, M. O'Connor, T. M. Aamodt, "Cache-Conscious
 * Wavefront Scheduling", MICRO 2012; LCS and Equalizer compare with it).
 *
 * Each warp has the tags of the lines that it had fetched and L1 has thrown out. A warp that misses a line of its own lost it to
 * others: its score rises, and falls back by one per cycle. The warps with the highest scores load, as many as the base scores of
 * all of them pay for.
 */
#ifndef BALLAST_CCWS_H
#define BALLAST_CCWS_H

#include <stdint.h>

#include "bus/sm_obs.h"

enum {
    CCWS_SETS = 2, CCWS_WAYS = 8, /* of a warp's victim tags                                       */
    CCWS_BASE = 100,              /* the score of a warp that has lost nothing                     */
    CCWS_THROTTLE = 8             /* how much a loss weighs                                        */
};

typedef struct ccws {
    uint64_t victims[BALLAST_MAX_WARPS][CCWS_SETS][CCWS_WAYS]; /* line + 1, the latest first; 0: none */
    uint64_t base_from[BALLAST_MAX_WARPS]; /* the cycle from which on its score is the base again  */
    uint64_t latest;                       /* of these                                             */
    uint64_t losses;                       /* since the kernel's start                             */
} ccws;

/* A kernel begins. */
void ccws_clear(ccws *c);
/* Another warp is in the warp slot. */
void ccws_begin(ccws *c, unsigned warp);
/* L1 throws out a line that this warp had fetched. */
void ccws_throw_out(ccws *c, unsigned warp, uint64_t line);
/* A load of the warp misses the line. `issued`: instructions since the kernel's start; `warps`: that are resident. */
void ccws_miss(ccws *c, unsigned warp, uint64_t line, uint64_t cycle, uint64_t issued, unsigned warps);
uint64_t ccws_score(const ccws *c, unsigned warp, uint64_t cycle);
/* The warps that may load: bit mask. `by_age`: the resident ones, the oldest first, who go first among equals. */
uint64_t ccws_may_load(const ccws *c, const uint8_t *by_age, unsigned warps, uint64_t cycle);

#endif
