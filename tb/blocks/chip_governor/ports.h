/* SPDX-License-Identifier: Apache-2.0
 *
 * chip_governor, the chip, for software: parameters, ports, registers. Widths may use the configuration
 * `cfg`.
 */
#include "blocks/chip_governor/bind.h"
#include "blocks/chip_governor/params.h"
#include "blocks/sm_governor/params.h"

#define BLOCK_NAME chip_governor
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 1
#define BLOCK_NEEDS(N)

/* P(RTL parameter, field of chip_governor_cfg) */
#define BLOCK_PARAMS(P)                        \
    P(NumSms, num_sms)                        \
    P(LcsScope, lcs_scope)                    \
    SM_GOVERNOR_PARAMS(P, sm.)                \
    CHIP_GOVERNOR_SEARCH(P, )                 \
    P(Majority, vote.majority)                \
    P(Maintain, sm_domain.maintain)           \
    P(Table1Literal, sm_domain.table1_literal) \
    P(Transition, sm_domain.transition)       \
    P(VrmStall, sm_domain.vrm_stall)
#define BLOCK_DERIVE(cfg) chip_governor_cfg_derive(cfg)

#define BLOCK_LANES(cfg) ((cfg)->num_sms)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)                                     \
    X(policy, 3, NAMES(policy_names))                       \
    X(static_limit, width_of(cfg->sm.num_slots), PLAIN)     \
    X(t_idle, width_of(cfg->sm.dyncta.period), PLAIN)       \
    X(t_mem_l, width_of(cfg->sm.dyncta.period), PLAIN)      \
    X(t_mem_h, width_of(cfg->sm.dyncta.period), PLAIN)      \
    X(mode, 1, NAMES(vf_mode_names))                        \
    X(kernel_id, 8, PLAIN)

/* S(field, default) */
#define BLOCK_SETTINGS(S)          \
    S(policy, BALLAST_POLICY_EQUALIZER) \
    S(static_limit, 0)             \
    S(t_idle, DYNCTA_T_IDLE)       \
    S(t_mem_l, DYNCTA_T_MEM_L)     \
    S(t_mem_h, DYNCTA_T_MEM_H)     \
    S(mode, BALLAST_VF_PERFORMANCE) \
    S(kernel_id, 0)

/* L(name, width, names of its values): one per SM. */
#define BLOCK_LANE_INPUTS(L)                                                      \
    L(kernel_start, 1, PLAIN)                                                     \
    L(nmax, width_of(cfg->sm.num_slots), PLAIN)                                   \
    L(wcta, width_of(cfg->sm.num_warps), PLAIN)                                   \
    L(ws0, cfg->sm.num_warps, PLAIN)                                              \
    L(ws1, cfg->sm.num_warps, PLAIN)                                              \
    L(ws2, cfg->sm.num_warps, PLAIN)                                              \
    L(ws3, cfg->sm.num_warps, PLAIN)                                              \
    L(paused, cfg->sm.num_warps, PLAIN)                                           \
    L(issue_valid, cfg->sm.issue_width, PLAIN)                                    \
    L(issue_slot, cfg->sm.issue_width * width_of(cfg->sm.num_slots - 1), PLAIN)   \
    L(cta_start, cfg->sm.num_slots, PLAIN)                                        \
    L(cta_done, cfg->sm.num_slots, PLAIN)                                         \
    L(cta_active, cfg->sm.num_slots, PLAIN)                                       \
    L(cta_denied, 1, PLAIN)

/* R(input, its most, when it is read), of one SM */
#define BLOCK_LANE_IN sm_governor_in
#define BLOCK_LANE_RANGES(R) R(nmax, cfg->sm.num_slots, in->kernel_start)

#define BLOCK_OUTPUTS(X)                           \
    X(sm_level, 2, NAMES(vf_level_names))          \
    X(mem_level, 2, NAMES(vf_level_names))         \
    X(sm_busy, 1, PLAIN)                           \
    X(mem_busy, 1, PLAIN)                          \
    X(sm_stall, 1, PLAIN)                          \
    X(mem_stall, 1, PLAIN)

#define BLOCK_LANE_OUTPUTS(L)                      \
    L(limit, width_of(cfg->sm.num_slots), PLAIN)   \
    L(cta_paused, cfg->sm.num_slots, PLAIN)        \
    L(pause_soft, 1, PLAIN)                        \
    L(req, 1, PLAIN)                               \
    L(done, 1, PLAIN)

#define BLOCK_REGISTERS(X) X(search, 1, PLAIN)

/* P(field of the state and of cfg, block): instance u_<field>; P(field, block, count): instances
 * gen_<field>[i].u_<field>. */
#define BLOCK_PARTS(P)          \
    P(vote, vf_vote)            \
    P(sm_domain, vf_domain)     \
    P(mem_domain, vf_domain)    \
    P(scout, scout)             \
    P(table, limit_table)       \
    P(levels, vf_scout)
#define BLOCK_PART_ARRAYS(P) P(sm, sm_governor, cfg->num_sms)

/* Outputs that steer a family replay: SM 0's, and how far it is to the next SM's. */
#define BLOCK_LIMIT sm[0].limit
#define BLOCK_LIMIT_STRIDE sizeof(chip_governor_sm_out)
#define BLOCK_DONE sm[0].done
