/* SPDX-License-Identifier: Apache-2.0
 *
 * vf_domain: voltage and frequency level of one clock domain of the chip, the SMs' or the
 * memory system's (Equalizer, EQ-9, EQ-13..EQ-15). Two instances per chip.
 *
 * The level moves one step at a time, as the majority of vf_vote asks (EQ-13), and each step
 * takes a transition of `transition` cycles (EQ-14). The block also says what an SM's action
 * asks of this domain at the present level (Table I). doc/blocks/vf_domain.md has the rules;
 * rtl/chip/vf_domain.sv is the twin.
 */
#ifndef BALLAST_VF_DOMAIN_H
#define BALLAST_VF_DOMAIN_H

#include <stdint.h>

#include "common/encodings.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { VF_DOMAIN_SM = 0, VF_DOMAIN_MEM = 1 };
/* What "Maintain" in Table I asks for: the normal level, or nothing (EQ-A15). */
enum { BALLAST_VF_MAINTAIN_NORMAL = 0, BALLAST_VF_MAINTAIN_HOLD = 1 };

typedef struct vf_domain_cfg {
    uint32_t domain;         /* VF_DOMAIN_*, default VF_DOMAIN_SM                       */
    uint32_t maintain;       /* BALLAST_VF_MAINTAIN_*, default BALLAST_VF_MAINTAIN_NORMAL (EQ-A15) */
    uint32_t table1_literal; /* 1: MemAction to save energy lowers the memory (EQ-A16)   */
    uint32_t transition;     /* cycles of a change of level, 1..65535, default 512       */
    uint32_t vrm_stall;      /* 1: the domain stands still in a transition (EQ-A21)      */
} vf_domain_cfg;

typedef struct vf_domain_in {
    uint8_t mode;  /* enum ballast_vf_mode                              */
    uint8_t valid; /* an epoch's votes have been counted: up, down hold */
    uint8_t up;    /* the majority asks for the next higher level       */
    uint8_t down;  /* ... for the next lower level                      */
} vf_domain_in;

typedef struct vf_domain_out {
    uint8_t level;     /* enum ballast_vf_level, at which the domain runs   */
    uint8_t busy;      /* a transition is under way                         */
    uint8_t stall;     /* the domain must stand still in this cycle         */
    uint8_t comp_up;   /* what CompAction asks of this domain now ...       */
    uint8_t comp_down;
    uint8_t mem_up;    /* ... and what MemAction asks                       */
    uint8_t mem_down;
} vf_domain_out;

typedef struct vf_domain_state {
    uint32_t timer; /* cycles of the transition that are left; 0: none is under way */
    uint8_t level;  /* enum ballast_vf_level                                        */
    uint8_t next;   /* level after the transition, else equal to level              */
} vf_domain_state;

vf_domain_cfg vf_domain_cfg_default(void);
void vf_domain_reset(vf_domain_state *state, const vf_domain_cfg *cfg);
/* The outputs come from the registers, before the inputs of the cycle are known: level, busy, stall, ... */
void vf_domain_show(const vf_domain_state *state, const vf_domain_cfg *cfg, vf_domain_out *out);
/* ... and what the actions ask of the domain. */
void vf_domain_answer(const vf_domain_state *state, const vf_domain_cfg *cfg, uint8_t mode, vf_domain_out *out);
/* The rising edge alone. */
void vf_domain_edge(vf_domain_state *state, const vf_domain_cfg *cfg, const vf_domain_in *in);
/* Outputs for this cycle, then one rising edge. */
void vf_domain_step(vf_domain_state *state, const vf_domain_cfg *cfg, const vf_domain_in *in,
                    vf_domain_out *out);

#ifdef __cplusplus
}
#endif
#endif
