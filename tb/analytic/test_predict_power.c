/* SPDX-License-Identifier: Apache-2.0
 *
 * How predict puts cycles, power and temperature together, and what it makes of them at the best limit: the
 * number of SMs, the bottleneck and the advice. What is expected comes from the models, called here with
 * inputs filled in by hand.
 */
#include "analytic/predict_fixture.h"

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

/* At the request's limit. */
static void assert_power(const predict_request *r, ipp_power want)
{
    const analytic_prediction_point *at = &predict_solve(r)->point[r->limit];
    const ipp_power *got = &at->power;

    for (unsigned i = 0; i < IPP_COMPONENTS; i++) {
        assert_near(got->component[i].access_rate, want.component[i].access_rate, 1e-15);
        assert_near(got->component[i].power, want.component[i].power, 1e-15);
    }
    assert_each(NEAR(got->gpu_power, want.gpu_power, 1e-15), NEAR(got->system_power, want.system_power, 1e-15),
                NEAR(at->energy, want.gpu_power * at->seconds, 1e-14));
}

/* The cycles at the request's limit. */
static double cycles(const predict_request *r)
{
    return predict_solve(r)->point[r->limit].cycles;
}

/* 480 blocks of 8 warps on 30 SMs; a small grid. */
TEST(ipp_table_7_power_at_each_limit)
{
    predict_request r = predict_on("gtx280", predict_kernel());

    for (r.limit = 1; r.limit <= 4; r.limit++)
        assert_power(&r, power_by_hand("gtx280", 30, cycles(&r), 30, 128, NULL));
    r.kernel.blocks = 7;
    r.limit = 2;
    assert_power(&r, power_by_hand("gtx280", 30, cycles(&r), 7, 8, NULL));
}

TEST(fermi_1_accesses_pass_both_caches_if_they_are_there)
{
    static const result rows[] = {
        {{IN(gpu.power.unit[IPP_L2].exists, false)}, {PREDICTED(point[1].power.component[IPP_L2].access_rate, 0)}},
        {{IN(gpu.power.unit[IPP_L1].exists, false)}, {PREDICTED(point[1].power.component[IPP_L1].access_rate, 0)}},
    };
    predict_request r = predict_on("gtx580", predict_kernel());
    const subject model = {predict_of_request, &r, sizeof r};

    assert_power(&r, power_by_hand("gtx580", 16, cycles(&r), 16, 8 * 30, NULL));
    assert_results(&model, rows);
    for (unsigned without = IPP_L1; without <= IPP_L2; without++) {
        const unsigned other = IPP_L1 + IPP_L2 - without;

        assert_true(predict_solve(&r)->point[1].power.component[without].power > 0);
        r.gpu.power.unit[without].exists = false;
        assert_true(predict_solve(&r)->point[1].power.component[other].access_rate > 0);
        r.gpu.power.unit[without].exists = true;
    }
}

TEST(the_chip_says_how_many_sms_there_are)
{
    predict_request r = predict_on("fermi", predict_kernel()); /* 15 SMs with the power of a GPU of 16 */

    r.limit = 2;
    assert_int_equal(r.gpu.power.num_sms, 16);
    assert_power(&r, power_by_hand("gtx580", 15, cycles(&r), 15, 8 * 32, NULL));
    assert_near(predict_solve(&r)->point[2].power.sms_factor, 1, 0);
}

TEST(the_readings_of_power_are_handed_on)
{
    predict_request r = predict_on("gtx280", predict_kernel());

    r.options.power.form = IPP_FORM_LINEAR;
    r.options.power.memory = IPP_MEMORY_WHOLE;
    r.kernel.blocks = 15;
    r.kernel.threads_per_block = 240; /* 7.5 warps */
    for (int whole = 0; whole < 2; whole++) {
        r.options.power.whole_warps = whole;
        assert_power(&r, power_by_hand("gtx280", 30, cycles(&r), 15, whole ? 8 : 7.5, &r.options.power));
        assert_near(predict_solve(&r)->point[1].power.sms_factor, 0.5, 0);
    }
}

TEST(a_gpu_without_power)
{
    static const ipp_power no_power;
    static const ipp_best no_best;
    static const refusal rows[] = {
        {"nothing is known about the power of 8800gtx; choose a GPU with power", {UNCHANGED}}};
    const predict_request r = predict_on("8800gtx", predict_kernel());
    const subject run = {predict_run_of_request, &r, sizeof r};
    const analytic_prediction *p = predict_solve(&r);

    assert_int_equal(p->nmax, 2); /* 8192 registers / (256 x 16) */
    for (uint32_t limit = 1; limit <= 2; limit++) {
        assert_true(p->point[limit].cycles > 0 && p->point[limit].ipc > 0);
        assert_memory_equal(&p->point[limit].power, &no_power, sizeof no_power);
        assert_near(p->point[limit].energy, 0, 0);
    }
    assert_memory_equal(&p->per_watt, &no_best, sizeof no_best);
    assert_each(IS(p->has_heat, false), IS(p->has_category, true), IS(p->eq63.cores > 0, true));
    assert_refusals(&run, rows);
}

static ipp_core_run run_of(const predict_request *r)
{
    ipp_core_run run;

    must(predict_run_of_request(r, &run, &err));
    return run;
}

TEST(predict_run_is_time_and_power)
{
    predict_request r = predict_on("gtx280", predict_kernel());
    ipp_core_run plain = {.cores = 20};

    r.limit = 3;
    for (r.sms = 1; r.sms <= 30; r.sms++) {
        const mwp_cwp_result time = predict_solve_time(&r);
        const ipp_power want = power_by_hand("gtx280", 30, time.exec_cycles_with_synch, r.sms,
                                             8 * 480.0 / r.sms, NULL);
        const ipp_core_run run = run_of(&r);

        assert_each(IS(run.seconds, time.seconds), NEAR(run.power, want.gpu_power, 1e-15), IS(run.cores, r.sms));
    }
    r.sms = 20;
    must(analytic_predict_run(&r.gpu, &r.kernel, r.limit, NULL, &plain, &err));
    assert_near(run_of(&r).seconds, plain.seconds, 0);
    r.options.time.coal_departure = false; /* the readings are handed on */
    r.options.power.form = IPP_FORM_LINEAR;
    assert_near(run_of(&r).seconds, predict_solve_time(&r).seconds, 0);
    assert_true(run_of(&r).seconds < plain.seconds);
    assert_true(fabs(run_of(&r).power - plain.power) > 1);
}

/* ---- warmth ---------------------------------------------------------------------------------- */

TEST(temp_2_where_a_long_run_ends)
{
    predict_request r = predict_on("gtx280", predict_kernel());

    for (int delta = 0; delta < 2; delta++) {
        r.options.power.maxtemp_is_delta = delta;
        const analytic_prediction *p = predict_solve(&r);
        const ipp_run run = {.runtime_power = p->point[p->best_limit].power.runtime_power, .mem_insts = 12,
                             .nonmem_insts = 115, .run_seconds = p->point[p->best_limit].seconds};
        ipp_heat want;

        assert_true(p->has_heat);
        must(ipp_heat_compute(ipp_params_find("gtx280"), &run, &r.options.power, &want, &err));
        assert_memory_equal(&p->heat, &want, sizeof want);
    }
}

TEST(only_gtx280_has_temperatures)
{
    static const ipp_heat none;
    analytic_gpu gpu;

    for (unsigned i = 0; analytic_gpu_at(i, &gpu); i++) {
        const predict_request r = predict_on(gpu.name, predict_kernel());
        const analytic_prediction *p = predict_solve(&r);

        assert_int_equal(p->has_heat, !strcmp(gpu.name, "gtx280"));
        if (!p->has_heat)
            assert_memory_equal(&p->heat, &none, sizeof none);
    }
}

/* ---- number of SMs --------------------------------------------------------------------------- */

TEST(opt_1_no_other_number_of_sms_takes_less_energy)
{
    predict_request r = predict_on("fermi", predict_simple_kernel(9, 0, 8));
    double least = INFINITY;

    r.kernel.uncoal_per_mw = 32;
    r.kernel.load_bytes = 4096;
    const analytic_prediction *p = predict_solve(&r);
    r.limit = p->best_limit;
    for (r.sms = 1; r.sms <= 15; r.sms++)
        least = fmin(least, run_of(&r).seconds * run_of(&r).power);
    r.sms = 15;
    const ipp_core_run all = run_of(&r);
    assert_in_range(p->per_watt.best.cores, 2, 14);
    assert_each(NEAR(p->per_watt.energy, least, 1e-14),
                NEAR(p->per_watt.most_energy, p->point[p->best_limit].energy, 1e-14),
                NEAR(p->per_watt.saving, 100 * (1 - least / (all.seconds * all.power)), 1e-12),
                NEAR(p->per_watt.slowdown, p->per_watt.best.seconds / all.seconds, 1e-14),
                IS(p->per_watt.most.cores, 15));
}

TEST(opt_1_counts_all_instructions_and_no_more_sms_than_blocks)
{
    static const result small_grid[] = {{{IN(kernel.blocks, 6)}, {PREDICTED(per_watt.best.cores, 6)}}};
    /* Eq. 54, and Chapter V, would divide by 0. */
    static const result nothing_but_memory[] = {
        {{UNCHANGED}, {PREDICTED(has_heat, false), PREDICTED(has_category, false)}}};
    const predict_request r = predict_on("gtx280", predict_kernel());
    const predict_request memory = predict_on("gtx280", predict_simple_kernel(0, 5, 0));
    const subject model = {predict_of_request, &r, sizeof r};
    const subject of_memory = {predict_of_request, &memory, sizeof memory};
    const ipp_best *best = &predict_solve(&r)->per_watt;

    assert_near(best->perf_per_watt * best->energy, 127, 1e-14);
    assert_results(&model, small_grid);
    assert_results(&of_memory, nothing_but_memory);
    assert_true(cycles(&memory) > 0);
}

/* Eq. 63 for a kernel that the bandwidth holds back, the more the larger its accesses are. */
TEST(opt_2_eq_63_at_the_best_limit)
{
    predict_request r = predict_on("gtx280", predict_simple_kernel(250, 10, 0));
    const double bytes[] = {128, 256, 512};
    const analytic_prediction *p = NULL;

    for (unsigned i = 0; i < 3; i++) {
        ipp_optimum want;

        r.kernel.load_bytes = bytes[i];
        r.options.power.rounding = i == 2 ? IPP_ROUND_CEIL : IPP_ROUND_FLOOR;
        p = predict_solve(&r);
        const mwp_cwp_result *time = &p->point[p->best_limit].time;
        const ipp_demand demand = {.mwp = time->mwp, .cwp = time->cwp, .n = 8.0 * p->best_limit,
                                   .mwp_peak_bw = time->mwp_peak_bw, .mem_bandwidth = 141.7,
                                   .bw_per_warp = 1.3 * bytes[i] / 454, .num_sms = 30};
        must(ipp_optimal_cores(&demand, &r.options.power, &want, &err));
        assert_each(IS(p->eq63.limit, want.limit), IS(p->eq63.cores, want.cores),
                    NEAR(p->eq63.quotient, want.quotient, 1e-15),
                    NEAR(p->eq63.quotient, 141.7 / (1.3 * bytes[i] / 454 * 8 * p->best_limit), 1e-14));
    }
    assert_int_equal(p->eq63.limit, IPP_LIMIT_BANDWIDTH);
    assert_in_range(p->eq63.cores, 2, 29);
}

/* ---- category and advice --------------------------------------------------------------------- */

static const analytic_prediction *tp_chapter_5(uint32_t blocks, uint32_t sms, enum throughput_period period, double loads)
{
    const double periods = period == THROUGHPUT_PERIOD_GROUP ? 12 / loads : 12;
    predict_request r = predict_on("gtx280", predict_kernel());
    throughput_result want;
    throughput_core_advice cores;
    throughput_n_advice warps;
    throughput_freq_advice freq;

    r.kernel.blocks = blocks;
    r.kernel.load_bytes = 512;
    r.kernel.independent_loads = loads;
    r.options.throughput.period = period;
    r.options.throughput.infin = THROUGHPUT_INFIN_PLUS1_ALL;
    const analytic_prediction *p = predict_solve(&r);
    const mwp_cwp_result *time = &p->point[p->best_limit].time;
    const throughput_in in = {.eff_mem = (730.0 * 4 + 454 * 8) / 12, .eff_comp = 4 * 127 / periods,
                              .eff_perf = 4 * (30 + 40 + 5) / periods, .n = (uint32_t)time->n,
                              .mwp_bw = time->mwp_peak_bw, .mwp_proc = time->mwp_without_bw_full, .mstr = loads};
    must(throughput_compute(&in, &r.options.throughput, &want, &err));
    must(throughput_advise_cores(&in, sms, &r.options.throughput, &cores, &err));
    must(throughput_advise_n(&in, &r.options.throughput, &warps, &err));
    must(throughput_advise_freq(&in, 1.3, &r.options.throughput, &freq, &err));
    assert_each(IS(p->has_category, true), NEAR(p->model_in.eff_mem, in.eff_mem, 1e-15),
                NEAR(p->model_in.eff_comp, in.eff_comp, 1e-15),
                NEAR(p->model_in.eff_perf, in.eff_perf, 1e-15), IS(p->model_in.n, in.n),
                IS(p->model_in.mstr, loads), IS(p->throughput.category, want.category),
                NEAR(p->throughput.eff_ratio, want.eff_ratio, 1e-14), NEAR(p->throughput.mwp_app, want.mwp_app, 1e-14),
                IS(p->core_advice.cores, cores.cores), NEAR(p->core_advice.budget, cores.budget, 1e-14),
                IS(p->n_advice.n, warps.n), NEAR(p->freq_advice.freq, freq.freq, 1e-14));
    return p;
}

TEST(tp_11_to_14_at_the_best_limit)
{
    const analytic_prediction *p = tp_chapter_5(480, 30, THROUGHPUT_PERIOD_GROUP, 1);

    assert_true(p->core_advice.applies && p->core_advice.cores < 30);
    tp_chapter_5(480, 30, THROUGHPUT_PERIOD_GROUP, 4);
    tp_chapter_5(480, 30, THROUGHPUT_PERIOD_ACCESS, 4);
    /* MWP_BW of a small grid is that with its few SMs. */
    tp_chapter_5(7, 7, THROUGHPUT_PERIOD_GROUP, 1);
}

TEST(tp_8_mwp_proc_is_not_bounded_by_n)
{
    static const result rows[] = {
        {{UNCHANGED},
         {WANT(analytic_prediction, model_in.mwp_proc, 454 / 4.0, 1e-15),
          WANT(analytic_prediction, model_in.mwp_bw, 141.7 / (1.3 * 128 / 454 * 30), 1e-14)}},
    };
    const predict_request r = predict_on("gtx280", predict_simple_kernel(100, 4, 0));
    const subject model = {predict_of_request, &r, sizeof r};

    assert_results(&model, rows);
}
