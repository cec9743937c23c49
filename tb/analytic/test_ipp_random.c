/* SPDX-License-Identifier: Apache-2.0
 *
 * Wild input: every call either says in words what is wrong and leaves its result alone, or all
 * numbers of its result are finite.
 */
#include "analytic/ipp_fixture.h"
#include "analytic/ipp_cores.h"
#include "analytic/ipp_keys.h"
#include "analytic/ipp_ptx.h"
#include "analytic/ipp_static.h"
#include "analytic/ipp_temperature.h"

enum { ROUNDS = 20000 };

static uint64_t seed = 0x1cc;

static uint32_t below(uint32_t limit)
{
    return (uint32_t)(random_next(&seed) % limit);
}

/* Sane, or once in `sanity` times anything. */
static double wild(uint32_t sanity)
{
    return random_wild(&seed, sanity);
}

static uint32_t wild_count(void)
{
    return random_count(&seed) % (below(10) == 0 ? UINT32_MAX : 40);
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

/* What a call said, and the doubles of its result. */
static bool settle(tally *count, bool done, const double *values, size_t num)
{
    if (tally_add(count, done, &err))
        assert_finite_num(values, num);
    return done;
}

static void assert_both(const tally *count)
{
    assert_true(count->taken > ROUNDS / 50);
    assert_true(count->refused > ROUNDS / 50);
}

TEST(random_power)
{
    tally count = {0};

    for (int round = 0; round < ROUNDS; round++) {
        const ipp_params params = wild_params();
        const ipp_options options = wild_options();
        ipp_activity a = {.warps_per_sm = wild(20), .exec_cycles = wild(20), .active_sms = wild_count()};
        ipp_power p;

        for (unsigned i = 0; i < IPP_COMPONENTS; i++)
            a.accesses[i] = params.unit[i].exists || below(50) == 0 ? wild(50) : 0;
        if (!tally_add(&count, ipp_power_compute(&params, &a, &options, &p, &err), &err))
            continue;
        assert_finite_from(p.component, &p.num_limited);
        assert_finite_from(&p.sum_sm_component, &p + 1);
        for (unsigned i = 0; i < IPP_COMPONENTS; i++)
            assert_true(p.component[i].power >= 0 && p.component[i].limited_rate <= 1);
        assert_true(p.runtime_power >= 0 && p.sms_factor >= 0 && p.sms_factor <= 1 + 1e-12);
    }
    assert_both(&count);
}

TEST(random_parts_of_power)
{
    tally count = {0};

    for (int round = 0; round < ROUNDS; round++) {
        const ipp_params params = wild_params();
        const ipp_options options = wild_options();
        const enum ipp_component component = (enum ipp_component)below(IPP_COMPONENTS + 1);
        double v = 0;

        settle(&count, ipp_effective_rate(&params, component, wild(3) / 64, &options, &v, &err), &v, 1);
        settle(&count, ipp_sms_factor(&params, wild_count(), &options, &v, &err), &v, 1);
        settle(&count, ipp_power_gated(wild(3), wild_count(), wild_count(), &v, &err), &v, 1);
        settle(&count, ipp_warps_per_sm(wild_count(), wild_count(), wild_count(), wild_count(), &options, &v, &err),
               &v, 1);
    }
    assert_both(&count);
}

TEST(random_accesses)
{
    tally count = {0};

    for (int round = 0; round < ROUNDS; round++) {
        const ipp_options options = wild_options();
        double dac[IPP_COMPONENTS];
        ipp_inst_count counts[4];

        for (unsigned i = 0; i < 4; i++) {
            const ipp_ptx *row = ipp_ptx_row(below(52));
            counts[i] = (ipp_inst_count){row ? row->name : "nop", wild(30)};
        }
        settle(&count, ipp_ptx_accesses(counts, below(5), &options, dac, &err), dac, IPP_COMPONENTS);
    }
    assert_both(&count);
}

TEST(random_temperature)
{
    tally count = {0};

    for (int round = 0; round < ROUNDS; round++) {
        const ipp_params params = wild_params();
        const ipp_options options = wild_options();
        const ipp_run run = {wild(8), wild(8), wild(8), wild(8)};
        double v = 0;
        ipp_heat h;
        ipp_point p;

        settle(&count, ipp_heat_compute(&params, &run, &options, &h, &err), (double *)&h, sizeof h / sizeof v);
        if (tally_add(&count, ipp_point_at(&params, &run, wild(8), &options, &p, &err), &err)) {
            assert_finite(p.seconds);
            assert_finite_from(&p.decay_temp, &p + 1);
        }
        settle(&count, ipp_temperature_rise(&params, wild(4), wild(4), &v, &err), &v, 1);
        settle(&count, ipp_temperature_decay(&params, wild(4), wild(4), &v, &err), &v, 1);
    }
    assert_both(&count);
}

static bool run_wild(void *user, ipp_core_run *run, analytic_err *why)
{
    (void)user;
    (void)why;
    run->seconds = wild(200);
    run->power = wild(200);
    return true;
}

static void settle_best(tally *count, bool done, const ipp_best *b)
{
    if (!tally_add(count, done, &err))
        return;
    assert_finite_from(&b->perf_per_watt, b + 1);
    assert_finite(b->best.seconds, b->best.power, b->most.seconds, b->most.power);
}

TEST(random_cores)
{
    tally count = {0};

    for (int round = 0; round < ROUNDS; round++) {
        const ipp_options options = wild_options();
        const ipp_demand d = {wild(20), wild(20), wild(20), wild(20), wild(20), wild(20), wild_count()};
        const ipp_saving_in in = {wild_count(), wild_count(), wild(9), wild(9), wild(9), wild(9), wild(9)};
        const ipp_core_run runs[3] = {
            {wild_count(), wild(9), wild(9)}, {3, wild(9), wild(9)}, {2, wild(9), wild(9)}};
        ipp_optimum o = {0};
        ipp_saving s = {0};
        ipp_best b = {0};

        if (settle(&count, ipp_optimal_cores(&d, &options, &o, &err), &o.quotient, 1))
            assert_in_range(o.cores, 1, d.num_sms);
        settle(&count, ipp_energy_saving(&in, &s, &err), (double *)&s, sizeof s / sizeof(double));
        settle_best(&count, ipp_best_of_runs(runs, below(4), wild(9), &b, &err), &b);
        settle_best(&count, ipp_best_cores(wild_count(), wild(9), run_wild, NULL, &b, &err), &b);
    }
    assert_both(&count);
}

TEST(random_background)
{
    tally count = {0};

    for (int round = 0; round < ROUNDS; round++) {
        const ipp_isci_unit unit = {wild(9) / 64, wild(9), wild(9), wild(9)};
        const ipp_leak leak = {wild(20), wild(20), wild(20), wild(20), wild(20),
                               wild(20), wild(20), wild(20), wild(20), wild(20)};
        ipp_leak_result r = {0};
        double v = 0;

        settle(&count, ipp_leak_current(&leak, &r, &err), (double *)&r, 2);
        settle(&count, ipp_isci_power(&unit, 1, wild(9), &v, &err), &v, 1);
        settle(&count, ipp_total_power(wild(4), wild(4), &v, &err), &v, 1);
        settle(&count, ipp_static_power(wild(9), wild(9), wild(9), wild(9), &v, &err), &v, 1);
    }
    assert_both(&count);
}

TEST(random_keys)
{
    tally count = {0};

    for (int round = 0; round < ROUNDS; round++) {
        ipp_params p = *ipp_params_builtin(below(2));
        char key[IPP_KEY_TEXT];
        double v = 0;

        if (!ipp_key_name(below(90), key))
            snprintf(key, sizeof key, "nothing");
        settle(&count, ipp_key_set(&p, key, wild(3), &err), NULL, 0);
        must(ipp_params_check(&p, &err));
        settle(&count, ipp_key_get(&p, key, &v, &err), &v, p.thermal.known);
    }
    assert_both(&count);
}

TEST_MAIN("ipp_random")
