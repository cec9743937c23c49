/* SPDX-License-Identifier: Apache-2.0
 *
 * How predict puts cycles, power and temperature together. What is expected comes from the models, called
 * here with inputs filled in by hand.
 */
#include "analytic/predict_fixture.h"

static prediction p; /* large; one at a time */

/* ---- power ----------------------------------------------------------------------------------- */

/* Table 7 for predict_kernel(), which accesses both caches where there are any: `warps` on each of `sms` SMs
 * of a chip of num_sms. */
static ipp_power power_by_hand(const char *set, uint32_t num_sms, double cycles, uint32_t sms, double warps,
                               const ipp_options *options)
{
    const double cached = strcmp(set, "gtx580") == 0 ? 12 : 0;
    const ipp_activity activity = {
        .accesses = {[IPP_INT] = 30, [IPP_FP] = 40, [IPP_SFU] = 5, [IPP_ALU] = 25, [IPP_TEXTURE] = 3,
                     [IPP_CONST] = 4, [IPP_SHARED] = 8, [IPP_GLOBAL] = 10, [IPP_LOCAL] = 2, [IPP_REG] = 127,
                     [IPP_FDS] = 127, [IPP_L1] = cached, [IPP_L2] = cached},
        .warps_per_sm = warps, .exec_cycles = cycles, .active_sms = sms};
    ipp_params params = *ipp_params_find(set);
    ipp_power power;

    params.num_sms = num_sms;
    must(ipp_power_compute(&params, &activity, options, &power, &err));
    return power;
}

static void assert_power(uint32_t limit, ipp_power want)
{
    const ipp_power *got = &p.point[limit].power;

    for (unsigned i = 0; i < IPP_COMPONENTS; i++) {
        assert_near(got->component[i].access_rate, want.component[i].access_rate, 1e-15);
        assert_near(got->component[i].power, want.component[i].power, 1e-15);
    }
    assert_near(got->gpu_power, want.gpu_power, 1e-15);
    assert_near(got->system_power, want.system_power, 1e-15);
}

/* 480 blocks of 8 warps on 30 SMs; a small grid. */
TEST(ipp_table_7_power_at_each_limit)
{
    predict_request r = predict_good_request();

    predict_solve(&r.gpu, &r.kernel, NULL, &p);
    for (uint32_t limit = 1; limit <= 4; limit++) {
        const prediction_point *at = &p.point[limit];
        const ipp_power want = power_by_hand("gtx280", 30, at->cycles, 30, 128, NULL);

        assert_power(limit, want);
        assert_near(at->energy, want.gpu_power * at->cycles / 1.3e9, 1e-14);
    }
    r.kernel.blocks = 7;
    predict_solve(&r.gpu, &r.kernel, NULL, &p);
    assert_power(2, power_by_hand("gtx280", 30, p.point[2].cycles, 7, 8, NULL));
}

TEST(predict_run_takes_the_readings)
{
    predict_request r = predict_good_request();
    ipp_core_run run = {.cores = 20}, plain = {.cores = 20};

    r.options.time.coal_departure = false;
    r.options.power.form = IPP_FORM_LINEAR;
    must(predict_run(&r.gpu, &r.kernel, 2, NULL, &plain, &err));
    must(predict_run(&r.gpu, &r.kernel, 2, &r.options, &run, &err));
    assert_near(run.seconds, predict_solve_time(&r.gpu, &r.kernel, 2, 20, &r.options).seconds, 0);
    assert_true(run.seconds < plain.seconds);
    assert_true(fabs(run.power - plain.power) > 1);
}

TEST(fermi_1_accesses_pass_both_caches)
{
    const analytic_gpu gpu = predict_gpu("gtx580");
    const analytic_kernel kernel = predict_kernel();

    predict_solve(&gpu, &kernel, NULL, &p);
    assert_power(1, power_by_hand("gtx580", 16, p.point[1].cycles, 16, 8 * 30, NULL));
    assert_true(p.point[1].power.component[IPP_L1].power > 0 && p.point[1].power.component[IPP_L2].power > 0);
}

TEST(a_cache_alone)
{
    analytic_gpu gpu = predict_gpu("gtx580");
    const analytic_kernel kernel = predict_kernel();

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

TEST(the_chip_says_how_many_sms_there_are)
{
    const analytic_gpu gpu = predict_gpu("fermi"); /* 15 SMs with the power of a GPU of 16 */
    const analytic_kernel kernel = predict_kernel();

    assert_int_equal(gpu.power.num_sms, 16);
    predict_solve(&gpu, &kernel, NULL, &p);
    assert_power(2, power_by_hand("gtx580", 15, p.point[2].cycles, 15, 8 * 32, NULL));
    assert_near(p.point[2].power.sms_factor, 1, 0);
}

TEST(the_readings_of_power_are_handed_on)
{
    predict_request r = predict_good_request();

    r.options.power.form = IPP_FORM_LINEAR;
    r.options.power.memory = IPP_MEMORY_WHOLE;
    r.kernel.blocks = 15;
    r.kernel.threads_per_block = 240; /* 7.5 warps */
    for (int whole = 0; whole < 2; whole++) {
        r.options.power.whole_warps = whole;
        predict_solve(&r.gpu, &r.kernel, &r.options, &p);
        assert_power(1, power_by_hand("gtx280", 30, p.point[1].cycles, 15, whole ? 8 : 7.5, &r.options.power));
        assert_near(p.point[1].power.sms_factor, 0.5, 0);
    }
}

TEST(a_gpu_without_power)
{
    static const ipp_power no_power;
    static const ipp_best no_best;
    const analytic_gpu gpu = predict_gpu("8800gtx");
    const analytic_kernel kernel = predict_kernel();
    ipp_core_run run = {.cores = 4, .seconds = 1, .power = 2};

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

TEST(predict_run_is_time_and_power)
{
    predict_request r = predict_good_request();

    for (uint32_t sms = 1; sms <= 30; sms++) {
        const mwp_cwp_result time = predict_solve_time(&r.gpu, &r.kernel, 3, sms, NULL);
        const ipp_power want = power_by_hand("gtx280", 30, time.exec_cycles_with_synch, sms, 8 * 480.0 / sms, NULL);
        ipp_core_run run = {.cores = sms};

        must(predict_run(&r.gpu, &r.kernel, 3, sms % 2 ? NULL : &r.options, &run, &err));
        assert_each(IS(run.seconds, time.seconds), NEAR(run.power, want.gpu_power, 1e-15), IS(run.cores, sms));
    }
}

/* ---- warmth ---------------------------------------------------------------------------------- */

TEST(temp_2_where_a_long_run_ends)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    const analytic_kernel kernel = predict_kernel();
    predict_options options = predict_options_default();
    ipp_heat want;
    ipp_run run;

    for (int delta = 0; delta < 2; delta++) {
        options.power.maxtemp_is_delta = delta;
        predict_solve(&gpu, &kernel, &options, &p);
        run = (ipp_run){.runtime_power = p.point[p.best_limit].power.runtime_power, .mem_insts = 12,
                        .nonmem_insts = 115, .run_seconds = p.point[p.best_limit].seconds};
        assert_true(p.has_heat);
        must(ipp_heat_compute(ipp_params_find("gtx280"), &run, &options.power, &want, &err));
        assert_memory_equal(&p.heat, &want, sizeof want);
    }
}

TEST(only_gtx280_has_temperatures)
{
    static const ipp_heat none;
    const analytic_kernel kernel = predict_kernel();
    unsigned with_heat = 0;
    analytic_gpu gpu;

    for (unsigned i = 0; analytic_gpu_at(i, &gpu); i++) {
        predict_solve(&gpu, &kernel, NULL, &p);
        assert_int_equal(p.has_heat, !strcmp(gpu.name, "gtx280"));
        with_heat += p.has_heat;
        if (!p.has_heat)
            assert_memory_equal(&p.heat, &none, sizeof none);
    }
    assert_int_equal(with_heat, 1);
}

TEST(nothing_but_memory_instructions)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    const analytic_kernel kernel = predict_simple_kernel(0, 5, 0);

    predict_solve(&gpu, &kernel, NULL, &p);
    assert_true(p.point[1].cycles > 0);
    assert_false(p.has_heat); /* Eq. 54 would divide by 0 */
    assert_false(p.has_category);
}
