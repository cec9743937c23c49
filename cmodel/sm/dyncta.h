/* SPDX-License-Identifier: Apache-2.0
 *
 * dyncta: moves the CTA limit of an SM by one per sampling period, by how often the SM was
 * idle and how often it waited for memory (DYN-1..DYN-4). One instance per SM.
 *
 * The DYNCTA paper is not among Ballast's sources; this is what the other papers say of it.
 * doc/blocks/dyncta.md has the rules and what is only a choice; rtl/sm/dyncta.sv is the twin.
 */
#ifndef BALLAST_DYNCTA_H
#define BALLAST_DYNCTA_H

#include <stdint.h>

#include "common/encodings.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The thresholds that software sets when nobody has chosen others. They are to be tuned (DYN-2). */
enum { DYNCTA_T_IDLE = 16, DYNCTA_T_MEM_L = 128, DYNCTA_T_MEM_H = 384 };

typedef struct dyncta_cfg {
    uint32_t num_slots; /* CTA slots of the SM, 1..32                  */
    uint32_t period;    /* cycles per sample, 2..65536, default 2048   */
} dyncta_cfg;

/* The thresholds are as wide as a count: $clog2(period + 1) bits. */
typedef struct dyncta_in {
    uint32_t t_idle;      /* more idle cycles than this: one CTA more      */
    uint32_t t_mem_l;     /* fewer waiting cycles than this: one CTA more  */
    uint32_t t_mem_h;     /* more waiting cycles than this: one CTA less   */
    uint8_t enable;       /* 0: hold everything                            */
    uint8_t kernel_start; /* a kernel starts in this cycle, nmax is valid  */
    uint8_t nmax;         /* its resource limit, 0..num_slots              */
    uint8_t lcs_class;    /* class of this cycle, enum ballast_lcs_class   */
} dyncta_in;

typedef struct dyncta_out {
    uint8_t limit;      /* how many CTAs the SM may hold        */
    uint8_t sample_end; /* this cycle closes a sample and decides */
} dyncta_out;

typedef struct dyncta_state {
    uint32_t timer; /* cycles of this sample that are over   */
    uint32_t idle;  /* of these, cycles of class BALLAST_LCS_IDLE */
    uint32_t mem;   /* of these, cycles of class BALLAST_LCS_MEM_STALL */
    uint8_t limit;
    uint8_t nmax;
} dyncta_state;

dyncta_cfg dyncta_cfg_default(void);
/* What software sets is at its default, everything else is 0. */
dyncta_in dyncta_in_default(void);
void dyncta_reset(dyncta_state *state, const dyncta_cfg *cfg);
/* Outputs for this cycle, then one rising edge. */
void dyncta_step(dyncta_state *state, const dyncta_cfg *cfg, const dyncta_in *in, dyncta_out *out);

#ifdef __cplusplus
}
#endif
#endif
