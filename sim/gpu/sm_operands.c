/* SPDX-License-Identifier: Apache-2.0
 *
 * From issue to the ALUs. An instruction gets an operand collector in the cycle after issue, its registers from the banks in the
 * next one, and goes to an ALU in the one after that (MACHINE_COLLECT), unless it has to wait for a collector, a bank or an ALU.
 * Until it has a collector it takes one of alu_width places; while these are taken, nothing issues to the ALUs.
 *
 * A bank serves its reads in the order of the instructions. Everything is in order, so that it is known at issue when each thing
 * happens. A bank and an ALU have a calendar: the cycles that are taken. Times here are in cycles from now, if nothing else is said.
 *
 * Register r of warp w is in bank (r + w) mod reg_banks.
 */
#include "gpu/sm_private.h"

enum { CALENDAR = 64 };

/* ---- calendars -------------------------------------------------------------------- */

/* Its cycles, from this one on. */
static uint64_t *from_now(sm_calendar *c, uint64_t now)
{
    const uint64_t passed = now - c->from;

    c->taken = passed < CALENDAR ? c->taken >> passed : 0;
    c->from = now;
    return &c->taken;
}

/* The first cycle that is free, `earliest` or later. What is beyond the calendar's end counts as free. */
static uint64_t first_free(uint64_t calendar, uint64_t earliest)
{
    uint64_t free;

    if (earliest >= CALENDAR)
        return earliest;
    free = ~calendar >> earliest;
    return free ? earliest + lowest(free) : CALENDAR;
}

/* A cycle's bit of a calendar; none beyond its end. */
static uint64_t place_of(uint64_t cycle)
{
    return cycle < CALENDAR ? bit((unsigned)cycle) : 0;
}

/* ---- stations --------------------------------------------------------------------- */

static uint64_t *bank_of(sim_sm *s, unsigned warp, unsigned reg)
{
    return from_now(&s->banks[s->bank_of[reg + warp]], s->cycle);
}

void operands_open(sim_sm *s)
{
    for (unsigned n = 0; s->machine->collectors && n < SM_WARPS + PROGRAM_WINDOW; n++)
        s->bank_of[n] = (uint8_t)(n % s->machine->reg_banks);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* It gets the collector that is free first, in order: in how many cycles. No more than alu_width enter in a cycle, since no more wait. */
static uint64_t enter(sim_sm *s)
{
    const uint64_t at = later(later(s->cycle + 1, s->collectors[s->first_collector]), s->last_entered);
    uint64_t *place = &s->entered[s->next_entered];

    s->next_entered = (uint8_t)around(s->next_entered + 1u, s->machine->alu_width);
    *place = s->last_entered = at;
    return at - s->cycle;
}

/* The collector that is free first will be free from this cycle on: it goes behind those that are free before. */
static void keep_collector(sim_sm *s, uint64_t until)
{
    const unsigned num = s->machine->collectors;
    unsigned place = s->first_collector;

    s->first_collector = (uint8_t)around(place + 1, num);
    while (place != s->first_collector) {
        const unsigned before = place ? place - 1 : num - 1;

        if (s->collectors[before] <= until)
            break;
        s->collectors[place] = s->collectors[before];
        place = before;
    }
    s->collectors[place] = until;
}

/* In how many cycles it gets the last of its registers. */
static uint64_t collect(sim_sm *s, unsigned warp, const instruction *i, uint64_t entered)
{
    uint64_t last = entered, earliest = entered + 1;
    unsigned reads = 0;

    for (unsigned n = 0; n < i->operands; n++) {
        uint64_t *bank = bank_of(s, warp, i->reads[n]);
        const uint64_t at = first_free(*bank, earliest);

        *bank |= place_of(at);
        last = later(last, at);
        reads = around(reads + 1, s->machine->collector_reads);
        earliest = reads ? earliest : at + 1;
    }
    return last;
}

/* alus[n]: the cycles in which more than n ALUs get an instruction. So the last one says when there is an ALU left, and one more
 * instruction is noted by the first of them that does not know of as many. */
static uint64_t to_alu(sim_sm *s, uint64_t earliest)
{
    const unsigned alus = s->machine->alu_width;
    const uint64_t at = first_free(*from_now(&s->alus[alus - 1], s->cycle), earliest);
    uint64_t place = place_of(at);

    for (unsigned n = 0; n < alus; n++) {
        uint64_t *taken = from_now(&s->alus[n], s->cycle);
        const uint64_t known = *taken;

        *taken |= place;
        place &= known;
    }
    return at;
}

/* ---- an instruction --------------------------------------------------------------- */

unsigned operands_room(const sim_sm *s)
{
    unsigned room = s->machine->alu_width;

    if (s->machine->collectors && s->last_entered > s->cycle)
        for (unsigned n = 0; n < s->machine->alu_width; n++)
            room -= s->entered[n] > s->cycle;
    return room;
}

void operands_take(sim_sm *s, unsigned warp, const instruction *i, unsigned window)
{
    uint64_t at, ready;

    if (!s->machine->collectors) {
        if (i->op == OP_ALU)
            note_in(s, s->machine->alu_latency, RESULT, warp, window);
        return;
    }
    at = to_alu(s, collect(s, warp, i, enter(s)) + 1);
    keep_collector(s, s->cycle + at);
    if (i->op != OP_ALU)
        return;
    ready = at + s->machine->alu_latency - MACHINE_COLLECT;
    *bank_of(s, warp, window) |= place_of(ready);
    note_in(s, (unsigned)ready, RESULT, warp, window);
}
