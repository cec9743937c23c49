/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests: warps that do what Equalizer has a name for.
 */
#ifndef BALLAST_WORKS_H
#define BALLAST_WORKS_H

#include <stdint.h>

#include "sm/sm_governor.h"

enum { WCTA = 8, ALL_WARPS = 48 };

/* What the warps do for a whole epoch, by the line of Algorithm 1 that it leads to. */
enum work {
    WORK_NONE,      /* degenerate: at a barrier, no action */
    WORK_MEM,       /* line 7: one CTA less, MemAction     */
    WORK_COMP,      /* line 10: CompAction                 */
    WORK_SOME_MEM,  /* line 12: MemAction                  */
    WORK_WAIT_COMP, /* line 17: one CTA more, CompAction   */
    WORK_WAIT_MEM,  /* line 19: one CTA more, MemAction    */
    WORK_IDLE       /* line 21: CompAction                 */
};

static inline void set_warps(sm_governor_in *in, unsigned first, unsigned n, unsigned warp_state)
{
    const uint64_t mask = ((UINT64_C(1) << n) - 1) << first;

    in->ws0 = (in->ws0 & ~mask) | (warp_state & 1 ? mask : 0);
    in->ws1 = (in->ws1 & ~mask) | (warp_state & 2 ? mask : 0);
    in->ws2 = (in->ws2 & ~mask) | (warp_state & 4 ? mask : 0);
    in->ws3 = (in->ws3 & ~mask) | (warp_state & 8 ? mask : 0);
}

static inline void show(sm_governor_in *in, enum work work)
{
    static const uint8_t most[] = {BALLAST_WARP_BARRIER, BALLAST_WARP_MEM_BLOCKED, BALLAST_WARP_ALU_BLOCKED, BALLAST_WARP_BARRIER,
                                   BALLAST_WARP_WAIT_ALU, BALLAST_WARP_WAIT_MEM, BALLAST_WARP_EMPTY};

    set_warps(in, 0, ALL_WARPS, most[work]);
    if (work == WORK_SOME_MEM) /* more than 2, not more than a CTA's */
        set_warps(in, 5, 4, BALLAST_WARP_MEM_BLOCKED);
    if (work == WORK_WAIT_COMP)
        set_warps(in, 30, 2, BALLAST_WARP_ALU_BLOCKED);
}

#endif
