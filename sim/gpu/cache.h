/* SPDX-License-Identifier: Apache-2.0
 *
 * Tags of a set-associative cache with LRU replacement: L1 of an SM, a bank of the L2.
 */
#ifndef BALLAST_CACHE_H
#define BALLAST_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* A place of a set. What comes after the tag is the user's. */
typedef struct cache_line {
    uint64_t tag;   /* of the line, 0: empty     */
    uint64_t ready; /* when its data are there   */
    bool dirty;     /* newer than what is behind */
    uint8_t owner;  /* who had it fetched        */
} cache_line;

enum cache_kind {
    CACHE_INFINITE = 1, /* without bound                                                                                   */
    CACHE_FOLDED = 2    /* lines that follow each other are in sets that do, as in the L1; otherwise they are spread at random */
};

typedef struct cache {
    uint32_t sets, ways;
    uint64_t set_mask; /* sets - 1, if they are a power of two, else 0 */
    cache_line *lines; /* sets x ways, most recently used first */
    bool folded;       /* how lines find their sets: as in the L1 */
    bool infinite;     /* without bound instead: ...           */
    void *seen;        /* ... all lines ever filled, by tsearch */
} cache;

/* ways 0: nothing ever hits. False without memory. */
bool cache_open(cache *c, uint32_t sets, uint32_t ways, unsigned kind);
void cache_close(cache *c);
/* Lines are numbers from 0 to 2^62. A hit makes the line the most recently used one. */
bool cache_hit(cache *c, uint64_t line);
/* Puts a line in, in place of the least recently used one of its set. */
void cache_fill(cache *c, uint64_t line);
/* The same for a cache with a bound whose user looks after its lines. cache_find: NULL if the line
 * is not in. cache_put: it must not be in; it gets the place of the least recently used one whose data
 * are there at `now`, *pushed_out (tag 0: none); NULL if there is no such place. Places are good until
 * the next call. */
cache_line *cache_find(cache *c, uint64_t line);
cache_line *cache_put(cache *c, uint64_t line, uint64_t now, cache_line *pushed_out);
/* The number of the line in a place. */
uint64_t cache_number(const cache_line *place);
void cache_clear(cache *c);

#endif
