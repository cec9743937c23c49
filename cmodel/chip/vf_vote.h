/* SPDX-License-Identifier: Apache-2.0
 *
 * vf_vote: counts at the end of an epoch which SMs are compute- and which are memory-bound, and
 * gives each VF domain the majority's request (Equalizer, EQ-12, EQ-16). One instance per chip.
 *
 * doc/blocks/vf_vote.md has the rules and the readings of "majority"; rtl/chip/vf_vote.sv is the twin.
 */
#ifndef BALLAST_VF_VOTE_H
#define BALLAST_VF_VOTE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VF_VOTE_MAX_SMS 256
#define VF_VOTE_WORDS (VF_VOTE_MAX_SMS / 64)
#define VF_VOTE_GROUP 15 /* SMs of a group; the last group may have fewer */
#define VF_VOTE_MAX_GROUPS ((VF_VOTE_MAX_SMS + VF_VOTE_GROUP - 1) / VF_VOTE_GROUP)

/* What a request must have more of than (EQ-A17). */
enum {
    BALLAST_VF_MAJORITY_ALL = 0,      /* half of all SMs                               */
    BALLAST_VF_MAJORITY_VOTERS = 1,   /* half of those that ask for a change of the domain */
    BALLAST_VF_MAJORITY_PLURALITY = 2 /* those with either of the two other requests   */
};

typedef struct vf_vote_cfg {
    uint32_t num_sms;  /* 1..256, default 15                        */
    uint32_t majority; /* BALLAST_VF_MAJORITY_*, default BALLAST_VF_MAJORITY_ALL */
} vf_vote_cfg;

typedef struct vf_vote_in {
    /* Bit i % 64 of word i / 64 is SM i's; bits from num_sms on are ignored. */
    uint64_t comp[VF_VOTE_WORDS]; /* SMs with CompAction        */
    uint64_t mem[VF_VOTE_WORDS];  /* SMs with MemAction         */
    uint8_t tick;                 /* an epoch has ended: comp and mem hold                  */
    uint8_t sm_comp_up;           /* what an action asks of a domain now (vf_domain):       */
    uint8_t sm_comp_down;         /* <domain>_<action>_<direction>                          */
    uint8_t sm_mem_up;
    uint8_t sm_mem_down;
    uint8_t mem_comp_up;
    uint8_t mem_comp_down;
    uint8_t mem_mem_up;
    uint8_t mem_mem_down;
} vf_vote_in;

typedef struct vf_vote_out {
    uint8_t valid;    /* the result of an epoch                                       */
    uint8_t sm_up;    /* the majority's request; all are 0 unless valid               */
    uint8_t sm_down;
    uint8_t mem_up;
    uint8_t mem_down;
} vf_vote_out;

typedef struct vf_vote_state {
    uint8_t comp_of[VF_VOTE_MAX_GROUPS]; /* by group: SMs with CompAction; 0 unless counted; vf_vote_groups() of them */
    uint8_t mem_of[VF_VOTE_MAX_GROUPS];  /* by group: SMs with MemAction                   */
    uint8_t counted;                     /* an epoch ended in the cycle before             */
    uint16_t comp_count; /* SMs with CompAction in the last epoch that was added up */
    uint16_t mem_count;  /* SMs with MemAction                                      */
    uint8_t valid;       /* it ended two cycles before                              */
} vf_vote_state;

/* How many groups the chip's SMs are counted by. */
static inline unsigned vf_vote_groups(const vf_vote_cfg *cfg)
{
    return (cfg->num_sms + VF_VOTE_GROUP - 1) / VF_VOTE_GROUP;
}

vf_vote_cfg vf_vote_cfg_default(void);
void vf_vote_reset(vf_vote_state *state, const vf_vote_cfg *cfg);
/* Outputs for this cycle, then one rising edge. */
void vf_vote_step(vf_vote_state *state, const vf_vote_cfg *cfg, const vf_vote_in *in,
                  vf_vote_out *out);

#ifdef __cplusplus
}
#endif
#endif
