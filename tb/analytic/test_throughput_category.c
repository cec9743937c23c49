/* SPDX-License-Identifier: Apache-2.0
 *
 * TP-11: the ten categories (Hong, PhD thesis 2012, Figures 114 and 115).
 */
#include "analytic/throughput_fixture.h"

/* N < MWP_App_InfiN: 8 warps of 20; or 32 warps. MSTR 1, so that MWP_App is 8 or 20. */
static throughput_in warps(uint32_t n, double bw, double proc)
{
    return (throughput_in){.eff_mem = 200, .eff_comp = 10, .eff_perf = 5, .n = n, .mwp_bw = bw,
                           .mwp_proc = proc, .mstr = 1};
}

static uint32_t category_with(const throughput_in *in, const throughput_options *options)
{
    throughput_result r;

    must(throughput_compute(in, options, &r, &err));
    return r.category;
}

static uint32_t category(uint32_t n, double bw, double proc)
{
    const throughput_in in = warps(n, bw, proc);

    return category_with(&in, NULL);
}

TEST(tp_11_each_category_too_few_warps)
{
    assert_each(IS(category(8, 7.9, 7), 1), IS(category(8, 1, 7.99), 1), IS(category(8, 8, 7), 2),
                IS(category(8, 40, 7.99), 2), IS(category(8, 6.79, 8), 3), IS(category(8, 6.8, 8), 4),
                IS(category(8, 7.99, 99), 4), IS(category(8, 8, 8), 5), IS(category(8, 99, 99), 5));
}

TEST(tp_11_each_category_enough_warps)
{
    assert_each(IS(category(32, 19.9, 19), 6), IS(category(32, 1, 19.99), 6), IS(category(32, 20, 19), 7),
                IS(category(32, 40, 19.99), 7), IS(category(32, 16.99, 20), 8), IS(category(32, 17, 20), 9),
                IS(category(32, 19.99, 99), 9), IS(category(32, 20, 20), 10), IS(category(32, 99, 99), 10));
}

TEST(tp_11_n_equal_infin_is_enough)
{
    assert_int_equal(category(19, 99, 99), 5);
    assert_int_equal(category(20, 99, 99), 10);
}

TEST(tp_11_demand_counts_mstr)
{
    throughput_in in = warps(32, 21, 99);

    assert_int_equal(category_with(&in, NULL), 10);
    in.mstr = 2; /* MWP_App 40 */
    assert_int_equal(category_with(&in, NULL), 8);
}

/* The ten conditions as the figures print them. */
static unsigned conditions(const throughput_in *in, double infin, double app, double similar)
{
    const double bw = in->mwp_bw, proc = in->mwp_proc;
    unsigned bits = 0;

    for (unsigned half = 0; half < 2; half++) {
        const bool warps_so = half == 0 ? in->n < infin : in->n >= infin;
        const bool cases[] = {
            warps_so && proc < app && bw < app,
            warps_so && proc < app && bw >= app,
            warps_so && proc >= app && bw < similar * app,
            warps_so && proc >= app && bw >= similar * app && bw < app,
            warps_so && proc >= app && bw >= app,
        };

        for (unsigned i = 0; i < 5; i++)
            bits |= cases[i] ? 1U << (5 * half + i) : 0;
    }
    return bits;
}

TEST(tp_11_partition_is_complete_and_disjoint)
{
    static const double ties[] = {0.849, 0.85, 0.851, 1, 1.2};
    uint64_t seed = 114115;
    unsigned met = 0;

    for (unsigned i = 0; i < 200000; i++) {
        throughput_in in = fair_in(&seed);
        throughput_result r;

        must(throughput_compute(&in, NULL, &r, &err));
        if (i % 2) { /* boundaries */
            in.mwp_bw = r.mwp_app * ties[random_next(&seed) % 5];
            in.mwp_proc = r.mwp_app * ties[random_next(&seed) % 5];
            must(throughput_compute(&in, NULL, &r, &err));
        }
        assert_int_equal(conditions(&in, r.mwp_app_infin, r.mwp_app, 0.85), 1U << (r.category - 1));
        met |= 1U << r.category;
    }
    assert_int_equal(met, 0x7fe);
}

TEST(tp_a7_similar_is_an_option)
{
    const throughput_in in = warps(32, 17.2, 99); /* 0.86 of MWP_App */
    throughput_options options = throughput_options_default();

    assert_same(options.similar, 0.85);
    assert_int_equal(category_with(&in, &options), 9);
    options.similar = 1 / 1.15;
    assert_int_equal(category_with(&in, &options), 8);
    options.similar = 1; /* no such case as 4 and 9 */
    const throughput_in almost = warps(32, 19.99, 99);
    assert_int_equal(category_with(&almost, &options), 8);
}

/* What a category's texts say and what they do not. */
TEST(tp_11_names_and_suggestions)
{
    enum { OF_ADVICE = 6, WORDS = 12 }; /* the words before are of the name */
    static const char *const words[WORDS] = {
        "(best)", "(second best)", "(third best)", "(fourth best)", "nearly enough", "not saturated",
        "reduce the core frequency", "larger bandwidth, fewer active cores or less data per thread",
        "more warps per core", "possibly fewer warps per core", "compiler optimization", "improve the memory type",
    };
#define SAYS(word) (1U << (word))
    static const unsigned said[THROUGHPUT_CATEGORIES + 1] = {
        [1] = SAYS(6) | SAYS(10), [2] = SAYS(6) | SAYS(11), [3] = SAYS(7), [4] = SAYS(3) | SAYS(4) | SAYS(7),
        [5] = SAYS(2) | SAYS(5) | SAYS(6) | SAYS(8), [6] = SAYS(9), [7] = 0, [8] = SAYS(7),
        [9] = SAYS(1) | SAYS(4) | SAYS(10), [10] = SAYS(0) | SAYS(5) | SAYS(10),
    };

    for (uint32_t number = 1; number <= THROUGHPUT_CATEGORIES; number++) {
        const char *name = throughput_category_name(number), *advice = throughput_suggestion(number);

        for (unsigned i = 0; i < WORDS; i++)
            if ((strstr(i < OF_ADVICE ? name : advice, words[i]) != NULL) != (said[number] >> i & 1))
                fail_msg("category %u: %s: %s: %s", (unsigned)number, words[i], name, advice);
        assert_ptr_equal(strstr(name, number <= 5 ? "too few warps;" : "enough warps;"), name);
        assert_int_equal(strstr(name, "internal cycles") != NULL, number % 5 == 1 || number % 5 == 2);
        assert_int_equal(strstr(name, "fall short") != NULL || strstr(name, "falls short") != NULL,
                         number % 5 >= 1 && number % 5 <= 3);
    }
    for (uint32_t number = 0; number <= THROUGHPUT_CATEGORIES + 1; number += THROUGHPUT_CATEGORIES + 1) {
        assert_string_equal(throughput_category_name(number), "no such category");
        assert_string_equal(throughput_suggestion(number), "no such category");
    }
    assert_string_equal(throughput_suggestion(UINT32_MAX), "no such category");
}
