/* SPDX-License-Identifier: Apache-2.0
 *
 * ipp_static: the power equations that the ipp models are built on (IPP-1, IPP-2); none of them
 * is used by the other files.
 *
 * Source: Hong, PhD thesis 2012, section 3.1 (Eq. 31..34): Isci and Martonosi's empirical model,
 * Butts and Sohi's static power, HotLeakage's leakage current.
 */
#ifndef BALLAST_ANALYTIC_IPP_STATIC_H
#define BALLAST_ANALYTIC_IPP_STATIC_H

#include <stddef.h>

#include "analytic/check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A hardware component of Eq. 32. */
typedef struct ipp_isci_unit {
    double access_rate;     /* accesses per unit of time, 0..1        */
    double scaling;         /* architectural scaling                  */
    double max_power;       /* W                                      */
    double non_gated_clock; /* W                                      */
} ipp_isci_unit;

/* A transistor of Eq. 34. */
typedef struct ipp_leak {
    double mu0;         /* m^2 / (V s), mobility                                  */
    double cox;         /* F / m^2, gate oxide capacitance                        */
    double w_over_l;    /* width / length                                         */
    double b;           /* 1 / V, of the drain-induced barrier lowering           */
    double vdd;         /* V, supply                                              */
    double vdd0;        /* V, supply that b was fitted at                         */
    double vth;         /* V, threshold; negative for a P transistor              */
    double voff;        /* V, offset                                              */
    double swing;       /* n, subthreshold swing coefficient                      */
    double temperature; /* degrees C                                              */
} ipp_leak;

typedef struct ipp_leak_result {
    double v_t;     /* V, thermal voltage kT/q                                */
    double current; /* A, Eq. 34                                              */
} ipp_leak_result;

/* Eq. 31. W. */
bool ipp_total_power(double dynamic_power, double static_power, double *watts, analytic_err *err);
/* Eq. 32. W. The clock power is summed over the units, as its index says. */
bool ipp_isci_power(const ipp_isci_unit *units, size_t num, double idle_power, double *watts,
                    analytic_err *err);
/* Eq. 33. W. vcc in V, transistors a count, k_design without unit, i_leak in A of one transistor. */
bool ipp_static_power(double vcc, double transistors, double k_design, double i_leak, double *watts,
                      analytic_err *err);
/* Eq. 34. */
bool ipp_leak_current(const ipp_leak *leak, ipp_leak_result *out, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
