/* SPDX-License-Identifier: Apache-2.0
 *
 * Several kernels in the activity simulator, private to sim/gpu: their programs, when each is launched and when it is over. All of them
 * are there from the start; a kernel of several launches is launched again as soon as its number is idle.
 */
#ifndef BALLAST_MIX_SIM_H
#define BALLAST_MIX_SIM_H

#include "gpu/mix_dispatcher.h"
#include "gpu/sm.h"

typedef struct mix_kernel {
    workload workload;
    program program;
    ballast_kernel_desc desc;
    uint32_t launch; /* that runs, or is the next; all of them: it is over */
    bool running;
    bool begun;      /* a CTA of it has been launched */
    uint64_t first;  /* cycles before that            */
    uint64_t cycles; /* at its end                    */
} mix_kernel;

typedef struct mix_sim {
    unsigned num;
    kernel_mix mix;
    mix_kernel kernels[PROGRAM_KERNELS];
    mix_dispatcher dispatcher;
} mix_sim;

/* Kernel 0 is `first`; what the programs are made from is copied. */
void mix_sim_open(mix_sim *x, const machine *m, const workload *first, const kernel_mix *mix, uint64_t seed);
/* Back to the start. */
void mix_sim_rewind(mix_sim *x, const machine *m);
/* What the bus says of the kernels: all their CTAs, as many slots as an SM has, the rest as of kernel 0. */
void mix_sim_describe(const mix_sim *x, const machine *m, ballast_kernel_desc *desc);
/* The dispatcher has finished its cycle: the chosen CTA goes to its SM, after so many cycles. */
void mix_sim_launch(mix_sim *x, sim_sm *sms, uint64_t cycles);
/* The only kernel of which CTAs wait, in its only launch; -1: none, or there are more. */
int mix_sim_waiting(const mix_sim *x);
/* Whether there is anything left to run, after so many cycles. */
bool mix_sim_goes_on(mix_sim *x, uint64_t cycles);
/* One kernel that is not running and has launches left starts in this cycle. */
void mix_sim_begin(mix_sim *x);

#endif
