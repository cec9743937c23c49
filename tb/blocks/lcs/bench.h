/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of lcs: issuing instructions for CTA slots, finishing a CTA and looking at the limit, as functions and as words of
 * scripts; Eq. 1 with a division.
 */
#ifndef BALLAST_LCS_BENCH_H
#define BALLAST_LCS_BENCH_H

#include "sm/lcs.h"

#define BENCH_BLOCK lcs
#define BENCH_KERNELS
#include "engine/bench.h"

static inline unsigned slot_bits(const lcs_cfg *cfg)
{
    const unsigned slots = cfg->num_slots;

    return slots > 16 ? 5 : slots > 8 ? 4 : slots > 4 ? 3 : slots > 2 ? 2 : 1;
}

static inline void set_lane(bench *b, unsigned lane, unsigned slot)
{
    const unsigned shift = lane * slot_bits(config(b));
    const uint64_t mask = ((UINT64_C(1) << slot_bits(config(b))) - 1) << shift;

    b->in.issue_valid |= (uint8_t)(1U << lane);
    b->in.issue_slot = (b->in.issue_slot & ~mask) | (uint64_t)slot << shift;
}

static inline void no_issue(bench *b)
{
    b->in.issue_valid = 0;
    b->in.issue_slot = 0;
}

/* `instructions` of one slot, on all lanes; the counts have them a cycle later. */
static inline void issue(bench *b, unsigned slot, unsigned instructions)
{
    while (instructions > 0) {
        no_issue(b);
        for (unsigned lane = 0; lane < config(b)->issue_width && instructions > 0; lane++, instructions--)
            set_lane(b, lane, slot);
        cycle(b);
    }
    no_issue(b);
}

/* "3,4,0": the numbers in it. */
static inline unsigned numbers(const char *text, uint32_t values[BALLAST_MAX_SLOTS])
{
    unsigned num = 0;

    for (char *next = NULL; *text && num < BALLAST_MAX_SLOTS; text = *next ? next + 1 : next)
        values[num++] = (uint32_t)strtoul(text, &next, 10);
    return num;
}

static inline void issue_counts(bench *b, unsigned slots, const uint32_t *counts)
{
    for (unsigned slot = 0; slot < slots; slot++)
        issue(b, slot, counts[slot]);
}

/* So many instructions of slot 0, of slot 1, ... */
static inline void issue_each(bench *b, const char *counts)
{
    uint32_t values[BALLAST_MAX_SLOTS];

    issue_counts(b, numbers(counts, values), values);
}

/* From now on: the slots of lane 0, lane 1, ... */
static inline void set_lanes(bench *b, const char *slots)
{
    uint32_t values[BALLAST_MAX_SLOTS];
    const unsigned num = numbers(slots, values);

    no_issue(b);
    for (unsigned lane = 0; lane < num; lane++)
        set_lane(b, lane, values[lane]);
}

/* With the cycle in which it is heard: counting is over. */
static inline void finish_ctas(bench *b, uint32_t slots)
{
    b->in.cta_done = slots;
    cycle(b);
    b->in.cta_done = 0;
    cycle(b);
}

/* A kernel whose CTAs have issued so much when the first of them finishes. */
static inline void monitor(bench *b, unsigned nmax, const uint32_t *counts)
{
    start_kernel(b, nmax);
    issue_counts(b, nmax, counts);
    finish_ctas(b, 1);
}

static inline void monitor_each(bench *b, const char *counts)
{
    uint32_t values[BALLAST_MAX_SLOTS];

    monitor(b, numbers(counts, values), values);
}

/* Cycles until T_new is told, that one included. Returns T_new. */
static inline unsigned t_new_after(bench *b, unsigned *took)
{
    unsigned n = 0;

    b->in.cta_active = UINT32_MAX >> (32 - config(b)->num_slots);
    do {
        expect(b, "t_new_valid_o=0 t_new_o=0");
        cycle(b);
        n++;
    } while (!b->out.t_new_valid && n < 200);
    assert_true(b->out.t_new_valid);
    expect(b, "limit_o=%u limit_q=%u done_o=1", b->out.t_new, b->out.t_new);
    if (took)
        *took = n;
    return b->out.t_new;
}

static inline void expect_t_new(bench *b, unsigned expected)
{
    assert_int_equal(t_new_after(b, NULL), expected);
}

/* What the slot has issued, with what is still under way. */
static inline unsigned counted(const bench *b, unsigned slot)
{
    return state(b)->inst[slot] + state(b)->step[slot];
}

static inline void expect_no_counts(bench *b, const char *nothing)
{
    (void)nothing;
    for (unsigned slot = 0; slot < BALLAST_MAX_SLOTS; slot++)
        assert_int_equal(counted(b, slot), 0);
}

static const bench_word words[] = {
    {"lanes", NULL, set_lanes},      /* what they issue from now on           */
    {"counts", NULL, issue_each},    /* instructions of each slot             */
    {"monitor", NULL, monitor_each}, /* the same of a kernel, to its first CTA's end */
    {"finish", finish_ctas, NULL},
    {"t_new", expect_t_new, NULL},   /* the cycles until it is told           */
    {"no_counts", NULL, expect_no_counts},
    {NULL, NULL, NULL},
};

/* A whole kernel of nmax CTAs that issue `counts`, until T_new is known. */
static inline unsigned t_new_of(bench *b, unsigned nmax, const uint32_t *counts)
{
    monitor(b, nmax, counts);
    return t_new_after(b, NULL);
}

/* A kernel that has issued nothing but `count` instructions of one slot. */
static inline void load_count(bench *b, unsigned nmax, unsigned slot, uint32_t count)
{
    lcs_state s = {.state = LCS_ST_MONITOR, .nmax = (uint8_t)nmax, .limit = (uint8_t)nmax};

    s.inst[slot] = count;
    load(b, &s);
}

/* T_new without issuing: the counts are put into the registers. */
static inline unsigned t_new_of_loaded(bench *b, unsigned nmax, const uint32_t *counts)
{
    lcs_state s = {.state = LCS_ST_MONITOR, .nmax = (uint8_t)nmax, .limit = (uint8_t)nmax};

    memcpy(s.inst, counts, nmax * sizeof *counts);
    load(b, &s);
    finish_ctas(b, 1);
    return t_new_after(b, NULL);
}

static inline void sum_and_max(unsigned nmax, const uint32_t *counts, uint64_t *sum, uint64_t *max)
{
    *sum = *max = 0;
    for (unsigned i = 0; i < nmax; i++) {
        *sum += counts[i];
        *max = counts[i] > *max ? counts[i] : *max;
    }
}

/* Eq. 1 with a division. */
static inline unsigned eq1(const bench *b, unsigned nmax, const uint32_t *counts)
{
    uint64_t sum, max;

    sum_and_max(nmax, counts, &sum, &max);
    if (max == 0)
        return nmax;
    switch (config(b)->round_mode) {
    case LCS_ROUND_FLOOR: return (unsigned)(sum / max);
    case LCS_ROUND_CEIL: return (unsigned)((sum + max - 1) / max);
    default: return (unsigned)((2 * sum + max) / (2 * max));
    }
}

#endif
