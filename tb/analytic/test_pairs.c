/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables 6.2 to 6.5: the thesis' numbers recomputed, pair by pair and summed up; as a user sees them.
 */
#include <stdlib.h>

#include "analytic/analytic_fixture.h"
#include "analytic/pairs.h"

static slowdown_options filled(enum slowdown_fill fill)
{
    slowdown_options o = slowdown_options_default();

    o.fill = fill;
    return o;
}

static pairs_summary summary_of(const pairs_table *table, const slowdown_options *options)
{
    pairs_summary s;

    must(pairs_print(table, NULL, false, options, &s, &err));
    return s;
}

static pairs_row row_of(const pairs_table *table, unsigned index, const slowdown_options *options)
{
    pairs_row r;

    must(pairs_row_compute(&table->row[index], options, &r, &err));
    return r;
}

/* ---- the data ----------------------------------------------------------------------------------- */

/* The registers are "a number that never limits". */
TEST(table_6_2_sums_and_registers)
{
    const occupancy_gpu *gpu = occupancy_gpu_find("cc3.5");
    uint64_t blocks = 0, threads = 0, shared = 0;

    assert_int_equal(pairs_6_3.num, 50);
    assert_true(PAIRS_SYNTHETIC_REGS * gpu->max_threads <= gpu->registers);
    for (unsigned i = 0; i < 2 * pairs_6_3.num; i++) {
        const pairs_printed *p = &pairs_6_3.row[i / 2];
        const occupancy_kernel *k = i % 2 ? &p->k2 : &p->k1;
        occupancy_result r;

        blocks += k->blocks;
        threads += k->threads_per_block;
        shared += k->shared_per_block;
        assert_int_equal(k->regs_per_thread, PAIRS_SYNTHETIC_REGS);
        must(occupancy_compute(gpu, k, NULL, &r, &err));
        assert_true(r.blocks_by_regs >= r.active_blocks);
        assert_int_not_equal(r.limiter, OCCUPANCY_BY_REGISTERS);
    }
    assert_each(IS(blocks, 16196), IS(threads, 38656), IS(shared, 346496));
}

/* The printed error column is that of the printed columns before it, which are rounded: 0.005 of 1.33 and of
 * 1.30. */
TEST(table_6_3_and_6_5_are_consistent)
{
    for (unsigned i = 0; i < pairs_6_3.num; i++) {
        const pairs_printed *p = &pairs_6_3.row[i];
        char name[16];

        snprintf(name, sizeof name, "S%u-S%u", 2 * i + 1, 2 * i + 2);
        assert_string_equal(p->name, name);
        assert_true(fabs(fabs(p->estimate - p->actual) / p->actual * 100 - p->error) < 0.9);
    }
    assert_int_equal(pairs_6_5.num, 7);
    for (unsigned i = 0; i < pairs_6_5.num; i++) {
        const pairs_printed *p = &pairs_6_5.row[i];

        assert_memory_equal(p->name, "PFL-", 4);
        assert_true(fabs(fabs(p->estimate - p->actual) / p->actual * 100 - p->error) < 0.1);
    }
}

/* ---- Tables 6.3 and 6.5 ------------------------------------------------------------------------- */

TEST(summaries)
{
    static const struct {
        const pairs_table *table;
        enum slowdown_fill fill;
        double estimates, within_3, mean, median, printed_mean;
        const char *worst;
    } rows[] = {
        {&pairs_6_3, SLOWDOWN_FILL_RR, 41, 46, 2.42, 0.60, 3.49, "S53-S54"},
        {&pairs_6_3, SLOWDOWN_FILL_DF, 40, 39, 4.05, 1.05, 3.49, "S17-S18"},
        {&pairs_6_5, SLOWDOWN_FILL_RR, 1, 2, 16.00, 13.40, 10.65, "PFL-HS3"},
        {&pairs_6_5, SLOWDOWN_FILL_DF, 6, 3, 10.87, 5.49, 10.65, "PFL-HS3"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const slowdown_options o = filled(rows[i].fill);
        const pairs_summary s = summary_of(rows[i].table, &o);

        assert_each(IS(s.pairs, rows[i].table->num), IS(s.estimates, rows[i].estimates), IS(s.within_3, rows[i].within_3));
        assert_within(s.mean_error, rows[i].mean, 0.005);
        assert_within(s.median_error, rows[i].median, 0.005);
        assert_within(s.printed_mean, rows[i].printed_mean, 0.005);
        assert_string_equal(s.worst, rows[i].worst);
    }
    assert_within(summary_of(&pairs_6_3, NULL).worst_error, 36.53, 0.005);
}

TEST(table_6_3_eq_5_2_literally)
{
    slowdown_options o = slowdown_options_default();

    o.occupied = SLOWDOWN_OCCUPIED_LITERAL;
    assert_int_equal(summary_of(&pairs_6_3, &o).estimates, 24);
    o.remainder = SLOWDOWN_REMAINDER_LITERAL;
    assert_int_equal(summary_of(&pairs_6_3, &o).estimates, 22);
    assert_int_equal(summary_of(&pairs_6_3, &o).within_3, 27);
    o.occupied = SLOWDOWN_OCCUPIED_PER_SM; /* without S25 and S83 */
    assert_int_equal(summary_of(&pairs_6_3, &o).estimates, 39);
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
        for (unsigned i = 0; i < pairs_6_3.num; i++)
            assert_near(row_of(&pairs_6_3, i, &variants[v]).ours.slowdown,
                        row_of(&pairs_6_3, i, NULL).ours.slowdown, 0);
}

typedef struct expected_row {
    unsigned pair; /* number of k1 */
    uint32_t a1, a2, waves, capacity, limited;
    bool estimate, measured;
} expected_row;

static void assert_rows(const slowdown_options *o, const expected_row *rows, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const pairs_row r = row_of(&pairs_6_3, rows[i].pair / 2, o);
        if (r.ours.k1.active_blocks != rows[i].a1 || r.ours.k2.active_blocks != rows[i].a2 ||
            r.ours.waves_k2 != rows[i].waves || r.ours.capacity != rows[i].capacity ||
            r.ours.waves_with_lim_res != rows[i].limited || r.estimate_matches != rows[i].estimate ||
            r.measured_within_3 != rows[i].measured)
            fail_msg("%s: A1 %u, A2 %u, %u waves, capacity %llu, %g limited waves, estimate %d, measured %d",
                     pairs_6_3.row[rows[i].pair / 2].name, r.ours.k1.active_blocks, r.ours.k2.active_blocks,
                     r.ours.waves_k2, (unsigned long long)r.ours.capacity, r.ours.waves_with_lim_res, r.estimate_matches,
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
    for (unsigned i = 0; i < pairs_6_3.num; i++) {
        const bool overflows = 2 * i + 1 == 25 || 2 * i + 1 == 83; /* QC-A7 */

        assert_int_equal(row_of(&pairs_6_3, i, NULL).ours.concurrency,
                         overflows ? SLOWDOWN_CASE_B : SLOWDOWN_CASE_A);
    }
}

/* Finite lifetimes with one ratio for all pairs: none beats k1 outliving k2 (doc/papers/occupancy.md). */
TEST(qc_14_no_common_lifetime_is_better)
{
    static const double ratios[] = {0.25, 0.5, 1, 2, 4, 6, 8, 9, 10, 11, 15, 25};
    const pairs_summary best = summary_of(&pairs_6_3, NULL);
    slowdown_options o = slowdown_options_default();

    o.lifetime = SLOWDOWN_LIFETIME_FINITE;
    for (size_t i = 0; i < LENGTH(ratios); i++) {
        o.exec_time_k2 = 1 / ratios[i];
        assert_true(summary_of(&pairs_6_3, &o).within_3 <= best.within_3);
        assert_true(summary_of(&pairs_6_3, &o).mean_error >= best.mean_error);
    }
}

TEST(table_6_3_k1_takes_one_second)
{
    slowdown_options o = slowdown_options_default();

    o.launch_overhead = 1;
    assert_int_equal(row_of(&pairs_6_3, 0, &o).ours.concurrency, SLOWDOWN_CASE_C);
    o.launch_overhead = 0.999;
    assert_int_equal(row_of(&pairs_6_3, 0, &o).ours.concurrency, SLOWDOWN_CASE_A);
}

TEST(table_6_5_rows)
{
    static const struct {
        uint32_t a2, waves, capacity;
        double limited, round_robin;
    } want[] = {{8, 32, 96, 40, 1.344}, {8, 4, 96, 5, 1.500}, {6, 12, 72, 15, 1.167}, {4, 33, 48, 41, 1.333},
                {6, 21, 72, 26, 1.190}, {8, 137, 96, 171, 1.336}, {16, 1, 193, 1, 1.000}};
    const slowdown_options df = filled(SLOWDOWN_FILL_DF);

    for (unsigned i = 0; i < pairs_6_5.num; i++) {
        const pairs_row r = row_of(&pairs_6_5, i, &df);

        assert_each(IS(r.ours.k1.active_blocks, 16), IS(r.ours.k2.active_blocks, want[i].a2),
                    IS(r.ours.waves_k2, want[i].waves), IS(r.ours.capacity, want[i].capacity),
                    IS(r.ours.waves_with_lim_res, want[i].limited),
                    IS(r.estimate_matches, strcmp(pairs_6_5.row[i].name, "PFL-HS3") != 0));
        assert_within(row_of(&pairs_6_5, i, NULL).ours.slowdown, want[i].round_robin, 0.0006);
    }
}

/* ---- text, CSV, errors -------------------------------------------------------------------------- */

static char *printed(const pairs_table *table, bool csv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    must(pairs_print(table, out, csv, NULL, NULL, &err));
    fclose(out);
    return text;
}

static unsigned lines(const char *text)
{
    unsigned n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void assert_has(const char *text, const char *what)
{
    if (!strstr(text, what))
        fail_msg("no \"%s\" in:\n%s", what, text);
}

TEST(prints_text)
{
    char *text = printed(&pairs_6_3, false);

    assert_int_equal(lines(text), 2 + 50 + 2);
    assert_has(text, "Table 6.3: ");
    assert_has(text, "\nS1-S2        A   8   8      4    10    45.00   11.250   11.250   yes    11.310");
    assert_has(text, "-0.53%    yes\n");
    assert_has(text, "printed estimates given: 41 of 50; measured slowdowns within 3 %: 46 of 50\n");
    assert_has(text, "mean 2.42 %, median 0.60 %, worst 36.53 % (S53-S54); the thesis' mean 3.49 %\n");
    free(text);
    text = printed(&pairs_6_5, false);
    assert_int_equal(lines(text), 2 + 7 + 2);
    assert_has(text, "Table 6.5: ");
    assert_has(text, "\nPFL-kNN ");
    free(text);
}

TEST(prints_csv)
{
    char *text = printed(&pairs_6_5, true);
    char *line = text;

    assert_int_equal(lines(text), 1 + 7 + 2);
    assert_memory_equal(text, "pair,case,", 10);
    assert_has(text, "\nPFL-PF,A,16,8,4,90,6.000,1.250,1.500000,no,1.252,0.17,19.8083,no\n");
    assert_has(text, "\n# printed estimates given: 1 of 7;");
    for (unsigned i = 0; i < 8; i++) { /* as many commas in each row as in the head */
        unsigned commas = 0;
        for (; *line != '\n'; line++)
            commas += *line == ',';
        assert_int_equal(commas, 13);
        line++;
    }
    free(text);
}

TEST(refuses_options_that_there_are_not)
{
    slowdown_options o = slowdown_options_default();
    pairs_summary s = {.pairs = 99};

    o.launch_overhead = -1;
    assert_refused(pairs_print(&pairs_6_3, NULL, false, &o, &s, &err),
                   "S1-S2: launch_overhead is -1; give 0 or more");
    assert_refused(pairs_print(&pairs_6_5, NULL, false, &o, &s, &err), "PFL-kNN: launch_overhead");
    assert_int_equal(s.pairs, 99);
}
