/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU as all analytic models together want it, and those that are built in. predict.h takes one.
 *
 * Sources: Hong, PhD thesis 2012 (Tables 2, 5, 8, 9, 10, 11, 14); NVIDIA's occupancy calculator for
 * what an SM holds. `note` says per GPU what comes from elsewhere.
 */
#ifndef BALLAST_ANALYTIC_GPUS_H
#define BALLAST_ANALYTIC_GPUS_H

#include "analytic/ipp_params.h"
#include "analytic/kernel.h"
#include "analytic/mwp_cwp.h"
#include "analytic/occupancy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct analytic_gpu {
    char name[ANALYTIC_NAME];
    const char *note;        /* where the numbers are from, one line; not copied          */
    occupancy_gpu occupancy; /* what an SM holds, and how many SMs there are              */
    mwp_cwp_gpu memory;      /* clocks, latencies, bandwidth; its active_sms is not used  */
    bool has_power;          /* false: nothing is known about its power                   */
    ipp_params power;        /* its num_sms is not used                                   */
} analytic_gpu;

/* By number (from 0 on) or by name, which ignores case: false if there is none. */
bool analytic_gpu_at(unsigned index, analytic_gpu *out);
bool analytic_gpu_find(const char *name, analytic_gpu *out);

#ifdef __cplusplus
}
#endif
#endif
