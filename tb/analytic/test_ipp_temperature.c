/* SPDX-License-Identifier: Apache-2.0
 *
 * Temperature and what it costs in power, over time.
 */
#include "analytic/ipp_fixture.h"
#include "analytic/ipp_temperature.h"

static const ipp_options max_is_literal = {.maxtemp_is_delta = false};

static ipp_heat heat_of(const ipp_run *run, const ipp_options *options)
{
    ipp_heat h;

    must(ipp_heat_compute(ipp_params_find("gtx280"), run, options, &h, &err));
    return h;
}

static ipp_point point_of(const ipp_run *run, double seconds, const ipp_options *options)
{
    ipp_point p;

    must(ipp_point_at(ipp_params_find("gtx280"), run, seconds, options, &p, &err));
    return p;
}

static double rise(double max_temp, double seconds)
{
    double out = -1;

    must(ipp_temperature_rise(ipp_params_find("gtx280"), max_temp, seconds, &out, &err));
    return out;
}

static double decay(double decay_temp, double seconds)
{
    double out = -1;

    must(ipp_temperature_decay(ipp_params_find("gtx280"), decay_temp, seconds, &out, &err));
    return out;
}

/* A run without memory accesses that warms the chip by `delta` degrees. */
static ipp_run that_warms_by(double delta, double run_seconds)
{
    return (ipp_run){.runtime_power = (delta - 5.5) / 0.120, .nonmem_insts = 100, .run_seconds = run_seconds};
}

/* ---- TEMP-1 ---------------------------------------------------------------------------------- */

TEST(eq_49_51_rise)
{
    assert_each(SAME(rise(78, 0), 57), SAME(rise(78, 35), 57 + 21 * (1 - exp(-1))),
                SAME(rise(78, 70), 57 + 21 * (1 - exp(-2))));
    assert_within(rise(78, 600), 78, 1e-6);
    assert_same(rise(50, 35), 57 - 7 * (1 - exp(-1)));
}

TEST(eq_50_52_decay)
{
    assert_each(SAME(decay(78, 0), 78), SAME(decay(78, 60), 57 + 21 * exp(-1)),
                SAME(decay(78, 120), 57 + 21 * exp(-2)));
    assert_within(decay(78, 1e300), 57, 1e-12);
}

/* HG-A15: with time constants in seconds, 600 s are enough, as the thesis says of Fig. 45. */
TEST(hg_a15_saturated_after_600_seconds)
{
    assert_within((78 - rise(78, 600)) / 21, 3.6e-8, 5e-10); /* e^(-600/35) */
}

TEST(eq_49_50_refusals)
{
    static const double no_temp[] = {-300, 1e5, NAN, INFINITY};
    ipp_params p = copy_of("gtx280");
    const ipp_params fermi = copy_of("gtx580");
    double out = 42;

    for (unsigned i = 0; i < LENGTH(no_temp); i++) {
        assert_refused(ipp_temperature_rise(&p, no_temp[i], 1, &out, &err), "max_temp");
        assert_refused(ipp_temperature_decay(&p, no_temp[i], 1, &out, &err), "decay_temp");
    }
    for (unsigned i = 0; i < negative.num; i++) {
        assert_refused(ipp_temperature_rise(&p, 70, negative.value[i], &out, &err), "seconds");
        assert_refused(ipp_temperature_decay(&p, 70, negative.value[i], &out, &err), "seconds");
    }
    assert_refused(ipp_temperature_rise(&fermi, 70, 1, &out, &err), "gtx580 has no temperature");
    assert_refused(ipp_temperature_decay(&fermi, 70, 1, &out, &err), "gtx580 has no temperature");
    p.thermal.rc_rise = 0;
    assert_refused(ipp_temperature_rise(&p, 70, 1, &out, &err), "thermal.rc_rise");
    assert_same(out, 42);
}

/* ---- TEMP-2 ---------------------------------------------------------------------------------- */

TEST(eq_53_54_rise_of_a_run)
{
    const ipp_run run = {.runtime_power = 100, .mem_insts = 3, .nonmem_insts = 40, .run_seconds = 1};
    const ipp_heat h = heat_of(&run, NULL);

    assert_each(SAME(h.mem_intensity, 0.075), SAME(h.delta, 0.120 * 100 + 5.5 + 21.505 * 0.075),
                SAME(h.max_temp, 57 + h.delta), SAME(h.power_increase, 10.0 / 22 * h.delta),
                SAME(h.runtime_power, 100 + h.power_increase), SAME(h.gpu_power, 83 + h.runtime_power));
}

/* HG-A14: 100 W without memory accesses would give a chip of 17.5 degrees, colder than idle. */
TEST(hg_a14_literal_max_temp)
{
    const ipp_run run = {.runtime_power = 100, .nonmem_insts = 1, .run_seconds = 1000};
    const ipp_heat h = heat_of(&run, &max_is_literal);

    assert_same(h.max_temp, 17.5);
    assert_same(h.delta, 17.5 - 57);
    assert_within(point_of(&run, 900, &max_is_literal).temperature, 17.5, 1e-6);
    assert_same(h.runtime_power, 100 + 10.0 / 22 * (17.5 - 57));
}

/* The 68 to 78 degrees that the thesis states need 46 to 129 W if Eq. 53 is the
 * rise, 520 to 604 W if it is the temperature (no memory accesses). */
TEST(hg_a14_power_for_the_stated_temperatures)
{
    static const double rises[] = {45.83, 129.17}, absolutes[] = {520.83, 604.17}, stated[] = {68, 78};

    for (unsigned i = 0; i < 2; i++) {
        const ipp_run as_rise = {.runtime_power = rises[i], .nonmem_insts = 1};
        const ipp_run as_absolute = {.runtime_power = absolutes[i], .nonmem_insts = 1};
        assert_within(heat_of(&as_rise, NULL).max_temp, stated[i], 6.1e-4); /* 5 mW are 0.0006 degrees */
        assert_within(heat_of(&as_absolute, &max_is_literal).max_temp, stated[i], 6.1e-4);
    }
}

/* ---- TEMP-3, TEMP-E1 ------------------------------------------------------------------------- */

/* SVM reaches 78 degrees and needs 10 W more after 600 s, INT 68 degrees and 5 W. */
TEST(temp_e1_svm_and_int)
{
    const ipp_run svm = that_warms_by(21, 600), integer = that_warms_by(11, 600);
    const ipp_point hot = point_of(&svm, 600, NULL), warm = point_of(&integer, 600, NULL);

    assert_same(point_of(&svm, 0, NULL).temperature, 57);
    assert_within(hot.temperature, 78, 1e-5);
    assert_within(hot.runtime_power - svm.runtime_power, 9.55, 0.005);
    assert_within(warm.temperature, 68, 1e-5);
    assert_within(warm.runtime_power - integer.runtime_power, 5.0, 0.005);
    assert_within(warm.gpu_power, integer.runtime_power + 5.0 + 83, 0.005);
    assert_true(hot.running);
}

/* sigma = 10 / 22: a rise of 22 degrees costs the 10 W of section 3.2.7. */
TEST(sigma_is_10_watts_in_22_degrees)
{
    const ipp_run run = that_warms_by(22, 1000);

    assert_within(heat_of(&run, NULL).power_increase, 10, 1e-9);
}

TEST(eq_55_to_57_over_time)
{
    const ipp_run run = {.runtime_power = 60, .mem_insts = 1, .nonmem_insts = 10, .run_seconds = 100};
    const double delta = 0.120 * 60 + 5.5 + 2.1505, sigma = 10.0 / 22;
    const double at_end = delta * (1 - exp(-100.0 / 35));
    const ipp_point start = point_of(&run, 0, NULL), mid = point_of(&run, 50, NULL);
    const ipp_point end = point_of(&run, 100, NULL), after = point_of(&run, 130, NULL);

    assert_same(start.delta_temp, 0); /* a cold start */
    assert_each(SAME(start.runtime_power, 60), SAME(start.gpu_power, 143), SAME(start.energy, 0),
                SAME(mid.delta_temp, delta * (1 - exp(-50.0 / 35))), SAME(mid.temperature, 57 + mid.delta_temp),
                SAME(mid.runtime_power, 60 + sigma * mid.delta_temp));
    assert_true(mid.running && end.running);
    assert_same(end.delta_temp, at_end);
    assert_same(mid.gamma, at_end); /* where it will be when it ends */
    assert_each(SAME(mid.decay_temp, 57 + at_end), IS(after.running, false), SAME(after.seconds, 130),
                SAME(after.gamma, at_end), SAME(after.delta_temp, at_end * exp(-0.5)),
                SAME(after.runtime_power, sigma * after.delta_temp),
                SAME(after.gpu_power, 83 + after.runtime_power), SAME(after.temperature, 57 + after.delta_temp));
}

TEST(a_run_of_no_time_leaves_the_chip_cold)
{
    const ipp_run run = {.runtime_power = 60, .nonmem_insts = 10, .run_seconds = 0};

    assert_true(point_of(&run, 0, NULL).running);
    assert_same(point_of(&run, 5, NULL).temperature, 57);
    assert_same(point_of(&run, 5, NULL).energy, 5 * 83);
}

/* The energy is the integral of the power: summed in steps of 5 ms, before and after the end. */
TEST(energy_is_the_integral_of_power)
{
    const ipp_run run = {.runtime_power = 60, .mem_insts = 1, .nonmem_insts = 10, .run_seconds = 40};
    const double step = 0.005;
    double joules = 0;

    for (int i = 0; i < 20000; i++) {
        joules += step * point_of(&run, (i + 0.5) * step, NULL).gpu_power;
        if (i == 7999)
            assert_within(point_of(&run, 40, NULL).energy, joules, 1e-3);
    }
    assert_within(point_of(&run, 100, NULL).energy, joules, 1e-3);
}

/* lambda does not depend on the power (Eq. 53). */
TEST(a_run_without_power_warms_by_lambda)
{
    const ipp_run run = {.runtime_power = 0, .nonmem_insts = 10, .run_seconds = 9};

    assert_same(heat_of(&run, NULL).delta, 5.5);
}

typedef struct request {
    ipp_params params;
    ipp_run run;
    ipp_options options;
    double seconds;
} request;

static bool heat(const void *input, void *out, analytic_err *why)
{
    const request *r = input;

    return ipp_heat_compute(&r->params, &r->run, &r->options, out, why);
}

static bool point(const void *input, void *out, analytic_err *why)
{
    const request *r = input;

    return ipp_point_at(&r->params, &r->run, r->seconds, &r->options, out, why);
}

TEST(temperature_refusals)
{
#define IN(path, value) {MEMBER(request, path), value}
    static const bad_member members[] = {
        IN(run.runtime_power, &negative), IN(run.mem_insts, &negative), IN(run.run_seconds, &negative),
        IN(run.nonmem_insts, &not_positive),
    };
    static const bad_member seconds[] = {IN(seconds, &negative)};
    static const refusal rows[] = {
        {"rounding is 7", {IN(options.rounding, 7)}},
        {"gtx280 has no temperature constants", {IN(params.thermal.known, false)}},
        /* Too large for a double; 0 times infinity is no number. */
        {"mem_intensity", {IN(run.mem_insts, 1e200), IN(run.nonmem_insts, 1e-200), IN(params.thermal.rho, 0)}},
        {"delta", {IN(run.nonmem_insts, 1), IN(params.thermal.lambda, 1.7e308), IN(params.thermal.rho, 1.7e308)}},
        {"power_increase", {IN(params.thermal.lambda, 1.7e308), IN(params.thermal.rho, 0), IN(params.thermal.sigma, 1e9)}},
        {"gpu_power", {IN(params.idle_power, 1.7e308), IN(run.runtime_power, 1.7e308), IN(params.thermal.mu, 0)}},
    };
    static const refusal late[] = {{"energy", {IN(seconds, 1e308)}}};
    const request good = {copy_of("gtx280"),
                          {.runtime_power = 60, .mem_insts = 1, .nonmem_insts = 10, .run_seconds = 40},
                          ipp_options_default(), 1};
    request fermi = good;
    const subject heats = {heat, &good, sizeof good}, points = {point, &good, sizeof good};
    ipp_heat h;

    assert_bad_members(&heats, members);
    assert_bad_members(&points, members);
    assert_bad_members(&points, seconds);
    assert_refusals(&heats, rows);
    assert_refusals(&points, rows);
    assert_refusals(&points, late);
    fermi.params = copy_of("gtx580");
    assert_refused(heat(&fermi, &h, &err), "gtx580");
}

TEST_MAIN("ipp_temperature")
