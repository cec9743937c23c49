/* SPDX-License-Identifier: Apache-2.0
 *
 * ipp_options: the readings of Hong, PhD thesis 2012, Chapter III, where the text and its
 * equations leave a choice. NULL in place of a pointer to options means the defaults.
 * doc/papers/ipp.md, section Readings, says why each default is what it is.
 */
#ifndef BALLAST_ANALYTIC_IPP_OPTIONS_H
#define BALLAST_ANALYTIC_IPP_OPTIONS_H

#include "analytic/check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How SM power depends on the number of active SMs (HG-A13). */
enum ipp_form {
    IPP_FORM_OF_SET, /* as ipp_params.log_cores says; default                              */
    IPP_FORM_LINEAR, /* Eq. 38 with the active SMs as Num_SMs                              */
    IPP_FORM_LOG10   /* Eq. 44                                                             */
};

/* Whether the memory system's power depends on the number of active SMs. */
enum ipp_memory_power {
    IPP_MEMORY_WITH_SMS, /* by the same factor as the SMs' power (Eq. 48); default         */
    IPP_MEMORY_WHOLE     /* not at all (Eq. 36 with RP_SMs of Eq. 44)                      */
};

/* How Eq. 63's quotient becomes a number of cores (HG-A20). */
enum ipp_rounding { IPP_ROUND_FLOOR, IPP_ROUND_NEAREST, IPP_ROUND_CEIL };

typedef struct ipp_options {
    enum ipp_form form;           /* IPP_FORM_OF_SET                                               */
    enum ipp_memory_power memory; /* IPP_MEMORY_WITH_SMS                                           */
    bool zero_sms_log;            /* Eq. 44's 0.0414 for 0 active SMs. false: no run-time power    */
    bool effective_max_one;       /* 1 is the limit after Spec.Linear, too. false: 1.001375        */
    bool whole_warps;             /* true: in Eq. 42 a part of a warp is a warp. false: a part     */
    bool reg_all;                 /* every row of Table 7 accesses REG. false: REG's row as printed */
    bool maxtemp_is_delta;        /* true: Eq. 53 is the rise (HG-A14). false: the temperature     */
    enum ipp_rounding rounding;   /* IPP_ROUND_FLOOR                                               */
    bool case1_and;               /* Eq. 63 (1): both are N. false: either, as printed             */
    bool equal_is_unlimited;      /* Eq. 63 (2): MWP >= CWP, as section 3.5.4 says. false: MWP > CWP */
} ipp_options;

ipp_options ipp_options_default(void);

/* *options if the pointer is not NULL, else the defaults; false if an enum has no such value. */
bool ipp_options_resolve(const ipp_options *options, ipp_options *out, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
