/* SPDX-License-Identifier: Apache-2.0
 *
 * cta_throttle for software: parameters, ports, registers. Widths may use the configuration
 * `cfg`.
 */
#include "blocks/cta_throttle/bind.h"

#define BLOCK_NAME cta_throttle
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 0
#define BLOCK_NEEDS(N) N(eq_counters) N(eq_decision)
#define BLOCK_PARTS(P)

/* P(RTL parameter, field of cta_throttle_cfg) */
#define BLOCK_PARAMS(P)                     \
    P(NumSlots, num_slots)                  \
    P(HystEpochs, hyst_epochs)              \
    P(HystSameDir, hyst_same_dir)           \
    P(IncUnpauseFirst, inc_unpause_first)   \
    P(GrantFeedback, grant_feedback)

/* X(name, width, names of its values) */
#define BLOCK_INPUTS(X)                              \
    X(enable, 1, PLAIN)                              \
    X(kernel_start, 1, PLAIN)                        \
    X(nmax, width_of(cfg->num_slots), PLAIN)         \
    X(tick, 1, PLAIN)                                \
    X(inc, 1, PLAIN)                                 \
    X(dec, 1, PLAIN)                                 \
    X(follow, 1, PLAIN)                              \
    X(target, width_of(cfg->num_slots), PLAIN)       \
    X(pause_en, 1, PLAIN)                            \
    X(cta_start, cfg->num_slots, PLAIN)              \
    X(cta_done, cfg->num_slots, PLAIN)               \
    X(cta_active, cfg->num_slots, PLAIN)             \
    X(denied, 1, PLAIN)

/* S(field, default): standing alone, Equalizer decides and may pause. */
#define BLOCK_SETTINGS(S)   \
    S(enable, 1)            \
    S(follow, 0)            \
    S(target, 0)            \
    S(pause_en, 1)

/* R(input, its most, when it is read) */
#define BLOCK_RANGES(R) R(nmax, cfg->num_slots, in->enable && in->kernel_start)

#define BLOCK_OUTPUTS(X)                             \
    X(limit, width_of(cfg->num_slots), PLAIN)        \
    X(paused, cfg->num_slots, PLAIN)                 \
    X(req, 1, PLAIN)                                 \
    X(acted, 1, PLAIN)

#define BLOCK_REGISTERS(X)                           \
    X(num_blocks, width_of(cfg->num_slots), PLAIN)   \
    X(nmax, width_of(cfg->num_slots), PLAIN)         \
    X(run, width_of(cfg->hyst_epochs), PLAIN)        \
    X(run_up, 1, PLAIN)                              \
    X(request, 1, PLAIN)                             \
    X(paused, cfg->num_slots, PLAIN)                 \
    X(known, 1, PLAIN)                               \
    X(judged, 1, PLAIN)                              \
    X(many, 1, PLAIN)                                \
    X(few, 1, PLAIN)                                 \
    X(fresh, cfg->num_slots, PLAIN)                  \
    X(moves, 1, PLAIN)                               \
    X(slot, width_of(cfg->num_slots + 1 / cfg->num_slots - 1), PLAIN)   \
    X(tests, 1, PLAIN)                               \
    X(up, 1, PLAIN)                                  \
    X(next, width_of(cfg->num_slots + 1 / cfg->num_slots - 1), PLAIN)

/* A(field, count, width, names): counts by part of the slots; slots by age. */
#define BLOCK_REGISTER_ARRAYS(A)                                                                                               \
    A(count, (cfg->num_slots + 10) / 11, width_of((cfg->num_slots + (cfg->num_slots + 10) / 11 - 1) / ((cfg->num_slots + 10) / 11)), \
      PLAIN)                                                                                                                   \
    A(order, cfg->num_slots, width_of(cfg->num_slots + 1 / cfg->num_slots - 1), PLAIN)

/* Output that steers a family replay. */
#define BLOCK_LIMIT limit
