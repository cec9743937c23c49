/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/cache.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

bool cache_open(cache *c, uint32_t sets, uint32_t ways, unsigned kind)
{
    memset(c, 0, sizeof *c);
    c->sets = sets;
    c->ways = ways;
    c->set_mask = sets & (sets - 1) ? 0 : sets - 1;
    c->folded = kind & CACHE_FOLDED;
    c->infinite = (kind & CACHE_INFINITE) && ways;
    if (!ways || c->infinite)
        return true;
    c->lines = calloc((size_t)sets * ways, sizeof *c->lines);
    return c->lines != NULL;
}

void cache_close(cache *c)
{
    tdestroy(c->seen, free);
    free(c->lines);
    memset(c, 0, sizeof *c);
}

void cache_clear(cache *c)
{
    if (c->lines)
        memset(c->lines, 0, (size_t)c->sets * c->ways * sizeof *c->lines);
    tdestroy(c->seen, free);
    c->seen = NULL;
}

/* L1 of Fermi: lines that follow each other are in sets that do. C. Nugteren et al., "A Detailed GPU Cache Model Based on Reuse
 * Distance Theory", HPCA 2014, for 32 and 64 sets; the bits 13, 14, 15, 17, 19 of an address are those from 6 on of a line's number. */
static uint64_t fold(uint64_t line)
{
    return line ^ (line >> 6 & 7) ^ (line >> 10 & 1) << 3 ^ (line >> 12 & 1) << 4;
}

/* A bank of the L2 has every so many lines of a stretch: they are spread over its sets at random. */
static uint64_t mix(uint64_t line)
{
    line ^= line >> 17;
    line *= UINT64_C(0x9e3779b97f4a7c15);
    return line ^ line >> 29;
}

/* ---- without bound ---------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Without memory it forgets the line: slower, never wrong. */
static void remember(cache *c, uint64_t line)
{
    uint64_t *seen = malloc(sizeof *seen);
    uint64_t *const *node;

    if (!seen)
        return;
    *seen = line;
    node = tsearch(seen, &c->seen, by_number);
    if (!node || *node != seen)
        free(seen);
}

/* ---- sets ------------------------------------------------------------------------- */

static cache_line *set_of(const cache *c, uint64_t line)
{
    const uint64_t spread = c->folded ? fold(line) : mix(line);
    const uint64_t set = c->set_mask ? spread & c->set_mask : spread % c->sets;

    return c->lines + set * c->ways;
}

static cache_line *to_front(cache_line *set, uint32_t way, cache_line moved)
{
    for (; way > 0; way--)
        set[way] = set[way - 1];
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
        return tfind(&line, &c->seen, by_number) != NULL;
    return cache_find(c, line) != NULL;
}

void cache_fill(cache *c, uint64_t line)
{
    cache_line pushed_out;

    if (c->infinite)
        remember(c, line);
    else if (!cache_find(c, line))
        cache_put(c, line, UINT64_MAX, &pushed_out);
}
