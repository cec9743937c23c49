/* SPDX-License-Identifier: Apache-2.0
 *
 * Readings of Hong, PhD thesis 2012, Chapter III (doc/papers/ipp.md, section Readings).
 */
#include "analytic/readings.h"

#include "analytic/ipp_cores.h"
#include "analytic/ipp_power.h"
#include "analytic/ipp_ptx.h"
#include "analytic/ipp_temperature.h"

/* One value of one row under some options; false if the model refuses. */
typedef bool (*value_of)(const ipp_options *options, double *value);

static const ipp_params *gtx280(void)
{
    return ipp_params_find("gtx280");
}

/* Every unit that the GPU has at access rate 1. */
static bool all_units(const ipp_options *options, uint32_t active_sms, ipp_power *power)
{
    ipp_activity a = {.warps_per_sm = 1, .exec_cycles = 4, .active_sms = active_sms};
    analytic_err err;

    for (unsigned i = 0; i < IPP_COMPONENTS; i++)
        a.accesses[i] = gtx280()->unit[i].exists;
    return ipp_power_compute(gtx280(), &a, options, power, &err);
}

static bool sum_of_one_sm(const ipp_options *options, double *value)
{
    ipp_power power;

    if (!all_units(options, 30, &power))
        return false;
    *value = power.sum_sm_component;
    return true;
}

static bool factor_of_no_sm(const ipp_options *options, double *value)
{
    analytic_err err;

    return ipp_sms_factor(gtx280(), 0, options, value, &err);
}

static bool sms_of_15(const ipp_options *options, double *value)
{
    ipp_power power;

    if (!all_units(options, 15, &power))
        return false;
    *value = power.rp_sms;
    return true;
}

static bool memory_of_15(const ipp_options *options, double *value)
{
    ipp_power power;

    if (!all_units(options, 15, &power))
        return false;
    *value = power.memory_power;
    return true;
}

static bool temperature_of_int(const ipp_options *options, double *value)
{
    const ipp_activity a = {
        .accesses = {[IPP_INT] = 1, [IPP_REG] = 1, [IPP_FDS] = 1},
        .warps_per_sm = 1,
        .exec_cycles = 4,
        .active_sms = 30,
    };
    analytic_err err;
    ipp_power power;
    ipp_heat heat;

    if (!ipp_power_compute(gtx280(), &a, options, &power, &err))
        return false;
    const ipp_run run = {.runtime_power = power.runtime_power, .nonmem_insts = 1, .run_seconds = 600};
    if (!ipp_heat_compute(gtx280(), &run, options, &heat, &err))
        return false;
    *value = heat.max_temp;
    return true;
}

static bool warps_of_100_threads(const ipp_options *options, double *value)
{
    analytic_err err;

    return ipp_warps_per_sm(100, 32, 30, 30, options, value, &err);
}

static bool registers_of_fma(const ipp_options *options, double *value)
{
    const ipp_inst_count fma = {"fma_fp", 1};
    double accesses[IPP_COMPONENTS];
    analytic_err err;

    if (!ipp_ptx_accesses(&fma, 1, options, accesses, &err))
        return false;
    *value = accesses[IPP_REG];
    return true;
}

/* Section 3.5.5: MWP is at its peak of 10.8, 16 warps per SM. */
static bool cores_with_cwp(double cwp, const ipp_options *options, double *value)
{
    const ipp_demand demand = {
        .mwp = 10.8,
        .cwp = cwp,
        .n = 16,
        .mwp_peak_bw = 10.8,
        .mem_bandwidth = 141.7,
        .bw_per_warp = 141.7 / (10.8 * 30),
        .num_sms = 30,
    };
    analytic_err err;
    ipp_optimum optimum;

    if (!ipp_optimal_cores(&demand, options, &optimum, &err))
        return false;
    *value = optimum.cores;
    return true;
}

static bool cores_cwp_12(const ipp_options *options, double *value)
{
    return cores_with_cwp(12, options, value);
}

static bool cores_cwp_n(const ipp_options *options, double *value)
{
    return cores_with_cwp(16, options, value);
}

static bool cores_cwp_mwp(const ipp_options *options, double *value)
{
    return cores_with_cwp(10.8, options, value);
}

/* A row without its values, and how to get them. */
typedef struct row {
    reading text;
    value_of value;
    ipp_options options[READING_VARIANTS];
} row;

/* Each variant's options in full: all others are false or 0, which is the default where it matters. */

static const row rows[] = {
    {{"IPP-6", "WHOLE_WARPS", "Eq. 42: warps per SM, blocks of 100 threads", "-", 2,
      {{"whole warps", 0, true}, {"as printed", 0, false}}},
     warps_of_100_threads, {{.whole_warps = true}, {.whole_warps = false}}},
    {{"IPP-6", "REG_ALL", "Table 7: register file accesses of one fma", "nearly all instructions", 2,
      {{"as printed", 0, true}, {"all", 0, false}}},
     registers_of_fma, {{.reg_all = false}, {.reg_all = true}}},
    {{"IPP-8", "EFFECTIVE_MAX_ONE", "Table 8, all access rates 1: W per SM", "-", 2,
      {{"literal", 0, true}, {"at most 1", 0, false}}},
     sum_of_one_sm, {{.effective_max_one = false}, {.effective_max_one = true}}},
    {{"HG-A13", "ZERO_SMS_LOG", "Eq. 44: factor at 0 active SMs", "-", 2,
      {{"none", 0, true}, {"literal", 0, false}}},
     factor_of_no_sm, {{.zero_sms_log = false}, {.zero_sms_log = true}}},
    {{"HG-A13", "CORES_FORM", "RP_SMs, 15 of 30 SMs, all access rates 1: W", "Fig. 37: not a line", 2,
      {{"log10, Eq. 44", 0, true}, {"linear, Eq. 38", 0, false}}},
     sms_of_15, {{.form = IPP_FORM_OF_SET}, {.form = IPP_FORM_LINEAR}}},
    {{"IPP-9", "MEMORY_POWER", "RP_Memory's part, 15 of 30 SMs, all access rates 1: W", "-", 2,
      {{"Eq. 48", 0, true}, {"Eq. 36", 0, false}}},
     memory_of_15, {{.memory = IPP_MEMORY_WITH_SMS}, {.memory = IPP_MEMORY_WHOLE}}},
    {{"HG-A14", "MAXTEMP_IS_DELTA", "INT (INT, REG, FDS at rate 1) in the end: degrees C", "68", 2,
      {{"Eq. 53 is the rise", 0, true}, {"literal", 0, false}}},
     temperature_of_int, {{.maxtemp_is_delta = true}, {.maxtemp_is_delta = false}}},
    {{"HG-A20", "ROUNDING", "Eq. 63: 10.8 x 30 / 16 = 20.25 cores", "20", 3,
      {{"floor", 0, true}, {"nearest", 0, false}, {"ceil", 0, false}}},
     cores_cwp_12,
     {{.rounding = IPP_ROUND_FLOOR}, {.rounding = IPP_ROUND_NEAREST}, {.rounding = IPP_ROUND_CEIL}}},
    {{"OPT-2", "CASE1_AND", "Eq. 63 (1), CWP = N, MWP at the peak: cores", "20 if limited by bandwidth", 2,
      {{"or, as printed", 0, true}, {"and, as Case 1", 0, false}}},
     cores_cwp_n, {{.case1_and = false}, {.case1_and = true}}},
    {{"OPT-2", "EQUAL_IS_UNLIMITED", "Eq. 63 (2), CWP = MWP at the peak: cores", "30 (CWP equal or less)", 2,
      {{"MWP > CWP", 0, true}, {"MWP >= CWP", 0, false}}},
     cores_cwp_mwp, {{.equal_is_unlimited = false}, {.equal_is_unlimited = true}}},
};

unsigned readings_ipp(reading *out)
{
    const unsigned num = sizeof rows / sizeof rows[0];

    for (unsigned i = 0; i < num; i++) {
        out[i] = rows[i].text;
        for (unsigned v = 0; v < out[i].num; v++) {
            if (!rows[i].value(&rows[i].options[v], &out[i].variant[v].value))
                return 0;
        }
    }
    return num;
}
