/* SPDX-License-Identifier: Apache-2.0
 *
 * occupancy: how many blocks of a kernel an SM holds at once, and which resource sets that number
 * (QC-1..7; Quintanilla Cruz, MSc thesis 2017, chapter 2.3, Eqs. 2.1 to 2.7). doc/papers/occupancy.md has
 * the equations, the readings and worked examples.
 *
 *     occupancy_result r;
 *     analytic_err err;
 *     const occupancy_kernel k = {.blocks = 450, .threads_per_block = 256, .regs_per_thread = 20};
 *     if (!occupancy_compute(occupancy_gpu_find("cc3.5"), &k, NULL, &r, &err))
 *         puts(err.text);
 *
 * A kernel of which not even one block fits an SM is refused: err says which resource, how much of
 * it a block needs and how much there is. So is a GPU without threads, SMs, ...
 */
#ifndef BALLAST_OCCUPANCY_H
#define BALLAST_OCCUPANCY_H

#include <stdint.h>

#include "analytic/check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A limit of a resource that the kernel does not use. */
#define OCCUPANCY_UNLIMITED UINT32_MAX

/* To whom registers are given out in multiples of occupancy_gpu.reg_unit. */
enum occupancy_reg_alloc {
    OCCUPANCY_REGS_PER_BLOCK,  /* a block; its warps first rounded up to warp_granularity (CC 1.x)      */
    OCCUPANCY_REGS_PER_WARP,   /* a warp; the SM's warps rounded down to warp_granularity (CC 2.x on)   */
    OCCUPANCY_REGS_PER_THREAD, /* a thread, of whole warps (GPGPU-Sim: multiples of 4)                  */
    OCCUPANCY_REG_ALLOCS
};

/* No count of a GPU may be larger than this. */
enum { OCCUPANCY_MAX_COUNT = 1 << 30 };

/* Every number is 1 or more, except shared_reserved. */
typedef struct occupancy_gpu {
    const char *name;    /* of the set, for messages: "cc3.5"                                         */
    const char *product; /* whose number of SMs num_sms is: "Tesla K40c"                              */
    uint32_t num_sms;
    uint32_t warp_size;             /* threads, limThPerWarp                                          */
    uint32_t max_warps;             /* warps of an SM, limWarpsPerSM                                  */
    uint32_t max_blocks;            /* block slots of an SM, limBlocksPerSM                           */
    uint32_t max_threads;           /* threads of an SM: max_warps x warp_size                        */
    uint32_t max_threads_per_block; /* threads                                                        */
    uint32_t registers;             /* registers of an SM (32 bits each), limRegsPerSM                */
    uint32_t max_regs_per_block;    /* registers that a block may have, limRegsPerBl                  */
    uint32_t max_regs_per_thread;   /* registers                                                      */
    uint32_t reg_unit;              /* registers: they are given out in multiples of this             */
    uint32_t warp_granularity;      /* warps: registers are given out to multiples of this            */
    enum occupancy_reg_alloc reg_alloc;
    uint32_t shared_bytes;          /* shared memory of an SM, bytes, limShMemPerSM                   */
    uint32_t max_shared_per_block;  /* bytes                                                          */
    uint32_t shared_reserved;       /* bytes that the system takes of every block's shared memory     */
    uint32_t shared_unit;           /* bytes: shared memory is given out in multiples of this         */
} occupancy_gpu;

typedef struct occupancy_kernel {
    uint32_t blocks;            /* of the grid, 1 or more                                             */
    uint32_t threads_per_block; /* 1 or more                                                          */
    uint32_t regs_per_thread;   /* registers; 0: not known, they are taken not to limit               */
    uint32_t shared_per_block;  /* bytes; 0: none                                                     */
} occupancy_kernel;

/* What a block is charged for. */
enum occupancy_units {
    OCCUPANCY_UNITS_ALLOCATED, /* what the hardware gives out: multiples of the units (default)       */
    OCCUPANCY_UNITS_EXACT      /* what the kernel asks for: registers x threads, bytes                */
};

/* Where OCCUPANCY_REGS_PER_WARP applies warp_granularity (limWarpsDueRegs of Eq. 2.6 is undefined). */
enum occupancy_warp_rounding {
    OCCUPANCY_WARPS_OF_SM,   /* warps that the SM's registers hold, rounded down (default)            */
    OCCUPANCY_WARPS_OF_BLOCK /* warps of a block, rounded up: NVIDIA's calculator before CUDA 5       */
};

typedef struct occupancy_options {
    enum occupancy_units units;
    enum occupancy_warp_rounding warp_rounding;
} occupancy_options;

enum occupancy_limiter {
    OCCUPANCY_BY_BLOCK_SLOTS,
    OCCUPANCY_BY_WARPS,
    OCCUPANCY_BY_REGISTERS,
    OCCUPANCY_BY_SHARED,
    OCCUPANCY_LIMITERS
};

typedef struct occupancy_result {
    uint32_t warps_per_block;       /* Eq. 2.3                                                        */
    uint32_t regs_per_block;        /* registers that a block is charged for                          */
    uint32_t shared_per_block;      /* bytes that a block is charged for                              */
    uint32_t lim_warps_due_regs;    /* of Eq. 2.6, warps                                              */
    uint32_t reg_files;             /* limRegsPerSM / limRegsPerBl of Eq. 2.6, rounded down           */
    uint32_t blocks_by_slots;       /* limBlocksPerSM of Eq. 2.5                                      */
    uint32_t blocks_by_warps;       /* limWarpsPerSM / warpsPerBlock of Eq. 2.5, rounded down         */
    uint32_t blocks_by_threads;     /* Eq. 2.5, blocksLimByNT: the smaller of these two               */
    uint32_t blocks_by_regs;        /* Eq. 2.6, blocksLimByNR; OCCUPANCY_UNLIMITED without registers  */
    uint32_t blocks_by_shared;      /* Eq. 2.7, blocksLimBySH; OCCUPANCY_UNLIMITED without shared     */
    uint32_t active_blocks;         /* Eq. 2.4, per SM                                                */
    uint32_t active_warps;          /* Eq. 2.2, per SM                                                */
    double occupancy;               /* Eq. 2.1, 0 to 1                                                */
    enum occupancy_limiter limiter; /* what sets active_blocks; the first in the enum's order if
                                       several do                                                     */
} occupancy_result;

/* The built-in sets: cc1.0, cc1.1, cc1.3, cc2.0, cc3.5, cc9.0 as NVIDIA's occupancy calculator has
 * them, `table5.2` of the thesis, and `fermi` as GPGPU-Sim's configuration of a GTX 480 counts. */
const occupancy_gpu *occupancy_gpu_find(const char *name); /* NULL if there is no such set */

occupancy_options occupancy_options_default(void);

/* "registers", ... */
const char *occupancy_limiter_name(enum occupancy_limiter limiter);

/* False with err if gpu or kernel cannot be (a count that is 0, ...), or a block does not fit; *out is not touched then.
 * NULL options are the defaults. */
bool occupancy_compute(const occupancy_gpu *gpu, const occupancy_kernel *kernel,
                       const occupancy_options *options, occupancy_result *out, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
