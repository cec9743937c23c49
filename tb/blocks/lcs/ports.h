/* SPDX-License-Identifier: Apache-2.0
 *
 * lcs for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/lcs/bind.h"

#define BLOCK_NAME lcs
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 0
#define BLOCK_NEEDS(N)
#define BLOCK_PARTS(P)

/* P(RTL parameter, field of lcs_cfg) */
#define BLOCK_PARAMS(P)            \
    P(NumSlots, num_slots)         \
    P(IssueWidth, issue_width)     \
    P(CountW, count_w)             \
    P(RoundMode, round_mode)       \
    P(Throttle, throttle)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)                                                       \
    X(enable, 1, PLAIN)                                                       \
    X(kernel_start, 1, PLAIN)                                                 \
    X(nmax, width_of(cfg->num_slots), PLAIN)                                  \
    X(issue_valid, cfg->issue_width, PLAIN)                                   \
    X(issue_slot, cfg->issue_width * width_of(cfg->num_slots - 1), PLAIN)     \
    X(cta_done, cfg->num_slots, PLAIN)                                        \
    X(cta_active, cfg->num_slots, PLAIN)                                      \
    X(listen, 1, PLAIN)                                                       \
    X(bcast_valid, 1, PLAIN)                                                  \
    X(bcast_limit, width_of(cfg->num_slots), PLAIN)

/* S(input, its value when nobody sets it): an SM that measures for itself. */
#define BLOCK_SETTINGS(S) \
    S(enable, 1)          \
    S(listen, 0)          \
    S(bcast_valid, 0)     \
    S(bcast_limit, 0)

/* R(input, its most, when it is read) */
#define BLOCK_RANGES(R) R(nmax, cfg->num_slots, in->enable && in->kernel_start)

#define BLOCK_OUTPUTS(X)                             \
    X(limit, width_of(cfg->num_slots), PLAIN)        \
    X(pause, 1, PLAIN)                               \
    X(t_new_valid, 1, PLAIN)                         \
    X(t_new, width_of(cfg->num_slots), PLAIN)        \
    X(done, 1, PLAIN)

#define BLOCK_REGISTERS(X)                                              \
    X(state, 3, NAMES(lcs_state_names))                                 \
    X(limit, width_of(cfg->num_slots), PLAIN)                           \
    X(nmax, width_of(cfg->num_slots), PLAIN)                            \
    X(sum, cfg->count_w + width_of(cfg->num_slots - 1), PLAIN)          \
    X(max, cfg->count_w, PLAIN)                                         \
    X(picked, cfg->count_w, PLAIN)                                      \
    X(index, width_of(cfg->num_slots), PLAIN)                           \
    X(finish, 1, PLAIN)                                                 \
    X(decided, 1, PLAIN)

/* Width of a part's count: slots of a part, by their number of parts. */
#define LCS_PART_W width_of((cfg->num_slots + (cfg->num_slots + 10) / 11 - 1) / ((cfg->num_slots + 10) / 11))

/* A(name, elements, width, names of its values) */
#define BLOCK_REGISTER_ARRAYS(A)                  \
    A(inst, cfg->num_slots, cfg->count_w, PLAIN)  \
    A(step, cfg->num_slots, width_of(cfg->issue_width), PLAIN) \
    A(active, ballast_slot_parts(cfg->num_slots), LCS_PART_W, PLAIN)

/* Outputs that steer a family replay. */
#define BLOCK_LIMIT limit
#define BLOCK_DONE done
