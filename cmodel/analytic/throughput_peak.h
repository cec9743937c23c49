/* SPDX-License-Identifier: Apache-2.0
 *
 * throughput_peak: what a device can reach with a kernel's mix of floating-point instructions, and
 * which part of it the other instructions and their dependences leave, memory set aside (TP-1..3,
 * TP-15; Hong, PhD thesis 2012, Chapter V, Eqs. 64 to 70, Tables 14 and 15). doc/papers/throughput.md.
 *
 *     const throughput_device gtx580 = throughput_device_gtx580(THROUGHPUT_TABLE_14_CORRECTED);
 *     const throughput_mix mix = {.fp_insts = 8, .int_insts = 8, .mem_insts = 1,
 *                                 .mstr = 1, .ilp = 1, .sse_ilp = 1, .dep = 20, .n = 32};
 *     throughput_peak p;
 *     analytic_err err;
 *     if (!throughput_peak_compute(&gtx580, &mix, &p, &err))
 *         puts(err.text);
 *
 * Refused: negative counts, a mix without floating-point instructions, a device without cores,
 * clock, units, bandwidth; vector instructions on a CPU without vector units.
 */
#ifndef BALLAST_THROUGHPUT_PEAK_H
#define BALLAST_THROUGHPUT_PEAK_H

#include <stdint.h>

#include "analytic/check.h"

#ifdef __cplusplus
extern "C" {
#endif

enum throughput_kind {
    THROUGHPUT_GPU, /* fused multiply-add in one instruction; vectorizable ones are like others       */
    THROUGHPUT_CPU, /* vector units; a fused multiply-add is two instructions; N = 1 (TP-15)          */
    THROUGHPUT_KINDS
};

/* Table 14 has the two frequencies exchanged and one core for the GTX 580 (TP-A9). */
enum throughput_table_14 {
    THROUGHPUT_TABLE_14_CORRECTED, /* GTX 580: 1.544 GHz, 16 cores; E5645: 2.4 GHz (default)          */
    THROUGHPUT_TABLE_14_PRINTED    /* GTX 580: 2.4 GHz, 1 core; E5645: 1.544 GHz                      */
};

/* A row of Table 14, and the latency of an instruction (section 5.3.4). */
typedef struct throughput_device {
    enum throughput_kind kind;
    double freq;          /* of a core, GHz, > 0                                                      */
    double dram_latency;  /* cycles, > 0                                                              */
    uint32_t cores;       /* active SMs or cores, 1 or more                                           */
    uint32_t fp_units;    /* scalar floating-point units of a core, 1 or more                         */
    uint32_t vec_units;   /* CPU: vector units of a core, 0 or more; GPU: not used                    */
    uint32_t vec_lanes;   /* CPU: lanes of a vector unit, 1 or more if there is one; GPU: not used    */
    double mem_bandwidth; /* GB/s, > 0                                                                */
    double inst_latency;  /* Inst_Latency of Eq. 70, cycles, > 0: about 20 on a GPU, 4 on a CPU       */
} throughput_device;

/* Table 15: per warp (GPU) or thread (CPU); counts are 0 or more and may be averages. What it calls
 * Bytes_per_thread and DistanceMemBytes enters as load_bytes of throughput_kernel.h. */
typedef struct throughput_mix {
    double fp_insts;           /* scalar floating-point instructions                                  */
    double fp_fused_insts;     /* fused multiply-adds                                                 */
    double fp_vec_insts;       /* vectorizable floating-point instructions                            */
    double fp_vec_fused_insts; /* vectorizable fused multiply-adds                                    */
    double int_insts;          /* integer instructions                                                */
    double br_misc_insts;      /* all others but memory instructions                                  */
    double mem_insts;          /* memory instructions                                                 */
    double mstr;               /* mem_indep_strength, MSTR: 1 or more                                 */
    double ilp;                /* ILP, 1 or more                                                      */
    double sse_ilp;            /* CPU: SSE_ILP, that of vector instructions, 1 or more; GPU: not used */
    double dep;                /* DEP: distance to the consumer in instructions, 1 or more            */
    uint32_t n;                /* N: warps of a core, 1 or more; on a CPU 1 is taken                  */
} throughput_mix;

typedef struct throughput_peak {
    double fp;               /* #FP of Eqs. 65, 66                                                    */
    double vec_fp;           /* #VecFP; on a GPU #FusedFP                                             */
    double dev_peak_fp;      /* DevPeakFP, GFLOPS                                                     */
    double dev_peak_vec_fp;  /* DevPeakVecFP; on a GPU that of fused multiply-adds, GFLOPS            */
    double peak_fp;          /* Eq. 65, GFLOPS                                                        */
    double peak_vec_fp;      /* Eq. 66 (on a GPU PeakFusedFP), GFLOPS                                 */
    double peak_achi;        /* Eq. 67, GFLOPS                                                        */
    double total_insts;      /* instructions that the device executes                                 */
    double dep_effect;       /* DEP_Effect of Eq. 70, 1 or more                                       */
    double perf_cycles;      /* Eq. 69, cycles                                                        */
    double total_cycles;     /* Eq. 70, cycles                                                        */
    double eff_ratio;        /* Eq. 68, 0..1: computations alone                                      */
    double perf;             /* Eq. 64 with that, GFLOPS: memory set aside                            */
} throughput_peak;

throughput_device throughput_device_gtx580(enum throughput_table_14 reading);
throughput_device throughput_device_e5645(enum throughput_table_14 reading); /* the two of them      */

/* False with err if device or mix cannot be or a result has no finite value; *out is not touched then. */
bool throughput_peak_compute(const throughput_device *device, const throughput_mix *mix,
                             throughput_peak *out, analytic_err *err);

/* Eq. 64: *perf = PeakAchi (GFLOPS, 0 or more) x EffRatio (0..1). */
bool throughput_perf(double peak_achi, double eff_ratio, double *perf, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
