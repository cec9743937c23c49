/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in GPUs: where their numbers come from, and that each is one.
 */
#include "analytic/predict_fixture.h"

/* Tables 2 and 10: processors, clock, bandwidth; the other sets are the models'. */
TEST(there_are_six)
{
    static const struct {
        const char *name;
        uint32_t sms;
        double ghz, gb_s, mem_ld;
        const char *occupancy, *memory, *power;
    } table[] = {
        {"8800gtx", 16, 1.35, 86.4, 420, "cc1.0", "8800GTX", NULL}, {"fx5600", 16, 1.35, 76.8, 420, "cc1.0", "FX5600", NULL},
        {"8800gt", 14, 1.5, 57.6, 420, "cc1.1", "8800GT", NULL},
        {"gtx280", 30, 1.3, 141.7, 450, "cc1.3", "GTX280", "gtx280"},
        {"gtx580", 16, 1.544, 150, 450, "cc2.0", NULL, "gtx580"}, {"fermi", 15, 0.7, 177.4, 320, "fermi", NULL, "gtx580"},
    };
    analytic_gpu gpu;

    for (unsigned i = 0; i < LENGTH(table); i++) {
        const mwp_cwp_gpu *memory = table[i].memory ? mwp_cwp_gpu_find(table[i].memory) : &gpu.memory;

        assert_true(analytic_gpu_at(i, &gpu));
        assert_string_equal(gpu.name, table[i].name);
        assert_string_equal(gpu.memory.name, table[i].name);
        assert_string_not_equal(gpu.note, "");
        assert_string_equal(gpu.occupancy.name, table[i].occupancy);
        assert_each(IS(gpu.occupancy.num_sms, table[i].sms), IS(gpu.memory.freq_ghz, table[i].ghz),
                    IS(gpu.memory.bandwidth_gb_s, table[i].gb_s), IS(gpu.memory.mem_ld, table[i].mem_ld),
                    IS(gpu.memory.warp_size, gpu.occupancy.warp_size),
                    IS(gpu.memory.departure_coal, memory->departure_coal),
                    IS(gpu.memory.departure_uncoal, memory->departure_uncoal),
                    IS(gpu.memory.issue_cycles, memory->issue_cycles),
                    IS(gpu.occupancy.registers, occupancy_gpu_find(table[i].occupancy)->registers),
                    IS(gpu.has_power, table[i].power != NULL));
        if (gpu.has_power)
            assert_memory_equal(&gpu.power, ipp_params_find(table[i].power), sizeof gpu.power);
    }
}

TEST(names_ignore_case_and_must_be_there)
{
    static const char *const none[] = {"gtx2800", "gtx28", ""};
    analytic_gpu gpu;

    assert_true(analytic_gpu_find("GTX280", &gpu));
    assert_string_equal(gpu.name, "gtx280");
    assert_true(analytic_gpu_find("Fermi", &gpu));
    assert_string_equal(gpu.name, "fermi");
    strcpy(gpu.name, "untouched");
    for (size_t i = 0; i < LENGTH(none); i++)
        assert_false(analytic_gpu_find(none[i], &gpu));
    assert_false(analytic_gpu_at(6, &gpu));
    assert_false(analytic_gpu_at(UINT32_MAX, &gpu));
    assert_string_equal(gpu.name, "untouched");
}

TEST(each_predicts)
{
    analytic_gpu gpu;

    for (unsigned i = 0; analytic_gpu_at(i, &gpu); i++) {
        const predict_request r = predict_on(gpu.name, predict_kernel());
        const analytic_prediction *p = predict_solve(&r);

        predict_assert_finite(p);
        assert_true(p->point[1].ipc <= 1 / gpu.memory.issue_cycles);
        assert_int_equal(p->best_limit, predict_expected_best(p));
    }
}
