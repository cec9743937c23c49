/* SPDX-License-Identifier: Apache-2.0
 *
 * What a kernel brings along at its start.
 */
#ifndef BALLAST_KERNEL_DESC_H
#define BALLAST_KERNEL_DESC_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* nmax is the resource limit of PS-1. */
typedef struct ballast_kernel_desc {
    uint32_t grid_ctas;        /* CTAs in the grid                   */
    uint32_t smem_per_cta;     /* shared memory, bytes per CTA       */
    uint16_t threads_per_cta;
    uint16_t regs_per_thread;
    uint8_t warps_per_cta;
    uint8_t nmax;              /* most CTAs one SM can hold, 1..slots */
    uint8_t is_2d;             /* CTAs form a 2-D grid (BCS-2)        */
    uint32_t grid_x;           /* CTAs in a row of a 2-D grid; 0: a 1-D grid, or a width that nobody noted */
} ballast_kernel_desc;

static inline bool ballast_kernel_desc_equal(const ballast_kernel_desc *a, const ballast_kernel_desc *b)
{
    return a->grid_ctas == b->grid_ctas && a->smem_per_cta == b->smem_per_cta &&
           a->threads_per_cta == b->threads_per_cta && a->regs_per_thread == b->regs_per_thread &&
           a->warps_per_cta == b->warps_per_cta && a->nmax == b->nmax && a->is_2d == b->is_2d &&
           a->grid_x == b->grid_x;
}

#ifdef __cplusplus
}
#endif
#endif
