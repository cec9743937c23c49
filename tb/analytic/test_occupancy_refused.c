/* SPDX-License-Identifier: Apache-2.0
 *
 * Which GPUs, kernels and options occupancy refuses, and that anything else fits the SM.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analytic/occupancy.h"
#include "engine/random.h"

/* ---- what is refused --------------------------------------------------------------------------- */

/* The message has every one of the words; the result is as it was. */
static void refused(const occupancy_gpu *gpu, occupancy_kernel kernel, const occupancy_options *options,
                    const char *word, const char *other)
{
    occupancy_result r, before;
    analytic_err err = {""};

    memset(&r, 0x5a, sizeof r);
    before = r;
    assert_false(occupancy_compute(gpu, &kernel, options, &r, &err));
    assert_memory_equal(&r, &before, sizeof r);
    if (!strstr(err.text, word) || !strstr(err.text, other))
        fail_msg("\"%s\" has no \"%s\" and \"%s\"", err.text, word, other);
}

static const occupancy_kernel plain = {.blocks = 1, .threads_per_block = 256, .regs_per_thread = 16,
                                       .shared_per_block = 512};

static void refuses_counts_of_a_gpu_that_cannot_be(void **state)
{
    static const struct {
        const char *name;
        size_t at;
    } fields[] = {
        {"num_sms of cc3.5", offsetof(occupancy_gpu, num_sms)},
        {"warp_size of cc3.5", offsetof(occupancy_gpu, warp_size)},
        {"max_warps of cc3.5", offsetof(occupancy_gpu, max_warps)},
        {"max_blocks of cc3.5", offsetof(occupancy_gpu, max_blocks)},
        {"max_threads of cc3.5", offsetof(occupancy_gpu, max_threads)},
        {"max_threads_per_block of cc3.5", offsetof(occupancy_gpu, max_threads_per_block)},
        {"registers of cc3.5", offsetof(occupancy_gpu, registers)},
        {"max_regs_per_block of cc3.5", offsetof(occupancy_gpu, max_regs_per_block)},
        {"max_regs_per_thread of cc3.5", offsetof(occupancy_gpu, max_regs_per_thread)},
        {"reg_unit of cc3.5", offsetof(occupancy_gpu, reg_unit)},
        {"warp_granularity of cc3.5", offsetof(occupancy_gpu, warp_granularity)},
        {"shared_bytes of cc3.5", offsetof(occupancy_gpu, shared_bytes)},
        {"max_shared_per_block of cc3.5", offsetof(occupancy_gpu, max_shared_per_block)},
        {"shared_unit of cc3.5", offsetof(occupancy_gpu, shared_unit)},
    };

    (void)state;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        occupancy_gpu gpu = *occupancy_gpu_find("cc3.5");
        uint32_t *field = (uint32_t *)(void *)((char *)&gpu + fields[i].at);
        *field = 0;
        refused(&gpu, plain, NULL, fields[i].name, " is 0; give 1 to 1073741824");
        *field = OCCUPANCY_MAX_COUNT + 1u;
        refused(&gpu, plain, NULL, fields[i].name, " is 1073741825; give 1 to 1073741824");
    }
}

static void takes_the_largest_counts(void **state)
{
    occupancy_gpu gpu = *occupancy_gpu_find("cc3.5");
    occupancy_result r;
    analytic_err err;

    (void)state;
    gpu.num_sms = gpu.max_blocks = gpu.registers = gpu.max_regs_per_block = gpu.max_regs_per_thread =
        gpu.shared_bytes = gpu.max_shared_per_block = OCCUPANCY_MAX_COUNT;
    assert_true(occupancy_compute(&gpu, &plain, NULL, &r, &err));
    assert_int_equal(r.active_blocks, 8);
}

static void refuses_a_gpu_whose_parts_contradict_each_other(void **state)
{
    const occupancy_gpu k40 = *occupancy_gpu_find("cc3.5");
    occupancy_gpu gpu = k40;

    (void)state;
    gpu.max_threads = 2047;
    refused(&gpu, plain, NULL, "max_threads of cc3.5 is 2047", "2048");
    gpu = k40;
    gpu.max_threads_per_block = 2049;
    refused(&gpu, plain, NULL, "max_threads_per_block is 2049", "max_threads is 2048");
    gpu = k40;
    gpu.max_regs_per_block = 65537;
    refused(&gpu, plain, NULL, "max_regs_per_block is 65537", "registers is 65536");
    gpu = k40;
    gpu.warp_granularity = 65;
    refused(&gpu, plain, NULL, "warp_granularity is 65", "max_warps is 64");
    gpu = k40;
    gpu.max_shared_per_block = 49153;
    refused(&gpu, plain, NULL, "max_shared_per_block is 49153", "shared_bytes is 49152");
    gpu = k40;
    gpu.shared_reserved = 49153;
    refused(&gpu, plain, NULL, "shared_reserved is 49153", "shared_bytes is 49152");
    gpu = k40;
    gpu.reg_alloc = OCCUPANCY_REG_ALLOCS;
    refused(&gpu, plain, NULL, "reg_alloc of cc3.5 is 3", "_WARP");
    gpu = k40;
    gpu.name = NULL;
    gpu.max_blocks = 0;
    refused(&gpu, plain, NULL, "max_blocks of this GPU", "is 0");
    refused(NULL, plain, NULL, "gpu is missing", "occupancy_gpu_find");
}

static void refuses_kernels_that_cannot_be(void **state)
{
    const occupancy_gpu *gpu = occupancy_gpu_find("cc3.5");
    occupancy_kernel k = plain;

    (void)state;
    k.blocks = 0;
    refused(gpu, k, NULL, "blocks is 0", "give 1");
    k = plain;
    k.threads_per_block = 0;
    refused(gpu, k, NULL, "threads_per_block is 0", "give 1");
    k.threads_per_block = 1025;
    refused(gpu, k, NULL, "threads_per_block is 1025", "cc3.5 has at most 1024");
    k = plain;
    k.regs_per_thread = 256;
    refused(gpu, k, NULL, "regs_per_thread is 256", "at most 255");
    k = plain;
    k.shared_per_block = 49153;
    refused(gpu, k, NULL, "shared_per_block is 49153", "at most 49152 bytes");
}

static void refuses_a_block_that_does_not_fit(void **state)
{
    const occupancy_kernel regs = {.blocks = 1, .threads_per_block = 1024, .regs_per_thread = 63};
    const occupancy_kernel shared = {.blocks = 1, .threads_per_block = 32, .shared_per_block = 49152};
    occupancy_gpu gpu = *occupancy_gpu_find("cc3.5");

    (void)state;
    refused(occupancy_gpu_find("cc2.0"), regs, NULL, "registers: one block needs 65536 for its 32 warps",
            "at most 32768, enough for 16 warps");
    gpu.max_regs_per_block = 32768; /* of two such parts of the SM */
    refused(&gpu, regs, NULL, "for its 32 warps", "a block of cc3.5 gets at most 32768, enough for 16 warps");
    gpu.shared_reserved = 1;
    refused(&gpu, shared, NULL, "shared memory: one block needs 49408 bytes", "has 49152");
}

static void refuses_options_that_cannot_be(void **state)
{
    const occupancy_gpu *gpu = occupancy_gpu_find("cc3.5");
    const occupancy_options units = {.units = (enum occupancy_units)2};
    const occupancy_options rounding = {.warp_rounding = (enum occupancy_warp_rounding)2};

    (void)state;
    refused(gpu, plain, &units, "units is 2", "EXACT");
    refused(gpu, plain, &rounding, "warp_rounding is 2", "OF_BLOCK");
}

/* ---- anything ---------------------------------------------------------------------------------- */

static uint32_t wild(uint64_t *seed, uint32_t usual)
{
    static const uint32_t odd[] = {0, 1, 2, 31, 33, UINT32_MAX, UINT32_MAX - 1, 1u << 31, 1u << 30, 1u << 16};
    const uint64_t pick = random_next(seed) % 8;

    if (pick < 5)
        return usual;
    if (pick == 5)
        return odd[random_next(seed) % (sizeof odd / sizeof odd[0])];
    return (uint32_t)(random_next(seed) % (2 * (uint64_t)usual + 2));
}

static occupancy_gpu wild_gpu(uint64_t *seed)
{
    occupancy_gpu g = *occupancy_gpu_at((unsigned)(random_next(seed) % occupancy_gpu_count()));

    if (random_next(seed) % 4)
        return g;
    g.max_warps = wild(seed, g.max_warps);
    g.max_threads = g.max_warps * g.warp_size;
    g.max_blocks = wild(seed, g.max_blocks);
    g.registers = wild(seed, g.registers);
    g.max_regs_per_block = wild(seed, g.registers);
    g.max_regs_per_thread = wild(seed, g.max_regs_per_thread);
    g.reg_unit = wild(seed, g.reg_unit);
    g.warp_granularity = wild(seed, g.warp_granularity);
    g.shared_bytes = wild(seed, g.shared_bytes);
    g.shared_unit = wild(seed, g.shared_unit);
    g.max_shared_per_block = wild(seed, g.shared_bytes);
    g.shared_reserved = wild(seed, g.shared_reserved);
    return g;
}

static void anything_is_refused_or_fits_the_sm(void **state)
{
    uint64_t seed = 20170901;
    unsigned computed_ones = 0;

    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        const occupancy_gpu g = wild_gpu(&seed);
        const occupancy_kernel k = {wild(&seed, 100), wild(&seed, 256), wild(&seed, 24), wild(&seed, 4096)};
        const occupancy_options o = {(enum occupancy_units)(random_next(&seed) % 2),
                                     (enum occupancy_warp_rounding)(random_next(&seed) % 2)};
        occupancy_result r;
        analytic_err err = {""};
        if (!occupancy_compute(&g, &k, &o, &r, &err)) {
            assert_true(err.text[0]);
            continue;
        }
        computed_ones++;
        assert_true(r.active_blocks >= 1 && r.active_blocks <= g.max_blocks);
        assert_true((uint64_t)r.active_blocks * r.warps_per_block <= g.max_warps);
        assert_true((uint64_t)r.active_blocks * r.regs_per_block <= g.registers);
        assert_true((uint64_t)r.active_blocks * r.shared_per_block <= g.shared_bytes);
        assert_true(r.occupancy > 0 && r.occupancy <= 1);
    }
    assert_true(computed_ones > 50000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_counts_of_a_gpu_that_cannot_be),
        cmocka_unit_test(takes_the_largest_counts),
        cmocka_unit_test(refuses_a_gpu_whose_parts_contradict_each_other),
        cmocka_unit_test(refuses_kernels_that_cannot_be),
        cmocka_unit_test(refuses_a_block_that_does_not_fit),
        cmocka_unit_test(refuses_options_that_cannot_be),
        cmocka_unit_test(anything_is_refused_or_fits_the_sm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
