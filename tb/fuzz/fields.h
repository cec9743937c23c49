/* SPDX-License-Identifier: Apache-2.0
 *
 * What a fuzzing input may change of a block's surroundings: its input ports, or, for a block that hangs on the
 * observation bus alone, the bus and what software sets. Ports take every pattern of their width; what a block reads is
 * brought into its range before each cycle (engine/ranges.h). Each field of the bus knows the largest number that a recording holds.
 */
#ifndef BALLAST_FUZZ_FIELDS_H
#define BALLAST_FUZZ_FIELDS_H

#include "engine/lockstep.h"

enum { FUZZ_MAX_SMS = 3, FUZZ_MAX_FIELDS = 128 };

enum fuzz_place {
    FUZZ_IN,  /* struct of the block's inputs                             */
    FUZZ_BUS, /* sm_kept of one SM                                        */
    FUZZ_MAP, /* one byte: which CTA slot each warp of the SM belongs to  */
};

typedef struct fuzz_field {
    block_port port;
    enum fuzz_place place;
    unsigned sm;   /* FUZZ_BUS, FUZZ_MAP */
    uint64_t most; /* a larger value is taken modulo most + 1 */
} fuzz_field;

typedef struct fuzz_fields {
    fuzz_field field[FUZZ_MAX_FIELDS];
    unsigned num;
} fuzz_fields;

/* All input ports. False: more than FUZZ_MAX_FIELDS. */
bool fuzz_fields_ports(fuzz_fields *fields, const lockstep *ls);
/* The bus of each SM, and the inputs that software sets. */
bool fuzz_fields_bus(fuzz_fields *fields, const lockstep *ls);

/* The nearest thing to `value` that the field can be. */
uint64_t fuzz_field_legal(const fuzz_field *field, uint64_t value);
/* What the mapping byte means: groups of warps, one CTA slot after the other. */
void fuzz_map_warps(sm_setup *setup, unsigned map, unsigned slots);

#endif
