/* SPDX-License-Identifier: Apache-2.0
 *
 * Chapter V of Hong's thesis: TP-A1, TP-A3, TP-A7, TP-A9, TP-E4 and sections 5.3.3, 5.5.2.
 */
#include "analytic/readings.h"

#include <stddef.h>

#include "analytic/throughput_advice.h"
#include "analytic/throughput_kernel.h"

/* Collects rows; one model call that fails spoils them all. */
typedef struct rows {
    reading *out;
    unsigned num;
    bool failed;
    analytic_err err;
} rows;

static reading *add(rows *r, const char *rule, const char *option, const char *example, const char *paper)
{
    reading *row = &r->out[r->num++];

    *row = (reading){.rule = rule, .option = option, .example = example, .paper = paper};
    return row;
}

/* Figures 98, 103 and 130: memory lasts three computation periods. */
static throughput_in three_to_one(uint32_t n)
{
    return (throughput_in){.eff_mem = 300, .eff_comp = 100, .eff_perf = 40, .n = n, .mwp_bw = 99,
                           .mwp_proc = 99, .mstr = 1};
}

/* Dmadd: two loads at once, hardly any computation; `budget` accesses in flight on 16 cores. */
static throughput_in dmadd(uint32_t n, double budget)
{
    return (throughput_in){.eff_mem = 450, .eff_comp = 5, .eff_perf = 1, .n = n, .mwp_bw = budget / 16,
                           .mwp_proc = 99, .mstr = 2};
}

static double divisor(rows *r, enum throughput_infin infin)
{
    const throughput_in in = three_to_one(2);
    throughput_options options = throughput_options_default();
    throughput_freq_advice a = {0};

    options.infin = infin;
    r->failed |= !throughput_advise_freq(&in, 1, &options, &a, &r->err);
    return a.divisor;
}

static double idle_at_infin(rows *r)
{
    const throughput_in in = three_to_one(3);
    throughput_result result = {0};

    r->failed |= !throughput_compute(&in, NULL, &result, &r->err);
    return result.idle_mem_cycles;
}

static double peak(rows *r, throughput_device device, bool fused)
{
    const throughput_mix mix = {.fp_fused_insts = fused, .fp_vec_insts = !fused, .mstr = 1, .ilp = 1,
                                .sse_ilp = 1, .dep = 20, .n = 1};
    throughput_peak p = {0};

    r->failed |= !throughput_peak_compute(&device, &mix, &p, &r->err);
    return p.peak_achi;
}

/* Accesses in flight of a GTX 580 whose loads of `bytes` take `cycles`. */
static double budget(rows *r, double bytes, double cycles)
{
    const throughput_device gtx580 = throughput_device_gtx580(THROUGHPUT_TABLE_14_CORRECTED);
    const throughput_bw_in in = {gtx580.mem_bandwidth, gtx580.freq, bytes, cycles, gtx580.cores};
    throughput_bw bw = {0};

    r->failed |= !throughput_mwp_bw(&in, &bw, &r->err);
    return bw.budget;
}

static double cores(rows *r, uint32_t n, double bytes, double cycles)
{
    const throughput_in in = dmadd(n, budget(r, bytes, cycles));
    throughput_core_advice a = {0};

    r->failed |= !throughput_advise_cores(&in, 16, NULL, &a, &r->err);
    return a.cores;
}

static double warps(rows *r, const throughput_in *in, enum throughput_n_new n_new)
{
    throughput_options options = throughput_options_default();
    throughput_n_advice a = {0};

    options.n_new = n_new;
    r->failed |= !throughput_advise_n(in, &options, &a, &r->err);
    return a.n;
}

static double warps_of_dmadd(rows *r, double bytes, double cycles)
{
    const throughput_in in = dmadd(32, budget(r, bytes, cycles));

    return warps(r, &in, throughput_options_default().n_new);
}

static double category(rows *r, double similar)
{
    const throughput_in in = {.eff_mem = 200, .eff_comp = 10, .eff_perf = 5, .n = 32, .mwp_bw = 17.2,
                              .mwp_proc = 99, .mstr = 1};
    throughput_options options = throughput_options_default();
    throughput_result result = {0};

    options.similar = similar;
    r->failed |= !throughput_compute(&in, &options, &result, &r->err);
    return result.category;
}

/* MWP_App_InfiN of a loop of 2 loads and 10 other instructions. */
static double infin(rows *r, enum throughput_period period)
{
    const throughput_device gtx580 = throughput_device_gtx580(THROUGHPUT_TABLE_14_CORRECTED);
    const throughput_mix mix = {.fp_insts = 10, .mem_insts = 2, .mstr = 2, .ilp = 1, .dep = 20, .n = 32};
    const throughput_memory memory = {.eff_mem = gtx580.dram_latency, .load_bytes = 128, .mwp_proc = 99};
    throughput_options options = throughput_options_default();
    throughput_kernel_result result = {0};

    options.period = period;
    r->failed |= !throughput_kernel(&gtx580, &mix, &memory, &options, &result, &r->err);
    return result.model.mwp_app_infin;
}

static void of_equations(rows *r)
{
    /* Reference vector 2: more warps than MWP_App_InfiN. */
    const throughput_in many = {.eff_mem = 450, .eff_comp = 20, .eff_perf = 10, .n = 32, .mwp_bw = 21.25,
                                .mwp_proc = 99, .mstr = 2};
    reading *row = add(r, "TP-A1", "INFIN_PLUS1", "Fig. 130, core frequency divided by", "3");

    reading_variant(row, "Eq. 72 in Eq. 93", divisor(r, THROUGHPUT_INFIN_EQ_72), false);
    reading_variant(row, "1 more in Eq. 93", divisor(r, THROUGHPUT_INFIN_PLUS1_EQ_93), true);
    reading_variant(row, "1 more everywhere", divisor(r, THROUGHPUT_INFIN_PLUS1_ALL), false);
    row = add(r, "TP-A3", "-", "5.3.6, idle cycles at N = MWP_App_InfiN = 3, periods of 300 and 100", "0");
    reading_variant(row, "Eqs. 78 to 82", idle_at_infin(r), true);
    row = add(r, "TP-A7", "SIMILAR", "5.4.4, category with MWP_BW 14 % below MWP_App", "-");
    reading_variant(row, "0.85 x MWP_App", category(r, throughput_options_default().similar), true);
    reading_variant(row, "MWP_App / 1.15", category(r, 1 / 1.15), false);
    row = add(r, "TP-13", "N_NEW", "5.5.2, N for 45 accesses where 21.25 are sustained", "-");
    reading_variant(row, "N x alpha", warps(r, &many, THROUGHPUT_N_TIMES_ALPHA), true);
    reading_variant(row, "Eq. 90 solved", warps(r, &many, THROUGHPUT_N_SOLVED), false);
    row = add(r, "TP-6", "PERIOD", "5.3.3, MWP_App_InfiN of 2 loads at once and 10 instructions", "-");
    reading_variant(row, "MSTR loads", infin(r, THROUGHPUT_PERIOD_GROUP), true);
    reading_variant(row, "every load", infin(r, THROUGHPUT_PERIOD_ACCESS), false);
}

static void of_table_14(rows *r)
{
    reading *row = add(r, "TP-A9", "TABLE_14", "5.6, peak GFLOPS of the GTX 580", "1600");

    reading_variant(row, "printed", peak(r, throughput_device_gtx580(THROUGHPUT_TABLE_14_PRINTED), true), false);
    reading_variant(row, "corrected", peak(r, throughput_device_gtx580(THROUGHPUT_TABLE_14_CORRECTED), true), true);
    row = add(r, "TP-A9", "TABLE_14", "Table 14, peak GFLOPS of two E5645", "-");
    reading_variant(row, "printed", peak(r, throughput_device_e5645(THROUGHPUT_TABLE_14_PRINTED), false), false);
    reading_variant(row, "corrected", peak(r, throughput_device_e5645(THROUGHPUT_TABLE_14_CORRECTED), false), true);
}

/* Inputs, not options: the thesis does not say which pair it took. Table 14's latency and a line of
 * 128 bytes come first. */
static void of_section_5_5(rows *r)
{
    static const struct { const char *name; double bytes, cycles; } pairs[] = {
        {"128 B in 450", 128, 450}, {"64 B in 450", 64, 450}, {"64 B in 430", 64, 430}};
    reading *at_24 = add(r, "TP-E4", "LOAD_PAIR", "5.5.1, cores for Dmadd at N = 24", "13");
    reading *at_32 = add(r, "TP-E4", "LOAD_PAIR", "5.5.1, cores for Dmadd at N = 32", "10");
    reading *n_new = add(r, "TP-E4", "LOAD_PAIR", "5.5.2, warps for Dmadd at N = 32", "18");

    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        reading_variant(at_24, pairs[i].name, cores(r, 24, pairs[i].bytes, pairs[i].cycles), i == 0);
        reading_variant(at_32, pairs[i].name, cores(r, 32, pairs[i].bytes, pairs[i].cycles), i == 0);
        reading_variant(n_new, pairs[i].name, warps_of_dmadd(r, pairs[i].bytes, pairs[i].cycles), i == 0);
    }
}

unsigned readings_throughput(reading *out)
{
    rows r = {.out = out};

    of_equations(&r);
    of_table_14(&r);
    of_section_5_5(&r);
    return r.failed ? 0 : r.num;
}
