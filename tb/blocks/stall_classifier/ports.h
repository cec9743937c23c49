/* SPDX-License-Identifier: Apache-2.0
 *
 * stall_classifier for software: parameters, ports, registers.
 */
#include "blocks/stall_classifier/bind.h"

#define BLOCK_NAME stall_classifier
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 0
#define BLOCK_NEEDS(N)

#define BLOCK_PARAMS(P)          \
    P(NumWarps, num_warps)       \
    P(PsPrio, ps_prio)           \
    P(MixedTag, mixed_tag)

#define BLOCK_INPUTS(X)                   \
    X(ws0, cfg->num_warps, PLAIN)         \
    X(ws1, cfg->num_warps, PLAIN)         \
    X(ws2, cfg->num_warps, PLAIN)         \
    X(ws3, cfg->num_warps, PLAIN)         \
    X(paused, cfg->num_warps, PLAIN)

#define BLOCK_OUTPUTS(X)                      \
    X(ps_class, 2, NAMES(ballast_ps_class_names)) \
    X(ps_mem, 1, PLAIN)                       \
    X(lcs_class, 2, NAMES(ballast_lcs_class_names))

#define BLOCK_REGISTERS(X)  \
    X(active, 1, PLAIN)     \
    X(waiting, 1, PLAIN)    \
    X(ready, 1, PLAIN)      \
    X(lcs_class, 2, NAMES(ballast_lcs_class_names))

/* Width of a group's sum: warps of a group, by their number of groups. */
#define STALL_CLASSIFIER_SUM_W width_of(2 * ((cfg->num_warps + (cfg->num_warps + 14) / 15 - 1) / ((cfg->num_warps + 14) / 15)))

/* A(name, elements, width, names of its values) */
#define BLOCK_REGISTER_ARRAYS(A)                                                  \
    A(waits, stall_classifier_groups(cfg), STALL_CLASSIFIER_SUM_W, PLAIN)         \
    A(readies, stall_classifier_groups(cfg), STALL_CLASSIFIER_SUM_W, PLAIN)
