/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of mwp_cwp beyond its vectors: no memory instructions, rounds, CPI, the options, barriers,
 * divergence.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analytic/mwp_cwp_fixture.h"

static void defaults_are_the_thesis(void **test)
{
    const mwp_cwp_options o = mwp_cwp_options_default();
    const mwp_cwp_options d = mwp_cwp_options_for_decisions();
    const mwp_cwp_kernel k = mwp_cwp_kernel_default();

    (void)test;
    assert_true(o.case2_comp_or && o.coal_departure);
    assert_false(o.eq1 || o.issue_floor || o.rep_ceil || o.use_npw || o.npw_literal || o.npw_case_literal);
    assert_true(d.issue_floor && d.coal_departure);
    assert_false(d.case2_comp_or || d.eq1 || d.rep_ceil || d.use_npw || d.npw_literal || d.npw_case_literal);
    assert_near(k.coal_per_mw, 1, 0);
    assert_near(k.uncoal_per_mw, 32, 0);
    assert_near(k.m_factor, 1, 0);
}

/* HG-A4 */
static void hg_a4_no_memory_instructions(void **test)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(2);
    mwp_cwp_result r;

    (void)test;
    v.kernel.comp_insts = 23; /* Mb1 */
    v.kernel.coal_mem_insts = 0;
    v.kernel.m_factor = 1.25;
    v.kernel.synch_insts = 3;
    v.kernel.load_bytes_per_warp = 0; /* there is none to give */
    r = mwp_cwp_solve(&v, NULL);
    assert_int_equal(r.case_number, MWP_CWP_NO_MEMORY);
    assert_int_equal(r.equation, 0);
    assert_near(r.exec_cycles, 4 * 1.25 * 23 * 24 * 10, 1e-15);
    assert_near(r.cpi, 4 * 1.25, 1e-15);
    assert_near(r.mwp, 24, 0);
    assert_near(r.n_pw, 24, 0);
    assert_near(r.cwp_full, 1, 0);
    assert_near(r.cwp, 1, 0);
    assert_near(r.np_wb, 8, 0);
    assert_near(r.synch_cost, 0, 0);
    assert_near(r.mem_l + r.mem_cycles + r.mwp_peak_bw + r.eq22 + r.weight_coal, 0, 0);
    assert_false(r.below_issue_bound);
}

/* MC-17, HG-A3 */
static void mc_17_rounds_are_fractions_unless_asked(void **test)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(2);
    mwp_cwp_options o = mwp_cwp_options_default();

    (void)test;
    v.kernel.blocks = 500;
    assert_near(mwp_cwp_solve(&v, &o).rep, 500 / 48.0, 1e-15);
    assert_near(mwp_cwp_solve(&v, &o).exec_cycles, 3304 * 500 / 48.0, 1e-13);
    o.rep_ceil = true;
    assert_near(mwp_cwp_solve(&v, &o).rep, 11, 0);
    assert_near(mwp_cwp_solve(&v, &o).exec_cycles, 3304 * 11, 1e-13);
    v.kernel.blocks = 480;
    assert_near(mwp_cwp_solve(&v, &o).rep, 10, 0);
}

/* N and CPI count warps: the last one of a block may be in part empty. */
static void mc_21_partial_warps_are_warps(void **test)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(2);
    mwp_cwp_result r;

    (void)test;
    v.kernel.threads_per_block = 33;
    r = mwp_cwp_solve(&v, NULL);
    assert_near(r.warps_per_block, 2, 0);
    assert_near(r.n, 6, 0);
    assert_near(r.cpi, r.exec_cycles / (30 * 2 * 30.0), 1e-15);
    v.kernel.threads_per_block = 32;
    assert_near(mwp_cwp_solve(&v, NULL).warps_per_block, 1, 0);
    v.kernel.threads_per_block = 4; /* the thesis' smallest block */
    assert_near(mwp_cwp_solve(&v, NULL).warps_per_block, 1, 0);
    v.gpu.warp_size = 2;
    assert_near(mwp_cwp_solve(&v, NULL).warps_per_block, 2, 0);
}

/* An SM that issues two full warps per cycle. */
static void mc_15_issue_cycles_below_one(void **test)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(2);

    (void)test;
    v.gpu.issue_cycles = 0.5;
    assert_near(mwp_cwp_solve(&v, NULL).comp_cycles, 15, 0);
}

/* MC-10, MC-13: an uncoalesced access may need one transaction only. */
static void mc_10_one_transaction(void **test)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(3);

    (void)test;
    v.kernel.uncoal_per_mw = 1;
    assert_near(mwp_cwp_solve(&v, NULL).mem_l, 420, 0);
    assert_near(mwp_cwp_solve(&v, NULL).departure_delay, 10, 0);
}

/* MC-11, HG-A7 */
static void mc_11_eq_13_of_the_earlier_paper(void **test)
{
    const mwp_cwp_vector v = mwp_cwp_vector_at(7);
    mwp_cwp_options o = mwp_cwp_options_default();

    (void)test;
    assert_near(mwp_cwp_solve(&v, &o).mem_l_coal, 424, 0);
    o.coal_departure = false;
    assert_near(mwp_cwp_solve(&v, &o).mem_l_coal, 420, 0);
    assert_near(mwp_cwp_solve(&v, &o).mem_l, 575, 0);
    assert_near(mwp_cwp_solve(&v, &o).departure_delay, 162, 0); /* Eq. 15 keeps it */
}

/* MC-1, HG-A1: on the whole launch. */
static void mc_1_eq_1_adds_one_computation_period(void **test)
{
    const mwp_cwp_vector v = mwp_cwp_vector_at(3);
    mwp_cwp_options o = mwp_cwp_options_default();
    mwp_cwp_result r;

    (void)test;
    o.eq1 = true;
    r = mwp_cwp_solve(&v, &o);
    assert_int_equal(r.equation, 1);
    assert_near(r.exec_cycles, 78337.5 + 120 * 10, 1e-13);
    assert_near(r.eq22, 78337.5, 1e-13);
}

static void issue_floor_mends_v6(void **test)
{
    const mwp_cwp_vector v = mwp_cwp_vector_at(6);
    mwp_cwp_options o = mwp_cwp_options_default();
    mwp_cwp_result r;

    (void)test;
    o.issue_floor = true;
    r = mwp_cwp_solve(&v, &o);
    assert_near(r.cpi, 4, 1e-15);
    assert_true(r.below_issue_bound);
    assert_near(r.exec_cycles_with_synch, 385920, 1e-15);
}

/* The figures' reading falls below it as well, if MWP <= CWP < MWP + 1. */
static void figures_reading_can_fall_below_issue(void **test)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(2);
    mwp_cwp_options o = mwp_cwp_options_default();
    mwp_cwp_result r;

    (void)test;
    o.case2_comp_or = false;
    v.gpu.bandwidth_gb_s *= 4.5 / (106 / 9.0); /* MWP 4.5, CWP 4.53 */
    r = mwp_cwp_solve(&v, &o);
    assert_int_equal(r.case_number, MWP_CWP_CASE_2);
    assert_near(r.cpi, (424 * 24 / 4.5 + 120 * 3.5) / (30 * 24), 1e-12);
    assert_true(r.below_issue_bound && r.cpi < 4);
    /* V2 has more bandwidth and takes longer. */
    assert_near(mwp_cwp_solve(&v, NULL).exec_cycles / 33040, 0.811, 1e-3);
    o = mwp_cwp_options_for_decisions();
    assert_near(mwp_cwp_solve(&v, &o).cpi, 4, 1e-15);
}

/* ---- barriers ------------------------------------------------------------------------------------- */

/* MC-22, MC-23 */
static void mc_23_np_wb_range(void **test)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(7);

    (void)test;
    v.kernel.threads_per_block = 32; /* Fig. 32: one warp per block waits for nobody */
    assert_near(mwp_cwp_solve(&v, NULL).np_wb, 1, 0);
    assert_near(mwp_cwp_solve(&v, NULL).synch_cost, 0, 0);
    v.kernel.threads_per_block = 96;
    assert_near(mwp_cwp_solve(&v, NULL).np_wb, 3, 0);
    assert_near(mwp_cwp_solve(&v, NULL).synch_cost, 162 * 2 * 4, 1e-15);
    v.kernel.threads_per_block = 256; /* MWP bounds it */
    assert_near(mwp_cwp_solve(&v, NULL).np_wb, 577 / 162.0, 1e-15);
    v.kernel.synch_insts = 2.5;
    v.kernel.blocks = 128;
    assert_near(mwp_cwp_solve(&v, NULL).synch_cost, 162 * (577 / 162.0 - 1) * 2.5 * 4 * 2, 1e-13);
}

static void mc_23_barriers_are_added_not_in_cpi(void **test)
{
    const mwp_cwp_vector v = mwp_cwp_vector_at(7);
    const mwp_cwp_result r = mwp_cwp_solve(&v, NULL);

    (void)test;
    assert_near(r.exec_cycles_with_synch, r.exec_cycles + 648, 1e-15);
    assert_near(r.cpi, r.exec_cycles / 96, 1e-15);
    assert_near(r.seconds, r.exec_cycles_with_synch / 1.35e9, 1e-15);
}

static void mwp_below_one_delays_no_barrier(void **test)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(7);
    mwp_cwp_result r;

    (void)test;
    v.gpu.bandwidth_gb_s = 1; /* 0.21 warps */
    r = mwp_cwp_solve(&v, NULL);
    assert_true(r.mwp < 1);
    assert_near(r.np_wb, r.mwp, 0);
    assert_near(r.synch_cost, 0, 0);
    assert_near(r.exec_cycles, 1154 * 8 / r.mwp, 1e-15);
}

/* ---- divergence (MC-25) ----------------------------------------------------------------------------- */

/* Fig. 29: B1B2B4B6B7, B1B2B5B6B7, B1B3B7. */
static void fig_29_paths_are_added(void **test)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(7);
    mwp_cwp_kernel path[3] = {v.kernel, v.kernel, v.kernel};
    mwp_cwp_paths_result all;
    analytic_err err;
    double app = 0, synch = 0, both = 0;

    (void)test;
    path[1].comp_insts = 30;
    path[2].coal_mem_insts = 0;
    path[2].uncoal_mem_insts = 0;
    assert_true(mwp_cwp_paths(&v.gpu, path, 3, NULL, &all, &err));
    for (int i = 0; i < 3; i++) {
        mwp_cwp_result r;

        v.kernel = path[i];
        r = mwp_cwp_solve(&v, NULL);
        app += r.exec_cycles;
        synch += r.synch_cost;
        both += r.exec_cycles_with_synch;
    }
    assert_near(all.exec_cycles, app, 1e-15);
    assert_near(all.synch_cost, synch, 1e-15);
    assert_near(all.synch_cost, 2 * 648, 1e-15);
    assert_near(all.exec_cycles_with_synch, both, 1e-15);
    assert_near(all.seconds, both / 1.35e9, 1e-13);
    assert_true(mwp_cwp_paths(&v.gpu, path, 1, NULL, &all, &err));
    assert_near(all.exec_cycles_with_synch, 89140 / 27.0, 1e-13);
}

static void paths_use_the_options(void **test)
{
    const mwp_cwp_vector v = mwp_cwp_vector_at(6);
    const mwp_cwp_kernel path[2] = {v.kernel, v.kernel};
    mwp_cwp_options o = mwp_cwp_options_default();
    mwp_cwp_paths_result all;
    analytic_err err;

    (void)test;
    o.case2_comp_or = false;
    assert_true(mwp_cwp_paths(&v.gpu, path, 2, &o, &all, &err));
    assert_near(all.exec_cycles, 2 * 390160, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_the_thesis),
        cmocka_unit_test(hg_a4_no_memory_instructions),
        cmocka_unit_test(mc_17_rounds_are_fractions_unless_asked),
        cmocka_unit_test(mc_21_partial_warps_are_warps),
        cmocka_unit_test(mc_15_issue_cycles_below_one),
        cmocka_unit_test(mc_10_one_transaction),
        cmocka_unit_test(mc_11_eq_13_of_the_earlier_paper),
        cmocka_unit_test(mc_1_eq_1_adds_one_computation_period),
        cmocka_unit_test(issue_floor_mends_v6),
        cmocka_unit_test(figures_reading_can_fall_below_issue),
        cmocka_unit_test(mc_23_np_wb_range),
        cmocka_unit_test(mc_23_barriers_are_added_not_in_cpi),
        cmocka_unit_test(mwp_below_one_delays_no_barrier),
        cmocka_unit_test(fig_29_paths_are_added),
        cmocka_unit_test(paths_use_the_options),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
