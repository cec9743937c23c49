/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast_chip, what a user instantiates, for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/ballast_chip/bind.h"
#include "blocks/chip_governor/params.h"
#include "blocks/sm_governor/params.h"

#define BLOCK_NAME ballast_chip
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 1
#define BLOCK_NEEDS(N)

/* P(RTL parameter, field of ballast_chip_cfg) */
#define BLOCK_PARAMS(P)                                  \
    P(NumKernels, num_kernels)                           \
    P(NumSms, governor.num_sms)                          \
    P(LcsScope, governor.lcs_scope)                      \
    SM_GOVERNOR_PARAMS(P, governor.sm.)                  \
    CHIP_GOVERNOR_SEARCH(P, governor.)                   \
    P(Majority, governor.vote.majority)                  \
    P(Maintain, governor.sm_domain.maintain)             \
    P(Table1Literal, governor.sm_domain.table1_literal)  \
    P(Transition, governor.sm_domain.transition)         \
    P(VrmStall, governor.sm_domain.vrm_stall)            \
    P(Fill, gwde.fill)                                   \
    P(RrAdvance, gwde.rr_advance)                        \
    P(OddLimit, gwde.odd_limit)                          \
    P(PairRowWrap, gwde.bcs.pair_row_wrap)               \
    P(RegUnits, gwde.reg_units)                       \
    P(SmemUnits, gwde.smem_units)
#define BLOCK_DERIVE(cfg) ballast_chip_cfg_derive(cfg)

#define BLOCK_LANES(cfg) ((cfg)->governor.num_sms)

#define KERNEL_WIDTH width_of(cfg->num_kernels + 1 / cfg->num_kernels - 1)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)      \
    X(psel, 1, PLAIN)        \
    X(penable, 1, PLAIN)     \
    X(pwrite, 1, PLAIN)      \
    X(pprot, 3, PLAIN)       \
    X(paddr, 12, PLAIN)      \
    X(pwdata, 32, PLAIN)     \
    X(pstrb, 4, PLAIN)

/* S(input, its value when nobody sets it): nobody is on the bus. */
#define BLOCK_SETTINGS(S)  \
    S(psel, 0)             \
    S(penable, 0)          \
    S(pwrite, 0)           \
    S(pprot, 0)            \
    S(paddr, 0)            \
    S(pwdata, 0)           \
    S(pstrb, 15)

/* L(name, width, names of its values): one per SM. */
#define BLOCK_LANE_INPUTS(L)                                                                    \
    L(ws0, cfg->governor.sm.num_warps, PLAIN)                                                   \
    L(ws1, cfg->governor.sm.num_warps, PLAIN)                                                   \
    L(ws2, cfg->governor.sm.num_warps, PLAIN)                                                   \
    L(ws3, cfg->governor.sm.num_warps, PLAIN)                                                   \
    L(paused, cfg->governor.sm.num_warps, PLAIN)                                                \
    L(issue_valid, cfg->governor.sm.issue_width, PLAIN)                                         \
    L(issue_slot, cfg->governor.sm.issue_width * width_of(cfg->governor.sm.num_slots - 1), PLAIN) \
    L(cta_done, cfg->governor.sm.num_slots, PLAIN)

/* No range: every input is defined with every value. */
#define BLOCK_LANE_RANGES(R)

#define BLOCK_OUTPUTS(X)                               \
    X(prdata, 32, PLAIN)                               \
    X(pready, 1, PLAIN)                                \
    X(pslverr, 1, PLAIN)                               \
    X(irq, 1, PLAIN)                                   \
    X(kernel_start, 1, PLAIN)                          \
    X(kernel, KERNEL_WIDTH, PLAIN)                     \
    X(grid, 32, PLAIN)                                 \
    X(width, 32, PLAIN)                                \
    X(two_d, 1, PLAIN)                                 \
    X(warps, width_of(cfg->governor.sm.num_warps + 1), PLAIN) \
    X(regs, width_of(cfg->gwde.reg_units + 1), PLAIN)  \
    X(smem, width_of(cfg->gwde.smem_units + 1), PLAIN) \
    X(start_kernel, KERNEL_WIDTH, PLAIN)               \
    X(start_cta, 32, PLAIN)                            \
    X(sm_level, 2, NAMES(vf_level_names))              \
    X(mem_level, 2, NAMES(vf_level_names))             \
    X(sm_busy, 1, PLAIN)                               \
    X(mem_busy, 1, PLAIN)                              \
    X(sm_stall, 1, PLAIN)                              \
    X(mem_stall, 1, PLAIN)

#define BLOCK_LANE_OUTPUTS(L)                               \
    L(cta_start, cfg->governor.sm.num_slots, PLAIN)         \
    L(limit, width_of(cfg->governor.sm.num_slots), PLAIN)   \
    L(cta_paused, cfg->governor.sm.num_slots, PLAIN)        \
    L(pause_soft, 1, PLAIN)

#define BLOCK_REGISTERS(X)

/* A(name, how many, width, names of their values) */
#define BLOCK_REGISTER_ARRAYS(A) A(denied, cfg->governor.num_sms, 1, PLAIN)

/* P(field of the state and of cfg, block): instance u_<field>; P(field, block, count): gen_<field>[i].u_<field>. The dispatcher is the
 * one or the other. */
#define BLOCK_PARTS(P)         \
    P(regs, ballast_regs)      \
    P(governor, chip_governor)
#define BLOCK_PART_ARRAYS(P)                    \
    P(gwde, gwde, cfg->num_kernels == 1)        \
    P(mcke, mcke, cfg->num_kernels > 1)
#define BLOCK_SIZE_OF_STATE(cfg)                                                                                    \
    (offsetof(ballast_chip_state, governor) + offsetof(chip_governor_state, sm) + BLOCK_LANES(cfg) * sizeof(sm_governor_state))
