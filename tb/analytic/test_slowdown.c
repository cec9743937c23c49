/* SPDX-License-Identifier: Apache-2.0
 *
 * QC-8 to QC-16: Algorithm 2, the equations, the thesis' worked examples.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analytic/slowdown.h"

#define NEAR 1e-9

/* Kernels of Table 6.2 and of Table 5.3 (512 and 256 registers of a block are 1 of a thread). */
static const occupancy_kernel s1 = {110, 256, 16, 1024}, s2 = {450, 256, 16, 0};
static const occupancy_kernel s25 = {150, 256, 16, 1024}, s26 = {393, 512, 16, 8704};
static const occupancy_kernel s37 = {24, 512, 16, 7168}, s38 = {478, 128, 16, 4096};
static const occupancy_kernel example_k1 = {16, 512, 1, 1024}, example_k2 = {256, 256, 1, 1024};

static slowdown_result computed(const char *gpu, const occupancy_kernel *k1, const occupancy_kernel *k2,
                                const slowdown_options *options)
{
    slowdown_result r;
    analytic_err err;

    if (!slowdown_compute(occupancy_gpu_find(gpu), k1, k2, 1, options, &r, &err))
        fail_msg("%s", err.text);
    return r;
}

static uint32_t fits(const occupancy_kernel *k1, uint32_t k1_blocks, const occupancy_kernel *k2,
                     const slowdown_options *options)
{
    uint32_t blocks;
    analytic_err err;

    if (!slowdown_allocatable(occupancy_gpu_find("cc3.5"), k1, k2, k1_blocks, options, &blocks, &err))
        fail_msg("%s", err.text);
    return blocks;
}

static void assert_group(const slowdown_result *r, unsigned i, uint32_t sms, uint32_t k1_blocks,
                         uint32_t k2_blocks)
{
    assert_true(i < r->num_groups);
    assert_int_equal(r->group[i].sms, sms);
    assert_int_equal(r->group[i].k1_blocks, k1_blocks);
    assert_int_equal(r->group[i].k2_blocks, k2_blocks);
}

/* ---- equations --------------------------------------------------------------------------------- */

static void qc_e2_waves_of_128_blocks(void **state)
{
    uint32_t waves;
    analytic_err err;

    (void)state;
    assert_true(slowdown_waves(128, 8, 2, &waves, &err));
    assert_int_equal(waves, 8);
    assert_true(slowdown_waves(129, 8, 2, &waves, &err));
    assert_int_equal(waves, 9);
    assert_true(slowdown_waves(1, 8, 2, &waves, &err));
    assert_int_equal(waves, 1);
    assert_true(slowdown_waves(UINT32_MAX, UINT32_MAX, UINT32_MAX, &waves, &err));
    assert_int_equal(waves, 1);
}

static void qc_15_error_in_percent(void **state)
{
    double e;
    analytic_err err;

    (void)state;
    assert_true(slowdown_error(1.25, 1.0, &e, &err));
    assert_true(fabs(e - 25) < NEAR);
    assert_true(slowdown_error(1.29, 2.409, &e, &err)); /* Table 6.5, HS3: 46.46 % as printed */
    assert_true(fabs(e + 46.45) < 0.01);
}

/* ---- Algorithm 2 ------------------------------------------------------------------------------- */

static void qc_10_what_k1_leaves_of_each_resource(void **state)
{
    const occupancy_kernel regs1 = {1, 256, 32, 0}, regs2 = {1, 256, 64, 0}; /* 8192 and 16384 of a block */
    const occupancy_kernel shared1 = {1, 256, 16, 4096}, shared2 = {1, 128, 16, 9984};
    const occupancy_kernel wide1 = {1, 512, 16, 0}, wide2 = {1, 384, 16, 0};

    (void)state;
    assert_int_equal(fits(&regs1, 3, &regs2, NULL), 2);
    assert_int_equal(fits(&regs1, 4, &regs2, NULL), 2);
    assert_int_equal(fits(&regs1, 5, &regs2, NULL), 1);
    assert_int_equal(fits(&shared1, 5, &shared2, NULL), 2);
    assert_int_equal(fits(&shared1, 8, &shared2, NULL), 0); /* no threads left, shared memory for one */
    assert_int_equal(fits(&wide1, 2, &wide2, NULL), 2);
    assert_int_equal(fits(&wide1, 3, &wide2, NULL), 1);
    assert_int_equal(fits(&wide1, 4, &wide2, NULL), 0);
    assert_int_equal(fits(&wide1, 0, &wide2, NULL), 5); /* as many as alone */
}

static void qc_11_block_slots(void **state)
{
    const occupancy_kernel small = {1, 32, 16, 0};
    slowdown_options no_slots = slowdown_options_default();

    (void)state;
    no_slots.block_slots = false;
    assert_int_equal(fits(&small, 14, &small, NULL), 2);
    assert_int_equal(fits(&small, 16, &small, NULL), 0);
    assert_int_equal(fits(&small, 14, &small, &no_slots), 16); /* never more than alone */
}

static void qc_a4_threads_or_warps(void **state)
{
    const occupancy_kernel pfl = {47, 128, 13, 0}, lud = {1, 16, 32, 1024};
    const occupancy_kernel odd = {1, 129, 16, 0}; /* 5 warps */
    slowdown_options by_threads = slowdown_options_default(), by_warps = slowdown_options_default();

    (void)state;
    by_threads.alloc_by_warp = by_threads.block_slots = by_warps.block_slots = false;
    assert_int_equal(fits(&pfl, 15, &lud, &by_warps), 4);   /* 4 warps are left  */
    assert_int_equal(fits(&pfl, 15, &lud, &by_threads), 8); /* 128 threads are   */
    assert_int_equal(fits(&odd, 12, &pfl, &by_warps), 1);
    assert_int_equal(fits(&odd, 12, &pfl, &by_threads), 3);
}

static void qc_10_never_more_than_alone(void **state)
{
    const occupancy_kernel k = {1, 160, 64, 0}; /* 6 alone; Algorithm 2's division of registers: 6.4 */
    const occupancy_kernel odd = {1, 544, 40, 0}; /* 2 alone (warps in fours); registers for 3 */

    (void)state;
    assert_int_equal(fits(&k, 0, &k, NULL), 6);
    assert_int_equal(fits(&odd, 0, &odd, NULL), 2);
}

/* ---- worked examples --------------------------------------------------------------------------- */

static void table_5_3_slowdown_is_2(void **state)
{
    slowdown_options o = slowdown_options_default();
    slowdown_result r;

    (void)state;
    o.fill = SLOWDOWN_FILL_DF;
    r = computed("table5.2", &example_k1, &example_k2, &o);
    assert_int_equal(r.k1.active_blocks, 2);
    assert_int_equal(r.k2.active_blocks, 4);
    assert_int_equal(r.waves_k1, 1);
    assert_int_equal(r.waves_k2, 4);
    assert_int_equal(r.resident_k1, 16);
    assert_int_equal(r.n_occupied, 8);
    assert_int_equal(r.n_free, 8);
    assert_int_equal(r.alloc_blocks, 0);
    assert_int_equal(r.num_groups, 2);
    assert_group(&r, 0, 8, 2, 0);
    assert_group(&r, 1, 8, 0, 4);
    assert_int_equal(r.capacity, 32);
    assert_true(r.waves_with_lim_res == 8);
    assert_true(r.slowdown == 2);
    assert_true(r.shares);
}

static void table_5_3_fills_and_eq_5_2_give_the_same(void **state)
{
    slowdown_options literal = slowdown_options_default();
    slowdown_result r = computed("table5.2", &example_k1, &example_k2, NULL);

    (void)state;
    assert_int_equal(r.num_groups, 1);
    assert_group(&r, 0, 16, 1, 2);
    assert_int_equal(r.capacity, 32);
    assert_true(r.slowdown == 2);
    literal.occupied = SLOWDOWN_OCCUPIED_LITERAL;
    r = computed("table5.2", &example_k1, &example_k2, &literal);
    assert_int_equal(r.capacity, 32);
    assert_true(r.slowdown == 2);
}

static void qc_e4_s1_s2(void **state)
{
    slowdown_options o = slowdown_options_default();
    slowdown_result r = computed("cc3.5", &s1, &s2, NULL);

    (void)state;
    assert_int_equal(r.k1.active_blocks, 8);
    assert_int_equal(r.num_groups, 2);
    assert_group(&r, 0, 5, 8, 0);
    assert_group(&r, 1, 10, 7, 1);
    assert_int_equal(r.capacity, 10);
    assert_true(r.waves_with_lim_res == 45);
    assert_true(r.slowdown == 11.25);
    o.fill = SLOWDOWN_FILL_DF;
    r = computed("cc3.5", &s1, &s2, &o);
    assert_int_equal(r.num_groups, 3);
    assert_group(&r, 0, 13, 8, 0);
    assert_group(&r, 1, 1, 6, 2);
    assert_group(&r, 2, 1, 0, 8);
    assert_true(r.slowdown == 11.25);
    o.occupied = SLOWDOWN_OCCUPIED_LITERAL;
    r = computed("cc3.5", &s1, &s2, &o);
    assert_int_equal(r.n_occupied, 14);
    assert_int_equal(r.capacity, 8);
    assert_true(r.waves_with_lim_res == 57);
    assert_true(r.slowdown == 14.25);
}

static void qc_16_fill_matters_in_s37_s38(void **state)
{
    slowdown_options df = slowdown_options_default();

    (void)state;
    df.fill = SLOWDOWN_FILL_DF;
    assert_int_equal(computed("cc3.5", &s37, &s38, NULL).capacity, 132);
    assert_int_equal(computed("cc3.5", &s37, &s38, &df).capacity, 108);
    assert_true(fabs(computed("cc3.5", &s37, &s38, NULL).slowdown - 4.0 / 3) < NEAR);
    assert_true(fabs(computed("cc3.5", &s37, &s38, &df).slowdown - 5.0 / 3) < NEAR);
}

static void qc_a7_remainder_of_s25(void **state)
{
    slowdown_options literal = slowdown_options_default();
    slowdown_result r = computed("cc3.5", &s25, &s26, NULL);

    (void)state;
    assert_int_equal(r.waves_k1, 2);
    assert_int_equal(r.resident_k1, 30);
    assert_int_equal(r.capacity, 45);
    assert_true(fabs(r.slowdown - 9.0 / 7) < NEAR);
    literal.remainder = SLOWDOWN_REMAINDER_LITERAL;
    r = computed("cc3.5", &s25, &s26, &literal);
    assert_int_equal(r.resident_k1, 120);
    assert_int_equal(r.capacity, 0);
    assert_false(r.shares);
    assert_true(r.waves_with_lim_res == 7);
    assert_true(r.slowdown == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(qc_e2_waves_of_128_blocks),
        cmocka_unit_test(qc_15_error_in_percent),
        cmocka_unit_test(qc_10_what_k1_leaves_of_each_resource),
        cmocka_unit_test(qc_11_block_slots),
        cmocka_unit_test(qc_a4_threads_or_warps),
        cmocka_unit_test(qc_10_never_more_than_alone),
        cmocka_unit_test(table_5_3_slowdown_is_2),
        cmocka_unit_test(table_5_3_fills_and_eq_5_2_give_the_same),
        cmocka_unit_test(qc_e4_s1_s2),
        cmocka_unit_test(qc_16_fill_matters_in_s37_s38),
        cmocka_unit_test(qc_a7_remainder_of_s25),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
