/* SPDX-License-Identifier: Apache-2.0
 *
 * vf_scout: steers the two clock domains of a chip. It looks at a change of one of them for a short time, counts the instructions that
 * SM 0 issues there and back, and keeps what pays (VFS-1..VFS-8). One instance per chip, in place of vf_vote.
 *
 * The policy is Ballast's own; doc/blocks/vf_scout.md has its rules; rtl/chip/vf_scout.sv is the twin.
 */
#ifndef BALLAST_VF_SCOUT_H
#define BALLAST_VF_SCOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/encodings.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vf_scout_state_code { VF_SCOUT_ST_IDLE, VF_SCOUT_ST_WAIT, VF_SCOUT_ST_BASE, VF_SCOUT_ST_LOOK, VF_SCOUT_ST_BACK, VF_SCOUT_ST_REST };
enum vf_scout_step_code { VF_SCOUT_SETTLE, VF_SCOUT_COUNT, VF_SCOUT_WEIGH, VF_SCOUT_JUDGE };

/* Elaboration parameters. */
typedef struct vf_scout_cfg {
    uint32_t issue_width; /* instructions of an SM per cycle at most, 1..8, default 2            */
    uint32_t window;      /* cycles of a short window, a power of two, 8..16384, default 2048    */
    uint32_t settle;      /* cycles after a change that do not count, 1..65535, default 1024     */
    uint32_t warmup;      /* the same after a kernel's start and after a look of scout, 1..65535, default 12288 */
    uint32_t sm_up;       /* SMs at HIGH may issue one part in 2^sm_up less per cycle, 1..7, default 4  */
    uint32_t mem_up;      /* memory at HIGH must bring about one part in 2^mem_up more, 1..7, default 4 */
    uint32_t sm_down;     /* SMs at LOW must issue one part in 2^sm_down more, 1..7, default 3          */
    uint32_t mem_down;    /* memory at LOW may cost one part in 2^mem_down, 1..7, default 5             */
} vf_scout_cfg;

typedef struct vf_scout_in {
    uint8_t enable;       /* 0: hold everything                                 */
    uint8_t kernel_start; /* a kernel starts in this cycle                      */
    uint8_t issue_valid;  /* bit i: lane i of SM 0 issued an instruction        */
    uint8_t cta_done;     /* a CTA of SM 0 finishes in this cycle               */
    uint8_t look;         /* the CTA limit is one that may be taken back        */
    uint8_t ready;        /* the CTA limit is decided                           */
    uint8_t mode;         /* enum ballast_vf_mode                               */
    uint8_t sm_level, mem_level; /* enum ballast_vf_level of the domains        */
    uint8_t sm_busy, mem_busy;   /* their transitions are under way             */
} vf_scout_in;

typedef struct vf_scout_out {
    uint8_t sm_up, sm_down;   /* a step that the domain of the SMs is to take   */
    uint8_t mem_up, mem_down; /* the same of the memory                         */
    uint8_t hold;             /* it measures: the CTA limit must not move now   */
} vf_scout_out;

typedef struct vf_scout_state {
    uint32_t acc;   /* instructions of this window                              */
    uint32_t base;  /* what they are compared with                              */
    uint16_t timer; /* cycles of this wait or window                            */
    uint8_t state, step;
    uint8_t mode;   /* of this search                                           */
    uint8_t domain; /* that it looks at, 1: the memory                          */
    uint8_t stage;  /* windows are four times as long                           */
    uint8_t sm_moved, mem_moved; /* the domain is to be HIGH or LOW, as the mode says */
    uint8_t better; /* the change pays beside the window before it              */
    uint8_t first;  /* no CTA of this kernel has finished on SM 0               */
    uint8_t ready;  /* the CTA limit was decided in the cycle before            */
    uint8_t known, odd;
} vf_scout_state;

vf_scout_cfg vf_scout_cfg_default(void);
/* What software sets is at its default, everything else is 0. */
vf_scout_in vf_scout_in_default(void);
void vf_scout_reset(vf_scout_state *state, const vf_scout_cfg *cfg);
/* Outputs for this cycle, then one rising edge. */
void vf_scout_step(vf_scout_state *state, const vf_scout_cfg *cfg, const vf_scout_in *in, vf_scout_out *out);

#ifdef __cplusplus
}
#endif
#endif
