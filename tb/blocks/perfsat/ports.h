/* SPDX-License-Identifier: Apache-2.0
 *
 * perfsat for software: parameters, ports, registers. The shim, the comparison, the
 * mismatch report, the waveform and the decision log are made from this list.
 * Widths may use the configuration `cfg`.
 */
#include "blocks/perfsat/bind.h"

#define BLOCK_NAME perfsat
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 0
#define BLOCK_NEEDS(N) N(stall_classifier)

/* P(RTL parameter, field of perfsat_cfg) */
#define BLOCK_PARAMS(P)            \
    P(NumSlots, num_slots)         \
    P(CountW, count_w)             \
    P(Tie, tie)                    \
    P(WdConfirm, wd_confirm)       \
    P(RecoverN, recover_n)         \
    P(WeakRevert, weak_revert)     \
    P(ToggleHist, toggle_hist)     \
    P(TogglePairs, toggle_pairs)   \
    P(ToggleLimit, toggle_limit)   \
    P(Settle, settle)

/* X(name, width, names of its values) */
/* S(field, default): inputs that software sets. */
#define BLOCK_SETTINGS(S) S(enable, 1)

#define BLOCK_INPUTS(X)                              \
    X(enable, 1, PLAIN)                              \
    X(kernel_start, 1, PLAIN)                        \
    X(nmax, width_of(cfg->num_slots), PLAIN)         \
    X(ps_class, 2, NAMES(ballast_ps_class_names))    \
    X(cta_start, cfg->num_slots, PLAIN)              \
    X(cta_done, cfg->num_slots, PLAIN)               \
    X(cta_active, cfg->num_slots, PLAIN)

/* R(input, its most, when it is read) */
#define BLOCK_RANGES(R) R(nmax, cfg->num_slots, in->enable && in->kernel_start)

#define BLOCK_OUTPUTS(X)                             \
    X(limit, width_of(cfg->num_slots), PLAIN)        \
    X(done, 1, PLAIN)                                \
    X(sample_end, 1, PLAIN)

#define BLOCK_REGISTERS(X)                           \
    X(state, 3, NAMES(perfsat_state_names))          \
    X(limit, width_of(cfg->num_slots), PLAIN)        \
    X(nmax, width_of(cfg->num_slots), PLAIN)         \
    X(history, 1, PLAIN)                             \
    X(direction, 1, PLAIN)                           \
    X(toggles, width_of(cfg->toggle_limit), PLAIN)   \
    X(period, cfg->count_w, PLAIN)                   \
    X(timer, cfg->count_w, PLAIN)                    \
    X(stalled, cfg->count_w, PLAIN)                  \
    X(prev, cfg->count_w, PLAIN)                     \
    X(settled, 1, PLAIN)

/* Outputs that steer a family replay. */
#define BLOCK_LIMIT limit
#define BLOCK_DONE done
