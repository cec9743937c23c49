/* SPDX-License-Identifier: Apache-2.0
 *
 * warp_scheduler for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/warp_scheduler/bind.h"

#define BLOCK_NAME warp_scheduler
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 0
#define BLOCK_NEEDS(N)

/* P(RTL parameter, field of warp_scheduler_cfg) */
#define BLOCK_PARAMS(P)                 \
    P(NumWarps, num_warps)              \
    P(NumSlots, num_slots)              \
    P(GroupSize, group_size)            \
    P(ScaBothStall, sca_both_stall)     \
    P(ScaNext, sca_next)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)                                       \
    X(enable, 1, PLAIN)                                       \
    X(policy, 2, NAMES(warp_scheduler_policy_names))          \
    X(pause_soft, 1, PLAIN)                                   \
    X(ready, cfg->num_warps, PLAIN)                           \
    X(present, cfg->num_warps, PLAIN)                         \
    X(paused, cfg->num_warps, PLAIN)                          \
    X(slot0, cfg->num_warps, PLAIN)                           \
    X(slot1, cfg->num_warps, PLAIN)                           \
    X(slot2, cfg->num_warps, PLAIN)                           \
    X(slot3, cfg->num_warps, PLAIN)                           \
    X(slot4, cfg->num_warps, PLAIN)                           \
    X(warps_per_cta, width_of(cfg->num_warps), PLAIN)         \
    X(cta_start, cfg->num_slots, PLAIN)

/* S(input, its value when nobody sets it) */
#define BLOCK_SETTINGS(S)              \
    S(enable, 1)                       \
    S(policy, WARP_SCHEDULER_GTO)      \
    S(pause_soft, 0)

#define BLOCK_OUTPUTS(X)                             \
    X(pick, 1, PLAIN)                                \
    X(warp, width_of(cfg->num_warps - 1), PLAIN)

#define BLOCK_REGISTERS(X)                           \
    X(last, width_of(cfg->num_warps - 1), PLAIN)     \
    X(hold, 1, PLAIN)

/* A(field, count, width, names): one row per slot. */
#define BLOCK_REGISTER_ARRAYS(A) A(older, cfg->num_slots, cfg->num_slots, PLAIN)
