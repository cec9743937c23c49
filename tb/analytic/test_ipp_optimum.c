/* SPDX-License-Identifier: Apache-2.0
 *
 * The best number of cores in closed form (Eq. 63).
 */
#include "analytic/ipp_tests.h"

#include "analytic/ipp_cores.h"

/* Section 3.5.5 on the GTX280: MWP_peak_BW of 10.8, blocks of 512 threads, one per SM. */
static ipp_demand bandwidth_limited(void)
{
    return (ipp_demand){
        .mwp = 10.8,
        .cwp = 12,
        .n = 16,
        .mwp_peak_bw = 10.8,
        .mem_bandwidth = 141.7,
        .bw_per_warp = 141.7 / (10.8 * 30), /* Eq. 6 */
        .num_sms = 30,
    };
}

static ipp_optimum optimum(const ipp_demand *demand, const ipp_options *options)
{
    ipp_optimum o = {.cores = 0};
    analytic_err err;

    if (!ipp_optimal_cores(demand, options, &o, &err))
        fail_msg("%s", err.text);
    return o;
}

/* "IPP returns 20 for all the evaluated bandwidth-limited benchmarks". */
static void opt_e1_20_cores_if_limited_by_bandwidth(void **t)
{
    const ipp_demand d = bandwidth_limited();
    const ipp_optimum o = optimum(&d, NULL);

    (void)t;
    assert_near(o.quotient, 20.25, 1e-12);
    assert_int_equal(o.limit, IPP_LIMIT_BANDWIDTH);
    assert_int_equal(o.cores, 20);
}

/* "SVM's MWP of 5.878 and Bs's MWP value of three are less than MWP_peak_BW value of 10.8." */
static void opt_e1_svm_and_bs_take_all(void **t)
{
    ipp_demand d = bandwidth_limited();

    (void)t;
    d.mwp = 5.878;
    assert_int_equal(optimum(&d, NULL).limit, IPP_LIMIT_BELOW_PEAK);
    assert_int_equal(optimum(&d, NULL).cores, 30);
    assert_near(optimum(&d, NULL).quotient, 20.25, 1e-12);
    d.mwp = 3;
    assert_int_equal(optimum(&d, NULL).cores, 30);
}

/* Cmem computes: 30. */
static void opt_e1_cmem_takes_all(void **t)
{
    ipp_demand d = bandwidth_limited();

    (void)t;
    d.cwp = 2;
    assert_int_equal(optimum(&d, NULL).limit, IPP_LIMIT_COMPUTE);
    assert_int_equal(optimum(&d, NULL).cores, 30);
}

/* HG-A20. */
static void hg_a20_rounding(void **t)
{
    const ipp_options nearest = {.rounding = IPP_ROUND_NEAREST}, up = {.rounding = IPP_ROUND_CEIL};
    ipp_demand d = bandwidth_limited();

    (void)t;
    assert_int_equal(optimum(&d, &nearest).cores, 20);
    assert_int_equal(optimum(&d, &up).cores, 21);
    d.mem_bandwidth *= 20.75 / 20.25;
    assert_int_equal(optimum(&d, NULL).cores, 20);
    assert_int_equal(optimum(&d, &nearest).cores, 21);
    assert_int_equal(optimum(&d, &up).cores, 21);
}

/* A quotient that is whole but for rounding errors is whole. */
static void hg_a20_rounding_errors_cost_no_core(void **t)
{
    const ipp_options up = {.rounding = IPP_ROUND_CEIL};
    ipp_demand d = bandwidth_limited();

    (void)t;
    for (int i = -1; i <= 1; i++) {
        d.mem_bandwidth = 15;
        d.bw_per_warp = 1.0 / 16 * (1 + i * 1e-13);
        assert_int_equal(optimum(&d, NULL).cores, 15);
        assert_int_equal(optimum(&d, &up).cores, 15);
        d.bw_per_warp = 1.0 / 16 * (1 + i * 1e-6);
        assert_int_equal(optimum(&d, NULL).cores, i > 0 ? 14 : 15);
        assert_int_equal(optimum(&d, &up).cores, i < 0 ? 16 : 15);
    }
    d.num_sms = 4000;
    d.bw_per_warp = 1.0 / 16 / 200 * (1 - 5e-10); /* relative: 3000.0000015 is 3000 */
    assert_int_equal(optimum(&d, &up).cores, 3000);
    d.bw_per_warp = 1.0 / 16 / 200 * (1 - 2e-9);
    assert_int_equal(optimum(&d, &up).cores, 3001);
}

static void eq_63_at_least_one_and_at_most_all(void **t)
{
    ipp_demand d = bandwidth_limited();

    (void)t;
    d.mem_bandwidth = 1;
    assert_int_equal(optimum(&d, NULL).cores, 1);
    d.mem_bandwidth = 1e300;
    assert_int_equal(optimum(&d, NULL).cores, 30);
    d = bandwidth_limited();
    d.num_sms = 4;
    assert_int_equal(optimum(&d, NULL).cores, 4);
    d.num_sms = 1;
    assert_int_equal(optimum(&d, NULL).cores, 1);
}

static void eq_63_conditions(void **t)
{
    static const struct { double mwp, cwp, n; enum ipp_limit as_printed, with_and; } cases[] = {
        {16, 16, 16, IPP_LIMIT_FEW_WARPS, IPP_LIMIT_FEW_WARPS},
        {16, 12, 16, IPP_LIMIT_FEW_WARPS, IPP_LIMIT_COMPUTE},
        {20, 12, 16, IPP_LIMIT_FEW_WARPS, IPP_LIMIT_COMPUTE}, /* MWP of Eq. 29 */
        {10.8, 16, 16, IPP_LIMIT_FEW_WARPS, IPP_LIMIT_BANDWIDTH},
        {10.8, 12, 16, IPP_LIMIT_BANDWIDTH, IPP_LIMIT_BANDWIDTH},
        {10.8, 10.8, 16, IPP_LIMIT_BANDWIDTH, IPP_LIMIT_BANDWIDTH},
        {10.8, 10.7, 16, IPP_LIMIT_COMPUTE, IPP_LIMIT_COMPUTE},
        {10.7, 12, 16, IPP_LIMIT_BELOW_PEAK, IPP_LIMIT_BELOW_PEAK},
        {10.7, 16, 16, IPP_LIMIT_FEW_WARPS, IPP_LIMIT_BELOW_PEAK},
        {4, 3, 16, IPP_LIMIT_COMPUTE, IPP_LIMIT_COMPUTE},
    };
    const ipp_options with_and = {.case1_and = true};

    (void)t;
    for (unsigned i = 0; i < LENGTH(cases); i++) {
        ipp_demand d = bandwidth_limited();
        d.mwp = cases[i].mwp;
        d.cwp = cases[i].cwp;
        d.n = cases[i].n;
        assert_int_equal(optimum(&d, NULL).limit, cases[i].as_printed);
        assert_int_equal(optimum(&d, &with_and).limit, cases[i].with_and);
        assert_int_equal(optimum(&d, NULL).cores, cases[i].as_printed == IPP_LIMIT_BANDWIDTH ? 20 : 30);
    }
}

/* "CWP values ... are equal to or less than MWP values, so these benchmarks cannot reach the peak". */
static void eq_63_equal_as_the_text_says(void **t)
{
    const ipp_options as_text = {.equal_is_unlimited = true};
    ipp_demand d = bandwidth_limited();

    (void)t;
    d.cwp = d.mwp;
    assert_int_equal(optimum(&d, &as_text).limit, IPP_LIMIT_COMPUTE);
    d.cwp = 12;
    assert_int_equal(optimum(&d, &as_text).limit, IPP_LIMIT_BANDWIDTH);
}

static void limits_have_words(void **t)
{
    (void)t;
    for (unsigned i = 0; i <= IPP_LIMIT_BELOW_PEAK; i++) {
        assert_true(strlen(ipp_limit_text((enum ipp_limit)i)) > 5);
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(ipp_limit_text((enum ipp_limit)i), ipp_limit_text((enum ipp_limit)k));
    }
    assert_non_null(strstr(ipp_limit_text(IPP_LIMIT_BELOW_PEAK), "MWP < MWP_peak_BW"));
    assert_non_null(strstr(ipp_limit_text(IPP_LIMIT_COMPUTE), "MWP > CWP"));
    assert_non_null(strstr(ipp_limit_text(IPP_LIMIT_FEW_WARPS), "is N"));
}

static void opt_2_refusals(void **t)
{
    static const struct { size_t at; const char *name; } fields[] = {
        {offsetof(ipp_demand, mwp), "mwp is"},
        {offsetof(ipp_demand, cwp), "cwp is"},
        {offsetof(ipp_demand, n), "n is"},
        {offsetof(ipp_demand, mwp_peak_bw), "mwp_peak_bw is"},
        {offsetof(ipp_demand, mem_bandwidth), "mem_bandwidth is"},
        {offsetof(ipp_demand, bw_per_warp), "bw_per_warp is"},
    };
    const ipp_options wrong = {.rounding = (enum ipp_rounding)7};
    ipp_demand d = bandwidth_limited();
    ipp_optimum o = {.cores = 42};
    analytic_err err;

    (void)t;
    for (unsigned f = 0; f < LENGTH(fields); f++) {
        for (unsigned i = 0; i < LENGTH(not_positive); i++) {
            d = bandwidth_limited();
            memcpy((char *)&d + fields[f].at, &not_positive[i], sizeof(double));
            assert_refused(ipp_optimal_cores(&d, NULL, &o, &err), err, fields[f].name);
        }
    }
    d = bandwidth_limited();
    assert_refused(ipp_optimal_cores(&d, &wrong, &o, &err), err, "rounding");
    d.bw_per_warp = d.n = 1e-200;
    assert_refused(ipp_optimal_cores(&d, NULL, &o, &err), err, "mem_bandwidth / (bw_per_warp * n)");
    d.num_sms = 0;
    assert_refused(ipp_optimal_cores(&d, NULL, &o, &err), err, "num_sms");
    d.num_sms = IPP_SMS_MAX + 1;
    assert_refused(ipp_optimal_cores(&d, NULL, &o, &err), err, "num_sms");
    assert_int_equal(o.cores, 42);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opt_e1_20_cores_if_limited_by_bandwidth),
        cmocka_unit_test(opt_e1_svm_and_bs_take_all),
        cmocka_unit_test(opt_e1_cmem_takes_all),
        cmocka_unit_test(hg_a20_rounding),
        cmocka_unit_test(hg_a20_rounding_errors_cost_no_core),
        cmocka_unit_test(eq_63_at_least_one_and_at_most_all),
        cmocka_unit_test(eq_63_conditions),
        cmocka_unit_test(eq_63_equal_as_the_text_says),
        cmocka_unit_test(limits_have_words),
        cmocka_unit_test(opt_2_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
