/* SPDX-License-Identifier: Apache-2.0
 *
 * Tags of a set-associative cache with LRU replacement: L1 of an SM, a bank of the L2.
 */
#ifndef BALLAST_CACHE_H
#define BALLAST_CACHE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cache {
    uint32_t sets, ways;
    uint64_t *tags; /* sets x ways, most recently used first; 0: empty */
    /* Without bound instead: all lines ever filled, an open hash table. */
    bool infinite;
    uint64_t *seen;
    uint32_t seen_size, seen_count;
} cache;

/* ways 0: nothing ever hits. False without memory. */
bool cache_open(cache *c, uint32_t sets, uint32_t ways, bool infinite);
void cache_close(cache *c);
/* Lines are numbers from 0 to 2^62. A hit makes the line the most recently used one. */
bool cache_hit(cache *c, uint64_t line);
/* Puts a line in, in place of the least recently used one of its set. */
void cache_fill(cache *c, uint64_t line);
void cache_clear(cache *c);

#endif
