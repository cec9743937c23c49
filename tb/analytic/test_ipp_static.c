/* SPDX-License-Identifier: Apache-2.0
 *
 * Equations 31 to 34.
 */
#include "analytic/ipp_tests.h"

#include "analytic/ipp_static.h"

static void eq_31_dynamic_and_static(void **t)
{
    double watts = 42;
    analytic_err err;

    (void)t;
    assert_true(ipp_total_power(0, 0, &watts, &err));
    assert_true(watts == 0);
    assert_true(ipp_total_power(60, 25, &watts, &err));
    assert_same(watts, 85);
    for (unsigned i = 0; i < LENGTH(negative); i++) {
        assert_refused(ipp_total_power(negative[i], 1, &watts, &err), err, "dynamic_power");
        assert_refused(ipp_total_power(1, negative[i], &watts, &err), err, "static_power");
    }
    assert_refused(ipp_total_power(1.7e308, 1.7e308, &watts, &err), err, "total power");
    assert_same(watts, 85);
}

static void eq_32_isci_martonosi(void **t)
{
    const ipp_isci_unit units[] = {{0.5, 2, 10, 1}, {0.25, 1, 8, 0.5}}, nothing = {0, 0, 0, 0};
    double watts = 0;
    analytic_err err;

    (void)t;
    assert_true(ipp_isci_power(units, 2, 20, &watts, &err));
    assert_same(watts, 0.5 * 2 * 10 + 1 + 0.25 * 8 + 0.5 + 20);
    assert_true(ipp_isci_power(&nothing, 1, 0, &watts, &err));
    assert_true(watts == 0);
    assert_true(ipp_isci_power(NULL, 0, 20, &watts, &err));
    assert_same(watts, 20);
}

static void eq_32_refusals(void **t)
{
    const ipp_isci_unit good = {0.5, 2, 10, 1};
    static const struct { size_t at; const char *name; } fields[] = {
        {offsetof(ipp_isci_unit, access_rate), "access_rate"},
        {offsetof(ipp_isci_unit, scaling), "scaling"},
        {offsetof(ipp_isci_unit, max_power), "max_power"},
        {offsetof(ipp_isci_unit, non_gated_clock), "non_gated_clock"},
    };
    ipp_isci_unit u = good;
    double watts = 42;
    analytic_err err;

    (void)t;
    for (unsigned i = 0; i < LENGTH(negative); i++) {
        for (unsigned f = 0; f < LENGTH(fields); f++) {
            u = good;
            memcpy((char *)&u + fields[f].at, &negative[i], sizeof(double));
            assert_refused(ipp_isci_power(&u, 1, 20, &watts, &err), err, fields[f].name);
        }
        assert_refused(ipp_isci_power(&good, 1, negative[i], &watts, &err), err, "idle_power");
    }
    u = good;
    u.access_rate = 1.1;
    assert_refused(ipp_isci_power(&u, 1, 20, &watts, &err), err, "access_rate");
    u.access_rate = 1;
    u.max_power = 1.7e308;
    assert_refused(ipp_isci_power(&u, 1, 20, &watts, &err), err, "total power");
    assert_same(watts, 42);
}

static void eq_33_static_power(void **t)
{
    double watts = 42;
    analytic_err err;

    (void)t;
    assert_true(ipp_static_power(1.1, 1.4e9, 2, 3e-9, &watts, &err));
    assert_near(watts, 1.1 * 1.4 * 2 * 3, 1e-9);
    assert_true(ipp_static_power(0, 0, 0, 0, &watts, &err));
    assert_true(watts == 0);
    for (unsigned i = 0; i < LENGTH(negative); i++) {
        assert_refused(ipp_static_power(negative[i], 1, 1, 1, &watts, &err), err, "vcc");
        assert_refused(ipp_static_power(1, negative[i], 1, 1, &watts, &err), err, "transistors");
        assert_refused(ipp_static_power(1, 1, negative[i], 1, &watts, &err), err, "k_design");
        assert_refused(ipp_static_power(1, 1, 1, negative[i], &watts, &err), err, "i_leak");
    }
    assert_refused(ipp_static_power(1e200, 1e200, 1, 1, &watts, &err), err, "static power");
}

static ipp_leak transistor(void)
{
    return (ipp_leak){.mu0 = 0.03, .cox = 0.02, .w_over_l = 2, .b = 1.5, .vdd = 1.1, .vdd0 = 1.0, .vth = -0.2,
                      .voff = -0.08, .swing = 1.4, .temperature = 26.85};
}

static double current_of(const ipp_leak *leak)
{
    ipp_leak_result r = {0};
    analytic_err err;

    if (!ipp_leak_current(leak, &r, &err))
        fail_msg("%s", err.text);
    return r.current;
}

static void eq_34_leakage_current(void **t)
{
    const ipp_leak leak = transistor();
    ipp_leak_result r;
    analytic_err err;

    (void)t;
    assert_true(ipp_leak_current(&leak, &r, &err));
    assert_near(r.v_t, 0.025852, 5e-7); /* kT/q at 300 K */
    const double expected = 0.03 * 0.02 * 2 * exp(1.5 * 0.1) * r.v_t * r.v_t * (1 - exp(-1.1 / r.v_t)) *
                            exp(-(0.2 + 0.08) / (1.4 * r.v_t));
    assert_near(r.current / expected, 1, 1e-12);
}

/* "The leakage power quadratically increases with temperature" through v_t^2; no supply, no leakage;
 * the threshold counts by its size. */
static void eq_34_what_it_depends_on(void **t)
{
    const ipp_leak p_type = transistor();
    ipp_leak cold = transistor(), hot = transistor(), off = transistor(), n_type = transistor();

    (void)t;
    cold.vth = hot.vth = cold.voff = hot.voff = 0; /* leaves v_t^2 */
    cold.temperature = 300 - 273.15;
    hot.temperature = 600 - 273.15;
    assert_near(current_of(&hot) / current_of(&cold), 4, 1e-6);
    off.vdd = 0;
    assert_true(current_of(&off) == 0);
    n_type.vth = 0.2;
    assert_near(current_of(&n_type) / current_of(&p_type), 1, 1e-12);
}

static void eq_34_low_supply(void **t)
{
    ipp_leak leak = transistor();
    const double high = current_of(&leak);

    (void)t;
    leak.vdd = leak.vdd0 = 0.01; /* a supply as small as v_t: 1 - e^(-Vdd/v_t) is far from 1 */
    assert_near(current_of(&leak) / high, (1 - exp(-0.01 / 0.0258520)) / exp(1.5 * 0.1), 1e-6);
}

static void eq_34_refusals(void **t)
{
    static const struct { size_t at; const char *name; bool zero; } fields[] = {
        {offsetof(ipp_leak, mu0), "mu0", false},         {offsetof(ipp_leak, cox), "cox", false},
        {offsetof(ipp_leak, w_over_l), "w_over_l", false}, {offsetof(ipp_leak, swing), "swing", false},
        {offsetof(ipp_leak, b), "b is", true},           {offsetof(ipp_leak, vdd), "vdd is", true},
        {offsetof(ipp_leak, vdd0), "vdd0 is", true},
    };
    static const double no_number[] = {NAN, INFINITY, -INFINITY};
    ipp_leak_result r = {.current = 42};
    analytic_err err;

    (void)t;
    for (unsigned f = 0; f < LENGTH(fields); f++) {
        for (unsigned i = 0; i < LENGTH(not_positive); i++) {
            ipp_leak leak = transistor();
            memcpy((char *)&leak + fields[f].at, &not_positive[i], sizeof(double));
            if (not_positive[i] == 0 && fields[f].zero)
                assert_true(ipp_leak_current(&leak, &(ipp_leak_result){0}, &err));
            else
                assert_refused(ipp_leak_current(&leak, &r, &err), err, fields[f].name);
        }
    }
    for (unsigned i = 0; i < LENGTH(no_number); i++) {
        ipp_leak leak = transistor();
        leak.vth = no_number[i];
        assert_refused(ipp_leak_current(&leak, &r, &err), err, "vth");
        leak = transistor();
        leak.voff = no_number[i];
        assert_refused(ipp_leak_current(&leak, &r, &err), err, "voff");
        leak = transistor();
        leak.temperature = no_number[i];
        assert_refused(ipp_leak_current(&leak, &r, &err), err, "temperature");
    }
    ipp_leak leak = transistor();
    leak.temperature = -273.15;
    assert_refused(ipp_leak_current(&leak, &r, &err), err, "temperature");
    leak = transistor();
    leak.voff = 1000;
    assert_refused(ipp_leak_current(&leak, &r, &err), err, "leakage current");
    assert_same(r.current, 42);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eq_31_dynamic_and_static),
        cmocka_unit_test(eq_32_isci_martonosi),
        cmocka_unit_test(eq_32_refusals),
        cmocka_unit_test(eq_33_static_power),
        cmocka_unit_test(eq_34_leakage_current),
        cmocka_unit_test(eq_34_what_it_depends_on),
        cmocka_unit_test(eq_34_low_supply),
        cmocka_unit_test(eq_34_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
