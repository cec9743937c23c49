/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables 6.2 to 6.5: the thesis' numbers recomputed, pair by pair and summed up.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analytic/pairs.h"
#include "analytic/pairs_data.h"

static slowdown_options filled(enum slowdown_fill fill)
{
    slowdown_options o = slowdown_options_default();

    o.fill = fill;
    return o;
}

static pairs_summary summary_6_3(const slowdown_options *options)
{
    pairs_summary s;
    analytic_err err;

    if (!pairs_table_6_3(NULL, false, options, &s, &err))
        fail_msg("%s", err.text);
    return s;
}

static pairs_summary summary_6_5(const slowdown_options *options)
{
    pairs_summary s;
    analytic_err err;

    if (!pairs_table_6_5(NULL, false, options, &s, &err))
        fail_msg("%s", err.text);
    return s;
}

static void assert_percent(double value, double printed)
{
    if (fabs(value - printed) > 0.005)
        fail_msg("%.4f is not %.2f", value, printed);
}

/* ---- the data ----------------------------------------------------------------------------------- */

static void table_6_2_sums(void **state)
{
    uint64_t blocks = 0, threads = 0, shared = 0;

    (void)state;
    for (unsigned i = 0; i < PAIRS_SYNTHETIC; i++) {
        blocks += pairs_synthetic[i].blocks;
        threads += pairs_synthetic[i].threads_per_block;
        shared += pairs_synthetic[i].shared_per_block;
    }
    assert_int_equal(blocks, 16196);
    assert_int_equal(threads, 38656);
    assert_int_equal(shared, 346496);
}

/* "a number that never limits" */
static void table_6_2_registers_never_limit(void **state)
{
    const occupancy_gpu *gpu = occupancy_gpu_find("cc3.5");

    (void)state;
    assert_true(PAIRS_SYNTHETIC_REGS * gpu->max_threads <= gpu->registers);
    for (unsigned i = 0; i < PAIRS_SYNTHETIC; i++) {
        occupancy_result r;
        analytic_err err;
        assert_int_equal(pairs_synthetic[i].regs_per_thread, PAIRS_SYNTHETIC_REGS);
        assert_true(occupancy_compute(gpu, &pairs_synthetic[i], NULL, &r, &err));
        assert_true(r.blocks_by_regs >= r.active_blocks);
        assert_int_not_equal(r.limiter, OCCUPANCY_BY_REGISTERS);
    }
}

/* The printed error column is that of the printed columns before it, which are rounded. */
static void table_6_3_and_6_5_are_consistent(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PAIRS_TABLE_6_3; i++) {
        const pairs_printed *p = &pairs_printed_6_3[i];
        const double e = fabs(p->estimate - p->actual) / p->actual * 100;
        char name[16];
        snprintf(name, sizeof name, "S%u-S%u", 2 * i + 1, 2 * i + 2);
        assert_string_equal(p->name, name);
        assert_true(fabs(e - p->error) < 0.9); /* 0.005 of 1.33 and of 1.30 */
    }
    for (unsigned i = 0; i < PAIRS_TABLE_6_5; i++) {
        const pairs_printed *p = &pairs_printed_6_5[i];
        char name[16];
        snprintf(name, sizeof name, "PFL-%s", pairs_rodinia[i].app);
        assert_string_equal(p->name, name);
        assert_true(fabs(fabs(p->estimate - p->actual) / p->actual * 100 - p->error) < 0.1);
    }
    assert_string_equal(pairs_rodinia[PAIRS_RODINIA - 1].app, "PFL");
}

/* ---- Table 6.3 ---------------------------------------------------------------------------------- */

static void table_6_3_round_robin(void **state)
{
    const pairs_summary s = summary_6_3(NULL);

    (void)state;
    assert_int_equal(s.pairs, 50);
    assert_int_equal(s.estimates, 41);
    assert_int_equal(s.within_3, 46);
    assert_percent(s.mean_error, 2.42);
    assert_percent(s.median_error, 0.60);
    assert_percent(s.worst_error, 36.53);
    assert_string_equal(s.worst, "S53-S54");
    assert_percent(s.printed_mean, 3.49);
}

static void table_6_3_depth_first(void **state)
{
    const slowdown_options df = filled(SLOWDOWN_FILL_DF);
    const pairs_summary s = summary_6_3(&df);

    (void)state;
    assert_int_equal(s.estimates, 40);
    assert_int_equal(s.within_3, 39);
    assert_percent(s.mean_error, 4.05);
    assert_percent(s.median_error, 1.05);
    assert_string_equal(s.worst, "S17-S18");
}

static void table_6_3_eq_5_2_literally(void **state)
{
    slowdown_options o = slowdown_options_default();

    (void)state;
    o.occupied = SLOWDOWN_OCCUPIED_LITERAL;
    assert_int_equal(summary_6_3(&o).estimates, 24);
    o.remainder = SLOWDOWN_REMAINDER_LITERAL;
    assert_int_equal(summary_6_3(&o).estimates, 22);
    assert_int_equal(summary_6_3(&o).within_3, 27);
    o.occupied = SLOWDOWN_OCCUPIED_PER_SM; /* without S25 and S83 */
    assert_int_equal(summary_6_3(&o).estimates, 39);
}

/* QC-A4 and QC-6: no pair tells these readings apart. */
static void table_6_3_what_makes_no_difference(void **state)
{
    const slowdown_options usual = slowdown_options_default();
    slowdown_options variants[4] = {usual, usual, usual, usual};

    (void)state;
    variants[0].block_slots = false;
    variants[1].alloc_by_warp = false;
    variants[2].occupancy.units = OCCUPANCY_UNITS_EXACT;
    variants[3].occupancy.warp_rounding = OCCUPANCY_WARPS_OF_BLOCK;
    for (unsigned v = 0; v < 4; v++)
        for (unsigned i = 0; i < PAIRS_TABLE_6_3; i++) {
            pairs_row a, b;
            analytic_err err;
            assert_true(pairs_row_6_3(i, NULL, &a, &err));
            assert_true(pairs_row_6_3(i, &variants[v], &b, &err));
            assert_true(a.ours.slowdown == b.ours.slowdown);
        }
}

typedef struct expected_row {
    unsigned pair; /* number of k1 */
    uint32_t a1, a2, waves, capacity, limited;
    bool estimate, measured;
} expected_row;

static void assert_rows(const slowdown_options *o, const expected_row *rows, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        pairs_row r;
        analytic_err err;
        assert_true(pairs_row_6_3(rows[i].pair / 2, o, &r, &err));
        if (r.ours.k1.active_blocks != rows[i].a1 || r.ours.k2.active_blocks != rows[i].a2 ||
            r.ours.waves_k2 != rows[i].waves || r.ours.capacity != rows[i].capacity ||
            r.ours.waves_with_lim_res != rows[i].limited || r.estimate_matches != rows[i].estimate ||
            r.measured_within_3 != rows[i].measured)
            fail_msg("%s: A1 %u, A2 %u, %u waves, capacity %llu, %g limited waves, estimate %d, measured %d",
                     r.name, r.ours.k1.active_blocks, r.ours.k2.active_blocks, r.ours.waves_k2,
                     (unsigned long long)r.ours.capacity, r.ours.waves_with_lim_res, r.estimate_matches,
                     r.measured_within_3);
    }
}

static void table_6_3_rows_round_robin(void **state)
{
    static const expected_row rows[] = {
        {1, 8, 8, 4, 10, 45, true, true},     {9, 8, 4, 3, 40, 4, false, true},
        {17, 8, 8, 3, 11, 27, true, false},   {21, 7, 4, 4, 49, 5, true, true},
        {23, 12, 16, 1, 75, 4, true, true},   {25, 8, 4, 7, 45, 9, true, false},
        {31, 8, 2, 14, 20, 20, false, true},  {37, 4, 12, 3, 132, 4, true, true},
        {43, 4, 7, 3, 46, 6, true, true},     {53, 4, 2, 13, 9, 41, false, false},
        {65, 11, 4, 5, 30, 9, false, true},   {73, 4, 14, 2, 60, 7, false, true},
        {81, 16, 10, 1, 150, 1, true, true},  {83, 4, 8, 4, 74, 6, true, true},
        {91, 8, 4, 3, 15, 11, false, true},   {99, 4, 8, 1, 54, 3, true, true},
    };

    (void)state;
    assert_rows(NULL, rows, sizeof rows / sizeof rows[0]);
}

static void table_6_3_rows_depth_first(void **state)
{
    static const expected_row rows[] = {
        {1, 8, 8, 4, 10, 45, true, true},     {37, 4, 12, 3, 108, 5, false, false},
        {39, 5, 2, 7, 12, 16, false, false},  {51, 10, 8, 4, 109, 4, true, true},
        {53, 4, 2, 13, 12, 31, false, false}, {55, 5, 2, 17, 16, 32, false, false},
        {63, 8, 4, 2, 13, 5, false, false},   {65, 11, 4, 5, 32, 8, true, false},
        {73, 4, 14, 2, 64, 6, false, false},  {75, 16, 2, 6, 22, 8, true, false},
    };
    const slowdown_options df = filled(SLOWDOWN_FILL_DF);

    (void)state;
    assert_rows(&df, rows, sizeof rows / sizeof rows[0]);
}

static void table_6_3_two_pairs_are_case_b(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PAIRS_TABLE_6_3; i++) {
        const bool overflows = 2 * i + 1 == 25 || 2 * i + 1 == 83; /* QC-A7 */
        pairs_row r;
        analytic_err err;
        assert_true(pairs_row_6_3(i, NULL, &r, &err));
        assert_int_equal(r.ours.concurrency, overflows ? SLOWDOWN_CASE_B : SLOWDOWN_CASE_A);
    }
}

/* Finite lifetimes with one ratio for all pairs: none beats k1 outliving k2 (doc/papers/occupancy.md). */
static void qc_14_no_common_lifetime_is_better(void **state)
{
    static const double ratios[] = {0.25, 0.5, 1, 2, 4, 6, 8, 9, 10, 11, 15, 25};
    const pairs_summary best = summary_6_3(NULL);
    slowdown_options o = slowdown_options_default();

    (void)state;
    o.lifetime = SLOWDOWN_LIFETIME_FINITE;
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
        o.exec_time_k2 = 1 / ratios[i];
        assert_true(summary_6_3(&o).within_3 <= best.within_3);
        assert_true(summary_6_3(&o).mean_error >= best.mean_error);
    }
}

static void table_6_3_k1_takes_one_second(void **state)
{
    slowdown_options o = slowdown_options_default();
    pairs_row r;
    analytic_err err;

    (void)state;
    o.launch_overhead = 1;
    assert_true(pairs_row_6_3(0, &o, &r, &err));
    assert_int_equal(r.ours.concurrency, SLOWDOWN_CASE_C);
    o.launch_overhead = 0.999;
    assert_true(pairs_row_6_3(0, &o, &r, &err));
    assert_int_equal(r.ours.concurrency, SLOWDOWN_CASE_A);
}

/* ---- Table 6.5 ---------------------------------------------------------------------------------- */

static void table_6_5_depth_first(void **state)
{
    static const struct {
        uint32_t a2, waves, capacity;
        double limited;
    } want[PAIRS_TABLE_6_5] = {{8, 32, 96, 40}, {8, 4, 96, 5},     {6, 12, 72, 15}, {4, 33, 48, 41},
                               {6, 21, 72, 26}, {8, 137, 96, 171}, {16, 1, 193, 1}};
    const slowdown_options df = filled(SLOWDOWN_FILL_DF);
    const pairs_summary s = summary_6_5(&df);

    (void)state;
    for (unsigned i = 0; i < PAIRS_TABLE_6_5; i++) {
        pairs_row r;
        analytic_err err;
        assert_true(pairs_row_6_5(i, &df, &r, &err));
        assert_int_equal(r.ours.k1.active_blocks, 16);
        assert_int_equal(r.ours.k2.active_blocks, want[i].a2);
        assert_int_equal(r.ours.waves_k2, want[i].waves);
        assert_int_equal(r.ours.capacity, want[i].capacity);
        assert_true(r.ours.waves_with_lim_res == want[i].limited);
        assert_int_equal(r.estimate_matches, strcmp(r.name, "PFL-HS3") != 0);
    }
    assert_int_equal(s.pairs, 7);
    assert_int_equal(s.estimates, 6);
    assert_int_equal(s.within_3, 3);
    assert_percent(s.mean_error, 10.87);
    assert_percent(s.median_error, 5.49);
    assert_percent(s.printed_mean, 10.65);
    assert_string_equal(s.worst, "PFL-HS3");
}

static void table_6_5_round_robin(void **state)
{
    static const double want[PAIRS_TABLE_6_5] = {1.344, 1.500, 1.167, 1.333, 1.190, 1.336, 1.000};
    const pairs_summary s = summary_6_5(NULL);

    (void)state;
    for (unsigned i = 0; i < PAIRS_TABLE_6_5; i++) {
        pairs_row r;
        analytic_err err;
        assert_true(pairs_row_6_5(i, NULL, &r, &err));
        assert_true(fabs(r.ours.slowdown - want[i]) < 0.0006);
    }
    assert_int_equal(s.estimates, 1);
    assert_int_equal(s.within_3, 2);
    assert_percent(s.mean_error, 16.00);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_6_2_sums),
        cmocka_unit_test(table_6_2_registers_never_limit),
        cmocka_unit_test(table_6_3_and_6_5_are_consistent),
        cmocka_unit_test(table_6_3_round_robin),
        cmocka_unit_test(table_6_3_depth_first),
        cmocka_unit_test(table_6_3_eq_5_2_literally),
        cmocka_unit_test(table_6_3_what_makes_no_difference),
        cmocka_unit_test(table_6_3_rows_round_robin),
        cmocka_unit_test(table_6_3_rows_depth_first),
        cmocka_unit_test(table_6_3_two_pairs_are_case_b),
        cmocka_unit_test(qc_14_no_common_lifetime_is_better),
        cmocka_unit_test(table_6_3_k1_takes_one_second),
        cmocka_unit_test(table_6_5_depth_first),
        cmocka_unit_test(table_6_5_round_robin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
