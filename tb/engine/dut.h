/* SPDX-License-Identifier: Apache-2.0
 *
 * One side of a block on its own, for directed tests: a rule is written once and run on the
 * model and on the RTL.
 */
#ifndef BALLAST_DUT_H
#define BALLAST_DUT_H

#include "engine/lockstep.h"

typedef struct dut {
    const block *block;
    enum lockstep_side side;
    lockstep_values cfg;
    block_sizes sizes;
    port_list ports;
    void *state; /* registers after the last edge, on either side */
    void *rtl;   /* SIDE_RTL only */
    bool loaded; /* registers were overwritten: what assertions remember is not theirs */
} dut;

/* Opens `name` (a variant) and resets it; false when the build has no such block. Close it in either case. */
bool dut_open(dut *d, const char *name, enum lockstep_side side);
void dut_close(dut *d);
void dut_reset(dut *d);
/* One cycle: outputs to *out, registers to d->state. */
void dut_cycle(dut *d, const void *in, void *out);
/* Overwrites every register; `state` may be d->state. */
void dut_load(dut *d, const void *state);

#endif
