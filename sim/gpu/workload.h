/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel as the activity simulator runs it: its launch, what its warps execute, and how they use
 * memory. Nothing in it says how fast it is or how many CTAs are best: that follows.
 */
#ifndef BALLAST_WORKLOAD_H
#define BALLAST_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/machine.h"
#include "bus/sm_obs.h"

enum { WORKLOAD_NAME = 64 };

/* Parts are shares of all instructions or accesses, 0 to 1. */
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): grouped for the reader, there are few of them
typedef struct workload {
    char name[WORKLOAD_NAME];
    /* Launch. */
    uint32_t ctas;             /* in the grid                                                          */
    uint32_t threads_per_cta;
    uint32_t regs_per_thread;
    uint32_t shared_per_cta;   /* bytes                                                                */
    uint32_t launches;         /* of the same grid, one after the other; 1 or more                     */
    bool is_2d;
    uint32_t grid_x;           /* of a 2-D grid: CTAs in a row; 0: not known                           */
    uint32_t cta_x;            /* threads in a row of a CTA of a 2-D grid; 0: not known                */
    /* What a warp executes. */
    uint32_t insts;            /* instructions of a warp                                               */
    double spread;             /* CTAs differ in length by up to this part of it                       */
    double loads, stores;      /* to global memory                                                     */
    double shared, sfu, branches; /* the rest is ALU                                                   */
    uint32_t code;             /* lines of 16 instructions that its code has, 1..16; 0: 16             */
    uint32_t barrier_every;    /* instructions between two barriers; 0: none                           */
    double alu_distance;       /* mean number of instructions from a result to its use, 1 or more      */
    double load_distance;      /* the same for a load                                                  */
    double operands;           /* mean number of registers that an ALU instruction reads, 1..3; 0: 2   */
    /* Where its loads go: the rest streams, each line once. Stores always stream. */
    uint32_t lines;            /* that one load of a warp touches, 1..32                               */
    uint32_t store_lines;      /* that one store touches; 0: as many as a load                         */
    double warp_reuse;         /* to lines that the warp itself uses again                             */
    uint32_t warp_set;         /* how many lines that are                                              */
    double cta_reuse;          /* to lines that all warps of the CTA use                               */
    uint32_t cta_set;
    double neighbour_reuse;    /* to lines that the next CTA in the grid uses, too                     */
    uint32_t neighbour_set;
    double random;             /* anywhere in the kernel's data                                        */
    uint32_t footprint;        /* lines of the kernel's data                                           */
} workload;

uint32_t workload_warps(const workload *w); /* of a CTA */

/* CTAs of it that fit an SM by the four resource checks (GWDE-2); 0: none. */
uint32_t workload_nmax(const workload *w, const machine *m);

/* Part of the bits of an SM's registers and shared memory that one CTA holds, with the same granularity. */
double workload_storage(const workload *w, const machine *m);

/* False with one line in err if there can be no such kernel, or it does not fit the machine. */
bool workload_check(const workload *w, const machine *m, char *err, unsigned size);

void workload_describe(const workload *w, const machine *m, ballast_kernel_desc *desc);

#endif
