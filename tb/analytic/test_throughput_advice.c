/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-13, TP-14: warps per core, core frequency (Hong, PhD thesis 2012, sections 5.5.2 and 5.5.3,
 * Eqs. 89 to 93); what all advice refuses, and what any input gives.
 */
#include "analytic/throughput_fixture.h"

static throughput_n_advice warps(const throughput_in *in, enum throughput_n_new n_new)
{
    throughput_options options = throughput_options_default();
    throughput_n_advice a;

    options.n_new = n_new;
    must(throughput_advise_n(in, &options, &a, &err));
    return a;
}

static bool advise_cores(const void *input, void *out, analytic_err *said)
{
    const throughput_request *r = input;

    return throughput_advise_cores(&r->in, 16, &r->options, out, said);
}

static bool advise_n(const void *input, void *out, analytic_err *said)
{
    const throughput_request *r = input;

    return throughput_advise_n(&r->in, &r->options, out, said);
}

static bool advise_freq(const void *input, void *out, analytic_err *said)
{
    const throughput_request *r = input;

    return throughput_advise_freq(&r->in, 1.5, &r->options, out, said);
}

#define N(path, expected) WANT(throughput_n_advice, path, expected, 1e-12)
#define FREQ(path, expected) WANT(throughput_freq_advice, path, expected, 1e-12)
#define SOLVED OPTION(n_new, THROUGHPUT_N_SOLVED)
#define EQ_72 OPTION(infin, THROUGHPUT_INFIN_EQ_72)
#define PLUS1_ALL OPTION(infin, THROUGHPUT_INFIN_PLUS1_ALL)

TEST(tp_13_reference_vector_2)
{
    static const result rows[] = {
        /* N was beyond MWP_App_InfiN: N x alpha, the default, is not enough less. */
        {{UNCHANGED},
         {N(applies, true), WANT(throughput_n_advice, alpha, 0.47222, 0.000005 / 0.47222), N(alpha, 21.25 / 45),
          N(n_exact, 32 * 21.25 / 45), N(n, 15), N(mwp_app_new, 30), N(enough, false)}},
        /* Solved so that Eq. 90 holds: MWP_BW / MSTR. */
        {{SOLVED}, {N(alpha, 21.25 / 45), N(n_exact, 10.625), N(n, 10), N(mwp_app_new, 20), N(enough, true)}},
        /* At least one warp. */
        {{SOLVED, IN(mwp_bw, 0.5)}, {N(n_exact, 0.25), N(n, 1), N(mwp_app_new, 2), N(enough, false)}},
    };
    const throughput_request good = {vectors[1], throughput_options_default()};
    const subject model = {advise_n, &good, sizeof good};
    throughput_n_advice a;

    assert_results(&model, rows);
    must(throughput_advise_n(&vectors[1], NULL, &a, &err));
    assert_int_equal(a.n, 15);
    assert_int_equal(good.options.n_new, THROUGHPUT_N_TIMES_ALPHA);
}

TEST(tp_13_nothing_to_do)
{
    throughput_in in = vectors[0]; /* MWP_App 3 */

    for (in.mwp_bw = 3; in.mwp_bw < 9; in.mwp_bw++)
        for (unsigned n_new = 0; n_new < THROUGHPUT_N_NEWS; n_new++) {
            const throughput_n_advice a = warps(&in, (enum throughput_n_new)n_new);

            assert_each(IS(a.applies, false), SAME(a.alpha, 1), SAME(a.n_exact, 6), IS(a.n, 6),
                        SAME(a.mwp_app_new, 3), IS(a.enough, true));
        }
}

/* Both readings agree as long as N is at most MWP_App_InfiN, and then Eq. 90 holds. */
TEST(tp_13_readings_agree_with_too_few_warps)
{
    uint64_t seed = 92;
    unsigned applied = 0;

    for (unsigned i = 0; i < 50000; i++) {
        const throughput_in in = fair_in(&seed);
        const throughput_n_advice times = warps(&in, THROUGHPUT_N_TIMES_ALPHA);
        const throughput_n_advice solved = warps(&in, THROUGHPUT_N_SOLVED);

        assert_in_range(times.n, 1, in.n);
        assert_true(solved.n <= times.n);
        if (in.n * in.eff_comp <= in.eff_mem)
            assert_int_equal(times.n, solved.n);
        assert_int_equal(solved.enough, solved.mwp_app_new <= in.mwp_bw * (1 + 1e-9));
        assert_int_equal(times.enough, times.mwp_app_new <= in.mwp_bw * (1 + 1e-9));
        if (solved.n > 1)
            assert_true(solved.enough);
        applied += times.applies;
    }
    assert_true(applied > 1000);
}

/* Section 5.5.2: N = 18 for Dmadd and Dotp at N = 32. That wants 576 <= budget < 608, TP-E4 another. */
TEST(tp_13_n_18_contradicts_section_5_5_1)
{
    throughput_in in = dmadd_on_16(32, 652.7);

    assert_int_equal(warps(&in, THROUGHPUT_N_TIMES_ALPHA).n, 20);
    in = dmadd_on_16(32, 576);
    assert_int_equal(warps(&in, THROUGHPUT_N_TIMES_ALPHA).n, 18);
    throughput_core_advice a;
    must(throughput_advise_cores(&in, 16, NULL, &a, &err));
    assert_int_equal(a.cores, 9); /* 10 in the thesis */
    in = dmadd_on_16(32, 608);
    assert_int_equal(warps(&in, THROUGHPUT_N_TIMES_ALPHA).n, 19);
}

TEST(tp_14_core_frequency)
{
    static const result rows[] = {
        /* TP-E3, Figure 130: two warps where three are needed; "by a factor of three". */
        {{IN(n, 2)},
         {FREQ(applies, true), FREQ(why, THROUGHPUT_FREQ_REDUCE), FREQ(mwp_infin, 4), FREQ(divisor, 3),
          FREQ(freq, 0.5)}},
        {{IN(n, 2), EQ_72}, {FREQ(mwp_infin, 3), FREQ(divisor, 2), FREQ(freq, 0.75)}},
        {{IN(n, 2), PLUS1_ALL}, {FREQ(mwp_infin, 4), FREQ(divisor, 3)}},
        /* More warps reduce less: MWP_App_InfiN is 8. */
        {{IN(eff_mem, 800), IN(n, 5)}, {FREQ(divisor, 2)}},
        {{IN(eff_mem, 800), IN(n, 3), EQ_72}, {FREQ(divisor, 3.5)}},
        /* With the waiting warp, four are needed. */
        {{IN(n, 3), PLUS1_ALL}, {FREQ(applies, true), FREQ(divisor, 1.5)}},
        /* TP-A1: one warp is no division by 0; and one may be enough. */
        {{IN(n, 1)},
         {FREQ(applies, false), FREQ(why, THROUGHPUT_FREQ_ONE_WARP), FREQ(divisor, 1), FREQ(freq, 1.5)}},
        {{IN(n, 1), IN(eff_mem, 50), EQ_72}, {FREQ(why, THROUGHPUT_FREQ_ENOUGH_WARPS)}},
    };
    const throughput_request good = {vectors[0], throughput_options_default()};
    const subject model = {advise_freq, &good, sizeof good};
    throughput_freq_advice a;

    assert_results(&model, rows);
    for (uint32_t n = 3; n < 49; n++) { /* enough warps keep the clock */
        const result enough[] = {{{IN(n, n)}, {FREQ(applies, false), FREQ(why, THROUGHPUT_FREQ_ENOUGH_WARPS),
                                               FREQ(divisor, 1), FREQ(freq, 1.5)}}};

        assert_results(&model, enough);
    }
    must(throughput_advise_freq(&vectors[2], 3, NULL, &a, &err)); /* two warps; by default the waiting one counts */
    assert_each(SAME(a.divisor, 3), SAME(a.freq, 1));
}

TEST(tp_14_texts)
{
    assert_non_null(strstr(throughput_freq_case_text(THROUGHPUT_FREQ_REDUCE), "too few warps"));
    assert_non_null(strstr(throughput_freq_case_text(THROUGHPUT_FREQ_ENOUGH_WARPS), "enough warps"));
    assert_non_null(strstr(throughput_freq_case_text(THROUGHPUT_FREQ_ONE_WARP), "single warp"));
    assert_string_equal(throughput_freq_case_text(THROUGHPUT_FREQ_CASES), "no such case");
}

TEST(impossible_inputs_are_refused)
{
    static const refusal all[] = {
        {"n is 0", {IN(n, 0)}},
        {"infin is 3", {OPTION(infin, THROUGHPUT_INFINS)}},
        {"n_new is 2", {OPTION(n_new, THROUGHPUT_N_NEWS)}},
    };
    static const refusal of_cores[] = {
        {"budget has no finite value", {IN(mwp_bw, 1e308)}},
        {"alpha has no finite value", {IN(mwp_bw, 1e-10), IN(mstr, 1e300)}},
    };
    static const refusal of_n[] = {{"n_exact has no finite value", {IN(mwp_bw, 1e307), IN(mstr, 1e306)}}};
    const throughput_request good = {vectors[1], throughput_options_default()};
    const subject cores = {advise_cores, &good, sizeof good}, n = {advise_n, &good, sizeof good};
    const subject clock = {advise_freq, &good, sizeof good};
    throughput_core_advice c;
    throughput_freq_advice f;

    assert_refusals(&cores, all);
    assert_refusals(&n, all);
    assert_refusals(&clock, all);
    assert_refusals(&cores, of_cores);
    assert_refusals(&n, of_n);
    mark(&c, sizeof c);
    mark(&f, sizeof f);
    assert_refused(throughput_advise_cores(&vectors[1], 0, NULL, &c, &err), "active_cores is 0");
    for (size_t i = 0; i < not_positive.num; i++)
        assert_refused(throughput_advise_freq(&vectors[1], not_positive.value[i], NULL, &f, &err), "freq is ");
    assert_true(marked(&c, sizeof c) && marked(&f, sizeof f));
}

TEST(wild_inputs_fail_or_give_numbers)
{
    uint64_t seed = 8393;
    tally count = {0};

    for (unsigned i = 0; i < 100000; i++) {
        const throughput_in in = wild_in(&seed);
        const uint32_t active = random_count(&seed);
        throughput_options options = throughput_options_default();
        throughput_core_advice c;
        throughput_n_advice n;
        throughput_freq_advice f;

        options.infin = (enum throughput_infin)(random_next(&seed) % THROUGHPUT_INFINS);
        options.n_new = (enum throughput_n_new)(random_next(&seed) % THROUGHPUT_N_NEWS);
        if (tally_add(&count, throughput_advise_cores(&in, active, &options, &c, &err), &err)) {
            assert_finite(c.alpha, c.bw_per_warp_part, c.budget, c.cores_exact, c.mwp_bw_new);
            assert_in_range(c.cores, 1, active);
            assert_in_range(c.previous_cores, 1, active);
        }
        if (tally_add(&count, throughput_advise_n(&in, &options, &n, &err), &err)) {
            assert_finite(n.alpha, n.n_exact, n.mwp_app_new);
            assert_true(n.n >= 1 && n.n <= in.n);
        }
        if (tally_add(&count, throughput_advise_freq(&in, random_wild(&seed, 4), &options, &f, &err), &err)) {
            assert_finite(f.mwp_infin, f.divisor, f.freq);
            assert_true(f.divisor >= 1);
        }
    }
    assert_true(count.taken > 1500);
}

TEST_MAIN("throughput_advice")
