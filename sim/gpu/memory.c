/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/memory.h"

#include <string.h>

bool memory_open(memory *m, const machine *config)
{
    memset(m, 0, sizeof *m);
    m->machine = config;
    for (uint32_t b = 0; b < config->l2_banks; b++)
        if (!cache_open(&m->l2[b], config->l2_sets, config->l2_ways, 0)) {
            memory_close(m);
            return false;
        }
    return true;
}

void memory_close(memory *m)
{
    for (unsigned b = 0; b < MEMORY_MAX_BANKS; b++)
        cache_close(&m->l2[b]);
}

/* Waits for its turn and takes `cycles` of the part's time; when it is served. */
static uint64_t serve(const memory *m, uint64_t *free_at, uint64_t now, uint32_t cycles)
{
    const uint64_t start = *free_at > now ? *free_at : now;

    *free_at = start + cycles * m->tick;
    return start;
}

static unsigned spread(uint64_t line, uint32_t parts)
{
    return (unsigned)((line ^ line >> 7 ^ line >> 13) % parts);
}

static unsigned bank_of(const memory *m, uint64_t line)
{
    return spread(line, m->machine->l2_banks);
}

static unsigned channel_of(const memory *m, uint64_t line)
{
    return spread(line, m->machine->dram_channels);
}

/* ---- room ------------------------------------------------------------------------- */

/* From which tick on a request finds fewer lines than places in a part that it reaches so many ticks later. */
static uint64_t shorter_at(const memory *m, uint64_t free_at, uint64_t way, uint32_t queue, uint32_t interval)
{
    const uint64_t ahead = way + (uint64_t)(queue - 1) * interval * m->tick;

    return free_at > ahead ? free_at - ahead : 0;
}

/* A channel whose queue is full holds up its banks, hits included. */
uint64_t memory_room_at(const memory *m, uint64_t line)
{
    const machine *c = m->machine;
    const uint64_t to_bank = c->network_latency * m->tick, to_channel = to_bank + c->l2_latency * m->tick;
    const uint64_t bank = shorter_at(m, m->bank_free[bank_of(m, line)], to_bank, c->l2_queue, c->l2_interval);
    const uint64_t channel = shorter_at(m, m->channel_free[channel_of(m, line)], to_channel, c->dram_queue, c->dram_interval);

    return bank > channel ? bank : channel;
}

bool memory_has_room(const memory *m, uint64_t line, uint64_t now)
{
    return memory_room_at(m, line) <= now;
}

uint64_t memory_sends_at(const memory *m, unsigned sm, uint64_t line)
{
    const uint64_t room = memory_room_at(m, line);

    return m->out_free[sm] > room ? m->out_free[sm] : room;
}

bool memory_can_send(const memory *m, unsigned sm, uint64_t now)
{
    return m->out_free[sm] <= now;
}

/* ---- requests --------------------------------------------------------------------- */

/* When the channel gets to it. */
static uint64_t at_dram(memory *m, uint64_t line, uint64_t now)
{
    const machine *c = m->machine;

    m->counts.dram_lines++;
    m->counts.dram_busy += c->dram_interval * m->tick;
    return serve(m, &m->channel_free[channel_of(m, line)], now, c->dram_interval);
}

/* A place in the L2 for a line that is not in it; what was there is written back if need be. */
static cache_line *make_place(memory *m, uint64_t line, uint64_t now)
{
    cache_line pushed_out;
    cache_line *place = cache_put(&m->l2[bank_of(m, line)], line, UINT64_MAX, &pushed_out);

    if (pushed_out.dirty) {
        m->counts.written_back++;
        at_dram(m, cache_number(&pushed_out), now);
    }
    return place;
}

static uint64_t at_bank(memory *m, uint64_t line, uint64_t now)
{
    const machine *c = m->machine;

    return serve(m, &m->bank_free[bank_of(m, line)], now, c->l2_interval) + c->l2_latency * m->tick;
}

/* A line that is on its way from DRAM is not asked for again. */
static uint64_t from_l2(memory *m, uint64_t line, uint64_t now)
{
    const uint64_t served = at_bank(m, line, now);
    cache_line *place = cache_find(&m->l2[bank_of(m, line)], line);
    uint64_t there;

    if (place) {
        m->counts.l2_hits++;
        return place->ready > served ? place->ready : served;
    }
    there = at_dram(m, line, served) + m->machine->dram_latency * m->tick;
    place = make_place(m, line, served);
    if (place)
        place->ready = there;
    return there;
}

/* The SM's link is charged when a line is asked for, not when it comes back: lines come back in another
 * order, and one that will be late must not hold up the ones before it. */
uint64_t memory_read(memory *m, unsigned sm, uint64_t line, uint64_t now)
{
    const machine *c = m->machine;
    const uint64_t sent = serve(m, &m->link_free[sm], now, c->network_interval);

    m->counts.reads++;
    return from_l2(m, line, sent + c->network_latency * m->tick) + (c->network_interval + c->network_latency) * m->tick;
}

/* The L2 takes it without asking DRAM for the line's other bytes. */
void memory_write(memory *m, unsigned sm, uint64_t line, uint64_t now)
{
    const machine *c = m->machine;
    const uint64_t sent = serve(m, &m->out_free[sm], now, c->network_interval);
    const uint64_t served = at_bank(m, line, sent + (c->network_interval + c->network_latency) * m->tick);
    cache_line *place = cache_find(&m->l2[bank_of(m, line)], line);

    m->counts.writes++;
    if (!place)
        place = make_place(m, line, served);
    if (place)
        place->dirty = true;
    else
        at_dram(m, line, served);
}
