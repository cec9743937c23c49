/* SPDX-License-Identifier: Apache-2.0
 *
 * sm_resources for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/sm_resources/bind.h"

#define BLOCK_NAME sm_resources
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 0
#define BLOCK_NEEDS(N)

/* P(RTL parameter, field of sm_resources_cfg) */
#define BLOCK_PARAMS(P) P(NumSlots, num_slots)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)                            \
    X(most, width_of(cfg->num_slots), PLAIN)       \
    X(may, 1, PLAIN)                               \
    X(clear, 1, PLAIN)                             \
    X(take, 1, PLAIN)                              \
    X(pair, 1, PLAIN)                              \
    X(whole, 1, PLAIN)                             \
    X(cta_done, cfg->num_slots, PLAIN)

/* L(input): after the outputs */
#define BLOCK_LATE(L) L(may) L(clear) L(take)

#define BLOCK_OUTPUTS(X)                           \
    X(fits, 1, PLAIN)                              \
    X(ready, 1, PLAIN)                             \
    X(whole, 1, PLAIN)                             \
    X(second, 1, PLAIN)                            \
    X(slot, width_of(cfg->num_slots + 1 / cfg->num_slots - 1), PLAIN)         \
    X(count, width_of(cfg->num_slots), PLAIN)      \
    X(active, cfg->num_slots, PLAIN)               \
    X(due, 1, PLAIN)

#define BLOCK_REGISTERS(X)                         \
    X(held, cfg->num_slots, PLAIN)                 \
    X(returning, cfg->num_slots, PLAIN)            \
    X(count, width_of(cfg->num_slots), PLAIN)      \
    X(slot, width_of(cfg->num_slots + 1 / cfg->num_slots - 1), PLAIN)         \
    X(ready, 1, PLAIN)                             \
    X(whole, 1, PLAIN)                             \
    X(second, 1, PLAIN)                            \
    X(pair, 1, PLAIN)
