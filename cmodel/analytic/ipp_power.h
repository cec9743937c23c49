/* SPDX-License-Identifier: Apache-2.0
 *
 * ipp_power: the power of a GPU from how often its components are accessed (IPP-1, IPP-3..11,
 * FERMI-1, PG-1).
 *
 * Source: Hong, PhD thesis 2012, sections 3.2.1..3.2.5, 3.3.1 (Eq. 35..48, 61), 3.5.6, 3.8..3.11.
 * With exec_cycles from a measurement it is section 3.2's model; with predicted ones, IPP's.
 *
 * Refused: what ipp_params_check refuses; counts that are negative or not finite; 0 cycles; more
 * active SMs than there are; accesses to a component that the GPU does not have.
 */
#ifndef BALLAST_ANALYTIC_IPP_POWER_H
#define BALLAST_ANALYTIC_IPP_POWER_H

#include "analytic/ipp_options.h"
#include "analytic/ipp_params.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an SM does while the kernel runs; all active SMs do the same. */
typedef struct ipp_activity {
    double accesses[IPP_COMPONENTS]; /* per warp: dynamic instructions that access it (Eq. 41)    */
    double warps_per_sm;             /* that run on an SM over the whole kernel (Eq. 42)          */
    double exec_cycles;              /* of the kernel, measured (Eq. 40) or predicted (Eq. 61)    */
    uint32_t active_sms;             /* SMs that execute something, 0..num_sms                    */
} ipp_activity;

typedef struct ipp_component_power {
    double access_rate;    /* Eq. 40 as it comes out                                              */
    double limited_rate;   /* at most 1                                                           */
    double effective_rate; /* after Spec.Linear, at least 0                                       */
    double rp;             /* W, Eq. 39: of one SM (per_sm) or of the chip with all SMs active    */
    double power;          /* W, its part of runtime_power: all SMs, as many as are active        */
} ipp_component_power;

typedef struct ipp_power {
    ipp_component_power component[IPP_COMPONENTS];
    uint32_t num_limited;    /* components whose access rate was above 1                          */
    double sum_sm_component; /* W of one SM, const_sm included (Eq. 37)                           */
    double max_sm;           /* W, SMs, all of them active (Eq. 38, 45)                           */
    double rp_memory;        /* W, memory system, all SMs active (Eq. 43)                         */
    double alpha;            /* Eq. 46                                                            */
    double sms_factor;       /* log10(alpha * active + beta), or active / num_sms                 */
    double memory_factor;    /* sms_factor, or 1                                                  */
    double rp_sms;           /* W, max_sm * sms_factor (Eq. 44)                                   */
    double const_power;      /* W, the part of const_sm in rp_sms                                 */
    double memory_power;     /* W, rp_memory * memory_factor (Eq. 48)                             */
    double activation_power; /* W, activation if an SM is active                                  */
    double runtime_power;    /* W, rp_sms + memory_power + activation_power (Eq. 36, 48)          */
    double idle_power;       /* W                                                                 */
    double gpu_power;        /* W, runtime_power + idle_power (Eq. 35)                            */
    double system_power;     /* W, gpu_power + system_idle_power: what a meter at the wall shows  */
} ipp_power;

/* Eq. 42: warps that an SM runs over a whole kernel. */
bool ipp_warps_per_sm(uint32_t threads_per_block, uint32_t threads_per_warp, uint32_t blocks,
                      uint32_t active_sms, const ipp_options *options, double *warps, analytic_err *err);

/* IPP-8: what stands for an access rate of 0..1 in Eq. 39. */
bool ipp_effective_rate(const ipp_params *params, enum ipp_component component, double rate,
                        const ipp_options *options, double *effective, analytic_err *err);

/* IPP-9: the part of the SMs' power that `active_sms` of them draw, 0..1. */
bool ipp_sms_factor(const ipp_params *params, uint32_t active_sms, const ipp_options *options,
                    double *factor, analytic_err *err);

bool ipp_power_compute(const ipp_params *params, const ipp_activity *activity, const ipp_options *options,
                       ipp_power *out, analytic_err *err);

/* PG-1: W if cores that do nothing had no power at all: a line through 0. `all_power` is the
 * GPU's with all num_sms SMs active, idle power included. */
bool ipp_power_gated(double all_power, uint32_t num_sms, uint32_t active_sms, double *watts,
                     analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
