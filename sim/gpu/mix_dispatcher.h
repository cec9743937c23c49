/* SPDX-License-Identifier: Apache-2.0
 *
 * The CTA dispatcher of the activity simulator where several kernels run at once: the reference model of `mcke` (CKE-1, CKE-2, CKE-A1,
 * GWDE-5, doc/blocks/mcke.md) beside the SMs. Its cycles are those of gpu/dispatcher.h, which is for one kernel.
 */
#ifndef BALLAST_MIX_DISPATCHER_H
#define BALLAST_MIX_DISPATCHER_H

#include "chip/gwde.h"
#include "gpu/dispatch_watch.h"
#include "gpu/kernel_mix.h"

typedef struct mix_dispatcher {
    mcke_cfg cfg;
    mcke_state state;
    mcke_in in;   /* of the cycle that is not finished  */
    mcke_out out; /* of the one that was finished last  */
    const dispatch_watch *watch; /* sees every cycle; or NULL */
    bool busy;    /* another cycle may change something */
} mix_dispatcher;

/* The dispatcher of several kernels on the chip of one that is for one kernel. */
mcke_cfg mix_dispatcher_mcke(const gwde_cfg *alone, unsigned kernels);

void mix_dispatcher_open(mix_dispatcher *d, const machine *m, const kernel_mix *mix);
/* A kernel starts in this cycle: one in a cycle, and it is idle. */
void mix_dispatcher_start(mix_dispatcher *d, unsigned kernel, const ballast_kernel_desc *desc);
/* In this cycle CTAs of these slots have finished on an SM. */
void mix_dispatcher_done(mix_dispatcher *d, unsigned sm, uint32_t slots);
/* In this cycle an SM asks for a CTA, or does not; how many it may hold of all kernels, 0: as many as it has slots. */
void mix_dispatcher_ask(mix_dispatcher *d, unsigned sm, bool asks, uint8_t limit);
/* The cycle is over. */
void mix_dispatcher_clock(mix_dispatcher *d);
/* Leaves out the kernel's CTAs that wait, but for so many; how many these are, from which one on. */
uint32_t mix_dispatcher_leap(mix_dispatcher *d, unsigned kernel, uint32_t stay, uint32_t *first);
/* The kernel is not about to start, no CTA of it is left, and none holds anything. */
bool mix_dispatcher_idle(const mix_dispatcher *d, unsigned kernel);
/* The SM of the launch that is next, if one is. */
unsigned mix_dispatcher_start_sm(const mix_dispatcher *d);
/* In the cycle that was finished last the SM asked, and no kernel can serve it. */
bool mix_dispatcher_denied(const mix_dispatcher *d, unsigned sm);

#endif
