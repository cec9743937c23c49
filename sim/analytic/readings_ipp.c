/* SPDX-License-Identifier: Apache-2.0
 *
 * Readings of Hong, PhD thesis 2012, Chapter III (doc/papers/ipp.md, section Readings), on a
 * GTX280.
 */
#include "analytic/ipp_ptx.h"
#include "analytic/readings.h"

/* Every unit that the GPU has at access rate 1, `sms` SMs active; all NaN if the model refuses. */
static ipp_power all_units(const model_switches *how, double sms)
{
    const ipp_params *gtx280 = ipp_params_find("gtx280");
    ipp_activity a = {.warps_per_sm = 1, .exec_cycles = 4, .active_sms = (uint32_t)sms};
    ipp_power power = {.sum_sm_component = NAN, .rp_sms = NAN, .memory_power = NAN};
    analytic_err err;

    for (unsigned i = 0; i < IPP_COMPONENTS; i++)
        a.accesses[i] = gtx280->unit[i].exists;
    ipp_power_compute(gtx280, &a, &how->predict.power, &power, &err);
    return power;
}

static double sum_of_one_sm(const reading_input *ask)
{
    return all_units(ask->how, ask->about[0]).sum_sm_component;
}

static double power_of_sms(const reading_input *ask)
{
    return all_units(ask->how, ask->about[0]).rp_sms;
}

static double power_of_memory(const reading_input *ask)
{
    return all_units(ask->how, ask->about[0]).memory_power;
}

static double factor_of_sms(const reading_input *ask)
{
    analytic_err err;
    double factor;

    return ipp_sms_factor(ipp_params_find("gtx280"), (uint32_t)ask->about[0], &ask->how->predict.power, &factor,
                          &err) ? factor : NAN;
}

static double temperature_of_int(const reading_input *ask)
{
    const ipp_activity a = {.accesses = {[IPP_INT] = 1, [IPP_REG] = 1, [IPP_FDS] = 1}, .warps_per_sm = 1,
                            .exec_cycles = 4, .active_sms = (uint32_t)ask->about[0]};
    ipp_run run = {.nonmem_insts = 1, .run_seconds = 600};
    analytic_err err;
    ipp_power power;
    ipp_heat heat;

    if (!ipp_power_compute(ipp_params_find("gtx280"), &a, &ask->how->predict.power, &power, &err))
        return NAN;
    run.runtime_power = power.runtime_power;
    return ipp_heat_compute(ipp_params_find("gtx280"), &run, &ask->how->predict.power, &heat, &err)
               ? heat.max_temp
               : NAN;
}

static double warps_of_blocks(const reading_input *ask)
{
    analytic_err err;
    double warps;

    return ipp_warps_per_sm((uint32_t)ask->about[0], 32, 30, 30, &ask->how->predict.power, &warps, &err)
               ? warps
               : NAN;
}

/* numbers: whether every instruction accesses them. */
static double registers_of_fma(const reading_input *ask)
{
    const ipp_options options = {.reg_all = ask->numbers[0] > 0};
    const ipp_inst_count fma = {"fma_fp", ask->about[0]};
    double accesses[IPP_COMPONENTS];
    analytic_err err;

    return ipp_ptx_accesses(&fma, 1, &options, accesses, &err) ? accesses[IPP_REG] : NAN;
}

/* Section 3.5.5: MWP is at its peak of 10.8, 16 warps per SM. */
static double cores_with_cwp(const reading_input *ask)
{
    const ipp_demand demand = {.mwp = 10.8, .cwp = ask->about[0], .n = 16, .mwp_peak_bw = 10.8,
                               .mem_bandwidth = 141.7, .bw_per_warp = 141.7 / (10.8 * 30), .num_sms = 30};
    analytic_err err;
    ipp_optimum optimum;

    return ipp_optimal_cores(&demand, &ask->how->predict.power, &optimum, &err) ? (double)optimum.cores : NAN;
}

static const reading rows[] = {
    {"IPP-6", "WHOLE_WARPS", "Eq. 42: warps per SM, blocks of 100 threads", "-", warps_of_blocks, {100},
     .variant = {{.name = "whole warps"}, {"as printed", .settings = {"WHOLE_WARPS=0"}}}},
    {"IPP-6", "REG_ALL", "Table 7: register file accesses of one fma", "nearly all instructions", registers_of_fma, {1},
     .variant = {{.name = "as printed"}, {"all", .numbers = {true}}}},
    {"IPP-8", "EFFECTIVE_MAX_ONE", "Table 8, all access rates 1: W per SM", "-", sum_of_one_sm, {30},
     .variant = {{.name = "literal"}, {"at most 1", .settings = {"EFFECTIVE_MAX_ONE=1"}}}},
    {"HG-A13", "ZERO_SMS_LOG", "Eq. 44: factor at 0 active SMs", "-", factor_of_sms, {0},
     .variant = {{.name = "none"}, {"literal", .settings = {"ZERO_SMS_LOG=1"}}}},
    {"HG-A13", "CORES_FORM", "RP_SMs, 15 of 30 SMs, all access rates 1: W", "Fig. 37: not a line", power_of_sms, {15},
     .variant = {{.name = "log10, Eq. 44"}, {"linear, Eq. 38", .settings = {"CORES_FORM=LINEAR"}}}},
    {"IPP-9", "MEMORY_POWER", "RP_Memory's part, 15 of 30 SMs, all access rates 1: W", "-", power_of_memory, {15},
     .variant = {{.name = "Eq. 48"}, {"Eq. 36", .settings = {"MEMORY_POWER=WHOLE"}}}},
    {"HG-A14", "MAXTEMP_IS_DELTA", "INT (INT, REG, FDS at rate 1) in the end: degrees C", "68", temperature_of_int, {30},
     .variant = {{.name = "Eq. 53 is the rise"}, {"literal", .settings = {"MAXTEMP_IS_DELTA=0"}}}},
    {"HG-A20", "ROUNDING", "Eq. 63: 10.8 x 30 / 16 = 20.25 cores", "20", cores_with_cwp, {12},
     .variant = {{.name = "floor"}, {"nearest", .settings = {"ROUNDING=NEAREST"}},
                 {"ceil", .settings = {"ROUNDING=CEIL"}}}},
    {"OPT-2", "CASE1_AND", "Eq. 63 (1), CWP = N, MWP at the peak: cores", "20 if limited by bandwidth", cores_with_cwp, {16},
     .variant = {{.name = "or, as printed"}, {"and, as Case 1", .settings = {"CASE1_AND=1"}}}},
    {"OPT-2", "EQUAL_IS_UNLIMITED", "Eq. 63 (2), CWP = MWP at the peak: cores", "30 (CWP equal or less)", cores_with_cwp, {10.8},
     .variant = {{.name = "MWP > CWP"}, {"MWP >= CWP", .settings = {"EQUAL_IS_UNLIMITED=1"}}}},
};

const reading_table readings_ipp = READING_TABLE(rows);
