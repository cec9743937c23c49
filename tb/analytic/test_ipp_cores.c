/* SPDX-License-Identifier: Apache-2.0
 *
 * The best number of cores by search (Eq. 62), and what it saves.
 */
#include "analytic/ipp_tests.h"

#include "analytic/ipp_cores.h"
#include "analytic/ipp_power.h"

/* ---- OPT-1 ----------------------------------------------------------------------------------- */

/* Work that is done `saturates` times as fast on that many cores or more, on a GTX280. */
typedef struct kernel {
    uint32_t saturates, calls;
    double rate;
} kernel;

static bool run_kernel(void *user, ipp_core_run *run, analytic_err *err)
{
    kernel *k = user;
    ipp_activity a = {.warps_per_sm = 1, .exec_cycles = 4000, .active_sms = run->cores};
    ipp_power power;

    assert_int_equal(run->cores, ++k->calls);
    a.accesses[IPP_FP] = a.accesses[IPP_REG] = a.accesses[IPP_FDS] = a.accesses[IPP_GLOBAL] = 1000 * k->rate;
    if (!ipp_power_compute(ipp_params_find("gtx280"), &a, NULL, &power, err))
        return false;
    run->seconds = 60.0 / (run->cores < k->saturates ? run->cores : k->saturates);
    run->power = power.gpu_power;
    run->cores = 99; /* not the caller's business */
    return true;
}

static ipp_best best_of(kernel *k)
{
    ipp_best b;
    analytic_err err;

    if (!ipp_best_cores(30, 300, run_kernel, k, &b, &err))
        fail_msg("%s", err.text);
    assert_int_equal(k->calls, 30);
    return b;
}

/* OPT-E1: 20 of 30 SMs for kernels that the bandwidth limits to what 20 SMs ask for, 30 for one
 * that gets faster with every SM. */
static void opt_e1_search_finds_where_performance_saturates(void **t)
{
    kernel limited = {.saturates = 20, .rate = 0.5}, linear = {.saturates = 30, .rate = 0.5};
    const ipp_best b = best_of(&limited);

    (void)t;
    assert_int_equal(b.best.cores, 20);
    assert_int_equal(b.most.cores, 30);
    assert_same(b.slowdown, 1);
    assert_true(b.saving > 0);
    assert_int_equal(best_of(&linear).best.cores, 30);
}

/* [T 3.5.4] measured bandwidth saturates around 19 SMs. */
static void opt_e1_saturation_at_19(void **t)
{
    kernel k = {.saturates = 19, .rate = 0.9};

    (void)t;
    assert_int_equal(best_of(&k).best.cores, 19);
}

static void eq_62_performance_per_watt(void **t)
{
    static const ipp_core_run runs[] = {{4, 10, 100}, {1, 30, 50}, {2, 12, 80}};
    ipp_best b;
    analytic_err err;

    (void)t;
    assert_true(ipp_best_of_runs(runs, 3, 600, &b, &err));
    assert_int_equal(b.best.cores, 2); /* 600/30/50 = 0.4, 600/12/80 = 0.625, 600/10/100 = 0.6 */
    assert_same(b.perf_per_watt, 0.625);
    assert_same(b.best.seconds, 12);
    assert_same(b.best.power, 80);
    assert_int_equal(b.most.cores, 4);
    assert_same(b.most_perf_per_watt, 0.6);
    assert_same(b.energy, 960);
    assert_same(b.most_energy, 1000);
    assert_same(b.saving, 4);
    assert_same(b.slowdown, 1.2);
}

static void eq_62_of_equals_the_fewest_cores(void **t)
{
    static const ipp_core_run up[] = {{1, 8, 10}, {2, 4, 20}, {3, 5, 20}};
    static const ipp_core_run down[] = {{3, 5, 20}, {2, 4, 20}, {1, 8, 10}};
    static const ipp_core_run twice[] = {{2, 4, 20}, {2, 2, 40}};
    ipp_best b;
    analytic_err err;

    (void)t;
    assert_true(ipp_best_of_runs(up, 3, 1, &b, &err));
    assert_int_equal(b.best.cores, 1);
    assert_true(ipp_best_of_runs(down, 3, 1, &b, &err));
    assert_int_equal(b.best.cores, 1);
    assert_int_equal(b.most.cores, 3);
    assert_true(ipp_best_of_runs(twice, 2, 1, &b, &err)); /* of the same on the same, the first */
    assert_same(b.best.seconds, 4);
    assert_same(b.most.seconds, 4);
    assert_true(ipp_best_of_runs(down, 1, 1, &b, &err)); /* one run is best and most */
    assert_int_equal(b.best.cores, 3);
    assert_same(b.saving, 0);
}

/* So little work that its performance per watt is 0 in a double: still one of the runs is the best. */
static bool run_for_ages(void *user, ipp_core_run *run, analytic_err *err)
{
    (void)user;
    (void)err;
    run->seconds = 1e100;
    run->power = 5;
    return true;
}

static void eq_62_hardly_any_work(void **t)
{
    const ipp_core_run run = {1, 1e100, 5};
    ipp_best b;
    analytic_err err;

    (void)t;
    assert_true(ipp_best_of_runs(&run, 1, 1e-300, &b, &err));
    assert_same(b.best.power, 5);
    assert_true(ipp_best_cores(1, 1e-300, run_for_ages, NULL, &b, &err));
    assert_int_equal(b.best.cores, 1);
    assert_same(b.best.power, 5);
}

/* A run that says it took no time. */
static bool run_in_no_time(void *user, ipp_core_run *run, analytic_err *err)
{
    (void)user;
    (void)err;
    run->power = 1;
    return true;
}

static bool cannot_run(void *user, ipp_core_run *run, analytic_err *err)
{
    (void)user;
    run->seconds = run->power = 1;
    return run->cores < 3 || analytic_fail(err, "no run on %u cores", (unsigned)run->cores);
}

static void opt_1_refusals(void **t)
{
    const ipp_core_run good = {2, 3, 4};
    ipp_core_run runs[2] = {good, good};
    ipp_best b = {.saving = 42};
    analytic_err err;

    (void)t;
    assert_refused(ipp_best_cores(3, 1, cannot_run, NULL, &b, &err), err, "no run on 3 cores");
    assert_refused(ipp_best_cores(0, 1, cannot_run, NULL, &b, &err), err, "num_sms");
    assert_refused(ipp_best_cores(IPP_SMS_MAX + 1, 1, cannot_run, NULL, &b, &err), err, "num_sms");
    assert_refused(ipp_best_cores(3, 1, run_in_no_time, NULL, &b, &err), err, "seconds is 0");
    assert_refused(ipp_best_of_runs(runs, 0, 1, &b, &err), err, "0 runs");
    for (unsigned i = 0; i < LENGTH(not_positive); i++) {
        assert_refused(ipp_best_cores(2, not_positive[i], cannot_run, NULL, &b, &err), err, "work");
        assert_refused(ipp_best_of_runs(runs, 2, not_positive[i], &b, &err), err, "work");
        runs[1].seconds = not_positive[i];
        assert_refused(ipp_best_of_runs(runs, 2, 1, &b, &err), err, "seconds");
        runs[1] = good;
        runs[1].power = not_positive[i];
        assert_refused(ipp_best_of_runs(runs, 2, 1, &b, &err), err, "power");
        runs[1] = good;
    }
    runs[1].cores = 0;
    assert_refused(ipp_best_of_runs(runs, 2, 1, &b, &err), err, "cores");
    runs[1].cores = IPP_SMS_MAX + 1;
    assert_refused(ipp_best_of_runs(runs, 2, 1, &b, &err), err, "cores");
    assert_same(b.saving, 42);
    assert_true(ipp_best_cores(2, 1, cannot_run, NULL, &b, &err));
}

static void opt_1_too_large_for_a_double(void **t)
{
    const ipp_core_run instant = {1, 1e-200, 1e-200}, good = {1, 1, 1}, endless = {2, 1e200, 1e200};
    const ipp_core_run large[] = {good, endless};
    const ipp_core_run no_energy = {2, 1e-170, 1e-170}; /* below what a double can hold: 0 */
    ipp_best b;
    analytic_err err;

    (void)t;
    assert_refused(ipp_best_of_runs(&instant, 1, 1, &b, &err), err, "perf_per_watt");
    assert_refused(ipp_best_of_runs(&endless, 1, 1, &b, &err), err, "energy");
    assert_refused(ipp_best_of_runs(large, 2, 1, &b, &err), err, "most_energy");
    assert_refused(ipp_best_of_runs(&no_energy, 1, 1e-300, &b, &err), err, "saving");
}

/* ---- energy ---------------------------------------------------------------------------------- */

static ipp_saving saving_of(const ipp_saving_in *in)
{
    ipp_saving s;
    analytic_err err;

    if (!ipp_energy_saving(in, &s, &err))
        fail_msg("%s", err.text);
    return s;
}

/* The three curves of Fig. 53, by hand: 20 of 30 cores, 10 % slower. */
static void fig_53_three_savings(void **t)
{
    const ipp_saving_in in = {.cores = 20, .num_sms = 30, .seconds = 11, .all_seconds = 10,
                              .runtime_power = 80, .all_runtime_power = 100, .idle_power = 20};
    const ipp_saving s = saving_of(&in);

    (void)t;
    assert_same(s.energy, 1100);
    assert_same(s.all_energy, 1200);
    assert_same(s.runtime_energy, 880);
    assert_same(s.all_runtime_energy, 1000);
    assert_same(s.gated_power, 80); /* 120 W x 20 / 30 (PG-1) */
    assert_same(s.gated_energy, 880);
    assert_same(s.saving, 100.0 / 12);
    assert_same(s.runtime_saving, 12);
    assert_same(s.gated_saving, 100 * (1 - 880.0 / 1200));
}

/* At 20 SMs and the same time, the model saves 1 - 0.8472 of run-time energy, or a third with power
 * gating. The averages of Fig. 53 (10.99 %, 25.85 %) come from measured times that are not printed. */
static void opt_e1_savings_at_equal_time(void **t)
{
    const ipp_params p = copy_of("gtx280");
    double factor = 0;
    analytic_err err;

    (void)t;
    assert_true(ipp_sms_factor(&p, 20, NULL, &factor, &err));
    const ipp_saving_in in = {.cores = 20, .num_sms = 30, .seconds = 1, .all_seconds = 1,
                              .runtime_power = 100 * factor, .all_runtime_power = 100, .idle_power = 83};
    assert_near(saving_of(&in).runtime_saving, 15.28, 0.005);
    assert_near(saving_of(&in).gated_saving, 33.33, 0.005);
    assert_true(saving_of(&in).saving < saving_of(&in).runtime_saving);
}

static void all_cores_save_nothing(void **t)
{
    const ipp_saving_in in = {.cores = 30, .num_sms = 30, .seconds = 2, .all_seconds = 2,
                              .runtime_power = 70, .all_runtime_power = 70, .idle_power = 0};
    const ipp_saving s = saving_of(&in);

    (void)t;
    assert_same(s.saving, 0);
    assert_same(s.runtime_saving, 0);
    assert_same(s.gated_saving, 0);
}

static void the_only_core_saves_nothing(void **t)
{
    const ipp_saving_in in = {.cores = 1, .num_sms = 1, .seconds = 2, .all_seconds = 2,
                              .runtime_power = 70, .all_runtime_power = 70, .idle_power = 5};

    (void)t;
    assert_same(saving_of(&in).saving, 0);
}

static void saving_refusals(void **t)
{
    static const struct { size_t at; const char *name; } fields[] = {
        {offsetof(ipp_saving_in, seconds), "seconds is"},
        {offsetof(ipp_saving_in, all_seconds), "all_seconds is"},
        {offsetof(ipp_saving_in, runtime_power), "runtime_power is"},
        {offsetof(ipp_saving_in, all_runtime_power), "all_runtime_power is"},
    };
    const ipp_saving_in good = {.cores = 2, .num_sms = 3, .seconds = 1, .all_seconds = 1,
                                .runtime_power = 1, .all_runtime_power = 1, .idle_power = 0};
    ipp_saving_in in = good;
    ipp_saving s = {.saving = 42};
    analytic_err err;

    (void)t;
    for (unsigned f = 0; f < LENGTH(fields); f++) {
        for (unsigned i = 0; i < LENGTH(not_positive); i++) {
            in = good;
            memcpy((char *)&in + fields[f].at, &not_positive[i], sizeof(double));
            assert_refused(ipp_energy_saving(&in, &s, &err), err, fields[f].name);
        }
    }
    in = good;
    for (unsigned i = 0; i < LENGTH(negative); i++) {
        in.idle_power = negative[i];
        assert_refused(ipp_energy_saving(&in, &s, &err), err, "idle_power");
    }
    in = good;
    in.cores = 0;
    assert_refused(ipp_energy_saving(&in, &s, &err), err, "cores");
    in.cores = 4;
    assert_refused(ipp_energy_saving(&in, &s, &err), err, "cores");
    in.num_sms = 0;
    assert_refused(ipp_energy_saving(&in, &s, &err), err, "num_sms");
    in.num_sms = IPP_SMS_MAX + 1;
    assert_refused(ipp_energy_saving(&in, &s, &err), err, "num_sms");
    assert_same(s.saving, 42);
}

static void saving_too_large_for_a_double(void **t)
{
    const ipp_saving_in good = {.cores = 2, .num_sms = 3, .seconds = 1, .all_seconds = 1,
                                .runtime_power = 1, .all_runtime_power = 1, .idle_power = 0};
    ipp_saving_in in = good;
    ipp_saving s;
    analytic_err err;

    (void)t;
    in.idle_power = in.all_runtime_power = 1.7e308;
    assert_refused(ipp_energy_saving(&in, &s, &err), err, "power has no finite value");
    in = good;
    in.seconds = in.runtime_power = 1e200;
    assert_refused(ipp_energy_saving(&in, &s, &err), err, "energy");
    in = good;
    in.all_seconds = in.all_runtime_power = 1e200;
    assert_refused(ipp_energy_saving(&in, &s, &err), err, "all_energy");
    in = good;
    in.all_seconds = 1e-200;
    in.all_runtime_power = 1e-200;
    assert_refused(ipp_energy_saving(&in, &s, &err), err, "saving");
    in.idle_power = 1; /* the run-time energy alone is too small */
    assert_refused(ipp_energy_saving(&in, &s, &err), err, "runtime_saving");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opt_e1_search_finds_where_performance_saturates),
        cmocka_unit_test(opt_e1_saturation_at_19),
        cmocka_unit_test(eq_62_performance_per_watt),
        cmocka_unit_test(eq_62_of_equals_the_fewest_cores),
        cmocka_unit_test(eq_62_hardly_any_work),
        cmocka_unit_test(opt_1_refusals),
        cmocka_unit_test(opt_1_too_large_for_a_double),
        cmocka_unit_test(fig_53_three_savings),
        cmocka_unit_test(opt_e1_savings_at_equal_time),
        cmocka_unit_test(all_cores_save_nothing),
        cmocka_unit_test(the_only_core_saves_nothing),
        cmocka_unit_test(saving_refusals),
        cmocka_unit_test(saving_too_large_for_a_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
