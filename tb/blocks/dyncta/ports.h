/* SPDX-License-Identifier: Apache-2.0
 *
 * dyncta for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/dyncta/bind.h"

#define BLOCK_NAME dyncta
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 0
#define BLOCK_NEEDS(N) N(stall_classifier)
#define BLOCK_PARTS(P)

/* P(RTL parameter, field of dyncta_cfg) */
#define BLOCK_PARAMS(P)            \
    P(NumSlots, num_slots)         \
    P(Period, period)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)                              \
    X(enable, 1, PLAIN)                              \
    X(kernel_start, 1, PLAIN)                        \
    X(nmax, width_of(cfg->num_slots), PLAIN)         \
    X(lcs_class, 2, NAMES(ballast_lcs_class_names))  \
    X(t_idle, width_of(cfg->period), PLAIN)          \
    X(t_mem_l, width_of(cfg->period), PLAIN)         \
    X(t_mem_h, width_of(cfg->period), PLAIN)

/* S(input, its value when nobody sets it) */
#define BLOCK_SETTINGS(S)      \
    S(enable, 1)               \
    S(t_idle, DYNCTA_T_IDLE)   \
    S(t_mem_l, DYNCTA_T_MEM_L) \
    S(t_mem_h, DYNCTA_T_MEM_H)

/* R(input, its most, when it is read) */
#define BLOCK_RANGES(R) R(nmax, cfg->num_slots, in->enable && in->kernel_start)

#define BLOCK_OUTPUTS(X)                             \
    X(limit, width_of(cfg->num_slots), PLAIN)        \
    X(sample_end, 1, PLAIN)

#define BLOCK_REGISTERS(X)                           \
    X(limit, width_of(cfg->num_slots), PLAIN)        \
    X(nmax, width_of(cfg->num_slots), PLAIN)         \
    X(timer, width_of(cfg->period - 1), PLAIN)       \
    X(idle, width_of(cfg->period), PLAIN)            \
    X(mem, width_of(cfg->period), PLAIN)

/* Steers a family replay. It never converges. */
#define BLOCK_LIMIT limit
