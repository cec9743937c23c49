/* SPDX-License-Identifier: Apache-2.0
 *
 * Temperature and what it costs in power, over time.
 */
#include "analytic/ipp_tests.h"

#include "analytic/ipp_temperature.h"

static const ipp_options max_is_literal = {.maxtemp_is_delta = false};

static ipp_heat heat_of(const ipp_run *run, const ipp_options *options)
{
    ipp_heat h;
    analytic_err err;

    if (!ipp_heat_compute(ipp_params_find("gtx280"), run, options, &h, &err))
        fail_msg("%s", err.text);
    return h;
}

static ipp_point point_of(const ipp_run *run, double seconds, const ipp_options *options)
{
    ipp_point p;
    analytic_err err;

    if (!ipp_point_at(ipp_params_find("gtx280"), run, seconds, options, &p, &err))
        fail_msg("%s", err.text);
    return p;
}

static double rise(double max_temp, double seconds)
{
    double out = -1;
    analytic_err err;

    assert_true(ipp_temperature_rise(ipp_params_find("gtx280"), max_temp, seconds, &out, &err));
    return out;
}

static double decay(double decay_temp, double seconds)
{
    double out = -1;
    analytic_err err;

    assert_true(ipp_temperature_decay(ipp_params_find("gtx280"), decay_temp, seconds, &out, &err));
    return out;
}

/* A run without memory accesses that warms the chip by `delta` degrees. */
static ipp_run that_warms_by(double delta, double run_seconds)
{
    return (ipp_run){.runtime_power = (delta - 5.5) / 0.120, .nonmem_insts = 100, .run_seconds = run_seconds};
}

/* ---- TEMP-1 ---------------------------------------------------------------------------------- */

static void eq_49_51_rise(void **t)
{
    (void)t;
    assert_same(rise(78, 0), 57);
    assert_same(rise(78, 35), 57 + 21 * (1 - exp(-1)));
    assert_same(rise(78, 70), 57 + 21 * (1 - exp(-2)));
    assert_near(rise(78, 600), 78, 1e-6);
    assert_same(rise(50, 35), 57 - 7 * (1 - exp(-1)));
}

static void eq_50_52_decay(void **t)
{
    (void)t;
    assert_same(decay(78, 0), 78);
    assert_same(decay(78, 60), 57 + 21 * exp(-1));
    assert_same(decay(78, 120), 57 + 21 * exp(-2));
    assert_near(decay(78, 1e300), 57, 1e-12);
}

/* HG-A15: with time constants in seconds, 600 s are enough, as the thesis says of Fig. 45. */
static void hg_a15_saturated_after_600_seconds(void **t)
{
    (void)t;
    assert_near((78 - rise(78, 600)) / 21, 3.6e-8, 5e-10); /* e^(-600/35) */
}

static void eq_49_50_refusals(void **t)
{
    static const double no_temp[] = {-300, 1e5, NAN, INFINITY};
    ipp_params p = copy_of("gtx280");
    const ipp_params fermi = copy_of("gtx580");
    double out = 42;
    analytic_err err;

    (void)t;
    for (unsigned i = 0; i < LENGTH(no_temp); i++) {
        assert_refused(ipp_temperature_rise(&p, no_temp[i], 1, &out, &err), err, "max_temp");
        assert_refused(ipp_temperature_decay(&p, no_temp[i], 1, &out, &err), err, "decay_temp");
    }
    for (unsigned i = 0; i < LENGTH(negative); i++) {
        assert_refused(ipp_temperature_rise(&p, 70, negative[i], &out, &err), err, "seconds");
        assert_refused(ipp_temperature_decay(&p, 70, negative[i], &out, &err), err, "seconds");
    }
    assert_refused(ipp_temperature_rise(&fermi, 70, 1, &out, &err), err, "gtx580 has no temperature");
    assert_refused(ipp_temperature_decay(&fermi, 70, 1, &out, &err), err, "gtx580 has no temperature");
    p.thermal.rc_rise = 0;
    assert_refused(ipp_temperature_rise(&p, 70, 1, &out, &err), err, "rc_rise");
    assert_same(out, 42);
}

/* ---- TEMP-2 ---------------------------------------------------------------------------------- */

static void eq_53_54_rise_of_a_run(void **t)
{
    const ipp_run run = {.runtime_power = 100, .mem_insts = 3, .nonmem_insts = 40, .run_seconds = 1};
    const ipp_heat h = heat_of(&run, NULL);

    (void)t;
    assert_same(h.mem_intensity, 0.075);
    assert_same(h.delta, 0.120 * 100 + 5.5 + 21.505 * 0.075);
    assert_same(h.max_temp, 57 + h.delta);
    assert_same(h.power_increase, 10.0 / 22 * h.delta);
    assert_same(h.runtime_power, 100 + h.power_increase);
    assert_same(h.gpu_power, 83 + h.runtime_power);
}

/* HG-A14: 100 W without memory accesses would give a chip of 17.5 degrees, colder than idle. */
static void hg_a14_literal_max_temp(void **t)
{
    const ipp_run run = {.runtime_power = 100, .nonmem_insts = 1, .run_seconds = 1000};
    const ipp_heat h = heat_of(&run, &max_is_literal);

    (void)t;
    assert_same(h.max_temp, 17.5);
    assert_same(h.delta, 17.5 - 57);
    assert_near(point_of(&run, 900, &max_is_literal).temperature, 17.5, 1e-6);
    assert_same(h.runtime_power, 100 + 10.0 / 22 * (17.5 - 57));
}

/* The 68 to 78 degrees that the thesis states need 46 to 129 W if Eq. 53 is the
 * rise, 520 to 604 W if it is the temperature (no memory accesses). */
static void hg_a14_power_for_the_stated_temperatures(void **t)
{
    static const double rises[] = {45.83, 129.17}, absolutes[] = {520.83, 604.17}, stated[] = {68, 78};

    (void)t;
    for (unsigned i = 0; i < 2; i++) {
        const ipp_run as_rise = {.runtime_power = rises[i], .nonmem_insts = 1};
        const ipp_run as_absolute = {.runtime_power = absolutes[i], .nonmem_insts = 1};
        assert_near(heat_of(&as_rise, NULL).max_temp, stated[i], 6.1e-4); /* 5 mW are 0.0006 degrees */
        assert_near(heat_of(&as_absolute, &max_is_literal).max_temp, stated[i], 6.1e-4);
    }
}

/* ---- TEMP-3, TEMP-E1 ------------------------------------------------------------------------- */

/* SVM reaches 78 degrees and needs 10 W more after 600 s, INT 68 degrees and 5 W. */
static void temp_e1_svm_and_int(void **t)
{
    const ipp_run svm = that_warms_by(21, 600), integer = that_warms_by(11, 600);
    const ipp_point hot = point_of(&svm, 600, NULL), warm = point_of(&integer, 600, NULL);

    (void)t;
    assert_same(point_of(&svm, 0, NULL).temperature, 57);
    assert_near(hot.temperature, 78, 1e-5);
    assert_near(hot.runtime_power - svm.runtime_power, 9.55, 0.005);
    assert_near(warm.temperature, 68, 1e-5);
    assert_near(warm.runtime_power - integer.runtime_power, 5.0, 0.005);
    assert_near(warm.gpu_power, integer.runtime_power + 5.0 + 83, 0.005);
    assert_true(hot.running);
}

/* sigma = 10 / 22: a rise of 22 degrees costs the 10 W of section 3.2.7. */
static void sigma_is_10_watts_in_22_degrees(void **t)
{
    const ipp_run run = that_warms_by(22, 1000);

    (void)t;
    assert_near(heat_of(&run, NULL).power_increase, 10, 1e-9);
}

static void eq_55_to_57_over_time(void **t)
{
    const ipp_run run = {.runtime_power = 60, .mem_insts = 1, .nonmem_insts = 10, .run_seconds = 100};
    const double delta = 0.120 * 60 + 5.5 + 2.1505, sigma = 10.0 / 22;
    const double at_end = delta * (1 - exp(-100.0 / 35));
    const ipp_point start = point_of(&run, 0, NULL), mid = point_of(&run, 50, NULL);
    const ipp_point end = point_of(&run, 100, NULL), after = point_of(&run, 130, NULL);

    (void)t;
    assert_same(start.delta_temp, 0); /* a cold start */
    assert_same(start.runtime_power, 60);
    assert_same(start.gpu_power, 143);
    assert_same(start.energy, 0);
    assert_same(mid.delta_temp, delta * (1 - exp(-50.0 / 35)));
    assert_same(mid.temperature, 57 + mid.delta_temp);
    assert_same(mid.runtime_power, 60 + sigma * mid.delta_temp);
    assert_true(mid.running && end.running);
    assert_same(end.delta_temp, at_end);
    assert_same(mid.gamma, at_end); /* where it will be when it ends */
    assert_same(mid.decay_temp, 57 + at_end);
    assert_false(after.running);
    assert_same(after.seconds, 130);
    assert_same(after.gamma, at_end);
    assert_same(after.delta_temp, at_end * exp(-0.5));
    assert_same(after.runtime_power, sigma * after.delta_temp);
    assert_same(after.gpu_power, 83 + after.runtime_power);
    assert_same(after.temperature, 57 + after.delta_temp);
}

static void a_run_of_no_time_leaves_the_chip_cold(void **t)
{
    const ipp_run run = {.runtime_power = 60, .nonmem_insts = 10, .run_seconds = 0};

    (void)t;
    assert_true(point_of(&run, 0, NULL).running);
    assert_same(point_of(&run, 5, NULL).temperature, 57);
    assert_same(point_of(&run, 5, NULL).energy, 5 * 83);
}

/* The energy is the integral of the power: summed in steps of 5 ms, before and after the end. */
static void energy_is_the_integral_of_power(void **t)
{
    const ipp_run run = {.runtime_power = 60, .mem_insts = 1, .nonmem_insts = 10, .run_seconds = 40};
    const double step = 0.005;
    double joules = 0;

    (void)t;
    for (int i = 0; i < 20000; i++) {
        joules += step * point_of(&run, (i + 0.5) * step, NULL).gpu_power;
        if (i == 7999)
            assert_near(point_of(&run, 40, NULL).energy, joules, 1e-3);
    }
    assert_near(point_of(&run, 100, NULL).energy, joules, 1e-3);
}

/* lambda does not depend on the power (Eq. 53). */
static void a_run_without_power_warms_by_lambda(void **t)
{
    const ipp_run run = {.runtime_power = 0, .nonmem_insts = 10, .run_seconds = 9};

    (void)t;
    assert_same(heat_of(&run, NULL).delta, 5.5);
}

static void temperature_refusals(void **t)
{
    const ipp_run good = {.runtime_power = 60, .mem_insts = 1, .nonmem_insts = 10, .run_seconds = 40};
    const ipp_options wrong = {.rounding = (enum ipp_rounding)7};
    const ipp_params *p = ipp_params_find("gtx280");
    ipp_run run = good;
    ipp_heat heat = {.delta = 42};
    ipp_point point = {.energy = 42};
    analytic_err err;

    (void)t;
    for (unsigned i = 0; i < LENGTH(negative); i++) {
        run.runtime_power = negative[i];
        assert_refused(ipp_heat_compute(p, &run, NULL, &heat, &err), err, "runtime_power");
        run = good;
        run.mem_insts = negative[i];
        assert_refused(ipp_heat_compute(p, &run, NULL, &heat, &err), err, "mem_insts");
        run = good;
        run.run_seconds = negative[i];
        assert_refused(ipp_heat_compute(p, &run, NULL, &heat, &err), err, "run_seconds");
        run = good;
        assert_refused(ipp_point_at(p, &run, negative[i], NULL, &point, &err), err, "seconds");
    }
    for (unsigned i = 0; i < LENGTH(not_positive); i++) {
        run.nonmem_insts = not_positive[i];
        assert_refused(ipp_heat_compute(p, &run, NULL, &heat, &err), err, "nonmem_insts");
        assert_refused(ipp_point_at(p, &run, 1, NULL, &point, &err), err, "nonmem_insts");
    }
    assert_refused(ipp_heat_compute(p, &good, &wrong, &heat, &err), err, "rounding");
    assert_refused(ipp_heat_compute(ipp_params_find("gtx580"), &good, NULL, &heat, &err), err, "gtx580");
    assert_same(heat.delta, 42);
    assert_same(point.energy, 42);
}

static void temperature_too_large_for_a_double(void **t)
{
    ipp_params p = copy_of("gtx280");
    ipp_run run = {.runtime_power = 60, .mem_insts = 1e200, .nonmem_insts = 1e-200, .run_seconds = 40};
    ipp_heat heat;
    ipp_point point;
    analytic_err err;

    (void)t;
    p.thermal.rho = 0; /* 0 times infinity is no number */
    assert_refused(ipp_heat_compute(&p, &run, NULL, &heat, &err), err, "mem_intensity");
    run.mem_insts = 1;
    run.nonmem_insts = 1;
    p.thermal.lambda = p.thermal.rho = 1.7e308;
    assert_refused(ipp_heat_compute(&p, &run, NULL, &heat, &err), err, "delta");
    p.thermal.rho = 0;
    p.thermal.sigma = 1e9;
    assert_refused(ipp_heat_compute(&p, &run, NULL, &heat, &err), err, "power_increase");
    p = copy_of("gtx280");
    p.idle_power = run.runtime_power = 1.7e308;
    p.thermal.mu = 0;
    assert_refused(ipp_heat_compute(&p, &run, NULL, &heat, &err), err, "gpu_power");
    p = copy_of("gtx280");
    run.runtime_power = 60;
    assert_refused(ipp_point_at(&p, &run, 1e308, NULL, &point, &err), err, "energy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eq_49_51_rise),
        cmocka_unit_test(eq_50_52_decay),
        cmocka_unit_test(hg_a15_saturated_after_600_seconds),
        cmocka_unit_test(eq_49_50_refusals),
        cmocka_unit_test(eq_53_54_rise_of_a_run),
        cmocka_unit_test(hg_a14_literal_max_temp),
        cmocka_unit_test(hg_a14_power_for_the_stated_temperatures),
        cmocka_unit_test(temp_e1_svm_and_int),
        cmocka_unit_test(sigma_is_10_watts_in_22_degrees),
        cmocka_unit_test(eq_55_to_57_over_time),
        cmocka_unit_test(a_run_of_no_time_leaves_the_chip_cold),
        cmocka_unit_test(energy_is_the_integral_of_power),
        cmocka_unit_test(a_run_without_power_warms_by_lambda),
        cmocka_unit_test(temperature_refusals),
        cmocka_unit_test(temperature_too_large_for_a_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
