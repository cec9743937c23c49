/* SPDX-License-Identifier: Apache-2.0
 *
 * From issue to the ALUs. An instruction gets an operand collector in the cycle after issue, its registers from the banks in the
 * next one, and goes to an ALU in the one after that (MACHINE_COLLECT), unless it has to wait for a collector, a bank or an ALU.
 * Until it has a collector it takes one of alu_width places; while these are taken, nothing issues to the ALUs.
 *
 * A bank serves its reads in the order of the instructions. Everything is in order, so that it is known at issue when each thing
 * happens. A bank and an ALU have a calendar: the cycles that are taken.
 *
 * Register r of warp w is in bank (r + w) mod reg_banks.
 */
#include "gpu/sm_private.h"

enum { CALENDAR = 64 };

/* ---- calendars -------------------------------------------------------------------- */

static void tear_off(sm_calendar *c, uint64_t now)
{
    c->taken = now - c->from < CALENDAR ? c->taken >> (now - c->from) : 0;
    c->from = now;
}

/* The first cycle that is free, `earliest` or later. What is beyond the calendar's end counts as free. */
static uint64_t first_free(sm_calendar *c, uint64_t now, uint64_t earliest)
{
    uint64_t free;

    tear_off(c, now);
    if (earliest - now >= CALENDAR)
        return earliest;
    free = ~c->taken >> (earliest - now);
    return free ? earliest + lowest(free) : now + CALENDAR;
}

static void take(sm_calendar *c, uint64_t now, uint64_t cycle)
{
    tear_off(c, now);
    if (cycle - now < CALENDAR)
        c->taken |= bit((unsigned)(cycle - now));
}

/* ---- stations --------------------------------------------------------------------- */

static sm_calendar *bank_of(sim_sm *s, unsigned warp, unsigned reg)
{
    return &s->banks[s->bank_of[reg + warp]];
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

/* In order. No more than alu_width enter in a cycle, since no more wait. */
static uint64_t enter(sim_sm *s, const uint64_t *collector)
{
    const uint64_t at = later(later(s->cycle + 1, *collector), s->last_entered);
    uint64_t *place = &s->entered[s->next_entered];

    s->next_entered = s->next_entered + 1u == s->machine->alu_width ? 0 : (uint8_t)(s->next_entered + 1);
    *place = s->last_entered = at;
    return at;
}

/* The cycle in which it gets the last of its registers. */
static uint64_t collect(sim_sm *s, unsigned warp, const instruction *i, uint64_t entered)
{
    uint64_t last = entered, earliest = entered + 1;
    unsigned reads = 0;

    for (unsigned n = 0; n < i->operands; n++) {
        sm_calendar *bank = bank_of(s, warp, i->reads[n]);
        const uint64_t at = first_free(bank, s->cycle, earliest);

        take(bank, s->cycle, at);
        last = later(last, at);
        if (++reads == s->machine->collector_reads) {
            reads = 0;
            earliest = at + 1;
        }
    }
    return last;
}

/* alus[n]: the cycles in which more than n ALUs get an instruction. */
static uint64_t to_alu(sim_sm *s, uint64_t earliest)
{
    const uint64_t at = first_free(&s->alus[s->machine->alu_width - 1], s->cycle, earliest);

    for (sm_calendar *alu = s->alus; alu < s->alus + s->machine->alu_width; alu++)
        if (first_free(alu, s->cycle, at) == at) {
            take(alu, s->cycle, at);
            break;
        }
    return at;
}

/* The one that is free first. */
static uint64_t *next_collector(sim_sm *s)
{
    uint64_t first = s->collectors[0] << 4;

    for (unsigned n = 1; n < s->machine->collectors; n++) {
        const uint64_t other = s->collectors[n] << 4 | n;

        first = other < first ? other : first;
    }
    return &s->collectors[first & (MACHINE_MAX_COLLECTORS - 1)];
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
    uint64_t *collector, ready;

    if (!s->machine->collectors) {
        if (i->op == OP_ALU)
            note_in(s, s->machine->alu_latency, RESULT, warp, window);
        return;
    }
    collector = next_collector(s);
    *collector = to_alu(s, collect(s, warp, i, enter(s, collector)) + 1);
    if (i->op != OP_ALU)
        return;
    ready = *collector + s->machine->alu_latency - MACHINE_COLLECT;
    take(bank_of(s, warp, window), s->cycle, ready);
    note_in(s, (unsigned)(ready - s->cycle), RESULT, warp, window);
}
