/* SPDX-License-Identifier: Apache-2.0
 *
 * gwde for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/gwde/bind.h"

#define BLOCK_NAME gwde
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 1
#define BLOCK_NEEDS(N)

/* P(RTL parameter, field of gwde_cfg) */
#define BLOCK_PARAMS(P)             \
    P(NumSms, num_sms)              \
    P(Fill, fill)                   \
    P(RrAdvance, rr_advance)        \
    P(OddLimit, odd_limit)          \
    P(PairRowWrap, bcs.pair_row_wrap) \
    P(NumSlots, sm.num_slots)       \
    P(NumWarps, num_warps)          \
    P(RegUnits, reg_units)          \
    P(SmemUnits, smem_units)

#define BLOCK_LANES(cfg) ((cfg)->num_sms)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)                               \
    X(start, 1, PLAIN)                                \
    X(grid, 32, PLAIN)                                \
    X(warps, width_of(cfg->num_warps + 1), PLAIN)  \
    X(regs, width_of(cfg->reg_units + 1), PLAIN)   \
    X(smem, width_of(cfg->smem_units + 1), PLAIN)  \
    X(width, 32, PLAIN)                               \
    X(two_d, 1, PLAIN)                                \
    X(bcs, 1, PLAIN)

/* S(input, its value when nobody sets it) */
#define BLOCK_SETTINGS(S) S(bcs, 0)

/* L(name, width, names of its values): one per SM. */
#define BLOCK_LANE_INPUTS(L)                          \
    L(limit, width_of(cfg->sm.num_slots), PLAIN)      \
    L(req, 1, PLAIN)                                  \
    L(cta_done, cfg->sm.num_slots, PLAIN)

/* No range: every input is defined with every value. */
#define BLOCK_LANE_RANGES(R)

#define BLOCK_OUTPUTS(X)                              \
    X(idle, 1, PLAIN)                                 \
    X(exhausted, 1, PLAIN)                            \
    X(too_big, 1, PLAIN)                              \
    X(start_valid, 1, PLAIN)                          \
    X(start_sm, width_of(cfg->num_sms + 1 / cfg->num_sms - 1), PLAIN)    \
    X(start_slot, width_of(cfg->sm.num_slots + 1 / cfg->sm.num_slots - 1), PLAIN) \
    X(start_cta, 32, PLAIN)

#define BLOCK_LANE_OUTPUTS(L)                         \
    L(cta_start, cfg->sm.num_slots, PLAIN)            \
    L(cta_active, cfg->sm.num_slots, PLAIN)           \
    L(denied, 1, PLAIN)

#define BLOCK_REGISTERS(X)                            \
    X(left, 32, PLAIN)                                \
    X(cta, 32, PLAIN)                                 \
    X(warps, width_of(cfg->num_warps + 1), PLAIN)  \
    X(regs, width_of(cfg->reg_units + 1), PLAIN)   \
    X(smem, width_of(cfg->smem_units + 1), PLAIN)  \
    X(most, width_of(cfg->sm.num_slots), PLAIN)       \
    X(sum_warps, width_of(cfg->num_warps + 1) + 1, PLAIN) \
    X(sum_regs, width_of(cfg->reg_units + 1) + 1, PLAIN) \
    X(sum_smem, width_of(cfg->smem_units + 1) + 1, PLAIN) \
    X(too_big, 1, PLAIN)                              \
    X(ptr, width_of(cfg->num_sms + 1 / cfg->num_sms - 1), PLAIN)         \
    X(still, 1, PLAIN)                                \
    X(start_valid, 1, PLAIN)                          \
    X(start_sm, width_of(cfg->num_sms + 1 / cfg->num_sms - 1), PLAIN)    \
    X(start_slot, width_of(cfg->sm.num_slots + 1 / cfg->sm.num_slots - 1), PLAIN)

/* P(field, block): instance u_<field>. */
#define BLOCK_PARTS(P) P(bcs, bcs)
/* P(field, block, count): instances gen_<field>[i].u_<field>. */
#define BLOCK_PART_ARRAYS(P) P(sm, sm_resources, cfg->num_sms)
