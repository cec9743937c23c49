/* SPDX-License-Identifier: Apache-2.0
 *
 * What predict makes of the cycles and the power at the best limit: the number of SMs, the bottleneck and
 * the advice. What is expected comes from the models, called here with inputs filled in by hand.
 */
#include "analytic/predict_fixture.h"

static prediction p; /* large; one at a time */

/* ---- number of SMs --------------------------------------------------------------------------- */

TEST(opt_1_no_other_number_of_sms_takes_less_energy)
{
    const analytic_gpu gpu = predict_gpu("fermi");
    analytic_kernel kernel = predict_simple_kernel(9, 0, 8);
    ipp_core_run all = {.cores = 15};
    double least = INFINITY;

    kernel.uncoal_per_mw = 32;
    kernel.load_bytes = 4096;
    predict_solve(&gpu, &kernel, NULL, &p);
    for (uint32_t sms = 1; sms <= 15; sms++) {
        ipp_core_run run = {.cores = sms};

        must(predict_run(&gpu, &kernel, p.best_limit, NULL, &run, &err));
        least = fmin(least, run.seconds * run.power);
    }
    must(predict_run(&gpu, &kernel, p.best_limit, NULL, &all, &err));
    assert_true(p.per_watt.best.cores > 1 && p.per_watt.best.cores < 15);
    assert_near(p.per_watt.energy, least, 1e-14);
    assert_near(p.per_watt.most_energy, p.point[p.best_limit].energy, 1e-14);
    assert_near(p.per_watt.saving, 100 * (1 - least / (all.seconds * all.power)), 1e-12);
    assert_near(p.per_watt.slowdown, p.per_watt.best.seconds / all.seconds, 1e-14);
    assert_int_equal(p.per_watt.most.cores, 15);
}

TEST(opt_1_counts_all_instructions)
{
    predict_request r = predict_good_request();

    predict_solve(&r.gpu, &r.kernel, NULL, &p);
    assert_near(p.per_watt.perf_per_watt * p.per_watt.energy, 127, 1e-14);
}

TEST(opt_1_uses_no_more_sms_than_blocks)
{
    predict_request r = predict_good_request();

    r.kernel.blocks = 6;
    predict_solve(&r.gpu, &r.kernel, NULL, &p);
    assert_int_equal(p.per_watt.best.cores, 6);
}

/* Eq. 63 for a r.kernel that the bandwidth holds back, the more the larger its accesses are. */
TEST(opt_2_eq_63_at_the_best_limit)
{
    predict_request r = predict_good_request();
    analytic_kernel kernel = predict_simple_kernel(250, 10, 0);
    const double bytes[] = {128, 256, 512};

    for (unsigned i = 0; i < 3; i++) {
        ipp_demand demand;
        ipp_optimum want;
        const mwp_cwp_result *time;

        kernel.load_bytes = bytes[i];
        r.options.power.rounding = i == 2 ? IPP_ROUND_CEIL : IPP_ROUND_FLOOR;
        predict_solve(&r.gpu, &kernel, &r.options, &p);
        time = &p.point[p.best_limit].time;
        demand = (ipp_demand){.mwp = time->mwp, .cwp = time->cwp, .n = 8.0 * p.best_limit,
                              .mwp_peak_bw = time->mwp_peak_bw, .mem_bandwidth = 141.7,
                              .bw_per_warp = 1.3 * bytes[i] / 454, .num_sms = 30};
        must(ipp_optimal_cores(&demand, &r.options.power, &want, &err));
        assert_each(IS(p.eq63.limit, want.limit), IS(p.eq63.cores, want.cores),
                    NEAR(p.eq63.quotient, want.quotient, 1e-15),
                    NEAR(p.eq63.quotient, 141.7 / (1.3 * bytes[i] / 454 * 8 * p.best_limit), 1e-14));
    }
    assert_int_equal(p.eq63.limit, IPP_LIMIT_BANDWIDTH);
    assert_true(p.eq63.cores > 1 && p.eq63.cores < 30);
}

/* ---- category and advice --------------------------------------------------------------------- */

static void tp_chapter_5(uint32_t blocks, uint32_t sms, enum throughput_period period, double loads)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    analytic_kernel kernel = predict_kernel();
    predict_options options = predict_options_default();
    const double periods = period == THROUGHPUT_PERIOD_GROUP ? 12 / loads : 12;
    throughput_in in;
    throughput_result want;
    throughput_core_advice cores;
    throughput_n_advice warps;
    throughput_freq_advice freq;
    const mwp_cwp_result *time;

    kernel.blocks = blocks;
    kernel.load_bytes = 512;
    kernel.independent_loads = loads;
    options.throughput.period = period;
    options.throughput.infin = THROUGHPUT_INFIN_PLUS1_ALL;
    predict_solve(&gpu, &kernel, &options, &p);
    time = &p.point[p.best_limit].time;
    assert_true(p.has_category);
    in = (throughput_in){.eff_mem = (730.0 * 4 + 454 * 8) / 12, .eff_comp = 4 * 127 / periods,
                         .eff_perf = 4 * (30 + 40 + 5) / periods, .n = (uint32_t)time->n,
                         .mwp_bw = time->mwp_peak_bw, .mwp_proc = time->mwp_without_bw_full, .mstr = loads};
    assert_each(NEAR(p.throughput_in.eff_mem, in.eff_mem, 1e-15),
                NEAR(p.throughput_in.eff_comp, in.eff_comp, 1e-15),
                NEAR(p.throughput_in.eff_perf, in.eff_perf, 1e-15), IS(p.throughput_in.n, in.n),
                IS(p.throughput_in.mstr, loads));
    must(throughput_compute(&in, &options.throughput, &want, &err));
    assert_each(IS(p.throughput.category, want.category), NEAR(p.throughput.eff_ratio, want.eff_ratio, 1e-14),
                NEAR(p.throughput.mwp_app, want.mwp_app, 1e-14));
    must(throughput_advise_cores(&in, sms, &options.throughput, &cores, &err));
    assert_int_equal(p.core_advice.cores, cores.cores);
    assert_near(p.core_advice.budget, cores.budget, 1e-14);
    must(throughput_advise_n(&in, &options.throughput, &warps, &err));
    assert_int_equal(p.n_advice.n, warps.n);
    must(throughput_advise_freq(&in, 1.3, &options.throughput, &freq, &err));
    assert_near(p.freq_advice.freq, freq.freq, 1e-14);
}

TEST(tp_11_to_14_at_the_best_limit)
{
    tp_chapter_5(480, 30, THROUGHPUT_PERIOD_GROUP, 1);
    assert_true(p.core_advice.applies && p.core_advice.cores < 30);
    tp_chapter_5(480, 30, THROUGHPUT_PERIOD_GROUP, 4);
    tp_chapter_5(480, 30, THROUGHPUT_PERIOD_ACCESS, 4);
    /* MWP_BW of a small grid is that with its few SMs. */
    tp_chapter_5(7, 7, THROUGHPUT_PERIOD_GROUP, 1);
}

TEST(tp_8_mwp_proc_is_not_bounded_by_n)
{
    const analytic_gpu gpu = predict_gpu("gtx280");
    const analytic_kernel kernel = predict_simple_kernel(100, 4, 0);

    predict_solve(&gpu, &kernel, NULL, &p);
    assert_near(p.throughput_in.mwp_proc, 454 / 4.0, 1e-15);
    assert_near(p.throughput_in.mwp_bw, 141.7 / (1.3 * 128 / 454 * 30), 1e-14);
}
