/* SPDX-License-Identifier: Apache-2.0
 *
 * throughput: how much of an SM's time the warps keep computing, given their memory accesses
 * (TP-4..11; Hong, PhD thesis 2012, Chapter V, Eqs. 71 to 82, Figures 114 and 115). The rest of
 * the chapter: throughput_peak.h (Eqs. 64 to 70), throughput_advice.h (Eqs. 83 to 93),
 * throughput_kernel.h (all of it in one call). doc/papers/throughput.md has the equations, the readings
 * and worked examples.
 *
 *     const throughput_in in = {.eff_mem = 300, .eff_comp = 100, .eff_perf = 40, .n = 6,
 *                               .mwp_bw = 3, .mwp_proc = 99, .mstr = 1};
 *     throughput_result r;
 *     analytic_err err;
 *     if (!throughput_compute(&in, NULL, &r, &err))
 *         puts(err.text);
 *     else
 *         printf("%g, category %u: %s\n", r.eff_ratio, r.category, throughput_category_name(r.category));
 *
 * A warp of this model alternates: one computation period, one memory period. An input that cannot
 * be (no warps, a negative latency, no bandwidth, MSTR below 1) is refused; *out is not touched then.
 */
#ifndef BALLAST_THROUGHPUT_H
#define BALLAST_THROUGHPUT_H

#include <stdint.h>

#include "analytic/check.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throughput_in {
    double eff_mem;  /* EffMem: cycles of a warp's memory period, 0 or more                          */
    double eff_comp; /* EffComp: cycles of a warp's computation period, > 0                           */
    double eff_perf; /* EffPerf: the cycles of it that useful instructions need at least, 0..eff_comp */
    uint32_t n;      /* N: warps (on a CPU: threads) of a core, 1 or more; a CPU has 1 (TP-15)        */
    double mwp_bw;   /* MWP_BW: accesses in flight of a core that the bandwidth sustains, > 0         */
    double mwp_proc; /* MWP_Proc: the same for the memory's internal cycles, > 0                      */
    double mstr;     /* MSTR: independent loads of a warp before the first consumer, 1 or more (TP-7) */
} throughput_in;

/* MWP_App_InfiN: with or without the warp that waits (TP-A1). */
enum throughput_infin {
    THROUGHPUT_INFIN_EQ_72,       /* EffMem / EffComp everywhere, as Eq. 72 prints it                */
    THROUGHPUT_INFIN_PLUS1_EQ_93, /* 1 more in Eq. 93 only, as Figure 130 counts (default)           */
    THROUGHPUT_INFIN_PLUS1_ALL,   /* 1 more everywhere                                               */
    THROUGHPUT_INFINS
};

/* How N is multiplied by the alpha of Eq. 91 (throughput_advice.h). */
enum throughput_n_new {
    THROUGHPUT_N_TIMES_ALPHA, /* N x alpha, as section 5.5.2 says (default)                           */
    THROUGHPUT_N_SOLVED,      /* MIN(MWP_App_InfiN, N) x alpha, so that Eq. 90 holds with Eq. 92      */
    THROUGHPUT_N_NEWS
};

/* Which instructions one memory period stands for (throughput_kernel.h). */
enum throughput_period {
    THROUGHPUT_PERIOD_GROUP,  /* MSTR loads wait together: mem_insts / MSTR periods (default)         */
    THROUGHPUT_PERIOD_ACCESS, /* every memory instruction: mem_insts periods                         */
    THROUGHPUT_PERIODS
};

typedef struct throughput_options {
    enum throughput_infin infin;   /* default THROUGHPUT_INFIN_PLUS1_EQ_93                            */
    double similar;                /* MWP_BW from this part of MWP_App on is nearly enough (TP-A7),
                                      above 0, to 1; default 0.85                                     */
    enum throughput_n_new n_new;   /* default THROUGHPUT_N_TIMES_ALPHA                                */
    enum throughput_period period; /* default THROUGHPUT_PERIOD_GROUP                                 */
} throughput_options;

/* What Eq. 71 took: the smallest; the first in this order if several are. */
enum throughput_limiter {
    THROUGHPUT_BY_N,    /* N                                                                          */
    THROUGHPUT_BY_APP,  /* MWP_App                                                                    */
    THROUGHPUT_BY_BW,   /* MWP_BW                                                                     */
    THROUGHPUT_BY_PROC, /* MWP_Proc                                                                   */
    THROUGHPUT_LIMITERS
};

typedef struct throughput_result {
    double mwp_app_infin;        /* Eq. 72, warps                                                     */
    double mwp_app_one_mem_warp; /* Eq. 73, warps                                                     */
    double mwp_app;              /* Eq. 74, accesses; may be above N where MSTR > 1 (TP-A5)           */
    double mwp;                  /* Eq. 71, warps                                                     */
    enum throughput_limiter limiter;
    double mem_serial_n;         /* Eq. 78, cycles                                                    */
    double mem_divided_n;        /* Eq. 79, cycles                                                    */
    double mem_n;                /* Eq. 80, cycles; below 0 only where MWP < 1                        */
    double comp_cycles_n;        /* Eq. 81, cycles                                                    */
    double idle_mem_cycles;      /* Eq. 82, cycles                                                    */
    double idle_per_serial;      /* idle_mem_cycles / mem_serial_n: what stays unhidden (section
                                    5.4.1), 0 without memory cycles                                   */
    double eff_ratio_comp;       /* EffPerf / EffComp: Eq. 77 without memory                          */
    double eff_ratio;            /* Eq. 77, 0..1                                                      */
    uint32_t category;           /* 1..10, Figures 114 and 115                                        */
} throughput_result;

throughput_options throughput_options_default(void);

/* False with err if an input cannot be or a result has no finite value. NULL options are the defaults. */
bool throughput_compute(const throughput_in *in, const throughput_options *options,
                        throughput_result *out, analytic_err *err);

/* ---- MWP_BW and MWP_Proc (TP-8) ---- */

typedef struct throughput_bw_in {
    double mem_bandwidth; /* Mem_Bandwidth of the chip, GB/s, > 0                                     */
    double freq;          /* Freq of a core, GHz, > 0                                                 */
    double load_bytes;    /* Load_bytes_per_warp: bytes that a warp's load moves in mem_l cycles, > 0 */
    double mem_l;         /* Mem_L: cycles of that load, > 0. The two are a pair: several
                             transactions multiply both                                               */
    uint32_t active_sm;   /* #ActiveSM, cores, 1 or more                                              */
} throughput_bw_in;

typedef struct throughput_bw {
    double bw_per_warp; /* Eq. 76, GB/s                                                               */
    double mwp_bw;      /* Eq. 75, accesses of a core                                                 */
    double budget;      /* mwp_bw x active_sm: accesses in flight that the chip sustains              */
} throughput_bw;

bool throughput_mwp_bw(const throughput_bw_in *in, throughput_bw *out, analytic_err *err);

/* Eq. 16: Mem_L / Departure_delay, both in cycles, > 0. */
bool throughput_mwp_proc(double mem_l, double departure_delay, double *mwp_proc, analytic_err *err);

/* ---- the ten categories (TP-11) ---- */

enum { THROUGHPUT_CATEGORIES = 10 };

/* For categories 1..10, of which the four best say so; other numbers give "no such category". */
const char *throughput_category_name(uint32_t number);   /* what falls short, what is enough          */
const char *throughput_suggestion(uint32_t number);      /* what to do                                */

#ifdef __cplusplus
}
#endif
#endif
