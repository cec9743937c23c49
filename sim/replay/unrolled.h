/* SPDX-License-Identifier: Apache-2.0
 *
 * One launch on one SM of a recording, decoded once and kept, for whoever plays it many times with reference models alone: the bus of any
 * cycle, and what a span of cycles adds up to, without a look at each of them.
 *
 * It takes 40 bytes for each cycle whose warps differ from those of the cycle before, and 2 for each cycle.
 */
#ifndef BALLAST_UNROLLED_H
#define BALLAST_UNROLLED_H

#include "recording/trace.h"
#include "sm/stall_classifier.h"

typedef struct unrolled_warps {
    uint64_t ws[BALLAST_STATE_PLANES], paused;
} unrolled_warps;

/* A cycle with a pulse, or with other CTAs or another setup than the cycle before; the first one, too. */
typedef struct unrolled_event {
    uint64_t cycle;
    uint64_t ctas; /* that have finished in the launch by its end */
    size_t setup;  /* in unrolled.setups */
    uint32_t active, start, done;
    uint8_t kernel_start;
} unrolled_event;

/* What a span of cycles adds up to. */
typedef struct unrolled_sums {
    uint64_t stalled;   /* cycles of class SCOREBOARD or PIPELINE (Perf-Sat)     */
    uint64_t idle, mem; /* cycles of class IDLE, of class MEM_STALL (LCS)        */
    uint64_t lanes;     /* instructions issued, as far as the SM has issue lanes */
} unrolled_sums;

enum { UNROLLED_BLOCK = 64, UNROLLED_LANES = 4 /* bits of a number of lanes */ };

/* So many cycles, a bit each. */
typedef struct unrolled_block {
    uint64_t changed;               /* the warps are not those of the cycle before */
    uint64_t ps[2], mem, lcs[2];    /* stall_classifier's ps_class, ps_mem, lcs_class: a word for each of their bits */
    uint64_t lanes[UNROLLED_LANES]; /* issued in this cycle, the same way          */
    size_t warps;                   /* how many warps are in unrolled.warps before the block */
    uint64_t issued;                /* instructions of the launch before the block */
    unrolled_sums before;           /* of the launch until there                   */
} unrolled_block;

typedef struct unrolled_list {
    void *at;
    size_t num, room;
} unrolled_list;

typedef struct unrolled {
    uint64_t cycles, instructions; /* of the launch on this SM                 */
    uint64_t first_cycle;          /* the recorder's number of the first cycle */
    unrolled_list blocks, warps, events, setups; /* blocks and events have one behind the last cycle */
} unrolled;

typedef struct unrolled_options {
    unsigned sm, launch;
    stall_classifier_cfg classifier;
    unsigned issue_width;
} unrolled_options;

/* NULL with one line in err. The reader stands elsewhere afterwards. */
unrolled *unrolled_open(trace_reader *r, const unrolled_options *options, trace_err *err);
void unrolled_close(unrolled *u);

static inline const unrolled_block *unrolled_blocks(const unrolled *u)
{
    return u->blocks.at;
}

static inline const unrolled_event *unrolled_events(const unrolled *u)
{
    return u->events.at;
}

/* Cycles count from 0. The last event that does not come after the cycle. */
size_t unrolled_event_of(const unrolled *u, uint64_t cycle);
/* The bus in this cycle, whose last event that is. */
void unrolled_bus(const unrolled *u, uint64_t cycle, size_t event, sm_obs *obs);
/* For how many cycles from this one on the warps stay as they are, `most` at most. */
uint64_t unrolled_same(const unrolled *u, uint64_t cycle, uint64_t most);
unsigned unrolled_lanes(const unrolled *u, uint64_t cycle);
/* Of the cycles before this one. */
void unrolled_sum(const unrolled *u, uint64_t cycle, unrolled_sums *sums);
/* Instructions of the launch by the end of this cycle. */
uint64_t unrolled_issued(const unrolled *u, uint64_t cycle);
/* The first cycle by whose end so many instructions are issued, so many CTAs have finished; if there is none, the last one. */
uint64_t unrolled_find_issued(const unrolled *u, uint64_t instructions);
uint64_t unrolled_find_ctas(const unrolled *u, uint64_t ctas);

#endif
