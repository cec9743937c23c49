/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast_chip: what a user instantiates. Registers for software, a CTA dispatcher (gwde for one kernel at a time, mcke for several),
 * governors, vote and domains. doc/blocks/ballast_chip.md; rtl/chip/ballast_chip.sv is the twin.
 */
#ifndef BALLAST_BALLAST_CHIP_H
#define BALLAST_BALLAST_CHIP_H

#include "chip/ballast_regs.h"
#include "chip/chip_governor.h"
#include "chip/gwde.h"
#include "chip/mcke.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ballast_chip_cfg {
    uint32_t num_kernels; /* that may run at once: 2..4, or 1; default 2                    */
    chip_governor_cfg governor;
    gwde_cfg gwde;        /* the dispatcher of one kernel,                                  */
    mcke_cfg mcke;        /* and that of several                                            */
    ballast_regs_cfg regs;
} ballast_chip_cfg;

typedef struct ballast_chip_sm_in {
    uint64_t ws0, ws1, ws2, ws3; /* bit planes of the warp states                           */
    uint64_t paused;             /* paused warps                                            */
    uint64_t issue_slot;         /* CTA slots of what was issued, see sm_governor.h         */
    uint32_t cta_done;           /* CTA slots finishing in this cycle                       */
    uint8_t issue_valid;
} ballast_chip_sm_in;

/* Only the first num_sms elements of sm[] exist, in each of the structs: who allocates one may stop there. */
typedef struct ballast_chip_in {
    uint32_t pwdata; /* APB */
    uint16_t paddr;
    uint8_t psel;
    uint8_t penable;
    uint8_t pwrite;
    uint8_t pstrb;
    uint8_t pprot; /* ignored */
    ballast_chip_sm_in sm[BALLAST_MAX_SMS];
} ballast_chip_in;

typedef struct ballast_chip_sm_out {
    uint32_t cta_start;  /* the slot that a CTA is launched into in this cycle              */
    uint32_t cta_paused; /* paused CTA slots                                                */
    uint8_t limit;       /* how many CTAs the SM may run                                    */
    uint8_t pause_soft;  /* paused warps come last instead of not at all                    */
} ballast_chip_sm_out;

typedef struct ballast_chip_out {
    uint32_t prdata; /* APB */
    uint8_t pready;
    uint8_t pslverr;
    uint8_t irq;
    uint8_t kernel_start; /* a kernel starts: its number and description                    */
    uint8_t kernel;
    uint8_t two_d;
    uint8_t warps;
    uint8_t start_kernel; /* of a CTA that is launched: its kernel,                         */
    uint32_t start_cta;   /* and which CTA of the grid it is                                */
    uint32_t grid;
    uint32_t width;
    uint16_t regs;
    uint16_t smem;
    uint8_t sm_level, mem_level; /* enum ballast_vf_level                                   */
    uint8_t sm_busy, mem_busy;   /* the regulator is under way                              */
    uint8_t sm_stall, mem_stall; /* the domain must not be clocked                          */
    ballast_chip_sm_out sm[BALLAST_MAX_SMS];
} ballast_chip_out;

/* Of the dispatchers the one that num_kernels says is in use. */
typedef struct ballast_chip_state {
    uint8_t denied[BALLAST_MAX_SMS]; /* in the cycle before, the SM was denied a CTA        */
    ballast_regs_state regs;
    gwde_state gwde;
    mcke_state mcke;
    chip_governor_state governor;    /* last: who allocates one may stop with the last SM   */
} ballast_chip_state;

ballast_chip_cfg ballast_chip_cfg_default(void);
/* After a parameter was changed. The geometry of all is that of the governors, the account of an SM that of gwde. */
void ballast_chip_cfg_derive(ballast_chip_cfg *cfg);
void ballast_chip_reset(ballast_chip_state *state, const ballast_chip_cfg *cfg);
/* Outputs for this cycle, then one rising edge. */
void ballast_chip_step(ballast_chip_state *state, const ballast_chip_cfg *cfg, const ballast_chip_in *in, ballast_chip_out *out);

#ifdef __cplusplus
}
#endif
#endif
