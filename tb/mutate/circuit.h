/* SPDX-License-Identifier: Apache-2.0
 *
 * The netlists of a program: that of the block, and those of its variants, with the signals of the block's port list in each.
 */
#ifndef BALLAST_CIRCUIT_H
#define BALLAST_CIRCUIT_H

#include "engine/port.h"
#include "mutate/netlist.h"
#include "mutate/screen.h"

typedef struct circuit {
    netlist n;
    block_port *ports; /* inputs, outputs, registers, in this order; NULL: not known yet */
    unsigned num_in, num_out, num_reg;
    screen_signal *in;  /* inputs, registers, rst_ni */
    screen_signal *out; /* outputs, next registers   */
    int *next_of_input; /* by variable: a register's next value, an output of the netlist */
    screen *watcher;
} circuit;

/* Read when first asked for; ends the program with one line if it cannot be read. NULL: file MUTATE_NETLIST; else NAME.aag in
 * folder MUTATE_CIRCUITS. All have the same mutants. */
circuit *circuit_of(const char *name);
/* Where the signals of the port list are. */
void circuit_know(circuit *c, const port_list *list);

/* From here on which mutants differ in any of them, into first[0..num_mutants]. */
void circuits_watch(uint64_t *first);
/* Takes what is waiting. */
void circuits_flush(void);
/* The watcher of this one; NULL: nobody wants to know. */
screen *circuit_watcher(circuit *c);

#endif
