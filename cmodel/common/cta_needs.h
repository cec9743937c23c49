/* SPDX-License-Identifier: Apache-2.0
 *
 * What one CTA of a kernel needs of an SM, in the units that the CTA dispatcher counts (GWDE-2, GWDE-A2).
 * doc/blocks/gwde.md has the readings.
 */
#ifndef BALLAST_CTA_NEEDS_H
#define BALLAST_CTA_NEEDS_H

#include "common/sm_obs.h"

enum {
    CTA_WARP_THREADS = 32,
    CTA_REG_UNIT = 32,   /* registers: one register of a warp */
    CTA_SMEM_UNIT = 128, /* bytes                             */
};

typedef struct cta_needs {
    uint32_t warps;
    uint32_t regs; /* register units      */
    uint32_t smem; /* shared memory units */
} cta_needs;

static inline uint32_t cta_units(uint32_t amount, uint32_t unit)
{
    return amount / unit + (amount % unit != 0);
}

/* GWDE-A2. With reg_gran 0 raw: registers per thread times threads. Else a warp's registers are rounded up to a multiple of
 * reg_gran, and the warps that get registers to one of warp_gran. */
static inline uint32_t cta_registers(const kernel_desc *kernel, uint32_t reg_gran, uint32_t warp_gran)
{
    const uint32_t of_thread = kernel->regs_per_thread;

    if (reg_gran == 0)
        return of_thread * kernel->threads_per_cta;
    return cta_units(of_thread * CTA_WARP_THREADS, reg_gran) * reg_gran *
           (cta_units(kernel->warps_per_cta, warp_gran) * warp_gran);
}

static inline cta_needs cta_needs_of(const kernel_desc *kernel, uint32_t reg_gran, uint32_t warp_gran)
{
    cta_needs needs;

    needs.warps = kernel->warps_per_cta;
    needs.regs = cta_units(cta_registers(kernel, reg_gran, warp_gran), CTA_REG_UNIT);
    needs.smem = cta_units(kernel->smem_per_cta, CTA_SMEM_UNIT);
    return needs;
}

static inline cta_needs cta_needs_raw(const kernel_desc *kernel)
{
    return cta_needs_of(kernel, 0, 1);
}

/* As a port says it: what is more than the SM has is one unit more. */
static inline uint32_t cta_need_of_port(uint32_t need, uint32_t capacity)
{
    return need > capacity ? capacity + 1 : need;
}

#endif
