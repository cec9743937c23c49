/* SPDX-License-Identifier: Apache-2.0
 *
 * How predict puts cycles, power and temperature together. What is expected comes from the models, called
 * here with inputs filled in by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analytic/predict_fixture.h"

static prediction p; /* large; one at a time */

/* ---- power ----------------------------------------------------------------------------------- */

/* Table 7 for predict_kernel(). */
static ipp_activity activity_by_hand(double cycles, uint32_t sms, double warps)
{
    return (ipp_activity){
        .accesses = {[IPP_INT] = 30, [IPP_FP] = 40, [IPP_SFU] = 5, [IPP_ALU] = 25, [IPP_TEXTURE] = 3,
                     [IPP_CONST] = 4, [IPP_SHARED] = 8, [IPP_GLOBAL] = 10, [IPP_LOCAL] = 2, [IPP_REG] = 127,
                     [IPP_FDS] = 127},
        .warps_per_sm = warps, .exec_cycles = cycles, .active_sms = sms};
}

static ipp_power power_by_hand(const char *set, uint32_t num_sms, const ipp_activity *activity,
                               const ipp_options *options)
{
    ipp_params params = *ipp_params_find(set);
    analytic_err err = {""};
    ipp_power power;

    params.num_sms = num_sms;
    if (!ipp_power_compute(&params, activity, options, &power, &err))
        fail_msg("refused: %s", err.text);
    return power;
}

static void same_power(const ipp_power *got, const ipp_power *want)
{
    for (unsigned i = 0; i < IPP_COMPONENTS; i++) {
        assert_near(got->component[i].access_rate, want->component[i].access_rate, 1e-15);
        assert_near(got->component[i].power, want->component[i].power, 1e-15);
    }
    assert_near(got->gpu_power, want->gpu_power, 1e-15);
    assert_near(got->system_power, want->system_power, 1e-15);
}

static void ipp_table_7_power_at_each_limit(void **state)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    const analytic_kernel kernel = predict_kernel();

    (void)state;
    predict_solve(&gpu, &kernel, NULL, &p);
    for (uint32_t limit = 1; limit <= 4; limit++) {
        const prediction_point *at = &p.point[limit];
        /* 480 blocks of 8 warps on 30 SMs */
        const ipp_activity activity = activity_by_hand(at->cycles, 30, 128);
        const ipp_power want = power_by_hand("gtx280", 30, &activity, NULL);

        same_power(&at->power, &want);
        assert_near(at->energy, want.gpu_power * at->cycles / 1.3e9, 1e-14);
    }
}

static void power_of_a_small_grid(void **state)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    analytic_kernel kernel = predict_kernel();
    ipp_activity activity;
    ipp_power want;

    (void)state;
    kernel.blocks = 7;
    predict_solve(&gpu, &kernel, NULL, &p);
    activity = activity_by_hand(p.point[2].cycles, 7, 8);
    want = power_by_hand("gtx280", 30, &activity, NULL);
    same_power(&p.point[2].power, &want);
}

static void predict_run_takes_the_readings(void **state)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    const analytic_kernel kernel = predict_kernel();
    predict_options options = predict_options_default();
    ipp_core_run run = {.cores = 20}, plain = {.cores = 20};
    analytic_err err = {""};

    (void)state;
    options.time.coal_departure = false;
    options.power.form = IPP_FORM_LINEAR;
    assert_true(predict_run(&gpu, &kernel, 2, NULL, &plain, &err));
    assert_true(predict_run(&gpu, &kernel, 2, &options, &run, &err));
    assert_near(run.seconds, predict_solve_time(&gpu, &kernel, 2, 20, &options).seconds, 0);
    assert_true(run.seconds < plain.seconds);
    assert_true(fabs(run.power - plain.power) > 1);
}

static void fermi_1_accesses_pass_both_caches(void **state)
{
    const analytic_gpu gpu = predict_gpu("gtx580");
    const analytic_kernel kernel = predict_kernel();
    ipp_activity activity;
    ipp_power want;

    (void)state;
    predict_solve(&gpu, &kernel, NULL, &p);
    activity = activity_by_hand(p.point[1].cycles, 16, 8 * 30);
    activity.accesses[IPP_L1] = activity.accesses[IPP_L2] = 12;
    want = power_by_hand("gtx580", 16, &activity, NULL);
    same_power(&p.point[1].power, &want);
    assert_true(want.component[IPP_L1].power > 0 && want.component[IPP_L2].power > 0);
}

static void a_cache_alone(void **state)
{
    analytic_gpu gpu = predict_gpu("gtx580");
    const analytic_kernel kernel = predict_kernel();

    (void)state;
    gpu.power.unit[IPP_L2].exists = false;
    predict_solve(&gpu, &kernel, NULL, &p);
    assert_true(p.point[1].power.component[IPP_L1].access_rate > 0);
    assert_near(p.point[1].power.component[IPP_L2].access_rate, 0, 0);
    gpu.power.unit[IPP_L2].exists = true;
    gpu.power.unit[IPP_L1].exists = false;
    predict_solve(&gpu, &kernel, NULL, &p);
    assert_near(p.point[1].power.component[IPP_L1].access_rate, 0, 0);
    assert_true(p.point[1].power.component[IPP_L2].access_rate > 0);
}

static void the_chip_says_how_many_sms_there_are(void **state)
{
    const analytic_gpu gpu = predict_gpu("fermi"); /* 15 SMs with the power of a GPU of 16 */
    const analytic_kernel kernel = predict_kernel();
    ipp_activity activity;
    ipp_power want;

    (void)state;
    assert_int_equal(gpu.power.num_sms, 16);
    predict_solve(&gpu, &kernel, NULL, &p);
    activity = activity_by_hand(p.point[2].cycles, 15, 8 * 32);
    activity.accesses[IPP_L1] = activity.accesses[IPP_L2] = 12;
    want = power_by_hand("gtx580", 15, &activity, NULL);
    same_power(&p.point[2].power, &want);
    assert_near(p.point[2].power.sms_factor, 1, 0);
}

static void the_readings_of_power_are_handed_on(void **state)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    analytic_kernel kernel = predict_kernel();
    predict_options options = predict_options_default();
    ipp_activity activity;
    ipp_power want;

    (void)state;
    options.power.form = IPP_FORM_LINEAR;
    options.power.memory = IPP_MEMORY_WHOLE;
    options.power.whole_warps = true;
    kernel.blocks = 15;
    kernel.threads_per_block = 240; /* 7.5 warps */
    predict_solve(&gpu, &kernel, &options, &p);
    activity = activity_by_hand(p.point[1].cycles, 15, 8);
    want = power_by_hand("gtx280", 30, &activity, &options.power);
    same_power(&p.point[1].power, &want);
    assert_near(want.sms_factor, 0.5, 0);
    options.power.whole_warps = false;
    predict_solve(&gpu, &kernel, &options, &p);
    activity.warps_per_sm = 7.5;
    want = power_by_hand("gtx280", 30, &activity, &options.power);
    same_power(&p.point[1].power, &want);
}

static void a_gpu_without_power(void **state)
{
    static const ipp_power no_power;
    static const ipp_best no_best;
    const analytic_gpu gpu = predict_gpu("8800gtx");
    const analytic_kernel kernel = predict_kernel();
    ipp_core_run run = {.cores = 4, .seconds = 1, .power = 2};
    analytic_err err = {""};

    (void)state;
    predict_solve(&gpu, &kernel, NULL, &p);
    assert_int_equal(p.nmax, 2); /* 8192 registers / (256 x 16) */
    for (uint32_t limit = 1; limit <= 2; limit++) {
        assert_true(p.point[limit].cycles > 0 && p.point[limit].ipc > 0);
        assert_memory_equal(&p.point[limit].power, &no_power, sizeof no_power);
        assert_near(p.point[limit].energy, 0, 0);
    }
    assert_memory_equal(&p.per_watt, &no_best, sizeof no_best);
    assert_false(p.has_heat);
    assert_true(p.has_category);
    assert_int_not_equal(p.eq63.cores, 0);
    assert_false(predict_run(&gpu, &kernel, 1, NULL, &run, &err));
    assert_string_equal(err.text, "nothing is known about the power of 8800gtx; choose a GPU with power");
    assert_true(run.seconds == 1 && run.power == 2);
}

static void predict_run_is_time_and_power(void **state)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    const analytic_kernel kernel = predict_kernel();
    const predict_options options = predict_options_default();
    analytic_err err = {""};

    (void)state;
    for (uint32_t sms = 1; sms <= 30; sms++) {
        const mwp_cwp_result time = predict_solve_time(&gpu, &kernel, 3, sms, NULL);
        const ipp_activity activity = activity_by_hand(time.exec_cycles_with_synch, sms, 8 * 480.0 / sms);
        const ipp_power want = power_by_hand("gtx280", 30, &activity, NULL);
        ipp_core_run run = {.cores = sms};

        assert_true(predict_run(&gpu, &kernel, 3, sms % 2 ? NULL : &options, &run, &err));
        assert_near(run.seconds, time.seconds, 0);
        assert_near(run.power, want.gpu_power, 1e-15);
        assert_int_equal(run.cores, sms);
    }
}

/* ---- warmth ---------------------------------------------------------------------------------- */

static void temp_2_where_a_long_run_ends(void **state)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    const analytic_kernel kernel = predict_kernel();
    predict_options options = predict_options_default();
    analytic_err err = {""};
    ipp_heat want;
    ipp_run run;

    (void)state;
    for (int delta = 0; delta < 2; delta++) {
        options.power.maxtemp_is_delta = delta;
        predict_solve(&gpu, &kernel, &options, &p);
        run = (ipp_run){.runtime_power = p.point[p.best_limit].power.runtime_power, .mem_insts = 12,
                        .nonmem_insts = 115, .run_seconds = p.point[p.best_limit].seconds};
        assert_true(p.has_heat);
        assert_true(ipp_heat_compute(ipp_params_find("gtx280"), &run, &options.power, &want, &err));
        assert_memory_equal(&p.heat, &want, sizeof want);
    }
}

static void only_gtx280_has_temperatures(void **state)
{
    static const ipp_heat none;
    const analytic_kernel kernel = predict_kernel();
    unsigned with_heat = 0;
    analytic_gpu gpu;

    (void)state;
    for (unsigned i = 0; analytic_gpu_at(i, &gpu); i++) {
        predict_solve(&gpu, &kernel, NULL, &p);
        assert_int_equal(p.has_heat, !strcmp(gpu.name, "gtx280"));
        with_heat += p.has_heat;
        if (!p.has_heat)
            assert_memory_equal(&p.heat, &none, sizeof none);
    }
    assert_int_equal(with_heat, 1);
}

static void nothing_but_memory_instructions(void **state)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    const analytic_kernel kernel = predict_simple_kernel(0, 5, 0);

    (void)state;
    predict_solve(&gpu, &kernel, NULL, &p);
    assert_true(p.point[1].cycles > 0);
    assert_false(p.has_heat); /* Eq. 54 would divide by 0 */
    assert_false(p.has_category);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ipp_table_7_power_at_each_limit),
        cmocka_unit_test(power_of_a_small_grid),
        cmocka_unit_test(fermi_1_accesses_pass_both_caches),
        cmocka_unit_test(a_cache_alone),
        cmocka_unit_test(the_chip_says_how_many_sms_there_are),
        cmocka_unit_test(the_readings_of_power_are_handed_on),
        cmocka_unit_test(a_gpu_without_power),
        cmocka_unit_test(predict_run_is_time_and_power),
        cmocka_unit_test(predict_run_takes_the_readings),
        cmocka_unit_test(temp_2_where_a_long_run_ends),
        cmocka_unit_test(only_gtx280_has_temperatures),
        cmocka_unit_test(nothing_but_memory_instructions),
    };

    return cmocka_run_group_tests_name("predict: power", tests, NULL, NULL);
}
