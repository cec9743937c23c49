/* SPDX-License-Identifier: Apache-2.0
 *
 * predict: one kernel on one GPU through all models. For every CTA limit the cycles, CPI and power;
 * then the best CTA limit, the best number of SMs, what the bottleneck is and what to do.
 *
 * Rules: QC-1..7 (Nmax), MC-1..26 (cycles), IPP-3..11 (power), TEMP-2, TEMP-3 (warmth), OPT-1, OPT-2 (SMs), TP-4..14 (category
 * and advice), PS-E4 (which limit is the best). doc/use/analytic.md says how they are put together.
 * Sources: Hong, PhD thesis 2012; Quintanilla Cruz, MSc thesis 2017.
 *
 *     analytic_gpu gpu;
 *     analytic_prediction p;
 *     analytic_err err;
 *     analytic_gpu_find("gtx280", &gpu);
 *     if (!analytic_predict(&gpu, &kernel, NULL, &p, &err))
 *         puts(err.text);
 *     else
 *         printf("%u CTAs per SM: %.0f cycles\n", p.best_limit, p.point[p.best_limit].cycles);
 *
 * Refused: whatever one of the models refuses; err names the input.
 */
#ifndef BALLAST_ANALYTIC_PREDICT_H
#define BALLAST_ANALYTIC_PREDICT_H

#include "analytic/gpus.h"
#include "analytic/ipp_cores.h"
#include "analytic/ipp_power.h"
#include "analytic/ipp_temperature.h"
#include "analytic/throughput_advice.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ANALYTIC_PREDICT_MAX_BLOCKS = 64 }; /* CTA slots of an SM, at most */

typedef struct analytic_predict_options {
    occupancy_options occupancy;
    mwp_cwp_options time;
    ipp_options power;
    throughput_options throughput;
} analytic_predict_options;

/* One CTA limit, all SMs at work. */
typedef struct analytic_prediction_point {
    mwp_cwp_result time;
    double cycles;  /* of the kernel, barriers included (Eq. 27)                             */
    double ipc;     /* warp instructions per cycle and SM                                    */
    double cpi;     /* cycles per warp instruction: Eq. 24 with barriers included            */
    double seconds;
    ipp_power power; /* all zero without gpu.has_power                                       */
    double energy;  /* J, of the GPU                                                         */
} analytic_prediction_point;

typedef struct analytic_prediction {
    occupancy_result occupancy;
    uint32_t nmax;           /* CTAs that fit an SM (QC-4)                                    */
    analytic_prediction_point point[ANALYTIC_PREDICT_MAX_BLOCKS + 1]; /* by CTA limit, 1..nmax */
    uint32_t best_limit;     /* fewest CTAs that no higher limit beats by 2 % or more (PS-E4) */
    /* At the best limit: */
    ipp_optimum eq63;        /* best number of SMs, in closed form (OPT-2)                    */
    ipp_best per_watt;       /* the same by searching all (OPT-1); zero without power         */
    bool has_heat;           /* the GPU's temperatures are known                              */
    ipp_heat heat;           /* where a run that never ends would end (TEMP-2, TEMP-3)        */
    bool has_category;       /* false: no memory instruction, the model of Ch. V has nothing to say */
    throughput_in model_in; /* what the model of Ch. V was given */
    throughput_result throughput;
    throughput_core_advice core_advice;
    throughput_n_advice n_advice;
    throughput_freq_advice freq_advice;
} analytic_prediction;

/* The papers' equations as they are meant: mwp_cwp_options_for_decisions(), Eq. 63 (1) with "and"
 * (case1_and), the rest the models' defaults. */
analytic_predict_options analytic_predict_options_default(void);

/* NULL options are the defaults. On failure *out is not touched. */
bool analytic_predict(const analytic_gpu *gpu, const analytic_kernel *kernel, const analytic_predict_options *options, analytic_prediction *out,
                      analytic_err *err);

/* The cycles of the kernel with `limit` CTAs per SM on `sms` SMs. */
bool analytic_predict_time(const analytic_gpu *gpu, const analytic_kernel *kernel, uint32_t limit, uint32_t sms,
                           const analytic_predict_options *options, mwp_cwp_result *out, analytic_err *err);

/* The same as a run for ipp_cores.h: run->cores SMs in, seconds and power out. Only with gpu->has_power. */
bool analytic_predict_run(const analytic_gpu *gpu, const analytic_kernel *kernel, uint32_t limit,
                          const analytic_predict_options *options, ipp_core_run *run, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
