/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-1..11 and TP-15 in one call: from Tables 14 and 15 to GFLOPS (Hong, PhD thesis 2012, Chapter V).
 */
#include "analytic/throughput_check.h"

#include "analytic/throughput_advice.h"
#include "analytic/throughput_kernel.h"

static const throughput_memory dram = {.eff_mem = 450, .load_bytes = 64, .mwp_proc = 112.5};
/* Per iteration of a warp: two loads at once, 4 additions, 6 other instructions. */
static const throughput_mix dmadd = {.fp_insts = 40, .int_insts = 30, .br_misc_insts = 30, .mem_insts = 20,
                                     .mstr = 2, .ilp = 1, .sse_ilp = 1, .dep = 20, .n = 32};

static throughput_device gtx580(void)
{
    return throughput_device_gtx580(THROUGHPUT_TABLE_14_CORRECTED);
}

static throughput_kernel_result compute(const throughput_device *device, const throughput_mix *mix,
                                        const throughput_memory *memory)
{
    throughput_kernel_result r;
    analytic_err err;

    assert_true(throughput_kernel(device, mix, memory, NULL, &r, &err));
    return r;
}

static void a_kernel_on_a_gpu_by_hand(void **test)
{
    const throughput_device device = gtx580();
    const throughput_kernel_result r = compute(&device, &dmadd, &dram);

    (void)test;
    assert_same(r.peak.peak_achi, 790.528);
    assert_same(r.peak.eff_ratio, 40 / 120.0);
    assert_same(r.periods, 10);
    assert_same(r.in.eff_mem, 450);
    assert_same(r.in.eff_comp, 12);
    assert_same(r.in.eff_perf, 4);
    assert_int_equal(r.in.n, 32);
    assert_same(r.in.mstr, 2);
    assert_same(r.in.mwp_proc, 112.5);
    assert_same(r.bw.budget, 150 * 450 / (1.544 * 64));
    assert_same(r.in.mwp_bw, r.bw.budget / 16);
    assert_same(r.model.mwp_app_infin, 37.5);
    assert_same(r.model.mwp_app, 64);
    assert_same(r.model.mwp, 32);
    /* 450 x 32 / 32 + 12 x 31 = 822, 384 of it computed */
    assert_same(r.model.idle_mem_cycles, 822 - 384);
    assert_same(r.model.eff_ratio, 128 / 822.0);
    assert_int_equal(r.model.category, 3);
    assert_same(r.perf, 790.528 * 128 / 822);
}

static void r_in_goes_into_the_advice(void **test)
{
    const throughput_device device = gtx580();
    const throughput_kernel_result r = compute(&device, &dmadd, &dram);
    throughput_core_advice a;
    analytic_err err;

    (void)test;
    assert_true(throughput_advise_cores(&r.in, device.cores, NULL, &a, &err));
    assert_int_equal(a.cores, 10);
}

static void fewer_cores_have_less_peak_and_more_bandwidth_each(void **test)
{
    throughput_device device = gtx580();

    (void)test;
    device.cores = 10;
    const throughput_kernel_result r = compute(&device, &dmadd, &dram);
    assert_same(r.peak.peak_achi, 494.08);
    assert_same(r.in.mwp_bw, r.bw.budget / 10);
    assert_int_equal(r.model.category, 5);
}

static void a_period_is_a_group_of_loads_or_one_access(void **test)
{
    const throughput_device device = gtx580();
    throughput_options options = throughput_options_default();
    throughput_kernel_result r;
    analytic_err err;

    (void)test;
    assert_int_equal(options.period, THROUGHPUT_PERIOD_GROUP);
    options.period = THROUGHPUT_PERIOD_ACCESS;
    assert_true(throughput_kernel(&device, &dmadd, &dram, &options, &r, &err));
    assert_same(r.periods, 20);
    assert_same(r.in.eff_comp, 6);
    assert_same(r.in.eff_perf, 2);
    assert_same(r.model.mwp_app_infin, 75);
}

static void cache_hits_shorten_the_memory_period_only(void **test)
{
    const throughput_device device = gtx580();
    throughput_memory l1 = dram;

    (void)test;
    l1.eff_mem = 0;
    const throughput_kernel_result r = compute(&device, &dmadd, &l1);
    assert_same(r.in.mwp_bw, compute(&device, &dmadd, &dram).in.mwp_bw);
    assert_same(r.perf, r.peak.perf); /* nothing to wait for */
    assert_int_equal(r.model.category, 10);
}

/* Section 5.8, Figure 142: N and MWP are 1 on a CPU, whatever N the input has. */
static void tp_15_a_cpu_has_one_warp(void **test)
{
    const throughput_device device = throughput_device_e5645(THROUGHPUT_TABLE_14_CORRECTED);
    const throughput_memory memory = {.eff_mem = 250, .load_bytes = 16, .mwp_proc = 60};
    throughput_mix mix = dmadd;

    (void)test;
    mix.dep = 4;
    const throughput_kernel_result r = compute(&device, &mix, &memory);
    assert_int_equal(r.in.n, 1);
    assert_same(r.model.mwp, 1);
    assert_int_equal(r.model.limiter, THROUGHPUT_BY_N);
    assert_same(r.model.mem_n, 250);
    assert_same(r.model.idle_mem_cycles, 250 - 12);
    assert_same(r.model.eff_ratio, 4 / 250.0);
    assert_same(r.perf, 57.6 * 4 / 250);
}

static void perf_never_passes_what_computations_allow(void **test)
{
    const throughput_device device = gtx580();
    throughput_mix mix = dmadd;
    double before = 0;

    (void)test;
    mix.mstr = 1;
    for (mix.n = 1; mix.n <= 48; mix.n++) {
        const throughput_kernel_result r = compute(&device, &mix, &dram);

        assert_true(r.perf < r.peak.perf);
        assert_true(r.perf > before); /* more warps hide more as long as the bandwidth is there */
        assert_same(r.perf, r.peak.peak_achi * r.model.eff_ratio);
        before = r.perf;
    }
}

/* ---- refusals ---- */

static void impossible_inputs_are_refused(void **test)
{
    throughput_device device = gtx580();
    throughput_mix mix = dmadd;
    throughput_memory memory = dram;
    throughput_options options = throughput_options_default();
    throughput_kernel_result r;
    analytic_err err;

    (void)test;
    mark(&r, sizeof r);
    mix.mem_insts = 0;
    assert_refused(throughput_kernel(&device, &mix, &memory, NULL, &r, &err), "mem_insts is 0");
    mix = dmadd;
    mix.n = 0;
    assert_refused(throughput_kernel(&device, &mix, &memory, NULL, &r, &err), "n is 0");
    mix = dmadd;
    device.mem_bandwidth = 0;
    assert_refused(throughput_kernel(&device, &mix, &memory, NULL, &r, &err), "mem_bandwidth is 0");
    device = gtx580();
    memory.eff_mem = -1;
    assert_refused(throughput_kernel(&device, &mix, &memory, NULL, &r, &err), "eff_mem is -1");
    memory = dram;
    memory.load_bytes = 0;
    assert_refused(throughput_kernel(&device, &mix, &memory, NULL, &r, &err), "load_bytes is 0");
    memory = dram;
    memory.mwp_proc = NAN;
    assert_refused(throughput_kernel(&device, &mix, &memory, NULL, &r, &err), "mwp_proc is ");
    memory = dram;
    options.period = THROUGHPUT_PERIODS;
    assert_refused(throughput_kernel(&device, &mix, &memory, &options, &r, &err), "period is 2");
    assert_true(marked(&r, sizeof r));
}

static void results_beyond_a_double_are_refused(void **test)
{
    const throughput_device device = gtx580();
    throughput_mix mix = dmadd;
    throughput_kernel_result r;
    analytic_err err;

    (void)test;
    mix.mem_insts = 5e-324;
    assert_refused(throughput_kernel(&device, &mix, &dram, NULL, &r, &err), "eff_comp has no finite value");
}

static void assert_finite(const throughput_kernel_result *r)
{
    const double values[] = {r->peak.perf, r->bw.bw_per_warp, r->bw.mwp_bw, r->bw.budget, r->periods,
                             r->in.eff_mem, r->in.eff_comp, r->in.eff_perf, r->model.mwp, r->model.mem_n,
                             r->model.eff_ratio, r->perf};

    assert_all_finite(values, sizeof values / sizeof *values);
}

static void wild_inputs_fail_or_give_numbers(void **test)
{
    uint64_t seed = 1475;
    unsigned done = 0;

    (void)test;
    for (unsigned i = 0; i < 200000; i++) {
        throughput_device device = i % 2 ? gtx580() : throughput_device_e5645(THROUGHPUT_TABLE_14_CORRECTED);
        throughput_mix mix = dmadd;
        double *const spots[] = {&mix.fp_insts, &mix.fp_vec_insts, &mix.mem_insts, &mix.mstr, &mix.ilp,
                                 &mix.dep, &device.freq, &device.dram_latency, &device.mem_bandwidth,
                                 &device.inst_latency};
        const throughput_memory memory = {random_wild(&seed), random_wild(&seed), random_wild(&seed)};
        throughput_kernel_result r;
        analytic_err err = {""};

        for (unsigned k = 0; k < 3; k++)
            *spots[random_next(&seed) % 10] = random_wild(&seed);
        mix.n = random_count(&seed);
        mark(&r, sizeof r);
        if (throughput_kernel(&device, &mix, &memory, NULL, &r, &err)) {
            assert_finite(&r);
            done++;
        } else {
            assert_said(&err);
            assert_true(marked(&r, sizeof r));
        }
    }
    assert_true(done > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_on_a_gpu_by_hand),
        cmocka_unit_test(r_in_goes_into_the_advice),
        cmocka_unit_test(fewer_cores_have_less_peak_and_more_bandwidth_each),
        cmocka_unit_test(a_period_is_a_group_of_loads_or_one_access),
        cmocka_unit_test(cache_hits_shorten_the_memory_period_only),
        cmocka_unit_test(tp_15_a_cpu_has_one_warp),
        cmocka_unit_test(perf_never_passes_what_computations_allow),
        cmocka_unit_test(impossible_inputs_are_refused),
        cmocka_unit_test(results_beyond_a_double_are_refused),
        cmocka_unit_test(wild_inputs_fail_or_give_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
