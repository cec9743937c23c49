/* SPDX-License-Identifier: Apache-2.0
 *
 * eq_decision for software: parameters and ports. It has no registers.
 */
#include "blocks/eq_decision/bind.h"

#define BLOCK_NAME eq_decision
#define BLOCK_CLOCKED 0
#define BLOCK_PER_CHIP 0
#define BLOCK_NEEDS(N) N(eq_counters)

#define BLOCK_PARAMS(P)          \
    P(NumWarps, num_warps)       \
    P(Samples, samples)          \
    P(AvgMode, avg_mode)

/* Width of a sum. */
#define EQ_DECISION_SUM_W width_of(cfg->num_warps * cfg->samples)

#define BLOCK_INPUTS(X)                         \
    X(active, EQ_DECISION_SUM_W, PLAIN)         \
    X(waiting, EQ_DECISION_SUM_W, PLAIN)        \
    X(xalu, EQ_DECISION_SUM_W, PLAIN)           \
    X(xmem, EQ_DECISION_SUM_W, PLAIN)           \
    X(wcta, width_of(cfg->num_warps), PLAIN)

#define BLOCK_OUTPUTS(X)                  \
    X(branch, 3, NAMES(eq_branch_names))  \
    X(inc, 1, PLAIN)                      \
    X(dec, 1, PLAIN)                      \
    X(comp, 1, PLAIN)                     \
    X(mem, 1, PLAIN)

#define BLOCK_REGISTERS(X)
