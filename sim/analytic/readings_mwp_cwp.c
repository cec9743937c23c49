/* SPDX-License-Identifier: Apache-2.0
 *
 * Readings of Hong, PhD thesis 2012, Chapter II, in the order of doc/papers/mwp_cwp.md.
 */
#include "analytic/mwp_cwp_gpus.h"
#include "analytic/readings.h"

/* One round, in computation periods. about: N, MWP, memory periods, then cycles of computation, memory, one
 * memory period. */
static double periods(const reading_input *ask)
{
    const double *in = ask->about;
    const mwp_cwp_round round = {in[0], in[1], in[2], in[3], in[4], in[5]};
    mwp_cwp_round_result r;
    analytic_err err;

    return mwp_cwp_round_compute(&round, &ask->how->predict.time, &r, &err) ? r.cycles : NAN;
}

/* Three blocks of eight warps per SM, ten rounds, coalesced. */
static mwp_cwp_kernel coalesced(double comp_insts, double mem_insts)
{
    mwp_cwp_kernel k = mwp_cwp_kernel_default();

    k.threads_per_block = 256;
    k.blocks = 480;
    k.active_blocks_per_sm = 3;
    k.comp_insts = comp_insts;
    k.coal_mem_insts = mem_insts;
    k.load_bytes_per_warp = 128;
    return k;
}

/* NaN if the model refuses. */
static mwp_cwp_result solve(const mwp_cwp_gpu *gpu, mwp_cwp_kernel kernel, const model_switches *how)
{
    mwp_cwp_result r = {.cpi = NAN, .rep = NAN, .mwp = NAN, .mwp_peak_bw = NAN, .n_pw = NAN};
    analytic_err err;

    mwp_cwp_compute(gpu, &kernel, &how->predict.time, &r, &err);
    return r;
}

/* about: computation and memory instructions. */
static double cpi(const reading_input *ask)
{
    return solve(mwp_cwp_gpu_find("FX5600"), coalesced(ask->about[0], ask->about[1]), ask->how).cpi;
}

/* about: blocks. */
static double rounds(const reading_input *ask)
{
    mwp_cwp_kernel k = coalesced(29, 1);

    k.blocks = (uint32_t)ask->about[0];
    return solve(mwp_cwp_gpu_find("FX5600"), k, ask->how).rep;
}

static double peak_of_fx5600(const reading_input *ask)
{
    return solve(mwp_cwp_gpu_find("FX5600"), coalesced(29, 1), ask->how).mwp_peak_bw;
}

/* numbers: Mem_LD; 0: that of Table 5. */
static double peak_of_gtx280(const reading_input *ask)
{
    mwp_cwp_gpu gtx280 = *mwp_cwp_gpu_find("GTX280");

    if (ask->numbers[0] > 0)
        gtx280.mem_ld = ask->numbers[0];
    return solve(&gtx280, coalesced(29, 1), ask->how).mwp_peak_bw;
}

/* numbers: transactions of an access. */
static double uncoalesced_mwp(const reading_input *ask)
{
    mwp_cwp_kernel k = coalesced(29, 0);

    k.uncoal_mem_insts = 1;
    k.uncoal_per_mw = ask->numbers[0];
    return solve(mwp_cwp_gpu_find("FX5600"), k, ask->how).mwp;
}

/* about: warps, independent requests of two. */
static double n_pw(const reading_input *ask)
{
    mwp_cwp_kernel k = coalesced(10, 2);

    k.threads_per_block = 32 * (uint32_t)ask->about[0];
    k.active_blocks_per_sm = 1;
    k.ind_mem_req = ask->about[1];
    return solve(mwp_cwp_gpu_find("FX5600"), k, ask->how).n_pw;
}

/* about: instructions, integer multiplications and modulos; numbers: where their M_Factor is from. */
static double m_factor(const reading_input *ask)
{
    const mwp_cwp_mix mix = {.int_mul = ask->about[0], .int_modulo = ask->about[1]};
    analytic_err err;
    double m;

    return mwp_cwp_m_factor(&mix, (enum mwp_cwp_m_source)ask->numbers[0], &m, &err) ? m : NAN;
}

#define EQ_22_OR_1 {{.name = "Eq. 22"}, {"Eq. 1", .settings = {"EQ1=1"}}}
#define NPW {{.name = "#Mem_req above"}, {"literal", .settings = {"NPW_LITERAL=1"}}}
#define TABLE_6_OR_SENTENCE {{"Table 6", .numbers = {MWP_CWP_M_EXPERIMENT}}, \
                             {"sentence", .numbers = {MWP_CWP_M_SENTENCE}}}

static const reading rows[] = {
    {"MC-1", "EQ1", "Fig. 6(a): 2 comp + 4 mem, 1 mem = 3 comp", "14", periods, {8, 2, 1, 1, 3, 3}, .variant = EQ_22_OR_1},
    {"MC-1", "EQ1", "Fig. 6(b): 2 comp + 4 mem, 1 mem = 3 comp", "14", periods, {4, 2, 2, 2, 6, 3}, .variant = EQ_22_OR_1},
    {"MC-19", "CASE2_COMP_OR", "Fig. 8: 8 comp + 1 mem, 1 mem = 0.5 comp", "8.5", periods, {8, 8, 1, 1, 0.5, 0.5},
     .variant = {{.name = "literal"}, {"figure", .settings = {"CASE2_COMP_OR=0"}}}},
    {"MC-19", "CASE2_COMP_OR", "CPI, 400 comp + 2 mem (V6); 2.5.2: peak is 4", ">= 4", cpi, {400, 2},
     .variant = {{.name = "literal"}, {"figure", .settings = {"CASE2_COMP_OR=0"}},
                 {"literal, ISSUE_FLOOR", .settings = {"ISSUE_FLOOR=1"}}}},
    {"MC-17", "REP_CEIL", "#Rep, 500 blocks, 3 on each of 16 SMs", "-", rounds, {500},
     .variant = {{.name = "fraction"}, {"ceil", .settings = {"REP_CEIL=1"}}}},
    {"MC-11", "COAL_DEPARTURE", "MWP_peak_BW on FX5600, Fig. 23; 2.6.1 also says 40", "12", peak_of_fx5600, {0},
     .variant = {{.name = "Mem_LD + departure"}, {"Mem_LD", .settings = {"COAL_DEPARTURE=0"}}}},
    {"MC-6", "MEM_LD", "MWP_peak_BW on GTX280, 3.5.4", "10.8", peak_of_gtx280, {0},
     .variant = {{.name = "Table 5 (Mem_L 454)"},
                 {"3.3.1 (Mem_L 430)", .settings = {"COAL_DEPARTURE=0"}, .numbers = {430}}}},
    /* (420 + 9.25 x 10) / (10.25 x 10) is 5 */
    {"MC-14", "UNCOAL_PER_MW", "MWP, uncoalesced, Fig. 21", "5", uncoalesced_mwp, {0},
     .variant = {{"32 transactions", .numbers = {32}}, {"10.25 transactions", .numbers = {10.25}}}},
    {"MC-24", "NPW_LITERAL", "N_pw, Fig. 26(b): 2 warps, 1 of 2 requests independent", "4", n_pw, {2, 1},
     .variant = NPW},
    {"MC-24", "NPW_LITERAL", "N_pw, Fig. 28(b): 4 warps, 1 of 2 requests independent", "8", n_pw, {4, 1},
     .variant = NPW},
    {"MC-24", "NPW_LITERAL", "N_pw, 4 warps, dependent: \"the same as N\"", "4", n_pw, {4, 0}, .variant = NPW},
    {"MC-24", "NPW_CASE_LITERAL", "cycles in comp, N 2, N_pw 4, 4 requests, 1 mem = 9 comp", "-", periods, {2, 4, 4, 4, 36, 9},
     .variant = {{.name = "Eq. 4"}, {"Eq. 23", .settings = {"NPW_CASE_LITERAL=1"}}}},
    {"MC-26", "M_SOURCE", "M_Factor of integer multiplication", "4.3, 35", m_factor, {1, 0}, .variant = TABLE_6_OR_SENTENCE},
    {"MC-26", "M_SOURCE", "M_Factor of modulo", "35, 4.3", m_factor, {0, 1}, .variant = TABLE_6_OR_SENTENCE},
};

const reading_table readings_mwp_cwp = READING_TABLE(rows);
