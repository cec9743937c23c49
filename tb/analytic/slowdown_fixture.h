/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of slowdown share: kernels of Table 6.2, and calls that have to work.
 */
#ifndef BALLAST_SLOWDOWN_FIXTURE_H
#define BALLAST_SLOWDOWN_FIXTURE_H

#include "analytic/analytic_fixture.h"
#include "analytic/slowdown.h"

#define KERNEL static const occupancy_kernel __attribute__((unused))
KERNEL s1 = {110, 256, 16, 1024}, s2 = {450, 256, 16, 0};
KERNEL s17 = {109, 256, 16, 1664}, s18 = {292, 256, 16, 512};
KERNEL s25 = {150, 256, 16, 1024}, s26 = {393, 512, 16, 8704};
KERNEL s45 = {55, 512, 16, 3840}, s46 = {441, 128, 16, 768};
KERNEL s53 = {36, 512, 16, 1024}, s54 = {362, 1024, 16, 2048};

/* k1 takes 1 s. */
static inline slowdown_result computed(const char *gpu, const occupancy_kernel *k1, const occupancy_kernel *k2,
                                       const slowdown_options *options)
{
    slowdown_result r;

    must(slowdown_compute(occupancy_gpu_find(gpu), k1, k2, 1, options, &r, &err));
    return r;
}

static inline uint32_t fits(const occupancy_kernel *k1, uint32_t k1_blocks, const occupancy_kernel *k2,
                            const slowdown_options *options)
{
    uint32_t blocks;

    must(slowdown_allocatable(occupancy_gpu_find("cc3.5"), k1, k2, k1_blocks, options, &blocks, &err));
    return blocks;
}

#endif
