/* SPDX-License-Identifier: Apache-2.0
 *
 * chip_governor: the chip. A governor per SM, a search that watches SM 0 for all of them, a table of what it found, a search
 * for levels, the vote on voltage and frequency, and the two VF domains. doc/blocks/chip_governor.md; rtl/chip/chip_governor.sv is the twin.
 */
#ifndef BALLAST_CHIP_GOVERNOR_H
#define BALLAST_CHIP_GOVERNOR_H

#include "chip/limit_table.h"
#include "chip/vf_domain.h"
#include "chip/vf_scout.h"
#include "chip/vf_vote.h"
#include "sm/scout.h"
#include "sm/sm_governor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BALLAST_MAX_SMS VF_VOTE_MAX_SMS

typedef struct chip_governor_cfg {
    uint32_t num_sms;   /* 1..BALLAST_MAX_SMS, default 15                                   */
    uint32_t lcs_scope; /* LCS-A5: 0 (default) every SM measures, 1 SM 0 measures for all   */
    sm_governor_cfg sm; /* every SM's                                                       */
    vf_vote_cfg vote;
    vf_domain_cfg sm_domain, mem_domain;
    scout_cfg scout;
    limit_table_cfg table;
    vf_scout_cfg levels;
} chip_governor_cfg;

/* Only the first num_sms elements of sm[] exist, in each of the structs: who allocates one may
 * stop there. */
typedef struct chip_governor_in {
    uint32_t t_idle, t_mem_l, t_mem_h; /* settings of all SMs, see sm_governor.h             */
    uint8_t policy;
    uint8_t static_limit;
    uint8_t mode; /* enum ballast_vf_mode */
    uint8_t kernel_id; /* of the kernel that starts on SM 0, the same for all its launches; 0: none */
    sm_governor_in sm[BALLAST_MAX_SMS]; /* their own settings, broadcast and search are not read */
} chip_governor_in;

typedef struct chip_governor_sm_out {
    uint32_t cta_paused;
    uint8_t limit;
    uint8_t pause_soft;
    uint8_t req;
    uint8_t done;
} chip_governor_sm_out;

typedef struct chip_governor_out {
    uint8_t sm_level, mem_level; /* enum ballast_vf_level                  */
    uint8_t sm_busy, mem_busy;   /* the regulator is under way             */
    uint8_t sm_stall, mem_stall; /* the domain must not be clocked         */
    chip_governor_sm_out sm[BALLAST_MAX_SMS];
} chip_governor_out;

typedef struct chip_governor_state {
    vf_vote_state vote;
    vf_domain_state sm_domain, mem_domain;
    scout_state scout;
    limit_table_state table;
    vf_scout_state levels;
    uint8_t search; /* SM 0's kernel is under the policy scout */
    sm_governor_state sm[BALLAST_MAX_SMS];
} chip_governor_state;

chip_governor_cfg chip_governor_cfg_default(void);
/* What software sets is at its default, everything else is 0. */
chip_governor_in chip_governor_in_default(void);
/* The same for who allocates the first num_sms elements of sm[] alone: only what software sets is written. */
void chip_governor_set_defaults(chip_governor_in *in);
/* After num_sms or a governor's parameter was changed. */
void chip_governor_cfg_derive(chip_governor_cfg *cfg);
void chip_governor_reset(chip_governor_state *state, const chip_governor_cfg *cfg);
/* What the two actions mean to both domains at their present levels: the vote's inputs from the domains' outputs. */
void chip_governor_meanings(vf_vote_in *votes, const vf_domain_out *sm, const vf_domain_out *mem);
/* Outputs for this cycle, then one rising edge. */
void chip_governor_step(chip_governor_state *state, const chip_governor_cfg *cfg, const chip_governor_in *in, chip_governor_out *out);

#ifdef __cplusplus
}
#endif
#endif
