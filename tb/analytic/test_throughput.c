/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-4..10: memory parallelism, idle cycles, effective ratio (Hong, PhD thesis 2012, Eqs. 71 to 82).
 */
#include "analytic/throughput_fixture.h"

static throughput_result compute(const throughput_in *in)
{
    throughput_result r;

    must(throughput_compute(in, NULL, &r, &err));
    return r;
}

TEST(reference_vector_1_is_tp_e2_figures_102_103)
{
    static const result rows[] = {
        {{UNCHANGED},
         {OUT(mwp_app_infin, 3), OUT(mwp_app_one_mem_warp, 3), OUT(mwp_app, 3), OUT(mwp, 3),
          OUT(mem_serial_n, 1800), OUT(mem_divided_n, 600), OUT(mem_n, 800), OUT(comp_cycles_n, 600),
          OUT(idle_mem_cycles, 200), OUT(idle_per_serial, 200 / 1800.0), OUT(eff_ratio_comp, 0.4),
          OUT(eff_ratio, 0.30), OUT(category, 10), OUT(limiter, THROUGHPUT_BY_APP)}},
        /* Limits of what is accepted. */
        {{IN(eff_perf, 100)}, {OUT(eff_ratio_comp, 1)}},
        {{IN(eff_perf, 0)}, {OUT(eff_ratio, 0)}},
        {{IN(n, 1)}, {OUT(mwp, 1)}},
    };

    assert_throughput(&vectors[0], rows);
}

TEST(reference_vector_2_is_limited_by_bandwidth)
{
    static const result rows[] = {
        {{UNCHANGED},
         {OUT(mwp_app_infin, 22.5), OUT(mwp_app_one_mem_warp, 22.5), OUT(mwp_app, 45), OUT(mwp, 21.25),
          OUT(mem_serial_n, 14400), OUT(mem_divided_n, 14400 / 21.25), OUT(mem_n, 14400 / 21.25 + 20 * 20.25),
          WANT(throughput_result, mem_n, 1082.647, 0.0005 / 1082.647), OUT(comp_cycles_n, 640),
          WANT(throughput_result, idle_mem_cycles, 442.647, 0.0005 / 442.647),
          WANT(throughput_result, eff_ratio, 0.295572, 0.0000005 / 0.295572),
          OUT(eff_ratio, 320 / (14400 / 21.25 + 405)), OUT(category, 8), OUT(limiter, THROUGHPUT_BY_BW)}},
    };

    assert_throughput(&vectors[1], rows);
}

TEST(reference_vector_3_has_too_few_warps)
{
    static const result rows[] = {
        {{UNCHANGED},
         {OUT(mwp_app_infin, 3), OUT(mwp_app_one_mem_warp, 2), OUT(mwp_app, 2), OUT(mwp, 2), OUT(mem_n, 400),
          OUT(idle_mem_cycles, 200), OUT(eff_ratio, 0.20), OUT(category, 5), OUT(limiter, THROUGHPUT_BY_N)}},
        /* TP-E1, Figure 101: MWP_App is 4 of two warps: each has two loads in flight, or MWP_App_InfiN is
         * meant. The bandwidth is not enough "even if there are only two warps". */
        {{IN(mstr, 2)}, {OUT(mwp_app, 4), OUT(mwp, 2), OUT(limiter, THROUGHPUT_BY_N), OUT(category, 3)}},
        {{IN(eff_mem, 400)}, {OUT(mwp_app_infin, 4), OUT(mwp, 2)}},
    };

    assert_throughput(&vectors[2], rows);
}

TEST(reference_vector_4_computes_much)
{
    static const result rows[] = {
        {{UNCHANGED},
         {OUT(mwp_app_infin, 2.25), OUT(mwp, 2.25), OUT(mem_divided_n, 6400), OUT(mem_n, 6650),
          OUT(comp_cycles_n, 6400), OUT(idle_mem_cycles, 250),
          WANT(throughput_result, eff_ratio, 0.481203, 0.0000005 / 0.481203), OUT(eff_ratio, 3200 / 6650.0),
          OUT(category, 10)}},
        /* TP-5: MWP_App_InfiN is at least one; with everything in the cache nothing is idle. */
        {{IN(eff_mem, 100)}, {OUT(mwp_app_infin, 1)}},
        {{IN(eff_mem, 201)}, {OUT(mwp_app_infin, 1.005)}},
        {{IN(eff_mem, 0)},
         {OUT(mwp_app_infin, 1), OUT(mem_serial_n, 0), OUT(idle_per_serial, 0), OUT(idle_mem_cycles, 0),
          OUT(eff_ratio, 0.5)}},
        {{OPTION(infin, THROUGHPUT_INFIN_PLUS1_ALL)}, {OUT(mwp_app_infin, 3.25)}},
    };

    assert_throughput(&vectors[3], rows);
}

TEST(tp_4_mwp_is_the_smallest_of_four)
{
#define BOUNDS(n_, bw, proc) IN(eff_mem, 200), IN(eff_comp, 10), IN(eff_perf, 5), IN(n, n_), IN(mwp_bw, bw), \
    IN(mwp_proc, proc)
    static const result rows[] = {
        {{BOUNDS(48, 99, 99)}, {OUT(limiter, THROUGHPUT_BY_APP)}},
        {{BOUNDS(48, 7, 99)}, {OUT(limiter, THROUGHPUT_BY_BW)}},
        {{BOUNDS(48, 99, 7)}, {OUT(limiter, THROUGHPUT_BY_PROC)}},
        {{BOUNDS(7, 99, 99)}, {OUT(limiter, THROUGHPUT_BY_N)}},
        {{BOUNDS(48, 7, 6)}, {OUT(limiter, THROUGHPUT_BY_PROC)}},
        {{BOUNDS(48, 6, 7)}, {OUT(limiter, THROUGHPUT_BY_BW)}},
        {{BOUNDS(48, 20, 20)}, {OUT(limiter, THROUGHPUT_BY_APP)}},
        {{BOUNDS(48, 9, 9)}, {OUT(limiter, THROUGHPUT_BY_BW)}},
        {{BOUNDS(7, 7, 7)}, {OUT(limiter, THROUGHPUT_BY_N)}},
        {{BOUNDS(48, 99, 99)}, {OUT(mwp, 20)}},
        {{BOUNDS(48, 7, 99)}, {OUT(mwp, 7)}},
        {{BOUNDS(48, 99, 7)}, {OUT(mwp, 7)}},
        {{BOUNDS(7, 99, 99)}, {OUT(mwp, 7)}},
        {{BOUNDS(48, 7, 6)}, {OUT(mwp, 6)}},
        {{BOUNDS(48, 6, 7)}, {OUT(mwp, 6)}},
        {{BOUNDS(48, 20, 20)}, {OUT(mwp, 20)}},
        {{BOUNDS(48, 9, 9)}, {OUT(mwp, 9)}},
        {{BOUNDS(7, 7, 7)}, {OUT(mwp, 7)}},
    };

    assert_throughput(&vectors[0], rows);
    assert_string_equal(throughput_limiter_name(THROUGHPUT_BY_N), "N");
    assert_string_equal(throughput_limiter_name(THROUGHPUT_BY_APP), "MWP_App");
    assert_string_equal(throughput_limiter_name(THROUGHPUT_BY_BW), "MWP_BW");
    assert_string_equal(throughput_limiter_name(THROUGHPUT_BY_PROC), "MWP_Proc");
    assert_string_equal(throughput_limiter_name(THROUGHPUT_LIMITERS), "no such limit");
}

TEST(tp_5_to_10_on_vector_1)
{
    static const result rows[] = {
        /* TP-5, Figure 98: more computation wants fewer accesses. */
        {{IN(n, 48)}, {OUT(mwp_app, 3)}},
        {{IN(n, 48), IN(eff_comp, 150)}, {OUT(mwp_app, 2)}},
        /* TP-6, Figure 100: MSTR multiplies the demand. */
        {{IN(n, 2), IN(mstr, 2)}, {OUT(mwp_app_one_mem_warp, 2), OUT(mwp_app, 4)}},
        {{IN(n, 48), IN(mstr, 2)}, {OUT(mwp_app_one_mem_warp, 3), OUT(mwp_app, 6)}},
        /* TP-A5: where warps are enough, MSTR raises MWP, too. */
        {{IN(mwp_bw, 99), IN(n, 5)}, {OUT(mwp, 3)}},
        {{IN(mwp_bw, 99), IN(n, 5), IN(mstr, 2)}, {OUT(mwp, 5)}},
        /* TP-A1: MWP_App_InfiN counts the waiting warp if told. */
        {{OPTION(infin, THROUGHPUT_INFIN_PLUS1_EQ_93)}, {OUT(mwp_app_infin, 3)}},
        {{OPTION(infin, THROUGHPUT_INFIN_EQ_72)}, {OUT(mwp_app_infin, 3)}},
        {{OPTION(infin, THROUGHPUT_INFIN_PLUS1_ALL)},
         {OUT(mwp_app_infin, 4), OUT(mwp_app, 4), OUT(mwp, 3), OUT(category, 8)}},
        /* TP-A3: with as many warps as "completely hide" the memory, the last one's tail is left. */
        {{IN(mwp_bw, 99), IN(n, 3)}, {OUT(idle_mem_cycles, 200)}},
        {{IN(mwp_bw, 99), IN(n, 48)}, {OUT(idle_mem_cycles, 200), OUT(eff_ratio, 40 * 48 / (4800 + 200.0))}},
        /* TP-10: MWP below 1 keeps the equation. */
        {{IN(mwp_bw, 0.5)}, {OUT(mwp, 0.5), OUT(mem_n, 3600 - 50)}},
        {{IN(mwp_bw, 0.5), IN(eff_mem, 0)}, {OUT(mem_n, -50), OUT(idle_mem_cycles, 0)}},
    };

    assert_throughput(&vectors[0], rows);
    assert_int_equal(throughput_options_default().infin, THROUGHPUT_INFIN_PLUS1_EQ_93);
}

/* TP-A5 holds where the warps are too few. */
TEST(tp_a5_mstr_moves_mwp_only_where_warps_are_enough)
{
    throughput_in in = vectors[0];

    in.mwp_bw = 99;
    for (in.n = 1; in.n <= 3; in.n++) {
        throughput_result one, two;

        in.mstr = 1;
        one = compute(&in);
        in.mstr = 2;
        two = compute(&in);
        assert_each(SAME(two.mwp_app, 2 * one.mwp_app), SAME(two.mwp, one.mwp), SAME(two.eff_ratio, one.eff_ratio));
    }
}

TEST(tp_9_without_idle_cycles_n_cancels)
{
    throughput_in in = {.eff_mem = 10, .eff_comp = 100, .eff_perf = 25, .mwp_bw = 9, .mwp_proc = 9,
                        .mstr = 1};

    for (in.n = 1; in.n < 50; in.n++) {
        const throughput_result r = compute(&in);

        assert_same(r.idle_mem_cycles, 0);
        assert_same(r.eff_ratio, 0.25);
    }
}

TEST(tp_8_mwp_bw_of_table_14)
{
    throughput_bw_in in = {.mem_bandwidth = 150, .freq = 1.544, .load_bytes = 128, .mem_l = 450,
                           .active_sm = 16};
    throughput_bw out;

    must(throughput_mwp_bw(&in, &out, &err));
    assert_same(out.bw_per_warp, 1.544 * 128 / 450);
    assert_same(out.mwp_bw, 150 / (1.544 * 128 / 450 * 16));
    assert_digits(out.budget, 341.5, 0.1);
    assert_same(out.mwp_bw * 16, out.budget);
    in.load_bytes = 64;
    must(throughput_mwp_bw(&in, &out, &err));
    assert_digits(out.budget, 683, 1);
    in.mem_l = 430;
    must(throughput_mwp_bw(&in, &out, &err));
    assert_digits(out.budget, 652.7, 0.1);
    in.active_sm = 1;
    must(throughput_mwp_bw(&in, &out, &err));
    assert_same(out.mwp_bw, out.budget);
}

/* The pair: several transactions multiply bytes and cycles, the parallelism stays. */
TEST(tp_8_load_bytes_and_mem_l_are_a_pair)
{
    throughput_bw_in in = {.mem_bandwidth = 150, .freq = 1.544, .load_bytes = 128, .mem_l = 450,
                           .active_sm = 16};
    throughput_bw one, four;

    must(throughput_mwp_bw(&in, &one, &err));
    in.load_bytes *= 4;
    in.mem_l *= 4;
    must(throughput_mwp_bw(&in, &four, &err));
    assert_same(four.mwp_bw, one.mwp_bw);
}

TEST(tp_8_mwp_proc_is_latency_over_departure_delay)
{
    double proc = 0;

    must(throughput_mwp_proc(730, 320, &proc, &err));
    assert_same(proc, 2.28125);
}

TEST_MAIN("throughput")
