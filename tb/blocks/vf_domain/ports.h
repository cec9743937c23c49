/* SPDX-License-Identifier: Apache-2.0
 *
 * vf_domain for software: parameters, ports, registers. Widths may use the configuration `cfg`.
 */
#include "blocks/vf_domain/bind.h"

#define BLOCK_NAME vf_domain
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 1
#define BLOCK_NEEDS(N)

/* P(RTL parameter, field of vf_domain_cfg) */
#define BLOCK_PARAMS(P)                \
    P(Domain, domain)                  \
    P(Maintain, maintain)              \
    P(Table1Literal, table1_literal)   \
    P(Transition, transition)          \
    P(VrmStall, vrm_stall)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)                    \
    X(mode, 1, NAMES(vf_mode_names))       \
    X(valid, 1, PLAIN)                     \
    X(up, 1, PLAIN)                        \
    X(down, 1, PLAIN)

/* S(field, default): standing alone, nobody votes. */
#define BLOCK_SETTINGS(S)    \
    S(mode, BALLAST_VF_ENERGY) \
    S(valid, 0)              \
    S(up, 0)                 \
    S(down, 0)

#define BLOCK_OUTPUTS(X)                   \
    X(level, 2, NAMES(vf_level_names))     \
    X(busy, 1, PLAIN)                      \
    X(stall, 1, PLAIN)                     \
    X(comp_up, 1, PLAIN)                   \
    X(comp_down, 1, PLAIN)                 \
    X(mem_up, 1, PLAIN)                    \
    X(mem_down, 1, PLAIN)

#define BLOCK_REGISTERS(X)                       \
    X(level, 2, NAMES(vf_level_names))           \
    X(next, 2, NAMES(vf_level_names))            \
    X(timer, width_of(cfg->transition), PLAIN)
