/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-1..3, TP-15: peak and effective ratio without memory (Hong, PhD thesis 2012, Eqs. 64 to 70,
 * Tables 14 and 15), and TP-1..11 in one call; what is refused, and what any input gives.
 */
#include "analytic/throughput_fixture.h"

/* A floating-point kernel without anything else: 8 instructions, fully independent. */
static const throughput_mix plain = {.fp_insts = 8, .mstr = 1, .ilp = 1, .sse_ilp = 1, .dep = 20, .n = 32};

typedef struct request {
    throughput_device device;
    throughput_mix mix;
    throughput_memory memory;
    throughput_options options;
} request;
#define DEVICE(path, value) {MEMBER(request, device.path), value}
#define MIX(path, value) {MEMBER(request, mix.path), value}
#undef OUT
#define OUT(path, expected) WANT(throughput_peak, path, expected, 1e-12)

static MODEL(peak, request, throughput_peak_compute(&in->device, &in->mix, out, why))
static MODEL(kernel, request, throughput_kernel(&in->device, &in->mix, &in->memory, &in->options, out, why))

static const throughput_memory dram = {.eff_mem = 450, .load_bytes = 64, .mwp_proc = 112.5};

static request on(throughput_device device, throughput_mix mix, throughput_memory memory)
{
    return (request){device, mix, memory, throughput_options_default()};
}

#define assert_on(device, mix, rows) results_on(device, mix, rows, LENGTH(rows))
static void results_on(throughput_device device, throughput_mix mix, const result *rows, size_t num)
{
    const request good = on(device, mix, dram);
    const subject model = {peak, &good, sizeof good};

    analytic_results(&model, rows, num);
}

TEST(table_14_as_printed_and_corrected)
{
    const throughput_device gpu[] = {gtx580(), throughput_device_gtx580(THROUGHPUT_TABLE_14_PRINTED)};
    const throughput_device cpu[] = {e5645(), throughput_device_e5645(THROUGHPUT_TABLE_14_PRINTED)};

    assert_each(SAME(gpu[0].freq, 1.544), SAME(gpu[1].freq, 2.4), IS(gpu[0].cores, 16), IS(gpu[1].cores, 1),
                SAME(cpu[0].freq, 2.4), SAME(cpu[1].freq, 1.544));
    for (unsigned i = 0; i < 2; i++) {
        assert_each(IS(gpu[i].kind, THROUGHPUT_GPU), SAME(gpu[i].dram_latency, 450), IS(gpu[i].fp_units, 32),
                    SAME(gpu[i].mem_bandwidth, 150), SAME(gpu[i].inst_latency, 20), IS(cpu[i].kind, THROUGHPUT_CPU),
                    SAME(cpu[i].dram_latency, 250), IS(cpu[i].cores, 12), IS(cpu[i].fp_units, 2),
                    IS(cpu[i].vec_units, 2), IS(cpu[i].vec_lanes, 4), SAME(cpu[i].mem_bandwidth, 50),
                    SAME(cpu[i].inst_latency, 4));
    }
}

/* Section 5.6: "a performance can be anywhere from 0 to 1600 GFlops for a GTX580". */
TEST(tp_2_peaks_of_table_14)
{
#define DIGITS(expected, unit) WANT(throughput_peak, peak_achi, expected, (unit) / 2.0 / (expected))
#define FUSED MIX(fp_insts, 0), MIX(fp_fused_insts, 8)
#define VECTOR MIX(fp_insts, 0), MIX(fp_vec_insts, 8) /* four lanes: four times as much (section 5.8) */
    static const result gpu[] = {
        {{UNCHANGED}, {DIGITS(790.528, 0.001)}},
        {{FUSED}, {DIGITS(1581, 1), DIGITS(1600, 100)}},
    };
    static const result cpu[] = {
        {{UNCHANGED}, {OUT(peak_achi, 57.6)}},
        {{VECTOR}, {OUT(peak_achi, 230.4)}},
    };
    static const result printed_gpu[] = {{{FUSED}, {OUT(peak_achi, 153.6)}}};
    static const result printed_cpu[] = {{{VECTOR}, {OUT(peak_achi, 148.224)}}};

    assert_on(gtx580(), plain, gpu);
    assert_on(e5645(), plain, cpu);
    assert_on(throughput_device_gtx580(THROUGHPUT_TABLE_14_PRINTED), plain, printed_gpu);
    assert_on(throughput_device_e5645(THROUGHPUT_TABLE_14_PRINTED), plain, printed_cpu);
}

TEST(tp_2_mixtures)
{
    static const throughput_mix gpu = {.fp_insts = 2, .fp_vec_insts = 1, .fp_fused_insts = 4,
                                       .fp_vec_fused_insts = 5, .mstr = 1, .ilp = 1, .dep = 20, .n = 1};
    static const throughput_mix cpu = {.fp_insts = 2, .fp_fused_insts = 4, .fp_vec_insts = 10,
                                       .fp_vec_fused_insts = 10, .int_insts = 7, .br_misc_insts = 2, .mem_insts = 1,
                                       .mstr = 1, .ilp = 1, .sse_ilp = 1, .dep = 4, .n = 1};
    static const result on_gpu[] = {/* fp: vectorizable or not; vec_fp: fused */
        {{UNCHANGED},
         {OUT(fp, 3), OUT(vec_fp, 9), OUT(total_insts, 12), OUT(dev_peak_fp, 790.528), OUT(dev_peak_vec_fp, 1581.056),
          OUT(peak_fp, 790.528 / 4), OUT(peak_vec_fp, 1581.056 * 0.75), OUT(peak_achi, 790.528 * 1.75),
          OUT(eff_ratio, 1), OUT(perf, 790.528 * 1.75)}},
    };
    static const result on_cpu[] = {/* TP-15: a CPU has no fused multiply-add: 2 + 2 x 4, 10 + 2 x 10 */
        {{UNCHANGED},
         {OUT(fp, 10), OUT(vec_fp, 30), OUT(peak_fp, 57.6 / 4), OUT(peak_vec_fp, 230.4 * 0.75), OUT(peak_achi, 187.2),
          OUT(total_insts, 50), OUT(eff_ratio, 0.8), OUT(perf, 187.2 * 0.8)}},
    };

    assert_on(gtx580(), gpu, on_gpu);
    assert_on(e5645(), cpu, on_cpu);
}

TEST(tp_3_ratio_of_a_gpu)
{
#define TEN_INSTS MIX(fp_insts, 5), MIX(int_insts, 2), MIX(br_misc_insts, 2), MIX(mem_insts, 1)
    static const result rows[] = {
        /* Section 5.3.1: "if five FP instructions exist out of 10 total, then the ratio is at most 0.5";
         * back-to-back dependences take it further down. */
        {{TEN_INSTS}, {OUT(perf_cycles, 5), OUT(total_cycles, 10), OUT(eff_ratio, 0.5), OUT(perf, 790.528 / 2)}},
        {{TEN_INSTS, MIX(dep, 10)},
         {OUT(dep_effect, 2), OUT(perf_cycles, 5), OUT(total_cycles, 20), OUT(eff_ratio, 0.25)}},
        {{MIX(dep, 1)}, {OUT(dep_effect, 20)}},
        /* ILP divides both cycles; sse_ilp is of vector units that a GPU does not have. */
        {{MIX(int_insts, 8), MIX(fp_fused_insts, 4), MIX(ilp, 2), MIX(sse_ilp, 4)},
         {OUT(perf_cycles, 6), OUT(total_cycles, 10), OUT(eff_ratio, 0.6)}},
    };

    assert_on(gtx580(), plain, rows);
}

TEST(tp_3_ratio_of_a_cpu)
{
    static const result rows[] = {
        /* Section 5.8: latency 4; distance 1 costs a factor of four, 2 of two, 4 and more nothing. */
        {{MIX(dep, 1)}, {OUT(dep_effect, 4), OUT(eff_ratio, 1 / 4.0)}},
        {{MIX(dep, 2)}, {OUT(dep_effect, 2), OUT(eff_ratio, 1 / 2.0)}},
        {{MIX(dep, 4)}, {OUT(dep_effect, 1), OUT(eff_ratio, 1)}},
        {{MIX(dep, 5)}, {OUT(dep_effect, 1), OUT(eff_ratio, 1)}},
        {{MIX(dep, 100)}, {OUT(dep_effect, 1), OUT(eff_ratio, 1)}},
        /* Vector instructions have their own ILP. */
        {{MIX(fp_vec_insts, 12), MIX(int_insts, 4), MIX(ilp, 2), MIX(sse_ilp, 3), MIX(dep, 2)},
         {OUT(perf_cycles, 4 + 4), OUT(total_cycles, (6 + 4) * 2), OUT(eff_ratio, 0.4)}},
    };

    assert_on(e5645(), plain, rows);
}

TEST(tp_1_perf_is_peak_times_ratio)
{
    double perf = -1;

    must(throughput_perf(1600, 0.25, &perf, &err));
    assert_same(perf, 400);
    must(throughput_perf(0, 1, &perf, &err));
    assert_same(perf, 0);
    perf = 7;
    assert_refused(throughput_perf(-1, 0.5, &perf, &err), "peak_achi is -1");
    assert_refused(throughput_perf(NAN, 0.5, &perf, &err), "peak_achi is ");
    assert_refused(throughput_perf(1600, -0.1, &perf, &err), "eff_ratio is -0.1");
    assert_refused(throughput_perf(1600, 1.1, &perf, &err), "eff_ratio is 1.1");
    assert_same(perf, 7);
}

TEST(impossible_devices_and_mixes_are_refused)
{
    static const bad_member members[] = {
        DEVICE(freq, &not_positive), DEVICE(dram_latency, &not_positive), DEVICE(mem_bandwidth, &not_positive),
        DEVICE(inst_latency, &not_positive), MIX(fp_insts, &negative), MIX(fp_fused_insts, &negative),
        MIX(fp_vec_insts, &negative), MIX(fp_vec_fused_insts, &negative), MIX(int_insts, &negative),
        MIX(br_misc_insts, &negative), MIX(mem_insts, &negative), MIX(mstr, &below_1), MIX(ilp, &below_1),
        MIX(dep, &below_1),
    };
    static const refusal rows[] = {
        {"kind is 2", {DEVICE(kind, THROUGHPUT_KINDS)}},
        {"cores is 0", {DEVICE(cores, 0)}},
        {"fp_units is 0", {DEVICE(fp_units, 0)}},
        {"n is 0", {MIX(n, 0)}},
        {"fp_insts, fp_fused_insts, fp_vec_insts and fp_vec_fused_insts are 0", {MIX(fp_insts, 0), MIX(int_insts, 9)}},
        {"dev_peak_fp has no finite value", {DEVICE(freq, 1e307)}},
        {"dev_peak_vec_fp has no finite value", {DEVICE(freq, 1e308 / 16 / 32)}},
        {"total_insts has no finite value", {MIX(fp_insts, 1e308), MIX(int_insts, 1e308)}},
        {"total_cycles has no finite value", {MIX(fp_insts, 1e308), MIX(dep, 1)}},
        {"eff_ratio has no finite value", {MIX(fp_insts, 5e-324), MIX(ilp, 1e308)}},
    };
    const request good = on(gtx580(), plain, dram);
    const subject model = {peak, &good, sizeof good};

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
}

TEST(vector_work_needs_vector_units_and_their_ilp)
{
    static const refusal rows[] = {
        {"vec_lanes is 0", {DEVICE(vec_lanes, 0)}},
        {"sse_ilp is 0", {MIX(fp_vec_fused_insts, 1), MIX(sse_ilp, 0)}},
        {"vec_units is 0", {MIX(fp_vec_fused_insts, 1), DEVICE(vec_units, 0)}},
    };
    const request good = on(e5645(), plain, dram);
    const subject model = {peak, &good, sizeof good};

    assert_refusals(&model, rows);
}

TEST(what_is_not_used_may_be_anything)
{
    static const result cpu[] = {
        {{DEVICE(vec_lanes, 0), DEVICE(vec_units, 0)}, {OUT(fp, 8)}},
        {{MIX(sse_ilp, 0)}, {OUT(fp, 8)}}, /* without vector instructions */
        {{DEVICE(vec_units, 0)}, {OUT(fp, 8)}},
    };
    static const result gpu[] = {
        {{DEVICE(vec_units, 1)}, {OUT(fp, 8)}},
        {{MIX(fp_vec_fused_insts, 1), MIX(sse_ilp, NAN)}, {OUT(vec_fp, 1)}},
        {{MIX(fp_insts, 0), MIX(fp_fused_insts, 1)}, {OUT(vec_fp, 1)}},
        {{MIX(fp_insts, 0), MIX(fp_vec_insts, 1)}, {OUT(fp, 1)}},
        {{MIX(fp_insts, 0), MIX(fp_vec_fused_insts, 1)}, {OUT(vec_fp, 1)}},
    };
    assert_on(e5645(), plain, cpu);
    assert_on(gtx580(), plain, gpu);
}

/* ---- with memory: from Tables 14 and 15 to GFLOPS --------------------------------------------- */

/* Per iteration of a warp: two loads at once, 4 additions, 6 other instructions. */
static const throughput_mix dmadd = {.fp_insts = 40, .int_insts = 30, .br_misc_insts = 30, .mem_insts = 20,
                                     .mstr = 2, .ilp = 1, .sse_ilp = 1, .dep = 20, .n = 32};

#undef OUT
#define OUT(path, expected) WANT(throughput_kernel_result, path, expected, 1e-12)
#define MEMORY(path, value) {MEMBER(request, memory.path), value}
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
        {{DEVICE(cores, 10)},
         {OUT(peak.peak_achi, 494.08), OUT(in.mwp_bw, BUDGET / 10), OUT(model.category, 5)}},
        /* A period is a group of loads or one access. */
        {{{MEMBER(request, options.period), THROUGHPUT_PERIOD_ACCESS}},
         {OUT(periods, 20), OUT(in.eff_comp, 6), OUT(in.eff_perf, 2), OUT(model.mwp_app_infin, 75)}},
        /* Cache hits shorten the memory period only: nothing to wait for. */
        {{MEMORY(eff_mem, 0)},
         {OUT(in.mwp_bw, BUDGET / 16), OUT(perf, 790.528 / 3), OUT(peak.perf, 790.528 / 3), OUT(model.category, 10)}},
    };
    const request good = on(gtx580(), dmadd, dram);
    const subject model = {kernel, &good, sizeof good};
    throughput_kernel_result r;
    throughput_core_advice a;

    assert_results(&model, rows);
    assert_int_equal(good.options.period, THROUGHPUT_PERIOD_GROUP);
    must(throughput_kernel(&good.device, &dmadd, &dram, NULL, &r, &err));
    must(throughput_advise_cores(&r.in, 16, NULL, &a, &err)); /* r.in goes into the advice */
    assert_int_equal(a.cores, 10);
}

/* Section 5.8, Figure 142: N and MWP are 1 on a CPU, whatever N the input has. */
TEST(tp_15_a_cpu_has_one_warp)
{
    static const result rows[] = {
        {{MIX(dep, 4)},
         {OUT(in.n, 1), OUT(model.mwp, 1), OUT(model.limiter, THROUGHPUT_BY_N), OUT(model.mem_n, 250),
          OUT(model.idle_mem_cycles, 250 - 12), OUT(model.eff_ratio, 4 / 250.0), OUT(perf, 57.6 * 4 / 250)}},
    };
    const request good = on(e5645(), dmadd, (throughput_memory){.eff_mem = 250, .load_bytes = 16, .mwp_proc = 60});
    const subject model = {kernel, &good, sizeof good};

    assert_results(&model, rows);
}

TEST(perf_never_passes_what_computations_allow)
{
    request at = on(gtx580(), dmadd, dram);
    throughput_kernel_result r;
    double before = 0;

    at.mix.mstr = 1;
    for (at.mix.n = 1; at.mix.n <= 48; at.mix.n++) {
        must(kernel(&at, &r, &err));
        assert_true(r.perf < r.peak.perf);
        assert_true(r.perf > before); /* more warps hide more as long as the bandwidth is there */
        assert_same(r.perf, r.peak.peak_achi * r.model.eff_ratio);
        before = r.perf;
    }
}

TEST(impossible_kernels_are_refused)
{
    static const refusal rows[] = {
        {"mem_insts is 0", {MIX(mem_insts, 0)}},
        {"n is 0", {MIX(n, 0)}},
        {"mem_bandwidth is 0", {DEVICE(mem_bandwidth, 0)}},
        {"eff_mem is -1", {MEMORY(eff_mem, -1)}},
        {"load_bytes is 0", {MEMORY(load_bytes, 0)}},
        {"mwp_proc is ", {MEMORY(mwp_proc, NAN)}},
        {"period is 2", {{MEMBER(request, options.period), THROUGHPUT_PERIODS}}},
        {"eff_comp has no finite value", {MIX(mem_insts, 5e-324)}},
    };
    const request good = on(gtx580(), dmadd, dram);
    const subject model = {kernel, &good, sizeof good};

    assert_refusals(&model, rows);
}

/* ---- any input -------------------------------------------------------------------------------- */

static void sound_peak(const void *of, const void *out)
{
    const throughput_peak *p = out;

    (void)of;
    assert_finite_from(p, p + 1);
    assert_true(p->eff_ratio >= 0 && p->eff_ratio <= 1);
    assert_true(p->peak_achi <= fmax(p->dev_peak_fp, p->dev_peak_vec_fp) * (1 + 1e-12));
}

static void sound_kernel(const void *of, const void *out)
{
    const throughput_kernel_result *r = out;

    sound_peak(of, &r->peak);
    assert_finite(r->bw.bw_per_warp, r->bw.mwp_bw, r->bw.budget, r->periods, r->in.eff_mem, r->in.eff_comp,
                  r->in.eff_perf, r->model.mwp, r->model.mem_n, r->model.eff_ratio, r->perf);
}

TEST(wild_inputs_fail_or_give_numbers)
{
    static const wild_member members[] = {
        {MEMBER(request, mix.fp_insts), 0},       {MEMBER(request, mix.fp_fused_insts), 0},
        {MEMBER(request, mix.fp_vec_insts), 0},   {MEMBER(request, mix.fp_vec_fused_insts), 0},
        {MEMBER(request, mix.int_insts), 0},      {MEMBER(request, mix.br_misc_insts), 0},
        {MEMBER(request, mix.mem_insts), 0},      {MEMBER(request, mix.mstr), 0},
        {MEMBER(request, mix.ilp), 0},            {MEMBER(request, mix.sse_ilp), 0},
        {MEMBER(request, mix.dep), 0},            {MEMBER(request, mix.n), 0},
        {MEMBER(request, device.kind), 3},        {MEMBER(request, device.cores), 0},
        {MEMBER(request, device.fp_units), 0},    {MEMBER(request, device.vec_units), 0},
        {MEMBER(request, device.vec_lanes), 0},   {MEMBER(request, device.freq), 0},
        {MEMBER(request, device.dram_latency), 0}, {MEMBER(request, device.mem_bandwidth), 0},
        {MEMBER(request, device.inst_latency), 0}, {MEMBER(request, memory), 0},
    };

    for (unsigned i = 0; i < 2; i++) {
        const wild peaks = {6770 + i, 100000, 6, sizeof(throughput_peak), sound_peak};
        const wild kernels = {1475 + i, 100000, 6, sizeof(throughput_kernel_result), sound_kernel};
        const request good = on(i ? gtx580() : e5645(), dmadd, dram);
        const subject of_peak = {peak, &good, sizeof good}, of_kernel = {kernel, &good, sizeof good};

        assert_wild(&of_peak, &peaks, members);
        assert_wild(&of_kernel, &kernels, members);
    }
}
