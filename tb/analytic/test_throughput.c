/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-4..10: memory parallelism, idle cycles, effective ratio (Hong, PhD thesis 2012, Eqs. 71 to 82).
 */
#include "analytic/throughput_check.h"

static throughput_result compute(const throughput_in *in)
{
    throughput_result r;
    analytic_err err;

    assert_true(throughput_compute(in, NULL, &r, &err));
    return r;
}

static void reference_vector_1_is_tp_e2_figures_102_103(void **test)
{
    const throughput_result r = compute(&vectors[0]);

    (void)test;
    assert_same(r.mwp_app_infin, 3);
    assert_same(r.mwp_app_one_mem_warp, 3);
    assert_same(r.mwp_app, 3);
    assert_same(r.mwp, 3);
    assert_same(r.mem_serial_n, 1800);
    assert_same(r.mem_divided_n, 600);
    assert_same(r.mem_n, 800);
    assert_same(r.comp_cycles_n, 600);
    assert_same(r.idle_mem_cycles, 200);
    assert_same(r.idle_per_serial, 200 / 1800.0);
    assert_same(r.eff_ratio_comp, 0.4);
    assert_same(r.eff_ratio, 0.30);
    assert_int_equal(r.category, 10);
    assert_int_equal(r.limiter, THROUGHPUT_BY_APP);
}

static void reference_vector_2_is_limited_by_bandwidth(void **test)
{
    const throughput_result r = compute(&vectors[1]);

    (void)test;
    assert_same(r.mwp_app_infin, 22.5);
    assert_same(r.mwp_app_one_mem_warp, 22.5);
    assert_same(r.mwp_app, 45);
    assert_same(r.mwp, 21.25);
    assert_same(r.mem_serial_n, 14400);
    assert_same(r.mem_divided_n, 14400 / 21.25);
    assert_same(r.mem_n, 14400 / 21.25 + 20 * 20.25);
    assert_digits(r.mem_n, 1082.647, 0.001);
    assert_same(r.comp_cycles_n, 640);
    assert_digits(r.idle_mem_cycles, 442.647, 0.001);
    assert_digits(r.eff_ratio, 0.295572, 0.000001);
    assert_same(r.eff_ratio, 320 / (14400 / 21.25 + 405));
    assert_int_equal(r.category, 8);
    assert_int_equal(r.limiter, THROUGHPUT_BY_BW);
}

static void reference_vector_3_has_too_few_warps(void **test)
{
    const throughput_result r = compute(&vectors[2]);

    (void)test;
    assert_same(r.mwp_app_infin, 3);
    assert_same(r.mwp_app_one_mem_warp, 2);
    assert_same(r.mwp_app, 2);
    assert_same(r.mwp, 2);
    assert_same(r.mem_n, 400);
    assert_same(r.idle_mem_cycles, 200);
    assert_same(r.eff_ratio, 0.20);
    assert_int_equal(r.category, 5);
    assert_int_equal(r.limiter, THROUGHPUT_BY_N);
}

static void reference_vector_4_computes_much(void **test)
{
    const throughput_result r = compute(&vectors[3]);

    (void)test;
    assert_same(r.mwp_app_infin, 2.25);
    assert_same(r.mwp, 2.25);
    assert_same(r.mem_divided_n, 6400);
    assert_same(r.mem_n, 6650);
    assert_same(r.comp_cycles_n, 6400);
    assert_same(r.idle_mem_cycles, 250);
    assert_digits(r.eff_ratio, 0.481203, 0.000001);
    assert_same(r.eff_ratio, 3200 / 6650.0);
    assert_int_equal(r.category, 10);
}

static void tp_4_mwp_is_the_smallest_of_four(void **test)
{
    static const struct { double bw, proc, mwp; uint32_t n; enum throughput_limiter limiter; } rows[] = {
        {99, 99, 20, 48, THROUGHPUT_BY_APP}, {7, 99, 7, 48, THROUGHPUT_BY_BW},
        {99, 7, 7, 48, THROUGHPUT_BY_PROC},  {99, 99, 7, 7, THROUGHPUT_BY_N},
        {7, 6, 6, 48, THROUGHPUT_BY_PROC},   {6, 7, 6, 48, THROUGHPUT_BY_BW},
        {20, 20, 20, 48, THROUGHPUT_BY_APP}, {9, 9, 9, 48, THROUGHPUT_BY_BW},
        {7, 7, 7, 7, THROUGHPUT_BY_N},
    };

    (void)test;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const throughput_in in = {.eff_mem = 200, .eff_comp = 10, .eff_perf = 5, .n = rows[i].n,
                                  .mwp_bw = rows[i].bw, .mwp_proc = rows[i].proc, .mstr = 1};
        const throughput_result r = compute(&in);

        assert_same(r.mwp, rows[i].mwp);
        assert_int_equal(r.limiter, rows[i].limiter);
    }
    assert_string_equal(throughput_limiter_name(THROUGHPUT_BY_N), "N");
    assert_string_equal(throughput_limiter_name(THROUGHPUT_BY_APP), "MWP_App");
    assert_string_equal(throughput_limiter_name(THROUGHPUT_BY_BW), "MWP_BW");
    assert_string_equal(throughput_limiter_name(THROUGHPUT_BY_PROC), "MWP_Proc");
    assert_string_equal(throughput_limiter_name(THROUGHPUT_LIMITERS), "no such limit");
}

static void tp_e1_figure_101_two_warps_want_four_get_two(void **test)
{
    /* MWP_App is 4 of two warps: each has two loads in flight, or MWP_App_InfiN is meant. */
    throughput_in in = {.eff_mem = 300, .eff_comp = 100, .eff_perf = 40, .n = 2, .mwp_bw = 3,
                              .mwp_proc = 99, .mstr = 2};
    throughput_result r = compute(&in);

    (void)test;
    assert_same(r.mwp_app, 4);
    assert_same(r.mwp, 2);
    assert_int_equal(r.limiter, THROUGHPUT_BY_N);
    assert_int_equal(r.category, 3); /* "even if there are only two warps" */
    in.eff_mem = 400;
    in.mstr = 1;
    r = compute(&in);
    assert_same(r.mwp_app_infin, 4);
    assert_same(r.mwp, 2);
}

static void tp_5_infin_is_at_least_one(void **test)
{
    throughput_in in = vectors[3];

    (void)test;
    in.eff_mem = 100;
    assert_same(compute(&in).mwp_app_infin, 1);
    in.eff_mem = 201;
    assert_same(compute(&in).mwp_app_infin, 1.005);
    in.eff_mem = 0; /* all in the cache */
    const throughput_result r = compute(&in);
    assert_same(r.mwp_app_infin, 1);
    assert_same(r.mem_serial_n, 0);
    assert_same(r.idle_per_serial, 0);
    assert_same(r.idle_mem_cycles, 0);
    assert_same(r.eff_ratio, 0.5);
}

static void tp_5_figure_98_more_computation_wants_fewer_accesses(void **test)
{
    throughput_in in = vectors[0];

    (void)test;
    in.n = 48;
    assert_same(compute(&in).mwp_app, 3);
    in.eff_comp = 150;
    assert_same(compute(&in).mwp_app, 2);
}

static void tp_6_mstr_multiplies_the_demand_figure_100(void **test)
{
    throughput_in in = vectors[0];

    (void)test;
    in.n = 2;
    in.mstr = 2;
    assert_same(compute(&in).mwp_app_one_mem_warp, 2);
    assert_same(compute(&in).mwp_app, 4);
    in.n = 48;
    assert_same(compute(&in).mwp_app_one_mem_warp, 3);
    assert_same(compute(&in).mwp_app, 6);
}

/* TP-A5 holds where the warps are too few. Where they are enough, MSTR raises MWP, too. */
static void tp_a5_mstr_moves_mwp_only_where_warps_are_enough(void **test)
{
    throughput_in in = vectors[0];
    throughput_result one, two;

    (void)test;
    in.mwp_bw = 99;
    for (in.n = 1; in.n <= 3; in.n++) {
        in.mstr = 1;
        one = compute(&in);
        in.mstr = 2;
        two = compute(&in);
        assert_same(two.mwp_app, 2 * one.mwp_app);
        assert_same(two.mwp, one.mwp);
        assert_same(two.eff_ratio, one.eff_ratio);
    }
    in.n = 5;
    in.mstr = 1;
    assert_same(compute(&in).mwp, 3);
    in.mstr = 2;
    assert_same(compute(&in).mwp, 5);
}

static void tp_a1_infin_counts_the_waiting_warp_if_told(void **test)
{
    throughput_options options = throughput_options_default();
    throughput_result r;
    analytic_err err;

    (void)test;
    assert_int_equal(options.infin, THROUGHPUT_INFIN_PLUS1_EQ_93);
    assert_true(throughput_compute(&vectors[0], &options, &r, &err));
    assert_same(r.mwp_app_infin, 3);
    options.infin = THROUGHPUT_INFIN_EQ_72;
    assert_true(throughput_compute(&vectors[0], &options, &r, &err));
    assert_same(r.mwp_app_infin, 3);
    options.infin = THROUGHPUT_INFIN_PLUS1_ALL;
    assert_true(throughput_compute(&vectors[0], &options, &r, &err));
    assert_same(r.mwp_app_infin, 4);
    assert_same(r.mwp_app, 4);
    assert_same(r.mwp, 3);
    assert_int_equal(r.category, 8);
    assert_true(throughput_compute(&vectors[3], &options, &r, &err));
    assert_same(r.mwp_app_infin, 3.25);
}

/* TP-A3: with as many warps as "completely hide" the memory, the last one's tail is left. */
static void tp_a3_idle_is_not_0_at_infin_warps(void **test)
{
    throughput_in in = vectors[0];

    (void)test;
    in.mwp_bw = 99;
    in.n = 3;
    assert_same(compute(&in).idle_mem_cycles, 200);
    in.n = 48;
    assert_same(compute(&in).idle_mem_cycles, 200);
    assert_same(compute(&in).eff_ratio, 40 * 48 / (4800 + 200.0));
}

static void tp_9_without_idle_cycles_n_cancels(void **test)
{
    throughput_in in = {.eff_mem = 10, .eff_comp = 100, .eff_perf = 25, .mwp_bw = 9, .mwp_proc = 9,
                        .mstr = 1};

    (void)test;
    for (in.n = 1; in.n < 50; in.n++) {
        const throughput_result r = compute(&in);

        assert_same(r.idle_mem_cycles, 0);
        assert_same(r.eff_ratio, 0.25);
    }
}

static void tp_10_mwp_below_1_keeps_the_equation(void **test)
{
    throughput_in in = vectors[0];

    (void)test;
    in.mwp_bw = 0.5;
    const throughput_result r = compute(&in);
    assert_same(r.mwp, 0.5);
    assert_same(r.mem_n, 3600 - 50);
    in.eff_mem = 0;
    assert_same(compute(&in).mem_n, -50);
    assert_same(compute(&in).idle_mem_cycles, 0);
}

static void tp_8_mwp_bw_of_table_14(void **test)
{
    throughput_bw_in in = {.mem_bandwidth = 150, .freq = 1.544, .load_bytes = 128, .mem_l = 450,
                           .active_sm = 16};
    throughput_bw out;
    analytic_err err;

    (void)test;
    assert_true(throughput_mwp_bw(&in, &out, &err));
    assert_same(out.bw_per_warp, 1.544 * 128 / 450);
    assert_same(out.mwp_bw, 150 / (1.544 * 128 / 450 * 16));
    assert_digits(out.budget, 341.5, 0.1);
    assert_same(out.mwp_bw * 16, out.budget);
    in.load_bytes = 64;
    assert_true(throughput_mwp_bw(&in, &out, &err));
    assert_digits(out.budget, 683, 1);
    in.mem_l = 430;
    assert_true(throughput_mwp_bw(&in, &out, &err));
    assert_digits(out.budget, 652.7, 0.1);
    in.active_sm = 1;
    assert_true(throughput_mwp_bw(&in, &out, &err));
    assert_same(out.mwp_bw, out.budget);
}

/* The pair: several transactions multiply bytes and cycles, the parallelism stays. */
static void tp_8_load_bytes_and_mem_l_are_a_pair(void **test)
{
    throughput_bw_in in = {.mem_bandwidth = 150, .freq = 1.544, .load_bytes = 128, .mem_l = 450,
                           .active_sm = 16};
    throughput_bw one, four;
    analytic_err err;

    (void)test;
    assert_true(throughput_mwp_bw(&in, &one, &err));
    in.load_bytes *= 4;
    in.mem_l *= 4;
    assert_true(throughput_mwp_bw(&in, &four, &err));
    assert_same(four.mwp_bw, one.mwp_bw);
}

static void tp_8_mwp_proc_is_latency_over_departure_delay(void **test)
{
    double proc = 0;
    analytic_err err;

    (void)test;
    assert_true(throughput_mwp_proc(730, 320, &proc, &err));
    assert_same(proc, 2.28125);
}

static void limits_of_what_is_accepted(void **test)
{
    throughput_in in = vectors[0];

    (void)test;
    in.eff_perf = in.eff_comp;
    assert_same(compute(&in).eff_ratio_comp, 1);
    in.eff_perf = 0;
    assert_same(compute(&in).eff_ratio, 0);
    in.mstr = 1;
    in.n = 1;
    assert_same(compute(&in).mwp, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_vector_1_is_tp_e2_figures_102_103),
        cmocka_unit_test(reference_vector_2_is_limited_by_bandwidth),
        cmocka_unit_test(reference_vector_3_has_too_few_warps),
        cmocka_unit_test(reference_vector_4_computes_much),
        cmocka_unit_test(tp_4_mwp_is_the_smallest_of_four),
        cmocka_unit_test(tp_e1_figure_101_two_warps_want_four_get_two),
        cmocka_unit_test(tp_5_infin_is_at_least_one),
        cmocka_unit_test(tp_5_figure_98_more_computation_wants_fewer_accesses),
        cmocka_unit_test(tp_6_mstr_multiplies_the_demand_figure_100),
        cmocka_unit_test(tp_a5_mstr_moves_mwp_only_where_warps_are_enough),
        cmocka_unit_test(tp_a1_infin_counts_the_waiting_warp_if_told),
        cmocka_unit_test(tp_a3_idle_is_not_0_at_infin_warps),
        cmocka_unit_test(tp_9_without_idle_cycles_n_cancels),
        cmocka_unit_test(tp_10_mwp_below_1_keeps_the_equation),
        cmocka_unit_test(tp_8_mwp_bw_of_table_14),
        cmocka_unit_test(tp_8_load_bytes_and_mem_l_are_a_pair),
        cmocka_unit_test(tp_8_mwp_proc_is_latency_over_departure_delay),
        cmocka_unit_test(limits_of_what_is_accepted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
