/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-1..3, TP-15: peak and effective ratio without memory (Hong, PhD thesis 2012, Eqs. 64 to 70,
 * Tables 14 and 15).
 */
#include "analytic/throughput_check.h"

#include "analytic/throughput_peak.h"

/* A floating-point kernel without anything else: 8 instructions, fully independent. */
static const throughput_mix plain = {.fp_insts = 8, .mstr = 1, .ilp = 1, .sse_ilp = 1, .dep = 20, .n = 32};

static throughput_peak compute(const throughput_device *device, const throughput_mix *mix)
{
    throughput_peak p;
    analytic_err err;

    assert_true(throughput_peak_compute(device, mix, &p, &err));
    return p;
}

static throughput_device gtx580(void)
{
    return throughput_device_gtx580(THROUGHPUT_TABLE_14_CORRECTED);
}

static throughput_device e5645(void)
{
    return throughput_device_e5645(THROUGHPUT_TABLE_14_CORRECTED);
}

static void table_14_as_printed_and_corrected(void **test)
{
    const throughput_device gpu[] = {gtx580(), throughput_device_gtx580(THROUGHPUT_TABLE_14_PRINTED)};
    const throughput_device cpu[] = {e5645(), throughput_device_e5645(THROUGHPUT_TABLE_14_PRINTED)};

    (void)test;
    assert_same(gpu[0].freq, 1.544);
    assert_same(gpu[1].freq, 2.4);
    assert_int_equal(gpu[0].cores, 16);
    assert_int_equal(gpu[1].cores, 1);
    assert_same(cpu[0].freq, 2.4);
    assert_same(cpu[1].freq, 1.544);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(gpu[i].kind, THROUGHPUT_GPU);
        assert_same(gpu[i].dram_latency, 450);
        assert_int_equal(gpu[i].fp_units, 32);
        assert_same(gpu[i].mem_bandwidth, 150);
        assert_same(gpu[i].inst_latency, 20);
        assert_int_equal(cpu[i].kind, THROUGHPUT_CPU);
        assert_same(cpu[i].dram_latency, 250);
        assert_int_equal(cpu[i].cores, 12);
        assert_int_equal(cpu[i].fp_units, 2);
        assert_int_equal(cpu[i].vec_units, 2);
        assert_int_equal(cpu[i].vec_lanes, 4);
        assert_same(cpu[i].mem_bandwidth, 50);
        assert_same(cpu[i].inst_latency, 4);
    }
}

/* Section 5.6: "a performance can be anywhere from 0 to 1600 GFlops for a GTX580". */
static void tp_2_peak_of_the_gtx_580(void **test)
{
    const throughput_device device = gtx580();
    const throughput_device printed = throughput_device_gtx580(THROUGHPUT_TABLE_14_PRINTED);
    throughput_mix mix = plain;

    (void)test;
    assert_digits(compute(&device, &mix).peak_achi, 790.528, 0.001);
    mix.fp_insts = 0;
    mix.fp_fused_insts = 8;
    assert_digits(compute(&device, &mix).peak_achi, 1581, 1);
    assert_digits(compute(&device, &mix).peak_achi, 1600, 100);
    assert_same(compute(&printed, &mix).peak_achi, 153.6);
}

static void tp_2_peak_of_the_e5645(void **test)
{
    const throughput_device device = e5645(), printed = throughput_device_e5645(THROUGHPUT_TABLE_14_PRINTED);
    throughput_mix mix = plain;

    (void)test;
    assert_same(compute(&device, &mix).peak_achi, 57.6);
    mix.fp_insts = 0;
    mix.fp_vec_insts = 8; /* four lanes: four times as much (section 5.8) */
    assert_same(compute(&device, &mix).peak_achi, 230.4);
    assert_same(compute(&printed, &mix).peak_achi, 148.224);
}

static void tp_2_mixture_on_a_gpu(void **test)
{
    const throughput_device device = gtx580();
    const throughput_mix mix = {.fp_insts = 2, .fp_vec_insts = 1, .fp_fused_insts = 4,
                                .fp_vec_fused_insts = 5, .mstr = 1, .ilp = 1, .dep = 20, .n = 1};
    const throughput_peak p = compute(&device, &mix);

    (void)test;
    assert_same(p.fp, 3);      /* vectorizable or not */
    assert_same(p.vec_fp, 9);  /* fused */
    assert_same(p.total_insts, 12);
    assert_same(p.dev_peak_fp, 790.528);
    assert_same(p.dev_peak_vec_fp, 1581.056);
    assert_same(p.peak_fp, 790.528 / 4);
    assert_same(p.peak_vec_fp, 1581.056 * 0.75);
    assert_same(p.peak_achi, 790.528 * 1.75);
    assert_same(p.eff_ratio, 1);
    assert_same(p.perf, p.peak_achi);
}

static void tp_15_a_cpu_has_no_fused_multiply_add(void **test)
{
    const throughput_device device = e5645();
    const throughput_mix mix = {.fp_insts = 2, .fp_fused_insts = 4, .fp_vec_insts = 10,
                                .fp_vec_fused_insts = 10, .int_insts = 7, .br_misc_insts = 2, .mem_insts = 1,
                                .mstr = 1, .ilp = 1, .sse_ilp = 1, .dep = 4, .n = 1};
    const throughput_peak p = compute(&device, &mix);

    (void)test;
    assert_same(p.fp, 10);     /* 2 + 2 x 4 */
    assert_same(p.vec_fp, 30); /* 10 + 2 x 10 */
    assert_same(p.peak_fp, 57.6 / 4);
    assert_same(p.peak_vec_fp, 230.4 * 0.75);
    assert_same(p.peak_achi, 187.2);
    assert_same(p.total_insts, 50);
    assert_same(p.eff_ratio, 0.8);
    assert_same(p.perf, 187.2 * 0.8);
}

/* Section 5.3.1: "if five FP instructions exist out of 10 total, then the ratio is at most 0.5". */
static void tp_3_five_useful_of_ten(void **test)
{
    const throughput_device device = gtx580();
    throughput_mix mix = {.fp_insts = 5, .int_insts = 2, .br_misc_insts = 2, .mem_insts = 1,
                          .mstr = 1, .ilp = 1, .dep = 20, .n = 32};
    throughput_peak p = compute(&device, &mix);

    (void)test;
    assert_same(p.perf_cycles, 5);
    assert_same(p.total_cycles, 10);
    assert_same(p.eff_ratio, 0.5);
    assert_same(p.perf, 790.528 / 2);
    mix.dep = 10; /* back-to-back dependences take it further down */
    p = compute(&device, &mix);
    assert_same(p.dep_effect, 2);
    assert_same(p.perf_cycles, 5);
    assert_same(p.total_cycles, 20);
    assert_same(p.eff_ratio, 0.25);
}

/* Section 5.8: latency 4; distance 1 costs a factor of four, 2 of two, 4 and more nothing. */
static void tp_3_dependences_on_a_cpu(void **test)
{
    static const struct { double dep, effect; } rows[] = {{1, 4}, {2, 2}, {4, 1}, {5, 1}, {100, 1}};
    const throughput_device device = e5645();
    throughput_mix mix = plain;

    (void)test;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        mix.dep = rows[i].dep;
        assert_same(compute(&device, &mix).dep_effect, rows[i].effect);
        assert_same(compute(&device, &mix).eff_ratio, 1 / rows[i].effect);
    }
}

static void tp_3_dependence_on_a_gpu_costs_20_cycles(void **test)
{
    const throughput_device device = gtx580();
    throughput_mix mix = plain;

    (void)test;
    mix.dep = 1;
    assert_same(compute(&device, &mix).dep_effect, 20);
}

static void tp_3_ilp_divides_both_cycles(void **test)
{
    const throughput_device device = gtx580();
    throughput_mix mix = plain;

    (void)test;
    mix.int_insts = 8;
    mix.fp_fused_insts = 4;
    mix.ilp = 2;
    mix.sse_ilp = 4; /* of vector units that a GPU does not have */
    const throughput_peak p = compute(&device, &mix);
    assert_same(p.perf_cycles, 6);
    assert_same(p.total_cycles, 10);
    assert_same(p.eff_ratio, 0.6);
}

static void tp_3_vector_instructions_have_their_own_ilp(void **test)
{
    const throughput_device device = e5645();
    const throughput_mix mix = {.fp_insts = 8, .fp_vec_insts = 12, .int_insts = 4, .mstr = 1, .ilp = 2,
                                .sse_ilp = 3, .dep = 2, .n = 1};
    const throughput_peak p = compute(&device, &mix);

    (void)test;
    assert_same(p.perf_cycles, 4 + 4);
    assert_same(p.total_cycles, (6 + 4) * 2);
    assert_same(p.eff_ratio, 0.4);
}

static void tp_1_perf_is_peak_times_ratio(void **test)
{
    double perf = -1;
    analytic_err err;

    (void)test;
    assert_true(throughput_perf(1600, 0.25, &perf, &err));
    assert_same(perf, 400);
    assert_true(throughput_perf(0, 1, &perf, &err));
    assert_same(perf, 0);
    perf = 7;
    assert_refused(throughput_perf(-1, 0.5, &perf, &err), "peak_achi is -1");
    assert_refused(throughput_perf(NAN, 0.5, &perf, &err), "peak_achi is ");
    assert_refused(throughput_perf(1600, -0.1, &perf, &err), "eff_ratio is -0.1");
    assert_refused(throughput_perf(1600, 1.1, &perf, &err), "eff_ratio is 1.1");
    assert_same(perf, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_14_as_printed_and_corrected),
        cmocka_unit_test(tp_2_peak_of_the_gtx_580),
        cmocka_unit_test(tp_2_peak_of_the_e5645),
        cmocka_unit_test(tp_2_mixture_on_a_gpu),
        cmocka_unit_test(tp_15_a_cpu_has_no_fused_multiply_add),
        cmocka_unit_test(tp_3_five_useful_of_ten),
        cmocka_unit_test(tp_3_dependences_on_a_cpu),
        cmocka_unit_test(tp_3_dependence_on_a_gpu_costs_20_cycles),
        cmocka_unit_test(tp_3_ilp_divides_both_cycles),
        cmocka_unit_test(tp_3_vector_instructions_have_their_own_ilp),
        cmocka_unit_test(tp_1_perf_is_peak_times_ratio),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
