/* SPDX-License-Identifier: Apache-2.0
 *
 * The best number of cores by search (Eq. 62), and what it saves.
 */
#include "analytic/ipp_fixture.h"
#include "analytic/ipp_cores.h"

/* ---- OPT-1 ----------------------------------------------------------------------------------- */

/* Work that is done `saturates` times as fast on that many cores or more, on a GTX280. */
typedef struct kernel {
    uint32_t saturates, calls;
    double rate;
} kernel;

static bool run_kernel(void *user, ipp_core_run *run, analytic_err *why)
{
    kernel *k = user;
    ipp_activity a = {.warps_per_sm = 1, .exec_cycles = 4000, .active_sms = run->cores};
    ipp_power power;

    assert_int_equal(run->cores, ++k->calls);
    a.accesses[IPP_FP] = a.accesses[IPP_REG] = a.accesses[IPP_FDS] = a.accesses[IPP_GLOBAL] = 1000 * k->rate;
    if (!ipp_power_compute(ipp_params_find("gtx280"), &a, NULL, &power, why))
        return false;
    run->seconds = 60.0 / (run->cores < k->saturates ? run->cores : k->saturates);
    run->power = power.gpu_power;
    run->cores = 99; /* not the caller's business */
    return true;
}

static ipp_best best_of(kernel *k)
{
    ipp_best b;

    must(ipp_best_cores(30, 300, run_kernel, k, &b, &err));
    assert_int_equal(k->calls, 30);
    return b;
}

/* OPT-E1: 20 of 30 SMs for kernels that the bandwidth limits to what 20 SMs ask for, 30 for one
 * that gets faster with every SM. */
TEST(opt_e1_search_finds_where_performance_saturates)
{
    kernel limited = {.saturates = 20, .rate = 0.5}, linear = {.saturates = 30, .rate = 0.5};
    const ipp_best b = best_of(&limited);

    assert_each(IS(b.best.cores, 20), IS(b.most.cores, 30), SAME(b.slowdown, 1));
    assert_true(b.saving > 0);
    assert_int_equal(best_of(&linear).best.cores, 30);
}

/* [T 3.5.4] measured bandwidth saturates around 19 SMs. */
TEST(opt_e1_saturation_at_19)
{
    kernel k = {.saturates = 19, .rate = 0.9};

    assert_int_equal(best_of(&k).best.cores, 19);
}

TEST(eq_62_performance_per_watt)
{
    static const ipp_core_run runs[] = {{4, 10, 100}, {1, 30, 50}, {2, 12, 80}};
    ipp_best b;

    must(ipp_best_of_runs(runs, 3, 600, &b, &err));
    assert_int_equal(b.best.cores, 2); /* 600/30/50 = 0.4, 600/12/80 = 0.625, 600/10/100 = 0.6 */
    assert_each(SAME(b.perf_per_watt, 0.625), SAME(b.best.seconds, 12), SAME(b.best.power, 80), IS(b.most.cores, 4),
                SAME(b.most_perf_per_watt, 0.6), SAME(b.energy, 960), SAME(b.most_energy, 1000), SAME(b.saving, 4),
                SAME(b.slowdown, 1.2));
}

TEST(eq_62_of_equals_the_fewest_cores)
{
    static const ipp_core_run up[] = {{1, 8, 10}, {2, 4, 20}, {3, 5, 20}};
    static const ipp_core_run down[] = {{3, 5, 20}, {2, 4, 20}, {1, 8, 10}};
    static const ipp_core_run twice[] = {{2, 4, 20}, {2, 2, 40}};
    ipp_best b;

    must(ipp_best_of_runs(up, 3, 1, &b, &err));
    assert_int_equal(b.best.cores, 1);
    must(ipp_best_of_runs(down, 3, 1, &b, &err));
    assert_int_equal(b.best.cores, 1);
    assert_int_equal(b.most.cores, 3);
    must(ipp_best_of_runs(twice, 2, 1, &b, &err)); /* of the same on the same, the first */
    assert_same(b.best.seconds, 4);
    assert_same(b.most.seconds, 4);
    must(ipp_best_of_runs(down, 1, 1, &b, &err)); /* one run is best and most */
    assert_int_equal(b.best.cores, 3);
    assert_same(b.saving, 0);
}

/* So little work that its performance per watt is 0 in a double: still one of the runs is the best. */
static bool run_for_ages(void *user, ipp_core_run *run, analytic_err *why)
{
    (void)user;
    (void)why;
    run->seconds = 1e100;
    run->power = 5;
    return true;
}

TEST(eq_62_hardly_any_work)
{
    const ipp_core_run run = {1, 1e100, 5};
    ipp_best b;

    must(ipp_best_of_runs(&run, 1, 1e-300, &b, &err));
    assert_same(b.best.power, 5);
    must(ipp_best_cores(1, 1e-300, run_for_ages, NULL, &b, &err));
    assert_int_equal(b.best.cores, 1);
    assert_same(b.best.power, 5);
}

/* A run that says it took no time. */
static bool run_in_no_time(void *user, ipp_core_run *run, analytic_err *why)
{
    (void)user;
    (void)why;
    run->power = 1;
    return true;
}

static bool cannot_run(void *user, ipp_core_run *run, analytic_err *why)
{
    (void)user;
    run->seconds = run->power = 1;
    return run->cores < 3 || analytic_fail(why, "no run on %u cores", (unsigned)run->cores);
}

static bool best_of_two(const void *input, void *out, analytic_err *why)
{
    return ipp_best_of_runs(input, 2, 1, out, why);
}

TEST(opt_1_refusals)
{
    static const ipp_core_run good[2] = {{2, 3, 4}, {2, 3, 4}};
#define SECOND(path) {#path, sizeof(ipp_core_run) + offsetof(ipp_core_run, path), sizeof good[0].path, false}
    static const bad_member members[] = {{SECOND(seconds), &not_positive}, {SECOND(power), &not_positive}};
    static const refusal rows[] = {
        {"cores is 0", {{SECOND(cores), 0}}},
        {"cores is 4097", {{SECOND(cores), IPP_SMS_MAX + 1}}},
    };
    const subject model = {best_of_two, good, sizeof good};
    ipp_best b = {.saving = 42};

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
    assert_refused(ipp_best_cores(3, 1, cannot_run, NULL, &b, &err), "no run on 3 cores");
    assert_refused(ipp_best_cores(0, 1, cannot_run, NULL, &b, &err), "num_sms");
    assert_refused(ipp_best_cores(IPP_SMS_MAX + 1, 1, cannot_run, NULL, &b, &err), "num_sms");
    assert_refused(ipp_best_cores(3, 1, run_in_no_time, NULL, &b, &err), "seconds is 0");
    assert_refused(ipp_best_of_runs(good, 0, 1, &b, &err), "there are 0 runs");
    for (unsigned i = 0; i < not_positive.num; i++) {
        assert_refused(ipp_best_cores(2, not_positive.value[i], cannot_run, NULL, &b, &err), "work");
        assert_refused(ipp_best_of_runs(good, 2, not_positive.value[i], &b, &err), "work");
    }
    assert_same(b.saving, 42);
    must(ipp_best_cores(2, 1, cannot_run, NULL, &b, &err));
}

TEST(opt_1_too_large_for_a_double)
{
    const ipp_core_run instant = {1, 1e-200, 1e-200}, good = {1, 1, 1}, endless = {2, 1e200, 1e200};
    const ipp_core_run large[] = {good, endless};
    const ipp_core_run no_energy = {2, 1e-170, 1e-170}; /* below what a double can hold: 0 */
    ipp_best b;

    assert_refused(ipp_best_of_runs(&instant, 1, 1, &b, &err), "perf_per_watt");
    assert_refused(ipp_best_of_runs(&endless, 1, 1, &b, &err), "energy has no finite value");
    assert_refused(ipp_best_of_runs(large, 2, 1, &b, &err), "most_energy");
    assert_refused(ipp_best_of_runs(&no_energy, 1, 1e-300, &b, &err), "saving");
}

/* ---- energy ---------------------------------------------------------------------------------- */

static ipp_saving saving_of(const ipp_saving_in *in)
{
    ipp_saving s;

    must(ipp_energy_saving(in, &s, &err));
    return s;
}

/* The three curves of Fig. 53, by hand: 20 of 30 cores, 10 % slower. */
TEST(fig_53_three_savings)
{
    const ipp_saving_in in = {.cores = 20, .num_sms = 30, .seconds = 11, .all_seconds = 10,
                              .runtime_power = 80, .all_runtime_power = 100, .idle_power = 20};
    const ipp_saving s = saving_of(&in);

    assert_each(SAME(s.energy, 1100), SAME(s.all_energy, 1200), SAME(s.runtime_energy, 880),
                SAME(s.all_runtime_energy, 1000));
    assert_same(s.gated_power, 80); /* 120 W x 20 / 30 (PG-1) */
    assert_each(SAME(s.gated_energy, 880), SAME(s.saving, 100.0 / 12), SAME(s.runtime_saving, 12),
                SAME(s.gated_saving, 100 * (1 - 880.0 / 1200)));
}

/* At 20 SMs and the same time, the model saves 1 - 0.8472 of run-time energy, or a third with power
 * gating. The averages of Fig. 53 (10.99 %, 25.85 %) come from measured times that are not printed. */
TEST(opt_e1_savings_at_equal_time)
{
    const ipp_params p = copy_of("gtx280");
    double factor = 0;

    must(ipp_sms_factor(&p, 20, NULL, &factor, &err));
    const ipp_saving_in in = {.cores = 20, .num_sms = 30, .seconds = 1, .all_seconds = 1,
                              .runtime_power = 100 * factor, .all_runtime_power = 100, .idle_power = 83};
    assert_within(saving_of(&in).runtime_saving, 15.28, 0.005);
    assert_within(saving_of(&in).gated_saving, 33.33, 0.005);
    assert_true(saving_of(&in).saving < saving_of(&in).runtime_saving);
}

TEST(all_cores_save_nothing)
{
    const ipp_saving_in in = {.cores = 30, .num_sms = 30, .seconds = 2, .all_seconds = 2,
                              .runtime_power = 70, .all_runtime_power = 70, .idle_power = 0};
    const ipp_saving s = saving_of(&in);

    assert_each(SAME(s.saving, 0), SAME(s.runtime_saving, 0), SAME(s.gated_saving, 0));
}

TEST(the_only_core_saves_nothing)
{
    const ipp_saving_in in = {.cores = 1, .num_sms = 1, .seconds = 2, .all_seconds = 2,
                              .runtime_power = 70, .all_runtime_power = 70, .idle_power = 5};

    assert_same(saving_of(&in).saving, 0);
}

static bool saving(const void *input, void *out, analytic_err *why)
{
    return ipp_energy_saving(input, out, why);
}

TEST(saving_refusals)
{
#define IN(path, value) {MEMBER(ipp_saving_in, path), value}
    static const ipp_saving_in good = {.cores = 2, .num_sms = 3, .seconds = 1, .all_seconds = 1,
                                       .runtime_power = 1, .all_runtime_power = 1, .idle_power = 0};
    static const subject model = {saving, &good, sizeof good};
    static const bad_member members[] = {
        IN(seconds, &not_positive), IN(all_seconds, &not_positive), IN(runtime_power, &not_positive),
        IN(all_runtime_power, &not_positive), IN(idle_power, &negative),
    };
    static const refusal rows[] = {
        {"cores is 0", {IN(cores, 0)}},
        {"cores is 4", {IN(cores, 4)}},
        {"num_sms is 0", {IN(num_sms, 0)}},
        {"num_sms is 4097", {IN(num_sms, IPP_SMS_MAX + 1)}},
        /* Too large, or too small, for a double. */
        {"power has no finite value", {IN(idle_power, 1.7e308), IN(all_runtime_power, 1.7e308)}},
        {"energy has no finite value", {IN(seconds, 1e200), IN(runtime_power, 1e200)}},
        {"all_energy has no finite value", {IN(all_seconds, 1e200), IN(all_runtime_power, 1e200)}},
        {"saving has no finite value", {IN(all_seconds, 1e-200), IN(all_runtime_power, 1e-200)}},
        {"runtime_saving has no finite value", /* the run-time energy alone is too small */
         {IN(all_seconds, 1e-200), IN(all_runtime_power, 1e-200), IN(idle_power, 1)}},
    };

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
}

TEST_MAIN("ipp_cores")
