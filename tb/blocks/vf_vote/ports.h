/* SPDX-License-Identifier: Apache-2.0
 *
 * vf_vote for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/vf_vote/bind.h"

#define BLOCK_NAME vf_vote
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 1
#define BLOCK_NEEDS(N)

/* P(RTL parameter, field of vf_vote_cfg) */
#define BLOCK_PARAMS(P)      \
    P(NumSms, num_sms)       \
    P(Majority, majority)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)           \
    X(tick, 1, PLAIN)             \
    X(sm_comp_up, 1, PLAIN)       \
    X(sm_comp_down, 1, PLAIN)     \
    X(sm_mem_up, 1, PLAIN)        \
    X(sm_mem_down, 1, PLAIN)      \
    X(mem_comp_up, 1, PLAIN)      \
    X(mem_comp_down, 1, PLAIN)    \
    X(mem_mem_up, 1, PLAIN)       \
    X(mem_mem_down, 1, PLAIN)

/* W(name, width): one bit per SM. */
#define BLOCK_WIDE_INPUTS(W)   \
    W(comp, cfg->num_sms)      \
    W(mem, cfg->num_sms)

/* S(field, default): standing alone, no epoch ends. */
#define BLOCK_SETTINGS(S)     \
    S(tick, 0)                \
    S(sm_comp_up, 0)          \
    S(sm_comp_down, 0)        \
    S(sm_mem_up, 0)           \
    S(sm_mem_down, 0)         \
    S(mem_comp_up, 0)         \
    S(mem_comp_down, 0)       \
    S(mem_mem_up, 0)          \
    S(mem_mem_down, 0)

#define BLOCK_OUTPUTS(X)      \
    X(valid, 1, PLAIN)        \
    X(sm_up, 1, PLAIN)        \
    X(sm_down, 1, PLAIN)      \
    X(mem_up, 1, PLAIN)       \
    X(mem_down, 1, PLAIN)

#define BLOCK_REGISTERS(X)                                            \
    X(counted, 1, PLAIN)                                              \
    X(valid, 1, PLAIN)                                                \
    X(comp_count, width_of((cfg->num_sms + 14) / 15 * 15), PLAIN)     \
    X(mem_count, width_of((cfg->num_sms + 14) / 15 * 15), PLAIN)

/* A(name, elements, width, names of its values) */
#define BLOCK_REGISTER_ARRAYS(A)               \
    A(comp_of, vf_vote_groups(cfg), 4, PLAIN)  \
    A(mem_of, vf_vote_groups(cfg), 4, PLAIN)
