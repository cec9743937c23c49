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

#include <stdint.h>

#include "common/encodings.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which line of Algorithm 1 was taken. */
enum ballast_eq_branch {
    BALLAST_EQ_NONE = 0,            /* degenerate: nothing changes   */
    BALLAST_EQ_DEFINITELY_MEM = 1,  /* line 7:  one CTA less, MemAction */
    BALLAST_EQ_DEFINITELY_COMP = 2, /* line 10: CompAction           */
    BALLAST_EQ_LIKELY_MEM = 3,      /* line 12: MemAction            */
    BALLAST_EQ_WAIT_COMP = 4,       /* line 14: one CTA more, CompAction */
    BALLAST_EQ_WAIT_MEM = 5,        /* line 14: one CTA more, MemAction */
    BALLAST_EQ_IDLE = 6,            /* line 21: no active warp, CompAction */
    BALLAST_EQ_BRANCHES = 7
};

/* How a sum over samples is compared with a number of warps (EQ-A2). */
enum { BALLAST_EQ_AVG_EXACT_SUM = 0, BALLAST_EQ_AVG_TRUNC = 1, BALLAST_EQ_AVG_RAW = 2 };

/* Elaboration parameters. The names in doc and RTL are UpperCamelCase (Samples, AvgMode). */
typedef struct eq_decision_cfg {
    uint32_t num_warps; /* 1..64, default 48                                    */
    uint32_t samples;   /* of an epoch, a power of two, 2..32768, default 32    */
    uint32_t avg_mode;  /* BALLAST_EQ_AVG_*, default BALLAST_EQ_AVG_EXACT_SUM   */
} eq_decision_cfg;

typedef struct eq_decision_in {
    uint32_t active, waiting, xalu, xmem; /* sums over the samples of an epoch  */
    uint8_t wcta;                         /* warps per CTA, 0: no kernel yet    */
} eq_decision_in;

typedef struct eq_decision_out {
    uint8_t branch;    /* enum ballast_eq_branch                  */
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

#ifdef __cplusplus
}
#endif
#endif
