/* SPDX-License-Identifier: Apache-2.0
 *
 * A block's netlist with mutants (netlist.h) where the lockstep engine and the tests have its Verilated RTL. Which netlist:
 * environment variable MUTATE_NETLIST. It behaves as the block, or as one mutant; beside that it can watch, for all mutants at
 * once, which of them would differ (screen.h).
 */
#ifndef BALLAST_MUTANT_RTL_H
#define BALLAST_MUTANT_RTL_H

#include <stdint.h>

#include "engine/block.h"
#include "mutate/netlist.h"

extern const block_rtl mutant_rtl, mutant_rtl_unclocked;

/* What `create` of a variant's block_rtl does: the same with another netlist (circuit.h). */
void *mutant_create(const char *name, uint32_t seed, const port_list *ports);

/* Read when first asked for; ends the program with one line if it cannot be read. */
const netlist *mutant_netlist(void);

/* From the next call on everything behaves as this mutant; 0: as the block. */
void mutant_select(unsigned number);

/* From the next call on: which mutants differ, into first[0..num_mutants] (screen.h). */
void mutant_watch(uint64_t *first);
/* Takes what is waiting. */
void mutant_watch_flush(void);

#endif
