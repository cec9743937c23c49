/* SPDX-License-Identifier: Apache-2.0
 *
 * limit_table for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/limit_table/bind.h"

#define BLOCK_NAME limit_table
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 1
#define BLOCK_NEEDS(N)

/* P(RTL parameter, field of limit_table_cfg) */
#define BLOCK_PARAMS(P)      \
    P(NumSlots, num_slots)   \
    P(Entries, entries)      \
    P(IdW, id_w)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)                            \
    X(enable, 1, PLAIN)                            \
    X(kernel_start, 1, PLAIN)                      \
    X(kernel_id, cfg->id_w, PLAIN)                 \
    X(nmax, width_of(cfg->num_slots), PLAIN)       \
    X(limit, width_of(cfg->num_slots), PLAIN)      \
    X(done, 1, PLAIN)

/* S(input, its value when nobody sets it) */
#define BLOCK_SETTINGS(S) S(enable, 1)

/* L(input): after the hint */
#define BLOCK_LATE(L) L(limit) L(done)

#define BLOCK_OUTPUTS(X) X(hint, width_of(cfg->num_slots), PLAIN)

#define BLOCK_REGISTERS(X)                         \
    X(next, width_of(cfg->entries + 1 / cfg->entries - 1), PLAIN) \
    X(own, cfg->entries, PLAIN)                    \
    X(id, cfg->id_w, PLAIN)                        \
    X(nmax, width_of(cfg->num_slots), PLAIN)       \
    X(done_was, 1, PLAIN)

/* A(name, count, width, names of its values) */
#define BLOCK_REGISTER_ARRAYS(A)                                   \
    A(entry_id, cfg->entries, cfg->id_w, PLAIN)                    \
    A(entry_nmax, cfg->entries, width_of(cfg->num_slots), PLAIN)   \
    A(entry_limit, cfg->entries, width_of(cfg->num_slots), PLAIN)
