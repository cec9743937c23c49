/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenarios of Figs. 6 to 9, in computation periods: a memory period is three of them unless a test
 * says otherwise. And the cases, one by one.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analytic/mwp_cwp_fixture.h"

/* Warps, the memory warps that the machine can serve, periods per warp, length of a memory period. */
static mwp_cwp_round scenario(double n, double machine, double periods, double memory)
{
    return (mwp_cwp_round){.n = n, .mwp = fmin(machine, n), .mem_insts = periods, .comp_cycles = periods,
                           .mem_cycles = periods * memory, .mem_l = memory};
}

static mwp_cwp_round_result solve(mwp_cwp_round in, const mwp_cwp_options *options)
{
    analytic_err err = {""};
    mwp_cwp_round_result r;

    if (!mwp_cwp_round_compute(&in, options, &r, &err))
        fail_msg("refused: %s", err.text);
    return r;
}

static const mwp_cwp_options FIGURE = {.case2_comp_or = false};
static const mwp_cwp_options LITERAL = {.case2_comp_or = true};
static const mwp_cwp_options EQ1 = {.case2_comp_or = true, .eq1 = true};

static void check(mwp_cwp_round_result r, enum mwp_cwp_case case_number, int equation, double cycles)
{
    assert_int_equal(r.case_number, case_number);
    assert_int_equal(r.equation, equation);
    assert_near(r.cycles, cycles, 1e-15);
}

static void fig_6a_two_computation_and_four_memory_periods(void **test)
{
    const mwp_cwp_round in = scenario(8, 2, 1, 3);
    const mwp_cwp_round_result r = solve(in, NULL);

    (void)test;
    assert_near(r.cwp, 4, 0);
    assert_near(r.eq1, 2 + 4 * 3, 0);
    check(r, MWP_CWP_CASE_2, 22, 1 + 4 * 3); /* HG-A1: Eq. 22 has one Comp_p less than the figure */
    check(solve(in, &EQ1), MWP_CWP_CASE_2, 1, 2 + 4 * 3);
}

static void fig_6b_dependent_sets_take_the_same_time(void **test)
{
    const mwp_cwp_round in = scenario(4, 2, 2, 3);
    const mwp_cwp_round_result r = solve(in, NULL);

    (void)test;
    assert_near(r.cwp, 4, 0);
    assert_near(r.comp_p, 1, 0);
    assert_near(r.mem_p, 3, 0);
    check(r, MWP_CWP_CASE_2, 22, 1 + 4 * 3);
    check(solve(in, &EQ1), MWP_CWP_CASE_2, 1, 2 + 4 * 3);
}

static void fig_7a_eight_computation_and_one_memory_period(void **test)
{
    const mwp_cwp_round_result r = solve(scenario(8, 8, 1, 3), NULL);

    (void)test;
    assert_near(r.cwp, 4, 0);
    assert_near(r.eq3, 8 + 3, 0);
    check(r, MWP_CWP_CASE_3, 23, 8 + 3);
}

static void fig_7b_is_case_1_with_the_same_total(void **test)
{
    const mwp_cwp_round_result r = solve(scenario(4, 8, 2, 3), NULL);

    (void)test;
    assert_near(r.cwp, 4, 0);
    assert_near(r.eq3, 8 + 3, 0);
    assert_near(r.eq4, 8 + 3, 0);
    check(r, MWP_CWP_CASE_1, 21, 8 + 3);
}

static void fig_8_computation_longer_than_memory(void **test)
{
    const mwp_cwp_round in = scenario(8, 8, 1, 0.5);
    const mwp_cwp_round_result r = solve(in, &FIGURE);

    (void)test;
    assert_near(r.cwp, 1.5, 0);
    check(r, MWP_CWP_CASE_3, 23, 8 + 0.5);
    check(solve(in, &LITERAL), MWP_CWP_CASE_2, 22, 7 + 0.5); /* HG-A2 */
}

static void fig_9a_one_warp_is_serial(void **test)
{
    const mwp_cwp_round_result r = solve(scenario(1, 8, 2, 5), NULL);

    (void)test;
    assert_near(r.cwp, 1, 0);
    assert_near(r.eq4, 2 + 10, 0);
    check(r, MWP_CWP_CASE_1, 21, 2 + 10);
}

static void fig_9b_two_warps_take_about_half_the_sum(void **test)
{
    const mwp_cwp_round_result r = solve(scenario(2, 8, 2, 5), NULL);

    (void)test;
    assert_near(r.cwp, 2, 0);
    assert_near(r.eq4, 2 + 10 + 1, 0);
    check(r, MWP_CWP_CASE_1, 21, 2 + 10 + 1);
    assert_near(r.cycles, 2 * (2 + 10) / 2.0, 0.1);
}

/* MC-8: CWP counts the waiting warp, and N bounds it. */
static void mc_8_cwp(void **test)
{
    (void)test;
    assert_near(solve(scenario(8, 2, 1, 3), NULL).cwp_full, 4, 0);
    assert_near(solve(scenario(3, 2, 1, 3), NULL).cwp_full, 4, 0);
    assert_near(solve(scenario(3, 2, 1, 3), NULL).cwp, 3, 0);
}

/* MC-18: both have to be N. */
static void mc_18_case_1_needs_both(void **test)
{
    (void)test;
    check(solve(scenario(4, 4, 1, 3), NULL), MWP_CWP_CASE_1, 21, 3 + 1 + 3);
    check(solve(scenario(4, 3, 1, 3), NULL), MWP_CWP_CASE_2, 22, 4 + 2); /* CWP is N, MWP is not */
    check(solve(scenario(5, 5, 1, 3), NULL), MWP_CWP_CASE_3, 23, 3 + 5); /* MWP is N, CWP is not */
}

/* MC-19: CWP = MWP is Case 2, and so is anything with more computation than memory if read literally. */
static void mc_19_case_2_boundaries(void **test)
{
    (void)test;
    check(solve(scenario(8, 4, 1, 3), &FIGURE), MWP_CWP_CASE_2, 22, 6 + 3);
    check(solve(scenario(8, 4.25, 1, 3), &FIGURE), MWP_CWP_CASE_3, 23, 3 + 8);
    check(solve(scenario(8, 4.25, 1, 3), &LITERAL), MWP_CWP_CASE_3, 23, 3 + 8);
    check(solve(scenario(8, 4, 1, 1), &LITERAL), MWP_CWP_CASE_3, 23, 1 + 8); /* equal is not more */
    check(solve(scenario(8, 4, 1, 0.5), &LITERAL), MWP_CWP_CASE_2, 22, 1 + 3);
    check(solve(scenario(8, 4, 1, 0.5), &FIGURE), MWP_CWP_CASE_3, 23, 0.5 + 8);
}

/* MC-20: Mem_L, not Mem_cycles / #Mem_insts, is in Eq. 23; the model's are the same. */
static void mc_20_eq_23_takes_mem_l(void **test)
{
    mwp_cwp_round in = scenario(8, 8, 2, 3);

    (void)test;
    in.mem_l = 2;
    check(solve(in, NULL), MWP_CWP_CASE_3, 23, 2 + 16);
    assert_near(solve(in, NULL).eq3, 3 + 16, 0);
}

/* Less bandwidth than one warp wants: no period is hidden, none is subtracted. */
static void mwp_below_one_hides_nothing(void **test)
{
    mwp_cwp_round_result r = solve(scenario(4, 0.5, 1, 3), NULL);

    (void)test;
    check(r, MWP_CWP_CASE_2, 22, 3 * 4 / 0.5);
    assert_near(r.eq21, 3 + 1, 0);
    assert_near(r.eq4, (3 + 1) * 4 / 0.5, 0);
    r = solve(scenario(1, 0.9, 1, 0.01), NULL); /* Comp_p x (MWP - 1) would be -0.1 */
    assert_near(r.cycles, 0.01 / 0.9, 1e-15);
}

/* Eq. 29 lets MWP pass N. Two warps with four requests each, of which two are independent: N_pw is 4. */
static void eq_4_when_mwp_passes_n(void **test)
{
    mwp_cwp_round in = {.n = 2, .mwp = 4, .mem_insts = 4, .comp_cycles = 4, .mem_cycles = 36, .mem_l = 9};
    mwp_cwp_options options = LITERAL;

    (void)test;
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

static void refuse(size_t offset, const char *field)
{
    const double bad[] = {0, -1, NAN, INFINITY};
    mwp_cwp_round_result out;
    mwp_cwp_round_result before;

    memset(&out, 0x5a, sizeof out);
    memcpy(&before, &out, sizeof out);
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        mwp_cwp_round in = scenario(4, 2, 2, 3);
        analytic_err err = {""};

        memcpy((char *)&in + offset, &bad[i], sizeof bad[i]);
        assert_false(mwp_cwp_round_compute(&in, NULL, &out, &err));
        assert_memory_equal(err.text, field, strlen(field));
        assert_non_null(strstr(err.text, "; give"));
    }
    assert_memory_equal(&out, &before, sizeof out);
}

static void round_refuses_each_field(void **test)
{
    (void)test;
    refuse(offsetof(mwp_cwp_round, n), "n is ");
    refuse(offsetof(mwp_cwp_round, mwp), "mwp is ");
    refuse(offsetof(mwp_cwp_round, mem_insts), "mem_insts is ");
    refuse(offsetof(mwp_cwp_round, comp_cycles), "comp_cycles is ");
    refuse(offsetof(mwp_cwp_round, mem_cycles), "mem_cycles is ");
    refuse(offsetof(mwp_cwp_round, mem_l), "mem_l is ");
}

static void round_refuses_what_no_double_holds(void **test)
{
    static const struct {
        mwp_cwp_round in;
        const char *says;
    } bad[] = {
        {{8, 2, 1e-300, 1e20, 1, 1}, "comp_p"}, {{8, 2, 1e-10, 1e-5, 1e300, 1}, "mem_p"},
        {{8, 2, 1, 1e-10, 1e300, 1}, "cwp_full"}, {{1e300, 2, 1, 1e10, 1e10, 1}, "eq1"},
        {{1e300, 1e300, 1, 1e10, 1, 1}, "eq1"}, {{1e300, 1e200, 1, 1e100, 1e-5, 1}, "eq3"},
    };

    (void)test;
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        analytic_err err = {""};
        mwp_cwp_round_result out;

        assert_false(mwp_cwp_round_compute(&bad[i].in, NULL, &out, &err));
        if (!strstr(err.text, bad[i].says))
            fail_msg("%u: \"%s\" lacks \"%s\"", i, err.text, bad[i].says);
    }
}

static void any_round_is_refused_or_finite(void **test)
{
    mwp_cwp_dice dice = {2012};
    unsigned taken = 0;

    (void)test;
    for (unsigned i = 0; i < 100000; i++) {
        const mwp_cwp_round in = {mwp_cwp_wild(&dice), mwp_cwp_wild(&dice), mwp_cwp_wild(&dice),
                                  mwp_cwp_wild(&dice), mwp_cwp_wild(&dice), mwp_cwp_wild(&dice)};
        const mwp_cwp_options options = {.case2_comp_or = mwp_cwp_roll(&dice) & 1,
                                         .eq1 = mwp_cwp_roll(&dice) & 1,
                                         .npw_case_literal = mwp_cwp_roll(&dice) & 1};
        analytic_err err = {""};
        mwp_cwp_round_result r;

        if (!mwp_cwp_round_compute(&in, &options, &r, &err)) {
            assert_true(err.text[0]);
            continue;
        }
        taken++;
        assert_true(isfinite(r.comp_p) && isfinite(r.mem_p) && isfinite(r.cwp_full) && isfinite(r.cwp));
        assert_true(isfinite(r.eq1) && isfinite(r.eq3) && isfinite(r.eq4) && isfinite(r.eq21));
        assert_true(isfinite(r.eq22) && isfinite(r.eq23) && isfinite(r.cycles) && r.cycles >= 0);
    }
    assert_in_range(taken, 10000, 90000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fig_6a_two_computation_and_four_memory_periods),
        cmocka_unit_test(fig_6b_dependent_sets_take_the_same_time),
        cmocka_unit_test(fig_7a_eight_computation_and_one_memory_period),
        cmocka_unit_test(fig_7b_is_case_1_with_the_same_total),
        cmocka_unit_test(fig_8_computation_longer_than_memory),
        cmocka_unit_test(fig_9a_one_warp_is_serial),
        cmocka_unit_test(fig_9b_two_warps_take_about_half_the_sum),
        cmocka_unit_test(mc_8_cwp),
        cmocka_unit_test(mc_18_case_1_needs_both),
        cmocka_unit_test(mc_19_case_2_boundaries),
        cmocka_unit_test(mc_20_eq_23_takes_mem_l),
        cmocka_unit_test(mwp_below_one_hides_nothing),
        cmocka_unit_test(eq_4_when_mwp_passes_n),
        cmocka_unit_test(round_refuses_each_field),
        cmocka_unit_test(round_refuses_what_no_double_holds),
        cmocka_unit_test(any_round_is_refused_or_finite),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
