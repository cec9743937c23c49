/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of mwp_cwp beyond its vectors: no memory instructions, rounds, CPI, the options, barriers,
 * divergence, independent requests.
 */
#include "analytic/mwp_cwp_fixture.h"

TEST(defaults_are_the_thesis)
{
    const mwp_cwp_options o = mwp_cwp_options_default();
    const mwp_cwp_options d = mwp_cwp_options_for_decisions();
    const mwp_cwp_kernel k = mwp_cwp_kernel_default();

    assert_true(o.case2_comp_or && o.coal_departure);
    assert_false(o.eq1 || o.issue_floor || o.rep_ceil || o.use_npw || o.npw_literal || o.npw_case_literal);
    assert_true(d.issue_floor && d.coal_departure);
    assert_false(d.case2_comp_or || d.eq1 || d.rep_ceil || d.use_npw || d.npw_literal || d.npw_case_literal);
    assert_each(IS(k.coal_per_mw, 1), IS(k.uncoal_per_mw, 32), IS(k.m_factor, 1));
}

/* ---- one rule each, on a vector with some changes ------------------------------------------------ */

TEST(rules)
{
#define NARROW GPU(bandwidth_gb_s, 76.8 * 4.5 / (106 / 9.0))
#define THREADS(number) KERNEL(threads_per_block, number)
#define FIGURES OPTION(case2_comp_or, 0)
#define FLOOR OPTION(issue_floor, 1)
#define LEAST_MWP (577 / (1.35 * 128 * 16))
    static const struct {
        unsigned vector;
        result of;
    } rows[] = {
        /* HG-A4: no memory instructions (Mb1), and no bytes that could be given. */
        {2, {{KERNEL(comp_insts, 23), KERNEL(coal_mem_insts, 0), KERNEL(m_factor, 1.25), KERNEL(synch_insts, 3),
              KERNEL(load_bytes_per_warp, 0)},
             {OUT(case_number, MWP_CWP_NO_MEMORY, 0), OUT(equation, 0, 0), OUT(exec_cycles, 4 * 1.25 * 23 * 24 * 10, 1e-15),
              OUT(cpi, 4 * 1.25, 1e-15), OUT(mwp, 24, 0), OUT(n_pw, 24, 0), OUT(cwp_full, 1, 0), OUT(cwp, 1, 0),
              OUT(np_wb, 8, 0), OUT(synch_cost, 0, 0), OUT(mem_l, 0, 0), OUT(mem_cycles, 0, 0), OUT(mwp_peak_bw, 0, 0),
              OUT(eq22, 0, 0), OUT(weight_coal, 0, 0), OUT(below_issue_bound, false, 0)}}},
        /* MC-17, HG-A3: rounds. */
        {2, {{KERNEL(blocks, 500)}, {OUT(rep, 500 / 48.0, 1e-15), OUT(exec_cycles, 3304 * 500 / 48.0, 1e-13)}}},
        {2, {{KERNEL(blocks, 500), OPTION(rep_ceil, 1)}, {OUT(rep, 11, 0), OUT(exec_cycles, 3304 * 11, 1e-13)}}},
        {2, {{KERNEL(blocks, 480), OPTION(rep_ceil, 1)}, {OUT(rep, 10, 0)}}},
        /* MC-21: N and CPI count warps, the last one of a block may be in part empty; 4 threads are the
         * thesis' smallest block. MC-15: an SM that issues two full warps per cycle. */
        {2, {{THREADS(33)},
             {OUT(warps_per_block, 2, 0), OUT(n, 6, 0), OUT(exec_cycles, 11440, 1e-13), OUT(cpi, 11440 / 1800.0, 1e-13)}}},
        {2, {{THREADS(32)}, {OUT(warps_per_block, 1, 0)}}},
        {2, {{THREADS(4)}, {OUT(warps_per_block, 1, 0)}}},
        {2, {{THREADS(4), GPU(warp_size, 2)}, {OUT(warps_per_block, 2, 0)}}},
        {2, {{GPU(issue_cycles, 0.5)}, {OUT(comp_cycles, 15, 0)}}},
        /* MC-10, MC-13: an uncoalesced access may need one transaction only. */
        {3, {{KERNEL(uncoal_per_mw, 1)}, {OUT(mem_l, 420, 0), OUT(departure_delay, 10, 0)}}},
        /* MC-1, HG-A1: Eq. 1 on the whole launch adds one computation period. */
        {3, {{OPTION(eq1, 1)},
             {OUT(equation, 1, 0), OUT(exec_cycles, 78337.5 + 120 * 10, 1e-13), OUT(eq22, 78337.5, 1e-13)}}},
        /* MC-11, HG-A7: Eq. 13 of the earlier paper. Eq. 15 keeps Departure_del_coal. */
        {7, {{UNCHANGED}, {OUT(mem_l_coal, 424, 0)}}},
        {7, {{OPTION(coal_departure, 0)}, {OUT(mem_l_coal, 420, 0), OUT(mem_l, 575, 0), OUT(departure_delay, 162, 0)}}},
        /* The issue floor mends V6. */
        {6, {{FLOOR}, {OUT(cpi, 4, 1e-15), OUT(below_issue_bound, true, 0), OUT(exec_cycles_with_synch, 385920, 1e-15)}}},
        /* The figures' reading falls below it as well, if MWP <= CWP < MWP + 1: here MWP 4.5, CWP 4.53. V2
         * has more bandwidth and takes longer. */
        {2, {{NARROW, FIGURES},
             {OUT(case_number, MWP_CWP_CASE_2, 0), OUT(cpi, (424 * 24 / 4.5 + 120 * 3.5) / (30 * 24), 1e-12),
              OUT(below_issue_bound, true, 0)}}},
        {2, {{NARROW}, {OUT(exec_cycles, 33040 * 0.811, 1e-3)}}},
        {2, {{NARROW, FIGURES, FLOOR}, {OUT(cpi, 4, 1e-15)}}},
        /* MC-22, MC-23, barriers. Fig. 32: one warp per block waits for nobody. MWP bounds the warps that
         * wait. */
        {7, {{THREADS(32)}, {OUT(np_wb, 1, 0), OUT(synch_cost, 0, 0)}}},
        {7, {{THREADS(96)}, {OUT(np_wb, 3, 0), OUT(synch_cost, 162 * 2 * 4, 1e-15)}}},
        {7, {{THREADS(256)}, {OUT(np_wb, 577 / 162.0, 1e-15)}}},
        {7, {{THREADS(256), KERNEL(synch_insts, 2.5), KERNEL(blocks, 128)},
             {OUT(synch_cost, 162 * (577 / 162.0 - 1) * 2.5 * 4 * 2, 1e-13)}}},
        /* They are added, but not in CPI. */
        {7, {{UNCHANGED},
             {OUT(exec_cycles_with_synch, 71644 / 27.0 + 648, 1e-13), OUT(cpi, 71644 / 27.0 / 96, 1e-13),
              OUT(seconds, 89140 / 27.0 / 1.35e9, 1e-13)}}},
        /* MWP below one, 0.21 warps, delays no barrier. */
        {7, {{GPU(bandwidth_gb_s, 1)},
             {OUT(mwp, LEAST_MWP, 1e-13), OUT(np_wb, LEAST_MWP, 1e-13), OUT(synch_cost, 0, 0),
              OUT(exec_cycles, 1154 * 8 / LEAST_MWP, 1e-13)}}},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const mwp_cwp_vector v = mwp_cwp_vector_at(rows[i].vector);
        const subject model = {mwp_cwp_of_vector, &v, sizeof v};

        analytic_result(&model, &rows[i].of, i);
    }
}

/* ---- divergence (MC-25) ----------------------------------------------------------------------------- */

/* Fig. 29: B1B2B4B6B7, B1B2B5B6B7, B1B3B7. */
TEST(fig_29_paths_are_added)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(7);
    mwp_cwp_kernel path[3] = {v.kernel, v.kernel, v.kernel};
    mwp_cwp_paths_result all;
    double app = 0, synch = 0, both = 0;

    path[1].comp_insts = 30;
    path[2].coal_mem_insts = 0;
    path[2].uncoal_mem_insts = 0;
    must(mwp_cwp_paths(&v.gpu, path, 3, NULL, &all, &err));
    for (int i = 0; i < 3; i++) {
        mwp_cwp_result r;

        v.kernel = path[i];
        r = mwp_cwp_solve(&v, NULL);
        app += r.exec_cycles;
        synch += r.synch_cost;
        both += r.exec_cycles_with_synch;
    }
    assert_each(NEAR(all.exec_cycles, app, 1e-15), NEAR(all.synch_cost, synch, 1e-15),
                NEAR(all.synch_cost, 2 * 648, 1e-15), NEAR(all.exec_cycles_with_synch, both, 1e-15),
                NEAR(all.seconds, both / 1.35e9, 1e-13));
    must(mwp_cwp_paths(&v.gpu, path, 1, NULL, &all, &err));
    assert_near(all.exec_cycles_with_synch, 89140 / 27.0, 1e-13);
}

TEST(paths_use_the_options)
{
    const mwp_cwp_vector v = mwp_cwp_vector_at(6);
    const mwp_cwp_kernel path[2] = {v.kernel, v.kernel};
    mwp_cwp_options o = mwp_cwp_options_default();
    mwp_cwp_paths_result all;

    o.case2_comp_or = false;
    must(mwp_cwp_paths(&v.gpu, path, 2, &o, &all, &err));
    assert_near(all.exec_cycles, 2 * 390160, 1e-13);
}

/* ---- independent memory requests: N_pw of Eqs. 28 and 29 (MC-24, HG-A5), Figs. 26 to 28 ---------------- */

/* That many warps with two requests each, with use_npw. */
#define WARPS(warps, independent) \
    OPTION(use_npw, 1), KERNEL(threads_per_block, 32 * (warps)), KERNEL(ind_mem_req, independent)
#define LITERAL OPTION(npw_literal, 1)
#define BANDWIDTH (106 / 9.0) /* warps that it serves */

/* One block of four warps on each of an FX5600's SMs, two requests each. */
static mwp_cwp_vector two_requests(void)
{
    mwp_cwp_vector v = mwp_cwp_vector_at(5);

    v.kernel.threads_per_block = 32 * 4;
    v.kernel.comp_insts = 10;
    v.kernel.coal_mem_insts = 2;
    return v;
}

TEST(n_pw_of_the_figures)
{
    static const result rows[] = {
        /* Fig. 26b, two warps as if four: one memory period, four computation periods. */
        {{WARPS(2, 1)},
         {OUT(n_pw, 4, 0), OUT(mwp, 4, 0), OUT(npw_used, true, 0), OUT(case_number, MWP_CWP_CASE_1, 0),
          OUT(equation, 4, 0), OUT(exec_cycles, 424 + 4 * 24, 1e-13)}},
        {{WARPS(2, 1), LITERAL}, {OUT(n_pw, 2, 0)}},
        /* Fig. 28b, four warps as if eight. */
        {{WARPS(4, 1)}, {OUT(n_pw, 8, 0), OUT(mwp, 8, 0), OUT(exec_cycles, 424 + 8 * 24, 1e-13)}},
        {{WARPS(4, 1), LITERAL}, {OUT(n_pw, 4, 0), OUT(mwp, 4, 0)}},
        /* Fig. 27: dependent code waits for each of its periods, with use_npw and without. */
        {{WARPS(4, 0)}, {OUT(n_pw, 4, 0), OUT(equation, 21, 0), OUT(exec_cycles, 2 * 424 + 5 * 24, 1e-13)}},
        {{UNCHANGED}, {OUT(exec_cycles, 2 * 424 + 5 * 24, 1e-13)}},
        /* Without use_npw: reported, not used. */
        {{KERNEL(ind_mem_req, 1)}, {OUT(n_pw, 8, 0), OUT(mwp, 4, 0), OUT(npw_used, false, 0)}},
        {{LITERAL}, {OUT(n_pw, 0, 0)}},
        /* HG-A5, all independent: no bound but the machine's; and there are only 8 requests. */
        {{WARPS(4, 2)},
         {OUT(n_pw, BANDWIDTH, 1e-13), OUT(mwp, BANDWIDTH, 1e-13), OUT(exec_cycles, 424 + 8 * 24, 1e-13)}},
        {{WARPS(4, 2), LITERAL}, {OUT(n_pw, BANDWIDTH, 1e-13)}},
        {{WARPS(4, 1.9)}, {OUT(mwp, BANDWIDTH, 1e-13), OUT(n_pw, 80, 1e-12)}},
        /* Fig. 26c: Eq. 29 counts only while there are fewer warps than the machine serves. */
        {{WARPS(12, 1)}, {OUT(npw_used, false, 0), OUT(mwp, BANDWIDTH, 1e-13), OUT(n_pw, 24, 0)}},
        {{WARPS(11, 1)}, {OUT(npw_used, true, 0), OUT(mwp, BANDWIDTH, 1e-13)}},
        {{WARPS(12, 0), LITERAL}, {OUT(mwp, BANDWIDTH, 1e-13)}}, /* Eq. 28's 0 does no harm here */
        /* Without a limit of bandwidth it ends at the departure: not 1, as with Eq. 17's MWP_Without_BW. */
        {{WARPS(1, 3), KERNEL(coal_mem_insts, 0), KERNEL(uncoal_mem_insts, 4)},
         {OUT(n_pw, 4, 0), OUT(mwp, 73 / 32.0, 1e-15), OUT(mwp_without_bw, 1, 0)}},
    };
    static const refusal refused[] = {{"n_pw is 0", {WARPS(4, 0), LITERAL}}}; /* dependent code */
    const mwp_cwp_vector good = two_requests();
    const subject model = {mwp_cwp_of_vector, &good, sizeof good};

    assert_results(&model, rows);
    assert_refusals(&model, refused);
}

/* Two numbers of one result, to the last bit. */
TEST(n_pw_changes_nothing_else)
{
    mwp_cwp_vector v = two_requests();
    const mwp_cwp_result without = mwp_cwp_solve(&v, NULL);
    mwp_cwp_result with;

    v.options.use_npw = true;
    with = mwp_cwp_solve(&v, &v.options);
    assert_near(with.exec_cycles, without.exec_cycles, 0);
    v.kernel.ind_mem_req = 2;
    with = mwp_cwp_solve(&v, &v.options);
    assert_near(with.mwp, with.mwp_peak_bw, 0);
}
