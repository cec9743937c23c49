/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-4..10: what throughput refuses, and what any input gives.
 */
#include "analytic/throughput_fixture.h"

TEST(every_impossible_input_is_refused)
{
    static const bad_member members[] = {
        {MEMBER(throughput_request, in.eff_mem), &negative},     {MEMBER(throughput_request, in.eff_comp), &not_positive},
        {MEMBER(throughput_request, in.eff_perf), &negative},    {MEMBER(throughput_request, in.mwp_bw), &not_positive},
        {MEMBER(throughput_request, in.mwp_proc), &not_positive}, {MEMBER(throughput_request, in.mstr), &below_1},
        {MEMBER(throughput_request, options.similar), &not_positive},
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

static bool bandwidth(const void *input, void *out, analytic_err *said)
{
    return throughput_mwp_bw(input, out, said);
}

TEST(bandwidth_refuses_what_cannot_be)
{
    static const throughput_bw_in good = {.mem_bandwidth = 150, .freq = 1, .load_bytes = 128, .mem_l = 450,
                                          .active_sm = 16};
    static const subject model = {bandwidth, &good, sizeof good};
    static const bad_member members[] = {
        {MEMBER(throughput_bw_in, mem_bandwidth), &not_positive}, {MEMBER(throughput_bw_in, freq), &not_positive},
        {MEMBER(throughput_bw_in, load_bytes), &not_positive},    {MEMBER(throughput_bw_in, mem_l), &not_positive},
    };
    static const refusal rows[] = {
        {"active_sm is 0", {{MEMBER(throughput_bw_in, active_sm), 0}}},
        {"bw_per_warp has no finite value", {{MEMBER(throughput_bw_in, freq), 1e308}}},
        {"budget has no finite value",
         {{MEMBER(throughput_bw_in, freq), 1e-308}, {MEMBER(throughput_bw_in, mem_l), 1e308}}},
    };
    double proc = 7;

    assert_bad_members(&model, members);
    assert_refusals(&model, rows);
    for (size_t k = 0; k < not_positive.num; k++) {
        assert_refused(throughput_mwp_proc(not_positive.value[k], 4, &proc, &err), "mem_l is ");
        assert_refused(throughput_mwp_proc(450, not_positive.value[k], &proc, &err), "departure_delay is ");
    }
    assert_refused(throughput_mwp_proc(1e308, 1e-308, &proc, &err), "mwp_proc has no finite value");
    assert_same(proc, 7);
}

TEST(wild_inputs_fail_or_give_numbers)
{
    uint64_t seed = 20120507;
    tally count = {0};

    for (unsigned i = 0; i < 200000; i++) {
        const throughput_in in = wild_in(&seed);
        throughput_result r;

        mark(&r, sizeof r);
        if (!tally_add(&count, throughput_compute(&in, NULL, &r, &err), &err)) {
            assert_true(marked(&r, sizeof r));
            continue;
        }
        assert_finite_from(&r, &r.limiter);
        assert_finite_from(&r.mem_serial_n, &r.category);
        assert_true(r.eff_ratio >= 0 && r.eff_ratio <= 1);
        assert_in_range(r.category, 1, THROUGHPUT_CATEGORIES);
    }
    assert_true(count.taken > 1000);
}

TEST(wild_bandwidths_fail_or_give_numbers)
{
    uint64_t seed = 41;
    tally count = {0};

    for (unsigned i = 0; i < 100000; i++) {
        const throughput_bw_in in = {random_wild(&seed, 4), random_wild(&seed, 4), random_wild(&seed, 4),
                                     random_wild(&seed, 4), random_count(&seed)};
        const double mem_l = random_wild(&seed, 4), delay = random_wild(&seed, 4);
        throughput_bw bw;
        double proc;

        if (tally_add(&count, throughput_mwp_bw(&in, &bw, &err), &err))
            assert_finite_from(&bw, &bw + 1);
        if (tally_add(&count, throughput_mwp_proc(mem_l, delay, &proc, &err), &err))
            assert_finite(proc);
    }
    assert_true(count.taken > 2000);
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

TEST_MAIN("throughput_inputs")
