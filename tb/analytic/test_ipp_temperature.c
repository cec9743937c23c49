/* SPDX-License-Identifier: Apache-2.0
 *
 * Temperature and what it costs in power, over time, on a GTX280.
 */
#include "analytic/analytic_fixture.h"
#include "analytic/ipp_temperature.h"

typedef struct request {
    ipp_params params;
    ipp_run run;
    ipp_options options;
    double seconds;
} request;
#define IN(path, value) {MEMBER(request, path), value}
#define AT(time) IN(seconds, time)
#define LITERAL IN(options.maxtemp_is_delta, false)
#define HEAT(path, expected) WANT(ipp_heat, path, expected, 1e-12)
#define POINT(path, expected) WANT(ipp_point, path, expected, 1e-12)
#define POINT_NEAR(path, expected, distance) WANT_WITHIN(ipp_point, path, expected, distance)

static MODEL(heat, request, ipp_heat_compute(&in->params, &in->run, &in->options, out, why))
static MODEL(point, request, ipp_point_at(&in->params, &in->run, in->seconds, &in->options, out, why))

static request of_run(double watts, double mem_insts, double nonmem_insts, double seconds)
{
    return (request){*ipp_params_find("gtx280"), {watts, mem_insts, nonmem_insts, seconds},
                     ipp_options_default(), 1};
}

#define assert_on(good, call, rows) results_on(good, call, rows, LENGTH(rows))
static void results_on(request good, analytic_call call, const result *rows, size_t num)
{
    const subject model = {call, &good, sizeof good};

    analytic_results(&model, rows, num);
}

/* W of a run without memory accesses that warms the chip by so many degrees. */
#define WARMING(degrees) (((degrees) - 5.5) / 0.120)

/* ---- TEMP-1, TEMP-3, TEMP-E1 ------------------------------------------------------------------- */

/* SVM reaches 78 degrees and needs 10 W more after 600 s. HG-A15: with time constants in seconds, 600 s are
 * enough, as the thesis says of Fig. 45: e^(-600/35) is 3.6e-8. */
TEST(temp_e1_svm_rises_and_decays)
{
    const double end = 21 * (1 - exp(-600.0 / 35));
    const result rows[] = {
        {{AT(0)}, {POINT(temperature, 57)}}, /* Eq. 49, 51 */
        {{AT(35)}, {POINT(temperature, 57 + 21 * (1 - exp(-1)))}},
        {{AT(70)}, {POINT(temperature, 57 + 21 * (1 - exp(-2)))}},
        {{AT(600)},
         {POINT_NEAR(temperature, 78, 1e-6), POINT(delta_temp, end), POINT(running, true),
          POINT_NEAR(runtime_power, WARMING(21) + 9.55, 0.005)}},
        {{AT(600 + 60)}, {POINT(temperature, 57 + end * exp(-1)), POINT(running, false)}}, /* Eq. 50, 52 */
        {{AT(600 + 120)}, {POINT(temperature, 57 + end * exp(-2))}},
        {{AT(1e300)}, {POINT_NEAR(temperature, 57, 1e-12)}},
    };

    assert_on(of_run(WARMING(21), 0, 100, 600), point, rows);
    assert_within(1 - end / 21, 3.6e-8, 5e-10);
}

/* INT reaches 68 degrees and needs 5 W more. */
TEST(temp_e1_int)
{
    static const result rows[] = {
        {{AT(600)},
         {POINT_NEAR(temperature, 68, 1e-5), POINT_NEAR(runtime_power, WARMING(11) + 5, 0.005),
          POINT_NEAR(gpu_power, WARMING(11) + 5.0 + 83, 0.005)}},
    };

    assert_on(of_run(WARMING(11), 0, 100, 600), point, rows);
}

TEST(eq_55_to_57_over_time)
{
    const double delta = 0.120 * 60 + 5.5 + 2.1505, sigma = 10.0 / 22;
    const double mid = delta * (1 - exp(-50.0 / 35)), end = delta * (1 - exp(-100.0 / 35));
    const result rows[] = {
        {{AT(0)}, {POINT(delta_temp, 0), POINT(runtime_power, 60), POINT(gpu_power, 143), POINT(energy, 0)}}, /* a cold start */
        {{AT(50)},
         {POINT(delta_temp, mid), POINT(temperature, 57 + mid), POINT(runtime_power, 60 + sigma * mid),
          POINT(running, true), POINT(gamma, end), POINT(decay_temp, 57 + end)}}, /* where it will be when it ends */
        {{AT(100)}, {POINT(delta_temp, end), POINT(running, true)}},
        {{AT(130)},
         {POINT(running, false), POINT(seconds, 130), POINT(gamma, end), POINT(delta_temp, end * exp(-0.5)),
          POINT(runtime_power, sigma * end * exp(-0.5)), POINT(gpu_power, 83 + sigma * end * exp(-0.5)),
          POINT(temperature, 57 + end * exp(-0.5))}},
        /* A run of no time leaves the chip cold. */
        {{IN(run.run_seconds, 0), AT(0)}, {POINT(running, true)}},
        {{IN(run.run_seconds, 0), AT(5)}, {POINT(temperature, 57), POINT(energy, 5 * 83)}},
    };

    assert_on(of_run(60, 1, 10, 100), point, rows);
}

/* The energy is the integral of the power: summed in steps of 5 ms, before and after the end. */
TEST(energy_is_the_integral_of_power)
{
    const double step = 0.005;
    request r = of_run(60, 1, 10, 40);
    double joules = 0;
    ipp_point p;

    for (int i = 0; i < 20000; i++) {
        r.seconds = (i + 0.5) * step;
        must(point(&r, &p, &err));
        joules += step * p.gpu_power;
        if (i != 7999 && i != 19999)
            continue;
        r.seconds = (i + 1) * step;
        must(point(&r, &p, &err));
        assert_within(p.energy, joules, 1e-3);
    }
}

/* ---- TEMP-2 ---------------------------------------------------------------------------------- */

TEST(eq_53_54_rise_of_a_run)
{
#define RISE (0.120 * 100 + 5.5 + 21.505 * 0.075)
    static const result rows[] = {
        {{UNCHANGED},
         {HEAT(mem_intensity, 0.075), HEAT(delta, RISE), HEAT(max_temp, 57 + RISE), HEAT(power_increase, 10.0 / 22 * RISE),
          HEAT(runtime_power, 100 + 10.0 / 22 * RISE), HEAT(gpu_power, 183 + 10.0 / 22 * RISE)}},
        /* lambda does not depend on the power (Eq. 53). */
        {{IN(run.runtime_power, 0), IN(run.mem_insts, 0)}, {HEAT(delta, 5.5)}},
        /* sigma = 10 / 22: a rise of 22 degrees costs the 10 W of section 3.2.7. */
        {{IN(run.runtime_power, WARMING(22)), IN(run.mem_insts, 0)}, {HEAT(power_increase, 10)}},
        /* HG-A14: 100 W without memory accesses would give a chip of 17.5 degrees, colder than idle. */
        {{IN(run.mem_insts, 0), LITERAL},
         {HEAT(max_temp, 17.5), HEAT(delta, 17.5 - 57), HEAT(runtime_power, 100 + 10.0 / 22 * (17.5 - 57))}},
        /* The 68 to 78 degrees that the thesis states need 46 to 129 W if Eq. 53 is the rise, 520 to 604 W if
         * it is the temperature (no memory accesses); 5 mW are 0.0006 degrees. */
        {{IN(run.mem_insts, 0), IN(run.runtime_power, 45.83)}, {WANT_WITHIN(ipp_heat, max_temp, 68, 6.1e-4)}},
        {{IN(run.mem_insts, 0), IN(run.runtime_power, 129.17)}, {WANT_WITHIN(ipp_heat, max_temp, 78, 6.1e-4)}},
        {{IN(run.mem_insts, 0), IN(run.runtime_power, 520.83), LITERAL}, {WANT_WITHIN(ipp_heat, max_temp, 68, 6.1e-4)}},
        {{IN(run.mem_insts, 0), IN(run.runtime_power, 604.17), LITERAL}, {WANT_WITHIN(ipp_heat, max_temp, 78, 6.1e-4)}},
    };
    static const result in_time[] = {{{IN(run.mem_insts, 0), LITERAL, AT(900)},
                                      {POINT_NEAR(temperature, 17.5, 1e-6)}}};

    assert_on(of_run(100, 3, 40, 1000), heat, rows);
    assert_on(of_run(100, 3, 40, 1000), point, in_time);
}

/* ---- any input -------------------------------------------------------------------------------- */

TEST(temperature_refusals)
{
    static const bad_member members[] = {
        IN(run.runtime_power, &negative), IN(run.mem_insts, &negative), IN(run.run_seconds, &negative),
        IN(run.nonmem_insts, &not_positive),
    };
    static const bad_member seconds[] = {IN(seconds, &negative)};
    static const refusal rows[] = {
        {"rounding is 7", {IN(options.rounding, 7)}},
        {"gtx280 has no temperature constants", {IN(params.thermal.known, false)}},
        {"thermal.rc_rise is 0", {IN(params.thermal.rc_rise, 0)}},
        /* Too large for a double; 0 times infinity is no number. */
        {"mem_intensity", {IN(run.mem_insts, 1e200), IN(run.nonmem_insts, 1e-200), IN(params.thermal.rho, 0)}},
        {"delta", {IN(run.nonmem_insts, 1), IN(params.thermal.lambda, 1.7e308), IN(params.thermal.rho, 1.7e308)}},
        {"power_increase", {IN(params.thermal.lambda, 1.7e308), IN(params.thermal.rho, 0), IN(params.thermal.sigma, 1e9)}},
        {"gpu_power", {IN(params.idle_power, 1.7e308), IN(run.runtime_power, 1.7e308), IN(params.thermal.mu, 0)}},
    };
    static const refusal late[] = {{"energy", {AT(1e308)}}};
    static const refusal of_fermi[] = {{"gtx580 has no temperature constants", {UNCHANGED}}};
    const request good = of_run(60, 1, 10, 40);
    request fermi = good;
    const subject heats = {heat, &good, sizeof good}, points = {point, &good, sizeof good};
    const subject on_fermi = {heat, &fermi, sizeof fermi};

    fermi.params = *ipp_params_find("gtx580");
    assert_bad_members(&heats, members);
    assert_bad_members(&points, members);
    assert_bad_members(&points, seconds);
    assert_refusals(&heats, rows);
    assert_refusals(&points, rows);
    assert_refusals(&points, late);
    assert_refusals(&on_fermi, of_fermi);
}

static void sound_heat(const void *of, const void *out)
{
    (void)of;
    assert_finite_from(out, (const ipp_heat *)out + 1);
}

static void sound_point(const void *of, const void *out)
{
    const ipp_point *p = out;

    (void)of;
    assert_finite(p->seconds);
    assert_finite_from(&p->decay_temp, p + 1);
}

TEST(anything_is_refused_or_gives_numbers)
{
    static const wild_member members[] = {
        {MEMBER(request, params.thermal.mu), 0},       {MEMBER(request, params.thermal.lambda), 0},
        {MEMBER(request, params.thermal.rho), 0},      {MEMBER(request, params.thermal.rc_rise), 0},
        {MEMBER(request, params.thermal.rc_decay), 0}, {MEMBER(request, params.thermal.sigma), 0},
        {MEMBER(request, params.thermal.idle_temp), 0}, {MEMBER(request, params.thermal.known), 2},
        {MEMBER(request, params.idle_power), 0}, {MEMBER(request, run), 0},
        {MEMBER(request, run), 0},               {MEMBER(request, seconds), 0},
        {MEMBER(request, options.form), 4},      {MEMBER(request, options.maxtemp_is_delta), 2},
    };
    static const wild heats = {0x1cc, 20000, 5, sizeof(ipp_heat), sound_heat};
    static const wild points = {0x1cd, 20000, 5, sizeof(ipp_point), sound_point};
    const request good = of_run(60, 1, 10, 40);
    const subject of_heat = {heat, &good, sizeof good}, of_point = {point, &good, sizeof good};

    assert_wild(&of_heat, &heats, members);
    assert_wild(&of_point, &points, members);
}
