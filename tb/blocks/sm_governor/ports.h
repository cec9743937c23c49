/* SPDX-License-Identifier: Apache-2.0
 *
 * sm_governor for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/sm_governor/bind.h"
#include "blocks/sm_governor/params.h"

#define BLOCK_NAME sm_governor
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 0
#define BLOCK_NEEDS(N)

#define BLOCK_PARAMS(P) SM_GOVERNOR_PARAMS(P, )
#define BLOCK_DERIVE(cfg) sm_governor_cfg_derive(cfg)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)                                                         \
    X(policy, 3, NAMES(policy_names))                                           \
    X(static_limit, width_of(cfg->num_slots), PLAIN)                            \
    X(t_idle, width_of(cfg->dyncta.period), PLAIN)                              \
    X(t_mem_l, width_of(cfg->dyncta.period), PLAIN)                             \
    X(t_mem_h, width_of(cfg->dyncta.period), PLAIN)                             \
    X(scout_limit, width_of(cfg->num_slots), PLAIN)                             \
    X(scout_done, 1, PLAIN)                                                     \
    X(lcs_listen, 1, PLAIN)                                                     \
    X(lcs_bcast_valid, 1, PLAIN)                                                \
    X(lcs_bcast_limit, width_of(cfg->num_slots), PLAIN)                         \
    X(kernel_start, 1, PLAIN)                                                   \
    X(nmax, width_of(cfg->num_slots), PLAIN)                                    \
    X(wcta, width_of(cfg->num_warps), PLAIN)                                    \
    X(ws0, cfg->num_warps, PLAIN)                                               \
    X(ws1, cfg->num_warps, PLAIN)                                               \
    X(ws2, cfg->num_warps, PLAIN)                                               \
    X(ws3, cfg->num_warps, PLAIN)                                               \
    X(paused, cfg->num_warps, PLAIN)                                            \
    X(issue_valid, cfg->issue_width, PLAIN)                                     \
    X(issue_slot, cfg->issue_width * width_of(cfg->num_slots - 1), PLAIN)       \
    X(cta_start, cfg->num_slots, PLAIN)                                         \
    X(cta_done, cfg->num_slots, PLAIN)                                          \
    X(cta_active, cfg->num_slots, PLAIN)                                        \
    X(cta_denied, 1, PLAIN)

/* S(field, default) */
#define BLOCK_SETTINGS(S)          \
    S(policy, BALLAST_POLICY_EQUALIZER) \
    S(static_limit, 0)             \
    S(t_idle, DYNCTA_T_IDLE)       \
    S(t_mem_l, DYNCTA_T_MEM_L)     \
    S(t_mem_h, DYNCTA_T_MEM_H)     \
    S(scout_limit, 0)              \
    S(scout_done, 0)               \
    S(lcs_listen, 0)               \
    S(lcs_bcast_valid, 0)          \
    S(lcs_bcast_limit, 0)

/* R(input, its most, when it is read) */
#define BLOCK_RANGES(R) R(nmax, cfg->num_slots, in->kernel_start)

#define BLOCK_OUTPUTS(X)                             \
    X(limit, width_of(cfg->num_slots), PLAIN)        \
    X(cta_paused, cfg->num_slots, PLAIN)             \
    X(pause_soft, 1, PLAIN)                          \
    X(req, 1, PLAIN)                                 \
    X(done, 1, PLAIN)                                \
    X(epoch, 1, PLAIN)                               \
    X(comp, 1, PLAIN)                                \
    X(mem, 1, PLAIN)                                 \
    X(t_new_valid, 1, PLAIN)                         \
    X(t_new, width_of(cfg->num_slots), PLAIN)

#define BLOCK_REGISTERS(X)            \
    X(policy, 3, NAMES(policy_names)) \
    X(fixed, width_of(cfg->num_slots), PLAIN)

/* P(field of the state and of cfg, block): instance u_<field>. */
#define BLOCK_PARTS(P)              \
    P(classifier, stall_classifier) \
    P(perfsat, perfsat)             \
    P(lcs, lcs)                     \
    P(counters, eq_counters)        \
    P(throttle, cta_throttle)       \
    P(dyncta, dyncta)

/* Outputs that steer a family replay. */
#define BLOCK_LIMIT limit
#define BLOCK_DONE done
