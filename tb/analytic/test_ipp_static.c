/* SPDX-License-Identifier: Apache-2.0
 *
 * Equations 31 to 34.
 */
#include "analytic/ipp_fixture.h"
#include "analytic/ipp_static.h"

TEST(eq_31_dynamic_and_static)
{
    double watts = 42;

    must(ipp_total_power(0, 0, &watts, &err));
    assert_true(watts == 0);
    must(ipp_total_power(60, 25, &watts, &err));
    assert_same(watts, 85);
    for (unsigned i = 0; i < negative.num; i++) {
        assert_refused(ipp_total_power(negative.value[i], 1, &watts, &err), "dynamic_power");
        assert_refused(ipp_total_power(1, negative.value[i], &watts, &err), "static_power");
    }
    assert_refused(ipp_total_power(1.7e308, 1.7e308, &watts, &err), "total power");
    assert_same(watts, 85);
}

TEST(eq_32_isci_martonosi)
{
    const ipp_isci_unit units[] = {{0.5, 2, 10, 1}, {0.25, 1, 8, 0.5}}, nothing = {0, 0, 0, 0};
    double watts = 0;

    must(ipp_isci_power(units, 2, 20, &watts, &err));
    assert_same(watts, 0.5 * 2 * 10 + 1 + 0.25 * 8 + 0.5 + 20);
    must(ipp_isci_power(&nothing, 1, 0, &watts, &err));
    assert_true(watts == 0);
    must(ipp_isci_power(NULL, 0, 20, &watts, &err));
    assert_same(watts, 20);
}

static bool isci(const void *input, void *out, analytic_err *why)
{
    return ipp_isci_power(input, 1, 20, out, why);
}

TEST(eq_32_refusals)
{
#define UNIT(path, value) {MEMBER(ipp_isci_unit, path), value}
    static const ipp_isci_unit good = {0.5, 2, 10, 1};
    static const subject model = {isci, &good, sizeof good};
    static const bad_member members[] = {
        UNIT(access_rate, &negative), UNIT(scaling, &negative), UNIT(max_power, &negative),
        UNIT(non_gated_clock, &negative),
    };
    static const refusal rows[] = {
        {"access_rate is 1.1", {UNIT(access_rate, 1.1)}},
        {"total power", {UNIT(access_rate, 1), UNIT(max_power, 1.7e308)}},
    };
    double watts = 42;

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
    for (unsigned i = 0; i < negative.num; i++)
        assert_refused(ipp_isci_power(&good, 1, negative.value[i], &watts, &err), "idle_power");
    assert_same(watts, 42);
}

TEST(eq_33_static_power)
{
    double watts = 42;

    must(ipp_static_power(1.1, 1.4e9, 2, 3e-9, &watts, &err));
    assert_within(watts, 1.1 * 1.4 * 2 * 3, 1e-9);
    must(ipp_static_power(0, 0, 0, 0, &watts, &err));
    assert_true(watts == 0);
    for (unsigned i = 0; i < negative.num; i++) {
        assert_refused(ipp_static_power(negative.value[i], 1, 1, 1, &watts, &err), "vcc");
        assert_refused(ipp_static_power(1, negative.value[i], 1, 1, &watts, &err), "transistors");
        assert_refused(ipp_static_power(1, 1, negative.value[i], 1, &watts, &err), "k_design");
        assert_refused(ipp_static_power(1, 1, 1, negative.value[i], &watts, &err), "i_leak");
    }
    assert_refused(ipp_static_power(1e200, 1e200, 1, 1, &watts, &err), "static power");
}

static ipp_leak transistor(void)
{
    return (ipp_leak){.mu0 = 0.03, .cox = 0.02, .w_over_l = 2, .b = 1.5, .vdd = 1.1, .vdd0 = 1.0, .vth = -0.2,
                      .voff = -0.08, .swing = 1.4, .temperature = 26.85};
}

static double current_of(const ipp_leak *leak)
{
    ipp_leak_result r = {0};

    must(ipp_leak_current(leak, &r, &err));
    return r.current;
}

TEST(eq_34_leakage_current)
{
    const ipp_leak leak = transistor();
    ipp_leak_result r;

    must(ipp_leak_current(&leak, &r, &err));
    assert_within(r.v_t, 0.025852, 5e-7); /* kT/q at 300 K */
    const double expected = 0.03 * 0.02 * 2 * exp(1.5 * 0.1) * r.v_t * r.v_t * (1 - exp(-1.1 / r.v_t)) *
                            exp(-(0.2 + 0.08) / (1.4 * r.v_t));
    assert_within(r.current / expected, 1, 1e-12);
}

/* "The leakage power quadratically increases with temperature" through v_t^2; no supply, no leakage;
 * the threshold counts by its size. */
TEST(eq_34_what_it_depends_on)
{
    const ipp_leak p_type = transistor();
    ipp_leak cold = transistor(), hot = transistor(), off = transistor(), n_type = transistor();

    cold.vth = hot.vth = cold.voff = hot.voff = 0; /* leaves v_t^2 */
    cold.temperature = 300 - 273.15;
    hot.temperature = 600 - 273.15;
    assert_within(current_of(&hot) / current_of(&cold), 4, 1e-6);
    off.vdd = 0;
    assert_true(current_of(&off) == 0);
    n_type.vth = 0.2;
    assert_within(current_of(&n_type) / current_of(&p_type), 1, 1e-12);
}

TEST(eq_34_low_supply)
{
    ipp_leak leak = transistor();
    const double high = current_of(&leak);

    leak.vdd = leak.vdd0 = 0.01; /* a supply as small as v_t: 1 - e^(-Vdd/v_t) is far from 1 */
    assert_within(current_of(&leak) / high, (1 - exp(-0.01 / 0.0258520)) / exp(1.5 * 0.1), 1e-6);
}

static bool leak_current(const void *input, void *out, analytic_err *why)
{
    return ipp_leak_current(input, out, why);
}

TEST(eq_34_refusals)
{
#define LEAK(path, value) {MEMBER(ipp_leak, path), value}
    static const bad_values no_number = {3, {NAN, INFINITY, -INFINITY}};
    static const bad_member members[] = {
        LEAK(mu0, &not_positive), LEAK(cox, &not_positive), LEAK(w_over_l, &not_positive),
        LEAK(swing, &not_positive), LEAK(b, &negative), LEAK(vdd, &negative), LEAK(vdd0, &negative),
        LEAK(vth, &no_number), LEAK(temperature, &no_number),
    };
    static const refusal rows[] = {
        {"vth is -0.2 and voff is nan", {LEAK(voff, NAN)}},
        {"vth is -0.2 and voff is inf", {LEAK(voff, INFINITY)}},
        {"vth is -0.2 and voff is -inf", {LEAK(voff, -INFINITY)}},
        {"temperature is -273.15", {LEAK(temperature, -273.15)}},
        {"leakage current", {LEAK(voff, 1000)}},
    };
    static const member may_be_0[] = {MEMBER(ipp_leak, b), MEMBER(ipp_leak, vdd), MEMBER(ipp_leak, vdd0)};
    const ipp_leak good = transistor();
    const subject model = {leak_current, &good, sizeof good};

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
    for (size_t i = 0; i < LENGTH(may_be_0); i++) {
        const result row[] = {{{{may_be_0[i], 0}}, {WANT(ipp_leak_result, v_t, 0.025852, 1e-4)}}};

        assert_results(&model, row);
    }
}

TEST_MAIN("ipp_static")
