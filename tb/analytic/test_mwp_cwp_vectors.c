/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference vectors V1 to V7 of mwp_cwp, against the fractions that exact arithmetic gives, the numbers in the
 * thesis' text, and its tables.
 */
#include "analytic/mwp_cwp_fixture.h"

enum { COLUMNS = 18 };

/* Columns: N, Mem_L, Departure_delay, MWP_Without_BW_full, MWP_peak_BW, MWP, Comp_cycles, Mem_cycles,
 * CWP_full, CWP, #Rep, Exec, Synch, Total, CPI, Eq. 21, Eq. 22, Eq. 23. */
typedef struct fraction {
    double num, den;
} fraction;

typedef struct reference {
    fraction exact[COLUMNS];
    enum mwp_cwp_case case_number;
} reference;

static const reference REFERENCE[MWP_CWP_VECTORS] = {
    {{{20, 1}, {730, 1}, {320, 1}, {73, 32}, {1825, 64}, {73, 32}, {132, 1}, {4380, 1}, {376, 11}, {20, 1},
      {1, 1}, {614851, 16}, {12300, 1}, {811651, 16}, {614851, 10560}, {72643, 16}, {614851, 16}, {3370, 1}},
     MWP_CWP_CASE_2},
    {{{24, 1}, {424, 1}, {4, 1}, {106, 1}, {106, 9}, {106, 9}, {120, 1}, {424, 1}, {68, 15}, {68, 15},
      {10, 1}, {33040, 1}, {0, 1}, {33040, 1}, {413, 90}, {55120, 3}, {64720, 3}, {33040, 1}},
     MWP_CWP_CASE_3},
    {{{24, 1}, {730, 1}, {320, 1}, {73, 32}, {365, 18}, {73, 32}, {120, 1}, {730, 1}, {85, 12}, {85, 12},
      {10, 1}, {156675, 2}, {0, 1}, {156675, 2}, {2089, 192}, {20075, 2}, {156675, 2}, {36100, 1}},
     MWP_CWP_CASE_2},
    {{{32, 1}, {472, 1}, {42, 1}, {236, 21}, {6431, 480}, {236, 21}, {176, 1}, {1888, 1}, {129, 11},
      {129, 11}, {10, 1}, {1223560, 21}, {0, 1}, {1223560, 21}, {30589, 7392}, {528040, 21},
      {1223560, 21}, {61040, 1}},
     MWP_CWP_CASE_2},
    {{{1, 1}, {424, 1}, {4, 1}, {106, 1}, {106, 9}, {1, 1}, {36, 1}, {424, 1}, {115, 9}, {1, 1}, {1, 1},
      {460, 1}, {0, 1}, {460, 1}, {460, 9}, {460, 1}, {424, 1}, {460, 1}},
     MWP_CWP_CASE_1},
    {{{24, 1}, {424, 1}, {4, 1}, {106, 1}, {106, 9}, {106, 9}, {1608, 1}, {848, 1}, {307, 201}, {307, 201},
      {10, 1}, {311800, 3}, {0, 1}, {311800, 3}, {7795, 7236}, {333640, 3}, {311800, 3}, {390160, 1}},
     MWP_CWP_CASE_2},
    {{{8, 1}, {577, 1}, {162, 1}, {577, 162}, {577, 36}, {577, 162}, {48, 1}, {1154, 1}, {601, 24}, {8, 1},
      {1, 1}, {71644, 27}, {648, 1}, {89140, 27}, {17911, 648}, {34114, 27}, {71644, 27}, {961, 1}},
     MWP_CWP_CASE_2},
};

static void check_vector(unsigned number)
{
    const reference *ref = &REFERENCE[number - 1];
    const mwp_cwp_vector v = mwp_cwp_vector_at(number);
    const mwp_cwp_result r = mwp_cwp_solve(&v, NULL);
    const double got[COLUMNS] = {
        r.n, r.mem_l, r.departure_delay, r.mwp_without_bw_full, r.mwp_peak_bw, r.mwp, r.comp_cycles,
        r.mem_cycles, r.cwp_full, r.cwp, r.rep, r.exec_cycles, r.synch_cost, r.exec_cycles_with_synch, r.cpi,
        r.eq21, r.eq22, r.eq23};

    for (int i = 0; i < COLUMNS; i++) {
        assert_near(got[i], ref->exact[i].num / ref->exact[i].den, 1e-13);
    }
    assert_int_equal(r.case_number, ref->case_number);
    assert_int_equal(r.equation, ref->case_number + 20);
}

/* Tiled matrix multiplication, coalesced, uncoalesced, mixed, one warp, compute bound, a barrier. */
TEST(reference_vectors_v1_to_v7)
{
    for (unsigned number = 1; number <= MWP_CWP_VECTORS; number++)
        check_vector(number);
}

/* The vectors' table has no column for these. */
TEST(vectors_other_quantities)
{
    const mwp_cwp_vector v1 = mwp_cwp_vector_at(1);
    const mwp_cwp_vector v4 = mwp_cwp_vector_at(4);
    const mwp_cwp_vector v7 = mwp_cwp_vector_at(7);
    mwp_cwp_result r = mwp_cwp_solve(&v1, NULL);

    assert_each(IS(r.warps_per_block, 4), IS(r.mem_insts, 6), IS(r.total_insts, 33), IS(r.weight_uncoal, 1),
                IS(r.weight_coal, 0), NEAR(r.mwp_without_bw, 2.28125, 1e-15),
                NEAR(r.bw_per_warp, 64 / 365.0, 1e-13), NEAR(r.np_wb, 2.28125, 1e-15),
                NEAR(r.issue_bound, 2640, 1e-15), NEAR(r.seconds, 811651 / 16e9, 1e-13));
    assert_near(r.eq1, 614851 / 16.0 + 22, 1e-13);                 /* one Comp_p more than Eq. 22 */
    assert_near(r.eq4, (4380 + 132) * 20 * 32 / 73.0 + 22 * 41 / 32.0, 1e-13);
    r = mwp_cwp_solve(&v4, NULL);
    assert_each(IS(r.weight_uncoal, 0.5), IS(r.weight_coal, 0.5), IS(r.mem_l_uncoal, 490), IS(r.mem_l_coal, 454),
                NEAR(r.seconds, r.exec_cycles / 1.3e9, 1e-13));
    r = mwp_cwp_solve(&v7, NULL);
    assert_each(IS(r.np_wb, 2), IS(r.n_pw, 8), IS(r.npw_used, false), IS(r.below_issue_bound, false));
}

/* The earlier paper goes on with MWP rounded to 2.28. */
TEST(vector_v1_with_rounded_mwp)
{
    const mwp_cwp_round in = {.n = 20, .mwp = 2.28, .mem_insts = 6, .comp_cycles = 132, .mem_cycles = 4380,
                              .mem_l = 730};
    mwp_cwp_round_result r;

    must(mwp_cwp_round_compute(&in, NULL, &r, &err));
    assert_near(r.cycles, 38449.2, 1e-6);
}

/* HG-A2: the two readings of Case 2. */
TEST(hg_a2_v6_needs_the_figures_reading)
{
    const mwp_cwp_vector v = mwp_cwp_vector_at(6);
    mwp_cwp_options options = mwp_cwp_options_default();
    mwp_cwp_result r = mwp_cwp_solve(&v, &options);

    assert_true(r.below_issue_bound); /* CPI 1.08 where an instruction takes 4 cycles to issue */
    assert_near(r.issue_bound, 385920, 1e-13);
    options.case2_comp_or = false;
    r = mwp_cwp_solve(&v, &options);
    assert_each(IS(r.case_number, MWP_CWP_CASE_3), IS(r.equation, 23), NEAR(r.exec_cycles, 390160, 1e-13),
                NEAR(r.cpi, 4877 / 1206.0, 1e-13), NEAR(r.cpi, 4.04, 1e-3), IS(r.below_issue_bound, false));
    for (unsigned i = 1; i <= 5; i++) { /* no other vector turns on it */
        const mwp_cwp_vector other = mwp_cwp_vector_at(i);

        assert_int_equal(mwp_cwp_solve(&other, &options).case_number, REFERENCE[i - 1].case_number);
    }
}

/* ---- numbers in the text ----------------------------------------------------------------------- */

TEST(mwp_in_the_text)
{
#define COALESCED KERNEL(coal_mem_insts, 1), KERNEL(uncoal_mem_insts, 0)
#define UNCOALESCED KERNEL(coal_mem_insts, 0), KERNEL(uncoal_mem_insts, 1)
    static const struct {
        const char *gpu;
        result of;
    } rows[] = {
        {"FX5600", {{UNCOALESCED}, {OUT(mwp_without_bw, 73 / 32.0, 1e-15), OUT(mwp, 2.281, 2e-4)}}}, /* Fig. 24: 2 */
        {"FX5600", {{COALESCED}, /* Fig. 23: 12 */
                    {OUT(bw_per_warp, 0.40755, 1e-5), OUT(mwp_peak_bw, 11.78, 2e-4), OUT(mwp, 11.78, 2e-4)}}},
        {"8800GT", {{COALESCED}, {OUT(mwp, 9.09, 6e-4)}}}, /* Fig. 21: up to 9 */
        {"8800GT", {{UNCOALESCED}, {OUT(mwp, 2.28, 6e-4)}}}, /* not the text's 5 */
        {"8800GTX", {{COALESCED}, {OUT(mwp_peak_bw, 13.25, 1e-13)}}},
        {"GTX280", {{COALESCED}, {OUT(mwp_peak_bw, 12.89, 4e-4)}}},
        /* 3.3.1: an average latency of 430 cycles */
        {"GTX280", {{COALESCED, GPU(mem_ld, 430), OPTION(coal_departure, 0)}, {OUT(mwp_peak_bw, 12.2057, 1e-5)}}},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        mwp_cwp_vector v = mwp_cwp_vector_at(2);
        const subject model = {mwp_cwp_of_vector, &v, sizeof v};

        v.gpu = *mwp_cwp_gpu_find(rows[i].gpu);
        analytic_result(&model, &rows[i].of, i);
    }
}

/* ---- tables ------------------------------------------------------------------------------------- */

TEST(tables_2_and_5_gpus)
{
    static const struct {
        const char *name;
        double sms, ghz, gb_s, ld, uncoal;
    } table[] = {{"8800GTX", 16, 1.35, 86.4, 420, 10}, {"FX5600", 16, 1.35, 76.8, 420, 10},
                 {"8800GT", 14, 1.5, 57.6, 420, 10}, {"GTX280", 30, 1.3, 141.7, 450, 40}};

    for (size_t i = 0; i < LENGTH(table); i++) {
        const mwp_cwp_gpu *gpu = mwp_cwp_gpu_find(table[i].name);

        assert_string_equal(gpu->name, table[i].name);
        assert_each(IS(gpu->active_sms, table[i].sms), IS(gpu->freq_ghz, table[i].ghz),
                    IS(gpu->bandwidth_gb_s, table[i].gb_s), IS(gpu->mem_ld, table[i].ld),
                    IS(gpu->departure_uncoal, table[i].uncoal), IS(gpu->departure_coal, 4),
                    IS(gpu->issue_cycles, 4), IS(gpu->warp_size, 32));
    }
    assert_ptr_equal(mwp_cwp_gpu_find("gtx280"), mwp_cwp_gpu_find("GTX280"));
    assert_null(mwp_cwp_gpu_find("GTX"));
    assert_null(mwp_cwp_gpu_find(""));
}

/* Fig. 14 is lost; its text is not: the coalesced loads are almost hidden, the cost of the uncoalesced
 * ones is linear in their number (N x Departure_delay each), and CPI is 4 without any. */
TEST(table_3_micro_benchmarks)
{
    static const struct {
        double mem, comp;
    } mb[] = {{1, 17}, {1, 29}, {2, 27}, {2, 35}, {4, 47}, {6, 59}};
    mwp_cwp_vector v = mwp_cwp_vector_at(2);

    v.kernel.comp_insts = 23;
    v.kernel.coal_mem_insts = 0;
    assert_near(mwp_cwp_solve(&v, NULL).cpi, 4, 0);
    for (unsigned i = 0; i < LENGTH(mb); i++) {
        mwp_cwp_result r;

        v.kernel.comp_insts = mb[i].comp;
        v.kernel.coal_mem_insts = mb[i].mem;
        v.kernel.uncoal_mem_insts = 0;
        r = mwp_cwp_solve(&v, NULL);
        assert_int_equal(r.case_number, MWP_CWP_CASE_3);
        assert_true(r.cpi > 4 && r.cpi < 5);
        v.kernel.coal_mem_insts = 0;
        v.kernel.uncoal_mem_insts = mb[i].mem;
        r = mwp_cwp_solve(&v, NULL);
        assert_int_equal(r.case_number, MWP_CWP_CASE_2);
        assert_near(r.exec_cycles / mb[i].mem, 24 * 320 * 10, 0.025);
    }
}

static double m_factor(mwp_cwp_mix mix, enum mwp_cwp_m_source source)
{
    double m = 0;

    must(mwp_cwp_m_factor(&mix, source, &m, &err));
    return m;
}

TEST(table_6_m_factor)
{
    const mwp_cwp_mix one[] = {{.fp_add_mul_mad = 1}, {.int_add = 1}, {.fp_div = 1}, {.int_mul = 1},
                               {.int_div = 1}, {.int_modulo = 1}, {.other = 1}};
    static const double experiment[] = {1, 1, 4.2, 4.3, 30, 35, 1};
    static const double manual[] = {1, 1, 4, 4, 0, 0, 1};
    static const double sentence[] = {1, 1, 4.2, 35, 30, 4.3, 1};

    for (int i = 0; i < 7; i++) {
        assert_near(m_factor(one[i], MWP_CWP_M_EXPERIMENT), experiment[i], 0);
        assert_near(m_factor(one[i], MWP_CWP_M_SENTENCE), sentence[i], 0);
        if (manual[i] > 0)
            assert_near(m_factor(one[i], MWP_CWP_M_MANUAL), manual[i], 0);
    }
}

/* MC-15, Eq. 30: a mean over all instructions. */
TEST(mc_15_m_factor_of_a_mix)
{
    const mwp_cwp_mix mix = {.fp_add_mul_mad = 20, .int_add = 4, .fp_div = 1, .int_mul = 2, .int_div = 1,
                             .int_modulo = 1, .other = 3};
    mwp_cwp_vector v = mwp_cwp_vector_at(2);

    assert_near(m_factor(mix, MWP_CWP_M_EXPERIMENT), (27 + 4.2 + 8.6 + 30 + 35) / 32, 1e-15);
    v.kernel.m_factor = 2.5;
    assert_near(mwp_cwp_solve(&v, NULL).comp_cycles, 4 * 2.5 * 30, 1e-15);
}

TEST(m_factor_refuses)
{
    static const struct {
        mwp_cwp_mix mix;
        enum mwp_cwp_m_source source;
        const char *says;
    } rows[] = {
        {{.int_add = -1, .other = 2}, MWP_CWP_M_EXPERIMENT, "int_add is -1"},
        {{.fp_add_mul_mad = -1}, MWP_CWP_M_EXPERIMENT, "fp_add_mul_mad"},
        {{.fp_div = -1}, MWP_CWP_M_EXPERIMENT, "fp_div"},
        {{.int_mul = -1}, MWP_CWP_M_EXPERIMENT, "int_mul"},
        {{.int_div = -1}, MWP_CWP_M_EXPERIMENT, "int_div"},
        {{.int_modulo = -1}, MWP_CWP_M_EXPERIMENT, "int_modulo"},
        {{.other = -1}, MWP_CWP_M_EXPERIMENT, "other"},
        {{.other = 0}, MWP_CWP_M_EXPERIMENT, "the number of instructions is 0"},
        {{.int_div = 1}, MWP_CWP_M_MANUAL, "int_div is 1, but Table 6"},
        {{.int_modulo = 1}, MWP_CWP_M_MANUAL, "int_modulo is 1, but Table 6"},
        {{.other = 1}, MWP_CWP_M_SOURCES, "source is 3"},
        {{.int_modulo = 1e308}, MWP_CWP_M_EXPERIMENT, "m_factor has no finite value"},
    };
    double m = 7;

    for (size_t i = 0; i < LENGTH(rows); i++)
        assert_refused(mwp_cwp_m_factor(&rows[i].mix, rows[i].source, &m, &err), rows[i].says);
    assert_near(m, 7, 0);
}
