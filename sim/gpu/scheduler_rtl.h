/* SPDX-License-Identifier: Apache-2.0
 *
 * The Verilated `warp_scheduler` beside every scheduler of the simulator's SMs, in lockstep: every output and register is compared
 * in every cycle in which the SMs are clocked. The first difference ends the run.
 */
#ifndef BALLAST_SCHEDULER_RTL_H
#define BALLAST_SCHEDULER_RTL_H

#include "engine/block.h"
#include "gpu/closed_loop.h"

typedef struct scheduler_rtl {
    const block *block;
    warp_scheduler_cfg cfg;
    port_list ports;
    unsigned per_sm, num;
    void **rtl; /* [SM * per_sm + scheduler] */
    sm_watch watch;
    char err[LOOP_ERR]; /* the first difference, or "" */
} scheduler_rtl;

/* Watches the simulator from now on. False with one line in err (LOOP_ERR bytes): this build has no such RTL, or no memory. */
bool scheduler_rtl_open(scheduler_rtl *r, chip_sim *sim, char *err);
/* Ends the run in which something differs. */
loop_tap scheduler_rtl_tap(scheduler_rtl *r);
/* After the simulator is closed. */
void scheduler_rtl_close(scheduler_rtl *r);

#endif
