/* SPDX-License-Identifier: Apache-2.0
 *
 * What the CTA dispatcher counts (GWDE-2, GWDE-A2) against the equations of occupancy (QC-1 to QC-7), which share no code with it.
 */
#include "analytic/occupancy.h"
#include "common/cta_needs.h"
#include "engine/random.h"
#include "engine/suite_fixture.h"

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* CTAs that fit an SM of the GPU, by the dispatcher's units. */
static uint32_t fitting(const occupancy_gpu *gpu, const ballast_cta_needs *need)
{
    const uint32_t regs = gpu->registers / BALLAST_CTA_REG_UNIT, smem = gpu->shared_bytes / BALLAST_CTA_SMEM_UNIT;
    uint32_t fit = least_of(gpu->max_blocks, gpu->max_warps / need->warps);

    fit = need->regs ? least_of(fit, regs / need->regs) : fit;
    return need->smem ? least_of(fit, smem / need->smem) : fit;
}

static void compare(const char *gpu_name, enum occupancy_units units, uint32_t reg_gran, uint32_t warp_gran)
{
    const occupancy_gpu *gpu = occupancy_gpu_find(gpu_name);
    occupancy_options options = occupancy_options_default();
    uint64_t seed = 0x0cc;
    unsigned fitted = 0;

    options.units = units;
    options.warp_rounding = OCCUPANCY_WARPS_OF_BLOCK;
    for (unsigned n = 0; n < 20000; n++) {
        const unsigned warps = 1 + random_below(&seed, 32);
        const ballast_kernel_desc kernel = {.threads_per_cta = (uint16_t)(warps * 32), .warps_per_cta = (uint8_t)warps,
                                            .regs_per_thread = (uint16_t)(1 + random_below(&seed, 63)),
                                            .smem_per_cta = gpu->shared_unit * random_below(&seed, gpu->max_shared_per_block / gpu->shared_unit + 1)};
        const ballast_cta_needs need = ballast_cta_needs_of(&kernel, reg_gran, warp_gran);
        const occupancy_kernel same = {1, kernel.threads_per_cta, kernel.regs_per_thread, kernel.smem_per_cta};
        occupancy_result expected = {0};
        analytic_err err;
        const bool fits = occupancy_compute(gpu, &same, &options, &expected, &err);

        assert_int_equal(fitting(gpu, &need), fits ? expected.active_blocks : 0);
        fitted += fits;
    }
    assert_true(fitted > 5000);
}

TEST(gwde_a2_raw_is_exact)
{
    compare("cc2.0", OCCUPANCY_UNITS_EXACT, 0, 1);
    compare("cc3.5", OCCUPANCY_UNITS_EXACT, 0, 1);
}

TEST(gwde_a2_granularity_is_allocated)
{
    compare("cc2.0", OCCUPANCY_UNITS_ALLOCATED, 64, 2);
    compare("cc3.5", OCCUPANCY_UNITS_ALLOCATED, 256, 4);
}
