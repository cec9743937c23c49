/* SPDX-License-Identifier: Apache-2.0
 *
 * gwde: the CTA dispatcher. It gives the CTAs of a kernel to the SMs, one per cycle, in turn (GWDE-1 to
 * GWDE-4), of 2-D kernels in pairs where that is set (BCS-1 to BCS-6). One instance per chip, with the account of every SM. doc/blocks/gwde.md has the rules;
 * rtl/chip/gwde.sv is the twin. common/cta_needs.h computes what a CTA needs.
 */
#ifndef BALLAST_GWDE_H
#define BALLAST_GWDE_H

#include "chip/bcs.h"
#include "sm/sm_resources.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GWDE_MAX_SMS 256
#define GWDE_MAX_UNITS 65534u

enum gwde_fill { GWDE_FILL_RR = 0, GWDE_FILL_DF = 1 };                  /* GWDE-A3 */
enum gwde_advance { GWDE_AFTER_GRANT = 0, GWDE_EVERY_CYCLE = 1 };       /* GWDE-A1 */
enum gwde_odd { GWDE_ROUND_DOWN = 0, GWDE_ROUND_UP = 1, GWDE_ALLOW_SINGLE = 2 }; /* BCS-A2 */

typedef struct gwde_cfg {
    uint32_t num_sms;    /* 1..GWDE_MAX_SMS, default 15                              */
    uint32_t fill;       /* GWDE_FILL_*, default GWDE_FILL_RR                        */
    uint32_t rr_advance; /* GWDE_AFTER_GRANT (default) or GWDE_EVERY_CYCLE           */
    uint32_t odd_limit;  /* GWDE_ROUND_DOWN (default), _ROUND_UP or _ALLOW_SINGLE    */
    uint32_t num_warps;  /* that an SM has, 1..64, default 48                        */
    uint32_t reg_units;  /* 1..65534, default 1024                                   */
    uint32_t smem_units; /* 1..65534, default 384                                    */
    bcs_cfg bcs;
    sm_resources_cfg sm; /* every SM's account                                       */
} gwde_cfg;

typedef struct gwde_sm_in {
    uint32_t cta_done; /* slots whose CTA finishes in this cycle                     */
    uint8_t limit;     /* how many CTAs it may hold                                  */
    uint8_t req;       /* it asks for a CTA                                          */
} gwde_sm_in;

/* Only the first num_sms elements of sm[] exist, in each of the structs. */
typedef struct gwde_in {
    uint32_t grid;  /* CTAs of a kernel that starts,                                 */
    uint32_t width; /* those of a row, 0: not known, and what one of them needs:     */
    uint16_t regs; /* register units                                                 */
    uint16_t smem; /* shared memory units                                            */
    uint8_t warps;
    uint8_t start; /* a kernel starts; taken only where the dispatcher is idle       */
    uint8_t two_d; /* it is a 2-D kernel                                             */
    uint8_t bcs;   /* setting: then its CTAs go in pairs                             */
    gwde_sm_in sm[GWDE_MAX_SMS];
} gwde_in;

typedef struct gwde_sm_out {
    uint32_t cta_start;  /* the slot that a CTA is launched into in this cycle       */
    uint32_t cta_active; /* slots that hold a CTA in this cycle                      */
    uint8_t denied;      /* it asks and can not be served                            */
} gwde_sm_out;

typedef struct gwde_out {
    uint32_t start_cta;  /* the launch of this cycle: which CTA of the grid,         */
    uint8_t start_valid; /* if there is one,                                         */
    uint8_t start_sm;    /* on which SM,                                             */
    uint8_t start_slot;  /* in which slot                                            */
    uint8_t idle;        /* no CTA is left and none holds anything                   */
    uint8_t exhausted;   /* all CTAs have been chosen                                */
    uint8_t too_big;     /* a CTA of the last kernel needs more than an SM has       */
    gwde_sm_out sm[GWDE_MAX_SMS];
} gwde_out;

typedef struct gwde_state {
    uint32_t left; /* CTAs that have not been chosen                                 */
    uint32_t cta;  /* the next one to be launched                                    */
    uint16_t regs; /* what one CTA needs                                             */
    uint16_t smem;
    uint8_t warps;
    uint8_t most;        /* CTAs that an empty SM has room for, counted one per cycle, */
    uint16_t sum_warps;  /* by what that many and one more need                        */
    uint32_t sum_regs;
    uint32_t sum_smem;
    uint8_t too_big;
    uint8_t ptr;         /* whose turn it is                                         */
    uint8_t still;       /* no SM is ready in this cycle, and the turn waits         */
    uint8_t start_valid; /* the launch that was chosen in the cycle before           */
    uint8_t start_sm;
    uint8_t start_slot;
    bcs_state bcs; /* what the next CTA is, of a kernel in pairs                     */
    sm_resources_state sm[GWDE_MAX_SMS];
} gwde_state;

gwde_cfg gwde_cfg_default(void);
void gwde_reset(gwde_state *state, const gwde_cfg *cfg);
/* Outputs for this cycle, then one rising edge. */
void gwde_step(gwde_state *state, const gwde_cfg *cfg, const gwde_in *in, gwde_out *out);

#ifdef __cplusplus
}
#endif
#endif
