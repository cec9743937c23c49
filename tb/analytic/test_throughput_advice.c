/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-12 to TP-14: active cores, warps per core, core frequency (Hong, PhD thesis 2012, section 5.5,
 * Eqs. 83 to 93, Figure 127); what all advice refuses, and what any input gives.
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

static MODEL(advise_cores, throughput_request, throughput_advise_cores(&in->in, 16, &in->options, out, why))
static MODEL(advise_n, throughput_request, throughput_advise_n(&in->in, &in->options, out, why))
static MODEL(advise_freq, throughput_request, throughput_advise_freq(&in->in, 1.5, &in->options, out, why))

static throughput_core_advice cores(const throughput_in *in, uint32_t active)
{
    throughput_core_advice a;

    must(throughput_advise_cores(in, active, NULL, &a, &err));
    return a;
}

#define CORES(path, expected) WANT(throughput_core_advice, path, expected, 1e-12)
#define N(path, expected) WANT(throughput_n_advice, path, expected, 1e-12)
#define FREQ(path, expected) WANT(throughput_freq_advice, path, expected, 1e-12)
#define SOLVED OPTION(n_new, THROUGHPUT_N_SOLVED)
#define EQ_72 OPTION(infin, THROUGHPUT_INFIN_EQ_72)
#define PLUS1_ALL OPTION(infin, THROUGHPUT_INFIN_PLUS1_ALL)

/* ---- TP-12 ------------------------------------------------------------------------------------- */

TEST(tp_12_reference_vectors)
{
    static const result rows[] = {
        {{UNCHANGED}, /* 48.6 for 45; 340 / 32 */
         {CORES(applies, true), WANT_WITHIN(throughput_core_advice, alpha, 2.1176, 0.00005), CORES(alpha, 45 / 21.25),
          CORES(bw_per_warp_part, 21.25 / 45), CORES(budget, 340), CORES(cores_exact, 340 / 45.0), CORES(cores, 7),
          CORES(mwp_bw_new, 340 / 7.0), CORES(enough, true), CORES(previous_cores, 10)}},
        /* Not even one core. */
        {{IN(mwp_bw, 2)},
         {CORES(applies, true), CORES(cores, 1), CORES(cores_exact, 32 / 45.0), CORES(enough, false),
          CORES(previous_cores, 1)}},
        {{IN(mwp_bw, 0.1)}, {CORES(previous_cores, 1)}},
    };
    const throughput_request good = {vectors[1], throughput_options_default()};
    const throughput_request no_need = {vectors[0], throughput_options_default()}; /* MWP_App 3 */
    const subject model = {advise_cores, &good, sizeof good}, nothing = {advise_cores, &no_need, sizeof no_need};

    assert_results(&model, rows);
    for (unsigned bw = 3; bw < 9; bw++) {
        const result nothing_to_do[] = {
            {{IN(mwp_bw, bw)},
             {CORES(applies, false), CORES(alpha, 1), CORES(bw_per_warp_part, 1), CORES(cores_exact, 16), CORES(cores, 16),
              CORES(mwp_bw_new, bw), CORES(enough, true)}},
        };

        assert_results(&nothing, nothing_to_do);
    }
}

/* Eqs. 83 to 88 by hand: with `cores` active the bandwidth is enough, with one more it is not. */
TEST(tp_12_cores_are_the_most_that_equation_84_allows)
{
    uint64_t seed = 84;
    unsigned applied = 0, single = 0;

    for (unsigned i = 0; i < 50000; i++) {
        const throughput_in in = fair_in(&seed);
        const uint32_t active = 1 + (uint32_t)(random_next(&seed) % 80);
        const throughput_core_advice a = cores(&in, active);
        throughput_result r;

        must(throughput_compute(&in, NULL, &r, &err));
        assert_int_equal(a.applies, r.mwp_app > in.mwp_bw);
        assert_in_range(a.cores, 1, active);
        assert_same(a.mwp_bw_new, in.mwp_bw * active / a.cores);
        assert_int_equal(a.enough, a.mwp_bw_new >= r.mwp_app * (1 - 1e-9));
        if (a.cores > 1)
            assert_true(a.enough);
        if (a.cores < active)
            assert_true(in.mwp_bw * active / (a.cores + 1) < r.mwp_app);
        applied += a.applies;
        single += !a.enough;
    }
    assert_true(applied > 1000 && single > 10);
}

/* Section 5.5.1, Figure 127. The budget is 640 <= MWP_BW x 16 < 672. */
TEST(tp_e4_dmadd_on_16_13_and_10_cores)
{
    static const double budgets[] = {640, 650, 652.7, 671.99};
    static const uint32_t expected[][2] = {{8, 16}, {16, 16}, {24, 13}, {32, 10}};

    for (size_t b = 0; b < LENGTH(budgets); b++) {
        for (size_t i = 0; i < 4; i++) {
            const throughput_in in = dmadd_on_16(expected[i][0], budgets[b]);

            assert_int_equal(cores(&in, 16).cores, expected[i][1]);
            assert_int_equal(cores(&in, 16).previous_cores, 16);
        }
        const throughput_in full = dmadd_on_16(48, budgets[b]);
        assert_int_equal(cores(&full, 16).previous_cores, 13); /* "only when N is equal to 48" */
    }
}

TEST(tp_e4_no_other_budget_does)
{
    const throughput_in less = dmadd_on_16(32, 639.9), more = dmadd_on_16(24, 672);

    assert_int_equal(cores(&less, 16).cores, 9);
    assert_int_equal(cores(&more, 16).cores, 14);
}

TEST(tp_e4_other_kernels_keep_all_cores)
{
    throughput_in in = dmadd_on_16(32, 652.7);

    in.mstr = 1; /* Madd, Mmul */
    assert_int_equal(cores(&in, 16).cores, 16);
    in.mstr = 2;
    in.eff_comp = 100; /* Cmem */
    assert_int_equal(cores(&in, 16).cores, 16);
}

/* Table 14 with 128 bytes and 450 cycles: 341.5; with 64 bytes 683; 64 bytes and 430 cycles: 652.7. */
TEST(tp_e4_budgets_of_table_14)
{
    static const struct { double bytes, cycles, freq; uint32_t at_24, at_32; } rows[] = {
        {128, 450, 1.544, 7, 5}, {64, 450, 1.544, 14, 10}, {64, 430, 1.544, 13, 10}, {128, 450, 2.4, 4, 3}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const throughput_bw_in bw = {150, rows[i].freq, rows[i].bytes, rows[i].cycles, 16};
        throughput_bw out;

        must(throughput_mwp_bw(&bw, &out, &err));
        const throughput_in at_24 = dmadd_on_16(24, out.budget), at_32 = dmadd_on_16(32, out.budget);
        assert_int_equal(cores(&at_24, 16).cores, rows[i].at_24);
        assert_int_equal(cores(&at_32, 16).cores, rows[i].at_32);
    }
}

TEST(tp_12_a_whole_quotient_is_not_lost_to_rounding)
{
    uint32_t wrong = 0;

    for (uint32_t active = 2; active < 200; active++)
        for (uint32_t want = 1; want < active; want++) {
            throughput_in in = dmadd_on_16(3, 0);

            in.mstr = 1.1; /* MWP_App 3.3 */
            in.mwp_bw = want * 3.3 / active;
            wrong += cores(&in, active).cores != want;
            assert_true(cores(&in, active).enough);
        }
    assert_int_equal(wrong, 0);
}

/* ---- TP-13 ------------------------------------------------------------------------------------- */

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

/* ---- TP-14 ------------------------------------------------------------------------------------- */

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

static void sound_cores(const void *of, const void *out)
{
    const throughput_core_advice *c = out;

    (void)of;
    assert_finite(c->alpha, c->bw_per_warp_part, c->budget, c->cores_exact, c->mwp_bw_new);
    assert_in_range(c->cores, 1, 16);
    assert_in_range(c->previous_cores, 1, 16);
}

static void sound_n(const void *of, const void *out)
{
    const throughput_n_advice *n = out;

    assert_finite(n->alpha, n->n_exact, n->mwp_app_new);
    assert_in_range(n->n, 1, ((const throughput_request *)of)->in.n);
}

static void sound_freq(const void *of, const void *out)
{
    const throughput_freq_advice *f = out;

    (void)of;
    assert_finite(f->mwp_infin, f->divisor, f->freq);
    assert_true(f->divisor >= 1);
}

TEST(wild_inputs_fail_or_give_numbers)
{
    static const wild cores_of = {8393, 100000, 2, sizeof(throughput_core_advice), sound_cores};
    static const wild n_of = {8394, 100000, 2, sizeof(throughput_n_advice), sound_n};
    static const wild freq_of = {8395, 100000, 2, sizeof(throughput_freq_advice), sound_freq};
    const throughput_request good = {vectors[1], throughput_options_default()};
    const subject active = {advise_cores, &good, sizeof good}, n = {advise_n, &good, sizeof good};
    const subject clock = {advise_freq, &good, sizeof good};

    assert_wild(&active, &cores_of, throughput_wild);
    assert_wild(&n, &n_of, throughput_wild);
    assert_wild(&clock, &freq_of, throughput_wild);
}
