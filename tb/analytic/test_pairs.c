/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables 6.2 to 6.5: the thesis' numbers recomputed, pair by pair and summed up.
 */
#include "analytic/analytic_fixture.h"
#include "analytic/pairs.h"
#include "analytic/pairs_data.h"

static slowdown_options filled(enum slowdown_fill fill)
{
    slowdown_options o = slowdown_options_default();

    o.fill = fill;
    return o;
}

static pairs_summary summary_of(bool (*table)(FILE *, bool, const slowdown_options *, pairs_summary *, analytic_err *),
                                const slowdown_options *options)
{
    pairs_summary s;

    must(table(NULL, false, options, &s, &err));
    return s;
}

/* ---- the data ----------------------------------------------------------------------------------- */

TEST(table_6_2_sums)
{
    uint64_t blocks = 0, threads = 0, shared = 0;

    for (unsigned i = 0; i < PAIRS_SYNTHETIC; i++) {
        blocks += pairs_synthetic[i].blocks;
        threads += pairs_synthetic[i].threads_per_block;
        shared += pairs_synthetic[i].shared_per_block;
    }
    assert_each(IS(blocks, 16196), IS(threads, 38656), IS(shared, 346496));
}

/* "a number that never limits" */
TEST(table_6_2_registers_never_limit)
{
    const occupancy_gpu *gpu = occupancy_gpu_find("cc3.5");

    assert_true(PAIRS_SYNTHETIC_REGS * gpu->max_threads <= gpu->registers);
    for (unsigned i = 0; i < PAIRS_SYNTHETIC; i++) {
        occupancy_result r;
        assert_int_equal(pairs_synthetic[i].regs_per_thread, PAIRS_SYNTHETIC_REGS);
        must(occupancy_compute(gpu, &pairs_synthetic[i], NULL, &r, &err));
        assert_true(r.blocks_by_regs >= r.active_blocks);
        assert_int_not_equal(r.limiter, OCCUPANCY_BY_REGISTERS);
    }
}

/* The printed error column is that of the printed columns before it, which are rounded. */
TEST(table_6_3_and_6_5_are_consistent)
{
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

TEST(table_6_3_round_robin)
{
    const pairs_summary s = summary_of(pairs_table_6_3, NULL);

    assert_each(IS(s.pairs, 50), IS(s.estimates, 41), IS(s.within_3, 46));
    assert_within(s.mean_error, 2.42, 0.005);
    assert_within(s.median_error, 0.60, 0.005);
    assert_within(s.worst_error, 36.53, 0.005);
    assert_string_equal(s.worst, "S53-S54");
    assert_within(s.printed_mean, 3.49, 0.005);
}

TEST(table_6_3_depth_first)
{
    const slowdown_options df = filled(SLOWDOWN_FILL_DF);
    const pairs_summary s = summary_of(pairs_table_6_3, &df);

    assert_int_equal(s.estimates, 40);
    assert_int_equal(s.within_3, 39);
    assert_within(s.mean_error, 4.05, 0.005);
    assert_within(s.median_error, 1.05, 0.005);
    assert_string_equal(s.worst, "S17-S18");
}

TEST(table_6_3_eq_5_2_literally)
{
    slowdown_options o = slowdown_options_default();

    o.occupied = SLOWDOWN_OCCUPIED_LITERAL;
    assert_int_equal(summary_of(pairs_table_6_3, &o).estimates, 24);
    o.remainder = SLOWDOWN_REMAINDER_LITERAL;
    assert_int_equal(summary_of(pairs_table_6_3, &o).estimates, 22);
    assert_int_equal(summary_of(pairs_table_6_3, &o).within_3, 27);
    o.occupied = SLOWDOWN_OCCUPIED_PER_SM; /* without S25 and S83 */
    assert_int_equal(summary_of(pairs_table_6_3, &o).estimates, 39);
}

/* QC-A4 and QC-6: no pair tells these readings apart. */
TEST(table_6_3_what_makes_no_difference)
{
    const slowdown_options usual = slowdown_options_default();
    slowdown_options variants[4] = {usual, usual, usual, usual};

    variants[0].block_slots = false;
    variants[1].alloc_by_warp = false;
    variants[2].occupancy.units = OCCUPANCY_UNITS_EXACT;
    variants[3].occupancy.warp_rounding = OCCUPANCY_WARPS_OF_BLOCK;
    for (unsigned v = 0; v < 4; v++)
        for (unsigned i = 0; i < PAIRS_TABLE_6_3; i++) {
            pairs_row a, b;
            must(pairs_row_6_3(i, NULL, &a, &err));
            must(pairs_row_6_3(i, &variants[v], &b, &err));
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
        must(pairs_row_6_3(rows[i].pair / 2, o, &r, &err));
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

TEST(table_6_3_rows_round_robin)
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

    assert_rows(NULL, rows, LENGTH(rows));
}

TEST(table_6_3_rows_depth_first)
{
    static const expected_row rows[] = {
        {1, 8, 8, 4, 10, 45, true, true},     {37, 4, 12, 3, 108, 5, false, false},
        {39, 5, 2, 7, 12, 16, false, false},  {51, 10, 8, 4, 109, 4, true, true},
        {53, 4, 2, 13, 12, 31, false, false}, {55, 5, 2, 17, 16, 32, false, false},
        {63, 8, 4, 2, 13, 5, false, false},   {65, 11, 4, 5, 32, 8, true, false},
        {73, 4, 14, 2, 64, 6, false, false},  {75, 16, 2, 6, 22, 8, true, false},
    };
    const slowdown_options df = filled(SLOWDOWN_FILL_DF);

    assert_rows(&df, rows, LENGTH(rows));
}

TEST(table_6_3_two_pairs_are_case_b)
{
    for (unsigned i = 0; i < PAIRS_TABLE_6_3; i++) {
        const bool overflows = 2 * i + 1 == 25 || 2 * i + 1 == 83; /* QC-A7 */
        pairs_row r;
        must(pairs_row_6_3(i, NULL, &r, &err));
        assert_int_equal(r.ours.concurrency, overflows ? SLOWDOWN_CASE_B : SLOWDOWN_CASE_A);
    }
}

/* Finite lifetimes with one ratio for all pairs: none beats k1 outliving k2 (doc/papers/occupancy.md). */
TEST(qc_14_no_common_lifetime_is_better)
{
    static const double ratios[] = {0.25, 0.5, 1, 2, 4, 6, 8, 9, 10, 11, 15, 25};
    const pairs_summary best = summary_of(pairs_table_6_3, NULL);
    slowdown_options o = slowdown_options_default();

    o.lifetime = SLOWDOWN_LIFETIME_FINITE;
    for (size_t i = 0; i < LENGTH(ratios); i++) {
        o.exec_time_k2 = 1 / ratios[i];
        assert_true(summary_of(pairs_table_6_3, &o).within_3 <= best.within_3);
        assert_true(summary_of(pairs_table_6_3, &o).mean_error >= best.mean_error);
    }
}

TEST(table_6_3_k1_takes_one_second)
{
    slowdown_options o = slowdown_options_default();
    pairs_row r;

    o.launch_overhead = 1;
    must(pairs_row_6_3(0, &o, &r, &err));
    assert_int_equal(r.ours.concurrency, SLOWDOWN_CASE_C);
    o.launch_overhead = 0.999;
    must(pairs_row_6_3(0, &o, &r, &err));
    assert_int_equal(r.ours.concurrency, SLOWDOWN_CASE_A);
}

/* ---- Table 6.5 ---------------------------------------------------------------------------------- */

TEST(table_6_5_depth_first)
{
    static const struct {
        uint32_t a2, waves, capacity;
        double limited;
    } want[PAIRS_TABLE_6_5] = {{8, 32, 96, 40}, {8, 4, 96, 5},     {6, 12, 72, 15}, {4, 33, 48, 41},
                               {6, 21, 72, 26}, {8, 137, 96, 171}, {16, 1, 193, 1}};
    const slowdown_options df = filled(SLOWDOWN_FILL_DF);
    const pairs_summary s = summary_of(pairs_table_6_5, &df);

    for (unsigned i = 0; i < PAIRS_TABLE_6_5; i++) {
        pairs_row r;
        must(pairs_row_6_5(i, &df, &r, &err));
        assert_each(IS(r.ours.k1.active_blocks, 16), IS(r.ours.k2.active_blocks, want[i].a2),
                    IS(r.ours.waves_k2, want[i].waves), IS(r.ours.capacity, want[i].capacity),
                    IS(r.ours.waves_with_lim_res, want[i].limited),
                    IS(r.estimate_matches, strcmp(r.name, "PFL-HS3") != 0));
    }
    assert_each(IS(s.pairs, 7), IS(s.estimates, 6), IS(s.within_3, 3));
    assert_within(s.mean_error, 10.87, 0.005);
    assert_within(s.median_error, 5.49, 0.005);
    assert_within(s.printed_mean, 10.65, 0.005);
    assert_string_equal(s.worst, "PFL-HS3");
}

TEST(table_6_5_round_robin)
{
    static const double want[PAIRS_TABLE_6_5] = {1.344, 1.500, 1.167, 1.333, 1.190, 1.336, 1.000};
    const pairs_summary s = summary_of(pairs_table_6_5, NULL);

    for (unsigned i = 0; i < PAIRS_TABLE_6_5; i++) {
        pairs_row r;
        must(pairs_row_6_5(i, NULL, &r, &err));
        assert_true(fabs(r.ours.slowdown - want[i]) < 0.0006);
    }
    assert_int_equal(s.estimates, 1);
    assert_int_equal(s.within_3, 2);
    assert_within(s.mean_error, 16.00, 0.005);
}

TEST_MAIN("pairs")
