/* SPDX-License-Identifier: Apache-2.0
 *
 * throughput_advice: how many cores, how many warps per core, how slow a core clock (TP-12..14; Hong,
 * PhD thesis 2012, section 5.5, Eqs. 83 to 93). doc/papers/throughput.md has the readings and examples.
 *
 *     throughput_core_advice a;
 *     analytic_err err;
 *     if (throughput_advise_cores(&in, 16, NULL, &a, &err) && a.applies)
 *         printf("%u of 16 cores\n", a.cores);
 *
 * Advice that does not apply leaves things as they are: alpha and divisor 1, cores, n and freq those
 * given. Refused: what throughput_compute refuses, no cores, no clock.
 */
#ifndef BALLAST_THROUGHPUT_ADVICE_H
#define BALLAST_THROUGHPUT_ADVICE_H

#include <stdint.h>

#include "analytic/check.h"
#include "analytic/throughput.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Number of active cores, Eqs. 83 to 88 (TP-12). */
typedef struct throughput_core_advice {
    bool applies;            /* MWP_App > MWP_BW                                                      */
    double alpha;            /* Eq. 85: MWP_App / MWP_BW, 1 or more; the factor for the bandwidth     */
    double bw_per_warp_part; /* 1/alpha of Eq. 88: the factor for BW_per_warp or #ActiveSM            */
    double budget;           /* MWP_BW x active cores: accesses in flight that the chip sustains      */
    double cores_exact;      /* active cores / alpha                                                  */
    uint32_t cores;          /* that rounded down, at least 1                                         */
    double mwp_bw_new;       /* Eq. 86: MWP_BW with `cores` active                                    */
    bool enough;             /* Eq. 84 holds with `cores`; false: one core alone saturates            */
    uint32_t previous_cores; /* of the model before it (Eq. 63), in which N accesses are wanted       */
} throughput_core_advice;

/* in->mwp_bw is that with `active_cores` (1 or more) active. NULL options are the defaults. */
bool throughput_advise_cores(const throughput_in *in, uint32_t active_cores,
                             const throughput_options *options, throughput_core_advice *out,
                             analytic_err *err);

/* Number of warps per core, Eqs. 89 to 92 (TP-13); options->n_new chooses the reading. */
typedef struct throughput_n_advice {
    bool applies;       /* MWP_App > MWP_BW                                                           */
    double alpha;       /* Eq. 91: MWP_BW / MWP_App, 1 or less                                        */
    double n_exact;     /* warps                                                                      */
    uint32_t n;         /* that rounded down, at least 1                                              */
    double mwp_app_new; /* Eq. 92 with `n`                                                            */
    bool enough;        /* Eq. 90 holds: mwp_app_new is at most MWP_BW                                */
} throughput_n_advice;

bool throughput_advise_n(const throughput_in *in, const throughput_options *options,
                         throughput_n_advice *out, analytic_err *err);

/* Core frequency, Eq. 93 (TP-14); options->infin chooses the reading. */
enum throughput_freq_case {
    THROUGHPUT_FREQ_REDUCE,       /* applies: N < MWP_App_InfiN                                       */
    THROUGHPUT_FREQ_ENOUGH_WARPS, /* does not: N hides the memory                                     */
    THROUGHPUT_FREQ_ONE_WARP      /* does not: N = 1, Eq. 93 divides by 0                             */
};

typedef struct throughput_freq_advice {
    bool applies;
    enum throughput_freq_case why;
    double mwp_infin; /* MWP_InfiN as Eq. 93 takes it, warps                                          */
    double divisor;   /* Eq. 93: a divisor, its name CoreReductionPercent notwithstanding             */
    double freq;      /* GHz: that given / divisor. The memory's clock stays                          */
} throughput_freq_advice;

/* freq: the core's, GHz, > 0. */
bool throughput_advise_freq(const throughput_in *in, double freq, const throughput_options *options,
                            throughput_freq_advice *out, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
