/* SPDX-License-Identifier: Apache-2.0
 *
 * What one CTA of a kernel needs of an SM, in the units that the CTA dispatcher counts (GWDE-2, GWDE-A2).
 * doc/blocks/gwde.md has the readings.
 */
#ifndef BALLAST_CTA_NEEDS_H
#define BALLAST_CTA_NEEDS_H

#include "common/kernel_desc.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BALLAST_CTA_WARP_THREADS = 32,
    BALLAST_CTA_REG_UNIT = 32,   /* registers: one register of a warp */
    BALLAST_CTA_SMEM_UNIT = 128, /* bytes                     */
};

typedef struct ballast_cta_needs {
    uint32_t warps;
    uint32_t regs; /* register units      */
    uint32_t smem; /* shared memory units */
} ballast_cta_needs;

static inline uint32_t ballast_cta_units(uint32_t amount, uint32_t unit)
{
    return amount / unit + (amount % unit != 0);
}

/* GWDE-A2. With reg_gran 0 raw: registers per thread times threads. Else a warp's registers are rounded up to a multiple of
 * reg_gran, and the warps that get registers to one of warp_gran. */
static inline uint32_t ballast_cta_registers(const ballast_kernel_desc *kernel, uint32_t reg_gran, uint32_t warp_gran)
{
    const uint32_t of_thread = kernel->regs_per_thread;

    if (reg_gran == 0)
        return of_thread * kernel->threads_per_cta;
    return ballast_cta_units(of_thread * BALLAST_CTA_WARP_THREADS, reg_gran) * reg_gran *
           (ballast_cta_units(kernel->warps_per_cta, warp_gran) * warp_gran);
}

static inline ballast_cta_needs ballast_cta_needs_of(const ballast_kernel_desc *kernel, uint32_t reg_gran, uint32_t warp_gran)
{
    ballast_cta_needs needs;

    needs.warps = kernel->warps_per_cta;
    needs.regs = ballast_cta_units(ballast_cta_registers(kernel, reg_gran, warp_gran), BALLAST_CTA_REG_UNIT);
    needs.smem = ballast_cta_units(kernel->smem_per_cta, BALLAST_CTA_SMEM_UNIT);
    return needs;
}

static inline ballast_cta_needs ballast_cta_needs_raw(const ballast_kernel_desc *kernel)
{
    return ballast_cta_needs_of(kernel, 0, 1);
}

/* As a port says it: what is more than the SM has is one unit more. */
static inline uint32_t ballast_cta_need_of_port(uint32_t need, uint32_t capacity)
{
    return need > capacity ? capacity + 1 : need;
}

#ifdef __cplusplus
}
#endif
#endif
