/* SPDX-License-Identifier: Apache-2.0
 *
 * For the test of the adapter: a simulator that has GPGPU-Sim's names (standin/) and calls the adapter from where doc/use/gpgpusim.md says.
 * What its warps do comes from the test, in words of the observation bus.
 */
#ifndef BALLAST_STANDIN_BENCH_H
#define BALLAST_STANDIN_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/client.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct standin_machine {
    unsigned sms, warps, slots, schedulers;
    int issues_per_warp;
    bool concurrent;
} standin_machine;

typedef struct standin_kernel {
    unsigned uid;
    const char *name;
    unsigned grid[3], block[3], fit;
    int regs, smem;
} standin_kernel;

void standin_open(const standin_machine *m);
void standin_close(void);
/* "" or what the adapter did wrong, since standin_open. */
const char *standin_fault(void);

/* The kernel of which an SM asks for CTAs, one of a few that are there at once. */
void standin_set_kernel(unsigned which, const standin_kernel *k);
bool standin_asks(unsigned sm, unsigned which);
void standin_started(unsigned sm, unsigned which, unsigned slot, unsigned cta);
void standin_finished(unsigned sm, unsigned slot);

/* A cycle of an SM's schedulers: states[w] is what warp w does in it (enum ballast_warp_state). */
void standin_schedule(unsigned sm, const uint8_t *states, uint64_t *seed);
/* The same warp issues again in this cycle. */
void standin_issues_again(unsigned sm, unsigned warp, bool to_memory);
bool standin_paused(unsigned sm, unsigned warp);
void standin_cycle_end(void);

ballast_client_decision standin_decision(unsigned sm);
double standin_period(bool memory);

#ifdef __cplusplus
}
#endif
#endif
