/* SPDX-License-Identifier: Apache-2.0
 *
 * Reproducible random numbers for tests (xorshift64*); the seed must not be 0.
 */
#ifndef BALLAST_RANDOM_H
#define BALLAST_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t random_next(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return *seed * UINT64_C(0x2545F4914F6CDD1D) >> 11;
}

static inline unsigned random_below(uint64_t *seed, unsigned n)
{
    return (unsigned)(random_next(seed) % n);
}

static inline bool random_one_in(uint64_t *seed, unsigned n)
{
    return random_below(seed, n) == 0;
}

/* `value` or one beside it, from 0 to `most`. */
static inline uint64_t random_near(uint64_t *seed, uint64_t value, uint64_t most)
{
    const uint64_t low = value ? value - 1 : 0;
    const uint64_t near = low + random_next(seed) % 3;

    return near > most ? most : near;
}

/* A set of the numbers below `size`, such as slots: each is in it one time in `n`. From 0 up, a draw for each. */
static inline uint32_t random_set(uint64_t *seed, unsigned size, unsigned n)
{
    uint32_t set = 0;

    for (unsigned i = 0; i < size; i++)
        set |= (uint32_t)random_one_in(seed, n) << i;
    return set;
}

#endif
