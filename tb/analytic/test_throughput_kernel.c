/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-1..11 and TP-15 in one call: from Tables 14 and 15 to GFLOPS (Hong, PhD thesis 2012, Chapter V).
 */
#include "analytic/throughput_fixture.h"

static const throughput_memory dram = {.eff_mem = 450, .load_bytes = 64, .mwp_proc = 112.5};
/* Per iteration of a warp: two loads at once, 4 additions, 6 other instructions. */
static const throughput_mix dmadd = {.fp_insts = 40, .int_insts = 30, .br_misc_insts = 30, .mem_insts = 20,
                                     .mstr = 2, .ilp = 1, .sse_ilp = 1, .dep = 20, .n = 32};

static throughput_kernel_result compute(const throughput_device *device, const throughput_mix *mix,
                                        const throughput_memory *memory)
{
    throughput_kernel_result r;

    must(throughput_kernel(device, mix, memory, NULL, &r, &err));
    return r;
}

typedef struct request {
    throughput_device device;
    throughput_mix mix;
    throughput_memory memory;
    throughput_options options;
} request;

static bool kernel(const void *input, void *out, analytic_err *said)
{
    const request *r = input;

    return throughput_kernel(&r->device, &r->mix, &r->memory, &r->options, out, said);
}

#undef OUT
#define OUT(path, expected) WANT(throughput_kernel_result, path, expected, 1e-12)
#define BUDGET (150 * 450 / (1.544 * 64)) /* accesses in flight on the chip */

TEST(a_kernel_on_a_gpu_by_hand)
{
    static const result rows[] = {
        /* 450 x 32 / 32 + 12 x 31 = 822, 384 of it computed */
        {{UNCHANGED},
         {OUT(peak.peak_achi, 790.528), OUT(peak.eff_ratio, 40 / 120.0), OUT(periods, 10), OUT(in.eff_mem, 450),
          OUT(in.eff_comp, 12), OUT(in.eff_perf, 4), OUT(in.n, 32), OUT(in.mstr, 2), OUT(in.mwp_proc, 112.5),
          OUT(bw.budget, BUDGET), OUT(in.mwp_bw, BUDGET / 16), OUT(model.mwp_app_infin, 37.5)}},
        {{UNCHANGED},
         {OUT(model.mwp_app, 64), OUT(model.mwp, 32), OUT(model.idle_mem_cycles, 822 - 384),
          OUT(model.eff_ratio, 128 / 822.0), OUT(model.category, 3), OUT(perf, 790.528 * 128 / 822)}},
        /* Fewer cores have less peak and more bandwidth each. */
        {{{MEMBER(request, device.cores), 10}},
         {OUT(peak.peak_achi, 494.08), OUT(in.mwp_bw, BUDGET / 10), OUT(model.category, 5)}},
        /* A period is a group of loads or one access. */
        {{{MEMBER(request, options.period), THROUGHPUT_PERIOD_ACCESS}},
         {OUT(periods, 20), OUT(in.eff_comp, 6), OUT(in.eff_perf, 2), OUT(model.mwp_app_infin, 75)}},
        /* Cache hits shorten the memory period only: nothing to wait for. */
        {{{MEMBER(request, memory.eff_mem), 0}},
         {OUT(in.mwp_bw, BUDGET / 16), OUT(perf, 790.528 / 3), OUT(peak.perf, 790.528 / 3), OUT(model.category, 10)}},
    };
    const request good = {gtx580(), dmadd, dram, throughput_options_default()};
    const subject model = {kernel, &good, sizeof good};
    const throughput_kernel_result r = compute(&good.device, &dmadd, &dram);
    throughput_core_advice a;

    assert_results(&model, rows);
    assert_int_equal(good.options.period, THROUGHPUT_PERIOD_GROUP);
    must(throughput_advise_cores(&r.in, 16, NULL, &a, &err)); /* r.in goes into the advice */
    assert_int_equal(a.cores, 10);
}

/* Section 5.8, Figure 142: N and MWP are 1 on a CPU, whatever N the input has. */
TEST(tp_15_a_cpu_has_one_warp)
{
    static const result rows[] = {
        {{{MEMBER(request, mix.dep), 4}},
         {OUT(in.n, 1), OUT(model.mwp, 1), OUT(model.limiter, THROUGHPUT_BY_N), OUT(model.mem_n, 250),
          OUT(model.idle_mem_cycles, 250 - 12), OUT(model.eff_ratio, 4 / 250.0), OUT(perf, 57.6 * 4 / 250)}},
    };
    const request good = {e5645(), dmadd, {.eff_mem = 250, .load_bytes = 16, .mwp_proc = 60},
                          throughput_options_default()};
    const subject model = {kernel, &good, sizeof good};

    assert_results(&model, rows);
}

TEST(perf_never_passes_what_computations_allow)
{
    const throughput_device device = gtx580();
    throughput_mix mix = dmadd;
    double before = 0;

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

TEST(impossible_inputs_are_refused)
{
    static const refusal rows[] = {
        {"mem_insts is 0", {{MEMBER(request, mix.mem_insts), 0}}},
        {"n is 0", {{MEMBER(request, mix.n), 0}}},
        {"mem_bandwidth is 0", {{MEMBER(request, device.mem_bandwidth), 0}}},
        {"eff_mem is -1", {{MEMBER(request, memory.eff_mem), -1}}},
        {"load_bytes is 0", {{MEMBER(request, memory.load_bytes), 0}}},
        {"mwp_proc is ", {{MEMBER(request, memory.mwp_proc), NAN}}},
        {"period is 2", {{MEMBER(request, options.period), THROUGHPUT_PERIODS}}},
        {"eff_comp has no finite value", {{MEMBER(request, mix.mem_insts), 5e-324}}},
    };
    const request good = {gtx580(), dmadd, dram, throughput_options_default()};
    const subject model = {kernel, &good, sizeof good};

    assert_refusals(&model, rows);
}

TEST(wild_inputs_fail_or_give_numbers)
{
    uint64_t seed = 1475;
    tally count = {0};

    for (unsigned i = 0; i < 200000; i++) {
        throughput_device device = i % 2 ? gtx580() : e5645();
        throughput_mix mix = dmadd;
        double *const spots[] = {&mix.fp_insts, &mix.fp_vec_insts, &mix.mem_insts, &mix.mstr, &mix.ilp,
                                 &mix.dep, &device.freq, &device.dram_latency, &device.mem_bandwidth,
                                 &device.inst_latency};
        const throughput_memory memory = {random_wild(&seed, 4), random_wild(&seed, 4), random_wild(&seed, 4)};
        throughput_kernel_result r;

        for (unsigned k = 0; k < 3; k++)
            *spots[random_next(&seed) % LENGTH(spots)] = random_wild(&seed, 4);
        mix.n = random_count(&seed);
        mark(&r, sizeof r);
        if (tally_add(&count, throughput_kernel(&device, &mix, &memory, NULL, &r, &err), &err))
            assert_finite(r.peak.perf, r.bw.bw_per_warp, r.bw.mwp_bw, r.bw.budget, r.periods, r.in.eff_mem,
                          r.in.eff_comp, r.in.eff_perf, r.model.mwp, r.model.mem_n, r.model.eff_ratio, r.perf);
        else
            assert_true(marked(&r, sizeof r));
    }
    assert_true(count.taken > 1000);
}

TEST_MAIN("throughput_kernel")
