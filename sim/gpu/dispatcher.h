/* SPDX-License-Identifier: Apache-2.0
 *
 * The CTA dispatcher of the activity simulator: the reference model of `gwde` (GWDE-1 to GWDE-4, doc/blocks/gwde.md) beside the
 * SMs, one of its cycles for one of the SMs' clock. What the governors say in a cycle comes after it, so the cycle of the
 * dispatcher is finished when the next one begins: a CTA that was chosen is launched then, as in hardware.
 */
#ifndef BALLAST_DISPATCHER_H
#define BALLAST_DISPATCHER_H

#include <stdbool.h>

#include "chip/gwde.h"
#include "gpu/dispatch_watch.h"
#include "gpu/machine.h"

/* Of such a machine, in the units of common/cta_needs.h. */
gwde_cfg dispatcher_gwde(const machine *m);

typedef struct dispatcher {
    gwde_cfg cfg;
    gwde_state state;
    gwde_in in;   /* of the cycle that is not finished   */
    gwde_out out; /* of the one that was finished last   */
    bool second;  /* the CTA that is launched, if one is, is the second one of a pair */
    const dispatch_watch *watch; /* sees every cycle; or NULL */
    bool busy;    /* another cycle may change something  */
} dispatcher;

void dispatcher_open(dispatcher *d, const machine *m);
/* A kernel starts in this cycle; the dispatcher is idle. */
void dispatcher_start(dispatcher *d, const ballast_kernel_desc *kernel);
/* In this cycle CTAs of these slots have finished on an SM. */
void dispatcher_done(dispatcher *d, unsigned sm, uint32_t slots);
/* Whether the CTAs of 2-D kernels go in pairs (BCS), from the next start on. */
void dispatcher_pair(dispatcher *d, bool pairs);
/* In this cycle an SM asks for a CTA, or does not; how many it may hold, 0: as many as it has slots. */
void dispatcher_ask(dispatcher *d, unsigned sm, bool asks, uint8_t limit);
/* The cycle is over. */
void dispatcher_clock(dispatcher *d);
/* Leaves out the CTAs that wait, but for so many; how many these are, from which one on. In a grid that goes in pairs they are whole rows, and pairs
 * of them. */
uint32_t dispatcher_leap(dispatcher *d, uint32_t stay, uint32_t *first);
/* No kernel is about to start, no CTA is left, and none holds anything. */
bool dispatcher_idle(const dispatcher *d);

#endif
