/* SPDX-License-Identifier: Apache-2.0
 *
 * The Verilated dispatcher, `gwde` or `mcke`, beside the simulator's, in lockstep: every output and register is compared in every cycle in
 * which the SMs are clocked. The first difference ends the run.
 */
#ifndef BALLAST_DISPATCH_RTL_H
#define BALLAST_DISPATCH_RTL_H

#include "engine/block.h"
#include "gpu/closed_loop.h"

typedef struct dispatch_rtl {
    const block *block;
    port_list ports;
    void *rtl;
    void *out, *after;  /* of the RTL, to look closely */
    void *reset;        /* the model's registers after reset */
    dispatch_watch watch;
    uint64_t cycles;
    char err[LOOP_ERR]; /* the first difference, or "" */
} dispatch_rtl;

/* Watches the simulator from now on, which is at its start. False with one line in err (LOOP_ERR bytes): this build has no such RTL, or no
 * memory. */
bool dispatch_rtl_open(dispatch_rtl *r, chip_sim *sim, char *err);
/* Ends the run in which something differs. */
loop_tap dispatch_rtl_tap(dispatch_rtl *r);
/* After the simulator is closed. */
void dispatch_rtl_close(dispatch_rtl *r);

#endif
