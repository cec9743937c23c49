/* SPDX-License-Identifier: Apache-2.0 */
#include "activity/memory.h"

#include <string.h>

bool memory_open(memory *m, const machine *config)
{
    memset(m, 0, sizeof *m);
    m->machine = config;
    for (uint32_t b = 0; b < config->l2_banks; b++)
        if (!cache_open(&m->l2[b], config->l2_sets, config->l2_ways, false)) {
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

static uint64_t from_dram(memory *m, uint64_t line, uint64_t now)
{
    const machine *c = m->machine;

    m->counts.dram_lines++;
    m->counts.dram_busy += c->dram_interval * m->tick;
    return serve(m, &m->channel_free[spread(line, c->dram_channels)], now, c->dram_interval) + c->dram_latency * m->tick;
}

static uint64_t from_l2(memory *m, uint64_t line, uint64_t now)
{
    const machine *c = m->machine;
    const unsigned bank = spread(line, c->l2_banks);
    const uint64_t served = serve(m, &m->bank_free[bank], now, c->l2_interval) + c->l2_latency * m->tick;

    if (cache_hit(&m->l2[bank], line)) {
        m->counts.l2_hits++;
        return served;
    }
    cache_fill(&m->l2[bank], line);
    return from_dram(m, line, served);
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

/* Nobody waits for a write, but it takes its place on the way and in DRAM. */
void memory_write(memory *m, uint64_t line, uint64_t now)
{
    const machine *c = m->machine;
    const unsigned bank = spread(line, c->l2_banks);
    const uint64_t arrives = now + c->network_latency * m->tick;

    m->counts.writes++;
    serve(m, &m->bank_free[bank], arrives, c->l2_interval);
    from_dram(m, line, arrives);
}
