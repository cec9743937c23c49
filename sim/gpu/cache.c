/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/cache.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SEEN = 1024 };

bool cache_open(cache *c, uint32_t sets, uint32_t ways, bool infinite)
{
    memset(c, 0, sizeof *c);
    c->sets = sets;
    c->ways = ways;
    c->infinite = infinite && ways;
    if (c->infinite) {
        c->seen_size = FIRST_SEEN;
        c->seen = calloc(c->seen_size, sizeof *c->seen);
        return c->seen != NULL;
    }
    if (!ways)
        return true;
    c->lines = calloc((size_t)sets * ways, sizeof *c->lines);
    return c->lines != NULL;
}

void cache_close(cache *c)
{
    free(c->lines);
    free(c->seen);
    memset(c, 0, sizeof *c);
}

void cache_clear(cache *c)
{
    if (c->lines)
        memset(c->lines, 0, (size_t)c->sets * c->ways * sizeof *c->lines);
    if (c->seen)
        memset(c->seen, 0, (size_t)c->seen_size * sizeof *c->seen);
    c->seen_count = 0;
}

/* Spreads addresses with a stride over the sets, as the index functions of GPUs do. */
static uint64_t mix(uint64_t line)
{
    line ^= line >> 17;
    line *= UINT64_C(0x9e3779b97f4a7c15);
    return line ^ line >> 29;
}

/* ---- without bound ---------------------------------------------------------------- */

static uint64_t *place_of(uint64_t *seen, uint32_t size, uint64_t tag)
{
    uint32_t at = (uint32_t)mix(tag) & (size - 1);

    while (seen[at] && seen[at] != tag)
        at = (at + 1) & (size - 1);
    return &seen[at];
}

/* Without memory the cache stays as large as it is and forgets: slower, never wrong. */
static void grow(cache *c)
{
    const uint32_t size = 2 * c->seen_size;
    uint64_t *larger = calloc(size, sizeof *larger);

    if (!larger) {
        cache_clear(c);
        return;
    }
    for (uint32_t i = 0; i < c->seen_size; i++)
        if (c->seen[i])
            *place_of(larger, size, c->seen[i]) = c->seen[i];
    free(c->seen);
    c->seen = larger;
    c->seen_size = size;
}

static void remember(cache *c, uint64_t tag)
{
    uint64_t *place;

    if (2 * c->seen_count >= c->seen_size)
        grow(c);
    place = place_of(c->seen, c->seen_size, tag);
    c->seen_count += *place == 0;
    *place = tag;
}

/* ---- sets ------------------------------------------------------------------------- */

static cache_line *set_of(const cache *c, uint64_t line)
{
    return c->lines + (size_t)(mix(line) % c->sets) * c->ways;
}

static cache_line *to_front(cache_line *set, uint32_t way, cache_line moved)
{
    memmove(set + 1, set, way * sizeof *set);
    set[0] = moved;
    return set;
}

uint64_t cache_number(const cache_line *place)
{
    return place->tag - 1;
}

cache_line *cache_find(cache *c, uint64_t line)
{
    const uint64_t tag = line + 1;
    cache_line *set;

    if (!c->ways)
        return NULL;
    set = set_of(c, line);
    for (uint32_t way = 0; way < c->ways; way++)
        if (set[way].tag == tag)
            return to_front(set, way, set[way]);
    return NULL;
}

cache_line *cache_put(cache *c, uint64_t line, uint64_t now, cache_line *pushed_out)
{
    cache_line *set;

    memset(pushed_out, 0, sizeof *pushed_out);
    if (!c->ways)
        return NULL;
    set = set_of(c, line);
    for (uint32_t way = c->ways; way-- > 0;)
        if (set[way].ready <= now) {
            *pushed_out = set[way];
            return to_front(set, way, (cache_line){.tag = line + 1});
        }
    return NULL;
}

bool cache_hit(cache *c, uint64_t line)
{
    if (c->infinite)
        return *place_of(c->seen, c->seen_size, line + 1) == line + 1;
    return cache_find(c, line) != NULL;
}

void cache_fill(cache *c, uint64_t line)
{
    cache_line pushed_out;

    if (c->infinite)
        remember(c, line + 1);
    else if (!cache_find(c, line))
        cache_put(c, line, UINT64_MAX, &pushed_out);
}
