/* SPDX-License-Identifier: Apache-2.0
 *
 * cke_resources for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/cke_resources/bind.h"

#define BLOCK_NAME cke_resources
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 0
#define BLOCK_NEEDS(N)

/* P(RTL parameter, field of cke_resources_cfg) */
#define BLOCK_PARAMS(P)          \
    P(NumKernels, num_kernels)   \
    P(NumSlots, num_slots)       \
    P(NumWarps, num_warps)       \
    P(RegUnits, reg_units)       \
    P(SmemUnits, smem_units)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)                                              \
    X(warps, cfg->num_kernels * width_of(cfg->num_warps + 1), PLAIN) \
    X(regs, cfg->num_kernels * width_of(cfg->reg_units + 1), PLAIN)  \
    X(smem, cfg->num_kernels * width_of(cfg->smem_units + 1), PLAIN) \
    X(may, cfg->num_kernels, PLAIN)                                  \
    X(take, 1, PLAIN)                                                \
    X(kernel, width_of(cfg->num_kernels - 1), PLAIN)                 \
    X(cta_done, cfg->num_slots, PLAIN)

/* L(input): after the outputs */
#define BLOCK_LATE(L) \
    L(may)            \
    L(take)           \
    L(kernel)

#define BLOCK_OUTPUTS(X)                                                      \
    X(fits, cfg->num_kernels, PLAIN)                                          \
    X(ready, cfg->num_kernels, PLAIN)                                         \
    X(taken, 1, PLAIN)                                                        \
    X(slot, width_of(cfg->num_slots + 1 / cfg->num_slots - 1), PLAIN)         \
    X(ctas, cfg->num_kernels * width_of(cfg->num_slots), PLAIN)               \
    X(count, width_of(cfg->num_slots), PLAIN)                                 \
    X(owner, cfg->num_slots * width_of(cfg->num_kernels - 1), PLAIN)          \
    X(active, cfg->num_slots, PLAIN)                                          \
    X(due, 1, PLAIN)                                                          \
    X(free_regs, width_of(cfg->reg_units + 1), PLAIN)                         \
    X(free_smem, width_of(cfg->smem_units + 1), PLAIN)

#define BLOCK_REGISTERS(X)                                                    \
    X(held, cfg->num_slots, PLAIN)                                            \
    X(returning, cfg->num_slots, PLAIN)                                       \
    X(owner, cfg->num_slots * width_of(cfg->num_kernels - 1), PLAIN)          \
    X(ready, cfg->num_kernels, PLAIN)                                         \
    X(move, cfg->num_kernels, PLAIN)                                          \
    X(taken, 1, PLAIN)                                                        \
    X(warps, width_of(cfg->num_warps + 1), PLAIN)                             \
    X(regs, width_of(cfg->reg_units + 1), PLAIN)                              \
    X(smem, width_of(cfg->smem_units + 1), PLAIN)

/* A(name, count, width, names of its values): one per kernel */
#define BLOCK_REGISTER_ARRAYS(A) A(ctas, cfg->num_kernels, width_of(cfg->num_slots), PLAIN)
