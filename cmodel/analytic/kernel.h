/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel as all analytic models together want it (Table 1 and Table 15 of Hong, PhD thesis
 * 2012; Ch. 2.3 of Quintanilla Cruz, MSc thesis 2017). Each model alone takes less: see its own
 * header; predict.h fills them from here.
 */
#ifndef BALLAST_ANALYTIC_KERNEL_H
#define BALLAST_ANALYTIC_KERNEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ANALYTIC_NAME = 64 };

typedef struct analytic_kernel {
    char name[ANALYTIC_NAME];
    /* Launch. */
    uint32_t blocks;            /* CTAs in the grid             */
    uint32_t threads_per_block;
    uint32_t regs_per_thread;
    uint32_t shared_per_block;  /* bytes                        */
    /* Instructions that one warp executes, averages over all warps. */
    double int_insts, fp_insts, sfu_insts, alu_insts; /* arithmetic, by unit (Table 7)            */
    double shared_insts, const_insts, texture_insts;  /* memories on the SM: time of arithmetic   */
    double local_insts;                               /* local memory: off chip, coalesced        */
    double coal_mem_insts, uncoal_mem_insts;          /* global loads and stores                  */
    double synch_insts;                               /* barriers                                 */
    /* How it uses memory. */
    double uncoal_per_mw;     /* transactions of one uncoalesced access                           */
    double load_bytes;        /* bytes that one warp's access moves, average                      */
    double independent_loads; /* loads before the first use of one (MSTR of TP-7), 1 or more      */
    double mem_latency;       /* cycles of an access alone on the machine; 0: the GPU's Mem_LD     */
} analytic_kernel;

#ifdef __cplusplus
}
#endif
#endif
