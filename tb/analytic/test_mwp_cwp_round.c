/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios of Figs. 6 to 9, in computation periods: a memory period is three of them unless a row
 * says otherwise. And the cases, one by one.
 */
#include "analytic/mwp_cwp_fixture.h"

/* Warps, the memory warps that the machine can serve, periods per warp, length of a memory period. */
typedef struct scenario {
    double n, machine, periods, memory;
} scenario;

static mwp_cwp_round round_of(scenario s)
{
    return (mwp_cwp_round){.n = s.n, .mwp = fmin(s.machine, s.n), .mem_insts = s.periods, .comp_cycles = s.periods,
                           .mem_cycles = s.periods * s.memory, .mem_l = s.memory};
}

static mwp_cwp_round_result solve(mwp_cwp_round in, const mwp_cwp_options *options)
{
    mwp_cwp_round_result r;

    must(mwp_cwp_round_compute(&in, options, &r, &err));
    return r;
}

static MODEL(compute, mwp_cwp_round, mwp_cwp_round_compute(in, NULL, out, why))

static const mwp_cwp_options FIGURE = {.case2_comp_or = false};
static const mwp_cwp_options LITERAL = {.case2_comp_or = true};
static const mwp_cwp_options EQ1 = {.case2_comp_or = true, .eq1 = true};

static void check(mwp_cwp_round_result r, enum mwp_cwp_case case_number, int equation, double cycles)
{
    assert_each(IS(r.case_number, case_number), IS(r.equation, equation), NEAR(r.cycles, cycles, 1e-15));
}

TEST(figures_6_to_9_and_the_cases)
{
    static const struct {
        scenario s;
        const mwp_cwp_options *options;
        enum mwp_cwp_case case_number;
        int equation;
        double cycles;
    } rows[] = {
        /* Fig. 6a, 6b: two computation and four memory periods; dependent sets take the same time. HG-A1:
         * Eq. 22 has one Comp_p less than the figure. */
        {{8, 2, 1, 3}, NULL, MWP_CWP_CASE_2, 22, 1 + 4 * 3},
        {{8, 2, 1, 3}, &EQ1, MWP_CWP_CASE_2, 1, 2 + 4 * 3},
        {{4, 2, 2, 3}, NULL, MWP_CWP_CASE_2, 22, 1 + 4 * 3},
        {{4, 2, 2, 3}, &EQ1, MWP_CWP_CASE_2, 1, 2 + 4 * 3},
        /* Fig. 7a: eight computation periods and one memory period. 7b: Case 1 with the same total. */
        {{8, 8, 1, 3}, NULL, MWP_CWP_CASE_3, 23, 8 + 3},
        {{4, 8, 2, 3}, NULL, MWP_CWP_CASE_1, 21, 8 + 3},
        /* Fig. 8: computation longer than memory; HG-A2. */
        {{8, 8, 1, 0.5}, &FIGURE, MWP_CWP_CASE_3, 23, 8 + 0.5},
        {{8, 8, 1, 0.5}, &LITERAL, MWP_CWP_CASE_2, 22, 7 + 0.5},
        /* Fig. 9a: one warp is serial. 9b: two warps take about half the sum. */
        {{1, 8, 2, 5}, NULL, MWP_CWP_CASE_1, 21, 2 + 10},
        {{2, 8, 2, 5}, NULL, MWP_CWP_CASE_1, 21, 2 + 10 + 1},
        /* MC-18: both MWP and CWP have to be N. */
        {{4, 4, 1, 3}, NULL, MWP_CWP_CASE_1, 21, 3 + 1 + 3},
        {{4, 3, 1, 3}, NULL, MWP_CWP_CASE_2, 22, 4 + 2},
        {{5, 5, 1, 3}, NULL, MWP_CWP_CASE_3, 23, 3 + 5},
        /* MC-19: CWP = MWP is Case 2, and so is anything with more computation than memory if read
         * literally; equal is not more. */
        {{8, 4, 1, 3}, &FIGURE, MWP_CWP_CASE_2, 22, 6 + 3},
        {{8, 4.25, 1, 3}, &FIGURE, MWP_CWP_CASE_3, 23, 3 + 8},
        {{8, 4.25, 1, 3}, &LITERAL, MWP_CWP_CASE_3, 23, 3 + 8},
        {{8, 4, 1, 1}, &LITERAL, MWP_CWP_CASE_3, 23, 1 + 8},
        {{8, 4, 1, 0.5}, &LITERAL, MWP_CWP_CASE_2, 22, 1 + 3},
        {{8, 4, 1, 0.5}, &FIGURE, MWP_CWP_CASE_3, 23, 0.5 + 8},
        /* Less bandwidth than one warp wants: no period is hidden, none is subtracted. */
        {{4, 0.5, 1, 3}, NULL, MWP_CWP_CASE_2, 22, 3 * 4 / 0.5},
    };

    for (size_t i = 0; i < LENGTH(rows); i++)
        check(solve(round_of(rows[i].s), rows[i].options), rows[i].case_number, rows[i].equation, rows[i].cycles);
    assert_within(solve(round_of((scenario){2, 8, 2, 5}), NULL).cycles, 2 * (2 + 10) / 2.0, 1.2);
    /* Comp_p x (MWP - 1) would be -0.1. */
    assert_near(solve(round_of((scenario){1, 0.9, 1, 0.01}), NULL).cycles, 0.01 / 0.9, 1e-15);
}

/* MC-8: CWP counts the waiting warp, and N bounds it. Each equation by its own number. */
TEST(equations_of_the_figures)
{
#define ROUND(path, expected) WANT(mwp_cwp_round_result, path, expected, 0)
    static const struct {
        scenario s;
        wanted want[4];
    } rows[] = {
        {{8, 2, 1, 3}, {ROUND(cwp, 4), ROUND(eq1, 2 + 4 * 3), ROUND(cwp_full, 4)}},
        {{4, 2, 2, 3}, {ROUND(cwp, 4), ROUND(comp_p, 1), ROUND(mem_p, 3)}},
        {{8, 8, 1, 3}, {ROUND(cwp, 4), ROUND(eq3, 8 + 3)}},
        {{4, 8, 2, 3}, {ROUND(cwp, 4), ROUND(eq3, 8 + 3), ROUND(eq4, 8 + 3)}},
        {{8, 8, 1, 0.5}, {ROUND(cwp, 1.5)}},
        {{1, 8, 2, 5}, {ROUND(cwp, 1), ROUND(eq4, 2 + 10)}},
        {{2, 8, 2, 5}, {ROUND(cwp, 2), ROUND(eq4, 2 + 10 + 1)}},
        {{3, 2, 1, 3}, {ROUND(cwp_full, 4), ROUND(cwp, 3)}},
        {{4, 0.5, 1, 3}, {ROUND(eq21, 3 + 1), ROUND(eq4, (3 + 1) * 4 / 0.5)}},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const mwp_cwp_round good = round_of(rows[i].s);
        const subject model = {compute, &good, sizeof good};
        result row = {.change = {UNCHANGED}};

        memcpy(row.want, rows[i].want, sizeof rows[i].want);
        analytic_result(&model, &row, i);
    }
}

/* MC-20: Mem_L, not Mem_cycles / #Mem_insts, is in Eq. 23; the model's are the same. */
TEST(mc_20_eq_23_takes_mem_l)
{
    mwp_cwp_round in = round_of((scenario){8, 8, 2, 3});

    in.mem_l = 2;
    check(solve(in, NULL), MWP_CWP_CASE_3, 23, 2 + 16);
    assert_near(solve(in, NULL).eq3, 3 + 16, 0);
}

/* Eq. 29 lets MWP pass N. Two warps with four requests each, of which two are independent: N_pw is 4. */
TEST(eq_4_when_mwp_passes_n)
{
    mwp_cwp_round in = {.n = 2, .mwp = 4, .mem_insts = 4, .comp_cycles = 4, .mem_cycles = 36, .mem_l = 9};
    mwp_cwp_options options = LITERAL;

    check(solve(in, &options), MWP_CWP_CASE_1, 4, 2 * 9 + 2 + 3); /* two memory periods one after the other */
    options.npw_case_literal = true;
    check(solve(in, &options), MWP_CWP_CASE_3, 23, 9 + 8);
    in.mwp = 2; /* at N the option changes nothing */
    check(solve(in, &options), MWP_CWP_CASE_1, 21, 36 + 4 + 1);
    in.mwp = 100; /* there are 8 requests, so 8 is all that overlaps */
    check(solve(in, NULL), MWP_CWP_CASE_1, 4, 9 + 1 + 7);
    in.mem_insts = 0.5; /* an average: some warps have one, others none */
    in.mwp = 2;
    assert_near(solve(in, NULL).eq4, 36 + 4 + 8, 0);
}

TEST(impossible_rounds_are_refused)
{
    static const bad_member members[] = {
        {MEMBER(mwp_cwp_round, n), &not_positive},          {MEMBER(mwp_cwp_round, mwp), &not_positive},
        {MEMBER(mwp_cwp_round, mem_insts), &not_positive},  {MEMBER(mwp_cwp_round, comp_cycles), &not_positive},
        {MEMBER(mwp_cwp_round, mem_cycles), &not_positive}, {MEMBER(mwp_cwp_round, mem_l), &not_positive},
    };
    static const struct {
        mwp_cwp_round in;
        const char *says;
    } too_large[] = {
        {{8, 2, 1e-300, 1e20, 1, 1}, "comp_p"}, {{8, 2, 1e-10, 1e-5, 1e300, 1}, "mem_p"},
        {{8, 2, 1, 1e-10, 1e300, 1}, "cwp_full"}, {{1e300, 2, 1, 1e10, 1e10, 1}, "eq1"},
        {{1e300, 1e300, 1, 1e10, 1, 1}, "eq1"}, {{1e300, 1e200, 1, 1e100, 1e-5, 1}, "eq3"},
    };
    const mwp_cwp_round good = round_of((scenario){4, 2, 2, 3});
    const subject model = {compute, &good, sizeof good};
    mwp_cwp_round_result out;

    assert_bad_members(&model, members);
    for (size_t i = 0; i < LENGTH(too_large); i++)
        assert_refused(mwp_cwp_round_compute(&too_large[i].in, NULL, &out, &err), too_large[i].says);
}

typedef struct request {
    mwp_cwp_round round;
    mwp_cwp_options options;
} request;

static MODEL(with_options, request, mwp_cwp_round_compute(&in->round, &in->options, out, why))

static void sound(const void *of, const void *out)
{
    const mwp_cwp_round_result *r = out;

    (void)of;
    assert_finite_from(r, &r->case_number);
    assert_true(r->cycles >= 0);
}

TEST(any_round_is_refused_or_finite)
{
    static const wild_member members[] = {
        {MEMBER(request, round.n), 0},               {MEMBER(request, round.mwp), 0},
        {MEMBER(request, round.mem_insts), 0},       {MEMBER(request, round.comp_cycles), 0},
        {MEMBER(request, round.mem_cycles), 0},      {MEMBER(request, round.mem_l), 0},
        {MEMBER(request, options.case2_comp_or), 2}, {MEMBER(request, options.eq1), 2},
        {MEMBER(request, options.npw_case_literal), 2},
    };
    static const wild anything = {2012, 100000, 4, sizeof(mwp_cwp_round_result), sound};
    const request good = {round_of((scenario){4, 2, 2, 3}), mwp_cwp_options_default()};
    const subject model = {with_options, &good, sizeof good};

    assert_wild(&model, &anything, members);
}
