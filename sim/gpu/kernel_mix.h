/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that run at once beside a first one, and how `mcke` shares the SMs among them (CKE-1, CKE-2, GWDE-5).
 */
#ifndef BALLAST_KERNEL_MIX_H
#define BALLAST_KERNEL_MIX_H

#include "chip/mcke.h"
#include "gpu/program.h"

enum { MIX_OTHERS = PROGRAM_KERNELS - 1 };
_Static_assert((int)PROGRAM_KERNELS == BALLAST_CKE_MAX_KERNELS && (int)MACHINE_MAX_SMS <= MCKE_MAX_SMS, "the dispatcher takes what the simulator does");

/* Kernel 0 is the first one, kernel n is others[n - 1]. */
typedef struct kernel_mix {
    uint32_t num_others; /* 0: there is one kernel, and nothing else of this is read    */
    uint8_t background;  /* a bit per kernel: the run does not wait for its end          */
    uint8_t mode;        /* MCKE_QUOTAS, MCKE_LEFTOVER, MCKE_APART, MCKE_QUEUE          */
    uint8_t quota[PROGRAM_KERNELS][MACHINE_MAX_SMS]; /* how many CTAs of a kernel an SM may hold (CKE-1) */
    workload others[MIX_OTHERS];
} kernel_mix;

/* All SMs may hold so many CTAs of this kernel. As many as there are slots: no quota. */
void kernel_mix_set_quota(kernel_mix *mix, unsigned kernel, unsigned quota);
/* False with one line in err: another kernel cannot be, or does not fit the machine, or one would never be launched. */
bool kernel_mix_check(const kernel_mix *mix, const machine *m, char *err, unsigned size);

#endif
