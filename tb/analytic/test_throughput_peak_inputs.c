/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-1..3: what throughput_peak refuses, and what any input gives.
 */
#include "analytic/throughput_check.h"

#include "analytic/throughput_peak.h"

/* A floating-point kernel without anything else. */
static const throughput_mix plain = {.fp_insts = 8, .mstr = 1, .ilp = 1, .sse_ilp = 1, .dep = 20, .n = 32};

static throughput_device gtx580(void)
{
    return throughput_device_gtx580(THROUGHPUT_TABLE_14_CORRECTED);
}

static throughput_device e5645(void)
{
    return throughput_device_e5645(THROUGHPUT_TABLE_14_CORRECTED);
}

static void impossible_devices_are_refused(void **test)
{
    static const struct { const char *word; size_t field; } numbers[] = {
        {"freq is ", offsetof(throughput_device, freq)},
        {"dram_latency is ", offsetof(throughput_device, dram_latency)},
        {"mem_bandwidth is ", offsetof(throughput_device, mem_bandwidth)},
        {"inst_latency is ", offsetof(throughput_device, inst_latency)},
    };
    static const double bads[] = {0, -1, NAN, INFINITY};
    throughput_device device;
    throughput_peak p;
    analytic_err err;

    (void)test;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (size_t k = 0; k < sizeof bads / sizeof *bads; k++) {
            device = gtx580();
            memcpy((char *)&device + numbers[i].field, &bads[k], sizeof bads[k]);
            mark(&p, sizeof p);
            assert_refused(throughput_peak_compute(&device, &plain, &p, &err), numbers[i].word);
            assert_refused(throughput_device_check(&device, &err), numbers[i].word);
            assert_true(marked(&p, sizeof p));
        }
    device = gtx580();
    device.kind = THROUGHPUT_KINDS;
    assert_refused(throughput_device_check(&device, &err), "kind is 2");
    device = gtx580();
    device.cores = 0;
    assert_refused(throughput_device_check(&device, &err), "cores is 0");
    device = gtx580();
    device.fp_units = 0;
    assert_refused(throughput_device_check(&device, &err), "fp_units is 0");
    device = e5645();
    device.vec_lanes = 0;
    assert_refused(throughput_device_check(&device, &err), "vec_lanes is 0");
    device.vec_units = 0;
    assert_true(throughput_device_check(&device, &err));
    device.kind = THROUGHPUT_GPU;
    device.vec_units = 1;
    assert_true(throughput_device_check(&device, &err));
}

static void impossible_mixes_are_refused(void **test)
{
    static const struct { const char *word; size_t field; double least; } rows[] = {
        {"fp_insts is ", offsetof(throughput_mix, fp_insts), 0},
        {"fp_fused_insts is ", offsetof(throughput_mix, fp_fused_insts), 0},
        {"fp_vec_insts is ", offsetof(throughput_mix, fp_vec_insts), 0},
        {"fp_vec_fused_insts is ", offsetof(throughput_mix, fp_vec_fused_insts), 0},
        {"int_insts is ", offsetof(throughput_mix, int_insts), 0},
        {"br_misc_insts is ", offsetof(throughput_mix, br_misc_insts), 0},
        {"mem_insts is ", offsetof(throughput_mix, mem_insts), 0},
        {"mstr is ", offsetof(throughput_mix, mstr), 1},
        {"ilp is ", offsetof(throughput_mix, ilp), 1},
        {"dep is ", offsetof(throughput_mix, dep), 1},
    };
    const throughput_device device = gtx580();
    throughput_mix mix;
    throughput_peak p;
    analytic_err err;

    (void)test;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double bads[] = {rows[i].least - 0.5, NAN, INFINITY, -1};

        for (size_t k = 0; k < sizeof bads / sizeof *bads; k++) {
            mix = plain;
            memcpy((char *)&mix + rows[i].field, &bads[k], sizeof bads[k]);
            mark(&p, sizeof p);
            assert_refused(throughput_peak_compute(&device, &mix, &p, &err), rows[i].word);
            assert_refused(throughput_mix_check(&mix, &err), rows[i].word);
            assert_true(marked(&p, sizeof p));
        }
    }
    mix = plain;
    mix.n = 0;
    assert_refused(throughput_mix_check(&mix, &err), "n is 0");
}

static void a_mix_without_useful_work_is_refused(void **test)
{
    throughput_mix mix = plain;
    analytic_err err;

    (void)test;
    mix.fp_insts = 0;
    mix.int_insts = 9;
    assert_refused(throughput_mix_check(&mix, &err), "fp_vec_fused_insts are 0");
    mix.fp_fused_insts = 1;
    assert_true(throughput_mix_check(&mix, &err));
    mix.fp_fused_insts = 0;
    mix.fp_vec_insts = 1;
    assert_true(throughput_mix_check(&mix, &err));
    mix.fp_vec_insts = 0;
    mix.fp_vec_fused_insts = 1;
    assert_true(throughput_mix_check(&mix, &err));
}

static void vector_work_needs_vector_units_and_their_ilp(void **test)
{
    throughput_device device = e5645();
    throughput_mix mix = plain;
    throughput_peak p;
    analytic_err err;

    (void)test;
    mix.sse_ilp = 0; /* not used without vector instructions */
    assert_true(throughput_peak_compute(&device, &mix, &p, &err));
    mix.fp_vec_fused_insts = 1;
    assert_refused(throughput_peak_compute(&device, &mix, &p, &err), "sse_ilp is 0");
    mix.sse_ilp = 1;
    device.vec_units = 0;
    assert_refused(throughput_peak_compute(&device, &mix, &p, &err), "vec_units is 0");
    mix.fp_vec_fused_insts = 0;
    assert_true(throughput_peak_compute(&device, &mix, &p, &err));
    device = gtx580();
    mix.fp_vec_fused_insts = 1;
    mix.sse_ilp = NAN; /* nor on a GPU */
    assert_true(throughput_peak_compute(&device, &mix, &p, &err));
}

static void results_beyond_a_double_are_refused(void **test)
{
    throughput_device device = gtx580();
    throughput_mix mix = plain;
    throughput_peak p;
    analytic_err err;

    (void)test;
    device.freq = 1e307;
    assert_refused(throughput_peak_compute(&device, &mix, &p, &err), "dev_peak_fp has no finite value");
    device.freq = 1e308 / 16 / 32;
    assert_refused(throughput_peak_compute(&device, &mix, &p, &err), "dev_peak_vec_fp has no finite value");
    device = gtx580();
    mix.fp_insts = 1e308;
    mix.int_insts = 1e308;
    assert_refused(throughput_peak_compute(&device, &mix, &p, &err), "total_insts has no finite value");
    mix.int_insts = 0;
    mix.dep = 1;
    assert_refused(throughput_peak_compute(&device, &mix, &p, &err), "total_cycles has no finite value");
    mix = plain;
    mix.fp_insts = 5e-324;
    mix.ilp = 1e308;
    assert_refused(throughput_peak_compute(&device, &mix, &p, &err), "eff_ratio has no finite value");
}

static void wild_inputs_fail_or_give_numbers(void **test)
{
    uint64_t seed = 6770;
    unsigned done = 0;

    (void)test;
    for (unsigned i = 0; i < 200000; i++) {
        throughput_device device = i % 2 ? gtx580() : e5645();
        throughput_mix mix = {0};
        throughput_peak p;
        analytic_err err = {""};

        if (i % 3 == 0)
            device = (throughput_device){
                (enum throughput_kind)(random_next(&seed) % 3), random_wild(&seed), random_wild(&seed),
                random_count(&seed), random_count(&seed), random_count(&seed), random_count(&seed),
                random_wild(&seed), random_wild(&seed)};
        double *const numbers[] = {&mix.fp_insts, &mix.fp_fused_insts, &mix.fp_vec_insts,
                                   &mix.fp_vec_fused_insts, &mix.int_insts, &mix.br_misc_insts,
                                   &mix.mem_insts, &mix.mstr, &mix.ilp, &mix.sse_ilp, &mix.dep};

        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            *numbers[k] = random_wild(&seed);
        mix.n = random_count(&seed);
        mark(&p, sizeof p);
        if (throughput_peak_compute(&device, &mix, &p, &err)) {
            const double values[] = {p.fp, p.vec_fp, p.dev_peak_fp, p.dev_peak_vec_fp, p.peak_fp,
                                     p.peak_vec_fp, p.peak_achi, p.total_insts, p.dep_effect, p.perf_cycles,
                                     p.total_cycles, p.eff_ratio, p.perf};

            assert_all_finite(values, sizeof values / sizeof *values);
            assert_true(p.eff_ratio >= 0 && p.eff_ratio <= 1);
            assert_true(p.peak_achi <= fmax(p.dev_peak_fp, p.dev_peak_vec_fp) * (1 + 1e-12));
            done++;
        } else {
            assert_said(&err);
            assert_true(marked(&p, sizeof p));
        }
    }
    assert_true(done > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_devices_are_refused),
        cmocka_unit_test(impossible_mixes_are_refused),
        cmocka_unit_test(a_mix_without_useful_work_is_refused),
        cmocka_unit_test(vector_work_needs_vector_units_and_their_ilp),
        cmocka_unit_test(results_beyond_a_double_are_refused),
        cmocka_unit_test(wild_inputs_fail_or_give_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
