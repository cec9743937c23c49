/* SPDX-License-Identifier: Apache-2.0
 *
 * ipp_temperature: how warm a GPU gets and how much more power that costs (TEMP-1..3, TEMP-E1).
 *
 * Source: Hong, PhD thesis 2012, sections 3.2.6, 3.2.7 (Eq. 49..57). A kernel starts on a cold
 * chip at 0 s, runs for run_seconds and ends; then the chip cools down.
 *
 * Refused: parameter sets without temperature constants, negative times, times, counts and powers
 * that are not finite, a kernel without instructions other than memory's.
 */
#ifndef BALLAST_ANALYTIC_IPP_TEMPERATURE_H
#define BALLAST_ANALYTIC_IPP_TEMPERATURE_H

#include "analytic/ipp_options.h"
#include "analytic/ipp_params.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ipp_run {
    double runtime_power; /* W on a cold chip: Runtime_power_0, ipp_power.runtime_power         */
    double mem_insts;     /* memory instructions, per warp or of the kernel                      */
    double nonmem_insts;  /* other instructions, counted likewise                                */
    double run_seconds;   /* s, how long the kernel runs                                         */
} ipp_run;

/* Where a run would end if it ran for ever. */
typedef struct ipp_heat {
    double mem_intensity;  /* memory instructions per other instruction (Eq. 54)                 */
    double delta;          /* degrees C, the rise (Eq. 51, 53)                                   */
    double max_temp;       /* degrees C (Eq. 53)                                                 */
    double power_increase; /* W, sigma * delta                                                   */
    double runtime_power;  /* W (Eq. 56)                                                         */
    double gpu_power;      /* W (Eq. 55)                                                         */
} ipp_heat;

typedef struct ipp_point {
    double seconds;       /* s since the start                                                   */
    bool running;         /* false: the kernel has ended, the chip cools down                    */
    double decay_temp;    /* degrees C at the end of the run                                     */
    double gamma;         /* degrees C, decay_temp above idle (Eq. 52)                           */
    double temperature;   /* degrees C (Eq. 49, 50)                                              */
    double delta_temp;    /* degrees C above idle (Eq. 57)                                       */
    double runtime_power; /* W (Eq. 56)                                                          */
    double gpu_power;     /* W (Eq. 55)                                                          */
    double energy;        /* J of the GPU since the start: the integral of gpu_power             */
} ipp_point;

bool ipp_heat_compute(const ipp_params *params, const ipp_run *run, const ipp_options *options, ipp_heat *out,
                      analytic_err *err);

/* The chip `seconds` after the start. */
bool ipp_point_at(const ipp_params *params, const ipp_run *run, double seconds, const ipp_options *options,
                  ipp_point *out, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
