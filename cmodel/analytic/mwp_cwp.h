/* SPDX-License-Identifier: Apache-2.0
 *
 * mwp_cwp: execution time and CPI of a kernel from how many warps overlap their memory accesses (MWP)
 * and their computation (CWP). MC-1..26, HG-A1..12; Hong, PhD thesis 2012, Chapter II, Eqs. 1 to 30.
 * doc/papers/mwp_cwp.md has the equations, the readings and the worked examples.
 *
 *     mwp_cwp_kernel k = mwp_cwp_kernel_default();
 *     k.threads_per_block = 256; k.blocks = 480; k.active_blocks_per_sm = 3;
 *     k.comp_insts = 29; k.coal_mem_insts = 1; k.load_bytes_per_warp = 128;
 *     if (!mwp_cwp_compute(mwp_cwp_gpu_find("FX5600"), &k, NULL, &r, &err))
 *         puts(err.text);
 *     else
 *         printf("case %d, CPI %.3f\n", (int)r.case_number, r.cpi); // case 3, CPI 4.589
 *
 * Counts of instructions are per thread, which is per warp, and may be averages. Cycles are of the SM's
 * clock. Errors: an input that is no count, not finite or below what its comment says, and a result that
 * no double holds; err names the field. Built-in GPUs and Table 6 are in mwp_cwp_gpus.h, the cases of
 * Figs. 6 to 9 and the options in mwp_cwp_round.h.
 */
#ifndef BALLAST_MWP_CWP_H
#define BALLAST_MWP_CWP_H

#include <stdint.h>

#include "analytic/mwp_cwp_round.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A machine: Tables 1, 2 and 5. Everything greater than 0. */
typedef struct mwp_cwp_gpu {
    const char *name;
    double active_sms;       /* #Active_SMs: SMs that hold blocks                          */
    double freq_ghz;         /* GHz, of the SM (processor clock)                           */
    double bandwidth_gb_s;   /* GB/s (10^9 bytes), between DRAM and all SMs                */
    double mem_ld;           /* cycles: Mem_LD, round trip of one transaction              */
    double departure_coal;   /* cycles: Departure_del_coal                                 */
    double departure_uncoal; /* cycles: Departure_del_uncoal                               */
    double issue_cycles;     /* cycles to issue one warp instruction; 0.5 is two per cycle */
    uint32_t warp_size;      /* #Threads_per_warp                                          */
} mwp_cwp_gpu;

/* A kernel: Table 1. #Mem_insts is coal_mem_insts + uncoal_mem_insts. */
typedef struct mwp_cwp_kernel {
    uint32_t threads_per_block;    /* 1 or more                                                      */
    uint32_t blocks;               /* of the whole launch, 1 or more                                 */
    uint32_t active_blocks_per_sm; /* resident at the same time, 1 or more (occupancy.h computes it) */
    double comp_insts;             /* instructions that are not memory, 0 or more                    */
    double coal_mem_insts;         /* memory instructions with one transaction per warp, 0 or more   */
    double uncoal_mem_insts;       /* memory instructions with more than one, 0 or more              */
    double coal_per_mw;            /* #Coal_per_mw: 1; anything else is refused                      */
    double uncoal_per_mw;          /* #Uncoal_per_mw: transactions of one uncoalesced access, >= 1   */
    double load_bytes_per_warp;    /* bytes that one access of a warp moves, > 0 (0 is allowed if
                                      there is no memory instruction)                                */
    double synch_insts;            /* barriers, 0 or more                                            */
    double m_factor;               /* mean M_Factor over all instructions, > 0; mwp_cwp_m_factor()   */
    double ind_mem_req;            /* #Ind_mem_req: memory requests that do not wait for an earlier
                                      one of their warp, 0 to #Mem_insts (Eq. 28)                    */
} mwp_cwp_kernel;

/* Every quantity that the thesis names. Without memory instructions (case 0) all of memory is 0: the
 * weights, mem_l and its two kinds, departure_delay, bw_per_warp, the three bounds of MWP, mem_cycles and
 * eq21 to eq23; MWP is N then, since nothing bounds it. */
typedef struct mwp_cwp_result {
    double warps_per_block;       /* threads_per_block / warp_size, rounded up                       */
    double n;                     /* N: warps running on one SM                                      */
    double mem_insts;             /* #Mem_insts                                                      */
    double total_insts;           /* #Total_insts                                                    */
    double weight_uncoal;         /* Eq. 10                                                          */
    double weight_coal;           /* Eq. 11                                                          */
    double mem_l_uncoal;          /* cycles, Eq. 12                                                  */
    double mem_l_coal;            /* cycles, Eq. 13                                                  */
    double mem_l;                 /* cycles, Eq. 14                                                  */
    double departure_delay;       /* cycles, Eq. 15                                                  */
    double mwp_without_bw_full;   /* Eq. 16                                                          */
    double mwp_without_bw;        /* Eq. 17                                                          */
    double bw_per_warp;           /* GB/s, Eq. 7                                                     */
    double mwp_peak_bw;           /* Eq. 6                                                           */
    double n_pw;                  /* Eq. 28. If it has no bound (all requests independent) it stands
                                     at the bandwidth's, the lesser of Eqs. 16 and 6                 */
    double mwp;                   /* Eq. 5, or Eq. 29 if npw_used                                    */
    double comp_cycles;           /* cycles, Eqs. 18 and 30, one warp                                */
    double mem_cycles;            /* cycles, Eq. 19, one warp                                        */
    double cwp_full;              /* Eq. 8                                                           */
    double cwp;                   /* Eq. 9                                                           */
    double rep;                   /* #Rep, Eq. 20: rounds                                            */
    double eq1;                   /* cycles, whole launch: Eq. 1 x #Rep, ...                         */
    double eq4;                   /* ... Eq. 4, its first line, ...                                  */
    double eq21, eq22, eq23;      /* ... and Eqs. 21 to 23                                           */
    double issue_bound;           /* cycles: Comp_cycles x N x #Rep, below which no SM can issue     */
    double exec_cycles;           /* cycles, Exec_cycles_app: the equation that the case calls for   */
    double np_wb;                 /* NpWB, Eq. 26                                                    */
    double synch_cost;            /* cycles, Eq. 25                                                  */
    double exec_cycles_with_synch; /* cycles, Eq. 27                                                 */
    double cpi;                   /* cycles per warp instruction, Eq. 24, without barriers           */
    double seconds;               /* s: exec_cycles_with_synch at freq_ghz                           */
    enum mwp_cwp_case case_number;
    int equation;                 /* that gave exec_cycles: 1, 4, 21, 22, 23; 0 without memory       */
    bool npw_used;                /* Eq. 29 instead of Eq. 5                                         */
    bool below_issue_bound;       /* the equation gave less than issue_bound (a CPI that cannot be)  */
} mwp_cwp_result;

/* Divergence: one warp executes every path, one after the other (MC-25). */
typedef struct mwp_cwp_paths_result {
    double exec_cycles;            /* cycles: sum of exec_cycles of all paths */
    double synch_cost;             /* cycles                                  */
    double exec_cycles_with_synch; /* cycles                                  */
    double seconds;                /* s                                       */
} mwp_cwp_paths_result;

/* coal_per_mw 1, uncoal_per_mw 32 (Table 2), m_factor 1; the rest is 0 and has to be given. */
mwp_cwp_kernel mwp_cwp_kernel_default(void);

/* The whole model. On failure *out is not touched. */
bool mwp_cwp_compute(const mwp_cwp_gpu *gpu, const mwp_cwp_kernel *kernel, const mwp_cwp_options *options,
                     mwp_cwp_result *out, analytic_err *err);

/* The sum over the num (1 or more) paths that the warps of one launch take. Each path is the kernel as if
 * all its warps took that path only, and all have the same threads_per_block, blocks and
 * active_blocks_per_sm. err begins with "path 1: " and so on. */
bool mwp_cwp_paths(const mwp_cwp_gpu *gpu, const mwp_cwp_kernel *paths, unsigned num,
                   const mwp_cwp_options *options, mwp_cwp_paths_result *out, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
