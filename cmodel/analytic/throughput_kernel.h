/* SPDX-License-Identifier: Apache-2.0
 *
 * throughput_kernel: Chapter V in one call, from a device (Table 14), an instruction mix (Table 15)
 * and the memory to GFLOPS with and without memory (TP-1..11, TP-15; Hong, PhD thesis 2012, Eqs. 64
 * to 82). doc/papers/throughput.md.
 *
 *     const throughput_device gtx580 = throughput_device_gtx580(THROUGHPUT_TABLE_14_CORRECTED);
 *     const throughput_memory dram = {.eff_mem = 450, .load_bytes = 128, .mwp_proc = 112.5};
 *     throughput_kernel_result r;
 *     analytic_err err;
 *     if (throughput_kernel(&gtx580, &mix, &dram, NULL, &r, &err))
 *         printf("%.0f of %.0f GFLOPS\n", r.perf, r.peak.perf);
 *
 * r.in is what throughput_advice.h wants.
 */
#ifndef BALLAST_THROUGHPUT_KERNEL_H
#define BALLAST_THROUGHPUT_KERNEL_H

#include "analytic/check.h"
#include "analytic/throughput.h"
#include "analytic/throughput_peak.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throughput_memory {
    double eff_mem;    /* EffMem: mean cycles of a memory period with its cache hits, 0 or more; with
                          DRAM accesses only, the device's dram_latency                               */
    double load_bytes; /* bytes that a warp's load moves in the device's dram_latency, > 0            */
    double mwp_proc;   /* MWP_Proc, > 0; throughput_mwp_proc() has the equation                       */
} throughput_memory;

typedef struct throughput_kernel_result {
    throughput_peak peak;    /* Eqs. 64 to 70: memory set aside                                       */
    throughput_bw bw;        /* Eqs. 75, 76                                                           */
    double periods;          /* memory periods of a warp, options->period                             */
    throughput_in in;        /* what the model was given                                              */
    throughput_result model; /* Eqs. 71 to 82                                                         */
    double perf;             /* Eq. 64 with Eq. 77, GFLOPS                                            */
} throughput_kernel_result;

/* False with err if an input cannot be, the mix has no memory instruction (throughput_peak_compute()
 * has all there is to say then) or a result has no finite value; *out is not touched then. NULL
 * options are the defaults. */
bool throughput_kernel(const throughput_device *device, const throughput_mix *mix,
                       const throughput_memory *memory, const throughput_options *options,
                       throughput_kernel_result *out, analytic_err *err);

#ifdef __cplusplus
}
#endif
#endif
