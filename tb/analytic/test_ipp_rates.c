/* SPDX-License-Identifier: Apache-2.0
 *
 * From instructions to access rates (Eq. 40, 42, 61) and what stands for them in Eq. 39.
 */
#include "analytic/ipp_fixture.h"

static double effective(unsigned component, double rate, const ipp_options *options)
{
    double out = -1;

    must(ipp_effective_rate(ipp_params_find("gtx280"), component, rate, options, &out, &err));
    return out;
}

/* ---- IPP-6: access rates --------------------------------------------------------------------- */

static double warps(uint32_t threads, uint32_t blocks, uint32_t active, const ipp_options *options)
{
    double out = -1;

    must(ipp_warps_per_sm(threads, 32, blocks, active, options, &out, &err));
    return out;
}

TEST(eq_42_warps_per_sm)
{
    const ipp_options as_printed = {.whole_warps = false};

    assert_same(warps(256, 480, 16, NULL), 240);
    assert_same(warps(512, 30, 30, NULL), 16);
    assert_same(warps(256, 100, 30, NULL), 80.0 / 3); /* an average over SMs */
    assert_each(SAME(warps(100, 30, 30, NULL), 4), SAME(warps(96, 30, 30, NULL), 3),
                SAME(warps(100, 30, 30, &as_printed), 3.125),
                SAME(warps(UINT32_MAX, UINT32_MAX, 1, NULL), 4294967296.0 / 32 * 4294967295.0));
}

TEST(eq_42_refusals)
{
    const ipp_options wrong = {.memory = (enum ipp_memory_power)7};
    double out = 42;

    assert_refused(ipp_warps_per_sm(0, 32, 1, 1, NULL, &out, &err), "threads_per_block");
    assert_refused(ipp_warps_per_sm(1, 0, 1, 1, NULL, &out, &err), "threads_per_warp");
    assert_refused(ipp_warps_per_sm(1, 32, 0, 1, NULL, &out, &err), "blocks");
    assert_refused(ipp_warps_per_sm(1, 32, 1, 0, NULL, &out, &err), "active_sms");
    assert_refused(ipp_warps_per_sm(1, 32, 1, 1, &wrong, &out, &err), "memory");
    assert_same(out, 42);
}

/* 100 accesses of 24 warps in 16000 cycles, an instruction every 4: 2400 of 4000. */
TEST(eq_40_access_rate)
{
    ipp_params p = copy_of("gtx280");
    ipp_activity a = {.accesses[IPP_ALU] = 100, .warps_per_sm = 24, .exec_cycles = 16000, .active_sms = 30};

    assert_same(power_of(&p, &a, NULL).component[IPP_ALU].access_rate, 0.6);
    a.exec_cycles *= 2; /* Eq. 61: predicted to take twice as long */
    assert_same(power_of(&p, &a, NULL).component[IPP_ALU].access_rate, 0.3);
    p.issue_interval = 2;
    assert_same(power_of(&p, &a, NULL).component[IPP_ALU].access_rate, 0.15);
}

TEST(eq_40_is_at_most_one)
{
    const ipp_params p = copy_of("gtx280");
    ipp_activity a = per_mille(&p, 30);

    a.accesses[IPP_ALU] = 1000;
    a.accesses[IPP_SHARED] = 1000 * (1 + 5e-10); /* rounding errors */
    assert_int_equal(power_of(&p, &a, NULL).num_limited, 0);
    a.accesses[IPP_SFU] = 1000 * (1 + 2e-9);
    a.accesses[IPP_FP] = 7000;
    const ipp_power over = power_of(&p, &a, NULL);
    assert_each(IS(over.num_limited, 2), SAME(over.component[IPP_FP].access_rate, 7),
                SAME(over.component[IPP_FP].limited_rate, 1));
    assert_same(over.component[IPP_FP].effective_rate, 1.001375); /* of the limited rate, not of 7 */
    assert_same(over.component[IPP_SFU].rp, 0.5);
}

/* ---- IPP-8: Spec.Linear ---------------------------------------------------------------------- */

TEST(ipp_8_special_linear)
{
    const ipp_options at_most_1 = {.effective_max_one = true, .maxtemp_is_delta = true};

    assert_within(effective(IPP_FP, 1, NULL), 1.001375, 1e-12);
    assert_same(effective(IPP_FP, 1, &at_most_1), 1);
    assert_same(effective(IPP_FP, 0.5, NULL), 0.1365 * log(0.5) + 1.001375);
    assert_same(effective(IPP_FP, 0.5, &at_most_1), effective(IPP_FP, 0.5, NULL));
    assert_within(effective(IPP_GLOBAL, 0.01, NULL), 0.37277, 5e-6);
    for (unsigned i = 0; i < IPP_COMPONENTS; i++) {
        if (!ipp_params_find("gtx280")->unit[i].special_linear)
            assert_same(effective(i, 0.3, NULL), 0.3);
        else
            assert_same(effective(i, 0.3, NULL), 0.1365 * log(0.3) + 1.001375);
    }
}

/* Crosses 0 at 6.516e-4; below, and where the logarithm has no value, it is 0. */
TEST(ipp_8_never_below_zero)
{
    assert_true(effective(IPP_REG, 6.517e-4, NULL) > 0);
    assert_within(effective(IPP_REG, 6.517e-4, NULL), 0, 1e-4);
    assert_true(effective(IPP_REG, 6.515e-4, NULL) == 0);
    assert_true(effective(IPP_REG, 1e-300, NULL) == 0);
    assert_true(effective(IPP_REG, 0, NULL) == 0);
    assert_true(effective(IPP_ALU, 0, NULL) == 0);
}

TEST(ipp_8_refusals)
{
    static const double no_rate[] = {-0.1, 1.1, NAN, INFINITY};
    const ipp_options wrong = {.form = (enum ipp_form)7};
    ipp_params p = copy_of("gtx280");
    double out = 42;

    for (unsigned i = 0; i < LENGTH(no_rate); i++)
        assert_refused(ipp_effective_rate(&p, IPP_FP, no_rate[i], NULL, &out, &err), "rate");
    assert_refused(ipp_effective_rate(&p, IPP_COMPONENTS, 1, NULL, &out, &err), "component");
    assert_refused(ipp_effective_rate(&p, IPP_FP, 1, &wrong, &out, &err), "form");
    p.beta = 0;
    assert_refused(ipp_effective_rate(&p, IPP_FP, 1, NULL, &out, &err), "beta");
    assert_same(out, 42);
}

TEST_MAIN("ipp_rates")
