/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast_regs for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/ballast_regs/bind.h"

#define BLOCK_NAME ballast_regs
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 1
#define BLOCK_NEEDS(N)

/* P(RTL parameter, field of ballast_regs_cfg) */
#define BLOCK_PARAMS(P)        \
    P(NumKernels, num_kernels) \
    P(NumSms, num_sms)         \
    P(NumSlots, num_slots)     \
    P(NumWarps, num_warps)     \
    P(RegUnits, reg_units)     \
    P(SmemUnits, smem_units)   \
    P(DynPeriod, dyn_period)   \
    P(WatchSlots, watch_slots)

#define BLOCK_LANES(cfg) ((cfg)->num_sms)

#define SM_GROUPS ((cfg->num_sms + BALLAST_REGS_GROUP - 1) / BALLAST_REGS_GROUP)
#define GROUP_WIDTH width_of(BALLAST_REGS_GROUP)
#define EVENTS_WIDTH width_of(SM_GROUPS * ((1u << GROUP_WIDTH) - 1))
#define KERNEL_WIDTH width_of(cfg->num_kernels + 1 / cfg->num_kernels - 1)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)      \
    X(psel, 1, PLAIN)        \
    X(penable, 1, PLAIN)     \
    X(pwrite, 1, PLAIN)      \
    X(pprot, 3, PLAIN)       \
    X(paddr, 12, PLAIN)      \
    X(pwdata, 32, PLAIN)     \
    X(pstrb, 4, PLAIN)       \
    X(sm_level, 2, PLAIN)    \
    X(mem_level, 2, PLAIN)   \
    X(sm_busy, 1, PLAIN)     \
    X(mem_busy, 1, PLAIN)    \
    X(sm_stall, 1, PLAIN)    \
    X(mem_stall, 1, PLAIN)   \
    X(idle, cfg->num_kernels, PLAIN)      \
    X(exhausted, cfg->num_kernels, PLAIN) \
    X(too_big, cfg->num_kernels, PLAIN)   \
    X(start_valid, 1, PLAIN) \
    X(start_kernel, KERNEL_WIDTH, PLAIN)

/* S(input, its value when nobody sets it): nobody is on the bus, and what recordings do not hold is as after reset. */
#define BLOCK_SETTINGS(S)  \
    S(psel, 0)             \
    S(penable, 0)          \
    S(pwrite, 0)           \
    S(pprot, 0)            \
    S(paddr, 0)            \
    S(pwdata, 0)           \
    S(pstrb, 15)           \
    S(sm_level, 1)         \
    S(mem_level, 1)        \
    S(sm_busy, 0)          \
    S(mem_busy, 0)         \
    S(sm_stall, 0)         \
    S(mem_stall, 0)        \
    S(too_big, 0)

/* L(name, width, names of its values): one per SM. */
#define BLOCK_LANE_INPUTS(L)                      \
    L(limit, width_of(cfg->num_slots), PLAIN)     \
    L(done, 1, PLAIN)                             \
    L(denied, 1, PLAIN)                           \
    L(cta_start, cfg->num_slots, PLAIN)           \
    L(cta_active, cfg->num_slots, PLAIN)          \
    L(cta_done, cfg->num_slots, PLAIN)

/* No range: every input is defined with every value. */
#define BLOCK_LANE_RANGES(R)

#define BLOCK_OUTPUTS(X)                               \
    X(prdata, 32, PLAIN)                               \
    X(pready, 1, PLAIN)                                \
    X(pslverr, 1, PLAIN)                               \
    X(irq, 1, PLAIN)                                   \
    X(policy, 3, NAMES(policy_names))                  \
    X(static_limit, width_of(cfg->num_slots), PLAIN)   \
    X(t_idle, width_of(cfg->dyn_period), PLAIN)        \
    X(t_mem_l, width_of(cfg->dyn_period), PLAIN)       \
    X(t_mem_h, width_of(cfg->dyn_period), PLAIN)       \
    X(mode, 1, NAMES(vf_mode_names))                   \
    X(bcs, 1, PLAIN)                                   \
    X(dispatch, 2, PLAIN)                              \
    X(quota, cfg->num_kernels * width_of(cfg->num_slots), PLAIN) \
    X(start, 1, PLAIN)                                 \
    X(kernel, KERNEL_WIDTH, PLAIN)                     \
    X(grid, 32, PLAIN)                                 \
    X(width, 32, PLAIN)                                \
    X(two_d, 1, PLAIN)                                 \
    X(warps, width_of(cfg->num_warps + 1), PLAIN)      \
    X(regs, width_of(cfg->reg_units + 1), PLAIN)       \
    X(smem, width_of(cfg->smem_units + 1), PLAIN)      \
    X(nmax, width_of(cfg->num_slots), PLAIN)           \
    X(kernel_id, 8, PLAIN)                             \
    X(wcta, width_of(cfg->num_warps), PLAIN)

#define BLOCK_REGISTERS(X)                             \
    X(setup, 1, PLAIN)                                 \
    X(policy, 3, NAMES(policy_names))                  \
    X(static_limit, width_of(cfg->num_slots), PLAIN)   \
    X(t_idle, width_of(cfg->dyn_period), PLAIN)        \
    X(t_mem_l, width_of(cfg->dyn_period), PLAIN)       \
    X(t_mem_h, width_of(cfg->dyn_period), PLAIN)       \
    X(mode, 1, NAMES(vf_mode_names))                   \
    X(bcs, 1, PLAIN)                                   \
    X(dispatch, 2, PLAIN)                              \
    X(start, 1, PLAIN)                                 \
    X(kernel, KERNEL_WIDTH, PLAIN)                     \
    X(grid, 32, PLAIN)                                 \
    X(width, 32, PLAIN)                                \
    X(two_d, 1, PLAIN)                                 \
    X(warps, width_of(cfg->num_warps + 1), PLAIN)      \
    X(regs, width_of(cfg->reg_units + 1), PLAIN)       \
    X(smem, width_of(cfg->smem_units + 1), PLAIN)      \
    X(nmax, width_of(cfg->num_slots), PLAIN)           \
    X(kernel_id, 8, PLAIN)                             \
    X(wcta, width_of(cfg->num_warps), PLAIN) \
    X(pending, 9, PLAIN)                               \
    X(enable, 9, PLAIN)                                \
    X(sm_changes, 32, PLAIN)                           \
    X(mem_changes, 32, PLAIN)                          \
    X(limit_changes, 32, PLAIN)                        \
    X(denials, 32, PLAIN)                              \
    X(kernels, 32, PLAIN)                              \
    X(clear, 5, PLAIN)                                 \
    X(launches_clear, cfg->num_kernels, PLAIN)         \
    X(num_changes, EVENTS_WIDTH, PLAIN)                \
    X(num_denials, EVENTS_WIDTH, PLAIN)                \
    X(sm_busy, 1, PLAIN)                               \
    X(mem_busy, 1, PLAIN)                              \
    X(started, 1, PLAIN)                               \
    X(running, cfg->num_kernels, PLAIN)

/* A(name, how many, width, names of their values) */
#define BLOCK_REGISTER_ARRAYS(A)                                  \
    A(quota, cfg->num_kernels, width_of(cfg->num_slots), PLAIN)   \
    A(launches, cfg->num_kernels, 32, PLAIN)                      \
    A(changes_of, SM_GROUPS, GROUP_WIDTH, PLAIN)                  \
    A(denials_of, SM_GROUPS, GROUP_WIDTH, PLAIN)                  \
    A(last_limit, cfg->num_sms, width_of(cfg->num_slots), PLAIN)  \
    A(held, cfg->num_sms, cfg->num_slots, PLAIN)
