/* SPDX-License-Identifier: Apache-2.0
 *
 * Table 7. The row of the register file names instructions without their type; fma, lg2, ex2 and
 * st_shared are not in it.
 */
#include "analytic/ipp_ptx.h"

#include <string.h>

static const ipp_ptx table_7[] = {
    {"add_int", IPP_INT, true},       {"sub_int", IPP_INT, true},       {"addc_int", IPP_INT, true},
    {"subc_int", IPP_INT, true},      {"sad_int", IPP_INT, true},       {"div_int", IPP_INT, true},
    {"rem_int", IPP_INT, true},       {"abs_int", IPP_INT, true},       {"mul_int", IPP_INT, true},
    {"mad_int", IPP_INT, true},       {"mul24_int", IPP_INT, true},     {"mad24_int", IPP_INT, true},
    {"min_int", IPP_INT, true},       {"neg_int", IPP_INT, true},
    {"add_fp", IPP_FP, true},         {"sub_fp", IPP_FP, true},         {"mul_fp", IPP_FP, true},
    {"fma_fp", IPP_FP, false},        {"neg_fp", IPP_FP, true},         {"min_fp", IPP_FP, true},
    {"lg2_fp", IPP_FP, false},        {"ex2_fp", IPP_FP, false},        {"mad_fp", IPP_FP, true},
    {"div_fp", IPP_FP, true},         {"abs_fp", IPP_FP, true},
    {"sin_fp", IPP_SFU, true},        {"cos_fp", IPP_SFU, true},        {"rcp_fp", IPP_SFU, true},
    {"sqrt_fp", IPP_SFU, true},       {"rsqrt_fp", IPP_SFU, true},
    {"xor", IPP_ALU, true},           {"cnot", IPP_ALU, true},          {"shl", IPP_ALU, true},
    {"shr", IPP_ALU, true},           {"mov", IPP_ALU, true},           {"cvt", IPP_ALU, true},
    {"set", IPP_ALU, true},           {"setp", IPP_ALU, true},          {"selp", IPP_ALU, true},
    {"slct", IPP_ALU, true},          {"and", IPP_ALU, true},           {"or", IPP_ALU, true},
    {"st_global", IPP_GLOBAL, true},  {"ld_global", IPP_GLOBAL, true},
    {"st_local", IPP_LOCAL, true},    {"ld_local", IPP_LOCAL, true},
    {"tex", IPP_TEXTURE, true},       {"ld_const", IPP_CONST, true},
    {"ld_shared", IPP_SHARED, true},  {"st_shared", IPP_SHARED, false},
    {"other", IPP_FDS, false},
};

const ipp_ptx *ipp_ptx_find(const char *name)
{
    for (unsigned i = 0; i < sizeof table_7 / sizeof table_7[0]; i++)
        if (strcmp(table_7[i].name, name) == 0)
            return &table_7[i];
    return NULL;
}

static void count(const ipp_ptx *row, double per_warp, bool reg_all, double sum[IPP_COMPONENTS])
{
    sum[IPP_FDS] += per_warp; /* all instructions */
    if (row->unit == IPP_FDS)
        return;
    sum[row->unit] += per_warp;
    if (row->reg || reg_all)
        sum[IPP_REG] += per_warp;
}

bool ipp_ptx_accesses(const ipp_inst_count *counts, size_t num, const ipp_options *options,
                      double accesses[IPP_COMPONENTS], analytic_err *err)
{
    double sum[IPP_COMPONENTS] = {0}; /* Eq. 41 */
    ipp_options o;

    if (!ipp_options_resolve(options, &o, err))
        return false;
    for (size_t i = 0; i < num; i++) {
        const ipp_ptx *row = ipp_ptx_find(counts[i].name);
        if (row == NULL)
            return analytic_fail(err, "%.60s is no instruction of Table 7; give one of its names, or other",
                                 counts[i].name);
        if (!analytic_not_negative(counts[i].per_warp, row->name, err))
            return false;
        count(row, counts[i].per_warp, o.reg_all, sum);
    }
    if (!analytic_finite(sum[IPP_FDS], "the sum of all instructions", err)) /* the largest of all */
        return false;
    memcpy(accesses, sum, sizeof sum);
    return true;
}
