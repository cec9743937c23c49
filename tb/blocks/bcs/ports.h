/* SPDX-License-Identifier: Apache-2.0
 *
 * bcs for software: parameters, ports, registers.
 */
#include "blocks/bcs/bind.h"

#define BLOCK_NAME bcs
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 1
#define BLOCK_NEEDS(N)

/* P(RTL parameter, field of bcs_cfg) */
#define BLOCK_PARAMS(P) P(PairRowWrap, pair_row_wrap)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)    \
    X(start, 1, PLAIN)     \
    X(pairs, 1, PLAIN)     \
    X(width, 32, PLAIN)    \
    X(last, 1, PLAIN)      \
    X(take, 1, PLAIN)      \
    X(alone, 1, PLAIN)

/* S(input, its value when nobody sets it) */
#define BLOCK_SETTINGS(S) S(pairs, 1)

/* L(input): after the outputs */
#define BLOCK_LATE(L) L(start) L(pairs) L(width) L(take) L(alone)

#define BLOCK_OUTPUTS(X)   \
    X(on, 1, PLAIN)        \
    X(first, 1, PLAIN)     \
    X(second, 1, PLAIN)    \
    X(alone, 1, PLAIN)

#define BLOCK_REGISTERS(X) \
    X(row, 32, PLAIN)      \
    X(width, 32, PLAIN)    \
    X(on, 1, PLAIN)        \
    X(odd, 1, PLAIN)       \
    X(split, 1, PLAIN)
