/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU by what it is put together from: gpus.c has those of the thesis, rtl/configs the chips of this tree.
 */
#ifndef BALLAST_ANALYTIC_GPU_ENTRY_H
#define BALLAST_ANALYTIC_GPU_ENTRY_H

#include "analytic/mwp_cwp.h"

typedef struct analytic_gpu_entry {
    const char *name;
    const char *occupancy; /* set of occupancy.h                                        */
    const char *memory;    /* GPU of mwp_cwp_gpus.h; NULL: `timing` and `num_sms`       */
    mwp_cwp_gpu timing;
    uint32_t num_sms;
    const char *power;     /* set of ipp_params.h, NULL: none                           */
    const char *note;
} analytic_gpu_entry;

/* Made at build time from the chips of rtl/configs that have a group `analytic`. Not seen by who links the library. */
#pragma GCC visibility push(hidden)
extern const analytic_gpu_entry analytic_chips[];
extern const unsigned analytic_chip_count;
#pragma GCC visibility pop

#endif
