/* SPDX-License-Identifier: Apache-2.0
 *
 * perfsat: finds, while a kernel runs, how many CTAs an SM should hold (Perf-Sat,
 * PS-1..PS-19). One instance per SM.
 *
 * It measures how long the first CTA takes (PS-6), samples stalled cycles over
 * periods of One_TB x Nmax cycles (PS-3, PS-7), and walks the limit up or down until
 * the stalled cycles stop improving (PS-8..PS-17). doc/blocks/perfsat.md has the rules, the
 * state table and every choice the paper leaves open; rtl/sm/perfsat.sv is the twin.
 */
#ifndef BALLAST_PERFSAT_H
#define BALLAST_PERFSAT_H

#include <stdint.h>

#include "common/encodings.h"

#ifdef __cplusplus
extern "C" {
#endif

enum perfsat_fsm {
    PERFSAT_WAIT = 0,       /* no CTA of a kernel has been launched yet            */
    PERFSAT_MEASURE = 1,    /* the first CTA runs: One_TB is being measured        */
    PERFSAT_FIRST = 2,      /* first sample, nothing to compare with yet           */
    PERFSAT_WEAK_INC = 3,
    PERFSAT_STRONG_INC = 4,
    PERFSAT_WEAK_DEC = 5,
    PERFSAT_STRONG_DEC = 6,
    PERFSAT_DONE = 7        /* converged: limit holds Nopt until the next kernel   */
};

/* Elaboration parameters. The names in doc and RTL are UpperCamelCase (Tie, WdConfirm ...). */
typedef struct perfsat_cfg {
    uint32_t num_slots;    /* CTA slots of the SM, 1..32                                    */
    uint32_t count_w;      /* width of period, timer and stall counts, 2..32, default 32    */
    uint32_t tie;          /* equal stall counts: 0 favour fewer CTAs, 1 go on, 2 (default)
                              only a strict improvement counts (PS-A2)                      */
    uint32_t wd_confirm;   /* coherent samples from weak- to strong-decrease, 1 (default) or
                              2 (PS-A4)                                                     */
    uint32_t recover_n;    /* weak -> strong again with D=1: 0 hold N (default), 1 move N
                              at once (PS-A9)                                               */
    uint32_t weak_revert;  /* worse with H=1: 0 stay, reset H (default), 1 turn round
                              (PS-A5, WI_H1_WORSE)                                          */
    uint32_t toggle_hist;  /* H after a weak turn back, 0 (default) or 1 (PS-A6, TOGGLE_H)  */
    uint32_t toggle_pairs; /* 0 count every turn (default), 1 count round trips (PS-A7)     */
    uint32_t toggle_limit; /* more turns than this end the search, 1..15, default 3         */
    uint32_t settle;       /* a sample starts: 0 at once (default), 1 when active <= N,
                              2 when active == N (PS-A12)                                   */
} perfsat_cfg;

typedef struct perfsat_in {
    uint8_t enable;       /* 0: nothing changes, kernel_start is ignored, too   */
    uint8_t kernel_start; /* a kernel starts in this cycle, nmax is valid       */
    uint8_t nmax;         /* its resource limit, 0..num_slots (PS-1)            */
    uint8_t ps_class;     /* class of this cycle, enum ballast_ps_class         */
    uint32_t cta_start;   /* CTA slots launched in this cycle                   */
    uint32_t cta_done;    /* CTA slots finishing in this cycle                  */
    uint32_t cta_active;  /* CTA slots in use in this cycle (only for settle>0) */
} perfsat_in;

typedef struct perfsat_out {
    uint8_t limit;      /* N: how many CTAs the SM may hold                 */
    uint8_t done;       /* the search has converged, limit is Nopt          */
    uint8_t sample_end; /* this cycle closes a sample and decides           */
} perfsat_out;

typedef struct perfsat_state {
    uint32_t period;   /* One_TB x nmax, saturating (PS-6)                    */
    uint32_t timer;    /* cycles left in this sample                          */
    uint32_t stalled;  /* stalled cycles of this sample so far (PS-3)         */
    uint32_t prev;     /* stalled cycles of the sample to compare with        */
    uint8_t state;     /* enum perfsat_fsm                                    */
    uint8_t limit;     /* N                                                   */
    uint8_t nmax;
    uint8_t toggles;   /* turns taken so far                                  */
    uint8_t history;   /* H                                                   */
    uint8_t direction; /* D: the direction is decided                         */
    uint8_t settled;   /* this sample is running (settle > 0; else always 0)  */
} perfsat_state;

perfsat_cfg perfsat_cfg_default(void);
/* What software sets is at its default, everything else is 0. */
perfsat_in perfsat_in_default(void);
void perfsat_reset(perfsat_state *state, const perfsat_cfg *cfg);
/* Outputs for this cycle, then one rising edge. */
void perfsat_step(perfsat_state *state, const perfsat_cfg *cfg, const perfsat_in *in,
                  perfsat_out *out);

#ifdef __cplusplus
}
#endif
#endif
