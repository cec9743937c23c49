/* SPDX-License-Identifier: Apache-2.0
 *
 * ipp_cores: how many SMs give the most work per joule (OPT-1, OPT-2, OPT-E1), and what running
 * on fewer SMs saves.
 *
 * Source: Hong, PhD thesis 2012, sections 3.3.2 (Eq. 62, 63), 3.5.5 and 3.5.6. Cores are SMs.
 */
#ifndef BALLAST_ANALYTIC_IPP_CORES_H
#define BALLAST_ANALYTIC_IPP_CORES_H

#include <stdint.h>

#include "analytic/ipp_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The same work on some number of cores. */
typedef struct ipp_core_run {
    uint32_t cores; /* active SMs, 1 or more                    */
    double seconds; /* s, execution time                        */
    double power;   /* W, of the GPU meanwhile                  */
} ipp_core_run;

typedef struct ipp_best {
    ipp_core_run best;          /* with the highest performance per watt; of equals, the fewest cores */
    ipp_core_run most;          /* with the most cores                                                */
    double perf_per_watt;       /* of best: work per s and W (Eq. 62)                                 */
    double most_perf_per_watt;  /* of most                                                            */
    double energy, most_energy; /* J                                                                  */
    double saving;              /* percent of most_energy that best does not need                     */
    double slowdown;            /* best's time / most's                                               */
} ipp_best;

/* Fills seconds and power of run->cores; false with a text in err if it cannot. */
typedef bool (*ipp_run_on)(void *user, ipp_core_run *run, analytic_err *err);

/* OPT-1 over 1..num_sms cores. `work` is in any unit, such as giga-instructions for GIPS/W. */
bool ipp_best_cores(uint32_t num_sms, double work, ipp_run_on run_on, void *user, ipp_best *out,
                    analytic_err *err);

/* Why Eq. 63 takes all cores, or not. */
enum ipp_limit {
    IPP_LIMIT_BANDWIDTH, /* the memory bandwidth is the limit: fewer cores do as well */
    IPP_LIMIT_FEW_WARPS, /* (1) MWP or CWP is N                                       */
    IPP_LIMIT_COMPUTE,   /* (2) MWP > CWP                                             */
    IPP_LIMIT_BELOW_PEAK /* (3) MWP < MWP_peak_BW                                     */
};

/* What Eq. 63 looks at, with all SMs active. */
typedef struct ipp_demand {
    double mwp;           /* memory warp parallelism (Eq. 5)                         */
    double cwp;           /* computation warp parallelism (Eq. 9)                    */
    double n;             /* warps that run on an SM at a time                       */
    double mwp_peak_bw;   /* MWP at the peak bandwidth (Eq. 6)                       */
    double mem_bandwidth; /* GB/s of the GPU                                         */
    double bw_per_warp;   /* GB/s that one warp asks for (Eq. 7)                     */
    uint32_t num_sms;     /* of the GPU, 1..IPP_SMS_MAX                              */
} ipp_demand;

typedef struct ipp_optimum {
    enum ipp_limit limit;
    double quotient; /* Mem_Bandwidth / (BW_per_warp * N), whatever the limit             */
    uint32_t cores;  /* num_sms, or the quotient rounded, at least 1 and at most num_sms  */
} ipp_optimum;

/* OPT-2: Eq. 63. */
bool ipp_optimal_cores(const ipp_demand *demand, const ipp_options *options, ipp_optimum *out,
                       analytic_err *err);
const char *ipp_limit_text(enum ipp_limit limit);

/* One kernel on some cores and on all of them (section 3.5.5, Fig. 53). */
typedef struct ipp_saving_in {
    uint32_t cores;           /* 1..num_sms                                          */
    uint32_t num_sms;         /* of the GPU, 1..IPP_SMS_MAX                          */
    double seconds;           /* s, on `cores` cores                                 */
    double all_seconds;       /* s, on all                                           */
    double runtime_power;     /* W, on `cores` cores (Eq. 48)                        */
    double all_runtime_power; /* W, on all                                           */
    double idle_power;        /* W                                                   */
} ipp_saving_in;

typedef struct ipp_saving {
    double energy, all_energy;                 /* J: run-time and idle power                       */
    double runtime_energy, all_runtime_energy; /* J: run-time power alone                          */
    double gated_power, gated_energy;          /* W, J with power gating (PG-1); on all: all_energy */
    double saving;                             /* percent of all_energy: curve Runtime+Idle        */
    double runtime_saving;                     /* percent of all_runtime_energy: curve Runtime     */
    double gated_saving;                       /* percent of all_energy: curve Powergating         */
} ipp_saving;

bool ipp_energy_saving(const ipp_saving_in *in, ipp_saving *out, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
