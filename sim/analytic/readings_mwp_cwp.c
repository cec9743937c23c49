/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/readings.h"

#include <stddef.h>

#include "analytic/mwp_cwp_gpus.h"

/* Rows in the order of doc/papers/mwp_cwp.md; `ok` turns false with the first model that refuses. */
typedef struct table {
    reading *row;
    unsigned num;
    bool ok;
} table;

static void add_row(table *t, const char *rule, const char *option, const char *example, const char *paper)
{
    t->row[t->num++] = (reading){.rule = rule, .option = option, .example = example, .paper = paper};
}

static void add_variant(table *t, const char *name, double value, bool is_default)
{
    reading_variant(&t->row[t->num - 1], name, value, is_default);
}

/* ---- single rounds: Figs. 6 and 8, in computation periods --------------------------------------- */

static double periods(table *t, const mwp_cwp_round *in, const mwp_cwp_options *options)
{
    mwp_cwp_round_result r = {0};
    analytic_err err;

    t->ok = mwp_cwp_round_compute(in, options, &r, &err) && t->ok;
    return r.cycles;
}

static void eq_1_or_22(table *t)
{
    static const struct {
        const char *example;
        mwp_cwp_round in;
    } fig_6[] = {
        {"Fig. 6(a): 2 comp + 4 mem, 1 mem = 3 comp", {8, 2, 1, 1, 3, 3}},
        {"Fig. 6(b): 2 comp + 4 mem, 1 mem = 3 comp", {4, 2, 2, 2, 6, 3}},
    };
    const mwp_cwp_options eq22 = mwp_cwp_options_default();
    mwp_cwp_options eq1 = eq22;

    eq1.eq1 = true;
    for (unsigned i = 0; i < sizeof fig_6 / sizeof fig_6[0]; i++) {
        add_row(t, "MC-1", "EQ1", fig_6[i].example, "14");
        add_variant(t, "Eq. 22", periods(t, &fig_6[i].in, &eq22), true);
        add_variant(t, "Eq. 1", periods(t, &fig_6[i].in, &eq1), false);
    }
}

static void case_2_in_fig_8(table *t)
{
    static const mwp_cwp_round fig_8 = {8, 8, 1, 1, 0.5, 0.5};
    const mwp_cwp_options literal = mwp_cwp_options_default();
    mwp_cwp_options figure = literal;

    figure.case2_comp_or = false;
    add_row(t, "MC-19", "CASE2_COMP_OR", "Fig. 8: 8 comp + 1 mem, 1 mem = 0.5 comp", "8.5");
    add_variant(t, "literal", periods(t, &fig_8, &literal), true);
    add_variant(t, "figure", periods(t, &fig_8, &figure), false);
}

/* ---- kernels --------------------------------------------------------------------------------------- */

/* Three blocks of eight warps per SM, ten rounds, coalesced. */
static mwp_cwp_kernel coalesced(const mwp_cwp_gpu *gpu, double comp_insts, double mem_insts)
{
    mwp_cwp_kernel k = mwp_cwp_kernel_default();

    k.threads_per_block = 256;
    k.blocks = (uint32_t)(30 * gpu->active_sms);
    k.active_blocks_per_sm = 3;
    k.comp_insts = comp_insts;
    k.coal_mem_insts = mem_insts;
    k.load_bytes_per_warp = 128;
    return k;
}

static mwp_cwp_result solve(table *t, const mwp_cwp_gpu *gpu, const mwp_cwp_kernel *k,
                            const mwp_cwp_options *options)
{
    mwp_cwp_result r = {0};
    analytic_err err;

    t->ok = mwp_cwp_compute(gpu, k, options, &r, &err) && t->ok;
    return r;
}

static void case_2_and_issue(table *t, const mwp_cwp_gpu *fx5600)
{
    const mwp_cwp_kernel k = coalesced(fx5600, 400, 2);
    const mwp_cwp_options literal = mwp_cwp_options_default();
    mwp_cwp_options figure = literal;
    mwp_cwp_options floored = literal;

    figure.case2_comp_or = false;
    floored.issue_floor = true;
    add_row(t, "MC-19", "CASE2_COMP_OR", "CPI, 400 comp + 2 mem (V6); 2.5.2: peak is 4", ">= 4");
    add_variant(t, "literal", solve(t, fx5600, &k, &literal).cpi, true);
    add_variant(t, "figure", solve(t, fx5600, &k, &figure).cpi, false);
    add_variant(t, "literal, ISSUE_FLOOR", solve(t, fx5600, &k, &floored).cpi, false);
}

static void rounds(table *t, const mwp_cwp_gpu *fx5600)
{
    mwp_cwp_kernel k = coalesced(fx5600, 29, 1);
    const mwp_cwp_options fraction = mwp_cwp_options_default();
    mwp_cwp_options whole = fraction;

    k.blocks += 20;
    whole.rep_ceil = true;
    add_row(t, "MC-17", "REP_CEIL", "#Rep, 500 blocks, 3 on each of 16 SMs", "-");
    add_variant(t, "fraction", solve(t, fx5600, &k, &fraction).rep, true);
    add_variant(t, "ceil", solve(t, fx5600, &k, &whole).rep, false);
}

/* ---- bounds of MWP ---------------------------------------------------------------------------------- */

static void coalesced_latency(table *t, const mwp_cwp_gpu *fx5600)
{
    const mwp_cwp_kernel k = coalesced(fx5600, 29, 1);
    const mwp_cwp_options thesis = mwp_cwp_options_default();
    mwp_cwp_options isca = thesis;

    isca.coal_departure = false;
    add_row(t, "MC-11", "COAL_DEPARTURE", "MWP_peak_BW on FX5600, Fig. 23; 2.6.1 also says 40", "12");
    add_variant(t, "Mem_LD + departure", solve(t, fx5600, &k, &thesis).mwp_peak_bw, true);
    add_variant(t, "Mem_LD", solve(t, fx5600, &k, &isca).mwp_peak_bw, false);
}

static void latency_of_gtx280(table *t)
{
    const mwp_cwp_gpu *gtx280 = mwp_cwp_gpu_find("GTX280");
    const mwp_cwp_kernel k = coalesced(gtx280, 29, 1);
    mwp_cwp_gpu fixed = *gtx280;
    mwp_cwp_options mem_ld_alone = mwp_cwp_options_default();

    fixed.mem_ld = 430;
    mem_ld_alone.coal_departure = false;
    add_row(t, "MC-6", "MEM_LD", "MWP_peak_BW on GTX280, 3.5.4", "10.8");
    add_variant(t, "Table 5 (Mem_L 454)", solve(t, gtx280, &k, NULL).mwp_peak_bw, true);
    add_variant(t, "3.3.1 (Mem_L 430)", solve(t, &fixed, &k, &mem_ld_alone).mwp_peak_bw, false);
}

static void uncoalesced_bound(table *t, const mwp_cwp_gpu *fx5600)
{
    mwp_cwp_kernel k = coalesced(fx5600, 29, 0);

    k.uncoal_mem_insts = 1;
    add_row(t, "MC-14", "UNCOAL_PER_MW", "MWP, uncoalesced, Fig. 21", "5");
    add_variant(t, "32 transactions", solve(t, fx5600, &k, NULL).mwp, true);
    k.uncoal_per_mw = 10.25; /* (420 + 9.25 x 10) / (10.25 x 10) is 5 */
    add_variant(t, "10.25 transactions", solve(t, fx5600, &k, NULL).mwp, false);
}

/* ---- independent requests --------------------------------------------------------------------------- */

static void n_pw(table *t, const mwp_cwp_gpu *gpu, const char *example, const char *paper, uint32_t warps,
                 double independent)
{
    mwp_cwp_kernel k = coalesced(gpu, 10, 2);
    const mwp_cwp_options corrected = mwp_cwp_options_default();
    mwp_cwp_options literal = corrected;

    literal.npw_literal = true;
    k.threads_per_block = 32 * warps;
    k.active_blocks_per_sm = 1;
    k.ind_mem_req = independent;
    add_row(t, "MC-24", "NPW_LITERAL", example, paper);
    add_variant(t, "#Mem_req above", solve(t, gpu, &k, &corrected).n_pw, true);
    add_variant(t, "literal", solve(t, gpu, &k, &literal).n_pw, false);
}

static void npw_case(table *t)
{
    static const mwp_cwp_round four_of_four = {2, 4, 4, 4, 36, 9};
    const mwp_cwp_options eq4 = mwp_cwp_options_default();
    mwp_cwp_options eq23 = eq4;

    eq23.npw_case_literal = true;
    add_row(t, "MC-24", "NPW_CASE_LITERAL", "cycles in comp, N 2, N_pw 4, 4 requests, 1 mem = 9 comp", "-");
    add_variant(t, "Eq. 4", periods(t, &four_of_four, &eq4), true);
    add_variant(t, "Eq. 23", periods(t, &four_of_four, &eq23), false);
}

/* ---- Table 6 ------------------------------------------------------------------------------------------ */

static void m_factor(table *t, const char *example, const char *paper, const mwp_cwp_mix *mix)
{
    double table_6 = 0;
    double sentence = 0;
    analytic_err err;

    t->ok = mwp_cwp_m_factor(mix, MWP_CWP_M_EXPERIMENT, &table_6, &err) &&
            mwp_cwp_m_factor(mix, MWP_CWP_M_SENTENCE, &sentence, &err) && t->ok;
    add_row(t, "MC-26", "M_SOURCE", example, paper);
    add_variant(t, "Table 6", table_6, true);
    add_variant(t, "sentence", sentence, false);
}

unsigned readings_mwp_cwp(reading *out)
{
    static const mwp_cwp_mix int_mul = {.int_mul = 1};
    static const mwp_cwp_mix modulo = {.int_modulo = 1};
    const mwp_cwp_gpu *fx5600 = mwp_cwp_gpu_find("FX5600");
    table t = {.row = out, .ok = true};

    eq_1_or_22(&t);
    case_2_in_fig_8(&t);
    case_2_and_issue(&t, fx5600);
    rounds(&t, fx5600);
    coalesced_latency(&t, fx5600);
    latency_of_gtx280(&t);
    uncoalesced_bound(&t, fx5600);
    n_pw(&t, fx5600, "N_pw, Fig. 26(b): 2 warps, 1 of 2 requests independent", "4", 2, 1);
    n_pw(&t, fx5600, "N_pw, Fig. 28(b): 4 warps, 1 of 2 requests independent", "8", 4, 1);
    n_pw(&t, fx5600, "N_pw, 4 warps, dependent: \"the same as N\"", "4", 4, 0);
    npw_case(&t);
    m_factor(&t, "M_Factor of integer multiplication", "4.3, 35", &int_mul);
    m_factor(&t, "M_Factor of modulo", "35, 4.3", &modulo);
    return t.ok ? t.num : 0;
}
