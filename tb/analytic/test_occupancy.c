/* SPDX-License-Identifier: Apache-2.0
 *
 * QC-1 to QC-7: the thesis' examples and the built-in sets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analytic/occupancy.h"

static occupancy_result computed(const char *gpu, occupancy_kernel kernel, const occupancy_options *options)
{
    occupancy_result r;
    analytic_err err;

    if (!occupancy_compute(occupancy_gpu_find(gpu), &kernel, options, &r, &err))
        fail_msg("%s", err.text);
    return r;
}

static uint32_t active_with(const occupancy_options *options, const char *gpu, uint32_t threads,
                            uint32_t regs, uint32_t shared)
{
    const occupancy_kernel k = {.blocks = 1, .threads_per_block = threads, .regs_per_thread = regs,
                                .shared_per_block = shared};

    return computed(gpu, k, options).active_blocks;
}

static uint32_t active(const char *gpu, uint32_t threads, uint32_t regs, uint32_t shared)
{
    return active_with(NULL, gpu, threads, regs, shared);
}

/* ---- equations --------------------------------------------------------------------------------- */

static void qc_e1_two_blocks_of_256_threads_fill_16_warps(void **state)
{
    occupancy_gpu gpu = *occupancy_gpu_find("table5.2");
    const occupancy_kernel k = {.blocks = 2, .threads_per_block = 256, .regs_per_thread = 1};
    occupancy_result r;
    analytic_err err;

    (void)state;
    gpu.max_warps = 16;
    gpu.max_threads = gpu.max_threads_per_block = 512;
    assert_true(occupancy_compute(&gpu, &k, NULL, &r, &err));
    assert_int_equal(r.warps_per_block, 8);
    assert_int_equal(r.active_blocks, 2);
    assert_int_equal(r.active_warps, 16);
    assert_true(r.occupancy == 1.0);
    assert_int_equal(r.limiter, OCCUPANCY_BY_WARPS);
}

static void table_5_3_k1_has_two_active_blocks(void **state)
{
    const occupancy_kernel k1 = {.blocks = 16, .threads_per_block = 512, .regs_per_thread = 1,
                                 .shared_per_block = 1024};
    const occupancy_result r = computed("table5.2", k1, NULL);

    (void)state;
    assert_int_equal(r.warps_per_block, 16);
    assert_int_equal(r.regs_per_block, 512);
    assert_int_equal(r.shared_per_block, 1024);
    assert_int_equal(r.blocks_by_slots, 8);
    assert_int_equal(r.blocks_by_warps, 2);
    assert_int_equal(r.blocks_by_threads, 2);
    assert_int_equal(r.blocks_by_regs, 64);
    assert_int_equal(r.blocks_by_shared, 4);
    assert_int_equal(r.active_blocks, 2);
    assert_int_equal(r.limiter, OCCUPANCY_BY_WARPS);
}

static void table_5_3_k2_has_four_active_blocks(void **state)
{
    const occupancy_kernel k2 = {.blocks = 256, .threads_per_block = 256, .regs_per_thread = 1,
                                 .shared_per_block = 1024};
    const occupancy_result r = computed("table5.2", k2, NULL);

    (void)state;
    assert_int_equal(r.blocks_by_warps, 4);
    assert_int_equal(r.blocks_by_regs, 128);
    assert_int_equal(r.blocks_by_shared, 4);
    assert_int_equal(r.active_blocks, 4);
    assert_int_equal(r.active_warps, 32);
}

static void qc_1_occupancy_is_a_share_of_the_warps(void **state)
{
    const occupancy_kernel k = {.blocks = 1, .threads_per_block = 1024, .regs_per_thread = 63};
    const occupancy_kernel three = {.blocks = 1, .threads_per_block = 96, .regs_per_thread = 16};

    (void)state;
    assert_true(computed("cc3.5", k, NULL).occupancy == 0.5);             /* 1 x 32 of 64  */
    assert_true(computed("cc2.0", three, NULL).occupancy == 24.0 / 48.0); /* 8 x 3 of 48   */
}

static void qc_3_threads_are_rounded_up_to_warps(void **state)
{
    const struct {
        uint32_t threads, warps;
    } rows[] = {{1, 1}, {31, 1}, {32, 1}, {33, 2}, {64, 2}, {1023, 32}, {1024, 32}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const occupancy_kernel k = {.blocks = 1, .threads_per_block = rows[i].threads};
        assert_int_equal(computed("cc3.5", k, NULL).warps_per_block, rows[i].warps);
    }
}

static void qc_5_block_slots_or_warps(void **state)
{
    const occupancy_kernel slots = {.blocks = 1, .threads_per_block = 64};
    const occupancy_kernel both = {.blocks = 1, .threads_per_block = 128};
    const occupancy_kernel warps = {.blocks = 1, .threads_per_block = 160};

    (void)state;
    assert_int_equal(computed("cc3.5", slots, NULL).blocks_by_threads, 16);
    assert_int_equal(computed("cc3.5", slots, NULL).blocks_by_warps, 32);
    assert_int_equal(computed("cc3.5", slots, NULL).limiter, OCCUPANCY_BY_BLOCK_SLOTS);
    assert_int_equal(computed("cc3.5", both, NULL).active_blocks, 16);
    assert_int_equal(computed("cc3.5", both, NULL).limiter, OCCUPANCY_BY_BLOCK_SLOTS); /* first of two */
    assert_int_equal(computed("cc3.5", warps, NULL).blocks_by_threads, 12);
    assert_int_equal(computed("cc3.5", warps, NULL).limiter, OCCUPANCY_BY_WARPS);
}

static void qc_6_registers_of_a_warp_in_units(void **state)
{
    const occupancy_kernel k = {.blocks = 1, .threads_per_block = 256, .regs_per_thread = 36};
    const occupancy_result r = computed("cc3.5", k, NULL);

    (void)state;
    /* 36 x 32 = 1152 -> 1280 of a warp; 65536 / 1280 = 51 warps -> 48; 48 / 8 = 6 */
    assert_int_equal(r.regs_per_block, 10240);
    assert_int_equal(r.lim_warps_due_regs, 48);
    assert_int_equal(r.reg_files, 1);
    assert_int_equal(r.blocks_by_regs, 6);
    assert_int_equal(r.active_blocks, 6);
    assert_int_equal(r.limiter, OCCUPANCY_BY_REGISTERS);
    assert_int_equal(active("cc2.0", 256, 20, 0), 6); /* 640; 51 -> 50 warps      */
    assert_int_equal(active("cc2.0", 256, 21, 0), 5); /* 672 -> 704; 46 warps     */
    assert_int_equal(active("cc2.0", 256, 63, 0), 2); /* 2016 -> 2048; 16 warps   */
    assert_int_equal(active("cc9.0", 256, 64, 0), 4); /* 2048; 32 warps           */
}

/* Eq. 2.6's second factor: a block reaches only half the registers of such an SM (CC 3.7). */
static void qc_6_an_sm_with_two_register_files(void **state)
{
    occupancy_gpu gpu = *occupancy_gpu_find("cc3.5");
    const occupancy_kernel k = {.blocks = 1, .threads_per_block = 384, .regs_per_thread = 64};
    occupancy_result r;
    analytic_err err;

    (void)state;
    gpu.registers = 2 * gpu.max_regs_per_block;
    assert_true(occupancy_compute(&gpu, &k, NULL, &r, &err));
    assert_int_equal(r.lim_warps_due_regs, 32);
    assert_int_equal(r.reg_files, 2);
    assert_int_equal(r.blocks_by_regs, 4); /* 2 x 2, although 64 warps / 12 = 5 */
    assert_int_equal(r.active_blocks, 4);
}

static void qc_6_registers_of_a_block_in_units(void **state)
{
    (void)state;
    assert_int_equal(active("cc1.0", 256, 10, 0), 3); /* 2560; the well-known step ...           */
    assert_int_equal(active("cc1.0", 256, 11, 0), 2); /* 2816; ... from 3 blocks to 2            */
    assert_int_equal(active("cc1.0", 96, 10, 0), 6);  /* 3 warps count as 4: 1280                */
    assert_int_equal(active("cc1.0", 64, 21, 0), 5);  /* 1344 -> 1536; unrounded there were 6    */
    assert_int_equal(active("cc1.3", 64, 33, 0), 6);  /* 2112 -> 2560; unrounded there were 7    */
}

/* GPGPU-Sim's recordings in vectors/ say Nmax 6, 3, 5, 4 for these kernels of 256 threads. */
static void qc_6_the_recorded_kernels_as_gpgpu_sim_counts(void **state)
{
    const occupancy_kernel odd = {.blocks = 1, .threads_per_block = 250, .regs_per_thread = 18};

    (void)state;
    assert_int_equal(active("fermi", 256, 20, 0), 6);
    assert_int_equal(active("fermi", 256, 35, 0), 3);
    assert_int_equal(active("fermi", 256, 22, 0), 5);
    assert_int_equal(active("fermi", 256, 26, 0), 4);
    assert_int_equal(active("fermi", 256, 18, 0), 6);
    assert_int_equal(active("cc2.0", 256, 26, 0), 4);
    assert_int_equal(computed("fermi", odd, NULL).regs_per_block, 256 * 20);
}

static void qc_6_exact_units(void **state)
{
    const occupancy_options exact = {.units = OCCUPANCY_UNITS_EXACT};
    const occupancy_kernel k = {.blocks = 1, .threads_per_block = 250, .regs_per_thread = 36};
    const occupancy_result r = computed("cc3.5", k, &exact);

    (void)state;
    assert_int_equal(r.regs_per_block, 9000);
    assert_int_equal(r.lim_warps_due_regs, 56); /* 7 blocks of 8 warps */
    assert_int_equal(r.blocks_by_regs, 7);
    assert_int_equal(active_with(&exact, "cc1.0", 64, 21, 0), 6);
    assert_int_equal(active_with(&exact, "cc3.5", 32, 0, 3100), 15);
    assert_int_equal(active("cc3.5", 32, 0, 3100), 14);
    assert_int_equal(active_with(&exact, "cc9.0", 32, 0, 7200), 28); /* the reserved 1 KB stays: 8224 bytes */
}

static void qc_6_where_the_warp_granularity_applies(void **state)
{
    const occupancy_options of_block = {.warp_rounding = OCCUPANCY_WARPS_OF_BLOCK};
    const occupancy_kernel k = {.blocks = 1, .threads_per_block = 160, .regs_per_thread = 64};

    (void)state;
    /* 2048 of a warp: 32 warps hold 6 blocks of 5; blocks that count 8 warps: 4 */
    assert_int_equal(computed("cc3.5", k, NULL).active_blocks, 6);
    assert_int_equal(computed("cc3.5", k, NULL).regs_per_block, 5 * 2048);
    assert_int_equal(computed("cc3.5", k, &of_block).active_blocks, 4);
    assert_int_equal(computed("cc3.5", k, &of_block).regs_per_block, 8 * 2048);
    /* 40 registers: 51 warps -> 48, 2 blocks of 17; unrounded there were 3 */
    assert_int_equal(active("cc3.5", 544, 40, 0), 2);
}

static void qc_6_no_registers_do_not_limit(void **state)
{
    const occupancy_kernel k = {.blocks = 1, .threads_per_block = 1024};
    const occupancy_kernel half = {.blocks = 1, .threads_per_block = 512};
    const occupancy_result r = computed("cc1.3", half, NULL);

    (void)state;
    assert_int_equal(r.active_blocks, 2);
    assert_int_equal(r.regs_per_block, 0);
    assert_true(computed("cc3.5", k, NULL).blocks_by_regs == OCCUPANCY_UNLIMITED);
    assert_true(computed("cc3.5", k, NULL).lim_warps_due_regs == OCCUPANCY_UNLIMITED);
}

static void qc_7_shared_memory_in_units(void **state)
{
    const occupancy_kernel none = {.blocks = 1, .threads_per_block = 32};
    const occupancy_kernel some = {.blocks = 1, .threads_per_block = 256, .shared_per_block = 9984};
    const occupancy_result r = computed("cc3.5", some, NULL);

    (void)state;
    assert_true(computed("cc3.5", none, NULL).blocks_by_shared == OCCUPANCY_UNLIMITED);
    assert_int_equal(r.blocks_by_shared, 4);
    assert_int_equal(r.limiter, OCCUPANCY_BY_SHARED);
    assert_int_equal(active("cc3.5", 32, 0, 3584), 13);
    assert_int_equal(active("cc2.0", 32, 0, 7000), 6); /* 7040 */
    assert_int_equal(active("cc1.0", 32, 0, 2049), 6); /* 2560 */
    assert_int_equal(active("cc1.3", 32, 0, 16384), 1);
}

static void qc_7_the_system_takes_a_kilobyte_of_every_block(void **state)
{
    const occupancy_kernel none = {.blocks = 1, .threads_per_block = 32};

    (void)state;
    assert_int_equal(active("cc9.0", 32, 0, 227 * 1024), 1);
    assert_int_equal(active("cc9.0", 32, 0, 113 * 1024), 2);
    assert_int_equal(active("cc9.0", 32, 0, 114 * 1024), 1);
    assert_int_equal(computed("cc9.0", none, NULL).shared_per_block, 1024);
    assert_int_equal(computed("cc9.0", none, NULL).active_blocks, 32);
}

/* ---- the built-in sets ------------------------------------------------------------------------- */

static void sets_have_the_numbers_of_nvidias_calculator(void **state)
{
    static const struct {
        const char *name;
        uint32_t sms, warps, blocks, block_threads, regs, thread_regs, unit, granularity, alloc, shared,
            block_shared, reserved, shared_unit;
    } want[] = {
        {"cc1.0", 16, 24, 8, 512, 8192, 124, 256, 2, OCCUPANCY_REGS_PER_BLOCK, 16384, 16384, 0, 512},
        {"cc1.1", 14, 24, 8, 512, 8192, 124, 256, 2, OCCUPANCY_REGS_PER_BLOCK, 16384, 16384, 0, 512},
        {"cc1.3", 30, 32, 8, 512, 16384, 124, 512, 2, OCCUPANCY_REGS_PER_BLOCK, 16384, 16384, 0, 512},
        {"cc2.0", 15, 48, 8, 1024, 32768, 63, 64, 2, OCCUPANCY_REGS_PER_WARP, 49152, 49152, 0, 128},
        {"cc3.5", 15, 64, 16, 1024, 65536, 255, 256, 4, OCCUPANCY_REGS_PER_WARP, 49152, 49152, 0, 256},
        {"cc9.0", 132, 64, 32, 1024, 65536, 255, 256, 4, OCCUPANCY_REGS_PER_WARP, 233472, 232448, 1024, 128},
        {"table5.2", 16, 32, 8, 1024, 32768, 255, 1, 1, OCCUPANCY_REGS_PER_THREAD, 4096, 4096, 0, 1},
        {"fermi", 15, 48, 8, 1024, 32768, 63, 4, 1, OCCUPANCY_REGS_PER_THREAD, 49152, 49152, 0, 1},
    };

    (void)state;
    assert_int_equal(occupancy_gpu_count(), sizeof want / sizeof want[0]);
    for (unsigned i = 0; i < occupancy_gpu_count(); i++) {
        const occupancy_gpu *g = occupancy_gpu_at(i);
        analytic_err err;
        assert_string_equal(g->name, want[i].name);
        assert_ptr_equal(occupancy_gpu_find(want[i].name), g);
        assert_true(occupancy_gpu_check(g, &err));
        assert_true(g->product[0]);
        assert_int_equal(g->num_sms, want[i].sms);
        assert_int_equal(g->warp_size, 32);
        assert_int_equal(g->max_warps, want[i].warps);
        assert_int_equal(g->max_blocks, want[i].blocks);
        assert_int_equal(g->max_threads_per_block, want[i].block_threads);
        assert_int_equal(g->registers, want[i].regs);
        assert_int_equal(g->max_regs_per_block, want[i].regs);
        assert_int_equal(g->max_regs_per_thread, want[i].thread_regs);
        assert_int_equal(g->reg_unit, want[i].unit);
        assert_int_equal(g->warp_granularity, want[i].granularity);
        assert_int_equal(g->reg_alloc, want[i].alloc);
        assert_int_equal(g->shared_bytes, want[i].shared);
        assert_int_equal(g->max_shared_per_block, want[i].block_shared);
        assert_int_equal(g->shared_reserved, want[i].reserved);
        assert_int_equal(g->shared_unit, want[i].shared_unit);
    }
}

static void sets_that_are_not_there(void **state)
{
    (void)state;
    assert_null(occupancy_gpu_find("cc99"));
    assert_null(occupancy_gpu_find(""));
    assert_null(occupancy_gpu_find(NULL));
    assert_null(occupancy_gpu_at(occupancy_gpu_count()));
}

static void limiters_have_names(void **state)
{
    (void)state;
    assert_string_equal(occupancy_limiter_name(OCCUPANCY_BY_BLOCK_SLOTS), "block slots");
    assert_string_equal(occupancy_limiter_name(OCCUPANCY_BY_WARPS), "warps");
    assert_string_equal(occupancy_limiter_name(OCCUPANCY_BY_REGISTERS), "registers");
    assert_string_equal(occupancy_limiter_name(OCCUPANCY_BY_SHARED), "shared memory");
    assert_string_equal(occupancy_limiter_name(OCCUPANCY_LIMITERS), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(qc_e1_two_blocks_of_256_threads_fill_16_warps),
        cmocka_unit_test(table_5_3_k1_has_two_active_blocks),
        cmocka_unit_test(table_5_3_k2_has_four_active_blocks),
        cmocka_unit_test(qc_1_occupancy_is_a_share_of_the_warps),
        cmocka_unit_test(qc_3_threads_are_rounded_up_to_warps),
        cmocka_unit_test(qc_5_block_slots_or_warps),
        cmocka_unit_test(qc_6_registers_of_a_warp_in_units),
        cmocka_unit_test(qc_6_an_sm_with_two_register_files),
        cmocka_unit_test(qc_6_registers_of_a_block_in_units),
        cmocka_unit_test(qc_6_the_recorded_kernels_as_gpgpu_sim_counts),
        cmocka_unit_test(qc_6_exact_units),
        cmocka_unit_test(qc_6_where_the_warp_granularity_applies),
        cmocka_unit_test(qc_6_no_registers_do_not_limit),
        cmocka_unit_test(qc_7_shared_memory_in_units),
        cmocka_unit_test(qc_7_the_system_takes_a_kilobyte_of_every_block),
        cmocka_unit_test(sets_have_the_numbers_of_nvidias_calculator),
        cmocka_unit_test(sets_that_are_not_there),
        cmocka_unit_test(limiters_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
