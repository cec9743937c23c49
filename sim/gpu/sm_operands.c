/* SPDX-License-Identifier: Apache-2.0
 *
 * From issue to the ALUs. An instruction gets an operand collector in the cycle after issue, its registers from the banks in the
 * next one, and goes to an ALU in the one after that (MACHINE_COLLECT), unless it has to wait for a collector, a bank or an ALU.
 * Until it has a collector it takes one of alu_width places; while these are taken, nothing issues to the ALUs.
 *
 * A bank serves its reads in the order of the instructions. Everything is in order, so that it is known at issue when each thing
 * happens. What banks and ALUs will do in the next cycles is written down, one entry a cycle, around. What is further ahead is not:
 * there, everything is free. Times here are cycles.
 *
 * Register r of warp w is in bank (r + w) mod reg_banks.
 */
#include "gpu/sm_private.h"

/* ---- the cycles ahead -------------------------------------------------------------- */

static bool ahead(const sim_sm *s, uint64_t cycle)
{
    return cycle - s->cycle < SM_AHEAD;
}

/* The bank's first free cycle, `at` or later; it is taken. */
static uint64_t take_bank(sim_sm *s, unsigned bank, uint64_t at)
{
    while (ahead(s, at) && s->banks_taken[at % SM_AHEAD] >> bank & 1)
        at++;
    if (ahead(s, at))
        s->banks_taken[at % SM_AHEAD] |= bit(bank);
    return at;
}

/* The first cycle, `at` or later, in which an ALU is left; it is taken. */
static uint64_t take_alu(sim_sm *s, uint64_t at)
{
    while (ahead(s, at) && s->alus_taken[at % SM_AHEAD] == s->machine->alu_width)
        at++;
    if (ahead(s, at))
        s->alus_taken[at % SM_AHEAD]++;
    return at;
}

/* A result is written when it is there, whatever else the bank does. Reads that come later give way. */
static void write_result(sim_sm *s, unsigned bank, uint64_t at)
{
    if (ahead(s, at))
        s->banks_taken[at % SM_AHEAD] |= bit(bank);
}

void operands_pass(sim_sm *s)
{
    s->banks_taken[s->cycle % SM_AHEAD] = 0;
    s->alus_taken[s->cycle % SM_AHEAD] = 0;
}

/* ---- stations --------------------------------------------------------------------- */

void operands_open(sim_sm *s)
{
    for (unsigned n = 0; s->machine->collectors && n < SM_WARPS + PROGRAM_WINDOW; n++)
        s->bank_of[n] = (uint8_t)(n % s->machine->reg_banks);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* It gets the collector that is free first, in order. No more than alu_width enter in a cycle, since no more wait. */
static uint64_t enter(sim_sm *s)
{
    const uint64_t at = later(later(s->cycle + 1, s->collectors[s->first_collector]), s->last_entered);
    uint64_t *place = &s->entered[s->next_entered];

    s->next_entered = (uint8_t)around(s->next_entered + 1u, s->machine->alu_width);
    *place = s->last_entered = at;
    return at;
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

/* When it gets the last of its registers. */
static uint64_t collect(sim_sm *s, unsigned warp, const instruction *i, uint64_t entered)
{
    uint64_t last = entered, earliest = entered + 1;
    unsigned reads = 0;

    for (unsigned n = 0; n < i->operands; n++) {
        const uint64_t at = take_bank(s, s->bank_of[i->reads[n] + warp], earliest);

        last = later(last, at);
        reads = around(reads + 1, s->machine->collector_reads);
        earliest = reads ? earliest : at + 1;
    }
    return last;
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
    at = take_alu(s, collect(s, warp, i, enter(s)) + 1);
    keep_collector(s, at);
    if (i->op != OP_ALU)
        return;
    ready = at + s->machine->alu_latency - MACHINE_COLLECT;
    write_result(s, s->bank_of[window + warp], ready);
    note_in(s, (unsigned)(ready - s->cycle), RESULT, warp, window);
}
