/* SPDX-License-Identifier: Apache-2.0
 *
 * A netlist in one state: only what changes is computed.
 */
#ifndef BALLAST_SINGLE_H
#define BALLAST_SINGLE_H

#include "mutate/netlist.h"

typedef struct single {
    const netlist *n;
    uint8_t *value;   /* by variable */
    uint64_t *dirty;  /* a bit per gate that has to be computed */
} single;

void single_open(single *s, const netlist *n);
void single_close(single *s);
/* An input variable. */
void single_set(single *s, uint32_t variable, uint8_t bit);
/* Computes what changed. */
void single_settle(single *s);

static inline uint8_t single_output(const single *s, unsigned output)
{
    const literal l = s->n->outputs[output];

    return s->value[l / 2] ^ (l & 1);
}

#endif
