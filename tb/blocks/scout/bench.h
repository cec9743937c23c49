/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of scout: a kernel that is made up, with so many instructions in a slice at each limit. It follows limit_o, as an SM does. A test
 * with more of its own in each cycle defines SCOUT_BENCH_MORE, members of the bench, and SCOUT_AFTER_CYCLE(b).
 */
#ifndef BALLAST_SCOUT_BENCH_H
#define BALLAST_SCOUT_BENCH_H

#include <stdio.h>

#include "sm/scout.h"

#ifndef SCOUT_BENCH_MORE
#define SCOUT_BENCH_MORE
#define SCOUT_AFTER_CYCLE(b)
#endif

enum { MOST_LOOKS = 64 };

#define BENCH_BLOCK scout
#define BENCH_MORE                                          \
    unsigned speed[33]; /* instructions in a slice, by limit */ \
    unsigned looks[MOST_LOOKS], num_looks;                  \
    uint8_t driven, was_look;                               \
    SCOUT_BENCH_MORE
#define BENCH_PREPARE
#define BENCH_CYCLE
#define BENCH_KERNELS
#include "blocks/scout/invariant.h"
#include "engine/bench.h"
#include "engine/random.h"

static inline void prepare(bench *b)
{
    b->driven = 1;
}

/* So many of a slice's instructions come in its n-th cycle: evenly spread. */
static inline uint8_t lanes_of(const bench *b, uint32_t n)
{
    const uint64_t speed = b->speed[b->out.limit <= 32 ? b->out.limit : 0], slice = config(b)->slice;
    const uint64_t issued = (n + 1) * speed / slice - n * speed / slice;

    return (uint8_t)((1u << issued) - 1);
}

static inline void cycle(bench *b)
{
    if (b->driven)
        b->in.issue_valid = lanes_of(b, state(b)->timer);
    take_cycle(b);
    if (b->out.look && !b->was_look && b->num_looks < MOST_LOOKS)
        b->looks[b->num_looks++] = b->out.limit;
    b->was_look = b->out.look;
    SCOUT_AFTER_CYCLE(b);
}

/* ---- words of scripts -------------------------------------------------------------------- */

/* "2,4,6": the speed at limit 1, 2, 3; the last one is that of all higher limits. */
static inline void set_speed(bench *b, const char *text)
{
    unsigned limit = 1;

    for (char *next = NULL; *text; text = *next ? next + 1 : next)
        b->speed[limit++] = (unsigned)strtoul(text, &next, 10);
    for (; limit <= 32; limit++)
        b->speed[limit] = b->speed[limit - 1];
}

static inline void go_until_slice_ends(bench *b)
{
    do
        cycle(b);
    while (state(b)->step != SCOUT_COUNT || state(b)->timer != 0);
}

/* So many slices with their ends; from anywhere in the first one. */
static inline void slices(bench *b, unsigned n)
{
    while (n--)
        go_until_slice_ends(b);
}

enum { PATIENCE = 200000 }; /* slices */

static inline void until_look(bench *b, const char *nothing)
{
    (void)nothing;
    for (unsigned n = 0; state(b)->state != SCOUT_ST_LOOK && n < PATIENCE; n++)
        go_until_slice_ends(b);
    expect(b, "state_q=StLook");
}

static inline void until_done(bench *b, const char *nothing)
{
    (void)nothing;
    for (unsigned n = 0; state(b)->state != SCOUT_ST_DONE && n < PATIENCE; n++)
        go_until_slice_ends(b);
    cycle(b);
    expect(b, "state_q=StDone done_o=1 look_o=0");
}

/* Until the state is another one. */
static inline void until_moved(bench *b, const char *nothing)
{
    const uint8_t was = state(b)->state;

    (void)nothing;
    for (unsigned n = 0; state(b)->state == was && n < PATIENCE; n++)
        go_until_slice_ends(b);
    assert_int_not_equal(state(b)->state, was);
}

/* Until the cycle before the state changes, for the log. */
static inline void until_moves(bench *b, const char *nothing)
{
    (void)nothing;
    for (unsigned n = 0; n < PATIENCE * 22u; n++) {
        const scout_state *s = state(b);
        const bool last = s->step == SCOUT_ACT;

        if (last && (s->verdict >= SCOUT_TAKE ||
                     (s->verdict == SCOUT_FULL && s->state == SCOUT_ST_BASE &&
                      s->credit >= 3 * (s->base / scout_window_slices(s, config(b))))) &&
            (s->state != SCOUT_ST_DONE || (s->verdict == SCOUT_REJECT && s->odd)))
            return;
        cycle(b);
    }
    fail_msg("the state does not change");
}

/* "4,8,2": these limits were looked at, one after the other. */
static inline void looked_at(bench *b, const char *text)
{
    char seen[256] = "";

    for (unsigned i = 0; i < b->num_looks; i++)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s%u", i ? "," : "", b->looks[i]);
    assert_string_equal(seen, text);
    b->num_looks = 0;
}

static inline void finish_cta(bench *b, unsigned slot)
{
    b->in.cta_done = UINT32_C(1) << slot;
    cycle(b);
    b->in.cta_done = 0;
}

static const bench_word words[] = {
    {"speed", NULL, set_speed},        {"slices", slices, NULL},       {"look", NULL, until_look},
    {"done", NULL, until_done},        {"moved", NULL, until_moved},   {"moves", NULL, until_moves},
    {"looked_at", NULL, looked_at},    {"finish", finish_cta, NULL},   {NULL, NULL, NULL},
};

#endif
