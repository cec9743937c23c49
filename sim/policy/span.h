/* SPDX-License-Identifier: Apache-2.0
 *
 * Spans of cycles in which a reference model does nothing but count. In a cycle without a kernel's start and without a CTA's start or end, most
 * steps of a policy's model count the cycle, or its class, or what it issues. For so many cycles as that is all, the registers after the
 * last one follow from sums over them; the model itself takes the cycle in which a counter is full, and all others.
 *
 * This is no second model: it knows which registers count what, and up to where. sim/policy/test_span.c holds it against the model's steps.
 */
#ifndef BALLAST_SPAN_H
#define BALLAST_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "bus/sm_obs.h"
#include "sm/eq_counters.h"
#include "sm/stall_classifier.h"

enum { SPAN_FOR_EVER = 1 << 30 };

/* What a model counts. */
enum { SPAN_STALLED = 1, SPAN_CLASSES = 2, SPAN_LANES = 4, SPAN_SLOTS = 8, SPAN_WARPS = 16 };

/* What the cycles of a span add up to, as far as it is wanted. `last`: of the last cycle. */
typedef struct span_sums {
    uint32_t cycles;
    uint32_t stalled;           /* SPAN_STALLED: cycles of class SCOREBOARD or PIPELINE (Perf-Sat)   */
    uint32_t idle, mem;         /* SPAN_CLASSES: cycles of class IDLE, of class MEM_STALL (LCS)       */
    uint32_t lanes, last_lanes; /* SPAN_LANES: issue lanes in use                                    */
    uint32_t slots[BALLAST_MAX_SLOTS]; /* SPAN_SLOTS: instructions that LCS counts, by CTA slot      */
    uint32_t last_slots[BALLAST_MAX_SLOTS]; /* and those of the last cycle                           */
    stall_classifier_state last; /* the classifier's registers after its last two cycles, or after its only one */
} span_sums;

/* Of a block's model; state, cfg and in are its structs. */
typedef struct span_model {
    const char *block;
    /* For how many cycles with these inputs, but without pulses, the model does nothing but count, if the registers that do not count
     * are at rest. 0: none. */
    uint32_t (*length)(const void *state, const void *cfg, const void *in);
    /* SPAN_SLOTS: a bus that stays for so many cycles of a span, after the cycles that were told before. */
    void (*slots)(const void *cfg, const sm_obs *obs, uint32_t cycles, span_sums *sums);
    /* SPAN_WARPS: for how many of the next cycles it looks at no bus. 0: at that of the next one. */
    uint32_t (*blind)(const void *state, const void *cfg);
    /* SPAN_WARPS: one cycle of the span with this bus, or so many without. All cycles of a span are told, before `pass`. */
    void (*look)(void *state, const void *cfg, const sm_obs *obs, uint32_t cycles);
    /* Which sums it wants of such a span. */
    unsigned (*wants)(const void *state, const void *in);
    /* The registers after so many cycles, at most `length`. */
    void (*pass)(void *state, const void *cfg, const void *in, const span_sums *sums);
    /* Whether these two differ in counters alone. */
    bool (*rests)(const void *before, const void *after);
} span_model;

/* NULL: there is none of this block. */
const span_model *span_find(const char *block);
/* How many cycles come before the one in which Equalizer's counters, if they are enabled, say that an epoch has ended. */
uint32_t span_of_epoch(const eq_counters_state *s, const eq_counters_cfg *cfg);

#endif
