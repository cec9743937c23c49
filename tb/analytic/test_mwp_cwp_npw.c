/* SPDX-License-Identifier: Apache-2.0
 *
 * Independent memory requests: N_pw of Eqs. 28 and 29 (MC-24, HG-A5), Figs. 26 to 28.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analytic/mwp_cwp_fixture.h"

static mwp_cwp_result with_npw(uint32_t warps, double requests, double independent, bool literal)
{
    mwp_cwp_vector v = mwp_cwp_few_warps(warps, 10, requests);
    mwp_cwp_options o = mwp_cwp_options_default();

    v.kernel.ind_mem_req = independent;
    o.use_npw = true;
    o.npw_literal = literal;
    return mwp_cwp_solve(&v, &o);
}

static void fig_26b_two_warps_as_if_four(void **test)
{
    const mwp_cwp_result r = with_npw(2, 2, 1, false);

    (void)test;
    assert_near(r.n_pw, 4, 0);
    assert_near(r.mwp, 4, 0);
    assert_true(r.npw_used);
    assert_int_equal(r.case_number, MWP_CWP_CASE_1);
    assert_int_equal(r.equation, 4);
    assert_near(r.exec_cycles, 424 + 4 * 24, 1e-13); /* one memory period, four computation periods */
    assert_near(with_npw(2, 2, 1, true).n_pw, 2, 0);
}

static void fig_28b_four_warps_as_if_eight(void **test)
{
    (void)test;
    assert_near(with_npw(4, 2, 1, false).n_pw, 8, 0);
    assert_near(with_npw(4, 2, 1, false).mwp, 8, 0);
    assert_near(with_npw(4, 2, 1, false).exec_cycles, 424 + 8 * 24, 1e-13);
    assert_near(with_npw(4, 2, 1, true).n_pw, 4, 0);
    assert_near(with_npw(4, 2, 1, true).mwp, 4, 0);
}

/* Fig. 27: dependent code waits for each of its periods. */
static void fig_27_dependent_code_is_n(void **test)
{
    mwp_cwp_vector v = mwp_cwp_few_warps(4, 10, 2);
    const mwp_cwp_result r = with_npw(4, 2, 0, false);

    (void)test;
    assert_near(r.n_pw, 4, 0);
    assert_int_equal(r.equation, 21);
    assert_near(r.exec_cycles, mwp_cwp_solve(&v, NULL).exec_cycles, 0);
    assert_near(r.exec_cycles, 2 * 424 + 5 * 24, 1e-13);
    v.kernel.ind_mem_req = 1; /* without use_npw: reported, not used */
    assert_near(mwp_cwp_solve(&v, NULL).n_pw, 8, 0);
    assert_near(mwp_cwp_solve(&v, NULL).mwp, 4, 0);
    assert_false(mwp_cwp_solve(&v, NULL).npw_used);
}

/* All requests independent: no bound but the machine's. */
static void hg_a5_all_independent(void **test)
{
    const mwp_cwp_result r = with_npw(4, 2, 2, false);

    (void)test;
    assert_near(r.n_pw, 106 / 9.0, 1e-13);
    assert_near(r.mwp, r.mwp_peak_bw, 0);
    assert_near(r.exec_cycles, 424 + 8 * 24, 1e-13); /* there are only 8 requests */
    assert_near(with_npw(4, 2, 2, true).n_pw, 106 / 9.0, 1e-13);
    assert_near(with_npw(4, 2, 1.9, false).mwp, 106 / 9.0, 1e-13); /* 80 */
    assert_near(with_npw(4, 2, 1.9, false).n_pw, 80, 1e-12);
}

/* Eq. 29 counts only while there are fewer warps than the machine serves. */
static void fig_26c_many_warps_do_not_need_n_pw(void **test)
{
    const mwp_cwp_result many = with_npw(12, 2, 1, false);
    const mwp_cwp_result few = with_npw(11, 2, 1, false);

    (void)test;
    assert_false(many.npw_used);
    assert_near(many.mwp, 106 / 9.0, 1e-13);
    assert_near(many.n_pw, 24, 0);
    assert_true(few.npw_used);
    assert_near(few.mwp, 106 / 9.0, 1e-13);
    assert_near(with_npw(12, 2, 0, true).mwp, 106 / 9.0, 1e-13); /* Eq. 28's 0 does no harm here */
}

static void npw_without_bandwidth_limit_ends_at_departure(void **test)
{
    mwp_cwp_vector v = mwp_cwp_few_warps(1, 10, 0);
    mwp_cwp_options o = mwp_cwp_options_default();

    (void)test;
    v.kernel.uncoal_mem_insts = 4;
    v.kernel.ind_mem_req = 3;
    o.use_npw = true;
    assert_near(mwp_cwp_solve(&v, &o).n_pw, 4, 0);
    assert_near(mwp_cwp_solve(&v, &o).mwp, 73 / 32.0, 1e-15); /* not 1, as with Eq. 17's MWP_Without_BW */
    assert_near(mwp_cwp_solve(&v, &o).mwp_without_bw, 1, 0);
}

static void npw_literal_of_dependent_code_is_refused(void **test)
{
    const mwp_cwp_vector v = mwp_cwp_few_warps(4, 10, 2);
    mwp_cwp_options o = mwp_cwp_options_default();
    analytic_err err = {""};
    mwp_cwp_result r;

    (void)test;
    o.use_npw = true;
    o.npw_literal = true;
    assert_false(mwp_cwp_compute(&v.gpu, &v.kernel, &o, &r, &err));
    assert_non_null(strstr(err.text, "n_pw is 0"));
    o.use_npw = false;
    assert_near(mwp_cwp_solve(&v, &o).n_pw, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fig_26b_two_warps_as_if_four),
        cmocka_unit_test(fig_28b_four_warps_as_if_eight),
        cmocka_unit_test(fig_27_dependent_code_is_n),
        cmocka_unit_test(hg_a5_all_independent),
        cmocka_unit_test(fig_26c_many_warps_do_not_need_n_pw),
        cmocka_unit_test(npw_without_bandwidth_limit_ends_at_departure),
        cmocka_unit_test(npw_literal_of_dependent_code_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
