/* SPDX-License-Identifier: Apache-2.0
 *
 * mcke: the CTA dispatcher for several kernels at once, with a quota for each kernel on each SM (CKE-1, CKE-2, CKE-A1, GWDE-1 to
 * GWDE-5). One instance per chip, with the account of every SM. doc/blocks/mcke.md has the rules; rtl/chip/mcke.sv is the twin.
 * common/cta_needs.h computes what a CTA needs.
 */
#ifndef BALLAST_MCKE_H
#define BALLAST_MCKE_H

#include "sm/cke_resources.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MCKE_MAX_SMS 256

enum mcke_mode { MCKE_QUOTAS = 0, MCKE_LEFTOVER = 1, MCKE_APART = 2, MCKE_QUEUE = 3 };

typedef struct mcke_cfg {
    uint32_t num_sms;     /* 1..MCKE_MAX_SMS, default 15                               */
    cke_resources_cfg sm; /* every SM's, and the number of kernels                     */
} mcke_cfg;

typedef struct mcke_sm_in {
    uint32_t cta_done; /* slots whose CTA finishes in this cycle                       */
    uint32_t quota;    /* how many CTAs of each kernel it may hold: ballast_cke_field  */
    uint8_t limit;     /* how many CTAs it may hold                                    */
    uint8_t req;       /* it asks for a CTA                                            */
} mcke_sm_in;

/* Only the first num_sms elements of sm[] exist, in each of the structs. */
typedef struct mcke_in {
    uint32_t grid;  /* CTAs of a kernel that starts, and what one of them needs:       */
    uint16_t regs;  /* register units                                                  */
    uint16_t smem;  /* shared memory units                                             */
    uint8_t warps;
    uint8_t start;  /* a kernel starts; taken only where its number is idle            */
    uint8_t kernel; /* its number                                                      */
    uint8_t mode;   /* setting, MCKE_*: which kernel comes first                       */
    mcke_sm_in sm[MCKE_MAX_SMS];
} mcke_in;

typedef struct mcke_sm_out {
    uint64_t cta_kernel; /* a field per slot: the kernel of its CTA                    */
    uint32_t cta_start;  /* the slot that a CTA is launched into in this cycle         */
    uint32_t cta_active; /* slots that hold a CTA in this cycle                        */
    uint32_t ctas;       /* a field per kernel: its CTAs, from the cycle after the launch on */
    uint16_t free_regs;  /* register units that no CTA holds                           */
    uint16_t free_smem;  /* shared memory units                                        */
    uint8_t denied;      /* a bit per kernel: it asks, and this one can not serve it   */
} mcke_sm_out;

typedef struct mcke_out {
    uint32_t start_cta;   /* the launch of this cycle: which CTA of its grid,          */
    uint8_t start_valid;  /* if there is one,                                          */
    uint8_t start_kernel; /* of which kernel,                                          */
    uint8_t start_sm;     /* on which SM,                                              */
    uint8_t start_slot;   /* in which slot                                             */
    uint8_t idle;         /* a bit per kernel: no CTA is left and none holds anything  */
    uint8_t exhausted;    /* all its CTAs have been chosen                             */
    uint8_t too_big;      /* a CTA of the last one with this number needs more than an SM has */
    mcke_sm_out sm[MCKE_MAX_SMS];
} mcke_out;

typedef struct mcke_state {
    uint32_t left[BALLAST_CKE_MAX_KERNELS]; /* CTAs that have not been chosen          */
    uint32_t cta[BALLAST_CKE_MAX_KERNELS];  /* the next one to be launched             */
    uint16_t regs[BALLAST_CKE_MAX_KERNELS]; /* what one CTA needs                      */
    uint16_t smem[BALLAST_CKE_MAX_KERNELS];
    uint8_t warps[BALLAST_CKE_MAX_KERNELS];
    uint8_t row[MCKE_MAX_SMS];      /* it was ready for the kernel that was chosen,    */
    uint8_t who[MCKE_MAX_SMS];      /* which is this one, or 0                         */
    uint8_t after[MCKE_MAX_SMS];    /* a bit per kernel: it is after the SM that got its last CTA */
    uint8_t too_big;                /* a bit per kernel                                */
    uint8_t turn;                   /* whose turn it is among the kernels              */
    uint8_t kernel;                 /* the kernel that was chosen                      */
    uint8_t start_valid;            /* a launch was chosen in the cycle before: its SM is the one whose account has `taken` */
    uint8_t start_kernel;
    uint8_t start_slot;
    cke_resources_state sm[MCKE_MAX_SMS];
} mcke_state;

mcke_cfg mcke_cfg_default(void);
void mcke_reset(mcke_state *state, const mcke_cfg *cfg);
/* Outputs for this cycle, then one rising edge. */
void mcke_step(mcke_state *state, const mcke_cfg *cfg, const mcke_in *in, mcke_out *out);

#ifdef __cplusplus
}
#endif
#endif
