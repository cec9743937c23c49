/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of warps by what they do in a cycle, for stall_classifier's rules.
 */
#ifndef BALLAST_STALL_CLASSIFIER_WARPS_H
#define BALLAST_STALL_CLASSIFIER_WARPS_H

#include "sm/stall_classifier.h"

/* Those that are not paused, by the code of their state. */
static inline uint64_t stall_classifier_in_state(const stall_classifier_in *in, const stall_classifier_cfg *cfg, unsigned code)
{
    const uint64_t slots = cfg->num_warps < 64 ? (UINT64_C(1) << cfg->num_warps) - 1 : UINT64_MAX;

    return (code & 1 ? in->ws0 : ~in->ws0) & (code & 2 ? in->ws1 : ~in->ws1) & (code & 4 ? in->ws2 : ~in->ws2) &
           (code & 8 ? in->ws3 : ~in->ws3) & ~in->paused & slots;
}

#define STALL_IN(code) stall_classifier_in_state(in, cfg, code)
#define STALL_ISSUED (STALL_IN(BALLAST_WARP_ISSUED_ALU) | STALL_IN(BALLAST_WARP_ISSUED_MEM))
#define STALL_READY_ALU (STALL_IN(BALLAST_WARP_ALU_LOST) | STALL_IN(BALLAST_WARP_ALU_BLOCKED))
#define STALL_READY_MEM (STALL_IN(BALLAST_WARP_MEM_LOST) | STALL_IN(BALLAST_WARP_MEM_BLOCKED))
#define STALL_READY (STALL_READY_ALU | STALL_READY_MEM)
#define STALL_WAITING (STALL_IN(BALLAST_WARP_WAIT_ALU) | STALL_IN(BALLAST_WARP_WAIT_MEM))

#endif
