/* SPDX-License-Identifier: Apache-2.0
 *
 * scout for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/scout/bind.h"

#define BLOCK_NAME scout
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 0
#define BLOCK_NEEDS(N)
#define BLOCK_PARTS(P)

/* P(RTL parameter, field of scout_cfg) */
#define BLOCK_PARAMS(P)            \
    P(NumSlots, num_slots)         \
    P(IssueWidth, issue_width)     \
    P(Slice, slice)                \
    P(Window, window)              \
    P(Settle, settle)              \
    P(Warmup, warmup)              \
    P(Margin, margin)              \
    P(Back, back)                  \
    P(Verify, verify)              \
    P(Doubt, doubt)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)                                \
    X(enable, 1, PLAIN)                                \
    X(kernel_start, 1, PLAIN)                          \
    X(nmax, width_of(cfg->num_slots), PLAIN)           \
    X(hint, width_of(cfg->num_slots), PLAIN)           \
    X(issue_valid, cfg->issue_width, PLAIN)            \
    X(cta_done, cfg->num_slots, PLAIN)

/* S(input, its value when nobody sets it) */
#define BLOCK_SETTINGS(S) \
    S(enable, 1)          \
    S(hint, 0)

/* R(input, its most, when it is read) */
#define BLOCK_RANGES(R) R(nmax, cfg->num_slots, in->enable && in->kernel_start)

/* L(input): the outputs of a cycle do not depend on it, so that scout_look can be asked before it is known. */
#define BLOCK_LATE(L) L(enable)

#define BLOCK_OUTPUTS(X)                             \
    X(limit, width_of(cfg->num_slots), PLAIN)        \
    X(done, 1, PLAIN)                                \
    X(look, 1, PLAIN)

/* Bits of a count of instructions. */
#define SCOUT_COUNT_W width_of(cfg->slice * cfg->window * 64 * cfg->issue_width + 32767)

#define BLOCK_REGISTERS(X)                                       \
    X(state, 3, NAMES(scout_state_names))                        \
    X(step, 4, NAMES(scout_step_names))                          \
    X(verdict, 3, NAMES(scout_verdict_names))                    \
    X(nmax, width_of(cfg->num_slots), PLAIN)                     \
    X(best, width_of(cfg->num_slots), PLAIN)                     \
    X(cand, width_of(cfg->num_slots), PLAIN)                     \
    X(low, width_of(cfg->num_slots), PLAIN)                      \
    X(top, width_of(cfg->num_slots), PLAIN)                      \
    X(refine, 1, PLAIN)                                          \
    X(first, 1, PLAIN)                                           \
    X(known, 1, PLAIN)                                           \
    X(odd, 1, PLAIN)                                             \
    X(stage, 2, PLAIN)                                           \
    X(timer, width_of(cfg->slice - 1), PLAIN)                    \
    X(settle, 3, PLAIN)                                          \
    X(index, width_of(cfg->window * 64 - 1), PLAIN)              \
    X(acc, SCOUT_COUNT_W + 1, PLAIN)                             \
    X(arg, SCOUT_COUNT_W + 1, PLAIN)                             \
    X(one, 1, PLAIN)                                             \
    X(shift, 3, PLAIN)                                           \
    X(minus, 1, PLAIN)                                           \
    X(fewer, 1, PLAIN)                                           \
    X(above, 1, PLAIN)                                           \
    X(below, 1, PLAIN)                                           \
    X(base, SCOUT_COUNT_W, PLAIN)                                \
    X(quiet, 3, PLAIN)                                           \
    X(half, 2, PLAIN)                                            \
    X(credit, 15, PLAIN)

/* Outputs that steer a family replay. */
#define BLOCK_LIMIT limit
#define BLOCK_DONE done
