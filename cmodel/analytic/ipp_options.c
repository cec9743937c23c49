/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/ipp_options.h"

ipp_options ipp_options_default(void)
{
    return (ipp_options){
        .form = IPP_FORM_OF_SET,
        .memory = IPP_MEMORY_WITH_SMS,
        .whole_warps = true,
        .maxtemp_is_delta = true,
        .rounding = IPP_ROUND_FLOOR,
    };
}

bool ipp_options_resolve(const ipp_options *options, ipp_options *out, analytic_err *err)
{
    const ipp_options o = options ? *options : ipp_options_default();

    if ((unsigned)o.form > IPP_FORM_LOG10)
        return analytic_fail(err, "form is %u; give an IPP_FORM_*", (unsigned)o.form);
    if ((unsigned)o.memory > IPP_MEMORY_WHOLE)
        return analytic_fail(err, "memory is %u; give an IPP_MEMORY_*", (unsigned)o.memory);
    if ((unsigned)o.rounding > IPP_ROUND_CEIL)
        return analytic_fail(err, "rounding is %u; give an IPP_ROUND_*", (unsigned)o.rounding);
    *out = o;
    return true;
}
