/* SPDX-License-Identifier: Apache-2.0
 *
 * The best number of cores in closed form (Eq. 63).
 */
#include "analytic/ipp_fixture.h"
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

    must(ipp_optimal_cores(demand, options, &o, &err));
    return o;
}

/* OPT-E1. "IPP returns 20 for all the evaluated bandwidth-limited benchmarks"; "SVM's MWP of 5.878 and Bs's
 * MWP value of three are less than MWP_peak_BW value of 10.8"; Cmem computes: both take all. */
TEST(opt_e1_evaluated_benchmarks)
{
    static const struct {
        double mwp, cwp;
        enum ipp_limit limit;
        uint32_t cores;
    } rows[] = {
        {10.8, 12, IPP_LIMIT_BANDWIDTH, 20},
        {5.878, 12, IPP_LIMIT_BELOW_PEAK, 30},
        {3, 12, IPP_LIMIT_BELOW_PEAK, 30},
        {10.8, 2, IPP_LIMIT_COMPUTE, 30},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        ipp_demand d = bandwidth_limited();

        d.mwp = rows[i].mwp;
        d.cwp = rows[i].cwp;
        assert_int_equal(optimum(&d, NULL).limit, rows[i].limit);
        assert_int_equal(optimum(&d, NULL).cores, rows[i].cores);
        assert_within(optimum(&d, NULL).quotient, 20.25, 1e-12);
    }
}

/* HG-A20. */
TEST(hg_a20_rounding)
{
    const ipp_options nearest = {.rounding = IPP_ROUND_NEAREST}, up = {.rounding = IPP_ROUND_CEIL};
    ipp_demand d = bandwidth_limited();

    assert_int_equal(optimum(&d, &nearest).cores, 20);
    assert_int_equal(optimum(&d, &up).cores, 21);
    d.mem_bandwidth *= 20.75 / 20.25;
    assert_each(IS(optimum(&d, NULL).cores, 20), IS(optimum(&d, &nearest).cores, 21),
                IS(optimum(&d, &up).cores, 21));
}

/* A quotient that is whole but for rounding errors is whole. */
TEST(hg_a20_rounding_errors_cost_no_core)
{
    const ipp_options up = {.rounding = IPP_ROUND_CEIL};
    ipp_demand d = bandwidth_limited();

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

TEST(eq_63_at_least_one_and_at_most_all)
{
    ipp_demand d = bandwidth_limited();

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

TEST(eq_63_conditions)
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
TEST(eq_63_equal_as_the_text_says)
{
    const ipp_options as_text = {.equal_is_unlimited = true};
    ipp_demand d = bandwidth_limited();

    d.cwp = d.mwp;
    assert_int_equal(optimum(&d, &as_text).limit, IPP_LIMIT_COMPUTE);
    d.cwp = 12;
    assert_int_equal(optimum(&d, &as_text).limit, IPP_LIMIT_BANDWIDTH);
}

TEST(limits_have_words)
{
    for (unsigned i = 0; i <= IPP_LIMIT_BELOW_PEAK; i++) {
        assert_true(strlen(ipp_limit_text((enum ipp_limit)i)) > 5);
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(ipp_limit_text((enum ipp_limit)i), ipp_limit_text((enum ipp_limit)k));
    }
    assert_non_null(strstr(ipp_limit_text(IPP_LIMIT_BELOW_PEAK), "MWP < MWP_peak_BW"));
    assert_non_null(strstr(ipp_limit_text(IPP_LIMIT_COMPUTE), "MWP > CWP"));
    assert_non_null(strstr(ipp_limit_text(IPP_LIMIT_FEW_WARPS), "is N"));
}

typedef struct request {
    ipp_demand demand;
    ipp_options options;
} request;

static bool optimal(const void *input, void *out, analytic_err *why)
{
    const request *r = input;

    return ipp_optimal_cores(&r->demand, &r->options, out, why);
}

TEST(opt_2_refusals)
{
#define IN(path, value) {MEMBER(request, path), value}
    static const bad_member members[] = {
        IN(demand.mwp, &not_positive), IN(demand.cwp, &not_positive), IN(demand.n, &not_positive),
        IN(demand.mwp_peak_bw, &not_positive), IN(demand.mem_bandwidth, &not_positive),
        IN(demand.bw_per_warp, &not_positive),
    };
    static const refusal rows[] = {
        {"rounding is 7", {IN(options.rounding, 7)}},
        {"mem_bandwidth / (bw_per_warp * n)", {IN(demand.bw_per_warp, 1e-200), IN(demand.n, 1e-200)}},
        {"num_sms is 0", {IN(demand.num_sms, 0)}},
        {"num_sms is 4097", {IN(demand.num_sms, IPP_SMS_MAX + 1)}},
    };
    const request good = {bandwidth_limited(), ipp_options_default()};
    const subject model = {optimal, &good, sizeof good};

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
}

TEST_MAIN("ipp_optimum")
