/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast_regs: what software sees of the chip, over APB: settings, the start of kernels, status, counters, sticky errors, an interrupt. One per
 * chip. doc/blocks/ballast_regs.md has the rules; rtl/chip/ballast_regs.sv is the twin.
 */
#ifndef BALLAST_BALLAST_REGS_H
#define BALLAST_BALLAST_REGS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BALLAST_REGS_MAX_SMS 256
#define BALLAST_REGS_MAX_KERNELS 4
/* SMs whose events are added up in one cycle. */
#define BALLAST_REGS_GROUP 16
#define BALLAST_REGS_MAX_GROUPS (BALLAST_REGS_MAX_SMS / BALLAST_REGS_GROUP)

typedef struct ballast_regs_cfg {
    uint32_t num_kernels; /* 1..BALLAST_REGS_MAX_KERNELS, default 2                   */
    uint32_t num_sms;     /* 1..BALLAST_REGS_MAX_SMS, default 15                      */
    uint32_t num_slots;   /* 1..32, default 8                                         */
    uint32_t num_warps;   /* of an SM, as the dispatcher's; default 48                */
    uint32_t reg_units;   /* default 1024                                             */
    uint32_t smem_units;  /* default 384                                              */
    uint32_t dyn_period;  /* 2..65536, default 2048: the largest threshold            */
    uint32_t watch_slots; /* 1 (default): launches into a slot in use are found       */
} ballast_regs_cfg;

typedef struct ballast_regs_sm_in {
    uint32_t cta_start;  /* slots that a CTA is launched into in this cycle           */
    uint32_t cta_active; /* slots that hold a CTA at any time in this cycle           */
    uint32_t cta_done;   /* slots whose CTA finishes in this cycle                    */
    uint8_t limit;       /* how many CTAs the SM may hold                             */
    uint8_t done;        /* its policy has decided for this kernel                    */
    uint8_t denied;      /* it asks for a CTA and cannot be served                    */
} ballast_regs_sm_in;

/* Only the first num_sms elements of sm[] exist. */
typedef struct ballast_regs_in {
    uint32_t pwdata; /* APB */
    uint16_t paddr;
    uint8_t psel;
    uint8_t penable;
    uint8_t pwrite;
    uint8_t pstrb;
    uint8_t pprot;       /* ignored                                                   */
    uint8_t sm_level;    /* of the domains: level,                                    */
    uint8_t mem_level;
    uint8_t sm_busy;     /* it is changing,                                           */
    uint8_t mem_busy;
    uint8_t sm_stall;    /* without a clock meanwhile                                 */
    uint8_t mem_stall;
    uint8_t idle;        /* of the dispatcher, a bit per kernel: it may start         */
    uint8_t exhausted;   /* no CTA is left                                            */
    uint8_t too_big;     /* a CTA of the last one fits no SM                          */
    uint8_t start_valid; /* a CTA is launched,                                        */
    uint8_t start_kernel; /* of this kernel                                           */
    ballast_regs_sm_in sm[BALLAST_REGS_MAX_SMS];
} ballast_regs_in;

typedef struct ballast_regs_out {
    uint32_t prdata; /* APB */
    uint8_t pready;
    uint8_t pslverr;
    uint8_t irq;
    uint8_t policy;       /* settings of the chip                                     */
    uint8_t static_limit;
    uint8_t mode;
    uint8_t bcs;          /* settings of the dispatcher                               */
    uint8_t dispatch;
    uint32_t quota;       /* a field per kernel, kernel 0 in the lowest bits          */
    uint32_t t_idle;
    uint32_t t_mem_l;
    uint32_t t_mem_h;
    uint8_t start;        /* a kernel starts in this cycle:                           */
    uint8_t kernel;       /* its number,                                              */
    uint8_t two_d;        /* and what it is                                           */
    uint8_t warps;
    uint16_t regs;
    uint16_t smem;
    uint32_t grid;
    uint32_t width;
    uint8_t nmax;
    uint8_t kernel_id;    /* software's number for it, 0: none                        */
    uint8_t wcta;         /* warps of a CTA of the kernel that started last           */
} ballast_regs_out;

typedef struct ballast_regs_state {
    uint32_t t_idle; /* settings */
    uint32_t t_mem_l;
    uint32_t t_mem_h;
    uint8_t policy;
    uint8_t static_limit;
    uint8_t mode;
    uint8_t bcs;
    uint8_t dispatch;
    uint8_t quota[BALLAST_REGS_MAX_KERNELS];
    uint32_t grid; /* the next kernel */
    uint32_t width;
    uint16_t regs;
    uint16_t smem;
    uint8_t two_d;
    uint8_t warps;
    uint8_t nmax;
    uint8_t kernel_id;
    uint8_t start;  /* it starts now, */
    uint8_t kernel; /* with this number; the one that started last                    */
    uint8_t wcta;   /* warps of one of its CTAs                                       */
    uint16_t pending; /* sticky bits, */
    uint16_t enable;  /* and which of them raise the interrupt                        */
    uint8_t setup;   /* the cycle before was a SETUP phase                            */
    uint8_t sm_busy; /* of the cycle before                                           */
    uint8_t mem_busy;
    uint8_t started; /* in the cycle before, a kernel started                         */
    uint8_t running; /* a bit per kernel: in the cycle before, it was not idle        */
    uint32_t sm_changes; /* counters */
    uint32_t mem_changes;
    uint32_t limit_changes;
    uint32_t launches[BALLAST_REGS_MAX_KERNELS];
    uint32_t denials;
    uint32_t kernels;
    uint8_t clear;          /* counters cleared by the cycle before: bit n that at 0x100 + 4 n, */
    uint8_t launches_clear; /* and of each kernel a bit                               */
    uint8_t changes_of[BALLAST_REGS_MAX_GROUPS]; /* SMs of a group whose limit changed, in the cycle before, */
    uint8_t denials_of[BALLAST_REGS_MAX_GROUPS]; /* and that were denied a CTA        */
    uint16_t num_changes;   /* of all groups, before that                             */
    uint16_t num_denials;
    uint8_t last_limit[BALLAST_REGS_MAX_SMS]; /* of the cycle before                  */
    uint32_t held[BALLAST_REGS_MAX_SMS]; /* slots in use at its end                   */
} ballast_regs_state;

ballast_regs_cfg ballast_regs_cfg_default(void);
void ballast_regs_reset(ballast_regs_state *state, const ballast_regs_cfg *cfg);
/* Outputs for this cycle, then one rising edge. */
void ballast_regs_step(ballast_regs_state *state, const ballast_regs_cfg *cfg, const ballast_regs_in *in, ballast_regs_out *out);

#ifdef __cplusplus
}
#endif
#endif
