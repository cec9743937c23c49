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
#define BALLAST_REGS_VERSION_RESET 0x20000u

/* SMs of the chip; read only */
#define BALLAST_REGS_NUM_SMS 0x008u

/* CTA slots of an SM; read only */
#define BALLAST_REGS_NUM_SLOTS 0x00Cu

/* cycles of DYNCTA's sampling period: the largest threshold; read only */
#define BALLAST_REGS_DYN_PERIOD 0x010u

/* kernels that may run at once; read only */
#define BALLAST_REGS_NUM_KERNELS 0x014u

/* who sets the CTA limit: 0 static, 1 Perf-Sat, 2 LCS, 3 Equalizer, 4 DYNCTA, 5 scout; read, write */
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

/* objective of Equalizer, and of scout's search for levels: 0 energy, 1 performance; read, write */
#define BALLAST_REGS_MODE 0x054u
#define BALLAST_REGS_MODE_RESET 0x1u

/* 1: the CTAs of a 2-D kernel go in pairs; read by the dispatcher of one kernel; read, write */
#define BALLAST_REGS_BCS 0x058u

/* which kernel comes first: 0 quotas, 1 leftover, 2 apart, 3 queue; read by the dispatcher of several; read, write */
#define BALLAST_REGS_DISPATCH 0x05Cu

/* how many CTAs of kernel n an SM may hold; read by the dispatcher of several; read, write */
#define BALLAST_REGS_QUOTA(n) (0x060u + 4u * (n))

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

/* kernel n in this cycle; read only */
#define BALLAST_REGS_KERNEL(n) (0x090u + 4u * (n))
#define BALLAST_REGS_KERNEL_IDLE 0x1u /* no CTA of it is left and none runs */
#define BALLAST_REGS_KERNEL_EXHAUSTED 0x2u /* no CTA of it is left */
#define BALLAST_REGS_KERNEL_EXHAUSTED_SHIFT 1
#define BALLAST_REGS_KERNEL_TOO_BIG 0x4u /* a CTA of the last one with this number fits no SM */
#define BALLAST_REGS_KERNEL_TOO_BIG_SHIFT 2

/* the next kernel: CTAs of its grid; read, write */
#define BALLAST_REGS_GRID 0x0A0u

/* CTAs of a row of its grid, 0: not known, or one row; read, write */
#define BALLAST_REGS_WIDTH 0x0A4u

/* 1: it is a 2-D kernel; read, write */
#define BALLAST_REGS_TWO_D 0x0A8u

/* warps of one of its CTAs; read, write */
#define BALLAST_REGS_WARPS 0x0ACu

/* register units of one CTA; read, write */
#define BALLAST_REGS_REGS 0x0B0u

/* shared memory units of one CTA; read, write */
#define BALLAST_REGS_SMEM 0x0B4u

/* how many CTAs an SM may hold at most from its start on, of all kernels together; read, write */
#define BALLAST_REGS_NMAX 0x0B8u

/* starts a kernel of this number as described by GRID to NMAX; refused while that number is not idle; read, write */
#define BALLAST_REGS_START 0x0BCu

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
#define BALLAST_REGS_PENDING_KERNEL_END 0x1E0u /* event: the last CTA of a kernel has gone; a bit for each kernel */
#define BALLAST_REGS_PENDING_KERNEL_END_SHIFT 5

/* which bits of PENDING raise the interrupt; read, write */
#define BALLAST_REGS_ENABLE 0x0C4u

/* the next kernel: a number of software's for it, by which its limit is remembered; 0: none; read, write */
#define BALLAST_REGS_KERNEL_ID 0x0C8u

/* changes of the SMs' level that have begun; read, 0 clears */
#define BALLAST_REGS_SM_CHANGES 0x100u

/* changes of the memory's level that have begun; read, 0 clears */
#define BALLAST_REGS_MEM_CHANGES 0x104u

/* changes of CTA limits: of each SM and in each cycle one; read, 0 clears */
#define BALLAST_REGS_LIMIT_CHANGES 0x108u

/* cycles in which an SM was denied a CTA, added up over the SMs; read, 0 clears */
#define BALLAST_REGS_DENIALS 0x10Cu

/* kernels started; read, 0 clears */
#define BALLAST_REGS_KERNELS 0x110u

/* CTAs launched of kernel n; read, 0 clears */
#define BALLAST_REGS_LAUNCHES(n) (0x120u + 4u * (n))

/* bit i of word n: the policy of SM 32 n + i has made its decision; read only */
#define BALLAST_REGS_DONE(n) (0x200u + 4u * (n))

/* the CTA limit of SM n in this cycle; read only */
#define BALLAST_REGS_LIMIT(n) (0x400u + 4u * (n))

#endif
