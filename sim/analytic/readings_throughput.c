/* SPDX-License-Identifier: Apache-2.0
 *
 * Chapter V of Hong's thesis: TP-A1, TP-A3, TP-A7, TP-A9, TP-E4 and sections 5.3.3, 5.5.2.
 */
#include "analytic/readings.h"
#include "analytic/throughput_kernel.h"

/* Figures 98, 103 and 130: memory lasts three computation periods. */
static throughput_in three_to_one(double n)
{
    return (throughput_in){.eff_mem = 300, .eff_comp = 100, .eff_perf = 40, .n = (uint32_t)n, .mwp_bw = 99,
                           .mwp_proc = 99, .mstr = 1};
}

/* about: warps, here and below. */
static double divisor(const reading_input *ask)
{
    const throughput_in in = three_to_one(ask->about[0]);
    throughput_freq_advice a;
    analytic_err err;

    return throughput_advise_freq(&in, 1, &ask->how->predict.throughput, &a, &err) ? a.divisor : NAN;
}

static double idle_cycles(const reading_input *ask)
{
    const throughput_in in = three_to_one(ask->about[0]);
    throughput_result r;
    analytic_err err;

    return throughput_compute(&in, &ask->how->predict.throughput, &r, &err) ? r.idle_mem_cycles : NAN;
}

/* numbers: what is similar; 0: the default. */
static double category(const reading_input *ask)
{
    const throughput_in in = {.eff_mem = 200, .eff_comp = 10, .eff_perf = 5, .n = (uint32_t)ask->about[0],
                              .mwp_bw = 17.2, .mwp_proc = 99, .mstr = 1};
    throughput_options options = ask->how->predict.throughput;
    throughput_result r;
    analytic_err err;

    if (ask->numbers[0] > 0)
        options.similar = ask->numbers[0];
    return throughput_compute(&in, &options, &r, &err) ? (double)r.category : NAN;
}

static double warps(const throughput_in *in, const model_switches *how)
{
    throughput_n_advice a;
    analytic_err err;

    return throughput_advise_n(in, &how->predict.throughput, &a, &err) ? (double)a.n : NAN;
}

/* Reference vector 2: more warps than MWP_App_InfiN. */
static double warps_of_many(const reading_input *ask)
{
    const throughput_in many = {.eff_mem = 450, .eff_comp = 20, .eff_perf = 10, .n = (uint32_t)ask->about[0],
                                .mwp_bw = 21.25, .mwp_proc = 99, .mstr = 2};

    return warps(&many, ask->how);
}

/* MWP_App_InfiN of a loop of 2 loads and 10 other instructions. */
static double infin(const reading_input *ask)
{
    const throughput_device gtx580 = throughput_device_gtx580(THROUGHPUT_TABLE_14_CORRECTED);
    const throughput_mix mix = {.fp_insts = 10, .mem_insts = 2, .mstr = 2, .ilp = 1, .dep = 20,
                                .n = (uint32_t)ask->about[0]};
    const throughput_memory memory = {.eff_mem = gtx580.dram_latency, .load_bytes = 128, .mwp_proc = 99};
    throughput_kernel_result r;
    analytic_err err;

    return throughput_kernel(&gtx580, &mix, &memory, &ask->how->predict.throughput, &r, &err)
               ? r.model.mwp_app_infin
               : NAN;
}

/* GFLOPS of fused multiply-adds or of vector instructions. numbers, below: the reading of Table 14. */
static double peak(throughput_device device, bool fused)
{
    const throughput_mix mix = {.fp_fused_insts = fused, .fp_vec_insts = !fused, .mstr = 1, .ilp = 1,
                                .sse_ilp = 1, .dep = 20, .n = 1};
    throughput_peak p;
    analytic_err err;

    return throughput_peak_compute(&device, &mix, &p, &err) ? p.peak_achi : NAN;
}

static double peak_of_gtx580(const reading_input *ask)
{
    return peak(throughput_device_gtx580((enum throughput_table_14)ask->numbers[0]), true);
}

static double peak_of_e5645(const reading_input *ask)
{
    return peak(throughput_device_e5645((enum throughput_table_14)ask->numbers[0]), false);
}

/* Dmadd: two loads at once, hardly any computation, on 16 cores of a GTX 580 whose loads of numbers[0] bytes
 * take numbers[1] cycles. */
static throughput_in dmadd(double n, const double *numbers)
{
    const throughput_device gtx580 = throughput_device_gtx580(THROUGHPUT_TABLE_14_CORRECTED);
    const throughput_bw_in in = {gtx580.mem_bandwidth, gtx580.freq, numbers[0], numbers[1], 16};
    throughput_bw bw = {.mwp_bw = NAN};
    analytic_err err;

    throughput_mwp_bw(&in, &bw, &err);
    return (throughput_in){.eff_mem = 450, .eff_comp = 5, .eff_perf = 1, .n = (uint32_t)n,
                           .mwp_bw = bw.mwp_bw, .mwp_proc = 99, .mstr = 2};
}

static double cores_of_dmadd(const reading_input *ask)
{
    const throughput_in in = dmadd(ask->about[0], ask->numbers);
    throughput_core_advice a;
    analytic_err err;

    return throughput_advise_cores(&in, 16, &ask->how->predict.throughput, &a, &err) ? (double)a.cores : NAN;
}

static double warps_of_dmadd(const reading_input *ask)
{
    const throughput_in in = dmadd(ask->about[0], ask->numbers);

    return warps(&in, ask->how);
}

#define TABLE_14 {{"printed", .numbers = {THROUGHPUT_TABLE_14_PRINTED}}, \
                  {"corrected", .numbers = {THROUGHPUT_TABLE_14_CORRECTED}}}
/* Inputs, not options: the thesis does not say which pair it took. Table 14's latency and a line of 128 bytes
 * come first. */
#define LOAD_PAIRS {{"128 B in 450", .numbers = {128, 450}}, {"64 B in 450", .numbers = {64, 450}}, \
                    {"64 B in 430", .numbers = {64, 430}}}

static const reading rows[] = {
    {"TP-A1", "INFIN_PLUS1", "Fig. 130, core frequency divided by", "3", divisor, {2},
     .variant = {{"Eq. 72 in Eq. 93", .settings = {"INFIN_PLUS1=0"}}, {.name = "1 more in Eq. 93"},
                 {"1 more everywhere", .settings = {"INFIN_PLUS1=ALL"}}}, .usual = 1},
    {"TP-A3", "-", "5.3.6, idle cycles at N = MWP_App_InfiN = 3, periods of 300 and 100", "0", idle_cycles, {3},
     .variant = {{.name = "Eqs. 78 to 82"}}},
    {"TP-A7", "SIMILAR", "5.4.4, category with MWP_BW 14 % below MWP_App", "-", category, {32},
     .variant = {{.name = "0.85 x MWP_App"}, {"MWP_App / 1.15", .numbers = {1 / 1.15}}}},
    {"TP-13", "N_NEW", "5.5.2, N for 45 accesses where 21.25 are sustained", "-", warps_of_many, {32},
     .variant = {{.name = "N x alpha"}, {"Eq. 90 solved", .settings = {"N_NEW=SOLVED"}}}},
    {"TP-6", "PERIOD", "5.3.3, MWP_App_InfiN of 2 loads at once and 10 instructions", "-", infin, {32},
     .variant = {{.name = "MSTR loads"}, {"every load", .settings = {"PERIOD=ACCESS"}}}},
    {"TP-A9", "TABLE_14", "5.6, peak GFLOPS of the GTX 580", "1600", peak_of_gtx580, {0}, .variant = TABLE_14, .usual = 1},
    {"TP-A9", "TABLE_14", "Table 14, peak GFLOPS of two E5645", "-", peak_of_e5645, {0}, .variant = TABLE_14, .usual = 1},
    {"TP-E4", "LOAD_PAIR", "5.5.1, cores for Dmadd at N = 24", "13", cores_of_dmadd, {24}, .variant = LOAD_PAIRS},
    {"TP-E4", "LOAD_PAIR", "5.5.1, cores for Dmadd at N = 32", "10", cores_of_dmadd, {32}, .variant = LOAD_PAIRS},
    {"TP-E4", "LOAD_PAIR", "5.5.2, warps for Dmadd at N = 32", "18", warps_of_dmadd, {32}, .variant = LOAD_PAIRS},
};

const reading_table readings_throughput = READING_TABLE(rows);
