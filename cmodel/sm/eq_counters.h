/* SPDX-License-Identifier: Apache-2.0
 *
 * eq_counters: Equalizer's counters (EQ-1..EQ-6). Samples what the warps of an SM do and sums
 * it over an epoch: how many are active, wait for an operand, or are ready while the ALUs or
 * the load/store unit hold them back.
 *
 * doc/blocks/eq_counters.md has the rules; rtl/sm/eq_counters.sv is the twin.
 */
#ifndef BALLAST_EQ_COUNTERS_H
#define BALLAST_EQ_COUNTERS_H

#include <stdint.h>

#include "common/encodings.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elaboration parameters. The names in doc and RTL are UpperCamelCase (Epoch, SamplePhase ...). */
typedef struct eq_counters_cfg {
    uint32_t num_warps;        /* 1..64, default 48                                        */
    uint32_t epoch;            /* cycles, a power of two, 4..65536, default 4096           */
    uint32_t sample_interval;  /* cycles, a power of two, 2..epoch/2, default 128          */
    uint32_t sample_phase;     /* 0..sample_interval-1, default 127 (EQ-A6)                */
    uint32_t sample_cycles;    /* of a sample, a power of two, 1..sample_interval, default
                                  16: each has the warps of its remainder                  */
    uint32_t xalu_excl_issued; /* X_alu: 1 (default) without, 0 with warps that issued
                                  to an ALU (EQ-A8)                                        */
    uint32_t xmem_incl_slot;   /* X_mem: 0 (default) without, 1 with warps that lost the
                                  issue slot (EQ-A9)                                       */
} eq_counters_cfg;

typedef struct eq_counters_in {
    uint64_t ws0, ws1, ws2, ws3; /* bit planes of the warp states                        */
    uint64_t paused;             /* paused warps do not count                            */
    uint8_t enable;              /* 0: everything holds still                            */
    uint8_t kernel_start;        /* the sums start anew, the cycle of the epoch goes on  */
} eq_counters_in;

typedef struct eq_counters_out {
    uint32_t active, waiting, xalu, xmem; /* the sums                                    */
    uint8_t epoch_end;                    /* they are those of an epoch that just ended  */
} eq_counters_out;

typedef struct eq_counters_state {
    uint32_t cycle;   /* of the epoch; 1: the sums are those of the one before (reset: 2) */
    uint32_t active;  /* sums of the samples so far, without the cycle before             */
    uint32_t waiting;
    uint32_t xalu;
    uint32_t xmem;
    /* The cycle before, as the next one adds it: bit i is the i-th of the warps that had their turn. */
    uint64_t active_turn, waiting_turn, xalu_turn, xmem_turn;
} eq_counters_state;

eq_counters_cfg eq_counters_cfg_default(void);
/* What software sets is at its default, everything else is 0. */
eq_counters_in eq_counters_in_default(void);
void eq_counters_reset(eq_counters_state *state, const eq_counters_cfg *cfg);
/* Outputs for this cycle, then one rising edge. */
void eq_counters_step(eq_counters_state *state, const eq_counters_cfg *cfg,
                      const eq_counters_in *in, eq_counters_out *out);

#ifdef __cplusplus
}
#endif
#endif
