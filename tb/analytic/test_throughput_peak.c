/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-1..3, TP-15: peak and effective ratio without memory (Hong, PhD thesis 2012, Eqs. 64 to 70,
 * Tables 14 and 15); what is refused, and what any input gives.
 */
#include "analytic/throughput_fixture.h"

/* A floating-point kernel without anything else: 8 instructions, fully independent. */
static const throughput_mix plain = {.fp_insts = 8, .mstr = 1, .ilp = 1, .sse_ilp = 1, .dep = 20, .n = 32};

typedef struct request {
    throughput_device device;
    throughput_mix mix;
} request;
#define DEVICE(path, value) {MEMBER(request, device.path), value}
#define MIX(path, value) {MEMBER(request, mix.path), value}
#undef OUT
#define OUT(path, expected) WANT(throughput_peak, path, expected, 1e-12)

/* The parts' own checks refuse just what the whole refuses of them. */
static bool peak(const void *input, void *out, analytic_err *said)
{
    const request *r = input;
    analytic_err parts = {""};
    const bool can_be = throughput_device_check(&r->device, &parts) && throughput_mix_check(&r->mix, &parts);
    const bool done = throughput_peak_compute(&r->device, &r->mix, out, said);

    if (!can_be) {
        assert_false(done);
        assert_string_equal(parts.text, said->text);
    }
    return done;
}

#define assert_on(device, mix, rows) results_on(device, mix, rows, LENGTH(rows))
static void results_on(throughput_device device, throughput_mix mix, const result *rows, size_t num)
{
    const request good = {device, mix};
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
        {MEMBER(request, device.freq), &not_positive},          {MEMBER(request, device.dram_latency), &not_positive},
        {MEMBER(request, device.mem_bandwidth), &not_positive}, {MEMBER(request, device.inst_latency), &not_positive},
        {MEMBER(request, mix.fp_insts), &negative},             {MEMBER(request, mix.fp_fused_insts), &negative},
        {MEMBER(request, mix.fp_vec_insts), &negative},         {MEMBER(request, mix.fp_vec_fused_insts), &negative},
        {MEMBER(request, mix.int_insts), &negative},            {MEMBER(request, mix.br_misc_insts), &negative},
        {MEMBER(request, mix.mem_insts), &negative},            {MEMBER(request, mix.mstr), &below_1},
        {MEMBER(request, mix.ilp), &below_1},                   {MEMBER(request, mix.dep), &below_1},
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
    const request good = {gtx580(), plain};
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
    const request good = {e5645(), plain};
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

TEST(wild_inputs_fail_or_give_numbers)
{
    uint64_t seed = 6770;
    tally count = {0};

    for (unsigned i = 0; i < 200000; i++) {
        throughput_device device = i % 2 ? gtx580() : e5645();
        throughput_mix mix = {0};
        double *const numbers[] = {&mix.fp_insts, &mix.fp_fused_insts, &mix.fp_vec_insts,
                                   &mix.fp_vec_fused_insts, &mix.int_insts, &mix.br_misc_insts,
                                   &mix.mem_insts, &mix.mstr, &mix.ilp, &mix.sse_ilp, &mix.dep};
        throughput_peak p;

        if (i % 3 == 0)
            device = (throughput_device){
                (enum throughput_kind)(random_next(&seed) % 3), random_wild(&seed, 4), random_wild(&seed, 4),
                random_count(&seed), random_count(&seed), random_count(&seed), random_count(&seed),
                random_wild(&seed, 4), random_wild(&seed, 4)};
        for (size_t k = 0; k < LENGTH(numbers); k++)
            *numbers[k] = random_wild(&seed, 8);
        mix.n = random_count(&seed);
        mark(&p, sizeof p);
        if (!tally_add(&count, throughput_peak_compute(&device, &mix, &p, &err), &err)) {
            assert_true(marked(&p, sizeof p));
            continue;
        }
        assert_finite_from(&p, &p + 1);
        assert_true(p.eff_ratio >= 0 && p.eff_ratio <= 1);
        assert_true(p.peak_achi <= fmax(p.dev_peak_fp, p.dev_peak_vec_fp) * (1 + 1e-12));
    }
    assert_true(count.taken > 1000 && count.refused > 1000);
}

TEST_MAIN("throughput_peak")
