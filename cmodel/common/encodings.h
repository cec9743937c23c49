/* SPDX-License-Identifier: Apache-2.0
 *
 * The words that the blocks share: states of a warp, classes of a cycle, policies, levels of voltage and frequency.
 * rtl/common/ballast_pkg.sv has the same for the RTL.
 */
#ifndef BALLAST_ENCODINGS_H
#define BALLAST_ENCODINGS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Largest geometry that the C side can carry; a build's geometry is smaller or equal. */
#define BALLAST_MAX_WARPS 64
#define BALLAST_MAX_SLOTS 32
#define BALLAST_STATE_PLANES 4

/* State of one warp slot in one cycle. Codes 11..15 are reserved; every block treats a reserved code as BALLAST_WARP_EMPTY. */
enum ballast_warp_state {
    BALLAST_WARP_EMPTY = 0,       /* no warp in the slot, or it has exited               */
    BALLAST_WARP_BARRIER = 1,     /* waits at a barrier, memory fence or atomic          */
    BALLAST_WARP_NO_INST = 2,     /* no valid instruction (empty buffer, control hazard) */
    BALLAST_WARP_WAIT_ALU = 3,    /* scoreboard: waits for a short-latency producer      */
    BALLAST_WARP_WAIT_MEM = 4,    /* scoreboard: waits for a memory producer             */
    BALLAST_WARP_ALU_LOST = 5,    /* ready for an ALU/SFU, pipe free, lost arbitration   */
    BALLAST_WARP_ALU_BLOCKED = 6, /* ready for an ALU/SFU, pipe full                     */
    BALLAST_WARP_MEM_LOST = 7,    /* ready for the LSU, pipe free, lost arbitration      */
    BALLAST_WARP_MEM_BLOCKED = 8, /* ready for the LSU, LSU back-pressures               */
    BALLAST_WARP_ISSUED_ALU = 9,  /* issued a non-memory instruction in this cycle       */
    BALLAST_WARP_ISSUED_MEM = 10, /* issued a memory instruction in this cycle           */
    BALLAST_WARP_STATES = 11
};

/* Classes of one SM cycle, as Perf-Sat (PS-2) and as LCS (section 3) count them. */
enum ballast_ps_class { BALLAST_PS_IDLE = 0, BALLAST_PS_SCOREBOARD = 1, BALLAST_PS_PIPELINE = 2, BALLAST_PS_ACTIVE = 3 };
enum ballast_lcs_class { BALLAST_LCS_IDLE = 0, BALLAST_LCS_MEM_STALL = 1, BALLAST_LCS_CORE_STALL = 2, BALLAST_LCS_ACTIVE = 3 };

/* Who sets the CTA limit. */
enum ballast_policy {
    BALLAST_POLICY_STATIC = 0,
    BALLAST_POLICY_PERFSAT = 1,
    BALLAST_POLICY_LCS = 2,
    BALLAST_POLICY_EQUALIZER = 3,
    BALLAST_POLICY_DYNCTA = 4,
    BALLAST_POLICY_SCOUT = 5, /* the limit comes from outside: from the chip's scout */
    BALLAST_POLICIES = 6 /* higher codes are taken as BALLAST_POLICY_STATIC */
};

enum ballast_vf_level { BALLAST_VF_LOW = 0, BALLAST_VF_NORMAL = 1, BALLAST_VF_HIGH = 2 }; /* 0.85, 1.00, 1.15 (EQ-13) */
enum ballast_vf_mode { BALLAST_VF_ENERGY = 0, BALLAST_VF_PERFORMANCE = 1 };

#ifdef __cplusplus
}
#endif
#endif
