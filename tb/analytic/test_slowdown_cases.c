/* SPDX-License-Identifier: Apache-2.0
 *
 * Algorithm 1 (QC-9): every case, the readings of its conditions, the defaults.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analytic/slowdown.h"

/* Kernels of Table 6.2 and of Table 5.3 */
static const occupancy_kernel s1 = {110, 256, 16, 1024}, s2 = {450, 256, 16, 0};
static const occupancy_kernel s25 = {150, 256, 16, 1024}, s26 = {393, 512, 16, 8704};
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

static void algorithm_1_case_a(void **state)
{
    const slowdown_result r = computed("cc3.5", &s1, &s2, NULL);

    (void)state;
    assert_true(r.outlasts_launch && r.cond1 && r.cond2 && r.shares);
    assert_int_equal(r.concurrency, SLOWDOWN_CASE_A);
}

static void algorithm_1_case_b_beside_the_last_wave(void **state)
{
    const slowdown_result r = computed("cc3.5", &s25, &s26, NULL);

    (void)state;
    assert_false(r.cond1);
    assert_true(r.shares);
    assert_int_equal(r.concurrency, SLOWDOWN_CASE_B);
}

static void algorithm_1_case_c_without_time(void **state)
{
    slowdown_options o = slowdown_options_default();
    slowdown_result r;
    analytic_err err;

    (void)state;
    o.launch_overhead = 1; /* k1 takes 1 s: not longer */
    r = computed("cc3.5", &s1, &s2, &o);
    assert_false(r.outlasts_launch);
    assert_false(r.shares);
    assert_int_equal(r.concurrency, SLOWDOWN_CASE_C);
    assert_true(r.waves_with_lim_res == 4);
    assert_true(r.slowdown == 1);
    assert_true(slowdown_compute(occupancy_gpu_find("cc3.5"), &s1, &s2, 1.001, &o, &r, &err));
    assert_int_equal(r.concurrency, SLOWDOWN_CASE_A);
}

static void qc_a1_cond2_in_table_5_3(void **state)
{
    slowdown_options o = slowdown_options_default();
    slowdown_result r = computed("table5.2", &example_k1, &example_k2, NULL);

    (void)state;
    assert_true(r.cond1 && r.cond2);
    assert_int_equal(r.concurrency, SLOWDOWN_CASE_A);
    o.cond2 = SLOWDOWN_COND2_LITERAL;
    r = computed("table5.2", &example_k1, &example_k2, &o);
    assert_false(r.cond2);
    assert_int_equal(r.concurrency, SLOWDOWN_CASE_B);
    assert_true(r.slowdown == 2); /* the name of the case changes nothing else */
}

static void qc_a1_cond2_literal_where_full_sms_have_room(void **state)
{
    const occupancy_kernel k1 = {40, 256, 16, 16384}; /* 3 of an SM, by shared memory */
    slowdown_options o = slowdown_options_default();
    slowdown_result r;

    (void)state;
    o.cond2 = SLOWDOWN_COND2_LITERAL;
    r = computed("cc3.5", &k1, &s2, &o);
    assert_int_equal(r.alloc_blocks, 5);
    assert_true(r.cond2);
    assert_int_equal(r.concurrency, SLOWDOWN_CASE_A);
    o.occupied = SLOWDOWN_OCCUPIED_LITERAL; /* 40 blocks: 14 SMs */
    assert_int_equal(computed("cc3.5", &k1, &s2, &o).capacity, 14 * 5 + 8);
}

static void qc_a2_a_wave_that_fills_the_gpu(void **state)
{
    const occupancy_kernel full = {240, 256, 16, 0};
    slowdown_options o = slowdown_options_default();
    slowdown_result r = computed("cc3.5", &full, &s2, NULL);

    (void)state;
    assert_false(r.cond1);
    assert_int_equal(r.concurrency, SLOWDOWN_CASE_C);
    assert_true(r.slowdown == 1);
    o.full_wave = SLOWDOWN_FULL_WAVE_CASE_B;
    r = computed("cc3.5", &full, &s2, &o);
    assert_int_equal(r.concurrency, SLOWDOWN_CASE_B);
    assert_int_equal(r.resident_k1, 0);
    assert_int_equal(r.num_groups, 1);
    assert_int_equal(r.group[0].sms, 15);
    assert_int_equal(r.group[0].k1_blocks, 0);
    assert_int_equal(r.group[0].k2_blocks, 8);
    assert_true(r.slowdown == 1);
}

/* Blocks_k1 = ActiveBlocks x nSM: cond1 is a strict comparison. */
static void algorithm_1_one_full_wave_is_case_c(void **state)
{
    const occupancy_kernel full = {120, 256, 16, 0}, almost = {119, 256, 16, 0};

    (void)state;
    assert_int_equal(computed("cc3.5", &full, &s2, NULL).concurrency, SLOWDOWN_CASE_C);
    assert_int_equal(computed("cc3.5", &full, &s2, NULL).resident_k1, 0);
    assert_int_equal(computed("cc3.5", &almost, &s2, NULL).concurrency, SLOWDOWN_CASE_A);
    assert_int_equal(computed("cc3.5", &almost, &s2, NULL).capacity, 1);
}

/* One block more than a wave is a last wave of one block; k2's blocks have another size here. */
static void algorithm_1_a_last_wave_of_one_block(void **state)
{
    const occupancy_kernel k1 = {121, 256, 16, 0}, full = {240, 256, 16, 0}, k2 = {100, 512, 16, 0};
    const occupancy_kernel three_of_k2 = {180, 256, 16, 0}; /* three waves of 60, not of k1's 120 */

    (void)state;
    assert_int_equal(computed("cc3.5", &k1, &k2, NULL).concurrency, SLOWDOWN_CASE_B);
    assert_int_equal(computed("cc3.5", &k1, &k2, NULL).resident_k1, 1);
    assert_int_equal(computed("cc3.5", &k1, &k2, NULL).capacity, 59);
    assert_int_equal(computed("cc3.5", &full, &k2, NULL).concurrency, SLOWDOWN_CASE_C);
    assert_int_equal(computed("cc3.5", &s25, &s26, NULL).concurrency, SLOWDOWN_CASE_B);
    assert_int_equal(computed("cc3.5", &three_of_k2, &k2, NULL).concurrency, SLOWDOWN_CASE_B);
}

static void options_by_default(void **state)
{
    const slowdown_options o = slowdown_options_default();

    (void)state;
    assert_int_equal(o.occupancy.units, OCCUPANCY_UNITS_ALLOCATED);
    assert_int_equal(o.occupancy.warp_rounding, OCCUPANCY_WARPS_OF_SM);
    assert_int_equal(o.cond2, SLOWDOWN_COND2_CAPACITY);
    assert_int_equal(o.fill, SLOWDOWN_FILL_RR);
    assert_int_equal(o.occupied, SLOWDOWN_OCCUPIED_PER_SM);
    assert_int_equal(o.remainder, SLOWDOWN_REMAINDER_MOD);
    assert_int_equal(o.full_wave, SLOWDOWN_FULL_WAVE_CASE_C);
    assert_int_equal(o.lifetime, SLOWDOWN_LIFETIME_OUTLIVES);
    assert_true(o.alloc_by_warp && o.block_slots);
    assert_true(o.launch_overhead == 0 && o.exec_time_k2 == 0);
}

static void qc_a3_no_room_for_a_block_is_case_b(void **state)
{
    const occupancy_kernel k1 = {59, 512, 16, 0}, k2 = {40, 1024, 16, 0};
    const slowdown_result r = computed("cc3.5", &k1, &k2, NULL);

    (void)state;
    assert_true(r.cond1);
    assert_false(r.cond2);
    assert_int_equal(r.capacity, 0);
    assert_int_equal(r.concurrency, SLOWDOWN_CASE_B);
    assert_false(r.shares);
    assert_true(r.waves_with_lim_res == 2);
    assert_true(r.slowdown == 1);
}

static void cases_have_names(void **state)
{
    (void)state;
    assert_string_equal(slowdown_case_name(SLOWDOWN_CASE_A), "A");
    assert_string_equal(slowdown_case_name(SLOWDOWN_CASE_B), "B");
    assert_string_equal(slowdown_case_name(SLOWDOWN_CASE_C), "C");
    assert_string_equal(slowdown_case_name(SLOWDOWN_CASES), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(algorithm_1_case_a),
        cmocka_unit_test(algorithm_1_case_b_beside_the_last_wave),
        cmocka_unit_test(algorithm_1_case_c_without_time),
        cmocka_unit_test(qc_a1_cond2_in_table_5_3),
        cmocka_unit_test(qc_a1_cond2_literal_where_full_sms_have_room),
        cmocka_unit_test(qc_a2_a_wave_that_fills_the_gpu),
        cmocka_unit_test(algorithm_1_one_full_wave_is_case_c),
        cmocka_unit_test(algorithm_1_a_last_wave_of_one_block),
        cmocka_unit_test(options_by_default),
        cmocka_unit_test(qc_a3_no_room_for_a_block_is_case_b),
        cmocka_unit_test(cases_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
