/* SPDX-License-Identifier: Apache-2.0
 *
 * eq_counters for software: parameters, ports, registers.
 */
#include "blocks/eq_counters/bind.h"

#define BLOCK_NAME eq_counters
#define BLOCK_CLOCKED 1
#define BLOCK_PER_CHIP 0
#define BLOCK_NEEDS(N)

#define BLOCK_PARAMS(P)                     \
    P(NumWarps, num_warps)                  \
    P(Epoch, epoch)                         \
    P(SampleInterval, sample_interval)      \
    P(SamplePhase, sample_phase)            \
    P(SampleCycles, sample_cycles)          \
    P(XaluExclIssued, xalu_excl_issued)     \
    P(XmemInclSlot, xmem_incl_slot)

/* Width of a sum. */
#define EQ_COUNTERS_SUM_W width_of(cfg->num_warps * (cfg->epoch / cfg->sample_interval))

/* Warps that have their turn in the same cycle. */
#define EQ_COUNTERS_GROUP ((cfg->num_warps + cfg->sample_cycles - 1) / cfg->sample_cycles)

#define BLOCK_INPUTS(X)                   \
    X(enable, 1, PLAIN)                   \
    X(kernel_start, 1, PLAIN)             \
    X(ws0, cfg->num_warps, PLAIN)         \
    X(ws1, cfg->num_warps, PLAIN)         \
    X(ws2, cfg->num_warps, PLAIN)         \
    X(ws3, cfg->num_warps, PLAIN)         \
    X(paused, cfg->num_warps, PLAIN)

#define BLOCK_SETTINGS(S) \
    S(enable, 1)

#define BLOCK_OUTPUTS(X)                  \
    X(epoch_end, 1, PLAIN)                \
    X(active, EQ_COUNTERS_SUM_W, PLAIN)   \
    X(waiting, EQ_COUNTERS_SUM_W, PLAIN)  \
    X(xalu, EQ_COUNTERS_SUM_W, PLAIN)     \
    X(xmem, EQ_COUNTERS_SUM_W, PLAIN)

#define BLOCK_REGISTERS(X)                     \
    X(cycle, width_of(cfg->epoch - 1), PLAIN)  \
    X(active, EQ_COUNTERS_SUM_W, PLAIN)        \
    X(waiting, EQ_COUNTERS_SUM_W, PLAIN)       \
    X(xalu, EQ_COUNTERS_SUM_W, PLAIN)          \
    X(xmem, EQ_COUNTERS_SUM_W, PLAIN)          \
    X(active_turn, EQ_COUNTERS_GROUP, PLAIN)   \
    X(waiting_turn, EQ_COUNTERS_GROUP, PLAIN)  \
    X(xalu_turn, EQ_COUNTERS_GROUP, PLAIN)     \
    X(xmem_turn, EQ_COUNTERS_GROUP, PLAIN)
