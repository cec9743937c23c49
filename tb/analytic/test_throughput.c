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
#define LEAST(name, value) {OUT(limiter, THROUGHPUT_BY_##name), OUT(mwp, value)}
    static const result rows[] = {
        {{BOUNDS(48, 99, 99)}, LEAST(APP, 20)}, {{BOUNDS(48, 7, 99)}, LEAST(BW, 7)},
        {{BOUNDS(48, 99, 7)}, LEAST(PROC, 7)},  {{BOUNDS(7, 99, 99)}, LEAST(N, 7)},
        {{BOUNDS(48, 7, 6)}, LEAST(PROC, 6)},   {{BOUNDS(48, 6, 7)}, LEAST(BW, 6)},
        {{BOUNDS(48, 20, 20)}, LEAST(APP, 20)}, {{BOUNDS(48, 9, 9)}, LEAST(BW, 9)},
        {{BOUNDS(7, 7, 7)}, LEAST(N, 7)},
    };

    assert_throughput(&vectors[0], rows);
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

/* ---- MWP_BW and MWP_Proc (TP-8) ------------------------------------------------------------------ */

#define BW_IN(path, value) {MEMBER(throughput_bw_in, path), value}
#define BW(path, expected, relative) WANT(throughput_bw, path, expected, relative)
#define DIGITS(expected, unit) WANT_WITHIN(throughput_bw, budget, expected, (unit) / 2.0)

typedef struct departure {
    double mem_l, departure_delay;
} departure;

static MODEL(bandwidth, throughput_bw_in, throughput_mwp_bw(in, out, why))
static MODEL(mwp_proc, departure, throughput_mwp_proc(in->mem_l, in->departure_delay, out, why))

static void sound_bandwidth(const void *of, const void *out)
{
    (void)of;
    assert_finite_from(out, (const throughput_bw *)out + 1);
}

TEST(tp_8_mwp_bw_of_table_14)
{
#define ONE_WARP (1.544 * 128 / 450)
    static const throughput_bw_in good = {.mem_bandwidth = 150, .freq = 1.544, .load_bytes = 128, .mem_l = 450,
                                          .active_sm = 16};
    static const subject model = {bandwidth, &good, sizeof good};
    static const result rows[] = {
        {{UNCHANGED},
         {BW(bw_per_warp, ONE_WARP, 1e-12), BW(mwp_bw, 150 / ONE_WARP / 16, 1e-12), BW(budget, 150 / ONE_WARP, 1e-12),
          DIGITS(341.5, 0.1)}},
        {{BW_IN(load_bytes, 64)}, {DIGITS(683, 1)}},
        {{BW_IN(load_bytes, 64), BW_IN(mem_l, 430)}, {DIGITS(652.7, 0.1)}},
        {{BW_IN(active_sm, 1)}, {BW(mwp_bw, 150 / ONE_WARP, 1e-12)}},
        /* A pair: several transactions multiply bytes and cycles, the parallelism stays. */
        {{BW_IN(load_bytes, 4 * 128), BW_IN(mem_l, 4 * 450)}, {BW(mwp_bw, 150 / ONE_WARP / 16, 1e-12)}},
    };
    static const bad_member members[] = {
        BW_IN(mem_bandwidth, &not_positive), BW_IN(freq, &not_positive), BW_IN(load_bytes, &not_positive),
        BW_IN(mem_l, &not_positive),
    };
    static const refusal refused[] = {
        {"active_sm is 0", {BW_IN(active_sm, 0)}},
        {"bw_per_warp has no finite value", {BW_IN(freq, 1e308)}},
        {"budget has no finite value", {BW_IN(freq, 1e-308), BW_IN(mem_l, 1e308)}},
    };
    static const wild_member wild_members[] = {
        {MEMBER(throughput_bw_in, mem_bandwidth), 0}, {MEMBER(throughput_bw_in, freq), 0},
        {MEMBER(throughput_bw_in, load_bytes), 0},    {MEMBER(throughput_bw_in, mem_l), 0},
        {MEMBER(throughput_bw_in, active_sm), 0},
    };
    static const wild anything = {41, 100000, 4, sizeof(throughput_bw), sound_bandwidth};

    assert_results(&model, rows);
    assert_bad_members(&model, members);
    assert_refusals(&model, refused);
    assert_wild(&model, &anything, wild_members);
}

TEST(tp_8_mwp_proc_is_latency_over_departure_delay)
{
#define DEPARTURE(path, value) {MEMBER(departure, path), value}
    static const departure good = {730, 320};
    static const subject model = {mwp_proc, &good, sizeof good};
    static const result rows[] = {{{UNCHANGED}, {VALUE(2.28125)}}};
    static const bad_member members[] = {DEPARTURE(mem_l, &not_positive), DEPARTURE(departure_delay, &not_positive)};
    static const refusal refused[] = {
        {"mwp_proc has no finite value", {DEPARTURE(mem_l, 1e308), DEPARTURE(departure_delay, 1e-308)}}};
    static const wild_member wild_members[] = {{MEMBER(departure, mem_l), 0},
                                               {MEMBER(departure, departure_delay), 0}};
    static const wild anything = {41, 100000, 4, sizeof(double), assert_finite_value};

    assert_results(&model, rows);
    assert_bad_members(&model, members);
    assert_refusals(&model, refused);
    assert_wild(&model, &anything, wild_members);
}

/* ---- any input -------------------------------------------------------------------------------- */

TEST(every_impossible_input_is_refused)
{
    static const bad_member members[] = {
        IN(eff_mem, &negative),    IN(eff_comp, &not_positive), IN(eff_perf, &negative), IN(mwp_bw, &not_positive),
        IN(mwp_proc, &not_positive), IN(mstr, &below_1), OPTION(similar, &not_positive),
    };
    static const refusal rows[] = {
        {"n is 0", {IN(n, 0)}},
        {"eff_perf is 100.5, more than eff_comp (100)", {IN(eff_perf, 100.5)}},
        {"similar is 1.01", {OPTION(similar, 1.01)}},
        {"infin is 3; give 0 to 2", {OPTION(infin, THROUGHPUT_INFINS)}},
        {"n_new is 2; give 0 to 1", {OPTION(n_new, THROUGHPUT_N_NEWS)}},
        {"period is 2; give 0 to 1", {OPTION(period, THROUGHPUT_PERIODS)}},
        {"mem_serial_n has no finite value", {IN(eff_mem, 1e308), IN(eff_comp, 1), IN(eff_perf, 1)}},
        {"comp_cycles_n has no finite value", {IN(eff_comp, 1e308)}},
        {"mwp_app_infin has no finite value", {IN(eff_comp, 1e-308), IN(eff_perf, 0)}},
        {"mem_divided_n has no finite value", {IN(mwp_bw, 1e-308)}},
        {"mwp_app has no finite value", {IN(mstr, 1e308)}},
    };
    const throughput_request good = {vectors[0], throughput_options_default()};
    const subject model = {throughput_of_request, &good, sizeof good};

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
}

static void sound(const void *of, const void *out)
{
    const throughput_result *r = out;

    (void)of;
    assert_finite_from(r, &r->limiter);
    assert_finite_from(&r->mem_serial_n, &r->category);
    assert_true(r->eff_ratio >= 0 && r->eff_ratio <= 1);
    assert_in_range(r->category, 1, THROUGHPUT_CATEGORIES);
}

TEST(wild_inputs_fail_or_give_numbers)
{
    const throughput_request good = {vectors[0], throughput_options_default()};
    const subject model = {throughput_of_request, &good, sizeof good};
    const wild anything = {20120507, 200000, 2, sizeof(throughput_result), sound};

    assert_wild(&model, &anything, throughput_wild);
}

TEST(properties_of_fair_inputs)
{
    uint64_t seed = 5;

    for (unsigned i = 0; i < 100000; i++) {
        const throughput_in in = fair_in(&seed);
        throughput_result r;

        must(throughput_compute(&in, NULL, &r, &err));
        assert_true(r.mwp <= in.n && r.mwp <= in.mwp_bw && r.mwp <= in.mwp_proc && r.mwp <= r.mwp_app);
        assert_true(r.mwp_app_one_mem_warp <= in.n && r.mwp_app_one_mem_warp <= r.mwp_app_infin);
        assert_true(r.mwp_app_infin >= 1 && r.idle_mem_cycles >= 0);
        assert_true(r.eff_ratio <= r.eff_ratio_comp * (1 + 1e-15));
        assert_same(r.eff_ratio * (r.comp_cycles_n + r.idle_mem_cycles), in.eff_perf * in.n);
    }
}
