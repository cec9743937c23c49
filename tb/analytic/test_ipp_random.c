/* SPDX-License-Identifier: Apache-2.0
 *
 * Wild input: every call either says in words what is wrong and leaves its result alone, or all
 * numbers of its result are finite.
 */
#include "analytic/ipp_tests.h"

#include "analytic/ipp_cores.h"
#include "analytic/ipp_keys.h"
#include "analytic/ipp_power.h"
#include "analytic/ipp_ptx.h"
#include "analytic/ipp_static.h"
#include "analytic/ipp_temperature.h"
#include "engine/random.h"

enum { ROUNDS = 20000 };

static uint64_t seed;

static int seeded(void **t)
{
    (void)t;
    seed = 0x1cc;
    return 0;
}

static uint32_t below(uint32_t limit)
{
    return (uint32_t)(random_next(&seed) % limit);
}

/* Sane, or once in `sanity` times anything. */
static double wild(uint32_t sanity)
{
    static const double odd[] = {0,      -1,  1e-320,   1e-300,    1e300, 1.7e308,
                                 -1e308, NAN, INFINITY, -INFINITY, 1,     1e-9};

    if (below(sanity) == 0)
        return odd[below(LENGTH(odd))];
    return ldexp(1 + below(1000) / 1000.0, (int)below(16) - 6);
}

static uint32_t wild_count(void)
{
    static const uint32_t odd[] = {0, 1, UINT32_MAX, INT32_MAX};

    return below(10) == 0 ? odd[below(LENGTH(odd))] : below(40);
}

static ipp_options wild_options(void)
{
    return (ipp_options){
        .form = (enum ipp_form)below(3 + (below(20) == 0)),
        .memory = (enum ipp_memory_power)below(2 + (below(20) == 0)),
        .zero_sms_log = below(2),
        .effective_max_one = below(2),
        .whole_warps = below(2),
        .reg_all = below(2),
        .maxtemp_is_delta = below(2),
        .rounding = (enum ipp_rounding)below(3 + (below(20) == 0)),
        .case1_and = below(2),
        .equal_is_unlimited = below(2),
    };
}

/* A built-in set with a few values changed to anything, not checked. */
static ipp_params wild_params(void)
{
    ipp_params p = *ipp_params_builtin(below(2));

    if (below(2) == 0)
        return p;
    for (unsigned i = 0; i < 3; i++) {
        p.unit[below(IPP_COMPONENTS)].max_power = wild(4);
        p.unit[below(IPP_COMPONENTS)].special_linear = below(2);
        p.unit[below(IPP_COMPONENTS)].per_sm = below(2);
    }
    double *const reals[] = {&p.const_sm,          &p.activation,      &p.idle_power,   &p.system_idle_power,
                             &p.issue_interval,    &p.beta,            &p.spec_slope,   &p.spec_offset,
                             &p.thermal.mu,        &p.thermal.lambda,  &p.thermal.rho,  &p.thermal.rc_rise,
                             &p.thermal.rc_decay,  &p.thermal.sigma,   &p.thermal.idle_temp};
    *reals[below(LENGTH(reals))] = wild(2);
    p.thermal.known = below(3) > 0;
    p.num_sms = below(8) == 0 ? wild_count() : p.num_sms;
    return p;
}

/* What a call said, and the doubles of its result. How many were taken and refused is counted, so
 * that a test of nothing shows. */
typedef struct tally {
    unsigned taken, refused;
} tally;

static void settle(tally *count, bool ok, const analytic_err *err, const double *values, size_t num)
{
    if (!ok) {
        count->refused++;
        assert_true(err->text[0] != 0);
        assert_null(strchr(err->text, '\n'));
        assert_true(strlen(err->text) < ANALYTIC_ERR_TEXT - 1);
        return;
    }
    count->taken++;
    for (size_t i = 0; i < num; i++) {
        if (!isfinite(values[i]))
            fail_msg("value %zu is %g", i, values[i]);
    }
}

static void assert_both(const tally *count)
{
    assert_true(count->taken > ROUNDS / 50);
    assert_true(count->refused > ROUNDS / 50);
}

static void random_power(void **t)
{
    tally count = {0};

    (void)t;
    for (int round = 0; round < ROUNDS; round++) {
        const ipp_params params = wild_params();
        const ipp_options options = wild_options();
        ipp_activity a = {.warps_per_sm = wild(20), .exec_cycles = wild(20), .active_sms = wild_count()};
        analytic_err err = {""};
        ipp_power p;
        for (unsigned i = 0; i < IPP_COMPONENTS; i++)
            a.accesses[i] = params.unit[i].exists || below(50) == 0 ? wild(50) : 0;
        const bool ok = ipp_power_compute(&params, &a, &options, &p, &err);
        if (!ok) {
            settle(&count, ok, &err, NULL, 0);
            continue;
        }
        for (unsigned i = 0; i < IPP_COMPONENTS; i++) {
            const ipp_component_power *c = &p.component[i];
            settle(&count, ok, &err, (double *)&p.component[i], sizeof *c / sizeof(double));
            assert_true(c->power >= 0 && c->limited_rate <= 1);
        }
        settle(&count, ok, &err, (double[]){p.sum_sm_component, p.max_sm, p.rp_memory, p.alpha, p.sms_factor,
               p.memory_factor, p.rp_sms, p.const_power, p.memory_power, p.activation_power, p.runtime_power,
               p.idle_power, p.gpu_power, p.system_power}, 14);
        assert_true(p.runtime_power >= 0 && p.sms_factor >= 0 && p.sms_factor <= 1 + 1e-12);
    }
    assert_both(&count);
}

static void random_parts_of_power(void **t)
{
    tally count = {0};

    (void)t;
    for (int round = 0; round < ROUNDS; round++) {
        const ipp_params params = wild_params();
        const ipp_options options = wild_options();
        analytic_err err = {""};
        double v = 0;
        const enum ipp_component component = (enum ipp_component)below(IPP_COMPONENTS + 1);
        bool ok = ipp_effective_rate(&params, component, wild(3) / 64, &options, &v, &err);
        settle(&count, ok, &err, &v, 1);
        ok = ipp_sms_factor(&params, wild_count(), &options, &v, &err);
        settle(&count, ok, &err, &v, 1);
        ok = ipp_power_gated(wild(3), wild_count(), wild_count(), &v, &err);
        settle(&count, ok, &err, &v, 1);
        ok = ipp_warps_per_sm(wild_count(), wild_count(), wild_count(), wild_count(), &options, &v, &err);
        settle(&count, ok, &err, &v, 1);
    }
    assert_both(&count);
}

static void random_accesses(void **t)
{
    tally count = {0};

    (void)t;
    for (int round = 0; round < ROUNDS; round++) {
        const ipp_options options = wild_options();
        double dac[IPP_COMPONENTS];
        ipp_inst_count counts[4];
        analytic_err err = {""};
        for (unsigned i = 0; i < 4; i++) {
            const ipp_ptx *row = ipp_ptx_row(below(52));
            counts[i] = (ipp_inst_count){row ? row->name : "nop", wild(30)};
        }
        const bool ok = ipp_ptx_accesses(counts, below(5), &options, dac, &err);
        settle(&count, ok, &err, dac, IPP_COMPONENTS);
    }
    assert_both(&count);
}

static void random_temperature(void **t)
{
    tally count = {0};

    (void)t;
    for (int round = 0; round < ROUNDS; round++) {
        const ipp_params params = wild_params();
        const ipp_options options = wild_options();
        const ipp_run run = {wild(8), wild(8), wild(8), wild(8)};
        analytic_err err = {""};
        double v = 0;
        ipp_heat h;
        ipp_point p;
        bool ok = ipp_heat_compute(&params, &run, &options, &h, &err);
        settle(&count, ok, &err, (double *)&h, sizeof h / sizeof(double));
        ok = ipp_point_at(&params, &run, wild(8), &options, &p, &err);
        settle(&count, ok, &err, (double[]){p.seconds, p.decay_temp, p.gamma, p.temperature, p.delta_temp,
               p.runtime_power, p.gpu_power, p.energy}, 8);
        ok = ipp_temperature_rise(&params, wild(4), wild(4), &v, &err);
        settle(&count, ok, &err, &v, 1);
        ok = ipp_temperature_decay(&params, wild(4), wild(4), &v, &err);
        settle(&count, ok, &err, &v, 1);
    }
    assert_both(&count);
}

static bool run_wild(void *user, ipp_core_run *run, analytic_err *err)
{
    (void)user;
    (void)err;
    run->seconds = wild(200);
    run->power = wild(200);
    return true;
}

static void settle_best(tally *count, bool ok, const analytic_err *err, const ipp_best *b)
{
    settle(count, ok, err, (double[]){b->perf_per_watt, b->most_perf_per_watt, b->energy, b->most_energy,
           b->saving, b->slowdown, b->best.seconds, b->best.power, b->most.seconds, b->most.power}, 10);
}

static void random_cores(void **t)
{
    tally count = {0};

    (void)t;
    for (int round = 0; round < ROUNDS; round++) {
        const ipp_options options = wild_options();
        const ipp_demand d = {wild(20), wild(20), wild(20), wild(20), wild(20), wild(20), wild_count()};
        const ipp_saving_in in = {wild_count(), wild_count(), wild(9), wild(9), wild(9), wild(9), wild(9)};
        const ipp_core_run runs[3] = {
            {wild_count(), wild(9), wild(9)}, {3, wild(9), wild(9)}, {2, wild(9), wild(9)}};
        analytic_err err = {""};
        ipp_optimum o = {0};
        ipp_saving s = {0};
        ipp_best b = {0};
        bool ok = ipp_optimal_cores(&d, &options, &o, &err);
        settle(&count, ok, &err, &o.quotient, 1);
        assert_true(!ok || (o.cores >= 1 && o.cores <= d.num_sms));
        ok = ipp_energy_saving(&in, &s, &err);
        settle(&count, ok, &err, (double *)&s, sizeof s / sizeof(double));
        ok = ipp_best_of_runs(runs, below(4), wild(9), &b, &err);
        settle_best(&count, ok, &err, &b);
        ok = ipp_best_cores(wild_count(), wild(9), run_wild, NULL, &b, &err);
        settle_best(&count, ok, &err, &b);
    }
    assert_both(&count);
}

static void random_background(void **t)
{
    tally count = {0};

    (void)t;
    for (int round = 0; round < ROUNDS; round++) {
        const ipp_isci_unit unit = {wild(9) / 64, wild(9), wild(9), wild(9)};
        ipp_leak leak;
        ipp_leak_result r = {0};
        analytic_err err = {""};
        double v = 0;
        for (unsigned i = 0; i < sizeof leak / sizeof(double); i++) {
            const double value = wild(20);
            memcpy((char *)&leak + i * sizeof value, &value, sizeof value);
        }
        bool ok = ipp_leak_current(&leak, &r, &err);
        settle(&count, ok, &err, (double *)&r, 2);
        ok = ipp_isci_power(&unit, 1, wild(9), &v, &err);
        settle(&count, ok, &err, &v, 1);
        ok = ipp_total_power(wild(4), wild(4), &v, &err);
        settle(&count, ok, &err, &v, 1);
        ok = ipp_static_power(wild(9), wild(9), wild(9), wild(9), &v, &err);
        settle(&count, ok, &err, &v, 1);
    }
    assert_both(&count);
}

static void random_keys(void **t)
{
    tally count = {0};

    (void)t;
    for (int round = 0; round < ROUNDS; round++) {
        ipp_params p = *ipp_params_builtin(below(2));
        analytic_err err = {""};
        char key[IPP_KEY_TEXT];
        double v = 0;
        if (!ipp_key_name(below(90), key))
            snprintf(key, sizeof key, "nothing");
        bool ok = ipp_key_set(&p, key, wild(3), &err);
        settle(&count, ok, &err, NULL, 0);
        assert_true(ipp_params_check(&p, &err));
        ok = ipp_key_get(&p, key, &v, &err);
        settle(&count, ok, &err, &v, p.thermal.known);
    }
    assert_both(&count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(random_power, seeded),
        cmocka_unit_test_setup(random_parts_of_power, seeded),
        cmocka_unit_test_setup(random_accesses, seeded),
        cmocka_unit_test_setup(random_temperature, seeded),
        cmocka_unit_test_setup(random_cores, seeded),
        cmocka_unit_test_setup(random_background, seeded),
        cmocka_unit_test_setup(random_keys, seeded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
