/* SPDX-License-Identifier: Apache-2.0
 *
 * eq_decision: Algorithm 1 of Equalizer (EQ-7..EQ-9): from the sums of an epoch to more or
 * fewer CTAs and to CompAction or MemAction.
 *
 * Combinational: no registers, the state struct is empty of meaning. doc/blocks/eq_decision.md has
 * the rules; rtl/sm/eq_decision.sv is the twin.
 */
#ifndef BALLAST_EQ_DECISION_H
#define BALLAST_EQ_DECISION_H

#include "common/sm_obs.h"

/* Which line of Algorithm 1 was taken. */
enum eq_branch {
    EQ_NONE = 0,            /* degenerate: nothing changes           */
    EQ_DEFINITELY_MEM = 1,  /* line 7:  one CTA less, MemAction      */
    EQ_DEFINITELY_COMP = 2, /* line 10: CompAction                   */
    EQ_LIKELY_MEM = 3,      /* line 12: MemAction                    */
    EQ_WAIT_COMP = 4,       /* line 14: one CTA more, CompAction     */
    EQ_WAIT_MEM = 5,        /* line 14: one CTA more, MemAction      */
    EQ_IDLE = 6,            /* line 21: no active warp, CompAction   */
    EQ_BRANCHES = 7
};

/* How a sum over samples is compared with a number of warps (EQ-A2). */
enum { EQ_AVG_EXACT_SUM = 0, EQ_AVG_TRUNC = 1, EQ_AVG_RAW = 2 };

/* Elaboration parameters. The names in doc and RTL are UpperCamelCase (Samples, AvgMode). */
typedef struct eq_decision_cfg {
    uint32_t num_warps; /* 1..64, default 48                                    */
    uint32_t samples;   /* of an epoch, a power of two, 2..32768, default 32    */
    uint32_t avg_mode;  /* EQ_AVG_*, default EQ_AVG_EXACT_SUM                   */
} eq_decision_cfg;

typedef struct eq_decision_in {
    uint32_t active, waiting, xalu, xmem; /* sums over the samples of an epoch  */
    uint8_t wcta;                         /* warps per CTA, 0: no kernel yet    */
} eq_decision_in;

typedef struct eq_decision_out {
    uint8_t branch;    /* enum eq_branch                          */
    uint8_t inc, dec;  /* one CTA more, one CTA less; never both  */
    uint8_t comp, mem; /* CompAction, MemAction; never both       */
} eq_decision_out;

typedef struct eq_decision_state {
    uint8_t none; /* C has no empty struct; the block has no registers */
} eq_decision_state;

eq_decision_cfg eq_decision_cfg_default(void);
void eq_decision_reset(eq_decision_state *state, const eq_decision_cfg *cfg);
/* Outputs for this cycle; there is no edge to take. */
void eq_decision_step(eq_decision_state *state, const eq_decision_cfg *cfg,
                      const eq_decision_in *in, eq_decision_out *out);

#endif
