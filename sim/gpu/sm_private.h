/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of an SM, private to sim/gpu.
 */
#ifndef BALLAST_SM_PRIVATE_H
#define BALLAST_SM_PRIVATE_H

#include "gpu/sm.h"

enum note_kind { RESULT, LINE, FETCHED };

static inline uint64_t bit(unsigned n)
{
    return UINT64_C(1) << n;
}

static inline unsigned lowest(uint64_t mask)
{
    return (unsigned)__builtin_ctzll(mask);
}

/* A place that is less than a turn beyond the last one, around. */
static inline unsigned around(unsigned place, unsigned places)
{
    return place < places ? place : place - places;
}

/* The next one after `last`, around. */
static inline unsigned next_after(uint64_t warps, unsigned last)
{
    const uint64_t above = last + 1 < SM_WARPS ? warps & ~(bit(last + 1) - 1) : 0;

    return lowest(above ? above : warps);
}

/* sm_note.c: what happens later. */
void notes_clear(sim_sm *s);
/* Room for one more line: those of the pipes' results are kept free. */
bool notes_left(const sim_sm *s);
void note_in(sim_sm *s, unsigned cycles, enum note_kind kind, unsigned warp, unsigned window);
/* Appends to a list of its own. */
void note_add(sim_sm *s, uint16_t *list, enum note_kind kind, unsigned warp, unsigned window);
/* Does what the notes of a list say, and empties it. */
void notes_do(sim_sm *s, uint16_t *list);
/* Those of this cycle. */
void notes_of_cycle(sim_sm *s);

/* sm_lsu.c: load/store unit, L1, misses. */
void lsu_clear(sim_sm *s);
bool lsu_has_room(const sim_sm *s);
void lsu_take(sim_sm *s, unsigned warp, enum operation op, unsigned window, uint32_t at);
/* Lines that have come back by now. */
void lsu_arrivals(sim_sm *s, uint64_t now);
static inline bool lsu_arrives(const sim_sm *s, uint64_t now)
{
    return s->num_misses && s->misses[s->first_miss].tick <= now;
}
/* The first access, which there is, waits for a line to arrive, or for the memory. */
static inline bool lsu_waits(const sim_sm *s, uint64_t now)
{
    return s->lsu_stuck || s->lsu_until > now;
}
/* The unit's own cycle: one line. */
void lsu_step(sim_sm *s, uint64_t now);

/* sm_warp.c: what a warp can do next. */
void warp_start(sim_sm *s, const program *p, unsigned warp, uint32_t cta, uint32_t index, unsigned slot);
/* The dirty ones among these warps; those that are through leave. */
void warp_look_again(sim_sm *s, uint64_t among);
/* The warp issues its next instruction. */
void warp_issue(sim_sm *s, unsigned warp);

/* sm_operands.c: instructions for the ALUs, with their registers. */
void operands_open(sim_sm *s);
/* How many may issue in this cycle. */
unsigned operands_room(const sim_sm *s);
/* The cycle is over. */
void operands_pass(sim_sm *s);
/* One of them has issued: when its result is there. Branches and barriers have none. */
void operands_take(sim_sm *s, unsigned warp, const instruction *i, unsigned window);

/* sm_fetch.c: the warps' instruction buffers, with machine.ibuffer. */
void fetch_begin(sim_sm *s, unsigned warp);      /* a new warp                       */
void fetch_after(sim_sm *s, unsigned warp, enum operation op); /* the warp has issued */
void fetch_clear(sim_sm *s);                     /* another program */
void fetch_step(sim_sm *s, uint64_t now);

/* sm_schedule.c: the schedulers after reset; a CTA came into the slot. Loads that have to let others go first; who issues of the
 * other warps, alu_room of them to the ALUs at most. Returns those that did; ready masks are those before. */
void schedulers_open(sim_sm *s);
void schedulers_launch(sim_sm *s, unsigned slot);
uint64_t held_back(const sim_sm *s);
uint64_t schedule(sim_sm *s, uint64_t paused, uint64_t held, unsigned alu_room, bool soft);

#endif
