/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-12: number of active cores (Hong, PhD thesis 2012, section 5.5.1, Eqs. 83 to 88, Figure 127).
 */
#include "analytic/throughput_fixture.h"

static throughput_core_advice cores(const throughput_in *in, uint32_t active)
{
    throughput_core_advice a;

    must(throughput_advise_cores(in, active, NULL, &a, &err));
    return a;
}

TEST(tp_12_reference_vector_2)
{
    const throughput_core_advice a = cores(&vectors[1], 16);

    assert_true(a.applies);
    assert_digits(a.alpha, 2.1176, 0.0001);
    assert_each(SAME(a.alpha, 45 / 21.25), SAME(a.bw_per_warp_part, 21.25 / 45), SAME(a.budget, 340),
                SAME(a.cores_exact, 340 / 45.0), IS(a.cores, 7));
    assert_same(a.mwp_bw_new, 340 / 7.0); /* 48.6 for 45 */
    assert_true(a.enough);
    assert_int_equal(a.previous_cores, 10); /* 340 / 32 */
}

TEST(tp_12_nothing_to_do)
{
    throughput_in in = vectors[0]; /* MWP_App 3 */

    for (in.mwp_bw = 3; in.mwp_bw < 9; in.mwp_bw++) {
        const throughput_core_advice a = cores(&in, 16);

        assert_each(IS(a.applies, false), SAME(a.alpha, 1), SAME(a.bw_per_warp_part, 1), SAME(a.cores_exact, 16),
                    IS(a.cores, 16), SAME(a.mwp_bw_new, in.mwp_bw), IS(a.enough, true));
    }
}

/* Eqs. 83 to 88 by hand: with `cores` active the bandwidth is enough, with one more it is not. */
TEST(tp_12_cores_are_the_most_that_equation_84_allows)
{
    uint64_t seed = 84;
    unsigned applied = 0, single = 0;

    for (unsigned i = 0; i < 50000; i++) {
        const throughput_in in = fair_in(&seed);
        const uint32_t active = 1 + (uint32_t)(random_next(&seed) % 80);
        const throughput_core_advice a = cores(&in, active);
        throughput_result r;

        must(throughput_compute(&in, NULL, &r, &err));
        assert_int_equal(a.applies, r.mwp_app > in.mwp_bw);
        assert_in_range(a.cores, 1, active);
        assert_same(a.mwp_bw_new, in.mwp_bw * active / a.cores);
        assert_int_equal(a.enough, a.mwp_bw_new >= r.mwp_app * (1 - 1e-9));
        if (a.cores > 1)
            assert_true(a.enough);
        if (a.cores < active)
            assert_true(in.mwp_bw * active / (a.cores + 1) < r.mwp_app);
        applied += a.applies;
        single += !a.enough;
    }
    assert_true(applied > 1000 && single > 10);
}

/* Section 5.5.1, Figure 127. The budget is 640 <= MWP_BW x 16 < 672. */
TEST(tp_e4_dmadd_on_16_13_and_10_cores)
{
    static const double budgets[] = {640, 650, 652.7, 671.99};
    static const uint32_t expected[][2] = {{8, 16}, {16, 16}, {24, 13}, {32, 10}};

    for (size_t b = 0; b < LENGTH(budgets); b++) {
        for (size_t i = 0; i < 4; i++) {
            const throughput_in in = dmadd_on_16(expected[i][0], budgets[b]);

            assert_int_equal(cores(&in, 16).cores, expected[i][1]);
            assert_int_equal(cores(&in, 16).previous_cores, 16);
        }
        const throughput_in full = dmadd_on_16(48, budgets[b]);
        assert_int_equal(cores(&full, 16).previous_cores, 13); /* "only when N is equal to 48" */
    }
}

TEST(tp_e4_no_other_budget_does)
{
    const throughput_in less = dmadd_on_16(32, 639.9), more = dmadd_on_16(24, 672);

    assert_int_equal(cores(&less, 16).cores, 9);
    assert_int_equal(cores(&more, 16).cores, 14);
}

TEST(tp_e4_other_kernels_keep_all_cores)
{
    throughput_in in = dmadd_on_16(32, 652.7);

    in.mstr = 1; /* Madd, Mmul */
    assert_int_equal(cores(&in, 16).cores, 16);
    in.mstr = 2;
    in.eff_comp = 100; /* Cmem */
    assert_int_equal(cores(&in, 16).cores, 16);
}

/* Table 14 with 128 bytes and 450 cycles: 341.5; with 64 bytes 683; 64 bytes and 430 cycles: 652.7. */
TEST(tp_e4_budgets_of_table_14)
{
    static const struct { double bytes, cycles, freq; uint32_t at_24, at_32; } rows[] = {
        {128, 450, 1.544, 7, 5}, {64, 450, 1.544, 14, 10}, {64, 430, 1.544, 13, 10}, {128, 450, 2.4, 4, 3}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const throughput_bw_in bw = {150, rows[i].freq, rows[i].bytes, rows[i].cycles, 16};
        throughput_bw out;

        must(throughput_mwp_bw(&bw, &out, &err));
        const throughput_in at_24 = dmadd_on_16(24, out.budget), at_32 = dmadd_on_16(32, out.budget);
        assert_int_equal(cores(&at_24, 16).cores, rows[i].at_24);
        assert_int_equal(cores(&at_32, 16).cores, rows[i].at_32);
    }
}

TEST(tp_12_a_whole_quotient_is_not_lost_to_rounding)
{
    uint32_t wrong = 0;

    for (uint32_t active = 2; active < 200; active++)
        for (uint32_t want = 1; want < active; want++) {
            throughput_in in = dmadd_on_16(3, 0);

            in.mstr = 1.1; /* MWP_App 3.3 */
            in.mwp_bw = want * 3.3 / active;
            wrong += cores(&in, active).cores != want;
            assert_true(cores(&in, active).enough);
        }
    assert_int_equal(wrong, 0);
}

TEST(tp_12_not_even_one_core)
{
    throughput_in in = vectors[1];

    in.mwp_bw = 2;
    const throughput_core_advice a = cores(&in, 16);
    assert_each(IS(a.applies, true), IS(a.cores, 1), SAME(a.cores_exact, 32 / 45.0), IS(a.enough, false),
                IS(a.previous_cores, 1));
    in.mwp_bw = 0.1;
    assert_int_equal(cores(&in, 16).previous_cores, 1);
}

TEST_MAIN("throughput_cores")
