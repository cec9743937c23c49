/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-4..10: what throughput refuses, and what any input gives.
 */
#include "analytic/throughput_check.h"

static void every_impossible_input_is_refused(void **test)
{
    static const struct { double bad; const char *word; size_t field; } rows[] = {
        {-1, "eff_mem is -1", offsetof(throughput_in, eff_mem)},
        {NAN, "eff_mem is ", offsetof(throughput_in, eff_mem)},
        {INFINITY, "eff_mem is inf", offsetof(throughput_in, eff_mem)},
        {0, "eff_comp is 0", offsetof(throughput_in, eff_comp)},
        {-3, "eff_comp is -3", offsetof(throughput_in, eff_comp)},
        {-1, "eff_perf is -1", offsetof(throughput_in, eff_perf)},
        {NAN, "eff_perf is ", offsetof(throughput_in, eff_perf)},
        {100.5, "eff_perf is 100.5", offsetof(throughput_in, eff_perf)},
        {0, "mwp_bw is 0", offsetof(throughput_in, mwp_bw)},
        {-2, "mwp_bw is -2", offsetof(throughput_in, mwp_bw)},
        {0, "mwp_proc is 0", offsetof(throughput_in, mwp_proc)},
        {INFINITY, "mwp_proc is inf", offsetof(throughput_in, mwp_proc)},
        {0.99, "mstr is 0.99", offsetof(throughput_in, mstr)},
        {NAN, "mstr is ", offsetof(throughput_in, mstr)},
        {INFINITY, "mstr is inf", offsetof(throughput_in, mstr)},
    };
    throughput_result r;
    analytic_err err;

    (void)test;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        throughput_in in = vectors[0];

        memcpy((char *)&in + rows[i].field, &rows[i].bad, sizeof rows[i].bad);
        mark(&r, sizeof r);
        assert_refused(throughput_compute(&in, NULL, &r, &err), rows[i].word);
        assert_true(marked(&r, sizeof r));
    }
    throughput_in none = vectors[0];

    none.n = 0;
    assert_refused(throughput_compute(&none, NULL, &r, &err), "n is 0");
}

static void impossible_options_are_refused(void **test)
{
    static const double similars[] = {0, -0.5, 1.01, NAN, INFINITY};
    throughput_options options = throughput_options_default();
    throughput_result r;
    analytic_err err;

    (void)test;
    options.infin = THROUGHPUT_INFINS;
    assert_refused(throughput_compute(&vectors[0], &options, &r, &err), "infin is 3; give 0 to 2");
    options = throughput_options_default();
    options.n_new = THROUGHPUT_N_NEWS;
    assert_refused(throughput_compute(&vectors[0], &options, &r, &err), "n_new is 2; give 0 to 1");
    options = throughput_options_default();
    options.period = THROUGHPUT_PERIODS;
    assert_refused(throughput_compute(&vectors[0], &options, &r, &err), "period is 2; give 0 to 1");
    for (size_t i = 0; i < sizeof similars / sizeof *similars; i++) {
        options = throughput_options_default();
        options.similar = similars[i];
        assert_refused(throughput_compute(&vectors[0], &options, &r, &err), "similar is ");
    }
}

static void results_beyond_a_double_are_refused(void **test)
{
    throughput_in in = vectors[0];
    throughput_result r;
    analytic_err err;

    (void)test;
    in.eff_mem = 1e308;
    in.eff_comp = 1;
    in.eff_perf = 1;
    assert_refused(throughput_compute(&in, NULL, &r, &err), "mem_serial_n has no finite value");
    in = vectors[0];
    in.eff_comp = 1e308;
    assert_refused(throughput_compute(&in, NULL, &r, &err), "comp_cycles_n has no finite value");
    in = vectors[0];
    in.eff_comp = 1e-308;
    in.eff_perf = 0;
    assert_refused(throughput_compute(&in, NULL, &r, &err), "mwp_app_infin has no finite value");
    in = vectors[0];
    in.mwp_bw = 1e-308;
    assert_refused(throughput_compute(&in, NULL, &r, &err), "mem_divided_n has no finite value");
    in = vectors[0];
    in.mstr = 1e308;
    assert_refused(throughput_compute(&in, NULL, &r, &err), "mwp_app has no finite value");
}

static void bandwidth_refuses_what_cannot_be(void **test)
{
    static const throughput_bw_in good = {.mem_bandwidth = 150, .freq = 1, .load_bytes = 128, .mem_l = 450,
                                          .active_sm = 16};
    static const struct { const char *word; size_t field; } rows[] = {
        {"mem_bandwidth is ", offsetof(throughput_bw_in, mem_bandwidth)},
        {"freq is ", offsetof(throughput_bw_in, freq)},
        {"load_bytes is ", offsetof(throughput_bw_in, load_bytes)},
        {"mem_l is ", offsetof(throughput_bw_in, mem_l)},
    };
    static const double bads[] = {0, -1, NAN, INFINITY};
    throughput_bw out;
    throughput_bw_in in;
    double proc = 7;
    analytic_err err;

    (void)test;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < sizeof bads / sizeof *bads; k++) {
            in = good;
            memcpy((char *)&in + rows[i].field, &bads[k], sizeof bads[k]);
            mark(&out, sizeof out);
            assert_refused(throughput_mwp_bw(&in, &out, &err), rows[i].word);
            assert_true(marked(&out, sizeof out));
        }
    in = good;
    in.active_sm = 0;
    assert_refused(throughput_mwp_bw(&in, &out, &err), "active_sm is 0");
    in = good;
    in.freq = 1e308;
    assert_refused(throughput_mwp_bw(&in, &out, &err), "bw_per_warp has no finite value");
    in.freq = 1e-308;
    in.mem_l = 1e308;
    assert_refused(throughput_mwp_bw(&in, &out, &err), "budget has no finite value");
    for (size_t k = 0; k < sizeof bads / sizeof *bads; k++) {
        assert_refused(throughput_mwp_proc(bads[k], 4, &proc, &err), "mem_l is ");
        assert_refused(throughput_mwp_proc(450, bads[k], &proc, &err), "departure_delay is ");
    }
    assert_refused(throughput_mwp_proc(1e308, 1e-308, &proc, &err), "mwp_proc has no finite value");
    assert_same(proc, 7);
}

static void assert_result_finite(const throughput_result *r)
{
    const double values[] = {r->mwp_app_infin, r->mwp_app_one_mem_warp, r->mwp_app, r->mwp,
                             r->mem_serial_n, r->mem_divided_n, r->mem_n, r->comp_cycles_n,
                             r->idle_mem_cycles, r->idle_per_serial, r->eff_ratio_comp, r->eff_ratio};

    assert_all_finite(values, sizeof values / sizeof *values);
}

static void wild_inputs_fail_or_give_numbers(void **test)
{
    uint64_t seed = 20120507;
    unsigned done = 0;

    (void)test;
    for (unsigned i = 0; i < 200000; i++) {
        const throughput_in in = wild_in(&seed);
        throughput_result r;
        analytic_err err = {""};

        mark(&r, sizeof r);
        if (throughput_compute(&in, NULL, &r, &err)) {
            assert_result_finite(&r);
            assert_true(r.eff_ratio >= 0 && r.eff_ratio <= 1);
            assert_in_range(r.category, 1, THROUGHPUT_CATEGORIES);
            done++;
        } else {
            assert_said(&err);
            assert_true(marked(&r, sizeof r));
        }
    }
    assert_true(done > 1000);
}

static void wild_bandwidths_fail_or_give_numbers(void **test)
{
    uint64_t seed = 41;
    unsigned done = 0;

    (void)test;
    for (unsigned i = 0; i < 100000; i++) {
        const throughput_bw_in in = {random_wild(&seed), random_wild(&seed), random_wild(&seed),
                                     random_wild(&seed), random_count(&seed)};
        const double mem_l = random_wild(&seed), delay = random_wild(&seed);
        throughput_bw out;
        double proc;
        analytic_err err = {""};

        if (throughput_mwp_bw(&in, &out, &err)) {
            const double values[] = {out.bw_per_warp, out.mwp_bw, out.budget};

            assert_all_finite(values, 3);
            done++;
        } else {
            assert_said(&err);
        }
        err.text[0] = 0;
        if (throughput_mwp_proc(mem_l, delay, &proc, &err))
            assert_true(isfinite(proc));
        else
            assert_said(&err);
    }
    assert_true(done > 1000);
}

static void properties_of_fair_inputs(void **test)
{
    uint64_t seed = 5;

    (void)test;
    for (unsigned i = 0; i < 100000; i++) {
        const throughput_in in = fair_in(&seed);
        throughput_result r;
        analytic_err err;

        assert_true(throughput_compute(&in, NULL, &r, &err));
        assert_true(r.mwp <= in.n && r.mwp <= in.mwp_bw && r.mwp <= in.mwp_proc && r.mwp <= r.mwp_app);
        assert_true(r.mwp_app_one_mem_warp <= in.n && r.mwp_app_one_mem_warp <= r.mwp_app_infin);
        assert_true(r.mwp_app_infin >= 1 && r.idle_mem_cycles >= 0);
        assert_true(r.eff_ratio <= r.eff_ratio_comp * (1 + 1e-15));
        assert_same(r.eff_ratio * (r.comp_cycles_n + r.idle_mem_cycles), in.eff_perf * in.n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_impossible_input_is_refused),
        cmocka_unit_test(impossible_options_are_refused),
        cmocka_unit_test(results_beyond_a_double_are_refused),
        cmocka_unit_test(bandwidth_refuses_what_cannot_be),
        cmocka_unit_test(wild_inputs_fail_or_give_numbers),
        cmocka_unit_test(wild_bandwidths_fail_or_give_numbers),
        cmocka_unit_test(properties_of_fair_inputs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
