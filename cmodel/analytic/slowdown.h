/* SPDX-License-Identifier: Apache-2.0
 *
 * slowdown: two kernels on one GPU. k1 was launched first; how much longer does k2 take in what k1
 * leaves over (QC-8..16; Quintanilla Cruz, MSc thesis 2017, chapters 4 to 6, Algorithms 1 and 2,
 * Eqs. 4.1, 5.1, 5.2, 6.1). doc/papers/occupancy.md has the equations, the readings and the tables.
 *
 *     slowdown_result r;
 *     if (!slowdown_compute(gpu, &k1, &k2, 0.01, NULL, &r, &err)) // k1 takes 10 ms alone
 *         puts(err.text);
 *     else
 *         printf("case %s, k2 takes %.2f times as long\n", slowdown_case_name(r.concurrency), r.slowdown);
 *
 * The model is of resources and waves: it knows neither caches nor memory bandwidth. Errors: a GPU or
 * kernel that occupancy_compute() refuses (err begins with "k1: " or "k2: "), a time that cannot be.
 */
#ifndef BALLAST_SLOWDOWN_H
#define BALLAST_SLOWDOWN_H

#include "analytic/occupancy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Algorithm 1: when do the two kernels run? */
enum slowdown_case {
    SLOWDOWN_CASE_A, /* together from the beginning                        */
    SLOWDOWN_CASE_B, /* together from k1's last wave on                    */
    SLOWDOWN_CASE_C, /* one after the other                                */
    SLOWDOWN_CASES
};

/* cond2 of Algorithm 1: room for a block of k2 ... (QC-A1) */
enum slowdown_cond2 {
    SLOWDOWN_COND2_CAPACITY, /* ... on any SM, counting what k1's blocks leave there (default)  */
    SLOWDOWN_COND2_LITERAL   /* ... on an SM that k1 has filled                                 */
};

/* How the blocks of k1's last wave lie on the SMs (QC-16). */
enum slowdown_fill {
    SLOWDOWN_FILL_RR, /* round robin: breadth first (default)                   */
    SLOWDOWN_FILL_DF  /* depth first: one SM is filled, then the next           */
};

/* The sum of Eq. 5.2 (QC-A5, QC-16). */
enum slowdown_occupied {
    SLOWDOWN_OCCUPIED_PER_SM, /* every SM by the blocks that it holds (default)                     */
    SLOWDOWN_OCCUPIED_LITERAL /* nFree and nOccupied: an SM is empty, or as full as k1 can make it  */
};

/* Which blocks of k1 are there while k2 runs, if k1 has more than one wave (QC-A7). */
enum slowdown_remainder {
    SLOWDOWN_REMAINDER_MOD,    /* those of its last wave (default)             */
    SLOWDOWN_REMAINDER_LITERAL /* all: k1 fills the GPU                        */
};

/* A last wave of k1 that fills the GPU exactly (QC-A2). */
enum slowdown_full_wave {
    SLOWDOWN_FULL_WAVE_CASE_C, /* Algorithm 1 as printed (default)                          */
    SLOWDOWN_FULL_WAVE_CASE_B  /* the text of 4.1.1: k2 starts once k1's blocks are placed  */
};

/* How long k1's blocks stay (QC-14). */
enum slowdown_lifetime {
    SLOWDOWN_LIFETIME_OUTLIVES, /* as long as k2 (default)                                            */
    SLOWDOWN_LIFETIME_FINITE    /* one wave of k1; then k2 has the GPU alone. Needs exec_time_k2      */
};

typedef struct slowdown_options {
    occupancy_options occupancy;
    enum slowdown_cond2 cond2;
    enum slowdown_fill fill;
    enum slowdown_occupied occupied;
    enum slowdown_remainder remainder;
    enum slowdown_full_wave full_wave;
    enum slowdown_lifetime lifetime;
    bool alloc_by_warp;     /* Algorithm 2 counts warps (default), else threads as printed (QC-A4)        */
    bool block_slots;       /* Algorithm 2 counts block slots, too (default), else not, as printed        */
    double launch_overhead; /* s; Launch_overhead of Algorithm 1, 0 by default: not given (QC-A12)        */
    double exec_time_k2;    /* s, of k2 alone; for SLOWDOWN_LIFETIME_FINITE only                          */
} slowdown_options;

/* SMs that hold the same number of k1's blocks. */
typedef struct slowdown_group {
    uint32_t sms;
    uint32_t k1_blocks; /* of k1 on each                       */
    uint32_t k2_blocks; /* of k2 that fit beside them, on each */
} slowdown_group;

enum { SLOWDOWN_MAX_GROUPS = 3 };

typedef struct slowdown_result {
    occupancy_result k1, k2;        /* each alone                                                         */
    uint32_t waves_k1, waves_k2;    /* Eq. 4.1                                                            */
    bool outlasts_launch;           /* first line of Algorithm 1: ExecTime_k1 > Launch_overhead           */
    bool cond1, cond2;              /* of Algorithm 1                                                     */
    enum slowdown_case concurrency; /* Algorithm 1                                                        */
    uint32_t alloc_blocks;          /* AllocBl_k2: Algorithm 2 beside ActiveBlocks_k1 blocks, per SM      */
    uint64_t resident_k1;           /* blocks of k1 on the GPU while k2 runs (B1' of QC-16)               */
    uint32_t n_free, n_occupied;    /* SMs, of Eq. 5.2 read literally: nOccupied = B1' / ActiveBlocks_k1,
                                       rounded up                                                         */
    unsigned num_groups;
    slowdown_group group[SLOWDOWN_MAX_GROUPS]; /* fullest first                                           */
    uint64_t capacity;              /* blocks of k2 beside k1, all SMs: denominator of Eq. 5.2            */
    bool shares;                    /* k2 runs beside k1: not case C, and capacity > 0                    */
    double lifetime_waves;          /* how long k1 stays, in waves of k2; 0 with LIFETIME_OUTLIVES        */
    double waves_with_lim_res;      /* Eq. 5.2; waves_k2 if not shares. Whole, except LIFETIME_FINITE     */
    double slowdown;                /* Eq. 5.1; 1 if not shares: k2 waits, and then has the GPU alone     */
} slowdown_result;

slowdown_options slowdown_options_default(void);

/* "A", "B", "C" */
const char *slowdown_case_name(enum slowdown_case c);

/* The whole model. exec_time_k1: s, of k1 alone. NULL options are the defaults. On failure *out is
 * not touched. */
bool slowdown_compute(const occupancy_gpu *gpu, const occupancy_kernel *k1, const occupancy_kernel *k2,
                      double exec_time_k1, const slowdown_options *options, slowdown_result *out,
                      analytic_err *err);

/* ---- single equations ------------------------------------------------------------------------ */

/* Eq. 4.1: waves of `blocks` blocks on num_sms SMs of active_blocks each. */
bool slowdown_waves(uint32_t blocks, uint32_t active_blocks, uint32_t num_sms, uint32_t *waves,
                    analytic_err *err);

/* Algorithm 2: blocks of k2 that fit an SM beside k1_blocks blocks of k1 (at most as many as fit an
 * SM alone). */
bool slowdown_allocatable(const occupancy_gpu *gpu, const occupancy_kernel *k1, const occupancy_kernel *k2,
                          uint32_t k1_blocks, const slowdown_options *options, uint32_t *blocks,
                          analytic_err *err);

/* Eq. 6.1, in %, with its sign. */
bool slowdown_error(double estimated, double actual, double *percent, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
