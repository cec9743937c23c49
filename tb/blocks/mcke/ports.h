/* SPDX-License-Identifier: Apache-2.0
 *
 * mcke for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/mcke/bind.h"

#define BLOCK_NAME mcke
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 1
#define BLOCK_NEEDS(N)

/* P(RTL parameter, field of mcke_cfg) */
#define BLOCK_PARAMS(P)             \
    P(NumKernels, sm.num_kernels)   \
    P(NumSms, num_sms)              \
    P(NumSlots, sm.num_slots)       \
    P(NumWarps, sm.num_warps)       \
    P(RegUnits, sm.reg_units)       \
    P(SmemUnits, sm.smem_units)

#define BLOCK_LANES(cfg) ((cfg)->num_sms)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)                               \
    X(mode, 2, PLAIN)                                 \
    X(start, 1, PLAIN)                                \
    X(kernel, width_of(cfg->sm.num_kernels - 1), PLAIN) \
    X(grid, 32, PLAIN)                                \
    X(warps, width_of(cfg->sm.num_warps + 1), PLAIN)  \
    X(regs, width_of(cfg->sm.reg_units + 1), PLAIN)   \
    X(smem, width_of(cfg->sm.smem_units + 1), PLAIN)

/* S(input, its value when nobody sets it) */
#define BLOCK_SETTINGS(S) S(mode, 0)

/* L(name, width, names of its values): one per SM. */
#define BLOCK_LANE_INPUTS(L)                          \
    L(limit, width_of(cfg->sm.num_slots), PLAIN)      \
    L(quota, cfg->sm.num_kernels * width_of(cfg->sm.num_slots), PLAIN) \
    L(req, 1, PLAIN)                                  \
    L(cta_done, cfg->sm.num_slots, PLAIN)

/* No range: every input is defined with every value. */
#define BLOCK_LANE_RANGES(R)

#define BLOCK_OUTPUTS(X)                              \
    X(idle, cfg->sm.num_kernels, PLAIN)               \
    X(exhausted, cfg->sm.num_kernels, PLAIN)          \
    X(too_big, cfg->sm.num_kernels, PLAIN)            \
    X(start_valid, 1, PLAIN)                          \
    X(start_kernel, width_of(cfg->sm.num_kernels - 1), PLAIN) \
    X(start_sm, width_of(cfg->num_sms + 1 / cfg->num_sms - 1), PLAIN)    \
    X(start_slot, width_of(cfg->sm.num_slots + 1 / cfg->sm.num_slots - 1), PLAIN) \
    X(start_cta, 32, PLAIN)

#define BLOCK_LANE_OUTPUTS(L)                         \
    L(cta_start, cfg->sm.num_slots, PLAIN)            \
    L(cta_active, cfg->sm.num_slots, PLAIN)           \
    L(cta_kernel, cfg->sm.num_slots * width_of(cfg->sm.num_kernels - 1), PLAIN) \
    L(ctas, cfg->sm.num_kernels * width_of(cfg->sm.num_slots), PLAIN) \
    L(free_regs, width_of(cfg->sm.reg_units + 1), PLAIN)  \
    L(free_smem, width_of(cfg->sm.smem_units + 1), PLAIN) \
    L(denied, cfg->sm.num_kernels, PLAIN)

#define BLOCK_REGISTERS(X)                            \
    X(too_big, cfg->sm.num_kernels, PLAIN)            \
    X(turn, width_of(cfg->sm.num_kernels - 1), PLAIN) \
    X(kernel, width_of(cfg->sm.num_kernels - 1), PLAIN) \
    X(start_valid, 1, PLAIN)                          \
    X(start_kernel, width_of(cfg->sm.num_kernels - 1), PLAIN) \
    X(start_slot, width_of(cfg->sm.num_slots + 1 / cfg->sm.num_slots - 1), PLAIN)

/* A(name, count, width, names of its values): one per kernel, or per SM */
#define BLOCK_REGISTER_ARRAYS(A)                                             \
    A(left, cfg->sm.num_kernels, 32, PLAIN)                                  \
    A(cta, cfg->sm.num_kernels, 32, PLAIN)                                   \
    A(warps, cfg->sm.num_kernels, width_of(cfg->sm.num_warps + 1), PLAIN)    \
    A(regs, cfg->sm.num_kernels, width_of(cfg->sm.reg_units + 1), PLAIN)     \
    A(smem, cfg->sm.num_kernels, width_of(cfg->sm.smem_units + 1), PLAIN)    \
    A(row, cfg->num_sms, 1, PLAIN)                                           \
    A(who, cfg->num_sms, width_of(cfg->sm.num_kernels - 1), PLAIN)           \
    A(after, cfg->num_sms, cfg->sm.num_kernels, PLAIN)

/* P(field, block, count): instances gen_<field>[i].u_<field>. */
#define BLOCK_PART_ARRAYS(P) P(sm, cke_resources, cfg->num_sms)
