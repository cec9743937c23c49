/* SPDX-License-Identifier: Apache-2.0
 *
 * vf_scout for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/vf_scout/bind.h"

#define BLOCK_NAME vf_scout
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 1
#define BLOCK_NEEDS(N)

/* P(RTL parameter, field of vf_scout_cfg) */
#define BLOCK_PARAMS(P)            \
    P(IssueWidth, issue_width)     \
    P(Window, window)              \
    P(Settle, settle)              \
    P(Warmup, warmup)              \
    P(SmUp, sm_up)                 \
    P(MemUp, mem_up)               \
    P(SmDown, sm_down)             \
    P(MemDown, mem_down)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)                            \
    X(enable, 1, PLAIN)                            \
    X(kernel_start, 1, PLAIN)                      \
    X(issue_valid, cfg->issue_width, PLAIN)        \
    X(cta_done, 1, PLAIN)                          \
    X(look, 1, PLAIN)                              \
    X(ready, 1, PLAIN)                             \
    X(mode, 1, NAMES(vf_scout_mode_names))         \
    X(sm_level, 2, NAMES(vf_scout_level_names))    \
    X(mem_level, 2, NAMES(vf_scout_level_names))   \
    X(sm_busy, 1, PLAIN)                           \
    X(mem_busy, 1, PLAIN)

/* S(input, its value when nobody sets it): standing alone, no domain moves. */
#define BLOCK_SETTINGS(S)               \
    S(enable, 1)                        \
    S(look, 0)                          \
    S(ready, 0)                         \
    S(mode, BALLAST_VF_PERFORMANCE)     \
    S(sm_level, BALLAST_VF_NORMAL)      \
    S(mem_level, BALLAST_VF_NORMAL)     \
    S(sm_busy, 0)                       \
    S(mem_busy, 0)

#define BLOCK_OUTPUTS(X)     \
    X(sm_up, 1, PLAIN)       \
    X(sm_down, 1, PLAIN)     \
    X(mem_up, 1, PLAIN)      \
    X(mem_down, 1, PLAIN)    \
    X(hold, 1, PLAIN)

#define BLOCK_REGISTERS(X)                                                                  \
    X(state, 3, NAMES(vf_scout_state_names))                                                \
    X(step, 2, NAMES(vf_scout_step_names))                                                  \
    X(mode, 1, NAMES(vf_scout_mode_names))                                                  \
    X(domain, 1, NAMES(vf_scout_domain_names))                                              \
    X(stage, 1, PLAIN)                                                                      \
    X(sm_moved, 1, PLAIN)                                                                   \
    X(mem_moved, 1, PLAIN)                                                                  \
    X(better, 1, PLAIN)                                                                     \
    X(first, 1, PLAIN)                                                                      \
    X(ready, 1, PLAIN)                                                                      \
    X(known, 1, PLAIN)                                                                      \
    X(odd, 1, PLAIN)                                                                        \
    X(timer, 16, PLAIN)                                                                     \
    X(acc, width_of(cfg->window * 4 - 1) + width_of(cfg->issue_width - 1) + 1, PLAIN)       \
    X(base, width_of(cfg->window * 4 - 1) + width_of(cfg->issue_width - 1) + 1, PLAIN)
