/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
 *
 * The registers of ballast_regs for drivers: byte offsets, and masks of fields. Made by 'make registers' from
 * rtl/registers/ballast_regs.csv; change that.
 */
#ifndef BALLAST_REGS_MAP_H
#define BALLAST_REGS_MAP_H

/* what is here: "BLST" in ASCII; read only */
#define BALLAST_REGS_ID 0x000u
#define BALLAST_REGS_ID_RESET 0x424C5354u

/* of this register list: major in the upper half, minor in the lower one; read only */
#define BALLAST_REGS_VERSION 0x004u
#define BALLAST_REGS_VERSION_RESET 0x10000u

/* SMs of the chip; read only */
#define BALLAST_REGS_NUM_SMS 0x008u

/* CTA slots of an SM; read only */
#define BALLAST_REGS_NUM_SLOTS 0x00Cu

/* cycles of DYNCTA's sampling period: the largest threshold; read only */
#define BALLAST_REGS_DYN_PERIOD 0x010u

/* who sets the CTA limit: 0 static, 1 Perf-Sat, 2 LCS, 3 Equalizer, 4 DYNCTA; read, write */
#define BALLAST_REGS_POLICY 0x040u

/* the static policy's limit; 0: whatever fits; read, write */
#define BALLAST_REGS_STATIC_LIMIT 0x044u

/* DYNCTA: more idle cycles than this in a period mean one CTA more; read, write */
#define BALLAST_REGS_T_IDLE 0x048u
#define BALLAST_REGS_T_IDLE_RESET 0x10u

/* DYNCTA: fewer waiting cycles than this mean one CTA more; read, write */
#define BALLAST_REGS_T_MEM_L 0x04Cu
#define BALLAST_REGS_T_MEM_L_RESET 0x80u

/* DYNCTA: more waiting cycles than this mean one CTA fewer; read, write */
#define BALLAST_REGS_T_MEM_H 0x050u
#define BALLAST_REGS_T_MEM_H_RESET 0x180u

/* Equalizer's objective: 0 energy, 1 performance; read, write */
#define BALLAST_REGS_MODE 0x054u
#define BALLAST_REGS_MODE_RESET 0x1u

/* 1: the CTAs of a 2-D kernel go in pairs; read, write */
#define BALLAST_REGS_BCS 0x058u

/* the voltage and frequency domains in this cycle; read only */
#define BALLAST_REGS_DOMAINS 0x080u
#define BALLAST_REGS_DOMAINS_SM_LEVEL 0x3u /* level of the SMs: 0 low, 1 normal, 2 high */
#define BALLAST_REGS_DOMAINS_MEM_LEVEL 0xCu /* level of the memory */
#define BALLAST_REGS_DOMAINS_MEM_LEVEL_SHIFT 2
#define BALLAST_REGS_DOMAINS_SM_BUSY 0x10u /* the SMs' level is changing */
#define BALLAST_REGS_DOMAINS_SM_BUSY_SHIFT 4
#define BALLAST_REGS_DOMAINS_MEM_BUSY 0x20u /* the memory's level is changing */
#define BALLAST_REGS_DOMAINS_MEM_BUSY_SHIFT 5
#define BALLAST_REGS_DOMAINS_SM_STALL 0x40u /* the SMs are not clocked meanwhile */
#define BALLAST_REGS_DOMAINS_SM_STALL_SHIFT 6
#define BALLAST_REGS_DOMAINS_MEM_STALL 0x80u /* the memory is not clocked meanwhile */
#define BALLAST_REGS_DOMAINS_MEM_STALL_SHIFT 7

/* the CTA dispatcher in this cycle; read only */
#define BALLAST_REGS_KERNEL 0x084u
#define BALLAST_REGS_KERNEL_IDLE 0x1u /* no CTA is left and none runs */
#define BALLAST_REGS_KERNEL_EXHAUSTED 0x2u /* no CTA is left */
#define BALLAST_REGS_KERNEL_EXHAUSTED_SHIFT 1
#define BALLAST_REGS_KERNEL_TOO_BIG 0x4u /* a CTA of the last kernel fits no SM */
#define BALLAST_REGS_KERNEL_TOO_BIG_SHIFT 2

/* what has happened since the bit was cleared; read, 1 clears */
#define BALLAST_REGS_PENDING 0x0C0u
#define BALLAST_REGS_PENDING_REFUSED 0x1u /* error: an access was refused */
#define BALLAST_REGS_PENDING_TOO_BIG 0x2u /* error: a kernel started of which no CTA fits an SM */
#define BALLAST_REGS_PENDING_TOO_BIG_SHIFT 1
#define BALLAST_REGS_PENDING_IN_USE 0x4u /* error: a CTA was launched into a slot in use */
#define BALLAST_REGS_PENDING_IN_USE_SHIFT 2
#define BALLAST_REGS_PENDING_NO_CTA 0x8u /* error: a CTA finished in a slot that held none */
#define BALLAST_REGS_PENDING_NO_CTA_SHIFT 3
#define BALLAST_REGS_PENDING_LIMIT 0x10u /* error: the limit of an SM was above NUM_SLOTS */
#define BALLAST_REGS_PENDING_LIMIT_SHIFT 4
#define BALLAST_REGS_PENDING_KERNEL_END 0x20u /* event: the last CTA of a kernel has gone */
#define BALLAST_REGS_PENDING_KERNEL_END_SHIFT 5

/* which bits of PENDING raise the interrupt; read, write */
#define BALLAST_REGS_ENABLE 0x0C4u

/* changes of the SMs' level that have begun; read, 0 clears */
#define BALLAST_REGS_SM_CHANGES 0x100u

/* changes of the memory's level that have begun; read, 0 clears */
#define BALLAST_REGS_MEM_CHANGES 0x104u

/* changes of CTA limits: of each SM and in each cycle one; read, 0 clears */
#define BALLAST_REGS_LIMIT_CHANGES 0x108u

/* CTAs launched; read, 0 clears */
#define BALLAST_REGS_LAUNCHES 0x10Cu

/* cycles in which an SM was denied a CTA, added up over the SMs; read, 0 clears */
#define BALLAST_REGS_DENIALS 0x110u

/* kernels started; read, 0 clears */
#define BALLAST_REGS_KERNELS 0x114u

/* bit i of word n: the policy of SM 32 n + i has made its decision; read only */
#define BALLAST_REGS_DONE(n) (0x200u + 4u * (n))

/* the CTA limit of SM n in this cycle; read only */
#define BALLAST_REGS_LIMIT(n) (0x400u + 4u * (n))

#endif
