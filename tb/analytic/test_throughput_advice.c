/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-13, TP-14: warps per core, core frequency (Hong, PhD thesis 2012, sections 5.5.2 and 5.5.3,
 * Eqs. 89 to 93); what all advice refuses, and what any input gives.
 */
#include "analytic/throughput_check.h"

#include "analytic/throughput_advice.h"

static throughput_n_advice warps(const throughput_in *in, enum throughput_n_new n_new)
{
    throughput_options options = throughput_options_default();
    throughput_n_advice a;
    analytic_err err;

    options.n_new = n_new;
    assert_true(throughput_advise_n(in, &options, &a, &err));
    return a;
}

static throughput_freq_advice freq(const throughput_in *in, enum throughput_infin infin)
{
    throughput_options options = throughput_options_default();
    throughput_freq_advice a;
    analytic_err err;

    options.infin = infin;
    assert_true(throughput_advise_freq(in, 1.5, &options, &a, &err));
    return a;
}

static void tp_13_reference_vector_2(void **test)
{
    const throughput_n_advice a = warps(&vectors[1], THROUGHPUT_N_TIMES_ALPHA);

    (void)test;
    assert_true(a.applies);
    assert_digits(a.alpha, 0.47222, 0.00001);
    assert_same(a.alpha, 21.25 / 45);
    assert_same(a.n_exact, 32 * 21.25 / 45);
    assert_int_equal(a.n, 15);
    assert_same(a.mwp_app_new, 30); /* N was beyond MWP_App_InfiN: N x alpha is not enough less */
    assert_false(a.enough);
}

static void tp_13_solved_so_that_equation_90_holds(void **test)
{
    const throughput_n_advice a = warps(&vectors[1], THROUGHPUT_N_SOLVED);

    (void)test;
    assert_same(a.alpha, 21.25 / 45);
    assert_same(a.n_exact, 10.625); /* MWP_BW / MSTR */
    assert_int_equal(a.n, 10);
    assert_same(a.mwp_app_new, 20);
    assert_true(a.enough);
}

static void tp_13_nothing_to_do(void **test)
{
    throughput_in in = vectors[0]; /* MWP_App 3 */

    (void)test;
    for (in.mwp_bw = 3; in.mwp_bw < 9; in.mwp_bw++)
        for (unsigned n_new = 0; n_new < THROUGHPUT_N_NEWS; n_new++) {
            const throughput_n_advice a = warps(&in, (enum throughput_n_new)n_new);

            assert_false(a.applies);
            assert_same(a.alpha, 1);
            assert_same(a.n_exact, 6);
            assert_int_equal(a.n, 6);
            assert_same(a.mwp_app_new, 3);
            assert_true(a.enough);
        }
}

static void tp_13_default_is_n_times_alpha(void **test)
{
    throughput_n_advice a;
    analytic_err err;

    (void)test;
    assert_true(throughput_advise_n(&vectors[1], NULL, &a, &err));
    assert_int_equal(a.n, 15);
    assert_int_equal(throughput_options_default().n_new, THROUGHPUT_N_TIMES_ALPHA);
}

/* Both readings agree as long as N is at most MWP_App_InfiN, and then Eq. 90 holds. */
static void tp_13_readings_agree_with_too_few_warps(void **test)
{
    uint64_t seed = 92;
    unsigned applied = 0;

    (void)test;
    for (unsigned i = 0; i < 50000; i++) {
        const throughput_in in = fair_in(&seed);
        const throughput_n_advice times = warps(&in, THROUGHPUT_N_TIMES_ALPHA);
        const throughput_n_advice solved = warps(&in, THROUGHPUT_N_SOLVED);

        assert_in_range(times.n, 1, in.n);
        assert_true(solved.n <= times.n);
        if (in.n * in.eff_comp <= in.eff_mem)
            assert_int_equal(times.n, solved.n);
        assert_int_equal(solved.enough, solved.mwp_app_new <= in.mwp_bw * (1 + 1e-9));
        assert_int_equal(times.enough, times.mwp_app_new <= in.mwp_bw * (1 + 1e-9));
        if (solved.n > 1)
            assert_true(solved.enough);
        applied += times.applies;
    }
    assert_true(applied > 1000);
}

/* Section 5.5.2: N = 18 for Dmadd and Dotp at N = 32. That wants 576 <= budget < 608, TP-E4 another. */
static void tp_13_n_18_contradicts_section_5_5_1(void **test)
{
    throughput_in in = dmadd_on_16(32, 652.7);

    (void)test;
    assert_int_equal(warps(&in, THROUGHPUT_N_TIMES_ALPHA).n, 20);
    in = dmadd_on_16(32, 576);
    assert_int_equal(warps(&in, THROUGHPUT_N_TIMES_ALPHA).n, 18);
    throughput_core_advice a;
    analytic_err err;
    assert_true(throughput_advise_cores(&in, 16, NULL, &a, &err));
    assert_int_equal(a.cores, 9); /* 10 in the thesis */
    in = dmadd_on_16(32, 608);
    assert_int_equal(warps(&in, THROUGHPUT_N_TIMES_ALPHA).n, 19);
}

static void tp_13_at_least_one_warp(void **test)
{
    throughput_in in = vectors[1];

    (void)test;
    in.mwp_bw = 0.5;
    const throughput_n_advice a = warps(&in, THROUGHPUT_N_SOLVED);
    assert_same(a.n_exact, 0.25);
    assert_int_equal(a.n, 1);
    assert_same(a.mwp_app_new, 2);
    assert_false(a.enough);
}

static void tp_e3_figure_130_two_warps_three_needed(void **test)
{
    throughput_in in = vectors[0];

    (void)test;
    in.n = 2;
    throughput_freq_advice a = freq(&in, THROUGHPUT_INFIN_PLUS1_EQ_93);
    assert_true(a.applies);
    assert_int_equal(a.why, THROUGHPUT_FREQ_REDUCE);
    assert_same(a.mwp_infin, 4);
    assert_same(a.divisor, 3); /* "by a factor of three" */
    assert_same(a.freq, 0.5);
    a = freq(&in, THROUGHPUT_INFIN_EQ_72);
    assert_same(a.mwp_infin, 3);
    assert_same(a.divisor, 2);
    assert_same(a.freq, 0.75);
    a = freq(&in, THROUGHPUT_INFIN_PLUS1_ALL);
    assert_same(a.mwp_infin, 4);
    assert_same(a.divisor, 3);
}

static void tp_14_default_reading_counts_the_waiting_warp(void **test)
{
    throughput_in in = vectors[0];
    throughput_freq_advice a;
    analytic_err err;

    (void)test;
    in.n = 2;
    assert_true(throughput_advise_freq(&in, 3, NULL, &a, &err));
    assert_same(a.divisor, 3);
    assert_same(a.freq, 1);
}

static void tp_14_more_warps_reduce_less(void **test)
{
    throughput_in in = vectors[0];

    (void)test;
    in.eff_mem = 800; /* MWP_App_InfiN 8 */
    in.n = 5;
    assert_same(freq(&in, THROUGHPUT_INFIN_PLUS1_EQ_93).divisor, 2);
    in.n = 3;
    assert_same(freq(&in, THROUGHPUT_INFIN_EQ_72).divisor, 3.5);
}

static void tp_14_enough_warps_keep_the_clock(void **test)
{
    throughput_in in = vectors[0];

    (void)test;
    for (in.n = 3; in.n < 49; in.n++) {
        const throughput_freq_advice a = freq(&in, THROUGHPUT_INFIN_PLUS1_EQ_93);

        assert_false(a.applies);
        assert_int_equal(a.why, THROUGHPUT_FREQ_ENOUGH_WARPS);
        assert_same(a.divisor, 1);
        assert_same(a.freq, 1.5);
    }
    in.n = 3; /* with the waiting warp, four are needed */
    assert_true(freq(&in, THROUGHPUT_INFIN_PLUS1_ALL).applies);
    assert_same(freq(&in, THROUGHPUT_INFIN_PLUS1_ALL).divisor, 1.5);
}

static void tp_a1_one_warp_is_no_division_by_0(void **test)
{
    throughput_in in = vectors[0];

    (void)test;
    in.n = 1;
    const throughput_freq_advice a = freq(&in, THROUGHPUT_INFIN_PLUS1_EQ_93);
    assert_false(a.applies);
    assert_int_equal(a.why, THROUGHPUT_FREQ_ONE_WARP);
    assert_same(a.divisor, 1);
    assert_same(a.freq, 1.5);
    in.eff_mem = 50; /* one is enough */
    assert_int_equal(freq(&in, THROUGHPUT_INFIN_EQ_72).why, THROUGHPUT_FREQ_ENOUGH_WARPS);
}

static void tp_14_texts(void **test)
{
    (void)test;
    assert_non_null(strstr(throughput_freq_case_text(THROUGHPUT_FREQ_REDUCE), "too few warps"));
    assert_non_null(strstr(throughput_freq_case_text(THROUGHPUT_FREQ_ENOUGH_WARPS), "enough warps"));
    assert_non_null(strstr(throughput_freq_case_text(THROUGHPUT_FREQ_ONE_WARP), "single warp"));
    assert_string_equal(throughput_freq_case_text(THROUGHPUT_FREQ_CASES), "no such case");
}

static void impossible_inputs_are_refused(void **test)
{
    static const double bads[] = {0, -1, NAN, INFINITY};
    throughput_in in = vectors[1];
    throughput_core_advice c;
    throughput_n_advice n;
    throughput_freq_advice f;
    analytic_err err;

    (void)test;
    mark(&c, sizeof c);
    mark(&n, sizeof n);
    mark(&f, sizeof f);
    assert_refused(throughput_advise_cores(&in, 0, NULL, &c, &err), "active_cores is 0");
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++)
        assert_refused(throughput_advise_freq(&in, bads[i], NULL, &f, &err), "freq is ");
    in.n = 0;
    assert_refused(throughput_advise_cores(&in, 16, NULL, &c, &err), "n is 0");
    assert_refused(throughput_advise_n(&in, NULL, &n, &err), "n is 0");
    assert_refused(throughput_advise_freq(&in, 1, NULL, &f, &err), "n is 0");
    in = vectors[1];
    in.mwp_bw = 1e308;
    assert_refused(throughput_advise_cores(&in, 16, NULL, &c, &err), "budget has no finite value");
    in.mwp_bw = 1e-10;
    in.mstr = 1e300;
    assert_refused(throughput_advise_cores(&in, 16, NULL, &c, &err), "alpha has no finite value");
    in.mwp_bw = 1e307;
    in.mstr = 1e306;
    assert_refused(throughput_advise_n(&in, NULL, &n, &err), "n_exact has no finite value");
    assert_true(marked(&c, sizeof c) && marked(&n, sizeof n) && marked(&f, sizeof f));
}

static void impossible_options_are_refused(void **test)
{
    throughput_options options = throughput_options_default();
    throughput_core_advice c;
    throughput_n_advice n;
    throughput_freq_advice f;
    analytic_err err;

    (void)test;
    options.n_new = THROUGHPUT_N_NEWS;
    assert_refused(throughput_advise_n(&vectors[1], &options, &n, &err), "n_new is 2");
    options = throughput_options_default();
    options.infin = THROUGHPUT_INFINS;
    assert_refused(throughput_advise_freq(&vectors[1], 1, &options, &f, &err), "infin is 3");
    assert_refused(throughput_advise_cores(&vectors[1], 1, &options, &c, &err), "infin is 3");
}

static void wild_inputs_fail_or_give_numbers(void **test)
{
    uint64_t seed = 8393;
    unsigned done = 0;

    (void)test;
    for (unsigned i = 0; i < 100000; i++) {
        const throughput_in in = wild_in(&seed);
        const uint32_t active = random_count(&seed);
        throughput_options options = throughput_options_default();
        throughput_core_advice c;
        throughput_n_advice n;
        throughput_freq_advice f;
        analytic_err err = {""};

        options.infin = (enum throughput_infin)(random_next(&seed) % THROUGHPUT_INFINS);
        options.n_new = (enum throughput_n_new)(random_next(&seed) % THROUGHPUT_N_NEWS);
        if (throughput_advise_cores(&in, active, &options, &c, &err)) {
            const double values[] = {c.alpha, c.bw_per_warp_part, c.budget, c.cores_exact, c.mwp_bw_new};

            assert_all_finite(values, 5);
            assert_in_range(c.cores, 1, active);
            assert_in_range(c.previous_cores, 1, active);
            done++;
        } else {
            assert_said(&err);
        }
        err.text[0] = 0;
        if (throughput_advise_n(&in, &options, &n, &err)) {
            const double values[] = {n.alpha, n.n_exact, n.mwp_app_new};

            assert_all_finite(values, 3);
            assert_true(n.n >= 1 && n.n <= in.n);
        } else {
            assert_said(&err);
        }
        err.text[0] = 0;
        if (throughput_advise_freq(&in, random_wild(&seed), &options, &f, &err)) {
            const double values[] = {f.mwp_infin, f.divisor, f.freq};

            assert_all_finite(values, 3);
            assert_true(f.divisor >= 1);
        } else {
            assert_said(&err);
        }
    }
    assert_true(done > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tp_13_reference_vector_2),
        cmocka_unit_test(tp_13_solved_so_that_equation_90_holds),
        cmocka_unit_test(tp_13_nothing_to_do),
        cmocka_unit_test(tp_13_default_is_n_times_alpha),
        cmocka_unit_test(tp_13_readings_agree_with_too_few_warps),
        cmocka_unit_test(tp_13_n_18_contradicts_section_5_5_1),
        cmocka_unit_test(tp_13_at_least_one_warp),
        cmocka_unit_test(tp_e3_figure_130_two_warps_three_needed),
        cmocka_unit_test(tp_14_default_reading_counts_the_waiting_warp),
        cmocka_unit_test(tp_14_more_warps_reduce_less),
        cmocka_unit_test(tp_14_enough_warps_keep_the_clock),
        cmocka_unit_test(tp_a1_one_warp_is_no_division_by_0),
        cmocka_unit_test(tp_14_texts),
        cmocka_unit_test(impossible_inputs_are_refused),
        cmocka_unit_test(impossible_options_are_refused),
        cmocka_unit_test(wild_inputs_fail_or_give_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
