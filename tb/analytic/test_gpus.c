/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in GPUs: where their numbers come from, and that each is one.
 */
#include "analytic/predict_fixture.h"

TEST(there_are_six)
{
    static const char *const names[] = {"8800gtx", "fx5600", "8800gt", "gtx280", "gtx580", "fermi"};
    analytic_gpu gpu = {.name = "untouched"};

    for (unsigned i = 0; i < 6; i++) {
        assert_true(analytic_gpu_at(i, &gpu));
        assert_string_equal(gpu.name, names[i]);
        assert_string_equal(gpu.memory.name, names[i]);
        assert_string_not_equal(gpu.note, "");
    }
    strcpy(gpu.name, "untouched");
    assert_false(analytic_gpu_at(6, &gpu));
    assert_false(analytic_gpu_at(UINT32_MAX, &gpu));
    assert_false(analytic_gpu_find("gtx2800", &gpu));
    assert_false(analytic_gpu_find("gtx28", &gpu));
    assert_false(analytic_gpu_find("", &gpu));
    assert_string_equal(gpu.name, "untouched");
}

TEST(names_ignore_case)
{
    analytic_gpu gpu;

    assert_true(analytic_gpu_find("GTX280", &gpu));
    assert_string_equal(gpu.name, "gtx280");
    assert_true(analytic_gpu_find("Fermi", &gpu));
    assert_string_equal(gpu.name, "fermi");
}

/* Table 2: processors, clock, bandwidth. */
TEST(table_2_and_table_10)
{
    static const struct {
        const char *name;
        uint32_t sms;
        double ghz, gb_s, mem_ld;
        const char *occupancy;
    } table[] = {
        {"8800gtx", 16, 1.35, 86.4, 420, "cc1.0"}, {"fx5600", 16, 1.35, 76.8, 420, "cc1.0"},
        {"8800gt", 14, 1.5, 57.6, 420, "cc1.1"},   {"gtx280", 30, 1.3, 141.7, 450, "cc1.3"},
        {"gtx580", 16, 1.544, 150, 450, "cc2.0"},  {"fermi", 15, 0.7, 177.4, 320, "fermi"},
    };

    for (unsigned i = 0; i < LENGTH(table); i++) {
        const analytic_gpu gpu = predict_on(table[i].name, predict_kernel()).gpu;

        assert_int_equal(gpu.occupancy.num_sms, table[i].sms);
        assert_string_equal(gpu.occupancy.name, table[i].occupancy);
        assert_each(IS(gpu.memory.freq_ghz, table[i].ghz), IS(gpu.memory.bandwidth_gb_s, table[i].gb_s),
                    IS(gpu.memory.mem_ld, table[i].mem_ld), IS(gpu.memory.warp_size, gpu.occupancy.warp_size));
    }
}

TEST(the_other_sets_are_the_models)
{
    const analytic_gpu gpu = predict_on("fx5600", predict_kernel()).gpu;
    const mwp_cwp_gpu *memory = mwp_cwp_gpu_find("FX5600");

    assert_near(gpu.memory.departure_coal, memory->departure_coal, 0);
    assert_near(gpu.memory.departure_uncoal, memory->departure_uncoal, 0);
    assert_near(gpu.memory.issue_cycles, memory->issue_cycles, 0);
    assert_int_equal(gpu.occupancy.registers, occupancy_gpu_find("cc1.0")->registers);
}

TEST(three_have_power)
{
    static const struct {
        const char *name, *power;
    } with[] = {{"gtx280", "gtx280"}, {"gtx580", "gtx580"}, {"fermi", "gtx580"}};
    unsigned num = 0;
    analytic_gpu gpu;

    for (unsigned i = 0; analytic_gpu_at(i, &gpu); i++)
        num += gpu.has_power;
    assert_int_equal(num, 3);
    for (unsigned i = 0; i < 3; i++) {
        gpu = predict_on(with[i].name, predict_kernel()).gpu;
        assert_true(gpu.has_power);
        assert_memory_equal(&gpu.power, ipp_params_find(with[i].power), sizeof gpu.power);
    }
}

TEST(each_predicts)
{
    analytic_gpu gpu;

    for (unsigned i = 0; analytic_gpu_at(i, &gpu); i++) {
        const predict_request r = predict_on(gpu.name, predict_kernel());
        const prediction *p = predict_solve(&r);

        predict_assert_finite(p);
        assert_true(p->point[1].ipc <= 1 / gpu.memory.issue_cycles);
        assert_int_equal(p->best_limit, predict_expected_best(p));
    }
}
